"""Gentle's JSON: the words of a transcript, those that were found in the audio with times.

>>> text = b'{"words": [{"word": "So", "case": "success", "start": 0.1, "end": 0.4}, '
>>> text += b'{"word": "uh", "case": "not-found-in-audio"}]}'
>>> read_gentle(text)[0].transcript.times
((0.1, 0.4), None)
"""

from __future__ import annotations

from ..helpers.files import stem
from ..values.problem import InputError, Problem
from ..words.utterance import Utterances
from .json_words import JsonWords, load
from .lines import Faults

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core


def read_gentle(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read all words. What was heard beside the transcript (not-found-in-transcript) was spoken, and is kept."""
    faults = Faults(name=name, on_error=on_error)
    found = load(bytes(data), name=name)
    if not isinstance(found, dict) or not isinstance(found.get("words"), list):
        raise InputError(Problem("format", "this is JSON, but it has no words, as that of Gentle", file=name))
    words = JsonWords(faults)
    words.take_all(found["words"], "the file", "word", "alignedWord")
    return Utterances([words.utterance(id=stem(name))], format="gentle", name=name, problems=faults.problems)
