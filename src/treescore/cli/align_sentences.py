"""Align the sentences and words of GOLD and TEST.

examples:
  treescore align sentences gold.mrg parsed.mrg                     sentences that differ, and a summary
  treescore align sentences gold.mrg parsed.mrg --all               all sentences
  treescore align sentences gold.mrg parsed.mrg -f jsonl -o a.jsonl one line per block of sentences, for programs
  treescore align sentences gold.mrg parsed.mrg --contractions fr   French contractions match: du = de le
  treescore align sentences gold.mrg parsed.mrg --text none --contractions none
                                                          words match only if spelt the same way
"""

from __future__ import annotations

import argparse

from ..place.pair import Pair
from ..render import pieces
from . import errors, two_texts
from .files import opened, write
from .flags import add_output_flags
from .watch import watched


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("gold", metavar="GOLD", help="file of gold trees, or - for standard input")
    command.add_argument("test", metavar="TEST", help="file of trees with similar text, or -")
    add_output_flags(command, "SentencePairing", default="text")
    command.add_argument("--all", action="store_true", help="text: include sentences that do not differ")
    two_texts.add_options(command)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    metric = two_texts.metric_of(options)
    gold, test, threads = two_texts.read_sides((options.gold, options.test), options)
    with opened(options.output, (options.gold, options.test)) as out:  # before long work begins
        with watched("aligning") as progress:
            texts = metric.aligned(Pair(gold, test), threads=threads, progress=progress)
        write(pieces("SentencePairing", texts, options.format, every=options.all), out)
    return errors.count_problems(texts.problems, form=options.format, strict=options.strict)
