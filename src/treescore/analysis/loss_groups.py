"""The losses of a sentence grouped by the errors of the parser, each in one sentence. The groups add up to the loss.

>>> import treescore
>>> gold = "(VP (VBD saw) (NP (DT a) (NN cat)) (PP (IN with) (NP (NNS eyes))))"
>>> test = "(VP (VBD saw) (NP (NP (DT a) (NN cat)) (PP (IN with) (NP (NNS eyes)))))"
>>> for group in treescore.pair(gold, test, "parseval").explain().groups:
...     print(group, group.kind, round(group.cost, 4))
NP “a cat with eyes” is extra: 1 bracket PP Attachment 0.1111
"""

from __future__ import annotations

from math import fsum

from ..helpers.text import number_of, visible
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .errors.explaining import RepairStep
    from .explain import Contribution
    from .tree_pair import PairNode, TreePair

#: Losses that no repair step explains, by their kind.
_OTHERS = {
    "missing": "other phrases only in gold",
    "extra": "other phrases only in test",
    "twins": "other labels over the same words",
}


class LossGroup(Value):
    """Losses with the same cause: what was wrong in words, the title of its error class, and the losses.

    Losses that belong to no error have no `kind`. `cost` is their sum in the score, as a fraction of 1.
    """

    text: str
    kind: str | None
    cost: float
    items: tuple[Contribution, ...]

    @property
    def brackets(self) -> int:
        """The number of brackets: two over the same words with different labels count as two."""
        return sum((item.gold is not None) + (item.test is not None) for item in self.items)

    def __str__(self) -> str:
        return f"{self.text}: {number_of(self.brackets, 'bracket')}"


def loss_groups(pair: TreePair, losses: Sequence[Contribution]) -> list[LossGroup]:
    """The losses of a pair in groups, the largest first; no groups where error classes do not apply.

    They apply to brackets (parseval) of sentences that can be repaired step by step: trees over the same words, without
    discontinuous phrases.
    """
    if pair.metric.name != "parseval" or not losses:
        return []
    from .errors.explaining import explain_errors

    analysis = explain_errors(pair.gold, pair.test)
    steps = list(analysis.steps())
    if not steps:
        return []
    step_of = _steps_of_nodes(pair, steps)
    by_cause: dict[int | str, list[Contribution]] = {}
    for item in losses:
        keys = ((side, node.number) for side, node in enumerate((item.gold, item.test)) if node is not None)
        cause: int | str = next((step_of[key] for key in keys if key in step_of), item.kind)
        by_cause.setdefault(cause, []).append(item)
    groups = []
    for cause, items in by_cause.items():
        step = steps[cause] if isinstance(cause, int) else None
        text = _OTHERS[items[0].kind] if step is None else visible(step.in_words())
        kind = None if step is None else analysis.pack.title(step.kind)
        groups.append(LossGroup(text, kind, fsum(item.cost for item in items), tuple(items)))
    return sorted(groups, key=lambda group: (-group.cost, group.kind is None))


def _steps_of_nodes(pair: TreePair, steps: Iterable[RepairStep]) -> dict[tuple[int, int], int]:
    """The number of the step that repairs a node, by the side and the number of the node."""
    gold, test = (_phrases(nodes) for nodes in pair.nodes)
    step_of = {}
    for number, step in enumerate(steps):
        step_of.update(dict.fromkeys(((0, gold[phrase]) for phrase in step.gold_phrases), number))
        step_of.update(dict.fromkeys(((1, test[phrase]) for phrase in step.test_phrases), number))
    return step_of


def _phrases(nodes: Iterable[PairNode]) -> list[int]:
    return [node.number for node in nodes if not node.is_preterminal]
