"""Leaf-ancestor (Sampson and Babarczy 2003): the similarity of the paths from each word to the root.

The path of a word has the labels of the phrases above it, without its tag, and marks where the word begins or ends a
phrase. The similarity of two paths is 1 - edit distance / (length of the gold path + length of the test path). The
score of a sentence is the mean similarity of its words.

>>> import treescore
>>> gold = treescore.read("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))")
>>> test = treescore.read("(S (NP (DT the)) (VP (NN cat) (VBZ sleeps)))")
>>> metric = LeafAncestor()
>>> score = metric.score(metric.counts(treescore.Pair(gold, test)))
>>> round(score.value, 4), score.parts["exact_paths"]
(0.6825, 0.0)
>>> for word in leaf_ancestor(gold, test).words:
...     print(word[0], " ".join(word[1]), "|", " ".join(word[2]), "|", round(word[3], 3))
the NP S [ | NP ] S [ | 0.857
cat NP ] S | [ VP S | 0.333
sleeps [ VP S ] | VP S ] | 0.857
"""

from __future__ import annotations

from functools import cached_property

from .. import _core
from .._core import Marks, PathMark
from ..helpers.text import decode, number_of
from ..recipe import AVERAGE, LABELS, OUTER
from ..values.counts import UNIT, Counts
from ..values.option import Choice
from ..values.problem import Problem, UsageError
from ..values.value import Value
from .nodes import SameWordsMetric, one_pair, problems_of_pair
from .options import LIMIT, PRM, PROFILE, WORD_OPTIONS
from .ratios import Ratio, mean, share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..place.pair import Pair
    from ..readers.sources import Readable
    from ..values.score import Part

    #: A word, its paths in gold and in test from the innermost phrase to the outermost, and their similarity.
    WordPaths = tuple[str, tuple[str, ...], tuple[str, ...], float]

_MARKS = (PathMark.BEGIN, PathMark.END, PathMark.GAP_END, PathMark.GAP_BEGIN)
# The marks of the native engine, their signs, and the defaults of `costs` and `outer`.
_VARIANTS: dict[str, tuple[int, str, str, str]] = {
    "spmrl": (Marks.OUTSIDE, "[]", "similar", "ignored"),
    "discodop": (Marks.INSIDE, "()][", "unit", "ignored"),
    "plain": (Marks.UNMARKED, "", "unit", "counted"),
}
VARIANT = Choice(
    "variant",
    "spmrl",
    choices={
        "spmrl": "paths mark the outermost phrase that begins or ends with the word, and the root on its outer side",
        "discodop": "paths mark the outermost phrase, and part of a phrase, that begins or ends with the word",
        "plain": "paths have no marks",
    },
    is_always_written=True,
)
_CITES = {"spmrl": ("seddah-etal-2013-overview",), "discodop": ("van-cranenburgh-etal-2016-data",)}
# Twice the cost of replacing a symbol by a similar symbol and by any other symbol; inserting and deleting cost 1.
_COSTS = {"similar": (1, 4), "workshop": (3, 4), "unit": (2, 2), "lcs": (4, 4)}
COSTS = Choice(
    "costs",
    choices={
        "similar": "inserting and deleting cost 1, replacing costs 2, or 0.5 if the first characters agree",
        "workshop": "inserting and deleting cost 1, replacing costs 2, or 1.5 if the first characters agree",
        "unit": "inserting, deleting and replacing cost 1",
        "lcs": "inserting and deleting cost 1, replacing costs 2, as for the longest common subsequence",
    },
    is_always_written=True,
)
#: The label of all phrases if labels are ignored, and the group of words that have no phrase above them.
_ANY_LABEL, _NO_PHRASE = "X", "(no phrase)"


class LeafAncestor(SameWordsMetric):
    """Leaf-ancestor scores in one of three variants.

    >>> LeafAncestor(variant="discodop").signature
    'leaf_ancestor|labels:yes|variant:discodop|costs:unit|outer:ignored|average:sentence|v:0.2.0.dev0'
    """

    name = "leaf_ancestor"
    takes_discontinuous = True
    options = (
        LABELS.replace(choices={"yes": "labels of paths must agree", "no": "labels are ignored"}),
        PROFILE,
        PRM,
        VARIANT,
        COSTS,
        LIMIT,
        OUTER.always_written(),
        AVERAGE.replace(
            choices={
                "corpus": "the score is the mean of all words",
                "sentence": "the score is the mean of the sentence scores; a sentence score is the mean of its words",
            },
            is_always_written=True,
        ),
        *WORD_OPTIONS,
    )
    usual: Mapping[str, str] = {"average": "sentence"}
    work = "score"
    group_figures = ("word", "exact_paths")
    all_columns = SameWordsMetric.all_columns | {"words": {"words_all": 1}}

    variant: str
    costs: str

    def __init__(self, profile: str | None = None, *, prm: bytes | None = None, **given: Any) -> None:
        variant = VARIANT.check(given.get("variant", VARIANT.default))
        if prm is None:  # a parameter file lists all labels to leave out
            given.setdefault("outer", _VARIANTS[variant][3])
        super().__init__(profile, prm=prm, **given)
        self.costs = self.costs or _VARIANTS[variant][2]
        self.cites = ("sampson-babarczy-2003-test", *_CITES.get(variant, ()))

    def counts(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> Counts:
        rules, _ = self._rules(pair)
        return Counts.of_rows(_core.leaf_ancestor_rows(pair.gold.native, pair.test.native, rules, threads, progress))

    def _rules(self, pair: Pair) -> tuple[_core.LeafAncestorRules, list[str]]:
        compiled = self.compiled(pair)
        labels = compiled.labels
        similar, other = _COSTS[self.costs]
        kinds = range(len(labels)) if similar == other else _kinds(labels)
        rules = _core.LeafAncestorRules(
            **self.pair_rules(compiled),
            labelled=self.recipe.labels,
            marks=_VARIANTS[self.variant][0],
            similar=similar,
            other=other,
            kinds=kinds,
            limit=self.limit,
        )
        return rules, labels

    @property
    def main(self) -> str:
        return "word" if self.recipe.average == "corpus" else "sentence"

    @cached_property
    def ratios(self) -> Mapping[str, Ratio]:
        return {
            "sentence": mean("Leaf-ancestor (mean of sentences)", "sentence_score"),
            "word": mean("Leaf-ancestor (mean of words)", "word_score", "words", unit="word"),
            "exact_paths": share("Words with equal paths", "exact_words", "words"),
            "exact": share("Sentences with equal paths only", "exact", "valid"),
        }

    def rows(self, counts: Counts) -> dict[str, list[Any]]:
        return self.sentence_rows(counts, {name: list(counts[name]) for name in ("words", "exact_words")})

    def problems_of(self, pair: Pair, counts: Counts, index: int) -> list[tuple[str, str, str]]:
        problems = super().problems_of(pair, counts, index)
        empty = counts["empty_phrases"][index]
        if empty:
            problems.append(("empty-phrase", f"{number_of(empty, 'phrase')} without words", "not counted"))
        return problems

    def label_sums(self, pair: Pair) -> dict[str, dict[str, int]]:
        """Words by the label of the innermost gold phrase above them."""
        rules, labels = self._rules(pair)
        names = [*labels, _NO_PHRASE]
        return {
            names[key]: sums for key, sums in _core.leaf_ancestor_by_label(pair.gold.native, pair.test.native, rules)
        }

    def label_figures(self, sums: Mapping[str, int]) -> dict[str, Part]:
        words = {"words": sums["gold"], "word_score": sums["score"], "exact_words": sums["exact"]}
        return {name: self.ratios[name].part(words) for name in self.group_figures}

    def paths(self, pair: Pair) -> tuple[Counts, list[WordPaths]]:
        """The counts of one pair of trees, and the paths of its words if they could be compared."""
        rules, labels = self._rules(pair)
        if not self.recipe.labels:
            labels = [_ANY_LABEL] * len(labels)
        signs = dict(zip(_MARKS, _VARIANTS[self.variant][1], strict=False))
        try:
            columns, words = _core.leaf_ancestor_paths(pair.gold.native, pair.test.native, rules)
        except ValueError as problem:
            raise UsageError(f"{problem}; treescore.evaluate gives the score without paths") from None

        def names(path: list[int]) -> tuple[str, ...]:
            return tuple(labels[symbol] if symbol >= 0 else signs[symbol] for symbol in path)

        texts = [decode(pair.gold.native.word(0, word[0])) for word in words]
        word_paths = [
            (text, names(a), names(b), score / UNIT) for text, (_, _, a, b, score) in zip(texts, words, strict=True)
        ]
        return Counts.of_rows(columns), word_paths


def _kinds(labels: Sequence[str]) -> list[int]:
    """A number for the first character of each label; an empty label is not similar to any label.

    >>> _kinds(["NP", "S", "NX", "", "SBAR"])
    [0, 1, 0, 3, 1]
    """
    first: dict[str, int] = {}
    return [first.setdefault(label[0], key) if label else key for key, label in enumerate(labels)]


class Lineages(Value):
    """The score of one pair of trees, and the paths of each word in both trees with their similarity.

    `words` has a tuple for each word: the word, its gold path, its test path, and their similarity. A path goes from
    the innermost phrase to the outermost and has the marks of the variant. If the trees could not be compared, `words`
    is empty, `score` is None or 0, and `problems` gives the reason.
    """

    score: float | None
    words: Sequence[WordPaths]
    signature: str
    problems: tuple[Problem, ...] = ()

    def __repr__(self) -> str:
        score = "–" if self.score is None else f"{self.score:.4f}"
        problems = f", {number_of(len(self.problems), 'problem')}" if self.problems else ""
        return f"<Lineages {score}: {number_of(len(self.words), 'word')}{problems}>"


def leaf_ancestor(gold: Readable, test: Readable, **options: Any) -> Lineages:
    """The leaf-ancestor score of one pair of trees, and of each word.

    A tree is a string, a `Tree` or an nltk tree. `options` are options of the metric, such as `variant`, `costs`,
    `labels` and `outer`. For files use `treescore.evaluate`.

    >>> result = leaf_ancestor("(S (VP (VB go)))", "(VP (VB go))", variant="discodop")
    >>> round(result.score, 4), result.words[0][:3]
    (0.7143, ('go', ('VP', '(', 'S', ')'), ('(', 'VP', ')')))
    """
    pair = one_pair(gold, test, "leaf_ancestor")
    metric = LeafAncestor(**options)
    counts, words = metric.paths(pair)
    row = counts.row(0)
    return Lineages(
        score=row["sentence_score"] / UNIT if row["valid"] else None,
        words=words,
        signature=metric.signature,
        problems=problems_of_pair(metric, pair, counts),
    )
