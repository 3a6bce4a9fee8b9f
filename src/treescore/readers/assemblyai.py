"""The JSON of AssemblyAI, with times in milliseconds: utterances, or words.

>>> text = b'{"audio_duration": 1, "words": [{"text": "Go", "start": 100, "end": 400, "speaker": "A"}]}'
>>> read_assemblyai(text)[0].transcript.times
((100.0, 400.0),)
"""

from __future__ import annotations

from .json_words import JsonReader, objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.utterance import Utterances


def is_assemblyai(value: Any) -> bool:
    """Are there words or utterances beside facts about the audio?"""
    if not isinstance(value, dict) or not ("words" in value or "utterances" in value):
        return False
    return bool({"audio_duration", "audio_url"} & value.keys()) or {"status", "text", "confidence"} <= value.keys()


def read_assemblyai(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read the utterances; or else all words as one utterance."""
    reader = JsonReader(data, name=name, on_error=on_error)
    numbered = False
    keys = {"begin": "start", "end": "end", "speaker": "speaker", "channel": "channel"}
    for value in reader.values:
        value = value if isinstance(value, dict) else {}
        if value.get("utterances"):
            numbered = True
            for number, utterance in enumerate(objects(value["utterances"], "utterances", reader), 1):
                where = f"utterance {number}"
                reader.take(reader.turn(utterance, where, **keys), utterance.get("words") or [], where)
        else:
            reader.take(reader.turn(None, ""), value.get("words") or [], "the file", channel=("channel",))
    return reader.utterances("assemblyai", numbered=numbered or len(reader.turns) > 1)
