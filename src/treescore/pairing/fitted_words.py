"""The words of trees fitted into the rows of an external alignment with another tokenisation.

>>> rows = [("we", "we"), ("doesn't", None), ("know", "knew")]
>>> [side.places for side in fit(rows, ["we", "does", "n't", "know"], ["we", "knew"]).sides]
[[(0, 1), (1, 1), (2, 1), (3, 1)], [(0, 1), (3, 1)]]
"""

from __future__ import annotations

from itertools import accumulate

from ..helpers.text import visible
from ..values.problem import InputError, Problem
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    #: Gold word and test word; None where one side has none.
    Row = tuple[str | None, str | None]
    #: First place and number of places.
    Place = tuple[int, int]

_MAX_JOINED = 12  # words that may be written as one
_MAX_PROBLEMS = 10  # reported words that do not fit


class Side(Value):
    """The words of one side: their places, and the rows of each word."""

    places: list[Place]
    rows: list[list[int]]


class Fitted(Value):
    """Both sides, and the problems."""

    sides: tuple[Side, Side]
    problems: list[Problem]


def fit(
    rows: Sequence[Row], gold: Sequence[str], test: Sequence[str], same: Callable[[str], str] = str.casefold
) -> Fitted:
    """Fit the gold and test words into the rows of an alignment.

    A word of a tree may be several words of the alignment, and vice versa. A row with several words becomes as many
    places; a word that is the whole row on its side gets all of them. Words are equal if `same` gives equal results.
    """
    sides = []
    problems: list[Problem] = []
    for side, name in ((0, "gold"), (1, "test")):
        row_words = [(number, word) for number, row in enumerate(rows) if (word := row[side]) is not None]
        words = gold if side == 0 else test
        sides.append(_groups(row_words, words, same, name, problems))
    wide = [1] * (len(rows) + 1)
    for groups in sides:
        for row_numbers, count in groups:
            wide[row_numbers[0]] = max(wide[row_numbers[0]], count - len(row_numbers) + 1)
    starts = [0, *accumulate(wide)]
    return Fitted((_side(sides[0], starts), _side(sides[1], starts)), problems)


def _groups(
    row_words: Sequence[tuple[int, str]],
    words: Sequence[str],
    same: Callable[[str], str],
    side: str,
    problems: list[Problem],
) -> list[tuple[list[int], int]]:
    """The rows and the number of words of each group: one row or one word."""
    groups: list[tuple[list[int], int]] = []
    start = number = differing = 0
    while number < len(words):
        if start >= len(row_words):
            message = (
                f"{side} has more words than the alignment: word {number + 1:,}, {visible(words[number])!r}, "
                "has no row; the alignment must have exactly the words that are not deleted"
            )
            raise InputError(Problem("alignment", message))
        sizes = _fit(row_words, start, words, number, same)
        if sizes is None:
            row, word = row_words[start]
            message = (
                f"word {number + 1:,} of {side} is {visible(words[number])!r}, "
                f"and row {row + 1:,} of the alignment has {visible(word)!r}"
            )
            differing += 1
            if differing <= _MAX_PROBLEMS:
                problems.append(Problem("alignment-words", message, action="treated as equal"))
            sizes = 1, 1
        row_count, word_count = sizes
        groups.append(([row for row, _ in row_words[start : start + row_count]], word_count))
        start += row_count
        number += word_count
    if differing > _MAX_PROBLEMS:
        message = f"{differing - _MAX_PROBLEMS:,} more words of {side} differ from the alignment"
        problems.append(Problem("alignment-words", message, action="treated as equal"))
    if start < len(row_words):
        row, word = row_words[start]
        message = f"row {row + 1:,} of the alignment has {visible(word)!r}, but {side} has no more words"
        problems.append(Problem("alignment-rows", message, action="rows without words"))
    return groups


def _fit(
    row_words: Sequence[tuple[int, str]], start: int, words: Sequence[str], number: int, same: Callable[[str], str]
) -> tuple[int, int] | None:
    """The smallest numbers of rows and words with equal text."""
    row, word = same(row_words[start][1]), same(words[number])
    if row == word:
        return 1, 1
    for count in range(2, _MAX_JOINED + 1):
        if (
            start + count <= len(row_words)
            and same("".join(text for _, text in row_words[start : start + count])) == word
        ):
            return count, 1
        if number + count <= len(words) and same("".join(words[number : number + count])) == row:
            return 1, count
    return None


def _side(groups: Sequence[tuple[list[int], int]], starts: Sequence[int]) -> Side:
    places: list[Place] = []
    own_rows: list[list[int]] = []
    for rows, count in groups:
        first, end = starts[rows[0]], starts[rows[-1] + 1]
        places += [(first + word, 1) for word in range(count - 1)]
        places.append((first + count - 1, end - first - count + 1))
        own_rows += [rows, *([] for _ in range(count - 1))]
    return Side(places, own_rows)
