"""A view of errors by kind: a table for each kind."""

from __future__ import annotations

from ..helpers.problem_lines import problem_values
from ..helpers.text import number_of
from ..values.problem import UsageError, check_choice, check_whole
from .grids import Grid, problem_notes
from .output_formats import OUTPUT_FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from ..analysis.breakdowns import Breakdown, Category, Confusion
    from ..values.value import Value
    from .grids import Cell

MOST_ROWS = 40
_MOST_INSTEAD = 3  # labels of the other side, in a table of labels
_LONGEST = 80  # characters of a rule in a table


class BreakdownView:
    """The contents of a breakdown: one of the TABLES, or all; tables as text have at most `most` rows."""

    def __init__(self, breakdown: Breakdown, *, by: str | None = None, most: int | None = None) -> None:
        self.breakdown, self.kinds, self.most = breakdown, tuple(TABLES) if by is None else (by,), most

    @staticmethod
    def check(form: str, *, by: str | None = None, most: int | None = None) -> None:
        """Refuse an unknown table, and several tables in a format that holds one."""
        if by is not None:
            check_choice(by, "the table of errors", TABLES)
        if OUTPUT_FORMATS[form].one_table and by is None:
            raise UsageError(f"the format {form} holds one table: by one of {', '.join(TABLES)}")
        if most is not None:
            check_whole(most, "most", least=0)

    def tables(self) -> list[Grid]:
        """The first rows of each table."""
        breakdown, most = self.breakdown, MOST_ROWS if self.most is None else self.most
        last = [*problem_notes(breakdown.report.problems), *breakdown.notes, breakdown.signature]
        return [
            _cut(TABLES[kind](breakdown, False), most, last if kind == self.kinds[-1] else []) for kind in self.kinds
        ]

    def rows(self) -> list[list[Cell]]:
        """The complete table."""
        return TABLES[self.kinds[0]](self.breakdown, True).with_header()

    def records(self) -> list[dict[str, Any]]:
        """The rows of the table as objects."""
        return _records(self.breakdown, self.kinds[0])

    def data(self) -> dict[str, Any]:
        """All tables, with the inputs and the signature."""
        breakdown = self.breakdown
        return {
            **breakdown.report.provenance,
            "signature": breakdown.signature,
            "by": {kind: self._table(kind) for kind in self.kinds},
            **({"notes": list(breakdown.notes)} if breakdown.notes else {}),
            "problems": problem_values(breakdown.report.problems),
        }

    def _table(self, kind: str) -> object:
        records = _records(self.breakdown, kind)
        if kind == "rule":
            return {"right": self.breakdown.right_rules, "wrong": records}
        if kind == "tag":
            return {"tags": records, "confusion": [confusion.values() for confusion in self.breakdown.tag_confusions]}
        return records


def _cut(grid: Grid, most: int, notes: list[str]) -> Grid:
    """The first rows, with a note on the number of other rows."""
    left_out = len(grid.rows) - most
    more = [f"… and {number_of(left_out, 'more row')} (all of them: -f csv, -f json)"] if left_out > 0 else []
    none = [] if grid.rows else ["none"]
    return Grid(grid.title, grid.header, grid.rows[:most], [*none, *more, *grid.notes, *notes], texts=grid.texts)


def _of_categories(title: str, name: str, categories: Sequence[Category], complete: bool) -> Grid:
    rows: list[list[Cell]] = []
    for it in categories:
        figures = it.figures
        parts: list[Cell] = [figures[figure] for figure in ("f1", "precision", "recall")]
        matched: list[Cell] = [it.matched_gold, it.gold, it.test]
        few = None if complete else _MOST_INSTEAD
        rows.append(
            [
                it.label or "(empty)",
                *parts,
                *matched,
                _instead(it.in_test[:few]),
                _instead(it.in_gold[:few]),
            ]
        )
    header = [name, "f1", "precision", "recall", "matched", "gold", "test", "test has", "gold has"]
    return Grid(title, header, rows, [], texts=header[-2:])


def _instead(others: Iterable[tuple[str | None, int]]) -> str:
    return ", ".join(f"{_shown(label)} {count}" for label, count in others)


def _shown(label: str | None) -> str:
    return "(none)" if label is None else label or "(empty)"


def _shorter(rule: str | None, complete: bool) -> str | None:
    return rule if rule is None or complete or len(rule) <= _LONGEST else f"{rule[: _LONGEST - 1]}…"


def _categories(breakdown: Breakdown, complete: bool) -> Grid:
    return _of_categories("by label", "label", breakdown.categories, complete)


def _tags(breakdown: Breakdown, complete: bool) -> Grid:
    return _of_categories("by tag", "tag", breakdown.tags, complete)


def _confusions(breakdown: Breakdown, complete: bool) -> Grid:
    rows: list[list[Cell]] = [
        [
            _shown(it.gold),
            _shown(it.test),
            it.count,
            _crossing(it, complete),
            it.first,
        ]
        for it in breakdown.confusions
        if not it.right
    ]
    header = ["gold", "test", "count", "crossing", "first"]
    return Grid("labels over the same words", header, rows, [], texts=["test", "crossing"])


def _rules(breakdown: Breakdown, complete: bool) -> Grid:
    rows: list[list[Cell]] = [
        [it.kind, _shorter(it.gold, complete), _shorter(it.test, complete), it.count, it.first]
        for it in breakdown.rules
    ]
    notes = [] if complete else [f"{number_of(breakdown.right_rules, 'rule')} right"]
    header = ["kind", "gold", "test", "count", "first"]
    return Grid("rules over the same words", header, rows, notes, texts=["gold", "test"])


def _attachments(breakdown: Breakdown, complete: bool) -> Grid:
    rows: list[list[Cell]] = [
        [
            it.label or "(empty)",
            _shown(it.gold_parent),
            _shown(it.test_parent),
            it.count,
            str(it.same_words) if complete else "same" if it.same_words else "other",
            it.first,
        ]
        for it in breakdown.attachments
    ]
    names = ["gold_parent", "test_parent", "same_words"] if complete else ["gold parent", "test parent", "their words"]
    header = ["label", *names[:2], "count", names[2], "first"]
    return Grid("right brackets with wrong parents", header, rows, [], texts=names)


def _crossing(confusion: Confusion, complete: bool) -> str:
    return str(confusion.crossing) if complete else "crossing" if confusion.crossing else ""


#: The values of `by` in `Breakdown.to`, with functions for their tables, either complete or for reading.
TABLES: dict[str, Callable[[Breakdown, bool], Grid]] = {
    "category": _categories,
    "confusion": _confusions,
    "rule": _rules,
    "attachment": _attachments,
    "tag": _tags,
}


def _records(breakdown: Breakdown, kind: str) -> list[dict[str, Any]]:
    """The rows of a table as objects."""

    def category(row: Category) -> dict[str, Any]:
        return {
            **{name: value for name, value in row.values().items() if name not in ("labelled", "in_test", "in_gold")},
            **{name: part.value for name, part in row.figures.items()},
            "in_test": [{"label": label, "count": count} for label, count in row.in_test],
            "in_gold": [{"label": label, "count": count} for label, count in row.in_gold],
        }

    if kind in ("category", "tag"):
        return [category(it) for it in (breakdown.categories if kind == "category" else breakdown.tags)]
    listed: dict[str, Sequence[Value]] = {
        "confusion": breakdown.confusions,
        "rule": breakdown.rules,
        "attachment": breakdown.attachments,
    }
    return [it.values() for it in listed[kind]]
