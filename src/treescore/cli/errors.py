"""Messages on standard error and exit codes. Bad input ends in one line, never in a traceback."""

from __future__ import annotations

import os
import sys

from ..helpers.problem_lines import in_one_line
from ..helpers.text import number_of, visible
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
    sys.stderr.write(f"treescore: {visible(message)}\n")


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


def silence() -> None:
    """Prevent a second write error when Python closes standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
        if error is None:
            try:
                sys.stdout.flush()
                return True
            except OSError as problem:
                error = problem
        if isinstance(error, BrokenPipeError):
            silence()
            self.code = FAILED
        elif isinstance(error, InputError | UsageError):
            self._refuse(str(error))
        elif isinstance(error, OSError) and error.filename is not None:
            self._refuse(f"{os.fsdecode(error.filename)}: {error.strerror}")
        elif isinstance(error, OSError):  # while writing, for instance to a full disk
            self._refuse(error.strerror or str(error))
            silence()
        elif isinstance(error, MemoryError):
            self._refuse("not enough memory")
        elif isinstance(error, KeyboardInterrupt):
            self.code = 130
        else:
            return False
        return True

    def _refuse(self, message: str) -> None:
        self.code = UNUSABLE
        sys.stderr.write(f"treescore: error: {visible(message)}\n")
