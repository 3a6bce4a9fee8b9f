"""Struct-IoU in plain Python, the oracle of the differential tests.

Written from the definitions of "Structured Tree Alignment for Evaluation of (Speech) Constituency Parsing" (Shi, Gimpel
and Livescu, ACL 2024), whose numbers the comments give. Readable first, never tuned; all times and sums are fractions.

There are two ways to the optimum that share nothing but the weights of the pairs:

*  `best_by_ilp`: Problem 11 as an integer linear programme, Definition 10 applied to every two pairs. It knows nothing
   of time order or of subtrees.
*  `best_by_chains`: a dynamic programme over pairs of nodes.

Where the published numbers need more than the paper says:

*  Definition 12 divides the sum by the number of nodes of both trees; the published figures are twice that, so that
   equal trees have 1. Here, too.
*  Problem 11 aligns nodes of equal label. With flexible terminals (the published default) it is enough that one of
   the two nodes is a leaf.
*  A pair counts if its IoU is above the threshold; exactly at it is not above.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar

Number = TypeVar("Number", Fraction, float)
Pair: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Node:
    """A node of Definition 5: a label over an open interval. Leaves are the nodes over one word each."""

    number: int  # in pre-order
    label: str
    start: Fraction
    end: Fraction
    ancestors: frozenset[int]
    first_leaf: int
    end_leaf: int
    end_number: int  # behind its last descendant
    is_leaf: bool


#: The nodes in pre-order.
Tree: TypeAlias = list[Node]


def tree_of(nested: list[Any]) -> Tree:
    """The tree written as [label, children] or [label, start, end]; times are taken as decimals, as they are printed.

    Definition 5: the interval of an inner node is the smallest that covers its children, and these are disjoint.
    """
    nodes: dict[int, Node] = {}
    leaves: list[Node] = []
    numbers = iter(range(10**9))

    def add(item: list[Any], ancestors: frozenset[int]) -> Node:
        number, first_leaf = next(numbers), len(leaves)
        if len(item) == 3:
            start, end = Fraction(str(item[1])), Fraction(str(item[2]))
            children = []
        else:
            children = [add(child, ancestors | {number}) for child in item[1]]
            start, end = min(child.start for child in children), max(child.end for child in children)
        assert start < end
        assert all(left.end <= right.start for left, right in pairwise(children))
        below = max((child.end_number for child in children), default=number + 1)
        end_leaf = max((child.end_leaf for child in children), default=first_leaf + 1)
        node = Node(number, item[0], start, end, ancestors, first_leaf, end_leaf, below, not children)
        nodes[number] = node
        if node.is_leaf:
            leaves.append(node)
        return node

    add(nested, frozenset())
    return [nodes[number] for number in range(len(nodes))]


def iou(first: Node, other: Node) -> Fraction:
    """Length of the intersection of two intervals over the length of their union."""
    intersection = min(first.end, other.end) - max(first.start, other.start)
    if intersection <= 0:
        return Fraction(0)
    return intersection / ((first.end - first.start) + (other.end - other.start) - intersection)


@dataclass(frozen=True)
class Rules:
    """Which pairs of nodes may be aligned."""

    labels: bool = True
    terminals: str = "flexible"
    threshold: Fraction = field(default=Fraction(0))

    def allow(self, first: Node, other: Node) -> bool:
        """Whether the two labels go together."""
        if self.terminals == "flexible" and (first.is_leaf or other.is_leaf):
            return True
        return not self.labels or first.label == other.label


def weights_of(gold: Tree, test: Tree, rules: Rules) -> dict[Pair, Fraction]:
    """The IoU of every pair that may be aligned; all are positive."""
    weights = {(u.number, v.number): iou(u, v) for u in gold for v in test if rules.allow(u, v)}
    return {pair: weight for pair, weight in weights.items() if weight > 0 and weight > rules.threshold}


def conflicted(gold: Tree, test: Tree, first: Pair, other: Pair) -> bool:
    """Definition 10: an ancestor on one side is none on the other."""
    (u, v), (x, y) = first, other
    return (u in gold[x].ancestors) != (v in test[y].ancestors) or (x in gold[u].ancestors) != (y in test[v].ancestors)


def best_by_ilp(gold: Tree, test: Tree, weights: Mapping[Pair, Fraction]) -> list[Pair]:
    """Problem 11: the alignment with the largest sum, one variable of 0 or 1 per pair."""
    import numpy
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import lil_array

    pairs = sorted(weights)
    if not pairs:
        return []
    # At most one pair per node of each side (equations 1 and 2), and at most one of two conflicted pairs.
    groups = [[place for place, (u, _) in enumerate(pairs) if u == node.number] for node in gold]
    groups += [[place for place, (_, v) in enumerate(pairs) if v == node.number] for node in test]
    groups += [
        [place, earlier]
        for place, pair in enumerate(pairs)
        for earlier in range(place)
        if conflicted(gold, test, pair, pairs[earlier])
    ]
    at_most_one = lil_array((len(groups), len(pairs)))
    for row, group in enumerate(groups):
        for place in group:
            at_most_one[row, place] = 1
    result = milp(
        -numpy.array([float(weights[pair]) for pair in pairs]),
        constraints=LinearConstraint(at_most_one.tocsr(), ub=1),
        integrality=numpy.ones(len(pairs)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0.0},
    )
    assert result.status == 0, result.message
    return [pair for pair, taken in zip(pairs, result.x, strict=True) if taken > 0.5]


def best_by_chains(gold: Tree, test: Tree, weights: Mapping[Pair, Number], nothing: Number) -> Number:
    """The sum of the best alignment, by dynamic programming over pairs of nodes; `nothing` is 0 of the same type.

    What is aligned below two aligned nodes, or in two whole trees, falls into a chain of topmost pairs: on both sides
    they follow each other without overlap, since positive IoU keeps them in one order.
    """

    @cache
    def aligned(u: int, v: int) -> Number:
        """F(u, v): the best sum of the two subtrees if u is aligned with v."""
        return weights[u, v] + chain(gold[u + 1 : gold[u].end_number], test[v + 1 : test[v].end_number])

    def chain(us: Tree, vs: Tree) -> Number:
        """The best chain of pairs among these nodes."""
        if not us or not vs:
            return nothing
        first, other_first = us[0].first_leaf, vs[0].first_leaf
        # best[a, b]: with the leaves before a and before b only
        best: dict[Pair, Number] = {}
        for a in range(first, us[-1].end_leaf + 1):
            rows = [u for u in us if u.end_leaf == a]
            for b in range(other_first, vs[-1].end_leaf + 1):
                columns = [v for v in vs if v.end_leaf == b]
                choices = [best.get((a - 1, b), nothing), best.get((a, b - 1), nothing)]
                choices += [
                    aligned(u.number, v.number) + best.get((u.first_leaf, v.first_leaf), nothing)
                    for u in rows
                    for v in columns
                    if (u.number, v.number) in weights
                ]
                best[a, b] = max(choices)
        return best[us[-1].end_leaf, vs[-1].end_leaf]

    return chain(gold, test)


def score(gold: Tree, test: Tree, best: Number) -> Number:
    """Definition 12, times two."""
    return 2 * best / (len(gold) + len(test))


def is_alignment(gold: Tree, test: Tree, weights: Mapping[Pair, Fraction], pairs: Sequence[Pair]) -> bool:
    """Whether these pairs meet the conditions of Problem 11: allowed ones, each node once, no two conflicted."""
    return (
        all(pair in weights for pair in pairs)
        and len({u for u, _ in pairs}) == len({v for _, v in pairs}) == len(pairs)
        and not any(conflicted(gold, test, item, other) for item in pairs for other in pairs)
    )


def worth(weights: Mapping[Pair, Fraction], pairs: Iterable[Pair]) -> Fraction:
    """The sum of the IoU of these pairs."""
    return sum((weights[pair] for pair in pairs), Fraction(0))
