"""The five figures that benepar's training loop reads from the evalb program, without that program."""

from __future__ import annotations

import warnings

from ..metrics.parseval import f_measure
from ..scoring.evaluation import evaluate
from ..values.value import Value
from .streaming import warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..readers.sources import Readable
    from ..values.score import Part


class FScore(Value):
    """Recall, precision, F, complete match and tagging accuracy in percent with two decimals, as evalb prints them.

    They omit `failed` sentences; `fscore_all` is F over all sentences, in which failed ones count as wrong. `skipped`
    of the `total` sentences were left out because of gold or of the parameters.
    """

    recall: float
    precision: float
    fscore: float
    complete_match: float
    tagging_accuracy: float
    fscore_all: float
    failed: int
    skipped: int
    total: int

    def __str__(self) -> str:
        return (
            f"(Recall={self.recall:.2f}, Precision={self.precision:.2f}, FScore={self.fscore:.2f}, "
            f"CompleteMatch={self.complete_match:.2f}, TaggingAccuracy={self.tagging_accuracy:.2f})"
        )


def evalb(gold_trees: Readable, predicted_trees: Readable, metric: str = "parseval|profile:benepar") -> FScore:
    """Score predicted trees like `evalb -p nk.prm`: undefined figures are 0, an undefined F is nan.

    Warns if sentences failed, and if F is undefined.

    >>> print(evalb(["(TOP (S (NP (NN a)) (VP (VB b))))"], ["(TOP (S (NP (NN a)) (NP (VB b))))"]))
    (Recall=66.67, Precision=66.67, FScore=66.67, CompleteMatch=0.00, TaggingAccuracy=100.00)
    """
    score = evaluate(gold_trees, predicted_trees, metric).scores[0]
    warn(score)
    if score.value == 0:
        warnings.warn("F is undefined (nan), as in evalb: no bracket is correct", stacklevel=2)
    figures, total = score.figures, score.counts.total()
    names = ("recall", "precision", "exact", "tag_accuracy")
    recall, precision, exact, tags = (round(figures[name].shown_value or 0.0, 2) for name in names)
    return FScore(
        *(recall, precision, _f_percent(figures), exact, tags),
        fscore_all=0.0 if score.all == 0 else _f_percent(score.all_figures),
        failed=total["failed"],
        skipped=total["excluded"] + total["gold_faults"] + total["lost"],
        total=total["sentences"],
    )


def _f_percent(figures: Mapping[str, Part]) -> float:
    f_percent = f_measure(figures["precision"].shown_value, figures["recall"].shown_value)
    return float("nan") if f_percent is None else round(f_percent, 2)
