"""Attachment scores of trees in plain Python, from what the metric promises; for sides with the same characters.

Recursive, and never tuned. Trees are nested data as in `strategies`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from strategies import Node, Phrase, Word

from treescore.heads import HeadTable

OUTER = ("", "TOP", "ROOT", "S1", "VROOT")

PLAIN, SKIPPED = range(2)


@dataclass(eq=False)
class Leaf:
    """A word with its head, the label of the largest phrase that it heads, and its place in the text."""

    tag: str
    text: str
    label: str = ""
    head: Leaf | None = None
    start: int = 0
    end: int = 0


Item = tuple[str, "list[Item] | Leaf", int]  # label, what is below, and how much it is to be avoided as a head


def category(label: str) -> str:
    for place in range(1, len(label) - 1):
        if label[place] in "-=":
            return label[:place]
    return label


def find(table: HeadTable, mother: str, items: Sequence[Item]) -> int:
    """The place of the head."""
    least = min(level for _, _, level in items)
    places = [place for place, item in enumerate(items) if item[2] == least]
    labels = [category(items[place][0]) for place in places]
    groups = (*dict(table.rules).get(category(mother), ()), *table.default)
    chosen = 0 if groups[-1][0] == "l" else len(labels) - 1
    for direction, wanted in groups:
        fitting = [place for place, label in enumerate(labels) if not wanted or label in wanted]
        if fitting:
            chosen = fitting[0 if direction == "l" else -1]
            break
    if chosen >= 2 and labels[chosen - 1] in table.conjunctions:
        before = [place for place in range(chosen - 1) if labels[place] not in table.conjunctions]
        chosen = before[-1] if before else chosen
    return places[chosen]


def converted(tree: Node, table: HeadTable, delete: Sequence[str]) -> list[Leaf]:
    """The words of a tree with their heads."""
    leaves: list[Leaf] = []

    def visit(node: Node) -> Item | None:
        if isinstance(node, Word):
            tag = node.tag or ""
            if tag in delete or category(tag) in delete:
                return None
            leaves.append(Leaf(tag, node.text))
            return tag, leaves[-1], SKIPPED if category(tag) in (*table.skip, "EDITED") else PLAIN
        below = [item for item in map(visit, node.children) if item]
        if not below:
            return None
        level = min(level for _, _, level in below)
        return node.label, below, max(level, SKIPPED if category(node.label) == "EDITED" else PLAIN)

    def headed(item: Item, label: str) -> Leaf:
        """The head word of an item, whose largest phrase has this label; and all heads below."""
        _, below, _ = item
        if isinstance(below, Leaf):
            below.label = label
            return below
        place = find(table, item[0], below)
        head = headed(below[place], label)
        for number, other in enumerate(below):
            if number != place:
                headed(other, other[0]).head = head
        return head

    is_outer = isinstance(tree, Phrase) and tree.label in OUTER
    tops = [item for item in map(visit, tree.children if is_outer else [tree]) if item]  # type: ignore[union-attr]
    if tops:
        place = find(table, "TOP", tops)
        root = headed(tops[place], tops[place][0])
        for number, top in enumerate(tops):
            if number != place:
                headed(top, top[0]).head = root
    return leaves


def placed(trees: Sequence[Node], table: HeadTable, delete: Sequence[str]) -> tuple[str, list[list[Leaf]]]:
    """The text of some trees, and their words with their places in it."""
    text = ""
    sentences = [converted(tree, table, delete) for tree in trees]
    for sentence in sentences:
        for leaf in sentence:
            leaf.start = len(text)
            text += leaf.text
            leaf.end = len(text)
    return text, sentences


def score(
    gold: Sequence[Node], test: Sequence[Node], table: HeadTable, delete: Sequence[str], relation: Callable[[str], str]
) -> dict[str, int]:
    """All counts of two sides that have the same text."""
    texts, sides = zip(*(placed(trees, table, delete) for trees in (gold, test)), strict=True)
    assert texts[0] == texts[1]
    words = [[leaf for sentence in side for leaf in sentence] for side in sides]
    ours = {(leaf.start, leaf.end): leaf for leaf in words[0]}
    pairs = [(ours[leaf.start, leaf.end], leaf) for leaf in words[1] if (leaf.start, leaf.end) in ours]
    partner = {id(theirs): mine for mine, theirs in pairs}
    result = dict.fromkeys(("matched", "uas", "las_overlap", "uas_overlap", "tags"), 0)
    for mine, theirs in pairs:
        a, b = mine.head, theirs.head
        same = a is b is None or (a is not None and b is not None and partner.get(id(b)) is a)
        overlap = a is b is None or (a is not None and b is not None and max(a.start, b.start) < min(a.end, b.end))
        labels = relation(mine.label) == relation(theirs.label)
        result["uas"] += same
        result["matched"] += same and labels
        result["uas_overlap"] += overlap
        result["las_overlap"] += overlap and labels
        result["tags"] += mine.tag == theirs.tag
    ranges = [{(s[0].start, s[-1].end) for s in side if s} for side in sides]
    return {
        **result,
        "tokens": len(pairs),
        "gold": len(words[0]),
        "test": len(words[1]),
        "sentences": len(ranges[0] & ranges[1]),
        "sentences_gold": len(ranges[0]),
        "sentences_test": len(ranges[1]),
    }
