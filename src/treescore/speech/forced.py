"""Forced alignment of a known text with a recording, by PocketSphinx and its English model.

Properties of the decoder that this module handles: the default beams may lose the text, and wider beams may lose words
silently; a decoder that has failed keeps failing; other decoders adapt to earlier recordings; and a word that is not in
the dictionary is an error.
"""

from __future__ import annotations

import re

from ..values.value import Value
from .audio import RATE, library

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
FRAMES = 100  # per second
#: Beams of the search, narrowest first: beam and phone beam; None for the decoder's defaults.
BEAMS: tuple[tuple[float, float] | None, ...] = (None, (1e-56, 1e-36), (1e-64, 1e-48), (1e-80, 1e-60))
_FILLERS = frozenset(("<s>", "</s>", "<sil>", "(NULL)", "[NOISE]", "[SPEECH]"))
_MARK = re.compile(r"\([0-9]+\)$")
_BRACKETS = re.compile(r"[()<>{}\[\]]")  # mark pronunciations and noises in the decoder's dictionary
_ESCAPES = {ord(mark): f"%{ord(mark):x}" for mark in " %()<>{}[]"}
_HISSING = frozenset(("S", "Z", "SH", "ZH", "CH", "JH"))
_VOICELESS = frozenset(("P", "T", "K", "F", "TH"))
_MIN_SECONDS = 0.05


class NotAligned(Exception):
    """An utterance that could not be aligned; `code` is the kind of the reason."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Segment(Value):
    """A word in the decoder's output, with its first and last frame."""

    word: str
    first: int
    last: int


def version() -> str:
    """The name and version of the aligner."""
    from importlib.metadata import version as installed

    return f"pocketsphinx {installed('pocketsphinx')}"


def make_decoder(beams: tuple[float, float] | None) -> Any:
    """A new decoder, which takes about half a second."""
    sphinx = library("pocketsphinx")
    wider = {} if beams is None else {"beam": beams[0], "pbeam": beams[1]}
    return sphinx.Decoder(samprate=RATE, lm=None, loglevel="FATAL", **wider)


class ForcedAligner:
    """Aligns words with recordings; keeps its decoders until they fail.

    `pronunciations` take precedence over the model's dictionary.
    """

    def __init__(
        self,
        pronunciations: Pronunciations | None = None,
        *,
        make: Callable[[tuple[float, float] | None], Any] = make_decoder,
    ) -> None:
        self._own = pronunciations or {}
        self._either: Pronunciations = {}  # pronunciations of words that may be spelt out, by a name that no word has
        self._make = make
        self._decoders: dict[tuple[float, float] | None, Any] = {}
        self._added: dict[tuple[float, float] | None, set[str]] = {}

    def _decoder(self, beams: tuple[float, float] | None) -> Any:
        if beams not in self._decoders:
            self._decoders[beams] = self._make(beams)
            self._added[beams] = set()
        return self._decoders[beams]

    def __contains__(self, word: object) -> bool:
        """Is a word in one of the dictionaries?"""
        return isinstance(word, str) and bool(self.phones(word))

    def phones(self, word: str) -> tuple[str, ...] | None:
        """The first pronunciation of a lower-case word; None for an unknown word."""
        if word in self._own:
            return self._own[word][0]
        return self._listed(word) or self._possessive(word)

    def _listed(self, word: str) -> tuple[str, ...] | None:
        """The first pronunciation in the decoder's dictionary."""
        if not word or not word.isprintable() or _BRACKETS.search(word):
            return None
        phones = self._decoder(None).lookup_word(word)
        return tuple(phones.split()) if phones else None

    def _possessive(self, word: str) -> tuple[str, ...] | None:
        """The pronunciation of a possessive (Kowalski's, Kowalskis') whose stem is in the dictionary."""
        stem = word.removesuffix("'s") if word.endswith("'s") else word.removesuffix("'")
        if stem == word or not stem or "'" in stem:
            return None
        base = self.phones(stem)
        if base is None or not word.endswith("s"):
            return base
        end = ("IH", "Z") if base[-1] in _HISSING else ("S",) if base[-1] in _VOICELESS else ("Z",)
        return (*base, *end)

    def reading(self, word: Spoken) -> Reading | None:
        """The first reading of a word whose parts are all in the dictionaries."""
        return next((reading for reading in word.readings if all(part in self for part in reading)), None)

    def _targets(self, word: Spoken) -> Reading | None:
        """The dictionary entries to align: words, or an entry for a word that may be spelt out."""
        reading = self.reading(word)
        if reading is None or len(reading) > 1 or reading[0] in self._own or not word.spelt:
            return reading
        letters = [self.phones(letter) for letter in word.spelt]
        if None in letters:
            return reading
        name = f"either: {reading[0]}"
        if name not in self._either:
            variants = [self.phones(reading[0]) or ()]
            while phones := self._decoder(None).lookup_word(f"{reading[0]}({len(variants) + 1})"):
                variants.append(tuple(phones.split()))
            variants.append(tuple(phone for spelt in letters for phone in spelt or ()))
            self._either[name] = tuple(dict.fromkeys(variants))
        return (name,)

    def align(self, sound: Sound, words: Sequence[Spoken]) -> Placed:
        """Each word with its begin and end in seconds. Raises NotAligned."""
        if not words:
            raise NotAligned("no-words", "there are no words to align")
        readings = [self._targets(word) for word in words]
        missing = list(dict.fromkeys(word.text for word, reading in zip(words, readings, strict=True) if not reading))
        if missing:
            listed = ", ".join(missing)
            raise NotAligned("dictionary", f"not in the pronunciation dictionary: {listed}; add it with --dict")
        if sound.seconds < _MIN_SECONDS:
            raise NotAligned("audio", f"a recording of {sound.seconds:g} seconds is too short")
        segments = self._search(sound, [part for reading in readings for part in reading or ()])
        if segments is None:
            raise NotAligned("lost", "these words could not be found in the recording")
        placed, start = [], 0
        for word, reading in zip(words, readings, strict=True):
            end = start + len(reading or ())
            first, last = segments[start].first, segments[end - 1].last
            placed.append((word.text, first / FRAMES, min((last + 1) / FRAMES, sound.seconds)))
            start = end
        return placed

    def _search(self, sound: Sound, targets: Sequence[str]) -> list[Segment] | None:
        """The segments by the narrowest beams that find all words; None if none do."""
        for beams in BEAMS:
            decoder = self._decoder(beams)
            names = [self._name_in(beams, decoder, word) for word in targets]
            try:
                segments = _decode(decoder, sound, " ".join(names))
            except RuntimeError:  # the decoder reports failures only by this error
                segments = []
            if [segment.word for segment in segments] == names:
                return segments
            del self._decoders[beams]  # it would keep failing
        return None

    def _name_in(self, beams: tuple[float, float] | None, decoder: Any, word: str) -> str:
        """The name of a word in the decoder's dictionary, to which unknown words are added."""
        own = self._own.get(word) or self._either.get(word)
        if own is None and decoder.lookup_word(word):
            return word
        name = f"own:{word.translate(_ESCAPES)}"  # the pronunciation of a known word cannot be changed
        if name not in self._added[beams]:
            for number, phones in enumerate(own or [self.phones(word) or ()], 1):
                decoder.add_word(name if number == 1 else f"{name}({number})", " ".join(phones), True)
            self._added[beams].add(name)
        return name


def _decode(decoder: Any, sound: Sound, text: str) -> list[Segment]:
    """The segments of the words, without pauses and noises."""
    decoder.reinit_feat()  # otherwise earlier recordings would affect the boundaries
    decoder.set_align_text(text)
    decoder.start_utt()
    decoder.process_raw(sound.samples, full_utt=True)
    decoder.end_utt()
    return [
        Segment(_MARK.sub("", segment.word), segment.start_frame, segment.end_frame)
        for segment in decoder.seg() or ()
        if segment.word not in _FILLERS
    ]
