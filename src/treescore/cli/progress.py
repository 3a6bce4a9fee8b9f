"""How far long work has come, on stderr, and only if somebody is looking."""

from __future__ import annotations

import sys
import threading
import time

from .. import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

_PATIENCE = 1.0  # seconds before anything is shown


class Reading:
    """`with Reading("gold.mrg", size) as progress:` shows the share of bytes read so far."""

    def __init__(self, name: str, size: int) -> None:
        self.name, self.size = name, size
        self.progress = _core.Progress()
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
            show(f"reading {self.name}", self.progress.position, self.size)
            shown = True
        if shown:
            clear()


class Scoring:
    """A callback for `evaluate` that shows the share of pairs scored so far."""

    def __init__(self) -> None:
        self._begun = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() - self._begun > _PATIENCE:
            show("scoring", done, total)
            if done >= total:
                clear()


def show(what: str, done: int, total: int) -> None:
    """Overwrite the progress line."""
    share = f"{100 * done // total} %" if total else ""
    sys.stderr.write(f"\r\x1b[K{what} {share}")
    sys.stderr.flush()


def clear() -> None:
    """Wipe the progress line."""
    sys.stderr.write("\r\x1b[K")
    sys.stderr.flush()
