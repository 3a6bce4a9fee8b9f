"""Input and output files."""

from __future__ import annotations

import io
import os
import stat
import sys
from contextlib import contextmanager

from ..helpers.files import replacing
from ..helpers.text import encode
from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, BinaryIO

    from typing_extensions import Buffer


class FilePath:
    """A path that readers do not take for text. Importing pathlib takes longer than reading a file."""

    __slots__ = ("_path",)

    def __init__(self, path: str) -> None:
        self._path = path

    def __fspath__(self) -> str:
        return self._path

    def __str__(self) -> str:
        return self._path


def source(path: str) -> str | os.PathLike[str]:
    """A path in the form that readers expect; - is standard input."""
    return path if path == "-" else FilePath(path)


def sources(paths: Sequence[str]) -> Any:
    """One or more paths in the form that readers expect; None without paths."""
    files = [source(path) for path in paths]
    return files if len(files) > 1 else files[0] if files else None


def check_standard_input(paths: Iterable[str | None]) -> None:
    """Refuse to read two files from standard input."""
    if list(paths).count("-") > 1:
        raise UsageError("only one of the files can be standard input")


def keep_inputs(output: str | None, inputs: Iterable[str]) -> None:
    """Refuse to write results over input files."""
    if output in (None, "-"):
        return
    for path in inputs:
        if path != "-" and os.path.exists(output) and os.path.exists(path) and os.path.samefile(output, path):
            raise UsageError(f"{output} is an input file: write the results to another file")


@contextmanager
def opened(path: str | None, inputs: Iterable[str | None] = ()) -> Iterator[BinaryIO]:
    """An output file that is not one of the inputs; standard output for None and -."""
    keep_inputs(path, filter(None, inputs))
    if path in (None, "-"):
        sys.stdout.flush()
        yield sys.stdout.buffer
    else:
        is_new = not os.path.lexists(path)
        raw = _Late(path)
        try:
            with io.BufferedWriter(raw) as file:
                yield file
                file.flush()
                raw.empty()
        except BaseException:
            if is_new and raw.untouched:
                os.unlink(path)
            raise


def opened_whole(path: str) -> AbstractContextManager[BinaryIO]:
    """Like `opened`, but replaces the file only when it is complete: after a failure the old file is unchanged."""
    if path == "-" or (os.path.exists(path) and not os.path.isfile(path)):
        return opened(path)
    target = os.path.realpath(path)
    return replacing(target, f"{target}.part")


class _Late(io.FileIO):
    """A file that is truncated by the first write or at a successful end: after an earlier failure it is unchanged.

    `untouched`: a regular file that is not yet truncated.
    """

    def __init__(self, path: str) -> None:
        super().__init__(path, "wb", opener=lambda name, flags: os.open(name, flags & ~os.O_TRUNC, 0o666))
        self.untouched = stat.S_ISREG(os.fstat(self.fileno()).st_mode)

    def empty(self) -> None:
        if self.untouched:
            self.untouched = False
            self.truncate(0)

    def write(self, data: Buffer, /) -> int:
        self.empty()
        return super().write(data)


def write(pieces: Iterable[str], out: BinaryIO) -> None:
    """Write text piece by piece."""
    out.writelines(map(encode, pieces))
    out.flush()
