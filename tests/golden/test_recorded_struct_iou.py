"""Struct-IoU against recorded optima and against the recorded answers of the published implementation.

The recorded file holds, for each case, two trees with their word times, `flexible` (terminals) and `threshold`, and

*  `opt`, `alignment`, `n_optimal`: the exact optimum of Problem 11 as a fraction, one alignment that reaches it, and
   how many do; found by exhaustive search in rational numbers and checked by an integer linear programme;
*  `ref_score`, `ref_alignment`: what structiou 0.1 (github.com/ExplorerFreda/struct-iou) gave, with the options
   `flexible_terminal_alignment` and `threshold` of the case; `ref_agrees` tells whether that is the optimum.

The kinds `readme` and `reftest2` to `reftest4` are the example of structiou's README and its own tests; all other input
is ours.
"""

from __future__ import annotations

import json
import lzma
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from oracle.struct_iou import Rules, is_alignment, tree_of, weights_of, worth

import treescore

COMPAT = "struct-iou-0.1"
RECORDED = json.loads(lzma.decompress((Path(__file__).parent / "struct_iou.json.xz").read_bytes()))["cases"]
BY_KIND = {case["kind"]: case for case in RECORDED}
CASES = [pytest.param(case, id=f"{case['id']}-{case['kind']}") for case in RECORDED]


def in_seconds(tree: list[Any]) -> list[Any]:
    """The tree with its times, recorded as decimals, in floats."""
    if len(tree) == 3:
        return [tree[0], float(tree[1]), float(tree[2])]
    return [tree[0], [in_seconds(child) for child in tree[1]]]


def struct_iou(case: dict[str, Any], compat: str | None = None) -> treescore.MappedTrees:
    """The case by treescore."""
    return treescore.struct_iou(
        in_seconds(case["t1"]),
        in_seconds(case["t2"]),
        terminals="flexible" if case["flexible"] else "strict",
        threshold=float(case["threshold"]),
        compat=compat,
    )


@pytest.mark.parametrize("case", CASES)
def test_optimum(case: dict[str, Any]) -> None:
    result = struct_iou(case)
    assert (result.gold_nodes, result.test_nodes) == (case["n1"], case["n2"])
    best = Fraction(*case["opt"])
    assert result.score == pytest.approx(float(2 * best / (case["n1"] + case["n2"])), abs=1e-9)

    gold, test = tree_of(case["t1"]), tree_of(case["t2"])
    rules = Rules(terminals="flexible" if case["flexible"] else "strict", threshold=Fraction(case["threshold"]))
    weights = weights_of(gold, test, rules)
    pairs = [(u, v) for u, v, _ in result.mapping]
    assert pairs == sorted(pairs)
    assert is_alignment(gold, test, weights, pairs)
    # A tie between sums of fractions may be decided by rounding, so not quite the optimum is right as well.
    assert 0 <= best - worth(weights, pairs) < 1e-9
    for u, v, iou in result.mapping:
        assert iou == pytest.approx(float(weights[u, v]), abs=1e-9)
    if case["n_optimal"] == 1:
        assert pairs == [tuple(pair) for pair in case["alignment"]]


@pytest.mark.parametrize("case", CASES)
def test_published_score(case: dict[str, Any]) -> None:
    result = struct_iou(case, compat=COMPAT)
    assert result.score == pytest.approx(case["ref_score"], abs=1e-9)
    if case["n_optimal"] == 1:
        assert [[u, v] for u, v, _ in result.mapping] == case["ref_alignment"]
    if case["ref_agrees"]:
        assert result.score == pytest.approx(struct_iou(case).score, abs=1e-9)


@pytest.mark.parametrize(
    ("kind", "score"), [("readme", 0.6073), ("reftest2", 0.5573), ("reftest3", 0.6073), ("reftest4", 0.5573)]
)
def test_published_examples(kind: str, score: float) -> None:
    """The README's example and the published tests, with and without compat."""
    case = BY_KIND[kind]
    assert case["ref_score"] == pytest.approx(score, abs=5e-5)
    for compat in (None, COMPAT):
        assert struct_iou(case, compat).score == pytest.approx(score, abs=5e-5)


@pytest.mark.parametrize(
    ("gold", "test", "threshold", "published", "exact"),
    [
        pytest.param((0, 1), (0.9999995, 2), 0, 0.0, 2.5e-7, id="little in common"),
        pytest.param((0.41, 0.53), (0.47, 0.53), 0.5, 0.5, 0.0, id="at the threshold"),
        pytest.param((0.0, 0.12), (0.06, 0.12), 0.5, 0.0, 0.0, id="at the threshold, shifted"),
    ],
)
def test_published_differences(
    gold: tuple[float, float], test: tuple[float, float], threshold: float, published: float, exact: float
) -> None:
    """One word against one: where structiou 0.1 was seen to give another score than the definitions."""
    trees = ["X", *gold], ["X", *test]
    result = treescore.struct_iou(*trees, terminals="strict", threshold=threshold, compat=COMPAT)
    assert result.score == pytest.approx(published, abs=1e-9)
    assert treescore.struct_iou(*trees, terminals="strict", threshold=threshold).score == pytest.approx(exact, abs=1e-9)


def test_the_file_holds_what_it_should() -> None:
    """Ties at a threshold, other answers of the published implementation, and both kinds of terminals are there."""
    assert len(RECORDED) == 301
    assert sum(case["threshold_tie"] for case in RECORDED) == 15
    assert sum(not case["ref_agrees"] for case in RECORDED) == 2
    assert sum(case["n_optimal"] == 1 for case in RECORDED) == 185
    assert {case["flexible"] for case in RECORDED} == {True, False}
