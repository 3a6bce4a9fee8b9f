"""The analysis of variance against scipy, against projections, and against recorded output of statsmodels."""

from __future__ import annotations

import json
from itertools import combinations, product
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from oracle import variance as oracle
from scipy import stats

import treescore
from treescore.significance.variance import one_way, repeated_measures

RECORDED = json.loads((Path(__file__).parents[1] / "golden" / "repeated_measures.json").read_text(encoding="utf-8"))


@settings(max_examples=30)
@given(
    st.lists(st.lists(st.floats(-10, 10).map(lambda x: round(x, 3)), min_size=1, max_size=6), min_size=2, max_size=5)
)
def test_groups(groups: list[list[float]]) -> None:
    [effect] = one_way({str(number): group for number, group in enumerate(groups)}).effects
    values = [value for group in groups for value in group]
    assert effect.freedom == len(groups) - 1 and effect.error_freedom == len(values) - len(groups)
    mean = sum(values) / len(values)
    whole = sum((value - mean) ** 2 for value in values)
    assert effect.squares + effect.error_squares == pytest.approx(whole, abs=1e-9)
    if effect.f and effect.error_squares > 1e-6 and effect.squares > 1e-6:  # scipy's F may be below 0 by rounding
        f, p = stats.f_oneway(*groups)
        assert effect.f == pytest.approx(f, rel=1e-6, abs=1e-9) and effect.p == pytest.approx(p, rel=1e-6)
        assert effect.eta == pytest.approx(effect.squares / whole)


@settings(max_examples=25)
@given(st.lists(st.integers(2, 3), min_size=1, max_size=3), st.integers(2, 5), st.integers(0, 1 << 32))
def test_units_under_all_conditions(levels: list[int], units: int, seed: int) -> None:
    rng = Random(seed)
    factors = [f"factor {number}" for number in range(len(levels))]
    keys = list(product(*([str(level) for level in range(count)] for count in levels)))
    table = [[rng.gauss(0, 1) + unit for _ in keys] for unit in range(units)]
    analysis = repeated_measures(dict(zip(keys, zip(*table, strict=True), strict=True)), factors)
    values, shape = [value for row in table for value in row], [units, *levels]
    assert (analysis.n, analysis.undefined) == (units, 0)
    sets = [axes for size in range(1, len(shape)) for axes in combinations(range(1, len(shape)), size)]
    assert [effect.name for effect in analysis.effects] == [
        " × ".join(factors[axis - 1] for axis in axes) for axes in sets
    ]
    for effect, axes in zip(analysis.effects, sets, strict=True):
        assert effect.squares == pytest.approx(oracle.squares(values, shape, axes), rel=1e-9)
        assert effect.error_squares == pytest.approx(oracle.squares(values, shape, [0, *axes]), rel=1e-9)
        f = effect.squares / effect.freedom / (effect.error_squares / effect.error_freedom)
        assert effect.f == pytest.approx(f) and effect.p == pytest.approx(
            stats.f.sf(f, effect.freedom, effect.error_freedom)
        )
        assert effect.eta == pytest.approx(effect.squares / (effect.squares + effect.error_squares))
        epsilon = oracle.epsilon(values, shape, axes)
        assert effect.epsilon == pytest.approx(epsilon) and 1 / effect.freedom - 1e-9 <= epsilon <= 1 + 1e-9
        corrected = stats.f.sf(f, effect.freedom * epsilon, effect.error_freedom * epsilon)
        assert effect.corrected == pytest.approx(corrected)


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: case["id"])
def test_as_statsmodels(case: dict[str, Any]) -> None:
    cells = {tuple(cell["levels"]): cell["values"] for cell in case["cells"]}
    analysis = repeated_measures(cells, case["factors"])
    assert len(analysis.effects) == len(case["effects"])
    for recorded in case["effects"]:
        effect = analysis.effect(*recorded["factors"])
        assert (effect.freedom, effect.error_freedom) == tuple(recorded["freedom"])
        assert effect.f == pytest.approx(recorded["f"], rel=1e-8) and effect.p == pytest.approx(recorded["p"], rel=1e-8)


def test_two_conditions_are_a_paired_t_test() -> None:
    first, second = [0.9, 0.8, 0.85, 0.7, 0.95], [0.85, 0.81, 0.8, 0.6, 0.9]
    [effect] = repeated_measures({("a",): first, ("b",): second}, ["system"]).effects
    t, p = stats.ttest_rel(first, second)
    assert effect.f == pytest.approx(t * t) and effect.p == pytest.approx(p)
    assert effect.epsilon == 1 and effect.corrected == effect.p


def test_units_without_a_value_are_left_out_and_counted() -> None:
    cells: dict[tuple[str, ...], list[float | None]] = {("a",): [0.5, None, 0.7, 0.9], ("b",): [0.4, 0.1, 0.3, 0.9]}
    analysis = repeated_measures(cells, ["x"])
    assert (analysis.n, analysis.undefined) == (3, 1)
    assert analysis.effects == repeated_measures({("a",): [0.5, 0.7, 0.9], ("b",): [0.4, 0.3, 0.9]}, ["x"]).effects
    grouped = one_way({"a": [1, None, 2], "b": [3, 5], "c": [None]})
    assert (grouped.n, grouped.undefined, grouped.effects[0].freedom) == (4, 2, 1)


def test_what_does_not_vary() -> None:
    """Equal differences leave no doubt, and no difference no question; neither is spoilt by rounding."""
    [sure] = repeated_measures({("a",): [0.5, 0.75, 1.0], ("b",): [0.25, 0.5, 0.75]}, ["x"]).effects
    assert (sure.f, sure.p, sure.eta, sure.error_squares) == (inf, 0, 1, 0)
    [same] = repeated_measures({("a",): [0.1, 0.2, 0.3], ("b",): [0.1, 0.2, 0.3]}, ["x"]).effects
    assert (same.f, same.p, same.eta, same.squares) == (None, None, None, 0)
    [first] = repeated_measures({("a",): [0.1], ("b",): [0.2]}, ["x"]).effects
    assert (first.f, first.p, first.error_freedom) == (None, None, 0)
    none = repeated_measures({("a",): [None], ("b",): [0.2]}, ["x"])
    assert (none.n, none.undefined, none.effects[0].f, none.effects[0].squares) == (0, 1, None, 0)
    [single] = one_way({"a": [1.0], "b": [2.0]}).effects
    assert (single.f, single.p, single.eta) == (None, None, 1)


@pytest.mark.parametrize(
    ("cells", "factors", "message"),
    [
        ({("a",): [1], ("b",): [1, 2]}, ["x"], "one value for each unit"),
        ({("a",): [1]}, ["x"], "x needs at least two levels"),
        ({}, ["x"], "x needs at least two levels"),
        ({("a", "c"): [1], ("a", "d"): [1], ("b", "c"): [1]}, ["x", "y"], r"no values for \('b', 'd'\)"),
        (
            {("a", "c"): [1], ("b",): [1], ("b", "d"): [2]},
            ["x", "y"],
            r"\('b',\) does not have a level for each of x, y",
        ),
        ({("a", "c"): [1], ("b", "c"): [1]}, ["x"], r"\('a', 'c'\) does not have a level"),
        ({("a", "c"): [1], ("b", "c"): [1]}, ["x", "x"], "a different name"),
        ({("a",): [1], ("b",): [1]}, [], "a different name"),
        ({("a",): [1.0, float("nan")], ("b",): [1, 2]}, ["x"], "finite numbers, not nan"),
    ],
    ids=str,
)
def test_designs_that_cannot_be_analysed(cells: Any, factors: list[str], message: str) -> None:
    with pytest.raises(treescore.UsageError, match=message):
        repeated_measures(cells, factors)


def test_effects_and_groups_that_are_not_there() -> None:
    analysis = repeated_measures({("a",): [1, 2], ("b",): [1, 3]}, ["x"])
    with pytest.raises(treescore.UsageError, match="no effect 'x × y'; known: x"):
        analysis.effect("x", "y")
    with pytest.raises(treescore.UsageError, match="side needs values in at least two groups"):
        one_way({"a": [1, 2], "b": [None]}, factor="side")
