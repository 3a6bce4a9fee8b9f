"""A view of words with times: JSON lines, tables, ctm and TextGrid.

>>> from treescore.words.transcript import Transcript
>>> from treescore.words.utterance import Utterance
>>> utterance = Utterance(Transcript(["so", "uh"], times=[(0.1, 0.35), None]), id="u1", end=0.8)
>>> jsonl_line(utterance)
'{"id": "u1", "end": 0.8, "words": [["so", 0.1, 0.35], ["uh", null, null]]}'
>>> list(UtterancesView([utterance]).rows())
[['id', 'word', 'start', 'end'], ['u1', 'so', '0.1', '0.35'], ['u1', 'uh', '', '']]
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from ..helpers.text import encode, visible
from ..values.problem import UsageError
from ..values.value import Value
from ..words.timeline import MARKS, TIER_MARKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..words.transcript import Times, Transcript
    from ..words.utterance import Utterance

    Piece = int | str | list["Piece"]

#: The properties of an utterance that are written if they are known, in this order.
FACTS = ("id", "speaker", "file", "channel", "begin", "end")
#: Formats that cannot hold words without a time.
TIMED = ("ctm", "textgrid")

_ALTERNATIVES = {"{": "<ALT_BEGIN>", "/": "<ALT>", "}": "<ALT_END>"}
_CTM_MARKS = ("@", *_ALTERNATIVES.values())
_HEAD = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n'


class UtterancesView(Value):
    """The contents of utterances. Words that a format cannot hold are a UsageError."""

    utterances: Sequence[Utterance]

    def records(self) -> Iterator[str]:
        """A line of JSON for each utterance."""
        return map(jsonl_line, self.utterances)

    def rows(self) -> Iterable[list[str]]:
        """A row for each word."""
        return _table(self.utterances)

    def ctm(self) -> list[str]:
        """A line for each word, by file and channel."""
        return [_ctm(self.utterances)]

    def textgrid(self) -> list[str]:
        """A single utterance as a TextGrid."""
        count = len(self.utterances)
        if count != 1:
            raise UsageError(f"a TextGrid holds one utterance, not {count:,}; name a folder for several (-o FOLDER)")
        return [textgrid(self.utterances[0])]


def jsonl_line(utterance: Utterance, **more: object) -> str:
    """An utterance as one line of JSON, without a line break; words without times have null; `more` is added."""
    from json import dumps

    facts = {name: getattr(utterance, name) for name in FACTS if getattr(utterance, name) is not None}
    words = [[word, *(when or (None, None))] for word, when in _words(utterance)]
    return dumps({**facts, **more, "words": words}, ensure_ascii=False)


def only_timed(utterances: Iterable[Utterance]) -> tuple[list[Utterance], int]:
    """The utterances with only the words that have times, and the number of words left out."""
    timed, left_out = [], 0
    for utterance in utterances:
        places = [place for place, (_, when) in enumerate(_words(utterance)) if when is not None]
        left_out += len(utterance.transcript.words) - len(places)
        timed.append(utterance if len(places) == len(utterance.transcript.words) else utterance.only(places))
    return timed, left_out


def read_as_marks(utterances: Iterable[Utterance], format: str) -> list[str]:
    """The words that mean silence or noise in this format, so that readers would ignore them.

    >>> from treescore.words.transcript import Transcript
    >>> from treescore.words.utterance import Utterance
    >>> utterances = [Utterance(Transcript(["so", "SP", "[noise]"]))]
    >>> read_as_marks(utterances, "textgrid"), read_as_marks(utterances, "ctm"), read_as_marks(utterances, "tsv")
    (['SP', '[noise]'], ['[noise]'], [])
    """
    marks = {"ctm": MARKS, "textgrid": TIER_MARKS}.get(format, frozenset())
    return [word for utterance in utterances for word in utterance.transcript.words if word.casefold() in marks]


def _words(utterance: Utterance) -> Iterable[tuple[str, Times]]:
    transcript = utterance.transcript
    return zip(transcript.words, transcript.times or [None] * len(transcript.words), strict=True)


def _table(utterances: Sequence[Utterance]) -> list[list[str]]:
    """A header, and a line for each word. The default id of an utterance is its number."""
    facts = [name for name in FACTS[1:4] if any(getattr(utterance, name) is not None for utterance in utterances)]
    rows = [["id", "word", "start", "end", *facts]]
    for number, utterance in enumerate(utterances, 1):
        more = [getattr(utterance, name) or "" for name in facts]
        id = str(number) if utterance.id is None else utterance.id
        rows += [
            [id, word, *map(repr, when), *more] if when else [id, word, "", "", *more]
            for word, when in _words(utterance)
        ]
    for row in rows:
        for cell in row:
            if not cell.isprintable() and any(mark in cell for mark in "\t\n\r"):
                raise UsageError(f"{visible(cell)!r} has a tab or a line break, which a table cannot hold; use jsonl")
    return rows


def _ctm(utterances: Sequence[Utterance]) -> str:
    """A line for each word; the default file of an utterance is its id."""
    named = [utterance.replace(file=utterance.id) if utterance.file is None else utterance for utterance in utterances]
    for utterance in named:
        for text in (utterance.file or "-", utterance.channel or "A", *utterance.transcript.words):
            if not _is_one_word(text) or text.startswith(";;"):
                raise UsageError(
                    f"{visible(text)!r} cannot be written to a ctm, where blanks and ;; are marks; use jsonl"
                )
        for mark in _CTM_MARKS:
            if mark in utterance.transcript.words:
                raise UsageError(
                    f"the word {mark!r} cannot be written to a ctm, where it marks alternatives; use jsonl"
                )
        if any(when is None for _, when in _words(utterance)):
            raise UsageError("there are words without a time, which a ctm cannot hold; use jsonl")
    return write_ctm(named)


def _is_one_word(text: str) -> bool:
    """Is the text one word if blanks separate words?"""
    return len(encode(text).split()) == 1


def textgrid(utterance: Utterance) -> str:
    """An utterance as a TextGrid with one tier, words; silence between them is an interval without text.

    >>> from treescore.words.transcript import Transcript
    >>> from treescore.words.utterance import Utterance
    >>> print(textgrid(Utterance(Transcript(["so"], times=[(0.0, 0.5)]), end=0.5)).replace("\\n\\n", "\\n").strip())
    File type = "ooTextFile"
    Object class = "TextGrid"
    xmin = 0.0
    xmax = 0.5
    tiers? <exists>
    size = 1
    item []:
        item [1]:
            class = "IntervalTier"
            name = "words"
            xmin = 0.0
            xmax = 0.5
            intervals: size = 1
            intervals [1]:
                xmin = 0.0
                xmax = 0.5
                text = "so"
    """
    words = [(word, when) for word, when in _words(utterance) if when is not None]
    if len(words) < len(utterance.transcript.words):
        raise UsageError("there are words without a time, which a TextGrid cannot hold; use jsonl")
    for word, _ in words:
        if not _is_one_word(word):
            raise UsageError(
                f"{visible(word)!r} cannot be written to a TextGrid, where blanks separate words; use jsonl or tsv"
            )
    begin, end = utterance.begin or 0.0, utterance.end or 0.0
    if words:
        begin, end = min(begin, words[0][1][0]), max(end, words[-1][1][1])
    if begin == end:
        end = begin + 1.0  # Praat refuses tiers without length
    intervals = _with_silences(words, begin, end)
    lines = [f"xmin = {begin!r}", f"xmax = {end!r}", "tiers? <exists>", "size = 1", "item []:", "    item [1]:"]
    lines += [f"        {line}" for line in ('class = "IntervalTier"', 'name = "words"', *lines[:2])]
    lines.append(f"        intervals: size = {len(intervals)}")
    for number, (start, stop, text) in enumerate(intervals, 1):
        quoted = text.replace('"', '""')
        lines.append(f"        intervals [{number}]:")
        lines += [f"            {line}" for line in (f"xmin = {start!r}", f"xmax = {stop!r}", f'text = "{quoted}"')]
    return _HEAD + "\n".join(lines) + "\n"


def _with_silences(
    words: Iterable[tuple[str, tuple[float, float]]], begin: float, end: float
) -> list[tuple[float, float, str]]:
    """Start, end and word of all intervals of a tier; silences between the words have no text."""
    intervals: list[tuple[float, float, str]] = []
    for word, (start, stop) in words:
        if start > begin:
            intervals.append((begin, start, ""))
        intervals.append((start, stop, word))
        begin = stop
    return [*intervals, *([(begin, end, "")] if end > begin else [])]


def write_ctm(utterances: Iterable[Utterance]) -> str:
    """A line for each word: file, channel, begin, duration and word."""
    lines = []
    for utterance in utterances:
        start = f"{utterance.file or '-'} {utterance.channel or 'A'}"
        for token in ordered(utterance.transcript):
            if isinstance(token, str):
                lines.append(f"{start} * * {_ALTERNATIVES[token]}\n")
                continue
            times = utterance.transcript.times[token] if utterance.transcript.times is not None else None
            if times is None and token not in utterance.transcript.nulls:
                raise ValueError(f"{utterance.transcript.words[token]!r} has no times, but a ctm needs them")
            when = "* *" if times is None else f"{_time(times[0])} {_time(round(times[1] - times[0], 9))}"
            lines.append(f"{start} {when} {utterance.transcript.words[token]}\n")
    return "".join(lines)


def _time(seconds: float) -> str:
    """The shortest decimal number with the same value to nine places."""
    text = f"{seconds:.9f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def ordered(transcript: Transcript) -> list[int | str]:
    """The numbers of the words, with marks `{`, `/` and `}` around and between alternatives.

    Parallel ways become alternatives, and consecutive ways are joined, until one way is left.

    >>> from treescore.words.transcript import parse_transcript
    >>> ordered(parse_transcript("i { um / { you know / @ } } see"))
    [0, '{', 1, '/', 2, 3, '/', 4, '}', 5]
    """
    if transcript.ways is None:
        return list(range(len(transcript.words)))
    # For each node the ways that lead to it: the node of origin, the first word, and the pieces on the way.
    into: dict[int, list[tuple[int, int, list[Piece]]]] = {0: []}
    leaving: dict[int, int] = {}
    for number, (start, stop) in enumerate(transcript.ways):
        into.setdefault(stop, []).append((start, number, [number]))
        leaving[start] = leaving.get(start, 0) + 1
    for node in sorted(into):
        groups: dict[int, list[tuple[int, list[Piece]]]] = {}
        for start, word, pieces in into[node]:
            groups.setdefault(start, []).append((word, pieces))
        into[node] = []
        starts = [-start for start in groups]
        heapify(starts)
        while starts:  # the latest branches are joined first
            start = -heappop(starts)
            branches = sorted(groups.pop(start), key=lambda branch: branch[0])
            word, pieces = branches[0][0], _alternatives([pieces for _, pieces in branches])
            leaving[start] -= len(branches) - 1
            if start and leaving[start] == 1 and len(into[start]) == 1:
                earlier, word, before = into[start][0]
                before.append(pieces)
                if earlier not in groups:
                    heappush(starts, -earlier)
                groups.setdefault(earlier, []).append((word, before))
            else:
                into[node].append((start, word, pieces))
    last = into[max(into)]
    if len(last) != 1 or last[0][0] != 0:
        raise ValueError("these alternatives cannot be written as { a / b }")
    return _flat(last[0][2])


def _alternatives(branches: list[list[Piece]]) -> list[Piece]:
    if len(branches) == 1:
        return branches[0]
    pieces: list[Piece] = ["{"]
    for branch in branches:
        pieces += [branch, "/"]
    pieces[-1] = "}"
    return pieces


def _flat(pieces: list[Piece]) -> list[int | str]:
    out: list[int | str] = []
    waiting: list[Piece] = [pieces]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, list):
            waiting += reversed(piece)
        else:
            out.append(piece)
    return out
