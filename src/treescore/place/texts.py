"""Two texts whose words and sentences may differ, on common words: which sentences belong together, and which words.

>>> import treescore
>>> gold = treescore.read("(S (NP (PRP we)) (VP (MD can) (RB not)))")
>>> test = treescore.read("(S (NP (PRP We)) (VP (MD cannot)))")
>>> for block in aligned(gold, test):
...     print(block.gold, block.test, block.groups)
range(0, 1) range(0, 1) [(range(0, 1), range(0, 1)), (range(1, 3), range(1, 2))]
"""

from __future__ import annotations

from .. import _core
from ..text import decode
from ..values import Value
from .contractions import LANGUAGES, Contractions
from .normal import Normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..trees import Treebank

    #: Words of gold and words of test, by their numbers in the block.
    Group = tuple[range, range]


class Comparison(Value):
    """What makes words the same: normal texts, and contractions that may be written out."""

    normal: Normal
    contractions: Contractions

    __slots__ = ("contractions", "normal")

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
        expanded = [self.contractions.expanded(text) for text in plain]
        numbers: dict[str, list[int]] = {}
        wanted = {text for first, second, _ in self.contractions.before for text in (first, second)}
        for number, text in enumerate(plain):
            if text in wanted:
                numbers.setdefault(text, []).append(number)
        before = [
            (word, following, read)
            for first, second, read in self.contractions.before
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

    __slots__ = ("gold", "groups", "test")

    def __init__(self, *, gold: range, test: range, groups: list[Group]) -> None:
        self._store(gold=gold, test=test, groups=groups)


class AlignedTexts:
    """How the sentences and words of two treebanks belong together."""

    def __init__(self, gold: Treebank, test: Treebank, native: _core.AlignedTexts) -> None:
        self.gold, self.test, self.native = gold, test, native

    def __len__(self) -> int:
        return len(self.native)

    def __iter__(self) -> Iterator[Block]:
        columns = [memoryview(column).cast("q") for column in self.native.blocks()]
        for number, (gold, gold_end, test, test_end, _) in enumerate(zip(*columns, strict=True)):
            groups: list[Group] = []
            first, second = 0, 0
            for of_gold, of_test in self.native.groups(number):
                groups.append((range(first, first + of_gold), range(second, second + of_test)))
                first += of_gold
                second += of_test
            yield Block(gold=range(gold, gold_end), test=range(test, test_end), groups=groups)


def aligned(
    gold: Treebank,
    test: Treebank,
    comparison: Comparison | None = None,
    *,
    rules: tuple[_core.SideRules, _core.SideRules] | None = None,
    threads: int = 1,
    progress: _core.Progress | None = None,
) -> AlignedTexts:
    """Find out which sentences and words belong together; `rules` say which words are deleted before words are."""
    native = _core.AlignedTexts(gold.native, test.native, *(rules or (None, None)))
    if not native.identical:
        forms = (comparison or Comparison()).forms(native.words())
        native.align(*forms, threads=threads, progress=progress)
    return AlignedTexts(gold, test, native)
