"""The sum of any number of batches: counts, problems, tables by label or length. All scores are computed from it.

>>> import treescore
>>> from treescore.scoring.batch import score_batch
>>> metrics = [treescore.metric("parseval|profile:none")]
>>> tally = Tally(metrics)
>>> for test in ("(S (NN a))", "(X (NN a))"):
...     tally.add(score_batch(metrics, treescore.Pair(treescore.read("(S (NN a))"), treescore.read(test))))
>>> tally.report()["parseval"].value, tally.size
(0.5, 2)
"""

from __future__ import annotations

from ..metrics.overview import Overview
from ..trees import Source, Treebank
from ..values.counts import Counts
from ..values.problem import MOST_PROBLEMS
from .batch import columns_of, score_batch
from .problem_log import ProblemLog
from .report import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from .._core import Progress
    from ..metrics.base import Metric
    from ..place.pair import Pair
    from ..values.problem import Problem
    from .batch import Batch

    #: For each metric the sums of each label or length.
    Groups = list[dict[str, dict[str, int]]]


class Tally:
    """The sum of batches, and of tallies of other sentences, in any order.

    With `rows`, the rows of all batches are kept; otherwise only their sums are, and memory does not grow. `by` names
    tables that are summed as well: "label", "length". At most the first `most` problems are kept.
    """

    def __init__(
        self, metrics: Sequence[Metric], *, rows: bool = False, by: Iterable[str] = (), most: int = MOST_PROBLEMS
    ) -> None:
        self.metrics = list(metrics)
        self.most = most
        #: Number of batches, and of pairs of trees.
        self.batches = self.size = 0
        #: Number of rows that could not be read, and of the pieces of input with them.
        self.lost_rows = self.lost_pieces = 0
        self._sums: list[dict[str, int]] = [{} for _ in self.metrics]
        self._rows: list[Sequence[Counts]] | None = [] if rows else None
        self._waiting: list[Batch] = []  # problems and labels are collected when needed
        self._groups: dict[str, Groups] = {kind: [{} for _ in self.metrics] for kind in by}
        self._log, self._lost = ProblemLog(most), ProblemLog(most)
        self._names: tuple[dict[bytes, None], dict[bytes, None]] = ({}, {})
        self._wants_names = any(metric.compares_names for metric in self.metrics)

    # ---- Adding

    def add(self, batch: Batch) -> None:
        """Add a batch. Its problems must have the numbers of their sentences in the whole input."""
        self.batches += 1
        self.size += len(batch)
        if self._rows is not None:
            self._rows.append(batch.counts)
            self._waiting.append(batch)
            return
        for sums, counts in zip(self._sums, batch.counts, strict=True):
            counts.add_totals_to(sums)
        self._note(batch)

    def _note(self, batch: Batch) -> None:
        """Add the groups, problems and names of a batch."""
        for kind, groups in self._groups.items():
            for metric, counts, group in zip(self.metrics, batch.counts, groups, strict=True):
                _add_groups(group, metric.group_sums(kind, batch.pair.of(metric), counts))
        if problems := batch.problems:
            self._log.add(problems)
        if self._wants_names:
            gold, test = batch.pair.gold, batch.pair.test
            for names, banks in zip(self._names, ((gold, *gold.references), (test,)), strict=True):
                names.update(dict.fromkeys(name for bank in banks for name in bank.native.names(0)))

    def add_sums(self, sums: Sequence[Mapping[str, int]], size: int) -> None:
        """Add the sums of counts over `size` rows, for each metric."""
        self.batches += 1
        self.size += size
        for known, more in zip(self._sums, sums, strict=True):
            add_to(known, more)

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Add problems of sentences whose counts were added as sums."""
        self._log.add(problems)

    def count_problems(self, code: str, number: int) -> None:
        """Count problems whose sentences are unknown."""
        self._log.count(code, number)

    def lose(self, problem: Problem, rows: int) -> None:
        """Add a piece of the input that could not be read; its rows are lost in every score.

        A piece of unknown size counts as one row, so that it is not overlooked.
        """
        for metric, sums in zip(self.metrics, self._sums, strict=True):
            counted = [name for name, times in metric.eligible.items() if times > 0]
            add_to(sums, dict.fromkeys([*counted, "lost"], metric.comparisons * max(rows, 1)))
        self.lost_rows += rows
        self.lost_pieces += 1
        self._log.add([problem])
        self._lost.add([problem])

    def merge(self, other: Tally) -> None:
        """Add the tally of other sentences."""
        self.batches += other.batches
        self.size += other.size
        for sums, sums_of_other in zip(self._sums, other._sums, strict=True):
            add_to(sums, sums_of_other)
        self.lost_rows += other.lost_rows
        self.lost_pieces += other.lost_pieces
        for kind, groups in self._groups.items():
            for group, more in zip(groups, other._groups[kind], strict=True):
                _add_groups(group, more)
        self._log.merge(other._log)
        self._lost.merge(other._lost)
        for names, more_names in zip(self._names, other._names, strict=True):
            names.update(more_names)

    # ---- What was added

    @property
    def counts(self) -> list[Counts]:
        """The rows of each metric, or their sums."""
        if self._rows:
            return [Counts.concatenated(parts) for parts in zip(*self._rows, strict=True)]
        if not self.batches:
            return [Sums(dict.fromkeys(columns_of(metric), 0), 0) for metric in self.metrics]
        return [Sums(sums, self.size) for sums in self._sums]

    def groups(self, kind: str) -> Groups | None:
        """The sums by "label" or "length" of each metric, if they were requested."""
        self._settle()
        return self._groups.get(kind)

    def problem_log(self, files: Sequence[str | None] = (None, None)) -> ProblemLog:
        """All problems of the sentences, and the metrics' remarks on all sentences together."""
        self._settle()
        log = self._log.copy()
        for metric, counts in zip(self.metrics, self.counts, strict=True):
            log.add(metric.remarks(Overview(self._names, files, counts.total())))
        return log

    def _settle(self) -> None:
        waiting, self._waiting = self._waiting, []
        for batch in waiting:
            self._note(batch)

    @property
    def lost(self) -> list[Problem]:
        """The first pieces of the input that could not be read."""
        return self._lost.problems

    def report(
        self,
        gold: Treebank | Source | None = None,
        test: Treebank | Source | None = None,
        *,
        pair: Pair | None = None,
    ) -> Report:
        """The scores of everything added; `gold` and `test` are the trees or their sources; or a `pair` of trees."""
        if pair is not None:
            gold, test = pair.gold, pair.test
        return Report(self, _bank(gold), _bank(test), pair=pair)

    @classmethod
    def added(cls, several: Sequence[Tally]) -> Tally:
        """The sum of at least one tally, in any order."""
        tally = cls(several[0].metrics, most=several[0].most)
        for other in several:
            tally.merge(other)
        return tally

    # ---- On disk

    def as_data(self) -> dict[str, Any]:
        """Everything but the metrics, as data for JSON."""
        return {
            "batches": self.batches,
            "size": self.size,
            "lost": [self.lost_rows, self.lost_pieces, self._lost.as_data()],
            "sums": self._sums,
            "problems": self._log.as_data(),
            "names": [[name.decode("utf-8", "surrogateescape") for name in side] for side in self._names],
        }

    @classmethod
    def from_data(cls, metrics: Sequence[Metric], data: Mapping[str, Any], *, most: int = MOST_PROBLEMS) -> Tally:
        """The inverse of `as_data`."""
        tally = cls(metrics, most=most)
        if data["batches"]:
            tally.add_sums(data["sums"], data["size"])
        tally.lost_rows, tally.lost_pieces, lost = data["lost"]
        tally._log = ProblemLog.from_data(data["problems"], most)
        tally._lost = ProblemLog.from_data(lost, most)
        gold, test = ({name.encode("utf-8", "surrogateescape"): None for name in side} for side in data["names"])
        tally._names = gold, test
        return tally


def score_pair(metrics: Sequence[Metric], pair: Pair, *, threads: int = 1, progress: Progress | None = None) -> Report:
    """Score two whole treebanks as one batch whose rows are kept."""
    tally = Tally(metrics, rows=True)
    tally.add(score_batch(metrics, pair, threads=threads, progress=progress))
    return tally.report(pair=pair)


class Sums(Counts):
    """The sums of rows that are not kept, and their number."""

    __slots__ = ("size",)

    def __init__(self, totals: Mapping[str, int], size: int) -> None:
        super().__init__({}, totals=totals)
        self.size = size

    def __len__(self) -> int:
        return self.size

    def __reduce__(self) -> tuple[object, ...]:
        return Sums, (self.total(), self.size)


def add_to(sums: dict[str, int], more: Mapping[str, int]) -> None:
    """Add numbers to the entries with the same names.

    >>> sums = {"gold": 1}
    >>> add_to(sums, {"gold": 2, "test": 1})
    >>> sums
    {'gold': 3, 'test': 1}
    """
    for name, value in more.items():
        sums[name] = sums.get(name, 0) + value


def _add_groups(groups: dict[str, dict[str, int]], more: Mapping[str, Mapping[str, int]]) -> None:
    for key, sums in more.items():
        add_to(groups.setdefault(key, {}), sums)


def _bank(side: Treebank | Source | None) -> Any:
    """The trees of a side, or an empty treebank with their source."""
    if side is None or isinstance(side, Source):
        from .. import _core

        return Treebank(_core.TreeBuilder().trees(), source=side)
    return side
