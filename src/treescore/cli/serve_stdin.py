"""Read JSON requests from standard input, one per line, and write an answer to each, one per line.

requests:
  {"id": 1, "gold": "(S (NN a))", "test": "(S (NN a))", "metrics": ["parseval", "struct_iou"]}
  {"id": 2, "op": "pairwise", "candidates": ["(S (X a) b)", "(S a b)"], "metric": "struct_iou"}
  {"id": 3, "op": "align", "gold": "(S (NN a))", "test": "(S (NN a))", "metric": "struct_iou"}
  {"id": 4, "op": "sum", "metric": "parseval", "counts": [{...}, {...}]}     counts of earlier answers
  {"op": "metrics"}   {"op": "version"}

examples:
  treescore serve-stdin < requests.jsonl > answers.jsonl
  treescore serve-stdin --flush batch < requests.jsonl > answers.jsonl      faster for many requests

Answers have the order of the requests. An invalid request is answered by {"id": …, "error": {"code": …, "message":
…}}. Requests do not open files.

exit code: 0 end of input, 1 answers are no longer read, 2 unusable arguments, 130 Ctrl-C
"""

from __future__ import annotations

import argparse
import os
import sys

from ..integrations.service import RequestError, answer_line, refused
from ..values.problem import UsageError, check_whole
from .flags import add_flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PIECE = 1 << 16  # bytes per read
_MB = 1 << 20


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument(
        "--max-line",
        type=float,
        default=16,
        metavar="MB",
        help="maximum length of a request; longer requests are answered by an error (default: %(default)s)",
    )
    command.add_argument(
        "--flush",
        choices=("each", "batch"),
        default="each",
        help="flush output after each answer, or after all available requests (default: each)",
    )
    add_flags(command, "threads", "memory")


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    if options.threads is not None:
        check_whole(options.threads, "--threads")
    if not 0 < options.max_line <= 4096:
        raise UsageError(f"--max-line must be above 0 and at most 4096 MB, not {options.max_line:g}")
    if sys.stdin is None:
        raise UsageError("standard input is closed, but requests are read from standard input")
    sys.stdout.flush()
    descriptor, out = sys.stdin.fileno(), sys.stdout.buffer
    most = max(1, int(options.max_line * _MB))
    too_long = _too_long(most)

    def next_piece() -> bytes:
        out.flush()  # answers must not wait for the next request
        return os.read(descriptor, _PIECE)

    for line in lines_of(next_piece, most):
        out.write(too_long if line is None else answer_line(line, threads=options.threads))
        if options.flush == "each":
            out.flush()
    return 0


def _too_long(most: int) -> bytes:
    import json

    message = f"a line of more than {most:,} bytes; split the request, or raise --max-line"
    return json.dumps(refused(RequestError("line-too-long", message))).encode("ascii") + b"\n"


def lines_of(take: Callable[[], bytes], most: int) -> Iterator[bytes | None]:
    """Lines of text that is read piece by piece, up to an empty piece; None for lines longer than `most` bytes.

    >>> pieces = iter([b"one\\ntw", b"o\\nmuch too", b" long\\nend", b""])
    >>> list(lines_of(lambda: next(pieces), 6))
    [b'one', b'two', None, b'end']
    """
    held: list[bytes] = []
    size, skipping = 0, False
    while piece := take():
        *ended, rest = piece.split(b"\n")
        for end in ended:
            if skipping:
                skipping = False
            elif size + len(end) > most:
                yield None
            else:
                yield b"".join([*held, end])
            held, size = [], 0
        if skipping or not rest:
            continue
        size += len(rest)
        if size > most:
            yield None
            held, size, skipping = [], 0, True
        else:
            held.append(rest)
    if held:
        yield b"".join(held)
