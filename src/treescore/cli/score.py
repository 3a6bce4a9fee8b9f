"""`treescore GOLD TEST`: score a file of trees against another."""

from __future__ import annotations

import argparse
import os
from contextlib import ExitStack

from .. import metrics as registry
from .._version import __version__
from ..place.unequal import check_equal_number
from ..readers.sources import read
from ..scoring.choosing import DEFAULT, Choice, all_reconciled, configured
from ..scoring.evaluation import compare_conllu, paired, score_pairs
from ..values.problem import InputError, Problem, UsageError
from .arguments import Parser
from .commands import listing
from .files import check_standard_input, keep_inputs, source
from .flags import (
    add_conllu_flags,
    add_document_flags,
    add_flags,
    add_metric_flags,
    add_reading_flags,
    add_speech_flags,
)
from .large_files import add_chunk_option, are_streamed, may_stream, score_streams
from .results import add_result_options, show
from .watch import watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..metrics.base import Metric
    from ..readers.blocks import BlockedText
    from ..scoring.report import Report
    from ..trees import Treebank
    from ..values.score import Score

_EPILOG = """\
examples:
  treescore gold.mrg parsed.mrg                           labelled F1 as EVALB with COLLINS.prm computes it
  treescore gold.mrg parsed.mrg --profile spmrl           … as EVALB_SPMRL with spmrl.prm does
  treescore gold.mrg parsed.mrg -p my.prm --by label      … with your parameter file, and a table by label
  treescore gold.mrg parsed.mrg -m 'parseval|labels:no'   unlabelled
  treescore gold.mrg parsed.mrg -m aligned_parseval       words and sentences may differ
  treescore gold.mrg parsed.mrg -m struct_iou --node-mappings out.jsonl
                                                          STRUCT-IOU, and which nodes it aligned
  treescore gold.mrg parsed.mrg --explain worst           what the sentence that costs most lost, node by node
  treescore gold.mrg parsed.mrg -f json --per-sentence    everything, for programs
  treescore gold.mrg parsed.mrg --fail-under f1=90        exit code 1 if F1 is below 90
  treescore gold.conllu parsed.conllu -f conll            LAS, MLAS, BLEX, ELAS and EULAS, as the CoNLL shared tasks do
  treescore gold.mrg parsed.mrg --gold-times gold.TextGrid --test-times asr.ctm
                                                          speech, by when words were spoken; sentences may differ
  treescore gold/ parsed/ --gold-times aligned/ --test-times recognised/
                                                          a file for each recording, found by its name
  treescore gold/ parsed/ -m 'sparseval|unit:file'        recognised speech, a file for each side of a conversation
  treescore gold.mrg asr.mrg -m 'sparseval|unit:file' --word-errors 10 --word-alignment used.align
                                                          … with wrong words, and the alignment of all words
  treescore gold.mrg.zst parsed.mrg.zst --chunk 64M       more than fits: a part at a time (the default above 64M)
  zcat gold.gz | treescore - parsed.mrg                   from standard input (gzip and zstd are also read directly)

commands (treescore COMMAND --help says more):
"""


_EXIT = "exit code: 0 fine, 1 below --fail-under or problems with --strict, 2 unusable input"


def parser() -> Parser:
    """The arguments of `treescore GOLD TEST`."""
    parser = Parser("", "Score the parse trees of TEST against those of GOLD.", f"{_EPILOG}{listing()}\n{_EXIT}")
    parser.for_more_files = "treescore compare"
    parser.add_argument("gold", metavar="GOLD", help="file of gold trees, or - for standard input")
    parser.add_argument("test", metavar="TEST", help="file of trees to score, or - for standard input")
    add_options(parser)
    return parser


def add_options(parser: argparse.ArgumentParser) -> None:
    """All but the files."""
    add_metric_flags(parser)
    add_flags(parser, "reconcile")
    add_result_options(parser)
    parser.add_argument(
        "--disconly", action="store_true", help="only discontinuous phrases count (only:discontinuous in the metric)"
    )
    add_reading_flags(parser)
    add_chunk_option(parser)
    add_speech_flags(parser)
    add_conllu_flags(parser)
    add_document_flags(parser)
    parser.add_argument("--version", action="version", version=f"treescore {__version__}")


def main(arguments: Sequence[str]) -> int:
    """Score two files."""
    return run(parser().parse_args(arguments))


def run(options: argparse.Namespace, names: tuple[str | None, str | None] = (None, None)) -> int:
    if not _is_timed(options) and _are_documents(options):
        return _run_documents(options, names)
    choice = Choice(chosen_metrics(options))
    if options.reconcile:
        choice = all_reconciled(choice, options.metric)
    metrics = choice.metrics
    inputs = [options.gold, options.test, *options.gold_times, *options.test_times]
    check_standard_input([*inputs, options.ci_units])
    for path in (options.output, options.node_mappings, *options.plot):
        keep_inputs(path, inputs)
    timed = _is_timed(options)
    _check_able(options, metrics if options.metric or not timed else ())
    if timed:
        from .timed import score_timed

        shared = shared_options(options)
        return show(
            options,
            lambda: score_timed(options, shared),
            lambda report: report.pairs()[: None if options.metric else 1],
        )
    if compare_conllu([(path, source(path)) for path in (options.gold, options.test)], metrics):
        from .conllu import scored

        return show(options, lambda: scored(options, metrics))
    _check_no_conllu_flags(options)
    if not may_stream(options, metrics):
        return _run_whole(options, names)
    from ..readers.blocks import BlockedText

    paths = options.gold, options.test
    with ExitStack() as stack:
        texts = [stack.enter_context(BlockedText.opened(*named)) for named in zip(paths, names, strict=True)]
        if not are_streamed(texts, options):
            once = [None if text.source.path else text for text in texts]  # what cannot be opened again
            return _run_whole(options, names, once)

        def score() -> Report:
            report = score_streams(texts, options, metrics)
            if report is None:
                return _scored(*_read_both(options, names), options)
            report.remarks += choice.remarks
            return report

        return show(options, score, lambda report: _gated(report, options))


def _is_timed(options: argparse.Namespace) -> bool:
    """Are the trees to be scored by when their words were spoken?"""
    if options.gold_times or options.test_times or options.pair or options.unit:
        return True
    for name, default in (("times_format", None), ("tier", None), ("attach", "auto")):
        if getattr(options, name) != default:
            raise UsageError(f"--{name.replace('_', '-')} needs words with times: --gold-times or --test-times")
    return False


def _are_documents(options: argparse.Namespace) -> bool:
    """Are there several files on each side, or is something asked for about their words?"""
    if options.lists or options.word_errors or options.word_alignment:
        return True
    if options.input_format == "nxt" or not (os.path.isdir(options.gold) and os.path.isdir(options.test)):
        return False
    from ..readers.nxt import has_trees

    return not has_trees(options.gold)  # a folder of NXT-Switchboard is read as one treebank


def _check_no_conllu_flags(options: argparse.Namespace) -> None:
    """Refuse options that have no meaning for trees."""
    for name in ("multiple_roots", "no_empty_nodes"):
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} is for CoNLL-U files")


def _run_documents(options: argparse.Namespace, names: tuple[str | None, str | None]) -> int:
    """Score several files on each side, or the words of one."""
    from .documents import DocumentFiles

    files = DocumentFiles(options)
    if options.chunk:
        raise UsageError("--chunk: several files and words of speech need whole files")
    for path in (options.output, options.node_mappings, options.word_alignment, *options.plot):
        keep_inputs(path, [*files.gold, *files.test])
    named = [registry.get(metric) for metric in files.metrics or ()]
    _check_able(options, named)
    shared = shared_options(options)

    def score() -> Report:
        metrics = named or None
        pairs = [
            paired(read_trees(gold, options, names[0]), read_trees(test, options, names[1]), metrics)
            for gold, test in zip(files.gold, files.test, strict=True)
        ]
        with watched("scoring") as progress:
            report = files.score(pairs, shared, progress)
        if options.word_alignment:
            files.write_alignment()
        return report

    return show(options, score, lambda report: _gated(report, options), files.word_errors)


def _check_able(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse metrics that cannot give what is asked for."""
    if options.node_mappings and metrics and not any(metric.maps_nodes for metric in metrics):
        advice = "add -m struct_iou, -m tree_distance or -m tedeval"
        raise UsageError(f"--node-mappings: {metrics[0].name} does not align nodes; {advice}")
    if options.explain and options.metric:
        from ..analysis.sentences import check_explained

        check_explained(metrics)


def _read_both(
    options: argparse.Namespace, names: Sequence[str | None], texts: Sequence[BlockedText | None] = (None, None)
) -> tuple[Treebank, Treebank]:
    """Gold and test, from texts that have been opened already or by their paths."""
    gold, test = zip((options.gold, options.test), names, texts, strict=True)
    return read_trees(gold[0], options, *gold[1:]), read_trees(test[0], options, *test[1:])


def _run_whole(
    options: argparse.Namespace,
    names: Sequence[str | None],
    texts: Sequence[BlockedText | None] = (None, None),
) -> int:
    gold, test = _read_both(options, names, texts)
    if options.explain:
        from ..analysis.sentences import check_selectors

        check_selectors(gold, options.explain)
    return show(options, lambda: _scored(gold, test, options), lambda report: _gated(report, options))


def _gated(report: Report, options: argparse.Namespace) -> list[tuple[Metric, Score]]:
    """The scores that gates refer to: without -m the headline, if leaving out sentences cannot have raised it."""
    if options.metric:
        return report.pairs()
    check_equal_number(report.gold, report.test)
    return report.pairs()[:1]


def _scored(gold: Treebank, test: Treebank, options: argparse.Namespace) -> Report:
    metrics = options.metric or ([DEFAULT] if options.format == "evalb" else None)
    with watched("scoring") as progress:
        pair = paired(gold, test, metrics)
        asked = {"reconcile": options.reconcile, "threads": options.threads, "progress": progress}
        return score_pairs({"": pair}, metrics, shared_options(options), **asked)[""]


def chosen_metrics(options: argparse.Namespace, usual: Sequence[str] = (DEFAULT,)) -> list[Metric]:
    """The metrics of -m, else the usual ones, with the options that they share."""
    return [registry.get(metric) for metric in configured(options.metric or usual, shared_options(options))]


def shared_options(options: argparse.Namespace) -> dict[str, str]:
    """The options that hold for every metric that does not name its own."""
    extra = {}
    if options.profile:
        extra["profile"] = options.profile
    if options.prm:
        from ..values.signature_text import quote

        extra["prm"] = quote(options.prm)
    if getattr(options, "disconly", False):
        for metric in map(registry.get, options.metric or ()):
            if not metric.has_option("only"):
                raise UsageError(f"--disconly is for brackets (parseval); {metric.name} has no such option")
        extra["only"] = "discontinuous"
    return extra


def read_trees(
    path: str, options: argparse.Namespace, name: str | None = None, text: BlockedText | None = None
) -> Treebank:
    """The trees of a file, or of what has been opened already, read as --layout and --strict say; at least one."""
    on_error = "raise" if options.strict else "keep"
    with watched(f"reading {path}") as progress:
        bank = read(
            text or source(path),  # type: ignore[arg-type]
            form=options.input_format,
            layout=options.layout,
            functions=options.functions,
            encoding=options.encoding,
            on_error=on_error,
            name=name,
            progress=progress,
        )
    if len(bank) == 0:
        raise InputError(Problem("empty", "there are no trees in it", file=bank.source.name))
    return bank
