"""Alignment of trees (Calder 1997): which phrases of two annotations of a text stand over the same words.

Labels play no part in it; they are what comes out. It is not a score: both sides are treated alike.

>>> found = align_trees("(S (NP (DT the) (NN cat)) (VP (VBD sat)))", "(O (Ns (AT the) (NN1 cat)) (Vd (VVD sat)))")
>>> found
<TreeAlignment (strict): 3 of 3 and 3 words, 3 of 3 and 3 of 3 phrases>
>>> for pair in found.pairs():
...     print(pair.left.label, pair.left.start, pair.left.end, "~", pair.right.label)
S 0 3 ~ O
NP 0 2 ~ Ns
VP 2 3 ~ Vd
"""

from __future__ import annotations

from .. import _core
from ..helpers.text import number_of
from ..helpers.threads import count_threads
from ..metrics.aligned_parseval import AlignedParseval
from ..metrics.nodes import DISCONTINUOUS
from ..place.pair import Pair
from ..scoring.evaluation import read_pair
from ..trees import Span
from ..values.problem import InputError, Problem, UsageError
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..pairing.texts import AlignedTexts
    from ..readers.sources import Readable
    from ..trees import Treebank

#: May there be words without a partner in phrases that are aligned?
MODES = ("strict", "loose")
#: What labels need to be proposed as equal: so many pairs of phrases, and this share of those of either label.
LEAST, SHARE = 10, 0.5

#: What to cite for it.
CITES = ("calder-1997-aligning",)


class PhrasePair(Value):
    """Two phrases over the same words: numbers of their sentences, from 0, and their spans there."""

    left_sentence: int
    left: Span
    right_sentence: int
    right: Span


class LabelPair(Value):
    """A label of either side, and how often phrases with these labels stand over the same words.

    The shares are those of all pairs with the left label, and of all pairs with the right one.
    """

    left: str
    right: str
    count: int
    left_share: float
    right_share: float


def check_choice(least: int, share: float) -> None:
    """Refuse numbers by which no pairs of labels can be chosen."""
    if isinstance(least, bool) or not isinstance(least, int) or least < 1:
        raise UsageError(f"the least number of pairs must be a whole number from 1, not {least!r}")
    if isinstance(share, bool | str) or not 0 <= share <= 1:
        raise UsageError(f"the share must be a number from 0 to 1, not {share!r}")


class LabelTable:
    """Which labels of two annotations stand over the same words, and how often.

    >>> table = align_trees("(S (NP (X a)) (VP (X b)))", "(S (N (X a)) (V (X b)))").table()
    >>> [(pair.left, pair.right, pair.count) for pair in table.pairs()]
    [('NP', 'N', 1), ('S', 'S', 1), ('VP', 'V', 1)]
    >>> table.left["NP"], table.right["V"]
    ((1, 1), (1, 1))
    >>> [(pair.left, pair.right) for pair in table.proposed(least=1)]
    [('NP', 'N'), ('VP', 'V')]
    """

    def __init__(
        self,
        counts: dict[tuple[str, str], int],
        left: dict[str, tuple[int, int]],
        right: dict[str, tuple[int, int]],
    ) -> None:
        #: Pairs of phrases by their labels.
        self.counts = counts
        #: By label: how many phrases of that side there are, and how many of them are aligned.
        self.left, self.right = left, right

    def __repr__(self) -> str:
        return f"<LabelTable: {len(self.counts):,} pairs of {len(self.left):,} and {len(self.right):,} labels>"

    def pairs(self) -> list[LabelPair]:
        """The pairs of labels, most frequent first."""
        sums: tuple[dict[str, int], dict[str, int]] = ({}, {})
        for labels, count in self.counts.items():
            for side, label in zip(sums, labels, strict=True):
                side[label] = side.get(label, 0) + count
        found = [
            LabelPair(
                left=left,
                right=right,
                count=count,
                left_share=count / sums[0][left],
                right_share=count / sums[1][right],
            )
            for (left, right), count in self.counts.items()
        ]
        return sorted(found, key=lambda pair: (-pair.count, pair.left, pair.right))

    def proposed(self, *, least: int = LEAST, share: float = SHARE, finer: bool = False) -> list[LabelPair]:
        """Different labels that seem to mean the same.

        Each is the most frequent partner of the other, more frequent than any other; they have at least so many pairs
        of phrases, and these are at least that share of all pairs with either label. With `finer` it is enough if all
        of this holds for one of the two labels: the other side may have a label for what are several labels here.

        >>> left, right = "(S (NP a b) (NP c d) (NP e f))", "(S (N1 a b) (N1 c d) (N2 e f))"
        >>> table = align_trees(left, right).table()
        >>> [pair.right for pair in table.proposed(least=1)]
        ['N1']
        >>> [pair.right for pair in table.proposed(least=1, finer=True)]
        ['N1', 'N2']
        """
        check_choice(least, share)
        every = self.pairs()
        best = [_only_best((getattr(pair, side), pair) for pair in every) for side in ("left", "right")]
        enough = any if finer else all
        return [
            pair
            for pair in every
            if pair.left != pair.right
            and pair.count >= least
            and enough(
                (
                    best[0][pair.left] is pair and pair.left_share >= share,
                    best[1][pair.right] is pair and pair.right_share >= share,
                )
            )
        ]


def _only_best(pairs: Iterator[tuple[str, LabelPair]]) -> dict[str, LabelPair | None]:
    """The most frequent pair of each label, None where there are several; the pairs come by falling frequency."""
    best: dict[str, LabelPair | None] = {}
    counts: dict[str, int] = {}
    for label, pair in pairs:
        if label not in best:
            best[label], counts[label] = pair, pair.count
        elif pair.count == counts[label]:
            best[label] = None
    return best


class TreeAlignment:
    """The phrases of two annotations that stand over the same words."""

    def __init__(
        self,
        metric: AlignedParseval,
        left: Treebank,
        right: Treebank,
        mode: str = "strict",
        *,
        threads: int = 1,
        progress: _core.Progress | None = None,
    ) -> None:
        if mode not in MODES:
            raise UsageError(f"the mode must be one of {', '.join(MODES)}, not {mode!r}")
        self.mode = mode
        #: Which sentences and words belong together.
        self.texts: AlignedTexts = metric.aligned(Pair(left, right), threads=threads, progress=progress)
        recipe = metric.recipe.replace(equal=())  # whether labels are equal is what one wants to know
        compiled = recipe.compile(left.native, right.native)
        self._labels = compiled.labels
        left_rules, right_rules = compiled.sides()
        self._native = _core.CommonPhrases(self.texts.native, left_rules, right_rules, mode == "strict", progress)
        self._classes = [
            {name: memoryview(column).cast("q") for name, column in self._native.classes(side).items()}
            for side in (0, 1)
        ]

    @property
    def left(self) -> Treebank:
        """The trees of the left side."""
        return self.texts.gold

    @property
    def right(self) -> Treebank:
        """The trees of the right side."""
        return self.texts.test

    def __repr__(self) -> str:
        counts = self.counts
        words, phrases = (
            [f"{counts[f'{what}_{side}']:,}" for side in ("left", "right")] for what in ("words", "phrases")
        )
        aligned = [f"{counts[f'aligned_phrases_{side}']:,}" for side in ("left", "right")]
        return (
            f"<TreeAlignment ({self.mode}): {counts['aligned_words']:,} of {words[0]} and {words[1]} words, "
            f"{aligned[0]} of {phrases[0]} and {aligned[1]} of {phrases[1]} phrases>"
        )

    @property
    def counts(self) -> dict[str, int]:
        """Sentences, words, phrases, how many of them are aligned, and how many pairs of phrases there are.

        Phrases are those outside of blocks of sentences with a discontinuous tree, `discontinuous_blocks`.
        """
        native = self._native
        paired = [(left, right) for left, right, _ in self.texts.ranges() if left and right]
        return {
            "sentences_left": len(self.left),
            "sentences_right": len(self.right),
            "aligned_sentences_left": sum(len(left) for left, _ in paired),
            "aligned_sentences_right": sum(len(right) for _, right in paired),
            "words_left": native.words(0),
            "words_right": native.words(1),
            "aligned_words": native.aligned_words,
            "phrases_left": native.phrases(0),
            "phrases_right": native.phrases(1),
            "aligned_phrases_left": len(self._classes[0]["node"]),
            "aligned_phrases_right": len(self._classes[1]["node"]),
            "pairs": sum(len(left) * len(right) for left, right in self._ranges()),
            "discontinuous_blocks": len(native.left_out),
        }

    def _ranges(self) -> Iterator[tuple[range, range]]:
        """Where the phrases of each class stand in the columns."""
        first = second = 0
        for left, right in zip(*(side["ends"] for side in self._classes), strict=True):
            yield range(first, left), range(second, right)
            first, second = left, right

    def pairs(self) -> Iterator[PhrasePair]:
        """All pairs of phrases over the same words, in text order, outer ones first.

        Where several phrases of one side stand over the same words, each is paired with each of the other side.
        """
        spans = [
            _Spans(bank, columns["sentence"], columns["node"])
            for bank, columns in zip((self.left, self.right), self._classes, strict=True)
        ]
        for ranges in self._ranges():
            left, right = ([side.at(place) for place in places] for side, places in zip(spans, ranges, strict=True))
            for left_sentence, left_span in left:
                for right_sentence, right_span in right:
                    yield PhrasePair(
                        left_sentence=left_sentence,
                        left=left_span,
                        right_sentence=right_sentence,
                        right=right_span,
                    )

    def table(self) -> LabelTable:
        """Which labels, cut as the profile says, stand over the same words."""
        try:
            found = self._native.by_labels()
        except ValueError as problem:
            raise InputError(Problem("labels", f"there are {problem}")) from None
        names = self._labels
        return LabelTable(
            {(names[left], names[right]): count for left, right, count in found},
            *({names[key]: row for key, row in enumerate(self._native.labels(side)) if row[0]} for side in (0, 1)),
        )

    @property
    def problems(self) -> list[Problem]:
        """What could not be read or compared."""
        found = list(self.texts.problems)
        hasty = self._native.hasty_groups
        if hasty:
            message = f"{number_of(hasty, 'group')} of words could not be compared: too long and too different"
            found.append(Problem("too-different", message, action="only their ends were"))
        left_out = set(self._native.left_out)
        for number, (left, right, _) in enumerate(self.texts.ranges() if left_out else ()):
            if number in left_out:
                bank, sentences = (self.left, left) if left else (self.right, right)
                found.append(bank.problem(sentences.start, *DISCONTINUOUS))
        return found


class _Spans:
    """The spans of phrases by their place in the columns."""

    def __init__(self, bank: Treebank, sentences: memoryview[int], nodes: memoryview[int]) -> None:
        self.bank, self.sentences, self.numbers = bank, sentences, nodes
        self.names = bank.names()
        self.sentence = -1
        self.nodes: list[tuple[int, int, int, int]] = []

    def at(self, place: int) -> tuple[int, Span]:
        sentence = self.sentences[place]
        if sentence != self.sentence:
            self.sentence, self.nodes = sentence, self.bank.native.nodes(sentence)
        label, _, start, end = self.nodes[self.numbers[place]]
        return sentence, Span(self.names[label], start, end)


def align_trees(
    left: Readable,
    right: Readable,
    mode: str = "strict",
    *,
    profile: str | None = None,
    threads: int | None = None,
    layout: str = "auto",
    on_error: str = "keep",
    progress: _core.Progress | None = None,
    **options: Any,
) -> TreeAlignment:
    """Find out which phrases of two annotations of the same text stand over the same words.

    With `strict` all words of both phrases must have a partner, with `loose` those without one are ignored. Words,
    sentences and spelling may differ; `text`, `contractions` and other options, and `profile`, are those of the metric
    `aligned_parseval`.

    >>> left, right = "(S (NP (PRP i)) (VP (MD ca) (RB n't) (VB go)))", "(S (N (PP i)) (V (VM can't) (VV0 go)))"
    >>> [len(list(align_trees(left, right, mode).pairs())) for mode in ("strict", "loose")]
    [1, 3]
    """
    metric = AlignedParseval(profile, **options)
    pair = read_pair(left, right, metric, layout=layout, on_error=on_error)
    workers = count_threads(threads, len(pair))
    return TreeAlignment(metric, pair.gold, pair.test, mode, threads=workers, progress=progress)
