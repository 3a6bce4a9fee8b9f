"""The data of plots and report pages: scores of sentences by range, by length, by label, and for two systems.

All classes contain plain numbers and strings: `json.dumps` accepts `value.values()`.

>>> import treescore
>>> gold = ["(S (NP (NN a)) (VB b))", "(S (NP (NN a)))", "(S (NN a))"]
>>> report = treescore.evaluate(gold, ["(S (NP (NN a)) (VB b))", "(S (VP (NN a)))", ""], "parseval|profile:none")
>>> bars = histogram(report, bins=4)
>>> bars.edges, bars.counts, bars.undefined
((0.0, 0.25, 0.5, 0.75, 1.0), (0, 0, 1, 1), 1)
>>> by_length(report).corpus
(0.75,)
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, cycle
from math import fsum

from ..values.problem import UsageError, check_whole
from ..values.signature_text import split_signature
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..metrics.base import Metric
    from ..scoring.report import Report
    from ..values.score import Part, Score

    Figures = tuple[float | None, ...]

#: The least width of a range of lengths in words, and the greatest numbers of ranges and of maximal lengths.
STEP, MAX_RANGES, MAX_LEVELS = 10, 25, 40


class Histogram(Value):
    """The number of sentences with a score from edges[i] to below edges[i + 1]; the last range includes its end.

    `n` is the number of sentences, `undefined` of those without a score, `perfect` of those with a score of exactly 1;
    `mean` is the mean score.
    """

    title: str
    signature: str
    unit: str
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    n: int
    undefined: int
    perfect: int
    mean: float | None


class ByLength(Value):
    """The number of sentences and their score for each range of lengths, from `first` to `last`.

    `corpus` is the score of the summed counts, `mean` the mean score of sentences; `undefined` is the number of
    sentences without a score.
    """

    title: str
    signature: str
    unit: str
    first: tuple[int, ...]
    last: tuple[int, ...]
    n: tuple[int, ...]
    undefined: tuple[int, ...]
    corpus: Figures
    mean: Figures


class Levels(Value):
    """For each maximal length, the corpus score and the mean score of all sentences up to this length.

    `n` is the number of these sentences, `scored` the number with a score. This is figure 6 of the paper on STRUCT-IOU
    (Shi, Gimpel and Livescu 2024), for any metric.
    """

    title: str
    signature: str
    unit: str
    lengths: tuple[int, ...]
    n: tuple[int, ...]
    scored: tuple[int, ...]
    corpus: Figures
    mean: Figures


class ByLabel(Value):
    """The most frequent labels with their figures.

    `columns` has a column for each of the figures in `names` and `titles`; `gold` is the frequency of the label in gold
    (or whatever the metric counts by label); `left_out` is the number of rarer labels.
    """

    title: str
    signature: str
    labels: tuple[str, ...]
    gold: tuple[int, ...]
    names: tuple[str, ...]
    titles: tuple[str, ...]
    columns: tuple[Figures, ...]
    left_out: int


class Scatter(Value):
    """The scores of each sentence by two systems, or by two metrics.

    `x` and `y` have an entry for each sentence; `x_higher`, `y_higher`, `equal` and `undefined` are numbers of
    sentences. `signatures` are the signatures of the metrics.
    """

    x_title: str
    y_title: str
    signatures: tuple[str, ...]
    unit: str
    x: Figures
    y: Figures
    x_higher: int
    y_higher: int
    equal: int
    undefined: int


class _Table:
    """The rows of one metric of a report."""

    def __init__(self, report: Report, metric: str | None) -> None:
        self.metric, self.score = report.find(metric)
        self.counts = self.score.counts
        if not self.counts.has_rows:
            raise UsageError(f"{self.metric.name}: there are only sums, no scores of sentences")
        self.scores: list[float | None] = self.metric.rows(self.counts)[self.metric.row_figure]
        self.title, self.unit = short_title(self.metric, self.score), report.row_unit(self.metric)

    @property
    def named(self) -> dict[str, str]:
        """The fields that all series share."""
        return {"title": self.title, "signature": self.metric.signature, "unit": self.unit}

    def lengths(self) -> Sequence[int]:
        """The number of words of each sentence."""
        if "length" not in self.counts.notes and "length" not in self.counts.columns:
            raise UsageError(f"{self.metric.name} does not count the lengths of sentences")
        return self.counts["length"]

    def corpus(self, total: Mapping[str, int]) -> float | None:
        """The score of the sum of some rows."""
        return self.metric.figure(total, self.metric.group_figures[0])


def short_title(metric: Metric, score: Score) -> str:
    """The title of a metric without a remark on sentences or the corpus.

    >>> import treescore
    >>> report = treescore.evaluate("(S (NN a))", "(S (NN a))", "struct_iou")
    >>> short_title(*report.find())
    'STRUCT-IOU'
    """
    return score.figures[metric.group_figures[0]].title.partition(" (")[0]


def short_titles(metrics: Sequence[Metric], scores: Sequence[Score]) -> list[str]:
    """Distinct titles of metrics: those with the same title are distinguished by their options.

    >>> import treescore
    >>> metrics = ["parseval", "struct_iou|threshold:0.5", "struct_iou"]
    >>> report = treescore.evaluate("(S (NN a))", "(S (NN a))", metrics)
    >>> short_titles(report.metrics, report.scores)
    ['Labelled F1', 'STRUCT-IOU (threshold:0.5)', 'STRUCT-IOU (threshold:0)']
    """
    titles = [short_title(metric, score) for metric, score in zip(metrics, scores, strict=True)]
    parsed = [split_signature(metric.signature) for metric in metrics]
    distinct = []
    for title, (name, options) in zip(titles, parsed, strict=True):
        same_title = [signature for signature, other in zip(parsed, titles, strict=True) if other == title]
        same_metric = [others for other, others in same_title if other == name]
        parts = [name] if len(same_metric) < len(same_title) else []
        parts += [f"{key}:{value}" for key, value in options.items() if any(o.get(key) != value for o in same_metric)]
        distinct.append(f"{title} ({', '.join(parts)})" if parts else title)
    return distinct


def histogram(report: Report, metric: str | None = None, *, bins: int = 20) -> Histogram:
    """The numbers of sentences by score, in ranges of equal width from 0 to 1."""
    check_whole(bins, "the number of ranges")
    table = _Table(report, metric)
    defined = [score for score in table.scores if score is not None]
    edges = [edge / bins for edge in range(bins + 1)]
    counts = [0] * bins
    for score in defined:
        counts[min(bisect_right(edges, score), bins) - 1] += 1
    return Histogram(
        **table.named,
        edges=tuple(edges),
        counts=tuple(counts),
        n=len(table.scores),
        undefined=len(table.scores) - len(defined),
        perfect=defined.count(1.0),
        mean=_mean(defined),
    )


def by_length(report: Report, metric: str | None = None, *, step: int | None = None) -> ByLength:
    """The score by length, in ranges of ten words, or of more if there would be too many ranges."""
    table = _Table(report, metric)
    lengths = table.lengths()
    width = _width(step, lengths, MAX_RANGES, STEP)
    groups = _grouped(table, [-(-length // width) for length in lengths])
    return ByLength(
        **table.named,
        first=tuple((group - 1) * width + 1 if group > 0 else 0 for group in groups),
        last=tuple(max(0, group * width) for group in groups),
        n=tuple(len(scores) for _, scores in groups.values()),
        undefined=tuple(scores.count(None) for _, scores in groups.values()),
        corpus=tuple(table.corpus(total) for total, _ in groups.values()),
        mean=tuple(_mean(scores) for _, scores in groups.values()),
    )


def levels(
    report: Report, metric: str | None = None, *, step: int | None = None, lengths: Sequence[int] | None = None
) -> Levels:
    """The score of all sentences up to a maximal length, for up to 40 maximal lengths `step` words apart.

    `lengths` replaces the lengths of the rows that the metric counted.
    """
    table = _Table(report, metric)
    if lengths is None:
        lengths = table.lengths()
    elif len(lengths) != len(table.scores):
        raise UsageError(f"there are {len(lengths):,} lengths for {len(table.scores):,} rows of {table.metric.name}")
    width = _width(step, lengths, MAX_LEVELS, 1)
    groups = _grouped(table, [max(1, -(-length // width)) for length in lengths])
    totals = list(accumulate((total for total, _ in groups.values()), _sum))
    defined = [[score for score in scores if score is not None] for _, scores in groups.values()]
    sums = [fsum(scores) for scores in defined]  # fsum, because the result must not depend on the order
    numbers = list(accumulate(len(scores) for scores in defined))
    return Levels(
        **table.named,
        lengths=tuple(group * width for group in groups),
        n=tuple(accumulate(len(scores) for _, scores in groups.values())),
        scored=tuple(numbers),
        corpus=tuple(map(table.corpus, totals)),
        mean=tuple(fsum(sums[: level + 1]) / number if number else None for level, number in enumerate(numbers)),
    )


def by_label(report: Report, metric: str | None = None, *, most: int = 20) -> ByLabel:
    """The figures of the most frequent gold labels, if the metric has a table by label."""
    check_whole(most, "most", least=0)
    scorer, score = report.find(metric)
    table = report.breakdown("label", score.signature)
    shown = list(table.items())[:most]
    names = scorer.group_figures
    return ByLabel(
        title=short_title(scorer, score),
        signature=score.signature,
        labels=tuple(label for label, _ in shown),
        gold=tuple(_occurrences(figures, names) for _, figures in shown),
        names=names,
        titles=tuple(figure.title for figure in (shown[0][1][name] for name in names)) if shown else (),
        columns=tuple(tuple(figures[name].value for _, figures in shown) for name in names),
        left_out=len(table) - len(shown),
    )


def systems(reports: Mapping[str, Report], x: str, y: str, metric: str | None = None) -> Scatter:
    """The scores of each sentence by two systems, from their reports by name (`Comparison.reports`).

    A failed sentence scores 0.

    >>> import treescore
    >>> gold = ["(S (NP (NN a)) (VB b))", "(S (NN a))"]
    >>> both = treescore.compare(gold, {"A": gold, "B": ["(S (NN a) (VB b))", "(S (NN a))"]}, "parseval|profile:none")
    >>> scatter = systems(both.reports, "A", "B")
    >>> scatter.x_higher, scatter.y_higher, scatter.equal
    (1, 0, 1)
    """
    for name in (x, y):
        if name not in reports:
            raise UsageError(f"there is no system {name!r}; there are {', '.join(reports)}")
    tables = _Table(reports[x], metric), _Table(reports[y], metric)
    if tables[0].metric != tables[1].metric:
        signatures = " and ".join(table.metric.signature for table in tables)
        raise UsageError(f"systems must be compared by the same metric, not by {signatures}")
    for table in tables:
        table.scores = table.counts.with_failed(table.scores)
    return _scatter(tables, (x, y))


def metrics(report: Report, x: str, y: str) -> Scatter:
    """The scores of each sentence by two metrics of a report, by name or signature."""
    tables = _Table(report, x), _Table(report, y)
    titles = [table.title for table in tables]
    if titles[0] == titles[1]:
        titles = [table.metric.signature for table in tables]
    return _scatter(tables, (titles[0], titles[1]))


def _scatter(tables: tuple[_Table, _Table], titles: tuple[str, str]) -> Scatter:
    x, y = tables
    if len(x.scores) != len(y.scores) or x.unit != y.unit:
        numbers = [f"{len(table.scores):,} of {table.metric.name} ({table.unit})" for table in tables]
        raise UsageError(f"scores are compared row by row, but the rows differ: {' and '.join(numbers)}")
    outcome = {"x_higher": 0, "y_higher": 0, "equal": 0, "undefined": 0}
    for a, b in zip(x.scores, y.scores, strict=True):
        if a is None or b is None:
            outcome["undefined"] += 1
        else:
            outcome["equal" if a == b else "x_higher" if a > b else "y_higher"] += 1
    return Scatter(
        x_title=titles[0],
        y_title=titles[1],
        signatures=tuple(dict.fromkeys(table.metric.signature for table in tables)),
        unit=x.unit,
        x=tuple(x.scores),
        y=tuple(y.scores),
        **outcome,
    )


def _grouped(table: _Table, groups: Sequence[int]) -> dict[int, tuple[dict[str, int], list[float | None]]]:
    """The summed counts and the scores of the rows of each group, sorted by group."""
    scores: dict[int, list[float | None]] = {group: [] for group in sorted(set(groups))}
    for group, score in zip(groups, table.scores, strict=True):
        scores[group].append(score)
    needed = table.metric.columns_of(table.metric.group_figures[:1])
    counts = table.counts if needed is None else table.counts.only(needed)
    totals = counts.grouped([str(group) for group in groups])
    return {group: (totals[str(group)].total(), members) for group, members in scores.items()}


def _sum(a: Mapping[str, int], b: Mapping[str, int]) -> dict[str, int]:
    return {name: value + b[name] for name, value in a.items()}


def _mean(scores: Iterable[float | None]) -> float | None:
    defined = [score for score in scores if score is not None]
    return fsum(defined) / len(defined) if defined else None


def _occurrences(figures: Mapping[str, Part], names: Sequence[str]) -> int:
    """The frequency of a label in gold: the denominator of recall, or of the first figure without a recall."""
    return figures.get("recall", figures[names[0]]).below or 0


def _width(step: int | None, lengths: Sequence[int], most: int, least: int) -> int:
    """The given step, or the smallest round number from `least` with at most `most` steps up to the maximal length.

    >>> _width(None, [45], 40, 1), _width(None, [1_234], 40, 1), _width(None, [45], 25, 10)
    (2, 50, 10)
    """
    if step is not None:
        check_whole(step, "the step in words")
        return step
    width = least
    factors = cycle((2, 2.5, 2))  # 1, 2, 5, 10, …
    while width * most < max(lengths, default=0):
        width = int(width * next(factors))
    return width
