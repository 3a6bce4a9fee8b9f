#!/usr/bin/env python3
"""CPU time and peak memory of whole processes, for the other scripts in this folder.

    python bench/measure.py -r 5 -- python -c pass

or, from Python:

    >>> usage = cpu_seconds([sys.executable, "-c", "pass"])
    >>> 0 < usage.cpu < 10 and usage.max_rss > 0
    True

User and system time are added up: unlike the time on the clock, they hardly depend on what else the machine does.
Peaks below that of a bare interpreter (about 8 MiB) cannot be told apart. Needs a POSIX system (`os.wait4`).
"""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = [
    "CommandError",
    "Usage",
    "add_treescore_option",
    "alternate",
    "cpu_seconds",
    "environment",
    "in_folder",
    "positive",
]

# The command is not started from here but from a bare interpreter: a new process inherits the peak memory of the one
# that starts it, which must therefore be small. Two numbers come back on the descriptor named first.
LAUNCHER = """
import posix, sys
report, *command = sys.argv[1:]
null = posix.open("/dev/null", posix.O_RDWR)
actions = [(posix.POSIX_SPAWN_DUP2, null, 0), (posix.POSIX_SPAWN_DUP2, null, 1), (posix.POSIX_SPAWN_CLOSE, int(report))]
child = posix.posix_spawnp(command[0], command, posix.environ, file_actions=actions)
_, status, used = posix.wait4(child, 0)
posix.write(int(report), f"{posix.waitstatus_to_exitcode(status)} {used[0] + used[1]!r} {used[2]}".encode())
"""


SLOWING = frozenset(["PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"])


class CommandError(RuntimeError):
    """A measured command did not succeed."""


class Usage(NamedTuple):
    """What a process used: seconds of CPU (user and system), and bytes of memory at its peak."""

    cpu: float
    max_rss: int


def cpu_seconds(command: Sequence[str | os.PathLike[str]]) -> Usage:
    """Run a command, its standard output thrown away, and return what it used.

    >>> try:
    ...     cpu_seconds([sys.executable, "-c", "raise SystemExit(3)"])
    ... except CommandError as error:
    ...     print(str(error).rpartition(": ")[2])
    ended with exit code 3
    """
    words = [os.fspath(word) for word in command]
    read_end, write_end = os.pipe()
    with os.fdopen(read_end) as report:
        try:
            launched = subprocess.run(
                [sys.executable, "-I", "-S", "-c", LAUNCHER, str(write_end), *words],
                pass_fds=[write_end],
                env=environment(),
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                check=False,
            )
        finally:
            os.close(write_end)
        fields = report.read().split()
    if not fields:
        raise CommandError(failure(words, "could not be started", launched.stderr))
    code, cpu, peak = int(fields[0]), float(fields[1]), int(fields[2])
    if code:
        raise CommandError(failure(words, f"ended with exit code {code}", launched.stderr))
    return Usage(cpu, peak if sys.platform == "darwin" else peak * 1024)


def environment() -> dict[str, str]:
    """Return the environment for measured commands: without what keeps Python from storing bytecode or buffering."""
    return {name: value for name, value in os.environ.items() if name not in SLOWING}


def failure(command: Sequence[str], what: str, messages: str) -> str:
    """Say what went wrong, with the end of what the command wrote on standard error."""
    last = messages.strip().splitlines()[-3:]
    return "\n".join([f"{' '.join(command)}: {what}", *(f"    {line}" for line in last)])


def alternate(commands: Mapping[str, Sequence[str | os.PathLike[str]]], runs: int) -> dict[str, Usage]:
    """Run several commands in turn, each so many times after a first run to warm up, and return their medians."""
    measured: dict[str, list[Usage]] = {name: [] for name in commands}
    for command in commands.values():
        cpu_seconds(command)
    for _ in range(runs):
        for name, command in commands.items():
            measured[name].append(cpu_seconds(command))
    return {name: median(usages) for name, usages in measured.items()}


def median(usages: Sequence[Usage]) -> Usage:
    """Return the median of the CPU times and the greatest peak.

    >>> median([Usage(0.3, 10), Usage(0.1, 20), Usage(0.2, 10)])
    Usage(cpu=0.2, max_rss=20)
    """
    return Usage(statistics.median(usage.cpu for usage in usages), max(usage.max_rss for usage in usages))


def add_treescore_option(parser: argparse.ArgumentParser) -> None:
    """Let the user name another evalb command of ours."""
    parser.add_argument(
        "--treescore",
        type=shlex.split,
        default=[sys.executable, "-m", "treescore.cli.evalb"],
        metavar="CMD",
        help="our command, to be followed by its arguments (default: this Python with -m treescore.cli.evalb)",
    )


def in_folder(work: Callable[[Path], None]) -> int:
    """Do the work in a temporary folder and return the exit code: 1, with a message, if a command failed."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            work(Path(folder))
    except CommandError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def positive(text: str) -> int:
    """Read a command-line argument that must be a whole number above 0."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the command given and print what it used."""
    parser = argparse.ArgumentParser(description="CPU time and peak memory of a command, its output thrown away.")
    parser.add_argument("-r", "--runs", type=positive, default=5, help="number of runs (default: %(default)s)")
    parser.add_argument("command", nargs="+", help="the command; put -- before it")
    options = parser.parse_args(arguments)
    try:
        used = alternate({"command": options.command}, options.runs)["command"]
    except CommandError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{1000 * used.cpu:.1f} ms CPU, {used.max_rss / 2**20:.1f} MiB peak (median of {options.runs} runs)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
