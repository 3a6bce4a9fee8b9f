"""`treescore align sentences GOLD TEST`: which sentences and words of two files of trees belong together."""

from __future__ import annotations

from ..place.pair import Pair
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
  treescore align sentences gold.mrg parsed.mrg                     the sentences that differ, and a summary
  treescore align sentences gold.mrg parsed.mrg --all               all sentences
  treescore align sentences gold.mrg parsed.mrg -f jsonl -o a.jsonl a line per block of sentences, for programs
  treescore align sentences gold.mrg parsed.mrg --contractions fr   French contractions may be written out: du = de le
  treescore align sentences gold.mrg parsed.mrg --text none --contractions none
                                                          words are the same only if they are written the same way

exit code: 0 fine, 1 problems with --strict, 2 unusable input"""


def parser() -> Parser:
    """The arguments of the command."""
    command = Parser(
        "align sentences",
        "Find out which sentences and which words of GOLD and TEST belong together, and show it.",
        _EPILOG,
    )
    command.add_argument("gold", metavar="GOLD", help="file of gold trees, or - for standard input")
    command.add_argument("test", metavar="TEST", help="file of trees with more or less the same text, or -")
    add_format_flag(command, "SentencePairing", default="text")
    command.add_argument("--all", action="store_true", help="text: show the sentences that do not differ, too")
    two_texts.add_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = parser().parse_args(arguments)
    metric = two_texts.metric_of(options)
    gold, test, threads = two_texts.read_sides((options.gold, options.test), options)
    with opened(options.output, (options.gold, options.test)) as out:  # before long work begins
        with watched("aligning") as progress:
            texts = metric.aligned(Pair(gold, test), threads=threads, progress=progress)
        two_texts.write(pieces("SentencePairing", texts, options.format, every=options.all), out)
    return two_texts.report_problems(texts.problems, shown=tells_problems(options.format), strict=options.strict)
