"""STRUCT-IOU as users meet it: which nodes count, axes, options, bad input, whole files."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from command import interrupted_at_work
from hypothesis import given, strategies as st
from strategies import RANDOMS, hang_guard, make_pair

import treescore
from treescore import Tree, _core, struct_iou
from treescore.metrics.struct_iou import StructIou
from treescore.place.pair import Pair


def codes(report: treescore.Report | treescore.MappedTrees) -> list[str]:
    """The codes of the problems."""
    return [problem.code for problem in report.problems]


def score(gold: Any, test: Any, **options: Any) -> float:
    """The score of one pair, which must be defined."""
    value = struct_iou(gold, test, **options).score
    assert value is not None
    return value


# ---------------------------------------------------------------------------------------------------------------------
# What counts


def test_identical_trees_score_one() -> None:
    """With the factor 2 that Definition 12 lacks; without it, a half."""
    assert score("(S (NP (NN a)) (VB b))", "(S (NP (NN a)) (VB b))") == 1.0


def test_a_preterminal_may_be_aligned_with_any_node() -> None:
    gold, test = "(NP (DT the))", "(X the)"
    assert score(gold, test) == pytest.approx(2 / 3)
    assert score(gold, test, terminals="strict") == score(gold, test, terminals="paper") == 0.0


def test_a_preterminal_may_take_a_whole_phrase() -> None:
    gold, test = ["S", [["A", 0, 2]]], ["NP", [["B", 0, 1], ["C", 1, 2]]]
    assert struct_iou(gold, test).mapping == [(1, 0, 1.0)]
    assert score(gold, test) == pytest.approx(0.4)
    assert score(gold, test, terminals="strict") == 0.0


def test_without_labels_all_nodes_are_alike() -> None:
    gold, test = "(S (NP (DT the) (NN cat)) (VP (VB sits)))", "(A (B (C the) (D cat)) (E (F sits)))"
    assert score(gold, test, labels=False, terminals="strict") == 1.0
    assert score(gold, test, terminals="strict") == 0.0


def test_words_are_no_nodes_but_have_room() -> None:
    """Words beside nodes, and several words under one node."""
    result = struct_iou("(NP (DT the) cat)", "(NP (DT the) (NN cat))")
    assert (result.gold_nodes, result.test_nodes) == (2, 3)
    assert result.mapping == [(0, 0, 1.0), (1, 1, 1.0)]
    assert score("(NP the cat)", "(NP the cat)") == 1.0
    assert struct_iou("(S a (NP b c) d)", "(S (NP a b) c d)").mapping == [(0, 0, 1.0), (1, 1, pytest.approx(1 / 3))]


def test_a_leaf_without_a_label_belongs_to_its_parent() -> None:
    pause = ["NP", [["DT", 0, 1], [None, 1, 4]]]
    result = struct_iou(pause, ["NP", [["DT", 0, 1], ["NN", 1, 4]]], terminals="strict")
    assert (result.gold_nodes, result.mapping) == (2, [(0, 0, 1.0), (1, 1, 1.0)])


def test_several_trees_on_a_line_are_one_sentence() -> None:
    gold, test = (treescore.read(text, layout="line") for text in ("(A (X a)) (B (Y b))\n", "(B (X a)) (B (Y b))\n"))
    result = struct_iou(gold, test)
    assert (result.gold_nodes, result.test_nodes) == (4, 4)
    assert result.mapping == [(1, 1, 1.0), (2, 2, 1.0), (3, 3, 1.0)]
    assert result.score == 0.75


@pytest.mark.parametrize("outer", ["ROOT", "TOP", "S1", ""])
def test_outer_brackets(outer: str) -> None:
    gold, test = "(TOP (S (NN a) (VB b)))", f"({outer} (S (NN a) (VB b)))"
    assert score(gold, test, outer="ignored") == 1.0
    assert score(gold, test) == (1.0 if outer == "TOP" else 0.75)


def test_nodes_keep_their_numbers_where_others_are_left_out() -> None:
    gold = treescore.read("(TOP (S (NP (NN a)) (VP (VB b))))")[0]
    alignment = struct_iou(gold, gold, outer="ignored", delete=["NP"]).mapping
    assert [gold.nodes()[node].label for node, _, _ in alignment] == ["S", "NN", "VP", "VB"]


def test_deleted_words_leave_no_gap() -> None:
    gold, test = "(S (NP (NN a)) (, ,) (VP (VB b)))", "(S (NP (NN a) (, ,)) (VP (VB b)))"
    assert score(gold, test) < 1
    assert score(gold, test, delete=[","]) == 1.0
    assert struct_iou(gold, test, delete=[","]).problems == ()


def test_labels_may_be_cut_and_be_equal() -> None:
    gold, test = "(S (NP-SBJ (NN a)) (ADVP (RB b)))", "(S (NP (NN a)) (PRT (RB b)))"
    assert score(gold, test, terminals="strict") == 0.6
    assert score(gold, test, terminals="strict", cut="-", equal=[("ADVP", "PRT")]) == 1.0


# ---------------------------------------------------------------------------------------------------------------------
# Axes


def test_axes_give_words_their_length() -> None:
    gold, test = "(S (X a bcd) e)", "(S (X a) bcd e)"
    by_words, by_characters = struct_iou(gold, test), struct_iou(gold, test, axis="characters")
    assert by_words.mapping == [(0, 0, 1.0), (1, 1, 0.5)]
    assert by_characters.mapping == [(0, 0, 1.0), (1, 1, 0.25)]
    assert "axis:characters" in by_characters.signature
    assert struct_iou("(A é)", "(A ab)", axis="characters").mapping == [(0, 0, 0.5)]  # characters, not bytes


def test_other_tokens_over_the_same_characters() -> None:
    gold, test = "(S (VP (VBP do) (RB n't)) (X go))", "(S (VP (VB don't)) (X go))"
    by_words = struct_iou(gold, test)
    assert codes(by_words) == ["words"]
    assert "axis:characters" in str(by_words.problems[0])
    by_characters = struct_iou(gold, test, axis="characters")
    assert by_characters.problems == ()
    assert (0, 0, 1.0) in by_characters.mapping


def test_characters_that_differ_are_reported() -> None:
    result = struct_iou("(S (A ab) (B c))", "(S (A ax) (B c))", axis="characters")
    assert codes(result) == ["characters"]
    assert "character 2" in str(result.problems[0])


def test_seconds_are_used_where_both_trees_have_them() -> None:
    timed = ["S", [["A", 0, 1], ["B", 1, 3]]]
    assert "axis:seconds" in struct_iou(timed, timed).signature
    assert "axis:words" in struct_iou(timed, "(S (A 0-1) (B 1-3))").signature
    with pytest.raises(treescore.InputError, match="no times"):
        struct_iou("(S (A a))", "(S (A a))", axis="seconds")


def test_times_that_are_not_used_are_a_known_cause() -> None:
    trees = [Tree.from_nested(["S", [["A", 0, 1], ["B", 1, 3]]])]

    def causes(signature: str) -> list[str]:
        return [cause.code for cause in treescore.evaluate(trees, trees, signature).causes()]

    assert causes("struct_iou|axis:words") == ["times_unused"]
    assert causes("struct_iou") == causes("struct_iou|axis:seconds") == []  # seconds are chosen


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([], "is not"),
        (["S"], "is not"),
        (["S", []], "no children"),
        (["S", [["A", 0, 1], "B"]], "child 2: 'B' is not"),
        ([["S"], [["A", 0, 1]]], "not a string"),
        ([None, [["A", 0, 1]]], "not a string"),
        (["S", [["A", 0, 0]]], "no length"),
        (["S", [["A", 1, 0]]], "no length"),
        (["S", [["A", 0, float("nan")]]], "finite"),
        (["S", [["A", 0, float("inf")]]], "finite"),
        (["S", [["A", 0, "1"]]], "finite"),
        (["S", [["A", 0, True]]], "finite"),
        (["S", [["A", 0, 2], ["B", 1, 3]]], "overlaps"),
        (["S", [["X", [["A", 0, 1], ["B", 4, 5]]], ["C", 2, 3]]], "child 2: .* overlaps"),
        (["S", [["A", 0, 1, 7]]], "not a string"),
        (["S", [["A", 0, 1e308]]], "child 1: .* finite numbers up to 1e"),
        (["S", [["A", -1e308, 0]]], "child 1: .* finite"),
        (["A", 0, 10**400], "finite"),
    ],
)
def test_wrong_nested_lists_are_refused_with_their_place(wrong: Any, message: str) -> None:
    with pytest.raises(treescore.TreeSyntaxError, match=message):
        Tree.from_nested(wrong)


def test_a_list_that_contains_itself_is_refused() -> None:
    tree: list[Any] = ["S", [["A", 0, 1], ["X", []]]]
    tree[1][1][1] += [["B", 1, 2], tree]
    with hang_guard(), pytest.raises(treescore.TreeSyntaxError, match=r"child 2 of child 2: .* contains itself"):
        Tree.from_nested(tree)
    leaf = ["A", 0, 1]
    assert str(Tree.from_nested(["S", [["X", [leaf]], ["X", [["A", 1, 2]]]]])) == "(S (X (A 0-1)) (X (A 1-2)))"


def test_times_up_to_the_limit_are_scored() -> None:
    tree = ["S", [["A", -1e300, 0], ["B", 0, 1e300]]]
    assert score(tree, tree) == 1.0
    assert score(tree, ["S", [["A", -1e300, 1e300]]]) == pytest.approx((2 + 1) / 5)


def test_children_are_put_in_the_order_of_time() -> None:
    assert score(["S", [["B", 1, 2], ["A", 0, 1]]], ["S", [["A", 0, 1], ["B", 1, 2]]]) == 1.0


def test_rounding_errors_between_words_are_closed() -> None:
    tree = Tree.from_nested(["S", [["A", 0, 0.1 + 0.2], ["B", 0.3, 0.5]]])
    assert tree.times == [(0.0, 0.1 + 0.2), (0.1 + 0.2, 0.5)]


def test_one_wrong_tree_does_not_stop_the_others() -> None:
    right = ["S", [["A", 0, 1], ["B", 1, 2]]]
    report = treescore.evaluate([right, right], [right, ["S", [["A", 0, 1], ["B", 0, 2]]]], "struct_iou|axis:seconds")
    assert [problem.unit for problem in report.problems] == [2]
    assert report.rows()["score"] == [1.0, 0.0]


def test_times_survive_pickling_slicing_and_adding() -> None:
    import pickle

    timed = treescore.read([["S", [["A", 0, 1], ["B", 1, 2.5]]], ["S", [["C", 3, 4]]]])
    plain = treescore.read("(S (D d) (E e))")
    whole = plain + timed + plain
    for bank in (whole, pickle.loads(pickle.dumps(whole))):
        assert [tree.times for tree in bank] == [None, [(0, 1), (1, 2.5)], [(3, 4)], None]
        assert bank[1:3][0].nodes()[2].times == [(1, 2.5)]
    part = pickle.loads(pickle.dumps(whole[1].nodes()[2]))
    assert (str(part), part.times) == ("(B 1-2.5)", [(1.0, 2.5)])


# ---------------------------------------------------------------------------------------------------------------------
# Empty, failed and absurd input


@pytest.mark.parametrize("empty", ["(TOP ())", "(())", "()", "(S (NN a)"])
def test_a_failed_parse_scores_zero_with_a_problem(empty: str) -> None:
    result = struct_iou("(S (NN a))", empty)
    assert (result.score, result.mapping, len(result.problems)) == (0.0, [], 1)
    report = treescore.evaluate(["(S (NN a))", "(S (NN a))"], ["(S (NN a))", empty], "struct_iou")
    assert report["struct_iou"].parts["sentence"] == 0.5
    assert report["struct_iou"].value == pytest.approx(2 / 3)
    assert len(report.problems) == 1


def test_an_empty_gold_tree() -> None:
    assert struct_iou("()", "(S (NN a))").score == 0.0
    assert codes(struct_iou("()", "(S (NN a))")) == ["no-gold"]
    nothing = struct_iou("()", "()")
    assert (nothing.score, codes(nothing)) == (None, ["empty"])
    unreadable = struct_iou("(S (NN a)", "(S (NN a))")
    assert (unreadable.score, codes(unreadable)) == (None, ["unclosed"])


def test_phrases_without_words_are_not_counted() -> None:
    result = struct_iou("(S (NP) (NN a))", "(S (NN a))")
    assert (result.score, codes(result)) == (1.0, ["empty-phrase"])


def test_function_tags_on_one_side_are_mentioned() -> None:
    report = treescore.evaluate("(S (NP-SBJ (NN a)))", "(S (NP (NN a)))", "struct_iou")
    assert codes(report) == ["function-tags"]
    assert codes(treescore.evaluate("(S (NP-SBJ (NN a)))", "(S (NP (NN a)))", "struct_iou|cut:-=")) == []


def spine(words: int, step: int) -> str:
    """A tree that cuts off one word at a time, now on the left, now, every `step` times, on the right."""
    first, end, before, after = 0, words, [], []
    for level in range(words - 1):
        if level % step:
            before.append(f"(L (T w{first})")
            after.append(")")
            first += 1
        else:
            end -= 1
            before.append("(L ")
            after.append(f"(T w{end}))")
    return "".join(before) + f"(T w{first})" + "".join(reversed(after))


def test_a_pair_that_would_take_too_long_is_left_out() -> None:
    gold, test = [spine(400, 2), "(S (NN a))"], [spine(400, 3), "(S (NN a))"]
    report = treescore.evaluate(gold, test, "struct_iou|limit:0.0001")
    assert codes(report) == ["too-complex"]
    assert report.rows()["score"] == [None, 1.0]
    assert report.node_mappings()[0] == []
    assert treescore.evaluate(gold, test, "struct_iou").rows()["score"][0] is not None


def test_the_time_that_a_pair_would_take_is_said() -> None:
    result = struct_iou(spine(40, 2), spine(40, 3), limit=1e-9)
    assert "less than a millisecond, more than the limit of 1e-09 seconds" in str(result.problems[0])


def test_absurd_trees_end_with_a_problem_and_not_with_the_process() -> None:
    with hang_guard():
        report = treescore.evaluate(spine(60_000, 2), spine(60_000, 3), "struct_iou")
    assert codes(report) == ["too-complex"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize(
    "call",
    [
        "treescore.struct_iou(gold, test, limit=1e9)",
        "treescore.pairwise([gold, test], 'struct_iou|limit:1e9')",
        "treescore.pairwise([gold, test, test], 'struct_iou|limit:1e9', threads=2)",
        "metric.counts(treescore.Pair(*banks), threads=2)",
        "metric.breakdown('label', treescore.Pair(*banks), None)",
    ],
)
def test_ctrl_c_ends_long_work(call: str, tmp_path: Path) -> None:
    """With two threads, too, whichever has the long pair: here the first block is done long before the second."""
    for name, step in (("gold", 2), ("test", 3)):
        (tmp_path / name).write_text(spine(5_000, step))
        (tmp_path / f"short-{name}").write_text(spine(250, step))
    program = f"""
from pathlib import Path
import treescore
gold, test, short_gold, short_test = (Path(name).read_text() for name in ("gold", "test", "short-gold", "short-test"))
metric = treescore.metric("struct_iou|limit:1e9")
banks = treescore.read([short_gold] * 16 + [gold] * 16), treescore.read([short_test] * 16 + [test] * 16)
print("ready", flush=True)
{call}
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None and running.stdout.readline() == "ready\n"
        _, messages = interrupted_at_work(running, 1.5)
    assert messages.rstrip().endswith("KeyboardInterrupt")


def test_large_and_deep_trees() -> None:
    flat = "(S " + " ".join(f"(T{word % 7} w)" for word in range(200_000)) + ")"
    other = flat.replace("(T3 ", "(X ")
    deep = "(A" * 100_000 + " w" + ")" * 100_000
    with hang_guard():
        assert score(flat, other) == 1.0
        assert 0.8 < score(flat, other, terminals="strict") < 0.9
        assert score(deep, deep) == 1.0
        assert len(struct_iou(deep, deep[2:-1]).mapping) == 99_999


@pytest.mark.parametrize("terminals", ["flexible", "strict"])
def test_long_chains(terminals: str) -> None:
    """Paths of thousands of nodes: merged and not inserted, and traced in one pass."""

    def chain(nodes: int, step: int) -> str:
        return "".join(f"({'ABCDEFGH'[node * step % 8]} " for node in range(nodes)) + "(T w)" + ")" * nodes

    with hang_guard():
        gold, test = treescore.read(chain(4_000, 1)), treescore.read(chain(4_001, 3))
        result = struct_iou(gold, test, terminals=terminals)
        rules = StructIou(terminals=terminals).checked_rules(Pair(gold, test))
        [(overlap, pairs)] = _core.struct_iou_variant(
            gold.native,
            test.native,
            rules,
            contract=False,
            engine=_core.MapperEngine.WINDOW,
            paths=_core.MapperPaths.RIGHT,
        )
    assert [pair[:2] for pair in result.mapping] == pairs
    assert len(pairs) == overlap >> 40 == 2_001  # every interval is the same, so that each pair is worth 1
    assert result.score == 2 * 2_001 / (4_001 + 4_002)


def comb(words: int, *, leftward: bool) -> str:
    """Each phrase is a word and a phrase. No word has a tag, so that no leaf can be matched."""
    if leftward:
        return "(X " * (words - 2) + "(X w w)" + " w)" * (words - 2)
    return "(X w " * (words - 2) + "(X w w)" + ")" * (words - 2)


def test_deep_trees_without_any_twins() -> None:
    """All pairs of phrases are candidates, which no prediction from the shapes can know."""
    right, left = (treescore.read(comb(1_500, leftward=leftward)) for leftward in (False, True))
    metric = StructIou()
    with hang_guard():
        counts = metric.counts(Pair(right, left))
        alignment = metric.node_mappings(Pair(right, left))[0]
    assert [iou for *_, iou in alignment] == [(1_500 - 2 * pair) / 1_500 for pair in range(750)]
    assert counts.row(0)["overlap"] == sum(round(iou * 2**40) for *_, iou in alignment)
    hasty = StructIou(limit=0.05)
    found = hasty.problems(Pair(right, left), hasty.counts(Pair(right, left)))
    assert [one.code for one in found] == ["too-complex"]
    assert "would need more than the limit of 0.05 seconds" in found[0].message


def levels(number: int, unary: int, step: int, *, zigzag: bool) -> str:
    """Deep trees in which each level is a chain of unary nodes and a word to the left (or to the right in turn)."""
    before, after = "", ""
    for level in range(number):
        chain = "".join(f"({'ABCDEFGH'[(level * unary + node) * step % 8]} " for node in range(unary))
        is_left = zigzag and level % 2 == 0
        before += chain + ("" if is_left else "(T w) ")
        after = (" (T w)" if is_left else "") + ")" * unary + after
    return before + "(T w)" + after


@pytest.mark.parametrize("zigzag", [False, True])
def test_alignments_of_deep_levels(zigzag: bool) -> None:
    """The plain way to the alignment would take a hundred times as long as the sum."""
    gold, test = (treescore.read(levels(300, 20, step, zigzag=zigzag)) for step in (1, 3))
    with hang_guard():
        result = struct_iou(gold, test)
        rules = StructIou().checked_rules(Pair(gold, test))
        [(overlap, pairs)] = _core.struct_iou_variant(
            gold.native,
            test.native,
            rules,
            contract=False,
            engine=_core.MapperEngine.CHOSEN,
            paths=_core.MapperPaths.CHOSEN,
            prune=True,
        )
    assert [pair[:2] for pair in result.mapping] == pairs
    assert sum(round(iou * 2**40) for *_, iou in result.mapping) == overlap


# ---------------------------------------------------------------------------------------------------------------------
# Files, tables, pairs of candidates

GOLD = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (NP (NN rain)) (VP (VBZ falls) (RB fast)))\n"
TEST = "(S (NP (DT the)) (VP (NN cat) (VBZ sleeps)))\n(S (NP (NN rain)) (VP (VBZ falls) (RB fast)))\n"


def test_both_levels_are_always_reported() -> None:
    report = treescore.evaluate(GOLD, TEST, ["struct_iou", "struct_iou|average:sentence"])
    corpus, sentence = report
    first, second = (struct_iou(*lines) for lines in zip(GOLD.splitlines(), TEST.splitlines(), strict=True))
    assert first.score is not None and second.score == 1.0
    assert corpus.parts["sentence"] == sentence.value == pytest.approx((first.score + 1) / 2)
    assert corpus.value == sentence.parts["corpus"] == pytest.approx((12 * first.score + 12) / 24)


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "csv", "json", "jsonl", "html"])
@pytest.mark.parametrize("by", [None, "label", "length"])
def test_every_format(form: str, by: str | None) -> None:
    report = treescore.evaluate(GOLD, TEST, "struct_iou")
    assert report.to(form, by=by, per_sentence=by is None)


def test_sums_by_label_are_the_whole() -> None:
    report = treescore.evaluate(GOLD, TEST, "struct_iou")
    total = report.scores[0].counts.total()
    groups = report.breakdown("label").values()
    found = sum((figures["recall"].value or 0) * (figures["recall"].below or 0) for figures in groups)
    assert found == pytest.approx(total["overlap"] / 2**40)


def test_sums_by_label_do_not_overflow() -> None:
    builder = _core.TreeBuilder()
    tree = treescore.read(f"(S {'(T w) ' * 1_000})").native
    for _ in range(8_400):  # 2^23 nodes of one label, each worth 2^40, fill 64 bits
        builder.extend(tree)
    bank = treescore.Treebank(builder.trees())
    metric = StructIou()
    figures = metric.breakdown("label", Pair(bank, bank), metric.counts(Pair(bank[:1], bank[:1])))["T"]
    assert [(part.value, part.below) for part in figures.values()] == [(1.0, None), (1.0, 8_400_000), (1.0, 8_400_000)]


def test_alignments_of_a_corpus_are_those_of_its_pairs() -> None:
    report = treescore.evaluate(GOLD * 50, TEST * 50, "struct_iou")
    for threads in (1, 3):
        alignments = report.node_mappings(threads=threads)
        assert len(alignments) == 100
        assert alignments[-1] == alignments[99] == struct_iou(GOLD.splitlines()[1], TEST.splitlines()[1]).mapping
    with pytest.raises(IndexError):
        alignments[100]
    with pytest.raises(treescore.UsageError, match="no node mappings"):
        treescore.evaluate(GOLD, TEST, "leaf_ancestor").node_mappings()


def test_struct_iou_takes_one_pair() -> None:
    with pytest.raises(treescore.UsageError, match="evaluate"):
        struct_iou(GOLD, TEST)


def test_one_pair_is_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(name: str) -> Any:
        solve = getattr(_core, name)

        def call(*given: Any) -> Any:
            calls.append(name)
            return solve(*given)

        return call

    for name in ("struct_iou_rows", "struct_iou_alignments"):
        monkeypatch.setattr(_core, name, counted(name))
    assert struct_iou(GOLD.splitlines()[1], TEST.splitlines()[1]).score == 1.0
    assert len(calls) == 1


def test_comparing_systems_by_sentence() -> None:
    both = treescore.compare(GOLD, {"A": TEST, "B": GOLD}, "struct_iou")
    assert both.wins("A", "B") == {"A": 0, "B": 1, "equal": 1, "undefined": 0}


def test_alignments_from_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from treescore.cli import main

    for name, text in (("gold", GOLD), ("test", TEST)):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / "gold"), str(tmp_path / "test")]
    out = tmp_path / "out.jsonl"
    assert main([*files, "-m", "parseval", "-m", "struct_iou", "--node-mappings", str(out)]) == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["sentence"] for line in lines] == [1, 2, 1, 2]
    assert lines[3]["score"] == 1.0
    assert lines[1]["mapping"] == [[node, node, 1.0] for node in (0, 1, 3)]
    assert lines[3]["mapping"] == [[node, node, 1.0] for node in range(6)]
    assert main([*files, "-m", "leaf_ancestor", "--node-mappings", str(out)]) == 2
    assert "add -m struct_iou" in capsys.readouterr().err


@pytest.mark.parametrize("metric", ["struct_iou", "struct_iou|labels:no|axis:characters", "parseval|profile:none"])
def test_pairwise_is_evaluate_for_each_pair(metric: str) -> None:
    trees = [*GOLD.splitlines()[:1], *TEST.splitlines()[:1], "(S (DT the) (NN cat) (VBZ sleeps))", "()"]
    scores = treescore.pairwise(trees, metric, threads=2)
    for row, gold in enumerate(trees[:3]):
        for column, test in enumerate(trees[:3]):
            report = treescore.evaluate(gold, test, metric)
            expected = report.rows()[report.metrics[0].row_figure][0]
            assert float(scores[row][column]) == pytest.approx(expected, abs=1e-9)
    if metric.startswith("struct_iou"):
        assert [float(score) for score in scores[3][:3]] == [0.0] * 3
    assert scores[3][3] != scores[3][3]  # undefined


def test_pairwise_leaves_undefined_what_cannot_be_compared() -> None:
    timed, other = ["S", [["A", 0, 1], ["B", 1, 3]]], ["S", [["A", 0, 2], ["B", 2, 3]]]
    bank = treescore.read([timed]) + treescore.read("(S (A a) (B b))") + treescore.read("()") + treescore.read([other])
    scores = [[float(score) for score in row] for row in treescore.pairwise(bank, "struct_iou|axis:seconds")]
    defined = [[score == score for score in row] for row in scores]
    assert defined == [[True, False, True, True], [False] * 4, [True, False, False, True], [True, False, True, True]]
    assert (scores[0][0], scores[0][2], scores[2][3]) == (1.0, 0.0, 0.0)
    text = b"(S (A (N a)) (B (N b)))\n(S (A (N a)))) (B (N b)\n"  # phrases of the second cross each other
    crossing = treescore.Treebank(_core.EvalbReader(text, text, 1_000, True).read(2)[0])
    scores = treescore.pairwise(crossing)
    assert [[float(score) == 1.0 for score in row] for row in scores] == [[True, False], [False, False]]
    assert scores[0][1] != scores[0][1] and scores[1][1] != scores[1][1]


@pytest.mark.skipif(
    sys.platform != "linux" or "asan" in os.environ.get("LD_PRELOAD", ""),
    reason="needs a limit to the memory of a process, which AddressSanitizer cannot work with",
)
def test_pairwise_leaves_undefined_what_needs_too_much_memory(tmp_path: Path) -> None:
    for name, step in (("gold", 2), ("test", 3)):
        (tmp_path / name).write_text(spine(2_500, step))
    program = """
import resource
from pathlib import Path
import treescore
trees = [Path(name).read_text() for name in ("gold", "test")]
treescore.pairwise(["(S (A a))"] * 2)
held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (held + 20_000_000, resource.getrlimit(resource.RLIMIT_AS)[1]))
print([[str(float(score)) for score in row] for row in treescore.pairwise(trees, "struct_iou|limit:1e9")])
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "[['1.0', 'nan'], ['nan', '1.0']]\n", done.stderr


def test_pairwise_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "numpy", None)
    assert treescore.pairwise(["(A a)", "(B a)"], "struct_iou|terminals:strict") == [[1.0, 0.0], [0.0, 1.0]]


def test_pairwise_refuses_other_words() -> None:
    with pytest.raises(treescore.InputError, match="trees 1 and 3 have different words"):
        treescore.pairwise(["(A a)", "()", "(A b)"])
    treescore.pairwise(["(A a)", "(A b)"], "struct_iou|axis:characters")


@pytest.mark.parametrize("metric", ["struct_iou|delete:.", "parseval|profile:none|delete:.", "tree_distance|delete:."])
def test_pairwise_overlooks_words_that_the_metric_deletes(metric: str) -> None:
    trees = ["(S (NN a) (. !))", "(S (NN a) (. ?))", "(S (NN a))", "(. !)", "(S (NN a) (NN !))"]
    scores = treescore.pairwise(trees, metric)
    assert [float(score) for score in scores[0][:3]] == [1.0] * 3
    with pytest.raises(treescore.InputError, match="trees 1 and 2 have different words"):
        treescore.pairwise(trees, f"{metric}|delete-words:no")
    with pytest.raises(treescore.InputError, match="trees 1 and 3 have different words"):
        treescore.pairwise([trees[0], "(. ?)", "(S (NN b) (. !))"], metric)


def test_the_signature_says_everything() -> None:
    metric = StructIou("collins", terminals="strict", threshold=0.25, axis="characters", limit=5, labels=False)
    assert metric.signature == (
        "struct_iou|labels:no|profile:collins|terminals:strict|threshold:0.25|axis:characters|limit:5|outer:counted|"
        f"v:{treescore.__version__}"
    )
    assert treescore.metric(metric.signature) == metric
    assert len(metric.in_words()) > 8


@pytest.mark.parametrize(
    "options",
    [
        {"labels": "no"},
        {"labels": None},
        {"cut_tags": "no"},
        {"threshold": "0.5"},
        {"threshold": float("nan")},
        {"threshold": True},
        {"limit": "5"},
        {"limit": float("nan")},
        {"limit": None},
        {"limit": 10**400},
    ],
    ids=str,
)
def test_options_of_another_type_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(treescore.SignatureError, match=f"{next(iter(options)).replace('_', '-')} must be "):
        struct_iou("(S (NN a))", "(S (NN a))", **options)


@given(RANDOMS, st.sampled_from(({}, {"labels": False}, {"terminals": "strict"}, {"axis": "characters"})))
def test_one_pair_has_the_results_of_evaluate(rng: Random, options: dict[str, Any]) -> None:
    gold, test = (treescore.read([text], on_error="keep") for text in make_pair(rng))
    report = treescore.evaluate(gold, test, StructIou(**options))
    result = struct_iou(gold, test, **options)
    score = report.scores[0]
    counts = score.counts.total()
    assert result.score == (None if score.value is None else pytest.approx(score.value, abs=1e-9))
    assert (result.gold_nodes, result.test_nodes) == (counts["gold"], counts["test"])
    assert result.mapping == report.node_mappings()[0]
    assert result.signature == score.signature
    assert {problem.code for problem in report.problems} <= {problem.code for problem in result.problems}


def test_results_of_one_pair_pickle() -> None:
    result = struct_iou("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (VB c))")
    assert result.problems
    assert pickle.loads(pickle.dumps(result)) == result


def test_options_of_equal_values_and_other_types_are_checked() -> None:
    """Metrics of earlier calls are kept."""
    assert struct_iou("(S a)", "(X a)", labels=False).score == 1
    with pytest.raises(treescore.SignatureError):
        struct_iou("(S a)", "(X a)", labels=0)
    assert struct_iou("(S (TOP a b))", "(S a b)", delete=["TOP"]).score == 1
