"""The progress of long work on standard error, if it is a terminal."""

from __future__ import annotations

import sys
import threading

from .. import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from ..helpers.steps import Steps

_PATIENCE = 1.0  # seconds before anything is shown


class Watched:
    """`with Watched("reading gold.mrg") as progress:` shows the percentage of finished work."""

    def __init__(self, what: str, steps: Steps | None = None) -> None:
        self.what = what
        self.progress = _core.Progress()
        self._seen = steps or self.progress  # work in Python counts its own steps
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> _core.Progress:
        self._thread.start()
        return self.progress

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        shown = False
        wait = _PATIENCE
        while not self._done.wait(wait):
            wait = 0.2
            total = self._seen.total
            share = f" {100 * self._seen.position // total} %" if total else ""
            sys.stderr.write(f"\r\x1b[K{self.what}{share}")
            sys.stderr.flush()
            shown = True
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
