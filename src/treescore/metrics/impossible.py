"""Laws that the sums of a metric's counts obey, for counts that come from outside."""

from __future__ import annotations

from itertools import chain
from math import inf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .base import Metric

_ROUNDING = 1e-9


def impossible(metric: Metric, total: Mapping[str, int]) -> str | None:
    """Why no trees can have these counts; None if they may.

    >>> import treescore
    >>> metric = treescore.metric("parseval")
    >>> counts = treescore.evaluate("(S (A a))", "(S (A a))").scores[0].counts.total()
    >>> impossible(metric, counts)
    >>> impossible(metric, {**counts, "matched": 2})
    'matched 2, gold 1, test 1: f1 is 2'
    >>> impossible(metric, {**counts, "gold": -1})
    'gold is negative'
    """
    try:
        return next(chain(_negative(total), _more_than_all(metric, total), _out_of_bounds(metric, total)), None)
    except (ArithmeticError, ValueError) as error:
        return str(error)


def _negative(total: Mapping[str, int]) -> Iterator[str]:
    yield from (f"{name} is negative" for name, count in total.items() if count < 0)


def _more_than_all(metric: Metric, total: Mapping[str, int]) -> Iterator[str]:
    """Scored sentences are among all sentences, and so is what they contain."""
    eligible = sum(factor * total[name] for name, factor in metric.eligible.items())
    if total["failed"] > eligible:
        yield f"{total['failed']:,} of {eligible:,} {metric.row_unit}s failed"
    for name, count in metric.over_all(total).items():
        if count < total.get(name, 0):
            yield f"{name} is {total[name]:,}, and over all {metric.row_unit}s {count:,}"
    for name in ("gold_all", "test_all"):
        if total[name] < total["failed_gold"]:
            yield f"{name} is {total[name]:,}, less than failed_gold, {total['failed_gold']:,}"


def _out_of_bounds(metric: Metric, total: Mapping[str, int]) -> Iterator[str]:
    """Shares are from 0 to 1."""
    for sums in (total, metric.over_all(total)):
        for name, part in metric.figures(sums).items():
            least = -inf if name in metric.signed else -_ROUNDING
            most = 1 + _ROUNDING if part.percent and name not in metric.error_rates else inf
            if part.value is not None and not least <= part.value <= most:
                ratio = metric.ratios.get(name)
                columns = ", ".join(f"{column} {sums[column]:,}" for column in ratio.columns) if ratio else "counts"
                yield f"{columns}: {name} is {part.value:g}"
