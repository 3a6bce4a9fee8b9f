"""How do sentence level and corpus level part as sentences grow? Figure 6 of the paper on STRUCT-IOU, for any metrics.

A metric scores all sentences of at most so many words twice: by their summed counts, so that long sentences weigh more,
and as the mean of their own scores, so that all weigh the same.

>>> from treescore.studies import length
>>> found = length.study(step=20)
>>> found.table("Labelled F1").column("sentences")
[303, 397, 400]
"""

from __future__ import annotations

from ..evaluation import as_metrics, evaluate
from ..plots.look import legend_below, percent_limits, plain, remark, round_numbers, two_lines
from ..problem import UsageError, check_whole
from ..series import levels, short_titles
from ..text import number_of
from .base import Study, Table
from .data import given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

    from ..evaluation import Metrics
    from ..readers.sources import Readable
    from ..series import Levels
    from ..steps import Steps

SIZE = (7.0, 4.8)
CITES = ("shi-etal-2024-structured", "black-etal-1991-procedure")
METRICS = ("parseval", "struct_iou|cut:-=")
#: Which of the systems of treescore is scored, and how many rows a table has at most if nothing else is said.
SYSTEM, ROWS = "middling", 12
_COLUMNS = {
    "at most words": "count",
    "sentences": "count",
    "corpus level": "share",
    "mean of sentences": "share",
    "difference": "share",
}


def study(
    gold: Readable | None = None,
    test: Readable | Mapping[str, Readable] | None = None,
    metrics: Metrics = METRICS,
    *,
    step: int | None = None,
    threads: int | None = None,
    steps: Steps | None = None,
) -> Study:
    """Score the sentences of at most `step` words, of twice as many, and so on, on both levels and by each metric.

    Without a step there are about a dozen rows. The figure has more points.
    """
    if step is not None:
        check_whole(step, "the words between two rows")
    made = as_metrics(metrics)
    bank, systems, called = given(gold, test, usual=(SYSTEM,))
    if len(systems) != 1:
        raise UsageError(f"this study is about one system, and here are {number_of(len(systems), 'system')}")
    report = evaluate(bank, next(iter(systems.values())), made, threads=threads)
    titles = short_titles(made, report.scores)
    tables, details = [], []
    for number in range(len(made)) if steps is None else steps.over(len(made)):
        signature = report.scores[number].signature
        every = levels(report, signature)
        details.append(_table(f"{titles[number]}, more lengths", every, detail=True))
        chosen = step or _round_step(max(every.lengths, default=1))
        tables.append(_table(titles[number], levels(report, signature, step=chosen)))
    return Study(
        name="length",
        title=f"{' and '.join(titles)} by maximal length",
        question="How do sentence level and corpus level part as sentences grow?",
        settings={"data": called, "metrics": " and ".join(metric.signature for metric in made)},
        tables=[*tables, *details],
        says=_said(tables),
        problems=report.problems,
        cites=[*dict.fromkeys((*CITES[:1], *(key for metric in made for key in metric.cites)))],
    )


def _round_step(longest: int) -> int:
    """5, 10, 20, 50, 100, …: the first that gives no more than the usual number of rows."""
    power = 1
    while longest > ROWS * 20 * power:
        power *= 10
    return next(size * power for size in (5, 10, 20) if longest <= ROWS * size * power)


def _table(title: str, found: Levels, *, detail: bool = False) -> Table:
    rows = []
    for length, n, corpus, mean in zip(found.lengths, found.n, found.corpus, found.mean, strict=True):
        rows.append((length, n, corpus, mean, None if corpus is None or mean is None else corpus - mean))
    return Table(title, _COLUMNS, rows, detail=detail)


def _said(tables: Sequence[Table]) -> str:
    said, falling = [], []
    for table in tables:
        rows = [row for row in table.records() if row["difference"] is not None]
        if not rows:
            said.append(f"{table.title} has no value on either level.")
            continue
        first, last = rows[0], rows[-1]
        corpus, mean, before = last["corpus level"], last["mean of sentences"], first["mean of sentences"]
        apart = f"{100 * abs(last['difference']):.2f} points apart"
        widest = max(rows, key=lambda row: abs(row["difference"]))
        if widest is not last:
            gap = 100 * abs(widest["difference"])
            apart += f" (most of all {gap:.2f}, in those of up to {number_of(widest['at most words'], 'word')})"
        everything = number_of(last["sentences"], "sentence")
        said.append(
            f"{table.title} of all {everything} is {100 * corpus:.2f} on corpus level and {100 * mean:.2f} as the mean "
            f"of sentences, {apart}."
        )
        if first is not last:
            said.append(
                f"The mean of those of up to {number_of(first['at most words'], 'word')} is {100 * before:.2f}."
            )
            falling.append(corpus < mean < before)
    if falling and all(falling):
        said.append("So long sentences score lower here, and they weigh more on corpus level.")
    return " ".join(said)


def draw(study: Study, figure: Figure) -> None:
    """Two lines for each metric."""
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
    axes.set_xlabel("sentences of at most so many words")
    axes.xaxis.set_major_locator(round_numbers())
    axes.set_ylabel("score" if len(details) > 1 else plain(study.tables[0].title))
    percent_limits(axes, values)
    legend_below(axes)
    axes.set_title(plain(study.title), fontsize=10)
    return None
