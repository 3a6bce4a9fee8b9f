"""The table of commands, and what is derived from it: dispatch, help, and suggestions where a word is unknown."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import treescore_inside

from treescore.cli.commands import COMMANDS, TASKS, listing, with_studies

GOLD = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n"


@pytest.mark.parametrize("name", with_studies())
def test_every_command_has_examples_and_a_task(name: str) -> None:
    command = with_studies()[name]
    assert command.task in TASKS
    parser = command.parser(name)
    assert parser.prog == f"treescore {name}".strip()
    assert "\n" not in command.summary
    assert "example" in (parser.epilog or "")
    assert f"treescore {name}".strip() in (parser.epilog or "")
    assert callable(getattr(command.module, "main", None) or command.module.run)


def test_the_help_groups_all_commands_by_task(tmp_path: Path) -> None:
    lines = listing().splitlines()
    assert [line.strip() for line in lines if not line.startswith("    ")] == list(TASKS)
    named = {line.split()[0] for line in lines if line.startswith("    ")}
    assert named == {name.split()[0] for name in COMMANDS if name}
    assert listing() in treescore_inside(tmp_path, "--help")[0]


@pytest.mark.parametrize("command", [name for name, entry in with_studies().items() if entry.task != "originals"])
def test_every_command_shows_its_help(command: str, tmp_path: Path) -> None:
    out, err = treescore_inside(tmp_path, *command.split(), "--help")
    assert out.startswith(f"usage: treescore {command}".strip())
    assert not err


@pytest.mark.parametrize(
    ("words", "message", "see"),
    [
        ("compar gold a b", "there is no command and no file 'compar'; did you mean 'compare'?", "treescore"),
        ("", "the following arguments are required: GOLD, TEST", "treescore"),
        ("gold", "the following arguments are required: TEST", "treescore"),
        ("gold gold gold", "there are 3 files; did you mean: treescore compare gold gold gold?", "treescore"),
        ("gold gold --profle none", "there is no option --profle; did you mean '--profile'?", "treescore"),
        ("gold gold --profle=none", "there is no option --profle; did you mean '--profile'?", "treescore"),
        (
            "gold gold --profile colins",
            "argument --profile: invalid choice 'colins'; did you mean 'collins'?",
            "treescore",
        ),
        ("gold gold -f josn", "argument -f/--format: invalid choice 'josn'; did you mean 'json'?", "treescore"),
        ("gold gold -m parsevl", "there is no metric 'parsevl'; did you mean 'parseval'?", None),
        ("gold gold -m parseval|profile:colins", "there is no profile 'colins'; did you mean 'collins'?", None),
        ("compare gold a --alpa 1", "there is no option --alpa; did you mean '--alpha'?", "treescore compare"),
        ("compare gold", "the following arguments are required: TEST", "treescore compare"),
        ("times gold --strct", "there is no option --strct; did you mean '--strict'?", "treescore times"),
        ("align wrds a b", "argument WHICH: invalid choice 'wrds'; did you mean 'words'?", "treescore align"),
        ("align", "the following arguments are required: WHICH", "treescore align"),
        ("align words", "the following arguments are required: REF", "treescore align words"),
        ("study lenght", "argument WHICH: invalid choice 'lenght'; did you mean 'length'?", "treescore study"),
        ("info colins", "there is no metric and no profile 'colins'; did you mean 'collins'?", None),
    ],
)
def test_usage_errors_are_one_line(words: str, message: str, see: str | None, tmp_path: Path) -> None:
    (tmp_path / "gold").write_text(GOLD)
    hint = f" (see: {see} --help)" if see else ""
    assert treescore_inside(tmp_path, *words.split(), code=2) == ("", f"treescore: error: {message}{hint}\n")
