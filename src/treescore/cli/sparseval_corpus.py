"""`treescore sparseval-corpus`: parses of recognised speech against gold, from files to figures in one step."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from ..heads import NAMES
from ..helpers.text import visible
from ..helpers.text_files import read_text_file
from ..helpers.threads import count_threads
from ..metrics.sparseval import BAG, GAPS, GOVERNORS, UNITS, WORDS, Sparseval
from ..place.pair import Pair
from ..readers.brackets import LAYOUTS
from ..readers.prm import check_parameters
from ..render.word_alignments import sparseval_row
from ..scoring.batch import Batch, score_batch
from ..scoring.evaluation import read_pair
from ..scoring.tally import Tally
from ..values.counts import Counts
from ..values.problem import UsageError
from . import errors
from .files import add_format_option, check_standard_input, opened, source
from .results import complain_of_lost
from .sampling import add_interval_options, interval_options
from .score import positive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..metrics.sparseval_words import WordRow
    from ..scoring.report import Report
    from ..values.problem import Problem

_EPILOG = """\
examples:
  treescore sparseval-corpus --gold gold.mrg --test asr.mrg --unit side
                                           one side of a conversation; its sentences may be cut otherwise
  treescore sparseval-corpus --gold g/*.mrg --test t/*.mrg --unit side --per-unit
                                           many sides, a row for each
  treescore sparseval-corpus --gold gold.mrg --test asr.mrg --unit side --align words.align
                                           with an alignment of your own
  treescore sparseval-corpus --gold gold.mrg --test asr.mrg --align bag
                                           dependencies only, without any alignment
  treescore sparseval-corpus --list --gold gold.list --test asr.list --unit side --write-alignment used.align
                                           lists of files; and keep the alignment that was used

exit code: 0 fine, 1 problems with --strict, 2 unusable input"""


def parser() -> argparse.ArgumentParser:
    """The arguments of the command."""
    made = argparse.ArgumentParser(
        prog="treescore sparseval-corpus",
        description="Align the words of gold and test trees, and score brackets and head dependencies over them.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--gold", nargs="+", action="extend", required=True, metavar="FILE", help="gold trees")
    made.add_argument(
        "--test",
        nargs="+",
        action="extend",
        required=True,
        metavar="FILE",
        help="trees to score, a file for each of gold",
    )
    made.add_argument("--list", action="store_true", help="these are lists of files, one name a line")
    made.add_argument(
        "--unit",
        choices=("side", *UNITS),
        default="line",
        help="what is aligned and scored at a time: a tree, trees between blank lines, a file (default: line)",
    )
    made.add_argument(
        "--align",
        nargs="+",
        default=["auto"],
        metavar="auto|bag|FILE",
        help="align the words as sclite does, not at all, or as these files of SParseval's say (default: auto)",
    )
    made.add_argument("--heads", default="collins", metavar="NAME|FILE|none", help=f"head table: {', '.join(NAMES)}")
    made.add_argument("-p", "--prm", metavar="FILE", help="SParseval parameter file instead of the usual lists")
    made.add_argument("--unlabelled", action="store_true", help="ignore labels")
    made.add_argument("--gaps", choices=GAPS, default="left", help="whose are the words that one side alone has")
    made.add_argument("--governor", choices=GOVERNORS, default="word", help="how heads are compared (default: word)")
    made.add_argument("--original", action="store_true", help="counts as the original program has them")
    made.add_argument(
        "--words", type=int, default=10, metavar="N", help="show the N most frequent errors (default: 10)"
    )
    made.add_argument("--write-alignment", metavar="FILE", help="write the alignment that was used here")
    add_format_option(made, "Report")
    made.add_argument("--per-unit", action="store_true", help="add a row per unit")
    made.add_argument("-o", "--output", metavar="FILE", help="write the result here; - is standard output")
    made.add_argument("--layout", choices=LAYOUTS, default="auto", help="how trees stand in the files (default: auto)")
    made.add_argument(
        "--threads", type=positive, metavar="N", help="default: all cores; the result does not depend on it"
    )
    made.add_argument("--strict", action="store_true", help="stop at the first fault; exit with 1 on any problem")
    add_interval_options(made)
    return made


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = parser().parse_args(arguments)
    gold, test = _names(options.gold, options.list), _names(options.test, options.list)
    if len(gold) != len(test):
        raise UsageError(f"--gold names {len(gold):,} files and --test {len(test):,}; each needs its partner")
    if not gold:
        raise UsageError("there are no files in the lists")
    check_standard_input([*gold, *test, options.ci_units])
    alignments = _alignments(options, len(gold))
    if options.write_alignment and (options.original or BAG in alignments):
        raise UsageError("--write-alignment: words are not aligned with --original and with --align bag")
    sampled = interval_options(options)
    read = [*gold, *test, options.ci_units, options.prm]
    with opened(options.output, read) as out, opened(options.write_alignment or "-", read) as alignment_file:
        report, rows = _score(options, gold, test, alignments)
        if sampled is not None:
            report = report.with_intervals(**sampled, threads=options.threads)
        shown = report.to(options.format, per_sentence=options.per_unit)
        if options.format == "table" and rows and options.words > 0:
            shown += _word_errors(rows, options.words)
        out.write(shown.encode("utf-8", "surrogateescape"))
        out.flush()
        if options.write_alignment:
            text = "".join(sparseval_row(a, b, same) for a, b, same in rows)
            alignment_file.write(text.encode("utf-8", "surrogateescape"))
    if options.strict and report.problems:
        sys.stderr.write(f"treescore: --strict, and {report.problem_line()}\n")
        return errors.FAILED
    return errors.FAILED if complain_of_lost([report]) else errors.OK


def _names(given: Sequence[str], are_lists: bool) -> list[str]:
    if not are_lists:
        return list(given)
    names = []
    for listed in given:
        lines = Path(listed).read_text("utf-8", "surrogateescape").splitlines()
        names += [line.strip() for line in lines if line.strip()]
    return names


def _alignments(options: argparse.Namespace, pairs: int) -> list[str | bytes]:
    """How the words of each pair of files are aligned."""
    if options.align in (["auto"], [WORDS], [BAG]):
        return [BAG if options.align == [BAG] else WORDS] * pairs
    names = _names(options.align, options.list)
    if len(names) != pairs:
        raise UsageError(f"--align names {len(names):,} files, and there are {pairs:,} pairs of trees")
    return [Path(name).read_bytes() for name in names]


def _score(
    options: argparse.Namespace, gold: Sequence[str], test: Sequence[str], alignments: Sequence[str | bytes]
) -> tuple[Report, list[WordRow]]:
    prm = None
    if options.prm:
        prm = read_text_file(options.prm)
        check_parameters(prm, options.prm, "SParseval")

    def metric(align: str | bytes) -> Sparseval:
        return Sparseval(
            labels=not options.unlabelled,
            unit=options.unit,
            align=align,
            heads=options.heads,
            prm=prm,
            compat="original" if options.original else None,
            gaps=options.gaps,
            governor=options.governor,
        )

    parts: list[Counts] = []
    problems: list[Problem] = []
    pairs: list[Pair] = []
    rows: list[WordRow] = []
    for names, align in zip(zip(gold, test, strict=True), alignments, strict=True):
        on_error = "raise" if options.strict else "keep"
        made = metric(align)
        pair = read_pair(source(names[0]), source(names[1]), [made], layout=options.layout, on_error=on_error)
        batch = score_batch([made], pair, threads=count_threads(options.threads, len(pair)))
        parts.append(batch.counts[0])
        problems += batch.problems
        pairs.append(pair)
        wants_rows = options.write_alignment or (options.format == "table" and options.words > 0)
        if wants_rows and align != BAG and not options.original:
            rows += made.word_rows(pair)
    given = [align for align in alignments if isinstance(align, bytes)]
    whole = metric(b"".join(given) if given else alignments[0])
    joined = pairs[0]
    for more in pairs[1:]:
        joined = Pair(joined.gold + more.gold, joined.test + more.test)
    tally = Tally([whole], rows=True)
    tally.add(Batch([whole], joined, [Counts.concatenated(parts)], problems))
    return tally.report(joined.gold, joined.test), rows


def _word_errors(rows: Sequence[WordRow], most: int) -> str:
    """The most frequent errors of each kind."""
    kinds: dict[str, Counter[str]] = {"substituted": Counter(), "deleted": Counter(), "inserted": Counter()}
    for gold, test, same in rows:
        if gold is None:
            kinds["inserted"][visible(test or "")] += 1
        elif test is None:
            kinds["deleted"][visible(gold)] += 1
        elif not same:
            kinds["substituted"][f"{visible(gold)} → {visible(test)}"] += 1
    lines = []
    for kind, found in kinds.items():
        common = sorted(found.items(), key=lambda item: (-item[1], item[0]))[:most]
        listed = ", ".join(word if times == 1 else f"{word} ({times:,})" for word, times in common)
        more = f", and {len(found) - most:,} more" if len(found) > most else ""
        if common:
            lines.append(f"{kind}: {listed}{more}\n")
    return "\n" + "".join(lines) if lines else ""
