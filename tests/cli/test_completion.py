"""Completion in shells: the shells that are here run their scripts; every option and command is a candidate."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from treescore.cli.commands import with_studies
from treescore.cli.completion import SHELLS, candidates, script

#: Words, and what the last of them may become.
CASES = [
    (["ev"], ["evalb", "evalb-spmrl"]),
    (["al"], ["align"]),
    (["align", "s"], ["sentences"]),
    (["gold", "test", "--format", "j"], ["json", "jsonl"]),
    (["gold", "test", "--format=j"], ["--format=json", "--format=jsonl"]),
    (["gold", "test", "--pro"], ["--profile"]),
    (["gold", "test", "-m", "struct"], ["struct_iou"]),
    (["gold", "test", "--profile", "col"], ["collins"]),
    (["columns", "pairs.parquet", "--gold-"], ["--gold-column"]),
    (["gold", "test", "--gold-"], ["--gold-times"]),
    (["gold", "test", "--gold-c"], []),
    (["evalb-spmrl", "-K"], ["-K"]),
    (["study", "len"], ["length"]),
    (["study", "length", "--ste"], ["--step"]),
    (["info", "--completion", "z"], ["zsh"]),
]
#: Where files may stand.
FILES = [
    (["a"], ["agreement", "align", "a file.mrg"]),
    (["gold", "a"], ["a file.mrg"]),
    (["gold", "-o", "a"], ["a file.mrg"]),
]
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def ask(shell: list[str], script: str, folder: Path) -> list[str]:
    """What a shell prints that runs this script in a folder with one file."""
    (folder / "a file.mrg").touch()
    done = subprocess.run([*shell, script], cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


@pytest.mark.parametrize(("words", "expected"), CASES)
def test_candidates(words: list[str], expected: list[str]) -> None:
    assert [name for name, _ in candidates(words)] == expected


def test_every_option_is_a_candidate_with_its_help() -> None:
    for name, command in with_studies().items():
        result = dict(candidates([*name.split(), "-"]))
        for action in command.parser(name)._actions:
            for option in action.option_strings if action.help is not argparse.SUPPRESS else ():
                assert option in result, name
                assert "\n" not in result[option]


def test_every_command_is_a_candidate() -> None:
    items = {name for name, _ in candidates([""])}
    assert items == {name.split()[0] for name in with_studies() if name}


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts(shell: str) -> None:
    command = [sys.executable, "-m", "treescore", "info", "--completion", shell]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert printed == script(shell)
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=printed, text=True, check=False).returncode == 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [*CASES[:3], *CASES[5:8], *FILES, (["gold", "test", "--format", "=", "j"], ["json", "jsonl"])],
)
def test_bash(words: list[str], expected: list[str], tmp_path: Path) -> None:
    typed = " ".join(f"'{word}'" for word in ["treescore", *words])
    run = f"COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _treescore; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    assert ask(["bash", "-c"], script("bash") + run, tmp_path) == expected


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
@pytest.mark.parametrize(("words", "expected"), [*CASES[:3], *CASES[5:8], *FILES])
def test_fish(words: list[str], expected: list[str], tmp_path: Path) -> None:
    run = f"complete -C '{' '.join(['treescore', *words])}'"
    lines = ask(["fish", "--no-config", "-c"], script("fish") + run, tmp_path)
    assert sorted(line.partition("\t")[0].replace("\\", "") for line in lines) == sorted(expected)


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
@pytest.mark.parametrize(("words", "expected"), [*CASES[:3], *CASES[5:8], *FILES])
def test_zsh(words: list[str], expected: list[str], tmp_path: Path) -> None:
    """The functions of zsh that would show what there is print it here, where there is no terminal."""
    typed = " ".join(f"'{word}'" for word in ["treescore", *words])
    start = f"""
compdef() {{ }}
_describe() {{ local name; for name in "${{candidates[@]}}"; do print -r -- "${{name%%:*}}"; done }}
_files() {{ local name; for name in "${{words[CURRENT]}}"*(N); do print -r -- "$name"; done }}
words=({typed}); CURRENT={len(words) + 1}
"""
    assert ask(["zsh", "-f", "-c"], f"{start}{script('zsh')}_treescore\n", tmp_path) == expected
