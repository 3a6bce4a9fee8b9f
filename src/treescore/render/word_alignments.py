"""Alignments of words as text: sclite's pra and sgml, SParseval's rows, JSON, a table.

>>> from treescore.pairing.word_alignment import align_words
>>> sgml_path(align_words("a b", "a c"))
'C,"a","a":S,"b","c"'
"""

from __future__ import annotations

from ..helpers.text import encode, number_of, visible, width
from ..pairing.word_alignment import WordAlignment
from ..values.problem import UsageError
from ..words.transcript import is_optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from ..pairing.aligned_files import WordReport
    from ..pairing.word_alignment import WordCounts
    from ..words.transcript import Times

_MOST_PROBLEMS = 10
_CAPITALS = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}  # sclite leaves other letters as they are


def pra_lines(alignment: WordAlignment, *, in_bytes: bool = False) -> list[str]:
    """The three lines with which sclite shows an alignment: errors in capitals, gaps as asterisks.

    sclite measures words in bytes; `in_bytes` does that, too.
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
    """The steps as sclite's sgml has them."""
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


def render(report: WordReport | WordAlignment, form: str) -> str:
    """All alignments of a report in one of the WORD_FORMATS; a single one as sclite prints it (pra)."""
    if isinstance(report, WordAlignment):
        return "\n".join(pra_lines(report))
    if form not in WORD_FORMATS:
        raise UsageError(f"the format must be one of {', '.join(WORD_FORMATS)}, not {form!r}")
    return WORD_FORMATS[form](report)


def as_text(report: WordReport) -> str:
    """Counts and word error rate, alignments with errors, and problems."""
    lines = [f"{visible(report.hyp or 'alignment')} against {visible(report.ref or 'reference')}", ""]
    for alignment in report.alignments:
        if alignment.counts.errors:
            lines += [f"({visible(alignment.id)})"] if alignment.id else []
            lines += [*map(visible, pra_lines(alignment)), ""]
    lines += summary(report.counts, len(report.alignments))
    if report.problems:
        lines.append(report.problem_line())
        lines += [f"  {visible(str(problem))}" for problem in report.problems[:_MOST_PROBLEMS]]
        if len(report.problems) > _MOST_PROBLEMS:
            lines.append(f"  … and {len(report.problems) - _MOST_PROBLEMS:,} more (all of them: --to json)")
    return "\n".join(lines) + "\n"


def summary(counts: WordCounts, utterances: int) -> list[str]:
    """The figures in a few lines."""
    rate = "–" if counts.wer is None else f"{100 * counts.wer:.2f}"
    names = ("correct", "substituted", "deleted", "inserted")
    parts = ", ".join(f"{count:,} {name}" for count, name in zip(counts.parts, names, strict=True))
    return [
        f"Word error rate {rate}  ({number_of(counts.errors, 'error')}, {number_of(counts.ref_words, 'word')})",
        f"{number_of(utterances, 'utterance')}: {parts}",
    ]


def as_pra(report: WordReport) -> str:
    """As sclite -o pra writes alignments."""
    lines: list[str] = []
    for alignment in report.alignments:
        counts = " ".join(map(str, alignment.counts.parts))
        lines += [f"id: ({alignment.id or ''})", f"Scores: (#C #S #D #I) {counts}"]
        lines += [*pra_lines(alignment, in_bytes=True), ""]
    return "".join(line + "\n" for line in lines)


def as_sgml(report: WordReport) -> str:
    """As sclite -o sgml writes alignments, speaker by speaker."""
    by_speaker: dict[str, list[WordAlignment]] = {}
    for alignment in report.alignments:
        by_speaker.setdefault(alignment.speaker or "", []).append(alignment)
    names = _tag("SYSTEM", title=report.hyp or "", ref_fname=report.ref or "", hyp_fname=report.hyp or "")
    lines = [names]
    for speaker, alignments in by_speaker.items():
        lines.append(_tag("SPEAKER", id=speaker))
        for number, alignment in enumerate(alignments):
            count = str(len(alignment.ops))
            lines.append(_tag("PATH", id=f"({alignment.id or ''})", word_cnt=count, sequence=str(number)))
            lines += [sgml_path(alignment), "</PATH>"]
        lines.append("</SPEAKER>")
    return "\n".join([*lines, "</SYSTEM>"]) + "\n"


def _tag(tag: str, **attributes: str) -> str:
    written = []
    for name, value in attributes.items():
        for meant, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
            value = value.replace(meant, entity)
        written.append(f' {name}="{visible(value)}"')
    return f"<{tag}{''.join(written)}>"


def as_sparseval(report: WordReport) -> str:
    """SParseval's alignment file: rows of gold word, test word and code; all utterances are one unit there."""
    return "".join(sparseval_rows(report.alignments))


def sparseval_row(ref: str | None, hyp: str | None, same: bool) -> str:
    """A row of SParseval's alignment file.

    >>> sparseval_row("a", None, False)
    'a\\t\\t100\\n'
    """
    code = "010" if ref is None else "100" if hyp is None else "000" if same else "001"
    return f"{ref or ''}\t{hyp or ''}\t{code}\n"


def sparseval_rows(alignments: Iterable[WordAlignment]) -> Iterable[str]:
    """The rows of SParseval's alignment file. An optional word that was left out is a deletion or an insertion.

    >>> from treescore.pairing.word_alignment import align_words
    >>> list(sparseval_rows([align_words("a b c", "a x")]))
    ['a\\ta\\t000\\n', 'b\\t\\t100\\n', 'c\\tx\\t001\\n']
    """
    for alignment in alignments:
        for kind, *words, _, _ in alignment.rows():
            ref, hyp = (word[1:-1] if isinstance(word, str) and is_optional(word) else word for word in words)
            yield sparseval_row(ref, hyp, kind == "C")


def as_tsv(report: WordReport) -> str:
    """A row per step, with a header; times in seconds."""
    lines = ["id\top\tref\thyp\tref_begin\tref_end\thyp_begin\thyp_end\n"]
    for alignment in report.alignments:
        for kind, ref, hyp, ref_times, hyp_times in alignment.rows():
            times = [f"{time:g}" for pair in (ref_times, hyp_times) for time in pair or ()]
            if ref_times is None:
                times[:0] = ["", ""]
            if hyp_times is None:
                times += ["", ""]
            lines.append("\t".join([alignment.id or "", kind, ref or "", hyp or "", *times]) + "\n")
    return "".join(lines)


def as_json(report: WordReport) -> str:
    """Everything in one object, with a line for each utterance."""
    import json

    from .._version import __version__

    parts = {
        "treescore": __version__,
        "ref": report.ref,
        "hyp": report.hyp,
        "wer": report.counts.wer,
        "counts": report.counts.values(),
        "problems": {
            "count": len(report.problems),
            "by_code": report.problem_counts(),
            "list": [problem.values() for problem in report.problems],
        },
    }
    lines = [f"  {json.dumps(name)}: {json.dumps(part)}" for name, part in parts.items()]
    utterances = ",\n".join(f"    {json.dumps(_utterance(alignment))}" for alignment in report.alignments)
    return "{\n" + ",\n".join([*lines, f'  "utterances": [\n{utterances}\n  ]']) + "\n}\n"


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


#: What `treescore align words --to` takes.
WORD_FORMATS: dict[str, Callable[[WordReport], str]] = {
    "text": as_text,
    "pra": as_pra,
    "sgml": as_sgml,
    "sparseval": as_sparseval,
    "tsv": as_tsv,
    "json": as_json,
}
