"""Alignments of words as text: sclite's pra and sgml, SParseval's rows, JSON, tables.

>>> from treescore.words.alignment import align_words
>>> sgml_path(align_words("a b", "a c"))
'C,"a","a":S,"b","c"'
"""

from __future__ import annotations

from ..text import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..words.alignment import WordAlignment
    from ..words.transcript import Times

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
    return len(encode(text)) if in_bytes else len(text)


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
