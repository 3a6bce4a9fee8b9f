"""sparseval, headtrees and strealign against recorded output of the original programs, byte for byte."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from command import sparseval
from oracle.sparseval import Undefined, main as oracle

RECORDED = json.loads(lzma.decompress((Path(__file__).parent / "sparseval.json.xz").read_bytes()))
CASES = [pytest.param(case, id=case["name"]) for case in RECORDED["cases"]]
CRASHES = [pytest.param(case, id=case["name"]) for case in RECORDED["crashes"]]

BANNER = 7  # lines of -v, which all crashes were recorded with

Program = Callable[[Sequence[str], Path], tuple[bytes, bytes, int]]


def write_files(case: dict[str, Any], folder: Path) -> None:
    for name, content in case["files"].items():
        (folder / name).write_bytes(content.encode("latin-1"))


def is_usage(text: str) -> bool:
    """Help texts are our own."""
    return "[-opts]" in text


def check(case: dict[str, Any], program: Program, folder: Path, *, usage: bool) -> None:
    """The program says, returns and writes what the original did."""
    write_files(case, folder)
    stdout, stderr, code = program(case["cmd"], folder)
    assert stdout.decode("latin-1") == case["stdout"]
    assert code == case["code"]
    for name, content in case["written"].items():
        assert (folder / name).read_bytes().decode("latin-1") == content
    if usage or not is_usage(case["stderr"]):
        assert stderr.decode("latin-1") == case["stderr"]


@pytest.mark.parametrize("case", CASES)
def test_command(case: dict[str, Any], tmp_path: Path) -> None:
    check(case, sparseval, tmp_path, usage=False)


@pytest.mark.parametrize("case", CASES)
def test_oracle(case: dict[str, Any], tmp_path: Path) -> None:
    check(case, oracle, tmp_path, usage=True)


@pytest.mark.parametrize("case", CRASHES)
def test_command_explains_a_crash(case: dict[str, Any], tmp_path: Path) -> None:
    """Where the original crashed there is a message instead, or what would be expected."""
    write_files(case, tmp_path)
    stdout, stderr, code = sparseval(case["cmd"], tmp_path)
    if code == 0:
        assert b"\nSummary\n" in stdout
    else:
        assert stderr.splitlines()[BANNER:]


@pytest.mark.parametrize("case", CRASHES)
def test_oracle_knows_a_crash(case: dict[str, Any], tmp_path: Path) -> None:
    write_files(case, tmp_path)
    with pytest.raises(Undefined):
        oracle(case["cmd"], tmp_path)


def test_the_file_holds_what_it_should() -> None:
    programs = [case["cmd"][0] for case in RECORDED["cases"]]
    assert {name: programs.count(name) for name in set(programs)} == {"sparseval": 172, "headtrees": 8, "strealign": 3}
    assert len(CRASHES) == 7
