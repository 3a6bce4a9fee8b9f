"""Which word of test each word of gold is aligned with, one to one: as given, or found by the times of both sides.

>>> import treescore
>>> gold, test = treescore.read("(S (A a) (B b))"), treescore.read("(S (X x) (X y) (X z))")
>>> word_partners(Pair(gold, aligned(gold, test, [[(0, 0), (1, 2)]])))
[[0, 2]]
>>> partners_by_times([(0.0, 0.4), (0.4, 1.0)], [(0.0, 0.5), (0.5, 0.7), (0.7, 1.0)])
[0, 2]
"""

from __future__ import annotations

from ..helpers.text_files import read_text_file
from ..values.problem import InputError, Problem, UsageError
from .pair import Pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from ..trees import Treebank

#: What it is that metrics with words:aligned need.
_NEEDED = "give alignment= in evaluate, --alignment FILE for the command, or times on both sides"


def aligned(gold: Treebank, test: Treebank, alignment: Iterable[Any]) -> Treebank:
    """The test trees with the words of gold that they are aligned with: for each sentence (gold word, test word) pairs.

    Words are numbered from 0.
    """
    sentences = list(alignment)
    if len(sentences) != len(test):
        raise UsageError(f"the alignment is of {len(sentences):,} sentences, and there are {len(test):,} test trees")
    partners = []
    for place, pairs in enumerate(sentences):
        sizes = [bank.native.leaf_count(place) if place < len(bank) else 0 for bank in (gold, test)]
        try:
            partners.append(_checked(pairs, sizes))
        except ValueError as fault:
            raise InputError(Problem("alignment", f"alignment of words: {fault}", unit=place + 1)) from None
    return test.with_partners(partners)


def _checked(pairs: Any, sizes: Sequence[int]) -> list[int]:
    """The partner of each gold word, or -1; a ValueError if the pairs are not one to one, or no words."""
    partners = [-1] * sizes[0]
    try:
        numbered = [(gold, test) for gold, test in pairs]
    except (TypeError, ValueError):
        raise ValueError("it must be a list of pairs (gold word, test word)") from None
    for gold, test in numbered:
        for number, size, side in ((gold, sizes[0], "gold"), (test, sizes[1], "test")):
            if type(number) is not int or not 0 <= number < size:
                raise ValueError(f"{side} has no word {number!r}: words are numbered from 0, and there are {size:,}")
        if partners[gold] >= 0 or test in partners:
            raise ValueError(f"the pair ({gold}, {test}) has a word that has another partner")
        partners[gold] = test
    return partners


def read_alignment(path: str) -> list[Any]:
    """An alignment from a file of JSON lines: for each sentence a list of pairs [gold word, test word]."""
    from ..readers.json_words import load

    lines = read_text_file(path).splitlines()
    return [load(line, name=path, line=number) for number, line in enumerate(lines, 1)]


def word_partners(pair: Pair) -> list[list[int]] | None:
    """For each pair of trees, the partner of each gold word in test, or -1; None if there is no alignment.

    Then words are aligned by their numbers if both trees have as many, or else not at all.
    """
    if pair.test.partners is not None:
        return list(pair.test.partners)
    if not pair.is_timed:
        return None
    gold, test = pair.gold.native, pair.test.native
    return [partners_by_times(gold.times(place) or (), test.times(place) or ()) for place in range(len(pair))]


def alignment_problems(pair: Pair) -> list[Problem]:
    """The sentences whose words are not aligned for want of an alignment, and trees with gaps."""
    problems = [
        bank.problem(place, "discontinuous", "phrases with gaps are compared by their first and last words")
        for bank in (pair.gold, pair.test)
        if bank.is_discontinuous
        for place in range(len(bank))
        if bank.native.discontinuous(place)
    ]
    if pair.test.partners is not None or pair.is_timed:
        return problems
    sizes = [list(map(bank.native.leaf_count, range(len(bank)))) for bank in (pair.gold, pair.test)]
    return problems + [
        pair.test.problem(
            place, "alignment", f"{size} words in gold, {other} in test, and no alignment: {_NEEDED}", "nothing matches"
        )
        for place, (size, other) in enumerate(zip(*sizes, strict=True))
        if size != other
    ]


def partners_by_times(gold: Sequence[tuple[float, float]], test: Sequence[tuple[float, float]]) -> list[int]:
    """The partners for which the times that words have in common are longest, of one alignment of one to one.

    Words of one side do not overlap, so those that overlap words of the other side are a sequence of pairs in which
    only neighbours share a word. The best pairs are found from left to right.
    """
    pairs: list[tuple[int, int, float]] = []
    first = 0
    for number, (start, end) in enumerate(gold):
        while first < len(test) and test[first][1] <= start:
            first += 1
        place = first
        while place < len(test) and test[place][0] < end:
            common = min(end, test[place][1]) - max(start, test[place][0])
            if common > 0:
                pairs.append((number, place, common))
            place += 1
    # Of the pairs up to each one: the longest common time, and whether the last one is among them.
    best, is_taken, before = [0.0], [False], []
    clear = 0
    for index, (one, other, common) in enumerate(pairs):
        while pairs[clear][0] < one and pairs[clear][1] < other:
            clear += 1
        before.append(clear)
        best.append(max(best[index], best[clear] + common))
        is_taken.append(best[clear] + common > best[index])
    partners = [-1] * len(gold)
    index = len(pairs)
    while index > 0:
        if is_taken[index]:
            one, other, _ = pairs[index - 1]
            partners[one] = other
            index = before[index - 1]
        else:
            index -= 1
    return partners
