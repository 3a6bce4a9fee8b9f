"""The completion scripts: shells that are here run their own; all of them name every option."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from treescore.cli import parsers


@cache
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
        (["columns", "pairs.parquet", "--gold-"], ["--gold-column"]),
        (["gold", "test", "--gold-"], [""]),
        (["compare", "gold", "test", "--test", "=", "b"], ["bootstrap"]),
        (["evalb-spmrl", "-K"], ["-K"]),
        (["study", "len"], ["length"]),
        (["study", "length", "--ste"], ["--step"]),
        (["completion", "z"], ["zsh"]),
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


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("treescore ev", ["evalb", "evalb-spmrl"]),
        ("treescore gold test --format j", ["json", "jsonl"]),
        ("treescore columns pairs.parquet --gold-", ["--gold-column"]),
        ("treescore study len", ["length"]),
        ("treescore study length --ste", ["--step"]),
    ],
)
def test_fish(typed: str, expected: list[str], tmp_path: Path) -> None:
    (tmp_path / "treescore.fish").write_text(script("fish"), encoding="utf-8")
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source treescore.fish; complete -C '{typed}'"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert [line.partition("\t")[0] for line in done.stdout.splitlines()] == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_has_its_options(shell: str) -> None:
    text = script(shell)
    missing = [
        option
        for name in parsers.names()
        for action in parsers.parser(name)._actions
        if action.help is not argparse.SUPPRESS
        for option in action.option_strings
        if (option if shell != "fish" else f" -l {option[2:]} " if option.startswith("--") else f" -s {option[1:]} ")
        not in text
    ]
    assert not missing
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=text, text=True, check=False).returncode == 0
