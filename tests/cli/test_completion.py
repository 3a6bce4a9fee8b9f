"""The completion scripts: bash runs its own; the others name every option."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def script(shell: str) -> str:
    """What `treescore completion SHELL` prints."""
    command = [sys.executable, "-m", "treescore", "completion", shell]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ev"], ["evalb", "evalb-spmrl"]),
        (["gold", "test", "--format", "j"], ["json", "jsonl"]),
        (["gold", "test", "--pro"], ["--profile"]),
        (["gold", "a"], ["a file.mrg"]),
    ],
)
def test_bash(words: list[str], expected: list[str], tmp_path: Path) -> None:
    (tmp_path / "a file.mrg").touch()
    typed = " ".join(f"'{word}'" for word in ["treescore", *words])
    ask = f"COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _treescore; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(
        ["bash", "-c", script("bash") + ask], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_option_is_named(shell: str) -> None:
    text = script(shell)
    for option in ("metric", "profile", "format", "fail-under", "per-sentence", "strict", "evalb-spmrl"):
        assert option in text
