"""Move, insert or delete word boundaries of timed trees (Shi, Gimpel and Livescu 2024), and write the trees as JSON
lines of nested lists. Trees that cannot be perturbed are copied.

examples:
  treescore perturb noise gold.jsonl --delta 0.3 -o moved.jsonl
                                          boundaries move by up to 30 % of the distance to neighbours
  treescore perturb insert gold.jsonl --delta 0.1 --seed 7
                                          one word in ten is split
  treescore perturb delete gold.jsonl --delta 0.1 --parser './parse --model en'
                                          one boundary in ten is deleted, and the words are reparsed
  treescore perturb noise gold.mrg --times aligned/ --delta 0.3
                                          word times from an aligner's files
  treescore perturb noise gold.mrg --times aligned/ --delta 0.3 --gaps close
                                          without the silence between words, as in the paper
  treescore perturb noise gold.mrg --axis words --delta 0.5
                                          trees without times: each word takes one second
"""

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
from ..speech.perturb import AXES, GAPS, OPERATIONS, perturb
from ..values.problem import Problem, UsageError
from . import errors
from .files import check_standard_input, keep_inputs, opened
from .flags import WORD_TIMES_FLAGS, add_flags, add_reading_flags
from .score import read_trees
from .times import times_for_trees
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..trees import Treebank


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("operation", choices=OPERATIONS, help="operation on the boundaries")
    command.add_argument("trees", metavar="TREES", help="file of trees, or - for standard input")
    command.add_argument(
        "--delta",
        type=float,
        required=True,
        metavar="D",
        help="strength from 0 to 1: relative distance (noise) or share of boundaries",
    )
    add_flags(command, "seed", default=0, more="(default: 0)")
    add_flags(command, "parser", more="(delete; default: a joined word replaces its first part)")
    command.add_argument(
        "--axis",
        choices=AXES,
        default="seconds",
        help="seconds: times of words; words: one second per word (default: seconds)",
    )
    command.add_argument(
        "--gaps",
        choices=GAPS,
        default="keep",
        help="silence between words, before boundaries change: keep it, or close it, as in the paper (default: keep)",
    )
    add_flags(command, "times", *WORD_TIMES_FLAGS, "attach", "output")
    add_reading_flags(command)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    inputs = [options.trees, *(options.times or ())]
    check_standard_input(inputs)
    keep_inputs(options.output, inputs)
    axis = axis_named(options.axis)
    if options.times is not None and not axis.needs_times:
        raise UsageError("--times and --axis words exclude each other: on that axis each word takes one second")
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
            gaps=options.gaps,
            steps=steps,
        )
    shows_progress = options.output not in (None, "-") or not sys.stdout.isatty()  # must not be mixed with the trees
    with (
        opened(options.output) as out,
        watched("writing", steps) if shows_progress else nullcontext(),
    ):
        for _, line in zip(steps.over(len(perturbed)), jsonl_lines(perturbed), strict=True):
            out.write(encode(line) + b"\n")
        out.flush()
    return errors.list_problems([*perturbed.problems, *_lost_functions(perturbed)], strict=options.strict)


def _with_times(bank: Treebank, options: argparse.Namespace) -> Treebank:
    """The trees with the times of --times, or their own times."""
    if options.times is None:
        bank.check_times("give times with --times, or use --axis words, where each word takes one second")
        return bank
    times = times_for_trees(options)
    bank, attach = placed(bank, times, attach=options.attach)
    errors.notify(f"words paired with trees by {attach}")
    bank.check_times(f"not one of them is among the words of {times.name}")
    return bank


def _lost_functions(bank: Treebank) -> list[Problem]:
    """Functions, which nested lists do not contain."""
    number = sum(bank.native.functions(index) is not None for index in range(len(bank)))
    if not number:
        return []
    message = f"{number_of(number, 'tree')} written without functions; --functions add appends them to the labels"
    return [Problem("functions", message, file=bank.source.name)]
