"""mbr(): the candidate of each list with the highest expected score against all candidates (minimum Bayes risk)."""

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

#: Weights of candidates: equal, or the softmax of the scores.
WEIGHTS = ("uniform", "scores")


class WeightedCandidate(Value):
    """A distinct candidate: its best rank, its weight, and its expected score."""

    tree: Tree
    rank: int
    weight: float
    expected: float | None


class Choice:
    """The candidate chosen from one list; `tree`, `rank` and `expected` are None if no candidate is usable.

    `candidates` is the number of usable candidates, `distinct` the number of different ones.

    >>> [choice] = mbr([["(S (NN a))", "(S (X (NN a)))", "(S (NN a))"]])
    >>> choice.rank, choice.candidates, choice.distinct
    (1, 3, 2)
    >>> [(row.rank, round(row.weight, 3), round(row.expected, 3)) for row in choice.distribution()]
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

    def distribution(self) -> list[WeightedCandidate]:
        """The distinct candidates, sorted by their best ranks."""
        decided = self._decided
        total = sum(decided.weights)
        return [
            WeightedCandidate(
                decided.bank[number],
                decided.ranks[first],
                decided.weight(number) / total if total else 0.0,
                decided.expected(number),
            )
            for number, first in enumerate(decided.first)
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
    """Choose the candidate with the highest expected score from each n-best list, one list at a time.

    `lists` is an argument of `read`, or an iterable of lists: `NBest` objects, or trees, best first. The expected score
    of a candidate is its mean score against all candidates of its list as gold, including itself; ties are resolved by
    rank. With `weights="scores"` the mean is weighted by the softmax of the scores (log probabilities), divided by
    `temperature`. Pairs without a score count as 0. `curves` collects scores against gold trees. `threads` does not
    affect the result.

    >>> trees = ["(S (NP (NN a)) (VB b))", "(S (NN a) (VB b))", "(S (NN a) (VP (VB b)))"]
    >>> [choice.rank for choice in mbr([trees])]
    [2]
    >>> [choice.rank for choice in mbr([NBest.of(trees, scores=[-1, -9, -9])], weights="scores")]
    [1]
    """
    scorer = get(metric)
    check_metric(scorer)
    check_choice(weights, "weights", WEIGHTS)
    if not isinstance(temperature, int | float) or not 0 < temperature < float("inf"):
        raise UsageError(f"temperature must be a number above 0, not {temperature!r}")
    if curves is not None:
        curves.begin(scorer)
    source: Any = lists
    if isinstance(lists, str | bytes | os.PathLike) or hasattr(lists, "readline"):
        source = read(source, form=form)
    return _choices(source, scorer, weights, temperature, curves, threads)


def check_metric(metric: Metric) -> None:
    """Raise an error for metrics that do not score pairs of trees."""
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
        nbest = item if isinstance(item, NBest) else NBest.of(item, number=number)
        decided = Decided(nbest, metric, temperature if weights == "scores" else None, threads)
        if curves is not None:
            curves.add(decided)
        yield Choice(decided)


class Decided:
    """The distinct candidates of one list, their weights, and their scores against each other.

    Weights and scores are integers in units of 2^-40, so that sums do not depend on the order. A duplicate candidate
    counts twice.
    """

    def __init__(self, nbest: NBest, metric: Metric, temperature: float | None, threads: int | None) -> None:
        self.list = nbest
        self.problems = list(nbest.problems)
        usable = self._over_the_same_words(nbest, metric)
        self.ranks = [nbest.ranks[index] for index in usable]
        self.numbers: list[int] = []  # the number of each candidate among the distinct ones
        self.first: list[int] = []  # the first occurrence of each distinct candidate
        self._distinct(nbest, usable)
        self.bank: Treebank = nbest.trees.select(usable[index] for index in self.first)
        self.weights = self._weights([nbest.scores[index] for index in usable], temperature)
        size = len(self.first)
        scores = compared_by(self.bank, metric, threads=threads) if size else ()
        self._rows = [_in_units(scores[row * size : (row + 1) * size]) for row in range(size)]
        self._defined = any(score == score for score in scores)
        self._summed_weights = [0] * size
        self._sums = [0] * size
        for index, weight in enumerate(self.weights):
            self._add(index, weight)
        self.chosen = self._best()
        self._total = sum(self.weights)

    def weight(self, number: int) -> int:
        """The summed weight of a distinct candidate."""
        return self._summed_weights[number]

    def expected(self, number: int) -> float | None:
        """The expected score of a distinct candidate; None if all weights are 0, or no pair has a score."""
        return self._sums[number] / (self._total * UNIT) if self._total and self._defined else None

    def prefixes(self) -> Iterator[tuple[int, float | None]]:
        """The choice from the first candidate, from the first two, …, each with its expected score."""
        size = len(self.first)
        self._summed_weights, self._sums = [0] * size, [0] * size
        known = total = 0
        for index, weight in enumerate(self.weights):
            self._add(index, weight)
            total += weight
            known = max(known, self.numbers[index] + 1)
            best = self._best(known)
            assert best is not None
            yield best, self._sums[best] / (total * UNIT) if total and self._defined else None

    def _add(self, index: int, weight: int) -> None:
        """Add a candidate as gold for all others."""
        row = self.numbers[index]
        self._summed_weights[row] += weight
        if weight:
            self._sums = [total + weight * score for total, score in zip(self._sums, self._rows[row], strict=True)]

    def _best(self, known: int | None = None) -> int | None:
        sums = self._sums[:known]
        return sums.index(max(sums)) if sums else None  # the first of equal sums has the best rank

    def _over_the_same_words(self, nbest: NBest, metric: Metric) -> list[int]:
        """The candidates over the most frequent word sequence."""
        odd = {index for _, index in differing_words(nbest.trees, metric)}
        if not odd:
            return list(range(len(nbest)))
        words = [tuple(nbest.trees.words(index)) for index in range(len(nbest))]
        usual = max(words, key=words.count)
        if words[0] != usual:
            odd = {index for index, own in enumerate(words) if own != usual}
        message = "its words differ from those of the other candidates"
        self.problems += [
            nbest.trees.problem(index, "words", message, LEFT_OUT).replace(unit=nbest.number) for index in sorted(odd)
        ]
        return [index for index in range(len(nbest)) if index not in odd]

    def _distinct(self, nbest: NBest, usable: Sequence[int]) -> None:
        known: dict[object, int] = {}
        for position, index in enumerate(usable):
            number = known.setdefault(nbest.keys[index], len(known))
            self.numbers.append(number)
            if number == len(self.first):
                self.first.append(position)

    def _weights(self, scores: Sequence[float | None], temperature: float | None) -> list[int]:
        known = [score for score in scores if score is not None]
        if temperature is None or not scores:
            return [1] * len(scores)
        if len(known) < len(scores):
            missing = number_of(len(scores) - len(known), "candidate")
            action = "they get weight 0" if known else "all get the same weight"
            message = f"{missing} of list {visible(self.list.id)!r} without a score"
            file = self.list.trees.source.name
            self.problems.append(Problem("score", message, file=file, unit=self.list.number, action=action))
        if not known:
            return [1] * len(scores)
        best = max(known)
        return [0 if score is None else round(UNIT * exp((score - best) / temperature)) for score in scores]


def _in_units(scores: Sequence[float]) -> list[int]:
    return [round(UNIT * score) if score == score else 0 for score in scores]
