"""The spoken words of a tree, and how to look them up in a pronunciation dictionary.

>>> [word.text for word in spoken([("I", "PRP"), ("ca", "MD"), ("n't", "RB"), ("go", "VB"), (".", ".")], {"can't"})]
['I', "can't", 'go']
>>> spoken([("In", "IN"), ("1990", "CD")], ())[1].readings
(('1990',), ('nineteen', 'ninety'))
>>> spoken([("$", "$"), ("5", "CD"), ("million", "CD")], ())[1].readings
(('million', 'dollars'),)
"""

from __future__ import annotations

import re

from ..values.value import Value
from ..words.normal import Normal
from ..words.silent import SILENT_TAGS, is_silent
from .numbers import number_words
from .written import MONEY, SCALES, with_currency, written_readings

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

#: Letters that Unicode does not divide into a plain letter and an accent.
_LETTERS = str.maketrans({"æ": "ae", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "œ": "oe", "þ": "th"})
_LONGEST = 40  # letters of a word with capitals inside
_MAX_LETTERS = 5  # longer words in capitals are not spelt out
_MARKS = "'\"()[]{}<>,;:!?"
_WORD = re.compile(r"[^\s()<>{}\[\]]+")  # words with brackets are only looked up as a whole, in your dictionary
_NOTE = re.compile(r"\[.*\]|<.*>")  # notes such as [laughter]
_UNREADABLE = re.compile(r"(?![0-9])\d")  # other digits than 0-9
_CAPITALS_INSIDE = re.compile("[A-Za-z]+[A-Z][A-Za-z]*[a-z]|[A-Za-z]*[a-z][A-Za-z]*[A-Z]")
_CASED = re.compile("[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]")
_BETWEEN = re.compile(r"[-/_\s]+")
_PIECES = re.compile(r"[0-9][0-9.,:]*|[^\W\d_']+(?:'[^\W\d_]+)*|[%&@+=°]")


class Spoken(Value):
    """A word of the text and its readings as words of a dictionary, best first.

    Only the recording can show whether one of the `others` is right: a half or January second, us or the US.
    """

    text: str
    readings: tuple[Reading, ...]
    others: tuple[Reading, ...] = ()


def spoken(leaves: Iterable[tuple[str, str | None]], known: Container[str], *, english: bool = True) -> list[Spoken]:
    """The spoken words of leaves with tags; `known` are the words of the dictionary.

    The dictionary only decides whether a leaf such as 'em belongs to the previous word. Words of other languages than
    English are only looked up, as a whole or in parts between hyphens.
    """
    normal = Normal()
    words: list[str] = []
    tags: list[str | None] = []
    signs: dict[int, str] = {}  # currencies before words
    for text, tag in leaves:
        form = normal.word(text)
        if text in MONEY:
            signs[len(words)] = text
        if tag in SILENT_TAGS or is_silent(form) or text in MONEY or _NOTE.fullmatch(form):
            continue
        if words and _is_ending(form, normal.word(words[-1]), known):
            words[-1] += text
        else:
            words.append(text)
            tags.append(tag)
    mixed = any(character.islower() for word in words for character in word)
    forms = [normal.word(word) for word in words]
    if not english:
        return [Spoken(word, _looked_up(form)) for word, form in zip(words, forms, strict=True)]
    currencies = _currencies(forms, signs)
    return [
        _spoken(word, form, spell=mixed, name=tag in NAMES, after_number=before[:1].isdigit(), currency=currency)
        for word, form, tag, before, currency in zip(words, forms, tags, ["", *forms], currencies, strict=False)
    ]


def _currencies(words: list[str], signs: dict[int, str]) -> list[str]:
    """The currency that is spoken after each word; empty for most words.

    In `words`, signs are removed from amounts that are followed by a large number, and added to other amounts.

    >>> words = ["$2.5", "million", "and", "3"]
    >>> _currencies(words, {3: "£"}), words
    (['', '$', '', ''], ['2.5', 'million', 'and', '£3'])
    """
    currencies = [""] * len(words)
    for place, word in enumerate(words):
        sign = signs.get(place) or word[:1]
        last = place
        while last + 1 < len(words) and words[last + 1] in SCALES:
            last += 1
        amount = word if place in signs else word[1:]
        if sign in MONEY and amount[:1].isdigit():
            words[place] = amount if last > place else sign + amount
            currencies[last] = sign if last > place else ""
    return currencies


def _spoken(word: str, form: str, *, spell: bool, name: bool, after_number: bool, currency: str) -> Spoken:
    """A word with its readings; `spell` if capitals are significant in this text, `name` if it may be a name."""
    written = _written(form, after_number=after_number)
    readings = _readings(word, form, written[:1], spell=spell)
    spelt = _spelt(form.upper()) if written and _is_dotted(form) else _spelt(word) if spell and name else ()
    others = (*written, *([spelt] if spelt else []))
    if currency:
        readings, others = (tuple(with_currency(each, currency) for each in some) for some in (readings, others))
    return Spoken(word, readings, others if others != readings[:1] else ())


def _written(form: str, *, after_number: bool) -> tuple[Reading, ...]:
    """The readings of numbers, abbreviations and so on, without punctuation around them."""
    forms = (form, form.strip(_MARKS), form.strip(f"{_MARKS}.…"), _trimmed(form))
    return next(filter(None, (written_readings(each, after_number=after_number) for each in forms)), ())


def _spelt(word: str) -> Reading:
    """The letters of a word in capitals; empty for other words.

    >>> _spelt("US,"), _spelt("U.S."), _spelt("Us"), _spelt("I"), _spelt("NATIONS")
    (('u.', 's.'), ('u.', 's.'), (), (), ())
    """
    letters = _trimmed(word).replace(".", "")
    if 1 < len(letters) <= _MAX_LETTERS and letters.isascii() and letters.isalpha() and letters.isupper():
        return tuple(f"{letter}." for letter in letters.lower())
    return ()


def _by_capitals(word: str) -> Reading:
    """The parts of a word with capitals inside it, of which runs of capitals are letters; empty for other words.

    >>> _by_capitals("ChatGPT"), _by_capitals("LLMs,"), _by_capitals("iPhone"), _by_capitals("Kids")
    (('chat', 'g.', 'p.', 't.'), ('l.', 'l.', "m.'s"), ('i.', 'phone'), ())
    """
    letters = _trimmed(word)
    if len(letters) > _LONGEST or not _CAPITALS_INSIDE.fullmatch(letters):
        return ()
    parts: list[str] = []
    for part in _CASED.findall(letters):
        if part[:-1].isupper() and part.endswith("s"):
            parts += [f"{letter}." for letter in part[:-2].lower()]
            parts.append(f"{part[-2].lower()}.'s")
        elif part.isupper() or len(part) == 1:
            parts += [f"{letter}." for letter in part.lower()]
        else:
            parts.append(part.lower())
    return tuple(parts)


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


def _readings(word: str, text: str, written: Iterable[Reading], *, spell: bool) -> tuple[Reading, ...]:
    """The ways to look up a word, whose normalised form is `text`; `spell` if capitals are significant in this text."""
    bare = _trimmed(text)
    readings: dict[Reading, None] = dict.fromkeys((form,) for form in (text, bare, bare.strip("'")))
    readings |= dict.fromkeys(written)
    if text in MARKS:
        readings[(MARKS[text],)] = None
    if not _UNREADABLE.search(text):
        readings[_parts(text)] = None
    spelt = _spelt(bare.upper()) if _is_dotted(text) else _spelt(word) or _by_capitals(word) if spell else ()
    if spelt:
        readings[spelt] = None
    plain = without_accents(bare)
    if plain != bare:
        readings[(plain,)] = None
    possible = (reading for reading in readings if reading == (text,) or all(map(_WORD.fullmatch, reading)))
    return tuple(filter(None, possible))


def _looked_up(text: str) -> tuple[Reading, ...]:
    """The ways to look up a word of any language: with and without punctuation, and in parts.

    >>> _looked_up("c'est-à-dire,")
    (("c'est-à-dire,",), ("c'est-à-dire",), ("c'est", 'à', 'dire'), ("c'", 'est', 'à', 'dire'))
    """
    bare = _trimmed(text)
    parts = tuple(filter(None, map(_trimmed, _BETWEEN.split(bare))))
    pieces = tuple(piece for part in parts for piece in re.findall("[^']*'|[^']+", part))
    whole = ((form,) for form in (text, bare, bare.strip("'")) if form)
    return tuple(dict.fromkeys((*whole, *filter(None, (parts, pieces)))))


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

    >>> _parts("f-16"), _parts("50%"), _parts("well-known")
    (('f', 'sixteen'), ('fifty', 'percent'), ('well', 'known'))
    """
    return tuple(word for piece in _BETWEEN.split(text) for word in _piece(piece))


def _piece(text: str) -> list[str]:
    bare = text if _is_dotted(text) else text.strip(f"{_MARKS}.…")
    number = number_words(text) or number_words(bare)
    if number:
        return number
    pieces = _PIECES.findall(bare)
    return [word for piece in pieces for word in _numerals(piece.rstrip(".,:")) or [MARKS.get(piece, piece)]]


def _numerals(text: str) -> list[str]:
    """The words of a number, or of several with punctuation between them.

    >>> _numerals("1.2.3"), _numerals("1,5"), _numerals("x")
    (['one', 'point', 'two', 'point', 'three'], ['one', 'five'], [])
    """
    parts = re.findall("[0-9]+|[.]", text)
    return number_words(text) or [word for part in parts for word in number_words(part) or ["point"]]


def without_accents(text: str) -> str:
    """
    >>> without_accents("café"), without_accents("łódź")
    ('cafe', 'lodz')
    """
    if text.isascii():
        return text
    from unicodedata import combining, normalize

    return "".join(character for character in normalize("NFKD", text) if not combining(character)).translate(_LETTERS)
