"""Which sentences of two segmentations of speech belong together, by time, in plain Python.

A sentence is from when to when it is spoken, or None if that is not known. A gold and a test sentence are linked if one
is that with which the other has the most time in common; what is linked, directly or not, is a unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from oracle.seconds import Interval, Options, Time, Tree, overlap, side_of


@dataclass(frozen=True)
class Unit:
    """Sentences that belong together, by number; one side may have none."""

    gold: tuple[int, ...]
    test: tuple[int, ...]


def extent(times: Sequence[Interval] | None) -> Time:
    """When a sentence is spoken: from the start of its first spoken word to the end of its last one."""
    spoken = [time for time in times or () if time[0] < time[1]]
    return (spoken[0][0], spoken[-1][1]) if spoken else None


def common(first: Time, other: Time) -> Fraction:
    """The length of the time that two sentences have in common."""
    if first is None or other is None:
        return Fraction(0)
    return max(min(first[1], other[1]) - max(first[0], other[0]), Fraction(0))


def partner(sentence: Time, others: Sequence[Time]) -> int | None:
    """With which of the others it has the most time in common; the earlier of equals, None if there is none."""
    best = max((common(sentence, other) for other in others), default=Fraction(0))
    if best == 0:
        return None
    return next(number for number, other in enumerate(others) if common(sentence, other) == best)


def units(gold: Sequence[Time], test: Sequence[Time]) -> list[Unit]:
    """All sentences of both sides in units, in the order of their first gold sentences. Those without gold stand where
    they are spoken.
    """
    links: list[tuple[int | None, int | None]] = []
    links += [(number, partner(sentence, test)) for number, sentence in enumerate(gold)]
    links += [(partner(sentence, gold), number) for number, sentence in enumerate(test)]
    joined = [({number}, set[int]()) for number in range(len(gold))]
    joined += [(set[int](), {number}) for number in range(len(test))]
    for in_gold, in_test in links:
        if in_gold is None or in_test is None:
            continue
        first = next(unit for unit in joined if in_gold in unit[0])
        other = next(unit for unit in joined if in_test in unit[1])
        if first is not other:
            joined.remove(other)
            first[0].update(other[0])
            first[1].update(other[1])
    items = [Unit(tuple(sorted(in_gold)), tuple(sorted(in_test))) for in_gold, in_test in joined]
    ordered = sorted((unit for unit in items if unit.gold), key=lambda unit: unit.gold)
    alone = sorted((unit for unit in items if not unit.gold), key=lambda unit: unit.test)
    placed: list[Unit] = []
    for unit in ordered:
        starts = [time[0] for number in unit.gold if (time := gold[number]) is not None]
        earlier = [lone for lone in alone if starts and starts_before(test[lone.test[0]], starts[0])]
        alone = [lone for lone in alone if lone not in earlier]
        placed += earlier
        placed.append(unit)
    timed = [unit for unit in alone if test[unit.test[0]] is not None]
    return placed + timed + [unit for unit in alone if unit not in timed]


def starts_before(sentence: Time, time: Fraction) -> bool:
    """Does the sentence start earlier? Not if it is not known."""
    return sentence is not None and sentence[0] < time


@dataclass(frozen=True)
class Counts:
    """What a unit adds to the score of a corpus."""

    overlap: Fraction
    gold: int
    test: int


def counts(
    gold: Sequence[tuple[Tree, Sequence[Interval]]],
    test: Sequence[tuple[Tree, Sequence[Interval]]],
    unit: Unit,
    options: Options | None = None,
) -> Counts:
    """The counts of one unit of trees with the times of their leaves."""
    options = options or Options()
    sides = [
        side_of([trees[number] for number in numbers], options)
        for trees, numbers in ((gold, unit.gold), (test, unit.test))
    ]
    return Counts(overlap(sides[0], sides[1], options.rules), sides[0].size, sides[1].size)


def corpus_score(rows: Sequence[Counts]) -> Fraction | None:
    """The score of all units; None if there are no nodes."""
    below = sum(row.gold + row.test for row in rows)
    return 2 * sum((row.overlap for row in rows), Fraction(0)) / below if below else None
