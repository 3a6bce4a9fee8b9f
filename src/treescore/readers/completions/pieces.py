"""The parts of a completion where a tree may be: the answer behind the reasoning, code fences, pieces of text, groups.

>>> answer("<think>Is it (S a)?</think> (S b)"), list(blocks("a\\n```\\n(S b)\\n```\\nc", "()"))
(' (S b)', [('a', False), ('(S b)', True), ('c', False)])
>>> [len(run.groups) for run in runs("(A a) (B b), (C c", 0)]
[2, 1]
"""

from __future__ import annotations

import re
from itertools import accumulate

from .folding import BLANKS
from .json_strings import json_strings
from .tree_text import depths

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
_BLANKS_AND_CLOSING = BLANKS + ")"
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

    def goes_on(self, gap: str, offset: int) -> bool:
        """Are there only blanks and surplus brackets in the text behind the last group?"""
        surplus = gap[: len(gap) - len(gap.lstrip(_BLANKS_AND_CLOSING))].rfind(")") + 1
        if surplus:
            self.surplus = True
            self.end = offset + surplus
        return not gap.strip(_BLANKS_AND_CLOSING)


def runs(piece: str, offset: int) -> list[Run]:
    """The runs of groups in a piece that begins at this offset of the text."""
    levels = depths(piece)
    closing = list(accumulate(map(len, piece.split(")"))))  # the places of closing brackets, without these brackets
    result: list[Run] = []
    run: Run | None = None
    at = bracket = 0
    while (begin := piece.find("(", at)) >= 0:
        gap = piece[at:begin]
        if run is None or not run.goes_on(gap, offset + at):
            run = Run()
            result.append(run)
        bracket += gap.count(")")
        try:
            bracket = levels.index(levels[bracket] - 1, bracket) + 1
        except ValueError:
            end, run.end = _unclosed_ends(piece, begin)
            run.groups.append(Group(offset + begin, offset + end, levels[-1] - levels[bracket] + 1))
            run.end += offset
            return result
        count = (bracket - levels[bracket - 1]) // 2
        at = closing[count - 1] + count
        run.groups.append(Group(offset + begin, offset + at))
        run.end = offset + at
    if run is not None:
        run.goes_on(piece[at:], offset + at)
    return result


def _unclosed_ends(piece: str, begin: int) -> tuple[int, int]:
    """The ends of a group that is not closed: without and with markup behind the last closing bracket of its last line.

    Its last line is the last line that has a bracket.
    """
    last_closed = piece.rfind(")", begin) + 1
    line_end = piece.find("\n", max(last_closed, piece.rfind("(")))
    line_end = len(piece[: line_end if line_end >= 0 else None].rstrip(BLANKS))
    if last_closed and not piece[last_closed:line_end].strip(_MARKUP):
        return last_closed, line_end
    return line_end, line_end
