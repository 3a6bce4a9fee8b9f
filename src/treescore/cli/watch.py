"""How far long work has come."""

from __future__ import annotations

import sys
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .. import _core


@contextmanager
def watched(what: str) -> Iterator[_core.Progress | None]:
    """What long work tells how far it has come, if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from .progress import Watched

    with Watched(what) as progress:
        yield progress
