"""SParseval's alignment files: gold word, test word and a code of three digits in each row.

000 is a match, 001 a substitution, 010 an insertion (no gold word), 100 a deletion (no test word). This reader checks
the codes and allows comments, `// …`, after them; SParseval itself is less strict with codes and has no comments.

>>> read_alignment_file(b"a\\ta\\t000\\nb\\t\\t100 // lost\\n\\tc\\t010\\n").alignments[0].ops
[('C', 0, 0), ('D', 1, None), ('I', None, 1)]
"""

from __future__ import annotations

from ..helpers.text import decode
from ..pairing.word_alignment import WordAlignment
from ..pairing.word_reports import WordReport
from ..words.transcript import Transcript
from .lines import Lines, first_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core
    from ..pairing.word_alignment import Op

CODES = {b"000": "C", b"001": "S", b"010": "I", b"100": "D"}
_ADVICE = "a row is GOLD<tab>TEST<tab>000, GOLD<tab>TEST<tab>001, <tab>TEST<tab>010 or GOLD<tab><tab>100"


def is_alignment_file(text: _core.Buffer) -> bool:
    """Does the first line have a code?"""
    fields = first_record(text).split()
    is_coded = any(field in CODES for field in fields[1:3])
    return is_coded and (fields[-1] in CODES or any(field.startswith(b"//") for field in fields))


def read_alignment_file(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> WordReport:
    """Read an alignment; rows that cannot be read are left out and added to `problems`."""
    lines = Lines(data, name=name, on_error=on_error)
    ref: list[str] = []
    hyp: list[str] = []
    ops: list[Op] = []
    rows = lines.data.rstrip()
    end = rows.count(b"\n") + 1 if rows else 0  # blank lines after the last row are ignored
    for line in lines.all():
        if lines.number > end:
            break
        row = _row(line)
        if isinstance(row, str):
            lines.fault("row", f"{row}; {_ADVICE}")
            continue
        kind, gold, test = row
        ops.append((kind, None if gold is None else len(ref), None if test is None else len(hyp)))
        ref += [] if gold is None else [decode(gold)]
        hyp += [] if test is None else [decode(test)]
    alignment = WordAlignment(Transcript(ref), Transcript(hyp), ops, fold_case=False)
    return WordReport([alignment], lines.problems, hyp=name)


def _row(line: bytes) -> tuple[str, bytes | None, bytes | None] | str:
    """The kind and the words of a row, or an error message."""
    fields = line.split()
    if not fields:
        return "a row without words"
    if line[:1].isspace():  # no gold word
        gold, test, rest = None, fields[0], fields[1:]
    elif len(fields) > 1 and fields[1] == b"100" and (len(fields) == 2 or fields[2].startswith(b"//")):
        gold, test, rest = fields[0], None, fields[1:]
    else:
        gold, test, rest = fields[0], fields[1] if len(fields) > 1 else None, fields[2:]
    if not rest or rest[0] not in CODES:
        return "there is no code of three digits"
    if len(rest) > 1 and not rest[1].startswith(b"//"):
        return "there is text after the code; comments begin with //"
    kind = CODES[rest[0]]
    if (gold is None) != (kind == "I") or (test is None) != (kind == "D"):
        return f"the code {decode(rest[0])} does not fit these words"
    return kind, gold, test
