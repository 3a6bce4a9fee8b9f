"""Options that take several files may be given several times: none of the files is dropped in silence."""

from __future__ import annotations

from importlib import import_module

import pytest

CASES = [
    ("perturb", ["noise", "x.mrg", "--delta", "0.5"], "--times"),
    ("score", ["gold.mrg", "test.mrg"], "--gold-times"),
    ("score", ["gold.mrg", "test.mrg"], "--test-times"),
    ("show", ["gold.mrg", "test.mrg"], "--test-times"),
]


@pytest.mark.parametrize(("command", "others", "option"), CASES)
def test_files_of_repeated_options_add_up(command: str, others: list[str], option: str) -> None:
    made = import_module(f"treescore.cli.{command}").parser()
    found, _ = made.parse_known_args([*others, option, "a", "b", option, "c"])
    assert getattr(found, option.strip("-").replace("-", "_")) == ["a", "b", "c"]
