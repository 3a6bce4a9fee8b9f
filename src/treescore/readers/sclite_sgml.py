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
    from collections.abc import Iterator

    from .. import _core
    from ..pairing.word_alignment import Op
    from ..words.transcript import Times

_ENTITIES = (("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
_ADVICE = 'a step is C,"word","word" or S,"word","word" or D,"word", or I,,"word"'

#: The sides that have a word in steps of each kind; a correct step has at least one.
_PRESENT = {"S": (True, True), "D": (True, False), "I": (False, True)}


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


def _alignment(text: str, path: dict[str, str], speaker: str | None) -> WordAlignment:
    words: tuple[list[str], list[str]] = ([], [])
    times: tuple[list[Times], list[Times]] = ([], [])
    ops: list[Op] = []
    timed = [False, False]
    for kind, pair, spans in _steps(text):
        places: list[int | None] = [None, None]
        for side, (word, span) in enumerate(zip(pair, spans, strict=True)):
            timed[side] |= span is not None
            if word is not None:
                places[side] = len(words[side])
                words[side].append(word)
                times[side].append(_span(span))
        ops.append((kind, places[0], places[1]))
    ref, hyp = (Transcript(words[side], times=times[side] if timed[side] else None) for side in range(2))
    id = path.get("id", "").removeprefix("(").removesuffix(")") or None
    # sclite converts words to lower case if it ignores case
    folded = all(word == word.lower() for side in words for word in side)
    return WordAlignment(ref, hyp, ops, fold_case=folded, id=id, speaker=speaker)


def _steps(text: str) -> Iterator[tuple[str, tuple[str | None, str | None], list[str | None]]]:
    """The kind of each step, and the word and the time of both sides, if there are any."""
    at = 0
    while at < len(text):
        kind, at = text[at : at + 1], at + 2
        if kind not in ("C", "S", "D", "I") or text[at - 1 : at] != ",":
            raise _Fault(at - 2)
        ref, at = _word(text, at)
        if text[at : at + 1] != ",":
            raise _Fault(at)
        hyp, at = _word(text, at + 1)
        end = at
        while end < len(text) and text[end] in ",+.0123456789":
            end += 1
        if end < len(text) and text[end] != ":":
            raise _Fault(end)
        fields: list[str | None] = [*text[at:end].split(",")[1:]]
        if kind == "C" and (ref or hyp):  # an omitted optional word is "" on the other side
            ref, hyp = ref or None, hyp or None
        present = ref is not None, hyp is not None
        if not any(present) or present != _PRESENT.get(kind, present):
            raise _Fault(end)
        # Two times belong to both sides, a single time to the hypothesis.
        yield kind, (ref, hyp), [None, *fields] if len(fields) == 1 else [*fields, None, None][:2]
        at = end + 1


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
