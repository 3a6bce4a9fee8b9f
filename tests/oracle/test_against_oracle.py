"""The evalb commands against the plain Python oracle, on random input of every kind."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from command import evalb
from oracle.evalb import run
from oracle.pairs import make_case


def check(seed: int, folder: Path, *, spmrl: bool) -> int:
    """Compare one random case; returns the number of its pairs."""
    case = make_case(random.Random(seed), spmrl=spmrl)
    (folder / "gold").write_bytes(case.gold)
    (folder / "test").write_bytes(case.test)
    if case.prm is not None:
        (folder / "prm").write_bytes(case.prm)
    expected = run(case.arguments(), spmrl=spmrl, cwd=folder)
    output = evalb(case.arguments(), folder, spmrl=spmrl)
    assert output == expected, f"seed {seed}"
    return max(len(case.gold.split(b"\n")), len(case.test.split(b"\n"))) - 1


@pytest.mark.parametrize("spmrl", [False, True], ids=["evalb", "spmrl"])
@pytest.mark.parametrize("block", range(10))
def test_random_cases(block: int, spmrl: bool, tmp_path: Path) -> None:
    for seed in range(block * 200, block * 200 + 200):
        check(seed, tmp_path, spmrl=spmrl)
