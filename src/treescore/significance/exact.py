"""Exact arithmetic: floats as integers on a common scale, so that sums of squares are not rounded."""

from __future__ import annotations

from math import inf, isfinite

from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def whole(values: Iterable[float]) -> tuple[list[int], int]:
    """Integers in the same proportions as the values, and the factor by which the values were multiplied.

    >>> whole([0.5, 1.25])
    ([2, 5], 4)
    """
    ratios = [_number(value).as_integer_ratio() for value in values]
    scale = max((below for _, below in ratios), default=1)  # all denominators are powers of 2
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
    """The quotient of two integers of any size, rounded to the nearest float.

    >>> ratio(10**400, 4 * 10**400), ratio(10**400, 1)
    (0.25, inf)
    """
    try:
        return above / below
    except OverflowError:
        return inf if (above > 0) == (below > 0) else -inf
