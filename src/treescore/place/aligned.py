"""The axis of aligned words: consecutive groups of corresponding words.

>>> import treescore
>>> pair = treescore.Pair(treescore.read("(S (MD can) (RB not))"), treescore.read("(S (MD cannot))"))
>>> pair.placed("aligned")[0]
([(0.0, 0.5), (0.5, 1.0)], [(0.0, 1.0)])
"""

from __future__ import annotations

from array import array
from itertools import chain

from ..pairing.sentence_pairing import aligned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..pairing.sentence_pairing import SentencePairing
    from ..trees import Treebank
    from .pair import Pair
    from .placed import Columns


def group_positions(texts: SentencePairing) -> Columns:
    """The positions of all leaves: group n of a block is [n, n + 1), divided equally between its words.

    In a block without groups every word is a separate group. Deleted words have length 0.
    """
    placed: tuple[dict[tuple[int, int], tuple[float, float]], ...] = {}, {}
    first: tuple[set[int], set[int]] = set(), set()
    for number, (*sentences, _) in enumerate(texts.ranges()):
        groups = texts.native.groups(number)
        for side, words in enumerate(texts.native.places(number)):
            sizes = (group[side] for group in groups) if groups else (1 for _ in words)
            placed[side].update(zip(words, _shares(sizes), strict=True))
            first[side].add(sentences[side].start)
    return _column(texts.gold, placed[0], first[0]), _column(texts.test, placed[1], first[1])


def _shares(sizes: Iterable[int]) -> Iterator[tuple[float, float]]:
    """The intervals of words in groups of these sizes."""
    for number, size in enumerate(sizes):
        for word in range(size):
            yield number + word / size, number + (word + 1) / size


def _column(bank: Treebank, placed: dict[tuple[int, int], tuple[float, float]], first: set[int]) -> bytes:
    """The intervals of all leaves; `first` are the first sentences of blocks."""
    intervals = []
    end = 0.0
    for sentence in range(len(bank)):
        if sentence in first:
            end = 0.0
        for word in range(bank.native.leaf_count(sentence)):
            start, end = placed.get((sentence, word), (end, end))
            intervals.append((start, end))
    return array("d", chain.from_iterable(intervals)).tobytes()


def aligned_positions(pair: Pair) -> Columns:
    """The positions of the leaves on the axis of aligned words."""
    return group_positions(aligned(pair))
