"""Trees to be drawn: nodes, leaves and positions on an axis, with the outcome of each node."""

from __future__ import annotations

from itertools import accumulate, islice
from typing import NamedTuple

from ..place.placed import place_alone
from .colours import CROSSING, MISSING, NO_LABEL, WRONG_LABEL, colour_numbers, letters, share, signs
from .widths import clipped, drawable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..analysis.tree_pair import PairNode, TreePair
    from ..place.axis import Axis
    from ..place.placed import Positions
    from ..trees import Tree

#: Font sizes, and maximum widths of labels and words.
LABEL, NOTE, WORD = 13.0, 9.5, 14.0
LONGEST_LABEL, LONGEST_WORD = 170.0, 220.0
#: Maximum number of words in a tooltip.
_SHOWN_WORDS = 12
#: Maximum number of intervals over which a discontinuous phrase may be placed.
_KEPT_BLOCKS = 8
#: Maximum length of system names beside gold nodes; longer names are replaced by letters.
_SHORT_NAME = 8


class Leaf(NamedTuple):
    """A word and its position on the axis; an empty phrase has a leaf without text as its position."""

    text: str
    start: float
    end: float


class Node:
    """A phrase or a preterminal: children are numbers of nodes, or ~n for leaf n."""

    __slots__ = (
        *("blocks", "children", "colour", "interval", "is_preterminal", "label"),
        *("mark", "note", "number", "signs", "tip"),
    )

    def __init__(self, number: int, label: str, children: list[int], is_preterminal: bool) -> None:
        self.number, self.label, self.children = number, label, children
        self.is_preterminal = is_preterminal
        self.mark = "plain"  # or "aligned", "missing", "extra", "ignored"
        self.colour: int | None = None
        self.signs = ""  # before the label
        self.note = ""  # in small type after the label
        self.tip = ""
        self.blocks: list[tuple[int, int]] = []  # intervals of leaves without gaps, the longest first
        self.interval = (0.0, 0.0)  # on the axis


class Side:
    """One tree, ready for layout."""

    __slots__ = ("caption", "has_gaps", "leaves", "name", "nodes", "tops")

    def __init__(self, tree: Tree, places: Sequence[tuple[float, float]], name: str, caption: str) -> None:
        self.name = name
        self.caption = drawable(caption)
        self.nodes: list[Node] = []
        self._read(tree, places)
        self._find_blocks()

    def _read(self, tree: Tree, places: Sequence[tuple[float, float]]) -> None:
        phrases, _ = tree.structure()
        words = tree.pos()
        at = {position: index for index, position in enumerate(tree.positions)}
        # Every empty phrase gets a leaf of its own, before the word at which it stands.
        empty = [number for number, (_, children) in enumerate(phrases) if not children]
        spans = tree.spans() if empty else []
        starts = {number: spans[number].start - tree.start for number in empty}
        before = [0] * (len(words) + 1)
        for start in starts.values():
            before[start] += 1
        shift = list(accumulate(before))
        self.leaves: list[Leaf] = []
        for index, (word, _) in enumerate(words):
            self.leaves += [Leaf("", places[index][0], places[index][0])] * before[index]
            self.leaves.append(Leaf(drawable(word), *places[index]))
        end = places[-1][1] if words else 0.0
        self.leaves += [Leaf("", end, end)] * before[-1]
        own: dict[int, int] = {}
        used = [0] * (len(words) + 1)
        for number in empty:
            start = starts[number]
            own[number] = start + shift[start] - before[start] + used[start]
            used[start] += 1

        def leaf(place: int) -> int:
            return ~(at[place] + shift[at[place]])

        items, children, tops = tree.numbered()
        self.tops = [item if item >= 0 else leaf(~item) for item in tops]
        for number, (item, below) in enumerate(zip(items, children, strict=True)):
            if item < 0:
                label, leaves = words[at[~item]][1] or "", [leaf(~item)]
            else:
                label = phrases[item][0]
                leaves = [child if child >= 0 else leaf(~child) for child in below] or [~own[item]]
            self.nodes.append(Node(number, drawable(label), leaves, item < 0))

    def _find_blocks(self) -> None:
        blocks: list[list[tuple[int, int]]] = [[] for _ in self.nodes]
        for node in reversed(self.nodes):  # children stand behind their parents
            found: list[tuple[int, int]] = []
            for first, last in sorted(
                block for child in node.children for block in (blocks[child] if child >= 0 else [(~child, ~child + 1)])
            ):
                if found and found[-1][1] == first:
                    found[-1] = found[-1][0], last
                else:
                    found.append((first, last))
            for child in node.children:
                if child >= 0:
                    blocks[child] = []  # all of them together would be too many, in a deep tree full of gaps
            blocks[node.number] = found
            node.interval = self.leaves[found[0][0]].start, max(self.leaves[last - 1].end for _, last in found)
            node.blocks = sorted(found, key=lambda block: block[0] - block[1])[:_KEPT_BLOCKS]
            leaves = (leaf for first, last in found for leaf in range(first, last))
            node.tip = self._words(node, [self.leaves[leaf].text for leaf in islice(leaves, _SHOWN_WORDS + 1)])
        #: Does any phrase have gaps?
        self.has_gaps = any(len(node.blocks) > 1 for node in self.nodes)

    @staticmethod
    def _words(node: Node, words: list[str]) -> str:
        shown = " ".join(filter(None, words[:_SHOWN_WORDS])) + " …" * (len(words) > _SHOWN_WORDS)
        return f"{node.label or 'no label'}: {shown}" if shown else node.label or "no label"

    def add_intervals(self, axis: Axis) -> None:
        """Put the interval of each node after its label."""
        for node in self.nodes:
            start, end = (f"{place:.{axis.digits}f}" for place in node.interval)
            node.note = " ".join(filter(None, (f"({start}–{end})", node.note)))

    def clip(self) -> None:
        """Shorten long labels and words; the tooltips have the full text."""
        for node in self.nodes:
            node.label = clipped(node.label, LABEL, LONGEST_LABEL)
        self.leaves = [leaf._replace(text=clipped(leaf.text, WORD, LONGEST_WORD)) for leaf in self.leaves]


def of_tree(tree: Tree, axis: Axis, intervals: bool = False) -> Side:
    """A single tree, with the intervals of its nodes if wanted."""
    side = Side(tree, place_alone(tree, axis), "tree", "")
    if intervals:
        side.add_intervals(axis)
    side.clip()
    return side


def of_pairs(pairs: Mapping[str, TreePair], intervals: bool = False) -> list[Side]:
    """Gold and the test trees, with marks, colours and tooltips, and intervals if wanted.

    The pairs share one gold tree.
    """
    several = len(pairs) > 1
    first = next(iter(pairs.values()))
    gold = Side(first.gold, first.places[0], "gold", "gold")
    sides = [gold]
    names = short_and_full_names(pairs)
    scored = [(short, pair) for (short, _), pair in zip(names, pairs.values(), strict=True) if not _unscored(pair)]
    colours = colour_numbers([pair for _, pair in scored]) if scored else {}
    for (_, name), pair in zip(names, pairs.values(), strict=True):
        test = Side(pair.test, _test_places(pair, first.places[0]), "test", name)
        sides.append(test)
        if not _unscored(pair):
            for node, verdict in zip(test.nodes, pair.nodes[1], strict=True):
                colour = None if verdict.partner is None else colours.get(verdict.partner)
                _mark(node, verdict, colour, pair.nodes[0])
    if scored:
        _mark_gold(gold, scored, colours, several)
    for side in sides:
        if intervals:
            side.add_intervals(first.axis)
        side.clip()
    return sides


def _unscored(pair: TreePair) -> bool:
    return pair.score is None and not any(node.mark == "aligned" for node in pair.nodes[0])


def _test_places(pair: TreePair, gold: Positions) -> Positions:
    """The positions of test words; by number if the sentence has no score and as many words as gold."""
    is_by_number = _unscored(pair) and not pair.axis.has_lengths and len(pair.places[1]) == len(gold)
    return gold if is_by_number else pair.places[1]


def _mark(node: Node, verdict: PairNode, colour: int | None, others: Sequence[PairNode]) -> None:
    node.mark = verdict.mark
    node.colour = colour if verdict.mark == "aligned" else None
    node.signs = signs(verdict)
    node.label = _marked_label(node)
    node.note = share(verdict.iou)
    node.tip += f"\n{_in_words(verdict, others)}"


def _marked_label(node: Node) -> str:
    return node.signs + (node.label or ("" if node.mark == "ignored" else NO_LABEL))


def _in_words(verdict: PairNode, others: Sequence[PairNode]) -> str:
    parts = []
    if verdict.mark == "aligned" and verdict.partner is not None:
        shared = "" if verdict.iou is None else f", IoU {verdict.iou:.4g}"
        parts.append(f"aligned with {drawable(others[verdict.partner].label) or 'no label'}{shared}")
    elif verdict.mark == "ignored":
        parts.append("not counted")
    else:
        parts.append(verdict.mark)
    if verdict.crossing:
        parts.append("crosses a phrase of the other tree")
    if verdict.twin is not None:
        parts.append(f"the other tree has {drawable(others[verdict.twin].label) or 'no label'} here")
    return "; ".join(parts)


def _mark_gold(gold: Side, scored: Sequence[tuple[str, TreePair]], colours: dict[int, int], several: bool) -> None:
    """With several systems, a node is aligned if any system has it, with a note of the systems without it."""
    for node in gold.nodes:
        verdicts = [(name, pair.nodes[0][node.number], pair.nodes[1]) for name, pair in scored]
        if not several:
            _mark(node, verdicts[0][1], colours.get(node.number), verdicts[0][2])
            continue
        marks = [item.mark for _, item, _ in verdicts]
        node.mark = next((mark for mark in ("aligned", "missing") if mark in marks), "ignored")
        node.colour = colours.get(node.number) if node.mark == "aligned" else None
        without = [name for name, item, _ in verdicts if item.mark == "missing"]
        shown = [signs(item) for _, item, _ in verdicts]
        node.signs = "".join(sign for sign in (MISSING, CROSSING, WRONG_LABEL) if all(sign in each for each in shown))
        node.label = _marked_label(node)
        if without and len(without) < len(verdicts):
            node.note = " ".join(MISSING + name for name in without)
        node.tip += "".join(f"\n{name}: {_in_words(item, others)}" for name, item, others in verdicts)


def short_and_full_names(names: Iterable[str]) -> list[tuple[str, str]]:
    """The short names of systems, for notes, and the full names; letters replace long names.

    >>> short_and_full_names(["first", "second"]), short_and_full_names(["parser-large", "parser-small"])
    ([('first', 'first'), ('second', 'second')], [('A', 'A: parser-large'), ('B', 'B: parser-small')])
    """
    shown = [drawable(name) for name in names]
    if len(shown) == 1 or (len(set(shown)) == len(shown) and all(len(name) <= _SHORT_NAME for name in shown)):
        return [(name, name) for name in shown]
    return [(letter, f"{letter}: {name}") for letter, name in zip(letters(len(shown)), shown, strict=True)]
