"""What recognition does to trees, simulated: wrong words, wrong sentence boundaries, edited speech that is cut out.

Random numbers depend on the seed, the run, the name of the side, and on nothing else. They are drawn for every word and
every place between two words, so a higher rate has the errors of a lower one and more, and a higher threshold misses
the boundaries that a lower one misses, and more.
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

#: Uniform numbers behind the simulated posterior of a boundary. The second largest of six has the distribution
#: Beta(5, 2), the smallest Beta(1, 6): true boundaries look likely, and places inside sentences do not.
_NUMBERS = 6
#: Phrases that cuts may add to a tree; one with more of them, which must be very deep, is not cut.
_MOST_PHRASES = 1_000_000


class Side:
    """The test trees of one side of a conversation, and which of their words are spoken."""

    def __init__(self, name: str, bank: Treebank, indices: Iterable[int]) -> None:
        self.name = name
        self.trees: list[Events] = []
        self.spoken: list[list[bool]] = []
        #: Trees in which no word is spoken, and which are left out: there is nothing to score.
        self.silent = 0
        for index in indices:
            tree = events(bank, index)
            spoken = [_is_spoken(tag) for _, tag in words(tree)]
            if any(spoken):
                self.trees.append(tree)
                self.spoken.append(spoken)
            elif not bank.native.faulty(index):  # which is known to be a problem
                self.silent += 1

    def said(self) -> Iterator[Word]:
        """The words that are spoken, in order."""
        for tree, spoken in zip(self.trees, self.spoken, strict=True):
            for word, is_spoken in zip(words(tree), spoken, strict=True):
                if is_spoken:
                    yield word


class Boundaries:
    """The trees of a side with other boundaries, and how wrong these are."""

    def __init__(self, trees: list[Events], *, true: int = 0, false: int = 0, missed: int = 0) -> None:
        self.trees, self.true, self.false, self.missed = trees, true, false, missed
        #: Trees that are too deep to be cut.
        self.uncut = 0


class Recogniser:
    """Makes errors in the trees of sides."""

    def __init__(self, sides: Sequence[Side], *, shares: Sequence[float], seed: int) -> None:
        check_whole(seed, "seed", least=0)
        if len(shares) != 3 or min(shares) < 0 or not 0 < sum(shares) < float("inf"):
            raise UsageError(f"shares must be three numbers, none below 0 and not all 0, not {shares!r}")
        self.sides, self.seed = sides, seed
        total = sum(shares)
        self._substituted, self._deleted = shares[0] / total, (shares[0] + shares[1]) / total
        # All words that are said, those that are the same together: the other ones are before and behind them.
        said = [word for side in sides for word in side.said()]
        self._vocabulary = sorted(said, key=lambda word: (_surface(word), word[0], word[1] or b""))
        self._same: dict[str, tuple[int, int]] = {}
        for place, word in enumerate(self._vocabulary):
            own = _surface(word)
            self._same[own] = self._same.get(own, (place, 0))[0], place + 1
        self._label = _usual_label(sides)

    def heard(self, side: Side, run: int, rate: float) -> list[list[Word] | None]:
        """What is heard in the place of each word of a side; None if it is the word itself.

        A word is wrong with the probability `rate`: another one of the treebank is heard instead, with its tag, or
        nothing, or another one behind it.
        """
        random = self._random("words", run, side)
        found: list[list[Word] | None] = []
        for tree, spoken in zip(side.trees, side.spoken, strict=True):
            for word, is_spoken in zip(words(tree), spoken, strict=True):
                chance, kind, choice = (random(), random(), random()) if is_spoken else (1.0, 0.0, 0.0)
                if chance >= rate:
                    found.append(None)
                elif kind < self._substituted:
                    found.append([self._other(choice, word)])
                elif kind < self._deleted:
                    found.append([])
                else:
                    found.append([word, self._vocabulary[int(choice * len(self._vocabulary))]])
        return found

    def _other(self, choice: float, word: Word) -> Word:
        """A word of the treebank that is not this one, if there is one."""
        begin, end = self._same[_surface(word)]
        others = len(self._vocabulary) - (end - begin)
        if not others:
            return word
        place = int(choice * others)
        return self._vocabulary[place if place < begin else place + end - begin]

    def bounded(self, side: Side, run: int, threshold: float) -> Boundaries:
        """The trees of a side, cut and joined where the posterior of a boundary says so."""
        random = self._random("boundaries", run, side)
        found = Boundaries([])
        waiting: list[Events] = []  # trees that will be one
        is_first = True  # no word was spoken before
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
                        found.true += 1
                        found.missed += is_joined
                    elif is_boundary:
                        cuts.append(number)
                is_start = is_first = False
            if not is_joined and waiting:
                found.trees.append(joined(waiting, self._label))
                waiting = []
            if size_of_parts(tree, cuts) > _MOST_PHRASES:
                found.uncut += 1
                cuts = []
            found.false += len(cuts)
            *before, last = split(tree, cuts)
            for part in before:
                found.trees.append(joined([*waiting, part], self._label))
                waiting = []
            waiting.append(last)
        if waiting:
            found.trees.append(joined(waiting, self._label))
        return found

    def _random(self, what: str, run: int, side: Side) -> Callable[[], float]:
        return Random(f"{self.seed}:{run}:{what}:{side.name}").random


def with_errors(
    trees: Sequence[Events], heard: Sequence[list[Word] | None], *, cut: bool = False, edited: Sequence[bool] = ()
) -> list[Events]:
    """Trees with what was heard in the places of their words, without the words that are known to be edited.

    With `cut` the trees are also without what they call edited.
    """
    if edited:
        heard = [[] if is_edited else place for is_edited, place in zip(edited, heard, strict=True)]
    places = iter(heard)
    found = [changed(tree, places) for tree in trees]
    if cut:
        found = [without(tree, EDITS) for tree in found]
    return [tree for tree in found if tree]


def edited_words(side: Side, gold: Iterable[Events]) -> list[bool]:
    """Which words of a side are aligned with words that are edited in gold."""
    ref: list[str] = []
    edited: list[bool] = []
    for tree in gold:
        depth = 0  # in edited speech
        for event in tree:
            if isinstance(event, tuple):
                if _is_spoken(event[1]):
                    ref.append(_surface(event))
                    edited.append(depth > 0)
            elif depth or (event is not None and category(decode(event)) in EDITS):
                depth += -1 if event is None else 1
    hyp = [_surface(word) for word in side.said()]
    numbers: dict[str, int] = {}
    keys = array("I", [numbers.setdefault(word, len(numbers)) for word in (*ref, *hyp)])
    path = _core.align_words(keys[: len(ref)], keys[len(ref) :], None, None, COSTS, [], False)
    found = [False] * len(hyp)
    for _, a, b in path[1]:
        if a is not None and b is not None:
            found[b] = edited[a]
    waiting = iter(found)
    return [is_spoken and next(waiting) for spoken in side.spoken for is_spoken in spoken]


class Parsed:
    """Trees that a parser makes of sentences that are not among those of the treebank."""

    def __init__(self, sides: Sequence[Side]) -> None:
        self._own = {id(tree) for side in sides for tree in side.trees}
        self._trees: dict[tuple[bytes, ...], Events | None] = {}
        self._faults: list[str] = []

    def ask(self, trees: Iterable[Events]) -> None:
        """Remember the sentences that have to be parsed."""
        for tree in trees:
            if id(tree) not in self._own:
                self._trees.setdefault(_read_words(tree), None)

    def parse(self, parser: Parser) -> None:
        """Parse them, all at once."""
        asked = [sentence for sentence in self._trees if sentence]
        answer = parse_all(parser, [[decode(word) for word in sentence] for sentence in asked])
        parses = Parses(answer, range(len(asked)))
        for place, sentence in enumerate(asked):
            fault = parses.fault(place, list(sentence))
            if fault is None:
                self._trees[sentence] = events(answer, place)
            else:
                self._faults.append(fault)

    def of(self, tree: Events) -> Events:
        """The parser's tree, or the one that there is."""
        return tree if id(tree) in self._own else self._trees[_read_words(tree)] or tree

    def problems(self) -> list[Problem]:
        """Trees of the parser that cannot be used."""
        if not self._faults:
            return []
        number = number_of(len(self._faults), "tree")
        message = f"{number} of the parser cannot be used, the first because {self._faults[0]}"
        return [Problem("parser", message, action="the old tree with the new words stands for each")]


def _surface(word: Word) -> str:
    return surface(decode(word[0]))


def _read_words(tree: Events) -> tuple[bytes, ...]:
    """The words that a parser gets: all but traces."""
    return tuple(word for word, tag in words(tree) if tag is None or decode(tag) not in EMPTY)


def _is_spoken(tag: bytes | None) -> bool:
    name = "" if tag is None else decode(tag)
    return not {name, category(name)} & {*PUNCTUATION, *EMPTY}


def _usual_label(sides: Iterable[Side]) -> bytes:
    """The label that most trees have below the outer bracket."""
    counted: dict[bytes, int] = {}
    for side in sides:
        for tree in side.trees:
            top = tree[1] if has_outer(tree) else tree[0]
            if isinstance(top, bytes):
                counted[top] = counted.get(top, 0) + 1
    return max(counted, key=lambda label: (counted[label], label), default=b"S")
