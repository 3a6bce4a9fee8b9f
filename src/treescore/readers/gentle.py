"""Gentle's JSON: the words of a transcript, with times if they were found in the audio.

>>> text = b'{"words": [{"word": "So", "case": "success", "start": 0.1, "end": 0.4}, '
>>> text += b'{"word": "uh", "case": "not-found-in-audio"}]}'
>>> read_gentle(text)[0].transcript.times
((0.1, 0.4), None)
"""

from __future__ import annotations

from .json_words import JsonReader, first_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.utterance import Utterances


def is_gentle(value: Any) -> bool:
    """Is this an object with a transcript, or with words in Gentle's format?"""
    if not isinstance(value, dict) or "id" in value:
        return False
    words = value.get("words")
    if {"case", "alignedWord"} & first_object(words).keys():
        return True
    return isinstance(value.get("transcript"), str) and not (isinstance(words, list) and words)


def read_gentle(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read all words, including words outside the transcript (not-found-in-transcript), because they were spoken."""
    reader = JsonReader(data, name=name, on_error=on_error)
    for value in reader.values:
        turn = reader.turn(None, "")
        reader.take(
            turn, value.get("words") if isinstance(value, dict) else None, "words", word=("word", "alignedWord")
        )
    return reader.utterances("gentle", numbered=len(reader.turns) > 1)
