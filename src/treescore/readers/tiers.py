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
from .turns import Turn, utterances_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    from ..words.transcript import Times
    from ..words.utterance import InColumns, Utterance

    class AnyLabels(Protocol):
        """Labels in Python objects or native columns."""

        def are_utterances(self) -> bool: ...
        def spoken(self) -> list[tuple[list[str], Times, int | None]]: ...
        def utterance(
            self, id: str | None, speaker: str | None, begin: float | None, end: float | None
        ) -> tuple[Utterance | InColumns, bool]: ...


#: Names of tiers of words, in any case.
_WORDS = ("words", "word")
#: Names of tiers of sounds, which are used as words only if they are named.
_SOUNDS = ("phones", "phone", "phonemes", "phoneme")
#: Names of tiers of utterances that are not names of speakers.
_GENERAL = frozenset(
    f"{name}{end}"
    for name in ("word", "utterance", "utt", "text", "transcript", "transcription", "sentence", "segment", "phrase")
    for end in ("", "s")
) | {"ort", "orthography", "default"}
_SHOWN = 20
#: Note on times of single words.
_LABELS_ARE_UTTERANCES = "labels of several words are utterances; their words have no times (unless interpolated)"
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
    kind, mark, speaker = name.partition("@")
    if mark and _folded(kind) in map(_folded, names):
        return speaker.strip() or None
    for title in map(_folded, names):
        before = name[: len(name.rstrip()) - len(title)].rstrip()
        if _folded(name).endswith(title) and before.endswith("-"):
            return before[:-1].strip() or None
    return None


def _is_called(name: str, names: Sequence[str]) -> bool:
    return _folded(name) in map(_folded, names) or _speaker(name, names) is not None


def _unclear(names: Sequence[str], message: str, file: str | None) -> InputError:
    if names:
        more = f" and {number_of(len(names) - _SHOWN, 'other')}" if len(names) > _SHOWN else ""
        message += f"; the tiers are {', '.join(repr(visible(name)) for name in names[:_SHOWN])}{more}"
    return InputError(Problem("tier", message, file=file))


class Labels:
    """The labels of a tier with their times and lines."""

    def __init__(self, labels: Sequence[tuple[str, Times, int | None]]) -> None:
        self._spoken = [(_words(label), when, line) for label, when, line in labels]

    def are_utterances(self) -> bool:
        """Does the median label have two words or more?"""
        sizes = sorted(len(words) for words, _, _ in self._spoken if words)
        return bool(sizes) and sizes[(len(sizes) - 1) // 2] + sizes[len(sizes) // 2] >= 4

    def spoken(self) -> list[tuple[list[str], Times, int | None]]:
        """The words of each label without marks of silence, its time and line."""
        return self._spoken

    def utterance(
        self, id: str | None, speaker: str | None, begin: float | None, end: float | None
    ) -> tuple[Utterance, bool]:
        """All words as an utterance; and has any label several words?"""
        words_of_tier = TimedWords()
        for words, when, line in self._spoken:
            words_of_tier.share(words, when, line)
        are_shared = any(len(words) > 1 for words, _, _ in self._spoken)
        return words_of_tier.utterance(id=id, speaker=speaker, begin=begin, end=end), are_shared


def tier_utterances(
    chosen: Sequence[tuple[str, str | None, AnyLabels]],
    whole: str | None,
    *,
    named_after_speakers: bool = False,
    begin: float | None = None,
    end: float | None = None,
) -> tuple[list[Utterance | InColumns], list[str]]:
    """The utterances of tiers, given by name, speaker, and labels; and notes.

    A tier of single words is an utterance, whose id is the name of the file, followed by the speaker if there are
    several; a label of several words is split into words, which share its time. If the median label has several words,
    each label is an utterance. Marks of silence are left out. Tiers without a speaker may be `named_after_speakers`.
    """
    utterances: list[Utterance | InColumns] = []
    notes: dict[str, None] = {}
    for title, speaker, labels in chosen:
        if labels.are_utterances():
            notes[_LABELS_ARE_UTTERANCES] = None
            if speaker is None and named_after_speakers and _folded(title) not in _GENERAL:
                speaker = title
            utterances += _label_utterances(labels.spoken(), speaker, "-".join(filter(None, (whole, speaker))))
            continue
        id = f"{whole}-{speaker}" if whole and speaker and len(chosen) > 1 else whole or speaker
        utterance, are_shared = labels.utterance(id, speaker, begin, end)
        if are_shared:
            notes[_SHARED] = None
        utterances.append(utterance)
    return utterances, [*notes]


def _words(label: str) -> list[str]:
    return [word for word in split_words(encode(label)) if word.casefold() not in TIER_MARKS]


def _label_utterances(
    labels: Iterable[tuple[list[str], Times, int | None]], speaker: str | None, id: str
) -> list[Utterance]:
    turns = []
    for words, when, line in labels:
        if words:
            begin, end = when or (None, None)
            turn = Turn(line=line, speaker=speaker, begin=begin, end=end)
            turn.add_text(" ".join(words))
            turns.append(turn)
    return utterances_of(turns, id or None)
