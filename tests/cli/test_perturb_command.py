"""`treescore perturb` in a process of its own: output, options, failures."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from command import treescore

TREES = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (NP (NN caté)))\n()\n"


#: No locale.
PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.mrg").write_text(TREES, encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0, stdin: str = "") -> tuple[str, str]:
    """Standard output and standard error."""
    return treescore(folder, "perturb", *arguments, code=code, stdin=stdin, env=PLAIN)


def test_words_and_times_are_written(folder: Path) -> None:
    first, said = run(folder, "noise", "gold.mrg", "--delta", "0.5", "--axis", "words", "--seed", "1")
    assert said == ""
    trees = [json.loads(line)["tree"] for line in first.splitlines()]
    assert trees[2] is None
    [label, [[_, [the, cat]], _]] = trees[0]
    assert (label, the[0], the[1], the[3]) == ("S", "DT", 0.0, "the")
    assert the[2] == cat[1] != 1
    assert trees[1] == ["S", [["NP", [["NN", 0.0, 1.0, "caté"]]]]]
    again, _ = run(folder, "noise", "-", "--delta", "0.5", "--axis", "words", "--seed", "1", stdin=TREES)
    other, _ = run(folder, "noise", "gold.mrg", "--delta", "0.5", "--axis", "words")
    assert first == again != other
    run(folder, "noise", "gold.mrg", "--delta", "0.5", "--axis", "words", "--seed", "1", "-o", "out.jsonl")
    assert (folder / "out.jsonl").read_text(encoding="utf-8") == first


def test_a_parser(folder: Path) -> None:
    script = "import sys; [print('(X (Y', line.strip() + '))') for line in sys.stdin]"
    command = f'"{sys.executable}" -c "{script}"'
    out, _ = run(folder, "delete", "gold.mrg", "--delta", "1", "--axis", "words", "--parser", command)
    assert json.loads(out.splitlines()[0]) == {"tree": ["X", [["Y", 0.0, 3.0, "thecatsleeps"]]]}
    wrong = f'"{sys.executable}" -c "print(\'(X (Y cat))\')"'
    out, said = run(
        folder, "delete", "gold.mrg", "--delta", "1", "--axis", "words", "--parser", wrong, "--strict", code=1
    )
    assert json.loads(out.splitlines()[0]) == {"tree": ["S", [["NP", [["DT", 0.0, 3.0, "thecatsleeps"]]]]]}
    assert said == (
        "treescore: gold.mrg:1: the parser's tree cannot be used: its words are 'cat' "
        "(words joined in the tree that there was)\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["noise", "gold.mrg", "--delta", "0.5"], "have no times"),
        (["noise", "gold.mrg", "--delta", "2", "--axis", "words"], "delta must be a number from 0 to 1"),
        (["noise", "gold.mrg", "--axis", "words"], "--delta"),
        (["swap", "gold.mrg", "--delta", "1"], "invalid choice"),
        (["insert", "gold.mrg", "--delta", "1", "--axis", "words", "--parser", "cat"], "a parser goes with delete"),
        (["noise", "missing.mrg", "--delta", "1"], "missing.mrg: No such file"),
    ],
)
def test_failures(folder: Path, arguments: list[str], message: str) -> None:
    out, said = run(folder, *arguments, code=2)
    assert out == ""
    assert message in said


def test_what_to_cite(folder: Path) -> None:
    assert "shi-etal-2024-structured" in run(folder, "--cite")[0]
