"""Sums over scored rows, and the report about them: as much memory for any number of rows."""

from __future__ import annotations

from ..text import number_of
from ..trees import Source
from .sums import Sums, SumsReport, add_to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..metrics.base import Metric
    from ..problem import Problem
    from ..score import Score
    from .pairs import Scored

    #: Where a problem is: rows before it, what it is about (0 no single row, 1 a row, 2 rows not read), a number.
    Place = tuple[int, int, int]

_SHOWN = 10  # problems that are kept as an example


class Totals:
    """What is added up, batch by batch or sum by sum; what comes out depends on no order.

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
        #: Rows that could not be read, and how many pieces of the input they are.
        self.lost_rows = self.lost_pieces = 0
        self._sums: list[dict[str, int]] = [{} for _ in metrics]
        self._codes: dict[str, tuple[int, Place]] = {}  # how many, and where the first one is
        self._first: list[tuple[Place, str]] = []
        self._first_lost: list[tuple[Place, str]] = []
        self._general: dict[tuple[str, str], Place] = {}  # code and text of what is said once

    def add(self, scored: Scored, begin: int | None = None) -> None:
        """Add rows that have been scored; so many rows stand before them, by default those added so far."""
        from .pairs import as_text

        begin = self.size if begin is None else begin
        for index, problem in enumerate(scored.general):
            self._say_once(problem.code, as_text(problem), (begin, 0, index))
        for row, problems in sorted(scored.problems.items()):
            for index, problem in enumerate(problems):
                place = begin + row, 1, index
                self._count(problem.code, 1, place)
                _keep(self._first, place, f"row {begin + row + 1:,}: {problem}")
        self.add_counts([table.counts.total() for table in scored.tables], scored.size)

    def add_counts(self, totals: Sequence[Mapping[str, int]], size: int) -> None:
        """Add the sums of so many rows, for each metric."""
        self.size += size
        for sums, total in zip(self._sums, totals, strict=True):
            add_to(sums, total)

    def note(self, code: str, text: str) -> None:
        """Count a problem of the rows added so far, and keep it if it is among the first."""
        place = self.size, 1, sum(number for number, _ in self._codes.values())
        self._count(code, 1, place)
        _keep(self._first, place, text)

    def lose(self, problem: Problem, rows: int, begin: int) -> None:
        """Add a piece of the input that could not be read: so many rows, behind so many others.

        They are lost in every score. Where their number is unknown it counts as 1, so that nobody overlooks them.
        """
        for metric, sums in zip(self.metrics, self._sums, strict=True):
            counted = [name for name, times in metric.eligible.items() if times > 0]
            add_to(sums, dict.fromkeys([*counted, "lost"], max(rows, 1)))
        self.lost_rows += rows
        self.lost_pieces += 1
        place = begin, 2, 0
        self._count(problem.code, 1, place)
        for kept in (self._first, self._first_lost):
            _keep(kept, place, str(problem))

    def merge(self, other: Totals) -> None:
        """Add the totals of other rows of the same input."""
        self.add_counts(other._sums, other.size)
        self.lost_rows += other.lost_rows
        self.lost_pieces += other.lost_pieces
        for code, (number, place) in other._codes.items():
            self._count(code, number, place)
        for (code, text), place in other._general.items():
            self._say_once(code, text, place)
        for mine, theirs in ((self._first, other._first), (self._first_lost, other._first_lost)):
            for place, text in theirs:
                _keep(mine, place, text)

    def as_data(self) -> dict[str, Any]:
        """All of it but the metrics, as JSON takes it."""
        return {
            "size": self.size,
            "lost": [self.lost_rows, self.lost_pieces],
            "sums": self._sums,
            "codes": [[code, number, place] for code, (number, place) in self._codes.items()],
            "general": [[code, text, place] for (code, text), place in self._general.items()],
            "first": self._first,
            "first_lost": self._first_lost,
        }

    @classmethod
    def from_data(cls, metrics: Sequence[Metric], data: Mapping[str, Any]) -> Totals:
        """What `as_data` gave."""
        made = cls(metrics)
        made.add_counts(data["sums"], data["size"])
        made.lost_rows, made.lost_pieces = data["lost"]
        made._codes = {code: (number, _place(place)) for code, number, place in data["codes"]}
        made._general = {(code, text): _place(place) for code, text, place in data["general"]}
        made._first = [(_place(place), text) for place, text in data["first"]]
        made._first_lost = [(_place(place), text) for place, text in data["first_lost"]]
        return made

    @property
    def problem_codes(self) -> dict[str, int]:
        """How many problems of each kind there are, in the order of the first ones."""
        counted = dict(self._codes)
        for (code, _), place in self._general.items():
            number, first = counted.get(code, (0, place))
            counted[code] = number + 1, min(place, first)
        return {code: number for code, (number, _) in sorted(counted.items(), key=lambda item: item[1][1])}

    @property
    def first_problems(self) -> list[str]:
        """The first problems in the order of rows."""
        said = sorted([*self._first, *((place, text) for (_, text), place in self._general.items())])
        return [text for _, text in said[:_SHOWN]]

    @property
    def first_lost(self) -> list[str]:
        """The first pieces of the input that could not be read, and why."""
        return [text for _, text in self._first_lost]

    def _count(self, code: str, number: int, place: Place) -> None:
        known, first = self._codes.get(code, (0, place))
        self._codes[code] = known + number, min(place, first)

    def _say_once(self, code: str, text: str, place: Place) -> None:
        self._general[code, text] = min(place, self._general.get((code, text), place))

    def report(self, names: tuple[str, str] = ("gold", "test")) -> TotalReport:
        """The scores of everything that was added."""
        if self.size == 0:  # sums of no rows are not even zeros
            from .pairs import score_columns

            self.add(score_columns([], [], self.metrics))
        pairs = zip(self.metrics, self._sums, strict=True)
        scores = [metric.score(Sums(sums, self.size)) for metric, sums in pairs]
        return TotalReport(self, scores, names)


def add_up(several: Sequence[Totals]) -> Totals:
    """The sum of some totals, one at least, in any order."""
    totals = Totals(several[0].metrics)
    for one in several:
        totals.merge(one)
    return totals


def _keep(first: list[tuple[Place, str]], place: Place, text: str) -> None:
    """Put a text in its place if that is among the first."""
    if len(first) < _SHOWN or place < first[-1][0]:
        first.append((place, text))
        first.sort()
        del first[_SHOWN:]


def _place(values: Sequence[int]) -> Place:
    row, kind, index = values
    return row, kind, index


class TotalReport(SumsReport):
    """Scores of the rows of batches; the rows are there, and problems are only counted."""

    def __init__(self, totals: Totals, scores: Sequence[Score], names: tuple[str, str]) -> None:
        super().__init__(totals.metrics, scores, [], totals.problem_codes, list(map(Source, names)), totals.size)
        self.first_problems = totals.first_problems
        self.lost_rows, self.lost_pieces = totals.lost_rows, totals.lost_pieces

    def lost_line(self) -> str:
        """How much of the input could not be read; nobody knows the rows of a file that cannot be read at all."""
        pieces, rows = number_of(self.lost_pieces, "piece"), number_of(self.lost_rows, "row")
        return f"{pieces} of the input not scored, with {rows} as far as is known"
