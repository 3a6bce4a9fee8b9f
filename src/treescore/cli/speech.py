"""`treescore speech GOLD PRED`: parses of speech against gold trees, on the axis of seconds."""

from __future__ import annotations

import argparse

from .. import metrics as registry
from ..metrics.boundaries import TOLERANCE
from ..metrics.struct_iou import GAPS, SILENT
from ..pairing.utterances import PAIRINGS, UNITS
from ..place.seconds import ATTACH
from ..speech.scoring import evaluate_speech
from .files import check_standard_input, keep_inputs, source
from .results import add_result_options, show
from .score import add_reading_options
from .times import add_times_options
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..readers.sources import Readable
    from ..scoring.report import Report

_EPILOG = """\
examples:
  treescore speech gold.mrg parsed.mrg --gold-times gold.TextGrid --pred-times asr.ctm
                                           one recording; its sentences may be cut otherwise
  treescore speech gold/ parsed/ --gold-times aligned/ --pred-times recognised/
                                           a file for each recording or side of a conversation, found by its name
  treescore speech gold.jsonl spans.txt --unlabelled
                                           a parser without text: (NP 0.15-0.39 0.39-0.59)
  treescore speech gold.mrg parsed.mrg --gold-times gold.jsonl
                                           trees over the same words: both stand on those of gold
  treescore speech sw/syntax/ parsed/ --pred-times recognised/ --unit document
                                           NXT-Switchboard has its own times; whole sides are scored as one

Times are read from TextGrid, CTM, STM, NXT, Mississippi State transcripts, ELAN, WhisperX, Gentle, TSV and JSON lines
(treescore times --help); for audio see: treescore align audio --help

exit code: 0 fine, 1 below --fail-under or problems with --strict, 2 unusable input"""


def parser() -> argparse.ArgumentParser:
    """The arguments of the command."""
    made = argparse.ArgumentParser(
        prog="treescore speech",
        description="Score the parse trees of PRED against those of GOLD by when their words were spoken: STRUCT-IOU, "
        "and beside it SParseval with the word error rate, and the boundaries of words.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("gold", metavar="GOLD", help="file of gold trees, or a directory with a file for each document")
    made.add_argument(
        "pred", metavar="PRED", help="trees to score: a file, or a directory with files of the same names"
    )
    made.add_argument(
        "--gold-times",
        nargs="+",
        action="extend",
        metavar="PATH",
        help="words with times for the gold trees: files or directories; not needed if the trees have times",
    )
    made.add_argument(
        "--pred-times",
        nargs="+",
        action="extend",
        metavar="PATH",
        help="the same for the trees of PRED (default: their own times, else the words of gold)",
    )
    add_times_options(made)
    made.add_argument(
        "--attach", choices=ATTACH, default="auto", help="how trees find their words (default: auto, and it is said)"
    )
    made.add_argument(
        "--pair",
        choices=PAIRINGS,
        default="auto",
        help="how sentences find their partners (default: auto: by id, else by position or time, and it is said)",
    )
    made.add_argument("--unit", choices=UNITS, default="sentence", help="what is scored at a time (default: sentence)")
    made.add_argument(
        "-m",
        "--metric",
        action="append",
        metavar="SIGNATURE",
        help="metric with options instead of the usual three, e.g. 'struct_iou|axis:seconds|silent:keep'; repeatable. "
        f"Metrics: {', '.join(registry.names())}",
    )
    made.add_argument("--unlabelled", action="store_true", help="ignore labels")
    made.add_argument(
        "--no-functions", action="store_true", help="cut functions and numbers off labels: NP-SBJ=1 is NP (cut:-=)"
    )
    made.add_argument(
        "--silent",
        choices=SILENT,
        help="punctuation, traces and others that nobody speaks: left out, or nodes without credit (default: drop)",
    )
    made.add_argument("--gaps", choices=GAPS, help="silence between words: kept, or closed (default: keep)")
    made.add_argument(
        "--tolerance",
        type=float,
        metavar="SECONDS",
        help=f"how far boundaries of words may be apart (default: {TOLERANCE})",
    )
    add_result_options(made)
    add_reading_options(made)
    return made


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = parser().parse_args(arguments)
    inputs = [options.gold, options.pred, *(options.gold_times or ()), *(options.pred_times or ())]
    check_standard_input([*inputs, options.ci_units])
    for path in (options.output, options.alignments, *options.plot):
        keep_inputs(path, inputs)

    def score() -> Report:
        with watched("scoring") as progress:
            report = evaluate_speech(
                source(options.gold),
                source(options.pred),
                gold_times=_sources(options.gold_times),
                test_times=_sources(options.pred_times),
                times_format=options.times_format,
                tier=options.tier,
                attach=options.attach,
                pair=options.pair,
                unit=options.unit,
                metrics=options.metric,
                labels=False if options.unlabelled else None,
                cut="-=" if options.no_functions else None,
                silent=options.silent,
                gaps=options.gaps,
                tolerance=options.tolerance,
                form=options.input_format,
                layout=options.layout,
                functions=options.functions,
                encoding=options.encoding,
                on_error="raise" if options.strict else "keep",
                threads=options.threads,
                progress=progress,
            )
        return report

    return show(options, score)


def _sources(paths: list[str] | None) -> Readable | None:
    if paths is None:
        return None
    return source(paths[0]) if len(paths) == 1 else [source(path) for path in paths]
