"""Leaf-ancestor scores against recorded ones; what they are is said in leaf_ancestor.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gapped_trees import Leaf, Node, bank

import treescore
from treescore.metrics.leaf_ancestor import LeafAncestor

GOLDEN = json.loads((Path(__file__).parent / "leaf_ancestor.json").read_text(encoding="utf-8"))
CASES = [pytest.param(case, id=case["id"]) for case in GOLDEN["cases"]]
PRINTED = [pytest.param(case, id=f"{case['id']} {case['note']}") for case in GOLDEN["discodop"]]


def test_there_are_cases() -> None:
    assert (len(CASES), len(PRINTED)) == (20, 16)
    assert {case["format"] for case in GOLDEN["discodop"]} == {"bracket", "discbracket", "export"}


@pytest.mark.parametrize(
    ("figure", "variant", "costs"),
    [
        ("discodop", "discodop", None),
        ("spmrl", "spmrl", None),
        ("spmrl_workshop", "spmrl", "workshop"),
        ("spmrl_simple", "spmrl", "unit"),
        ("plain", "plain", None),
    ],
)
@pytest.mark.parametrize("case", CASES)
def test_sentence(case: dict[str, Any], figure: str, variant: str, costs: str | None) -> None:
    deleted = [] if variant == "plain" else ["ROOT"]
    found = treescore.leaf_ancestor(case["gold"], case["test"], variant=variant, costs=costs, delete=deleted)
    assert found.score == pytest.approx(case[figure], abs=1e-6)
    if f"{figure}_paths" in case:
        assert [" ".join(word[1]) for word in found.words] == case[f"{figure}_paths"]


@pytest.mark.parametrize("case", PRINTED)
def test_discodop(case: dict[str, Any]) -> None:
    """The parameter file, but for what we have no option for or have another meaning for."""
    prm = case["prm"].replace("LABELED 0", "LABELED 1")  # does not reach its leaf-ancestor score
    prm = prm.replace("DELETE_WORD uh", "DELETE_LABEL UH")  # all words with this tag, and no others
    metric = LeafAncestor(prm=prm.encode(), variant="discodop", delete_by="gold")
    make = {"bracket": lambda text: treescore.read(text + "\n"), "discbracket": discbracket, "export": export}
    gold, test = (make[case["format"]](case[side]) for side in ("gold", "test"))
    score = metric.score(metric.counts(gold, test))
    assert round(100 * (score.value or 0), 2) == case["printed"]


def discbracket(text: str) -> treescore.Treebank:
    """Trees with leaves such as 3=go, one per line."""
    trees = []
    for line in text.splitlines():
        places = sorted(int(leaf.partition("=")[0]) for leaf in line.replace(")", " ").split() if "=" in leaf)
        [read] = treescore.read(line + "\n")

        def build(tree: treescore.Tree | str, places: list[int] = places) -> Node | Leaf:
            assert isinstance(tree, treescore.Tree)
            if not tree.is_preterminal:
                return Node(tree.label, tuple(map(build, tree.children)))
            place, _, word = tree.leaves[0].partition("=")
            return Leaf(places.index(int(place)), tree.label, word)

        root = build(read)
        assert isinstance(root, Node)
        trees.append(root)
    return bank(trees)


def export(text: str) -> treescore.Treebank:
    """One tree with words and phrases that name their parents."""
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith(("#BOS", "#EOS"))]
    below: dict[str, list[Node | Leaf]] = {}
    for place, row in enumerate(row for row in rows if not row[0].startswith("#")):
        below.setdefault(row[4], []).append(Leaf(place, row[1], row[0]))
    for row in rows:
        if row[0].startswith("#"):  # children stand before their parents
            below.setdefault(row[4], []).append(Node(row[1], tuple(below[row[0][1:]])))
    return bank([Node("ROOT", tuple(below["0"]))])
