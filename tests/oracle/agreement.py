"""The agreement of annotators by its definitions: plain Python over nested trees, with exact fractions.

Cohen (1960) for kappa; Krippendorff for alpha: one less the observed over the expected disagreement, where the expected
one is the mean over all pairs of values, whatever unit they belong to. Nothing here is fast.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from oracle.tree_distance import Costs, distance, forest_of
from strategies import Node, Phrase, Word

PUNCTUATION = {"-NONE-", ",", ":", "``", "''", "."}
COSTS = Costs(Fraction(1), Fraction(1), Fraction(1))


@dataclass(frozen=True)
class Rules:
    """What is left out and what is the same: the profile collins, or none."""

    tags: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    same: tuple[tuple[str, str], ...] = ()

    def name(self, label: str) -> str:
        """A label as it is compared: up to the first - or =."""
        cut = min(label.find(c) % (len(label) + 1) for c in "-=")
        return self.equal(label[:cut])

    def equal(self, name: str) -> str:
        """The name for all labels that are equal to it."""
        return dict(self.same).get(name, name)


COLLINS = Rules(frozenset({"TOP", *PUNCTUATION}), frozenset({"TOP", *PUNCTUATION}), (("PRT", "ADVP"),))
NONE = Rules()


def pruned(node: Node, rules: Rules) -> list[Node]:
    """What is left of a tree: words that count, and phrases over them that count."""
    if isinstance(node, Word):
        if node.tag in rules.tags:
            return []
        return [node if node.tag is None else Word(rules.equal(node.tag), node.text)]
    below = [left for child in node.children for left in pruned(child, rules)]
    label = rules.name(node.label)
    return below if not below or label in rules.labels else [Phrase(label, tuple(below))]


def words_of(forest: Sequence[Node]) -> list[Word]:
    return [word for node in forest for word in ([node] if isinstance(node, Word) else words_of(node.children))]


def spans_of(forest: Sequence[Node], start: int = 0) -> list[tuple[int, int, str]]:
    """Begin, end and label of each phrase, outer ones first."""
    items = []
    for node in forest:
        size = len(words_of([node]))
        if isinstance(node, Phrase):
            items.append((start, start + size, node.label))
            items += spans_of(node.children, start)
        start += size
    return items


def group_of(forests: Sequence[Sequence[Node]]) -> list[int]:
    """The annotators with the same words: the largest group, the first one of equal size; two at least."""
    texts = [tuple(word.text for word in words_of(forest)) for forest in forests]
    groups = [[other for other, text in enumerate(texts) if text == wanted and text] for wanted in texts]
    best = max(groups, key=len)
    return best if len(best) > 1 else []


def kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> Fraction | None:
    """(observed - chance) / (1 - chance)."""
    if not pairs:
        return None
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    observed = Fraction(sum(a == b for a, b in pairs), len(pairs))
    chance = sum(Fraction(first[it], len(pairs)) * Fraction(second[it], len(pairs)) for it in first)
    return None if chance == 1 else (observed - chance) / (1 - chance)


def differ(a: Any, b: Any) -> Fraction:
    return Fraction(a != b)


def alpha(units: Sequence[Sequence[Any]], delta: Callable[[Any, Any], Fraction] = differ) -> Fraction | None:
    """1 - observed / expected, of units with at least two values each."""
    kept = [unit for unit in units if len(unit) > 1]
    values = [value for unit in kept for value in unit]
    if not values:
        return None
    observed = sum((_total(unit, delta) / (len(unit) - 1) for unit in kept), Fraction(0)) / len(values)
    expected = _total(values, delta) / (len(values) * (len(values) - 1))
    return None if expected == 0 else 1 - observed / expected


def _total(values: Sequence[Any], delta: Callable[[Any, Any], Fraction]) -> Fraction:
    """The sum of the distances of all ordered pairs."""
    distances = [delta(a, b) for i, a in enumerate(values) for j, b in enumerate(values) if i != j]
    return sum(distances, Fraction(0))


@dataclass
class Agreement:
    """What annotators say of each unit, by annotator."""

    tags: list[dict[int, str]]
    labels: list[dict[int, tuple[str, ...]]]
    trees: list[dict[int, Any]]
    groups: list[list[int]]

    def kappas(self, a: int, b: int) -> tuple[Fraction | None, Fraction | None]:
        tags, labels = ([(u[a], u[b]) for u in units if a in u and b in u] for units in (self.tags, self.labels))
        return kappa(tags), kappa(labels)

    def alphas(self) -> list[Fraction | None]:
        nominal = [alpha([list(unit.values()) for unit in units]) for units in (self.tags, self.labels)]
        return [*nominal, alpha([list(unit.values()) for unit in self.trees], edits)]

    def alpha_of_label(self, label: str) -> Fraction | None:
        """Of whether a phrase has this label."""
        return alpha([[label in labels for labels in unit.values()] for unit in self.labels])


def edits(a: Any, b: Any) -> Fraction:
    return distance(forest_of(a), forest_of(b), COSTS.insert, COSTS.delete, COSTS.of_pair)


def agreement(annotations: Sequence[Sequence[Phrase]], rules: Rules) -> Agreement:
    """The units of some annotations, a list of trees each."""
    result = Agreement([], [], [], [])
    for trees in zip(*annotations, strict=True):
        forests = [pruned(tree, rules) for tree in trees]
        group = group_of(forests)
        result.groups.append(group)
        if not group:
            continue
        result.trees.append({number: forests[number] for number in group})
        words = {number: words_of(forests[number]) for number in group}
        for place in range(len(words[group[0]])):
            result.tags.append({number: words[number][place].tag or "(no tag)" for number in group})
        spans: dict[tuple[int, int], dict[int, tuple[str, ...]]] = {}
        for number in group:
            for start, end, label in spans_of(forests[number]):
                unit = spans.setdefault((start, end), {})
                unit[number] = (*unit.get(number, ()), label)
        result.labels += [unit for unit in spans.values() if len(unit) > 1]
    return result
