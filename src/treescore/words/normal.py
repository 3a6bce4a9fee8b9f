"""Normalisation of words for comparison. Output always shows the original words.

>>> normal = Normal()
>>> normal.word("``"), normal.word("''"), normal.word("“"), normal.word("-LRB-"), normal.word("1\\\\/2")
('"', '"', '"', '(', '1/2')
>>> Normal.parse("nfkc+fold").word("…"), str(Normal.parse("nfkc+fold"))
('...', 'nfkc+fold')
"""

from __future__ import annotations

from ..values.value import Value

FORMS = ("nfc", "nfkc")
#: The steps of normalisation in their order, with descriptions.
STEPS = {
    "nfc": "composed characters",
    "nfkc": "compatible characters",
    "fold": "upper and lower case alike",
    "quotes": "all quotation marks as ' or \"",
    "dashes": "all dashes as hyphens",
    "escapes": "brackets as themselves, without backslashes",
    "hangul": "Korean syllables as letters",
}
DEFAULT = ("nfc", "fold", "quotes", "dashes", "escapes")

_QUOTES = {ord(mark): "'" for mark in "‘’‚‛′‹›´`＇"} | {ord(mark): '"' for mark in "“”„‟″«»＂"}
_DASHES = {ord(dash): "-" for dash in "‐‑‒–−﹣－"} | {ord(dash): "--" for dash in "—―"}
_BRACKETS = (("-lrb-", "("), ("-rrb-", ")"), ("-lsb-", "["), ("-rsb-", "]"), ("-lcb-", "{"), ("-rcb-", "}"))

# The letters of Korean syllables in Unicode order; a final consonant is the same letter as an initial one.
_INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_FINALS: tuple[str, ...] = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")


class Normal(Value):
    """A sequence of normalisation steps."""

    steps: tuple[str, ...]

    def __init__(self, *, steps: tuple[str, ...] = DEFAULT) -> None:
        unknown = [step for step in steps if step not in STEPS]
        if unknown:
            raise ValueError(f"{unknown[0]!r} should be one of {', '.join(STEPS)}, joined by +, or none")
        if all(form in steps for form in FORMS):
            raise ValueError("nfc and nfkc exclude each other")
        self._store(steps=tuple(step for step in STEPS if step in steps))

    @classmethod
    def parse(cls, text: str) -> Normal:
        """The steps named in an option's value."""
        return cls(steps=() if text == "none" else tuple(text.split("+")))

    def __str__(self) -> str:
        return "+".join(self.steps) or "none"

    def in_words(self) -> str:
        """A description of the steps."""
        if not self.steps:
            return "words are compared as they are written"
        return "words are compared with " + ", ".join(STEPS[step] for step in self.steps)

    def word(self, original: str) -> str:
        """The normalised word; empty only for an empty word."""
        if original.isascii() and original.isalnum():
            return original.lower() if "fold" in self.steps else original
        text = original
        for step in self.steps:
            if step in FORMS:
                text = _composed(text, step)
            elif step == "fold":
                text = text.casefold()
                text = next((_composed(text, form) for form in FORMS if form in self.steps), text)
            elif step == "quotes":
                text = text.translate(_QUOTES).replace("''", '"')
            elif step == "dashes":
                text = text.translate(_DASHES)
            elif step == "escapes":
                text = _unescaped(text)
            else:
                text = "".join(map(_letters, text))
        return text or original


def _composed(text: str, form: str) -> str:
    if text.isascii():
        return text
    from unicodedata import normalize

    composed: str = normalize("NFC" if form == "nfc" else "NFKC", text)
    return composed


def _unescaped(text: str) -> str:
    if "-" in text:
        for written, bracket in _BRACKETS:
            text = text.replace(written, bracket).replace(written.upper(), bracket)
    if "\\" not in text:
        return text
    out, index = [], 0
    while index < len(text):
        index += text[index] == "\\" and index + 1 < len(text)
        out.append(text[index])
        index += 1
    return "".join(out)


def _letters(character: str) -> str:
    """The letters of a Korean syllable.

    >>> _letters("한"), _letters("ᆫ"), _letters("x")
    ('ㅎㅏㄴ', 'ㄴ', 'x')
    """
    code = ord(character)
    if 0xAC00 <= code <= 0xD7A3:
        initial, rest = divmod(code - 0xAC00, 21 * 28)
        vowel, final = divmod(rest, 28)
        return _INITIALS[initial] + _VOWELS[vowel] + _FINALS[final]
    for first, letters in ((0x1100, tuple(_INITIALS)), (0x1161, tuple(_VOWELS)), (0x11A7, _FINALS)):
        if first <= code < first + len(letters):
            return letters[code - first]
    return character
