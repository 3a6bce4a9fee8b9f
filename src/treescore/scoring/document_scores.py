"""Several pairs of treebanks with a common score.

For metrics that score whole files, each pair is a unit; sentences and words are aligned only within a pair.

>>> import treescore
>>> same, other = treescore.read("(S (NN a) (NN b))"), treescore.read("(S (NN a) (NN c))")
>>> documents = Documents([Pair(same, same), Pair(same, other)])
>>> documents.score(documents.choose("sparseval|unit:file"))["sparseval"].counts.total()["substituted"]
1
"""

from __future__ import annotations

from functools import reduce
from operator import add

from ..helpers.threads import count_threads
from ..place.pair import Pair
from ..trees import Source, Treebank
from .batch import score_batch
from .choosing import choose
from .tally import Tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .. import _core
    from ..metrics.base import Metric
    from .choosing import Choice, Metrics
    from .report import Report


class Documents:
    """Pairs of treebanks, and their concatenation."""

    def __init__(self, pairs: Sequence[Pair], names: tuple[str | None, str | None] = (None, None)) -> None:
        self.pairs = pairs
        self.joined = pairs[0]
        if len(pairs) > 1:
            gold, test = (pair.gold for pair in pairs), (pair.test for pair in pairs)
            self.joined = Pair(_joined(gold, names[0]), _joined(test, names[1]))

    def choose(self, metrics: Metrics | None = None, **options: Any) -> Choice:
        """The metrics for all pairs."""
        return choose([self.joined], metrics, **options)

    def score(
        self,
        choice: Choice,
        own: Sequence[Sequence[Metric]] | None = None,
        *,
        threads: int | None = None,
        progress: _core.Progress | None = None,
    ) -> Report:
        """The report on all pairs; `own` are the metrics of each pair if the pairs have different alignments."""
        tally = Tally(choice.metrics, rows=True)
        for metrics, pair in zip(own or [choice.metrics] * len(self.pairs), self.pairs, strict=True):
            batch = score_batch(metrics, pair, threads=count_threads(threads, len(pair)), progress=progress)
            tally.add(batch.renumbered(tally.size))
        report = tally.report(pair=self.joined)
        report.remarks += choice.remarks
        return report


def _joined(banks: Any, name: str | None) -> Treebank:
    whole: Treebank = reduce(add, banks)
    return Treebank(
        whole.native, source=Source(name), problems=whole.problems, blank_lines=whole.blank_lines, ids=whole.ids
    )
