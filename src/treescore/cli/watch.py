"""The progress of long work on standard error, if it is a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from threading import Event

    from .. import _core
    from ..helpers.steps import Steps

_PATIENCE = 1.0  # seconds before anything is shown


@contextmanager
def watched(what: str, steps: Steps | None = None) -> Iterator[_core.Progress | None]:
    """Show the percentage of finished work if standard error is a terminal; work in Python counts `steps`."""
    if not sys.stderr.isatty():
        yield None
        return
    from threading import Event, Thread

    from .. import _core

    progress, done = _core.Progress(), Event()
    thread = Thread(target=_show, args=(what, steps or progress, done), daemon=True)
    thread.start()
    try:
        yield progress
    finally:
        done.set()
        thread.join()


def _show(what: str, seen: Steps | _core.Progress, done: Event) -> None:
    wait, is_shown = _PATIENCE, False
    while not done.wait(wait):
        share = f" {100 * seen.position // seen.total} %" if seen.total else ""
        sys.stderr.write(f"\r\x1b[K{what}{share}")
        sys.stderr.flush()
        wait, is_shown = 0.2, True
    if is_shown:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
