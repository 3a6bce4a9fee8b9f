"""Options of `treescore study correlation`."""

from __future__ import annotations

from ...significance.correlations import KINDS
from ...studies.correlation import BUCKET, METRICS, RUNS, SIZES, study
from ..flags import add_flags, add_metric_flags, positive
from ..score import chosen_metrics
from ..study import add_trees, read_several

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from ...helpers.steps import Steps
    from ...studies import Study

EPILOG = """\
examples:
  treescore study correlation                                       F1 and STRUCT-IOU, on bundled data
  treescore study correlation --gold gold.mrg --test parsed.mrg --plot correlation.pdf
  treescore study correlation --gold gold.mrg --test a.mrg b.mrg -m parseval -m leaf_ancestor --size 20"""


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this study."""
    add_trees(command, several=True)
    add_metric_flags(command, f"; given twice (default: {' and '.join(METRICS)})")
    command.add_argument(
        "--size", type=positive, default=BUCKET, metavar="N", help=f"sentences per bucket (default: {BUCKET})"
    )
    shown = " ".join(map(str, SIZES))
    command.add_argument(
        "--sizes", type=positive, nargs="*", default=SIZES, metavar="N", help=f"other sizes (default: {shown})"
    )
    command.add_argument("--kind", choices=KINDS, default="spearman", help="kind of correlation (default: spearman)")
    add_flags(command, "runs", default=RUNS, more=f"(default: {RUNS})")
    add_flags(command, "seed", more="(default: 1)")


def run(options: argparse.Namespace, steps: Steps) -> Study:
    """Run the study with these options."""
    metrics = chosen_metrics(options, METRICS)
    gold, test = read_several(options)
    return study(
        gold,
        test,
        metrics,
        size=options.size,
        sizes=options.sizes,
        kind=options.kind,
        runs=options.runs,
        seed=options.seed,
        threads=options.threads,
        steps=steps,
    )
