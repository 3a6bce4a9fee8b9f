"""The rows, labels and problems of reports as data frames of pandas and polars, or as Arrow tables.

>>> import treescore
>>> report = treescore.evaluate("(S (NP (NN a)))", "(S (NP (NN a)))", "parseval|profile:none")
>>> report.frame("arrow", "labels").select(["label", "f1", "gold"]).to_pylist()
[{'label': 'NP', 'f1': 1.0, 'gold': 1}, {'label': 'S', 'f1': 1.0, 'gold': 1}]
"""

from __future__ import annotations

from ..helpers.extras import library
from ..helpers.text import without_surrogates
from ..values.counts import Counts
from ..values.problem import check_choice
from ..values.score import ALL, group_counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from .report import Report

    #: The type and the values of each column.
    Columns = dict[str, tuple[str, Sequence[Any]]]

_UNKNOWN = ""
#: The types of columns: the names that pandas, polars and Arrow give them. Only counts are never missing.
_TYPES = {
    _UNKNOWN: ("string", "String", "string"),
    "count": ("int64", "Int64", "int64"),
    "whole": ("Int64", "Int64", "int64"),
    "figure": ("float64", "Float64", "float64"),
    "text": ("string", "String", "string"),
    "truth": ("boolean", "Boolean", "bool_"),
}
_PROBLEM_TYPES = {
    **{"file": "text", "unit": "whole", "line": "whole", "column": "whole"},
    **{"code": "text", "message": "text", "action": "text"},
}


def report_frame(report: Report, kind: str, what: str, metric: str | None) -> Any:
    """The frame of a report; see `Report.frame`."""
    make, table = _checked(kind, what)
    return make(table(report, metric))


def comparison_frame(reports: Mapping[str, Report], kind: str, what: str, metric: str | None) -> Any:
    """The frames of several systems as one; see `Comparison.frame`."""
    make, table = _checked(kind, what)
    return make(_joined({name: table(report, metric) for name, report in reports.items()}))


def _checked(kind: str, what: str) -> tuple[Callable[[Columns], Any], Callable[[Report, str | None], Columns]]:
    check_choice(kind, "kind", _KINDS)
    check_choice(what, "what", _TABLES)
    package, extra, build = _KINDS[kind]
    found = library(package, extra, f'frame("{kind}") needs')
    return lambda columns: build(found, columns), _TABLES[what]


def _rows(report: Report, metric: str | None) -> Columns:
    """One row per sentence, or per unit of the metric."""
    rows = report.rows(metric)
    scorer, score = report.find(metric)
    # One row of zeros has the type of each column, even if there are no sentences; undefined values are figures.
    columns, notes = ({name: [0] for name in table} for table in (score.counts.columns, score.counts.notes))
    zeros = scorer.rows(Counts(columns, notes=notes))
    types = {"id": "text"} | {name: _type(values) or "figure" for name, values in zeros.items()}
    return {name: (types.get(name) or _type(values), values) for name, values in rows.items()}


def _type(values: Sequence[object]) -> str:
    """The type of these values; unknown if all are missing."""
    types = {type(value) for value in values} - {type(None)}
    if not types:
        return _UNKNOWN
    if float in types:
        return "figure"
    if int in types:
        return "whole" if None in values else "count"
    return "truth" if types == {bool} else "text"


def _labels(report: Report, metric: str | None) -> Columns:
    """One row per label: the figures of the label and the counts behind them."""
    table = report.breakdown("label", metric)
    scorer, score = report.find(metric)
    names = list(scorer.group_figures)
    names += [name + ALL for name in names if any(name + ALL in parts for parts in table.values())]
    columns: Columns = {"label": ("text", list(table))}
    columns |= {name: ("figure", [parts[name].value for parts in table.values()]) for name in names}
    counts = [group_counts(parts) for parts in table.values()]
    return columns | {name: ("count", [row[name] for row in counts]) for name in group_counts(score.figures)}


def _problems(report: Report, metric: str | None) -> Columns:
    """One row per problem, whatever the metric."""
    return {name: (kind, [getattr(it, name) for it in report.problems]) for name, kind in _PROBLEM_TYPES.items()}


_TABLES = {"rows": _rows, "labels": _labels, "problems": _problems}


def _joined(tables: Mapping[str, Columns]) -> Columns:
    """The rows of all systems, after a column with the names of the systems."""
    sizes = {system: len(next(iter(table.values()))[1]) for system, table in tables.items()}
    joined: Columns = {"system": ("text", [system for system, size in sizes.items() for _ in range(size)])}
    for name in dict.fromkeys(name for table in tables.values() for name in table):
        joined[name] = _stacked([_part(name, table, sizes[system]) for system, table in tables.items()])
    return joined


def _stacked(parts: Sequence[tuple[str, Sequence[Any]]]) -> tuple[str, Sequence[Any]]:
    """The parts of a column as one column."""
    values = [value for _, part in parts for value in part]
    kind = next((kind for kind, _ in parts if kind), _UNKNOWN)
    return "whole" if kind == "count" and None in values else kind, values


def _part(name: str, table: Columns, size: int) -> tuple[str, Sequence[Any]]:
    """The part of a system in a column that another system has."""
    if name in table:
        return table[name]
    # Where no sentence failed, tables by label have no figures over all sentences, which are the metric's own.
    return table.get(name.removesuffix(ALL), (_UNKNOWN, [None] * size))


def _pandas(pandas: Any, columns: Columns) -> Any:
    return pandas.DataFrame(
        {name: pandas.Series(_encodable(*column), dtype=_TYPES[column[0]][0]) for name, column in columns.items()}
    )


def _polars(polars: Any, columns: Columns) -> Any:
    return polars.DataFrame(
        [
            polars.Series(name, _encodable(*column), dtype=getattr(polars, _TYPES[column[0]][1]))
            for name, column in columns.items()
        ]
    )


def _arrow(pyarrow: Any, columns: Columns) -> Any:
    return pyarrow.table(
        {
            name: pyarrow.array(_encodable(*column), getattr(pyarrow, _TYPES[column[0]][2])())
            for name, column in columns.items()
        }
    )


def _encodable(kind: str, values: Sequence[Any]) -> list[Any]:
    """The values; text is UTF-8, although words, labels and names of files need not be."""
    if kind != "text":
        return list(values)
    return [None if value is None else without_surrogates(str(value)) for value in values]


#: The kinds of frames: the library, its extra, and the function that builds a frame.
_KINDS = {
    "pandas": ("pandas", None, _pandas),
    "polars": ("polars", None, _polars),
    "arrow": ("pyarrow", "scale", _arrow),
}
