"""Tree alignment (Calder 1997): which phrases of two annotations of a text cover the same words.

Labels are ignored when phrases are matched: their correspondence is the result. Both sides are treated alike.

>>> alignment = align_trees("(S (NP (DT the) (NN cat)) (VP (VBD sat)))", "(O (Ns (AT the) (NN1 cat)) (Vd (VVD sat)))")
>>> alignment
<PhraseMatching (strict): 3 of 3 and 3 words, 3 of 3 and 3 of 3 phrases>
>>> for pair in alignment.pairs():
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
from ..values.problem import InputError, Problem, UsageError, check_choice, check_whole
from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..pairing.sentence_pairing import SentencePairing
    from ..readers.sources import Readable
    from ..trees import Treebank

#: Loose alignment ignores words without a partner.
MODES = ("strict", "loose")
#: Defaults of `proposed`: the least number of pairs of phrases, and the least share of the pairs of either label.
LEAST, SHARE = 10, 0.5

#: Citations.
CITES = ("calder-1997-aligning",)


class PhrasePair(Value):
    """Two phrases over the same words: the indices of their sentences, and their spans."""

    left_sentence: int
    left: Span
    right_sentence: int
    right: Span


class LabelPair(Value):
    """A label of each side, and how often phrases with these labels cover the same words.

    The shares are relative to all pairs with the left label, and to all pairs with the right label.
    """

    left: str
    right: str
    count: int
    left_share: float
    right_share: float


def check_proposal(least: int, share: float) -> None:
    """Raise an error for invalid arguments of `proposed`."""
    check_whole(least, "the least number of pairs")
    if isinstance(share, bool | str) or not 0 <= share <= 1:
        raise UsageError(f"the share must be a number from 0 to 1, not {share!r}")


class LabelTable(Value):
    """How often each pair of labels of two annotations covers the same words.

    `counts` has pairs of phrases by their labels; `left` and `right` have, by label, the number of phrases of that side
    and the number of aligned ones.

    >>> table = align_trees("(S (NP (X a)) (VP (X b)))", "(S (N (X a)) (V (X b)))").table()
    >>> [(pair.left, pair.right, pair.count) for pair in table.pairs()]
    [('NP', 'N', 1), ('S', 'S', 1), ('VP', 'V', 1)]
    >>> table.left["NP"], table.right["V"]
    ((1, 1), (1, 1))
    >>> [(pair.left, pair.right) for pair in table.proposed(least=1)]
    [('NP', 'N'), ('VP', 'V')]
    """

    counts: dict[tuple[str, str], int]
    left: dict[str, tuple[int, int]]
    right: dict[str, tuple[int, int]]

    def __repr__(self) -> str:
        return f"<LabelTable: {len(self.counts):,} pairs of {len(self.left):,} and {len(self.right):,} labels>"

    def pairs(self) -> list[LabelPair]:
        """The pairs of labels, most frequent first."""
        sums: tuple[dict[str, int], dict[str, int]] = ({}, {})
        for labels, count in self.counts.items():
            for side, label in zip(sums, labels, strict=True):
                side[label] = side.get(label, 0) + count
        pairs = [
            LabelPair(left, right, count, count / sums[0][left], count / sums[1][right])
            for (left, right), count in self.counts.items()
        ]
        return sorted(pairs, key=lambda pair: (-pair.count, pair.left, pair.right))

    def proposed(self, *, least: int = LEAST, share: float = SHARE, finer: bool = False) -> list[LabelPair]:
        """Pairs of different labels that appear to be equivalent.

        Each label is the other's single most frequent partner; they have at least `least` pairs of phrases, which are
        at least `share` of all pairs with either label. With `finer` this must hold only for one of the two labels,
        because one annotation may divide a label of the other.

        >>> left, right = "(S (NP a b) (NP c d) (NP e f))", "(S (N1 a b) (N1 c d) (N2 e f))"
        >>> table = align_trees(left, right).table()
        >>> [pair.right for pair in table.proposed(least=1)]
        ['N1']
        >>> [pair.right for pair in table.proposed(least=1, finer=True)]
        ['N1', 'N2']
        """
        check_proposal(least, share)
        pairs = self.pairs()
        best = [_single_best((getattr(pair, side), pair) for pair in pairs) for side in ("left", "right")]
        quantifier = any if finer else all
        return [
            pair
            for pair in pairs
            if pair.left != pair.right
            and pair.count >= least
            and quantifier(
                (
                    best[0][pair.left] is pair and pair.left_share >= share,
                    best[1][pair.right] is pair and pair.right_share >= share,
                )
            )
        ]


def _single_best(pairs: Iterator[tuple[str, LabelPair]]) -> dict[str, LabelPair | None]:
    """The most frequent pair of each label, None for ties; the pairs are sorted by falling frequency."""
    best: dict[str, LabelPair | None] = {}
    counts: dict[str, int] = {}
    for label, pair in pairs:
        if label not in best:
            best[label], counts[label] = pair, pair.count
        elif pair.count == counts[label]:
            best[label] = None
    return best


class PhraseMatching:
    """The phrases of two annotations that cover the same words."""

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
        check_choice(mode, "the mode", MODES)
        self.mode = mode
        #: The aligned sentences and words.
        self.texts: SentencePairing = metric.aligned(Pair(left, right), threads=threads, progress=progress)
        recipe = metric.recipe.replace(equal=())  # equal labels are the question, not an assumption
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
            f"<PhraseMatching ({self.mode}): {counts['aligned_words']:,} of {words[0]} and {words[1]} words, "
            f"{aligned[0]} of {phrases[0]} and {aligned[1]} of {phrases[1]} phrases>"
        )

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of sentences, words, phrases (all and aligned) and pairs of phrases.

        Blocks of sentences with a discontinuous tree, `discontinuous_blocks`, are left out.
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
        """The rows of each class of phrases in the columns of both sides."""
        left_start = right_start = 0
        for left, right in zip(*(side["ends"] for side in self._classes), strict=True):
            yield range(left_start, left), range(right_start, right)
            left_start, right_start = left, right

    def pairs(self) -> Iterator[PhrasePair]:
        """All pairs of phrases over the same words, in text order, outer phrases first.

        If several phrases of one side cover the same words, each is paired with each phrase of the other side.
        """
        spans = [
            _Spans(bank, columns["sentence"], columns["node"])
            for bank, columns in zip((self.left, self.right), self._classes, strict=True)
        ]
        for ranges in self._ranges():
            left, right = ([side.at(row) for row in rows] for side, rows in zip(spans, ranges, strict=True))
            for left_phrase in left:
                for right_phrase in right:
                    yield PhrasePair(*left_phrase, *right_phrase)

    def table(self) -> LabelTable:
        """How often each pair of labels, cut by the profile, covers the same words."""
        try:
            rows = self._native.by_labels()
        except ValueError as problem:
            raise InputError(Problem("labels", f"there are {problem}")) from None
        names = self._labels
        return LabelTable(
            {(names[left], names[right]): count for left, right, count in rows},
            *({names[key]: row for key, row in enumerate(self._native.labels(side)) if row[0]} for side in (0, 1)),
        )

    @property
    def problems(self) -> list[Problem]:
        """Problems with reading or comparing."""
        problems = list(self.texts.problems)
        hasty = self._native.hasty_groups
        if hasty:
            message = f"{number_of(hasty, 'group')} of words could not be compared: too long and too different"
            problems.append(Problem("too-different", message, action="only their ends were compared"))
        left_out = set(self._native.left_out)
        for number, (left, right, _) in enumerate(self.texts.ranges() if left_out else ()):
            if number in left_out:
                bank, sentences = (self.left, left) if left else (self.right, right)
                problems.append(bank.problem(sentences.start, *DISCONTINUOUS))
        return problems


class _Spans:
    """The spans of phrases by their rows in the columns."""

    def __init__(self, bank: Treebank, sentences: memoryview[int], nodes: memoryview[int]) -> None:
        self.bank, self.sentences, self.numbers = bank, sentences, nodes
        self.names = bank.names()
        self.sentence = -1
        self.nodes: list[tuple[int, int, int, int]] = []

    def at(self, row: int) -> tuple[int, Span]:
        sentence = self.sentences[row]
        if sentence != self.sentence:
            self.sentence, self.nodes = sentence, self.bank.native.nodes(sentence)
        label, _, start, end = self.nodes[self.numbers[row]]
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
) -> PhraseMatching:
    """Align the phrases of two annotations of the same text that cover the same words.

    In `strict` mode all words of both phrases must have a partner; `loose` ignores words without one. Tokenisation,
    sentence boundaries and spelling may differ; `profile` and the other options are those of the metric
    `aligned_parseval`.

    >>> left, right = "(S (NP (PRP i)) (VP (MD ca) (RB n't) (VB go)))", "(S (N (PP i)) (V (VM can't) (VV0 go)))"
    >>> [len(list(align_trees(left, right, mode).pairs())) for mode in ("strict", "loose")]
    [1, 3]
    """
    metric = AlignedParseval(profile, **options)
    pair = read_pair(left, right, metric, layout=layout, on_error=on_error)
    workers = count_threads(threads, len(pair))
    return PhraseMatching(metric, pair.gold, pair.test, mode, threads=workers, progress=progress)
