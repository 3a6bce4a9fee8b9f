"""Sentence pairings: nothing is lost, the counts are those of the metric, and much text is no obstacle."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from random import Random

import pytest
from oracle.aligned_inputs import random_document

import treescore
from treescore.helpers.text import isolated, padded, width
from treescore.pairing.sentence_pairing import aligned
from treescore.place.pair import Pair
from treescore.render import formats_of, render
from treescore.values.problem import UsageError


@pytest.mark.parametrize("seed", range(40))
def test_every_word_is_told_once(seed: int) -> None:
    document = random_document(seed)
    banks = treescore.read(document.gold), treescore.read(document.test)
    alignment = treescore.align_sentences(*banks)
    rows = list(alignment.to_rows())
    for side, bank in zip(("gold", "test"), banks, strict=True):
        message = [tuple(word) for row in rows for word in row[side]]
        there = [(tree, place, word) for tree in range(len(bank)) for place, word in enumerate(bank.words(tree))]
        assert message == there
        blocks = {row["block"]: row[f"{side}_sentences"] for row in rows}
        assert [sentence for block in blocks.values() for sentence in block] == list(range(len(bank)))
    assert list({row["block"]: None for row in rows}) == list(range(len(alignment)))
    for row in rows:
        sizes = len(row["gold"]), len(row["test"])
        assert (row["kind"] == "alone") == (0 in sizes)
        assert (row["kind"] in ("equal", "respelt")) == (sizes == (1, 1))


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("profile", [None, "collins"])
def test_counts_are_those_of_the_metric(seed: int, profile: str | None) -> None:
    document = random_document(seed)
    counts = treescore.align_sentences(document.gold, document.test, profile=profile).counts()
    signature = f"aligned_parseval|profile:{profile}" if profile else "aligned_parseval"
    score = treescore.evaluate(document.gold, document.test, signature)["aligned_parseval"]
    total = score.counts.total()
    assert counts.words == (total["words"], total["test_words"])
    assert counts.groups["equal"][0] + counts.groups["respelt"][0] == total["tokens"]
    assert counts.blocks["1-1"] == total["one_to_one"]
    assert sum(counts.blocks.values()) == total["sentences"]
    assert counts.values()["widened"] == score.parts["widened"]


@pytest.mark.parametrize("form", formats_of("SentencePairing"))
@pytest.mark.parametrize("seed", range(20))
def test_formats(form: str, seed: int) -> None:
    document = random_document(seed)
    alignment = treescore.align_sentences(document.gold, document.test)
    text = render(alignment, form, every=True)
    assert text == render(treescore.align_sentences(document.gold, document.test, threads=3), form, every=True)
    if form == "json":
        assert len(json.loads(text)["blocks"]) == len(alignment)
    elif form == "text":
        assert sum(line.startswith(("gold ", "test ")) for line in text.splitlines()) == len(alignment)
        assert all(width(line) <= 100 or len(line.split("  ")) < 8 for line in text.splitlines())


def test_what_does_not_differ_is_not_shown() -> None:
    text = render(treescore.align_sentences("(S (N a)) (()) (S (N b))", "(S (N a)) (()) (S (N b))"), "text")
    assert "~" not in text
    with pytest.raises(UsageError, match="must be one of text"):
        render(treescore.align_sentences("(S (N a))", "(S (N a))"), "xml")


def test_long_groups_are_cut_short() -> None:
    words = [f"w{number}" for number in range(40)]
    shown = render(treescore.align_sentences(f"(S {' '.join(words)})", f"(S {''.join(words)})"), "text")
    assert "  gold  w0 w1 w2 w3 w4 w5 w6 w7 … 30 more … w38 w39\n" in shown


@pytest.mark.parametrize(
    ("text", "columns"), [("", 0), ("abc", 3), ("日本", 4), ("ｶ", 1), ("e\u0301", 1), ("שלום", 4), ("a\u200db", 2)]
)
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns
    assert width(padded(text, 6)) == 6
    assert width(isolated(text)) == columns


def test_isolates_cannot_be_left() -> None:
    """A word that ends the isolation, or turns the rest of the line around, is shown as an escape."""
    assert isolated("א\u2069ב") == "\u2068א\\u2069ב\u2069"
    assert isolated("a\u202eb") == "a\\u202eb"


# ---------------------------------------------------------------------------------------------------------------------
# More text than can be compared as a whole


def flat(words: Iterable[str]) -> str:
    return f"(S {' '.join(f'(N {word})' for word in words)})"


def random_words(seed: int, count: int) -> list[str]:
    rng = Random(seed)
    return ["".join(rng.choice("abcdefghij") for _ in range(rng.randint(2, 8))) for _ in range(count)]


def respelt(words: Sequence[str], every: int) -> list[str]:
    return [f"{word}z" if number % every == 0 else word for number, word in enumerate(words)]


def shapes(gold: Iterable[str], test: Iterable[str]) -> list[tuple[int, int]]:
    """How many sentences of each side the blocks have."""
    result = aligned(Pair(treescore.read(list(gold)), treescore.read(list(test))))
    return [(len(block.gold), len(block.test)) for block in result]


def test_a_sentence_of_very_many_words() -> None:
    words = random_words(1, 40_000)
    items = list(aligned(Pair(treescore.read(flat(words)), treescore.read(flat(respelt(words, 30))))))
    assert [(len(block.gold), len(block.test)) for block in items] == [(1, 1)]
    assert len(items[0].groups) == len(words)
    assert all(len(gold) == len(test) == 1 for gold, test in items[0].groups)


def test_a_sentence_that_is_hundreds_of_others() -> None:
    words = random_words(2, 6_000)
    cut = [flat(respelt(words[at : at + 20], 10)) for at in range(0, len(words), 20)]
    assert shapes([flat(words)], cut) == [(1, 300)]
    assert shapes(cut, [flat(words)]) == [(300, 1)]


def test_very_many_equal_sentences() -> None:
    yes = "(S (UH Yes) (. .))"
    shape_lists = shapes([yes] * 20_000, [yes] * 9_990 + ["(S (UH Yas) (. .))"] + [yes] * 9_990)
    assert sum(gold for gold, _ in shape_lists) == 20_000
    assert sum(test for _, test in shape_lists) == 19_981
    assert shape_lists.count((1, 1)) >= 19_980


def test_very_many_sentences_of_which_none_is_the_same() -> None:
    words = random_words(3, 30_000)
    gold = [words[at : at + 20] for at in range(0, len(words), 20)]
    test = [respelt(sentence, 7) for sentence in gold]
    assert shapes(map(flat, gold), map(flat, test)) == [(1, 1)] * len(gold)
    joined = [first + other for first, other in zip(test[::2], test[1::2], strict=True)]
    assert shapes(map(flat, gold), map(flat, joined)) == [(2, 1)] * len(joined)


def test_nothing_in_common() -> None:
    gold, test = random_words(4, 20_000), [f"{word}x{number}" for number, word in enumerate(random_words(5, 20_000))]
    sides = [[flat(words[at : at + 20]) for at in range(0, len(words), 20)] for words in (gold, test)]
    report = treescore.evaluate(sides[0], sides[1], "aligned_parseval")
    total = report.scores[0].counts.total()
    assert (total["paired"], total["gold_sentences"], total["test_sentences"]) == (0, 1_000, 1_000)
    codes = [problem.code for problem in report.problems]
    assert codes[0] == "unrelated"
    assert codes.count("unaligned") == 2_000


def test_very_many_failed_parses() -> None:
    assert shapes(["(())"] * 2_000 + ["(S (N a))"], ["(S (N b))"] + ["(())"] * 2_000) == [(1, 1)] * 2_001


def test_sentences_in_another_order() -> None:
    words = random_words(6, 4_000)
    gold = [flat(words[at : at + 20]) for at in range(0, len(words), 20)]
    test = gold[:]
    Random(7).shuffle(test)
    shape_lists = shapes(gold, test)
    assert (sum(first for first, _ in shape_lists), sum(other for _, other in shape_lists)) == (200, 200)
    assert 10 <= shape_lists.count((1, 1)) <= 60  # the longest common order, and no pairs of different sentences
    assert set(shape_lists) == {(1, 1), (1, 0), (0, 1)}


def test_one_word_against_very_many_characters() -> None:
    assert sorted(shapes(["(S (X a))"], [flat(["b" * 300_000])])) == [(0, 1), (1, 0)]
    first, last = flat(["the", "beginning", "."]), flat(["the", "end", "."])
    between = [flat(random_words(seed, 10)) for seed in range(6_000)]
    shape_lists = shapes([first, flat(["OK"]), last], [first, *between, last])
    assert shape_lists.count((1, 1)) == 2
    assert (sum(gold for gold, _ in shape_lists), sum(test for _, test in shape_lists)) == (3, 6_002)


def test_every_word_is_written_otherwise() -> None:
    words = random_words(8, 8_000)
    gold = [words[at : at + 20] for at in range(0, len(words), 20)]
    test = [[f"{word[0]}z{word[1:]}" for word in sentence] for sentence in gold]
    assert shapes(map(flat, gold), map(flat, test)) == [(1, 1)] * len(gold)


def test_a_rule_that_reads_as_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="not a rule"):
        treescore.align_sentences("(X a)", "(X b)", contractions=b"-s = -")


def test_many_contractions() -> None:
    rules = "".join(f"w{number} = v{number} v\n" for number in range(2_000)).encode()
    alignment = treescore.align_sentences(
        flat(f"w{number}" for number in range(0, 2_000, 10)),
        flat(f"v{number}v" for number in range(0, 2_000, 10)),
        contractions=rules,
    )
    assert [row["kind"] for row in alignment.to_rows()] == ["equal"] * 200
