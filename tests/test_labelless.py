"""Brackets without labels, in which all tokens are words, and trees as nested lists of words."""

from __future__ import annotations

import io
import json
import lzma
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from command import treescore_inside
from hypothesis import given
from strategies import RANDOMS

import treescore
from treescore import Treebank, read
from treescore.scale.pairs import check_metrics, score_columns
from treescore.scale.streams import evaluate_stream

SAMPLE = "( ( a urinal ) ( in ( a restroom ) ) )\nMISMATCH\n( hello )\n( a ( big red ball ) )\n"
GOLD = """\
(S (NP (DT a) (NN urinal)) (PP (IN in) (NP (DT a) (NN restroom))))
(S (NP (NN dogs)) (VP (VBP run)))
(S (UH hello))
(NP (DT a) (NP (JJ big) (JJ red) (NN ball)))
"""
VG_NSL = "parseval|profile:vg-nsl"


def spans_of(bank: Treebank) -> list[list[tuple[int, int]]]:
    return [[(span.start, span.end) for span in tree.spans()] for tree in bank]


@pytest.mark.parametrize("layout", ["auto", "line", "multiline"])
def test_all_tokens_are_words_and_brackets_have_no_labels(layout: str) -> None:
    bank = read(SAMPLE, layout=layout)
    assert [tree.leaves for tree in bank] == [
        *(["a", "urinal", "in", "a", "restroom"], [], ["hello"], ["a", "big", "red", "ball"])
    ]
    assert spans_of(bank) == [[(0, 5), (0, 2), (2, 5), (3, 5)], [], [], [(0, 4), (1, 4)]]
    assert {span.label for tree in bank for span in tree.spans()} == {""}
    assert {tag for tree in bank for _, tag in tree.pos()} == {None}
    assert not bank.problems
    assert bank.source.labelless
    assert bank.source.remark is None


@pytest.mark.parametrize(
    "text",
    [
        "((a cat) sleeps)",
        "( ( ( a cat ) ( on ( a mat ) ) ) sleeps )",
        "((0 1) 2)",
        "( ( la maison ) est verte )",
        "( ( 一 只 ) 猫 )",
        "( ( I saw ) him )",
    ],
)
def test_a_bracket_that_begins_with_a_bracket_shows_it(text: str) -> None:
    bank = read(text)
    assert bank.source.labelless
    assert bank[0].leaves == text.replace("(", " ").replace(")", " ").split()


@pytest.mark.parametrize(
    "text",
    [
        "( (S (NP (NN tea)) (VP (VBZ helps))) (. .))",
        "( (S (VB Go)) (. .))",
        "( (S (NP the cat) (VP sleeps well)))",
        "( (IP-MAT (NP-SBJ (PRO hann)) (VBD kom)) (ID 1150.FIRST,.1))",
        "( (IP-MAT (NP-SBJ hann) (VBD kom)) (ID 1150.FIRST,.1))",
        "((wypowiedzenie (zdanie (fno (subst kot)) (ff (fin spi))) (znakkonca (interp .))))",
        "(top (smain (np (det het) (noun huis)) (verb staat)))",
        "( ( (DT the) (NN cat) ) (VBD sat) )",
        "(NP The strike)",
        "( NP (NN a))",
        "(NN a)",
        "((0.1-0.3 0.3-0.7) 0.9-1.1)",
        "()",
        "(())",
    ],
)
def test_treebanks_stay_treebanks(text: str) -> None:
    bank = read(text)
    assert not bank.source.labelless
    assert bank.source.remark is None


def test_one_tree_without_labels_does_not_change_a_treebank() -> None:
    tree = "(S (NP (DT the) (NN cat)) (VP (VBD sat)))\n"
    bank = read(tree * 3 + "( ( the cat ) sat )\n" + tree)
    assert not bank.source.labelless
    assert bank.source.remark is not None
    assert "labelless" in bank.source.remark
    assert [len(tree.leaves) for tree in bank] == [3, 3, 3, 2, 3]


def test_where_both_are_possible_a_remark_names_the_other_form() -> None:
    right = "( a ( red ( small dog ) ) )\n"
    bank = read(right, name="right.txt")
    assert bank[0].leaves == ["dog"]
    assert bank.source.remark == (
        "right.txt: the first words of its brackets were read as labels; if the brackets have no labels, choose the "
        "form labelless (--input-format labelless, or brackets,labelless if only test has none)"
    )
    assert read(right, form="labelless")[0].leaves == ["a", "red", "small", "dog"]
    pairs = "( ( a dog ) ( the cat ) )\n"
    assert read(pairs)[0].leaves == ["a", "dog", "the", "cat"]
    assert "form brackets" in str(read(pairs).source.remark)
    assert read(pairs, form="brackets")[0].leaves == ["dog", "cat"]
    for form in ("labelless", "brackets"):
        assert read(right, form=form).source.remark is None


def test_only_a_word_alone_on_its_line_stands_for_no_tree() -> None:
    bank = read("( ( a b ) c )\n  MISMATCH  \nno tree here\n( ( a b ) c ) x\n", on_error="keep", layout="line")
    assert [tree.leaves for tree in bank] == [["a", "b", "c"], [], [], []]
    assert [(problem.code, problem.line) for problem in bank.problems] == [("loose-text", 3), ("loose-text", 4)]
    assert len(read("MISMATCH\n( ( a b ) c )\nMISMATCH\n")) == 3


def test_parentheses_as_words() -> None:
    assert read("( ( **LP** a **RP** ) dog )")[0].leaves == ["-LRB-", "a", "-RRB-", "dog"]


# ---------------------------------------------------------------------------------------------------- nested lists

NESTED = [["a", "urinal"], ["in", ["a", "restroom"]]]
OTHER = ["hello", ["big", "red", "ball"]]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        (f"{json.dumps(NESTED)}\n{json.dumps(OTHER)}\n", None),
        (json.dumps([NESTED, OTHER], indent=1), None),
        (json.dumps([{"id": "u", "tree": NESTED}, {"id": "v", "tree": OTHER}]), ("u", "v")),
        (json.dumps({"u": NESTED, "v": OTHER}), ("u", "v")),
        (
            "".join(
                json.dumps({"example_id": name, "tree": tree}) + "\n"
                for name, tree in zip("uv", (NESTED, OTHER), strict=True)
            ),
            ("u", "v"),
        ),
        (
            "".join(
                json.dumps({"id": name, "tree": tree}) + "\n"
                for name, tree in zip((7, 8), (NESTED, OTHER), strict=True)
            ),
            ("7", "8"),
        ),
    ],
)
def test_nested_lists_of_words_in_json(text: str, ids: tuple[str, ...] | None, tmp_path: Path) -> None:
    path = tmp_path / "trees.json"
    path.write_text(text)
    for bank in (read(text), read(path), read(text.encode()), read(io.BytesIO(text.encode()))):
        assert [tree.leaves for tree in bank] == [
            *(["a", "urinal", "in", "a", "restroom"], ["hello", "big", "red", "ball"])
        ]
        assert spans_of(bank) == [[(0, 5), (0, 2), (2, 5), (3, 5)], [(0, 4), (1, 4)]]
        assert bank.ids == ids
        assert not bank.problems
        assert bank.source.labelless


def test_trees_in_one_list_have_their_lines() -> None:
    text = '\n[\n\n["a", "b"], "(S (NN a)",\n {"id": "u", "tree": 1},\n[\n"c", "d"], null\n]\n'
    bank = read(text.encode(), on_error="keep")
    assert [bank.line(place) for place in range(5)] == [4, 4, 5, 6, 7]
    assert [(problem.line, problem.unit) for problem in bank.problems if problem.code != "no-id"] == [(4, 2), (5, 3)]
    assert read(b'{"u":\n["a", "b"],\n"v" : ["c"]}').line(1) == 3


def test_one_line_of_json_is_one_tree_or_several() -> None:
    bank = read(json.dumps(NESTED))
    assert len(bank) == 1
    assert "choose the form json" in str(bank.source.remark)
    assert len(read(json.dumps(NESTED), form="json")) == 2
    several = read(json.dumps([NESTED, NESTED, NESTED]))
    assert len(several) == 3
    assert "choose the form jsonl" in str(several.source.remark)
    assert read(json.dumps(OTHER)).source.remark is None


def test_python_lists_of_words() -> None:
    assert [tree.leaves for tree in read([NESTED, OTHER, None])][1:] == [["hello", "big", "red", "ball"], []]
    assert read(OTHER) == read([OTHER]) == read([tuple(OTHER)])
    assert len(read(NESTED)) == 2  # a list of lists is a list of trees
    several = read([["( ( a b ) c )", "( ( a b ) c )"], OTHER])  # two gold trees of one sentence
    assert [len(bank) for bank in (several, *several.references)] == [2, 2]
    round_list: list[Any] = ["a"]
    round_list.append(round_list)
    with pytest.raises(treescore.InputError):
        read([round_list])


@pytest.mark.parametrize(
    "text", ['{"a": 1}', "[1, 2]", '[["a", "b"], 3]', "[", '{"u": [["a", 1], "b"]}', '[["a", []]]']
)
def test_other_json_is_refused_with_a_message(text: str) -> None:
    for form in ("auto", "json", "jsonl"):
        with pytest.raises(treescore.InputError) as caught:
            read(text.encode(), form=form)
        assert "\n" not in str(caught.value)
    bank = read((text + "\n" + json.dumps(OTHER)).encode(), form="jsonl", on_error="keep")
    assert [tree.leaves for tree in bank] == [[], ["hello", "big", "red", "ball"]]
    assert len(bank.problems) == 1


# ---------------------------------------------------------------------------------------------------- entry points


def test_mixed_pairs_at_every_entry_point(tmp_path: Path) -> None:
    (tmp_path / "gold.mrg").write_text(GOLD)
    (tmp_path / "test.txt").write_text(SAMPLE)
    gold, test = str(tmp_path / "gold.mrg"), str(tmp_path / "test.txt")
    report = treescore.evaluate(gold, test, VG_NSL)
    assert report.scores[0].value == 1.0
    assert report.scores[0].counts.total()["failed"] == 1
    strings = treescore.evaluate(GOLD.splitlines(), SAMPLE.splitlines(), VG_NSL)
    assert strings.scores[0].figures == report.scores[0].figures
    with Path(gold).open("rb") as first, Path(test).open("rb") as second:
        assert evaluate_stream(first, second, VG_NSL, chunk=60).scores[0].figures == report.scores[0].figures
    columns = GOLD.splitlines(), SAMPLE.splitlines()
    scored = score_columns(*columns, check_metrics(VG_NSL), form="brackets,labelless")
    assert scored.batch.counts[0].total() == report.scores[0].counts.total()
    (tmp_path / "other.txt").write_text(
        "( ( a urinal ) ( in ( a restroom ) ) )\n( dogs run )\n( hi )\n( ( a big red ) ball )\n"
    )
    for command in (["compare"], ["report", "-o", "page.html"]):
        treescore_inside(tmp_path, *command, "gold.mrg", "test.txt", "other.txt", "-m", VG_NSL)
    table = treescore_inside(tmp_path, "gold.mrg", "test.txt", "-m", VG_NSL)[0]
    assert table == treescore_inside(tmp_path, "gold.mrg", "test.txt", "-m", VG_NSL, "--chunk", "1K")[0]
    shown = treescore_inside(tmp_path, "show", "gold.mrg", "test.txt", "--id", "1")[0]
    assert "urinal" in shown


def test_rows_of_a_column_need_the_form() -> None:
    scored = score_columns(GOLD.splitlines(), SAMPLE.splitlines(), check_metrics(VG_NSL))
    assert ("labelless", 1) in [(problem.code, problem.unit) for problem in scored.batch.problems]


def test_forms_of_gold_and_test(tmp_path: Path) -> None:
    (tmp_path / "gold.mrg").write_text("(S (NP (DT a) (JJ red) (NN dog)) (VP (VBZ barks)))\n")
    (tmp_path / "test.txt").write_text("( a ( red ( dog barks ) ) )\n")
    out = treescore_inside(tmp_path, "gold.mrg", "test.txt", "-m", VG_NSL)[0]
    assert "choose the form labelless" in out
    for more in ([], ["--chunk", "1K"]):
        arguments = ["gold.mrg", "test.txt", "-m", VG_NSL, "--input-format", "brackets,labelless", *more]
        out = treescore_inside(tmp_path, *arguments)[0]
        assert "labelless" not in out
        assert "1 sentence: 1 scored" in out
    error = treescore_inside(tmp_path, "gold.mrg", "test.txt", "--input-format", "brackets,none", code=2)[1]
    assert "invalid choice 'brackets,none'" in error


def test_a_labelled_metric_says_that_labels_are_missing() -> None:
    causes = treescore.evaluate(GOLD, SAMPLE, "parseval|profile:none").causes()
    assert [(cause.code, cause.remedy) for cause in causes] == [("no_labels", "labels:no")]
    assert str(causes[0]).startswith("The brackets of test have no labels in 4 sentences: Labelled F1 0.00, or ")
    assert not treescore.evaluate(GOLD, SAMPLE, VG_NSL).causes()
    assert not treescore.evaluate(SAMPLE, SAMPLE, "parseval|profile:none").causes()
    stream = evaluate_stream(io.BytesIO(GOLD.encode()), io.BytesIO(SAMPLE.encode()), "parseval|profile:none")
    assert [cause.in_short() for cause in stream.causes()] == [causes[0].in_short()]


# ---------------------------------------------------------------------------------------------------- properties


def random_tree(rng: Random, words: list[str], most: int) -> Any:
    """A nested list over these words."""
    if len(words) == 1:
        return words[0]
    parts = rng.randint(2, min(most, len(words)))
    cuts = [0, *sorted(rng.sample(range(1, len(words)), parts - 1)), len(words)]
    return [random_tree(rng, words[begin:end], most) for begin, end in pairwise(cuts)]


def written(tree: Any, rng: Random) -> str:
    """The tree in brackets, with blanks here and there."""
    if isinstance(tree, str):
        return tree
    blanks = [rng.choice(["", " ", "  "]) for _ in range(3)]
    return f"({blanks[0]}{' '.join(written(part, rng) for part in tree)}{blanks[1]}){blanks[2]}"


def phrases(tree: Any, start: int = 0) -> Iterator[tuple[int, int]]:
    """The spans of all lists, the outermost first."""
    if isinstance(tree, str):
        return
    ends = [start]
    for part in tree:
        ends.append(ends[-1] + len(list(leaves(part))))
    yield start, ends[-1]
    for part, begin in zip(tree, ends, strict=False):
        yield from phrases(part, begin)


def leaves(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
        return
    for part in tree:
        yield from leaves(part)


@given(RANDOMS)
def test_random_trees_are_read_and_written(rng: Random) -> None:
    sizes = [rng.randint(2, 9) for _ in range(rng.randint(1, 6))]
    most = rng.choice([2, 4])
    trees = [
        random_tree(rng, [rng.choice(["a", "the", "red", "dog", "-", "NP"]) for _ in range(n)], most) for n in sizes
    ]
    lines = [written(tree, rng) for tree in trees]
    text = "\n".join(lines) + "\n"
    bank = read(text, form="labelless")
    assert [tree.leaves for tree in bank] == [list(leaves(tree)) for tree in trees]
    assert spans_of(bank) == [list(phrases(tree)) for tree in trees]
    for again in (
        *(read(lines, form="labelless"), read("\n".join(bank.lines()) + "\n", form="labelless"), read(trees)),
        read("".join(json.dumps(tree) + "\n" for tree in trees), form="jsonl"),
        read("\n".join(bank.lines(pretty=True)) + "\n", form="labelless"),
    ):
        assert again == bank
    detected = read(text)
    if detected.source.labelless:
        assert detected == bank


@given(RANDOMS)
def test_lower_case_files_with_a_left_branch_are_detected(rng: Random) -> None:
    words = ["a", "the", "red", "dog", "on", "it"]
    trees = [
        random_tree(rng, [rng.choice(words) for _ in range(rng.randint(3, 9))], 2) for _ in range(rng.randint(1, 9))
    ]
    trees.append([["the", "dog"], "barks"])
    text = "\n".join(written(tree, rng) for tree in trees) + "\n"
    assert read(text) == read(text, form="labelless")


def test_references_do_not_change_how_batches_are_read() -> None:
    gold = "( ( a urinal ) ( in ( a restroom ) ) )"
    sums = []
    for references in ((), [[gold]]):
        scorer = treescore.Scorer("parseval|profile:none")
        scorer.update([gold], [gold], references=references)
        sums.append(scorer.report().scores[0].counts.total())
    assert sums[0] == sums[1]


def recorded_texts(value: Any) -> Iterator[str]:
    """All texts and lists of lines in a file of recorded cases."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from recorded_texts(part)
    elif isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        yield "\n".join(value)
    elif isinstance(value, list):
        for part in value:
            yield from recorded_texts(part)


def test_recorded_inputs_are_read_as_before() -> None:
    folder = Path(__file__).parent / "golden"
    texts = 0
    for path in sorted((*folder.rglob("*.json"), *folder.rglob("*.json.xz"))):
        if path.is_relative_to(folder / "word_times_2026"):  # words with times, one of them cut off
            continue
        data = path.read_bytes()
        cases = json.loads(lzma.decompress(data) if path.suffix == ".xz" else data)
        for text in recorded_texts(cases):
            if text.lstrip().startswith("("):
                try:
                    bank = read(text.encode("utf-8", "surrogateescape"), on_error="keep")
                except treescore.InputError:
                    continue
                assert not bank.source.labelless, text[:200]
                texts += 1
    assert texts > 4000
