"""`treescore cross-framework` in processes of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FILES = {
    "a.gold": "(S (NP-SBJ (NN cats)) (VP (VBP eat) (NP-OBJ (NN fish))))\n",
    "b.gold": "(S (N-SBJ cats) (V eat) (N-OBJ fish))\n",
    "b.parsed": "(S (N-OBJ cats) (V eat) (N-OBJ fish))\n",
    "none": "()\n",
    "empty": "",
    "words": "not\na tree\n",
    "c.conllu": "1\tcats\t_\tX\t_\t_\t2\tSBJ\t_\t_\n2\teat\t_\tX\t_\t_\t0\troot\t_\t_\n"
    "3\tfish\t_\tX\t_\t_\t2\tOBJ\t_\t_\n\n",
    "no-head.conllu": "1\tcats\t_\tX\t_\t_\t7\tSBJ\t_\t_\n2\teat\t_\tX\t_\t_\t0\troot\t_\t_\n"
    "3\tfish\t_\tX\t_\t_\t2\tOBJ\t_\t_\n\n",
}


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "treescore", "cross-framework", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


BOTH = ("-g1", "a.gold", "-p1", "a.gold", "-g2", "b.gold", "-p2", "b.parsed")


def test_table(tmp_path: Path) -> None:
    done = run(tmp_path, *BOTH, "--per-sentence")
    assert (done.returncode, done.stderr) == (0, "")
    assert "a.gold    100.00    100.00      1          1       0      4\n" in done.stdout
    assert "b.parsed   50.00     50.00      0          1       2      4\n" in done.stdout
    assert "experimental" in done.stdout


def test_json(tmp_path: Path) -> None:
    done = run(tmp_path, *BOTH, "-f", "json", "-o", "out.json")
    assert (done.returncode, done.stdout) == (0, "")
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert [scheme["corpus"] for scheme in found["schemes"]] == [1.0, 0.5]
    assert found["schemes"][1]["sentences"]["errors"] == [2]


def test_problems(tmp_path: Path) -> None:
    done = run(tmp_path, "-g1", "a.gold", "-p1", "none", "-g2", "b.gold", "-p2", "b.parsed", "--strict")
    assert done.returncode == 1
    assert "none: no tree (scored as if nothing were found)" in done.stdout
    assert done.stderr == "treescore: --strict, and 1 problem: 1 unparsed\n"


def test_conllu(tmp_path: Path) -> None:
    done = run(tmp_path, "-g1", "a.gold", "-p1", "a.gold", "-g2", "c.conllu", "-p2", "c.conllu", "-f", "json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert [(scheme["corpus"], scheme["nodes"]) for scheme in found["schemes"]] == [(1.0, 4), (1.0, 4)]
    assert found["problems"] == []


def test_conllu_without_a_head(tmp_path: Path) -> None:
    done = run(tmp_path, "-g1", "a.gold", "-p1", "a.gold", "-g2", "c.conllu", "-p2", "no-head.conllu")
    assert (done.returncode, done.stderr) == (0, "")
    assert "no-head.conllu:1: HEAD is 7" in done.stdout
    assert "there is a word whose head is not known" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (BOTH[:4], "at least two schemes"),
        (BOTH[:6], "scheme 2 needs both -g2 and -p2"),
        (("-g1", "-", "-p1", "-", *BOTH[4:]), "only one file"),
        (("-g1", "missing", *BOTH[2:]), "missing: "),
        (("-g1", "empty", *BOTH[2:]), "there are no trees in it"),
        (("-g1", "words", *BOTH[2:]), "not one tree could be read"),
    ],
)
def test_what_is_refused(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
