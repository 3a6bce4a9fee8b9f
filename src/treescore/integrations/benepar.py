"""The five figures that benepar's training loop takes from the evalb program, without the program."""

from __future__ import annotations

from ..evaluation import evaluate
from ..metrics.parseval import f_measure
from ..values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..readers.sources import Readable


class FScore(Value):
    """Recall, precision, F, complete match and tagging accuracy in percent with two decimals, as evalb prints them."""

    recall: float
    precision: float
    fscore: float
    complete_match: float
    tagging_accuracy: float

    __slots__ = ("recall", "precision", "fscore", "complete_match", "tagging_accuracy")

    def __init__(
        self, recall: float, precision: float, fscore: float, complete_match: float, tagging_accuracy: float = 100.0
    ) -> None:
        self._store(
            recall=recall,
            precision=precision,
            fscore=fscore,
            complete_match=complete_match,
            tagging_accuracy=tagging_accuracy,
        )

    def __str__(self) -> str:
        return (
            f"(Recall={self.recall:.2f}, Precision={self.precision:.2f}, FScore={self.fscore:.2f}, "
            f"CompleteMatch={self.complete_match:.2f}, TaggingAccuracy={self.tagging_accuracy:.2f})"
        )


def evalb(gold_trees: Readable, predicted_trees: Readable, metric: str = "parseval|profile:benepar") -> FScore:
    """Score predicted trees like `evalb -p nk.prm`. Undefined figures are 0, an undefined F is nan, as there.

    >>> print(evalb(["(TOP (S (NP (NN a)) (VP (VB b))))"], ["(TOP (S (NP (NN a)) (NP (VB b))))"]))
    (Recall=66.67, Precision=66.67, FScore=66.67, CompleteMatch=0.00, TaggingAccuracy=100.00)
    """
    figures = evaluate(gold_trees, predicted_trees, metric).scores[0].figures
    f_percent = f_measure(figures["precision"], figures["recall"])
    names = ("recall", "precision", "exact", "tag_accuracy")
    recall, precision, exact, tags = (round(figures[name].shown_value or 0.0, 2) for name in names)
    return FScore(recall, precision, float("nan") if f_percent is None else round(f_percent, 2), exact, tags)
