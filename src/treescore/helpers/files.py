"""Access to files: mapping, reading, walking, locking."""

from __future__ import annotations

from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO, BinaryIO

    from .._core import Buffer


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
    import os
    import stat

    start = b""
    if stat.S_ISCHR(os.fstat(file.fileno()).st_mode) and not file.isatty():
        start = file.read(_ENDLESS)
        if len(start) == _ENDLESS:
            return None
    return start + file.read()


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
    import os

    def refuse(error: OSError) -> None:
        raise error

    for path, folders, files in os.walk(folder, onerror=refuse):
        folders.sort()
        yield path, sorted(name for name in files if not name.startswith("."))


@contextmanager
def replacing(path: str, partial: str) -> Iterator[BinaryIO]:
    """A new file, named `partial` until it is complete and replaces the file at `path`, unchanged by a failure."""
    import os

    try:
        with open(partial, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # otherwise a system crash may leave a name without content
        os.replace(partial, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise


def locked(path: str, output: str) -> BinaryIO:
    """The file at this path, opened and locked, because two runs must not write the same output.

    The lock ends with the process.
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
        file.close()  # another run has just finished and deleted the file
