"""The metric boundaries against its definition on random words, and what becomes of sentences it cannot score."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from interval_trees import Words, make_features, make_pair, make_words, move_words, with_times
from oracle import boundaries as oracle
from oracle.perturb import leaves_of
from strategies import RANDOMS, read_lines, spoken

import treescore
from treescore import _core
from treescore.metrics.boundaries import Boundaries, r_value
from treescore.place.pair import Pair


def bank_of(sentences: list[Words], unit: float) -> treescore.Treebank:
    """Flat trees over these words, some of which may have no length."""
    builder = _core.TreeBuilder()
    for words in sentences:
        builder.open(b"S")
        for _ in words:
            builder.leaf(b"w", b"NN")
        builder.close()
        builder.set_times([(start * unit, end * unit) for start, end in words])
        builder.finish(0)
    return treescore.Treebank(builder.trees())


def with_silence(rng: Random, words: Words) -> Words:
    """Some words that are not spoken, at the ends of others."""
    out: Words = []
    for start, end in words:
        if rng.random() < 0.2:
            out.append((start, start))
        out.append((start, end))
        if rng.random() < 0.2:
            out.append((end, end))
    return out


@given(RANDOMS)
def test_random_words(rng: Random) -> None:
    features = make_features(rng)
    unit = rng.choice((0.01, 0.001, 1.0))
    gold = [make_words(rng, rng.randint(1, 12), features) for _ in range(3)]
    test = [rng.choice((words, move_words(rng, words), make_words(rng, 6, features))) for words in gold]
    gold, test = ([with_silence(rng, words) for words in side] for side in (gold, test))
    tolerance, edges = rng.choice((0, 1, 2, 5, features.longest)), rng.random() < 0.5
    metric = Boundaries(tolerance=tolerance * unit, edges=edges)
    counts = metric.counts(Pair(bank_of(gold, unit), bank_of(test, unit)))
    for row, sides in enumerate(zip(gold, test, strict=True)):
        instants = [oracle.instants(words, edges=edges) for words in sides]
        result = oracle.hits(instants[0], instants[1], tolerance)
        assert [counts[name][row] for name in ("hits", "gold", "test")] == [result, *map(len, instants)]
        assert counts["length"][row] == sum(start < end for start, end in gold[row])
        assert counts["exact"][row] == (result == len(instants[0]) == len(instants[1]))
    total = counts.total()
    parts = metric.score(counts).parts
    if total["gold"]:
        over = total["test"] / total["gold"] - 1
        assert parts["over_segmentation"] == pytest.approx(over)
        assert parts["r_value"] == pytest.approx(oracle.r_value(total["hits"] / total["gold"], over))
    else:
        assert parts["recall"] is parts["over_segmentation"] is parts["r_value"] is None
    if total["hits"]:  # as it is often written
        recall, precision = parts["recall"], parts["precision"]
        assert recall is not None and precision is not None
        assert parts["over_segmentation"] == pytest.approx(recall / precision - 1)


@given(RANDOMS)
def test_the_tree_above_the_words_does_not_matter(rng: Random) -> None:
    pair = make_pair(rng)
    trees = [[with_times(tree, lambda time: time / 100)] for tree in pair]
    words = [[[(start, end) for _, start, end in leaves_of(tree)]] for tree in pair]
    metric = Boundaries()
    assert (
        metric.counts(Pair(*map(treescore.read, trees))).total()
        == metric.counts(Pair(*(bank_of(side, 0.01) for side in words))).total()
    )


def test_exactly_at_the_tolerance_is_a_hit() -> None:
    for cents in range(1, 3_000, 7):
        banks = (bank_of([[(0, cut), (cut, 4_000)]], 0.01) for cut in (cents, cents + 2))
        assert Boundaries().counts(Pair(*banks)).total()["hits"] == 1
        banks = (bank_of([[(0, cut), (cut, 4_000)]], 0.01) for cut in (cents, cents + 3))
        assert Boundaries().counts(Pair(*banks)).total()["hits"] == 0


def test_a_gap_by_rounding_is_none() -> None:
    words = [["A", 0.0, 0.1 + 0.2], ["B", 0.3, 1.0]]
    apart = [["A", 0.0, 0.3], ["B", 0.1 + 0.2, 1.0]]
    metric = Boundaries(tolerance=0)
    counts = metric.counts(Pair(treescore.read([["S", words]]), treescore.read([["S", apart]])))
    assert counts.row(0) == {**counts.row(0), "hits": 1, "gold": 1, "test": 1, "exact": 1}
    for gap, number in ((0.9e-6, 1), (1.1e-6, 2)):
        bank = treescore.read([["S", [["A", 0.0, 0.3], ["B", 0.3 + gap, 1.0]]]])
        assert metric.counts(Pair(bank, bank)).total()["gold"] == number


def test_far_too_many_boundaries_are_below_zero() -> None:
    gold, test = bank_of([[(0, 50), (50, 100)]], 0.01), bank_of([[(n, n + 1) for n in range(100)]], 0.01)
    parts = treescore.evaluate(gold, test, "boundaries").scores[0].parts
    assert parts["recall"] == 1
    assert parts["over_segmentation"] == 98
    assert parts["r_value"] == r_value(1, 1, 99)
    assert parts["r_value"] is not None and parts["r_value"] < -80


def test_sentences_that_cannot_be_compared() -> None:
    gold = spoken(read_lines("(S (A a) (B b))\n(S (A a) (B b))\n\n\n(S (A a)\n"))
    test = spoken(read_lines("(S (A a) (B b))\n()\n(S (A a) (B b))\n\n(S (A a))\n"))
    report = treescore.evaluate(gold, test, "boundaries")
    counts = report.scores[0].counts
    assert list(counts["valid"]) == [1, 1, 1, 0, 0]
    assert list(counts["errors"]) == [0, 0, 0, 0, 1]
    assert [counts.row(row)["hits"] for row in range(5)] == [1, 0, 0, 0, 0]
    assert (counts.total()["gold"], counts.total()["test"]) == (2, 2)
    assert report.problem_counts() == {"unclosed": 1, "unparsed": 1, "no-gold": 1, "empty": 1}


def test_trees_without_times() -> None:
    text = treescore.read("(S (A a) (B b))\n(S (A a))")
    with pytest.raises(treescore.InputError, match="have no times; boundaries are compared"):
        Boundaries().counts(Pair(text, spoken(text)))
    some = spoken(text)[:1] + text[1:]
    report = treescore.evaluate(some, spoken(text), "boundaries")
    assert report.problem_counts() == {"no-times": 1}
    assert report.scores[0].counts.total()["valid"] == 1


def test_rows_and_description() -> None:
    gold, test = bank_of([[(0, 50), (50, 100)]], 0.01), bank_of([[(0, 100)]], 0.01)
    metric = Boundaries()
    counts = metric.counts(Pair(gold, test))
    rows = metric.rows(counts)
    assert (rows["f1"], rows["precision"], rows["recall"], rows["length"]) == ([0.0], [None], [0.0], [2])
    assert metric.in_words() != Boundaries(edges=True).in_words()
    assert metric.summary(counts) == "1 sentence: 1 scored, 0 failed"
