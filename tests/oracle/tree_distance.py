"""Tree edit distance by its definition, for tests: plain recursion over forests.

Tai (1979): the distance of two ordered forests is the least cost of a sequence of edits that turns one into the other.
An edit deletes a node, whose children take its place, inserts one, the other way round, or renames one. The last roots
x of F and y of G leave three ways, of which the cheapest is taken: delete x, insert y, or turn x into y, and then
children into children and the forests before them into each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TypeAlias

import strategies

#: ("label", "NP") or ("word", "cat"): a word is never equal to a label.
Label: TypeAlias = tuple[str, str]


@dataclass(frozen=True)
class Node:
    """A node with its number: phrases and preterminals in the order in which they open, then all words."""

    label: Label
    number: int
    children: tuple[Node, ...] = ()


Forest: TypeAlias = tuple[Node, ...]
Rename: TypeAlias = Callable[[Node, Node], Fraction]


@dataclass(frozen=True)
class Costs:
    """The costs of the edits. Nodes of equal label are kept for nothing."""

    insert: Fraction
    delete: Fraction
    rename: Fraction

    def of_pair(self, x: Node, y: Node) -> Fraction:
        """The cost of turning one node into another."""
        return Fraction(0) if x.label == y.label else self.rename


def forest_of(trees: Sequence[strategies.Node], *, words: bool = False, labels: bool = True) -> Forest:
    """The nodes of some trees; words are nodes only if asked for. Every phrase must have a word."""
    numbers = iter(range(10**9))
    word_numbers = iter(range(sum(map(count_labels, trees)), 10**9))

    def build(item: strategies.Node) -> Forest:
        if isinstance(item, strategies.Word) and item.tag is None:
            number = next(word_numbers)
            return (Node(("word", item.text), number),) if words else ()
        label = item.tag if isinstance(item, strategies.Word) else item.label
        number = next(numbers)
        parts = (strategies.Word(None, item.text),) if isinstance(item, strategies.Word) else item.children
        below = tuple(node for part in parts for node in build(part))
        return (Node(("label", str(label) if labels else ""), number, below),)

    return tuple(node for tree in trees for node in build(tree))


def count_labels(tree: strategies.Node) -> int:
    """How many phrases and preterminals there are."""
    if isinstance(tree, strategies.Word):
        return tree.tag is not None
    return 1 + sum(map(count_labels, tree.children))


def nodes_of(forest: Forest) -> Iterator[Node]:
    """All nodes in the order in which they open."""
    for node in forest:
        yield node
        yield from nodes_of(node.children)


def distance(gold: Forest, test: Forest, insert: Fraction, delete: Fraction, rename: Rename) -> Fraction:
    """The least cost of turning gold into test."""

    @cache
    def least(f: Forest, g: Forest) -> Fraction:
        ways = []
        if f:
            ways.append(delete + least(f[:-1] + f[-1].children, g))
        if g:
            ways.append(insert + least(f, g[:-1] + g[-1].children))
        if f and g:
            x, y = f[-1], g[-1]
            ways.append(rename(x, y) + least(f[:-1], g[:-1]) + least(x.children, y.children))
        return min(ways, default=Fraction(0))

    return least(gold, test)


def is_mapping(gold: Forest, test: Forest, pairs: Sequence[tuple[int, int]]) -> bool:
    """Is no node in two pairs, and are nodes above or left of each other on both sides or on neither?"""
    relations = [relation_of(forest) for forest in (gold, test)]
    return all((a == c) == (b == d) and relations[0](a, c) == relations[1](b, d) for a, b in pairs for c, d in pairs)


def relation_of(forest: Forest) -> Callable[[int, int], tuple[bool, bool]]:
    """A function that says of two nodes, given by number: does a open before b, and does it close before b?"""
    opened = {node.number: place for place, node in enumerate(nodes_of(forest))}
    closed = {number: place for place, number in enumerate(closing(forest))}

    def relation(a: int, b: int) -> tuple[bool, bool]:
        return opened[a] < opened[b], closed[a] < closed[b]

    return relation


def closing(forest: Forest) -> Iterator[int]:
    """The numbers of all nodes in the order in which they close."""
    for node in forest:
        yield from closing(node.children)
        yield node.number
