"""Counting for `agreement`: which sentences are comparable, and their counts."""

from __future__ import annotations

from array import array
from fractions import Fraction
from itertools import combinations
from math import isqrt, lcm
from random import Random

from ... import _core, metrics as registry
from ...helpers.text import decode, encode, visible
from ...metrics.policy import outer_bracket_problems
from ...place.pair import Pair
from ...scoring.batch import Batch, score_batch
from ...scoring.tally import Tally
from ...values.counts import UNIT, Counts
from ..breakdowns import NO_TAG
from .chance import Distances, Units
from .results import Expected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ...metrics.base import Metric
    from ...recipe import Recipe
    from ...scoring.report import Report
    from ...trees import Treebank
    from ...values.problem import Problem
    from .results import Groups, Pair as Names

    #: The frequency of each label by annotator.
    Uses = list[dict[str, int]]
    #: The first and last word of a phrase; for a discontinuous phrase also a hash of its words.
    Words = tuple[int, ...]

#: Up to this number of pairs of trees of different sentences, all are compared for the expected distance.
MAX_PAIRS = 20_000
#: Pairs of trees with a longer predicted time in seconds are left out of the expected distance.
LIMIT = 0.05
LEFT_OUT = "left out"


class Reading:
    """The trees of an annotator, with words left out and labels cut according to a recipe.

    >>> import treescore
    >>> bank = treescore.read("(TOP (S (NP (PRP we)) (VP (VBD saw) (NP (NP (NNS stars)))) (. .)))")
    >>> Reading(bank, treescore.PROFILES["collins"]).sentence(0)
    (['PRP', 'VBD', 'NNS'], {(0, 3): ('S',), (0, 1): ('NP',), (1, 3): ('VP',), (2, 3): ('NP', 'NP')})
    """

    def __init__(self, bank: Treebank, recipe: Recipe, name: str = "") -> None:
        self.bank, self.recipe, self.name = bank, recipe, name
        raw = bank.names()
        [(self._labels, self._tags), _] = recipe.compile(bank.native, bank.native).compared()
        self._counted = [recipe.counts_label(name) for name in raw]
        self._deleted = list(map(recipe.deletes_tag, raw))
        self._deleted_forms = {encode(form) for form in recipe.delete_forms}
        self._weights: list[int] = []
        self._random = Random(1)

    def _counts(self, tag: int, word: bytes) -> bool:
        return not (tag >= 0 and self._deleted[tag]) and word not in self._deleted_forms

    def words(self, index: int) -> list[bytes]:
        """The counted words."""
        return [word for tag, _, word in self.bank.native.leaves(index) if self._counts(tag, word)]

    def sentence(self, index: int) -> tuple[list[str], dict[Words, tuple[str, ...]]]:
        """The tags of the counted words, and the labels of each phrase from top to bottom."""
        native, least = self.bank.native, max(1, self.recipe.least_width)
        leaves, nodes = native.leaves(index), native.nodes(index)
        tags: list[str] = []
        before = [0]  # the number of counted words before each leaf, and before the end
        for tag, _, word in leaves:
            if self._counts(tag, word):
                tags.append(NO_TAG if tag < 0 else self._tags[tag])
            before.append(len(tags))
        places = self._places(index, before) if native.discontinuous(index) else None
        labels_of: dict[Words, list[str]] = {}
        for number, (label, _, start, end) in enumerate(nodes):
            words, width = (
                ((before[start], before[end]), before[end] - before[start]) if places is None else places[number]
            )
            if self._counted[label] and width >= least:
                labels_of.setdefault(words, []).append(self._labels[label])
        return tags, {words: tuple(labels) for words, labels in labels_of.items()}

    def _places(self, index: int, before: list[int]) -> list[tuple[Words, int]]:
        """The words of each phrase of a discontinuous tree, and their number.

        A discontinuous phrase is identified by the exclusive or of random numbers of its words, in linear time.
        """
        leaves, nodes = self.bank.native.leaves(index), self.bank.native.nodes(index)
        while len(self._weights) < len(leaves):
            self._weights.append(self._random.getrandbits(128))
        above = len(nodes)  # the roots have the parent -1, which is the last entry
        weights, sizes, ends = ([0] * (above + 1) for _ in range(3))
        firsts = [len(leaves)] * (above + 1)
        for leaf, (_, parent, _) in enumerate(leaves):
            position = before[leaf]
            if position < before[leaf + 1]:
                weights[parent] ^= self._weights[position]
                sizes[parent] += 1
                firsts[parent], ends[parent] = min(firsts[parent], position), max(ends[parent], position + 1)
        for number in range(len(nodes) - 1, -1, -1):
            parent = nodes[number][1]
            weights[parent] ^= weights[number]
            sizes[parent] += sizes[number]
            firsts[parent], ends[parent] = min(firsts[parent], firsts[number]), max(ends[parent], ends[number])
        return [
            ((first, end) if end - first == size else (first, end, weight), size)
            for weight, size, first, end in zip(weights[:above], sizes, firsts, ends, strict=False)
        ]


class Work:
    """The annotations and their counts."""

    def __init__(
        self,
        banks: Mapping[str, Treebank],
        metrics: Sequence[Metric],
        recipe: Recipe,
        threads: int,
        progress: _core.Progress | None,
    ) -> None:
        self.banks = list(banks.values())
        self.metrics, self.recipe, self.threads, self.progress = metrics, recipe, threads, progress
        self.readings = [Reading(bank, recipe, name) for name, bank in banks.items()]
        self.sentences = len(self.banks[0])

    def rows(self, metric: Metric, first: Treebank, second: Treebank) -> Counts:
        """The counts of two annotations by a metric."""
        return score_batch([metric], Pair(first, second), threads=self.threads, progress=self.progress).counts[0]

    def comparable(self, first: Treebank, second: Treebank) -> list[bool]:
        """For each sentence: do both annotations have the same words?"""
        scored = _core.ParsevalReason.SCORED
        return [reason == scored for reason in self.rows(self.metrics[0], first, second)["reason"]]

    def groups(self) -> list[tuple[int, ...]]:
        """For each sentence the largest group of annotators with the same words; for ties the first group."""
        numbers = range(len(self.banks))
        same = {}
        for a, b in combinations(numbers, 2):
            same[a, b] = same[b, a] = self.comparable(self.banks[a], self.banks[b])
        groups = []
        for index in range(self.sentences):
            if all(column[index] for column in same.values()):
                groups.append(tuple(numbers))
                continue
            candidates = [tuple(b for b in numbers if b == a or same[a, b][index]) for a in numbers]
            largest = max(candidates, key=len)
            groups.append(largest if len(largest) > 1 else ())
        return groups

    def differing(self, groups: Groups) -> list[Problem]:
        """Problems of annotations without words, or with different words."""
        problems = []
        for index, group in enumerate(groups):
            if len(group) == len(self.banks):
                continue
            rest = [number for number in range(len(self.banks)) if number not in group]
            candidates = (self.readings[number] for number in (*group, *rest))
            reference = next((reading for reading in candidates if reading.words(index)), None)
            for number in rest:
                reading = self.readings[number]
                if reading is not reference and not reading.bank.native.faulty(index):
                    problems.append(_difference(reference, reading, index))
        return problems

    def report(
        self,
        first: Reading,
        second: Reading,
        both: Sequence[bool],
        *,
        more: Mapping[Metric, Counts] | None = None,
        problems: Iterable[Problem] = (),
    ) -> tuple[Report, Report]:
        """The scores of two annotations in their common sentences, and a report for error tables of these sentences.

        The first report includes the counts of `more` metrics and more `problems`.
        """
        pair = compared = Pair(first.bank, second.bank)
        if not all(both):
            indices = [index if common else None for index, common in enumerate(both)]
            compared = Pair(first.bank.select(indices), second.bank.select(indices))
        batch = score_batch(self.metrics, compared, threads=self.threads, progress=self.progress)
        all_problems = _outer_problems(first, second)
        for metric, counts in zip(self.metrics[1:], batch.counts[1:], strict=True):
            for problem in metric.row_problems(pair, counts):
                if problem.unit is not None and both[problem.unit - second.bank.number(0)]:
                    all_problems.append(problem)
        metrics = [*self.metrics, *(more or {})]
        counts_by_metric = [*batch.counts, *(more or {}).values()]
        return (
            report_of(Batch(metrics, pair, counts_by_metric, [*all_problems, *problems])),
            report_of(Batch(self.metrics[:1], compared, batch.counts[:1], [])),
        )

    def against(self, adjudicated: Reading, number: int) -> Report:
        """The scores of an annotation against the adjudicated trees."""
        reading = self.readings[number]
        both = self.comparable(adjudicated.bank, reading.bank)
        differing = [
            _difference(adjudicated, reading, index)
            for index, common in enumerate(both)
            if not common and not any(side.bank.native.faulty(index) for side in (adjudicated, reading))
        ]
        return self.report(adjudicated, reading, both, problems=differing)[0]

    def units(self, groups: Groups) -> tuple[tuple[Units, Uses], tuple[Units, Uses]]:
        """The tags of words and the labels of phrases as units, each with its frequencies by annotator."""
        size = {"annotators": len(self.banks), "sentences": self.sentences}
        words, phrases = Units("word", **size), Units("phrase", **size)
        tag_uses: Uses = [{} for _ in self.banks]
        label_uses: Uses = [{} for _ in self.banks]
        for index, group in enumerate(groups):
            annotations = [self.readings[number].sentence(index) for number in group]
            for number, (tags, spans) in zip(group, annotations, strict=True):
                _count(tag_uses[number], tags)
                for labels in spans.values():
                    _count(label_uses[number], labels)
            for column in zip(*(tags for tags, _ in annotations), strict=True):
                words.add(index, group, [(tag,) for tag in column])
            for span in dict.fromkeys(span for _, spans in annotations for span in spans):
                labels_by = {
                    number: spans[span] for number, (_, spans) in zip(group, annotations, strict=True) if span in spans
                }
                if len(labels_by) > 1:
                    phrases.add(index, list(labels_by), list(labels_by.values()))
        return (words, tag_uses), (phrases, label_uses)

    def distances(
        self, groups: Groups, reports: Mapping[Names, Report], seed: int
    ) -> tuple[tuple[Distances, Counts], Expected]:
        """Alpha of whole trees by their edit distance, and the expected distance."""
        scale = lcm(*range(1, max(2, len(self.banks))))
        columns = {name: array("q", bytes(8 * self.sentences)) for name in ("units", "values", "disagreement")}
        failed = [False] * self.sentences
        sums = [0] * self.sentences
        for report in reports.values():
            counts = report.scores[2].counts
            for index, distance in enumerate(counts["distance"]):
                sums[index] += distance // UNIT
                failed[index] |= bool(counts["errors"][index])
        kept = [index for index, group in enumerate(groups) if group and not failed[index]]
        for index in kept:
            columns["units"][index], columns["values"][index] = 1, len(groups[index])
            columns["disagreement"][index] = 2 * sums[index] * scale // (len(groups[index]) - 1)
        # Chance draws two of all annotations, which may belong to the same sentence.
        values = sum(columns["values"])
        known = (values * values - sum(count * count for count in columns["values"])) // 2
        across, compared, tried = self._across([(index, groups[index]) for index in kept], known, seed)
        expected = None
        if values > 1 and (compared or not known):
            chance = Fraction(across, compared) if compared else Fraction(0)
            within = sum(sums[index] for index in kept)
            expected = (2 * known * chance + 2 * within) / (values * (values - 1))
        metric = Distances("trees", expected, scale)
        counts = Counts({name: column.tobytes() for name, column in columns.items()})
        shown = None if expected is None else float(expected)
        return (metric, counts), Expected(shown, tried, known, tried - compared, seed)

    def _across(self, kept: Sequence[tuple[int, tuple[int, ...]]], known: int, seed: int) -> tuple[int, int, int]:
        """The sum of distances between trees of different sentences, the number of pairs in it, and of pairs tried."""
        pairs = len(kept) * (len(kept) - 1) // 2
        chosen: Iterator[tuple[int, int]] = combinations(range(len(kept)), 2)
        if known > MAX_PAIRS:
            most = max(1, MAX_PAIRS // len(self.banks) ** 2)
            chosen = (_pair_at(rank) for rank in sorted(Random(seed).sample(range(pairs), min(most, pairs))))
        sides: tuple[list[int], list[int]] = ([], [])
        for first, second in chosen:
            for left in kept[first][1]:
                for right in kept[second][1]:
                    sides[0].append(left * self.sentences + kept[first][0])
                    sides[1].append(right * self.sentences + kept[second][0])
        all_trees = self.banks[0]
        for bank in self.banks[1:]:
            all_trees = all_trees + bank
        metric = registry.get(self.metrics[2].signature, {"limit": str(LIMIT)})
        counts = self.rows(metric, all_trees.select(sides[0]), all_trees.select(sides[1]))
        total = counts.total()
        return total["distance"] // UNIT, total["valid"], len(sides[0])


def _pair_at(rank: int) -> tuple[int, int]:
    """The pair of different numbers with this rank in the order (0, 1), (0, 2), (1, 2), (0, 3), …

    >>> [_pair_at(rank) for rank in range(4)]
    [(0, 1), (0, 2), (1, 2), (0, 3)]
    """
    larger = (1 + isqrt(8 * rank + 1)) // 2
    return rank - larger * (larger - 1) // 2, larger


def _count(counts: dict[str, int], names: Iterable[str]) -> None:
    for name in names:
        counts[name] = counts.get(name, 0) + 1


def _difference(reference: Reading | None, reading: Reading, index: int) -> Problem:
    """The problem of an annotation without words, or with words that differ from the reference."""
    for annotation in (reading, reference):
        if annotation is None or not annotation.words(index):
            empty = annotation or reading
            return empty.bank.problem(index, "unparsed", f"no words are left in the tree of {empty.name}", LEFT_OUT)
    assert reference is not None
    others, words = reference.words(index), reading.words(index)
    pairs = enumerate(zip(others, words, strict=False))
    first = next((position for position, (a, b) in pairs if a != b), min(len(others), len(words)))
    shown = [repr(visible(decode(side[first]))) if first < len(side) else "no word" for side in (others, words)]
    message = f"words first differ at word {first + 1}: {reference.name} has {shown[0]}, {reading.name} has {shown[1]}"
    if reference.bank.native.same_words(index, reading.bank.native, index):
        message += "; all words are equal, but different tags leave out different words"
    return reading.bank.problem(index, "words", message, LEFT_OUT)


def report_of(batch: Batch) -> Report:
    """The report of a single batch."""
    tally = Tally(batch.metrics, rows=True)
    tally.add(batch)
    return tally.report(batch.pair.gold, batch.pair.test)


def _outer_problems(first: Reading, second: Reading) -> list[Problem]:
    """A warning if differing outer brackets of two annotators lower every score."""
    problems = outer_bracket_problems(first.recipe, Pair(first.bank, second.bank))
    message = (
        f"the outer brackets of {first.name} and {second.name} differ and are counted, which lowers every score; "
        "leave them all out (--outer ignored)"
    )
    return [problem.replace(message=message) for problem in problems]
