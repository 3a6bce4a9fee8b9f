"""A piece that has ended processes, scored in processes of its own until it is known which of its rows are to blame.

Whatever ends such a process (no memory, a fault in a library) ends nothing else. `python -m treescore.scale.guarded` is
such a process: it reads a task from standard input and writes what came of it to standard output.
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

_MOST_POISONED = 10  # rows; with more of them something else is to blame
_TRIES = 2  # so often must a row end its process
_PATIENCE = 0.2  # seconds between looks at the memory of a process


def make_part_guarded(job: Job, piece: Piece, limit: int | None = None) -> Tally:
    """As `make_part`, but rows that end their process, or need more memory than `limit`, become problems."""
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
            return give_up(job, piece, f"more than {_MOST_POISONED} of its rows end the process that scores them")
    result = _tried(job, piece.replace(poisoned=tuple(poisoned)), None, limit)
    return result if isinstance(result, Tally) else give_up(job, piece, "its rows end the process that scores them")


def _tried(job: Job, piece: Piece, rows: tuple[int, int] | None, limit: int | None) -> Tally | bool | None:
    """The tally of the piece, or True for some of its rows; None if the process did not survive."""
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
    given: bytes | None = task
    while True:
        try:
            return process.communicate(given, timeout=_PATIENCE if limit else None)[0]
        except subprocess.TimeoutExpired:
            given = None
            if limit and _memory(process.pid) > limit:
                process.kill()


def _memory(pid: int) -> int:
    psutil = library("psutil", "cluster")  # distributed brings it along
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:  # it has just ended
        return 0


def main() -> None:
    """Do one task."""
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
