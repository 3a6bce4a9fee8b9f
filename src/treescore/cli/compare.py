"""`treescore compare GOLD A B …`: which of several systems are better, and which merely seem to be."""

from __future__ import annotations

import sys

from ..helpers.steps import Steps
from ..helpers.text import visible
from ..scoring.comparisons import ALPHA
from ..scoring.evaluation import compare_conllu
from ..significance import KINDS, TRIALS
from .arguments import Parser
from .files import check_standard_input, opened, source, tells_problems
from .flags import add_flags, add_format_flag, add_metric_flags, add_reading_flags, add_sampling_flags
from .sampling import sampling, share
from .score import chosen_metrics
from .systems import add_systems, check_several, judged, read_comparison, read_conllu_comparison
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: Other programs that compare systems.
COMPAT = ("bikel", "sacrebleu")
_EPILOG = """\
examples:
  treescore compare gold.mrg a.mrg b.mrg                  do they differ in F1?
  treescore compare gold.mrg a.mrg b.mrg c.mrg -m parseval -f latex
                                                          a table for a paper, with letters for what differs
  treescore compare gold.mrg base.mrg a.mrg b.mrg --baseline base
                                                          only comparisons with one of them
  treescore compare gold.mrg a.mrg b.mrg --common         only on sentences that both have a score for
  treescore compare gold.mrg a.mrg b.mrg --significance bootstrap --ci-unit document
                                                          documents, not sentences, are drawn
  treescore compare gold.conllu a.conllu b.conllu --figure mlas
                                                          dependencies, by another figure than LAS
  treescore compare --compat bikel a.evalb b.evalb        what Bikel's comparator prints for two EVALB outputs
  treescore compare --compat sacrebleu gold.mrg base.mrg a.mrg
                                                          sacrebleu's paired tests, to the last digit

Systems that share a letter do not differ significantly, at --alpha after Holm's correction for the number of pairs.

exit code: 0 fine, 1 problems with --strict, 2 unusable input"""


def parser() -> Parser:
    """The arguments of the command."""
    command = Parser(
        "compare",
        "Compare systems on the same gold trees: scores, intervals, and a test of each difference.",
        _EPILOG,
        allow_abbrev=False,  # --compat must be seen before the other options are
    )
    add_systems(command)
    add_metric_flags(command)
    add_flags(command, "reconcile")
    tests = command.add_argument_group("tests")
    add_flags(tests, "significance", default=KINDS[0], more=f"(default: {KINDS[0]})")
    tests.add_argument(
        "--figure",
        metavar="NAME",
        help="compare by this figure, named as in treescore -f json, instead of the main one",
    )
    tests.add_argument("--baseline", metavar="NAME", help="compare the others with this system only")
    tests.add_argument(
        "--common", action="store_true", help="leave out sentences that not every system has a score for by a metric"
    )
    tests.add_argument(
        "--alpha", type=share, default=ALPHA, metavar="P", help=f"the largest p that is significant (default: {ALPHA})"
    )
    add_sampling_flags(tests, TRIALS)
    add_format_flag(command, "Summary")
    add_flags(command, "output")
    command.add_argument(
        "--compat", choices=COMPAT, help="do what another program does, with its options: see --compat NAME --help"
    )
    add_reading_flags(command)
    return command


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    program = Parser("compare", "", add_help=False, allow_abbrev=False)
    program.add_argument("--compat", choices=COMPAT)
    known, rest = program.parse_known_args(arguments)
    if known.compat:
        from . import comparators

        return comparators.bikel(rest) if known.compat == "bikel" else comparators.sacrebleu(rest)
    options = parser().parse_args(arguments)
    check_several(options.tests)
    check_standard_input([options.gold, *options.tests, options.ci_units])
    metrics = chosen_metrics(options)
    drawn = sampling(options)
    steps = Steps()
    with opened(options.output, (options.ci_units, options.prm)) as out:  # before long work begins
        if compare_conllu([(path, source(path)) for path in (options.gold, *options.tests)], metrics):
            comparison = read_conllu_comparison(options, metrics)
        else:
            comparison = read_comparison(options)
        with watched("comparing", steps):
            summary = comparison.summary(
                kind=options.significance,
                figure=options.figure,
                baseline=options.baseline,
                common=options.common,
                alpha=options.alpha,
                threads=options.threads,
                steps=steps,
                **drawn,
            )
        out.write(summary.to(options.format).encode("utf-8", "surrogateescape"))
        out.flush()
    compared = {metric.signature for metric in summary.metrics}
    for metric in next(iter(comparison.reports.values())).metrics:
        if metric.signature not in compared:
            sys.stderr.write(f"treescore: {metric.name} has no figure {visible(options.figure)!r} and is left out\n")
    for row in summary.metrics:
        if row.warning:
            sys.stderr.write(f"treescore: {row.title}: {row.warning}\n")
    return judged(comparison, strict=options.strict, shown=tells_problems(options.format))
