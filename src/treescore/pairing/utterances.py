"""Which sentences of a document are scored as one: by id, by time, by position, or all of them."""

from __future__ import annotations

from itertools import pairwise

from ..helpers.text import number_of
from ..values.problem import InputError, Problem
from .time_units import Unit, extents, units_by_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..trees import Treebank
    from .time_units import Extent


def units_of(gold: Treebank, test: Treebank, pair: str = "auto", unit: str = "sentence") -> tuple[str, list[Unit]]:
    """How the sentences of a document were paired, and the units.

    Without a choice they are paired by id where both sides have ids and any in common; by position where they are as
    many and every two partners have some time in common; else by time.
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
    """Sentences of one name belong together; where there are several on a side, by time."""
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
    """Has every sentence some time in common with that at the same place, as far as it is known?"""
    return all(a is None or b is None or min(a[1], b[1]) > max(a[0], b[0]) for a, b in zip(gold, test, strict=True))


def _check_clock(bank: Treebank, times: Sequence[Extent]) -> None:
    """Refuse to pair sentences by time if it begins anew in each of them."""
    known = [time for time in times if time is not None]
    again = sum(later[0] < earlier[0] for earlier, later in pairwise(known))
    overlapping = sum(later[0] < earlier[1] for earlier, later in pairwise(known))
    if len(known) > 1 and (2 * again > len(known) - 1 or 2 * overlapping > len(known) - 1):
        message = (
            "sentences cannot be paired by time: time begins anew in most of them; give the sentences of both sides ids"
        )
        raise InputError(Problem("clock", message, file=bank.source.name))
