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
from ..recipe import AVERAGE, LABELS, OUTER
from ..values.option import Flag, Number
from ..values.signature_text import SignatureError
from .edits import EditedTrees, EditMetric
from .nodes import one_pair, problems_of_pair
from .options import LIMIT, NODE_OPTIONS, PRM, PROFILE
from .policy import PolicyMetric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..place.pair import Pair
    from ..readers.sources import Readable
    from .edits import Step


def _cost(name: str, description: str) -> Number:
    """The declaration of a cost. Costs are kept in units of 2^-40, and sums of many must not overflow."""
    return Number(
        name,
        1,
        description,
        expects="0 or a number from 1e-06 to 1000",
        allows=lambda cost: cost == 0 or 1e-6 <= cost <= 1000,
        is_always_written=True,
    )


COSTS = (
    _cost("insert-cost", "to insert a node of test costs {}"),
    _cost("delete-cost", "to delete a node of gold costs {}"),
    _cost("rename-cost", "to rename a node costs {}, and never more than to delete and to insert"),
)
WORDS = Flag(
    "words",
    False,
    choices={"yes": "nodes are phrases, preterminals and words", "no": "nodes are phrases and preterminals"},
    is_always_written=True,
)


class TreeDistance(EditMetric):
    """Tree edit distance with a cost for each kind of edit.

    Unlabelled, all phrases and preterminals are alike, and words still differ from them and from other words. To rename
    never costs more than to delete and to insert.

    >>> TreeDistance(rename_cost=0.5, words=True).signature
    'tree_distance|labels:yes|insert-cost:1|delete-cost:1|rename-cost:0.5|words:yes|outer:counted|v:0.2.0.dev0'
    """

    name = "tree_distance"
    cites = ("tai-1979-tree", "emms-2008-tree")

    options = (
        LABELS.replace(choices={"yes": "nodes of unequal labels must be renamed", "no": "all labels are alike"}),
        PROFILE,
        PRM,
        *COSTS,
        WORDS,
        LIMIT,
        OUTER.always_written(),
        *NODE_OPTIONS,
        AVERAGE,
    )
    words: bool
    in_recipe = PolicyMetric.in_recipe - {"words"}
    set_elsewhere = frozenset(PolicyMetric.set_elsewhere) - {"words"}

    def __init__(self, profile: str | None = None, **given: Any) -> None:
        super().__init__(profile, **given)
        self.costs = tuple(map(self.value_of, COSTS))
        if not any(self.costs[:2]):
            raise SignatureError("insert-cost and delete-cost must not both be 0: any two trees would be equal")

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


def tree_distance(
    gold: Readable,
    test: Readable,
    *,
    insert: float = 1,
    delete: float = 1,
    rename: float = 1,
    **options: Any,
) -> EditedTrees:
    """The edit distance of one pair of trees, and the steps: strings, `Tree`s, nested lists over seconds, nltk trees.

    `insert`, `delete` and `rename` are the costs of one step each; the distance is a whole number if they are. The
    options are those of the metric, such as `words`, `labels` and `outer`, except for the labels to leave out: `delete`
    is a cost here. For files use `treescore.evaluate`.

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
    metric = TreeDistance(insert_cost=insert, delete_cost=delete, rename_cost=rename, **options)
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
        problems=problems_of_pair(metric, pair, counts),
    )


def _step(pair: tuple[int, int, float], names: Sequence[Sequence[str]]) -> Step:
    gold, test, same = pair
    if test < 0:
        return "delete", gold, names[0][gold]
    if gold < 0:
        return "insert", test, names[1][test]
    return ("keep", gold, test) if same else ("rename", gold, test, names[0][gold], names[1][test])
