"""The progress of long work."""

from __future__ import annotations

import sys
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .. import _core
    from ..helpers.steps import Steps


@contextmanager
def watched(what: str, steps: Steps | None = None) -> Iterator[_core.Progress | None]:
    """Show the progress of long work if standard error is a terminal; work in Python counts `steps`."""
    if not sys.stderr.isatty():
        yield None
        return
    from .progress import Watched

    with Watched(what, steps) as progress:
        yield progress
