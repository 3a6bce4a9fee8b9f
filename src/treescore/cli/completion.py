"""Shell completion: the scripts get candidates for the last word from `treescore info --complete WORD ...`."""

from __future__ import annotations

import argparse

from .. import metrics
from ..helpers.files import packaged
from .commands import COMMANDS, chosen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Shells with a script, in which file names complete the first word, and any word without candidates.
SHELLS = ("bash", "zsh", "fish")


def script(shell: str) -> str:
    """The completion script of a shell."""
    return packaged(f"completion/treescore.{shell}").read_text(encoding="utf-8")


def candidates(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Candidates for the last word with descriptions; none where a file is expected.

    >>> list(candidates(["gold", "test", "--format", "j"]))
    [('json', ''), ('jsonl', '')]
    """
    *before, word = [word for word in words if word != "="] if words[-1:] != ["="] else [*words[:-1], ""]
    name, command, rest = chosen(before)
    if not before and not word.startswith("-"):
        table = {known: entry.summary for known, entry in COMMANDS.items() if known and " " not in known}
    else:
        table = _of_parser(command.parser(name), rest, word)
    yield from ((found, note) for found, note in table.items() if found.startswith(word))


def _of_parser(parser: argparse.ArgumentParser, before: Sequence[str], word: str) -> dict[str, str]:
    """The options of a command, or the valid values of an argument."""
    actions = [action for action in parser._actions if action.help is not argparse.SUPPRESS]
    by_option = {option: action for action in actions for option in action.option_strings}
    option, sign, _ = word.partition("=")
    if sign and option in by_option:
        return {f"{option}={value}": "" for value in choices(by_option[option])}
    if before and before[-1] in by_option and by_option[before[-1]].nargs != 0:
        return dict.fromkeys(choices(by_option[before[-1]]), "")
    if word.startswith("-"):
        return {option: help_of(parser, action) for option, action in by_option.items()}
    return {value: "" for action in actions if not action.option_strings for value in choices(action)}


def choices(action: argparse.Action) -> list[str]:
    """The valid values of an argument, if they are listed."""
    if action.choices is None and action.dest == "metric":
        return metrics.names()
    return [str(choice) for choice in action.choices or ()]


def help_of(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """The help text of an argument."""
    return parser._get_formatter()._expand_help(action) if action.help else ""
