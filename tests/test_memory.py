"""Memory is bounded: of streams whatever they contain, and of large trees by one budget for all threads."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from itertools import repeat
from pathlib import Path

import pytest

import treescore
from treescore import _core
from treescore.helpers import memory

MB = 1 << 20
BUDGET = 2 << 30  # of all tests
TREE = b"(S (NN a) (VP (VB b)))\n"
#: Runs a command and writes its exit code and peak memory in MB behind its output.
#: (`ru_maxrss` would include the memory of the process that started the command.)
MEASURED = (
    "import re, sys; from treescore.cli import main; code = main(sys.argv[1:]); "
    "status = open('/proc/self/status').read(); "
    "print(); print(code, int(re.search(r'VmHWM:\\s+([0-9]+)', status)[1]) >> 10)"
)


def measured(folder: Path, text: Iterable[bytes], *options: str) -> tuple[int, int, str]:
    """Exit code, peak memory in MB and output of scoring a text in a pipe against one tree."""
    (folder / "gold").write_bytes(TREE)
    command = [sys.executable, "-c", MEASURED, "gold", "-", "-m", "parseval", *options]
    with (folder / "output").open("wb+") as output:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=output, cwd=folder)
        assert process.stdin
        try:
            for piece in text:
                process.stdin.write(piece)
            process.stdin.close()
        except BrokenPipeError:  # the text is refused
            pass
        process.wait(timeout=600)
        output.seek(0)
        text_of_output, _, last = output.read().decode().rstrip().rpartition("\n")
    code, peak = map(int, last.split())
    return code, peak, text_of_output


def blank_lines(size: int) -> Iterator[bytes]:
    yield TREE
    yield from repeat(b"\n" * MB, size)


def test_blank_lines_need_constant_memory(tmp_path: Path) -> None:
    code, peak, output = measured(tmp_path, blank_lines(250))
    assert code == 0 and "1 of 1" in output
    assert peak < 180


@pytest.mark.parametrize("piece", [b"word " * (MB // 5), b"(NN word)" * (MB // 9), b"(S " * (MB // 3), b"\0" * MB])
def test_a_line_without_end_is_refused(piece: bytes, tmp_path: Path) -> None:
    code, peak, output = measured(tmp_path, repeat(piece), "--memory", "160M")
    assert code == 2
    assert output.strip().startswith("treescore: error: <stdin>: this ") and "\n" not in output.strip()
    assert peak < 250


@pytest.mark.parametrize("layout", ["auto", "line", "multiline"])
@pytest.mark.parametrize("inside", [b"(NN word)", b"(NN word)\n "])
def test_a_tree_that_is_too_long_is_a_problem_and_the_others_are_scored(
    layout: str, inside: bytes, tmp_path: Path
) -> None:
    if layout == "line" and b"\n" in inside:
        return
    size = 20 * MB // len(inside)
    after = b"x\n " if layout == "line" else b"\n"
    (tmp_path / "test").write_bytes(TREE * 2000 + b"(S " + inside * size + b")" + after + TREE * 3000)
    (tmp_path / "gold").write_bytes(TREE * 5001)
    memory.set_budget(128 * MB)
    try:
        report = treescore.evaluate_stream(
            tmp_path / "gold", tmp_path / "test", "parseval", chunk=MB, layout=layout, form="brackets"
        )
    finally:
        memory.set_budget(BUDGET)
    own = [problem for problem in report.problems if problem.code == "too-large"]
    assert [(problem.unit, problem.line) for problem in own] == [(2001, 2001)]
    if layout != "line":
        assert report["parseval"].counts.total()["valid"] == 5000


def test_millions_of_tiny_trees(tmp_path: Path) -> None:
    data = b"(A a)\n" * 1_000_000
    (tmp_path / "gold").write_bytes(data)
    code = f"{MEASURED.replace('sys.argv[1:]', str(['gold', 'gold']))}"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "1,000,000 of 1,000,000" in done.stdout
    assert int(done.stdout.split()[-1]) < 260  # all rows would need more than 350


@pytest.mark.parametrize("text", ["", "0", "x", "-1", "5T"])
def test_a_budget_that_is_no_size(text: str, tmp_path: Path) -> None:
    (tmp_path / "gold").write_bytes(TREE)
    done = subprocess.run(
        [sys.executable, "-m", "treescore", "gold", "gold", "--memory", text],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2 and done.stderr.count("\n") == 1


def zigzag(words: int, first: int) -> str:
    """A deep tree that branches left and right in turn."""
    before, after, low, high = [], [], 0, words - 1
    for level in range(first, first + words - 1):
        if level % 2:
            before.append(f"(X (T {low}) ")
            after.append(")")
            low += 1
        else:
            before.append("(X ")
            after.append(f" (T {high}))")
            high -= 1
    return "".join(before) + f"(T {low})" + "".join(reversed(after))


SIZES = (60, 120, 180, 240) * 3
GOLD, TEST = (treescore.read("\n".join(zigzag(words, first) for words in SIZES)) for first in (0, 1))


def rows(metric: str, budget: int, threads: int) -> dict[str, list[int]]:
    """All columns of the counts with this budget."""
    memory.set_budget(BUDGET)
    _core.set_memory_limit(budget)
    try:
        counts = treescore.metric(metric).counts(treescore.Pair(GOLD, TEST), threads=threads)
    finally:
        most = _core.most_memory()
        memory.set_budget(BUDGET)
    assert most <= budget
    return {name: list(counts[name]) for name in (*counts.columns, *counts.notes)}


@pytest.mark.parametrize("metric", ["tree_distance", "tedeval", "struct_iou"])
def test_neither_a_sufficient_budget_nor_threads_change_results(metric: str) -> None:
    reference = rows(metric, BUDGET, 1)
    assert not sum(reference["lost"])
    lost = []
    for budget in (64 * MB, 24 * MB, 8 * MB, 2 * MB, MB // 4, 1000):
        results = [rows(metric, budget, threads) for threads in (1, 4)]
        assert results[0] == results[1]
        lost.append(sum(results[0]["lost"]))
        kept = [place for place, is_lost in enumerate(results[0]["lost"]) if not is_lost]
        for name in reference:
            assert [results[0][name][place] for place in kept] == [reference[name][place] for place in kept]
    assert lost == sorted(lost) and lost[0] == 0 and lost[-1] == len(SIZES)


def test_python_threads_share_the_budget() -> None:
    reference = rows("struct_iou", BUDGET, 1)
    alone = next(size for size in range(MB // 2, 64 * MB, MB // 2) if not sum(rows("struct_iou", size, 1)["lost"]))
    _core.set_memory_limit(alone)
    results: list[list[int]] = []

    def score() -> None:
        results.append(list(treescore.metric("struct_iou").counts(treescore.Pair(GOLD, TEST), threads=2)["overlap"]))

    threads = [threading.Thread(target=score) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    most = _core.most_memory()
    memory.set_budget(BUDGET)
    assert results == [reference["overlap"]] * 4 and most <= alone


@pytest.mark.parametrize("metric", ["tree_distance", "tedeval"])
def test_deep_trees_are_refused_before_the_work(metric: str) -> None:
    gold, test = (treescore.read(zigzag(8000, first)) for first in (0, 1))
    report = treescore.evaluate(gold, test, metric)
    assert [problem.code for problem in report.problems] == ["too-complex"]


@pytest.mark.long
def test_ten_gigabytes_of_a_stream(tmp_path: Path) -> None:
    pieces = (piece for _ in range(2500) for piece in (TREE * (2 * MB // len(TREE)), b"\n" * (2 * MB)))
    code, peak, _ = measured(tmp_path, pieces)
    assert code == 2 and peak < 600  # the numbers of trees differ
