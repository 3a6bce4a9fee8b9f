"""Collects words with times for an utterance."""

from __future__ import annotations

from ..words.timeline import shared
from ..words.transcript import Transcript
from ..words.utterance import Utterance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..words.transcript import Times


class TimedWords:
    """Words with times; `line` is the first line of the utterance.

    >>> words = TimedWords()
    >>> words.add("so", (0.0, 0.3), 1)
    >>> words.share(["you", "know", "it"], (0.3, 1.2), 2)
    >>> words.utterance(id="u1").transcript.times
    ((0.0, 0.3), (0.3, 0.6), (0.6, 1.0), (1.0, 1.2))
    """

    __slots__ = ("words", "times", "lines", "line")

    def __init__(self, line: int | None = None) -> None:
        self.words: list[str] = []
        self.times: list[Times] = []
        self.lines: list[int] = []
        self.line = line

    def add(self, word: str, when: Times, line: int) -> None:
        """Add a word."""
        self.words.append(word)
        self.times.append(when)
        self.lines.append(line)

    def share(self, words: Sequence[str], when: Times, line: int | None) -> None:
        """Add words with a common time, which they share by their characters."""
        self.words += words
        self.times += [None] * len(words) if when is None else shared(words, *when)
        if line is not None:
            self.lines += [line] * len(words)

    def utterance(self, **facts: Any) -> Utterance:
        """The utterance with all words."""
        lines = self.lines if len(self.lines) == len(self.words) else None
        return Utterance(Transcript(self.words, times=self.times), line=self.line, lines=lines, **facts)
