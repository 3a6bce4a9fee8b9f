"""STRUCT-IOU (Shi, Gimpel and Livescu 2024): the best structure-preserving alignment of two trees over intervals.

The score is 2 · Σ IoU / (|gold| + |test|), summed over the aligned pairs of nodes. Nodes are phrases and preterminals.

>>> import treescore
>>> gold = treescore.read("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))")
>>> test = treescore.read("(S (NP (DT the)) (VP (NN cat) (VBZ sleeps)))")
>>> metric = StructIou()
>>> metric.score(metric.counts(treescore.Pair(gold, test))).value
0.6666666666666666
>>> struct_iou(gold, test).mapping
[(0, 0, 1.0), (2, 2, 1.0), (3, 4, 1.0), (5, 5, 1.0)]
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import fsum

from .. import _core
from ..helpers.named import value_of
from ..pairing.node_mapping import MappedTrees, NodeMappings, Verdicts
from ..place.axis import CHARACTERS, SECONDS, WORDS
from ..place.pair import Pair
from ..recipe import AVERAGE, LABELS, OUTER
from ..values.counts import UNIT, Counts
from ..values.option import Choice, Number
from ..values.score import Part
from ..values.signature_text import SignatureError
from .nodes import NodeMetric, one_pair, problems_of_pair
from .options import AXIS, LIMIT, NODE_OPTIONS, PRM, PROFILE
from .ratios import Ratio, mean, share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..place.axis import Axis
    from ..place.placed import Columns
    from ..readers.sources import Readable
    from ..trees import Treebank

TERMINALS = Choice(
    "terminals",
    "flexible",
    choices={
        "flexible": "a preterminal may be aligned with any node, whatever its label",
        "strict": "preterminals, like all other nodes, are aligned only with nodes of the same label",
    },
    aliases={"paper": "strict"},  # Problem 11 requires equal labels for all nodes
    is_always_written=True,
)
THRESHOLD = Number(
    "threshold",
    0,
    "only pairs with an IoU above {} count",
    expects="a number from 0 to 1",
    allows=lambda share: 0 <= share <= 1,
    is_always_written=True,
)
SILENT = Choice(
    "silent",
    choices={
        "drop": "silent leaves, such as punctuation, are left out, and so are phrases that contain nothing else",
        "keep": "silent leaves, and phrases that contain nothing else, count as nodes, which are never aligned",
    },
)
GAPS = Choice(
    "gaps",
    choices={
        "keep": "silence between words belongs to the phrases around it",
        "close": "words before and after a silence are extended to its middle",
    },
)
COMPAT = Choice(
    "compat",
    choices={
        "struct-iou-0.1": "pairs that share less than a millionth do not count, as in the published implementation",
    },
    unset="all pairs that overlap count, as in the definition",
)

#: An IoU equal to the threshold must not be above it because of rounded times.
_ROUNDING = 1e-9
#: The published implementation drops pairs with an overlap or an IoU below this.
_CUT_OFF = 1e-6


class StructIou(NodeMetric):
    """STRUCT-IOU on an axis, with or without labels.

    >>> StructIou(axis="characters", labels=False, threshold=0.5).signature
    'struct_iou|labels:no|terminals:flexible|threshold:0.5|axis:characters|outer:counted|v:0.2.0.dev0'
    """

    name = "struct_iou"
    cites = ("shi-etal-2024-structured",)
    judges_nodes = True
    options = (
        LABELS.replace(choices={"yes": "labels must agree", "no": "labels are ignored"}),
        PROFILE,
        PRM,
        TERMINALS,
        THRESHOLD,
        AXIS,
        SILENT,
        GAPS,
        COMPAT,
        LIMIT,
        OUTER.always_written(),
        *NODE_OPTIONS,
        AVERAGE,
    )
    amounts = ("overlap",)
    group_figures = ("corpus", "precision", "recall")

    axis: Axis
    terminals: str
    threshold: float
    silent: str | None
    gaps: str | None
    compat: str | None

    def __init__(self, profile: str | None = None, **given: Any) -> None:
        super().__init__(profile, **given)
        if self.needs_times:
            self.silent, self.gaps = self.silent or "drop", self.gaps or "keep"
        for option in (SILENT, GAPS):
            if self.value_of(option) is not None and not self.needs_times:
                raise SignatureError(f"{option.name} needs axis:seconds")

    def counts(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> Counts:
        rules = self.checked_rules(pair)
        return Counts.of_rows(_core.struct_iou_rows(pair.gold.native, pair.test.native, rules, threads, progress))

    def checked_rules(self, pair: Pair) -> _core.StructIouRules:
        """The rules for the native engine. On the axis of seconds all trees must have times."""
        if self.needs_times:
            for bank in (pair.gold, pair.test):
                bank.check_times("use axis:words or axis:characters, or trees with times")
        return self._rules(pair)

    def _rules(self, pair: Pair) -> _core.StructIouRules:
        return self._options.with_names(self.compiled(pair).names)

    @cached_property
    def _options(self) -> _core.StructIouRules:
        """The rules without the labels of the trees."""
        cut_off = _CUT_OFF if self.compat else 0.0
        above = self.threshold + _ROUNDING if self.threshold > 0 and not self.compat else self.threshold
        return _core.StructIouRules(
            labelled=self.recipe.labels,
            axis=value_of(_core.Axis, self.axis.name),
            count_silent=self.silent == "keep",
            close_gaps=self.gaps == "close",
            crossing=self.axis.tolerance,
            flexible=self.terminals == "flexible",
            threshold=above,
            least_overlap=cut_off,
            least_iou=cut_off,
            limit=self.limit,
        )

    def __getstate__(self) -> dict[str, Any]:
        # Native rules cannot be pickled.
        return {name: value for name, value in vars(self).items() if name != "_options"}

    @property
    def main(self) -> str:
        return self.recipe.average

    @cached_property
    def ratios(self) -> Mapping[str, Ratio]:
        nodes = {"gold": 1, "test": 1}
        return {
            "corpus": Ratio("STRUCT-IOU (corpus)", {"overlap": 2}, nodes, rates=True, unit="node"),
            "sentence": mean("STRUCT-IOU (mean of sentences)", "sentence_score"),
            "precision": mean("IoU per test node", "overlap", "test", unit="node"),
            "recall": mean("IoU per gold node", "overlap", "gold", unit="node"),
            "exact": share("Equal trees", "exact", "valid"),
        }

    def rows(self, counts: Counts) -> dict[str, list[Any]]:
        return self.sentence_rows(counts, {"overlap": [round(value / UNIT, 10) for value in counts["overlap"]]})

    def problems_of(self, pair: Pair, counts: Counts, index: int) -> list[tuple[str, str, str]]:
        problems = super().problems_of(pair, counts, index)
        differs_at = counts["differs_at"][index]
        return [self._difference(pair, index, differs_at), *problems] if differs_at else problems

    def _difference(self, pair: Pair, index: int, differs_at: int) -> tuple[str, str, str]:
        if self.axis is CHARACTERS:
            message = f"the characters of gold and test differ from character {differs_at:,} on"
            return "characters", message, "scored by position"
        words = [bank.words(index) for bank in (pair.gold, pair.test)]
        message = f"the words of gold and test differ from word {differs_at:,} on"
        if not self.recipe.delete and not self.recipe.keep:
            shown = [repr(side[differs_at - 1]) if differs_at <= len(side) else "no word" for side in words]
            message += f", where gold has {shown[0]} and test {shown[1]}"
        action = "scored by position"
        if "".join(words[0]) == "".join(words[1]):
            action += "; the characters agree: axis:characters compares them"
        return "words", message, action

    def label_sums(self, pair: Pair) -> dict[str, dict[str, int]]:
        compiled = self.compiled(pair)
        rules, labels = self._options.with_names(compiled.names), compiled.labels
        return {labels[key]: sums for key, sums in _core.struct_iou_by_label(pair.gold.native, pair.test.native, rules)}

    def label_figures(self, sums: Mapping[str, int]) -> dict[str, Part]:
        gold, test = sums["gold"], sums["test"]
        overlaps = sums["gold_overlap"] / UNIT, sums["test_overlap"] / UNIT
        both = (sums["gold_overlap"] + sums["test_overlap"]) / UNIT
        return {
            "corpus": Part("STRUCT-IOU", _ratio(both, gold + test)),
            "precision": Part("IoU per test node", _ratio(overlaps[1], test), below=test),
            "recall": Part("IoU per gold node", _ratio(overlaps[0], gold), below=gold),
        }

    def node_mappings(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> NodeMappings:
        return self.counts_and_mappings(pair, threads=threads, progress=progress)[1]

    def counts_and_mappings(
        self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None
    ) -> tuple[Counts, NodeMappings]:
        """Counts and node mappings in one pass."""
        rules = self.checked_rules(pair)
        rows, pairs = _core.struct_iou_alignments(pair.gold.native, pair.test.native, rules, threads, progress)
        return Counts.of_rows(rows), NodeMappings(**pairs)

    def verdicts(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> Verdicts:
        rules = self.checked_rules(pair)
        return Verdicts(_core.struct_iou_verdicts(pair.gold.native, pair.test.native, rules, threads, progress))

    def positions(self, pair: Pair) -> Columns:
        return _core.struct_iou_positions(pair.gold.native, pair.test.native, self._rules(pair))

    def pairwise(self, trees: Treebank, *, threads: int = 1, progress: _core.Progress | None = None) -> Sequence[float]:
        data = _core.struct_iou_pairwise(trees.native, self.checked_rules(Pair(trees, trees)), threads, progress)
        return memoryview(data).cast("d")


def _ratio(above: float, below: int) -> float | None:
    return above / below if below else None


def struct_iou(
    gold: Readable,
    test: Readable,
    *,
    axis: str | Axis | None = None,
    **options: Any,
) -> MappedTrees:
    """The score and the alignment of one pair of trees.

    A tree is a string, a `Tree`, a nested list with times, or an nltk tree. `axis` is "words", "characters" or
    "seconds"; the default is seconds if both trees have times, else words. `options` are options of the metric, such
    as `labels`, `terminals`, `threshold` and `outer`. For files use `treescore.evaluate`.

    >>> gold = ["NP", [["DT", 0.15, 0.39], ["NN", 0.39, 0.80]]]
    >>> test = ["NP", [["DT", 0.15, 0.40], ["NN", 0.40, 0.75]]]
    >>> result = struct_iou(gold, test)
    >>> round(result.score, 4), [(g, t, round(iou, 3)) for g, t, iou in result.mapping]
    (0.9122, [(0, 0, 0.923), (1, 1, 0.96), (2, 2, 0.854)])
    """
    pair = one_pair(gold, test, "struct_iou")
    if axis is None:
        axis = (SECONDS if pair.is_timed else WORDS).name
    metric = _metric(axis, options)
    counts, mappings = metric.counts_and_mappings(pair)
    total = counts.total()
    return MappedTrees(
        score=2 * fsum(mappings.iou) / (total["gold"] + total["test"]) if total["valid"] else None,
        mapping=mappings,
        gold_nodes=total["gold"],
        test_nodes=total["test"],
        signature=metric.signature,
        problems=lambda: problems_of_pair(metric, pair, counts),
    )


def _metric(axis: str | Axis, options: Mapping[str, Any]) -> StructIou:
    """The metric with these options; those of earlier calls are kept, because a new one takes longer than a score."""
    try:
        return _kept_metric(axis=axis, **options)
    except TypeError:  # options with lists have no hash
        return StructIou(axis=axis, **options)


_kept_metric = lru_cache(maxsize=100, typed=True)(StructIou)
