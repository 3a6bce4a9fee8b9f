"""Trees over N (P N){n} in plain Python: all that a small grammar gives, all binary ones, and how both are scored.

Trees are [label, children], and [tag, start, end] over a word, as in the oracle of STRUCT-IOU.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from .struct_iou import Rules, best_by_chains, tree_of, weights_of

Nested: TypeAlias = list[Any]
Bracket: TypeAlias = tuple[str, int, int]


def tag(place: int) -> Nested:
    return ["P" if place % 2 else "N", place, place + 1]


def grammatical(start: int, end: int) -> Iterator[Nested]:
    """All NPs over these words: NP → N, NP → NP PP, PP → P NP."""
    if end - start == 1:
        yield ["NP", [tag(start)]]
    for cut in range(start + 1, end, 2):
        for left, right in product(grammatical(start, cut), grammatical(cut + 1, end)):
            yield ["NP", [left, ["PP", [tag(cut), right]]]]


def without(tree: Nested, dissolved: Callable[[Nested, Nested], bool]) -> Nested:
    """The tree without the nodes that are to be dissolved, seen with their parents; children take their places."""
    if len(tree) == 3:
        return tree
    children: list[Nested] = []
    for child in tree[1]:
        result = without(child, dissolved)
        children += result[1] if len(child) == 2 and dissolved(child, tree) else [result]
    return [tree[0], children]


def bare(node: Nested) -> bool:
    """An NP over a noun alone."""
    return len(node[1]) == 1 and len(node[1][0]) == 3


def over_words(tree: Nested) -> Nested:
    """The tree with a node over every word."""
    return ["X", [tree]] if len(tree) == 3 else [tree[0], [over_words(child) for child in tree[1]]]


#: By the first part of a convention's name: which nodes of the grammar's trees are no nodes.
DISSOLVED: dict[str, Callable[[Nested, Nested], bool]] = {
    "plain": lambda node, _: bare(node),
    "wrapped": lambda node, _: False,
    "object": lambda node, parent: bare(node) and parent[0] != "PP",
    "head": lambda node, parent: bare(node) and parent[0] != "NP",
    "flat": lambda node, parent: bare(node) or node[0] == parent[0] == "NP",
    "flat-object": lambda node, parent: node[0] == parent[0] == "NP",
    "no-pp": lambda node, _: bare(node) or node[0] == "PP",
    "no-pp-wrapped": lambda node, _: node[0] == "PP",
}
ALIKE = {"rootless": "plain", "labels": "plain", "words": "plain", "flat-wrapped": "flat-object"}


def plausible(convention: str, n: int) -> list[Nested]:
    """All plausible trees."""
    name = convention.removesuffix("-wide").removesuffix("-gold").removesuffix("-np").removesuffix("-coin")
    items = [without(tree, DISSOLVED[ALIKE.get(name, name)]) for tree in grammatical(0, 2 * n + 1)]
    return [over_words(tree) for tree in items] if name == "words" else items


def binary(start: int, end: int, draw: str) -> Iterator[tuple[Nested, Fraction]]:
    """All binary trees, with labels NP, and how likely the two ways to draw give them (uniform: up to a factor)."""
    if end - start == 1:
        yield tag(start), Fraction(1)
    for cut in range(start + 1, end):
        for (left, first), (right, other) in product(binary(start, cut, draw), binary(cut, end, draw)):
            chance = first * other / (end - start - 1) if draw == "split" else Fraction(1)
            yield ["NP", [left, right]], chance


def labelled(tree: Nested, kind: str) -> Iterator[Nested]:
    """The tree with labels; with all combinations if a coin decides."""
    if len(tree) == 3:
        yield tree
        return
    first = tree
    while len(first) == 2:
        first = first[1][0]
    names = {"coin": ["NP", "PP"], "first": ["PP" if first[0] == "P" else "NP"]}.get(kind, ["NP"])
    for name, children in product(names, product(*(labelled(child, kind) for child in tree[1]))):
        yield [name, list(children)]


def wrapped(tree: Nested) -> Nested:
    """The tree with an NP over each noun."""
    if len(tree) == 3:
        return ["NP", [tree]] if tree[0] == "N" else tree
    return [tree[0], [wrapped(child) for child in tree[1]]]


def random_trees(convention: str, n: int, draw: str) -> Iterator[tuple[Nested, Fraction]]:
    """All random trees of a convention, and how likely they are."""
    kind = {"labels": "first", "labels-np": "NP", "labels-coin": "coin"}.get(convention, "")
    shapes = list(binary(0, 2 * n + 1, draw))
    total = sum(chance for _, chance in shapes)
    for shape, chance in shapes:
        trees = list(labelled(shape, kind))
        for tree in trees:
            if convention.startswith("words"):
                tree = over_words(tree)
            elif "wrapped" in convention and "gold" not in convention:
                tree = wrapped(tree)
            yield tree, chance / total / len(trees)


def brackets(tree: Nested, convention: str, n: int) -> Counter[Bracket]:
    """The brackets that count for F1."""
    result: Counter[Bracket] = Counter()

    def add(node: Nested) -> tuple[int, int]:
        if len(node) == 3:
            return node[1], node[2]
        spans = [add(child) for child in node[1]]
        start, end = spans[0][0], spans[-1][1]
        least = 2 if convention.endswith("-wide") else 1
        if end - start >= least and not (convention == "rootless" and end - start == 2 * n + 1):
            result[node[0] if convention.startswith("labels") else "", start, end] += 1
        return start, end

    add(tree)
    return result


def f1(gold: Nested, test: Nested, convention: str, n: int) -> Fraction:
    """Twice the brackets in common over all brackets."""
    first, other = brackets(gold, convention, n), brackets(test, convention, n)
    return Fraction(2 * (first & other).total(), first.total() + other.total())


def struct_iou(gold: Nested, test: Nested, convention: str) -> Fraction:
    """By the definitions."""
    first, other = tree_of(gold), tree_of(test)
    weights = weights_of(first, other, Rules(labels=convention.startswith("labels")))
    return 2 * best_by_chains(first, other, weights, Fraction(0)) / (len(first) + len(other))
