"""Pairing of sentences in two segmentations of speech by their times.

>>> units_by_time([(0.0, 2.0), (2.0, 4.0), (5.0, 6.0)], [(0.1, 3.9), (7.0, 8.0)])
[Unit(gold=(0, 1), test=(0,)), Unit(gold=(2,)), Unit(test=(1,))]
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate

from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..trees import Treebank

    Extent = tuple[float, float] | None

_ROUNDING = 1e-9  # durations that differ by less, in seconds, are equal


class Unit(Value):
    """Sentences of both sides, by index, that are scored together; one side may be empty."""

    gold: tuple[int, ...]
    test: tuple[int, ...]

    def __init__(self, *, gold: Iterable[int] = (), test: Iterable[int] = ()) -> None:
        self._store(gold=tuple(gold), test=tuple(test))


def extents(trees: Treebank) -> list[Extent]:
    """The begin and end of each tree; None without times, or without spoken words."""
    result: list[Extent] = []
    for index in range(len(trees)):
        spoken = [time for time in trees.native.times(index) or () if time[0] < time[1]]
        result.append((spoken[0][0], spoken[-1][1]) if spoken else None)
    return result


def units_by_time(gold: Sequence[Extent], test: Sequence[Extent]) -> list[Unit]:
    """All sentences in units, in the order of their first gold sentences.

    Each sentence is linked to the sentence of the other side with the largest common time (the earlier one for ties);
    units are the connected components. Units without gold are ordered by time.
    """
    links = [(number, partner) for number, partner in enumerate(_partners(gold, test)) if partner is not None]
    links += [(partner, number) for number, partner in enumerate(_partners(test, gold)) if partner is not None]
    parents = list(range(len(gold) + len(test)))  # gold sentences, then test sentences

    def root(member: int) -> int:
        while parents[member] != member:
            parents[member] = parents[parents[member]]
            member = parents[member]
        return member

    for in_gold, in_test in links:
        first, second = sorted((root(in_gold), root(len(gold) + in_test)))
        parents[second] = first
    members: dict[int, list[int]] = {}
    for member in range(len(parents)):
        members.setdefault(root(member), []).append(member)
    units = [
        Unit(
            gold=[member for member in unit if member < len(gold)],
            test=[member - len(gold) for member in unit if member >= len(gold)],
        )
        for unit in members.values()
    ]
    return _in_order(units, gold, test)


def _partners(sentences: Sequence[Extent], others: Sequence[Extent]) -> list[int | None]:
    """For each sentence the other sentence with the largest common time."""
    coming = sorted((time[0], time[1], number) for number, time in enumerate(others) if time is not None)
    starts = [start for start, _, _ in coming]
    partners: list[int | None] = [None] * len(sentences)
    spoken: list[tuple[float, float, int]] = []  # others that have begun but not ended
    begun = 0
    for since, until, sentence in sorted((time[0], time[1], place) for place, time in enumerate(sentences) if time):
        while begun < len(coming) and starts[begun] <= since:
            spoken.append(coming[begun])
            begun += 1
        spoken = [other for other in spoken if other[1] > since]
        near = [*spoken, *coming[begun : bisect_left(starts, until)]]
        best = 0.0
        for number, common in sorted((number, min(end, until) - max(start, since)) for start, end, number in near):
            if common > best + _ROUNDING or (partners[sentence] is None and common > 0):
                best, partners[sentence] = common, number
    return partners


def _in_order(units: Sequence[Unit], gold: Sequence[Extent], test: Sequence[Extent]) -> list[Unit]:
    with_gold = sorted((unit for unit in units if unit.gold), key=lambda unit: unit.gold)
    starts = []
    for unit in with_gold:
        known = [time for number in unit.gold if (time := gold[number]) is not None]
        starts.append(known[0][0] if known else float("-inf"))
    reached = list(accumulate(starts, max))
    before: dict[int, list[Unit]] = {}
    for unit in sorted((unit for unit in units if not unit.gold), key=lambda unit: unit.test):
        time = test[unit.test[0]]
        place = len(with_gold) + 1 if time is None else bisect_right(reached, time[0])
        before.setdefault(place, []).append(unit)
    ordered: list[Unit] = []
    for place in range(len(with_gold) + 2):
        ordered += before.get(place, [])
        ordered += with_gold[place : place + 1]
    return ordered
