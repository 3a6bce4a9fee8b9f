"""Heads of phrases, and the resulting dependencies between words.

>>> import treescore
>>> from treescore.heads import tables
>>> tree = treescore.read("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))")[0]
>>> finder = HeadFinder(tables.get("collins"))
>>> finder.find(tree)
[(1, 2), (1, 1), (0, 2)]
>>> finder.dependencies(tree)
[(0, 1, 'NP', 'DT'), (1, 2, 'S', 'NP'), (2, None, 'TOP', 'S')]
"""

from __future__ import annotations

from ..helpers.text import visible
from ..recipe import OUTER_LABELS
from ..values.problem import InputError, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..trees import Tree
    from .table import HeadTable

Head = tuple[int, "int | None"]  # number of the head child among the children, number of the head word in the sentence
Dependency = tuple[int, "int | None", str, str]  # dependent, head (None: the root), labels of mother and child

ROOT = "TOP"
EDITS = ("EDITED",)


def category(label: str) -> str:
    """A label without function tags, cut as in SParseval: never at the first or last character.

    >>> [category(label) for label in ("NP-SBJ=2", "-LRB-", "S=1", "VP-")]
    ['NP', '-LRB-', 'S', 'VP-']
    """
    for index, character in enumerate(label[1:-1], 1):
        if character in "-=":
            return label[:index]
    return label


class HeadFinder:
    """Finds heads by a table; it caches lookups, so use one finder for many trees.

    Children with a label in `edits` are heads only if there are no others. `compat` reproduces differences of the
    SParseval program: a group that only an edit child matches makes that child the head; phrases inside an edit child
    have no head, nor has the outermost phrase; and the table's `conjunctions` and `skip` are ignored.
    """

    def __init__(self, table: HeadTable, *, edits: Iterable[str] = EDITS, compat: bool = False) -> None:
        self.table = table
        self.compat = compat
        self.edits = frozenset(edits)
        self.skip = frozenset(table.skip)
        self._conjunctions = frozenset(table.conjunctions)
        self._rules = dict(table.rules)
        self._orders: dict[str, _Order] = {}
        self._categories: dict[str, str] = {}

    def find(self, tree: Tree) -> list[Head | None]:
        """The head of each phrase in the order of `tree.spans()`; None for a phrase without words.

        >>> import treescore
        >>> from treescore.heads import HeadTable
        >>> tree = treescore.read("(NP (NP (NNS cats)) (CC and) (NP (NNS dogs)))")[0]
        >>> HeadFinder(HeadTable([], [("r", [])])).find(tree)
        [(2, 2), (0, 0), (0, 2)]
        >>> HeadFinder(HeadTable([], [("r", [])], conjunctions=["CC"])).find(tree)
        [(0, 0), (0, 0), (0, 2)]
        """
        return _TreeHeads(self, tree).heads

    def dependencies(self, tree: Tree) -> list[Dependency]:
        """The dependency of each word, with the labels of the phrase that contains both words and of its child.

        The outer bracket (TOP, ROOT, S1, VROOT or no label) is the root, which is added if it is missing. One word
        depends on the root. With `compat` the outermost phrase is the root whatever its label, all of its children
        depend on it, and words in edit children and in phrases headed by one have no dependency.

        >>> import treescore
        >>> from treescore.heads import HeadTable
        >>> tree = treescore.read("(TOP (S (EDITED (NP (PRP i))) (NP (PRP we)) (VP (VBD left))))")[0]
        >>> table = HeadTable({"S": [("r", ["VP"])]}, [("l", [])])
        >>> HeadFinder(table).dependencies(tree)
        [(0, 2, 'S', 'EDITED'), (1, 2, 'S', 'NP'), (2, None, 'TOP', 'S')]
        >>> HeadFinder(table, compat=True).dependencies(tree)
        [(1, 2, 'S', 'NP'), (2, None, 'TOP', 'S')]
        """
        return _TreeHeads(self, tree).dependencies()

    def category(self, label: str) -> str:
        """`category`, cached."""
        cut = self._categories.get(label)
        if cut is None:
            cut = self._categories[label] = category(label)
        return cut

    def order(self, label: str) -> _Order:
        """The order of preference of children in phrases of a category."""
        order = self._orders.get(label)
        if order is None:
            order = self._orders[label] = _Order((*self._rules.get(label, ()), *self.table.default))
        return order

    def before_conjunction(self, labels: list[str], head: int) -> int:
        """The child before the conjunction if there is one before the head, otherwise the head."""
        if head < 2 or labels[head - 1] not in self._conjunctions:
            return head
        return next((child for child in range(head - 2, -1, -1) if labels[child] not in self._conjunctions), head)


class _Order:
    """The groups of a rule and the default as a rank of each label: the number of the first group with the label."""

    __slots__ = ("_is_left", "_others", "_ranks")

    def __init__(self, groups: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        self._ranks: dict[str, int] = {}
        self._is_left: list[bool] = []
        for rank, (direction, labels) in enumerate(groups):
            self._others = rank if not labels else rank + 1
            self._is_left.append(direction == "l")
            for label in labels:
                self._ranks.setdefault(label, rank)
            if not labels:
                break  # this group matches any label, so later groups are unreachable

    def best(self, labels: list[str]) -> tuple[list[int], bool]:
        """The children in the first group with any of their labels, head first; and whether there is such a group.

        Without such a group, all children in the direction of the last group.
        """
        ranks = [self._ranks.get(label, self._others) for label in labels]
        lowest = min(ranks)
        children = [child for child, rank in enumerate(ranks) if rank == lowest]
        is_known = lowest < len(self._is_left)
        return (children if self._is_left[lowest if is_known else -1] else children[::-1]), is_known


#: Levels of children, of which the lowest are preferred: ordinary, punctuation or trace, edit, without words.
_PLAIN, _SKIPPED, _EDIT, _EMPTY = range(4)


class _TreeHeads:
    """The heads of one tree, computed from the innermost phrases outwards."""

    def __init__(self, finder: HeadFinder, tree: Tree) -> None:
        self.finder = finder
        phrases, self.tops = tree.structure()
        self.children = [below for _, below in phrases]
        self.labels = [finder.category(label) for label, _ in phrases]
        tags = (finder.category(tag or "") for _, tag in tree.pos())
        self.tags = dict(zip(tree.positions, tags, strict=True))
        self.heads: list[Head | None] = [None] * len(phrases)
        self.levels = [_PLAIN] * len(phrases)
        self.has_root = self.tops == [0] and (finder.compat or phrases[0][0] in OUTER_LABELS)
        if finder.compat:
            self._find_as_sparseval()
        else:
            for number in range(len(phrases) - 1, -1, -1):
                self._find(number)

    def label(self, child: int) -> str:
        return self.labels[child] if child >= 0 else self.tags[~child]

    def leaf(self, child: int) -> int | None:
        """The head word of a child."""
        if child < 0:
            return ~child
        head = self.heads[child]
        return None if head is None else head[1]

    def level(self, child: int) -> int:
        if child >= 0:
            return self.levels[child]
        tag = self.label(child)
        return _EDIT if tag in self.finder.edits else _SKIPPED if tag in self.finder.skip else _PLAIN

    def _find(self, number: int) -> None:
        label, below = self.labels[number], self.children[number]
        least = min(map(self.level, below), default=_EMPTY)
        self.levels[number] = max(least, _EDIT if label in self.finder.edits else _PLAIN)
        if least < _EMPTY:
            self.heads[number] = self._head(label, below, least)

    def _head(self, label: str, below: list[int], least: int) -> Head:
        indices = [index for index, child in enumerate(below) if self.level(child) == least]
        labels = [self.label(below[index]) for index in indices]
        best, _ = self.finder.order(label).best(labels)
        head = indices[self.finder.before_conjunction(labels, best[0])]
        return head, self.leaf(below[head])

    def _find_as_sparseval(self) -> None:
        edits = self.finder.edits
        headless = {0} if self.has_root else set()
        for number, below in enumerate(self.children):
            if self.labels[number] in edits or (number in headless and number > 0):
                headless.update((number, *(child for child in below if child >= 0)))
        for number in range(len(self.children) - 1, -1, -1):
            below = self.children[number]
            if number in headless or not below:
                continue
            labels = [self.label(child) for child in below]
            best, is_known = self.finder.order(self.labels[number]).best(labels)
            if not is_known:
                message = f"no rule finds a head in {visible(self.labels[number])}; end the default in (l) or (r)"
                raise InputError(Problem("no-head", message))
            head = next((child for child in best if labels[child] not in edits), best[0])
            self.heads[number] = head, self.leaf(below[head])

    def dependencies(self) -> list[Dependency]:
        result: list[Dependency] = []
        for number in range(1 if self.has_root else 0, len(self.children)):
            head = self.heads[number]
            if head is not None and head[1] is not None:
                self._add(result, self.labels[number], self.children[number], head)
        if self.has_root:
            self._add(result, ROOT, self.children[0], self.heads[0], is_root=True)
        elif not self.finder.compat or len(self.tops) > 1:  # in SParseval a single word has no dependency
            least = min(map(self.level, self.tops), default=_EMPTY)
            head = self._head("", self.tops, least) if least < _EMPTY else None
            self._add(result, ROOT, self.tops, head, is_root=True)
        return sorted(result, key=lambda dependency: dependency[0])

    def _add(
        self, result: list[Dependency], label: str, below: list[int], head: Head | None, is_root: bool = False
    ) -> None:
        """Add the dependents of the head of a phrase; in the root also the head, or with `compat` all children."""
        compat = self.finder.compat
        head_child, leaf = head or (None, None)
        for number, child in enumerate(below):
            dependent, name = self.leaf(child), self.label(child)
            if dependent is None or (compat and name in self.finder.edits):
                continue
            if is_root and (compat or number == head_child):
                result.append((dependent, None, label, name))
            elif number != head_child:
                result.append((dependent, leaf, label, name))
