"""Alignment-based PARSEVAL (Jo, Park and Park 2024): brackets of texts whose words and sentences differ.

Corresponding sentences form blocks, and their words form groups. A bracket reaches from the group of its first
word to the group of its last; otherwise brackets are counted as in PARSEVAL. A sentence without a partner is a row of
its own: none of its brackets match, and all of them count.

>>> import treescore
>>> gold = treescore.read("(S (NP (DT This)) (VP (MD ca) (RB n't) (VP (VB be) (ADJP (JJ right)))))")
>>> test = treescore.read("(S (NP (DT this)) (VP (MD can) (RB not) (VP (VB be) (ADJP (JJ right)))))")
>>> metric = AlignedParseval()
>>> score = metric.score(metric.counts(treescore.Pair(gold, test)))
>>> score.value, score.parts["token_f1"]
(1.0, 1.0)
"""

from __future__ import annotations

from functools import cached_property

from .. import _core
from ..helpers.text import decode, number_of, visible
from ..pairing.sentence_pairing import Comparison, SentencePairing, aligned
from ..place.aligned import group_positions
from ..place.axis import ALIGNED
from ..place.pair import Pair
from ..place.two_sides import check_readable, pair_up, read_sides
from ..recipe import LABELS, TEXT, Recipe, recipe_options
from ..values.counts import Counts
from ..values.option import Option
from ..values.problem import FAILED, InputError, Problem
from ..values.signature_text import SignatureError, split_signature, unquote
from ..words.contractions import LANGUAGES, Contractions, built_in
from ..words.normal import DEFAULT, Normal
from .known_files import recall, remember
from .nodes import DISCONTINUOUS
from .options import PRM, PROFILE
from .parseval import RATES, bracket_ratios, crossing_ratios, label_figures
from .policy import PolicyMetric
from .ratios import Ratio, share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..place.placed import Columns
    from ..readers.sources import Readable
    from ..recipe import Compiled
    from ..trees import Treebank
    from ..values.score import Part
    from .overview import Overview

_SHOWN = (
    *("matched", "gold", "test", "unlabelled", "crossing"),
    *("words", "test_words", "tokens", "tags", "characters", "widened"),
)

CONTRACTIONS = Option(
    "contractions",
    "en",
    "contractions may be written out ({})",
    choices={"none": "contractions are not written out"},
    expects=f"{', '.join(language for language in LANGUAGES if language != 'none')} or a file",
    is_always_written=True,
)

_CAUSES = {"failed": "failed", "excluded": "excluded", "gold_faults": "with faults in gold", "lost": "lost"}

#: Shares above which there is a warning: sentences without a partner, characters in groups of several words.
_MANY_ALONE, _MUCH_WIDENED = 0.05, 0.2
_SOME_ALONE = 3  # sentences without a partner that are never worth a warning


class AlignedParseval(PolicyMetric):
    """Brackets over groups of corresponding words.

    >>> AlignedParseval(labels=False, text="nfkc+fold", contractions="none").signature
    'aligned_parseval|labels:no|text:nfkc+fold|contractions:none|v:0.2.0.dev0'
    """

    name = "aligned_parseval"
    cites = ("jo-etal-2024-novel",)
    options = (
        LABELS,
        PROFILE,
        PRM,
        TEXT.always_written(),
        CONTRACTIONS,
        *recipe_options(
            *("delete", "delete-words", "length-ignores", "equal", "cut", "cut-start", "cut-tags", "cut-delete"),
            *("longest", "outer"),
        ),
    )
    usual: Mapping[str, str] = {"text": "+".join(DEFAULT)}
    plain_recipe = Recipe(delete=("", "TOP", "S1"), delete_words=False, cut_start="no")
    axis = ALIGNED
    aligns_words = True
    pairs_trees = takes_parts = False
    row_unit = "block"
    group_figures = RATES
    eligible = PolicyMetric.eligible | {"test_only": -1}
    all_columns = PolicyMetric.all_columns | {
        "words": {"words_all": 1},
        "valid": {"valid_all": 1},
        "paired": {"paired_all": 1},
        "crossing": {"crossing": 1, "test_all": 1, "test": -1},  # all brackets of a failed block count as crossing
    }
    without_all = ("boundary_f1", "sentence_f1", "token_f1", "widened")
    error_rates = ("widened",)
    error_amounts = ("average_crossing",)

    #: Are places characters, and not groups of words?
    over_characters = False
    #: The first word of the titles of figures, which distinguishes them from the figures of parseval.
    kind = "Aligned"

    contractions: str | bytes

    def __init__(self, profile: str | None = None, **given: Any) -> None:
        super().__init__(profile, **given)
        name = None
        if isinstance(self.contractions, str) and self.contractions in LANGUAGES:
            listed = built_in(self.contractions)
        else:
            data = self.contractions
            if isinstance(data, str):
                name = visible(unquote(data))
                data = recall(data, "contraction", "contractions:FILE")
            self.contractions, listed = remember(data), decode(data)
        normal = Normal.parse(self.recipe.text)
        try:
            rules = Contractions.parse(listed, name=name, same=normal.word)
        except InputError as problem:
            raise SignatureError(f"contractions: {problem}") from None
        self.comparison = Comparison(normal=normal, contractions=rules)

    def word_texts(self, pair: Pair) -> list[tuple[bytes, bytes]]:
        return []  # words are made comparable when they are aligned

    def aligned(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> SentencePairing:
        """The sentences and words that correspond, without deleted words."""
        return self._aligned(self.compiled(pair), pair, threads, progress)

    def _aligned(
        self, compiled: Compiled, pair: Pair, threads: int, progress: _core.Progress | None
    ) -> SentencePairing:
        left, right = compiled.sides()
        _, options = split_signature(self.signature)
        return aligned(
            pair,
            self.comparison,
            rules=(left, right),
            options={name: value for name, value in options.items() if name not in ("labels", "v")},
            problems=self.prm_problems(),
            threads=threads,
            progress=progress,
        )

    def positions(self, pair: Pair) -> Columns:
        return group_positions(self.aligned(pair))

    def _rules(self, compiled: Compiled) -> _core.AlignedRules:
        gold, test = compiled.sides()
        equal_labels, equal_tags = compiled.equal_keys()
        longest = self.recipe.longest
        return _core.AlignedRules(
            gold,
            test,
            equal_labels,
            equal_tags,
            labelled=self.recipe.labels,
            most_length=-1 if longest is None else longest,
            characters=self.over_characters,
        )

    def counts(self, pair: Pair, *, threads: int = 1, progress: _core.Progress | None = None) -> Counts:
        compiled = self.compiled(pair)
        texts = self._aligned(compiled, pair, threads, progress)
        return Counts.of_rows(_core.aligned_rows(texts.native, self._rules(compiled), threads, progress))

    def gold_sentences(self, counts: Counts) -> Sequence[int]:
        return counts["gold_first"].tolist()

    @cached_property
    def ratios(self) -> Mapping[str, Ratio]:
        sentences = {"gold_sentences": 1, "test_sentences": 1, "left_out_sentences": -1}
        ratios = {
            **bracket_ratios(labelled=self.recipe.labels, kind=self.kind),
            "exact": share("Exact match", "exact", "valid", unit="block"),
            "tag_accuracy": share("Tag accuracy", "tags", "words"),
            **crossing_ratios("paired", unit="block"),
            "boundary_f1": Ratio("Sentence boundary F1", {"paired": 2}, sentences),
            "sentence_f1": Ratio("Sentence F1", {"one_to_one": 2}, sentences),
            "token_f1": Ratio("Token F1", {"tokens": 2}, {"words": 1, "test_words": 1}),
        }
        if not self.over_characters:
            ratios["widened"] = share("Characters in groups of words", "widened", "characters")
        return ratios

    def rows(self, counts: Counts) -> dict[str, list[Any]]:
        rows: dict[str, list[Any]] = {"sentence": list(range(1, len(counts) + 1))}
        for side in ("gold", "test"):
            firsts, sizes = counts[f"{side}_first"], counts[f"{side}_sentences"]
            rows[f"{side}_sentence"] = [_numbers(first, size) for first, size in zip(firsts, sizes, strict=True)]
        rows |= {name: column for name, column in self.row_columns(counts, *RATES).items() if name != "sentence"}
        for name in _SHOWN:
            rows[name] = list(counts[name])
        return rows

    def summary(self, counts: Counts) -> str:
        total = counts.total()
        alone = total["valid"] - total["paired"]
        return (
            f"{number_of(total['gold_sentences'], 'gold sentence')} and {total['test_sentences']:,} of test: "
            f"{number_of(total['paired'], 'block')} aligned, {number_of(alone, 'sentence')} without a partner"
            + "".join(f", {total[name]:,} {cause}" for name, cause in _CAUSES.items() if total[name])
        )

    def remarks(self, overview: Overview) -> list[Problem]:
        problems, total = self.prm_problems(), overview.total
        sentences, alone = total["gold_sentences"] + total["test_sentences"], total["valid"] - total["paired"]
        if alone > max(_SOME_ALONE, _MANY_ALONE * sentences) or (alone and not total["paired"]):
            message = f"{alone:,} of {sentences:,} sentences have no partner: are these files about the same text?"
            problems.append(Problem("unrelated", message, file=overview.files[1]))
        if total["widened"] > _MUCH_WIDENED * total["characters"]:
            share = 100 * total["widened"] / total["characters"]
            message = (
                f"{share:.0f} % of the characters are in groups of several words, where brackets count as wider than "
                "they are: the scores are too high; tree by tree, treescore align shows where"
            )
            problems.append(Problem("widened", message, file=overview.files[1]))
        return problems

    def row_problems(self, pair: Pair, counts: Counts) -> list[Problem]:
        problems = []
        for index, paired in enumerate(counts["paired"]):
            if counts["errors"][index]:
                bank, side = (pair.gold, "gold") if counts["gold_sentences"][index] else (pair.test, "test")
                problems.append(self._discontinuous(bank, counts, index, side))
            elif counts["valid"][index] and not paired:
                problems.append(self._alone(pair, counts, index))
            elif counts["failed"][index]:
                place = counts["test_first"][index]
                problems.append(pair.test.problem(place, "unparsed", "no words are left in the test tree", FAILED))
        return problems + self._unequal(pair.gold, counts)

    def _discontinuous(self, bank: Treebank, counts: Counts, index: int, side: str) -> Problem:
        code, message, action = DISCONTINUOUS
        action = FAILED if counts["failed"][index] else action
        return bank.problem(counts[f"{side}_first"][index], code, message, action)

    def _alone(self, pair: Pair, counts: Counts, index: int) -> Problem:
        bank, side, other = (
            (pair.gold, "gold", "test") if counts["gold_sentences"][index] else (pair.test, "test", "gold")
        )
        action = "all its brackets count as missed" if side == "gold" else "all its brackets count as wrong"
        message = f"no sentence of {other} belongs to this sentence of {side}"
        if counts["given_up"][index]:
            message += ": too much text around it is different"
        return bank.problem(counts[f"{side}_first"][index], "unaligned", message, action)

    def _unequal(self, gold: Treebank, counts: Counts) -> list[Problem]:
        return [
            gold.problem(
                counts["gold_first"][index],
                "characters",
                "gold and test have different numbers of characters here",
                "none of the brackets match",
            )
            for index, unequal in enumerate(counts["unequal"])
            if unequal
        ]

    def label_sums(self, pair: Pair) -> dict[str, dict[str, int]]:
        compiled = self.compiled(pair)
        texts = self._aligned(compiled, pair, 1, None)
        table = _core.aligned_by_label(texts.native, self._rules(compiled))
        return {compiled.labels[key]: sums for key, sums in table}

    def label_figures(self, sums: Mapping[str, int]) -> dict[str, Part]:
        return label_figures(**sums, labelled=self.recipe.labels)


class CharacterParseval(AlignedParseval):
    """Brackets over characters: both ends must be at the same position of the text.

    >>> import treescore
    >>> gold = treescore.read("(S (NP (PRP we)) (VP (MD can) (RB not)))")
    >>> test = treescore.read("(S (NP (PRP we)) (VP (MD cannot)))")
    >>> metric = CharacterParseval()
    >>> metric.score(metric.counts(treescore.Pair(gold, test))).value
    1.0
    """

    name = "character_parseval"
    aligns_words = False
    cites = ("black-etal-1991-procedure",)
    over_characters = True
    kind = "Character"


def align_sentences(
    gold: Readable,
    test: Readable,
    *,
    profile: str | None = None,
    threads: int | None = None,
    layout: str = "auto",
    on_error: str = "keep",
    progress: _core.Progress | None = None,
    **options: Any,
) -> SentencePairing:
    """Align the sentences and the words of two files.

    `text`, `contractions` and other options, and `profile`, are those of the metric: with some profiles words are
    deleted before words are aligned.

    >>> texts = align_sentences("(S (NP we) (VP can not)) (S go)", "(S (NP We) (VP cannot) go)", text="nfkc+fold")
    >>> texts
    <SentencePairing: 2 gold sentences and 1 of test in 1 block>
    >>> [row["kind"] for row in texts.to_rows()]
    ['equal', 'regrouped', 'equal']
    """
    from ..helpers.threads import count_threads

    metric = AlignedParseval(profile, **options)
    pair = pair_up(*read_sides(gold, test, layout=layout, on_error=on_error), required=False)
    for bank in (pair.gold, pair.test):
        check_readable(bank)
    return metric.aligned(pair, threads=count_threads(threads, len(pair)), progress=progress)


def _numbers(first: int, count: int) -> str:
    """The numbers of sentences as they are shown: 3, 3-4, or nothing.

    >>> _numbers(2, 1), _numbers(2, 2), _numbers(2, 0)
    ('3', '3-4', '')
    """
    return "" if count == 0 else str(first + 1) if count == 1 else f"{first + 1}-{first + count}"
