"""What n-best lists are worth against gold trees: their first candidates, the chosen ones, and the best ones."""

from __future__ import annotations

from .. import _core
from ..helpers.text import number_of, visible
from ..place.pair import Pair
from ..readers.sources import read
from ..scoring.batch import score_batch
from ..scoring.tally import Tally
from ..trees import Treebank
from ..values.counts import UNIT
from ..values.problem import InputError, Problem, UnequalTreebanks, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from ..metrics.base import Metric
    from ..readers.sources import Readable
    from ..values.score import Score
    from .risk import Decided

#: Whose scores are told, by what they are called in data and in tables.
SYSTEMS = {"first": "1-best", "chosen": "MBR", "oracle": "oracle"}


class Curves:
    """Scores of n-best lists against gold trees, collected by `mbr`; `at(n)` is about the first n of each list.

    Gold trees with ids are found by the id of the list, others stand in the order of the lists.

    >>> from treescore import nbest
    >>> trees = ["(S (NP (NN a)) (VB b))", "(S (NN a) (VB b))", "(S (NN a) (VP (VB b)))"]
    >>> curves = Curves(["(S (NN a) (VP (VB b)))"])
    >>> for choice in nbest.mbr([trees], curves=curves): pass
    >>> curves.most, {name: round(value, 3) for name, value in curves.at(3).items()}
    (3, {'expected': 0.905, 'first': 0.75, 'chosen': 0.857, 'oracle': 1.0})
    """

    def __init__(self, gold: Readable) -> None:
        self.gold = read(gold, on_error="keep")
        self.lists = 0
        self.problems: list[Problem] = []
        self._metric: Metric | None = None
        self._place: dict[str, int] | None = None
        self._met: set[int] = set()
        #: For each n from 1 what changes with the n-th candidate of the lists: the sum of the expected scores, how many
        #: lists have one, and the tally of each system. So lists with fewer candidates stay as they are.
        self._expected: list[tuple[int, int]] = []
        self._changes: dict[str, list[Tally]] = {name: [] for name in SYSTEMS}
        self._sums: dict[str, list[Tally]] = {}
        if self.gold.ids is not None:
            self._place = {name: place for place, name in enumerate(self.gold.ids)}
            if len(self._place) < len(self.gold):
                message = "an id is there twice, so that it is not known which list belongs to it"
                raise InputError(Problem("id", message, file=self.gold.source.name))

    @property
    def metric(self) -> Metric:
        """What the lists were scored by."""
        if self._metric is None:
            raise UsageError("nothing has been collected yet: give the curves to treescore.nbest.mbr")
        return self._metric

    @property
    def most(self) -> int:
        """The most candidates of a list, at least 1."""
        return max(len(self._expected), 1)

    def begin(self, metric: Metric) -> None:
        """Take the metric with which all lists are scored."""
        if self._metric is not None:
            raise UsageError("these curves have been used before: make new ones for each run")
        self._metric = metric

    def add(self, decided: Decided) -> None:
        """Score one list against its gold tree."""
        place = self._gold_of(decided)
        if place is None:
            return
        self._met.add(place)
        self._score(place, decided)

    def finish(self) -> None:
        """Count gold trees without a list as sentences without a parse; without ids, any of them is an error."""
        if self._place is None and len(self._met) != len(self.gold):
            message = f"{number_of(self.lists, 'list')} but {number_of(len(self.gold), 'gold tree')}"
            raise UnequalTreebanks(Problem("unequal", message, file=self.gold.source.name))
        for place in range(len(self.gold)):
            if place not in self._met:
                self._met.add(place)
                message, action = (
                    f"there is no list {visible(self.gold.names()[place])!r}",
                    "taken for one without a parse",
                )
                self.problems.append(self.gold.problem(place, "id", message, action))
                self._score(place, None)

    def at(self, n: int) -> dict[str, float | None]:
        """Figures of the first n candidates: what is expected of the chosen ones, and the score of each system.

        The expected score is the mean over lists, the others are scores of all lists together, over all sentences.
        """
        if n < 1:
            raise UsageError(f"n must be a whole number from 1, not {n!r}")
        expected, lists = (sum(column) for column in zip((0, 0), *self._expected[:n], strict=True))
        found: dict[str, float | None] = {"expected": expected / (lists * UNIT) if lists else None}
        for name in SYSTEMS:
            found[name] = self.score(name, n).all
        return found

    def score(self, system: str, n: int | None = None) -> Score:
        """The score of one of the systems, `first`, `chosen` or `oracle`, with the first n candidates, or with all."""
        changes, sums = self._changes[system], self._sums.setdefault(system, [Tally([self.metric])])
        size = len(changes) if n is None else min(n, len(changes))
        while len(sums) <= size:
            sums.append(Tally.added([sums[-1], changes[len(sums) - 1]]))
        return sums[size].report().scores[0]

    def table(self) -> Iterator[tuple[int, dict[str, float | None]]]:
        """`at(n)` for each n from 1 to `most`."""
        return ((n, self.at(n)) for n in range(1, self.most + 1))

    def _change(self, system: str, n: int, row: Mapping[str, int], before: Mapping[str, int] | None) -> None:
        """Add what becomes of a list with its candidate at place n: one more row, or another one than before."""
        changes = self._changes[system]
        if n == len(changes):
            changes.append(Tally([self.metric]))
        if before is None:
            changes[n].add_sums([row], 1)
        elif row != before:
            changes[n].add_sums([{name: value - before[name] for name, value in row.items()}], 0)

    def _gold_of(self, decided: Decided) -> int | None:
        found = decided.list
        self.lists += 1
        if self._place is None:
            if self.lists > len(self.gold):
                message = f"there are more lists than the {number_of(len(self.gold), 'gold tree')}"
                raise UnequalTreebanks(Problem("unequal", message, file=self.gold.source.name))
            return self.lists - 1
        place = self._place.get(found.id)
        if place is None or place in self._met:
            what = "gold has no sentence" if place is None else "there was a list before for the sentence"
            message = f"{what} {visible(found.id)!r}"
            where: dict[str, Any] = {"file": found.trees.source.name, "unit": found.number}
            self.problems.append(Problem("id", message, action="left out of the scores", **where))
            return None
        return place

    def _score(self, place: int, decided: Decided | None) -> None:
        """Add what the candidates of a list score; a list without candidates is a sentence without a parse."""
        self._sums.clear()
        metric = self.metric
        bank = self.gold.select([None]) if decided is None or not decided.first else decided.bank
        builder = _core.TreeBuilder()
        for _ in range(len(bank)):
            builder.extend(self.gold.native.slice(place, place + 1))
        gold = Treebank(builder.trees(), source=self.gold.source)
        batch = score_batch([metric], Pair(gold, bank))
        counts = batch.counts[0]
        scores = metric.rows(counts)[metric.row_figure]
        rows = list(counts.rows())
        steps = [(0, None)] if decided is None or not decided.first else list(decided.prefixes())
        best, known = 0, 0
        which: dict[str, int] = {}
        worth = (0, 0)
        for n, (chosen, expected) in enumerate(steps):
            here = decided.places[n] if decided is not None and decided.first else 0
            if here >= known:
                known = here + 1
                best = here if _better(scores[here], scores[best]) else best
            before, which = which, {"first": 0, "chosen": chosen, "oracle": best}
            for name, index in which.items():
                self._change(name, n, rows[index], rows[before[name]] if before else None)
            worth, worth_before = (0, 0) if expected is None else (round(UNIT * expected), 1), worth
            self._expected += [(0, 0)] * (n + 1 - len(self._expected))
            known_sum, known_lists = self._expected[n]
            self._expected[n] = known_sum + worth[0] - worth_before[0], known_lists + worth[1] - worth_before[1]
        shown = steps[-1][0] + 1
        found = metric.row_problems(batch.pair, counts)
        self.problems += [problem.replace(unit=place + 1) for problem in found if problem.unit == shown]


def _better(score: float | None, than: float | None) -> bool:
    return score is not None and (than is None or score > than)
