"""Units of scoring in a document: sentences paired by id, by time or by position, or the whole document.

>>> units_by_time([(0.0, 2.0), (2.0, 4.0), (5.0, 6.0)], [(0.1, 3.9), (7.0, 8.0)])
[Unit(gold=(0, 1), test=(0,)), Unit(gold=(2,)), Unit(test=(1,))]
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate, pairwise

from ..helpers.text import number_of
from ..values.problem import InputError, Problem
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


def units_of(gold: Treebank, test: Treebank, pair: str = "auto", unit: str = "sentence") -> tuple[str, list[Unit]]:
    """The way in which the sentences of a document were paired, and the units.

    The default is by id if both sides have common ids; by position if both sides have the same number of sentences and
    all pairs overlap in time; otherwise by time.
    """
    if unit == "document":
        return "document", [Unit(gold=range(len(gold)), test=range(len(test)))]
    if pair == "auto" and gold.ids and test.ids and set(gold.ids) & set(test.ids):
        pair = "id"
    if pair == "id":
        return "id", _by_id(gold, test)
    if pair == "position" and len(gold) != len(test):
        message = f"{number_of(len(gold), 'gold tree')} but {len(test):,} test trees; pair them by time or by id"
        raise InputError(Problem("unequal", message, file=test.source.name))
    times = extents(gold), extents(test)
    if pair == "position" or (pair == "auto" and len(gold) == len(test) and _meet(*times)):
        return "position", [Unit(gold=[index], test=[index]) for index in range(len(gold))]
    for bank, side in zip((gold, test), times, strict=True):
        _check_clock(bank, side)
    return "time", units_by_time(*times)


def _by_id(gold: Treebank, test: Treebank) -> list[Unit]:
    """Pair sentences with the same id; several sentences with the same id are paired by time."""
    places: list[dict[str, list[int]]] = []
    for bank in (gold, test):
        if bank.ids is None:
            message = "these trees have no ids; pair them by time or by position"
            raise InputError(Problem("id", message, file=bank.source.name))
        places.append({})
        for place, name in enumerate(bank.ids):
            places[-1].setdefault(name, []).append(place)
    units: list[Unit] = []
    for name in dict.fromkeys([*places[0], *places[1]]):
        in_gold, in_test = (side.get(name, []) for side in places)
        if len(in_gold) <= 1 and len(in_test) <= 1:
            units.append(Unit(gold=in_gold, test=in_test))
            continue
        times = [extents(bank.select(chosen)) for bank, chosen in ((gold, in_gold), (test, in_test))]
        units += [
            Unit(gold=[in_gold[place] for place in unit.gold], test=[in_test[place] for place in unit.test])
            for unit in units_by_time(times[0], times[1])
        ]
    return units


def _meet(gold: Sequence[Extent], test: Sequence[Extent]) -> bool:
    """Do all sentences overlap in time with the sentence at the same position, as far as times are known?"""
    return all(a is None or b is None or min(a[1], b[1]) > max(a[0], b[0]) for a, b in zip(gold, test, strict=True))


def _check_clock(bank: Treebank, times: Sequence[Extent]) -> None:
    """Raise an error if time restarts in each sentence, so that sentences cannot be paired by time."""
    known = [time for time in times if time is not None]
    again = sum(later[0] < earlier[0] for earlier, later in pairwise(known))
    overlapping = sum(later[0] < earlier[1] for earlier, later in pairwise(known))
    if len(known) > 1 and (2 * again > len(known) - 1 or 2 * overlapping > len(known) - 1):
        message = (
            "sentences cannot be paired by time: time restarts in most of them; give the sentences of both sides ids"
        )
        raise InputError(Problem("clock", message, file=bank.source.name))
