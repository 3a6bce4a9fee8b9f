"""Sentence level and corpus level by maximal length. Figure 6 of the paper on STRUCT-IOU, for any metrics.

A metric scores all sentences up to a maximal length twice: by their summed counts, which gives long sentences more
weight, and as the mean of sentence scores.

>>> from treescore.studies import length
>>> result = length.study(step=20)
>>> result.table("Labelled F1").column("sentences")
[303, 397, 400]
"""

from __future__ import annotations

from ..analysis.series import levels, short_titles
from ..helpers.text import number_of
from ..scoring.choosing import as_metrics
from ..scoring.evaluation import evaluate
from ..values.problem import UsageError, check_whole
from .base import Study, Table, cited
from .examples import given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

    from ..analysis.series import Levels
    from ..helpers.steps import Steps
    from ..readers.sources import Readable
    from ..scoring.choosing import Metrics
    from ..scoring.report import Report

SIZE = (7.0, 4.8)
CITES = ("shi-etal-2024-structured", "black-etal-1991-procedure")
METRICS = ("parseval", "struct_iou|cut:-=")
#: The default system, and the default number of rows of a table.
SYSTEM, ROWS = "middling", 12
_COLUMNS = {
    "at most words": "count",
    "sentences": "count",
    "scored": "count",
    "corpus level": "share",
    "mean of sentences": "share",
    "difference": "share",
}
#: Tolerance for sums of fractions.
_TOLERANCE = 1e-9
_EMPTY = "-NONE-"
_SERIES = ("lengths", "n", "scored", "corpus", "mean")


def study(
    gold: Readable | None = None,
    test: Readable | Mapping[str, Readable] | None = None,
    metrics: Metrics = METRICS,
    *,
    step: int | None = None,
    threads: int | None = None,
    steps: Steps | None = None,
) -> Study:
    """Score the sentences up to `step` words, up to 2 · `step` words, and so on, at both levels by each metric.

    The default gives about a dozen rows; the figure has more points. The length of a sentence is the number of words in
    its gold tree without empty elements, independently of the metric.
    """
    if step is not None:
        check_whole(step, "the words between two rows")
    scorers = as_metrics(metrics)
    bank, systems, description = given(gold, test, usual=(SYSTEM,))
    if len(systems) != 1:
        raise UsageError(f"this study needs one system, not {number_of(len(systems), 'system')}")
    [(system, trees)] = systems.items()
    report = evaluate(bank, trees, scorers, threads=threads)
    lengths = [sum(tag != _EMPTY for _, tag in tree.pos()) for tree in report.gold]
    titles = short_titles(scorers, report.scores)
    tables, details = [], []
    for number in range(len(scorers)) if steps is None else steps.over(len(scorers)):
        detailed = _levels(report, number, None, lengths)
        details.append(_table(f"{titles[number]}, more lengths", detailed, detail=True))
        width = step or _round_step(max(detailed.lengths, default=1))
        tables.append(_table(titles[number], _levels(report, number, width, lengths)))
    return Study(
        name="length",
        title=f"{' and '.join(titles)} of {system} by maximal length",
        question="How do sentence-level and corpus-level scores differ by sentence length?",
        settings={"data": description, "metrics": " and ".join(metric.signature for metric in scorers)},
        tables=(*tables, *details),
        findings=_findings(tables),
        problems=tuple(report.problems),
        cites=cited(scorers, CITES[0]),
    )


def _levels(report: Report, number: int, step: int | None, lengths: Sequence[int]) -> Levels:
    """Levels by the lengths of gold trees if the rows are sentences, otherwise by the metric's lengths."""
    metric, score = report.metrics[number], report.scores[number]
    by_sentence = report.row_unit(metric) == "sentence" and score.counts.has_rows and len(score.counts) == len(lengths)
    return levels(report, score.signature, step=step, lengths=lengths if by_sentence else None)


def _round_step(longest: int) -> int:
    """The first of 5, 10, 20, 50, 100, … that gives at most the default number of rows."""
    power = 1
    while longest > ROWS * 20 * power:
        power *= 10
    return next(size * power for size in (5, 10, 20) if longest <= ROWS * size * power)


def _table(title: str, values: Levels, *, detail: bool = False) -> Table:
    rows = []
    for *numbers, corpus, mean in zip(*(getattr(values, name) for name in _SERIES), strict=True):
        difference = None if corpus is None or mean is None else corpus - mean
        rows.append(
            (*numbers, corpus, mean, 0.0 if difference is not None and abs(difference) < _TOLERANCE else difference)
        )
    return Table(title, _COLUMNS, rows, detail=detail)


def _findings(tables: Sequence[Table]) -> str:
    sentences, falling, rising = [], [], []
    for table in tables:
        rows = [row for row in table.records() if row["difference"] is not None]
        if not rows:
            sentences.append(f"{table.title} is undefined at both levels.")
            continue
        first, last = rows[0], rows[-1]
        # Compare the rounded values, as printed.
        corpus = _points(last["corpus level"])
        mean, before = (_points(row["mean of sentences"]) for row in (last, first))
        apart, widest = _points(abs(last["difference"])), max(rows, key=lambda row: abs(row["difference"]))
        gap = _points(abs(widest["difference"]))
        sentences.append(
            f"{table.title} of {_which(last)} is {corpus:.2f} at corpus level and {mean:.2f} as the mean of sentences, "
            + (f"a difference of {apart:.2f} points" if apart else "the same")
            + (f" (largest: {gap:.2f}, up to {_words(widest)})." if gap > apart else ".")
        )
        if first is not last:
            sentences.append(f"The mean of sentences of up to {_words(first)} is {before:.2f}.")
            falling.append(corpus < mean < before)
            rising.append(corpus > mean > before)
    for changes, direction in ((falling, "lower"), (rising, "higher")):
        if changes and all(changes):
            sentences.append(f"Long sentences therefore score {direction}, and they weigh more at corpus level.")
    return " ".join(sentences)


def _points(share: float) -> float:
    return round(100 * share, 2)


def _words(row: Mapping[str, int]) -> str:
    return number_of(row["at most words"], "word")


def _which(row: Mapping[str, int]) -> str:
    """All sentences, or the number with a score."""
    if row["scored"] < row["sentences"]:
        verb = "has" if row["scored"] == 1 else "have"
        return f"the {row['scored']:,} of {number_of(row['sentences'], 'sentence')} that {verb} a score"
    return "the only sentence" if row["sentences"] == 1 else f"all {number_of(row['sentences'], 'sentence')}"


def draw(study: Study, figure: Figure) -> None:
    """Two lines for each metric."""
    from ..plots.look import legend_below, percent_limits, plain, remark, round_numbers, two_lines

    axes = figure.subplots()
    details = [table for table in study.tables if table.detail]
    values: list[float | None] = []
    for number, table in enumerate(details):
        corpus, mean = table.column("corpus level"), table.column("mean of sentences")
        name = table.title.removesuffix(", more lengths") if len(details) > 1 else ""
        two_lines(axes, table.column("at most words"), corpus, mean, number, len(details), name)
        values += [*corpus, *mean]
    if not any(value is not None for value in values):
        return remark(axes, "no sentence has a score")
    axes.set_xlabel("sentences up to this number of words")
    axes.xaxis.set_major_locator(round_numbers())
    axes.set_ylabel("score (%)" if len(details) > 1 else f"{plain(study.tables[0].title)} (%)")
    percent_limits(axes, values)
    legend_below(axes)
    axes.set_title(plain(study.title), fontsize="medium")
    return None
