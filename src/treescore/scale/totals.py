"""Sums over scored rows, and the report about them: as much memory for any number of rows."""

from __future__ import annotations

from ..counts import Counts
from ..problem import UsageError
from ..report import Report
from ..trees import Source, Treebank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NoReturn

    from ..metrics.base import Metric
    from ..problem import Problem
    from ..score import Part, Score
    from .pairs import Scored

_SHOWN = 10  # problems that are kept as an example


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


class Totals:
    """What is added up, batch by batch; the order of batches does not matter to the scores.

    >>> from treescore.scale.pairs import check_metrics, score_columns
    >>> metrics = check_metrics("parseval|profile:none")
    >>> totals = Totals(metrics)
    >>> for _ in range(2):
    ...     totals.add(score_columns(["(S (NN a))", None], ["(S (NN a))"] * 2, metrics))
    >>> totals.report()["parseval"].value, totals.size, totals.problem_codes
    (1.0, 4, {'null': 2})
    """

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self.metrics = list(metrics)
        self.size = 0
        self.problem_codes: dict[str, int] = {}
        self.first_problems: list[str] = []
        self._sums: list[dict[str, int]] = [{} for _ in metrics]
        self._general: dict[Problem, None] = {}

    def add(self, scored: Scored, before: str = "row ") -> None:
        """Add rows that have been scored; `before` stands before their numbers where problems are shown."""
        from .pairs import as_text

        for problem in scored.general:
            if problem not in self._general:
                self._general[problem] = None
                self.note(problem.code, as_text(problem))
        for row, problems in scored.problems.items():
            for problem in problems:
                self.note(problem.code, f"{before}{self.size + row + 1:,}: {problem}")
        self.add_counts([table.counts.total() for table in scored.tables], scored.size)

    def add_counts(self, totals: Sequence[Mapping[str, int]], size: int) -> None:
        """Add the sums of so many rows, for each metric."""
        self.size += size
        for sums, total in zip(self._sums, totals, strict=True):
            for name, value in total.items():
                sums[name] = sums.get(name, 0) + value

    def note(self, code: str, text: str) -> None:
        """Count a problem, and keep it if it is among the first."""
        self.problem_codes[code] = self.problem_codes.get(code, 0) + 1
        if len(self.first_problems) < _SHOWN:
            self.first_problems.append(text)

    def report(self, names: tuple[str, str] = ("gold", "test")) -> TotalReport:
        """The scores of everything that was added."""
        if self.size == 0:  # sums of no rows are not even zeros
            from .pairs import score_columns

            self.add(score_columns([], [], self.metrics))
        pairs = zip(self.metrics, self._sums, strict=True)
        scores = [metric.score(Sums(sums, self.size)) for metric, sums in pairs]
        return TotalReport(self, scores, names)


class TotalReport(Report):
    """Scores of sums. There are no trees behind it any more, and problems are only counted."""

    def __init__(self, totals: Totals, scores: Sequence[Score], names: tuple[str, str]) -> None:
        empty = [Treebank(_no_trees(), source=Source(name)) for name in names]
        super().__init__(totals.metrics, scores, [], *empty)
        self.size = totals.size
        self.first_problems = list(totals.first_problems)
        self._codes = dict(totals.problem_codes)

    def problem_counts(self) -> dict[str, int]:
        """How many problems of each kind there are."""
        return dict(self._codes)

    @property
    def problem_total(self) -> int:
        """How many problems there are."""
        return sum(self._codes.values())

    @property
    def provenance(self) -> dict[str, Any]:
        """Version, and where the rows are from."""
        found = super().provenance
        for side in ("gold", "test"):
            found[side]["trees"] = self.size
        return found

    def rows(self, metric: str | None = None) -> dict[str, list[Any]]:
        """An error: the rows are in the batches."""
        self._refuse()

    def breakdown(self, by: str, metric: str | None = None) -> dict[str, dict[str, Part]]:
        """An error: only sums are here."""
        self._refuse()

    def sampled(self, metric: str | None = None, **_: object) -> tuple[Counts, str]:
        """An error: samples are drawn from rows."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise UsageError("this report has sums only; the rows are in the batches that were added up")


def _no_trees() -> Any:
    from .. import _core

    return _core.TreeBuilder().trees()
