"""Options of `treescore study ambiguity`."""

from __future__ import annotations

import argparse

from ...studies.ambiguity import MAX_N, MAX_N_EXACT, PAPER_N, study
from ...studies.attachments import CONVENTIONS, DRAWS
from ..flags import add_flags, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...helpers.steps import Steps
    from ...studies import Study

EPILOG = """\
examples:
  treescore study ambiguity
  treescore study ambiguity --exact --plot ambiguity.pdf
                                          every plausible tree is the ground truth in turn
  treescore study ambiguity -n 5 --convention wrapped --draw split"""


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this study."""
    command.add_argument(
        "-n",
        type=whole,
        default=PAPER_N,
        metavar="N",
        help=f"how many PPs there are to attach, 2 to {MAX_N}, with --exact to {MAX_N_EXACT} (default: {PAPER_N})",
    )
    command.add_argument(
        "--convention",
        choices=CONVENTIONS,
        default="plain",
        metavar="NAME",
        help=f"what trees look like and what counts: {', '.join(CONVENTIONS)}; a table says what they are, and what "
        "each gives (default: plain)",
    )
    command.add_argument(
        "--draw",
        choices=DRAWS,
        default="uniform",
        help="random trees: each as likely as any other, or cut in two anywhere (default: uniform)",
    )
    command.add_argument("--trials", type=whole, default=500, metavar="N", help="random trees (default: 500)")
    command.add_argument("--exact", action="store_true", help="score every plausible tree against every other one")
    add_flags(command, "threads")
    add_flags(command, "seed", more="(default: 1)")


def run(options: argparse.Namespace, steps: Steps) -> Study:
    """The study that the options ask for."""
    return study(
        options.n,
        convention=options.convention,
        draw=options.draw,
        trials=options.trials,
        seed=options.seed,
        exact=options.exact,
        threads=options.threads,
        steps=steps,
    )
