"""Random trees and pairs of trees for property tests.

A tree is nested data (`Phrase` over `Phrase` and `Word`) that `write` turns into brackets. The makers take a `Random`,
so that the same code serves hypothesis (which shrinks what it drew) and large corpora from a fixed seed.
"""

from __future__ import annotations

import faulthandler
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

import treescore
from treescore import _core
from treescore.helpers.text import encode

LABELS = ("S", "NP", "VP", "PP", "ADVP", "PRT", "SBAR")
ODD_LABELS = ("NP-SBJ", "PP=2", "S#f", "-X-", "TOP", "", "NP|X", "木", "a:b+c", "%")
ROOTS = ("TOP", "ROOT", "S1", "VROOT", "", "S")
TAGS = ("NN", "DT", "VB", "IN", "JJ")
ODD_TAGS = ("-NONE-", ",", ".", ":", "``", "''", "-LRB-", "POS", "NN-X", "$")
WORDS = ("a", "b", "c", "the", "cat")
ODD_WORDS = ("*T*-1", "-LRB-", "\u00a0", "x\u3000y", "é", "木", "🌲", "``", "''", "=", "|", "&amp;", "\\", "%", "<b>")
FAILED = ("(())", "()", "(TOP ())", "")

#: Characters that may stand in a label or a word: everything but EVALB's blanks and the brackets.
ALPHABET = st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\v\f\r()")
TEXTS = st.text(ALPHABET, min_size=1, max_size=6)


@dataclass(frozen=True)
class Word:
    """A word with its tag, or with None without one."""

    tag: str | None
    text: str


@dataclass(frozen=True)
class Phrase:
    """A label over phrases and words."""

    label: str
    children: tuple[Phrase | Word, ...]


Node = Phrase | Word


def write(node: Node) -> str:
    """The tree in brackets on one line."""
    if isinstance(node, Word):
        return node.text if node.tag is None else f"({node.tag} {node.text})"
    return f"({' '.join([node.label, *map(write, node.children)])})"


def write_loosely(rng: Random, node: Node) -> str:
    """The same tree with blanks, tabs and line ends wherever they may stand; every line but the first is indented."""

    def blank(least: int) -> str:
        return "".join(rng.choice((" ", "\t", "\n ", "\r\n\t", "\n\n  ")) for _ in range(rng.randint(least, 2)))

    if isinstance(node, Word):
        return node.text if node.tag is None else f"({node.tag}{blank(1)}{node.text}{blank(0)})"
    below = "".join(blank(1) + write_loosely(rng, child) for child in node.children)
    return f"({node.label}{below}{blank(0)})"


def words_of(node: Node) -> list[str]:
    """The words from left to right."""
    return [node.text] if isinstance(node, Word) else [word for child in node.children for word in words_of(child)]


def phrases_of(node: Node) -> list[Phrase]:
    """All phrases, outermost first."""
    if isinstance(node, Word):
        return []
    return [node, *(phrase for child in node.children for phrase in phrases_of(child))]


def make_words(rng: Random, most: int, odd: float = 0.2) -> list[Word]:
    """At least one word; `odd` is the share of unusual tags and texts."""

    def one() -> Word:
        tag = rng.choice(ODD_TAGS if rng.random() < odd else TAGS)
        return Word(tag, rng.choice(ODD_WORDS if rng.random() < odd else WORDS))

    return [one() for _ in range(rng.randint(1, most))]


def make_label(rng: Random, odd: float = 0.2) -> str:
    """The label of a phrase."""
    return rng.choice(ODD_LABELS if rng.random() < odd else LABELS)


def make_tree(rng: Random, words: Sequence[Word], odd: float = 0.2) -> Phrase:
    """A tree over these words, built from the bottom; unary chains included."""
    items: list[Node] = list(words)
    while len(items) > 1 and rng.random() < 0.9:
        size = rng.randint(1, min(4, len(items)))
        start = rng.randint(0, len(items) - size)
        items[start : start + size] = [Phrase(make_label(rng, odd), tuple(items[start : start + size]))]
    root = Phrase(make_label(rng, odd), tuple(items))
    return Phrase(rng.choice(ROOTS), (root,)) if rng.random() < 0.5 else root


def changed(rng: Random, tree: Phrase, rate: float = 0.2, odd: float = 0.2) -> Phrase:
    """The same words under a tree with some labels changed and some brackets gone or new; tags may change too."""

    def rebuild(node: Node) -> list[Node]:
        if isinstance(node, Word):
            if rng.random() < rate / 4:
                return [Word(rng.choice(ODD_TAGS if rng.random() < odd else TAGS), node.text)]
            return [node]
        below = [item for child in node.children for item in rebuild(child)]
        if below and rng.random() < rate:  # a new bracket
            start = rng.randrange(len(below))
            end = rng.randint(start + 1, len(below))
            below[start:end] = [Phrase(make_label(rng, odd), tuple(below[start:end]))]
        if rng.random() < rate:  # a bracket less
            return below
        label = make_label(rng, odd) if rng.random() < rate else node.label
        return [Phrase(label, tuple(below))]

    items = rebuild(tree)
    return items[0] if len(items) == 1 and isinstance(items[0], Phrase) else Phrase("S", tuple(items))


def make_pair(rng: Random, *, sound: bool = False, most: int = 8) -> tuple[str, str]:
    """Two lines, gold and test. Unless `sound`, a few are failed, cut off or over other words."""
    gold = make_tree(rng, make_words(rng, most))
    test = changed(rng, gold)
    lines = [write(gold), write(test)]
    if not sound and rng.random() < 0.2:
        side = rng.randrange(2)
        fault = rng.randrange(3)
        if fault == 0:
            lines[side] = rng.choice(FAILED)
        elif fault == 1:
            lines[side] = lines[side][:-1]
        else:
            lines[side] = write(make_tree(rng, make_words(rng, most)))
    return lines[0], lines[1]


def make_pairs(rng: Random, number: int, *, sound: bool = False) -> list[tuple[str, str]]:
    """So many pairs of lines."""
    return [make_pair(rng, sound=sound) for _ in range(number)]


Pairs = list[tuple[str, str]]

RANDOMS = st.randoms(use_true_random=False)
TREES: st.SearchStrategy[Phrase] = RANDOMS.map(lambda rng: make_tree(rng, make_words(rng, 8)))
PAIRS: st.SearchStrategy[Pairs] = RANDOMS.map(lambda rng: make_pairs(rng, rng.randint(0, 5)))
SOUND_PAIRS: st.SearchStrategy[Pairs] = RANDOMS.map(lambda rng: make_pairs(rng, rng.randint(0, 5), sound=True))


def banks(pairs: Pairs) -> tuple[treescore.Treebank, treescore.Treebank]:
    """Both sides of the pairs as treebanks, one sentence per line."""
    gold, test = ("".join(pair[side] + "\n" for pair in pairs) for side in range(2))
    return read_lines(gold), read_lines(test)


def spoken(bank: treescore.Treebank) -> treescore.Treebank:
    """The same trees with times: a word is the longer the more phrases begin with it; traces and commas have no length,
    and between a comma and a word there is silence.
    """
    builder = _core.TreeBuilder()
    for index, tree in enumerate(bank):
        phrases, top = tree.structure()
        words = tree.pos()
        times: list[tuple[float, float]] = []
        tags: list[str | None] = []
        time, begun = 0.0, 1
        waiting: list[int | None] = [*reversed(top)]  # None closes a phrase
        while waiting:
            item = waiting.pop()
            if item is None:
                builder.close()
            elif item >= 0:
                label, children = phrases[item]
                builder.open(encode(label))
                waiting += [None, *reversed(children)]
                begun += 1
            else:
                word, tag = words[~item]
                builder.leaf(encode(word), None if tag is None else encode(tag))
                if tag not in ("-NONE-", ","):
                    start = time + 0.05 * (time > 0 and tags[-1:] == [","])
                    times.append((start, start + begun / 100))
                else:
                    times.append((time, time))
                tags.append(tag)
                time, begun = times[-1][1], 1
        builder.set_times(times)
        builder.finish(bank.line(index), faulty=bank.native.faulty(index))
    return treescore.Treebank(
        builder.trees(), source=bank.source, problems=bank.problems, blank_lines=bank.blank_lines, ids=bank.ids
    )


def read_lines(text: str) -> treescore.Treebank:
    """Labelled trees, one sentence per line, the unreadable ones kept as problems."""
    return treescore.read(text.encode("utf-8", "surrogateescape"), form="brackets", layout="line", on_error="keep")


@contextmanager
def hang_guard(seconds: int = 300) -> Iterator[None]:
    """End the whole run with a traceback if the body does not come back, even if it hangs in native code."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__ or 2)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
