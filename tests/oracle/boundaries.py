"""Boundaries of words by their definition, for tests: sets of instants, and a maximum matching by augmenting paths."""

from __future__ import annotations

from collections.abc import Sequence


def instants(words: Sequence[tuple[int, int]], *, edges: bool) -> list[int]:
    """Where words start or end; those of no length are not spoken."""
    items = sorted({time for start, end in words if start < end for time in (start, end)})
    return items if edges else items[1:-1]


def hits(gold: Sequence[int], test: Sequence[int], tolerance: int) -> int:
    """The largest number of pairs that are at most this far apart, each boundary in one of them."""
    partner: dict[int, int] = {}

    def place(boundary: int, tried: set[int]) -> bool:
        for other in test:
            if abs(boundary - other) <= tolerance and other not in tried:
                tried.add(other)
                if other not in partner or place(partner[other], tried):
                    partner[other] = boundary
                    return True
        return False

    return sum(place(boundary, set()) for boundary in gold)


def r_value(recall: float, over_segmentation: float) -> float:
    """Räsänen, Laine and Altosaar (2009), with shares of 1 instead of percent."""
    to_target = ((1 - recall) ** 2 + over_segmentation**2) ** 0.5
    to_line = (-over_segmentation + recall - 1) / 2**0.5
    return float(1 - (abs(to_target) + abs(to_line)) / 2)
