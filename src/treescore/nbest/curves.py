"""Scores of n-best lists against gold trees: of the first, the chosen and the best candidates."""

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

#: The choices of candidates that are scored: their names in data and in tables.
SYSTEMS = {"first": "1-best", "chosen": "MBR", "oracle": "oracle"}


class Curves:
    """Scores of n-best lists against gold trees, collected by `mbr`; `at(n)` uses the first n candidates of each list.

    Lists are paired with gold trees by id, or by position if gold trees have no ids.

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
        self._index: dict[str, int] | None = None
        self._scored: set[int] = set()
        #: For each n from 1 the changes by the n-th candidates: the sum of expected scores, the number of lists that
        #: have one, and the tally of each system. Lists with fewer candidates change nothing.
        self._expected: list[tuple[int, int]] = []
        self._changes: dict[str, list[Tally]] = {name: [] for name in SYSTEMS}
        self._sums: dict[str, list[Tally]] = {}
        if self.gold.ids is not None:
            self._index = {name: index for index, name in enumerate(self.gold.ids)}
            if len(self._index) < len(self.gold):
                message = "an id occurs twice, so lists cannot be paired with gold trees"
                raise InputError(Problem("id", message, file=self.gold.source.name))

    @property
    def metric(self) -> Metric:
        """The metric by which the lists were scored."""
        if self._metric is None:
            raise UsageError("nothing has been collected yet: pass the curves to treescore.nbest.mbr")
        return self._metric

    @property
    def most(self) -> int:
        """The length of the longest list, at least 1."""
        return max(len(self._expected), 1)

    def begin(self, metric: Metric) -> None:
        """Set the metric by which all lists are scored."""
        if self._metric is not None:
            raise UsageError("these curves have been used before: create new ones for each run")
        self._metric = metric

    def add(self, decided: Decided) -> None:
        """Score one list against its gold tree."""
        index = self._gold_index(decided)
        if index is None:
            return
        self._scored.add(index)
        self._score(index, decided)

    def finish(self) -> None:
        """Count gold trees without a list as sentences without a parse; without ids they are an error."""
        if self._index is None and len(self._scored) != len(self.gold):
            message = f"{number_of(self.lists, 'list')} but {number_of(len(self.gold), 'gold tree')}"
            raise UnequalTreebanks(Problem("unequal", message, file=self.gold.source.name))
        for index in range(len(self.gold)):
            if index not in self._scored:
                self._scored.add(index)
                message = f"there is no list {visible(self.gold.names()[index])!r}"
                self.problems.append(self.gold.problem(index, "id", message, "treated as a sentence without a parse"))
                self._score(index, None)

    def at(self, n: int) -> dict[str, float | None]:
        """Figures of the first n candidates: the expected score of the chosen ones, and the score of each system.

        The expected score is the mean over lists; the other scores are corpus scores over all sentences.
        """
        if n < 1:
            raise UsageError(f"n must be a whole number from 1, not {n!r}")
        expected, lists = (sum(column) for column in zip((0, 0), *self._expected[:n], strict=True))
        figures: dict[str, float | None] = {"expected": expected / (lists * UNIT) if lists else None}
        return {**figures, **{name: self.score(name, n).all for name in SYSTEMS}}

    def score(self, system: str, n: int | None = None) -> Score:
        """The score of `first`, `chosen` or `oracle` with the first n candidates, by default with all."""
        changes, sums = self._changes[system], self._sums.setdefault(system, [Tally([self.metric])])
        size = len(changes) if n is None else min(n, len(changes))
        while len(sums) <= size:
            sums.append(Tally.added([sums[-1], changes[len(sums) - 1]]))
        return sums[size].report().scores[0]

    def table(self) -> Iterator[tuple[int, dict[str, float | None]]]:
        """`at(n)` for each n from 1 to `most`."""
        return ((n, self.at(n)) for n in range(1, self.most + 1))

    def _change(self, system: str, n: int, row: Mapping[str, int], before: Mapping[str, int] | None) -> None:
        """Add the row of a list with its candidate at index n, which may replace an earlier row."""
        changes = self._changes[system]
        if n == len(changes):
            changes.append(Tally([self.metric]))
        if before is None:
            changes[n].add_sums([row], 1)
        elif row != before:
            changes[n].add_sums([{name: value - before[name] for name, value in row.items()}], 0)

    def _gold_index(self, decided: Decided) -> int | None:
        nbest = decided.list
        self.lists += 1
        if self._index is None:
            if self.lists > len(self.gold):
                message = f"there are more lists than the {number_of(len(self.gold), 'gold tree')}"
                raise UnequalTreebanks(Problem("unequal", message, file=self.gold.source.name))
            return self.lists - 1
        index = self._index.get(nbest.id)
        if index is None or index in self._scored:
            what = "gold has no sentence" if index is None else "there was an earlier list for the sentence"
            message = f"{what} {visible(nbest.id)!r}"
            where: dict[str, Any] = {"file": nbest.trees.source.name, "unit": nbest.number}
            self.problems.append(Problem("id", message, action="left out of the scores", **where))
            return None
        return index

    def _score(self, index: int, decided: Decided | None) -> None:
        """Add the scores of the candidates of a list; a list without candidates is a sentence without a parse."""
        self._sums.clear()
        metric = self.metric
        bank = self.gold.select([None]) if decided is None or not decided.first else decided.bank
        builder = _core.TreeBuilder()
        for _ in range(len(bank)):
            builder.extend(self.gold.native.slice(index, index + 1))
        gold = Treebank(builder.trees(), source=self.gold.source)
        batch = score_batch([metric], Pair(gold, bank))
        counts = batch.counts[0]
        scores = metric.rows(counts)[metric.row_figure]
        rows = list(counts.rows())
        steps = [(0, None)] if decided is None or not decided.first else list(decided.prefixes())
        best, known = 0, 0
        choices: dict[str, int] = {}
        term = (0, 0)
        for n, (chosen, expected) in enumerate(steps):
            number = decided.numbers[n] if decided is not None and decided.first else 0
            if number >= known:
                known = number + 1
                best = number if _better(scores[number], scores[best]) else best
            before, choices = choices, {"first": 0, "chosen": chosen, "oracle": best}
            for name, row in choices.items():
                self._change(name, n, rows[row], rows[before[name]] if before else None)
            term_before, term = term, (0, 0) if expected is None else (round(UNIT * expected), 1)
            self._expected += [(0, 0)] * (n + 1 - len(self._expected))
            total, lists = self._expected[n]
            self._expected[n] = total + term[0] - term_before[0], lists + term[1] - term_before[1]
        shown = steps[-1][0] + 1
        problems = metric.row_problems(batch.pair, counts)
        self.problems += [problem.replace(unit=index + 1) for problem in problems if problem.unit == shown]


def _better(score: float | None, than: float | None) -> bool:
    return score is not None and (than is None or score > than)
