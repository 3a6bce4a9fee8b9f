"""Bootstrap confidence intervals of scores, from counts: rows are sampled with replacement.

A sample is as large as the original, and is scored by the sum of its counts. The percentile interval cuts the same
share of these scores at both ends. BCa (Efron 1987) adjusts both ends for bias, the share of samples below the score,
and for acceleration, estimated by leaving out one row at a time.

>>> import treescore
>>> metric = treescore.metric("parseval|profile:none")
>>> gold, test = treescore.read("(S (NN a)) (S (NP (NN a)))"), treescore.read("(S (NN a)) (S (VP (NN a)))")
>>> counts = metric.counts(treescore.Pair(gold, test))
>>> metric.score(counts).value
0.6666666666666666
>>> confidence = interval(metric, counts, n=200, seed=1)
>>> confidence.low, confidence.high, confidence.signature
(0.5, 1.0, 'ci:percentile|level:0.95|n:200|seed:1|unit:sentence')
"""

from __future__ import annotations

from math import ceil, floor, fsum

from ..values.counts import Counts
from ..values.problem import UsageError, check_choice
from ..values.score import ALL, with_all
from ..values.suggestions import suggestion
from ..values.value import Value
from .sampling import samples

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..metrics.base import Metric

#: Defaults.
LEVEL, SAMPLES, SEED = 0.95, 1_000, 1
METHODS = ("percentile", "bca")
#: With fewer rows, intervals are too narrow, and the bootstrap finds spurious differences.
FEW = 20
#: Values that differ by less are equal: they differ only in the order of operations.
TOLERANCE = 1e-12


class Interval(Value):
    """A confidence interval; `low` and `high` are None if no sample has a value, or only one row has a score.

    `level` is the confidence level, `n` the number of samples, `unit` the sampling unit, and `undefined` the number of
    samples without a value, which are left out; `method` is percentile or bca. `rows` is the number of units, and
    `scored` the number of units with something to count, if known.
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
        """The part of a score's signature that describes its interval.

        >>> Interval(0.5, 0.75, n=200, seed=7).signature
        'ci:percentile|level:0.95|n:200|seed:7|unit:sentence'
        """
        from ..values.signature_text import join_signature, quote

        values = {"level": repr(float(self.level)), "n": str(self.n), "seed": str(self.seed), "unit": quote(self.unit)}
        return join_signature(f"ci:{self.method}", values)

    @property
    def half_width(self) -> float | None:
        """Half the width, as in 88.3 ± 1.2."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def interval(metric: Metric, counts: Counts, *, figure: str | None = None, **options: Any) -> Interval:
    """The confidence interval of one figure of a score, such as f1 or f1_all; by default of the main figure.

    The options are those of `intervals`.
    """
    name = figure_name(metric, counts, figure)
    return intervals(metric, counts, figures=[name], **options)[name]


def figure_name(metric: Metric, counts: Counts, figure: str | None) -> str:
    """The name of a figure of the metric, checked; by default of the main figure."""
    score = metric.score(counts)
    name = score.main if figure is None else figure
    if score.part(name) is None:
        raise UsageError(f"{metric.name} has no figure {name!r}; {suggestion(name, score.figures)}")
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
    figures: Sequence[str] = (),
) -> dict[str, Interval]:
    """The intervals of all figures by name, from the same samples; if sentences failed, also of figures over all.

    `figures` are the names of figures if not all are needed. `unit` names the rows of the counts if they are not
    the metric's rows, for instance after rows were added up.
    """
    check_level(level)
    check_choice(method, "method", METHODS)
    score = metric.score(counts)
    names = figures or list(with_all(score.figures, score.all_figures) if score.is_partial else score.figures)
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
    """The interval of the values of samples of `rows`, `scored` of which have a score; None is undefined.

    `shares` replace the percentiles of both ends. A single row has no interval.

    >>> confidence = interval_of([0.5, None, 0.25, 1.0], level=0.5, rows=3)
    >>> confidence.low, confidence.high, confidence.undefined, interval_of([0.5, 0.5], rows=1).low
    (0.375, 0.75, 1, None)
    """
    check_level(level)
    known = sorted(value for value in values if value is not None)
    undefined = len(values) - len(known)
    if any(number is not None and number <= 1 for number in (rows, scored)):
        known = []
    low, high = (quantile(known, share) if known else None for share in shares or _tails(level))
    return Interval(low, high, level, len(values), seed, unit, undefined, method, rows, scored)


def scored_rows(counts: Counts, figure: str = "") -> int:
    """The number of rows with a score: valid rows, also failed ones if the figure counts them, or else rows not all 0.

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
    """Raise an error unless this is a valid confidence level."""
    if not isinstance(level, int | float) or not 0 < level < 1:
        raise UsageError(f"level must be between 0 and 1, such as 0.95, not {level!r}")


def _tails(level: float) -> tuple[float, float]:
    return (1 - level) / 2, (1 + level) / 2


class _Bootstrap:
    """The values of some figures in many samples."""

    def __init__(
        self, metric: Metric, counts: Counts, names: Sequence[str], n: int, seed: int, threads: int | None
    ) -> None:
        self.metric, self.names, self.seed = metric, names, seed
        self._needed = metric.columns_of(names)
        self.counts = counts if self._needed is None else counts.only(self._needed)
        self._all_counts = counts
        self.observed = self.figures(counts.total())
        sums = samples(self.counts, n, seed, threads=threads)
        if self._needed is not None or len(names) == 1:
            self.sampled = {name: sums.figures(metric, name) for name in names}
        else:
            scored = [self.figures(total) for total in sums]
            self.sampled = {name: [figures[name] for figures in scored] for name in names}

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
        if any(name.endswith(ALL) for name in self.sampled):
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
            for name, values in self.sampled.items()
        }

    def _accelerated(self, level: float) -> dict[str, tuple[float, float]]:
        """The percentiles of both ends by BCa, for each figure with a value."""
        from statistics import NormalDist

        normal = NormalDist()
        jackknife = self._jackknife()
        percentiles = {}
        for name, value in self.observed.items():
            known = [sampled for sampled in self.sampled[name] if sampled is not None]
            if value is None or not known:
                continue
            below = sum(sampled < value - TOLERANCE for sampled in known)
            equal = sum(abs(sampled - value) <= TOLERANCE for sampled in known)
            least = 0.5 / len(known)  # keeps the bias finite if all samples lie on one side
            bias = normal.inv_cdf(min(max((below + equal / 2) / len(known), least), 1 - least))
            acceleration = _acceleration(jackknife[name])
            shares = []
            for tail in _tails(level):
                moved = bias + normal.inv_cdf(tail)
                room = 1 - acceleration * moved
                shares.append(normal.cdf(bias + moved / room) if room > 0 else float(moved > 0))
            percentiles[name] = (shares[0], shares[1])
        return percentiles

    def _jackknife(self) -> dict[str, list[float]]:
        """The values of each figure when one row at a time is left out."""
        total = self.counts.total()
        values: dict[str, list[float]] = {name: [] for name in self.observed}
        for index in range(len(self.counts)):
            rest = {name: total[name] - value for name, value in self.counts.row(index).items()}
            for name, value in self.figures(rest).items():
                if value is not None:
                    values[name].append(value)
        return values


def _acceleration(values: Sequence[float]) -> float:
    """A sixth of the skewness of the jackknife values, with the sign reversed."""
    mean = fsum(values) / len(values) if values else 0.0
    squares = fsum((mean - value) ** 2 for value in values)
    return fsum((mean - value) ** 3 for value in values) / (6 * squares**1.5) if squares**1.5 > 0 else 0.0


def quantile(ordered: Sequence[float], share: float) -> float:
    """The quantile of sorted values, interpolated linearly.

    >>> quantile([1.0, 2.0, 4.0], 0.5), quantile([1.0, 2.0, 4.0], 0.75), quantile([1.0], 0.025)
    (2.0, 3.0, 1.0)
    """
    place = share * (len(ordered) - 1)
    before, after = ordered[floor(place)], ordered[ceil(place)]
    return min(after, before + (after - before) * (place - floor(place)))  # rounding must not exceed `after`
