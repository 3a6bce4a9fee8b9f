"""Correlation of two series: Pearson's r, Spearman's rank correlation and Kendall's tau-b, with p-values.

>>> correlation = spearman([1, 2, 3, 4, 5], [2, 1, 4, 3, 7])
>>> correlation.value, round(correlation.p, 4), correlation.n
(0.8, 0.1333, 5)

Sums are exact, and only the last step is rounded: numbers on a straight line give exactly 1.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from math import exp, factorial, lgamma, prod, sqrt

from .. import _core
from ..values.problem import UsageError, check_whole
from ..values.value import Value
from .distributions import incomplete_beta, normal_tail
from .exact import ratio, whole
from .intervals import SEED, figure_name
from .sampling import check_seed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..metrics.base import Metric
    from ..values.counts import Counts

#: The largest number of pairs with an exact p: Kendall's without ties, Spearman's with or without ties.
EXACT_KENDALL, EXACT_SPEARMAN = 33, 8


class Correlation(Value):
    """A correlation coefficient, `value`, and the two-sided `p` of the null hypothesis of no correlation.

    `n` is the number of pairs, without the `undefined` ones in which either number is None. The value is None for fewer
    than two pairs, or if one series is constant; Pearson's p also for two pairs.
    """

    kind: str
    value: float | None
    p: float | None
    n: int
    undefined: int = 0


def ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value, from 1; ties share their mean rank.

    >>> ranks([0.3, 0.1, 0.3, 0.9])
    [2.5, 1.0, 2.5, 4.0]
    """
    return [rank / 2 for rank in _doubled_ranks(values)]


def pearson(first: Sequence[float | None], second: Sequence[float | None]) -> Correlation:
    """Pearson's r; p is from the t distribution with n - 2 degrees of freedom."""
    pairs, undefined = _defined(first, second)
    return _pearson_of_integers("pearson", whole(x for x, _ in pairs)[0], whole(y for _, y in pairs)[0], undefined)


def spearman(first: Sequence[float | None], second: Sequence[float | None]) -> Correlation:
    """Spearman's rank correlation: Pearson's r of the ranks.

    Up to 8 pairs p is exact: the share of all permutations that are at least as extreme. With more pairs it is from
    the t distribution with n - 2 degrees of freedom. Near 1 and -1 that is too small, so p is at least the share of the
    permutations that give this pairing or its mirror image.

    >>> spearman([1, 2, 3], [1, 2, 3])
    Correlation(kind='spearman', value=1.0, p=0.3333333333333333, n=3, undefined=0)
    """
    pairs, undefined = _defined(first, second)
    sides = _doubled_ranks([x for x, _ in pairs]), _doubled_ranks([y for _, y in pairs])
    correlation = _pearson_of_integers("spearman", *sides, undefined)
    if correlation.value is None:
        return correlation
    if correlation.n <= EXACT_SPEARMAN:
        return correlation.replace(p=_share_of_permutations(*sides))
    return correlation.replace(p=max(correlation.p or 0.0, _same_pairing(*sides)))


def kendall(first: Sequence[float | None], second: Sequence[float | None]) -> Correlation:
    """Kendall's tau-b, from the numbers of concordant and discordant pairs.

    Without ties p is exact up to 33 pairs, or with at most one discordant or concordant pair; otherwise it is from the
    normal distribution with the variance corrected for ties.

    >>> kendall([1, 2, 3, 4, 5], [2, 1, 4, 3, 7])
    Correlation(kind='kendall', value=0.6, p=0.23333333333333334, n=5, undefined=0)
    """
    pairs, undefined = _defined(first, second)
    n = len(pairs)
    ordered = sorted(zip(_doubled_ranks([x for x, _ in pairs]), _doubled_ranks([y for _, y in pairs]), strict=True))
    sides = [_ties(x for x, _ in ordered), _ties(sorted(y for _, y in ordered))]
    all_pairs = n * (n - 1) // 2
    tied = [sum(size * (size - 1) // 2 for size in side) for side in sides]
    if all_pairs in tied:  # also without any pairs
        return Correlation("kendall", None, None, n=n, undefined=undefined)
    tied_in_both = sum(size * (size - 1) // 2 for size in _ties(ordered))
    discordant = _inversions([y for _, y in ordered])
    excess = all_pairs - tied[0] - tied[1] + tied_in_both - 2 * discordant  # concordant minus discordant pairs
    square = ratio(excess * excess, (all_pairs - tied[0]) * (all_pairs - tied[1]))
    value = sqrt(square) if excess >= 0 else -sqrt(square)
    fewer = min(discordant, all_pairs - discordant)
    if not any(tied) and (n <= EXACT_KENDALL or fewer <= 1):
        p = _exact_tail(n, fewer)
    else:
        p = min(1.0, 2 * normal_tail(abs(excess) / sqrt(_kendall_variance(n, *sides))))
    return Correlation("kendall", value, p, n=n, undefined=undefined)


KINDS = {"spearman": spearman, "pearson": pearson, "kendall": kendall}


class BucketCorrelation(Value):
    """The correlation of two metrics over buckets of rows.

    `points` has the two scores of each bucket; `unscored` is the number of rows without a score by both metrics, and
    `left_out` the number of remaining rows that did not fill a bucket.
    """

    correlation: Correlation
    points: tuple[tuple[float | None, float | None], ...]
    figures: tuple[str, str]
    size: int
    seed: int
    unscored: int
    left_out: int


def bucket_correlation(
    metric_a: Metric,
    counts_a: Counts,
    metric_b: Metric,
    counts_b: Counts,
    *,
    size: int = 10,
    seed: int = SEED,
    kind: str = "spearman",
    figures: tuple[str | None, str | None] = (None, None),
) -> BucketCorrelation:
    """The correlation of two metrics over random buckets of rows.

    Rows without a score by either metric are in no bucket, so that both metrics score the same rows; nor are the rows
    that would not fill the last bucket. Both are counted. A bucket is scored by its summed counts; `figures` names a
    figure of each metric, by default the main one. STRUCT-IOU's "sentence" is the mean over the sentences of the
    bucket, as in the paper, and "corpus" the mean over their nodes.

    >>> import treescore
    >>> gold = treescore.read("(S (NP (NN a)) (VP (VB b))) (S (NP (NN a)) (VB b)) (S (NN a) (VB b))")
    >>> test = treescore.read("(S (NP (NN a)) (VP (VB b))) (S (NN a) (VB b)) (S (NP (NN a) (VB b)))")
    >>> first, second = treescore.metric("struct_iou"), treescore.metric("parseval|profile:none")
    >>> counts = [metric.counts(treescore.Pair(gold, test)) for metric in (first, second)]
    >>> result = bucket_correlation(first, counts[0], second, counts[1], size=1, figures=("sentence", "f1"))
    >>> result.correlation.value, result.left_out, len(result.points)
    (1.0, 0, 3)
    """
    if kind not in KINDS:
        raise UsageError(f"a correlation is one of {', '.join(KINDS)}, not {kind!r}")
    if not counts_a.has_rows or not counts_b.has_rows:
        raise UsageError("buckets need counts with rows; these have only sums")
    if len(counts_a) != len(counts_b):
        numbers = f"{metric_a.name} has {len(counts_a):,}, {metric_b.name} {len(counts_b):,}"
        raise UsageError(f"buckets need the same rows for both metrics, but {numbers}")
    both = (metric.rows(counts)[metric.row_figure] for metric, counts in ((metric_a, counts_a), (metric_b, counts_b)))
    kept = [row for row, pair in enumerate(zip(*both, strict=True)) if None not in pair]
    full = buckets(len(kept), size, seed)
    keys = [""] * len(counts_a)
    for number, rows in enumerate(full):
        for row in rows:
            keys[kept[row]] = str(number)
    scored, names = [], []
    for metric, counts, figure in ((metric_a, counts_a, figures[0]), (metric_b, counts_b, figures[1])):
        name = figure_name(metric, counts, figure)
        sums = counts.grouped(keys)
        scored.append([metric.figure(sums[str(number)].total(), name) for number in range(len(full))])
        names.append(name)
    return BucketCorrelation(
        KINDS[kind](*scored),
        tuple(zip(*scored, strict=True)),
        figures=(names[0], names[1]),
        size=size,
        seed=seed,
        unscored=len(counts_a) - len(kept),
        left_out=len(kept) - size * len(full),
    )


def buckets(count: int, size: int, seed: int) -> list[tuple[int, ...]]:
    """Rows in random buckets of equal size; rows that would not fill the last bucket are in none.

    Rows are sorted by two random numbers each, below 2^32 - 1, from the generator of the first bootstrap sample. The
    result depends only on the three arguments.

    >>> buckets(7, 3, seed=1)
    [(1, 6, 4), (2, 0, 5)]
    """
    check_whole(size, "the size of a bucket")
    check_seed(seed)
    numbers = memoryview(_core.draw_rows((1 << 32) - 1, seed, 0, 2 * count)).cast("I")
    order = sorted(range(count), key=lambda row: (numbers[2 * row], numbers[2 * row + 1]))
    return [tuple(order[start : start + size]) for start in range(0, count - size + 1, size)]


def _defined(first: Sequence[float | None], second: Sequence[float | None]) -> tuple[list[tuple[float, float]], int]:
    """The pairs without None, and the number of other pairs."""
    if len(first) != len(second):
        raise UsageError(f"a correlation needs pairs, but there are {len(first):,} and {len(second):,} numbers")
    pairs = [(x, y) for x, y in zip(first, second, strict=True) if x is not None and y is not None]
    return pairs, len(first) - len(pairs)


def _doubled_ranks(values: Sequence[float]) -> list[int]:
    """Twice the ranks, which are integers."""
    numbers = whole(values)[0]
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    ranks = [0] * len(numbers)
    start = 0
    for _, group in groupby(order, key=numbers.__getitem__):
        tied = list(group)
        for index in tied:
            ranks[index] = 2 * start + 1 + len(tied)
        start += len(tied)
    return ranks


def _pearson_of_integers(kind: str, first: list[int], second: list[int], undefined: int) -> Correlation:
    """Pearson's r. The tail of t, as a value of the beta function, depends only on 1 - r²."""
    n = len(first)
    spreads = [n * sum(x * x for x in side) - sum(side) ** 2 for side in (first, second)]
    if not all(spreads):
        return Correlation(kind, None, None, n=n, undefined=undefined)
    covariance = n * sum(x * y for x, y in zip(first, second, strict=True)) - sum(first) * sum(second)
    squared, most = covariance**2, spreads[0] * spreads[1]
    value = sqrt(ratio(squared, most))
    p = incomplete_beta(ratio(most - squared, most), ratio(squared, most), (n - 2) / 2, 0.5) if n > 2 else None
    return Correlation(kind, value if covariance >= 0 else -value, p, n=n, undefined=undefined)


def _share_of_permutations(first: list[int], second: list[int]) -> float:
    """The share of all permutations of the second ranks with at least this correlation, in either direction."""
    expected = sum(first) * sum(second)
    observed = abs(len(first) * sum(x * y for x, y in zip(first, second, strict=True)) - expected)
    sums = _sums_of_permutations(tuple(sorted(first)), tuple(sorted(second)))
    extreme = sum(count for total, count in sums.items() if abs(len(first) * total - expected) >= observed)
    return extreme / factorial(len(first))


@lru_cache(maxsize=64)  # without ties there is one entry for each number of pairs
def _sums_of_permutations(first: tuple[int, ...], second: tuple[int, ...]) -> Mapping[int, int]:
    """The number of permutations for each sum of products, by dynamic programming over sets of used second ranks."""
    by_set: dict[int, dict[int, int]] = {0: {0: 1}}
    for x in first:
        larger: dict[int, dict[int, int]] = {}
        for used, sums in by_set.items():
            for index, y in enumerate(second):
                if not used >> index & 1:
                    target = larger.setdefault(used | 1 << index, {})
                    for total, count in sums.items():
                        target[total + x * y] = target.get(total + x * y, 0) + count
        by_set = larger
    return by_set[(1 << len(second)) - 1]


def _same_pairing(first: list[int], second: list[int]) -> float:
    """The probability that a random permutation gives this pairing, or its mirror image where that exists."""
    sides = [_ties(sorted(side)) for side in (first, second)]
    ways = sum(lgamma(size + 1) for side in sides for size in side)
    ways -= sum(lgamma(size + 1) for size in _ties(sorted(zip(first, second, strict=True))))
    mirrored = any(side == side[::-1] for side in sides)
    return min(1.0, (1 + mirrored) * exp(ways - lgamma(len(first) + 1)))


def _ties(ordered: Iterable[object]) -> list[int]:
    """The sizes of the groups of equal values."""
    return [sum(1 for _ in group) for _, group in groupby(ordered)]


def _inversions(values: Sequence[int]) -> int:
    """The number of pairs in descending order, by a tree of sums (Fenwick 1994) over doubled ranks."""
    size = 2 * len(values)
    tree = [0] * (size + 1)
    inversions = 0
    for before, value in enumerate(values):
        index, not_larger = value, 0
        while index:
            not_larger += tree[index]
            index &= index - 1
        inversions += before - not_larger
        index = value
        while index <= size:
            tree[index] += 1
            index += index & -index
    return inversions


def _exact_tail(n: int, most: int) -> float:
    """The probability that a random permutation has at most `most` discordant pairs, or at most `most` concordant."""
    if n > 200:  # only called with at most one discordant pair, where the result is below the smallest float
        return 0.0
    ways = [1] + [0] * most  # the number of permutations of 1, 2, … elements by their number of discordant pairs
    for size in range(2, n + 1):
        window, following = 0, []
        for number in range(most + 1):
            window += ways[number] - (ways[number - size] if number >= size else 0)
            following.append(window)
        ways = following
    return min(1.0, ratio(2 * sum(ways), factorial(n)))


def _kendall_variance(n: int, first: list[int], second: list[int]) -> float:
    """The variance of the number of concordant minus discordant pairs, given the ties (Kendall 1970)."""
    pairs = n * (n - 1)
    tied = sum(size * (size - 1) * (2 * size + 5) for side in (first, second) for size in side)
    twos = prod(sum(size * (size - 1) for size in side) for side in (first, second))
    threes = prod(sum(size * (size - 1) * (size - 2) for size in side) for side in (first, second))
    variance = (pairs * (2 * n + 5) - tied) / 18 + twos / (2 * pairs)
    return variance + threes / (9 * pairs * (n - 2)) if threes else variance
