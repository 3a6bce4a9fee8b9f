"""What can be said of a side of a comparison without all its trees."""

from __future__ import annotations

from .text import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .trees import Treebank

#: So many trees are looked at.
FIRST = 50


class Overview:
    """The first trees of a side, and all its labels and tags.

    >>> import treescore
    >>> found = Overview(treescore.read("(S (NN a)) (X (VB b))"))
    >>> len(found.first), found.names()
    (2, ['S', 'NN', 'X', 'VB'])
    """

    __slots__ = ("_names", "first")

    def __init__(self, first: Treebank, names: Iterable[bytes] | None = None) -> None:
        self.first = first
        self._names = names

    def names(self) -> list[str]:
        """Labels and tags in the order in which they come."""
        return list(map(decode, self.first.native.names(0) if self._names is None else self._names))

    @property
    def has_times(self) -> bool:
        """Are there times of words?"""
        return self.first.native.has_times()
