"""Options of `treescore study correlation`.

examples:
  treescore study correlation                                       F1 and STRUCT-IOU, on bundled data
  treescore study correlation --gold gold.mrg --test parsed.mrg --plot correlation.pdf
  treescore study correlation --gold gold.mrg --test a.mrg b.mrg -m parseval -m leaf_ancestor --size 20
"""

from __future__ import annotations

import argparse

from ...significance.correlations import KINDS
from ...studies.correlation import BUCKET, METRICS, RUNS, SIZES
from ..flags import add_flags, add_metric_flags, positive
from ..study import add_trees


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this study."""
    add_trees(command, several=True)
    add_metric_flags(command, f"; given twice (default: {' and '.join(METRICS)})")
    command.add_argument("--size", type=positive, metavar="N", help=f"sentences per bucket (default: {BUCKET})")
    shown = " ".join(map(str, SIZES))
    command.add_argument("--sizes", type=positive, nargs="*", metavar="N", help=f"other sizes (default: {shown})")
    command.add_argument("--kind", choices=KINDS, help="kind of correlation (default: spearman)")
    add_flags(command, "runs", default=RUNS, more=f"(default: {RUNS})")
    add_flags(command, "seed", more="(default: 1)")
