"""What is kept from one pair to the next, and computed only when somebody asks for it, changes no result."""

from __future__ import annotations

import copy
import pickle
import threading
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from strategies import PAIRS, Pairs, banks, make_pairs

import treescore
from treescore import metrics, recipe
from treescore.metrics.known_files import without_files
from treescore.recipe import Compiled, Compiler, Recipe

KINDS = (
    Recipe(),
    Recipe(delete=["TOP", ","], equal=[("ADVP", "PRT")], cut_tags=True, quotes=["``"], length_ignores=["."]),
    Recipe(equal=[("NP", "VP"), ("VP", "PP")], cut="", outer="ignored", delete_words=False),
)


def tables(compiled: Compiled) -> object:
    keys = [(side.label_keys, side.tag_keys) for side in compiled.sides()]
    return keys, compiled.equal_keys(), compiled.labels, compiled.tags, compiled.compared()


@given(PAIRS, PAIRS)
def test_earlier_pairs_change_nothing(first: Pairs, second: Pairs) -> None:
    for kind in KINDS:
        for tags_are_labels in (False, True):
            compiler = Compiler(kind, tags_are_labels=tags_are_labels)
            for gold, test in map(banks, (first, second, first)):
                alone = Compiler(kind, tags_are_labels=tags_are_labels).compile(gold.native, test.native)
                assert tables(compiler.compile(gold.native, test.native)) == tables(alone)


def test_names_mean_what_the_recipe_says() -> None:
    bank = treescore.read("(TOP (NP-SBJ (NN-X a) (, ,)) (PRT (RP b)))").native
    compiled = KINDS[1].compile(bank, bank)
    assert compiled.compared()[0] == (
        ["TOP", "NP", "NN", ",", "ADVP", "RP"],
        ["TOP", "NP", "NN", ",", "ADVP", "RP"],
    )
    assert Recipe().compile(bank, bank).tags == ["TOP", "NP-SBJ", "NN-X", ",", "PRT", "RP"]


def test_a_compiler_forgets_when_it_knows_too_many_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipe, "MOST_NAMES", 10)
    metric = metrics.get("parseval", {"profile": "none"})
    for number in range(40):
        bank = treescore.read(f"(S{number} (NN{number} a))")
        assert metric.counts(treescore.Pair(bank, bank)).total()["matched"] == 1
    assert len(metric._compiler._known) <= 12  # type: ignore[attr-defined]


def test_threads_share_a_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipe, "MOST_NAMES", 50)
    pairs = [banks(make_pairs(Random(seed), 3)) for seed in range(60)]
    names = ("parseval|profile:none", "struct_iou", "disfluency")
    shared = [metrics.get(name, {"cut": "-"}) for name in names]
    expected = [[metric.counts(treescore.Pair(*pair)).total() for pair in pairs] for metric in shared]
    actual: list[object] = []

    def score(order: list[int]) -> None:
        for place in order:
            for number, metric in enumerate(shared):
                total = metric.counts(treescore.Pair(*pairs[place])).total()
                actual.append(total == expected[number][place])

    workers = [threading.Thread(target=score, args=(Random(seed).sample(range(60), 60),)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(actual) == 4 * 60 * 3 and all(actual)


def test_metrics_are_kept_by_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    assert metrics.get("parseval|labels:no") is metrics.get("parseval|labels:no")
    with pytest.raises(treescore.SignatureError):
        metrics.get("parseval|labels:maybe")
    monkeypatch.setattr(metrics, "_MOST_KEPT", 3)
    for number in range(10):
        assert metrics.get(f"parseval|least-width:{number}").signature
    assert len(metrics._kept) <= 3
    monkeypatch.setitem(metrics.REGISTRY, "parseval", ("treescore.metrics.struct_iou", "StructIou"))
    assert metrics.get("parseval").name == "struct_iou"


def test_metrics_of_files_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "own.prm"
    file.write_text("DELETE_LABEL TOP\n")
    first = metrics.get("parseval|prm:own.prm")
    file.write_text("DELETE_LABEL NP\n")
    assert metrics.get("parseval|prm:own.prm") != first
    with without_files(), pytest.raises(treescore.SignatureError, match="not opened"):
        metrics.get("parseval|prm:own.prm")
    file.unlink()
    with pytest.raises(treescore.SignatureError, match="cannot be read"):
        metrics.get("parseval|prm:own.prm")


@given(PAIRS)
def test_a_score_that_is_copied_or_pickled_has_the_same_figures(pairs: Pairs) -> None:
    gold, test = banks(pairs)
    for name in ("parseval", "struct_iou", "leaf_ancestor", "tedeval"):
        metric = metrics.get(name)
        counts = metric.counts(treescore.Pair(gold, test))
        scores = [metric.score(counts) for _ in range(3)]
        values = [(score.value, score.all) for score in scores]
        scores[0], scores[1] = copy.copy(scores[0]), pickle.loads(pickle.dumps(scores[1]))
        for score, value in zip(scores, values, strict=True):
            assert (score.value, score.all) == value == (score.figures[score.main].value, values[2][1])
            assert next(iter(score.figures)) == score.main
            assert score.figures == scores[2].figures and score.all_figures == scores[2].all_figures
            assert score.all_figures[score.main].value == score.all
            assert score.coverage == scores[2].coverage and score.signature == metric.signature


def test_a_figure_that_is_missing_is_an_error_at_once() -> None:
    class Odd(type(metrics.get("parseval"))):  # type: ignore[misc]
        main = "nothing"

    bank = treescore.read("(S (NN a))")
    with pytest.raises(KeyError):
        Odd().score(Odd().counts(treescore.Pair(bank, bank)))


@given(PAIRS)
def test_sums_of_batches_add_up(pairs: Pairs) -> None:
    gold, test = banks(pairs)
    for name in ("parseval", "struct_iou"):
        metric = metrics.get(name)
        whole = metric.counts(treescore.Pair(gold, test))
        sums: dict[str, int] = {}
        for place in range(len(gold)):
            part = slice(place, place + 1)
            metric.counts(treescore.Pair(gold[part], test[part])).add_totals_to(sums)
        assert (sums or whole.total()) == whole.total()
        whole.add_totals_to(sums)
        metric.counts(treescore.Pair(gold, test)).add_totals_to(sums)
        factor = 3 if len(gold) else 2
        assert sums == {column: factor * value for column, value in whole.total().items()}


def test_sums_beyond_64_bits() -> None:
    bank = treescore.read("(S (NN a))")
    sums = {"gold": 1 << 70}
    metrics.get("parseval").counts(treescore.Pair(bank, bank)).add_totals_to(sums)
    assert sums["gold"] == (1 << 70) + 1
