"""Minimum Bayes risk from its definition: each candidate scored against each by itself, and the mean of that."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, fsum

import treescore


def one_pair(gold: str, test: str, metric: str) -> float:
    """The score of one tree against another; 0 if there is none."""
    report = treescore.evaluate([gold], [test], metric, threads=1)
    [figure] = treescore.metric(metric).rows(report.scores[0].counts)[treescore.metric(metric).row_figure]
    return figure or 0.0


def softmax(scores: Sequence[float], temperature: float) -> list[float]:
    """Probabilities from their logarithms, divided by a temperature."""
    best = max(scores)
    parts = [exp((score - best) / temperature) for score in scores]
    return [part / fsum(parts) for part in parts]


def expected(trees: Sequence[str], weights: Sequence[float], metric: str) -> list[float]:
    """The mean score of each candidate against all, itself included."""
    return [
        fsum(weight * one_pair(gold, test, metric) for gold, weight in zip(trees, weights, strict=True)) / fsum(weights)
        for test in trees
    ]


def best(scores: Sequence[float]) -> int:
    """The place of the highest score, the first of equal ones; rounding is no difference."""
    rounded = [round(score, 8) for score in scores]
    return rounded.index(max(rounded))
