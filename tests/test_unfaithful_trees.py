"""Trees whose words are not those of the sentence fail by every metric, whether or not the metric compares words."""

from __future__ import annotations

import pytest

import treescore
from treescore import _core
from treescore.metrics import names

GOLD = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (. .)) (S (NP (NN dogs)) (VP (VB bark)))"
#: The first tree has another word and more brackets than gold.
TEST = "(S (NP (DT the) (NN cat)) (NP (NN x) (X (Y (VBZ snores)))) (. .)) (S (NP (NN dogs)) (VP (VB bark)))"
METRICS = [*(name for name in names() if name not in ("boundaries", "conllu_eval")), "parseval|profile:stanza"]


def with_unfaithful(text: str, place: int) -> treescore.Treebank:
    builder = _core.TreeBuilder()
    builder.extend(treescore.read(text).native)
    builder.set_unfaithful(place)
    return treescore.Treebank(builder.trees())


@pytest.mark.parametrize("name", METRICS)
def test_an_unfaithful_tree_fails(name: str) -> None:
    unfaithful = treescore.evaluate(GOLD, with_unfaithful(TEST, 0), name).scores[0]
    no_tree = treescore.evaluate(GOLD, treescore.read(TEST).select([None, 1]), name).scores[0]
    assert unfaithful.coverage == 0.5
    assert unfaithful.all is None or (no_tree.all is not None and unfaithful.all <= no_tree.all)
    assert unfaithful.counts.total().get("matched") == no_tree.counts.total().get("matched")


@pytest.mark.parametrize("name", ["parseval", "parseval|profile:stanza", "struct_iou"])
def test_all_brackets_of_an_unfaithful_tree_are_wrong(name: str) -> None:
    total = treescore.evaluate(GOLD, with_unfaithful(TEST, 0), name).scores[0].counts.total()
    assert total["test_all"] > total["gold_all"]


def test_a_tree_stays_unfaithful_in_copies() -> None:
    bank = with_unfaithful(TEST, 0)
    loaded = treescore.Treebank(_core.Trees.loaded(bank.native.saved()))
    for copy in (bank, bank[0:1], bank.select([0]), loaded):
        assert copy.native.faulty(0)
        assert next(iter(copy.lines())) == next(iter(bank.lines()))
