"""Perturbed word boundaries: what a score does if words are cut in the wrong places (Shi, Gimpel and Livescu 2024).

>>> import treescore
>>> tree = ["NP", [["DT", 0.0, 0.2, "the"], ["NN", 0.2, 0.8, "cat"]]]
>>> for operation in ("noise", "insert", "delete"):
...     changed = perturb([tree], operation, 1.0)[0]
...     print(changed, [(round(start, 3), round(end, 3)) for start, end in changed.times])
(NP (DT the) (NN cat)) [(0.0, 0.044), (0.044, 0.8)]
(NP (DT t) (DT he) (NN ca) (NN t)) [(0.0, 0.025), (0.025, 0.2), (0.2, 0.651), (0.651, 0.8)]
(NP (DT thecat)) [(0.0, 0.8)]
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from itertools import accumulate, chain
from numbers import Integral, Real
from random import Random
from reprlib import repr as short_repr

from .. import _core
from ..helpers.steps import Steps
from ..helpers.text import decode, encode, number_of
from ..place.axis import SECONDS, WORDS, axis_named
from ..readers.nested import is_span_word, may_be_span, span_word
from ..readers.sources import read
from ..trees import Treebank
from ..values.problem import InputError, Problem, UsageError
from ..words.interpolation import ROUNDING
from ..words.other_leaves import append

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeAlias

    from ..place.axis import Axis
    from ..readers.sources import Readable

    Interval: TypeAlias = tuple[float, float]
    #: For each leaf of a tree what takes its place: words with their times.
    Places: TypeAlias = list[list[tuple[bytes, Interval]]]
    #: Sentences as lists of words in, as many trees out: anything that `read` takes, None for no parse.
    Parser: TypeAlias = Callable[[list[list[str]]], Iterable[Any]]

#: The names of the axes on which boundaries can be moved.
AXES = (SECONDS.name, WORDS.name)
CITES = ("shi-etal-2024-structured",)
OPERATIONS = ("noise", "insert", "delete")
#: The tag of what is in a tree but never said or read.
_TRACE = b"-NONE-"
_NEVER = (float("nan"), float("nan"))
_UNCHANGED = "left as it is"
_FALLBACK = "words joined in the tree that there was"


def perturb(
    trees: Readable,
    operation: str,
    delta: float,
    *,
    seed: int = 0,
    parser: Parser | str | None = None,
    axis: str | Axis = "seconds",
    steps: Steps | None = None,
) -> Treebank:
    """The same trees with other word boundaries: "noise" moves them, "insert" adds some, "delete" drops some.

    `delta` from 0 to 1 says how far, or how many. A tree's random numbers depend on `seed`, the operation and the
    number of the tree in its source, and on nothing else. After deletions `parser` is asked for new trees: a function
    from lists of words to trees, or a command that reads a line of words for each sentence and writes a tree for each.
    Without it, a joined word stands where its first part stood. With axis="words" every word is one second long.
    `steps` counts trees.

    >>> once = perturb([["NP", [["DT", 0.15, 0.39], ["NN", 0.39, 0.8]]]], "noise", 0.3, seed=1)
    >>> print(once[0])
    (NP (DT 0.15-0.414861) (NN 0.414861-0.8))
    """
    if operation not in OPERATIONS:
        raise UsageError(f"operation must be one of {', '.join(OPERATIONS)}, not {operation!r}")
    if not isinstance(delta, Real) or isinstance(delta, bool) or not 0 <= delta <= 1:
        raise UsageError(f"delta must be a number from 0 to 1, not {delta!r}")
    if not isinstance(seed, Integral) or isinstance(seed, bool):
        raise UsageError(f"seed must be a whole number, not {seed!r}")
    axis = axis_named(axis, AXES)
    if parser is not None and operation != "delete":
        raise UsageError(f"a parser goes with delete, not with {operation}")
    bank = read(trees)
    if axis.needs_times:
        bank.check_times("place_seconds gives them times, and with axis='words' each word is one second long")
    return _Perturbation(bank, operation, float(delta), seed, axis, steps or Steps()).run(CommandParser.of(parser))


class _Perturbation:
    """One operation on all trees of a treebank."""

    def __init__(self, bank: Treebank, operation: str, delta: float, seed: int, axis: Axis, steps: Steps) -> None:
        self.bank, self.operation, self.delta, self.seed, self.axis = bank, operation, delta, seed, axis
        self.names, self.steps = bank.native.names(0), steps
        self.problems: list[Problem] = []

    def run(self, parser: Parser | None) -> Treebank:
        """The new trees."""
        if self.operation == "noise":
            return self._moved()
        parses = None if parser is None else self._parses(parser)
        self.problems.clear()  # they are found again
        return self._rebuilt(self.bank.native, self.places, parses)

    def _moved(self) -> Treebank:
        """The same trees at other times."""
        native = self.bank.native
        named = any(map(may_be_span, _core.LeafWords(native).names()))  # or else there is no need to look
        times = array("d")
        said: dict[int, list[bytes]] = {}  # words of trees where some only say when they were spoken
        for index in self.steps.over(len(self.bank)):
            before, random = self._times(index), self._random(index)
            moved = None if before is None or random is None else _noise(before, self.delta, random)
            now = moved or before or native.times(index) or [_NEVER] * native.leaf_count(index)
            times.extend(chain.from_iterable(now))
            if named and moved and before:
                words = [word for _, _, word in native.leaves(index)]
                new = [
                    encode(span_word(*after)) if is_span_word(word, *time) else word
                    for word, time, after in zip(words, before, now, strict=True)
                ]
                if new != words:
                    said[index] = new
        bank = self.bank.with_times(times)
        if not said:
            return bank.with_problems(self.problems)

        def places(index: int) -> Places | None:
            if index not in said:
                return None
            return [[item] for item in zip(said[index], bank.native.times(index) or (), strict=True)]

        return self._rebuilt(bank.native, places)

    def _rebuilt(
        self, trees: _core.Trees, places_of: Callable[[int], Places | None], parses: Parses | None = None
    ) -> Treebank:
        """These trees, but where there are places, the ones that there were, with what takes them."""
        native = self.bank.native
        builder = _core.TreeBuilder()
        for index in self.steps.over(len(trees)):
            places = places_of(index)
            if places is None:
                builder.extend(trees.slice(index, index + 1))
            elif parses is None or not self._append_parse(builder, index, places, parses):
                append(builder, native, index, self.names, places)
        return self.bank.with_trees(builder.trees(), self.problems)

    def places(self, index: int) -> Places | None:
        """What becomes of each leaf of a tree; None if nothing does."""
        times, random = self._times(index), self._random(index)
        if times is None:
            return None
        leaves = self.bank.native.leaves(index)
        places: Places = [[(word, time)] for (_, _, word), time in zip(leaves, times, strict=True)]
        change = _insert if self.operation == "insert" else _delete
        changed = random is not None and change(places, self.delta, random)
        return places if changed or not self.axis.needs_times else None

    def _random(self, index: int) -> Callable[[], float] | None:
        """The random numbers of a tree; None if there is nothing to do with them."""
        return Random(f"{self.seed}:{self.operation}:{self.bank.number(index)}").random if self.delta else None

    def _times(self, index: int) -> list[Interval] | None:
        """When the words of a tree are spoken; None if it cannot be changed."""
        native = self.bank.native
        if not native.leaf_count(index):
            return None
        if native.discontinuous(index):
            self._report(index, "discontinuous", "the tree is discontinuous, and such trees are not perturbed")
            return None
        if self.axis.needs_times:
            times = native.times(index)
            if times is None:
                self._report(index, "no-times", "the words of this tree have no times")
            return times
        spoken = [tag == _core.NO_TAG or self.names[tag] != _TRACE for tag, _, _ in native.leaves(index)]
        ends = list(accumulate(spoken))
        return [(float(end - said), float(end)) for end, said in zip(ends, spoken, strict=True)]

    def _report(self, index: int, code: str, message: str, action: str = _UNCHANGED) -> None:
        self.problems.append(self.bank.problem(index, code, message, action))

    # ---- Trees from a parser

    def _parses(self, parser: Parser) -> Parses:
        """The new trees of the sentences with joined words."""
        joined = {}
        for index in self.steps.over(len(self.bank)):
            places = self.places(index)
            if places is not None and not all(places):
                joined[index] = [decode(word) for word, _ in self._read_words(index, places)]
        self.steps.total = 0  # nobody knows how long a parser takes
        return Parses(parsed(parser, list(joined.values())), joined)

    def _read_words(self, index: int, places: Places) -> list[tuple[bytes, Interval]]:
        """The words that a parser gets: all but traces, which are in trees only."""
        leaves = self.bank.native.leaves(index)
        return [
            item
            for (tag, _, _), place in zip(leaves, places, strict=True)
            if tag == _core.NO_TAG or self.names[tag] != _TRACE
            for item in place
        ]

    def _append_parse(self, builder: _core.TreeBuilder, index: int, places: Places, parses: Parses) -> bool:
        """Append the parser's tree, if there is one that can be used."""
        if index not in parses.places:
            return False
        place, words = parses.places[index], self._read_words(index, places)
        fault = parses.fault(place, [word for word, _ in words])
        if fault is not None:
            self._report(index, "parser", f"the parser's tree cannot be used: {fault}", _FALLBACK)
            return False
        line = self.bank.line(index)
        append(builder, parses.native, place, parses.names, [[word] for word in words], line=line)
        return True


def parsed(parser: Parser, sentences: list[list[str]]) -> Treebank:
    """The trees that a parser gives for these sentences, one for each."""
    trees = _read_answer(parser(sentences) if sentences else [])
    if len(trees) != len(sentences):
        name, hint = "the parser", ""
        if isinstance(parser, CommandParser):
            name, hint = f"the parser {parser.words[0]!r}", "; each tree must stand on one line"
        message = f"{name} gave {number_of(len(trees), 'tree')} for {number_of(len(sentences), 'sentence')}{hint}"
        raise InputError(Problem("parser", message))
    return trees


def _read_answer(answer: Any) -> Treebank:
    """The trees that a parser gave."""
    if isinstance(answer, Iterator):
        answer = list(answer)  # what goes wrong in it is no fault of the answer
    wanted = "a parser must give a list with a tree for each sentence"
    if answer is None or isinstance(answer, str | bytes | Mapping):
        raise UsageError(f"{wanted}, not {short_repr(answer)}")
    try:
        return read(answer, on_error="keep", name="<parser>")
    except TypeError as problem:
        raise UsageError(f"{wanted}; {problem}") from None


class Parses:
    """Trees from a parser, and which sentences they are for."""

    def __init__(self, trees: Treebank, sentences: Iterable[int]) -> None:
        self.native, self.names = trees.native, trees.native.names(0)
        self.places = {index: place for place, index in enumerate(sentences)}
        self.unreadable = {problem.unit: problem.message for problem in reversed(trees.problems)}

    def fault(self, place: int, words: list[bytes]) -> str | None:
        """Why a tree is not one over these words."""
        if place + 1 in self.unreadable:
            return self.unreadable[place + 1]
        given = [word for _, _, word in self.native.leaves(place)]
        if not given:
            return "it is empty"
        if self.native.discontinuous(place):
            return "it is discontinuous"
        return None if given == words else f"its words are {decode(b' '.join(given))!r}"


# ---------------------------------------------------------------------------------------------------------------------
# Operations: noise changes times, the others what takes the places of the leaves; nothing, or False, if they did
# nothing. Leaves of no length were not spoken; they stay beside their neighbours.


def _noise(times: list[Interval], delta: float, random: Callable[[], float]) -> list[Interval] | None:
    """Each inner instant moves by up to `delta` of the way to its neighbour, on a side that chance decides."""
    spoken = [leaf for leaf, (start, end) in enumerate(times) if start < end]
    instants: list[float] = []
    bounds = []  # of each word, as numbers of instants
    for leaf in spoken:
        start, end = times[leaf]
        if not instants or start - instants[-1] > ROUNDING:  # else it begins where the last one ends
            instants.append(start)
        bounds.append((len(instants) - 1, len(instants)))
        instants.append(end)
    moved = instants.copy()
    for at in range(1, len(instants) - 1):
        share = delta * (2 * random() - 1)
        before, here, after = moved[at - 1 : at + 2]
        there = here + share * (after - here if share >= 0 else here - before)
        if before < there < after:  # or else no length would be left
            moved[at] = there
    if moved == instants:
        return None
    new = dict(zip(instants, moved, strict=True))
    made = times.copy()
    for leaf, (first, last) in zip(spoken, bounds, strict=True):
        made[leaf] = moved[first], moved[last]
    earliest = None
    for leaf, (start, end) in enumerate(made):
        if start < end:
            earliest = end
        elif earliest is not None:  # what stands before the first word stays there
            earliest = max(earliest, new.get(start, start))
            made[leaf] = earliest, earliest
    latest = None
    for leaf in range(len(made) - 1, -1, -1):
        start, end = made[leaf]
        if start < end:
            latest = start
        elif latest is not None and start > latest:
            made[leaf] = latest, latest
    return made


def _spoken(places: Places) -> list[int]:
    return [leaf for leaf, [(_, (start, end))] in enumerate(places) if start < end]


def _insert(places: Places, delta: float, random: Callable[[], float]) -> bool:
    """Each word is cut in two with this probability, anywhere."""
    changed = False
    for leaf in _spoken(places):
        chance, share = random(), random()  # both, so that a larger delta cuts the same words at the same points
        if chance >= delta:
            continue
        word, (start, end) = places[leaf][0]
        cut = start + share * (end - start)
        if not start < cut < end:
            cut = start / 2 + end / 2
        if not start < cut < end:
            continue  # nothing lies between these two numbers
        changed = True
        times = (start, cut), (cut, end)
        if is_span_word(word, start, end):
            places[leaf] = [(encode(span_word(*time)), time) for time in times]
        else:
            places[leaf] = list(zip(_halves(word, share), times, strict=True))
    return changed


def _delete(places: Places, delta: float, random: Callable[[], float]) -> bool:
    """Each boundary between two words, with the silence that may be there, is dropped with this probability."""
    spoken = _spoken(places)
    first = 0  # of the words that are joined
    changed = False
    for at in range(1, len(spoken) + 1):
        if at < len(spoken) and random() < delta:
            continue
        if at - first > 1:
            changed = True
            _join(places, spoken[first:at])
        first = at
    return changed


def _join(places: Places, run: Sequence[int]) -> None:
    """Make one word of several, in the place of the first; what is not spoken between them comes behind it."""
    parts = [places[leaf][0] for leaf in run]
    time = parts[0][1][0], parts[-1][1][1]
    spans = all(is_span_word(word, *time) for word, time in parts)
    word = encode(span_word(*time)) if spans else b"".join(word for word, _ in parts)
    for leaf in range(run[0], run[-1] + 1):
        silent, _ = places[leaf][0]
        places[leaf] = [(silent, (time[1], time[1]))]
    for leaf in run:
        places[leaf] = []
    places[run[0]] = [(word, time)]


def _halves(word: bytes, share: float) -> tuple[bytes, bytes]:
    """A word cut after this share of its characters; both parts have at least one, or both are the whole word.

    >>> _halves(b"sleeps", 0.5), _halves(b"cat", 0.01), _halves(b"I", 0.5)
    ((b'sle', b'eps'), (b'c', b'at'), (b'I', b'I'))
    """
    text = decode(word)
    cut = min(max(round(share * len(text)), 1), len(text) - 1)
    if not text.isascii():
        from unicodedata import combining

        while cut < len(text) and combining(text[cut]):  # marks stay with their letter
            cut += 1
    if not 0 < cut < len(text):
        return word, word
    return encode(text[:cut]), encode(text[cut:])


class CommandParser:
    """A parser that is a command: a line of words for each sentence in, a line with a tree for each out.

    >>> CommandParser("sed s/.*/(X&)/")([["a"], ["b"]])
    ['(Xa)', '(Xb)']
    """

    def __init__(self, command: str) -> None:
        from shlex import split

        try:
            self.words = split(command)
        except ValueError as problem:
            raise UsageError(f"the parser {command!r} is no command: {problem}") from None
        if not self.words:
            raise UsageError("the parser is an empty command")

    @classmethod
    def of(cls, parser: Parser | str | None) -> Parser | None:
        """A parser that may have been given as a command."""
        if isinstance(parser, str):
            return cls(parser)
        if parser is not None and not callable(parser):
            raise UsageError(
                f"parser must be a function from lists of words to trees, or a command, not {short_repr(parser)}"
            )
        return parser

    def __call__(self, sentences: list[list[str]]) -> list[str]:
        """The lines that the command writes."""
        from subprocess import PIPE, run

        text = encode("".join(" ".join(words) + "\n" for words in sentences))
        try:
            done = run(self.words, input=text, stdout=PIPE, check=False)
        except OSError as problem:
            raise UsageError(f"the parser {self.words[0]!r} cannot be run: {problem.strerror}") from None
        if done.returncode:
            raise InputError(Problem("parser", f"the parser {self.words[0]!r} ended with {done.returncode}"))
        lines = decode(done.stdout).split("\n")
        return lines[:-1] if not lines[-1].strip() else lines
