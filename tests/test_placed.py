"""Where leaves stand: as plain Python finds it from the definitions, and as nodes stand over them."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

import gapped_trees
import pytest
import strategies
from hypothesis import given, settings
from strategies import RANDOMS

import treescore
from treescore import _core, metrics
from treescore.analysis.tree_pair import pair_at
from treescore.place.axis import ALIGNED, AXES, CHARACTERS, SECONDS, WORDS, axis_named
from treescore.place.pair import Pair

Intervals = list[tuple[float, float]]
#: A tag and a word.
Leaf = tuple[str | None, str]

DELETED = ("NN", ",", "-NONE-")
LISTED = "delete:NN+,+-NONE-|delete-words:yes"
PARSEVAL = {
    "parseval|profile:none|delete:": (),
    f"parseval|profile:none|{LISTED}": DELETED,
    f"parseval|profile:none|{LISTED}|delete-forms:the+é": DELETED,
    f"parseval|profile:none|{LISTED}|delete-by:gold": DELETED,
    f"parseval|profile:none|{LISTED}|duplicates:drop|least-width:2": DELETED,
}
STRUCT_IOU = {
    "struct_iou|axis:{}": (),
    "struct_iou|axis:{}|" + LISTED: DELETED,
    "struct_iou|axis:{}|terminals:strict|labels:no|" + LISTED: DELETED,
}
SPOKEN = ("", "|silent:keep", "|gaps:close", "|silent:keep|gaps:close")


# ---- The model


def in_a_row(sizes: Sequence[int], kept: Sequence[bool]) -> Intervals:
    """Words of these sizes, one after the other; one that is deleted has no length."""
    places = []
    for at, is_kept in enumerate(kept):
        start = sum(size for size, counts in zip(sizes[:at], kept, strict=False) if counts)
        places.append((float(start), float(start + sizes[at] * is_kept)))
    return places


def over_time(times: Intervals, kept: Sequence[bool], *, closed: bool) -> Intervals:
    """Words at their times; with closed gaps, spoken neighbours meet in the middle, and what is not spoken between."""
    places = list(times)
    spoken = [at for at, (start, end) in enumerate(times) if start < end]
    for a, b in pairwise(spoken):
        if closed and times[a][1] < times[b][0]:
            middle = times[a][1] + (times[b][0] - times[a][1]) / 2
            places[a] = places[a][0], middle
            places[b] = middle, places[b][1]
            places[a + 1 : b] = [(middle, middle)] * (b - a - 1)
    return [(start, end if counts else start) for (start, end), counts in zip(places, kept, strict=True)]


def extent(places: Intervals, leaves: Sequence[int]) -> tuple[float, float]:
    """From the first word that counts to the last; where there is none, no length at the first."""
    counted = [places[leaf] for leaf in leaves if places[leaf][0] < places[leaf][1]]
    return (counted[0][0], counted[-1][1]) if counted else (places[leaves[0]][0],) * 2


def check_nodes(gold: treescore.Treebank, test: treescore.Treebank, index: int, metric: treescore.Metric) -> None:
    """Nodes that count stand over their leaves."""
    pair = pair_at(gold, test, index, metric)
    placed = metric.placed(Pair(gold, test))[index]
    assert pair.axis == metric.axis and pair.places == placed
    for side, places in enumerate(pair.places):
        for node in pair.nodes[side]:
            if node.mark != "ignored":
                assert (node.start, node.end) == extent(places, range(node.first, node.last))


def leaves_of(bank: treescore.Treebank) -> list[list[Leaf]]:
    return [[(tag, word) for word, tag in tree.pos()] for tree in bank]


def timed(rng: Random, bank: treescore.Treebank, share: float = 1.0) -> treescore.Treebank:
    """The same trees with times, with silences between words, words of no length, and some trees without times."""
    times = array("d")
    for index in range(len(bank)):
        at = rng.choice((0.0, 0.5))
        known = rng.random() < share
        for _ in range(bank.native.leaf_count(index)):
            at += rng.choice((0.0, 0.0, 0.125, 0.3))
            end = at + rng.choice((0.0, 0.25, 0.4))
            times.extend((at, end) if known else (float("nan"),) * 2)
            at = end
    return bank.with_times(times)


# ---- Against the model


@settings(max_examples=100)
@given(RANDOMS)
def test_words_that_are_left(rng: Random) -> None:
    gold, test = strategies.banks(strategies.make_pairs(rng, 3))
    signature = rng.choice(list(PARSEVAL))
    metric = metrics.get(signature)
    placed = metric.placed(Pair(gold, test))
    for index, sides in enumerate(zip(leaves_of(gold), leaves_of(test), strict=True)):
        by_gold = "delete-by:gold" in signature and len(sides[0]) == len(sides[1])
        for side, leaves in enumerate(sides):
            tags = sides[0] if by_gold else leaves
            kept = [
                tag not in PARSEVAL[signature] and not ("delete-forms" in signature and word in ("the", "é"))
                for tag, word in tags
            ]
            assert placed.positions(side, index) == in_a_row([1] * len(leaves), kept)
        check_nodes(gold, test, index, metric)


@settings(max_examples=100)
@given(RANDOMS)
def test_words_and_characters_of_struct_iou(rng: Random) -> None:
    gold, test = strategies.banks(strategies.make_pairs(rng, 3))
    for template, deleted in STRUCT_IOU.items():
        axis = rng.choice((WORDS, CHARACTERS))
        metric = metrics.get(template.format(axis))
        placed = metric.placed(Pair(gold, test))
        plain = Pair(gold, test).placed(axis)
        for index in range(len(gold)):
            for side, bank in enumerate((gold, test)):
                leaves = leaves_of(bank)[index]
                sizes = [len(word) if axis is CHARACTERS else 1 for _, word in leaves]
                kept = [tag not in deleted for tag, _ in leaves]
                assert placed.positions(side, index) == in_a_row(sizes, kept)
                assert plain.positions(side, index) == in_a_row(sizes, [True] * len(leaves))
            check_nodes(gold, test, index, metric)


@settings(max_examples=100)
@given(RANDOMS)
def test_seconds(rng: Random) -> None:
    gold, test = (timed(rng, bank) for bank in strategies.banks(strategies.make_pairs(rng, 3)))
    for template, deleted in STRUCT_IOU.items():
        options = rng.choice(SPOKEN)
        metric = metrics.get(template.format(SECONDS) + options)
        placed = metric.placed(Pair(gold, test))
        plain = Pair(gold, test).placed(SECONDS)
        for index in range(len(gold)):
            for side, bank in enumerate((gold, test)):
                times, tags = bank[index].times or [], [tag for tag, _ in leaves_of(bank)[index]]
                kept = [tag not in deleted for tag in tags]
                assert placed.positions(side, index) == over_time(times, kept, closed="gaps:close" in options)
                assert plain.positions(side, index) == times
            check_nodes(gold, test, index, metric)


@settings(max_examples=60)
@given(RANDOMS)
def test_trees_with_gaps(rng: Random) -> None:
    words = strategies.make_words(rng, 6, odd=0)
    gold, test = (
        treescore.read(gapped_trees.discbracket(tree), form="discbracket")
        for tree in [gapped_trees.moved(rng, strategies.make_tree(rng, words, odd=0)) for _ in range(2)]
    )
    for signature in (f"parseval|profile:none|{LISTED}", "parseval", f"struct_iou|axis:characters|{LISTED}"):
        metric = metrics.get(signature)
        placed = metric.placed(Pair(gold, test))
        for side, bank in enumerate((gold, test)):
            leaves = leaves_of(bank)[0]
            if LISTED in signature:
                sizes = [len(word) if metric.axis is CHARACTERS else 1 for _, word in leaves]
                assert placed.positions(side, 0) == in_a_row(sizes, [tag not in DELETED for tag, _ in leaves])
        check_nodes(gold, test, 0, metric)


@settings(max_examples=60)
@given(RANDOMS)
def test_aligned_words(rng: Random) -> None:
    """Words of a group have equal parts of it, and every block starts at 0."""
    gold, test = strategies.banks(strategies.make_pairs(rng, 3))
    pair = Pair(gold, test)
    texts = treescore.align_sentences(gold, test)
    expected: tuple[dict[tuple[int, int], tuple[float, float]], ...] = {}, {}
    for block in texts.worded():
        alone = not all(any(group.sides[side] for group in block.groups) for side in range(2))
        for number, group in enumerate(block.groups):
            for side, members in enumerate(group.sides):
                for at, (sentence, word, _) in enumerate(members):
                    size = 1 if alone else len(members)
                    start = at if alone else number + at / size
                    expected[side][sentence, word] = start, (at + 1 if alone else number + (at + 1) / size)
    for side, bank in enumerate((gold, test)):
        for index in range(len(bank)):
            own = [expected[side].get((index, word)) for word in range(bank.native.leaf_count(index))]
            assert pair.placed(ALIGNED).positions(side, index) == own


# ---- Examples


def test_quotation_marks_that_are_put_back() -> None:
    gold, test = "(S (NP (NN a) ('' ')) (VP (VB b)))", "(S (NP (NN a)) (VP (POS ') (VB b)))"
    pair = treescore.pair(gold, test, "parseval|profile:benepar")
    assert pair.places == ([(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)],) * 2
    assert [(node.start, node.end) for node in pair.nodes[0] if node.mark != "ignored"] == [(0, 3), (0, 2), (2, 3)]
    gaps = "(S (NP (NN 0=a) ('' 2=')) (VP (VB 1=b)))", "(S (NP (NN 0=a) (POS 2=')) (VP (VB 1=b)))"
    pair = treescore.pair(*gaps, "parseval|profile:benepar")
    assert pair.places == ([(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)],) * 2
    assert [(node.start, node.end) for node in pair.nodes[0] if node.mark != "ignored"] == [(0, 3), (0, 3), (1, 2)]


def test_trees_without_times_stand_by_words() -> None:
    gold = treescore.read([["NP", [["DT", 0.1, 0.4], ["NN", 0.4, 0.8]]], "(NP (DT the) (NN cat))"])
    placed = Pair(gold, gold).placed("seconds")
    assert placed[0] == ([(0.1, 0.4), (0.4, 0.8)],) * 2
    assert placed[1] == ([(0.0, 1.0), (1.0, 2.0)],) * 2
    assert [(problem.code, problem.unit) for problem in placed.problems] == [("no-times", 2)] * 2
    assert not Pair(gold, gold).placed("words").problems


def test_answers_are_kept() -> None:
    pair = Pair(*(treescore.read("(S (NN a) (VB b))"),) * 2)
    assert pair.placed("words") is pair.placed(WORDS)
    assert pair.placed("words").columns == (None, None)
    metric = metrics.get("parseval|delete:NN")
    assert metric.placed(pair) is metrics.get("parseval|delete:NN").placed(pair)
    assert metric.placed(pair) is not metrics.get("parseval|delete:VB").placed(pair)
    exact = metrics.get("aligned_parseval|text:none")
    assert pair.placed("aligned", exact) is not pair.placed("aligned")
    assert pickle.loads(pickle.dumps(pair.placed("aligned"))) == pair.placed("aligned")


def test_placed_cannot_be_changed() -> None:
    placed = Pair(*(treescore.read("(S (NN a))"),) * 2).placed()
    with pytest.raises(AttributeError, match="cannot be changed"):
        placed.axis = SECONDS  # type: ignore[misc]
    with pytest.raises(AttributeError, match="cannot be changed"):
        placed.axis.unit = "s"  # type: ignore[misc]


def test_axes() -> None:
    native = [name.lower() for name in vars(_core.Axis) if not name.startswith("_")]
    assert {*native, "aligned"} == set(AXES)
    for axis in AXES.values():
        assert axis_named(axis) is axis_named(axis.name) is pickle.loads(pickle.dumps(axis)) is axis
    for wrong in ("minutes", None, 3, "seconds "):
        with pytest.raises(treescore.UsageError, match="axis must be one of"):
            axis_named(wrong)  # type: ignore[arg-type]
    with pytest.raises(treescore.UsageError, match="axis must be one of words, characters, seconds, not 'aligned'"):
        metrics.get("struct_iou|axis:aligned")


def test_words_of_no_tree() -> None:
    empty = treescore.read("", on_error="keep")
    for axis in AXES:
        assert len(Pair(empty, empty).placed(axis).ends[0]) == 0


@pytest.mark.parametrize("function", [_core.struct_iou_positions, _core.parseval_positions])
def test_unequal_numbers_of_trees(function: Callable[..., object]) -> None:
    first, two = treescore.read("(S (NN a))"), treescore.read("(S (NN a)) (S (NN b))")
    metric = metrics.get("struct_iou" if "struct" in function.__name__ else "parseval")
    with pytest.raises(ValueError, match="unequal numbers of trees"):
        metric.positions(Pair(first, two))


def test_deleted_words_share_no_column() -> None:
    """Words that both trees have stand below each other, whatever is deleted before them in one of them."""
    from treescore.draw import layout, pictures

    gold, test = "(S (NP (NN dogs) (, ,)) (VP (VB bark)))", "(S (NP (NN dogs)) (VP (VB bark)))"
    [picture] = pictures(treescore.pair(gold, test, "parseval"), turn=False)
    words = [item for item in picture.items if isinstance(item, layout.Text) and item.kind == "word"]
    assert [item.text for item in words] == ["dogs", ",", "bark", "dogs", "bark"]
    assert [item.x for item in words if item.text in ("dogs", "bark")] == [words[0].x, words[2].x] * 2


def test_words_that_stop_the_score_stand_together() -> None:
    """Only one of the trees has a tag whose words are deleted, so that there is no score; the words are the same."""
    gold, test = "(S (NN dogs) (, ,) (VB bark))", "(S (NN dogs) (X ,) (VB bark))"
    pair = treescore.pair(gold, test, "parseval")
    assert pair.score is None
    assert pair.places[0] != pair.places[1]
    assert pair.svg().count(">bark<") == 1


def test_gaps_are_closed_in_pictures() -> None:
    tree = ["S", [["A", 0.0, 0.4], ["B", 0.6, 1.0]]]
    pair = treescore.pair(tree, tree, "struct_iou|axis:seconds|gaps:close")
    assert pair.places[0] == [(0.0, 0.5), (0.5, 1.0)]
    assert [(node.start, node.end) for node in pair.nodes[0]] == [(0.0, 1.0), *pair.places[0]]


def test_trees_whose_leaves_stand_at_the_same_positions() -> None:
    gold = "(S (NN a) (, ,) (NN b))\n(S (NN a) (NN b))\n(S (NN a) (, ,) (NN b))"
    test = "(S (NN a) (, ,) (NN b))\n(S (NN a))\n(S (NN a) (NN ,) (NN b))"
    pair = Pair(treescore.read(gold), treescore.read(test))
    for placed in (pair.placed(), treescore.metric("parseval").placed(pair)):
        assert [placed.are_same(index) for index in range(3)] == [a == b for a, b in map(placed.__getitem__, range(3))]
    assert [treescore.metric("parseval").placed(pair).are_same(index) for index in range(3)] == [True, False, False]
