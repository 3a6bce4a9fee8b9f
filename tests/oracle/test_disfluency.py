"""The metric disfluency against the definitions on random trees, and what becomes of sentences it cannot score."""

from __future__ import annotations

from random import Random

import pytest
from gapped_trees import SAME_EXTENTS, bank, placed
from hypothesis import given
from oracle.disfluency import PUNCTUATION, counted, sets_of
from strategies import RANDOMS, Phrase, Word, changed, hang_guard, write

import treescore
from treescore.metrics.disfluency import Disfluency
from treescore.place.pair import Pair

LABELS = ("S", "NP", "VP", "EDITED", "PRN", "INTJ", "EDITED-UNF")
TAGS = ("NN", "UH", "PRP", "$", *PUNCTUATION)
GROUPS = ("", "node_", "disfluent_", "all_")


def make_speech(rng: Random) -> Phrase:
    """A tree with phrases of disfluency and with punctuation."""
    items: list[Phrase | Word] = [Word(rng.choice(TAGS), rng.choice("abc")) for _ in range(rng.randint(1, 9))]
    items[0] = Word("NN", "a")  # one at least is left
    while len(items) > 1 and rng.random() < 0.9:
        size = rng.randint(1, min(4, len(items)))
        start = rng.randint(0, len(items) - size)
        items[start : start + size] = [Phrase(rng.choice(LABELS), tuple(items[start : start + size]))]
    return Phrase("S", tuple(items))


def relabelled(rng: Random, tree: Phrase) -> Phrase:
    """Some labels exchanged."""
    label = rng.choice(LABELS) if rng.random() < 0.2 else tree.label
    below = (child if isinstance(child, Word) else relabelled(rng, child) for child in tree.children)
    return Phrase(label, tuple(below))


@given(RANDOMS)
def test_random_trees(rng: Random) -> None:
    gold = make_speech(rng)
    test = relabelled(rng, changed(rng, gold, odd=0))
    edits = rng.choice([("EDITED",), ("EDITED", "EDITED-UNF")])
    disfluent = rng.choice([("EDITED", "PRN", "INTJ"), ("PRN",), ()])
    metric = Disfluency(edits=edits, disfluent=disfluent)
    sides = sets_of(gold), sets_of(test)
    for banks in (
        (treescore.read(write(gold), form="brackets"), treescore.read(write(test), form="brackets")),
        (bank([placed(gold)]), bank([placed(test)])),  # parents stored, as for phrases with gaps
    ):
        counts = metric.counts(Pair(*banks))
        row = counts.row(0)
        if sides[0][2] != sides[1][2]:
            assert (row["valid"], row["errors"]) == (0, 1)
            continue
        expected = [
            counted(sides[0][0], sides[1][0], edits),
            counted(sides[0][1], sides[1][1], edits),
            counted(sides[0][0], sides[1][0], disfluent),
            counted(sides[0][1], sides[1][1], None),
        ]
        for group, numbers in zip(GROUPS, expected, strict=True):
            assert tuple(row[f"{group}{kind}"] for kind in ("matched", "gold", "test")) == numbers, group
        assert row["exact"] == (expected[0][0] == expected[0][1] == expected[0][2])
        assert counts["length"][0] == len(sides[0][2])


GOLD = "(S (EDITED (NP (PRP i))) (NP (PRP i)) (VP (VBD left)))"


def test_a_word_under_a_phrase_with_a_gap() -> None:
    """Only its own words are under it, not those in the gap."""
    from gapped_trees import Leaf, Node

    words = [Leaf(place, "NN", text) for place, text in enumerate("abc")]
    gold = Node("S", (Node("EDITED", (words[0], words[2])), words[1]))
    test = Node("S", (Node("EDITED", tuple(words)),))
    row = Disfluency().counts(Pair(bank([gold]), bank([test]))).row(0)
    assert (row["matched"], row["gold"], row["test"]) == (2, 2, 3)


def test_a_gap_is_reported() -> None:
    """Phrases are compared by their first and last word: these are all the same, but their words are not."""
    for texts in (SAME_EXTENTS, SAME_EXTENTS[::-1], SAME_EXTENTS[:1] * 2):
        report = treescore.evaluate(*texts, "disfluency")
        assert report.scores[0].parts["all_f1"] == 1.0
        assert report.problem_counts() == {"discontinuous": 1}
    assert treescore.evaluate(*SAME_EXTENTS[1:] * 2, "disfluency").problem_counts() == {}


def test_undefined_and_original() -> None:
    tree = "(S (NP (PRP i)) (VP (VBD left)))"
    parts = treescore.evaluate(tree, tree, "disfluency").scores[0].parts
    assert (parts["f1"], parts["node_f1"], parts["disfluent_recall"]) == (None, None, None)
    assert parts["all_f1"] == 1.0
    parts = treescore.evaluate(tree, tree, "disfluency|compat:original").scores[0].parts
    assert (parts["f1"], parts["node_f1"], parts["disfluent_recall"], parts["all_f1"]) == (0.0, 0.0, 0.0, 1.0)


def test_unparsed() -> None:
    report = treescore.evaluate(GOLD + "\n", "(())\n", "disfluency")
    assert report.scores[0].parts["recall"] == report.scores[0].parts["recall_all"] == 0.0
    total = report.scores[0].counts.total()
    assert (total["valid"], total["failed"]) == (1, 1)
    assert total["gold_all"] == total["test_all"] == total["gold"] > total["test"] == 0
    assert report.problem_counts() == {"unparsed": 1}


def test_other_words_are_reported() -> None:
    report = treescore.evaluate(
        [GOLD, GOLD, "(S (NN a) (, ,))"],
        [GOLD.replace("left", "went"), "(S (PRP i))", "(S (NN a) (NN ,))"],
        "disfluency",
    )
    assert report.problem_counts() == {"words": 1, "length": 2}
    assert "'left'" in report.problems[0].message and "sparseval" in report.problems[0].message
    assert "delete-by:gold" in report.problems[2].message
    assert report.scores[0].counts.total()["errors"] == 3
    assert treescore.evaluate("(S (NN a) (, ,))", "(S (NN a) (NN ,))", "disfluency|delete-by:gold").problems == []


def test_cut_and_equal_labels() -> None:
    gold, test = GOLD.replace("EDITED", "EDITED-UNF"), GOLD
    assert treescore.evaluate(gold, test, "disfluency").scores[0].value == 0.0
    assert treescore.evaluate(gold, test, "disfluency|cut:-").scores[0].value == 1.0
    assert treescore.evaluate(gold, test, "disfluency|equal:EDITED=EDITED-UNF").scores[0].value == 1.0


def test_labels_are_no_option() -> None:
    for signature in ("disfluency|labels:no", "disfluency|compat:other", "disfluency|limit:1", "disfluency|axis:x"):
        with pytest.raises(treescore.SignatureError):
            treescore.metric(signature)
    with pytest.raises(treescore.SignatureError):
        Disfluency(edits="EDITED")


def test_deep_and_long_trees() -> None:
    deep = "(EDITED " * 100_000 + "(NN a)" + ")" * 100_000
    long = "(S " + " ".join(["(EDITED (NN a)) (NN b)"] * 100_000) + ")"
    with hang_guard():
        row = Disfluency().counts(Pair(treescore.read(deep), treescore.read(deep))).row(0)
        assert (row["matched"], row["node_gold"], row["all_test"]) == (1, 1, 1)
        row = Disfluency().counts(Pair(treescore.read(long), treescore.read(long))).row(0)
        assert (row["matched"], row["node_gold"], row["exact"]) == (100_000, 100_000, 1)
