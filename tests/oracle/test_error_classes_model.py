"""The model of error classes against recorded runs of the original, and by what must hold for any pair."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from oracle.error_classes import explain
from oracle.error_inputs import make_pair

RECORDED = json.loads((Path(__file__).parents[1] / "golden" / "kummerfeld.json").read_text(encoding="utf-8"))["cases"]
RAN = [pytest.param(case, id=case["id"]) for case in RECORDED if case["exit"] == 0]
CRASHED = [pytest.param(case, id=case["id"]) for case in RECORDED if case["exit"] != 0]
HEADLINES = {"lengths differ": "Sentence lengths do not match...", "not parsed": "Not parsed"}


@pytest.mark.parametrize("case", RAN)
def test_recorded(case: dict[str, Any]) -> None:
    explanation = explain(case["gold"], case["test"], original=True)
    assert HEADLINES.get(explanation.status, f"{explanation.errors} Initial errors") == case["out_headlines"][0]
    assert explanation.error_counts == case["error_counts"]
    assert [{key: value for key, value in step.items() if key != "brackets"} for step in explanation.steps] == case[
        "steps"
    ]


@pytest.mark.parametrize("case", CRASHED)
def test_where_the_original_crashed(case: dict[str, Any]) -> None:
    explanation = explain(case["gold"], case["test"])
    assert (explanation.status, explanation.errors, explanation.steps) == ("ok", 0, [])


def test_an_added_node_before_a_conjunction() -> None:
    gold = "(ROOT (NP (NP (NP (NN a)) (NN b)) (CC and) (NP (NN c))))"
    test = "(ROOT (NP (NP (NN a)) (NN b) (CC and) (NP (NN c))))"
    assert explain(gold, test).error_counts == ["1 1 Co-ordination"]
    assert explain(gold, test, original=True).error_counts == ["1 1 UNSET add"]


@pytest.mark.parametrize(
    ("gold", "test"),
    [
        ("( (S (NN a) (NN b)))", "(TOP (S (NN a) (NN b)))"),
        ("(S (NN a) (NN b))", "( (S1 (S (NN a) (NN b))))"),
        ("(ROOT (S (NN a) ('' ')))", "(ROOT (S (NN a) (POS ')))"),
        ("(ROOT (S (NN a) (POS ')))", "(ROOT (S (NN a) ('' ')))"),
        ("(ROOT (. .))", "(TOP (X (. .)))"),
    ],
    ids=["bare root", "no root", "punctuation in gold", "punctuation in test only", "nothing but punctuation"],
)
def test_what_is_no_error(gold: str, test: str) -> None:
    assert explain(gold, test).status == "ok"
    assert explain(gold, test).errors == 0


def test_different_outermost_categories_are_an_error_of_the_label() -> None:
    assert explain("(S (NN a) (NN b))", "(SINV (NN a) (NN b))").error_counts == ["1 2 Different label"]


@pytest.mark.parametrize("seed", range(60))
def test_steps_mend_all_errors(seed: int) -> None:
    gold, test = make_pair(Random(seed))
    explanation = explain(gold, test)
    if explanation.status == "ok":
        assert sum(step["brackets"] for step in explanation.steps) == explanation.errors
        assert all(step["brackets"] > 0 for step in explanation.steps)
    assert not explain(gold, gold).steps
