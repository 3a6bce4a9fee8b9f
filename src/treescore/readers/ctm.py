"""ctm: a word per line with file, channel, begin and duration in seconds, and perhaps a confidence.

>>> read_ctm(b"f A 0.0 0.5 the\\nf A 0.5 0.25 cat 0.9\\n")[0].transcript.times
((0.0, 0.5), (0.5, 0.75))
"""

from __future__ import annotations

from itertools import pairwise

from ..text import decode, visible
from ..words.transcript import NULL, Alternatives, MarkupError, joined
from ..words.utterance import Utterance, Utterances
from .lines import Lines, seconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core
    from ..words.transcript import Transcript

_MARKS = {b"<ALT_BEGIN>": Alternatives.begin, b"<ALT>": Alternatives.between, b"<ALT_END>": Alternatives.end}


def read_ctm(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read words; all words of a file and channel are one utterance, in the order of time."""
    lines = Lines(data, name=name, on_error=on_error)
    streams: dict[tuple[bytes, bytes], tuple[Alternatives, int]] = {}
    for line in lines.records():
        fields = line.split()
        if len(fields) < 5:
            lines.fault("fields", "a line has file, channel, begin, duration and word", lines.column(line, 0))
            continue
        file, channel, begin, length, word = fields[:5]
        made, _ = streams.setdefault((file, channel), (Alternatives(), lines.number))
        if word in _MARKS:
            try:
                _MARKS[word](made)
            except MarkupError as problem:
                lines.fault("alternatives", _in_ctm(problem), lines.column(line, 4))
            continue
        times: tuple[float, float] | None = None
        if not (begin == length == b"*" and decode(word) == NULL):
            start, duration = seconds(begin), seconds(length)
            if start is None or duration is None:
                place = 2 if start is None else 3
                message = f"{visible(decode(fields[place]))} is not a time in seconds, such as 12.5"
                lines.fault("time", message, lines.column(line, place))
                continue
            times = start, round(start + duration, 9)  # 0.1 + 0.2 is 0.3 here
        made.word(decode(word), times)
    found = []
    for (file, channel), (made, number) in streams.items():
        transcript = _finished(made, lines, number)
        if transcript is not None:
            names = decode(file), decode(channel)
            found.append(
                Utterance(
                    transcript, id="-".join(names), speaker=names[0], file=names[0], channel=names[1], line=number
                )
            )
    return Utterances(found, format="ctm", name=name, problems=lines.problems)


def _finished(made: Alternatives, lines: Lines, number: int) -> Transcript | None:
    try:
        transcript = made.transcript(timed=True)
    except MarkupError as problem:
        lines.fault("alternatives", _in_ctm(problem), line=number, action="file and channel left out")
        return None
    blocks = [(transcript.span(begin, end), begin, end) for begin, end in transcript.blocks()]
    starts = [span[0] for span, _, _ in blocks if span is not None]
    if any(later < earlier for earlier, later in pairwise(starts)):
        message = "the words of this file and channel are not in the order of time; sort them by their begin"
        lines.fault("order", message, line=number, action="put in order")
        parts, last = [], 0.0
        for span, begin, end in blocks:
            last = span[0] if span is not None else last  # what has no time stays behind what it followed
            parts.append((last, transcript.part(begin, end)))
        transcript = joined([part for _, part in sorted(parts, key=lambda item: item[0])])
    return transcript


def _in_ctm(problem: MarkupError) -> str:
    return str(problem).replace("{ a / b }", "<ALT_BEGIN>, <ALT>, <ALT_END>")
