"""The word alignments of two files, with counts and problems.

Utterances are paired by id (trn with trn), by common silence (ctm with ctm), or by segment (stm with ctm: a word
belongs to the segment that contains its midpoint).
"""

from __future__ import annotations

from collections.abc import Sequence

from ..helpers.problem_lines import in_one_line
from ..helpers.showing import rendered
from ..helpers.text import number_of
from ..values.problem import InputError, Problem, UsageError, by_code
from ..values.value import Value
from ..words.transcript import joined
from ..words.utterance import Utterance, Utterances
from .word_alignment import Matching, WordAlignment, WordCounts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import overload

    from ..words.transcript import Times, Transcript
    from .word_alignment import Op

#: A segment with this text is not scored, nor are the words recognised in it.
IGNORED = "IGNORE_TIME_SEGMENT_IN_SCORING"

_LEFT_OUT = "left out"


class WordReport(Value):
    """Word alignments, problems, and the names of both files."""

    alignments: Sequence[WordAlignment]
    problems: Sequence[Problem] = ()
    ref: str | None = None
    hyp: str | None = None

    @property
    def counts(self) -> WordCounts:
        """The sums over all alignments."""
        if isinstance(self.alignments, _Aligned):
            return self.alignments.counts
        return sum((alignment.counts for alignment in self.alignments), WordCounts())

    def problem_counts(self) -> dict[str, int]:
        """The number of problems of each kind."""
        return by_code(self.problems)

    def problem_line(self) -> str:
        """The number of problems of each kind in one line."""
        return in_one_line(self.problems)

    def to(self, form: str) -> str:
        """The report as text, pra, sgml, sparseval, tsv or json."""
        return rendered(self, form)

    def __str__(self) -> str:
        return self.to("text")

    def __repr__(self) -> str:
        return f"<WordReport: {number_of(len(self.alignments), 'utterance')}, {self.counts.errors:,} errors>"


def align_utterances(ref: Utterances, hyp: Utterances, matching: Matching | None = None) -> WordReport:
    """Align all corresponding utterances of two files.

    >>> from treescore.readers.transcripts import read_transcripts
    >>> ref, hyp = read_transcripts("a b (s-1)\\nc (s-2)\\n"), read_transcripts("a (s-1)\\nc d (s-2)\\n")
    >>> align_utterances(ref, hyp).counts
    WordCounts(correct=2, substitutions=0, deletions=1, insertions=1)
    """
    pairs, unpaired = pair_utterances(ref, hyp)
    alignments, failed = align_all(pairs, matching or Matching(), name=ref.name)
    problems = [*ref.problems, *hyp.problems, *unpaired, *failed]
    return WordReport(alignments, problems=problems, ref=ref.name, hyp=hyp.name)


class Pair(Value):
    """Two utterances to be aligned in pieces: `cuts` has the numbers of words of both sides before each cut."""

    ref: Utterance
    hyp: Utterance
    cuts: tuple[tuple[int, int], ...]

    def __init__(self, ref: Utterance, hyp: Utterance, cuts: tuple[tuple[int, int], ...] = ()) -> None:
        store = object.__setattr__  # faster than `_store`
        store(self, "ref", ref)
        store(self, "hyp", hyp)
        store(self, "cuts", cuts)

    def pieces(self) -> list[tuple[Transcript, Transcript]]:
        """The parts of both sides between the cuts."""
        ref, hyp = self.ref.transcript, self.hyp.transcript
        if not self.cuts:
            return [(ref, hyp)]
        ends = [*self.cuts, (len(ref), len(hyp))]
        begins = [(0, 0), *self.cuts]
        return [(ref.part(i, k), hyp.part(j, m)) for (i, j), (k, m) in zip(begins, ends, strict=True)]


def pair_utterances(ref: Utterances, hyp: Utterances) -> tuple[list[Pair], list[Problem]]:
    """The pairs of utterances to align, and the problems of others."""
    kinds = ref.format, hyp.format
    if kinds == ("trn", "trn"):
        return _by_id(ref, hyp)
    if kinds == ("ctm", "ctm"):
        return _by_silence(ref, hyp)
    if kinds == ("stm", "ctm"):
        return _by_midpoint(ref, hyp)
    raise UsageError(f"{kinds[0]} cannot be aligned with {kinds[1]}; use trn with trn, ctm with ctm or stm with ctm")


class _Aligned(Sequence[WordAlignment]):
    """The alignments of pairs of utterances, which become Python objects when they are needed."""

    def __init__(self, pairs: Sequence[Pair], matching: Matching) -> None:
        pieces: list[tuple[Transcript, Transcript]] = []
        self._ends = []
        for pair in pairs:
            pieces += pair.pieces()
            self._ends.append(len(pieces))
        self.pieces = matching.align_all(pieces)
        self._pairs = pairs
        self._fold_case = matching.fold_case
        self.failed: dict[int, InputError] = {}
        if self.pieces.errors:
            self.failed = {
                number: self.pieces.errors[piece]
                for number in range(len(pairs))
                for piece in reversed(self._range(number))
                if piece in self.pieces.errors
            }
        self._numbers = [number for number in range(len(pairs)) if number not in self.failed]

    @property
    def counts(self) -> WordCounts:
        """The sums over all alignments."""
        if self.failed:
            return sum((alignment.counts for alignment in self), WordCounts())
        return self.pieces.counts

    def __len__(self) -> int:
        return len(self._numbers)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, place: int) -> WordAlignment: ...
        @overload
        def __getitem__(self, place: slice) -> list[WordAlignment]: ...

    def __getitem__(self, place: int | slice) -> WordAlignment | list[WordAlignment]:
        if isinstance(place, slice):
            return [self[number] for number in range(len(self))[place]]
        number = self._numbers[place]
        pair = self._pairs[number]
        parts = [self.pieces[piece] for piece in self._range(number)]
        alignment = parts[0] if len(parts) == 1 else _joined(parts, self._fold_case)
        alignment.id, alignment.speaker = pair.ref.id, pair.ref.speaker
        return alignment

    def _range(self, number: int) -> range:
        return range(self._ends[number - 1] if number else 0, self._ends[number])


def _joined(parts: Sequence[WordAlignment], fold_case: bool) -> WordAlignment:
    """The alignment of a pair from those of its pieces."""
    ops: list[Op] = []
    before_ref = before_hyp = 0
    for part in parts:
        for kind, i, j in part.ops:
            ops.append((kind, None if i is None else i + before_ref, None if j is None else j + before_hyp))
        before_ref, before_hyp = before_ref + len(part.ref), before_hyp + len(part.hyp)
    return WordAlignment(
        joined([part.ref for part in parts]),
        joined([part.hyp for part in parts]),
        ops,
        cost=sum(part.cost or 0 for part in parts),
        fold_case=fold_case,
    )


def align_all(
    pairs: Sequence[Pair], matching: Matching, *, name: str | None = None
) -> tuple[Sequence[WordAlignment], list[Problem]]:
    """Align all pairs; a pair that is too long becomes a problem. `name` is the file of the references."""
    alignments = _Aligned(pairs, matching)
    problems = [
        error.problem.replace(file=name, line=pairs[number].ref.line, action=_LEFT_OUT)
        for number, error in alignments.failed.items()
    ]
    return alignments, problems


def _by_id(ref: Utterances, hyp: Utterances) -> tuple[list[Pair], list[Problem]]:
    known = {utterance.id: utterance for utterance in ref}
    pairs: list[Pair] = []
    problems: list[Problem] = []
    for utterance in hyp:
        partner = known.pop(utterance.id, None)
        if partner is None:
            message = f"there is no utterance ({utterance.id}) in the reference"
            problems.append(_problem("no-reference", message, hyp, utterance))
        else:
            pairs.append(Pair(partner, utterance))
    for utterance in known.values():
        message = f"there is no utterance ({utterance.id}) in the hypothesis; an empty one would count as deletions"
        problems.append(_problem("no-hypothesis", message, ref, utterance))
    return pairs, problems


def _by_silence(ref: Utterances, hyp: Utterances) -> tuple[list[Pair], list[Problem]]:
    known = {(utterance.file, utterance.channel): utterance for utterance in hyp}
    pairs: list[Pair] = []
    problems: list[Problem] = []
    for utterance in ref:
        partner = known.pop((utterance.file, utterance.channel), None)
        if partner is None:
            message = f"file {utterance.file}, channel {utterance.channel} is not in the hypothesis"
            problems.append(_problem("no-hypothesis", message, ref, utterance))
        else:
            cuts = common_silences(utterance.transcript, partner.transcript)
            pairs.append(Pair(utterance, partner, tuple(cuts)))
    for utterance in known.values():
        message = f"file {utterance.file}, channel {utterance.channel} is not in the reference"
        problems.append(_problem("no-reference", message, hyp, utterance))
    return pairs, problems


def common_silences(ref: Transcript, hyp: Transcript) -> list[tuple[int, int]]:
    """The numbers of words of both sides before each common silence.

    >>> from treescore.words.transcript import Transcript
    >>> times = [(0.0, 0.5), (0.5, 1.0), (2.0, 3.0)]
    >>> common_silences(Transcript("abc", times=times), Transcript("xyz", times=[(0.1, 0.6), (0.9, 1.2), (2.0, 2.5)]))
    [(2, 2)]
    """
    blocks: list[tuple[float, float, int, int]] = []  # begin, end, side, words of that side up to the end
    for side, transcript in enumerate((ref, hyp)):
        last: Times = None
        for first, stop in transcript.blocks():
            last = transcript.span(first, stop) or last
            blocks.append((*(last or (0.0, 0.0)), side, stop))
    blocks.sort(key=lambda block: block[0])  # stable: each side keeps its order
    cuts: list[tuple[int, int]] = []
    counts = [0, 0]
    reached: float | None = None
    for begin, end, side, words in blocks:
        if reached is not None and begin > reached:
            cuts.append((counts[0], counts[1]))
        reached = end if reached is None else max(reached, end)
        counts[side] = words
    return cuts


def _by_midpoint(ref: Utterances, hyp: Utterances) -> tuple[list[Pair], list[Problem]]:
    segments: dict[tuple[str | None, str | None], list[Utterance]] = {}
    for utterance in ref:
        segments.setdefault((utterance.file, utterance.channel), []).append(utterance)
    chosen: dict[int, list[Transcript]] = {}  # by the line of the segment
    problems: list[Problem] = []
    for stream in hyp:
        in_channel = segments.get((stream.file, stream.channel))
        if in_channel is None:
            message = f"file {stream.file}, channel {stream.channel} is not in the reference"
            problems.append(_problem("no-reference", message, hyp, stream))
            continue
        outside = _assign(stream.transcript, in_channel, chosen)
        if outside:
            message = f"{number_of(outside, 'word')} of file {stream.file}, channel {stream.channel} lie in no segment"
            problems.append(_problem("no-segment", message, hyp, stream))
    pairs = []
    for utterance in ref:
        if [word.upper() for word in utterance.transcript.words] == [IGNORED]:
            continue
        words = joined(chosen.get(utterance.line or 0, []))
        pairs.append(Pair(utterance, utterance.replace(transcript=words)))
    return pairs, problems


def _assign(words: Transcript, segments: Sequence[Utterance], chosen: dict[int, list[Transcript]]) -> int:
    """Assign each word to the segment that contains its midpoint; return the number of words outside of segments."""
    from bisect import bisect_right

    ordered = sorted(segments, key=lambda segment: segment.begin or 0.0)
    begins = [segment.begin or 0.0 for segment in ordered]
    outside, last = 0, 0.0
    runs: list[list[int]] = []  # segment, first word, end
    for begin, end in words.blocks():
        span = words.span(begin, end)
        last = (span[0] + span[1]) / 2 if span is not None else last
        number = bisect_right(begins, last) - 1
        if number < 0 or last >= (ordered[number].end or 0.0):
            outside += end - begin
        elif runs and runs[-1][0] == number and runs[-1][2] == begin:
            runs[-1][2] = end
        else:
            runs.append([number, begin, end])
    for number, begin, end in runs:
        chosen.setdefault(ordered[number].line or 0, []).append(words.part(begin, end))
    return outside


def _problem(code: str, message: str, side: Utterances, utterance: Utterance) -> Problem:
    return Problem(code, message, file=side.name, line=utterance.line, action=_LEFT_OUT)
