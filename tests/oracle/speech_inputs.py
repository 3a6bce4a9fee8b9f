"""Random units of speech trees and random options, for the tests of the metric sparseval.

Few words and labels, so that alignments have ties and brackets coincide. Frequent: edits at edges, within edits and as
tags; unary chains; punctuation; phrases without words; words without tags; trees that lose all their words; sentences
that end elsewhere on the other side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from oracle.speech import Group, Options, Sentence, Table
from strategies import Node, Phrase, Word, write

import treescore
from treescore import heads
from treescore.metrics.sparseval import Sparseval

WORDS = ("a", "b", "a", "b", "c", "uh", "um", "A", "a-b", "ab", "-", "--", "TOP", "ß", "ss")
TAGS = ("NN", "NN", "VB", "DT", "IN", "CC", "NN-X")
ODD_TAGS = (",", ",", ".", "EDITED", "EDX", "TOP", "-NONE-", None)
LABELS = ("S", "NP", "VP", "NP-SBJ", "NP", "VP")
ODD_LABELS = ("EDITED", "EDITED", "EDITED-X", "EDX", "PRN", "TOP", "", "-X-", "CC")
OUTER = ("TOP", "ROOT", "S1", "VROOT", "", "TOP-X", "S", "EDITED")
#: Lines that hold no tree, no words, or cannot be read.
FAILED = ("()", "(TOP ())", "(S (NP))", "(S (NN a)", "(NN a))")

DELETE = ((",", "."), (",", ".", "-NONE-"), (), ("NN",), ("NP-SBJ", ","), ("NP", "VP", "."), ("EDITED", "PRN"))
EDITS = (("EDITED",), ("EDITED", "EDX"), ("EDX",), (), ("EDITED", "NP"), ("EDITED", "S", "EDX"))
CLOSED = (("DT", "IN"), (), ("CC", "DT"), ("NN", "TOP"))
CLOSED_WORDS = ((), (), ("uh",), ("A",), ("a-B", "c"))
PAUSES = (("uh", "um"), (), ("uh", "um", "c"), ("Uh", "c"))
EQUAL_LABELS = (
    (),
    (),
    (("NP", "VP"),),
    (("S", "NP"), ("NP", "NN")),
    (("EDITED", "EDX"), ("TOP", "S"), ("NP-SBJ", "X")),
)
#: None of these are pauses; see `test_pauses_and_pairs_join`.
EQUAL_WORDS = (
    (),
    (),
    (("a", "b"),),
    (("ab", "TOP"), ("B", "top")),
    (("A-", "-"), ("b", "-")),
    (("ab", "um"), ("um", "B")),
)

T = TypeVar("T")


@dataclass(frozen=True)
class Unit:
    """The lines of both sides."""

    gold: tuple[str, ...]
    test: tuple[str, ...]


# ---------------------------------------------------------------------------------------------------------------------
# Trees


def make_word(rng: Random, odd: float) -> Word:
    """A word with a tag or without one."""
    return Word(rng.choice(ODD_TAGS if rng.random() < odd else TAGS), rng.choice(WORDS))


def make_label(rng: Random, odd: float) -> str:
    """The label of a phrase."""
    return rng.choice(ODD_LABELS if rng.random() < odd else LABELS)


def make_tree(rng: Random, most_words: int, odd: float) -> Phrase:
    """A tree from the bottom, with unary chains; some phrases are empty."""
    items: list[Node] = [make_word(rng, odd) for _ in range(rng.randint(1, most_words))]
    while rng.random() < (0.85 if len(items) > 1 else 0.3):
        size = rng.randint(1, min(3, len(items)))
        start = rng.randint(0, len(items) - size)
        items[start : start + size] = [Phrase(make_label(rng, odd), tuple(items[start : start + size]))]
        if rng.random() < odd / 10:
            items.insert(start, Phrase(make_label(rng, odd), ()))
    return Phrase(rng.choice(OUTER), tuple(items))


def changed(rng: Random, node: Node, rate: float, odd: float) -> list[Node]:
    """The node with words and tags changed, lost and new, brackets gone and new."""
    if isinstance(node, Word):
        fate = rng.random() / rate if rate else 9
        if fate < 0.2:
            return []
        if fate < 0.4:
            return [Word(node.tag, rng.choice(WORDS))]
        if fate < 0.5:
            return [Word(make_word(rng, odd).tag, node.text)]
        return [make_word(rng, odd), node] if fate < 0.7 else [node]
    below = [item for child in node.children for item in changed(rng, child, rate, odd)]
    if below and rng.random() < rate / 2:
        start = rng.randrange(len(below))
        end = rng.randint(start + 1, len(below))
        below[start:end] = [Phrase(make_label(rng, odd), tuple(below[start:end]))]
    if rng.random() < rate / 2:
        return below
    return [Phrase(make_label(rng, odd) if rng.random() < rate / 2 else node.label, tuple(below))]


def line_of(nodes: Sequence[Node]) -> str:
    """Trees on one line; words that stand alone get a tag."""
    return " ".join(write(Word(node.tag or "NN", node.text) if isinstance(node, Word) else node) for node in nodes)


def make_unit(rng: Random, most_sentences: int = 1, most_words: int = 6) -> Unit:
    """Sentences, and what a recogniser and a parser made of them, with other ends of sentences now and then."""
    odd, rate = rng.choice((0.0, 0.2, 0.4)), rng.choice((0.0, 0.1, 0.3, 0.8))
    gold = [make_tree(rng, most_words, odd) for _ in range(rng.randint(1, most_sentences))]
    test: list[list[Node]] = [changed(rng, tree, rate, odd) for tree in gold]
    if most_sentences > 1 and rng.random() < 0.5:
        everything = [node for sentence in test for node in sentence]
        test = []
        while everything:
            size = rng.randint(1, len(everything))
            part, everything = everything[:size], everything[size:]
            if size == 1 and isinstance(part[0], Phrase) and rng.random() < 0.4:  # one sentence becomes several
                test += [[child] for child in part[0].children]
            else:
                test.append([Phrase(rng.choice(OUTER), tuple(part))])
    sides = [[line_of([tree]) for tree in gold], [line_of(nodes) or "()" for nodes in test] or ["()"]]
    for side in sides:
        if rng.random() < 0.06:
            side[rng.randrange(len(side))] = rng.choice(FAILED)
    return Unit(tuple(sides[0]), tuple(sides[1]))


# ---------------------------------------------------------------------------------------------------------------------
# Options


def make_table(rng: Random) -> heads.HeadTable:
    """A head table: a known one, or one of few labels."""
    if rng.random() < 0.5:
        return heads.get(rng.choice(heads.NAMES))
    labels = ("NN", "VB", "DT", "NP", "VP", "S", "CC", ",", "EDITED")

    def groups(least: int) -> list[Group]:
        sizes = [rng.randint(0, 3) for _ in range(rng.randint(least, 3))]
        return [(rng.choice("lr"), tuple(rng.sample(labels, size))) for size in sizes]

    return heads.HeadTable(
        {label: groups(1) for label in ("S", "NP", "VP", "TOP", "PRN") if rng.random() < 0.6},
        groups(1),
        conjunctions=rng.choice(((), ("CC",), ("CC", "DT"))),
        skip=rng.choice(((), (",",), (",", ".", "NN"))),
    )


def make_options(rng: Random) -> tuple[Options, heads.HeadTable]:
    """Options of all kinds, and the table once more, as the metric takes it."""
    table = make_table(rng)
    is_usual = rng.random() < 0.3

    def choice(choices: Sequence[T]) -> T:
        return choices[0] if is_usual else rng.choice(choices)

    options = Options(
        Table(dict(table.rules), table.default, table.conjunctions, table.skip),
        labels=rng.random() < 0.8,
        align=rng.choice(("words", "words", "bag")),
        delete=choice(DELETE),
        empty=choice(((), ("-NONE-",), ("PRN", "DT", "CC"))),
        edits=choice(EDITS),
        closed=choice(CLOSED),
        closed_words=choice(CLOSED_WORDS),
        pauses=choice(PAUSES),
        equal=choice(EQUAL_LABELS),
        equal_words=choice(EQUAL_WORDS),
        gaps=rng.choice(("left", "common")),
        governor=rng.choice(("word", "place")),
    )
    return options, table


def metric_of(options: Options, table: heads.HeadTable, unit: str) -> Sparseval:
    """The metric with these options."""
    return Sparseval(
        unit=unit,
        heads=table,
        **{name: value for name, value in vars(options).items() if name != "table"},
    )


# ---------------------------------------------------------------------------------------------------------------------
# Reading


def bank_of(lines: Sequence[str]) -> treescore.Treebank:
    """One tree or several per line, the unreadable ones kept."""
    text = "".join(line + "\n" for line in lines).encode()
    return treescore.read(text, form="brackets", layout="line", on_error="keep")


def sentences_of(bank: treescore.Treebank) -> list[Sentence]:
    """The trees as nested data."""
    unreadable = {problem.unit for problem in bank.problems}
    return [None if number in unreadable else nested(tree) for number, tree in enumerate(bank, 1)]


def nested(tree: treescore.Tree) -> tuple[Node, ...]:
    """What stands at the top of a tree."""
    phrases, tops = tree.structure()
    words = tree.pos()

    def node(number: int) -> Node:
        if number < 0:
            text, tag = words[~number]
            return Word(tag, text)
        label, children = phrases[number]
        return Phrase(label, tuple(map(node, children)))

    return tuple(map(node, tops))
