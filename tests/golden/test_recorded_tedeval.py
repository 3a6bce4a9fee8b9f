"""TEDEVAL and Emms' tree distance against recorded distances; the file names their source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import treescore
from treescore.place.pair import Pair

RECORDED = json.loads((Path(__file__).parent / "tedeval.json").read_text(encoding="utf-8"))["cases"]
CASES = [pytest.param(case, id=case["id"]) for case in RECORDED]


@pytest.mark.parametrize("labelled", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_sizes_distances_and_scores(case: dict[str, Any], labelled: bool) -> None:
    gold, test = case["gold"], case["test"]
    plain = treescore.tedeval(gold, test, labels=labelled)
    emms = treescore.tedeval(gold, test, labels=labelled, rename_cost=1, roots="counted")
    assert plain.score is not None
    assert emms.score is not None
    items = [plain.gold_nodes, plain.test_nodes, plain.distance, emms.distance, plain.score, emms.score]
    assert items == pytest.approx(case["labelled" if labelled else "unlabelled"], abs=1e-6)


@pytest.mark.parametrize("labelled", [True, False])
def test_the_metric_agrees(labelled: bool) -> None:
    metric = treescore.metric(f"tedeval|labels:{'yes' if labelled else 'no'}")
    gold, test = (treescore.read([case[side] for case in RECORDED]) for side in ("gold", "test"))
    recorded = [case["labelled" if labelled else "unlabelled"] for case in RECORDED]
    score = metric.score(metric.counts(Pair(gold, test)))
    most = sum(gold_nodes + test_nodes - 2 for gold_nodes, test_nodes, *_ in recorded)
    assert score.parts["corpus"] == pytest.approx(1 - sum(case[2] for case in recorded) / most)
    assert score.parts["sentence"] == pytest.approx(sum(case[4] for case in recorded) / len(recorded), abs=1e-6)
    assert score.parts["exact"] == pytest.approx(sum(case[2] == 0 for case in recorded) / len(recorded))
