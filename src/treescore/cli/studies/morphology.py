"""Options of `treescore study morphology`."""

from __future__ import annotations

import argparse

from ...studies.morphology import SIGNATURE, study
from ...words.splitting import BUILT_IN
from ..flags import add_flags
from ..study import add_trees, read_given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...helpers.steps import Steps
    from ...studies import Study

EPILOG = """\
examples:
  treescore study morphology --plot morphology.pdf
                                          Hebrew plural endings, on bundled trees
  treescore study morphology --gold gold.mrg --test parsed.mrg --rules endings.txt
                                          your own rules, such as: *+s NNS NN+PL"""


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this study."""
    add_trees(command)
    command.add_argument(
        "--rules",
        default="hebrew-plural",
        metavar="FILE",
        help=f"rules of splitting words: a file, or {', '.join(BUILT_IN)} (default)",
    )
    add_flags(command, "metric", action="store", default=SIGNATURE, more=f"(struct_iou only; default: {SIGNATURE})")


def run(options: argparse.Namespace, steps: Steps) -> Study:
    """Run the study with these options."""
    gold, test = read_given(options, needs_test=False)
    return study(gold, test, splitter=options.rules, metric=options.metric, threads=options.threads, steps=steps)
