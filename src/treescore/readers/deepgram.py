"""The JSON of Deepgram: utterances, or channels.

>>> words = '[{"word": "go", "punctuated_word": "Go.", "start": 0.1, "end": 0.4}]'
>>> text = f'{{"results": {{"channels": [{{"alternatives": [{{"words": {words}}}]}}]}}}}'
>>> read_deepgram(text.encode())[0].transcript.words
('Go.',)
"""

from __future__ import annotations

from .json_words import JsonReader, as_text, first_object, objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.utterance import Utterances

_WORD = ("punctuated_word", "word")


def is_deepgram(value: Any) -> bool:
    """Are there results with channels or utterances?"""
    results = value.get("results") if isinstance(value, dict) else None
    return isinstance(results, dict) and bool({"channels", "utterances"} & results.keys())


def read_deepgram(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read the utterances; or else each channel as an utterance."""
    reader = JsonReader(data, name=name, on_error=on_error)
    numbered = False
    for value in reader.values:
        results = value.get("results") if isinstance(value, dict) else None
        results = results if isinstance(results, dict) else {}
        if results.get("utterances"):
            numbered = True
            keys = {"begin": "start", "end": "end", "speaker": "speaker", "channel": "channel"}
            for number, utterance in enumerate(objects(results["utterances"], "utterances", reader), 1):
                where = f"utterance {number}"
                turn = reader.turn(utterance, where, **keys)
                if utterance.get("words"):
                    reader.take(turn, utterance["words"], where, word=_WORD)
                else:
                    turn.add_text(as_text(utterance.get("transcript")))
            continue
        channels = objects(results.get("channels"), "channels", reader)
        for place, channel in enumerate(channels):
            best = first_object(channel.get("alternatives"), reader)
            turn = reader.turn({"channel": place} if len(channels) > 1 else None, "", channel="channel")
            reader.take(turn, best.get("words") or [], f"channel {place}", word=_WORD)
    return reader.utterances("deepgram", numbered=numbered or len(reader.turns) > 1)
