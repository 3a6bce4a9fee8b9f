"""Bytes of files."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO, Any, BinaryIO

    from .._core import Buffer


_LARGE = 8 << 20  # bytes
_ENDLESS = 1 << 16  # bytes: no device that has an end gives so many


def packaged(name: str) -> Path:
    """A data file that comes with treescore."""
    from pathlib import Path

    return Path(__file__).parent.parent / "data" / name


def map_file(descriptor: int, size: int) -> Buffer | None:
    """The content of a large open file without a copy; None for a small one, or where the system can't.

    A mapped file must not be cut short while it is read: the system would end the process. Small files, which programs
    like to write anew while others read them, are copied instead.

    >>> map_file(0, 0) is None
    True
    """
    if size < _LARGE:
        return None
    import mmap

    try:
        mapped: Any = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    return mapped  # type: ignore[no-any-return]


def all_of(file: IO[bytes]) -> bytes | None:
    """All bytes of an open file; None for a device that gives bytes for ever.

    >>> with open("/dev/zero", "rb") as zeros, open("/dev/null", "rb") as nothing:
    ...     all_of(zeros), all_of(nothing)
    (None, b'')
    """
    import os
    import stat

    start = b""
    if stat.S_ISCHR(os.fstat(file.fileno()).st_mode) and not file.isatty():
        start = file.read(_ENDLESS)
        if len(start) == _ENDLESS:
            return None
    return start + file.read()


def stem(name: str | None) -> str | None:
    """The name of a file without folder and suffix; None if it is not a file's.

    >>> stem("a/u1.TextGrid.gz"), stem("u1.part.ctm"), stem("<stdin>"), stem(".ctm")
    ('u1', 'u1.part', None, '.ctm')
    """
    if name is None or name.startswith("<"):
        return None
    from os.path import basename, splitext

    from .packed import unpacked_name

    return splitext(unpacked_name(basename(name)))[0]


def walked(folder: str) -> Iterator[tuple[str, list[str]]]:
    """A folder and all below it, each with the names of its files but hidden ones, in the order of their names.

    A folder that cannot be looked into is an error.
    """
    import os

    def refuse(error: OSError) -> None:
        raise error

    for above, folders, files in os.walk(folder, onerror=refuse):
        folders.sort()
        yield above, sorted(name for name in files if not name.startswith("."))


def locked(path: str, output: str) -> BinaryIO:
    """The file at this path, for this run alone: two runs must not write the same file.

    The lock ends with the process, however that ends.
    """
    import os

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
        file.close()  # another run has just finished, and taken it away
