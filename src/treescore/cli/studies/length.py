"""Options of `treescore study length`.

examples:
  treescore study length                                            F1 and STRUCT-IOU, on bundled data
  treescore study length --gold gold.mrg --test parsed.mrg --plot length.pdf
  treescore study length --gold gold.mrg --test parsed.mrg -m leaf_ancestor --step 10
"""

from __future__ import annotations

import argparse

from ...studies.length import METRICS
from ..flags import add_metric_flags, positive
from ..study import add_trees


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this study."""
    add_trees(command)
    add_metric_flags(command, f"; repeatable (default: {' and '.join(METRICS)})")
    command.add_argument(
        "--step",
        type=positive,
        metavar="N",
        help="step of maximum length between rows, in words (default: about a dozen rows)",
    )
