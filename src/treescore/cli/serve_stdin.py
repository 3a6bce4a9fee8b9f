"""`treescore serve-stdin`: requests in JSON on standard input, one a line; answers on standard output, one a line."""

from __future__ import annotations

import os
import sys

from ..integrations.service import RequestError, answer_line, refused
from ..values.problem import UsageError, check_whole
from .arguments import Parser
from .flags import add_flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_PIECE = 1 << 16  # bytes that are read at once
_MB = 1 << 20
_EPILOG = """\
requests:
  {"id": 1, "gold": "(S (NN a))", "test": "(S (NN a))", "metrics": ["parseval", "struct_iou"]}
  {"id": 2, "op": "pairwise", "candidates": ["(S (X a) b)", "(S a b)"], "metric": "struct_iou"}
  {"id": 3, "op": "align", "gold": "(S (NN a))", "test": "(S (NN a))", "metric": "struct_iou"}
  {"id": 4, "op": "sum", "metric": "parseval", "counts": [{...}, {...}]}     counts of earlier answers
  {"op": "metrics"}   {"op": "version"}

examples:
  treescore serve-stdin < requests.jsonl > answers.jsonl
  treescore serve-stdin --flush batch < requests.jsonl > answers.jsonl      faster, for many requests at once

Answers come in the order of the requests. What is wrong with a request is its answer, {"id": …, "error": {"code": …,
"message": …}}, and the next one is read. No file is opened for a request.

exit code: 0 the input has ended, 1 nobody reads the answers any more, 2 unusable arguments, 130 Ctrl-C"""


def parser() -> Parser:
    """The arguments of the command."""
    command = Parser(
        "serve-stdin",
        "Read requests in JSON from standard input, one a line, and write an answer to each, one a line.",
        _EPILOG,
    )
    command.add_argument(
        "--max-line",
        type=float,
        default=16,
        metavar="MB",
        help="longest line that is read; a longer one is answered by an error, and not held (default: %(default)s)",
    )
    command.add_argument(
        "--flush",
        choices=("each", "batch"),
        default="each",
        help="when answers are sent: each at once, or when all requests that have come are answered (default: each)",
    )
    add_flags(command, "threads")
    return command


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = parser().parse_args(arguments)
    if options.threads is not None:
        check_whole(options.threads, "--threads")
    if not 0 < options.max_line <= 4096:
        raise UsageError(f"--max-line must be above 0 and at most 4096 MB, not {options.max_line:g}")
    if sys.stdin is None:
        raise UsageError("standard input is closed; requests are read from it")
    sys.stdout.flush()
    descriptor, out = sys.stdin.fileno(), sys.stdout.buffer
    most = max(1, int(options.max_line * _MB))
    too_long = _too_long(most)

    def take() -> bytes:
        out.flush()  # nobody waits for an answer while we wait for a request
        return os.read(descriptor, _PIECE)

    for line in lines_of(take, most):
        out.write(too_long if line is None else answer_line(line, threads=options.threads))
        if options.flush == "each":
            out.flush()
    return 0


def _too_long(most: int) -> bytes:
    import json

    message = f"a line of more than {most:,} bytes; split the request, or raise --max-line"
    return json.dumps(refused(RequestError("line-too-long", message))).encode("ascii") + b"\n"


def lines_of(take: Callable[[], bytes], most: int) -> Iterator[bytes | None]:
    """The lines of what is taken piece by piece, up to an empty piece; None for each longer one, which is not held.

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
