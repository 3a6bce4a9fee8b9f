"""Files of transcripts and of alignments: finds out which format they have.

>>> read_transcripts("a b (s-1)\\nc (s-2)\\n")
<Utterances: 2 utterances from <text>>
"""

from __future__ import annotations

from ..values.problem import InputError, Problem, UsageError
from .lines import seconds
from .sources import open_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..pairing.word_alignment import WordAlignment
    from ..words.utterance import Utterances
    from .sources import Readable

TRANSCRIPTS = ("trn", "ctm", "stm")
ALIGNMENTS = ("sgml", "pra", "sparseval")
FORMATS = (*TRANSCRIPTS, *ALIGNMENTS)


def read_transcripts(source: Readable, *, format: str | None = None, on_error: str = "raise") -> Utterances:
    """Read trn, ctm or stm from a path, `-` or a text with line breaks; the name or the content tells which."""
    data, name, format = _opened(source, format)
    if format == "trn":
        from .trn import read_trn as read
    elif format == "ctm":
        from .ctm import read_ctm as read
    elif format == "stm":
        from .stm import read_stm as read
    else:
        raise InputError(Problem("format", f"this is an alignment ({format}), not a transcript", file=name))
    return read(data, name=name, on_error=on_error)


def read_alignments(
    source: Readable, *, format: str | None = None, on_error: str = "raise"
) -> tuple[list[WordAlignment], list[Problem], str | None]:
    """Read alignments that another program made: sclite's sgml and pra, SParseval's rows. With problems and name."""
    data, name, format = _opened(source, format)
    problems: list[Problem] = []
    if format == "sparseval":
        from .sparseval_alignment import read_sparseval_alignment

        found = [read_sparseval_alignment(data, name=name, on_error=on_error, problems=problems)]
    elif format == "sgml":
        from .sclite_sgml import read_sclite_sgml

        found = read_sclite_sgml(data, name=name, on_error=on_error, problems=problems)
    elif format == "pra":
        from .sclite_pra import read_sclite_pra

        found = read_sclite_pra(data, name=name, on_error=on_error, problems=problems)
    else:
        message = f"this is a transcript ({format}), not an alignment; name the hypothesis, too"
        raise InputError(Problem("format", message, file=name))
    return found, problems, name


def _opened(source: Readable, format: str | None) -> tuple[bytes, str | None, str]:
    if format is not None and format not in FORMATS:
        raise UsageError(f"the format must be one of {', '.join(FORMATS)}, not {format!r}")
    opened = open_source(source, None)
    if opened is None:
        raise UsageError("transcripts are read from a path, from standard input, from an open file or from text")
    data, name = bytes(opened[0]), opened[1].name
    return data, name, format or _format(data, name)


def _format(data: bytes, name: str | None) -> str:
    """By the name, else by the first line that is not a comment."""
    suffix = (name or "").removesuffix(".gz").rpartition(".")[2].lower()
    if suffix in FORMATS:
        return suffix
    start = data[:65536].removeprefix(b"\xef\xbb\xbf")
    if b"<PATH" in start or b"<SYSTEM" in start:
        return "sgml"
    if b"\nScores: (#C #S #D #I)" in b"\n" + start:
        return "pra"
    for line in start.split(b"\n"):
        fields = line.split()
        if not fields or fields[0].startswith(b";;"):
            continue
        if len(fields) > 1 and _is_code(fields):
            return "sparseval"
        if fields[-1].endswith(b")") and b"(" in line:
            return "trn"
        timed = timed_lines(fields)
        if timed is not None:
            return timed
        break
    message = f"it cannot be told what format this is; name it (--format {'|'.join(FORMATS)})"
    raise InputError(Problem("format", message, file=name))


def timed_lines(fields: list[bytes]) -> str | None:
    """Are these the fields of a line of a ctm or of an stm?

    >>> timed_lines(b"f A 0.5 0.2 the".split()), timed_lines(b"f A spk 0.5 1.5 the cat".split())
    ('ctm', 'stm')
    """
    timed = [field == b"*" or seconds(field) is not None for field in fields[2:5]]
    if len(timed) == 3 and timed[1]:
        if timed[0] and (not timed[2] or (len(fields) < 7 and not fields[-1].startswith(b"<"))):
            return "ctm"
        if timed[2]:
            return "stm"
    return None


def _is_code(fields: list[bytes]) -> bool:
    from .sparseval_alignment import CODES

    codes = [field for field in fields[1:3] if field in CODES]
    return bool(codes) and (fields[-1] in CODES or any(field.startswith(b"//") for field in fields))
