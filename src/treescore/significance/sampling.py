"""Rows drawn again and again: with replacement for the bootstrap, by coins for tests of differences.

The numbers drawn depend on the seed and on the number of rows, on nothing else: not on the machine, the Python version
or the threads. Sample i, from 0, takes its numbers from a splitmix64 generator whose state is number i + 1 of the one
whose state is the seed. A row is the upper half of the product of the number of rows and the upper 32 bits of a drawn
number, which is drawn again where the lower half of the product is less than 2^32 modulo the number of rows. The coin
of row r is bit r % 64, from the lowest, of the sample's number r // 64; tests of two systems toss coins only for rows
that differ.
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
    """The sums of `n` samples of the rows, each of as many rows as there are.

    >>> list(samples(Counts({"a": [1, 10, 100]}), 3, seed=1))
    [{'a': 111}, {'a': 12}, {'a': 30}]
    """
    return _drawn(_core.sum_samples, counts, n, seed, threads)


def coins(counts: Counts, n: int, seed: int, *, threads: int | None = None) -> Sums:
    """The sums of `n` samples in which each row is or is not, by a fair coin.

    >>> list(coins(Counts({"a": [1, 10, 100]}), 3, seed=1))
    [{'a': 110}, {'a': 0}, {'a': 110}]
    """
    return _drawn(_core.sum_coins, counts, n, seed, threads)


class Sums:
    """The sums of samples in `columns`; iterated over, one sample after the other."""

    def __init__(self, columns: Mapping[str, Sequence[int]]) -> None:
        self.columns = columns

    def __iter__(self) -> Iterator[dict[str, int]]:
        names = list(self.columns)
        return (dict(zip(names, row, strict=True)) for row in zip(*self.columns.values(), strict=True))

    def figures(self, metric: Metric, name: str) -> list[float | None]:
        """A figure of each sample."""
        ratio = metric.ratio(name)
        if ratio is not None and ratio.is_all:
            return ratio.of_all(self.columns)
        return [metric.figure(total, name) for total in self]


def subsets(counts: Counts) -> Iterator[dict[str, int]]:
    """The sums of all choices of rows, 2 ** len(counts) of them.

    Each choice differs from the one before in one row (a Gray code), so that none has to be kept.

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


#: More are no surer, and might not fit into memory.
MOST = 10_000_000


def check_number(n: int, what: str) -> None:
    """An error if no such number of samples or trials can be made."""
    check_whole(n, what)
    if n > MOST:
        raise UsageError(f"{what} must be at most {MOST:,}, not {n:,}")


def check_seed(seed: int) -> None:
    """An error if this is no seed."""
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 1 << 64:
        raise UsageError(f"seed must be a whole number from 0 to 2^64 - 1, not {seed!r}")


def _drawn(
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
        raise UsageError("these counts are sums without rows, and samples are drawn from rows")
    columns: list[memoryview | bytes] = []
    wide, drawn = set(), set()
    for name, values in counts.columns.items():
        largest = max(max(values), -min(values)) if len(values) else 0
        if largest == 0 and columns:  # the sums are known
            continue
        drawn.add(name)
        if largest * len(values) >= 1 << 63:  # the sum may be too large
            halves = Counts(
                {"high": [value >> 32 for value in values], "low": [value & 0xFFFFFFFF for value in values]}
            )
            columns += halves.columns.values()
            wide.add(name)
        else:
            columns.append(values)
    workers = count_threads(threads, len(counts) * n // 1_000)
    sums = iter([memoryview(data).cast("q") for data in draw(columns, n, seed, workers)])
    found: dict[str, Sequence[int]] = {}
    zeros = memoryview(bytes(8 * n)).cast("q")
    for name in counts.columns:
        found[name] = next(sums) if name in drawn else zeros
        if name in wide:
            found[name] = [(high << 32) + low for high, low in zip(found[name], next(sums), strict=True)]
    return Sums(found)
