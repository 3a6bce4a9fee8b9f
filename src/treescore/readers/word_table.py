"""A table of words: a word per line with its utterance, start and end, separated by tabs.

>>> table = read_word_table(b"word\\tid\\tstart\\tend\\nso\\tu1\\t0.1\\t0.4\\nuh\\tu1\\t\\t\\n")
>>> table[0].id, table[0].transcript.words, table[0].transcript.times
('u1', ('so', 'uh'), ((0.1, 0.4), None))
"""

from __future__ import annotations

from .. import _core
from ..helpers.text import decode, visible
from ..values.problem import InputError, Problem
from ..words.timeline import NO_TIME
from ..words.utterance import Utterances
from .lines import Lines, first_record, not_seconds, number
from .turns import id_of_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: The columns of a table without a header, and all columns that a header may name.
PLAIN = ("id", "word", "start", "end")
COLUMNS = (*PLAIN, "speaker", "file", "channel")


def header(line: bytes) -> list[str] | None:
    """The names of the columns if the line is a header.

    >>> header(b"Word\\tstart\\tend"), header(b"u1\\tword\\t0.1\\t0.2")
    (['word', 'start', 'end'], None)
    """
    names = [decode(cell).strip().casefold() for cell in line.split(b"\t")]
    return names if {"word", "start", "end"} <= set(names) else None


def is_word_table(text: _core.Buffer) -> bool:
    """Is the first line a header, or does it have as many cells as a table without a header?"""
    line = first_record(text)
    cells = line.count(b"\t") + 1
    return cells >= 3 and (header(line) is not None or (cells == len(PLAIN) and len(line.split()) < 5))


def read_word_table(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read words; lines with the same id (or without ids, the same file, channel and speaker) are one utterance."""
    lines = Lines(data, name=name, on_error=on_error)
    first, start, end = _first_line(lines.data)
    names = header(lines.data[start:end].removesuffix(b"\r"))
    if names is not None and len(set(names)) < len(names):
        raise InputError(Problem("fields", "two columns have the same name", file=name, line=first))
    if names is not None:
        first, start = first + 1, end + 1
    text = lines.data[start:]
    names = names or list(PLAIN)
    places = {column: names.index(column) for column in COLUMNS if column in names}
    facts = [places[fact] for fact in ("id", *COLUMNS[4:]) if fact in places]
    columns, faults = _core.read_word_table(
        text,
        first,
        len(names),
        (places["word"], places["start"], places["end"]),
        tuple(places.get(fact, -1) for fact in ("id", *COLUMNS[4:])),  # type: ignore[arg-type]  # four
        facts[:1] if "id" in places else facts,
    )
    for kind, at, begin, end, count in faults:
        lines.number = at
        if kind == _core.LineFaultKind.FIELDS:
            described = f"{len(names)} columns with tabs between ({', '.join(map(visible, names))})"
            lines.fault("fields", f"a line has {described}, not {count}")
        else:
            _report_time(text[begin:end].split(b"\t"), (places["start"], places["end"]), lines)
    if "id" not in places:
        for utterance in range(len(columns)):
            columns.set_names(utterance, id_of_file(name), columns.names(utterance)[1])
    items = [(columns, utterance) for utterance in range(len(columns))]
    return Utterances(items, format="tsv", name=name, problems=lines.problems)


def _first_line(data: bytes) -> tuple[int, int, int]:
    """The number, start and end of the first line that is not blank."""
    start, number = 0, 1
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        if data[start:end].strip():
            return number, start, end
        start, number = end + 1, number + 1
    return number, len(data), len(data)


def _report_time(cells: Sequence[bytes], places: tuple[int, int], lines: Lines) -> None:
    wrong = places[0] if number(cells[places[0]]) is None else places[1]
    column = sum(len(decode(cell)) + 1 for cell in cells[:wrong]) + 1
    lines.fault("time", not_seconds(cells[wrong]), column, action=NO_TIME)
