"""What a study gives: tables, what one sees in them, what it was made with, and a figure."""

from __future__ import annotations

from ..helpers.problem_lines import in_one_line
from ..helpers.showing import rendered
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from matplotlib.figure import Figure

    from ..metrics.base import Metric
    from ..values.problem import Problem

    Cell = str | int | float | None

#: What a column holds: text, whole numbers, fractions of 1 (shown in percent), other numbers, p-values.
KINDS = ("text", "count", "share", "number", "p")


class Table(Value):
    """A titled table. `columns` says for each heading what is below it, one of `KINDS`; None is undefined.

    `detail` is a table for programs and figures, too long to be read: only CSV and JSON have it.

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
        made = tuple(tuple(row) for row in rows)
        if not set(columns.values()) <= set(KINDS) or any(len(row) != len(columns) for row in made):
            raise ValueError(f"{title}: a kind for each column, and a cell for each in every row")
        self._store(title=title, columns=dict(columns), rows=made, detail=detail)

    __hash__ = None  # type: ignore[assignment]

    def column(self, name: str) -> list[Any]:
        """The cells below a heading."""
        place = list(self.columns).index(name)
        return [row[place] for row in self.rows]

    def records(self) -> list[dict[str, Any]]:
        """A dictionary for each row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def cited(metrics: Iterable[Metric], *papers: str) -> list[str]:
    """What is to be cited: these papers, and those of the metrics."""
    return [*dict.fromkeys((*papers, *(key for metric in metrics for key in metric.cites)))]


class Study(Value):
    """The outcome of an experiment.

    `settings` are what it was made with, seed and signatures among them: with the same settings and the same input it
    comes out the same. `says` is what one sees in the numbers, in words.
    """

    name: str
    title: str
    question: str
    settings: dict[str, str | int | float]
    tables: tuple[Table, ...]
    says: str
    problems: tuple[Problem, ...]
    cites: tuple[str, ...]

    def __init__(
        self,
        *,
        name: str,
        title: str,
        question: str,
        settings: Mapping[str, str | int | float],
        tables: Sequence[Table],
        says: str,
        problems: Sequence[Problem] = (),
        cites: Sequence[str] = (),
    ) -> None:
        self._store(name=name, title=title, question=question, settings=dict(settings), tables=tuple(tables))
        self._store(says=says, problems=tuple(problems), cites=tuple(cites))

    def table(self, title: str) -> Table:
        """The table with this title."""
        for table in self.tables:
            if table.title == title:
                return table
        raise KeyError(f"no table {title!r}; there are {', '.join(table.title for table in self.tables)}")

    def problem_line(self) -> str:
        """The number of problems of each kind in one line."""
        return in_one_line(self.problems)

    def to(self, form: str) -> str:
        """The study as text: table, markdown, latex, csv, json or html."""
        return rendered(self, form)

    def figure(self) -> Figure:
        """The figure of the study, from its tables."""
        from ..plots.look import footer, new_figure
        from . import module

        made_by = module(self.name)
        figure = new_figure(made_by.SIZE)
        made_by.draw(self, figure)
        # Values have commas of their own.
        footer(figure, [" · ".join([self.title, *(f"{name}: {value}" for name, value in self.settings.items())])])
        return figure

    def __str__(self) -> str:
        return self.to("table")

    def __repr__(self) -> str:
        return f"<Study {self.name}: {', '.join(table.title for table in self.tables)}>"

    def _repr_html_(self) -> str:
        return self.to("html")

    __hash__ = None  # type: ignore[assignment]
