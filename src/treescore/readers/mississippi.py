"""Word times of Mississippi State University for Switchboard: utterance, begin, end and word in each line.

>>> text = b"sw2005A-ms98-a-0001 0.5 0.9 [laughter-so]\\nsw2005A-ms98-a-0001 0.9 1.5 [silence]\\n"
>>> found = read_mississippi(text)[0]
>>> found.file, found.channel, found.end, found.transcript.words
('sw2005', 'A', 1.5, ('so',))
"""

from __future__ import annotations

import re

from ..helpers.text import decode
from ..words.timeline import MARKS, NO_TIME
from ..words.utterance import Utterances
from .lines import Lines, first_record, not_seconds, number, numbers
from .timed_words import TimedWords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core

_ID = re.compile(r"(sw[0-9]+)([AB])(?![^-])")
_UNSAID = re.compile(r"\[[^\[\]]*\]")


def is_mississippi(text: _core.Buffer) -> bool:
    """Has the first line an id, two numbers and a word?"""
    fields = first_record(text).split()
    return len(fields) == 4 and number(fields[1]) is not None and number(fields[2]) is not None


def read_mississippi(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read words; lines with the same id are one utterance. The words are as they were meant, see `meant`."""
    lines = Lines(data, name=name, on_error=on_error)
    found: dict[bytes, TimedWords] = {}
    limits: dict[bytes, tuple[float, float]] = {}
    known: dict[bytes, str] = {}  # most words are there many times
    for line in lines.records():
        fields = line.split()
        if len(fields) != 4:
            message = "a line has utterance, begin, end and one word; files of whole utterances (-trans.text) do not do"
            lines.fault("fields", message, lines.column(line, min(len(fields) - 1, 4)))
            continue
        id, begin, end, marked = fields
        words = found.get(id)
        if words is None:
            words = found[id] = TimedWords(lines.number)
        when = numbers(begin, end)
        if when is not None:
            limits[id] = limits.get(id, when)[0], when[1]  # words and silences leave no gaps
        else:
            place = 1 if number(begin) is None else 2
            lines.fault("time", not_seconds(fields[place]), lines.column(line, place), action=NO_TIME)
        word = known.get(marked)
        if word is None:
            word = known[marked] = meant(decode(marked))
        if word:
            words.add(word, when, lines.number)
    made = []
    for id, words in found.items():
        name_of = decode(id)
        place_of = _ID.match(name_of)
        file, channel = place_of.groups() if place_of else (None, None)
        first, last = limits.get(id, (None, None))
        made.append(words.utterance(id=name_of, file=file, channel=channel, begin=first, end=last))
    return Utterances(made, format="mississippi", name=name, problems=lines.problems)


def meant(word: str) -> str:
    """What was meant by a word that is marked; nothing for noise.

    Words spoken while laughing, and new ones, lose their brackets; of a slip of the tongue and what was meant, the
    latter counts; what was not said of a broken word is left out; so are numbers of ways to say a word.

    >>> [meant(word) for word in ("[laughter-yes]", "{exer-dance}", "[splace/space]", "th[e]-", "about_1", "[noise]")]
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
    word = _UNSAID.sub("", word)
    before, mark, digits = word.rpartition("_")
    return before if mark and before and digits.isdigit() else word
