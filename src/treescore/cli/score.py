"""Score the parse trees of TEST against GOLD.

examples:
  treescore gold.mrg parsed.mrg                           labelled F1, as EVALB with COLLINS.prm
  treescore gold.mrg parsed.mrg --profile spmrl           … as EVALB_SPMRL with spmrl.prm
  treescore gold.mrg parsed.mrg -p my.prm --by label      … with your parameter file, and a table by label
  treescore gold.mrg parsed.mrg -m 'parseval|labels:no'   unlabelled
  treescore gold.mrg parsed.mrg -m aligned_parseval       words and sentences may differ
  treescore gold.mrg parsed.mrg -m struct_iou --node-mappings out.jsonl
                                                          STRUCT-IOU, and the mapping of nodes
  treescore gold.mrg parsed.mrg --reference gold2.mrg     two gold trees per sentence: the better one counts
  treescore gold.mrg parsed.mrg --all-profiles            one row per profile: every published F1
  treescore gold.mrg parsed.mrg --which-f1 79.8           the profiles whose F1 is 79.8
  treescore gold.mrg parsed.mrg --explain worst           explain the sentence with the greatest loss
  treescore gold.mrg parsed.mrg -f json --per-sentence    all results for programs
  treescore gold.mrg parsed.mrg --fail-under f1=90        exit code 1 if F1 is below 90
  treescore gold.mrg answers.jsonl --trees parsed.mrg     completions of a language model, and their trees
  treescore gold.conllu parsed.conllu -f conll            LAS, MLAS, BLEX, ELAS, EULAS as in the CoNLL shared tasks
  treescore gold.mrg parsed.mrg --gold-times gold.TextGrid --test-times asr.ctm
                                                          speech, by time; sentences may differ
  treescore gold/ parsed/ --gold-times aligned/ --test-times recognised/
                                                          a file per recording, paired by name
  treescore gold/ parsed/ -m 'sparseval|unit:file'        recognised speech, a file per conversation side
  treescore gold.mrg asr.mrg -m 'sparseval|unit:file' --word-errors 10 --word-alignment used.align
                                                          … with word errors, and the word alignment
  treescore gold.mrg.zst parsed.mrg.zst --chunk 64M       in parts that fit in memory (default above 64M)
  zcat gold.gz | treescore - parsed.mrg                   standard input (gzip and zstd are read directly)

exit code: 0 success, 1 below --fail-under or problems with --strict, 2 unusable input
"""

from __future__ import annotations

import argparse
import os
from contextlib import ExitStack

from .. import metrics as registry
from .._version import __version__
from ..place.unequal import check_equal_number
from ..profiles import PROFILES
from ..readers.sources import read
from ..scoring.choosing import DEFAULT, Choice, all_reconciled, configured
from ..scoring.evaluation import compare_conllu, paired, score_pairs, with_alignment
from ..scoring.published import applicable, signature_of
from ..values.problem import InputError, PerSide, Problem, UsageError
from .arguments import named
from .files import check_standard_input, keep_inputs, source, sources
from .flags import (
    COMPLETION_FLAGS,
    WORD_TIMES_FLAGS,
    add_completion_flags,
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
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from ..metrics.base import Metric
    from ..readers.blocks import BlockedText
    from ..scoring.report import Report
    from ..trees import Treebank
    from ..values.score import Score
    from .arguments import Parser


def add_options(parser: Parser) -> None:
    """The arguments of `treescore GOLD TEST`."""
    parser.for_more_files = "treescore compare"
    parser.add_argument("gold", metavar="GOLD", help="file of gold trees, or - for standard input")
    parser.add_argument("test", metavar="TEST", help="file of test trees, or - for standard input")
    add_scoring_options(parser)


def add_scoring_options(parser: argparse.ArgumentParser) -> None:
    """The options of commands that score two files."""
    add_metric_flags(parser)
    add_flags(parser, "reference", "reconcile")
    every = parser.add_mutually_exclusive_group()
    every.add_argument("--all-profiles", action="store_true", help="score by every profile, one row for each")
    every.add_argument(
        "--which-f1",
        metavar="VALUE",
        help="list the profiles with an F1 that rounds to a published number such as 79.8, else the nearest three",
    )
    add_result_options(parser)
    parser.add_argument(
        "--disconly", action="store_true", help="score only discontinuous phrases (only:discontinuous in the metric)"
    )
    parser.add_argument(
        "--alignment",
        metavar="FILE",
        help="which test word each gold word is aligned with, for words:aligned (profile av-nsl): JSON lines, for each "
        "sentence a list of pairs such as [[0, 0], [1, 2]]",
    )
    add_reading_flags(parser)
    add_chunk_option(parser)
    add_speech_flags(parser)
    add_conllu_flags(parser)
    add_document_flags(parser)
    add_completion_flags(parser, "trees")
    parser.add_argument("--version", action="version", version=f"treescore {__version__}")


def run(options: argparse.Namespace, names: tuple[str | None, str | None] = (None, None)) -> int:
    """Score two files, which are named in messages by `names`."""
    if options.tolerance is not None and not options.explain:
        raise UsageError("--tolerance is for explanations over seconds, not for scores: add --explain")
    if options.all_profiles or options.which_f1 is not None:
        return _run_all_profiles(options, names)
    if not _is_timed(options) and _are_documents(options):
        return _run_documents(options, names)
    choice = Choice(chosen_metrics(options))
    if options.reconcile:
        choice = all_reconciled(choice, options.metric)
    metrics = choice.metrics
    inputs = [options.gold, options.test, *options.reference, *options.gold_times, *options.test_times]
    check_standard_input([*inputs, options.ci_units])
    for path in (options.output, options.node_mappings, options.trees, *options.plot):
        keep_inputs(path, inputs)
    timed = _is_timed(options)
    if timed:
        check_no_reference(options, "words with times")
        _check_no_documents(options)
    _check_able(options, metrics if options.metric or not timed else ())
    if timed:
        shared = shared_options(options)
        return show(
            options,
            lambda: _score_timed(options, shared),
            lambda report: report.pairs()[: None if options.metric else 1],
        )
    if compare_conllu([(path, source(path)) for path in (options.gold, options.test)], metrics):
        from .conllu import compare, metric_for

        check_no_reference(options, "CoNLL-U")
        sides = source(options.gold), source(options.test)
        return show(options, lambda: compare(*sides, options, metric_for(options, metrics)))
    _check_no_conllu_flags(options)
    if not may_stream(options, metrics):
        return _run_whole(options, names)
    from ..readers.blocks import BlockedText

    paths = options.gold, options.test
    with ExitStack() as stack:
        texts = [stack.enter_context(BlockedText.opened(*named)) for named in zip(paths, names, strict=True)]
        if not are_streamed(texts, options):
            pipes = [None if text.source.path else text for text in texts]  # which cannot be opened again
            return _run_whole(options, names, pipes)

        def score() -> Report:
            report = score_streams(texts, options, metrics)
            if report is None:
                return _scored(*_read_both(options, names), options)
            report.remarks += choice.remarks
            return report

        return show(options, score, lambda report: _gated(report, options))


#: Options that have no meaning if files are scored by every profile.
_OF_ONE_METRIC = (
    *("metric", "profile", "prm", "by", "per_sentence", "explain", "node_mappings", "fail_under", "min_scored", "ci"),
    "chunk",
)


def _run_all_profiles(options: argparse.Namespace, names: tuple[str | None, str | None]) -> int:
    """Score the files, which are read once, by every profile."""
    flag = "--all-profiles" if options.all_profiles else "--which-f1"
    for name in _OF_ONE_METRIC:
        if getattr(options, name):
            raise UsageError(f"{flag} scores by every profile: leave out --{name.replace('_', '-')}")
    if _is_timed(options) or _are_documents(options):
        raise UsageError(f"{flag} is for two files of trees, without files of times")
    _check_no_conllu_flags(options)
    inputs = [options.gold, options.test, *options.reference]
    check_standard_input(inputs)
    for path in (options.output, *options.plot):
        keep_inputs(path, inputs)

    def score() -> Report:
        gold, test = _read_both(options, names)
        return _scored(gold, test, options, every_profile=True)

    if options.all_profiles:
        return show(options, score, kind="AllProfiles")
    return show(options, score, kind="WhichF1", published=options.which_f1)


def _is_timed(options: argparse.Namespace) -> bool:
    """Are the trees scored by time?"""
    return bool(options.pair or options.unit or options.times_unit) or has_word_times(options)


def has_word_times(options: argparse.Namespace) -> bool:
    """Are there files of word times? Other options about them are refused without."""
    if options.gold_times or options.test_times:
        return True
    for name, default in (*((flag.replace("-", "_"), None) for flag in WORD_TIMES_FLAGS), ("attach", "auto")):
        if getattr(options, name) != default:
            raise UsageError(f"--{name.replace('_', '-')} needs word times: --gold-times or --test-times")
    return False


def _score_timed(options: argparse.Namespace, shared: Mapping[str, str]) -> Report:
    """The report on trees that are scored by time."""
    from ..speech.scoring import evaluate_speech

    with watched("scoring") as progress:
        report = evaluate_speech(
            source(options.gold),
            source(options.test),
            gold_times=sources(options.gold_times),
            test_times=sources(options.test_times),
            pair=options.pair or "auto",
            unit=options.unit or "sentence",
            metrics=options.metric,
            options=shared,
            form=options.input_format,
            on_error="raise" if options.strict else "keep",
            progress=progress,
            **named(options, "times_format", "times_unit", "tier", "attach", "reconcile"),
            interpolate=bool(options.interpolate),
            **named(options, "layout", "functions", "encoding", "threads"),
        )
    return with_tolerance(report, options)


def with_tolerance(report: Report, options: argparse.Namespace) -> Report:
    """The report with the tolerance of --tolerance."""
    return report if options.tolerance is None else report.with_tolerance(options.tolerance)


def _are_documents(options: argparse.Namespace) -> bool:
    """Are there several files on each side, or word alignments in the output?"""
    if options.lists or options.word_errors or options.word_alignment:
        return True
    if options.input_format == "nxt" or not (os.path.isdir(options.gold) and os.path.isdir(options.test)):
        return False
    from ..readers.nxt import has_trees

    return not has_trees(options.gold)  # a folder of NXT-Switchboard is one treebank


def _check_no_documents(options: argparse.Namespace) -> None:
    """Refuse options of `DocumentFiles`, which does not use times."""
    for name in ("lists", "word_errors", "word_alignment"):
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} is for scores without word times: leave out the times")


def _check_no_conllu_flags(options: argparse.Namespace) -> None:
    """Refuse options of CoNLL-U."""
    for name in ("multiple_roots", "no_empty_nodes"):
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} is for CoNLL-U files")


def _run_documents(options: argparse.Namespace, names: tuple[str | None, str | None]) -> int:
    """Score several files on each side, or align their words."""
    from .documents import DocumentFiles

    check_no_reference(options, "several files on each side")
    files = DocumentFiles(options)
    if options.chunk:
        raise UsageError("--chunk: several files and word alignments need whole files")
    for path in (options.output, options.node_mappings, options.trees, options.word_alignment, *options.plot):
        keep_inputs(path, [*files.gold, *files.test])
    named = [registry.get(metric) for metric in files.metrics or ()]
    _check_able(options, named)
    shared = shared_options(options)

    def score() -> Report:
        metrics = named or None
        pairs = [
            paired(gold, read_trees(path, options, names[1], against=gold), metrics)
            for gold, path in (
                (read_trees(gold_path, options, names[0]), path)
                for gold_path, path in zip(files.gold, files.test, strict=True)
            )
        ]
        _check_no_completions(options, [pair.test for pair in pairs])
        with watched("scoring") as progress:
            report = files.score(pairs, shared, progress)
        if options.word_alignment:
            files.write_alignment()
        return report

    return show(options, score, lambda report: _gated(report, options), files.word_errors)


def _check_no_completions(options: argparse.Namespace, tests: Sequence[Treebank]) -> None:
    """Refuse completions in several files, whose rates could not be reported together."""
    if len(tests) > 1 and any(bank.completions is not None for bank in tests):
        raise UsageError(
            "completions of a language model are scored from one file: put those of all documents into one file of "
            "JSON lines, with ids"
        )
    check_completion_flags(options, tests)


def check_no_reference(options: argparse.Namespace, what: str) -> None:
    """Refuse more gold files where one is compared."""
    if getattr(options, "reference", None):
        raise UsageError(f"--reference: {what} can be compared with one gold file only")


def _check_able(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse metrics that do not support the requested output."""
    if options.node_mappings and metrics and not any(metric.maps_nodes for metric in metrics):
        advice = "add -m struct_iou, -m tree_distance or -m tedeval"
        raise UsageError(f"--node-mappings: {metrics[0].name} does not align nodes; {advice}")
    if options.explain and options.metric:
        from ..analysis.sentences import check_explained

        check_explained(metrics)


def _read_both(
    options: argparse.Namespace, names: Sequence[str | None], texts: Sequence[BlockedText | None] = (None, None)
) -> tuple[Treebank, Treebank]:
    """Gold and test, from opened texts or from their paths."""
    gold = read_gold_trees(options, names[0], texts[0])
    test = read_trees(options.test, options, names[1], texts[1], against=gold)
    check_completion_flags(options, [test])
    return gold, test


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
    """The scores of gates: without -m the headline, if no sentences were left out."""
    if options.metric:
        return report.pairs()
    check_equal_number(report.gold, report.test)
    return report.pairs()[:1]


def _scored(gold: Treebank, test: Treebank, options: argparse.Namespace, *, every_profile: bool = False) -> Report:
    metrics = options.metric or ([DEFAULT] if options.format == "evalb" else None)
    if every_profile:
        metrics = [signature_of(profile) for profile in PROFILES]
    with watched("scoring") as progress:
        pair = paired(gold, test, metrics)
        if options.alignment:
            from ..place.word_partners import read_alignment

            pair = with_alignment(pair, read_alignment(options.alignment), metrics, shared_options(options))
        if every_profile:
            metrics = [signature_of(profile) for profile in applicable(pair)[0]]
        arguments = {"reconcile": options.reconcile, "threads": options.threads, "progress": progress}
        report = score_pairs({"": pair}, metrics, shared_options(options), **arguments)[""]
    return with_tolerance(report, options)


def chosen_metrics(options: argparse.Namespace, default: Sequence[str] = (DEFAULT,)) -> list[Metric]:
    """The metrics of -m, else the default metrics, with their shared options."""
    return [registry.get(metric) for metric in configured(options.metric or default, shared_options(options))]


def shared_options(options: argparse.Namespace) -> dict[str, str]:
    """Options for every metric whose signature does not set them."""
    extra = {}
    if options.profile:
        extra["profile"] = options.profile
    if options.prm:
        from ..values.signature_text import quote

        extra["prm"] = quote(options.prm)
    if getattr(options, "disconly", False):
        for metric in map(registry.get, options.metric or ()):
            if not metric.has_option("only"):
                raise UsageError(f"--disconly is for brackets (parseval), not for {metric.name}")
        extra["only"] = "discontinuous"
    return extra


def read_gold_trees(options: argparse.Namespace, name: str | None = None, text: BlockedText | None = None) -> Treebank:
    """The gold trees, with those of --reference if the command has it."""
    references = getattr(options, "reference", None)
    form = "auto" if options.input_format == "completions" else None  # which only test trees can be
    gold = read_trees(options.gold, options, name, text, several=references is not None, form=form)
    if not references:
        return gold
    from ..place.references import with_references

    return with_references(gold, [read_trees(path, options) for path in references])


def completion_options(options: argparse.Namespace) -> dict[str, Any]:
    """How completions of a language model are read, for the options that are given."""
    given = {name: getattr(options, name, None) for name in COMPLETION_FLAGS}
    if options.layout == "block":
        given["layout"] = "block"
    return {name: value for name, value in given.items() if value is not None}


def check_completion_flags(options: argparse.Namespace, tests: Iterable[Treebank]) -> None:
    """Refuse options of completions for other test trees."""
    names = [*completion_options(options), *(["trees"] if getattr(options, "trees", None) else [])]
    if names and all(bank.completions is None for bank in tests):
        raise UsageError(
            f"--{names[0]} is for completions of a language model, and TEST has trees; if they are the lines of "
            "completions, add --input-format auto,completions"
        )


def read_trees(
    path: str,
    options: argparse.Namespace,
    name: str | None = None,
    text: BlockedText | None = None,
    *,
    against: Treebank | None = None,
    several: bool = False,
    form: str | None = None,
) -> Treebank:
    """The trees of a file or of opened text, at least one; with `several`, sentences may have several trees.

    Test trees are read `against` the gold trees: completions of a language model need their words.
    """
    on_error = "raise" if options.strict else "keep"
    with watched(f"reading {path}") as progress:
        bank = read(
            text or source(path),  # type: ignore[arg-type]
            form=form or PerSide.of(options.input_format, test=against is not None),
            layout="auto" if options.layout == "block" else options.layout,
            on_error=on_error,
            **named(options, "functions", "encoding"),
            name=name,
            progress=progress,
            gold=against,
            completions=None if against is None else completion_options(options),
        )
    if len(bank) == 0:
        raise InputError(Problem("empty", "there are no trees in it", file=bank.source.name))
    if bank.references and not several:
        message = "sentences have several trees in it, which only the gold file of a score can have"
        raise InputError(Problem("references", message, file=bank.source.name))
    return bank
