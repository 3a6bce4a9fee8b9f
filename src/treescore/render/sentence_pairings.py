"""A view of sentence pairings: corresponding sentences and words.

>>> import treescore
>>> aligned = treescore.align_sentences("(S (NP we) (VP can not go))", "(S (NP We) (VP cannot go))")
>>> print("".join(SentencePairingView(aligned).text()).split("\\n\\n")[1])
gold 1 (line 1) ~ test 1 (line 1)
  gold  we  can not    go
  test  We  cannot     go
            regrouped
"""

from __future__ import annotations

from .._version import __version__
from ..helpers.problem_lines import listed, problem_values
from ..helpers.text import isolated, number_of, padded, visible, width
from ..pairing.sentence_pairing import TextCounts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from typing import Any

    from ..pairing.sentence_pairing import SentencePairing, Word, WordedBlock, WordGroup
    from ..trees import Treebank

    Cell = tuple[str, str, str]

_WIDTH = 100  # columns of a line
_MOST_WORDS = 12  # words that are shown of a group
_FIRST, _LAST = 8, 2  # words that are shown of a longer group
_LONGEST_RUN = 4  # equal words that are shown without omissions


class SentencePairingView:
    """The contents of a sentence pairing; `every`: the text also has blocks that do not differ."""

    def __init__(self, texts: SentencePairing, *, every: bool = False) -> None:
        self.texts, self.every = texts, every

    def text(self) -> Iterator[str]:
        """The blocks that differ, or all, with the words of gold above the words of test; and a summary."""
        texts = self.texts
        yield f"{visible(texts.test.source.name or 'test')} against {visible(texts.gold.source.name or 'gold')}\n\n"
        counts = TextCounts()
        for block in texts.worded():
            counts.add(block)
            if self.every or block.differs:
                yield "".join(f"{line}\n" for line in [*_block_lines(texts, block), ""])
        yield "".join(f"{line}\n" for line in _summary(counts))
        yield from listed(texts.problems)

    def data(self) -> Iterator[tuple[str, object]]:
        """Everything, block by block."""
        yield "treescore", __version__
        yield from (("gold", self.texts.gold.source.name), ("test", self.texts.test.source.name))
        yield "options", self.texts.options
        counts = TextCounts()
        yield "blocks", self._records(counts)
        yield from (("counts", counts.values()), ("problems", problem_values(self.texts.problems)))

    def records(self) -> Iterator[dict[str, Any]]:
        """An object for each block."""
        return self._records(TextCounts())

    def _records(self, counts: TextCounts) -> Iterator[dict[str, Any]]:
        for block in self.texts.worded():
            counts.add(block)
            yield _block_values(self.texts, block)

    def rows(self) -> Iterator[list[str]]:
        """A row for each group of words."""
        yield ["block", "gold_sentences", "test_sentences", "kind", "gold_words", "test_words"]
        for block in self.texts.worded():
            sides = [" ".join(map(str, side)) for side in (block.gold, block.test)]
            for group in block.groups:
                yield [str(block.number), *sides, group.kind, _joined(group.gold), _joined(group.test)]


def _block_lines(texts: SentencePairing, block: WordedBlock) -> Iterator[str]:
    sides = {
        name: f"{name} {_numbers(sentences)}{_lines_of(bank, sentences)}"
        for name, bank, sentences in (("gold", texts.gold, block.gold), ("test", texts.test, block.test))
        if sentences
    }
    note = "" if len(sides) == 2 else ": no partner" + (", too much text is different here" if block.given_up else "")
    yield " ~ ".join(sides.values()) + note
    row: list[Cell] = []
    used = 0
    for cell in _cells(block):
        columns = max(map(width, cell)) + 2
        if row and used + columns > _WIDTH - 6:  # room for the name of the side
            yield from _cell_lines(row, sides)
            row, used = [], 0
        row.append(cell)
        used += columns
    yield from _cell_lines(row, sides)


def _cell_lines(row: list[Cell], sides: Container[str]) -> Iterator[str]:
    widths = [max(map(width, cell)) for cell in row]
    for number, name in enumerate(("gold", "test", "")):
        cells = [padded(cell[number], columns) for cell, columns in zip(row, widths, strict=True)]
        if name in sides or (not name and any(cell[2] for cell in row)):
            yield f"  {name:4}  {'  '.join(cells)}".rstrip(" ")


def _cells(block: WordedBlock) -> Iterator[Cell]:
    """Words above words; long runs of equal words are shortened, and sentences are separated by bars."""
    run: list[WordGroup] = []
    before: WordGroup | None = None
    for group in block.groups:
        bars = _bars(before, group) if before else ("", "")
        if group.kind != "equal" or any(bars):
            yield from _run(run)
            run = []
        if any(bars):
            yield *bars, ""
        if group.kind == "equal":
            run.append(group)
        else:
            mark = group.kind if block.gold and block.test else ""
            yield _shown(group.gold), _shown(group.test), mark
        before = group
    yield from _run(run)


def _bars(before: WordGroup, after: WordGroup) -> tuple[str, str]:
    gold, test = (
        "|" if first[-1][0] != second[0][0] else "" for first, second in zip(before.sides, after.sides, strict=True)
    )
    return gold, test


def _run(groups: list[WordGroup]) -> Iterator[Cell]:
    shown = groups if len(groups) <= _LONGEST_RUN else [groups[0]]
    for group in shown:
        yield _shown(group.gold), _shown(group.test), ""
    if len(shown) < len(groups):
        left_out = f"… {len(groups) - 2:,} equal …"
        yield left_out, left_out, ""
        yield _shown(groups[-1].gold), _shown(groups[-1].test), ""


def _shown(words: list[Word]) -> str:
    if len(words) > _MOST_WORDS:
        left_out = len(words) - _FIRST - _LAST
        return f"{_shown(words[:_FIRST])} … {left_out:,} more … {_shown(words[-_LAST:])}"
    pieces: list[str] = []
    for number, (sentence, _, word) in enumerate(words):
        if number and words[number - 1][0] != sentence:
            pieces.append("|")
        pieces.append(word)
    return isolated(" ".join(pieces))


def _numbers(sentences: range) -> str:
    return f"{sentences[0] + 1:,}" if len(sentences) == 1 else f"{sentences[0] + 1:,}–{sentences[-1] + 1:,}"


def _lines_of(bank: Treebank, sentences: range) -> str:
    first, last = bank.line(sentences[0]), bank.line(sentences[-1])
    if not first or not last:  # trees that do not come from a file
        return ""
    return f" (line {first:,})" if first == last else f" (lines {first:,}–{last:,})"


def _summary(counts: TextCounts) -> list[str]:
    blocks, groups = counts.blocks, counts.groups
    named = [f"{blocks[shape]:,} {shape}" for shape in ("1-1", "1-2", "2-1", "n-m") if blocks[shape] or shape == "1-1"]
    count, gold, test = (groups["regrouped"][place] + groups["changed"][place] for place in range(3))
    rows = [
        ("sentences", ", ".join(named)),
        ("  alone", f"{blocks['gold_alone']:,} of gold, {blocks['test_alone']:,} of test"),
        ("words", f"{groups['equal'][0]:,} equal, {groups['respelt'][0]:,} respelt"),
        ("  grouped", f"{gold:,} of gold, {test:,} of test, in {number_of(count, 'group')} of several words"),
        ("  alone", f"{groups['alone'][1]:,} of gold, {groups['alone'][2]:,} of test"),
    ]
    if counts.characters:
        rows.append(("characters", f"{100 * counts.widened / counts.characters:.2f} % in groups of several words"))
    return [f"{name:12}{text}" for name, text in rows]


def _block_values(texts: SentencePairing, block: WordedBlock) -> dict[str, Any]:
    return {
        "block": block.number,
        "gold_sentences": list(block.gold),
        "test_sentences": list(block.test),
        "gold_lines": [texts.gold.line(sentence) for sentence in block.gold],
        "test_lines": [texts.test.line(sentence) for sentence in block.test],
        "given_up": block.given_up,
        "groups": [{"kind": group.kind, "gold": group.gold, "test": group.test} for group in block.groups],
    }


def _joined(words: Iterable[Word]) -> str:
    return " ".join(word for _, _, word in words)
