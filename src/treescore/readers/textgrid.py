"""Praat's TextGrid: tiers of labelled intervals, long, short or chronological.

Only free-standing numbers, "strings" and <flags> count; everything else is a comment, so that one reader reads the long
and the short form.

>>> text = b'File type = "ooTextFile"\\nObject class = "TextGrid"\\n0 1 <exists> 1 "IntervalTier" "words" 0 1 2 '
>>> (utterance,) = read_textgrid(text + b'0 0.4 "so" 0.4 1 ""', name="u1.TextGrid")
>>> utterance.id, utterance.transcript.words, utterance.transcript.times, utterance.end
('u1', ('so',), ((0.0, 0.4),), 1.0)
"""

from __future__ import annotations

import codecs
import re

from .. import _core
from ..helpers.binary import ENOUGH, check_text
from ..helpers.text import decode, visible
from ..values.problem import InputError, Problem
from ..words.timeline import TIER_MARKS
from ..words.utterance import Utterances
from .lines import Faults
from .tiers import choose_tiers, tier_utterances
from .turns import id_of_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..words.transcript import Times
    from ..words.utterance import InColumns

_CHRONOLOGICAL = "Praat chronological TextGrid text file"
_SHOWN = 40  # characters of a token in a message


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
    text = _text(bytes(data), faults)
    grid = _core.TextGrid(text)
    kind, object_class = map(decode, grid.head())
    if kind != _CHRONOLOGICAL and not (kind.startswith("ooTextFile") and object_class.startswith("TextGrid")):
        other = f"; it is a {visible(object_class)}" if kind.startswith("ooTextFile") and object_class else ""
        message = f'this is not a TextGrid, which begins with File type = "ooTextFile" and its class{other}'
        raise InputError(Problem("format", message, file=name, line=1))
    grid.read(kind == _CHRONOLOGICAL)
    _report(grid, text, faults)
    tiers = [(number, decode(title)) for number, (has_words, title) in enumerate(grid.tiers()) if has_words]
    points = [decode(title) for has_words, title in grid.tiers() if not has_words]
    chosen, guesses = choose_tiers([title for _, title in tiers], tier, points=points, file=name)
    words = grid.texts()
    kept = bytes(word.casefold() not in TIER_MARKS for word in words)
    labels = [(tiers[place][1], speaker, _GridLabels(grid, tiers[place][0], words, kept)) for place, speaker in chosen]
    begin, end = grid.limits()
    utterances, notes = tier_utterances(labels, id_of_file(name), named_after_speakers=True, begin=begin, end=end)
    return Utterances(utterances, format="textgrid", name=name, problems=faults.problems, notes=[*guesses, *notes])


class _GridLabels:
    """The labels of a tier, in native columns."""

    def __init__(self, grid: _core.TextGrid, tier: int, words: list[str], kept: bytes) -> None:
        self._grid, self._tier, self._words, self._kept = grid, tier, words, kept

    def are_utterances(self) -> bool:
        """Does the median label have two words or more?"""
        return self._grid.are_utterances(self._tier, self._kept)

    def spoken(self) -> list[tuple[list[str], Times, int | None]]:
        """The words of each label without marks of silence, its time and line."""
        words, kept = self._words, self._kept
        return [
            ([words[word] for word in label if kept[word]], when, line)
            for label, when, line in self._grid.labels(self._tier)
        ]

    def utterance(
        self, id: str | None, speaker: str | None, begin: float | None, end: float | None
    ) -> tuple[InColumns, bool]:
        """All words as an utterance; and has any label several words?"""
        columns = _core.WordColumns()
        are_shared = self._grid.append(self._tier, self._kept, columns)
        columns.set_names(0, id, speaker)
        columns.set_limits(0, begin, end)
        return (columns, 0), are_shared


def _text(data: bytes, faults: Faults) -> bytes:
    """The text, as UTF-8, of a file in one of the encodings that Praat uses or used."""
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
    data = data.removeprefix(codecs.BOM_UTF8) if encoding == "utf-8-sig" else text.encode()
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def _report(grid: _core.TextGrid, text: bytes, faults: Faults) -> None:
    """Report the fault at which reading ended, if there is one."""
    fault = grid.fault()
    if fault is None:
        return
    kind, at, number, wanted, actual, shown = fault
    kinds, of_kind = _core.GridFaultKind, _core.GridToken
    names = {of_kind.STRING: "a text in quotes", of_kind.NUMBER: "a number", of_kind.FLAG: "<exists> or <absent>"}
    if kind == kinds.NO_TIER:
        message = f"there is no tier {number:.9g}; there are {len(grid.tiers())}"
    elif kind == kinds.TIER_KIND:
        message = f"a tier is an IntervalTier or a TextTier, not {visible(decode(shown))!r}"
    elif kind == kinds.NO_SIZE:
        message = f"{number:.9g} cannot be the number of tiers or labels"
    elif kind == kinds.UNEXPECTED:
        token = visible(shown.decode("utf-8", "ignore")[:_SHOWN])
        message = f"{names[wanted]} is expected here, not {names[actual]}, {token}"
    elif kind == kinds.UNCLOSED:
        message = "this text in quotes is never closed"
    else:
        message = f"the file ends where {names[wanted]} is expected; was it cut short?"
    line = text.count(b"\n", 0, at) + 1
    column = len(decode(text[text.rfind(b"\n", 0, at) + 1 : at])) + 1
    faults.fault("broken", message, column, line=line, action="only what comes before is read")
