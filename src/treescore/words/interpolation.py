"""Times for words that have none, from the times of the words around them.

>>> interpolated([2, 3, 1], [(0.0, 0.5), None, (1.0, 1.25)])
([(0.0, 0.5), (0.5, 1.0), (1.0, 1.25)], [1])
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Interval = tuple[float, float]

#: A gap or an overlap of at most this many seconds is none: two words that meet are often written with such an error of
#: rounding.
ROUNDING = 1e-6


def interpolated(
    weights: Sequence[float],
    times: Sequence[Interval | None],
    begin: float | None = None,
    end: float | None = None,
) -> tuple[list[Interval] | None, list[int]]:
    """Times for all words, and the places of the words that had none; None for the times if nothing is known.

    `weights` are positive: how long words are in proportion to each other, as numbers of characters. `times` are None
    or intervals of some length, one after the other. A run of words without times shares the gap between the words
    around it, or between a word and the `begin` or `end` of the whole, in proportion to the weights. Where there is no
    gap, or `begin` or `end` is not known, it shares the time of the word before it, with that word; at the beginning
    that of the word after it. A word with which two runs share is shared among both of them and itself at once. If no
    word has a time, all share the time from `begin` to `end`.

    >>> interpolated([1, 1, 2], [None, (0.5, 1.0), None], begin=0.25)
    ([(0.25, 0.5), (0.5, 0.6666666666666666), (0.6666666666666666, 1.0)], [0, 2])
    >>> interpolated([1, 1], [None, None])
    (None, [])
    """
    if len(weights) != len(times):
        raise ValueError(f"{len(weights)} weights for {len(times)} words")
    if not all(weight > 0 for weight in weights):
        raise ValueError("weights must be positive")
    missing = [place for place, time in enumerate(times) if time is None]
    timed = [(place, time) for place, time in enumerate(times) if time is not None]
    found = [time for _, time in timed]
    if not missing:
        return found, []
    if not timed:
        shared = _shared(weights, begin, end)
        return shared, missing if shared else []
    gaps: list[list[Interval]] = []  # the times of the words in each gap, before, between and behind words with times
    groups = [[place, place + 1] for place, _ in timed]  # words that share the time of each word that has one
    for number in range(len(timed) + 1):
        first = timed[number - 1][0] + 1 if number > 0 else 0
        last = timed[number][0] if number < len(timed) else len(times)
        since = found[number - 1][1] if number > 0 else begin
        until = found[number][0] if number < len(timed) else end
        inside = _shared(weights[first:last], since, until) if first < last else []
        gaps.append(inside or [])
        if inside is None and number > 0:
            groups[number - 1][1] = last
        elif inside is None:
            groups[number][0] = first
    complete: list[Interval] = []
    for number, (first, last) in enumerate(groups):
        complete += gaps[number]
        start, stop = found[number]
        if last - first == 1:
            complete.append(found[number])
            continue
        inside = _shared(weights[first:last], start, stop, least=0)
        if inside is None:  # too short to be told apart as numbers
            return None, []
        complete += inside
    return complete + gaps[-1], missing


def _shared(
    weights: Sequence[float], start: float | None, end: float | None, least: float = ROUNDING
) -> list[Interval] | None:
    """The time from start to end in parts, in proportion to the weights; None if there is none, or not enough."""
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
