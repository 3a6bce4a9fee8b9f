"""Words cut in parts by rules and functions, the same trees with these parts, and the study of what that costs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import gapped_trees
import pytest
from command import treescore_inside
from hypothesis import given, settings, strategies as st
from strategies import TREES, Node, Phrase, Word, hang_guard, make_tree, make_words, read_lines, write

import treescore
from treescore.helpers.files import packaged
from treescore.helpers.steps import Steps
from treescore.studies.morphology import BY_RULE, BY_SHARE, COMPARED, WORDS, study
from treescore.words.splitting import Rule, Rules, rules, split_words

# ---------------------------------------------------------------------------------------------------------------------
# Rules


def fits(pattern: str, word: str) -> Iterator[list[str]]:
    """All ways in which a word fits a pattern, each as its parts; by trying everything."""
    if not pattern:
        if not word:
            yield [""]
        return
    first, rest = pattern[0], pattern[1:]
    if first == "+":
        yield from (["", *parts] for parts in fits(rest, word))
    elif first == "*":
        for size in range(len(word) + 1):
            yield from ([word[:size] + parts[0], *parts[1:]] for parts in fits(rest, word[size:]))
    elif word and first in ("?", word[0]):
        yield from ([word[0] + parts[0], *parts[1:]] for parts in fits(rest, word[1:]))


PARTS = st.text("ab?", min_size=1, max_size=2)
PATTERNS = st.builds(
    lambda parts, star: "+".join(f"{part}*" if place == star else part for place, part in enumerate(parts)),
    st.lists(PARTS, min_size=2, max_size=3),
    st.integers(0, 3),
) | st.sampled_from(["*+a", "a+*", "a+*+b", "?+*", "*b+a"])


@settings(max_examples=60)
@given(pattern=PATTERNS, word=st.text("ab*", min_size=1, max_size=6))
def test_patterns_by_trying_everything(pattern: str, word: str) -> None:
    expected = [parts for parts in fits(pattern, word) if all(parts)]
    actual = rules(f"{pattern}\n")(word, "X")
    assert ([] if actual is None else [[part for part, _ in actual]]) == expected


def test_columns_of_rules() -> None:
    rules_read = rules("\ufeff# endings\n\n*+s\tNNS,VBZ  =+INFL # third person, too\r\n\\*+\\+\\#\\\\?+*\n*+ing *\n")
    assert rules_read("runs", "VBZ") == [("run", "VBZ"), ("s", "INFL")]
    assert rules_read("runs", "NN") is None
    assert rules_read("runs", None) is None
    assert rules_read("*+#\\xyz", None) == [("*", None), ("+#\\x", None), ("yz", None)]
    assert rules_read("going", None) == [("go", None), ("ing", None)]
    assert rules_read("ing", None) is None
    assert rules("*+s\n*+ss\n")("grass", "NN") == [("gras", "NN"), ("s", "NN")]  # the first that fits


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("*+s\ning\n", "2:1", "has no +"),
        ("+s\n", "1:1", "nothing stands on one side"),
        (" *s+\n", "1:4", "nothing stands on one side"),
        ("a++b\n", "1:3", "nothing stands on one side"),
        ("*+*\n", "1:3", "a second *"),
        ("*+s\\\n", "1:4", "a backslash with nothing behind it"),
        ("*+s NN,,NNS\n", "1:5", "a tag is missing"),
        ("*+s * A+B+C\n", "1:7", "3 tags for 2 parts"),
        ("*+s * A\n", "1:7", "1 tag for 2 parts"),
        ("*+s * A+(\n", "1:7", "a tag with a bracket in it"),
        ("*+s * A+\n", "1:7", "the tag of a part is missing"),
        ("*+s * A+B C\n", "1:11", "more than three columns"),
    ],
)
def test_rules_that_are_none(text: str, place: str, message: str) -> None:
    with pytest.raises(treescore.InputError) as caught:
        rules(text)
    assert str(caught.value).startswith(f"<text>:{place}: ")
    assert message in str(caught.value)


def test_no_rules(tmp_path: Path) -> None:
    with pytest.raises(treescore.InputError, match="there are no rules in it"):
        rules("# nothing\n")
    with pytest.raises(treescore.UsageError, match="no such file, nor rules of that name; there is hebrew-plural"):
        rules(str(tmp_path / "none.txt"))
    (tmp_path / "some.txt").write_text("*+s\n")
    assert rules(tmp_path / "some.txt").name == str(tmp_path / "some.txt")


def test_built_in_rules() -> None:
    rules_read = rules("hebrew-plural")
    assert rules_read("ספרים", "NNS") == [("ספר", "NNS"), ("ים", "NNS")]
    assert rules_read("בנות", None) == [("בנ", None), ("ות", None)]
    assert rules_read("הים", "NN") is None  # too short a stem
    assert rules_read("ספר", "NN") is None


# ---------------------------------------------------------------------------------------------------------------------
# Trees


def letters(word: str, tag: str | None) -> list[tuple[str, str | None]] | None:
    """A splitter for tests: letters of words that begin with c or t, the second under a tag of its own."""
    if word[0] not in "ct" or len(word) < 2:
        return None
    return [(letter, "X" if place == 1 else tag) for place, letter in enumerate(word)]


def split_plainly(node: Node) -> list[Node]:
    """What takes the place of a node."""
    if isinstance(node, Phrase):
        return [Phrase(node.label, tuple(item for child in node.children for item in split_plainly(child)))]
    parts = None if node.tag == "-NONE-" else letters(node.text, node.tag)
    return [node] if parts is None else [Word(tag, part) for part, tag in parts]


@settings(max_examples=30)
@given(trees=st.lists(TREES, min_size=1, max_size=3))
def test_trees_by_recursion(trees: list[Phrase]) -> None:
    bank = read_lines("".join(f"{write(tree)}\n" for tree in trees))
    split, counts = split_words(bank, letters)
    assert split == read_lines("".join(f"{write(split_plainly(tree)[0])}\n" for tree in trees))
    assert counts.added == sum(len(split.words(at)) - len(bank.words(at)) for at in range(len(bank)))
    assert counts.total == sum(counts.split) <= sum(counts.words)


def numbered(tree: gapped_trees.Node) -> str:
    """The tree in brackets with numbered words."""
    return f"({tree.label} {' '.join(map(numbered_child, tree.children))})"


def numbered_child(child: gapped_trees.Node | gapped_trees.Leaf) -> str:
    """The same for what is below it."""
    return numbered(child) if isinstance(child, gapped_trees.Node) else f"({child.tag} {child.place}={child.text})"


def split_in_place(tree: gapped_trees.Node) -> gapped_trees.Node:
    """The tree with the parts of its words, counted anew."""
    leaves = sorted(gapped_trees.leaves_of(tree), key=lambda leaf: leaf.place)
    parts = [letters(leaf.text, leaf.tag) or [(leaf.text, leaf.tag)] for leaf in leaves]

    def rebuilt(node: gapped_trees.Node) -> gapped_trees.Node:
        children: list[gapped_trees.Node | gapped_trees.Leaf] = []
        for child in node.children:
            if isinstance(child, gapped_trees.Node):
                children.append(rebuilt(child))
                continue
            begin = sum(map(len, parts[: child.place]))
            children += [
                gapped_trees.Leaf(begin + number, tag, text) for number, (text, tag) in enumerate(parts[child.place])
            ]
        return gapped_trees.Node(node.label, tuple(children))

    return rebuilt(tree)


def test_trees_with_gaps() -> None:
    rng = Random(3)
    trees = [gapped_trees.moved(rng, make_tree(rng, make_words(rng, 7, odd=0.0), odd=0.0)) for _ in range(50)]
    bank, expected = (
        treescore.read("".join(f"{numbered(tree)}\n" for tree in side), form="discbracket")
        for side in (trees, map(split_in_place, trees))
    )
    assert bank.is_discontinuous
    assert split_words(bank, letters)[0] == expected


def test_functions_and_times() -> None:
    text = b"#FORMAT 4\n#BOS 1\ncats\t--\tA\t--\tX\t500\nb\t--\tB\t--\tY\t500\n#500\t--\tS\t--\t--\t0\n#EOS 1\n"
    split, _ = split_words(treescore.read(text), "*+s\n")
    assert [(node.label, node.function) for node in split[0].nodes()] == [
        ("S", None),
        ("A", "X"),
        ("A", "X"),
        ("B", "Y"),
    ]
    timed = treescore.read([["NP", [["DT", 0.0, 0.5, "the"], ["NN", 0.5, 2.5, "cats"]]]])
    split, _ = split_words(timed, "*+s\n")
    assert split[0].times == [(0.0, 0.5), (0.5, 2.0), (2.0, 2.5)]
    assert split.ids == timed.ids


def test_empty_and_deep_trees() -> None:
    bank = read_lines("(())\n(S (X ) (NN cats))\ncat\n")
    split, counts = split_words(bank, "*+s\n")
    assert counts.split[:2] == [0, 1]
    assert len(split) == len(bank)
    deep = 100_000
    with hang_guard():
        split, _ = split_words(treescore.read("(S " * deep + "(NN cats)" + ")" * deep), "*+s\n")
        assert split.native.leaf_count(0) == 2
        assert len(split.native.nodes(0)) == deep


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("cats", "a list of texts"),
        (5, "a list of texts"),
        ([], "a list of texts"),
        (["cat", ""], "none of which is empty"),
        (["cat", 5], "none of which is empty"),
        ([("cat", 5), "s"], "a list of texts"),
        (["dog"], "does nothing else"),
        ([("cats", "X")], "does nothing else"),
        (["a b", "c"], "without spaces and brackets"),
        (["a", "(c"], "without spaces and brackets"),
        ([("cat", "N)"), "s"], "without spaces and brackets"),
        ([("cat", ""), "s"], "without spaces and brackets"),
    ],
)
def test_splitters_that_are_none(answer: Any, message: str) -> None:
    with pytest.raises(treescore.UsageError, match=message):
        split_words(treescore.read("(NN cats)"), lambda word, tag: answer)


def test_other_spaces_are_letters() -> None:
    split, _ = split_words(treescore.read("(S (CD 1\u00a0000))"), lambda word, tag: [word[:2], word[2:]])
    assert treescore.read("\n".join(split.lines())).words(0) == split.words(0) == ["1\u00a0", "000"]


def test_words_under_no_phrase_stay_whole() -> None:
    bank = treescore.read("(NNS cats) (NP (NNS cats))")
    split, counts = split_words(bank, "*+s\n")
    assert list(split.lines()) == ["(NNS cats)", "(NP (NNS cat) (NNS s))"]
    assert (counts.words, counts.split, counts.added) == ([1, 1], [0, 1], 1)
    (problem,) = split.problems
    assert (problem.code, problem.unit, problem.action) == ("split", 1, "not split")
    assert study(bank, splitter="*+s\n").problems == (problem,)


def test_what_is_no_splitter() -> None:
    with pytest.raises(treescore.UsageError, match="a splitter is a name"):
        split_words(treescore.read("(NN cats)"), 5)  # type: ignore[arg-type]
    same, counts = split_words(treescore.read("(NN cats)"), lambda word, tag: [word])
    assert (counts.total, str(same[0])) == (0, "(NN cats)")
    rule = Rule(text="*+s", pattern="(.*)(s)", tags=("NNS",), parts=("NN", None))
    assert rule.apply("cats", "NNS") == [("cat", "NN"), ("s", "NNS")]
    assert Rules(name="mine", rules=(rule,)).replace(name="other").rules == (rule,)


# ---------------------------------------------------------------------------------------------------------------------
# The study


def test_cost_of_tokenisation_alone() -> None:
    # 4 nodes against 5: TOP, NP and DT are the same over characters; cat has 3 of the 4 letters of cats.
    result = study(["(TOP (NP (DT the) (NNS cats)))"], splitter="*+s\n")
    row = result.table(COMPARED).records()[0]
    assert row["STRUCT-IOU"] == pytest.approx(2 * (1 + 1 + 1 + 3 / 4) / (4 + 5))
    assert row["mean of sentences"] == pytest.approx(row["STRUCT-IOU"])
    assert (row["aligned F1"], row["F1"], row["with F1"]) == (1.0, None, 0)
    assert result.table(WORDS).rows == (("gold", 1, 2, 1, 0.5, 3),)
    assert result.table(BY_RULE).rows == (("*+s", 1, 1, "cat+s", 1),)
    assert result.table(BY_SHARE).rows == (("40–50 %", 1, row["STRUCT-IOU"], row["mean of sentences"], 0),)
    assert result.problems == ()


def test_rows_are_those_of_the_metrics() -> None:
    result = study()
    gold, test = (treescore.read(packaged(f"studies/hebrew/{name}.mrg")) for name in ("gold", "test"))
    banks = {"gold": gold, "test": test}
    banks |= {f"split {name}": split_words(bank, "hebrew-plural")[0] for name, bank in banks.items()}
    assert len(result.table(COMPARED).rows) == 5
    for row in result.table(COMPARED).records():
        second, first = str(row["compared"]).split(" against ")
        report = treescore.evaluate(
            banks[first], banks[second], ["struct_iou|axis:characters", "aligned_parseval", "parseval"]
        )
        assert [row["STRUCT-IOU"], row["aligned F1"], row["F1"]] == [score.value for score in report.scores]
        assert row["with F1"] == report["parseval"].counts.total()["valid"]
    assert sum(map(int, map(str, result.table(BY_SHARE).column("sentences")))) == len(gold) == 28
    assert result.problems == ()
    assert [gold.words(at) for at in range(28)] == [test.words(at) for at in range(28)]


def test_hebrew_stays_in_its_column() -> None:
    line = next(line for line in str(study()).splitlines() if "??*+" in line)
    assert line.count("\u2068") == line.count("\u2069") == 2
    assert "\u2068" not in study().to("csv")


def test_other_words_already() -> None:
    result = study(["(S (NN cats))"], ["(S (NN cat) (NN s))"], splitter="*+x\n")
    assert {problem.code for problem in result.problems} >= {"length"}
    assert result.findings == "The splitter splits no word, so there is only one tokenisation."
    assert "split (" not in result.findings
    result.figure()


def test_odd_input_and_settings() -> None:
    steps = Steps()
    result = study(["(())", "(S (NN cats))"], ["(())", "(())"], splitter=letters, steps=steps)
    assert (steps.position, steps.total) == (5, 5)
    assert result.settings["splitter"] == "a function"
    result.figure()
    with pytest.raises(treescore.UsageError, match="no gold trees"):
        study(None, ["(NN a)"])
    for metric in ("parseval", "struct_iou"):
        with pytest.raises(treescore.UsageError, match="STRUCT-IOU over characters"):
            study(metric=metric)
    unlabelled = study(["(S (NN cats))"], splitter="*+s\n", metric="struct_iou|axis:characters|labels:no")
    assert "aligned_parseval|labels:no" in str(unlabelled.settings["aligned F1"])
    with pytest.raises(treescore.UnequalTreebanks):
        study(["(S (NN cats))"], ["(S (NN cats))"] * 2, splitter="*+s\n")


def test_what_is_said_of_little() -> None:
    text = study(["(NP (DT the) (NNS cats))"], ["(NP (DT the) (NNS cats))"], splitter="*+s\n").findings
    assert text.startswith("1 of 2 gold words is split (50.00 %).")
    assert "PARSEVAL scores 0 and 0 sentences" in text
    gapped = treescore.read("(S (VP (WRB 0=whys) (VB 2=go)) (NP (PRP 1=he)))")
    assert "The trees are otherwise the same. STRUCT-IOU is undefined." in study(gapped, splitter="*+s\n").findings


def test_function_tags_do_not_count() -> None:
    gold = "(S (NP-SBJ (NN a)) (VP (VB b) (NP-TMP (NN c))))"
    result = study([gold], ["(S (NP (NN a)) (VP (VB b) (NP (NN c))))"], splitter="*+s\n")
    row = result.table(COMPARED).records()[1]
    assert [row[name] for name in ("STRUCT-IOU", "over words", "aligned F1", "F1")] == [1.0] * 4


def test_unequal_files_are_said_once() -> None:
    with pytest.raises(treescore.UnequalTreebanks) as caught:
        study(["(S (NN cats))"], ["(S (NN cats))"] * 2, splitter="*+s\n")
    assert "  " not in str(caught.value) and str(caught.value).count("; ") == 2


def test_figure_has_no_bar_of_a_few_sentences() -> None:
    pytest.importorskip("matplotlib")
    left = study().figure().axes[0]
    assert len(left.patches) == 5 * 4 - 3
    assert [text.get_text() for text in left.texts] == ["4 of 28 sentences"] * 3


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "gold.mrg").write_text("(NP (DT the) (NNS cats))\n")
    (tmp_path / "rules.txt").write_text("*+s\n")
    files = ["--gold", "gold.mrg", "--rules", "rules.txt"]
    data = json.loads(treescore_inside(tmp_path, "study", "morphology", *files, "-f", "json")[0])
    assert data["tables"][COMPARED] == study(["(NP (DT the) (NNS cats))"], splitter="*+s\n").table(COMPARED).records()
    (tmp_path / "rules.txt").write_text("s\n")
    wrong = treescore_inside(tmp_path, "study", "morphology", *files, code=2)[1]
    assert wrong.startswith("treescore: error: rules.txt:1:1: the pattern s has no +")
