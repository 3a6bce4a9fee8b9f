"""Alignments of texts as they are told: nothing is lost, and the counts are those of the metric."""

from __future__ import annotations

import json

import pytest
from oracle.aligned_inputs import random_document

import treescore
from treescore.problem import UsageError
from treescore.render.text_alignments import TEXT_FORMATS, text_alignment
from treescore.text import isolated, padded, width


@pytest.mark.parametrize("seed", range(40))
def test_every_word_is_told_once(seed: int) -> None:
    made = random_document(seed)
    banks = treescore.read(made.gold), treescore.read(made.test)
    found = treescore.align(*banks)
    rows = list(found.to_rows())
    for side, bank in zip(("gold", "test"), banks, strict=True):
        told = [tuple(word) for row in rows for word in row[side]]
        there = [(tree, place, word) for tree in range(len(bank)) for place, word in enumerate(bank.words(tree))]
        assert told == there
        blocks = {row["block"]: row[f"{side}_sentences"] for row in rows}
        assert [sentence for block in blocks.values() for sentence in block] == list(range(len(bank)))
    assert list({row["block"]: None for row in rows}) == list(range(len(found)))
    for row in rows:
        sizes = len(row["gold"]), len(row["test"])
        assert (row["kind"] == "alone") == (0 in sizes)
        assert (row["kind"] in ("equal", "respelt")) == (sizes == (1, 1))


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("profile", [None, "collins"])
def test_counts_are_those_of_the_metric(seed: int, profile: str | None) -> None:
    made = random_document(seed)
    counts = treescore.align(made.gold, made.test, profile=profile).counts()
    signature = f"aligned_parseval|profile:{profile}" if profile else "aligned_parseval"
    score = treescore.evaluate(made.gold, made.test, signature)["aligned_parseval"]
    total = score.counts.total()
    assert counts.words == (total["words"], total["test_words"])
    assert counts.groups["equal"][0] + counts.groups["respelt"][0] == total["tokens"]
    assert counts.blocks["1-1"] == total["one_to_one"]
    assert sum(counts.blocks.values()) == total["sentences"]
    assert counts.values()["widened"] == score.parts["widened"]


@pytest.mark.parametrize("form", TEXT_FORMATS)
@pytest.mark.parametrize("seed", range(20))
def test_formats(form: str, seed: int) -> None:
    made = random_document(seed)
    found = treescore.align(made.gold, made.test)
    text = "".join(text_alignment(found, form, every=True))
    assert text == "".join(text_alignment(treescore.align(made.gold, made.test, threads=3), form, every=True))
    if form == "json":
        assert len(json.loads(text)["blocks"]) == len(found)
    elif form == "text":
        assert sum(line.startswith(("gold ", "test ")) for line in text.splitlines()) == len(found)
        assert all(width(line) <= 100 or len(line.split("  ")) < 8 for line in text.splitlines())


def test_what_does_not_differ_is_not_shown() -> None:
    text = "".join(text_alignment(treescore.align("(S (N a)) (()) (S (N b))", "(S (N a)) (()) (S (N b))"), "text"))
    assert "~" not in text
    with pytest.raises(UsageError, match="must be one of text"):
        text_alignment(treescore.align("(S (N a))", "(S (N a))"), "xml")


def test_long_groups_are_cut_short() -> None:
    words = [f"w{number}" for number in range(40)]
    shown = "".join(text_alignment(treescore.align(f"(S {' '.join(words)})", f"(S {''.join(words)})"), "text"))
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
