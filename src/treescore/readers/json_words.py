"""Shared by the formats of words in JSON: values, numbers with and without units, names, lists of words."""

from __future__ import annotations

import json
import re

from ..helpers.text import decode, number_of
from ..values.problem import InputError, Problem
from ..words.timeline import NO_TIME
from .lines import Faults, number
from .turns import Turn, id_of_file, utterances_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from .. import _core
    from ..words.transcript import Times
    from ..words.utterance import Utterances

_DECODER = json.JSONDecoder(strict=False)  # whisper.cpp does not escape control characters
_BLANKS = re.compile(r"[ \t\r\n,]*")  # a comma may separate values
_DURATION = re.compile(r"PT(?:(?P<hours>[0-9.]+)H)?(?:(?P<minutes>[0-9.]+)M)?(?:(?P<seconds>[0-9.]+)S)?")
_CLOCK = re.compile(r"(?:([0-9]{1,9}):)?([0-9]{1,2}):([0-9]{1,2}(?:[,.][0-9]{1,9})?)")
#: Note on results with several alternatives.
ALTERNATIVES = "alternatives: only the first of each result is read"
WORD_KEYS, START_KEYS, END_KEYS = ("word", "text"), ("start",), ("end",)


def load(data: bytes, *, name: str | None = None, line: int | None = None) -> Any:
    """The value of a JSON text; an InputError if it is not JSON.

    >>> load(b'["a", 1]'), load(b"[1}", name="a.json")
    Traceback (most recent call last):
    treescore.InputError: a.json:1:3: this is not JSON (Expecting ',' delimiter)
    """
    try:
        return json.loads(_text(data, name, line))
    except (RecursionError, ValueError) as problem:
        raise _fault(problem, name, line) from None


def values(data: bytes, *, name: str | None = None) -> Iterator[Any]:
    """The values of a JSON text one after the other: a single value, JSON lines, or values over several lines.

    >>> list(values(b'{"a": 1}\\n\\n[2,\\n3] 4'))
    [{'a': 1}, [2, 3], 4]
    """
    text = _text(data, name, None).removeprefix("\ufeff")
    at = _BLANKS.match(text).end()  # type: ignore[union-attr]
    while at < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (RecursionError, ValueError) as problem:
            raise _fault(problem, name, None) from None
        at = _BLANKS.match(text, at).end()  # type: ignore[union-attr]
        yield value


def first_value(data: bytes) -> Any:
    """The first value of a JSON text; None if it cannot be read.

    An unreadable first line with words, before others, is read as such a line of treescore.
    """
    try:
        return next(values(data), None)
    except InputError:
        line, _, rest = data.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")
        return {"id": None, "words": []} if b'"words"' in line and rest.strip() else None


def _text(data: bytes, name: str | None, line: int | None) -> str:
    encoding = json.detect_encoding(data)
    try:
        return decode(data) if encoding == "utf-8" else data.decode(encoding)
    except UnicodeDecodeError as problem:
        message = f"this is not valid {encoding} text (byte {problem.start + 1:,}); save it as UTF-8"
        raise InputError(Problem("encoding", message, file=name, line=line or 1)) from None


def _fault(problem: Exception, name: str | None, line: int | None) -> InputError:
    if isinstance(problem, json.JSONDecodeError):
        message = f"this is not JSON ({problem.msg})"
        return InputError(Problem("json", message, file=name, line=line or problem.lineno, column=problem.colno))
    message = "this JSON is nested too deep, or has numbers that are too long"
    return InputError(Problem("json", message, file=name, line=line or 1))


class JsonReader(Faults):
    """Reads utterances from the values of a JSON text; `unit` is the length of the unit of plain numbers in seconds."""

    def __init__(self, data: _core.Buffer, *, name: str | None, on_error: str, unit: float = 1.0) -> None:
        super().__init__(name=name, on_error=on_error)
        self.values = values(bytes(data), name=name)
        self.turns: list[Turn] = []
        self.notes: dict[str, None] = {}
        self._unit = unit

    def turn(self, item: dict[str, Any] | None, where: str, **keys: str | tuple[str, ...]) -> Turn:
        """A new utterance, with facts from these keys of an object: begin, end (or duration), id, speaker, channel."""
        item = item or {}
        facts: dict[str, Any] = {}
        for fact, names in keys.items():
            value = got(item, *((names,) if isinstance(names, str) else names))
            facts[fact] = self.limit(value, f"{fact} of {where}") if fact in _LIMITS else as_name(value)
        facts = with_end(facts)
        turn = Turn(**facts)
        self.turns.append(turn)
        return turn

    def take(
        self,
        turn: Turn,
        items: object,
        where: str,
        *,
        word: Sequence[str] = WORD_KEYS,
        start: Sequence[str] = START_KEYS,
        end: Sequence[str] = END_KEYS,
        duration: Sequence[str] = (),
        speaker: Sequence[str] = ("speaker",),
        channel: Sequence[str] = (),
    ) -> None:
        """Add the words of a list of objects with these keys."""
        for place, item in enumerate(objects(items, where, self), 1):
            here = f"word {place} of {where}"
            text = got(item, *word)
            if not isinstance(text, str):
                self.fault("word", f"there is no word in {here}", action="left out")
                continue
            begin, finish = got(item, *start), got(item, *end)
            when = self.lasting(begin, got(item, *duration), here) if duration else self.span(begin, finish, here)
            turn.add(text, when, speaker=as_name(got(item, *speaker)), channel=as_name(got(item, *channel)))

    def limit(self, value: object, what: str) -> float | None:
        """The begin, end or duration of an utterance, if it is a time."""
        return limit(value, what, self, unit=self._unit)

    def span(self, start: object, end: object, where: str) -> Times:
        """The begin and end of a word, if both are times."""
        return span(start, end, where, self, unit=self._unit)

    def lasting(self, start: object, duration: object, where: str) -> Times:
        """The begin and end of a word with a duration."""
        when = span(start, duration, where, self, unit=self._unit, names=("start", "duration"))
        return when and (when[0], round(when[0] + when[1], 9))

    def utterances(self, format: str, *, joins: float | None = None, numbered: bool = True) -> Utterances:
        """All utterances."""
        from ..words.utterance import Utterances

        utterances = utterances_of(self.turns, id_of_file(self.name), joins=joins, numbered=numbered)
        return Utterances(utterances, format=format, name=self.name, problems=self.problems, notes=[*self.notes])


_LIMITS = ("begin", "end", "duration")


def with_end(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts with the end instead of the duration."""
    duration = facts.pop("duration", None)
    if duration is not None and facts.get("begin") is not None:
        facts["end"] = round(facts["begin"] + duration, 9)
    return facts


def limit(value: object, what: str, faults: Faults, *, line: int | None = None, unit: float = 1.0) -> float | None:
    """A time of an utterance; a value that is not a time is a problem."""
    number = as_number(value, unit)
    if number is None and value is not None:
        faults.fault("time", f"the {what} should be in seconds, such as 12.5", line=line, action="left out")
    return number


def span(
    start: object,
    end: object,
    where: str,
    faults: Faults,
    *,
    line: int | None = None,
    unit: float = 1.0,
    names: tuple[str, str] = ("start", "end"),
) -> Times:
    """Two times of a word; None without a problem if both are missing, with a problem if one is."""
    if start is None and end is None:
        return None
    begin, finish = as_number(start, unit), as_number(end, unit)
    if begin is not None and finish is not None:
        return begin, finish
    missing = " and ".join(name for name, value in zip(names, (begin, finish), strict=True) if value is None)
    faults.fault("time", f"the {missing} of {where} should be in seconds, such as 12.5", line=line, action=NO_TIME)
    return None


def as_number(value: object, unit: float = 1.0) -> float | None:
    """A time: a number, or a text with a number; one that states its unit is converted to units of so many seconds.

    >>> as_number(1), as_number(True), as_number("0.10"), as_number("1,5"), as_number(10**400)
    (1.0, None, 0.1, None, inf)
    >>> as_number("1.200s"), as_number("PT1M0.76S"), as_number({"seconds": 1, "nanos": 2}), as_number("00:01:02,500")
    (1.2, 60.76, 1.000000002, 62.5)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        try:
            return float(value)
        except OverflowError:
            return float("inf")
    stated = None
    if isinstance(value, str):
        plain = number(value.strip())
        if plain is not None:
            return plain
        stated = _stated(value.strip())
    elif isinstance(value, dict) and value.keys() <= {"seconds", "nanos"}:
        seconds, nanos = as_number(value.get("seconds", 0)), as_number(value.get("nanos", 0))
        stated = None if seconds is None or nanos is None else round(seconds + nanos / 1e9, 9)
    return None if stated is None else stated if unit == 1.0 else stated / unit


def _stated(text: str) -> float | None:
    """The seconds of a text that states its unit."""
    if text.endswith("s"):
        return number(text[:-1])
    return clock(text) if ":" in text else _iso(text)


def _iso(text: str) -> float | None:
    match = _DURATION.fullmatch(text)
    if match is None or not any(match.groups()):
        return None
    hours, minutes, seconds = (number(match[part] or "0") for part in ("hours", "minutes", "seconds"))
    return None if hours is None or minutes is None or seconds is None else hours * 3600 + minutes * 60 + seconds


def clock(text: str) -> float | None:
    """The seconds of a time of day.

    >>> clock("01:02:03,500"), clock("02:03.5"), clock("1:02")
    (3723.5, 123.5, 62.0)
    """
    match = _CLOCK.fullmatch(text)
    if match is None:
        return None
    return round(int(match[1] or 0) * 3600 + int(match[2]) * 60 + float(match[3].replace(",", ".")), 9)


def as_name(value: object) -> str | None:
    """The value as a name, if it is a string or a number.

    >>> as_name("u1"), as_name(1), as_name(None), as_name([]), as_name("")
    ('u1', '1', None, None, None)
    """
    if isinstance(value, str):
        return value or None
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def as_text(value: object) -> str:
    """The value, if it is a string; empty otherwise."""
    return value if isinstance(value, str) else ""


def got(item: dict[str, Any], *keys: str) -> Any:
    """The value of the first of the keys that has one.

    >>> got({"word": None, "text": "so"}, "word", "text")
    'so'
    """
    return next((item[key] for key in keys if item.get(key) is not None), None)


def objects(items: object, what: str, faults: Faults) -> list[dict[str, Any]]:
    """The objects of a list; other items are left out."""
    if not isinstance(items, list):
        raise InputError(Problem("json", f"{what} should be a list", file=faults.name))
    kept = [item for item in items if isinstance(item, dict)]
    if len(kept) < len(items):
        message = f"{number_of(len(items) - len(kept), 'item')} of {what} should be objects {{...}}"
        faults.fault("json", message, action="left out")
    return kept


def first_object(items: object, reader: JsonReader | None = None) -> dict[str, Any]:
    """The first object of a list of alternatives; an empty one without alternatives."""
    kept = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    if len(kept) > 1 and reader is not None:
        reader.notes[ALTERNATIVES] = None
    return kept[0] if kept else {}
