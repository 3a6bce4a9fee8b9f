"""Bytes of treebanks as text and back, and text as it can be shown."""

from __future__ import annotations

#: Begin and end of text that has a direction of its own, whatever stands around it.
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"
#: Characters that set the direction of the text after them, up to the end of the line if nobody stops them.
_DIRECTIONS = {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}

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

    >>> number_of(1, "tree"), number_of(2000, "tree"), number_of(2, "boundary")
    ('1 tree', '2,000 trees', '2 boundaries')
    """
    if count != 1:
        what = f"{what[:-1]}ies" if what.endswith("ry") else f"{what}s"
    return f"{count:,} {what}"


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


def width(text: str) -> int:
    """How many columns of a terminal a text takes: two for each wide character, none for marks upon others.

    >>> width("cat"), width("猫"), width("e\\u0301"), width("한")
    (3, 2, 1, 2)
    """
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    columns = 0
    for character in text:
        if "\u1160" <= character <= "\u11ff" or category(character) in ("Mn", "Me", "Cf"):
            continue
        columns += 2 if east_asian_width(character) in "WF" else 1
    return columns


def padded(text: str, columns: int) -> str:
    """The text with blanks behind it, so that it takes so many columns.

    >>> padded("猫", 3) + "|"
    '猫 |'
    """
    return text + " " * (columns - width(text))


def isolated(text: str) -> str:
    """Text as it can be shown in a column: what is written from right to left does not move what stands beside it.

    >>> isolated("cat"), ascii(isolated("חתול")) == r"'\\u2068\\u05d7\\u05ea\\u05d5\\u05dc\\u2069'"
    ('cat', True)
    """
    text = visible(text)
    if text.isascii():
        return text
    from unicodedata import bidirectional

    text = text.translate(_DIRECTIONS)
    leftwards = any(bidirectional(character) in ("R", "AL", "AN") for character in text)
    return f"{_ISOLATE}{text}{_END_ISOLATE}" if leftwards else text
