"""Two treebanks of different size: how many trees they have, and from which one on their words differ.

>>> import treescore
>>> numbers_and_place(treescore.read("(S a) (S b)", name="gold"), treescore.read("(S b)", name="test"))
('2 trees in gold but 1 in test; the words first differ in tree 1: gold (line 1) has “a”, test (line 1) has “b”', 0)
"""

from __future__ import annotations

from ..helpers.text import number_of, visible
from ..values.problem import Problem, UnequalTreebanks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..trees import Treebank


def check_equal_number(
    gold: Treebank, test: Treebank, *, advice: str = "", sides: tuple[str, str] = ("gold", "test")
) -> None:
    """Refuse treebanks of different size, and say where they first differ; `sides` are their names."""
    if len(gold) == len(test):
        return
    message, place = numbers_and_place(gold, test, sides)
    raise unequal(message, place + 1, advice)


def unequal(message: str, number: int, advice: str = "") -> UnequalTreebanks:
    """The error of sides that differ in size, and in the words of the tree of this number."""
    return UnequalTreebanks(Problem("unequal", f"{message}; {advice}" if advice else message, unit=number))


def numbers_and_place(gold: Treebank, test: Treebank, sides: tuple[str, str] = ("gold", "test")) -> tuple[str, int]:
    """How many trees there are, and the place from which on they differ."""
    names = [bank.source.name or side for bank, side in zip((gold, test), sides, strict=True)]
    place = first_difference(gold, test)
    if place is None:
        place = min(len(gold), len(test))
    where = difference_at(gold, test, place, sides)
    are_blank = max(gold.blank_lines, test.blank_lines) > 0
    return unequal_numbers(names, (len(gold), len(test)), where, are_blank=are_blank), place


def without_pairs(gold: Treebank, test: Treebank, what: str) -> str:
    """Why something that shows pairs of trees cannot show these."""
    sizes, _ = numbers_and_place(gold, test)
    return f"{sizes}; {what} needs a pair of trees for each sentence; use: treescore GOLD TEST"


def unequal_numbers(names: Sequence[str], sizes: Sequence[int], where: str, *, are_blank: bool) -> str:
    """How many trees there are, and where they first differ; `are_blank` says that there are blank lines."""
    message = f"{number_of(sizes[0], 'tree')} in {names[0]} but {sizes[1]:,} in {names[1]}; {where}"
    if are_blank:
        message += "; if a blank line stands for a sentence without a parse, choose the layout line (--layout line)"
    return message


def difference_at(
    gold: Treebank, test: Treebank, place: int, sides: tuple[str, str] = ("gold", "test"), *, before: int = 0
) -> str:
    """Where the words first differ; so many trees stand before these."""
    words = _openings(gold, test, place)
    lines = [f" (line {bank.line(place)})" if place < len(bank) else "" for bank in (gold, test)]
    shown = [f"{side}{line} has {opening}" for side, line, opening in zip(sides, lines, words, strict=True)]
    return f"the words first differ in tree {before + place + 1}: {', '.join(shown)}"


def first_difference(gold: Treebank, test: Treebank, *, traces: bool = False) -> int | None:
    """The place of the first tree whose words differ; trees without words on one side do not count.

    `traces` says whether traces count as words.
    """
    return gold.native.first_unequal(test.native, traces=traces)


def _openings(gold: Treebank, test: Treebank, index: int) -> list[str]:
    """Some words of both trees, with the first ones that differ."""
    sides = [bank.words(index) if index < len(bank) else None for bank in (gold, test)]
    pairs = enumerate(zip(*(words or () for words in sides), strict=False))
    differing = next((place for place, (a, b) in pairs if a != b), min(len(words or ()) for words in sides))
    first = max(0, differing - 3) if differing >= 6 else 0
    return [_opening(words, first) for words in sides]


def _opening(words: list[str] | None, first: int) -> str:
    if words is None:
        return "no tree"
    text = visible(" ".join(words[first : first + 6]))
    shown = f"{'… ' if first else ''}{text}{' …' if len(words) > first + 6 else ''}"
    return f"“{shown}”" if words else "an empty tree"
