"""SParseval's parameter file and head table, read like SParseval: as bytes, without trimming."""

from __future__ import annotations

from itertools import pairwise

from ..helpers.text import decode, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    #: Whether from the left, and the labels; without labels, any child matches.
    Group = tuple[bool, list[bytes]]

_LONGEST_LINE = 80_919  # bytes that are read at once
_BLANKS = b" \t"
_DEFAULT = b"*default*"


class HeadTableError(Exception):
    """The original's message about a head table that it cannot read."""


def lines(data: bytes) -> Iterator[bytes]:
    """The lines as SParseval reads them: up to a newline, a NUL or the byte 0xFF, and no longer than the buffer."""
    for line in data.split(b"\n"):
        for begin in range(0, max(1, len(line) + 1), _LONGEST_LINE):
            piece = line[begin : begin + _LONGEST_LINE]
            yield piece.split(b"\0", 1)[0].split(b"\xff", 1)[0]


def list_lines(data: bytes) -> list[bytes]:
    """All lines; there is no line after the last newline."""
    all_lines = list(lines(data))
    return all_lines[:-1] if not data or data.endswith(b"\n") else all_lines


class Parameters:
    """The lists of a parameter file, in the order of the file.

    >>> parameters = Parameters(b"DELETE_LABEL TOP\\nEQ_LABEL PRT ADVP\\nFILLED_PAUSE1 uh\\n")
    >>> parameters.deleted, parameters.rewritten, parameters.pauses
    ([b'TOP'], [(b'PRT', b'ADVP')], [(b'1', b'uh')])
    """

    def __init__(self, data: bytes = b"") -> None:
        self.deleted: list[bytes] = []
        self.empty: list[bytes] = []
        self.edits: list[bytes] = []
        self.closed: list[bytes] = []
        self.rewritten: list[tuple[bytes, bytes]] = []
        self.equal_words: list[tuple[bytes, bytes]] = []
        self.pauses: list[tuple[bytes, bytes]] = []
        single = {
            b"DELETE_LABEL": self.deleted,
            b"EMPTY_NODE": self.empty,
            b"EDIT_LABEL": self.edits,
            b"CLOSED_CLASS": self.closed,
        }
        double = {b"EQ_LABEL": self.rewritten, b"EQ_WORDS": self.equal_words}
        for line in list_lines(data):
            key, blank, value = line.partition(b" ")
            if blank and key in single:
                single[key].append(value)
            elif blank and key in double:
                double[key].append(_two_fields(value))
            elif line.startswith(b"FILLED_PAUSE") and len(line) >= 14:
                self.pauses.append((line[12:13], line[14:]))


def read_lists(data: bytes) -> tuple[dict[str, tuple[Any, ...]], list[str]]:
    """The lists of a parameter file by the names of the metric's options, and complaints about lines.

    Words are separated by blanks and tabs, `#` begins a comment after them, and a FILLED_PAUSE group has equal words.
    CLOSED_WORD names words of the closed class, which CLOSED_CLASS cannot.

    >>> lists, complaints = read_lists(b"DELETE_LABEL\\tTOP \\nFILLED_PAUSE1 uh\\nFILLED_PAUSE1 um\\nEQ_WORD a b")
    >>> lists["delete"], lists["equal_words"], complaints
    (('TOP',), (('uh', 'um'),), ["line 4: 'EQ_WORD' is not known"])
    """
    single = {"DELETE_LABEL": "delete", "EMPTY_NODE": "empty", "EDIT_LABEL": "edits", "CLOSED_CLASS": "closed"}
    single["CLOSED_WORD"] = "closed_words"
    double = {"EQ_LABEL": "equal", "EQ_WORDS": "equal_words"}
    lists: dict[str, list[Any]] = {name: [] for name in (*single.values(), "pauses", *double.values())}
    groups: dict[str, list[str]] = {}
    complaints = []
    for number, line in enumerate(decode(data.removeprefix(b"\xef\xbb\xbf")).splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        key, *values = words
        expected = 2 if key in double else 1
        if len(values) > expected and values[expected].startswith("#"):
            del values[expected:]
        if key in single and len(values) == 1:
            lists[single[key]].append(values[0])
        elif key in double and len(values) == 2:
            lists[double[key]].append((values[0], values[1]))
        elif key.startswith("FILLED_PAUSE") and len(values) == 1:
            groups.setdefault(key, []).append(values[0])
        elif key in single or key in double or key.startswith("FILLED_PAUSE"):
            complaints.append(
                f"line {number}: {key} takes {expected} word{'s' if expected > 1 else ''}, not {len(values)}"
            )
        else:
            complaints.append(f"line {number}: {visible(key)!r} is not known")
    for members in groups.values():
        lists["equal_words"] += pairwise(members)
    return {name: tuple(items) for name, items in lists.items()}, complaints


def _two_fields(value: bytes) -> tuple[bytes, bytes]:
    at = next((at for at, byte in enumerate(value) if byte in _BLANKS), len(value))
    return value[:at], value[at + 1 :]


class HeadLines:
    """The lines of a head table, and the groups for everything else."""

    def __init__(self, data: bytes) -> None:
        table = [_head_line(line) for line in list_lines(data)]
        at = next((at for at, (category, _) in enumerate(table) if category == _DEFAULT), None)
        #: Groups that are tried last.
        self.default: list[Group] = [] if at is None else table[at][1]
        #: Category and groups of the other lines. Without a default, the last line is never used.
        self.lines: list[tuple[bytes, list[Group]]] = table[:-1] if at is None else table[:at] + table[at + 1 :]


def _head_line(line: bytes) -> tuple[bytes, list[Group]]:
    at = 0

    def after_blanks() -> bytes:
        nonlocal at
        while at < len(line) and line[at] in _BLANKS:
            at += 1
        return line[at : at + 1]

    def field(ends: bytes) -> bytes:
        nonlocal at
        begin = at
        while at < len(line) and line[at] not in ends:
            at += 1
        return line[begin:at]

    after_blanks()
    category = field(_BLANKS)
    groups: list[Group] = []
    while character := after_blanks():
        if character != b"(":
            raise HeadTableError("misparse head file\n")
        at += 1
        direction = after_blanks()
        at += 1
        labels = []
        while (character := after_blanks()) != b")":
            if not character:
                raise HeadTableError("headfile misparse\n")
            labels.append(field(_BLANKS + b")"))
        at += 1
        groups.append((direction == b"l", labels))
    return category, groups or [(False, [])]
