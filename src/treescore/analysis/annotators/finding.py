"""agreement(): the agreement of two or more annotators of the same sentences, without a gold standard.

>>> a = "(S (NP (PRP we)) (VP (VBD saw) (NP (NNS stars)) (PP (IN with) (NP (NNS lenses)))))"
>>> b = "(S (NP (PRP we)) (VP (VBD saw) (NP (NP (NNS stars)) (PP (IN with) (NP (NNS lenses))))))"
>>> result = agreement({"Ann": a, "Ben": b})
>>> result
<Agreement of Ann and Ben: Labelled F1 92.31, 1 of 1 sentence>
>>> [(row.labels, row.count) for row in result.disagreements]
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
from ...scoring.choosing import choose
from ...trees import Treebank
from ...values.problem import InputError, Problem, UsageError
from ...values.signature_text import quote
from ..breakdowns import Breakdown
from .comparing import LEFT_OUT, Reading, Work, report_of
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
    from ..breakdowns import Category
    from .chance import Units
    from .results import Pair as Names

#: The name of the adjudicated trees.
ADJUDICATED = "adjudicated"
#: With more annotators, disagreements in parts of the least common multiple could overflow.
MAX_ANNOTATORS = 20
#: Citations.
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
    """The agreement of annotators of the same sentences: a list of their trees, or a dict with their names.

    `profile` or `prm`, an EVALB parameter file, define which words and labels are counted; `outer="ignored"` leaves out
    outer brackets (TOP, ROOT and so on). STRUCT-IOU is over seconds if all trees have times, else over words.
    `adjudicated` are the trees on which the annotators settled. The arguments from `method` to `units` are those of
    `Report.intervals`; `seed` also selects the sample of trees for the expected distance.

    >>> trees = {"Ann": "(S (NP (NN a)) (VP (VB b)))", "Ben": "(S (NP (NN a)) (VP (VB b)))", "Eve": "(S (NN a) (VB b))"}
    >>> result = agreement(trees)
    >>> result.figures("Ann", "Ben")["f1"].value, round(result.figures()["f1"].value, 4)
    (1.0, 0.6667)
    """
    named = _named(annotations)
    options = _metric_options(profile, prm, outer)
    metrics = [registry.get(name, options) for name in ("parseval", "struct_iou", "tree_distance")]
    recipe = _checked_recipe(metrics[0])
    if adjudicated is not None and ADJUDICATED in named:
        raise UsageError(f"the name {ADJUDICATED!r} is reserved for the adjudicated trees; rename the annotator")
    sources = named if adjudicated is None else {**named, ADJUDICATED: adjudicated}
    all_banks = _in_one_order(
        {
            name: read(source, name=_shown(source, name), layout=layout, on_error=on_error)
            for name, source in sources.items()
        }
    )
    banks = {name: all_banks[name] for name in named}
    bank = next(iter(banks.values()))
    metrics[1] = choose([Pair(bank, other) for other in all_banks.values()], "struct_iou", options).metrics[0]
    work = Work(banks, metrics, recipe, count_threads(threads, len(bank)), progress)
    groups = work.groups()
    words, phrases = work.units(groups)
    reports: dict[Names, Report] = {}
    tables: list[Breakdown] = []
    for (a, first), (b, second) in combinations(enumerate(banks), 2):
        both = [a in group and b in group for group in groups]
        more: dict[Metric, Counts] = dict([words[0].pair("tags", a, b), phrases[0].pair("labels", a, b)])
        report, compared = work.report(work.readings[a], work.readings[b], both, more=more)
        tables.append(Breakdown(compared, metrics[0], threads=threads, progress=progress))
        reports[first, second] = report
    trees, expected = work.distances(groups, reports, seed)
    alphas = [words[0].all("tags"), phrases[0].all("labels"), trees]
    overall = report_of(Batch([metric for metric, _ in alphas], Pair(bank, bank), [rows for _, rows in alphas], []))
    against_adjudicated: dict[str, Report] = {}
    if adjudicated is not None:
        reading = Reading(all_banks[ADJUDICATED], recipe, ADJUDICATED)
        against_adjudicated = {name: work.against(reading, number) for number, name in enumerate(banks)}
    problems = metrics[0].prm_problems() if isinstance(metrics[0], Parseval) else []
    problems += [problem for bank in all_banks.values() for problem in bank.problems] + work.differing(groups)
    problems += [
        problem for report in (*reports.values(), *against_adjudicated.values()) for problem in report.problems
    ]
    if expected.left_out:
        message = f"{number_of(expected.left_out, 'pair')} of trees are too large for their distance"
        problems.append(Problem("too-complex", message, action="left out of the expected distance"))
    if intervals:
        settings = {"method": method, "level": level, "n": n, "seed": seed, "unit": unit, "units": units}
        problems += _add_intervals([*reports.values(), overall], threads=threads, **settings)
    return Agreement(
        banks,
        reports,
        overall,
        groups=groups,
        labels=_by_label([table.categories for table in tables], *phrases),
        tags=_by_label([table.tags for table in tables], *words),
        disagreements=_disagreements(tables),
        expected=expected,
        problems=_without_duplicates(problems),
        adjudicated=against_adjudicated,
    )


def _metric_options(profile: str | None, prm: str | os.PathLike[str] | None, outer: str) -> dict[str, str]:
    """The options of the metrics for brackets, for whole trees and for edits, which count the same words."""
    if profile is None and prm is None:
        profile = Parseval.default_profile
    given = {"profile": profile, "prm": prm and quote(os.fspath(prm)), "outer": outer}
    return {name: value for name, value in given.items() if value}


def _named(annotations: Mapping[str, Readable] | Sequence[Readable]) -> dict[str, Readable]:
    if isinstance(annotations, str | bytes | os.PathLike) or not hasattr(annotations, "__len__"):
        raise UsageError("agreement takes several annotations: a list, or a dict with the names of the annotators")
    named: dict[str, Readable]
    if hasattr(annotations, "items"):
        named = {str(name): source for name, source in annotations.items()}
    else:
        named = {_name(source, number): source for number, source in enumerate(annotations, 1)}
    if len(named) < len(annotations):
        raise UsageError("two annotators have the same name; give a dict with distinct names")
    if not 2 <= len(named) <= MAX_ANNOTATORS:
        raise UsageError(f"agreement takes from 2 to {MAX_ANNOTATORS} annotators, not {len(named)}")
    return named


def _name(source: Readable, number: int) -> str:
    if isinstance(source, os.PathLike):
        return os.fspath(source)
    return source if isinstance(source, str) and not is_text(source) else f"annotator {number}"


def _shown(source: Readable, name: str) -> str | None:
    """A name for trees without one."""
    has_name = isinstance(source, os.PathLike) or hasattr(source, "read") or _name(source, 0) == source
    return None if has_name or hasattr(source, "source") else f"<{name}>"


def _checked_recipe(metric: Metric) -> Recipe:
    """The recipe of a metric, which must be symmetric and labelled."""
    assert isinstance(metric, Parseval)
    recipe = metric.recipe
    reason = None
    if not recipe.labels:
        reason = "labels are ignored"
    elif recipe.delete_by != "own" or recipe.quotes:
        reason = "words are left out by the tags of one side"
    elif not recipe.has_classes():
        reason = "of three labels A = B and B = C, but not A = C"
    elif recipe.longest is not None or recipe.overlook_length:
        reason = "sentences are left out by what one side has"
    if reason is not None:
        name = metric.profile if metric.profile and not metric.prm else "the parameter file"
        raise UsageError(f"agreement cannot use {name}, where {reason}: choose collins, spmrl or none")
    return recipe


def _in_one_order(banks: Mapping[str, Treebank]) -> dict[str, Treebank]:
    """All annotations with a tree for each sentence, in the same order: by id if all have ids.

    A missing sentence becomes an empty tree and a problem.
    """
    for bank in banks.values():
        check_readable(bank)
    (first_name, first), *others = banks.items()
    if any(bank.ids is None for bank in banks.values()) or all(bank.ids == first.ids for _, bank in others):
        for name, bank in others:
            check_equal_number(first, bank, sides=(first_name, name))
        return dict(banks)
    order: dict[str, None] = {}
    for bank in banks.values():
        ids = bank.ids or ()
        order.update(dict.fromkeys(ids))
        if len(set(ids)) < len(ids):
            twice = next(name for name, other in pairwise(sorted(ids)) if name == other)
            message = f"the sentence {visible(twice)!r} occurs twice, and the ids of the annotations differ"
            raise InputError(Problem("id", message, file=bank.source.name))
    if len(order) == sum(map(len, banks.values())):
        message = f"no sentence has the same id in two annotations; example of an id: {visible(next(iter(order)))!r}"
        raise InputError(Problem("id", message, file=others[0][1].source.name))
    return {name: _by_id(bank, name, list(order)) for name, bank in banks.items()}


def _by_id(bank: Treebank, name: str, order: Sequence[str]) -> Treebank:
    """The sentences with these ids; missing sentences are empty trees."""
    indices = {id: index for index, id in enumerate(bank.ids or ())}
    selected = bank.select(map(indices.get, order))
    missing = [
        Problem("id", f"{name} has no sentence {visible(id)!r}", file=bank.source.name, unit=unit, action=LEFT_OUT)
        for unit, id in enumerate(order, 1)
        if id not in indices
    ]
    return Treebank(selected.native, source=bank.source, problems=[*selected.problems, *missing], ids=order)


def _without_duplicates(problems: Sequence[Problem]) -> list[Problem]:
    """Each problem once; a missing sentence is not also reported as a tree without words."""
    missing = {(problem.file, problem.unit) for problem in problems if problem.code == "id"}
    return [
        problem
        for problem in dict.fromkeys(problems)
        if problem.code != "unparsed" or (problem.file, problem.unit) not in missing
    ]


def _add_intervals(reports: Sequence[Report], **options: Any) -> list[Problem]:
    """Add intervals to the scores that have rows; a problem if some have none."""
    scores = [(report, score) for report in reports for score in report.scores]
    for report, score in scores:
        if score.counts.has_rows:
            score.intervals = report.intervals(score.signature, **options)
    if all(score.counts.has_rows for _, score in scores):
        return []
    message = "there are too many sentences and labels for intervals of kappa and alpha"
    return [Problem("intervals", message, action="shown without intervals")]


def _by_label(
    tables: Sequence[Sequence[Category]], units: Units, uses: Sequence[Mapping[str, int]]
) -> list[LabelAgreement]:
    """The agreement on each label, most frequent labels first."""
    alphas = units.alphas()
    sums: dict[str, list[int]] = {}
    for table in tables:
        for row in table:
            both = sums.setdefault(row.label, [0, 0])
            both[0] += row.matched_gold
            both[1] += row.gold + row.test
    rows = [
        LabelAgreement(
            label=label,
            counts=tuple(frequencies.get(label, 0) for frequencies in uses),
            both=both,
            agreement=2 * both / total if total else None,
            alpha=alphas.get(label),
        )
        for label, (both, total) in sums.items()
    ]
    return sorted(rows, key=lambda row: (-sum(row.counts), row.label))


def _disagreements(tables: Sequence[Breakdown]) -> list[Disagreement]:
    counts: dict[tuple[str | None, str | None], tuple[int, int]] = {}
    for table in tables:
        for cell in table.confusions:
            if cell.right:
                continue
            labels = cell.gold, cell.test
            if len(tables) > 1 and _nothing_last(cell.gold) > _nothing_last(cell.test):
                labels = cell.test, cell.gold
            count, first = counts.get(labels, (0, cell.first))
            counts[labels] = count + cell.count, min(first, cell.first)
    rows = [Disagreement(labels=labels, count=count, sentence=first - 1) for labels, (count, first) in counts.items()]
    return sorted(rows, key=lambda row: (-row.count, *map(_nothing_last, row.labels)))


def _nothing_last(label: str | None) -> tuple[bool, str]:
    return label is None, label or ""
