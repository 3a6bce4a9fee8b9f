"""Options of `treescore study perturbation`.

examples:
  treescore study perturbation --plot figure5.pdf
  treescore study perturbation --gold gold.mrg --test parsed.mrg
                                          without times: one second per word
  treescore study perturbation --gold gold.mrg --times aligned/
                                          word times from an aligner's files
  treescore study perturbation --gold gold.jsonl --parser './parse --model en'
                                          reparse words after deletions
"""

from __future__ import annotations

import argparse

from ...speech.perturb import AXES, OPERATIONS
from ...studies.perturbation import SIGNATURE
from ..flags import WORD_TIMES_FLAGS, add_flags
from ..study import add_trees


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this study."""
    add_trees(command)
    add_flags(command, "times", *WORD_TIMES_FLAGS, "attach")
    command.add_argument(
        "--axis",
        choices=AXES,
        help="seconds: times of words; words: one second per word (default: seconds if there are times)",
    )
    command.add_argument(
        "--operation",
        dest="operations",
        choices=OPERATIONS,
        action="append",
        help="operation on the boundaries; repeatable (default: all)",
    )
    command.add_argument(
        "--delta",
        dest="deltas",
        type=float,
        action="append",
        metavar="D",
        help="strength from 0 to 1; repeatable (default: 0.1, 0.2, … 1.0)",
    )
    add_flags(command, "runs", default=5, more="(default: 5)")
    add_flags(command, "seed", more="(default: 1)")
    add_flags(command, "metric", action="store", default=SIGNATURE, more=f"(struct_iou only; default: {SIGNATURE})")
    add_flags(command, "parser", more="(default: a joined word replaces its first part)")
