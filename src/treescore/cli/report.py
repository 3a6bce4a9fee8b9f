"""Write an HTML report that explains scores: plots, sentences, aligned trees.

examples:
  treescore report gold.mrg parsed.mrg -o report.html
  treescore report gold.mrg a.mrg b.mrg --name A --name B -o report.html
  treescore report gold.mrg parsed.mrg -m 'parseval|profile:spmrl' -m struct_iou -o report.html
  treescore report gold.mrg parsed.mrg --gold-times times.jsonl --test-times asr.ctm --audio wav -o report.html
                                                          over time, with the recordings

The report is one HTML file that any recent browser opens, without network access.
"""

from __future__ import annotations

import argparse
import os

from ..helpers.problem_lines import in_one_line
from ..helpers.text import number_of
from . import errors
from .files import opened
from .flags import add_flags, add_metric_flags, add_reading_flags, number
from .results import report_lost
from .score import chosen_metrics
from .systems import add_systems, read_comparison
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..page.recordings import Recordings
    from ..scoring.evaluation import Comparison


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_systems(command)
    add_flags(command, "output", required=True)
    add_flags(command, "title")
    command.add_argument(
        "--max-size",
        type=number("a number of megabytes", lambda value: 0 < value < 10_000),
        default=30.0,
        metavar="MB",
        help="maximum size; a larger report omits trees of the best sentences (default: 30)",
    )
    add_flags(command, "pack", default="english", more=", or none")
    add_metric_flags(command)
    add_flags(command, "reference", "reconcile")
    add_flags(command, "audio")
    add_reading_flags(command)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    chosen_metrics(options)  # refuse unknown metrics before long work begins
    with opened(options.output) as out:  # before long work begins
        comparison = read_comparison(options)
        recordings = _recordings(comparison, options)
        from ..page.build import Page

        size = round(options.max_size * 1_000_000)
        pack = None if options.pack == "none" else options.pack
        with watched("writing the page"):
            page = Page(
                comparison,
                title=options.title,
                most_bytes=size,
                pack=pack,
                threads=options.threads,
                recordings=recordings,
            )
        out.write(page.html.encode())
        out.flush()
    notice = page.notice()
    if notice:
        errors.notify(notice)
    problems = [problem for report in comparison.reports.values() for problem in report.problems]
    if problems:
        strict = "--strict, and " if options.strict else ""
        errors.notify(f"{strict}{in_one_line(problems)} (the page lists them)")
    are_lost = report_lost(comparison.reports.values())
    return errors.FAILED if are_lost or (options.strict and problems) else errors.OK


def _recordings(comparison: Comparison, options: argparse.Namespace) -> Recordings | None:
    """The recordings of --audio."""
    if options.audio is None:
        return None
    from ..page.recordings import Recordings
    from ..speech.batch import recordings_of

    first = next(iter(comparison.reports.values()))
    paths, notes = recordings_of(first.gold, options.audio)
    for note in notes:
        errors.notify(note)
    if None in paths:
        errors.notify(f"{number_of(paths.count(None), 'sentence')} without a recording in {options.audio}")
    folder = "" if options.output == "-" else os.path.dirname(options.output)
    return Recordings(paths, folder)
