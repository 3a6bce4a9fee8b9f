"""Plain transcripts with names: a name, a tab, and the words, one utterance per line.

>>> [(it.id, it.transcript.words) for it in read_named_words(b"u1\\tso we go\\nu2\\tyes .\\n")]
[('u1', ('so', 'we', 'go')), ('u2', ('yes', '.'))]
"""

from __future__ import annotations

from ..helpers.text import decode
from ..words.transcript import Transcript, split_words
from ..words.utterance import Utterance, Utterances
from .lines import Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core


def is_named_words(data: _core.Buffer) -> bool:
    """Does the first line have a name, a tab and words, not a tree?

    >>> is_named_words(b"u1\\tso we go\\n"), is_named_words(b"u1\\t(S (NN a))\\n"), is_named_words(b"(S\\t(NN a))")
    (True, False, False)
    """
    start = bytes(data[:65536]).removeprefix(b"\xef\xbb\xbf")
    for line in start.split(b"\n"):
        name, tab, words = line.partition(b"\t")
        words = words.strip()
        if words or (not tab and name.strip()):
            return bool(tab and name.strip()) and not words.startswith((b"(", b"[", b"{")) and name[:1] not in b"(<#"
    return False


def read_named_words(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read `NAME<tab>words`; a line without a name is a problem."""
    lines = Lines(data, name=name, on_error=on_error)
    utterances = []
    for line in lines.records():
        id, tab, words = line.partition(b"\t")
        if not tab or not id.strip():
            lines.fault("line", "there is no name; write the name of the recording, a tab, and the words")
            continue
        transcript = Transcript(split_words(words))
        utterances.append(Utterance(transcript, id=decode(id.strip()), line=lines.number))
    return Utterances(utterances, format="words", name=name, problems=lines.problems)
