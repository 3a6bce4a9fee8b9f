"""`treescore align sentences` and `align trees` in processes of their own: formats, options, scripts, failures."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from treescore.readers.prm import Parameters

GOLD = """\
(S (NP (PRP We)) (VP (MD ca) (RB n't) (VB go)) (. .))
(S (NP (DT the) (NN data) (NN base)) (VP (VBD was) (ADJP (RB very) (JJ large) (CC and) (JJ slow))) (. .))
(S (NP (PRP she)) (VP (VBD left)) (. .))
(S (NP (NN colour)) (VP (VBZ matters)) (. .))
"""
TEST = """\
(S (NP (PRP we)) (VP (MD can) (RB not) (VB go)) (. .))
(S (NP (DT the) (NN database)) (VP (VBD was) (ADJP (RB very) (JJ large) (CC and) (JJ slow))) (. .))
(S (S (NP (PRP she)) (VP (VBD left)) (. .)) (S (NP (NN color)) (VP (VBZ matters)) (. .)))
(FRAG (NP (NN nothing) (NN else)))
"""
RIGHT = GOLD.replace("(S ", "(CL ").replace("(NP ", "(Ng ").replace("(VP ", "(Vg ").replace("(ADJP ", "(NP ")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("gold.mrg", GOLD), ("test.mrg", TEST), ("right.mrg", RIGHT)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0, stdin: str = "") -> tuple[str, str]:
    """Standard output and standard error. The locale knows ASCII only, and must not matter."""
    done = subprocess.run(
        [sys.executable, "-m", "treescore", *arguments],
        cwd=folder,
        env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=120,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


# align sentences -----------------------------------------------------------------------------------------------------


def test_text(folder: Path) -> None:
    out, err = run(folder, "align", "sentences", "gold.mrg", "test.mrg")
    assert err == ""
    assert out == (
        """\
test.mrg against gold.mrg

gold 2 (line 2) ~ test 2 (line 2)
  gold  the  data base  was  … 4 equal …  .
  test  the  database   was  … 4 equal …  .
             regrouped

gold 3–4 (lines 3–4) ~ test 3 (line 3)
  gold  she  left  .  |  colour   matters  .
  test  she  left  .     color    matters  .
                         respelt

test 4 (line 4): no partner
  test  nothing else

sentences   2 1-1, 1 2-1
  alone     0 of gold, 1 of test
words       17 equal, 1 respelt
  grouped   2 of gold, 1 of test, in 1 group of several words
  alone     0 of gold, 2 of test
characters  11.68 % in groups of several words
"""
    )


def test_all_sentences_and_other_comparisons(folder: Path) -> None:
    assert "gold 1 (line 1)" in run(folder, "align", "sentences", "gold.mrg", "test.mrg", "--all")[0]
    out = run(folder, "align", "sentences", "gold.mrg", "test.mrg", "--contractions", "none", "--text", "none")[0]
    assert "  gold  We       ca       n't      go  .\n  test  we       can      not      go  .\n" in out
    (folder / "own.txt").write_text("colour = color\n")
    out = run(folder, "align", "sentences", "gold.mrg", "test.mrg", "--contractions", "own.txt")[0]
    assert "colour  matters" in out
    assert "2 respelt" in out  # ca and n't
    out = run(folder, "align", "sentences", "gold.mrg", "test.mrg", "--profile", "collins")[0]
    assert "  gold  she  left  |  colour   matters\n" in out


def test_json(folder: Path) -> None:
    whole = json.loads(run(folder, "align", "sentences", "gold.mrg", "test.mrg", "-f", "json")[0])
    assert whole["options"] == {"text": "nfc+fold+quotes+dashes+escapes", "contractions": "en"}
    assert whole["counts"]["blocks"] == {
        "1-1": 2,
        "1-2": 0,
        "2-1": 1,
        "n-m": 0,
        "gold_alone": 0,
        "test_alone": 1,
    }
    assert whole["counts"]["groups"]["regrouped"] == {"groups": 1, "gold_words": 2, "test_words": 1}
    block = whole["blocks"][2]
    assert (block["gold_sentences"], block["test_sentences"], block["gold_lines"]) == ([2, 3], [2], [3, 4])
    assert block["groups"][3] == {"kind": "respelt", "gold": [[3, 0, "colour"]], "test": [[2, 3, "color"]]}
    assert whole["blocks"][3]["groups"] == [{"kind": "alone", "gold": [], "test": [[3, 0, "nothing"], [3, 1, "else"]]}]
    lines = run(folder, "align", "sentences", "gold.mrg", "test.mrg", "-f", "jsonl")[0].splitlines()
    assert [json.loads(line) for line in lines] == whole["blocks"]


def test_tsv(folder: Path) -> None:
    out, _ = run(folder, "align", "sentences", "gold.mrg", "test.mrg", "-f", "tsv", "-o", "out.tsv")
    assert out == ""
    rows = [line.split("\t") for line in (folder / "out.tsv").read_text(encoding="utf-8").splitlines()]
    assert rows[0] == ["block", "gold_sentences", "test_sentences", "kind", "gold_words", "test_words"]
    assert ["1", "1", "1", "regrouped", "data base", "database"] in rows
    assert ["2", "2 3", "2", "respelt", "colour", "color"] in rows
    assert rows[-1] == ["3", "", "3", "alone", "", "nothing else"]


@pytest.mark.parametrize(
    ("gold", "test", "expected"),
    [
        # Right to left: each cell is isolated, and padded by what is seen of it.
        (
            "(S (N הילד) (V אכל))",
            "(S (D ה) (N ילד) (V אכל))",
            "  gold  \u2068הילד\u2069       \u2068אכל\u2069\n"
            "  test  \u2068ה ילד\u2069      \u2068אכל\u2069\n"
            "        regrouped\n",
        ),
        # Wide characters.
        (
            "(S (N 北京大学) (V 喜欢))",
            "(S (N 北京) (N 大学) (V 喜欢))",
            "  gold  北京大学   喜欢\n  test  北京 大学  喜欢\n        regrouped\n",
        ),
        # Combining characters, and characters that a terminal would obey.
        (
            "(S (N e\u0301te\u0301) (N a\x1b[31m) (N b))",
            "(S (N ete) (N a\x1b[31m) (N \u202eb))",
            "  gold  e\u0301te\u0301      a\\x1b[31m  b\n  test  ete      a\\x1b[31m  \\u202eb\n",
        ),
    ],
)
def test_scripts(folder: Path, gold: str, test: str, expected: str) -> None:
    (folder / "a").write_text(gold, encoding="utf-8")
    (folder / "b").write_text(test, encoding="utf-8")
    assert expected in run(folder, "align", "sentences", "a", "b")[0]


def test_empty_and_unreadable(folder: Path) -> None:
    (folder / "a").write_text("(S (N a))\n(())\n(S (N b)\n(S (N c))\n")
    (folder / "b").write_text("(())\n(S (N a))\n(S (N c))\n")
    out, _ = run(folder, "align", "sentences", "a", "b", "--layout", "line")
    assert "1 problem" in out
    out, err = run(folder, "align", "sentences", "a", "b", "--layout", "line", "-f", "tsv")
    assert "1 problem" in err
    assert sum(line.count("\tequal\t") for line in out.splitlines()) == 2
    run(folder, "align", "sentences", "a", "b", "--layout", "line", "--strict", code=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("align", "sentences", "gold.mrg", "missing"), "missing: No such file"),
        (("align", "sentences", "-", "-"), "only one of the files"),
        (("align", "sentences", "gold.mrg", "test.mrg", "--text", "latin"), "'latin' should be one of nfc"),
        (
            ("align", "sentences", "gold.mrg", "test.mrg", "--contractions", "xx"),
            "the contraction file 'xx' cannot be read",
        ),
        (("align", "sentences", "gold.mrg", "test.mrg", "-f", "xml"), "invalid choice"),
        (("align", "sentences", "gold.mrg", "test.mrg", "-o", "no/such/folder"), "No such file"),
        (("align", "sentences", "empty", "test.mrg"), "there are no trees in it"),
        (("align", "trees", "gold.mrg", "test.mrg", "--matching", "lax"), "invalid choice"),
        (("align", "trees", "gold.mrg", "test.mrg", "--least", "0"), "whole number from 1"),
        (("align", "trees", "gold.mrg", "test.mrg", "--share", "1.5"), "number from 0 to 1"),
        (("align", "trees", "gold.mrg", "test.mrg", "--share", "nan"), "number from 0 to 1"),
        (("align", "tree", "gold.mrg", "test.mrg"), "did you mean 'trees'?"),
    ],
)
def test_failures(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    (folder / "empty").touch()
    assert message in run(folder, *arguments, code=2)[1]


def test_standard_input(folder: Path) -> None:
    out, _ = run(folder, "align", "sentences", "-", "test.mrg", stdin=GOLD)
    assert out.startswith("test.mrg against <stdin>\n")


def test_nobody_reads_on(folder: Path) -> None:
    """A closed pipe ends the command without complaint."""
    (folder / "many").write_text(GOLD * 2_000)
    (folder / "many.test").write_text(TEST * 2_000)
    command = [sys.executable, "-m", "treescore", "align", "sentences", "many", "many.test", "-f", "tsv"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


# align trees ---------------------------------------------------------------------------------------------------------


def test_table(folder: Path) -> None:
    out, err = run(folder, "align", "trees", "gold.mrg", "right.mrg", "--least", "1")
    assert err == ""
    assert out == (
        """\
gold.mrg and right.mrg (strict)

aligned                  share    counts
----------------------------------------
sentences of gold.mrg   100.00    4 of 4
sentences of right.mrg  100.00    4 of 4
words of gold.mrg       100.00  20 of 20
words of right.mrg      100.00  20 of 20
phrases of gold.mrg     100.00  13 of 13
phrases of right.mrg    100.00  13 of 13

labels     pairs  of left  of right  proposed
---------------------------------------------
NP ~ Ng        4   100.00    100.00     equal
S ~ CL         4   100.00    100.00     equal
VP ~ Vg        4   100.00    100.00     equal
ADJP ~ NP      1   100.00    100.00     equal

4 proposed as equal: from 1 pair and 50 % of either label on (-f prm writes EVALB's EQ_LABEL)
"""
    )


def test_modes_and_profiles(folder: Path) -> None:
    strict, loose, collins = (
        json.loads(run(folder, "align", "trees", "gold.mrg", "test.mrg", "-f", "json", *more)[0])
        for more in ((), ("--matching", "loose"), ("--profile", "collins"))
    )
    assert strict["counts"]["aligned_words"] == loose["counts"]["aligned_words"] == 17
    assert (strict["counts"]["aligned_phrases_left"], loose["counts"]["aligned_phrases_left"]) == (9, 12)
    assert collins["counts"]["words_left"] == 16
    assert collins["options"]["profile"] == "collins"
    assert strict["labels"]["right"]["FRAG"] == {"phrases": 1, "aligned": 0}


def test_pairs_and_tsv(folder: Path) -> None:
    rows = [
        line.split("\t")
        for line in run(folder, "align", "trees", "gold.mrg", "test.mrg", "-f", "pairs")[0].splitlines()
    ]
    assert rows[0][:4] == ["left_sentence", "left_label", "left_start", "left_end"]
    assert ["3", "VP", "1", "2", "2", "VP", "4", "5"] in rows
    rows = [
        line.split("\t") for line in run(folder, "align", "trees", "gold.mrg", "right.mrg", "-f", "tsv")[0].splitlines()
    ]
    assert rows[0] == ["left", "right", "pairs", "left_share", "right_share", "proposed"]
    assert rows[1] == ["NP", "Ng", "4", "1.000000", "1.000000", "no"]


def test_prm(folder: Path) -> None:
    """The proposals come back as they were, and do what they are for."""
    out, _ = run(folder, "align", "trees", "gold.mrg", "right.mrg", "-f", "prm", "--least", "1", "-o", "labels.prm")
    assert out == ""
    parameters = Parameters()
    assert parameters.add((folder / "labels.prm").read_bytes()) == []
    assert parameters.equal == [("NP", "Ng"), ("S", "CL"), ("VP", "Vg"), ("ADJP", "NP")]
    assert "NP is a label of both sides" in (folder / "labels.prm").read_text()
    assert "Labelled F1                   0.00" in run(folder, "gold.mrg", "right.mrg", "--profile", "none")[0]
    assert "Labelled F1                 100.00" in run(folder, "gold.mrg", "right.mrg", "-p", "labels.prm")[0]


def test_cite(folder: Path) -> None:
    assert "@inproceedings{calder-1997-aligning," in run(folder, "info", "--cite", "align trees")[0]


@pytest.mark.parametrize("command", ["sentences", "trees"])
def test_a_file_of_another_kind(folder: Path, command: str) -> None:
    (folder / "table.csv").write_text("a,b,c\n1,2,3\n")
    _, err = run(folder, "align", command, "table.csv", "test.mrg", code=2)
    assert "not one tree could be read" in err
