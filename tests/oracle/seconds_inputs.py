"""Random trees and words with times, for the tests of the time axis.

Few words, so that alignments have ties. Frequent: words that are cut otherwise in the tree than in the times, words
lost, changed and new on either side, punctuation and traces, words without times, times that cannot be, pauses that
fall on the border between two leaves, phrases without spoken words, words without tags.

`texts` and `utterance` turn a case into what treescore takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import TypeAlias

from oracle.seconds import Interval, Placed, Tree, placed, sound, weight

import treescore
from treescore.words.transcript import Transcript
from treescore.words.utterance import Utterance, Utterances

#: The same in a tree and in words with times.
SAYINGS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("a",), ("a",)),
    (("a",), ("a",)),
    (("b",), ("b",)),
    (("the",), ("the",)),
    (("cat",), ("cat",)),
    (("do", "n't"), ("don't",)),
    (("do", "n’t"), ("DON'T",)),
    (("don't",), ("do", "n't")),
    (("gon", "na"), ("gonna",)),
    (("gonna",), ("gon", "na")),
    (("can", "not"), ("cannot",)),
    (("cannot",), ("can", "not")),
    (("1990",), ("nineteen", "ninety")),
    (("19", "90"), ("1990",)),
    (("uh-huh",), ("uh", "huh")),
    (("uh", "huh"), ("uh-huh",)),
    (("Uh",), ("uh",)),
    (("NASA",), ("nasa",)),
    (("cafe\u0301",), ("café",)),
    (("été",), ("E\u0301te\u0301",)),
    (("50", "%"), ("50%",)),
    (("50%",), ("fifty", "percent")),
    (("$", "5"), ("five", "dollars")),
    (("$5",), ("$", "5")),
    (("R", "&", "D"), ("R&D",)),
    (("wo", "n't", "ca", "n't"), ("wont", "cant")),
    (("ab", "c"), ("a", "bc")),
    (("aa", "a"), ("a", "aa")),
    (("1\\/2",), ("1/2",)),
    (("木",), ("木",)),
    (("12", "34", "56"), ("ab", "abcd")),  # of other text, with borders at the same share
    (("12", "34", "56"), ("ab", "abcd")),
    (("12", "34", "56"), ("abcd", "ab")),
    (("12", "3456"), ("ab", "cd", "ef")),
    (("1", "2", "3", "4"), ("a", "b", "cd")),
)
ALONE = ("a", "b", "cat", "the", "uh", "n't", "%", "gon", "not", "ab", "aa", "Straße")
SILENT_LEAVES = (
    (",", ","),
    (".", "."),
    (".", "?"),
    (":", "--"),
    ("``", "``"),
    ("''", "''"),
    ("-LRB-", "-LRB-"),
    ("-NONE-", "*T*-1"),
    ("-NONE-", "0"),
    (".", "right"),  # by its tag
    ("-DFL-", "E_S"),
    ("SYM", "—"),  # by its text
    ("NN", "…"),
    (None, ","),
    (None, "-LRB-"),
)
SILENT_WORDS = (",", ".", "--", "...", "``", "—", "(", "-")
GLUED = (",", ".", "?", "!")
TAGS = ("NN", "DT", "VB", "NN")
LABELS = ("S", "NP", "VP", "NP", "TOP")

Token: TypeAlias = "tuple[str | None, str]"
GivenTime: TypeAlias = "tuple[float, float] | None"


@dataclass(frozen=True)
class Case:
    """The trees of an utterance or a document, and its words as a file may have them."""

    trees: tuple[Tree, ...]
    words: tuple[str, ...]
    times: tuple[GivenTime, ...]
    begin: float | None = None
    end: float | None = None

    def placed(self) -> Placed:
        """What the oracle makes of it."""
        return placed(self.trees, self.words, sound(self.times)[0], self.begin, self.end)


@dataclass(frozen=True)
class Features:
    """What a case is like; drawn once per case, so that many combinations occur."""

    silent: float  # chance of a silent leaf or word at a place
    changed: float  # chance of a word lost, new or another on either side
    untimed: float
    odd: float  # chance of a time that cannot be
    pauses: float
    bare: float  # chance of a word without a tag
    units_per_second: int
    longest: int  # of a pause or a word, in units
    by_weight: bool  # lengths of words are in proportion to their weights: pauses fall on borders


def make_features(rng: Random) -> Features:
    """Features of one case."""
    return Features(
        silent=rng.choice((0.0, 0.1, 0.3)),
        changed=rng.choice((0.0, 0.0, 0.1, 0.3, 0.7)),
        untimed=rng.choice((0.0, 0.0, 0.1, 0.3, 0.8, 1.0)),
        odd=rng.choice((0.0, 0.0, 0.1, 0.3)),
        pauses=rng.choice((0.0, 0.2, 0.6)),
        bare=rng.choice((0.0, 0.0, 0.2, 0.6)),
        units_per_second=rng.choice((1, 8, 100, 1000)),
        longest=rng.choice((1, 3, 40, 1000)),
        by_weight=rng.random() < 0.5,
    )


# ---------------------------------------------------------------------------------------------------------------------
# Words and times


def make_sayings(rng: Random, number: int, features: Features) -> tuple[list[Token], list[str]]:
    """What is in the trees, and what is in the file of words: the same, nearly."""
    leaves: list[Token] = []
    words: list[str] = []
    for _ in range(number):
        in_tree, in_words = rng.choice(SAYINGS)
        own = [changed_word(rng, word, features) for word in in_tree]
        leaves += [(rng.choice(TAGS), word) for words_here in own for word in words_here]
        words += [word for plain in in_words for word in changed_word(rng, plain, features)]
        while rng.random() < features.silent:
            leaves.insert(rng.randint(max(0, len(leaves) - 2), len(leaves)), rng.choice(SILENT_LEAVES))
        while rng.random() < features.silent / 2:
            words.append(rng.choice(SILENT_WORDS))
        if words and rng.random() < features.silent / 2:
            words[-1] += rng.choice(GLUED)
    return [(None if rng.random() < features.bare else tag, word) for tag, word in leaves], words


def changed_word(rng: Random, word: str, features: Features) -> list[str]:
    """The word, another, none or two."""
    if rng.random() >= features.changed:
        return [word]
    return rng.choice(([], [rng.choice(ALONE)], [word, rng.choice(ALONE)], [rng.choice(ALONE), word]))


def make_times(rng: Random, words: Sequence[str], features: Features) -> tuple[list[GivenTime], float, float]:
    """Times of words, and when the utterance begins and ends."""
    now = rng.choice((0, rng.randint(0, 5 * features.longest)))
    begin = now - rng.randint(0, min(now, features.longest))
    factor = rng.randint(1, features.longest)
    times: list[GivenTime] = []

    def seconds(units: int) -> float:
        return units / features.units_per_second

    for word in words:
        if rng.random() < features.pauses:
            now += rng.randint(1, features.longest)
        end = now + (max(1, weight(word)) * factor if features.by_weight else rng.randint(1, features.longest))
        time: GivenTime = (seconds(now), seconds(end))
        if rng.random() < features.untimed:
            time = None
        elif rng.random() < features.odd:
            time = odd_time(rng, seconds(now), seconds(end), times)
        times.append(time)
        now = end
    return times, seconds(begin), seconds(now + rng.choice((0, rng.randint(1, features.longest))))


def odd_time(rng: Random, start: float, end: float, before: Sequence[GivenTime]) -> tuple[float, float]:
    """A time that cannot be, or not behind the others."""
    earlier = [time for time in before if time is not None and time[0] == time[0]]
    choices = [
        (float("nan"), end),
        (start, float("inf")),
        (float("-inf"), end),
        (end, start),
        (start, start),
        (-start - 1, end),
        (-2.0, -1.0),
    ]
    if earlier:
        last_start, last_end = earlier[-1]
        middle = (last_start + last_end) / 2
        choices += [
            (last_start, end),  # at the same time as the word before
            (last_start / 2, end),
            (middle, max(end, middle + 1)),  # overlaps
            (middle, max(end, middle + 1)),
            (round(last_end - 1e-7, 9), max(end, last_end)),  # by a rounding error
            (rng.choice(earlier)[0], end),
        ]
    return rng.choice(choices)


# ---------------------------------------------------------------------------------------------------------------------
# Trees


def make_tree(rng: Random, tokens: Sequence[Token]) -> Tree:
    """A tree over these leaves, from the bottom, with unary chains; few phrases are empty."""
    items: list[Tree] = [word if tag is None else (tag, word) for tag, word in tokens]
    while rng.random() < (0.85 if len(items) > 1 else 0.3):
        size = rng.randint(1, min(4, len(items)))
        start = rng.randint(0, len(items) - size)
        items[start : start + size] = [phrase(rng, items[start : start + size])]
        if rng.random() < 0.03:
            items.insert(start, (rng.choice(LABELS), ()))
    return phrase(rng, items)


def phrase(rng: Random, children: Sequence[Tree]) -> Tree:
    """A phrase. A word alone in brackets would be read as a tagged word: it gets a tag."""
    if len(children) == 1 and isinstance(children[0], str):
        children = [(rng.choice(TAGS), children[0])]
    return rng.choice(LABELS), tuple(children)


def make_trees(rng: Random, leaves: Sequence[Token], most: int) -> list[Tree]:
    """Trees over these leaves, one after the other; few have no leaves at all."""
    number = min(rng.randint(1, most), max(1, len(leaves)))
    cuts = [0, *sorted(rng.sample(range(1, len(leaves)), number - 1) if leaves else ()), len(leaves)]
    trees: list[Tree] = []
    for start, end in pairwise(cuts):
        trees.append(make_tree(rng, leaves[start:end]) if start < end else ("", ()))
        if most > 1 and rng.random() < 0.05:
            trees.append(("", ()))
        if most > 1 and rng.random() < 0.05:
            trees.append(make_tree(rng, [rng.choice(SILENT_LEAVES[:8])]))
    return trees


def make_case(rng: Random, most_sayings: int = 5, most_trees: int = 3) -> Case:
    """One random case."""
    features = make_features(rng)
    leaves, words = make_sayings(rng, rng.randint(0 if rng.random() < 0.1 else 1, most_sayings), features)
    times, begin, end = make_times(rng, words, features)
    return Case(
        tuple(make_trees(rng, leaves, rng.choice((1, most_trees)))),
        tuple(words),
        tuple(times),
        begin if rng.random() < 0.5 else rng.choice((None, None, float("nan"), -1.0, end)),
        end if rng.random() < 0.5 else rng.choice((None, None, float("inf"), begin)),
    )


# ---------------------------------------------------------------------------------------------------------------------
# Two sides


def make_pair(rng: Random, most_sayings: int = 4, most_trees: int = 3) -> tuple[Case, Case]:
    """Gold, and what a recogniser and a parser made of it: other words, times and ends of sentences."""
    gold = make_case(rng, most_sayings, most_trees)
    features = replace(make_features(rng), units_per_second=rng.choice((8, 100)))
    how = rng.choice(("same words", "same words", "same words", "other words", "new"))
    if how == "new":
        return gold, make_case(rng, most_sayings, most_trees)
    words, times = list(gold.words), list(gold.times)
    if how == "other words":
        for place in reversed(range(len(words))):
            if rng.random() < 0.3:
                words[place : place + 1] = own = changed_word(rng, words[place], replace(features, changed=1.0))
                times[place : place + 1] = [times[place]][: len(own)] + [None] * (len(own) - 1)
    moved = [moved_time(rng, time, features) if rng.random() < 0.4 else time for time in times]
    leaves: list[Token] = [(None if rng.random() < features.bare else rng.choice(TAGS), word) for word in words]
    trees = make_trees(rng, leaves, most_trees)
    return gold, Case(tuple(trees), tuple(words), tuple(moved), gold.begin, gold.end)


def moved_time(rng: Random, time: GivenTime, features: Features) -> GivenTime:
    """A word that begins or ends a little earlier or later."""
    if time is None:
        return None
    return (
        round(time[0] + rng.choice((0, 0, 1, -1)) / features.units_per_second, 6),
        round(time[1] + rng.choice((0, 0, 1, -1)) / features.units_per_second, 6),
    )


# ---------------------------------------------------------------------------------------------------------------------
# For treescore


def text(tree: Tree) -> str:
    """The tree in brackets on one line."""
    if isinstance(tree, str):
        return tree
    label, below = tree
    return f"({label} {below if isinstance(below, str) else ' '.join(map(text, below))})"


def texts(case: Case) -> list[str]:
    """The trees in brackets, one per line."""
    return [text(tree) for tree in case.trees]


def bank(case: Case) -> treescore.Treebank:
    """The trees as treescore reads them."""
    lines = "".join(line + "\n" for line in texts(case))
    return treescore.read(lines.encode(), layout="line", on_error="keep")


def utterance(case: Case, id: str | None = None) -> Utterance:
    """The words with their times as they were given, odd ones included."""
    return Utterance(Transcript(case.words, times=case.times), id=id, begin=case.begin, end=case.end)


def sound_utterance(case: Case, id: str | None = None) -> Utterance:
    """The words with the times that the oracle finds sound, rounded to floats."""
    times = [None if time is None else floats(time) for time in sound(case.times)[0]]
    return Utterance(Transcript(case.words, times=times), id=id, begin=case.begin, end=case.end)


def utterances(cases: Sequence[Case], ids: Sequence[str] | None = None) -> Utterances:
    """Several cases as one file; without ids they have none."""
    names: Sequence[str | None] = ids or [None] * len(cases)
    return Utterances([utterance(case, name) for case, name in zip(cases, names, strict=True)], format="random")


def floats(time: Interval) -> tuple[float, float]:
    """The nearest numbers."""
    return float(time[0]), float(time[1])


def timed_bank(trees: Sequence[Tree], times: Sequence[Sequence[Interval] | None]) -> treescore.Treebank:
    """A treebank of these trees over these times of their leaves; None for a tree without times."""
    from treescore import _core

    builder = _core.TreeBuilder()

    def add(tree: Tree) -> None:
        if isinstance(tree, str):
            builder.leaf(tree.encode(), None)
        elif isinstance(tree[1], str):
            builder.leaf(tree[1].encode(), tree[0].encode())
        else:
            builder.open(tree[0].encode())
            for child in tree[1]:
                add(child)
            builder.close()

    for line, (tree, own) in enumerate(zip(trees, times, strict=True), 1):
        add(tree)
        if own:
            builder.set_times([floats(time) for time in own])
        builder.finish(line)
    return treescore.Treebank(builder.trees())
