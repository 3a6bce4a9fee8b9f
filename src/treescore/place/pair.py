"""A pair: both treebanks of an evaluation.

>>> import treescore
>>> pair = Pair(treescore.read("(S (NN a)) (S (NN b))"), treescore.read("(S (NN a)) (X (NN b))"))
>>> len(pair), pair[1:].test[0].spans()[0].label
(2, 'X')
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..trees import Treebank


class Pair:
    """The gold treebank and the test treebank that is scored against it.

    For metrics that read CoNLL-U both are of the type `DependencyBank`.
    """

    gold: Treebank
    test: Treebank

    __slots__ = ("gold", "test")

    def __init__(self, gold: Any, test: Any) -> None:
        self.gold = gold
        self.test = test

    def __len__(self) -> int:
        return len(self.gold)

    def __getitem__(self, places: slice) -> Pair:
        return Pair(self.gold[places], self.test[places])

    def __repr__(self) -> str:
        return f"<Pair: {len(self.gold):,} gold trees and {len(self.test):,} of test>"
