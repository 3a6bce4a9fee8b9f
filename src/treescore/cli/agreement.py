"""Measure inter-annotator agreement: symmetric scores, chance-corrected agreement (Cohen's kappa, Krippendorff's
alpha), agreement by label, and the sentences with most disagreement.

examples:
  treescore agreement ann.mrg ben.mrg                     F1, STRUCT-IOU, kappa, alpha; by label; differences
  treescore agreement ann.mrg ben.mrg eve.mrg             three annotators: every pair, and alpha of all
  treescore agreement ann.mrg ben.mrg --adjudicated final.mrg
                                                          … and each annotator against the adjudicated trees
  treescore agreement ann.mrg ben.mrg --profile none      with punctuation and TOP
  treescore agreement ann.mrg ben.mrg --ci-unit document  intervals by resampling documents
  treescore agreement ann.mrg ben.mrg --times aligned/    STRUCT-IOU over seconds
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
from .flags import WORD_TIMES_FLAGS, add_flags, add_output_flags, add_reading_flags, add_sampling_flags
from .sampling import sampling
from .score import read_trees
from .systems import system_names
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..trees import Treebank
    from ..words.utterance import Utterances


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
    speech = command.add_argument_group("speech")
    add_flags(speech, "times", more=", for the trees of all annotators")
    add_flags(speech, *WORD_TIMES_FLAGS, "attach")
    add_reading_flags(command)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    paths = options.annotations
    if len(paths) < 2:
        raise UsageError("agreement needs at least two annotators: give a file for each")
    inputs = [*paths, *filter(None, (options.adjudicated,))]
    check_standard_input([*inputs, *(options.times or ()), options.ci_units])
    keep_inputs(options.output, [*inputs, *(options.times or ()), *filter(None, (options.ci_units, options.prm))])
    times = _word_times(options)
    names = system_names(paths, options.name, "annotators")
    banks = {name: read_trees(path, options) for name, path in zip(names, paths, strict=True)}
    adjudicated = read_trees(options.adjudicated, options) if options.adjudicated else None
    if times is not None:
        banks = {name: _with_times(bank, times, options) for name, bank in banks.items()}
        adjudicated = adjudicated and _with_times(adjudicated, times, options)
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
        report = next(iter(result.reports.values()))
        if times is not None and not any(metric.needs_times for metric in report.metrics):
            errors.notify("some trees have no times: STRUCT-IOU is over words")
        write([result.to(options.format, per_sentence=options.per_sentence, most=options.most)], out)
    return errors.count_problems(result.problems, form=options.format, strict=options.strict)


def _word_times(options: argparse.Namespace) -> Utterances | None:
    """The word times of --times; other options about them are refused without."""
    if options.times is not None:
        from .times import times_for_trees

        return times_for_trees(options)
    for name, default in (*((flag.replace("-", "_"), None) for flag in WORD_TIMES_FLAGS), ("attach", "auto")):
        if getattr(options, name) != default:
            raise UsageError(f"--{name.replace('_', '-')} needs word times: --times")
    return None


def _with_times(bank: Treebank, times: Utterances, options: argparse.Namespace) -> Treebank:
    """The trees of an annotator with times."""
    from ..place.seconds import place_seconds

    bank = place_seconds(bank, times, attach=options.attach)
    bank.check_times(f"not one of them is among the words of {times.name}")
    return bank
