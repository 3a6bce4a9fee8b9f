"""The evalb commands against the plain Python oracle, on random input of every kind."""

from __future__ import annotations

import io
import os
import random
import sys
from pathlib import Path

import pytest
from evalb import Result, run
from pairs import Case, make_case

from treescore.cli.evalb import main


def ours(case: Case, folder: Path, *, spmrl: bool) -> Result:
    """What our command prints and writes, run inside the folder."""
    streams = sys.stdout, sys.stderr, Path.cwd()
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    try:
        sys.stdout, sys.stderr = out, err
        os.chdir(folder)
        code = main(case.arguments(), spmrl=spmrl)
    finally:
        sys.stdout, sys.stderr = streams[:2]
        os.chdir(streams[2])
    out.flush()
    status = folder / "status"
    written = status.read_bytes() if status.exists() else None
    status.unlink(missing_ok=True)
    return Result(out.buffer.getvalue(), err.buffer.getvalue(), code, written)


def check(seed: int, folder: Path, *, spmrl: bool) -> None:
    """Compare one random case."""
    case = make_case(random.Random(seed), spmrl=spmrl)
    (folder / "gold").write_bytes(case.gold)
    (folder / "test").write_bytes(case.test)
    if case.prm is not None:
        (folder / "prm").write_bytes(case.prm)
    expected = run(case.arguments(), spmrl=spmrl, cwd=folder)
    found = ours(case, folder, spmrl=spmrl)
    assert (found.stdout, found.stderr, found.code, found.status) == (
        expected.stdout,
        expected.stderr,
        expected.code,
        expected.status,
    ), f"seed {seed}"


@pytest.mark.parametrize("spmrl", [False, True], ids=["evalb", "spmrl"])
@pytest.mark.parametrize("block", range(10))
def test_random_cases(block: int, spmrl: bool, tmp_path: Path) -> None:
    for seed in range(block * 200, block * 200 + 200):
        check(seed, tmp_path, spmrl=spmrl)


@pytest.mark.long
@pytest.mark.parametrize("spmrl", [False, True], ids=["evalb", "spmrl"])
def test_many_random_cases(spmrl: bool, tmp_path: Path) -> None:
    for seed in range(10_000, 60_000):
        check(seed, tmp_path, spmrl=spmrl)
