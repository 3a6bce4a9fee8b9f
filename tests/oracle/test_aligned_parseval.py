"""The model of alignment-based PARSEVAL against its rules taken literally, and on documents with a known alignment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, combinations, pairwise

import pytest
from hypothesis import given, settings, strategies as st
from oracle.aligned_inputs import Changes, Document, aligned, document, large_document, random_document
from oracle.aligned_parseval import (
    PLAIN,
    Block,
    Counts,
    Forms,
    Group,
    Side,
    Text,
    align_gap,
    align_sentences,
    align_words,
    anchors,
    cut_at_common_offsets,
    distance,
    distances,
    group_words,
    normalise,
    read,
    score,
    texts_of,
)

import treescore

LETTERS = st.text("abc", max_size=8)
WORDS = st.lists(st.text("ab", min_size=1, max_size=3), max_size=5)
SENTENCES = st.lists(st.lists(st.text("abcd", min_size=1, max_size=4), max_size=2), max_size=4)


# Edit distance -------------------------------------------------------------------------------------------------------


@given(LETTERS, LETTERS)
def test_distances(a: str, b: str) -> None:
    assert distances(a, b) == [distance(a, b[:end]) for end in range(len(b) + 1)]


def test_distance() -> None:
    assert distance("kitten", "sitting") == 3
    assert distance("", "abc") == 3


# Words ---------------------------------------------------------------------------------------------------------------


def cuts(size: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to cut so many words into so many parts."""
    for inner in combinations(range(1, size), parts - 1):
        yield (0, *inner, size)


def all_groups(a: Sequence[str], b: Sequence[str]) -> Iterator[list[Group]]:
    """All alignments of the words."""
    for parts in range(1, min(len(a), len(b)) + 1):
        for there in cuts(len(a), parts):
            for here in cuts(len(b), parts):
                yield [Group(there[n], there[n + 1], here[n], here[n + 1]) for n in range(parts)]


def worth(a: Sequence[str], b: Sequence[str], groups: Sequence[Group]) -> object:
    """Less is better: distance, fewer groups, fewer equal groups, where groups end."""
    texts = [("".join(a[g.gold : g.gold_end]), "".join(b[g.test : g.test_end])) for g in groups]
    return (
        sum(distance(*pair) for pair in texts),
        -len(groups),
        -sum(there == here for there, here in texts),
        [(g.gold_end + g.test_end, g.gold_end) for g in groups],
    )


@given(WORDS, WORDS)
def test_words_are_grouped_in_the_best_way(a: list[str], b: list[str]) -> None:
    every = list(all_groups(a, b))
    best = min(every, key=lambda groups: worth(a, b, groups)) if every else []  # type: ignore[arg-type, return-value]
    assert group_words(a, b) == best


def groups_of(gold: str, test: str) -> list[tuple[str, str]]:
    """The groups of two sentences, as text."""
    sides = [texts_of(read(f"(S {' '.join(f'(X {word})' for word in side.split())})"))[0] for side in (gold, test)]
    groups, _, _ = align_words(sides[0], sides[1])
    return [(" ".join(gold.split()[g.gold : g.gold_end]), " ".join(test.split()[g.test : g.test_end])) for g in groups]


@pytest.mark.parametrize(
    ("gold", "test", "groups"),
    [
        ("we tried * to sleep", "we tried to sleep", ["we~we", "tried~tried", "* to~to", "sleep~sleep"]),
        ("prices rose .", "prices rose", ["prices~prices", "rose .~rose"]),
        ("I ca n't stay", "I can 't stay", ["I~I", "ca n't~can 't", "stay~stay"]),
        ("I ca n't stay", "I can not stay", ["I~I", "ca~can", "n't~not", "stay~stay"]),
        ("they wo n't", "they will not", ["they~they", "wo~will", "n't~not"]),
        ("they won't", "they will not", ["they~they", "won't~will not"]),
        ("can not not pay", "cannot not pay", ["can not~cannot", "not~not", "pay~pay"]),
        ("7 + 8 + 9", "7+8 + 9", ["7 + 8~7+8", "+~+", "9~9"]),
        ("`` do n't ''", '" don\'t "', ['``~"', "do n't~don't", "''~\""]),
        ("well ... we .", "well . . . we .", ["well~well", "...~. . .", "we~we", ".~."]),
        ("a b", "", []),
    ],
)
def test_groups(gold: str, test: str, groups: list[str]) -> None:
    assert groups_of(gold, test) == [tuple(group.split("~")) for group in groups]


# Sentences -----------------------------------------------------------------------------------------------------------


def as_texts(side: Sequence[Sequence[str]]) -> list[list[Text]]:
    return [[Text(word, word) for word in sentence] for sentence in side]


def all_blocks(gold: int, test: int, i: int = 0, j: int = 0) -> Iterator[list[Block]]:
    """All alignments of so many sentences."""
    if (i, j) == (gold, test):
        yield []
    for k in range(i, gold + 1):
        for m in range(j, test + 1):
            if (k > i and m > j) or (k - i) + (m - j) == 1:
                for rest in all_blocks(gold, test, k, m):
                    yield [Block(i, k, j, m), *rest]


def cost(gold: Sequence[Sequence[str]], test: Sequence[Sequence[str]], block: Block) -> float | None:
    """What a block costs, None if it is not allowed."""
    a = "".join("".join(sentence) for sentence in gold[block.gold : block.gold_end])
    b = "".join("".join(sentence) for sentence in test[block.test : block.test_end])
    n, m = block.gold_end - block.gold, block.test_end - block.test
    if not n or not m:
        return len(a + b)
    if n == m == 1 and not (a and b):
        return len(a + b)
    apart = distance(a, b)
    return None if apart > max(len(a), len(b)) / 2 else apart + 0.5 * (n + m - 2)


def preference(block: Block) -> tuple[int, int, int]:
    """Groups first, small ones first, with less gold first; then a test sentence left, then a gold one."""
    n, m = block.gold_end - block.gold, block.test_end - block.test
    return (0, n + m, n) if n and m else (1, n, 0)


@settings(max_examples=40)
@given(SENTENCES, SENTENCES)
def test_sentences_are_aligned_in_the_best_way(gold: list[list[str]], test: list[list[str]]) -> None:
    result: list[tuple[float, int, list[tuple[int, int, int]], list[Block]]] = []
    for blocks in all_blocks(len(gold), len(test)):
        costs = [cost(gold, test, block) for block in blocks]
        if None not in costs:
            total = sum(value for value in costs if value is not None)
            result.append((total, -len(aligned(blocks)), [preference(block) for block in blocks], blocks))
    assert align_gap(as_texts(gold), as_texts(test)) == min(result)[-1]


def test_common_offsets() -> None:
    assert cut_at_common_offsets([3, 2, 4], [5, 4]) == [(0, 2, 0, 1), (2, 3, 1, 2)]
    assert cut_at_common_offsets([5, 2], [3, 4]) == [(0, 2, 0, 2)]
    # Empty trees: alone, paired, inside of a block.
    assert cut_at_common_offsets([3, 2], [3, 0, 2]) == [(0, 1, 0, 1), (1, 1, 1, 2), (1, 2, 2, 3)]
    assert cut_at_common_offsets([0, 3], [0, 0, 3]) == [(0, 1, 0, 1), (1, 1, 1, 2), (1, 2, 2, 3)]
    assert cut_at_common_offsets([5], [3, 0, 2]) == [(0, 1, 0, 3)]
    assert cut_at_common_offsets([0], []) == [(0, 1, 0, 0)]
    assert cut_at_common_offsets([], []) == []


def test_anchors_keep_the_longer_sentence() -> None:
    gold = as_texts([["trains", "stopped"], ["it", "snowed"], ["yes"], ["yes"], []])
    test = as_texts([["it", "snowed"], ["trains", "stopped"], ["yes"], []])
    assert anchors(gold, test) == [(0, 1)]


# Normalisation -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("``Hi''", '"hi"'),
        ("‘tis’", "'tis'"),
        ("a–b—c", "a-b--c"),
        ("x-LRB-y-RRB-", "x(y)"),
        (r"3\/4", "3/4"),
        ("\\", "\\"),
        ("İ", "i\u0307"),
        ("Straße", "strasse"),
        ("cafe\u0301", "café"),
        ("10\u00a0000", "10\u00a0000"),
    ],
)
def test_normalise(form: str, text: str) -> None:
    assert normalise(form) == text
    assert normalise(text) == text


def test_other_forms() -> None:
    assert normalise("…", Forms(unicode="NFKC")) == "..."
    letters = Forms(letters=True)
    assert normalise("큰", letters) == normalise("크ㄴ", letters) == "ㅋㅡㄴ"


# Documents -----------------------------------------------------------------------------------------------------------


def exactly_aligned(result: Document) -> bool:
    """Whether the blocks found are the true ones."""
    return aligned(align_sentences(texts_of(read(result.gold)), texts_of(read(result.test)))) == aligned(result.blocks)


@pytest.mark.parametrize("misspelt", [0.0, 0.03])
@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(6, 30), marks=pytest.mark.long)])
def test_true_blocks_are_found(misspelt: float, seeds: range) -> None:
    """Documents of 40 sentences, of which 5 % are split and 5 % joined."""
    changes = Changes(splits=0.05, merges=0.05, misspelt=misspelt)
    assert all(exactly_aligned(document(seed, changes=changes)) for seed in seeds)


@pytest.mark.parametrize("script", ["latin", "hebrew", "hangul", "chinese"])
def test_most_true_groups_are_found(script: str) -> None:
    changes = Changes(joined_words=0.03, split_words=0.03, misspelt=0.02, missing_words=0.02)
    result = document(1, 30, script=script, words=(4, 15), changes=changes)
    scored = score(result.gold, result.test)
    assert scored.blocks == result.blocks
    right = sum(item == true for item, true in zip(scored.groups, result.groups, strict=True))
    assert right >= 0.9 * len(result.blocks)


@pytest.mark.parametrize("seed", range(60))
def test_nothing_is_lost(seed: int) -> None:
    """Every tree is in one block, every word of a block with two sides in one group."""
    result = random_document(seed)
    for blocks in (result.blocks, score(result.gold, result.test).blocks):
        i = j = 0
        for block in blocks:
            assert (block.gold, block.test) == (i, j)
            i, j = block.gold_end, block.test_end
        assert (i, j) == (len(read(result.gold)), len(read(result.test)))


@pytest.mark.parametrize("seed", range(20))
def test_a_side_against_itself_is_perfect(seed: int) -> None:
    result = random_document(seed)
    total = score(result.gold, result.gold).total()
    assert total.matched == total.gold == total.test
    assert total.tags == total.words


def test_large_document() -> None:
    result = large_document(200)
    assert exactly_aligned(result)
    assert result == large_document(200)
    assert result != large_document(200, seed=1)


# The metric ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seeds", [range(150), pytest.param(range(150, 6_000), marks=pytest.mark.long)])
def test_metric(seeds: range) -> None:
    """The same rows as the model, on small documents in which anything may happen."""
    for seed in seeds:
        result = random_document(seed)
        columns = treescore.evaluate(result.gold, result.test, "aligned_parseval").rows()
        rows = zip(*(columns[name] for name in Counts._fields), strict=True)
        assert list(rows) == score(result.gold, result.test).counts, f"seed {seed}"


def common(gold: Iterable[object], test: Iterable[object]) -> int:
    return sum((Counter(gold) & Counter(test)).values())


def over_characters(gold: Side, test: Side) -> tuple[int, int, int]:
    """Matched brackets, words at the same place, and these with the same tag, if both texts are equally long."""
    sides = []
    for side in (gold, test):
        ends = list(accumulate((len(text.plain) for text in side.texts), initial=0))
        words = list(pairwise(ends))
        brackets = [(label, ends[start], ends[end]) for label, start, end in side.brackets]
        sides.append((ends[-1], brackets, words, list(zip(words, side.tags, strict=True))))
    if sides[0][0] != sides[1][0]:
        return 0, 0, 0
    return common(sides[0][1], sides[1][1]), common(sides[0][2], sides[1][2]), common(sides[0][3], sides[1][3])


@pytest.mark.parametrize("seeds", [range(150), pytest.param(range(150, 3_000), marks=pytest.mark.long)])
def test_metric_over_characters(seeds: range) -> None:
    """The blocks of the model, and in each of them brackets, words and tags by the offsets of their characters."""
    for seed in seeds:
        result = random_document(seed)
        columns = treescore.evaluate(result.gold, result.test, "character_parseval").rows()
        actual = list(zip(*(columns[name] for name in ("matched", "tokens", "tags")), strict=True))
        trees = read(result.gold), read(result.test)
        texts = texts_of(trees[0]), texts_of(trees[1])
        expected = [
            over_characters(
                Side(trees[0], texts[0], block.gold, block.gold_end, PLAIN),
                Side(trees[1], texts[1], block.test, block.test_end, PLAIN),
            )
            for block in align_sentences(*texts)
        ]
        assert actual == expected, f"seed {seed}"
