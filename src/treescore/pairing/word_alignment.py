"""Word alignment of a hypothesis and a reference, as in sclite.

>>> print(align_words("a b c d", "a x d"))
REF:  a B C d
HYP:  a * X d
Eval:   D S
"""

from __future__ import annotations

from array import array
from math import gcd

from .. import _core
from ..helpers.showing import rendered
from ..values.problem import InputError, Problem, UsageError, check_choice
from ..values.value import Value
from ..words.transcript import Transcript, is_optional, parse_transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from ..words.transcript import Times

    Words = str | Sequence[str] | Transcript
    Timed = Transcript | Iterable[tuple[str, float, float]]
    Op = tuple[str, int | None, int | None]
    Side = Sequence[str] | Transcript
    InBatch = tuple[_core.WordPaths, int]  # the number of a pair

#: The costs of an insertion, a deletion and a substitution.
SCLITE_COSTS = (3, 3, 4)
UNIT_COSTS = (1, 1, 1)
TIES = ("sclite", "late_gap")

_OPTIONAL, _NULL, _UNITS = 2, 0.001, 1000  # costs are integers in thousandths
_MAX_COST = 1_000_000
_MICROSECONDS = 1_000_000
_DIFFERENT = _MICROSECONDS // 1000  # the cost of different words in addition to their times
_MAX_SECONDS = 1e9


class WordCounts(Value):
    """The numbers of correct, substituted, deleted and inserted words.

    >>> counts = WordCounts(correct=2, substitutions=1, deletions=1) + WordCounts(correct=6, insertions=1)
    >>> counts.ref_words, counts.errors, counts.wer
    (10, 3, 0.3)
    """

    correct: int = 0
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0

    def __add__(self, other: WordCounts) -> WordCounts:
        return WordCounts(*map(sum, zip(self.parts, other.parts, strict=True)))

    @property
    def parts(self) -> tuple[int, int, int, int]:
        """Correct, substitutions, deletions, insertions: sclite's order."""
        return self.correct, self.substitutions, self.deletions, self.insertions

    @property
    def ref_words(self) -> int:
        """The number of words in the reference."""
        return self.correct + self.substitutions + self.deletions

    @property
    def errors(self) -> int:
        """The number of errors."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def wer(self) -> float | None:
        """The word error rate; None if the reference has no words."""
        return self.errors / self.ref_words if self.ref_words else None


class WordAlignment:
    """The steps of an alignment, each a letter (C, S, D or I) and the numbers of its words.

    Null words are in no step. An optional word that is missing on the other side is a C without a word there.

    >>> alignment = align_words("a b c", "a c d")
    >>> alignment.ops
    [('C', 0, 0), ('D', 1, None), ('C', 2, 1), ('I', None, 2)]
    >>> alignment.counts
    WordCounts(correct=2, substitutions=0, deletions=1, insertions=1)
    """

    __slots__ = ("_counts", "_ops", "cost", "fold_case", "hyp", "id", "ref", "speaker")

    def __init__(
        self,
        ref: Transcript,
        hyp: Transcript,
        ops: list[Op] | InBatch,
        *,
        cost: float | None = None,
        fold_case: bool = True,
        id: str | None = None,
        speaker: str | None = None,
    ) -> None:
        self.ref, self.hyp = ref, hyp
        self._ops = ops
        self._counts: WordCounts | None = None
        self.cost = cost
        self.fold_case = fold_case
        self.id, self.speaker = id, speaker

    @property
    def ops(self) -> list[Op]:
        """The steps."""
        if isinstance(self._ops, tuple):
            paths, number = self._ops
            self._ops = paths.steps(number)
        return self._ops

    @property
    def counts(self) -> WordCounts:
        """The number of steps of each kind."""
        if self._counts is None:
            self._counts = WordCounts(*_counted(self._ops))
        return self._counts

    @property
    def wer(self) -> float | None:
        """The word error rate; None if the reference has no words."""
        return self.counts.wer

    def rows(self) -> Iterator[tuple[str, str | None, str | None, Times, Times]]:
        """Letter, word of the reference, word of the hypothesis, and the times of both."""
        for kind, i, j in self.ops:
            yield (
                kind,
                None if i is None else self.ref.words[i],
                None if j is None else self.hyp.words[j],
                None if i is None or self.ref.times is None else self.ref.times[i],
                None if j is None or self.hyp.times is None else self.hyp.times[j],
            )

    def __str__(self) -> str:
        return rendered(self, "pra")

    def __repr__(self) -> str:
        name = f" {self.id}" if self.id else ""
        counts = self.counts
        shown = "–" if counts.wer is None else f"{100 * counts.wer:.1f}%"
        return f"<WordAlignment{name}: {' '.join(map(str, counts.parts))} (C S D I), WER {shown}>"


def _counted(ops: list[Op] | InBatch) -> tuple[int, int, int, int]:
    if isinstance(ops, tuple):
        return ops[0].step_counts(ops[1])
    kinds = [op[0] for op in ops]
    return kinds.count("C"), kinds.count("S"), kinds.count("D"), kinds.count("I")


class Matching:
    """The options of an alignment: which words are equal, which are optional, and what steps cost.

    `optional` is True for optional words in parentheses, or a list of optional words; `equivalent` has groups of equal
    words; with `fragments`, `ca-` and `-t` in the reference match any word with this beginning or end. `characters`
    aligns characters instead of words. `costs` are those of an insertion, a deletion and a substitution. With
    `tie="sclite"` gaps are as early as possible, with "late_gap" as late as possible. `by_time` aligns words by their
    times.
    """

    def __init__(
        self,
        *,
        fold_case: bool = True,
        optional: bool | Iterable[str] = False,
        equivalent: Iterable[Iterable[str]] = (),
        fragments: bool = False,
        characters: bool = False,
        costs: tuple[float, float, float] = SCLITE_COSTS,
        tie: str = "sclite",
        by_time: bool = False,
    ) -> None:
        check_choice(tie, "tie", TIES)
        self.prices, self.late = _prices(costs), tie == "late_gap"
        self.by_time = by_time
        self.fold_case = fold_case
        self.parentheses = bool(optional)
        named = () if isinstance(optional, bool) else _collection(optional, "optional")
        self.optional_words = frozenset(map(self.folded, named))
        self.fragments = fragments
        self.characters = characters
        self._same: dict[str, str] = {}
        for group in _collection(equivalent, "equivalent"):
            self._equate([self.folded(word) for word in _collection(group, "equivalent")])

    def align(self, ref: Transcript, hyp: Transcript) -> WordAlignment:
        """The alignment of two transcripts."""
        return self.align_all([(ref, hyp)])[0]

    def align_all(self, pairs: Sequence[tuple[Words, Words]]) -> WordAlignments:
        """The alignments of many pairs."""
        return WordAlignments(pairs, self)

    def folded(self, word: str) -> str:
        """The word as it is compared, before equivalences."""
        return word.lower() if self.fold_case else word

    def may_be_left_out(self, word: str) -> bool:
        """Is this an optional word?"""
        if self.parentheses and is_optional(word):
            return True
        return bool(self.optional_words) and self.folded(word) in self.optional_words

    def changes(self, words: Iterable[str]) -> bool:
        """May one of the words be compared by another spelling?"""
        together = "".join(words)  # all in one are faster than one by one
        return self.parentheses or bool(self._same) or (self.fold_case and together.lower() != together)

    def spellings(self, words: Iterable[str]) -> list[str]:
        """All words as they are compared."""
        if self.parentheses:
            words = [word[1:-1] if is_optional(word) else word for word in words]
        if self.fold_case:
            words = map(str.lower, words)
        return [self._same.get(word, word) for word in words] if self._same else list(words)

    def similar(self, ref: Iterable[str], hyp: Iterable[str], keys: dict[str, int]) -> list[tuple[int, int]]:
        """The keys of fragments and of the words that match them, sorted."""
        matches: set[tuple[int, int]] = set()
        for backwards in (False, True):
            known = sorted((word[::-1] if backwards else word, keys[word]) for word in set(hyp))
            for word in set(ref):
                turned = word[::-1] if backwards else word
                if len(turned) > 1 and turned[-1] == "-":
                    matches.update((keys[word], other) for other in _beginning_with(known, turned[:-1]))
        return sorted(matches)

    def _equate(self, group: Sequence[str]) -> None:
        heads = {self._same.get(word, word) for word in group}
        if heads:
            head = min(heads)
            for word, old in list(self._same.items()):
                if old in heads:
                    self._same[word] = head
            self._same.update(dict.fromkeys([*group, *heads], head))


def align_words(ref: Words, hyp: Words, **options: Any) -> WordAlignment:
    """Align two transcripts with minimal costs of insertions, deletions and substitutions (`costs`).

    A string may have alternatives, `{ um / uh / @ }`; the words of a list are literal. The options are:

    - `costs`: of an insertion, a deletion and a substitution; the default is (3, 3, 4), as in sclite.
    - `tie`: with "sclite" gaps are as early as possible, with "late_gap" as late as possible.
    - `fold_case`: whether upper and lower case are the same, as they are by default.
    - `optional`: True for optional words in parentheses, or a list of optional words.
    - `equivalent`: groups of words that are equal.
    - `fragments`: whether `ca-` and `-t` in the reference match any word with this beginning or end.
    - `characters`: whether characters are aligned instead of words.

    >>> align_words("{ what are / what're } you", "what're you").counts.correct
    2
    >>> print(align_words("b (c) d", "b d", optional=True))
    REF:  b (c) d
    HYP:  b     d
    Eval:
    """
    return Matching(**options).align_all([(ref, hyp)])[0]


class WordAlignments:
    """The alignments of many pairs, which become Python objects when they are needed.

    >>> alignments = Matching().align_all([("a b", "a c"), (["d"], [])])
    >>> alignments.counts, alignments[1].ops
    (WordCounts(correct=1, substitutions=1, deletions=1, insertions=0), [('D', 0, None)])
    """

    def __init__(self, pairs: Sequence[tuple[Words, Words]], matching: Matching) -> None:
        self._matching = matching
        refs: list[Any] = [ref for ref, _ in pairs]
        hyps: list[Any] = [hyp for _, hyp in pairs]
        kinds = {*map(type, refs), *map(type, hyps)}
        are_lists = kinds.isdisjoint((str, Transcript)) and not matching.characters
        if not are_lists:
            refs, hyps = _sides(refs, matching), _sides(hyps, matching)
        self._refs: list[Side] = refs
        self._hyps: list[Side] = hyps
        #: Alignments that are not part of the batch.
        self._alone: dict[int, WordAlignment] = {}
        #: The errors of pairs that could not be aligned, by the number of the pair.
        self.errors: dict[int, InputError] = {}
        if not are_lists or matching.by_time or matching.fragments:
            refs, hyps = map(_word_lists, (refs, hyps))
            for number, (ref, hyp) in enumerate(zip(self._refs, self._hyps, strict=True)):
                if matching.by_time or matching.fragments or not (_is_plain(ref) and _is_plain(hyp)):
                    self._align_alone(number, _transcript(ref), _transcript(hyp))
                    refs[number] = hyps[number] = ()
        self._paths = _aligned_batch(refs, hyps, matching)
        for number, message in self._paths.refusals():
            self.errors[number] = InputError(Problem("too-long", message))
        self._known = dict(self._alone)

    def _align_alone(self, number: int, ref: Transcript, hyp: Transcript) -> None:
        """Align a pair by time, with alternatives, or with fragments, which would be compared with a whole batch."""
        align = _align_times if self._matching.by_time else _align_transcripts
        try:
            self._alone[number] = align(ref, hyp, self._matching)
        except _core.SequencesTooLong as problem:
            self.errors[number] = InputError(Problem("too-long", str(problem)))

    @property
    def counts(self) -> WordCounts:
        """The sum over all pairs that could be aligned."""
        alone = [alignment.counts.parts for alignment in self._alone.values()]
        return WordCounts(*map(sum, zip(self._paths.step_counts(None), *alone, strict=True)))

    def __len__(self) -> int:
        return len(self._refs)

    def __getitem__(self, number: int) -> WordAlignment:
        if number in self.errors:
            raise self.errors[number]
        known = self._known.get(number)
        if known is None:
            cost, has_gaps = self._paths.cost(number)
            known = self._known[number] = WordAlignment(
                _transcript(self._refs[number]),
                _transcript(self._hyps[number]),
                (self._paths, number),
                cost=cost / (_UNITS if has_gaps else _UNITS / gcd(*self._matching.prices)),
                fold_case=self._matching.fold_case,
            )
        return known


def _aligned_batch(refs: Sequence[Sequence[str]], hyps: Sequence[Sequence[str]], matching: Matching) -> _core.WordPaths:
    """Align pairs without alternatives and null words in a single native call."""
    texts = _core.WordPairs(refs, hyps)
    may_be_optional = matching.parentheses or bool(matching.optional_words)
    keys = None
    if matching.changes(texts.texts()):
        spellings = matching.spellings(texts.texts())
        numbers = {spelling: number for number, spelling in enumerate(dict.fromkeys(spellings))}
        keys = array("I", map(numbers.__getitem__, spellings))
    return texts.align(
        keys,
        bytes(map(matching.may_be_left_out, texts.texts())) if may_be_optional else None,
        matching.prices,
        divisor=gcd(*matching.prices),
        optional_gap=_OPTIONAL * _UNITS,
        late_gap=matching.late,
    )


def _sides(sides: list[Words], matching: Matching) -> list[Side]:
    """The sides of pairs as sequences of words, or as transcripts."""
    if matching.characters:
        return [_transcript(side).characters(optional=matching.parentheses) for side in sides]
    return [parse_transcript(side) if isinstance(side, str) else side for side in sides]


def _word_lists(sides: Sequence[Side]) -> list[Sequence[str]]:
    return [side.words if isinstance(side, Transcript) else side for side in sides]


def _is_plain(side: Side) -> bool:
    """Has this side neither alternatives nor null words?"""
    return not isinstance(side, Transcript) or (side.ways is None and not side.nulls)


def _align_transcripts(ref: Transcript, hyp: Transcript, matching: Matching) -> WordAlignment:
    prices, late = matching.prices, matching.late
    units: float = _UNITS
    ref_keys, hyp_keys, similar = _keys(ref, hyp, matching)
    ref_gaps = _gaps(ref, matching, prices[1])
    hyp_gaps = _gaps(hyp, matching, prices[0])
    if ref_gaps is None and hyp_gaps is None:  # small integers are faster
        common = gcd(*prices)
        prices, units = (prices[0] // common, prices[1] // common, prices[2] // common), _UNITS / common
    if ref.ways is None and hyp.ways is None:
        path = _core.align_words(ref_keys, hyp_keys, ref_gaps, hyp_gaps, prices, similar, late)
    else:
        path = _core.align_lattices(
            _lattice(ref, ref_keys, ref_gaps, prices[1]),
            _lattice(hyp, hyp_keys, hyp_gaps, prices[0]),
            prices,
            similar,
            late,
        )
    return WordAlignment(ref, hyp, _ops(path, ref, hyp, matching), cost=path[0] / units, fold_case=matching.fold_case)


def time_align(ref: Timed, hyp: Timed, *, tie: str = "sclite", fold_case: bool = True) -> WordAlignment:
    """Align words by their times, whatever the words are.

    The cost of a pair is the sum of the differences of its times in seconds, plus 0.001 for different words; the cost
    of a gap is the duration of its word.

    >>> ref = [("the", 0.0, 0.5), ("cat", 0.5, 1.0), ("sat", 1.0, 1.5)]
    >>> hyp = [("a", 0.0, 0.5), ("the", 0.5, 1.0), ("sat", 1.0, 1.5)]
    >>> print(time_align(ref, hyp))
    REF:  THE CAT sat
    HYP:  A   THE sat
    Eval: S   S
    """
    return Matching(fold_case=fold_case, tie=tie, by_time=True).align(_timed(ref), _timed(hyp))


def _align_times(ref: Transcript, hyp: Transcript, matching: Matching) -> WordAlignment:
    for side in (ref, hyp):
        if side.ways is not None or side.nulls:
            raise UsageError("words with alternatives cannot be aligned by their times")
    if matching.characters or matching.parentheses or matching.optional_words:
        raise UsageError("optional words and characters cannot be aligned by their times")
    ref_keys, hyp_keys, similar = _keys(ref, hyp, matching)
    ref_begin, ref_end = _microseconds(ref)
    hyp_begin, hyp_end = _microseconds(hyp)
    path = _core.align_times(
        (ref_keys, ref_begin, ref_end), (hyp_keys, hyp_begin, hyp_end), _DIFFERENT, similar, matching.late
    )
    ops = _ops(path, ref, hyp, matching)
    return WordAlignment(ref, hyp, ops, cost=path[0] / _MICROSECONDS, fold_case=matching.fold_case)


def _collection(values: Iterable[str] | Iterable[Iterable[str]], name: str) -> list[str]:
    if isinstance(values, str):
        raise UsageError(f"{name} takes several words, not one string")
    return list(values)  # type: ignore[arg-type]


def _transcript(words: Words) -> Transcript:
    if isinstance(words, Transcript):
        return words
    if isinstance(words, str):
        return parse_transcript(words)
    return Transcript(words)


def _timed(words: Timed) -> Transcript:
    if isinstance(words, Transcript):
        return words
    rows = list(words)
    return Transcript([word for word, _, _ in rows], times=[(begin, end) for _, begin, end in rows])


def _prices(costs: tuple[float, float, float]) -> tuple[int, int, int]:
    if costs == SCLITE_COSTS:
        return 3 * _UNITS, 3 * _UNITS, 4 * _UNITS
    if len(costs) != 3:
        raise UsageError("there must be three costs: insertion, deletion, substitution")
    prices = []
    for cost, least in zip(costs, (_NULL, _NULL, 0), strict=True):
        units = round(cost * _UNITS) if least <= cost <= _MAX_COST else -1
        if units < 0 or abs(units - cost * _UNITS) > 1e-6:
            raise UsageError(f"a cost must be a multiple of 0.001 from {least:g} to {_MAX_COST:,}, not {cost!r}")
        prices.append(units)
    return prices[0], prices[1], prices[2]


def _keys(ref: Transcript, hyp: Transcript, matching: Matching) -> tuple[array[int], array[int], list[tuple[int, int]]]:
    ref_words, hyp_words = matching.spellings(ref.words), matching.spellings(hyp.words)
    different = dict.fromkeys([*ref_words, *hyp_words])
    keys = dict(zip(different, range(len(different)), strict=True))
    numbered = [array("I", map(keys.__getitem__, words)) for words in (ref_words, hyp_words)]
    for numbers, side in zip(numbered, (ref, hyp), strict=True):
        for index in side.nulls:
            numbers[index] = _core.NULL_WORD
    return numbered[0], numbered[1], matching.similar(ref_words, hyp_words, keys) if matching.fragments else []


def _gaps(side: Transcript, matching: Matching, default: int) -> array[int] | None:
    """The cost of a gap for each word; None if all costs are equal."""
    has_optional = matching.parentheses or matching.optional_words
    optional = (
        [index for index, word in enumerate(side.words) if matching.may_be_left_out(word)] if has_optional else []
    )
    if not optional and not side.nulls:
        return None
    gaps = array("q", [default]) * len(side.words)
    for index in optional:
        gaps[index] = min(default, _OPTIONAL * _UNITS)
    for index in side.nulls:
        gaps[index] = round(_NULL * _UNITS)
    return gaps


def _lattice(
    side: Transcript, keys: array[int], gaps: array[int] | None, default: int
) -> tuple[array[int], array[int], array[int], array[int], int]:
    ways = side.ways if side.ways is not None else [(word, word + 1) for word in range(len(side.words))]
    nodes = max((stop for _, stop in ways), default=0) + 1
    costs = gaps if gaps is not None else array("q", [default]) * len(keys)
    return keys, costs, array("I", [start for start, _ in ways]), array("I", [stop for _, stop in ways]), nodes


def _ops(path: _core.Path, ref: Transcript, hyp: Transcript, matching: Matching) -> list[Op]:
    """The steps without null words; a missing optional word is correct."""
    optional = matching.parentheses or matching.optional_words
    if not (optional or ref.nulls or hyp.nulls):
        return path[1]
    ops: list[Op] = []
    for op in path[1]:
        _, i, j = op
        side, index = (ref, i) if j is None else (hyp, j)
        if (i is None or j is None) and index is not None:
            if index in side.nulls:
                continue
            if optional and matching.may_be_left_out(side.words[index]):
                op = "C", i, j
        ops.append(op)
    return ops


def _microseconds(side: Transcript) -> tuple[array[int], array[int]]:
    times = side.times
    if times is None or None in times:
        raise UsageError("words without times cannot be aligned by their times")
    for begin, end in times:  # type: ignore[misc]
        if not -_MAX_SECONDS <= begin <= end <= _MAX_SECONDS:
            raise UsageError(f"invalid times of a word: from {begin!r} to {end!r} seconds")
    begins = array("q", [round(begin * _MICROSECONDS) for begin, _ in times])  # type: ignore[misc]
    return begins, array("q", [round(end * _MICROSECONDS) for _, end in times])  # type: ignore[misc]


def _beginning_with(known: list[tuple[str, int]], start: str) -> Iterator[int]:
    """The keys of all words in the sorted list with this beginning."""
    from bisect import bisect_left

    for index in range(bisect_left(known, (start, -1)), len(known)):
        word, key = known[index]
        if not word.startswith(start):
            return
        yield key
