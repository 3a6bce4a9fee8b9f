"""Explanations of sentences below the tables of a report, or in its JSON."""

from __future__ import annotations

from ..analysis.explain import explain
from ..analysis.sentences import check_explained, costliest, select_sentences, selects_worst, without_score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..analysis.explain import Explanation
    from ..scoring.report import Report
    from ..values.score import Score

_MOST = 100  # losses that are shown per sentence


def explanations(report: Report, score: Score, wanted: Sequence[str]) -> list[Explanation]:
    """The explanations of the selected sentences by one metric."""
    return [explain(report.pair(index, score.signature)) for index in select_sentences(report, wanted, score.signature)]


def as_text(report: Report, wanted: Sequence[str], *, by: str | None = None) -> str:
    """A paragraph for each sentence and metric, and notes on metrics that cannot be explained."""
    explained = check_explained(report.metrics)
    parts = []
    for metric, score in zip(report.metrics, report.scores, strict=True):
        if metric not in explained:
            parts.append(f"{score.name} cannot be explained node by node")
            continue
        parts += [explanation.text(_MOST) for explanation in explanations(report, score, wanted)]
        if selects_worst(report.gold, wanted):
            parts += _about_worst(report, score)
    if by != "label":
        parts.append("which labels cost most in the whole file: --by label")
    return "\n\n".join(parts) + "\n"


def _about_worst(report: Report, score: Score) -> list[str]:
    """Notes on the worst sentences: that there are none, and sentences without a score."""
    notes = [] if costliest([report], score.signature) else [f"nothing was lost: {score.signature}"]
    unscored = without_score([report], score.signature)
    return [*notes, f"{unscored} (--explain with its number says why)"] if unscored else notes


def values(report: Report, score: Score, wanted: Sequence[str]) -> list[dict[str, Any]] | None:
    """The explanations as data for JSON; None if the metric cannot be explained."""
    metric = report.metrics[report.scores.index(score)]
    if metric not in check_explained(report.metrics):
        return None
    return [explanation.values() for explanation in explanations(report, score, wanted)]
