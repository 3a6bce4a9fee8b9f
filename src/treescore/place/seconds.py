"""Trees on the axis of seconds: the time of each leaf, from words with times.

>>> import treescore
>>> from treescore.words.transcript import Transcript
>>> from treescore.words.utterance import Utterance, Utterances
>>> trees = treescore.read("(S (NP (PRP We)) (VP (VBP do) (RB n't) (VB know)) (. .))")
>>> spoken = Transcript(["we", "don't", "know"], times=[(0.1, 0.3), (0.3, 0.8), (0.9, 1.2)])
>>> place_seconds(trees, Utterances([Utterance(spoken)], format="ctm"))[0].times
[(0.1, 0.3), (0.3, 0.5), (0.5, 0.8), (0.9, 1.2), (1.2, 1.2)]
"""

from __future__ import annotations

from array import array
from itertools import chain, groupby, pairwise

from .. import _core
from ..helpers.garbage import uncollected
from ..helpers.text import decode, number_of, visible
from ..pairing import ATTACH
from ..pairing.spoken import Spelling, grouped
from ..values.problem import InputError, Problem, check_choice
from ..words.interpolation import interpolated
from ..words.silent import SILENT_TAGS
from ..words.timeline import sound
from ..words.utterance import Utterances
from .by_place import by_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ..pairing.spoken import Group
    from ..trees import Treebank
    from ..words.normal import Normal
    from ..words.utterance import Utterance

    Interval = tuple[float, float]

_ENOUGH = 20  # with at least this number of leaves, it is an error if most of them are not among the words
_UNKNOWN = float("nan")


def place_seconds(
    trees: Treebank,
    times: Utterances,
    *,
    attach: str = "auto",
    silent_tags: Collection[str] = SILENT_TAGS,
    normal: Normal | None = None,
) -> Treebank:
    """The same trees with the time of every leaf, and with problems.

    Leaves and words are matched by their letters and digits: equal words, then groups of words with equal text (`do
    n't` shares the time of *don't* by characters), then everything between two matches. Leaves with one of the
    `silent_tags`, and punctuation, have length 0. Words without times get them from their neighbours. A tree without
    any match has no times. `normal` normalises words before they are compared.

    `attach` pairs trees with utterances: by "id", by "position", or by "text", all trees with all words in order; by
    "place", the leaves of a tree are the words of its utterance one by one, whatever their text. The default is by id
    if there are common ids; by position if there are as many trees as utterances, unless more words match by text;
    otherwise by text.
    """
    return placed(trees, times, attach=attach, silent_tags=silent_tags, normal=normal)[0]


@uncollected()
def placed(
    trees: Treebank,
    times: Utterances,
    *,
    attach: str = "auto",
    silent_tags: Collection[str] = SILENT_TAGS,
    normal: Normal | None = None,
) -> tuple[Treebank, str]:
    """The result of `place_seconds`, and how trees were paired with their words."""
    check_choice(attach, "attach", ATTACH)
    times = _sound(times)
    if attach == "place":
        return by_place(trees, times), attach
    placing = _Placing(trees, times, silent_tags, normal)
    if attach != "auto":
        return placing.by(attach).treebank(), attach
    ids = {utterance.id for utterance in times}
    if trees.ids is not None and any(name in ids for name in trees.ids):
        return placing.by("id").treebank(), "id"
    if len(trees) != len(times):
        return placing.by("text").treebank(), "text"
    by_position = placing.by("position")
    if by_position.unmatched and len(times) > 1:
        by_text = placing.by("text")
        if by_text.unmatched < by_position.unmatched:
            return by_text.treebank(), "text"
    return by_position.treebank(), "position"


def _sound(times: Utterances) -> Utterances:
    """Words with increasing times; files are checked when they are read."""
    if times.is_sound:
        return times
    utterances, problems = [], list(times.problems)
    for utterance in times:
        corrected, faults = sound(utterance, file=times.name)
        utterances.append(corrected)
        problems += faults
    return Utterances(
        utterances, format=times.format, name=times.name, problems=problems, notes=times.notes, is_sound=True
    )


class _Placing:
    """Trees and words, prepared once for all ways to pair them."""

    def __init__(self, trees: Treebank, times: Utterances, silent_tags: Collection[str], normal: Normal | None) -> None:
        self.trees, self.times, self.silent_tags = trees, times, silent_tags
        self.leaves = _core.LeafWords(trees.native)
        words = [decode(word) for word in self.leaves.names()]
        self.spelling = spelling = Spelling(words, normal=normal)
        spoken = set(chain.from_iterable(utterance.transcript.words for utterance in times))
        spelling.learn(spoken)
        self._unspoken = spelling.silent & spoken  # usually empty
        self.rules = _core.SpokenRules(
            keys=[spelling.numbers[word] for word in words],
            weights=[spelling.weights[word] for word in words],
            silent=bytes(word in spelling.silent for word in words),
            silent_tags=bytes(name in silent_tags for name in trees.names()),
            texts=spelling.keys,
        )

    def by(self, attach: str) -> _Placed:
        """The trees placed by one way of pairing."""
        blocks = [
            _Block(begin, end, utterances, self.spelling, self._unspoken)
            for begin, end, utterances in _attached(self.trees, self.times, attach)
        ]
        numbers = self.spelling.numbers
        spoken_keys = array("I", map(numbers.__getitem__, chain.from_iterable(block.words for block in blocks)))
        spoken_times = array("d", chain.from_iterable(chain.from_iterable(block.times for block in blocks)))
        table, plain_table, bounds = array("Q"), array("Q"), array("d")
        plain: list[_Block] = []
        others: list[_Block] = []
        at = 0
        for block in blocks:
            row = [block.begin, block.end, at, at + len(block.words)]
            table.extend(row)
            bounds.extend(block.bounds)
            if block.is_plain:
                plain_table.extend(row)
                plain.append(block)
            else:
                others.append(block)
            at += len(block.words)
        data, unequal = self.leaves.place(self.rules, plain_table, spoken_keys, spoken_times)
        by_groups = _ByGroups(self, array("d", data))
        for block in [*(plain[number] for number in unequal), *others]:
            by_groups.place(block)
        complete = self.leaves.with_silent(self.rules, table, bounds, by_groups.times)
        used = {id(utterance) for block in blocks for utterance in block.utterances}
        return _Placed(self, by_groups, complete, used)


class _Placed:
    """Trees with times, and the number of leaves and words without a match."""

    def __init__(self, placing: _Placing, by_groups: _ByGroups, complete: bytes, used: set[int]) -> None:
        self._placing, self._by_groups, self._complete, self._used = placing, by_groups, complete, used
        #: The number of leaves and words without a partner with the same text.
        self.unmatched = by_groups.unmatched_leaves + by_groups.unmatched_words

    def treebank(self) -> Treebank:
        """The trees with problems; an error if most of their words were not spoken."""
        trees, times = self._placing.trees, self._placing.times
        self._by_groups.check(times)
        problems = sorted(self._by_groups.problems, key=lambda problem: problem.unit or 0)
        unused = [utterance for utterance in times if id(utterance) not in self._used and utterance.transcript.words]
        if unused:
            message = f"{number_of(len(unused), 'utterance')} of no tree, first {visible(unused[0].id or '')!r}"
            problems.append(Problem("unused", message, file=times.name, line=unused[0].line, action="left out"))
        ids = {utterance.id for utterance in times}
        missing = _without_times(trees, self._complete, ids)
        return trees.with_times(self._complete).with_problems([*times.problems, *problems, *missing])


def _attached(trees: Treebank, times: Utterances, attach: str) -> list[tuple[int, int, list[Utterance]]]:
    """Ranges of trees, each with its utterances."""
    if attach == "text":
        return [(0, len(trees), list(times))] if len(trees) else []
    if attach == "position":
        if len(trees) != len(times):
            message = f"{number_of(len(times), 'utterance')} for {number_of(len(trees), 'tree')}"
            raise InputError(Problem("unequal", message, file=times.name))
        return [(number, number + 1, [utterance]) for number, utterance in enumerate(times)]
    ids = {utterance.id: utterance for utterance in times if utterance.id is not None}
    if trees.ids is None or not ids:
        side, name = ("trees", trees.source.name) if trees.ids is None else ("words with times", times.name)
        raise InputError(Problem("id", f"these {side} have no ids; attach by position or by text", file=name))
    if len(ids) < len(times):
        message = "two utterances have the same id, or one has none, so trees cannot be paired with words by id"
        raise InputError(Problem("id", message, file=times.name))
    attached = []
    begin = 0
    for name, same in groupby(trees.ids):  # trees with the same id are the sentences of one utterance
        end = begin + len(list(same))
        if name in ids:
            attached.append((begin, end, [ids[name]]))
        begin = end
    return attached


def _without_times(trees: Treebank, times: bytes, ids: set[str | None]) -> list[Problem]:
    """Problems of trees that could not be placed."""
    moments = memoryview(times).cast("d")
    problems = []
    leaf = 0
    has_ids = trees.ids is not None and not ids.isdisjoint(trees.ids)
    for index in range(len(trees)):
        count = trees.native.leaf_count(index)
        if count and moments[2 * leaf] != moments[2 * leaf]:
            message = (
                "none of its words is among the words with times, or none of these has a time; times of whole "
                "utterances are divided only with --interpolate"
            )
            if has_ids and trees.ids is not None and trees.ids[index] not in ids:
                message = f"there is no utterance {visible(trees.ids[index])!r} among the words with times"
            problems.append(trees.problem(index, "no-times", message, "not placed"))
        leaf += count
    return problems


class _Block:
    """A range of trees, and the words of their utterances, all with times."""

    def __init__(
        self, begin: int, end: int, utterances: Sequence[Utterance], spelling: Spelling, unspoken: set[str]
    ) -> None:
        self.begin, self.end = begin, end
        self.utterances = utterances
        self.words: list[str] = []
        self.times: list[Interval] = []
        self.filled: set[int] = set()  # words with interpolated times
        self.untimed: list[str] = []  # words that are left out, because their times are unknown
        for utterance in utterances:
            self._take(utterance, spelling, unspoken)

    def _take(self, utterance: Utterance, spelling: Spelling, unspoken: set[str]) -> None:
        transcript = utterance.transcript
        words: Sequence[str] = transcript.words
        times: Sequence[Interval | None] = transcript.times or [None] * len(words)
        if transcript.ways or transcript.nulls or (unspoken and not unspoken.isdisjoint(words)):
            spoken = [index for index in transcript.first_way() if words[index] not in unspoken]
            words, times = [words[index] for index in spoken], [times[index] for index in spoken]
        if None in times:
            weights = [spelling.weights[word] for word in words]
            complete, filled = interpolated(weights, times, utterance.begin, utterance.end)
            if complete is None:
                self.untimed += words
                return
            self.filled.update(len(self.words) + index for index in filled)
            times = complete
        self.words += words
        self.times += times  # type: ignore[arg-type]  # none is None

    @property
    def is_plain(self) -> bool:
        """Were all times given, in increasing order?"""
        if self.filled or self.untimed:
            return False
        return len(self.utterances) == 1 or all(a[1] <= b[0] for a, b in pairwise(self.times))

    @property
    def bounds(self) -> Interval:
        """Begin and end of the block, if given in the file."""
        begins = [utterance.begin for utterance in self.utterances if utterance.begin is not None]
        ends = [utterance.end for utterance in self.utterances if utterance.end is not None]
        return min(begins, default=_UNKNOWN), max(ends, default=_UNKNOWN)


class _ByGroups:
    """Places leaves whose text differs from the words, or whose words have no times."""

    def __init__(self, placing: _Placing, times: array[float]) -> None:
        self._trees, self._leaves, self._spelling = placing.trees, placing.leaves, placing.spelling
        self._silent_tags = placing.silent_tags
        self._keys = self._spelling.keys
        self.times = times
        self.problems: list[Problem] = []
        self.unmatched_leaves = self.unmatched_words = 0
        self._first_unmatched: tuple[str, str] | None = None

    def place(self, block: _Block) -> None:
        """Set the times of the spoken leaves of a block."""
        spoken = [leaf for tree in range(block.begin, block.end) for leaf in self._spoken(tree)]
        words = [word for _, _, word in spoken]
        groups = grouped([self._key(word) for word in words], [self._key(word) for word in block.words])
        times: list[Interval | None] = [None] * len(spoken)
        untimed: set[int] = set()
        other: set[int] = set()
        extra = [] if spoken else list(block.untimed)
        for group in groups:
            if not group.leaves:
                extra += [block.words[word] for word in group.words]
                continue
            if not group.same:
                self._count_unmatched(group, words, block.words)
            shared = self._shared_time(group, words, block)
            if shared is not None:
                times[group.leaves.start : group.leaves.stop] = shared
                other.update(() if group.same else group.leaves)
            if shared is None or not block.filled.isdisjoint(group.words):
                untimed.update(group.leaves)
        for tree, own in groupby(range(len(spoken)), key=lambda index: spoken[index][0]):
            indices = list(own)
            if self._complete(tree, [spoken[index] for index in indices], [times[index] for index in indices]):
                untimed_words = [words[index] for index in indices if index in untimed]
                self._report(tree, "untimed", "without a time", untimed_words, "time taken from the neighbours")
                other_words = [words[index] for index in indices if index in other]
                what, action = "not found among the words with times", "placed where another word was spoken"
                self._report(tree, "other-word", what, other_words, action)
        self.unmatched_words += len(extra)
        if extra and any(map(self._trees.native.leaf_count, range(block.begin, block.end))):
            self._report_extra(block, extra)

    def _count_unmatched(self, group: Group, leaves: Sequence[str], words: Sequence[str]) -> None:
        self.unmatched_leaves += len(group.leaves)
        self.unmatched_words += len(group.words)
        if self._first_unmatched is None:
            word = words[group.words.start] if group.words.start < len(words) else "no word"
            self._first_unmatched = " ".join(leaves[leaf] for leaf in group.leaves), word

    def _shared_time(self, group: Group, leaves: Sequence[str], block: _Block) -> Sequence[Interval] | None:
        """The times of the leaves of a group, which share the time of its words."""
        if not group.words:
            return None
        weights = [self._spelling.weights[leaves[leaf]] for leaf in group.leaves]
        return _core.share_time(block.times[group.words.start : group.words.stop], weights)

    def _key(self, word: str) -> str:
        return self._keys[self._spelling.numbers[word]]

    def _spoken(self, tree: int) -> list[tuple[int, int, str]]:
        """The spoken leaves: tree, number among all leaves, word."""
        begin, names = self._leaves.begin_of(tree), self._trees.names()
        spoken = []
        for leaf, (tag, _, data) in enumerate(self._trees.native.leaves(tree), begin):
            word = decode(data)
            if not (tag >= 0 and names[tag] in self._silent_tags) and word not in self._spelling.silent:
                spoken.append((tree, leaf, word))
        return spoken

    def _complete(self, tree: int, leaves: list[tuple[int, int, str]], times: list[Interval | None]) -> bool:
        """Interpolate and store the times of a tree; False if there are none."""
        complete, _ = interpolated([self._spelling.weights[word] for _, _, word in leaves], times)
        if complete is None:
            return False
        if any(later[0] < earlier[1] for earlier, later in pairwise(complete)):
            message = "its words are spoken in several utterances, which overlap or are not in order"
            self.problems.append(self._trees.problem(tree, "order", message, "not placed"))
            return False
        for (_, leaf, _), (start, end) in zip(leaves, complete, strict=True):
            self.times[2 * leaf], self.times[2 * leaf + 1] = start, end
        return True

    def _report(self, tree: int, code: str, what: str, words: list[str], action: str) -> None:
        if words:
            message = f"{number_of(len(words), 'word')} {what}, first {visible(words[0])!r}"
            self.problems.append(self._trees.problem(tree, code, message, action))

    def _report_extra(self, block: _Block, words: list[str]) -> None:
        utterance = block.utterances[0]
        where = f" of {visible(utterance.id)}" if utterance.id and len(block.utterances) == 1 else ""
        several = block.end - block.begin > 1
        message = f"{number_of(len(words), 'word')}{where} not in the tree{'s' * several}, first {visible(words[0])!r}"
        problem = self._trees.problem(block.begin, "extra-word", message, "left out")
        self.problems.append(problem.replace(line=None, unit=None) if several else problem)

    def check(self, times: Utterances) -> None:
        """Raise an error if most of the words of the trees have no time, or were not spoken."""
        total = len(self.times) // 2
        if self._first_unmatched is None or total < _ENOUGH or 2 * self.unmatched_leaves < total:
            return
        if not any(utterance.transcript.span(0, len(utterance.transcript)) for utterance in times):
            message = (
                "no word has a time; get the times of words from the recogniser (Whisper: --word_timestamps True), "
                "or estimate them from the times of whole utterances with --interpolate"
            )
            raise InputError(Problem("no-times", message, file=times.name))
        leaf, word = map(visible, self._first_unmatched)
        message = (
            f"these are the times of other words: {self.unmatched_leaves:,} of {total:,} leaves are not among them, "
            f"first {leaf!r}, where {word!r} was spoken"
        )
        raise InputError(Problem("other-times", message, file=times.name))
