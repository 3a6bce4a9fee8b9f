"""The JSON of Vosk: results one after the other, each an utterance.

>>> text = b'{"partial": "g"} {"result": [{"conf": 1, "start": 0.1, "end": 0.4, "word": "go"}], "text": "go"}'
>>> read_vosk(text)[0].transcript.times
((0.1, 0.4),)
"""

from __future__ import annotations

from .json_words import JsonReader, as_text, first_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.utterance import Utterances


def is_vosk(value: Any) -> bool:
    """Is this a result or a partial result, perhaps without words?"""
    if isinstance(value, list):
        return bool(value) and is_vosk(value[0])
    if not isinstance(value, dict):
        return False
    if "result" in value and "text" in value and isinstance(value["result"], list):
        return True
    has_choices = isinstance(value.get("alternatives"), list) and "result" in first_object(value["alternatives"])
    return has_choices or (value.keys() <= {"text", "partial", "partial_result", "alternatives"} and len(value) > 0)


def read_vosk(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read all results with words."""
    reader = JsonReader(data, name=name, on_error=on_error)
    for value in reader.values:
        for result in value if isinstance(value, list) else [value]:
            if isinstance(result, dict) and "alternatives" in result:
                result = first_object(result["alternatives"], reader)
            if not isinstance(result, dict) or not (result.get("result") or result.get("text")):
                continue
            where = f"result {len(reader.turns) + 1}"
            turn = reader.turn(None, where)
            if "result" in result:
                reader.take(turn, result["result"], where)
            else:
                turn.add_text(as_text(result["text"]))
    return reader.utterances("vosk", numbered=len(reader.turns) > 1)
