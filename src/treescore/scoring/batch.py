"""Scores a batch of pairs of trees by some metrics. Only this module calls `Metric.counts` for other packages.

>>> import treescore
>>> pair = treescore.Pair(treescore.read("(S (NN a)) (S (NN b))"), treescore.read("(S (NN a)) (X (NN b))"))
>>> batch = score_batch([treescore.metric("parseval|profile:none")], pair)
>>> batch.counts[0].total()["matched"], len(batch), batch.problems
(1, 2, [])
"""

from __future__ import annotations

from ..helpers.memory import budget

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .._core import Progress
    from ..metrics.base import Metric
    from ..place.pair import Pair
    from ..values.counts import Counts
    from ..values.problem import Problem


class Batch:
    """The counts and the problems of some pairs of trees; the counts are in the order of the metrics."""

    __slots__ = ("_problems", "counts", "metrics", "pair")

    def __init__(
        self,
        metrics: Sequence[Metric],
        pair: Pair,
        counts: Sequence[Counts],
        problems: Sequence[Problem] | None = None,
    ) -> None:
        self.metrics = metrics
        self.pair = pair
        self.counts = counts
        self._problems = problems

    def __len__(self) -> int:
        return len(self.pair)

    @property
    def problems(self) -> Sequence[Problem]:
        """Problems of the trees and of scoring them, in the order of the sentences."""
        if self._problems is None:
            unique: dict[Problem, None] = dict.fromkeys((*self.pair.gold.problems, *self.pair.test.problems))
            for bank in getattr(self.pair.gold, "references", ()):
                unique.update(dict.fromkeys(bank.problems))
            for metric, counts in zip(self.metrics, self.counts, strict=True):
                pair = self.pair.of(metric)
                reported = _without_tree(pair) if metric.reads == "trees" else ()
                problems = metric.row_problems(pair, counts)
                unique.update((problem, None) for problem in problems if (problem.code, problem.unit) not in reported)
            self._problems = sorted(unique, key=lambda problem: problem.unit or 0)
        return self._problems

    def renumbered(self, rows: int) -> Batch:
        """The batch with its sentences numbered as if they followed this number of other rows."""
        if not rows or not self.problems:
            return self
        problems = [
            problem if problem.unit is None else problem.replace(unit=problem.unit + rows) for problem in self.problems
        ]
        return Batch(self.metrics, self.pair, self.counts, problems)


def _without_tree(pair: Pair) -> set[tuple[str, int]]:
    """Codes and numbers of problems that metrics may repeat: a missing tree whose reason is reported already."""
    reported: set[tuple[str, int]] = set()
    for bank, codes in ((pair.gold, ("gold", "no-gold")), (pair.test, ("unparsed",))):
        for problem in bank.problems:
            if problem.unit and (problem.code == "id" or bank.native.faulty(problem.unit - bank.number(0))):
                reported.update((code, problem.unit) for code in codes)
    return reported


def score_batch(metrics: Sequence[Metric], pair: Pair, *, threads: int = 1, progress: Progress | None = None) -> Batch:
    """Score pairs of trees. The result depends neither on other pairs nor on the number of threads."""
    budget()
    counts = []
    for metric in metrics:
        own = pair.of(metric, threads=threads, progress=progress)
        counts.append(metric.counts(own, threads=threads, progress=progress) if own.counted is None else own.counted)
    return Batch(metrics, pair, counts)


def distinct_names(metrics: Sequence[Metric]) -> list[str]:
    """The names of metrics, with a number if a name recurs.

    >>> import treescore
    >>> distinct_names([treescore.metric(name) for name in ("parseval", "struct_iou", "parseval|labels:no")])
    ['parseval', 'struct_iou', 'parseval_2']
    """
    seen: dict[str, int] = {}
    names = []
    for metric in metrics:
        seen[metric.name] = number = seen.get(metric.name, 0) + 1
        names.append(metric.name if number == 1 else f"{metric.name}_{number}")
    return names


def columns_of(metric: Metric) -> tuple[str, ...]:
    """The names of a metric's columns that are summed."""
    from .. import _core
    from ..place.pair import Pair

    if metric.reads == "conllu":
        from ..readers.conllu import read_conllu

        nothing: Any = read_conllu(b"")
    else:
        from ..trees import Treebank

        nothing = Treebank(_core.TreeBuilder().trees())
    return tuple(score_batch([metric], Pair(nothing, nothing)).counts[0].columns)
