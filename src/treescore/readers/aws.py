"""The JSON of AWS Transcribe, and of its Call Analytics, whose times are in milliseconds.

>>> item = '{"type": "pronunciation", "start_time": "0.1", "end_time": "0.3", "alternatives": [{"content": "Go"}]}'
>>> mark = '{"type": "punctuation", "alternatives": [{"content": "."}]}'
>>> read_aws(f'{{"results": {{"items": [{item}, {mark}]}}}}'.encode())[0].transcript
Transcript(words=('Go.',), times=((0.1, 0.3),), nulls=frozenset())
"""

from __future__ import annotations

from .json_words import JsonReader, as_name, as_number, as_text, first_object, objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.utterance import Utterances
    from .turns import Turn


def is_aws(value: Any) -> bool:
    """Are there results with items, or with channels of items?"""
    results = value.get("results") if isinstance(value, dict) else None
    return isinstance(results, dict) and ("items" in results or "channel_labels" in results)


def is_aws_calls(value: Any) -> bool:
    """Is there a transcript of turns?"""
    return isinstance(value, dict) and isinstance(value.get("Transcript"), list)


def read_aws(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read the segments of speakers; or else the channels, or the file, as utterances."""
    reader = JsonReader(data, name=name, on_error=on_error)
    numbered = False
    for value in reader.values:
        results = value.get("results") if isinstance(value, dict) else None
        results = results if isinstance(results, dict) else {}
        speakers, channels = results.get("speaker_labels"), results.get("channel_labels")
        if isinstance(speakers, dict) and speakers.get("segments"):
            numbered = True
            _read_segments(reader, results, objects(speakers["segments"], "segments", reader))
        elif isinstance(channels, dict) and channels.get("channels"):
            for number, channel in enumerate(objects(channels["channels"], "channels", reader), 1):
                turn = reader.turn(channel, f"channel {number}", channel="channel_label")
                _read_items(reader, channel.get("items"), [turn])
        else:
            _read_items(reader, results.get("items"), [reader.turn(None, "")])
    return reader.utterances("aws", numbered=numbered or len(reader.turns) > 1)


def _read_segments(reader: JsonReader, results: dict[str, Any], segments: list[dict[str, Any]]) -> None:
    """Read the segments of speakers, whose words are those at their times."""
    keys = {"begin": "start_time", "end": "end_time", "speaker": "speaker_label", "channel": "channel_label"}
    turns = [reader.turn(segment, f"segment {number}", **keys) for number, segment in enumerate(segments, 1)]
    _read_items(reader, results.get("items"), turns)


def _read_items(reader: JsonReader, items: object, turns: list[Turn]) -> None:
    """Add the items to the turns, in the order of time."""
    order = sorted(turns, key=lambda turn: turn.facts.get("begin") or 0.0)
    last = order[0] if order else None
    for number, item in enumerate(objects(items or [], "items", reader), 1):
        where = f"item {number}"
        content = first_object(item.get("alternatives"), reader).get("content")
        if not isinstance(content, str) or last is None:
            reader.fault("word", f"there is no word in {where}", action="left out")
        elif item.get("type") == "punctuation":
            last.glue(content)
        else:
            speaker = as_name(item.get("speaker_label"))
            if len(order) > 1:
                last = _turn_of(item, order, speaker, last)
            when = reader.span(item.get("start_time"), item.get("end_time"), where)
            last.add(content, when, speaker=speaker, channel=as_name(item.get("channel_label")))


def _turn_of(item: dict[str, Any], turns: list[Turn], speaker: str | None, last: Turn) -> Turn:
    """The turn, if possible of this speaker, in which an item begins."""
    from bisect import bisect_right

    begin = as_number(item.get("start_time"))
    if begin is None:
        return last
    place = bisect_right(turns, begin, key=lambda turn: turn.facts.get("begin") or 0.0)
    before = turns[max(place - 8, 0) : place] or turns[:1]
    within = [turn for turn in before if begin <= (turn.facts.get("end") or begin)]
    own = [turn for turn in within if speaker is None or turn.facts.get("speaker") == speaker]
    return (own or within or before)[-1]


def read_aws_calls(
    data: _core.Buffer, *, name: str | None = None, on_error: str = "raise", unit: float = 0.001
) -> Utterances:
    """Read the turns of a call."""
    reader = JsonReader(data, name=name, on_error=on_error, unit=unit)
    keys = {"begin": "BeginOffsetMillis", "end": "EndOffsetMillis", "speaker": "ParticipantRole"}
    for value in reader.values:
        spoken = value.get("Transcript") if isinstance(value, dict) else None
        for number, part in enumerate(objects(spoken, "Transcript", reader), 1):
            where = f"turn {number}"
            turn = reader.turn(part, where, **keys)
            if "Items" not in part:
                turn.add_text(as_text(part.get("Content")))
            for place, item in enumerate(objects(part.get("Items") or [], f"items of {where}", reader), 1):
                content = item.get("Content")
                if not isinstance(content, str):
                    reader.fault("word", f"there is no word in item {place} of {where}", action="left out")
                elif item.get("Type") == "punctuation":
                    turn.glue(content)
                else:
                    times = item.get("BeginOffsetMillis"), item.get("EndOffsetMillis")
                    turn.add(content, reader.span(*times, f"item {place} of {where}"))
    return reader.utterances("aws-calls")
