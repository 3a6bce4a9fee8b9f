"""`treescore study sensitivity`."""

from __future__ import annotations

from ...studies import sensitivity
from ...studies.sides import EDITS
from ..sampling import read_units, whole
from ..study import add_seed, add_trees, read_given

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
  treescore study sensitivity --gold gold.mrg --test parsed.mrg --units sides.txt --parser 'my-parser --lines'
                                           sides from a file, and trees of the wrong words from your parser"""


def add_options(made: argparse.ArgumentParser) -> None:
    """The options of this study."""
    add_trees(made)
    made.add_argument(
        "--units", metavar="FILE", help="the side of each sentence, a name on each line (default: by the ids)"
    )
    made.add_argument(
        "--rates",
        type=float,
        nargs="+",
        metavar="R",
        default=sensitivity.RATES,
        help=f"shares of words that are wrong (default: {_listed(sensitivity.RATES)})",
    )
    made.add_argument(
        "--thresholds",
        type=float,
        nargs="*",
        metavar="T",
        default=sensitivity.THRESHOLDS,
        help=f"posteriors from which on there is a boundary (default: {_listed(sensitivity.THRESHOLDS)})",
    )
    made.add_argument(
        "--edits",
        nargs="+",
        choices=EDITS,
        default=EDITS,
        help="what becomes of edited speech in the test trees: kept, removed as they have it, removed as gold has it "
        "(default: all three)",
    )
    made.add_argument(
        "--errors",
        type=float,
        nargs=3,
        metavar=("S", "D", "I"),
        default=sensitivity.ERRORS,
        help=f"substitutions, deletions, insertions among the errors (default: {_listed(sensitivity.ERRORS)})",
    )
    made.add_argument("--heads", default="collins", metavar="NAME|FILE", help="head table (default: collins)")
    made.add_argument(
        "--parser",
        metavar="CMD",
        help="a command that reads a line of words for each sentence that was changed, and writes a line with a tree "
        "for each; without it, the old trees are cut, joined, and get other words",
    )
    made.add_argument(
        "--runs", type=whole, default=sensitivity.RUNS, metavar="N", help=f"(default: {sensitivity.RUNS})"
    )
    add_seed(made, sensitivity.SEED)


def run(options: argparse.Namespace, steps: Steps) -> Study:
    """The study that was asked for."""
    gold, test = read_given(options)
    return sensitivity.study(
        gold,
        test,
        units=None if options.units is None else read_units(options.units),
        rates=options.rates,
        thresholds=options.thresholds,
        edits=options.edits,
        errors=options.errors,
        runs=options.runs,
        seed=options.seed,
        heads=options.heads,
        parser=options.parser,
        steps=steps,
    )


def _listed(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:g}" for value in values)
