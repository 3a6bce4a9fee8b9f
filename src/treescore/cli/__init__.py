"""The command line: `main` looks up the command and imports only its module."""

from __future__ import annotations

import os
import sys

from .commands import COMMANDS, chosen
from .streams import UsableStreams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    name, command, rest = chosen(words)
    with UsableStreams():
        if command.task == "originals":  # which report errors in their own way
            return command.main(name, rest)
        from . import errors

        with errors.reported() as outcome:
            _check_command(words)
            outcome.code = command.main(name, rest)
        return outcome.code


def program() -> None:
    """Run the command line as a program, and end the process."""
    code = main()
    if _ends_at_once():
        os._exit(code)
    sys.exit(code)


def _ends_at_once() -> bool:
    """May the process end without the interpreter's own clean-up, which takes longer than loading treescore?

    Not if something is left to do: buffered output, threads, functions that were registered, profilers.
    """
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except (AttributeError, OSError, ValueError):  # closed: the interpreter knows what to do
        return False
    unknown = {"threading", "logging", "multiprocessing", "coverage"}
    return unknown.isdisjoint(sys.modules) and sys.gettrace() is None and sys.getprofile() is None


def _check_command(words: Sequence[str]) -> None:
    """Suggest a command for a mistyped command, instead of reporting a missing file."""
    word = words[0] if words else "-"
    if word.startswith("-") or word in COMMANDS or os.path.exists(word):
        return
    from ..values.problem import UsageError
    from ..values.suggestions import closest

    close = closest(word, COMMANDS)
    if close:
        message = f"there is no command and no file {word!r}; did you mean {close!r}? (see: treescore --help)"
        raise UsageError(message)
