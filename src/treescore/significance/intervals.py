"""How sure is a score? Intervals by the bootstrap, from counts: the rows are drawn again and again, with replacement.

A sample has as many rows as there are, and a score is made from the sum of its counts, as from the real sum. The
percentile interval leaves out the same share of these scores at either end. BCa (Efron 1987) moves both ends: by how
far the samples lie on one side of the score, and by how much the score's spread changes with its value, which is told
by leaving out one row after the other.

>>> import treescore
>>> metric = treescore.metric("parseval|profile:none")
>>> gold, test = treescore.read("(S (NN a)) (S (NP (NN a)))"), treescore.read("(S (NN a)) (S (VP (NN a)))")
>>> counts = metric.counts(treescore.Pair(gold, test))
>>> metric.score(counts).value
0.6666666666666666
>>> found = interval(metric, counts, n=200, seed=1)
>>> found.low, found.high, found.signature
(0.5, 1.0, 'ci:percentile|level:0.95|n:200|seed:1|unit:sentence')
"""

from __future__ import annotations

from math import ceil, floor, fsum

from ..values.counts import Counts
from ..values.problem import UsageError
from ..values.score import ALL, with_all
from ..values.value import Value
from .sampling import samples

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..metrics.base import Metric

#: What an interval is made from if nothing else is said.
LEVEL, SAMPLES, SEED = 0.95, 1_000, 1
METHODS = ("percentile", "bca")
#: With fewer rows, intervals come out too narrow, and the bootstrap finds differences that are not there.
FEW = 20
#: Values that differ by less are the same, computed in another order.
TOLERANCE = 1e-12


class Interval(Value):
    """From `low` to `high`; both are None if the figure is undefined in every sample, or only one row has a score.

    `level` is how often such intervals ought to hold the true value; those of percentiles hold this share of the
    samples. `n` is the number of samples, `unit` what is drawn, `undefined` the number of samples in which the figure
    has no value: they are left out; `method` is percentile or bca. `rows` says how many units there are, and `scored`
    how many of these have anything in them that counts, if it is known.
    """

    low: float | None
    high: float | None
    level: float = LEVEL
    n: int = SAMPLES
    seed: int = SEED
    unit: str = "sentence"
    undefined: int = 0
    method: str = METHODS[0]
    rows: int | None = None
    scored: int | None = None

    @property
    def signature(self) -> str:
        """What follows the signature of a metric where a score stands with its interval.

        >>> Interval(0.5, 0.75, n=200, seed=7).signature
        'ci:percentile|level:0.95|n:200|seed:7|unit:sentence'
        """
        from ..values.signature_text import join_signature, quote

        values = {"level": repr(float(self.level)), "n": str(self.n), "seed": str(self.seed), "unit": quote(self.unit)}
        return join_signature(f"ci:{self.method}", values)

    @property
    def half_width(self) -> float | None:
        """Half the distance of its ends, as in 88.3 ± 1.2."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def interval(
    metric: Metric,
    counts: Counts,
    *,
    method: str = METHODS[0],
    level: float = LEVEL,
    n: int = SAMPLES,
    seed: int = SEED,
    figure: str | None = None,
    unit: str | None = None,
    threads: int | None = None,
) -> Interval:
    """The interval of one figure of a score, such as f1 or f1_all; without a name, of the one that people quote."""
    name = figure_name(metric, counts, figure)
    _check(method, level)
    bootstrap = _Bootstrap(metric, counts, [name], n, seed, threads)
    return bootstrap.intervals(method, level, unit or metric.row_unit)[name]


def figure_name(metric: Metric, counts: Counts, figure: str | None) -> str:
    """The name of a figure that the metric has; without one, of the one that people quote."""
    score = metric.score(counts)
    name = score.main if figure is None else figure
    if score.part(name) is None:
        raise UsageError(f"{metric.name} has no figure {name!r}; known: {', '.join(score.figures)}")
    return name


def intervals(
    metric: Metric,
    counts: Counts,
    *,
    method: str = METHODS[0],
    level: float = LEVEL,
    n: int = SAMPLES,
    seed: int = SEED,
    unit: str | None = None,
    threads: int | None = None,
) -> dict[str, Interval]:
    """The intervals of all figures of a score, by name, from the same samples; if sentences failed, also over all.

    `unit` says what a row of the counts is where it is not what the metric says, for instance after rows were added up.
    """
    _check(method, level)
    score = metric.score(counts)
    names = list(with_all(score.figures, score.all_figures) if score.is_partial else score.figures)
    bootstrap = _Bootstrap(metric, counts, names, n, seed, threads)
    return bootstrap.intervals(method, level, unit or metric.row_unit)


def interval_of(
    values: Sequence[float | None],
    *,
    level: float = LEVEL,
    seed: int = SEED,
    unit: str = "sentence",
    method: str = METHODS[0],
    shares: tuple[float, float] | None = None,
    rows: int | None = None,
    scored: int | None = None,
) -> Interval:
    """The interval of what samples of `rows` gave, `scored` of which have a score; None is undefined.

    `shares` of them lie below its ends, if not the usual ones. All samples of one row are that row, which says nothing
    about others: there is no interval.

    >>> found = interval_of([0.5, None, 0.25, 1.0], level=0.5, rows=3)
    >>> found.low, found.high, found.undefined, interval_of([0.5, 0.5], rows=1).low
    (0.375, 0.75, 1, None)
    """
    check_level(level)
    known = sorted(value for value in values if value is not None)
    drawn = known if all(number is None or number > 1 for number in (rows, scored)) else []
    low, high = (quantile(drawn, share) if drawn else None for share in shares or _tails(level))
    made = Interval(low, high, level=level, n=len(values), seed=seed, unit=unit, method=method, rows=rows)
    return made.replace(undefined=len(values) - len(known), scored=scored)


def scored_rows(counts: Counts, figure: str = "") -> int:
    """How many rows have a score: valid ones, or else those with anything in them; failed ones if the figure has them.

    >>> scored_rows(Counts({"matched": [0, 2, 0], "gold": [0, 3, 1]}))
    2
    """
    if not figure.endswith(ALL):
        if "valid" in counts.columns:
            return sum(map(bool, counts["valid"]))
    elif "valid" in counts.columns and "failed" in counts.columns:
        return sum(bool(valid or failed) for valid, failed in zip(counts["valid"], counts["failed"], strict=True))
    return sum(map(any, zip(*counts.columns.values(), strict=True)))


def check_level(level: float) -> None:
    """An error if this is no share of samples."""
    if not isinstance(level, int | float) or not 0 < level < 1:
        raise UsageError(f"level must be a share between 0 and 1, such as 0.95, not {level!r}")


def _check(method: str, level: float) -> None:
    check_level(level)
    if method not in METHODS:
        raise UsageError(f"method must be one of {', '.join(METHODS)}, not {method!r}")


def _tails(level: float) -> tuple[float, float]:
    return (1 - level) / 2, (1 + level) / 2


class _Bootstrap:
    """Some figures of many samples of rows."""

    def __init__(
        self, metric: Metric, counts: Counts, names: Sequence[str], n: int, seed: int, threads: int | None
    ) -> None:
        self.metric, self.names, self.seed = metric, names, seed
        self._needed = metric.columns_of(names)
        self.counts = counts if self._needed is None else counts.only(self._needed)
        self._all_counts = counts
        self.real = self.figures(counts.total())
        drawn = samples(self.counts, n, seed, threads=threads)
        if self._needed is not None or len(names) == 1:
            self.drawn = {name: drawn.figures(metric, name) for name in names}
        else:
            scored = [self.figures(total) for total in drawn]
            self.drawn = {name: [figures[name] for figures in scored] for name in names}

    def figures(self, total: Mapping[str, int]) -> dict[str, float | None]:
        """The figures of a sum of rows."""
        if self._needed is not None or len(self.names) == 1:
            return {name: self.metric.figure(total, name) for name in self.names}
        parts = self.metric.score(Counts({}, totals=total)).parts
        return {name: parts[name] for name in self.names}

    def intervals(self, method: str, level: float, unit: str) -> dict[str, Interval]:
        """The interval of each figure."""
        shares = self._accelerated(level) if method == "bca" else {}
        scored = {"": scored_rows(self.counts)}
        if any(name.endswith(ALL) for name in self.drawn):
            scored[ALL] = scored_rows(self._all_counts, ALL)
        return {
            name: interval_of(
                values,
                level=level,
                seed=self.seed,
                unit=unit,
                method=method,
                shares=shares.get(name),
                rows=len(self.counts),
                scored=scored[ALL if name.endswith(ALL) else ""],
            )
            for name, values in self.drawn.items()
        }

    def _accelerated(self, level: float) -> dict[str, tuple[float, float]]:
        """The shares of samples below either end by BCa, of figures that have a value."""
        from statistics import NormalDist

        normal = NormalDist()
        without = self._jackknife()
        made = {}
        for name, value in self.real.items():
            known = [drawn for drawn in self.drawn[name] if drawn is not None]
            if value is None or not known:
                continue
            below = sum(drawn < value - TOLERANCE for drawn in known)
            equal = sum(abs(drawn - value) <= TOLERANCE for drawn in known)
            rest = 0.5 / len(known)  # all samples on one side say no more than that almost all of them would be
            bias = normal.inv_cdf(min(max((below + equal / 2) / len(known), rest), 1 - rest))
            acceleration = _skewness(without[name])
            shares = []
            for tail in _tails(level):
                moved = bias + normal.inv_cdf(tail)
                room = 1 - acceleration * moved
                shares.append(normal.cdf(bias + moved / room) if room > 0 else float(moved > 0))
            made[name] = (shares[0], shares[1])
        return made

    def _jackknife(self) -> dict[str, list[float]]:
        """The figures without the first row, without the second, and so on."""
        whole = self.counts.total()
        found: dict[str, list[float]] = {name: [] for name in self.real}
        for index in range(len(self.counts)):
            rest = {name: whole[name] - value for name, value in self.counts.row(index).items()}
            for name, value in self.figures(rest).items():
                if value is not None:
                    found[name].append(value)
        return found


def _skewness(values: Sequence[float]) -> float:
    """The acceleration: a sixth of the skewness of what the rows have to say."""
    mean = fsum(values) / len(values) if values else 0.0
    squares = fsum((mean - value) ** 2 for value in values)
    return fsum((mean - value) ** 3 for value in values) / (6 * squares**1.5) if squares**1.5 > 0 else 0.0


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of the others lies, between two of them where it falls there.

    >>> quantile([1.0, 2.0, 4.0], 0.5), quantile([1.0, 2.0, 4.0], 0.75), quantile([1.0], 0.025)
    (2.0, 3.0, 1.0)
    """
    place = share * (len(ordered) - 1)
    before, after = ordered[floor(place)], ordered[ceil(place)]
    return min(after, before + (after - before) * (place - floor(place)))  # rounding must not lead beyond
