#!/usr/bin/env python3
"""Makes completion scripts and manual pages from the parsers of the commands.

Usage: scripts/make_share.py   (make share runs it)
Writes share, which wheels install as it is.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from treescore import __version__
from treescore.cli.commands import COMMANDS, with_studies
from treescore.cli.completion import choices, help_of, script

FOLDER = Path(__file__).resolve().parent.parent / "share"
COMPLETIONS = {
    "bash-completion/completions/treescore": script("bash"),
    "zsh/site-functions/_treescore": script("zsh"),
    "fish/vendor_completions.d/treescore.fish": script("fish"),
}
TABLE = with_studies()
GROUPS = {"positional arguments": "ARGUMENTS", "options": "OPTIONS"}


def roff(text: str) -> str:
    """Text as roff shows it, sign by sign."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)
    return "".join(sign if sign.isascii() else f"\\[u{ord(sign):04X}]" for sign in text)


def bold(text: str) -> str:
    """Words to be typed as they are."""
    return f"\\fB{roff(text)}\\fR"


def italic(text: str) -> str:
    """Words that stand for others; a long list of choices may go on in the next line."""
    return "\\fI" + roff(text).replace("|", "|\\:") + "\\fR"


def values(action: argparse.Action) -> list[str]:
    """What stands for the values of an argument."""
    names = action.metavar or ("|".join(choices(action)) or action.dest.upper())
    shown = list(names) if isinstance(names, tuple) else [names]
    if action.nargs in ("*", "+"):
        return [*shown, "..."]
    return shown * action.nargs if isinstance(action.nargs, int) and len(shown) == 1 else shown


def heading(action: argparse.Action) -> str:
    """An argument as its entry begins."""
    taken = "" if action.nargs == 0 else " ".join(map(italic, values(action)))
    if not action.option_strings:
        return taken
    return ", ".join(map(bold, action.option_strings)) + (f" {taken}" if taken else "")


def synopsis(made: argparse.ArgumentParser) -> str:
    """The command line in short."""
    words = [bold(made.prog), f"[{italic('option')} ...]"]
    for action in made._actions:
        if action.option_strings and action.required:
            words.append(f"{bold(action.option_strings[-1])} {' '.join(map(italic, values(action)))}")
    for action in made._actions:
        if not action.option_strings:
            taken = " ".join(map(italic, values(action)))
            words.append(f"[{taken}]" if action.nargs in ("?", "*") else taken)
    return " ".join(words)


def epilogue(text: str) -> list[str]:
    """What stands below the options: examples, exit codes, and remarks."""
    lines: list[str] = []
    for block in text.strip("\n").split("\n\n"):
        first, _, rest = block.partition("\n")
        title, _, same_line = first.partition(":")
        if title in ("example", "examples"):
            lines += [".SH EXAMPLES", ".EX", roff("\n".join(filter(None, [same_line.strip(), rest]))), ".EE"]
        elif title == "exit code":
            lines += [".SH EXIT STATUS", roff(" ".join([same_line.strip(), *rest.split()]).strip())]
        elif not first.startswith("commands ("):
            seen = ".SH NOTES" in lines
            lines += [
                ".PP" if seen else ".SH NOTES",
                *([".EX", roff(block), ".EE"] if "\n " in block else [roff(block)]),
            ]
    return lines


def page_name(command: str) -> str:
    """The name of the page of a command."""
    return "-".join(["treescore", *command.split()])


def page(command: str) -> str:
    """The manual page of a command."""
    made = TABLE[command].parser(command)
    name = page_name(command)
    lines = [
        '.\\" Made by scripts/make_share.py',
        f'.TH {roff(name.upper())} 1 "" "treescore {__version__}" "User Commands"',
        ".ad l",
        ".SH NAME",
        f"{roff(name)} \\- {roff(TABLE[command].summary)}",
        ".SH SYNOPSIS",
        synopsis(made),
        ".SH DESCRIPTION",
        roff(" ".join((made.description or "").split())),
    ]
    for group in made._action_groups:
        actions = [action for action in group._group_actions if action.help is not argparse.SUPPRESS]
        if not any(action.help for action in actions):
            continue
        lines.append(f".SH {roff(GROUPS.get(group.title or '', (group.title or '').upper()))}")
        lines += [roff(group.description)] if group.description else []
        for action in actions:
            lines += [".TP", heading(action), roff(" ".join(help_of(made, action).split())) or "\\&"]
    lines += epilogue(made.epilog or "")
    if not command:
        lines.append(".SH COMMANDS")
        for other, entry in COMMANDS.items():
            if other and " " not in other:
                lines += [".TP", f"{bold(page_name(other))}(1)", roff(entry.summary)]
    parent = [page_name(command.rpartition(" ")[0])] if command else []
    below = [page_name(other) for other in TABLE if command and other.startswith(f"{command} ")]
    if parent or below:
        lines += [".SH SEE ALSO", ",\n".join(f"{bold(other)}(1)" for other in [*parent, *below])]
    return "\n".join(lines) + "\n"


def texts() -> dict[str, str]:
    """What each file below share holds."""
    return COMPLETIONS | {f"man/man1/{page_name(command)}.1": page(command) for command in TABLE}


def main() -> None:
    """Write all files, and delete those that nothing makes any more."""
    made = texts()
    for old in FOLDER.rglob("*"):
        if old.is_file() and old.relative_to(FOLDER).as_posix() not in made:
            old.unlink()
    for name, text in made.items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
