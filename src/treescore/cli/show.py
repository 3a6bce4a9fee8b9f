"""Show the gold and test trees of a sentence: aligned, missing, extra and crossing nodes; or trees alone.

examples:
  treescore show gold.mrg parsed.mrg                      the sentence with the greatest loss
  treescore show gold.mrg parsed.mrg --id 17              the sentence with this number or id
  treescore show gold.mrg parsed.mrg --worst 5 --fold right
                                                          five sentences; correct phrases folded
  treescore show gold.mrg a.mrg b.mrg --differ 3          three sentences with the greatest differences
  treescore show gold.mrg parsed.mrg --id 17 -m struct_iou
                                                          with tags and partially aligned nodes
  treescore show gold.mrg parsed.mrg --id 17 -o 17.svg    a picture: svg, pdf, png or tex (forest)
  treescore show gold.mrg parsed.mrg --id 17 -o 17.pdf --plain --width 3.3in --font-size 8pt
                                                          a figure for a column of a paper
  treescore show gold.mrg --id 17 -o 17.pdf               a tree alone
  treescore show gold.mrg parsed.mrg --gold-times words.TextGrid --duration talk.wav -o talk.svg
                                                          over time, with a ruler of seconds
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys

from ..analysis.sentences import (
    check_explained,
    check_selectors,
    costliest,
    indices_of,
    select_sentences,
    sentence_name,
    without_score,
)
from ..draw import SUFFIXES, check_size
from ..helpers.text import number_of
from ..place.unequal import without_pairs
from ..render import pieces
from ..render.terminal_trees import FOLDS
from ..values.problem import UsageError
from . import errors
from .files import opened, write
from .flags import add_flags, add_metric_flags, add_output_flags, add_reading_flags, whole_number
from .pictures import add_picture_options, draw, is_picture, picture_options
from .score import chosen_metrics
from .systems import add_systems, compared, read_systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..scoring.evaluation import Comparison
    from ..trees import Treebank

_WIDTH = 80  # of a terminal of unknown width
_positive = whole_number("whole number", 1, 999_999_999)


#: Options that need a comparison.
_COMPARING = ("worst", "differ", "metric", "profile", "prm", "reference", "reconcile", "test_times", "tolerance")
#: Endings of picture formats that are not supported.
_OTHER_PICTURES = (".jpg", ".jpeg", ".gif", ".eps", ".ps", ".webp", ".bmp", ".tif", ".tiff", ".html", ".htm")


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_systems(command, "*", "; without them, the trees of GOLD are shown alone")
    which = command.add_mutually_exclusive_group()
    which.add_argument("--id", action="append", metavar="ID", help="id or number of a sentence; repeatable")
    which.add_argument(
        "--worst",
        nargs="?",
        const=1,
        type=_positive,
        metavar="N",
        help="the N sentences with the greatest loss (default: 1)",
    )
    which.add_argument(
        "--differ",
        nargs="?",
        const=1,
        type=_positive,
        metavar="N",
        help="the N sentences with the greatest differences of systems",
    )
    add_metric_flags(command, "(parseval or struct_iou; default: by the input)")
    add_flags(command, "reference", "reconcile")
    command.add_argument(
        "--fold",
        choices=FOLDS,
        default="words",
        help="on one line: phrases of words only (default), correct phrases, or nothing",
    )
    command.add_argument(
        "--colour",
        choices=("auto", "always", "never"),
        default="auto",
        help="colours (default: auto: in a terminal, unless NO_COLOR is set)",
    )
    add_output_flags(command, "TreePairs", default="text", file=f"; a picture for {', '.join(SUFFIXES)}")
    add_reading_flags(command)
    add_picture_options(command)


def _check(options: argparse.Namespace, is_drawn: bool) -> None:
    """Refuse options that exclude each other."""
    suffix = os.path.splitext(options.output or "")[1].lower()
    if suffix in _OTHER_PICTURES:
        raise UsageError(f"{options.output}: pictures can be {', '.join(SUFFIXES)}, not {suffix}")
    if not options.tests:
        _check_alone(options)
    if is_drawn and options.format != "text":
        raise UsageError(f"{options.output} is a picture; -f {options.format} needs a file with another ending")
    if is_drawn and (options.fold != "words" or options.colour != "auto"):
        raise UsageError("--fold and --colour are for text, not for pictures")
    if options.metric:
        if len(options.metric) > 1:
            raise UsageError("show takes one metric: give -m once")
        check_explained(chosen_metrics(options))


def _check_alone(options: argparse.Namespace) -> None:
    """Refuse options that need a comparison."""
    for name in _COMPARING:
        if getattr(options, name) or (name == "tolerance" and options.tolerance is not None):
            raise UsageError(f"--{name.replace('_', '-')} needs a TEST file")
    if options.format != "text":
        raise UsageError(f"-f {options.format} needs a TEST file")


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    is_drawn = is_picture(options.output)
    look = picture_options(options)
    columns = _columns(options, is_drawn)
    _check(options, is_drawn)
    gold, tests = read_systems(options)
    check_selectors(gold, options.id or ())
    if not tests:
        return _alone(gold, options, look if is_drawn else None, columns)
    comparison = compared(gold, tests, options)
    first = next(iter(comparison.reports.values()))
    if len(first.gold) != len(first.test):
        raise UsageError(without_pairs(first.gold, first.test, "treescore show"))
    metric = check_explained(first.metrics)[0].signature
    note, places = _chosen(comparison, options, metric)
    if not places and (is_drawn or options.format != "text"):
        errors.notify(note)
    if is_drawn:
        for index in places:
            check_size(*(bank[index] for report in comparison.reports.values() for bank in (report.gold, report.test)))
    sentences = [comparison.pairs(index, metric) for index in places]
    if is_drawn:
        if sentences:
            draw(options.output, sentences, look)
    else:
        with opened(options.output) as out:
            colours = _colours(options.colour, sys.stdout.isatty() and options.output in (None, "-"))
            terminal = {"columns": columns, "colours": colours, "fold": options.fold}
            write(pieces("TreePairs", sentences, options.format, note=note, **terminal), out)
    has_problems = any(report.problems for report in comparison.reports.values())
    return errors.FAILED if options.strict and has_problems else errors.OK


def _columns(options: argparse.Namespace, is_drawn: bool) -> int:
    """The columns of text: --width, or the width of the terminal."""
    if is_drawn or options.width is None:
        return shutil.get_terminal_size().columns or _WIDTH
    try:
        return _positive(options.width)
    except argparse.ArgumentTypeError as problem:
        raise UsageError(f"argument --width: {problem}; lengths are for pictures (-o)") from None


def _alone(gold: Treebank, options: argparse.Namespace, look: dict[str, Any] | None, columns: int) -> int:
    """Show trees without a comparison: those of --id, or the first."""
    if not len(gold):
        raise UsageError(f"{options.gold}: there are no trees")
    places = list(dict.fromkeys(index for ids in options.id or () for index in indices_of(gold, ids))) or [0]
    if look is not None:
        draw(options.output, [gold[index] for index in places], look)
    else:
        trees = [
            (sentence_name(gold.number(index), gold.ids[index] if gold.ids else None), gold[index]) for index in places
        ]
        note = "" if options.id or len(gold) == 1 else f"the first of {len(gold):,} trees; --id selects others"
        with opened(options.output) as out:
            write(pieces("Trees", trees, "text", note=note, columns=columns, fold=options.fold), out)
    return errors.count_problems(gold.problems, form="text", strict=options.strict)


def _chosen(comparison: Comparison, options: argparse.Namespace, metric: str) -> tuple[str, list[int]]:
    """The selected sentences, with the reason."""
    names = list(comparison.reports)
    reports = list(comparison.reports.values())
    if options.id:
        return "", select_sentences(reports[0], options.id)
    unscored = without_score(reports, metric)
    unscored = f"; {unscored} (--id shows it)" if unscored else ""
    if options.differ or (len(names) > 1 and not options.worst):
        if len(names) < 2:
            raise UsageError("--differ needs several TEST files")
        rows = comparison.differences(*names, metric=metric)
        if not rows:
            return f"the systems have the same score on every sentence; select one by --id or --worst{unscored}", []
        return _wins(comparison, len(rows), metric), [row[0] for row in rows[: options.differ or 1]]
    places = costliest(reports, metric)
    if not places:
        if unscored:
            return f"no loss in the scored sentences; select one by --id{unscored}", []
        return "no loss in any sentence; select one by --id", []
    costs = number_of(len(places), "sentence")
    return f"the worst of {costs} with a loss{unscored}", places[: options.worst or 1]


def _wins(comparison: Comparison, count: int, metric: str) -> str:
    names = list(comparison.reports)
    note = f"the greatest difference among {number_of(count, 'sentence')} with different scores"
    if len(names) > 2:
        return note
    first, second, *_ = comparison.outcomes(names[0], names[1], metric)
    return f"{note}; A is better on {first:,}, B on {second:,}"


def _colours(mode: str, terminal: bool) -> int:
    """The number of available colours."""
    kind = os.environ.get("TERM", "")
    if mode == "never" or (mode == "auto" and (not terminal or os.environ.get("NO_COLOR") or kind == "dumb")):
        return 0
    return 256 if "256" in kind or os.environ.get("COLORTERM") else 16
