"""Paired significance tests of two systems on the same rows.

>>> import treescore
>>> gold = ["(S (NP (NN a)) (VB b))"] * 6
>>> both = treescore.compare(gold, {"A": gold, "B": ["(S (NN a) (VB b))"] * 6}, "parseval|profile:none")
>>> test = both.test("A", "B")
>>> test.difference, test.p, test.exact
(0.33333333333333337, 0.03125, True)
"""

from __future__ import annotations

from itertools import chain

from ..helpers.text import number_of, visible
from ..values.counts import Counts
from ..values.problem import UsageError
from ..values.value import Value
from .intervals import LEVEL, TOLERANCE, check_level, figure_name, interval_of, scored_rows
from .sampling import Sums, check_number, check_seed, coins, samples, subsets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from ..metrics.base import Metric

KINDS = ("randomization", "bootstrap")
#: Defaults.
TRIALS, SEED = 10_000, 1
#: More letters than this would be unreadable.
_MAX_LETTERS = 1_000


class PairedTest(Value):
    """The result of a test of the difference between two systems.

    `difference` is the first score minus the second, and `p` the probability of a difference at least as large if the
    systems are equally good; both are None where a score is undefined. `adjusted` is `p` corrected for multiple
    comparisons, if it was. `low` and `high` are the confidence interval of the difference (bootstrap only). `differing`
    of the `rows` differ between the systems; `exact` means that all ways to swap them were tried instead of a random
    sample of `n`. Trials with an undefined score (`undefined`) count as a large difference.
    """

    kind: str
    figure: str
    difference: float | None
    p: float | None
    n: int
    seed: int
    unit: str
    rows: int
    differing: int
    exact: bool = False
    undefined: int = 0
    adjusted: float | None = None
    low: float | None = None
    high: float | None = None
    level: float | None = None

    @property
    def signature(self) -> str:
        """The part of the signature that describes the test.

        >>> PairedTest(
        ...     kind="bootstrap", figure="f1", difference=0.1, p=0.5, n=99, seed=7, unit="document", rows=9, differing=3
        ... ).signature
        'test:bootstrap|figure:f1|n:99|seed:7|unit:document'
        """
        from ..values.signature_text import join_signature, quote

        trials = {"n": "exact"} if self.exact else {"n": str(self.n), "seed": str(self.seed)}
        values = {"figure": self.figure, **trials, "unit": quote(self.unit)}
        return join_signature(f"test:{self.kind}", values)


def paired_randomization(
    metric: Metric,
    a: Counts,
    b: Counts,
    *,
    figure: str | None = None,
    n: int = TRIALS,
    seed: int = SEED,
    unit: str | None = None,
    threads: int | None = None,
) -> PairedTest:
    """Paired randomization test, two-sided: swap the rows of two systems at random.

    Row i of both systems must belong to the same sentence, which `Comparison.test` ensures. If there are at most `n`
    ways to swap the rows that differ, all are tried; otherwise the observed assignment counts as one of `n` + 1 trials,
    so p is never 0.
    """
    pair = _Pair(metric, a, b, figure, n, seed, unit, threads)
    if pair.difference is None:
        return pair.result("randomization")
    if not len(pair.changes):
        return pair.result("randomization", p=1.0, exact=True)
    exact = 1 << len(pair.changes) <= n
    if exact:
        # Swapping all other rows instead only changes the sign of the difference: the first row may stay.
        swaps = subsets(Counts({name: column[1:] for name, column in pair.changes.columns.items()}))
        differences = [pair.swapped(swap) for swap in swaps]
    else:
        differences = pair.all_swapped(coins(pair.changes, n, seed, threads=threads))
    least = abs(pair.difference) - TOLERANCE
    undefined = differences.count(None)
    extreme = undefined + sum(difference is not None and abs(difference) >= least for difference in differences)
    p = extreme / len(differences) if exact else (extreme + 1) / (len(differences) + 1)
    return pair.result("randomization", p=p, exact=exact, undefined=undefined)


def paired_bootstrap(
    metric: Metric,
    a: Counts,
    b: Counts,
    *,
    figure: str | None = None,
    n: int = TRIALS,
    seed: int = SEED,
    level: float = LEVEL,
    unit: str | None = None,
    threads: int | None = None,
) -> PairedTest:
    """Paired bootstrap test: sample the same rows of both systems with replacement.

    p is two-sided: how often the difference of a sample is at least as far from the observed difference as the latter
    is from 0; the original rows count as one of `n` + 1 samples. The interval of the difference is a percentile
    interval. With only one scored row there is neither p nor interval. With few rows p is too small.
    """
    check_level(level)
    pair = _Pair(metric, a, b, figure, n, seed, unit, threads)
    if pair.difference is None or min(map(scored_rows, (pair.a, pair.b))) < 2:
        return pair.result("bootstrap")
    sums = (samples(counts, n, seed, threads=threads) for counts in (pair.a, pair.b))
    differences = pair.differences(*(sampled.figures(metric, pair.figure) for sampled in sums))
    least = abs(pair.difference) - TOLERANCE
    extreme = sum(difference is None or abs(difference - pair.difference) >= least for difference in differences)
    p = (extreme + 1) / (n + 1)
    ends = interval_of(differences, level=level)
    return pair.result("bootstrap", p=p, low=ends.low, high=ends.high, level=level, undefined=ends.undefined)


class _Pair:
    """The counts of two systems on the same rows, and the figure to compare."""

    def __init__(
        self,
        metric: Metric,
        a: Counts,
        b: Counts,
        figure: str | None,
        n: int,
        seed: int,
        unit: str | None,
        threads: int | None,
    ) -> None:
        from ..helpers.threads import count_threads

        check_number(n, "the number of trials")
        check_seed(seed)
        count_threads(threads, 0)  # an exact test uses no threads, but a wrong number is still an error
        if not a.has_rows or not b.has_rows:
            raise UsageError("a test needs counts with rows; these have only sums")
        if len(a) != len(b) or list(a.columns) != list(b.columns):
            numbers = f"{number_of(len(a), 'row')} and {len(b):,}"
            raise UsageError(f"systems are compared row by row, but these have different rows: {numbers}")
        self.metric, self.n, self.seed, self.unit = metric, n, seed, unit or metric.row_unit
        self.figure = metric.deciding(figure_name(metric, a, figure), a.total(), b.total())
        rows_a, rows_b = (zip(*counts.columns.values(), strict=True) for counts in (a, b))
        differing = [index for index, rows in enumerate(zip(rows_a, rows_b, strict=True)) if rows[0] != rows[1]]
        columns = metric.columns_of([self.figure]) or tuple(a.columns)
        self.a, self.b = a.only(columns), b.only(columns)
        self.totals = self.a.total(), self.b.total()
        self.difference = self._difference(*self.totals)
        #: The change of the first system's sums by swapping a row, for each row that differs.
        sides = ((name, a[name], b[name]) for name in columns)
        self.changes = Counts({name: [new[row] - old[row] for row in differing] for name, old, new in sides})

    def _difference(self, a: Mapping[str, int], b: Mapping[str, int]) -> float | None:
        return self.differences([self.metric.figure(a, self.figure)], [self.metric.figure(b, self.figure)])[0]

    def swapped(self, change: Mapping[str, int]) -> float | None:
        """The difference after some rows were swapped."""
        a, b = self.totals
        return self._difference(
            {name: value + change[name] for name, value in a.items()},
            {name: value - change[name] for name, value in b.items()},
        )

    def all_swapped(self, changes: Sums) -> list[float | None]:
        """The differences for many ways to swap rows."""
        sides = [
            Sums({name: [total[name] + sign * value for value in column] for name, column in changes.columns.items()})
            for total, sign in zip(self.totals, (1, -1), strict=True)
        ]
        return self.differences(*(side.figures(self.metric, self.figure) for side in sides))

    def differences(self, a: Sequence[float | None], b: Sequence[float | None]) -> list[float | None]:
        """The first values minus the second, where both are defined."""
        return [None if x is None or y is None else x - y for x, y in zip(a, b, strict=True)]

    def result(self, kind: str, *, p: float | None = None, **options: Any) -> PairedTest:
        return PairedTest(
            kind=kind,
            figure=self.figure,
            difference=self.difference,
            p=p,
            n=self.n,
            seed=self.seed,
            unit=self.unit,
            rows=len(self.a),
            differing=len(self.changes),
            **options,
        )


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """p-values corrected for multiple comparisons (Holm 1979), in the same order; None stays None.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    order = sorted((p, index) for index, p in enumerate(ps) if p is not None)
    corrected: list[float | None] = [None] * len(ps)
    highest = 0.0
    for rank, (p, index) in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * p))
        corrected[index] = highest
    return corrected


def letters(names: Sequence[str], differing: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Compact letter display: two systems share a letter if and only if they do not differ (Piepho 2004).

    Letters follow the order of the names, so the best system should come first. In the worst case every pair doubles
    the number of letters; more than 1,000 are an error.

    >>> letters(["A", "B", "C"], [("A", "C")])
    {'A': 'a', 'B': 'ab', 'C': 'b'}
    """
    groups = [frozenset(names)]
    for a, b in differing:
        if a == b or not {a, b} <= {*names}:
            raise UsageError(f"{visible(a)!r} and {visible(b)!r} are not two of the systems")
        kept = [group for group in groups if not {a, b} <= group]
        split = dict.fromkeys(chain.from_iterable((group - {a}, group - {b}) for group in groups if {a, b} <= group))
        # Kept groups cannot be subsets of others, which have only become smaller.
        distinct = [*kept, *split]
        groups = [*kept, *(group for group in split if not any(group < larger for larger in distinct))]
        groups = list(dict.fromkeys(groups))
        if len(groups) > _MAX_LETTERS:
            raise UsageError(f"more than {_MAX_LETTERS:,} letters would be needed: look at the pairs instead")
    order = {name: number for number, name in enumerate(names)}
    groups.sort(key=lambda group: sorted(order[name] for name in group))
    return {name: "".join(_letter(n) for n, group in enumerate(groups) if name in group) for name in names}


def _letter(number: int) -> str:
    """a to z, then (aa), (ab) and so on; the parentheses show that it is one letter.

    >>> _letter(0), _letter(25), _letter(26)
    ('a', 'z', '(aa)')
    """
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text if len(text) == 1 else f"({text})"
