"""The model of the time axis: worked out by hand, and what must hold of it on random input."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from oracle.seconds import (
    Group,
    Interval,
    Options,
    Placed,
    Time,
    Tree,
    equal_texts,
    exact,
    fill,
    groups,
    key,
    known,
    leaves_of,
    placed,
    score,
    shared,
    side_of,
    silent,
    sound,
    weight,
)
from oracle.seconds_inputs import (
    Case,
    bank,
    make_case,
    make_pair,
    sound_utterance,
    texts,
    timed_bank,
    utterances,
)
from oracle.speech_pairing import Counts, Unit, corpus_score, counts, extent, units
from oracle.struct_iou import Node, Rules, best_by_ilp, score as score_of_best, tree_of, weights_of, worth

import treescore
from treescore.place.seconds import place_seconds
from treescore.words.utterance import Utterances


def random_cases(few: int, many: int) -> pytest.MarkDecorator:
    """So many, and in long runs so many."""
    return pytest.mark.parametrize("number", [few, pytest.param(many, marks=pytest.mark.long)])


def at(*times: tuple[float, float] | None) -> list[Time]:
    """Times as fractions."""
    return [None if time is None else (exact(time[0]), exact(time[1])) for time in times]


def when(*times: tuple[float, float]) -> list[Interval]:
    """Times as fractions; all are known."""
    return [(exact(start), exact(end)) for start, end in times]


def over(tree: Tree, *times: tuple[float, float]) -> tuple[Tree, list[Interval]]:
    """A tree and the times of its leaves."""
    return tree, when(*times)


def shapes(nodes: Sequence[Node]) -> list[tuple[str, float, float]]:
    """Labels and intervals."""
    return [(node.label, float(node.start), float(node.end)) for node in nodes]


# ---------------------------------------------------------------------------------------------------------------------
# Words


def test_times_that_cannot_be() -> None:
    nan, inf = float("nan"), float("inf")
    given = [(nan, 1.0), (0.0, inf), (-0.1, 0.2), (0.5, 0.4), (0.5, 0.5), None, (0.5, 0.6)]
    assert sound(given) == (at(None, None, None, None, None, None, (0.5, 0.6)), ["time"] * 5)


def test_times_out_of_order() -> None:
    # The second starts with the first; the third is before it; the fourth is compared with the first again.
    assert sound([(1, 2), (1, 3), (0.5, 0.9), (2, 3)]) == (at((1, 2), None, None, (2, 3)), ["order", "order"])


def test_overlaps() -> None:
    # The first word is cut at 1.5 though it would end behind the second; a rounding error is cut without a word.
    assert sound([(1, 4), (1.5, 2), (1.9999995, 3)]) == (at((1, 1.5), (1.5, 1.9999995), (1.9999995, 3)), ["overlap"])
    assert sound([(0, 1.000001), (1, 2)]) == (at((0, 1), (1, 2)), [])  # exactly at the limit
    assert sound([(0, 1.000002), (1, 2)])[1] == ["overlap"]


@pytest.mark.parametrize(
    ("tag", "word", "expected"),
    [
        ("NN", "cat", False),
        (",", ",", True),
        (".", "right", True),  # by its tag, whatever the word
        ("-NONE-", "*T*-1", True),
        ("-DFL-", "E_S", True),
        ("NN", "*T*-1", False),  # it has a letter
        ("NN", "--", True),  # by its text, whatever the tag
        ("NN", "…", True),
        (None, "``", True),
        (None, "-LRB-", True),
        (None, "`", True),  # as a quotation mark, though Unicode has it among the symbols
        ("NN", "%", False),
        ("CC", "&", False),
        ("$", "$", False),
        ("SYM", "+", False),
        ("SYM", "*", True),
        ("SYM", "/", True),
        ("CD", "5", False),
        ("XX", "\u0301", False),  # an accent alone
        (",-X", ",", True),
        (",-X", "a", False),  # tags are taken as they are
    ],
)
def test_who_is_silent(tag: str | None, word: str, expected: bool) -> None:
    assert silent(tag, word) == expected


def test_keys_and_weights() -> None:
    assert [key(word) for word in ("Don't", "n’t", "uh-huh", "cafe\u0301", "50%", "%", "R&D", "1\\/2", "Straße")] == [
        *("dont", "nt", "uhhuh", "café", "50", "%", "rd", "12", "strasse")
    ]
    # Characters of the normal text: the apostrophe counts, a backslash does not, an accent is part of its letter.
    assert [weight(word) for word in ("Don't", "n't", "uh-huh", "cafe\u0301", "50%", "1\\/2", "Straße")] == [
        *(5, 3, 6, 4, 3, 3, 7)
    ]


def test_untimed_words_fill_a_gap() -> None:
    # 2 s for weights 1 and 3: half a second and one and a half.
    assert fill([1, 1, 3, 1], at((0, 1), None, None, (3, 4))) == at((0, 1), (1, 1.5), (1.5, 3), (3, 4))


def test_untimed_words_share_where_there_is_no_gap() -> None:
    # The second word takes part in the time of the first: 3 s for weights 2 and 1.
    assert fill([2, 1, 5], at((0, 3), None, (3, 4))) == at((0, 2), (2, 3), (3, 4))


def test_untimed_words_at_the_edges() -> None:
    times = at(None, (2, 4), None)
    # Begin and end are known: the first word has what is before, the last one what is behind.
    assert fill([1, 1, 2], times, exact(1), exact(5)) == at((1, 2), (2, 4), (4, 5))
    # They are not: all three share 2 s, for weights 1, 1 and 2.
    assert fill([1, 1, 2], times) == at((2, 2.5), (2.5, 3), (3, 4))
    # No gap at the begin: the first two share.
    assert fill([1, 1, 2], times, exact(2), exact(5)) == at((2, 3), (3, 4), (4, 5))


def test_no_word_is_timed() -> None:
    assert fill([1, 3], [None, None], exact(1), exact(2)) == at((1, 1.25), (1.25, 2))
    assert fill([1, 3], [None, None], exact(2), exact(2)) == [None, None]
    assert fill([1, 3], [None, None], exact(1)) == [None, None]
    assert fill([], [], exact(1), exact(2)) == []


# ---------------------------------------------------------------------------------------------------------------------
# Groups


def test_groups_of_equal_text() -> None:
    # i do n't know / i don't know: the middle is one group.
    assert groups(["i", "do", "nt", "know"], ["i", "dont", "know"]) == [
        Group(range(0, 1), range(0, 1), True),
        Group(range(1, 3), range(1, 2), True),
        Group(range(3, 4), range(2, 3), True),
    ]


def test_equal_texts_throughout() -> None:
    # aab is aab: a with a, a b with ab.
    assert groups(["a", "a", "b"], ["a", "ab"]) == [
        Group(range(0, 1), range(0, 1), True),
        Group(range(1, 3), range(1, 2), True),
    ]
    # ab a b / a b ab: the alignment would pair a with a and b with b, and leave ab alone on both sides.
    assert groups(["ab", "a", "b"], ["a", "b", "ab"]) == [
        Group(range(0, 1), range(0, 2), True),
        Group(range(1, 3), range(2, 3), True),
    ]


def test_rests_are_paired_by_place() -> None:
    # a b c / a x c: one for one.
    assert groups(["a", "b", "c"], ["a", "x", "c"])[1] == Group(range(1, 2), range(1, 2), False)
    # a 1990 c / a nineteen ninety c: one group of different text.
    assert groups(["a", "1990", "c"], ["a", "nineteen", "ninety", "c"])[1] == Group(range(1, 2), range(1, 3), False)
    # Nothing on one side.
    assert groups(["a", "b"], ["a"])[1] == Group(range(1, 2), range(1, 1), True)
    assert groups(["a"], ["a", "b"])[1] == Group(range(1, 1), range(1, 2), True)
    assert groups([], []) == []


def test_most_characters_in_groups() -> None:
    # ab c / a bc: all in one group of 3 characters.
    assert equal_texts(["ab", "c"], ["a", "bc"]) == [(range(0, 2), range(0, 2))]
    # aa a / a aa: the one pair of a (1) or of aa (2), or all (3).
    assert equal_texts(["aa", "a"], ["a", "aa"]) == [(range(0, 2), range(0, 2))]
    # x yz / y z x: yz has more characters than x.
    assert equal_texts(["x", "yz"], ["y", "z", "x"]) == [(range(1, 2), range(0, 2))]
    # Equally many: from the left, a leaf is left out before a word is. x y / y x: x goes, y is paired.
    assert equal_texts(["x", "y"], ["y", "x"]) == [(range(1, 2), range(0, 1))]
    # The shortest group first, where a longer one is worth as much: x y / x y is two groups.
    assert equal_texts(["x", "y"], ["x", "y"]) == [(range(0, 1), range(0, 1)), (range(1, 2), range(1, 2))]


def test_equal_words_that_the_alignment_left_apart() -> None:
    # Pairing a with a would cost 3 deletions and 3 insertions, 18; four substitutions cost 16. The group finds it, and
    # what is before it in the tree has no words.
    assert groups(["p", "q", "r", "a"], ["a", "s", "t", "u"]) == [
        Group(range(0, 3), range(0, 0), True),
        Group(range(3, 4), range(0, 1), True),
        Group(range(4, 4), range(1, 4), True),
    ]


def test_runs_that_are_too_large_have_no_groups() -> None:
    leaves, words = ["ab", "c", "x", "y"], ["a", "bc", "x", "z"]
    assert groups(leaves, words, most=3)[:2] == [
        Group(range(0, 1), range(0, 1), False),
        Group(range(1, 2), range(1, 2), False),
    ]
    assert groups(leaves, words, most=4)[0] == Group(range(0, 2), range(0, 2), True)


def test_leaves_share_the_time_of_a_word() -> None:
    # do n't over half a second: 2 and 3 characters.
    assert shared([2, 3], when((1, 1.5))) == when((1, 1.2), (1.2, 1.5))


def test_one_leaf_over_several_words() -> None:
    assert shared([4], when((0, 1), (2, 3))) == when((0, 3))  # with the pause between them


def test_a_pause_on_the_border_between_leaves() -> None:
    # 1 s and 3 s for 1 and 3 characters: the first leaf ends before the pause, the second starts behind it.
    assert shared([1, 3], when((0, 1), (2, 5))) == when((0, 1), (2, 5))


def test_a_pause_within_a_leaf() -> None:
    # 4 s in halves: the first leaf has 1 s, the pause, and 1 s more.
    assert shared([1, 1], when((0, 1), (2, 5))) == when((0, 3), (3, 5))


# ---------------------------------------------------------------------------------------------------------------------
# Trees

WE_DO_NOT: Tree = ("S", (("NP", (("PRP", "We"),)), ("VP", (("VBP", "do"), ("RB", "n't"), ("VB", "know"))), (".", ".")))


def test_a_sentence() -> None:
    placed_trees = placed([WE_DO_NOT], ["we", "don't", "know"], at((0.1, 0.3), (0.3, 0.8), (1, 1.4)))
    assert placed_trees == Placed([when((0.1, 0.3), (0.3, 0.5), (0.5, 0.8), (1, 1.4), (1.4, 1.4))], [{}])


def test_silent_leaves() -> None:
    tree = ("S", (("``", "``"), ("NN", "a"), (",", ","), ("-NONE-", "*"), ("NN", "b"), "--"))
    assert placed([tree], ["a", "b"], at((1, 2), (3, 4))).times == [
        when((1, 1), (1, 2), (2, 2), (2, 2), (3, 4), (4, 4))
    ]


def test_silent_words_are_left_out_with_their_times() -> None:
    # The dash has no leaf, and its time is free for b, which has none.
    placed_trees = placed([("S", ("a", "b", "c"))], ["a", "--", "b", "c"], at((0, 1), (1, 2), None, (2, 3)))
    assert placed_trees == Placed([when((0, 1), (1, 2), (2, 3))], [{"untimed": [1]}])


def test_other_and_extra_words() -> None:
    tree = ("S", ("the", "cat", "sat", "down"))
    placed_trees = placed([tree], ["the", "bat", "sat", "uh", "oh"], at((0, 1), (1, 2), (2, 3), (3, 4), (4, 5)))
    # bat for cat; uh oh for down: one leaf, two words, with all their time.
    assert placed_trees == Placed([when((0, 1), (1, 2), (2, 3), (3, 5))], [{"other-word": [1, 3]}])
    placed_trees = placed([tree], ["uh", "the", "cat", "sat", "down"], at((0, 1), (1, 2), (2, 3), (3, 4), (4, 5)))
    assert placed_trees == Placed([when((1, 2), (2, 3), (3, 4), (4, 5))], [{}], [0])


def test_leaves_without_words() -> None:
    # b was not heard: it has the pause between a and c. With no pause, it shares with a, in proportion 1 to 1.
    tree = ("S", ("a", "b", "c"))
    assert placed([tree], ["a", "c"], at((0, 2), (3, 4))).times == [when((0, 2), (2, 3), (3, 4))]
    assert placed([tree], ["a", "c"], at((0, 2), (2, 4))).times == [when((0, 1), (1, 2), (2, 4))]
    # a was not: begin and end belong to the utterance, not to the tree.
    placed_trees = placed([tree], ["b", "c"], at((2, 4), (4, 5)), 0, 9)
    assert placed_trees == Placed([when((2, 3), (3, 4), (4, 5))], [{"untimed": [0]}])


def test_trees_of_a_document() -> None:
    # gonna was cut in two sentences; the third has no words, the fourth is only a full stop.
    trees: list[Tree] = [
        ("S", (("NN", "a"), ("VB", "gon"))),
        ("S", (("TO", "na"), ("NN", "b"))),
        ("S", (("NN", "x"),)),
        ("S", ((".", "."),)),
        ("", ()),
    ]
    placed_trees = placed(trees, ["a", "gonna", "b"], at((0, 1), (1, 2), (2, 3)))
    assert placed_trees.times == [when((0, 1), (1, 1.6)), when((1.6, 2), (2, 3)), None, when((3, 3)), []]
    assert placed_trees.kinds() == [set(), set(), {"no-times"}, set(), set()]


def test_only_silent_trees() -> None:
    trees: list[Tree] = [("S", ((".", "."),)), ("S", (("NN", "a"),))]
    assert placed(trees, ["a"], at((1, 2))).times == [when((1, 1)), when((1, 2))]
    assert placed(trees[:1], [], [], 0.5).times == [when((0.5, 0.5))]
    assert placed(trees[:1], [], []) == Placed([None], [{"no-times": []}])


def test_a_word_without_a_time_within_an_utterance() -> None:
    placed_trees = placed([WE_DO_NOT], ["we", "don't", "know"], at(None, None, None), 0, 11)
    # 11 characters in 11 s
    assert placed_trees.times == [when((0, 2), (2, 4), (4, 7), (7, 11), (11, 11))]
    assert placed_trees.problems == [{"untimed": [0, 1, 2, 3]}]
    assert placed([WE_DO_NOT], ["we", "don't", "know"], at(None, None, None), 0).kinds() == [{"no-times"}]


# ---------------------------------------------------------------------------------------------------------------------
# The score

KEEP, CLOSE = Options(silent="keep"), Options(gaps="close")


def test_a_score_by_hand() -> None:
    # NP 0.15-0.80 against 0.15-0.75: IoU 0.60/0.65; DT 0.24/0.25; NN 0.35/0.41. Twice the sum over 6 nodes.
    gold = over(("NP", (("DT", "the"), ("NN", "cat"))), (0.15, 0.39), (0.39, 0.8))
    test = over(("NP", (("DT", "the"), ("NN", "cat"))), (0.15, 0.4), (0.4, 0.75))
    expected = (Fraction(60, 65) + Fraction(24, 25) + Fraction(35, 41)) / 3
    assert score([gold], [test]) == expected
    assert treescore.struct_iou(
        ["NP", [["DT", 0.15, 0.39], ["NN", 0.39, 0.8]]], ["NP", [["DT", 0.15, 0.4], ["NN", 0.4, 0.75]]]
    ).score == pytest.approx(float(expected), abs=1e-12)


def test_silent_leaves_in_the_score() -> None:
    gold = over(("S", (("NN", "a"), ("X", (("-NONE-", "*"),)), (".", "."))), (0, 1), (1, 1), (1, 1))
    test = over(("S", (("NN", "a"),)), (0, 1))
    assert score([gold], [test]) == 1
    # Gold has five nodes, of which S and NN are matched.
    assert score([gold], [test], KEEP) == Fraction(2 * 2, 5 + 2)
    assert score([gold], [gold], KEEP) == Fraction(2 * 2, 5 + 5)  # not 1


def test_silent_leaves_do_not_widen_a_phrase() -> None:
    # The trace before cat stands at 1, where the has ended; NP is from 2 to 3 nevertheless.
    tree = ("S", (("DT", "the"), ("NP", (("-NONE-", "*"), ("NN", "cat")))))
    nodes = side_of([over(tree, (0, 1), (1, 1), (2, 3))], KEEP).nodes
    assert shapes(nodes) == [
        ("S", 0, 3),
        ("DT", 0, 1),
        ("NP", 2, 3),
        ("NN", 2, 3),
    ]


def test_words_without_tags_in_the_score() -> None:
    # VP starts with its word without a tag, NP is a leaf over its two words, and a comma without a tag is nothing.
    tree = ("S", (("VP", ("do", ("RB", "not"))), ("NP", ("a", ",", "b")), ("X", (",",)), "!"))
    times = ((0, 1), (1, 2), (3, 4), (4, 4), (4, 5), (5, 5), (5, 5))
    for options, size in ((Options(), 4), (KEEP, 5)):  # the phrase X over a comma is one
        side = side_of([over(tree, *times)], options)
        assert shapes(side.nodes) == [("S", 0, 5), ("VP", 0, 2), ("RB", 1, 2), ("NP", 3, 5)]
        assert [node.is_leaf for node in side.nodes] == [False, False, True, True]
        assert side.size == size


def test_a_phrase_over_words_without_tags_and_a_comma() -> None:
    tree = ("S", (("NP", ("a", (",", ","))), ("NN", "b")))
    for options, size in ((Options(), 3), (KEEP, 4)):
        side = side_of([over(tree, (0, 1), (1, 1), (1, 2))], options)
        assert [node.is_leaf for node in side.nodes] == [False, True, True]
        assert side.size == size


def test_closed_gaps() -> None:
    tree = ("S", (("NN", "a"), (",", ","), ("NP", (("NN", "b"), ("NN", "c")))))
    side = side_of([over(tree, (0, 1), (1, 1), (3, 4), (5, 6))], CLOSE)
    # a and b meet at 2, b and c at 4.5; the sentence is from 0 to 6 as before.
    assert shapes(side.nodes) == [*(("S", 0, 6), ("NN", 0, 2), ("NP", 2, 6), ("NN", 2, 4.5), ("NN", 4.5, 6))]
    # Not between sentences: the first ends at 1 as before.
    both = side_of([over(("S", (("NN", "a"),)), (0, 1)), over(("S", (("NN", "b"),)), (2, 3))], CLOSE)
    assert shapes(both.nodes) == [("S", 0, 1.5), ("NN", 0, 1.5), ("S", 1.5, 3), ("NN", 1.5, 3)]


def test_nothing_to_compare() -> None:
    full_stop = over(("S", ((".", "."),)), (0, 0))
    assert score([full_stop], [full_stop]) is None
    assert score([full_stop], [full_stop], KEEP) == 0
    assert score([], []) is None


# ---------------------------------------------------------------------------------------------------------------------
# Which sentences belong together


def test_units() -> None:
    gold = at((0, 4), (5, 9), (10, 12), (20, 21))
    # The first test sentence reaches into the second of gold, but more of it is in the first: it has 3 s of 0-4 and
    # 1 s of 5-9. The second is the rest of the second. The third and the fourth are the two halves of gold's third. The
    # fifth is where nobody speaks, and gold's last has no partner.
    test = at((1, 6), (6, 9), (10, 11), (11, 12), (15, 16))
    assert units(gold, test) == [
        *(Unit((0,), (0,)), Unit((1,), (1,)), Unit((2,), (2, 3)), Unit((), (4,)), Unit((3,), ()))
    ]


def test_units_of_ties_and_chains() -> None:
    # Test's only sentence has 1 s of both of gold's; each of these has no other: all are one unit.
    assert units(at((0, 1), (1, 2)), at((0, 2))) == [Unit((0, 1), (0,))]
    # Both test sentences have a second of both gold sentences: both choose the earlier one, and so does gold.
    assert units(at((0, 2), (2, 4)), at((1, 3), (1, 3))) == [Unit((0, 1), (0, 1))]
    assert units(at((0, 2)), at((0, 1), (1, 2))) == [Unit((0,), (0, 1))]


def test_units_without_times() -> None:
    assert units(at((0, 1), None, (2, 3)), at(None, (2, 3), (1, 1.5), (9, 10))) == [
        *(Unit((0,), ()), Unit((1,), ()), Unit((), (2,)), Unit((2,), (1,)), Unit((), (3,)), Unit((), (0,)))
    ]
    assert units([], []) == []


def test_sentences_that_touch_have_nothing_in_common() -> None:
    assert units(at((0, 1)), at((1, 2))) == [Unit((0,), ()), Unit((), (0,))]


def test_the_extent_of_a_sentence() -> None:
    assert extent(when((0, 0), (1, 2), (2, 2), (3, 4), (4, 4))) == (exact(1), exact(4))
    assert extent(when((1, 1))) is None
    assert extent([]) is extent(None) is None


def test_the_score_of_a_corpus() -> None:
    first: Tree = ("S", (("NN", "a"), ("NN", "b")))
    gold = [over(first, (0, 1), (1, 2)), over(first, (5, 6), (6, 7))]
    test = [over(("S", (("NN", "a"),)), (0, 1)), over(("S", (("NN", "b"),)), (1, 2)), over(first, (10, 11), (11, 12))]
    result = units([extent(times) for _, times in gold], [extent(times) for _, times in test])
    assert result == [Unit((0,), (0, 1)), Unit((1,), ()), Unit((), (2,))]
    # The two words are the same. To align S of gold with an S of test, for half a point, would lose the word that is
    # not below both. Then there are three nodes without partners on either side.
    rows = [counts(gold, test, unit) for unit in result]
    assert rows == [Counts(Fraction(2), 3, 4), Counts(Fraction(0), 3, 0), Counts(Fraction(0), 0, 3)]
    assert corpus_score(rows) == Fraction(4, 13)


def test_sentences_over_each_other_cannot_be_glued() -> None:
    first: Tree = ("S", (("NN", "a"),))
    with pytest.raises(ValueError, match="one after the other"):
        side_of([over(first, (0, 2)), over(first, (1, 3))], Options())


# ---------------------------------------------------------------------------------------------------------------------
# What must hold of the model


def cases(seed: int, number: int) -> list[Case]:
    """Random cases."""
    rng = Random(seed)
    return [make_case(rng) for _ in range(number)]


def test_sound_times_are_one_after_the_other() -> None:
    for case in cases(1, 1000):
        times, problems = sound(case.times)
        kept = [time for time in times if time is not None]
        assert all(start < end for start, end in kept), case
        assert all(first[1] <= other[0] for first, other in pairwise(kept)), case
        given = sum(time is not None for time in case.times)
        assert problems.count("time") + problems.count("order") == given - len(kept), case
        again = [None if time is None else (time[0], time[1]) for time in times]
        assert sound(again) == (times, []), case


@random_cases(300, 1500)
def test_leaves_are_one_after_the_other(number: int) -> None:
    seen: set[str] = set()
    for case in cases(2, number):
        placed_trees = case.placed()
        for tree, times, problems in zip(case.trees, placed_trees.times, placed_trees.problems, strict=True):
            seen |= set(problems)
            leaves = leaves_of(tree)
            assert (times is None) == ("no-times" in problems), case
            if times is None:
                assert leaves
                continue
            assert len(times) == len(leaves)
            assert all(first[1] <= other[0] for first, other in pairwise(times)), case
            for leaf, (start, end) in zip(leaves, times, strict=True):
                assert (start == end) == silent(*leaf), case
        together = [time for times in placed_trees.times for time in times or ()]
        assert all(first[1] <= other[0] for first, other in pairwise(together)), case
        seen |= {"extra-word"} if placed_trees.extra else set()
    assert seen == {"untimed", "other-word", "no-times", "extra-word"}


def test_equal_words_have_their_own_times() -> None:
    rng = Random(3)
    for _ in range(300):
        words = [rng.choice(("a", "b", "c")) for _ in range(rng.randint(1, 6))]
        times = when(*((2 * place, 2 * place + rng.choice((1, 2))) for place in range(len(words))))
        placed_trees = placed([("S", tuple(("NN", word) for word in words))], words, times)
        assert placed_trees == Placed([times], [{}])


def test_grouping_covers_everything_in_order() -> None:
    rng = Random(4)
    for _ in range(1500):
        leaves, words = (
            [rng.choice(("a", "b", "ab", "aa", "ba", "c")) for _ in range(rng.randint(0, 6))] for _ in "12"
        )
        result = groups(leaves, words)
        assert [place for group in result for place in group.leaves] == list(range(len(leaves)))
        assert [place for group in result for place in group.words] == list(range(len(words)))
        for group in result:
            own_leaves, own_words = [leaves[place] for place in group.leaves], [words[place] for place in group.words]
            if own_leaves and own_words and group.is_same:
                assert "".join(own_leaves) == "".join(own_words)
            elif own_leaves and own_words:
                assert len(own_leaves) != len(own_words) or len(own_leaves) == 1


def most_characters(leaves: Sequence[str], words: Sequence[str]) -> int:
    """What `equal_texts` must reach, by trying everything."""
    if not leaves or not words:
        return 0
    best = max(most_characters(leaves[1:], words), most_characters(leaves, words[1:]))
    for leaf in range(1, len(leaves) + 1):
        for word in range(1, len(words) + 1):
            together = "".join(leaves[:leaf])
            if together == "".join(words[:word]):
                best = max(best, len(together) + most_characters(leaves[leaf:], words[word:]))
    return best


def test_groups_have_the_most_characters() -> None:
    rng = Random(5)
    for _ in range(400):
        leaves, words = ([rng.choice(("a", "b", "ab", "aa", "ba")) for _ in range(rng.randint(0, 4))] for _ in "12")
        result = equal_texts(leaves, words)
        assert sum(len("".join(leaves[place] for place in own)) for own, _ in result) == most_characters(leaves, words)


def scored_pairs(seed: int, number: int) -> list[tuple[list[tuple[Tree, list[Interval]]], ...]]:
    """Both sides of random pairs, the trees that have times."""
    rng = Random(seed)
    return [
        tuple(
            [(tree, times) for tree, times in zip(side.trees, side.placed().times, strict=True) if times is not None]
            for side in make_pair(rng)
        )
        for _ in range(number)
    ]


@random_cases(40, 150)
def test_the_score_is_that_of_the_integer_programme(number: int) -> None:
    for gold, test in scored_pairs(6, number):
        sides = [side_of(trees, Options()) for trees in (gold, test)]
        if not sides[0].size + sides[1].size:
            continue
        weights = weights_of(sides[0].nodes, sides[1].nodes, Rules())
        best = worth(weights, best_by_ilp(sides[0].nodes, sides[1].nodes, weights))
        result = score(gold, test)
        assert result is not None
        assert float(result) == pytest.approx(float(score_of_best(sides[0].nodes, sides[1].nodes, best)), abs=1e-9)


@random_cases(50, 200)
def test_options_on_random_pairs(number: int) -> None:
    for gold, test in scored_pairs(7, number):
        dropped, kept = score(gold, test), score(gold, test, KEEP)
        assert dropped is None or (kept is not None and 0 <= kept <= dropped <= 1)
        if gold and score(gold, gold) is not None:
            assert score(gold, gold) == score(gold, gold, CLOSE) == 1
        assert score(gold, test) == score(test, gold)
        rows = [
            counts(gold, test, unit) for unit in units(*([extent(times) for _, times in side] for side in (gold, test)))
        ]
        assert sum(row.gold for row in rows) == side_of(gold, Options()).size
        assert sum(row.test for row in rows) == side_of(test, Options()).size


def test_simple_trees_are_those_of_the_other_model() -> None:
    """Without silent leaves and bare words, the nodes are those of `tree_of`."""
    tree: Tree = ("S", (("NP", (("DT", "a"), ("NN", "b"))), ("VB", "c")))
    nested = ["S", [["NP", [["DT", 0, 1], ["NN", 1, 2]]], ["VB", 3, 4]]]
    assert side_of([over(tree, (0, 1), (1, 2), (3, 4))], Options()).nodes == tree_of(nested)


# ---------------------------------------------------------------------------------------------------------------------
# Random cases as treescore takes them


def test_cases_can_be_read() -> None:
    for case in cases(8, 500):
        read = bank(case)
        assert len(read) == len(case.trees)
        assert not read.problems, texts(case)
        for number, tree in enumerate(case.trees):
            assert [(tag, word) for word, tag in read[number].pos()] == leaves_of(tree), texts(case)
    assert len(utterances(cases(9, 5))) == 5


@random_cases(250, 700)
def test_the_score_of_spoken_trees_is_treescores(number: int) -> None:
    """Trees in which every leaf is spoken, or bare, as they are scored already."""
    compared = 0
    for gold, test in scored_pairs(10, number):
        if len(gold) != 1 or len(test) != 1:
            continue
        if any(start == end for _, times in gold + test for start, end in times):
            continue
        banks = [timed_bank([tree], [times]) for [(tree, times)] in (gold, test)]
        for rules in (Rules(), Rules(labels=False, terminals="strict")):
            expected = score(gold, test, Options(rules=rules))
            actual = treescore.struct_iou(*banks, labels=rules.labels, terminals=rules.terminals, axis="seconds").score
            assert actual == (None if expected is None else pytest.approx(float(expected), abs=1e-9))
        compared += 1
    assert compared > number // 8


# ---------------------------------------------------------------------------------------------------------------------
# treescore against the model


def produced(case: Case) -> treescore.Treebank:
    """The trees of a case as treescore places them."""
    bounds = [None if time is None else float(time) for time in (known(case.begin), known(case.end))]
    utterance = sound_utterance(case).replace(begin=bounds[0], end=bounds[1])
    return place_seconds(bank(case), Utterances([utterance], format="random"), attach="text")


@pytest.mark.parametrize("seed", range(8))
def test_leaves_are_placed_as_the_model_says(seed: int) -> None:
    refused = 0
    for number, case in enumerate(cases(100 + seed, 60)):
        expected = case.placed()
        try:
            actual = produced(case)
        except treescore.InputError as refusal:  # of cases in which most words are not spoken
            assert refusal.problem.code == "other-times", (seed, number, texts(case))
            refused += 1
            continue
        for index, times in enumerate(expected.times):
            if not actual[index].leaves:
                continue
            message = {problem.code for problem in actual.problems if problem.unit == index + 1} - {"extra-word"}
            assert message == set(expected.problems[index]), (seed, number, texts(case))
            if times is None:
                assert actual[index].times is None
            else:
                placed_times = [moment for time in actual[index].times or () for moment in time]
                assert placed_times == pytest.approx([float(moment) for time in times for moment in time], abs=1e-9)
        if None not in expected.times:
            text = any(problem.code == "extra-word" for problem in actual.problems)
            assert text == (bool(expected.extra) and any(expected.times))
    assert refused <= 6


@pytest.mark.long
def test_many_leaves_are_placed_as_the_model_says() -> None:
    for seed in range(100, 400):
        test_leaves_are_placed_as_the_model_says(seed)


@random_cases(60, 250)
@pytest.mark.parametrize("silent_nodes", ["drop", "keep"])
@pytest.mark.parametrize("gaps", ["keep", "close"])
def test_the_score_over_seconds_is_that_of_the_model(silent_nodes: str, gaps: str, number: int) -> None:
    compared = 0
    for gold, test in scored_pairs(11, number):
        banks = [
            timed_bank([tree for tree, _ in side], [times for _, times in side]).joined([len(side)])
            for side in (gold, test)
        ]
        for rules in (Rules(), Rules(labels=False, terminals="strict")):
            expected = score(gold, test, Options(silent=silent_nodes, gaps=gaps, rules=rules))
            actual = treescore.struct_iou(
                *banks, labels=rules.labels, terminals=rules.terminals, axis="seconds", silent=silent_nodes, gaps=gaps
            ).score
            assert actual == (None if expected is None else pytest.approx(float(expected), abs=1e-9))
        compared += any(start == end for _, times in gold + test for start, end in times)
    assert compared > number // 3
