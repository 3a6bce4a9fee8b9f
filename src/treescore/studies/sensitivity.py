"""What do wrong words, wrong sentence boundaries and edits do to scores of parsed speech? (Roark et al. 2006)

Errors are made in the test trees; see `recognition`. Each side of a conversation is aligned and scored as a whole.

>>> found = study(rates=[0.2], thresholds=[0.5], runs=1)
>>> [table.title for table in found.tables][:3]
['scores by word errors', 'scores by sentence boundaries', 'scores with and without edits']
>>> found.table("scores by word errors").records()[1]["head F1"] < 0.8
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
#: Of five errors three are substitutions, one is a deletion and one an insertion.
ERRORS = (3.0, 1.0, 1.0)
RUNS, SEED = 3, 1

WORDS, BOUNDARIES, WITH_EDITS, BY_SIDE = (
    "scores by word errors",
    "scores by sentence boundaries",
    "scores with and without edits",
    "scores by side",
)
#: What titles of details end with.
OTHER_KINDS = ", other kinds of scores"
_TRUE = "true"
_DEPENDENCIES = ("head", "open-class")
#: Analyses that are about how it is measured as well: for those who ask further.
_OF_WAYS = ("variance of dependency F1", "variance of aligned F1")
#: Points of F1 below which differences are not seen, or small; and the p below which effects are taken for real.
_SEEN, _SMALL, _LEVEL = 0.005, 1.0, 0.05


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

    `rates` are the probabilities that a word is wrong, `errors` the shares of substitutions, deletions and insertions
    among the errors, `thresholds` posteriors from which on a place between two words is a boundary. `edits` are some
    of "kept", "removed" (what the test trees call edited) and "oracle" (what gold calls edited, from the test trees).
    The side of a sentence is known by its id, or by `units`, which has a name for each sentence. `parser` makes new
    trees of what was changed: a function from lists of words to trees, or a command that reads a line of words for
    each sentence and writes a tree for each. `steps` counts conditions.
    """
    if (gold is None) != (test is None):
        raise UsageError("gold and test trees are both needed, or neither")
    plan = Plan(rates, thresholds, edits, runs)
    banks = conversation() if gold is None or test is None else (read(gold), read(test))
    sides = Sides(*banks, units)
    recogniser = Recogniser(sides.test, shares=errors, seed=seed)
    found = Experiment(plan, sides, recogniser, heads, threads, steps or Steps())
    found.run(CommandParser.of(parser))
    variances = _variances(found)
    left_out = _left_out(variances.values())
    settings: dict[str, str | int | float] = {
        "data": "conversations that come with treescore"
        if gold is None
        else f"{called(banks[1])} against {called(banks[0])}",
        "sides": len(sides.names),
        "runs": runs,
        "seed": seed,
        "errors": "substituted : deleted : inserted = " + " : ".join(f"{share:g}" for share in errors),
        "trees": "as they were, cut and joined" if parser is None else "parsed anew where words or ends changed",
        "scores": found.metrics[USUAL].signature,
    }
    return Study(
        name="sensitivity",
        title="Sensitivity",
        question="What do wrong words, wrong sentence boundaries and edits do to scores of parsed speech?",
        settings=settings,
        tables=[
            *_tables(found),
            *(
                _variance_table(title, each, detail=title in _OF_WAYS)
                for title, each in variances.items()
                if each.effects and each.n
            ),
        ],
        says=_says(found, variances),
        problems=[*banks[0].problems, *banks[1].problems, *sides.problems, *found.problems, *left_out],
        cites=CITES,
    )


def conversation() -> tuple[Treebank, Treebank]:
    """Gold and test trees of eight sides of conversations, which come with treescore.

    >>> gold, test = conversation()
    >>> len(gold), gold.ids[0], " ".join(gold.words(2))
    (96, 'allotment.A.01', 'I am uh , I planted beans along the fence .')
    """
    gold, test = (
        read(packaged(f"studies/conversation/{side}.tsv"), name=f"conversation.{side}") for side in ("gold", "test")
    )
    return gold, test


# ---- Tables


def _tables(found: Experiment) -> list[Table]:
    """What there is to read, then the details."""
    aligned = [kind for kind in KINDS if kind[1] == USUAL[1]]
    parts = [
        _parted(_by_words(found), aligned),
        _parted(_by_boundaries(found), aligned),
        _parted(_by_edits(found), [USUAL]),
    ]
    return [*(shown for shown, _ in parts), _by_side(found), *(rest for _, rest in parts)]


def _parted(table: Table, kinds: Sequence[Kind]) -> tuple[Table, Table]:
    """The rows of these kinds of scores, and those of the others, which hardly differ, as a table of details."""
    shown = [row for row in table.rows if row[:2] in kinds]
    rest = [row for row in table.rows if row[:2] not in kinds]
    return table.replace(rows=shown), Table(table.title + OTHER_KINDS, table.columns, rest, detail=True)


def _scores(found: Experiment, condition: Condition, kind: Kind) -> list[Cell]:
    return [found.f1(condition, kind, measure) for measure in MEASURES]


def _score_columns(lead: str = "") -> dict[str, str]:
    return {f"{lead}{measure} F1": "share" for measure in MEASURES}


def _by_words(found: Experiment) -> Table:
    _, threshold, edits = found.plan.plain
    rows: list[list[Cell]] = []
    for kind in KINDS:
        for rate in found.plan.rates:
            condition = rate, threshold, edits
            rows.append([*kind, rate, found.word_errors(condition), *_scores(found, condition, kind)])
    columns = {"labels": "text", "words": "text", "rate": "share", "word errors": "share", **_score_columns()}
    return Table(WORDS, columns, rows)


def _by_boundaries(found: Experiment) -> Table:
    rate, _, edits = found.plan.plain
    rows: list[list[Cell]] = []
    for kind in KINDS:
        for threshold in found.plan.thresholds:
            true, false, missed = found.boundaries[threshold]
            wrong = [number / true if true else None for number in (false, missed, false + missed)]
            if threshold is None:
                wrong = [0.0] * 3
            rows.append([*kind, _named(threshold), *wrong, *_scores(found, (rate, threshold, edits), kind)])
    columns = {"labels": "text", "words": "text", "threshold": "text"}
    columns |= {"false": "share", "missed": "share", "boundary errors": "share"}
    return Table(BOUNDARIES, {**columns, **_score_columns()}, rows)


def _by_edits(found: Experiment) -> Table:
    rows: list[list[Cell]] = []
    for kind in KINDS:
        for rate, threshold in found.usual_conditions():
            for edits in found.plan.edits:
                condition = rate, threshold, edits
                scores = _scores(found, condition, kind)
                rows.append([*kind, rate, _named(threshold), edits, found.word_errors(condition), *scores])
    columns = {"labels": "text", "words": "text", "rate": "share", "threshold": "text", "edits": "text"}
    return Table(WITH_EDITS, {**columns, "word errors": "share", **_score_columns()}, rows)


def _by_side(found: Experiment) -> Table:
    """The scores of each side where nothing is wrong, and the mean over all conditions."""
    plain = [found.by_side(found.plan.plain, USUAL, measure) for measure in MEASURES]
    conditions = [condition for condition, _ in found.plan.conditions()]
    mean = []
    for measure in MEASURES:
        under_all = zip(*(found.by_side(condition, USUAL, measure) for condition in conditions), strict=True)
        mean.append([_mean(values) for values in under_all])
    rows = zip(found.sides.names, found.sides.sizes, found.words(found.plan.plain), *plain, *mean, strict=True)
    columns = {"side": "text", "sentences": "count", "words": "count", **_score_columns()}
    return Table(BY_SIDE, {**columns, **_score_columns("mean ")}, rows)


def _named(threshold: float | None) -> str:
    return _TRUE if threshold is None else f"{threshold:g}"


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


# ---- Analysis of variance: sides are the units, everything else varies within them


def _variances(found: Experiment) -> dict[str, Variance]:
    """The effects of what was done, for each measure; and with fewer levels, those of how it is measured as well."""
    plan, best = found.plan, found.best_threshold()
    done: dict[str, Sequence[Any]] = {"words": plan.rates, "boundaries": plan.thresholds, "edits": plan.edits}
    few: dict[str, Sequence[Any]] = {
        "words": list(dict.fromkeys((0.0, plan.rates[-1]))),
        "boundaries": list(dict.fromkeys((None, best))),
    }
    made = {
        f"variance of {measure} F1": _variance(found, {**done, "measure": [measure]}, most=3) for measure in MEASURES
    }
    ways = {**done, **few, "labels": LABELS}
    made[_OF_WAYS[0]] = _variance(found, {**ways, "alignment": ALIGNED, "measure": _DEPENDENCIES}, most=2)
    made[_OF_WAYS[1]] = _variance(found, {**ways, "measure": list(MEASURES)}, most=2)
    return made


def _variance(found: Experiment, levels: dict[str, Sequence[Any]], *, most: int) -> Variance:
    """The effects of factors with several levels, and of up to so many of them together."""
    factors = [name for name, values in levels.items() if len(values) > 1]
    if not factors:
        return Variance((), n=len(found.sides.names))
    cells = {}
    for chosen in product(*levels.values()):
        at = dict(zip(levels, chosen, strict=True))
        kind = at.get("labels", USUAL[0]), at.get("alignment", USUAL[1])
        condition = at["words"], at["boundaries"], at["edits"]
        cells[tuple(str(at[name]) for name in factors)] = found.by_side(condition, kind, at["measure"])
    made = repeated_measures(cells, factors)
    return made.replace(effects=tuple(effect for effect in made.effects if effect.name.count(" × ") < most))


def _variance_table(title: str, variance: Variance, *, detail: bool) -> Table:
    columns = {"effect": "text", "df": "count", "error df": "count", "F": "number"}
    columns |= {"p": "p", "corrected p": "p", "partial η²": "number"}
    names = ("name", "freedom", "error_freedom", "f", "p", "corrected", "eta")
    rows = [[getattr(effect, name) for name in names] for effect in variance.effects]
    return Table(title, columns, [[None if cell == inf else cell for cell in row] for row in rows], detail=detail)


def _left_out(variances: Iterable[Variance]) -> list[Problem]:
    """Sides that no analysis of variance can have."""
    most = max((variance.undefined for variance in variances), default=0)
    if not most:
        return []
    message = f"{number_of(most, 'side')} without a score under some condition"
    return [Problem("sides", message, action="left out of the analysis of variance")]


# ---- What one sees


def _says(found: Experiment, variances: Mapping[str, Variance]) -> str:
    parts = [_says_of_words(found), _says_of_boundaries(found), _says_of_ways(found), _says_of_edits(found)]
    return "\n".join(part for part in [*parts, _says_of_variance(variances)] if part)


def _losses(found: Experiment, condition: Condition) -> dict[str, float]:
    """How many points each measure loses against the trees as they are."""
    pairs = {name: (found.f1(found.plan.plain, USUAL, name), found.f1(condition, USUAL, name)) for name in MEASURES}
    return {name: 100 * (a - b) for name, (a, b) in pairs.items() if a is not None and b is not None}


def _listed(losses: Mapping[str, float]) -> str:
    return ", ".join(f"{measure} {_points(-loss)}" for measure, loss in losses.items())


def _points(change: float) -> str:
    return f"{round(change, 2) or 0.0:+.2f}".replace("-", "−")


def _extremes(losses: Mapping[str, float]) -> str:
    """Which measure loses most, and which least."""
    if len(losses) < 2 or max(losses.values()) - min(losses.values()) < _SEEN:
        return ""
    most, least = (choose(losses, key=lambda name: losses[name]) for choose in (max, min))
    return f": {most} F1 is the most sensitive to them, {least} F1 the least"


def _says_of_words(found: Experiment) -> str:
    _, threshold, edits = found.plan.plain
    condition = found.plan.rates[-1], threshold, edits
    wrong = found.word_errors(condition)
    if wrong is None or not condition[0]:
        return ""
    losses = _losses(found, condition)
    lead = f"A word error rate of {100 * wrong:.1f} % changes the scores (F1, labelled, aligned) by these points: "
    return f"{lead}{_listed(losses)}{_extremes(losses)}."


def _says_of_boundaries(found: Experiment) -> str:
    rate, _, edits = found.plan.plain
    known = [threshold for threshold in found.plan.thresholds if threshold is not None]
    best = found.best_threshold()
    if best is None or found.boundary_errors(best) is None:
        return ""
    said = []
    for threshold in dict.fromkeys((best, known[0], known[-1])):
        _, false, missed = found.boundaries[threshold]
        kind = ", mostly false" if false > 2 * missed else ", mostly missed" if missed > 2 * false else ""
        errors = f"from a posterior of {threshold:g} on ({100 * (found.boundary_errors(threshold) or 0):.1f} % errors"
        said.append(f"{errors}{kind}) {_listed(_losses(found, (rate, threshold, edits)))}")
    extremes = _extremes(_losses(found, (rate, best, edits))).removeprefix(": ")
    last = f" Where they are fewest, {extremes}." if extremes else ""
    return f"Boundaries change the same scores: {'; '.join(said)}.{last}"


def _says_of_ways(found: Experiment) -> str:
    """What alignment and labels do, over all conditions."""
    conditions = [condition for condition, _ in found.plan.conditions()]

    def changes(a: Kind, b: Kind, measures: Iterable[str]) -> list[float]:
        pairs = [(found.f1(at, a, name), found.f1(at, b, name)) for at in conditions for name in measures]
        return [100 * (y - x) for x, y in pairs if x is not None and y is not None]

    said = []
    free = [change for labels in LABELS for change in changes((labels, "aligned"), (labels, "not aligned"), MEASURES)]
    if free:
        largest = max(map(abs, free))
        mean = sum(free) / len(free)
        said.append(
            f"Without an alignment dependency scores change by {_points(mean)} points on average and {largest:.2f} at "
            f"most: {'it hardly matters' if largest < _SMALL else 'it matters'} whether the words are aligned."
        )
    loose = {name: changes(USUAL, ("unlabelled", "aligned"), [name]) for name in MEASURES}
    gains = {name: -sum(values) / len(values) for name, values in loose.items() if values}
    if gains:
        said.append(f"Without labels the scores change on average by {_listed(gains)}.")
    return " ".join(said)


def _says_of_edits(found: Experiment) -> str:
    first, *others = found.plan.edits
    said = []
    names = {"kept": "Keeping edits", "removed": "Removing edits", "oracle": "Removing the edits of gold"}
    for edits in others:
        losses = _losses(found, (0.0, None, edits))
        said.append(f"{names[edits]} instead of {names[first].lower()}: {_listed(losses)}.")
    return " ".join(said)


def _says_of_variance(variances: Mapping[str, Variance]) -> str:
    """Which effects are more than chance, by the p-values that are on the safe side."""
    said = []
    for measure in MEASURES:
        known = [effect for effect in variances[f"variance of {measure} F1"].effects if effect.corrected is not None]
        sure = [effect for effect in known if effect.corrected is not None and effect.corrected < _LEVEL]
        names = ", ".join(f"{effect.name} ({effect.eta or 0:.2f})" for effect in sure)
        if known:
            said.append(f"{measure} F1: {names or 'none'}")
    if not said:
        return ""
    number = number_of(next(iter(variances.values())).n, "side")
    return f"Over {number}, effects with a corrected p below {_LEVEL} (partial η²) on {'; '.join(said)}."


# ---- The figure


def draw(study: Study, figure: Figure) -> None:
    """Scores by word errors, by boundaries, and with and without edits."""
    from ..plots.look import PALE, legend_below

    tables = [_whole(study, title) for title in (WORDS, BOUNDARIES, WITH_EDITS)]
    panels = figure.subplots(1, 3, sharey=True)
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
    panels[0].set_ylabel("F1 (%)")
    for panel in panels[::2]:  # what is in the second is as in the first
        legend_below(panel, 40.0)


def _whole(study: Study, title: str) -> Table:
    """A table with its details."""
    shown = study.table(title)
    return shown.replace(rows=[*shown.rows, *study.table(title + OTHER_KINDS).rows])


def _draw_words(axes: Axes, table: Table) -> None:
    axes.set_xlabel("word error rate (%)")
    _draw_lines(axes, table, [100 * float(rate or 0) for rate in table.column("word errors")])


def _draw_boundaries(axes: Axes, table: Table) -> None:
    """The true boundaries stand apart, on the left."""
    names = list(dict.fromkeys(map(str, table.column("threshold"))))
    places = {name: float(number + (number > 0)) for number, name in enumerate(names)}
    axes.set_xticks(list(places.values()), names)
    axes.set_xlabel("a boundary from this posterior on")
    _draw_lines(axes, table, [places[str(name)] for name in table.column("threshold")])


def _draw_lines(axes: Axes, table: Table, places: Sequence[float]) -> None:
    """A line for each measure with labels and without; where there is no alignment, a cross, mostly upon it."""
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
    """For each condition the measures beside each other, and a mark for what becomes of the edits."""
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
            at = conditions.index((row["rate"], row["threshold"])) + 0.22 * (number - 1)
            marker, filled = marks[str(row["edits"])]
            face = PALETTE[number] if filled else "white"
            axes.plot([at], [100 * float(value)], marker, color=PALETTE[number], markerfacecolor=face, markersize=6.0)
    for edits in dict.fromkeys(str(row["edits"]) for row in rows):
        marker, filled = marks[edits]
        axes.plot([], [], marker, color=GREY, markerfacecolor=GREY if filled else "white", label=edits)
    said = {(False, False): "as they are", (True, False): "words", (False, True): "boundaries", (True, True): "both"}
    names = [said[bool(rate), threshold != _TRUE] for rate, threshold in conditions]
    axes.set_xticks(range(len(names)), names)
    axes.set_xlabel("what is wrong")
