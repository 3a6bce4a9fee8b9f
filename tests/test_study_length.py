"""The study of length: its numbers by their definitions, its settings, what it says."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean

import pytest
from command import treescore_inside

import treescore
from treescore.problem import UsageError
from treescore.studies import length
from treescore.studies.data import treebank

SAME = "(S (NP (NN a)) (VP (VB b)))"
OTHER = "(S (X (NN a)) (VP (VB b)))"


@pytest.mark.parametrize(
    ("metric", "title", "figure"), [("parseval", "Labelled F1", "f1"), ("struct_iou", "STRUCT-IOU", "corpus")]
)
def test_numbers_by_their_definitions(metric: str, title: str, figure: str) -> None:
    gold, systems = treebank()
    study = length.study(gold, systems["shallow"], metric, step=11)
    rows = study.table(title).records()
    assert [row["at most words"] for row in rows] == [11, 22, 33, 44]
    for row in rows:
        short = [place for place in range(len(gold)) if len(gold.words(place)) <= row["at most words"]]
        report = treescore.evaluate(gold.select(short), systems["shallow"].select(short), metric)
        scores = [score for score in report.rows()[report.metrics[0].row_figure] if score is not None]
        assert row["sentences"] == len(short)
        assert row["corpus level"] == pytest.approx(report.scores[0].figures[figure].value)
        assert row["mean of sentences"] == pytest.approx(fmean(scores))
        assert row["difference"] == row["corpus level"] - row["mean of sentences"]
    detail = study.table(f"{title}, more lengths").records()
    assert len(detail) > len(rows) and detail[-1] == rows[-1]


def test_says_what_the_tables_have() -> None:
    study = length.study(metrics="parseval")
    last = study.table("Labelled F1").records()[-1]
    assert f"is {100 * last['corpus level']:.2f} on corpus level" in study.says
    assert study.says.endswith("So long sentences score lower here, and they weigh more on corpus level.")


def test_long_sentences_that_are_better() -> None:
    long = "(S (NP (NN a)) (VP (VB b) (NP (DT c) (NN d) (NN e) (NN f))))"
    study = length.study([SAME, long], [OTHER, long], "parseval|profile:none", step=2)
    rows = study.table("Labelled F1").records()
    assert [row["at most words"] for row in rows] == [2, 6]
    assert rows[-1]["corpus level"] > rows[-1]["mean of sentences"] and "So long" not in study.says


def test_undefined() -> None:
    study = length.study(SAME, SAME, "functions")
    assert study.says == "Function F1 has no value on either level."
    assert study.table("Function F1").column("difference") == [None]
    assert study.figure().axes


@pytest.mark.parametrize(
    ("longest", "step"), [(0, 5), (60, 5), (61, 10), (240, 20), (241, 50), (5000, 500), (10**6, 10**5)]
)
def test_about_a_dozen_rows(longest: int, step: int) -> None:
    assert length._round_step(longest) == step


def test_wrong_use() -> None:
    with pytest.raises(UsageError, match="one system"):
        length.study(SAME, {"A": SAME, "B": SAME})
    with pytest.raises(UsageError, match="between two rows"):
        length.study(step=0)
    with pytest.raises(UsageError, match="both gold and test"):
        length.study(SAME)


def test_command(tmp_path: Path) -> None:
    (tmp_path / "gold.mrg").write_text(f"{SAME}\n{SAME}\n", encoding="utf-8")
    (tmp_path / "parsed.mrg").write_text(f"{SAME}\n()\n", encoding="utf-8")
    files = ["--gold", "gold.mrg", "--test", "parsed.mrg"]
    out, _ = treescore_inside(tmp_path, "study", "length", *files, "-m", "struct_iou", "--step", "4", "-f", "json")
    study = json.loads(out)
    assert [row["at most words"] for row in study["tables"]["STRUCT-IOU"]] == [4]
    assert study["settings"]["data"] == "gold.mrg (2 sentences); parsed.mrg"
    assert [problem["code"] for problem in study["problems"]] == ["unparsed"]
    treescore_inside(tmp_path, "study", "length", *files, "--strict", code=1)
