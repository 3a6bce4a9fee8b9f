"""Options of `treescore study sensitivity`.

examples:
  treescore study sensitivity              on bundled conversations
  treescore study sensitivity --gold gold.tsv --test parsed.tsv --plot sensitivity.pdf
                                           your trees; ids such as sw2005.A.12 name the side
  treescore study sensitivity --gold gold.mrg --test parsed.mrg --sides sides.txt --parser 'my-parser --lines'
                                           sides from a file, and trees from your parser
"""

from __future__ import annotations

import argparse

from ...studies import sensitivity
from ...studies.sides import EDITS
from ..flags import add_flags
from ..study import add_trees


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this study."""
    add_trees(command)
    command.add_argument(
        "--sides",
        dest="units",
        metavar="FILE",
        help="conversation side of each sentence, one per line (default: by the ids)",
    )
    command.add_argument(
        "--rates",
        type=float,
        nargs="+",
        metavar="R",
        help=f"word error rates (default: {_listed(sensitivity.RATES)})",
    )
    command.add_argument(
        "--thresholds",
        type=float,
        nargs="*",
        metavar="T",
        help=f"thresholds of boundary posteriors (default: {_listed(sensitivity.THRESHOLDS)})",
    )
    command.add_argument(
        "--edits",
        nargs="+",
        choices=EDITS,
        help="edited speech in the test trees: kept, removed by test, or removed by gold (default: all three)",
    )
    command.add_argument(
        "--errors",
        type=float,
        nargs=3,
        metavar=("S", "D", "I"),
        help=f"shares of substitutions, deletions, insertions among errors (default: {_listed(sensitivity.ERRORS)})",
    )
    add_flags(command, "table", dest="heads")
    add_flags(command, "parser", more="(default: the test trees are split, joined and get the new words)")
    add_flags(command, "runs", default=sensitivity.RUNS, more=f"(default: {sensitivity.RUNS})")
    add_flags(command, "seed", more="(default: 1)")


def _listed(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:g}" for value in values)
