"""Shared by the formats of words in JSON."""

from __future__ import annotations

import json

from ..helpers.text import decode, encode, number_of
from ..values.problem import InputError, Problem
from ..words.timeline import NO_TIME
from ..words.transcript import split_words
from .lines import Faults
from .timed_words import TimedWords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..words.transcript import Times


def load(data: bytes, *, name: str | None = None, line: int | None = None) -> Any:
    """The value of a JSON text; an InputError if it is not JSON.

    >>> load(b'["a", 1]'), load(b"[1}", name="a.json")
    Traceback (most recent call last):
    treescore.InputError: a.json:1:3: this is not JSON (Expecting ',' delimiter)
    """
    encoding = json.detect_encoding(data)
    try:
        return json.loads(decode(data) if encoding == "utf-8" else data.decode(encoding))
    except json.JSONDecodeError as problem:
        message = f"this is not JSON ({problem.msg})"
        where = line or problem.lineno
        raise InputError(Problem("json", message, file=name, line=where, column=problem.colno)) from None
    except UnicodeDecodeError as problem:
        message = f"this is not valid {encoding} text (byte {problem.start + 1:,}); save it as UTF-8"
        raise InputError(Problem("encoding", message, file=name, line=line or 1)) from None
    except (RecursionError, ValueError):  # deeply nested, or a number with thousands of digits
        message = "this JSON is nested too deep, or has numbers that are too long"
        raise InputError(Problem("json", message, file=name, line=line or 1)) from None


def is_whisperx(text: bytes) -> bool:
    """Is this a list of segments, or an object with segments?"""
    value, is_single = _first_object(text)
    if isinstance(value, list):
        return is_single and bool(value) and isinstance(value[0], dict)
    return is_single and isinstance(value, dict) and ("segments" in value or "word_segments" in value)


def is_gentle(text: bytes) -> bool:
    """Is this an object with a transcript, or with words in Gentle's format?"""
    value, is_single = _first_object(text)
    if not is_single or not isinstance(value, dict):
        return False
    words = value.get("words")
    first = words[0] if isinstance(words, list) and words else None
    if isinstance(first, dict) and ("case" in first or "alignedWord" in first):
        return True
    return "transcript" in value and not isinstance(first, list | str)


def is_json_lines(text: bytes) -> bool:
    """Is there an object on the first line?"""
    value, _ = _first_object(text)
    return isinstance(value, dict)


def _first_object(text: bytes) -> tuple[Any, bool]:
    """The value on the first line or in the whole text, and whether it is the only one and not in our own format.

    Objects with an id and words are in our own format, and so are unreadable lines with words.
    """
    line, _, rest = text.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")
    try:
        value, is_single = load(line), not rest.strip()
    except InputError:
        try:
            value, is_single = load(text), True
        except InputError:
            return ({} if b'"words"' in line else None), False
    is_own = isinstance(value, dict) and isinstance(value.get("words"), list) and "id" in value
    return value, is_single and not is_own


class JsonWords(TimedWords):
    """Collects words with times from JSON."""

    __slots__ = ("_faults",)

    def __init__(self, faults: Faults, *, line: int | None = None) -> None:
        super().__init__(line)
        self._faults = faults

    def take(self, word: object, start: object, end: object, where: str, *, split: bool = True) -> None:
        """Add a word with its times, which may be null; with `split`, it is split at blanks."""
        if not isinstance(word, str):
            self._faults.fault("word", f"there is no word in {where}", line=self.line, action="left out")
            return
        words = split_words(encode(word)) if split else [word] if word.strip() else []
        self.share(words, self.span(start, end, where), self.line)

    def take_all(self, items: object, where: str, *names: str) -> None:
        """Add the words of a list of objects, in which one of the names is the key of the word."""
        for place, item in enumerate(objects(items, where, self._faults), 1):
            word = next((item[name] for name in names if name in item), None)
            self.take(word, item.get("start"), item.get("end"), f"word {place} of {where}")

    def limit(self, value: object, what: str) -> float | None:
        """The start or end of an utterance, if it is a number."""
        number = as_number(value)
        if number is None and value is not None:
            message = f"the {what} should be in seconds, such as 12.5"
            self._faults.fault("time", message, line=self.line, action="left out")
        return number

    def span(self, start: object, end: object, where: str) -> Times:
        """The start and end of a word, if both are numbers."""
        if start is None and end is None:
            return None
        begin, finish = as_number(start), as_number(end)
        if begin is not None and finish is not None:
            return begin, finish
        missing = " and ".join(name for name, value in (("start", begin), ("end", finish)) if value is None)
        message = f"the {missing} of {where} should be in seconds, such as 12.5"
        self._faults.fault("time", message, line=self.line, action=NO_TIME)
        return None


def as_number(value: object) -> float | None:
    """The value as a float, if it is a number and not a truth value; infinite if it is too large.

    >>> as_number(1), as_number(True), as_number("1"), as_number(10**400)
    (1.0, None, None, inf)
    """
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def as_name(value: object) -> str | None:
    """The value as a name, if it is a string or a number.

    >>> as_name("u1"), as_name(1), as_name(None), as_name([])
    ('u1', '1', None, None)
    """
    return value if isinstance(value, str) else None if as_number(value) is None else str(value)


def objects(items: object, what: str, faults: Faults) -> list[dict[str, Any]]:
    """The objects of a list; other items are left out."""
    if not isinstance(items, list):
        raise InputError(Problem("json", f"{what} should be a list", file=faults.name))
    kept = [item for item in items if isinstance(item, dict)]
    if len(kept) < len(items):
        message = f"{number_of(len(items) - len(kept), 'item')} of {what} should be objects {{...}}"
        faults.fault("json", message, action="left out")
    return kept
