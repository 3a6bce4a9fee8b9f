"""Trees over seconds as nested lists: `[label, children]`, or `[label, start, end]` for a leaf.

>>> bank = read_nested([["NP", [["DT", 0.15, 0.39], ["NN", 0.39, 0.8, "cat"]]]])
>>> print(bank[0])
(NP (DT 0.15-0.39) (NN cat))
>>> bank[0].times
[(0.15, 0.39), (0.39, 0.8)]
"""

from __future__ import annotations

from functools import lru_cache
from numbers import Real

from .. import _core
from ..helpers.text import encode, escaped, visible
from ..trees import Source, Treebank
from ..values.problem import Problem, TreeSyntaxError
from ..words.interpolation import ROUNDING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias, TypeGuard

    _InOrder: TypeAlias = tuple[list[Any], list[tuple[float, float]]]

_NUMBERS = frozenset(b"%c" % sign for sign in b"-0123456789")  # how numbers begin
_END: Any = object()  # end of a phrase
_DEEP = 1000  # levels; a list that contains itself is deeper
#: Largest time in seconds, so that differences of times are finite.
MOST = 1e300


def read_nested(items: Iterable[Any], *, name: str | None = None) -> Treebank:
    """A treebank from nested lists."""
    builder = _core.TreeBuilder()
    for number, item in enumerate(items, 1):
        append_nested(item, builder, number)
    return Treebank(builder.trees(), source=Source(name or "<nested list>"))


def is_nested(item: Any) -> bool:
    """Does this look like a tree as a nested list, not like a list of trees?"""
    return (
        type(item) in (list, tuple)
        and len(item) in (2, 3, 4)
        and (item[0] is None or isinstance(item[0], str))
        and (type(item[1]) in (list, tuple) and not _is_text(item[0]) if len(item) == 2 else _is_number(item[1]))
    )


def _is_text(label: str | None) -> bool:
    """Is it the text of a tree, and no label?"""
    return label is not None and label.startswith("(") and label.endswith(")") and len(label) > 2


def append_nested(item: Any, builder: _core.TreeBuilder, line: int = 0) -> None:
    """Append one tree to a builder. Children are sorted by time; a leaf without a label is not a separate node."""
    order, times = _in_order(item) or _Nested(item).in_order()  # errors are raised before anything is built
    for node in order:
        if node is None:
            builder.close()
            continue
        label = node[0]
        if len(node) == 2:
            builder.open(_name(label))
        else:
            word = node[3] if len(node) == 4 else span_word(float(node[1]), float(node[2]))
            builder.leaf(_name(word) or b"_", None if label is None else _name(label))
    builder.set_times(times)
    builder.finish(line)


def _in_order(item: Any) -> _InOrder | None:
    """The nodes in their order, with None after each phrase, and the times of the leaves.

    This is fast, and works for nearly all trees: lists of strings and floats, sorted by time, and not very deep. For
    others the result is None.
    """
    order: list[Any] = []
    times: list[tuple[float, float]] = []
    ahead = [item]
    last = -MOST
    depth = 0
    while ahead:
        node = ahead.pop()
        if node is _END:
            order.append(None)
            depth -= 1
            continue
        if type(node) is not list or not 2 <= len(node) <= 4 or not (type(node[0]) is str or node[0] is None):
            return None
        if len(node) == 2:
            depth += 1
            if type(node[0]) is not str or type(node[1]) is not list or not node[1] or depth > _DEEP:
                return None
            order.append(node)
            ahead.append(_END)
            ahead += reversed(node[1])
            continue
        start, end = node[1], node[2]
        if type(start) is not float or type(end) is not float or not last <= start <= end <= MOST:
            return None
        if start == end if len(node) == 3 else type(node[3]) is not str:
            return None
        order.append(node)
        times.append((start, end))
        last = end
    return order, times


@lru_cache(1 << 16)
def _name(text: str) -> bytes:
    return encode(escaped(text))


def span_word(start: float, end: float) -> str:
    """Placeholder for an unknown word.

    >>> span_word(0.15, 0.39)
    '0.15-0.39'
    """
    return f"{start:g}-{end:g}"


def is_span_word(word: bytes, start: float, end: float) -> bool:
    """Is this the placeholder for an unknown word?

    >>> is_span_word(b"0.15-0.39", 0.15, 0.39), is_span_word(b"cat", 0.15, 0.39)
    (True, False)
    """
    return may_be_span(word) and word == span_word(start, end).encode()


def may_be_span(word: bytes) -> bool:
    """Does the word begin like a number and contain a hyphen? Hardly any word does, and this is fast."""
    return word[:1] in _NUMBERS and b"-" in word


class _Nested:
    """A checked tree: its nodes in the order of reading, and in the order of time."""

    def __init__(self, item: Any) -> None:
        self.nodes: list[Any] = [item]
        self.places: list[tuple[int, int]] = [(-1, 0)]  # parent, and number among its children
        self.children: dict[int, list[int]] = {}
        starts: dict[int, float] = {}
        above: set[int] = set()  # the lists around the current node
        ahead = [0]  # nodes to visit; ~node after all nodes below it
        while ahead:
            node = ahead.pop()
            item = self.nodes[node if node >= 0 else ~node]
            if node < 0:
                above.remove(id(item))
                continue
            self._check(node, item)
            if len(item) != 2:
                starts[node] = float(item[1])
                continue
            if id(item) in above:
                raise self._error(node, f"{_short(item)} contains itself")
            above.add(id(item))
            first = len(self.nodes)
            self.nodes += item[1]
            self.places += [(node, number) for number in range(len(item[1]))]
            self.children[node] = list(range(first, len(self.nodes)))
            ahead += [~node, *reversed(self.children[node])]
        for node in range(len(self.nodes) - 1, -1, -1):  # children come after their parents
            if node in self.children:
                self.children[node].sort(key=starts.__getitem__)
                starts[node] = starts[self.children[node][0]]
        #: Numbers of nodes; None closes a phrase.
        self.order: list[int | None] = []
        waiting: list[int | None] = [0]
        while waiting:
            number = waiting.pop()
            self.order.append(number)
            if number is not None and number in self.children:
                waiting.append(None)
                waiting += reversed(self.children[number])
        self.times = self._timeline()

    def in_order(self) -> _InOrder:
        """The nodes in the order of time, with None after each phrase, and the times of the leaves."""
        return [None if node is None else self.nodes[node] for node in self.order], self.times

    def _timeline(self) -> list[tuple[float, float]]:
        times: list[tuple[float, float]] = []
        for node in self.order:
            if node is None or node in self.children:
                continue
            start, end = float(self.nodes[node][1]), float(self.nodes[node][2])
            last = times[-1][1] if times else start
            if start < last:
                if last - start > ROUNDING or last >= end:
                    raise self._error(
                        node, f"{_short(self.nodes[node])} overlaps the word before it, which ends at {last:g}"
                    )
                start = last
            times.append((start, end))
        return times

    def _check(self, node: int, item: Any) -> None:
        if type(item) not in (list, tuple) or len(item) not in (2, 3, 4):
            raise self._error(node, f"{_short(item)} is not [label, children] or [label, start, end]")
        label, *rest = item
        if not isinstance(label, str) and (label is not None or len(rest) == 1):
            raise self._error(node, f"the label {_short(label)} is not a string")
        if len(rest) == 1:
            if type(rest[0]) not in (list, tuple) or not rest[0]:
                raise self._error(node, f"{_short(label)} has no children; a leaf is [label, start, end]")
            return
        if not all(_is_number(time) and abs(time) <= MOST for time in rest[:2]):
            raise self._error(node, f"{_short(item)} does not start and end at finite numbers up to {MOST:g}")
        start, end = float(rest[0]), float(rest[1])
        if start > end or (start == end and len(rest) != 3):  # a word may be silent
            raise self._error(node, f"{_short(item)} ends before it starts, or has no length")
        if len(rest) == 3 and not isinstance(rest[2], str):
            raise self._error(node, f"the word {_short(rest[2])} is not a string")

    def _error(self, node: int, message: str) -> TreeSyntaxError:
        place = ""
        while node > 0 and len(place) < 200:
            node, number = self.places[node]
            place += f"child {number + 1} of " if node > 0 else f"child {number + 1}: "
        return TreeSyntaxError(Problem("nested", place + message))


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _short(value: Any) -> str:
    from reprlib import repr as short_repr

    return visible(short_repr(value))


# ---- Trees without labels as nested lists of words: `[["a", "urinal"], ["in", ["a", "restroom"]]]`


def is_word_list(item: Any) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Is it a list of words and of such lists, none of which is empty or contains itself? Trees are not words.

    >>> is_word_list(["in", ["a", "restroom"]]), is_word_list(["NP", [["DT", 0.15, 0.39]]]), is_word_list("in")
    (True, False, False)
    """
    if type(item) not in (list, tuple):
        return False
    ahead: list[Any] = [item]
    above: list[int] = []
    enclosing: set[int] = set()
    while ahead:
        part = ahead.pop()
        if part is _END:
            enclosing.remove(above.pop())
        elif type(part) in (list, tuple):
            if not part or id(part) in enclosing:
                return False
            above.append(id(part))
            enclosing.add(id(part))
            ahead.append(_END)
            ahead += part
        elif type(part) is not str or not part or ("(" in part and len(part) > 1):
            return False
    return True


def append_words(item: Any, builder: _core.TreeBuilder, line: int = 0) -> None:
    """Append one tree to a builder. As in brackets, a word in a list of its own is that word."""
    ahead = [item]
    while ahead:
        part = ahead.pop()
        if part is _END:
            builder.close()
        elif type(part) is str:
            builder.leaf(encode(escaped(part)), None)
        elif len(part) == 1 and type(part[0]) is str:
            ahead += part
        else:
            builder.open(b"")
            ahead.append(_END)
            ahead += reversed(part)
    builder.finish(line)


def is_list_of_trees(items: Any) -> bool:
    """Is a list rather a list of trees than one tree?

    It is if there is something in it that is no word, or if it has more parts than any list in it.

    >>> is_list_of_trees([["a", "cat"], ["a", "dog"], ["a", "cow"]]), is_list_of_trees([["a", "cat"], ["on", "it"]])
    (True, False)
    """
    if not is_word_list(items):
        return True
    if any(type(item) is str for item in items):
        return False
    ahead = list(items)
    longest = 0
    while ahead:
        part = ahead.pop()
        if type(part) is not str:
            longest = max(longest, len(part))
            ahead += part
    return len(items) > max(longest, 2)
