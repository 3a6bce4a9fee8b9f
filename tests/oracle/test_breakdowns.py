"""Tables of errors against a plain model on sets of words, and against the score itself."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
import strategies
from oracle import breakdowns as model
from oracle.breakdowns import Tables
from oracle.discontinuous import Phrase
from oracle.test_discontinuous import RULES, make_pair, parseval, read

import treescore
from treescore.analysis.breakdowns import OTHERS, RULE_KINDS, Breakdown
from treescore.metrics.parseval import Parseval


def tables_of(result: Breakdown) -> Tables:
    """The tables as the model has them."""
    out = Tables(right_rules=result.right_rules)
    for it in result.confusions:
        out.labels[it.gold, it.test, it.right, it.crossing] += it.count
    for it in result.tag_confusions:
        out.tags[it.gold, it.test, it.right] += it.count
    for rule in result.rules:
        out.rules[rule.kind, rule.gold, rule.test] += rule.count
    for parent in result.attachments:
        out.attachments[parent.label, parent.gold_parent, parent.test_parent, parent.same_words] += parent.count
    return out


def check(pairs: list[tuple[Phrase, Phrase]], rng: Random | None = None) -> None:
    gold, test = (read([pair[side] for pair in pairs], rng) for side in (0, 1))
    for rules in RULES:
        expected = Tables()
        for pair in pairs:
            model.add(expected, *pair, rules)
        assert tables_of(treescore.breakdown(gold, test, parseval(rules))) == expected, rules


@pytest.mark.parametrize("seed", range(12))
def test_tables(seed: int) -> None:
    rng = Random(seed)
    check([make_pair(rng, gaps=rng.choice((0, 0.5))) for _ in range(rng.randint(1, 4))], rng)


@pytest.mark.parametrize("gaps", [0, 0.2, 0.8])
def test_tables_of_many(gaps: float) -> None:
    rng = Random(1)
    check([make_pair(rng, gaps) for _ in range(20)], rng)


@pytest.mark.long
def test_tables_of_very_many() -> None:
    rng = Random(2)
    for _ in range(8):
        check([make_pair(rng, gaps=rng.choice((0, 0.2, 0.8))) for _ in range(1_500)], rng)


SIGNATURES = [
    "parseval",
    "parseval|profile:none|equal:NP=VP+VP=PP",
    "parseval|profile:collins|labels:no",
    "parseval|profile:spmrl",
    "parseval|profile:benepar|longest:6",
    "parseval|profile:discodop",
    "parseval|profile:vg-nsl",
    "parseval|profile:compound-pcfg",
    "parseval|profile:prpn",
]


PART = 100


@pytest.fixture(scope="module")
def banks() -> tuple[treescore.Treebank, treescore.Treebank]:
    """Pairs of all kinds, some of which cannot be scored."""
    return strategies.banks(strategies.make_pairs(Random(3), 3 * PART))


@pytest.mark.parametrize("signature", SIGNATURES)
def test_sums_are_those_of_the_score(banks: tuple[treescore.Treebank, treescore.Treebank], signature: str) -> None:
    report = treescore.evaluate(*banks, signature)
    total = report.scores[0].counts.total()
    assert total["errors"] + total["skipped"] > 0
    result = report.error_tables()
    assert result.report is report
    assert sum(it.count for it in result.confusions if it.right) == total["matched"]
    assert sum(it.count for it in result.confusions if it.gold is not None) == total["gold"]
    assert sum(it.count for it in result.confusions if it.test is not None) == total["test"]
    assert sum(it.gold for it in result.categories) == total["gold"]
    assert sum(it.test for it in result.categories) == total["test"]
    assert sum(it.matched_gold for it in result.categories) == total["matched"]
    assert sum(it.matched_test for it in result.categories) == total["matched"]
    assert sum(it.count for it in result.tag_confusions if it.right) == total["tags"]
    assert sum(it.count for it in result.tag_confusions if it.gold is not None) == total["words"]
    assert result.right_rules + sum(it.count for it in result.rules if it.gold is not None) == total["gold"]
    assert result.right_rules + sum(it.count for it in result.rules if it.test is not None) == total["test"]
    for it in result.categories:
        assert it.gold - it.matched_gold == sum(count for _, count in it.in_test)
        assert it.test - it.matched_test == sum(count for _, count in it.in_gold)
    if isinstance(metric := report.metrics[0], Parseval) and metric.recipe.duplicates == "keep":
        own = {  # failed sentences are in no table of errors
            label: {name: part for name, part in figures.items() if not name.endswith("_all")}
            for label, figures in report.breakdown("label").items()
            if figures["recall"].below or figures["precision"].below
        }
        assert {it.label: it.figures for it in result.categories} == own
    for of, categories in (("labels", result.categories), ("tags", result.tags)):
        matrix = result.matrix(of=of)
        rows = dict(zip(matrix.labels, map(sum, matrix.counts), strict=True))
        columns = dict(zip(matrix.labels, map(sum, zip(*matrix.counts, strict=True)), strict=True))
        for it in categories:
            assert (rows[it.label], columns[it.label]) == (it.gold, it.test)
        few = result.matrix(3, of=of)
        assert sum(map(sum, few.counts)) == sum(map(sum, matrix.counts))
        assert few.labels[3:] == (OTHERS, None)


def test_members_count_once_in_tables_and_it_is_said() -> None:
    gold, test = "(S (X a b) c)", "(S (X (Y a b)) c)"
    report = treescore.evaluate(gold, test, "parseval|profile:tn-pcfg")
    result = report.error_tables()
    assert [sum(it.gold for it in result.categories), sum(it.test for it in result.categories)] == [1, 1]
    assert report.scores[0].counts.total()["test"] == 2
    assert "count once in these tables" in str(result)
    assert json.loads(result.to("json"))["notes"] == list(result.notes)
    assert not treescore.breakdown(gold, test, "parseval|profile:prpn").notes


@pytest.mark.parametrize("signature", SIGNATURES)
def test_what_must_hold(banks: tuple[treescore.Treebank, treescore.Treebank], signature: str) -> None:
    gold, test = banks
    whole = treescore.breakdown(gold, test, signature)
    assert tables_of(treescore.breakdown(gold, test, signature, threads=3)) == tables_of(whole)
    assert treescore.breakdown(gold, test, signature, threads=3).to("json") == whole.to("json")
    parts = [
        tables_of(treescore.breakdown(gold[a : a + PART], test[a : a + PART], signature))
        for a in range(0, len(gold), PART)
    ]
    for name in ("labels", "tags", "rules", "attachments"):
        summed: Counter[model.Key] = Counter()
        for part in parts:
            summed += getattr(part, name)
        assert summed == getattr(tables_of(whole), name)
    itself = treescore.breakdown(gold, gold, signature)
    assert all(it.right for it in (*itself.confusions, *itself.tag_confusions) if it.test is not None)
    assert not itself.attachments
    assert {it.kind for it in itself.rules} <= {"missing", "missing unary"}  # of trees without a parse


@pytest.mark.parametrize("signature", ["parseval|profile:none", "parseval|profile:collins|labels:no"])
def test_swapping_sides(banks: tuple[treescore.Treebank, treescore.Treebank], signature: str) -> None:
    gold, test = banks
    there, back = (tables_of(treescore.breakdown(*pair, signature)) for pair in ((gold, test), (test, gold)))
    assert there.labels == Counter({(b, a, *rest): n for (a, b, *rest), n in back.labels.items()})
    other = {"missing": "extra", "extra": "missing", "missing unary": "extra unary", "extra unary": "missing unary"}
    assert there.rules == Counter({(other.get(str(k), k), b, a): n for (k, a, b), n in back.rules.items()})


def test_pairs_of_labels_are_the_twins_of_the_pair_model(
    banks: tuple[treescore.Treebank, treescore.Treebank],
) -> None:
    gold, test = banks[0][:200], banks[1][:200]
    report = treescore.evaluate(gold, test, "parseval|profile:none|cut:")
    actual: Counter[tuple[str | None, str | None, bool]] = Counter()
    for index in range(len(gold)):
        pair = report.pair(index)
        labels = [{node.number: node.label for node in side} for side in pair.nodes]
        for side in (0, 1):
            for node in pair.nodes[side]:
                if node.mark in ("missing", "extra") and (side == 0 or node.twin is None):
                    twin = None if node.twin is None else labels[1 - side][node.twin]
                    both = (node.label, twin) if side == 0 else (twin, node.label)
                    actual[both[0], both[1], twin is None and node.crossing] += 1
    expected = Counter({(it.gold, it.test, it.crossing): 0 for it in report.error_tables().confusions if not it.right})
    for it in report.error_tables().confusions:
        if not it.right:
            expected[it.gold, it.test, it.crossing] += it.count
    assert actual == expected


def test_first_is_the_first_sentence(banks: tuple[treescore.Treebank, treescore.Treebank]) -> None:
    gold, test = banks
    tables = treescore.breakdown(gold, test, "parseval|profile:none")
    for it in tables.rules[-5:]:
        place = it.first - 1
        there = treescore.breakdown(gold[place : it.first], test[place : it.first], "parseval|profile:none").rules
        assert [item.first for item in there if (item.kind, item.gold, item.test) == (it.kind, it.gold, it.test)] == [1]
        before = treescore.breakdown(gold[:place], test[:place], "parseval|profile:none").rules if place else []
        assert (it.kind, it.gold, it.test) not in [(item.kind, item.gold, item.test) for item in before]


def test_words_without_tags_and_empty_labels() -> None:
    gold, test = "(S (NP a (DT b)) ( (NN c)))", "(S (NP (DT a) (DT b)) ( (NN c)))"
    tables = treescore.breakdown(gold, test, "parseval|profile:none")
    assert [(it.gold, it.test) for it in tables.tag_confusions if not it.right] == [("(no tag)", "DT")]
    assert [(it.kind, it.gold, it.test) for it in tables.rules] == [("changed", "NP → (no tag) DT", "NP → DT DT")]
    assert "(empty)" in str(tables)


def test_equal_labels_are_equal_in_rules_even_by_way_of_others() -> None:
    gold, test = "(S (A (X a) (X b)) (X c))", "(S (C (X a) (X b)) (X c))"
    tables = treescore.breakdown(gold, test, "parseval|profile:none|equal:A=B+B=C")
    assert (tables.rules, [(it.gold, it.test) for it in tables.confusions if not it.right]) == ([], [("A", "C")])


def test_a_phrase_in_very_many_pieces() -> None:
    """Every other word: more pieces than are followed up."""
    words = 300
    odd = " ".join(f"(X {place}=a)" for place in range(1, words, 2))
    even = " ".join(f"(X {place}=a)" for place in range(0, words, 2))
    first = treescore.read(f"(S (O {odd}) (P (E {even})))".encode(), form="discbracket")
    other = treescore.read(f"(S (O {odd}) (Q (E {even})))".encode(), form="discbracket")
    tables = treescore.breakdown(first, other, "parseval|profile:none")
    assert [(it.kind, it.gold, it.test) for it in tables.rules] == [
        ("changed", "P → E (…)", "Q → E (…)"),
        ("changed", "S → P O (…)", "S → Q O (…)"),
    ]


@pytest.mark.parametrize("depth", [100_000])
def test_deep_trees(depth: int) -> None:
    gold, test = (
        "(A " * depth + "(X a)" + ")" * depth,
        "(A " * (depth // 2) + "(B " * (depth // 2) + "(X a)" + ")" * depth,
    )
    tables = treescore.breakdown(gold, test)
    assert sum(it.count for it in tables.confusions) == depth
    assert [(it.gold, it.test, it.count) for it in tables.confusions if not it.right] == [("A", "B", depth // 2)]


def test_a_matrix_of_very_many_labels_is_refused() -> None:
    text = [f"(S (L{number} (NN a) (NN b)) (NN c))" for number in range(3_000)]
    tables = treescore.breakdown(text, text)
    with pytest.raises(treescore.UsageError, match=r"3,001 labels is too large"):
        tables.matrix()
    assert tables.matrix(2).labels == ("S", "L0", OTHERS, None)
    assert tables.matrix(2).counts == ((3_000, 0, 0, 0), (0, 1, 0, 0), (0, 0, 2_999, 0), (0, 0, 0, 0))


def test_other_metrics_and_formats_are_refused() -> None:
    report = treescore.evaluate("(S (NN a))", "(S (NN a))", "struct_iou")
    with pytest.raises(treescore.UsageError, match="error tables need parseval"):
        report.error_tables()
    tables = treescore.breakdown("(S (NN a))", "(S (NN a))")
    for form, by, message in (("csv", None, "one table"), ("xml", None, "one of"), ("table", "colour", "not 'colour'")):
        with pytest.raises(treescore.UsageError, match=message):
            tables.to(form, by=by)
    with pytest.raises(treescore.UsageError, match="labels or of tags"):
        tables.matrix(of="words")


@pytest.mark.parametrize("by", ["category", "confusion", "rule", "attachment", "tag"])
def test_rendering(banks: tuple[treescore.Treebank, treescore.Treebank], by: str) -> None:
    tables = treescore.breakdown(*banks, "parseval|profile:none")
    for form in ("table", "markdown", "latex", "html"):
        text = tables.to(form, by=by, most=3)
        assert ("more row" in text) and len(text) < 3_000
        assert "parseval" in text
    csv = tables.to("csv", by=by).splitlines()
    wrong = [it for it in tables.confusions if not it.right]
    rows: Any = {
        "category": len(tables.categories),
        "confusion": len(wrong),
        "rule": len(tables.rules),
        "tag": len(tables.tags),
    }
    assert len(csv) == 1 + rows.get(by, len(tables.attachments))
    data = json.loads(tables.to("json", by=by))
    assert list(data["by"]) == [by]
    assert data["signature"] == tables.signature
    assert data["problems"]["count"] == len(tables.report.problems)
    assert set(json.loads(tables.to("json"))["by"]) == {"category", "confusion", "rule", "attachment", "tag"}
    assert {it.kind for it in tables.rules} == set(RULE_KINDS)
