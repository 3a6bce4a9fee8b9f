"""ctm: a word per line with file, channel, begin and duration in seconds, and perhaps a confidence.

>>> read_ctm(b"f A 0.0 0.5 the\\nf A 0.5 0.25 cat 0.9\\n")[0].transcript.times
((0.0, 0.5), (0.5, 0.75))
"""

from __future__ import annotations

from .. import _core
from ..words.timeline import NO_TIME, chronological, usable
from ..words.transcript import NULL, Alternatives, MarkupError, Transcript, joined
from ..words.utterance import Utterance, Utterances, utterance_of
from .lines import LEFT_OUT, Lines, not_seconds, number, seconds, timed_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..words.transcript import Times

_MARKS = {"<ALT_BEGIN>": Alternatives.begin, "<ALT>": Alternatives.between, "<ALT_END>": Alternatives.end}


def is_ctm(text: _core.Buffer) -> bool:
    """Does the first line have the format of a ctm?"""
    return timed_lines(text) == "ctm"


def read_ctm(data: _core.Buffer, *, name: str | None = None, on_error: str = "raise") -> Utterances:
    """Read words; all words of a file and channel are one utterance, in the order of time.

    A line with an invalid time is left out.
    """
    streams = Streams(data, name=name, on_error=on_error, keep_words=False)
    return Utterances(streams.utterances(), format="ctm", name=name, problems=streams.lines.problems)


class Streams:
    """The words of each file and channel: in columns, and as Python objects where there are alternatives.

    With `keep_words`, a word with an invalid time is kept without it, and a number that is not a time, such as a
    negative one, is kept but not used for the order.
    """

    def __init__(self, data: _core.Buffer, *, name: str | None, on_error: str, keep_words: bool) -> None:
        self.lines = Lines(data, name=name, on_error=on_error)
        self.columns, faults = _core.read_ctm(self.lines.data, keep_words)
        self._keep_words = keep_words
        #: Streams with alternatives; None if these are malformed.
        self.alternatives: dict[int, Utterance | None] = {}
        marks = {line: (begin, end) for kind, line, begin, end, _ in faults if kind == _core.LineFaultKind.MARK}
        marked = {stream: _Stream(self.columns.line(stream)) for kind, *_, stream in faults if _is_mark(kind)}
        malformed = [fault for stream in marked for fault in self._replay(marked[stream], stream)]
        found = [(line, "alternatives", marks[line], message) for line, message in malformed]
        found += [(line, "", (begin, end), "") for kind, line, begin, end, _ in faults if not _is_mark(kind)]
        for line, code, (begin, end), message in sorted(found):
            self._report(line, self.lines.data[begin:end], code, message)
        for stream in range(len(self.columns)):
            self._finish(stream, marked.get(stream))

    def utterances(self) -> list[Utterance]:
        """All utterances as Python objects."""
        utterances = []
        for stream in range(len(self.columns)):
            utterance = self.alternatives[stream] if stream in self.alternatives else _with_nulls(self.columns, stream)
            if utterance is not None:
                utterances.append(utterance)
        return utterances

    def _replay(self, stream: _Stream, number: int) -> list[tuple[int, str]]:
        """Add the words and marks of a stream; the lines and messages of marks that do not fit."""
        malformed = []
        words, times, lines = self.columns.words(number), self.columns.times(number), self.columns.lines(number)
        for word, when, line in zip(words, times, lines, strict=True):
            if word not in _MARKS:
                stream.add(word, when, line)
                continue
            try:
                if word != "<ALT_BEGIN>" and stream.words.is_branch_empty:
                    stream.add(NULL, None, line)
                _MARKS[word](stream.words)
            except MarkupError as problem:
                malformed.append((line, _in_ctm(problem)))
        return malformed

    def _report(self, at: int, line: bytes, code: str, message: str) -> None:
        lines = self.lines
        lines.number = at
        fields = line.split()
        if code == "alternatives":
            lines.fault(code, message, lines.column(line, 4))
        elif len(fields) < 5:
            lines.fault("fields", "a line has file, channel, begin, duration and word", lines.column(line, 0))
        else:
            place = 2 if (number if self._keep_words else seconds)(fields[2]) is None else 3
            action = NO_TIME if self._keep_words else LEFT_OUT
            lines.fault("time", not_seconds(fields[place]), lines.column(line, place), action=action)

    def _finish(self, number: int, marked: _Stream | None) -> None:
        columns = self.columns
        _, _, file, channel = columns.names(number)
        columns.set_names(number, f"{file}-{channel}", file)
        if marked is None:
            if columns.put_in_order(number, self._keep_words):
                _report_order(self.lines, columns.line(number))
            return
        utterance = _finished(marked, self.lines, self._keep_words)
        if utterance is not None:
            utterance = utterance.replace(id=f"{file}-{channel}", speaker=file, file=file, channel=channel)
        self.alternatives[number] = utterance


def _is_mark(kind: int) -> bool:
    return kind == _core.LineFaultKind.MARK


def _with_nulls(columns: _core.WordColumns, stream: int) -> Utterance:
    """An utterance whose words @ are null words."""
    utterance = utterance_of(columns, stream)
    transcript = utterance.transcript
    nulls = [index for index, word in enumerate(transcript.words) if word == NULL] if NULL in transcript.words else ()
    if not nulls:
        return utterance
    return utterance.replace(transcript=Transcript(transcript.words, times=transcript.times, nulls=nulls))


class _Stream:
    """The words of a file and channel with alternatives, and their lines."""

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
    blocks = list(transcript.blocks())
    times = [transcript.span(*block) for block in blocks]
    order = chronological(usable(times) if keep_words else times)
    if order is not None:
        _report_order(lines, stream.first)
        sorted_blocks = [blocks[place] for place in order]
        transcript = joined([transcript.part(*block) for block in sorted_blocks])
        numbers = [numbers[place] for block in sorted_blocks for place in range(*block)]
    return Utterance(transcript, line=stream.first, lines=numbers)


def _report_order(lines: Lines, line: int) -> None:
    message = "the words of this file and channel are not in the order of time; sort them by their begin"
    lines.fault("order", message, line=line, action="put in order")


def _in_ctm(problem: MarkupError) -> str:
    return str(problem).replace("{ a / b }", "<ALT_BEGIN>, <ALT>, <ALT_END>")
