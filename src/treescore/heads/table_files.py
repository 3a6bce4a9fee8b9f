"""Head tables in SParseval's format: a category and its groups on each line. A file of another program has no line for
`*default*`; `public_files` reads it.

>>> print(read_table("*default* (l)\\nNP (r NN NNS) (l NP)  \\n# a comment\\n"), end="")
*default* (l)
NP (r NN NNS) (l NP)
"""

from __future__ import annotations

import os
import re

from ..helpers.text import decode, visible
from ..helpers.text_files import read_text_file
from ..values.problem import InputError, Problem
from .table import BLANKS, CONJUNCTIONS, DEFAULT, SKIP, HeadTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from .table import Group

_FORM = "a line is CATEGORY (l LABEL …) (r LABEL …)"
_DIRECTIONS = {"l": "l", "r": "r", "left": "l", "right": "r"}
_LAST_RESORT = "then the outermost child in the direction of its last group is taken"


def read_table(source: str | bytes | os.PathLike[str], name: str | None = None) -> HeadTable:
    """Read a table; see `HeadTable.read`."""
    if isinstance(source, str) and ("\n" in source or "(" in source or not source.strip()):
        text, name = source, name or "<text>"
    elif isinstance(source, bytes):
        text, name = decode(source), name or "<text>"
    else:
        name = name or os.fspath(source)
        text = decode(read_text_file(os.fspath(source), name))
    text = text.removeprefix("\ufeff")
    table = None
    if not re.search(rf"^[ \t]*{re.escape(DEFAULT)}", text, re.MULTILINE):
        from .public_files import read_public

        table = read_public(text, name)
    return table or _Reader(name).table(text)


class _Reader:
    def __init__(self, name: str) -> None:
        self.name = name
        self.line = 0
        self.text = ""
        self.rules: dict[str, tuple[Group, ...]] = {}
        self.problems: list[Problem] = []

    def table(self, text: str) -> HeadTable:
        for self.line, self.text in enumerate(text.split("\n"), 1):
            self._take_line()
        default = self.rules.pop(DEFAULT, None)
        if default is None:
            self._fail("no-default", "there is no line for *default*; add one, for instance: *default* (r)", 0)
        if all(labels for _, labels in default):
            message = f"the default may find no head; {_LAST_RESORT}"
            self.problems.append(Problem("open-default", message, file=self.name, action="write it as (l) or (r)"))
        conjunctions, skip = (self.rules.pop(name, (("l", ()),))[0][1] for name in (CONJUNCTIONS, SKIP))
        return HeadTable(self.rules, default, conjunctions=conjunctions, skip=skip, problems=self.problems)

    def _take_line(self) -> None:
        start = self._past_blanks(0)
        if start == len(self.text) or self.text[start] == "#":
            return
        position = self._word_end(start)
        category = self.text[start:position]
        if not category:
            self._fail("head-table", f"a category is missing; {_FORM}", start)
        groups = []
        while (position := self._past_blanks(position)) < len(self.text):
            if self.text[position] != "(":
                self._fail("head-table", f"here should be a group in brackets; {_FORM}", position)
            group, position = self._group(position)
            groups.append(group)
        if category in (CONJUNCTIONS, SKIP) and (len(groups) != 1 or not groups[0][1]):
            self._fail("head-table", f"{category} takes one group of labels, for instance: {category} (l CC)", start)
        if category in self.rules:
            message = f"a second rule for {visible(category)}; the first counts, as in SParseval"
            self._warn("second-rule", message, start, "left out")
        else:
            self.rules[category] = tuple(groups) or (("r", ()),)  # no group at all is (r), as in SParseval

    def _group(self, opening: int) -> tuple[Group, int]:
        """The group that opens here, and its end."""
        words = []
        position = opening + 1
        while (position := self._past_blanks(position)) < len(self.text) and self.text[position] != ")":
            end = self._word_end(position)
            if end == position:
                self._fail("head-table", "a bracket inside a group; groups do not nest", position)
            words.append((self.text[position:end], position))
            position = end
        if position >= len(self.text):
            self._fail("head-table", "this group is not closed on its line", opening)
        if not words:
            self._fail("head-table", "a group needs a direction: (l) or (r), then labels", opening)
        first, column = words[0]
        labels = [word for word, _ in words[1:]]
        if first in ("left", "right"):
            message = f"{first} is read as the direction; SParseval would read {first[0]} and the label {first[1:]}"
            self._warn("direction", message, column, f"write {first[0]}")
        elif first[0] not in _DIRECTIONS:
            message = f"a group starts with its direction, l or r, not with {visible(first)}"
            self._fail("head-table", message, column)
        elif len(first) > 1:  # (rNN) is (r NN)
            first, labels = first[0], [first[1:], *labels]
        return (_DIRECTIONS[first], tuple(labels)), position + 1

    def _past_blanks(self, position: int) -> int:
        while position < len(self.text) and self.text[position] in BLANKS:
            position += 1
        return position

    def _word_end(self, position: int) -> int:
        while position < len(self.text) and self.text[position] not in BLANKS and self.text[position] not in "()":
            position += 1
        return position

    def _warn(self, code: str, message: str, at: int, action: str) -> None:
        self.problems.append(Problem(code, message, file=self.name, line=self.line, column=at + 1, action=action))

    def _fail(self, code: str, message: str, at: int) -> NoReturn:
        raise InputError(Problem(code, message, file=self.name, line=self.line, column=at + 1))
