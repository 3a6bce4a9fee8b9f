"""pairwise(): every tree against every other tree, as needed by minimum-Bayes-risk decoding."""

from __future__ import annotations

from ..helpers.text import decode
from ..helpers.threads import count_threads
from ..metrics import get
from ..metrics.policy import PolicyMetric
from ..readers.sources import read
from ..values.problem import InputError, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from .. import _core
    from ..metrics.base import Metric
    from ..readers.sources import Readable
    from ..recipe import Recipe
    from ..trees import Treebank

_MANY = 64  # number of trees from which several threads are faster


def pairwise(
    trees: Readable,
    metric: str | Metric | Recipe = "struct_iou",
    *,
    threads: int | None = None,
    progress: _core.Progress | None = None,
) -> Any:
    """The score of each tree against each other tree: a numpy array if numpy is installed, else nested lists.

    All trees are candidates for one sentence; words that the metric deletes may differ. A tree that cannot be read
    scores 0 against the others. Undefined scores are NaN.

    >>> scores = pairwise(["(S (NP (NN a)) (VB b))", "(S (NP (NN a) (VB b)))", "(S (NN a) (VB b))"])
    >>> [[round(float(score), 3) for score in row] for row in scores]
    [[1.0, 0.75, 0.857], [0.75, 1.0, 0.857], [0.857, 0.857, 1.0]]
    """
    bank, scorer = read(trees, on_error="keep"), get(metric)
    _check_words(bank, scorer)
    return _matrix(compared_by(bank, scorer, threads=threads, progress=progress), len(bank))


def compared_by(
    bank: Treebank, metric: Metric, *, threads: int | None = None, progress: _core.Progress | None = None
) -> Sequence[float]:
    """The scores of `pairwise`, row by row, without a check of the words."""
    if threads is None and len(bank) < _MANY:
        threads = 1
    return metric.pairwise(bank, threads=count_threads(threads, len(bank) ** 2), progress=progress)


def _check_words(bank: Treebank, metric: Metric) -> None:
    """Refuse trees over different words if words are compared by their position."""
    for first, index in differing_words(bank, metric):
        message = (
            f"trees {first + 1} and {index + 1} have different words; "
            "all must be candidates for one sentence, or the metric must have axis:characters or axis:seconds"
        )
        raise InputError(Problem("words", message, file=bank.source.name, unit=index + 1))


def differing_words(bank: Treebank, metric: Metric) -> Iterator[tuple[int, int]]:
    """The first tree with words, and each tree with other words, if the metric compares words by their position.

    Words that the metric deletes may differ.
    """
    if metric.aligns_words or metric.axis.has_lengths:
        return
    native, deleted = bank.native, set()
    if isinstance(metric, PolicyMetric):
        if metric.recipe.words != "same":
            return
        deleted = {number for number, name in enumerate(native.names(0)) if metric.recipe.deletes_tag(decode(name))}

    def kept(index: int) -> list[bytes]:
        return [word for tag, _, word in native.leaves(index) if tag not in deleted]

    parsed = [index for index in range(len(bank)) if (kept(index) if deleted else native.leaf_count(index))]
    for index in parsed[1:]:
        if native.same_words(parsed[0], native, index) or (deleted and kept(parsed[0]) == kept(index)):
            continue
        yield parsed[0], index


def _matrix(scores: Sequence[float], size: int) -> Any:
    try:
        import numpy
    except ImportError:
        return [list(scores[row * size : (row + 1) * size]) for row in range(size)]
    return numpy.array(scores, dtype=float).reshape(size, size)
