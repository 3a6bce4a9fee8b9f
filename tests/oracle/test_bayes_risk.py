"""Minimum Bayes risk against its definition, and the laws that it obeys."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from oracle import nbest as oracle

import treescore
from treescore import nbest
from treescore.nbest import Curves, NBest

METRICS = ("struct_iou", "parseval", "parseval|profile:none")


def grown(rng: Random, words: list[str]) -> str:
    """A random tree over the words."""
    if len(words) == 1:
        leaf = f"({rng.choice(('NN', 'VB', ','))} {words[0]})"
        return f"({rng.choice(('NP', 'VP'))} {leaf})" if rng.random() < 0.3 else leaf
    cuts = sorted(rng.sample(range(1, len(words)), rng.randint(1, min(3, len(words) - 1))))
    parts = [words[a:b] for a, b in zip([0, *cuts], [*cuts, len(words)], strict=True)]
    return f"({rng.choice(('S', 'NP', 'VP'))} {' '.join(grown(rng, part) for part in parts)})"


@st.composite
def lists(draw: st.DrawFn) -> tuple[list[str], list[float]]:
    """Candidates for a sentence, some of them twice, and their scores."""
    rng = draw(st.randoms(use_true_random=False))
    words = [rng.choice("abc") for _ in range(draw(st.integers(1, 6)))]
    trees = [grown(rng, words) for _ in range(draw(st.integers(1, 5)))]
    trees += [rng.choice(trees) for _ in range(draw(st.integers(0, 2)))]
    return trees, [rng.uniform(-6, 0) for _ in trees]


@given(lists(), st.sampled_from(METRICS), st.sampled_from([None, 0.5, 1.0, 4.0]))
@settings(max_examples=30, deadline=None)
def test_the_definition(result: tuple[list[str], list[float]], metric: str, temperature: float | None) -> None:
    trees, scores = result
    weights = [1.0] * len(trees) if temperature is None else oracle.softmax(scores, temperature)
    expected = oracle.expected(trees, weights, metric)
    options = {} if temperature is None else {"weights": "scores", "temperature": temperature}
    [choice] = nbest.mbr([NBest.of(trees, scores=scores)], metric, **options)  # type: ignore[arg-type]
    assert choice.rank == oracle.best(expected) + 1
    assert str(choice.tree) == str(treescore.read(trees)[oracle.best(expected)])
    actual = choice.distribution()
    assert abs(sum(each.weight for each in actual) - 1) < 1e-9
    assert [each.rank for each in actual] == [trees.index(tree) + 1 for tree in dict.fromkeys(trees)]
    for each in actual:
        total = sum(weight for tree, weight in zip(trees, weights, strict=True) if tree == trees[each.rank - 1])
        assert abs(each.weight - total / sum(weights)) < 1e-9
        if each.expected is None:  # no pair has a score
            assert not any(expected)
        else:
            assert abs(each.expected - expected[each.rank - 1]) < 1e-8


@given(st.lists(lists(), min_size=1, max_size=3), st.sampled_from(METRICS), st.randoms(use_true_random=False))
@settings(max_examples=6, deadline=None)
def test_curves(result: list[tuple[list[str], list[float]]], metric: str, rng: Random) -> None:
    all_trees = [trees for trees, _ in result]
    gold = [grown(rng, treescore.read(trees[:1]).words(0)) for trees in all_trees]
    curves = Curves(gold)
    assert len(list(nbest.mbr(all_trees, metric, curves=curves))) == len(gold)
    curves.finish()
    assert curves.most == max(map(len, all_trees))
    for n, item in curves.table():
        heads = [trees[:n] for trees in all_trees]
        means = [oracle.expected(head, [1.0] * len(head), metric) for head in heads]
        best = [
            oracle.best([oracle.one_pair(tree, each, metric) for each in head])
            for tree, head in zip(gold, heads, strict=True)
        ]
        systems = {
            "first": [head[0] for head in heads],
            "chosen": [head[oracle.best(mean)] for head, mean in zip(heads, means, strict=True)],
        }
        for name, trees in systems.items():
            assert item[name] == treescore.evaluate(gold, trees, metric).scores[0].all, (n, name)
        if metric == "struct_iou":  # elsewhere, a pair without a score is no worse than one with 0
            chosen = [head[place] for head, place in zip(heads, best, strict=True)]
            assert item["oracle"] == pytest.approx(treescore.evaluate(gold, chosen, metric).scores[0].all, abs=1e-9)
            assert item["expected"] == pytest.approx(sum(map(max, means)) / len(means), abs=1e-8)


@pytest.mark.parametrize("metric", METRICS)
def test_equal_candidates_and_single_ones(metric: str) -> None:
    tree = "(S (NP (NN a)) (VP (VB b)))"
    for trees in ([tree], [tree] * 3, [tree, tree.replace(" (", "  (")]):
        [choice] = nbest.mbr([trees], metric)
        assert (choice.rank, choice.expected, choice.distinct) == (1, 1.0, 1)


@given(lists(), st.sampled_from(METRICS))
@settings(max_examples=20, deadline=None)
def test_lists_do_not_depend_on_each_other_nor_on_threads(result: tuple[list[str], list[float]], metric: str) -> None:
    trees, scores = result
    other = ["(S (NN x) (NN y))", "(S (NP (NN x)) (NN y))"]

    def told(choices: list[nbest.Choice]) -> list[object]:
        return [(str(choice.tree), choice.rank, choice.expected) for choice in choices]

    both = [NBest.of(trees, scores=scores), NBest.of(other, scores=[-1, -2])]
    for weights in nbest.WEIGHTS:
        together = told(list(nbest.mbr(both, metric, weights=weights)))
        alone = [told(list(nbest.mbr([each], metric, weights=weights, threads=3))) for each in both]
        assert together == [each for item in alone for each in item]


def test_a_candidate_that_is_there_twice_counts_as_two() -> None:
    first, other = "(S (NP (NN a)) (NN b))", "(S (NN a) (VP (NN b)))"
    assert [choice.rank for choice in nbest.mbr([[first, other], [first, other, other]])] == [1, 2]
    spelt = [first, other, other.replace(" (", "  ( ").replace("( ", "(")]
    [choice] = nbest.mbr([spelt])
    assert (choice.rank, choice.candidates) == (2, 3)
