"""Times of EAF's slots without values: interpolated along the chain of annotations of their own tier.

>>> slots = {"a": 0.0, "b": None, "other": 0.5, "c": None, "d": 3.0}
>>> filled_slots(slots, [[("a", "b"), ("b", "c"), ("c", "d")]], [None])
{'a': 0.0, 'b': 1.0, 'other': 0.5, 'c': 2.0, 'd': 3.0}
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Slots = dict[str, float | None]
    Pair = tuple[str, str]


def filled_slots(
    slots: Mapping[str, float | None], tiers: Sequence[Sequence[Pair]], parents: Sequence[int | None]
) -> Slots:
    """The slots with interpolated values, from root tiers down.

    `tiers` has the slots of the begin and end of each annotation, `parents` the parent of each tier. The annotations of
    a tier under one parent annotation are a chain from its begin to its end, whose times are known by then. Slots of
    other tiers do not count.
    """
    values: Slots = dict(slots)
    for tier in _roots_first(parents):
        for chain in _chains(tiers[tier]):
            _interpolate(chain, values)
    return values


def _roots_first(parents: Sequence[int | None]) -> list[int]:
    """The tiers in the order of their depth; tiers in a circle come last."""
    below: dict[int | None, list[int]] = {}
    for tier, parent in enumerate(parents):
        below.setdefault(parent, []).append(tier)
    ordered = list(below.get(None, ()))
    for tier in ordered:  # grows
        ordered += below.get(tier, ())
    known = set(ordered)
    return ordered + [tier for tier in range(len(parents)) if tier not in known]


def _chains(annotations: Sequence[Pair]) -> Iterator[list[str]]:
    """Slots of annotations each of which begins where the previous one ends."""
    after: dict[str, list[str]] = {}
    ends = set()
    for begin, end in annotations:
        after.setdefault(begin, []).append(end)
        ends.add(end)
    starts = [begin for begin, _ in annotations if begin not in ends]
    for start in [*starts, *(begin for begin, _ in annotations)]:  # chains in circles have no start
        chain = [start]
        while following := after.get(chain[-1]):
            chain.append(following.pop(0))
        if len(chain) > 1:
            yield chain


def _interpolate(chain: Sequence[str], values: Slots) -> None:
    """Give values to the slots between slots with values."""
    before: int | None = None
    for place, slot in enumerate(chain):
        last = values.get(slot)
        if last is None:
            continue
        if before is not None and place - before > 1:
            first = values[chain[before]] or 0.0
            for between in range(before + 1, place):
                if chain[between] in values:
                    share = (between - before) / (place - before)
                    values[chain[between]] = round(first + (last - first) * share, 9)
        before = place
