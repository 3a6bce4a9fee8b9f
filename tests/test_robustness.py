"""What must hold when things are large, odd or broken: huge sums, many labels, damaged data, metrics of other kinds."""

from __future__ import annotations

import pickle
import subprocess
import sys
from array import array
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from command import evalb
from strategies import hang_guard

import treescore
import treescore._core as core
from treescore.metrics import leaf_ancestor, sparseval
from treescore.metrics.tree_distance import TreeDistance
from treescore.values.counts import UNIT, Counts
from treescore.values.score import Part


def test_sums_of_rates_do_not_overflow() -> None:
    rows = 9_000_000  # each rate is up to 2^40, so that 2^23 of them fill 64 bits
    counts = Counts({"rate": (array("q", [UNIT]) * rows).tobytes(), "minus": (array("q", [-UNIT]) * rows).tobytes()})
    assert counts.total() == {"rate": rows * UNIT, "minus": -rows * UNIT}
    both = counts.collapsed() + counts.collapsed()
    assert both.total()["rate"] == 2 * rows * UNIT
    assert pickle.loads(pickle.dumps(both)) == both


def test_scorers_can_be_merged_beyond_64_bits() -> None:
    scorer = treescore.Scorer("parseval|profile:none")
    scorer.update(["(S (NN a))"] * 100, ["(S (NN a))"] * 100)
    for _ in range(24):
        scorer.merge(pickle.loads(pickle.dumps(scorer)))
    score = scorer.compute()["parseval"]
    assert score.parts["sentence_f1"] == 1.0
    assert score.counts.total()["sentences"] == 100 << 24


def test_very_many_threads_are_no_problem() -> None:
    trees = ["(S (NP (NN a)) (VP (VB b)))"] * 20_000
    report = treescore.evaluate(trees, trees, "parseval|profile:none", threads=100_000)
    assert report["parseval"].counts.total()["matched"] == 60_000


def test_very_many_labels_do_not_slow_the_evalb_command_down(tmp_path: Path) -> None:
    lines = "".join(f"(L{number} (T{number} a))\n" for number in range(60_000))
    (tmp_path / "gold").write_text(lines)
    with hang_guard(120):
        output = evalb(["gold", "gold"], tmp_path)
    assert b"Number of Valid sentence  =  60000\n" in output.stdout


def test_empty_words(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("(NN )\n(S (NN ) (NN ))\n")
    output = evalb(["gold", "gold"], tmp_path)
    assert b"   2    2    0  100.00 100.00     1      1    1      0      2     2   100.00\n" in output.stdout


def test_builder_refuses_what_is_not_a_tree() -> None:
    builder = core.TreeBuilder()
    builder.open(b"S")
    for step in (builder.trees, lambda: builder.finish(1), lambda: builder.extend(core.TreeBuilder().trees())):
        with pytest.raises(ValueError, match=r"open|finished"):
            step()
    builder.close()
    with pytest.raises(ValueError, match="no phrase is open"):
        builder.close()
    builder.finish(1)
    assert len(builder.trees()) == 1


def test_damaged_treebank_data_is_refused() -> None:
    saved = treescore.read("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(())\n").native.saved()
    assert len(core.Trees.loaded(saved)) == 2
    rng = Random(1)
    refused = 0
    for _ in range(3_000):
        damaged = bytearray(saved)
        for _ in range(rng.randint(1, 4)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        cut = bytes(damaged[: rng.randint(0, len(damaged))]) if rng.random() < 0.3 else bytes(damaged)
        try:
            trees = core.Trees.loaded(cut)
        except ValueError:
            refused += 1
            continue
        for index in range(len(trees)):  # what was let through can be used
            trees.brackets(index, True)
            trees.leaves(index)
    assert refused > 1_000


@pytest.mark.parametrize(
    "wrong", [{"phrase_flags": b"\x02"}, {"tag_flags": b"\xff"}, {"heads": [(-1, [])]}, {"conjunctions": [-1]},
              {"heads": [(0, [(True, [-1])])]}, {"default_head": [(True, [-1])]}],
)  # fmt: skip
def test_impossible_head_rules_are_refused(wrong: dict[str, Any]) -> None:
    sound: dict[str, Any] = {
        "category": [0],
        "phrase_flags": b"\0",
        "tag_flags": b"\0",
        "root": 0,
        "no_tag": 0,
        "heads": [],
    }
    sound |= {"default_head": [], "conjunctions": [], "functions": False}
    core.TreeHeads(**sound)
    with pytest.raises(ValueError, match=r"flag|negative"):
        core.TreeHeads(**(sound | wrong))


@pytest.mark.parametrize("wrong", [{"least_iou": 1.5}, {"least_iou": -0.1}, {"threshold": float("nan")}])
def test_impossible_thresholds_are_refused(wrong: dict[str, float]) -> None:
    sound: dict[str, Any] = {"labelled": True, "axis": 0, "count_silent": False, "close_gaps": False, "flexible": True}
    sound |= {"crossing": 0.0, "threshold": 0.0, "least_overlap": 0.0, "least_iou": 1.0, "limit": 5.0}
    core.StructIouRules(**sound)
    with pytest.raises(ValueError, match="threshold"):
        core.StructIouRules(**(sound | wrong))


def test_a_missing_parse_counts_like_a_flat_one_where_lists_are_counted() -> None:
    gold = "(S (A (B (NN a) (NN b))) (C (NN c)))"
    metric = "parseval|profile:none|labels:no|duplicates:members"
    missing, flat = (
        treescore.evaluate(gold, test, metric)["parseval"].counts.total() for test in ("()", "(X (NN a) (NN b) (NN c))")
    )
    assert missing["gold_all"] == missing["test_all"] == flat["gold"] == flat["gold_all"] == 4


def test_sets_of_brackets_need_labels_that_are_equal_to_each_other() -> None:
    with pytest.raises(treescore.SignatureError, match="A=C"):
        treescore.metric("parseval|duplicates:drop|equal:A=B+B=C")


def test_recipes_refuse_a_string_for_a_list_and_know_their_names() -> None:
    with pytest.raises(ValueError, match="list of labels"):
        treescore.Recipe(delete="TOP")
    assert treescore.metric(treescore.PROFILES["prpn"]) == treescore.metric("parseval|profile:prpn")


def test_files_in_a_list_are_not_taken_for_trees() -> None:
    with pytest.raises(treescore.InputError, match="not one tree could be read"):
        treescore.evaluate(["gold.mrg", "other.mrg"], ["test.mrg", "other.mrg"])


def test_compare_wants_several_systems() -> None:
    with pytest.raises(TypeError, match="several systems"):
        treescore.compare("(S (NN a))", "(S (NN a))")


class Words(treescore.Metric):
    """A metric with columns of its own: how many gold words there are."""

    name = "words"

    @property
    def signature(self) -> str:
        return "words"

    def counts(self, pair: treescore.Pair, **_: Any) -> Counts:
        return Counts({"trees": [1] * len(pair), "words": [len(tree.leaves) for tree in pair.gold]})

    main = "mean"

    def figures(self, total: Mapping[str, int]) -> dict[str, Part]:
        return {"mean": Part("Words per tree", above=total["words"], below=total["trees"], percent=False)}


def test_a_metric_of_ones_own_is_shown_in_every_format() -> None:
    report = treescore.evaluate(["(S (NN a) (NN b))", "(S (NN a))"], ["()", "()"], Words())
    assert report["words"].value == 1.5
    assert report["words"].all == 1.5 and report["words"].coverage is None  # it does not say what fails
    assert report.rows() == {
        "sentence": [1, 2],
        "status": [0, 0],
        "mean": [2.0, 1.0],
        "trees": [1, 1],
        "words": [2, 1],
    }
    for form in ("table", "markdown", "latex", "html"):
        assert "1.50" in report.to(form, per_sentence=True), form
    for form in ("json", "jsonl", "csv"):
        assert "1.5" in report.to(form), form
    with pytest.raises(treescore.UsageError, match="parseval"):
        report.to("evalb")
    with pytest.raises(treescore.UsageError, match="no table by label"):
        report.to("table", by="label")


@pytest.mark.parametrize("costs", [(-1, 3, 4), (3, (1 << 40) + 1, 4), (3, 3, 1 << 62)])
def test_costs_of_words_whose_sums_could_overflow_are_refused(
    costs: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = array("I", [1, 2])
    with pytest.raises(ValueError, match="a cost out of range"):
        core.align_words(words, words, None, None, costs, [], False)
    monkeypatch.setattr(sparseval, "COSTS", costs)
    with pytest.raises(ValueError, match="a cost out of range"):
        treescore.evaluate("(S (NN a))", "(S (NN b))", "sparseval")


@pytest.mark.parametrize("costs", [(-1, 1, 1), (1, 1 << 61, 1), (1, 1, -(1 << 63))])
def test_costs_of_edits_whose_sums_could_overflow_are_refused(
    costs: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TreeDistance, "native_costs", lambda _: costs)
    with pytest.raises(ValueError, match="a cost out of range"):
        treescore.evaluate("(S (NN a))", "(X (NN a))", "tree_distance")


def test_sums_of_costs_that_would_overflow_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TreeDistance, "native_costs", lambda _: (1 << 60, 1 << 60, 1 << 60))
    report = treescore.evaluate("(S (NN a) (VP (VB b)))", "(X (NN a) (VP (VB b)))", "tree_distance")
    assert [problem.code for problem in report.problems] == ["too-complex"]


@pytest.mark.parametrize("costs", [(-1, 4), (4, 3), (1, 5), (1 << 30, 1 << 31)])
def test_costs_of_paths_out_of_range_are_refused(costs: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(leaf_ancestor._COSTS, "similar", costs)
    with pytest.raises((ValueError, TypeError)):
        treescore.evaluate("(S (NN a))", "(X (NN a))", "leaf_ancestor")


@pytest.mark.parametrize("weights", [(1 << 62, 1 << 62), (-1, 5)])
def test_weights_whose_sums_could_overflow_are_refused(weights: tuple[int, int]) -> None:
    rates, column = array("d", [0.5, 1.0]).tobytes(), array("q", weights).tobytes()
    with pytest.raises(ValueError, match="out of range"):
        core.swap_rates([(rates, column, rates, column)], 3, 1, 1)


def output_of(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


TRIED = """
import sys
sys.path[:] = {path!r}
{before}
try:
    import treescore
    treescore.read("(NN a)")
    print("imported")
except ImportError as error:
    print(error)
"""


def test_sub_interpreters_are_refused_in_one_line() -> None:
    inner = TRIED.format(path=sys.path, before="")
    module = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    code = f"import {module} as each; each.run_string(each.create(), {inner!r}); exec({inner!r})"
    refused, *others = output_of(code).splitlines()
    assert "interpreter" in refused and others == ["imported"]


def test_python_without_its_lock_is_refused_in_one_line() -> None:
    flags = "{name: getattr(sys.flags, name) for name in dir(sys.flags) if not name.startswith('_')}"
    before = f"import types; sys.flags = types.SimpleNamespace(**{{**{flags}, 'gil': %s}})"
    refused, imported = (output_of(TRIED.format(path=sys.path, before=before % gil)) for gil in (0, None))
    assert refused.count("\n") == 1 and "-X gil=0" in refused and imported == "imported\n"
