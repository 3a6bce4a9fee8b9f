"""Alignment of words and longest common subsequences against plain Python, on random input."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from oracle.words import Branch, Step, align, lcs, readings
from strategies import RANDOMS

from treescore import _core
from treescore.pairing.word_alignment import align_words, time_align
from treescore.words.transcript import parse_transcript

NULL = _core.NULL_WORD
#: sclite's, equal ones, unequal ones, substitutions that never pay, and others that are free.
COSTS = ((3, 3, 4), (1, 1, 1), (2, 5, 4), (1, 1, 5), (3000, 3000, 4000), (7, 3, 0))


def steps_of(path: _core.Path) -> list[Step]:
    """The steps as the oracle has them."""
    return [(i, j) for _, i, j in path[1]]


def spoiled(rng: Random, words: Sequence[int], kinds: int, rate: float) -> list[int]:
    """The words with errors."""
    out: list[int] = []
    for word in words:
        chance = rng.random() / rate
        if chance >= 1:
            out.append(word)
        elif chance < 0.5:
            out.append(rng.randrange(kinds))
        elif chance < 0.75:
            out += [word, rng.randrange(kinds)]
    return out


def check(rng: Random, longest: int) -> None:
    """Align two random sequences with random costs."""
    kinds = rng.choice([2, 3, 6, 30])
    ref = [rng.randrange(kinds) for _ in range(rng.randint(0, longest))]
    hyp = spoiled(rng, ref, kinds, 0.4) if rng.random() < 0.6 else [rng.randrange(kinds) for _ in range(longest)]
    insertion, deletion, substitution = costs = rng.choice(COSTS)
    late = rng.random() < 0.3
    deletions, insertions = [deletion] * len(ref), [insertion] * len(hyp)
    gaps: list[array[int] | None] = [None, None]
    if rng.random() < 0.4:
        deletions = [rng.choice([deletion, 2, 1]) for _ in ref]
        insertions = [rng.choice([insertion, 2, 1]) for _ in hyp]
        gaps = [array("q", deletions), array("q", insertions)]
        ref, hyp = ([NULL if rng.random() < 0.1 else word for word in side] for side in (ref, hyp))
    similar = {(rng.randrange(kinds), rng.randrange(kinds)) for _ in range(rng.choice([0, 0, 3]))}

    def pair(i: int, j: int) -> int:
        if NULL in (ref[i], hyp[j]):
            return 10**9
        return 0 if ref[i] == hyp[j] or (ref[i], hyp[j]) in similar else substitution

    expected = align(deletions, insertions, pair, late_gap=late)
    keys = array("I", ref), array("I", hyp)
    path = _core.align_words(*keys, gaps[0], gaps[1], costs, sorted(similar), late)
    assert (path[0], steps_of(path)) == expected
    assert _core.align_words(*keys, gaps[0], gaps[1], costs, sorted(similar), late, small_table=0) == path
    lattices = [
        (key, array("q", gap), array("I", range(len(key))), array("I", range(1, len(key) + 1)), len(key) + 1)
        for key, gap in zip(keys, (deletions, insertions), strict=True)
    ]
    assert _core.align_lattices(lattices[0], lattices[1], costs, sorted(similar), late) == path


@given(RANDOMS)
@settings(max_examples=400)
def test_sequences(rng: Random) -> None:
    check(rng, 12)


@given(RANDOMS)
@settings(max_examples=10)
def test_longer_sequences(rng: Random) -> None:
    """Several stretches of the way back, and bands narrower than the table."""
    check(rng, 400)


@pytest.mark.long
@settings.get_profile("long")
@given(RANDOMS)
def test_sequences_much_more(rng: Random) -> None:
    check(rng, 40)


def test_a_band_that_must_be_widened() -> None:
    """The first, narrow run loses the way where a long stretch is missing."""
    rng = Random(5)
    ref = [rng.randrange(40) for _ in range(1200)]
    hyp = spoiled(rng, ref[:300] + ref[800:], 40, 0.1)
    expected = align([3] * len(ref), [3] * len(hyp), lambda i, j: 0 if ref[i] == hyp[j] else 4)
    path = _core.align_words(array("I", ref), array("I", hyp), None, None, (3, 3, 4), [], False)
    assert (path[0], steps_of(path)) == expected


@pytest.mark.parametrize("words", [20_000, 100_000])
def test_long_sequences(words: int) -> None:
    """The oracle would take hours: the path must be one, and cost what is said."""
    rng = Random(words)
    ref = [rng.randrange(5000) for _ in range(words)]
    hyp = spoiled(rng, ref, 5000, 0.05)
    cost, ops = _core.align_words(array("I", ref), array("I", hyp), None, None, (3, 3, 4), [], False)
    i = j = total = 0
    for kind, of_ref, of_hyp in ops:
        assert of_ref in (None, i)
        assert of_hyp in (None, j)
        same = of_ref is not None and of_hyp is not None and ref[of_ref] == hyp[of_hyp]
        assert kind == ("D" if of_hyp is None else "I" if of_ref is None else "C" if same else "S")
        i, j = i + (of_ref is not None), j + (of_hyp is not None)
        total += {"C": 0, "S": 4, "D": 3, "I": 3}[kind]
    assert (i, j, total) == (len(ref), len(hyp), cost)


def make_branch(rng: Random, depth: int) -> Branch:
    """A transcript with alternatives."""
    return [
        [make_branch(rng, depth - 1) for _ in range(rng.randint(1, 3))]
        if depth and rng.random() < 0.4
        else rng.choice([0, 1, 2, -1])
        for _ in range(rng.randint(1, 3))
    ]


def written(branch: Branch) -> str:
    """The transcript as it is written."""
    parts = ["abc@"[part] if isinstance(part, int) else _alternatives(part) for part in branch]
    return " ".join(parts)


def _alternatives(branches: Sequence[Branch]) -> str:
    return "{ " + " / ".join(map(written, branches)) + " }"


@given(RANDOMS)
@settings(max_examples=300)
def test_alternatives(rng: Random) -> None:
    """The best of all readings of both sides, and the path is one of them."""
    ref, hyp = make_branch(rng, 2), make_branch(rng, rng.choice([0, 0, 1]))

    def cost(a: Sequence[int], b: Sequence[int]) -> int:
        gaps = [[1 if word < 0 else 3000 for word in side] for side in (a, b)]
        return align(gaps[0], gaps[1], lambda i, j: 10**9 if min(a[i], b[j]) < 0 else 0 if a[i] == b[j] else 4000)[0]

    ways = [list(readings(side)) for side in (ref, hyp)]
    if len(ways[0]) * len(ways[1]) > 300:
        return
    alignment = align_words(written(ref), written(hyp), tie=rng.choice(["sclite", "late_gap"]))
    assert alignment.cost == min(cost(a, b) for a in ways[0] for b in ways[1]) / 1000
    for side, words in enumerate(zip(*((ref, hyp) for _, ref, hyp, _, _ in alignment.rows()), strict=True)):
        taken = [word for word in words if word is not None]
        assert taken in [["abc"[word] for word in way if word >= 0] for way in ways[side]]


@given(st.data())
def test_times(data: st.DataObject) -> None:
    """By the definition: differences of times, a thousandth for other words, gaps by their length."""
    sides = []
    for _ in range(2):
        begin, rows = 0, []
        for _ in range(data.draw(st.integers(0, 7))):
            begin += data.draw(st.integers(0, 4))
            end = begin + data.draw(st.integers(0, 5))
            rows.append((data.draw(st.sampled_from("ab")), begin, end))
            begin = end
        sides.append(rows)
    ref, hyp = sides

    def pair(i: int, j: int) -> int:
        (word, begin, end), (other, from_, to) = ref[i], hyp[j]
        return 100_000 * (abs(begin - from_) + abs(end - to)) + (0 if word == other else 1000)

    gaps = [[100_000 * (end - begin) for _, begin, end in rows] for rows in sides]
    late = data.draw(st.booleans())
    cost, steps = align(gaps[0], gaps[1], pair, late_gap=late)
    timed = [[(word, begin / 10, end / 10) for word, begin, end in rows] for rows in sides]
    alignment = time_align(timed[0], timed[1], tie="late_gap" if late else "sclite")
    assert [(i, j) for _, i, j in alignment.ops] == steps
    assert alignment.cost == cost / 1_000_000


@given(RANDOMS)
@settings(max_examples=300)
def test_longest_common_subsequence(rng: Random) -> None:
    kinds, longest = rng.choice([1, 2, 5, 100, 10**6]), rng.choice([10, 150])
    a = [rng.randrange(kinds) for _ in range(rng.randint(0, longest))]
    b = spoiled(rng, a, kinds, 0.5) if rng.random() < 0.5 else [rng.randrange(kinds) for _ in range(longest)]
    assert _core.lcs_length(array("I", a), array("I", b)) == lcs(a, b)


def test_long_common_subsequences() -> None:
    """What two sides of very many words have in common, if matches are few."""
    rng = Random(1)
    common = sorted(rng.sample(range(400_000), 1000))
    a, b = (array("I", (side * 10**6 + word for word in range(400_000))) for side in (1, 2))
    for word in common:
        a[word] = b[399_999 - word] = word
    assert _core.lcs_length(a, b) == 1
    assert _core.lcs_length(a, b[::-1]) == 1000


def test_the_lattice_of_a_transcript() -> None:
    """Alternatives within alternatives."""
    transcript = parse_transcript("{ a { b / c d } / @ } e")
    assert transcript.words == ("a", "b", "c", "d", "@", "e")
    assert transcript.ways == ((0, 1), (1, 3), (1, 2), (2, 3), (0, 3), (3, 4))
    assert transcript.nulls == {4}
