"""Standard output and standard error, which may be closed, full, or a pipe without a reader."""

from __future__ import annotations

import io
import os
import sys

from ..helpers.files import NamedFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from typing_extensions import Buffer

_INPUT, _OUTPUT, _ERROR = range(3)


class UsableStreams:
    """Streams for a command: errors of standard output are named, those of standard error do not stop the command.

    Streams that a caller in Python has replaced are left as they are.
    """

    def __enter__(self) -> None:
        _open_closed()
        self._before = sys.stdout, sys.stderr
        if sys.stdout is sys.__stdout__:
            sys.stdout = _text(NamedFile(_OUTPUT, "standard output", "wb", closefd=False), sys.stdout)
        if sys.stderr is sys.__stderr__:
            sys.stderr = _text(_Messages(_ERROR, "wb", closefd=False), sys.stderr)

    def __exit__(self, *_error: object) -> None:
        try:
            sys.stdout.flush()
        except OSError:  # already reported; prevents a second error when the stream is closed
            os.dup2(os.open(os.devnull, os.O_WRONLY), _OUTPUT)
        sys.stderr.flush()
        sys.stdout, sys.stderr = self._before


def _open_closed() -> None:
    """Prevent files that are opened later from taking the numbers of closed standard streams."""
    for number, mode in ((_INPUT, os.O_RDONLY), (_OUTPUT, os.O_RDONLY), (_ERROR, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:  # standard output is opened for reading, so that writing is an error
            try:
                os.set_inheritable(os.open(os.devnull, mode), True)  # has this number, the lowest that is free
            except OSError:
                continue


def _text(raw: io.FileIO, before: TextIO | None) -> TextIO:
    """A text stream like the one before."""
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding="utf-8" if before is None else before.encoding,
        errors="backslashreplace",  # escapes for characters that the terminal cannot show
        line_buffering=raw.isatty() or raw.fileno() == _ERROR,
    )


class _Messages(io.FileIO):
    """Standard error. Messages that cannot be written are lost; the exit code still tells success from failure."""

    def write(self, data: Buffer, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes
