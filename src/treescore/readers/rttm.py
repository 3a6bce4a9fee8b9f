"""NIST's rttm: words (LEXEME) and the turns of speakers (SPEAKER), each with begin and duration.

>>> text = b"SPEAKER m 1 0.5 1.5 <NA> <NA> ann <NA>\\nLEXEME m 1 0.5 0.4 we lex ann <NA>\\n"
>>> utterance = read_rttm(text)[0]
>>> utterance.id, utterance.speaker, utterance.end, utterance.transcript.times
('m-001', 'ann', 2.0, ((0.5, 0.9),))
"""

from __future__ import annotations

from ..helpers.text import decode
from ..values.problem import InputError, Problem
from ..words.utterance import Utterances
from .json_words import span
from .lines import Lines, first_record, number
from .turns import Turn, utterances_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core

#: Types of the lines of an rttm.
_TYPES = frozenset(
    b"SEGMENT NOSCORE NO_RT_METADATA LEXEME NON-LEX NON-SPEECH FILLER EDIT IP SU CB A/P SPEAKER SPKR-INFO".split()
)
_Key = tuple[bytes, bytes, bytes]


def is_rttm(text: _core.Buffer) -> bool:
    """Does the first line have one of the types, and a time or <NA>?"""
    fields = first_record(text).split()
    return 8 <= len(fields) <= 10 and fields[0] in _TYPES and (fields[3] == b"<NA>" or number(fields[3]) is not None)


def read_rttm(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read the words of each turn; without turns, all words of a file, channel and speaker are an utterance."""
    lines = Lines(data, name=name, on_error=on_error)
    turns: dict[_Key, list[Turn]] = {}
    words: list[tuple[_Key, str, tuple[float, float] | None, int]] = []
    for line in lines.records():
        fields = line.split()
        if fields[0] not in (b"SPEAKER", b"LEXEME"):
            continue
        if len(fields) < 8:
            message = "a line has type, file, channel, begin, duration, word, subtype and speaker"
            lines.fault("fields", message, lines.column(line, len(fields) - 1))
            continue
        key = fields[1], fields[2], fields[7]
        where = "this line"
        when = span(number(fields[3]), number(fields[4]), where, lines, line=lines.number, names=("begin", "duration"))
        when = when and (when[0], round(when[0] + when[1], 9))
        if fields[0] == b"LEXEME":
            words.append((key, decode(fields[5]), when, lines.number))
        elif when is not None:
            turns.setdefault(key, []).append(_turn(key, lines.number, *when))
    if not words:
        message = (
            "this rttm has no words (LEXEME), only speakers, so it is a diarization; give a file with words and times"
            if turns
            else "this rttm has no words (LEXEME)"
        )
        raise InputError(Problem("no-words", message, file=name))
    _distribute(words, turns)
    ordered = sorted((turn for several in turns.values() for turn in several), key=lambda turn: turn.line or 0)
    counted: dict[str | None, int] = {}
    for turn in ordered:
        file = turn.facts["file"]
        counted[file] = counted.get(file, 0) + 1
        turn.facts["id"] = f"{file}-{counted[file]:03}"
    return Utterances(utterances_of(ordered, None), format="rttm", name=name, problems=lines.problems)


def _turn(key: _Key, line: int, begin: float | None = None, end: float | None = None) -> Turn:
    file, channel, speaker = (decode(field) for field in key)
    named = None if speaker == "<NA>" else speaker
    return Turn(line=line, file=file, channel=channel, speaker=named, begin=begin, end=end)


def _distribute(words: list[tuple[_Key, str, tuple[float, float] | None, int]], turns: dict[_Key, list[Turn]]) -> None:
    """Add each word to the turn of its speaker that contains its midpoint, or else begins last before it."""
    from bisect import bisect_right

    begins: dict[_Key, list[float]] = {}
    for key, several in turns.items():
        several.sort(key=lambda turn: turn.facts["begin"] or 0.0)
        begins[key] = [turn.facts["begin"] or 0.0 for turn in several]
    for key, word, when, line in words:
        if key not in turns:
            turns[key], begins[key] = [_turn(key, line)], [0.0]
        middle = begins[key][0] if when is None else (when[0] + when[1]) / 2
        place = max(bisect_right(begins[key], middle) - 1, 0)
        turns[key][place].add(word, when, line=line)
