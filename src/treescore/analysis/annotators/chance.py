"""Chance-corrected agreement: Cohen's kappa and Krippendorff's alpha, from counts that add up over sentences.

Both are 1 for perfect agreement and 0 for chance agreement. They differ in the model of chance: for kappa each of two
annotators draws from the distribution of their own labels, for alpha any number of annotators draw from the pooled
distribution. If chance agreement is perfect, as with a single label, both are undefined: None.

>>> kappa(35, {"yes": 25, "no": 25}, {"yes": 30, "no": 20})
0.4
>>> round(alpha(30, {"yes": 55, "no": 45}), 4)
0.4
"""

from __future__ import annotations

from array import array
from fractions import Fraction
from itertools import combinations
from math import lcm

from ...metrics.base import Metric
from ...values.counts import Counts
from ...values.score import Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    #: The labels of a unit, from top to bottom; of a word, its tag.
    Category = tuple[str, ...]

#: The size of a table of counts up to which it has a row for each sentence, so that intervals are possible.
MAX_CELLS = 10_000_000
#: The same for the number of columns: each sample of an interval takes time for all of them.
MAX_COLUMNS = 4_000


def kappa(same: int, first: Mapping[Any, int], second: Mapping[Any, int]) -> float | None:
    """Cohen's kappa from the number of agreements and the frequencies of each annotator's categories."""
    units = sum(first.values())
    chance = sum(count * second.get(category, 0) for category, count in first.items())  # times units squared
    return (same * units - chance) / (units * units - chance) if units * units > chance else None


def alpha(disagreement: Fraction | int, categories: Mapping[Any, int]) -> float | None:
    """Krippendorff's alpha of nominal data, from the frequencies of the categories.

    The disagreement is the sum over units of the ordered pairs of annotators who differ, divided by the number of
    annotators minus one: for two annotators, twice the number of units in which they differ.
    """
    values = sum(categories.values())
    differing = values * values - sum(count * count for count in categories.values())
    return float(1 - Fraction(disagreement) * (values - 1) / differing) if differing else None


class Nominal(Metric):
    """Kappa, or alpha for any number of annotators, of a table of units and categories.

    A row counts the units of a sentence, the units with full agreement, the disagreement (in parts of `scale`), and the
    uses of each category by each annotator, or by all of them.
    """

    def __init__(self, name: str, unit: str, sides: int, categories: Sequence[Category], scale: int) -> None:
        self.name, self.unit, self.sides, self.categories, self.scale = name, unit, sides, tuple(categories), scale

    @property
    def signature(self) -> str:
        return self.name

    @property
    def main(self) -> str:
        return "kappa" if self.sides == 2 else "alpha"

    def figures(self, total: Mapping[str, int]) -> dict[str, Part]:
        tables = [
            {category: total[f"{side}:{number}"] for number, category in enumerate(self.categories)}
            for side in range(self.sides)
        ]
        units = total["units"]
        if self.sides == 2:
            value = kappa(total["same"], *tables)
        else:
            value = alpha(Fraction(total["disagreement"], self.scale), tables[0])
        return {
            self.main: Part(self.main, value, below=units, percent=False, unit=self.unit),
            "same": Part("same", above=total["same"], below=units),
        }


class Distances(Metric):
    """Alpha with a distance between the annotations of whole sentences and a given expected distance."""

    def __init__(self, name: str, expected: Fraction | None, scale: int) -> None:
        self.name, self.expected, self.scale = name, expected, scale

    @property
    def signature(self) -> str:
        return self.name

    @property
    def main(self) -> str:
        return "alpha"

    def figures(self, total: Mapping[str, int]) -> dict[str, Part]:
        values = total["values"]
        value = None
        if values and self.expected:
            value = float(1 - Fraction(total["disagreement"], self.scale * values) / self.expected)
        return {"alpha": Part("alpha", value, below=total["units"], percent=False)}


class Units:
    """Counts by sentence of the categories that annotators gave to units, such as words, for `Nominal`.

    >>> units = Units("word", annotators=2, sentences=1)
    >>> for categories in (("NN",), ("NN",)), (("NN",), ("VB",)), (("VB",), ("VB",)):
    ...     units.add(0, (0, 1), categories)
    >>> metric, counts = units.pair("tags", 0, 1)
    >>> {name: part.value for name, part in metric.score(counts).figures.items()}
    {'kappa': 0.4, 'same': 0.6666666666666666}
    >>> metric, counts = units.all("tags")
    >>> round(metric.score(counts).value, 4), round(units.alphas()["NN"], 4)
    (0.4444, 0.4444)
    """

    def __init__(self, unit: str, *, annotators: int, sentences: int) -> None:
        self.unit, self.annotators, self.sentences = unit, annotators, sentences
        #: Disagreements are counted in parts of this scale, so that they are integers for any number of annotators.
        self.scale = lcm(*range(1, max(2, annotators)))
        self._pairs: dict[tuple[int, int], _Table] = {}
        self._all = _Table(1)
        # By label: the number of uses, and the disagreement on its presence.
        self._uses: dict[str, int] = {}
        self._disagreements: dict[str, int] = {}
        self._values = 0

    def add(self, sentence: int, annotators: Sequence[int], categories: Sequence[Category]) -> None:
        """Add one unit with the category that each of at least two annotators gave to it."""
        number = len(annotators)
        differing = 0
        for (first, first_category), (second, second_category) in combinations(
            zip(annotators, categories, strict=True), 2
        ):
            differing += first_category != second_category
            table = self._pairs.get((first, second))
            if table is None:
                table = self._pairs[first, second] = _Table(2)
            table.add(sentence, (first_category, second_category), 0)
        disagreement = 2 * differing * (self.scale // (number - 1))
        self._all.add(sentence, categories, disagreement)
        self._values += number
        for category in categories:
            for label in set(category):
                self._uses[label] = self._uses.get(label, 0) + 1
        if differing:
            for label in set().union(*categories):
                users = sum(label in category for category in categories)
                amount = 2 * users * (number - users) * (self.scale // (number - 1))
                self._disagreements[label] = self._disagreements.get(label, 0) + amount

    def pair(self, name: str, first: int, second: int) -> tuple[Nominal, Counts]:
        """Metric and counts of two annotators, for the units that both have."""
        return self._pairs.get((first, second), _Table(2)).counted(self, name)

    def all(self, name: str) -> tuple[Nominal, Counts]:
        """Metric and counts of all annotators, for the units that at least two have."""
        return self._all.counted(self, name)

    def alphas(self) -> dict[str, float | None]:
        """Krippendorff's alpha of the presence of each label."""
        return {
            label: alpha(
                Fraction(self._disagreements.get(label, 0), self.scale), {True: uses, False: self._values - uses}
            )
            for label, uses in self._uses.items()
        }


class _Table:
    """Counts by sentence. With two sides, the two categories of a unit belong to different annotators."""

    def __init__(self, sides: int) -> None:
        self.sides = sides
        self.rows: dict[int, dict[str, int]] = {}
        #: The columns of each category, one per side.
        self.categories: dict[Category, tuple[str, ...]] = {}

    def add(self, sentence: int, categories: Sequence[Category], disagreement: int) -> None:
        row = self.rows.get(sentence)
        if row is None:
            row = self.rows[sentence] = {"units": 0, "same": 0, "disagreement": 0}
        row["units"] += 1
        row["same"] += all(category == categories[0] for category in categories)
        row["disagreement"] += disagreement
        for index, category in enumerate(categories):
            columns = self.categories.get(category)
            if columns is None:
                number = len(self.categories)
                columns = self.categories[category] = tuple(f"{side}:{number}" for side in range(self.sides))
            column = columns[index % self.sides]
            row[column] = row.get(column, 0) + 1

    def counted(self, units: Units, name: str) -> tuple[Nominal, Counts]:
        metric = Nominal(name, units.unit, self.sides, list(self.categories), units.scale)
        names = ["units", "same", "disagreement", *(column for both in self.categories.values() for column in both)]
        if len(names) > MAX_COLUMNS or len(names) * units.sentences > MAX_CELLS:
            total = dict.fromkeys(names, 0)
            for row in self.rows.values():
                for column, count in row.items():
                    total[column] += count
            return metric, Counts({}, totals=total)
        columns = {column: array("q", bytes(8 * units.sentences)) for column in names}
        for sentence, row in self.rows.items():
            for column, count in row.items():
                columns[column][sentence] = count
        return metric, Counts({column: values.tobytes() for column, values in columns.items()})
