"""Explanation of a score: the contribution of each node, as data and as text.

PARSEVAL and STRUCT-IOU are the overlap of aligned nodes divided by half the number of all nodes. The loss is therefore
a sum over nodes: an aligned pair loses 1 - IoU, a node without a partner loses one half.

>>> import treescore
>>> gold = "(VP (VBD saw) (NP (DT a) (NN cat)) (PP (IN with) (NP (NNS eyes))))"
>>> test = "(VP (VBD saw) (NP (NP (DT a) (NN cat)) (PP (IN with) (NP (NNS eyes)))))"
>>> print(explain(treescore.pair(gold, test, "parseval")).text())
sentence 1: 88.89 (11.11 points lost)
4 counted nodes in gold and 5 in test; overlap of aligned nodes 4.00: 2 × 4.00 / (4 + 5)
  11.11  NP “a cat with eyes” is extra: 1 bracket (PP Attachment)
      11.11  NP over "a cat with eyes" is extra: minus 0.50; in gold it is part of VP over "saw a cat with eyes"
without loss: VP "saw a cat with eyes", NP "a cat", PP "with eyes", NP "eyes"
not counted: 5 nodes of gold and 5 of test
parseval|labels:yes|profile:collins|v:0.2.0.dev0
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import fsum

from ..helpers.garbage import uncollected
from ..helpers.text import isolated, number_of, shortened, visible
from ..place.axis import SECONDS
from ..values.value import Value
from .sentences import sentence_name
from .tree_pair import words_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from .loss_groups import LossGroup
    from .tree_pair import PairNode, TreePair

    #: An interval on the axis, and whether a node around it must be larger on both sides.
    Place = tuple[float, float, bool]
    #: The relation to a conflicting node of the other side, and that node.
    Remark = tuple[str | None, PairNode | None]

_WORDS = 40  # columns for the words of a node
_INDENT = 4  # columns before a loss below the line of its group
_MAX_DISCONTINUOUS = 4_000_000  # pairs of nodes to compare in discontinuous trees
_SIDES = ("gold", "test")


class Contribution(Value):
    """The contribution of a node, or of a pair of nodes, to the score of a sentence.

    `kind` is "aligned", "missing" (only in gold), "extra" (only in test), or "twins": a missing and an extra node
    over the same words with different labels. `loss` is in nodes, `cost` in the score as a fraction of 1. `remark` is
    the relation to `other`, a conflicting node of the other side: it "crosses" this node, has the same label and words
    but is "nested" differently, has the "same" words, or is "around" this node.
    """

    kind: str
    gold: PairNode | None
    test: PairNode | None
    loss: float
    cost: float
    remark: str | None = None
    other: PairNode | None = None


class Explanation:
    """The contributions of the nodes of a pair of trees in `items`, largest losses first."""

    __slots__ = ("_are_words_equal", "_groups", "_leaves", "items", "pair")

    def __init__(self, pair: TreePair, items: Iterable[Contribution]) -> None:
        self.pair = pair
        self.items = list(items)
        self._groups: list[LossGroup] | None = None
        self._leaves = pair.gold.leaves, pair.test.leaves
        self._are_words_equal = not pair.axis.needs_times and self._leaves[0] == self._leaves[1]

    @property
    def losses(self) -> list[Contribution]:
        """The items with a loss."""
        return [item for item in self.items if item.loss > 0]

    @property
    def groups(self) -> list[LossGroup]:
        """The losses grouped by errors, the largest group first; empty where error classes do not apply."""
        if self._groups is None:
            from .loss_groups import loss_groups

            self._groups = loss_groups(self.pair, self.losses)
        return self._groups

    @property
    def common(self) -> float:
        """The overlap of aligned nodes: the sum of their IoU."""
        return fsum(item.gold.iou or 0.0 for item in self.items if item.kind == "aligned" and item.gold)

    @property
    def lost(self) -> float:
        """The total loss, as a fraction of 1."""
        return fsum(item.cost for item in self.items)

    @property
    def not_counted(self) -> tuple[int, int]:
        """The numbers of gold and test nodes that are not counted."""
        gold, test = (len(nodes) - count for nodes, count in zip(self.pair.nodes, self.pair.counted, strict=True))
        return gold, test

    def text(self, limit: int | None = 10) -> str:
        """The explanation as text, with at most `limit` groups of losses, or losses, and the sum of the others."""
        return "\n".join([*self._head(), *self.loss_lines(limit), *self._rest(limit), self.pair.signature])

    def _head(self) -> list[str]:
        pair = self.pair
        name = f"{sentence_name(pair.number, pair.id)}: " if pair.number is not None else ""
        if pair.score is None:
            return [f"{name}no score"]
        gold, test = pair.counted
        common = f"{self.common:.2f}"
        return [
            f"{name}{100 * pair.score:.2f} ({100 * self.lost:.2f} points lost)",
            f"{number_of(gold, 'counted node')} in gold and {test:,} in test; "
            f"overlap of aligned nodes {common}: 2 × {common} / ({gold:,} + {test:,})",
        ]

    def loss_lines(self, limit: int | None = 10) -> list[str]:
        """The largest losses, each with its cost in points, and the sum of the others.

        If there are groups, the largest groups, each followed by its largest losses.
        """
        if not self.groups:
            return self._lines_of(self.losses, limit)
        shown = self.groups if limit is None else self.groups[:limit]
        lines = []
        for group in shown:
            kind = "" if group.kind is None else f" ({group.kind})"
            lines.append(_loss_line(group.cost, f"{group}{kind}"))
            lines += [" " * _INDENT + line for line in self._lines_of(group.items, limit)]
        return lines + _line_of_others([(group.cost, len(group.items)) for group in self.groups[len(shown) :]])

    def _lines_of(self, losses: Sequence[Contribution], limit: int | None) -> list[str]:
        shown = losses if limit is None else losses[:limit]
        lines = [_loss_line(item.cost, self.describe(item)) for item in shown]
        return lines + _line_of_others([(item.cost, 1) for item in losses[len(shown) :]])

    def _rest(self, limit: int | None) -> list[str]:
        """The nodes without loss, the nodes not counted, and the problems."""
        lines = []
        correct = [item.gold for item in self.items if item.gold and item.loss == 0]
        phrases = [node for node in correct if not node.is_preterminal]
        shown = [self._briefly(node) for node in (phrases if limit is None else phrases[:limit])]
        if len(shown) < len(phrases):
            shown.append(f"{len(phrases) - len(shown):,} more")
        if len(phrases) < len(correct):
            shown.append(number_of(len(correct) - len(phrases), "preterminal"))
        if shown:
            lines.append(f"without loss: {', '.join(shown)}")
        gold, test = self.not_counted
        if gold or test:
            lines.append(f"not counted: {number_of(gold, 'node')} of gold and {test:,} of test")
        return lines + [visible(str(problem)) for problem in self.pair.problems]

    def describe(self, item: Contribution) -> str:
        """An item as text."""
        gold, test = item.gold, item.test
        minus = f"minus {_above_zero(item.loss)}" if item.loss > 0 else "nothing lost"
        if gold is not None and test is not None:
            if item.kind == "twins":
                return f"{self._named(gold, 0)} is missing; test has {_label(test)} {self._same(gold, test)}: {minus}"
            iou = _below_one(1.0 if gold.iou is None else gold.iou)
            return f"{self._aligned(gold, test)}, IoU {iou}: {minus}"
        side = 0 if gold is not None else 1
        node = gold or test
        assert node is not None
        text = f"{self._named(node, side)} is {item.kind}: {minus}"
        if item.remark is None or item.other is None:
            return text
        return f"{text}; {self._remark(item.remark, node, item.other, 1 - side)}"

    def _remark(self, remark: str, node: PairNode, other: PairNode, side: int) -> str:
        """The relation of a node to a conflicting node of this side."""
        name = _SIDES[side]
        if remark == "crosses":
            return f"crosses {self._named(other, side)} of {name}"
        if remark == "around":
            this = "this" if self._are_words_equal else f"this {self.pair.axis.noun}"
            return f"in {name} {'it' if this == 'this' else this} is part of {self._named(other, side)}"
        same = self._same(other, node) if side == 0 else self._same(node, other)
        if remark == "nested":
            return f"{name} has it {same}, but nested differently"
        if other.partner is None and other.twin is None:
            return f"{name} has {_label(other)} {same}"
        taken = "is compared with another node" if other.partner is None else "has another partner"
        return f"{_label(other)} of {name} {same} {taken}"

    def _same(self, gold: PairNode, test: PairNode) -> str:
        """What two nodes in the same position share: words, or an interval of the axis."""
        if self.pair.axis.needs_times:
            return f"over the same {self.pair.axis.noun}"
        short = max(gold.last - gold.first, test.last - test.first) <= 2 * _WORDS
        if self._are_words_equal or (short and self._words_of(gold, 0) == self._words_of(test, 1)):
            return "over the same words"
        return f"at the same {self.pair.axis.noun}"

    def _aligned(self, gold: PairNode, test: PairNode) -> str:
        """Two aligned nodes; if only their times differ, the second is just its time."""
        time = self.pair.time(test, 1)
        same = gold.label == test.label and self._words_of(gold, 0) == self._words_of(test, 1)
        if same and time is not None and self.pair.time(gold, 0) is not None:
            return f"{self._named(gold, 0)}, test {SECONDS.interval(*time)}"
        return f"{self._named(gold, 0)} is aligned with {self._named(test, 1)}"

    def _named(self, node: PairNode, side: int) -> str:
        words = self._words(node, side)
        time = self.pair.time(node, side)
        if time is None:
            return f'{_label(node)} over "{words}"'
        has_words = not all(map(_is_time, self._words_of(node, side)))
        shown = f'"{words}" ' if has_words else ""
        return f"{_label(node)} {shown}{SECONDS.interval(*time)}"

    def _briefly(self, node: PairNode) -> str:
        return f'{_label(node)} "{self._words(node, 0)}"'

    def _words(self, node: PairNode, side: int) -> str:
        return isolated(shortened(self._words_of(node, side), _WORDS))

    def _words_of(self, node: PairNode, side: int) -> list[str]:
        """The words of a node, with an ellipsis in each gap; of a long node only the words at both ends."""
        leaves = self._leaves[side]
        if self.pair.has_gaps:
            return words_at(leaves, self.pair.words(node, side))
        if node.last - node.first <= 2 * _WORDS:
            return leaves[node.first : node.last]
        return leaves[node.first : node.first + _WORDS] + leaves[node.last - _WORDS : node.last]

    def values(self) -> dict[str, Any]:
        """All fields by name, for JSON."""
        pair = self.pair
        return {
            "sentence": pair.number,
            "id": pair.id,
            "signature": pair.signature,
            "axis": pair.axis.name,
            "score": pair.score,
            "lost": self.lost,
            "nodes": dict(zip(_SIDES, pair.counted, strict=True)),
            "not_counted": dict(zip(_SIDES, self.not_counted, strict=True)),
            "common": self.common,
            "groups": self._group_values(),
            "items": [self._item_values(item) for item in self.items],
            "problems": [problem.values() for problem in pair.problems],
        }

    def _group_values(self) -> list[dict[str, Any]]:
        """The groups, with the places of their losses in `items`."""
        places = {id(item): place for place, item in enumerate(self.items)}
        return [
            {
                "text": group.text,
                "class": group.kind,
                "brackets": group.brackets,
                "cost": group.cost,
                "items": [places[id(item)] for item in group.items],
            }
            for group in self.groups
        ]

    def _item_values(self, item: Contribution) -> dict[str, Any]:
        other_side = 1 if item.gold is not None else 0
        return {
            "kind": item.kind,
            "gold": self._node_values(item.gold, 0),
            "test": self._node_values(item.test, 1),
            "iou": item.gold.iou if item.gold and item.kind == "aligned" else None,
            "loss": item.loss,
            "cost": item.cost,
            "remark": item.remark,
            "other": self._node_values(item.other, other_side),
            "text": self.describe(item),
        }

    def _node_values(self, node: PairNode | None, side: int) -> dict[str, Any] | None:
        if node is None:
            return None
        fields = ("number", "label", "first", "last", "start", "end")
        time = self.pair.time(node, side)
        return {
            **{name: getattr(node, name) for name in fields},
            "time": None if time is None else list(time),
            "words": shortened(self._words_of(node, side), _WORDS),
        }

    def __repr__(self) -> str:
        score = "–" if self.pair.score is None else f"{100 * self.pair.score:.2f}"
        count = len(self.losses)
        return f"<Explanation of {score}: {count:,} {'loss' if count == 1 else 'losses'}>"


@uncollected()
def explain(pair: TreePair) -> Explanation:
    """The contribution of each node to the score of a pair of trees, largest losses first.

    >>> import treescore
    >>> explanation = explain(treescore.pair("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (NP (VB b)))", "parseval"))
    >>> [(item.kind, item.loss, round(item.cost, 4)) for item in explanation.items]
    [('twins', 1.0, 0.3333), ('aligned', 0.0, 0.0), ('aligned', 0.0, 0.0)]
    """
    if pair.score is None:
        return Explanation(pair, ())
    total = sum(pair.counted) / 2
    gold, test = pair.nodes
    items = []
    for node in gold:
        if node.mark == "aligned" and node.partner is not None:
            loss = 1.0 - (1.0 if node.iou is None else node.iou)
            items.append(Contribution("aligned", node, test[node.partner], loss, loss / total))
        elif node.mark == "missing" and node.twin is not None:
            items.append(Contribution("twins", node, test[node.twin], 1.0, 1.0 / total))
    for side, kind in enumerate(("missing", "extra")):
        unmatched = [node for node in pair.nodes[side] if node.mark == kind and node.twin is None]
        for node, (remark, other) in zip(unmatched, _remarks(pair, side, unmatched), strict=True):
            gold_node, test_node = (node, None) if side == 0 else (None, node)
            items.append(Contribution(kind, gold_node, test_node, 0.5, 0.5 / total, remark, other))
    return Explanation(pair, sorted(items, key=_rank))


def _rank(item: Contribution) -> tuple[float, float, float, bool]:
    """Sort key: by falling loss, then by position."""
    node = item.gold or item.test
    assert node is not None
    start, end = _ends(node)
    return -item.loss, start, -end, item.gold is None


def _ends(node: PairNode) -> tuple[float, float]:
    """The interval of a counted node."""
    assert node.start is not None
    assert node.end is not None
    return node.start, node.end


def _remarks(pair: TreePair, side: int, nodes: Sequence[PairNode]) -> list[Remark]:
    """The conflicting node of the other side for each of these nodes, which have no partner and no twin."""
    others = [node for node in pair.nodes[1 - side] if node.mark != "ignored"]
    by_place = {(pair.place(node, 1 - side), node.label): node for node in others if node.partner is None}
    if pair.has_gaps:
        remarks = _discontinuous_remarks(pair, side, nodes, others)
    else:
        remarks = _continuous_remarks(nodes, others, pair.axis.tolerance)
    for number, node in enumerate(nodes):
        nested = by_place.get((pair.place(node, side), node.label))
        if nested is not None:
            remarks[number] = "nested", nested
    return remarks


def _discontinuous_remarks(
    pair: TreePair, side: int, nodes: Sequence[PairNode], others: Sequence[PairNode]
) -> list[Remark]:
    """Remarks by the words of nodes, as bit sets."""
    if len(nodes) * len(others) > _MAX_DISCONTINUOUS:
        return [(None, None)] * len(nodes)
    masks = [(_mask(pair.words(other, 1 - side)), other) for other in others]
    masks.sort(key=lambda item: (item[0].bit_count(), -item[1].number))
    remarks: list[Remark] = []
    for node in nodes:
        own = _mask(pair.words(node, side))
        crosses = around = None
        for mask, other in masks:
            shared = own & mask
            if shared == own:
                around = "same" if mask == own else "around", other
                break
            if shared and shared != mask and crosses is None:
                crosses = "crosses", other
        remarks.append((crosses if node.crossing else None) or around or (None, None))
    return remarks


def _mask(words: Iterable[int]) -> int:
    return sum(1 << word for word in words)


def _continuous_remarks(nodes: Sequence[PairNode], others: Sequence[PairNode], tolerance: float) -> list[Remark]:
    """Remarks by the ends of nodes; those that differ by up to `tolerance` do not make nodes cross."""
    places: list[Place] = []
    for node in nodes:
        start, end = _ends(node)
        places += [(at - tolerance, at + tolerance, True) for at in (start, end)]
        places.append((start, end, False))
    surrounding = _smallest_around(others, places)
    remarks: list[Remark] = []
    for number, node in enumerate(nodes):
        start, end = _ends(node)
        left, right, around = surrounding[3 * number : 3 * number + 3]
        if node.crossing and left is not None and start < _ends(left)[1] < end - tolerance:
            remarks.append(("crosses", left))
        elif node.crossing and right is not None and start + tolerance < _ends(right)[0] < end:
            remarks.append(("crosses", right))
        elif around is None:
            remarks.append((None, None))
        else:
            remarks.append(("same" if _ends(around) == (start, end) else "around", around))
    return remarks


def _smallest_around(nodes: Sequence[PairNode], places: Sequence[Place]) -> list[PairNode | None]:
    """The smallest node around each interval, by one sweep from left to right."""
    smallest: list[PairNode | None] = [None] * len(places)
    waiting = [(*_ends(node), node) for node in nodes]
    waiting.sort(key=lambda item: (item[0], -item[1], item[2].number), reverse=True)
    open_nodes: list[PairNode] = []
    ends: list[float] = []  # the ends of open nodes, negated so that they ascend
    for index in sorted(range(len(places)), key=lambda index: (places[index][0], not places[index][2])):
        start, end, strictly = places[index]
        while waiting and (waiting[-1][0] < start or (waiting[-1][0] == start and not strictly)):
            _, node_end, node = waiting.pop()
            while ends and -ends[-1] < node_end:
                open_nodes.pop()
                ends.pop()
            open_nodes.append(node)
            ends.append(-node_end)
        around = (bisect_left if strictly else bisect_right)(ends, -end)
        smallest[index] = open_nodes[around - 1] if around else None
    return smallest


def _is_time(word: str) -> bool:
    """Is this a time span, such as 0.15-0.39, instead of a word?"""
    start, _, end = word.partition("-")
    return all(part.replace(".", "", 1).isdecimal() for part in (start, end))


def _label(node: PairNode) -> str:
    return isolated(node.label) or "(empty)"


def _loss_line(cost: float, text: str) -> str:
    return f"{_points(cost):>7}  {text}"


def _line_of_others(others: Sequence[tuple[float, int]]) -> list[str]:
    """A line for the costs that are not shown, each with its number of losses."""
    if not others:
        return []
    return [_loss_line(fsum(cost for cost, _ in others), f"for {sum(number for _, number in others):,} more")]


def _points(cost: float) -> str:
    return f"{100 * cost:.2f}" if cost >= 0.00005 else "<0.01"


def _above_zero(number: float) -> str:
    """A positive number with two decimals, or with one significant digit if it would be rounded to 0."""
    return f"{number:.2f}" if number >= 0.005 else f"{number:.1g}"


def _below_one(number: float) -> str:
    """A number up to 1 with two decimals, or with more if it would be rounded to 1."""
    digits = 2
    while number < 1 and digits < 9 and round(number, digits) == 1:
        digits += 1
    return f"{number:.{digits}f}"
