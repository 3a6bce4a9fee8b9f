"""One n-best list: the candidates for one sentence, best first."""

from __future__ import annotations

from math import isfinite

from ..helpers.text import encode, visible
from ..readers.named import FoundTrees
from ..readers.nested import is_nested
from ..trees import Source, Treebank
from ..values.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

#: How n-best lists are written: told by the content, or lines of id, rank, score and tree, or blocks of lines with
#: blank lines between them, or JSON objects.
FORMS = ("auto", "tsv", "blocks", "jsonl")
#: What becomes of a candidate that cannot be used.
LEFT_OUT = "left out of its list"
_NOTHING = (None, "", b"")


class NBest:
    """The candidates for one sentence, in the order of their ranks. Those that cannot be read are problems instead.

    `trees`, `ranks` and `scores` are as long as each other; a score is None if there is none. `number` is the place of
    the list among others, from 1.

    >>> found = NBest.of(["(S (NN a))", "(S (NN a", "(NP (NN a))"], scores=[-1.5, -2, -3])
    >>> [str(tree) for tree in found.trees], found.ranks, found.scores
    (['(S (NN a))', '(NP (NN a))'], [1, 3], [-1.5, -3.0])
    >>> print(found.problems[0])
    <list>:2: this bracket is never closed (2 still open at the end of the line) (left out of its list)
    """

    __slots__ = ("id", "keys", "number", "problems", "ranks", "scores", "trees")

    def __init__(
        self,
        id: str,
        number: int,
        trees: Treebank,
        ranks: Sequence[int],
        scores: Sequence[float | None],
        keys: Sequence[object],
        problems: Sequence[Problem] = (),
    ) -> None:
        self.id, self.number, self.trees = id, number, trees
        self.ranks, self.scores, self.problems = list(ranks), list(scores), list(problems)
        self.keys = list(keys)  # equal only for the same tree

    @classmethod
    def of(
        cls, trees: Iterable[Any], *, scores: Iterable[Any] | None = None, id: str | None = None, number: int = 1
    ) -> NBest:
        """A list of trees, best first: strings in brackets, nested lists, or `Tree`s."""
        builder = Builder("<list>", number, id)
        for rank, (tree, score) in enumerate(_with_scores(trees, scores), 1):
            builder.add(rank, rank, score, tree if isinstance(tree, str | list | None) else str(tree))
        return builder.made()

    def __len__(self) -> int:
        return len(self.ranks)

    def __repr__(self) -> str:
        return f"<NBest {self.id!r}: {len(self)} candidates>"


def _with_scores(trees: Iterable[Any], scores: Iterable[Any] | None) -> list[tuple[Any, Any]]:
    found = list(trees)
    given = [None] * len(found) if scores is None else list(scores)
    if len(given) != len(found):
        raise ValueError(f"{len(found)} trees, but {len(given)} scores")
    return list(zip(found, given, strict=True))


class Builder:
    """Takes the candidates of one list as they come, and makes the list in the end."""

    def __init__(self, file: str | None, number: int, id: str | None) -> None:
        self.file, self.number, self.id = file, number, id
        self.problems: list[Problem] = []
        self._found = FoundTrees(Source(file or "<list>"), "keep")
        self._ranks: list[int] = []
        self._scores: list[float | None] = []
        self._keys: list[object] = []

    def __len__(self) -> int:
        return len(self._ranks)

    def add(self, line: int, rank: object, score: object, tree: Any, before: int | None = None) -> None:
        """A candidate; its rank is the next one if there is none, and `before` the characters before it on its line."""
        place = len(self._ranks) + 1 if rank in _NOTHING else whole(rank)
        if place is None:
            return self.fault(line, "rank", f"the rank is no whole number: {_opening(rank)}")
        if tree is not None and not isinstance(tree, str | bytes) and not is_nested(tree):
            return self.fault(line, "tree", "the tree is neither in brackets nor a list [label, children]")
        value = number(score)
        if value is None and score not in _NOTHING:
            self.fault(line, "score", f"the score is no finite number: {_opening(score)}", "read without a score")
        self._ranks.append(place)
        self._scores.append(value)
        self._keys.append(_key(tree))
        self._found.tree(line, None, tree, before)
        return None

    def fault(self, line: int, code: str, message: str, action: str = LEFT_OUT, column: int | None = None) -> None:
        """Something that is wrong with a candidate."""
        where = {"file": self.file, "line": line, "column": column, "unit": self.number}
        self.problems.append(Problem(code, message, action=action, **where))  # type: ignore[arg-type]

    def made(self) -> NBest:
        """The list: without what could not be read or has no words, the best rank first."""
        lines = self._found.lines
        bank = self._found.treebank()
        self.problems += [problem.replace(unit=self.number, action=LEFT_OUT) for problem in bank.problems]
        usable = []
        for place in range(len(bank)):
            if bank.native.leaf_count(place):
                usable.append(place)
            elif not bank.native.faulty(place):
                self.fault(lines[place], "no-tree", "this candidate has no words")
        usable.sort(key=lambda place: self._ranks[place])  # equal ranks stay in order
        if usable != list(range(len(bank))):
            bank = bank.select(usable)
        ranks, scores, keys = ([column[at] for at in usable] for column in (self._ranks, self._scores, self._keys))
        self.problems.sort(key=lambda problem: problem.line or 0)
        name = str(self.number) if self.id is None else self.id
        return NBest(name, self.number, bank, ranks, scores, keys, self.problems)  # type: ignore[arg-type]


def _key(tree: Any) -> object:
    """Equal for candidates that are the same tree; blanks between brackets do not matter."""
    if isinstance(tree, str | bytes):
        return b" ".join((encode(tree) if isinstance(tree, str) else tree).split())
    return repr(tree)


def whole(value: object) -> int | None:
    """A whole number, or the text of one; None if it is neither.

    >>> whole(b" 7"), whole("-1"), whole(7), whole(True), whole("7.5")
    (7, -1, 7, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | str | bytes):
        return None
    try:
        return int(value)
    except ValueError:
        return None


def number(value: object) -> float | None:
    """A finite number, or the text of one; None if it is neither.

    >>> number(b"-1.5"), number(2), number("nan"), number([])
    (-1.5, 2.0, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str | bytes):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if isfinite(found) else None


def _opening(value: object) -> str:
    shown = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return repr(visible(shown if len(shown) <= 30 else f"{shown[:30]}…"))
