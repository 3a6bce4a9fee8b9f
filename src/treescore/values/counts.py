"""Counts: a table with one row per unit and named integer columns that add up.

>>> a = Counts({"matched": [1, 2], "gold": [2, 2]})
>>> (a + a).total()
{'matched': 6, 'gold': 8}
>>> a.total() == a.collapsed().total()
True
"""

from __future__ import annotations

import sys
from array import array

from .score import CAUSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from .._core import Buffer, Rows

#: A column with one row that counts once.
_ONE = array("q", [1]).tobytes()
#: Sums of rates are kept in units of 2^-40, so that they add up exactly in any order.
UNIT = 1 << 40


class Counts:
    """Rows of integers. `columns` add up; `notes` are about single rows (status, length) and do not.

    Rows of a native engine become Python columns only when they are needed.
    """

    __slots__ = ("_columns", "_notes", "_rows", "_sums", "_totals", "_unit", "_views")

    def __init__(
        self,
        columns: Mapping[str, Buffer | Iterable[int]],
        *,
        notes: Mapping[str, Buffer | Iterable[int]] | None = None,
        totals: Mapping[str, int] | None = None,
    ) -> None:
        self._columns: dict[str, memoryview] | None = {name: _column(values) for name, values in columns.items()}
        self._notes: dict[str, memoryview] | None = {name: _column(values) for name, values in (notes or {}).items()}
        # Sums without rows, which may be larger than a row can hold.
        self._totals: dict[str, int] | None = None if totals is None else dict(totals)
        self._sums = self._totals  # cached sums of the rows
        self._rows: Rows | None = None
        self._unit = ""
        self._views: dict[str, memoryview] = {}
        sizes = {len(column) for column in (*self._columns.values(), *self._notes.values())}
        if len(sizes) > 1:
            raise ValueError("columns of unequal length")

    @classmethod
    def of_rows(cls, rows: Rows, unit: str = "sentences") -> Counts:
        """Counts with the rows of a native engine, and a column that counts each row as one `unit`."""
        counts = cls.__new__(cls)
        counts._rows, counts._unit = rows, unit
        counts._columns = counts._notes = counts._totals = counts._sums = None
        counts._views = {}
        return counts

    @property
    def columns(self) -> dict[str, memoryview]:
        """The columns that add up, by name."""
        if self._columns is None:
            names = () if self._rows is None else (self._unit, *self._rows.sums)
            self._columns = {name: self._view(name) for name in names}
        return self._columns

    @property
    def notes(self) -> dict[str, memoryview]:
        """The columns about single rows, by name."""
        if self._notes is None:
            names = () if self._rows is None else self._rows.notes
            self._notes = {name: self._view(name) for name in names}
        return self._notes

    def _view(self, name: str) -> memoryview:
        """A column of native rows."""
        column = self._views.get(name)
        if column is None:
            if self._rows is None:
                raise KeyError(name)
            column = _column(_ONE * len(self._rows)) if name == self._unit else self._rows.column(name)
            self._views[name] = column
        return column

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ())) if self._rows is None else len(self._rows)

    def __getitem__(self, name: str) -> memoryview:
        if self._rows is not None:
            return self._view(name)
        return self.columns[name] if name in self.columns else self.notes[name]

    @property
    def has_rows(self) -> bool:
        """Are there rows, not only their sums?"""
        return self._totals is None

    def total(self) -> dict[str, int]:
        """The sum of each column."""
        return dict(self._summed())

    def _summed(self) -> dict[str, int]:
        if self._sums is None:
            if self._rows is not None:
                sums = {self._unit: len(self._rows)}
                self._rows.add_totals(sums)
            else:
                from .. import _core

                sums = dict(zip(self.columns, _core.sum_rows(list(self.columns.values()), []), strict=True))
            self._sums = sums
        return self._sums

    def add_totals_to(self, sums: dict[str, int]) -> None:
        """Add the sum of each column to the entry with its name.

        >>> sums = {"matched": 5}
        >>> Counts({"matched": [1, 2], "gold": [2, 2]}).add_totals_to(sums)
        >>> sums
        {'matched': 8, 'gold': 4}
        """
        if self._rows is not None:
            sums[self._unit] = sums.get(self._unit, 0) + len(self._rows)
            self._rows.add_totals(sums)
            return
        for name, value in self._summed().items():
            sums[name] = sums.get(name, 0) + value

    def __add__(self, other: Counts) -> Counts:
        return Counts.concatenated([self, other])

    @classmethod
    def concatenated(cls, parts: Sequence[Counts]) -> Counts:
        """The rows of all parts in order."""
        if len(parts) == 1:
            return parts[0]
        if len({tuple(part.total() if part._totals is not None else part.columns) for part in parts}) > 1:
            raise ValueError("counts of different metrics cannot be added")
        if any(part._totals is not None for part in parts):
            totals = [part.total() for part in parts]
            return cls({}, totals={name: sum(total[name] for total in totals) for name in totals[0]})
        common_notes = [name for name in parts[0].notes if all(name in part.notes for part in parts)]
        return cls(
            {name: b"".join(part.columns[name] for part in parts) for name in parts[0].columns},
            notes={name: b"".join(part.notes[name] for part in parts) for name in common_notes},
        )

    def only(self, names: Iterable[str]) -> Counts:
        """The same rows with these columns only, without notes.

        >>> Counts({"a": [1], "b": [2]}).only(["b"]).total()
        {'b': 2}
        """
        if self._totals is not None:
            return Counts({}, totals={name: self._totals[name] for name in names})
        return Counts({name: self.columns[name] for name in names})

    def without(self, places: Iterable[int], *, emptied: bool = False) -> Counts:
        """The counts without the rows at these places; with `emptied`, these rows stay and their counts become 0.

        >>> rows = Counts({"a": [1, 2, 3]})
        >>> rows.without([1])["a"].tolist(), rows.without([1], emptied=True)["a"].tolist()
        ([1, 3], [1, 0, 3])
        """
        left_out = set(places)

        def remaining(columns: Mapping[str, memoryview]) -> dict[str, list[int]]:
            return {
                name: [value for place, value in enumerate(column) if place not in left_out]
                for name, column in columns.items()
            }

        if not emptied:
            return Counts(remaining(self.columns), notes=remaining(self.notes))
        kept = {
            name: [0 if place in left_out else value for place, value in enumerate(column)]
            for name, column in self.columns.items()
        }
        return Counts(kept, notes=self.notes)

    def collapsed(self) -> Counts:
        """The sums without the rows."""
        return Counts({}, totals=self.total())

    def row(self, index: int) -> dict[str, int]:
        """One row by column name."""
        return {name: column[index] for name, column in self.columns.items()}

    def with_failed(self, figures: Sequence[float | None]) -> list[float | None]:
        """The figures of the rows over all sentences: a failed row scores 0.

        >>> Counts({"failed": [0, 1]}).with_failed([0.5, None])
        [0.5, 0.0]
        """
        if "failed" not in self.columns:  # the metric does not count failures
            return list(figures)
        return [0.0 if failed else figure for figure, failed in zip(figures, self["failed"], strict=True)]

    def statuses(self) -> list[int]:
        """For each row 0 if it is scored, 1 if it failed, 2 if it is left out.

        >>> Counts({"failed": [0, 1, 0], "excluded": [0, 0, 1]}).statuses()
        [0, 1, 2]
        """
        if "failed" not in self.columns:  # the metric does not count failures
            return [0] * len(self)
        failed, *others = (self[name] for name in CAUSES if name in self.columns)
        return [1 if has_failed else 2 * any(causes) for has_failed, *causes in zip(failed, *others, strict=True)]

    def rows(self) -> Iterator[dict[str, int]]:
        """All rows in order.

        >>> list(Counts({"a": [1, 2], "b": [3, 4]}).rows())
        [{'a': 1, 'b': 3}, {'a': 2, 'b': 4}]
        """
        names = list(self.columns)
        return (dict(zip(names, values, strict=True)) for values in zip(*self.columns.values(), strict=True))

    def grouped(self, keys: Sequence[str]) -> dict[str, Counts]:
        """The sums of rows with equal keys, in order of first appearance."""
        if len(keys) != len(self):
            raise ValueError("one key per row is needed")
        rows: dict[str, list[int]] = {}
        for index, key in enumerate(keys):
            rows.setdefault(key, []).append(index)
        return {
            key: Counts({}, totals={name: sum(column[i] for i in members) for name, column in self.columns.items()})
            for key, members in rows.items()
        }

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Counts)
            and self.columns == other.columns
            and self.notes == other.notes
            and self._totals == other._totals
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if self._totals is not None:
            return f"<Counts: totals of {', '.join(self._totals)}>"
        return f"<Counts: {len(self):,} rows of {', '.join(self.columns)}>"

    def __reduce__(self) -> tuple[object, ...]:
        packed = [{name: column.tobytes() for name, column in table.items()} for table in (self.columns, self.notes)]
        return _unpickled, (packed[0], packed[1], self._totals, sys.byteorder)


def _unpickled(
    columns: dict[str, bytes], notes: dict[str, bytes], totals: dict[str, int] | None, byteorder: str
) -> Counts:
    if byteorder != sys.byteorder:
        for table in (columns, notes):
            for name, data in table.items():
                swapped = array("q", data)
                swapped.byteswap()
                table[name] = swapped.tobytes()
    return Counts(columns, notes=notes, totals=totals)


def _column(values: Buffer | Iterable[int]) -> memoryview:
    if isinstance(values, memoryview) and values.format == "q":
        return values
    if not isinstance(values, bytes):
        values = array("q", values).tobytes()
    return memoryview(values).cast("q")
