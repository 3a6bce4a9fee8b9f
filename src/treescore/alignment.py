"""Alignments: which node of gold belongs to which node of test, and how much of their intervals they share."""

from __future__ import annotations

from .text import number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .problem import Problem

    Pair = tuple[int, int, float]


class Alignments:
    """The alignments of many pairs of trees in columns. Index it for the list of one pair of trees.

    Each entry is (gold node, test node, IoU); nodes are numbered as in `Tree.nodes()`.

    >>> import treescore
    >>> report = treescore.evaluate("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a) (VB b)))", "struct_iou")
    >>> report.alignments()[0]
    [(0, 0, 1.0), (2, 2, 1.0), (4, 3, 1.0)]
    """

    __slots__ = ("_ends", "gold", "iou", "test")

    def __init__(self, ends: bytes, gold: bytes, test: bytes, iou: bytes) -> None:
        self._ends = memoryview(ends).cast("q")
        self.gold = memoryview(gold).cast("i")
        self.test = memoryview(test).cast("i")
        self.iou = memoryview(iou).cast("d")

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, index: int) -> list[Pair]:
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"alignment {index} of {len(self)}")
        begin, end = self._ends[place - 1] if place else 0, self._ends[place]
        return list(zip(self.gold[begin:end], self.test[begin:end], self.iou[begin:end], strict=True))

    def __iter__(self) -> Iterator[list[Pair]]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return f"<Alignments: {len(self):,} with {len(self.iou):,} pairs of nodes>"


class AlignedTrees:
    """One pair of trees: its score, the alignment behind it, and what was wrong with the trees, if anything."""

    __slots__ = ("alignment", "gold_nodes", "problems", "score", "signature", "test_nodes")

    def __init__(
        self,
        *,
        score: float | None,
        alignment: Sequence[Pair],
        gold_nodes: int,
        test_nodes: int,
        signature: str,
        problems: Sequence[Problem] = (),
    ) -> None:
        self.score = score
        self.alignment = list(alignment)
        self.gold_nodes, self.test_nodes = gold_nodes, test_nodes
        self.signature = signature
        self.problems = tuple(problems)

    def __repr__(self) -> str:
        score = "–" if self.score is None else f"{self.score:.4f}"
        problems = f", {number_of(len(self.problems), 'problem')}" if self.problems else ""
        pairs, nodes = number_of(len(self.alignment), "pair"), f"{self.gold_nodes} and {self.test_nodes} nodes"
        return f"<AlignedTrees {score}: {pairs} of {nodes}{problems}>"
