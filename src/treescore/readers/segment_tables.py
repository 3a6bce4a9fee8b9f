"""Tables of segments or words: Whisper's tsv, whisper.cpp's csv, whisper-timestamped's csv, Audacity's labels.

>>> read_whisper_table(b"start\\tend\\ttext\\n0\\t1520\\tWhere is it?\\n", name="a.tsv")[0].end
1520.0
>>> read_audacity(b"0.100000\\t0.400000\\tso\\n", name="a.txt")[0].transcript.times
((0.1, 0.4),)
"""

from __future__ import annotations

import re

from ..helpers.text import decode
from ..words.utterance import Utterances
from .json_words import limit, span
from .lines import Lines, first_record, number
from .turns import Piece, id_of_file, utterances_of_pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .. import _core

_TABLE_HEADERS = (["start", "end", "text"], ["start", "end", "speaker", "text"])
_SPEAKER = re.compile(r"\s*\[{1,2}([^\[\]]+)\]{1,2}:?\s*")


def _cells(line: str, mark: str) -> list[str]:
    """The cells of a line; in a csv they may be in quotes, with quotes inside doubled or escaped."""
    if mark == "\t":
        return line.split("\t")
    import csv

    return next(csv.reader([line]), [])


def is_whisper_table(text: _core.Buffer) -> bool:
    """Is the first line `start`, `end` and `text`, with tabs or commas between?"""
    return _mark(first_record(text)) is not None


def _mark(line: bytes) -> str | None:
    """The mark between the columns of a header."""
    for mark in ("\t", ","):
        if [cell.strip().casefold() for cell in decode(line).split(mark)] in _TABLE_HEADERS:
            return mark
    return None


def read_whisper_table(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read segments, each as an utterance; words are one utterance."""
    lines = Lines(data, name=name, on_error=on_error)
    pieces: list[Piece] = []
    mark, has_speaker, seen = "\t", False, False
    for line in lines.all():
        if not line.strip():
            continue
        if not seen:
            seen = True
            header_mark = _mark(line)
            mark = header_mark or ("\t" if b"\t" in line else ",")
            if header_mark:
                has_speaker = b"speaker" in line.lower()
                continue
        cells = _cells(decode(line), mark)
        columns = 4 if has_speaker else 3
        if len(cells) < columns:
            lines.fault("fields", f"a line has {columns} columns: start, end and text")
            continue
        text = cells[2] if mark == "," and not has_speaker else mark.join(cells[columns - 1 :])
        pieces.append(_piece(lines, cells[0], cells[1], text, cells[2].strip() or None if has_speaker else None))
    return _utterances(lines, pieces, "whisper-tsv")


def is_words_csv(text: _core.Buffer) -> bool:
    """Does the first line have a text, and two numbers that increase?"""
    import csv

    try:
        cells = next(csv.reader([decode(first_record(text))]), [])
    except csv.Error:
        return False
    begin, end = (number(cell.strip()) for cell in cells[1:3]) if len(cells) == 3 else (None, None)
    return begin is not None and end is not None and begin <= end and number(cells[0]) is None


def read_words_csv(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read lines of text, start and end in seconds."""
    lines = Lines(data, name=name, on_error=on_error)
    pieces = []
    for line in lines.all():
        if not line.strip():
            continue
        cells = _cells(decode(line), ",")
        if len(cells) == 3:
            pieces.append(_piece(lines, cells[1], cells[2], cells[0], None))
        else:
            lines.fault("fields", "a line has text, start and end, with commas between")
    return _utterances(lines, pieces, "words-csv")


def is_audacity(text: _core.Buffer) -> bool:
    """Does the first line have two times with decimals and a label, with tabs between?"""
    cells = first_record(text).split(b"\t")
    return len(cells) in (2, 3) and all(number(cell) is not None and b"." in cell for cell in cells[:2])


def read_audacity(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read labels; labels of one word each are one utterance, and points are not words."""
    lines = Lines(data, name=name, on_error=on_error)
    pieces = []
    for line in lines.all():
        if not line.strip() or line.startswith(b"\\"):
            continue
        cells = decode(line).split("\t", 2)
        if len(cells) < 2:
            lines.fault("fields", "a line has begin, end and label, with tabs between")
            continue
        if cells[0] == cells[1]:
            continue
        text, speaker = cells[2] if len(cells) == 3 else "", None
        match = _SPEAKER.match(text)
        if match is not None:
            text, speaker = text[match.end() :], match[1]
        pieces.append(_piece(lines, cells[0], cells[1], text, speaker))
    return _utterances(lines, pieces, "audacity")


def _piece(lines: Lines, start: str, end: str, text: str, speaker: str | None) -> Piece:
    where, line = "this line", lines.number
    begin, finish = start.strip() or None, end.strip() or None
    if len(text.split()) > 1:
        limits = {"begin": limit(begin, "start", lines, line=line), "end": limit(finish, "end", lines, line=line)}
        return Piece(text, None, line=line, speaker=speaker, **limits)
    when = span(begin, finish, where, lines, line=line)
    limits = {"begin": None, "end": None} if when is None else {"begin": when[0], "end": when[1]}
    return Piece(text, when, line=line, speaker=speaker, **limits)


def _utterances(lines: Lines, pieces: Sequence[Piece], format: str) -> Utterances:
    kept = [piece for piece in pieces if piece.text.strip()]
    utterances = utterances_of_pieces(kept, id_of_file(lines.name))
    return Utterances(utterances, format=format, name=lines.name, problems=lines.problems)
