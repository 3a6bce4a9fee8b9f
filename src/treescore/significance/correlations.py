"""Do two series of numbers go together? Pearson's r, Spearman's rank correlation and Kendall's tau-b, with p.

>>> found = spearman([1, 2, 3, 4, 5], [2, 1, 4, 3, 7])
>>> found.value, round(found.p, 4), found.n
(0.8, 0.1333, 5)

Sums are made from whole numbers, so that there is no rounding before the last step: numbers in one line give exactly 1.
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

#: Up to so many pairs without ties Kendall's p is exact, and with or without ties Spearman's.
EXACT, EXACT_SPEARMAN = 33, 8


class Correlation(Value):
    """How two series go together: `value` from -1 to 1, and `p`, two-sided, of the hypothesis that they do not.

    `n` is the number of pairs, and `undefined` that of those which were left out because one of the two is None. The
    value is None if there are fewer than two pairs, or if one side is always the same; Pearson's p also of two pairs.
    """

    kind: str
    value: float | None
    p: float | None
    n: int
    undefined: int = 0


def ranks(values: Sequence[float]) -> list[float]:
    """The place of each value in their order, from 1; equal values share the mean of their places.

    >>> ranks([0.3, 0.1, 0.3, 0.9])
    [2.5, 1.0, 2.5, 4.0]
    """
    return [rank / 2 for rank in _doubled_ranks(values)]


def pearson(first: Sequence[float | None], second: Sequence[float | None]) -> Correlation:
    """Pearson's r: how near the pairs are to a line. Its p is that of t with n - 2 degrees of freedom."""
    pairs, undefined = _defined(first, second)
    return _of_whole("pearson", whole(x for x, _ in pairs)[0], whole(y for _, y in pairs)[0], undefined)


def spearman(first: Sequence[float | None], second: Sequence[float | None]) -> Correlation:
    """Spearman's rank correlation: Pearson's r of the ranks.

    Up to 8 pairs p is exact: the share of all orders that are as far from chance. With more it is that of t with n - 2
    degrees of freedom, which is too small near 1 and -1, but never below the share of the orders that give this very
    pairing, or its mirror image.

    >>> spearman([1, 2, 3], [1, 2, 3])
    Correlation(kind='spearman', value=1.0, p=0.3333333333333333, n=3, undefined=0)
    """
    pairs, undefined = _defined(first, second)
    sides = _doubled_ranks([x for x, _ in pairs]), _doubled_ranks([y for _, y in pairs])
    found = _of_whole("spearman", *sides, undefined)
    if found.value is None:
        return found
    if found.n <= EXACT_SPEARMAN:
        return found.replace(p=_share_of_orders(*sides))
    return found.replace(p=max(found.p or 0.0, _same_pairing(*sides)))


def kendall(first: Sequence[float | None], second: Sequence[float | None]) -> Correlation:
    """Kendall's tau-b: how many more pairs of pairs are in the same order than are not.

    Without ties p is exact up to 33 pairs, and where at most one pair of pairs is out of order; else it comes from the
    normal distribution, with the variance that the ties leave.

    >>> kendall([1, 2, 3, 4, 5], [2, 1, 4, 3, 7])
    Correlation(kind='kendall', value=0.6, p=0.23333333333333334, n=5, undefined=0)
    """
    pairs, undefined = _defined(first, second)
    n = len(pairs)
    ordered = sorted(zip(_doubled_ranks([x for x, _ in pairs]), _doubled_ranks([y for _, y in pairs]), strict=True))
    sides = [_ties(x for x, _ in ordered), _ties(sorted(y for _, y in ordered))]
    all_pairs = n * (n - 1) // 2
    tied = [sum(size * (size - 1) // 2 for size in side) for side in sides]
    if all_pairs in tied:  # also if there are none
        return Correlation("kendall", None, None, n=n, undefined=undefined)
    tied_in_both = sum(size * (size - 1) // 2 for size in _ties(ordered))
    against = _inversions([y for _, y in ordered])
    more = all_pairs - tied[0] - tied[1] + tied_in_both - 2 * against
    share = ratio(more * more, (all_pairs - tied[0]) * (all_pairs - tied[1]))
    value = sqrt(share) if more >= 0 else -sqrt(share)
    fewer = min(against, all_pairs - against)
    if not any(tied) and (n <= EXACT or fewer <= 1):
        p = _exact_tail(n, fewer)
    else:
        p = min(1.0, 2 * normal_tail(abs(more) / sqrt(_kendall_variance(n, *sides))))
    return Correlation("kendall", value, p, n=n, undefined=undefined)


KINDS = {"spearman": spearman, "pearson": pearson, "kendall": kendall}


class BucketCorrelation(Value):
    """The correlation of two metrics over buckets of rows, and what it was made from.

    `points` has the two scores of each bucket; `unscored` is the number of rows that not both metrics score, and
    `left_out` that of the others that did not fill a bucket.
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
    """Do two metrics agree? The rows are put into buckets at random, and each bucket is scored by both.

    Rows that one of the metrics has no score for are in no bucket, so that both score the same rows. Each other row is
    in one, but for those that would not fill the last one. Both kinds are counted. A bucket is scored by its summed
    counts; `figures` names a figure of each metric, where it is not the main one. Of STRUCT-IOU "sentence" is the mean
    over the sentences of the bucket, as in the paper, and "corpus" that over their nodes.

    >>> import treescore
    >>> gold = treescore.read("(S (NP (NN a)) (VP (VB b))) (S (NP (NN a)) (VB b)) (S (NN a) (VB b))")
    >>> test = treescore.read("(S (NP (NN a)) (VP (VB b))) (S (NN a) (VB b)) (S (NP (NN a) (VB b)))")
    >>> first, second = treescore.metric("struct_iou"), treescore.metric("parseval|profile:none")
    >>> counts = [metric.counts(treescore.Pair(gold, test)) for metric in (first, second)]
    >>> found = bucket_correlation(first, counts[0], second, counts[1], size=1, figures=("sentence", "f1"))
    >>> found.correlation.value, found.left_out, len(found.points)
    (1.0, 0, 3)
    """
    if kind not in KINDS:
        raise UsageError(f"a correlation is one of {', '.join(KINDS)}, not {kind!r}")
    if not counts_a.has_rows or not counts_b.has_rows:
        raise UsageError("these counts are sums without rows, and buckets are filled with rows")
    if len(counts_a) != len(counts_b):
        raise UsageError(
            f"buckets need the same rows on both sides, and {metric_a.name} has {len(counts_a):,}, {metric_b.name} "
            f"{len(counts_b):,}"
        )
    both = (metric.rows(counts)[metric.row_figure] for metric, counts in ((metric_a, counts_a), (metric_b, counts_b)))
    kept = [row for row, pair in enumerate(zip(*both, strict=True)) if None not in pair]
    full = buckets(len(kept), size, seed)
    keys = [""] * len(counts_a)
    for number, places in enumerate(full):
        for place in places:
            keys[kept[place]] = str(number)
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
    """Rows put at random into as many buckets as they fill; those that would not fill the last one are in none.

    Each row gets two numbers below 2^32 - 1, drawn as those of the first sample of the bootstrap; in the order of these
    pairs the rows go into the buckets. So they depend on nothing but the three arguments.

    >>> buckets(7, 3, seed=1)
    [(1, 6, 4), (2, 0, 5)]
    """
    check_whole(size, "the size of a bucket")
    check_seed(seed)
    drawn = memoryview(_core.draw_rows((1 << 32) - 1, seed, 0, 2 * count)).cast("I")
    order = sorted(range(count), key=lambda row: (drawn[2 * row], drawn[2 * row + 1]))
    return [tuple(order[start : start + size]) for start in range(0, count - size + 1, size)]


def _defined(first: Sequence[float | None], second: Sequence[float | None]) -> tuple[list[tuple[float, float]], int]:
    """The pairs without None, and how many the others are."""
    if len(first) != len(second):
        raise UsageError(f"a correlation needs pairs, and there are {len(first):,} and {len(second):,} numbers")
    pairs = [(x, y) for x, y in zip(first, second, strict=True) if x is not None and y is not None]
    return pairs, len(first) - len(pairs)


def _doubled_ranks(values: Sequence[float]) -> list[int]:
    """Twice the ranks, which are whole numbers."""
    numbers = whole(values)[0]
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    found = [0] * len(numbers)
    start = 0
    while start < len(order):
        end = start + 1
        while end < len(order) and numbers[order[end]] == numbers[order[start]]:
            end += 1
        for place in order[start:end]:
            found[place] = start + 1 + end
        start = end
    return found


def _of_whole(kind: str, first: list[int], second: list[int], undefined: int) -> Correlation:
    """Pearson's r. The tail of t, as a value of the beta function, depends on 1 - r² alone."""
    n = len(first)
    spreads = [n * sum(x * x for x in side) - sum(side) ** 2 for side in (first, second)]
    if not all(spreads):
        return Correlation(kind, None, None, n=n, undefined=undefined)
    together = n * sum(x * y for x, y in zip(first, second, strict=True)) - sum(first) * sum(second)
    squared, most = together**2, spreads[0] * spreads[1]
    value = sqrt(ratio(squared, most))
    p = incomplete_beta(ratio(most - squared, most), ratio(squared, most), (n - 2) / 2, 0.5) if n > 2 else None
    return Correlation(kind, value if together >= 0 else -value, p, n=n, undefined=undefined)


def _share_of_orders(first: list[int], second: list[int]) -> float:
    """How many of all orders of the second ranks go with the first ones at least as far, in either direction."""
    expected = sum(first) * sum(second)
    apart = abs(len(first) * sum(x * y for x, y in zip(first, second, strict=True)) - expected)
    sums = _sums_of_orders(tuple(sorted(first)), tuple(sorted(second)))
    far = sum(count for total, count in sums.items() if abs(len(first) * total - expected) >= apart)
    return far / factorial(len(first))


@lru_cache(maxsize=64)  # without ties there is one for each number of pairs
def _sums_of_orders(first: tuple[int, ...], second: tuple[int, ...]) -> Mapping[int, int]:
    """Each sum of products that some order gives, and how many do; of the second ones a bit set says which are used."""
    found: dict[int, dict[int, int]] = {0: {0: 1}}
    for x in first:
        following: dict[int, dict[int, int]] = {}
        for used, sums in found.items():
            for place, y in enumerate(second):
                if not used >> place & 1:
                    into = following.setdefault(used | 1 << place, {})
                    for total, count in sums.items():
                        into[total + x * y] = into.get(total + x * y, 0) + count
        found = following
    return found[(1 << len(second)) - 1]


def _same_pairing(first: list[int], second: list[int]) -> float:
    """How likely a random order gives these very pairs, or as many in the opposite order where there are such."""
    sides = [_ties(sorted(side)) for side in (first, second)]
    ways = sum(lgamma(size + 1) for side in sides for size in side)
    ways -= sum(lgamma(size + 1) for size in _ties(sorted(zip(first, second, strict=True))))
    mirrored = any(side == side[::-1] for side in sides)
    return min(1.0, (1 + mirrored) * exp(ways - lgamma(len(first) + 1)))


def _ties(ordered: Iterable[object]) -> list[int]:
    """How many are equal, one number for each group of equal ones."""
    return [sum(1 for _ in group) for _, group in groupby(ordered)]


def _inversions(values: Sequence[int]) -> int:
    """How many pairs have the larger one first, by a tree of sums (Fenwick 1994) over doubled ranks."""
    size = 2 * len(values)
    tree = [0] * (size + 1)
    found = 0
    for before, value in enumerate(values):
        place, not_larger = value, 0
        while place:
            not_larger += tree[place]
            place &= place - 1
        found += before - not_larger
        place = value
        while place <= size:
            tree[place] += 1
            place += place & -place
    return found


def _exact_tail(n: int, most: int) -> float:
    """How likely a random order has so few pairs out of order, or so few in order."""
    if n > 200:  # only where at most one pair is out of order, and then this is below the smallest number
        return 0.0
    ways = [1] + [0] * most  # how many orders of one thing, of two, … have so many pairs out of order
    for size in range(2, n + 1):
        window, following = 0, []
        for number in range(most + 1):
            window += ways[number] - (ways[number - size] if number >= size else 0)
            following.append(window)
        ways = following
    return min(1.0, ratio(2 * sum(ways), factorial(n)))


def _kendall_variance(n: int, first: list[int], second: list[int]) -> float:
    """The variance of the difference of the numbers of pairs of pairs, given these ties (Kendall 1970)."""
    pairs = n * (n - 1)
    taken = sum(size * (size - 1) * (2 * size + 5) for side in (first, second) for size in side)
    twos = prod(sum(size * (size - 1) for size in side) for side in (first, second))
    threes = prod(sum(size * (size - 1) * (size - 2) for size in side) for side in (first, second))
    found = (pairs * (2 * n + 5) - taken) / 18 + twos / (2 * pairs)
    return found + threes / (9 * pairs * (n - 2)) if threes else found
