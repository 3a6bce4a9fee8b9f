"""Transcripts: sequences of words, optionally with alternatives `{ um / uh / @ }` and with times.

>>> transcript = parse_transcript("i { um / you know / @ } see")
>>> transcript.words
('i', 'um', 'you', 'know', '@', 'see')
>>> transcript.ways
((0, 1), (1, 3), (1, 2), (2, 3), (1, 3), (3, 4))
"""

from __future__ import annotations

from ..helpers.text import decode, encode
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import Any

    Times = tuple[float, float] | None

#: The null word: no word at all.
NULL = "@"
_NONE: frozenset[int] = frozenset()


class Transcript(Value):
    """Words and, with alternatives, the start and end node of each word (`ways`).

    Nodes are numbered from 0, and every word leads to a node with a higher number. `times` has begin and end of each
    word in seconds; None if all times or the time of a word are unknown. `nulls` are the indices of null words.
    """

    words: tuple[str, ...]
    times: tuple[Times, ...] | None
    ways: tuple[tuple[int, int], ...] | None
    nulls: frozenset[int]

    def __init__(
        self,
        words: Sequence[str],
        *,
        times: Sequence[Times] | None = None,
        ways: Sequence[tuple[int, int]] | None = None,
        nulls: Collection[int] = (),
    ) -> None:
        if times is not None and len(times) != len(words):
            raise ValueError(f"{len(times)} times for {len(words)} words")
        if ways is not None and len(ways) != len(words):
            raise ValueError(f"{len(ways)} ways for {len(words)} words")
        store = object.__setattr__  # faster than `_store`
        store(self, "words", tuple(words))
        store(self, "times", None if times is None else tuple(times))
        store(self, "ways", None if ways is None else tuple(ways))
        store(self, "nulls", frozenset(nulls) if nulls else _NONE)

    def __len__(self) -> int:
        return len(self.words)

    def part(self, begin: int, end: int) -> Transcript:
        """The words in [begin, end), which must not divide an alternative."""
        ways = self.ways
        if ways is not None:
            first = min((way[0] for way in ways[begin:end]), default=0)
            ways = tuple((start - first, stop - first) for start, stop in ways[begin:end])
        return Transcript(
            self.words[begin:end],
            times=None if self.times is None else self.times[begin:end],
            ways=ways,
            nulls=[index - begin for index in self.nulls if begin <= index < end],
        )

    def blocks(self) -> Iterator[tuple[int, int]]:
        """The ranges of single words, or of the words of connected alternatives."""
        if self.ways is None:
            yield from ((index, index + 1) for index in range(len(self.words)))
            return
        begin, reached = 0, 0
        firsts = [way[0] for way in self.ways]
        for index in range(len(firsts) - 2, -1, -1):
            firsts[index] = min(firsts[index], firsts[index + 1])
        for index, way in enumerate(self.ways):
            reached = max(reached, way[1])
            if index + 1 == len(firsts) or firsts[index + 1] >= reached:
                yield begin, index + 1
                begin = index + 1

    def span(self, begin: int, end: int) -> Times:
        """Begin and end of these words; None if unknown."""
        known = [times for times in (self.times or ())[begin:end] if times is not None]
        return (min(times[0] for times in known), max(times[1] for times in known)) if known else None

    def first_way(self) -> list[int]:
        """The indices of the words of the first alternatives, without null words.

        >>> transcript = parse_transcript("i { um / you know } { @ / see }")
        >>> [transcript.words[index] for index in transcript.first_way()]
        ['i', 'um']
        """
        if self.ways is None:
            return [index for index in range(len(self.words)) if index not in self.nulls]
        first: dict[int, int] = {}  # the word of the first alternative after each node
        for index, (start, _) in enumerate(self.ways):
            first.setdefault(start, index)
        indices, node = [], 0
        while node in first:
            index = first[node]
            node = self.ways[index][1]
            if index not in self.nulls:
                indices.append(index)
        return indices

    def characters(self, *, optional: bool = False) -> Transcript:
        """The characters as words; with `optional`, characters of optional words are optional. Times are lost.

        >>> Transcript(["ab", "(cd)"]).characters(optional=True).words
        ('a', 'b', '(c)', '(d)')
        """
        words: list[str] = []
        nulls: list[int] = []
        ways: list[tuple[tuple[int, int, int], tuple[int, int, int]]] = []
        for index, word in enumerate(self.words):
            letters = list(word)
            if index in self.nulls:
                letters = [word]
                nulls.append(len(words))
            elif optional and is_optional(word):
                letters = [f"({letter})" for letter in word[1:-1]]
            words += letters
            if self.ways is not None:
                start, stop = self.ways[index]
                between = [(start, index + 1, number) for number in range(1, len(letters))]
                ways += zip([(start, 0, 0), *between], [*between, (stop, 0, 0)], strict=True)
        if self.ways is None:
            return Transcript(words, nulls=nulls)
        return Transcript(words, ways=_numbered(ways), nulls=nulls)


def _numbered(ways: Sequence[tuple[Any, Any]]) -> list[tuple[int, int]]:
    """The ways with the nodes numbered in their order."""
    numbers = {node: number for number, node in enumerate(sorted({node for way in ways for node in way}))}
    return [(numbers[start], numbers[stop]) for start, stop in ways]


def is_optional(word: str) -> bool:
    """Is this an optional word, in parentheses?

    >>> is_optional("(um)"), is_optional("()")
    (True, False)
    """
    return len(word) > 2 and word[0] == "(" and word[-1] == ")"


class MarkupError(ValueError):
    """Malformed alternatives; `place` is the number of the word."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


class Alternatives:
    """Builds a transcript from words and the marks of alternatives."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.times: list[Times] = []
        self.nulls: list[int] = []
        self._ways: list[tuple[int, int]] = []
        self._here, self._last = 0, 0
        self._same: dict[int, int] = {}  # ends of branches and the node where they join
        self._open: list[tuple[int, int, list[int]]] = []  # number of the mark, node before it, ends of its branches
        self._marks = self._seen = 0

    def word(self, word: str, times: Times = None) -> None:
        """Add a word, or @ for no word."""
        if word == NULL:
            self.nulls.append(len(self.words))
        self.words.append(word)
        self.times.append(times)
        self._seen += 1
        self._last += 1
        self._ways.append((self._here, self._last))
        self._here = self._last

    def begin(self) -> None:
        """`{`"""
        self._open.append((self._seen, self._here, []))
        self._marks += 1
        self._seen += 1

    @property
    def is_open(self) -> bool:
        """Are there unclosed alternatives?"""
        return bool(self._open)

    @property
    def is_branch_empty(self) -> bool:
        """Are there no words since the last mark of open alternatives?"""
        return self.is_open and self._here == self._open[-1][1]

    def between(self) -> None:
        """`/`"""
        if not self._open:
            raise MarkupError("this stands outside of alternatives { a / b }", self._seen)
        self._end_branch()
        self._here = self._open[-1][1]
        self._seen += 1

    def end(self) -> None:
        """`}`"""
        if not self._open:
            raise MarkupError("this closes no alternatives; write { a / b }", self._seen)
        self._end_branch()
        _, _, ends = self._open.pop()
        self._last += 1
        self._here = self._last
        self._same.update(dict.fromkeys(ends, self._here))
        self._seen += 1

    def _end_branch(self) -> None:
        _, start, ends = self._open[-1]
        if self._here == start:
            raise MarkupError("this alternative is empty; write @ for no word", self._seen)
        ends.append(self._here)

    def transcript(self, *, timed: bool = False) -> Transcript:
        """The complete transcript."""
        if self._open:
            raise MarkupError("these alternatives are never closed; write { a / b }", self._open[-1][0])
        times = self.times if timed else None
        if not self._marks:
            return Transcript(self.words, times=times, nulls=self.nulls)
        ways = [(start, self._final(stop)) for start, stop in self._ways]
        return Transcript(self.words, times=times, ways=_numbered(ways), nulls=self.nulls)

    def _final(self, node: int) -> int:
        seen = []
        while node in self._same:
            seen.append(node)
            node = self._same[node]
        self._same.update(dict.fromkeys(seen, node))
        return node


def parse_words(words: Sequence[str]) -> Transcript:
    """Parse words and marks. Raises MarkupError."""
    alternatives = Alternatives()
    for index, word in enumerate(words):
        if word == "{":
            alternatives.begin()
        elif word == "}":
            alternatives.end()
        elif word == "/" and alternatives.is_open:
            alternatives.between()
        elif word[0] == "{" or word[-1] == "}":
            raise MarkupError("put blanks around the marks of alternatives: { a / b }", index)
        else:
            alternatives.word(word)
    return alternatives.transcript()


def parse_transcript(text: str) -> Transcript:
    """Parse a text. Raises MarkupError, which is a ValueError."""
    return parse_words(split_words(encode(text)))


def split_words(line: bytes) -> list[str]:
    """The words of a line, separated by ASCII white space; a no-break space is part of a word."""
    return decode(b"\n".join(line.split())).split("\n") if line and not line.isspace() else []


def joined(parts: Sequence[Transcript]) -> Transcript:
    """The concatenation of transcripts."""
    words: list[str] = []
    times: list[Times] | None = [] if all(part.times is not None for part in parts) else None
    ways: list[tuple[int, int]] | None = [] if any(part.ways is not None for part in parts) else None
    nulls: list[int] = []
    node = 0
    for part in parts:
        nulls += [index + len(words) for index in part.nulls]
        words += part.words
        if times is not None:
            times += part.times or ()
        if ways is not None and part.words:
            part_ways = part.ways or [(index, index + 1) for index in range(len(part.words))]
            ways += [(node + start, node + stop) for start, stop in part_ways]
            node = max(stop for _, stop in ways)
    return Transcript(words, times=times, ways=ways, nulls=nulls)
