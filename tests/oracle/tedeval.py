"""TEDEVAL by its definition (Tsarfaty, Nivre and Andersson 2012), for tests: trees, sizes, score, and what edits do.

The trees are rebuilt as the definition has them: a preterminal and its word are one node labelled with both; all other
nodes are phrases; one root stands over each tree. The distance is that of `oracle.tree_distance`, plain recursion.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

import strategies
from oracle.tree_distance import Forest, Node, count_labels, distance, nodes_of

#: Outermost brackets that are the root and not a phrase.
ROOTS = ("TOP", "ROOT", "S1", "VROOT", "")


@dataclass(frozen=True)
class Options:
    """The options of the metric."""

    labels: bool = True
    merge: bool = True
    rename: Fraction = Fraction(2)
    roots_count: bool = False


def below_the_root(trees: Sequence[strategies.Node], options: Options, surface: Sequence[int] | None = None) -> Forest:
    """All nodes but the root. Numbers: phrases and preterminals in the order in which they open, then words."""
    numbers = iter(range(10**9))
    words = iter(range(10**9))
    first_word = sum(map(count_labels, trees))

    def named(kind: str, *parts: object) -> tuple[str, str]:
        return kind, repr(parts)

    def build(item: strategies.Node) -> Node:
        if isinstance(item, strategies.Phrase):
            number = next(numbers)
            label = named("label", item.label if options.labels else "any")
            return Node(label, number, tuple(map(build, item.children)))
        own = None if item.tag is None else next(numbers)
        place = next(words)
        word = named("word", item.text, surface[place] if surface else None)
        if options.merge:
            tag = item.tag if options.labels else "any"
            return Node(named("lexeme", word, tag), first_word + place if own is None else own)
        leaf = Node(word, first_word + place)
        if own is None:
            return leaf
        return Node(named("label", item.tag if options.labels else "any"), own, (leaf,))

    if len(trees) == 1 and isinstance(trees[0], strategies.Phrase) and trees[0].label in ROOTS:
        next(numbers)
        return tuple(map(build, trees[0].children))
    return tuple(map(build, trees))


def size(forest: Forest) -> int:
    """The nodes with the root."""
    return 1 + len(list(nodes_of(forest)))


def edits(gold: Forest, test: Forest, options: Options) -> Fraction:
    """The distance with both roots in place: they have one reserved label, and so are kept."""

    def rename(x: Node, y: Node) -> Fraction:
        return Fraction(0) if x.label == y.label else options.rename

    root = ("root", "")
    return distance((Node(root, -1, gold),), (Node(root, -1, test),), Fraction(1), Fraction(1), rename)


def score(gold: Forest, test: Forest, options: Options) -> Fraction:
    """One minus the edits over the most edits there could be; two bare roots are equal."""
    most = size(gold) + size(test) - (0 if options.roots_count else 2)
    return 1 - edits(gold, test, options) / most if most else Fraction(1)


def without(forest: Forest, gone: Collection[int]) -> Forest:
    """The forest after these nodes were deleted: their children take their place."""
    left: list[Node] = []
    for node in forest:
        below = without(node.children, gone)
        left += below if node.number in gone else [Node(node.label, node.number, below)]
    return tuple(left)


def shape(forest: Forest) -> object:
    """What equal forests have in common."""
    return [(node.label, shape(node.children)) for node in forest]
