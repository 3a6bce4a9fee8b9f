"""The native reader of completions that need no closer look, and the removal of traces from gold."""

from __future__ import annotations

import json
import lzma
from array import array
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from strategies import Phrase, Word, changed, make_tree, make_words, write, write_loosely

import treescore
from treescore import _core
from treescore._core import FirstLook
from treescore.integrations.judged_completions import MOST_NODES, gold_trees

MOST = 1000
RECORDED = lzma.decompress((Path(__file__).parent / "golden" / "completions.jsonl.xz").read_bytes()).decode()
CASES = [json.loads(line) for line in RECORDED.splitlines()]


def look(completion: Any, gold: str, most: int = MOST) -> tuple[int, list[str]]:
    """What the native reader tells about a completion, and the tree that it reads."""
    trees = treescore.read([gold]).native
    looks, same_gold, read = _core.look_at_completions([completion], trees, trees, array("q", [0]), most)
    assert len(same_gold) == len(read)
    return looks[0], list(treescore.Treebank(read).lines())


@pytest.mark.parametrize(
    "completion",
    [
        *(
            "(S (NN a) (NN b))",
            " \n(S\n\n(NN a)\r\n(NN b)\t)\v\f",
            "\ufeff(S a b)",
            "( S a b )",
            "( (S a b))",
            "(S (S a) b)",
        ),
        *("<think>(x</THINK> (S a b)", "a </reasoning> b </thinking>(S a b)<think> (", "(S a b)<Reasoning>"),
        *("(S (S a) b)", "(\u85dd\u4e8c a (\u201c b))"),
    ],
)
def test_faithful_completions(completion: str) -> None:
    found, [tree] = look(completion, "(S (NN a) (NN b))")
    assert found == FirstLook.FAITHFUL
    assert treescore.read(tree)[0].leaves == ["a", "b"]


@pytest.mark.parametrize(
    "completion",
    [
        *("", " ", "a b", "(S a b", "(S a b))", "(S a b) x", "x (S a b)", "(S a b) (S a b)", "(S a) (S b)", "(S a c)"),
        *(
            "(S a)",
            "(S a b b)",
            "(S a b ())",
            "(S a b (NP))",
            "(S ( a) b)",
            "(S a\u00a0b)",
            "(S a b\u200b)",
            "(S ($( a b))",
        ),
        *(
            "(S a b)\u3000",
            "(S\u2028a b)",
            "<think>(S a b)",
            "<think>(S a b)</think>",
            "(S a b)</think>",
            "```\n(S a b)\n```",
        ),
        *("(S ($( a b))", "```\n(S a b)\n```", "[S a b]", None, 7, "(S a \ud800)", "(" * 1000, ")" * 1000, "(S a b)\0"),
    ],
)
def test_completions_that_need_a_closer_look(completion: object) -> None:
    assert look(completion, "(S (NN a) (NN b))") == (FirstLook.OTHER, [])


def test_odd_blanks_in_gold_are_not_words() -> None:
    assert look("(S (NN 10\u00a0000))", "(S (NN 10\u00a0000))") == (FirstLook.OTHER, [])


@pytest.mark.parametrize("gold", ["()", "(S (", "", "(S " * MOST + "(S a)" + ")" * MOST])
def test_gold_that_cannot_be_used(gold: str) -> None:
    trees = treescore.read([gold], on_error="keep").native
    assert _core.look_at_completions(["(S a)"], trees, trees, array("q", [0]), MOST)[0][0] == FirstLook.NO_GOLD


def test_a_bound_of_size() -> None:
    gold = "(S (NN a))"
    assert look("(X (Y (NN a)))", gold, 3)[0] == FirstLook.FAITHFUL
    assert look("(X (Y (Z (NN a))))", gold, 3)[0] == FirstLook.OTHER


def test_gold_trees_of_faithful_completions() -> None:
    gold = treescore.read("(S (NN a)) (S (NN b))").native
    texts = ["(X b)", "no", "(Y a)", "(Z b)"]
    looks, gold_trees, read = _core.look_at_completions(texts, gold, gold, array("q", [1, 0, 0, 1]), MOST)
    assert list(looks) == [FirstLook.FAITHFUL, FirstLook.OTHER, FirstLook.FAITHFUL, FirstLook.FAITHFUL]
    assert list(treescore.Treebank(gold_trees).lines()) == ["(S (NN b))", "(S (NN a))", "(S (NN b))"]
    assert list(treescore.Treebank(read).lines()) == ["(X b)", "(Y a)", "(Z b)"]


@pytest.mark.parametrize("numbers", [[], [0, 0], [1], [-1]])
def test_numbers_out_of_range(numbers: list[int]) -> None:
    trees = treescore.read("(S a)").native
    with pytest.raises((ValueError, IndexError)):
        _core.look_at_completions(["(S a)"], trees, trees, array("q", numbers), MOST)


# ---- Equal to the closer look


PIECES = [
    *"()<>$` \n\r\u00a0\u3000\ufeff\u200b\u2028\u0085\u201c\u017f\u212a\u2066\u180e",
    *("\r\n", "</think>", "<THINK>", "</Reasoning>", "<thinking>", "</th\u0130nk>", "</thin\u212a>"),
    *("$( ", "($( a)", "()", "(-LRB- ()", "```", "(X)"),
]


@settings(deadline=None, max_examples=300)
@given(st.integers(0, 2**32), st.data())
def test_the_first_look_and_the_closer_look_agree(seed: int, data: st.DataObject) -> None:
    rng = Random(seed)
    tree = make_tree(rng, make_words(rng, 6))
    text = write_loosely(rng, changed(rng, tree))
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(text)))
        piece = data.draw(st.sampled_from(PIECES))
        text = text[:place] + piece + text[place + data.draw(st.integers(0, 1)) :]
    check_looks([text], [write(tree)])


def check_looks(completions: list[str], gold: list[str]) -> None:
    """The native reader accepts what `read_completions` calls valid and faithful, and reads the same trees."""
    trees = gold_trees(gold, len(completions))
    native = trees.sentences.native, trees.trees.native, array("q", trees.numbers)
    looks, _, read = _core.look_at_completions(completions, *native, MOST_NODES)
    lines = treescore.Treebank(read).lines()
    for text, number, look in zip(completions, trees.numbers, looks, strict=True):
        if look == FirstLook.NO_GOLD:
            continue
        [record] = treescore.read_completions([text], sentences=[trees.sentences.words(number)])
        is_sound = record.outcome == "valid" and record.faithful
        assert look == (FirstLook.FAITHFUL if is_sound else FirstLook.OTHER) or (is_sound and "$(" in text)
        if look == FirstLook.FAITHFUL:
            assert list(treescore.read(str(record.tree)).lines()) == [next(lines)]
    assert next(lines, None) is None


def test_recorded_completions_get_the_same_look() -> None:
    check_looks([case["completion"] or "" for case in CASES], [case["gold"] for case in CASES])


# ---- Removal of traces


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_removal_of_traces(seed: int) -> None:
    rng = Random(seed)
    tree = make_tree(rng, make_words(rng, 8, odd=0.5))
    bank = treescore.read(write(tree))
    rest = treescore.Treebank(_core.without_traces(bank.native))[0]
    assert rest.leaves == [word.text for word in leaves_of(tree) if word.tag != "-NONE-"]
    assert str(rest) == (without_traces(tree) or "()")


def leaves_of(node: Phrase | Word) -> list[Word]:
    return [node] if isinstance(node, Word) else [leaf for child in node.children for leaf in leaves_of(child)]


def without_traces(node: Phrase | Word) -> str:
    if isinstance(node, Word):
        return "" if node.tag == "-NONE-" else write(node)
    children = [text for child in node.children if (text := without_traces(child))]
    return f"({' '.join([node.label, *children])})" if children else ""


def test_removal_of_traces_keeps_times_functions_and_gaps() -> None:
    gapped = treescore.Treebank(_core.without_traces(treescore.read("(S (NP 0=a 2=c) (-NONE- 1=*) (VP 3=d))").native))
    assert list(gapped.lines()) == ["(S (NP a c) (VP d))"]
    timed = treescore.read([["S", [["-NONE-", 0.1, 0.2, "*"], ["NN", 0.2, 0.4, "a"]]]])
    assert _core.without_traces(timed.native).times(0) == [(0.2, 0.4)]
