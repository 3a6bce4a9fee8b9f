"""Struct-IoU against the oracle: the oracle's two ways against each other, then the native code against both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import given, settings, strategies as st
from interval_trees import Nested, make_pair, with_times, without_labels
from oracle.struct_iou import (
    Rules,
    Tree,
    best_by_chains,
    best_by_ilp,
    conflicted,
    is_alignment,
    score,
    tree_of,
    weights_of,
    worth,
)
from strategies import RANDOMS

import treescore
import treescore._core
from treescore.metrics.struct_iou import StructIou
from treescore.place.pair import Pair
from treescore.readers.nested import read_nested

TOLERANCE = 1e-9
THRESHOLDS = ("0", "0", "0.05", "0.25", "0.5", "0.75")

#: How many units of the random trees make a second. The first are exact in binary, the others are not.
UNITS_PER_SECOND = (1, 8, 100, 1000, 16_000)


@dataclass(frozen=True)
class Case:
    """Two trees, their unit of time, and the options."""

    gold: Nested
    test: Nested
    rules: Rules
    units_per_second: int

    def native(self, compat: str | None = None) -> treescore.MappedTrees:
        """What treescore says."""
        return native(self.gold, self.test, self.rules, self.seconds, compat)

    def seconds(self, time: int) -> float:
        """A time of the random trees in seconds."""
        return time / self.units_per_second


def native(
    gold: Nested, test: Nested, rules: Rules, time: Callable[[int], float], compat: str | None = None
) -> treescore.MappedTrees:
    """What treescore says of two trees, given how their times are turned into seconds."""
    return treescore.struct_iou(
        with_times(gold, time),
        with_times(test, time),
        labels=rules.labels,
        terminals=rules.terminals,
        threshold=float(rules.threshold),
        compat=compat,
    )


def make_rules(rng: Random) -> Rules:
    """Options of one comparison."""
    return Rules(
        labels=rng.random() < 0.75,
        terminals=rng.choice(("flexible", "strict")),
        threshold=Fraction(rng.choice(THRESHOLDS)),
    )


def make_case(rng: Random, most_words: int = 5, least_words: int = 1) -> Case:
    """One random comparison."""
    return Case(*make_pair(rng, most_words, least_words), make_rules(rng), rng.choice(UNITS_PER_SECOND))


CASES: st.SearchStrategy[Case] = RANDOMS.map(make_case)


# ---------------------------------------------------------------------------------------------------------------------
# A second dynamic programme, for large numbers of trees


@dataclass(frozen=True, slots=True)
class Flat:
    """A node with whole times, for `quick_best`."""

    label: str
    start: int
    end: int
    first_leaf: int
    end_leaf: int
    end_number: int
    is_leaf: bool


def flat(tree: Nested) -> list[Flat]:
    """The nodes in pre-order."""
    nodes: list[Flat] = []
    leaves = 0

    def add(item: Nested) -> Flat:
        nonlocal leaves
        place, first_leaf = len(nodes), leaves
        if len(item) == 3:
            leaves += 1
            node = Flat(item[0], item[1], item[2], first_leaf, leaves, place + 1, True)
            nodes.append(node)
            return node
        nodes.append(UNKNOWN)  # keeps the place
        below = [add(child) for child in item[1]]
        node = nodes[place] = Flat(item[0], below[0].start, below[-1].end, first_leaf, leaves, len(nodes), False)
        return node

    add(tree)
    return nodes


UNKNOWN = Flat("", 0, 0, 0, 0, 0, True)

#: A pair of nodes by number, first and end leaf of the one and of the other, and the best sum of their subtrees.
Settled: TypeAlias = tuple[int, int, int, int, int, int, float]


def quick_best(gold: Nested, test: Nested, rules: Rules) -> float:
    """The best sum in floats: as the oracle's chains, but only over pairs that may be aligned, and from the end."""
    us, vs = flat(gold), flat(test)
    numerator, denominator = rules.threshold.as_integer_ratio()
    flexible = rules.terminals == "flexible"
    done: list[Settled] = []

    def chain(pairs: list[Settled]) -> float:
        best: list[float] = []  # of the chains that start with each pair
        for _, _, _, end_u, _, end_v, value in pairs:
            following = 0.0
            for later, (_, _, first_u, _, first_v, _, _) in zip(best, pairs, strict=False):
                if later > following and first_u >= end_u and first_v >= end_v:
                    following = later
            best.append(value + following)
        return max(best, default=0.0)

    for number in range(len(us) - 1, -1, -1):
        u = us[number]
        for other in range(len(vs) - 1, -1, -1):
            v = vs[other]
            both = min(u.end, v.end) - max(u.start, v.start)
            if both <= 0 or not (not rules.labels or u.label == v.label or (flexible and (u.is_leaf or v.is_leaf))):
                continue
            either = max(u.end, v.end) - min(u.start, v.start)
            if both * denominator <= numerator * either:
                continue
            below = [pair for pair in done if number < pair[0] < u.end_number and other < pair[1] < v.end_number]
            value = both / either + chain(below)
            done.append((number, other, u.first_leaf, u.end_leaf, v.first_leaf, v.end_leaf, value))
    return chain(done)


# ---------------------------------------------------------------------------------------------------------------------
# What a result must be


def assert_sound(case: Case, result: treescore.MappedTrees) -> None:
    """The alignment is one, and worth the score."""
    gold, test = tree_of(case.gold), tree_of(case.test)
    assert (result.gold_nodes, result.test_nodes) == (len(gold), len(test))
    weights = weights_of(gold, test, case.rules)
    pairs = [(u, v) for u, v, _ in result.mapping]
    assert pairs == sorted(pairs)
    assert is_alignment(gold, test, weights, pairs), case
    for u, v, iou in result.mapping:
        assert iou == pytest.approx(float(weights[u, v]), abs=TOLERANCE), case
    assert result.score == pytest.approx(float(score(gold, test, worth(weights, pairs))), abs=TOLERANCE), case


def quick_score(case: Case) -> float:
    """The score by `quick_best`."""
    return 2 * quick_best(case.gold, case.test, case.rules) / (len(flat(case.gold)) + len(flat(case.test)))


def chains_score(case: Case) -> float:
    """The score by the oracle's chains, in floats."""
    gold, test = tree_of(case.gold), tree_of(case.test)
    weights = {pair: float(weight) for pair, weight in weights_of(gold, test, case.rules).items()}
    return score(gold, test, best_by_chains(gold, test, weights, 0.0))


def assert_best(case: Case, actual: treescore.MappedTrees, expected: float | None) -> None:
    """The score is the expected one; if not, say on which trees."""
    assert actual.score == pytest.approx(expected, abs=TOLERANCE), case


# ---------------------------------------------------------------------------------------------------------------------
# The oracle against itself


def test_definition_10() -> None:
    gold = tree_of(["A", [["B", 0, 1], ["C", [["D", 1, 2]]]]])
    test = tree_of(["A", [["B", [["D", 0, 1]]], ["C", 1, 2]]])
    assert not conflicted(gold, test, (0, 0), (3, 2))  # below each other on both sides
    assert not conflicted(gold, test, (1, 1), (2, 3))  # beside each other on both sides
    assert conflicted(gold, test, (1, 1), (2, 2))
    assert conflicted(gold, test, (2, 2), (1, 1))
    assert conflicted(gold, test, (2, 1), (0, 2))  # turned over


def test_checker_finds_what_is_no_alignment() -> None:
    gold = test = tree_of(["A", [["A", [["A", 0, 2], ["A", 2, 4]]], ["B", 4, 8]]])
    weights = weights_of(gold, test, Rules(terminals="strict", threshold=Fraction(1, 4)))
    identity = [(number, number) for number in range(5)]
    assert is_alignment(gold, test, weights, identity)
    assert worth(weights, identity) == 5
    assert is_alignment(gold, test, weights, [])
    assert not is_alignment(gold, test, weights, [(0, 0), (0, 1)])  # twice
    assert not is_alignment(gold, test, weights, [(0, 1), (1, 0)])  # conflicted
    assert not is_alignment(gold, test, weights, [(1, 4)])  # other labels
    assert not is_alignment(gold, test, weights, [(0, 2)])  # exactly at the threshold


@settings(max_examples=150)
@given(CASES)
def test_both_oracles_agree(case: Case) -> None:
    gold, test = tree_of(case.gold), tree_of(case.test)
    weights = weights_of(gold, test, case.rules)
    pairs = best_by_ilp(gold, test, weights)
    assert is_alignment(gold, test, weights, pairs)
    # The solver works in floats: its alignment may miss the optimum by a rounding error, never exceed it.
    assert 0 <= best_by_chains(gold, test, weights, Fraction(0)) - worth(weights, pairs) < TOLERANCE


def test_quick_sums_are_the_oracles() -> None:
    rng = Random(1)
    for _ in range(1000):
        case = make_case(rng)
        gold, test = tree_of(case.gold), tree_of(case.test)
        expected = best_by_chains(gold, test, weights_of(gold, test, case.rules), Fraction(0))
        assert quick_best(case.gold, case.test, case.rules) == pytest.approx(float(expected), abs=1e-12), case


# ---------------------------------------------------------------------------------------------------------------------
# The native code


@settings(max_examples=400)
@given(CASES)
def test_best_alignment(case: Case) -> None:
    gold, test = tree_of(case.gold), tree_of(case.test)
    best = best_by_chains(gold, test, weights_of(gold, test, case.rules), Fraction(0))
    result = case.native()
    assert_best(case, result, float(score(gold, test, best)))
    assert_sound(case, result)


def test_best_alignment_by_ilp() -> None:
    rng = Random(2)
    for _ in range(300):
        case = make_case(rng)
        gold, test = tree_of(case.gold), tree_of(case.test)
        weights = weights_of(gold, test, case.rules)
        best = worth(weights, best_by_ilp(gold, test, weights))
        assert_best(case, case.native(), float(score(gold, test, best)))


def test_many_pairs() -> None:
    rng = Random(3)
    for number in range(6000):
        case = make_case(rng)
        result = case.native()
        assert_best(case, result, quick_score(case))
        if number % 3 == 0:
            assert_sound(case, result)


@pytest.mark.parametrize("words", [8, 12, 20])
def test_larger_pairs(words: int) -> None:
    rng = Random(words)
    for _ in range(600 // words):
        case = make_case(rng, words, words)
        result = case.native()
        assert_best(case, result, chains_score(case))
        assert_sound(case, result)


@given(CASES)
def test_swapped_sides_have_the_same_score(case: Case) -> None:
    swapped = Case(case.test, case.gold, case.rules, case.units_per_second)
    result = swapped.native()
    assert_best(case, case.native(), result.score)
    assert_sound(swapped, result)


@given(CASES, st.integers(-(10**4), 10**6))
def test_shifted_times_have_the_same_score(case: Case, shift: int) -> None:
    def shifted(time: int) -> float:
        return (time + shift) / case.units_per_second

    assert_best(case, native(case.gold, case.test, case.rules, shifted), case.native().score)


@given(CASES, st.sampled_from([3.0, 0.1, 1e-6, 1e-9, 1e9, 1 / 3600]))
def test_scaled_times_have_the_same_score(case: Case, factor: float) -> None:
    def scaled(time: int) -> float:
        return time * factor

    assert_best(case, native(case.gold, case.test, case.rules, scaled), case.native().score)


@given(CASES, st.integers(-60, 60))
def test_times_scaled_by_a_power_of_two_change_nothing(case: Case, exponent: int) -> None:
    def scaled(time: int) -> float:
        return case.seconds(time) * 2.0**exponent

    actual, expected = native(case.gold, case.test, case.rules, scaled), case.native()
    assert actual.score == expected.score
    assert actual.mapping == expected.mapping


@given(CASES)
def test_without_labels_all_nodes_have_one_label(case: Case) -> None:
    rules = Rules(labels=True, terminals=case.rules.terminals, threshold=case.rules.threshold)
    one_label = Case(without_labels(case.gold), without_labels(case.test), rules, case.units_per_second)
    unlabelled = Case(case.gold, case.test, Rules(False, rules.terminals, rules.threshold), case.units_per_second)
    assert unlabelled.native().score == one_label.native().score


@given(CASES)
def test_a_tree_against_itself_has_one(case: Case) -> None:
    itself = Case(case.gold, case.gold, case.rules, case.units_per_second)
    result = itself.native()
    assert result.score == 1.0
    assert result.mapping == [(number, number, 1.0) for number in range(result.gold_nodes)]


@given(CASES)
def test_trees_are_taken_as_nested_lists_and_as_trees(case: Case) -> None:
    gold, test = (treescore.Tree.from_nested(with_times(tree, case.seconds)) for tree in (case.gold, case.test))
    rules = case.rules
    result = treescore.struct_iou(
        gold, test, labels=rules.labels, terminals=rules.terminals, threshold=float(rules.threshold)
    )
    assert (result.score, result.mapping) == (case.native().score, case.native().mapping)


@pytest.mark.parametrize("threshold", ["0.05", "0.25", "0.5", "0.75"])
def test_exactly_at_the_threshold_is_not_above(threshold: str) -> None:
    whole = Fraction(threshold) * 60
    rules = Rules(threshold=Fraction(threshold))
    for start in range(0, 4000, 7):
        # (start, start + 60) against its first and its last part, the IoU of which is the threshold
        long = ["X", start, start + 60]
        for short in (["X", start, start + int(whole)], ["X", start + 60 - int(whole), start + 60]):
            assert native(long, short, rules, lambda time: time / 100).score == 0
            below = Rules(threshold=Fraction(threshold) - Fraction(1, 10**6))
            assert native(long, short, below, lambda time: time / 100).score == pytest.approx(float(threshold))


def test_the_published_cut_offs() -> None:
    """With compat, pairs that share less than a millionth of a second, or of their union, are dropped."""
    rng = Random(4)
    unlike = 0
    for _ in range(1000):
        case = Case(*make_pair(rng), Rules(terminals=rng.choice(("flexible", "strict"))), 1)
        gold, test = tree_of(case.gold), tree_of(case.test)
        weights = weights_of(gold, test, case.rules)
        best = best_by_chains(gold, test, weights, Fraction(0))
        # A unit is 0.3 millionths: never exactly at the cut-off.
        dropped = {pair for pair, weight in weights.items() if 3 * shared(gold, test, *pair) < 10 or weight < 1e-6}
        kept = {pair: weights[pair] for pair in weights if pair not in dropped}
        best_kept = best_by_chains(gold, test, kept, Fraction(0))
        result = native(case.gold, case.test, case.rules, lambda time: time * 3e-7, compat="struct-iou-0.1")
        assert_best(case, result, float(score(gold, test, best_kept)))
        exact = native(case.gold, case.test, case.rules, lambda time: time * 3e-7)
        assert_best(case, exact, float(score(gold, test, best)))
        unlike += best != best_kept
    assert unlike > 100


def shared(gold: Tree, test: Tree, u: int, v: int) -> Fraction:
    """Length of the intersection of two nodes."""
    return min(gold[u].end, test[v].end) - max(gold[u].start, test[v].start)


# ---------------------------------------------------------------------------------------------------------------------
# The native code's ways to the optimum: with contraction or without, by sweeps or windows, from the left or the right


def banks_of(cases: Sequence[Case]) -> tuple[treescore.Treebank, treescore.Treebank]:
    """Both sides of the cases as treebanks."""
    return (
        read_nested([with_times(case.gold, case.seconds) for case in cases]),
        read_nested([with_times(case.test, case.seconds) for case in cases]),
    )


def metric_of(rules: Rules) -> StructIou:
    """The metric with these options."""
    return StructIou(
        axis="seconds", labels=rules.labels, terminals=rules.terminals, threshold=float(rules.threshold), limit=1e9
    )


def variants(cases: Sequence[Case], rules: Rules) -> Iterator[list[tuple[int, list[tuple[int, int]]]]]:
    """Sum, in units of the fixed point, and alignment of each case, by each of the ways."""
    gold, test = banks_of(cases)
    native_rules = metric_of(rules).checked_rules(Pair(gold, test))
    engines = (treescore._core.MapperEngine.SWEEP, treescore._core.MapperEngine.WINDOW)
    all_paths = (treescore._core.MapperPaths.LEFT, treescore._core.MapperPaths.RIGHT)
    for contract, engine, paths, prune in product((True, False), engines, all_paths, (False, True)):
        yield treescore._core.struct_iou_variant(
            gold.native, test.native, native_rules, contract=contract, engine=engine, paths=paths, prune=prune
        )


def assert_one_result(cases: Sequence[Case], rules: Rules) -> None:
    """All ways lead to the same sum, to the bit, and to the same alignment."""
    expected, *others = variants(cases, rules)
    for other in others:
        for case, left, right in zip(cases, expected, other, strict=True):
            assert left == right, case


ALL_RULES = {
    f"{'labels' if labels else 'no labels'}, {terminals}, {threshold}": Rules(labels, terminals, Fraction(threshold))
    for labels in (True, False)
    for terminals in ("flexible", "strict")
    for threshold in ("0", "0.25")
}


@pytest.mark.parametrize("rules", ALL_RULES.values(), ids=ALL_RULES)
def test_all_ways_lead_to_one_result(rules: Rules) -> None:
    rng = Random(5)
    assert_one_result([make_case(rng, most_words=rng.choice((3, 6, 10))) for _ in range(2000)], rules)
    assert_one_result([make_case(rng, 40, 15) for _ in range(60)], rules)
    assert_one_result([make_case(rng, 150, 60) for _ in range(4)], rules)


def test_windows_are_right() -> None:
    """Small pairs are otherwise left to the sweeps."""
    rng = Random(6)
    for rules in ALL_RULES.values():
        cases = [Case(*make_pair(rng), rules, 100) for _ in range(250)]
        expected = [quick_best(case.gold, case.test, rules) for case in cases]
        for item in variants(cases, rules):
            assert [best / 2**40 for best, _ in item] == pytest.approx(expected, abs=TOLERANCE)


# ---------------------------------------------------------------------------------------------------------------------
# Long runs


def compare_many(seed: int, number: int) -> int:
    """So many random pairs from a seed, a few larger ones among them; how many were compared."""
    rng = Random(seed)
    rules = make_rules(rng)
    cases = [
        Case(*make_pair(rng, rng.choice((2, 3, 4, 4, 5, 5, 6))), rules, rng.choice(UNITS_PER_SECOND))
        for _ in range(number)
    ]
    metric = metric_of(rules)
    rows = metric.rows(metric.counts(Pair(*banks_of(cases))))
    for case, item in zip(cases, rows["score"], strict=True):
        assert abs(item - quick_score(case)) < TOLERANCE, case
    for case in cases[::50]:
        assert_sound(case, case.native())
    larger = [Case(*make_pair(rng, 20), rules, 100) for _ in range(number // 20)]
    for case in larger[::50]:
        assert_best(case, case.native(), chains_score(case))
    assert_one_result(cases + larger, rules)
    return number
