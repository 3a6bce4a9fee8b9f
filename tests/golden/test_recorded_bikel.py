"""Dan Bikel's comparator against what it printed; what the files are is said in bikel_comparator.json."""

from __future__ import annotations

import json
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from oracle.significance import numbers

from treescore.readers.evalb_output import EvalbRows, read_evalb_output
from treescore.render.bikel_text import as_text
from treescore.significance.bikel import comparator
from treescore.values.problem import InputError, UsageError

GOLDEN = json.loads((Path(__file__).parent / "bikel_comparator.json").read_text(encoding="utf-8"))
CASES = [pytest.param(case, id=f"{case['name']} {case['about']}") for case in GOLDEN["cases"]]
FIXED = 5  # lines before the first that depends on chance

Row = tuple[float, int]  # a rate and its weight


def text(rows: list[str]) -> str:
    return "\n".join([GOLDEN["head"], *rows, GOLDEN["foot"]])


def both(case: dict[str, Any]) -> tuple[EvalbRows, EvalbRows]:
    return read_evalb_output(text(case["a"])), read_evalb_output(text(case["b"]))


def figures(a: EvalbRows, b: EvalbRows) -> list[list[tuple[Row, Row]]]:
    """The rows of both systems for recall, and for precision."""
    sides = [[zip(it.recall, it.gold, strict=True), zip(it.precision, it.test, strict=True)] for it in (a, b)]
    return [list(zip(*rows, strict=True)) for rows in zip(*sides, strict=True)]


def mean(rows: list[Row]) -> float:
    """In this order of operations: any other would round otherwise."""
    all_weights = sum(weight for _, weight in rows)
    value = 0.0
    for rate, weight in rows:
        value += rate * (weight / all_weights)
    return value


def is_as_extreme(pairs: list[tuple[Row, Row]], swapped: tuple[int, ...]) -> bool:
    real = mean([b for _, b in pairs]) - mean([a for a, _ in pairs])
    sides = [[pair[change ^ side] for pair, change in zip(pairs, swapped, strict=True)] for side in (0, 1)]
    result = mean(sides[1]) - mean(sides[0])
    return result >= real if real >= 0 else result <= real


def test_there_are_cases() -> None:
    assert len(CASES) == 18


@pytest.mark.parametrize("case", CASES)
def test_lines(case: dict[str, Any]) -> None:
    output = comparator(*both(case), n=20)
    assert as_text(output).splitlines()[:FIXED] == case["stdout"][:FIXED]
    chance = [int(line.rpartition(" ")[2]) for line in case["stdout"] if line.startswith("\t")]
    recall, precision = (
        figure.replace(as_extreme=count, n=20_000)
        for figure, count in zip((output.recall, output.precision), chance, strict=True)
    )
    assert as_text(output.replace(recall=recall, precision=precision)).splitlines() == case["stdout"]


@pytest.mark.parametrize("case", CASES)
def test_chances(case: dict[str, Any]) -> None:
    """All ways to swap rows: recorded counts, and those found here, must be drawn from them."""
    a, b = both(case)
    ways = list(product((0, 1), repeat=len(a)))
    output = comparator(a, b, n=20_000, seed=3)
    recorded = [int(line.rpartition(" ")[2]) for line in case["stdout"] if line.startswith("\t")]
    for pairs, own, count in zip(figures(a, b), (output.recall, output.precision), recorded, strict=True):
        chance = sum(is_as_extreme(pairs, way) for way in ways) / len(ways)
        for drawn in (own.as_extreme, count):
            assert abs(drawn / 20_000 - chance) <= 3.5 * sqrt(chance * (1 - chance) / 20_000)


def test_ties_are_missed_as_the_comparator_misses_them() -> None:
    """Differences that are equal to the real one but for rounding: an exact sum would find a p of 0.1875."""
    (case,) = (case for case in GOLDEN["cases"] if case["name"] == "c19")
    recall = comparator(*both(case)).recall
    assert recall.p == pytest.approx(0.125, abs=0.012)


def test_what_is_drawn() -> None:
    """Shuffle i takes its bits from the generator that begins at number i + 1 of the one that begins at the seed."""
    sentences = range(1, 151)
    rows = [
        [f"{i} 9 0 {(7 * i * k) % 101} {(11 * i * k) % 97}.5 1 {i % 5} {(i * k) % 7} 0 9 9 100" for i in sentences]
        for k in (1, 2)
    ]
    a, b = (read_evalb_output("\n".join(side)) for side in rows)
    output = comparator(a, b, n=40, seed=0)
    starts = numbers(0)
    shuffles = []
    for _ in range(40):
        words = numbers(next(starts))
        bits = [next(words) for _ in range(3)]
        shuffles.append(tuple(bits[row // 64] >> row % 64 & 1 for row in range(150)))
    for pairs, own in zip(figures(a, b), (output.recall, output.precision), strict=True):
        assert own.as_extreme == sum(is_as_extreme(pairs, shuffle) for shuffle in shuffles)
        assert (own.a, own.b) == (mean([a for a, _ in pairs]), mean([b for _, b in pairs]))
    assert comparator(a, b, n=40, seed=0, threads=3) == output
    assert 0 < output.recall.as_extreme < 40


ROW = "{} {} 0 50.00 50.00 1 2 {} 0 9 9 100.00\n"


def test_long_sentences_are_left_out_on_demand() -> None:
    a = "".join(ROW.format(i, length, 2) for i, length in enumerate((40, 41, 3), 1))
    rows = read_evalb_output(a)
    assert comparator(rows, rows, n=9).rows == 3
    assert comparator(rows, rows, n=9, max_words=40).rows == 2
    with pytest.raises(InputError, match="all sentences have more than 2 words"):
        comparator(rows, rows, max_words=2)


def test_shuffles_without_brackets_are_counted() -> None:
    a, b = (read_evalb_output("".join(ROW.format(i, 9, n) for i, n in enumerate(ns, 1))) for ns in ((0, 2), (2, 0)))
    output = comparator(a, b, n=1000)
    assert 400 < output.precision.undefined < 600
    assert output.precision.as_extreme == 1000
    assert output.recall.undefined == 0


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (ROW.format(1, 9, 2), ROW.format(1, 9, 2) + ROW.format(2, 9, 2), "1 row in <text> but 2 in <text>"),
        (ROW.format(1, 9, 2), ROW.format(2, 9, 2), "row 1 is sentence 1 in <text> but 2"),
        (ROW.format(1, 9, 2), ROW.format(1, 9, 0), "no test brackets, so precision is undefined"),
        (ROW.format(1, 9, 2), "(S (NN a))\n", "there is no row of EVALB's output in it"),
        (ROW.format(1, 9, 2), ROW.format(1, 9, "9" * 40), "a number in this row has more than 9 digits"),
        (ROW.format(1, 9, 2), ROW.format(1, 9, 10**9), "<text>:1: a number in this row has more than 9 digits"),
        (ROW.format(1, 9, 2), ROW.format(1, 9, "-2"), "there is no row of EVALB's output in it"),
    ],
)
def test_unusable_rows(a: str, b: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        comparator(read_evalb_output(a), read_evalb_output(b))


def test_unusable_options() -> None:
    rows = read_evalb_output(ROW.format(1, 9, 2))
    with pytest.raises(UsageError, match="the number of shuffles must be a whole number from 1, not 0"):
        comparator(rows, rows, n=0)
    with pytest.raises(UsageError, match="seed must be"):
        comparator(rows, rows, seed=-1)
