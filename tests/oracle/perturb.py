"""Perturbed word boundaries by their definitions (Shi, Gimpel and Livescu 2024, section 5.1.2), for tests.

Trees are nested lists, `[label, children]` and `[tag, start, end]`; times are exact fractions. What takes the place of
words that are joined is our own rule, where no parser is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias

Nested: TypeAlias = list[Any]


def stream(seed: int, operation: str, number: int) -> Random:
    """The random numbers of one tree."""
    return Random(f"{seed}:{operation}:{number}")


def leaves_of(tree: Nested) -> Iterator[Nested]:
    """The leaves from left to right."""
    if len(tree) == 3:
        yield tree
    else:
        for child in tree[1]:
            yield from leaves_of(child)


def replaced(tree: Nested, leaves: Iterator[list[Nested]]) -> list[Nested]:
    """The tree with other leaves in the places of its own; phrases without leaves are gone."""
    if len(tree) == 3:
        return next(leaves)
    children = [item for child in tree[1] for item in replaced(child, leaves)]
    return [[tree[0], children]] if children else []


def perturbed(tree: Nested, operation: str, delta: float, seed: int, number: int) -> Nested:
    """The tree after one of the three operations."""
    change = {"noise": noise, "insert": insert, "delete": delete}[operation]
    leaves = [[tag, Fraction(start), Fraction(end)] for tag, start, end in leaves_of(tree)]
    return replaced(tree, iter(change(leaves, Fraction(delta), stream(seed, operation, number))))[0]


def noise(leaves: list[Nested], delta: Fraction, rng: Random) -> list[list[Nested]]:
    """Every inner instant moves by |r| of the way to a neighbour: to the right if r ≥ 0; r from U(-δ, δ)."""
    old = sorted({time for leaf in leaves for time in leaf[1:]})
    new = old.copy()
    for i in range(1, len(old) - 1):
        r = delta * (2 * Fraction(rng.random()) - 1)
        if r >= 0:
            new[i] += r * (new[i + 1] - new[i])
        else:
            new[i] -= -r * (new[i] - new[i - 1])
    at = dict(zip(old, new, strict=True))
    return [[[tag, at[start], at[end]]] for tag, start, end in leaves]


def insert(leaves: list[Nested], delta: Fraction, rng: Random) -> list[list[Nested]]:
    """Every word becomes two of the same kind with probability δ."""
    out = []
    for tag, start, end in leaves:
        chance, share = Fraction(rng.random()), Fraction(rng.random())
        if chance < delta:
            cut = start + share * (end - start)
            out.append([[tag, start, cut], [tag, cut, end]])
        else:
            out.append([[tag, start, end]])
    return out


def delete(leaves: list[Nested], delta: Fraction, rng: Random) -> list[list[Nested]]:
    """Every inner boundary is gone with probability δ; what it divided is one word, where the first one stood."""
    out: list[list[Nested]] = []
    first = 0
    for number, leaf in enumerate(leaves):
        if number and Fraction(rng.random()) < delta:
            out[first][0][2] = leaf[2]
            out.append([])
        else:
            first = number
            out.append([leaf.copy()])
    return out
