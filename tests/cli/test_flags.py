"""The same thing has the same name in all commands, and a name means the same thing everywhere."""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import treescore.cli
from treescore.cli.commands import with_studies
from treescore.cli.flags import FLAGS

#: Flags of several commands that are no shared flags, and why.
DIFFERENT = {
    "--axis": "a study runs on both axes, perturb on one",
    "--by": "the tables that a command has",
    "--compat": "the programs that a command imitates",
    "--delta": "a study runs with several of them",
    "--test": "studies of one system and of several",
    "--version": "of the program",
}
#: Settings of shared flags that may differ between commands, and why.
SETTINGS = {
    ("--format", "choices"): "what is written differs",
    ("--format", "default"): "what is written differs",
    ("--input-format", "choices"): "columns hold text in brackets only, and transcripts have no trees",
    ("--metric", "action"): "some commands take one metric",
    ("--metric", "default"): "studies of one metric name it",
    ("--output", "required"): "a page is always written into a file",
    ("--pack", "default"): "errors must know whether a pack is named",
    ("--prm", "action"): "info takes the files of several signatures",
    ("--prm", "default"): "info takes the files of several signatures",
    ("--prm", "help"): "info takes the files of several signatures",
    ("--prm", "option_strings"): "info takes the files of several signatures",
    ("--runs", "default"): "studies differ in what a run costs",
    ("--seed", "default"): "perturb has another default than the studies",
    ("--significance", "default"): "the default of the program that is imitated",
}


def parsers() -> dict[str, argparse.ArgumentParser]:
    """All commands but the byte-exact programs, which have the flags of the originals."""
    return {name: command.parser(name) for name, command in with_studies().items() if command.task != "originals"}


def flags() -> dict[str, dict[str, argparse.Action]]:
    """Each flag with its action in each command that has it."""
    found: dict[str, dict[str, argparse.Action]] = defaultdict(dict)
    for name, parser in parsers().items():
        for action in parser._actions:
            for spelling in action.option_strings:
                if spelling.startswith("--") and action.dest != "help":
                    found[spelling][name] = action
    return found


def settings(action: argparse.Action) -> dict[str, Any]:
    choices = None if action.choices is None else tuple(action.choices)
    names = ("type", "default", "nargs", "metavar", "required", "option_strings")
    return {"action": type(action).__name__, "choices": choices, **{name: getattr(action, name) for name in names}}


def test_other_flags_of_several_commands_are_the_same() -> None:
    """Such as those of a function that adds the options of two commands."""
    for flag, commands in flags().items():
        if flag.removeprefix("--") not in FLAGS and flag not in DIFFERENT:
            first, *others = commands.values()
            for other in others:
                assert (settings(other), other.help) == (settings(first), first.help), flag


@pytest.mark.parametrize("name", FLAGS)
def test_a_shared_flag_means_the_same_everywhere(name: str) -> None:
    commands = flags()[f"--{name}"]
    assert commands
    first = settings(next(iter(commands.values())))
    for command, action in commands.items():
        for setting, value in settings(action).items():
            if (f"--{name}", setting) not in SETTINGS:
                assert value == first[setting], (command, setting)
        if (f"--{name}", "help") not in SETTINGS:
            assert (action.help or "").startswith(FLAGS[name]["help"]), command


def test_no_two_flags_have_the_same_help() -> None:
    texts: dict[str, set[str]] = defaultdict(set)
    for flag, commands in flags().items():
        for action in commands.values():
            texts[re.sub(r"\(default: .*?\)|\W", "", action.help or flag).casefold()].add(flag.replace("--no-", "--"))
    assert [names for names in texts.values() if len(names) > 1] == []


def test_names_that_are_not_used() -> None:
    """What other names once said has one name: TEST, --ci-level, -f and so on."""
    former = ("pred", "level", "units", "method", "color", "to", "unlabelled", "ignore-outer", "parsed")
    assert not flags().keys() & {f"--{name}" for name in former}
    for name, parser in parsers().items():
        assert "PRED" not in parser.format_help(), name
        assert all("pred" not in action.dest for action in parser._actions), name


def test_no_shared_flag_is_declared_elsewhere() -> None:
    folder = Path(treescore.cli.__file__).parent
    declared = re.compile(r'add_argument\(\s*(?:"-\w",\s*)?"--([a-z-]+)"')
    for path in folder.rglob("*.py"):
        if path.name == "flags.py" or path.parent.name == "originals":
            continue
        shared = [name for name in declared.findall(path.read_text(encoding="utf-8")) if name in FLAGS]
        assert shared in ([], ["prm"] if path.name == "info.py" else []), path
