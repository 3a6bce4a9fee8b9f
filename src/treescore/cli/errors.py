"""Messages on standard error and exit codes. Bad input ends in one line, never in a traceback."""

from __future__ import annotations

import os
import sys
from errno import EBADF

from .._core import OverBudget
from ..helpers.problem_lines import in_one_line
from ..helpers.text import number_of, visible
from ..values.brief import brief
from ..values.problem import InputError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from ..values.problem import Problem

#: Exit codes: success; below a threshold, or problems with --strict; unusable input or arguments.
OK, FAILED, UNUSABLE = 0, 1, 2
_SHOWN_PROBLEMS = 10


def notify(message: str) -> None:
    """Write a message to standard error."""
    sys.stderr.write(f"treescore: {visible(brief(message))}\n")


def list_problems(problems: Sequence[Problem], *, strict: bool = False) -> int:
    """Write the first problems and the number of others to standard error, and return the exit code."""
    for problem in problems[:_SHOWN_PROBLEMS]:
        notify(str(problem))
    if len(problems) > _SHOWN_PROBLEMS:
        notify(f"and {number_of(len(problems) - _SHOWN_PROBLEMS, 'more problem')}")
    return FAILED if problems and strict else OK


def count_problems(problems: Sequence[Problem], *, strict: bool, form: str | None = None, line: str = "") -> int:
    """Write the number of problems to standard error unless the output in this format has it; return the exit code.

    `line` replaces the line with their number.
    """
    if problems and (strict or form is None or not tells_problems(form)):
        before, behind = ("--strict, and ", "") if strict else ("", " (-f json lists them)")
        notify(f"{before}{line or in_one_line(problems)}{behind}")
    return FAILED if problems and strict else OK


def tells_problems(form: str) -> bool:
    """Does this output format contain the number of problems?"""
    from ..render.output_formats import OUTPUT_FORMATS

    return OUTPUT_FORMATS[form].tells_problems


def in_words(error: OSError) -> str:
    """What is wrong with which file or stream.

    >>> in_words(OSError(28, "No space left on device", "standard output"))
    'standard output: No space left on device'
    """
    what = "it is closed" if error.errno == EBADF else error.strerror or str(error)
    return what if error.filename is None else f"{os.fsdecode(error.filename)}: {what}"


class reported:
    """`with reported() as outcome:` prints errors that users can correct and sets `outcome.code`."""

    def __init__(self) -> None:
        self.code = OK

    def __enter__(self) -> reported:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # escapes for characters that the terminal cannot show
                stream.reconfigure(errors="backslashreplace")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        if error is None or isinstance(error, SystemExit):  # after --help
            try:
                sys.stdout.flush()
                return error is None
            except OSError as problem:
                error = problem
        if isinstance(error, BrokenPipeError):
            self.code = FAILED
        elif isinstance(error, InputError | UsageError):
            self._refuse(str(error))
        elif isinstance(error, OSError):
            self._refuse(in_words(error))
        elif isinstance(error, MemoryError):
            self._refuse(str(error) if isinstance(error, OverBudget) else "not enough memory")
        elif isinstance(error, KeyboardInterrupt):
            self.code = 130
        else:
            return False
        return True

    def _refuse(self, message: str) -> None:
        self.code = UNUSABLE
        sys.stderr.write(f"treescore: error: {visible(brief(message))}\n")
