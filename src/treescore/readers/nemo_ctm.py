"""The units of NeMo's forced aligner in a ctm: tokens with `▁` or `<space>`, and whole segments with `<space>` inside.

>>> from ..words.transcript import Transcript
>>> tokens = Utterance(Transcript(["▁tu", "rn", "<b>", "▁it"], times=[(0, 1), (1, 2), (2, 3), (3, 4)]), id="u")
>>> joined_units([tokens])[0].transcript
Transcript(words=('turn', 'it'), times=((0.0, 2.0), (3.0, 4.0)), nulls=frozenset())
"""

from __future__ import annotations

from ..words.utterance import Utterance
from .turns import Turn, joined_words, utterances_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SPACE, _BLANK, _START = "<space>", "<b>", "▁"


def has_units(words: Iterable[str]) -> bool:
    """Are some of these words units of the aligner?"""
    return any(word.startswith(_START) or _SPACE in word for word in words)


def joined_units(utterances: Sequence[Utterance]) -> Sequence[Utterance]:
    """The utterances with words instead of tokens; segments of several words become utterances."""
    words = {word for utterance in utterances for word in utterance.transcript.words}
    if not has_units(words):
        return utterances
    joined: list[Utterance] = []
    for utterance in utterances:
        is_tokens = _SPACE in words or any(word.startswith(_START) for word in words)
        joined += _of_tokens(utterance) if is_tokens else _of_segments(utterance)
    return joined


def _facts(utterance: Utterance) -> dict[str, str | None]:
    return {fact: getattr(utterance, fact) for fact in ("speaker", "file", "channel")}


def _of_tokens(utterance: Utterance) -> list[Utterance]:
    turn = Turn(line=utterance.line, id=utterance.id, **_facts(utterance))
    transcript, starts = utterance.transcript, True
    for place, word in enumerate(transcript.words):
        if word in (_SPACE, _START):
            starts = True
        elif word != _BLANK:
            text = f" {word.lstrip(_START)}" if starts or word.startswith(_START) else word
            line = None if utterance.lines is None else utterance.lines[place]
            turn.add(text, transcript.times[place] if transcript.times else None, line=line)
            starts = False
    turn.words = joined_words(turn.words)
    return utterances_of([turn], None)


def _of_segments(utterance: Utterance) -> list[Utterance]:
    turns = []
    for place, word in enumerate(utterance.transcript.words):
        when = utterance.transcript.times[place] if utterance.transcript.times else None
        begin, end = when or (None, None)
        line = utterance.line if utterance.lines is None else utterance.lines[place]
        turn = Turn(line=line, begin=begin, end=end, **_facts(utterance))
        turn.add_text(word.replace(_SPACE, " "))
        turns.append(turn)
    return utterances_of(turns, utterance.id)
