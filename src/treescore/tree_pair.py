"""A pair of trees and what became of each of their nodes under a metric: what pictures and explanations show.

>>> both = pair("(S (NP (NN a)) (VP (VB b)))", "(S (NN a) (VP (VB b)))", "parseval|profile:none")
>>> both
<TreePair 80.00: 3 and 2 nodes, 2 pairs, parseval|labels:yes|profile:none|v:0.1.0>
>>> [(node.label, node.mark) for node in both.nodes[0]]
[('S', 'aligned'), ('NP', 'missing'), ('NN', 'ignored'), ('VP', 'aligned'), ('VB', 'ignored')]
"""

from __future__ import annotations

from .text import number_of
from .values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from os import PathLike
    from typing import Any

    from .alignment import Verdict
    from .explain import Explanation
    from .metrics.base import Metric
    from .problem import Problem
    from .readers.sources import Readable
    from .recipe import Recipe
    from .trees import Tree, Treebank

    #: Place and number of a node.
    Unmatched = tuple[Hashable, int]

#: What can become of a node: it has a partner; gold has it alone, or test; the metric does not count it.
ALIGNED, MISSING, EXTRA, IGNORED = "aligned", "missing", "extra", "ignored"


class PairNode(Value):
    """A phrase or preterminal of one side.

    `first` and `last` are its first leaf and the one behind its last; `start` and `end` are where the metric sees it on
    its axis, None if it does not count. `crossing`: a node of the other side that counts overlaps it, and neither holds
    the other. `twin` is a node of the other side over the same interval where neither of them has a partner.
    """

    number: int
    label: str
    parent: int | None
    first: int
    last: int
    start: float | None
    end: float | None
    is_preterminal: bool
    mark: str
    partner: int | None
    iou: float | None
    crossing: bool
    twin: int | None

    __slots__ = (
        "number",
        "label",
        "parent",
        "first",
        "last",
        "start",
        "end",
        "is_preterminal",
        "mark",
        "partner",
        "iou",
        "crossing",
        "twin",
    )

    def __init__(
        self,
        number: int,
        label: str,
        parent: int | None,
        first: int,
        last: int,
        *,
        is_preterminal: bool,
        mark: str = IGNORED,
        start: float | None = None,
        end: float | None = None,
        partner: int | None = None,
        iou: float | None = None,
        crossing: bool = False,
        twin: int | None = None,
    ) -> None:
        self._store(
            number=number,
            label=label,
            parent=parent,
            first=first,
            last=last,
            start=start,
            end=end,
            is_preterminal=is_preterminal,
            mark=mark,
            partner=partner,
            iou=iou,
            crossing=crossing,
            twin=twin,
        )


class TreePair:
    """A gold tree and a test tree, what became of their nodes under a metric, and why they have no score, if so."""

    __slots__ = ("axis", "gold", "id", "metric", "nodes", "number", "places", "problems", "score", "test")

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
    ) -> None:
        self.gold, self.test, self.metric, self.score = gold, test, metric, score
        #: The number of the sentence, from 1, and its name if it has one.
        self.number, self.id = number, id
        self.problems = tuple(problems)
        #: What leaves stand on: "words", "characters" or "seconds".
        self.axis: str = getattr(metric, "axis", "words")
        #: Where each leaf of either side stands.
        self.places = (leaf_places(gold, self.axis), leaf_places(test, self.axis))
        #: The nodes of either side, in the order in which they open.
        self.nodes = (
            _nodes(gold, [v for v in verdicts if not v.is_test], MISSING),
            _nodes(test, [v for v in verdicts if v.is_test], EXTRA),
        )
        self._find_twins()

    @property
    def signature(self) -> str:
        """That of the metric."""
        return self.metric.signature

    @property
    def counted(self) -> tuple[int, int]:
        """How many nodes of either side count."""
        gold, test = (sum(node.mark != IGNORED for node in side) for side in self.nodes)
        return gold, test

    def links(self) -> list[tuple[int, int, float]]:
        """Gold node, test node and IoU of each aligned pair."""
        return [
            (node.number, node.partner, node.iou)
            for node in self.nodes[0]
            if node.partner is not None and node.iou is not None
        ]

    def explain(self) -> Explanation:
        """What each node contributed to the score, and what was lost.

        >>> found = pair("(S (NP (NN a)))", "(S (VP (NN a)))", "parseval|profile:none").explain()
        >>> found
        <Explanation of 50.00: 1 thing is lost>
        """
        from .explain import explain

        return explain(self)

    def _find_twins(self) -> None:
        free: list[list[Unmatched]] = [
            [
                ((node.start, node.end, node.is_preterminal), node.number)
                for node in nodes
                if node.mark in (MISSING, EXTRA)
            ]
            for nodes in self.nodes
        ]
        trees = (self.gold, self.test)
        words = None
        if any(tree.is_discontinuous for tree in trees):
            words = [[node.positions for node in tree.nodes()] for tree in trees]
        for twins in find_twins(free[0], free[1], words):
            for side, number in enumerate(twins):
                self.nodes[side][number] = self.nodes[side][number].replace(twin=twins[1 - side])

    def svg(self, *, mode: str = "auto", **options: Any) -> str:
        """A picture of both trees as SVG, "mirrored" over one axis or "beside" each other.

        For the options see `treescore.draw.pictures`.

        >>> pair("(S (X a b) c)", "(S a (X b c))").svg(mode="beside")[:4]
        '<svg'
        """
        from .draw import svg

        return svg(self, mode=mode, **options)

    def save(self, path: str | PathLike[str], **options: Any) -> None:
        """Draw both trees into a file: `.svg`, `.pdf`, `.png` or `.tex`."""
        from .draw import save

        save(path, self, **options)

    def _repr_svg_(self) -> str | None:
        from .draw import unasked

        return unasked(self)

    def __repr__(self) -> str:
        score = "–" if self.score is None else f"{100 * self.score:.2f}"
        gold, test = self.counted
        pairs = number_of(len(self.links()), "pair")
        return f"<TreePair {score}: {gold} and {test} nodes, {pairs}, {self.signature}>"


def find_twins(
    gold: Iterable[Unmatched], test: Iterable[Unmatched], words: Sequence[Sequence[Sequence[int]]] | None = None
) -> list[tuple[int, int]]:
    """Pairs of nodes without a partner that stand in the same place: each has its place and number.

    Phrases with gaps may have other words between the same ends: `words` are those of each node of either side.

    >>> find_twins([((0, 2), 1), ((0, 2), 2)], [((0, 2), 5), ((2, 3), 7)])
    [(1, 5)]
    """
    places: dict[Hashable, list[int]] = {}
    for place, number in test:
        places.setdefault(place, []).append(number)
    found = []
    taken = dict.fromkeys(places, 0)
    for place, number in gold:
        others = places.get(place, ())
        if taken.get(place, 0) < len(others):
            other = others[taken[place]]
            taken[place] += 1
            if words is None or words[0][number] == words[1][other]:
                found.append((number, other))
    return found


def leaf_places(tree: Tree, axis: str) -> list[tuple[float, float]]:
    """Where each leaf stands on the axis; by words, if it has no times.

    >>> import treescore
    >>> leaf_places(treescore.read("(NP the cat)")[0], "characters")
    [(0.0, 3.0), (3.0, 6.0)]
    """
    times = tree.times if axis == "seconds" else None
    if times is not None:
        return times
    lengths = [max(1, len(word)) if axis == "characters" else 1 for word in tree.leaves]
    places, end = [], 0
    for length in lengths:
        places.append((float(end), float(end + length)))
        end += length
    return places


def _nodes(tree: Tree, verdicts: Sequence[Verdict], unmatched: str) -> list[PairNode]:
    found: list[PairNode] = []
    by_number = {verdict.number: verdict for verdict in verdicts}
    phrases, roots = tree.structure()
    tags = [tag for _, tag in tree.pos()]
    spans = tree.spans()
    waiting: list[tuple[int, int | None]] = [(root, None) for root in reversed(roots)]
    while waiting:
        item, parent = waiting.pop()
        if item < 0:
            label, first, last = tags[~item], ~item, ~item + 1
            if label is None:
                continue
        else:
            label, first, last = spans[item].label, spans[item].start, spans[item].end
        number = len(found)
        if item >= 0:
            waiting.extend((child, number) for child in reversed(phrases[item][1]))
        verdict = by_number.get(number)
        if verdict is None:
            found.append(PairNode(number, label, parent, first, last, is_preterminal=item < 0))
            continue
        found.append(
            PairNode(
                number,
                label,
                parent,
                first,
                last,
                is_preterminal=item < 0,
                mark=unmatched if verdict.partner is None else ALIGNED,
                start=verdict.start,
                end=verdict.end,
                partner=verdict.partner,
                iou=verdict.iou,
                crossing=verdict.crossing,
            )
        )
    return found


def judged(gold: Treebank, test: Treebank, index: int, metric: Metric) -> TreePair:
    """The pair at one place of two treebanks of the same size."""
    one = (gold[index : index + 1], test[index : index + 1])
    counts = metric.counts(*one)
    return TreePair(
        gold[index],
        test[index],
        metric,
        metric.verdicts(*one)[0],
        score=metric.rows(counts)[metric.row_figure][0],
        number=gold.number(index),
        id=None if gold.ids is None else gold.ids[index],
        problems=[*one[0].problems, *one[1].problems, *metric.problems(*one, counts)],
    )


def pair(gold: Readable, test: Readable, metric: str | Metric | Recipe | None = None) -> TreePair:
    """One gold tree and one test tree under a metric that judges nodes: parseval or struct_iou.

    Without a metric it is struct_iou over seconds, if both trees have times, else over words, or over characters where
    these agree and the words do not.

    >>> pair("(NP (DT the) (NN cat))", "(NP (NN thecat))").axis
    'characters'
    """
    from .metrics import get
    from .metrics.nodes import one_pair

    banks = one_pair(gold, test, "pair")
    return judged(*banks, 0, get(f"struct_iou|axis:{usual_axis(*banks)}" if metric is None else metric))


def usual_axis(gold: Treebank, test: Treebank) -> str:
    """On what trees of the same text are best compared: seconds, words, or characters where the words differ."""
    if gold.native.has_times() and test.native.has_times():
        return "seconds"
    for index in range(len(gold)):
        if not gold.native.same_words(index, test.native, index):
            words = gold.words(index), test.words(index)
            if words[0] and words[1] and "".join(words[0]) == "".join(words[1]):
                return "characters"
    return "words"
