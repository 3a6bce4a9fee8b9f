"""Options of `treescore study metrics`.

examples:
  treescore study metrics                                           four metrics and four bundled systems
  treescore study metrics --gold gold.mrg --test a.mrg b.mrg c.mrg --plot metrics.pdf
  treescore study metrics --gold gold.mrg --test a.mrg b.mrg -m parseval -m 'parseval|labels:no' --systems a b
"""

from __future__ import annotations

import argparse

from ...studies.metrics import METRICS
from ..flags import add_flags, add_metric_flags
from ..study import add_trees


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this study."""
    add_trees(command, several=True)
    add_metric_flags(command, f"; repeatable (default: {', '.join(METRICS)})")
    command.add_argument(
        "--systems",
        dest="pair",
        nargs=2,
        metavar="NAME",
        help="two systems to compare by sentence (default: most disagreement of metrics)",
    )
    add_flags(command, "most")
