"""Trees over time without words or labels: nested pairs of begin and end, segments with a tree, or lists of spans.

>>> forms = TextlessForms()
>>> forms.nested({"tree": [[[0.1, 0.3], [0.3, 0.7]], [0.9, 1.1]]})
['', [['', [['', 0.1, 0.3], ['', 0.3, 0.7]]], ['', 0.9, 1.1]]]
>>> tree = forms.nested({"segments": [[0.1, 0.3], [0.3, 0.7]], "tree": "(0 1)"})
>>> tree == forms.nested({"segments": [[0.1, 0.3], [0.3, 0.7]], "spans": [[0, 2]]})
True
>>> tree == forms.nested({"spans": [[0.1, 0.7], [0.3, 0.7], [0.1, 0.3]]})
True
"""

from __future__ import annotations

import re
from itertools import pairwise

from ..values.problem import InputError, Problem, TreeSyntaxError
from ..words.interpolation import ROUNDING
from ..words.timeline import LONGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Interval = tuple[float, float]

_TOKEN = re.compile(r"[()]|[^\s()]+")
#: What must be given for whole numbers.
UNIT_NEEDED = (
    "the unit of these spans is unknown, because all are whole numbers; give it (--times-unit frames:0.02, ms or s)"
)


def is_textless(item: Any) -> bool:
    """Is this an object with segments or spans, or with a tree of pairs?

    >>> is_textless({"spans": [[0.1, 0.2]]}), is_textless({"tree": [[0.1, 0.2]]}), is_textless({"tree": "x"})
    (True, True, False)
    """
    return type(item) is dict and ("segments" in item or "spans" in item or is_pairs(item.get("tree")))


def is_pairs(tree: Any) -> bool:
    """Is this a pair of numbers, or a list that begins with such a pair at any depth?"""
    seen: set[int] = set()
    while type(tree) in (list, tuple) and tree and id(tree) not in seen:
        if len(tree) == 2 and _is_number(tree[0]) and _is_number(tree[1]):
            return bool(seen) or not (type(tree[0]) is type(tree[1]) is int)  # [1, 2] alone may be anything
        seen.add(id(tree))
        tree = tree[0]
    return False


def is_one_tree(items: Any) -> bool:
    """Is a list of pairs one tree, because one of its children is a leaf? Otherwise it is a list of trees."""
    return is_pairs(items) and (_leaf(items) is not None or any(_leaf(item) is not None for item in items))


def _leaf(item: Any) -> Interval | None:
    """Begin and end of a leaf: two numbers, perhaps behind a word."""
    if type(item) not in (list, tuple) or len(item) not in (2, 3):
        return None
    if len(item) == 3 and not (item[0] is None or isinstance(item[0], str)):
        return None
    begin, end = item[-2:]
    return (float(begin), float(end)) if _is_number(begin) and _is_number(end) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LONGEST


class TextlessForms:
    """Turns all forms of textless trees into nested lists with times in seconds.

    Plain numbers are of `unit` seconds; None if unknown, which is an error if all of them are whole.
    """

    def __init__(self, unit: float | None = None) -> None:
        self._unit = unit
        self._any = self._fraction = False

    def check(self, name: str | None) -> None:
        """Refuse whole numbers without a unit."""
        if self._unit is None and self._any and not self._fraction:
            raise InputError(Problem("unit", UNIT_NEEDED, file=name))

    @property
    def any(self) -> bool:
        """Were there any numbers?"""
        return self._any

    def nested(self, item: dict[str, Any]) -> list[Any]:
        """The tree of an object as a nested list; a TreeSyntaxError if it has none."""
        if "segments" not in item:
            return self._of_spans(item["spans"]) if "spans" in item else self._of_pairs(item["tree"])
        segments = [self._segment(segment, f"segment {place}") for place, segment in enumerate(_list(item, "segments"))]
        for place, (before, after) in enumerate(pairwise(segments), 1):
            if after[0] < before[1] - ROUNDING:
                last = f"segment {place - 1}, which ends at {before[1]:g}"
                raise _fault("overlap", f"segment {place}, {_shown(after)}, overlaps {last}")
        leaves = [["", *segment] for segment in segments]
        if "spans" in item:
            return _of_places(_list(item, "spans"), leaves)
        if item.get("tree") is None:
            raise _fault("segments", 'there are segments, but neither "tree" nor "spans"')
        return _of_numbers(item["tree"], leaves)

    def _segment(self, item: Any, where: str) -> Interval:
        """The times of a leaf in seconds."""
        times = _leaf(item)
        if times is None:
            raise _fault("segments", f"{where} is not a list [begin, end] of numbers")
        self._any = True
        self._fraction = self._fraction or not (times[0].is_integer() and times[1].is_integer())
        begin, end = times if self._unit is None else (round(time * self._unit, 9) for time in times)
        if not 0 <= begin < end:
            raise _fault("time", f"{where}, {_shown((begin, end))}, begins before 0, or does not end after its begin")
        return begin, end

    def _of_pairs(self, tree: Any) -> list[Any]:
        """The tree of nested pairs."""
        root: list[Any] = []
        ahead: list[tuple[Any, list[Any], int]] = [(tree, root, 0)]
        leaves = 0
        while ahead:
            item, siblings, depth = ahead.pop()
            if _leaf(item) is not None:
                siblings.append(["", *self._segment(item, f"leaf {leaves + 1}")])
                leaves += 1
            elif type(item) in (list, tuple) and item and depth < 100_000:
                children: list[Any] = []
                siblings.append(["", children])
                ahead += [(part, children, depth + 1) for part in reversed(item)]
            else:
                message = f"item {leaves + 1} is neither a leaf [begin, end] nor a list of such items"
                raise _fault("segments", message)
        _check_overlaps(root[0])
        return root[0]  # type: ignore[no-any-return]

    def _of_spans(self, spans: Any) -> list[Any]:
        """The tree of a list of spans, by inclusion."""
        times = [self._segment(span, f"span {place}") for place, span in enumerate(_list({"spans": spans}, "spans"), 1)]
        if not times:
            raise _fault("segments", "there are no spans")
        ordered = sorted(dict.fromkeys(times), key=lambda span: (span[0], -span[1]))
        root: list[Any] = []
        stack: list[tuple[Interval, list[Any]]] = [((-1.0, float("inf")), root)]
        for span in ordered:
            while span[0] >= stack[-1][0][1] - ROUNDING:
                stack.pop()
            if span[1] > stack[-1][0][1] + ROUNDING:
                raise _fault("overlap", f"the spans {_shown(stack[-1][0])} and {_shown(span)} overlap")
            children: list[Any] = []
            stack[-1][1].append([span, children])
            stack.append((span, children))
        return _by_inclusion(root)


def _by_inclusion(roots: list[Any]) -> list[Any]:
    """The nested list of spans with the spans inside them; a phrase must begin and end with a span inside it."""
    top: list[Any] = []
    ahead: list[tuple[Any, list[Any]]] = [(item, top) for item in reversed(roots)]
    while ahead:
        (span, inside), siblings = ahead.pop()
        if not inside:
            siblings.append(["", *span])
            continue
        for place, which, verb in ((0, inside[0], "begins"), (1, inside[-1], "ends")):
            if abs(which[0][place] - span[place]) > ROUNDING:
                message = f"no span inside {_shown(span)} {verb} at {span[place]:g}; add the missing segment"
                raise _fault("missing", message)
        children: list[Any] = []
        siblings.append(["", children])
        ahead += [(item, children) for item in reversed(inside)]
    return top[0] if len(top) == 1 else ["", top]


def _check_overlaps(tree: list[Any]) -> None:
    """Refuse leaves that overlap in time, wherever they are."""
    leaves, ahead = [], [tree]
    while ahead:
        item = ahead.pop()
        if len(item) == 3:
            leaves.append((item[1], item[2]))
        else:
            ahead += item[1]
    leaves.sort()
    for before, after in pairwise(leaves):
        if after[0] < before[1] - ROUNDING:
            raise _fault("overlap", f"the segments {_shown(before)} and {_shown(after)} overlap")


def _of_places(spans: list[Any], leaves: list[Any]) -> list[Any]:
    """The tree of spans of segments, [first, one past last]."""
    ranges = set()
    for place, span in enumerate(spans, 1):
        is_range = type(span) in (list, tuple) and len(span) == 2 and all(type(number) is int for number in span)
        if not is_range or not 0 <= span[0] < span[1] <= len(leaves):
            message = f"span {place} is not [first, one past last] of {len(leaves)} segments, counted from 0"
            raise _fault("segments", message)
        if span[1] - span[0] > 1:
            ranges.add((span[0], span[1]))
    root: list[Any] = []
    if len(leaves) > 1:
        ranges.add((0, len(leaves)))
    stack = [((0, len(leaves)), root)]
    ordered = sorted(ranges, key=lambda span: (span[0], -span[1]))
    at = 0
    for place, leaf in enumerate(leaves):
        while len(stack) > 1 and stack[-1][0][1] <= place:
            stack.pop()
        while at < len(ordered) and ordered[at][0] == place:
            first, last = ordered[at]
            if last > stack[-1][0][1]:
                other = "-".join(map(str, stack[-1][0]))
                raise _fault("crossing", f"the spans {other} and {first}-{last} cross")
            children: list[Any] = []
            stack[-1][1].append(["", children])
            stack.append(((first, last), children))
            at += 1
        stack[-1][1].append(leaf)
    if not root:
        raise _fault("segments", "there are no segments")
    return root[0]  # type: ignore[no-any-return]


def _of_numbers(tree: Any, leaves: list[Any]) -> list[Any]:
    """The tree whose leaves are numbers of segments: a text in brackets or a nested list."""
    built = _parsed(tree) if isinstance(tree, str) else tree
    used: list[int] = []
    root: list[Any] = []
    ahead: list[tuple[Any, list[Any]]] = [(built, root)]
    while ahead:
        item, siblings = ahead.pop()
        if type(item) is int:
            used.append(item)
            siblings.append(leaves[item] if 0 <= item < len(leaves) else None)
        elif type(item) in (list, tuple) and item:
            if len(item) == 1:  # the segment itself, or a bracket around a bracket
                ahead.append((item[0], siblings))
                continue
            children: list[Any] = []
            siblings.append(["", children])
            ahead += [(part, children) for part in reversed(item)]
        else:
            raise _fault("segments", "the tree is not of brackets or lists with numbers of segments, such as ((0 1) 2)")
    if sorted(used) != list(range(len(leaves))):
        message = f"the tree has {_number(len(used), 'leaf', 'leaves')} for {_number(len(leaves), 'segment')}"
        if len(used) == len(leaves):
            message = f"the leaves of the tree are not the numbers from 0 to {len(leaves) - 1}, each of them once"
        raise _fault("segments", message)
    return root[0]  # type: ignore[no-any-return]


def _parsed(text: str) -> Any:
    """Brackets around whole numbers as a nested list; labels are left out."""
    root: list[Any] = []
    stack = [root]
    before = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == "(":
            inner: list[Any] = []
            stack[-1].append(inner)
            stack.append(inner)
        elif token == ")":
            stack.pop()
            if not stack:
                break
        elif token.isascii() and token.isdigit() and len(token) < 10:
            stack[-1].append(int(token))
        elif before != "(":
            raise _fault("segments", f"{token[:40]!r} in the tree is not the number of a segment")
        before = token
    if len(stack) != 1 or len(root) != 1:
        raise _fault("segments", "the brackets of the tree are not balanced, or it is not one tree")
    return root[0]


def _list(item: dict[str, Any], key: str) -> list[Any]:
    value = item[key]
    if type(value) not in (list, tuple):
        raise _fault("segments", f'"{key}" is not a list')
    return list(value)


def _shown(span: Sequence[float]) -> str:
    return f"{span[0]:g}-{span[1]:g}"


def _number(number: int, what: str, several: str | None = None) -> str:
    return f"{number} {what if number == 1 else several or what + 's'}"


def _fault(code: str, message: str) -> TreeSyntaxError:
    return TreeSyntaxError(Problem(code, message))
