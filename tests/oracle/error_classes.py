"""Error classes of Kummerfeld, Hall, Curran and Klein (2012) as a plain model, for tests: slow, and never tuned.

The test tree is repaired step by step until it has gold's brackets. Each step is the first of the best among all
relabellings, additions, removals and moves, each made on a copy of the whole tree and judged by counting all errors
anew. What a step did says its class.

Unlike the original program, a bare outer bracket and different outermost labels are allowed, punctuation is dropped
by gold's positions where the words agree (unless `original`), the label that is said to be added is that of the added
node, and an added node before CC is a matter of co-ordination (unless `original`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

MOST_STEPS = 100
ROOT = "ROOT"
ROOTS = ("", "ROOT", "TOP", "S1", "VROOT")
PUNCTUATION = (",", ":", "``", "''", ".")
TAGS_OF_WORDS = (
    dict.fromkeys(("--", "-", ";", ":"), ":")
    | dict.fromkeys(("-LRB-", "-LCB-", "-LSB-", "(", "{", "["), "-LRB-")
    | dict.fromkeys(("-RRB-", "-RCB-", "-RSB-", ")", "}", "]"), "-RRB-")
    | {"Wa": "NNP"}
)
PHRASE_NAMES = (  # without NML and WHADVP, as in the original
    "ADJP ADVP CONJP FRAG INTJ LST NAC NP NX PP PRN PRT QP RRC S SBAR SBARQ SINV SQ UCP VP WHADJP WHNP WHPP X"
)
PHRASES = frozenset(PHRASE_NAMES.split())

Span = tuple[int, int]
Bracket = tuple[int, int, str]
Record = dict[str, Any]


@dataclass(eq=False)
class Node:
    """A phrase, or a tag with its word; `place` says where it is."""

    label: str
    children: list[Node] = field(default_factory=list)
    word: str | None = None
    parent: Node | None = None
    start: int = 0
    end: int = 0

    @property
    def span(self) -> Span:
        return self.start, self.end

    @property
    def bracket(self) -> Bracket:
        return self.start, self.end, self.label

    @property
    def is_phrase(self) -> bool:
        return self.word is None


@dataclass
class Errors:
    """What a tree has too much and too little: gold's nodes and its own, each in pre-order."""

    extra: list[Bracket]
    missing: list[Bracket]
    crossing: list[Bracket]

    def __len__(self) -> int:
        return len(self.extra) + len(self.missing) + len(self.crossing)


@dataclass
class Explained:
    """How a pair came out: "ok", "not parsed", "lengths differ" or "no path"; and what was done, step by step."""

    status: str
    errors: int = 0
    steps: list[Record] = field(default_factory=list)

    @property
    def error_counts(self) -> list[str]:
        """A line for each class: steps, brackets, name."""
        steps: Counter[str] = Counter()
        brackets: Counter[str] = Counter()
        for record in self.steps:
            steps[record["classified_type"]] += 1
            brackets[record["classified_type"]] += record["brackets"]
        lines = sorted(((steps[name], brackets[name], name) for name in steps), reverse=True)
        return [f"{number} {change} {name}" for number, change, name in lines]


# Trees


def parse(text: str) -> Node | None:
    """The tree written in brackets; nothing if there is none."""
    top = Node("")
    open_nodes = [top]
    names_node = False
    for space, piece in re.findall(r"(\s*)([()]|[^\s()]+)", text):
        if piece == "(":
            open_nodes.append(Node(""))
            open_nodes[-2].children.append(open_nodes[-1])
        elif piece == ")":
            node = open_nodes.pop()
            if len(node.children) == 1 and node.children[0].word is not None and not node.children[0].label:
                node.word = node.children.pop().word
        elif names_node and not space:
            open_nodes[-1].label = piece
        else:
            open_nodes[-1].children.append(Node("", word=piece))
        names_node = piece == "("
    assert len(open_nodes) == 1, text
    return top.children[0] if top.children else None


def write(node: Node) -> str:
    """The tree in brackets."""
    inner = [write(child) for child in node.children] if node.is_phrase else [str(node.word)]
    return f"({' '.join([node.label, *inner])})"


def copy(node: Node) -> Node:
    """The same tree, of new nodes in the same order."""
    return Node(node.label, [copy(child) for child in node.children], node.word)


def nodes(node: Node) -> Iterator[Node]:
    """All nodes in pre-order."""
    yield node
    for child in node.children:
        yield from nodes(child)


def phrases(node: Node) -> list[Node]:
    """All phrases in pre-order, the root first."""
    return [item for item in nodes(node) if item.is_phrase]


def leaves(node: Node) -> list[Node]:
    """Tags with their words, from left to right."""
    return [item for item in nodes(node) if not item.is_phrase]


def labels(some: Sequence[Node]) -> list[str]:
    return [node.label for node in some]


def place(tree: Node) -> Node:
    """Say of every node where it is and what is above it."""
    position = 0

    def visit(node: Node) -> None:
        nonlocal position
        node.start = position
        position += not node.is_phrase
        for child in node.children:
            child.parent = node
            visit(child)
        node.end = position

    tree.parent = None
    visit(tree)
    return tree


# Normalising


def plain_label(label: str) -> str:
    """One of two labels, and nothing but the category."""
    if "|" in label:
        label = "ADVP" if "ADVP" in label else label.split("|")[0] or label
    label = label.split("=")[0] or label
    return label if label.startswith("-") else label.split("-")[0]


def without(node: Node, dropped: Sequence[Node]) -> Node:
    """The tree without some leaves and what they leave empty; the outermost node always stays."""
    gone = {id(leaf) for leaf in dropped}

    def kept(inner: Node) -> Node:
        children = [kept(child) for child in inner.children if id(child) not in gone]
        children = [child for child in children if child.children or not child.is_phrase]
        return Node(inner.label, children, inner.word)

    return kept(node)


def below_one_root(tree: Node) -> Node:
    """The tree with one outermost node that is nothing but a root."""
    while tree.is_phrase and tree.label in ROOTS and len(tree.children) == 1:
        (child,) = tree.children
        if not child.is_phrase or child.label not in ROOTS:
            break
        tree = child
    if tree.is_phrase and tree.label in ROOTS:
        return Node(ROOT, tree.children)
    return Node(ROOT, [tree] if tree.children or not tree.is_phrase else [])


def known(word: str | None) -> tuple[str | None, str | None]:
    """What must agree of two words: they are the same, or both always have the same tag."""
    return (None, TAGS_OF_WORDS[word]) if word in TAGS_OF_WORDS else (word, None)


def normalised(gold: Node, test: Node, *, original: bool) -> tuple[Node, Node]:
    """Both trees with plain labels, without empty elements and punctuation, below a root."""
    sides = []
    for tree in (gold, test):
        side = Node("", [copy(tree)])  # which stays when all else is dropped
        for node in nodes(side):
            node.label = plain_label(node.label)
            if node.word is not None:
                node.word = {"{": "-LCB-", "}": "-RCB-"}.get(node.word, node.word)
                node.label = TAGS_OF_WORDS.get(node.word, node.label) if node.label != "-NONE-" else node.label
        sides.append(without(side, [leaf for leaf in leaves(side) if leaf.label == "-NONE-"]))
    words = [leaves(side) for side in sides]
    marks = [[leaf.label in PUNCTUATION for leaf in side] for side in words]
    if [known(leaf.word) for leaf in words[0]] == [known(leaf.word) for leaf in words[1]] and not original:
        marks[1] = marks[0]
    for number in (0, 1):
        dropped = [leaf for leaf, mark in zip(words[number], marks[number], strict=True) if mark]
        sides[number] = without(sides[number], dropped)
        for node in nodes(sides[number]):
            node.label = "ADVP" if node.label == "PRT" else node.label
        sides[number] = place(below_one_root(sides[number]))
    return sides[0], sides[1]


# Errors


def cross(first: Span, other: Span) -> bool:
    """Whether two spans overlap and neither holds the other."""
    return first[0] < other[0] < first[1] < other[1] or other[0] < first[0] < other[1] < first[1]


def unpaired(some: Sequence[Node], others: Sequence[Node]) -> list[Bracket]:
    """Brackets that are left when each has taken an equal one of the others; of equal ones the first take first."""
    free = Counter(node.bracket for node in others)
    left = []
    for node in some:
        if free[node.bracket]:
            free[node.bracket] -= 1
        else:
            left.append(node.bracket)
    return left


def errors_of(tree: Node, gold: Node) -> Errors:
    """All errors of a tree; the roots belong to each other."""
    ours, theirs = phrases(tree)[1:], phrases(gold)[1:]
    absent = unpaired(theirs, ours)
    crossing = [bracket for bracket in absent if any(cross(bracket[:2], node.span) for node in ours)]
    return Errors(unpaired(ours, theirs), [bracket for bracket in absent if bracket not in crossing], crossing)


# Steps


def topmost(tree: Node, bracket: Bracket) -> Node:
    """The first node with this span and label, the root left out."""
    return next(node for node in phrases(tree)[1:] if node.bracket == bracket)


def relabelled(tree: Node, old: Bracket, new: Bracket) -> tuple[Node, Record]:
    """The tree with another label at a node."""
    tree = place(copy(tree))
    node = topmost(tree, old)
    assert node.parent is not None
    node.label = new[2]
    record = {
        "type": "relabel",
        "change": [old[2], new[2]],
        "subtrees": labels(node.children),
        "parent": node.parent.label,
        "span": list(node.span),
        "over_word": node.end - node.start == 1,
    }
    return tree, record


def insert(tree: Node, bracket: Bracket) -> Node:
    """Put a node into the tree, above all others of its span but below the root."""
    start, end, label = bracket
    holders = [node for node in phrases(tree)[1:] if node.start <= start and end <= node.end]
    parent = [tree, *(node for node in holders if node.span != (start, end))][-1]
    inner = [child for child in parent.children if start <= child.start and child.end <= end]
    first = parent.children.index(inner[0])
    node = Node(label, inner)
    parent.children[first : first + len(inner)] = [node]
    place(tree)
    assert node.bracket == bracket
    return node


def next_sibling(node: Node) -> str | None:
    """The label just right of a node."""
    assert node.parent is not None
    siblings = node.parent.children
    index = siblings.index(node) + 1
    return siblings[index].label if index < len(siblings) else None


def added(tree: Node, bracket: Bracket, *, original: bool) -> tuple[Node, Record]:
    """The tree with one more node."""
    tree = place(copy(tree))
    node = insert(tree, bracket)
    assert node.parent is not None
    record = {
        "type": "add",
        "label": node.label,
        "span": list(node.span),
        "subtrees": labels(node.children),
        "parent": node.parent.label,
        "over_word": node.end - node.start == 1,
        "next sibling": None if original else next_sibling(node),
    }
    return tree, record


def removed(tree: Node, bracket: Bracket) -> tuple[Node, Record]:
    """The tree without a node; its children take its place."""
    tree = place(copy(tree))
    node = topmost(tree, bracket)
    parent = node.parent
    assert parent is not None
    record = {
        "type": "remove",
        "label": node.label,
        "span": list(node.span),
        "subtrees": labels(node.children),
        "parent": parent.label,
        "over_word": node.end - node.start == 1,
        "next sibling": next_sibling(node),
        "only child": len(parent.children) == 1,
    }
    index = parent.children.index(node)
    parent.children[index : index + 1] = node.children
    return place(tree), record


def targets(tree: Node, errors: Errors, source: Node, first: int, last: int) -> Iterator[tuple[Node, Node | None, int]]:
    """Where a run of children can go: to which node, and there next to which child (or its end), on which side of it.

    The side is 0 for left of that child or the left end, 1 for right.
    """

    def is_extra(node: Node) -> bool:
        return node.parent is not None and node.bracket in errors.extra

    children = source.children
    start, end = children[first].start, children[last].end
    if first > 0:
        node = children[first - 1]
        while node.is_phrase:
            if is_extra(node):
                yield node, None, 1
            node = node.children[-1]
    if last + 1 < len(children):
        node = children[last + 1]
        while node.is_phrase:
            if is_extra(node):
                yield node, None, 0
            node = node.children[0]
    if not is_extra(source):
        return
    at_left, at_right = first == 0, last + 1 == len(children)
    if not (at_left or at_right):
        return
    if at_left:
        yield from ((node, None, 1) for node in phrases(tree) if is_extra(node) and node.end == start)
    if at_right:
        yield from ((node, None, 0) for node in phrases(tree) if is_extra(node) and node.start == end)
    if not at_left and not at_right:
        return
    below, above = source, source.parent
    while above is not None and above.parent is not None:
        yield above, below, 0 if at_left else 1
        if above.parent.start < start if at_left else above.parent.end > end:
            break
        below, above = above, above.parent


def beside(siblings: Sequence[Node], first: int, last: int) -> list[str]:
    """The labels just left and just right of a run."""
    return labels([*siblings[max(first - 1, 0) : first], *siblings[last + 1 : last + 2]])


def moved(tree: Node, gold: Node, numbers: tuple[int, int, int | None, int], run: Span) -> tuple[Node, Record]:
    """The tree with a run of children elsewhere, the old parent merged with an only child of its own label, and the
    tightest missing node around the run put in."""
    tree = place(copy(tree))
    old, new, anchor, side = numbers
    all_nodes = list(nodes(tree))
    source, target = all_nodes[old], all_nodes[new]
    first, last = run
    movers = source.children[first : last + 1]
    start, end = movers[0].start, movers[-1].end
    record: Record = {
        "type": "move",
        "old_parent": source.label,
        "new_parent": target.label,
        "movers": labels(movers),
        "mover info": [[node.label, list(node.span)] for node in movers],
        "beside": beside(source.children, first, last),
    }
    source.children[first : last + 1] = []
    at_end = len(target.children) if side else 0
    index = at_end if anchor is None else target.children.index(all_nodes[anchor]) + side
    target.children[index:index] = movers
    record["beside"] += beside(target.children, index, index + len(movers) - 1)

    only = source.children[0]
    target_is_gone = False
    if len(source.children) == 1 and only.is_phrase and only.label == source.label and source is not tree:
        source.children = only.children
        target_is_gone = only is target
    place(tree)
    if not target_is_gone:
        around = [
            bracket
            for bracket in errors_of(tree, gold).missing
            if target.start <= bracket[0] <= start and end <= bracket[1] <= target.end and bracket[:2] != (start, end)
        ]
        if around:
            tightest = min(around, key=lambda bracket: bracket[1] - bracket[0])
            insert(tree, tightest)
            record["added and moved"] = True
            record["added label"] = tightest[2]
    return tree, record


def successors(tree: Node, gold: Node, errors: Errors, *, original: bool) -> Iterator[tuple[Node, Record]]:
    """All trees that one step can make."""
    for wanted in errors.missing:
        for extra in errors.extra:
            if extra[:2] == wanted[:2]:
                yield relabelled(tree, extra, wanted)
    for bracket in errors.missing:
        yield added(tree, bracket, original=original)
    for bracket in errors.extra:
        yield removed(tree, bracket)
    number = {id(node): index for index, node in enumerate(nodes(tree))}
    for source in phrases(tree):
        size = len(source.children)
        for first in range(size):
            for last in range(first, size):
                if last - first + 1 == size:
                    continue
                for target, anchor, side in targets(tree, errors, source, first, last):
                    anchored = None if anchor is None else number[id(anchor)]
                    where = number[id(source)], number[id(target)], anchored, side
                    yield moved(tree, gold, where, (first, last))


# Classes


def any_of(names: Sequence[str], where: Sequence[str]) -> bool:
    """Whether one of the names is in the list, or within the string."""
    return any(name in where for name in names)


def class_of_move(record: Record) -> str:
    """The class of a move."""
    movers = record["movers"]
    if "CC" in record["beside"] or "CC" in (movers[0], movers[-1]):
        return "Co-ordination"
    for names, kind in (
        (("PP",), "PP Attachment"),
        (("NP",), "NP Attachment"),
        (("VP",), "VP Attachment"),
        (("S", "SINV", "SBAR"), "Clause Attachment"),
        (("RB", "ADVP", "ADJP"), "Modifier Attachment"),
    ):
        if any_of(names, movers):
            return kind
    if any_of(("NP", "QP"), record["old_parent"]) and any_of(("NP", "QP"), record["new_parent"]):
        return "NP Internal Structure"
    return "UNSET move"


def class_of_node(record: Record) -> str:
    """The class of any other step; the first rule that fits."""
    if record["over_word"]:
        return "Single Word Phrase"
    if record["type"] == "relabel":
        return "Different label"
    kind, label, parent, children = record["type"], record["label"], record["parent"], record["subtrees"]
    if kind == "add" and len(children) == 1:
        return "XoverX Unary" if children[0] == label else "Unary"
    if kind == "remove" and record["only child"]:
        return "XoverX Unary" if parent == label else "Unary"
    if kind == "remove" and len(children) == 1:
        return "Unary"
    if "UCP" in label or record["next sibling"] == "CC":
        return "Co-ordination"
    if "PP" in children[1:]:
        return "PP Attachment"
    if any_of(("S", "SBAR", "SINV"), children[1:]):
        return "Clause Attachment"
    if "NP" in parent and not PHRASES.intersection(children):
        return "NP Internal Structure"
    if any_of(("ADVP", "ADJP"), label) or any_of(("ADVP", "ADJP"), children[1:]):
        return "Modifier Attachment"
    if all(child == label for child in children):
        return "NP Internal Structure" if label == "NP" else "Co-ordination"
    return f"UNSET {kind}"


HIDDEN = ("beside", "next sibling", "only child")


def explain(gold_text: str, test_text: str, *, original: bool = False) -> Explained:
    """What must be done to a test tree until it has gold's brackets."""
    gold, test = parse(gold_text), parse(test_text)
    if gold is None or test is None or not leaves(gold) or not leaves(test):
        return Explained("not parsed")
    gold, tree = normalised(gold, test, original=original)
    if len(leaves(gold)) != len(leaves(tree)):
        return Explained("lengths differ")
    errors = errors_of(tree, gold)
    words = [leaf.word for leaf in leaves(tree)]
    explained = Explained("ok", len(errors))
    while errors:
        if len(explained.steps) == MOST_STEPS:
            return Explained("no path", explained.errors)
        best: tuple[int, Node, Record] | None = None
        for item, record in successors(tree, gold, errors, original=original):
            assert [leaf.word for leaf in leaves(item)] == words
            gain = len(errors) - len(errors_of(item, gold))
            if gain >= 0 and (best is None or gain > best[0]):
                best = gain, item, record
        assert best is not None
        gain, tree, record = best
        errors = errors_of(tree, gold)
        record["classified_type"] = class_of_move(record) if record["type"] == "move" else class_of_node(record)
        record["brackets"] = gain
        explained.steps.append({key: value for key, value in record.items() if key not in HIDDEN})
    return explained
