"""TEDEVAL (Tsarfaty, Nivre and Andersson 2012): one score for segmentation and syntax, by tree edit distance.

A word and its tag are one node, a lexeme; one root stands on top of each tree and is never edited. Nodes are deleted
and added for 1 each, and not renamed. The score is 1 - distance / (|test| + |gold| - 2), sizes with the roots.

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
from ..recipe import OUTER_LABELS
from ..values.problem import LEFT_OUT, InputError, Problem
from ..values.signature_text import SignatureError
from .edits import EditedTrees, EditMetric
from .known_files import recall, remember
from .nodes import LABEL_OPTIONS, LIMIT, REASONS, numbers, one_pair, written
from .policy import as_bool, as_number, yes, yes_no

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..place.pair import Pair
    from ..readers.sources import Readable
    from ..readers.word_maps import WordMap
    from ..trees import Tree
    from ..values.counts import Counts
    from .edits import Step

    #: "add" or "del", the label, and the first segment and the end of the node in its own tree.
    Edit = tuple[str, str, tuple[int, int]]

ROOTS = ("fixed", "counted")
#: To add and to delete costs 1, so that to rename is never worth more than both.
_MOST_RENAME, _LEAST_RENAME = 2, 1e-6
_MAPS = ("gold-words", "test-words")


class Tedeval(EditMetric):
    """TEDEVAL, with or without labels; also Emms' tree distance, with renaming for 1 and roots counted.

    >>> Tedeval(labels=False).signature
    'tedeval|labels:no|by-word:no|rename-cost:2|merge-preterminals:yes|roots:fixed|v:0.2.0.dev0'
    """

    name = "tedeval"
    cites = ("tsarfaty-etal-2012-joint", "zhang-shasha-1989-simple")
    aligns_words = True
    recipe_options = (*LABEL_OPTIONS, "average")
    always = ("labels",)
    outer_counts = False
    title = "TEDEVAL"
    distance_title = "Edits per sentence"
    nothing = 1.0
    reasons = REASONS | {NodeReason.BOTH_EMPTY: ("empty", "neither tree has nodes below its root", "scored 1")}

    def __init__(
        self,
        profile: str | None = None,
        *,
        by_word: bool | None = None,
        gold_words: str | bytes | None = None,
        test_words: str | bytes | None = None,
        rename_cost: float = 2,
        merge_preterminals: bool = True,
        roots: str = "fixed",
        limit: float = LIMIT,
        prm: bytes | None = None,
        **changes: Any,
    ) -> None:
        super().__init__(profile, limit=limit, prm=prm, **changes)
        rename = as_number("rename-cost", rename_cost)
        if not (rename == 0 or _LEAST_RENAME <= rename <= _MOST_RENAME):
            raise SignatureError(
                f"rename-cost must be 0 or a number from {_LEAST_RENAME} to {_MOST_RENAME}, not {rename_cost!r}"
            )
        self.costs = (1, 1, int(rename) if rename.is_integer() else rename)
        self.merge_preterminals = as_bool("merge-preterminals", merge_preterminals)
        if roots not in ROOTS:
            raise SignatureError(f"roots must be one of {', '.join(ROOTS)}, not {roots!r}")
        self.roots = roots
        given = gold_words, test_words
        self.by_word = any(it is not None for it in given) if by_word is None else as_bool("by-word", by_word)
        if self.by_word != all(it is not None for it in given):
            raise SignatureError(
                "by-word:yes goes with two word maps, gold-words:FILE and test-words:FILE, which say to which word of "
                "the raw text each segment belongs; the trees alone do not tell"
            )
        self.map_hashes: list[str] = []
        self._maps: list[WordMap | None] = [None, None]
        for side, source in enumerate(given):
            if source is not None:
                name = source if isinstance(source, str) else None
                data = recall(source, "word map", f"{_MAPS[side]}:FILE") if isinstance(source, str) else source
                self._maps[side] = read_word_map(data, name=name)
                self.map_hashes.append(remember(data))

    @classmethod
    def own_options(cls) -> tuple[str, ...]:
        return ("by-word", *_MAPS, "rename-cost", "merge-preterminals", "roots", "limit")

    @classmethod
    def own_arguments(cls, options: Mapping[str, str]) -> dict[str, Any]:
        arguments: dict[str, Any] = numbers(options, ("rename-cost", "limit"))
        for name in ("by-word", "merge-preterminals"):
            if name in options:
                try:
                    arguments[name.replace("-", "_")] = yes(options[name])
                except SignatureError as problem:
                    raise SignatureError(f"{name}: {problem}") from None
        texts = {name.replace("-", "_"): options[name] for name in (*_MAPS, "roots") if name in options}
        return {**arguments, **texts}

    def own_values(self) -> dict[str, str]:
        return {
            "by-word": yes_no(self.by_word),
            **dict(zip(_MAPS, self.map_hashes, strict=False)),
            "rename-cost": written(self.costs[2]),
            "merge-preterminals": yes_no(self.merge_preterminals),
            "roots": self.roots,
            **self.limit_value(),
        }

    def describe(self) -> dict[str, str]:
        said = super().describe()
        rename = written(self.costs[2])
        return {
            "labels": "labels and tags must agree"
            if self.recipe.labels
            else "all phrases are alike, and all tags; segments still differ",
            "by_word": "segments are alike only within the same word of the raw text"
            if self.by_word
            else "segments may be alike wherever they stand",
            "rename_cost": "nothing is renamed: a wrong label is a node too many and one too few"
            if self.costs[2] == _MOST_RENAME
            else f"to rename a node costs {rename}, to delete or to add one 1",
            "merge_preterminals": "a segment and its tag are one node"
            if self.merge_preterminals
            else "a segment is a node of its own below its tag",
            "roots": "the roots do not count in the score"
            if self.roots == "fixed"
            else "the roots count in the size of the trees",
            "limit": f"trees whose distance would take more than {written(self.limit)} seconds are left out",
            **{name: text for name, text in said.items() if name != "labels"},
        }

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
        """A word map as the engine takes it."""
        found = self._maps[side]
        if found is None:
            return None
        if len(found) != trees:
            message = f"the word map of {('gold', 'test')[side]} has {len(found):,} sentences for {trees:,} trees"
            raise InputError(Problem("word-map", message))
        return found.ends.tobytes(), found.words.tobytes()

    def found(self, pair: Pair, counts: Counts, index: int) -> list[tuple[str, str, str]]:
        found = super().found(pair, counts, index)
        if counts["reason"][index] == NodeReason.WORD_MAP:
            for side, word_map, bank in zip(("gold", "test"), self._maps, (pair.gold, pair.test), strict=True):
                segments, leaves = word_map.size(index) if word_map else 0, bank.native.leaf_count(index)
                if segments != leaves:
                    message = f"{number_of(leaves, 'segment')} in the {side} tree but {segments:,} in its word map"
                    found.append(("word-map", message, LEFT_OUT))
        return found


class TedevalTrees(EditedTrees):
    """One pair of trees: their score, and how the test tree is turned into gold.

    `score` is None if it could not be found; `problems` says why. `gold_nodes` and `test_nodes` are the sizes with the
    root. A step of `script` is one of

    - `("keep", gold node, test node)`
    - `("rename", gold node, test node, test label, gold label)`, only if renaming costs less than 2
    - `("add", gold node, label, (start, end))`
    - `("del", test node, label, (start, end))`

    in the order in which the nodes open, what is missing before what is too many. Nodes are numbered as in
    `Tree.nodes()`; the number of a lexeme is that of its preterminal, and words without one, or where they are nodes,
    are counted on from there. The label of a lexeme is `segment/tag`, and its place is counted in segments of its own
    tree. Roots are not in it.
    """

    __slots__ = ()

    @property
    def score(self) -> float | None:
        """TEDEVAL of this pair."""
        return self.similarity

    @property
    def edits(self) -> list[Edit]:
        """What is added and deleted: "add" or "del", the label, and the place."""
        return [(step[0], step[2], step[3]) for step in self.script if step[0] in ("add", "del")]

    def __repr__(self) -> str:
        return super().__repr__().replace("EditedTrees", "TedevalTrees", 1)


def tedeval(
    gold: Readable,
    test: Readable,
    *,
    labels: bool = True,
    by_word: bool = False,
    gold_words: Sequence[int] | None = None,
    test_words: Sequence[int] | None = None,
    merge_preterminals: bool = True,
    rename_cost: float = 2,
    roots: str = "fixed",
    **changes: Any,
) -> TedevalTrees:
    """TEDEVAL of one pair of trees, and the edits: strings, `Tree`s, nltk trees. The segments may differ.

    With `by_word`, `gold_words` and `test_words` say for each segment to which word of the raw text it belongs,
    counted from 1. Further options are those of the metric (`cut`, `delete`, `equal_labels`, `limit`). For files use
    `treescore.evaluate`.

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
    metric = Tedeval(
        labels=labels,
        by_word=by_word,
        gold_words=maps[0],
        test_words=maps[1],
        merge_preterminals=merge_preterminals,
        rename_cost=rename_cost,
        roots=roots,
        **changes,
    )
    counts, [steps] = metric.counts_and_steps(pair)
    row = counts.row(0)
    nodes = [_described(bank[0], words, metric) for bank, words in ((pair.gold, gold_words), (pair.test, test_words))]
    found = bool(row["valid"])
    return TedevalTrees(
        distance=metric.amount(row["distance"]) if found else None,
        similarity=None if not found else 1 - row["distance"] / row["most"] if row["most"] else 1.0,
        script=[_step(pair, nodes) for pair in steps],
        gold_nodes=row["gold"],
        test_nodes=row["test"],
        signature=metric.signature,
        problems=[*pair.gold.problems, *pair.test.problems, *metric.problems(pair, counts)],
    )


def _described(tree: Tree, surface: Sequence[int] | None, metric: Tedeval) -> list[tuple[str, tuple[int, int]]]:
    """Label and place of the nodes of a tree, and then of its words."""
    leaves = tree.leaves
    known = surface if surface and len(surface) == len(leaves) else None
    words = [f"{known[place]}:{word}" if known else word for place, word in enumerate(leaves)]
    nodes = []
    for node in tree.nodes():
        is_lexeme = node.is_preterminal and metric.merge_preterminals
        nodes.append((f"{words[node.start]}/{node.label}" if is_lexeme else node.label, (node.start, node.end)))
    return [*nodes, *((word, (place, place + 1)) for place, word in enumerate(words))]


def _step(pair: tuple[int, int, float], nodes: Sequence[Sequence[tuple[str, tuple[int, int]]]]) -> Step:
    gold, test, same = pair
    if test < 0:
        return "add", gold, *nodes[0][gold]
    if gold < 0:
        return "del", test, *nodes[1][test]
    return ("keep", gold, test) if same else ("rename", gold, test, nodes[1][test][0], nodes[0][gold][0])
