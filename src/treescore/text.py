"""Bytes of treebanks as text and back, and text as it can be shown."""

from __future__ import annotations

_ESCAPES = str.maketrans({"(": "-LRB-", ")": "-RRB-", **dict.fromkeys(" \t\n\v\f\r", "_")})


def decode(text: bytes) -> str:
    """Bytes of a treebank as text; what is not UTF-8 survives the way back."""
    return text.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes behind `decode`."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a surrogate pair, which no file can hold
        return text.encode("utf-8", "surrogatepass")


def number_of(count: int, what: str) -> str:
    """A number with its noun.

    >>> number_of(1, "tree"), number_of(2000, "tree")
    ('1 tree', '2,000 trees')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def escaped(text: str) -> str:
    """A label or word as it can stand in brackets.

    >>> escaped("a (b)")
    'a_-LRB-b-RRB-'
    """
    return text.translate(_ESCAPES)


def visible(text: str) -> str:
    """Text on one line without control characters, which would be obeyed where it is shown.

    >>> visible("a\\nb\\x1b[31m")
    'a\\\\nb\\\\x1b[31m'
    """
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    shown = character.isprintable() or ord(character) >= 160
    return character if shown else ascii(character)[1:-1]
