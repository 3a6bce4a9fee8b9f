"""What is known about all pairs of trees without the trees themselves."""

from __future__ import annotations

from ..helpers.text import decode
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class Overview(Value):
    """The labels and tags of both sides, the names of their files, and the sums of the counts of one metric.

    >>> import treescore
    >>> overview = Overview([treescore.read("(S (NN a)) (X (VB b))").native.names(0), []], ["gold", "test"], {})
    >>> overview.names(0), overview.names(1)
    (['S', 'NN', 'X', 'VB'], [])
    """

    raw_names: Sequence[Iterable[bytes]]
    files: Sequence[str | None]
    total: Mapping[str, int]

    def names(self, side: int) -> list[str]:
        """Labels and tags of gold (0) or test (1)."""
        return list(map(decode, self.raw_names[side]))
