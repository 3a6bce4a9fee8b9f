"""How far work in Python has come."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Steps:
    """So many steps of so many; 0 of 0 if nobody knows.

    >>> steps = Steps()
    >>> [steps.position for _ in steps.over(3)], steps.position, steps.total
    ([0, 1, 2], 3, 3)
    """

    def __init__(self) -> None:
        self.position = 0
        self.total = 0

    def over(self, total: int) -> Iterator[int]:
        """The numbers below `total`, a step each."""
        self.position, self.total = 0, total
        for number in range(total):
            yield number
            self.position += 1
