"""Classify parser errors: transform each TEST tree into its GOLD tree step by step, and count the steps by error
class (Kummerfeld et al. 2012).

examples:
  treescore errors gold.mrg parsed.mrg                    wrong attachments, labels, unary phrases, … by class
  treescore errors gold.mrg a.mrg b.mrg                   two parsers side by side
  treescore errors gold.mrg parsed.mrg --steps            the steps of the repair as JSON lines
  treescore errors gold.mrg parsed.mrg --steps -f table   … as a table
  treescore errors gold.mrg parsed.mrg --per-sentence -f csv
                                                          error counts by sentence and class
  treescore errors gold.mrg parsed.mrg --pack my.json     with the labels and classes of another treebank
  treescore errors gold.mrg parsed.mrg --by rule          wrong grammar rules, without repair
"""

from __future__ import annotations

import argparse

from ..analysis.breakdowns import breakdown
from ..analysis.errors.explaining import COMPAT, ErrorAnalysis
from ..analysis.errors.pack import load
from ..helpers.threads import count_threads
from ..place.two_sides import read_both
from ..render import pieces
from ..render.breakdowns import TABLES
from ..values.problem import UsageError
from . import errors
from .files import opened, write
from .flags import add_flags, add_output_flags, add_reading_flags
from .systems import add_systems, read_systems
from .watch import watched


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_systems(command, shows_nodes=False)
    add_output_flags(command, "ErrorAnalysis", default=None, more="(default: table; with --steps jsonl)")
    shown = command.add_mutually_exclusive_group()
    shown.add_argument("--steps", action="store_true", help="list the steps of the repair")
    add_flags(shown, "per-sentence")
    shown.add_argument(
        "--by",
        choices=TABLES,
        help="count wrong labels (category, confusion), rules, parents (attachment) or tags, without repair",
    )
    add_flags(command, "metric", action="store", more="(parseval only, with --by)")
    add_flags(command, "pack")
    command.add_argument(
        "--compat",
        choices=COMPAT,
        help="reproduce the original program, including its errors: punctuation by the tags of either side, and no "
        "co-ordination where a phrase before a conjunction is missing",
    )
    add_reading_flags(command)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    if options.by:
        return _count_by(options)
    if options.metric:
        raise UsageError("--metric needs --by; error classes use a language pack (--pack)")
    pack = load(options.pack or "english")
    details = "steps" if options.steps else "sentences" if options.per_sentence else "classes"
    form = options.format or ("jsonl" if options.steps else "table")
    gold, tests = read_systems(options)
    pairs = {name: read_both(gold, test) for name, test in tests.items()}
    with opened(options.output) as out:  # before long work begins
        systems = []
        for name, banks in pairs.items():
            with watched("finding errors") as progress:
                threads = count_threads(options.threads, len(banks[0]))
                analysis = ErrorAnalysis(*banks, pack, compat=options.compat, threads=threads, progress=progress)
            systems.append((name, analysis))
        write(pieces("ErrorAnalysis", systems, form, details=details), out)
    problems = list(dict.fromkeys(problem for _, analysis in systems for problem in analysis.problems))
    return errors.count_problems(problems, form=form, strict=options.strict)


def _count_by(options: argparse.Namespace) -> int:
    """Write a table that needs no repair."""
    if len(options.tests) > 1:
        raise UsageError("--by takes one TEST file")
    if options.pack is not None or options.compat:
        raise UsageError("--pack and --compat are for error classes; with --by, use -m to choose the counted brackets")
    form = options.format or "table"
    gold, tests = read_systems(options)
    [test] = tests.values()
    with opened(options.output) as out:
        with watched("finding errors") as progress:
            metric = options.metric or "parseval"
            analysis = breakdown(gold, test, metric, threads=options.threads, progress=progress)
        write([analysis.to(form, by=options.by)], out)
    return errors.count_problems(analysis.report.problems, form=form, strict=options.strict)
