"""Where results go."""

from __future__ import annotations

import sys
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


@contextmanager
def opened(path: str | None) -> Iterator[BinaryIO]:
    """The file, or standard output where there is none or it is -."""
    if path in (None, "-"):
        sys.stdout.flush()
        yield sys.stdout.buffer
    else:
        with open(path, "wb") as file:
            yield file
