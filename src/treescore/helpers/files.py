"""Access to files: mapping, reading, walking, locking."""

from __future__ import annotations

import errno
import io
import os
import stat
from contextlib import contextmanager, suppress

from .memory import longest_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
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


def is_unfinished(name: str) -> bool:
    """Is this the name of an incomplete new file of `replacing`? Only a killed process leaves one behind."""
    return name.startswith(".treescore-") and name.endswith(".tmp")


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """A new file beside `path` that replaces it when it is complete; after a failure the old file is unchanged.

    Links are followed and permissions are kept. Devices, pipes and names such as /dev/stdout are written in place.
    Errors name `path`.
    """
    name = os.fspath(path)
    if not os.path.basename(name):  # no name, or that of a folder
        code = errno.EISDIR if name else errno.ENOENT
        raise OSError(code, os.strerror(code), name)
    if os.path.exists(name) and (not os.path.isfile(name) or _is_descriptor(name)):
        with io.BufferedWriter(NamedFile(name, name, "ab")) as file:
            yield file
        return
    target = os.path.realpath(name)
    if os.path.exists(target) and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
    partial = os.path.join(os.path.dirname(target), f".treescore-{os.urandom(8).hex()}.tmp")
    raw = NamedFile(partial, name, "xb")
    try:
        with io.BufferedWriter(raw) as file:
            yield file
            file.flush()
            with raw.naming():
                _copy_permissions(target, raw.fileno())
                os.fsync(raw.fileno())  # otherwise a system crash may leave a name without content
                os.replace(partial, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise


def _is_descriptor(path: str) -> bool:
    """Is this another name of an open file, such as /dev/stdout or a link to it?"""
    while True:
        folder = os.path.dirname(path)
        if os.path.realpath(folder).startswith(("/proc/", "/dev/fd")):
            return True
        if not os.path.islink(path):
            return False
        path = os.path.join(folder, os.readlink(path))


def _copy_permissions(target: str, descriptor: int) -> None:
    """Give an open file the owner and mode of an existing file."""
    try:
        old = os.stat(target)
    except FileNotFoundError:
        return
    with suppress(OSError):  # only root may give files away
        os.chown(descriptor, old.st_uid, old.st_gid)
    os.chmod(descriptor, stat.S_IMODE(old.st_mode))


class NamedFile(io.FileIO):
    """A file whose errors have the name that the user knows."""

    def __init__(self, file: str | int, shown: str, mode: str, *, closefd: bool = True) -> None:
        self._shown = shown
        with self.naming():
            super().__init__(file, mode, closefd)

    def write(self, data: WritableBytes, /) -> int:
        with self.naming():
            return super().write(data)

    @contextmanager
    def naming(self) -> Iterator[None]:
        """Replace the name in errors."""
        try:
            yield
        except OSError as error:
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
