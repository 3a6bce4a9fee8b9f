"""The positions of words along the axis, without overlaps of words or of labels in a row.

Every leaf has a slot that is large enough for its word and tag. The slots of a phrase are large enough for its label;
phrases in one row share no leaf, so their labels do not overlap.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate, pairwise
from math import ceil, floor
from typing import NamedTuple

from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .sides import Leaf

#: The first leaf and the last leaf plus one of an item, and the width that it needs.
Need = tuple[int, int, float]

#: Minimum distance of the numbers on a ruler.
_TICK_GAP = 44.0
#: Maximum stretch of the time axis, relative to the total width of words, to place words at their times.
_STRETCH = 1.4
#: Minimum length of a second, unless the picture gets longer than this multiple of its words, and than this length.
_SECOND, _EMPTY, _ALWAYS = 60.0, 4.0, 600.0
#: Maximum distance from the words on the ruler, without and with `duration`; beyond it there is a break.
_NEAR, _NEAR_WHOLE, _BREAK = 150.0, 400.0, 60.0


class Band(NamedTuple):
    """The slots of the leaves of each side, their centres and sizes, and a ruler, with breaks, if there is one."""

    centres: list[list[float]]
    sizes: list[list[float]]
    length: float
    at: Callable[[float], float] | None = None
    ticks: Sequence[tuple[float, str]] = ()
    breaks: Sequence[float] = ()

    def only(self, at: int) -> Band:
        """The band of a single side."""
        return self._replace(centres=[self.centres[at]], sizes=[self.sizes[at]])


def widen(sizes: list[float], needs: Sequence[Need]) -> None:
    """Enlarge the slots until all items fit."""
    most = max((need for _, _, need in needs), default=0.0)
    least = min(sizes, default=0.0)
    for first, last, need in sorted(needs, key=lambda item: (item[1] - item[0], item[0])):
        if (last - first) * least >= most:
            break
        short = need - sum(sizes[first:last])
        if short > 0:
            for at in range(first, last):
                sizes[at] += short / (last - first)


def by_columns(sides: Sequence[Sequence[Leaf]], needs: Sequence[Sequence[Need]], unit: float, ruler: bool) -> Band:
    """Positions in columns: the same position on the axis is the same column on all sides.

    A column is the interval between two positions where leaves of any side begin or end; a leaf of length zero has a
    column of its own. A unit of the axis is at least `unit` long.
    """
    points = sorted({point for leaves in sides for leaf in leaves for point in leaf[1:]})
    empty = [_empty_leaves(leaves) for leaves in sides]
    first: dict[float, int] = {}  # the first column at a position
    ranges: list[dict[int, tuple[int, int]]] = [{} for _ in sides]
    sizes: list[float] = []
    for at, point in enumerate(points):
        first[point] = len(sizes)
        number = 0
        for columns, leaves_at in zip(ranges, empty, strict=True):
            # Leaves of length zero at one position share columns in their order, e.g. commas of both trees.
            for column, leaf in enumerate(leaves_at.get(point, ()), len(sizes)):
                columns[leaf] = column, column + 1
                number = max(number, column - len(sizes) + 1)
        sizes += [0.0] * number
        if point != points[-1]:
            sizes.append(unit * (points[at + 1] - point))
    for columns, leaves in zip(ranges, sides, strict=True):
        for number, (_, start, end) in enumerate(leaves):
            if start < end:
                columns[number] = first[points[bisect_right(points, start)]] - 1, first[end]
    widen(
        sizes,
        [
            (columns[begin][0], columns[end - 1][1], need)
            for columns, wanted in zip(ranges, needs, strict=True)
            for begin, end, need in wanted
        ],
    )
    edges = [0.0, *accumulate(sizes)]
    spans = [[(edges[b], edges[e]) for b, e in (columns[leaf] for leaf in range(len(columns)))] for columns in ranges]
    centres = [[(low + high) / 2 for low, high in side] for side in spans]
    slots = [[high - low for low, high in side] for side in spans]
    if not ruler or not points:
        return Band(centres, slots, edges[-1])
    begins = [edges[first[point]] for point in points]

    def place(value: float) -> float:
        return _between(points, begins, value)

    return Band(centres, slots, edges[-1], place, _ticks(points[0], points[-1], edges[-1], place, whole=True))


def _empty_leaves(leaves: Sequence[Leaf]) -> dict[float, list[int]]:
    """The leaves of length zero by position."""
    numbers: dict[float, list[int]] = {}
    for number, leaf in enumerate(leaves):
        if leaf.start >= leaf.end:
            numbers.setdefault(leaf.start, []).append(number)
    return numbers


def _between(points: Sequence[float], begins: Sequence[float], value: float) -> float:
    if len(points) == 1:
        return begins[0]
    after = min(max(bisect_left(points, value), 1), len(points) - 1)
    low, high = points[after - 1], points[after]
    return begins[after - 1] + (begins[after] - begins[after - 1]) * (value - low) / (high - low)


def by_time(sides: Sequence[Sequence[Leaf]], needs: Sequence[Sequence[Need]], duration: float | None) -> Band:
    """Words at their times. Words that overlap are moved apart, equal times on all sides together.

    The ruler begins at 0 or, if this is far away, at the first word. With `duration`, it goes from 0 to the end of the
    recording, with breaks in long intervals without words.
    """
    sizes = []
    for leaves, wanted in zip(sides, needs, strict=True):
        sizes.append([0.0] * len(leaves))
        widen(sizes[-1], wanted)
    low = min((leaf.start for leaves in sides for leaf in leaves), default=0.0)
    high = max((leaf.end for leaves in sides for leaf in leaves), default=0.0)
    if duration is not None and duration < high:
        raise UsageError(f"duration is {duration:g} seconds, but the last word ends at {high:g}")
    extent = high - low or 1.0
    scale = max(_scale(leaves, slots, extent) for leaves, slots in zip(sides, sizes, strict=True))
    least = max(map(sum, sizes)) / extent
    scale = max(scale, min(_SECOND, max(_EMPTY * least, _ALWAYS / extent)))
    ruler = _ruler(low, high, duration, scale)
    begin, lead = ruler.begin, ruler.lead
    places = _apart([[(leaf.start, leaf.end) for leaf in leaves] for leaves in sides], sizes, scale)
    centres = [[lead + centre - begin * scale for centre in side] for side in places]
    first = min((c[0] - s[0] / 2 for c, s in zip(centres, sizes, strict=True) if c), default=0.0)
    last = max((c[-1] + s[-1] / 2 for c, s in zip(centres, sizes, strict=True) if c), default=0.0)
    marks = sorted(
        [*_ticks(begin, ruler.end, (ruler.end - begin) * scale, lambda v: lead + (v - begin) * scale), *ruler.ends]
    )
    first = min(first, marks[0][0] - _beside(marks[0][1]))
    last = max(last, marks[-1][0] + _beside(marks[-1][1]))
    shift = max(0.0, -first)
    centres = [[centre + shift for centre in side] for side in centres]

    def at(value: float) -> float:
        return shift + lead + (value - begin) * scale

    ticks = [(place + shift, text) for place, text in marks]
    breaks = [place + shift for place in ruler.breaks]
    return Band(centres, sizes, max(last, ruler.length) + shift, at, ticks, breaks)


class _Ruler(NamedTuple):
    """A ruler that is linear from `begin` to `end`, in seconds, after a `lead`; its breaks, and numbers at its ends."""

    begin: float
    end: float
    lead: float
    length: float
    breaks: list[float]
    ends: list[tuple[float, str]]


def _ruler(low: float, high: float, duration: float | None, scale: float) -> _Ruler:
    """The ruler below words from `low` to `high`."""
    near = max(_NEAR if duration is None else _NEAR_WHOLE, (high - low or 1.0) * scale / 4)
    begin, end = low, high if duration is None else duration
    breaks: list[float] = []
    ends: list[tuple[float, str]] = []
    lead = 0.0  # length before the linear part
    if low * scale <= near:
        begin = min(low, 0.0)
    elif duration is not None:
        lead = _BREAK
        breaks.append(lead / 2)
        ends.append((0.0, "0"))
    linear_end = end
    length = lead + (end - begin) * scale
    if (end - high) * scale > near:
        linear_end = high
        length = lead + (high - begin) * scale + _BREAK
        breaks.append(length - _BREAK / 2)
        ends.append((length, f"{end:.10g}"))
    return _Ruler(begin, linear_end, lead, length, breaks, ends)


def _beside(text: str) -> float:
    """The part of a number at the end of the ruler that exceeds the margin."""
    return max(0.0, 3.0 * len(text) - 10)


def _scale(leaves: Sequence[Leaf], sizes: Sequence[float], extent: float) -> float:
    """The smallest scale at which no word moves, up to a limit."""
    least = sum(sizes) / extent
    scale = least
    for at in range(1, len(leaves)):
        distance = (sum(leaves[at][1:]) - sum(leaves[at - 1][1:])) / 2
        needed = (sizes[at] + sizes[at - 1]) / 2
        scale = max(scale, needed / distance if distance > 0 else least * _STRETCH)
    return min(scale, least * _STRETCH)


def _apart(
    sides: Sequence[Sequence[tuple[float, float]]], sizes: Sequence[Sequence[float]], scale: float
) -> list[list[float]]:
    """The centres of leaves, in order and without overlaps on each side; equal times have equal centres.

    The centres are the mean of two arrangements, one that moves leaves only forward and one that moves them only back.

    >>> _apart([[(-1, 1), (0, 2), (19, 21)]], [[4, 4, 4]], 1)
    [[-1.5, 2.5, 20.0]]
    >>> _apart([[(0, 1), (1, 2)], [(1, 2)]], [[4, 4], [2]], 1)
    [[-1.0, 3.0], [3.0]]
    """
    keys = [_keys(times) for times in sides]
    ordered = all(key < other for side in keys for key, other in pairwise(side))
    if not ordered and len(sides) > 1:  # the orders of the sides may conflict
        return [_apart([times], [slots], scale)[0] for times, slots in zip(sides, sizes, strict=True)]
    # The minimum distance of a leaf from the preceding leaves.
    after: dict[tuple[float, float, int], list[tuple[tuple[float, float, int], float]]] = {}
    for side, slots in zip(keys, sizes, strict=True):
        for number, key in enumerate(side):
            before = after.setdefault(key, [])
            if number:
                before.append((side[number - 1], (slots[number - 1] + slots[number]) / 2))
    order = sorted(after) if ordered else list(after)
    middles = {key: (key[0] + key[1]) / 2 * scale for key in order}
    forward, back = dict(middles), dict(middles)
    for key in order:
        forward[key] = max([forward[key], *(forward[other] + distance for other, distance in after[key])])
    for key in reversed(order):
        for other, distance in after[key]:
            back[other] = min(back[other], back[key] - distance)
    return [[(forward[key] + back[key]) / 2 for key in side] for side in keys]


def _keys(times: Sequence[tuple[float, float]]) -> list[tuple[float, float, int]]:
    """The times of leaves, with a number that distinguishes equal times."""
    seen: dict[tuple[float, float], int] = {}
    keys = []
    for time in times:
        number = seen[time] = seen.get(time, -1) + 1
        keys.append((*time, number))
    return keys


def _ticks(
    low: float, high: float, length: float, at: Callable[[float], float], *, whole: bool = False
) -> list[tuple[float, str]]:
    """Round numbers at a readable distance."""
    if not (high > low and length > 0):
        return [(at(low), f"{low:g}")]
    exponent = 0 if whole else -3
    step, decimals = 1.0, 0
    while True:
        for digit in (1, 2, 5):
            step, decimals = digit * 10.0**exponent, max(0, -exponent)
            if step * length / (high - low) >= max(_TICK_GAP, 6.0 * len(f"{high:.{decimals}f}") + 6):
                first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
                return [(at(number * step), f"{number * step:.{decimals}f}") for number in range(first, last + 1)]
        exponent += 1
