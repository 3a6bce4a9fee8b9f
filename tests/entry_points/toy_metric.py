"""A metric that has no more than a metric must have: counts, figures, and the columns of outcome.hpp; and an option."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from treescore import Counts, Metric, Part, Treebank
from treescore.place.pair import Pair
from treescore.values.option import Flag


class Toy(Metric):
    """F1 of words at the same place of the sentence.

    >>> import treescore
    >>> gold, test = ["(S (NN a) (NN b))", "(S (NN c))"], ["(S (NN a) (NN x))", "()"]
    >>> score = treescore.evaluate(gold, test, Toy()).scores[0]
    >>> score.value, score.all, score.coverage
    (0.5, 0.3333333333333333, Coverage(0.5))
    """

    name = "toy"

    options = (Flag("fold", False, choices={"yes": "case does not matter", "no": "case matters"}),)
    fold: bool

    def counts(self, pair: Pair, *, threads: int = 1, progress: Any = None) -> Counts:
        return _counted(pair.gold, pair.test, str.lower if self.fold else str)

    def figures(self, total: Mapping[str, int]) -> dict[str, Part]:
        matched, gold, test = (total[name] for name in ("matched", "gold", "test"))
        return {
            "f1": Part("F1 of words", above=2 * matched, below=gold + test),
            "precision": Part("Precision of words", above=matched, below=test),
            "recall": Part("Recall of words", above=matched, below=gold),
        }


_COLUMNS = (
    "failed",
    "excluded",
    "gold_faults",
    "lost",
    "failed_gold",
    "gold_all",
    "test_all",
    "matched",
    "gold",
    "test",
)


def _counted(gold: Treebank, test: Treebank, folded: Callable[[str], str]) -> Counts:
    sides = [[[*map(folded, bank.words(place))] for place in range(len(gold))] for bank in (gold, test)]
    rows = [_row(*words) for words in zip(*sides, strict=True)]
    columns = {name: [row.get(name, 0) for row in rows] for name in _COLUMNS}
    return Counts({"sentences": [1] * len(rows), **columns}, notes={"length": map(len, sides[0])})


def _row(gold: list[str], test: list[str]) -> dict[str, int]:
    if not gold:
        return {"excluded": 1}
    if not test:
        return {"failed": 1, "failed_gold": len(gold), "gold_all": len(gold), "test_all": len(gold)}
    matched = sum(a == b for a, b in zip(gold, test, strict=False))
    sides = {"gold": len(gold), "test": len(test)}
    return {"matched": matched, **sides, **{f"{side}_all": number for side, number in sides.items()}}
