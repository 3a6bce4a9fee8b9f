"""What two words must have in common to be the same: their text, made comparable.

It is done for comparison only; what is shown is always what was written.

>>> normal = Normal()
>>> normal.word("``"), normal.word("''"), normal.word("“"), normal.word("-LRB-"), normal.word("1\\\\/2")
('"', '"', '"', '(', '1/2')
>>> Normal.parse("nfkc+fold").word("…"), str(Normal.parse("nfkc+fold"))
('...', 'nfkc+fold')
"""

from __future__ import annotations

from ..values.value import Value

FORMS = ("nfc", "nfkc")
#: What can be done to a word, in the order in which it is done, with a description.
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

# The letters of Korean syllables, in the order of Unicode's arithmetic; a final consonant is the same letter as an
# initial one.
_INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_FINALS: tuple[str, ...] = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")


class Normal(Value):
    """Steps that make the text of words comparable."""

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
        """The steps as a sentence."""
        if not self.steps:
            return "words are compared as they are written"
        return "words are compared with " + ", ".join(STEPS[step] for step in self.steps)

    def word(self, written: str) -> str:
        """The text of a word that is compared; never empty unless the word is."""
        if written.isascii() and written.isalnum():
            return written.lower() if "fold" in self.steps else written
        text = written
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
        return text or written


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
    out, at = [], 0
    while at < len(text):
        at += text[at] == "\\" and at + 1 < len(text)
        out.append(text[at])
        at += 1
    return "".join(out)


def _letters(character: str) -> str:
    """A Korean syllable as the letters with which it is written.

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
