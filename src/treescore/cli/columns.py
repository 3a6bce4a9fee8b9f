"""`treescore columns IN…`: score pairs of trees in the rows of Parquet, Arrow or JSON lines."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack

from ..helpers.steps import Steps
from ..helpers.text import visible
from ..scale.column_files import ColumnFile, ScoreFile, files_in, kind_by_suffix
from ..scale.pairs import FORMS, as_text, check_metrics, score_columns
from ..scoring.problem_log import FEW_PROBLEMS
from ..scoring.tally import Tally
from ..trees import Source
from ..values.problem import InputError, Problem
from . import errors
from .files import check_standard_input, keep_inputs, opened_whole
from .results import complain_of_lost
from .score import add_metric_options, chosen_metrics, positive
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scoring.report import Report

_EPILOG = """\
examples:
  treescore columns pairs.parquet -o scores.parquet       a row of scores and counts for each pair, and the total
  treescore columns parsed/ -m struct_iou --id-column id  all files of columns in a folder; only the total
  treescore columns pairs.jsonl --gold-column tree --test-column parse -o scores.jsonl
                                                          JSON lines, which need no other library
  zcat pairs.jsonl.gz | treescore columns - -o -          from standard input to standard output

Files are told by their content when read, by their names when written: .parquet, .arrow, .arrows, .jsonl.

exit code: 0 fine, 1 problems with --strict, 2 unusable input"""


def parser() -> argparse.ArgumentParser:
    """The arguments of the command."""
    made = argparse.ArgumentParser(
        prog="treescore columns",
        description="Score the pairs of trees in the rows of files, each row for itself, and all rows together.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument(
        "inputs",
        metavar="IN",
        nargs="+",
        help="Parquet, Arrow IPC or JSON lines; a folder of them; - is standard input",
    )
    made.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="write the scores and counts of each row here: .parquet, .arrow, .arrows (stream) or .jsonl; "
        "- is JSON lines on standard output, where the total goes to standard error",
    )
    add_column_options(made)
    made.add_argument(
        "--threads", type=positive, metavar="N", help="default: all cores; the result does not depend on it"
    )
    return made


def add_column_options(made: argparse.ArgumentParser) -> None:
    """Which columns are scored, how, and how the total is shown."""
    made.add_argument("--gold-column", default="gold", metavar="NAME", help="column of gold trees (default: gold)")
    made.add_argument("--test-column", default="test", metavar="NAME", help="column of trees to score (default: test)")
    made.add_argument(
        "--id-column",
        metavar="NAME",
        help="column that names the rows, copied to the output (default: rows are numbered)",
    )
    add_metric_options(made)
    made.add_argument("-f", "--format", choices=("table", "json"), default="table", help="form of the total")
    made.add_argument(
        "--input-format",
        choices=FORMS,
        default="auto",
        help="how trees are written: brackets, or brackets with spans of time for words (default: auto, spans where a "
        "metric needs times)",
    )
    made.add_argument("--strict", action="store_true", help="exit with 1 on any problem")


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = parser().parse_args(arguments)
    metrics = check_metrics(chosen_metrics(options))
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
        check_rows(tally, options)
    report = report_of(tally, options)
    shown = as_json(report) if options.format == "json" else as_table(report)
    (sys.stderr if options.output == "-" else sys.stdout).write(shown)
    return code_of(report, options)


def check_rows(tally: Tally, options: argparse.Namespace) -> None:
    """Refuse input without any rows."""
    if not tally.size:
        raise InputError(Problem("empty", "there are no rows in it", file=options.inputs[0]))


def report_of(tally: Tally, options: argparse.Namespace) -> Report:
    """The report on all rows, with the names of what they are."""
    where = options.inputs[0] if len(options.inputs) == 1 else f"{len(options.inputs)} inputs"
    return tally.report(Source(f"{options.gold_column} of {where}"), Source(f"{options.test_column} of {where}"))


def code_of(report: Report, options: argparse.Namespace) -> int:
    """The exit code, and why."""
    are_lost = complain_of_lost([report])
    if options.strict and report.problem_total:
        sys.stderr.write(f"treescore: --strict, and {report.problem_line()}\n")
        return errors.FAILED
    return errors.FAILED if are_lost else errors.OK


def as_table(report: Report) -> str:
    """The scores, what was lost, and the first problems."""
    from ..render import grids

    lines = [grids.render(report, "table", None, False, problems=False)]
    if report.lost_pieces:
        lines.append(f"{report.lost_line()}\n")
    if report.problem_total:
        lines.append(f"{report.problem_line()}\n")
        texts = first_problems(report)
        lines += [f"  {visible(text)}\n" for text in texts]
        more = report.problem_total - len(texts)
        if more:
            lines.append(f"  … and {more:,} more (all of them: the column problem of the output)\n")
    return "".join(lines)


def first_problems(report: Report) -> list[str]:
    """The first problems, each with the number of its row."""
    return [
        as_text(problem) if problem.unit is None else f"row {problem.unit:,}: {problem}" for problem in report.problems
    ]


def as_json(report: Report) -> str:
    """The same for programs."""
    import json

    found = json.loads(report.to("json"))
    if report.lost_pieces:
        found["lost"] = {"pieces": report.lost_pieces, "rows": report.lost_rows}
    found["problems"] = {
        "count": report.problem_total,
        "by_code": report.problem_counts(),
        "first": first_problems(report),
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"
