"""What STRUCT-IOU does if word boundaries are moved, inserted or deleted (Shi, Gimpel and Livescu 2024, figure 5).

>>> trees = ["(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))"] * 3
>>> made = study(trees, deltas=[0.5, 1.0], runs=2)
>>> for row in made.table("perturbed gold against gold").rows[-1:]:
...     print(row[0], row[1], round(row[2], 3))
delete 1.0 0.444
"""

from __future__ import annotations

from itertools import pairwise
from math import fsum, sqrt

from ..evaluation import check_readable, count_threads, read_both
from ..files import packaged
from ..metrics import get
from ..metrics.struct_iou import StructIou
from ..place.seconds import placed
from ..problem import UsageError, check_whole
from ..readers.sources import read
from ..speech.perturb import AXES, OPERATIONS, perturb
from ..steps import Steps
from .base import Study, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..metrics.base import Metric
    from ..problem import Problem
    from ..readers.sources import Readable
    from ..speech.perturb import Parser
    from ..trees import Treebank
    from ..words.utterance import Utterances

CITES = ("shi-etal-2024-structured",)
SIZE = (7.0, 4.6)
DELTAS = tuple(number / 10 for number in range(1, 11))
#: Run k of a seed perturbs with this many times the seed, plus k: no two seeds share a run.
SEEDS_APART = 1_000_000
GOLD, TEST = "perturbed gold against gold", "perturbed test against gold"
_SIGNATURE = "struct_iou|axis:seconds"
_NONE = "none"
_COLUMNS = {
    "operation": "text",
    "δ": "number",
    "corpus": "share",
    "corpus sd": "share",
    "sentences": "share",
    "sentences sd": "share",
    "scored": "count",
}
#: Scores below which lines are said to fall.
_MARKS = (0.9, 0.75, 0.5)


def study(
    gold: Readable | None = None,
    test: Readable | None = None,
    *,
    times: Utterances | None = None,
    attach: str = "auto",
    axis: str | None = None,
    operations: Sequence[str] = OPERATIONS,
    deltas: Sequence[float] = DELTAS,
    runs: int = 5,
    seed: int = 0,
    metric: str | Metric = _SIGNATURE,
    parser: Parser | str | None = None,
    threads: int | None = None,
    steps: Steps | None = None,
) -> Study:
    """Perturb gold trees, and those of `test`, in each way by each δ, some times over, and score them against gold.

    `times` are words and when they were spoken, of gold and test alike, as `read_times` gives them. On the axis of
    "words", the default where there are no times, every word is one second long. `parser` is asked for new trees after
    deletions; see `treescore.perturb`. Run k of a seed makes the trees that `perturb` makes with the seed
    1,000,000 · `seed` + k. `steps` counts perturbed treebanks.

    >>> made = study(["(S (A a) (B b))"], operations=["insert"], deltas=[1], runs=1)
    >>> [(round(row[2], 3), row[3]) for row in made.table(GOLD).rows]
    [(0.566, None)]
    """
    scored_by = _metric(metric)
    _check(operations, deltas, runs, seed)
    if gold is None and test is not None:
        raise UsageError("there are test trees, but no gold trees to score them against")
    if parser is not None and "delete" not in operations:
        raise UsageError("a parser goes with delete, which is not among the operations")
    sides = _read(gold, test)
    if axis is None:
        axis = "words" if times is None and not sides[0].native.has_times() else "seconds"
    sides, attached = _placed(sides, times, attach, axis)
    scoring = _Scoring(scored_by, sides[0], count_threads(threads, len(sides[0])))
    wanted = [(operation, float(delta)) for operation in operations for delta in deltas]
    numbers = (steps or Steps()).over(len(sides) * len(wanted) * runs)
    tables = []
    for title, side in zip((GOLD, TEST), sides, strict=False):
        rows: list[tuple[str | float | None, ...]] = []
        if title == TEST:
            rows.append((_NONE, 0.0, *_row([scoring.of(side)])))
        for operation, delta in wanted:
            asked = parser if operation == "delete" else None
            found = []
            for run in range(1, runs + 1):
                next(numbers)
                made = perturb(side, operation, delta, seed=SEEDS_APART * seed + run, parser=asked)
                found.append(scoring.of(made))
            rows.append((operation, delta, *_row(found)))
        tables.append(Table(title, _COLUMNS, rows))
    next(numbers, None)  # the last step is done
    settings: dict[str, str | int | float] = {
        "metric": scored_by.signature,
        "runs": runs,
        "seed": seed,
        "axis": "seconds" if axis == "seconds" else "words, each one second long",
        "gold": sides[0].source.name or "gold",
    }
    if len(sides) > 1:
        settings["test"] = sides[1].source.name or "test"
    if attached is not None:
        settings["times"] = f"{times.name if times is not None else ''}, attached by {attached}"
    if "delete" in operations:
        settings["after deletions"] = "the joined word stands where its first part stood"
        if parser is not None:
            settings["after deletions"] = f"parsed again by {parser if isinstance(parser, str) else 'a function'}"
    return Study(
        name="perturbation",
        title="Perturbed word boundaries",
        question="What does STRUCT-IOU do if word boundaries are moved (noise), inserted or deleted?",
        settings=settings,
        tables=tables,
        says="\n".join(_says(table, runs) for table in tables),
        problems=list(scoring.problems),
        cites=CITES,
    )


def _metric(metric: str | Metric) -> StructIou:
    made = get(metric)
    if not isinstance(made, StructIou) or made.axis != "seconds":
        raise UsageError(f"this study is about STRUCT-IOU over time: {_SIGNATURE} and its options, not {metric}")
    return made


def _check(operations: Sequence[str], deltas: Sequence[float], runs: int, seed: int) -> None:
    """Errors for settings that `perturb` would find only later, or not at all."""
    check_whole(runs, "runs")
    check_whole(seed, "seed", 0)
    if runs >= SEEDS_APART:
        raise UsageError(f"runs must be less than {SEEDS_APART:,}, not {runs:,}")
    if isinstance(operations, str) or not operations or not set(operations) <= set(OPERATIONS):
        raise UsageError(f"operations must be some of {', '.join(OPERATIONS)}, not {operations!r}")
    numbers = [delta for delta in deltas if isinstance(delta, int | float) and 0 <= delta <= 1]
    if not numbers or len(numbers) < len(deltas):
        raise UsageError(f"deltas must be numbers from 0 to 1, not {deltas!r}")
    for what, values in (("operation", operations), ("delta", deltas)):
        if len(set(values)) < len(values):
            raise UsageError(f"one {what} is there twice: {values!r}")


def _read(gold: Readable | None, test: Readable | None) -> list[Treebank]:
    """Gold, and test if there is one."""
    if gold is None:
        return [read(packaged("demo.gold.mrg"), name="demo.gold.mrg")]
    if test is not None:
        return list(read_both(gold, test))
    bank = read(gold, on_error="keep")
    check_readable(bank)
    return [bank]


def _placed(
    sides: list[Treebank], times: Utterances | None, attach: str, axis: str
) -> tuple[list[Treebank], str | None]:
    """The trees with times, and how they found them."""
    if axis not in AXES:
        raise UsageError(f"axis must be one of {', '.join(AXES)}, not {axis!r}")
    if axis == "words":
        if times is not None:
            raise UsageError("times and the axis of words do not go together: there every word is one second long")
        return [perturb(side, "noise", 0, axis="words") for side in sides], None
    attached = None
    if times is not None:
        found = [placed(side, times, attach=attach) for side in sides]
        sides, attached = [side for side, _ in found], found[0][1]
    for side in sides:
        side.check_times("give words with times, or use the axis of words, on which each is one second long")
    return sides, attached


class _Scoring:
    """Trees against the same gold trees, over and over; each problem is kept once."""

    def __init__(self, metric: StructIou, gold: Treebank, threads: int) -> None:
        self._metric, self._gold, self._threads = metric, gold, threads
        self.problems: dict[Problem, None] = dict.fromkeys(gold.problems)

    def of(self, trees: Treebank) -> tuple[float | None, float | None, int]:
        """The score of the corpus, the mean of sentences, and of how many."""
        counts = self._metric.counts(self._gold, trees, threads=self._threads)
        self.problems.update(dict.fromkeys(trees.problems))
        self.problems.update(dict.fromkeys(self._metric.problems(self._gold, trees, counts)))
        figures = self._metric.score(counts).figures
        return figures["corpus"].value, figures["sentence"].value, counts.total()["valid"]


def _row(found: Sequence[tuple[float | None, float | None, int]]) -> tuple[float | None, ...]:
    """Mean and standard deviation over runs, of both figures, and how many sentences have one in every run."""
    corpus, sentences, scored = zip(*found, strict=True)
    return *mean_and_deviation(corpus), *mean_and_deviation(sentences), min(scored)


def mean_and_deviation(values: Iterable[float | None]) -> tuple[float | None, float | None]:
    """The mean, and the standard deviation of a sample (over n - 1); None where there is none.

    >>> mean_and_deviation([0.5, 0.75, 1.0]), mean_and_deviation([0.5]), mean_and_deviation([0.5, None])
    ((0.75, 0.25), (0.5, None), (None, None))
    """
    numbers = list(values)
    known = [value for value in numbers if value is not None]
    if not known or len(known) < len(numbers):
        return None, None
    mean = fsum(known) / len(known)
    if len(known) == 1:
        return mean, None
    return mean, sqrt(fsum((value - mean) ** 2 for value in known) / (len(known) - 1))


# ---------------------------------------------------------------------------------------------------------------------
# What one sees


def _lines(table: Table) -> dict[str, list[tuple[float, float]]]:
    """By operation: δ and the mean over all counts, in the order of δ, where it is defined."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in table.records():
        if row["operation"] != _NONE and row["corpus"] is not None:
            lines.setdefault(str(row["operation"]), []).append((_number(row["δ"]), _number(row["corpus"])))
    return {operation: sorted(points) for operation, points in lines.items()}


def _number(cell: object) -> float:
    if not isinstance(cell, int | float):
        raise TypeError(f"not a number: {cell!r}")
    return cell


def _says(table: Table, runs: int) -> str:
    lines = _lines(table)
    if not lines:
        return f"{table.title}: no sentence could be scored."
    said = []
    undisturbed = next((row["corpus"] for row in table.records() if row["operation"] == _NONE), None)
    if undisturbed is not None:
        said.append(f"Undisturbed, the test trees score {100 * _number(undisturbed):.2f}.")
    last = {operation: points[-1] for operation, points in lines.items()}
    ordered = sorted(last, key=lambda operation: last[operation][1])
    ends = ", ".join(f"{operation} {100 * last[operation][1]:.2f}" for operation in ordered)
    largest = last[ordered[0]][0]
    if len(ordered) > 1:
        said.append(f"At δ = {largest:g}, {ordered[0]} hurts most: {ends}.")
    else:
        said.append(f"At δ = {largest:g} the score is {100 * last[ordered[0]][1]:.2f}.")
    falling = [operation for operation, points in lines.items() if all(a[1] > b[1] for a, b in pairwise(points))]
    if len(falling) == len(lines) and any(len(points) > 1 for points in lines.values()):
        said.append(f"{'All lines fall' if len(lines) > 1 else 'The line falls'} with every step of δ.")
    else:
        for operation, points in lines.items():
            rises = [(a[0], b[0]) for a, b in pairwise(points) if b[1] >= a[1]]
            if rises:
                where = " and ".join(f"from {a:g} to {b:g}" for a, b in rises[:3])
                said.append(f"With {operation} the score does not fall {where}{' and further on' * (len(rises) > 3)}.")
    for mark in _MARKS:
        if undisturbed is not None and _number(undisturbed) < mark:
            continue
        below = [
            f"{delta:g} ({operation})"
            for operation, points in lines.items()
            for delta in [delta for delta, score in points if score < mark][:1]
        ]
        if below:
            only = " only" * (len(below) < len(lines))
            said.append(f"It falls below {100 * mark:g}{only} at δ = {', '.join(below)}.")
    if runs > 1:
        spread = [row for row in table.records() if row["corpus sd"] is not None]
        widest = max(spread, key=lambda row: _number(row["corpus sd"]), default=None)
        if widest is not None:
            said.append(
                f"Over {runs} runs the standard deviation is at most {100 * _number(widest['corpus sd']):.2f} "
                f"({widest['operation']}, δ = {_number(widest['δ']):g})."
            )
    lead = f"{table.title[0].upper()}{table.title[1:]}: "
    return lead + " ".join(said)


# ---------------------------------------------------------------------------------------------------------------------
# The figure


def draw(study: Study, figure: Figure) -> None:
    """A line for each operation, over all counts, with its standard deviation; a panel for each table."""
    panels = figure.subplots(1, len(study.tables), sharey=True, squeeze=False)[0]
    for axes, table in zip(panels, study.tables, strict=True):
        _panel(axes, table)
    panels[0].set_ylabel("STRUCT-IOU, corpus level (%)")
    if panels[0].get_legend_handles_labels()[1]:
        panels[0].legend(frameon=False, loc="lower left")


def _panel(axes: Axes, table: Table) -> None:
    from ..draw.colours import PALETTE
    from ..plots.look import GREY, MARKERS, PALE

    deviations = {(row["operation"], row["δ"]): row["corpus sd"] for row in table.records()}
    for number, (operation, points) in enumerate(_lines(table).items()):
        colour = PALETTE[number % len(PALETTE)]
        errors = [100 * _number(deviations[operation, delta] or 0.0) for delta, _ in points]
        axes.errorbar(
            [delta for delta, _ in points],
            [100 * score for _, score in points],
            yerr=errors,
            color=colour,
            marker=MARKERS[number % len(MARKERS)],
            markersize=4.5,
            linewidth=1.5,
            elinewidth=1.0,
            capsize=3.0,
            label=operation,
        )
    undisturbed = next((row["corpus"] for row in table.records() if row["operation"] == _NONE), None)
    if undisturbed is not None:
        height = 100 * _number(undisturbed)
        axes.axhline(height, color=GREY, linewidth=1.0, linestyle=":")
        axes.text(1.04, height + 1, "undisturbed", ha="right", fontsize=8, color=GREY)
    axes.set_title(table.title, fontsize=10)
    axes.set_xlabel("δ")
    axes.set_xlim(0.0, 1.05)
    axes.set_ylim(0.0, 101.0)
    axes.grid(axis="y", color=PALE, linewidth=0.6)
    axes.set_axisbelow(True)
