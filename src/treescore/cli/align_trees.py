"""Match the phrases over the same words in LEFT and RIGHT, two annotations of a text (Calder 1997), and find
corresponding labels.

examples:
  treescore align trees penn.mrg susanne.mrg              shared phrases and corresponding labels
  treescore align trees penn.mrg susanne.mrg --matching loose … ignore unaligned words
  treescore align trees penn.mrg susanne.mrg -f pairs     pairs of phrases, one per line
  treescore align trees penn.mrg susanne.mrg -f prm --least 50 --share 0.6 -o labels.prm
                                                          proposed equivalent labels for EVALB
  treescore align trees penn.mrg susanne.mrg --profile collins
                                                          without traces and punctuation
"""

from __future__ import annotations

import argparse

from ..analysis.phrase_matching import LEAST, MODES, SHARE, PhraseMatching, check_proposal
from ..render import pieces
from . import errors, two_texts
from .arguments import named
from .files import opened, write
from .flags import add_output_flags
from .watch import watched


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("left", metavar="LEFT", help="file of trees, or - for standard input")
    command.add_argument("right", metavar="RIGHT", help="file of trees with similar text, or -")
    command.add_argument(
        "--matching",
        choices=MODES,
        default="strict",
        help="strict: all words of both phrases are aligned; loose: unaligned words are ignored (default: strict)",
    )
    add_output_flags(command, "PhraseMatching")
    command.add_argument(
        "--least",
        type=int,
        default=LEAST,
        metavar="N",
        help=f"minimum number of phrase pairs of proposed equivalent labels (default: {LEAST})",
    )
    command.add_argument(
        "--share",
        type=float,
        default=SHARE,
        metavar="X",
        help=f"minimum share among the pairs with either label, from 0 to 1 (default: {SHARE})",
    )
    command.add_argument(
        "--finer",
        action="store_true",
        help="minimum share for only one of the two labels: the other side may have finer labels",
    )
    two_texts.add_options(command)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    check_proposal(options.least, options.share)
    metric = two_texts.metric_of(options)
    left, right, threads = two_texts.read_sides((options.left, options.right), options)
    with opened(options.output, (options.left, options.right)) as out:  # before long work begins
        with watched("aligning") as progress:
            matching = PhraseMatching(metric, left, right, options.matching, threads=threads, progress=progress)
        write(pieces("PhraseMatching", matching, options.format, **named(options, "least", "share", "finer")), out)
    return errors.count_problems(matching.problems, form=options.format, strict=options.strict)
