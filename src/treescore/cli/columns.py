"""`treescore columns IN…`: score pairs of trees in the rows of Parquet, Arrow or JSON lines."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack

from ..helpers.steps import Steps
from ..helpers.text import visible
from ..render import pieces
from ..scale.column_files import SUFFIXES, ColumnFile, ScoreFile, files_in, kind_by_suffix
from ..scale.pairs import FORMS, ROWS, as_text, check_metrics, score_columns
from ..scoring.problem_log import FEW_PROBLEMS
from ..scoring.tally import Tally
from ..trees import Source
from ..values.problem import InputError, Problem, UsageError
from . import errors
from .arguments import Parser
from .files import check_standard_input, keep_inputs, opened_whole
from .flags import add_flags, add_format_flag, add_metric_flags
from .results import complain_of_lost
from .score import chosen_metrics
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..metrics.base import Metric
    from ..scoring.report import Report

_EPILOG = """\
examples:
  treescore columns pairs.parquet -o scores.parquet       a row of scores and counts for each pair, and the total
  treescore columns parsed/ -m struct_iou --id-column id  all files of columns in a folder; only the total
  treescore columns pairs.jsonl --gold-column tree --test-column parse -o scores.jsonl
                                                          JSON lines, which need no other library
  zcat pairs.jsonl.gz | treescore columns - -o -          from standard input to standard output
  treescore columns pairs/ --workers auto                 Parquet files, by all cores of this machine with Dask; the
                                                          rows of scores go to the folder pairs.scores
  treescore columns pairs/ --scheduler tcp://10.0.0.1:8786 -o scores/
                                                          by the workers of a Dask scheduler

The format of a file is detected from its content when it is read; when it is written, its name decides: .parquet,
.arrow, .arrows or .jsonl. With --workers or --scheduler, the same command continues from the parts that are finished,
whatever ended the previous run. Input and output must then be on a file system that all workers share.

exit code: 0 fine, 1 rows that could not be read or problems with --strict, 2 unusable input, 130 stopped"""


def parser() -> Parser:
    """The arguments of the command."""
    parser = Parser(
        "columns", "Score the pairs of trees in the rows of files, each row for itself, and all rows together.", _EPILOG
    )
    parser.add_argument(
        "inputs",
        metavar="IN",
        nargs="+",
        help="Parquet, Arrow IPC or JSON lines; a folder of them; - is standard input. With workers: Parquet only",
    )
    add_flags(
        parser,
        "output",
        metavar="OUT",
        more="; the scores and counts of each row (default: none, only the total). .parquet, .arrow, .arrows (stream) "
        "or .jsonl; - is JSON lines, and the total goes to standard error. With workers: a folder of Parquet files "
        "(default: beside the input, with .scores behind its name)",
    )
    parser.add_argument("--gold-column", default="gold", metavar="NAME", help="column of gold trees (default: gold)")
    parser.add_argument(
        "--test-column", default="test", metavar="NAME", help="column of trees to score (default: test)"
    )
    parser.add_argument(
        "--id-column",
        metavar="NAME",
        help="column that names the rows, copied to the output (default: rows are numbered)",
    )
    add_metric_flags(parser)
    add_format_flag(parser, "Rows")
    add_flags(parser, "input-format", choices=FORMS, more="; spans where a metric needs times")
    add_flags(parser, "threads", "strict")
    workers = parser.add_argument_group("workers")
    workers.add_argument(
        "--workers",
        type=_workers,
        metavar="N",
        help="score parts of the input in N processes of this machine with Dask; auto: one for each core; 0: in this "
        "process, without Dask",
    )
    workers.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="score parts of the input by the workers of a Dask scheduler: its address, such as tcp://10.0.0.1:8786, "
        "or its scheduler file",
    )
    workers.add_argument(
        "--rows-per-task",
        type=_rows,
        metavar="N",
        help=f"row groups are joined to about N rows, and longer ones are split (default: {ROWS})",
    )
    workers.add_argument("--restart", action="store_true", help="remove all finished parts first, and start again")
    return parser


def _workers(text: str) -> int:
    if text == "auto":
        return os.cpu_count() or 1
    if not (text.isascii() and text.isdecimal()) or len(text) > 4:
        raise argparse.ArgumentTypeError(f"{text!r} is not auto, or a number of processes from 0 to 9999")
    return int(text)


def _rows(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of rows from 1")
    return int(text)


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = parser().parse_args(arguments)
    in_parts = options.scheduler is not None or options.workers is not None
    _check_workers(options, in_parts)
    metrics = check_metrics(chosen_metrics(options))
    return _score_parts(options, metrics) if in_parts else _score_rows(options, metrics)


def _check_workers(options: argparse.Namespace, in_parts: bool) -> None:
    if options.scheduler is not None and options.workers is not None:
        raise UsageError("--workers is for this machine; a scheduler has its own workers")
    if in_parts and options.threads and options.workers != 0:
        raise UsageError("--threads: each worker has one thread; use --workers")
    for name in ("rows_per_task", "restart"):
        if not in_parts and getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} needs --workers or --scheduler")


def _score_rows(options: argparse.Namespace, metrics: Sequence[Metric]) -> int:
    """Score one file after the other in this process."""
    check_standard_input(options.inputs)
    paths = files_in(options.inputs)
    keep_inputs(options.output, (*paths, *filter(None, [options.prm])))
    tally = Tally(metrics, most=FEW_PROBLEMS)
    steps = Steps()
    with ExitStack() as stack:
        out = None
        if options.output:
            kind = kind_by_suffix(options.output)
            file = stack.enter_context(opened_whole(options.output))
            out = stack.enter_context(ScoreFile(file, kind, metrics, has_ids=options.id_column is not None))
        stack.enter_context(watched("scoring", steps))
        steps.total = 1000 * len(paths)
        for number, path in enumerate(paths):
            with ColumnFile(path, options.gold_column, options.test_column, options.id_column) as source:
                for window in source.windows():
                    scored = score_columns(
                        window.gold, window.test, metrics, form=options.input_format, threads=options.threads
                    )
                    tally.add(scored.batch.behind(tally.size))
                    if out:
                        out.write(scored, window.ids)
                    steps.position = int(1000 * (number + window.share))
        _check_rows(tally, options)
    report = _report_of(tally, options)
    (sys.stderr if options.output == "-" else sys.stdout).write(_shown(report, options.format))
    return _code_of(report, options)


def _score_parts(options: argparse.Namespace, metrics: Sequence[Metric]) -> int:
    """Score parts of Parquet files, which stay on disk, by workers."""
    from ..scale.cluster import run, run_here
    from ..scale.parts import Folder, Job, kept_in, plan

    paths = _parquet_files(options.inputs)
    job = Job(
        metrics,
        _folder(options),
        options.inputs,
        gold=options.gold_column,
        test=options.test_column,
        id=options.id_column,
        form=options.input_format,
    )
    whole = plan(job, paths, options.rows_per_task or ROWS)
    steps = Steps()
    steps.total = sum(piece.rows for piece in whole.pieces)
    with Folder(whole, restart=options.restart) as folder:
        for note in folder.notes():
            _say(note)
        try:
            with watched("scoring", steps):
                if options.workers == 0 or not whole.pieces:
                    tally = run_here(whole, steps, options.threads)
                else:
                    tally = run(whole, folder, steps, _say, options.scheduler, options.workers)
        except KeyboardInterrupt:
            _say(f"stopped; {kept_in(folder.path)}")
            raise
        if not tally.lost_pieces:
            _check_rows(tally, options)
        report = _report_of(tally, options)
        folder.finish(_shown(report, "json"))
        sys.stdout.write(_shown(report, options.format))
    for problem in tally.lost:
        _say(str(problem))
    if tally.lost_pieces:
        _say(f"{report.lost_line()}; the same command tries again")
    return _code_of(report, options) or (errors.FAILED if tally.lost_pieces else errors.OK)


def _say(message: str) -> None:
    sys.stderr.write(f"treescore: {visible(message)}\n")


def _parquet_files(inputs: Sequence[str]) -> list[str]:
    """The files to score. A file with the name of a Parquet file may be damaged; files of other formats are refused."""
    for path in inputs:
        os.stat(path)
    paths = files_in(inputs)
    for path in paths:
        if SUFFIXES.get(os.path.splitext(path)[1].lower()) != "parquet":
            with open(path, "rb") as file:
                if file.read(4) != b"PAR1":
                    raise UsageError(f"{path} is not Parquet, which --workers and --scheduler need; leave them out")
    return paths


def _folder(options: argparse.Namespace) -> str:
    """Where the parts go, which must not be read as input the next time."""
    if options.output is None and len(options.inputs) > 1:
        raise UsageError("there are several inputs: name the folder of the scores by -o FOLDER")
    first = os.path.abspath(options.inputs[0])
    beside = first if os.path.isdir(first) else os.path.splitext(first)[0]
    folder = os.path.abspath(options.output or f"{beside}.scores")
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise UsageError(f"{folder} is not a folder")
    for path in map(os.path.realpath, options.inputs):
        if os.path.commonpath([path, os.path.realpath(folder)]) == path:
            raise UsageError(f"{folder} is inside {path}, which is read: write the scores to another folder")
    return folder


def _check_rows(tally: Tally, options: argparse.Namespace) -> None:
    """Refuse input without any rows."""
    if not tally.size:
        raise InputError(Problem("empty", "there are no rows in it", file=options.inputs[0]))


def _report_of(tally: Tally, options: argparse.Namespace) -> Report:
    """The report on all rows, with the names of what they are."""
    where = options.inputs[0] if len(options.inputs) == 1 else f"{len(options.inputs)} inputs"
    return tally.report(Source(f"{options.gold_column} of {where}"), Source(f"{options.test_column} of {where}"))


def _code_of(report: Report, options: argparse.Namespace) -> int:
    """The exit code, and why."""
    are_lost = complain_of_lost([report])
    if options.strict and report.problem_total:
        sys.stderr.write(f"treescore: --strict, and {report.problem_line()}\n")
        return errors.FAILED
    return errors.FAILED if are_lost else errors.OK


def _shown(report: Report, form: str) -> str:
    return "".join(pieces("Rows", report, form, first_problems=_first_problems(report)))


def _first_problems(report: Report) -> list[str]:
    """The first problems, each with the number of its row."""
    return [
        as_text(problem) if problem.unit is None else f"row {problem.unit:,}: {problem}" for problem in report.problems
    ]
