"""Files of transcripts and of alignments, whose format is detected.

>>> read_transcripts("a b (s-1)\\nc (s-2)\\n")
<Utterances: 2 utterances from <text>>
"""

from __future__ import annotations

from ..values.problem import InputError, Problem, UsageError, check_choice
from .input_formats import ALIGNMENT_FORMATS, TRANSCRIPT_FORMATS, detected, named_formats
from .sources import open_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..pairing.word_reports import WordReport
    from ..words.utterance import Utterances
    from .sources import Readable

_FORMATS = ALIGNMENT_FORMATS | TRANSCRIPT_FORMATS


def read_transcripts(source: Readable, *, format: str | None = None, on_error: str = "raise") -> Utterances:
    """Read trn, ctm or stm from a path, `-` or a text; the format is detected from the name or the content."""
    data, name, format = _opened(source, format)
    if format not in TRANSCRIPT_FORMATS:
        raise InputError(Problem("format", f"this is an alignment ({format}), not a transcript", file=name))
    utterances: Utterances = TRANSCRIPT_FORMATS[format].read(data, name=name, on_error=on_error, options={})
    return utterances


def read_word_alignments(source: Readable, *, format: str | None = None, on_error: str = "raise") -> WordReport:
    """Read alignments of other programs: sclite's sgml and pra, SParseval's rows."""
    data, name, format = _opened(source, format)
    if format not in ALIGNMENT_FORMATS:
        message = f"this is a transcript ({format}), not an alignment; name the hypothesis, too"
        raise InputError(Problem("format", message, file=name))
    report: WordReport = ALIGNMENT_FORMATS[format].read(data, name=name, on_error=on_error, options={})
    return report


def _opened(source: Readable, format: str | None) -> tuple[bytes, str | None, str]:
    if format is not None:
        check_choice(format, "the format", _FORMATS)
    opened = open_source(source, None)
    if opened is None:
        raise UsageError("transcripts are read from a path, from standard input, from an open file or from text")
    data, name = bytes(opened[0]), opened[1].name
    format = format or next(iter(named_formats(_FORMATS, name)), None) or detected(_FORMATS, data)
    if format is None:
        message = f"the format of this file is unknown; name it (--ref-format {'|'.join(_FORMATS)})"
        raise InputError(Problem("format", message, file=name))
    return data, name, format
