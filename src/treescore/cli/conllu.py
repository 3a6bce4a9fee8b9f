"""`treescore conllu GOLD TEST`: score a CoNLL-U file against another."""

from __future__ import annotations

import argparse
import sys

from ..metrics.conllu_eval import TEXTS, ConlluEval
from ..render.conllu_text import rates, raw, short
from ..render.reports import FORMATS
from ..scoring.choosing import choose_for_conllu
from ..scoring.evaluation import Comparison, conllu_eval
from ..values.problem import InputError, Problem, UsageError
from . import errors
from .files import check_standard_input, opened, source
from .sampling import add_interval_options, interval_options
from .systems import named_systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..metrics.base import Metric
    from ..readers.dependency_bank import DependencyBank
    from ..readers.sources import Readable
    from ..scoring.report import Report

_EPILOG = """\
examples:
  treescore conllu gold.conllu system.conllu              LAS, MLAS, BLEX, and ELAS, EULAS of the enhanced graphs
  treescore conllu -v gold.conllu system.conllu           precision, recall, F1 and accuracy of everything
  treescore conllu gold.conllu system.conllu --text folded
                                                          although case, quotes or escapes differ
  treescore conllu gold.conllu system.conllu -f table --ci
                                                          how sure each figure is
  treescore conllu gold.conllu system.conllu -f csv --per-sentence
                                                          the counts of each gold sentence

exit code: 0 fine, 1 problems with --strict, 2 unusable input"""
_FOR_TREES = ("profile", "prm", "reconcile", "alignments", "disconly", "encoding", "explain", "chunk")
_OWN = tuple(form for form in FORMATS if form != "evalb")


def parser() -> argparse.ArgumentParser:
    """The arguments of the command; the first ones are the original's."""
    made = argparse.ArgumentParser(
        prog="treescore conllu",
        description="Score TEST against GOLD as the CoNLL shared tasks on Universal Dependencies do.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("gold", metavar="GOLD", help="CoNLL-U file, or - for standard input")
    made.add_argument("test", metavar="TEST", help="CoNLL-U file to score, or - for standard input")
    made.add_argument("-v", "--verbose", action="store_true", help="all figures, in the original's table")
    made.add_argument("-c", "--counts", action="store_true", help="the counts behind all figures, likewise")
    made.add_argument("--no-enhanced", action="store_true", help="leave out the enhanced graphs")
    made.add_argument("--no-empty-nodes", action="store_true", help="report empty nodes: there should be none")
    made.add_argument("--multiple-roots-okay", action="store_true", help="a sentence may have several roots")
    made.add_argument(
        "--text",
        choices=TEXTS,
        default="exact",
        help="texts must be the same, or the same but for case, escapes and quotes, or are aligned (default: exact)",
    )
    made.add_argument("-f", "--format", choices=_OWN, help="output format instead of the original's")
    made.add_argument("--per-sentence", action="store_true", help="add a row per gold sentence (with -f)")
    made.add_argument("--by", choices=("length",), help="add a table by sentence length (with -f)")
    made.add_argument("-o", "--output", metavar="FILE", help="write the result here; - is standard output")
    made.add_argument("--strict", action="store_true", help="stop at the first fault, as the original does")
    add_interval_options(made)
    return made


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = parser().parse_args(arguments)
    if options.format and (options.verbose or options.counts):
        raise UsageError(f"-v and -c are the original's tables; -f {options.format} has all figures and counts")
    if not options.format and (options.per_sentence or options.by or options.ci):
        raise UsageError("--per-sentence, --by and --ci need a format of ours, such as -f table")
    check_standard_input((options.gold, options.test, options.ci_units))
    sampled = interval_options(options)
    with opened(options.output, (options.gold, options.test, options.ci_units)) as out:
        report = scored(options)
        if sampled is not None:
            report = report.with_intervals(**sampled)
        out.write(shown(report, options).encode("utf-8", "surrogateescape"))
        out.flush()
    return finished(report, strict=options.strict, listed=options.format not in (None, "jsonl", "csv"))


def scored(options: argparse.Namespace) -> Report:
    """Both files compared."""
    metric = ConlluEval(text=options.text, enhanced=not options.no_enhanced)
    reading = {"multiple_roots": options.multiple_roots_okay, "empty_nodes": not options.no_empty_nodes}
    return _compared(source(options.gold), source(options.test), options, metric, **reading)


def _compared(
    gold: Readable | DependencyBank,
    test: Readable | DependencyBank,
    options: argparse.Namespace,
    metric: Metric,
    **reading: bool,
) -> Report:
    on_error = "raise" if options.strict else "keep"
    report = conllu_eval(gold, test, metric=metric, on_error=on_error, **reading)
    for bank in (report.gold, report.test):
        if len(bank) == 0:
            raise InputError(Problem("empty", "there are no sentences in it", file=bank.source.name))
    return report


def for_default_command(options: argparse.Namespace, metrics: Sequence[Metric]) -> Report:
    """What `treescore GOLD TEST` does with CoNLL-U: what this command does, in its own formats."""
    return _compared(source(options.gold), source(options.test), options, _metric(options, metrics))


def comparison_of(options: argparse.Namespace, metrics: Sequence[Metric]) -> Comparison:
    """Several CoNLL-U files against one, which is read once."""
    metric = _metric(options, metrics)
    reports: dict[str, Report] = {}
    gold: Readable | DependencyBank = source(options.gold)
    for name, path in named_systems(options).items():
        reports[name] = _compared(gold, source(path), options, metric)
        gold = reports[name].gold
    return Comparison(reports)


def _metric(options: argparse.Namespace, metrics: Sequence[Metric]) -> Metric:
    """The one that was asked for, if all options go with CoNLL-U."""
    metric = choose_for_conllu(metrics if options.metric else None)
    given = {f"--{name}": getattr(options, name, None) for name in _FOR_TREES}
    given |= {"--input-format": options.input_format != "auto", "--layout": options.layout != "auto"}
    given["--functions"] = options.functions != "apart"
    given["--by label"] = getattr(options, "by", None) == "label"
    given["-f evalb"] = options.format == "evalb"
    for name, value in given.items():
        if value:
            raise UsageError(f"{name} is for trees in brackets, and {metric.name} compares CoNLL-U files")
    return metric


def shown(report: Report, options: argparse.Namespace) -> str:
    """The result as the original or a format of ours shows it."""
    if options.format:
        return report.to(options.format, by=options.by, per_sentence=options.per_sentence)
    table = raw if options.counts else rates if options.verbose else short
    return table(report.metrics[0], report.scores[0].counts)  # type: ignore[arg-type]


def finished(report: Report, *, strict: bool, listed: bool) -> int:
    """Say what went wrong where the result does not."""
    if report.problems and not listed:
        sys.stderr.write(f"treescore: {report.problem_line()}; the first: {report.problems[0]} (-f json lists them)\n")
    if strict and report.problems:
        sys.stderr.write(f"treescore: --strict, and {report.problem_line()}\n")
        return errors.FAILED
    return errors.OK
