"""Options of `treescore study ambiguity`.

examples:
  treescore study ambiguity
  treescore study ambiguity --exact --plot ambiguity.pdf
                                          each plausible tree in turn as gold
  treescore study ambiguity -n 5 --convention wrapped --draw split
"""

from __future__ import annotations

import argparse

from ...studies.ambiguity import MAX_N, MAX_N_EXACT, PAPER_N
from ...studies.attachments import CONVENTIONS, DRAWS
from ..flags import add_flags, positive


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this study."""
    command.add_argument(
        "-n",
        type=positive,
        metavar="N",
        help=f"number of PPs to attach, 2 to {MAX_N}, with --exact to {MAX_N_EXACT} (default: {PAPER_N})",
    )
    command.add_argument(
        "--convention",
        choices=CONVENTIONS,
        metavar="NAME",
        help=f"shape of the trees, explained in a table: {', '.join(CONVENTIONS)} (default: plain)",
    )
    command.add_argument(
        "--draw",
        choices=DRAWS,
        help="random trees: uniform, or by random splits (default: uniform)",
    )
    command.add_argument("--trials", type=positive, metavar="N", help="number of random trees (default: 500)")
    command.add_argument("--exact", action="store_true", help="score every plausible tree against every other")
    add_flags(command, "threads", "memory")
    add_flags(command, "seed", more="(default: 1)")
