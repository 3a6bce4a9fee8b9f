"""Written forms that are spoken as other words: money, measures, fractions, ranges, dates and abbreviations, in English.

Each form has its most common reading first. Only the recording can show whether another reading is right.

>>> [" ".join(written_readings(text)[0]) for text in ("$3.50", "50%", "3/4", "-5", "10-12km", "$2bn", "7pm")]
['three dollars fifty', 'fifty percent', 'three quarters', 'minus five', 'ten to twelve kilometers', 'two billion dollars', 'seven p.m.']
>>> [" ".join(reading) for reading in written_readings("1/2")]
['one half', 'a half', 'half', 'and a half', 'one two', 'one slash two', 'january second']
>>> written_readings("x")
()
"""  # noqa: E501

from __future__ import annotations

import re

from .numbers import digit_names, number_words, ordinal_words, other_number_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Reading = tuple[str, ...]

#: Currencies with the names of their hundredth parts.
MONEY = {"$": ("dollar", "cent"), "£": ("pound", "penny"), "€": ("euro", "cent"), "¥": ("yen", ""), "₹": ("rupee", "")}
#: Words that belong to a number before a currency is named.
SCALES = frozenset(("hundred", "thousand", "million", "billion", "trillion"))

_PLURALS = {"penny": "pence", "foot": "feet", "inch": "inches", "yen": "yen", "hertz": "hertz", "percent": "percent"}
_SUFFIXES = {"k": "thousand", "m": "million", "mn": "million", "bn": "billion", "b": "billion", "tn": "trillion"}
#: Abbreviations of units; the last word takes the plural.
_UNITS = {
    "%": "percent", "km": "kilometer", "m": "meter", "cm": "centimeter", "mm": "millimeter", "mi": "mile",
    "ft": "foot", "in": "inch", "yd": "yard", "kg": "kilogram", "g": "gram", "mg": "milligram", "lb": "pound",
    "lbs": "pound", "oz": "ounce", "l": "liter", "ml": "milliliter", "s": "second", "sec": "second", "min": "minute",
    "mins": "minute", "h": "hour", "hr": "hour", "hrs": "hour", "ms": "millisecond", "w": "watt", "kw": "kilowatt",
    "mw": "megawatt", "v": "volt", "hz": "hertz", "khz": "kilo hertz", "mhz": "mega hertz", "ghz": "giga hertz",
    "kb": "kilobyte", "mb": "megabyte", "gb": "gigabyte", "tb": "terabyte", "x": "time", "k": "thousand", "c": "cent",
    "¢": "cent", "p": "penny", "°": "degree", "°c": "degree celsius", "°f": "degree fahrenheit", "yrs": "year",
    "mph": "mile per hour", "km/h": "kilometer per hour", "kmh": "kilometer per hour", "kph": "kilometer per hour",
    "m/s": "meter per second",
}  # fmt: skip
#: What abbreviations mean; those with a full stop may also be words at the end of a sentence.
_ABBREVIATIONS = {
    "approx.": "approximately", "apr.": "april", "aug.": "august", "ave.": "avenue", "blvd.": "boulevard",
    "bros.": "brothers", "capt.": "captain", "ch.": "chapter", "co.": "company", "col.": "colonel",
    "corp.": "corporation", "dec.": "december", "dept.": "department", "dr": "doctor", "dr.": "doctor",
    "e.g.": "for example", "est.": "established", "etc": "et cetera", "etc.": "et cetera", "feb.": "february",
    "fig.": "figure", "fri.": "friday", "ft.": "fort", "gen.": "general", "gov.": "governor", "hon.": "honorable",
    "i.e.": "that is", "inc.": "incorporated", "jan.": "january", "jr": "junior", "jr.": "junior", "ltd.": "limited",
    "lt.": "lieutenant", "maj.": "major", "mar.": "march", "mon.": "monday", "mr": "mister", "mr.": "mister",
    "mrs": "missus", "mrs.": "missus", "ms": "miz", "ms.": "miz", "mt.": "mount", "no.": "number",
    "nos.": "numbers", "nov.": "november", "oct.": "october", "p.": "page", "pp.": "pages", "pres.": "president",
    "prof": "professor", "prof.": "professor", "rd.": "road", "rep.": "representative", "rev.": "reverend",
    "sat.": "saturday", "sen.": "senator", "sept.": "september", "sgt.": "sergeant", "sr.": "senior",
    "st": "saint", "st.": "saint", "sun.": "sunday", "thu.": "thursday", "thurs.": "thursday", "tue.": "tuesday",
    "tues.": "tuesday", "vol.": "volume", "vs": "versus", "vs.": "versus", "wed.": "wednesday",
}  # fmt: skip
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip

_NUMBER = r"(?:[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?|\.[0-9]+)"
_SIGNS = re.escape("".join(MONEY))
_UNIT_NAMES = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))


def written_readings(text: str, *, after_number: bool = False) -> tuple[Reading, ...]:
    """The readings of a normalised word, most common first; () for other words.

    Units such as `in` are read as units only in or after a number.
    """
    plain = _VULGAR.sub(_plain_fraction, text)
    for pattern, read in _PATTERNS:
        match = pattern.fullmatch(plain)
        if match:
            return tuple(dict.fromkeys(tuple(words) for words in read(*match.groups()) if words))
    if after_number and text in _UNITS:
        return (tuple(_named(["two"], _UNITS[text])[1:]), tuple(_UNITS[text].split()))
    return (tuple(_ABBREVIATIONS[text].split()),) if text in _ABBREVIATIONS else ()


def with_currency(reading: Reading, sign: str) -> Reading:
    """An amount with its currency.

    >>> with_currency(("five", "million"), "$"), with_currency(("one",), "£")
    (('five', 'million', 'dollars'), ('one', 'pound'))
    """
    return tuple(_named(list(reading), MONEY[sign][0]))


def _named(number: list[str], unit: str) -> list[str]:
    """A number of units."""
    first, *rest = unit.split()
    plural = first if number == ["one"] else _PLURALS.get(first, first if first in SCALES else f"{first}s")
    return [*number, *(first if first in ("kilo", "mega", "giga") else plural, *rest)]


def _number(text: str) -> list[str]:
    return number_words(text) or digit_names(text)


def _plain(text: str) -> Iterable[list[str]]:
    return [_number(text), *other_number_words(text)]


def _minus(text: str) -> Iterable[list[str]]:
    return [[sign, *reading] for reading in _plain(text) for sign in ("minus", "negative")]


def _money(sign: str, amount: str, suffix: str | None) -> Iterable[list[str]]:
    main, part = MONEY[sign]
    whole, _, hundredths = amount.partition(".")
    if suffix or not part or len(hundredths) != 2:
        return [_named([*_number(amount), *([_SUFFIXES[suffix]] if suffix else [])], main)]
    parts = _named(_number(str(int(hundredths))), part)
    if not int(hundredths):
        return [_named(_number(whole), main)]
    if not whole or whole == "0":
        return [parts]
    named = _named(_number(whole), main)
    return [
        [*named, *parts[:-1]],
        [*named, "and", *parts],
        [*named, *parts],
        [*_number(whole), *parts[:-1]],
        _named(_number(amount), main),
    ]


def _money_after(amount: str, sign: str) -> Iterable[list[str]]:
    return _money(sign, amount, None)


def _measure(number: str, unit: str) -> Iterable[list[str]]:
    singular = _UNITS[unit].split()
    spelt = [[*_number(number), *(f"{letter}." for letter in unit)]] if unit.isalpha() else []
    return [_named(_number(number), _UNITS[unit]), [*_number(number), *singular], *spelt]


def _range(first: str, last: str, unit: str | None) -> Iterable[list[str]]:
    end = _named(_number(last), _UNITS[unit]) if unit else _number(last)
    joined = [[*_number(first), *between, *end] for between in (["to"], [], ["through"], ["minus"])]
    digits = [*digit_names(first), *digit_names(last)]
    is_year = len(first) == 4 and first[0] in "12"
    if len(first) > 2 and not unit and not is_year and "." not in first:  # a telephone number
        return [digits, *joined]
    return joined


def _fraction(whole: str | None, above: str, below: str) -> Iterable[list[str]]:
    numerator, denominator = _number(above), int(below)
    names = ["half", "quarter"] if denominator == 2 else ["quarter", "fourth"] if denominator == 4 else []
    if not names and denominator > 2:
        *first, last = ordinal_words(below)
        names = [" ".join([*first, last])]
    names = names[:1] if denominator == 2 else names
    several = {"half": "halves"}
    parts = [[*numerator, *(name if numerator == ["one"] else several.get(name, f"{name}s")).split()] for name in names]
    if above == "1":
        parts += [["a", *name.split()] for name in names]
    if whole:
        return [[*_number(whole), "and", *part] for part in reversed(parts)] if parts else []
    readings = [*parts, *([["half"], ["and", "a", "half"]] if names[:1] == ["half"] and above == "1" else [])]
    readings += [[*numerator, *_number(below)], [*numerator, "slash", *_number(below)]]
    if not 0 < int(above) < denominator:
        readings = readings[-2:] + readings[:-2]
    return [*readings, *_day(above, below)]


def _day(month: str, day: str) -> list[list[str]]:
    if 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
        return [[_MONTHS[int(month) - 1], *ordinal_words(str(int(day)))]]
    return []


def _date(month: str, day: str, year: str) -> Iterable[list[str]]:
    years = _number(year) if len(year) == 4 else _number(str(int(year)))
    numbers = [*_number(month), *_number(day), *years]
    return [*([*date, *years] for date in (_day(month, day) or _day(day, month))), numbers]


def _iso_date(year: str, month: str, day: str) -> Iterable[list[str]]:
    return _date(month, day, year)


def _time(number: str, half: str) -> Iterable[list[str]]:
    hour = number.removesuffix(":00")
    return [[*_number(hour), f"{half[0]}.m."]]


def _rate(amount: str, unit: str) -> Iterable[list[str]]:
    readings = written_readings(amount) if amount[-1].isdigit() or amount[:1].isdigit() else ()
    return [[*reading, "per", *_UNITS.get(unit, unit).split()] for reading in readings]


def _digits(text: str) -> Iterable[list[str]]:
    digits = digit_names(text)
    return [digits, ["oh" if digit == "zero" else digit for digit in digits]]


def _ordered(number: str) -> Iterable[list[str]]:
    return [["number", *_number(number)], ["hashtag", *_number(number)], _number(number)]


_VULGAR = re.compile("[¼-¾⅐-⅞]")


def _plain_fraction(match: re.Match[str]) -> str:
    """A vulgar fraction (½) in digits, after a blank if digits precede it."""
    from unicodedata import normalize

    return ("-" if match.start() else "") + normalize("NFKC", match[0]).replace("\N{FRACTION SLASH}", "/")


_PATTERNS: list[tuple[re.Pattern[str], Callable[..., Iterable[list[str]]]]] = [
    (re.compile(pattern, re.ASCII), read)
    for pattern, read in (
        (rf"({_NUMBER})", _plain),
        (rf"-({_NUMBER})", _minus),
        (rf"(?:us|ca|c|au|a|nz|hk)?([{_SIGNS}])({_NUMBER})({'|'.join(_SUFFIXES)})?", _money),
        (rf"({_NUMBER})([{_SIGNS}])", _money_after),
        (rf"({_NUMBER})-?({_UNIT_NAMES})", _measure),
        (rf"({_NUMBER})--?({_NUMBER})({_UNIT_NAMES})?", _range),
        (r"(?:([0-9]{1,9})-)?([0-9]{1,3})/([0-9]{1,3})", _fraction),
        (r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4}|[0-9]{2})", _date),
        (r"([0-9]{4})-([0-9]{2})-([0-9]{2})", _iso_date),
        (r"\+?([0-9]+(?:-[0-9]+){2,})", _digits),
        (r"([0-9]{1,2}(?::[0-5][0-9])?)-?([ap]\.?m\.?)", _time),
        (rf"#({_NUMBER})", _ordered),
        (rf"([^/]+)/({_UNIT_NAMES}|second|minute|hour|day|night|week|month|year|person)", _rate),
    )
]
