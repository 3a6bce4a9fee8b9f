"""The options of parseval by small examples worked out by hand, and comparisons of several systems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command import evalb

import treescore
from treescore.metrics.parseval import Parseval


def totals(gold: str, test: str, metric: str) -> dict[str, int]:
    """The sums of the counts."""
    return treescore.evaluate(gold, test, metric)["parseval"].counts.total()


def test_outer_brackets_can_be_left_out() -> None:
    gold, test = "(ROOT (S (NP (NN a)) (VP (VB b))))", "( (S (NP (NN a)) (VP (VB b))))"
    counted = treescore.evaluate(gold, test)
    assert (counted["parseval"].counts.total()["matched"], counted["parseval"].counts.total()["gold"]) == (3, 4)
    assert counted.problems == []
    assert [(cause.code, cause.remedy) for cause in counted.causes()] == [("outer_differs", "outer:ignored")]
    ignored = treescore.evaluate(gold, test, "parseval|outer:ignored")
    assert ignored["parseval"].value == 1.0
    assert ignored.problems == []


def test_only_outer_labels_are_left_out_not_labels_cut_to_nothing() -> None:
    tree = "(TOP (S (-X- (NN a)) (NN b)))"
    assert totals(tree, tree, "parseval|profile:none|outer:ignored")["gold"] == 2


def test_the_gold_tags_can_decide_what_is_deleted() -> None:
    gold, test = "(S (NP (NN a)) (, ,) (VP (VB b)))", "(S (NP (NN a)) (NN ,) (VP (VB b)))"
    own = treescore.evaluate(gold, test)
    assert own["parseval"].counts.total()["errors"] == 1
    assert "delete-by:gold" in own.problems[0].message
    by_gold = treescore.evaluate(gold, test, "parseval|delete-by:gold")
    assert by_gold["parseval"].value == 1.0
    assert by_gold["parseval"].counts.total()["words"] == 2
    other_words = treescore.evaluate("(S (NN a) (NN b))", "(S (NN a))", "parseval|delete-by:gold")
    assert other_words["parseval"].counts.total()["errors"] == 1
    assert "delete-by" not in other_words.problems[0].message


def test_long_sentences_can_be_left_out() -> None:
    trees = "(S (NN a))\n(S (NN a) (NN b))\n(S (NN a) (NN b) (NN c))\n"
    total = totals(trees, trees, "parseval|profile:none|longest:2")
    assert (total["valid"], total["skipped"], total["gold"]) == (2, 1, 2)
    assert treescore.evaluate(trees, trees, "parseval|longest:2").problems == []


def test_sentences_without_a_parse_count_over_all_sentences() -> None:
    gold, test = "(S (NP (NN a)))\n(S (NN b))\n", "(S (NP (NN a)))\n(())\n"
    report = treescore.evaluate(gold, test, "parseval")
    total = report["parseval"].counts.total()
    assert (total["gold"], total["gold_all"], total["test_all"]) == (2, 3, 3)
    assert report["parseval"].parts["recall"] == 1.0
    assert report["parseval"].parts["recall_all"] == report["parseval"].all == pytest.approx(2 / 3)
    assert [problem.action for problem in report.problems] == ["failed"]
    with pytest.raises(treescore.SignatureError, match="no option 'unparsed'"):
        treescore.metric("parseval|unparsed:missed")


def test_by_label_without_labels_each_side_has_its_own_matches() -> None:
    report = treescore.evaluate(
        "(S (NP (NN a) (NN b)) (NN c))", "(S (X (NN a) (NN b)) (NN c))", "parseval|profile:none|labels:no"
    )
    groups = report.breakdown("label")
    assert groups["NP"]["recall"].value == 1.0
    assert groups["NP"]["precision"].value is None
    assert groups["NP"]["f1"].value is None
    assert groups["X"]["precision"].value == 1.0
    assert groups["S"]["f1"].value == 1.0


def test_by_label_adds_up_when_equal_brackets_count_once() -> None:
    tree = "(S (X (X (NN a) (NN b))))"
    report = treescore.evaluate(tree, tree, "parseval|profile:none|duplicates:drop")
    groups = report.breakdown("label")
    assert {label: figures["recall"].below for label, figures in groups.items()} == {"S": 1, "X": 1}
    assert report["parseval"].counts.total()["gold"] == 2


def test_a_recipe_is_a_metric() -> None:
    recipe = treescore.Recipe(delete=["S"], labels=False)
    score = treescore.evaluate("(S (NP (NN a)))", "(S (X (NN a)))", recipe)["parseval"]
    assert score.value == 1.0
    assert score.signature.startswith("parseval|labels:no|profile:none|delete:S|")


@pytest.mark.parametrize(
    "options", [{"labels": "no"}, {"delete_words": 1}, {"least_width": "2"}, {"longest": 2.5}], ids=str
)
def test_options_of_another_type_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(treescore.SignatureError, match=f"{next(iter(options)).replace('_', '-')} must be "):
        Parseval("none", **options)


def test_ties_are_rounded_as_evalb_rounds_them(tmp_path: Path) -> None:
    gold = "(S " + "(X (N a))" * 17 + "(Y (N b))" * 7 + "(N c)" * 14 + ")\n"
    test = "(S " + "(X (N a))" * 17 + "(Z (N b))" * 7 + "(Z (N c))" * 14 + ")\n"
    (tmp_path / "gold").write_text(gold)
    (tmp_path / "test").write_text(test)
    printed = evalb(["gold", "test"], tmp_path).stdout.decode()
    shown = treescore.evaluate(gold, test, "parseval|profile:none")["parseval"].figures["f1"].shown()
    assert f"Bracketing FMeasure       =  {shown}" in printed


def test_comparison() -> None:
    gold = "(S (NP (NN a)) (VP (VB b)))\n(S (NN a) (X (NN b)))\n(S (NN c))\n"
    good, bad = gold, "(S (NN a) (VP (VB b)))\n(S (NN a) (Y (NN b)))\n(())\n"
    both = treescore.compare(gold, {"good": good, "bad": bad}, "parseval|profile:none")
    assert both["good"]["parseval"].value == 1.0
    difference = both.difference("good", "bad")
    assert difference is not None
    assert 0 < difference < 1
    assert both.wins("good", "bad") == {"good": 3, "bad": 0, "equal": 0, "undefined": 0}
    named = treescore.compare(gold, [good, bad])
    assert list(named.reports) == ["system 1", "system 2"]


def test_lines_that_evalb_would_cut_inside_a_bracket_stay_whole(tmp_path: Path) -> None:
    tree = "(S " + " ".join(f"(NN-LONG-TAG word{number:010})" for number in range(190)) + ")\n"
    assert len(tree) > 4_999
    (tmp_path / "gold").write_text(tree + "(S (NN a))\n")
    output = evalb(["gold", "gold"], tmp_path)
    assert b"   1  190    0  100.00 100.00     1      1    1      0    190   190   100.00\n" in output.stdout
    assert output.stderr.count(b"warning") == 1
    assert b"would be cut" in output.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("(S " + "(N a)" * 201 + ")", b"more than 200 words"),
        ("(S " * 201 + "(N a)" + ")" * 201, b"201 brackets"),
        ("(S (N " + "a" * 100 + "))", b"word of 100 bytes"),
        ("(" + "S" * 30 + " (N a))", b"label of 30 bytes"),
        ("(S " + "(NN ')" * 21 + ")", b"21 quotation marks"),
    ],
    ids=["words", "brackets", "word", "label", "quotes"],
)
def test_beyond_the_limits_of_evalb_there_is_a_result_and_one_warning(
    line: str, message: bytes, tmp_path: Path
) -> None:
    (tmp_path / "gold").write_text(f"{line}\n" * 3)
    (tmp_path / "prm").write_text("QUOTE_LABEL NN\n")
    output = evalb(["-p", "prm", "gold", "gold"], tmp_path)
    assert output.code == 0
    assert output.stdout.count(b"    0  100.00 100.00  ") == 3
    assert output.stderr.count(b"\n") == 1
    assert message in output.stderr


def test_blanks_without_end_are_read_in_linear_time(tmp_path: Path) -> None:
    """A line of many megabytes is cut into thousands of empty sentences without being scanned for each of them."""
    (tmp_path / "gold").write_bytes(b" " * 30_000_000 + b"\n(S (N a))\n")
    output = evalb(["gold", "gold"], tmp_path)
    assert output.stdout.count(b"\n") > 6_000


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("DISC_ONLY 1", "use the profile discodop (--profile discodop)"),
        ("DELETE_WORD x", "use the profile discodop (--profile discodop)"),
        ("LA 1", "use the metric leaf_ancestor"),
        ("TED 1", "use the metric tree_distance"),
        ("DEP 1", "use the metric dependencies"),
        ("DELETE_ROOT_PRETERMS 1", "treescore has no such option"),
    ],
)
def test_keys_of_disco_dop_in_a_parameter_file(line: str, advice: str, tmp_path: Path) -> None:
    message = f"Unknown keyword ({line}) in parameter file"
    assert Parseval(prm=f"{line}\n".encode()).prm_complaints == [f"{message}; it is a key of disco-dop: {advice}"]
    assert bool(Parseval("discodop", prm=f"{line}\n".encode()).prm_complaints) == ("--profile" not in advice)
    (tmp_path / "prm").write_text(f"{line}\n")
    (tmp_path / "gold").write_text("(S (NN a))\n")
    assert evalb(["-p", "prm", "gold", "gold"], tmp_path).stderr.decode().splitlines()[0].endswith(message)
    (problem,) = treescore.evaluate("(S (NN a))", "(S (NN a))", Parseval(prm=f"{line}\n".encode())).problems
    assert problem.code == "parameters"


@pytest.mark.parametrize("name", ["struct_iou", "tree_distance", "leaf_ancestor", "disfluency"])
def test_what_is_said_about_nothing_on_both_sides_agrees_with_the_summary(name: str) -> None:
    report = treescore.evaluate("(())\n(S (NN a))\n", "(())\n(S (NN a))\n", name)
    assert [problem.action for problem in report.problems] == ["nothing to compare"]
    assert report.metrics[0].summary(report.scores[0].counts) == "2 sentences: 1 scored, 0 failed, 1 excluded"
