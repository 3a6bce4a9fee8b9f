"""Numbers as whole numbers on one scale, so that sums of squares have no rounding in them, and nothing is nearly 0."""

from __future__ import annotations

from math import inf, isfinite

from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def whole(values: Iterable[float]) -> tuple[list[int], int]:
    """Whole numbers in the same proportions as the values, and what they were multiplied by.

    >>> whole([0.5, 1.25])
    ([2, 5], 4)
    """
    ratios = [_number(value).as_integer_ratio() for value in values]
    scale = max((below for _, below in ratios), default=1)  # each is a power of 2
    return [above * (scale // below) for above, below in ratios], scale


def _number(value: object) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = inf
    if not isfinite(number):
        raise UsageError(f"statistics need finite numbers, not {value!r}")
    return number


def ratio(above: int, below: int) -> float:
    """The nearest number to the quotient of two whole numbers of any size.

    >>> ratio(10**400, 4 * 10**400), ratio(10**400, 1)
    (0.25, inf)
    """
    try:
        return above / below
    except OverflowError:
        return inf if (above > 0) == (below > 0) else -inf
