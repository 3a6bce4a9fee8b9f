"""Intervals and tests of differences by their definitions, for tests: every sample is made row by row.

A `score` takes the sums of the columns and gives a number, or None. Rows are lists of dictionaries, a dictionary of
whole numbers for each unit. What chance decides is given: the rows of each sample, or the units that are swapped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, product
from statistics import NormalDist

from oracle.significance import draws, numbers, quantile

Row = Mapping[str, int]
ScoreOf = Callable[[dict[str, int]], float | None]

#: What is further from 0 by less than this is as far.
TOLERANCE = 1e-12


def added(rows: Iterable[Row]) -> dict[str, int]:
    """The sums of the columns."""
    rows = list(rows)
    return {name: sum(row[name] for row in rows) for name in rows[0]}


def drawn_rows(count: int, n: int, seed: int) -> list[list[int]]:
    """The numbers of the rows in each of `n` samples."""
    starts = numbers(seed)
    samples = []
    for _ in range(n):
        source = draws(numbers(next(starts)), count)
        samples.append([next(source) for _ in range(count)])
    return samples


def grouped(rows: Sequence[Row], units: Sequence[str]) -> list[dict[str, int]]:
    """One row for each unit, in the order in which they first appear."""
    return [
        added(row for row, other in zip(rows, units, strict=True) if other == unit) for unit in dict.fromkeys(units)
    ]


def bca(
    score: ScoreOf, rows: Sequence[Row], level: float, samples: Iterable[Sequence[int]], tolerance: float
) -> tuple[float, float] | None:
    """Both ends of the bias-corrected and accelerated interval (Efron 1987); None where it is not defined.

    That is so if a figure has no value, or if all samples are on one side of it. Samples that are equal to the observed
    value, within the tolerance, count half on either side.
    """
    observed = score(added(rows))
    scores = [score(added(rows[row] for row in sample)) for sample in samples]
    values = sorted(value for value in scores if value is not None)
    if observed is None or not values or len(rows) < 2:
        return None
    below = sum(value < observed - tolerance for value in values)
    equal = sum(abs(value - observed) <= tolerance for value in values)
    share = (below + equal / 2) / len(values)
    if not 0 < share < 1:
        return None
    normal = NormalDist()
    bias = normal.inv_cdf(share)
    acceleration = skewness([score(added([*rows[:row], *rows[row + 1 :]])) for row in range(len(rows))])
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        moved = bias + normal.inv_cdf(tail)
        stretched = 1 - acceleration * moved
        if stretched <= 0:
            return None
        ends.append(quantile(values, normal.cdf(bias + moved / stretched)))
    return ends[0], ends[1]


def skewness(left_out: Sequence[float | None]) -> float:
    """The acceleration, from the figures without one unit each; those without a value do not count."""
    values = [value for value in left_out if value is not None]
    if not values:
        return 0.0
    mean = sum(values) / len(values)
    away = [mean - value for value in values]
    spread = sum(value**2 for value in away)
    return sum(value**3 for value in away) / (6 * spread**1.5) if spread > TOLERANCE**2 else 0.0


def difference(score: ScoreOf, first: Sequence[Row], second: Sequence[Row]) -> float | None:
    """The score of the first minus that of the second."""
    scores = score(added(first)), score(added(second))
    return None if scores[0] is None or scores[1] is None else scores[0] - scores[1]


def swapped_differences(
    score: ScoreOf, first: Sequence[Row], second: Sequence[Row], swaps: Iterable[Sequence[bool]]
) -> list[float | None]:
    """The differences after the units that are true in a swap have changed sides."""
    items = []
    for swap in swaps:
        left = [b if turned else a for a, b, turned in zip(first, second, swap, strict=True)]
        right = [a if turned else b for a, b, turned in zip(first, second, swap, strict=True)]
        items.append(difference(score, left, right))
    return items


def as_large(result: Iterable[float | None], observed: float, centre: float = 0.0) -> list[bool]:
    """Which differences are as far from the centre as the observed one is from 0? Also those without a value."""
    return [value is None or abs(value - centre) >= abs(observed) - TOLERANCE for value in result]


def exact_randomization(score: ScoreOf, first: Sequence[Row], second: Sequence[Row]) -> float | None:
    """The share of all ways to swap units whose difference is at least as far from 0."""
    observed = difference(score, first, second)
    if observed is None:
        return None
    large = as_large(swapped_differences(score, first, second, product((False, True), repeat=len(first))), observed)
    return sum(large) / len(large)


def sampled_randomization(
    score: ScoreOf, first: Sequence[Row], second: Sequence[Row], swaps: Iterable[Sequence[bool]]
) -> float | None:
    """The same from some ways to swap, the observed one counted among them."""
    observed = difference(score, first, second)
    if observed is None:
        return None
    large = as_large(swapped_differences(score, first, second, swaps), observed)
    return (sum(large) + 1) / (len(large) + 1)


def coins(count: int, n: int, seed: int) -> list[list[bool]]:
    """`n` times a coin for each row: the bits of the numbers of a generator, from the lowest, 64 of each."""
    starts = numbers(seed)
    tossed = []
    for _ in range(n):
        source = numbers(next(starts))
        bits = [number >> place & 1 == 1 for number in islice(source, count // 64 + 1) for place in range(64)]
        tossed.append(bits[:count])
    return tossed


def bootstrap_differences(
    score: ScoreOf, first: Sequence[Row], second: Sequence[Row], samples: Iterable[Sequence[int]]
) -> list[float | None]:
    """The differences in samples that have the same units on both sides."""
    return [difference(score, [first[row] for row in rows], [second[row] for row in rows]) for rows in samples]


def paired_bootstrap(
    score: ScoreOf, first: Sequence[Row], second: Sequence[Row], samples: Iterable[Sequence[int]]
) -> float | None:
    """The share of samples whose difference is as far from the observed one as that is from 0."""
    observed = difference(score, first, second)
    if observed is None:
        return None
    large = as_large(bootstrap_differences(score, first, second, samples), observed, observed)
    return (sum(large) + 1) / (len(large) + 1)


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Each p times the number of those that are not smaller, never less than what a smaller one got, at most 1."""
    defined = [p for p in ps if p is not None]

    def adjusted(p: float) -> float:
        steps = sorted(defined)
        reached = [min(1.0, (len(steps) - place) * step) for place, step in enumerate(steps) if step <= p]
        return max(reached)

    return [None if p is None else adjusted(p) for p in ps]
