"""Several gold trees for each sentence: paired with those of the first file, and the trees that a metric chose.

>>> import treescore
>>> gold = treescore.read("(S (NN a))\\n(S (NN b))")
>>> both = with_references(gold, [treescore.read("(X (NN a))\\n(X (NN b))")])
>>> list(ChosenTrees([both, *both.references], [1, 0]).lines())
['(X (NN a))', '(S (NN b))']
"""

from __future__ import annotations

from itertools import groupby

from .. import _core
from ..trees import Treebank
from ..values.problem import UsageError
from .two_sides import paired_by_id
from .unequal import check_equal_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..values.problem import Problem


def with_references(gold: Treebank, references: Sequence[Treebank]) -> Treebank:
    """The gold trees with the trees of other files for the same sentences, paired by ids if both have them."""
    for number, bank in enumerate(references, 2 + len(gold.references)):
        if bank.references:
            raise UsageError(f"{bank.source.name} has several trees for a sentence: only the first gold file can")
        sides = "gold", f"reference {number}"
        _, paired = paired_by_id(gold, bank, sides=sides, instead="without this reference")
        check_equal_number(gold, paired, sides=sides)
        named = set(bank.ids or gold.ids or ())
        chosen = [int(name in named) for name in gold.ids or ()]
        incomplete = [place for place, number in enumerate(chosen) if not number]
        if incomplete:  # the first tree stands in for one that is missing
            paired = paired.with_trees(ChosenTrees([gold, paired], chosen).native)
        gold = gold.with_references([paired], incomplete)
    return gold


class ChosenTrees(Treebank):
    """One tree for each sentence, each from one of several treebanks; problems name the file that it is from."""

    __slots__ = ("banks", "chosen")

    def __init__(self, banks: Sequence[Treebank], chosen: Sequence[int]) -> None:
        builder = _core.TreeBuilder()
        begin = 0
        for number, run in groupby(chosen):
            end = begin + len(list(run))
            builder.extend(banks[number].native.slice(begin, end))
            begin = end
        first = banks[0]
        super().__init__(
            builder.trees(),
            source=first.source,
            problems=[
                problem
                for number, bank in enumerate(banks)
                for problem in bank.problems
                if problem.unit is None or chosen[problem.unit - bank._offset - 1] == number
            ],
            blank_lines=first.blank_lines,
            offset=first._offset,
            ids=first.ids,
        )
        self.banks = tuple(banks)
        #: For each sentence the number of its treebank, from 0.
        self.chosen = tuple(chosen)

    def problem(self, index: int, code: str, message: str, action: str | None = None) -> Problem:
        place = self._place(index)
        found = self.banks[self.chosen[place]].problem(place, code, message, action)
        return found.replace(unit=self.number(place))

    def _slice(self, begin: int, end: int) -> Treebank:
        return ChosenTrees([bank[begin:end] for bank in self.banks], self.chosen[begin:end])

    def __reduce__(self) -> tuple[Any, ...]:
        return ChosenTrees, (self.banks, self.chosen)
