"""`treescore demo`: score the bundled sample treebank."""

from __future__ import annotations

from ..helpers.files import packaged
from . import score
from .arguments import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def parser() -> Parser:
    """The arguments of the command."""
    command = Parser(
        "demo",
        "Score the bundled sample treebank: 40 sentences with typical parser errors.",
        "example: treescore demo --by label",
    )
    score.add_options(command)
    return command


def main(words: Sequence[str]) -> int:
    """Score the bundled treebank."""
    options = parser().parse_args(words)
    options.gold, options.test = (str(packaged(f"demo.{kind}.mrg")) for kind in ("gold", "test"))
    return score.run(options, names=("demo.gold.mrg", "demo.test.mrg"))
