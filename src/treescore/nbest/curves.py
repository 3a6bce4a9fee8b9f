"""What n-best lists are worth against gold trees: their first candidates, the chosen ones, and the best ones."""

from __future__ import annotations

from .. import _core
from ..counts import UNIT, Counts
from ..place.pair import Pair
from ..problem import InputError, Problem, UnequalTreebanks, UsageError
from ..readers.sources import read
from ..scoring.batch import score_batch
from ..text import number_of, visible
from ..trees import Treebank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from ..metrics.base import Metric
    from ..readers.sources import Readable
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
        #: For each n from 1 the sums of what was expected, of the weights of lists, and of the counts of each system;
        #: each list adds up to its length, and once more to what holds for all longer ones.
        self._expected: list[list[int]] = []
        self._columns: tuple[str, ...] = ()
        self._sums: dict[str, list[list[int]]] = {name: [] for name in SYSTEMS}
        self._after: dict[str, list[list[int]]] = {name: [] for name in SYSTEMS}
        self._expected_after: list[list[int]] = []
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
        expected, lists = self._at(self._expected, self._expected_after, n, 2)
        found: dict[str, float | None] = {"expected": expected / (lists * UNIT) if lists else None}
        for name in SYSTEMS:
            found[name] = self.metric.score(self.counts(name, n)).all if self._columns else None
        return found

    def counts(self, system: str, n: int | None = None) -> Counts:
        """The counts of one of the systems, `first`, `chosen` or `oracle`, with the first n candidates, or with all."""
        size = self.most if n is None else n
        sums = self._at(self._sums[system], self._after[system], size, len(self._columns))
        return Counts({}, totals=dict(zip(self._columns, sums, strict=True)))

    def table(self) -> Iterator[tuple[int, dict[str, float | None]]]:
        """`at(n)` for each n from 1 to `most`."""
        return ((n, self.at(n)) for n in range(1, self.most + 1))

    @staticmethod
    def _at(sums: Sequence[Sequence[int]], after: Sequence[Sequence[int]], n: int, width: int) -> list[int]:
        """Lists that have n candidates as they are with n, shorter ones as they are with all of theirs."""
        rows = [*sums[n - 1 : n], *after[: n - 1]] if n <= len(sums) else list(after)
        return [sum(row[column] for row in rows if row) for column in range(width)]

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
        metric = self.metric
        bank = self.gold.select([None]) if decided is None or not decided.first else decided.bank
        builder = _core.TreeBuilder()
        for _ in range(len(bank)):
            builder.extend(self.gold.native.slice(place, place + 1))
        gold = Treebank(builder.trees(), source=self.gold.source)
        batch = score_batch([metric], Pair(gold, bank))
        counts = batch.counts[0]
        scores = metric.rows(counts)[metric.row_figure]
        self._columns = tuple(counts.columns)
        rows = list(zip(*counts.columns.values(), strict=True))
        steps = [(0, None)] if decided is None or not decided.first else list(decided.prefixes())
        best, known = 0, 0
        for n, (chosen, expected) in enumerate(steps):
            here = decided.places[n] if decided is not None and decided.first else 0
            if here >= known:
                known = here + 1
                best = here if _better(scores[here], scores[best]) else best
            last = n == len(steps) - 1
            for name, which in (("first", 0), ("chosen", chosen), ("oracle", best)):
                _add(self._sums[name], n, rows[which])
                _add(self._after[name], n, rows[which] if last else ())
            worth = (0, 0) if expected is None else (round(UNIT * expected), 1)
            _add(self._expected, n, worth)
            _add(self._expected_after, n, worth if last else ())
        shown = steps[-1][0] + 1
        found = metric.row_problems(batch.pair, counts)
        self.problems += [problem.replace(unit=place + 1) for problem in found if problem.unit == shown]


def _better(score: float | None, than: float | None) -> bool:
    return score is not None and (than is None or score > than)


def _add(sums: list[list[int]], place: int, row: Sequence[int]) -> None:
    """Add a row to the sums at a place, which may be the next one."""
    if place == len(sums):
        sums.append([])
    old = sums[place]
    sums[place] = [a + b for a, b in zip(old, row, strict=True)] if old and row else list(row) or old
