"""A table of words: a word per line with its utterance, start and end, separated by tabs.

>>> table = read_word_table(b"word\\tid\\tstart\\tend\\nso\\tu1\\t0.1\\t0.4\\nuh\\tu1\\t\\t\\n")
>>> table[0].id, table[0].transcript.words, table[0].transcript.times
('u1', ('so', 'uh'), ((0.1, 0.4), None))
"""

from __future__ import annotations

from functools import cache

from ..helpers.text import decode, visible
from ..values.problem import InputError, Problem
from ..words.timeline import NO_TIME
from ..words.utterance import Utterances
from .lines import Lines, first_record, not_seconds, number, numbers
from .timed_words import TimedWords
from .turns import id_of_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core

#: The columns of a table without a header, and all columns that a header may name.
PLAIN = ("id", "word", "start", "end")
COLUMNS = (*PLAIN, "speaker", "file", "channel")
#: Placeholders for an unknown time.
_UNKNOWN = frozenset((b"", b"-", b"na", b"n/a", b"none", b"null"))


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
    words_of: dict[bytes, TimedWords] = {}
    facts_of: dict[bytes, dict[str, str | None]] = {}
    word_text = cache(lambda cell: decode(cell.strip()))  # most words occur many times
    names: list[str] | None = None
    for line in lines.all():
        if not line or line.isspace():
            continue
        cells = line.split(b"\t")
        if names is None:
            names = header(line)
            if names is not None and len(set(names)) < len(names):
                raise InputError(Problem("fields", "two columns have the same name", file=name, line=lines.number))
            has_header, names = names is not None, names or list(PLAIN)
            word_at, start_at, end_at = (names.index(column) for column in ("word", "start", "end"))
            facts = {fact: names.index(fact) for fact in COLUMNS if fact in names and fact not in PLAIN[1:]}
            keys = [facts["id"]] if "id" in facts else list(facts.values())
            if has_header:
                continue
        if len(cells) != len(names):
            columns = f"{len(names)} columns with tabs between ({', '.join(map(visible, names))})"
            lines.fault("fields", f"a line has {columns}, not {len(cells)}")
            continue
        key = cells[keys[0]] if len(keys) == 1 else b"\t".join([cells[place] for place in keys])
        words = words_of.get(key)
        if words is None:
            words = words_of[key] = TimedWords(lines.number)
            facts_of[key] = {fact: decode(cells[place]) or None for fact, place in facts.items()}
        begin, end = cells[start_at], cells[end_at]
        when = numbers(begin, end)
        if when is None and not (_is_unknown(begin) and _is_unknown(end)):
            wrong = start_at if number(begin) is None else end_at
            column = sum(len(decode(cell)) + 1 for cell in cells[:wrong]) + 1
            lines.fault("time", not_seconds(cells[wrong]), column, action=NO_TIME)
        if word := word_text(cells[word_at]):
            words.add(word, when, lines.number)
    file_id = id_of_file(name)
    utterances = [words.utterance(**{"id": file_id, **facts_of[key]}) for key, words in words_of.items()]
    return Utterances(utterances, format="tsv", name=name, problems=lines.problems)


def _is_unknown(cell: bytes) -> bool:
    return cell.strip().lower() in _UNKNOWN
