"""A view of trees with the heads of their phrases."""

from __future__ import annotations

from ..heads.writing import annotated, as_data, table_rows
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..heads.finding import HeadFinder
    from ..trees import Treebank


class HeadedTreesView(Value):
    """Trees with the heads found by `finder`."""

    bank: Treebank
    finder: HeadFinder

    def trees(self) -> Iterator[str]:
        """Each tree in brackets, with the head word after the label of each phrase."""
        return (f"{annotated(tree, self.finder)}\n" for tree in self.bank)

    def rows(self) -> Iterator[list[str]]:
        """A row for each word, and an empty line after each sentence."""
        for tree in self.bank:
            yield from (*table_rows(tree, self.finder), [])

    def records(self) -> Iterator[dict[str, Any]]:
        """An object for each tree."""
        for index, tree in enumerate(self.bank):
            yield {"tree": self.bank.number(index), **as_data(tree, self.finder)}
