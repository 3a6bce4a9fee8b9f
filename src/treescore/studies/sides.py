"""Conversation sides under all conditions of an experiment with speech, scored by SParseval."""

from __future__ import annotations

from itertools import accumulate, cycle, islice, pairwise
from numbers import Real

from .. import _core
from ..helpers.text import number_of, visible
from ..helpers.threads import count_threads
from ..metrics.sparseval import BAG, WORDS, Sparseval
from ..place.pair import Pair
from ..place.two_sides import check_readable
from ..scoring.batch import score_batch
from ..scoring.tally import Tally, score_pair
from ..significance.units import check_units, units_of_ids
from ..trees import Treebank
from ..values.problem import InputError, Problem, UsageError, check_whole
from .recognition import Boundaries, Parsed, Side, edited_words, with_errors
from .surgery import events, to_treebank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..helpers.steps import Steps
    from ..metrics.sparseval_words import Unit
    from ..speech.perturb import Parser
    from .recognition import Recogniser
    from .surgery import Events

    #: Rate of word errors, threshold of boundaries (None for true boundaries), and the treatment of edits.
    Condition = tuple[float, float | None, str]
    #: Labelled or not, aligned or not.
    Kind = tuple[str, str]

#: Edited speech is kept; removed by the labels of the test trees; or removed by the labels of gold.
EDITS = ("kept", "removed", "oracle")
LABELS, ALIGNED = ("labelled", "unlabelled"), ("aligned", "not aligned")
KINDS: tuple[Kind, ...] = tuple((labels, aligned) for aligned in ALIGNED for labels in LABELS)
USUAL = KINDS[0]
#: The measures and their figures.
MEASURES = {"bracket": "f1", "head": "head_f1", "open-class": "open_f1"}
#: The size of a batch of trees in events; a batch compiles its rules once.
_BATCH = 1 << 18


# ---- Conditions


class Plan:
    """The conditions.

    >>> [condition for condition, _ in Plan([0.1], [], ["kept"], 3).conditions()]
    [(0.0, None, 'kept'), (0.1, None, 'kept')]
    """

    def __init__(self, rates: Iterable[float], thresholds: Iterable[float], edits: Iterable[str], runs: int) -> None:
        check_whole(runs, "runs")
        self.runs = runs
        self.rates = sorted({0.0, *_shares(rates, "rates")})
        self.thresholds: list[float | None] = [None, *sorted(set(_shares(thresholds, "thresholds")))]
        self.edits = [edits] if isinstance(edits, str) else list(dict.fromkeys(edits))
        if not self.edits or not set(self.edits) <= set(EDITS):
            given = ", ".join(map(str, self.edits)) or "none"
            raise UsageError(f"edits must be some of {', '.join(EDITS)}, not {given}")
        self.plain: Condition = (0.0, None, self.edits[0])

    def conditions(self) -> Iterator[tuple[Condition, int]]:
        """Each condition and its number of runs: one if nothing is random."""
        for threshold in self.thresholds:
            for rate in self.rates:
                for edits in self.edits:
                    yield (rate, threshold, edits), 1 if not rate and threshold is None else self.runs


def _shares(values: Iterable[float], what: str) -> list[float]:
    numbers = list(values)
    for value in numbers:
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value <= 1:
            raise UsageError(f"{what} must be numbers from 0 to 1, not {value!r}")
    return list(map(float, numbers))


# ---- Sides of conversations


class Sides:
    """Gold and test trees by side, in the order of gold."""

    def __init__(self, gold: Treebank, test: Treebank, units: Sequence[str] | None) -> None:
        for bank in (gold, test):
            check_readable(bank)
        if not len(gold):
            raise InputError(Problem("empty", "there are no trees in it", file=gold.source.name))
        own = units_of_ids(gold.ids, "side") if units is None else check_units(units, len(gold))
        in_step = len(gold) == len(test) and (units is not None or test.ids is None or test.ids == gold.ids)
        other = own if in_step else units_of_ids(test.ids, "side")
        self.names = list(dict.fromkeys(own))
        self.problems = self._unknown(test, other)
        by_side = _grouped(own)
        self.gold = gold.select([index for name in self.names for index in by_side[name]])
        self.sizes = [len(by_side[name]) for name in self.names]
        by_side = _grouped(other)
        self.test = [Side(name, test, by_side.get(name, ())) for name in self.names]
        silent = sum(side.silent for side in self.test)
        if silent:
            message = f"{number_of(silent, 'tree')} without a spoken word"
            action = "the gold trees count as missed"
            self.problems.append(Problem("unparsed", message, file=test.source.name, action=action))

    def _unknown(self, test: Treebank, other: Sequence[str]) -> list[Problem]:
        unknown = [name for name in dict.fromkeys(other) if name not in set(self.names)]
        missing = [name for name in self.names if name not in set(other)]
        problems = []
        for names, message, action in (
            (unknown, "missing in gold", "left out"),
            (missing, "missing in test", "its gold trees count as missed"),
        ):
            if names:
                text = f"{number_of(len(names), 'side')} {message}, first {visible(names[0])!r}"
                problems.append(Problem("sides", text, file=test.source.name, action=action))
        return problems

    def edited(self) -> list[list[bool]]:
        """Which words of each side are edited in gold."""
        flags: list[list[bool]] = []
        begin = 0
        for side, size in zip(self.test, self.sizes, strict=True):
            trees = (events(self.gold, index) for index in range(begin, begin + size))
            try:
                flags.append(edited_words(side, trees))
            except _core.SequencesTooLong:
                message = f"the words of {visible(side.name)} are too many and too different to be aligned"
                self.problems.append(Problem("too-long", message, action="edits there are unknown"))
                flags.append([])
            begin += size
        return flags

    def units(self, test: Sequence[int]) -> list[Unit]:
        """The ranges of gold and test trees of each side, for repeated test trees with these numbers per side."""
        gold_ranges = [*pairwise(accumulate(self.sizes, initial=0))]
        test_ranges = pairwise(accumulate(test, initial=0))
        return [(*a, *b) for a, b in zip(cycle(gold_ranges), test_ranges, strict=False)]


def _grouped(names: Sequence[str]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        groups.setdefault(name, []).append(index)
    return groups


class _BySide(Sparseval):
    """SParseval with conversation sides in one treebank as units."""

    sides: Sequence[Unit] = ()

    def units(self, pair: Pair) -> list[Unit]:
        """The sides."""
        return list(self.sides)


# ---- The experiment


class Experiment:
    """The scores of all conditions."""

    def __init__(
        self,
        plan: Plan,
        sides: Sides,
        recogniser: Recogniser,
        heads: str,
        threads: int | None,
        steps: Steps,
    ) -> None:
        self.plan, self.sides, self.recogniser, self.steps = plan, sides, recogniser, steps
        self.threads = count_threads(threads, len(sides.gold))
        self.metrics = {
            (labels, aligned): _BySide(
                labels=labels == "labelled", unit="file", align=WORDS if aligned == "aligned" else BAG, heads=heads
            )
            for labels, aligned in KINDS
        }
        #: The tally of each side, over all runs.
        self.tallies: dict[tuple[Condition, Kind], list[Tally]] = {}
        #: The numbers of true, false and missed boundaries by threshold.
        self.boundaries: dict[float | None, list[int]] = {}
        self.problems: list[Problem] = []
        self._uncut = 0
        self._edited = sides.edited() if "oracle" in plan.edits else [[] for _ in sides.names]

    def run(self, parser: Parser | None) -> None:
        """Score all conditions."""
        total = sum(times for _, times in self.plan.conditions())
        parses = None
        if parser is not None:
            parses = Parsed(self.sides.test)
            for _, (_, trees) in zip(self.steps.over(total), self._trials(), strict=True):
                for side in trees:
                    parses.ask(side)
            self.steps.total = 0  # the parser's time is unknown
            parses.parse(parser)
        waiting: list[tuple[Condition, list[list[Events]]]] = []
        size = unscored = 0
        for _, (condition, trees) in zip(self.steps.over(total), self._trials(), strict=True):
            if parses is not None:
                trees = [[parses.of(tree) for tree in side] for side in trees]
            waiting.append((condition, trees))
            size += sum(len(tree) for side in trees for tree in side)
            if size > _BATCH:
                unscored += self._score(waiting)
                waiting, size = [], 0
        unscored += self._score(waiting)
        self.problems += parses.problems() if parses is not None else ()
        if self._uncut:
            message = f"trees were too deep to be cut {number_of(self._uncut, 'time')}"
            self.problems.append(Problem("deep", message, action="not cut"))
        if unscored:
            message = f"sides could not be scored {number_of(unscored, 'time')}"
            self.problems.append(Problem("sides", message, action="left out of the scores there"))

    def _trials(self) -> Iterator[tuple[Condition, list[list[Events]]]]:
        """The trees of all sides under each condition, once per run."""
        sides, recogniser = self.sides.test, self.recogniser
        self.boundaries, self._uncut = {}, 0
        for run in range(self.plan.runs):
            heard = {rate: [recogniser.heard(side, run, rate) for side in sides] for rate in self.plan.rates}
            bounded: tuple[float | None, list[Boundaries]] | None = None
            for (rate, threshold, edits), times in self.plan.conditions():
                if run >= times:
                    continue
                if bounded is None or bounded[0] != threshold:
                    bounded = (
                        threshold,
                        [
                            Boundaries(side.trees) if threshold is None else recogniser.bounded(side, run, threshold)
                            for side in sides
                        ],
                    )
                    errors = self.boundaries.setdefault(threshold, [0, 0, 0])
                    for boundaries in bounded[1]:
                        self._uncut += boundaries.uncut
                        for kind, number in enumerate((boundaries.true, boundaries.false, boundaries.missed)):
                            errors[kind] += number
                yield (
                    (rate, threshold, edits),
                    [
                        with_errors(
                            boundaries.trees, words, cut=edits == "removed", edited=edited if edits == "oracle" else ()
                        )
                        for boundaries, words, edited in zip(bounded[1], heard[rate], self._edited, strict=True)
                    ],
                )

    def _score(self, tried: Sequence[tuple[Condition, list[list[Events]]]]) -> int:
        """Add the counts of some conditions; return the number of sides that could not be scored."""
        sides = [side for _, trees in tried for side in trees]
        gold, test = self.sides.gold, to_treebank(tree for side in sides for tree in side)
        units = self.sides.units([len(side) for side in sides])
        number = len(self.sides.names)
        unscored = 0
        for kind, metric in self.metrics.items():
            metric.sides = units
            counts = score_batch([metric], Pair(gold, test), threads=self.threads).counts[0]
            rows = counts.rows()
            for place, (condition, _) in enumerate(tried):
                if condition == self.plan.plain and kind == USUAL:
                    metric.sides = units[place * number : (place + 1) * number]
                    # The problems of the trees are reported elsewhere.
                    pair = Pair(*(Treebank(bank.native, source=bank.source) for bank in (gold, test)))
                    self.problems += score_pair([metric], pair, threads=self.threads).problems
                tallies = self.tallies.setdefault((condition, kind), [Tally([metric]) for _ in self.sides.names])
                for tally, row in zip(tallies, islice(rows, number), strict=True):
                    tally.add_sums([row], 1)
            unscored += sum(counts["errors"]) if kind == USUAL else 0
        return unscored

    # ---- Figures

    def f1(self, condition: Condition, kind: Kind, measure: str) -> float | None:
        """A score over all sides."""
        if measure == "bracket" and kind[1] != "aligned":
            return None
        return _figure(Tally.added(self.tallies[condition, kind]), MEASURES[measure])

    def by_side(self, condition: Condition, kind: Kind, measure: str) -> list[float | None]:
        """The scores of the sides."""
        return [_figure(tally, MEASURES[measure]) for tally in self.tallies[condition, kind]]

    def words(self, condition: Condition) -> list[int]:
        """The number of gold words in each side."""
        totals = [tally.counts[0].total() for tally in self.tallies[condition, USUAL]]
        return [sum(total[name] for name in ("correct", "substituted", "deleted")) for total in totals]

    def word_errors(self, condition: Condition) -> float | None:
        """The word error rate over all sides."""
        return _figure(Tally.added(self.tallies[condition, USUAL]), "wer")

    def boundary_errors(self, threshold: float | None) -> float | None:
        """False and missed boundaries as a share of the true ones."""
        true, false, missed = self.boundaries[threshold]
        return 0.0 if threshold is None else _share(false + missed, true)

    def usual_conditions(self) -> list[tuple[float, float | None]]:
        """No errors; wrong words, boundaries, or both, at the highest rate and the best threshold."""
        rate, best = self.plan.rates[-1], self.best_threshold()
        return list(dict.fromkeys([(0.0, None), (rate, None), (0.0, best), (rate, best)]))

    def best_threshold(self) -> float | None:
        """The threshold with the fewest errors; None if there is none."""
        known = [threshold for threshold in self.plan.thresholds if threshold is not None]
        return min(known, key=lambda threshold: sum(self.boundaries[threshold][1:]), default=None)


def _figure(tally: Tally, name: str) -> float | None:
    return tally.report().scores[0].figures[name].value


def _share(above: int, below: int) -> float | None:
    return above / below if below else None
