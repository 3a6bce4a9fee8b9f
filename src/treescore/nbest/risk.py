"""mbr(): of each list the candidate that is most like all of them, weighed by how likely they are."""

from __future__ import annotations

import os
from math import exp

from ..helpers.text import number_of, visible
from ..metrics import get
from ..scoring.pairwise import compared_by, differing_words
from ..trees import Tree
from ..values.counts import UNIT
from ..values.problem import Problem, UsageError, check_choice
from ..values.value import Value
from .lists import LEFT_OUT, NBest
from .reading import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from ..metrics.base import Metric
    from ..recipe import Recipe
    from ..trees import Treebank
    from .curves import Curves
    from .reading import Readable

#: All candidates alike, or each by the softmax of the scores.
WEIGHTS = ("uniform", "scores")


class Weighed(Value):
    """A candidate that differs from the others: its best rank, how likely it is, and its expected score."""

    tree: Tree
    rank: int
    weight: float
    expected: float | None


class Choice:
    """The candidate chosen from one list; `tree`, `rank` and `expected` are None where no candidate could be used.

    `candidates` is how many could be used, `distinct` how many of them differ.

    >>> [choice] = mbr([["(S (NN a))", "(S (X (NN a)))", "(S (NN a))"]])
    >>> choice.rank, choice.candidates, choice.distinct
    (1, 3, 2)
    >>> [(each.rank, round(each.weight, 3), round(each.expected, 3)) for each in choice.distribution()]
    [(1, 0.667, 0.933), (2, 0.333, 0.867)]
    """

    def __init__(self, decided: Decided) -> None:
        self.id, self.number = decided.list.id, decided.list.number
        self.problems = decided.problems
        self.candidates, self.distinct = len(decided.ranks), len(decided.first)
        self.bank = decided.bank.select([] if decided.chosen is None else [decided.chosen])
        self.rank = None if decided.chosen is None else decided.ranks[decided.first[decided.chosen]]
        self.expected = None if decided.chosen is None else decided.expected(decided.chosen)
        self._decided = decided

    @property
    def tree(self) -> Tree | None:
        """The chosen tree."""
        return self.bank[0] if len(self.bank) else None

    def distribution(self) -> list[Weighed]:
        """All candidates that differ, in the order of their best ranks."""
        decided = self._decided
        total = sum(decided.weights)
        return [
            Weighed(
                decided.bank[place],
                decided.ranks[first],
                decided.weight(place) / total if total else 0.0,
                decided.expected(place),
            )
            for place, first in enumerate(decided.first)
        ]

    def __repr__(self) -> str:
        return f"<Choice from {self.id!r}: rank {self.rank}, expected {self.expected}>"


def mbr(
    lists: Readable | Iterable[Any],
    metric: str | Metric | Recipe = "struct_iou",
    *,
    weights: str = "uniform",
    temperature: float = 1.0,
    form: str = "auto",
    curves: Curves | None = None,
    threads: int | None = None,
) -> Iterator[Choice]:
    """From each n-best list the candidate with the highest expected score, one list at a time.

    `lists` is what `read` takes, or yields lists: `NBest`s, or trees, best first. The expected score of a candidate is
    its mean score against all candidates of its list as gold, itself included; of equal ones the best rank is chosen.
    With `weights="scores"` the mean is weighed by the softmax of the scores, which are taken for logarithms of
    probabilities and divided by `temperature`. Where a pair has no score, it counts as 0. `curves` collects scores
    against gold trees. `threads` changes nothing but the time.

    >>> trees = ["(S (NP (NN a)) (VB b))", "(S (NN a) (VB b))", "(S (NN a) (VP (VB b)))"]
    >>> [choice.rank for choice in mbr([trees])]
    [2]
    >>> [choice.rank for choice in mbr([NBest.of(trees, scores=[-1, -9, -9])], weights="scores")]
    [1]
    """
    made = get(metric)
    check_metric(made)
    check_choice(weights, "weights", WEIGHTS)
    if not isinstance(temperature, int | float) or not 0 < temperature < float("inf"):
        raise UsageError(f"temperature must be a number above 0, not {temperature!r}")
    if curves is not None:
        curves.begin(made)
    found: Any = lists
    if isinstance(lists, str | bytes | os.PathLike) or hasattr(lists, "readline"):
        found = read(found, form=form)
    return _choices(found, made, weights, temperature, curves, threads)


def check_metric(metric: Metric) -> None:
    """Refuse metrics that do not give each pair of trees a score."""
    if metric.reads != "trees" or not metric.pairs_trees or metric.row_unit != "sentence":
        raise UsageError(f"{metric.signature} does not score one tree against another; use struct_iou or parseval")


def _choices(
    lists: Iterable[Any],
    metric: Metric,
    weights: str,
    temperature: float,
    curves: Curves | None,
    threads: int | None,
) -> Iterator[Choice]:
    for number, item in enumerate(lists, 1):
        found = item if isinstance(item, NBest) else NBest.of(item, number=number)
        decided = Decided(found, metric, temperature if weights == "scores" else None, threads)
        if curves is not None:
            curves.add(decided)
        yield Choice(decided)


class Decided:
    """All that is known of one list: which candidates differ, their weights, and each of them scored by all others.

    Weights and scores are whole numbers, in units of 2^-40, so that sums do not depend on their order, and a candidate
    that is there twice counts as two.
    """

    def __init__(self, found: NBest, metric: Metric, temperature: float | None, threads: int | None) -> None:
        self.list = found
        self.problems = list(found.problems)
        usable = self._over_the_same_words(found, metric)
        self.ranks = [found.ranks[place] for place in usable]
        self.places: list[int] = []  # of each candidate among those that differ
        self.first: list[int] = []  # of each that differs, where it stands first
        self._distinct(found, usable)
        self.bank: Treebank = found.trees.select(usable[place] for place in self.first)
        self.weights = self._weights([found.scores[place] for place in usable], temperature)
        size = len(self.first)
        scores = compared_by(self.bank, metric, threads=threads) if size else ()
        self._rows = [_in_units(scores[row * size : (row + 1) * size]) for row in range(size)]
        self._defined = any(score == score for score in scores)
        self._shown = [0] * size
        self._sums = [0] * size
        for place, weight in enumerate(self.weights):
            self._add(place, weight)
        self._metric = metric
        self.chosen = self._best()
        self._total = sum(self.weights)

    def weight(self, place: int) -> int:
        """How much a candidate weighs, with all that are equal to it."""
        return self._shown[place]

    def expected(self, place: int) -> float | None:
        """The expected score of a candidate; None if nothing weighs anything, or no pair has a score."""
        return self._sums[place] / (self._total * UNIT) if self._total and self._defined else None

    def prefixes(self) -> Iterator[tuple[int, float | None]]:
        """What would be chosen from the first candidate, from the first two, …, and its expected score."""
        size = len(self.first)
        self._shown, self._sums = [0] * size, [0] * size
        known = total = 0
        for place, weight in enumerate(self.weights):
            self._add(place, weight)
            total += weight
            known = max(known, self.places[place] + 1)
            best = self._best(known)
            assert best is not None
            yield best, self._sums[best] / (total * UNIT) if total and self._defined else None

    def _add(self, place: int, weight: int) -> None:
        """Let one more candidate be what the others are scored against."""
        row = self.places[place]
        self._shown[row] += weight
        if weight:
            self._sums = [whole + weight * score for whole, score in zip(self._sums, self._rows[row], strict=True)]

    def _best(self, known: int | None = None) -> int | None:
        sums = self._sums[:known]
        return sums.index(max(sums)) if sums else None  # the first of equal ones has the best rank

    def _over_the_same_words(self, found: NBest, metric: Metric) -> list[int]:
        """The candidates over the words that most of them have."""
        odd = {place for _, place in differing_words(found.trees, metric)}
        if not odd:
            return list(range(len(found)))
        words = [tuple(found.trees.words(place)) for place in range(len(found))]
        usual = max(words, key=words.count)
        if words[0] != usual:
            odd = {place for place, each in enumerate(words) if each != usual}
        self.problems += [
            found.trees.problem(place, "words", "its words are not those of the other candidates", LEFT_OUT).replace(
                unit=found.number
            )
            for place in sorted(odd)
        ]
        return [place for place in range(len(found)) if place not in odd]

    def _distinct(self, found: NBest, usable: Sequence[int]) -> None:
        known: dict[object, int] = {}
        for at, place in enumerate(usable):
            number = known.setdefault(found.keys[place], len(known))
            self.places.append(number)
            if number == len(self.first):
                self.first.append(at)

    def _weights(self, scores: Sequence[float | None], temperature: float | None) -> list[int]:
        known = [score for score in scores if score is not None]
        if temperature is None or not scores:
            return [1] * len(scores)
        if len(known) < len(scores):
            missing = number_of(len(scores) - len(known), "candidate")
            action = "they weigh nothing" if known else "all weigh the same"
            message = f"{missing} of list {visible(self.list.id)!r} without a score"
            file = self.list.trees.source.name
            self.problems.append(Problem("score", message, file=file, unit=self.list.number, action=action))
        if not known:
            return [1] * len(scores)
        best = max(known)
        return [0 if score is None else round(UNIT * exp((score - best) / temperature)) for score in scores]


def _in_units(scores: Sequence[float]) -> list[int]:
    return [round(UNIT * score) if score == score else 0 for score in scores]
