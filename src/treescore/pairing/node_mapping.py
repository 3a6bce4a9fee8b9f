"""Which node of gold belongs to which node of test, how much of their intervals they share, which have no partner."""

from __future__ import annotations

from ..helpers.text import number_of
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..values.problem import Problem

    Pair = tuple[int, int, float]


def range_of(ends: Sequence[int], index: int, what: str) -> range:
    """Where the entries of one of many lists stand that follow each other up to `ends`; -1 is the last one.

    >>> range_of([2, 2, 5], -1, "pair")
    range(2, 5)
    >>> range_of([2, 2, 5], 3, "pair")
    Traceback (most recent call last):
    IndexError: pair 3 of 3: they are counted from 0
    """
    place = index + len(ends) if index < 0 else index
    if not 0 <= place < len(ends):
        raise IndexError(f"{what} {index} of {len(ends)}: they are counted from 0")
    return range(ends[place - 1] if place else 0, ends[place])


class NodeMappings:
    """The node mappings of many pairs of trees in columns. Index it for the list of one pair of trees.

    Each entry is (gold node, test node, IoU); nodes are numbered as in `Tree.nodes()`.

    >>> import treescore
    >>> report = treescore.evaluate("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a) (VB b)))", "struct_iou")
    >>> report.node_mappings()[0]
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
        found = range_of(self._ends, index, "mapping")
        return [(self.gold[at], self.test[at], self.iou[at]) for at in found]

    def __iter__(self) -> Iterator[list[Pair]]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return f"<NodeMappings: {len(self):,} with {len(self.iou):,} pairs of nodes>"


class Verdict(Value):
    """What became of one node that counts; `partner` is the number of a node of the other side.

    `crossing`: a node of the other side that counts overlaps it, and neither holds the other. `start` and `end` are
    where the metric sees it.
    """

    is_test: bool
    number: int
    partner: int | None
    iou: float | None
    crossing: bool
    start: float
    end: float


class Verdicts:
    """The verdicts on all nodes that count of many pairs of trees, in columns. Index it for the list of one pair.

    First come the nodes of gold, in the order in which they open, then those of test; `partner` is -1 for none. Where
    equal brackets count once (`duplicates:drop`, and in the score of a sentence `duplicates:members`), only the
    outermost counts.

    >>> import treescore
    >>> report = treescore.evaluate("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a) (VB b)))", "parseval|profile:none")
    >>> [(verdict.is_test, verdict.number, verdict.partner) for verdict in report.verdicts()[0]]
    [(False, 0, 0), (False, 1, None), (False, 3, None), (True, 0, 0), (True, 1, None)]
    """

    __slots__ = ("crossing", "end", "ends", "iou", "number", "partner", "side", "start")

    def __init__(self, columns: Mapping[str, bytes]) -> None:
        self.ends = memoryview(columns["ends"]).cast("q")
        self.side, self.number, self.partner, self.crossing = (
            memoryview(columns[name]).cast("i") for name in ("side", "number", "partner", "crossing")
        )
        self.iou, self.start, self.end = (memoryview(columns[name]).cast("d") for name in ("iou", "start", "end"))

    def __len__(self) -> int:
        return len(self.ends)

    def range(self, index: int) -> range:
        """Where the nodes of one pair stand in the columns."""
        return range_of(self.ends, index, "pair")

    def __getitem__(self, index: int) -> list[Verdict]:
        return [
            Verdict(
                is_test=bool(self.side[at]),
                number=self.number[at],
                partner=None if self.partner[at] < 0 else self.partner[at],
                iou=None if self.partner[at] < 0 else self.iou[at],
                crossing=bool(self.crossing[at]),
                start=self.start[at],
                end=self.end[at],
            )
            for at in self.range(index)
        ]

    def __iter__(self) -> Iterator[list[Verdict]]:
        return (self[index] for index in range(len(self)))

    def node_mappings(self) -> NodeMappings:
        """The pairs of nodes alone."""
        from array import array

        ends, places = array("q"), array("q")
        for index in range(len(self)):
            places.extend(at for at in self.range(index) if self.side[at] == 0 and self.partner[at] >= 0)
            ends.append(len(places))
        gold, test = (array("i", [column[at] for at in places]) for column in (self.number, self.partner))
        iou = array("d", [self.iou[at] for at in places])
        return NodeMappings(ends.tobytes(), gold.tobytes(), test.tobytes(), iou.tobytes())

    def __repr__(self) -> str:
        return f"<Verdicts: {len(self):,} pairs of trees, {len(self.number):,} nodes>"


class MappedTrees:
    """One pair of trees: its score, the node mapping behind it, and what was wrong with the trees, if anything."""

    __slots__ = ("gold_nodes", "mapping", "problems", "score", "signature", "test_nodes")

    def __init__(
        self,
        *,
        score: float | None,
        mapping: Sequence[Pair],
        gold_nodes: int,
        test_nodes: int,
        signature: str,
        problems: Sequence[Problem] = (),
    ) -> None:
        self.score = score
        self.mapping = list(mapping)
        self.gold_nodes, self.test_nodes = gold_nodes, test_nodes
        self.signature = signature
        self.problems = tuple(problems)

    def __repr__(self) -> str:
        score = "–" if self.score is None else f"{self.score:.4f}"
        problems = f", {number_of(len(self.problems), 'problem')}" if self.problems else ""
        pairs, nodes = number_of(len(self.mapping), "pair"), f"{self.gold_nodes} and {self.test_nodes} nodes"
        return f"<MappedTrees {score}: {pairs} of {nodes}{problems}>"
