"""Perturbed word boundaries, to study their effect on scores (Shi, Gimpel and Livescu 2024).

>>> import treescore
>>> tree = ["NP", [["DT", 0.0, 0.2, "the"], ["NN", 0.2, 0.8, "cat"]]]
>>> for operation in ("noise", "insert", "delete"):
...     changed = perturb([tree], operation, 1.0)[0]
...     print(changed, [(round(start, 3), round(end, 3)) for start, end in changed.times])
(NP (DT the) (NN cat)) [(0.0, 0.044), (0.044, 0.8)]
(NP (DT t) (DT he) (NN ca) (NN t)) [(0.0, 0.025), (0.025, 0.2), (0.2, 0.651), (0.651, 0.8)]
(NP (DT the_cat)) [(0.0, 0.8)]
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
from ..values.problem import InputError, Problem, UsageError, check_choice
from ..words.interpolation import ROUNDING
from ..words.other_leaves import TRACE, append

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeAlias

    from ..place.axis import Axis
    from ..readers.sources import Readable

    Interval: TypeAlias = tuple[float, float]
    #: For each leaf of a tree its replacement: words with their times.
    Places: TypeAlias = list[list[tuple[bytes, Interval]]]
    #: A function from sentences, as lists of words, to one tree each: anything that `read` accepts, None for no parse.
    Parser: TypeAlias = Callable[[list[list[str]]], Iterable[Any]]

#: The axes on which boundaries can be moved.
AXES = (SECONDS.name, WORDS.name)
CITES = ("shi-etal-2024-structured",)
OPERATIONS = ("noise", "insert", "delete")
#: Silence between words is kept, or the words around it meet in its middle.
GAPS = ("keep", "close")
_NO_TIME = (float("nan"), float("nan"))
_UNCHANGED = "left unchanged"
_FALLBACK = "words joined in the original tree"


def perturb(
    trees: Readable,
    operation: str,
    delta: float,
    *,
    seed: int = 0,
    parser: Parser | str | None = None,
    axis: str | Axis = "seconds",
    gaps: str = "keep",
    steps: Steps | None = None,
) -> Treebank:
    """Perturb the word boundaries of trees: "noise" moves boundaries, "insert" adds some, "delete" removes some.

    `delta` from 0 to 1 is the extent. A tree's random numbers depend only on `seed`, the operation and the number of
    the tree in its source. After deletions `parser` parses the new words: a function from lists of words to trees, or a
    command that reads a line of words per sentence and writes a tree per line. Without a parser, a joined word replaces
    its first part. With axis="words" every word is one second long. With gaps="close" silence between words is removed
    before boundaries are perturbed, as in the paper: the two words meet in its middle. `steps` counts trees.

    >>> perturbed = perturb([["NP", [["DT", 0.15, 0.39], ["NN", 0.39, 0.8]]]], "noise", 0.3, seed=1)
    >>> print(perturbed[0])
    (NP (DT 0.15-0.414861) (NN 0.414861-0.8))
    """
    check_choice(operation, "operation", OPERATIONS)
    if not isinstance(delta, Real) or isinstance(delta, bool) or not 0 <= delta <= 1:
        raise UsageError(f"delta must be a number from 0 to 1, not {delta!r}")
    if not isinstance(seed, Integral) or isinstance(seed, bool):
        raise UsageError(f"seed must be a whole number, not {seed!r}")
    check_choice(gaps, "gaps", GAPS)
    axis = axis_named(axis, AXES)
    if parser is not None and operation != "delete":
        raise UsageError(f"a parser goes with delete, not with {operation}")
    bank = read(trees)
    if axis.needs_times:
        bank.check_times("place_seconds gives them times, and with axis='words' each word is one second long")
    if gaps == "close" and axis.needs_times:
        bank = without_silence(bank)
    return _Perturbation(bank, operation, float(delta), seed, axis, steps or Steps()).run(CommandParser.of(parser))


def without_silence(bank: Treebank) -> Treebank:
    """The same trees, in which the words before and after a silence meet in its middle.

    >>> tree = ["NP", [["DT", 0.0, 0.25, "the"], ["NN", 0.75, 1.0, "cat"]]]
    >>> without_silence(read([tree]))[0].times
    [(0.0, 0.5), (0.5, 1.0)]
    """

    def closed(index: int) -> list[Interval] | None:
        times = bank.native.times(index)
        return None if times is None or bank.native.discontinuous(index) else _closed(times)

    return _with_new_times(bank, closed, range(len(bank)))


def _with_new_times(
    bank: Treebank, new_times: Callable[[int], list[Interval] | None], indices: Iterable[int]
) -> Treebank:
    """The same trees with new times, None for unchanged ones; words that are spans of time change with their times."""
    native = bank.native
    named = any(map(may_be_span, _core.LeafWords(native).names()))  # without spans as words nothing is renamed
    times = array("d")
    renamed: dict[int, Places] = {}  # the new leaves of trees with time spans as words
    for index in indices:
        before, moved = native.times(index), new_times(index)
        now = moved or before or [_NO_TIME] * native.leaf_count(index)
        times.extend(chain.from_iterable(now))
        if named and moved and before:
            words = [word for _, _, word in native.leaves(index)]
            new = [
                encode(span_word(*after)) if is_span_word(word, *time) else word
                for word, time, after in zip(words, before, now, strict=True)
            ]
            if new != words:
                renamed[index] = [[item] for item in zip(new, now, strict=True)]
    timed = bank.with_times(times)
    if not renamed:
        return timed
    builder, names = _core.TreeBuilder(), native.names(0)
    for index in range(len(bank)):
        if index in renamed:
            append(builder, native, index, names, renamed[index])
        else:
            builder.extend(timed.native.slice(index, index + 1))
    return timed.with_trees(builder.trees())


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
        self.problems.clear()  # rebuilding reports them again
        return self._rebuilt(parses)

    def _moved(self) -> Treebank:
        """The same trees with moved boundaries."""

        def moved(index: int) -> list[Interval] | None:
            before, random = self._times(index), self._random(index)
            return before if before is None or random is None else _noise(before, self.delta, random) or before

        return _with_new_times(self.bank, moved, self.steps.over(len(self.bank))).with_problems(self.problems)

    def _rebuilt(self, parses: Parses | None) -> Treebank:
        """The original trees with replaced leaves where there are replacements."""
        native = self.bank.native
        builder = _core.TreeBuilder()
        for index in self.steps.over(len(native)):
            places = self.places(index)
            if places is None:
                builder.extend(native.slice(index, index + 1))
            elif parses is None or not self._append_parse(builder, index, places, parses):
                append(builder, native, index, self.names, [_in_tree(place) for place in places])
        return self.bank.with_trees(builder.trees(), self.problems)

    def places(self, index: int) -> Places | None:
        """The replacement of each leaf of a tree; None for no change."""
        times, random = self._times(index), self._random(index)
        if times is None:
            return None
        leaves = self.bank.native.leaves(index)
        places: Places = [[(word, time)] for (_, _, word), time in zip(leaves, times, strict=True)]
        change = _insert if self.operation == "insert" else _delete
        changed = random is not None and change(places, self.delta, random)
        return places if changed or not self.axis.needs_times else None

    def _random(self, index: int) -> Callable[[], float] | None:
        """The random numbers of a tree; None if delta is 0."""
        return Random(f"{self.seed}:{self.operation}:{self.bank.number(index)}").random if self.delta else None

    def _times(self, index: int) -> list[Interval] | None:
        """The times of the words of a tree; None if the tree cannot be changed."""
        native = self.bank.native
        if not native.leaf_count(index):
            return None
        if native.discontinuous(index):
            self._report(index, "discontinuous", "discontinuous trees are not perturbed")
            return None
        if self.axis.needs_times:
            times = native.times(index)
            if times is None:
                self._report(index, "no-times", "the words of this tree have no times")
            return times
        spoken = [tag == _core.NO_TAG or self.names[tag] != TRACE for tag, _, _ in native.leaves(index)]
        ends = list(accumulate(spoken))
        return [(float(end - length), float(end)) for end, length in zip(ends, spoken, strict=True)]

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
        self.steps.total = 0  # the parser's time is unknown
        return Parses(parse_all(parser, list(joined.values())), joined)

    def _read_words(self, index: int, places: Places) -> list[tuple[bytes, Interval]]:
        """The parser's input: all words but traces."""
        leaves = self.bank.native.leaves(index)
        return [
            item
            for (tag, _, _), place in zip(leaves, places, strict=True)
            if tag == _core.NO_TAG or self.names[tag] != TRACE
            for item in place
        ]

    def _append_parse(self, builder: _core.TreeBuilder, index: int, places: Places, parses: Parses) -> bool:
        """Append the parser's tree if it is usable."""
        if index not in parses.numbers:
            return False
        number, words = parses.numbers[index], self._read_words(index, places)
        fault = parses.fault(number, [word for word, _ in words])
        if fault is not None:
            self._report(index, "parser", f"the parser's tree cannot be used: {fault}", _FALLBACK)
            return False
        line = self.bank.line(index)
        append(builder, parses.native, number, parses.names, [_in_tree([word]) for word in words], line=line)
        return True


def parse_all(parser: Parser, sentences: list[list[str]]) -> Treebank:
    """The parser's trees for these sentences, one each."""
    trees = _read_answer(parser(sentences) if sentences else [])
    if len(trees) != len(sentences):
        name, hint = "the parser", ""
        if isinstance(parser, CommandParser):
            name, hint = f"the parser {parser.words[0]!r}", "; each tree must be on one line"
        message = f"{name} returned {number_of(len(trees), 'tree')} for {number_of(len(sentences), 'sentence')}{hint}"
        raise InputError(Problem("parser", message))
    return trees


def _read_answer(answer: Any) -> Treebank:
    """The trees that a parser returned."""
    if isinstance(answer, Iterator):
        answer = list(answer)  # its exceptions are the parser's own
    expected = "a parser must return a list with one tree per sentence"
    if answer is None or isinstance(answer, str | bytes | Mapping):
        raise UsageError(f"{expected}, not {short_repr(answer)}")
    try:
        return read(answer, on_error="keep", name="<parser>")
    except TypeError as problem:
        raise UsageError(f"{expected}; {problem}") from None


class Parses:
    """Trees from a parser, and the sentences to which they belong."""

    def __init__(self, trees: Treebank, sentences: Iterable[int]) -> None:
        self.native, self.names = trees.native, trees.native.names(0)
        self.numbers = {index: number for number, index in enumerate(sentences)}
        self.unreadable = {problem.unit: problem.message for problem in reversed(trees.problems)}

    def fault(self, number: int, words: list[bytes]) -> str | None:
        """The reason why a tree does not fit these words, or None."""
        if number + 1 in self.unreadable:
            return self.unreadable[number + 1]
        leaves = [word for _, _, word in self.native.leaves(number)]
        if not leaves:
            return "it is empty"
        if self.native.discontinuous(number):
            return "it is discontinuous"
        answer, expected = (" ".join(_without_spaces(decode(word)) for word in side) for side in (leaves, words))
        return None if answer == expected else f"its words are {answer!r}, not {expected!r}"


def _without_spaces(word: str) -> str:
    """A word as in trees and commands, where the spaces between joined words are underscores."""
    return word.replace(" ", "_")


def _in_tree(place: list[tuple[bytes, Interval]]) -> list[tuple[bytes, Interval]]:
    return [(word.replace(b" ", b"_"), time) for word, time in place]


# ---------------------------------------------------------------------------------------------------------------------
# Operations: noise changes times, the others replace leaves; they return None or False if nothing was changed. Leaves
# of length 0 were not spoken; they stay next to their neighbours.


def _noise(times: list[Interval], delta: float, random: Callable[[], float]) -> list[Interval] | None:
    """Move each inner boundary randomly by up to `delta` of the distance to its left or right neighbour."""
    spoken = [leaf for leaf, (start, end) in enumerate(times) if start < end]
    instants: list[float] = []
    bounds = []  # the indices of the boundaries of each word
    for leaf in spoken:
        start, end = times[leaf]
        if not instants or start - instants[-1] > ROUNDING:  # otherwise it shares a boundary with the previous word
            instants.append(start)
        bounds.append((len(instants) - 1, len(instants)))
        instants.append(end)
    moved = instants.copy()
    for index in range(1, len(instants) - 1):
        share = delta * (2 * random() - 1)
        before, here, after = moved[index - 1 : index + 2]
        target = here + share * (after - here if share >= 0 else here - before)
        if before < target < after:  # words must keep a positive length
            moved[index] = target
    if moved == instants:
        return None
    new = dict(zip(instants, moved, strict=True))
    result = times.copy()
    for leaf, (first, last) in zip(spoken, bounds, strict=True):
        result[leaf] = moved[first], moved[last]
    earliest = None
    for leaf, (start, end) in enumerate(result):
        if start < end:
            earliest = end
        elif earliest is not None:  # unspoken leaves before the first word do not move
            earliest = max(earliest, new.get(start, start))
            result[leaf] = earliest, earliest
    latest = None
    for leaf in range(len(result) - 1, -1, -1):
        start, end = result[leaf]
        if start < end:
            latest = start
        elif latest is not None and start > latest:
            result[leaf] = latest, latest
    return result


def _closed(times: list[Interval]) -> list[Interval]:
    """The times of words that meet in the middle of a silence, and of the leaves of length 0 between them."""
    closed = times.copy()
    before: int | None = None  # the last spoken leaf
    for leaf, (start, end) in enumerate(times):
        if start >= end:
            continue
        if before is not None and closed[before][1] < start:
            middle = closed[before][1] + (start - closed[before][1]) / 2
            closed[before] = closed[before][0], middle
            closed[before + 1 : leaf] = [(middle, middle)] * (leaf - before - 1)
            closed[leaf] = middle, end
        before = leaf
    return closed


def _spoken(places: Places) -> list[int]:
    return [leaf for leaf, [(_, (start, end))] in enumerate(places) if start < end]


def _insert(places: Places, delta: float, random: Callable[[], float]) -> bool:
    """Split each word at a random point with probability delta."""
    changed = False
    for leaf in _spoken(places):
        chance, share = random(), random()  # always two numbers, so that a larger delta also makes the same splits
        if chance >= delta:
            continue
        word, (start, end) = places[leaf][0]
        cut = start + share * (end - start)
        if not start < cut < end:
            cut = start / 2 + end / 2
        if not start < cut < end:
            continue  # there is no float between these two
        changed = True
        times = (start, cut), (cut, end)
        if is_span_word(word, start, end):
            places[leaf] = [(encode(span_word(*time)), time) for time in times]
        else:
            places[leaf] = list(zip(_halves(word, share), times, strict=True))
    return changed


def _delete(places: Places, delta: float, random: Callable[[], float]) -> bool:
    """Remove each boundary between two words, including silence, with probability delta."""
    spoken = _spoken(places)
    first = 0  # the first of the words to join
    changed = False
    for index in range(1, len(spoken) + 1):
        if index < len(spoken) and random() < delta:
            continue
        if index - first > 1:
            changed = True
            _join(places, spoken[first:index])
        first = index
    return changed


def _join(places: Places, run: Sequence[int]) -> None:
    """Join words into one that replaces the first; unspoken leaves between them follow it."""
    parts = [places[leaf][0] for leaf in run]
    time = parts[0][1][0], parts[-1][1][1]
    spans = all(is_span_word(word, *time) for word, time in parts)
    word = encode(span_word(*time)) if spans else b" ".join(word for word, _ in parts)
    for leaf in range(run[0], run[-1] + 1):
        silent, _ = places[leaf][0]
        places[leaf] = [(silent, (time[1], time[1]))]
    for leaf in run:
        places[leaf] = []
    places[run[0]] = [(word, time)]


def _halves(word: bytes, share: float) -> tuple[bytes, bytes]:
    """A word split after this share of its characters; both parts have at least one, or both are the whole word.

    >>> _halves(b"sleeps", 0.5), _halves(b"cat", 0.01), _halves(b"I", 0.5)
    ((b'sle', b'eps'), (b'c', b'at'), (b'I', b'I'))
    """
    text = decode(word)
    cut = min(max(round(share * len(text)), 1), len(text) - 1)
    if not text.isascii():
        from unicodedata import combining

        while cut < len(text) and combining(text[cut]):  # combining marks stay with their letter
            cut += 1
    if not 0 < cut < len(text):
        return word, word
    return encode(text[:cut]), encode(text[cut:])


class CommandParser:
    """A parser as a command, which reads a line of words per sentence and writes a tree per line.

    The spaces within joined words are underscores.

    >>> CommandParser("sed s/.*/(X&)/")([["a"], ["b"]])
    ['(Xa)', '(Xb)']
    """

    def __init__(self, command: str) -> None:
        from shlex import split

        try:
            self.words = split(command)
        except ValueError as problem:
            raise UsageError(f"the parser {command!r} is not a command: {problem}") from None
        if not self.words:
            raise UsageError("the parser is an empty command")

    @classmethod
    def of(cls, parser: Parser | str | None) -> Parser | None:
        """A parser, which may be given as a command."""
        if isinstance(parser, str):
            return cls(parser)
        if parser is not None and not callable(parser):
            raise UsageError(
                f"parser must be a function from lists of words to trees, or a command, not {short_repr(parser)}"
            )
        return parser

    def __call__(self, sentences: list[list[str]]) -> list[str]:
        """The output lines of the command."""
        from subprocess import PIPE, run

        text = encode("".join(" ".join(map(_without_spaces, words)) + "\n" for words in sentences))
        try:
            process = run(self.words, input=text, stdout=PIPE, check=False)
        except OSError as problem:
            raise UsageError(f"the parser {self.words[0]!r} cannot be run: {problem.strerror}") from None
        if process.returncode:
            raise InputError(Problem("parser", f"the parser {self.words[0]!r} ended with {process.returncode}"))
        lines = decode(process.stdout).split("\n")
        return lines[:-1] if not lines[-1].strip() else lines
