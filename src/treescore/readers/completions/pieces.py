"""The parts of a completion where a tree may be: the answer behind the reasoning, code fences, pieces of text, groups.

>>> answer("<think>Is it (S a)?</think> (S b)"), list(blocks("a\\n```\\n(S b)\\n```\\nc", "()"))
(' (S b)', [('a', False), ('(S b)', True), ('c', False)])
>>> [len(run.groups) for run in runs("(A a) (B b), (C c", 0)]
[2, 1]
"""

from __future__ import annotations

import re

from .folding import BLANKS
from .json_strings import json_strings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_REASONING_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE | re.ASCII)
_REASONING = re.compile(r"<(?:think|thinking|reasoning)>", re.IGNORECASE | re.ASCII)
_QUOTATION_MARKS = re.compile(r"^[ \t]*>[> \t]*", re.MULTILINE)
#: The lookaheads prevent attempts with fewer marks, which would take quadratic time.
_FENCE = re.compile(r"[ \t]*(`{3,}(?!`)|~{3,}(?!~))([^`]*)")
#: A line break before a blank line, or before an item of a list that begins with a bracket.
_PIECE_END = re.compile(r"\n(?=[ \t\v\f\r]*\n|[ \t]*(?:[-*+•]|[0-9]{1,9}[.)])[ \t]+[*_`]*\()")
_MARKUP = "*_`\"'}]" + BLANKS


def answer(text: str) -> str:
    """A completion without the reasoning of the model."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if "<" not in text:
        return text
    end = 0
    for match in _REASONING_END.finditer(text):
        end = match.end()
    unfinished = _REASONING.search(text, end)
    return text[end : unfinished.start() if unfinished else None]


def blocks(text: str, brackets: str) -> Iterator[tuple[str, bool]]:
    """The texts inside and between code fences, and whether they are inside. The marks of quotations are left out.

    JSON in a fence is replaced by its strings, if round brackets are read.
    """
    if ">" in text:
        text = _QUOTATION_MARKS.sub("", text)
    for content, is_fenced in _cut_at_fences(text, brackets):
        strings = json_strings(content) if is_fenced else None
        if strings is None:
            yield content, is_fenced
        elif brackets == "()":
            for string in strings:
                yield from _cut_at_fences(string, brackets)


def _cut_at_fences(text: str, brackets: str) -> Iterator[tuple[str, bool]]:
    if "```" not in text and "~~~" not in text:
        yield text, False
        return
    fence = ""
    lines: list[str] = []
    for line in text.split("\n"):
        marks, information = _fence(line, brackets)
        if marks and not fence:
            yield "\n".join(lines), False
            fence, lines = marks, []
        elif fence and marks.startswith(fence) and not information.strip(BLANKS):
            yield "\n".join(lines), True
            fence, lines = "", []
        else:
            lines.append(line)
    yield "\n".join(lines), bool(fence)


def _fence(line: str, brackets: str) -> tuple[str, str]:
    """The marks of a fence and its information; no marks if the line is not a fence."""
    match = _FENCE.fullmatch(line)
    if match is None or any(bracket in match[2] for bracket in brackets):
        return "", ""
    return match[1], match[2]


def pieces(text: str) -> Iterable[tuple[str, int]]:
    """The pieces of a text that have a bracket, and where each begins."""
    begin = 0
    for match in _PIECE_END.finditer(text) if "\n" in text else ():
        if text.find("(", begin, match.start()) >= 0:
            yield text[begin : match.start()], begin
        begin = match.end()
    if text.find("(", begin) >= 0:
        yield text[begin:], begin


class Group:
    """A bracket outside any other, up to the bracket that closes it; `missing` brackets are not closed."""

    __slots__ = ("begin", "end", "missing")

    def __init__(self, begin: int, end: int, missing: int = 0) -> None:
        self.begin, self.end, self.missing = begin, end, missing


class Run:
    """Groups with only blanks between them. `surplus`: is there a closing bracket that closes nothing?"""

    __slots__ = ("end", "groups", "surplus")

    def __init__(self) -> None:
        self.groups: list[Group] = []
        self.surplus = False
        self.end = 0


class _Runs:
    """The runs of a piece, read up to one closing bracket after the other."""

    __slots__ = ("at", "begin", "depth", "offset", "run", "runs")

    def __init__(self, offset: int) -> None:
        self.runs: list[Run] = []
        self.run: Run | None = None
        self.offset = offset
        self.at = self.begin = self.depth = 0

    def open_brackets(self, part: str) -> None:
        """Read text without closing brackets."""
        if not self.depth:
            gap = part.partition("(")[0]
            self.begin = self.at + len(gap)
            if gap.strip(BLANKS):
                self.run = None
        self.depth += part.count("(")
        self.at += len(part)

    def close_bracket(self) -> None:
        """Read a closing bracket."""
        self.at += 1
        if self.depth == 1:
            self.add_group(self.at)
        elif not self.depth and self.run:
            self.run.surplus = True
            self.run.end = self.offset + self.at
        self.depth -= self.depth > 0

    def add_group(self, end: int, missing: int = 0) -> None:
        """Add the group that ends here to its run."""
        if self.run is None:
            self.run = Run()
            self.runs.append(self.run)
        self.run.groups.append(Group(self.offset + self.begin, self.offset + end, missing))
        self.run.end = self.offset + end


def runs(piece: str, offset: int) -> list[Run]:
    """The runs of groups in a piece that begins at this offset of the text."""
    reading = _Runs(offset)
    *parts, rest = piece.split(")")
    for part in parts:
        reading.open_brackets(part)
        reading.close_bracket()
    reading.open_brackets(rest)
    if reading.depth:
        _add_unclosed(reading, piece)
    return reading.runs


def _add_unclosed(reading: _Runs, piece: str) -> None:
    """Add a group that is not closed: up to the last line with a bracket, without markup behind the last bracket."""
    last_closed = piece.rfind(")", reading.begin) + 1
    last = max(last_closed, piece.rfind("("))
    line_end = piece.find("\n", last)
    end = line_end = len(piece) if line_end < 0 else line_end
    if last_closed and not piece[last_closed:line_end].strip(_MARKUP):
        end = last_closed
    reading.add_group(end, reading.depth)
    reading.runs[-1].end = reading.offset + len(piece[:line_end].rstrip(BLANKS))
