"""Options that take several files may be given several times: none of the files is dropped in silence."""

from __future__ import annotations

import pytest

from treescore.cli.commands import COMMANDS

CASES = [
    ("perturb", ["noise", "x.mrg", "--delta", "0.5"], "--times"),
    ("", ["gold.mrg", "test.mrg"], "--gold-times"),
    ("", ["gold.mrg", "test.mrg"], "--test-times"),
    ("show", ["gold.mrg", "test.mrg"], "--test-times"),
]


@pytest.mark.parametrize(("command", "others", "option"), CASES)
def test_files_of_repeated_options_add_up(command: str, others: list[str], option: str) -> None:
    actual = COMMANDS[command].parser(command)
    result, _ = actual.parse_known_args([*others, option, "a", "b", option, "c"])
    assert getattr(result, option.strip("-").replace("-", "_")) == ["a", "b", "c"]
