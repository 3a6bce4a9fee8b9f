"""Completions of language models, each with the tree that it was taken for, ready to be scored for a reward.

>>> judged = judge(["(S (NN a))", "no tree"], gold_trees("(S (NN a))", 2))
>>> judged.outcomes, judged.faithful, [places for _, places in judged.pairs]
(['valid', 'rejected'], [True, None], [[0]])
"""

from __future__ import annotations

from array import array

from .. import _core
from ..helpers.text import encode, escaped
from ..place.pair import Pair
from ..readers.brackets import read_rows
from ..readers.completions.reading import read_completions
from ..trees import Source, Tree, Treebank
from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    Sentence = str | Sequence[str]

#: Phrases and words of a tree. What is larger has no reward: the time to score it must have a bound.
MOST_NODES = 10_000
_NO_GOLD = -1
_SOURCE = Source("<gold>")


class GoldTrees:
    """The gold trees without traces, the words that completions must have, and the number of the tree of each.

    The number is -1 if the gold tree cannot be used.
    """

    __slots__ = ("numbers", "sentences", "trees")

    def __init__(self, trees: Treebank, sentences: Treebank, numbers: array[int]) -> None:
        self.trees = trees
        self.sentences = sentences
        self.numbers = numbers


class Judged:
    """What completions were taken for, and the pairs of trees to score with the places of their completions.

    The outcome of a completion whose gold tree cannot be used is None.
    """

    __slots__ = ("faithful", "gold", "outcomes", "pairs")

    def __init__(self, gold: GoldTrees) -> None:
        self.gold = gold
        self.outcomes: list[str | None] = ["valid"] * len(gold.numbers)
        self.faithful: list[bool | None] = [True] * len(gold.numbers)
        self.pairs: list[tuple[Pair, Sequence[int]]] = []

    def trees(self) -> list[str | None]:
        """The trees in brackets; None for completions that are not scored."""
        trees: list[str | None] = [None] * len(self.outcomes)
        for pair, places in self.pairs:
            for place, line in zip(places, pair.test.lines(), strict=True):
                trees[place] = line
        return trees


def judge(
    completions: Sequence[Any],
    gold: GoldTrees,
    *,
    repair: str | Iterable[str] = "all",
    with_unfaithful: bool = False,
) -> Judged:
    """What completions were taken for. `with_unfaithful` scores trees with other words, too.

    Completions that are valid as printed, with the words of their sentence, are read by one native call; all others by
    `read_completions`.
    """
    judged = Judged(gold)
    native = gold.sentences.native, gold.trees.native
    gold_trees, trees, is_faithful = _core.read_faithful(completions, *native, gold.numbers, MOST_NODES)
    others = [place for place, is_read in enumerate(is_faithful) if not is_read]
    places = range(len(completions))
    if len(others) < len(completions):
        read = [place for place in places if is_faithful[place]] if others else places
        judged.pairs.append((Pair(Treebank(gold_trees), Treebank(trees)), read))
    if others:
        _read_others(completions, others, judged, repair, with_unfaithful)
    return judged


def _read_others(
    completions: Sequence[Any],
    places: Sequence[int],
    judged: Judged,
    repair: str | Iterable[str],
    with_unfaithful: bool,
) -> None:
    gold = judged.gold
    for place in places:
        judged.outcomes[place] = judged.faithful[place] = None
    places = [place for place in places if gold.numbers[place] != _NO_GOLD]
    if not places:
        return
    sentences = {number: gold.sentences.words(number) for number in {gold.numbers[place] for place in places}}
    records = read_completions(
        [completions[place] for place in places],
        sentences=[sentences[gold.numbers[place]] for place in places],
        repair=repair,
    )
    trees: dict[int, str] = {}
    for place, record in zip(places, records, strict=True):
        judged.outcomes[place], judged.faithful[place] = record.outcome, record.faithful
        if record.tree is not None and (record.faithful or with_unfaithful):
            trees[place] = record.tree
    bank = read_rows(map(encode, trees.values()), Source("<completions>"))
    small = [index for index in range(len(bank)) if _is_small(bank.native, index)]
    if small:
        scored = list(trees)
        scored = [scored[index] for index in small]
        gold_bank = gold.trees.select([gold.numbers[place] for place in scored])
        judged.pairs.append((Pair(gold_bank, bank.select(small)), scored))


def gold_trees(gold: Any, size: int, sentence: Any = None) -> GoldTrees:
    """The gold trees of completions. One tree, and one sentence, stand for all completions.

    >>> list(gold_trees(["(S (NN a))", "(S (", "(S (NN a))"], 3).numbers)
    [0, -1, 0]
    """
    items = _one_for_each(gold, size, "gold trees", str | Tree)
    numbers: dict[Any, int] = {}
    if sentence is None:
        places = [numbers.setdefault(_key(item), len(numbers)) for item in items]
        trees = _read_gold(_first_of_each(items, places, len(numbers)))
        sentences = trees
    else:
        words = _one_for_each(sentence, size, "sentences", str)
        keys = ((_key(item), text if isinstance(text, str) else tuple(text or ())) for item, text in zip(items, words))
        places = [numbers.setdefault(key, len(numbers)) for key in keys]
        trees = _read_gold(_first_of_each(items, places, len(numbers)))
        sentences = _as_sentences(_first_of_each(words, places, len(numbers)))
    native = trees.native
    unusable = {
        number
        for number in range(len(trees))
        if native.faulty(number) or not sentences.native.leaf_count(number) or not _is_small(native, number)
    }
    if unusable:
        places = [_NO_GOLD if place in unusable else place for place in places]
    return GoldTrees(trees, sentences, array("q", places))
