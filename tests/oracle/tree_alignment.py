"""A model of the alignment of trees (Calder 1997), in plain Python: phrases are compared as sets of words.

Sentences and groups of words are those of the model of alignment-based PARSEVAL. Words of a group are aligned if they
have the same text: as many as possible in order, and of several ways the one that, from the end, passes over words of
the right side first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from oracle.aligned_parseval import (
    PLAIN,
    Bracket,
    Parameters,
    Text,
    Tree,
    align_sentences,
    align_words,
    cut,
    read,
    texts_of,
)

#: The number of a sentence, and a phrase in it.
Phrase = tuple[int, Bracket]


@dataclass
class Aligned:
    """Counts and pairs of phrases."""

    words: tuple[int, int] = (0, 0)
    aligned_words: int = 0
    phrases: tuple[int, int] = (0, 0)
    pairs: list[tuple[Phrase, Phrase]] = field(default_factory=list)


def common(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """A longest common subsequence, as pairs of places."""
    most = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            most[i][j] = most[i - 1][j - 1] + 1 if x == y else max(most[i - 1][j], most[i][j - 1])
    i, j = len(a), len(b)
    pairs = []
    while i and j:
        if a[i - 1] == b[j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif most[i][j - 1] == most[i][j]:
            j -= 1
        else:
            i -= 1
    return pairs[::-1]


class Side:
    """One side of a block: the texts of its words that are not deleted, and the phrases that count with their words."""

    def __init__(
        self, trees: Sequence[Tree], texts: Sequence[Sequence[Text]], start: int, end: int, parameters: Parameters
    ) -> None:
        self.texts: list[Text] = []
        self.phrases: list[tuple[Phrase, frozenset[int]]] = []
        left_out = parameters.ignored | parameters.delete
        for number in range(start, end):
            places: list[int | None] = []
            for word, text in zip(trees[number].words, texts[number], strict=True):
                deleted = word.tag in parameters.delete
                places.append(None if deleted else len(self.texts))
                self.texts += [] if deleted else [text]
            for bracket in trees[number].brackets:
                words = frozenset(place for place in places[bracket.start : bracket.end] if place is not None)
                if words and cut(bracket.label) not in left_out:
                    self.phrases.append(((number, bracket), words))


def align(left: str, right: str, mode: str, parameters: Parameters = PLAIN) -> Aligned:
    """Two files, aligned."""
    trees = read(left), read(right)
    texts = texts_of(trees[0]), texts_of(trees[1])
    result = Aligned()
    for block in align_sentences(*texts):
        sides = (
            Side(trees[0], texts[0], block.gold, block.gold_end, parameters),
            Side(trees[1], texts[1], block.test, block.test_end, parameters),
        )
        groups, here, there = align_words(sides[0].texts, sides[1].texts)
        result.words = result.words[0] + len(sides[0].texts), result.words[1] + len(sides[1].texts)
        partner: dict[int, int] = {}  # right word by left word
        for group in groups:
            for i, j in common(here[group.gold : group.gold_end], there[group.test : group.test_end]):
                partner[group.gold + i] = group.test + j
        result.aligned_words += len(partner)
        known = frozenset(partner.values())
        ours, theirs = sides[0].phrases, sides[1].phrases
        result.phrases = result.phrases[0] + len(ours), result.phrases[1] + len(theirs)
        for phrase, words in ours:
            image = {partner[word] for word in words if word in partner}
            if not image or (mode == "strict" and len(image) < len(words)):
                continue
            for other, its_words in theirs:
                if image == (its_words if mode == "strict" else its_words & known):
                    result.pairs.append((phrase, other))
    return result
