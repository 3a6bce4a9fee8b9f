"""Align the words of HYP with the words of REF as sclite does, count errors, and write the alignment.

examples:
  treescore align words ref.trn hyp.trn                   counts, word error rate and errors in context
  treescore align words ref.stm hyp.ctm --optional        words in parentheses are optional
  treescore align words ref.ctm hyp.ctm --time            align by time
  treescore align words ref.trn hyp.trn --costs unit      all errors cost the same
  treescore align words ref.trn hyp.trn -f sparseval -o words.align
                                                          an alignment file for SParseval
  treescore align words sclite.sgml -f sparseval          the same from an alignment by sclite
"""

from __future__ import annotations

import argparse

from ..pairing.word_alignment import SCLITE_COSTS, TIES, UNIT_COSTS, Matching
from ..pairing.word_reports import WordReport, align_utterances
from ..readers.input_formats import ALIGNMENT_FORMATS, TRANSCRIPT_FORMATS
from ..readers.transcripts import read_transcripts, read_word_alignments
from ..render.word_alignments import summary
from . import errors
from .files import check_standard_input, opened, source, write
from .flags import add_flags, add_output_flags


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument(
        "ref", metavar="REF", help="trn, stm or ctm; or, without HYP, an alignment: sgml, pra, sparseval"
    )
    command.add_argument("hyp", metavar="HYP", nargs="?", help="trn for trn, ctm for stm or ctm")
    command.add_argument(
        "--ref-format",
        choices=ALIGNMENT_FORMATS | TRANSCRIPT_FORMATS,
        help="format of REF (default: detected)",
    )
    command.add_argument("--hyp-format", choices=TRANSCRIPT_FORMATS, help="format of HYP (default: detected)")
    add_output_flags(command, "WordReport", default="text")
    command.add_argument(
        "--costs",
        type=_costs,
        default=SCLITE_COSTS,
        metavar="I/D/S|unit",
        help="costs of insertion, deletion and substitution (default: 3/3/4, as in sclite)",
    )
    command.add_argument(
        "--tie",
        choices=TIES,
        default="sclite",
        help="choice among alignments of equal cost: place gaps early or late (default: sclite)",
    )
    command.add_argument("--time", action="store_true", help="align by times instead of words (ctm with ctm)")
    command.add_argument("--case-sensitive", action="store_true", help="distinguish upper and lower case")
    command.add_argument("--optional", action="store_true", help="words in parentheses are optional (sclite -D)")
    command.add_argument(
        "--fragments",
        action="store_true",
        help="a fragment such as ca- in REF matches words with this prefix (sclite -F)",
    )
    command.add_argument("--characters", action="store_true", help="align characters, not words (sclite -c)")
    add_flags(command, "strict")


def _costs(text: str) -> tuple[float, float, float]:
    if text == "unit":
        return UNIT_COSTS
    parts = text.split("/")
    try:
        insertion, deletion, substitution = map(float, parts)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not unit or of the form 3/3/4") from None
    return insertion, deletion, substitution


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    on_error = "raise" if options.strict else "keep"
    if options.hyp is None:
        report = read_word_alignments(source(options.ref), format=options.ref_format, on_error=on_error)
    else:
        report = _aligned(options, on_error)
    with opened(options.output, (options.ref, options.hyp)) as out:
        write([report.to(options.format)], out)
    if options.format != "text" and options.output not in (None, "-"):
        print("\n".join(summary(report.counts, len(report.alignments))))
    return errors.count_problems(report.problems, form=options.format, strict=options.strict)


def _aligned(options: argparse.Namespace, on_error: str) -> WordReport:
    check_standard_input((options.ref, options.hyp))
    matching = Matching(
        fold_case=not options.case_sensitive,
        optional=options.optional,
        fragments=options.fragments,
        characters=options.characters,
        costs=options.costs,
        tie=options.tie,
        by_time=options.time,
    )
    ref = read_transcripts(source(options.ref), format=options.ref_format, on_error=on_error)
    hyp = read_transcripts(source(options.hyp), format=options.hyp_format, on_error=on_error)
    return align_utterances(ref, hyp, matching)
