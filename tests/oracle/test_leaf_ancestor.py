"""The metric leaf_ancestor against the definitions on random trees, and on trees that are large, deep or odd."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from gapped_trees import Node, bank, moved, placed
from hypothesis import given
from oracle.leaf_ancestor import COSTS, VARIANTS, similarities, without
from strategies import RANDOMS, Phrase, Word, changed, hang_guard, make_tree, make_words, write

import treescore
from treescore.metrics.leaf_ancestor import LeafAncestor
from treescore.place.pair import Pair
from treescore.values.counts import UNIT

EVERY = [(variant, costs) for variant in VARIANTS for costs in COSTS]
#: Sums of words in units of 2^-40, each of them rounded.
CLOSE = 1e-10


def outer(variant: str) -> list[str]:
    """The labels that a variant leaves out."""
    return [] if variant == "plain" else ["", "TOP", "ROOT", "S1", "VROOT"]


def pair_of(rng: Random, most: int = 8, odd: float = 0.2) -> tuple[Phrase, Phrase]:
    """Two trees over the same words."""
    gold = make_tree(rng, make_words(rng, most, odd), odd)
    return gold, changed(rng, gold, 0.3, odd)


def paths_of(metric: LeafAncestor, gold: treescore.Treebank, test: treescore.Treebank) -> list[tuple[Any, Any, float]]:
    """The paths and similarities of one pair of trees."""
    return [word[1:] for word in metric.paths(Pair(gold, test))[1]]


def check(metric: LeafAncestor, banks: tuple[treescore.Treebank, treescore.Treebank], expected: list[Any]) -> None:
    """Paths, similarities and counts."""
    actual = paths_of(metric, *banks)
    assert [word[:2] for word in actual] == [word[:2] for word in expected], metric
    assert [word[2] for word in actual] == pytest.approx([float(word[2]) for word in expected], abs=CLOSE), metric
    counts = metric.counts(Pair(*banks))
    row = counts.row(0)
    if not expected:
        assert (row["valid"], row["words"]) == (0, 0)
        return
    assert row["words"] == len(expected)
    assert row["exact_words"] == sum(a == b for a, b, _ in expected)
    assert row["exact"] == (row["exact_words"] == row["words"])
    mean = sum((word[2] for word in expected), Fraction(0)) / len(expected)
    assert row["word_score"] / UNIT == pytest.approx(float(mean) * len(expected), abs=CLOSE * len(expected))
    assert row["sentence_score"] / UNIT == pytest.approx(float(mean), abs=CLOSE)


@pytest.mark.parametrize(("variant", "costs"), EVERY)
@given(rng=RANDOMS)
def test_random_trees(rng: Random, variant: str, costs: str) -> None:
    gold, test = pair_of(rng)
    a, b = (without(placed(tree), outer(variant)) for tree in (gold, test))
    expected = similarities(a, b, variant, costs)
    check(
        LeafAncestor(variant=variant, costs=costs),
        (treescore.read(write(gold), form="brackets"), treescore.read(write(test), form="brackets")),
        expected,
    )


@pytest.mark.parametrize("variant", VARIANTS)
@given(rng=RANDOMS)
def test_deletions(rng: Random, variant: str) -> None:
    """Labels and words left out; the gold tags decide, so that both sides keep the same words."""
    gold, test = (placed(tree) for tree in pair_of(rng, odd=0))
    labels, tags = rng.sample(["S", "NP", "VP", "TOP"], 2), rng.sample(["NN", "DT", "VB", "IN"], 1)
    deleted = {leaf.place for leaf in _leaves(gold) if leaf.tag in tags}
    metric = LeafAncestor(variant=variant, costs="unit", delete=[*labels, *tags], delete_by="gold")
    a, b = (without(tree, [*labels, *outer(variant)], deleted) for tree in (gold, test))
    expected = similarities(a, b, variant, "unit")
    check(metric, (bank([gold]), bank([test])), expected)


@pytest.mark.parametrize("variant", VARIANTS)
@given(rng=RANDOMS)
def test_phrases_with_gaps(rng: Random, variant: str) -> None:
    words = make_words(rng, 8, 0)
    gold = moved(rng, make_tree(rng, words, 0))
    test = _over_the_words_of(gold, rng)
    costs = rng.choice(list(COSTS))
    metric = LeafAncestor(variant=variant, costs=costs)
    a, b = (without(tree, outer(variant)) for tree in (gold, test))
    check(metric, (bank([gold]), bank([test])), similarities(a, b, variant, costs))
    labels, tags = rng.sample(["S", "NP", "VP", "TOP"], 1), rng.sample(["NN", "DT", "VB"], 1)
    deleted = {leaf.place for leaf in _leaves(gold) if leaf.tag in tags}
    metric = LeafAncestor(variant=variant, costs=costs, delete=[*labels, *tags])
    a, b = (without(tree, [*labels, *outer(variant)], deleted) for tree in (gold, test))
    expected = similarities(a, b, variant, costs)
    check(metric, (bank([gold]), bank([test])), expected)


def _leaves(tree: Node) -> list[Any]:
    from gapped_trees import leaves_of

    return leaves_of(tree)


def _over_the_words_of(gold: Node, rng: Random) -> Node:
    """Another tree with gaps over the same words, each with its tag."""
    leaves = sorted(_leaves(gold), key=lambda leaf: leaf.place)
    places = list(range(len(leaves)))
    for _ in range(rng.randint(0, 3)):
        a, b = rng.randrange(len(places)), rng.randrange(len(places))
        places[a], places[b] = places[b], places[a]
    return placed(make_tree(rng, [Word(leaves[place].tag, leaves[place].text) for place in places], 0), places)


@given(RANDOMS)
def test_a_tree_without_gaps_scores_the_same_however_it_is_stored(rng: Random) -> None:
    gold, test = pair_of(rng)
    for variant in VARIANTS:
        metric = LeafAncestor(variant=variant)
        read = metric.counts(
            Pair(treescore.read(write(gold), form="brackets"), treescore.read(write(test), form="brackets"))
        )
        stored = metric.counts(Pair(bank([placed(gold)]), bank([placed(test)])))
        assert read.total() == stored.total()


@given(RANDOMS)
def test_labels_alike(rng: Random) -> None:
    """Without labels the score is that of trees with one label."""
    gold, test = pair_of(rng)

    def renamed(item: Phrase | Word) -> Phrase | Word:
        return item if isinstance(item, Word) else Phrase("X", tuple(map(renamed, item.children)))

    trees = [treescore.read(write(tree), form="brackets") for tree in (gold, test, renamed(gold), renamed(test))]
    for variant in VARIANTS:
        unlabelled, labelled = (LeafAncestor(variant=variant, labels=yes, outer="counted") for yes in (False, True))
        totals = [unlabelled.counts(Pair(*trees[:2])).total(), labelled.counts(Pair(*trees[2:])).total()]
        for total in totals:
            del total["outer_differs"]  # X is no label of an outer bracket
        assert totals[0] == totals[1]


@pytest.mark.parametrize("costs", COSTS)
def test_long_paths(costs: str) -> None:
    """Paths for which the band around the diagonal matters: equal parts moved, cut out and put in."""
    rng = Random(7)
    for _ in range(20):
        a = [rng.choice(["NP", "NX", "S", "VP"]) for _ in range(rng.randint(1, 90))]
        b = list(a)
        for _ in range(rng.randint(0, 12)):
            start = rng.randrange(len(b) + 1)
            part = [rng.choice(["NP", "NX", "S", "PP"]) for _ in range(rng.randint(0, 12))]
            b[start : start + rng.randint(0, 12)] = part
        gold, test = (_chain(labels or ["S"]) for labels in (a, b))
        metric = LeafAncestor(variant="plain", costs=costs)
        expected = similarities(without(placed(gold)), without(placed(test)), "plain", costs)
        check(
            metric,
            (treescore.read(write(gold), form="brackets"), treescore.read(write(test), form="brackets")),
            expected,
        )


def _chain(labels: list[str]) -> Phrase:
    tree = Phrase(labels[-1], (Word("NN", "a"), Word("NN", "b")))
    for label in reversed(labels[:-1]):
        tree = Phrase(label, (tree,))
    return tree


def chain(labels: list[str], inside: str) -> str:
    """A phrase in a phrase in a phrase."""
    return "".join(f"({label} " for label in labels) + inside + ")" * len(labels)


DEEP = 100_000


def test_deep_trees() -> None:
    words = " ".join(["(NN a)"] * 50)
    same, other = ["X"] * DEEP, ["X"] * (DEEP // 2) + ["Y"] + ["X"] * (DEEP // 2)
    gold, test = treescore.read(chain(same, words)), treescore.read(chain(other, words))
    with hang_guard():
        for variant in VARIANTS:
            metric = LeafAncestor(variant=variant, costs="unit")
            row = metric.counts(Pair(gold, test)).row(0)
            lengths = 2 * DEEP + 1
            plain = 1 - 1 / lengths
            assert row["valid"] == 1
            assert row["word_score"] / UNIT == pytest.approx(50 * plain, abs=1e-4)
            assert metric.counts(Pair(gold, gold)).row(0)["exact_words"] == 50


def test_deep_combs() -> None:
    """Left- against right-branching: the paths are long for many words, and all but their lengths is the same."""
    count = 20_000
    right = "(X (NN a) " * count + "(NN a)" + ")" * count
    left = "(X " * count + "(NN a)" + " (NN a))" * count
    with hang_guard():
        metric = LeafAncestor(variant="plain")
        row = metric.counts(Pair(treescore.read(right), treescore.read(left))).row(0)
    assert row["valid"] == 1
    depths = [(min(word + 1, count), min(count - word + 1, count)) for word in range(count + 1)]
    expected = sum(1 - abs(a - b) / (a + b) for a, b in depths)
    assert row["word_score"] / UNIT == pytest.approx(expected, abs=1e-4)


def test_too_much_work_is_refused() -> None:
    """By its number of steps, not by the clock: at the same place each time."""
    gold, test = chain(["X"] * 3000, "(NN a)"), chain(["Y"] * 3000, "(NN a)")
    report = treescore.evaluate(gold, test, "leaf_ancestor|limit:0.01")
    assert report.scores[0].value is None
    assert report.problem_counts() == {"too-complex": 1}
    assert "more than the limit of 0.01 seconds" in report.problems[0].message
    assert treescore.evaluate(gold, test, "leaf_ancestor").scores[0].value == pytest.approx(2 / 3002, abs=1e-6)
    assert "limit:0.01" in report.scores[0].signature


def test_paths_that_are_too_long_are_not_shown() -> None:
    tree = chain(["X"] * DEEP, " ".join(["(NN a)"] * 200))
    with pytest.raises(treescore.UsageError, match="too long to be shown"):
        treescore.leaf_ancestor(tree, tree)


GOLD = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))"
TEST = "(S (NP (DT the)) (VP (NN cat) (VBZ sleeps)))"


def test_means() -> None:
    """One word that is wrong among three, and a sentence of one word that is right."""
    report = treescore.evaluate([GOLD, "(S (NN a))"], [TEST, "(S (NN a))"], "leaf_ancestor")
    parts = report.scores[0].parts
    alone = treescore.leaf_ancestor(GOLD, TEST).score
    assert alone is not None
    assert report.scores[0].value == parts["sentence"] == pytest.approx((alone + 1) / 2)
    assert parts["word"] == pytest.approx((3 * alone + 1) / 4)
    assert (parts["exact_paths"], parts["exact"]) == (1 / 4, 1 / 2)
    by_words = treescore.evaluate([GOLD, "(S (NN a))"], [TEST, "(S (NN a))"], "leaf_ancestor|average:corpus")
    assert by_words.scores[0].value == parts["word"]
    rows = report.rows()
    assert rows["score"] == [pytest.approx(alone), 1.0]
    assert rows["exact_words"] == [0, 1]


@pytest.mark.parametrize("profile", ["none", "collins", "spmrl"])
def test_unparsed(profile: str) -> None:
    report = treescore.evaluate([GOLD, GOLD], [GOLD, "(())"], f"leaf_ancestor|profile:{profile}")
    score = report.scores[0]
    assert score.value == score.all == score.coverage == 0.5
    total = score.counts.total()
    assert (total["valid"], total["failed"]) == (2, 1)
    assert report.problem_counts() == {"unparsed": 1}
    assert sum(figures["word"].below or 0 for figures in report.breakdown("label").values()) == 6


def test_unreadable_trees() -> None:
    report = treescore.evaluate(f"{GOLD}\n{GOLD[:-1]}\n", f"{GOLD[:-1]}\n{GOLD}\n", "leaf_ancestor", on_error="keep")
    total = report.scores[0].counts.total()
    assert (total["valid"], total["errors"], report.scores[0].value) == (1, 1, 0.0)


def test_by_label() -> None:
    report = treescore.evaluate(
        ["(S (NP (DT the) (NN cat)) (VB b))", "a"],
        ["(S (X (DT the) (NN cat)) (VB b))", "a"],
        "leaf_ancestor|costs:unit",
    )
    figures = report.breakdown("label")
    assert list(figures) == ["NP", "S"]
    assert figures["NP"]["word"].value == pytest.approx(1 - 1 / 6)
    assert figures["S"]["exact_paths"].value == 1.0


@pytest.mark.parametrize(("variant", "usual"), [("spmrl", "ignored"), ("discodop", "ignored"), ("plain", "counted")])
def test_the_variant_chooses_what_becomes_of_outer_brackets(variant: str, usual: str) -> None:
    metric = LeafAncestor(variant=variant)
    assert metric.recipe.outer == usual
    assert treescore.metric(metric.signature) == metric
    assert LeafAncestor(variant=variant, prm=b"DELETE_LABEL NP\n").recipe.outer == "counted"
    for value in ("counted", "ignored"):
        score = treescore.leaf_ancestor(f"(TOP {GOLD})", GOLD, variant=variant, outer=value).score
        assert (score == 1) == (value == "ignored")


def test_bare_words_have_empty_paths() -> None:
    """All that is above the words is left out: nothing differs."""
    report = treescore.evaluate(GOLD, TEST, "leaf_ancestor|delete:S+NP+VP")
    assert report.scores[0].value == 1.0
    assert list(report.breakdown("label")) == ["(no phrase)"]
    assert (
        treescore.evaluate(GOLD, "(S (DT the) (NN cat) (VBZ sleeps))", "leaf_ancestor|delete:S").scores[0].value == 0.0
    )


def test_other_words_are_reported() -> None:
    report = treescore.evaluate([GOLD, GOLD], [GOLD.replace("cat", "dog"), "(S (DT the))"], "leaf_ancestor")
    assert [problem.code for problem in report.problems] == ["words", "length"]
    assert report.scores[0].value is None
    assert "sparseval" in report.problems[1].message


def test_what_to_cite_depends_on_the_variant() -> None:
    keys = {variant: LeafAncestor(variant=variant).cites for variant in VARIANTS}
    assert len(set(keys.values())) == 3
    assert all(cites[0] == "sampson-babarczy-2003-test" for cites in keys.values())


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("costs", COSTS)
def test_options_are_in_words(variant: str, costs: str) -> None:
    message = LeafAncestor(variant=variant, costs=costs, average="corpus").in_words()
    assert "all words" in message["average"]
    assert len({variant_said(other)["variant"] for other in VARIANTS}) == 3
    assert ("0.5" in message["costs"]) == (costs == "similar")


def variant_said(variant: str) -> dict[str, str]:
    """The options in words."""
    return LeafAncestor(variant=variant).in_words()
