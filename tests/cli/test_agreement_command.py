"""`treescore agreement`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import command
import pytest

FILES = {
    "a": "(S (NP (NN a)) (VB b))\n(S (NN c))\n(S (NN d) (X (NN e)))\n",
    "b": "(S (NN a) (VB b))\n(())\n(S (NN d) (NN f))\n",
    "c": "(S (NN a) (VB b)\n(S (NN c))\n(S (NN d) (NN f))\n",
    "short": "(S (NN a) (VB b))\n",
    "empty": "",
    "nothing": "(())\n(())\n(())\n",
    "named": "s1\t(S (NP (NN a)) (VB b))\ns2\t(S (NN c))\n",
    "other": "s2\t(S (NP (NN c)))\ns3\t(S (NN d))\n",
    "twice": "s2\t(S (NP (NN c)))\ns2\t(S (NN c))\n",
    "strange": "x\t(S (NN c))\n",
    "rooted": "(ROOT (S (NP (NN a)) (VB b)))\n(ROOT (S (NN c)))\n(ROOT (S (NN d) (X (NN e))))\n",
    "units": "one\none\ntwo\n",
    "gapped": "(S (X (A 0=a) (C 2=c)) (Y (B 1=b)))\n",
    "flat": "(S (X (A 0=a)) (Y (B 1=b)) (C 2=c))\n",
    "trans.prm": "EQ_LABEL A B\nEQ_LABEL B C\n",
    "odd.prm": "DELETE_LABEL X\nNO_SUCH_KEYWORD 1\n",
}


def run(folder: Path, *arguments: str, code: int = 0) -> tuple[str, str]:
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return command.treescore_inside(folder, "agreement", "--ci-samples", "50", *arguments, code=code)


def test_two(tmp_path: Path) -> None:
    out, output = run(tmp_path, "a", "b")
    assert not output
    assert "Labelled F1                          66.67              –      2 of 3\n" in out
    assert "phrases of a that b has              50.00              –      1 of 2\n" in out
    assert "Cohen's kappa of labels                  –              –    1 phrase\n" in out
    assert "3 sentences: 1 compared, 2 left out; 2 problems, listed below\n" in out
    assert "  b:2: no words are left in the tree of b (left out)\n" in out
    assert "  b:3: words first differ at word 2: a has 'e', b has 'f' (left out)\n" in out
    assert "NP  (none)      1  1         a b\n" in out
    assert "there are no intervals: one sentence does not show any variation\n" in out
    assert "gold" not in out
    same, _ = run(tmp_path, "a", "a", "--name", "Ann", "--name", "Ben")
    assert same.count("\n\nnone\n") == 2  # neither disagreements nor sentences with less than full agreement


def test_three(tmp_path: Path) -> None:
    out, _ = run(tmp_path, "a", "b", "c", "--name", "Ann", "--name", "Ben", "--name", "Eve")
    assert "agreement of Ann, Ben and Eve\n" in out
    assert "Ann        Ben   66.67       66.67       85.71        0.00   1.000         –\n" in out
    assert "mean             88.89       88.89       95.24       66.67   1.000         –\n" in out
    assert "3 sentences: 3 compared, 0 left out; 3 problems" in out
    assert "a:3: words first differ at word 2: Ben has 'f', Ann has 'e' (left out)" in out


def test_adjudicated(tmp_path: Path) -> None:
    out, _ = run(tmp_path, "a", "b", "--adjudicated", "a")
    assert "a          100.00     100.00  100.00      100.00      100.00          3\n" in out
    assert "b           66.67     100.00   50.00       85.71        0.00          1\n" in out
    _, output = run(tmp_path, "a", "b", "--name", "adjudicated", "--adjudicated", "a", code=2)
    assert "the name 'adjudicated' is reserved" in output


def test_forms(tmp_path: Path) -> None:
    out, output = run(tmp_path, "a", "b", "-f", "csv", "--per-sentence")
    assert output == "treescore: 2 problems: 1 unparsed, 1 words (-f json lists them)\n"
    tables = {text.split("\n", 1)[0]: text.split("\n", 1)[1] for text in out.split("\n\n")}
    rows = {row["figure"]: row for row in csv.DictReader(io.StringIO(tables["agreement"]))}
    assert float(rows["f1"]["value"]) == pytest.approx(2 / 3)
    assert rows["kappa_labels"]["value"] == ""
    assert list(tables) == ["agreement", "labels", "tags", "disagreements", "sentences"]
    assert tables["sentences"].splitlines()[2] == "2,,0,,,"
    out, _ = run(tmp_path, "a", "b", "-f", "json", "--adjudicated", "a")
    data = json.loads(out)
    assert data["figures"]["f1"]["value"] == pytest.approx(2 / 3)
    assert data["pairs"][0]["shares"] == [0.5, 1.0]
    assert data["disagreements"] == [{"labels": ["NP", None], "count": 1, "sentence": "1"}]
    assert data["expected"]["known"] == 0
    assert data["problems"]["count"] == 3
    for form, part in (("markdown", "| Labelled F1 | 66.67 |"), ("latex", r"Labelled F1 & 66.67"), ("html", "<table>")):
        assert part in run(tmp_path, "a", "b", "-f", form)[0]


def test_ids(tmp_path: Path) -> None:
    out, _ = run(tmp_path, "named", "other", "-o", "out")
    assert out == ""
    text = (tmp_path / "out").read_text(encoding="utf-8")
    assert "3 sentences: 1 compared, 2 left out; 2 problems" in text
    assert "  other: other has no sentence 's1' (left out)\n" in text
    assert "s2        66.67       80.00      1\n" in text


def test_outer_brackets(tmp_path: Path) -> None:
    out, _ = run(tmp_path, "a", "rooted")
    assert "the outer brackets of a and rooted differ" in out
    out, _ = run(tmp_path, "a", "rooted", "--outer", "ignored")
    assert "problem" not in out
    assert "Same trees, tags included           100.00" in out


def test_gaps(tmp_path: Path) -> None:
    out, _ = run(tmp_path, "gapped", "flat", "--profile", "none")
    assert "Same labels over the same words     100.00              –       2 of 2\n" in out
    assert "1 problem: 1 discontinuous" in out


def test_units_and_strictness(tmp_path: Path) -> None:
    out, output = run(tmp_path, "a", "b", "--ci-units", "units", "--ci-seed", "0", "--strict", code=1)
    assert "50 samples of 2 documents, seed 0" in out
    assert output == "treescore: --strict, and 2 problems: 1 unparsed, 1 words\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a"], "at least two annotators"),
        (["-", "-"], "only one of the files can be standard input"),
        (["a", "a"], "two annotators have the name 'a'"),
        (
            ["a", "short"],
            "3 trees in a but 1 in short; the words first differ in tree 2: a (line 2) has “c”, short has no tree",
        ),
        (["a", "empty"], "empty: there are no trees in it"),
        (["a", "nowhere"], "nowhere: No such file"),
        (["a", "nothing", "--most", "x"], "'x' is not a number of rows"),
        (["named", "strange"], "no sentence has the same id in two annotations"),
        (["named", "twice"], "the sentence 's2' occurs twice"),
        (["a", "b", "-o", "b"], "b is an input file"),
        (["a", "b", "--profile", "prpn"], "where labels are ignored"),
        (["a", "b", "--profile", "discodop"], "where words are left out by the tags of one side"),
        (["a", "b", "-p", "trans.prm"], "A = B and B = C"),
        (["a", "b", "--ci-unit", "document"], "--ci-units"),
    ],
)
def test_what_cannot_be_done(tmp_path: Path, arguments: list[str], message: str) -> None:
    _, output = run(tmp_path, *arguments, code=2)
    assert message in output


def test_parameter_file(tmp_path: Path) -> None:
    out, _ = run(tmp_path, "a", "b", "-p", "odd.prm")
    assert "3 problems: 1 parameters, 1 unparsed, 1 words" in out
    assert "NO_SUCH_KEYWORD" in out


def test_nothing_to_compare(tmp_path: Path) -> None:
    out, _ = run(tmp_path, "a", "nothing", "-f", "json")
    assert all(figure["value"] is None for figure in json.loads(out)["figures"].values())


def test_cite(tmp_path: Path) -> None:
    out, _ = command.treescore(tmp_path, "info", "--cite", "agreement")
    assert "cohen-1960-coefficient" in out
    assert "skjaerholt-2014-chance" in out


def test_sentences_without_brackets_are_not_those_with_the_lowest_agreement(tmp_path: Path) -> None:
    (tmp_path / "bare").write_text("(TOP (NN a))\n(S (NP (NN b)))\n", encoding="utf-8")
    out, _ = run(tmp_path, "bare", "bare", "--name", "Ann", "--name", "Ben", "-f", "json")
    assert json.loads(out)["lowest"] == []


def test_times(tmp_path: Path) -> None:
    """STRUCT-IOU over seconds is that of `treescore`; all other figures are the same as without times."""
    (tmp_path / "ann").write_text("(S (NP we turn) left)\n", encoding="utf-8")
    (tmp_path / "ben").write_text("(S we (NP turn left))\n", encoding="utf-8")
    words = '{"words": [["we", 1.0, 1.1], ["turn", 1.2, 1.52], ["left", 1.6, 2.4]]}\n'
    (tmp_path / "words.jsonl").write_text(words, encoding="utf-8")
    times = ("--times", "words.jsonl")
    with_times = json.loads(run(tmp_path, "ann", "ben", *times, "-f", "json")[0])["pairs"][0]["figures"]
    without = json.loads(run(tmp_path, "ann", "ben", "-f", "json")[0])["pairs"][0]["figures"]
    scored = command.treescore_inside(
        tmp_path, "ann", "ben", "--gold-times", "words.jsonl", "-m", "struct_iou|profile:collins", "-f", "json"
    )
    value = json.loads(scored[0])["scores"][0]["value"]
    assert with_times["struct_iou"]["value"] == pytest.approx(value)
    assert without["struct_iou"]["value"] != pytest.approx(value)
    both = [{name: row for name, row in it.items() if "struct_iou" not in name} for it in (with_times, without)]
    assert both[0] == both[1]
    assert "axis:seconds" in run(tmp_path, "ann", "ben", *times, "--adjudicated", "ann")[0]


def test_wrong_uses_of_times(tmp_path: Path) -> None:
    words = '{"words": [["a", 0, 1], ["b", 1, 2]]}\n{"words": []}\n{"words": [["d", 0, 1], ["e", 1, 2]]}\n'
    (tmp_path / "words.jsonl").write_text(words, encoding="utf-8")
    times = ("--times", "words.jsonl", "--attach", "position")
    out, error = run(tmp_path, "a", "a", "--name", "A", "--name", "B", *times)
    assert "some trees have no times: STRUCT-IOU is over words" in error
    assert "axis:words" in out
    for option in (("--attach", "id"), ("--tier", "x"), ("--interpolate",)):
        assert f"{option[0]} needs word times: --times" in run(tmp_path, "a", "b", *option, code=2)[1]
    for name in ("--gold-times", "--test-times", "--tolerance"):
        assert f"no option {name}" in run(tmp_path, "a", "b", name, "words.jsonl", code=2)[1]
    error = command.treescore_inside(tmp_path, "align", "trees", "a", "b", "--gold-times", "words.jsonl", code=2)[1]
    assert "no option --gold-times" in error
    assert error.count("\n") == 1
