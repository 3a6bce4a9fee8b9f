"""`treescore perturb`: the same trees with other word boundaries."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext

from ..helpers.steps import Steps
from ..helpers.text import encode, number_of
from ..place.axis import axis_named
from ..place.seconds import placed
from ..place.two_sides import check_readable
from ..render.nested_trees import jsonl_lines
from ..speech.perturb import AXES, OPERATIONS, perturb
from ..values.problem import Problem, UsageError
from . import errors
from .arguments import Parser
from .files import opened
from .flags import add_flags, add_reading_flags
from .score import read_trees
from .times import times_of
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..trees import Treebank

_EPILOG = """\
examples:
  treescore perturb noise gold.jsonl --delta 0.3 -o moved.jsonl
                                          boundaries move by up to 30 % of the way to their neighbours
  treescore perturb insert gold.jsonl --delta 0.1 --seed 7
                                          one word in ten is cut in two
  treescore perturb delete gold.jsonl --delta 0.1 --parser './parse --model en'
                                          one boundary in ten is gone, and the words are parsed again
  treescore perturb noise gold.mrg --times aligned/ --delta 0.3
                                          words and when they were spoken from an aligner's files
  treescore perturb noise gold.mrg --axis words --delta 0.5
                                          for trees without times: every word is one second long

exit code: 0 fine, 1 problems with --strict, 2 unusable input"""


def parser() -> Parser:
    """The arguments of the command."""
    command = Parser(
        "perturb",
        "Move, insert or delete word boundaries of trees with times (Shi, Gimpel and Livescu 2024), and "
        "write the trees as JSON lines of nested lists. Trees that cannot be changed are written as they are.",
        _EPILOG,
    )
    command.add_argument("operation", choices=OPERATIONS, help="what is done to the boundaries")
    command.add_argument("trees", metavar="TREES", help="file of trees, or - for standard input")
    command.add_argument(
        "--delta", type=float, required=True, metavar="D", help="how far boundaries move, or how many, from 0 to 1"
    )
    add_flags(command, "seed", default=0, more="(default: 0)")
    add_flags(command, "parser", more="(delete; default: a joined word stands where its first part stood)")
    command.add_argument(
        "--axis",
        choices=AXES,
        default="seconds",
        help="where words stand: at their times, or each one second long (default: seconds)",
    )
    add_flags(command, "times")
    add_flags(command, "times-format", "tier", "attach")
    add_flags(command, "output")
    add_reading_flags(command)
    return command


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = parser().parse_args(arguments)
    if options.trees == "-" and "-" in (options.times or ()):
        raise UsageError("only one file can be standard input")
    axis = axis_named(options.axis)
    if options.times is not None and not axis.needs_times:
        raise UsageError("--times and --axis words do not go together: there every word is one second long")
    bank = read_trees(options.trees, options)
    check_readable(bank)
    if axis.needs_times:
        bank = _with_times(bank, options)
    steps = Steps()
    with watched("perturbing", steps):
        perturbed = perturb(
            bank,
            options.operation,
            options.delta,
            seed=options.seed,
            parser=options.parser,
            axis=axis,
            steps=steps,
        )
    apart = options.output not in (None, "-") or not sys.stdout.isatty()  # else one would be written into the other
    with opened(options.output, (options.trees,)) as out, watched("writing", steps) if apart else nullcontext():
        for _, line in zip(steps.over(len(perturbed)), jsonl_lines(perturbed), strict=True):
            out.write(encode(line) + b"\n")
        out.flush()
    problems = [*perturbed.problems, *_unwritten(perturbed)]
    errors.complain(problems)
    return errors.FAILED if options.strict and problems else errors.OK


def _with_times(bank: Treebank, options: argparse.Namespace) -> Treebank:
    """The trees with the times that were given, or their own."""
    if options.times is None:
        bank.check_times("give them with --times, or use --axis words, on which each is one second long")
        return bank
    times = times_of(options.times, options, strict=options.strict, faults=False)  # they are among the trees' problems
    bank, attach = placed(bank, times, attach=options.attach)
    sys.stderr.write(f"treescore: words paired with trees by {attach}\n")
    bank.check_times(f"not one of them is among the words of {times.name}")
    return bank


def _unwritten(bank: Treebank) -> list[Problem]:
    """What nested lists cannot hold."""
    number = sum(bank.native.functions(index) is not None for index in range(len(bank)))
    if not number:
        return []
    message = f"{number_of(number, 'tree')} written without functions; --functions add puts them behind the labels"
    return [Problem("functions", message, file=bank.source.name)]
