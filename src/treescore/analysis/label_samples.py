"""Scores of labels with confidence intervals, and what each label or error class contributes to a difference.

The score of a label is the overlap of its nodes with their partners on both sides, divided by the number of its nodes.
A system loses 1 minus its score; the losses of all labels add up to this, so that labels explain a difference.

>>> from array import array
>>> systems = [LabelCounts([array("q", [4, 4])], [array("q", [4_000_000, 2_000_000])])]
>>> label_intervals(systems, ["NP"], rows=2)[0]["NP"].low
0.5
"""

from __future__ import annotations

from ..significance import LEVEL, SAMPLES, SEED
from ..significance.intervals import interval_of
from ..significance.sampling import samples
from ..values.counts import Counts
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..metrics.base import Metric
    from ..significance import Interval
    from ..values.score import Score

    Column = memoryview | Sequence[int]

#: The scale of overlaps.
MILLION = 1_000_000


class LabelCounts(Value):
    """The nodes of one system: for each label their number in each sentence, and their overlap in millionths."""

    nodes: Sequence[Column]
    overlaps: Sequence[Column]


class Contribution(Value):
    """What a label or class contributes to the difference of two systems; positive if the first system is better.

    The label of all others is None.
    """

    label: str | None
    value: float
    low: float | None
    high: float | None


class _Drawn:
    """The sums of named columns over all rows, and over each bootstrap sample."""

    def __init__(self, columns: Mapping[str, Column], threads: int | None) -> None:
        counts = Counts(columns)
        self.rows = len(counts)
        self.total = {name: [value] for name, value in counts.total().items()}
        self.sums = samples(counts, SAMPLES, SEED, threads=threads).columns

    def interval(self, values: Sequence[float | None]) -> Interval:
        return interval_of(values, level=LEVEL, seed=SEED, rows=self.rows)


def label_intervals(
    systems: Sequence[LabelCounts], labels: Sequence[str], *, rows: int, threads: int | None = None
) -> list[dict[str, Interval]]:
    """For each system, the interval of the score of each label."""
    if not rows or not labels:
        return [{} for _ in systems]
    drawn = _Drawn(_label_columns(systems), threads)
    return [
        {
            label: drawn.interval(
                _scores(drawn.sums[f"nodes {system} {place}"], drawn.sums[f"overlap {system} {place}"])
            )
            for place, label in enumerate(labels)
        }
        for system in range(len(systems))
    ]


def _label_columns(systems: Sequence[LabelCounts]) -> dict[str, Column]:
    columns: dict[str, Column] = {}
    for system, counts in enumerate(systems):
        for place, (nodes, overlap) in enumerate(zip(counts.nodes, counts.overlaps, strict=True)):
            columns[f"nodes {system} {place}"] = nodes
            columns[f"overlap {system} {place}"] = overlap
    return columns


def _scores(nodes: Sequence[int], overlap: Sequence[int]) -> list[float | None]:
    return [sum_ / MILLION / number if number else None for number, sum_ in zip(nodes, overlap, strict=True)]


def label_contributions(
    metric: Metric,
    scores: Sequence[Score],
    systems: Sequence[LabelCounts],
    labels: Sequence[str],
    *,
    threads: int | None = None,
) -> dict[tuple[int, int], list[Contribution]]:
    """For each pair of systems, the contribution of each label to the difference of their corpus scores.

    The scores are over all sentences if any failed. The last entry, without a label, is what the labels do not explain:
    other labels, and failed sentences. There are none if the corpus score is not the overlap divided by all nodes.
    """
    figure = metric.deciding(metric.group_figures[0], *(score.counts.total() for score in scores))
    ratio = metric.ratio(figure)
    if ratio is None or not ratio.is_all or not labels:
        return {}
    columns = _label_columns(systems)
    for system, score in enumerate(scores):
        columns |= {f"{name} {system}": score.counts[name] for name in ratio.columns}
    drawn = _Drawn(columns, threads)

    def losses(sums: Mapping[str, Sequence[int]], system: int) -> list[list[float | None]]:
        """The loss of each label in each sample, then the rest of the loss."""
        own = {name: sums[f"{name} {system}"] for name in ratio.columns}
        divisors, values = ratio.divisors(own), ratio.of_all(own)
        columns: list[list[float | None]] = [
            [
                (nodes - overlap / MILLION) / divisor if divisor else None
                for nodes, overlap, divisor in zip(
                    sums[f"nodes {system} {place}"], sums[f"overlap {system} {place}"], divisors, strict=True
                )
            ]
            for place in range(len(labels))
        ]
        rest = [
            None if value is None else 1 - value - sum(part or 0.0 for part in parts)
            for value, *parts in zip(values, *columns, strict=True)
        ]
        return [*columns, rest]

    observed = [losses(drawn.total, system) for system in range(len(systems))]
    sampled = [losses(drawn.sums, system) for system in range(len(systems))]
    return _by_pair(drawn, [*labels, None], observed, sampled)


def class_contributions(
    systems: Sequence[Mapping[str, Column]], *, threads: int | None = None
) -> dict[tuple[int, int], list[Contribution]]:
    """For each pair of systems, how many more brackets the second system has wrong in each class of errors.

    `systems` have a column for each class, with its brackets in each sentence.

    >>> (row,) = class_contributions([{"Unary": [0, 1, 0]}, {"Unary": [2, 1, 2]}])[0, 1]
    >>> row.label, row.value, row.low, row.high
    ('Unary', 4.0, 0.0, 6.0)
    """
    names = list(systems[0])
    columns = {f"{system} {name}": counts[name] for system, counts in enumerate(systems) for name in names}
    drawn = _Drawn(columns, threads)

    def brackets(sums: Mapping[str, Sequence[int]], system: int) -> list[list[float | None]]:
        return [[float(value) for value in sums[f"{system} {name}"]] for name in names]

    observed = [brackets(drawn.total, system) for system in range(len(systems))]
    sampled = [brackets(drawn.sums, system) for system in range(len(systems))]
    return _by_pair(drawn, names, observed, sampled)


def _by_pair(
    drawn: _Drawn,
    labels: Sequence[str | None],
    observed: Sequence[list[list[float | None]]],
    sampled: Sequence[list[list[float | None]]],
) -> dict[tuple[int, int], list[Contribution]]:
    """The contributions for each pair of systems, the largest first; the rest comes last."""
    pairs = [(a, b) for a in range(len(observed)) for b in range(a + 1, len(observed))]
    contributions = {}
    for a, b in pairs:
        rows = []
        for place, label in enumerate(labels):
            (value,) = _differences(observed[b][place], observed[a][place])
            if value is not None:
                interval = drawn.interval(_differences(sampled[b][place], sampled[a][place]))
                rows.append(Contribution(label, value, interval.low, interval.high))
        contributions[a, b] = sorted(rows, key=lambda row: (row.label is None, -abs(row.value), row.label or ""))
    return contributions


def _differences(first: Sequence[float | None], second: Sequence[float | None]) -> list[float | None]:
    return [None if x is None or y is None else x - y for x, y in zip(first, second, strict=True)]
