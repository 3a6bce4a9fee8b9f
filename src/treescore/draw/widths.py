"""How wide a text will be when it is drawn, as far as that can be said without the font.

The widths of the ASCII characters are those of Helvetica, which Arial and Liberation Sans share; pictures ask for one
of these. What another font draws in their place is seldom wider than the space between two words.
"""

from __future__ import annotations

from ..text import visible

#: From the blank to the tilde, in thousandths of the size of the type.
_ASCII = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
#: Signs and punctuation that Helvetica has beyond ASCII.
_SIGNS = {
    **dict.fromkeys("−×", 584),
    **dict.fromkeys("–€£§", 556),
    **dict.fromkeys("“”", 333),
    **dict.fromkeys("‘’", 222),
    **{"≠": 549, "…": 1000, "—": 1000, "·": 278, "•": 350},
}
#: Of letters that Helvetica does not have: other scripts come from other fonts, whose letters are wider.
_LETTER, _CAPITAL, _WIDE = 700, 800, 1000
_CACHE: dict[str, int] = {**_SIGNS}

#: Characters that set the direction of the text after them: they are spelled out.
_DIRECTIONS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))


def drawable(text: str) -> str:
    """Text on one line that every drawing program takes: what cannot be drawn is spelled out.

    >>> drawable("a\\x00b"), drawable("\\udcff"), drawable("\\u202ecba"), drawable("\\ufffe")
    ('a\\\\x00b', '\\\\udcff', '\\\\u202ecba', '\\\\ufffe')
    """
    text = visible(text)
    return text if text.isascii() else "".join(map(_drawable, text))


def _drawable(character: str) -> str:
    code = ord(character)
    spelled = 0xD800 <= code < 0xE000 or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code < 0xFDF0 or code in (0x2028, 0x2029)
    return ascii(character)[1:-1] if spelled or character in _DIRECTIONS else character


def text_width(text: str, size: float) -> float:
    """The width of a text in type of this size.

    >>> text_width("NP", 10), text_width("猫", 10), text_width("e\\u0301", 10) == text_width("é", 10)
    (13.89, 10.0, True)
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
    """The text, or as much of its beginning as fits, with three dots behind it.

    >>> clipped("Donaudampfschifffahrt", 10, 60)
    'Donaudam…'
    """
    if text_width(text, size) <= most:
        return text
    room, end = most * 1000 / size - _WIDE, 0
    while room >= _width(text[end]):
        room -= _width(text[end])
        end += 1
    return text[:end] + "…"
