"""Options of `treescore study morphology`.

examples:
  treescore study morphology --plot morphology.pdf
                                          Hebrew plural endings, on bundled trees
  treescore study morphology --gold gold.mrg --test parsed.mrg --rules endings.txt
                                          your own rules, such as: *+s NNS NN+PL
"""

from __future__ import annotations

import argparse

from ...studies.morphology import SIGNATURE
from ...words.splitting import BUILT_IN
from ..flags import add_flags
from ..study import add_trees


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this study."""
    add_trees(command)
    command.add_argument(
        "--rules",
        dest="splitter",
        metavar="FILE",
        help=f"rules of splitting words: a file, or {', '.join(BUILT_IN)} (default)",
    )
    add_flags(command, "metric", action="store", default=SIGNATURE, more=f"(struct_iou only; default: {SIGNATURE})")
