"""Trees as nested lists, cut and thinned by definition: a part of a tree is the tree with some of its words alone.

A phrase is a list of its label and its children, a word is a tuple of word and tag.
"""

from __future__ import annotations

from random import Random
from typing import Any


def random_tree(random: Random, size: int, labels: str = "STE") -> list[Any]:
    """A phrase over so many words, some of them without a tag."""
    children: list[Any] = []
    while size:
        part = random.randint(1, size)
        size -= part
        if part == 1 and random.random() < 0.7:
            tag = random.choice([None, "A", "B", "."])
            children.append((random.choice("abcdef"), tag))
        else:
            children.append(random_tree(random, part, labels))
    label = random.choice(labels)
    if len(children) == 1 and children[0][1] is None and isinstance(children[0], tuple):
        return [label, (children[0][0], "A")]  # a word alone in brackets has their label for its tag
    return [label, *children]


def leaves(tree: Any) -> list[Any]:
    """The words of a tree."""
    return [tree] if isinstance(tree, tuple) else [leaf for child in tree[1:] for leaf in leaves(child)]


def restricted(tree: Any, kept: set[int]) -> Any:
    """The tree over the words with these numbers; None if there are none."""

    def part(node: Any, first: int) -> Any:
        if isinstance(node, tuple):
            return node if first in kept else None
        children = []
        for child in node[1:]:
            children.append(part(child, first))
            first += len(leaves(child))
        children = [child for child in children if child is not None]
        return [node[0], *children] if children else None

    return part(tree, 0)


def without(tree: Any, label: str) -> Any:
    """The tree without phrases and tags of this label."""
    gone: set[int] = set()

    def look(node: Any, first: int, inside: bool) -> None:
        inside = inside or node[isinstance(node, tuple)] == label
        if isinstance(node, tuple):
            gone.update([first] if inside else [])
            return
        for child in node[1:]:
            look(child, first, inside)
            first += len(leaves(child))

    look(tree, 0, False)
    return restricted(tree, set(range(len(leaves(tree)))) - gone)


def brackets(tree: Any) -> str:
    """The tree in brackets."""
    if isinstance(tree, tuple):
        return tree[0] if tree[1] is None else f"({tree[1]} {tree[0]})"
    return f"({tree[0]} {' '.join(map(brackets, tree[1:]))})"
