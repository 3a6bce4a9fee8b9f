"""The effect of moved, inserted or deleted word boundaries on STRUCT-IOU (Shi, Gimpel and Livescu 2024, figure 5).

>>> trees = ["(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))"] * 3
>>> result = study(trees, deltas=[0.5, 1.0], runs=2)
>>> for row in result.table("perturbed gold against gold").rows[-1:]:
...     print(row[0], row[1], round(row[2], 3))
delete 1.0 0.444
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from math import fsum, sqrt

from ..helpers.files import packaged
from ..helpers.steps import Steps
from ..helpers.threads import count_threads
from ..metrics import get
from ..metrics.struct_iou import StructIou
from ..place.axis import SECONDS, WORDS, axis_named
from ..place.pair import Pair
from ..place.seconds import placed
from ..readers.sources import read
from ..scoring.tally import score_pair
from ..speech.perturb import AXES, OPERATIONS, perturb
from ..values.problem import InputError, Problem, UsageError, check_whole
from . import one_word
from .base import Study, Table
from .examples import called, gold_and_test
from .one_word import Utterances

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeVar

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..metrics.base import Metric
    from ..place.axis import Axis
    from ..readers.sources import Readable
    from ..speech.perturb import Parser
    from ..trees import Treebank
    from ..values.score import Score
    from ..words.utterance import Utterances as SpokenWords

    _T = TypeVar("_T")

CITES = ("shi-etal-2024-structured",)
SIZE = (11.0, 5.0)
DELTAS = tuple(number / 10 for number in range(1, 11))
#: Run k of a seed uses the seed times this number plus k, so that seeds share no runs.
SEEDS_APART = 1_000_000
GOLD, TEST = "perturbed gold against gold", "perturbed test against gold"
#: Without silence, as in the paper, and without function tags, as in the other studies.
SIGNATURE = "struct_iou|axis:seconds|gaps:close|cut:-="
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
#: Thresholds of scores in the findings.
_MARKS = (0.9, 0.75, 0.5)


def study(
    gold: Readable | None = None,
    test: Readable | None = None,
    *,
    times: SpokenWords | None = None,
    attach: str = "auto",
    axis: str | Axis | None = None,
    operations: Iterable[str] = OPERATIONS,
    deltas: Iterable[float] = DELTAS,
    runs: int = 5,
    seed: int = 1,
    metric: str | Metric = SIGNATURE,
    parser: Parser | str | None = None,
    threads: int | None = None,
    steps: Steps | None = None,
) -> Study:
    """Perturb gold trees and `test` by each operation and each δ, several times, and score them against gold.

    `times` are the words with times of gold and test, as returned by `read_times`. On the axis of "words", the default
    without times, every word is one second long. If the metric has gaps:close, as in the paper, silence between words
    is also removed before boundaries are perturbed. `parser` parses the words after deletions; see
    `treescore.perturb`. Run k of a seed calls `perturb` with the seed 1,000,000 · `seed` + k. `steps` counts perturbed
    treebanks.

    >>> result = study(["(S (A a) (B b))"], operations=["insert"], deltas=[1], runs=1)
    >>> [(round(row[2], 3), row[3]) for row in result.table(GOLD).rows]
    [(0.688, None)]
    """
    scored_by = _metric(metric)
    operations, deltas = _listed(operations, "operations"), _listed(deltas, "deltas")
    _check(operations, deltas, runs, seed)
    if gold is None and test is not None:
        raise UsageError("there are test trees, but no gold trees to score them against")
    if gold is None and times is not None:
        raise UsageError("there are words with times, but no gold trees that they belong to")
    if parser is not None and "delete" not in operations:
        raise UsageError("a parser needs the operation delete")
    if gold is None:
        gold = read(packaged("demo.gold.mrg"), name="demo.gold.mrg")
    sides = list(gold_and_test(gold, test))
    if axis is None:
        axis = WORDS if times is None and not sides[0].native.has_times() else SECONDS
    axis = axis_named(axis, AXES)
    sides, attached = _placed(sides, times, attach, axis)
    scoring = _Scoring(scored_by, sides[0], count_threads(threads, len(sides[0])))
    perturbations = [(operation, float(delta)) for operation in operations for delta in deltas]
    numbers = (steps or Steps()).over(len(sides) * len(perturbations) * runs)
    utterances = Utterances(sides[0], axis=axis)
    means: dict[tuple[str, float], list[tuple[float | None, float | None]]] = {}
    tables = []
    for title, side in zip((GOLD, TEST), sides, strict=False):
        rows: list[tuple[str | float | None, ...]] = []
        if title == TEST:
            rows.append((_NONE, 0.0, *_row([_scores(scoring.of(side))])))
        for operation, delta in perturbations:
            used_parser = parser if operation == "delete" else None
            change = partial(
                perturb, operation=operation, delta=delta, parser=used_parser, gaps=scored_by.gaps or "keep"
            )
            scores = []
            for run in range(SEEDS_APART * seed + 1, SEEDS_APART * seed + runs + 1):
                next(numbers)
                score = scoring.of(change(side, seed=run))
                scores.append(_scores(score))
                if title == GOLD:
                    examples = utterances.examples
                    split = examples and scoring.of(change(examples, seed=run), examples).counts
                    means.setdefault((operation, delta), []).append(utterances.means(score.counts, split or None))
            rows.append((operation, delta, *_row(scores)))
        tables.append(Table(title, _COLUMNS, rows))
    next(numbers, None)  # the last step is done
    settings: dict[str, str | int | float] = {
        "metric": scored_by.signature,
        "runs": runs,
        "seed": seed,
        "axis": axis.name if axis.needs_times else f"{axis}, each one second long",
        "one-word utterances": utterances.description,
        **{name: called(side) for name, side in zip(("gold", "test"), sides, strict=False)},
    }
    if attached is not None:
        settings["times"] = f"{times.name if times is not None else ''}, attached by {attached}"
    if "delete" in operations:
        settings["after deletions"] = "the joined word replaces its first part"
        if parser is not None:
            settings["after deletions"] = f"parsed again by {parser if isinstance(parser, str) else 'a function'}"
    by_words = one_word.table(means)
    return Study(
        name="perturbation",
        title="Perturbed word boundaries",
        question="How does STRUCT-IOU change if word boundaries are moved (noise), inserted or deleted?",
        settings=settings,
        tables=(*tables, by_words),
        findings="\n".join(filter(None, [*(_findings(table, runs) for table in tables), one_word.findings(by_words)])),
        problems=tuple(scoring.problems),
        cites=CITES,
    )


def _metric(metric: str | Metric) -> StructIou:
    scorer = get(metric)
    if not isinstance(scorer, StructIou) or not scorer.needs_times:
        raise UsageError(
            f"this study needs STRUCT-IOU over time: struct_iou|axis:seconds with any options, not {metric}"
        )
    return scorer


def _listed(values: Iterable[_T], what: str) -> list[_T]:
    """A list of settings; a string or a single number is an error."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise UsageError(f"{what} must be a list, not {values!r}")
    return list(values)


def _check(operations: Sequence[str], deltas: Sequence[float], runs: int, seed: int) -> None:
    """Raise errors for settings that `perturb` would find late, or not at all."""
    check_whole(runs, "runs")
    check_whole(seed, "seed", 0)
    if runs >= SEEDS_APART:
        raise UsageError(f"runs must be less than {SEEDS_APART:,}, not {runs:,}")
    if not operations or any(operation not in OPERATIONS for operation in operations):
        raise UsageError(f"operations must be some of {', '.join(OPERATIONS)}, not {operations!r}")
    if not deltas or not all(_is_share(delta) for delta in deltas):
        raise UsageError(f"deltas must be numbers from 0 to 1, not {deltas!r}")
    for what, values in (("operation", operations), ("delta", deltas)):
        if len(set(values)) < len(values):
            raise UsageError(f"one {what} is given twice: {values!r}")


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _placed(
    sides: list[Treebank], times: SpokenWords | None, attach: str, axis: Axis
) -> tuple[list[Treebank], str | None]:
    """The trees with times, and how they were paired with their words."""
    if not axis.needs_times:
        if times is not None:
            raise UsageError("times and the axis of words do not go together: there every word is one second long")
        sides = [perturb(side, "noise", 0, axis=axis) for side in sides]
        for side in sides:
            if side.native.leaf_total() and not side.native.has_times():
                message = f"no tree can be perturbed; the first problem: {side.problems[-1].message}"
                raise InputError(Problem("discontinuous", message, file=side.source.name))
        return sides, None
    attached = None
    if times is not None:
        results = [placed(side, times, attach=attach) for side in sides]
        sides, attached = [side for side, _ in results], results[0][1]
    for side in sides:
        side.check_times("give words with times, or use the axis of words, on which each is one second long")
    return sides, attached


class _Scoring:
    """Scores many test sides against the same gold trees; each problem is kept once."""

    def __init__(self, metric: StructIou, gold: Treebank, threads: int) -> None:
        self._metric, self._gold, self._threads = metric, gold, threads
        self.problems: dict[Problem, None] = dict.fromkeys(gold.problems)

    def of(self, trees: Treebank, gold: Treebank | None = None) -> Score:
        """The score against gold, or against other trees."""
        report = score_pair([self._metric], Pair(gold or self._gold, trees), threads=self._threads)
        self.problems.update(dict.fromkeys(report.problems))
        return report.scores[0]


def _scores(score: Score) -> tuple[float | None, float | None, int]:
    """The corpus score, the mean of sentences, and their number."""
    return score.figures["corpus"].value, score.figures["sentence"].value, score.counts.total()["valid"]


def _row(scores: Sequence[tuple[float | None, float | None, int]]) -> tuple[float | None, ...]:
    """Mean and standard deviation of both figures over runs, and the number of sentences scored in every run."""
    corpus, sentences, scored = zip(*scores, strict=True)
    return *mean_and_deviation(corpus), *mean_and_deviation(sentences), min(scored)


def mean_and_deviation(values: Iterable[float | None]) -> tuple[float | None, float | None]:
    """The mean and the sample standard deviation (over n - 1); None if undefined.

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
# Findings


def _lines(table: Table) -> dict[str, list[tuple[float, float]]]:
    """By operation: the defined corpus scores, sorted by δ."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in table.records():
        if row["operation"] != _NONE and row["corpus"] is not None:
            lines.setdefault(str(row["operation"]), []).append((row["δ"], row["corpus"]))
    return {operation: sorted(points) for operation, points in lines.items()}


def _findings(table: Table, runs: int) -> str:
    lines = _lines(table)
    lead = f"{table.title[0].upper()}{table.title[1:]}: "
    if not lines:
        return f"{lead}no sentence could be scored."
    sentences = []
    undisturbed = next((row["corpus"] for row in table.records() if row["operation"] == _NONE), None)
    if undisturbed is not None:
        sentences.append(f"Without perturbation, the test trees score {100 * undisturbed:.2f}.")
    sentences.append(_findings_on_ends(lines))
    sentences += _findings_on_gaps(table, lines)
    sentences += _findings_on_falling(lines)
    for mark in _MARKS:
        if undisturbed is None or undisturbed >= mark:
            sentences += _findings_on_mark(lines, mark)
    if runs > 1:
        spread = [row for row in table.records() if row["corpus sd"] is not None]
        widest = max(spread, key=lambda row: row["corpus sd"], default=None)
        if widest is not None:
            sentences.append(
                f"Over {runs} runs the standard deviation is at most {100 * widest['corpus sd']:.2f} "
                f"({widest['operation']}, δ = {widest['δ']:g})."
            )
    return lead + " ".join(sentences)


def _findings_on_ends(lines: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """The lowest line at the largest common δ; equal printed values are ties."""
    shared = set.intersection(*({delta for delta, _ in points} for points in lines.values()))
    if not shared:
        return "There is no δ at which all operations have a score."
    largest = max(shared)
    ends = {operation: f"{100 * dict(points)[largest]:.2f}" for operation, points in lines.items()}
    ordered = sorted(ends, key=lambda operation: float(ends[operation]))
    if len(ordered) == 1:
        return f"At δ = {largest:g} the score is {ends[ordered[0]]}."
    lowest = [operation for operation in ordered if ends[operation] == ends[ordered[0]]]
    shown = ", ".join(f"{operation} {ends[operation]}" for operation in ordered)
    if len(lowest) == len(ordered):
        return f"At δ = {largest:g}, all scores are equal: {shown}."
    return f"At δ = {largest:g}, {' and '.join(lowest)} {'hurts' if len(lowest) == 1 else 'hurt'} most: {shown}."


def _findings_on_gaps(table: Table, lines: Mapping[str, object]) -> list[str]:
    """The operations without a score, everywhere or at some δ."""
    gaps: dict[str, list[str]] = {}
    for row in table.records():
        if row["operation"] != _NONE and row["corpus"] is None:
            gaps.setdefault(str(row["operation"]), []).append(f"{row['δ']:g}")
    return [
        f"With {operation} there is no score{' at δ = ' + ', '.join(deltas) if operation in lines else ''}."
        for operation, deltas in gaps.items()
    ]


def _findings_on_falling(lines: Mapping[str, Sequence[tuple[float, float]]]) -> list[str]:
    """Where the score falls with δ."""
    if all(a[1] > b[1] for points in lines.values() for a, b in pairwise(points)):
        steps = any(len(points) > 1 for points in lines.values())
        return [f"{'All scores fall' if len(lines) > 1 else 'The score falls'} with every step of δ."] if steps else []
    sentences = []
    for operation, points in lines.items():
        rises = [(a[0], b[0]) for a, b in pairwise(points) if b[1] >= a[1]]
        if rises:
            where = " and ".join(f"from {a:g} to {b:g}" for a, b in rises[:3])
            sentences.append(f"With {operation} the score does not fall {where}{' and further on' * (len(rises) > 3)}.")
    return sentences


def _findings_on_mark(lines: Mapping[str, Sequence[tuple[float, float]]], mark: float) -> list[str]:
    """The first δ of each line below a score."""
    operations_at: dict[str, list[str]] = {}
    for operation, points in lines.items():
        below = [delta for delta, score in points if score < mark]
        if not below:
            continue
        where = f"first at δ = {below[0]:g}"
        if below == [delta for delta, _ in points if delta >= below[0]]:
            where = f"from δ = {below[0]:g} on" if len(below) > 1 else f"at δ = {below[0]:g}"
        operations_at.setdefault(where, []).append(operation)
    if not operations_at:
        return []
    only = " only" * (sum(map(len, operations_at.values())) < len(lines))
    parts = [
        f"{where} ({', '.join(operations)}{only * (len(operations_at) == 1)})"
        for where, operations in operations_at.items()
    ]
    return [f"The score is below {100 * mark:g} {', '.join(parts)}."]


# ---------------------------------------------------------------------------------------------------------------------
# The figure


def draw(study: Study, figure: Figure) -> None:
    """The corpus scores as a line per operation, a panel per table; then means by share of one-word utterances."""
    from ..plots.look import label_rows, legend_above, side_by_side

    tables = [table for table in study.tables if not table.detail]
    panels = side_by_side(figure, len(tables) + 2, sharey=True)
    for axes, table in zip(panels, tables, strict=False):
        _draw_table(axes, table)
    means = study.table(one_word.TITLE)
    for axes, column, share in zip(panels[-2:], (one_word.SEVERAL, one_word.MIXED), (0.0, one_word.SHARE), strict=True):
        lines: dict[str, list[tuple[float, float, float]]] = {}
        for row in means.records():
            if row[column] is not None:
                lines.setdefault(str(row["operation"]), []).append((row["δ"], row[column], 0.0))
        _draw_lines(axes, lines, f"means of sentences,\n{100 * share:g} % have one word")
    label_rows(panels, "STRUCT-IOU (%)")
    shown = panels[0].get_legend_handles_labels()
    if shown[0]:
        several = any(row["corpus sd"] is not None for table in tables for row in table.records())
        title = f"mean of {study.settings['runs']} runs; bars: ± 1 standard deviation" if several else None
        legend_above(figure, *shown, title=title)


def _draw_table(axes: Axes, table: Table) -> None:
    from ..plots.look import GREY

    deviations = {(row["operation"], row["δ"]): row["corpus sd"] or 0.0 for row in table.records()}
    lines = {
        operation: [(delta, score, deviations[operation, delta]) for delta, score in points]
        for operation, points in _lines(table).items()
    }
    _draw_lines(axes, lines, f"{table.title},\ncorpus level")
    undisturbed = next((row["corpus"] for row in table.records() if row["operation"] == _NONE), None)
    if undisturbed is not None:
        height = 100 * undisturbed
        axes.axhline(height, color=GREY, linewidth=1.0, linestyle=":")
        axes.text(1.04, height + 1, "undisturbed", ha="right", fontsize="small", color=GREY)


def _draw_lines(axes: Axes, lines: Mapping[str, Sequence[tuple[float, float, float]]], title: str) -> None:
    """A line for each operation through points of δ, score and standard deviation."""
    from ..draw.colours import PALETTE
    from ..plots.look import LINES, MARKERS, PALE

    for operation, points in lines.items():
        number = OPERATIONS.index(operation)
        axes.errorbar(
            [delta for delta, _, _ in points],
            [100 * score for _, score, _ in points],
            yerr=[100 * deviation for _, _, deviation in points],
            color=PALETTE[number % len(PALETTE)],
            marker=MARKERS[number % len(MARKERS)],
            markersize=4.5,
            linestyle=LINES[number % len(LINES)],
            linewidth=1.5,
            elinewidth=1.0,
            capsize=3.0 if any(deviation for _, _, deviation in points) else 0.0,
            label=operation,
        )
    axes.set_title(title, fontsize="medium")
    axes.set_xlabel("δ")
    axes.set_xlim(0.0, 1.05)
    axes.set_ylim(0.0, 101.0)
    axes.grid(axis="y", color=PALE, linewidth=0.6)
    axes.set_axisbelow(True)
