"""The percentile bootstrap by its definition, for tests: every sample is drawn row by row, and added up row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

_STEP = 0x9E3779B97F4A7C15
_WORD = 1 << 64


def numbers(state: int) -> Iterator[int]:
    """Splitmix64 (Steele, Lea and Flood 2014) from a state."""
    while True:
        state = (state + _STEP) % _WORD
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % _WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % _WORD
        yield mixed ^ mixed >> 31


def draws(source: Iterator[int], count: int) -> Iterator[int]:
    """Numbers below `count`: a number of 32 bits is taken only if as many numbers lead to each result."""
    share, surplus = divmod(1 << 32, count)
    for number in source:
        place, rest = divmod((number >> 32) * count, 1 << 32)
        if rest >= surplus:
            assert share
            yield place


def samples(rows: Sequence[Mapping[str, int]], n: int, seed: int) -> list[dict[str, int]]:
    """The sums of `n` samples."""
    starts = numbers(seed)
    items = []
    for _ in range(n):
        drawn = draws(numbers(next(starts)), len(rows))
        chosen = [rows[next(drawn)] for _ in rows]
        items.append({name: sum(row[name] for row in chosen) for name in rows[0]})
    return items


def coins(rows: Sequence[Mapping[str, int]], n: int, seed: int) -> list[dict[str, int]]:
    """The sums of `n` samples of rows for which a coin fell on the right side."""
    starts = numbers(seed)
    items = []
    for _ in range(n):
        source = numbers(next(starts))
        bits = "".join(f"{next(source):064b}"[::-1] for _ in range(len(rows) // 64 + 1))
        chosen = [row for row, bit in zip(rows, bits, strict=False) if bit == "1"]
        items.append({name: sum(row[name] for row in chosen) for name in rows[0]})
    return items


def interval(
    score: Callable[[dict[str, int]], float | None], rows: Sequence[Mapping[str, int]], level: float, n: int, seed: int
) -> tuple[float | None, float | None, int]:
    """Both ends, and the number of samples without a score."""
    scores = [score(total) for total in samples(rows, n, seed)]
    defined = sorted(value for value in scores if value is not None)
    ends = [quantile(defined, share) if defined else None for share in ((1 - level) / 2, (1 + level) / 2)]
    return ends[0], ends[1], n - len(defined)


def quantile(ordered: Sequence[float], share: float) -> float:
    """On the line through (0, first value), (1, second value), … at this share of its length; exactly."""
    place = Fraction(share) * (len(ordered) - 1)
    before = int(place)
    if before == place:
        return ordered[before]
    rest = place - before
    return float(Fraction(ordered[before]) * (1 - rest) + Fraction(ordered[before + 1]) * rest)
