"""The numbers behind plots and report pages: how the scores of sentences spread, by length, by label, side by side.

Everything is a value of plain numbers and texts: `value.values()` is a dictionary that `json.dumps` takes.

>>> import treescore
>>> gold = ["(S (NP (NN a)) (VB b))", "(S (NP (NN a)))", "(S (NN a))"]
>>> report = treescore.evaluate(gold, ["(S (NP (NN a)) (VB b))", "(S (VP (NN a)))", ""], "parseval|profile:none")
>>> found = histogram(report, bins=4)
>>> found.edges, found.counts, found.undefined
((0.0, 0.25, 0.5, 0.75, 1.0), (0, 0, 1, 1), 1)
>>> by_length(report).corpus
(0.75,)
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from math import fsum

from ..values.counts import Counts
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

#: Ranges of lengths have at least so many words; there are at most so many ranges, and so many maximal lengths.
STEP, MOST_RANGES, MOST_LEVELS = 10, 25, 40


class Histogram(Value):
    """How many sentences have a score from edges[i] to below edges[i + 1]; the last range has its end, too.

    `n` counts all sentences, `undefined` those without a score, `perfect` those with exactly 1; `mean` is that of the
    scores.
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
    """For each range of lengths that occurs, from first to last: the number of sentences and both kinds of score.

    `corpus` is the score of the sum of their counts, `mean` that of their own scores; `undefined` counts sentences that
    have none.
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
    """For each maximal length: the score over all sentences of at most so many words, at the level of the corpus and
    as the mean of sentences. `n` of them there are, and `scored` of these have a score.

    That is figure 6 of the paper on STRUCT-IOU (Shi, Gimpel and Livescu 2024), for any metric.
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
    """The most frequent labels with the figures that tables by label show.

    `names` and `titles` are those of the figures, and `columns` has a column for each; `gold` is how often gold has the
    label, or what else is counted for it; `left_out` labels are rarer than those here.
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

    `x` and `y` have an entry for each sentence; `x_higher`, `y_higher`, `equal` and `undefined` say how often which is
    higher. `signatures` are those of the metrics.
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
            raise UsageError(f"{self.metric.name}: there are only sums here, and no scores of sentences")
        self.scores: list[float | None] = self.metric.rows(self.counts)[self.metric.row_figure]
        self.title, self.unit = short_title(self.metric, self.score), report.row_unit(self.metric)

    @property
    def named(self) -> dict[str, str]:
        """What all series have."""
        return {"title": self.title, "signature": self.metric.signature, "unit": self.unit}

    def lengths(self) -> Sequence[int]:
        """The number of words of each sentence."""
        if "length" not in self.counts.notes and "length" not in self.counts.columns:
            raise UsageError(f"{self.metric.name} has no lengths of sentences")
        return self.counts["length"]

    def corpus(self, total: Mapping[str, int]) -> float | None:
        """The score of the sum of some rows."""
        return self.metric.score(Counts({}, totals=total)).figures[self.metric.group_figures[0]].value


def short_title(metric: Metric, score: Score) -> str:
    """What a metric is called where sentences and the corpus stand side by side.

    >>> import treescore
    >>> report = treescore.evaluate("(S (NN a))", "(S (NN a))", "struct_iou")
    >>> short_title(*report.find())
    'STRUCT-IOU'
    """
    return score.figures[metric.group_figures[0]].title.partition(" (")[0]


def short_titles(metrics: Sequence[Metric], scores: Sequence[Score]) -> list[str]:
    """What each metric is called among the others: where two have the same title, by what they differ in.

    >>> import treescore
    >>> asked = ["parseval", "struct_iou|threshold:0.5", "struct_iou"]
    >>> report = treescore.evaluate("(S (NN a))", "(S (NN a))", asked)
    >>> short_titles(report.metrics, report.scores)
    ['Labelled F1', 'STRUCT-IOU (threshold:0.5)', 'STRUCT-IOU (threshold:0)']
    """
    titles = [short_title(metric, score) for metric, score in zip(metrics, scores, strict=True)]
    parsed = [split_signature(metric.signature) for metric in metrics]
    found = []
    for title, (name, options) in zip(titles, parsed, strict=True):
        alike = [one for one, called in zip(parsed, titles, strict=True) if called == title]
        namesakes = [others for other, others in alike if other == name]
        parts = [name] if len(namesakes) < len(alike) else []
        parts += [f"{key}:{value}" for key, value in options.items() if any(o.get(key) != value for o in namesakes)]
        found.append(f"{title} ({', '.join(parts)})" if parts else title)
    return found


def histogram(report: Report, metric: str | None = None, *, bins: int = 20) -> Histogram:
    """How the scores of sentences spread over ranges of equal width from 0 to 1."""
    check_whole(bins, "the number of ranges")
    table = _Table(report, metric)
    defined = [score for score in table.scores if score is not None]
    edges = [place / bins for place in range(bins + 1)]
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
    """The score by length, in ranges of ten words, or of more where there would be too many ranges."""
    table = _Table(report, metric)
    lengths = table.lengths()
    width = _checked(step) or _round_step(max(lengths, default=0), MOST_RANGES, STEP)
    groups = _grouped(table, [-(-length // width) for length in lengths])
    return ByLength(
        **table.named,
        first=tuple((place - 1) * width + 1 if place > 0 else 0 for place in groups),
        last=tuple(max(0, place * width) for place in groups),
        n=tuple(len(scores) for _, scores in groups.values()),
        undefined=tuple(scores.count(None) for _, scores in groups.values()),
        corpus=tuple(table.corpus(total) for total, _ in groups.values()),
        mean=tuple(_mean(scores) for _, scores in groups.values()),
    )


def levels(
    report: Report, metric: str | None = None, *, step: int | None = None, lengths: Sequence[int] | None = None
) -> Levels:
    """The score over all sentences of at most so many words, for a few dozen lengths `step` words apart.

    `lengths` has the words of each row, where they are not to be those that the metric counted.
    """
    table = _Table(report, metric)
    if lengths is None:
        lengths = table.lengths()
    elif len(lengths) != len(table.scores):
        raise UsageError(f"there are {len(lengths):,} lengths for {len(table.scores):,} rows of {table.metric.name}")
    width = _checked(step) or _round_step(max(lengths, default=0), MOST_LEVELS, 1)
    groups = _grouped(table, [max(1, -(-length // width)) for length in lengths])
    totals = list(accumulate((total for total, _ in groups.values()), _added))
    defined = [[score for score in scores if score is not None] for _, scores in groups.values()]
    # Partial sums of fractions of 2^-40 and the like are exact enough, but not in every order: hence fsum.
    sums = [fsum(part) for part in defined]
    numbers = list(accumulate(len(part) for part in defined))
    return Levels(
        **table.named,
        lengths=tuple(place * width for place in groups),
        n=tuple(accumulate(len(scores) for _, scores in groups.values())),
        scored=tuple(numbers),
        corpus=tuple(map(table.corpus, totals)),
        mean=tuple(fsum(sums[: place + 1]) / number if number else None for place, number in enumerate(numbers)),
    )


def by_label(report: Report, metric: str | None = None, *, most: int = 20) -> ByLabel:
    """The figures of the labels that gold has most often; metrics without a table by label say so."""
    check_whole(most, "most", least=0)
    made_by, score = report.find(metric)
    table = report.breakdown("label", score.signature)
    shown = list(table.items())[:most]
    names = made_by.group_figures
    return ByLabel(
        title=short_title(made_by, score),
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

    A sentence on which a system failed scores 0.

    >>> import treescore
    >>> gold = ["(S (NP (NN a)) (VB b))", "(S (NN a))"]
    >>> both = treescore.compare(gold, {"A": gold, "B": ["(S (NN a) (VB b))", "(S (NN a))"]}, "parseval|profile:none")
    >>> found = systems(both.reports, "A", "B")
    >>> found.x_higher, found.y_higher, found.equal
    (1, 0, 1)
    """
    for name in (x, y):
        if name not in reports:
            raise UsageError(f"there is no system {name!r}; there are {', '.join(reports)}")
    tables = _Table(reports[x], metric), _Table(reports[y], metric)
    if tables[0].metric != tables[1].metric:
        signatures = " and ".join(table.metric.signature for table in tables)
        raise UsageError(f"systems are compared by the same metric, not by {signatures}")
    for table in tables:
        table.scores = table.counts.with_failed(table.scores)
    return _scatter(tables, (x, y))


def metrics(report: Report, x: str, y: str) -> Scatter:
    """The scores of each sentence by two metrics of a report, given by name or signature."""
    tables = _Table(report, x), _Table(report, y)
    titles = [table.title for table in tables]
    if titles[0] == titles[1]:
        titles = [table.metric.signature for table in tables]
    return _scatter(tables, (titles[0], titles[1]))


def _scatter(tables: tuple[_Table, _Table], titles: tuple[str, str]) -> Scatter:
    one, other = tables
    if len(one.scores) != len(other.scores) or one.unit != other.unit:
        numbers = [f"{len(table.scores):,} of {table.metric.name} ({table.unit})" for table in tables]
        raise UsageError(f"scores are compared row by row, but these are not the same rows: {' and '.join(numbers)}")
    outcome = {"x_higher": 0, "y_higher": 0, "equal": 0, "undefined": 0}
    for a, b in zip(one.scores, other.scores, strict=True):
        if a is None or b is None:
            outcome["undefined"] += 1
        else:
            outcome["equal" if a == b else "x_higher" if a > b else "y_higher"] += 1
    return Scatter(
        x_title=titles[0],
        y_title=titles[1],
        signatures=tuple(dict.fromkeys(table.metric.signature for table in tables)),
        unit=one.unit,
        x=tuple(one.scores),
        y=tuple(other.scores),
        **outcome,
    )


def _grouped(table: _Table, places: Sequence[int]) -> dict[int, tuple[dict[str, int], list[float | None]]]:
    """The sum of the counts, and the scores, of the rows with each place, in order."""
    scores: dict[int, list[float | None]] = {place: [] for place in sorted(set(places))}
    for place, score in zip(places, table.scores, strict=True):
        scores[place].append(score)
    totals = table.counts.grouped([str(place) for place in places])
    return {place: (totals[str(place)].total(), members) for place, members in scores.items()}


def _added(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: value + other[name] for name, value in one.items()}


def _mean(scores: Iterable[float | None]) -> float | None:
    defined = [score for score in scores if score is not None]
    return fsum(defined) / len(defined) if defined else None


def _occurrences(figures: Mapping[str, Part], names: Sequence[str]) -> int:
    """How often gold has a label: what recall is a share of, or the first figure where there is no recall."""
    return figures.get("recall", figures[names[0]]).below or 0


def _checked(step: int | None) -> int | None:
    if step is not None:
        check_whole(step, "the step in words")
    return step


def _round_step(longest: int, most: int, least: int) -> int:
    """The smallest round number, not below `least`, with at most so many steps up to the longest.

    >>> _round_step(45, 40, 1), _round_step(1_234, 40, 1), _round_step(45, 25, 10)
    (2, 50, 10)
    """
    step, factors = least, (2, 2.5, 2)  # 1, 2, 5, 10, …
    place = 0
    while step * most < longest:
        step = int(step * factors[place % 3])
        place += 1
    return step
