"""Compare systems on the same gold trees: scores, confidence intervals and significance tests.

examples:
  treescore compare gold.mrg a.mrg b.mrg                  test the difference in F1
  treescore compare gold.mrg a.mrg b.mrg c.mrg -m parseval -f latex
                                                          a table for a paper, with letters of significance
  treescore compare gold.mrg base.mrg a.mrg b.mrg --baseline base
                                                          only comparisons with the baseline
  treescore compare gold.mrg a.mrg b.mrg --plot compare.pdf --width 3.3in
                                                          intervals, differences, wins and losses
  treescore compare gold.mrg a.mrg b.mrg --common         only sentences scored for both systems
  treescore compare gold.mrg a.mrg b.mrg --significance bootstrap --ci-unit document
                                                          resample documents instead of sentences
  treescore compare gold.conllu a.conllu b.conllu --figure mlas
                                                          dependencies, by MLAS instead of LAS
  treescore compare before.html after.html                two pages of treescore report, without the trees
  treescore compare --compat bikel a.evalb b.evalb        Bikel's comparator for two EVALB outputs
  treescore compare --compat sacrebleu gold.mrg base.mrg a.mrg
                                                          sacrebleu's paired tests, digit for digit

Systems that share a letter do not differ significantly at --alpha with Holm's correction.
"""

from __future__ import annotations

from ..helpers.steps import Steps
from ..scoring.comparisons import ALPHA
from ..scoring.evaluation import compare_conllu
from ..significance import KINDS, TRIALS
from . import errors
from .arguments import Parser, named
from .commands import COMMANDS, Command
from .files import check_standard_input, keep_inputs, opened_together, source, write
from .flags import (
    add_flags,
    add_metric_flags,
    add_output_flags,
    add_plot_flags,
    add_reading_flags,
    add_sampling_flags,
    share,
)
from .results import check_plots, save_plot
from .sampling import sampling
from .score import chosen_metrics
from .systems import (
    add_systems,
    check_several,
    judged,
    read_comparison,
    read_conllu_comparison,
    read_saved_comparison,
)
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

#: Other programs that compare systems.
COMPAT = ("bikel", "sacrebleu")


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.allow_abbrev = False  # --compat is parsed before the other options
    add_systems(command, shows_nodes=False)
    add_metric_flags(command)
    add_flags(command, "reference", "reconcile")
    tests = command.add_argument_group("tests")
    add_flags(tests, "significance", default=KINDS[0], more=f"(default: {KINDS[0]})")
    tests.add_argument(
        "--figure",
        metavar="NAME",
        help="compare by this figure, named as in treescore -f json (default: the main figure)",
    )
    tests.add_argument("--baseline", metavar="NAME", help="compare only with this system")
    tests.add_argument("--common", action="store_true", help="leave out sentences without a score of every system")
    tests.add_argument("--alpha", type=share, default=ALPHA, metavar="P", help=f"significance level (default: {ALPHA})")
    add_sampling_flags(tests, TRIALS)
    add_output_flags(command, "Summary")
    add_plot_flags(command, "(intervals of scores and differences, wins and losses)")
    command.add_argument(
        "--compat", choices=COMPAT, help="reproduce another program; for its options see --compat NAME --help"
    )
    add_reading_flags(command)


def main(name: str, words: Sequence[str]) -> int:
    """Run the command, or one of its variants, which have options of their own."""
    parser = Parser(name, "", add_help=False, allow_abbrev=False)
    parser.add_argument("--compat", choices=COMPAT)
    program, rest = parser.parse_known_args(words)
    if program.compat:
        return Command("compare", "", f"compare_{program.compat}").main(f"{name} --compat {program.compat}", rest)
    return run(COMMANDS[name].parser(name).parse_args(words))


def _check_files(options: argparse.Namespace) -> None:
    """Refuse to read standard input twice, and to write over inputs."""
    check_standard_input([options.gold, *options.tests, options.ci_units])
    check_plots(options)
    for path in (options.output, *options.plot):
        keep_inputs(path, filter(None, (options.ci_units, options.prm)))
    for path in options.plot:
        keep_inputs(path, [options.gold, *options.tests])


def run(options: argparse.Namespace) -> int:
    """Compare systems."""
    saved = read_saved_comparison(options)
    if saved is None:
        check_several(options.tests)
    _check_files(options)
    metrics = chosen_metrics(options)
    settings = sampling(options)
    steps = Steps()
    with opened_together(options.output or "-", *options.plot) as (out, *plots):  # before long work begins
        if saved is not None:
            comparison = saved
        elif compare_conllu([(path, source(path)) for path in (options.gold, *options.tests)], metrics):
            comparison = read_conllu_comparison(options, metrics)
        else:
            comparison = read_comparison(options)
        with watched("comparing", steps):
            summary = comparison.summary(
                kind=options.significance,
                steps=steps,
                **named(options, "figure", "baseline", "common", "alpha", "threads"),
                **settings,
            )
        write([summary.to(options.format)], out)
        for path, plot in zip(options.plot, plots, strict=True):
            from ..plots.systems import comparison_figures

            save_plot(path, plot, lambda paged: comparison_figures(summary, paged), options)
    compared = {metric.signature for metric in summary.metrics}
    for metric in next(iter(comparison.reports.values())).metrics:
        if metric.signature not in compared:
            errors.notify(f"{metric.name} has no figure {options.figure!r} and is left out")
    for row in summary.metrics:
        if row.warning:
            errors.notify(f"{row.title}: {row.warning}")
    return judged(comparison, strict=options.strict, shown=errors.tells_problems(options.format))
