"""Which sentences of two segmentations of speech belong together, by when they are spoken.

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

_ROUNDING = 1e-9  # seconds by which two lengths of time must differ to be told apart


class Unit(Value):
    """Sentences of both sides that are scored as one, by number; one side may have none."""

    gold: tuple[int, ...]
    test: tuple[int, ...]

    def __init__(self, *, gold: Iterable[int] = (), test: Iterable[int] = ()) -> None:
        self._store(gold=tuple(gold), test=tuple(test))


def extents(trees: Treebank) -> list[Extent]:
    """From when to when each tree is spoken; None where it has no times, or nothing in it is spoken."""
    found: list[Extent] = []
    for index in range(len(trees)):
        spoken = [time for time in trees.native.times(index) or () if time[0] < time[1]]
        found.append((spoken[0][0], spoken[-1][1]) if spoken else None)
    return found


def units_by_time(gold: Sequence[Extent], test: Sequence[Extent]) -> list[Unit]:
    """All sentences in units, in the order of their first gold sentences.

    Two sentences are linked if one is that with which the other has the most time in common, the earlier of equals;
    what is linked, directly or not, is a unit. A unit without gold stands where it is spoken.
    """
    links = [(number, partner) for number, partner in enumerate(_partners(gold, test)) if partner is not None]
    links += [(partner, number) for number, partner in enumerate(_partners(test, gold)) if partner is not None]
    above = list(range(len(gold) + len(test)))  # gold sentences, then those of test

    def top(member: int) -> int:
        while above[member] != member:
            above[member] = above[above[member]]
            member = above[member]
        return member

    for in_gold, in_test in links:
        one, other = sorted((top(in_gold), top(len(gold) + in_test)))
        above[other] = one
    members: dict[int, list[int]] = {}
    for member in range(len(above)):
        members.setdefault(top(member), []).append(member)
    found = [
        Unit(
            gold=[member for member in unit if member < len(gold)],
            test=[member - len(gold) for member in unit if member >= len(gold)],
        )
        for unit in members.values()
    ]
    return _in_order(found, gold, test)


def _partners(sentences: Sequence[Extent], others: Sequence[Extent]) -> list[int | None]:
    """With which of the others each sentence has the most time in common."""
    coming = sorted((time[0], time[1], number) for number, time in enumerate(others) if time is not None)
    starts = [start for start, _, _ in coming]
    partners: list[int | None] = [None] * len(sentences)
    spoken: list[tuple[float, float, int]] = []  # others that began before, and have not ended
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
