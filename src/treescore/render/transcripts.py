"""Transcripts as ctm.

>>> from treescore.words.transcript import parse_transcript
>>> ordered(parse_transcript("i { um / { you know / @ } } see"))
[0, '{', 1, '/', 2, 3, '/', 4, '}', 5]
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..words.transcript import Transcript
    from ..words.utterance import Utterance

    Piece = int | str | list["Piece"]

_MARKS = {"{": "<ALT_BEGIN>", "/": "<ALT>", "}": "<ALT_END>"}


def write_ctm(utterances: Iterable[Utterance]) -> str:
    """A line for each word: file, channel, begin, duration and word."""
    lines = []
    for utterance in utterances:
        start = f"{utterance.file or '-'} {utterance.channel or 'A'}"
        for token in ordered(utterance.transcript):
            if isinstance(token, str):
                lines.append(f"{start} * * {_MARKS[token]}\n")
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
