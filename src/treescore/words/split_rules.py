"""Files of rules that split words: one pattern per line, optionally with tags.

>>> for rule in read_rules(b"*+s  NNS  NN+PL  # plural\\n").rules:
...     print(rule.text, rule.tags, rule.parts)
*+s ('NNS',) ('NN', 'PL')
"""

from __future__ import annotations

import re

from ..helpers.text import decode, number_of, visible
from ..values.problem import InputError, Problem
from .splitting import Rule, Rules, can_be_written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_FORM = "a line is PATTERN [TAGS [PARTS]], for instance: *+s NNS NN+PL"
#: Special tags: any tag; the tag of the word.
_ANY, _SAME = "*", "="


def read_rules(data: bytes, name: str | None = None) -> Rules:
    """The rules of a file."""
    return _Reader(name or "<text>").rules(decode(data).removeprefix("\ufeff"))


class _Reader:
    def __init__(self, name: str) -> None:
        self.name = name
        self.line = 0

    def rules(self, text: str) -> Rules:
        rules = []
        for self.line, line in enumerate(text.split("\n"), 1):
            fields = [(match.group(), match.start()) for match in re.finditer(r"[^ \t\r]+", line)]
            for index, (field, _) in enumerate(fields):
                if field.startswith("#"):
                    del fields[index:]
                    break
            if fields:
                rules.append(self._rule(fields))
        if not rules:
            raise InputError(Problem("split-rules", f"there are no rules in it; {_FORM}", file=self.name))
        return Rules(name=self.name, rules=tuple(rules))

    def _rule(self, fields: list[tuple[str, int]]) -> Rule:
        if len(fields) > 3:
            self._fail(f"more than three columns; {_FORM}", fields[3][1])
        pattern, cuts = self._pattern(*fields[0])
        tags: tuple[str, ...] = ()
        if len(fields) > 1 and fields[1][0] != _ANY:
            tags = tuple(fields[1][0].split(","))
            if not all(tags):
                self._fail("a tag is missing; several are separated by commas, * is any", fields[1][1])
        parts: tuple[str | None, ...] | None = None
        if len(fields) > 2:
            given = fields[2][0].split("+")
            if len(given) != cuts + 1:
                wrong = f"{number_of(len(given), 'tag')} for {cuts + 1} parts"
                self._fail(f"{wrong}; one for each with + between, = is that of the word", fields[2][1])
            if not all(given):
                self._fail("the tag of a part is missing; = is that of the word", fields[2][1])
            if not all(map(can_be_written, given)):
                self._fail("a tag with a bracket in it cannot stand in a tree", fields[2][1])
            parts = tuple(None if tag == _SAME else tag for tag in given)
        return Rule(text=fields[0][0], pattern=pattern, tags=tags, parts=parts)

    def _pattern(self, field: str, begin: int) -> tuple[str, int]:
        """The pattern as a regular expression with a group for each part, and its number of cuts."""
        expression = ["("]
        cuts, has_star, is_empty = 0, False, True
        index = 0
        while index < len(field):
            character = field[index]
            if character == "+":
                if is_empty or index + 1 == len(field):
                    self._fail("nothing stands on one side of this cut; a plus sign itself is \\+", begin + index)
                expression.append(")(")
                cuts += 1
                is_empty = True
            else:
                is_empty = False
                if character == "*" and has_star:
                    self._fail("a second *, so that the rule could fit in two ways", begin + index)
                if character == "\\":
                    index += 1
                    if index == len(field):
                        self._fail("a backslash with nothing behind it", begin + index - 1)
                has_star = has_star or character == "*"
                wild = {"*": ".*", "?": "."}
                expression.append(wild.get(character) or re.escape(field[index]))
            index += 1
        if not cuts:
            self._fail(f"the pattern {visible(field)} has no +, so that nothing would be cut; {_FORM}", begin)
        return "".join([*expression, ")"]), cuts

    def _fail(self, message: str, at: int) -> NoReturn:
        raise InputError(Problem("split-rules", message, file=self.name, line=self.line, column=at + 1))
