"""Access to files: mapping, reading, walking, locking. Files are written by `new_files`."""

from __future__ import annotations

import io
import os
import stat

from .memory import longest_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO, BinaryIO

    from typing_extensions import Buffer as WritableBytes

    from .._core import Buffer


_PIECE = 1 << 20
_LARGE = 8 << 20  # bytes
_ENDLESS = 1 << 16  # bytes after which a device is considered endless


def packaged(name: str) -> Path:
    """A data file that comes with treescore."""
    from pathlib import Path

    return Path(__file__).parent.parent / "data" / name


def map_file(descriptor: int, size: int) -> Buffer | None:
    """The content of a large open file without a copy; None for a small file, or if the system cannot map it.

    The process would be ended if a mapped file were truncated while it is read. Small files, which are often rewritten
    by other programs, should be copied instead.

    >>> map_file(0, 0) is None
    True
    """
    if size < _LARGE:
        return None
    import mmap

    try:
        return mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)  # type: ignore[return-value]
    except (OSError, ValueError):
        return None


def all_of(file: IO[bytes]) -> bytes | None:
    """All bytes of an open file; None for an endless device.

    >>> with open("/dev/zero", "rb") as zeros, open("/dev/null", "rb") as nothing:
    ...     all_of(zeros), all_of(nothing)
    (None, b'')
    """
    start = b""
    if stat.S_ISCHR(os.fstat(file.fileno()).st_mode) and not file.isatty():
        start = file.read(_ENDLESS)
        if len(start) == _ENDLESS:
            return None
    most = longest_text()
    data = start + file.read(most)
    return data if len(data) < most else None


def count_lines(path: str) -> int:
    """The number of line ends in a file."""
    with open(path, "rb", buffering=0) as file:
        return sum(piece.count(b"\n") for piece in iter(lambda: file.read(_PIECE), b""))


def stem(name: str | None) -> str | None:
    """The name of a file without folder and suffix; None if this is not the name of a file.

    >>> stem("a/u1.TextGrid.gz"), stem("u1.part.ctm"), stem("<stdin>"), stem(".ctm")
    ('u1', 'u1.part', None, '.ctm')
    """
    if name is None or name.startswith("<"):
        return None
    from os.path import basename, splitext

    from .packed import unpacked_name

    return splitext(unpacked_name(basename(name)))[0]


def walked(folder: str) -> Iterator[tuple[str, list[str]]]:
    """A folder and all folders below it, each with the sorted names of its files, without hidden files.

    A folder that cannot be read is an error.
    """

    def refuse(error: OSError) -> None:
        raise error

    for path, folders, files in os.walk(folder, onerror=refuse):
        folders.sort()
        yield path, sorted(name for name in files if not name.startswith("."))


class NamedFile(io.FileIO):
    """A file whose errors have the name that the user knows."""

    def __init__(self, file: str | int, shown: str, mode: str, *, closefd: bool = True) -> None:
        self.naming = NamedErrors(shown)
        with self.naming:
            super().__init__(file, mode, closefd)

    def write(self, data: WritableBytes, /) -> int:
        with self.naming:
            return super().write(data)


class NamedErrors:
    """A context that replaces the file name in errors. (contextlib would add a third to the start-up time.)"""

    def __init__(self, shown: str) -> None:
        self._shown = shown

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror or str(error), self._shown) from None


def locked(path: str, output: str) -> BinaryIO:
    """The file at this path, opened and locked, because two runs must not write the same output.

    The lock ends with the process.
    """
    from ..values.problem import UsageError

    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # Windows
        return open(path, "ab+", buffering=0)
    while True:
        file = open(path, "ab+", buffering=0)  # noqa: SIM115
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            file.close()
            raise UsageError(f"another run is writing {output}; wait for it, or name another file") from None
        except OSError:  # a file system without locks
            return file
        if os.path.exists(path) and os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
            return file
        file.close()  # another run has just finished and deleted the file
