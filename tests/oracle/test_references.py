"""Several gold trees for each sentence: the best one and the mean against plain Python, and laws about them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from oracle.references import Row, best, mean
from strategies import RANDOMS, changed, make_tree, make_words, write

import treescore
from treescore import Metric, Report

SIGNATURES = [
    "parseval|profile:none",
    "parseval|profile:collins|average:sentence",
    "struct_iou",
    "functions",
    "leaf_ancestor",
    "tree_distance",
    "disfluency",
    "sparseval",
    "dependencies",
]
#: Columns about conventions are those of the tree that decides, as many times as there are trees.
CONVENTIONS = ("outer_differs", "failed_by_tags", "failed_by_escapes", "failed_by_case")

Lines = list[str]


def make_files(rng: Random, golds: int, sentences: int = 4) -> tuple[list[Lines], Lines]:
    """Some gold files and a test file of the same sentences; some trees are missing or have other words."""
    files: list[Lines] = [[] for _ in range(golds + 1)]
    for _ in range(sentences):
        words = make_words(rng, 6, 0.0)
        for file in files:
            tree = write(changed(rng, make_tree(rng, words, 0.0), 0.1, 0.0))
            file.append("()" if rng.random() < 0.1 else tree)
    return files[:-1], files[-1]


def rows_of(report: Report) -> list[Row]:
    """The rows of a report as the oracle takes them."""
    metric, score = report.find()
    figures = report.rows()[metric.row_figure]
    return [
        Row(counts, None if figure is None else metric.goodness(metric.row_figure, figure))
        for counts, figure in zip(score.counts.rows(), figures, strict=True)
    ]


def against_each(golds: Sequence[Lines], test: Lines, signature: str) -> list[tuple[Row, ...]]:
    """For each sentence its rows against each gold tree alone."""
    return list(zip(*(rows_of(treescore.evaluate(gold, test, signature)) for gold in golds), strict=True))


def several(golds: Sequence[Lines], test: Lines, signature: str) -> Report:
    """The report on all gold files."""
    return treescore.evaluate(golds[0], test, signature, references=golds[1:])


@pytest.mark.parametrize("signature", SIGNATURES)
@settings(max_examples=15)
@given(rng=RANDOMS, golds=st.integers(2, 4))
def test_the_best_gold_tree_is_that_of_plain_python(signature: str, rng: Random, golds: int) -> None:
    files, test = make_files(rng, golds)
    rows = against_each(files, test, signature)
    report = several(files, test, signature)
    assert f"|references:{golds}|reference-by:best|" in report.scores[0].signature
    assert [row.counts for row in rows_of(report)] == [row[best(row)].counts for row in rows]
    assert [row.figure for row in rows_of(report)] == [row[best(row)].figure for row in rows]


@pytest.mark.parametrize("signature", SIGNATURES)
@settings(max_examples=15)
@given(rng=RANDOMS, golds=st.integers(2, 4))
def test_the_mean_is_that_of_plain_python(signature: str, rng: Random, golds: int) -> None:
    files, test = make_files(rng, golds)
    rows = against_each(files, test, signature)
    report = several(files, test, f"{signature}|reference-by:mean")
    actual = [dict(row.counts) for row in rows_of(report)]
    expected = [mean(row) for row in rows]
    assert [_plain(row) for row in actual] == [_plain(row) for row in expected]
    coverage = report.scores[0].coverage
    if coverage is not None:
        whole = {name: sum(row[name] for row in expected) // golds for name in ("failed", "excluded", "gold_faults")}
        assert {name: getattr(coverage, name) for name in whole} == whole
        assert coverage.eligible == len(test) - whole["excluded"] - whole["gold_faults"] - coverage.lost


def _plain(row: dict[str, int]) -> dict[str, int]:
    return {name: value for name, value in row.items() if name not in CONVENTIONS}


@pytest.mark.parametrize("signature", SIGNATURES)
@settings(max_examples=15)
@given(rng=RANDOMS)
def test_the_figure_of_a_sentence_is_the_greatest_one(signature: str, rng: Random) -> None:
    files, test = make_files(rng, 3)
    for row, alone in zip(rows_of(several(files, test, signature)), against_each(files, test, signature), strict=True):
        known = [other.figure for other in alone if other.cause is None and other.figure is not None]
        if row.cause is None and row.figure is not None:
            assert row.figure == max(known)


def _all(metric: Metric, row: Row) -> float:
    """The figure of a sentence, 0 or worse if it failed."""
    if row.cause == "failed":
        return -float("inf")
    return float("inf") if row.figure is None else row.figure


@pytest.mark.parametrize("signature", SIGNATURES)
@settings(max_examples=15)
@given(rng=RANDOMS)
def test_another_gold_tree_never_lowers_the_figure_of_a_sentence(signature: str, rng: Random) -> None:
    files, test = make_files(rng, 3)
    metric = treescore.metric(signature)
    for fewer, more in zip(
        rows_of(several(files[:2], test, signature)), rows_of(several(files, test, signature)), strict=True
    ):
        if fewer.cause in (None, "failed"):
            assert _all(metric, more) >= _all(metric, fewer)


@pytest.mark.parametrize("signature", SIGNATURES)
@pytest.mark.parametrize("by", ["best", "mean"])
@settings(max_examples=15)
@given(rng=RANDOMS)
def test_the_order_of_the_others_changes_no_figure(signature: str, by: str, rng: Random) -> None:
    files, test = make_files(rng, 3)
    signature = f"{signature}|reference-by:{by}"
    first, other = (several(order, test, signature) for order in (files, files[::-1]))
    if by == "mean":
        assert first.scores[0].figures == other.scores[0].figures
    scored = [[row.figure for row in rows_of(report) if row.cause is None] for report in (first, other)]
    assert scored[0] == scored[1]


@pytest.mark.parametrize("signature", SIGNATURES)
@pytest.mark.parametrize("by", ["best", "mean"])
@settings(max_examples=15)
@given(rng=RANDOMS)
def test_two_equal_gold_files_are_one(signature: str, by: str, rng: Random) -> None:
    (gold,), test = make_files(rng, 1)
    first = treescore.evaluate(gold, test, signature).scores[0]
    two = several([gold, gold], test, f"{signature}|reference-by:{by}").scores[0]
    assert two.parts == first.parts
    assert (two.coverage is None) == (first.coverage is None)
    if first.coverage is not None and two.coverage is not None:
        assert two.coverage.values() == first.coverage.values()
    times = 1 if by == "best" else 2
    totals = first.counts.total()
    assert two.counts.total() == {name: times * value for name, value in totals.items()}


@pytest.mark.parametrize("signature", SIGNATURES)
@settings(max_examples=15)
@given(rng=RANDOMS)
def test_a_sentence_with_fewer_gold_trees_is_scored_against_those(signature: str, rng: Random) -> None:
    files, test = make_files(rng, 2)
    gold = [[first] if place % 2 else [first, second] for place, (first, second) in enumerate(zip(*files, strict=True))]
    report = treescore.evaluate(gold, test, signature)
    rows = against_each(files, test, signature)
    wanted = [row[0] if place % 2 else row[best(row)] for place, row in enumerate(rows)]
    assert [row.counts for row in rows_of(report)] == [row.counts for row in wanted]


@pytest.mark.parametrize("signature", SIGNATURES)
def test_a_sentence_that_fails_counts_against_the_first_gold_tree(signature: str) -> None:
    """Also if another one has no brackets, so that nothing would be lost against it."""
    first, second = "(S (NP (DT a) (NN b)) (VP (VB c)))", "(TOP (DT a) (NN b) (VB c))"
    left, two = (treescore.evaluate(gold, ["()"], signature) for gold in ([first], [[first, second]]))
    assert two.scores[0].counts.total() == left.scores[0].counts.total()


@settings(max_examples=15)
@given(rng=RANDOMS)
def test_tables_by_label_and_length_add_up(rng: Random) -> None:
    files, test = make_files(rng, 3)
    report = several(files, test, "parseval|profile:none")
    total = report.scores[0].counts.total()
    for by in ("label", "length"):
        table = report.breakdown(by).values()
        assert sum(figures["recall"].above or 0 for figures in table) == total["matched"]
        assert sum(figures["recall"].below or 0 for figures in table) == total["gold"]


@pytest.mark.parametrize("signature", ["parseval|profile:none", "struct_iou"])
@settings(max_examples=15)
@given(rng=RANDOMS)
def test_nodes_are_those_of_the_gold_tree_that_was_chosen(signature: str, rng: Random) -> None:
    files, test = make_files(rng, 3)
    report = several(files, test, signature)
    rows = against_each(files, test, signature)
    for place, row in enumerate(rows):
        number = best(row)
        alone = treescore.evaluate(files[number], test, signature)
        assert report.pair(place).links() == alone.pair(place).links()
        assert str(report.pair(place).gold) == str(alone.pair(place).gold)
        assert report.node_mappings()[place] == alone.node_mappings()[place]
