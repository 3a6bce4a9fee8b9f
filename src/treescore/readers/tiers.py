"""Which tier of a file has the words: by its name, or the one that must be meant.

>>> choose_tiers(["Words", "phones"], None)
([(0, None)], "the words are those of the tier 'Words'")
>>> choose_tiers(["ann - words", "ann - phones", "bo - words"], None)
([(0, 'ann'), (2, 'bo')], "the words are those of the tiers 'ann - words' and 'bo - words'")
"""

from __future__ import annotations

from ..helpers.text import encode, number_of, visible
from ..values.problem import InputError, Problem
from ..words.timeline import TIER_MARKS
from ..words.transcript import split_words
from .timed_words import TimedWords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from ..words.transcript import Times
    from ..words.utterance import Utterance

#: Tiers of this name, in capitals or not, are taken for those of words.
_WORDS = ("words", "word")
#: Tiers of this name, or of a speaker and this name, have sounds, and are never taken for words without being named.
_SOUNDS = ("phones", "phone", "phonemes", "phoneme")
_SHOWN = 20
#: Said where times of single words were made.
_SHARED = "some labels have several words, which share the time of the label by their characters"


def choose_tiers(
    names: Sequence[str], tier: str | None, *, points: Sequence[str] = (), file: str | None = None
) -> tuple[list[tuple[int, str | None]], str | None]:
    """The numbers of the tiers of words with their speakers, and what to say if they were guessed.

    A tier of a speaker is called `speaker - words`, as the Montreal Forced Aligner does, or `words@speaker`. Tiers of
    `points` are there, but have no words.
    """
    asked = [tier] if tier is not None else _WORDS
    found: list[tuple[int, str | None]] = []
    for key in (str, _folded):  # as it is written, before in any other way
        for wanted in asked:
            found = found or [(place, None) for place, name in enumerate(names) if key(name) == key(wanted)]
    if len(found) > 1:  # which is which cannot be said
        raise _unclear(names, f"there are {len(found)} tiers {visible(names[found[0][0]])!r}; rename all but one", file)
    if not found:
        speakers = [(place, _speaker(name, asked)) for place, name in enumerate(names)]
        found = [(place, speaker) for place, speaker in speakers if speaker is not None]
    if not found and tier is not None:
        if any(_is_called(name, asked) for name in points):
            raise _unclear(names, f"the tier {visible(tier)!r} has points, not intervals, and so no words", file)
        raise _unclear(names, f"there is no tier {visible(tier)!r}", file)
    if not found and len(names) == 1:
        if _is_called(names[0], _SOUNDS):
            message = "the only tier seems to have sounds, not words; if it has words, name it (--tier NAME)"
            raise _unclear(names, message, file)
        found = [(0, None)]
    if not found:
        unclear = "it cannot be told which tier has the words; name it (--tier NAME)"
        raise _unclear(names, unclear if names else "there are no tiers that could have words", file)
    shown = " and ".join(repr(visible(names[place])) for place, _ in found[:_SHOWN])
    return found, None if tier is not None else f"the words are those of the tier{'s' * (len(found) > 1)} {shown}"


def _folded(name: str) -> str:
    return name.strip().casefold()


def _speaker(name: str, asked: Sequence[str]) -> str | None:
    before, mark, what = name.rpartition(" - ")
    if not mark:
        what, mark, before = name.partition("@")
    return before.strip() or None if mark and _folded(what) in map(_folded, asked) else None


def _is_called(name: str, asked: Sequence[str]) -> bool:
    return _folded(name) in map(_folded, asked) or _speaker(name, asked) is not None


def _unclear(names: Sequence[str], message: str, file: str | None) -> InputError:
    if names:
        more = f" and {number_of(len(names) - _SHOWN, 'other')}" if len(names) > _SHOWN else ""
        message += f"; the tiers are {', '.join(repr(visible(name)) for name in names[:_SHOWN])}{more}"
    return InputError(Problem("tier", message, file=file))


def tier_utterances(
    chosen: Sequence[tuple[str | None, Iterable[tuple[str, Times, int]]]], whole: str | None, **facts: Any
) -> tuple[list[Utterance], list[str]]:
    """An utterance for each speaker and the labels of a tier with their times and lines, and what to say about them.

    The name of the whole file is the id, with the speaker behind it where there are several. Marks of silence are left
    out, and labels are split into words.
    """
    made, several = [], False
    for speaker, labels in chosen:
        found = TimedWords()
        for label, when, line in labels:
            words = [word for word in split_words(encode(label)) if word.casefold() not in TIER_MARKS]
            several = several or len(words) > 1
            found.share(words, when, line)
        id = f"{whole}-{speaker}" if whole and speaker and len(chosen) > 1 else whole or speaker
        made.append(found.utterance(id=id, speaker=speaker, **facts))
    return made, [_SHARED] if several else []
