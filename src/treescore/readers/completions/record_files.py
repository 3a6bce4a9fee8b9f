"""Files of completions: JSON lines, or text with a completion per line, per block, or between marks.

>>> [record.text for record in records_of_text("(S a)\\n\\n(S b)", Source("x"), TextOptions(), expected=2)]
['(S a)', '(S b)']
>>> is_completions(b'{"id": "s1", "completion": "(S a)"}'), is_completions(b"<think>so</think>\\n(S a)")
(True, True)
>>> is_completions(b'{"id": "s1", "tree": "(S a)"}'), is_completions(b"(S a)")
(False, False)
"""

from __future__ import annotations

import re

from ...helpers.text import decode, encode
from ...trees import Source
from ...values.problem import InputError, Problem, UnequalTreebanks, UsageError
from ...values.value import Value
from ..json_words import load
from .folding import BLANKS
from .records import Record, has_completion, record_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ... import _core

#: Layouts of text: a completion per line, or blocks separated by blank lines; "auto" finds it out by the number.
LAYOUTS = ("auto", "line", "block")
_START = 1 << 20
_JSON_START = re.compile(rf"[{BLANKS}]*(?:\[[{BLANKS}]*)?(?=\{{)")
_BLANK_LINES = re.compile(rf"\n[{BLANKS}]*\n")
#: How text of completions begins that is no other format.
_STARTS = re.compile(
    rb"[\s\xef\xbb\xbf]*(?:<(?:think|thinking|reasoning|answer)>|```|~~~"
    rb"|(?:>|[-*+]|\xe2\x80\xa2|[0-9]{1,9}[.)])[ \t]+[*_`]*\(|[*_`]+\()",
    re.IGNORECASE,
)


class TextOptions(Value):
    """How completions are found in a file: the field of JSON, the layout, or the line between two completions."""

    field: str | None = None
    layout: str = "auto"
    separator: str | None = None


def is_completions(text: _core.Buffer) -> bool:
    """Is a text JSON lines of completions, or text that begins as only completions do?"""
    start = bytes(text[:_START])
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        return _are_records(decode(start).removeprefix("\ufeff"), None)
    return _STARTS.match(start) is not None


def is_message(item: object) -> bool:
    """Is it an object or a list of messages with a completion, and not a tree?

    >>> is_message([{"role": "assistant", "content": "(S a)"}]), is_message({"tree": "(S a)"}), is_message(["(S a)"])
    (True, False, False)
    """
    return _is_record(item[-1] if isinstance(item, list | tuple) and item else item, None)


def are_meant(text: _core.Buffer, options: Mapping[str, Any]) -> bool:
    """Is a text completions, because options of reading them fit it?

    >>> are_meant(b"(S a)\\n---\\n(S b)\\n", {"separator": "---"}), are_meant(b"(S a)", {"field": "answer"})
    (True, False)
    """
    if options.get("separator") is not None:
        return options["separator"] in decode(bytes(text)).replace("\r\n", "\n").split("\n")
    if options.get("field") is not None:
        return bytes(text[:_START]).lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"["))
    return options.get("layout") == "block"


def records_of_text(text: str, source: Source, options: TextOptions, expected: int | None) -> list[Record]:
    """The records of a text for as many sentences as expected, if that is known."""
    text = text.removeprefix("\ufeff")
    if options.layout == "auto" and options.separator is None:
        records = _json_records(text, source, options.field)
        if records is not None:
            return records
    if options.field is not None:
        raise UsageError(f"the field {options.field!r} needs JSON lines, and {source.name} is other text")
    text = text.replace("\r\n", "\n")
    if options.separator is not None:
        return [Record(part) for part in _between_marks(text, options.separator, expected)]
    if options.layout == "auto" and expected == 1:
        return [Record(text)]
    return _in_layout(text, source, options.layout, expected)


def _in_layout(text: str, source: Source, layout: str, expected: int | None) -> list[Record]:
    lines = text.removesuffix("\n").split("\n") if text else []
    blocks = [block for block in _BLANK_LINES.split(text) if block.strip(BLANKS)]
    if layout == "line" or (layout == "auto" and len(lines) == expected):
        return [Record(line, line=number) for number, line in enumerate(lines, 1)]
    if layout == "block" or len(blocks) == expected:
        return [Record(block) for block in blocks]
    if expected is None:
        raise InputError(Problem("no-words", NO_WORDS, file=source.name))
    message = (
        f"{len(lines):,} lines and {len(blocks):,} blocks of text do not fit {expected:,} sentences; choose the layout "
        "line or block (--layout), name the line between two completions (--separator), or use JSON lines"
    )
    raise UnequalTreebanks(Problem("unequal", message, file=source.name))


NO_WORDS = (
    "the words of the sentences are unknown: completions are read next to gold trees (treescore GOLD TEST --trees FILE "
    "also writes their trees; in Python read_completions), or JSON lines have the field sentence"
)


def _between_marks(text: str, mark: str, expected: int | None) -> list[str]:
    parts: list[list[str]] = [[]]
    for line in text.removesuffix("\n").split("\n"):
        if line == mark:
            parts.append([])
        else:
            parts[-1].append(line)
    texts = ["\n".join(part) for part in parts]
    for edge in (-1, 0):  # a mark may be at the end or at the beginning, too
        if texts and not texts[edge].strip(BLANKS) and (expected is None or len(texts) > expected):
            del texts[edge]
    return texts


def _json_records(text: str, source: Source, field: str | None) -> list[Record] | None:
    """The records of JSON lines, or of one list or object; None if this is other text."""
    if not _are_records(text, field):
        return None
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip(BLANKS)]
    if _is_one_value(text):
        whole = load(encode(text), name=source.name)
        return [_record(item, source, field, None) for item in (whole if isinstance(whole, list) else [whole])]
    values = ((load(encode(line), name=source.name, line=number), number) for number, line in lines)
    return [_record(value, source, field, number) for value, number in values]


def _are_records(text: str, field: str | None) -> bool:
    """Is the text JSON with completions? The second line shows it, too, because the first may be damaged."""
    text = text.lstrip(BLANKS)
    second = text.partition("\n")[2] if text.startswith("{") else ""
    return any(_is_record(_first_object(part), field) for part in (text, second))


def _is_one_value(text: str) -> bool:
    """Is JSON one list of objects, or an object over several lines, not a value on each line?"""
    first = text.lstrip(BLANKS).partition("\n")[0]
    item = _first_object(first)
    is_message = isinstance(item, dict) and "role" in item  # a list of messages is one completion
    return item is None if first.startswith("{") else not is_message


def _record(item: Any, source: Source, field: str | None, line: int | None) -> Record:
    try:
        return record_of(item, field, line)
    except UsageError as problem:
        raise InputError(Problem("json", str(problem), file=source.name, line=line)) from None


def _first_object(text: str) -> Any:
    """The first value of JSON lines, or the first item of a list; None if there is none."""
    from json import JSONDecoder

    begin = _JSON_START.match(text)
    try:
        return JSONDecoder().raw_decode(text, begin.end())[0] if begin else None
    except (ValueError, RecursionError):
        return None


def _is_record(item: object, field: str | None) -> bool:
    """Is it an object with a completion, and not one with a tree?"""
    if not isinstance(item, dict):
        return False
    return field is not None or ("tree" not in item and "trees" not in item and has_completion(item))
