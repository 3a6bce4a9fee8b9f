"""Tree edit distance (Tai 1979): the least cost of turning one tree into the other by inserting, deleting and renaming.

The score is the similarity 1 - Σ distance / Σ (delete-cost · |gold| + insert-cost · |test|): the latter is the cost of
deleting all of gold and inserting all of test. Nodes are phrases and preterminals; with `words:yes` every word is a
node, too, a leaf under its preterminal or phrase. Phrases without words are not counted.

>>> import treescore
>>> gold = treescore.read("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))")
>>> test = treescore.read("(S (NP (DT the)) (VP (NN cat) (VBZ sleeps)))")
>>> metric = TreeDistance()
>>> score = metric.score(metric.counts(treescore.Pair(gold, test)))
>>> score.value, score.parts["distance"]
(0.8333333333333334, 2.0)
>>> tree_distance(gold, test, words=True).distance
4
"""

from __future__ import annotations

from .. import _core
from .._core import EditWords
from ..values.signature_text import SignatureError
from .edits import EditedTrees, EditMetric
from .nodes import LIMIT, numbers, one_pair, written
from .policy import as_bool, as_number, yes, yes_no

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..place.pair import Pair
    from ..readers.sources import Readable
    from .edits import Step

COSTS = ("insert-cost", "delete-cost", "rename-cost")
#: Costs are kept in units of 2^-40, and so many of them must fit one sum.
_MOST_COST, _LEAST_COST = 1000, 1e-6


class TreeDistance(EditMetric):
    """Tree edit distance with a cost for each kind of edit.

    Unlabelled, all phrases and preterminals are alike, and words still differ from them and from other words. To rename
    never costs more than to delete and to insert.

    >>> TreeDistance(rename_cost=0.5, words=True).signature
    'tree_distance|labels:yes|insert-cost:1|delete-cost:1|rename-cost:0.5|words:yes|outer:counted|v:0.2.0.dev0'
    """

    name = "tree_distance"
    cites = ("tai-1979-tree", "emms-2008-tree")

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

    def rules(self, pair: Pair) -> _core.TreeEditRules:
        gold, test = self.compiled(pair).sides()
        insert, delete, rename = self.native_costs()
        return _core.TreeEditRules(
            gold=gold,
            test=test,
            labelled=self.recipe.labels,
            words=EditWords.NODES if self.words else EditWords.NO_NODES,
            insert=insert,
            remove=delete,
            rename=rename,
            limit=self.limit,
        )


def _cost(name: str, cost: float) -> int | float:
    """A cost; a whole number as such, so that sums of it are whole."""
    number = as_number(name, cost)
    if not (number == 0 or _LEAST_COST <= number <= _MOST_COST):
        raise SignatureError(f"{name} must be 0 or a number from {_LEAST_COST} to {_MOST_COST}, not {cost!r}")
    return int(number) if number.is_integer() else number


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
    pair = one_pair(gold, test, "tree_distance")
    metric = TreeDistance(
        insert_cost=insert, delete_cost=delete, rename_cost=rename, words=words, labels=labels, **changes
    )
    counts, [steps] = metric.counts_and_steps(pair)
    row = counts.row(0)
    names = [[*(node.label for node in bank[0].nodes()), *bank[0].leaves] for bank in (pair.gold, pair.test)]
    script = [_step(step, names) for step in steps]
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
        problems=[*pair.gold.problems, *pair.test.problems, *metric.problems(pair, counts)],
    )


def _step(pair: tuple[int, int, float], names: Sequence[Sequence[str]]) -> Step:
    gold, test, same = pair
    if test < 0:
        return "delete", gold, names[0][gold]
    if gold < 0:
        return "insert", test, names[1][test]
    return ("keep", gold, test) if same else ("rename", gold, test, names[0][gold], names[1][test])
