"""Word times of Mississippi State University for Switchboard: utterance, begin, end and word on each line.

>>> text = b"sw2005A-ms98-a-0001 0.5 0.9 [laughter-so]\\nsw2005A-ms98-a-0001 0.9 1.5 [silence]\\n"
>>> utterance = read_mississippi(text)[0]
>>> utterance.file, utterance.channel, utterance.end, utterance.transcript.words
('sw2005', 'A', 1.5, ('so',))
"""

from __future__ import annotations

import re
from functools import cache

from ..helpers.text import decode
from ..words.timeline import MARKS, NO_TIME
from ..words.utterance import Utterances
from .json_words import limit
from .lines import Lines, first_record, not_seconds, number, numbers
from .timed_words import TimedWords
from .turns import Turn, utterances_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core

_ID = re.compile(r"(sw[0-9]+)([AB])(?![^-])")
_UNSPOKEN = re.compile(r"\[[^\[\]]*\]")


def is_mississippi(text: _core.Buffer) -> bool:
    """Does the first line have an id, two numbers and a word, or an id of Switchboard, two numbers and words?"""
    fields = first_record(text).split()
    if len(fields) < 4 or number(fields[1]) is None or number(fields[2]) is None:
        return False
    return len(fields) == 4 or _is_utterance(fields)


def _is_utterance(fields: list[bytes]) -> bool:
    return number(fields[3]) is None and _ID.match(decode(fields[0])) is not None


def read_mississippi(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read words without marks, see `without_marks`; lines with the same id are one utterance.

    In a file of whole utterances, `-trans.text`, each line is one, and its words have no times.
    """
    if _are_utterances(data, name):
        return _read_utterances(data, name, on_error)
    lines = Lines(data, name=name, on_error=on_error)
    words_of: dict[bytes, TimedWords] = {}
    limits: dict[bytes, tuple[float, float]] = {}
    plain_word = cache(lambda marked: without_marks(decode(marked)))  # most words occur many times
    for line in lines.records():
        fields = line.split()
        if len(fields) != 4:
            message = "a line has utterance, begin, end and one word, unless the file is called -trans.text"
            lines.fault("fields", message, lines.column(line, min(len(fields) - 1, 4)))
            continue
        id, begin, end, marked = fields
        words = words_of.get(id)
        if words is None:
            words = words_of[id] = TimedWords(lines.number)
        when = numbers(begin, end)
        if when is not None:
            limits[id] = limits.get(id, when)[0], when[1]  # words and silences leave no gaps
        else:
            place = 1 if number(begin) is None else 2
            lines.fault("time", not_seconds(fields[place]), lines.column(line, place), action=NO_TIME)
        if word := plain_word(marked):
            words.add(word, when, lines.number)
    utterances = []
    for id, words in words_of.items():
        utterance_id = decode(id)
        match = _ID.match(utterance_id)
        file, channel = match.groups() if match else (None, None)
        first, last = limits.get(id, (None, None))
        utterances.append(words.utterance(id=utterance_id, file=file, channel=channel, begin=first, end=last))
    return Utterances(utterances, format="mississippi", name=name, problems=lines.problems)


def _are_utterances(data: _core.Buffer, name: str | None) -> bool:
    """Has the file the name of whole utterances, or several words on its first line?"""
    if name is not None and name.removesuffix(".gz").endswith("-trans.text"):
        return True
    fields = first_record(data).split()
    return len(fields) > 4 and number(fields[1]) is not None and number(fields[2]) is not None and _is_utterance(fields)


def _read_utterances(data: _core.Buffer, name: str | None, on_error: str) -> Utterances:
    lines = Lines(data, name=name, on_error=on_error)
    turns = []
    for line in lines.records():
        fields = line.split()
        if len(fields) < 3:
            lines.fault("fields", "a line has utterance, begin, end and words", lines.column(line, 0))
            continue
        id, begin, end = map(decode, fields[:3])
        match = _ID.match(id)
        file, channel = match.groups() if match else (None, None)
        limits = {
            which: limit(value, which, lines, line=lines.number) for which, value in (("begin", begin), ("end", end))
        }
        turn = Turn(line=lines.number, id=id, file=file, channel=channel, **limits)
        turn.add_text(" ".join(word for marked in fields[3:] if (word := without_marks(decode(marked)))))
        turns.append(turn)
    return Utterances(utterances_of(turns, None), format="mississippi", name=name, problems=lines.problems)


def without_marks(word: str) -> str:
    """The word without marks; empty for noise.

    Brackets of words spoken while laughing and of coined words are removed; a slip of the tongue is replaced by the
    intended word; unspoken parts of broken words and numbers of pronunciations are removed.

    >>> words = ["[laughter-yes]", "{exer-dance}", "[splace/space]", "th[e]-", "about_1", "[noise]"]
    >>> [without_marks(word) for word in words]
    ['yes', 'exer-dance', 'space', 'th-', 'about', '']
    """
    if word.casefold() in MARKS:
        return ""
    if word.startswith("[laughter-") and word.endswith("]"):
        word = word[len("[laughter-") : -1]
    if word.startswith("{") and word.endswith("}"):
        word = word[1:-1]
    if word.startswith("[") and word.endswith("]") and "/" in word:
        word = word[1:-1].rpartition("/")[2]
    word = _UNSPOKEN.sub("", word)
    before, mark, digits = word.rpartition("_")
    return before if mark and before and digits.isdigit() else word
