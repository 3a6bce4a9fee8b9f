"""Confidence of forced alignment: does the recording contain these words, and no others?

The decoder places any words in any recording that is long enough. Its scores are therefore compared, frame by frame,
with the scores of a loop of phones, which recognises any speech; and a grammar in which words may be left out and other
phones may be spoken between words locates speech that the text lacks.
"""

from __future__ import annotations

from itertools import accumulate
from math import exp, log, sqrt
from operator import itemgetter

from ..values.value import Value
from .audio import FRAMES, RATE, library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from ..words.transcript import Times
    from .audio import Sound

    Piece = tuple[int, int, float]  # the first and last frame of a segment, and its score
    Span = tuple[int, int]  # the first frame, and the frame after the last one


class Measure(Value):
    """A measure of confidence and the code of what a low value means.

    Its confidence is 0.5 at the `threshold` and 0.95 at the `usual` value, the median of right transcripts. Both were
    chosen on the set `choose` of bench/alignment_confidence.py.
    """

    code: str
    threshold: float
    usual: float

    def level(self, value: float) -> float:
        """The confidence of a value, from 0 to 1.

        >>> [round(Measure("x", -60.0, -20.0).level(value), 3) for value in (-200.0, -60.0, -20.0)]
        [0.0, 0.5, 0.95]
        """
        steps = (value - self.threshold) / (self.usual - self.threshold) * log(19)
        return 1 / (1 + exp(-max(-500.0, min(500.0, steps))))


#: The mean difference between the score of the alignment and the score of the phone loop, over all frames of words, in
#: units per frame: low for another text. It also depends on the voice and on noise, so the next two are relative to it.
MEAN = Measure("other-text", -34.0, -4.7)
#: The lowest fit of a word, in units per square root of frames (`Confidence.of`): low for a word that was not spoken.
WORD = Measure("doubtful-word", -235.0, -80.0)
#: The lowest fit of the words at the time of other phones in the grammar: low for speech that is not in the text.
OTHER = Measure("missing-words", -190.0, -5.4)
#: The longest run of frames of speech that no word covers, negative.
LEFT = Measure("missing-words", -25.0, 0.0)
#: Utterances below this confidence are reported.
LEAST = 0.5

_UNIT = 1024 * log(1.0001)  # scores of alignments are shifted by ten bits in the decoder, scores of the loop are not
_FLOOR = -7275.0  # lower scores become 0 when the decoder exponentiates them

# The phone loop, with the model of sequences of phones that is installed with the acoustic model.
_PHONE_MODEL = "en-us/en-us-phone.lm.bin"
_LOOP = {"compallsen": True, "lw": 2.0, "pip": 0.3, "beam": 1e-20, "pbeam": 1e-20}

# The grammar. Without weights and penalties, probabilities are only those of its arcs. Beams of 1e-60 gave the same
# results for 21 transcripts and took twice as long; beams of 1e-30 changed two results.
_GRAMMAR = {"lw": 1.0, "wip": 1.0, "pip": 1.0, "beam": 1e-40, "pbeam": 1e-40, "wbeam": 1e-35, "bestpath": False}
_NAME = "text"  # of the grammar in the decoder
_PHONE = "phone:"  # before the names of other phones
_IS_OMITTED = 0.01  # probability that a word of the text was not spoken
_IS_OTHER = 1e-9  # probability of each phone that is not part of a word of the text


class Confidence(Value):
    """Confidences from 0 to 1 of an utterance and its words, and the measures that they are computed from.

    `left` is the longest speech that is not covered by a word, in seconds, `other_at` the speech that fits the words
    least; they are None if there is none.
    """

    utterance: float
    words: tuple[float, ...]
    mean: float
    worst: float
    other: float
    left: Times
    other_at: Times

    @classmethod
    def of(
        cls, difference: Sequence[float], words: Sequence[Sequence[Span]], left: Times, others: Sequence[Span]
    ) -> Confidence:
        """Compute the confidence from the difference of scores in each frame, and spans of frames.

        The fit of a word or other speech is the sum of its differences, less the mean of the utterance if it is
        negative, divided by the square root of the number of frames, as the sum of independent errors grows.

        >>> confidence = Confidence.of([0.0] * 9 + [-90.0] * 9, [[(0, 9)], [(9, 18)]], None, [(12, 16)])
        >>> confidence.words, confidence.mean, confidence.worst, confidence.other, confidence.other_at
        ((0.999, 0.87), -45.0, -135.0, -90.0, (0.12, 0.16))
        """
        sums = list(accumulate(difference, initial=0.0))
        frames = sum(end - start for spans in words for start, end in spans)
        mean = sum(sums[end] - sums[start] for spans in words for start, end in spans) / frames

        def fit(spans: Iterable[Span]) -> float:
            count = sum(end - start for start, end in spans)
            total = sum(sums[end] - sums[start] for start, end in spans)
            return (total - min(0.0, mean) * count) / sqrt(count)

        fits = [fit(spans) for spans in words]
        other, at = min(((fit([span]), span) for span in others), default=(0.0, None))
        levels = tuple(round(WORD.level(value), 3) for value in fits)
        fields = (round(mean, 1), round(min(fits), 1), round(other, 1), left, None if at is None else _seconds(at))
        utterance = min(level for level, _, _ in _levels(*fields))
        return cls(round(utterance, 3), levels, *fields)

    @classmethod
    def read(cls, fields: Any) -> Confidence | None:
        """Read the confidence in a line of word times; None if it is missing or incomplete."""
        try:
            words, left, at = tuple(map(float, fields["words"])), _span(fields["left"]), _span(fields["other_at"])
            utterance, mean, worst, other = (float(fields[name]) for name in ("utterance", "mean", "worst", "other"))
            return cls(utterance, words, mean, worst, other, left, at)
        except (KeyError, TypeError, ValueError):
            return None

    def values(self) -> dict[str, object]:
        """The fields by name, for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    def doubt(self, words: Sequence[str], times: Sequence[Times]) -> tuple[str, str]:
        """The code and a description of the first measure below `LEAST`, or else of the lowest one."""
        levels = _levels(*map(self.__getattribute__, self.__slots__[2:]))
        code, span = next((level for level in levels if level[0] < LEAST), min(levels, key=itemgetter(0)))[1:]
        if code == MEAN.code:
            return code, f"the recording probably contains another text (confidence {self.utterance:.2f})"
        if code == WORD.code and len(words) == len(self.words):
            number = self.words.index(min(self.words))
            return code, (
                f"“{words[number]}” {_at(times[number])} is probably not what was spoken"
                f" (confidence {self.utterance:.2f})"
            )
        return code, f"words are probably missing {_at(span)} (confidence {self.utterance:.2f})"


def _span(value: Any) -> Times:
    if value is None:
        return None
    start, end = map(float, value)
    return start, end


def _levels(mean: float, worst: float, other: float, left: Times, other_at: Times) -> list[tuple[float, str, Times]]:
    """The confidence by each measure, with its code and its span in seconds.

    Another text lowers all measures, speech before or after the text the fit of the words next to it, and a wrong word
    also the last measure, so an earlier one names the cause better.
    """
    uncovered_frames = 0 if left is None else round((left[1] - left[0]) * FRAMES)
    return [
        (MEAN.level(mean), MEAN.code, None),
        (LEFT.level(-uncovered_frames), LEFT.code, left),
        (WORD.level(worst), WORD.code, None),
        (OTHER.level(other), OTHER.code, other_at),
    ]


def _at(span: Times) -> str:
    return "" if span is None else f"at {span[0]:.2f}–{span[1]:.2f} s"


class Phone(Value):
    """A phone of the loop, or a pause, with its first and last frame and its score."""

    name: str
    first: int
    last: int
    score: float

    @property
    def is_speech(self) -> bool:
        """Not a pause or a noise."""
        return self.name != "SIL" and not self.name.startswith("+")


class Listener:
    """The phone loop and the grammar, which keep their decoders."""

    def __init__(self, phones: Iterable[str]) -> None:
        sphinx = library("pocketsphinx")
        general = {"samprate": RATE, "lm": None, "loglevel": "FATAL"}
        self._loop = sphinx.Decoder(allphone=sphinx.get_model_path(_PHONE_MODEL), dict=None, **general, **_LOOP)
        #: The decoder of the grammar, to whose dictionary words can be added.
        self.decoder = sphinx.Decoder(**general, **_GRAMMAR)
        self._phones = [f"{_PHONE}{phone}" for phone in sorted(phones)]
        for phone, name in zip(sorted(phones), self._phones, strict=True):
            self.decoder.add_word(name, phone, True)

    def confidence(
        self, sound: Sound, words: Sequence[Sequence[Piece]], pauses: Sequence[Piece], names: Sequence[str]
    ) -> Confidence:
        """The confidence of words, of which each has one or more pieces, and the `names` of all pieces in `decoder`.

        A failure of the decoders is a RuntimeError.
        """
        phones = self.phones(sound)
        difference = differences([*pauses, *(piece for pieces in words for piece in pieces)], phones)
        end = len(difference)
        if not end:
            raise RuntimeError("the phone loop recognised nothing")
        spans = [[(min(first, end - 1), min(last + 1, end)) for first, last, _ in pieces] for pieces in words]
        others = [(start, min(stop, end)) for start, stop in self.others(sound, names) if start < end]
        return Confidence.of(difference, spans, uncovered(spans, phones), others)

    def phones(self, sound: Sound) -> list[Phone]:
        """The phones and pauses that the loop recognises."""
        return [
            Phone(segment.word, segment.start_frame, segment.end_frame, score_of(segment.ascore) * 1024)
            for segment in decoded(self._loop, sound)
        ]

    def others(self, sound: Sound, names: Sequence[str]) -> list[Span]:
        """The frames of speech between words that is in no word; the words are in the dictionary of `decoder`."""
        arcs: list[tuple[int, int, float] | tuple[int, int, float, str]] = []
        for number, name in enumerate(names):
            arcs += [(number, number + 1, 1.0, name), (number, number + 1, _IS_OMITTED)]
        arcs += [(number, number, _IS_OTHER, phone) for number in range(len(names) + 1) for phone in self._phones]
        self.decoder.add_fsg(_NAME, self.decoder.create_fsg(_NAME, 0, len(names), arcs))
        self.decoder.activate_search(_NAME)
        try:
            segments = decoded(self.decoder, sound)
        except RuntimeError:  # no path
            return []
        phones = [segment for segment in segments if segment.word.startswith(_PHONE)]
        return _runs(frame for phone in phones for frame in range(phone.start_frame, phone.end_frame + 1))


def differences(pieces: Iterable[Piece], phones: Sequence[Phone]) -> list[float]:
    """The score of each frame in the alignment less its score in the phone loop; both are spread evenly.

    >>> differences([(1, 2, -20.0)], [Phone("SIL", 0, 1, -4.0), Phone("A", 2, 3, -8.0)])
    [0.0, -8.0, -6.0, 0.0]
    """
    loop = [phone.score / (phone.last - phone.first + 1) for phone in phones for _ in _frames_of(phone)]
    difference = [0.0] * len(loop)
    for first, last, score in pieces:
        for frame in range(first, min(last + 1, len(loop))):
            difference[frame] = score / (last - first + 1) - loop[frame]
    return difference


def uncovered(words: Iterable[Iterable[Span]], phones: Iterable[Phone]) -> Times:
    """The longest speech that is not covered by a word, in seconds; the first of several.

    >>> uncovered([[(2, 6)]], [Phone("SIL", 0, 3, -4.0), Phone("A", 4, 7, -8.0), Phone("B", 8, 9, -8.0)])
    (0.06, 0.1)
    """
    covered = {frame for spans in words for start, end in spans for frame in range(start, end)}
    speech = (frame for phone in phones if phone.is_speech for frame in _frames_of(phone))
    runs = _runs(frame for frame in speech if frame not in covered)
    return _seconds(max(runs, key=lambda run: run[1] - run[0])) if runs else None


def _frames_of(phone: Phone) -> range:
    return range(phone.first, phone.last + 1)


def _runs(frames: Iterable[int]) -> list[Span]:
    """Runs of consecutive frames.

    >>> _runs([1, 2, 5])
    [(1, 3), (5, 6)]
    """
    runs: list[Span] = []
    for frame in frames:
        start = runs.pop()[0] if runs and runs[-1][1] == frame else frame
        runs.append((start, frame + 1))
    return runs


def _seconds(span: Span) -> tuple[float, float]:
    return span[0] / FRAMES, span[1] / FRAMES


def decoded(decoder: Any, sound: Sound) -> list[Any]:
    """The segments of a recording."""
    decoder.reinit_feat()  # otherwise earlier recordings would affect the result
    decoder.start_utt()
    decoder.process_raw(sound.samples, full_utt=True)
    decoder.end_utt()
    return list(decoder.seg() or ())


def score_of(probability: float) -> float:
    """The score whose exponential the decoder reports."""
    return log(probability) / _UNIT if probability > 0 else _FLOOR
