"""The JSON of Google's Speech-to-Text, versions 1 and 2.

>>> words = '[{"endTime": "0.4s", "word": "go"}]'
>>> read_google(f'{{"results": [{{"alternatives": [{{"words": {words}}}]}}]}}'.encode())[0].transcript.times
((0.0, 0.4),)
"""

from __future__ import annotations

from itertools import groupby

from .json_words import JsonReader, as_name, as_text, first_object, got, objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.utterance import Utterances

_START = ("startTime", "startOffset", "start_time", "start_offset")
_END = ("endTime", "endOffset", "end_time", "end_offset")
_SPEAKER = ("speakerTag", "speakerLabel", "speaker_tag", "speaker_label")
_CHANNEL = ("channelTag", "channel_tag")


def is_google(value: Any) -> bool:
    """Are there results with alternatives?"""
    results = _results(value)
    return isinstance(results, list) and bool({"alternatives", "resultEndTime"} & first_object(results).keys())


def _results(value: Any) -> Any:
    """The results of a response, or of the operation that returned it."""
    response = value.get("response", value) if isinstance(value, dict) else None
    return response.get("results") if isinstance(response, dict) else None


def read_google(
    data: _core.Buffer, *, name: str | None = None, on_error: str = "raise", unit: float = 1.0
) -> Utterances:
    """Read the first alternative of each result as an utterance; with speakers, each turn of the last result."""
    reader = JsonReader(data, name=name, on_error=on_error, unit=unit)
    for value in reader.values:
        spoken = []
        for number, result in enumerate(objects(_results(value), "results", reader), 1):
            best = first_object(result.get("alternatives"), reader)
            words = objects(best.get("words") or [], f"words of result {number}", reader)
            spoken.append((number, result, best, words))
        last = spoken[-1:]
        if any(_speaker(word) is not None for _, _, _, words in last for word in words):
            _read_turns(reader, *last[0])
            continue
        for number, result, best, words in spoken:
            where = f"result {number}"
            turn = reader.turn(result, where, channel=_CHANNEL)
            if words:
                reader.take(turn, _from_zero(words), where, start=_START, end=_END)
            else:
                turn.add_text(as_text(best.get("transcript")))
    return reader.utterances("google")


def _speaker(word: dict[str, Any]) -> str | None:
    return as_name(got(word, *_SPEAKER))


def _read_turns(
    reader: JsonReader, number: int, result: dict[str, Any], best: dict[str, Any], words: list[dict[str, Any]]
) -> None:
    """Read each turn of a speaker: with speakers, the last result repeats all words."""
    for speaker, items in groupby(words, key=_speaker):
        turn = reader.turn(result, f"result {number}", channel=_CHANNEL)
        turn.facts["speaker"] = speaker
        reader.take(turn, _from_zero(list(items)), f"result {number}", start=_START, end=_END, speaker=_SPEAKER)


def _from_zero(words: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The words with a begin of 0 where only an end is given, because zero is omitted."""
    return [
        {**word, _START[0]: 0} if got(word, *_START) is None and got(word, *_END) is not None else word
        for word in words
    ]
