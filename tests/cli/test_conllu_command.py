"""CoNLL-U files given to `treescore GOLD TEST`, in processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command import treescore_inside

from treescore.readers.conllu import read_conllu
from treescore.scoring.evaluation import conllu_eval

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
    code, out, err = run(folder, "gold", "test", "-f", "conll")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "LAS F1 Score: 100.00",
        "MLAS Score: 0.00",
        "BLEX Score: 100.00",
        "ELAS F1 Score: 0.00",
        "EULAS F1 Score: 0.00",
    ]
    assert (
        "UPOS       |         1 |         2 |         2 |         2\n"
        in run(folder, "gold", "test", "-f", "conll-counts")[1]
    )
    assert "EULAS" not in run(folder, "gold", "test", "-f", "conll-rates", "-m", "conllu_eval|enhanced:no")[1]


def test_formats_of_ours(folder: Path) -> None:
    code, out, _ = run(folder, "gold", "test", "-f", "json", "--per-sentence", "--by", "length")
    data = json.loads(out)
    assert code == 0
    assert data["scores"][0]["parts"]["upos"] == 0.5
    assert data["scores"][0]["sentences"][0]["words_gold"] == 2
    assert data["gold"]["sha256"]
    code, out, _ = run(folder, "gold", "test", "--fail-under", "upos=60")
    assert code == 1
    assert "UPOS F1" in out
    code, out, _ = run(folder, "gold", "capital", "-m", "conllu_eval|text:folded", "-f", "jsonl")
    assert json.loads(out)["value"] == 1.0
    assert run(folder, "-", "test", stdin=GOLD)[0] == 0
    assert run(folder, "gold", "test", "-f", "conll", "-o", "out.txt")[:2] == (0, "")
    assert (folder / "out.txt").read_text().startswith("LAS F1")


def test_problems(folder: Path) -> None:
    code, out, err = run(folder, "gold", "roots", "-f", "conll")
    assert code == 0
    assert out.startswith("LAS F1 Score: 50.00\n")
    assert err == "treescore: 1 problem: 1 roots (-f json lists them)\n"
    assert "roots:2: a second root" in run(folder, "gold", "roots")[1]
    assert run(folder, "gold", "roots", "-f", "conll", "--multiple-roots")[2] == ""
    code, out, err = run(folder, "--strict", "gold", "roots")
    assert (code, out) == (2, "")
    assert err.startswith("treescore: error: roots:2: a second root")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gold", "capital"], "the texts of both files differ from character 1 on"),
        (["gold", "trees", "-m", "conllu_eval"], "this is not CoNLL-U"),
        (["gold", "empty", "-m", "conllu_eval"], "differ from character 1 on"),
        (["empty", "empty", "-m", "conllu_eval"], "there are no sentences in it"),
        (["gold", "nowhere"], "nowhere: No such file"),
        (["-", "-"], "only one of the files can be"),
        (["trees", "trees", "-f", "conll"], "the format conll is for CoNLL-U files and conllu_eval, not for parseval"),
        (["trees", "trees", "--multiple-roots"], "--multiple-roots is for CoNLL-U files"),
        (["--per-sentence", "gold", "test", "-f", "conll"], "the format conll has its own rows"),
        (["gold", "trees"], "gold is CoNLL-U, but trees is not"),
        (["trees", "gold"], "gold is CoNLL-U, but trees is not"),
        (["gold", "test", "-m", "parseval"], "parseval compares trees, and these files are CoNLL-U"),
        (["gold", "test", "--profile", "spmrl"], "--profile is for trees; conllu_eval scores CoNLL-U"),
        (["gold", "test", "--disconly"], "--disconly is for trees; conllu_eval scores CoNLL-U"),
        (["gold", "test", "--encoding", "latin-1"], "--encoding is for trees; conllu_eval scores CoNLL-U"),
        (["gold", "test", "--input-format", "export"], "--input-format is for trees; conllu_eval scores CoNLL-U"),
        (["gold", "test", "--functions", "add"], "--functions is for trees; conllu_eval scores CoNLL-U"),
        (["gold", "test", "--layout", "line"], "--layout is for trees; conllu_eval scores CoNLL-U"),
        (["gold", "-"], "the texts of both files differ from character 1 on"),
        (["gold", "test", "--by", "label"], "--by label is for trees; conllu_eval scores CoNLL-U"),
        (["gold", "test", "-f", "evalb"], "-f evalb is for trees; conllu_eval scores CoNLL-U"),
        (["trees", "trees", "-m", "conllu_eval"], "this is not CoNLL-U"),
    ],
)
def test_failures(folder: Path, arguments: list[str], message: str) -> None:
    code, out, err = run(folder, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("treescore: error: ")
    assert message in err
    assert "Traceback" not in err


def sentences(wrong: int) -> str:
    """Three documents of four sentences, of which the first so many have a wrong head."""
    texts = []
    for number in range(12):
        heads = ("2", "0") if number >= wrong else ("0", "1")
        lines = [f"{n}\tw{n}\t_\tX\t_\t_\t{head}\tdep\t_\t_" for n, head in enumerate(heads, 1)]
        texts.append("\n".join([f"# sent_id = d{number // 4}-s{number}", "# text = w1 w2", *lines, "", ""]))
    return "".join(texts)


@pytest.mark.parametrize("command", ["report", "show"])
@pytest.mark.parametrize("metric", [[], ["-m", "conllu_eval"], ["-m", "parseval"]], ids=str)
def test_what_needs_trees_says_what_scores_conllu(folder: Path, command: str, metric: list[str]) -> None:
    out, output = treescore_inside(
        folder, command, "gold", "test", *metric, *["-o", "page.html"][: 2 * (command == "report")], code=2
    )
    assert not out and output.count("\n") == 1
    assert "CoNLL-U, which has no trees" in output and "treescore GOLD TEST scores " in output
    assert "use " not in output


def test_intervals(tmp_path: Path) -> None:
    for name, wrong in (("gold", 0), ("test", 5)):
        (tmp_path / name).write_text(sentences(wrong), encoding="utf-8")
    options = ("--ci", "--ci-samples", "50", "--ci-unit", "document", "-f", "json")
    whole, _ = treescore_inside(tmp_path, "gold", "test", *options)
    (score,) = json.loads(whole)["scores"]
    result = conllu_eval(sentences(0), sentences(5)).intervals(n=50, unit="document")["las"]
    assert score["interval"]["low"] == result.low and score["interval"]["high"] == result.high
    assert score["full_signature"].endswith("|ci:percentile|level:0.95|n:50|seed:1|unit:document")
    for arguments, message in (
        (("--ci", "-f", "conll"), "has no intervals"),
        (("--ci-seed", "1"), "--ci-seed needs --ci"),
    ):
        assert message in treescore_inside(tmp_path, "gold", "test", *arguments, code=2)[1]


def test_ids() -> None:
    text = sentences(0)
    assert read_conllu(text).ids == tuple(f"d{number // 4}-s{number}" for number in range(12))
    assert read_conllu(text.replace("\n", "\r\n"), on_error="keep").ids == read_conllu(text).ids
    assert read_conllu(text.replace("# sent_id = d0-s3\n", "")).ids is None
    assert read_conllu(text.replace("\n2\tw2", "\n# sent_id = x\n2\tw2", 1), on_error="keep").ids is None
    assert read_conllu(text.replace("= w1 w2", "= w1 # sent_id = x")).ids == read_conllu(text).ids


def test_compare(tmp_path: Path) -> None:
    for name, wrong in (("gold", 0), ("good", 1), ("poor", 9)):
        (tmp_path / name).write_text(sentences(wrong), encoding="utf-8")
    (tmp_path / "trees").write_text("(S (NN a))\n", encoding="utf-8")
    files = ("compare", "gold", "good", "poor", "--ci-samples", "300")
    data = json.loads(treescore_inside(tmp_path, *files, "-f", "json")[0])
    (metric,) = data["metrics"]
    assert (metric["name"], metric["figure"]) == ("conllu_eval", "las")
    assert [(system["value"], system["letters"]) for system in metric["systems"]] == [(11 / 12, "a"), (0.25, "b")]
    (pair,) = metric["pairs"]
    assert (pair["wins"], pair["losses"], pair["ties"], pair["test"]["p"]) == (8, 0, 4, 2 / 2**8)
    data = json.loads(treescore_inside(tmp_path, *files, "-f", "json", "--ci-unit", "document", "--figure", "uas")[0])
    assert data["metrics"][0]["pairs"][0]["test"]["rows"] == 3
    for arguments, message in (
        (("gold", "good", "trees"), "gold is CoNLL-U, but trees is not"),
        (("gold", "good", "poor", "-m", "parseval"), "parseval compares trees, and these files are CoNLL-U"),
        (("gold", "good", "poor", "--profile", "spmrl"), "--profile is for trees; conllu_eval scores CoNLL-U"),
        (("gold", "good", "poor", "-o", "good"), "good is an input file"),
    ):
        assert message in treescore_inside(tmp_path, "compare", *arguments, code=2)[1]
