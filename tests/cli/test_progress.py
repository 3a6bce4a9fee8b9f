"""Progress is shown on stderr, only on a terminal, and leaves nothing behind."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import treescore
import treescore._core
from treescore.cli import watch

pty = pytest.importorskip("pty", reason="needs a POSIX terminal")


def test_short_work_shows_nothing_even_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("(S (NN a))\n")
    reader, terminal = pty.openpty()
    command = [sys.executable, "-m", "treescore", "gold", "gold"]
    done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=terminal, check=True, text=True)
    os.close(terminal)
    os.set_blocking(reader, False)
    try:
        shown = os.read(reader, 1000)
    except OSError:
        shown = b""
    os.close(reader)
    assert shown == b""
    assert "Labelled F1" in done.stdout


def test_long_work_shows_its_share_and_wipes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    output = io.StringIO()
    monkeypatch.setattr(output, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", output)
    monkeypatch.setattr(watch, "_PATIENCE", 0.01)
    trees = ["(S (NN a))"] * 20_000
    with watch.watched("reading trees.mrg") as counter:
        assert counter is not None
        treescore.read("\n".join(trees), progress=counter)
        assert counter.position == counter.total == 11 * 20_000 - 1
        deadline = time.monotonic() + 60
        while "100 %" not in output.getvalue() and time.monotonic() < deadline:  # the watcher wakes up by itself
            time.sleep(0.01)
    assert "reading trees.mrg 100 %" in output.getvalue()
    assert output.getvalue().endswith("\r\x1b[K")


def test_scoring_counts_pairs() -> None:
    counter = treescore._core.Progress()
    trees = ["(S (NN a))"] * 5_000
    treescore.evaluate(trees, trees, progress=counter, threads=1)
    assert (counter.position, counter.total) == (4_999, 5_000)


def test_packed_files_have_a_share_too(tmp_path: Path) -> None:
    packed = tmp_path / "trees.gz"
    packed.write_bytes(gzip.compress(b"(S (NN a))\n" * 1_000))
    counter = treescore._core.Progress()
    treescore.read(packed, progress=counter)
    assert counter.position == counter.total == 11_000
