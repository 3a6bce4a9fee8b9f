"""Figures that are one sum of counts divided by another, declared once for tables, samples and tests.

>>> f1 = rates("Bracket", "matched")["f1"]
>>> f1.of({"matched": 3, "gold": 4, "test": 5}), f1.of({"matched": 0, "gold": 0, "test": 0})
(0.6666666666666666, None)
>>> f1.columns, f1.part({"matched": 3, "gold": 4, "test": 5}).title
(('matched', 'gold', 'test'), 'Bracket F1')
"""

from __future__ import annotations

from ..values.counts import UNIT
from ..values.score import Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any


class Ratio:
    """A figure: a weighted sum of columns divided by another. Sums of rates are in units of 2^-40.

    `title`, `percent` and `unit` are those of the figure in tables, see `Part`. `is_all` says that the figure is
    undefined if the divisor is 0; otherwise this ratio alone does not determine it. The figure is also undefined if
    the column `unless` is named and is not 0.
    """

    __slots__ = ("_above", "_below", "_scale", "_unless", "columns", "is_all", "percent", "title", "unit")

    def __init__(
        self,
        title: str,
        above: Mapping[str, int],
        below: Mapping[str, int],
        *,
        rates: bool = False,
        percent: bool = True,
        unit: str = "sentence",
        is_all: bool = True,
        unless: str | None = None,
    ) -> None:
        self.title, self.percent, self.unit = title, percent, unit
        self._above, self._below = tuple(above.items()), tuple(below.items())
        self._scale = UNIT if rates else 1
        self._unless = unless
        self.columns = tuple(dict.fromkeys((*above, *below, *(() if unless is None else (unless,)))))
        self.is_all = is_all

    def with_columns(self, substitutes: Mapping[str, Mapping[str, int]], *, unless: str) -> Ratio:
        """The same figure with some columns replaced by sums of others.

        >>> exact = share("Exact match", "exact", "valid")
        >>> exact.with_columns({"valid": {"valid": 1, "failed": 1}}, unless="lost").columns
        ('exact', 'valid', 'failed', 'lost')
        """
        above, below = (_substituted(parts, substitutes) for parts in (self._above, self._below))
        return Ratio(self.title, above, below, rates=self._scale != 1, is_all=self.is_all, unless=unless)

    def part(self, total: Mapping[str, int]) -> Part:
        """The figure of a table for these sums: a share with both sums, a mean with the number of its rates."""
        above, below = (sum(factor * total[name] for name, factor in parts) for parts in (self._above, self._below))
        if self._scale == 1:
            return Part(self.title, above=above, below=below, percent=self.percent, unit=self.unit)
        value = above / self._scale / below if below else None
        return Part(self.title, value, below=below, percent=self.percent, unit=self.unit)

    def of(self, total: Mapping[str, int]) -> float | None:
        """The figure for these sums; None if the divisor is 0."""
        if self._unless is not None and total[self._unless]:
            return None
        above = below = 0
        for column, factor in self._below:
            below += factor * total[column]
        if not below:
            return None
        for column, factor in self._above:
            above += factor * total[column]
        return above / below if self._scale == 1 else above / self._scale / below

    def divisors(self, totals: Mapping[str, Sequence[int]]) -> Sequence[int]:
        """The divisor of the figure for many sums in columns.

        >>> rates("Bracket", "matched")["f1"].divisors({"gold": [4, 2], "test": [5, 0]})
        [9, 2]
        """
        return list(_sums(self._below, totals))

    def of_all(self, totals: Mapping[str, Sequence[int]]) -> list[float | None]:
        """The figures for many sums in columns.

        >>> share("Exact match", "exact", "valid").of_all({"exact": [1, 0], "valid": [2, 0]})
        [0.5, None]
        """
        scale = self._scale
        below_the_line: Sequence[int] = self.divisors(totals)
        if self._unless is not None and any(totals[self._unless]):
            void = totals[self._unless]
            below_the_line = [0 if gone else below for below, gone in zip(below_the_line, void, strict=True)]
        pairs = zip(_sums(self._above, totals), below_the_line, strict=True)
        if scale == 1:
            return [above / below if below else None for above, below in pairs]
        return [above / scale / below if below else None for above, below in pairs]


def _sums(parts: Sequence[tuple[str, int]], totals: Mapping[str, Sequence[int]]) -> Iterable[int]:
    columns = [
        totals[column] if factor == 1 else [factor * value for value in totals[column]] for column, factor in parts
    ]
    return columns[0] if len(columns) == 1 else map(sum, zip(*columns, strict=True))


def _substituted(parts: Iterable[tuple[str, int]], substitutes: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    weights: dict[str, int] = {}
    for column, factor in parts:
        for name, times in substitutes.get(column, {column: 1}).items():
            weights[name] = weights.get(name, 0) + factor * times
    return weights


def rates(
    title: str,
    matched: str,
    gold: str = "gold",
    test: str = "test",
    *,
    prefix: str = "",
    main: str | None = None,
    kind: type[Ratio] = Ratio,
    **options: Any,
) -> dict[str, Ratio]:
    """F1, which is called `main` and is of this kind, precision and recall; the options are those of `Ratio`."""
    return {
        main or f"{prefix}f1": kind(f"{title} F1", {matched: 2}, {gold: 1, test: 1}, **options),
        f"{prefix}precision": Ratio(f"{title} precision", {matched: 1}, {test: 1}, **options),
        f"{prefix}recall": Ratio(f"{title} recall", {matched: 1}, {gold: 1}, **options),
    }


def share(title: str, above: str, below: str, **options: Any) -> Ratio:
    """One column divided by another; the options are those of `Ratio`."""
    return Ratio(title, {above: 1}, {below: 1}, **options)


def mean(title: str, rate: str, number: str = "valid", **options: Any) -> Ratio:
    """The mean of rates; the options are those of `Ratio`."""
    return Ratio(title, {rate: 1}, {number: 1}, rates=True, **options)
