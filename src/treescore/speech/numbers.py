"""Numbers as English words.

The first reading is the most common one: 1990 is a year, 1,990 is not.

>>> [" ".join(number_words(number)) for number in ("1990", "1,990", "2005", "3.14")]
['nineteen ninety', 'one thousand nine hundred ninety', 'two thousand five', 'three point one four']
>>> [" ".join(number_words(number)) for number in ("21st", "1980s", "10:30", "007")]
['twenty first', 'nineteen eighties', 'ten thirty', 'zero zero seven']
>>> number_words("x") is None
True
"""

from __future__ import annotations

import re

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_ONES = _SMALL.split()
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1_000, "thousand"), (100, "hundred"))
_LIMIT = 10**15  # larger numbers are read digit by digit
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_OH = {"zero": "oh"}
_WHOLE = re.compile(r"[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+", re.ASCII)
_DECIMAL = re.compile(r"([0-9]*|[0-9]{1,3}(?:,[0-9]{3})+)\.([0-9]+)", re.ASCII)
_ORDINAL = re.compile(r"([0-9][0-9,]*)(?:st|nd|rd|th)", re.ASCII)
_DECADE = re.compile(r"'?([0-9]*[0-9]0)'?s", re.ASCII)
_CLOCK = re.compile(r"([0-9]{1,2}):([0-5][0-9])", re.ASCII)


def number_words(text: str) -> list[str] | None:
    """The words of a number, in lower case; None for other text."""
    if _WHOLE.fullmatch(text):
        return _integer(text)
    if match := _DECIMAL.fullmatch(text):
        return [*(_integer(match[1]) if match[1] else []), "point", *(_ONES[int(digit)] for digit in match[2])]
    if match := _ORDINAL.fullmatch(text):
        return ordinal_words(match[1].replace(",", ""))
    if match := _DECADE.fullmatch(text):
        words = _integer(match[1])
        last = words[-1]
        return [*words[:-1], last[:-1] + "ies" if last.endswith("y") else last + "s"]
    if match := _CLOCK.fullmatch(text):
        hour, minute = int(match[1]), int(match[2])
        oh = ["oh"] if 0 < minute < 10 else []
        whole = ["o'clock"] if hour <= 12 else ["hundred"]
        return [*_cardinal(hour), *oh, *(_cardinal(minute) if minute else whole)]
    return None


def other_number_words(text: str) -> list[list[str]]:
    """Less common readings of a whole or decimal number.

    >>> [" ".join(words) for words in other_number_words("747")], other_number_words("7")
    (['seven hundred and forty seven', 'seven forty seven', 'seven four seven'], [])
    """
    digits = text.replace(",", "")
    first = number_words(text) or []
    oh = [_OH.get(word, word) for word in first]
    if "." in digits:
        others = [first[1:] if first[:1] == ["zero"] else first, oh]
    elif digits[0] == "0":
        others = [oh, ["double", *oh[1:]]] if digits[:2] == "00" else [oh]
    else:
        others = _other_cardinals(int(digits), plain=digits == text) if len(digits) < 5 else []
    return [words for words in others if words != first]


def _other_cardinals(value: int, *, plain: bool) -> list[list[str]]:
    """Readings of a number below ten thousand, which is `plain` without a comma.

    >>> [" ".join(words) for words in _other_cardinals(1905, plain=True)]
    ['one thousand nine hundred five', 'one thousand nine hundred and five', 'nineteen oh five', 'one nine zero five']
    """
    if value in (100, 1000):
        return [["a", *_cardinal(value)[1:]]]
    above, below = divmod(value, 100)
    others = [_cardinal(value)] if plain and value > 1000 else []
    if above and below:
        others.append([*_cardinal(above * 100), "and", *_cardinal(below)])
        if plain:
            oh = ["oh"] if below < 10 else []
            others += [[*_cardinal(above), *oh, *_cardinal(below)], digit_names(str(value))]
    return others


def digit_names(text: str) -> list[str]:
    """
    >>> digit_names("555.01")
    ['five', 'five', 'five', 'zero', 'one']
    """
    return [_ONES[int(digit)] for digit in text if digit in "0123456789"]


def ordinal_words(digits: str) -> list[str]:
    """
    >>> ordinal_words("21")
    ['twenty', 'first']
    """
    *words, last = _integer(digits, years=False)
    return [*words, _ordinal(last)]


def _integer(text: str, *, years: bool = True) -> list[str]:
    digits = text.replace(",", "")
    if (len(digits) > 1 and digits[0] == "0") or len(digits) > 15 or int(digits) >= _LIMIT:
        return digit_names(digits)
    value = int(digits)
    if years and digits == text and (1100 <= value <= 1999 or 2010 <= value <= 2099):
        century, year = divmod(value, 100)
        if year == 0:
            return [*_cardinal(century), "hundred"]
        return [*_cardinal(century), *(["oh"] if year < 10 else []), *_cardinal(year)]
    return _cardinal(value)


def _cardinal(value: int) -> list[str]:
    """
    >>> " ".join(_cardinal(1_200_345))
    'one million two hundred thousand three hundred forty five'
    """
    if value < 20:
        return [_ONES[value]]
    if value < 100:
        tens, ones = divmod(value, 10)
        return [_TENS[tens], *([_ONES[ones]] if ones else [])]
    size, name = next(scale for scale in _SCALES if scale[0] <= value)
    count, rest = divmod(value, size)
    return [*_cardinal(count), name, *(_cardinal(rest) if rest else [])]  # recursion ends with the names of numbers


def _ordinal(word: str) -> str:
    """
    >>> _ordinal("three"), _ordinal("twenty"), _ordinal("hundred")
    ('third', 'twentieth', 'hundredth')
    """
    if word in _ORDINALS:
        return _ORDINALS[word]
    return word[:-1] + "ieth" if word.endswith("y") else word + "th"
