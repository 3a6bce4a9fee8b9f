"""`treescore align words` in processes of its own: formats, options, failures, and what it imports."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command import treescore

REF = "The cat sat down (s-1)\nhello { um / @ } world (s-2)\nb (c) ca- (s-3)\n"
HYP = "the cap down (s-1)\nhello world now (s-2)\nb cat (s-3)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ref.trn").write_text(REF, encoding="utf-8")
    (tmp_path / "hyp.trn").write_text(HYP, encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0, stdin: str = "") -> tuple[str, str]:
    """Standard output and standard error."""
    return treescore(folder, "align", "words", *arguments, code=code, stdin=stdin)


def test_text(folder: Path) -> None:
    out, err = run(folder, "ref.trn", "hyp.trn")
    assert err == ""
    assert out.startswith("hyp.trn against ref.trn\n\n(s-1)\nREF:  the CAT SAT down\nHYP:  the *** CAP down\n")
    assert out.endswith(
        "Word error rate 55.56  (5 errors, 9 words)\n3 utterances: 5 correct, 2 substituted, 2 deleted, 1 inserted\n"
    )


@pytest.mark.parametrize(
    ("options", "rate"),
    [
        ((), "55.56"),
        (("--case-sensitive",), "66.67"),
        (("--optional",), "44.44"),
        (("--fragments",), "44.44"),
        (("--costs", "unit", "--tie", "late_gap"), "55.56"),
        (("--costs", "1/1/3"), "77.78"),
        (("--characters",), "36.67"),
    ],
)
def test_options(folder: Path, options: tuple[str, ...], rate: str) -> None:
    assert f"Word error rate {rate} " in run(folder, "ref.trn", "hyp.trn", *options)[0]


@pytest.mark.parametrize("form", ["pra", "sgml", "sparseval"])
def test_alignments_can_be_read_again(folder: Path, form: str) -> None:
    out, err = run(folder, "ref.trn", "hyp.trn", "-f", form, "-o", f"out.{form}")
    assert out.startswith("Word error rate 55.56 ")
    assert err == ""
    assert "Word error rate 55.56 " in run(folder, f"out.{form}")[0]
    text = (folder / f"out.{form}").read_text(encoding="utf-8")
    assert run(folder, "-", "-f", form, stdin=text)[0].splitlines()[-3:] == text.splitlines()[-3:]


def test_json_and_tsv(folder: Path) -> None:
    data = json.loads(run(folder, "ref.trn", "hyp.trn", "-f", "json")[0])
    assert data["counts"] == {"correct": 5, "substitutions": 2, "deletions": 2, "insertions": 1}
    assert data["wer"] == pytest.approx(5 / 9)
    assert data["utterances"][0]["ops"] == [["C", 0, 0], ["D", 1, None], ["S", 2, 1], ["C", 3, 2]]
    rows = [line.split("\t") for line in run(folder, "ref.trn", "hyp.trn", "-f", "tsv")[0].splitlines()]
    assert rows[0] == ["id", "op", "ref", "hyp", "ref_begin", "ref_end", "hyp_begin", "hyp_end"]
    assert rows[1] == ["s-1", "C", "The", "the", "", "", "", ""]
    assert len(rows) == 11


def test_times(folder: Path) -> None:
    (folder / "ref.ctm").write_text("f A 0.0 0.5 the\nf A 0.5 0.5 cat\n")
    (folder / "hyp.ctm").write_text("f A 0.0 0.5 a\nf A 0.5 0.5 the\n")
    (folder / "ref.stm").write_text("f A s 0.0 1.0 the cat\n")
    assert "1 correct, 0 substituted" in run(folder, "ref.ctm", "hyp.ctm")[0]
    assert "0 correct, 2 substituted" in run(folder, "ref.ctm", "hyp.ctm", "--time")[0]
    assert "1 correct, 0 substituted" in run(folder, "ref.stm", "hyp.ctm")[0]
    assert "0.5\t1\n" in run(folder, "ref.stm", "hyp.ctm", "-f", "tsv")[0]
    assert "without times" in run(folder, "ref.stm", "hyp.ctm", "--time", code=2)[1]


def test_problems(folder: Path) -> None:
    (folder / "faulty.trn").write_text("the cat (s-1)\nwhat\nx (s-9)\n")
    out, _ = run(folder, "ref.trn", "faulty.trn")
    assert "4 problems: 1 no-id, 1 no-reference, 2 no-hypothesis\n  faulty.trn:2:4: this line does not end" in out
    _, err = run(folder, "ref.trn", "faulty.trn", "-f", "sparseval")
    assert err == "treescore: 4 problems: 1 no-id, 1 no-reference, 2 no-hypothesis (-f json lists them)\n"
    _, err = run(folder, "ref.trn", "faulty.trn", "--strict", code=2)
    assert err.startswith("treescore: error: faulty.trn:2:4: this line does not end in the id")
    (folder / "fewer.trn").write_text("the cat (s-1)\n")
    assert "--strict, and 2 problems" in run(folder, "ref.trn", "fewer.trn", "--strict", code=1)[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ref.trn", "missing.trn"), "missing.trn: No such file"),
        (("ref.trn",), "name the hypothesis, too"),
        (("-", "-"), "only one of the files can be standard input"),
        (("ref.trn", "hyp.trn", "--costs", "3/4"), "not unit or of the form 3/3/4"),
        (("ref.trn", "hyp.trn", "--costs", "0/1/1"), "not 0.0"),
        (("ref.trn", "hyp.trn", "-f", "xml"), "invalid choice"),
        (("ref.trn", "hyp.trn", "-o", "no/such/folder"), "No such file"),
        (("odd", "hyp.trn"), "the format of this file is unknown"),
        (("odd", "hyp.trn", "--ref-format", "ctm"), "ctm cannot be aligned with trn"),
        ((), "required"),
    ],
)
def test_failures(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    (folder / "odd").write_text("what is this\n")
    assert message in run(folder, *arguments, code=2)[1]


def test_help(folder: Path) -> None:
    out, _ = run(folder, "--help")
    assert "examples:" in out
    assert "exit code:" in out


def test_nothing_heavy_is_imported(folder: Path) -> None:
    code = (
        "import sys; from treescore.cli import main; assert main(['align', 'words', 'ref.trn', 'hyp.trn']) == 0; "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120, check=True
    )
    heavy = {"numpy", "json", "dataclasses", "importlib.metadata", "treescore.scoring.evaluation", "treescore.metrics"}
    assert heavy.isdisjoint(done.stderr.split())
