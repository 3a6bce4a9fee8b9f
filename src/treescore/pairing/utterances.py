"""Units of scoring in a document: sentences paired by id, by time or by position, or the whole document."""

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
