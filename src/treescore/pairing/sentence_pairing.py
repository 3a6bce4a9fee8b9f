"""Sentence and word alignment of two treebanks of the same text with different tokenisation and segmentation.

>>> import treescore
>>> gold = treescore.read("(S (NP (PRP we)) (VP (MD can) (RB not)))")
>>> test = treescore.read("(S (NP (PRP We)) (VP (MD cannot)))")
>>> for block in aligned(treescore.Pair(gold, test)):
...     print(block.gold, block.test, block.groups)
range(0, 1) range(0, 1) [(range(0, 1), range(0, 1)), (range(1, 3), range(1, 2))]
"""

from __future__ import annotations

from .. import _core
from ..helpers.text import decode, number_of
from ..values.problem import Problem
from ..values.value import Value
from ..words.contractions import Contractions, built_in
from ..words.normal import Normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from ..place.pair import Pair
    from ..trees import Treebank

    #: Gold words and test words, by their numbers in the block.
    Group = tuple[range, range]
    #: The index of the sentence, the index of the word in it, and the word.
    Word = tuple[int, int, str]

#: The kinds of word groups.
KINDS = ("equal", "respelt", "regrouped", "changed", "alone")


class Comparison(Value):
    """How words are compared: normalisation, and contractions that may be expanded."""

    normal: Normal
    contractions: Contractions

    def __init__(self, *, normal: Normal | None = None, contractions: Contractions | None = None) -> None:
        normal = normal or Normal()
        if contractions is None:
            contractions = Contractions.parse(built_in("en"), same=normal.word)
        self._store(normal=normal, contractions=contractions)

    def forms(self, words: list[bytes]) -> tuple[list[str], list[str], list[tuple[int, int, str]]]:
        """The texts of distinct words: as written, expanded, and expanded before certain words."""
        plain = [self.normal.word(decode(word)) or "\0" for word in words]  # the engine needs non-empty texts
        if not any((self.contractions.ends, self.contractions.words)):
            return plain, plain, []
        expand = self.contractions.expander()
        expanded = [expand(text) or text for text in plain]
        numbers: dict[str, list[int]] = {}
        first_or_second = {text for first, second, _ in self.contractions.before for text in (first, second)}
        for number, text in enumerate(plain):
            if text in first_or_second:
                numbers.setdefault(text, []).append(number)
        before = [
            (word, following, expansion or first)
            for first, second, expansion in self.contractions.before
            for word in numbers.get(first, ())
            for following in numbers.get(second, ())
        ]
        return plain, expanded, before


class Block(Value):
    """Corresponding sentences of both sides, and groups of their words; one side may be empty.

    A block with sentences or words on one side only has no groups.
    """

    gold: range
    test: range
    groups: list[Group]


class WordGroup(Value):
    """A group of corresponding words, with their indices, and its kind.

    One word on each side is `equal` or `respelt` (with different text); more words are `regrouped` (with the same text)
    or `changed`; words without a partner, also none, are `alone`.
    """

    kind: str
    gold: list[Word]
    test: list[Word]

    @property
    def characters(self) -> int:
        """The number of characters on both sides."""
        return sum(len(word) for _, _, word in (*self.gold, *self.test))

    @property
    def sides(self) -> tuple[list[Word], list[Word]]:
        """The gold and the test words."""
        return self.gold, self.test


class WordedBlock(Value):
    """A block with its words; `given_up` if too much different text surrounds its sentences."""

    number: int
    gold: range
    test: range
    groups: list[WordGroup]
    given_up: bool

    @property
    def differs(self) -> bool:
        """Is the block anything but one sentence on each side with equal words?"""
        sentences = len(self.gold), len(self.test)
        return sentences != (1, 1) or any(group.kind != "equal" and any(group.sides) for group in self.groups)


class TextCounts:
    """Counts of blocks by shape, and of word groups by kind."""

    def __init__(self) -> None:
        #: Blocks by their numbers of gold and test sentences.
        self.blocks = dict.fromkeys(("1-1", "1-2", "2-1", "n-m", "gold_alone", "test_alone"), 0)
        #: Numbers of groups, gold words and test words, by kind.
        self.groups = {kind: [0, 0, 0] for kind in KINDS}
        self.characters = self.widened = 0

    def add(self, block: WordedBlock) -> None:
        """Add a block."""
        shape = f"{len(block.gold)}-{len(block.test)}"
        if not block.gold or not block.test:
            shape = "gold_alone" if block.gold else "test_alone"
        self.blocks[shape if shape in self.blocks else "n-m"] += 1
        for group in block.groups:
            counted = self.groups[group.kind]
            counted[0] += 1
            counted[1] += len(group.gold)
            counted[2] += len(group.test)
            self.characters += group.characters
            if group.kind in ("regrouped", "changed"):
                self.widened += group.characters

    @property
    def words(self) -> tuple[int, int]:
        """The numbers of gold and test words that are not deleted."""
        return sum(row[1] for row in self.groups.values()), sum(row[2] for row in self.groups.values())

    def values(self) -> dict[str, Any]:
        """All counts by name."""
        gold, test = self.words
        return {
            "blocks": self.blocks,
            "gold_words": gold,
            "test_words": test,
            "groups": {
                kind: dict(zip(("groups", "gold_words", "test_words"), row, strict=True))
                for kind, row in self.groups.items()
            },
            "widened": self.widened / self.characters if self.characters else None,
        }


class SentencePairing(Value):
    """The alignment of the sentences and words of two treebanks; iteration yields blocks with the numbers of words.

    `options` are the options of the comparison, `own_problems` its problems.
    """

    gold: Treebank
    test: Treebank
    native: _core.AlignedTexts
    options: Mapping[str, str]
    own_problems: Sequence[Problem]

    @property
    def problems(self) -> list[Problem]:
        """Problems with reading or comparing."""
        return [*self.own_problems, *self.gold.problems, *self.test.problems, *self._given_up()]

    def _given_up(self) -> list[Problem]:
        """One problem for all sentences without a partner because too much text differs."""
        alone = sum(given_up for gold, test, given_up in self.ranges() if not gold or not test)
        if not alone:
            return []
        message = f"{number_of(alone, 'sentence')} could not be compared: too much of the surrounding text differs"
        return [Problem("too-different", message, action="without a partner")]

    def __len__(self) -> int:
        return len(self.native)

    def __repr__(self) -> str:
        sentences = f"{number_of(len(self.gold), 'gold sentence')} and {len(self.test):,} of test"
        return f"<SentencePairing: {sentences} in {number_of(len(self), 'block')}>"

    def ranges(self) -> Iterator[tuple[range, range, bool]]:
        """The sentences of both sides of each block, and whether their comparison was given up."""
        columns = {name: memoryview(column).cast("q") for name, column in self.native.blocks().items()}
        gold, test = (map(range, columns[f"{side}_begin"], columns[f"{side}_end"]) for side in ("gold", "test"))
        return zip(gold, test, map(bool, columns["given_up"]), strict=True)

    def __iter__(self) -> Iterator[Block]:
        for number, (gold, test, _) in enumerate(self.ranges()):
            groups: list[Group] = []
            first, second = 0, 0
            for gold_size, test_size in self.native.groups(number):
                groups.append((range(first, first + gold_size), range(second, second + test_size)))
                first += gold_size
                second += test_size
            yield Block(gold=gold, test=test, groups=groups)

    def worded(self) -> Iterator[WordedBlock]:
        """The blocks with their words. A block with words on one side only has one group with all of them."""
        for number, (gold, test, given_up) in enumerate(self.ranges()):
            yield WordedBlock(number=number, gold=gold, test=test, groups=self._groups(number), given_up=given_up)

    def _groups(self, number: int) -> list[WordGroup]:
        places = self.native.places(number)
        gold, test = _words(self.gold, places[0]), _words(self.test, places[1])
        sizes = self.native.groups(number) or [(len(gold), len(test))]
        texts = self.native.same_texts(number) or [True] * len(sizes)
        groups = []
        first = second = 0
        for (gold_size, test_size), same in zip(sizes, texts, strict=True):
            ends = first + gold_size, second + test_size
            groups.append(WordGroup(_kind(gold_size, test_size, same), gold[first : ends[0]], test[second : ends[1]]))
            first, second = ends
        return groups

    def counts(self) -> TextCounts:
        """The counts of all blocks."""
        counts = TextCounts()
        for block in self.worded():
            counts.add(block)
        return counts

    def to_rows(self) -> Iterator[dict[str, Any]]:
        """A row for each group of words; all numbers count from 0.

        >>> import treescore
        >>> gold, test = "(S (NP (PRP we)) (VP (MD can) (RB not)))", "(S We (VP cannot))"
        >>> for row in treescore.align_sentences(gold, test).to_rows():
        ...     print(row["kind"], row["gold"], row["test"])
        equal [(0, 0, 'we')] [(0, 0, 'We')]
        regrouped [(0, 1, 'can'), (0, 2, 'not')] [(0, 1, 'cannot')]
        """
        for block in self.worded():
            for group in block.groups:
                yield {
                    "block": block.number,
                    "gold_sentences": list(block.gold),
                    "test_sentences": list(block.test),
                    "kind": group.kind,
                    "gold": group.gold,
                    "test": group.test,
                }


def _words(bank: Treebank, places: list[tuple[int, int]]) -> list[Word]:
    words: dict[int, list[str]] = {}
    out = []
    for sentence, word in places:
        if sentence not in words:
            words[sentence] = bank.words(sentence)
        out.append((sentence, word, words[sentence][word]))
    return out


def _kind(gold: int, test: int, same: bool) -> str:
    if not gold or not test:
        return "alone"
    return KINDS[(0 if same else 1) + (0 if gold == test == 1 else 2)]


def aligned(
    pair: Pair,
    comparison: Comparison | None = None,
    *,
    rules: tuple[_core.SideRules, _core.SideRules] | None = None,
    options: Mapping[str, str] = {},
    problems: Sequence[Problem] = (),
    threads: int = 1,
    progress: _core.Progress | None = None,
) -> SentencePairing:
    """Align sentences and words; `rules` determine which words are deleted first."""
    gold, test = pair.gold, pair.test
    native = _core.AlignedTexts(gold.native, test.native, *(rules or (None, None)))
    if not native.identical:
        forms = (comparison or Comparison()).forms(native.words())
        native.align(*forms, threads=threads, progress=progress)
    return SentencePairing(gold, test, native, options, problems)
