"""Effect sizes: how large a difference is, independently of the number of rows."""

from __future__ import annotations

from math import fsum, sqrt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def outcomes(differences: Sequence[float | None]) -> tuple[int, int, int, int]:
    """The numbers of wins, losses, ties and rows without a score, for the first of two systems.

    >>> outcomes([0.5, -0.25, 0.0, None, 1.0])
    (2, 1, 1, 1)
    """
    known = [difference for difference in differences if difference is not None]
    better, worse = sum(difference > 0 for difference in known), sum(difference < 0 for difference in known)
    return better, worse, len(known) - better - worse, len(differences) - len(known)


def effect_size(differences: Sequence[float]) -> float | None:
    """The mean of the differences divided by their standard deviation (Cohen's d for pairs); None without variation.

    >>> effect_size([0.0, 0.5, 1.0]), effect_size([0.25, 0.25]), effect_size([0.25])
    (1.0, None, None)
    """
    if len(differences) < 2 or min(differences) == max(differences):
        return None
    mean = fsum(differences) / len(differences)
    spread = fsum((difference - mean) ** 2 for difference in differences)
    return mean / sqrt(spread / (len(differences) - 1)) if spread > 0 else None
