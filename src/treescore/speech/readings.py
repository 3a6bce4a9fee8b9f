"""The spoken words of a tree, and how to look them up in a pronunciation dictionary.

>>> [word.text for word in spoken([("I", "PRP"), ("ca", "MD"), ("n't", "RB"), ("go", "VB"), (".", ".")], {"can't"})]
['I', "can't", 'go']
>>> spoken([("In", "IN"), ("1990", "CD")], ())[1].readings
(('1990',), ('nineteen', 'ninety'))
"""

from __future__ import annotations

import re

from ..values.value import Value
from ..words.normal import Normal
from ..words.silent import SILENT_TAGS, is_silent
from .numbers import number_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    Reading = tuple[str, ...]

#: Leaves that end the previous word, such as n't; so do leaves that begin with an apostrophe.
ENDINGS = frozenset(("n't", "na", "ta"))
#: Leaves that begin the next word, as in 't is.
BEGINNINGS = frozenset(("'t", "d'", "y'"))
#: Symbols that are read as words.
MARKS = {"%": "percent", "&": "and", "@": "at", "+": "plus", "=": "equals", "°": "degrees"}
#: Tags of words that may be spelt out although there is a word with these letters: the US is not us.
NAMES = frozenset((None, "NNP", "NNPS"))
#: Currency signs, read after the number if both are one word; a separate sign is not aligned.
MONEY = {"$": "dollars", "£": "pounds", "€": "euros"}

#: Letters that Unicode does not divide into a plain letter and an accent.
_LETTERS = str.maketrans({"æ": "ae", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "œ": "oe", "þ": "th"})
_MAX_LETTERS = 5  # longer words in capitals are not spelt out
_WORD = re.compile(r"[^\s()<>{}\[\]]+")  # words with brackets are only looked up as a whole, in your dictionary
_NOTE = re.compile(r"\[.*\]|<.*>")  # notes such as [laughter]
_UNREADABLE = re.compile(r"[0-9]/[0-9]|(?![0-9])\d")  # 1/2 may be a half, a date or a score; and other digits than 0-9
_BETWEEN = re.compile(r"[-/_\s]+")
_PIECES = re.compile(r"[0-9][0-9.,:]*|[^\W\d_']+(?:'[^\W\d_]+)*|[%&@+=°]")


class Spoken(Value):
    """A word of the text and its readings as words of a dictionary, best first.

    `spelt` are its letters if only the recording can show whether it is spelt out.
    """

    text: str
    readings: tuple[Reading, ...]
    spelt: Reading = ()


def spoken(leaves: Iterable[tuple[str, str | None]], known: Container[str]) -> list[Spoken]:
    """The spoken words of leaves with tags; `known` are the words of the dictionary.

    The dictionary only decides whether a leaf such as 'em belongs to the previous word.
    """
    normal = Normal()
    words: list[str] = []
    tags: list[str | None] = []
    for text, tag in leaves:
        form = normal.word(text)
        if tag in SILENT_TAGS or is_silent(form) or text in MONEY or _NOTE.fullmatch(form):
            continue
        if words and _is_ending(form, normal.word(words[-1]), known):
            words[-1] += text
        else:
            words.append(text)
            tags.append(tag)
    mixed = any(character.islower() for word in words for character in word)
    return [
        Spoken(word, _readings(word, normal, spell=mixed), spelt=_spelt(word) if mixed and tag in NAMES else ())
        for word, tag in zip(words, tags, strict=True)
    ]


def _spelt(word: str) -> Reading:
    """The letters of a word in capitals; empty for other words.

    >>> _spelt("US,"), _spelt("U.S."), _spelt("Us"), _spelt("I"), _spelt("NATIONS")
    (('u.', 's.'), ('u.', 's.'), (), (), ())
    """
    letters = _trimmed(word).replace(".", "")
    if 1 < len(letters) <= _MAX_LETTERS and letters.isascii() and letters.isalpha() and letters.isupper():
        return tuple(f"{letter}." for letter in letters.lower())
    return ()


def _is_ending(text: str, before: str, known: Container[str]) -> bool:
    """Is a leaf spoken together with the previous word?

    >>> _is_ending("'s", "kowalski", ()), _is_ending("'em", "get", {"'em"}), _is_ending("na", "gon", {"gonna"})
    (True, False, True)
    """
    if text in ("'s", "n't") or before in BEGINNINGS:
        return True
    if text not in ENDINGS and not text.startswith("'"):
        return False
    return before + text in known


def _readings(word: str, normal: Normal, *, spell: bool) -> tuple[Reading, ...]:
    """The ways to look up a word; `spell` if capitals are significant in this text."""
    text = normal.word(word)
    bare = _trimmed(text)
    forms = (text, bare, bare.strip("'"))
    readings: dict[Reading, None] = dict.fromkeys((form,) for form in forms)
    if text in MARKS:
        readings[(MARKS[text],)] = None
    if not _UNREADABLE.search(text):
        readings[_parts(text)] = None
    spelt = _spelt(bare.upper()) if _is_dotted(text) else _spelt(word) if spell else ()
    if spelt:
        readings[spelt] = None
    plain = without_accents(bare)
    if plain != bare:
        readings[(plain,)] = None
    possible = (reading for reading in readings if reading == (text,) or all(map(_WORD.fullmatch, reading)))
    return tuple(filter(None, possible))


def _trimmed(text: str) -> str:
    """The text without punctuation at its ends, except apostrophes.

    >>> _trimmed("(hello),"), _trimmed("'em"), _trimmed("dogs'")
    ('hello', "'em", "dogs'")
    """
    begin, end = 0, len(text)
    while begin < end and not (text[begin].isalnum() or text[begin] == "'"):
        begin += 1
    while begin < end and not (text[end - 1].isalnum() or text[end - 1] == "'"):
        end -= 1
    return text[begin:end]


def _is_dotted(text: str) -> bool:
    """
    >>> _is_dotted("u.s.a."), _is_dotted("e.g"), _is_dotted("end.")
    (True, True, False)
    """
    letters = text.removesuffix(".").split(".")
    return len(letters) > 1 and all(len(letter) == 1 and letter.isalpha() for letter in letters)


def _parts(text: str) -> Reading:
    """The parts of a word: numbers and symbols as words, and the parts between hyphens.

    >>> _parts("$3.50"), _parts("f-16"), _parts("50%"), _parts("well-known")
    (('three', 'point', 'five', 'zero', 'dollars'), ('f', 'sixteen'), ('fifty', 'percent'), ('well', 'known'))
    """
    money = MONEY.get(text[:1])
    pieces = [word for piece in _BETWEEN.split(text[1:] if money else text) for word in _piece(piece)]
    if money and pieces:
        pieces.append(money.removesuffix("s") if pieces == ["one"] else money)
    return tuple(pieces)


def _piece(text: str) -> list[str]:
    bare = text if _is_dotted(text) else text.strip("'\"()[]{}<>.,;:!?…")
    number = number_words(text) or number_words(bare)
    if number:
        return number
    pieces = _PIECES.findall(bare)
    return [word for piece in pieces for word in number_words(piece.rstrip(".,:")) or [MARKS.get(piece, piece)]]


def without_accents(text: str) -> str:
    """
    >>> without_accents("café"), without_accents("łódź")
    ('cafe', 'lodz')
    """
    if text.isascii():
        return text
    from unicodedata import combining, normalize

    return "".join(character for character in normalize("NFKD", text) if not combining(character)).translate(_LETTERS)
