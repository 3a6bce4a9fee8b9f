"""ctm: a word per line with file, channel, begin and duration in seconds, and perhaps a confidence.

>>> read_ctm(b"f A 0.0 0.5 the\\nf A 0.5 0.25 cat 0.9\\n")[0].transcript.times
((0.0, 0.5), (0.5, 0.75))
"""

from __future__ import annotations

from functools import cache

from ..helpers.text import decode
from ..words.timeline import NO_TIME, chronological, usable
from ..words.transcript import NULL, Alternatives, MarkupError, joined
from ..words.utterance import Utterance, Utterances
from .lines import LEFT_OUT, Lines, not_seconds, number, numbers, seconds, timed_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .. import _core
    from ..words.transcript import Times

#: Types of lines that are not words.
_UNSPOKEN = frozenset((b"non-lex", b"misc"))
_MARKS = {b"<ALT_BEGIN>": Alternatives.begin, b"<ALT>": Alternatives.between, b"<ALT_END>": Alternatives.end}


def is_ctm(text: _core.Buffer) -> bool:
    """Does the first line have the format of a ctm?"""
    return timed_lines(text) == "ctm"


def read_ctm(
    data: _core.Buffer, *, name: str | None = None, on_error: str = "raise", keep_words: bool = False
) -> Utterances:
    """Read words; all words of a file and channel are one utterance, in the order of time.

    A line with an invalid time is left out. With `keep_words`, the word is kept without a time, and a number that is
    not a time, such as a negative one, is kept but not used for the order.
    """
    lines = Lines(data, name=name, on_error=on_error)
    streams: dict[tuple[bytes, bytes], _Stream] = {}
    word_text = cache(decode)  # most words occur many times
    for line in lines.records():
        fields = line.split()
        if len(fields) < 5:
            lines.fault("fields", "a line has file, channel, begin, duration and word", lines.column(line, 0))
            continue
        file, channel, begin, length, word = fields[:5]
        stream = streams.get((file, channel))
        if stream is None:
            stream = streams[file, channel] = _Stream(lines.number)
        if word in _MARKS:
            try:
                if word != b"<ALT_BEGIN>" and stream.words.is_branch_empty:
                    stream.add(NULL, None, lines.number)
                _MARKS[word](stream.words)
            except MarkupError as problem:
                lines.fault("alternatives", _in_ctm(problem), lines.column(line, 4))
            continue
        if keep_words and len(fields) > 6 and fields[6].lower() in _UNSPOKEN:
            continue
        text = word_text(word)
        times: tuple[float, float] | None = None
        if not (begin == length == b"*" and text == NULL):
            when = numbers(begin, length) if keep_words else _seconds(begin, length)
            if when is not None:
                times = when[0], round(when[0] + when[1], 9)  # so that 0.1 + 0.2 is 0.3
            else:
                place = 2 if (number if keep_words else seconds)(begin) is None else 3
                action = NO_TIME if keep_words else LEFT_OUT
                lines.fault("time", not_seconds(fields[place]), lines.column(line, place), action=action)
                if not keep_words:
                    continue
        stream.add(text, times, lines.number)
    utterances = []
    for (file, channel), stream in streams.items():
        utterance = _finished(stream, lines, keep_words)
        if utterance is not None:
            names = decode(file), decode(channel)
            utterances.append(utterance.replace(id="-".join(names), speaker=names[0], file=names[0], channel=names[1]))
    return Utterances(utterances, format="ctm", name=name, problems=lines.problems)


def _seconds(begin: bytes, length: bytes) -> tuple[float, float] | None:
    first, second = seconds(begin), seconds(length)
    return None if first is None or second is None else (first, second)


class _Stream:
    """The words of a file and channel, and their lines."""

    def __init__(self, line: int) -> None:
        self.words = Alternatives()
        self.first = line
        self.lines: list[int] = []

    def add(self, word: str, times: Times, line: int) -> None:
        """Add a word, or @ for an empty alternative."""
        self.words.word(word, times)
        self.lines.append(line)


def _finished(stream: _Stream, lines: Lines, keep_words: bool) -> Utterance | None:
    try:
        transcript = stream.words.transcript(timed=True)
    except MarkupError as problem:
        lines.fault("alternatives", _in_ctm(problem), line=stream.first, action="file and channel left out")
        return None
    numbers = stream.lines
    plain = transcript.times if transcript.ways is None else None
    blocks = [] if plain is not None else list(transcript.blocks())
    times = plain if plain is not None else [transcript.span(*block) for block in blocks]
    order = chronological(usable(times) if keep_words else times)
    if order is not None:
        message = "the words of this file and channel are not in the order of time; sort them by their begin"
        lines.fault("order", message, line=stream.first, action="put in order")
        sorted_blocks = [blocks[place] if blocks else (place, place + 1) for place in order]
        transcript = joined([transcript.part(*block) for block in sorted_blocks])
        numbers = [numbers[place] for block in sorted_blocks for place in range(*block)]
    return Utterance(transcript, line=stream.first, lines=numbers)


def _in_ctm(problem: MarkupError) -> str:
    return str(problem).replace("{ a / b }", "<ALT_BEGIN>, <ALT>, <ALT_END>")
