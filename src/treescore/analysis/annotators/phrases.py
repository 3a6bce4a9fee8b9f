"""Annotations as data: the tag of each word and the labels of each phrase.

>>> import treescore
>>> bank = treescore.read("(TOP (S (NP (PRP we)) (VP (VBD saw) (NP (NP (NNS stars)))) (. .)))")
>>> reading = Reading(bank, treescore.PROFILES["collins"])
>>> reading.sentence(0)
(['PRP', 'VBD', 'NNS'], {(0, 3): ('S',), (0, 1): ('NP',), (1, 3): ('VP',), (2, 3): ('NP', 'NP')})
"""

from __future__ import annotations

from random import Random

from ...helpers.text import encode
from ..breakdowns import NO_TAG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...recipe import Recipe
    from ...trees import Treebank

    #: The first and last word of a phrase; for a discontinuous phrase also a hash of its words.
    Words = tuple[int, ...]


class Reading:
    """The trees of an annotator, with words left out and labels cut according to a recipe."""

    def __init__(self, bank: Treebank, recipe: Recipe, name: str = "") -> None:
        self.bank, self.recipe, self.name = bank, recipe, name
        raw = bank.names()
        [(self._labels, self._tags), _] = recipe.compile(bank.native, bank.native).compared()
        self._counted = [recipe.counts_label(name) for name in raw]
        self._deleted = list(map(recipe.deletes_tag, raw))
        self._deleted_forms = {encode(form) for form in recipe.delete_forms}
        self._weights: list[int] = []
        self._random = Random(1)

    def _counts(self, tag: int, word: bytes) -> bool:
        return not (tag >= 0 and self._deleted[tag]) and word not in self._deleted_forms

    def words(self, index: int) -> list[bytes]:
        """The counted words."""
        return [word for tag, _, word in self.bank.native.leaves(index) if self._counts(tag, word)]

    def sentence(self, index: int) -> tuple[list[str], dict[Words, tuple[str, ...]]]:
        """The tags of the counted words, and the labels of each phrase from top to bottom."""
        native, least = self.bank.native, max(1, self.recipe.least_width)
        leaves, nodes = native.leaves(index), native.nodes(index)
        tags: list[str] = []
        before = [0]  # the number of counted words before each leaf, and before the end
        for tag, _, word in leaves:
            if self._counts(tag, word):
                tags.append(NO_TAG if tag < 0 else self._tags[tag])
            before.append(len(tags))
        places = self._places(index, before) if native.discontinuous(index) else None
        labels_of: dict[Words, list[str]] = {}
        for number, (label, _, start, end) in enumerate(nodes):
            words, width = (
                ((before[start], before[end]), before[end] - before[start]) if places is None else places[number]
            )
            if self._counted[label] and width >= least:
                labels_of.setdefault(words, []).append(self._labels[label])
        return tags, {words: tuple(labels) for words, labels in labels_of.items()}

    def _places(self, index: int, before: list[int]) -> list[tuple[Words, int]]:
        """The words of each phrase of a discontinuous tree, and their number.

        A discontinuous phrase is identified by the exclusive or of random numbers of its words, in linear time.
        """
        leaves, nodes = self.bank.native.leaves(index), self.bank.native.nodes(index)
        while len(self._weights) < len(leaves):
            self._weights.append(self._random.getrandbits(128))
        above = len(nodes)  # the roots have the parent -1, which is the last entry
        weights, sizes, ends = ([0] * (above + 1) for _ in range(3))
        firsts = [len(leaves)] * (above + 1)
        for leaf, (_, parent, _) in enumerate(leaves):
            position = before[leaf]
            if position < before[leaf + 1]:
                weights[parent] ^= self._weights[position]
                sizes[parent] += 1
                firsts[parent], ends[parent] = min(firsts[parent], position), max(ends[parent], position + 1)
        for number in range(len(nodes) - 1, -1, -1):
            parent = nodes[number][1]
            weights[parent] ^= weights[number]
            sizes[parent] += sizes[number]
            firsts[parent], ends[parent] = min(firsts[parent], firsts[number]), max(ends[parent], ends[number])
        return [
            ((first, end) if end - first == size else (first, end, weight), size)
            for weight, size, first, end in zip(weights[:above], sizes, firsts, ends, strict=False)
        ]
