"""Leaf-ancestor scores against recorded ones; what they are is said in leaf_ancestor.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import treescore
from treescore.metrics.leaf_ancestor import LeafAncestor
from treescore.place.pair import Pair

GOLDEN = json.loads((Path(__file__).parent / "leaf_ancestor.json").read_text(encoding="utf-8"))
CASES = [pytest.param(case, id=case["id"]) for case in GOLDEN["cases"]]
PRINTED = [pytest.param(case, id=f"{case['id']} {case['note']}") for case in GOLDEN["discodop"]]


def test_there_are_cases() -> None:
    assert (len(CASES), len(PRINTED)) == (20, 16)
    assert {case["format"] for case in GOLDEN["discodop"]} == {"bracket", "discbracket", "export"}


@pytest.mark.parametrize(
    ("figure", "variant", "costs"),
    [
        ("discodop", "discodop", None),
        ("spmrl", "spmrl", None),
        ("spmrl_workshop", "spmrl", "workshop"),
        ("spmrl_simple", "spmrl", "unit"),
        ("plain", "plain", None),
    ],
)
@pytest.mark.parametrize("case", CASES)
def test_sentence(case: dict[str, Any], figure: str, variant: str, costs: str | None) -> None:
    deleted = [] if variant == "plain" else ["ROOT"]
    result = treescore.leaf_ancestor(case["gold"], case["test"], variant=variant, costs=costs, delete=deleted)
    assert result.score == pytest.approx(case[figure], abs=1e-6)
    if f"{figure}_paths" in case:
        assert [" ".join(word[1]) for word in result.words] == case[f"{figure}_paths"]


@pytest.mark.parametrize("case", PRINTED)
def test_discodop(case: dict[str, Any]) -> None:
    """The parameter file, but for what we have no option for or have another meaning for."""
    prm = case["prm"].replace("LABELED 0", "LABELED 1")  # does not reach its leaf-ancestor score
    prm = prm.replace("DELETE_WORD uh", "DELETE_LABEL UH")  # all words with this tag, and no others
    metric = LeafAncestor(prm=prm.encode(), variant="discodop", delete_by="gold")
    gold, test = (treescore.read(case[side].rstrip("\n") + "\n") for side in ("gold", "test"))
    score = metric.score(metric.counts(Pair(gold, test)))
    assert round(100 * (score.value or 0), 2) == case["printed"]
