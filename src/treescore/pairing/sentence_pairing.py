"""Two texts whose words and sentences may differ, on common words: which sentences belong together, and which words.

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
from ..words.contractions import LANGUAGES, Contractions
from ..words.normal import Normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from ..place.pair import Pair
    from ..trees import Treebank

    #: Words of gold and words of test, by their numbers in the block.
    Group = tuple[range, range]
    #: Numbers of the sentence and of the word in it, and the word.
    Word = tuple[int, int, str]

#: How words can belong together.
KINDS = ("equal", "respelt", "regrouped", "changed", "alone")


class Comparison(Value):
    """What makes words the same: normal texts, and contractions that may be written out."""

    normal: Normal
    contractions: Contractions

    def __init__(self, *, normal: Normal | None = None, contractions: Contractions | None = None) -> None:
        normal = normal or Normal()
        if contractions is None:
            contractions = Contractions.parse(LANGUAGES["en"], same=normal.word)
        self._store(normal=normal, contractions=contractions)

    def forms(self, words: list[bytes]) -> tuple[list[str], list[str], list[tuple[int, int, str]]]:
        """The texts of distinct words: as written, written out, and written out before certain words."""
        plain = [self.normal.word(decode(word)) or "\0" for word in words]  # no text may be empty
        if not any((self.contractions.ends, self.contractions.words)):
            return plain, plain, []
        read = self.contractions.reader()
        expanded = [read(text) or text for text in plain]
        numbers: dict[str, list[int]] = {}
        wanted = {text for first, second, _ in self.contractions.before for text in (first, second)}
        for number, text in enumerate(plain):
            if text in wanted:
                numbers.setdefault(text, []).append(number)
        before = [
            (word, following, written_out or first)
            for first, second, written_out in self.contractions.before
            for word in numbers.get(first, ())
            for following in numbers.get(second, ())
        ]
        return plain, expanded, before


class Block(Value):
    """Sentences of both sides that belong together, and groups of their words; one side may have no sentences.

    A block without sentences or words on one side has no groups.
    """

    gold: range
    test: range
    groups: list[Group]


class WordGroup(Value):
    """Words that belong together, each with the numbers of its sentence and in it, from 0; and what they are:

    `equal` one word of each side with the same text, `respelt` with another text; `regrouped` more words with the same
    text, `changed` with another text; `alone` words, or none, without a partner.
    """

    kind: str
    gold: list[Word]
    test: list[Word]

    @property
    def characters(self) -> int:
        """How many characters its words have on both sides, as they are written."""
        return sum(len(word) for _, _, word in (*self.gold, *self.test))

    @property
    def sides(self) -> tuple[list[Word], list[Word]]:
        """The words of gold and of test."""
        return self.gold, self.test


class WordedBlock(Value):
    """A block with its words; `given_up` if there was too much text without common places to compare its sentences."""

    number: int
    gold: range
    test: range
    groups: list[WordGroup]
    given_up: bool

    @property
    def differs(self) -> bool:
        """Is there anything but one sentence on each side with the same words?"""
        sentences = len(self.gold), len(self.test)
        return sentences != (1, 1) or any(group.kind != "equal" and any(group.sides) for group in self.groups)


class TextCounts:
    """How many sentences and words belong together in which way; blocks are added one by one."""

    def __init__(self) -> None:
        #: Blocks by what they have of gold and of test.
        self.blocks = dict.fromkeys(("1-1", "1-2", "2-1", "n-m", "gold_alone", "test_alone"), 0)
        #: Groups of words, words of gold and words of test, by kind.
        self.groups = {kind: [0, 0, 0] for kind in KINDS}
        self.characters = self.widened = 0

    def add(self, block: WordedBlock) -> None:
        """Count one more block."""
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
        """All words of gold and of test that are not deleted."""
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


class SentencePairing:
    """How the sentences and words of two treebanks belong together; iterate for blocks with the numbers of words.

    `options` say how words were compared, `problems` what could not be read or compared.
    """

    def __init__(
        self,
        gold: Treebank,
        test: Treebank,
        native: _core.AlignedTexts,
        options: dict[str, str] | None = None,
        problems: Iterable[Problem] = (),
    ) -> None:
        self.gold, self.test, self.native = gold, test, native
        self.options = options or {}
        self._problems = [*problems, *gold.problems, *test.problems]

    @property
    def problems(self) -> list[Problem]:
        """What could not be read or compared."""
        return [*self._problems, *self._given_up()]

    def _given_up(self) -> list[Problem]:
        """One problem for all sentences that were left alone because too much text is different."""
        alone = sum(given_up for gold, test, given_up in self.ranges() if not gold or not test)
        if not alone:
            return []
        message = f"{number_of(alone, 'sentence')} could not be compared: too much text around them is different"
        return [Problem("too-different", message, action="without a partner")]

    def __len__(self) -> int:
        return len(self.native)

    def __repr__(self) -> str:
        sentences = f"{number_of(len(self.gold), 'gold sentence')} and {len(self.test):,} of test"
        return f"<SentencePairing: {sentences} in {number_of(len(self), 'block')}>"

    def ranges(self) -> Iterator[tuple[range, range, bool]]:
        """The sentences of either side of each block, and whether they were left alone: too much text is different."""
        columns = {name: memoryview(column).cast("q") for name, column in self.native.blocks().items()}
        gold, test = (map(range, columns[f"{side}_begin"], columns[f"{side}_end"]) for side in ("gold", "test"))
        return zip(gold, test, map(bool, columns["given_up"]), strict=True)

    def __iter__(self) -> Iterator[Block]:
        for number, (gold, test, _) in enumerate(self.ranges()):
            groups: list[Group] = []
            first, second = 0, 0
            for of_gold, of_test in self.native.groups(number):
                groups.append((range(first, first + of_gold), range(second, second + of_test)))
                first += of_gold
                second += of_test
            yield Block(gold=gold, test=test, groups=groups)

    def worded(self) -> Iterator[WordedBlock]:
        """The blocks with their words. A block of sentences or words of one side only has one group of its words."""
        for number, (gold, test, given_up) in enumerate(self.ranges()):
            yield WordedBlock(number=number, gold=gold, test=test, groups=self._groups(number), given_up=given_up)

    def _groups(self, number: int) -> list[WordGroup]:
        places = self.native.places(number)
        gold, test = _words(self.gold, places[0]), _words(self.test, places[1])
        sizes = self.native.groups(number) or [(len(gold), len(test))]
        texts = self.native.same_texts(number) or [True] * len(sizes)
        groups = []
        first = second = 0
        for (of_gold, of_test), same in zip(sizes, texts, strict=True):
            ends = first + of_gold, second + of_test
            groups.append(
                WordGroup(
                    kind=_kind(of_gold, of_test, same),
                    gold=gold[first : ends[0]],
                    test=test[second : ends[1]],
                )
            )
            first, second = ends
        return groups

    def counts(self) -> TextCounts:
        """How many sentences and words belong together in which way."""
        counts = TextCounts()
        for block in self.worded():
            counts.add(block)
        return counts

    def to_rows(self) -> Iterator[dict[str, Any]]:
        """A row for each group of words; all numbers are from 0.

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
    options: dict[str, str] | None = None,
    problems: Iterable[Problem] = (),
    threads: int = 1,
    progress: _core.Progress | None = None,
) -> SentencePairing:
    """Find out which sentences and words belong together; `rules` say which words are deleted before words are."""
    gold, test = pair.gold, pair.test
    native = _core.AlignedTexts(gold.native, test.native, *(rules or (None, None)))
    if not native.identical:
        forms = (comparison or Comparison()).forms(native.words())
        native.align(*forms, threads=threads, progress=progress)
    return SentencePairing(gold, test, native, options, problems)
