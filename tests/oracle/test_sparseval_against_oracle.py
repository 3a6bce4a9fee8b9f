"""sparseval, heads and realign against the plain Python oracle, on random input of every kind."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from command import sparseval
from oracle.sparseval import Undefined, main as oracle
from oracle.sparseval_inputs import Case, make_bag_case, make_case, make_figures_case, make_long_line_case

Outcome = tuple[bytes, bytes, int, dict[str, bytes]]


def outcome(program: Callable[[Sequence[str], Path], tuple[bytes, bytes, int]], case: Case, folder: Path) -> Outcome:
    """What a run prints, returns and writes; the text of a usage message is our own."""
    folder.mkdir()
    try:
        for name, content in case.files.items():
            (folder / name).write_bytes(content)
        stdout, stderr, code = program(case.argv, folder)
        written = {name: (folder / name).read_bytes() for name in case.written if (folder / name).exists()}
        return stdout, stderr, code, written
    finally:
        shutil.rmtree(folder)


def check(case: Case, folder: Path, name: str) -> bool:
    """Compare one case; False if the original does not define what happens."""
    actual = outcome(sparseval, case, folder / "command")
    try:
        expected = outcome(oracle, case, folder / "oracle")
    except Undefined:
        return False
    if b"[-opts]" in expected[1]:
        actual, expected = (actual[0], b"", *actual[2:]), (expected[0], b"", *expected[2:])
    assert actual == expected, f"{name}: {' '.join(case.argv)}"
    return True


def check_seeds(seeds: range, folder: Path) -> None:
    """Most of the cases must be defined, or else nothing is tested."""
    defined = [check(make_case(random.Random(seed)), folder, f"seed {seed}") for seed in seeds]
    assert defined.count(False) * 3 <= len(defined)


@pytest.mark.parametrize("block", range(15))
def test_random_cases(block: int, tmp_path: Path) -> None:
    check_seeds(range(block * 100, block * 100 + 100), tmp_path)


@pytest.mark.parametrize("block", range(10))
def test_bags_with_ties(block: int, tmp_path: Path) -> None:
    """Which of several equally good alignments is taken shows in the count of open matches."""
    for seed in range(block * 25, block * 25 + 25):
        rng = random.Random(f"bag {seed}")
        size = rng.choice((20, 60, 120, 200))
        case = make_bag_case(rng, size + rng.randint(-15, 15), size + rng.randint(-15, 15))
        assert check(case, tmp_path, f"seed {seed}")


@pytest.mark.long
def test_many_bags_with_ties(tmp_path: Path) -> None:
    for seed in range(1_000, 4_000):
        rng = random.Random(f"bag {seed}")
        case = make_bag_case(rng, rng.randint(1, 300), rng.randint(1, 300))
        assert check(case, tmp_path, f"seed {seed}")


#: The sequence matcher looks at a band of 2,000 dependencies to either side, and forgets the last column beyond it.
@pytest.mark.parametrize(
    ("gold", "test"),
    [
        (2_300, 60),
        (60, 2_300),
        (1_200, 2_600),
        *(
            pytest.param(gold, test, marks=pytest.mark.long)
            for gold, test in ((2_100, 2_100), (2_600, 1_200), (4_500, 2_300), (2_300, 4_500), (5_000, 5_000))
        ),
    ],
)
def test_bags_beyond_the_band(gold: int, test: int, tmp_path: Path) -> None:
    assert check(make_bag_case(random.Random(gold * test), gold, test), tmp_path, f"{gold} against {test}")


@pytest.mark.parametrize("seed", range(20))
def test_lines_as_long_as_the_buffer(seed: int, tmp_path: Path) -> None:
    check(make_long_line_case(random.Random(f"line {seed}")), tmp_path, f"seed {seed}")


@pytest.mark.parametrize("seed", range(40))
def test_figures_in_single_precision(seed: int, tmp_path: Path) -> None:
    assert check(make_figures_case(random.Random(f"figures {seed}")), tmp_path, f"seed {seed}")


TREES = b"(TOP (S (NP (DT the) (NN cup)) (VP (VBZ stands))))\n"
HEADS = b"*default* (r)\n"


@pytest.mark.parametrize(
    ("flags", "files"),
    [
        (["-b"], {"gold": b"(TOP (A a) (B b))\n", "params": b"EDIT_LABEL TOP\n"}),  # the root is an edit
        ([], {"gold": b"(TOP (A a) (B b))\n", "params": b"EDIT_LABEL TOP\n"}),
        ([], {"gold": b"(TOP (E2 a) (E2 b))\n", "params": b"EDIT_LABEL TOP\nEDIT_LABEL E2\n"}),
        (["-a", "align"], {"align": b"\tQ\t\x00010\n"}),  # what follows a NUL is the code all the same
        (["-c"], {"gold": TREES + b"(TOP (S\n", "test": b"(TOP\n"}),  # faults on both sides: gold is read first
        (["-c"], {"gold": TREES + b"(TOP (S\n", "test": b""}),
        (["-b"], {"params": b"".join(b"FILLED_PAUSE1 p%d\n" % number for number in range(300))}),
    ],
)
def test_odd_corners(flags: list[str], files: dict[str, bytes], tmp_path: Path) -> None:
    whole = {"gold": TREES, "params": b"", "heads": HEADS, **files}
    whole.setdefault("test", whole["gold"])
    case = Case(["sparseval", "-v", *flags, "-p", "params", "-h", "heads", "gold", "test"], whole)
    assert check(case, tmp_path, " ".join(flags))
