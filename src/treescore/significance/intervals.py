"""How sure is a score? Intervals by the bootstrap, from counts: the rows are drawn again and again, with replacement.

A sample has as many rows as there are sentences, and a score is made from the sum of its counts, as from the real sum.
The interval leaves out the same share of these scores at either end (the percentile bootstrap).

>>> import treescore
>>> metric = treescore.metric("parseval|profile:none")
>>> counts = metric.counts(treescore.read("(S (NN a)) (S (NP (NN a)))"), treescore.read("(S (NN a)) (S (VP (NN a)))"))
>>> metric.score(counts).value
0.6666666666666666
>>> interval(metric, counts, n=200, seed=1)
Interval(low=0.5, high=1.0, level=0.95, n=200, seed=1, unit='sentence', undefined=0)
"""

from __future__ import annotations

from math import ceil, floor

from ..counts import Counts
from ..problem import UsageError
from ..values import Value
from .sampling import samples

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..metrics.base import Metric

#: What an interval is made from if nothing else is said.
LEVEL, SAMPLES, SEED = 0.95, 1_000, 1


class Interval(Value):
    """From `low` to `high`; both are None if the figure is undefined in every sample.

    `level` is the share of samples inside, `n` the number of samples, `unit` what is drawn, and `undefined` the number
    of samples in which the figure has no value: they are left out.
    """

    low: float | None
    high: float | None
    level: float
    n: int
    seed: int
    unit: str
    undefined: int

    __slots__ = ("low", "high", "level", "n", "seed", "unit", "undefined")

    def __init__(
        self,
        low: float | None,
        high: float | None,
        *,
        level: float = LEVEL,
        n: int = SAMPLES,
        seed: int = SEED,
        unit: str = "sentence",
        undefined: int = 0,
    ) -> None:
        self._store(low=low, high=high, level=level, n=n, seed=seed, unit=unit, undefined=undefined)


def interval(
    metric: Metric,
    counts: Counts,
    *,
    level: float = LEVEL,
    n: int = SAMPLES,
    seed: int = SEED,
    figure: str | None = None,
    unit: str | None = None,
    threads: int | None = None,
) -> Interval:
    """The interval of one figure of a score; without a name, of the one that people quote."""
    name = figure_name(metric, counts, figure)
    return intervals(metric, counts, level=level, n=n, seed=seed, unit=unit, threads=threads)[name]


def figure_name(metric: Metric, counts: Counts, figure: str | None) -> str:
    """The name of a figure that the metric has; without one, of the one that people quote."""
    score = metric.score(counts)
    name = score.main if figure is None else figure
    if name not in score.figures:
        raise UsageError(f"{metric.name} has no figure {name!r}; known: {', '.join(score.figures)}")
    return name


def intervals(
    metric: Metric,
    counts: Counts,
    *,
    level: float = LEVEL,
    n: int = SAMPLES,
    seed: int = SEED,
    unit: str | None = None,
    threads: int | None = None,
) -> dict[str, Interval]:
    """The intervals of all figures of a score, by name, from the same samples.

    `unit` says what a row of the counts is where it is not what the metric says, for instance after rows were added up.
    """
    if not isinstance(level, int | float) or not 0 < level < 1:
        raise UsageError(f"level must be a share between 0 and 1, such as 0.95, not {level!r}")
    found: dict[str, list[float]] = {name: [] for name in metric.score(counts).figures}
    for total in samples(counts, n, seed, threads=threads):
        for name, part in metric.score(Counts({}, totals=total)).figures.items():
            if part.value is not None:
                found[name].append(part.value)
    made = {}
    for name, values in found.items():
        values.sort()
        low, high = (quantile(values, share) if values else None for share in ((1 - level) / 2, (1 + level) / 2))
        made[name] = Interval(
            low, high, level=level, n=n, seed=seed, unit=unit or metric.row_unit, undefined=n - len(values)
        )
    return made


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of the others lies, between two of them where it falls there.

    >>> quantile([1.0, 2.0, 4.0], 0.5), quantile([1.0, 2.0, 4.0], 0.75), quantile([1.0], 0.025)
    (2.0, 3.0, 1.0)
    """
    place = share * (len(ordered) - 1)
    before, after = ordered[floor(place)], ordered[ceil(place)]
    return min(after, before + (after - before) * (place - floor(place)))  # rounding must not lead beyond
