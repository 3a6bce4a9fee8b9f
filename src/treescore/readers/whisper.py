"""The JSON of Whisper and its relatives: segments with words, or words alone.

openai-whisper, faster-whisper, whisper-timestamped, stable-ts, WhisperX, OpenAI's API, NeMo's timestamps,
ctc-segmentation, and any list of objects with word (or text), start and end.

>>> text = b'{"segments": [{"start": 0, "end": 1, "words": [{"word": "So", "start": 0.1, "end": 0.4}, {"word": "2"}]}]}'
>>> utterance = read_whisper(text, name="a.json")[0]
>>> utterance.id, utterance.end, utterance.transcript.words, utterance.transcript.times
('a-001', 1.0, ('So', '2'), ((0.1, 0.4), None))
"""

from __future__ import annotations

from bisect import bisect_right

from ..values.problem import InputError, Problem
from .json_words import JsonReader, got, objects
from .turns import Piece, Turn, are_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.utterance import Utterances

#: Note on segments with a text whose words WhisperX could not find in the audio.
_UNALIGNED = "some segments could not be aligned; their words have no times"
_WORD_KEYS = ("word", "text", "segment")


def is_whisper(value: Any) -> bool:
    """Are there segments, words, or a list of objects with times?"""
    if isinstance(value, list):
        return bool(value) and isinstance(value[0], dict) and _is_piece(value[0])
    if not isinstance(value, dict):
        return False
    return any(isinstance(value.get(key), list) for key in ("segments", "word_segments", "words")) or (
        _is_piece(value) or _nemo(value) is not None
    )


def _is_piece(item: dict[str, Any]) -> bool:
    return bool({"words", "word", "text"} & item.keys()) and ("words" in item or "start" in item or "word" in item)


def _nemo(value: dict[str, Any]) -> dict[str, Any] | None:
    """NeMo's timestamps: lists of words and segments."""
    stamps = value.get("timestamp", value)
    return stamps if isinstance(stamps, dict) and isinstance(stamps.get("word"), list) else None


def read_whisper(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read segments, each as an utterance; words without segments are one utterance."""
    reader = JsonReader(data, name=name, on_error=on_error)
    numbered, loose = False, False
    pieces: list[dict[str, Any]] = []  # values over several lines: a segment or a word each
    for value in reader.values:
        if isinstance(value, dict) and _is_piece(value) and "segments" not in value and "start" in value:
            pieces.append(value)
            continue
        segments, words = _parts(value)
        if segments is None and words is None:
            message = "this is JSON, but it has no segments or words like Whisper's"
            raise InputError(Problem("format", message, file=name))
        if segments is not None and (segments or not words):
            items = objects(segments, "segments", reader)
            if words or any(item.get("words") is not None for item in items):
                numbered = True
                _read_segments(reader, items, words)
            else:
                numbered = _read_pieces(reader, items) or numbered
        else:
            loose = True
            numbered = _read_pieces(reader, objects(words or [], "words", reader)) or numbered
    if pieces:
        numbered = _read_pieces(reader, pieces) or numbered
    numbered = numbered or (loose and len(reader.turns) > 1)
    return reader.utterances("whisper", joins=0.5, numbered=numbered)


def _parts(value: object) -> tuple[Any, Any]:
    """Segments, and words outside of segments."""
    if isinstance(value, list):
        return None, value if not value or any(isinstance(item, dict) for item in value) else None
    if not isinstance(value, dict):
        return None, None
    nemo = _nemo(value)
    if nemo is not None:
        return nemo.get("segment"), nemo["word"]
    segments, words = value.get("segments"), got(value, "words", "word_segments")
    has_own = isinstance(segments, list) and any(isinstance(item, dict) and item.get("words") for item in segments)
    return segments, None if has_own else words


def _read_segments(reader: JsonReader, segments: list[dict[str, Any]], words: object) -> None:
    """Read segments; words outside of them are added by their times."""
    turns = []
    for number, segment in enumerate(segments, 1):
        where = f"segment {number}"
        turn = reader.turn(segment, where, begin="start", end="end", speaker="speaker")
        turns.append(turn)
        if words:
            continue
        _read_segment(reader, turn, segment, where)
    if words:
        loose = Turn()
        reader.take(loose, words, "words")
        _distribute(loose, turns)


def _read_segment(reader: JsonReader, turn: Turn, segment: dict[str, Any], where: str) -> None:
    words, text = segment.get("words"), got(segment, "text", "segment")
    if words:
        tuples = [item for item in words if isinstance(item, list) and len(item) >= 3]
        for begin, end, word, *_ in tuples:  # faster-whisper before 1.1
            if isinstance(word, str):
                turn.add(word, reader.span(begin, end, where))
        if not tuples:
            reader.take(turn, words, where, word=_WORD_KEYS)
    elif isinstance(text, str):
        turn.add_text(text)
        if words is not None:  # an empty list
            for word in turn.words:
                word.when = None
            if text.strip():
                reader.notes[_UNALIGNED] = None
    elif words is None:
        reader.fault("word", f"there is no text in {where}", action="left out")


def _distribute(loose: Turn, turns: list[Turn]) -> None:
    """Add words to the segments that contain their midpoints, or else to the last one that begins before."""
    begins = [turn.facts.get("begin") or 0.0 for turn in turns]
    place = 0
    for word in loose.words:
        if word.when is not None:
            middle = (word.when[0] + word.when[1]) / 2
            place = max(bisect_right(begins, middle) - 1, 0)
        if turns:
            turns[place].words.append(word)


def _read_pieces(reader: JsonReader, items: list[dict[str, Any]]) -> bool:
    """Read a list of words, or of segments. Are they segments?"""
    if any(item.get("words") is not None for item in items) or not are_words(
        Piece(text, None) for item in items if isinstance(text := got(item, *_WORD_KEYS), str)
    ):
        _read_segments(reader, items, None)
        return True
    turn = reader.turn(None, "")
    reader.take(turn, items, "words", word=_WORD_KEYS)
    return False
