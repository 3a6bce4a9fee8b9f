"""`treescore mbr`: output, options, failures."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import command
import pytest

import treescore

A, B, C = "(S (NP (NN a)) (VB b))", "(S (NN a) (VB b))", "(S (NN a) (VP (VB b)))"
LISTS = f"u1\t0\t-1\t{A}\nu1\t1\t-5\t{B}\nu1\t2\t-5\t{C}\nu2\t0\t-1\t{C}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lists.tsv").write_text(LISTS)
    (tmp_path / "gold.mrg").write_text(f"{C}\n{C}\n")
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0) -> tuple[str, str]:
    return command.treescore_inside(folder, "mbr", *arguments, code=code)


def test_trees(folder: Path) -> None:
    assert run(folder, "lists.tsv") == (f"{B}\n{C}\n", "")
    assert run(folder, "lists.tsv", "--weights", "scores") == (f"{A}\n{C}\n", "")
    assert run(folder, "lists.tsv", "--weights", "scores", "--temperature", "100")[0] == f"{B}\n{C}\n"
    run(folder, "lists.tsv", "-o", "out.mrg", "--threads", "2")
    assert (folder / "out.mrg").read_text() == f"{B}\n{C}\n"
    out, err = run(folder, "lists.tsv", "--gold", "gold.mrg", "-m", "parseval", "--profile", "none")
    assert out == f"{B}\n{C}\n"
    assert "against gold: 1-best 75.00, MBR 85.71, oracle 100.00 (parseval|" in err
    out, _ = command.treescore(folder, "mbr", "-", stdin=LISTS)
    assert out == f"{B}\n{C}\n"


def test_json_lines(folder: Path) -> None:
    out, _ = run(folder, "lists.tsv", "-f", "jsonl", "--distribution")
    first, second = map(json.loads, out.splitlines())
    assert (first["id"], first["rank"], first["tree"], first["candidates"]) == ("u1", 1, B, 3)
    assert [each["rank"] for each in first["distribution"]] == [0, 1, 2]
    assert second["expected"] == 1.0
    assert "problems" not in first


def test_tables(folder: Path) -> None:
    out, _ = run(folder, "lists.tsv", "--gold", "gold.mrg", "-f", "table")
    assert out.startswith("STRUCT-IOU (corpus) of the first n candidates\n")
    assert "2 lists of up to 3 candidates; weights: uniform" in out
    rows = list(csv.DictReader(io.StringIO(run(folder, "lists.tsv", "--gold", "gold.mrg", "-f", "csv")[0])))
    assert [row["n"] for row in rows] == ["1", "2", "3"]
    assert rows[-1]["oracle"] == "1.0"
    data = json.loads(run(folder, "lists.tsv", "--gold", "gold.mrg", "-f", "json")[0])
    assert data["curve"][-1] == {"n": 3, **data["scores"]}
    assert run(folder, "lists.tsv", "--gold", "gold.mrg", "-f", "markdown")[0].startswith("**")


def test_a_plot(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    for path in ("a.svg", "b.svg"):
        run(folder, "lists.tsv", "--gold", "gold.mrg", "--plot", path, "-o", "out.mrg")
    assert (folder / "a.svg").read_bytes() == (folder / "b.svg").read_bytes()
    assert b"candidates of each list" in (folder / "a.svg").read_bytes()


def test_faults(folder: Path) -> None:
    (folder / "bad.tsv").write_text(f"u1\t0\t-1\t(S (NN a\nu1\t1\t-1\t{B}\nu2\t0\t-1\t()\n")
    out, err = run(folder, "bad.tsv")
    assert out == f"{B}\n()\n"
    assert "bad.tsv:1:9: this bracket is never closed" in err
    assert "bad.tsv:3: this candidate has no words (left out of its list)" in err
    _, err = run(folder, "bad.tsv", "--strict", code=2)
    assert "bad.tsv:1:9" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.tsv"], "none.tsv: No such file"),
        (["lists.tsv", "-f", "table"], "--gold FILE"),
        (["lists.tsv", "--plot", "a.svg"], "--gold FILE"),
        (["lists.tsv", "--temperature", "2"], "--weights scores"),
        (["lists.tsv", "--temperature", "-2", "--weights", "scores"], "above 0"),
        (["lists.tsv", "--distribution"], "-f jsonl"),
        (["lists.tsv", "-m", "parseval", "-m", "struct_iou"], "give -m once"),
        (["lists.tsv", "-m", "aligned_parseval"], "use struct_iou or parseval"),
        (["lists.tsv", "--gold", "lists.tsv", "-o", "lists.tsv"], "is an input file"),
        (["-", "--gold", "-"], "standard input"),
        (["gold.mrg", "--gold", "gold.mrg"], "1 list but 2 gold trees"),
        (["lists.tsv", "--gold", "gold.mrg", "--plot", "a.svg", "-o", "a.svg"], "name another file"),
        (["lists.tsv", "--nbest-format", "jsonl"], "no list could be read"),
    ],
)
def test_refusals(folder: Path, arguments: list[str], message: str) -> None:
    _, err = run(folder, *arguments, code=2)
    assert message in err
    assert (folder / "lists.tsv").read_text() == LISTS


SPOKEN = "(S (NP we turn) left)\n(S we (NP turn left))\n(S (X we turn) left)\n\n(S (NP so) be)\n(S (NP so be))\n"
WORDS = (
    '{"id": "2", "words": [["so", 0, 1], ["be", 1, 1.1]]}\n'
    '{"id": "1", "words": [["we", 1.0, 1.1], ["turn", 1.2, 1.52], ["left", 1.6, 2.4]]}\n'
)
SECONDS = ("-m", "struct_iou|axis:seconds")


def test_word_times(tmp_path: Path) -> None:
    """The same as with times in the candidates; lists are paired with words by id, or by position."""
    (tmp_path / "lists").write_text(SPOKEN)
    (tmp_path / "words.jsonl").write_text(WORDS)
    (tmp_path / "unnamed.jsonl").write_text(
        "".join(f'{{"words": {line.partition("words")[2][3:]}\n' for line in reversed(WORDS.splitlines()))
    )
    (tmp_path / "gold").write_text("(S (NP we turn) left)\n(S (NP so be))\n")
    distribution = ("-f", "jsonl", "--distribution")
    rows = [
        json.loads(line)
        for line in run(tmp_path, "lists", *SECONDS, "--test-times", "words.jsonl", *distribution)[0].splitlines()
    ]
    we, turn, left = [None, 1.0, 1.1, "we"], [None, 1.2, 1.52, "turn"], [None, 1.6, 2.4, "left"]
    so, be = [None, 0.0, 1.0, "so"], [None, 1.0, 1.1, "be"]
    lists: list[list[Any]] = [
        [["S", [["NP", [we, turn]], left]], ["S", [we, ["NP", [turn, left]]]], ["S", [["X", [we, turn]], left]]],
        [["S", [["NP", [so]], be]], ["S", [["NP", [so, be]]]]],
    ]
    for row, trees in zip(rows, lists, strict=True):
        scores = [[treescore.struct_iou(gold, test, axis="seconds").score or 0.0 for gold in trees] for test in trees]
        expected = [sum(line) / len(trees) for line in scores]
        assert [each["expected"] for each in row["distribution"]] == pytest.approx(expected)
    by_position = run(tmp_path, "lists", *SECONDS, "--test-times", "unnamed.jsonl", *distribution)[0]
    assert [json.loads(line) for line in by_position.splitlines()] == rows
    times = ("--gold-times", "unnamed.jsonl")
    assert run(tmp_path, "lists", *SECONDS, *times, *distribution)[0] == by_position
    assert "axis:seconds" in run(tmp_path, "lists", *SECONDS, *times, "--gold", "gold", "-f", "table")[0]


def test_wrong_uses_of_word_times(tmp_path: Path) -> None:
    (tmp_path / "lists").write_text(SPOKEN)
    (tmp_path / "one.jsonl").write_text('{"words": [["we", 1.0, 1.1], ["turn", 1.2, 1.52], ["left", 1.6, 2.4]]}\n')
    for arguments, message in (
        (("--test-times", "one.jsonl"), "need a metric over seconds: -m 'struct_iou|axis:seconds'"),
        ((*SECONDS, "--test-times", "one.jsonl"), "one.jsonl: there are no words with times for the list '2'"),
        ((*SECONDS, "--test-times", "one.jsonl", "--attach", "text"), "not by text"),
        (SECONDS, "the words of these trees have no times"),
        (("--attach", "id"), "--attach needs word times"),
        (("--tolerance", "20"), "no option --tolerance"),
    ):
        error = run(tmp_path, "lists", *arguments, code=2)[1]
        assert message in error
        assert error.count("\n") == 1
