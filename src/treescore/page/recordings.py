"""The recordings of sentences on the page: in the page if they are small, otherwise linked."""

from __future__ import annotations

import os
from base64 import b64encode
from urllib.parse import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

#: Recordings with more bytes in all are linked.
MOST_EMBEDDED = 4_000_000


class Recordings:
    """The recording of each sentence, or None. Links are relative to `folder`, the folder of the page.

    >>> Recordings([None, None]).facts()
    {'numbers': [None, None], 'links': []}
    """

    def __init__(self, paths: Sequence[str | None], folder: str = "") -> None:
        self._files = list(dict.fromkeys(path for path in paths if path is not None))
        number = {path: place for place, path in enumerate(self._files)}
        self._numbers = [None if path is None else number[path] for path in paths]
        self._folder = folder
        self.is_embedded = sum(map(os.path.getsize, self._files)) <= MOST_EMBEDDED

    @property
    def source(self) -> str:
        """Where the page may load sound from, for its Content-Security-Policy."""
        return "blob:" if self.is_embedded else "'self' file:"

    def facts(self) -> dict[str, Any]:
        """The number of the recording of each sentence, and the links to recordings."""
        return {"numbers": self._numbers, "links": [] if self.is_embedded else list(map(self._link, self._files))}

    def _link(self, path: str) -> str:
        relative = os.path.relpath(path, self._folder or os.curdir)
        return f"./{quote(relative.replace(os.sep, '/'))}"

    def blocks(self) -> Iterator[tuple[str, str]]:
        """The embedded recordings by name."""
        for place, path in enumerate(self._files if self.is_embedded else ()):
            with open(path, "rb") as file:
                yield f"audio-{place}", b64encode(file.read()).decode("ascii")
