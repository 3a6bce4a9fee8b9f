"""Options of `treescore study perturbation`."""

from __future__ import annotations

import argparse

from ...speech.perturb import AXES, OPERATIONS
from ...studies.perturbation import SIGNATURE, study
from ..flags import add_flags
from ..study import add_trees, read_given
from ..times import times_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...helpers.steps import Steps
    from ...studies import Study

EPILOG = """\
examples:
  treescore study perturbation --plot figure5.pdf
  treescore study perturbation --gold gold.mrg --test parsed.mrg
                                          without times: one second per word
  treescore study perturbation --gold gold.mrg --times aligned/
                                          word times from an aligner's files
  treescore study perturbation --gold gold.jsonl --parser './parse --model en'
                                          reparse words after deletions"""


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this study."""
    add_trees(command)
    add_flags(command, "times")
    add_flags(command, "times-format", "tier", "attach")
    command.add_argument(
        "--axis",
        choices=AXES,
        help="seconds: times of words; words: one second per word (default: seconds if there are times)",
    )
    command.add_argument(
        "--operation",
        choices=OPERATIONS,
        action="append",
        help="operation on the boundaries; repeatable (default: all)",
    )
    command.add_argument(
        "--delta",
        type=float,
        action="append",
        metavar="D",
        help="strength from 0 to 1; repeatable (default: 0.1, 0.2, … 1.0)",
    )
    add_flags(command, "runs", default=5, more="(default: 5)")
    add_flags(command, "seed", more="(default: 1)")
    add_flags(command, "metric", action="store", default=SIGNATURE, more=f"(struct_iou only; default: {SIGNATURE})")
    add_flags(command, "parser", more="(default: a joined word replaces its first part)")


def run(options: argparse.Namespace, steps: Steps) -> Study:
    """Run the study with these options."""
    gold, test = read_given(options, needs_test=False)
    given = {"operations": options.operation, "deltas": options.delta}
    return study(
        gold,
        test,
        times=None if options.times is None else times_of(options.times, options, strict=options.strict, faults=False),
        attach=options.attach,
        axis=options.axis,
        runs=options.runs,
        seed=options.seed,
        metric=options.metric,
        parser=options.parser,
        threads=options.threads,
        steps=steps,
        **{name: value for name, value in given.items() if value is not None},
    )
