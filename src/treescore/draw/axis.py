"""Where words stand along the axis, so that no two words and no two labels of a row touch.

Every leaf has a slot. Slots are so large that the leaf's word and tag fit, and that the label of each phrase fits over
its leaves: phrases of one row have no leaf in common, so their labels cannot touch.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate, pairwise
from math import ceil, floor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .sides import Leaf

#: The first and last leaf (plus one) of something, and how much room it needs along the axis.
Need = tuple[int, int, float]

#: Between the numbers of a ruler, at least.
_TICK_GAP = 44.0
#: Time is stretched by at most so much beyond what the words need together, to have each at its own time.
_STRETCH = 1.4
#: Of a second, at least.
_SECOND = 60.0


class Band:
    """The slots of the leaves of each side, their centres and sizes, and a ruler if there is one."""

    __slots__ = ("at", "centres", "length", "sizes", "ticks")

    def __init__(
        self,
        centres: list[list[float]],
        sizes: list[list[float]],
        length: float,
        at: Callable[[float], float] | None = None,
        ticks: Sequence[tuple[float, str]] = (),
    ) -> None:
        self.centres, self.sizes, self.length = centres, sizes, length
        self.at = at
        self.ticks = ticks


def widen(sizes: list[float], needs: Sequence[Need]) -> None:
    """Enlarge the slots until everything has the room it needs."""
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
    """Common columns: what stands at the same place on the axis stands in the same columns.

    A column is what lies between two places at which any leaf of any side begins or ends; a leaf of no length has a
    column of its own. A unit of the axis is at least `unit` long.
    """
    points = sorted({point for leaves in sides for leaf in leaves for point in leaf[1:]})
    silent = [_silent(leaves) for leaves in sides]
    first: dict[float, int] = {}  # the first column at a place
    ranges: list[dict[int, tuple[int, int]]] = [{} for _ in sides]
    sizes: list[float] = []
    for at, point in enumerate(points):
        first[point] = len(sizes)
        number = 0
        for columns, found in zip(ranges, silent, strict=True):
            # Leaves of no length at one place share columns in their order: where both trees have a comma, say.
            for column, leaf in enumerate(found.get(point, ()), len(sizes)):
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
    centres = [[(low + high) / 2 for low, high in found] for found in spans]
    slots = [[high - low for low, high in found] for found in spans]
    band = Band(centres, slots, edges[-1])
    if ruler and points:
        begins = [edges[first[point]] for point in points]
        band.at = lambda value: _between(points, begins, value)
        band.ticks = _ticks(points[0], points[-1], band.length, band.at, whole=True)
    return band


def _silent(leaves: Sequence[Leaf]) -> dict[float, list[int]]:
    found: dict[float, list[int]] = {}
    for number, leaf in enumerate(leaves):
        if leaf.start >= leaf.end:
            found.setdefault(leaf.start, []).append(number)
    return found


def _between(points: Sequence[float], begins: Sequence[float], value: float) -> float:
    if len(points) == 1:
        return begins[0]
    after = min(max(bisect_left(points, value), 1), len(points) - 1)
    low, high = points[after - 1], points[after]
    return begins[after - 1] + (begins[after] - begins[after - 1]) * (value - low) / (high - low)


def by_time(sides: Sequence[Sequence[Leaf]], needs: Sequence[Sequence[Need]], duration: float | None) -> Band:
    """Words at their times. Where they are too close together, they move apart as little as possible."""
    sizes = []
    for leaves, wanted in zip(sides, needs, strict=True):
        sizes.append([0.0] * len(leaves))
        widen(sizes[-1], wanted)
    for one in range(len(sides)):  # the same words at the same times stand above each other
        for other in range(one):
            if [leaf[1:] for leaf in sides[one]] == [leaf[1:] for leaf in sides[other]]:
                sizes[one] = sizes[other] = [max(pair) for pair in zip(sizes[one], sizes[other], strict=True)]
    end = max([duration or 0.0, *(leaf.end for leaves in sides for leaf in leaves)]) or 1.0
    scale = max(_SECOND, *(_scale(leaves, found, end) for leaves, found in zip(sides, sizes, strict=True)))
    centres = [
        _apart([(leaf.start + leaf.end) / 2 * scale for leaf in leaves], found)
        for leaves, found in zip(sides, sizes, strict=True)
    ]
    low = min((c[0] - s[0] / 2 for c, s in zip(centres, sizes, strict=True) if c), default=0.0)
    high = max((c[-1] + s[-1] / 2 for c, s in zip(centres, sizes, strict=True) if c), default=0.0)
    shift = max(0.0, -low)
    centres = [[centre + shift for centre in found] for found in centres]
    length = max(high, end * scale) + shift

    def at(value: float) -> float:
        return shift + value * scale

    return Band(centres, sizes, length, at, _ticks(0.0, end, end * scale, at, whole=False))


def _scale(leaves: Sequence[Leaf], sizes: Sequence[float], end: float) -> float:
    """So large that no word has to move, up to a limit."""
    least = sum(sizes) / end
    scale = least
    for at in range(1, len(leaves)):
        distance = (sum(leaves[at][1:]) - sum(leaves[at - 1][1:])) / 2
        needed = (sizes[at] + sizes[at - 1]) / 2
        scale = max(scale, needed / distance if distance > 0 else least * _STRETCH)
    return min(scale, least * _STRETCH)


def _apart(wanted: Sequence[float], sizes: Sequence[float]) -> list[float]:
    """Centres in order, without overlaps, as near to those wanted as can be (in squares).

    >>> _apart([0, 1, 20], [4, 4, 4])
    [-1.5, 2.5, 20.0]
    """
    offsets = [0.0, *accumulate((a + b) / 2 for a, b in pairwise(sizes))]
    blocks: list[list[float]] = []  # sum and number of what stands at one place, once the offsets are taken away
    for centre, offset in zip(wanted, offsets, strict=False):
        blocks.append([centre - offset, 1])
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] > blocks[-1][0] * blocks[-2][1]:
            total, number = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += number
    places = [total / number for total, number in blocks for _ in range(round(number))]
    return [place + offset for place, offset in zip(places, offsets, strict=False)]


def _ticks(
    low: float, high: float, length: float, at: Callable[[float], float], *, whole: bool
) -> list[tuple[float, str]]:
    """Round numbers, far enough from each other."""
    if not (high > low and length > 0):
        return [(at(low), f"{low:g}")]
    exponent = 0 if whole else -3
    step, decimals = 1.0, 0
    while True:
        for digit in (1, 2, 5):
            step, decimals = digit * 10.0**exponent, max(0, -exponent)
            if step * length / (high - low) >= _TICK_GAP:
                first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
                return [(at(number * step), f"{number * step:.{decimals}f}") for number in range(first, last + 1)]
        exponent += 1
