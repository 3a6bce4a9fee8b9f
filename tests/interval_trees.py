"""Random trees over intervals, and pairs of them, for property tests of what compares trees by time.

A tree is nested lists, as treescore takes them: `[label, children]` or `[label, start, end]`. Here times are whole
numbers of some unit, so that an oracle can be exact; `with_times` turns them into seconds. The makers take a `Random`,
so that the same code serves hypothesis (which shrinks what it drew) and long runs from a fixed seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any, TypeAlias

#: [label, children] or [label, start, end]
Nested: TypeAlias = list[Any]
Words: TypeAlias = list[tuple[int, int]]

INNER = ("S", "NP", "VP", "PP", "X")
TAGS = ("DT", "NN", "VB")

#: How a node's words are divided among its children.
SHAPES = ("mixed", "mixed", "binary", "flat", "left comb", "right comb", "spine")
#: Where the words of the second tree come from.
SECOND_WORDS = ("same", "same", "moved", "moved", "cut", "independent")


@dataclass(frozen=True)
class Features:
    """What a pair of trees is like; drawn once per pair, so that many combinations occur."""

    longest: int  # of a word, in units; small ones make ties
    gaps: float  # chance of a silence before a word
    inner: Sequence[str]
    tags: Sequence[str]
    unary: float  # chance of one more node over the same words
    second_words: str
    second_tree: str  # "changed" or "new"


def make_features(rng: Random) -> Features:
    """Features of one pair."""
    inner = INNER[: rng.choice((1, 1, 2, 5))]
    return Features(
        longest=rng.choice((1, 2, 4, 60, 60_000)),
        gaps=rng.choice((0.0, 0.0, 0.3, 0.7)),
        inner=inner,
        tags=rng.choice((TAGS, TAGS[:1], inner, (*inner, *TAGS))),
        unary=rng.choice((0.0, 0.15, 0.3, 0.5)),
        second_words=rng.choice(SECOND_WORDS),
        second_tree=rng.choice(("changed", "new")),
    )


def make_words(rng: Random, number: int, features: Features) -> Words:
    """So many intervals from left to right, some with silences between them."""
    words = []
    time = rng.randint(0, features.longest)
    for _ in range(number):
        if rng.random() < features.gaps:
            time += rng.randint(1, features.longest)
        end = time + rng.randint(1, features.longest)
        words.append((time, end))
        time = end
    return words


def cut_words(rng: Random, words: Words) -> Words:
    """The same stretches of time with words split, merged and lost; at least one is left."""
    cut: Words = []
    for start, end in words:
        if cut and rng.random() < 0.2:
            cut[-1] = (cut[-1][0], end)
        elif end - start > 1 and rng.random() < 0.3:
            middle = rng.randint(start + 1, end - 1)
            cut += [(start, middle), (middle, end)]
        elif len(words) == 1 or rng.random() < 0.9:
            cut.append((start, end))
    return cut or words


def move_words(rng: Random, words: Words) -> Words:
    """As many words with some boundaries moved, never past another boundary."""
    times = [time for word in words for time in word]
    for place, time in enumerate(times):
        if rng.random() < 0.4:
            # Starts at even places, ends at odd ones. Words may touch but not vanish.
            is_end = place % 2
            earliest = times[place - 1] + is_end if place else 0
            latest = times[place + 1] - 1 + is_end if place + 1 < len(times) else 2 * time
            touching = latest if is_end else earliest
            times[place] = rng.choice((touching, rng.randint(earliest, latest)))
    return list(zip(times[::2], times[1::2], strict=True))


def divide(rng: Random, first: int, end: int, shape: str) -> list[int]:
    """Where the children of a node over these words begin, and where the last one ends."""
    number = end - first
    if shape == "spine":
        shape = rng.choice(("left comb", "right comb"))
    if shape == "flat":
        return list(range(first, end + 1))
    if shape == "left comb":
        return [first, end - 1, end]
    if shape == "right comb":
        return [first, first + 1, end]
    children = 2 if shape == "binary" else min(number, rng.choice((2, 2, 2, 3, 3, 4)))
    return [first, *sorted(rng.sample(range(first + 1, end), children - 1)), end]


def make_tree(rng: Random, words: Words, features: Features) -> Nested:
    """A tree over these words."""
    shape = rng.choice(SHAPES)

    def chained(node: Nested) -> Nested:
        while rng.random() < features.unary:
            node = [rng.choice(features.inner), [node]]
        return node

    def over(first: int, end: int) -> Nested:
        if end - first == 1:
            return chained([rng.choice(features.tags), *words[first]])
        cuts = divide(rng, first, end, shape)
        children = [over(left, right) for left, right in pairwise(cuts)]
        return chained([rng.choice(features.inner), children])

    return over(0, len(words))


def changed(rng: Random, tree: Nested, features: Features, rate: float = 0.15) -> Nested:
    """The same words under a tree with some labels changed and some nodes gone or new."""

    def rebuild(node: Nested) -> list[Nested]:
        leaf = len(node) == 3
        label = rng.choice(features.tags if leaf else features.inner) if rng.random() < rate else node[0]
        if leaf:
            return [[label, node[1], node[2]]]
        below = [item for child in node[1] for item in rebuild(child)]
        if rng.random() < rate:  # a new node
            start = rng.randrange(len(below))
            end = rng.randint(start + 1, len(below))
            below[start:end] = [[rng.choice(features.inner), below[start:end]]]
        return below if rng.random() < rate else [[label, below]]

    items = rebuild(tree)
    return items[0] if len(items) == 1 else [rng.choice(features.inner), items]


def make_pair(rng: Random, most_words: int = 5, least_words: int = 1) -> tuple[Nested, Nested]:
    """Two trees over the same stretch of time, or nearly so."""
    features = make_features(rng)
    words = make_words(rng, rng.randint(least_words, most_words), features)
    first = make_tree(rng, words, features)
    if features.second_words == "same" and features.second_tree == "changed":
        return first, changed(rng, first, features)
    if features.second_words == "cut":
        words = cut_words(rng, words)
    elif features.second_words == "moved":
        words = move_words(rng, words)
    elif features.second_words == "independent":
        words = make_words(rng, rng.randint(least_words, most_words), features)
    if features.second_words == "moved" and features.second_tree == "changed":
        return first, changed(rng, with_leaves(first, words), features)
    return first, make_tree(rng, words, features)


def with_leaves(tree: Nested, words: Words) -> Nested:
    """The same tree over as many other words."""
    remaining = iter(words)

    def rebuild(node: Nested) -> Nested:
        if len(node) == 3:
            return [node[0], *next(remaining)]
        return [node[0], [rebuild(child) for child in node[1]]]

    return rebuild(tree)


def with_times(tree: Nested, time: Callable[[int], float]) -> Nested:
    """The same tree with other times."""
    if len(tree) == 3:
        return [tree[0], time(tree[1]), time(tree[2])]
    return [tree[0], [with_times(child, time) for child in tree[1]]]


def without_labels(tree: Nested) -> Nested:
    """The same tree with one label for all nodes."""
    return ["X", *tree[1:]] if len(tree) == 3 else ["X", [without_labels(child) for child in tree[1]]]
