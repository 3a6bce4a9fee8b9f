"""Parses of speech against gold trees, on the axis of seconds: what `treescore GOLD TEST --gold-times FILE` does.

>>> gold = ["NP", [["DT", 0.15, 0.39], ["NN", 0.39, 0.80]]]
>>> test = ["NP", [["DT", 0.15, 0.40], ["NN", 0.40, 0.75]]]
>>> report = evaluate_speech([gold], [test])
>>> [score.name for score in report], round(report["struct_iou"].value, 4)
(['struct_iou', 'boundaries'], 0.9122)
"""

from __future__ import annotations

from itertools import accumulate

from .. import _core
from ..helpers.text import number_of, visible
from ..helpers.threads import count_threads
from ..pairing import ATTACH, PAIRINGS, UNITS
from ..pairing.document_units import Unit, units_of
from ..place.pair import Pair
from ..readers.times import check_tier
from ..scoring.batch import Batch
from ..scoring.choosing import all_reconciled, choose, choose_over_time
from ..scoring.evaluation import paired
from ..scoring.tally import Tally, score_pair
from ..trees import Source, Treebank
from ..values.problem import InputError, PerSide, Problem, check_choice
from ..words.interpolation import ROUNDING
from .documents import Documents, Side

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..readers.sources import Readable
    from ..scoring.choosing import Metrics
    from ..scoring.report import Report
    from .documents import Document


#: Problems of units that every metric finds anew.
_ONCE = ("unparsed", "no-gold", "empty", "gold")


def evaluate_speech(
    gold: Readable,
    test: Readable,
    *,
    gold_times: Readable | None = None,
    test_times: Readable | None = None,
    times_format: str | None = None,
    times_unit: str | None = None,
    tier: str | None = None,
    interpolate: bool = False,
    attach: str = "auto",
    pair: str = "auto",
    unit: str = "sentence",
    metrics: Metrics | None = None,
    options: Mapping[str, str] | None = None,
    reconcile: bool = False,
    form: str = "auto",
    layout: str = "auto",
    functions: str = "apart",
    encoding: str | None = None,
    on_error: str = "keep",
    threads: int | None = None,
    progress: _core.Progress | None = None,
) -> Report:
    """Score trees over speech: files, or directories with a file for each document or side of a conversation.

    Trees are placed by words with times (`gold_times`, `test_times`: whatever `treescore.read_times` reads), unless
    they have times of their own. Without `test_times` the words of gold are taken. `attach` pairs trees with
    their words ("id", "position", "text", "place"; of gold and test as in "auto,place"), `pair` pairs sentences
    ("id", "time", "position"), and `unit` is what is scored at a time: a "sentence" with its partners, or a whole
    "document". `times_unit` is the unit of spans in trees, or else of words with times, of gold and test as in
    "s,frames:0.02"; `interpolate` is passed to `treescore.read_times`. Without `metrics`, STRUCT-IOU, the boundaries of
    words and, where there are words on both sides, SParseval with the word error rate, all without labels if those of
    test are all empty. `options` and `reconcile` are those of `treescore.scoring.choosing.choose`.

    A sentence of gold without times is left out. One of test, or a sentence of gold without a partner, counts as not
    parsed.
    """
    for option, value, allowed in (
        ("pair", pair, PAIRINGS),
        ("unit", unit, UNITS),
        ("attach", attach, PerSide(ATTACH)),
    ):
        check_choice(value, option, allowed)
    reading = {
        "form": form,
        "layout": layout,
        "functions": functions,
        "encoding": encoding,
        "on_error": on_error,
    }
    words = {"format": times_format, "tier": tier, "interpolate": interpolate}
    time_units = [None, None] if times_unit is None else [PerSide.of(times_unit, test=it) for it in (False, True)]
    sides = [
        Side(
            trees,
            times,
            words={**words, "unit": time_units[is_test]},
            attach=PerSide.of(attach, test=bool(is_test)),
            reading={**reading, "unit": time_units[is_test]},
        )
        for is_test, (trees, times) in enumerate(((gold, gold_times), (test, test_times)))
    ]
    if times_unit is not None and "," not in times_unit and any(side.starts_textless() for side in sides):
        for side in sides:  # the unit of spans is not that of words with times, whose unit is usually known
            side.read_words_in(None)
    documents = Documents(sides[0], sides[1])
    units = _Units(documents, pair, unit)
    tiered = [side.tiered for side in sides if side.tiered is not None]
    check_tier(tier, any(tiered) or not tiered)
    remarks = [*documents.remarks, units.remark()]
    both = paired(units.gold, units.test, metrics)
    if metrics is None:
        labels = any(units.test.names()) or not units.test.native.leaf_total()
        if not labels:
            remarks.append("the test trees have no labels: labels are ignored")
        sides_native = units.gold.native, units.test.native
        are_words = not any(
            side.is_textless or (native.leaf_total() and _core.are_spans(native))
            for side, native in zip(sides, sides_native, strict=True)
        )
        if not are_words:
            remarks.append("one side has no words: no SParseval, no word error rate")
        choice = choose_over_time(options, are_words=are_words, labels=labels)
        choice = all_reconciled(choice) if reconcile else choice
    else:
        choice = choose([both], metrics, options, reconcile=reconcile)
    remarks += choice.remarks
    report = score_pair(choice.metrics, both, threads=count_threads(threads, len(both)), progress=progress)
    problems = []
    for problem in report.problems:
        what = problem.code, problem.unit
        if problem.code not in _ONCE or what not in units.reported:
            problems.append(problem)
            units.reported.add(what)
    batch = Batch(
        report.metrics,
        Pair(units.gold, units.test),
        [score.counts for score in report.scores],
        [*documents.problems, *units.problems, *problems],
    )
    tally = Tally(report.metrics, rows=True)
    tally.add(batch)
    whole = tally.report(units.gold, units.test)
    whole.remarks = remarks
    whole.settings = {
        "pair": units.pairings,
        "unit": unit,
        "gold_times": sides[0].as_json(),
        "test_times": sides[1].as_json(),
        "trees": units.sentences,
    }
    return whole


class _Units:
    """The trees of all documents, those of each unit joined, without what was wrong with them, which stands apart."""

    def __init__(self, documents: Documents, pair: str, unit: str) -> None:
        self.problems: list[Problem] = []
        #: Codes and numbers of units whose problems are already reported.
        self.reported: set[tuple[str, int | None]] = set()
        self.sentences = [0, 0]
        self._left_out = 0
        pairings: set[str] = set()
        parts: list[list[Treebank]] = [[], []]
        names: list[str] = []
        for document in documents.all:
            banks = document.gold, document.test
            pairing, units = units_of(*banks, pair, unit)
            pairings.add(pairing)
            units = [known for one in units if (known := self._scored(one, banks, unit)) is not None]
            for side, bank in enumerate(banks):
                members = [one.test if side else one.gold for one in units]
                self._keep_problems(bank, members, len(names))
                parts[side].append(_joined(bank, members, is_gold=side == 0))
                self.sentences[side] += len(bank)
            self._tell_alone(units, banks, len(names))
            names += [_unit_name(one, document) for one in units]
        if not names:
            first = next(iter([*documents.problems, *self.problems]), None)
            message = f"no gold tree has times, so nothing can be scored; the first problem: {first}"
            raise InputError(Problem("no-times", message, file=documents.names[0]))
        self.pairings = sorted(pairings)
        self.gold, self.test = (_added(part, name, names) for part, name in zip(parts, documents.names, strict=True))

    def remark(self) -> str:
        """How sentences were paired."""
        gold, test = self.sentences
        how = "" if self.pairings == ["document"] else f"paired by {' and '.join(self.pairings)}: "
        left_out = f"; {self._left_out:,} gold without times, or not readable, left out" if self._left_out else ""
        units = number_of(len(self.gold), "unit")
        return f"{how}{gold:,} gold and {test:,} test sentences in {units}{left_out}"

    def _scored(self, unit: Unit, banks: tuple[Treebank, Treebank], wanted: str) -> Unit | None:
        """The unit without gold sentences that have no times or cannot be read; None if nothing can be scored."""
        gold = banks[0]
        known = [place for place in unit.gold if _is_placed(gold, place) and not gold.native.faulty(place)]
        self._left_out += len(unit.gold) - len(known)  # each is a problem already
        if unit.gold and not known:
            return None
        for bank, places in zip(banks, (known, unit.test), strict=True):
            if len(places) > 1 and not self._one_after_the_other(bank, places, wanted):
                self._left_out += len(known)
                return None
        return Unit(gold=known, test=unit.test)

    def _one_after_the_other(self, bank: Treebank, places: Sequence[int], wanted: str) -> bool:
        """Are sentences in the order of time? If they overlap, or are not, that is a problem."""
        last: tuple[float, float] | None = None
        for place in places:
            for time in bank.native.times(place) or ():
                if time[0] == time[1]:
                    continue
                if last is not None and time[0] <= last[0]:
                    message = "sentences that belong together are not one after the other in time"
                    problem = bank.problem(place, "order", message, "left out of the score").replace(unit=None)
                    if wanted == "document":
                        advice = "; does time begin anew in each sentence? Then score sentences (--unit sentence)"
                        raise InputError(problem.replace(message=message + advice, action=None))
                    self.problems.append(problem)
                    return False
                if last is not None and last[1] - time[0] > ROUNDING:
                    message = f"this sentence begins {last[1] - time[0]:.3g} seconds before the one before it ends"
                    problem = bank.problem(place, "overlap", message, "that one ends there")
                    self.problems.append(problem.replace(unit=None))
                last = time
        return True

    def _keep_problems(self, bank: Treebank, members: Sequence[tuple[int, ...]], before: int) -> None:
        unit_of = {bank.number(place): unit for unit, places in enumerate(members, before + 1) for place in places}
        self.problems += [
            problem if problem.unit is None else problem.replace(unit=unit_of.get(problem.unit))
            for problem in bank.problems
        ]

    def _tell_alone(self, units: Sequence[Unit], banks: tuple[Treebank, Treebank], before: int) -> None:
        """Sentences that have no partner."""
        for number, unit in enumerate(units, before + 1):
            if unit.gold and unit.test:
                continue
            side, places = (banks[0], unit.gold) if unit.gold else (banks[1], unit.test)
            other, code, action = (
                ("test", "unparsed", "counts as not parsed")
                if unit.gold
                else ("gold", "no-gold", "counts against precision")
            )
            name = f", {visible(side.ids[places[0]])}" if side.ids else ""
            problem = side.problem(places[0], code, f"there is no {other} sentence for this one{name}", action)
            self.problems.append(problem.replace(unit=number))
            self.reported.add((code, number))


def _unit_name(unit: Unit, document: Document) -> str:
    """By the ids of its sentences, or else by their numbers."""
    side, places = (document.gold, unit.gold) if unit.gold else (document.test, unit.test)
    own = [side.ids[place] if side.ids else str(side.number(place)) for place in places]
    within = "+".join(own) if len(own) < 4 else f"{own[0]}…{own[-1]}"
    return within if document.name is None else f"{document.name}:{within}"


def _is_placed(bank: Treebank, place: int) -> bool:
    return bank.native.leaf_count(place) == 0 or bank.native.has_times_at(place)


def _joined(bank: Treebank, members: Sequence[tuple[int, ...]], *, is_gold: bool) -> Treebank:
    """The trees of each unit as one. A tree of test without times is one without a parse."""
    order = [place if is_gold or _is_placed(bank, place) else None for places in members for place in places]
    chosen = bank.native if order == list(range(len(bank))) else bank.select(order).native
    if any(len(places) != 1 for places in members):
        chosen = chosen.joined(list(accumulate(map(len, members))), is_gold)
    return Treebank(chosen, source=bank.source)


def _added(parts: Sequence[Treebank], name: str | None, ids: Sequence[str]) -> Treebank:
    if len(parts) == 1:
        return Treebank(parts[0].native, source=parts[0].source, ids=ids)
    builder = _core.TreeBuilder()
    for part in parts:
        builder.extend(part.native)
    return Treebank(builder.trees(), source=Source(name), ids=ids)
