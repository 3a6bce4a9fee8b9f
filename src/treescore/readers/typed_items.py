"""The JSON of Speechmatics, Rev AI and ElevenLabs: lists of words, punctuation and other items with a type each.

>>> items = '[{"type": "text", "value": "Go", "ts": 0.1, "end_ts": 0.4}, {"type": "punct", "value": "."}]'
>>> text = f'{{"monologues": [{{"speaker": 0, "elements": {items}}}]}}'
>>> utterance = read_rev(text.encode())[0]
>>> utterance.speaker, utterance.transcript.words
('0', ('Go.',))
"""

from __future__ import annotations

from .json_words import JsonReader, as_name, first_object, got, objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.utterance import Utterances

    _Item = tuple[Any, Any, tuple[Any, Any], str | None, str | None]


def is_speechmatics(value: Any) -> bool:
    """Are there results with a type?"""
    results = value.get("results") if isinstance(value, dict) else None
    return isinstance(results, list) and "type" in first_object(results) and "alternatives" in first_object(results)


def is_rev(value: Any) -> bool:
    """Are there monologues?"""
    return isinstance(value, dict) and isinstance(value.get("monologues"), list)


def is_elevenlabs(value: Any) -> bool:
    """Are there words with a type?"""
    words = value.get("words") if isinstance(value, dict) else None
    return isinstance(words, list) and {"type", "text"} <= first_object(words).keys()


def read_speechmatics(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read each turn of a speaker or channel as an utterance."""
    items: list[_Item] = []
    reader = JsonReader(data, name=name, on_error=on_error)
    for value in reader.values:
        for item in objects(value.get("results") if isinstance(value, dict) else None, "results", reader):
            best = first_object(item.get("alternatives"), reader)
            channel, times = as_name(item.get("channel")), (item.get("start_time"), item.get("end_time"))
            items.append((item.get("type"), best.get("content"), times, as_name(best.get("speaker")), channel))
    _read_items(reader, items)
    return reader.utterances("speechmatics", numbered=len(reader.turns) > 1)


def read_rev(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read each monologue as an utterance."""
    reader = JsonReader(data, name=name, on_error=on_error)
    for value in reader.values:
        monologues = value.get("monologues") if isinstance(value, dict) else None
        for number, monologue in enumerate(objects(monologues, "monologues", reader), 1):
            where = f"monologue {number}"
            turn = reader.turn(monologue, where, speaker="speaker")
            for place, item in enumerate(objects(monologue.get("elements") or [], f"elements of {where}", reader), 1):
                text = item.get("value")
                if item.get("type") == "text" and isinstance(text, str):
                    when = reader.span(item.get("ts"), item.get("end_ts"), f"element {place} of {where}")
                    turn.add(text, when)
                elif item.get("type") == "punct" and isinstance(text, str) and text.strip():
                    turn.glue(text)
    return reader.utterances("rev")


def read_elevenlabs(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read each turn of a speaker as an utterance, without spacing and events."""
    reader = JsonReader(data, name=name, on_error=on_error)
    items: list[_Item] = []
    for value in reader.values:
        for item in objects(value.get("words") if isinstance(value, dict) else None, "words", reader):
            if item.get("type", "word") == "word":
                speaker, times = as_name(got(item, "speaker_id")), (item.get("start"), item.get("end"))
                items.append(("word", item.get("text"), times, speaker, None))
    _read_items(reader, items)
    return reader.utterances("elevenlabs", numbered=len(reader.turns) > 1)


def _read_items(reader: JsonReader, items: list[_Item]) -> None:
    """Read items of type, text, times, speaker and channel; a new speaker or channel begins an utterance."""
    turn, before = None, None
    for number, (kind, text, times, speaker, channel) in enumerate(items, 1):
        if not isinstance(text, str):
            reader.fault("word", f"there is no word in item {number}", action="left out")
        elif kind == "punctuation" and turn is not None:
            turn.glue(text)
        else:
            if turn is None or (speaker, channel) != before:
                turn, before = reader.turn(None, ""), (speaker, channel)
            turn.add(text, reader.span(*times, f"item {number}"), speaker=speaker, channel=channel)
