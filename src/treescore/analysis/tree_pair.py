"""A pair of trees and the verdict on each node under a metric, for pictures and explanations.

>>> trees = pair("(S (NP (NN a)) (VP (VB b)))", "(S (NN a) (VP (VB b)))", "parseval|profile:none")
>>> trees
<TreePair 80.00: 3 and 2 nodes, 2 pairs, parseval|labels:yes|profile:none|v:0.2.0.dev0>
>>> [(node.label, node.mark) for node in trees.nodes[0]]
[('S', 'aligned'), ('NP', 'missing'), ('NN', 'ignored'), ('VP', 'aligned'), ('VB', 'ignored')]
"""

from __future__ import annotations

from collections import deque
from functools import cached_property

from ..helpers.garbage import uncollected
from ..helpers.showing import Drawn
from ..helpers.text import number_of
from ..metrics.nodes import one_pair
from ..place.pair import Pair
from ..scoring.batch import score_batch
from ..scoring.choosing import choose
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from typing import Any

    from ..metrics.base import Metric
    from ..pairing.node_mapping import Verdict
    from ..place.axis import Axis
    from ..place.placed import Positions
    from ..readers.completions.completion import Completion
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


class TreePair(Drawn):
    """A gold tree and a test tree with their score under a metric and the verdict on each node."""

    def __init__(self, gold: Treebank, test: Treebank, index: int, metric: Metric) -> None:
        self.metric = metric
        #: The number of the sentence, from 1, and its id if it has one.
        self.number = gold.number(index)
        self.id = None if gold.ids is None else gold.ids[index]
        #: The completion of a language model from which the test tree was read, if it was.
        self.completion: Completion | None = None if test.completions is None else test.completions[index]
        #: The axis of the leaves: words, characters or seconds.
        self.axis: Axis = metric.axis
        # What is derived from these is computed when it is needed, because it takes many times as long.
        self._banks, self._index = (gold, test), index
        self._trees = Pair(*(bank[index : index + 1] for bank in self._banks))
        self._batch = score_batch([metric], self._trees)
        self._verdicts = metric.verdicts(self._trees)

    @cached_property
    def gold(self) -> Tree:
        """The gold tree."""
        return self._banks[0][self._index]

    @cached_property
    def test(self) -> Tree:
        """The test tree."""
        return self._banks[1][self._index]

    @cached_property
    def score(self) -> float | None:
        """The score of the test tree; None if it is undefined."""
        rows = self.metric.rows(self._batch.counts[0])
        score: float | None = rows[self.metric.row_figure][0]
        return score

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of the trees, and of scoring them."""
        return tuple(self._batch.problems)

    @cached_property
    def places(self) -> tuple[Positions, Positions]:
        """The positions of the leaves of both sides; leaves that are not counted have length 0."""
        return self.metric.placed(self._trees)[0]

    @cached_property
    def nodes(self) -> tuple[list[PairNode], list[PairNode]]:
        """The nodes of both sides, in the order of their opening brackets."""
        with uncollected():
            verdicts = self._verdicts[0]
            nodes = (
                nodes_of(self.gold, [verdict for verdict in verdicts if not verdict.is_test], MISSING),
                nodes_of(self.test, [verdict for verdict in verdicts if verdict.is_test], EXTRA),
            )
            self._find_twins(nodes)
            return nodes

    def __getstate__(self) -> dict[str, Any]:
        names = ("gold", "test", "completion", "metric", "number", "id", "axis", "score", "problems", "places", "nodes")
        return {name: getattr(self, name) for name in names}

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

    def _find_twins(self, nodes: tuple[list[PairNode], list[PairNode]]) -> None:
        free = [[node for node in side if node.mark in (MISSING, EXTRA)] for side in nodes]
        if not free[0] or not free[1]:
            return
        gold, test = (
            [(self.place(node, side), node.label, node.number) for node in unmatched]
            for side, unmatched in enumerate(free)
        )
        for twins in find_twins(gold, test):
            for side, number in enumerate(twins):
                nodes[side][number] = nodes[side][number].replace(twin=twins[1 - side])

    @property
    def has_gaps(self) -> bool:
        """Is either tree discontinuous, so that the ends of a phrase do not determine its words?"""
        return self.gold.is_discontinuous or self.test.is_discontinuous

    def words(self, node: PairNode, side: int) -> Sequence[int]:
        """The numbers of the leaves of a node of one side: 0 is gold, 1 is test."""
        if not self.has_gaps:
            return range(node.first, node.last)
        return self._words[side][node.number]

    @cached_property
    def _words(self) -> list[list[list[int]]]:
        """The numbers of the leaves of each node of both sides."""
        return [[part.positions for part in tree.nodes()] for tree in (self.gold, self.test)]

    def time(self, node: PairNode, side: int) -> tuple[float, float] | None:
        """The time of a node of one side in seconds: as the metric counts it, else of its words; None if unknown.

        >>> timed = pair(["NP", [["DT", 0.0, 0.25, "a"], ["NN", 0.25, 1.0, "cat"]]], "(NP (DT a) (NN cat))", "parseval")
        >>> timed.time(timed.nodes[0][0], 0), timed.time(timed.nodes[1][0], 1)
        ((0.0, 1.0), None)
        """
        if self.axis.needs_times and node.start is not None and node.end is not None:
            return node.start, node.end
        times = self._times[side]
        if times is None:
            return None
        words = [times[word] for word in self.words(node, side)]
        spoken = [time for time in words if time[0] < time[1]] or words
        return (spoken[0][0], spoken[-1][1]) if spoken else None

    @cached_property
    def _times(self) -> list[Sequence[tuple[float, float]] | None]:
        """The times of the leaves of both sides."""
        return [self.gold.times, self.test.times]

    def place(self, node: PairNode, side: int) -> Hashable:
        """A key that is equal for nodes of the same kind in the same position: over the same interval and words."""
        words = tuple(self.words(node, side)) if self.has_gaps else None
        return node.start, node.end, node.is_preterminal, words

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


def nodes_of(tree: Tree, verdicts: Sequence[Verdict] = (), unmatched: str = IGNORED) -> list[PairNode]:
    """The nodes of a tree in the order of their opening brackets; nodes without a verdict are not counted."""
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
        verdict = by_number.get(number)
        if verdict is None:
            judged: tuple[Any, ...] = None, None, IGNORED, None, None, False, None
        else:
            mark = unmatched if verdict.partner is None else ALIGNED
            judged = verdict.start, verdict.end, mark, verdict.partner, verdict.iou, verdict.crossing, None
        # Without the names of fields: that takes twice as long, and there is one for each node.
        nodes.append(PairNode(number, label, parents[number], first, last, item < 0, *judged))
    return nodes


def pair_at(gold: Treebank, test: Treebank, index: int, metric: Metric) -> TreePair:
    """The pair at an index of two treebanks of equal size; negative indices count from the end."""
    start = index + len(gold) if index < 0 else index
    if not 0 <= start < len(gold):
        raise IndexError(f"there is no sentence with index {index}: there are {len(gold):,}")
    return TreePair(gold, test, start, metric)


def pair(
    gold: Readable, test: Readable, metric: str | Metric | Recipe | None = None, *, tolerance: float | None = None
) -> TreePair:
    """One gold tree and one test tree under a metric that judges nodes: parseval or struct_iou.

    The default metric is the same as in `treescore.evaluate`: struct_iou over seconds if both trees have times, else
    parseval. Over seconds, nodes cross if each boundary differs by more than `tolerance` seconds (default: 0.02);
    scores do not depend on it.

    >>> pair("(NP (DT the) (NN cat))", "(NP (NN thecat))", "struct_iou|axis:characters").axis
    <Axis characters>
    """
    trees = one_pair(gold, test, "pair")
    chosen = choose([trees], metric).metrics[0]
    return pair_at(trees.gold, trees.test, 0, chosen if tolerance is None else chosen.with_tolerance(tolerance))
