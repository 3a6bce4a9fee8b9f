"""A view of studies: their tables and findings."""

from __future__ import annotations

from .._version import __version__
from ..helpers.problem_lines import problem_values
from ..helpers.text import p_text, visible
from ..values.value import Value
from .grids import Grid, Heading, Notes, Paragraph, problem_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from ..studies.base import Cell as Raw, Study, Table
    from .grids import Block, Cell


class StudyView(Value):
    """The contents of a study. Tables of details are only in CSV and JSON."""

    study: Study

    def tables(self) -> Iterator[Block]:
        """The question, the tables, the findings and the settings."""
        study = self.study
        yield Heading(visible(study.title), visible(study.question))
        for table in study.tables:
            if not table.detail:
                yield _grid(table) if table.rows else Paragraph(f"{visible(table.title)}: none")
        for text in study.findings.split("\n"):
            if text.strip():
                yield Paragraph(visible(text))
        settings = (f"{name}: {value}" for name, value in study.settings.items())
        yield Notes([visible(note) for note in (*problem_notes(study.problems), *settings)])

    def rows(self) -> Iterator[Iterable[Raw]]:
        """All tables, each with its title and an empty line below, and the settings."""
        for table in self.study.tables:
            yield from ([table.title], table.columns, *table.rows, [])
        yield from (["Settings"], ["setting", "value"], *self.study.settings.items())

    def data(self) -> dict[str, Any]:
        """Everything."""
        study = self.study
        return {
            "treescore": __version__,
            **{name: getattr(study, name) for name in ("name", "title", "question", "settings")},
            "tables": {table.title: table.records() for table in study.tables},
            "findings": study.findings,
            "problems": problem_values(study.problems),
            "cites": list(study.cites),
        }


def _grid(table: Table) -> Grid:
    kinds = list(table.columns.values())
    texts = [visible(name) for name, kind in table.columns.items() if kind == "text"]
    rows: list[list[Cell]] = [[shown(cell, kind) for cell, kind in zip(row, kinds, strict=True)] for row in table.rows]
    return Grid(table.title, [visible(name) for name in table.columns], rows, [], texts=texts)


def shown(cell: Raw, kind: str) -> str:
    """A cell as printed in tables.

    >>> [shown(0.25, "share"), shown(0.25, "number"), shown(8.16e-43, "p"), shown(0.0401, "p"), shown(1234, "count")]
    ['25.00', '0.250', '8.16e-43', '0.0401', '1,234']
    >>> shown(None, "share"), shown(-0.00001, "share")
    ('–', '0.00')
    """
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    if kind == "count":
        return f"{cell:,}"
    if kind == "p":
        return p_text(cell)
    text = f"{100 * cell:.2f}" if kind == "share" else f"{cell:.3f}"
    return text if text.strip("-0.") else text.removeprefix("-")
