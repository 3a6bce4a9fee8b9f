"""Trees over time without words: all forms give the same tree, faults have a place, and nothing is scored as words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from strategies import hang_guard

import treescore
from treescore import InputError, read
from treescore.readers.textless import TextlessForms, is_textless
from treescore.speech.scoring import evaluate_speech

TREE = [[[0.1, 0.3], [0.3, 0.7]], [0.9, 1.1]]
SEGMENTS = [[0.1, 0.3], [0.3, 0.7], [0.9, 1.1]]
FORMS: list[Any] = [
    {"tree": TREE},
    {"segments": SEGMENTS, "tree": "((0 1) 2)"},
    {"segments": SEGMENTS, "tree": "(NT (NT (NT 0) (NT 1)) (NT 2))"},
    {"segments": SEGMENTS, "tree": [[0, 1], 2]},
    {"segments": SEGMENTS, "tree": [[[0], 1], [2]]},
    {"segments": [["a", *SEGMENTS[0]], *SEGMENTS[1:]], "tree": [[0, 1], 2]},
    {"segments": SEGMENTS, "spans": [[0, 2]]},
    {"segments": SEGMENTS, "spans": [[0, 3], [2, 3], [0, 2], [0, 2]]},
    {"spans": [[0.3, 0.7], [0.1, 1.1], [0.1, 0.3], [0.9, 1.1], [0.1, 0.7]]},
]
SAME = "( ( ( 0.1-0.3) ( 0.3-0.7)) ( 0.9-1.1))"


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_give_the_same_tree(form: Any) -> None:
    line = json.dumps({"id": "u1", **form})
    bank = read(line + "\n")
    assert (bank.ids, str(bank[0])) == (("u1",), SAME)
    assert bank.source.textless
    [tree] = read(json.dumps([form, form]))[:1]
    assert str(tree) == SAME


def test_pairs_from_python() -> None:
    assert str(read(TREE)[0]) == str(read([TREE])[0]) == str(read([TREE, None])[0]) == SAME
    assert str(read(json.dumps(TREE))[0]) == SAME
    assert len(read(f"{json.dumps(TREE)}\n{json.dumps(TREE)}\n")) == 2
    numpy = pytest.importorskip("numpy")
    assert len(read(numpy.array(SEGMENTS))) == 1
    assert read([numpy.array(SEGMENTS)])[0].times == [tuple(segment) for segment in SEGMENTS]
    labelled = read([["DT", 0.1, 0.2], ["NN", 0.2, 0.3]])
    assert [tree.times for tree in labelled] == [[(0.1, 0.2)], [(0.2, 0.3)]]


@pytest.mark.parametrize(
    ("form", "code", "message"),
    [
        ({"segments": [[0.1, 0.5], [0.4, 0.7]], "tree": "(0 1)"}, "overlap", "segment 1, 0.4-0.7, overlaps segment 0"),
        ({"segments": [[0.1, 0.5]], "tree": "(0 1)"}, "segments", "the tree has 2 leaves for 1 segment"),
        ({"segments": SEGMENTS, "tree": "(0 1)"}, "segments", "the tree has 2 leaves for 3 segments"),
        ({"segments": SEGMENTS, "tree": "((0 1) 1)"}, "segments", "from 0 to 2, each of them once"),
        ({"segments": SEGMENTS, "tree": "((0 a) 1)"}, "segments", "'a' in the tree is not the number of a segment"),
        ({"segments": SEGMENTS, "tree": "((0 1) 2"}, "segments", "not balanced"),
        ({"segments": SEGMENTS, "tree": [[], 1]}, "segments", "not of brackets or lists"),
        ({"segments": SEGMENTS}, "segments", 'neither "tree" nor "spans"'),
        ({"segments": [[0.5, 0.1]], "tree": "0"}, "time", "segment 0, 0.5-0.1, begins before 0, or"),
        ({"segments": [[0.5]], "tree": "0"}, "segments", "segment 0 is not a list [begin, end]"),
        ({"segments": 3, "tree": "0"}, "segments", '"segments" is not a list'),
        ({"segments": SEGMENTS, "spans": [[0, 2], [1, 3]]}, "crossing", "the spans 0-2 and 1-3 cross"),
        ({"segments": SEGMENTS, "spans": [[0, 4]]}, "segments", "span 1 is not [first, one past last] of 3 segments"),
        ({"spans": [[0.1, 0.5], [0.4, 0.7]]}, "overlap", "the spans 0.1-0.5 and 0.4-0.7 overlap"),
        ({"spans": [[0.1, 1.1], [0.1, 0.3]]}, "missing", "no span inside 0.1-1.1 ends at 1.1"),
        ({"spans": []}, "segments", "there are no spans"),
        ({"tree": [[0.1, 0.4], [0.3, 0.7]]}, "overlap", "the segments 0.1-0.4 and 0.3-0.7 overlap"),
        ({"tree": [[0.1, 0.4], "x"]}, "segments", "item 2 is neither a leaf"),
        ({"tree": [[0.1, 0.4], []]}, "segments", "item 2 is neither a leaf"),
    ],
)
def test_faults_have_a_place(form: Any, code: str, message: str) -> None:
    good = json.dumps({"id": "good", "tree": TREE})
    text = f"{good}\n{json.dumps({'id': 'bad', **form})}\n"
    bank = read(text, on_error="keep", name="a.jsonl")
    [problem] = bank.problems
    assert (problem.code, problem.file, problem.line, problem.unit) == (code, "a.jsonl", 2, 2)
    assert message in problem.message
    assert [tree.times is not None and len(tree.leaves) for tree in bank] == [3, 0]
    with pytest.raises(InputError):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "((5-15 15-35) 45-55)",
        "(5-15 15-35)\n()\n",
        "u1\t((5-15 15-35) 45-55)\n",
        '{"tree": "((5-15 15-35) 45-55)"}',
        '{"id": "u1", "tree": [[[5, 15], [15, 35]], [45, 55]]}',
        '{"segments": [[5, 15], [15, 35]], "tree": "(0 1)"}',
        '{"spans": [[5, 15], [15, 35]]}',
    ],
)
def test_whole_numbers_need_a_unit(text: str) -> None:
    for on_error in ("keep", "raise"):
        with pytest.raises(InputError, match="give it \\(--times-unit"):
            read(text, on_error=on_error)
    for unit, expected in (("frames:0.02", [(0.1, 0.3), (0.3, 0.7)]), ("s", [(5.0, 15.0), (15.0, 35.0)])):
        assert (read(text, unit=unit)[0].times or [])[:2] == expected
    with pytest.raises(treescore.UsageError, match="the unit of times must be"):
        read(text, unit="frames")


def test_years_are_words() -> None:
    for text in ("(CD 1990-1995)", "(S (CD 1-2) (CD 3:4))"):
        assert read(text)[0].times is None
    assert read("(CD 1990-1995)", unit="ms")[0].times == [(1.99, 1.995)]
    assert read("(NP (CD 1990-1995) (NN years))", unit="ms")[0].times is None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.mrg").write_text("(S (NP (DT a) (NN b)) (VP (VB c)))\n" * 2)
    lines = [
        f"u{n} A {start} {length} {word}"
        for n in (1, 2)
        for start, length, word in ((0.1, 0.2, "a"), (0.3, 0.4, "b"), (0.9, 0.2, "c"))
    ]
    (tmp_path / "gold.ctm").write_text("\n".join(lines) + "\n")
    return tmp_path


def scored(folder: Path, **options: Any) -> treescore.Report:
    return evaluate_speech(folder / "gold.mrg", folder / "test.txt", gold_times=folder / "gold.ctm", **options)


def test_an_unreadable_tree_brings_no_word_errors(folder: Path) -> None:
    bad = json.dumps({"segments": [[0.1, 0.5], [0.4, 0.7]], "tree": "(0 1)"})
    (folder / "test.txt").write_text(f"{json.dumps({'tree': TREE})}\n{bad}\n")
    report = scored(folder)
    assert {metric.name for metric in report.metrics} == {"struct_iou", "boundaries"}
    assert "overlap" in {problem.code for problem in report.problems}
    assert "one side has no words: no SParseval, no word error rate" in report.remarks


@pytest.mark.parametrize(
    "text",
    [
        "(NT (NT 0.1 0.3) (NT 0.3 0.7))\n",
        "(NT (NT 1-3) (NT 3-7))\n",
        "((0.1 0.3) (0.3 0.7))\n",
        "(NT (NT 5 15) (NT 15 35))\n",
        "((0 1) (2 3))\n",
    ],
)
def test_times_that_are_no_spans_are_refused(folder: Path, text: str) -> None:
    (folder / "test.txt").write_text(text * 2)
    with pytest.raises(InputError, match="seem to be times"):
        scored(folder)


def test_the_unit_is_that_of_the_spans(folder: Path) -> None:
    (folder / "test.txt").write_text("((5-15 15-35) 45-55)\n" * 2)
    report = scored(folder, times_unit="frames:0.02")
    assert report["struct_iou"].value == pytest.approx(10 / 11)
    assert scored(folder, times_unit="s,frames:0.02")["struct_iou"].value == report["struct_iou"].value
    (folder / "test.txt").write_text("((0.1-0.3 0.3-0.7) 0.9-1.1)\n" * 2)
    assert scored(folder)["struct_iou"].value == report["struct_iou"].value


def test_segments_by_place(folder: Path) -> None:
    (folder / "test.txt").write_text("(X (X (X 1) (X 2)) (X 3))\n(X (X 1) (X 2))\n")
    line = json.dumps({"words": [["x", *segment] for segment in SEGMENTS]})
    (folder / "segments.jsonl").write_text(f"{line}\n{line}\n")
    report = scored(folder, test_times=folder / "segments.jsonl", attach="auto,place")
    assert [str(problem.message) for problem in report.problems if problem.code == "no-times"][:1] == [
        "3 segments with times for 2 leaves"
    ]


@st.composite
def trees(draw: st.DrawFn) -> Any:
    """A tree of pairs over consecutive segments, with gaps."""
    items: list[Any] = []
    at = 0
    for _ in range(draw(st.integers(2, 12))):
        begin = at + draw(st.integers(0, 3))
        at = begin + draw(st.integers(1, 5))
        items.append([begin / 8, at / 8])
    while len(items) > 1:
        place = draw(st.integers(0, len(items) - 2))
        size = draw(st.integers(2, min(4, len(items) - place)))
        items[place : place + size] = [items[place : place + size]]
    return items[0]


def spans_of(tree: Any) -> list[list[float]]:
    """All nodes as begin and end."""
    if isinstance(tree[0], float):
        return [tree]
    inside = [spans_of(child) for child in tree]
    flat = [span for spans in inside for span in spans]
    return [[min(span[0] for span in flat), max(span[1] for span in flat)], *flat]


@given(trees(), st.randoms(use_true_random=False))
def test_spans_in_any_order_give_the_tree(tree: Any, random: Any) -> None:
    spans = spans_of(tree)
    random.shuffle(spans)
    expected = TextlessForms().nested({"tree": tree})
    assert TextlessForms().nested({"spans": spans}) == expected
    bank = read([tree])
    assert str(bank[0]) == str(read(json.dumps({"spans": spans}))[0])
    whole = [[round(time * 8) for time in span] for span in spans]
    assert TextlessForms(0.125).nested({"spans": whole}) == expected


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.floats(0, 3)
    | st.sampled_from(["(0 1)", "((0 1) 2)", ")", "x"]),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["segments", "spans", "tree"]), JSON))
def test_odd_objects_are_problems(item: Any) -> None:
    if not is_textless(item):
        return
    try:
        bank = read(
            json.dumps({"id": "u", **item}) + '\n{"id": "v", "tree": [[0.25, 0.5], [0.5, 1.0]]}\n', on_error="keep"
        )
    except InputError as error:
        assert error.problem.message
        return
    assert len(bank) == 2
    assert bool(bank.problems) != bool(bank[0].leaves)


def test_depth() -> None:
    deep: Any = [0.5, 1.0]
    for number in range(20_000):
        deep = [deep, [1.0 + number, 1.5 + number]]
    with hang_guard():
        assert len(TextlessForms().nested({"tree": deep})) == 2
        text = "(" * 20_000 + "0 1)" + ")" * 19_999
        assert TextlessForms().nested({"segments": SEGMENTS[:2], "tree": text})[1][0] == ["", 0.1, 0.3]
        with pytest.raises(InputError):
            TextlessForms().nested({"segments": SEGMENTS, "tree": text})
