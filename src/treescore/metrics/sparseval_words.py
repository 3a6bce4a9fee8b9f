"""The words of the trees that sparseval compares: which are kept, which are the same, and where they stand."""

from __future__ import annotations

from itertools import accumulate, pairwise

from ..aligned_words import places
from ..heads.finding import category
from ..text import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..aligned_words import Row
    from ..problem import Problem
    from ..trees import Treebank

    #: Trees of gold and test, from and to.
    Unit = tuple[int, int, int, int]


def surface(word: str) -> str:
    """What two words must have in common to be the same: letters of either case, with or without hyphens.

    >>> surface("Uh-Huh"), surface("-")
    ('uhhuh', '-')
    """
    return word.replace("-", "").casefold() or word


def classes(names: Sequence[str], pairs: Iterable[tuple[str, str]]) -> list[int]:
    """A number for each name; equal for equal names and for those that pairs connect.

    >>> classes(["a", "b", "c", "a", "d"], [("b", "x"), ("x", "c")])
    [0, 1, 1, 0, 4]
    """
    above: dict[str, str] = {}

    def top(name: str) -> str:
        while (next_one := above.get(name, name)) != name:
            name = above[name] = above.get(next_one, next_one)
        return name

    for a, b in pairs:
        above[top(a)] = top(b)
    numbers: dict[str, int] = {}
    for index, name in enumerate(names):
        numbers.setdefault(top(name), index)
    return [numbers[top(name)] for name in names]


def chunks(bank: Treebank) -> list[int]:
    """Where the trees between blank lines begin."""
    lines = [bank.line(index) for index in range(len(bank))]
    return [0] + [index for index in range(1, len(lines)) if lines[index] - lines[index - 1] > 1] if lines else []


def chunk_units(gold: Treebank, test: Treebank) -> list[Unit]:
    """The trees between blank lines; a side that has fewer of them ends with empty ones."""
    starts = [chunks(bank) for bank in (gold, test)]
    most = max(map(len, starts))
    for side, bank in zip(starts, (gold, test), strict=True):
        side += [len(bank)] * (most + 1 - len(side))
    return [(*a, *b) for a, b in zip(pairwise(starts[0]), pairwise(starts[1]), strict=True)]


def kept_words(bank: Treebank, delete: Iterable[str], empty: Iterable[str]) -> list[list[str]]:
    """The words of each tree that are not deleted, neither by their tags nor with a phrase above them."""
    names = [decode(name) for name in bank.native.names(0)]
    gone, nothing = (
        {number for number, name in enumerate(names) if {name, category(name)} & labels}
        for labels in ({*delete, *empty}, set(empty))
    )
    kept: list[list[str]] = []
    for index in range(len(bank)):
        words: list[str] = []
        end = 0  # of the phrases that are left out with their words
        phrases = iter([(first, last) for label, _, first, last in bank.native.nodes(index) if label in nothing])
        phrase = next(phrases, None)
        leaves = [] if bank.native.faulty(index) else bank.native.leaves(index)
        for leaf, (tag, _, word) in enumerate(leaves):
            while phrase and phrase[0] <= leaf:
                end = max(end, phrase[1])
                phrase = next(phrases, None)
            if tag not in gone and leaf >= end:
                words.append(decode(word))
        kept.append(words)
    return kept


def unit_places(
    rows: Sequence[Row], gold: Sequence[Sequence[str]], test: Sequence[Sequence[str]], units: Iterable[Unit]
) -> tuple[list[tuple[list[int], list[int]]], list[Problem]]:
    """Where the words of each unit stand in an alignment of all words, and what does not fit.

    For each side of a unit: first place and number of places of each word, one after the other.
    """
    words = [[word for tree in side for word in tree] for side in (gold, test)]
    *found, problems = places(rows, words[0], words[1], surface)
    starts = [list(accumulate(map(len, side), initial=0)) for side in (gold, test)]
    out: list[tuple[list[int], list[int]]] = []
    for gold_begin, gold_end, test_begin, test_end in units:
        parts = (
            found[0][starts[0][gold_begin] : starts[0][gold_end]],
            found[1][starts[1][test_begin] : starts[1][test_end]],
        )
        first = min((place for part in parts for place, _ in part), default=0)
        gold_places, test_places = ([n for place, wide in part for n in (place - first, wide)] for part in parts)
        out.append((gold_places, test_places))
    return out, problems
