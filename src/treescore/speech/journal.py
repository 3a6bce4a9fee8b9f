"""What long work has finished, on disk as soon as it is: whatever ends the work, it can go on from there."""

from __future__ import annotations

import os

from ..problem import InputError, Problem, UsageError
from ..text import decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType
    from typing import BinaryIO


class Journal:
    """Lines of word times by the name of their utterance: those of the file, and those in FILE.part beside it.

    New lines go to FILE.part as they come. `finish` puts FILE in place, whole or not at all, and removes FILE.part.
    Without a file, or where it is no ordinary one, nothing is kept.
    """

    def __init__(self, output: str | None) -> None:
        ordinary = output is not None and (os.path.isfile(output) or not os.path.exists(output))
        self._output = os.path.realpath(output) if output is not None and ordinary else None
        self._other = None if ordinary else output
        self._file: BinaryIO | None = None
        #: What is known from before.
        self.lines: dict[str, str] = {}

    @property
    def part(self) -> str:
        """The file that holds what has been finished."""
        return f"{self._output}.part"

    def __enter__(self) -> Journal:
        if self._output is not None:
            self._file = open(self.part, "ab+")
            try:
                self._begin(self._file, self._output)
            except BaseException:
                self._close()
                raise
        return self

    def _begin(self, file: BinaryIO, output: str) -> None:
        _lock(file, output)
        data = _content(output)
        self.lines = _lines(data)
        if data.strip() and not self.lines:
            message = "this is not a file that align-audio has written; name another one, or remove it"
            raise InputError(Problem("output", message, file=output))
        file.seek(0)
        written = file.read()
        self.lines.update(_lines(written))
        if written and not written.endswith(b"\n"):  # the end of a run that was killed while writing
            file.write(b"\n")

    def add(self, line: str) -> None:
        """Keep a line, whatever happens from now on."""
        if self._file is not None:
            self._file.write(encode(line) + b"\n")
            self._file.flush()

    def finish(self, lines: Iterable[str]) -> None:
        """Put the file in place; all lines in their order."""
        if self._output is None:
            if self._other is not None:
                with open(self._other, "wb") as file:
                    file.writelines(encode(line) + b"\n" for line in lines)
            return
        ready = f"{self._output}.new"
        with open(ready, "wb") as file:
            file.writelines(encode(line) + b"\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        os.replace(ready, self._output)
        self._close()
        if os.path.exists(self.part):
            os.remove(self.part)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._close()

    def _close(self) -> None:
        if self._file is not None:
            empty = self._file.seek(0, os.SEEK_END) == 0
            self._file.close()
            self._file = None
            if empty and os.path.exists(self.part):  # nothing was finished
                os.remove(self.part)


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def _lines(data: bytes) -> dict[str, str]:
    """The lines that are whole and have a mark, by the name of the utterance; half a line is passed over."""
    from json import loads

    found = {}
    for line in data.split(b"\n"):
        try:
            fields = loads(decode(line))
        except ValueError:
            continue
        if isinstance(fields, dict) and all(isinstance(fields.get(key), str) for key in ("id", "made")):
            found[fields["id"]] = decode(line.removesuffix(b"\r"))
    return found


def _lock(file: BinaryIO, output: str) -> None:
    """Two runs must not write the same file; the lock ends with the process, however that ends."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(f"another run is writing {output}; wait for it, or name another file") from None
    except OSError:  # a file system without locks
        return
