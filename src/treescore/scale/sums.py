"""Counts and reports of pairs of which only the sums are left."""

from __future__ import annotations

from ..counts import Counts
from ..problem import UsageError
from ..report import Report
from ..trees import Treebank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NoReturn

    from ..metrics.base import Metric
    from ..problem import Problem
    from ..score import Part, Score
    from ..trees import Source


class Sums(Counts):
    """The sums of rows that are elsewhere, and how many they were."""

    __slots__ = ("size",)

    def __init__(self, totals: Mapping[str, int], size: int) -> None:
        super().__init__({}, totals=totals)
        self.size = size

    def __len__(self) -> int:
        return self.size

    def __reduce__(self) -> tuple[object, ...]:
        return Sums, (self.total(), self.size)


def add_to(sums: dict[str, int], more: Mapping[str, int]) -> None:
    """Add these numbers to those of the same names.

    >>> sums = {"gold": 1}
    >>> add_to(sums, {"gold": 2, "test": 1})
    >>> sums
    {'gold': 3, 'test': 1}
    """
    for name, value in more.items():
        sums[name] = sums.get(name, 0) + value


class SumsReport(Report):
    """Scores of so many pairs. There are no trees behind it any more, and `problems` are only the first of them."""

    def __init__(
        self,
        metrics: Sequence[Metric],
        scores: Sequence[Score],
        problems: Sequence[Problem],
        codes: Mapping[str, int],
        sources: Sequence[Source],
        size: int,
        groups: Mapping[str, Sequence[Mapping[str, Mapping[str, int]]]] | None = None,
    ) -> None:
        from .. import _core

        gold, test = (Treebank(_core.TreeBuilder().trees(), source=source) for source in sources)
        super().__init__(metrics, scores, problems, gold, test)
        self.size = size
        self._codes = dict(codes)
        self._groups = dict(groups or {})  # by label or length: for each metric the sums of each group

    def problem_counts(self) -> dict[str, int]:
        """How many problems of each kind there are."""
        return dict(self._codes)

    @property
    def problem_total(self) -> int:
        """How many problems there are."""
        return sum(self._codes.values())

    @property
    def provenance(self) -> dict[str, Any]:
        """Version, and where the pairs are from."""
        found = super().provenance
        for side in ("gold", "test"):
            found[side]["trees"] = self.size
        return found

    def rows(self, metric: str | None = None) -> dict[str, list[Any]]:
        """An error: only sums are here."""
        self._refuse()

    def breakdown(self, by: str, metric: str | None = None) -> dict[str, dict[str, Part]]:
        """The figures of a metric by label or by length, if those were added up."""
        if by not in self._groups:
            self._refuse()
        made_by, score = self.find(metric)
        return made_by.group_scores(by, self._groups[by][self.scores.index(score)], lost=score.lost)

    def sampled(self, metric: str | None = None, **_: object) -> tuple[Counts, str]:
        """An error: samples are drawn from rows."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise UsageError("this report has sums only: neither rows nor trees")
