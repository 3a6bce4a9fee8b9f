"""Treebanks of different sizes: their numbers of trees, and the first tree with different words.

>>> import treescore
>>> sizes_and_difference(treescore.read("(S a) (S b)", name="gold"), treescore.read("(S b)", name="test"))
('2 trees in gold but 1 in test; the words first differ in tree 1: gold (line 1) has “a”, test (line 1) has “b”', 0)
"""

from __future__ import annotations

from ..helpers.text import number_of, visible
from ..values.brief import brief
from ..values.problem import Problem, UnequalTreebanks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..trees import Treebank


def check_equal_number(
    gold: Treebank, test: Treebank, *, advice: str = "", sides: tuple[str, str] = ("gold", "test")
) -> None:
    """Raise an error for treebanks of different sizes, with their first difference; `sides` are their names."""
    if len(gold) == len(test):
        return
    message, index = sizes_and_difference(gold, test, sides)
    raise unequal(message, index + 1, advice)


def unequal(message: str, number: int, advice: str = "") -> UnequalTreebanks:
    """The error of sides with different sizes that first differ in the tree with this number."""
    return UnequalTreebanks(Problem("unequal", f"{message}; {advice}" if advice else message, unit=number))


def sizes_and_difference(gold: Treebank, test: Treebank, sides: tuple[str, str] = ("gold", "test")) -> tuple[str, int]:
    """A message with the numbers of trees and the first difference, and the index of that tree."""
    names = [bank.source.name or side for bank, side in zip((gold, test), sides, strict=True)]
    index = first_difference(gold, test)
    if index is None:
        index = min(len(gold), len(test))
    where = difference_at(gold, test, index, sides)
    has_blank_lines = max(gold.blank_lines, test.blank_lines) > 0
    return sizes_message(names, (len(gold), len(test)), where, has_blank_lines=has_blank_lines), index


def without_pairs(gold: Treebank, test: Treebank, what: str) -> str:
    """The reason why pairs of these trees cannot be shown."""
    sizes, _ = sizes_and_difference(gold, test)
    return f"{sizes}; {what} needs a pair of trees for each sentence; use: treescore GOLD TEST"


def sizes_message(names: Sequence[str], sizes: Sequence[int], where: str, *, has_blank_lines: bool) -> str:
    """A message with the numbers of trees and their first difference."""
    message = f"{number_of(sizes[0], 'tree')} in {names[0]} but {sizes[1]:,} in {names[1]}; {where}"
    if has_blank_lines:
        message += "; if a blank line stands for a sentence without a parse, choose the layout line (--layout line)"
    return message


def difference_at(
    gold: Treebank, test: Treebank, index: int, sides: tuple[str, str] = ("gold", "test"), *, before: int = 0
) -> str:
    """A message about the first tree with different words; `before` is the number of earlier trees."""
    words = _openings(gold, test, index)
    lines = [f" (line {bank.line(index)})" if index < len(bank) else "" for bank in (gold, test)]
    shown = [f"{side}{line} has {opening}" for side, line, opening in zip(sides, lines, words, strict=True)]
    return f"the words first differ in tree {before + index + 1}: {', '.join(shown)}"


def first_difference(gold: Treebank, test: Treebank, *, traces: bool = False) -> int | None:
    """The index of the first tree with different words, without trees that are empty on one side.

    With `traces` traces count as words.
    """
    return gold.native.first_unequal(test.native, traces=traces)


def _openings(gold: Treebank, test: Treebank, index: int) -> list[str]:
    """Some words of both trees, including the first difference."""
    sides = [bank.words(index) if index < len(bank) else None for bank in (gold, test)]
    pairs = enumerate(zip(*(words or () for words in sides), strict=False))
    differing = next((index for index, (a, b) in pairs if a != b), min(len(words or ()) for words in sides))
    first = max(0, differing - 3) if differing >= 6 else 0
    return [_opening(words, first) for words in sides]


def _opening(words: list[str] | None, first: int) -> str:
    if words is None:
        return "no tree"
    text = visible(brief(" ".join(words[first : first + 6])))
    shown = f"{'… ' if first else ''}{text}{' …' if len(words) > first + 6 else ''}"
    return f"“{shown}”" if words else "an empty tree"
