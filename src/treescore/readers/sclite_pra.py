"""sclite's pra output: three lines for each utterance, with aligned words in columns.

>>> text = b"id: (s-1)\\nScores: (#C #S #D #I) 1 1 0 1\\nREF:  a B *\\nHYP:  a C D\\nEval:   S I\\n"
>>> read_sclite_pra(text).alignments[0].ops
[('C', 0, 0), ('S', 1, 1), ('I', None, 2)]
"""

from __future__ import annotations

import re

from ..helpers.text import decode
from ..pairing.word_alignment import WordAlignment
from ..pairing.word_reports import WordReport
from ..words.transcript import Transcript, is_optional
from .lines import Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core
    from ..pairing.word_alignment import Op

_HEADS = (b"REF:", b"HYP:", b"Eval:")
_WORD = re.compile(r"[^ ]+")
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}

Row = tuple[str, str | None, str | None]


def is_pra(text: _core.Buffer) -> bool:
    """Is there a line of scores in sclite's format?"""
    return b"\nScores: (#C #S #D #I)" in b"\n" + bytes(text[:65536]).removeprefix(b"\xef\xbb\xbf")


def read_sclite_pra(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> WordReport:
    """Read all alignments; alignments that cannot be read are left out and added to `problems`.

    Errors are in capitals, and are read as lower case unless other capitals show that case was preserved.
    """
    lines = Lines(data, name=name, on_error=on_error)
    alignments: list[WordAlignment] = []
    id: str | None = None
    speaker: str | None = None
    scores: list[str] | None = None
    texts: list[bytes] = []
    rows: list[Row] = []

    def finish() -> None:
        nonlocal rows, scores
        if scores is not None:
            kinds = [row[0] for row in rows]
            if scores != [str(kinds.count(kind)) for kind in "CSDI"]:
                lines.fault("scores", "the words do not match the line Scores:", action="left out")
            else:
                alignments.append(_alignment(rows, id, speaker))
        rows, scores = [], None

    for line in lines.all():
        text = line.removeprefix(b">> ")
        head = next((head for head in _HEADS if text.startswith(head)), None)
        if line.startswith(b"id: ("):
            finish()
            id = decode(line[5:].strip().removesuffix(b")"))
        elif line.startswith((b"SPEAKER ", b"Speaker sentences")):
            finish()
            speaker = decode(line.split()[-1]) if line.startswith(b"SPEAKER ") else speaker
        elif line.startswith(b"Scores:"):
            scores = decode(line.rpartition(b")")[2]).split()
        elif head == b"REF:":
            texts = [text]
        elif head is not None and texts and scores is not None:
            texts.append(text)
            if head == b"Eval:":
                new = _rows(texts)
                if new is None:
                    lines.fault("columns", "the words of these three lines are not aligned in columns")
                    scores = None
                else:
                    rows += new
                texts = []
    finish()
    return WordReport(alignments, lines.problems, hyp=name)


def _rows(texts: list[bytes]) -> list[Row] | None:
    """The columns of three lines, measured in bytes, like sclite, or in characters; None if neither fits."""
    if [text.partition(b":")[0] + b":" for text in texts] != list(_HEADS):
        return None
    for encoding in ("latin-1", "utf-8"):
        rows = _columns([_starts(text.decode(encoding, "surrogateescape"), encoding) for text in texts])
        if rows is not None:
            return rows
    return None


def _starts(text: str, encoding: str) -> dict[int, str]:
    """The words of a line after the first, by the column in which they start."""
    words = list(_WORD.finditer(text))[1:]
    return {word.start(): decode(word[0].encode(encoding, "surrogateescape")) for word in words}


def _columns(lines: list[dict[int, str]]) -> list[Row] | None:
    refs, hyps, kinds = lines
    rows: list[Row] = []
    for column in sorted({*refs, *hyps}):
        kind, ref, hyp = kinds.pop(column, "C"), refs.get(column), hyps.get(column)
        if kind == "C":
            if (ref is None or hyp is None) and not is_optional(ref or hyp or ""):
                return None
            rows.append((kind, ref, hyp))
            continue
        if ref is None or hyp is None or kind not in ("S", "D", "I"):
            return None
        if kind != "S" and (hyp if kind == "D" else ref).strip("*"):
            return None
        rows.append((kind, None if kind == "I" else ref, None if kind == "D" else hyp))
    return None if kinds else rows


def _alignment(rows: list[Row], id: str | None, speaker: str | None) -> WordAlignment:
    folded = all(
        word is None or (word == word.translate(_LOWER) if kind == "C" else not any("a" <= c <= "z" for c in word))
        for kind, *pair in rows
        for word in pair
    )
    ref: list[str] = []
    hyp: list[str] = []
    ops: list[Op] = []
    for kind, *pair in rows:
        places: list[int | None] = []
        for word, words in zip(pair, (ref, hyp), strict=True):
            places.append(None if word is None else len(words))
            if word is not None:
                words.append(word.translate(_LOWER) if folded else word)
        ops.append((kind, places[0], places[1]))
    return WordAlignment(Transcript(ref), Transcript(hyp), ops, fold_case=folded, id=id, speaker=speaker)
