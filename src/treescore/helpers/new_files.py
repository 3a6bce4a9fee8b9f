"""New files, which replace old ones only when they are complete."""

from __future__ import annotations

import errno
import io
import os
import stat
from contextlib import contextmanager, suppress

from .files import NamedFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from typing import BinaryIO


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
            with raw.naming:
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
