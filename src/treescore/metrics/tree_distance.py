"""Tree edit distance (Tai 1979): the least cost of turning one tree into the other by inserting, deleting and renaming.

The score is the similarity 1 - Σ distance / Σ (delete-cost · |gold| + insert-cost · |test|): the latter is the cost of
deleting all of gold and inserting all of test. Nodes are phrases and preterminals; with `words:yes` every word is a
node, too, a leaf under its preterminal or phrase. Phrases without words are not counted.

>>> import treescore
>>> gold = treescore.read("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))")
>>> test = treescore.read("(S (NP (DT the)) (VP (NN cat) (VBZ sleeps)))")
>>> metric = TreeDistance()
>>> score = metric.score(metric.counts(gold, test))
>>> score.value, score.parts["distance"]
(0.8333333333333334, 2.0)
>>> tree_distance(gold, test, words=True).distance
4
"""

from __future__ import annotations

from .. import _core
from ..alignment import Alignments
from ..counts import UNIT, Counts
from ..problem import Problem
from ..score import Part, Score
from ..text import number_of
from .base import SignatureError
from .nodes import LIMIT, NodeMetric, numbers, one_pair, written
from .policy import as_bool, as_number, yes, yes_no

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..readers.sources import Readable
    from ..trees import Treebank

    #: ("keep", gold node, test node), ("rename", gold node, test node, label, label), ("delete", gold node, label) or
    #: ("insert", test node, label)
    Step = tuple[Any, ...]

COSTS = ("insert-cost", "delete-cost", "rename-cost")
#: Costs are kept in units of 2^-40, and so many of them must fit one sum.
_MOST_COST, _LEAST_COST = 1000, 1e-6


class TreeDistance(NodeMetric):
    """Tree edit distance with a cost for each kind of edit.

    Unlabelled, all phrases and preterminals are alike, and words still differ from them and from other words. To rename
    never costs more than to delete and to insert.

    >>> TreeDistance(rename_cost=0.5, words=True).signature
    'tree_distance|labels:yes|insert-cost:1|delete-cost:1|rename-cost:0.5|words:yes|outer:counted|v:0.1.0'
    """

    name = "tree_distance"
    cites = ("tai-1979-tree", "emms-2008-tree")
    work = "distance"
    amounts = ("distance",)
    group_figures = ("corpus", "sentence", "distance", "exact")
    native = (
        "reason",
        "valid",
        "errors",
        "length",
        "distance",
        "most",
        "gold",
        "test",
        "sentence_score",
        "exact",
        "empty_phrases",
        "detail",
    )
    sums = ("valid", "errors", "distance", "most", "gold", "test", "sentence_score", "exact")

    def __init__(
        self,
        profile: str | None = None,
        *,
        insert_cost: float = 1,
        delete_cost: float = 1,
        rename_cost: float = 1,
        words: bool = False,
        limit: float = LIMIT,
        prm: bytes | None = None,
        **changes: Any,
    ) -> None:
        super().__init__(profile, limit=limit, prm=prm, **changes)
        self.costs = tuple(
            _cost(name, cost) for name, cost in zip(COSTS, (insert_cost, delete_cost, rename_cost), strict=True)
        )
        if not any(self.costs[:2]):
            raise SignatureError("insert-cost and delete-cost must not both be 0: any two trees would be equal")
        self.words = as_bool("words", words)

    @classmethod
    def own_options(cls) -> tuple[str, ...]:
        return (*COSTS, "words", "limit")

    @classmethod
    def own_arguments(cls, options: Mapping[str, str]) -> dict[str, Any]:
        arguments: dict[str, Any] = numbers(options, (*COSTS, "limit"))
        if "words" in options:
            try:
                arguments["words"] = yes(options["words"])
            except SignatureError as problem:
                raise SignatureError(f"words: {problem}") from None
        return arguments

    def own_values(self) -> dict[str, str]:
        values = {name: written(cost) for name, cost in zip(COSTS, self.costs, strict=True)}
        values["words"] = yes_no(self.words)
        return {**values, **self.limit_value()}

    def describe(self) -> dict[str, str]:
        said = super().describe()
        insert, delete, rename = map(written, self.costs)
        return {
            "labels": "nodes of unequal labels must be renamed" if self.recipe.labels else "all labels are alike",
            "insert_cost": f"to insert a node of test costs {insert}",
            "delete_cost": f"to delete a node of gold costs {delete}",
            "rename_cost": f"to rename a node costs {rename}, and never more than to delete and to insert",
            "words": "nodes are phrases, preterminals and words"
            if self.words
            else "nodes are phrases and preterminals",
            "limit": f"trees whose distance would take more than {written(self.limit)} seconds are left out",
            **{name: text for name, text in said.items() if name != "labels"},
        }

    def counts(
        self, gold: Treebank, test: Treebank, *, threads: int = 1, progress: _core.Progress | None = None
    ) -> Counts:
        rules = self._rules(gold, test)
        return self.as_counts(_core.tree_distance_rows(gold.native, test.native, rules, threads, progress))

    def _rules(self, gold: Treebank, test: Treebank) -> _core.TreeEditRules:
        sides, _ = self.sides(gold, test)
        insert, delete, rename = (round(cost * UNIT) for cost in self.costs)
        if abs(insert + delete - rename) == 1:  # 0.2 is 0.1 + 0.1, whatever the rounding
            rename = insert + delete
        return _core.TreeEditRules(
            gold=sides[0],
            test=sides[1],
            labelled=self.recipe.labels,
            words=self.words,
            insert=insert,
            remove=delete,
            rename=rename,
            limit=self.limit,
        )

    def score(self, counts: Counts) -> Score:
        total = counts.total()
        distance, most, valid = (total[name] for name in ("distance", "most", "valid"))
        nodes = total["gold"] + total["test"]
        corpus = (most - distance) / most if most else None
        mean, per_sentence = (total[name] / UNIT / valid if valid else None for name in ("sentence_score", "distance"))
        figures = {
            "corpus": Part("Tree similarity (corpus)", corpus, below=nodes, unit="node"),
            "sentence": Part("Tree similarity (mean of sentences)", mean, below=valid),
            "distance": Part("Edit distance per sentence", per_sentence, below=valid, percent=False),
            "exact": Part("Equal trees", above=total["exact"], below=valid),
        }
        main = self.recipe.average
        return Score(self.name, self.signature, {main: figures[main], **figures}, main, counts)

    def rows(self, counts: Counts) -> dict[str, list[Any]]:
        distances = zip(counts["distance"], counts["valid"], strict=True)
        return self.sentence_rows(
            counts, {"distance": [self._amount(value) if valid else None for value, valid in distances]}
        )

    def _amount(self, units: int) -> float:
        """A sum of costs; a whole number if all costs are."""
        return units // UNIT if all(isinstance(cost, int) for cost in self.costs) else round(units / UNIT, 9)

    def alignments(
        self, gold: Treebank, test: Treebank, *, threads: int = 1, progress: _core.Progress | None = None
    ) -> Alignments:
        """The pairs of nodes that are kept, with 1.0, or renamed, with 0.0, in the order in which they open.

        Nodes are numbered as in `Tree.nodes()`. Words come after them all: the number of a word is that of its place
        in `Tree.leaves`, counted on from `len(tree.nodes())`.

        >>> import treescore
        >>> gold, test = treescore.read("(NP (DT the) (NN cat))"), treescore.read("(NP (DT the) (NN dog))")
        >>> TreeDistance(words=True).alignments(gold, test)[0]
        [(0, 0, 1.0), (1, 1, 1.0), (3, 3, 1.0), (2, 2, 1.0), (4, 4, 0.0)]
        """
        rules = self._rules(gold, test)
        _, pairs = _core.tree_distance_steps(gold.native, test.native, rules, threads, False, progress)
        return Alignments(*pairs)


def _cost(name: str, cost: float) -> int | float:
    """A cost; a whole number as such, so that sums of it are whole."""
    number = as_number(name, cost)
    if not (number == 0 or _LEAST_COST <= number <= _MOST_COST):
        raise SignatureError(f"{name} must be 0 or a number from {_LEAST_COST} to {_MOST_COST}, not {cost!r}")
    return int(number) if number.is_integer() else number


class EditedTrees:
    """One pair of trees: their distance and similarity, and how one is turned into the other.

    `distance` is None if it could not be found (`problems` says why), `similarity` also if neither tree has nodes. A
    step of `script` is one of

    - `("keep", gold node, test node)`
    - `("rename", gold node, test node, gold label, test label)`
    - `("delete", gold node, label)`
    - `("insert", test node, label)`

    in the order in which the nodes open, deletions before insertions; what is neither kept nor renamed in gold is
    deleted, in test inserted. `mapping` has the pairs of nodes that are kept or renamed. Nodes are numbered as in
    `Tree.nodes()`; words, where they are nodes, are counted on from there in the order of `Tree.leaves`.
    """

    __slots__ = ("distance", "gold_nodes", "mapping", "problems", "script", "signature", "similarity", "test_nodes")

    def __init__(
        self,
        *,
        distance: float | None,
        similarity: float | None,
        script: Sequence[Step],
        gold_nodes: int,
        test_nodes: int,
        signature: str,
        problems: Sequence[Problem] = (),
    ) -> None:
        self.distance, self.similarity = distance, similarity
        self.script = list(script)
        self.mapping: list[tuple[int, int]] = [step[1:3] for step in script if step[0] in ("keep", "rename")]
        self.gold_nodes, self.test_nodes = gold_nodes, test_nodes
        self.signature = signature
        self.problems = tuple(problems)

    def __repr__(self) -> str:
        distance = "–" if self.distance is None else f"{self.distance:g}"
        problems = f", {number_of(len(self.problems), 'problem')}" if self.problems else ""
        return f"<EditedTrees {distance}: {self.gold_nodes} and {self.test_nodes} nodes{problems}>"


def tree_distance(
    gold: Readable,
    test: Readable,
    *,
    insert: float = 1,
    delete: float = 1,
    rename: float = 1,
    words: bool = False,
    labels: bool = True,
    **changes: Any,
) -> EditedTrees:
    """The edit distance of one pair of trees, and the steps: strings, `Tree`s, nested lists over seconds, nltk trees.

    `insert`, `delete` and `rename` are the costs of one step each; the distance is a whole number if they are. With
    `words` each word is a node of its own. Further options are those of the metric (`outer`, `cut`, `equal_labels`,
    `limit`), except for the labels to leave out: `delete` is a cost here. For files use `treescore.evaluate`.

    >>> result = tree_distance("(S (NP (NN a)) (VP (VB b)))", "(S (X (NN a)) (VB b) (NN c))")
    >>> result.distance, result.similarity
    (3, 0.7)
    >>> for step in result.script:
    ...     print(*step)
    keep 0 0
    rename 1 1 NP X
    keep 2 2
    delete 3 VP
    keep 4 3
    insert 4 NN
    >>> tree_distance("(NP (DT the) (NN cat))", "(NP (NN cat))", delete=0.5).distance
    0.5
    """
    banks = one_pair(gold, test, "tree_distance")
    metric = TreeDistance(
        insert_cost=insert, delete_cost=delete, rename_cost=rename, words=words, labels=labels, **changes
    )
    native, steps = _core.tree_distance_steps(banks[0].native, banks[1].native, metric._rules(*banks), 1, True)
    counts = metric.as_counts(native)
    row = counts.row(0)
    names = [[*(node.label for node in bank[0].nodes()), *bank[0].leaves] for bank in banks]
    script = [_step(pair, names) for pair in Alignments(*steps)[0]]
    kinds = [step[0] for step in script]
    by_kind = zip(("insert", "delete", "rename"), metric.costs, strict=True)
    distance = sum(cost * kinds.count(kind) for kind, cost in by_kind)
    most = metric.costs[1] * row["gold"] + metric.costs[0] * row["test"]
    return EditedTrees(
        distance=None if row["errors"] else distance,
        similarity=None if not row["valid"] else 1 - distance / most if most else 0.0,
        script=script,
        gold_nodes=row["gold"],
        test_nodes=row["test"],
        signature=metric.signature,
        problems=[*banks[0].problems, *banks[1].problems, *metric.problems(*banks, counts)],
    )


def _step(pair: tuple[int, int, float], names: Sequence[Sequence[str]]) -> Step:
    gold, test, same = pair
    if test < 0:
        return "delete", gold, names[0][gold]
    if gold < 0:
        return "insert", test, names[1][test]
    return ("keep", gold, test) if same else ("rename", gold, test, names[0][gold], names[1][test])
