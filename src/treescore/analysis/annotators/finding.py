"""agreement(): how far two or more annotators of the same sentences agree, without a gold standard.

>>> a = "(S (NP (PRP we)) (VP (VBD saw) (NP (NNS stars)) (PP (IN with) (NP (NNS lenses)))))"
>>> b = "(S (NP (PRP we)) (VP (VBD saw) (NP (NP (NNS stars)) (PP (IN with) (NP (NNS lenses))))))"
>>> found = agreement({"Ann": a, "Ben": b})
>>> found
<Agreement of Ann and Ben: Labelled F1 92.31, 1 of 1 sentence>
>>> [(it.labels, it.count) for it in found.disagreements]
[((None, 'NP'), 1)]
"""

from __future__ import annotations

import os
from itertools import combinations, pairwise

from ... import metrics as registry
from ...helpers.text import number_of, visible
from ...helpers.threads import count_threads
from ...metrics.parseval import Parseval
from ...place.pair import Pair
from ...place.two_sides import check_readable
from ...place.unequal import check_equal_number
from ...readers.sources import is_text, read
from ...scoring.batch import Batch
from ...scoring.tally import Tally
from ...trees import Treebank
from ...values.problem import InputError, Problem, UsageError
from ...values.signature_text import quote
from ..breakdowns import of_report
from .comparing import LEFT_OUT, Work
from .phrases import Reading
from .results import Agreement, Disagreement, LabelAgreement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ... import _core
    from ...metrics.base import Metric
    from ...readers.sources import Readable
    from ...recipe import Recipe
    from ...scoring.report import Report
    from ...values.counts import Counts
    from ..breakdowns import Breakdown, Category
    from .chance import Units
    from .results import Pair as Names

#: What the trees on which the annotators settled are called.
ADJUDICATED = "adjudicated"
#: So many that disagreements, in parts of their smallest common multiple, still fit columns of whole numbers.
MOST_ANNOTATORS = 20
#: What to cite for it.
CITES = (
    "black-etal-1991-procedure",
    "shi-etal-2024-structured",
    "cohen-1960-coefficient",
    "krippendorff-2004-content",
    "skjaerholt-2014-chance",
)


def agreement(
    annotations: Mapping[str, Readable] | Sequence[Readable],
    *,
    adjudicated: Readable | None = None,
    profile: str | None = None,
    prm: str | os.PathLike[str] | None = None,
    outer: str = "counted",
    intervals: bool = True,
    method: str = "percentile",
    level: float = 0.95,
    n: int = 1_000,
    seed: int = 1,
    unit: str | None = None,
    units: Sequence[str] | None = None,
    threads: int | None = None,
    layout: str = "auto",
    on_error: str = "keep",
    progress: _core.Progress | None = None,
) -> Agreement:
    """How far annotators of the same sentences agree: a list of their trees, or a dict with their names.

    `profile` or `prm`, an EVALB parameter file, say which words and labels count; with `outer="ignored"` outer brackets
    (TOP, ROOT and so on) do not. `adjudicated` are trees on which the annotators settled. The arguments from `method`
    to `units` say how intervals are made, as in `Report.intervals`; `seed` is also that of the trees that are compared
    to learn what chance would give, where they are too many.

    >>> trees = {"Ann": "(S (NP (NN a)) (VP (VB b)))", "Ben": "(S (NP (NN a)) (VP (VB b)))", "Eve": "(S (NN a) (VB b))"}
    >>> found = agreement(trees)
    >>> found.figures("Ann", "Ben")["f1"].value, round(found.figures()["f1"].value, 4)
    (1.0, 0.6667)
    """
    named = _named(annotations)
    given = {"profile": profile, "prm": prm and quote(os.fspath(prm)), "outer": outer}
    if profile is None and prm is None:
        given["profile"] = Parseval.default_profile  # for all metrics, so that all of them see the same trees
    options = {name: value for name, value in given.items() if value}
    metrics = [registry.get(name, options) for name in ("parseval", "struct_iou", "tree_distance")]
    recipe = _checked_recipe(metrics[0])
    if adjudicated is not None and ADJUDICATED in named:
        raise UsageError(f"an annotator has the name {ADJUDICATED!r}, which is that of the adjudicated trees")
    wanted = named if adjudicated is None else {**named, ADJUDICATED: adjudicated}
    every = _in_one_order(
        {
            name: read(source, name=_shown(source, name), layout=layout, on_error=on_error)
            for name, source in wanted.items()
        }
    )
    banks = {name: every[name] for name in named}
    bank = next(iter(banks.values()))
    work = Work(banks, metrics, recipe, count_threads(threads, len(bank)), progress)
    groups = work.groups()
    of_words, of_phrases = work.units(groups)
    reports: dict[Names, Report] = {}
    tables: list[Breakdown] = []
    for (a, first), (b, second) in combinations(enumerate(banks), 2):
        both = [a in group and b in group for group in groups]
        more: dict[Metric, Counts] = dict([of_words[0].pair("tags", a, b), of_phrases[0].pair("labels", a, b)])
        report, compared = work.report(work.readings[a], work.readings[b], both, more=more)
        tables.append(of_report(compared, metrics[0], threads=threads, progress=progress))
        reports[first, second] = report
    trees, expected = work.distances(groups, reports, seed)
    alphas = [of_words[0].all("tags"), of_phrases[0].all("labels"), trees]
    tally = Tally([metric for metric, _ in alphas], rows=True)
    tally.add(Batch(tally.metrics, Pair(bank, bank), [rows for _, rows in alphas], []))
    overall = tally.report(bank, bank)
    settled: dict[str, Report] = {}
    if adjudicated is not None:
        reading = Reading(every[ADJUDICATED], recipe, ADJUDICATED)
        settled = {name: work.against(reading, number) for number, name in enumerate(banks)}
    problems = [Problem("parameters", it, action="line ignored") for it in work.complaints()]
    problems += [problem for bank in every.values() for problem in bank.problems] + work.differing(groups)
    problems += [problem for report in (*reports.values(), *settled.values()) for problem in report.problems]
    if expected.left_out:
        message = f"{number_of(expected.left_out, 'pair')} of trees are too large for their distance"
        problems.append(Problem("too-complex", message, action="left out of the distance that chance would give"))
    if intervals:
        made = (*reports.values(), overall)
        for report in made:
            _add_intervals(report, method=method, level=level, n=n, seed=seed, unit=unit, units=units, threads=threads)
        if any(not score.counts.has_rows for report in made for score in report.scores):
            message = "there are too many sentences and labels for intervals of kappa and alpha"
            problems.append(Problem("intervals", message, action="shown without"))
    return Agreement(
        banks,
        reports,
        overall,
        groups=groups,
        labels=_by_label([table.categories for table in tables], *of_phrases),
        tags=_by_label([table.tags for table in tables], *of_words),
        disagreements=_disagreements(tables),
        expected=expected,
        problems=_each_once(problems),
        adjudicated=settled,
    )


def _named(annotations: Mapping[str, Readable] | Sequence[Readable]) -> dict[str, Readable]:
    if isinstance(annotations, str | bytes | os.PathLike) or not hasattr(annotations, "__len__"):
        raise UsageError("agreement takes several annotations: a list, or a dict with the names of the annotators")
    named: dict[str, Readable]
    if hasattr(annotations, "items"):
        named = {str(name): source for name, source in annotations.items()}
    else:
        named = {_name(source, number): source for number, source in enumerate(annotations, 1)}
    if len(named) < len(annotations):
        raise UsageError("two annotators have the same name; give a dict with names of your own")
    if not 2 <= len(named) <= MOST_ANNOTATORS:
        raise UsageError(f"agreement takes from 2 to {MOST_ANNOTATORS} annotators, not {len(named)}")
    return named


def _name(source: Readable, number: int) -> str:
    if isinstance(source, os.PathLike):
        return os.fspath(source)
    return source if isinstance(source, str) and not is_text(source) else f"annotator {number}"


def _shown(source: Readable, name: str) -> str | None:
    """A name for trees that have none of their own."""
    has_name = isinstance(source, os.PathLike) or hasattr(source, "read") or _name(source, 0) == source
    return None if has_name or hasattr(source, "source") else f"<{name}>"


def _checked_recipe(metric: Metric) -> Recipe:
    """The recipe of a metric that treats both sides alike and knows labels."""
    assert isinstance(metric, Parseval)
    recipe = metric.recipe
    wrong = None
    if not recipe.labels:
        wrong = "labels do not count"
    elif recipe.delete_by != "own" or recipe.quotes:
        wrong = "words are left out by the tags of one side"
    elif not recipe.has_classes():
        wrong = "of three labels A = B and B = C, but not A = C"
    elif recipe.longest is not None or recipe.overlook_length:
        wrong = "sentences are left out by what one side has"
    if wrong is not None:
        name = metric.profile if metric.profile and not metric.prm else "the parameter file"
        raise UsageError(f"agreement cannot be told by {name}, where {wrong}: choose collins, spmrl or none")
    return recipe


def _in_one_order(banks: Mapping[str, Treebank]) -> dict[str, Treebank]:
    """All annotations with a tree for each sentence, in one order: paired by their ids where all have ids.

    A sentence that an annotator has not is one without words, and a problem.
    """
    for bank in banks.values():
        check_readable(bank)
    (one, first), *others = banks.items()
    if any(bank.ids is None for bank in banks.values()) or all(bank.ids == first.ids for _, bank in others):
        for name, bank in others:
            check_equal_number(first, bank, sides=(one, name))
        return dict(banks)
    order: dict[str, None] = {}
    for bank in banks.values():
        ids = bank.ids or ()
        order.update(dict.fromkeys(ids))
        if len(set(ids)) < len(ids):
            twice = next(name for name, other in pairwise(sorted(ids)) if name == other)
            message = f"the sentence {visible(twice)!r} is there twice, and the ids of the annotations differ"
            raise InputError(Problem("id", message, file=bank.source.name))
    if len(order) == sum(map(len, banks.values())):
        message = (
            f"no sentence has the same id in two annotations; an id is for instance {visible(next(iter(order)))!r}"
        )
        raise InputError(Problem("id", message, file=others[0][1].source.name))
    return {name: _by_id(bank, name, list(order)) for name, bank in banks.items()}


def _by_id(bank: Treebank, name: str, order: Sequence[str]) -> Treebank:
    """The sentences with these ids; those that are not there are empty."""
    place = {known: index for index, known in enumerate(bank.ids or ())}
    chosen = bank.select(place.get(wanted) for wanted in order)
    missing = [
        Problem("id", f"{name} has no sentence {visible(wanted)!r}", file=bank.source.name, unit=unit, action=LEFT_OUT)
        for unit, wanted in enumerate(order, 1)
        if wanted not in place
    ]
    return Treebank(chosen.native, source=bank.source, problems=[*chosen.problems, *missing], ids=order)


def _each_once(problems: Sequence[Problem]) -> list[Problem]:
    """Each problem once; a sentence that is not there is no tree without words besides."""
    missing = {(problem.file, problem.unit) for problem in problems if problem.code == "id"}
    return [
        problem
        for problem in dict.fromkeys(problems)
        if problem.code != "unparsed" or (problem.file, problem.unit) not in missing
    ]


def _add_intervals(report: Report, **options: Any) -> None:
    """Give the scores that have rows the intervals of their figures."""
    for score in report.scores:
        if score.counts.has_rows:
            score.intervals = report.intervals(score.signature, **options)


def _by_label(
    tables: Sequence[Sequence[Category]], units: Units, uses: Sequence[Mapping[str, int]]
) -> list[LabelAgreement]:
    """Each label by how often it is used, the most frequent ones first."""
    alphas = units.alphas()
    sums: dict[str, list[int]] = {}
    for table in tables:
        for row in table:
            both = sums.setdefault(row.label, [0, 0])
            both[0] += row.matched_gold
            both[1] += row.gold + row.test
    found = [
        LabelAgreement(
            label=label,
            counts=[used.get(label, 0) for used in uses],
            both=both,
            agreement=2 * both / every if every else None,
            alpha=alphas.get(label),
        )
        for label, (both, every) in sums.items()
    ]
    return sorted(found, key=lambda it: (-sum(it.counts), it.label))


def _disagreements(tables: Sequence[Breakdown]) -> list[Disagreement]:
    found: dict[tuple[str | None, str | None], tuple[int, int]] = {}
    for table in tables:
        for cell in table.confusions:
            if cell.right:
                continue
            labels = cell.gold, cell.test
            if len(tables) > 1 and _nothing_last(cell.gold) > _nothing_last(cell.test):
                labels = cell.test, cell.gold
            count, first = found.get(labels, (0, cell.first))
            found[labels] = count + cell.count, min(first, cell.first)
    made = [Disagreement(labels=labels, count=count, sentence=first - 1) for labels, (count, first) in found.items()]
    return sorted(made, key=lambda it: (-it.count, *map(_nothing_last, it.labels)))


def _nothing_last(label: str | None) -> tuple[bool, str]:
    return label is None, label or ""
