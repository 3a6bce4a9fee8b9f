"""The module for Hugging Face's evaluate, loaded by the real library without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nltk
import pytest
from integrations.needed import needed

import treescore
from treescore.integrations import huggingface

evaluate = needed("evaluate")

GOLD = "(S (NP (NN a)) (VP (VB b)))"
TEST = "(S (NP (NN a)) (NP (VB b)))"


@pytest.fixture
def module(alone: None) -> Any:
    """As `evaluate.load` gives it."""
    return evaluate.load(huggingface.path())


def test_the_same_as_treescore(module: Any) -> None:
    scores = module.compute(predictions=[TEST, GOLD], references=[GOLD, GOLD])
    score = treescore.evaluate([GOLD, GOLD], [TEST, GOLD])["parseval"]
    assert scores == {
        **score.parts,
        "coverage": 1.0,
        "failed": 0,
        "signature": score.signature,
        "pairs": 2,
        "problems": 0,
    }
    assert module.name == "parse_score"
    assert "black-etal-1991-procedure" in module.citation
    assert "signature" in module.inputs_description


def test_other_metrics(module: Any) -> None:
    scores = module.compute(predictions=[TEST], references=[GOLD], metric="struct_iou", threads=1)
    assert scores["corpus"] == treescore.evaluate([GOLD], [TEST], "struct_iou")["struct_iou"].value
    with pytest.raises(treescore.UsageError, match="there is no metric 'nonsense'"):
        module.compute(predictions=[TEST], references=[GOLD], metric="nonsense")
    with pytest.raises(treescore.UsageError, match="only one metric is possible, not parseval, struct_iou"):
        module.compute(predictions=[TEST], references=[GOLD], metric=["parseval", "struct_iou"])


def test_batch_by_batch(module: Any) -> None:
    module.add(prediction=TEST, reference=GOLD)
    module.add_batch(predictions=[GOLD, None], references=[GOLD, GOLD])
    with pytest.warns(UserWarning, match="1 of 3 sentences failed"):
        scores = module.compute()
    assert scores["recall_all"] == 5 / 9
    assert (scores["pairs"], scores["failed"], scores["problems"], scores["coverage"]) == (3, 1, 1, 2 / 3)


def test_trees_and_missing_ones(module: Any) -> None:
    scores = module.compute(predictions=[nltk.Tree.fromstring(TEST), None], references=[GOLD, GOLD])
    assert (scores["f1"], scores["problems"]) == (2 / 3, 1)


def test_nothing_but_rubbish_is_no_error(module: Any) -> None:
    """A model that has just begun to learn."""
    scores = module.compute(predictions=["(S", "we"], references=[GOLD, GOLD])
    assert (scores["f1"], scores["problems"]) == (None, 2)


def test_load(alone: None, tmp_path: Path) -> None:
    module = huggingface.load(cache_dir=str(tmp_path / "elsewhere"))
    assert module.compute(predictions=[GOLD], references=[GOLD])["f1"] == 1.0
    assert (tmp_path / "elsewhere").exists()
