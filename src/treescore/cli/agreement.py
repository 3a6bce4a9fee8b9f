"""Measure inter-annotator agreement: symmetric scores, chance-corrected agreement (Cohen's kappa, Krippendorff's
alpha), agreement by label, and the sentences with most disagreement.

examples:
  treescore agreement ann.mrg ben.mrg                     F1, STRUCT-IOU, kappa, alpha; by label; differences
  treescore agreement ann.mrg ben.mrg eve.mrg             three annotators: every pair, and alpha of all
  treescore agreement ann.mrg ben.mrg --adjudicated final.mrg
                                                          … and each annotator against the adjudicated trees
  treescore agreement ann.mrg ben.mrg --profile none      with punctuation and TOP
  treescore agreement ann.mrg ben.mrg --ci-unit document  intervals by resampling documents
  treescore agreement ann.mrg ben.mrg -f json --per-sentence
                                                          all results for programs
"""

from __future__ import annotations

import argparse

from ..analysis.annotators.finding import agreement
from ..significance.intervals import SAMPLES
from ..values.problem import UsageError
from . import errors
from .arguments import named
from .files import check_standard_input, keep_inputs, opened, write
from .flags import add_flags, add_output_flags, add_reading_flags, add_sampling_flags
from .sampling import sampling
from .score import read_trees
from .systems import system_names
from .watch import watched


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument(
        "annotations", metavar="FILE", nargs="+", help="trees of an annotator, or -; at least two files"
    )
    add_flags(command, "name")
    command.add_argument("--adjudicated", metavar="FILE", help="adjudicated trees")
    add_flags(command, "profile", "prm")
    command.add_argument(
        "--outer",
        choices=("counted", "ignored"),
        default="counted",
        help="outer brackets (TOP, ROOT, S1, VROOT or none; default: counted)",
    )
    add_output_flags(command, "Agreement")
    add_flags(command, "per-sentence", more=", not only for sentences with low agreement")
    add_flags(command, "most")
    group = command.add_argument_group("confidence intervals")
    add_flags(group, "ci-method")
    add_sampling_flags(group, SAMPLES)
    add_reading_flags(command)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    paths = options.annotations
    if len(paths) < 2:
        raise UsageError("agreement needs at least two annotators: give a file for each")
    inputs = [*paths, *filter(None, (options.adjudicated,))]
    check_standard_input([*inputs, options.ci_units])
    keep_inputs(options.output, [*inputs, *filter(None, (options.ci_units, options.prm))])
    names = system_names(paths, options.name, "annotators")
    banks = {name: read_trees(path, options) for name, path in zip(names, paths, strict=True)}
    adjudicated = read_trees(options.adjudicated, options) if options.adjudicated else None
    settings = sampling(options)
    with opened(options.output) as out:  # before long work begins
        with watched("comparing") as progress:
            result = agreement(
                banks,
                adjudicated=adjudicated,
                progress=progress,
                **named(options, "profile", "prm", "outer", "threads"),
                **settings,
            )
        write([result.to(options.format, per_sentence=options.per_sentence, most=options.most)], out)
    return errors.count_problems(result.problems, form=options.format, strict=options.strict)
