"""Trees whose phrases may have gaps, and treebanks made of them by way of their saved form."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

import strategies

import treescore
from treescore import _core

_FORMAT = 0x0331_6565_7274_6373  # native/treebank.cpp
_CROSSING, _NO_TAG = 2, 0xFFFFFFFF


@dataclass(frozen=True)
class Leaf:
    """A word with its place in the sentence."""

    place: int
    tag: str | None
    text: str


@dataclass(frozen=True)
class Node:
    """A phrase over any words."""

    label: str
    children: tuple[Node | Leaf, ...]


def leaves_of(node: Node | Leaf) -> list[Leaf]:
    """The words under a node, in no particular order."""
    return [node] if isinstance(node, Leaf) else [leaf for child in node.children for leaf in leaves_of(child)]


def placed(tree: strategies.Phrase, places: Sequence[int] | None = None) -> Node:
    """The tree with its words, from left to right, at these places of the sentence, if any are given."""
    left = iter(range(10**9) if places is None else places)

    def build(item: strategies.Node) -> Node | Leaf:
        if isinstance(item, strategies.Word):
            return Leaf(next(left), item.tag, item.text)
        return Node(item.label, tuple(map(build, item.children)))

    root = build(tree)
    assert isinstance(root, Node)
    return root


def moved(rng: Random, tree: strategies.Phrase) -> Node:
    """The tree with some of its words at other places, so that phrases have gaps."""
    places = list(range(len(strategies.words_of(tree))))
    for _ in range(rng.randint(0, 3)):
        a, b = rng.randrange(len(places)), rng.randrange(len(places))
        places[a], places[b] = places[b], places[a]
    return placed(tree, places)


def discbracket(node: Node | Leaf) -> str:
    """The tree in brackets with numbered words."""
    if isinstance(node, Leaf):
        return f"({node.tag} {node.place}={node.text})"
    return f"({node.label} {' '.join(map(discbracket, node.children))})"


def bank(trees: Iterable[Node]) -> treescore.Treebank:
    """A treebank of these trees; every phrase must have a word."""
    names: dict[str, int] = {}
    nodes, leaves, parents, begins, text, state = [], [], [], [(0, 0, 0)], bytearray(), 0
    for tree in trees:
        found: list[tuple[Leaf, int]] = []
        rows: list[tuple[int, int, int, int]] = []
        waiting: list[tuple[Node, int]] = [(tree, -1)]
        while waiting:
            node, parent = waiting.pop()
            number = len(rows)
            below = [leaf.place for leaf in leaves_of(node)]
            rows.append((names.setdefault(node.label, len(names)), parent, min(below), max(below) + 1))
            found += [(child, number) for child in node.children if isinstance(child, Leaf)]
            waiting += [(child, number) for child in reversed(node.children) if isinstance(child, Node)]
        start = len(text)
        for leaf, parent in sorted(found, key=lambda item: item[0].place):
            text += leaf.text.encode()
            tag = _NO_TAG if leaf.tag is None else names.setdefault(leaf.tag, len(names))
            leaves.append((tag, len(text) - start))
            parents.append(parent)
        nodes += rows
        begins.append((len(nodes), len(leaves), len(text)))
        state += 1

    def column(form: str, values: Sequence[tuple[int, ...]]) -> bytes:
        return struct.pack("=Q", len(values)) + b"".join(struct.pack(f"={form}", *value) for value in values)

    joined, ends = bytearray(), []
    for name in names:
        joined += name.encode()
        ends.append((len(joined),))
    data = [
        column("Q", [(_FORMAT,)]),
        struct.pack("=Q", len(joined)) + joined,
        column("Q", ends),
        column("Iiii", nodes),
        column("II", leaves),
        column("i", [(parent,) for parent in parents]),
        column("dd", []),
        column("I", []),
        column("I", []),
        struct.pack("=Q", len(text)) + text,
        *(column("Q", [(begin[which],) for begin in begins]) for which in range(3)),
        column("I", [(line,) for line in range(1, state + 1)]),
        column("B", [(_CROSSING,)] * state),
    ]
    return treescore.Treebank(_core.Trees.loaded(b"".join(data)))


#: Two trees whose phrases have the same labels and the same first and last words, but not the same words; and the words
#: have other heads.
SAME_EXTENTS = (
    "(S (X (DT 0=a) (NN 2=c)) (JJ 1=b) (VP (VB 3=d)))",
    "(S (X (DT 0=a) (JJ 1=b) (NN 2=c)) (VP (VB 3=d)))",
)
