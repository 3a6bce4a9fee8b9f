"""Problems of sentences, and what was done about them, as data; and the exceptions for them."""

from __future__ import annotations

from itertools import islice

from .brief import brief
from .suggestions import did_you_mean
from .value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from typing import Any

#: Maximum number of problems that are kept of a file or of a run; the others are only counted.
MOST_PROBLEMS = 100_000
#: The code of a problem that counts the others.
MORE = "more"
#: Action for a sentence that no figure includes.
LEFT_OUT = "left out of the score"
#: Actions for a sentence that cannot be scored because of test, and for one that treescore could not finish.
FAILED, LOST = "failed", "lost"


class Problem(Value):
    """One problem with its place.

    >>> print(Problem("unclosed", "this bracket is never closed", file="dev.mrg", line=12, column=4, unit=11))
    dev.mrg:12:4: this bracket is never closed
    """

    code: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    unit: int | None = None
    action: str | None = None

    def values(self) -> dict[str, Any]:
        """All fields by name; very long words in the message are shortened."""
        return {**super().values(), "message": brief(self.message)}

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        action = f" ({self.action})" if self.action else ""
        return f"{place}: {brief(self.message)}{action}" if place else f"{brief(self.message)}{action}"


def first_problems(problems: Iterator[Problem], total: int, file: str | None) -> list[Problem]:
    """The first of `total` problems of a file, and if there are too many to keep, a problem with their number.

    >>> problems = first_problems((Problem("json", "…") for _ in range(2_000_000)), 2_000_000, "a.jsonl")
    >>> print(len(problems), problems[-1])
    100001 a.jsonl: 1,900,000 more problems of this file are not listed
    """
    kept = list(islice(problems, MOST_PROBLEMS))
    return kept if total <= MOST_PROBLEMS else [*kept, more_problems(total - MOST_PROBLEMS, file)]


def more_problems(number: int, file: str | None) -> Problem:
    """A problem that counts others, which are not kept."""
    noun = "more problem of this file is" if number == 1 else "more problems of this file are"
    return Problem(MORE, f"{number:,} {noun} not listed", file=file)


class UsageError(ValueError):
    """Options that cannot be understood or do not go together."""

    __module__ = "treescore"


def check_whole(value: object, what: str, least: int = 1) -> None:
    """Refuse a value that is not a whole number (True and False are refused, too) or is too small.

    >>> check_whole(-1, "most", least=0)
    Traceback (most recent call last):
    treescore.UsageError: most must be a whole number from 0, not -1
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise UsageError(f"{what} must be a whole number from {least}, not {value!r}")


def check_choice(value: object, what: str, choices: Collection[object]) -> None:
    """Refuse a value that is not one of the choices.

    >>> check_choice("jsn", "the format", ["table", "json"])
    Traceback (most recent call last):
    treescore.UsageError: the format must be one of table, json, not 'jsn'; did you mean 'json'?
    """
    if value in choices:
        return
    names = [str(choice) for choice in choices if choice is not None]
    raise UsageError(f"{what} must be one of {', '.join(names)}, not {value!r}{did_you_mean(str(value), names)}")


class PerSide(list[str]):
    """Choices for both sides, or one for gold and one for test with a comma between.

    >>> "a,b" in PerSide(["a", "b"]), "a,c" in PerSide(["a", "b"]), PerSide.of("a,b", test=True)
    (True, False, 'b')
    """

    def __contains__(self, value: object) -> bool:
        parts = str(value).split(",")
        return len(parts) <= 2 and all(map(super().__contains__, parts))

    @staticmethod
    def of(value: str, *, test: bool) -> str:
        """The choice for one side."""
        return value.split(",")[-1 if test else 0]


class InputError(ValueError):
    """Input that cannot be used. `problem` has the place; the message says what to do."""

    __module__ = "treescore"

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem

    def __reduce__(self) -> tuple[type[InputError], tuple[Problem]]:
        return type(self), (self.problem,)


class TreeSyntaxError(InputError):
    """Text that is not a bracketed tree."""

    __module__ = "treescore"


class UnequalTreebanks(InputError):
    """Gold and test do not have the same number of trees."""

    __module__ = "treescore"


def by_code(problems: Iterable[Problem]) -> dict[str, int]:
    """The number of problems of each kind."""
    counted: dict[str, int] = {}
    for problem in problems:
        counted[problem.code] = counted.get(problem.code, 0) + 1
    return counted
