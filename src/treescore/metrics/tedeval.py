"""TEDEVAL (Tsarfaty, Nivre and Andersson 2012): one score for segmentation and syntax, by tree edit distance.

A word and its tag are one node, a lexeme. Each tree has one root, which is never edited. Deleting and adding a node
cost 1 each; nodes are not renamed. The score is 1 - distance / (|test| + |gold| - 2); sizes include the roots.

>>> import treescore
>>> gold = treescore.read("(TOP (S (NP (PRP i)) (VP (MD ca) (RB n't) (VB go))))")
>>> test = treescore.read("(TOP (S (NP (PRP i)) (VP (MD can't) (VB go))))")
>>> metric = Tedeval()
>>> score = metric.score(metric.counts(treescore.Pair(gold, test)))
>>> round(score.value, 4), score.parts["distance"]
(0.7692, 3.0)
>>> tedeval(gold, test).edits
[('add', 'ca/MD', (1, 2)), ('add', "n't/RB", (2, 3)), ('del', "can't/MD", (1, 2))]
"""

from __future__ import annotations

from .. import _core
from .._core import EditRoots, EditWords, NodeReason
from ..helpers.text import decode, number_of
from ..readers.word_maps import read_word_map, written_map
from ..recipe import AVERAGE, LABELS, OUTER_LABELS
from ..values.option import Choice, Flag, Number, Option
from ..values.problem import LEFT_OUT, InputError, Problem
from ..values.signature_text import SignatureError
from .edits import EditedTrees, EditMetric
from .known_files import recall, remember
from .nodes import REASONS, one_pair, problems_of_pair
from .options import LIMIT, NODE_OPTIONS, PRM, PROFILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..place.pair import Pair
    from ..readers.sources import Readable
    from ..readers.word_maps import WordMap
    from ..trees import Tree
    from ..values.counts import Counts
    from .edits import Step

    #: "add" or "del", the label, and the span of the node: its first segment and its end in its own tree.
    Edit = tuple[str, str, tuple[int, int]]

BY_WORD = Flag(
    "by-word",
    None,
    choices={
        "yes": "segments match only within the same word of the raw text",
        "no": "segments may match at any position",
    },
    is_always_written=True,
)
MAPS = (
    Option("gold-words", None, "the word map of gold, for by-word", expects="a file"),
    Option("test-words", None, "the word map of test, for by-word", expects="a file"),
)
RENAME_COST = Number(
    "rename-cost",
    2,
    "renaming a node costs {}; deleting or adding a node costs 1",
    choices={"2": "nodes are not renamed: for a wrong label one node is deleted and one is added"},
    expects="0 or a number from 1e-06 to 2",
    allows=lambda cost: cost == 0 or 1e-6 <= cost <= 2,  # renaming never costs more than deleting and adding
    is_always_written=True,
)
MERGE_PRETERMINALS = Flag(
    "merge-preterminals",
    True,
    choices={"yes": "a segment and its tag are one node", "no": "a segment is a separate node below its tag"},
    is_always_written=True,
)
ROOTS = Choice(
    "roots",
    "fixed",
    choices={"fixed": "the roots do not count", "counted": "the roots count in the sizes of the trees"},
    is_always_written=True,
)


class Tedeval(EditMetric):
    """TEDEVAL, with or without labels; also Emms' tree distance, with a rename cost of 1 and with roots counted.

    >>> Tedeval(labels=False).signature
    'tedeval|labels:no|by-word:no|rename-cost:2|merge-preterminals:yes|roots:fixed|v:0.2.0.dev0'
    """

    name = "tedeval"
    cites = ("tsarfaty-etal-2012-joint", "zhang-shasha-1989-simple")
    aligns_words = True
    options = (
        LABELS.replace(
            choices={
                "yes": "labels and tags must agree",
                "no": "labels and tags are ignored, but segments must agree",
            }
        ),
        PROFILE,
        PRM,
        BY_WORD,
        *MAPS,
        RENAME_COST,
        MERGE_PRETERMINALS,
        ROOTS,
        LIMIT,
        *NODE_OPTIONS,
        AVERAGE,
    )
    outer_counts = False
    title = "TEDEVAL"
    distance_title = "Edits per sentence"
    nothing = 1.0
    reasons = REASONS | {NodeReason.BOTH_EMPTY: ("empty", "neither tree has nodes below its root", "scored 1")}

    by_word: bool | None
    gold_words: str | None
    test_words: str | None
    merge_preterminals: bool
    roots: str

    def __init__(self, profile: str | None = None, **given: Any) -> None:
        super().__init__(profile, **given)
        self.costs = 1, 1, self.value_of(RENAME_COST)
        sources = self.gold_words, self.test_words
        if self.by_word is None:
            self.by_word = sources != (None, None)
        if self.by_word != (None not in sources):
            raise SignatureError(
                "by-word:yes needs two word maps, gold-words:FILE and test-words:FILE, "
                "which give the word of the raw text for each segment"
            )
        self._maps = [self._word_map(option) for option in MAPS]

    def _word_map(self, option: Option) -> WordMap | None:
        """The word map from a file or its content. The hash of the content becomes the value of the option."""
        source = self.value_of(option)
        if source is None:
            return None
        name = source if isinstance(source, str) else None
        data = recall(source, "word map", f"{option.name}:FILE") if isinstance(source, str) else source
        setattr(self, option.argument, remember(data))
        return read_word_map(data, name=name)

    def rules(self, pair: Pair) -> _core.TreeEditRules:
        gold, test = self.compiled(pair).sides()
        insert, delete, rename = self.native_costs()
        banks = pair.gold, pair.test
        roots = [bytes(decode(name) in OUTER_LABELS for name in bank.native.names(0)) for bank in banks]
        maps = [self._columns(side, len(bank)) for side, bank in enumerate(banks)]
        return _core.TreeEditRules(
            gold=gold,
            test=test,
            labelled=self.recipe.labels,
            words=EditWords.LEXEMES if self.merge_preterminals else EditWords.NODES,
            roots=EditRoots.FIXED if self.roots == "fixed" else EditRoots.COUNTED,
            gold_root=roots[0],
            test_root=roots[1],
            gold_in=maps[0],
            test_in=maps[1],
            insert=insert,
            remove=delete,
            rename=rename,
            limit=self.limit,
        )

    def _columns(self, side: int, trees: int) -> tuple[_core.Buffer, _core.Buffer] | None:
        """A word map for the native engine."""
        word_map = self._maps[side]
        if word_map is None:
            return None
        if len(word_map) != trees:
            message = f"the word map of {('gold', 'test')[side]} has {len(word_map):,} sentences for {trees:,} trees"
            raise InputError(Problem("word-map", message))
        return word_map.ends.tobytes(), word_map.words.tobytes()

    def problems_of(self, pair: Pair, counts: Counts, index: int) -> list[tuple[str, str, str]]:
        problems = super().problems_of(pair, counts, index)
        if counts["reason"][index] == NodeReason.WORD_MAP:
            for side, word_map, bank in zip(("gold", "test"), self._maps, (pair.gold, pair.test), strict=True):
                segments, leaves = word_map.size(index) if word_map else 0, bank.native.leaf_count(index)
                if segments != leaves:
                    message = f"{number_of(leaves, 'segment')} in the {side} tree but {segments:,} in its word map"
                    problems.append(("word-map", message, LEFT_OUT))
        return problems


class TedevalTrees(EditedTrees):
    """The score of one pair of trees, and the edits that turn the test tree into gold.

    `score` is None if it could not be computed; `problems` gives the reason. `gold_nodes` and `test_nodes` are the
    sizes including the root. A step of `script` is one of

    - `("keep", gold node, test node)`
    - `("rename", gold node, test node, test label, gold label)`, only if renaming costs less than 2
    - `("add", gold node, label, (start, end))`
    - `("del", test node, label, (start, end))`

    Steps are in the order of the opening brackets, additions before deletions, and leave out the roots. Nodes are
    numbered as in `Tree.nodes()`. A lexeme has the number of its preterminal; words that are separate nodes, or have
    no preterminal, have the numbers after all nodes. The label of a lexeme is `segment/tag`. Start and end are counted
    in segments of the node's own tree.
    """

    @property
    def score(self) -> float | None:
        """TEDEVAL of this pair."""
        return self.similarity

    @property
    def edits(self) -> list[Edit]:
        """Additions and deletions: "add" or "del", the label, and the span."""
        return [(step[0], step[2], step[3]) for step in self.script if step[0] in ("add", "del")]

    def __repr__(self) -> str:
        return super().__repr__().replace("EditedTrees", "TedevalTrees", 1)


def tedeval(
    gold: Readable,
    test: Readable,
    *,
    gold_words: Sequence[int] | None = None,
    test_words: Sequence[int] | None = None,
    **options: Any,
) -> TedevalTrees:
    """The TEDEVAL score and the edits of one pair of trees, whose segments may differ.

    A tree is a string, a `Tree` or an nltk tree. `gold_words` and `test_words` give for each segment the number of its
    word in the raw text, from 1. The options are those of the metric, such as `labels`, `rename_cost`, `roots` and
    `delete`. For files use `treescore.evaluate`.

    >>> gold = "(TOP (S (NP (DT the) (NN cat)) (VP (VBD sat))))"
    >>> test = "(TOP (S (NP (DT the) (NN cat)) (NP (VBD sat))))"
    >>> result = tedeval(gold, test)
    >>> result
    <TedevalTrees 2: 7 and 7 nodes>
    >>> round(result.score, 4), result.edits
    (0.8333, [('add', 'VP', (2, 3)), ('del', 'NP', (2, 3))])
    >>> tedeval(gold, test, labels=False).score
    1.0
    >>> round(tedeval(gold, test, rename_cost=1, roots="counted").score, 4)  # Emms' tree distance
    0.9286
    """
    pair = one_pair(gold, test, "tedeval")
    maps = [None if words is None else written_map(words) for words in (gold_words, test_words)]
    metric = Tedeval(gold_words=maps[0], test_words=maps[1], **options)
    counts, [steps] = metric.counts_and_steps(pair)
    row = counts.row(0)
    sides = (pair.gold, gold_words), (pair.test, test_words)
    nodes = [_labels_and_spans(bank[0], words, metric) for bank, words in sides]
    similarity = None
    if row["valid"]:
        similarity = 1 - row["distance"] / row["most"] if row["most"] else 1.0
    return TedevalTrees(
        distance=metric.amount(row["distance"]) if row["valid"] else None,
        similarity=similarity,
        script=[_step(native_step, nodes) for native_step in steps],
        gold_nodes=row["gold"],
        test_nodes=row["test"],
        signature=metric.signature,
        problems=problems_of_pair(metric, pair, counts),
    )


def _labels_and_spans(
    tree: Tree, word_numbers: Sequence[int] | None, metric: Tedeval
) -> list[tuple[str, tuple[int, int]]]:
    """Label and span of the nodes of a tree, and then of its words."""
    words = tree.leaves
    if word_numbers and len(word_numbers) == len(words):
        words = [f"{number}:{word}" for number, word in zip(word_numbers, words, strict=True)]
    nodes = []
    for node in tree.nodes():
        is_lexeme = node.is_preterminal and metric.merge_preterminals
        nodes.append((f"{words[node.start]}/{node.label}" if is_lexeme else node.label, (node.start, node.end)))
    return [*nodes, *((word, (start, start + 1)) for start, word in enumerate(words))]


def _step(native_step: tuple[int, int, float], nodes: Sequence[Sequence[tuple[str, tuple[int, int]]]]) -> Step:
    gold, test, same = native_step
    if test < 0:
        return "add", gold, *nodes[0][gold]
    if gold < 0:
        return "del", test, *nodes[1][test]
    return ("keep", gold, test) if same else ("rename", gold, test, nodes[1][test][0], nodes[0][gold][0])
