"""Memory is bounded: of streams whatever they contain, and of large trees by one budget for all threads."""

from __future__ import annotations

import io
import re
import resource
import subprocess
import sys
import threading
from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from command import MEASURED

import treescore
from treescore import _core
from treescore.helpers import memory
from treescore.readers import lines
from treescore.readers.blocks import BlockedText
from treescore.readers.conllu import read_conllu
from treescore.readers.input_formats import TIMES_FORMATS, TREE_FORMATS
from treescore.readers.times import read_times
from treescore.trees import Source
from treescore.values import problem

Result = TypeVar("Result")
MB = 1 << 20
BUDGET = 2 << 30  # of all tests
TREE = b"(S (NN a) (VP (VB b)))\n"


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
    assert re.fullmatch(r"treescore: error: <stdin>(: this|:1: the first line) .*", output.strip())
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


@pytest.mark.parametrize(
    ("name", "first", "line"),
    [
        ("a.ctm", "f A 0.0 0.5 the\n", "f A x 0.5 cat\n"),
        ("a.jsonl", '{"id":"u","words":[{"word":"the","start":0,"end":0.5}]}\n', "{\n"),
        ("a.srt", "1\n00:00:00,000 --> 00:00:01,000\nthe\n\n", "2\nx --> y\n\n"),
        ("a.mrg", "(S (NN a))\n", ")\n"),
        ("a.conllu", "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n", "1\tx\n\n"),
    ],
)
def test_the_first_problems_of_a_file_are_kept_and_the_others_counted(
    name: str, first: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (problem, lines):
        monkeypatch.setattr(module, "MOST_PROBLEMS", 20)
    (tmp_path / name).write_text(first + line * 50)
    readers: dict[str, Any] = {"mrg": treescore.read, "conllu": read_conllu}
    problems = readers.get(name[2:], read_times)(tmp_path / name, on_error="keep").problems
    assert len(problems) == 21 and "more" not in {problem.code for problem in problems[:20]}
    assert problems[20].code == "more" and problems[20].file == str(tmp_path / name)
    assert problems[20].message.split()[0] in ("30", "31", "80")


class Endless(io.RawIOBase):
    """A file without end."""

    name = "endless"

    def __init__(self, piece: bytes) -> None:
        self._text = piece * (65536 // len(piece))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = min(len(buffer), len(self._text))
        buffer[:size] = self._text[:size]
        return size


ENDLESS_READERS: dict[str, Callable[[Any], object]] = {
    **{f"times {name}": partial(read_times, format=name, on_error="keep") for name in TIMES_FORMATS},
    **{f"trees {name}": partial(treescore.read, form=name, on_error="keep") for name in TREE_FORMATS},
    "times": read_times,
    "trees": treescore.read,
    "conllu": read_conllu,
    "completions": treescore.read_completions,
}


@pytest.mark.parametrize("piece", [b"a", b"\n", b"x\0", b"(NN a) ", b"<a>", b"[", b'{"a":', b"f A 0.0 0.5 the\n"])
def test_files_without_end_are_refused_by_every_reader(piece: bytes) -> None:
    memory.set_budget(4 * MB)
    try:
        for name, read in ENDLESS_READERS.items():
            with pytest.raises((treescore.InputError, treescore.UsageError)) as error:
                read(io.BufferedReader(Endless(piece)))
            assert "\n" not in str(error.value), name
    finally:
        memory.set_budget(BUDGET)


@pytest.mark.parametrize("end", [b"", b"\n" + TREE])
def test_trees_on_one_line_that_is_too_long_are_refused_early(end: bytes) -> None:
    memory.set_budget(64 * MB)  # 2 MB for a line
    try:
        for size, is_refused in ((3 * MB // 2, False), (3 * MB, True)):
            text = BlockedText(io.BytesIO(b"(NN a) " * (size // 7) + end), Source("x"))
            if is_refused:
                with pytest.raises(treescore.InputError, match=r"x:1: the first line has more than 2 MB .* of its own"):
                    text.is_plain("auto", "auto")
            else:
                assert not text.is_plain("auto", "auto")
    finally:
        memory.set_budget(BUDGET)


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


V1, V2 = "4:memory:{path}\n1:name=systemd:/\n", "0::{path}\n"


@pytest.mark.parametrize(
    ("cgroup", "path", "files", "smallest"),
    [
        (V2, "/a/b", {"a/b/memory.max": "5000\n", "a/memory.max": "max\n"}, 5000),
        (V2, "/a/b", {"a/b/memory.max": "max\n", "a/memory.max": "4000\n"}, 4000),
        (V2, "/", {"memory.max": "3000\n"}, 3000),
        (V2, "/outside/of/the/container", {"memory.max": "3000\n"}, 3000),
        (V2, "/a", {"a/memory.max": "max\n", "b/memory.max": "1\n"}, None),
        (V1, "/a/b", {"memory/a/memory.limit_in_bytes": "6000\n", "memory/a/b/memory.limit_in_bytes": "7000\n"}, 6000),
        (V1, "/a", {"memory/memory.limit_in_bytes": "2000\n", "a/memory.max": "1\n"}, 2000),
        (V1 + V2, "/a", {"memory/a/memory.limit_in_bytes": "9000\n", "a/memory.max": "8000\n"}, 8000),
        ("", "", {"memory.max": "1\n"}, None),
    ],
)
def test_limits_of_cgroups(cgroup: str, path: str, files: dict[str, str], smallest: int | None, tmp_path: Path) -> None:
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(cgroup.format(path=path))
    for name, text in files.items():
        file = tmp_path / "sys/fs/cgroup" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    machine = memory._machine_memory(str(tmp_path / "nothing"))
    assert memory._machine_memory(str(tmp_path)) == (smallest or machine)


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


@pytest.mark.parametrize("metric", ["tree_distance", "tedeval", "struct_iou"])
def test_deep_trees_are_refused_before_the_work(metric: str, tmp_path: Path) -> None:
    for name, first in (("gold", 0), ("test", 1)):
        (tmp_path / name).write_text(zigzag(8000, first) + "\n")
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, "gold", "test", "-m", metric, "--threads", "1", "-f", "json"],
        cwd=tmp_path, capture_output=True, text=True, check=True, preexec_fn=limit_time,
    )  # fmt: skip
    assert '"too-complex": 1' in done.stdout
    assert int(done.stdout.split()[-1]) < 100


def limit_time() -> None:
    """A few seconds of processor time: the work would take minutes."""
    resource.setrlimit(resource.RLIMIT_CPU, (10, 10))


@pytest.mark.long
def test_ten_gigabytes_of_a_stream(tmp_path: Path) -> None:
    pieces = (piece for _ in range(2500) for piece in (TREE * (2 * MB // len(TREE)), b"\n" * (2 * MB)))
    code, peak, _ = measured(tmp_path, pieces)
    assert code == 2 and peak < 600  # the numbers of trees differ


def within(size: int, work: Callable[[], Result]) -> Result | None:
    """The result of work with a budget of so many bytes, or None if it does not fit."""
    _core.set_memory_limit(size)
    try:
        result = work()
    except _core.OverBudget as error:
        assert "--memory" in str(error)
        return None
    finally:
        most = _core.most_memory()
        memory.set_budget(BUDGET)
    assert most <= size
    return result


def check_budgets(work: Callable[[], object]) -> None:
    """Any budget that suffices gives the same result, the others an error."""
    reference = within(BUDGET, work)
    results = [within(size, work) for size in (1 << shift for shift in range(28, 12, -2))]
    refused = [result is None for result in results]
    assert refused == sorted(refused) and not refused[0] and refused[-1]
    assert all(result == reference for result in results if result is not None)


COSTS = (3, 3, 4)


def keys(seed: int, size: int) -> array[int]:
    draw = Random(seed).randrange
    return array("I", [draw(50) for _ in range(size)])


def lattice(words: array[int]) -> tuple[array[int], array[int], array[int], array[int], int]:
    size = len(words)
    return words, array("q", [3] * size), array("I", range(size)), array("I", range(1, size + 1)), size + 1


@pytest.mark.parametrize("late", [False, True])
def test_aligned_words_are_within_the_budget(late: bool) -> None:
    ref, hyp = keys(1, 1500), keys(2, 1200)
    check_budgets(lambda: _core.align_words(ref, hyp, None, None, COSTS, [], late))
    check_budgets(lambda: _core.align_lattices(lattice(ref[:500]), lattice(hyp[:400]), COSTS, [], late))


def sentences(seed: int) -> treescore.Treebank:
    draw = Random(seed).choice
    words = [" ".join(f"(T {''.join(draw('abcd') for _ in range(4))})" for _ in range(8)) for _ in range(40)]
    return treescore.read("\n".join(f"(S {sentence})" for sentence in words))


@pytest.mark.parametrize("threads", [1, 3])
def test_aligned_texts_are_within_the_budget(threads: int) -> None:
    pair = treescore.Pair(sentences(1), sentences(2))
    metric = treescore.metric("aligned_parseval")

    def rows() -> dict[str, list[int]]:
        fresh = treescore.Pair(pair.gold, pair.test)
        return {name: list(column) for name, column in metric.counts(fresh, threads=threads).columns.items()}

    check_budgets(rows)


def test_threads_that_align_texts_share_the_budget() -> None:
    anchor = "(S (T same{0}) (T words{0}))\n"
    texts = [
        "\n".join(f"{tree}\n{anchor.format(number)}" for number, tree in enumerate(map(str, sentences(seed))))
        for seed in (1, 2)
    ]
    gold, test = map(treescore.read, texts)
    metric = treescore.metric("aligned_parseval")

    def total(threads: int) -> dict[str, int]:
        return metric.counts(treescore.Pair(gold, test), threads=threads).total()

    least = next(size for size in range(1 << 12, 1 << 24, 1 << 12) if within(size, lambda: total(1)))
    assert within(least, lambda: total(4)) == within(BUDGET, lambda: total(1))


def test_speech_that_does_not_fit_is_lost() -> None:
    gold, test = (treescore.read(f"(S {' '.join(f'(T w{key})' for key in keys(seed, 1500))})") for seed in (1, 2))

    def lost() -> int:
        return treescore.metric("sparseval|heads:none").counts(treescore.Pair(gold, test)).total()["lost"]

    assert within(BUDGET, lost) == 0 and within(1000, lost) == 1


def test_a_command_that_does_not_fit_ends_with_one_line(tmp_path: Path) -> None:
    for name, seed in (("ref.trn", 1), ("hyp.trn", 2)):
        (tmp_path / name).write_text(" ".join(f"w{key}" for key in keys(seed, 9000)) + " (u_1)\n")
    done = subprocess.run(
        [sys.executable, "-m", "treescore", "align", "words", "ref.trn", "hyp.trn", "--memory", "1M"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "--memory" in done.stderr
