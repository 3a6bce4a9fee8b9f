"""A pair: both treebanks of an evaluation.

>>> import treescore
>>> pair = Pair(treescore.read("(S (NN a)) (S (NN b))"), treescore.read("(S (NN a)) (X (NN b))"))
>>> len(pair), pair[1:].test[0].spans()[0].label
(2, 'X')
>>> pair.placed()
<Placed: 2 gold trees and 2 of test on the axis of words>
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .._core import Progress
    from ..metrics.base import Metric
    from ..trees import Treebank
    from ..values.counts import Counts
    from .axis import Axis
    from .placed import Placed, Placing


class Pair:
    """The gold treebank and the test treebank that is scored against it.

    For metrics that read CoNLL-U both are of the type `DependencyBank`. If sentences were paired by ids, and some ids
    exist only on one side, `as_read` is the pair before that. If a metric has chosen the gold trees among several per
    sentence, `counted` are its rows.
    """

    __slots__ = ("_of_metrics", "_placed", "as_read", "counted", "gold", "test")

    def __init__(self, gold: Any, test: Any, *, as_read: Pair | None = None, counted: Counts | None = None) -> None:
        self.gold: Treebank = gold
        self.test: Treebank = test
        self.as_read = as_read
        self.counted = counted
        self._of_metrics: dict[Metric, Pair] | None = None
        self._placed: dict[tuple[Axis, Placing | None], Placed] | None = None

    def __len__(self) -> int:
        return len(self.gold)

    def __getitem__(self, sentences: slice) -> Pair:
        return Pair(self.gold[sentences], self.test[sentences])

    def of(self, metric: Metric, *, threads: int = 1, progress: Progress | None = None) -> Pair:
        """The trees that a metric compares: as read, if the metric pairs sentences itself.

        If sentences have several gold trees, these are the ones that the metric chooses. Metrics that align words also
        score trees with other words than the sentence, if completions were read so. The results are cached.
        """
        if not metric.pairs_trees and self.as_read is not None:
            return self.as_read
        bank = self._scored_bank(metric)
        chooses = metric.pairs_trees and (self.gold.references or metric.comparisons > 1)
        if bank is self.test and not chooses:
            return self
        if self._of_metrics is None:
            self._of_metrics = {}
        if metric not in self._of_metrics:
            pair = self if bank is self.test else Pair(self.gold, bank)
            if chooses:
                pair = metric.with_chosen_gold(pair, threads=threads, progress=progress)
            self._of_metrics[metric] = pair
        return self._of_metrics[metric]

    def _scored_bank(self, metric: Metric) -> Treebank:
        """The test trees for a metric, which may score trees with other words than the sentence."""
        completions = self.test.completions if metric.aligns_words else None
        return self.test if completions is None else completions.treebank_for_alignment

    @property
    def is_timed(self) -> bool:
        """Are there equally many trees on both sides, and do all trees with words have times?"""
        return len(self.gold) == len(self.test) and self.gold.native.all_timed() and self.test.native.all_timed()

    def placed(self, axis: str | Axis = "words", options: Placing | None = None) -> Placed:
        """The positions of the leaves of both sides on an axis: "words", "characters", "seconds" or "aligned" words.

        `options`, for example a metric, determine which leaves are left out; see `Metric.placed`. Results are cached.
        """
        from .axis import axis_named
        from .placed import place

        key = axis_named(axis), options
        if self._placed is None:
            self._placed = {}
        if key not in self._placed:
            self._placed[key] = place(self, *key)
        return self._placed[key]

    def __repr__(self) -> str:
        return f"<Pair: {len(self.gold):,} gold trees and {len(self.test):,} of test>"
