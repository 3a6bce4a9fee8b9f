"""Scores of parse trees as a module of Hugging Face's evaluate library.

`evaluate.load` expects the path of a folder with a script of the same name: here `parse_score`, whose script refers to
the class below. evaluate (the extra `huggingface`) is imported when it is used.

>>> from pathlib import Path
>>> Path(path()).name, (Path(path()) / "parse_score.py").exists()
('parse_score', True)
"""

from __future__ import annotations

import os

from ..helpers.extras import library
from ..helpers.threads import count_threads
from ..metrics.citations import bibtex
from ..readers.data_frames import is_missing
from ..readers.shapes import as_items
from ..readers.sources import read
from ..values.problem import UsageError
from .streaming import Scorer, one_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..metrics.base import Metric

_DESCRIPTION = """\
Scores of parse trees: PARSEVAL as EVALB computes it, STRUCT-IOU, tree distance, and the other metrics of treescore.
"""
_INPUTS = """\
Args:
    predictions: a list of trees in brackets, such as "(S (NP (NN a)) (VP (VB b)))", or of nltk's, stanza's or supar's;
        None for a sentence without a parse.
    references: a list of the gold trees.
    metric: the name of a metric, or its signature. Default: "parseval".
    threads: the number of threads. Default: all cores for large input.
Returns:
    All figures of the metric as fractions of 1 (None where undefined), each also over all sentences including failed
    ones (f1_all); the coverage; the number of failed sentences; the signature; the numbers of pairs of trees and of
    problems. Failed sentences cause a warning.
"""


def path() -> str:
    """The folder for `evaluate.load`."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "parse_score")


def load(**options: Any) -> Any:
    """Load the module with `evaluate.load`, without network access."""
    return library("evaluate", "huggingface").load(path(), **options)


def figures(
    predictions: Sequence[str | None],
    references: Sequence[str | Sequence[str | None] | None],
    metric: str | Metric = "parseval",
    threads: int | None = None,
) -> dict[str, Any]:
    """The figures that the module computes. In `references`, a sentence may have a list of several gold trees.

    >>> scores = figures(["(S (NN a))", "(X (NN b))"], ["(S (NN a))", "(S (NN b))"])
    >>> scores["f1"], scores["pairs"], scores["failed"], scores["signature"]
    (0.5, 2, 0, 'parseval|labels:yes|profile:collins|v:0.2.0.dev0')
    """
    scorer = Scorer(one_metric(metric), threads=count_threads(threads, len(references)))
    scorer.update(list(references), list(predictions))
    score = scorer.compute()[scorer.metrics[0].signature]
    totals = {"pairs": scorer.size, "problems": scorer.sentence_problems}
    return {**score.values(), "signature": score.signature, **totals}


def _as_texts(items: Any) -> list[str] | None:
    return None if items is None else [_as_text(item) for item in as_items(items)]


def _as_text(item: Any) -> str:
    """A tree as a string, the only type that evaluate can store; a missing tree as an empty bracket.

    >>> _as_text("(S (NN a)"), _as_text(None)
    ('(S (NN a)', '()')
    """
    if isinstance(item, str):
        return item
    if is_missing(item):
        return "()"
    bank = read([item])
    if bank.references:
        raise UsageError(
            "evaluate stores one tree per sentence: for several, use treescore.integrations.huggingface.figures"
        )
    return str(bank[0])


def module_class() -> type[Any]:
    """The class of the module, which needs evaluate."""
    library("evaluate", "huggingface")
    import datasets
    import evaluate

    class ParseScore(evaluate.Metric):  # type: ignore[misc]
        """Scores of parse trees."""

        def _info(self) -> Any:
            text = datasets.Value("string")
            return evaluate.MetricInfo(
                description=_DESCRIPTION,
                citation=bibtex(["treescore", *one_metric("parseval").cites]),
                inputs_description=_INPUTS,
                features=datasets.Features({"predictions": text, "references": text}),
            )

        def add_batch(self, *, predictions: Any = None, references: Any = None, **others: Any) -> None:
            """Add many pairs of trees."""
            super().add_batch(predictions=_as_texts(predictions), references=_as_texts(references), **others)

        def add(self, *, prediction: Any = None, reference: Any = None, **others: Any) -> None:
            """Add a pair of trees."""
            super().add(prediction=_as_text(prediction), reference=_as_text(reference), **others)

        def _compute(self, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
            return figures(predictions, references, **options)

    return ParseScore
