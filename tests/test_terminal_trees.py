"""Trees on a terminal: marks, columns, lines that wrap, depth that is cut off."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from strategies import changed, make_tree, make_words, write

import treescore
from treescore.helpers.text import visible, width
from treescore.render.terminal_trees import FOLDS, sentence_lines, tree_lines

GOLD = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN cat)) (PP (IN with) (NP (DT a) (NN telescope)))) (. .))"
TEST = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN cat)) (ADJP (IN with) (NP (DT a) (NN telescope))))) (. .))"


def shown(gold: str, *tests: str, metric: str = "struct_iou", columns: int = 90, **options: object) -> list[str]:
    """The lines of the trees."""
    names = "test" if len(tests) == 1 else "one two three"
    pairs = {name: treescore.pair(gold, test, metric) for name, test in zip(names.split(), tests, strict=False)}
    return list(tree_lines(pairs, columns, **options))  # type: ignore[arg-type]


def test_side_by_side() -> None:
    assert shown(GOLD, TEST) == [
        "gold                                          test",
        "S                                             S",
        "├ NP I                                        ├ NP I",
        "├ VP                                          ├ VP",
        "│ ├ VBD saw                                   │ ├ VBD saw",
        "│ │                                           │ └ +NP",
        "│ ├ NP a cat                                  │   ├ NP a cat",
        "│ └ −≠PP                                      │   └ +≠ADJP",
        "│   ├ IN with                                 │     ├ IN with",
        "│   └ NP a telescope                          │     └ NP a telescope",
        "└ . .                                         └ . .",
        "",
        "− missing: only in gold   + extra: only in test   ≠ the other tree has another label here",
    ]


def test_one_below_the_other_where_it_is_narrow() -> None:
    lines = shown(GOLD, TEST, columns=60)
    assert lines[0] == "gold"
    assert lines[10:13] == ["", "test", "S"]


def test_three_ways() -> None:
    lines = shown(GOLD, TEST, GOLD, columns=130)
    assert lines[0].split() == ["gold", "A:", "one", "B:", "two"]
    assert any(re.match(r"│ └ PP \[A −≠\] +│ +└ \+≠ADJP +│ └ PP$", line) for line in lines)


def test_brackets_alone_share_lines_by_their_words() -> None:
    lines = shown(
        "(S (X (NN a) (NP (NN b))) (VB c) (Z (NN d)))", "(S (NN a) (NP (NN b)) (VB c) (Z (NN d)))", metric="parseval"
    )
    assert [re.split(r" {3,}", line) for line in lines[1:6]] == [
        ["S", "S"],
        ["├ −X", "│"],
        ["│ ├ NN a", "├ NN a"],
        ["│ └ NP b", "├ NP b"],
        ["├ VB c", "├ VB c"],
    ]


def test_folds() -> None:
    gold = "(S (X (NP (DT a) (NN b)) (NP (NN c))) (Y (NN d)))"
    test = "(S (X (NP (DT a) (NN b)) (NP (NN c))) (Z (NN d)))"
    by = {fold: [line.split("  ")[0] for line in shown(gold, test, fold=fold)[1:-2]] for fold in FOLDS}
    unfolded = ["├ X", "│ ├ NP", "│ │ ├ DT a", "│ │ └ NN b", "│ └ NP", "│", "└ −≠Y", ""]
    assert by["nothing"] == ["S", *unfolded]
    assert by["words"] == ["S", "├ X", "│ ├ NP a b", "│ └ NP c", "└ −≠Y d"]
    assert by["right"] == ["S", "├ X a b c", "└ −≠Y d"]


def test_partly_aligned_nodes_have_their_iou() -> None:
    lines = shown("(X (NP a cat) (PP with eyes))", "(X (NP a cat with eyes))")
    assert "NP [0.50] a cat" in lines[2]
    assert "NP [0.50] a cat with eyes" in lines[2]


def test_words_without_tags_and_odd_trees() -> None:
    assert shown("(S (NP a c) b)", "(S (NP a c) b)")[1:4] == [
        f"{'S':46}S",
        f"{'├ NP a c':46}├ NP a c",
        f"{'└ · b':46}└ · b",
    ]
    assert shown("(S (NN a))", "()")[1:3] == [f"{'−S':46}(empty)", "└ −NN a"]
    assert shown("()", "()") == [f"{'gold':46}test", f"{'(empty)':46}(empty)"]
    assert shown("((NN a))", "(A (NN a))")[1].startswith("−≠(empty) a")


@pytest.mark.parametrize("seed", range(30))
def test_random_trees_fit_and_have_all_their_words(seed: int) -> None:
    random = Random(seed)
    gold = make_tree(random, make_words(random, 20))
    test = changed(random, gold, 0.5)
    pair = treescore.pair(write(gold), write(test), random.choice(("parseval", "struct_iou")))
    for columns in (60, 120):
        for fold in FOLDS:
            lines = list(tree_lines({"test": pair}, columns, fold=fold))
            assert max(map(width, lines)) <= columns
            text = "\n".join(lines)
            assert all(visible(word) in text for word in pair.gold.leaves + pair.test.leaves)


def test_colours_change_nothing_but_colours() -> None:
    plain = shown(GOLD, TEST)
    for colours in (16, 256):
        painted = shown(GOLD, TEST, colours=colours)
        assert "\x1b[" in "".join(painted)
        assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in painted] == plain


def test_hostile_and_wide_words_keep_the_columns() -> None:
    words = ["\x1b[2J", "猫猫", "e\u0301", "חתול", "a" * 200, "<script>"]
    gold = "(S " + " ".join(f"(X (NN {word}) (NN {word}))" for word in words) + ")"
    lines = shown(gold, gold.replace("(X", "(Y", 1), columns=90)
    assert "\x1b" not in "".join(lines)
    assert max(map(width, lines)) <= 90
    starts = {width(line[: re.search(r"(?<=  )[├└│≠]", line[2:]).start() + 2]) for line in lines[2:-4] if "  ├" in line}  # type: ignore[union-attr]
    assert starts == {46}


def test_long_phrases_wrap() -> None:
    words = " ".join(f"(NN word{number})" for number in range(40))
    lines = shown(f"(S (NP {words}) (VB x))", f"(S (NP {words}) (VB x))", columns=60)
    assert lines[2].startswith("├ NP word0 word1")
    assert lines[3].startswith("│   word9 word10")
    assert max(map(width, lines)) <= 60
    assert " ".join(lines).split().count("word39") == 2


def deep_lines(levels: int, columns: int) -> list[str]:
    """Two trees of so many levels with different labels."""
    deep = "(X " * levels + "(NN a)" + ")" * levels
    return shown(deep, deep.replace("X", "Y"), metric="parseval|profile:none", columns=columns, fold="nothing")


@pytest.mark.parametrize("columns", (1, 20, 80, 200))
def test_deep_trees_are_cut_off(columns: int) -> None:
    lines = deep_lines(1_000, columns)
    assert len(lines) < 300
    text = re.sub(r"[ │└]+", " ", " ".join(lines))
    assert re.search(r"−≠X … \d+ levels more, \d+ not quite right: a", text) or columns < 80


@pytest.mark.long
def test_very_deep_trees_are_cut_off() -> None:
    assert len(deep_lines(100_000, 80)) < 100


def test_a_sentence() -> None:
    text = "\n".join(sentence_lines({"parsed.mrg": treescore.pair(GOLD, TEST, "parseval|profile:none")}, 60))
    assert text.startswith("sentence 1: 76.92\nparseval|labels:yes|profile:none|")
    assert text.endswith(
        """
points lost by parsed.mrg
  15.38  “with a telescope” labelled ADJP instead of PP: 2
         brackets (Different label)
      15.38  PP over "with a telescope" is missing; test has
             ADJP over the same words: minus 1.00
   7.69  NP “a cat with a telescope” is extra: 1 bracket (PP
         Attachment)
       7.69  NP over "a cat with a telescope" is extra:
             minus 0.50; in gold it is part of VP over "saw
             a cat with a telescope\""""
    )


def test_gaps() -> None:
    gold = "(S (VP (WRB 0=why) (VB 3=go)) (MD 1=did) (NP (PRP 2=he)))"
    lines = shown(gold, gold, metric="parseval|profile:none")
    assert "├ VP why … go" in lines[2]


@pytest.mark.parametrize("columns", [12, 40, 80])
def test_places_of_problems_are_seen_to_their_ends(columns: int, tmp_path: Path) -> None:
    folder = tmp_path / "a-folder-with-a-rather-long-name" / ("and-another-one-below-it-" * 3)
    folder.mkdir(parents=True)
    for name, text in (("gold.mrg", "(S (NP a) b)"), ("parsed.mrg", "(())")):
        (folder / name).write_text(f"(S a)\n{text}\n", encoding="utf-8")
    pair = treescore.evaluate(folder / "gold.mrg", folder / "parsed.mrg").pair(1)
    lines = list(sentence_lines({"parsed": pair}, columns))
    assert f"{folder}/parsed.mrg:2:" in "".join(line.strip() for line in lines)
    begin = next(place for place, line in enumerate(lines) if line.lstrip().startswith("!"))
    assert all(len(line) <= columns for line in lines[begin:])
