"""The work behind `agreement`: which sentences can be compared, and what is counted in them."""

from __future__ import annotations

from array import array
from fractions import Fraction
from itertools import combinations
from math import isqrt, lcm
from random import Random

from ... import _core, metrics as registry
from ...helpers.text import decode, visible
from ...metrics.policy import outer_bracket_problems
from ...place.pair import Pair
from ...scoring.batch import Batch, score_batch
from ...scoring.tally import Tally
from ...values.counts import UNIT, Counts
from .chance import Distances, Units
from .phrases import Reading
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

    #: How often each annotator uses each label.
    Uses = list[dict[str, int]]

#: Pairs of trees of different sentences up to which all are compared for the distance that chance would give.
MOST_PAIRS = 20_000
#: Predicted seconds from which two trees are too large to be among them.
LIMIT = 0.05
LEFT_OUT = "left out"


class Work:
    """The annotations, and what is counted about them."""

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

    def complaints(self) -> list[str]:
        """What is wrong with the parameter file, if there is one."""
        return list(getattr(self.metrics[0], "prm_complaints", ()))

    def rows(self, metric: Metric, first: Treebank, second: Treebank) -> Counts:
        """The rows of two annotations by a metric."""
        return score_batch([metric], Pair(first, second), threads=self.threads, progress=self.progress).counts[0]

    def comparable(self, first: Treebank, second: Treebank) -> list[bool]:
        """Have both annotators the same words?"""
        scored = _core.ParsevalReason.SCORED
        return [reason == scored for reason in self.rows(self.metrics[0], first, second)["reason"]]

    def groups(self) -> list[tuple[int, ...]]:
        """For each sentence the largest group of annotators whose words are the same, the first one of equal size."""
        numbers = range(len(self.banks))
        alike = {}
        for a, b in combinations(numbers, 2):
            alike[a, b] = alike[b, a] = self.comparable(self.banks[a], self.banks[b])
        everyone, found = tuple(numbers), []
        for index in range(self.sentences):
            best: tuple[int, ...] = ()
            if all(column[index] for column in alike.values()):
                best = everyone
            else:
                for a in numbers:
                    group = tuple(b for b in numbers if b == a or alike[a, b][index])
                    best = group if len(group) > max(1, len(best)) else best
            found.append(best)
        return found

    def differing(self, groups: Groups) -> list[Problem]:
        """Which annotations have no words, or other ones than the others."""
        problems = []
        for index, group in enumerate(groups):
            if len(group) == len(self.banks):
                continue
            rest = [number for number in range(len(self.banks)) if number not in group]
            reference = next((self.readings[it] for it in (*group, *rest) if self.readings[it].words(index)), None)
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
        """The scores of two annotations in the sentences that both have, and the trees of these sentences alone.

        The first report also has the scores of `more` metrics that have counted already, and more `problems`.
        """
        pair = compared = Pair(first.bank, second.bank)
        if not all(both):
            places = [index if it else None for index, it in enumerate(both)]
            compared = Pair(first.bank.select(places), second.bank.select(places))
        batch = score_batch(self.metrics, compared, threads=self.threads, progress=self.progress)
        found = _outer_problems(first, second)
        for metric, counts in zip(self.metrics[1:], batch.counts[1:], strict=True):
            for problem in metric.row_problems(pair, counts):
                if problem.unit is not None and both[problem.unit - second.bank.number(0)]:
                    found.append(problem)
        metrics = [*self.metrics, *(more or {})]
        counted = [*batch.counts, *(more or {}).values()]
        return (
            _report(Batch(metrics, pair, counted, [*found, *problems])),
            _report(Batch(self.metrics[:1], compared, batch.counts[:1], [])),
        )

    def against(self, settled: Reading, number: int) -> Report:
        """An annotation against the trees on which the annotators settled."""
        reading = self.readings[number]
        both = self.comparable(settled.bank, reading.bank)
        differing = [
            _difference(settled, reading, index)
            for index, it in enumerate(both)
            if not it and not any(one.bank.native.faulty(index) for one in (settled, reading))
        ]
        return self.report(settled, reading, both, problems=differing)[0]

    def units(self, groups: Groups) -> tuple[tuple[Units, Uses], tuple[Units, Uses]]:
        """The words with their tags, the phrases with their labels, and how often each annotator uses each of them."""
        size = {"annotators": len(self.banks), "sentences": self.sentences}
        words, phrases = Units("word", **size), Units("phrase", **size)
        tag_uses: Uses = [{} for _ in self.banks]
        label_uses: Uses = [{} for _ in self.banks]
        for index, group in enumerate(groups):
            read_by = [self.readings[number].sentence(index) for number in group]
            for number, (tags, spans) in zip(group, read_by, strict=True):
                _count(tag_uses[number], tags)
                for labels in spans.values():
                    _count(label_uses[number], labels)
            for column in zip(*(tags for tags, _ in read_by), strict=True):
                words.add(index, group, [(tag,) for tag in column])
            for span in dict.fromkeys(span for _, spans in read_by for span in spans):
                found = [
                    (number, spans[span]) for number, (_, spans) in zip(group, read_by, strict=True) if span in spans
                ]
                if len(found) > 1:
                    phrases.add(index, [number for number, _ in found], [labels for _, labels in found])
        return (words, tag_uses), (phrases, label_uses)

    def distances(
        self, groups: Groups, reports: Mapping[Names, Report], seed: int
    ) -> tuple[tuple[Distances, Counts], Expected]:
        """Alpha of whole trees by their edit distance, and the distance that chance would give."""
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
        # As for any alpha, chance draws two annotations out of all of them, now and then of the same sentence.
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
        found = Expected(
            distance=None if expected is None else float(expected),
            pairs=tried,
            known=known,
            left_out=tried - compared,
            seed=seed,
        )
        return (metric, counts), found

    def _across(self, kept: Sequence[tuple[int, tuple[int, ...]]], known: int, seed: int) -> tuple[int, int, int]:
        """The sum of distances between trees of different sentences, of how many pairs, and how many were tried."""
        pairs = len(kept) * (len(kept) - 1) // 2
        chosen: Iterator[tuple[int, int]] = combinations(range(len(kept)), 2)
        if known > MOST_PAIRS:
            most = max(1, MOST_PAIRS // len(self.banks) ** 2)
            chosen = (_pair_at(place) for place in sorted(Random(seed).sample(range(pairs), min(most, pairs))))
        sides: tuple[list[int], list[int]] = ([], [])
        for one, other in chosen:
            for left in kept[one][1]:
                for right in kept[other][1]:
                    sides[0].append(left * self.sentences + kept[one][0])
                    sides[1].append(right * self.sentences + kept[other][0])
        every = self.banks[0]
        for bank in self.banks[1:]:
            every = every + bank
        metric = registry.get(self.metrics[2].signature, {"limit": str(LIMIT)})
        counts = self.rows(metric, every.select(sides[0]), every.select(sides[1]))
        total = counts.total()
        return total["distance"] // UNIT, total["valid"], len(sides[0])


def _pair_at(place: int) -> tuple[int, int]:
    """The pair of different numbers with this place: (0, 1), (0, 2), (1, 2), (0, 3) and so on.

    >>> [_pair_at(place) for place in range(4)]
    [(0, 1), (0, 2), (1, 2), (0, 3)]
    """
    larger = (1 + isqrt(8 * place + 1)) // 2
    return place - larger * (larger - 1) // 2, larger


def _count(into: dict[str, int], names: Iterable[str]) -> None:
    for name in names:
        into[name] = into.get(name, 0) + 1


def _difference(reference: Reading | None, reading: Reading, index: int) -> Problem:
    """What is wrong with an annotation that has other words than another one, or none."""
    for one in (reading, reference):
        if one is None or not one.words(index):
            empty = one or reading
            return empty.bank.problem(index, "unparsed", f"no words are left in the tree of {empty.name}", LEFT_OUT)
    assert reference is not None
    others, words = reference.words(index), reading.words(index)
    pairs = enumerate(zip(others, words, strict=False))
    place = next((at for at, (a, b) in pairs if a != b), min(len(others), len(words)))
    shown = [repr(visible(decode(it[place]))) if place < len(it) else "no word" for it in (others, words)]
    message = f"from word {place + 1} on {reference.name} has {shown[0]} where {reading.name} has {shown[1]}"
    if reference.bank.native.same_words(index, reading.bank.native, index):
        message += "; all words are the same, but other tags leave out other words"
    return reading.bank.problem(index, "words", message, LEFT_OUT)


def _report(batch: Batch) -> Report:
    tally = Tally(batch.metrics, rows=True)
    tally.add(batch)
    return tally.report(batch.pair.gold, batch.pair.test)


def _outer_problems(first: Reading, second: Reading) -> list[Problem]:
    """A warning where the outer brackets of two annotators differ in a way that moves every score."""
    found = outer_bracket_problems(first.recipe, Pair(first.bank, second.bank))
    message = (
        f"the outer brackets of {first.name} and {second.name} differ, and count: every score is lower for it; "
        "leave them all out (--ignore-outer, outer='ignored')"
    )
    return [problem.replace(message=message) for problem in found]
