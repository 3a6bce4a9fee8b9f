"""The strings in JSON of any depth, in their order.

>>> json_strings('{"tree": "(S a)", "more": [1, {"a": "b"}]}'), json_strings('{"tree": '), json_strings("7")
(['(S a)', 'b'], None, None)
"""

from __future__ import annotations

import re

_BLANKS = re.compile(r"[ \t\n\r]*")
_PLAIN_VALUE = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null|NaN|-?Infinity")
#: What may come next, by the open brackets and what came before.
_VALUE, _FIRST_VALUE, _KEY, _FIRST_KEY, _COLON, _BEHIND_VALUE = range(6)


def json_strings(text: str) -> list[str] | None:
    """The values that are strings, if the text is an object, a list or a string in JSON; else None."""
    at = _behind_blanks(text, 0)
    if not text.startswith(("{", "[", '"'), at):
        return None
    try:
        return _strings(text, at)
    except ValueError:
        return None


def _behind_blanks(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match else at


def _strings(text: str, at: int) -> list[str]:
    """The strings of valid JSON. Without recursion, because models print brackets without end."""
    from json import JSONDecoder

    string_at = JSONDecoder().raw_decode

    strings: list[str] = []
    closing: list[str] = []
    state = _VALUE
    while state != _BEHIND_VALUE or closing:
        at = _behind_blanks(text, at)
        character = text[at : at + 1]
        if character == '"' and state <= _FIRST_KEY:
            string, at = string_at(text, at)
            if state >= _KEY:
                state = _COLON
                continue
            strings.append(string)
            state = _BEHIND_VALUE
        elif character and character in "{[" and state <= _FIRST_VALUE:
            closing.append("}" if character == "{" else "]")
            state = _FIRST_KEY if character == "{" else _FIRST_VALUE
            at += 1
        else:
            state, at = _punctuation(text, at, state, closing)
    if _behind_blanks(text, at) != len(text):
        raise ValueError("text behind the JSON")
    return strings


def _punctuation(text: str, at: int, state: int, closing: list[str]) -> tuple[int, int]:
    """The state behind a closing bracket, a comma, a colon, or a value that is neither a string nor has parts."""
    character = text[at : at + 1]
    may_close = state in (_FIRST_VALUE, _FIRST_KEY, _BEHIND_VALUE)
    if may_close and closing and character == closing[-1]:
        closing.pop()
        return _BEHIND_VALUE, at + 1
    if state == _BEHIND_VALUE and character == ",":
        return (_KEY if closing[-1] == "}" else _VALUE), at + 1
    if state == _COLON and character == ":":
        return _VALUE, at + 1
    match = _PLAIN_VALUE.match(text, at) if state <= _FIRST_VALUE else None
    if match is None:
        raise ValueError("not JSON")
    return _BEHIND_VALUE, match.end()
