"""Metrics that compare two trees word by word, and so need the same words on both sides."""

from __future__ import annotations

from .._core import NodeReason
from ..helpers.text import decode
from ..recipe import Recipe
from ..values.problem import LEFT_OUT
from .nodes import NodeMetric
from .policy import cause_hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..place.pair import Pair
    from ..recipe import Compiled
    from ..values.counts import Counts

_ADVICE = "; sparseval aligns words first, struct_iou and tree_distance need none"


class SameWordsMetric(NodeMetric):
    """A metric over words with the phrases above them.

    In the metric's own figures, a sentence without a parse counts as one without any match. A sentence with other words
    counts only in the figures over all sentences.
    """

    plain_recipe = Recipe(cut="")
    maps_nodes = False

    def pair_rules(self, compiled: Compiled) -> dict[str, Any]:
        """The rules about words for the native engines."""
        gold, test = compiled.sides()
        return {
            "gold": gold,
            "test": test,
            "word_texts": compiled.word_texts,
            "delete_by_gold": self.recipe.delete_by == "gold",
        }

    def problems_of(self, pair: Pair, counts: Counts, index: int) -> list[tuple[str, str, str]]:
        reason, a, b = (counts[name][index] for name in ("reason", "detail", "other_detail"))
        if reason == NodeReason.EMPTY_TEST:
            return [("unparsed", "there are no words in the test tree", "scored 0")]
        if reason == NodeReason.BOTH_EMPTY:
            return [("empty", "no words are left in either tree", "nothing to compare")]
        if reason == NodeReason.TOO_COMPLEX:
            return [self.too_complex(a)]
        if reason == NodeReason.WORD_COUNT:
            code, message = "length", f"{a} words in gold, {b} in test after deletions"
        elif reason == NodeReason.OTHER_WORDS:
            words = [decode(pair.gold.native.word(index, a)), decode(pair.test.native.word(index, b))]
            code, message = "words", f"gold has the word {words[0]!r} where test has {words[1]!r}"
        else:
            return []
        return [(code, message + (cause_hint(self, counts, index) or _ADVICE), LEFT_OUT)]
