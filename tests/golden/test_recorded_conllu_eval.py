"""CoNLL-U files against recorded output of the original evaluation, and dependencies of trees against disco-dop's."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

import treescore
from treescore import heads
from treescore.metrics.conllu_eval import ConlluEval
from treescore.metrics.dependencies import Dependencies

FOLDER = Path(__file__).parent
with lzma.open(FOLDER / "conllu_eval.json.xz", "rt", encoding="utf-8") as _file:
    RECORDED = json.load(_file)["cases"]
TREES = json.loads((FOLDER / "head_dependencies.json").read_text(encoding="utf-8"))

TABLES = {"-v": "conll-rates", "-c": "conll-counts", "": "conll"}


def ids(case: dict[str, Any]) -> str:
    return f"{case['id']}-{case['about']}"


@pytest.mark.parametrize("case", [case for case in RECORDED if "error" not in case], ids=ids)
def test_tables(case: dict[str, Any]) -> None:
    metric = ConlluEval(enhanced="--no-enhanced" not in case["options"])
    report = treescore.conllu_eval(case["gold"], case["test"], metric=metric, on_error="raise")
    for option, form in TABLES.items():
        if option in case:
            assert report.to(form).rstrip() == case[option]


@pytest.mark.parametrize("case", [case for case in RECORDED if "error" in case], ids=ids)
def test_errors(case: dict[str, Any]) -> None:
    """Where the original stops, we stop if asked to, and say at least as much."""
    with pytest.raises(treescore.InputError) as caught:
        treescore.conllu_eval(case["gold"], case["test"], on_error="raise")
    problem = caught.value.problem
    if "concatenation" in case["error"]:
        quoted = case["error"].split("'")
        assert problem.code == "texts"
        assert repr(quoted[1]) in problem.message
        assert repr(quoted[3]) in problem.message
    else:
        assert "multiple roots" in case["error"]
        assert problem.code == "roots"
        report = treescore.conllu_eval(case["gold"], case["test"])
        assert [item.code for item in report.problems] == ["roots"]


@pytest.mark.parametrize("case", TREES["heads"], ids=lambda case: case["id"])
def test_heads(case: dict[str, Any]) -> None:
    """In both ways to get them: from a tree, and as the metric sees a treebank."""
    bank = treescore.read(case["tree"])
    items = [0 if head is None else head + 1 for _, head, _, _ in heads.dependencies(bank[0], "collins")]
    assert items == Dependencies(heads="collins").heads_of(bank, 0) == case["heads"]


@pytest.mark.parametrize("case", TREES["pairs"], ids=lambda case: case["id"])
def test_attachment(case: dict[str, Any]) -> None:
    report = treescore.evaluate(case["gold"], case["test"], "dependencies|text:exact")
    total = report.scores[0].counts.total()
    if "error" in case:
        assert report.problem_counts() == {"characters": 1}
        assert treescore.evaluate(case["gold"], case["test"], "dependencies")["dependencies"].value == 1.0
        return
    assert report.problems == []
    assert [total["tokens"], total["gold"], total["test"]] == case["Tokens"] == case["Words"]
    assert [total["uas"], total["gold"], total["test"]] == case["UAS"]


def test_an_overlapping_head_is_found() -> None:
    """Words of x01 hang on `ca` in gold and on `can't` in test."""
    case = TREES["pairs"][0]
    total = treescore.evaluate(case["gold"], case["test"], "dependencies").scores[0].counts.total()
    assert (total["uas"], total["uas_overlap"], total["las_overlap"], total["tokens"]) == (0, 2, 2, 2)


def test_the_file_holds_what_it_should() -> None:
    assert len(RECORDED) == 63
    assert sum("error" in case for case in RECORDED) == 2
    assert sum("" in case for case in RECORDED) == 40
