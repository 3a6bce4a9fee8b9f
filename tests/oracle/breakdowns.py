"""A plain model of the tables of errors: labels, rules, parents and tags over sets of words.

Written from the definitions. A tree is first rebuilt without deleted labels and words; a rule is a label and what
stands directly below it then; a parent is what stands directly above. Nothing here is fast.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from oracle.discontinuous import Bracket, Phrase, Rules, Tree, Word, brackets_of, counts, crosses, kept_places, words_of

Key = tuple[object, ...]


@dataclass
class Tables:
    """What is counted, by what it is."""

    labels: Counter[Key] = field(default_factory=Counter)  # gold, test, is it right, does it cross
    tags: Counter[Key] = field(default_factory=Counter)  # gold, test, is it right
    rules: Counter[Key] = field(default_factory=Counter)  # kind, gold, test
    attachments: Counter[Key] = field(default_factory=Counter)  # label, parents, have these the same words
    right_rules: int = 0


@dataclass(eq=False)
class Left:
    """A phrase of what is left of a tree."""

    label: str
    words: frozenset[int]
    parent: Left | None
    children: list[Left | tuple[str, int]] = field(default_factory=list)  # a word is its tag and its number

    def numbers(self, child: Left | tuple[str, int]) -> frozenset[int]:
        return child.words if isinstance(child, Left) else frozenset([child[1]])

    def rule(self) -> str:
        """The label, those below it by their first words, and the pieces, if they are not just one after another."""
        below = sorted(self.children, key=lambda child: min(self.numbers(child)))
        written = f"{self.label} → {' '.join(child.label if isinstance(child, Left) else child[0] for child in below)}"
        order: list[str] = []
        last = None
        for word in sorted(self.words):
            if last is not None and word > last + 1:
                order.append("_")
            child = str(1 + next(place for place, child in enumerate(below) if word in self.numbers(child)))
            if order[-1:] != [child]:
                order.append(child)
            last = word
        plain = [str(1 + place) for place in range(len(below))]
        return written if order == plain else f"{written} ({' '.join(order)})"


def left_of(tree: Phrase, kept: list[int], rules: Rules) -> dict[int, Left]:
    """What is left of each phrase, by its identity."""
    number = {place: new for new, place in enumerate(kept)}
    result: dict[int, Left] = {}

    def visit(node: Tree, above: Left | None) -> None:
        if isinstance(node, Word):
            if node.place in number and above is not None:
                above.children.append((node.tag, number[node.place]))
            return
        words = frozenset(number[word.place] for word in words_of(node) if word.place in number)
        if words and node.label not in rules.delete:
            mine = Left(node.label, words, above)
            if above is not None:
                above.children.append(mine)
            result[id(node)] = above = mine
        for child in node.children:
            visit(child, above)

    visit(tree, None)
    return result


def counted(tree: Phrase, kept: list[int], rules: Rules) -> list[tuple[Bracket, Left]]:
    """The brackets that count."""
    left = left_of(tree, kept, rules)
    result: list[tuple[Bracket, Left]] = []
    for bracket, phrase in brackets_of(tree, kept, rules):
        if rules.duplicates == "keep" or bracket not in [other for other, _ in result]:
            result.append((bracket, left[id(phrase)]))
    return result


def add(tables: Tables, gold: Phrase, test: Phrase, rules: Rules) -> None:
    """Count one pair, if it can be scored."""
    if counts(gold, test, rules) is None:
        return
    kept = kept_places(gold, test, rules)
    trees = tuple(zip((gold, test), kept, strict=True))
    tags = [[word.tag for word in words_of(tree) if word.place in side] for tree, side in trees]
    for first, other in zip(*tags, strict=True):
        tables.tags[first, other, first == other] += 1

    sides = [counted(tree, side, rules) for tree, side in trees]
    every = list({words: None for side in sides for (_, words), _ in side})
    for words in every:
        here = [[(bracket, left) for bracket, left in side if bracket[1] == words] for side in sides]
        both = bool(here[0] and here[1])
        _count_labels(tables, here, sides, words, rules)
        _count_rules(tables, [[left.rule() for _, left in side] for side in here], both or len(words) == 1)


def _count_labels(
    tables: Tables,
    here: list[list[tuple[Bracket, Left]]],
    sides: list[list[tuple[Bracket, Left]]],
    words: frozenset[int],
    rules: Rules,
) -> None:
    alone: list[list[str]] = [[], [left.label for _, left in here[1]]]
    free = list(here[1])
    for bracket, left in here[0]:
        partner = next((other for other in free if other[0] == bracket), None)
        if partner is None:
            alone[0].append(left.label)
            continue
        free.remove(partner)
        tables.labels[left.label, partner[1].label, True, False] += 1
        above = left.parent, partner[1].parent
        names = [None if first is None else first.label for first in above]
        same_words = above[0] is not None and above[1] is not None and above[0].words == above[1].words
        same = same_words and (names[0] == names[1] or not rules.labels)
        if not same and above != (None, None):
            tables.attachments[left.label, names[0], names[1], same_words] += 1
    alone[1] = [left.label for _, left in free]
    for place in range(max(map(len, alone))):
        gold, test = (side[place] if place < len(side) else None for side in alone)
        others = sides[1] if test is None else sides[0]
        crossing = None in (gold, test) and any(crosses(words, other) for (_, other), _ in others)
        tables.labels[gold, test, False, crossing] += 1


def _count_rules(tables: Tables, here: list[list[str]], there: bool) -> None:
    gold, test = ([*reversed(side)] for side in here)
    for rule in list(gold):
        if rule in test:
            gold.remove(rule)
            test.remove(rule)
            tables.right_rules += 1
    for place in range(max(len(gold), len(test))):
        if place >= len(gold):
            tables.rules["extra unary" if there else "extra", None, test[place]] += 1
        elif place >= len(test):
            tables.rules["missing unary" if there else "missing", gold[place], None] += 1
        else:
            tables.rules["changed", gold[place], test[place]] += 1
