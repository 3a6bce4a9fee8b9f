"""Sensitivity of scores of parsed speech to wrong words, wrong sentence boundaries and edits (Roark et al. 2006).

Errors are simulated in the test trees; see `recognition`. Each conversation side is aligned and scored as a whole.

>>> result = study(rates=[0.2], thresholds=[0.5], runs=1)
>>> [table.title for table in result.tables][:3]
['scores by word errors', 'scores by sentence boundaries', 'scores with and without edits']
>>> result.table("scores by word errors").records()[1]["head F1"] < 0.8
True
"""

from __future__ import annotations

from itertools import product
from math import inf

from ..helpers.files import packaged
from ..helpers.steps import Steps
from ..helpers.text import number_of
from ..readers.sources import read
from ..significance.variance import Variance, repeated_measures
from ..speech.perturb import CommandParser
from ..values.problem import Problem, UsageError
from .base import Study, Table
from .examples import called
from .recognition import Recogniser
from .sides import ALIGNED, EDITS, KINDS, LABELS, MEASURES, USUAL, Experiment, Plan, Sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..readers.sources import Readable
    from ..speech.perturb import Parser
    from ..trees import Treebank
    from .base import Cell
    from .sides import Condition, Kind

CITES = ("roark-etal-2006-sparseval",)
SIZE = (11.0, 4.8)

RATES = (0.0, 0.1, 0.2, 0.3, 0.4)
THRESHOLDS = (0.2, 0.35, 0.5, 0.65, 0.8)
#: Default proportions of substitutions, deletions and insertions.
ERRORS = (3.0, 1.0, 1.0)
RUNS, SEED = 3, 1

WORDS, BOUNDARIES, WITH_EDITS, BY_SIDE = (
    "scores by word errors",
    "scores by sentence boundaries",
    "scores with and without edits",
    "scores by side",
)
#: The end of the titles of detail tables.
OTHER_KINDS = ", other kinds of scores"
_TRUE = "true"
_DEPENDENCIES = ("head", "open-class")
#: Detailed analyses that also include the ways of measuring.
_WAYS = ("variance of dependency F1", "variance of aligned F1")
#: Points of F1 below which differences are invisible, or small; and the level of significance.
_VISIBLE, _SMALL, _LEVEL = 0.005, 1.0, 0.05


def study(
    gold: Readable | None = None,
    test: Readable | None = None,
    *,
    units: Sequence[str] | None = None,
    rates: Iterable[float] = RATES,
    thresholds: Iterable[float] = THRESHOLDS,
    edits: Iterable[str] = EDITS,
    errors: Sequence[float] = ERRORS,
    runs: int = RUNS,
    seed: int = SEED,
    heads: str = "collins",
    parser: Parser | str | None = None,
    threads: int | None = None,
    steps: Steps | None = None,
) -> Study:
    """Scores under all combinations of word errors, boundary errors and edits, and an analysis of variance over sides.

    `rates` are the probabilities of word errors, `errors` the proportions of substitutions, deletions and insertions,
    `thresholds` the least posteriors of a sentence boundary. `edits` are some of "kept", "removed" (edits by the labels
    of the test trees) and "oracle" (edits by the labels of gold). The side of a sentence follows from its id, or from
    `units`, which has a name for each sentence. `parser` parses changed sentences: a function from lists of words to
    trees, or a command that reads a line of words per sentence and writes a tree per line. `steps` counts conditions.
    """
    if (gold is None) != (test is None):
        raise UsageError("this study needs both gold and test trees, or neither")
    plan = Plan(rates, thresholds, edits, runs)
    banks = conversation() if gold is None or test is None else (read(gold), read(test))
    sides = Sides(*banks, units)
    recogniser = Recogniser(sides.test, shares=errors, seed=seed)
    experiment = Experiment(plan, sides, recogniser, heads, threads, steps or Steps())
    experiment.run(CommandParser.of(parser))
    variances = _variances(experiment)
    left_out = _left_out(variances.values())
    settings: dict[str, str | int | float] = {
        "data": "bundled conversations" if gold is None else f"{called(banks[1])} against {called(banks[0])}",
        "sides": len(sides.names),
        "runs": runs,
        "seed": seed,
        "errors": "substituted : deleted : inserted = " + " : ".join(f"{share:g}" for share in errors),
        "trees": "original, split and joined" if parser is None else "reparsed if words or boundaries changed",
        "scores": experiment.metrics[USUAL].signature,
    }
    return Study(
        name="sensitivity",
        title="Sensitivity",
        question="How do wrong words, wrong sentence boundaries and edits affect scores of parsed speech?",
        settings=settings,
        tables=(
            *_tables(experiment),
            *(
                _variance_table(title, variance, detail=title in _WAYS)
                for title, variance in variances.items()
                if variance.effects and variance.n
            ),
        ),
        findings=_findings(experiment, variances),
        problems=(*banks[0].problems, *banks[1].problems, *sides.problems, *experiment.problems, *left_out),
        cites=CITES,
    )


def conversation() -> tuple[Treebank, Treebank]:
    """Gold and test trees of eight conversation sides, included in treescore.

    >>> gold, test = conversation()
    >>> len(gold), gold.ids[0], " ".join(gold.words(2))
    (96, 'allotment.A.01', 'I am uh , I planted beans along the fence .')
    """
    gold, test = (
        read(packaged(f"studies/conversation/{side}.tsv"), name=f"conversation.{side}") for side in ("gold", "test")
    )
    return gold, test


# ---- Tables


def _tables(experiment: Experiment) -> list[Table]:
    """The main tables, then the details."""
    aligned = [kind for kind in KINDS if kind[1] == USUAL[1]]
    parts = [
        _parted(_by_words(experiment), aligned),
        _parted(_by_boundaries(experiment), aligned),
        _parted(_by_edits(experiment), [USUAL]),
    ]
    return [*(shown for shown, _ in parts), _by_side(experiment), *(rest for _, rest in parts)]


def _parted(table: Table, kinds: Sequence[Kind]) -> tuple[Table, Table]:
    """The rows of these kinds of scores, and a detail table with other kinds, which hardly differ."""
    shown = [row for row in table.rows if row[:2] in kinds]
    rest = [row for row in table.rows if row[:2] not in kinds]
    return table.replace(rows=shown), Table(table.title + OTHER_KINDS, table.columns, rest, detail=True)


def _scores(experiment: Experiment, condition: Condition, kind: Kind) -> list[Cell]:
    return [experiment.f1(condition, kind, measure) for measure in MEASURES]


def _score_columns(lead: str = "") -> dict[str, str]:
    return {f"{lead}{measure} F1": "share" for measure in MEASURES}


def _by_words(experiment: Experiment) -> Table:
    _, threshold, edits = experiment.plan.plain
    rows: list[list[Cell]] = []
    for kind in KINDS:
        for rate in experiment.plan.rates:
            condition = rate, threshold, edits
            rows.append([*kind, rate, experiment.word_errors(condition), *_scores(experiment, condition, kind)])
    columns = {"labels": "text", "words": "text", "rate": "share", "word errors": "share", **_score_columns()}
    return Table(WORDS, columns, rows)


def _by_boundaries(experiment: Experiment) -> Table:
    rate, _, edits = experiment.plan.plain
    rows: list[list[Cell]] = []
    for kind in KINDS:
        for threshold in experiment.plan.thresholds:
            true, false, missed = experiment.boundaries[threshold]
            wrong = [number / true if true else None for number in (false, missed, false + missed)]
            if threshold is None:
                wrong = [0.0] * 3
            rows.append([*kind, _named(threshold), *wrong, *_scores(experiment, (rate, threshold, edits), kind)])
    columns = {"labels": "text", "words": "text", "threshold": "text"}
    columns |= {"false": "share", "missed": "share", "boundary errors": "share"}
    return Table(BOUNDARIES, {**columns, **_score_columns()}, rows)


def _by_edits(experiment: Experiment) -> Table:
    rows: list[list[Cell]] = []
    for kind in KINDS:
        for rate, threshold in experiment.usual_conditions():
            for edits in experiment.plan.edits:
                condition = rate, threshold, edits
                scores = _scores(experiment, condition, kind)
                rows.append([*kind, rate, _named(threshold), edits, experiment.word_errors(condition), *scores])
    columns = {"labels": "text", "words": "text", "rate": "share", "threshold": "text", "edits": "text"}
    return Table(WITH_EDITS, {**columns, "word errors": "share", **_score_columns()}, rows)


def _by_side(experiment: Experiment) -> Table:
    """The scores of each side without errors, and the mean over all conditions."""
    plain = [experiment.by_side(experiment.plan.plain, USUAL, measure) for measure in MEASURES]
    conditions = [condition for condition, _ in experiment.plan.conditions()]
    mean = []
    for measure in MEASURES:
        under_all = zip(*(experiment.by_side(condition, USUAL, measure) for condition in conditions), strict=True)
        mean.append([_mean(values) for values in under_all])
    rows = zip(
        experiment.sides.names,
        experiment.sides.sizes,
        experiment.words(experiment.plan.plain),
        *plain,
        *mean,
        strict=True,
    )
    columns = {"side": "text", "sentences": "count", "words": "count", **_score_columns()}
    return Table(BY_SIDE, {**columns, **_score_columns("mean ")}, rows)


def _named(threshold: float | None) -> str:
    return _TRUE if threshold is None else f"{threshold:g}"


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


# ---- Analysis of variance: sides are the units, everything else varies within them


def _variances(experiment: Experiment) -> dict[str, Variance]:
    """The effects of the conditions on each measure; with fewer levels also the effects of the ways of measuring."""
    plan, best = experiment.plan, experiment.best_threshold()
    factors: dict[str, Sequence[Any]] = {"words": plan.rates, "boundaries": plan.thresholds, "edits": plan.edits}
    few: dict[str, Sequence[Any]] = {
        "words": list(dict.fromkeys((0.0, plan.rates[-1]))),
        "boundaries": list(dict.fromkeys((None, best))),
    }
    variances = {
        f"variance of {measure} F1": _variance(experiment, {**factors, "measure": [measure]}, most=3)
        for measure in MEASURES
    }
    ways = {**factors, **few, "labels": LABELS}
    variances[_WAYS[0]] = _variance(experiment, {**ways, "alignment": ALIGNED, "measure": _DEPENDENCIES}, most=2)
    variances[_WAYS[1]] = _variance(experiment, {**ways, "measure": list(MEASURES)}, most=2)
    return variances


def _variance(experiment: Experiment, levels: dict[str, Sequence[Any]], *, most: int) -> Variance:
    """The effects of factors with several levels, and interactions of up to `most` factors."""
    factors = [name for name, values in levels.items() if len(values) > 1]
    if not factors:
        return Variance((), n=len(experiment.sides.names))
    cells = {}
    for chosen in product(*levels.values()):
        values = dict(zip(levels, chosen, strict=True))
        kind = values.get("labels", USUAL[0]), values.get("alignment", USUAL[1])
        condition = values["words"], values["boundaries"], values["edits"]
        cells[tuple(str(values[name]) for name in factors)] = experiment.by_side(condition, kind, values["measure"])
    variance = repeated_measures(cells, factors)
    return variance.replace(effects=tuple(effect for effect in variance.effects if effect.name.count(" × ") < most))


def _variance_table(title: str, variance: Variance, *, detail: bool) -> Table:
    columns = {"effect": "text", "df": "count", "error df": "count", "F": "number"}
    columns |= {"p": "p", "corrected p": "p", "partial η²": "number"}
    names = ("name", "freedom", "error_freedom", "f", "p", "corrected", "eta")
    rows = [[getattr(effect, name) for name in names] for effect in variance.effects]
    return Table(title, columns, [[None if cell == inf else cell for cell in row] for row in rows], detail=detail)


def _left_out(variances: Iterable[Variance]) -> list[Problem]:
    """A problem for sides that are left out of the analysis of variance."""
    most = max((variance.undefined for variance in variances), default=0)
    if not most:
        return []
    message = f"{number_of(most, 'side')} without a score under some condition"
    return [Problem("sides", message, action="left out of the analysis of variance")]


# ---- Findings


def _findings(experiment: Experiment, variances: Mapping[str, Variance]) -> str:
    parts = [
        _findings_on_words(experiment),
        _findings_on_boundaries(experiment),
        _findings_on_ways(experiment),
        _findings_on_edits(experiment),
    ]
    return "\n".join(part for part in [*parts, _findings_on_variance(variances)] if part)


def _losses(experiment: Experiment, condition: Condition) -> dict[str, float]:
    """The loss of each measure in points, compared with the original trees."""
    pairs = {
        name: (experiment.f1(experiment.plan.plain, USUAL, name), experiment.f1(condition, USUAL, name))
        for name in MEASURES
    }
    return {name: 100 * (a - b) for name, (a, b) in pairs.items() if a is not None and b is not None}


def _listed(losses: Mapping[str, float]) -> str:
    return ", ".join(f"{measure} {_points(-loss)}" for measure, loss in losses.items())


def _points(change: float) -> str:
    return f"{round(change, 2) or 0.0:+.2f}".replace("-", "−")


def _extremes(losses: Mapping[str, float]) -> str:
    """The most and the least sensitive measure."""
    if len(losses) < 2 or max(losses.values()) - min(losses.values()) < _VISIBLE:
        return ""
    most, least = (choose(losses, key=lambda name: losses[name]) for choose in (max, min))
    return f"{most} F1 is the most sensitive, {least} F1 the least"


def _findings_on_words(experiment: Experiment) -> str:
    _, threshold, edits = experiment.plan.plain
    condition = experiment.plan.rates[-1], threshold, edits
    wrong = experiment.word_errors(condition)
    if wrong is None or not condition[0]:
        return ""
    losses = _losses(experiment, condition)
    lead = f"A word error rate of {100 * wrong:.1f} % changes the scores (F1, labelled, aligned) by these points: "
    extremes = _extremes(losses)
    return f"{lead}{_listed(losses)}{': ' * bool(extremes)}{extremes}."


def _findings_on_boundaries(experiment: Experiment) -> str:
    rate, _, edits = experiment.plan.plain
    known = [threshold for threshold in experiment.plan.thresholds if threshold is not None]
    best = experiment.best_threshold()
    if best is None or experiment.boundary_errors(best) is None:
        return ""
    parts = []
    for threshold in dict.fromkeys((best, known[0], known[-1])):
        _, false, missed = experiment.boundaries[threshold]
        kind = ", mostly false" if false > 2 * missed else ", mostly missed" if missed > 2 * false else ""
        errors = f"at a threshold of {threshold:g} ({100 * (experiment.boundary_errors(threshold) or 0):.1f} % errors"
        parts.append(f"{errors}{kind}) {_listed(_losses(experiment, (rate, threshold, edits)))}")
    extremes = _extremes(_losses(experiment, (rate, best, edits)))
    last = f" At the best threshold, {extremes}." if extremes else ""
    return f"Boundary errors change the same scores: {'; '.join(parts)}.{last}"


def _findings_on_ways(experiment: Experiment) -> str:
    """The effects of alignment and labels over all conditions."""
    conditions = [condition for condition, _ in experiment.plan.conditions()]

    def changes(a: Kind, b: Kind, measures: Iterable[str]) -> list[float]:
        pairs = [(experiment.f1(at, a, name), experiment.f1(at, b, name)) for at in conditions for name in measures]
        return [100 * (y - x) for x, y in pairs if x is not None and y is not None]

    sentences = []
    free = [change for labels in LABELS for change in changes((labels, "aligned"), (labels, "not aligned"), MEASURES)]
    if free:
        largest = max(map(abs, free))
        mean = sum(free) / len(free)
        sentences.append(
            f"Without an alignment, dependency scores change by {_points(mean)} points on average and by at most "
            f"{largest:.2f}: the alignment of words {'hardly matters' if largest < _SMALL else 'matters'}."
        )
    loose = {name: changes(USUAL, ("unlabelled", "aligned"), [name]) for name in MEASURES}
    gains = {name: -sum(values) / len(values) for name, values in loose.items() if values}
    if gains:
        sentences.append(f"Without labels, the scores change on average by {_listed(gains)}.")
    return " ".join(sentences)


def _findings_on_edits(experiment: Experiment) -> str:
    first, *others = experiment.plan.edits
    sentences = []
    names = {"kept": "Keeping edits", "removed": "Removing edits", "oracle": "Removing the gold edits"}
    for edits in others:
        losses = _losses(experiment, (0.0, None, edits))
        sentences.append(f"{names[edits]} instead of {names[first].lower()}: {_listed(losses)}.")
    return " ".join(sentences)


def _findings_on_variance(variances: Mapping[str, Variance]) -> str:
    """The significant effects, by corrected p-values."""
    parts = []
    for measure in MEASURES:
        known = [effect for effect in variances[f"variance of {measure} F1"].effects if effect.corrected is not None]
        sure = [effect for effect in known if effect.corrected is not None and effect.corrected < _LEVEL]
        names = ", ".join(f"{effect.name} ({effect.eta or 0:.2f})" for effect in sure)
        if known:
            parts.append(f"{measure} F1: {names or 'none'}")
    if not parts:
        return ""
    number = number_of(next(iter(variances.values())).n, "side")
    return f"Over {number}, effects with a corrected p below {_LEVEL} (partial η²) on {'; '.join(parts)}."


# ---- The figure


def draw(study: Study, figure: Figure) -> None:
    """Scores by word errors, by boundaries, and with and without edits."""
    from ..plots.look import PALE, label_rows, legend_below, side_by_side

    tables = [_whole(study, title) for title in (WORDS, BOUNDARIES, WITH_EDITS)]
    panels = side_by_side(figure, 3, sharey=True)
    for panel, table, plot, title in zip(
        panels,
        tables,
        (_draw_words, _draw_boundaries, _draw_edits),
        ("Wrong words", "Wrong sentence boundaries", "Edits (labelled, aligned)"),
        strict=True,
    ):
        plot(panel, table)
        panel.set_title(title)
        panel.grid(axis="y", color=PALE, linewidth=0.6)
        panel.set_axisbelow(True)
    label_rows(panels, "F1 (%)")
    for panel in panels[::2]:  # the second legend would equal the first
        legend_below(panel, 44.0)


def _whole(study: Study, title: str) -> Table:
    """A table including its details."""
    shown = study.table(title)
    return shown.replace(rows=[*shown.rows, *study.table(title + OTHER_KINDS).rows])


def _draw_words(axes: Axes, table: Table) -> None:
    axes.set_xlabel("word error rate (%)")
    _draw_lines(axes, table, [100 * float(rate or 0) for rate in table.column("word errors")])


def _draw_boundaries(axes: Axes, table: Table) -> None:
    """Draw the lines, with true boundaries on the left."""
    names = list(dict.fromkeys(map(str, table.column("threshold"))))
    places = {name: float(number + (number > 0)) for number, name in enumerate(names)}
    axes.set_xticks(list(places.values()), names)
    axes.set_xlabel("threshold of the boundary posterior")
    _draw_lines(axes, table, [places[str(name)] for name in table.column("threshold")])


def _draw_lines(axes: Axes, table: Table, places: Sequence[float]) -> None:
    """A line for each measure, labelled and unlabelled; crosses show scores without alignment."""
    from ..draw.colours import INK, PALETTE
    from ..plots.look import MARKERS

    for number, measure in enumerate(MEASURES):
        for labels, aligned in KINDS:
            points: list[tuple[float, float]] = []
            for at, row in zip(places, table.records(), strict=True):
                value = row[f"{measure} F1"]
                if (row["labels"], row["words"]) == (labels, aligned) and value is not None:
                    if points and at - points[-1][0] == 2 and row.get("threshold"):
                        points.append((at, float("nan")))
                    points.append((at, 100 * float(value)))
            if aligned == "aligned":
                look: dict[str, Any] = {"color": PALETTE[number], "marker": MARKERS[number], "markersize": 6.0}
                look |= {"linestyle": "-", "label": measure} if labels == "labelled" else {"linestyle": "--"}
                look |= {} if labels == "labelled" else {"markerfacecolor": "white", "label": f"{measure}, unlabelled"}
            else:
                look = {"color": INK, "marker": "x", "markersize": 4.0, "linestyle": "none"}
                look |= {"label": "not aligned"} if (number, labels) == (len(MEASURES) - 1, "labelled") else {}
            axes.plot([at for at, _ in points], [value for _, value in points], **look)


def _draw_edits(axes: Axes, table: Table) -> None:
    """The measures for each condition, with marks for the treatment of edits."""
    from ..draw.colours import PALETTE
    from ..plots.look import GREY

    marks = {"kept": ("o", True), "removed": ("v", False), "oracle": ("^", False)}
    rows = [row for row in table.records() if (row["labels"], row["words"]) == USUAL]
    conditions = list(dict.fromkeys((row["rate"], row["threshold"]) for row in rows))
    for number, measure in enumerate(MEASURES):
        for row in rows:
            value = row[f"{measure} F1"]
            if value is None:
                continue
            x = conditions.index((row["rate"], row["threshold"])) + 0.22 * (number - 1)
            marker, filled = marks[str(row["edits"])]
            face = PALETTE[number] if filled else "white"
            axes.plot([x], [100 * float(value)], marker, color=PALETTE[number], markerfacecolor=face, markersize=6.0)
    for edits in dict.fromkeys(str(row["edits"]) for row in rows):
        marker, filled = marks[edits]
        axes.plot([], [], marker, color=GREY, markerfacecolor=GREY if filled else "white", label=edits)
    labels = {(False, False): "none", (True, False): "words", (False, True): "boundaries", (True, True): "both"}
    names = [labels[bool(rate), threshold != _TRUE] for rate, threshold in conditions]
    axes.set_xticks(range(len(names)), names)
    axes.set_xlabel("errors")
