"""Mappings between the nodes of gold and test trees, with the IoU of their intervals, and verdicts on nodes."""

from __future__ import annotations

from ..helpers.text import number_of
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from ..values.problem import Problem

    Pair = tuple[int, int, float]


def range_of(ends: Sequence[int], index: int, what: str) -> range:
    """The range of one of many consecutive lists with these ends; negative indices count from the end.

    >>> range_of([2, 2, 5], -1, "pair")
    range(2, 5)
    >>> range_of([2, 2, 5], 3, "pair")
    Traceback (most recent call last):
    IndexError: pair 3 of 3: they are counted from 0
    """
    number = index + len(ends) if index < 0 else index
    if not 0 <= number < len(ends):
        raise IndexError(f"{what} {index} of {len(ends)}: they are counted from 0")
    return range(ends[number - 1] if number else 0, ends[number])


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
        rows = range_of(self._ends, index, "mapping")
        columns = (column[rows.start : rows.stop].tolist() for column in (self.gold, self.test, self.iou))
        return list(zip(*columns, strict=True))

    def __iter__(self) -> Iterator[list[Pair]]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return f"<NodeMappings: {len(self):,} with {len(self.iou):,} pairs of nodes>"


class Verdict(Value):
    """The verdict on a counted node; `partner` is the number of a node of the other side.

    `crossing` means that it crosses a counted node of the other side. `start` and `end` are its interval on the
    metric's axis.
    """

    is_test: bool
    number: int
    partner: int | None
    iou: float | None
    crossing: bool
    start: float
    end: float


class Verdicts:
    """The verdicts on all counted nodes of many pairs of trees, in columns. Index it for the list of one pair.

    The gold nodes come first, in the order of their opening brackets, then the test nodes; `partner` is -1 for none. If
    equal brackets count once (`duplicates:drop`, and in the score of a sentence `duplicates:members`), only the
    outermost is counted.

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
        """The rows of one pair in the columns."""
        return range_of(self.ends, index, "pair")

    def __getitem__(self, index: int) -> list[Verdict]:
        rows = self.range(index)
        names = ("side", "number", "partner", "iou", "crossing", "start", "end")
        columns = (getattr(self, name)[rows.start : rows.stop].tolist() for name in names)
        return [
            Verdict(
                bool(side),
                number,
                None if partner < 0 else partner,
                None if partner < 0 else iou,
                bool(crossing),
                start,
                end,
            )
            for side, number, partner, iou, crossing, start, end in zip(*columns, strict=True)
        ]

    def __iter__(self) -> Iterator[list[Verdict]]:
        return (self[index] for index in range(len(self)))

    def node_mappings(self) -> NodeMappings:
        """The pairs of nodes."""
        from array import array

        ends, rows = array("q"), array("q")
        for index in range(len(self)):
            rows.extend(row for row in self.range(index) if self.side[row] == 0 and self.partner[row] >= 0)
            ends.append(len(rows))
        gold, test = (array("i", [column[row] for row in rows]) for column in (self.number, self.partner))
        iou = array("d", [self.iou[row] for row in rows])
        return NodeMappings(ends.tobytes(), gold.tobytes(), test.tobytes(), iou.tobytes())

    def __repr__(self) -> str:
        return f"<Verdicts: {len(self):,} pairs of trees, {len(self.number):,} nodes>"


class MappedTrees(Value):
    """One pair of trees: its score, its node mapping, and problems of the trees."""

    score: float | None
    gold_nodes: int
    test_nodes: int
    signature: str
    _mapping: Sequence[Pair] | NodeMappings
    _problems: Sequence[Problem] | Callable[[], Sequence[Problem]]

    def __init__(
        self,
        score: float | None,
        mapping: Sequence[Pair] | NodeMappings,
        gold_nodes: int,
        test_nodes: int,
        signature: str,
        problems: Sequence[Problem] | Callable[[], Sequence[Problem]] = (),
    ) -> None:
        # Many calls only need the score, so the two lists are made when they are needed.
        _set_score(self, score)  # not by `_store`, which takes much longer
        _set_gold_nodes(self, gold_nodes)
        _set_test_nodes(self, test_nodes)
        _set_signature(self, signature)
        _set_mapping(self, mapping)
        _set_problems(self, problems)

    @property
    def mapping(self) -> Sequence[Pair]:
        """Gold node, test node and IoU of each pair of nodes."""
        mapping = self._mapping
        if isinstance(mapping, NodeMappings):
            mapping = mapping[0]
            self._store(_mapping=mapping)
        return mapping

    @property
    def problems(self) -> Sequence[Problem]:
        """The problems of reading and of scoring the trees."""
        problems = self._problems
        if callable(problems):
            problems = problems()
            self._store(_problems=problems)
        return problems

    def values(self) -> dict[str, Any]:
        names = ("score", "mapping", "gold_nodes", "test_nodes", "signature", "problems")
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        score = "–" if self.score is None else f"{self.score:.4f}"
        problems = f", {number_of(len(self.problems), 'problem')}" if self.problems else ""
        pairs, nodes = number_of(len(self.mapping), "pair"), f"{self.gold_nodes} and {self.test_nodes} nodes"
        return f"<MappedTrees {score}: {pairs} of {nodes}{problems}>"


_set_score, _set_gold_nodes, _set_test_nodes, _set_signature, _set_mapping, _set_problems = (
    vars(MappedTrees)[name].__set__ for name in MappedTrees.__slots__
)
