"""Completions of language models, each with the tree that it was taken for, ready to be scored for a reward.

>>> judged = judge(["(S (NN a))", "no tree"], gold_trees("(S (NN a))", 2))
>>> judged.outcomes, judged.faithful, judged.trees()
(['valid', 'rejected'], [True, None], ['(S (NN a))', None])
"""

from __future__ import annotations

from array import array

from .. import _core
from .._core import FirstLook, Layout
from ..helpers.text import encode
from ..place.pair import Pair
from ..readers.completions.completion import REPAIRS
from ..readers.completions.folding import Sentence
from ..readers.completions.one_completion import read_completion
from ..readers.completions.reading import sentence_of
from ..readers.completions.records import text_of
from ..readers.data_frames import column_values, is_missing
from ..trees import Tree, Treebank
from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from ..readers.completions.completion import Completion

#: Phrases and words of a tree. Larger trees have no reward: the time to score a tree must have a bound.
MOST_NODES = 10_000
ALL_REPAIRS = frozenset(REPAIRS)
_BYTE_ORDER_MARK = "\ufeff"


class GoldTrees:
    """Different gold trees without traces, the words of their sentences, and the number of the tree of each completion.

    The words are the leaves of the trees in `sentences`.
    """

    __slots__ = ("numbers", "sentences", "trees")

    def __init__(self, trees: Treebank, sentences: Treebank, numbers: Sequence[int]) -> None:
        self.trees = trees
        self.sentences = sentences
        self.numbers = numbers


class Judged:
    """What completions were taken for, and the pairs of trees to score with the places of their completions.

    If the gold tree of a completion cannot be used, its outcome is None.
    """

    __slots__ = ("_other_trees", "faithful", "outcomes", "pairs")

    def __init__(self, size: int) -> None:
        self.outcomes: list[str | None] = ["valid"] * size
        self.faithful: list[bool | None] = [True] * size
        self.pairs: list[tuple[Pair, Sequence[int]]] = []
        self._other_trees: dict[int, str] = {}

    def add(self, place: int, record: Completion) -> None:
        """Add a completion that needed a closer look."""
        self.outcomes[place], self.faithful[place] = record.outcome, record.faithful
        if record.tree is not None:
            self._other_trees[place] = record.tree

    def trees(self) -> list[str | None]:
        """The trees in brackets; None where there is none."""
        trees: dict[int, str] = {}
        for pair, places in self.pairs:
            trees.update(zip(places, pair.test.lines(), strict=True))
        trees |= self._other_trees
        return list(map(trees.get, range(len(self.outcomes))))


def judge(
    completions: list[str],
    gold: GoldTrees,
    *,
    repairs: frozenset[str] = ALL_REPAIRS,
    with_unfaithful: bool = False,
) -> Judged:
    """What completions were taken for. `with_unfaithful`: trees with other words are scored, too.

    Completions that are valid as printed, with the words of their sentence, are read by one native call, all others one
    by one, as `treescore.read_completions` reads them.
    """
    judged = Judged(len(completions))
    looks, *both_sides = _core.look_at_completions(
        completions, gold.sentences.native, gold.trees.native, array("q", gold.numbers), MOST_NODES
    )
    read: Sequence[int] = range(len(completions))
    if looks.count(FirstLook.FAITHFUL) < len(looks):
        read = [place for place in read if looks[place] == FirstLook.FAITHFUL]
        _read_others(completions, gold, looks, judged, repairs, with_unfaithful=with_unfaithful)
    if read:
        judged.pairs.append((Pair(*map(Treebank, both_sides)), read))
    return judged


def texts_of(completions: Iterable[Any]) -> list[str]:
    """The text of each completion: a string, None, a message, or a list of messages. Other objects have no text.

    >>> texts_of(["(S a)", None, [{"role": "user", "content": "a"}, {"role": "assistant", "content": "(S b)"}]])
    ['(S a)', '', '(S b)']
    """
    if isinstance(completions, str | dict):
        raise UsageError("completions must be a list, also if there is only one")
    return [completion if type(completion) is str else _text_of(completion) for completion in completions]


def _text_of(completion: Any) -> str:
    try:
        return text_of(completion)
    except UsageError:
        return ""


def _read_others(
    completions: list[str],
    gold: GoldTrees,
    looks: bytes,
    judged: Judged,
    repairs: frozenset[str],
    *,
    with_unfaithful: bool,
) -> None:
    """Read the completions that need a closer look."""
    places = []
    for place, look in enumerate(looks):
        if look == FirstLook.OTHER:
            places.append(place)
        elif look == FirstLook.NO_GOLD:
            judged.outcomes[place] = judged.faithful[place] = None
    numbers = {gold.numbers[place] for place in places}
    sentences = {number: Sentence(gold.sentences.words(number)) for number in numbers}
    trees: dict[int, str] = {}
    for place in places:
        record = read_completion(completions[place], sentences[gold.numbers[place]], repairs)
        judged.add(place, record)
        if record.tree is not None and (record.faithful or with_unfaithful):
            trees[place] = record.tree
    bank = _read_lines(trees.values())
    scored = {place: index for index, place in enumerate(trees) if _size(bank, index) <= MOST_NODES}
    if scored:
        gold_bank = gold.trees.select(gold.numbers[place] for place in scored)
        judged.pairs.append((Pair(gold_bank, bank.select(scored.values())), list(scored)))


def _size(bank: Treebank, index: int) -> int:
    return bank.native.node_count(index) + bank.native.leaf_count(index)


def gold_trees(gold: Any, size: int, sentence: Any = None) -> GoldTrees:
    """The gold trees of completions, and the words of their sentences, which are the leaves unless they are given.

    One tree and one sentence stand for all completions.

    >>> gold_trees(["(S (NN a))", "(S (NN b))", "(S (NN a))"], 3).numbers
    [0, 1, 0]
    """
    trees = _gold_items(gold, size)
    if sentence is None:
        different, numbers = _numbered(trees, list(map(_key, trees)))
        bank = _read_gold(different)
        return GoldTrees(bank, bank, numbers)
    sentences = _sentence_items(sentence, size)
    both = list(zip(trees, sentences, strict=True))
    different, numbers = _numbered(both, [(_key(tree), _key(words)) for tree, words in both])
    return GoldTrees(
        _read_gold([tree for tree, _ in different]), _as_leaves([words for _, words in different]), numbers
    )


def _numbered(items: list[Any], keys: list[Any]) -> tuple[list[Any], list[int]]:
    """The items whose keys differ, and for each item the number of the first that has its key."""
    first = dict(zip(reversed(keys), reversed(items), strict=True))
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return [first[key] for key in numbers], [numbers[key] for key in keys]


def _gold_items(gold: Any, size: int) -> list[Any]:
    if isinstance(gold, str | Tree):
        return [gold] * size
    if type(gold) is list and all(map(_is_text, gold)):
        items = gold
    else:
        from ..readers.shapes import as_items

        items = as_items(gold)
    if len(items) == 1 and items[0] is gold:
        return items * size
    return _checked(items, size, "gold trees")


def _sentence_items(sentence: Any, size: int) -> list[Any]:
    if isinstance(sentence, str):
        return [sentence] * size
    values = None if isinstance(sentence, list | tuple) else column_values(sentence)
    return _checked(list(sentence) if values is None else values, size, "sentences")


def _checked(items: list[Any], size: int, what: str) -> list[Any]:
    if len(items) != size:
        raise UsageError(f"there are {size:,} completions, but {len(items):,} {what}; give one for each completion")
    return items


def _is_text(item: object) -> bool:
    return type(item) is str


def _key(item: Any) -> Any:
    """Equal for equal strings; other objects are equal only to themselves."""
    return item if type(item) is str else id(item)


def _read_gold(items: list[Any]) -> Treebank:
    """A tree without traces of each item, whatever the others are; a faulty one where it cannot be read."""
    texts = {place: item for place, item in enumerate(items) if isinstance(item, str) and not _is_numbered(item)}
    bank = _read_lines(text.replace("\n", " ").removeprefix(_BYTE_ORDER_MARK) for text in texts.values())
    if len(texts) < len(items):
        from ..readers.shapes import from_objects

        others = [place for place in range(len(items)) if place not in texts]
        bank = bank + from_objects([items[place] for place in others], on_error="keep")
        order = {place: index for index, place in enumerate([*texts, *others])}
        bank = bank.select(order[place] for place in range(len(items)))
    return Treebank(_core.without_traces(bank.native))


def _read_lines(lines: Iterable[str]) -> Treebank:
    """A tree from each line, a faulty one where there is none."""
    text = b"".join([encode(line) + b"\n" for line in lines])
    trees, _, _ = _core.read_brackets(text, Layout.LINE, None, False)
    return Treebank(trees)


def _is_numbered(text: str) -> bool:
    return "=" in text and _core.is_discbracket(encode(text))


def _as_leaves(sentences: list[Any]) -> Treebank:
    """A tree with these words as its leaves for each sentence: a list of words, or a string cut at blanks."""
    builder = _core.TreeBuilder()
    for words in sentences:
        for word in () if is_missing(words) else sentence_of(words).words:
            builder.leaf(encode(word), None)
        builder.finish(0)
    return Treebank(builder.trees())
