"""Problems as text: their number, their kinds, and the first ones."""

from __future__ import annotations

from ..values.problem import by_code
from .text import number_of, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from ..values.problem import Problem


_MOST = 10  # problems that are listed


def listed(problems: Sequence[Problem], counted: Mapping[str, int] | None = None) -> Iterator[str]:
    """Lines with the number of problems and the first problems; no lines if there are no problems.

    >>> from treescore import Problem
    >>> list(listed([Problem("words", "other words", line=2)]))
    ['1 problem: 1 words\\n', '  2: other words\\n']
    """
    if problems:
        yield f"{codes_in_one_line(by_code(problems) if counted is None else counted)}\n"
        yield from (f"  {visible(str(problem))}\n" for problem in problems[:_MOST])
    if len(problems) > _MOST:
        yield f"  … and {len(problems) - _MOST:,} more (all of them: -f json)\n"


def in_one_line(problems: Iterable[Problem]) -> str:
    """The number of problems, in total and by kind.

    >>> from treescore import Problem
    >>> in_one_line([Problem("words", "…"), Problem("words", "…"), Problem("empty", "…")])
    '3 problems: 2 words, 1 empty'
    """
    return codes_in_one_line(by_code(problems))


def codes_in_one_line(counted: Mapping[str, int]) -> str:
    """The number of problems, in total and by kind, from the numbers by kind."""
    kinds = ", ".join(f"{number:,} {code}" for code, number in counted.items())
    return f"{number_of(sum(counted.values()), 'problem')}: {kinds}"


def problem_values(problems: Sequence[Problem], counted: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Problems for JSON; `counted` has the numbers of all problems by code if only some are given."""
    counted = by_code(problems) if counted is None else counted
    return {
        "count": sum(counted.values()),
        "by_code": dict(counted),
        "list": [problem.values() for problem in problems],
    }
