"""The words of trees in the rows of an alignment that was made elsewhere, where both need not be cut alike.

>>> rows = [("we", "we"), ("doesn't", None), ("know", "knew")]
>>> [side.places for side in fit(rows, ["we", "does", "n't", "know"], ["we", "knew"]).sides]
[[(0, 1), (1, 1), (2, 1), (3, 1)], [(0, 1), (3, 1)]]
"""

from __future__ import annotations

from itertools import accumulate

from ..helpers.text import visible
from ..values.problem import InputError, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    #: Gold word and test word; None where one side has none.
    Row = tuple[str | None, str | None]
    #: First place and number of places.
    Place = tuple[int, int]

_MOST = 12  # words that may be written together
_SHOWN = 10  # words that do not fit


class Side:
    """The words of one side: their places, and the rows that belong to each of them."""

    def __init__(self, places: list[Place], rows: list[list[int]]) -> None:
        self.places = places
        self.rows = rows


class Fitted:
    """Both sides, and what did not fit."""

    def __init__(self, sides: tuple[Side, Side], problems: list[Problem]) -> None:
        self.sides = sides
        self.problems = problems


def fit(
    rows: Sequence[Row], gold: Sequence[str], test: Sequence[str], same: Callable[[str], str] = str.casefold
) -> Fitted:
    """Put the words of gold and of test into the rows of an alignment.

    A word of a tree may be several words of the alignment, and the other way round. Where a row is several words, it
    becomes as many places; a word that is one row on its own side has all of them. `same` is what two words must have
    in common to be the same.
    """
    sides = []
    problems: list[Problem] = []
    for side, name in ((0, "gold"), (1, "test")):
        spoken = [(number, word) for number, row in enumerate(rows) if (word := row[side]) is not None]
        words = gold if side == 0 else test
        sides.append(_groups(spoken, words, same, name, problems))
    wide = [1] * (len(rows) + 1)
    for groups in sides:
        for row_numbers, count in groups:
            wide[row_numbers[0]] = max(wide[row_numbers[0]], count - len(row_numbers) + 1)
    starts = [0, *accumulate(wide)]
    return Fitted((_side(sides[0], starts), _side(sides[1], starts)), problems)


def _groups(
    spoken: Sequence[tuple[int, str]],
    words: Sequence[str],
    same: Callable[[str], str],
    side: str,
    problems: list[Problem],
) -> list[tuple[list[int], int]]:
    """Which rows belong to how many words: one of both is always one."""
    groups: list[tuple[list[int], int]] = []
    at = number = unlike = 0
    while number < len(words):
        if at >= len(spoken):
            message = (
                f"{side} has more words than the alignment: word {number + 1:,}, {visible(words[number])!r}, "
                "has no row; the alignment must have all words that are not deleted, and no others"
            )
            raise InputError(Problem("alignment", message))
        taken = _fit(spoken, at, words, number, same)
        if taken is None:
            row, word = spoken[at]
            message = (
                f"word {number + 1:,} of {side} is {visible(words[number])!r}, "
                f"and row {row + 1:,} of the alignment has {visible(word)!r}"
            )
            unlike += 1
            if unlike <= _SHOWN:
                problems.append(Problem("alignment-words", message, action="taken for the same"))
            taken = 1, 1
        row_count, word_count = taken
        groups.append(([row for row, _ in spoken[at : at + row_count]], word_count))
        at += row_count
        number += word_count
    if unlike > _SHOWN:
        message = f"{unlike - _SHOWN:,} more words of {side} are not those of the alignment"
        problems.append(Problem("alignment-words", message, action="taken for the same"))
    if at < len(spoken):
        row, word = spoken[at]
        message = f"row {row + 1:,} of the alignment has {visible(word)!r}, but {side} has no more words"
        problems.append(Problem("alignment-rows", message, action="rows without words"))
    return groups


def _fit(
    spoken: Sequence[tuple[int, str]], at: int, words: Sequence[str], number: int, same: Callable[[str], str]
) -> tuple[int, int] | None:
    """How many rows and words are the same text, the fewest that are."""
    row, word = same(spoken[at][1]), same(words[number])
    if row == word:
        return 1, 1
    for count in range(2, _MOST + 1):
        if at + count <= len(spoken) and same("".join(text for _, text in spoken[at : at + count])) == word:
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
