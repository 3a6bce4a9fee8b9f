"""Finds the tier of a file that has the words, by its name or by a guess.

>>> choose_tiers(["Words", "phones"], None)
([(0, None)], ["the words are those of the tier 'Words'"])
>>> choose_tiers(["ann - words", "ann - phones", "bo - words"], None)
([(0, 'ann'), (2, 'bo')], ["the words are those of the tiers 'ann - words' and 'bo - words'"])
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

#: Names of tiers of words, in any case.
_WORDS = ("words", "word")
#: Names of tiers of sounds, which are used as words only if they are named.
_SOUNDS = ("phones", "phone", "phonemes", "phoneme")
_SHOWN = 20
#: Note on times of single words.
_SHARED = "some labels have several words, which share the time of the label by their characters"


def choose_tiers(
    names: Sequence[str], tier: str | None, *, points: Sequence[str] = (), file: str | None = None
) -> tuple[list[tuple[int, str | None]], list[str]]:
    """The numbers of the tiers of words with their speakers, and notes if they were guessed.

    A tier of a speaker is called `speaker - words`, as by the Montreal Forced Aligner, or `words@speaker`. Tiers of
    `points` have no words.
    """
    wanted = [tier] if tier is not None else _WORDS
    chosen: list[tuple[int, str | None]] = []
    for key in (str, _folded):  # exact matches take precedence
        for title in wanted:
            chosen = chosen or [(place, None) for place, name in enumerate(names) if key(name) == key(title)]
    if len(chosen) > 1:  # tiers with the same name cannot be distinguished
        name = visible(names[chosen[0][0]])
        raise _unclear(names, f"there are {len(chosen)} tiers {name!r}; rename all but one", file)
    if not chosen:
        speakers = [(place, _speaker(name, wanted)) for place, name in enumerate(names)]
        chosen = [(place, speaker) for place, speaker in speakers if speaker is not None]
    if not chosen and tier is None and len(names) == 1 and not _is_called(names[0], _SOUNDS):
        chosen = [(0, None)]
    if not chosen:
        raise _unclear(names, _reason(names, tier, points), file)
    shown = " and ".join(repr(visible(names[place])) for place, _ in chosen[:_SHOWN])
    return chosen, [] if tier is not None else [f"the words are those of the tier{'s' * (len(chosen) > 1)} {shown}"]


def _reason(names: Sequence[str], tier: str | None, points: Sequence[str]) -> str:
    """The reason why no tier was chosen."""
    if tier is not None:
        if any(_is_called(name, [tier]) for name in points):
            return f"the tier {visible(tier)!r} has points, not intervals, and so no words"
        return f"there is no tier {visible(tier)!r}"
    if len(names) == 1:
        return "the only tier seems to have sounds, not words; if it has words, name it (--tier NAME)"
    unclear = "it is unclear which tier has the words; name it (--tier NAME)"
    return unclear if names else "there are no tiers that could have words"


def _folded(name: str) -> str:
    return name.strip().casefold()


def _speaker(name: str, names: Sequence[str]) -> str | None:
    before, mark, kind = name.rpartition(" - ")
    if not mark:
        kind, mark, before = name.partition("@")
    return before.strip() or None if mark and _folded(kind) in map(_folded, names) else None


def _is_called(name: str, names: Sequence[str]) -> bool:
    return _folded(name) in map(_folded, names) or _speaker(name, names) is not None


def _unclear(names: Sequence[str], message: str, file: str | None) -> InputError:
    if names:
        more = f" and {number_of(len(names) - _SHOWN, 'other')}" if len(names) > _SHOWN else ""
        message += f"; the tiers are {', '.join(repr(visible(name)) for name in names[:_SHOWN])}{more}"
    return InputError(Problem("tier", message, file=file))


def tier_utterances(
    chosen: Sequence[tuple[str | None, Iterable[tuple[str, Times, int]]]], whole: str | None, **facts: Any
) -> tuple[list[Utterance], list[str]]:
    """An utterance for each speaker, from the labels of a tier with times and lines, and notes.

    The id is the name of the file, followed by the speaker if there are several. Marks of silence are left out, and
    labels are split into words.
    """
    utterances, are_shared = [], False
    for speaker, labels in chosen:
        words_of_tier = TimedWords()
        for label, when, line in labels:
            words = [word for word in split_words(encode(label)) if word.casefold() not in TIER_MARKS]
            are_shared = are_shared or len(words) > 1
            words_of_tier.share(words, when, line)
        id = f"{whole}-{speaker}" if whole and speaker and len(chosen) > 1 else whole or speaker
        utterances.append(words_of_tier.utterance(id=id, speaker=speaker, **facts))
    return utterances, [_SHARED] if are_shared else []
