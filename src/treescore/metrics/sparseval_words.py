"""The words of the trees that sparseval compares: which are kept, which are the same, and their places."""

from __future__ import annotations

from itertools import accumulate, pairwise

from ..heads.finding import category
from ..helpers.text import decode
from ..pairing.fitted_words import fit
from ..values.problem import InputError, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..trees import Treebank

    #: Gold word or None, test word or None, and whether they are the same.
    WordRow = tuple[str | None, str | None, bool]
    #: First tree and end in gold, first tree and end in test.
    Unit = tuple[int, int, int, int]


def surface(word: str) -> str:
    """A word without case and hyphens, which two words must have in common to be the same.

    >>> surface("Uh-Huh"), surface("-")
    ('uhhuh', '-')
    """
    return word.replace("-", "").casefold() or word


def classes(names: Sequence[str], pairs: Iterable[tuple[str, str]]) -> list[int]:
    """A number for each name; equal for equal names and for those that pairs connect.

    >>> classes(["a", "b", "c", "a", "d"], [("b", "x"), ("x", "c"), ("b", "d")])
    [0, 1, 1, 0, 1]
    """
    above: dict[str, str] = {}

    def top(name: str) -> str:
        while (higher := above.get(name, name)) != name:
            above[name] = above.get(higher, higher)
            name = higher
        return name

    for a, b in pairs:
        above[top(a)] = top(b)
    numbers: dict[str, int] = {}
    for index, name in enumerate(names):
        numbers.setdefault(top(name), index)
    return [numbers[top(name)] for name in names]


def chunks(bank: Treebank) -> list[int]:
    """Where the trees between blank lines begin. A line without a tree may also be a sentence without a parse."""

    lines = [bank.line(index) for index in range(len(bank))]
    gaps = [max(0, later - line - 1) for line, later in pairwise(lines)]
    if sum(gaps) > bank.blank_lines:
        message = "unit:chunk needs every tree on a line of its own, and nothing but blank lines between them"
        raise InputError(Problem("layout", message, file=bank.source.name))

    def begins(index: int) -> bool:
        before = index - 1
        is_blank = not bank.native.leaf_count(before) and not bank.native.node_count(before)
        return is_blank or gaps[before] > 0 or lines[index] < lines[before]  # … or another file

    return [0, *filter(begins, range(1, len(bank)))] if len(bank) else []


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


class PlacedUnits:
    """An alignment of all words, cut into units.

    `places` has, for each side of a unit, first place and number of places of each word, one after the other;
    `unit_of_row` has None where a row belongs to no word.
    """

    def __init__(
        self,
        rows: Sequence[WordRow],
        places: list[tuple[list[int], list[int]]],
        unit_of_row: list[int | None],
        problems: list[Problem],
    ) -> None:
        self.rows = rows
        self.places = places
        self.unit_of_row = unit_of_row
        self.problems = problems


def unit_places(
    rows: Sequence[WordRow], gold: Sequence[Sequence[str]], test: Sequence[Sequence[str]], units: Sequence[Unit]
) -> PlacedUnits:
    """The places of the words of each unit in an alignment of all words, and what does not fit."""
    words = [[word for tree in side for word in tree] for side in (gold, test)]
    fitted = fit([(a, b) for a, b, _ in rows], words[0], words[1], surface)
    starts = [list(accumulate(map(len, side), initial=0)) for side in (gold, test)]
    out: list[tuple[list[int], list[int]]] = []
    unit_of_row: list[int | None] = [None] * len(rows)
    for number, (gold_begin, gold_end, test_begin, test_end) in enumerate(units):
        spans = (starts[0][gold_begin], starts[0][gold_end]), (starts[1][test_begin], starts[1][test_end])
        parts = [side.places[begin:end] for side, (begin, end) in zip(fitted.sides, spans, strict=True)]
        first = min((place for part in parts for place, _ in part), default=0)
        gold_places, test_places = ([n for place, wide in part for n in (place - first, wide)] for part in parts)
        out.append((gold_places, test_places))
        for side, (begin, end) in reversed([*zip(fitted.sides, spans, strict=True)]):  # gold words take precedence
            for row in (row for word in range(begin, end) for row in side.rows[word]):
                unit_of_row[row] = number
    return PlacedUnits(rows, out, unit_of_row, fitted.problems)
