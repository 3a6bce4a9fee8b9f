"""File names without the folders of the machine on which the page was written."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class RelativeNames:
    """The input files by names that do not begin with `/`: their last parts, as many as distinguish them.

    >>> names = RelativeNames(["/home/me/gold.mrg", "/home/me/a/23.mrg", "/home/me/b/23.mrg", "dev/gold.mrg"])
    >>> names.in_text("/home/me/b/23.mrg:7: no tree; /home/me/gold.mrg and dev/gold.mrg have more")
    'b/23.mrg:7: no tree; me/gold.mrg and dev/gold.mrg have more'
    """

    def __init__(self, paths: Iterable[str]) -> None:
        paths = list(dict.fromkeys(paths))
        tails = {path: [part for part in path.split(os.sep) if part] for path in paths}
        self._names: dict[str, str] = {}
        for path in sorted(filter(os.path.isabs, paths), key=len, reverse=True):  # longer names first
            own, others = tails[path], [tails[other] for other in paths if other != path]
            parts = 1
            while parts < len(own) and any(other[-parts:] == own[-parts:] for other in others):
                parts += 1
            self._names[path] = os.sep.join(own[-parts:])

    def in_text(self, text: str) -> str:
        """The text with the short names of all files."""
        for path, name in self._names.items():
            text = text.replace(path, name)
        return text
