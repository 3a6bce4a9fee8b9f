"""Views of alignments of words: sclite's pra and sgml, and SParseval's rows, among others.

>>> from treescore.pairing.word_alignment import align_words
>>> sgml_path(align_words("a b", "a c"))
'C,"a","a":S,"b","c"'
"""

from __future__ import annotations

from .._version import __version__
from ..helpers.problem_lines import listed, problem_values
from ..helpers.text import encode, number_of, visible, width
from ..pairing.word_alignment import WordAlignment
from ..values.value import Value
from ..words.transcript import is_optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from ..pairing.word_alignment import WordCounts
    from ..pairing.word_reports import WordReport
    from ..words.transcript import Times

_CAPITALS = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}  # sclite does not change other letters


def pra_lines(alignment: WordAlignment, *, in_bytes: bool = False) -> list[str]:
    """An alignment in three lines like sclite's: errors in capitals, gaps as asterisks.

    With `in_bytes`, widths are measured in bytes, as sclite does.
    """
    columns: list[list[str]] = []
    fold = alignment.fold_case
    for kind, ref, hyp, _, _ in alignment.rows():
        shown = [word if not fold or word is None else word.lower() for word in (ref, hyp)]
        if kind != "C" and fold:
            shown = [None if word is None else word.translate(_CAPITALS) for word in shown]
        widths = [_width(word, in_bytes) for word in shown if word is not None]
        gap = "" if kind == "C" else "*" * max(widths)
        cells = [*(gap if word is None else word for word in shown), "" if kind == "C" else kind]
        columns.append([cell + " " * (max(widths) - _width(cell, in_bytes)) for cell in cells])
    lines = zip(("REF: ", "HYP: ", "Eval:"), *columns, strict=True)
    return [" ".join(line).rstrip() for line in lines]


def _width(text: str, in_bytes: bool) -> int:
    return len(encode(text)) if in_bytes else width(text)


def sgml_path(alignment: WordAlignment) -> str:
    """The steps in the format of sclite's sgml."""
    ref_timed, hyp_timed = alignment.ref.times is not None, alignment.hyp.times is not None
    items = []
    for kind, ref, hyp, ref_times, hyp_times in alignment.rows():
        words = []
        for word in (ref, hyp):
            gap = '""' if kind == "C" else ""
            words.append(gap if word is None else f'"{word.lower() if alignment.fold_case else word}"')
        times = [_times(ref_times)] * ref_timed + [_times(hyp_times)] * hyp_timed
        items.append(",".join([kind, *words, *times]))
    return ":".join(items)


def _times(times: Times) -> str:
    return "" if times is None else f"{times[0]:.3f}+{times[1]:.3f}"


class WordAlignmentView(Value):
    """The contents of a single alignment."""

    alignment: WordAlignment

    def pra(self) -> list[str]:
        """The alignment in three lines like sclite's."""
        return ["\n".join(pra_lines(self.alignment))]


class WordReportView(Value):
    """The contents of the alignments of all utterances."""

    report: WordReport

    def text(self) -> Iterator[str]:
        """Alignments with errors, counts and word error rate, and problems."""
        report = self.report
        yield f"{visible(report.hyp or 'alignment')} against {visible(report.ref or 'reference')}\n\n"
        for alignment in report.alignments:
            if alignment.counts.errors:
                title = [f"({visible(alignment.id)})"] if alignment.id else []
                yield "".join(f"{line}\n" for line in [*title, *map(visible, pra_lines(alignment)), ""])
        yield "".join(f"{line}\n" for line in summary(report.counts, len(report.alignments)))
        yield from listed(report.problems, report.problem_counts())

    def pra(self) -> Iterator[str]:
        """The alignments in the format of sclite -o pra."""
        for alignment in self.report.alignments:
            counts = " ".join(map(str, alignment.counts.parts))
            head = [f"id: ({alignment.id or ''})", f"Scores: (#C #S #D #I) {counts}"]
            yield "".join(f"{line}\n" for line in [*head, *pra_lines(alignment, in_bytes=True), ""])

    def sgml(self) -> Iterator[str]:
        """The alignments in the format of sclite -o sgml, speaker by speaker."""
        report = self.report
        by_speaker: dict[str, list[WordAlignment]] = {}
        for alignment in report.alignments:
            by_speaker.setdefault(alignment.speaker or "", []).append(alignment)
        yield _tag("SYSTEM", title=report.hyp or "", ref_fname=report.ref or "", hyp_fname=report.hyp or "")
        for speaker, alignments in by_speaker.items():
            yield _tag("SPEAKER", id=speaker)
            for number, alignment in enumerate(alignments):
                count = str(len(alignment.ops))
                yield _tag("PATH", id=f"({alignment.id or ''})", word_cnt=count, sequence=str(number))
                yield f"{sgml_path(alignment)}\n</PATH>\n"
            yield "</SPEAKER>\n"
        yield "</SYSTEM>\n"

    def sparseval(self) -> Iterator[str]:
        """SParseval's alignment file, in which all utterances are one unit."""
        return sparseval_rows(self.report.alignments)

    def rows(self) -> Iterator[list[str]]:
        """A row per step; times in seconds."""
        yield ["id", "op", "ref", "hyp", "ref_begin", "ref_end", "hyp_begin", "hyp_end"]
        for alignment in self.report.alignments:
            for kind, ref, hyp, *times in alignment.rows():
                limits = [f"{time:g}" if pair else "" for pair in times for time in pair or ("", "")]
                yield [alignment.id or "", kind, ref or "", hyp or "", *limits]

    def data(self) -> Iterator[tuple[str, object]]:
        """Everything, utterance by utterance."""
        report = self.report
        yield "treescore", __version__
        yield from (("ref", report.ref), ("hyp", report.hyp))
        yield from (("wer", report.counts.wer), ("counts", report.counts.values()))
        yield "problems", problem_values(report.problems, report.problem_counts())
        yield "utterances", map(_utterance, report.alignments)


def summary(counts: WordCounts, utterances: int) -> list[str]:
    """The figures in a few lines."""
    rate = "–" if counts.wer is None else f"{100 * counts.wer:.2f}"
    names = ("correct", "substituted", "deleted", "inserted")
    parts = ", ".join(f"{count:,} {name}" for count, name in zip(counts.parts, names, strict=True))
    return [
        f"Word error rate {rate}  ({number_of(counts.errors, 'error')}, {number_of(counts.ref_words, 'word')})",
        f"{number_of(utterances, 'utterance')}: {parts}",
    ]


def _tag(tag: str, **attributes: str) -> str:
    written = []
    for name, value in attributes.items():
        for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
            value = value.replace(character, entity)
        written.append(f' {name}="{visible(value)}"')
    return f"<{tag}{''.join(written)}>\n"


def sparseval_row(ref: str | None, hyp: str | None, same: bool) -> str:
    """A row of SParseval's alignment file.

    >>> sparseval_row("a", None, False)
    'a\\t\\t100\\n'
    """
    code = "010" if ref is None else "100" if hyp is None else "000" if same else "001"
    return f"{ref or ''}\t{hyp or ''}\t{code}\n"


def sparseval_rows(alignments: Iterable[WordAlignment]) -> Iterator[str]:
    """The rows of SParseval's alignment file. Omitted optional words are deletions or insertions.

    >>> from treescore.pairing.word_alignment import align_words
    >>> list(sparseval_rows([align_words("a b c", "a x")]))
    ['a\\ta\\t000\\n', 'b\\t\\t100\\n', 'c\\tx\\t001\\n']
    """
    for alignment in alignments:
        for kind, *words, _, _ in alignment.rows():
            ref, hyp = (word[1:-1] if isinstance(word, str) and is_optional(word) else word for word in words)
            yield sparseval_row(ref, hyp, kind == "C")


def _utterance(alignment: WordAlignment) -> dict[str, Any]:
    return {
        "id": alignment.id,
        "speaker": alignment.speaker,
        "wer": alignment.wer,
        "counts": alignment.counts.values(),
        "cost": alignment.cost,
        "ref": alignment.ref.words,
        "hyp": alignment.hyp.words,
        "ops": alignment.ops,
    }
