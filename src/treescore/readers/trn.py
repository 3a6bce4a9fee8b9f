"""trn: an utterance per line, its words followed by its id in parentheses.

>>> read_trn(b"the cat { uh / @ } sat (spk-1)\\n")[0].id
'spk-1'
"""

from __future__ import annotations

from ..helpers.text import decode
from ..words.transcript import MarkupError, Transcript, parse_words, split_words
from ..words.utterance import Utterance, Utterances
from .lines import Lines, first_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core


def is_trn(text: _core.Buffer) -> bool:
    """Does the first line end in an id in parentheses?"""
    line = first_record(text)
    return line.rstrip().endswith(b")") and b"(" in line


def read_trn(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read utterances; a line that cannot be read becomes a problem, or with `on_error="raise"` an error."""
    lines = Lines(data, name=name, on_error=on_error)
    utterances: list[Utterance] = []
    first: dict[str, int] = {}
    for line in lines.records():
        text = line.rstrip()
        start = text.rfind(b"(")
        names = text[start + 1 : -1].split() if start >= 0 and text.endswith(b")") else []
        if len(names) != 1:
            lines.fault("no-id", "this line does not end in the id of an utterance, such as (spk-1)", len(decode(text)))
            continue
        id = decode(names[0])
        if id in first:
            message = f"there is an utterance ({id}) already, in line {first[id]}; ids must differ"
            lines.fault("same-id", message, len(decode(text[:start])) + 1)
            continue
        words = split_words(text[:start])
        try:
            transcript = parse_words(words) if b"{" in text or b"}" in text or "@" in words else Transcript(words)
        except MarkupError as problem:
            lines.fault("alternatives", str(problem), lines.column(line, problem.place))
            continue
        first[id] = lines.number
        utterances.append(Utterance(transcript, id=id, speaker=speaker_of(id), line=lines.number))
    return Utterances(utterances, format="trn", name=name, problems=lines.problems)


def speaker_of(id: str) -> str:
    """The speaker named in an id: the part before the first hyphen or underscore.

    >>> speaker_of("ll-firenze_1"), speaker_of("1")
    ('ll', '1')
    """
    return id.replace("_", "-").partition("-")[0] or id
