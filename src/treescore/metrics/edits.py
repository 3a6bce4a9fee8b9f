"""The common part of metrics that compute the least cost of turning one tree into the other."""

from __future__ import annotations

from functools import cached_property

from .. import _core
from ..helpers.text import number_of
from ..pairing.node_mapping import NodeMappings
from ..values.counts import UNIT, Counts
from ..values.score import Part
from ..values.value import Value
from .nodes import NodeMetric
from .ratios import Ratio, mean, share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..place.pair import Pair
    from ..values.problem import Problem

    #: The first item is the kind of step.
    Step = tuple[Any, ...]


class EditMetric(NodeMetric):
    """A metric with the figures 1 - distance / most, where `most` is the cost of replacing the whole tree."""

    work = "distance"
    amounts = error_amounts = ("distance",)
    group_figures = ("corpus", "sentence", "distance", "exact")

    all_columns = NodeMetric.all_columns | {
        "most": {"most_all": 1},
        "distance": {"distance": 1, "most_all": 1, "most": -1},  # nothing of a failed sentence is kept
    }

    #: The titles of the score and the distance in tables.
    title = "Tree similarity"
    distance_title = "Edit distance per sentence"
    #: The score of sentences without anything to edit.
    nothing: float | None = None
    #: The costs of inserting, deleting and renaming.
    costs: tuple[int | float, ...]

    def rules(self, pair: Pair) -> _core.TreeEditRules:
        """The rules for the native engine, for these trees."""
        raise NotImplementedError

    def native_costs(self) -> tuple[int, int, int]:
        """The costs for the native engine."""
        insert, delete, rename = (round(cost * UNIT) for cost in self.costs)
        if abs(insert + delete - rename) == 1:  # 0.2 is 0.1 + 0.1, whatever the rounding
            rename = insert + delete
        return insert, delete, rename

    def counts(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> Counts:
        rules = self.rules(pair)
        return Counts.of_rows(_core.tree_distance_rows(pair.gold.native, pair.test.native, rules, threads, progress))

    @property
    def main(self) -> str:
        return self.recipe.average

    @cached_property
    def ratios(self) -> Mapping[str, Ratio]:
        return {
            "corpus": Ratio(f"{self.title} (corpus)", {"most": 1, "distance": -1}, {"most": 1}, is_all=False),
            "sentence": mean(f"{self.title} (mean of sentences)", "sentence_score"),
            "distance": mean(self.distance_title, "distance", percent=False),
            "exact": share("Equal trees", "exact", "valid"),
        }

    def figures(self, total: Mapping[str, int]) -> dict[str, Part]:
        figures = super().figures(total)
        value = figures["corpus"].value if total["most"] else self.nothing if total["valid"] else None
        nodes = total["gold"] + total["test"]
        return {**figures, "corpus": Part(figures["corpus"].title, value, below=nodes, unit="node")}

    def rows(self, counts: Counts) -> dict[str, list[Any]]:
        distances = zip(counts["distance"], counts["valid"], strict=True)
        return self.sentence_rows(
            counts, {"distance": [self.amount(value) if valid else None for value, valid in distances]}
        )

    def amount(self, units: int) -> float:
        """A sum of costs; a whole number if all costs are."""
        return units // UNIT if all(isinstance(cost, int) for cost in self.costs) else round(units / UNIT, 9)

    def node_mappings(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> NodeMappings:
        """The pairs of nodes that are kept, with 1.0, or renamed, with 0.0, in the order in which they open.

        Nodes are numbered as in `Tree.nodes()`. Words follow: the number of a word is its place in `Tree.leaves` plus
        `len(tree.nodes())`.

        >>> import treescore
        >>> gold, test = treescore.read("(NP (DT the) (NN cat))"), treescore.read("(NP (DT the) (NN dog))")
        >>> treescore.metric("tree_distance|words:yes").node_mappings(treescore.Pair(gold, test))[0]
        [(0, 0, 1.0), (1, 1, 1.0), (3, 3, 1.0), (2, 2, 1.0), (4, 4, 0.0)]
        """
        rules = self.rules(pair)
        _, pairs = _core.tree_distance_steps(pair.gold.native, pair.test.native, rules, threads, False, progress)
        return NodeMappings(**pairs)

    def counts_and_steps(self, pair: Pair) -> tuple[Counts, NodeMappings]:
        """The rows, and all steps: the pairs of `node_mappings`, and -1 for the partner of a node that has none."""
        native, steps = _core.tree_distance_steps(pair.gold.native, pair.test.native, self.rules(pair), 1, True)
        return Counts.of_rows(native), NodeMappings(**steps)


class EditedTrees(Value):
    """One pair of trees: their distance and similarity, and how one is turned into the other.

    `distance` is None if it could not be computed (`problems` says why), `similarity` also if neither tree has nodes. A
    step of `script` is one of

    - `("keep", gold node, test node)`
    - `("rename", gold node, test node, gold label, test label)`
    - `("delete", gold node, label)`
    - `("insert", test node, label)`

    in the order in which the nodes open, deletions before insertions; what is neither kept nor renamed in gold is
    deleted, in test inserted. `mapping` has the pairs of nodes that are kept or renamed. Nodes are numbered as in
    `Tree.nodes()`; words, where they are nodes, are counted on from there in the order of `Tree.leaves`.
    """

    distance: float | None
    similarity: float | None
    script: Sequence[Step]
    gold_nodes: int
    test_nodes: int
    signature: str
    problems: tuple[Problem, ...] = ()

    @property
    def mapping(self) -> list[tuple[int, int]]:
        """The pairs of nodes that are kept or renamed."""
        return [step[1:3] for step in self.script if step[0] in ("keep", "rename")]

    def __repr__(self) -> str:
        distance = "–" if self.distance is None else f"{self.distance:g}"
        problems = f", {number_of(len(self.problems), 'problem')}" if self.problems else ""
        return f"<EditedTrees {distance}: {self.gold_nodes} and {self.test_nodes} nodes{problems}>"
