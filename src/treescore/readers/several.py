"""Sentences with several gold trees each: lists of trees in the place of a tree.

>>> import treescore
>>> bank = read_several([["(S (NN a))", "(X (NN a))"], "(S (NN b))"], treescore.read)
>>> [list(trees.lines()) for trees in (bank, *bank.references)], bank.incomplete
([['(S (NN a))', '(S (NN b))'], ['(X (NN a))', '(S (NN b))']], (1,))
"""

from __future__ import annotations

from ..trees import Tree, Treebank
from .nested import is_nested, is_word_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


def are_several(item: Any) -> bool:
    """Is it a list of trees, and not one tree as a nested list, with times or of words?"""
    if type(item) not in (list, tuple) or is_nested(item) or is_word_list(item):
        return False
    return all(map(_is_tree, item))


def _is_tree(item: Any) -> bool:
    return (
        item is None
        or isinstance(item, str | bytes | Tree)
        or hasattr(item, "label")
        or is_nested(item)
        or is_word_list(item)
    )


def read_several(items: Sequence[Any], read_trees: Callable[[list[Any]], Treebank]) -> Treebank:
    """The first tree of each sentence, with the others as references; items may also be single trees."""
    rows = [list(item) or [None] if are_several(item) else [item] for item in items]
    numbers = [len(row) for row in rows]
    return stacked([read_trees(column) for column in columns(rows, max(numbers))], numbers)


def columns(rows: Sequence[Sequence[Any]], number: int) -> list[list[Any]]:
    """The first trees of all sentences, the second ones, and so on; the first stands in for those that are missing.

    >>> columns([["a", "b"], ["c"]], 2)
    [['a', 'c'], ['b', 'c']]
    """
    return [[row[place] if place < len(row) else row[0] for row in rows] for place in range(number)]


def stacked(banks: Sequence[Treebank], numbers: Sequence[int]) -> Treebank:
    """The first of these treebanks with the others as references, where the sentences have these numbers of trees."""
    first, *others = banks
    references = []
    for place, bank in enumerate(others, 1):
        own = [problem for problem in bank.problems if problem.unit is None or numbers[problem.unit - 1] > place]
        references.append(Treebank(bank.native, source=bank.source, problems=own, ids=bank.ids))
    return first.with_references(references, [place for place, number in enumerate(numbers) if number < len(banks)])
