"""The study of length: its numbers by their definitions, its settings, its findings."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean

import pytest
from command import treescore_inside

import treescore
from treescore.studies import length
from treescore.studies.examples import treebank
from treescore.values.problem import UsageError

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
        assert row["sentences"] == row["scored"] == len(short)
        assert row["corpus level"] == pytest.approx(report.scores[0].figures[figure].value)
        assert row["mean of sentences"] == pytest.approx(fmean(scores))
        assert row["difference"] == row["corpus level"] - row["mean of sentences"]
    detail = study.table(f"{title}, more lengths").records()
    assert len(detail) > len(rows) and detail[-1] == rows[-1]


def test_findings_agree_with_the_tables() -> None:
    study = length.study(metrics="parseval")
    last = study.table("Labelled F1").records()[-1]
    assert f"is {100 * last['corpus level']:.2f} at corpus level" in study.findings
    assert study.findings.endswith("Long sentences therefore score lower, and they weigh more at corpus level.")


def test_long_sentences_that_are_better() -> None:
    long = "(S (NP (NN a)) (VP (VB b) (NP (DT c) (NN d) (NN e) (NN f))))"
    study = length.study([SAME, long], [OTHER, long], "parseval|profile:none", step=2)
    rows = study.table("Labelled F1").records()
    assert [row["at most words"] for row in rows] == [2, 6]
    assert (
        rows[-1]["corpus level"] > rows[-1]["mean of sentences"]
        and "Long sentences therefore score higher" in study.findings
    )


def test_sentences_without_a_score_are_not_counted_as_scored() -> None:
    long = "(S (NP (NN a)) (VP (VB b) (NP (DT c) (NN d))))"
    study = length.study([SAME, long, OTHER], [SAME, long.replace("(NN d)", "(NN d) (NN e)"), OTHER], step=2)
    assert study.table("Labelled F1").column("scored") == [2, 2]
    assert study.table("Labelled F1").column("sentences") == [2, 3]
    assert "Labelled F1 of the 2 of 3 sentences that have a score is 100.00 at corpus level" in study.findings
    first = length.study([SAME, SAME], [SAME, "()"], "parseval").findings
    assert "of the 1 of 2 sentences that has a score" in first
    assert "of the only sentence is" in length.study(SAME, SAME, "parseval").findings


def test_lengths_are_those_of_gold_trees_for_all_metrics() -> None:
    gapped = "(S (NP (NN 0=a) (NN 2=c)) (VP (VB 1=b) (NP (NN 3=d) (NN 4=e) (NN 5=f))))"
    traced = "(S (NP (-NONE- *)) (NP (NN 0=a)) (VP (VB 1=b)))"
    study = length.study([gapped, traced], [gapped, traced], ["parseval", "struct_iou", "leaf_ancestor"], step=2)
    tables = [table for table in study.tables if not table.detail]
    assert [table.column("at most words") for table in tables] == [[2, 6]] * 3
    assert [table.column("sentences") for table in tables] == [[1, 2]] * 3
    assert tables[1].column("scored")[-1] < 2  # STRUCT-IOU has no intervals for phrases with gaps


def test_noise_is_no_finding() -> None:
    """Thirds add up to what is not exactly their mean."""
    gold = ["(S (NP (NN a)) (VP (VB b)))"] * 3 + ["(S (NP (NN a)) (VP (VB b) (NN c) (NN d)))"] * 3
    study = length.study(
        gold, [tree.replace("NP", "X") for tree in gold], ["parseval|profile:none", "struct_iou"], step=2
    )
    assert study.table("Labelled F1").column("difference") == [0.0, 0.0]
    assert "-0.00" not in str(study) and "0.00 points" not in study.findings and "Long sentences" not in study.findings
    assert "as the mean of sentences, the same." in study.findings


def test_undefined() -> None:
    study = length.study(SAME, SAME, "functions")
    assert study.findings == "Function F1 is undefined at both levels."
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
    with pytest.raises(UsageError, match="no metric"):
        length.study(metrics=[])


def test_figure_says_what_it_shows() -> None:
    figure = length.study(metrics="parseval").figure()
    [axes] = figure.axes
    assert axes.get_title() == "Labelled F1 of middling by maximal length" and axes.get_ylabel() == "Labelled F1 (%)"
    assert length.study().figure().axes[0].get_ylabel() == "score (%)"


def test_trees_from_python_have_names() -> None:
    study = length.study([SAME, SAME], [SAME, SAME], "parseval")
    assert study.settings["data"] == "gold (2 sentences); test"


def test_command(tmp_path: Path) -> None:
    (tmp_path / "gold.mrg").write_text(f"{SAME}\n{SAME}\n", encoding="utf-8")
    (tmp_path / "parsed.mrg").write_text(f"{SAME}\n()\n", encoding="utf-8")
    files = ["--gold", "gold.mrg", "--test", "parsed.mrg"]
    out, _ = treescore_inside(tmp_path, "study", "length", *files, "-m", "struct_iou", "--step", "4", "-f", "json")
    study = json.loads(out)
    assert [row["at most words"] for row in study["tables"]["STRUCT-IOU"]] == [4]
    assert study["settings"]["data"] == "gold.mrg (2 sentences); parsed.mrg"
    assert study["problems"]["by_code"] == {"unparsed": 1}
    treescore_inside(tmp_path, "study", "length", *files, "--strict", code=1)
