"""Metrics that compare the nodes of trees: which nodes count, what can be wrong with a pair, how long it may take."""

from __future__ import annotations

from .._core import NodeReason, WhyTooComplex
from ..helpers.memory import budget
from ..helpers.text import decode, number_of
from ..place.pair import Pair
from ..place.two_sides import read_both
from ..recipe import Recipe
from ..values.problem import FAILED, LEFT_OUT, LOST, Problem, UsageError
from ..values.signature_text import SignatureError
from .options import LIMIT
from .policy import PolicyMetric, cause_hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..readers.sources import Readable
    from ..recipe import Compiled
    from ..values.counts import Counts
    from .overview import Overview

#: Code, message and action of metrics that compare continuous trees only.
DISCONTINUOUS = ("discontinuous", "one of the trees is discontinuous, which this metric cannot compare", LEFT_OUT)
#: Code, message and action for each reason without further detail: for metrics over words, and over nodes.
WORD_REASONS = {
    NodeReason.EMPTY_TEST: ("unparsed", "there are no words in test", "nothing matches"),
    NodeReason.EMPTY_GOLD: ("no-gold", "there are no words in gold", "everything in test is wrong"),
    NodeReason.BOTH_EMPTY: ("empty", "neither side has words", "nothing to compare"),
    NodeReason.GOLD_FAULT: ("gold", "the gold tree could not be read", LEFT_OUT),
    NodeReason.CROSSING: DISCONTINUOUS,
}
REASONS = {
    NodeReason.EMPTY_TEST: ("unparsed", "there are no nodes in the test tree", "scored 0"),
    NodeReason.EMPTY_GOLD: ("no-gold", "there are no nodes in the gold tree", "scored 0"),
    NodeReason.BOTH_EMPTY: ("empty", "neither tree has nodes", "nothing to compare"),
    NodeReason.NO_TIMES: ("no-times", "the words of one of the trees have no times", LEFT_OUT),
    NodeReason.CROSSING: DISCONTINUOUS,
}


#: Advice for sentences with different words.
_OTHER_METRICS = "; sparseval aligns words first, struct_iou and tree_distance need none"


class NodeMetric(PolicyMetric):
    """A metric over phrases and preterminals that has one row per pair from a native engine."""

    plain_recipe = Recipe(cut="")
    uses_part_of_profiles = True
    tags_are_labels = True
    maps_nodes = True
    gold_unit = "nodes"
    row_figure = "score"

    #: The part of the work that takes long for large trees.
    work = "alignment"
    reasons = REASONS
    compares_names = True

    limit: float

    def __init__(self, profile: str | None = None, **given: Any) -> None:
        super().__init__(profile, **given)
        if not self.recipe.has_classes():
            raise SignatureError("equal: A = B and B = C need A = C among the equal labels")

    def sentence_rows(self, counts: Counts, between: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
        """The columns that all these metrics have, with others in between."""
        return {
            **self.row_columns(counts, score="sentence"),
            **between,
            **{name: list(counts[name]) for name in ("gold", "test", "exact")},
        }

    def row_scores(self, counts: Counts) -> list[float | None]:
        return self.row_values(counts, "sentence") if "sentence" in self.ratios else super().row_scores(counts)

    def remarks(self, overview: Overview) -> list[Problem]:
        return [*self.prm_problems(), *self._label_problems(overview)]

    def row_problems(self, pair: Pair, counts: Counts) -> list[Problem]:
        problems: list[Problem] = []
        unusual = [counts[name] for name in ("differs_at", "empty_phrases") if name in counts.notes]
        for index, (reason, *row) in enumerate(zip(counts["reason"], *unusual, strict=True)):
            if reason != NodeReason.SCORED or any(row):
                action = FAILED if counts["failed"][index] else LOST if counts["lost"][index] else LEFT_OUT
                for code, message, outcome in self.problems_of(pair, counts, index):
                    problems.append(pair.test.problem(index, code, message, outcome.replace(LEFT_OUT, action)))
        return problems

    def problems_of(self, pair: Pair, counts: Counts, index: int) -> list[tuple[str, str, str]]:
        """Code, message and action for each problem of one pair."""
        problems = []
        reason, empty = counts["reason"][index], counts["empty_phrases"][index]
        if reason in self.reasons:
            problems.append(self.reasons[reason])
        elif reason == NodeReason.TOO_COMPLEX:
            problems.append(self.too_complex(counts["detail"][index]))
        if empty:
            problems.append(("empty-phrase", f"{number_of(empty, 'phrase')} without words", "not counted"))
        return problems

    def too_complex(self, detail: int) -> tuple[str, str, str]:
        """Code, message and action for a pair that would take too long."""
        if detail == WhyTooComplex.MEMORY:
            return "too-complex", f"the exact {self.work} of these trees would need too much memory", LEFT_OUT
        if detail == WhyTooComplex.SUMS:
            return "too-complex", "the costs of these trees are too large to be added up", LEFT_OUT
        limit = f"the limit of {LIMIT.write(self.limit)} seconds"
        needed = "more" if detail == WhyTooComplex.ABOVE_LIMIT else f"{_duration(detail)}, more"
        message = f"the exact {self.work} of these trees would need {needed} than {limit}"
        return "too-complex", message, f"{LEFT_OUT}; a higher limit in the metric would let it run"

    def _label_problems(self, overview: Overview) -> list[Problem]:
        """A hint if only gold has function tags, so that hardly any labels agree."""
        if self.recipe.cut or not self.recipe.labels:
            return []
        may_have = [name for name in overview.names(0) if "-" in name or "=" in name]
        if not may_have:
            return []
        names = may_have, overview.names(1)
        cut = self.recipe.replace(cut="-=")
        tagged = [[name for name in side if cut.cut_label(name) not in ("", name)] for side in names]
        plain = set(names[1])
        example = min((name for name in tagged[0] if cut.cut_label(name) in plain), default=None)
        if example is None or tagged[1]:
            return []
        message = (
            f"labels of gold have functions such as {example!r}, those of test do not, and so never agree: "
            "add cut:-= to the metric to compare labels without them"
        )
        return [Problem("function-tags", message, file=overview.files[0])]


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
        return [(code, message + (cause_hint(self, counts, index) or _OTHER_METRICS), LEFT_OUT)]


def _duration(milliseconds: int) -> str:
    """A predicted time to three digits.

    >>> _duration(0), _duration(250), _duration(12_345_678)
    ('less than a millisecond', 'about 0.25 seconds', 'about 12,300 seconds')
    """
    rounded = float(f"{milliseconds / 1000:.3g}")
    return f"about {rounded:,.15g} seconds" if milliseconds else "less than a millisecond"


def one_pair(gold: Readable, test: Readable, name: str) -> Pair:
    """One tree on each side; `name` is that of the metric."""
    budget()
    banks = read_both(gold, test)
    if len(banks[0]) != 1:
        raise UsageError(
            f"{name} takes one tree on each side, not {len(banks[0])}; "
            f"treescore.evaluate(gold, test, {name!r}) scores many"
        )
    return Pair(*banks)


def problems_of_pair(metric: NodeMetric, pair: Pair, counts: Counts) -> tuple[Problem, ...]:
    """The problems of reading and of scoring one pair."""
    return *pair.gold.problems, *pair.test.problems, *metric.problems(pair, counts)
