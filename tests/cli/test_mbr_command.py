"""`treescore mbr`: output, options, failures."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import command
import pytest

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
