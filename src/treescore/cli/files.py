"""Where input comes from, and where results go."""

from __future__ import annotations

import io
import os
import stat
import sys
from contextlib import contextmanager, suppress

from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, BinaryIO

    from typing_extensions import Buffer


class FilePath:
    """The path of a file, where a str might be taken for text. Importing pathlib takes longer than reading a file."""

    __slots__ = ("_path",)

    def __init__(self, path: str) -> None:
        self._path = path

    def __fspath__(self) -> str:
        return self._path

    def __str__(self) -> str:
        return self._path


def source(path: str) -> str | os.PathLike[str]:
    """A file as readers take it; - is standard input."""
    return path if path == "-" else FilePath(path)


def sources(paths: Sequence[str]) -> Any:
    """One file or several as readers take them; None if there is none."""
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
            raise UsageError(f"{output} is one of the files that are read: write the results to another file")


@contextmanager
def opened(path: str | None, inputs: Iterable[str | None] = ()) -> Iterator[BinaryIO]:
    """The file, which must not be one of the inputs, or standard output where there is none or it is -."""
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


@contextmanager
def opened_whole(path: str) -> Iterator[BinaryIO]:
    """As `opened`, but the file gets its name only when it is whole: work that fails leaves what was there before."""
    if path == "-" or (os.path.exists(path) and not os.path.isfile(path)):
        with opened(path) as file:
            yield file
        return
    target = os.path.realpath(path)
    partial = f"{target}.part"
    try:
        with open(partial, "wb") as file:
            yield file
        os.replace(partial, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise


class _Late(io.FileIO):
    """A file that is emptied only when something is written, or at a good end: a failure leaves what it had.

    `untouched` says that neither has happened to a regular file yet.
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


def tells_problems(form: str) -> bool:
    """Do results in this format say how many problems there were?"""
    from ..render.output_formats import OUTPUT_FORMATS

    return OUTPUT_FORMATS[form].tells_problems
