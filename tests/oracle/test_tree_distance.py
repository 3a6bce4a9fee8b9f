"""Tree edit distance against the oracle, against the package apted, and by the laws that a distance obeys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from interval_trees import Nested, make_pair as make_nested_pair, with_times
from oracle.struct_iou import Rules, tree_of, weights_of
from oracle.tree_distance import Costs, Forest, Node, distance, forest_of, is_mapping, nodes_of
from strategies import RANDOMS, Node as Part, Phrase, Word, changed, make_tree, make_words, read_lines, write

import treescore
from treescore.metrics.tree_distance import TreeDistance
from treescore.place.pair import Pair

#: Insert, delete, rename: equal ones, unequal ones, nothing, dearer than to delete and insert, decimals.
COSTS = (
    *[("1", "1", "1")] * 4,
    ("2", "3", "1"),
    ("3", "1", "2"),
    ("1", "1", "0"),
    ("0", "1", "1"),
    ("1", "0", "1"),
    ("0", "2", "0"),
    ("1", "1", "5"),
    ("1", "1", "2"),
    ("1000", "1", "999"),
    ("0.1", "0.1", "0.1"),
    ("0.5", "0.25", "0.6"),
    ("1", "1", "1.5"),
    ("0.3", "0.7", "123.456"),
)


@dataclass(frozen=True)
class Case:
    """Two sentences of one or several trees, and the options."""

    gold: tuple[Part, ...]
    test: tuple[Part, ...]
    costs: Costs
    words: bool = False
    labels: bool = True

    def forests(self) -> tuple[Forest, Forest]:
        """The nodes of both sides."""
        gold, test = (forest_of(side, words=self.words, labels=self.labels) for side in (self.gold, self.test))
        return gold, test

    def expected(self) -> Fraction:
        """What the oracle says."""
        return distance(*self.forests(), self.costs.insert, self.costs.delete, self.costs.of_pair)

    def native(self) -> treescore.EditedTrees:
        """What treescore says."""
        gold, test = (read_lines(" ".join(map(write, side))) for side in (self.gold, self.test))
        costs = self.costs
        return treescore.tree_distance(
            gold,
            test,
            insert=as_number(costs.insert),
            delete=as_number(costs.delete),
            rename=as_number(costs.rename),
            words=self.words,
            labels=self.labels,
        )


def as_number(cost: Fraction) -> float:
    """A whole number where it is one."""
    return int(cost) if cost.denominator == 1 else float(cost)


def make_costs(rng: Random) -> Costs:
    """Costs of one comparison."""
    return Costs(*map(Fraction, rng.choice(COSTS)))


def from_nested(tree: Nested) -> Part:
    """A tree over intervals as one in brackets; the words do not matter."""
    if len(tree) == 3:
        return Word(tree[0], f"w{tree[1] % 3}")
    return Phrase(tree[0], tuple(map(from_nested, tree[1])))


def with_bare_words(rng: Random, tree: Part) -> Part:
    """The same tree with some tags gone, where the word is not the only child of its phrase."""
    if isinstance(tree, Word):
        return tree
    below = [with_bare_words(rng, part) for part in tree.children]
    if len(below) > 1 and tree.label:
        below = [Word(None, part.text) if isinstance(part, Word) and rng.random() < 0.3 else part for part in below]
    return Phrase(tree.label, tuple(below))


def make_sides(rng: Random, most_words: int) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Two sentences: random trees, one changed from the other, or several trees beside each other."""
    if rng.random() < 0.5:
        gold, test = map(from_nested, make_nested_pair(rng, most_words))
        return (gold,), (test,)
    odd = rng.choice((0.0, 0.2))
    tree = make_tree(rng, make_words(rng, most_words, odd), odd)
    other = (
        changed(rng, tree, 0.3, odd) if rng.random() < 0.7 else make_tree(rng, make_words(rng, most_words, odd), odd)
    )
    sides: list[tuple[Part, ...]] = []
    for side in (tree, other):
        parts: tuple[Part, ...] = (with_bare_words(rng, side),)
        if rng.random() < 0.3:  # several roots
            parts = tuple(part for part in side.children if not isinstance(part, Word) or part.tag is not None)
        sides.append(parts or (side,))
    return sides[0], sides[1]


def make_case(rng: Random, most_words: int = 5) -> Case:
    """One random comparison."""
    return Case(*make_sides(rng, most_words), make_costs(rng), words=rng.random() < 0.3, labels=rng.random() < 0.8)


CASES: st.SearchStrategy[Case] = RANDOMS.map(make_case)


def assert_sound(case: Case, result: treescore.EditedTrees) -> None:
    """The script handles every node once, in order, keeps what it may keep, and costs the distance."""
    forests = case.forests()
    gold, test = ({node.number: node for node in nodes_of(forest)} for forest in forests)
    assert (result.gold_nodes, result.test_nodes) == (len(gold), len(test))
    assert is_mapping(*forests, result.mapping), case
    handled: tuple[list[int], list[int]] = [], []
    cost = Fraction(0)
    pairs = []
    for kind, *rest in result.script:
        if kind == "delete":
            number, label = rest
            assert label == label_of(case.gold, gold[number])
            handled[0].append(number)
            cost += case.costs.delete
        elif kind == "insert":
            number, label = rest
            assert label == label_of(case.test, test[number])
            handled[1].append(number)
            cost += case.costs.insert
        else:
            a, b, *labels = rest
            assert (gold[a].label == test[b].label) == (kind == "keep"), case
            assert labels == ([label_of(case.gold, gold[a]), label_of(case.test, test[b])] if labels else [])
            assert bool(labels) == (kind == "rename")
            handled[0].append(a)
            handled[1].append(b)
            pairs.append((a, b))
            cost += case.costs.of_pair(gold[a], test[b])
    assert handled == (list(gold), list(test)), case  # these are in the order in which they open
    assert result.mapping == pairs
    assert result.distance == pytest.approx(float(cost), abs=1e-9), case


def label_of(trees: Sequence[Part], node: Node) -> str:
    """The label of a node as it stands in the input, whether or not labels are compared."""
    nodes = {it.number: it for it in nodes_of(forest_of(trees, words=True))}
    return nodes[node.number].label[1]


def assert_right(case: Case) -> None:
    """Distance and script are those of the definition."""
    actual, expected = case.native(), case.expected()
    if all(cost.denominator == 1 for cost in (case.costs.insert, case.costs.delete, case.costs.rename)):
        assert isinstance(actual.distance, int)
        assert actual.distance == expected, case
    else:
        assert actual.distance == pytest.approx(float(expected), abs=1e-9), case
    most = case.costs.delete * actual.gold_nodes + case.costs.insert * actual.test_nodes
    if actual.gold_nodes and actual.test_nodes and most:
        assert actual.similarity == pytest.approx(float(1 - expected / most), abs=1e-9), case
    assert_sound(case, actual)


# ---------------------------------------------------------------------------------------------------------------------
# The oracle and the native code


def test_oracle_on_an_example() -> None:
    """Zhang and Shasha (1989), figure 4: f(d(a c(b)) e) to f(c(d(a b)) e) takes two edits."""
    gold, test = (
        forest_of([Phrase("f", (inner, Word("e", "e")))])
        for inner in (
            Phrase("d", (Word("a", "a"), Phrase("c", (Word("b", "b"),)))),
            Phrase("c", (Phrase("d", (Word("a", "a"), Word("b", "b"))),)),
        )
    )
    unit = Costs(Fraction(1), Fraction(1), Fraction(1))
    assert distance(gold, test, unit.insert, unit.delete, unit.of_pair) == 2


@settings(max_examples=250)
@given(CASES)
def test_distance_and_script(case: Case) -> None:
    assert_right(case)


def test_many_pairs() -> None:
    rng = Random(1)
    for _ in range(2000):
        assert_right(make_case(rng, rng.choice((1, 2, 3, 4, 6))))


@pytest.mark.parametrize("words", [10, 16])
def test_larger_pairs(words: int) -> None:
    rng = Random(words)
    for _ in range(8):
        assert_right(make_case(rng, words))


@given(RANDOMS)
def test_the_metric_has_the_same_distances(rng: Random) -> None:
    costs, words, labels = make_costs(rng), rng.random() < 0.5, rng.random() < 0.5
    cases = [Case(*make_sides(rng, 5), costs, words, labels) for _ in range(rng.randint(1, 30))]
    gold, test = (
        read_lines("".join(" ".join(map(write, side)) + "\n" for side in sides))
        for sides in ([case.gold for case in cases], [case.test for case in cases])
    )
    metric = TreeDistance(
        insert_cost=float(costs.insert),
        delete_cost=float(costs.delete),
        rename_cost=float(costs.rename),
        words=words,
        labels=labels,
    )
    counts = metric.counts(Pair(gold, test), threads=2)
    rows, alignments = metric.rows(counts), metric.node_mappings(Pair(gold, test), threads=2)
    for index, item in enumerate(case.native() for case in cases):
        assert rows["distance"][index] == pytest.approx(item.distance, abs=1e-8)
        assert rows["score"][index] == pytest.approx(item.similarity, abs=1e-8)
        assert (rows["gold"][index], rows["test"][index]) == (item.gold_nodes, item.test_nodes)
        kept = {step[1:3] for step in item.script if step[0] == "keep"}
        assert alignments[index] == [(a, b, float((a, b) in kept)) for a, b in item.mapping]
        assert rows["exact"][index] == (forest_shape(cases[index], 0) == forest_shape(cases[index], 1))


def forest_shape(case: Case, side: int) -> Any:
    """What two equal sentences have in common: labels and children."""

    def shape(forest: Forest) -> Any:
        return [(node.label, shape(node.children)) for node in forest]

    return shape(case.forests()[side])


def without(part: Part, labels: Sequence[str]) -> tuple[Part, ...]:
    """The tree without these labels, the words with such a tag, and phrases that have no words left."""
    if isinstance(part, Word):
        return () if part.tag in labels else (part,)
    below = tuple(item for child in part.children for item in without(child, labels))
    return below if part.label in labels else (Phrase(part.label, below),) if below else ()


def renamed(part: Part, old: str, new: str) -> Part:
    """The tree with another label for one, tags included."""
    if isinstance(part, Word):
        return replace(part, tag=new) if part.tag == old else part
    return Phrase(new if part.label == old else part.label, tuple(renamed(child, old, new) for child in part.children))


@given(CASES)
def test_options_are_changes_of_the_trees(case: Case) -> None:
    left_out = ("NP", "NN", "DT", "X", "TOP")
    metric = TreeDistance(words=case.words, delete=left_out, equal=[("VP", "PP"), ("VB", "IN")])
    gold, test = (
        forest_of(
            [renamed(renamed(it, "VP", "PP"), "VB", "IN") for part in side for it in without(part, left_out)],
            words=case.words,
        )
        for side in (case.gold, case.test)
    )
    unit = Costs(Fraction(1), Fraction(1), Fraction(1))
    rows = metric.rows(
        metric.counts(Pair(*(read_lines(" ".join(map(write, side))) for side in (case.gold, case.test))))
    )
    assert (rows["gold"], rows["test"]) == ([len(list(nodes_of(gold)))], [len(list(nodes_of(test)))])
    if gold or test:
        assert rows["distance"] == [distance(gold, test, unit.insert, unit.delete, unit.of_pair)], case


# ---------------------------------------------------------------------------------------------------------------------
# Laws


@given(CASES)
def test_a_tree_has_no_distance_from_itself(case: Case) -> None:
    result = replace(case, test=case.gold).native()
    assert (result.distance, result.similarity) == (0, 1) or result.gold_nodes == 0
    assert {step[0] for step in result.script} <= {"keep"}


@given(CASES)
def test_the_way_back_costs_as_much(case: Case) -> None:
    turned = Costs(case.costs.delete, case.costs.insert, case.costs.rename)
    back = replace(case, gold=case.test, test=case.gold, costs=turned)
    assert case.native().distance == pytest.approx(back.native().distance, abs=1e-9)


@given(CASES, RANDOMS)
def test_triangle_inequality(case: Case, rng: Random) -> None:
    third = make_sides(rng, 5)[0]
    there, on, whole = (
        replace(case, gold=gold, test=test).native().distance
        for gold, test in ((case.gold, case.test), (case.test, third), (case.gold, third))
    )
    assert there is not None and on is not None and whole is not None
    assert whole <= there + on + 1e-9, case


@given(CASES)
def test_a_root_more_on_both_sides_changes_nothing(case: Case) -> None:
    rooted = replace(case, gold=(Phrase("R", case.gold),), test=(Phrase("R", case.test),))
    assert rooted.native().distance == pytest.approx(case.native().distance, abs=1e-9)


@given(CASES)
def test_dear_renaming_is_to_delete_and_to_insert(case: Case) -> None:
    both = case.costs.insert + case.costs.delete
    if both > 500:
        return  # more than a cost may be
    dear = [replace(case, costs=replace(case.costs, rename=cost)).native() for cost in (both, 2 * both)]
    assert dear[0].distance == pytest.approx(dear[1].distance, abs=1e-9)
    assert all(step[0] != "rename" for item in dear for step in item.script)


def test_struct_iou_is_a_tree_distance() -> None:
    """Where a pair of nodes that share w of their time costs 2 - 2w, STRUCT-IOU is 1 - distance / (|gold| + |test|)."""
    rng = Random(2)
    for _ in range(200):
        rules = Rules(rng.random() < 0.7, rng.choice(("flexible", "strict")), Fraction(rng.choice(("0", "0.25"))))
        gold, test = make_nested_pair(rng)
        weights = weights_of(tree_of(gold), tree_of(test), rules)
        forests = [forest_of([from_nested(side)]) for side in (gold, test)]

        def rename(x: Node, y: Node, weights: Any = weights) -> Fraction:
            return 2 - 2 * Fraction(weights.get((x.number, y.number), 0))

        expected = distance(forests[0], forests[1], Fraction(1), Fraction(1), rename)
        nodes = sum(1 for forest in forests for _ in nodes_of(forest))
        actual = treescore.struct_iou(
            with_times(gold, float),
            with_times(test, float),
            labels=rules.labels,
            terminals=rules.terminals,
            threshold=float(rules.threshold),
        )
        assert actual.score == pytest.approx(float(1 - expected / nodes), abs=1e-9), (gold, test)


# ---------------------------------------------------------------------------------------------------------------------
# Another implementation


def by_apted(case: Case) -> float:
    """What the package apted says of two trees with one root each."""
    apted = pytest.importorskip("apted")

    class Config(apted.PerEditOperationConfig):  # type: ignore[misc, name-defined]
        def rename(self, node1: Node, node2: Node) -> float:
            return 0 if node1.label == node2.label else float(case.costs.rename)

        def children(self, node: Node) -> tuple[Node, ...]:
            return node.children

    config = Config(float(case.costs.delete), float(case.costs.insert), float(case.costs.rename))
    (gold,), (test,) = case.forests()
    result: float = apted.APTED(gold, test, config).compute_edit_distance()
    return result


@pytest.mark.parametrize("words", [3, 8, 20])
def test_against_apted(words: int) -> None:
    rng = Random(words)
    for _ in range(100):
        gold, test = map(from_nested, make_nested_pair(rng, words))
        case = Case((gold,), (test,), make_costs(rng), words=rng.random() < 0.5, labels=rng.random() < 0.8)
        assert case.native().distance == pytest.approx(by_apted(case), abs=1e-6), case


# ---------------------------------------------------------------------------------------------------------------------
# What cannot be compared


def test_what_is_not_scored() -> None:
    gold = read_lines("(S (A a))\n(S (A a))\n(S (A a)\n()\n()\n(S (A a) (X))\n")
    test = read_lines("()\n(S (A a)\n(S (A a))\n(S (A a))\n()\n(S (A a))\n")
    metric = TreeDistance()
    counts = metric.counts(Pair(gold, test))
    rows = metric.rows(counts)
    assert rows["score"] == [0.0, 0.0, None, 0.0, None, 1.0]
    assert rows["distance"] == [2, 2, None, 2, None, 0]
    assert rows["status"] == [1, 1, 2, 0, 2, 0]
    items = {(problem.unit, problem.code) for problem in metric.problems(Pair(gold, test), counts)}
    assert items == {(1, "unparsed"), (4, "no-gold"), (5, "empty"), (6, "empty-phrase")}
    parts = metric.score(counts).parts
    assert {name: parts[name] for name in metric.score(counts).figures} == {
        "corpus": 0.4,
        "sentence": 0.25,
        "distance": 1.5,
        "exact": 0.25,
    }
    # In the two sentences that failed, two nodes of gold are deleted and two inserted: 4 of 4.
    assert (parts["distance_all"], parts["corpus_all"]) == ((4 + 4 + 2 + 0) / 4, 1 - 10 / 14)
    assert (parts["sentence_all"], parts["exact_all"]) == (0.25, 0.25)


def wide(size: int, label: str) -> str:
    """A flat tree of so many words."""
    return f"(S {' '.join(f'({label} {number})' for number in range(size))})"


def test_too_much_work_is_refused() -> None:
    gold, test = make_large(Random(3)), make_large(Random(4))
    result = treescore.tree_distance(gold, test, limit=1e-6)
    assert (result.distance, result.similarity, result.script) == (None, None, [])
    assert "too-complex" in [problem.code for problem in result.problems]
    assert treescore.tree_distance(gold, test).distance is not None
    assert treescore.tree_distance(gold, gold, limit=1e-6).distance == 0  # equal trees are no work


def make_large(rng: Random) -> str:
    """A tree of some hundred nodes."""
    return write(make_tree(rng, [word for _ in range(60) for word in make_words(rng, 5)]))


def test_too_much_memory_is_refused() -> None:
    result = treescore.tree_distance(wide(20_000, "A"), wide(20_000, "B"))
    assert result.distance is None
    assert [problem.message for problem in result.problems] == [
        "the exact distance of these trees would need too much memory"
    ]


def test_sums_too_large_are_refused() -> None:
    result = treescore.tree_distance(wide(5_000, "A"), wide(10, "B"), delete=1000)
    assert result.distance is None
    assert "too large" in result.problems[0].message


def test_deep_trees() -> None:
    deep = "(S " * 100_000 + "(A a)" + ")" * 100_000
    assert treescore.tree_distance(deep, "(S (S (A a)))").distance == 99_998
    assert treescore.tree_distance(deep, deep, words=True).similarity == 1


@pytest.mark.parametrize(
    "options",
    [
        "insert-cost:-1",
        "delete-cost:nan",
        "rename-cost:1001",
        "rename-cost:inf",
        "rename-cost:1e-9",
        "insert-cost:x",
        "insert-cost:0|delete-cost:0",
        "words:maybe",
        "limit:0",
        "limit:x",
        "root:keep",
        "equal:A=B+B=C",
    ],
)
def test_bad_options_are_refused(options: str) -> None:
    with pytest.raises(treescore.SignatureError):
        treescore.metric(f"tree_distance|{options}")


@pytest.mark.parametrize(
    "options",
    [{"words": "no"}, {"labels": "no"}, {"limit": "5"}, {"insert": "0.5"}, {"rename": float("nan")}, {"delete": None}],
    ids=str,
)
def test_options_of_another_type_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(treescore.SignatureError, match=f"{next(iter(options))}(-cost)? must be "):
        treescore.tree_distance("(S (A a))", "(S (A a))", **options)


@pytest.mark.parametrize(
    "options", ["", "insert-cost:0.1|words:yes|limit:0.5", "labels:no|rename-cost:2.50|outer:ignored|average:sentence"]
)
def test_signature_parses_back(options: str) -> None:
    metric = treescore.metric(f"tree_distance|{options}" if options else "tree_distance")
    assert treescore.metric(metric.signature) == metric


def test_there_is_no_table_by_label() -> None:
    report = treescore.evaluate("(S (A a))", "(S (A a))", "tree_distance")
    assert list(report.breakdown("length")) == ["1-10"]
    with pytest.raises(treescore.UsageError):
        report.breakdown("label")


def test_one_pair_only() -> None:
    with pytest.raises(treescore.UsageError, match="takes one tree"):
        treescore.tree_distance("(A a) (B b)", "(A a) (B b)")


# ---------------------------------------------------------------------------------------------------------------------
# Long runs


@pytest.mark.long
def test_very_many_pairs_against_apted() -> None:
    rng = Random(6)
    for _ in range(300):
        gold, test = map(from_nested, make_nested_pair(rng, rng.choice((10, 40, 80))))
        case = Case((gold,), (test,), make_costs(rng), words=rng.random() < 0.5, labels=rng.random() < 0.8)
        result = case.native()
        assert result.distance == pytest.approx(by_apted(case), abs=1e-6), case
        assert_sound(case, result)
