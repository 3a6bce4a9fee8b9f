"""Records of completions: the text that a model printed, and the id and the words of its sentence if they are known.

>>> record = record_of({"id": 7, "choices": [{"message": {"role": "assistant", "content": "(S a)"}}]})
>>> record.text, record.ids
('(S a)', {'id': '7'})
"""

from __future__ import annotations

import re

from ...helpers.text import decode, visible
from ...values.problem import UsageError
from ..data_frames import is_missing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

#: Where the text of a completion may be; the first that is there counts.
FIELDS = (
    "completion",
    "response",
    "output",
    "text",
    "choices[0].message.content",
    "choices[0].text",
    "message.content",
    "content",
)
#: Where the id of a sentence may be.
ID_FIELDS = ("id", "custom_id", "sentence_id", "idx", "index")
#: Where the words of a sentence may be.
WORD_FIELDS = ("sentence", "words")

_STEP = re.compile(r"[^.\[\]]+")
_ABSENT = object()


class Record:
    """A completion before it is read. `ids` are its ids by the names of their fields."""

    __slots__ = ("ids", "line", "text", "words")

    def __init__(
        self, text: str, ids: Mapping[str, str] | None = None, words: object = None, line: int | None = None
    ) -> None:
        self.text, self.ids, self.words, self.line = text, ids or {}, words, line


def record_of(item: object, field: str | None = None, line: int | None = None) -> Record:
    """The record of a text, None, a message, a list of messages or parts, or an object with the usual fields."""
    ids: dict[str, str] = {}
    words = None
    if isinstance(item, dict):
        ids = {name: str(item[name]) for name in ID_FIELDS if _is_id(item.get(name))}
        words = next((item[name] for name in WORD_FIELDS if item.get(name) is not None), None)
    return Record(text_of(item, field), ids, words, line)


def _is_id(value: object) -> bool:
    is_number = hasattr(type(value), "__index__") and not isinstance(value, bool)  # also those of numpy
    return isinstance(value, str) or is_number


def text_of(item: object, field: str | None = None) -> str:
    """The text of a completion; nothing printed is an empty text."""
    if field is not None:
        item = _chosen_field(item, field)
    while not isinstance(item, str):
        if is_missing(item):
            return ""
        if isinstance(item, bytes):
            return decode(item)
        if isinstance(item, dict):
            item = _usual_field(item)
        elif isinstance(item, list | tuple):
            item = _of_list(item)
        else:
            raise UsageError(f"a completion is text, a message or an object, not of type {type(item).__name__}")
    return item


def _chosen_field(item: object, field: str) -> object:
    value = _at(item, field)
    if value is _ABSENT:
        raise UsageError(f"there is no field {field!r} in this object{_known(item)}")
    return value


def _usual_field(item: dict[str, Any]) -> object:
    """The value of the first usual field that is there."""
    value = _first_usual(item)
    if value is _ABSENT:
        raise UsageError(f"there is no completion in this object{_known(item)}; name its field (field, --field)")
    return value


def has_completion(item: dict[str, Any]) -> bool:
    """Does an object have one of the usual fields?"""
    return _first_usual(item) is not _ABSENT


def _first_usual(item: dict[str, Any]) -> object:
    values = (_at(item, f"{where}{field}") for where in ("response.body.", "") for field in FIELDS)
    return next((value for value in values if value is not _ABSENT), _ABSENT)


def _known(item: object) -> str:
    names = ", ".join(visible(str(name)) for name in list(item)[:9]) if isinstance(item, dict) else ""
    return f" (it has {names})" if names else ""


def _at(item: object, path: str) -> object:
    """The value at a path such as `choices[0].text`."""
    for step in _STEP.findall(path):
        if isinstance(item, dict) and step in item:
            item = item[step]
        elif isinstance(item, list) and step.isdecimal() and int(step) < len(item):
            item = item[int(step)]
        else:
            return _ABSENT
    return item


def _of_list(items: Sequence[object]) -> object:
    """The last message of the assistant, the last message, or the text of all parts."""
    messages = [item for item in items if isinstance(item, dict) and ("role" in item or "content" in item)]
    if messages:
        answers = [message for message in messages if message.get("role") == "assistant"]
        return (answers or messages)[-1].get("content")
    return "".join(map(_part, items))


def _part(part: object) -> str:
    """The text of a part of a message; images and other parts have none."""
    text = part.get("text") if isinstance(part, dict) else part
    return text if isinstance(text, str) else ""
