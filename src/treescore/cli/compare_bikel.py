"""Compare two outputs of EVALB as Dan Bikel's comparator does, line by line.

example:
  treescore compare --compat bikel a.evalb b.evalb        outputs of evalb, or treescore evalb, for two parsers

The output is the comparator's. Its p-values are one-sided, rounding hides ties, and the last p-value is the harmonic
mean of two others, which is not a test: for new work, use treescore compare GOLD A B.
"""

from __future__ import annotations

import argparse

from ..helpers.text import number_of
from ..readers.evalb_output import read_evalb_output
from ..render.bikel_text import as_text
from ..significance.bikel import MAX_WORDS, SHUFFLES, comparator
from . import errors
from .files import check_standard_input, opened, source, write
from .flags import add_flags, positive


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("a", metavar="A", help="EVALB output of one parser, or - for standard input")
    command.add_argument("b", metavar="B", help="EVALB output of the other parser")
    command.add_argument("-n", type=positive, default=SHUFFLES, metavar="N", help=f"shuffles (default: {SHUFFLES:,})")
    command.add_argument("-f", action="store_true", help=f"leave out sentences of more than {MAX_WORDS} words")
    add_flags(command, "ci-seed", default=1)
    add_flags(command, "output")


def run(options: argparse.Namespace) -> int:
    """Compare two outputs of EVALB."""
    check_standard_input((options.a, options.b))
    with opened(options.output, (options.a, options.b)) as out:  # before long work begins
        a, b = (read_evalb_output(source(path)) for path in (options.a, options.b))
        result = comparator(a, b, n=options.n, seed=options.ci_seed, max_words=MAX_WORDS if options.f else None)
        write([as_text(result)], out)
    for side in (a, b):
        if side.passed_over:
            lines = number_of(len(side.passed_over), "line")
            first = f"the first is line {side.passed_over[0]:,}"
            errors.notify(f"{side.name or '-'}: {lines} skipped (two leading numbers, but not a row); {first}")
    undefined = result.precision.undefined + result.recall.undefined
    if undefined:
        errors.notify(f"{undefined:,} shuffles left a parser without brackets and count as extreme")
    errors.notify(
        "the last line is the harmonic mean of the two p-values above it, which is not a test of F; "
        "treescore compare GOLD A B has one"
    )
    return errors.OK
