"""`treescore conllu`, and CoNLL-U files given to `treescore GOLD TEST`, in processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

GOLD = "1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tcat\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
TEST = GOLD.replace("NOUN", "VERB")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files of all kinds."""
    files = {
        "gold": GOLD,
        "test": TEST,
        "capital": GOLD.replace("the", "The"),
        "roots": GOLD.replace("\t2\tdet", "\t0\tdet"),
        "trees": "(S (NN a))\n",
        "empty": "",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str, stdin: str = "") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "treescore", *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_the_original_s_output(folder: Path) -> None:
    code, out, err = run(folder, "conllu", "gold", "test")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "LAS F1 Score: 100.00",
        "MLAS Score: 0.00",
        "BLEX Score: 100.00",
        "ELAS F1 Score: 0.00",
        "EULAS F1 Score: 0.00",
    ]
    assert (
        "UPOS       |         1 |         2 |         2 |         2\n" in run(folder, "conllu", "-c", "gold", "test")[1]
    )
    assert "EULAS" not in run(folder, "conllu", "-v", "--no-enhanced", "gold", "test")[1]


def test_formats_of_ours(folder: Path) -> None:
    code, out, _ = run(folder, "conllu", "gold", "test", "-f", "json", "--per-sentence", "--by", "length")
    found = json.loads(out)
    assert code == 0
    assert found["scores"][0]["parts"]["upos"] == 0.5
    assert found["scores"][0]["sentences"][0]["words_gold"] == 2
    assert found["gold"]["sha256"]
    code, out, _ = run(folder, "gold", "test", "--fail-under", "upos=60")
    assert code == 1
    assert "UPOS F1" in out
    code, out, _ = run(folder, "gold", "capital", "-m", "conllu_eval|text:folded", "-f", "jsonl")
    assert json.loads(out)["value"] == 1.0
    assert run(folder, "conllu", "-", "test", stdin=GOLD)[0] == 0
    assert run(folder, "conllu", "gold", "test", "-o", "out.txt")[:2] == (0, "")
    assert (folder / "out.txt").read_text().startswith("LAS F1")


def test_problems(folder: Path) -> None:
    code, out, err = run(folder, "conllu", "gold", "roots")
    assert code == 0
    assert out.startswith("LAS F1 Score: 50.00\n")
    assert "roots:2: a second root" in err
    assert run(folder, "conllu", "gold", "roots", "--multiple-roots-okay")[2] == ""
    code, out, err = run(folder, "conllu", "--strict", "gold", "roots")
    assert (code, out) == (2, "")
    assert err.startswith("treescore: error: roots:2: a second root")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["conllu", "gold", "capital"], "the texts of both files differ from character 1 on"),
        (["conllu", "gold", "trees"], "this is not CoNLL-U"),
        (["conllu", "gold", "empty"], "differ from character 1 on"),
        (["conllu", "empty", "empty"], "there are no sentences in it"),
        (["conllu", "gold", "nowhere"], "nowhere: No such file"),
        (["conllu", "-", "-"], "only one of GOLD and TEST"),
        (["conllu", "-v", "-f", "json", "gold", "test"], "-v and -c are the original's tables"),
        (["conllu", "--per-sentence", "gold", "test"], "need a format of ours"),
        (["gold", "trees"], "gold is CoNLL-U, but trees is not"),
        (["trees", "gold"], "gold is CoNLL-U, but trees is not"),
        (["gold", "test", "-m", "parseval"], "parseval compares trees in brackets"),
        (["gold", "test", "--profile", "spmrl"], "--profile is for trees in brackets"),
        (["gold", "test", "--disconly"], "--disconly is for trees in brackets"),
        (["gold", "test", "--encoding", "latin-1"], "--encoding is for trees in brackets"),
        (["gold", "test", "--input-format", "export"], "--input-format is for trees in brackets"),
        (["gold", "test", "--functions", "add"], "--functions is for trees in brackets"),
        (["gold", "test", "--layout", "line"], "--layout is for trees in brackets"),
        (["gold", "-"], "this looks like CoNLL-U"),
        (["gold", "test", "--by", "label"], "--by label is for trees in brackets"),
        (["gold", "test", "-f", "evalb"], "-f evalb is for trees in brackets"),
        (["trees", "trees", "-m", "conllu_eval"], "this is not CoNLL-U"),
    ],
)
def test_failures(folder: Path, arguments: list[str], message: str) -> None:
    code, out, err = run(folder, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("treescore: error: ")
    assert message in err
    assert "Traceback" not in err
