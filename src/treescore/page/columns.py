"""Numbers and texts as the page stores them: small, and harmless wherever they stand.

>>> varints([1, 300])
b'\\x01\\xac\\x02'
>>> shown("a\\u202eb\\x00")
'a\\\\u202eb\\\\x00'
"""

from __future__ import annotations

from ..helpers.text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: What would be obeyed and not shown, cannot be seen, or cannot be stored: marks of direction, ends of lines, blanks
#: without width, fillers, tags, halves of characters. The joiners U+200C and U+200D are part of how words are written.
_OBEYED = {
    code: ascii(chr(code))[1:-1]
    for code in (
        *(0x00AD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x3164, 0xFEFF, 0xFFA0),
        *range(0x2028, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xD800, 0xE000),
        *range(0xFFF9, 0xFFFC),
        *range(0xE0000, 0xE0080),
    )
}


def shown(text: str) -> str:
    """Text of the input as the page shows it: nothing in it is obeyed, and every character can be stored."""
    return text if text.isascii() and text.isprintable() else visible(text).translate(_OBEYED)


def varints(values: Sequence[int]) -> bytes:
    """Whole numbers from 0 in groups of seven bits, the lowest first."""
    try:
        found = bytes(values)
    except ValueError:  # one is above 255
        found = b""
    if len(found) == len(values) and found.isascii():
        return found
    out = bytearray()
    for value in values:
        while value >= 128:
            out.append(value & 127 | 128)
            value >>= 7
        out.append(value)
    return bytes(out)


def signed(value: int) -> int:
    """A whole number as one from 0.

    >>> [signed(value) for value in (0, -1, 1, -2)]
    [0, 1, 2, 3]
    """
    return value * 2 if value >= 0 else -2 * value - 1


def lines(texts: Iterable[str]) -> bytes:
    """Texts that were made visible, so that they contain no ends of lines."""
    return "\n".join(texts).encode()
