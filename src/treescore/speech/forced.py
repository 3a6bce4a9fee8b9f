"""Forced alignment of a known text with a recording, by PocketSphinx and its English model, or another one.

Properties of the decoder that this module handles: the default beams may lose the text, and wider beams may lose words
silently; a decoder that has failed keeps failing; other decoders adapt to earlier recordings; and a word that is not in
the dictionary is an error. Pronunciations of such words are guessed.
"""

from __future__ import annotations

import re

from ..values.value import Value
from .audio import FRAMES, RATE, library
from .confidence import Listener, decoded, score_of
from .readings import without_accents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from ..readers.pronunciations import Pronunciations
    from .acoustic import AcousticModel
    from .audio import Sound
    from .confidence import Confidence
    from .readings import Reading, Spoken

    Phones = tuple[str, ...]
    Placed = list[tuple[str, float, float]]

_VOWELS = "AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW"
_CONSONANTS = "B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH"
#: The phones of the model, without numbers for stress.
PHONES = frozenset(f"{_VOWELS} {_CONSONANTS}".split())
#: Beams of the search, narrowest first: beam and phone beam; None for the decoder's defaults.
BEAMS: tuple[tuple[float, float] | None, ...] = (None, (1e-56, 1e-36), (1e-64, 1e-48), (1e-80, 1e-60))
_MARK = re.compile(r"(.*)\(([0-9]+)\)", re.DOTALL)
_BRACKETS = re.compile(r"[()<>{}\[\]]")  # mark pronunciations and noises in the decoder's dictionary
_ESCAPES = {ord(mark): f"%{ord(mark):x}" for mark in " %()<>{}[]"}
_HISSING = frozenset(("S", "Z", "SH", "ZH", "CH", "JH"))
_VOICELESS = frozenset(("P", "T", "K", "F", "TH"))
_MIN_SECONDS = 0.05
_EITHER = "either: "  # before several readings
_GUESSES = 3  # pronunciations of a word that no dictionary has
_MOST_SPELT = 8  # consonants; longer runs are not spelt out
_WITHOUT_VOWELS = re.compile(f"[b-df-hj-np-tv-xz]{{2,{_MOST_SPELT}}}")


class NotAligned(Exception):
    """An utterance that could not be aligned; `code` is the kind of the reason."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Segment(Value):
    """A word in the decoder's output, with its first and last frame, the number of its pronunciation, and its score.

    Pronunciations are numbered from 0. The word of a pause is empty.
    """

    word: str
    first: int
    last: int
    variant: int
    score: float


def version(model: AcousticModel | None = None) -> str:
    """The name and version of the aligner."""
    from importlib.metadata import version as installed

    return f"pocketsphinx {installed('pocketsphinx')}" + ("" if model is None else f", model {model.mark}")


def make_decoder(
    beams: tuple[float, float] | None, model: AcousticModel | None = None, *, comparable: bool = False
) -> Any:
    """A new decoder, which takes about half a second. With a model of another language, it has no dictionary.

    Scores of different decoders are `comparable` only if all states are scored, which takes four times as long and
    does not change times.
    """
    sphinx = library("pocketsphinx")
    options = {} if beams is None else {"beam": beams[0], "pbeam": beams[1]}
    other = {} if model is None else {"hmm": model.folder, "dict": None}
    return sphinx.Decoder(samprate=RATE, lm=None, loglevel="FATAL", compallsen=comparable, **options, **other)


class ForcedAligner:
    """Aligns words with recordings; keeps its decoders until they fail.

    `pronunciations` take precedence over the model's dictionary. Pronunciations of words in neither are guessed, and
    the alternative that fits the recording is used. With a `model` of another language, all pronunciations must be
    given, and there is no confidence.
    """

    def __init__(
        self,
        pronunciations: Pronunciations | None = None,
        *,
        model: AcousticModel | None = None,
        confidence: bool = False,
        make: Callable[[tuple[float, float] | None], Any] | None = None,
    ) -> None:
        self._english = model is None
        self._own = pronunciations or {}
        #: The guessed pronunciations of words in the last recording; those that fit the recording are first.
        self.guessed: Pronunciations = {}
        self._guesses: Pronunciations = {}  # of unknown words, or of the stems of possessives
        self._either: Pronunciations = {}  # pronunciations of words with several readings, by a name that no word has
        self._wholes: dict[str, str] = {}  # the words that these names are of, if they are in one piece
        #: The confidence of the last recording, if `confidence` was requested.
        self.confidence: Confidence | None = None
        self._listener = Listener(PHONES) if confidence and model is None else None
        self._make = make or (lambda beams: make_decoder(beams, model, comparable=self._listener is not None))
        self._decoders: dict[tuple[float, float] | None, Any] = {}

    def _decoder(self, beams: tuple[float, float] | None) -> Any:
        if beams not in self._decoders:
            self._decoders[beams] = self._make(beams)
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

    def _possessive(self, word: str) -> Phones | None:
        """The pronunciation of a possessive (Kowalski's, Kowalskis') whose stem is in the dictionary."""
        stem = _stem(word)
        base = self.phones(stem) if stem != word and self._english else None
        return None if base is None else _with_ending(base, word)

    def _guess(self, word: str) -> tuple[Phones, ...]:
        """Possible pronunciations of a word that no dictionary has; none for a word without English letters."""
        if not self._english:
            return ()
        if word not in self._guesses:
            from .letter_to_sound import load

            letters = without_accents(_stem(word))
            spelt = self._joined(f"{letter}." for letter in letters) if _WITHOUT_VOWELS.fullmatch(letters) else None
            guesses = load().guesses(letters, _GUESSES)
            self._guesses[word] = tuple(dict.fromkeys((spelt, *guesses) if spelt else guesses))[:_GUESSES]
        return tuple(_with_ending(phones, word) for phones in self._guesses[word])

    def _joined(self, words: Iterable[str]) -> Phones | None:
        """The phones of several words; None if one is not in the dictionaries."""
        parts = [self.phones(word) for word in words]
        return None if None in parts else tuple(phone for part in parts for phone in part or ())

    def reading(self, word: Spoken) -> Reading | None:
        """The first reading whose parts are all in the dictionaries, or the first whose other parts can be guessed."""
        for is_usable in (self.__contains__, lambda part: part in self or self._guess(part)):
            for reading in word.readings:
                if all(map(is_usable, reading)):
                    return reading
        return None

    def _targets(self, word: Spoken) -> Reading | None:
        """The dictionary entries to align: words, or an entry for a word with several readings."""
        reading = self.reading(word)
        if reading is None or reading[0] in self._own:
            return reading
        others = filter(None, map(self._joined, (other for other in word.others if other != reading)))
        whole = _whole(reading)
        if whole and reading in word.others and "." not in word.text and not _WITHOUT_VOWELS.fullmatch(whole):
            variants = (*self._guess(whole), self._joined(reading) or ())  # BLEU may be a word
        else:
            whole = reading[0] if len(reading) == 1 else ""
            variants = self._variants(whole) if whole else tuple(filter(None, [self._joined(reading)]))
            alternatives = tuple(others)
            if not variants or not alternatives:
                return reading
            variants += alternatives
        name = f"{_EITHER}{' or '.join(' '.join(each) for each in (reading, *word.others))}"
        self._either[name] = tuple(dict.fromkeys(variants))
        self._wholes[name] = whole
        return (name,)

    def _variants(self, word: str) -> tuple[Phones, ...]:
        """All pronunciations of a word, guessed if there are none in the dictionaries."""
        known = self.phones(word)
        if known is None:
            return self._guess(word)
        variants = [known]
        while phones := self._decoder(None).lookup_word(f"{word}({len(variants) + 1})"):
            variants.append(tuple(phones.split()))
        return tuple(variants)

    def align(self, sound: Sound, words: Sequence[Spoken]) -> Placed:
        """Each word with its begin and end in seconds. Raises NotAligned."""
        if not words:
            raise NotAligned("no-words", "there are no words to align")
        readings = [self._targets(word) for word in words]
        missing = list(dict.fromkeys(word.text for word, reading in zip(words, readings, strict=True) if not reading))
        if missing:
            listed = ", ".join(missing)
            letters = ", and not in English letters" if self._english else ""
            message = f"not in the pronunciation dictionary{letters}: {listed}; add it with --dict"
            raise NotAligned("dictionary", message)
        if sound.seconds < _MIN_SECONDS:
            raise NotAligned("audio", f"a recording of {sound.seconds:g} seconds is too short")
        targets = [part for reading in readings for part in reading or ()]
        everything = self._search(sound, targets)
        if everything is None:
            raise NotAligned("lost", "these words could not be found in the recording")
        segments = [segment for segment in everything if segment.word]
        self.guessed = self._fitting(targets, segments)
        of_words, start = [], 0
        for reading in readings:
            end = start + len(reading or ())
            of_words.append(segments[start:end])
            start = end
        pauses = [segment for segment in everything if not segment.word]
        self.confidence = self._confidence(sound, targets, of_words, pauses)
        return [
            (word.text, own[0].first / FRAMES, min((own[-1].last + 1) / FRAMES, sound.seconds))
            for word, own in zip(words, of_words, strict=True)
        ]

    def _confidence(
        self,
        sound: Sound,
        targets: Sequence[str],
        of_words: Sequence[Sequence[Segment]],
        pauses: Sequence[Segment],
    ) -> Confidence | None:
        """The confidence of words that consist of one or more segments; None if it cannot be computed."""
        if self._listener is None:
            return None
        *words, silent = (
            [(segment.first, segment.last, segment.score) for segment in own] for own in (*of_words, pauses)
        )
        try:
            names = [self._name_in(self._listener.decoder, target) for target in targets]
            return self._listener.confidence(sound, words, silent, names)
        except RuntimeError:  # of the decoder; the times remain
            return None

    def _fitting(self, targets: Sequence[str], segments: Sequence[Segment]) -> Pronunciations:
        """The guessed pronunciations; those that the decoder has chosen are first."""
        guessed: Pronunciations = {}
        for target, segment in zip(targets, segments, strict=True):
            word = self._wholes.get(target, target)
            if word in self._guesses:
                variants = self._either.get(target) or self._guesses[word]
                stem = _stem(word)
                guessed[stem] = tuple(dict.fromkeys((variants[segment.variant], *guessed.get(stem, ()), *variants)))
        return guessed

    def _search(self, sound: Sound, targets: Sequence[str]) -> list[Segment] | None:
        """The segments and pauses by the narrowest beams that find all words; None if none do."""
        for beams in BEAMS:
            decoder = self._decoder(beams)
            names = [self._name_in(decoder, word) for word in targets]
            try:
                segments = _decode(decoder, sound, names)
            except RuntimeError:  # the decoder reports failures only by this error
                segments = []
            if [segment.word for segment in segments if segment.word] == names:
                return segments
            del self._decoders[beams]  # it would keep failing
        return None

    def _name_in(self, decoder: Any, word: str) -> str:
        """The name of a word in the decoder's dictionary, to which unknown words are added."""
        own = self._own.get(word) or self._either.get(word)
        if own is None and decoder.lookup_word(word):
            return word
        name = f"own:{word.translate(_ESCAPES)}"  # the pronunciation of a known word cannot be changed
        if not decoder.lookup_word(name):
            known = self.phones(word)
            for number, phones in enumerate(own or ([known] if known else self._guess(word)), 1):
                decoder.add_word(name if number == 1 else f"{name}({number})", " ".join(phones), True)
        return name


def _decode(decoder: Any, sound: Sound, names: Sequence[str]) -> list[Segment]:
    """The segments of the words, and pauses and noises."""
    decoder.set_align_text(" ".join(names))
    words = frozenset(names)
    segments = []
    for segment in decoded(decoder, sound):
        marked = _MARK.fullmatch(segment.word)
        word, variant = (marked[1], int(marked[2]) - 1) if marked else (segment.word, 0)
        name = word if word in words else ""
        segments.append(Segment(name, segment.start_frame, segment.end_frame, variant, score_of(segment.ascore)))
    return segments


def _whole(reading: Reading) -> str:
    """The word of which a reading is the letters; empty for other readings.

    >>> _whole(("u.", "s.")), _whole(("no",))
    ('us', '')
    """
    is_spelt = len(reading) > 1 and all(len(part) == 2 and part[1] == "." for part in reading)
    return "".join(part[0] for part in reading) if is_spelt else ""


def _stem(word: str) -> str:
    """The word without the ending of a possessive.

    >>> _stem("kowalski's"), _stem("kowalskis'"), _stem("rock'n'"), _stem("'s")
    ('kowalski', 'kowalskis', "rock'n'", "'s")
    """
    stem = word.removesuffix("'s") if word.endswith("'s") else word.removesuffix("'")
    return word if not stem or "'" in stem else stem


def _with_ending(base: Phones, word: str) -> Phones:
    """The pronunciation of a word, of which its stem has this pronunciation.

    >>> _with_ending(("B", "AA", "S"), "boss's"), _with_ending(("B", "EH", "N"), "ben's"), _with_ending(("B",), "b'")
    (('B', 'AA', 'S', 'IH', 'Z'), ('B', 'EH', 'N', 'Z'), ('B',))
    """
    if not word.endswith("'s"):
        return base
    return (*base, *(("IH", "Z") if base[-1] in _HISSING else ("S",) if base[-1] in _VOICELESS else ("Z",)))
