"""Times for words that have none: shared gaps, shared words, and what stays as it was."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from treescore.words.interpolation import interpolated

Times = list[tuple[float, float] | None]
Case = tuple[list[int], Times, float | None, float | None]

A, B = (1.0, 2.0), (3.0, 4.0)


@pytest.mark.parametrize(
    ("weights", "times", "begin", "end", "expected"),
    [
        ([], [], None, None, []),
        ([1, 5], [A, B], None, None, [A, B]),
        ([1, 1, 1], [A, None, B], None, None, [A, (2.0, 3.0), B]),
        ([9, 1, 3, 9], [A, None, None, B], None, None, [A, (2.0, 2.25), (2.25, 3.0), B]),
        # begin and end, where they are known and there is time
        ([1, 1], [None, A], 0.5, None, [(0.5, 1.0), A]),
        ([1, 1], [A, None], None, 2.5, [A, (2.0, 2.5)]),
        ([1, 1], [A, None], None, 2.0, [(1.0, 1.5), (1.5, 2.0)]),
        ([1, 1], [None, A], 1.5, None, [(1.0, 1.5), (1.5, 2.0)]),
        # no gap: with the word before, at the beginning with the word after
        ([3, 1, 1], [A, None, (2.0, 3.0)], None, None, [(1.0, 1.75), (1.75, 2.0), (2.0, 3.0)]),
        ([3, 1, 1], [A, None, (2.0 + 1e-9, 3.0)], None, None, [(1.0, 1.75), (1.75, 2.0), (2.0 + 1e-9, 3.0)]),
        ([1, 3], [None, A], None, None, [(1.0, 1.25), (1.25, 2.0)]),
        ([1, 3], [A, None], None, None, [(1.0, 1.25), (1.25, 2.0)]),
        # two runs with one word: all at once
        ([1, 2, 1], [None, A, None], None, None, [(1.0, 1.25), (1.25, 1.75), (1.75, 2.0)]),
        # no word has a time
        ([1, 3], [None, None], 1.0, 2.0, [(1.0, 1.25), (1.25, 2.0)]),
        ([1, 3], [None, None], 1.0, None, None),
        ([1, 3], [None, None], 2.0, 1.0, None),
        # numbers end
        ([1, 1, 1], [None, (1.0, 1.0000000000000002), None], None, None, None),
    ],
)
def test_cases(
    weights: list[int], times: Times, begin: float | None, end: float | None, expected: Times | None
) -> None:
    interpolated_words, filled = interpolated(weights, times, begin, end)
    assert interpolated_words == expected
    assert filled == ([] if expected is None else [place for place, time in enumerate(times) if time is None])


def test_wrong_calls() -> None:
    with pytest.raises(ValueError, match="2 weights for 1 words"):
        interpolated([1, 1], [A])
    with pytest.raises(ValueError, match="positive"):
        interpolated([0], [A])


@st.composite
def _words(draw: st.DrawFn) -> Case:
    """Words on a grid of hundredths of a second, some without times, and perhaps a begin and an end."""
    at = draw(st.integers(0, 50))
    times: Times = []
    begin = draw(st.none() | st.just(at / 100))
    at += draw(st.integers(0, 2)) * 10
    for _ in range(draw(st.integers(1, 8))):
        length, gap = draw(st.integers(1, 60)), draw(st.sampled_from([0, 0, 5, 30]))
        times.append(draw(st.sampled_from([None, (at / 100, (at + length) / 100)])))
        at += length + gap
    weights = draw(st.lists(st.integers(1, 12), min_size=len(times), max_size=len(times)))
    return weights, times, begin, draw(st.none() | st.just(at / 100))


@given(_words())
def test_laws(words: Case) -> None:
    weights, times, begin, end = words
    interpolated_words, filled = interpolated(weights, times, begin, end)
    known = [time for time in times if time is not None]
    if interpolated_words is None:
        assert not known and (begin is None or end is None or end <= begin)
        return
    assert filled == [place for place, time in enumerate(times) if time is None]
    assert all(start < stop for start, stop in interpolated_words)
    assert all(before[1] <= after[0] for before, after in pairwise(interpolated_words))
    firsts = [*(time[0] for time in known[:1]), *([] if begin is None else [begin])]
    lasts = [*(time[1] for time in known[-1:]), *([] if end is None else [end])]
    assert interpolated_words[0][0] >= min(firsts) and interpolated_words[-1][1] <= max(lasts)
    for place, time in enumerate(times):
        beside = times[max(0, place - 1) : place + 2]
        if time is not None and None not in beside:
            assert interpolated_words[place] == time


@given(_words())
def test_against_a_plain_model(words: Case) -> None:
    weights, times, begin, end = words
    interpolated_words, _ = interpolated(weights, times, begin, end)
    expected = _model(weights, times, begin, end)
    assert (interpolated_words is None) == (expected is None)
    for ours, theirs in zip(interpolated_words or [], expected or [], strict=True):
        assert ours == pytest.approx([float(time) for time in theirs], abs=1e-9)


def _model(
    weights: list[int], times: Times, begin: float | None, end: float | None
) -> list[tuple[Fraction, Fraction]] | None:
    """The same in exact numbers, word by word: to which stretch of time does each word belong?"""
    known = [place for place, time in enumerate(times) if time is not None]
    stretches: dict[tuple[float, float], list[int]] = {}
    for place, time in enumerate(times):
        before = max((other for other in known if other < place), default=None)
        after = min((other for other in known if other > place), default=None)
        since = begin if before is None else _known(times, before)[1]
        until = end if after is None else _known(times, after)[0]
        if time is not None:
            stretch = time
        elif since is not None and until is not None and until - since > 1e-6:
            stretch = since, until
        elif before is not None or after is not None:
            stretch = _known(times, after if before is None else before)
        else:
            return None
        stretches.setdefault(stretch, []).append(place)
    result = [(Fraction(), Fraction())] * len(times)
    for (first, last), places in stretches.items():
        start, stop, done = Fraction(first), Fraction(last), 0
        total = sum(weights[place] for place in places)
        for place in places:
            ends = done + weights[place]
            result[place] = start + (stop - start) * done / total, start + (stop - start) * ends / total
            done = ends
    return result


def _known(times: Times, place: int | None) -> tuple[float, float]:
    result = None if place is None else times[place]
    assert result is not None
    return result
