"""Files scored a block at a time: the same as if they had been read whole, whatever the blocks and the threads."""

from __future__ import annotations

import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import zstandard
from command import MEASURED, treescore, treescore_inside
from hypothesis import example, given, strategies as st

import treescore as ts
from treescore.readers.blocks import BlockedText
from treescore.readers.brackets import LAYOUTS
from treescore.scale import streams
from treescore.scale.streams import evaluate_stream
from treescore.scoring.tally import Tally
from treescore.trees import Source

GOLD = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (. .))"
GROUPS = ("label", "length")
TEST = "(S (NP (DT the)) (VP (NN cat) (VBZ sleeps)) (. .))"
#: Lines of which files are made: trees, trees over lines, faults, loose text, nothing.
LINES = (
    GOLD,
    TEST,
    "(TOP (NP-SBJ (NN a)))",
    "(X",
    "  (NN b))",
    "(Y c",
    "(NN d))",
    ")",
    "loose",
    "",
    "   ",
    "()",
    "(A a) (B b)",
    "(A a) (B b",
    "(S (VP (VB go)) (. .)) )",
    "(NN 2=3)",
    "((S (NN é)))\r",
)
texts = st.one_of(
    st.lists(st.sampled_from(LINES), max_size=12).map("\n".join),
    st.lists(st.sampled_from(LINES), max_size=12).map(lambda lines: "".join(f"{line}\n" for line in lines)),
    st.text("() \nab", max_size=60),
)


@given(text=texts, layout=st.sampled_from(LAYOUTS), size=st.integers(1, 70), mark=st.booleans())
@example(text="(A\n(B b)\n", layout="auto", size=3, mark=False)  # taken for two trees only when the text has ended
@example(text="(A\n(B b)\n)\n(C\n(D d)\n)", layout="auto", size=3, mark=False)
@example(text="(A a)\n(B\n(C c)\n) (D d)\n", layout="auto", size=9, mark=False)
@example(text="\ufeff\n(A a)\n", layout="auto", size=2, mark=True)
def test_blocks_hold_the_trees_of_the_whole_text(text: str, layout: str, size: int, mark: bool) -> None:
    data = (b"\xef\xbb\xbf" if mark else b"") + text.encode()
    whole = ts.read(data, layout=layout, form="brackets", on_error="keep", name="x")
    blocked = BlockedText(io.BytesIO(data), Source("x"))
    blocks = [job() for job in blocked.jobs(layout, size)]
    banks: list[ts.Treebank] = []
    for block in blocks:
        banks.append(block.bank(Source("x"), layout, sum(map(len, banks))))
    assert [line for bank in banks for line in bank.lines()] == list(whole.lines())
    assert [problem for bank in banks for problem in bank.problems] == list(whole.problems)
    assert [bank.line(place) for bank in banks for place in range(len(bank))] == [
        whole.line(place) for place in range(len(whole))
    ]
    assert sum(bank.blank_lines for bank in banks) == whole.blank_lines
    assert list(dict.fromkeys(name for block in blocks for name in block.names())) == whole.native.names(0)


def _outcome(evaluate: Callable[..., ts.Report], *arguments: Any, by: Sequence[str] = (), **options: Any) -> str:
    """All that a report says, or the error."""
    try:
        report = evaluate(*arguments, **options)
    except ts.InputError as error:
        return f"{type(error).__name__}: {error}"
    return "".join([report.to("json"), report.to("table"), *(report.to("json", by=kind) for kind in by)])


@given(
    gold=texts,
    test=texts,
    layout=st.sampled_from(LAYOUTS),
    chunk=st.integers(1, 200),
    threads=st.sampled_from([1, 1, 3]),
)
@example(gold=GOLD, test=f"{TEST}\n{TEST}", layout="auto", chunk=9, threads=1)
@example(gold="(S a)\n" * 3, test="(S a)\n(S b)\n", layout="auto", chunk=1, threads=2)
@example(gold="\n(S a)\n", test="(S a)\n\n", layout="line", chunk=1, threads=2)
def test_the_same_as_whole_files(gold: str, test: str, layout: str, chunk: int, threads: int) -> None:
    metrics = ["parseval", "struct_iou", "parseval|labels:no", "leaf_ancestor"]
    with_names = [ts.read(text.encode(), layout=layout, form="brackets", on_error="keep", name=name)
                  for text, name in ((gold, "<gold>"), (test, "<test>"))]  # fmt: skip
    whole = (
        f"InputError: <{['gold', 'test'][bool(len(with_names[0]))]}>: there are no trees in it"
        if not all(map(len, with_names))
        else _outcome(ts.evaluate, *with_names, metrics, by=GROUPS)
    )
    files = [
        BlockedText(io.BytesIO(text.encode()), Source(name)) for text, name in ((gold, "<gold>"), (test, "<test>"))
    ]
    streamed = partial(evaluate_stream, form="brackets", layout=layout, chunk=chunk, threads=threads, by=GROUPS)
    result = _outcome(streamed, *files, metrics, by=GROUPS)
    assert result == whole


@pytest.mark.parametrize("metric", [name for name in ts.metrics.names() if name != "conllu_eval"])
def test_every_metric_that_takes_parts(metric: str) -> None:
    result = ts.metric(metric if metric not in ("sparseval", "dependencies") else f"{metric}|unit:line")
    gold = "\n".join([GOLD, TEST, "(X", GOLD.replace("cat", "dog"), GOLD] * 5)
    test = "\n".join([TEST, TEST, TEST, TEST, "()"] * 5)
    if not result.takes_parts or result.needs_times:
        with pytest.raises(ts.UsageError, match="needs whole files"):
            evaluate_stream(io.BytesIO(gold.encode()), io.BytesIO(test.encode()), result)
        return
    whole = _outcome(ts.evaluate, *(ts.read(text, on_error="keep", name="x") for text in (gold, test)), result)
    for chunk in (1, 100, 10_000):
        files = [BlockedText(io.BytesIO(text.encode()), Source("x")) for text in (gold, test)]
        assert _outcome(evaluate_stream, *files, result, chunk=chunk, threads=2) == whole


def test_problems_are_counted_when_they_are_too_many_to_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    defaults = Tally.__init__.__kwdefaults__
    assert defaults
    monkeypatch.setitem(defaults, "most", 3)
    report = evaluate_stream(io.BytesIO(b"(X\n" * 8 + b"(S a)\n"), io.BytesIO(b"(S a)\n" * 9))
    assert report.problem_total == 8 and len(report.problems) == 3
    assert report.problem_line() == "8 problems: 8 unclosed"
    assert json.loads(report.to("json"))["problems"]["count"] == 8


def test_a_first_tree_that_never_closes_is_given_up() -> None:
    data = b"(X\n" + b"(S (NN a))\n" * 1_600_000
    whole = ts.read(data, on_error="keep")
    assert len(whole.problems) == 1 and len(whole) > 1_000_000
    text = BlockedText(io.BytesIO(data * 3), Source("x"))
    assert text.is_plain("auto", "auto")  # and need not be held whole
    first = next(text.jobs("auto", 17_000_000))()
    assert 1 < len(first.trees) < len(whole)  # it has not waited for the end


def test_only_text_in_brackets() -> None:
    long = b"(S" + b" (NN a)" * 200_000 + b")\n"  # of which not even a first tree has been seen
    for data in (b"(S 0.1-0.2)", b"(S (NN 0=a))", b"#BOS 1\n", b"u1\t(S a)\n", long):
        with pytest.raises(ts.InputError, match="only bracketed text"):
            evaluate_stream(io.BytesIO(data), io.BytesIO(data))


def test_words_that_differ() -> None:
    gold, test = b"(S (NN a))\n(S (NN b))\n", b"(S (NN a))\n(S (NN c))\n"
    differing: list[int] = []
    report = evaluate_stream(io.BytesIO(gold), io.BytesIO(test), on_difference=differing.append)
    assert differing == [2]

    class Stopped(Exception):
        pass

    def stop(number: int) -> None:
        raise Stopped(number)

    with pytest.raises(Stopped):
        evaluate_stream(io.BytesIO(gold), io.BytesIO(test), on_difference=stop)
    with pytest.raises(ts.UsageError, match="only sums"):
        report.rows()


def test_files_that_can_only_be_read(tmp_path: Path) -> None:
    path = tmp_path / "x.mrg"
    path.write_text(f"{GOLD}\n" * 50)
    with path.open("rb", buffering=0) as raw:
        assert evaluate_stream(raw, path, chunk=100)["parseval"].value == 1
        assert not raw.closed
    with path.open() as text, pytest.raises(TypeError, match="opened in binary mode"):
        evaluate_stream(text, path)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not b'"):
        evaluate_stream(GOLD.encode(), path)  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    gold, test = f"{GOLD}\n" * 300, f"{GOLD}\n{TEST}\n(X\n" * 100
    for name, text in (("gold", gold), ("test", test), ("other", test.replace("cat", "dog", 1)), ("short", GOLD)):
        (tmp_path / name).write_text(text)
    (tmp_path / "test.gz").write_bytes(gzip.compress(test.encode()))
    (tmp_path / "test.zst").write_bytes(zstandard.compress(test.encode()))
    return tmp_path


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("-f", "json"),
        ("-m", "struct_iou"),
        ("--by", "label"),
        ("--by", "length", "-f", "csv"),
        ("--layout", "line"),
        ("--fail-under", "f1=99"),
    ],
)
def test_command(folder: Path, options: tuple[str, ...]) -> None:
    code = 1 if "--fail-under" in options else 0
    whole = treescore_inside(folder, "gold", "test", *options, code=code)
    for more in (("--chunk", "1"), ("--chunk", "2K", "--threads", "1"), ("--chunk", "64M", "--threads", "5")):
        assert treescore_inside(folder, "gold", "test", *options, *more, code=code) == whole


@pytest.mark.parametrize("packed", ["test.gz", "test.zst"])
def test_packed_files(folder: Path, packed: str) -> None:
    whole, _ = treescore_inside(folder, "gold", "test")
    streamed, _ = treescore_inside(folder, "gold", packed, "--chunk", "1K")
    assert streamed.replace(packed, "test") == whole
    (folder / packed).write_bytes((folder / packed).read_bytes()[:-5])
    _, output = treescore_inside(folder, "gold", packed, "--chunk", "1K", code=2)
    assert "data is damaged" in output


def test_command_falls_back_where_words_must_be_aligned(folder: Path) -> None:
    for other, headline in (("other", "\nLabelled F1 "), ("short", "\nAligned labelled F1 ")):
        whole = treescore_inside(folder, "gold", other)
        assert "aligned_parseval align" in whole[0] and headline in whole[0]
        assert treescore_inside(folder, "gold", other, "--chunk", "1K") == whole
    unequal = treescore_inside(folder, "gold", "short", "-m", "parseval", code=2)
    assert treescore_inside(folder, "gold", "short", "-m", "parseval", "--chunk", "9", code=2) == unequal


def test_standard_input_cannot_be_read_again(folder: Path) -> None:
    for name in ("test", "other"):
        text = (folder / name).read_text()
        whole, _ = treescore(folder, "gold", "-", stdin=text)
        out, _ = treescore(folder, "gold", "-", "--chunk", "1K", stdin=text)
        if name == "test":
            assert out == whole
        else:
            assert "the words of gold and test first differ in sentence 1: -m 'aligned_parseval|profile:collins'" in out
            assert "300 sentences: 199 scored, 101 failed" in out
    done = subprocess.run(
        ["bash", "-c", f"'{sys.executable}' -m treescore gold <(cat test)"], cwd=folder, capture_output=True, check=True
    )
    assert b"F1" in done.stdout


def test_large_files_are_streamed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from treescore.cli import large_files

    whole = treescore_inside(folder, "gold", "test")
    monkeypatch.setattr(large_files, "LARGE", 1000)
    chunks = []

    def watched(*files: Any, chunk: int, **options: Any) -> ts.Report:
        chunks.append(chunk)
        return evaluate_stream(*files, chunk=chunk, **options)

    monkeypatch.setattr(streams, "evaluate_stream", watched)
    assert treescore_inside(folder, "gold", "test") == whole
    assert treescore_inside(folder, "gold", "test", "--per-sentence")[0].startswith(whole[0])
    for name in ("gold", "test"):
        text = (folder / name).read_bytes()
        (folder / f"{name}.zst").write_bytes(zstandard.compress(text))  # 100 times smaller
        assert (folder / f"{name}.zst").stat().st_size < 1000 // 8 < 1000 < len(text)
    assert treescore_inside(folder, "gold.zst", "test.zst")[0].replace(".zst", "") == whole[0]
    assert chunks == [streams.CHUNK, streams.CHUNK]


def test_what_needs_whole_files_is_told(folder: Path) -> None:
    for options, what in (
        (("--per-sentence",), "--per-sentence"),
        (("-f", "evalb"), "-f evalb"),
        (("-m", "aligned_parseval"), "aligned_parseval"),
        (("--input-format", "spans"), "--input-format spans"),
    ):
        _, output = treescore_inside(folder, "gold", "test", "--chunk", "1K", *options, code=2)
        assert f"--chunk: {what} needs whole files" in output
    for wrong in ("0", "5X", "M", "-1"):
        _, output = treescore_inside(folder, "gold", "test", f"--chunk={wrong}", code=2)
        assert "is not a size such as" in output


def test_strict_stops_at_the_first_fault(folder: Path) -> None:
    for chunk in ("1", "100", "1M"):
        _, output = treescore_inside(folder, "gold", "test", "--strict", "--chunk", chunk, code=2)
        assert output.startswith("treescore: error: test:3:1: this bracket is never closed")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("side", ["-", "fifo"])
def test_interrupted_while_a_pipe_is_silent(folder: Path, side: str) -> None:
    import fcntl
    import termios

    os.mkfifo(folder / "fifo")
    (folder / "large").write_text(f"{GOLD}\n" * 50_000)
    command = [sys.executable, "-m", "treescore", "large", side, "--chunk", "64K", "--threads", "2"]
    with subprocess.Popen(command, cwd=folder, stdin=-1, stdout=-1, stderr=-1) as process:
        assert process.stdin is not None
        with process.stdin if side == "-" else (folder / side).open("wb") as pipe:
            pipe.write(f"{GOLD}\n".encode() * 40_000)
            pipe.flush()
            while fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)) != bytes(4):  # until all that is there has been read
                assert process.poll() is None
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=300) == 130  # and before the pipe is closed
        assert process.stdout is not None and process.stderr is not None
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_memory_does_not_grow_with_the_file(folder: Path) -> None:
    """The peak of a process that scores 1 MB, and of one that scores 40 MB."""
    peaks = []
    for times in (70, 2_800):
        for name in ("gold", "test"):
            lines = (folder / name).read_text() if name == "gold" else f"{TEST}\n" * 300
            (folder / f"{name}.large").write_text(lines * times)
        done = subprocess.run(
            [sys.executable, "-c", MEASURED, "gold.large", "test.large", "--chunk", "256K"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
        peaks.append(int(done.stdout.split()[-1]))
    assert peaks[1] < peaks[0] + 15  # MB


def test_a_file_is_not_asked_again_at_its_end() -> None:
    """On a terminal, there might be more."""

    class Typed(io.BytesIO):
        ended = False

        def read(self, size: int | None = -1, /) -> bytes:
            assert not self.ended
            bank = super().read(size)
            self.ended = size is None or not 0 <= size <= len(bank)
            return bank

    assert BlockedText(Typed(b"(S (NN a))\n"), Source("typed")).read() == b"(S (NN a))\n"
    text = BlockedText(Typed(b"(S (NN a))\n"), Source("typed"))
    assert text.is_plain("auto", "auto")
    assert not text.is_larger(1000, 1000)
    assert sum(len(job().trees) for job in text.jobs("auto", 5)) == 1
    assert text.read() == b""
