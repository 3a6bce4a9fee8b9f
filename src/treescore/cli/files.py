"""Where input comes from, and where results go."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


def source(path: str) -> str | Path:
    """A file as readers take it: a str might be taken for text, but - is standard input."""
    return path if path == "-" else Path(path)


@contextmanager
def opened(path: str | None) -> Iterator[BinaryIO]:
    """The file, or standard output where there is none or it is -."""
    if path in (None, "-"):
        sys.stdout.flush()
        yield sys.stdout.buffer
    else:
        with open(path, "wb") as file:
            yield file
