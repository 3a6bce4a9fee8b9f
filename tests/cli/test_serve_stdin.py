"""`treescore serve-stdin` in a process that is kept open, as programs in other languages keep it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command import treescore, treescore_inside
from hypothesis import given, settings, strategies as st

from treescore.cli.serve_stdin import lines_of

COMMAND = [sys.executable, "-m", "treescore", "serve-stdin"]
REQUEST = b'{"id": 1, "gold": "(S (NP a) b)", "test": "(S a b)", "metrics": ["struct_iou"]}\n'


@contextmanager
def served(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """The command, as it is while it waits for requests."""
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ask(process: subprocess.Popen[bytes], sent: bytes) -> Any:
    """Send a line, wait for its answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    view = memoryview(sent)
    while view:
        view = view[process.stdin.write(view) :]
    result = b""
    while not result.endswith(b"\n"):
        piece = process.stdout.read(1 << 16)
        assert piece, "the process has ended"
        result += piece
    assert result.count(b"\n") == 1
    return json.loads(result)


def end(process: subprocess.Popen[bytes]) -> tuple[int, bytes, bytes]:
    """The exit code when the input ends, and what was written since."""
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def peak(process: subprocess.Popen[bytes]) -> int:
    """The most memory that the process has held, in bytes."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    raise AssertionError


@pytest.mark.parametrize("flush", ["each", "batch"])
def test_one_process_for_many_requests(flush: str) -> None:
    """Each answer comes before the next request is sent, whatever was wrong with the one before."""
    with served("--flush", flush, "--max-line", "1") as process:
        for number in range(20):
            result = ask(
                process, json.dumps({"id": number, "gold": "(S (NP a) b)", "test": "(S (NP a) b)"}).encode() + b"\n"
            )
            assert (result["id"], result["scores"][0]["value"]) == (number, 1.0)
            hostile = [b"\n", b"\xff\n", b"{\r\n", b"[" * 50_000 + b"\n", b"null\n", b'{"op": "fly"}\n']
            assert "error" in ask(process, hostile[number % len(hostile)])
        assert process.stdin is not None
        process.stdin.write(REQUEST[:20])  # a request in two pieces
        assert ask(process, REQUEST[20:])["id"] == 1
        assert end(process) == (0, b"", b"")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_a_line_that_is_too_long_is_not_held() -> None:
    with served("--max-line", "1") as process:
        assert ask(process, REQUEST)["id"] == 1
        before = peak(process)
        assert process.stdin is not None
        piece = b'{"id": "' + b"x" * (1 << 20)
        for _ in range(48):
            process.stdin.write(piece)
        result = ask(process, b'"}\n')
        assert (result["id"], result["error"]["code"]) == (None, "line-too-long")
        assert peak(process) - before < 8 << 20
        assert ask(process, REQUEST)["id"] == 1
        assert end(process)[0] == 0


def test_answers_in_order_and_the_last_line_needs_no_end(tmp_path: Path) -> None:
    requests = [json.dumps({"id": number, "gold": "(S a)", "test": "(S a)"}) for number in range(300)]
    requests[7] = "{"
    each, err = treescore(tmp_path, "serve-stdin", stdin="\n".join(requests))
    assert err == ""
    assert [json.loads(line)["id"] for line in each.splitlines()] == [*range(7), None, *range(8, 300)]
    assert (
        treescore(tmp_path, "serve-stdin", "--flush", "batch", "--threads", "2", stdin="\n".join(requests))[0] == each
    )
    assert treescore(tmp_path, "serve-stdin")[0] == ""


def test_nobody_reads_the_answers() -> None:
    with served() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert ask(process, REQUEST)["id"] == 1
        process.stdout.close()
        process.stdin.write(REQUEST)
        assert process.wait(timeout=60) == 1
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_interrupted() -> None:
    with served() as process:
        assert ask(process, REQUEST)["id"] == 1
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_arguments(tmp_path: Path) -> None:
    for wrong in (("--threads", "0"), ("--max-line", "0"), ("--max-line", "nan"), ("--flush", "never"), ("file",)):
        _, err = treescore_inside(tmp_path, "serve-stdin", *wrong, code=2)
        assert "error: " in err
    out, _ = treescore_inside(tmp_path, "serve-stdin", "--help")
    assert "exit code" in out


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("ab\n", max_size=9).map(str.encode).filter(bool)), st.integers(1, 6))
def test_lines_do_not_depend_on_pieces(pieces: list[bytes], most: int) -> None:
    whole = b"".join(pieces)
    expected = [line if len(line) <= most else None for line in whole.split(b"\n")]
    if not whole or whole.endswith(b"\n"):
        expected.pop()
    rest = iter([*pieces, b""])
    assert list(lines_of(lambda: next(rest), most)) == expected


@settings(max_examples=3, deadline=None)
@given(st.lists(st.binary(max_size=40), min_size=50, max_size=100))
def test_any_bytes(pieces: list[bytes]) -> None:
    """Each line of any bytes has one answer."""
    sent = b"\n".join(pieces) + b"\n"
    done = subprocess.run(COMMAND, input=sent, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    answers = done.stdout.decode("ascii").splitlines()
    assert len(answers) == sent.count(b"\n")
    assert all(set(json.loads(answer)) == {"id", "error"} for answer in answers)
