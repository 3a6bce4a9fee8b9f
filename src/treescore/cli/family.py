"""The first word of commands of two words, such as `treescore align words`, as a command."""

from __future__ import annotations

from .arguments import Parser
from .commands import COMMANDS, with_studies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def parser(name: str) -> Parser:
    """The arguments of the first word: the second word."""
    members = {
        other.partition(" ")[2]: command.summary
        for other, command in with_studies().items()
        if other.startswith(f"{name} ")
    }
    width = max(map(len, members))
    listed = "".join(f"  {member:{width}}  {summary}\n" for member, summary in members.items())
    example = f"example: treescore {name} {next(iter(members))} --help"
    summary = COMMANDS[name].summary
    command = Parser(name, f"{summary[0].upper()}{summary[1:]}.\n\n{listed}\n{example}")
    command.add_argument("which", metavar="WHICH", choices=members, help=f"one of: {', '.join(members)}")
    return command


def main(name: str, words: Sequence[str]) -> int:
    """Show the help, or refuse an unknown second word."""
    member = f"{name} {parser(name).parse_args(words).which}"
    return with_studies()[member].main(member, [])
