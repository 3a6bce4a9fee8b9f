"""Score the pairs of trees in the rows of files, by row and in total.

examples:
  treescore columns pairs.parquet -o scores.parquet       scores and counts of each pair, and the total
  treescore columns parsed/ -m struct_iou --id-column id  all files of a folder; only the total
  treescore columns pairs.jsonl --gold-column tree --test-column parse -o scores.jsonl
                                                          JSON lines need no other library
  zcat pairs.jsonl.gz | treescore columns - -o -          from standard input to standard output
  treescore columns pairs/ --workers auto                 Parquet files on all cores with Dask; scores in the folder
                                                          pairs.scores
  treescore columns pairs/ --scheduler tcp://10.0.0.1:8786 -o scores/
                                                          on the workers of a Dask scheduler

The format of input is detected from its content, the format of output from the file name: .parquet, .arrow, .arrows or
.jsonl. With --workers or --scheduler, the same command continues an interrupted run. Input and output must then be on
a file system that all workers share.

exit code: 0 success, 1 unreadable rows or problems with --strict, 2 unusable input, 130 stopped
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack, closing, suppress
from itertools import chain, islice

from ..helpers.steps import Steps
from ..render import pieces
from ..scale.column_files import SUFFIXES, ColumnFile, ScoreFile, files_in, kind_by_suffix
from ..scale.pairs import FORMS, ROWS, as_text, check_metrics, for_gold, score_columns
from ..scoring.problem_log import FEW_PROBLEMS
from ..scoring.tally import Tally
from ..trees import Source
from ..values.problem import InputError, Problem, UsageError
from . import errors
from .files import check_standard_input, keep_inputs, opened
from .flags import add_flags, add_metric_flags, add_output_flags, rows, whole_number
from .results import report_lost
from .score import chosen_metrics
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from ..metrics.base import Metric
    from ..scale.column_files import Window
    from ..scoring.report import Report


def add_options(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "inputs",
        metavar="IN",
        nargs="+",
        help="Parquet, Arrow IPC or JSON lines; a folder of files; - is standard input. With workers: Parquet only",
    )
    parser.add_argument("--gold-column", default="gold", metavar="NAME", help="column of gold trees (default: gold)")
    parser.add_argument("--test-column", default="test", metavar="NAME", help="column of test trees (default: test)")
    parser.add_argument(
        "--id-column",
        metavar="NAME",
        help="column of row ids, copied to the output (default: row numbers)",
    )
    add_metric_flags(parser)
    add_output_flags(
        parser,
        "Rows",
        file=" (JSON lines, with the total on standard error) for the scores and counts of each row: .parquet, .arrow, "
        ".arrows (stream) or .jsonl (default: only the total). With workers: a folder of Parquet files (default: the "
        "input name with .scores)",
    )
    add_flags(parser, "input-format", choices=FORMS, more="; spans for metrics that need times")
    add_flags(parser, "threads", "memory", "strict")
    workers = parser.add_argument_group("workers")
    workers.add_argument(
        "--workers",
        type=_workers,
        metavar="N",
        help="score parts of the input in N local processes with Dask; auto: one per core; 0: in this process, "
        "without Dask",
    )
    workers.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="score parts of the input on the workers of a Dask scheduler: an address such as tcp://10.0.0.1:8786, "
        "or a scheduler file",
    )
    workers.add_argument(
        "--rows-per-task",
        type=rows,
        metavar="N",
        help=f"number of rows per task: row groups are joined or split to about N rows (default: {ROWS})",
    )
    workers.add_argument("--restart", action="store_true", help="discard finished parts and start again")


def _workers(text: str) -> int:
    if text == "auto":
        return os.cpu_count() or 1
    return whole_number("number of processes (or auto)", 0, 9999)(text)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    in_parts = options.scheduler is not None or options.workers is not None
    _check_workers(options, in_parts)
    metrics = check_metrics(chosen_metrics(options))
    return _score_parts(options, metrics) if in_parts else _score_rows(options, metrics)


def _check_workers(options: argparse.Namespace, in_parts: bool) -> None:
    if options.scheduler is not None and options.workers is not None:
        raise UsageError("--workers and --scheduler exclude each other: a scheduler has its own workers")
    if in_parts and options.threads and options.workers != 0:
        raise UsageError("--threads: each worker has one thread; use --workers instead")
    for name in ("rows_per_task", "restart"):
        if not in_parts and getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} needs --workers or --scheduler")


def _score_rows(options: argparse.Namespace, metrics: Sequence[Metric]) -> int:
    """Score the files one by one in this process."""
    check_standard_input(options.inputs)
    paths = files_in(options.inputs)
    keep_inputs(options.output, (*paths, *filter(None, [options.prm])))
    kind = kind_by_suffix(options.output) if options.output else ""
    steps = Steps()
    with ExitStack() as stack:
        windows = stack.enter_context(closing(_windows(paths, options)))
        first = list(islice(windows, 1))
        metrics = for_gold(metrics, first[0][1].gold if first else ())
        tally = Tally(metrics, most=FEW_PROBLEMS)
        out = None
        if options.output:
            file = stack.enter_context(opened(options.output))
            out = stack.enter_context(ScoreFile(file, kind, metrics, has_ids=options.id_column is not None))
        stack.enter_context(watched("scoring", steps))
        steps.total = 1000 * len(paths)
        for number, window in chain(first, windows):
            scores = score_columns(
                window.gold, window.test, metrics, form=options.input_format, threads=options.threads
            )
            tally.add(scores.batch.renumbered(tally.size))
            if out:
                out.write(scores, window.ids)
            steps.position = int(1000 * (number + window.share))
        _check_rows(tally, options)
    report = _report_of(tally, options)
    (sys.stderr if options.output == "-" else sys.stdout).write(_rendered(report, options.format))
    return _code_of(report, options)


def _windows(paths: Sequence[str], options: argparse.Namespace) -> Generator[tuple[int, Window]]:
    """The rows of all files, some at a time, each time with the number of the file."""
    for number, path in enumerate(paths):
        with ColumnFile(path, options.gold_column, options.test_column, options.id_column) as source:
            for window in source.windows():
                yield number, window


def _first_gold(paths: Sequence[str], options: argparse.Namespace) -> Sequence[object]:
    """The first cells of gold; none if the file is damaged, which is reported where it is scored."""
    with suppress(InputError, UsageError, OSError), closing(_windows(paths, options)) as windows:
        return next((window.gold for _, window in windows), ())
    return ()


def _score_parts(options: argparse.Namespace, metrics: Sequence[Metric]) -> int:
    """Score parts of Parquet files, which are kept on disk, on workers."""
    from ..scale.cluster import run, run_here
    from ..scale.parts import Folder, Job, kept_in, plan

    paths = _parquet_files(options.inputs)
    metrics = for_gold(metrics, _first_gold(paths, options))
    job = Job(
        metrics,
        _folder(options),
        options.inputs,
        gold=options.gold_column,
        test=options.test_column,
        id=options.id_column,
        form=options.input_format,
    )
    parts = plan(job, paths, options.rows_per_task or ROWS)
    steps = Steps()
    steps.total = sum(piece.rows for piece in parts.pieces)
    with Folder(parts, restart=options.restart) as folder:
        for note in folder.notes():
            errors.notify(note)
        try:
            with watched("scoring", steps):
                if options.workers == 0 or not parts.pieces:
                    tally = run_here(parts, steps, options.threads)
                else:
                    tally = run(parts, folder, steps, errors.notify, options.scheduler, options.workers)
        except KeyboardInterrupt:
            errors.notify(f"stopped; {kept_in(folder.path)}")
            raise
        if not tally.lost_pieces:
            _check_rows(tally, options)
        report = _report_of(tally, options)
        folder.finish(_rendered(report, "json"))
        sys.stdout.write(_rendered(report, options.format))
    for problem in tally.lost:
        errors.notify(str(problem))
    if tally.lost_pieces:
        errors.notify(f"{report.lost_line()}; the same command tries again")
    return _code_of(report, options) or (errors.FAILED if tally.lost_pieces else errors.OK)


def _parquet_files(inputs: Sequence[str]) -> list[str]:
    """The files to score. Damaged files named *.parquet are accepted; other formats are refused."""
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
    """The output folder of the parts, which must not be read as input later."""
    if options.output is None and len(options.inputs) > 1:
        raise UsageError("there are several inputs: name the folder of the scores by -o FOLDER")
    first = os.path.abspath(options.inputs[0])
    beside = first if os.path.isdir(first) else os.path.splitext(first)[0]
    folder = os.path.abspath(options.output or f"{beside}.scores")
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise UsageError(f"{folder} is not a folder")
    for path in map(os.path.realpath, options.inputs):
        if os.path.commonpath([path, os.path.realpath(folder)]) == path:
            raise UsageError(f"{folder} is inside the input {path}: write the scores to another folder")
    return folder


def _check_rows(tally: Tally, options: argparse.Namespace) -> None:
    """Refuse input without rows."""
    if not tally.size:
        raise InputError(Problem("empty", "there are no rows in it", file=options.inputs[0]))


def _report_of(tally: Tally, options: argparse.Namespace) -> Report:
    """The report on all rows, with their sources."""
    where = options.inputs[0] if len(options.inputs) == 1 else f"{len(options.inputs)} inputs"
    return tally.report(Source(f"{options.gold_column} of {where}"), Source(f"{options.test_column} of {where}"))


def _code_of(report: Report, options: argparse.Namespace) -> int:
    """The exit code; the reason goes to standard error."""
    are_lost = report_lost([report])
    if options.strict and report.problem_total:
        errors.notify(f"--strict, and {report.problem_line()}")
        return errors.FAILED
    return errors.FAILED if are_lost else errors.OK


def _rendered(report: Report, form: str) -> str:
    problems = [
        as_text(problem) if problem.unit is None else f"row {problem.unit:,}: {problem}" for problem in report.problems
    ]
    return "".join(pieces("Rows", report, form, first_problems=problems))
