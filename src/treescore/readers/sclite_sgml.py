"""sclite's sgml output: a path of steps for each utterance.

>>> (alignment,) = read_sclite_sgml(b'<PATH id="(s-1)">\\nC,"a:b","a:b":D,"c",\\n</PATH>').alignments
>>> alignment.id, alignment.ref.words, alignment.hyp.words
('s-1', ('a:b', 'c'), ('a:b',))
"""

from __future__ import annotations

from ..helpers.text import decode
from ..pairing.word_alignment import WordAlignment
from ..pairing.word_reports import WordReport
from ..words.transcript import Transcript
from .lines import Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core
    from ..pairing.word_alignment import Op
    from ..words.transcript import Times

_ENTITIES = (("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
_ADVICE = 'a step is C,"word","word" or S,"word","word" or D,"word", or I,,"word"'


class _Fault(ValueError):
    """A path that cannot be read after this place."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self.place = place


def is_sgml(text: _core.Buffer) -> bool:
    """Is there an element of sclite?"""
    start = bytes(text[:65536])
    return b"<PATH" in start or b"<SYSTEM" in start


def read_sclite_sgml(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> WordReport:
    """Read all paths; paths that cannot be read are left out and added to `problems`."""
    lines = Lines(data, name=name, on_error=on_error)
    alignments: list[WordAlignment] = []
    speaker: str | None = None
    path: dict[str, str] | None = None
    steps: list[str] = []
    first_line = 0
    for raw in lines.all():
        line = decode(raw).strip()
        if line.startswith("<SPEAKER "):
            speaker = _attributes(line).get("id")
        elif line.startswith("<PATH"):
            path, steps, first_line = _attributes(line), [], lines.number
        elif line.startswith("</PATH>"):
            if path is None:
                lines.fault("path", "this ends no path", action="left out")
                continue
            try:
                alignments.append(_alignment("".join(steps), path, speaker))
            except _Fault as problem:
                lines.fault("path", f"this is not a step of a path; {_ADVICE}", problem.place + 1, line=first_line + 1)
            path = None
        elif path is not None and line:
            steps.append(line)
    if path is not None:
        lines.fault("path", "this path is never ended by </PATH>", line=first_line)
    return WordReport(alignments, lines.problems, hyp=name)


def _attributes(line: str) -> dict[str, str]:
    """The attributes of a tag, NAME="VALUE"."""
    attributes: dict[str, str] = {}
    at = line.find(" ")
    while at >= 0:
        equals = line.find('="', at)
        end = line.find('"', equals + 2) if equals >= 0 else -1
        if end < 0:
            break
        value = line[equals + 2 : end]
        for entity, character in _ENTITIES:
            value = value.replace(entity, character)
        attributes[line[at:equals].strip()] = value
        at = end + 1
    return attributes


def _alignment(steps: str, path: dict[str, str], speaker: str | None) -> WordAlignment:
    words: tuple[list[str], list[str]] = ([], [])
    times: tuple[list[Times], list[Times]] = ([], [])
    ops: list[Op] = []
    timed = [False, False]
    at = 0
    while at < len(steps):
        kind, at = steps[at : at + 1], at + 2
        if kind not in ("C", "S", "D", "I") or steps[at - 1 : at] != ",":
            raise _Fault(at - 2)
        ref, at = _word(steps, at)
        if steps[at : at + 1] != ",":
            raise _Fault(at)
        hyp, at = _word(steps, at + 1)
        end = at
        while end < len(steps) and steps[end] in ",+.0123456789":
            end += 1
        if end < len(steps) and steps[end] != ":":
            raise _Fault(end)
        fields = steps[at:end].split(",")[1:]
        at = end + 1
        if kind == "C" and (ref or hyp):  # an omitted optional word is "" on the other side
            ref, hyp = ref or None, hyp or None
        if (ref is None) == (hyp is None) if kind in "DI" else ref is None and hyp is None:
            raise _Fault(at - 1)
        if (kind == "D" and ref is None) or (kind == "I" and hyp is None) or (kind == "S" and None in (ref, hyp)):
            raise _Fault(at - 1)
        # Two times belong to both sides, a single time to the hypothesis.
        spans = [None, *fields] if len(fields) == 1 else [*fields, None, None][:2]
        places: list[int | None] = [None, None]
        for side, word in enumerate((ref, hyp)):
            timed[side] |= spans[side] is not None
            if word is not None:
                places[side] = len(words[side])
                words[side].append(word)
                times[side].append(_span(spans[side]))
        ops.append((kind, places[0], places[1]))
    transcripts = [Transcript(words[side], times=times[side] if timed[side] else None) for side in range(2)]
    id = path.get("id", "").removeprefix("(").removesuffix(")") or None
    folded = all(
        word == word.lower() for side in words for word in side
    )  # sclite converts words to lower case if it ignores case
    return WordAlignment(transcripts[0], transcripts[1], ops, fold_case=folded, id=id, speaker=speaker)


def _word(steps: str, at: int) -> tuple[str | None, int]:
    """The word in quotes at this place, if any, and its end. The word may contain colons and quotes."""
    if steps[at : at + 1] != '"':
        return None, at
    end = at
    while True:
        end = steps.find('"', end + 1)
        if end < 0:
            raise _Fault(at)
        if steps[end + 1 : end + 2] in ("", ",") or (steps[end + 1] == ":" and steps[end + 3 : end + 4] == ","):
            return steps[at + 1 : end], end + 1


def _span(text: str | None) -> Times:
    begin, plus, end = (text or "").partition("+")
    try:
        return (float(begin), float(end)) if plus else None
    except ValueError:
        return None
