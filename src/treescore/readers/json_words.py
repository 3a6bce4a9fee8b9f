"""What formats of words in JSON have in common."""

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
    """What is written in JSON; what is not JSON is an InputError.

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
        message = f"this is not sound {encoding} text (byte {problem.start + 1:,}); save it as UTF-8"
        raise InputError(Problem("encoding", message, file=name, line=line or 1)) from None
    except (RecursionError, ValueError):  # brackets in brackets in brackets, or a number of thousands of digits
        message = "this JSON is nested too deep, or has numbers that are too long"
        raise InputError(Problem("json", message, file=name, line=line or 1)) from None


def is_whisperx(text: bytes) -> bool:
    """Is this a list of segments, or an object that has segments?"""
    whole, is_only = _first_object(text)
    if isinstance(whole, list):
        return is_only and bool(whole) and isinstance(whole[0], dict)
    return is_only and isinstance(whole, dict) and ("segments" in whole or "word_segments" in whole)


def is_gentle(text: bytes) -> bool:
    """Is this an object with a transcript, or with words as Gentle describes them?"""
    whole, is_only = _first_object(text)
    if not is_only or not isinstance(whole, dict):
        return False
    words = whole.get("words")
    first = words[0] if isinstance(words, list) and words else None
    if isinstance(first, dict) and ("case" in first or "alignedWord" in first):
        return True
    return "transcript" in whole and not isinstance(first, list | str)


def is_json_lines(text: bytes) -> bool:
    """Is there an object on the first line, which other lines may follow?"""
    whole, _ = _first_object(text)
    return isinstance(whole, dict)


def _first_object(text: bytes) -> tuple[Any, bool]:
    """What is written on the first line or in the whole text, and whether it is all and none of our own objects.

    An object with an id and words is our own, whatever else it has. A line that cannot be read but has words is one.
    """
    line, _, rest = text.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")
    try:
        whole, is_only = load(line), not rest.strip()
    except InputError:
        try:
            whole, is_only = load(text), True
        except InputError:
            return ({} if b'"words"' in line else None), False
    is_own = isinstance(whole, dict) and isinstance(whole.get("words"), list) and "id" in whole
    return whole, is_only and not is_own


class JsonWords(TimedWords):
    """Takes words with times as they stand in JSON."""

    __slots__ = ("_faults",)

    def __init__(self, faults: Faults, *, line: int | None = None) -> None:
        super().__init__(line)
        self._faults = faults

    def take(self, word: object, start: object, end: object, where: str, *, split: bool = True) -> None:
        """A word with its times, which may be null; with `split`, blanks part it into several."""
        if not isinstance(word, str):
            self._faults.fault("word", f"there is no word in {where}", line=self.line, action="left out")
            return
        words = split_words(encode(word)) if split else [word] if word.strip() else []
        self.share(words, self.span(start, end, where), self.line)

    def take_all(self, found: object, where: str, *names: str) -> None:
        """A list of objects with the word under one of the names."""
        for place, one in enumerate(objects(found, where, self._faults), 1):
            word = next((one[name] for name in names if name in one), None)
            self.take(word, one.get("start"), one.get("end"), f"word {place} of {where}")

    def limit(self, value: object, what: str) -> float | None:
        """Where an utterance begins or ends, if that is a number."""
        found = as_number(value)
        if found is None and value is not None:
            message = f"the {what} should be in seconds, such as 12.5"
            self._faults.fault("time", message, line=self.line, action="left out")
        return found

    def span(self, start: object, end: object, where: str) -> Times:
        """Begin and end, if both are numbers."""
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
    """A number, but no truth value; one that is too large for a float is infinite.

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
    """A name, which may be written as a number.

    >>> as_name("u1"), as_name(1), as_name(None), as_name([])
    ('u1', '1', None, None)
    """
    return value if isinstance(value, str) else None if as_number(value) is None else str(value)


def objects(found: object, what: str, faults: Faults) -> list[dict[str, Any]]:
    """The objects of a list; what is no object is left out."""
    if not isinstance(found, list):
        raise InputError(Problem("json", f"{what} should be a list", file=faults.name))
    kept = [one for one in found if isinstance(one, dict)]
    if len(kept) < len(found):
        message = f"{number_of(len(found) - len(kept), 'item')} of {what} should be objects {{...}}"
        faults.fault("json", message, action="left out")
    return kept
