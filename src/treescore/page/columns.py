"""Compact and safe encoding of numbers and texts for the page.

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

#: Control and invisible characters, replaced by escapes: direction marks, line ends, zero-width spaces, fillers, tags,
#: surrogates. The joiners U+200C and U+200D are kept, since they are part of the spelling of words.
_ESCAPES = {
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
    """Input text with escapes for control and invisible characters."""
    return text if text.isascii() and text.isprintable() else visible(text).translate(_ESCAPES)


def varints(values: Sequence[int]) -> bytes:
    """Non-negative integers in groups of seven bits, the lowest first."""
    try:
        single = bytes(values)
    except ValueError:  # a value above 255
        single = b""
    if len(single) == len(values) and single.isascii():
        return single
    out = bytearray()
    for value in values:
        while value >= 128:
            out.append(value & 127 | 128)
            value >>= 7
        out.append(value)
    return bytes(out)


def signed(value: int) -> int:
    """An integer as a non-negative integer.

    >>> [signed(value) for value in (0, -1, 1, -2)]
    [0, 1, 2, 3]
    """
    return value * 2 if value >= 0 else -2 * value - 1


def lines(texts: Iterable[str]) -> bytes:
    """Texts without line ends, one per line."""
    return "\n".join(texts).encode()
