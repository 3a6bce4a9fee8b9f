"""`treescore report GOLD TEST …`: scores, plots, sentences and aligned trees on one page for the browser."""

from __future__ import annotations

import argparse
import sys

from ..helpers.problem_lines import in_one_line
from . import errors
from .arguments import Parser
from .files import opened
from .flags import add_flags, add_metric_flags, add_reading_flags
from .results import complain_of_lost
from .score import chosen_metrics
from .systems import add_systems, read_comparison

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_EPILOG = """\
examples:
  treescore report gold.mrg parsed.mrg -o report.html
  treescore report gold.mrg a.mrg b.mrg --name A --name B -o report.html
  treescore report gold.mrg parsed.mrg -m 'parseval|profile:spmrl' -m struct_iou -o report.html

The page is one file: it opens from disk in any browser of the last years, needs no network, and asks for nothing.

exit code: 0 fine, 1 problems with --strict, 2 unusable input"""


def parser() -> Parser:
    """The arguments of the command."""
    command = Parser(
        "report",
        "Write a page that shows why scores are what they are: plots, sentences, aligned trees.",
        _EPILOG,
    )
    add_systems(command)
    add_flags(command, "output", required=True)
    add_flags(command, "title")
    command.add_argument(
        "--max-size",
        type=_megabytes,
        default=30.0,
        metavar="MB",
        help="trees of the best sentences are left out of a page that would be larger (default: 30)",
    )
    add_flags(command, "pack", default="english", more=", or none")
    add_metric_flags(command)
    add_flags(command, "reconcile")
    add_reading_flags(command)
    return command


def _megabytes(text: str) -> float:
    try:
        size = float(text)
    except ValueError:
        size = 0.0
    if not 0 < size < 10_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of megabytes")
    return size


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = parser().parse_args(arguments)
    chosen_metrics(options)  # refuses wrong ones before long work begins
    with opened(options.output) as out:  # before long work begins
        comparison = read_comparison(options)
        from ..page.build import Page

        size = round(options.max_size * 1_000_000)
        page = Page(
            comparison,
            title=options.title,
            most_bytes=size,
            pack=None if options.pack == "none" else options.pack,
            threads=options.threads,
        )
        out.write(page.html.encode())
        out.flush()
    notice = page.notice()
    if notice:
        sys.stderr.write(f"treescore: {notice}\n")
    problems = [problem for report in comparison.reports.values() for problem in report.problems]
    if problems:
        strict = "--strict, and " if options.strict else ""
        sys.stderr.write(f"treescore: {strict}{in_one_line(problems)} (the page lists them)\n")
    are_lost = complain_of_lost(comparison.reports.values())
    return errors.FAILED if are_lost or (options.strict and problems) else errors.OK
