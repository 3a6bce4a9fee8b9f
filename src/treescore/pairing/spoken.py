"""Alignment of the leaves of trees with spoken words.

>>> for group in grouped(["we", "do", "nt", "know"], ["we", "dont", "no"]):
...     print(group.leaves, group.words, group.same)
range(0, 1) range(0, 1) True
range(1, 3) range(1, 2) True
range(3, 4) range(2, 3) False
"""

from __future__ import annotations

from array import array
from itertools import accumulate
from unicodedata import category

from .. import _core
from ..values.value import Value
from ..words.normal import Normal
from ..words.silent import is_silent
from .word_alignment import SCLITE_COSTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_MAX_CELLS = 1_000_000  # leaves times words between two matches; groups are not searched in larger gaps


class Spelling:
    """The comparison keys and lengths of words.

    >>> spelling = Spelling(["Don't", "now.", "uh-huh", "%", "..."])
    >>> [spelling.keys[number] for number in spelling.numbers.values()]
    ['dont', 'now', 'uhhuh', '%', '...']
    >>> spelling.silent, spelling.weights["Don't"]
    ({'...'}, 5)
    """

    def __init__(self, words: Iterable[str] = (), *, normal: Normal | None = None) -> None:
        self._normal = normal or Normal()
        self._by_key: dict[str, int] = {}
        #: The number of each word's key: its letters and digits, or the whole word without any.
        self.numbers: dict[str, int] = {}
        #: The number of characters of each word.
        self.weights: dict[str, int] = {}
        #: Punctuation, which is not spoken.
        self.silent: set[str] = set()
        self.learn(words)

    def learn(self, words: Iterable[str]) -> None:
        """Add words."""
        for word in words:
            if word in self.numbers:
                continue
            key = text = self._normal.word(word)
            if not (text.isascii() and text.isalnum()):
                key = "".join(letter for letter in text if category(letter)[0] in "LNM") or text
                if is_silent(text):
                    self.silent.add(word)
            self.numbers[word] = self._by_key.setdefault(key, len(self._by_key))
            self.weights[word] = len(text) or 1

    @property
    def keys(self) -> list[str]:
        """All keys, by number."""
        return list(self._by_key)


class Group(Value):
    """Corresponding leaves and words, by number; `same` if their texts are equal. One side may be empty."""

    leaves: range
    words: range
    same: bool


def grouped(leaves: Sequence[str], words: Sequence[str]) -> list[Group]:
    """The groups in order, by the keys of leaves and words.

    If both texts are equal, groups are delimited by common boundaries. Otherwise equal words are matched as in sclite,
    then groups of equal text between these matches; the rest between two matches is paired one to one if both sides
    have the same number, otherwise it is one group.
    """
    if "".join(leaves) == "".join(words):
        return list(_common_boundaries(leaves, words))
    numbers: dict[str, int] = {}
    keys = [array("I", [numbers.setdefault(key, len(numbers)) for key in side]) for side in (leaves, words)]
    try:
        steps = _core.align_words(keys[0], keys[1], None, None, SCLITE_COSTS, [], False)[1]
    except _core.SequencesTooLong:
        steps = []
    groups: list[Group] = []
    leaf = word = 0
    for kind, i, j in steps:
        if kind == "C" and i is not None and j is not None:
            groups += _between(leaves, words, range(leaf, i), range(word, j))
            groups.append(Group(leaves=range(i, i + 1), words=range(j, j + 1), same=True))
            leaf, word = i + 1, j + 1
    return groups + _between(leaves, words, range(leaf, len(leaves)), range(word, len(words)))


def _common_boundaries(leaves: Sequence[str], words: Sequence[str]) -> Iterator[Group]:
    word_ends = {end: number for number, end in enumerate(accumulate(map(len, words)), 1)}
    leaf_from = word_from = 0
    for leaf, end in enumerate(accumulate(map(len, leaves)), 1):
        if end in word_ends:
            yield Group(leaves=range(leaf_from, leaf), words=range(word_from, word_ends[end]), same=True)
            leaf_from, word_from = leaf, word_ends[end]


def _between(leaves: Sequence[str], words: Sequence[str], among: range, spoken: range) -> list[Group]:
    """The groups between two matches."""
    groups: list[Group] = []
    leaf, word = among.start, spoken.start
    for i, j, leaf_count, word_count in _equal_texts(
        leaves[among.start : among.stop], words[spoken.start : spoken.stop]
    ):
        own, other = range(among[i], among[i] + leaf_count), range(spoken[j], spoken[j] + word_count)
        groups += _different(range(leaf, own.start), range(word, other.start))
        groups.append(Group(leaves=own, words=other, same=True))
        leaf, word = own.stop, other.stop
    return groups + _different(range(leaf, among.stop), range(word, spoken.stop))


def _different(leaves: range, words: range) -> list[Group]:
    if len(leaves) == len(words):
        return [
            Group(leaves=range(i, i + 1), words=range(j, j + 1), same=False) for i, j in zip(leaves, words, strict=True)
        ]
    return [Group(leaves=leaves, words=words, same=False)]


def _equal_texts(leaves: Sequence[str], words: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """The groups of equal text with the most characters: first leaf and word, and the number of each."""
    if not leaves or not words or len(leaves) * len(words) > _MAX_CELLS:
        return
    value = [[0] * (len(words) + 1) for _ in range(len(leaves) + 1)]  # the most characters from this leaf and word on
    sizes: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for i in range(len(leaves) - 1, -1, -1):
        for j in range(len(words) - 1, -1, -1):
            best = max(value[i + 1][j], value[i][j + 1])
            candidates = list(_groups_at(leaves, words, i, j))
            if candidates:
                sizes[i, j] = candidates
            for leaf_count, word_count, characters in candidates:
                best = max(best, characters + value[i + leaf_count][j + word_count])
            value[i][j] = best
    i = j = 0
    while i < len(leaves) and j < len(words):
        for leaf_count, word_count, characters in sizes.get((i, j), ()):
            if characters + value[i + leaf_count][j + word_count] == value[i][j]:
                yield i, j, leaf_count, word_count
                i, j = i + leaf_count, j + word_count
                break
        else:
            if value[i + 1][j] == value[i][j]:
                i += 1
            else:
                j += 1


def _groups_at(leaves: Sequence[str], words: Sequence[str], i: int, j: int) -> Iterator[tuple[int, int, int]]:
    """Groups of equal text that begin at a leaf and a word, shortest first: leaves, words, characters."""
    first, second = i, j
    left, right = leaves[i], words[j]
    size = 0
    while True:
        both = min(len(left), len(right))
        if left[:both] != right[:both]:
            return
        size += both
        left, right = left[both:], right[both:]
        if not left and not right:
            yield i + 1 - first, j + 1 - second, size
        if not left:
            i += 1
            if i == len(leaves):
                return
        if not right:
            j += 1
            if j == len(words):
                return
        left, right = left or leaves[i], right or words[j]
