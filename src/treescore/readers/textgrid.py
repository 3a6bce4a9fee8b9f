"""Praat's TextGrid: tiers of labelled intervals, long, short or chronological.

Only free-standing numbers, "strings" and <flags> count; everything else is a comment, so that one reader reads the long
and the short form.

>>> text = b'File type = "ooTextFile"\\nObject class = "TextGrid"\\n0 1 <exists> 1 "IntervalTier" "words" 0 1 2 '
>>> (utterance,) = read_textgrid(text + b'0 0.4 "so" 0.4 1 ""', name="u1.TextGrid")
>>> utterance.id, utterance.transcript.words, utterance.transcript.times, utterance.end
('u1', ('so',), ((0.0, 0.4),), 1.0)
"""

from __future__ import annotations

import re

from ..helpers.binary import ENOUGH, check_text
from ..helpers.text import visible
from ..values.problem import InputError, Problem
from ..words.timeline import LONGEST
from ..words.utterance import Utterances
from .lines import Faults
from .tiers import choose_tiers, tier_utterances
from .turns import id_of_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core
    from ..words.transcript import Times

# No alternative matches a text in two ways; otherwise a long run of digits would be tried again from each digit.
_TOKEN = re.compile(
    r"""(?P<string>"[^"]*(?:""[^"]*)*"?)
    |(?P<number>[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?!\S)
    |(?P<flag><[^<>\s"]*>)
    |![^\n]*
    |[^\s"]+""",
    re.VERBOSE,
)
_CHRONOLOGICAL = "Praat chronological TextGrid text file"
_KINDS = {"string": "a text in quotes", "number": "a number", "flag": "<exists> or <absent>"}
INTERVALS, POINTS = "IntervalTier", "TextTier"


class _Tier:
    """A tier; the items of tiers of points are not kept, because points are not words."""

    def __init__(self, kind: str, name: str) -> None:
        self.kind, self.name = kind, name
        self.items: list[tuple[str, Times, int | None]] = []  # label, begin and end, line


def is_textgrid(text: _core.Buffer) -> bool:
    """Is this a TextGrid, or UTF-16, which no other format of word times uses?"""
    start = bytes(text[:8]).removeprefix(b"\xef\xbb\xbf")
    return start.startswith((b"\xff\xfe", b"\xfe\xff")) or is_signed(text)


def is_signed(text: _core.Buffer) -> bool:
    """Does the file begin with a mark of Praat?"""
    start = bytes(text[:4096]).removeprefix(b"\xef\xbb\xbf").lstrip()[:200]
    marks = (b"ooTextFile", b"Praat chronological", b"o\0o\0T\0e\0x\0t", b"P\0r\0a\0a\0t\0 \0c\0h\0r")
    return start.startswith(b"ooBinaryFile") or any(mark in start for mark in marks)


def read_textgrid(
    data: _core.Buffer, *, name: str | None = None, on_error: str = "raise", tier: str | None = None
) -> Utterances:
    """Read the words of a tier, or of the tiers of several speakers; each tier becomes an utterance."""
    faults = Faults(name=name, on_error=on_error)
    grid = _Grid(_text(bytes(data), faults), faults)
    grid.read()
    tiers = [it for it in grid.tiers if it.kind == INTERVALS]
    points = [it.name for it in grid.tiers if it.kind == POINTS]
    chosen, guesses = choose_tiers([it.name for it in tiers], tier, points=points, file=name)
    speakers = [(tiers[place].name, speaker, tiers[place].items) for place, speaker in chosen]
    utterances, notes = tier_utterances(
        speakers, id_of_file(name), named_after_speakers=True, begin=grid.begin, end=grid.end
    )
    return Utterances(utterances, format="textgrid", name=name, problems=faults.problems, notes=[*guesses, *notes])


def _text(data: bytes, faults: Faults) -> str:
    """The text of a file in one of the encodings that Praat uses or used."""
    check_text(data[:ENOUGH], faults.name)
    encoding = "utf-8-sig"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif b"\0" in data[:4]:
        encoding = "utf-16-be" if data[:1] == b"\0" else "utf-16-le"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as problem:
        line = data[: problem.start].count(b"\n") + 1
        if encoding != "utf-8-sig":
            message = f"this is not valid UTF-16 text (byte {problem.start + 1:,}); was the file cut short?"
            raise InputError(Problem("encoding", message, file=faults.name, line=line)) from None
        # The bytes from 0x80 to 0x9f are letters in MacRoman and control characters in Latin-1.
        encoding = "mac-roman" if re.search(rb"[\x80-\x9f]", data) else "latin-1"
        encoding_name = {"mac-roman": "MacRoman", "latin-1": "Latin-1"}[encoding]
        message = "this is not UTF-8 text; save it as UTF-8 (in Praat: Text writing preferences)"
        faults.fault("encoding", message, line=line, action=f"read as {encoding_name}")
        text = data.decode(encoding)
    return text.replace("\r\n", "\n").replace("\r", "\n")


class _End(Exception):
    """The end of the readable part of a file."""


class _Grid:
    """Reads tiers token by token."""

    def __init__(self, text: str, faults: Faults) -> None:
        self.tiers: list[_Tier] = []
        self.begin: float | None = None
        self.end: float | None = None
        self._faults, self._text = faults, text
        self._tokens = _TOKEN.finditer(text)
        self._line, self._at = 1, 0

    def read(self) -> None:
        """Read all tiers, up to the first fault."""
        try:
            if self._head():
                self._chronological()
            else:
                self._by_tier()
        except _End:
            pass

    def _head(self) -> bool:
        """Read the header. Is the file chronological, with the labels of all tiers sorted by time?"""
        strings = (token[0].strip('"') for token in self._tokens if token.lastgroup == "string")
        kind = next(strings, "")
        if kind == _CHRONOLOGICAL:
            return True
        object_class = next(strings, "")
        if not kind.startswith("ooTextFile") or not object_class.startswith("TextGrid"):
            other = f"; it is a {visible(object_class)}" if kind.startswith("ooTextFile") and object_class else ""
            message = f'this is not a TextGrid, which begins with File type = "ooTextFile" and its class{other}'
            raise InputError(Problem("format", message, file=self._faults.name, line=1))
        return False

    def _by_tier(self) -> None:
        self.begin, self.end = self._number(), self._number()
        if self._next("flag") == "<absent>":
            return
        for _ in range(self._size()):
            tier = self._tier()
            for _ in range(self._size()):
                self._item(tier)

    def _chronological(self) -> None:
        self.begin, self.end = self._number(), self._number()
        for _ in range(self._size()):
            self._tier()
        while True:
            number = self._number(last=True)
            if not (1 <= number <= len(self.tiers) and number.is_integer()):
                raise self._broken(f"there is no tier {number:.9g}; there are {len(self.tiers)}")
            self._item(self.tiers[int(number) - 1])

    def _tier(self) -> _Tier:
        kind = self._next("string")
        if kind not in (INTERVALS, POINTS):
            raise self._broken(f"a tier is an {INTERVALS} or a {POINTS}, not {visible(kind)!r}")
        tier = _Tier(kind, self._next("string"))
        self._number()
        self._number()
        self.tiers.append(tier)
        return tier

    def _item(self, tier: _Tier) -> None:
        begin = self._number()
        end = self._number() if tier.kind == INTERVALS else begin
        label = self._next("string")
        if tier.kind == INTERVALS:
            tier.items.append((label, (begin, end), self._line))

    def _size(self) -> int:
        number = self._number()
        if not (0 <= number < LONGEST and number.is_integer()):
            raise self._broken(f"{number:.9g} cannot be the number of tiers or labels")
        return int(number)

    def _number(self, *, last: bool = False) -> float:
        return float(self._next("number", last=last))

    def _next(self, wanted: str, *, last: bool = False) -> str:
        """The next token, which must be of this kind; with `last`, the file may end instead."""
        for token in self._tokens:
            kind, text = token.lastgroup, token[0]
            if kind is None:
                continue
            start = token.start()
            self._line += self._text.count("\n", self._at, start)
            self._at = start
            if kind != wanted:
                raise self._broken(f"{_KINDS[wanted]} is expected here, not {_KINDS[kind]}, {visible(text[:40])}")
            if kind == "string":
                if text.count('"') % 2:
                    raise self._broken("this text in quotes is never closed")
                return text[1:-1].replace('""', '"')
            return text
        if last:
            raise _End
        self._line += self._text.count("\n", self._at)
        self._at = len(self._text)
        raise self._broken(f"the file ends where {_KINDS[wanted]} is expected; was it cut short?")

    def _broken(self, message: str) -> _End:
        column = self._at - self._text.rfind("\n", 0, self._at)
        self._faults.fault("broken", message, column, line=self._line, action="only what comes before is read")
        return _End()
