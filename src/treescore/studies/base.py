"""The result of a study: settings, tables, findings, and a figure."""

from __future__ import annotations

from ..helpers.problem_lines import in_one_line
from ..helpers.showing import Shown
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from matplotlib.figure import Figure

    from ..metrics.base import Metric
    from ..values.problem import Problem

    Cell = str | int | float | None

#: The kinds of columns: text, integers, fractions of 1 (shown in percent), other numbers, p-values.
KINDS = ("text", "count", "share", "number", "p")


class Table(Value):
    """A table with a title. `columns` has the kind of each column, one of `KINDS`; None is undefined.

    A `detail` table is for programs and figures: only CSV and JSON contain it.

    >>> table = Table("scores", {"system": "text", "F1": "share"}, [("A", 0.5), ("B", None)])
    >>> table.column("F1")
    [0.5, None]
    """

    title: str
    columns: dict[str, str]
    rows: tuple[tuple[Cell, ...], ...]
    detail: bool

    def __init__(
        self, title: str, columns: Mapping[str, str], rows: Iterable[Sequence[Cell]], *, detail: bool = False
    ) -> None:
        cells = tuple(tuple(row) for row in rows)
        if not set(columns.values()) <= set(KINDS) or any(len(row) != len(columns) for row in cells):
            raise ValueError(f"{title}: every column needs a kind, and every row a cell for each column")
        self._store(title=title, columns=dict(columns), rows=cells, detail=detail)

    __hash__ = None  # type: ignore[assignment]

    def column(self, name: str) -> list[Any]:
        """The cells of a column."""
        index = list(self.columns).index(name)
        return [row[index] for row in self.rows]

    def records(self) -> list[dict[str, Any]]:
        """A dictionary for each row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def cited(metrics: Iterable[Metric], *papers: str) -> tuple[str, ...]:
    """Citations: these papers, and those of the metrics."""
    return tuple(dict.fromkeys((*papers, *(key for metric in metrics for key in metric.cites))))


class Study(Shown, Value):
    """The result of an experiment.

    `settings` include the seed and the signatures: the same settings and input give the same result. `findings` is a
    summary of the tables in words.
    """

    name: str
    title: str
    question: str
    settings: dict[str, str | int | float]
    tables: tuple[Table, ...]
    findings: str
    problems: tuple[Problem, ...] = ()
    cites: tuple[str, ...] = ()

    def table(self, title: str) -> Table:
        """The table with this title."""
        for table in self.tables:
            if table.title == title:
                return table
        raise KeyError(f"no table {title!r}; there are {', '.join(table.title for table in self.tables)}")

    def problem_line(self) -> str:
        """The number of problems of each kind in one line."""
        return in_one_line(self.problems)

    def figure(self) -> Figure:
        """The figure of the study, from its tables."""
        from ..plots.look import footer, new_figure
        from . import module

        home = module(self.name)
        figure = new_figure(home.SIZE)
        home.draw(self, figure)
        # Not separated by commas, which values contain.
        footer(figure, [" · ".join([self.title, *(f"{name}: {value}" for name, value in self.settings.items())])])
        return figure

    def __repr__(self) -> str:
        return f"<Study {self.name}: {', '.join(table.title for table in self.tables)}>"

    __hash__ = None  # type: ignore[assignment]
