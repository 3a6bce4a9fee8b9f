"""Progress is shown on stderr, only on a terminal, and leaves nothing behind."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

import treescore
from treescore.cli import progress

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


def test_long_work_shows_its_share_and_wipes_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said = io.StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    trees = ["(S (NN a))"] * 45_000
    treescore.evaluate(trees, trees, progress=progress.Scoring())
    assert [part for part in said.getvalue().split("\r\x1b[K") if part] == [
        "scoring 44 %",
        "scoring 88 %",
        "scoring 100 %",
    ]
    assert said.getvalue().endswith("\r\x1b[K")


def test_reading_reports_the_bytes_it_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    said = io.StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    monkeypatch.setattr(progress, "_PATIENCE", 0.01)
    text = "(S (NN a))\n" * 1000
    with progress.Reading("trees.mrg", len(text)) as counter:
        treescore.read(text, progress=counter)
        assert counter.position == len(text)
        while "trees.mrg" not in said.getvalue():  # the watcher wakes up by itself
            pass
    assert "reading trees.mrg 100 %" in said.getvalue()
    assert said.getvalue().endswith("\r\x1b[K")
