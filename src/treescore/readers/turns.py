"""Utterances of formats that have words or whole segments: joined, split and numbered by the same rules.

>>> turn = Turn(begin=0.0, end=2.0)
>>> for text, begin, end in ((" Re", 0.1, 0.3), ("take", 0.3, 0.7), (" it.", 0.8, 1.0)):
...     turn.add(text, (begin, end))
>>> (utterance,) = utterances_of([turn], "a", joins=0.5)
>>> utterance.id, utterance.transcript.words, utterance.transcript.times
('a-001', ('Retake', 'it.'), ((0.1, 0.7), (0.8, 1.0)))
"""

from __future__ import annotations

import re

from ..helpers.files import stem
from ..helpers.text import encode
from ..words.transcript import split_words
from .timed_words import TimedWords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from ..words.transcript import Times
    from ..words.utterance import Utterance

_SECOND_SUFFIX = re.compile(r"(?:\.words|\.alignment)$", re.IGNORECASE)


class Spoken:
    """A word of a turn, with the blanks of its file."""

    __slots__ = ("channel", "line", "speaker", "text", "when")

    def __init__(self, text: str, when: Times, line: int | None, speaker: str | None, channel: str | None) -> None:
        self.text, self.when, self.line, self.speaker, self.channel = text, when, line, speaker, channel


class Turn:
    """An utterance that is being read; `facts` are those of an `Utterance`."""

    __slots__ = ("facts", "line", "words")

    def __init__(self, *, line: int | None = None, **facts: Any) -> None:
        self.line, self.facts = line, facts
        self.words: list[Spoken] = []

    def add(
        self,
        text: str,
        when: Times = None,
        *,
        line: int | None = None,
        speaker: str | None = None,
        channel: str | None = None,
    ) -> None:
        """Add a word."""
        self.words.append(Spoken(text, when, line, speaker, channel))

    def glue(self, mark: str) -> None:
        """Add punctuation to the last word."""
        if self.words:
            self.words[-1].text += mark.strip()
        else:
            self.add(mark)

    def add_text(self, text: str) -> None:
        """Add all words of the utterance, which have no times, except a single word."""
        words = split_words(encode(text))
        begin, end = self.facts.get("begin"), self.facts.get("end")
        alone = len(words) == 1 and begin is not None and end is not None
        for word in words:
            self.add(f" {word}", (begin, end) if alone else None, line=self.line)  # type: ignore[arg-type]


class Piece:
    """A text with a begin and an end, which may be a word or a whole utterance."""

    __slots__ = ("facts", "line", "text", "when")

    def __init__(self, text: str, when: Times, *, line: int | None = None, **facts: Any) -> None:
        self.text, self.when, self.line, self.facts = text, when, line, facts

    def turn(self) -> Turn:
        """The piece as an utterance."""
        turn = Turn(line=self.line, **self.facts)
        turn.add_text(self.text)
        return turn


def are_words(pieces: Iterable[Piece]) -> bool:
    """Are these pieces words, because no text has a blank inside?"""
    return not any(len(piece.text.split()) > 1 for piece in pieces)


def utterances_of_pieces(
    pieces: Sequence[Piece], file_id: str | None, *, joins: float | None = None
) -> list[Utterance]:
    """One utterance if the pieces are words, otherwise one for each piece."""
    if not are_words(pieces):
        return utterances_of([piece.turn() for piece in pieces], file_id)
    turn = Turn()
    for piece in pieces:
        facts = {fact: piece.facts.get(fact) for fact in ("speaker", "channel")}
        turn.add(piece.text, piece.when, line=piece.line, **facts)
    return utterances_of([turn], file_id, joins=joins, numbered=False)


def utterances_of(
    turns: Sequence[Turn], file_id: str | None, *, joins: float | None = None, numbered: bool = True
) -> list[Utterance]:
    """The utterances of a file, with words of one channel each.

    If at least the share `joins` of the words of the file begin with a blank, a word without a blank before it
    continues the previous word. An utterance without an id has the file's, with its number if they are `numbered`.
    """
    if joins is not None and _share_of_blanks(turns) >= joins:
        for turn in turns:
            turn.words = joined_words(turn.words)
    split = [part for turn in turns for part in _by_channel(turn)]
    numbered = numbered or len(split) > len(turns)
    return [_utterance(turn, number, file_id, numbered) for number, turn in enumerate(split, 1)]


def _share_of_blanks(turns: Sequence[Turn]) -> float:
    texts = [word.text for turn in turns for word in turn.words if word.text.strip()]
    return sum(text[0].isspace() for text in texts) / max(len(texts), 1)


def joined_words(words: Sequence[Spoken]) -> list[Spoken]:
    """The words that begin with a blank, each with the words after it that do not."""
    joined: list[Spoken] = []
    for word in words:
        if not word.text.strip():
            continue
        if not joined or word.text[0].isspace():
            joined.append(word)
            continue
        last = joined[-1]
        last.text = last.text.rstrip() + word.text
        if word.when is not None:
            last.when = (word.when if last.when is None else last.when)[0], word.when[1]
    return joined


def _by_channel(turn: Turn) -> Iterable[Turn]:
    """Turns for the channels of the words."""
    channels = dict.fromkeys(word.channel for word in turn.words if word.channel is not None)
    if len(channels) < 2:
        yield turn
        return
    for channel in channels:
        part = Turn(line=turn.line, **turn.facts)
        part.words = [word for word in turn.words if word.channel == channel]
        yield part


def _utterance(turn: Turn, number: int, file_id: str | None, numbered: bool) -> Utterance:
    words = TimedWords(turn.line)
    for word in turn.words:
        words.share(split_words(encode(word.text)), word.when, word.line)
    facts = dict(turn.facts)
    for fact in ("speaker", "channel"):
        names = {getattr(word, fact) for word in turn.words}
        if facts.get(fact) is None and len(names) == 1:
            facts[fact] = names.pop()
    if facts.get("id") is None:
        facts["id"] = "-".join([*([file_id] if file_id else ()), f"{number:03}"]) if numbered else file_id
    return words.utterance(**facts)


def id_of_file(name: str | None) -> str | None:
    """The name of a file without its suffix and what tools add to it.

    >>> id_of_file("a/talk.words.json"), id_of_file("84-1.alignment.txt")
    ('talk', '84-1')
    """
    id = stem(name)
    return id and (_SECOND_SUFFIX.sub("", id) or id)
