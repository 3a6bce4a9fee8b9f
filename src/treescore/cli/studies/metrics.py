"""Options of `treescore study metrics`."""

from __future__ import annotations

from ...studies.metrics import METRICS, study
from ..flags import add_flags, add_metric_flags
from ..score import chosen_metrics
from ..study import add_trees, read_several

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from ...helpers.steps import Steps
    from ...studies import Study

EPILOG = """\
examples:
  treescore study metrics                                           four metrics and four bundled systems
  treescore study metrics --gold gold.mrg --test a.mrg b.mrg c.mrg --plot metrics.pdf
  treescore study metrics --gold gold.mrg --test a.mrg b.mrg -m parseval -m 'parseval|labels:no' --systems a b"""


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this study."""
    add_trees(command, several=True)
    add_metric_flags(command, f"; repeatable (default: {', '.join(METRICS)})")
    command.add_argument(
        "--systems",
        nargs=2,
        metavar="NAME",
        help="two systems to compare by sentence (default: most disagreement of metrics)",
    )
    add_flags(command, "most")


def run(options: argparse.Namespace, steps: Steps) -> Study:
    """Run the study with these options."""
    metrics = chosen_metrics(options, METRICS)
    gold, test = read_several(options)
    pair = tuple(options.systems) if options.systems else None
    return study(gold, test, metrics, pair=pair, most=options.most, threads=options.threads, steps=steps)
