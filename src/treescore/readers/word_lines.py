"""The JSON lines of treescore: an utterance per line, with words and times.

>>> read_word_lines(b'{"id": "u1", "words": [["so", 0.1, 0.4], {"word": "uh"}, "no"]}')[0].transcript.times
((0.1, 0.4), None, None)
"""

from __future__ import annotations

from .. import _core
from ..values.problem import InputError
from ..words.utterance import Utterances
from .json_words import as_name, first_object, limit, load, span
from .lines import LEFT_OUT, Lines
from .timed_words import TimedWords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..words.utterance import InColumns, Utterance

_EXAMPLE = '{"id": "u1", "words": [["so", 0.1, 0.4]]}'


def is_word_line(value: Any) -> bool:
    """Is this an object with words and an id, with plain words, or with a tree?"""
    if not isinstance(value, dict) or {"seek", "tokens"} & value.keys():
        return False
    words = value.get("words")
    if not isinstance(words, list):
        return "tree" in value and not isinstance(words, dict)
    return "id" in value or not first_object(words)


def read_word_lines(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read utterances; words are lists [word, start, end], objects with these keys (or text for word), or strings."""
    lines = Lines(data, name=name, on_error=on_error)
    columns, others = _core.read_word_lines(lines.data)
    utterances: list[Utterance | InColumns] = []
    plain = 0  # number of utterances in the columns
    for _, number, begin, end, before in others:
        utterances += [(columns, utterance) for utterance in range(plain, before)]
        plain = before
        lines.number = number
        utterances += _read_line(lines.data[begin:end], lines)
    utterances += [(columns, utterance) for utterance in range(plain, len(columns))]
    return Utterances(utterances, format="jsonl", name=name, problems=lines.problems)


def _read_line(line: bytes, lines: Lines) -> list[Utterance]:
    """The utterance of a line that is not plain; none if it is no utterance."""
    try:
        record = load(line, name=lines.name, line=lines.number)
    except InputError as error:
        lines.note(error.problem.replace(action=LEFT_OUT))
        return []
    if isinstance(record, dict) and "tree" in record and "words" not in record:
        record["words"] = []  # a tree without words beside it
    if not isinstance(record, dict) or not isinstance(record.get("words"), list):
        lines.fault("json", f"a line is an object with words, such as {_EXAMPLE}")
        return []
    words = TimedWords(lines.number)
    for number, item in enumerate(record["words"], 1):
        _add(words, item, f"word {number}", lines)
    limits = {fact: limit(record.get(fact), fact, lines, line=lines.number) for fact in ("begin", "end")}
    facts = {fact: as_name(record.get(fact)) for fact in ("id", "speaker", "file", "channel")}
    return [words.utterance(**facts, **limits)]


def _add(words: TimedWords, item: Any, where: str, lines: Lines) -> None:
    """Add a word: a list [word, start, end], an object with these keys, or a string."""
    if isinstance(item, list) and len(item) == 3:
        word, start, end = item
    elif isinstance(item, dict):
        word, start, end = item.get("word", item.get("text")), item.get("start"), item.get("end")
    elif isinstance(item, str):
        word, start, end = item, None, None
    else:
        lines.fault("word", f"{where} should be a list [word, start, end]", None, action="left out")
        return
    if not isinstance(word, str):
        lines.fault("word", f"there is no word in {where}", None, action="left out")
        return
    when = span(start, end, where, lines, line=lines.number)
    if word.strip():
        words.add(word, when, lines.number)
