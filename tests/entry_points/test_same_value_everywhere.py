"""The same signature and the same two files give the same value, the same figure over all sentences and the same
coverage at every entry point."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from entry_points.every_entry_point import (
    ENTRY_POINTS,
    EntryPoint,
    Outcome,
    Refused,
    differences,
    evaluate_lists,
    labelled_f1,
    of_score,
    whole,
)
from entry_points.file_pairs import CLEAN, PAIRS, FilePair, Written, can_handle
from entry_points.toy_metric import Toy

import treescore
from treescore import Metric, Score
from treescore.metrics import names

#: Every registered metric as it is, and some with other options.
METRICS = [
    *map(treescore.metric, names()),
    *map(
        treescore.metric,
        (
            "parseval|labels:no|profile:none",
            "parseval|profile:collins|outer:ignored|average:sentence",
            "struct_iou|axis:seconds",
            "struct_iou|profile:collins",
            "aligned_parseval|profile:collins",
            "sparseval|unit:file",
            "leaf_ancestor|average:corpus",
        ),
    ),
]

BOTH = [(pair, point) for pair in PAIRS for point in ENTRY_POINTS]
NAMES = [f"{pair.name} - {point.name}" for pair, point in BOTH]


def metrics_of(written: Written, point: EntryPoint) -> list[Metric]:
    """The metrics that can handle a pair, and for which the entry point is made."""
    return [metric for metric in METRICS if can_handle(metric, written.pair) and point.takes(written, metric)]


@cache
def reference(written: Written, metric: Metric) -> Score:
    """The score of two whole files, which all others are compared with."""
    if metric.reads == "conllu":
        return treescore.conllu_eval(*written.paths, metric=metric).scores[0]
    return whole(written, metric.signature).scores[0]


def called(point: EntryPoint, written: Written, signature: str | None) -> Outcome | str:
    """The outcome, or why there is none."""
    try:
        return point.call(written, signature)
    except Refused as refusal:
        return f"refused: {refusal}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize(("pair", "point"), BOTH, ids=NAMES)
def test_a_signature_and_two_files_determine_the_score(
    pair: FilePair, point: EntryPoint, written: dict[str, Written]
) -> None:
    files = written[pair.name]
    wrong = {}
    for metric in metrics_of(files, point):
        outcome = called(point, files, metric.signature)
        result = outcome if isinstance(outcome, str) else differences(outcome, reference(files, metric))
        if result:
            wrong[metric.signature] = result
    assert not wrong


@pytest.mark.parametrize("point", ENTRY_POINTS, ids=str)
def test_a_toy_metric_has_the_same_score_everywhere(
    point: EntryPoint, written: dict[str, Written], toy_is_registered: None
) -> None:
    wrong, metric = {}, Toy()
    for files in written.values():
        if can_handle(metric, files.pair) and point.takes(files, metric):
            outcome = called(point, files, metric.signature)
            result = outcome if isinstance(outcome, str) else differences(outcome, reference(files, metric))
            if result:
                wrong[files.pair.name] = result
    assert not wrong


@pytest.mark.parametrize("point", ENTRY_POINTS, ids=str)
def test_each_entry_point_is_compared_often_enough(point: EntryPoint, written: dict[str, Written]) -> None:
    """Pairs and metrics that are compared above, so that nothing is left out because of a wrong declaration."""
    compared = [(pair, metric) for pair in PAIRS for metric in metrics_of(written[pair.name], point)]
    special = point.takes is labelled_f1 or point.name in (
        "agreement",
        "conllu_eval",
        "--pair auto",
        "show",
    )
    least_pairs, least = (1, 1) if special else (12, 100)
    assert len({pair.name for pair, _ in compared}) >= least_pairs
    assert len(compared) >= least


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.reads == "trees"], ids=str)
def test_a_score_does_not_depend_on_the_metrics_beside_it(pair: FilePair, written: dict[str, Written]) -> None:
    files = written[pair.name]
    metrics = [metric for metric in METRICS if can_handle(metric, pair)]
    alone = {metric: reference(files, metric) for metric in metrics}
    together = treescore.evaluate(*files.paths, metrics, layout=pair.layout)
    wrong = {score.signature: differences(of_score(score), alone[metric]) for metric, score in together.pairs()}
    assert not {signature: item for signature, item in wrong.items() if item}


def test_every_metric_is_compared_on_several_pairs() -> None:
    for metric in METRICS:
        handled = [pair.name for pair in PAIRS if can_handle(metric, pair)]
        assert len(handled) >= (1 if metric.reads == "conllu" or metric.needs_times else 12), metric


def test_scores_of_different_pairs_differ(written: dict[str, Written]) -> None:
    """The laws above are not about one number that all have in common."""
    metric = treescore.metric("parseval")
    values = {reference(written[pair.name], metric).all for pair in PAIRS if can_handle(metric, pair)}
    assert len(values) > 8


def test_a_difference_is_seen(written: dict[str, Written]) -> None:
    score = evaluate_lists(written[CLEAN.name], "parseval")
    right = reference(written[CLEAN.name], treescore.metric("parseval"))
    assert not differences(score, right)
    for changed in (
        replace(score, value=0.5),
        replace(score, all=None),
        replace(score, signature="parseval"),
        replace(score, coverage={"failed": 1}),
        replace(score, coverage=None),
        Outcome(score.signature, "80.00", are_displayed=True),
    ):
        assert len(differences(changed, right)) == 1
