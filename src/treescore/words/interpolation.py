"""Interpolation of missing word times.

>>> interpolated([2, 3, 1], [(0.0, 0.5), None, (1.0, 1.25)])
([(0.0, 0.5), (0.5, 1.0), (1.0, 1.25)], [1])
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Interval = tuple[float, float]

#: Gaps and overlaps up to this number of seconds are rounding errors in files.
ROUNDING = 1e-6


def interpolated(
    weights: Sequence[float],
    times: Sequence[Interval | None],
    begin: float | None = None,
    end: float | None = None,
) -> tuple[list[Interval] | None, list[int]]:
    """Times for all words, and the indices of the words without times; None if no times are known.

    `weights` are positive relative lengths, such as numbers of characters. `times` are None or increasing intervals of
    positive length. A run of words without times shares the gap between its neighbours, or between a neighbour and
    `begin` or `end`, in proportion to the weights. Without a gap, or without `begin` or `end`, the run shares the time
    of the previous word with that word; at the beginning, of the next word. If two runs share the time of the same
    word, it is divided once between both runs and the word. If no word has a time, all share the time from `begin` to
    `end`.

    >>> interpolated([1, 1, 2], [None, (0.5, 1.0), None], begin=0.25)
    ([(0.25, 0.5), (0.5, 0.6666666666666666), (0.6666666666666666, 1.0)], [0, 2])
    >>> interpolated([1, 1], [None, None])
    (None, [])
    """
    if len(weights) != len(times):
        raise ValueError(f"{len(weights)} weights for {len(times)} words")
    if not all(weight > 0 for weight in weights):
        raise ValueError("weights must be positive")
    missing = [index for index, time in enumerate(times) if time is None]
    timed = [(index, time) for index, time in enumerate(times) if time is not None]
    known = [time for _, time in timed]
    if not missing:
        return known, []
    if not timed:
        shared = _shared(weights, begin, end)
        return shared, missing if shared else []
    gaps: list[list[Interval]] = []  # the times of the words in each gap: before, between and after words with times
    groups = [[index, index + 1] for index, _ in timed]  # words that share the time of each word that has one
    for number in range(len(timed) + 1):
        first = timed[number - 1][0] + 1 if number > 0 else 0
        last = timed[number][0] if number < len(timed) else len(times)
        since = known[number - 1][1] if number > 0 else begin
        until = known[number][0] if number < len(timed) else end
        shares = _shared(weights[first:last], since, until) if first < last else []
        gaps.append(shares or [])
        if shares is None and number > 0:
            groups[number - 1][1] = last
        elif shares is None:
            groups[number][0] = first
    complete: list[Interval] = []
    for number, (first, last) in enumerate(groups):
        complete += gaps[number]
        start, stop = known[number]
        if last - first == 1:
            complete.append(known[number])
            continue
        shares = _shared(weights[first:last], start, stop, least=0)
        if shares is None:  # too short for distinct floats
            return None, []
        complete += shares
    return complete + gaps[-1], missing


def _shared(
    weights: Sequence[float], start: float | None, end: float | None, least: float = ROUNDING
) -> list[Interval] | None:
    """The time from start to end divided in proportion to the weights; None if it is unknown or too short."""
    if start is None or end is None or not end - start > least:
        return None
    total, sum_so_far = sum(weights), 0.0
    parts: list[Interval] = []
    at = start
    for place, weight in enumerate(weights, 1):
        sum_so_far += weight
        cut = end if place == len(weights) else start + (end - start) * (sum_so_far / total)
        if not at < cut <= end:
            return None
        parts.append((at, cut))
        at = cut
    return parts
