"""Gentle's JSON: the words of a transcript, with times if they were found in the audio.

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
    """Read all words, including words outside the transcript (not-found-in-transcript), because they were spoken."""
    faults = Faults(name=name, on_error=on_error)
    content = load(bytes(data), name=name)
    if not isinstance(content, dict) or not isinstance(content.get("words"), list):
        raise InputError(Problem("format", "this is JSON, but it has no words like Gentle's", file=name))
    words = JsonWords(faults)
    words.take_all(content["words"], "the file", "word", "alignedWord")
    return Utterances([words.utterance(id=stem(name))], format="gentle", name=name, problems=faults.problems)
