"""Progress of work in Python."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Steps:
    """The number of steps done and their total; both are 0 if unknown.

    >>> steps = Steps()
    >>> [steps.position for _ in steps.over(3)], steps.position, steps.total
    ([0, 1, 2], 3, 3)
    """

    def __init__(self) -> None:
        self.position = 0
        self.total = 0

    def over(self, total: int) -> Iterator[int]:
        """The numbers below `total`, each of them one step."""
        self.position, self.total = 0, total
        for number in range(total):
            yield number
            self.position += 1
