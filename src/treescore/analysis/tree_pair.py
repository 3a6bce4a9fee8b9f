"""A pair of trees and the verdict on each node under a metric, for pictures and explanations.

>>> trees = pair("(S (NP (NN a)) (VP (VB b)))", "(S (NN a) (VP (VB b)))", "parseval|profile:none")
>>> trees
<TreePair 80.00: 3 and 2 nodes, 2 pairs, parseval|labels:yes|profile:none|v:0.2.0.dev0>
>>> [(node.label, node.mark) for node in trees.nodes[0]]
[('S', 'aligned'), ('NP', 'missing'), ('NN', 'ignored'), ('VP', 'aligned'), ('VB', 'ignored')]
"""

from __future__ import annotations

from collections import deque

from ..helpers.memory import uncollected
from ..helpers.showing import pictures
from ..helpers.text import number_of
from ..place.pair import Pair
from ..scoring.batch import score_batch
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from os import PathLike
    from typing import Any

    from ..metrics.base import Metric
    from ..pairing.node_mapping import Verdict
    from ..place.axis import Axis
    from ..place.placed import Positions
    from ..readers.sources import Readable
    from ..recipe import Recipe
    from ..trees import Tree, Treebank
    from ..values.problem import Problem
    from .explain import Explanation

    #: Position, label and number of a node.
    Unmatched = tuple[Hashable, str, int]

#: Marks of nodes: with a partner, only in gold, only in test, not counted by the metric.
ALIGNED, MISSING, EXTRA, IGNORED = "aligned", "missing", "extra", "ignored"


class PairNode(Value):
    """A phrase or preterminal of one side.

    Its leaves are [first, last); `start` and `end` are its interval on the metric's axis, None if it is not counted.
    `crossing` means that it crosses a counted node of the other side. `twin` is a node of the other side and of the
    same kind over the same words or interval, but with another label, if neither has a partner.
    """

    number: int
    label: str
    parent: int | None
    first: int
    last: int
    is_preterminal: bool
    start: float | None = None
    end: float | None = None
    mark: str = IGNORED
    partner: int | None = None
    iou: float | None = None
    crossing: bool = False
    twin: int | None = None


class TreePair:
    """A gold tree and a test tree with their score under a metric and the verdict on each node."""

    __slots__ = ("_words", "axis", "gold", "id", "metric", "nodes", "number", "places", "problems", "score", "test")

    def __init__(
        self,
        gold: Tree,
        test: Tree,
        metric: Metric,
        verdicts: Sequence[Verdict],
        *,
        score: float | None,
        number: int | None = None,
        id: str | None = None,
        problems: Iterable[Problem] = (),
        places: tuple[Positions, Positions],
    ) -> None:
        self.gold, self.test, self.metric, self.score = gold, test, metric, score
        #: The number of the sentence, from 1, and its id if it has one.
        self.number, self.id = number, id
        self.problems = tuple(problems)
        self._words: tuple[list[list[int]], list[list[int]]] | None = None
        #: The axis of the leaves: words, characters or seconds.
        self.axis: Axis = metric.axis
        #: The positions of the leaves of both sides; leaves that are not counted have length 0.
        self.places = places
        #: The nodes of both sides, in the order of their opening brackets.
        self.nodes = (
            _nodes(gold, [v for v in verdicts if not v.is_test], MISSING),
            _nodes(test, [v for v in verdicts if v.is_test], EXTRA),
        )
        self._find_twins()

    @property
    def signature(self) -> str:
        """The metric's signature."""
        return self.metric.signature

    @property
    def counted(self) -> tuple[int, int]:
        """The numbers of counted nodes of both sides."""
        gold, test = (sum(node.mark != IGNORED for node in side) for side in self.nodes)
        return gold, test

    def links(self) -> list[tuple[int, int, float]]:
        """Gold node, test node and IoU of each pair."""
        return [
            (node.number, node.partner, node.iou)
            for node in self.nodes[0]
            if node.partner is not None and node.iou is not None
        ]

    def explain(self) -> Explanation:
        """The contribution of each node to the score.

        >>> pair("(S (NP (NN a)))", "(S (VP (NN a)))", "parseval|profile:none").explain()
        <Explanation of 50.00: 1 loss>
        """
        from .explain import explain

        return explain(self)

    def _find_twins(self) -> None:
        free = [[node for node in nodes if node.mark in (MISSING, EXTRA)] for nodes in self.nodes]
        if not free[0] or not free[1]:
            return
        gold, test = (
            [(self.place(node, side), node.label, node.number) for node in nodes] for side, nodes in enumerate(free)
        )
        for twins in find_twins(gold, test):
            for side, number in enumerate(twins):
                self.nodes[side][number] = self.nodes[side][number].replace(twin=twins[1 - side])

    @property
    def has_gaps(self) -> bool:
        """Is either tree discontinuous, so that the ends of a phrase do not determine its words?"""
        return self.gold.is_discontinuous or self.test.is_discontinuous

    def words(self, node: PairNode, side: int) -> Sequence[int]:
        """The numbers of the leaves of a node of one side: 0 is gold, 1 is test."""
        if not self.has_gaps:
            return range(node.first, node.last)
        if self._words is None:
            gold, test = ([part.positions for part in tree.nodes()] for tree in (self.gold, self.test))
            self._words = gold, test
        return self._words[side][node.number]

    def place(self, node: PairNode, side: int) -> Hashable:
        """A key that is equal for nodes of the same kind in the same position: over the same interval and words."""
        words = tuple(self.words(node, side)) if self.has_gaps else None
        return node.start, node.end, node.is_preterminal, words

    def svg(self, *, mode: str = "auto", **options: Any) -> str:
        """A picture of both trees as SVG, "mirrored" over one axis or "beside" each other.

        For the options see `treescore.draw.pictures`.

        >>> pair("(S (X a b) c)", "(S a (X b c))").svg(mode="beside")[:4]
        '<svg'
        """
        picture: str = pictures().svg(self, mode=mode, **options)
        return picture

    def save(self, path: str | PathLike[str], **options: Any) -> None:
        """Draw both trees into a file: `.svg`, `.pdf`, `.png` or `.tex`."""
        pictures().save(path, self, **options)

    def _repr_svg_(self) -> str | None:
        picture: str | None = pictures().automatic(self)
        return picture

    def __repr__(self) -> str:
        score = "–" if self.score is None else f"{100 * self.score:.2f}"
        gold, test = self.counted
        pairs = number_of(len(self.links()), "pair")
        return f"<TreePair {score}: {gold} and {test} nodes, {pairs}, {self.signature}>"


def find_twins(gold: Iterable[Unmatched], test: Iterable[Unmatched]) -> list[tuple[int, int]]:
    """Pairs of unmatched nodes in the same position with different labels, in gold order.

    >>> find_twins([((0, 2), "A", 1), ((0, 2), "B", 2)], [((0, 2), "B", 5), ((2, 3), "C", 7)])
    [(1, 5)]
    >>> find_twins([((0, 2), "B", 2)], [((0, 2), "B", 5), ((0, 2), "C", 6)])
    [(2, 6)]
    """
    positions: dict[Hashable, _Untwinned] = {}
    for position, label, number in test:
        positions.setdefault(position, _Untwinned()).waiting.append((label, number))
    twins = []
    for position, label, number in gold:
        twin = positions[position].take(label) if position in positions else None
        if twin is not None:
            twins.append((number, twin))
    return twins


class _Untwinned:
    """Nodes in the same position without a twin."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[str, int]] = deque()
        self.skipped: deque[tuple[str, int]] = deque()  # earlier nodes, all with the same label

    def take(self, label: str) -> int | None:
        """The first node with another label."""
        if self.skipped and self.skipped[0][0] != label:
            return self.skipped.popleft()[1]
        while self.waiting and self.waiting[0][0] == label:
            self.skipped.append(self.waiting.popleft())
        return self.waiting.popleft()[1] if self.waiting else None


def words_at(leaves: Sequence[str], indices: Sequence[int]) -> list[str]:
    """The words at these indices, with an ellipsis in each gap.

    >>> words_at(["why", "did", "he", "go"], [0, 3])
    ['why', '…', 'go']
    """
    words: list[str] = []
    for previous, index in zip([*indices[:1], *indices], indices, strict=False):
        if index - previous > 1:
            words.append("…")
        words.append(leaves[index])
    return words


def _nodes(tree: Tree, verdicts: Sequence[Verdict], unmatched: str) -> list[PairNode]:
    nodes: list[PairNode] = []
    by_number = {verdict.number: verdict for verdict in verdicts}
    tags = [tag for _, tag in tree.pos()]
    spans = tree.spans()
    items, children, _ = tree.numbered()
    parents: list[int | None] = [None] * len(items)
    for number, below in enumerate(children):
        for child in below:
            if child >= 0:
                parents[child] = number
    for number, item in enumerate(items):
        if item < 0:
            label, first, last = tags[~item] or "", ~item, ~item + 1
        else:
            label, first, last = spans[item].label, spans[item].start, spans[item].end
        node = PairNode(number, label, parents[number], first, last, item < 0)
        verdict = by_number.get(number)
        if verdict is not None:
            values = verdict.values()
            del values["is_test"]
            node = node.replace(mark=unmatched if verdict.partner is None else ALIGNED, **values)
        nodes.append(node)
    return nodes


def pair_at(gold: Treebank, test: Treebank, index: int, metric: Metric) -> TreePair:
    """The pair at an index of two treebanks of equal size; negative indices count from the end."""
    start = index + len(gold) if index < 0 else index
    if not 0 <= start < len(gold):
        raise IndexError(f"there is no sentence with index {index}: there are {len(gold):,}")
    trees = Pair(gold[start : start + 1], test[start : start + 1])
    batch = score_batch([metric], trees)
    with uncollected():
        return TreePair(
            gold[start],
            test[start],
            metric,
            metric.verdicts(trees)[0],
            score=metric.rows(batch.counts[0])[metric.row_figure][0],
            number=gold.number(start),
            id=None if gold.ids is None else gold.ids[start],
            problems=batch.problems,
            places=metric.placed(trees)[0],
        )


def pair(gold: Readable, test: Readable, metric: str | Metric | Recipe | None = None) -> TreePair:
    """One gold tree and one test tree under a metric that judges nodes: parseval or struct_iou.

    The default metric is the same as in `treescore.evaluate`: struct_iou over seconds if both trees have times, else
    parseval.

    >>> pair("(NP (DT the) (NN cat))", "(NP (NN thecat))", "struct_iou|axis:characters").axis
    <Axis characters>
    """
    from ..metrics.nodes import one_pair
    from ..scoring.choosing import choose

    trees = one_pair(gold, test, "pair")
    return pair_at(trees.gold, trees.test, 0, choose([trees], metric).metrics[0])
