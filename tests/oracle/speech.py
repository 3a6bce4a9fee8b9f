"""SParseval without the program's oddities, in plain Python: the oracle of the differential tests.

Written from Roark et al. (2006), "SParseval: Evaluation Metrics for Parsing Speech", and from what the metric promises.
Readable first, never tuned; recursive, and quadratic where that is the definition.

A unit is scored in this order: delete, normalise the edits of each sentence, put the sentences under one root TOP,
align the words, then count brackets over the rows of the alignment and dependencies between heads.

Where the paper leaves a choice:

*  A dependency is labelled with the mother and the child in which dependent and head meet; all children of the root
   depend on the root. The root is open, and equal to nothing but a root.
*  Words to be skipped are heads only where there are no others, and edits are none at all: edits have left the edges of
   phrases, so that there is something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from strategies import Node, Phrase, Word

OUTER = ("", "TOP", "ROOT", "S1", "VROOT")
ROOT = "TOP"

INSERTION, DELETION, SUBSTITUTION = 3, 3, 4

#: What stands at the top of one tree or of several on a line; None if the line cannot be read.
Sentence: TypeAlias = "tuple[Node, ...] | None"
Side: TypeAlias = Sequence[Sentence]

#: A direction, l or r, and labels; none stand for any.
Group: TypeAlias = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Table:
    """Head rules: the groups of each category, those of the default, conjunctions, and what is skipped."""

    rules: dict[str, tuple[Group, ...]]
    default: tuple[Group, ...]
    conjunctions: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()


@dataclass(frozen=True)
class Options:
    """All of the metric but the unit, which the caller makes."""

    table: Table
    labels: bool = True
    align: str = "words"
    delete: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    edits: tuple[str, ...] = ("EDITED",)
    closed: tuple[str, ...] = ()
    closed_words: tuple[str, ...] = ()
    pauses: tuple[str, ...] = ()
    equal: tuple[tuple[str, str], ...] = ()
    equal_words: tuple[tuple[str, str], ...] = ()
    gaps: str = "left"
    governor: str = "word"


@dataclass(eq=False)
class Leaf:
    """A word, with its tag in the place of a label."""

    label: str
    word: str


@dataclass(eq=False)
class Branch:
    """A phrase."""

    label: str
    children: list[Item]


Item: TypeAlias = "Leaf | Branch"
#: A word of each side, by its number; None where the side has none.
Row: TypeAlias = "tuple[int | None, int | None]"


@dataclass(frozen=True)
class Bracket:
    """A phrase over rows; None: over no row that both sides have."""

    label: str
    extent: tuple[int, int] | None


@dataclass(frozen=True)
class Dependency:
    """A word and the word on which it depends, None for the root; the labels of mother and child where they meet."""

    dependent: Leaf
    head: Leaf | None
    mother: str
    child: str


@dataclass
class Prepared:
    """One side of a unit after deletion and the normalisation of edits."""

    tops: list[Item]
    leaves: list[Leaf] = field(init=False)

    def __post_init__(self) -> None:
        self.leaves = [leaf for item in self.tops for leaf in leaves_of(item)]


# ---------------------------------------------------------------------------------------------------------------------
# Labels and words


def category(label: str) -> str:
    """A label up to the first - or = that is neither its first nor its last character."""
    cuts = [place for place in range(1, len(label) - 1) if label[place] in "-="]
    return label[: cuts[0]] if cuts else label


def surface(word: str) -> str:
    """What words that are written differently have in common: letters of either case, hyphens or not."""
    return (word.replace("-", "") or word).casefold()


class Classes:
    """Names that count as equal, transitively."""

    def __init__(self, groups: Iterable[Sequence[str]]) -> None:
        self.sets: list[set[str]] = []
        for group in groups:
            joined = set(group)
            for known in [known for known in self.sets if known & joined]:
                joined |= known
                self.sets.remove(known)
            self.sets.append(joined)

    def of(self, name: str) -> frozenset[str]:
        """All names that are equal to this one, itself included."""
        return next((frozenset(known) for known in self.sets if name in known), frozenset([name]))


def words_of(options: Options) -> Callable[[str], frozenset[str]]:
    """The class of a word."""
    groups = [tuple(map(surface, pair)) for pair in (*options.equal_words, options.pauses)]
    classes = Classes(groups)
    return lambda word: classes.of(surface(word))


# ---------------------------------------------------------------------------------------------------------------------
# Trees


def leaves_of(item: Item) -> list[Leaf]:
    """The words below, from left to right."""
    return [item] if isinstance(item, Leaf) else [leaf for child in item.children for leaf in leaves_of(child)]


def opened(tree: Node) -> tuple[Node, ...]:
    """What stands under the root: the tree, or what its outermost bracket holds if that is only a frame."""
    return tree.children if isinstance(tree, Phrase) and tree.label in OUTER else (tree,)


def kept(node: Node, delete: tuple[str, ...], empty: tuple[str, ...]) -> list[Item]:
    """What deletion leaves of a node: words go, phrases make room for their children, phrases without words vanish.

    What is empty goes with everything below it.
    """
    label = (node.tag or "") if isinstance(node, Word) else node.label
    if label in empty or category(label) in empty:
        return []
    gone = label in delete or category(label) in delete
    if isinstance(node, Word):
        return [] if gone else [Leaf(category(label), node.text)]
    below = [item for child in node.children for item in kept(child, delete, empty)]
    return below if gone or not below else [Branch(category(label), below)]


def flattened(item: Item, edits: tuple[str, ...]) -> Item:
    """Words are the only children of edits."""
    if isinstance(item, Leaf):
        return item
    if item.label in edits:
        return Branch(item.label, list(leaves_of(item)))
    return Branch(item.label, [flattened(child, edits) for child in item.children])


def moved(items: list[Item], edits: tuple[str, ...]) -> list[Item]:
    """Edits at the edges of phrases become their neighbours, from the innermost phrases outwards."""
    result: list[Item] = []
    for item in items:
        if isinstance(item, Leaf) or item.label in edits:
            result.append(item)
            continue
        below = moved(item.children, edits)
        start, end = 0, len(below)
        while start < end and below[start].label in edits:
            start += 1
        while end > start and below[end - 1].label in edits:
            end -= 1
        result += below[:start]
        if start < end:
            result.append(Branch(item.label, below[start:end]))
        result += below[end:]
    return result


def merged(items: list[Item], edits: tuple[str, ...]) -> list[Item]:
    """Neighbouring edits of one label become one; a word that is an edit by its tag stays alone."""
    result: list[Item] = []
    for item in items:
        before = result[-1] if result else None
        if isinstance(item, Leaf):
            result.append(item)
        elif item.label not in edits:
            result.append(Branch(item.label, merged(item.children, edits)))
        elif isinstance(before, Branch) and before.label == item.label:
            before.children += item.children
        else:
            result.append(Branch(item.label, list(item.children)))
    return result


def prepared(side: Side, options: Options) -> Prepared:
    """All sentences under one root; edits never leave their sentence."""
    tops: list[Item] = []
    for sentence in side:
        nodes = [node for tree in sentence or () for node in opened(tree)]
        items = [item for node in nodes for item in kept(node, options.delete, options.empty)]
        items = [flattened(item, options.edits) for item in items]
        tops += merged(moved(items, options.edits), options.edits)
    return Prepared(tops)


# ---------------------------------------------------------------------------------------------------------------------
# Rows


def aligned(gold: Sequence[object], test: Sequence[object]) -> list[Row]:
    """The path of least cost. Of equal ones, seen from the end: the diagonal, then the insertion, then the deletion."""
    costs = [[0] * (len(test) + 1) for _ in range(len(gold) + 1)]
    steps = [[""] * (len(test) + 1) for _ in range(len(gold) + 1)]
    for i in range(len(gold) + 1):
        for j in range(len(test) + 1):
            if i == j == 0:
                continue
            far = INSERTION * len(test) + DELETION * len(gold) + 1
            diagonal = deletion = insertion = far
            if i and j:
                diagonal = costs[i - 1][j - 1] + (0 if gold[i - 1] == test[j - 1] else SUBSTITUTION)
            if i:
                deletion = costs[i - 1][j] + DELETION
            if j:
                insertion = costs[i][j - 1] + INSERTION
            if diagonal <= deletion and diagonal <= insertion:
                steps[i][j] = "diagonal"
            elif deletion < insertion:
                steps[i][j] = "deletion"
            else:
                steps[i][j] = "insertion"
            costs[i][j] = min(diagonal, deletion, insertion)
    rows: list[Row] = []
    i, j = len(gold), len(test)
    while i or j:
        step = steps[i][j]
        i -= step != "insertion"
        j -= step != "deletion"
        rows.append((None if step == "insertion" else i, None if step == "deletion" else j))
    return rows[::-1]


# ---------------------------------------------------------------------------------------------------------------------
# Brackets


def brackets(side: Prepared, rows: dict[Leaf, int], shared: set[int], gaps: str) -> list[Bracket]:
    """All phrases: from behind the word before them, or with `common` from the first row that both sides have."""
    result: list[Bracket] = []
    cursor = 0

    def visit(item: Item) -> None:
        nonlocal cursor
        if isinstance(item, Leaf):
            cursor = rows[item] + 1
            return
        start = cursor
        for child in item.children:
            visit(child)
        if gaps == "left":
            result.append(Bracket(item.label, (start, cursor)))
        else:
            both = [rows[leaf] for leaf in leaves_of(item) if rows[leaf] in shared]
            result.append(Bracket(item.label, (min(both), max(both) + 1) if both else None))

    for top in side.tops:
        visit(top)
    return result


def crosses(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Do they overlap without one being within the other?"""
    return a[0] < b[0] < a[1] < b[1] or b[0] < a[0] < b[1] < a[1]


def count_brackets(gold: list[Bracket], test: list[Bracket], same: Callable[[str], object]) -> dict[str, int]:
    """How many there are, and how many match and cross."""
    sides = [
        Counter((bracket.extent, same(bracket.label)) for bracket in side if bracket.extent is not None)
        for side in (gold, test)
    ]
    extents = [bracket.extent for bracket in gold if bracket.extent is not None]
    return {
        "matched": sum((sides[0] & sides[1]).values()),
        "gold": len(gold),
        "test": len(test),
        "crossing": sum(
            any(bracket.extent is not None and crosses(extent, bracket.extent) for extent in extents)
            for bracket in test
        ),
    }


# ---------------------------------------------------------------------------------------------------------------------
# Heads and dependencies


class Heads:
    """Head words and dependencies of one side."""

    def __init__(self, options: Options) -> None:
        self.table = options.table
        self.edits = options.edits

    def avoided(self, item: Item) -> int:
        """0: may well be a head; 1: words to be skipped and nothing else; 2: an edit."""
        if isinstance(item, Leaf):
            return 2 if item.label in self.edits else 1 if item.label in self.table.skip else 0
        return 2 if item.label in self.edits else min(map(self.avoided, item.children))

    def child(self, phrase: Branch) -> Item:
        """The head child: the first group that has any of the children that are avoided least; then conjunctions."""
        least = min(map(self.avoided, phrase.children))
        children = [child for child in phrase.children if self.avoided(child) == least]
        place = self.place([child.label for child in children], phrase.label)
        return children[self.before_conjunction([child.label for child in children], place)]

    def place(self, labels: list[str], mother: str) -> int:
        groups = (*self.table.rules.get(mother, ()), *self.table.default)
        for direction, wanted in (*groups, (groups[-1][0], ())):
            fitting = [place for place, label in enumerate(labels) if not wanted or label in wanted]
            if fitting:
                return fitting[0] if direction == "l" else fitting[-1]
        raise AssertionError("a group without labels fits any child")

    def before_conjunction(self, labels: list[str], head: int) -> int:
        """Right after a conjunction that is not the first child, the head is what stands before the conjunction."""
        if head >= 2 and labels[head - 1] in self.table.conjunctions:
            others = [place for place in range(head - 1) if labels[place] not in self.table.conjunctions]
            return others[-1] if others else head
        return head

    def word(self, item: Item) -> Leaf | None:
        """The head word; edits have none."""
        if item.label in self.edits:
            return None
        return item if isinstance(item, Leaf) else self.word(self.child(item))

    def dependencies(self, side: Prepared) -> list[Dependency]:
        """Those of all words that are in no edit, in the order of the dependents."""
        order = {leaf: number for number, leaf in enumerate(side.leaves)}
        items = list(self.of_root(side.tops))
        for item in side.tops:
            items += self.within(item)
        return sorted(items, key=lambda dependency: order[dependency.dependent])

    def of_root(self, tops: list[Item]) -> Iterator[Dependency]:
        for item in tops:
            word = self.word(item)
            if word is not None:
                yield Dependency(word, None, ROOT, item.label)

    def within(self, item: Item) -> Iterator[Dependency]:
        if isinstance(item, Leaf) or item.label in self.edits:
            return
        head, chosen = self.word(item), self.child(item)
        for child in item.children:
            word = self.word(child)
            if child is not chosen and head is not None and word is not None:
                yield Dependency(word, head, item.label, child.label)
            yield from self.within(child)


class Comparison:
    """Which dependencies match, by the options."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.word = words_of(options)
        classes = Classes(options.equal)
        self.label: Callable[[str], object] = classes.of if options.labels else lambda label: None
        self.closed_words = set(map(surface, options.closed_words))

    def key(self, dependency: Dependency) -> tuple[object, ...]:
        """What matching dependencies have in common, wherever they stand."""
        head = dependency.head
        return (
            self.word(dependency.dependent.word),
            None if head is None else self.word(head.word),
            self.label(dependency.mother),
            self.label(dependency.child),
        )

    def is_open_word(self, leaf: Leaf | None) -> bool:
        if leaf is None:
            return True
        return leaf.label not in self.options.closed and surface(leaf.word) not in self.closed_words

    def is_open(self, dependency: Dependency) -> bool:
        """Is neither word of the closed class?"""
        return self.is_open_word(dependency.dependent) and self.is_open_word(dependency.head)


def longest_common(a: Sequence[object], b: Sequence[object]) -> int:
    """The length of the longest common subsequence."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, first in enumerate(a, 1):
        for j, other in enumerate(b, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if first == other else max(table[i - 1][j], table[i][j - 1])
    return table[-1][-1]


# ---------------------------------------------------------------------------------------------------------------------
# Units


def score_unit(gold: Side, test: Side, options: Options) -> dict[str, int]:
    """All counts of one unit. It is left out if its only gold tree cannot be read; else such trees have no words."""
    if list(gold) == [None]:
        return {**dict.fromkeys(COLUMNS, 0), "errors": 1}
    comparison = Comparison(options)
    sides = prepared(gold, options), prepared(test, options)
    path = aligned(*([comparison.word(leaf.word) for leaf in side.leaves] for side in sides))
    counts = {**dict.fromkeys(COLUMNS, 0), "valid": 1, **count_words(path, sides, comparison)}
    rows = [
        {side.leaves[step[which]]: row for row, step in enumerate(path) if step[which] is not None}  # type: ignore[index]
        for which, side in enumerate(sides)
    ]
    shared = {row for row, step in enumerate(path) if None not in step}
    if options.align == "words":
        items = [brackets(side, own, shared, options.gaps) for side, own in zip(sides, rows, strict=True)]
        counts |= count_brackets(items[0], items[1], comparison.label)
    dependencies = [Heads(options).dependencies(side) for side in sides]
    opened = [[it for it in side if comparison.is_open(it)] for side in dependencies]
    for name, lists in (("head", dependencies), ("open", opened)):
        keys = [list(map(comparison.key, side)) for side in lists]
        if options.align == "bag":
            matched = longest_common(*keys)
        else:
            placed = [
                {(*key, *places(it, own, options)) for it, key in zip(side, of_side, strict=True)}
                for side, of_side, own in zip(lists, keys, rows, strict=True)
            ]
            matched = len(placed[0] & placed[1])
        counts |= {f"{name}_matched": matched, f"{name}_gold": len(lists[0]), f"{name}_test": len(lists[1])}
    all_match = counts["matched"] == counts["gold"] == counts["test"]
    wrong = counts["substituted"] + counts["deleted"] + counts["inserted"]
    counts["exact"] = int(all_match and wrong == 0)
    return counts


def places(dependency: Dependency, rows: dict[Leaf, int], options: Options) -> tuple[int | None, ...]:
    """The rows that must agree: that of the dependent, with `place` also that of its head."""
    head = dependency.head
    place = rows[head] if options.governor == "place" and head is not None else None
    return rows[dependency.dependent], place


def count_words(path: list[Row], sides: tuple[Prepared, Prepared], comparison: Comparison) -> dict[str, int]:
    """What happened to the words."""
    counts = dict.fromkeys(("correct", "substituted", "deleted", "inserted"), 0)
    for i, j in path:
        if i is None or j is None:
            counts["inserted" if i is None else "deleted"] += 1
        else:
            words = (side.leaves[at].word for side, at in zip(sides, (i, j), strict=True))
            counts["correct" if len(set(map(comparison.word, words))) == 1 else "substituted"] += 1
    return counts


COLUMNS = (
    *("matched", "gold", "test", "crossing", "exact"),
    *(f"{kind}_{name}" for kind in ("head", "open") for name in ("matched", "gold", "test")),
    *("correct", "substituted", "deleted", "inserted"),
    *("valid", "errors"),
)
