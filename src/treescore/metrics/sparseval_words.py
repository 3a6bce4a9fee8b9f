"""The words that sparseval compares: kept words, equal words, and their rows in an alignment."""

from __future__ import annotations

from itertools import accumulate, pairwise

from ..heads.finding import category
from ..helpers.text import decode
from ..pairing.fitted_words import fit
from ..values.problem import InputError, Problem
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..trees import Treebank

    #: Gold word or None, test word or None, and whether they are the same.
    WordRow = tuple[str | None, str | None, bool]
    #: First tree and end in gold, first tree and end in test.
    Unit = tuple[int, int, int, int]


def surface(word: str) -> str:
    """A word without case and hyphens. Words with the same surface are the same.

    >>> surface("Uh-Huh"), surface("-")
    ('uhhuh', '-')
    """
    return word.replace("-", "").casefold() or word


def classes(names: Sequence[str], pairs: Iterable[tuple[str, str]]) -> list[int]:
    """A number for each name, which is the same for equal names and for names that pairs connect.

    >>> classes(["a", "b", "c", "a", "d"], [("b", "x"), ("x", "c"), ("b", "d")])
    [0, 1, 1, 0, 1]
    """
    parents: dict[str, str] = {}

    def root(name: str) -> str:
        while (parent := parents.get(name, name)) != name:
            parents[name] = parents.get(parent, parent)
            name = parent
        return name

    for a, b in pairs:
        parents[root(a)] = root(b)
    numbers: dict[str, int] = {}
    for index, name in enumerate(names):
        numbers.setdefault(root(name), index)
    return [numbers[root(name)] for name in names]


def chunks(bank: Treebank) -> list[int]:
    """The first tree of each chunk. A chunk begins after a blank line, even if the line was read as a missing parse."""

    lines = [bank.line(index) for index in range(len(bank))]
    gaps = [max(0, later - line - 1) for line, later in pairwise(lines)]
    if sum(gaps) > bank.blank_lines:
        message = "unit:chunk needs every tree on a line of its own, and only blank lines between trees"
        raise InputError(Problem("layout", message, file=bank.source.name))

    def begins(index: int) -> bool:
        previous = index - 1
        is_blank = not bank.native.leaf_count(previous) and not bank.native.node_count(previous)
        is_next_file = lines[index] < lines[previous]
        return is_blank or gaps[previous] > 0 or is_next_file

    return [0, *filter(begins, range(1, len(bank)))] if len(bank) else []


def chunk_units(gold: Treebank, test: Treebank) -> list[Unit]:
    """The trees between blank lines. The side with fewer chunks gets empty chunks at its end."""
    starts = [chunks(bank) for bank in (gold, test)]
    chunk_count = max(map(len, starts))
    for side, bank in zip(starts, (gold, test), strict=True):
        side += [len(bank)] * (chunk_count + 1 - len(side))
    return [(*a, *b) for a, b in zip(pairwise(starts[0]), pairwise(starts[1]), strict=True)]


def kept_words(bank: Treebank, delete: Iterable[str], empty: Iterable[str]) -> list[list[str]]:
    """The words of each tree that are deleted neither by their tags nor with a phrase above them."""
    names = [decode(name) for name in bank.native.names(0)]
    deleted_tags, empty_labels = (
        {number for number, name in enumerate(names) if {name, category(name)} & labels}
        for labels in ({*delete, *empty}, set(empty))
    )
    kept: list[list[str]] = []
    for index in range(len(bank)):
        words: list[str] = []
        deleted_until = 0
        phrases = iter([(first, last) for label, _, first, last in bank.native.nodes(index) if label in empty_labels])
        phrase = next(phrases, None)
        leaves = [] if bank.native.faulty(index) else bank.native.leaves(index)
        for leaf, (tag, _, word) in enumerate(leaves):
            while phrase and phrase[0] <= leaf:
                deleted_until = max(deleted_until, phrase[1])
                phrase = next(phrases, None)
            if tag not in deleted_tags and leaf >= deleted_until:
                words.append(decode(word))
        kept.append(words)
    return kept


class PlacedUnits(Value):
    """An alignment of all words, divided into units.

    `places` has two flat lists for each unit, gold and test, with the first row and the number of rows of each word.
    `unit_of_row` has None for rows that belong to no word.
    """

    rows: Sequence[WordRow]
    places: list[tuple[list[int], list[int]]]
    unit_of_row: list[int | None]
    problems: list[Problem]


def unit_places(
    rows: Sequence[WordRow], gold: Sequence[Sequence[str]], test: Sequence[Sequence[str]], units: Sequence[Unit]
) -> PlacedUnits:
    """The rows of the words of each unit in an alignment of all words, and the words that do not fit."""
    words = [[word for tree in side for word in tree] for side in (gold, test)]
    fitted = fit([(a, b) for a, b, _ in rows], words[0], words[1], surface)
    starts = [list(accumulate(map(len, side), initial=0)) for side in (gold, test)]
    places: list[tuple[list[int], list[int]]] = []
    unit_of_row: list[int | None] = [None] * len(rows)
    for number, (gold_begin, gold_end, test_begin, test_end) in enumerate(units):
        spans = (starts[0][gold_begin], starts[0][gold_end]), (starts[1][test_begin], starts[1][test_end])
        parts = [side.places[begin:end] for side, (begin, end) in zip(fitted.sides, spans, strict=True)]
        first = min((place for part in parts for place, _ in part), default=0)
        gold_places, test_places = ([n for place, width in part for n in (place - first, width)] for part in parts)
        places.append((gold_places, test_places))
        for side, (begin, end) in reversed([*zip(fitted.sides, spans, strict=True)]):  # gold words take precedence
            for row in (row for word in range(begin, end) for row in side.rows[word]):
                unit_of_row[row] = number
    return PlacedUnits(rows, places, unit_of_row, fitted.problems)
