"""Output and gates of commands that score."""

from __future__ import annotations

import os
from functools import partial

from ..helpers.text import encode, number_of
from ..readers.completions.rates import GATED
from ..render import check_format, pieces
from ..values.problem import UnequalTreebanks, UsageError
from ..values.score import ALL
from ..values.suggestions import suggestion
from . import errors
from .files import keep_inputs, opened_together, write
from .flags import add_flags, add_output_flags, add_plot_flags, look_options, number
from .sampling import add_interval_options, interval_options
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, BinaryIO

    from matplotlib.figure import Figure

    from ..metrics.base import Metric
    from ..scoring.report import Report
    from ..values.score import Score

    Scored = tuple[Metric, Score]

#: The kinds of --plot, as in `plots.KINDS`, which is expensive to import.
PLOTS = ("overview", "histogram", "length", "label", "levels", "profiles")
#: Tolerance of a coverage gate in percentage points, for rounding.
_ROUNDING = 1e-9


def add_result_options(parser: argparse.ArgumentParser) -> None:
    """Options of output and gates."""
    add_output_flags(parser, "Report")
    add_flags(parser, "per-sentence")
    parser.add_argument("--by", choices=("label", "length"), help="add a table by phrase label or by sentence length")
    parser.add_argument(
        "--explain",
        action="append",
        default=[],
        metavar="ID",
        help="explain the score of a sentence node by node (parseval, struct_iou): an id or number, worst, or worst:5; "
        "repeatable",
    )
    parser.add_argument(
        "--node-mappings",
        metavar="FILE",
        help="write the mapping of nodes in each sentence to this file as JSON lines (metrics that map nodes); "
        "- for standard output, with -o FILE",
    )
    add_plot_flags(parser)
    parser.add_argument(
        "--plot-kind",
        choices=PLOTS,
        help="kind of plot: all on one page, distribution of sentence scores, score by length or by label, or corpus "
        "level against sentence level by maximum length, main figure of each profile (default: overview, or profiles "
        "with --all-profiles)",
    )
    parser.add_argument(
        "--fail-under",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="exit with 1 if this figure over all sentences (in percent, named as in -f json), or this rate of "
        "completions such as valid, is lower or undefined; without -m, for the first score, and with 1 if the numbers "
        "of trees differ; repeatable",
    )
    parser.add_argument(
        "--min-scored",
        type=_percentage,
        metavar="PERCENT",
        help="exit with 1 if coverage is lower, e.g. 99.5",
    )
    add_interval_options(parser)


def _percentage(text: str) -> float:
    return number("a percentage from 0 to 100", lambda value: 0 <= value <= 100)(text.removesuffix("%"))


def show(
    options: argparse.Namespace,
    score: Callable[[], Report],
    gated: Callable[[Report], list[Scored]] | None = None,
    below: Callable[[], str] | None = None,
    *,
    kind: str = "Report",
    **arguments: Any,
) -> int:
    """Write the report that `score` returns, and return the exit code.

    `gated` selects the scores of gates such as --fail-under (default: all); `below` returns text below a table. The
    `kind` of the result is another one than a report if the report is shown in another way, with these `arguments`.
    """
    if options.node_mappings == "-" and options.output in (None, "-"):
        raise UsageError("--node-mappings -: the result also goes to standard output; write one of them to a file")
    if kind == "Report":
        arguments = {"by": options.by, "per_sentence": options.per_sentence, "explain": options.explain}
    check_format(kind, options.format, **arguments)
    thresholds = [_parsed_threshold(text) for text in options.fail_under]
    if options.plot_kind and not options.plot:
        raise UsageError(f"--plot-kind {options.plot_kind} needs --plot FILE")
    check_plots(options)
    for path in (options.output, options.node_mappings, options.trees, *options.plot):
        keep_inputs(path, filter(None, (options.ci_units, getattr(options, "prm", None))))
    intervals = interval_options(options)
    is_table = options.format == "table"
    paths = (options.output or "-", options.node_mappings, options.trees, *options.plot)
    with opened_together(*paths) as (out, mappings, trees, *plots):  # before long work begins
        report = score()
        if intervals is not None:
            report = report.with_intervals(**intervals, threads=options.threads)
        failures = _failures(report, thresholds, options.min_scored, gated)
        write([*pieces(kind, report, options.format, **arguments), below() if below and is_table else ""], out)
        if mappings:
            _write_mappings(report, options.threads, mappings)
        if trees:
            _write_trees(report, trees)
        for path, file in zip(options.plot, plots, strict=True):
            from ..plots.writing import KINDS

            draw = KINDS[options.plot_kind or PLOTS[0 if kind == "Report" else -1]]
            save_plot(path, file, partial(draw, report), options)
    return _judged(report, options, failures)


def _failures(
    report: Report,
    thresholds: list[tuple[str, float, str]],
    least_scored: float | None,
    gated: Callable[[Report], list[Scored]] | None,
) -> list[str]:
    """The messages of gates that fail."""
    if not thresholds and least_scored is None:
        return []
    try:
        scores = gated(report) if gated else report.pairs()
    except UnequalTreebanks as problem:
        return [f"without -m, --fail-under and --min-scored need as many trees in both files: {problem}"]
    rates = {} if report.completions is None else report.completions.rates().shares()
    failures = [
        _rate_below(name, rates[name], least, text)
        if name in rates
        else _below(scores, name, least, text, GATED if rates else ())
        for name, least, text in thresholds
    ]
    if least_scored is not None:
        failures += [_too_few_scored(metric, score, least_scored) for metric, score in scores]
    return [message for message in failures if message]


def _too_few_scored(metric: Metric, score: Score, least: float) -> str | None:
    """A message if the coverage is below this percentage, else None."""
    if score.coverage is None:
        return f"coverage is undefined: there is no {metric.row_unit} to score ({score.signature})"
    if 100 * score.coverage >= least - _ROUNDING:
        return None
    return f"coverage is {100 * score.coverage:.2f} %, below {least:g} % ({score.signature})"


def _judged(report: Report, options: argparse.Namespace, failures: list[str]) -> int:
    """The exit code; remarks that the output does not contain go to standard error."""
    if not errors.tells_problems(options.format):
        for remark in _not_shown(report, options):
            errors.notify(remark)
    are_lost = report_lost([report])
    for message in failures:
        errors.notify(message)
    code = errors.count_problems(
        report.problems, form=options.format, strict=options.strict, line=report.problem_line()
    )
    return errors.FAILED if failures or are_lost else code


def _not_shown(report: Report, options: argparse.Namespace) -> Iterator[str]:
    """Remarks that do not fit a format with a single table."""
    yield from report.remarks
    for cause in report.causes():
        yield cause.in_short()
    if options.by and len(report.scores) > 1:
        tables = report.breakdowns(options.by)
        for score in report.scores:
            if score.signature not in tables:
                yield f"{score.name} has no table by {options.by}"


def report_lost(reports: Iterable[Report]) -> bool:
    """Report scores with lost sentences, which treescore could not finish; return whether there are any."""
    lost = [(metric, score) for report in reports for metric, score in report.pairs() if score.lost]
    for metric, score in lost:
        units = number_of(score.lost, metric.row_unit)
        message = f"{units} could not be finished; figures over all {metric.row_unit}s are undefined"
        errors.notify(f"{message} ({score.signature})")
    return bool(lost)


def _write_mappings(report: Report, threads: int | None, file: BinaryIO) -> None:
    from ..render.node_mappings import mapping_lines

    for metric, score in zip(report.metrics, report.scores, strict=True):
        if metric.maps_nodes:
            with watched("aligning") as progress:
                mappings = report.node_mappings(score.signature, threads=threads, progress=progress)
            file.writelines(line.encode("ascii") for line in mapping_lines(report, score.signature, mappings))
    file.flush()


def _write_trees(report: Report, file: BinaryIO) -> None:
    """Write the trees that were read from completions of a language model, and () for those without a tree."""
    if report.completions is None:
        raise UsageError("--trees writes the trees of completions, and the test file is not of a language model")
    file.writelines(encode(f"{completion.tree or '()'}\n") for completion in report.completions)


def check_plots(options: argparse.Namespace) -> None:
    """Refuse plots of unknown formats, a plot over the result, and options of plots without one."""
    look = look_options(options)
    if look and not options.plot:
        raise UsageError(f"--{next(iter(look)).replace('_', '-')} needs --plot FILE")
    for path in options.plot:
        from ..plots import check

        check(path, **look)
        if options.output and os.path.realpath(options.output) == os.path.realpath(path):
            raise UsageError(f"{path} is the file of both the result and the plot: name another file for one")


def save_plot(path: str, file: BinaryIO, draw: Callable[[bool], list[Figure]], options: argparse.Namespace) -> None:
    """Write a plot; `draw` returns its figures, and is told whether each may have a page of its own."""
    from ..plots.writing import save, suffix

    form = suffix(path)
    for remark in save(lambda: draw(form == "pdf"), file, form, **look_options(options)):
        errors.notify(f"{path}: {remark}")


def _parsed_threshold(text: str) -> tuple[str, float, str]:
    name, _, wanted = text.partition("=")
    try:
        least = float(wanted)
    except ValueError:
        least = float("nan")
    if least != least:
        raise UsageError(f"--fail-under {text!r} is not of the form NAME=VALUE, e.g. f1=90")
    return name.removesuffix(ALL), least, wanted


def _rate_below(name: str, share: float | None, least: float, wanted: str) -> str | None:
    """A message if a rate of completions is too low, else None."""
    if name not in GATED:
        raise UsageError(f"--fail-under: more {name} completions are not better; use another rate: {', '.join(GATED)}")
    if 0 < least < 1:
        raise UsageError(f"--fail-under {name}={wanted}: rates are in percent; did you mean {100 * least:g}?")
    percentage = 0.0 if share is None else round(100 * share, 2)
    return f"{name} is {percentage:.2f} % of the completions, below {wanted}" if percentage < least else None


def _below(scores: Iterable[Scored], name: str, least: float, wanted: str, rates: Iterable[str]) -> str | None:
    """A message if the figure over all sentences is too low in any score, else None; `rates` are other known names."""
    known: dict[str, bool] = {}  # is a higher value better?
    parts = []
    for metric, score in scores:
        figure = name.removeprefix(f"{score.name}.")
        better = {name: metric.goodness(name, 1.0) > 0 for name in score.figures}
        if not better.get(figure, True):
            others = ", ".join(name for name, higher in better.items() if higher)
            raise UsageError(f"--fail-under: {figure} is better when lower; use another figure: {others}")
        part = (score.all_figures if score.is_partial else score.figures).get(figure)
        if part is None and figure in metric.without_all:
            failed = f"{figure} has no value over all {metric.row_unit}s, and some of them failed"
            return f"{failed}; use another figure ({score.signature})"
        if part is not None and part.percent and 0 < least < 1:
            raise UsageError(f"--fail-under {name}={wanted}: figures are in percent; did you mean {100 * least:g}?")
        known |= better
        parts.append((metric, score, part))
    if all(part is None for _, _, part in parts):
        advice = suggestion(name, [*(figure for figure, higher in known.items() if higher), *rates])
        raise UsageError(f"--fail-under: there is no figure {name!r}; {advice}")
    for metric, score, part in parts:
        if part is not None and (part.shown_value is None or round(part.shown_value, 2) < least):
            which = f" over all {metric.row_unit}s" if score.is_partial else ""
            return f"{name}{which} is {part.shown()}, below {wanted} ({score.signature})"
    return None
