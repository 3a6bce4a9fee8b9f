"""Transcripts: words in a row, or with alternatives `{ um / uh / @ }`, and when they were spoken.

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

    Times = tuple[float, float] | None

#: Stands for no word at all.
NULL = "@"
_NONE: frozenset[int] = frozenset()


class Transcript(Value):
    """Words and, where there are alternatives, the nodes between which each of them stands.

    Nodes are numbered from 0, and every word leads to a node of higher number. `times` has begin and end of each word
    in seconds; None for all or for single words where that is not known. `nulls` are the places of null words.
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
        store = object.__setattr__  # there may be very many
        store(self, "words", tuple(words))
        store(self, "times", None if times is None else tuple(times))
        store(self, "ways", None if ways is None else tuple(ways))
        store(self, "nulls", frozenset(nulls) if nulls else _NONE)

    def __len__(self) -> int:
        return len(self.words)

    def part(self, begin: int, end: int) -> Transcript:
        """The words from `begin` to before `end`, where no alternative is cut in two."""
        ways = self.ways
        if ways is not None:
            first = min((way[0] for way in ways[begin:end]), default=0)
            ways = tuple((start - first, stop - first) for start, stop in ways[begin:end])
        return Transcript(
            self.words[begin:end],
            times=None if self.times is None else self.times[begin:end],
            ways=ways,
            nulls=[place - begin for place in self.nulls if begin <= place < end],
        )

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Begin and end of each word, or of the words of alternatives that belong together."""
        if self.ways is None:
            yield from ((place, place + 1) for place in range(len(self.words)))
            return
        begin, reached = 0, 0
        firsts = [way[0] for way in self.ways]
        for place in range(len(firsts) - 2, -1, -1):
            firsts[place] = min(firsts[place], firsts[place + 1])
        for place, way in enumerate(self.ways):
            reached = max(reached, way[1])
            if place + 1 == len(firsts) or firsts[place + 1] >= reached:
                yield begin, place + 1
                begin = place + 1

    def span(self, begin: int, end: int) -> Times:
        """When these words begin and end; None if that is not known."""
        known = [times for times in (self.times or ())[begin:end] if times is not None]
        return (min(times[0] for times in known), max(times[1] for times in known)) if known else None

    def first_way(self) -> list[int]:
        """The places of the words of the first of all alternatives, without null words.

        >>> transcript = parse_transcript("i { um / you know } { @ / see }")
        >>> [transcript.words[place] for place in transcript.first_way()]
        ['i', 'um']
        """
        if self.ways is None:
            return [place for place in range(len(self.words)) if place not in self.nulls]
        first: dict[int, int] = {}  # the word of that alternative behind each node
        for place, (start, _) in enumerate(self.ways):
            first.setdefault(start, place)
        found, node = [], 0
        while node in first:
            place = first[node]
            node = self.ways[place][1]
            if place not in self.nulls:
                found.append(place)
        return found

    def characters(self, *, optional: bool = False) -> Transcript:
        """Every character as a word; with `optional`, those of optional words are optional. Times are lost.

        >>> Transcript(["ab", "(cd)"]).characters(optional=True).words
        ('a', 'b', '(c)', '(d)')
        """
        words: list[str] = []
        nulls: list[int] = []
        ways: list[tuple[tuple[int, int, int], tuple[int, int, int]]] = []
        for place, word in enumerate(self.words):
            letters = list(word)
            if place in self.nulls:
                letters = [word]
                nulls.append(len(words))
            elif optional and is_optional(word):
                letters = [f"({letter})" for letter in word[1:-1]]
            words += letters
            if self.ways is not None:
                start, stop = self.ways[place]
                between = [(start, place + 1, number) for number in range(1, len(letters))]
                ways += zip([(start, 0, 0), *between], [*between, (stop, 0, 0)], strict=True)
        if self.ways is None:
            return Transcript(words, nulls=nulls)
        numbers = {node: number for number, node in enumerate(sorted({node for way in ways for node in way}))}
        return Transcript(words, ways=[(numbers[start], numbers[stop]) for start, stop in ways], nulls=nulls)


def is_optional(word: str) -> bool:
    """Is it written as a word that may be left out?

    >>> is_optional("(um)"), is_optional("()")
    (True, False)
    """
    return len(word) > 2 and word[0] == "(" and word[-1] == ")"


class MarkupError(ValueError):
    """Alternatives that are not written as they should be; `place` is the number of the word."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


class Alternatives:
    """Takes words and the marks between alternatives one by one; `transcript` puts them together."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.times: list[Times] = []
        self.nulls: list[int] = []
        self._ways: list[tuple[int, int]] = []
        self._here, self._last = 0, 0
        self._same: dict[int, int] = {}  # ends of branches, and the node where they meet
        self._open: list[tuple[int, int, list[int]]] = []  # number of the mark, node before it, ends of its branches
        self._marks = self._seen = 0

    def word(self, word: str, times: Times = None) -> None:
        """A word, or @ for none."""
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
        """Are there alternatives that are not closed yet?"""
        return bool(self._open)

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
        """All that was taken in."""
        if self._open:
            raise MarkupError("these alternatives are never closed; write { a / b }", self._open[-1][0])
        times = self.times if timed else None
        if not self._marks:
            return Transcript(self.words, times=times, nulls=self.nulls)
        ways = [(start, self._final(stop)) for start, stop in self._ways]
        numbers = {node: number for number, node in enumerate(sorted({node for way in ways for node in way}))}
        named = [(numbers[start], numbers[stop]) for start, stop in ways]
        return Transcript(self.words, times=times, ways=named, nulls=self.nulls)

    def _final(self, node: int) -> int:
        seen = []
        while node in self._same:
            seen.append(node)
            node = self._same[node]
        self._same.update(dict.fromkeys(seen, node))
        return node


def parse_words(words: Sequence[str]) -> Transcript:
    """The transcript that is written in these words and marks. Raises MarkupError."""
    made = Alternatives()
    for place, word in enumerate(words):
        if word == "{":
            made.begin()
        elif word == "}":
            made.end()
        elif word == "/" and made.is_open:
            made.between()
        elif word[0] == "{" or word[-1] == "}":
            raise MarkupError("put blanks around the marks of alternatives: { a / b }", place)
        else:
            made.word(word)
    return made.transcript()


def parse_transcript(text: str) -> Transcript:
    """The transcript that is written in a text. Raises MarkupError, which is a ValueError."""
    return parse_words(split_words(encode(text)))


def split_words(line: bytes) -> list[str]:
    """The words of a line. Only ASCII has blanks: a no-break space belongs to its word."""
    return decode(b"\n".join(line.split())).split("\n") if line and not line.isspace() else []


def joined(parts: Sequence[Transcript]) -> Transcript:
    """Several transcripts, one after the other."""
    words: list[str] = []
    times: list[Times] | None = [] if all(part.times is not None for part in parts) else None
    ways: list[tuple[int, int]] | None = [] if any(part.ways is not None for part in parts) else None
    nulls: list[int] = []
    node = 0
    for part in parts:
        nulls += [place + len(words) for place in part.nulls]
        words += part.words
        if times is not None:
            times += part.times or ()
        if ways is not None and part.words:
            own = part.ways or [(place, place + 1) for place in range(len(part.words))]
            ways += [(node + start, node + stop) for start, stop in own]
            node = max(stop for _, stop in ways)
    return Transcript(words, times=times, ways=ways, nulls=nulls)
