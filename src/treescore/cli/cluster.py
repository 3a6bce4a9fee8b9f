"""`treescore cluster PARQUET…`: score pairs of trees in Parquet files by the workers of a Dask cluster."""

from __future__ import annotations

import argparse
import os
import sys

from ..helpers.steps import Steps
from ..helpers.text import number_of, visible
from ..scale.cluster import run, run_here
from ..scale.column_files import SUFFIXES, files_in
from ..scale.pairs import check_metrics
from ..scale.parts import ROWS, Folder, Job, kept_in, plan
from ..values.problem import UsageError
from . import errors
from .columns import add_column_options, as_json, as_table, check_rows, code_of, report_of
from .score import chosen_metrics
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scoring.report import Report
    from ..scoring.tally import Tally

_EPILOG = """\
examples:
  treescore cluster pairs/                                all Parquet files in a folder, by all cores of this machine;
                                                          a row of scores and counts for each pair goes to pairs.scores/
  treescore cluster pairs/ --scheduler tcp://10.0.0.1:8786 -m struct_iou -o scores/
                                                          by the workers of a Dask scheduler
  treescore cluster pairs/ --workers 0                    in this process alone, without Dask

The same command goes on from what is finished, whatever has ended the last one. Input and output must be on a file
system that all workers share.

exit code: 0 fine, 1 rows that could not be read or problems with --strict, 2 unusable input, 130 stopped"""


def parser() -> argparse.ArgumentParser:
    """The arguments of the command."""
    made = argparse.ArgumentParser(
        prog="treescore cluster",
        description="Score the pairs of trees in the rows of Parquet files on many machines or processes.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("inputs", metavar="PARQUET", nargs="+", help="Parquet file, or folder of them")
    made.add_argument(
        "-o",
        "--output",
        metavar="FOLDER",
        help="write the scores and counts of each row here, in Parquet files whose order is that of the rows (default: "
        "beside the input, with .scores behind its name)",
    )
    made.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="of a Dask scheduler, such as tcp://10.0.0.1:8786, or its scheduler file (default: workers are started "
        "on this machine)",
    )
    made.add_argument(
        "--workers",
        type=_workers,
        metavar="N",
        help="processes on this machine (default: all cores); 0 is this process alone, without Dask",
    )
    made.add_argument(
        "--rows-per-task",
        type=_rows,
        default=ROWS,
        metavar="N",
        help="row groups are joined to about so many rows, and longer ones are split (default: %(default)s)",
    )
    made.add_argument("--restart", action="store_true", help="remove all parts in FOLDER first, and begin anew")
    add_column_options(made)
    return made


def _workers(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 4:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes from 0 to 9999")
    return int(text)


def _rows(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of rows from 1")
    return int(text)


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = parser().parse_args(arguments)
    if options.scheduler is not None and options.workers is not None:
        raise UsageError("--workers is for this machine; a scheduler has its own workers")
    metrics = check_metrics(chosen_metrics(options))
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
    whole = plan(job, paths, options.rows_per_task)
    steps = Steps()
    steps.total = sum(piece.rows for piece in whole.pieces)
    with Folder(whole, restart=options.restart) as folder:
        if folder.stale:
            _say(f"{number_of(folder.stale, 'part')} of an earlier state of the input removed")
        if folder.damaged:
            _say(f"{number_of(folder.damaged, 'damaged part')} removed, and made anew")
        if folder.kept:
            _say(f"{folder.kept:,} of {number_of(len(whole.pieces), 'part')} in {folder.path} are there already")
        try:
            with watched("scoring", steps):
                if options.workers == 0 or not whole.pieces:
                    tally = run_here(whole, steps)
                else:
                    tally = run(whole, folder, steps, _say, options.scheduler, options.workers)
        except KeyboardInterrupt:
            _say(f"stopped; {kept_in(folder.path)}")
            raise
        if not tally.lost_pieces:
            check_rows(tally, options)
        report = report_of(tally, options)
        folder.finish(as_json(report))
        sys.stdout.write(as_json(report) if options.format == "json" else as_table(report))
    return _complain(tally, report) or code_of(report, options)


def _say(message: str) -> None:
    sys.stderr.write(f"treescore: {visible(message)}\n")


def _complain(tally: Tally, report: Report) -> int:
    """Say what was not read, whatever else there is to say about the rows that were."""
    if not tally.lost_pieces:
        return errors.OK
    for text in map(str, tally.lost):
        _say(text)
    _say(f"{report.lost_line()}; the same command tries again")
    return errors.FAILED


def _parquet_files(inputs: Sequence[str]) -> list[str]:
    """The files to score. What is named as Parquet may turn out to be damaged; what is of another kind is refused."""
    for path in inputs:
        os.stat(path)
    paths = files_in(inputs)
    for path in paths:
        if SUFFIXES.get(os.path.splitext(path)[1].lower()) != "parquet":
            with open(path, "rb") as file:
                if file.read(4) != b"PAR1":
                    advice = "treescore columns reads other files"
                    raise UsageError(f"{path}: treescore cluster reads Parquet only; {advice}")
    return paths


def _folder(options: argparse.Namespace) -> str:
    """Where the parts go, which must not be read as input the next time."""
    if options.output is None and len(options.inputs) > 1:
        raise UsageError("there are several inputs: name the folder of the scores by -o FOLDER")
    first = os.path.abspath(options.inputs[0])
    beside = first if os.path.isdir(first) else os.path.splitext(first)[0]
    folder = os.path.abspath(options.output or f"{beside}.scores")
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise UsageError(f"{folder} is no folder")
    for path in map(os.path.realpath, options.inputs):
        if os.path.commonpath([path, os.path.realpath(folder)]) == path:
            raise UsageError(f"{folder} is inside of {path}, which is read: write the scores to another folder")
    return folder
