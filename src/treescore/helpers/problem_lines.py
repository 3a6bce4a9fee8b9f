"""Problems as one line of text: how many there are, and of which kinds."""

from __future__ import annotations

from ..values.problem import by_code
from .text import number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..values.problem import Problem


def in_one_line(problems: Iterable[Problem]) -> str:
    """The number of problems, and of each kind.

    >>> from treescore import Problem
    >>> in_one_line([Problem("words", "…"), Problem("words", "…"), Problem("empty", "…")])
    '3 problems: 2 words, 1 empty'
    """
    return codes_in_one_line(by_code(problems))


def codes_in_one_line(counted: Mapping[str, int]) -> str:
    """The number of problems, and of each kind."""
    kinds = ", ".join(f"{number:,} {code}" for code, number in counted.items())
    return f"{number_of(sum(counted.values()), 'problem')}: {kinds}"
