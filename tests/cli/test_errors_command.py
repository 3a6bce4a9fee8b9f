"""`treescore errors`."""

from __future__ import annotations

import json
from pathlib import Path

import command
import pytest

GOLD = (
    "(S (NP (PRP she)) (VP (VBD ate) (NP (NN pie)) (PP (IN with) (NP (NNS friends)))))\n(S (NP (NN a)) (VP (VB b)))\n"
)
FILES = {
    "gold": GOLD,
    "a": "(S (NP (PRP she)) (VP (VBD ate) (NP (NP (NN pie)) (PP (IN with) (NP (NNS friends))))))\n"
    "(S (NP (NN a)) (X (VB b)))\n",
    "b": GOLD.replace("(S (NP (NN a)) (VP (VB b)))", "(S (NN a))"),
    "named": "x1\t(S (NP (NN a) (NN b)) (VB c))\n",
    "named-flat": "x1\t(S (NN a) (NN b) (VB c))\n",
    "pack.json": '{"name": "mine", "outer": ["TOP"], "rules": [{"class": "all of it"}]}',
    "bad.json": '{"name": "bad", "outer": ["TOP"], "rules": [{"class": "x", "movers": []}]}',
}


def write_files(folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")


def run(folder: Path, *arguments: str, code: int = 0, stderr: str | None = "") -> str:
    write_files(folder)
    out, output = command.treescore_inside(folder, "errors", *arguments, code=code)
    if stderr is not None:
        assert output == stderr
    return out


def test_table(tmp_path: Path) -> None:
    out = run(tmp_path, "gold", "a")
    assert command.treescore(tmp_path, "errors", "gold", "a") == (out, "")
    assert "PP Attachment           1         1   33.33      1.00\n" in out
    assert "all                     2         3  100.00      1.50\n" in out
    assert "2 sentences: 2 compared, 0 of them without errors, 0 left out; 2 extra, 1 missing, 0 crossing\n" in out


def test_several_systems(tmp_path: Path) -> None:
    out = run(tmp_path, "gold", "a", "b", "-f", "markdown")
    assert "| class | a: steps | brackets | b: steps | brackets |" in out
    assert "| Single Word Phrase | 1 | 2 | 0 | 0 |" in out
    assert "1 problem: 1 length" in out


def test_steps(tmp_path: Path) -> None:
    records = [json.loads(line) for line in run(tmp_path, "gold", "a", "--steps").splitlines()]
    assert records[0] == {
        "sentence": 1,
        "id": None,
        "type": "remove",
        "class": "PP Attachment",
        "brackets": 1,
        "label": "NP",
        "span": [2, 5],
        "subtrees": ["NP", "PP"],
        "parent": "VP",
        "over_word": False,
        "words": "pie with friends",
    }
    assert records[1]["change"] == ["X", "VP"]
    assert "NP “pie with friends” is extra         1  PP Attachment              1\n" in run(
        tmp_path, "gold", "a", "--steps", "-f", "table"
    )
    assert run(tmp_path, "gold", "a", "--steps", "-f", "csv").splitlines()[:2] == [
        "sentence,id,type,class,brackets,label,new_label,parent,new_parent,nodes,start,end,added_start,added_end,words",
        "1,,remove,PP Attachment,1,NP,,VP,,NP PP,2,5,,,pie with friends",
    ]
    document = json.loads(run(tmp_path, "gold", "a", "--steps", "-f", "json"))
    assert document["systems"][0]["steps"] == records
    assert document["systems"][0]["problems"]["count"] == 0


def test_per_sentence(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in run(tmp_path, "gold", "a", "--per-sentence", "-f", "jsonl").splitlines()]
    assert [row["classes"] for row in rows] == [{"PP Attachment": 1}, {"Single Word Phrase": 1}]
    message = "treescore: 1 problem: 1 length (-f json lists them)\n"
    out = run(tmp_path, "gold", "a", "b", "--per-sentence", "-f", "csv", stderr=message)
    assert out.splitlines()[-1] == "b,2,,1,,,,,,,,,"
    assert "PP Attachment 1" in run(tmp_path, "gold", "a", "--per-sentence")


def test_csv_without_rows_has_a_header(tmp_path: Path) -> None:
    assert run(tmp_path, "gold", "gold", "-f", "csv") == "class,steps,brackets\n"
    assert run(tmp_path, "gold", "gold", "--steps", "-f", "csv").count("\n") == 1
    assert run(tmp_path, "gold", "gold", "a", "-f", "csv").startswith("system,class,steps,brackets\na,")
    assert run(tmp_path, "gold", "gold", "--by", "rule", "-f", "csv") == "kind,gold,test,count,first\n"


def test_where_a_move_adds_a_phrase(tmp_path: Path) -> None:
    (tmp_path / "one").write_text(
        "(ROOT (S (NP (NP (NN a)) (CC and) (NP (NP (NN b)) (PP (IN of) (NP (NN c))))) (VP (VB d))))"
    )
    (tmp_path / "other").write_text(
        "(ROOT (S (NP (NP (NP (NN a)) (CC and) (NP (NN b))) (PP (IN of) (NP (NN c)))) (VP (VB d))))"
    )
    (record,) = map(json.loads, run(tmp_path, "one", "other", "--steps").splitlines())
    assert record["added_span"] == [0, 5]
    assert ",0,5,a and\n" in run(tmp_path, "one", "other", "--steps", "-f", "csv")


def test_ids(tmp_path: Path) -> None:
    (record,) = map(json.loads, run(tmp_path, "named", "named-flat", "--steps").splitlines())
    assert (record["sentence"], record["id"]) == (1, "x1")


def test_packs(tmp_path: Path) -> None:
    assert "all of it      2         3" in run(tmp_path, "gold", "a", "--pack", "pack.json")
    message = "treescore: error: bad.json: rule 1: unknown key 'movers'; did you mean 'mover'?\n"
    run(tmp_path, "gold", "a", "--pack", "bad.json", code=2, stderr=message)
    message = "treescore: error: none.json: No such file or directory\n"
    run(tmp_path, "gold", "a", "--pack", "none.json", code=2, stderr=message)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-", "-"], 2, "treescore: error: only one of the files can be standard input\n"),
        (["gold", "b", "--strict"], 1, "treescore: --strict, and 1 problem: 1 length\n"),
        (["gold", "named"], 2, None),
        (["gold", "a", "-o", "no/where"], 2, "treescore: error: no/where: No such file or directory\n"),
    ],
)
def test_failures(tmp_path: Path, arguments: list[str], code: int, message: str | None) -> None:
    run(tmp_path, *arguments, code=code, stderr=message)


def test_cite(tmp_path: Path) -> None:
    assert "kummerfeld-etal-2012-parser" in command.treescore(tmp_path, "info", "--cite", "errors")[0]


def test_by_rule(tmp_path: Path) -> None:
    out = run(tmp_path, "gold", "a", "--by", "rule")
    assert "changed  VP → VBD NP PP  VP → VBD NP      1      1\n" in out
    assert out.endswith("6 rules right\nparseval|labels:yes|profile:collins|v:0.2.0.dev0\n")
    csv = run(tmp_path, "gold", "a", "--by", "rule", "-f", "csv").splitlines()
    assert csv[0] == "kind,gold,test,count,first"
    assert "extra,,NP → NP PP,1,1" in csv


@pytest.mark.parametrize("by", ["category", "confusion", "attachment", "tag"])
@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv", "markdown", "latex", "html"])
def test_by_other_kinds(tmp_path: Path, by: str, form: str) -> None:
    out = run(tmp_path, "gold", "a", "--by", by, "-f", form, "-m", "parseval|profile:none", "-o", "-")
    assert {"category": "VP", "confusion": "VP", "attachment": "PP", "tag": "PRP"}[by] in out
    assert ("profile:none" in out) == (form not in ("csv", "jsonl"))


def test_texts_stand_to_the_left(tmp_path: Path) -> None:
    assert "| --- | --- | ---: | --- | ---: |\n" in run(tmp_path, "gold", "a", "--by", "confusion", "-f", "markdown")
    assert "{llrlr}" in run(tmp_path, "gold", "a", "--by", "confusion", "-f", "latex")


def test_by_says_what_could_not_be_compared(tmp_path: Path) -> None:
    assert "1 problem: 1 length" in run(tmp_path, "gold", "b", "--by", "tag")
    run(
        tmp_path,
        "gold",
        "b",
        "--by",
        "tag",
        "-f",
        "csv",
        stderr="treescore: 1 problem: 1 length (-f json lists them)\n",
    )
    run(tmp_path, "gold", "b", "--by", "tag", "--strict", code=1, stderr=None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gold", "a", "b", "--by", "rule"), "--by takes one TEST file"),
        (("gold", "a", "--by", "rule", "--pack", "pack.json"), "--pack and --compat"),
        (("gold", "a", "--by", "rule", "--pack", "english"), "--pack and --compat"),
        (("gold", "a", "--by", "rule", "-m", "struct_iou"), "error tables need parseval"),
        (("gold", "a", "-m", "parseval"), "--metric needs --by"),
        (("gold", "a", "--by", "rule", "--steps"), "not allowed with"),
    ],
)
def test_what_does_not_go_with_by(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    write_files(tmp_path)
    out, err = command.treescore_inside(tmp_path, "errors", *arguments, code=2)
    assert (out, message in err) == ("", True)
