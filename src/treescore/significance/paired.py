"""Is a difference more than chance? Tests of two systems on the same rows, through their counts.

>>> import treescore
>>> gold = ["(S (NP (NN a)) (VB b))"] * 6
>>> both = treescore.compare(gold, {"A": gold, "B": ["(S (NN a) (VB b))"] * 6}, "parseval|profile:none")
>>> found = both.test("A", "B")
>>> found.difference, found.p, found.exact
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

    from ..metrics.base import Metric

KINDS = ("randomization", "bootstrap")
#: How often rows are swapped or drawn, and with which seed, if nothing else is said.
TRIALS, SEED = 10_000, 1
#: Systems are not parted by more groups of letters than this: nobody could read them.
_MOST_GROUPS = 1_000


class PairedTest(Value):
    """How sure is it that two systems differ?

    `difference` is the first minus the second, and `p` how likely one at least as large is if they are equally good;
    both are None where a score is undefined. `adjusted` is `p` after the correction for several comparisons, if one was
    made. From `low` to `high` is the interval of the difference (bootstrap only). Of `rows` rows `differing` are not
    the same in both; `exact` says that all ways to swap them were tried, instead of `n` by chance. In `undefined`
    trials a score was undefined: they count as if they had shown a large difference.
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
        """What was done, to be said beside the result.

        >>> PairedTest(
        ...     kind="bootstrap", figure="f1", difference=0.1, p=0.5, n=99, seed=7, unit="document", rows=9, differing=3
        ... ).signature
        'test:bootstrap|figure:f1|n:99|seed:7|unit:document'
        """
        from ..values.signature_text import join_signature, quote

        drawn = {"n": "exact"} if self.exact else {"n": str(self.n), "seed": str(self.seed)}
        values = {"figure": self.figure, **drawn, "unit": quote(self.unit)}
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
    """Swap the rows of two systems by chance: how often do they then differ at least as much?

    Row i of one system must be about the same as row i of the other, which `Comparison.test` sees to. Two-sided. Where
    there are at most `n` ways to swap the rows that differ, all of them are tried; otherwise the real way counts as one
    more of `n` + 1, so p is never 0.
    """
    pair = _Pair(metric, a, b, figure, n, seed, unit, threads)
    if pair.difference is None:
        return pair.result("randomization")
    if not len(pair.changes):
        return pair.result("randomization", p=1.0, exact=True)
    exact = 1 << len(pair.changes) <= n
    if exact:
        # Swapping the other rows instead gives the same difference with the other sign: the first row may stay.
        moves = subsets(Counts({name: column[1:] for name, column in pair.changes.columns.items()}))
        found = [pair.moved(move) for move in moves]
    else:
        found = pair.all_moved(coins(pair.changes, n, seed, threads=threads))
    least = abs(pair.difference) - TOLERANCE
    undefined = found.count(None)
    extreme = undefined + sum(difference is not None and abs(difference) >= least for difference in found)
    p = extreme / len(found) if exact else (extreme + 1) / (len(found) + 1)
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
    """Draw the rows of two systems with replacement, the same ones of both: how far does the difference vary?

    p is two-sided: how often the difference of a sample is at least as far from the real one as that is from 0; the
    real samples count as one more of `n` + 1. The interval of the difference is that of the percentiles. From one row
    with a score nothing can be drawn but itself: there is neither p nor interval. With few rows p comes out too small.
    """
    check_level(level)
    pair = _Pair(metric, a, b, figure, n, seed, unit, threads)
    if pair.difference is None or min(map(scored_rows, (pair.a, pair.b))) < 2:
        return pair.result("bootstrap")
    sums = (samples(counts, n, seed, threads=threads) for counts in (pair.a, pair.b))
    drawn = pair.differences(*(sampled.figures(metric, pair.figure) for sampled in sums))
    least = abs(pair.difference) - TOLERANCE
    extreme = sum(difference is None or abs(difference - pair.difference) >= least for difference in drawn)
    p = (extreme + 1) / (n + 1)
    ends = interval_of(drawn, level=level)
    return pair.result("bootstrap", p=p, low=ends.low, high=ends.high, level=level, undefined=ends.undefined)


class _Pair:
    """The counts of two systems on the same rows, and the figure by which they are compared."""

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
        count_threads(threads, 0)  # where all ways are tried, there is nothing for them to do, but they are checked
        if not a.has_rows or not b.has_rows:
            raise UsageError("these counts are sums without rows, and a test compares rows")
        if len(a) != len(b) or list(a.columns) != list(b.columns):
            numbers = f"{number_of(len(a), 'row')} and {len(b):,}"
            raise UsageError(f"systems are compared row by row, and these have not the same rows: {numbers}")
        self.metric, self.n, self.seed, self.unit = metric, n, seed, unit or metric.row_unit
        self.figure = metric.deciding(figure_name(metric, a, figure), a.total(), b.total())
        rows_a, rows_b = (zip(*counts.columns.values(), strict=True) for counts in (a, b))
        differing = [index for index, rows in enumerate(zip(rows_a, rows_b, strict=True)) if rows[0] != rows[1]]
        columns = metric.columns_of([self.figure]) or tuple(a.columns)
        self.a, self.b = a.only(columns), b.only(columns)
        self.totals = self.a.total(), self.b.total()
        self.difference = self._difference(*self.totals)
        #: What a swap adds to the sums of the first system, for each row where there is anything to swap.
        sides = ((name, a[name], b[name]) for name in columns)
        self.changes = Counts({name: [new[row] - old[row] for row in differing] for name, old, new in sides})

    def _difference(self, one: Mapping[str, int], other: Mapping[str, int]) -> float | None:
        value, subtracted = self.metric.figure(one, self.figure), self.metric.figure(other, self.figure)
        return None if value is None or subtracted is None else value - subtracted

    def moved(self, change: Mapping[str, int]) -> float | None:
        """The difference after some rows were swapped."""
        one, other = self.totals
        return self._difference(
            {name: value + change[name] for name, value in one.items()},
            {name: value - change[name] for name, value in other.items()},
        )

    def all_moved(self, changes: Sums) -> list[float | None]:
        """The same for many ways to swap rows."""
        sides = [
            Sums({name: [total[name] + sign * value for value in column] for name, column in changes.columns.items()})
            for total, sign in zip(self.totals, (1, -1), strict=True)
        ]
        return self.differences(*(side.figures(self.metric, self.figure) for side in sides))

    def differences(self, one: Sequence[float | None], other: Sequence[float | None]) -> list[float | None]:
        """The first minus the second, each of them, where both are defined."""
        return [None if a is None or b is None else a - b for a, b in zip(one, other, strict=True)]

    def result(
        self,
        kind: str,
        *,
        p: float | None = None,
        exact: bool = False,
        low: float | None = None,
        high: float | None = None,
        level: float | None = None,
        undefined: int = 0,
    ) -> PairedTest:
        return PairedTest(
            kind=kind,
            figure=self.figure,
            difference=self.difference,
            p=p,
            n=self.n,
            seed=self.seed,
            unit=self.unit,
            exact=exact,
            rows=len(self.a),
            differing=len(self.changes),
            undefined=undefined,
            low=low,
            high=high,
            level=level,
        )


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """p-values corrected for their number (Holm 1979), in the same order; None is left out and stays None.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    order = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    corrected: list[float | None] = [None] * len(ps)
    highest = 0.0
    for rank, (p, place) in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * p))
        corrected[place] = highest
    return corrected


def letters(names: Sequence[str], differing: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Letters for systems: two share one if, and only if, they are not among the pairs that differ (Piepho 2004).

    Letters are given in the order of the names, so the best system should come first. Pairs can be such that the number
    of letters doubles with each; more than 1,000 are refused.

    >>> letters(["A", "B", "C"], [("A", "C")])
    {'A': 'a', 'B': 'ab', 'C': 'b'}
    """
    groups = [frozenset(names)]
    for one, other in differing:
        if one == other or not {one, other} <= {*names}:
            raise UsageError(f"{visible(one)!r} and {visible(other)!r} are not two of the systems")
        kept = [group for group in groups if not {one, other} <= group]
        parted = dict.fromkeys(
            chain.from_iterable((group - {one}, group - {other}) for group in groups if {one, other} <= group)
        )
        # Those that are kept are not part of others, which have only become smaller.
        distinct = [*kept, *parted]
        groups = [*kept, *(group for group in parted if not any(group < larger for larger in distinct))]
        groups = list(dict.fromkeys(groups))
        if len(groups) > _MOST_GROUPS:
            raise UsageError(f"more than {_MOST_GROUPS:,} letters would be needed: look at the pairs instead")
    place = {name: number for number, name in enumerate(names)}
    groups.sort(key=lambda group: sorted(place[name] for name in group))
    return {name: "".join(_letter(n) for n, group in enumerate(groups) if name in group) for name in names}


def _letter(number: int) -> str:
    """a to z, then (aa), (ab) and so on, which cannot be taken for two.

    >>> _letter(0), _letter(25), _letter(26)
    ('a', 'z', '(aa)')
    """
    if number < 26:
        return chr(ord("a") + number)
    found = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        found = chr(ord("a") + rest) + found
    return f"({found})"
