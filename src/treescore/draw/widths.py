"""The width of text, estimated without the font.

Pictures request Arial, Helvetica or Liberation Sans, which have the same widths; machines without them use DejaVu Sans
or the equally wide Verdana. Each width here is the maximum of both, so that text fits its box in any of these fonts.
"""

from __future__ import annotations

from ..helpers.text import visible

#: From space to tilde, in thousandths of the font size.
_ASCII = (
    *(318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337),
    *(636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 556),
    *(1015, 684, 686, 722, 770, 667, 611, 778, 752, 295, 500, 667, 557, 863, 748, 787),
    *(667, 787, 722, 667, 611, 732, 684, 989, 685, 667, 685, 390, 337, 390, 838, 556),
    *(500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612),
    *(635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838),
)
#: Other signs and punctuation that both fonts have.
_SIGNS = {
    **dict.fromkeys("−×≠", 838),
    **dict.fromkeys("€£", 636),
    **dict.fromkeys("–§", 556),
    **dict.fromkeys("“”", 518),
    **dict.fromkeys("‘’·", 318),
    **{"…": 1000, "—": 1000, "•": 590, "∅": 871},
}
#: Widths of other letters; other scripts use other, wider fonts.
_LETTER, _CAPITAL, _WIDE = 700, 800, 1000
_CACHE: dict[str, int] = {**_SIGNS}

#: Characters that set the direction of text, which are written as escapes.
_DIRECTIONS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))


def drawable(text: str) -> str:
    """Text on one line that every drawing program accepts; other characters are written as escapes.

    >>> drawable("a\\x00b"), drawable("\\udcff"), drawable("\\u202ecba"), drawable("\\ufffe")
    ('a\\\\x00b', '\\\\udcff', '\\\\u202ecba', '\\\\ufffe')
    """
    text = visible(text)
    return text if text.isascii() else "".join(map(_drawable, text))


def _drawable(character: str) -> str:
    code = ord(character)
    is_invalid = (
        0xD800 <= code < 0xE000 or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code < 0xFDF0 or code in (0x2028, 0x2029)
    )
    return ascii(character)[1:-1] if is_invalid or character in _DIRECTIONS else character


def text_width(text: str, size: float) -> float:
    """The width of a text at this font size.

    >>> text_width("NP", 10), text_width("猫", 10), text_width("e\\u0301", 10) == text_width("é", 10)
    (14.15, 10.0, True)
    """
    return sum(map(_width, text)) * size / 1000


def _width(character: str) -> int:
    code = ord(character) - 32
    if 0 <= code < len(_ASCII):
        return _ASCII[code]
    if character not in _CACHE:
        _CACHE[character] = _other_width(character)
    return _CACHE[character]


def _other_width(character: str) -> int:
    from unicodedata import category, east_asian_width, normalize

    if "\u1160" <= character <= "\u11ff" or category(character) in ("Mn", "Me", "Cf"):
        return 0
    if east_asian_width(character) in "WF":
        return _WIDE
    base = normalize("NFD", character)[0]
    if base != character:
        return _width(base)
    return _CAPITAL if character.isupper() else _WIDE if category(character)[0] == "S" else _LETTER


def clipped(text: str, size: float, most: float) -> str:
    """The text, or its beginning with an ellipsis if it is too wide.

    >>> clipped("Donaudampfschifffahrt", 10, 60)
    'Donauda…'
    """
    if text_width(text, size) <= most:
        return text
    room, end = most * 1000 / size - _WIDE, 0
    while room >= _width(text[end]):
        room -= _width(text[end])
        end += 1
    return text[:end] + "…"
