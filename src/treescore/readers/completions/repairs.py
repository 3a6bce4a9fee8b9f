"""Repairs that rewrite the text before trees are looked for, and the words of a tree after one has been chosen.

>>> mended("(S (-LRB- () (NN a))").text
'(S (-LRB- -LRB-) (NN a))'
>>> from treescore.readers.completions.folding import Sentence
>>> with_tags("(NP the/DT cat/NN)", ["the/DT", "cat/NN"], Sentence(["the", "cat"]))
('(NP (DT the) (NN cat))', ['the', 'cat'])
>>> with_words("(NN n’t)", ["n't"])
"(NN n't)"
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from .folding import BLANKS, TAG_MARKS
from .tree_text import WORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .folding import Sentence

_OTHER_BLANKS = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_INVISIBLE = "\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
ODD_BLANKS = re.compile(f"[{_OTHER_BLANKS}{_INVISIBLE}]")
_AS_BLANK = re.compile(f"[{_OTHER_BLANKS}]")
#: Brackets as words, and the tag of STTS for brackets.
PARENTHESES = re.compile(
    rf"\((-LRB-|PUNCT|\(|\$\()[{BLANKS}{_OTHER_BLANKS}]+\(\)"
    rf"|\((-RRB-|PUNCT|\)|\$\()[{BLANKS}{_OTHER_BLANKS}]+\)\)"
    rf"|\$\((?=[{BLANKS}{_OTHER_BLANKS}])"
)
_TAGS = {"(": "-LRB-", ")": "-RRB-", "$(": "$-LRB-"}
#: Other brackets that are read as round ones, in this order.
OTHER_BRACKETS = ("（）", "[]", "{}")
_AS_ROUND: dict[str, dict[int, str | int | None]] = {
    pair: {ord("("): "-LRB-", ord(")"): "-RRB-", **str.maketrans(pair, "()")} for pair in OTHER_BRACKETS
}


class Mended:
    """A text after the repairs `parens` and `blanks`, and the places where they changed it."""

    __slots__ = ("blanks", "parens", "text")

    def __init__(self, text: str, parens: Sequence[int] = (), blanks: Sequence[int] = ()) -> None:
        self.text, self.parens, self.blanks = text, parens, blanks

    def repairs(self, begin: int, end: int) -> list[str]:
        """The repairs that changed the text inside a group."""
        changes = {"parens": self.parens, "blanks": self.blanks}
        return [name for name, places in changes.items() if _is_any_inside(places, begin, end)]


def _is_any_inside(places: Sequence[int], begin: int, end: int) -> bool:
    return bisect_right(places, begin) < bisect_left(places, end)


def mended(text: str) -> Mended:
    """The text with words for brackets that are words, and ordinary blanks."""
    parens: list[int] = []
    if PARENTHESES.search(text):
        text = _with_bracket_words(text, parens)
    return without_odd_blanks(text, parens)


def without_odd_blanks(text: str, parens: list[int] | None = None) -> Mended:
    """The text with ordinary blanks; the places of bracket words move with it."""
    parens = parens or []
    if text.isascii() or not ODD_BLANKS.search(text):
        return Mended(text, parens)
    odd = [match.start() for match in ODD_BLANKS.finditer(text)]
    invisible = [place for place in odd if not _AS_BLANK.match(text, place)]

    def moved(place: int) -> int:
        return place - bisect_left(invisible, place)

    text = ODD_BLANKS.sub(lambda match: " " if _AS_BLANK.match(match[0]) else "", text)
    return Mended(text, list(map(moved, parens)), list(map(moved, odd)))


def _with_bracket_words(text: str, places: list[int]) -> str:
    """Write brackets that are words as words, and add the place of each to the places."""
    parts: list[str] = []
    at = size = 0
    for match in PARENTHESES.finditer(text):
        opening, closing = match.group(1, 2)
        if opening:
            word = f"({_TAGS.get(opening, opening)} -LRB-)"
        elif closing:
            word = f"({_TAGS.get(closing, closing)} -RRB-)"
        else:
            word = _TAGS["$("]
        before = text[at : match.start()]
        places.append(size + len(before) + 1)
        parts += (before, word)
        size += len(before) + len(word)
        at = match.end()
    return "".join([*parts, text[at:]])


def with_other_brackets(text: str, brackets: str) -> str:
    """The text with other brackets as round ones; round ones are words."""
    return text.translate(_AS_ROUND[brackets])


def with_tags(tree: str, words: Sequence[str], sentence: Sentence) -> tuple[str, list[str]] | None:
    """The tree and its words if every word is written with its tag, word/TAG; else None."""
    for mark in TAG_MARKS:
        parts = [word.rpartition(mark) for word in words]
        bare = [word for word, _, tag in parts if word and tag]
        if len(bare) == len(words) and sentence.has_notation_of(bare):
            return with_words(tree, [f"({tag} {word})" for word, _, tag in parts]), bare
    return None


def with_words(tree: str, words: Sequence[str]) -> str:
    """The tree with these words, or words with their tags in brackets, instead of its own."""
    rest = iter(words)
    return WORD.sub(lambda _: f" {next(rest)}", tree)
