"""`treescore study sensitivity`."""

from __future__ import annotations

from ...studies import sensitivity
from ...studies.sides import EDITS
from ..flags import add_flags
from ..sampling import read_units
from ..study import add_trees, read_given

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from ...helpers.steps import Steps
    from ...studies import Study

EPILOG = """\
examples:
  treescore study sensitivity              on conversations that come with treescore
  treescore study sensitivity --gold gold.tsv --test parsed.tsv --plot sensitivity.pdf
                                           on your trees; ids such as sw2005.A.12 name the side
  treescore study sensitivity --gold gold.mrg --test parsed.mrg --sides sides.txt --parser 'my-parser --lines'
                                           sides from a file, and trees of the wrong words from your parser"""


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of this study."""
    add_trees(command)
    command.add_argument(
        "--sides", metavar="FILE", help="the side of each sentence, a name on each line (default: by the ids)"
    )
    command.add_argument(
        "--rates",
        type=float,
        nargs="+",
        metavar="R",
        default=sensitivity.RATES,
        help=f"shares of words that are wrong (default: {_listed(sensitivity.RATES)})",
    )
    command.add_argument(
        "--thresholds",
        type=float,
        nargs="*",
        metavar="T",
        default=sensitivity.THRESHOLDS,
        help=f"posteriors from which on there is a boundary (default: {_listed(sensitivity.THRESHOLDS)})",
    )
    command.add_argument(
        "--edits",
        nargs="+",
        choices=EDITS,
        default=EDITS,
        help="what becomes of edited speech in the test trees: kept, removed as they have it, removed as gold has it "
        "(default: all three)",
    )
    command.add_argument(
        "--errors",
        type=float,
        nargs=3,
        metavar=("S", "D", "I"),
        default=sensitivity.ERRORS,
        help=f"substitutions, deletions, insertions among the errors (default: {_listed(sensitivity.ERRORS)})",
    )
    add_flags(command, "table")
    add_flags(command, "parser", more="(default: the old trees are cut, joined, and get other words)")
    add_flags(command, "runs", default=sensitivity.RUNS, more=f"(default: {sensitivity.RUNS})")
    add_flags(command, "seed", more="(default: 1)")


def run(options: argparse.Namespace, steps: Steps) -> Study:
    """The study that was asked for."""
    gold, test = read_given(options)
    return sensitivity.study(
        gold,
        test,
        units=None if options.sides is None else read_units(options.sides),
        rates=options.rates,
        thresholds=options.thresholds,
        edits=options.edits,
        errors=options.errors,
        runs=options.runs,
        seed=options.seed,
        heads=options.table,
        parser=options.parser,
        steps=steps,
    )


def _listed(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:g}" for value in values)
