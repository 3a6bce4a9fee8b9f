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
    first, output = run(folder, "noise", "gold.mrg", "--delta", "0.5", "--axis", "words", "--seed", "1")
    assert output == ""
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
    assert json.loads(out.splitlines()[0]) == {"tree": ["X", [["Y", 0.0, 3.0, "the_cat_sleeps"]]]}
    wrong = f'"{sys.executable}" -c "print(\'(X (Y cat))\')"'
    out, output = run(
        folder, "delete", "gold.mrg", "--delta", "1", "--axis", "words", "--parser", wrong, "--strict", code=1
    )
    assert json.loads(out.splitlines()[0]) == {"tree": ["S", [["NP", [["DT", 0.0, 3.0, "the_cat_sleeps"]]]]]}
    assert output == (
        "treescore: gold.mrg:1: the parser's tree cannot be used: its words are 'cat', "
        "not 'the_cat_sleeps' "
        "(words joined in the original tree)\n"
    )


WORDS = '{"words": [["the", 0.0, 0.2], ["cat", 0.2, 0.9], ["sleeps", 1.0, 1.6]]}\n'


def test_words_with_times(folder: Path) -> None:
    (folder / "cat.mrg").write_text("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n", encoding="utf-8")
    (folder / "words.jsonl").write_text(WORDS, encoding="utf-8")
    out, output = run(folder, "noise", "cat.mrg", "--times", "words.jsonl", "--delta", "0")
    words = ["S", [["NP", [["DT", 0.0, 0.2, "the"], ["NN", 0.2, 0.9, "cat"]]], ["VP", [["VBZ", 1.0, 1.6, "sleeps"]]]]]
    assert json.loads(out)["tree"] == words
    assert output == "treescore: words paired with trees by position\n"
    ctm = "u A 0.0 0.2 the\nu A 0.2 0.7 cat\nu A 1.0 0.6 sleeps\nu A 1.6 0.4 caté\n"
    out, output = run(folder, "insert", "gold.mrg", "--times", "-", "--attach", "text", "--delta", "1", stdin=ctm)
    assert [json.loads(line)["tree"] is None for line in out.splitlines()] == [False, False, True]
    assert output == "treescore: words paired with trees by text\n"
    (folder / "other.jsonl").write_text(WORDS.replace("sleeps", "purrs"), encoding="utf-8")
    _, output = run(folder, "noise", "cat.mrg", "--times", "other.jsonl", "--delta", "0.5", "--strict", code=1)
    assert "1 word not found among the words with times, first 'sleeps'" in output


def test_nothing_is_lost(folder: Path) -> None:
    lines = ['{"id": "a", "tree": ["S", [["A", 0.0, 1.0, "a"]]]}', '{"id": "b", "tree": "(S (DT the) (NN dog))"}']
    (folder / "some.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    out, output = run(folder, "noise", "some.jsonl", "--delta", "0.5")
    assert out.splitlines() == lines
    assert output == "treescore: some.jsonl:2: the words of this tree have no times (left unchanged)\n"
    gaps = "(S (NP (A 0=a) (C 2=c)) (B 1=b))"
    out, output = run(folder, "noise", "-", "--delta", "0.5", "--axis", "words", stdin=gaps + "\n")
    assert json.loads(out) == {"tree": gaps}
    assert "not perturbed (left unchanged)" in output


def test_functions_are_said_to_be_lost(folder: Path) -> None:
    text = "#FORMAT 4\n#BOS 1\na\t--\tA\t--\tX\t500\n#500\t--\tS\t--\t--\t0\n#EOS 1\n"
    _, output = run(folder, "noise", "-", "--delta", "0.5", "--axis", "words", stdin=text)
    assert "1 tree written without functions; --functions add" in output
    assert run(folder, "noise", "-", "--delta", "0.5", "--axis", "words", "--functions", "add", stdin=text)[1] == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["noise", "gold.mrg", "--delta", "0.5"], "have no times; give times with --times, or use --axis words"),
        (["noise", "gold.mrg", "--delta", "0.5", "--axis", "words", "--times", "a.ctm"], "exclude each other"),
        (["noise", "-", "--delta", "0.5", "--times", "-"], "only one of the files can be standard input"),
        (["noise", "gold.mrg", "--delta", "0.5", "--times", "missing.ctm"], "missing.ctm: No such file"),
        (["noise", "gold.mrg", "--delta", "2", "--axis", "words"], "delta must be a number from 0 to 1"),
        (["noise", "gold.mrg", "--axis", "words"], "--delta"),
        (["swap", "gold.mrg", "--delta", "1"], "invalid choice"),
        (["insert", "gold.mrg", "--delta", "1", "--axis", "words", "--parser", "cat"], "a parser goes with delete"),
        (["noise", "missing.mrg", "--delta", "1"], "missing.mrg: No such file"),
    ],
)
def test_failures(folder: Path, arguments: list[str], message: str) -> None:
    out, output = run(folder, *arguments, code=2)
    assert out == ""
    assert message in output


def test_what_to_cite(folder: Path) -> None:
    assert "shi-etal-2024-structured" in treescore(folder, "info", "--cite", "perturb")[0]
