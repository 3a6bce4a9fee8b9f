"""Options of `treescore study length`."""

from __future__ import annotations

from ...studies.length import METRICS, study
from ..flags import add_metric_flags, positive
from ..score import chosen_metrics
from ..study import add_trees, read_given

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from ...helpers.steps import Steps
    from ...studies import Study

EPILOG = """\
examples:
  treescore study length                                            F1 and STRUCT-IOU, on bundled data
  treescore study length --gold gold.mrg --test parsed.mrg --plot length.pdf
  treescore study length --gold gold.mrg --test parsed.mrg -m leaf_ancestor --step 10"""


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


def run(options: argparse.Namespace, steps: Steps) -> Study:
    """Run the study with these options."""
    metrics = chosen_metrics(options, METRICS)
    gold, test = read_given(options)
    return study(gold, test, metrics, step=options.step, threads=options.threads, steps=steps)
