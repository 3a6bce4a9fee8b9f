"""`treescore compare --compat`: significance tests of other programs, for comparison with published figures."""

from __future__ import annotations

from ..helpers.text import number_of
from ..readers.evalb_output import read_evalb_output
from ..render import pieces
from ..render.bikel_text import as_text
from ..scoring.choosing import DEFAULT
from ..significance.bikel import MAX_WORDS, SHUFFLES, comparator
from ..significance.sacrebleu import KINDS, SAMPLES, SEED, TRIALS, paired_by
from ..values.problem import UsageError
from . import errors
from .arguments import Parser
from .files import check_standard_input, opened, source, write
from .flags import add_flags, add_format_flag, add_metric_flags, add_reading_flags, positive
from .systems import add_systems, check_several, judged, read_comparison

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_BIKEL_EPILOG = """\
example:
  treescore compare --compat bikel a.evalb b.evalb        outputs of evalb, or treescore evalb, for two parsers

The output is the comparator's. Its p-values are one-sided, rounding hides ties, and the last p-value is the harmonic
mean of two others, which is not a test: for new work, use treescore compare GOLD A B."""
_SACREBLEU_EPILOG = """\
examples:
  treescore compare --compat sacrebleu gold.mrg baseline.mrg parsed.mrg
  treescore compare --compat sacrebleu gold.mrg baseline.mrg a.mrg b.mrg --significance randomization -m struct_iou

Systems with the same output get the smallest possible p, and the p of the bootstrap is too small for similar systems:
for new work, use treescore compare GOLD A B."""


def bikel(arguments: Sequence[str]) -> int:
    """Compare two outputs of EVALB."""
    command = Parser(
        "compare --compat bikel",
        "Compare two outputs of EVALB as Dan Bikel's comparator does, line by line.",
        _BIKEL_EPILOG,
    )
    command.add_argument("a", metavar="A", help="EVALB output of one parser, or - for standard input")
    command.add_argument("b", metavar="B", help="EVALB output of the other parser")
    command.add_argument("-n", type=positive, default=SHUFFLES, metavar="N", help=f"shuffles (default: {SHUFFLES:,})")
    command.add_argument("-f", action="store_true", help=f"leave out sentences of more than {MAX_WORDS} words")
    add_flags(command, "ci-seed", default=1)
    add_flags(command, "output")
    options = command.parse_args(arguments)
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


def sacrebleu(arguments: Sequence[str]) -> int:
    """Compare systems with the first system by sacrebleu's tests."""
    command = Parser(
        "compare --compat sacrebleu",
        "Compare systems with the first system, the baseline, by the paired tests of sacrebleu.",
        _SACREBLEU_EPILOG,
    )
    add_systems(command)
    add_flags(command, "significance", default=KINDS[0], more="(--paired-ar, --paired-bs; default: bootstrap)")
    add_flags(command, "ci-samples", more=f"(default: {SAMPLES:,} samples, or {TRIALS:,} trials)")
    add_flags(command, "ci-seed", default=SEED, more=f"(numpy; default: {SEED})")
    add_format_flag(command, "PairedResult")
    add_flags(command, "output")
    add_metric_flags(command)
    add_flags(command, "reconcile")
    add_reading_flags(command)
    options = command.parse_args(arguments)
    check_several(options.tests)
    if len(options.metric or ()) > 1:
        raise UsageError("sacrebleu's tests take one metric at a time: give -m once")
    is_randomized = options.significance == "randomization"
    numbers = {"samples": SAMPLES, "trials": TRIALS} if is_randomized else {"samples": SAMPLES}
    if options.ci_samples:
        numbers["trials" if is_randomized else "samples"] = options.ci_samples
    with opened(options.output, (options.prm,)) as out:  # before long work begins
        options.metric = options.metric or [DEFAULT]
        comparison = read_comparison(options)
        metric = next(iter(comparison.reports.values())).metrics[0]
        scores = {name: report.scores[0] for name, report in comparison.reports.items()}
        counts = {name: score.counts for name, score in scores.items()}
        result = paired_by(metric, counts, kind=options.significance, seed=options.ci_seed, **numbers)
        base, *others = counts
        title = scores[base].figures[scores[base].main].title
        if any(score.is_partial for score in scores.values()):
            title += f", all {metric.row_unit}s"
        settings = {"signature": metric.signature, "test": options.significance, **numbers, "seed": options.ci_seed}
        write(pieces("PairedResult", result, options.format, figure=title, settings=settings), out)
    for name in others:
        if counts[name].columns == counts[base].columns:
            errors.notify(
                f"{name} has the same counts as {base}: its p is no evidence of a difference, since the test omits ties"
            )
    return judged(comparison, strict=options.strict)
