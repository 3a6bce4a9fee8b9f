"""The JSON of Hugging Face's speech recognition pipeline: chunks of words, segments or characters.

>>> text = b'{"chunks": [{"text": " Go", "timestamp": [0.0, 0.3]}, {"text": " on", "timestamp": [1, 2]}]}'
>>> read_hugging_face(text)[0].transcript.times
((0.0, 0.3), (1.0, 2.0))
"""

from __future__ import annotations

from .json_words import JsonReader, as_text, objects
from .turns import Piece, Turn, are_words, joined_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.utterance import Utterances


def is_hugging_face(value: Any) -> bool:
    """Are there chunks?"""
    if isinstance(value, list):
        return bool(value) and is_hugging_face(value[0])
    return isinstance(value, dict) and isinstance(value.get("chunks"), list)


def read_hugging_face(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read segments, each as an utterance; words or characters are one utterance."""
    reader = JsonReader(data, name=name, on_error=on_error)
    results = [part for value in reader.values for part in (value if isinstance(value, list) else [value])]
    are_segments = [_read_result(reader, result) for result in results]
    return reader.utterances("hf", joins=0.5, numbered=any(are_segments) or len(results) > 1)


def _read_result(reader: JsonReader, result: Any) -> bool:
    """Read the chunks of a result. Are they segments?"""
    chunks = objects(result.get("chunks") if isinstance(result, dict) else None, "chunks", reader)
    texts = [chunk["text"] for chunk in chunks if isinstance(chunk.get("text"), str)]
    if not are_words(Piece(text, None) for text in texts):
        for number, chunk in enumerate(chunks, 1):
            begin, end = _times(chunk)
            turn = reader.turn({"begin": begin, "end": end}, f"chunk {number}", begin="begin", end="end")
            turn.add_text(as_text(chunk.get("text")))
        return True
    turn = reader.turn(None, "")
    for number, chunk in enumerate(chunks, 1):
        if isinstance(chunk.get("text"), str):
            turn.add(chunk["text"], reader.span(*_times(chunk), f"chunk {number}"))
        else:
            reader.fault("word", f"there is no word in chunk {number}", action="left out")
    if any(not text.strip() for text in texts) and all(len(text) <= 1 for text in texts):
        _join_characters(turn)
        turn.words = joined_words(turn.words)
    return False


def _times(chunk: dict[str, Any]) -> tuple[Any, Any]:
    times = chunk.get("timestamp")
    return (times[0], times[1]) if isinstance(times, list) and len(times) == 2 else (None, None)


def _join_characters(turn: Turn) -> None:
    """Mark the characters after blanks as the begins of words."""
    starts = True
    for word in turn.words:
        if not word.text.strip():
            starts = True
            continue
        if starts:
            word.text = f" {word.text}"
        starts = False
