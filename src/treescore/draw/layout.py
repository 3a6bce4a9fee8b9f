"""The layout of a picture: positions of boxes, lines and texts, independent of the output format.

A tree is laid out along the axis of its words, and in levels away from this axis: a node's level is its height above
the words, so that preterminals are in one row. Directions (up, down, left, right) are applied last.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from ..helpers.text import cut_to_fit, lines_of, pieces
from .bands import Band, by_columns, by_time
from .colours import EXTRA, MISSING, SIGNS
from .sides import LABEL, NOTE, WORD, Node, Side
from .widths import clipped, drawable, text_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..place.axis import Axis
    from .bands import Need

    Point = tuple[float, float]

#: Font sizes.
TITLE, SMALL = 15.0, 10.5
#: Height and padding of boxes, and distances between them along the axis and between levels.
BOX, PADDING, BESIDE, BETWEEN, BETWEEN_DEEP, DEEP = 19.0, 5.0, 5.0, 15.0, 9.0, 16
#: Minimum width of a box, for nodes without label.
LEAST = 12.0
MARGIN, WORD_ROW, FUNNEL, RULER, RULER_TURNED, LINE = 14.0, 22.0, 12.0, 17.0, 36.0, 15.0
#: Margin of pictures for papers, which have margins of their own.
MARGIN_PLAIN = 3.0
#: Minimum width of a picture with a heading or a legend.
LEAST_WIDTH = 330.0
#: Width of a character on the axis of characters; number of words above which a picture is turned.
CHARACTER, CHARACTER_TURNED, MANY_WORDS = 8.5, 6.0, 40


class Text(NamedTuple):
    """Text on one line; y is its middle."""

    x: float
    y: float
    text: str
    kind: str  # "word", "silent", "title", "small", "tick", "caption", "legend"
    anchor: str = "middle"
    leftward: bool = False


class Lines(NamedTuple):
    """Lines of one kind: "plain", "ignored", "missing", "extra" or "ruler", or of a colour if "aligned"."""

    lines: list[list[Point]]
    kind: str
    colour: int | None = None
    over: bool = False  # interrupts the lines that it crosses


class Area(NamedTuple):
    """A shaded area."""

    points: list[Point]
    dark: bool


class Box(NamedTuple):
    """A node: its label in a box; or a sample in the legend, without a side."""

    x: float  # its middle
    y: float
    width: float
    label: str
    note: str
    kind: str  # the mark
    colour: int | None
    boxed: bool
    side: str = ""
    number: int = -1
    tip: str = ""
    size: float = LABEL  # font size
    height: float = BOX


Item = Text | Lines | Area | Box


class Picture(NamedTuple):
    """All items of a picture, from back to front."""

    width: float
    height: float
    items: list[Item]
    title: str
    description: str


def box_width(node: Node) -> float:
    """The width of a node's box."""
    note = 3 + text_width(node.note, NOTE) if node.note else 0.0
    return max(LEAST, text_width(node.label, LABEL) + note + 2 * PADDING)


class _Plane:
    """Converts positions along and across the axis into points."""

    __slots__ = ("leftward", "length", "turned", "x", "y")

    def __init__(self, x: float, y: float, length: float, turned: bool, leftward: bool) -> None:
        self.x, self.y, self.length = x, y, length
        self.turned, self.leftward = turned, leftward and not turned

    def point(self, along: float, across: float) -> Point:
        if self.turned:
            return self.x + across, self.y + along
        return self.x + (self.length - along if self.leftward else along), self.y + across


class _Levels:
    """The nodes of one side: positions along the axis, and levels."""

    __slots__ = ("along", "begin", "depth", "level", "size", "turned")

    def __init__(self, side: Side, centres: Sequence[float], slots: Sequence[float], turned: bool) -> None:
        self.turned = turned
        nodes = side.nodes
        self.along = [0.0] * len(nodes)
        self.level = [1] * len(nodes)
        low = [centre - slot / 2 for centre, slot in zip(centres, slots, strict=True)]
        high = [centre + slot / 2 for centre, slot in zip(centres, slots, strict=True)]
        for node in reversed(nodes):  # children follow their parents
            below = [centres[~child] if child < 0 else self.along[child] for child in node.children]
            middle = (min(below) + max(below)) / 2
            half = (BOX if turned else box_width(node)) / 2
            self.along[node.number] = min(
                (
                    min(max(middle, low[first] + half), max(high[last - 1] - half, low[first] + half))
                    for first, last in node.blocks
                ),
                key=lambda place: (abs(place - middle), place),
            )
            heights = [self.level[child] for child in node.children if child >= 0]
            self.level[node.number] = max(heights, default=0) + 1
        if side.has_gaps:
            self._raise(side, centres)
        self._measure(side)

    def _raise(self, side: Side, centres: Sequence[float]) -> None:
        """Raise nodes until neither labels nor bars overlap; branches may cross."""
        occupied: dict[int, list[tuple[float, float]]] = {}
        for node in sorted(side.nodes, key=lambda node: (self.level[node.number], min(node.blocks), -node.number)):
            number = node.number
            half = (BOX if self.turned else box_width(node)) / 2 + 2
            below = [centres[~child] if child < 0 else self.along[child] for child in node.children]
            low, high = min(*below, self.along[number] - half), max(*below, self.along[number] + half)
            level = max((self.level[child] for child in node.children if child >= 0), default=0) + 1
            while True:
                others = occupied.setdefault(level, [])
                at = bisect_left(others, (low, high))
                if (at == 0 or others[at - 1][1] <= low) and (at == len(others) or others[at][0] >= high):
                    others.insert(at, (low, high))
                    break
                level += 1
            self.level[number] = level

    def _measure(self, side: Side) -> None:
        most = max(self.level, default=0)
        sizes = [0.0] * (most + 1)
        for node in side.nodes:
            level = self.level[node.number]
            sizes[level] = max(sizes[level], box_width(node) if self.turned else BOX)
        between = BETWEEN if most < DEEP else BETWEEN_DEEP
        bare = any(child < 0 for node in side.nodes for child in node.children if not node.is_preterminal)
        #: The start and size of each level, away from the words.
        self.begin, self.size = [0.0] * (most + 1), sizes
        at = between if bare else 2.0
        for level in range(1, most + 1):
            self.begin[level] = at
            at += sizes[level] + between
        self.depth = max(0.0, at - between)

    def middle(self, number: int) -> float:
        """The distance of a node from the words."""
        level = self.level[number]
        return self.begin[level] + self.size[level] / 2


def _needs(side: Side, turned: bool) -> list[Need]:
    """The width that each word and label needs along the axis."""
    if turned:
        return [(at, at + 1, BOX + 1) for at in range(len(side.leaves))]
    needs: list[Need] = [
        (at, at + 1, text_width(leaf.text, WORD) + 2 * BESIDE if leaf.text else 0.0)
        for at, leaf in enumerate(side.leaves)
    ]
    for node in side.nodes:
        # A label is placed over its longest interval.
        needs.append((*node.blocks[0], box_width(node) + BESIDE))
    return needs


class _Drawing:
    """Collects the items of a picture."""

    def __init__(self, shown: Sequence[Side], axis: Axis, turned: bool, leftward: bool, duration: float | None) -> None:
        self.shown = shown  # all sides of the picture, which may have other drawings
        self.axis, self.turned, self.leftward, self.duration = axis, turned, leftward, duration
        self.back: list[Item] = []
        self.lines: list[Item] = []
        self.front: list[Item] = []

    def items(self) -> list[Item]:
        return [*self.back, *self.lines, *self.front]

    def band(self, shown: Sequence[Side]) -> Band:
        """The positions of the leaves of these sides along one axis."""
        leaves = [side.leaves for side in shown]
        needs = [_needs(side, self.turned) for side in shown]
        if self.axis.needs_times and len(shown) < len(self.shown):  # side by side, with the same scale
            return self.band(self.shown).only(self.shown.index(shown[0]))
        if self.axis.needs_times:
            return by_time(leaves, needs, self.duration)
        unit = 0.0 if not self.axis.has_ruler else CHARACTER_TURNED if self.turned else CHARACTER
        return by_columns(leaves, needs, unit, self.axis.has_ruler)

    def panels(self, shown: Sequence[Side]) -> Point:
        """Draw sides over one axis, the first above the words, the others below; return the size."""
        band = self.band(shown)
        captions = max((text_width(clipped(s.caption, SMALL, 90), SMALL) + 8 for s in shown if s.caption), default=0.0)
        if self.turned:
            plane = _Plane(0.0, LINE if captions else 0.0, band.length, True, False)
        else:
            plane = _Plane(captions, 0.0, band.length, False, self.leftward)
        first = self._levels(shown[0], band, 0)
        least = 0.0 if not captions else captions if self.turned else BOX + 2  # room for the name of an empty tree
        base = max(first.depth, least)
        self._caption(plane, shown[0], base - BOX / 2 - 2, base / 2)
        self._tree(plane, shown[0], first, band.centres[0], base, -1)
        across = self._axis(plane, band, shown, 0, 1 if len(shown) > 1 else None, base)
        for at in range(1, len(shown)):
            if at > 1:
                across = self._axis(plane, band, shown, None, at, across + BETWEEN)
            levels = self._levels(shown[at], band, at)
            depth = max(levels.depth, least)
            self._caption(plane, shown[at], across + BOX / 2 + 2, across + depth / 2)
            self._tree(plane, shown[at], levels, band.centres[at], across, 1)
            across += depth
        if self.turned:
            return across, band.length + plane.y
        return band.length + captions, across

    def _levels(self, side: Side, band: Band, at: int) -> _Levels:
        return _Levels(side, band.centres[at], band.sizes[at], self.turned)

    def _caption(self, plane: _Plane, side: Side, across: float, middle: float) -> None:
        caption = clipped(side.caption, SMALL, 90)
        if caption and self.turned:
            self.front.append(Text(plane.x + middle, plane.y - LINE / 2, caption, "caption"))
        elif caption:
            self.front.append(Text(plane.x - 8, plane.y + across, caption, "caption", "end"))

    def _tree(
        self, plane: _Plane, side: Side, levels: _Levels, centres: Sequence[float], base: float, sign: int
    ) -> None:
        """The boxes of the nodes and the branches between them."""

        def point(along: float, away: float) -> Point:
            return plane.point(along, base + sign * away)

        drawn: list[tuple[int, Lines]] = []
        for node in side.nodes:
            along, middle = levels.along[node.number], levels.middle(node.number)
            width = box_width(node)
            x, y = point(along, middle)
            boxed = not (node.is_preterminal and node.mark in ("plain", "aligned") and node.colour is None)
            boxed = boxed and (node.mark not in ("plain", "ignored") or not node.label)
            self.front.append(
                Box(x, y, width, node.label, node.note, node.mark, node.colour, boxed, side.name, node.number, node.tip)
            )
            empty = all(child < 0 and not side.leaves[~child].text for child in node.children)
            if node.is_preterminal or empty:
                continue
            begin = levels.begin[levels.level[node.number]]
            half = self._half(node)
            bar = begin - (begin - self._far(levels, levels.level[node.number] - 1)) * 0.4
            below = [centres[~child] if child < 0 else levels.along[child] for child in node.children]
            lines = [[point(along, middle - half), point(along, bar)]]
            if min(*below, along) < max(*below, along):
                lines.append([point(min(*below, along), bar), point(max(*below, along), bar)])
            for child, place in zip(node.children, below, strict=True):
                if child >= 0:
                    top = levels.middle(child) + self._half(side.nodes[child])
                    lines.append([point(place, bar), point(place, top)])
                elif side.leaves[~child].text:
                    lines.append([point(place, bar), point(place, 1.0)])
            drawn.append((levels.level[node.number], Lines(lines, node.mark, node.colour, side.has_gaps)))
        drawn.sort(key=lambda item: item[0])  # higher branches cross over lower branches
        self.lines += [item for _, item in drawn]

    def _half(self, node: Node) -> float:
        """Half of the size of a node's box across the axis. Branches end at boxes, which need not have a background."""
        return (box_width(node) if self.turned else BOX) / 2

    @staticmethod
    def _far(levels: _Levels, level: int) -> float:
        return levels.begin[level] + levels.size[level] if level else 0.0

    def _axis(
        self, plane: _Plane, band: Band, shown: Sequence[Side], above: int | None, below: int | None, across: float
    ) -> float:
        """Draw the words between two trees, and the ruler if the axis has one; return the end."""
        both = [at for at in (above, below) if at is not None]
        texts = [[leaf.text for leaf in shown[at].leaves] for at in both]
        if band.at is None and texts[0] == texts[-1]:
            return self._words(plane, band, shown, both[0], across, "start" if below is None else "middle")
        if above is not None:
            end = self._words(plane, band, shown, above, across, "end" if band.at else "middle")
            across = self._funnels(plane, band, shown, above, end, end + FUNNEL) if band.at else end
        if band.at is not None:
            across = self._ruler(plane, band, across)
        if below is not None:
            begin = across + FUNNEL if band.at else across
            if band.at:
                self._funnels(plane, band, shown, below, begin, across)
            across = self._words(plane, band, shown, below, begin, "start" if band.at else "middle")
        return across

    def _words(self, plane: _Plane, band: Band, shown: Sequence[Side], at: int, across: float, anchor: str) -> float:
        leaves = shown[at].leaves
        words = [leaf.text for leaf in leaves]
        size = WORD_ROW
        if self.turned:
            size = max((text_width(word, WORD) for word in words), default=0.0) + 12
        place = {"start": 6.0, "middle": size / 2, "end": size - 6}[anchor] if self.turned else size / 2
        for leaf, word, centre in zip(leaves, words, band.centres[at], strict=True):
            if word:
                x, y = plane.point(centre, across + place)
                kind = "silent" if self.axis.needs_times and leaf.start >= leaf.end else "word"
                self.front.append(Text(x, y, word, kind, anchor if self.turned else "middle", self.leftward))
        return across + size

    def _funnels(self, plane: _Plane, band: Band, shown: Sequence[Side], at: int, words: float, ruler: float) -> float:
        """Draw the area between each word and its interval on the ruler."""
        assert band.at is not None
        for number, leaf in enumerate(shown[at].leaves):
            if not leaf.text:
                continue
            half = BOX / 2 - 1 if self.turned else text_width(leaf.text, WORD) / 2
            centre = band.centres[at][number]
            low, high = band.at(leaf.start), band.at(leaf.end)
            points = [(centre - half, words), (centre + half, words), (high, ruler), (low, ruler)]
            self.back.append(Area([plane.point(*point) for point in points], bool(number % 2)))
        return ruler

    def _ruler(self, plane: _Plane, band: Band, across: float) -> float:
        assert band.at is not None
        end = across + (RULER_TURNED if self.turned else RULER)
        edges = [0.0, *(at + side for at in band.breaks for side in (-3, 3)), band.length]
        lines = [
            [plane.point(low, place), plane.point(high, place)]
            for place in (across, end)
            for low, high in zip(edges[::2], edges[1::2], strict=True)
        ]
        for place in edges[1:-1]:  # two slanted strokes
            lines.append([plane.point(place - 3, end + 3), plane.point(place + 3, across - 3)])
        for tick, text in band.ticks:
            lines += [
                [plane.point(tick, across), plane.point(tick, across + 3)],
                [plane.point(tick, end), plane.point(tick, end - 3)],
            ]
            x, y = plane.point(tick, (across + end) / 2)
            self.front.append(Text(x, y, text, "tick"))
        self.lines.append(Lines(lines, "ruler"))
        return end


def is_right_to_left(shown: Sequence[Side], direction: str) -> bool:
    """Are the words written from right to left? "auto" decides by the words."""
    if direction != "auto":
        return direction == "rtl"
    from unicodedata import bidirectional

    balance = 0
    for side in shown:
        for leaf in side.leaves:
            if leaf.text.isascii():
                balance -= any(map(str.isalpha, leaf.text))
            else:
                first = next((kind for kind in map(bidirectional, leaf.text) if kind in ("L", "R", "AL")), None)
                balance += 0 if first is None else -1 if first == "L" else 1
    return balance > 0


def picture(
    shown: Sequence[Side],
    *,
    axis: Axis,
    heading: Sequence[str] = (),
    notes: Sequence[str] = (),
    description: str = "",
    beside: bool = False,
    turn: bool | None = None,
    direction: str = "auto",
    widest: float | None = None,
    duration: float | None = None,
    plain: bool = False,
) -> Picture:
    """The picture of a tree, or of gold and one or more test trees.

    If `turn` is None, a picture of many words is turned, and so is one that is wider than `widest` if this makes it
    narrower.
    """
    heading, notes = [drawable(text) for text in heading], [drawable(text) for text in notes]
    right_to_left = is_right_to_left(shown, direction)
    margin = MARGIN_PLAIN if plain and not axis.has_ruler else MARGIN  # numbers on a ruler extend into the margin

    def framed(turned: bool) -> Picture:
        drawings = [_Drawing(shown, axis, turned, right_to_left, duration) for _ in (shown if beside else [shown])]
        return _framed(shown, drawings, heading, notes, drawable(description), margin)

    turned = max(len(side.leaves) for side in shown) > MANY_WORDS if turn is None else turn
    result = framed(turned)
    if turn is None and not turned and widest is not None and result.width > widest:
        return min(result, framed(True), key=lambda picture: picture.width)
    return result


def _framed(
    shown: Sequence[Side],
    drawings: Sequence[_Drawing],
    heading: Sequence[str],
    notes: Sequence[str],
    description: str,
    margin: float,
) -> Picture:
    """The trees with a heading above and a legend below."""
    groups = [shown] if len(drawings) == 1 else [[side] for side in shown]
    sizes = [drawing.panels(group) for drawing, group in zip(drawings, groups, strict=True)]
    bottom = max(height for _, height in sizes)
    trees = sum(width for width, _ in sizes) + 3 * MARGIN * (len(groups) - 1)
    inner = max(trees, LEAST_WIDTH if heading or len(shown) > 1 else 0.0)
    above: list[Item] = []
    y = margin
    for at, text in enumerate(heading):
        kind, size = ("title", TITLE) if at == 0 else ("small", SMALL)
        for line in wrapped(text, size, inner):
            above.append(Text(margin, y + LINE / 2, line, kind, "start"))
            y += LINE + (4 if at == 0 else -1)
    for text in notes:
        for line in wrapped(text, SMALL, inner):
            above.append(Text(margin, y + LINE / 2, line, "note", "start"))
            y += LINE
    y += 8 if heading else 0
    below, end = _legend(shown, margin, y + bottom + 12, inner)
    items = above
    x = margin + (inner - trees) / 2
    for drawing, (across, height) in zip(drawings, sizes, strict=True):
        lower = 0.0 if drawing.turned else bottom - height  # side by side, words are on one line
        items += [_moved(item, x, y + lower) for item in drawing.items()]
        x += across + 3 * MARGIN
    items += below
    title = heading[0] if heading else "Tree" if len(shown) == 1 else "Trees"
    return Picture(inner + 2 * margin, end + margin, items, title, description)


def _moved(item: Item, x: float, y: float) -> Item:
    if isinstance(item, Text | Box):
        return item._replace(x=item.x + x, y=item.y + y)
    if isinstance(item, Area):
        return item._replace(points=[(a + x, b + y) for a, b in item.points])
    return item._replace(lines=[[(a + x, b + y) for a, b in line] for line in item.lines])


def wrapped(text: str, size: float, most: float) -> list[str]:
    """The text in lines, broken after spaces and bars, and inside pieces that are too long.

    >>> wrapped("parseval|profile:none|v:0.2.0.dev0", 10, 120)
    ['parseval|profile:none|', 'v:0.2.0.dev0']
    """
    most = max(most, 40.0)

    def fits(line: str) -> bool:
        return text_width(line, size) <= most

    parts = [clipped(part, size, most) for piece in pieces(text) for part in cut_to_fit(piece, fits)]
    return lines_of(parts, fits)


def _legend(shown: Sequence[Side], x: float, y: float, width: float) -> tuple[list[Item], float]:
    """The legend of the marks in the picture, and its end."""
    if len(shown) < 2:
        return [], y - 12
    nodes = [node for side in shown for node in side.nodes]
    entries: list[tuple[Box, str]] = []

    def add(label: str, kind: str, colour: int | None, boxed: bool, text: str) -> None:
        entries.append((Box(0, 0, 20, label, "", kind, colour, boxed, size=SMALL, height=14.0), text))

    if any(node.colour is not None for node in nodes):
        add("", "aligned", 0, True, "aligned: drawn alike in both trees, IoU if below 1")
    signs = {sign for node in nodes for sign in node.signs}
    for sign, text in SIGNS.items():
        if sign in signs or any(sign in node.note for node in nodes):
            dashed = {MISSING: "missing", EXTRA: "extra"}.get(sign)
            add(sign, dashed or "plain", None, dashed is not None, text)
    if any(node.mark == "ignored" for node in nodes):
        add("X", "ignored", None, False, "not counted")
    items: list[Item] = []
    at, row = x, y + LINE / 2
    for box, text in entries:
        size = 20 + 5 + text_width(text, SMALL)
        if at > x and at + size > x + width:
            at, row = x, row + LINE + 4
        items.append(box._replace(x=at + 10, y=row))
        items.append(Text(at + 25, row, text, "legend", "start"))
        at += size + 16
    return items, row + LINE / 2 if entries else y - 12
