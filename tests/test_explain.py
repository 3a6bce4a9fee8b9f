"""What is lost adds up to the score, each loss is said in words, and the costliest sentences are found."""

from __future__ import annotations

import json
import math
from random import Random

import gapped_trees
import interval_trees
import pytest
import strategies
from hypothesis import given, settings, strategies as st
from strategies import changed, make_tree, make_words, write

import treescore
from treescore.analysis.explain import Explanation, explain
from treescore.analysis.sentences import check_explained, costliest, select_sentences
from treescore.values.problem import UsageError

METRICS = (
    "struct_iou",
    "struct_iou|labels:no|axis:characters",
    "struct_iou|terminals:strict|threshold:0.5",
    "parseval",
    "parseval|profile:none|labels:no",
    "parseval|profile:spmrl",
)
GOLD = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN cat)) (PP (IN with) (NP (DT a) (NN telescope)))) (. .))"
TEST = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN cat)) (ADJP (IN with) (NP (DT a) (NN telescope))))) (. .))"


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(METRICS), st.booleans())
def test_losses_add_up_to_what_the_score_lacks(random: Random, metric: str, same_words: bool) -> None:
    words = make_words(random, 8)
    gold = make_tree(random, words)
    test = changed(random, gold) if same_words else make_tree(random, make_words(random, 8))
    pair = treescore.pair(write(gold), write(test), metric)
    explanation = explain(pair)
    if pair.score is None:
        assert not explanation.items
        return
    half = sum(pair.counted) / 2
    assert sum(item.loss for item in explanation.items) / half == pytest.approx(1 - pair.score, abs=1e-9)
    assert explanation.lost == pytest.approx(1 - pair.score, abs=1e-9)
    assert explanation.common / half == pytest.approx(pair.score, abs=1e-9)
    message = [
        {node.number for item in explanation.items if (node := (item.gold, item.test)[side]) is not None}
        for side in (0, 1)
    ]
    counted = [{node.number for node in nodes if node.mark != "ignored"} for nodes in pair.nodes]
    assert message == counted  # each node that counts is told of, and no other
    assert [item.loss for item in explanation.items] == sorted((item.loss for item in explanation.items), reverse=True)
    for item in explanation.items:
        check_remark(explanation, item.gold or item.test, item.remark, item.other)
        assert explanation.describe(item)
    json.dumps(explanation.values())


@pytest.mark.parametrize("seed", range(40))
def test_losses_add_up_over_gaps_and_seconds(seed: int) -> None:
    random = Random(seed)
    tree = make_tree(random, make_words(random, 8))
    first, other = (gapped_trees.bank([gapped_trees.moved(random, each)]) for each in (tree, changed(random, tree)))
    gold, test = interval_trees.make_pair(random)
    for pair in (
        treescore.pair(first, other, "parseval|profile:discodop"),
        treescore.pair(gold, test, "struct_iou|axis:seconds|silent:keep"),
    ):
        explanation = explain(pair)
        assert pair.score is None or explanation.lost == pytest.approx(1 - pair.score, abs=1e-9)
        assert explanation.text(None)


def check_remark(result: Explanation, node: object, remark: str | None, other: object) -> None:
    """What is said about a node of the other side is true."""
    assert isinstance(node, treescore.PairNode)
    if remark is None:
        assert other is None
        return
    assert isinstance(other, treescore.PairNode)
    assert other.mark != "ignored"
    assert None not in (node.start, node.end, other.start, other.end)
    a, b, c, d = (float(end or 0) for end in (node.start, node.end, other.start, other.end))
    assert (a < c < b < d or c < a < d < b) == (remark == "crosses")
    assert ((a, b) == (c, d)) == (remark in ("same", "nested"))
    assert remark != "nested" or node.label == other.label
    assert remark == "crosses" or c <= a <= b <= d


def test_words() -> None:
    explanation = explain(treescore.pair(GOLD, TEST, "parseval|profile:none"))
    assert explanation.text().splitlines() == [
        "sentence 1: 76.92 (23.08 points lost)",
        "6 counted nodes in gold and 7 in test; overlap of aligned nodes 5.00: 2 × 5.00 / (6 + 7)",
        "  15.38  “with a telescope” labelled ADJP instead of PP: 2 brackets (Different label)",
        '      15.38  PP over "with a telescope" is missing; test has ADJP over the same words: minus 1.00',
        "   7.69  NP “a cat with a telescope” is extra: 1 bracket (PP Attachment)",
        '       7.69  NP over "a cat with a telescope" is extra: minus 0.50; in gold it is part of VP over '
        '"saw a cat with a telescope"',
        'without loss: S "I saw a cat with a telescope .", NP "I", VP "saw a cat with a telescope", NP "a cat", '
        'NP "a telescope"',
        "not counted: 8 nodes of gold and 8 of test",
        explanation.pair.signature,
    ]
    assert explanation.text(limit=1).splitlines()[4:6] == [
        "   7.69  for 1 more",
        'without loss: S "I saw a cat with a telescope .", 4 more',
    ]


def test_groups_of_losses() -> None:
    """One error, all its brackets; what no error explains; no groups where error classes do not apply."""
    gold = "(S (NP he) (VP (V saw) (NP (NP a cat) (PP with (NP eyes)))) (. .))"
    test = "(S (NP he) (VP (V saw) (NP a cat)) (PP with (NP eyes)) (. .))"
    explanation = treescore.pair(gold, test, "parseval|profile:none").explain()
    (group,) = explanation.groups
    assert (group.text, group.kind, group.brackets) == (
        "PP “with eyes” attached to S instead of VP, where NP is missing",
        "PP Attachment",
        3,
    )
    assert list(group.items) == explanation.losses
    values = explanation.values()
    assert values["groups"][0]["class"] == "PP Attachment"
    assert [values["items"][place]["kind"] for place in values["groups"][0]["items"]] == [
        item.kind for item in group.items
    ]
    outer = treescore.pair(f"(TOP {gold})", test, "parseval|profile:none").explain()
    assert [(group.text, group.kind) for group in outer.groups[1:]] == [("other phrases only in gold", None)]
    assert outer.text(limit=1).splitlines()[-3] != outer.text(limit=None).splitlines()[-3]
    for metric in ("struct_iou", "parseval|profile:none"):
        untouched = treescore.pair(gold, gold, metric).explain()
        assert untouched.groups == untouched.values()["groups"] == []
    assert treescore.pair(gold, test, "struct_iou").explain().groups == []


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(("parseval", "parseval|profile:none", "parseval|labels:no")))
def test_groups_add_up(rng: Random, metric: str) -> None:
    """Each loss is in one group, and each line of text has the points of the lines below it."""
    gold, test = strategies.banks(strategies.make_pairs(rng, 3, sound=True))
    report = treescore.evaluate(gold, test, metric)
    for index in range(len(gold)):
        explanation = report.pair(index).explain()
        groups = explanation.groups
        if not groups:
            continue
        grouped = [id(item) for group in groups for item in group.items]
        assert sorted(grouped) == sorted(map(id, explanation.losses))
        assert math.fsum(group.cost for group in groups) == pytest.approx(explanation.lost, abs=1e-12)
        for group in groups:
            assert group.cost == math.fsum(item.cost for item in group.items)
            assert group.brackets == sum(2 if item.kind == "twins" else 1 for item in group.items)
        for limit in (1, 2, None):
            lines = explanation.loss_lines(limit)
            shown = groups[:limit]
            heads = [line for line in lines if not line.startswith(" " * 5)] if limit else []
            assert len(heads) <= len(shown) + 1
            rest = [line for line in lines if line.lstrip().partition("  ")[2].endswith("more")]
            left = sum(max(0, len(group.items) - (limit or len(group.items))) for group in shown)
            left += sum(len(group.items) for group in groups[len(shown) :])
            assert sum(int(line.split()[-2].replace(",", "")) for line in rest) == left


def test_partly_aligned_nodes_say_their_iou() -> None:
    text = explain(treescore.pair("(X (NP a cat) (PP with eyes))", "(X (NP a cat with eyes))", "struct_iou")).text()
    assert 'NP over "a cat" is aligned with NP over "a cat with eyes", IoU 0.50: minus 0.50' in text
    assert 'PP over "with eyes" is missing: minus 0.50; in test it is part of NP over "a cat with eyes"' in text


def test_crossing_and_second_nodes() -> None:
    gold = "(S (NP (NP (NN a))) (VP (VB b) (NN c)))"
    test = "(S (NP (NN a)) (VX (NN a2) (VB b)) (NN c))".replace("(NN a2) ", "")
    text = explain(treescore.pair("(S (NP (NN a)) (VP (VB b) (NN c)))", "(S (VX (NN a) (VB b)) (NN c))")).text()
    assert 'VP over "b c" is missing: minus 0.50; crosses VX over "a b" of test' in text
    text = explain(treescore.pair(gold, test, "parseval|profile:none")).text()
    assert 'NP over "a" is missing: minus 0.50; NP of test over the same words has another partner' in text


def test_seconds() -> None:
    gold = ["NP", [["DT", 0.15, 0.39, "a"], ["NN", 0.39, 0.80, "cat"]]]
    test = ["NP", [["DT", 0.15, 0.40, "a"], ["NN", 0.40, 0.75, "cat"]]]
    explanation = explain(treescore.pair(gold, test, "struct_iou|axis:seconds"))
    assert 'NN "cat" 0.39–0.80 s, test 0.40–0.75 s, IoU 0.85: minus 0.15' in explanation.text()


def test_tiny_losses_are_not_shown_as_nothing() -> None:
    gold = ["NP", [["DT", 0.0, 0.5, "a"], ["NN", 0.5, 1000.0, "cat"]]]
    test = ["NP", [["DT", 0.0, 0.5, "a"], ["NN", 0.5, 1000.1, "cat"]]]
    text = explain(treescore.pair(gold, test, "struct_iou|axis:seconds")).text()
    assert "IoU 0.9999: minus 0.0001" in text


def test_long_and_hostile_words() -> None:
    words = " ".join(f"(NN word{number})" for number in range(500))
    text = explain(treescore.pair(f"(S (X {words}))", f"(S (Y {words}))", "parseval|profile:none")).text()
    assert 'X over "word0 word1 word2 … word498 word499" is missing; test has Y over the same words' in text
    text = explain(treescore.pair("(S (X (NN \x1b[31m)))", "(S (Y (NN \x1b[31m)))")).text()
    assert "\x1b" not in text
    text = explain(treescore.pair("(S (X (NN חתול)))", "(S (Y (NN חתול)))")).text()
    assert '"\u2068חתול\u2069"' in text


def test_gaps() -> None:
    gold = "(S (VP (WRB 0=why) (VB 3=go)) (MD 1=did) (NP (PRP 2=he)))"
    test = "(S (VP (WRB 0=why) (MD 1=did) (VB 3=go)) (NP (PRP 2=he)))"
    text = explain(treescore.pair(gold, test, "parseval|profile:none")).text()
    assert 'VP over "why … go" is missing' in text
    assert 'VP over "why did … go" is extra' in text


def test_a_pair_without_a_score() -> None:
    pair = treescore.pair("(S (NN a))", "(S (NN b))", "parseval")
    explanation = explain(pair)
    assert explanation.items == []
    assert explanation.text().splitlines()[0] == "sentence 1: no score"
    assert "gold has the word 'a' where test has 'b'" in explanation.text()


def test_an_unparsed_sentence_loses_everything() -> None:
    explanation = explain(treescore.pair("(S (NP (NN a)) (VP (VB b)))", "()", "struct_iou"))
    assert explanation.lost == 1
    assert {item.kind for item in explanation.items} == {"missing"}


def test_deep_and_wide_trees() -> None:
    deep = "(X " * 4_000 + "(NN a)" + ")" * 4_000
    explanation = explain(treescore.pair(deep, deep.replace("X", "Y", 2_000), "parseval|profile:none"))
    assert explanation.lost == pytest.approx(0.5)
    wide = " ".join("(A (NN a)) (B (NN b))" for _ in range(1_000))
    explanation = explain(treescore.pair(f"(S {wide})", f"(S {wide.replace('A', 'C')})", "parseval|profile:none"))
    assert explanation.text(3)


def test_the_same_label_in_another_order_is_no_twin() -> None:
    explanation = explain(
        treescore.pair("(S (A (B (NN a) (NN b))) (NN c))", "(S (B (A (NN a) (NN b))) (NN c))", "struct_iou")
    )
    assert {node.twin for nodes in explanation.pair.nodes for node in nodes} == {None}
    assert [(item.kind, item.remark) for item in explanation.losses] == [("missing", "nested"), ("extra", "nested")]
    assert "is missing: minus 0.50; test has it over the same words, but nested differently" in explanation.text()
    assert "is extra: minus 0.50; gold has it over the same words, but nested differently" in explanation.text()


def test_a_second_node_over_the_words_of_twins() -> None:
    text = explain(treescore.pair("(S (A (B (NN a) (NN b))) (NN c))", "(S (X (NN a) (NN b)) (NN c))")).text()
    assert 'B over "a b" is missing: minus 0.50; X of test over the same words is compared with another node' in text


def test_gaps_are_no_part_of_a_phrase() -> None:
    gold, test = "(S (A 0=a) (NP (C 1=b) (D 2=c)) (B 3=d))", "(S (X (A 0=a) (B 3=d)) (C 1=b) (D 2=c))"
    text = explain(treescore.pair(gold, test, "parseval|profile:none")).text()
    assert 'NP over "b c" is missing: minus 0.50; in test it is part of S over "a b c d"' in text
    assert 'X over "a … d" is extra: minus 0.50; in gold it is part of S over "a b c d"' in text


def test_the_same_place_need_not_have_the_same_words() -> None:
    text = explain(treescore.pair("(S (X (NN a) (NN b)) (NN c))", "(S (Y (NN a) (NN z)) (NN c))", "struct_iou")).text()
    assert 'X over "a b" is missing; test has Y at the same place: minus 1.00' in text
    text = explain(treescore.pair("(S (X (NN a) (NN b)) (NN c))", "(S (Y (NN a) (NN b)) (NN z))", "struct_iou")).text()
    assert 'X over "a b" is missing; test has Y over the same words: minus 1.00' in text
    text = explain(treescore.pair("(S (X (NN a) (NN b)) (NN c))", "(S (NN a) (NN z) (NN c))", "struct_iou")).text()
    assert 'X over "a b" is missing: minus 0.50; in test this place is part of S over "a z c"' in text


def banks() -> tuple[str, str]:
    return (
        "(S (NN a))\n(S (NP (NN a) (NN b)) (VP (NN c)))\n(S (NP (NN a)))",
        "(S (NN a))\n(S (NX (NN a) (NN b)) (VX (NN c)))\n(S (NX (NN a)))",
    )


def test_the_costliest_sentences() -> None:
    report = treescore.evaluate(*banks(), ["parseval|profile:none", "struct_iou"])
    for metric in ("parseval", "struct_iou"):
        assert costliest([report], metric) == [1, 2]
    mean = treescore.evaluate(*banks(), "parseval|profile:none|average:sentence")
    assert costliest([mean]) == [1, 2]
    assert select_sentences(report, ["worst:1", "3,1", "2"], "parseval") == [1, 2, 0]
    with pytest.raises(UsageError, match="4"):
        select_sentences(report, ["4"])
    same = treescore.evaluate(banks()[0], banks()[0], "struct_iou")
    assert select_sentences(same, ["worst"]) == []
    assert "nothing was lost: struct_iou|" in same.to("table", explain=["worst"])
    assert json.loads(same.to("json", explain=["worst"]))["scores"][0]["explanations"] == []
    for name in ("worst:0", "worst:x", "worst:"):
        with pytest.raises(UsageError, match="use worst, or worst:N with N from 1"):
            select_sentences(same, [name])


def test_sentences_without_a_score_are_counted_beside_the_worst() -> None:
    report = treescore.evaluate("(S (NN a))\n(S (NN b))", "(X (NN a))\n(S (NN z))", "parseval|profile:none")
    text = report.to("table", explain=["worst"])
    assert "1 sentence has no score; first: sentence 2 (--explain with its number says why)" in text
    assert "has no score" not in report.to("table", explain=["1"])


def test_metrics_that_cannot_be_explained() -> None:
    with pytest.raises(UsageError, match="tree_distance cannot be explained node by node; parseval and struct_iou can"):
        check_explained([treescore.metric("tree_distance")])


def test_differences() -> None:
    gold, test = banks()
    comparison = treescore.compare(gold, {"A": gold, "B": test, "C": "(S (NN a))\n(S (NN x))\n(S (NP (NN a)))"})
    rows = comparison.differences("A", "B")
    assert [row[0] for row in rows] == [1, 2]
    assert rows[0][1:] == (1.0, pytest.approx(1 / 3))
    assert comparison.differences("A", "C") == [(1, 1.0, 0.0)]  # C failed, which is as bad as can be
    assert [row[0] for row in comparison.differences("A", "B", "C")] == [1, 2]
    assert comparison.differences("A", "A") == []
    with pytest.raises(UsageError, match="there is no system 'Z': there are 'A', 'B', 'C'"):
        comparison.differences("A", "Z")


def test_a_comparison_in_a_notebook() -> None:
    gold, test = banks()
    both = treescore.compare(gold, {"A": gold, "<B>": test}, ["parseval", "aligned_parseval"])
    assert both._repr_html_() == both.summary(n=1000).to("html")
    assert "<td>&lt;B&gt;</td>" in both._repr_html_()
    alone = treescore.compare(gold, {"A": test})
    assert alone._repr_html_() == alone["A"].to("html")
