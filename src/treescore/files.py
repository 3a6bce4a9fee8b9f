"""Bytes of files."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._core import Buffer


def map_file(descriptor: int, size: int) -> Buffer | None:
    """The content of an open file without a copy, or None where the system can't.

    >>> map_file(0, 0) is None
    True
    """
    if size == 0:
        return None
    import mmap

    try:
        mapped: Any = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    return mapped  # type: ignore[no-any-return]
