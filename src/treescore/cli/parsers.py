"""What each command takes: its parser, for completion scripts and the manual pages."""

from __future__ import annotations

import argparse
import re

from . import _MODULES, COMMANDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: Programs that take the flags of an original, and the module and name of what they say about themselves.
_ORIGINALS = {
    "evalb": ("evalb", "evalb"),
    "evalb-spmrl": ("evalb", "evalb-spmrl"),
    "sparseval": ("sparseval", "sparseval"),
    "realign": ("sparseval", "strealign"),
}
_FLAG = re.compile(r"  (?P<names>-\w(?:, -\w)*)(?: (?P<metavar>[A-Z]+))?  +(?P<help>\S.*)")


def names() -> Iterator[str]:
    """All commands: "" for `treescore GOLD TEST`, and each study, such as "study length", behind "study".

    >>> "study length" in names()
    True
    """
    from ..studies import STUDIES

    yield ""
    for name in COMMANDS:
        yield name
        if name == "study":
            yield from (f"study {one}" for one in STUDIES)


def parser(name: str) -> argparse.ArgumentParser:
    """The parser of a command.

    >>> parser("evalb").prog
    'treescore evalb'
    """
    from importlib import import_module

    if name == "":
        from . import score

        return score.parser()
    if name == "demo":
        from . import score

        return score.demo_parser()
    if name in _ORIGINALS:
        module, program = _ORIGINALS[name]
        return _from_usage(import_module(f".{module}", __package__).USAGE[program])
    if name in ("explain-signature", "profiles"):
        from . import signatures

        return signatures.parser(name)
    if name.startswith("study"):
        return _study(name.partition(" ")[2])
    made: argparse.ArgumentParser = import_module(f".{_MODULES.get(name, name)}", __package__).parser()
    return made


def help_of(made: argparse.ArgumentParser, action: argparse.Action) -> str:
    """What the help says about an argument."""
    return made._get_formatter()._expand_help(action) if action.help else ""


def choices_of(action: argparse.Action) -> list[str]:
    """The values that an argument may have, if they are few."""
    return [str(choice) for choice in action.choices or ()]


def _study(name: str) -> argparse.ArgumentParser:
    from ..studies import STUDIES
    from . import study

    if name:
        return study.parser(name)
    made = argparse.ArgumentParser(
        prog="treescore study",
        description=study.ABOUT,
        epilog="examples:\n  treescore study length\n  treescore study length --help",
    )
    made.add_argument("name", metavar="NAME", choices=STUDIES, help="which one; --help behind it says more")
    return made


def _from_usage(usage: str) -> argparse.ArgumentParser:
    """A parser of what is written in a usage text; it describes, and never parses: the programs do that themselves."""
    first, *lines = usage.splitlines()
    prog, _, operands = first.removeprefix("usage: ").partition(" [")
    made = argparse.ArgumentParser(prog=prog, add_help=False)
    said: list[str] = []
    for line in lines:
        flag = _FLAG.fullmatch(line)
        if line.startswith("  example: "):
            made.epilog = line.strip()
        elif flag is None:
            said.append(line.strip())
        elif flag["metavar"]:
            made.add_argument(*flag["names"].split(", "), metavar=flag["metavar"], help=flag["help"])
        else:
            made.add_argument(*flag["names"].split(", "), action="store_true", help=flag["help"])
    made.description = " ".join(said)
    for operand in operands.rpartition("]")[2].split():
        made.add_argument(operand.lower(), metavar=operand)
    return made
