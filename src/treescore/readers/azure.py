"""The JSON of Azure's speech services: of the SDK and of batches, in ticks of 100 ns, and of fast transcription, in ms.

>>> text = b'{"Offset": 0, "Duration": 9, "NBest": [{"Words": [{"Word": "go", "Offset": 1, "Duration": 3}]}]}'
>>> read_azure(text)[0].transcript.times
((1.0, 4.0),)
"""

from __future__ import annotations

from .json_words import JsonReader, as_text, first_object, got, objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.utterance import Utterances

_OFFSET = ("offsetInTicks", "OffsetInTicks", "offset", "Offset")
_DURATION = ("durationInTicks", "DurationInTicks", "duration", "Duration")
_FAST_OFFSET, _FAST_DURATION = ("offsetMilliseconds", "offset"), ("durationMilliseconds", "duration")
_WORD = ("word", "Word", "displayText", "DisplayText", "text")


def is_azure(value: Any) -> bool:
    """Is this a phrase of the SDK, a list of them, or the phrases of a batch?"""
    if isinstance(value, list):
        return bool(value) and is_azure(value[0])
    return isinstance(value, dict) and bool({"NBest", "recognizedPhrases", "RecognitionStatus"} & value.keys())


def is_azure_fast(value: Any) -> bool:
    """Are there phrases?"""
    return isinstance(value, dict) and isinstance(value.get("phrases"), list)


def read_azure(
    data: _core.Buffer, *, name: str | None = None, on_error: str = "raise", unit: float = 1e-7
) -> Utterances:
    """Read each recognised phrase as an utterance."""
    reader = JsonReader(data, name=name, on_error=on_error, unit=unit)
    is_batch = False
    for value in reader.values:
        phrases = value if isinstance(value, list) else [value]
        if isinstance(value, dict) and "recognizedPhrases" in value:
            is_batch, phrases = True, value["recognizedPhrases"]
        for phrase in objects(phrases, "phrases", reader):
            if (got(phrase, "RecognitionStatus", "recognitionStatus") or "Success") == "Success":
                _read_phrase(reader, phrase, f"phrase {len(reader.turns) + 1}")
    return reader.utterances("azure", numbered=is_batch or len(reader.turns) > 1)


def _read_phrase(reader: JsonReader, phrase: dict[str, Any], where: str) -> None:
    turn = reader.turn(
        phrase,
        where,
        begin=_OFFSET,
        duration=_DURATION,
        channel=("channel", "Channel"),
        speaker=("speaker", "Speaker", "SpeakerId"),
    )
    best = first_object(got(phrase, "nBest", "NBest"), reader)
    words = got(best, "words", "Words", "displayWords", "DisplayWords")
    if words:
        reader.take(turn, words, where, word=_WORD, start=_OFFSET, duration=_DURATION)
    else:
        text = got(best, "display", "Display", "lexical", "Lexical") or got(phrase, "DisplayText")
        turn.add_text(as_text(text))


def read_azure_fast(
    data: _core.Buffer, *, name: str | None = None, on_error: str = "raise", unit: float = 0.001
) -> Utterances:
    """Read each phrase as an utterance."""
    reader = JsonReader(data, name=name, on_error=on_error, unit=unit)
    facts: dict[str, str | tuple[str, ...]] = {
        "begin": _FAST_OFFSET,
        "duration": _FAST_DURATION,
        "speaker": "speaker",
        "channel": "channel",
    }
    for value in reader.values:
        phrases = value.get("phrases") if isinstance(value, dict) else None
        for number, phrase in enumerate(objects(phrases, "phrases", reader), 1):
            where = f"phrase {number}"
            turn = reader.turn(phrase, where, **facts)
            if phrase.get("words"):
                reader.take(turn, phrase["words"], where, word=_WORD, start=_FAST_OFFSET, duration=_FAST_DURATION)
            else:
                turn.add_text(as_text(phrase.get("text")))
    return reader.utterances("azure-fast")
