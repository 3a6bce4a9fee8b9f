"""Resampling of rows: with replacement for the bootstrap, by coin tosses for randomization tests.

Samples depend only on the seed and the number of rows: not on the machine, the Python version or the number of threads.
Sample i (from 0) uses a splitmix64 generator whose state is output i + 1 of the generator with the seed as its state. A
row is the upper half of the product of the number of rows and the upper 32 bits of a random number; the number is
rejected where the lower half of the product is less than 2^32 modulo the number of rows. The coin of row r is bit
r % 64, from the lowest, of the sample's random number r // 64; tests of two systems toss coins only for rows that
differ.
"""

from __future__ import annotations

from .. import _core
from ..values.counts import Counts
from ..values.problem import UsageError, check_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..metrics.base import Metric


def samples(counts: Counts, n: int, seed: int, *, threads: int | None = None) -> Sums:
    """The sums of `n` samples of the rows with replacement, each as large as the original.

    >>> list(samples(Counts({"a": [1, 10, 100]}), 3, seed=1))
    [{'a': 111}, {'a': 12}, {'a': 30}]
    """
    return _resampled(_core.sum_samples, counts, n, seed, threads)


def coins(counts: Counts, n: int, seed: int, *, threads: int | None = None) -> Sums:
    """The sums of `n` subsets, in which each row is included by the toss of a fair coin.

    >>> list(coins(Counts({"a": [1, 10, 100]}), 3, seed=1))
    [{'a': 110}, {'a': 0}, {'a': 110}]
    """
    return _resampled(_core.sum_coins, counts, n, seed, threads)


class Sums:
    """The sums of samples in `columns`; iteration yields one sample at a time."""

    def __init__(self, columns: Mapping[str, Sequence[int]]) -> None:
        self.columns = columns

    def __iter__(self) -> Iterator[dict[str, int]]:
        names = list(self.columns)
        return (dict(zip(names, row, strict=True)) for row in zip(*self.columns.values(), strict=True))

    def figures(self, metric: Metric, name: str) -> list[float | None]:
        """The value of a figure in each sample."""
        ratio = metric.ratio(name)
        if ratio is not None and ratio.is_all:
            return ratio.of_all(self.columns)
        return [metric.figure(total, name) for total in self]


def subsets(counts: Counts) -> Iterator[dict[str, int]]:
    """The sums of all 2 ** len(counts) subsets of the rows.

    Each subset differs from the previous one in one row (a Gray code).

    >>> [total["a"] for total in subsets(Counts({"a": [1, 10]}))]
    [0, 1, 11, 10]
    """
    rows = [counts.row(index) for index in range(len(counts))]
    total = dict.fromkeys(counts.columns, 0)
    chosen = 0
    yield total
    for step in range(1, 1 << len(rows)):
        lowest = step & -step
        chosen ^= lowest
        sign = 1 if chosen & lowest else -1
        change = rows[lowest.bit_length() - 1]
        total = {name: value + sign * change[name] for name, value in total.items()}
        yield total


#: More samples are no more accurate, and might not fit into memory.
MAX_SAMPLES = 10_000_000


def check_number(n: int, what: str) -> None:
    """Raise an error unless this is a valid number of samples or trials."""
    check_whole(n, what)
    if n > MAX_SAMPLES:
        raise UsageError(f"{what} must be at most {MAX_SAMPLES:,}, not {n:,}")


def check_seed(seed: int) -> None:
    """Raise an error unless this is a valid seed."""
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 1 << 64:
        raise UsageError(f"seed must be a whole number from 0 to 2^64 - 1, not {seed!r}")


def _resampled(
    draw: Callable[[Sequence[_core.Buffer], int, int, int], list[bytes]],
    counts: Counts,
    n: int,
    seed: int,
    threads: int | None,
) -> Sums:
    from ..helpers.threads import count_threads

    check_number(n, "the number of samples")
    check_seed(seed)
    if not counts.has_rows:
        raise UsageError("sampling needs counts with rows; these have only sums")
    columns: list[memoryview | bytes] = []
    sizes = {}  # how many columns each count has become
    for name, values in counts.columns.items():
        largest = max(max(values), -min(values)) if len(values) else 0
        if largest == 0 and columns:
            sizes[name] = 0  # all sums are 0
        elif largest * len(values) >= 1 << 63:  # the sum could overflow
            high, low = [value >> 32 for value in values], [value & 0xFFFFFFFF for value in values]
            columns += Counts({"high": high, "low": low}).columns.values()
            sizes[name] = 2
        else:
            columns.append(values)
            sizes[name] = 1
    workers = count_threads(threads, len(counts) * n // 1_000)
    parts = iter([memoryview(data).cast("q") for data in draw(columns, n, seed, workers)])
    zeros = memoryview(bytes(8 * n)).cast("q")
    sums: dict[str, Sequence[int]] = {}
    for name, size in sizes.items():
        sums[name] = next(parts) if size else zeros
        if size == 2:
            sums[name] = [(high << 32) + low for high, low in zip(sums[name], next(parts), strict=True)]
    return Sums(sums)
