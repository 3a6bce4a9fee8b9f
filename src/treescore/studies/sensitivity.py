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

from ..files import packaged
from ..problem import UsageError
from ..readers.sources import read
from ..significance.variance import repeated_measures
from ..speech.perturb import CommandParser
from ..speech.steps import Steps
from .base import Study, Table
from .recognition import Recogniser
from .sides import ALIGNED, EDITS, KINDS, LABELS, MEASURES, USUAL, Experiment, Plan, Sides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..readers.sources import Readable
    from ..significance.variance import Effect
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
_TRUE = "true"
_DEPENDENCIES = ("head", "open-class")


def study(
    gold: Readable | None = None,
    test: Readable | None = None,
    *,
    units: Sequence[str] | None = None,
    rates: Iterable[float] = RATES,
    thresholds: Iterable[float] = THRESHOLDS,
    edits: Iterable[str] = EDITS,
    shares: Sequence[float] = ERRORS,
    runs: int = RUNS,
    seed: int = SEED,
    heads: str = "collins",
    parser: Parser | str | None = None,
    threads: int | None = None,
    steps: Steps | None = None,
) -> Study:
    """Scores under all combinations of word errors, boundary errors and edits, and an analysis of variance over sides.

    `rates` are the probabilities that a word is wrong, `shares` those of substitution, deletion and insertion among
    the errors, `thresholds` posteriors from which on a place between two words is a boundary. `edits` are some of
    "kept", "removed" (what the test trees call edited) and "oracle" (what gold calls edited, from the test trees). The side of
    a sentence is known by its id, or by `units`, which has a name for each sentence. `parser` makes new trees of what was changed: a function from
    lists of words to trees, or a command that reads a line of words for each sentence and writes a tree for each.
    """
    if (gold is None) != (test is None):
        raise UsageError("gold and test trees are both needed, or neither")
    plan = Plan(rates, thresholds, edits, runs)
    banks = conversation() if gold is None or test is None else (read(gold), read(test))
    sides = Sides(*banks, units)
    recogniser = Recogniser(sides.test, shares=shares, seed=seed)
    found = Experiment(plan, sides, recogniser, heads, threads, steps or Steps())
    found.run(CommandParser.of(parser))
    settings: dict[str, str | int | float] = {
        "data": "conversations that come with treescore"
        if gold is None
        else f"{banks[1].source.name} against {banks[0].source.name}",
        "sides": len(sides.names),
        "runs": runs,
        "seed": seed,
        "errors": "substituted : deleted : inserted = " + " : ".join(f"{share:g}" for share in shares),
        "trees": "as they were, cut and joined" if parser is None else "parsed anew where words or ends changed",
        "scores": found.metrics[USUAL].signature,
    }
    return Study(
        name="sensitivity",
        title="Sensitivity",
        question="What do wrong words, wrong sentence boundaries and edits do to scores of parsed speech?",
        settings=settings,
        tables=_tables(found),
        says=_says(found),
        problems=[*banks[0].problems, *banks[1].problems, *sides.problems, *found.problems],
        cites=CITES,
    )


def conversation() -> tuple[Treebank, Treebank]:
    """Gold and test trees of eight sides of conversations, which come with treescore.

    >>> gold, test = conversation()
    >>> len(gold), gold.ids[0], " ".join(gold.words(2))
    (96, 'allotment.A.01', 'I am uh , I planted beans along the fence .')
    """
    gold, test = (read(packaged(f"studies/conversation.{side}.tsv"), name=side) for side in ("gold", "test"))
    return gold, test


# ---- Tables


def _tables(found: Experiment) -> list[Table]:
    made = [_by_words(found), _by_boundaries(found), _by_edits(found), _by_side(found)]
    return [*made, *(_variance_table(title, effects) for title, effects in _variances(found).items() if effects)]


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
                named = [*kind, rate, _named(threshold), edits]
                rows.append([*named, found.word_errors(condition), *_scores(found, condition, kind)])
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
    counts = found.counts[found.plan.plain, USUAL]
    said = [sum(row) for row in zip(*(counts[name] for name in ("correct", "substituted", "deleted")), strict=True)]
    rows = zip(found.sides.names, found.sides.sizes, said, *plain, *mean, strict=True)
    columns = {"side": "text", "sentences": "count", "words": "count", **_score_columns()}
    return Table(BY_SIDE, {**columns, **_score_columns("mean ")}, rows)


def _named(threshold: float | None) -> str:
    return _TRUE if threshold is None else f"{threshold:g}"


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


# ---- Analysis of variance: sides are the units, everything else varies within them


def _variances(found: Experiment) -> dict[str, list[Effect]]:
    """The effects of what was done, for each measure; and with two levels each, those of how it is measured as well."""
    plan = found.plan
    made: dict[str, list[Effect]] = {}
    for measure in MEASURES:
        levels: dict[str, Sequence[object]] = {"words": plan.rates, "boundaries": plan.thresholds, "edits": plan.edits}
        made[f"variance of {measure} F1"] = _effects(found, {**levels, "measure": [measure]}, most=3)
    rate, best = plan.rates[-1], found.best_threshold()
    two = {"words": _both(0.0, rate), "boundaries": _both(None, best), "edits": plan.edits, "labels": LABELS}
    made["variance of dependency F1"] = _effects(found, {**two, "alignment": ALIGNED, "measure": _DEPENDENCIES}, most=2)
    made["variance of aligned F1"] = _effects(found, {**two, "measure": list(MEASURES)}, most=2)
    return made


def _both(plain: object, other: object) -> list[object]:
    return [plain] if plain == other else [plain, other]


def _effects(found: Experiment, levels: dict[str, Sequence[object]], *, most: int) -> list[Effect]:
    """The effects of factors with several levels, and of up to so many of them together."""
    factors = [name for name, values in levels.items() if len(values) > 1]
    if not factors:
        return []
    cells = {}
    for chosen in product(*levels.values()):
        at = dict(zip(levels, chosen, strict=True))
        condition: Condition = (at["words"], at["boundaries"], at["edits"])  # type: ignore[assignment]
        kind = str(at.get("labels", USUAL[0])), str(at.get("alignment", USUAL[1]))
        key = tuple(str(at[name]) for name in factors)
        cells[key] = found.by_side(condition, kind, str(at["measure"]))
    made = repeated_measures(cells, factors)
    return [effect for effect in made.effects if effect.name.count(" × ") < most]


def _variance_table(title: str, effects: Iterable[Effect]) -> Table:
    columns = {"effect": "text", "df": "count", "error df": "count", "F": "number", "p": "p", "partial η²": "number"}
    rows = [(effect.name, effect.freedom, effect.error_freedom, effect.f, effect.p, effect.eta) for effect in effects]
    return Table(title, columns, rows)


def _says(found: Experiment) -> str:
    return ""
