"""stm: a segment per line with file, channel, speaker, begin and end in seconds, perhaps labels, and its words.

>>> segment = read_stm(b"f A s1 0.0 1.5 <o,f0> the cat\\n")[0]
>>> segment.begin, segment.end, segment.labels, segment.transcript.words
(0.0, 1.5, '<o,f0>', ('the', 'cat'))
"""

from __future__ import annotations

from ..helpers.text import decode
from ..words.transcript import MarkupError, Transcript, parse_words, split_words
from ..words.utterance import Utterance, Utterances
from .lines import Lines, not_seconds, seconds, timed_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core


def is_stm(text: _core.Buffer) -> bool:
    """Does the first line have the format of an stm?"""
    return timed_lines(text) == "stm"


def read_stm(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read segments; a line that cannot be read becomes a problem, or with `on_error="raise"` an error."""
    lines = Lines(data, name=name, on_error=on_error)
    utterances: list[Utterance] = []
    numbers: dict[str, int] = {}
    for line in lines.records():
        fields = line.split(None, 5)
        if len(fields) < 5:
            lines.fault("fields", "a line has file, channel, speaker, begin, end and words", lines.column(line, 0))
            continue
        begin, end = seconds(fields[3]), seconds(fields[4])
        if begin is None or end is None:
            place = 3 if begin is None else 4
            lines.fault("time", not_seconds(fields[place]), lines.column(line, place))
            continue
        if begin > end:
            lines.fault("time", "this segment ends before it begins", lines.column(line, 4))
            continue
        text = fields[5] if len(fields) > 5 else b""
        labels = None
        if text.startswith(b"<"):
            first = text.split(None, 1)
            if first[0].endswith(b">"):
                labels, text = decode(first[0]), first[1] if len(first) > 1 else b""
        words = split_words(text)
        try:
            transcript = parse_words(words) if b"{" in text or b"}" in text or "@" in words else Transcript(words)
        except MarkupError as problem:
            place = problem.place + 5 + (labels is not None)
            lines.fault("alternatives", str(problem), lines.column(line, place))
            continue
        file, channel, speaker = map(decode, fields[:3])
        numbers[speaker] = numbers.get(speaker, 0) + 1
        utterances.append(
            Utterance(
                transcript,
                id=f"{speaker}-{numbers[speaker]:03}",
                speaker=speaker,
                file=file,
                channel=channel,
                begin=begin,
                end=end,
                labels=labels,
                line=lines.number,
            )
        )
    return Utterances(utterances, format="stm", name=name, problems=lines.problems)
