"""How large is a difference, whatever the number of rows? A test says how sure it is; this says how much it matters."""

from __future__ import annotations

from math import fsum, sqrt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def outcomes(differences: Sequence[float | None]) -> tuple[int, int, int, int]:
    """On how many rows the first system is better, the second is, neither is, and one of them has no score.

    >>> outcomes([0.5, -0.25, 0.0, None, 1.0])
    (2, 1, 1, 1)
    """
    known = [difference for difference in differences if difference is not None]
    better, worse = sum(difference > 0 for difference in known), sum(difference < 0 for difference in known)
    return better, worse, len(known) - better - worse, len(differences) - len(known)


def effect_size(differences: Sequence[float]) -> float | None:
    """The mean of differences over their standard deviation (Cohen's d for pairs); None if nothing varies.

    >>> effect_size([0.0, 0.5, 1.0]), effect_size([0.25, 0.25]), effect_size([0.25])
    (1.0, None, None)
    """
    if len(differences) < 2 or min(differences) == max(differences):
        return None
    mean = fsum(differences) / len(differences)
    spread = fsum((difference - mean) ** 2 for difference in differences)
    return mean / sqrt(spread / (len(differences) - 1)) if spread > 0 else None
