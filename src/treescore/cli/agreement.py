"""`treescore agreement A B [C …]`: how far annotators of the same sentences agree, without a gold standard."""

from __future__ import annotations

from ..analysis.annotators.finding import agreement
from ..significance.intervals import SAMPLES
from ..values.problem import UsageError
from .arguments import Parser
from .files import check_standard_input, keep_inputs, opened, tells_problems
from .flags import add_flags, add_format_flag, add_reading_flags, add_sampling_flags
from .sampling import sampling
from .score import read_trees
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
  treescore agreement ann.mrg ben.mrg --ci-unit document  intervals by whole documents
  treescore agreement ann.mrg ben.mrg -f json --per-sentence
                                                          everything, for programs

exit code: 0 fine, 1 problems with --strict, 2 unusable input"""


def parser() -> Parser:
    """The arguments of the command."""
    command = Parser(
        "agreement",
        "Tell how far two or more annotators of the same sentences agree: scores that treat them alike, "
        "agreement beyond chance (Cohen's kappa, Krippendorff's alpha), by label, and where they disagree.",
        _EPILOG,
    )
    command.add_argument(
        "annotations", metavar="FILE", nargs="+", help="file of trees of an annotator, or -; at least two"
    )
    add_flags(command, "name")
    command.add_argument("--adjudicated", metavar="FILE", help="trees on which the annotators settled")
    add_flags(command, "profile", "prm")
    command.add_argument(
        "--outer",
        choices=("counted", "ignored"),
        default="counted",
        help="outer brackets (TOP, ROOT, S1, VROOT or none; default: counted)",
    )
    add_format_flag(command, "Agreement")
    add_flags(command, "per-sentence", more=", not only of sentences with low agreement")
    add_flags(command, "most")
    add_flags(command, "output")
    group = command.add_argument_group("intervals, by the bootstrap")
    add_flags(group, "ci-method")
    add_sampling_flags(group, SAMPLES)
    add_reading_flags(command)
    return command


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = parser().parse_args(arguments)
    paths = options.annotations
    if len(paths) < 2:
        raise UsageError("agreement is that of at least two annotators: give a file for each")
    inputs = [*paths, *filter(None, (options.adjudicated,))]
    check_standard_input([*inputs, options.ci_units])
    keep_inputs(options.output, [*inputs, *filter(None, (options.ci_units, options.prm))])
    names = system_names(paths, options.name, "annotators")
    banks = {name: read_trees(path, options) for name, path in zip(names, paths, strict=True)}
    settled = read_trees(options.adjudicated, options) if options.adjudicated else None
    drawn = sampling(options)
    with opened(options.output) as out:  # before long work begins
        with watched("comparing") as progress:
            result = agreement(
                banks,
                adjudicated=settled,
                profile=options.profile,
                prm=options.prm,
                outer=options.outer,
                threads=options.threads,
                progress=progress,
                **drawn,
            )
        write([result.to(options.format, per_sentence=options.per_sentence, most=options.most)], out)
    return report_problems(result.problems, shown=tells_problems(options.format), strict=options.strict)
