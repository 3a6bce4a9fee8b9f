"""One n-best list: the candidates for one sentence, best first."""

from __future__ import annotations

from math import isfinite

from ..helpers.text import encode, visible
from ..readers.named import TreeLines
from ..readers.nested import is_nested
from ..trees import Source, Treebank
from ..values.problem import Problem
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

#: Formats of n-best lists: detected from the content; lines of id, rank, score and tree; blocks of lines separated by
#: blank lines; JSON objects.
FORMS = ("auto", "tsv", "blocks", "jsonl")
#: The action for an unusable candidate.
LEFT_OUT = "left out of its list"
_NOTHING = (None, "", b"")


class NBest(Value):
    """The candidates for one sentence, sorted by rank. Unreadable candidates become problems.

    `trees`, `ranks`, `scores` and `keys` (which are equal for equal trees) have equal lengths; missing scores are
    None. `number` is the position of the list among others, from 1.

    >>> nbest = NBest.of(["(S (NN a))", "(S (NN a", "(NP (NN a))"], scores=[-1.5, -2, -3])
    >>> [str(tree) for tree in nbest.trees], nbest.ranks, nbest.scores
    (['(S (NN a))', '(NP (NN a))'], [1, 3], [-1.5, -3.0])
    >>> print(nbest.problems[0])
    <list>:2: this bracket is never closed (2 still open at the end of the line) (left out of its list)
    """

    id: str
    number: int
    trees: Treebank
    ranks: Sequence[int]
    scores: Sequence[float | None]
    keys: Sequence[object]
    problems: Sequence[Problem] = ()

    @classmethod
    def of(
        cls, trees: Iterable[Any], *, scores: Iterable[Any] | None = None, id: str | None = None, number: int = 1
    ) -> NBest:
        """A list of trees, best first: strings in brackets, nested lists, or `Tree`s."""
        builder = Builder("<list>", number, id)
        for rank, (tree, score) in enumerate(_with_scores(trees, scores), 1):
            builder.add(rank, rank, score, tree if isinstance(tree, str | list | None) else str(tree))
        return builder.build()

    def __len__(self) -> int:
        return len(self.ranks)

    def __repr__(self) -> str:
        return f"<NBest {self.id!r}: {len(self)} candidates>"


def _with_scores(trees: Iterable[Any], scores: Iterable[Any] | None) -> list[tuple[Any, Any]]:
    candidates = list(trees)
    all_scores = [None] * len(candidates) if scores is None else list(scores)
    if len(all_scores) != len(candidates):
        raise ValueError(f"{len(candidates)} trees, but {len(all_scores)} scores")
    return list(zip(candidates, all_scores, strict=True))


class Builder:
    """Builds a list from its candidates."""

    def __init__(self, file: str | None, number: int, id: str | None) -> None:
        self.file, self.number, self.id = file, number, id
        self.problems: list[Problem] = []
        self._found = TreeLines(Source(file or "<list>"), "keep")
        self._ranks: list[int] = []
        self._scores: list[float | None] = []
        self._keys: list[object] = []

    def __len__(self) -> int:
        return len(self._ranks)

    def add(self, line: int, rank: object, score: object, tree: Any, before: int | None = None) -> None:
        """Add a candidate; the default rank is the next one. `before` is the number of characters before the tree."""
        parsed_rank = len(self._ranks) + 1 if rank in _NOTHING else whole(rank)
        if parsed_rank is None:
            return self.fault(line, "rank", f"the rank is no whole number: {_opening(rank)}")
        if tree is not None and not isinstance(tree, str | bytes) and not is_nested(tree):
            return self.fault(line, "tree", "the tree is neither in brackets nor a list [label, children]")
        value = number(score)
        if value is None and score not in _NOTHING:
            self.fault(line, "score", f"the score is no finite number: {_opening(score)}", "read without a score")
        self._ranks.append(parsed_rank)
        self._scores.append(value)
        self._keys.append(_key(tree))
        self._found.tree(line, None, tree, before)
        return None

    def fault(self, line: int, code: str, message: str, action: str = LEFT_OUT, column: int | None = None) -> None:
        """Add a problem of a candidate."""
        where = {"file": self.file, "line": line, "column": column, "unit": self.number}
        self.problems.append(Problem(code, message, action=action, **where))  # type: ignore[arg-type]

    def build(self) -> NBest:
        """The list sorted by rank, without unreadable or empty candidates."""
        lines = self._found.lines
        bank = self._found.treebank()
        self.problems += [problem.replace(unit=self.number, action=LEFT_OUT) for problem in bank.problems]
        usable = []
        for index in range(len(bank)):
            if bank.native.leaf_count(index):
                usable.append(index)
            elif not bank.native.faulty(index):
                self.fault(lines[index], "no-tree", "this candidate has no words")
        usable.sort(key=lambda index: self._ranks[index])
        if usable != list(range(len(bank))):
            bank = bank.select(usable)
        ranks, scores, keys = ([column[row] for row in usable] for column in (self._ranks, self._scores, self._keys))
        self.problems.sort(key=lambda problem: problem.line or 0)
        name = str(self.number) if self.id is None else self.id
        return NBest(name, self.number, bank, ranks, scores, keys, self.problems)  # type: ignore[arg-type]


def _key(tree: Any) -> object:
    """A key that is equal for equal trees, whatever the white space."""
    if isinstance(tree, str | bytes):
        return b" ".join((encode(tree) if isinstance(tree, str) else tree).split())
    return repr(tree)


def whole(value: object) -> int | None:
    """An integer from a number or a string; None for anything else.

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
    """A finite float from a number or a string; None for anything else.

    >>> number(b"-1.5"), number(2), number("nan"), number([])
    (-1.5, 2.0, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str | bytes):
        return None
    try:
        converted = float(value)
    except (ValueError, OverflowError):
        return None
    return converted if isfinite(converted) else None


def _opening(value: object) -> str:
    shown = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return repr(visible(shown if len(shown) <= 30 else f"{shown[:30]}…"))
