"""Studies as text, Markdown, LaTeX, CSV, JSON or HTML."""

from __future__ import annotations

from .._version import __version__
from ..helpers.text import lines_of, p_text, pieces, visible, width
from ..values.problem import UsageError
from .grids import FORMS, Grid, csv_lines, in_form, latex_text, markdown_note, markdown_text, problem_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..studies.base import Cell as Raw, Study, Table
    from .grids import Cell

_WIDTH = 100


def render(study: Study, form: str) -> str:
    """All tables of a study, what one sees in them, and what they were made with.

    A CSV file has one table after the other, each with its title and an empty line between them, and at last the
    settings. Tables of details are in CSV and JSON only.
    """
    if form == "json":
        return _json(study)
    if form == "csv":
        blocks = [[[table.title], list(table.columns), *table.rows] for table in study.tables]
        blocks.append([["Settings"], ["setting", "value"], *study.settings.items()])
        return "\n".join("".join(csv_lines(block)) for block in blocks)
    if form not in FORMS:
        raise UsageError(f"a study can be written as {', '.join(FORMS)}, not as {form!r}")
    read = [table for table in study.tables if not table.detail]
    tables = [_empty(table.title, form) if not table.rows else _filled(table, form) for table in read]
    said = [visible(text) for text in study.says.split("\n") if text.strip()]
    made = [*problem_notes(study.problems), *(f"{name}: {value}" for name, value in study.settings.items())]
    return _WRITERS[form](visible(study.title), visible(study.question), tables, said, [visible(note) for note in made])


def _filled(table: Table, form: str) -> str:
    kinds = list(table.columns.values())
    rows: list[list[Cell]] = [[shown(cell, kind) for cell, kind in zip(row, kinds, strict=True)] for row in table.rows]
    texts = [visible(name) for name, kind in table.columns.items() if kind == "text"]
    return in_form([Grid(table.title, [visible(name) for name in table.columns], rows, [], texts=texts)], form)


def _empty(title: str, form: str) -> str:
    """What stands in the place of a table without rows."""
    title = visible(title)
    if form == "markdown":
        return f"**{markdown_text(title)}**\n\nnone\n"
    if form == "html":
        return f"<p>{_escaped(title)}: none</p>\n"
    return f"% {title}: none\n" if form == "latex" else f"{title}\n\nnone\n"


def _text(title: str, question: str, tables: list[str], said: list[str], made: list[str]) -> str:
    return "\n".join(
        [f"{title}\n{_wrapped(question)}\n", *tables, *(_wrapped(text) + "\n" for text in said), *made, ""]
    )


def _markdown(title: str, question: str, tables: list[str], said: list[str], made: list[str]) -> str:
    texts = [f"### {markdown_text(title)}\n", markdown_text(question) + "\n"]
    texts += [*tables, *(markdown_text(text) + "\n" for text in said)]
    return "\n".join([*texts, *(markdown_note(note.strip()) for note in made), ""])


def _latex(title: str, question: str, tables: list[str], said: list[str], made: list[str]) -> str:
    texts = [f"\\paragraph{{{latex_text(title)}}} {latex_text(question)}\n"]
    texts += [*tables, *(latex_text(text) + "\n" for text in said)]
    return "\n".join([*texts, *(f"% {note.strip()}" for note in made), ""])


def _html(title: str, question: str, tables: list[str], said: list[str], made: list[str]) -> str:
    texts = [f"<h3>{_escaped(title)}</h3>\n<p>{_escaped(question)}</p>\n"]
    texts += [*tables, *(f"<p>{_escaped(text)}</p>\n" for text in said)]
    return "".join([*texts, *(f"<div>{_escaped(note)}</div>" for note in made), "\n"])


_WRITERS = {"table": _text, "markdown": _markdown, "latex": _latex, "html": _html}


def _escaped(text: str) -> str:
    """Text as it stands in HTML."""
    from html import escape

    return escape(text)


def _wrapped(text: str) -> str:
    return "\n".join(lines_of(pieces(text), lambda line: width(line) <= _WIDTH))


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


def shown(cell: Raw, kind: str) -> str:
    """A cell as tables print it.

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
