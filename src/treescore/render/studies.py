"""Studies as text, Markdown, LaTeX, CSV, JSON or HTML."""

from __future__ import annotations

from .._version import __version__
from ..problem import UsageError
from ..text import lines_of, pieces, visible, width
from .grids import FORMS, Grid, csv_lines, in_form, problem_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..studies.base import Cell as Raw
    from ..studies.base import Study, Table
    from .grids import Cell

_WIDTH = 100


def render(study: Study, form: str) -> str:
    """All tables of a study, what one sees in them, and what they were made with.

    A CSV file has one table after the other, each with its title and an empty line between them. Tables of details are
    in CSV and JSON only.
    """
    if form == "json":
        return _json(study)
    if form == "csv":
        blocks = [csv_lines([[table.title], list(table.columns), *table.rows]) for table in study.tables]
        return "\n".join(map("".join, blocks))
    if form not in FORMS:
        raise UsageError(f"a study can be written as {', '.join(FORMS)}, not as {form!r}")
    read = [table for table in study.tables if not table.detail]
    paragraphs = [text for text in study.says.split("\n") if text.strip()]
    made = [*problem_notes(study.problems), *(f"{name}: {value}" for name, value in study.settings.items())]
    if form == "table":
        lead = f"{visible(study.title)}\n{_wrapped(study.question)}\n\n"
        tables = in_form([_grid(table, []) for table in read], form)
        return "\n".join([lead + tables, *(_wrapped(text) + "\n" for text in paragraphs), *map(visible, made), ""])
    said = [*paragraphs, *made]
    return in_form([_grid(table, said if table is read[-1] else []) for table in read], form)


def _wrapped(text: str) -> str:
    return "\n".join(lines_of(pieces(visible(text)), lambda line: width(line) <= _WIDTH))


def _json(study: Study) -> str:
    import json

    whole = {
        "treescore": __version__,
        **{name: getattr(study, name) for name in ("name", "title", "question", "settings")},
        "tables": {table.title: table.records() for table in study.tables},
        "says": study.says,
        "problems": [problem.values() for problem in study.problems],
        "cites": list(study.cites),
    }
    return json.dumps(whole, indent=2) + "\n"


def _grid(table: Table, notes: list[str]) -> Grid:
    kinds = list(table.columns.values())
    rows: list[list[Cell]] = [[shown(cell, kind) for cell, kind in zip(row, kinds, strict=True)] for row in table.rows]
    texts = [visible(name) for name, kind in table.columns.items() if kind == "text"]
    return Grid(table.title, [visible(name) for name in table.columns], rows, notes, texts=texts)


def shown(cell: Raw, kind: str) -> str:
    """A cell as tables print it.

    >>> [shown(0.25, "share"), shown(0.25, "number"), shown(8.16e-43, "p"), shown(0.0401, "p"), shown(1234, "count")]
    ['25.00', '0.250', '8.16e-43', '0.0401', '1,234']
    >>> shown(None, "share")
    '–'
    """
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    if kind == "count":
        return f"{cell:,}"
    if kind == "p":
        return f"{cell:.3g}"
    return f"{100 * cell:.2f}" if kind == "share" else f"{cell:.3f}"
