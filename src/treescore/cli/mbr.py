"""Choose the parse with minimum Bayes risk from each n-best list: the highest expected score, i.e. the weighted mean
score against all parses of the list. Write one tree per line.

examples:
  treescore mbr nbest.tsv -o chosen.mrg                   the parse of each list most similar to all
  treescore mbr nbest.tsv -m parseval --weights scores    … by F1, weighted by parser scores
  treescore mbr nbest.tsv --gold gold.mrg -f table        scores of the first, chosen and best parses
  treescore mbr nbest.tsv --gold gold.mrg -f csv --plot curves.pdf
                                                          … for the first 1, 2, 3, … candidates, and a plot
  treescore mbr nbest.tsv --test-times asr.ctm -m 'struct_iou|axis:seconds'
                                                          over time, by the words of a recogniser
  treescore mbr nbest.jsonl -f jsonl --distribution       all parses with weights and expected scores
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack

from ..helpers.steps import Steps
from ..nbest import FORMS, WEIGHTS, Curves, mbr, read
from ..render import formats_of, pieces
from ..render.nbest import in_words
from ..values.problem import PerSide, UsageError
from . import errors
from .files import check_standard_input, keep_inputs, opened_together, source, write
from .flags import (
    add_flags,
    add_metric_flags,
    add_output_flags,
    add_plot_flags,
    add_reading_flags,
    add_times_flags,
    number,
)
from .results import check_plots, save_plot
from .score import chosen_metrics, has_word_times, read_trees
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO

    from ..metrics.base import Metric
    from ..trees import Treebank
    from ..values.problem import Problem
    from ..words.utterance import Utterances


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("nbest", metavar="NBEST", help="file of n-best lists, or - for standard input")
    command.add_argument(
        "--nbest-format",
        choices=FORMS,
        default="auto",
        help="tsv: id, rank, score, tree; blocks: a tree per line, blank lines between lists; jsonl (default: auto, "
        "detected from the content)",
    )
    command.add_argument(
        "--weights",
        choices=WEIGHTS,
        default=WEIGHTS[0],
        help="weights of parses: uniform, or softmax of their scores (default: uniform)",
    )
    command.add_argument(
        "--temperature",
        type=number("a number above 0", lambda value: 0 < value < float("inf")),
        metavar="T",
        help="softmax temperature of --weights scores; above 1, weights are more uniform (default: 1)",
    )
    add_flags(command, "gold", more=", for tables with scores of the parses")
    add_output_flags(command, "Choice", "Curves", default="trees")
    command.add_argument("--distribution", action="store_true", help="with -f jsonl: include all distinct parses")
    add_plot_flags(command, "(the curves, with --gold)")
    add_metric_flags(command, "(one only; default: struct_iou)")
    add_times_flags(command, shows_nodes=False)
    add_reading_flags(command)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    _check(options)
    metrics = chosen_metrics(options, ("struct_iou",))
    if len(metrics) > 1:
        raise UsageError("mbr takes one metric: give -m once")
    gold_words, words = _word_times(options, metrics[0])
    curves = Curves(_gold_trees(options, gold_words)) if options.gold else None
    is_table = options.format not in formats_of("Choice")
    steps = Steps()
    problems: list[Problem] = []
    with opened_together(options.output or "-", *options.plot) as (out, *plots), ExitStack() as stack:
        shows_progress = is_table or options.output not in (None, "-") or not sys.stdout.isatty()
        if shows_progress:  # which must not be mixed with the trees
            stack.enter_context(watched(f"reading {options.nbest}", steps))
        lists = read(
            source(options.nbest),
            form=options.nbest_format,
            on_error="raise" if options.strict else "keep",
            steps=steps,
        )
        if words is not None:
            from ..nbest.timed import with_times

            lists = with_times(lists, words, attach=PerSide.of(options.attach, test=True))
        for choice in mbr(
            lists,
            metrics[0],
            weights=options.weights,
            temperature=options.temperature or 1.0,
            curves=curves,
            threads=options.threads,
        ):
            problems += choice.problems
            if not is_table:
                write(pieces("Choice", choice, options.format, distribution=options.distribution), out)
        if curves is not None:
            curves.finish()
            problems = [*curves.gold.problems, *problems, *curves.problems]
            _write_scores(curves, options, problems, out, plots)
        out.flush()
    if is_table:
        return errors.count_problems(problems, form=options.format, strict=options.strict)
    return errors.list_problems(problems, strict=options.strict)


def _word_times(options: argparse.Namespace, metric: Metric) -> tuple[Utterances | None, Utterances | None]:
    """The word times of gold trees and of candidates, which are those of gold unless there are others."""
    if not has_word_times(options):
        return None, None
    if not metric.needs_times:
        raise UsageError("--gold-times and --test-times need a metric over seconds: -m 'struct_iou|axis:seconds'")
    from .times import times_of_side

    gold = times_of_side(options.gold_times, options, is_test=False) if options.gold_times else None
    return gold, times_of_side(options.test_times, options, is_test=True) if options.test_times else gold


def _gold_trees(options: argparse.Namespace, words: Utterances | None) -> Treebank:
    """The gold trees, with times if there are word times."""
    from ..place.seconds import place_seconds

    gold = read_trees(options.gold, options)
    return gold if words is None else place_seconds(gold, words, attach=PerSide.of(options.attach, test=False))


def _check(options: argparse.Namespace) -> None:
    """Refuse options that exclude each other."""
    if options.gold is None and (options.format not in formats_of("Choice") or options.plot):
        what = "--plot" if options.plot else f"-f {options.format}"
        raise UsageError(f"{what} needs gold trees: give --gold FILE")
    if options.temperature is not None and options.weights != "scores":
        raise UsageError("--temperature needs --weights scores")
    if options.distribution and options.format != "jsonl":
        raise UsageError("--distribution needs -f jsonl")
    inputs = [path for path in (options.nbest, options.gold, options.prm) if path]
    inputs += [*options.gold_times, *options.test_times]
    check_standard_input(inputs)
    for path in (options.output, *options.plot):
        keep_inputs(path, inputs)
    check_plots(options)


def _write_scores(
    curves: Curves, options: argparse.Namespace, problems: Sequence[Problem], out: BinaryIO, plots: Sequence[BinaryIO]
) -> None:
    settings = options.weights
    if settings == "scores":
        settings = f"softmax of scores, temperature {options.temperature or 1.0:g}"
    if options.format in formats_of("Choice"):
        errors.notify(in_words(curves))
    else:
        write(pieces("Curves", curves, options.format, settings=settings, problems=problems), out)
    for path, plot in zip(options.plot, plots, strict=True):
        from ..plots.figures import curves_figure

        save_plot(path, plot, lambda _: [curves_figure(curves)], options)
