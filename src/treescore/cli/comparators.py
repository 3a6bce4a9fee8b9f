"""`treescore compare --compat`: what other programs that compare systems compute, for figures beside published ones."""

from __future__ import annotations

import sys

from ..helpers.text import number_of, visible
from ..readers.evalb_output import read_evalb_output
from ..render import pieces
from ..render.bikel_text import as_text
from ..scoring.choosing import DEFAULT
from ..significance.bikel import MAX_WORDS, SHUFFLES, comparator
from ..significance.sacrebleu import KINDS, SAMPLES, SEED, TRIALS, paired_by
from ..values.problem import UsageError
from . import errors
from .arguments import Parser
from .files import add_format_option, check_standard_input, opened, source
from .sampling import seed, whole
from .score import add_metric_options, add_reading_options, add_reconcile_option
from .systems import add_systems, check_several, judged, read_comparison
from .two_texts import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_BIKEL_EPILOG = """\
example:
  treescore compare --compat bikel a.evalb b.evalb        the outputs of evalb, or treescore evalb, for two parsers

All lines are spelt as the comparator spells them. Its p-values are one-sided, ties are missed to rounding, and the last
is the harmonic mean of two others, which is no test: use treescore compare GOLD A B for anything new."""
_SACREBLEU_EPILOG = """\
examples:
  treescore compare --compat sacrebleu gold.mrg baseline.mrg parsed.mrg
  treescore compare --compat sacrebleu gold.mrg baseline.mrg a.mrg b.mrg --test randomization -m struct_iou

Systems with the same output get the smallest p that there is, and the p of the bootstrap is too small where systems
hardly differ: use treescore compare GOLD A B for anything new."""


def bikel(arguments: Sequence[str]) -> int:
    """Compare two outputs of EVALB."""
    made = Parser(
        "compare --compat bikel",
        "Compare two outputs of EVALB as Dan Bikel's comparator does, line by line.",
        _BIKEL_EPILOG,
    )
    made.add_argument("a", metavar="A", help="what EVALB printed for one parser, or - for standard input")
    made.add_argument("b", metavar="B", help="what it printed for the other")
    made.add_argument("-n", type=whole, default=SHUFFLES, metavar="N", help=f"shuffles (default: {SHUFFLES:,})")
    made.add_argument("-f", action="store_true", help=f"leave out sentences of more than {MAX_WORDS} words")
    made.add_argument("--seed", type=seed, default=1, metavar="N", help="seed of the random numbers (default: 1)")
    made.add_argument("-o", "--output", metavar="FILE", help="write the result here; - is standard output")
    options = made.parse_args(arguments)
    check_standard_input((options.a, options.b))
    with opened(options.output, (options.a, options.b)) as out:  # before long work begins
        a, b = (read_evalb_output(source(path)) for path in (options.a, options.b))
        found = comparator(a, b, n=options.n, seed=options.seed, max_words=MAX_WORDS if options.f else None)
        out.write(as_text(found).encode())
        out.flush()
    for side in (a, b):
        if side.passed_over:
            lines = number_of(len(side.passed_over), "line")
            sys.stderr.write(
                f"treescore: {visible(side.name or '-')}: {lines} with two numbers at the beginning, but no row, "
                f"passed over; the first is line {side.passed_over[0]:,}\n"
            )
    undefined = found.precision.undefined + found.recall.undefined
    if undefined:
        sys.stderr.write(f"treescore: {undefined:,} shuffles left a parser without brackets, taken for as extreme\n")
    sys.stderr.write(
        "treescore: the last line is the harmonic mean of the two p-values above it, which is not a test of F; "
        "treescore compare GOLD A B has one\n"
    )
    return errors.OK


def sacrebleu(arguments: Sequence[str]) -> int:
    """Compare systems with the first one by sacrebleu's tests."""
    made = Parser(
        "compare --compat sacrebleu",
        "Compare systems with a baseline, the first of them, by the paired tests of sacrebleu.",
        _SACREBLEU_EPILOG,
    )
    add_systems(made)
    made.add_argument(
        "--test",
        choices=KINDS,
        default=KINDS[0],
        help="bootstrap is --paired-bs, randomization --paired-ar (default: bootstrap)",
    )
    made.add_argument(
        "--samples", type=whole, metavar="N", help=f"samples (default: {SAMPLES:,}) or trials (default: {TRIALS:,})"
    )
    made.add_argument("--seed", type=seed, default=SEED, metavar="N", help=f"seed of numpy (default: {SEED})")
    add_format_option(made, "PairedResult")
    made.add_argument("-o", "--output", metavar="FILE", help="write the result here; - is standard output")
    add_metric_options(made)
    add_reconcile_option(made)
    add_reading_options(made)
    options = made.parse_args(arguments)
    check_several(options.tests)
    if len(options.metric or ()) > 1:
        raise UsageError("sacrebleu's tests are made for one metric at a time: give -m once")
    numbers = {"samples": SAMPLES, "trials": TRIALS} if options.test == "randomization" else {"samples": SAMPLES}
    if options.samples:
        numbers["trials" if options.test == "randomization" else "samples"] = options.samples
    with opened(options.output, (options.prm,)) as out:  # before long work begins
        options.metric = options.metric or [DEFAULT]
        comparison = read_comparison(options)
        metric = next(iter(comparison.reports.values())).metrics[0]
        scores = {name: report.scores[0] for name, report in comparison.reports.items()}
        counts = {name: score.counts for name, score in scores.items()}
        found = paired_by(metric, counts, kind=options.test, seed=options.seed, **numbers)
        base, *others = counts
        title = scores[base].figures[scores[base].main].title
        if any(score.is_partial for score in scores.values()):
            title += f", all {metric.row_unit}s"
        settings = {"signature": metric.signature, "test": options.test, **numbers, "seed": options.seed}
        write(pieces("PairedResult", found, options.format, figure=title, settings=settings), out)
    for name in others:
        if counts[name].columns == counts[base].columns:
            sys.stderr.write(
                f"treescore: {visible(name)} has the same counts as {visible(base)}: its p is not evidence that they "
                "differ, the test leaves out what is equal\n"
            )
    return judged(comparison, strict=options.strict)
