"""Alignment of trees against the model, and what holds for any two files."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from gapped_trees import SAME_EXTENTS
from hypothesis import given, strategies as st
from oracle.aligned_inputs import TAGS, random_document
from oracle.aligned_parseval import PLAIN, Parameters, cut
from oracle.tree_alignment import align
from strategies import LABELS, Phrase, make_tree, make_words, write

import treescore
from treescore.analysis.phrase_matching import MODES, LabelTable, PhraseMatching
from treescore.readers.prm import Parameters as PrmFile
from treescore.render import render

#: Words and phrases that are left out.
DELETED = ("", "TOP", "S1", TAGS[0], TAGS[1], "NP")
CHOICES: tuple[tuple[Parameters, dict[str, Any]], ...] = (
    (PLAIN, {}),
    (Parameters(delete=frozenset(DELETED)), {"delete": DELETED, "delete_words": True}),
)

Found = Counter[tuple[tuple[int, str, int, int], tuple[int, str, int, int]]]


def pairs_of(result: PhraseMatching) -> Found:
    return Counter(
        (
            (pair.left_sentence, pair.left.label, pair.left.start, pair.left.end),
            (pair.right_sentence, pair.right.label, pair.right.start, pair.right.end),
        )
        for pair in result.pairs()
    )


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 4_000), marks=pytest.mark.long)])
def test_model(seeds: range) -> None:
    for seed in seeds:
        document = random_document(seed)
        mode = MODES[seed % 2]
        for parameters, options in CHOICES:
            matching = treescore.align_trees(document.gold, document.test, mode, **options)
            model = align(document.gold, document.test, mode, parameters)
            expected = Counter(((i, *left), (j, *right)) for (i, left), (j, right) in model.pairs)
            assert pairs_of(matching) == expected, f"seed {seed}"
            counts = matching.counts
            assert (counts["words_left"], counts["words_right"]) == model.words
            assert counts["aligned_words"] == model.aligned_words
            assert (counts["phrases_left"], counts["phrases_right"]) == model.phrases
            assert counts["pairs"] == len(model.pairs)
            labels = Counter((cut(left.label), cut(right.label)) for (_, left), (_, right) in model.pairs)
            table = matching.table()
            assert table.counts == labels
            assert sum(row[0] for row in table.left.values()) == model.phrases[0]
            assert sum(row[1] for row in table.right.values()) == counts["aligned_phrases_right"]


def two_annotations(seed: int) -> tuple[str, str]:
    """Sentences of the same words under other trees."""
    rng = Random(f"two annotations {seed}")
    texts = [make_words(rng, 9) for _ in range(3)]
    left, right = ([Phrase(rng.choice(LABELS), (make_tree(rng, words),)) for words in texts if words] for _ in range(2))
    return "\n".join(map(write, left)), "\n".join(map(write, right))


@given(st.integers(0, 2**32), st.sampled_from(MODES))
def test_both_sides_are_treated_alike(seed: int, mode: str) -> None:
    left, right = two_annotations(seed)
    there, back = treescore.align_trees(left, right, mode), treescore.align_trees(right, left, mode)
    assert pairs_of(there) == Counter({(a, b): count for (b, a), count in pairs_of(back).items()})
    assert there.table().counts == {(a, b): count for (b, a), count in back.table().counts.items()}


@given(st.integers(0, 2**32), st.sampled_from(MODES))
def test_a_file_against_itself_has_no_phrase_alone(seed: int, mode: str) -> None:
    left, _ = two_annotations(seed)
    matching = treescore.align_trees(left, left, mode)
    counts = matching.counts
    assert counts["aligned_phrases_left"] == counts["aligned_phrases_right"] == counts["phrases_left"]
    assert counts["aligned_words"] == counts["words_left"]
    pairs = pairs_of(matching)
    assert all((left, left) in pairs for left, _ in pairs)


@pytest.mark.parametrize("seed", range(30))
def test_strict_pairs_are_loose_pairs_and_no_others_over_equal_words(seed: int) -> None:
    document = random_document(seed)
    strict, loose = (treescore.align_trees(document.gold, document.test, mode) for mode in MODES)
    assert pairs_of(strict) <= pairs_of(loose)
    assert strict.counts["aligned_words"] == loose.counts["aligned_words"]
    same = [treescore.align_trees(document.gold, document.gold, mode) for mode in MODES]
    assert pairs_of(same[0]) == pairs_of(same[1])


@pytest.mark.parametrize("seed", range(30))
def test_the_order_of_pairs_and_threads(seed: int) -> None:
    document = random_document(seed)
    matching = treescore.align_trees(document.gold, document.test, "loose")
    places = [(pair.left_sentence, pair.left.start) for pair in matching.pairs()]
    assert [sentence for sentence, _ in places] == sorted(sentence for sentence, _ in places)
    again = treescore.align_trees(document.gold, document.test, "loose", threads=3)
    assert list(matching.pairs()) == list(again.pairs())


# Odd input -----------------------------------------------------------------------------------------------------------


def test_long_chains() -> None:
    """Ten thousand million pairs take no room until somebody asks for them one by one."""
    deep = "(S " * 100_000 + "(X x)" + ")" * 100_000
    matching = treescore.align_trees(deep, deep)
    assert matching.counts["pairs"] == 10**10
    assert matching.table().counts == {("S", "S"): 10**10}
    assert next(matching.pairs()).left.label == "S"


def test_too_many_pairs_of_labels() -> None:
    many = "".join(f"(A{number} " for number in range(5_000)) + "(X x)" + ")" * 5_000
    with pytest.raises(treescore.InputError, match="too many different pairs of labels"):
        treescore.align_trees(many, many).table()


def test_nothing_to_align() -> None:
    matching = treescore.align_trees("(()) (S (A (X a)))", "(())")
    assert matching.counts["pairs"] == 0
    assert matching.table().pairs() == []
    assert render(matching, "table")
    with pytest.raises(treescore.UsageError, match="must be one of strict, loose"):
        treescore.align_trees("(S a)", "(S a)", "lax")
    with pytest.raises(treescore.UsageError, match="must be one of table"):
        render(matching, "xml")


# Proposals -----------------------------------------------------------------------------------------------------------


def table_of(**counts: int) -> LabelTable:
    """A table from A_B=3."""
    pairs = {(name.split("_")[0], name.split("_")[1]): count for name, count in counts.items()}
    left, right = ({pair[side]: (9, 9) for pair in pairs} for side in (0, 1))
    return LabelTable(pairs, left, right)


@pytest.mark.parametrize(
    ("counts", "options", "expected"),
    [
        ({"A_B": 10}, {}, ["A_B"]),
        ({"A_B": 9}, {}, []),
        ({"A_B": 9}, {"least": 9}, ["A_B"]),
        ({"A_A": 50}, {}, []),  # need not be said
        ({"A_B": 20, "A_C": 21}, {}, ["A_C"]),
        ({"A_B": 20, "A_C": 20}, {"share": 0}, []),  # nobody knows which
        ({"A_B": 20, "A_C": 20}, {"finer": True}, ["A_B", "A_C"]),
        ({"A_B": 20, "A_C": 21}, {"share": 0.6}, []),
        ({"A_B": 20, "A_C": 21}, {"share": 0.6, "finer": True}, ["A_C", "A_B"]),
        ({"A_B": 30, "C_B": 40, "C_D": 50}, {"share": 0}, ["C_D"]),  # A wants B, but B does not want A
        ({"A_A": 30, "A_B": 20, "C_B": 40}, {}, ["C_B"]),
    ],
)
def test_proposals(counts: dict[str, int], options: dict[str, Any], expected: list[str]) -> None:
    actual = table_of(**counts).proposed(**options)
    assert [f"{pair.left}_{pair.right}" for pair in actual] == expected


def test_labels_that_no_parameter_file_can_hold() -> None:
    """They are told of in a comment; what is written comes back."""
    left = f"(S (NP (X a) (X b)) ({'L' * 300} (X c) (X d)))"
    right = f"(Q (木 (X a) (X b)) ({'R' * 300} (X c) (X d)))"
    text = render(treescore.align_trees(left, right), "prm", least=1)
    parameters = PrmFile()
    assert parameters.add(text.encode()) == []
    assert parameters.equal == [("NP", "木"), ("S", "Q")]
    assert "EVALB could not read it" in text.replace("\n# ", " ")


def test_discontinuous_trees_are_left_out() -> None:
    """Two phrases from a to c, one of which has a gap, do not stand over the same words."""
    gap, none = (f"{text}\n" for text in SAME_EXTENTS)
    plain = "(S (X (A 0=e) (B 1=f)))\n"
    for left, right in ((gap, none), (none, gap), (gap, gap)):
        matching = treescore.align_trees(left + plain, right + plain)
        assert {pair.left_sentence for pair in matching.pairs()} == {1}
        assert matching.counts["aligned_words"] == 6
        assert matching.counts["phrases_left"] == matching.counts["phrases_right"] == 2
        assert matching.counts["discontinuous_blocks"] == 1
        assert [(problem.code, problem.unit) for problem in matching.problems] == [("discontinuous", 1)]
