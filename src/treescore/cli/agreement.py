"""`treescore agreement A B [C …]`: how far annotators of the same sentences agree, without a gold standard."""

from __future__ import annotations

import argparse

from ..analysis.annotators.finding import agreement
from ..profiles import PROFILES
from ..render.agreement import MOST
from ..significance.intervals import METHODS, SAMPLES
from ..values.problem import UsageError
from .arguments import Parser
from .files import add_format_option, check_standard_input, keep_inputs, opened, tells_problems
from .sampling import add_sampling_options, sampling
from .score import add_reading_options, read_trees
from .systems import system_names
from .two_texts import report_problems, write
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_EPILOG = """\
examples:
  treescore agreement ann.mrg ben.mrg                     F1, STRUCT-IOU, kappa, alpha; by label; where they differ
  treescore agreement ann.mrg ben.mrg eve.mrg             all pairs of three annotators, and alpha of all
  treescore agreement ann.mrg ben.mrg --adjudicated final.mrg
                                                          … and each of them against what they settled on
  treescore agreement ann.mrg ben.mrg --profile none      punctuation and TOP count, too
  treescore agreement ann.mrg ben.mrg --unit document     intervals by whole documents
  treescore agreement ann.mrg ben.mrg -f json --per-sentence
                                                          everything, for programs

exit code: 0 fine, 1 problems with --strict, 2 unusable input"""


def parser() -> Parser:
    """The arguments of the command."""
    made = Parser(
        "agreement",
        "Tell how far two or more annotators of the same sentences agree: scores that treat them alike, "
        "agreement beyond chance (Cohen's kappa, Krippendorff's alpha), by label, and where they disagree.",
        _EPILOG,
    )
    made.add_argument(
        "annotations", metavar="FILE", nargs="+", help="file of trees of an annotator, or -; at least two"
    )
    made.add_argument(
        "--name",
        action="append",
        default=[],
        help="name of an annotator, in the order of the files (default: their names)",
    )
    made.add_argument("--adjudicated", metavar="FILE", help="trees on which the annotators settled")
    made.add_argument(
        "--profile",
        choices=PROFILES,
        help="which words and labels count (see: treescore info profiles; default collins)",
    )
    made.add_argument("-p", "--prm", metavar="FILE", help="EVALB parameter file to use instead of a profile")
    made.add_argument(
        "--ignore-outer", action="store_true", help="outer brackets (TOP, ROOT, S1, VROOT or none) do not count"
    )
    add_format_option(made, "Agreement")
    made.add_argument("--per-sentence", action="store_true", help="all sentences, not only those with low agreement")
    made.add_argument(
        "--most", type=_rows, default=MOST, metavar="N", help=f"rows of tables that are lists (default: {MOST})"
    )
    made.add_argument("-o", "--output", metavar="FILE", help="write the result here; - is standard output")
    group = made.add_argument_group("intervals, by the bootstrap")
    group.add_argument("--method", choices=METHODS, help=f"(default: {METHODS[0]})")
    add_sampling_options(group, samples=SAMPLES)
    add_reading_options(made)
    return made


def _rows(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of rows")
    return int(text)


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = parser().parse_args(arguments)
    paths = options.annotations
    if len(paths) < 2:
        raise UsageError("agreement is that of at least two annotators: give a file for each")
    inputs = [*paths, *filter(None, (options.adjudicated,))]
    check_standard_input([*inputs, options.units])
    keep_inputs(options.output, [*inputs, *filter(None, (options.units, options.prm))])
    names = system_names(paths, options.name, "annotators")
    banks = {name: read_trees(path, options) for name, path in zip(names, paths, strict=True)}
    settled = read_trees(options.adjudicated, options) if options.adjudicated else None
    drawn = sampling(options)
    with opened(options.output) as out:  # before long work begins
        with watched("comparing") as progress:
            found = agreement(
                banks,
                adjudicated=settled,
                profile=options.profile,
                prm=options.prm,
                outer="ignored" if options.ignore_outer else "counted",
                threads=options.threads,
                progress=progress,
                **drawn,
            )
        write([found.to(options.format, per_sentence=options.per_sentence, most=options.most)], out)
    return report_problems(found.problems, shown=tells_problems(options.format), strict=options.strict)
