"""Trees without labels as nested lists of words: `[["a", "urinal"], ["in", ["a", "restroom"]]]`.

>>> is_word_list(["in", ["a", "restroom"]]), is_word_list(["NP", [["DT", 0.15, 0.39]]]), is_word_list("in")
(True, False, False)
"""

from __future__ import annotations

from ..helpers.text import encode, escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeGuard

    from .. import _core

_END: Any = object()  # of a list


def is_word_list(item: Any) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Is it a list of words and of such lists, none of which is empty or contains itself? Trees are not words."""
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
