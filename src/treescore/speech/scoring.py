"""Parses of speech against gold trees, on the axis of seconds: what `treescore speech` does.

>>> gold = ["NP", [["DT", 0.15, 0.39], ["NN", 0.39, 0.80]]]
>>> pred = ["NP", [["DT", 0.15, 0.40], ["NN", 0.40, 0.75]]]
>>> report = evaluate_speech([gold], [pred])
>>> [score.name for score in report], round(report["struct_iou"].value, 4)
(['struct_iou', 'boundaries'], 0.9122)
"""

from __future__ import annotations

from itertools import accumulate, pairwise

from .. import _core
from ..evaluation import evaluate
from ..problem import UsageError
from ..readers.times import check_tier
from ..report import Report
from ..text import number_of
from ..trees import Source, Treebank
from .documents import Documents, Side
from .pairing import PAIRINGS, UNITS, units_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..evaluation import Metrics
    from ..metrics.base import Metric
    from ..place.units import Unit
    from ..problem import Problem
    from ..readers.sources import Readable


class SpeechReport(Report):
    """A report, how sentences were paired, and remarks on what was assumed."""

    def __init__(self, report: Report, *, settings: Mapping[str, Any], remarks: Sequence[str]) -> None:
        super().__init__(report.metrics, report.scores, report.problems, report.gold, report.test)
        self.settings = dict(settings)
        self.remarks = list(remarks)

    @property
    def provenance(self) -> dict[str, Any]:
        """Version and inputs, and how sentences were paired."""
        return {**super().provenance, "speech": self.settings}


def evaluate_speech(
    gold: Readable,
    test: Readable,
    *,
    gold_times: Readable | None = None,
    test_times: Readable | None = None,
    times_format: str | None = None,
    tier: str | None = None,
    attach: str = "auto",
    pair: str = "auto",
    unit: str = "sentence",
    metrics: Metrics | None = None,
    labels: bool | None = None,
    cut: str = "",
    silent: str = "drop",
    gaps: str = "keep",
    tolerance: float = 0.02,
    form: str = "auto",
    layout: str = "auto",
    functions: str = "apart",
    encoding: str | None = None,
    on_error: str = "keep",
    threads: int | None = None,
    progress: _core.Progress | None = None,
) -> SpeechReport:
    """Score trees over speech: files, or directories with a file for each document or side of a conversation.

    Trees are placed by words with times (`gold_times`, `test_times`: whatever `treescore.read_times` reads), unless
    they have times of their own. Without `test_times` the words of gold are taken. `attach` says how trees find their
    words ("id", "position", "text"), `pair` how sentences find their partners ("id", "time", "position"), and `unit`
    what is scored at a time: a "sentence" with its partners, or a whole "document". Without `metrics`, STRUCT-IOU, the
    boundaries of words and, where there are words on both sides, SParseval with the word error rate. `labels=None`
    ignores labels if those of test are all empty; `cut` has the marks from which on labels are cut in STRUCT-IOU, as
    "-=" for NP-SBJ.
    """
    for option, value, allowed in (("pair", pair, PAIRINGS), ("unit", unit, UNITS)):
        if value not in allowed:
            raise UsageError(f"{option} must be one of {', '.join(allowed)}, not {value!r}")
    reading = {
        "form": form,
        "layout": layout,
        "functions": functions,
        "encoding": encoding,
        "on_error": on_error,
    }
    sides = [
        Side(trees, times, times_format=times_format, tier=tier, attach=attach, reading=reading)
        for trees, times in ((gold, gold_times), (test, test_times))
    ]
    documents = Documents(sides[0], sides[1])
    units = _Units(documents, pair, unit)
    tiered = [side.tiered for side in sides if side.tiered is not None]
    check_tier(tier, any(tiered) or not tiered)
    remarks = [*documents.remarks, units.remark()]
    if labels is None:
        labels = _has_labels(units.test)
        if not labels:
            remarks.append("the predicted trees have no labels: labels are ignored")
    if metrics is None:
        words = not any(map(_is_textless, (units.gold, units.test)))
        metrics = _usual(labels=labels, cut=cut, silent=silent, gaps=gaps, tolerance=tolerance, words=words)
        if not words:
            remarks.append("one side has no words: no SParseval, no word error rate")
    report = evaluate(units.gold, units.test, metrics, threads=threads, progress=progress)
    problems = dict.fromkeys([*documents.problems, *units.problems, *report.problems])
    whole = Report(report.metrics, report.scores, list(problems), units.gold, units.test)
    settings = {
        "pair": units.pairings,
        "unit": unit,
        "gold_times": sides[0].described(),
        "test_times": sides[1].described(),
    }
    return SpeechReport(whole, settings=settings, remarks=remarks)


class _Units:
    """The trees of all documents, those of each unit joined, without what was wrong with them, which stands apart."""

    def __init__(self, documents: Documents, pair: str, unit: str) -> None:
        self.problems: list[Problem] = []
        self._sentences = [0, 0]
        pairings: set[str] = set()
        parts: list[list[Treebank]] = [[], []]
        before = 0
        for document in documents.all:
            banks = document.gold, document.test
            pairing, units = units_of(*banks, pair, unit)
            pairings.add(pairing)
            units = self._joinable(units, banks)
            for side, bank in enumerate(banks):
                members = [one.test if side else one.gold for one in units]
                self._keep_problems(bank, members, before)
                parts[side].append(_joined(bank, members, any_fault=side == 0))
                self._sentences[side] += len(bank)
            before += len(units)
        self.pairings = sorted(pairings)
        self.gold, self.test = (_added(part, name) for part, name in zip(parts, documents.names, strict=True))

    def remark(self) -> str:
        """How sentences were paired."""
        gold, test = self._sentences
        how = "" if self.pairings == ["document"] else f"paired by {' and '.join(self.pairings)}: "
        return f"{how}{gold:,} gold and {test:,} predicted sentences in {number_of(len(self.gold), 'unit')}"

    def _joinable(self, units: Sequence[Unit], banks: tuple[Treebank, Treebank]) -> list[Unit]:
        """The units whose sentences are one after the other; the others are problems."""
        found = []
        for unit in units:
            faulty = [
                bank
                for bank, places in zip(banks, (unit.gold, unit.test), strict=True)
                if len(places) > 1 and not _in_order(bank, places)
            ]
            if faulty:
                message = "sentences that belong together are not one after the other in time"
                place = (unit.gold if faulty[0] is banks[0] else unit.test)[0]
                self.problems.append(faulty[0].problem(place, "order", message, "left out of the score"))
            else:
                found.append(unit)
        return found

    def _keep_problems(self, bank: Treebank, members: Sequence[tuple[int, ...]], before: int) -> None:
        unit_of = {bank.number(place): unit for unit, places in enumerate(members, before + 1) for place in places}
        self.problems += [
            problem if problem.unit is None else problem.replace(unit=unit_of.get(problem.unit))
            for problem in bank.problems
        ]


def _in_order(bank: Treebank, places: Sequence[int]) -> bool:
    times = [time for place in places for time in bank.native.times(place) or ()]
    return all(earlier[1] <= later[0] for earlier, later in pairwise(times))


def _joined(bank: Treebank, members: Sequence[tuple[int, ...]], *, any_fault: bool) -> Treebank:
    """The trees of each unit as one."""
    order = [place for places in members for place in places]
    chosen = bank.native if order == list(range(len(bank))) else bank.select(order).native
    if any(len(places) != 1 for places in members):
        chosen = chosen.joined(list(accumulate(map(len, members))), any_fault)
    return Treebank(chosen, source=bank.source)


def _added(parts: Sequence[Treebank], name: str | None) -> Treebank:
    if len(parts) == 1:
        return parts[0]
    builder = _core.TreeBuilder()
    for part in parts:
        builder.extend(part.native)
    return Treebank(builder.trees(), source=Source(name))


def _usual(*, labels: bool, cut: str, silent: str, gaps: str, tolerance: float, words: bool) -> list[Metric]:
    from ..metrics.boundaries import Boundaries
    from ..metrics.sparseval import Sparseval
    from ..metrics.struct_iou import StructIou

    found: list[Metric] = [StructIou(labels=labels, cut=cut, axis="seconds", silent=silent, gaps=gaps)]
    if words:
        found.append(Sparseval(labels=labels))
    return [*found, Boundaries(tolerance=tolerance)]


def _has_labels(bank: Treebank) -> bool:
    """Has any phrase or word of any tree a label that is not empty?"""
    used = {label for index in range(len(bank)) for label, *_ in bank.native.nodes(index)}
    used |= {tag for index in range(len(bank)) for tag, *_ in bank.native.leaves(index)}
    names = bank.names()
    return any(names[label] for label in used if label >= 0)


def _is_textless(bank: Treebank) -> bool:
    """Are the words of all trees times?"""
    return bank.native.leaf_total() > 0 and _core.are_spans(bank.native)
