"""What became of each node: the same as the counts say, and as plain Python finds it."""

from __future__ import annotations

import pickle
from random import Random

import gapped_trees
import pytest
import strategies
from hypothesis import given, settings, strategies as st

import treescore
from treescore.analysis.tree_pair import ALIGNED, EXTRA, IGNORED, MISSING, TreePair, pair_at
from treescore.place.axis import CHARACTERS, SECONDS as TIME, WORDS
from treescore.place.pair import Pair

METRICS = (
    "parseval",
    "parseval|profile:none",
    "parseval|profile:none|labels:no|duplicates:drop",
    "struct_iou",
    "struct_iou|axis:characters|labels:no",
    "struct_iou|delete:TOP+NN+PP|delete-words:yes",
    "struct_iou|threshold:0.5",
)
SECONDS = ("struct_iou|axis:seconds", "struct_iou|axis:seconds|silent:keep|gaps:close")


def check(pair: TreePair, counts: dict[str, int]) -> None:
    """What must hold of every pair that has a score."""
    assert pair.counted == (counts["gold"], counts["test"])
    for side, (mine, others) in enumerate((pair.nodes, pair.nodes[::-1])):
        tree = (pair.gold, pair.test)[side]
        parts, other_parts = tree.nodes(), (pair.test, pair.gold)[side].nodes()
        assert [(node.label, node.first, node.last) for node in mine] == [(n.label, n.start, n.end) for n in parts]
        for node, part in zip(mine, parts, strict=True):
            assert node.is_preterminal == part.is_preterminal
            assert node.parent is None or part in parts[node.parent].children
            assert (node.partner is not None) == (node.mark == ALIGNED) == (node.iou is not None)
            assert node.mark in (ALIGNED, IGNORED, (MISSING, EXTRA)[side])
            if node.partner is not None:
                assert others[node.partner].partner == node.number
                assert others[node.partner].iou == node.iou
            if node.twin is not None:
                twin = others[node.twin]
                assert (twin.twin, twin.start, twin.end) == (node.number, node.start, node.end)
                assert node.mark in (MISSING, EXTRA)
                assert node.label != twin.label
                assert not pair.has_gaps or parts[node.number].positions == other_parts[node.twin].positions


def crossing(pair: TreePair) -> list[list[bool]]:
    """Each node against each of the other side; on the axis of seconds by more than the tolerance at every boundary."""
    tolerance = pair.axis.tolerance

    def cross(a: treescore.PairNode, b: treescore.PairNode) -> bool:
        if a.start is None or a.end is None or b.start is None or b.end is None:
            return False
        (start, end), (other_start, other_end) = sorted([(a.start, a.end), (b.start, b.end)])
        return start < other_start - tolerance and other_start + tolerance < end < other_end - tolerance

    sides = pair.nodes, pair.nodes[::-1]
    return [[any(cross(mine, other) for other in others) for mine in side] for side, others in zip(*sides, strict=True)]


def timed(*ends: float) -> list[object]:
    """Four words with these inner boundaries; the first two and the last two are phrases."""
    first, middle, last = ends
    times = [(0.0, first), (first, middle), (middle, last), (last, 4.0)]
    leaves = [[tag, *time, tag.lower()] for tag, time in zip("ABCD", times, strict=True)]
    return ["S", [["NP", leaves[:2]], ["VP", leaves[2:]]]]


def test_boundaries_at_nearly_the_same_time_do_not_cross() -> None:
    """Two aligners rarely agree to the hundredth of a second."""
    metric = "struct_iou|axis:seconds"
    gold = timed(1.0, 2.0, 3.0)
    for shift, crosses in ((0.0, False), (0.015, False), (0.0199, False), (0.025, True), (0.5, True)):
        pair = treescore.pair(gold, timed(1.0, 2.0 + shift, 3.0), metric)
        assert [node.label for node in pair.nodes[1] if node.crossing] == (["NP", "B", "VP"] if crosses else [])
        assert [node.label for node in pair.nodes[0] if node.crossing] == (["NP", "VP", "C"] if crosses else [])
    other = ["S", [["X", [["A", 0.0, 1.0, "a"], ["B", 1.0, 2.0, "b"], ["C", 2.0, 2.99, "c"]]], ["D", 2.99, 4.0, "d"]]]
    losses = treescore.pair(gold, other, metric).explain().text()
    assert 'VP "c d" 2.00–4.00 s is missing: minus 0.50; crosses X "a b c" 0.00–2.99 s of test' in losses
    score = treescore.evaluate([gold], [timed(1.0, 2.015, 3.0)], metric).scores[0].value
    assert score is not None
    assert score < 1  # the score has no tolerance


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from((0.0, 0.005, 0.02, 0.1, 0.5, 3.0)))
def test_crossing_with_any_tolerance(rng: Random, tolerance: float) -> None:
    """The same as by comparing each node with each node of the other side; the score is the same."""
    metric = treescore.metric(rng.choice(SECONDS))
    gold, test = map(strategies.spoken, strategies.banks(strategies.make_pairs(rng, 2, sound=True)))
    report = treescore.evaluate(gold, test, metric)
    changed = report.with_tolerance(tolerance)
    assert changed.scores[0].values() == report.scores[0].values()
    for index in range(len(gold)):
        pair = changed.pair(index)
        assert pair.score == report.pair(index).score
        assert pair.axis.tolerance == pickle.loads(pickle.dumps(pair)).axis.tolerance == tolerance
        if pair.score is None:
            continue
        marks = [[node.crossing for node in side] for side in pair.nodes]
        assert marks == crossing(pair)
        remarked = [item for item in pair.explain().items if item.remark == "crosses"]
        assert all((item.gold or item.test).crossing for item in remarked)  # type: ignore[union-attr]


def test_tolerance_of_one_pair() -> None:
    gold, test = timed(1.0, 2.0, 3.0), timed(1.0, 2.15, 3.0)
    for tolerance, crosses in ((None, True), (0.0, True), (0.1, True), (0.2, False)):
        pair = treescore.pair(gold, test, tolerance=tolerance)
        assert any(node.crossing for node in pair.nodes[0]) == crosses
    assert treescore.pair("(S (A a))", "(S (A a))", "parseval", tolerance=1.0).axis is WORDS
    for wrong in (-0.1, float("nan"), float("inf")):
        with pytest.raises(treescore.UsageError, match="tolerance must be a number of seconds from 0"):
            treescore.pair(gold, test, tolerance=wrong)
    with pytest.raises(treescore.UsageError, match="no metric compares nodes over seconds"):
        treescore.evaluate("(S (A a))", "(S (A a))").with_tolerance(0.1)


def test_times_of_any_metric() -> None:
    """Times are shown whatever the axis of the metric is."""
    gold, test = timed(1.0, 2.0, 3.0), timed(1.1, 2.1, 3.1)
    words = treescore.pair(gold, test, "parseval|profile:none").explain()
    assert words.pair.axis.name == "words"
    assert words.values()["items"][0]["gold"]["time"] == [0.0, 4.0]
    moved = treescore.pair(gold, test, "struct_iou|axis:seconds").explain()
    assert 'B "b" 1.00–2.00 s, test 1.10–2.10 s, IoU 0.82: minus 0.18' in moved.text()
    wrong = treescore.pair(gold, ["S", [["NP", gold[1][0][1]], *gold[1][1][1]]], "parseval|profile:none")  # type: ignore[index]
    assert 'VP "c d" 2.00–4.00 s is missing' in wrong.explain().text()
    silent = treescore.pair("(S (A a))", "(S (B a))", "parseval|profile:none").explain().values()
    assert silent["items"][0]["gold"]["time"] is None


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(METRICS + SECONDS))
def test_nodes_are_judged_as_they_are_counted(rng: Random, signature: str) -> None:
    metric = treescore.metric(signature)
    gold, test = strategies.banks(strategies.make_pairs(rng, 3, sound=True))
    if metric.needs_times:
        gold, test = strategies.spoken(gold), strategies.spoken(test)
    counts = metric.counts(Pair(gold, test))
    for index in range(len(gold)):
        pair = pair_at(gold, test, index, metric)
        row = counts.row(index)
        if not row["valid"]:
            assert pair.counted == (0, 0)
            continue
        check(pair, row)
        if metric.name == "parseval":
            assert len(pair.links()) == row["matched"]
            assert {iou for _, _, iou in pair.links()} <= {1.0}
            assert sum(node.crossing for node in pair.nodes[1]) == row["crossing"]
        else:
            assert pair.links() == metric.node_mappings(Pair(gold, test))[index]
        assert [[node.crossing for node in side] for side in pair.nodes] == crossing(pair)


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False))
def test_nodes_with_gaps(rng: Random) -> None:
    words = strategies.make_words(rng, 6, odd=0)
    gold, test = (
        treescore.read(gapped_trees.discbracket(tree), form="discbracket")
        for tree in [gapped_trees.moved(rng, strategies.make_tree(rng, words, odd=0)) for _ in range(2)]
    )
    metric = treescore.metric("parseval|profile:none")
    row = metric.counts(Pair(gold, test)).row(0)
    pair = pair_at(gold, test, 0, metric)
    if not row["valid"]:
        return
    check(pair, row)
    assert len(pair.links()) == row["matched"]
    assert sum(node.crossing for node in pair.nodes[1]) == row["crossing"]
    parts = [tree.nodes() for tree in (pair.gold, pair.test)]
    for gold_node, test_node, _ in pair.links():
        assert parts[0][gold_node].positions == parts[1][test_node].positions


def test_threads_and_slices_change_nothing() -> None:
    gold, test = strategies.banks(strategies.make_pairs(Random(5), 60))
    for signature in ("parseval", "struct_iou"):
        metric = treescore.metric(signature)
        whole = metric.verdicts(Pair(gold, test), threads=3)
        assert list(whole) == [metric.verdicts(Pair(gold[i : i + 1], test[i : i + 1]))[0] for i in range(len(gold))]
        assert whole[-1] == whole[len(gold) - 1]
        assert whole.range(-len(gold)) == whole.range(0)
        for index in (len(gold), -len(gold) - 1):
            with pytest.raises(IndexError, match=f"pair {index} of 60"):
                whole[index]
            with pytest.raises(IndexError, match=f"pair {index} of 60"):
                whole.range(index)


def test_a_wrong_label_has_a_twin() -> None:
    pair = treescore.pair("(S (NP (DT a) (NN b)) (VP c))", "(S (PP (DT a) (NN b)) (VP c))", "parseval|profile:none")
    assert (pair.nodes[0][1].twin, pair.nodes[1][1].twin) == (1, 1)
    assert [node.twin for node in pair.nodes[0]].count(None) == 4


def test_twins_have_the_same_words_and_other_labels() -> None:
    gold = "(S (X (A 0=a) (D 3=d)) (B 1=b) (C 2=c) (E 4=e))"
    test = "(S (Y (B 1=b) (Z (A 0=a) (D 3=d))) (C 2=c) (E 4=e))"
    pair = treescore.pair(gold, test, "parseval|profile:none")
    twins = [(node.label, pair.nodes[1][node.twin].label) for node in pair.nodes[0] if node.twin is not None]
    assert twins == [("X", "Z")]


def test_axes() -> None:
    assert treescore.pair("(S a b)", "(S a b)").axis is WORDS
    pair = treescore.pair("(S (MD can) (RB not))", "(S (MD cannot))", "struct_iou|axis:characters")
    assert pair.axis is CHARACTERS
    assert pair.places == ([(0.0, 3.0), (3.0, 6.0)], [(0.0, 6.0)])
    spoken = treescore.pair(["NP", [["DT", 0.1, 0.4], ["NN", 0.4, 0.8]]], ["NP", [["DT", 0.1, 0.5], ["NN", 0.5, 0.8]]])
    assert spoken.signature == treescore.metric("struct_iou|axis:seconds").signature
    assert spoken.axis is TIME and spoken.places[0] == [(0.1, 0.4), (0.4, 0.8)]


def test_what_cannot_be_judged() -> None:
    with pytest.raises(treescore.UsageError, match="does not judge single nodes"):
        treescore.pair("(S a)", "(S a)", "leaf_ancestor")
    pair = treescore.pair("(S (NN a))", "(S (NN b))", "parseval")
    assert pair.score is None and pair.problems and {node.mark for node in pair.nodes[0]} == {IGNORED}


def test_numbers_of_a_slice_are_those_of_the_whole() -> None:
    bank = treescore.read("(S (NN a))\n(S (NP (NN b)))\n(S (NN c))")[1:]
    report = treescore.evaluate(bank, bank, "parseval|profile:none")
    assert report.rows()["sentence"] == [2, 3] == [report.pair(0).number, report.pair(1).number]
    assert (bank.find(2), bank.find("3")) == (0, 1)
    with pytest.raises(treescore.UsageError, match="numbers go from 2 to 3"):
        bank.find(1)
    assert report.pair(-1).number == 3
    for place in (2, -3):
        with pytest.raises(IndexError, match=f"no sentence with index {place}: there are 2"):
            report.pair(place)


def test_sentences_by_name_or_number() -> None:
    bank = treescore.read("(A a) (B b)")
    assert bank.find("2") == bank.find(2) == 1
    for wrong in ("3", "0", "x", "-1", "١"):
        with pytest.raises(treescore.UsageError, match="numbers go from 1 to 2"):
            bank.find(wrong)
    named = treescore.Treebank(bank.native, ids=["s-1", "1"])
    assert named.find("1") == 1 and named.find("2") == 1 and named.find("s-1") == 0


def test_deep_trees() -> None:
    deep = "(X " * 20_000 + "a" + ")" * 20_000
    pair = treescore.pair(deep, deep, "parseval|profile:none")
    assert pair.counted == (19_999, 19_999) and pair.score == 1


def test_a_pair_pickles() -> None:
    trees = treescore.pair("(S (NP (NN a)) (VP (VB b)))", "(S (NN a) (VP (VB c)))", "struct_iou")
    again = pickle.loads(pickle.dumps(trees))
    assert trees.problems
    for name in ("score", "problems", "places", "nodes", "number", "id", "axis", "signature"):
        assert getattr(again, name) == getattr(trees, name)
    assert again.svg() == trees.svg()
