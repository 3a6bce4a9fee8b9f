"""A report in the format of EVALB."""

from __future__ import annotations

from ..helpers.text import decode
from ..metrics.base import check_best
from ..metrics.parseval import Parseval
from ..values.problem import UsageError
from . import evalb_text as text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..scoring.report import Report


def as_evalb(report: Report) -> str:
    """The header, a row per sentence, the totals and the summary of the first PARSEVAL score."""
    for metric, score in zip(report.metrics, report.scores, strict=True):
        if isinstance(metric, Parseval):
            check_best(metric, "report in the format evalb")
            columns = {**score.counts.columns, **score.counts.notes}
            everything, short = text.Totals(), text.Totals(metric.cutoff)
            size = len(score.counts)
            for totals in (everything, short):
                totals.add(columns, 0, size)
            out = text.HEADER + text.rows(columns, 0, size, 1) + text.RULE
            return decode(out + text.totals_line(everything) + text.summary(everything, short))
    raise UsageError(f"the format evalb needs the metric parseval, not {report.scores[0].name}")
