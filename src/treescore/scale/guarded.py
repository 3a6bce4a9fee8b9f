"""Scoring of a piece that has crashed workers, in separate processes, to find the rows that cause it.

A crash of such a process (out of memory, an error in a library) affects nothing else. The command of the process is
`python -m treescore.scale.guarded`: it reads a task from standard input and writes the result to standard output.
"""

from __future__ import annotations

import pickle
import subprocess
import sys

from ..helpers.extras import library
from ..scoring.tally import Tally
from .parts import give_up, make_part, score_piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .parts import Job, Piece

_MOST_POISONED = 10  # maximum number of crashing rows; more of them have another cause
_TRIES = 2  # number of crashes after which a row is given up
_PATIENCE = 0.2  # seconds between memory checks


def make_part_guarded(job: Job, piece: Piece, limit: int | None = None) -> Tally:
    """Like `make_part`, but rows that crash their process or exceed the memory `limit` become problems."""
    result = _tried(job, piece, None, limit)
    if isinstance(result, Tally):
        return result
    poisoned: list[int] = []
    left = [(0, piece.rows)]
    while left:
        begin, end = left.pop()
        if any(_tried(job, piece, (begin, end), limit) is not None for _ in range(_TRIES if end - begin == 1 else 1)):
            continue
        if end - begin > 1:
            middle = (begin + end) // 2
            left += [(middle, end), (begin, middle)]
            continue
        poisoned.append(begin)
        if len(poisoned) > _MOST_POISONED:
            return give_up(job, piece, f"more than {_MOST_POISONED} of its rows crash the scoring process")
    result = _tried(job, piece.replace(poisoned=tuple(poisoned)), None, limit)
    return result if isinstance(result, Tally) else give_up(job, piece, "its rows crash the scoring process")


def _tried(job: Job, piece: Piece, rows: tuple[int, int] | None, limit: int | None) -> Tally | bool | None:
    """The tally of the piece, or True for some of its rows; None if the process crashed."""
    command = [sys.executable, "-m", __name__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        output = _answer(process, pickle.dumps((job, piece, rows)), limit)
    if process.returncode or not output:
        return None
    result = pickle.loads(output)
    if isinstance(result, Exception):
        raise result
    return result  # type: ignore[no-any-return]


def _answer(process: subprocess.Popen[bytes], task: bytes, limit: int | None) -> bytes:
    remaining: bytes | None = task
    while True:
        try:
            return process.communicate(remaining, timeout=_PATIENCE if limit else None)[0]
        except subprocess.TimeoutExpired:
            remaining = None
            if limit and _memory(process.pid) > limit:
                process.kill()


def _memory(pid: int) -> int:
    psutil = library("psutil", "cluster")  # a dependency of distributed
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:  # it has just ended
        return 0


def main() -> None:
    """Run one task."""
    job, piece, rows = pickle.load(sys.stdin.buffer)
    result: Tally | bool | Exception
    try:
        if rows is None:
            result = make_part(job, piece)
        else:
            score_piece(job, piece, only=rows)
            result = True
    except OSError as error:  # the part cannot be written
        result = error
    sys.stdout.buffer.write(pickle.dumps(result))


if __name__ == "__main__":
    main()
