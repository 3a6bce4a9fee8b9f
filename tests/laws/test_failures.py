"""Failing never helps: what failed sentences cost, in every metric."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given, strategies as st
from laws.test_laws import ALL, PAIRED, banks
from strategies import FAILED, PAIRS, RANDOMS, Pairs, Phrase, changed, make_pair, make_tree, make_words, write

import treescore
from treescore.metrics.nodes import SameWordsMetric
from treescore.metrics.parseval import Parseval
from treescore.metrics.policy import PolicyMetric
from treescore.place.pair import Pair
from treescore.values.score import CAUSES

#: Those that need the same words on both sides, and whose brackets are counted on each side for itself.
SAME_WORDS = [
    metric
    for metric in PAIRED
    if isinstance(metric, SameWordsMetric)
    or metric.name == "functions"
    or (isinstance(metric, Parseval) and metric.recipe.lengths != "any")  # else trees without words are scored
]
#: What cannot be scored, whatever gold is.
GARBAGE = ("(S (NN a)", "S", "(())", "", ")", f"(S {9 * '(NN zzz) '}(NN z))")
#: Those that count each side without a look at the other, and leave no short sentences out.
PLAIN = [
    metric
    for metric in SAME_WORDS
    if isinstance(metric, PolicyMetric) and metric.recipe.delete_by == "own" and metric.recipe.least_words <= 1
]
#: Gold words are put back where only the tags of test delete them; then gold has other brackets if test can be read. Or
#: gold deletes other words of test than test itself.
DEPENDENT = [
    metric
    for metric in SAME_WORDS
    if isinstance(metric, PolicyMetric)
    and (metric.recipe.quotes or metric.recipe.keep or metric.recipe.words != "same")
]


def score_of(metric: treescore.Metric, pairs: Pairs) -> treescore.Score:
    return metric.score(metric.counts(Pair(*banks(pairs))))


def side_counts(metric: treescore.Metric, lines: list[str]) -> list[int]:
    """The brackets (nodes, words) of each tree by itself."""
    return list(metric.counts(Pair(*banks([(line, line) for line in lines])))["gold"])


def has_more(metric: treescore.Metric, gold: str, test: str) -> bool:
    """Does test have more brackets than gold, alone or next to gold, or more of one of the kinds that a metric counts?

    Perhaps it has where it is too short to be counted by itself.
    """
    counts = metric.counts(Pair(*banks([(line, line) for line in (gold, test)])))
    if counts["excluded"][1] and not counts["excluded"][0]:
        return True
    sides = [name for name in metric.all_columns if name.endswith("gold")]
    if any(counts[name][1] > counts[name][0] for name in sides):
        return True
    row = metric.counts(Pair(*banks([(gold, test)]))).row(0)  # deletion by gold may keep more of test
    return any(row[name.removesuffix("gold") + "test"] > row[name] for name in sides)


@given(PAIRS)
def test_each_row_has_one_cause_at_most(pairs: Pairs) -> None:
    for metric in ALL:
        counts = metric.counts(Pair(*banks(pairs)))
        for row in counts.rows():
            assert sum(row[cause] for cause in CAUSES) <= 1, (metric, row)
            assert all(row[cause] in (0, 1) for cause in CAUSES), (metric, row)
            if row["failed"]:
                assert row["test_all"] >= row["gold_all"] == row["failed_gold"], (metric, row)
            elif row["excluded"] or row["gold_faults"] or row["lost"]:
                assert row["gold_all"] == row["test_all"] == row["failed_gold"] == 0, (metric, row)
            elif metric.name != "conllu_eval":
                assert (row["gold_all"], row["test_all"]) == (row["gold"], row["test"]), (metric, row)
                assert row["failed_gold"] == 0, (metric, row)


@given(PAIRS)
def test_the_status_of_a_row_is_its_cause(pairs: Pairs) -> None:
    """Also in tables; PARSEVAL and functions have that of EVALB there, which knows no failures."""
    for metric in ALL:
        counts = metric.counts(Pair(*banks(pairs)))
        statuses = [1 if row["failed"] else 2 if any(row[cause] for cause in CAUSES) else 0 for row in counts.rows()]
        assert counts.statuses() == statuses, metric
        if metric.name not in ("parseval", "functions"):
            assert metric.rows(counts)["status"] == statuses, metric


@given(PAIRS)
def test_coverage_is_the_share_that_did_not_fail(pairs: Pairs) -> None:
    for metric in ALL:
        score = score_of(metric, pairs)
        total = score.counts.total()
        eligible = sum(times * total[name] for name, times in metric.eligible.items())
        if not eligible:
            assert score.coverage is None, metric
            continue
        assert score.coverage == (eligible - total["failed"]) / eligible, metric
        assert 0 <= score.coverage <= 1
        assert score.coverage.gold is None or 0 <= score.coverage.gold <= 1
        if not total["failed"] and not total["lost"]:
            assert not score.is_partial and score.all == score.value, metric
            assert score.all_figures.items() <= score.figures.items(), metric


@given(RANDOMS)
def test_gold_against_itself_is_covered(rng: Random) -> None:
    lines = [write(make_tree(rng, make_words(rng, 8))) for _ in range(rng.randint(1, 5))] + [rng.choice(FAILED)]
    for metric in ALL:
        score = score_of(metric, [(line, line) for line in lines])
        assert score.counts.total()["failed"] == 0, metric
        assert score.coverage in (None, 1.0), metric


@given(PAIRS)
def test_failed_sentences_cost_all_that_gold_has_and_no_less_than_test_has(pairs: Pairs) -> None:
    """Against each side by itself, which knows nothing of the other."""
    gold, test = banks(pairs)
    for metric in SAME_WORDS:
        counts = metric.counts(Pair(gold, test))
        if metric.name == "functions":
            continue  # of gold against itself only those on brackets that are right count, which are all
        of_gold, of_test = (side_counts(metric, [pair[side] for pair in pairs]) for side in (0, 1))
        for place, row in enumerate(counts.rows()):
            if row["failed"]:
                assert row["failed_gold"] == of_gold[place], (metric, pairs[place])
                if test.native.faulty(place):
                    assert row["test_all"] == of_gold[place], (metric, pairs[place])
                elif metric in PLAIN:
                    assert row["test_all"] == max(of_gold[place], of_test[place]), (metric, pairs[place])


def no_better(metric: treescore.Metric, before: treescore.Score, after: treescore.Score) -> None:
    for name, part in before.all_figures.items():
        worse = after.all_figures[name]
        if part.value is None:
            continue
        assert worse.value is not None, (metric, name)
        assert metric.goodness(name, worse.value) <= metric.goodness(name, part.value) + 1e-12, (metric, name)


@given(RANDOMS, st.sampled_from(GARBAGE))
def test_failing_never_raises_a_figure_over_all_sentences(rng: Random, garbage: str) -> None:
    pairs = [make_pair(rng, most=6) for _ in range(rng.randint(1, 4))]
    for metric in SAME_WORDS:
        if metric in DEPENDENT:
            continue
        before = score_of(metric, pairs)
        broken = rng.randrange(len(pairs))
        if has_more(metric, *pairs[broken]):
            continue
        changed_pairs = [*pairs[:broken], (pairs[broken][0], garbage), *pairs[broken + 1 :]]
        no_better(metric, before, score_of(metric, changed_pairs))


@given(RANDOMS)
def test_deleting_a_sentence_never_raises_a_figure_over_all_sentences(rng: Random) -> None:
    golds: list[Phrase] = [make_tree(rng, make_words(rng, 6)) for _ in range(rng.randint(1, 4))]
    tests = [changed(rng, gold) for gold in golds]
    gone = rng.randrange(len(golds))
    ids = [f"s{number}" for number in range(len(golds))]
    gold = treescore.read([write(tree) for tree in golds], form="brackets")
    for metric in SAME_WORDS:
        if metric in DEPENDENT or has_more(metric, write(golds[gone]), write(tests[gone])):
            continue
        whole = treescore.read([write(tree) for tree in tests], form="brackets")
        shorter = whole.select(None if place == gone else place for place in range(len(ids)))
        scores = [metric.score(metric.counts(Pair(gold, test))) for test in (whole, shorter)]
        no_better(metric, *scores)
        assert scores[1].coverage is None or scores[1].coverage.failed + scores[1].coverage.excluded >= 1, metric


def figures(score: treescore.Score) -> Mapping[str, float | None]:
    return {name: part.value for name, part in score.all_figures.items()}


@given(PAIRS)
def test_samples_know_the_same_figures_over_all_sentences(pairs: Pairs) -> None:
    for metric in ALL:
        score = score_of(metric, pairs)
        total = score.counts.total()
        for name, value in figures(score).items():
            assert metric.figure(total, f"{name}_all") == pytest.approx(value, abs=1e-12), (metric, name)
            assert score.parts[f"{name}_all"] == value


@given(PAIRS)
def test_least_words_looks_at_gold_only(pairs: Pairs) -> None:
    metric = treescore.metric("parseval|profile:none|least-words:3")
    counts = metric.counts(Pair(*banks(pairs)))
    other = metric.counts(Pair(*banks([(gold, "(S (NN zzz))") for gold, _ in pairs])))
    assert counts["excluded"].tolist() == other["excluded"].tolist()
