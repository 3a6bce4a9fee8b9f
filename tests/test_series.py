"""The numbers behind plots: what they are by their definitions, and where there are none."""

from __future__ import annotations

import json
import pickle
from random import Random
from statistics import fmean

import pytest
from strategies import banks, make_pairs

import treescore
from treescore.analysis import series
from treescore.values.counts import Counts

GOLD = ["(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)))", "(S (NN a))", "(S " + "(NN a) " * 23 + ")"]
TEST = ["(S (NP (NN a)) (VP (VB b)))", "(S (VP (NN a)))", "", "(X " + "(NN a) " * 23 + ")"]


def report_of(*metrics: str) -> treescore.Report:
    """Four sentences: right, half right, without a parse, wrong."""
    return treescore.evaluate(GOLD, TEST, metrics or "parseval|profile:none")


def test_histogram() -> None:
    result = series.histogram(report_of(), bins=10)
    assert result.edges == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    assert result.counts == (1, 0, 0, 0, 0, 1, 0, 0, 0, 1)
    assert (result.n, result.undefined, result.perfect, result.mean) == (4, 1, 1, 0.5)
    assert (result.title, result.unit) == ("Labelled F1", "sentence")


def test_every_score_lies_in_its_range() -> None:
    """Also where the score is an edge that cannot be written in binary."""
    gold = "(S " + " ".join(f"(A{number} (NN a))" for number in range(9)) + ")"
    parses = [gold] + [
        "(S " + " ".join(f"(B{n} (NN a))" if n < wrong else f"(A{n} (NN a))" for n in range(9)) + ")"
        for wrong in range(1, 10)
    ]
    report = treescore.evaluate([gold] * 10, parses, "parseval|profile:none")
    result = series.histogram(report, bins=10)
    assert result.counts == (0, 1, 1, 1, 1, 1, 1, 1, 1, 2)
    assert result.perfect == 1


def test_by_length() -> None:
    result = series.by_length(report_of())
    assert (result.first, result.last, result.n, result.undefined) == ((1, 21), (10, 30), (3, 1), (1, 0))
    assert (result.corpus, result.mean) == ((0.8, 0.0), (0.75, 0.0))
    assert series.by_length(report_of(), step=23).n == (4,)


@pytest.mark.parametrize("signature", ["parseval", "struct_iou", "leaf_ancestor", "tedeval|average:sentence"])
def test_series_against_their_definitions(signature: str) -> None:
    gold, test = banks(make_pairs(Random(3), 300))
    report = treescore.evaluate(gold, test, signature)
    metric, score = report.find()
    lengths, scores = list(score.counts["length"]), report.rows()[metric.row_figure]
    figure = metric.group_figures[0]

    def both(chosen: list[int]) -> tuple[float | None, float | None]:
        total = {name: sum(column[row] for row in chosen) for name, column in score.counts.columns.items()}
        defined = [scores[row] for row in chosen if scores[row] is not None]
        mean = fmean(defined) if defined else None
        return metric.score(Counts({}, totals=total)).figures[figure].value, mean

    levels = series.levels(report)
    for length, n, corpus, mean in zip(levels.lengths, levels.n, levels.corpus, levels.mean, strict=True):
        chosen = [row for row in range(300) if lengths[row] <= length]
        assert n == len(chosen)
        assert corpus == both(chosen)[0]
        assert mean == pytest.approx(both(chosen)[1])
    assert levels.lengths == tuple(sorted(set(lengths) - {0}))  # none of them is long
    ranges = series.by_length(report, step=3)
    for first, last, n, corpus, mean in zip(
        ranges.first, ranges.last, ranges.n, ranges.corpus, ranges.mean, strict=True
    ):
        chosen = [row for row in range(300) if first <= lengths[row] <= last]
        assert n == len(chosen)
        assert corpus == both(chosen)[0]
        assert mean == pytest.approx(both(chosen)[1])
    assert sum(ranges.n) == 300
    assert score.figures[figure].value == levels.corpus[-1]


def test_by_label() -> None:
    report = report_of("parseval|profile:none", "leaf_ancestor", "dependencies")
    result = series.by_label(report)
    assert result.labels == ("S", "NP", "VP", "X")
    assert result.gold == (3, 2, 1, 0)
    assert result.names == ("f1", "precision", "recall")
    assert result.columns[2] == (2 / 3, 0.5, 1.0, None)
    assert result.left_out == 0 and series.by_label(report, most=3).left_out == 1
    assert series.by_label(report, "leaf_ancestor", most=1).gold == (24,)
    with pytest.raises(treescore.UsageError, match="dependencies has no table by label"):
        series.by_label(report, "dependencies")


def test_two_systems_and_two_metrics() -> None:
    both = treescore.compare(GOLD, {"A": TEST, "B": GOLD}, ["parseval|profile:none", "struct_iou"])
    result = series.systems(both.reports, "A", "B", "parseval")
    assert result.x == (1.0, 0.5, 0.0, 0.0) and result.y == (1.0,) * 4
    assert (result.x_higher, result.y_higher, result.equal, result.undefined) == (0, 3, 1, 0)
    wins = both.wins("A", "B", "parseval")
    assert wins == {"A": result.x_higher, "B": result.y_higher, "equal": result.equal, "undefined": result.undefined}
    metrics = series.metrics(both["A"], "parseval", "struct_iou")
    assert (metrics.x_title, metrics.y_title, metrics.x) == ("Labelled F1", "STRUCT-IOU", (1.0, 0.5, None, 0.0))
    with pytest.raises(treescore.UsageError, match="there is no system 'C'; there are A, B"):
        series.systems(both.reports, "A", "C")
    other = treescore.evaluate(GOLD, TEST, "struct_iou")
    with pytest.raises(treescore.UsageError, match="by the same metric"):
        series.systems({"A": both["A"], "B": other}, "A", "B")


def test_metrics_of_one_kind_are_told_apart_by_their_signatures() -> None:
    report = report_of("parseval|profile:none", "parseval|profile:collins")
    result = series.metrics(report, *(score.signature for score in report.scores))
    assert (result.x_title, result.y_title) == tuple(score.signature for score in report.scores)


def test_rows_that_are_not_the_same_are_not_compared() -> None:
    report = report_of("parseval", "aligned_parseval")
    with pytest.raises(treescore.UsageError, match=r"4 of parseval \(sentence\) and .* of aligned_parseval \(block\)"):
        series.metrics(report, "parseval", "aligned_parseval")


def test_long_documents_have_few_ranges() -> None:
    text = "(S " + "(NN a) " * 12_345 + ")"
    report = treescore.evaluate([text, "(S (NN a))"], [text, "(S (NN a))"], "parseval|profile:none")
    assert series.by_length(report).last == (500, 12_500)
    assert series.levels(report).lengths == (500, 12_500)


def test_sums_have_no_series() -> None:
    scorer = treescore.Scorer()
    scorer.update(GOLD[0], TEST[0])
    score = scorer.compute()["parseval"]
    report = report_of()
    report.scores[0].counts = score.counts
    for make in (series.histogram, series.by_length, series.levels):
        with pytest.raises(treescore.UsageError, match="parseval: there are only sums"):
            make(report)


def test_nothing_gives_empty_series() -> None:
    report = treescore.evaluate([], [], "parseval")
    assert series.histogram(report).n == 0
    assert series.by_length(report).n == series.levels(report).n == series.by_label(report).gold == ()


def test_limits_are_whole_numbers() -> None:
    report = treescore.evaluate("(S (NN a))", "(S (NN a))", "parseval|profile:none")
    result = report.error_tables()
    for refused in (
        lambda: series.by_label(report, most=-1),
        lambda: series.by_label(report, most=True),
        lambda: series.histogram(report, bins=True),
        lambda: report.intervals(n=True),
        lambda: result.matrix(-1),
        lambda: result.to("table", most=-1),
        lambda: result.to("csv", by="rule", most=-1),
    ):
        with pytest.raises(treescore.UsageError, match="must be a whole number from"):
            refused()
    assert series.by_label(report, most=0).left_out == 1


@pytest.mark.parametrize("step", [0, 1.5, True, "a"])
def test_steps_are_whole_numbers(step: int) -> None:
    with pytest.raises(treescore.UsageError, match="the step in words must be a whole number from 1"):
        series.by_length(report_of(), step=step)
    with pytest.raises(treescore.UsageError, match="number of ranges must be a whole number"):
        series.histogram(report_of(), bins=step)


def test_they_are_json_and_values() -> None:
    report = report_of("parseval|profile:none", "struct_iou")
    result = (
        series.histogram(report),
        series.by_length(report),
        series.levels(report),
        series.by_label(report),
        series.metrics(report, "parseval", "struct_iou"),
    )
    for value in result:
        assert set(json.loads(json.dumps(value.values()))) == set(value.__slots__)
        assert pickle.loads(pickle.dumps(value)) == value and hash(value) == hash(value.replace())
