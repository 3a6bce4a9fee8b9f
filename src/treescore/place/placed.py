"""The positions of the leaves of a pair of treebanks on an axis, for metrics and pictures.

>>> import treescore
>>> pair = treescore.Pair(treescore.read("(NP (DT the) (NN cat))"), treescore.read("(NP (NN thecat))"))
>>> pair.placed("characters")[0]
([(0.0, 3.0), (3.0, 6.0)], [(0.0, 6.0)])
>>> treescore.metric("parseval|delete:DT").placed(pair)[0]
([(0.0, 0.0), (0.0, 1.0)], [(0.0, 1.0)])
"""

from __future__ import annotations

from itertools import accumulate

from .. import _core
from ..helpers.named import value_of
from ..values.value import Value
from .axis import Axis

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from ..trees import Tree, Treebank
    from ..values.problem import Problem
    from .pair import Pair

    #: Start and end of each leaf of one tree.
    Positions = list[tuple[float, float]]
    #: Start and end of each leaf of all gold and all test trees; None if the position of each leaf is its number.
    Columns = tuple[bytes | None, bytes | None]

    class Placing(Protocol):
        """Determines the positions of leaves, for example a metric that deletes words. It is hashable."""

        def positions(self, pair: Pair) -> Columns:
            """The positions of all leaves of both sides."""


_BYTES = 16  # per leaf: start and end


class Placed(Value):
    """The leaves of both sides of a pair on one axis.

    A leaf that is not compared, because a metric deletes it or it is not spoken, has length 0 at the position where it
    would begin. `problems` concern trees that cannot be placed on the axis; the positions of their leaves are their
    numbers.
    """

    axis: Axis
    columns: Columns
    ends: tuple[Sequence[int], Sequence[int]]
    problems: tuple[Problem, ...] = ()

    def positions(self, side: int, index: int) -> Positions:
        """Start and end of each leaf of one tree; side 0 is gold, 1 is test."""
        column, (begin, end) = self.columns[side], self._range(side, index)
        if column is None:
            return [(float(leaf), leaf + 1.0) for leaf in range(end - begin)]
        numbers = memoryview(column).cast("d")[2 * begin : 2 * end].tolist()
        return list(zip(numbers[::2], numbers[1::2], strict=True))

    def are_same(self, index: int) -> bool:
        """Do both trees have the same number of leaves at the same positions?"""
        return self._bytes(0, index) == self._bytes(1, index)

    def _bytes(self, side: int, index: int) -> bytes | int:
        """The stored positions, or the number of leaves if the position of each leaf is its number."""
        column, (begin, end) = self.columns[side], self._range(side, index)
        return end - begin if column is None else column[_BYTES * begin : _BYTES * end]

    def _range(self, side: int, index: int) -> tuple[int, int]:
        """The first leaf of a tree among the leaves of all trees, and the first leaf after the tree."""
        ends = self.ends[side]
        return ends[index - 1] if index else 0, ends[index]

    def __getitem__(self, index: int) -> tuple[Positions, Positions]:
        return self.positions(0, index), self.positions(1, index)

    def __repr__(self) -> str:
        gold, test = map(len, self.ends)
        return f"<Placed: {gold:,} gold trees and {test:,} of test on the axis of {self.axis}>"


def place(pair: Pair, axis: Axis, options: Placing | None = None) -> Placed:
    """Place the leaves of a pair on an axis; without options nothing is deleted."""
    banks = pair.gold, pair.test
    gold, test = (list(accumulate(map(bank.native.leaf_count, range(len(bank))))) for bank in banks)
    return Placed(
        axis=axis,
        columns=_positions(pair, axis) if options is None else options.positions(pair),
        ends=(gold, test),
        problems=tuple(problem for bank in banks for problem in _without_times(bank)) if axis.needs_times else (),
    )


def _positions(pair: Pair, axis: Axis) -> Columns:
    if axis.places is not None:
        from importlib import import_module

        module, _, function = axis.places.partition(".")
        columns: Columns = getattr(import_module(f".{module}", __package__), function)(pair)
        return columns
    number = value_of(_core.Axis, axis.name)
    return _core.leaf_positions(pair.gold.native, number), _core.leaf_positions(pair.test.native, number)


def _without_times(bank: Treebank) -> list[Problem]:
    native = bank.native
    return [
        bank.problem(index, "no-times", "the words of this tree have no times", "placed by their numbers")
        for index in range(len(bank))
        if native.leaf_count(index) and not native.has_times_at(index)
    ]


def place_alone(tree: Tree, axis: Axis) -> Positions:
    """The positions of the leaves of a single tree: their times, or their numbers."""
    times = tree.times if axis.needs_times else None
    return [(float(leaf), leaf + 1.0) for leaf in range(len(tree.leaves))] if times is None else times
