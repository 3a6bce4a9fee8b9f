"""Alignment of trees against cases restated from the paper; no program was published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from oracle.tree_alignment import align

import treescore
from treescore.analysis.phrase_matching import MODES

RECORDED = json.loads((Path(__file__).parent / "calder.json").read_text(encoding="utf-8"))
CASES = [pytest.param(case, id=case["id"]) for case in RECORDED["cases"]]
COUNTS = {
    "words_left": "terminals_left",
    "words_right": "terminals_right",
    "aligned_words": "terminals_aligned",
    "phrases_left": "subtrees_left",
    "phrases_right": "subtrees_right",
}


def shown(label: str, start: int, end: int) -> str:
    return f"{label}[{start},{end})"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", CASES)
def test_cases(case: dict[str, Any], mode: str) -> None:
    matching = treescore.align_trees(case["left"], case["right"], mode)
    pairs = [[shown(side.label, side.start, side.end) for side in (pair.left, pair.right)] for pair in matching.pairs()]
    assert sorted(pairs) == sorted(case[f"pairs_{mode}"])
    assert len(pairs) == matching.counts["pairs"]
    assert {name: matching.counts[name] for name in COUNTS} == {name: case[there] for name, there in COUNTS.items()}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", CASES)
def test_the_model(case: dict[str, Any], mode: str) -> None:
    result = align(case["left"], case["right"], mode)
    pairs = [[shown(*phrase[1]) for phrase in pair] for pair in result.pairs]
    assert sorted(pairs) == sorted(case[f"pairs_{mode}"])
