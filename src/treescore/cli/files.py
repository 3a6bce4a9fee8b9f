"""Input and output files."""

from __future__ import annotations

import io
import os
import sys
from contextlib import ExitStack, contextmanager

from ..helpers.new_files import replacing
from ..helpers.text import encode
from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
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
    """A file that is replaced when it is complete, and is not one of the inputs; standard output for None and -."""
    keep_inputs(path, filter(None, inputs))
    if path in (None, "-"):
        sys.stdout.flush()
        _measure_terminal()
        yield sys.stdout.buffer
    else:
        with replacing(path) as file:
            yield file


@contextmanager
def opened_together(*paths: str | None) -> Iterator[list[BinaryIO]]:
    """Several output files, None for a missing path; standard output for -.

    If standard output fails, for instance because its reader has ended, the files are completed first.
    """
    standard = _Standard()
    if "-" in paths:
        _measure_terminal()
    with ExitStack() as files:
        yield [standard if path == "-" else path and files.enter_context(replacing(path)) for path in paths]  # type: ignore[misc]
    standard.flush()
    if standard.error is not None:
        raise standard.error


def _measure_terminal() -> None:
    """If standard output is a terminal, tables must fit its width."""
    if sys.stdout.isatty():
        from shutil import get_terminal_size

        from ..render.grids import Screen

        Screen.columns = get_terminal_size().columns


class _Standard(io.RawIOBase):
    """Standard output, whose first error is kept instead of raised."""

    def __init__(self) -> None:
        self.error: OSError | None = None

    def write(self, data: Buffer, /) -> int:
        self._try(lambda: sys.stdout.buffer.write(data))
        return memoryview(data).nbytes

    def flush(self) -> None:
        self._try(sys.stdout.flush)

    def _try(self, action: Callable[[], object]) -> None:
        try:
            if self.error is None:
                action()
        except OSError as error:
            self.error = error


def write(pieces: Iterable[str], out: BinaryIO) -> None:
    """Write text piece by piece."""
    out.writelines(map(encode, pieces))
    out.flush()
