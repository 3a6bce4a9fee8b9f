"""The words of a sentence, and the comparison of them with the words of a tree.

>>> folded("n’t"), folded("-LRB-"), folded("1\\\\/2")
("n't", '(', '1/2')
>>> difference(["the", "Cat"], ["the", "cat"]), difference(["the"], ["the", "cat"])
('case', 'missing')
"""

from __future__ import annotations

import re
from itertools import starmap
from unicodedata import normalize

from ...helpers.text import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: White space of trees. All other characters belong to words, labels or prose.
BLANKS = " \t\n\v\f\r"
#: The marks between a word and its tag.
TAG_MARKS = ("/", "_")

#: Longer words are not normalised: it takes quadratic time.
_LONGEST_WORD = 1_000
_TO_ESCAPE = re.compile(f"[(){BLANKS}]")
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_NOTATION = re.compile(r"\\(?=[/*$%&#_])|``|''|[“”„‘’‚`…–—]")
_PLAIN = {
    **{"\\": "", "…": "...", "–": "--", "—": "--"},
    **dict.fromkeys(("``", "''", "“", "”", "„"), '"'),
    **dict.fromkeys("‘’‚`", "'"),
}


def folded(word: str) -> str:
    """A word without differences of notation. Case, accents and digits are kept.

    Composed and decomposed characters are equal, but in words of more than 1,000 characters.
    """
    if not word.isascii():
        word = normalize("NFC", word) if len(word) <= _LONGEST_WORD else word
    elif word.isalnum():
        return word
    return _BRACKETS.get(word) or _NOTATION.sub(lambda match: _PLAIN[match[0]], word)


def without_case(word: str) -> str:
    """A folded word without differences of case."""
    return folded(word).casefold()


class Sentence:
    """The words that a tree must have, as they are written in trees."""

    __slots__ = ("_folded", "_known", "words")

    def __init__(self, words: Iterable[str]) -> None:
        self.words = list(words)
        if _TO_ESCAPE.search("".join(self.words)):
            self.words = list(map(escaped, self.words))
        self._folded: list[str] | None = None
        self._known: set[str] | None = None

    @property
    def folded(self) -> list[str]:
        """The folded words."""
        if self._folded is None:
            self._folded = list(map(folded, self.words))
        return self._folded

    def has_notation_of(self, words: Sequence[str]) -> bool:
        """Are these the words of the sentence but for their notation?"""
        return len(words) == len(self.words) and list(map(folded, words)) == self.folded

    def knows(self, word: str) -> bool:
        """Is this word, with or without a tag behind it, in the sentence?"""
        if self._known is None:
            self._known = {word.casefold() for word in self.folded}
        if without_case(word) in self._known:
            return True
        return any(mark in word and without_case(word.rpartition(mark)[0]) in self._known for mark in TAG_MARKS)


def difference(words: Sequence[str], sentence: Sequence[str]) -> str:
    """How the words of a tree differ from those of the sentence: one of DIFFERENCES."""
    same_number = len(words) == len(sentence)
    if same_number and all(starmap(_equal_but_for_case, zip(words, sentence, strict=True))):
        return "case"
    if "".join(words) == "".join(sentence):
        return "tokens"
    if _are_subsequence(words, sentence):
        return "missing"
    if _are_subsequence(sentence, words):
        return "extra"
    return "wrong" if same_number else "mixed"


def _equal_but_for_case(word: str, other: str) -> bool:
    return word.casefold() == other.casefold()


def _are_subsequence(words: Sequence[str], of: Iterable[str]) -> bool:
    rest = iter(of)
    return all(word in rest for word in words)
