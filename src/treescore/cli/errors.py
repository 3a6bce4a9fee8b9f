"""Bad input ends in one clear line on stderr and an exit code, never in a traceback."""

from __future__ import annotations

import os
import sys

from ..helpers.text import number_of, visible
from ..values.problem import InputError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from ..values.problem import Problem

#: Exit codes: all is well; below a threshold, or problems with --strict; input or arguments that cannot be used.
OK, FAILED, UNUSABLE = 0, 1, 2
_SHOWN_PROBLEMS = 10


def complain(problems: Sequence[Problem]) -> None:
    """The first problems on stderr, and how many more there are."""
    for problem in problems[:_SHOWN_PROBLEMS]:
        sys.stderr.write(f"treescore: {visible(str(problem))}\n")
    if len(problems) > _SHOWN_PROBLEMS:
        sys.stderr.write(f"treescore: and {number_of(len(problems) - _SHOWN_PROBLEMS, 'more problem')}\n")


def silence() -> None:
    """Keep Python from writing, and failing, again when it closes standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class reported:
    """`with reported() as outcome:` prints errors that users can correct, and sets `outcome.code`."""

    def __init__(self) -> None:
        self.code = OK

    def __enter__(self) -> reported:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # what the terminal cannot show is shown as an escape
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
            self._say(str(error))
        elif isinstance(error, OSError) and error.filename is not None:
            self._say(f"{os.fsdecode(error.filename)}: {error.strerror}")
        elif isinstance(error, OSError):  # while writing, for instance to a full disk
            self._say(error.strerror or str(error))
            silence()
        elif isinstance(error, MemoryError):
            self._say("not enough memory")
        elif isinstance(error, KeyboardInterrupt):
            self.code = 130
        else:
            return False
        return True

    def _say(self, message: str) -> None:
        self.code = UNUSABLE
        sys.stderr.write(f"treescore: error: {visible(message)}\n")
