"""NXT-Switchboard's terminals: words with their times, punctuation, traces and silences, in the order of the file.

>>> text = b'<nite:root xmlns:nite="n"><word nite:id="s1" nite:start="0.1" nite:end="n/a" orth="so" pos="UH"/>'
>>> terminals, problems = read_terminals(text + b'<punc nite:id="s2">.</punc></nite:root>')
>>> [(it.id, it.kind, it.orth, it.pos, it.start, it.end) for it in terminals]
[('s1', 'word', 'so', 'UH', 0.1, None), ('s2', 'punc', '.', None, None, None)]
"""

from __future__ import annotations

from ..helpers.files import stem
from ..helpers.text import visible
from ..trees import Source
from ..values.problem import InputError, Problem
from ..values.value import Value
from ..words.utterance import Utterances
from .lines import Faults, number
from .timed_words import TimedWords
from .xml_stream import TO_UTF8, Handler, parse_xml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import _core
    from ..words.transcript import Times

#: Kinds of terminals.
KINDS = WORD, PUNCTUATION, TRACE, SILENCE = "word", "punc", "trace", "sil"


class Terminal(Value):
    """A terminal; `orth` is its spelling, `start` and `end` are None if the file has no numbers for them."""

    id: str | None
    kind: str
    orth: str
    pos: str | None
    start: float | None
    end: float | None
    line: int

    @property
    def time(self) -> Times:
        """Start and end; None unless both are known."""
        return None if self.start is None or self.end is None else (self.start, self.end)

    def __repr__(self) -> str:
        return f"<Terminal {self.kind} {self.orth!r}>"


def read_terminals(
    data: _core.Buffer,
    *,
    name: str | None = None,
    encoding: str | None = None,
    advice: str = TO_UTF8,
    on_error: str = "raise",
) -> tuple[list[Terminal], list[Problem]]:
    """Read all terminals. A repeated id is a problem, and the second terminal is kept without an id.

    An `encoding` replaces the declared one; `advice` is the advice for an unknown encoding.
    """
    faults = Faults(name=name, on_error=on_error)
    handler = _Terminals(faults)
    parse_xml(data, Source(name or "<text>"), handler, encoding=encoding, advice=advice)
    if not handler.terminals:
        message = f"this is XML, but there are no terminals of NXT ({', '.join(KINDS)}) in it"
        raise InputError(Problem("format", message, file=name))
    return handler.terminals, faults.problems


class _Terminals(Handler):
    def __init__(self, faults: Faults) -> None:
        super().__init__()
        self.terminals: list[Terminal] = []
        self._faults = faults
        self._open: list[str] | None = None  # the text inside the current terminal
        self._ids: set[str] = set()

    def startElement(self, name: str, attributes: Any) -> None:
        kind = local_name(name)
        if kind not in KINDS:
            return
        line = self.line
        id = attribute(attributes, "id")
        if id in self._ids:
            message = f"there are two terminals {visible(id or '')!r}; ids must differ"
            self._faults.fault("same-id", message, line=line, action="this one is kept without an id")
            id = None
        elif id is not None:
            self._ids.add(id)
        start, end = (number(attribute(attributes, which) or "") for which in ("start", "end"))
        orth = attributes.get("orth", "")
        self.terminals.append(Terminal(id, kind, orth, attributes.get("pos"), start, end, line))
        self._open = []

    def characters(self, content: str) -> None:
        if self._open is not None:
            self._open.append(content)

    def endElement(self, name: str) -> None:
        if self._open is not None and local_name(name) in KINDS:
            last = self.terminals[-1]
            if not last.orth:
                self.terminals[-1] = last.replace(orth="".join(self._open).strip())
            self._open = None


def local_name(name: str) -> str:
    """The name of an element without its prefix."""
    return name.rpartition(":")[2]


def attribute(attributes: Any, name: str) -> str | None:
    """An attribute of NITE, with or without its prefix."""
    value: str | None = attributes.get(f"nite:{name}")
    return attributes.get(name) if value is None else value


def read_nxt_words(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read the words of a file of terminals, one side of a conversation, as one utterance."""
    terminals, problems = read_terminals(data, name=name, on_error=on_error)
    words = TimedWords()
    for terminal in terminals:
        if terminal.kind == WORD and terminal.orth:
            words.add(terminal.orth, terminal.time, terminal.line)
    id = stem(name)
    id = None if id is None else id.removesuffix(".terminals")
    file, dot, channel = (id or "").rpartition(".")  # sw2005.A
    utterance = words.utterance(id=id, file=file if dot else None, channel=channel if dot else None)
    return Utterances([utterance], format="nxt", name=name, problems=problems)
