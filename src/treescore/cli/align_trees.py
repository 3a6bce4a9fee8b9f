"""`treescore align trees LEFT RIGHT`: which phrases of two annotations of a text stand over the same words."""

from __future__ import annotations

from ..analysis.phrase_matching import LEAST, MODES, SHARE, PhraseMatching, check_proposal
from ..render import pieces
from . import two_texts
from .arguments import Parser
from .files import opened, tells_problems
from .flags import add_format_flag
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_EPILOG = """\
examples:
  treescore align trees penn.mrg susanne.mrg              how much is common, and which labels go with which
  treescore align trees penn.mrg susanne.mrg --matching loose … words without a partner do not matter
  treescore align trees penn.mrg susanne.mrg -f pairs     every pair of phrases, one per line
  treescore align trees penn.mrg susanne.mrg -f prm --least 50 --share 0.6 -o labels.prm
                                                          a proposal which labels to count as equal, for EVALB
  treescore align trees penn.mrg susanne.mrg --profile collins
                                                          without traces and punctuation

exit code: 0 fine, 1 problems with --strict, 2 unusable input"""


def parser() -> Parser:
    """The arguments of the command."""
    command = Parser(
        "align trees",
        "Find the phrases of LEFT and RIGHT, two annotations of the same text, that stand over the same "
        "words (Calder 1997), and tell which of their labels go together.",
        _EPILOG,
    )
    command.add_argument("left", metavar="LEFT", help="file of trees, or - for standard input")
    command.add_argument("right", metavar="RIGHT", help="file of trees with more or less the same text, or -")
    command.add_argument(
        "--matching",
        choices=MODES,
        default="strict",
        help="must all words of both phrases have a partner, or are those without one ignored? (default: strict)",
    )
    add_format_flag(command, "PhraseMatching")
    command.add_argument(
        "--least",
        type=int,
        default=LEAST,
        metavar="N",
        help=f"labels are proposed as equal from so many pairs of phrases on (default: {LEAST})",
    )
    command.add_argument(
        "--share",
        type=float,
        default=SHARE,
        metavar="X",
        help=f"… and from this share of all pairs with either label on, from 0 to 1 (default: {SHARE})",
    )
    command.add_argument(
        "--finer",
        action="store_true",
        help="… of one of the two labels: the other side may have several labels for the same",
    )
    two_texts.add_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = parser().parse_args(arguments)
    check_proposal(options.least, options.share)
    metric = two_texts.metric_of(options)
    left, right, threads = two_texts.read_sides((options.left, options.right), options)
    with opened(options.output, (options.left, options.right)) as out:  # before long work begins
        with watched("aligning") as progress:
            matching = PhraseMatching(metric, left, right, options.matching, threads=threads, progress=progress)
        chosen = {name: getattr(options, name) for name in ("least", "share", "finer")}
        two_texts.write(pieces("PhraseMatching", matching, options.format, **chosen), out)
    shown = tells_problems(options.format)
    return two_texts.report_problems(matching.problems, shown=shown, strict=options.strict)
