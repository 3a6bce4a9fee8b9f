"""Forced alignment: when was each word of a known text said? By PocketSphinx and the English model that it brings.

What this module takes care of: the usual beams may lose the text, wider ones may lose words without saying so, a
decoder that has failed once goes on failing, one that has not remembers what it heard, and a word that the dictionary
does not have is an error of the decoder.
"""

from __future__ import annotations

import re

from ..values.value import Value
from .audio import RATE
from .extra import library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ..readers.pronunciations import Pronunciations
    from .audio import Sound
    from .readings import Reading, Spoken

    Placed = list[tuple[str, float, float]]

_VOWELS = "AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW"
_CONSONANTS = "B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH"
#: The phones of the model, without numbers for stress.
PHONES = frozenset(f"{_VOWELS} {_CONSONANTS}".split())
FRAMES = 100  # in a second
#: How far the search looks, narrow first: beam and beam for phones; None for the decoder's own.
BEAMS: tuple[tuple[float, float] | None, ...] = (None, (1e-56, 1e-36), (1e-64, 1e-48), (1e-80, 1e-60))
_FILLERS = frozenset(("<s>", "</s>", "<sil>", "(NULL)", "[NOISE]", "[SPEECH]"))
_MARK = re.compile(r"\([0-9]+\)$")
_BRACKETS = re.compile(r"[()<>{}\[\]]")  # mark pronunciations and noises in the decoder's dictionary
_ESCAPES = {ord(mark): f"%{ord(mark):x}" for mark in " %()<>{}[]"}
_HISSING = frozenset(("S", "Z", "SH", "ZH", "CH", "JH"))
_VOICELESS = frozenset(("P", "T", "K", "F", "TH"))
_SHORTEST = 0.05  # seconds; nothing can be found in less


class NotAligned(Exception):
    """An utterance that could not be aligned; `code` is the kind of reason."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Segment(Value):
    """A word as the decoder found it, with its first and its last frame."""

    word: str
    first: int
    last: int


def version() -> str:
    """What makes the times, for the record."""
    from importlib.metadata import version as installed

    return f"pocketsphinx {installed('pocketsphinx')}"


def make_decoder(beams: tuple[float, float] | None) -> Any:
    """A new decoder; making one takes about half a second."""
    sphinx = library("pocketsphinx")
    wider = {} if beams is None else {"beam": beams[0], "pbeam": beams[1]}
    return sphinx.Decoder(samprate=RATE, lm=None, loglevel="FATAL", **wider)


class ForcedAligner:
    """Finds the times of words; keeps its decoders as long as they work.

    `pronunciations` are words of your own; they come before those of the model's dictionary.
    """

    def __init__(
        self,
        pronunciations: Pronunciations | None = None,
        *,
        make: Callable[[tuple[float, float] | None], Any] = make_decoder,
    ) -> None:
        self._own = pronunciations or {}
        self._either: Pronunciations = {}  # of words that may be spelt, by a name that no word has
        self._make = make
        self._decoders: dict[tuple[float, float] | None, Any] = {}
        self._added: dict[tuple[float, float] | None, set[str]] = {}

    def _decoder(self, beams: tuple[float, float] | None) -> Any:
        if beams not in self._decoders:
            self._decoders[beams] = self._make(beams)
            self._added[beams] = set()
        return self._decoders[beams]

    def __contains__(self, word: object) -> bool:
        """Is it in one of the dictionaries?"""
        return isinstance(word, str) and bool(self.phones(word))

    def phones(self, word: str) -> tuple[str, ...] | None:
        """The first pronunciation of a word in small letters; None for a word without one."""
        if word in self._own:
            return self._own[word][0]
        return self._listed(word) or self._possessive(word)

    def _listed(self, word: str) -> tuple[str, ...] | None:
        """What the decoder's dictionary has."""
        if not word or not word.isprintable() or _BRACKETS.search(word):
            return None
        found = self._decoder(None).lookup_word(word)
        return tuple(found.split()) if found else None

    def _possessive(self, word: str) -> tuple[str, ...] | None:
        """Kowalski's, where the dictionary has Kowalski; and the Kowalskis'."""
        stem = word.removesuffix("'s") if word.endswith("'s") else word.removesuffix("'")
        if stem == word or not stem or "'" in stem:
            return None
        base = self.phones(stem)
        if base is None or not word.endswith("s"):
            return base
        end = ("IH", "Z") if base[-1] in _HISSING else ("S",) if base[-1] in _VOICELESS else ("Z",)
        return (*base, *end)

    def reading(self, word: Spoken) -> Reading | None:
        """The first way to read a word of which the dictionaries have all."""
        return next((reading for reading in word.readings if all(part in self for part in reading)), None)

    def _sought(self, word: Spoken) -> Reading | None:
        """The names of what is looked for: of words, or of one that may be said as a word or letter by letter."""
        reading = self.reading(word)
        if reading is None or len(reading) > 1 or reading[0] in self._own or not word.spelt:
            return reading
        letters = [self.phones(letter) for letter in word.spelt]
        if None in letters:
            return reading
        name = f"either: {reading[0]}"
        if name not in self._either:
            found = [self.phones(reading[0]) or ()]
            while more := self._decoder(None).lookup_word(f"{reading[0]}({len(found) + 1})"):
                found.append(tuple(more.split()))
            found.append(tuple(phone for phones in letters for phone in phones or ()))
            self._either[name] = tuple(dict.fromkeys(found))
        return (name,)

    def align(self, sound: Sound, words: Sequence[Spoken]) -> Placed:
        """Each word with the seconds at which it begins and ends. Raises NotAligned."""
        if not words:
            raise NotAligned("no-words", "nothing is said in it: there are no words to look for")
        readings = [self._sought(word) for word in words]
        missing = list(dict.fromkeys(word.text for word, reading in zip(words, readings, strict=True) if not reading))
        if missing:
            listed = ", ".join(missing)
            raise NotAligned("dictionary", f"not in the dictionary of pronunciations: {listed}; add it with --dict")
        if sound.seconds < _SHORTEST:
            raise NotAligned("audio", f"a recording of {sound.seconds:g} seconds is too short")
        asked = [part for reading in readings for part in reading or ()]
        found = self._search(sound, asked)
        if found is None:
            raise NotAligned("lost", "these words could not be found in the recording")
        placed, at = [], 0
        for word, reading in zip(words, readings, strict=True):
            first, last = found[at], found[at + len(reading or ()) - 1]
            at += len(reading or ())
            placed.append((word.text, first.first / FRAMES, min((last.last + 1) / FRAMES, sound.seconds)))
        return placed

    def _search(self, sound: Sound, asked: Sequence[str]) -> list[Segment] | None:
        """The words by the narrowest beams that find them all; None if none do."""
        for beams in BEAMS:
            decoder = self._decoder(beams)
            names = [self._taught(beams, decoder, word) for word in asked]
            try:
                found = _decoded(decoder, sound, " ".join(names))
            except RuntimeError:  # the decoder's only way to say that it failed
                found = []
            if [segment.word for segment in found] == names:
                return found
            del self._decoders[beams]  # it would go on failing
        return None

    def _taught(self, beams: tuple[float, float] | None, decoder: Any, word: str) -> str:
        """The name under which the decoder knows a word; what it does not know is added to its dictionary."""
        own = self._own.get(word) or self._either.get(word)
        if own is None and decoder.lookup_word(word):
            return word
        name = f"own:{word.translate(_ESCAPES)}"  # a word that is there cannot be given another pronunciation
        if name not in self._added[beams]:
            for number, phones in enumerate(own or [self.phones(word) or ()], 1):
                decoder.add_word(name if number == 1 else f"{name}({number})", " ".join(phones), True)
            self._added[beams].add(name)
        return name


def _decoded(decoder: Any, sound: Sound, text: str) -> list[Segment]:
    """The words that the decoder places, without pauses and noises."""
    decoder.reinit_feat()  # else what it has heard before would move boundaries
    decoder.set_align_text(text)
    decoder.start_utt()
    decoder.process_raw(sound.samples, full_utt=True)
    decoder.end_utt()
    found = decoder.seg()
    return [
        Segment(_MARK.sub("", segment.word), segment.start_frame, segment.end_frame)
        for segment in found or ()
        if segment.word not in _FILLERS
    ]
