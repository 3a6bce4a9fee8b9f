"""The JSON of whisper.cpp: segments with times in milliseconds, and perhaps their tokens.

>>> text = b'{"transcription": [{"offsets": {"from": 0, "to": 900}, "text": " Go"}]}'
>>> read_whisper_cpp(text)[0].transcript.times
((0.0, 900.0),)
"""

from __future__ import annotations

import re

from .json_words import JsonReader, as_name, as_text, objects
from .turns import Piece, are_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.utterance import Utterances

#: Least share of tokens with a blank before them in a language with blanks; words may have several tokens.
_JOINS = 0.1
_MARK = re.compile(r"\s*(?:\[_[^\]]*\]|<\|[^|]*\|>)\s*")


def is_whisper_cpp(value: Any) -> bool:
    """Is there a transcription?"""
    return isinstance(value, dict) and isinstance(value.get("transcription"), list)


def read_whisper_cpp(
    data: _core.Buffer, *, name: str | None = None, on_error: str = "raise", unit: float = 0.001
) -> Utterances:
    """Read segments, each as an utterance; segments of one word each are one utterance."""
    reader = JsonReader(data, name=name, on_error=on_error, unit=unit)
    numbered = False
    for value in reader.values:
        items = objects(value.get("transcription") if isinstance(value, dict) else None, "transcription", reader)
        texts = [item["text"] for item in items if isinstance(item.get("text"), str)]
        if any("tokens" in item for item in items) or not are_words(Piece(text, None) for text in texts):
            numbered = True
            for number, item in enumerate(items, 1):
                _read_segment(reader, item, f"segment {number}")
        else:
            turn = reader.turn(None, "")
            for number, item in enumerate(items, 1):
                begin, end = _times(item)
                when = reader.span(begin, end, f"segment {number}")
                turn.add(as_text(item.get("text")), when, speaker=as_name(item.get("speaker")))
    return reader.utterances("whisper.cpp", joins=_JOINS, numbered=numbered)


def _read_segment(reader: JsonReader, item: dict[str, Any], where: str) -> None:
    begin, end = _times(item)
    turn = reader.turn({**item, "begin": begin, "end": end}, where, begin="begin", end="end", speaker="speaker")
    if "tokens" not in item:
        turn.add_text(as_text(item.get("text")))
        return
    for number, token in enumerate(objects(item["tokens"], f"tokens of {where}", reader), 1):
        text = token.get("text")
        if isinstance(text, str) and not _MARK.fullmatch(text):
            turn.add(text, reader.span(*_times(token), f"token {number} of {where}"))


def _times(item: dict[str, Any]) -> tuple[Any, Any]:
    """Begin and end from the offsets, or else from the times of day."""
    for key in ("offsets", "timestamps"):
        times = item.get(key)
        if isinstance(times, dict):
            return times.get("from"), times.get("to")
    return None, None
