"""`treescore perturb`: the same trees with other word boundaries."""

from __future__ import annotations

import argparse

from ..evaluation import check_readable
from ..render.nested_trees import jsonl_line
from ..speech.perturb import AXES, CITES, OPERATIONS, perturb
from ..text import encode
from . import errors
from .files import opened
from .score import add_reading_options, read_trees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_EPILOG = """\
examples:
  treescore perturb noise gold.jsonl --delta 0.3 -o moved.jsonl
                                          boundaries move by up to 30 % of the way to their neighbours
  treescore perturb insert gold.jsonl --delta 0.1 --seed 7
                                          one word in ten is cut in two
  treescore perturb delete gold.jsonl --delta 0.1 --parser './parse --model en'
                                          one boundary in ten is gone, and the words are parsed again
  treescore perturb noise gold.mrg --axis words --delta 0.5
                                          for trees without times: every word is one second long

exit code: 0 fine, 1 problems with --strict, 2 unusable input"""


def parser() -> argparse.ArgumentParser:
    """The arguments of the command."""
    made = argparse.ArgumentParser(
        prog="treescore perturb",
        description="Move, insert or delete word boundaries of trees with times (Shi, Gimpel and Livescu 2024), and "
        "write the trees as JSON lines of nested lists.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("operation", choices=OPERATIONS, help="what is done to the boundaries")
    made.add_argument("trees", metavar="TREES", help="file of trees with times, or - for standard input")
    made.add_argument(
        "--delta", type=float, required=True, metavar="D", help="how far boundaries move, or how many, from 0 to 1"
    )
    made.add_argument("--seed", type=int, default=0, metavar="N", help="of the random numbers (default: 0)")
    made.add_argument(
        "--parser",
        metavar="CMD",
        help="with delete: a command that reads a line of words for each sentence with joined words and writes a line "
        "with a tree for each; without it, a joined word stands where its first part stood",
    )
    made.add_argument(
        "--axis",
        choices=AXES,
        default="seconds",
        help="where words stand: at their times, or each one second long (default: seconds)",
    )
    made.add_argument("-o", "--output", metavar="FILE", help="write the result here; - is standard output")
    add_reading_options(made)
    made.add_argument("--cite", action="store_true", help="print what to cite, and stop")
    return made


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    if "--cite" in arguments:
        from ..citations import bibtex

        print(bibtex(["treescore", *CITES]))
        return errors.OK
    options = parser().parse_args(arguments)
    bank = read_trees(options.trees, options)
    check_readable(bank)
    made = perturb(bank, options.operation, options.delta, seed=options.seed, parser=options.parser, axis=options.axis)
    with opened(options.output) as out:
        for index, tree in enumerate(made):
            out.write(encode(jsonl_line(tree, None if made.ids is None else made.ids[index])) + b"\n")
        out.flush()
    errors.complain(made.problems)
    return errors.FAILED if options.strict and made.problems else errors.OK
