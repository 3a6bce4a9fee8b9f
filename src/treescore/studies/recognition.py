"""Simulation of speech recognition: wrong words, wrong sentence boundaries, removed edits.

Random numbers depend only on the seed, the run and the name of the side. They are generated for every word and every
position between words, so a higher rate includes the errors of a lower one, and a higher threshold misses all
boundaries that a lower one misses.
"""

from __future__ import annotations

from array import array
from random import Random

from .. import _core
from ..heads.finding import EDITS, category
from ..helpers.text import decode, number_of
from ..metrics.sparseval import COSTS, EMPTY, PUNCTUATION
from ..metrics.sparseval_words import surface
from ..speech.perturb import Parses, parse_all
from ..values.problem import Problem, UsageError, check_whole
from .surgery import changed, events, has_outer, joined, size_of_parts, split, without, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ..speech.perturb import Parser
    from ..trees import Treebank
    from .surgery import Events, Word

#: The number of uniform numbers for the simulated posterior of a boundary. The second largest of six has the
#: distribution Beta(5, 2), for true boundaries; the smallest has Beta(1, 6), for positions inside of sentences.
_NUMBERS = 6
#: Trees are not cut if more phrases than this would be divided, which is only possible in very deep trees.
_MAX_PHRASES = 1_000_000


class Side:
    """The test trees of one conversation side, and which of their words are spoken."""

    def __init__(self, name: str, bank: Treebank, indices: Iterable[int]) -> None:
        self.name = name
        self.trees: list[Events] = []
        self.spoken: list[list[bool]] = []
        #: The number of trees without spoken words, which are left out.
        self.silent = 0
        for index in indices:
            tree = events(bank, index)
            spoken = [_is_spoken(tag) for _, tag in words(tree)]
            if any(spoken):
                self.trees.append(tree)
                self.spoken.append(spoken)
            elif not bank.native.faulty(index):  # unreadable trees have a problem already
                self.silent += 1

    def spoken_words(self) -> Iterator[Word]:
        """The spoken words, in order."""
        for tree, spoken in zip(self.trees, self.spoken, strict=True):
            for word, is_spoken in zip(words(tree), spoken, strict=True):
                if is_spoken:
                    yield word


class Boundaries:
    """The trees of a side with other boundaries, and the errors of these boundaries."""

    def __init__(self, trees: list[Events], *, true: int = 0, false: int = 0, missed: int = 0) -> None:
        self.trees, self.true, self.false, self.missed = trees, true, false, missed
        #: The number of trees that are too deep to be cut.
        self.uncut = 0


class Recogniser:
    """Simulates errors in the trees of sides."""

    def __init__(self, sides: Sequence[Side], *, shares: Sequence[float], seed: int) -> None:
        check_whole(seed, "seed", least=0)
        if len(shares) != 3 or min(shares) < 0 or not 0 < sum(shares) < float("inf"):
            raise UsageError(f"shares must be three numbers, none below 0 and not all 0, not {shares!r}")
        self.sides, self.seed = sides, seed
        total = sum(shares)
        self._substituted, self._deleted = shares[0] / total, (shares[0] + shares[1]) / total
        # Sorted, so that different words are those before and after a range of equal ones.
        spoken = [word for side in sides for word in side.spoken_words()]
        self._vocabulary = sorted(spoken, key=lambda word: (_surface(word), word[0], word[1] or b""))
        self._same: dict[str, tuple[int, int]] = {}
        for index, word in enumerate(self._vocabulary):
            own = _surface(word)
            self._same[own] = self._same.get(own, (index, 0))[0], index + 1
        self._label = _most_frequent_label(sides)

    def heard(self, side: Side, run: int, rate: float) -> list[list[Word] | None]:
        """The recognised words for each word of a side; None if the word itself is recognised.

        A word is wrong with probability `rate`: it is substituted by another word of the treebank with its tag, or
        deleted, or another word is inserted after it.
        """
        random = self._random("words", run, side)
        heard: list[list[Word] | None] = []
        for tree, spoken in zip(side.trees, side.spoken, strict=True):
            for word, is_spoken in zip(words(tree), spoken, strict=True):
                chance, kind, choice = (random(), random(), random()) if is_spoken else (1.0, 0.0, 0.0)
                if chance >= rate:
                    heard.append(None)
                elif kind < self._substituted:
                    heard.append([self._other(choice, word)])
                elif kind < self._deleted:
                    heard.append([])
                else:
                    heard.append([word, self._vocabulary[int(choice * len(self._vocabulary))]])
        return heard

    def _other(self, choice: float, word: Word) -> Word:
        """A different word of the treebank, if there is one."""
        begin, end = self._same[_surface(word)]
        others = len(self._vocabulary) - (end - begin)
        if not others:
            return word
        index = int(choice * others)
        return self._vocabulary[index if index < begin else index + end - begin]

    def bounded(self, side: Side, run: int, threshold: float) -> Boundaries:
        """The trees of a side, cut and joined by the posteriors of boundaries."""
        random = self._random("boundaries", run, side)
        boundaries = Boundaries([])
        waiting: list[Events] = []  # trees to be joined
        is_first = True  # before the first spoken word
        for tree, spoken in zip(side.trees, side.spoken, strict=True):
            cuts: list[int] = []
            is_start, is_joined = True, False
            for number, is_spoken in enumerate(spoken):
                if not is_spoken:
                    continue
                if not is_first:
                    numbers = sorted(random() for _ in range(_NUMBERS))
                    is_boundary = numbers[-2 if is_start else 0] >= threshold
                    if is_start:
                        is_joined = not is_boundary
                        boundaries.true += 1
                        boundaries.missed += is_joined
                    elif is_boundary:
                        cuts.append(number)
                is_start = is_first = False
            if not is_joined and waiting:
                boundaries.trees.append(joined(waiting, self._label))
                waiting = []
            if size_of_parts(tree, cuts) > _MAX_PHRASES:
                boundaries.uncut += 1
                cuts = []
            boundaries.false += len(cuts)
            *before, last = split(tree, cuts)
            for part in before:
                boundaries.trees.append(joined([*waiting, part], self._label))
                waiting = []
            waiting.append(last)
        if waiting:
            boundaries.trees.append(joined(waiting, self._label))
        return boundaries

    def _random(self, what: str, run: int, side: Side) -> Callable[[], float]:
        return Random(f"{self.seed}:{run}:{what}:{side.name}").random


def with_errors(
    trees: Sequence[Events], heard: Sequence[list[Word] | None], *, cut: bool = False, edited: Sequence[bool] = ()
) -> list[Events]:
    """Trees with the recognised words, without words that are known to be edited.

    With `cut`, phrases that the trees label as edited are also removed.
    """
    if edited:
        heard = [[] if is_edited else place for is_edited, place in zip(edited, heard, strict=True)]
    places = iter(heard)
    changed_trees = [changed(tree, places) for tree in trees]
    if cut:
        changed_trees = [without(tree, EDITS) for tree in changed_trees]
    return [tree for tree in changed_trees if tree]


def edited_words(side: Side, gold: Iterable[Events]) -> list[bool]:
    """Which words of a side are aligned with edited words of gold."""
    ref: list[str] = []
    edited: list[bool] = []
    for tree in gold:
        depth = 0  # inside of edited speech
        for event in tree:
            if isinstance(event, tuple):
                if _is_spoken(event[1]):
                    ref.append(_surface(event))
                    edited.append(depth > 0)
            elif depth or (event is not None and category(decode(event)) in EDITS):
                depth += -1 if event is None else 1
    hyp = [_surface(word) for word in side.spoken_words()]
    numbers: dict[str, int] = {}
    keys = array("I", [numbers.setdefault(word, len(numbers)) for word in (*ref, *hyp)])
    path = _core.align_words(keys[: len(ref)], keys[len(ref) :], None, None, COSTS, [], False)
    is_edited = [False] * len(hyp)
    for _, a, b in path[1]:
        if a is not None and b is not None:
            is_edited[b] = edited[a]
    waiting = iter(is_edited)
    return [is_spoken and next(waiting) for spoken in side.spoken for is_spoken in spoken]


class Parsed:
    """A parser's trees of sentences that are not in the treebank."""

    def __init__(self, sides: Sequence[Side]) -> None:
        self._own = {id(tree) for side in sides for tree in side.trees}
        self._trees: dict[tuple[bytes, ...], Events | None] = {}
        self._faults: list[str] = []

    def ask(self, trees: Iterable[Events]) -> None:
        """Add the sentences that have to be parsed."""
        for tree in trees:
            if id(tree) not in self._own:
                self._trees.setdefault(_read_words(tree), None)

    def parse(self, parser: Parser) -> None:
        """Parse all added sentences."""
        sentences = [sentence for sentence in self._trees if sentence]
        answer = parse_all(parser, [[decode(word) for word in sentence] for sentence in sentences])
        parses = Parses(answer, range(len(sentences)))
        for number, sentence in enumerate(sentences):
            fault = parses.fault(number, list(sentence))
            if fault is None:
                self._trees[sentence] = events(answer, number)
            else:
                self._faults.append(fault)

    def of(self, tree: Events) -> Events:
        """The parser's tree, or the original one."""
        return tree if id(tree) in self._own else self._trees[_read_words(tree)] or tree

    def problems(self) -> list[Problem]:
        """A problem for unusable trees of the parser."""
        if not self._faults:
            return []
        number = number_of(len(self._faults), "tree")
        message = f"{number} of the parser cannot be used, the first because {self._faults[0]}"
        return [Problem("parser", message, action="replaced by the original tree with the new words")]


def _surface(word: Word) -> str:
    return surface(decode(word[0]))


def _read_words(tree: Events) -> tuple[bytes, ...]:
    """The parser's input: all words but traces."""
    return tuple(word for word, tag in words(tree) if tag is None or decode(tag) not in EMPTY)


def _is_spoken(tag: bytes | None) -> bool:
    name = "" if tag is None else decode(tag)
    return not {name, category(name)} & {*PUNCTUATION, *EMPTY}


def _most_frequent_label(sides: Iterable[Side]) -> bytes:
    """The most frequent label below the outer bracket."""
    counted: dict[bytes, int] = {}
    for side in sides:
        for tree in side.trees:
            top = tree[1] if has_outer(tree) else tree[0]
            if isinstance(top, bytes):
                counted[top] = counted.get(top, 0) + 1
    return max(counted, key=lambda label: (counted[label], label), default=b"S")
