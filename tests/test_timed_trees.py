"""Trees that carry their own times or names: spans in brackets, lines with ids, JSON lines, NXT-Switchboard."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from strategies import RANDOMS, hang_guard

import treescore
from treescore import InputError, TreeSyntaxError, read
from treescore.cli import main
from treescore.readers.nested import read_nested

GOLDEN = Path(__file__).parent / "golden" / "nxt"


def shape(tree: treescore.Tree) -> Any:
    """Labels and when each node starts and ends, outermost first; and the times of all words."""
    return [(node.label, node.is_preterminal, (node.times or [])) for node in tree.nodes()], tree.times


# ---------------------------------------------------------------------------------------------------------------------
# Spans


@pytest.mark.parametrize(
    ("text", "written", "times"),
    [
        ("(NP 0.15-0.39 0.39-0.59)", "(NP ( 0.15-0.39) ( 0.39-0.59))", [(0.15, 0.39), (0.39, 0.59)]),
        ("(S (NP (X 0.1-0.2)) 0.2-0.5)", "(S (NP (X 0.1-0.2)) ( 0.2-0.5))", [(0.1, 0.2), (0.2, 0.5)]),
        ("((0.1-0.2 0.2-0.3) 0.3-0.4)", "( ( ( 0.1-0.2) ( 0.2-0.3)) ( 0.3-0.4))",
         [(0.1, 0.2), (0.2, 0.3), (0.3, 0.4)]),
        ("( 0.1-0.2 0.2-0.3 0.3-0.4)", "( ( 0.1-0.2) ( 0.2-0.3) ( 0.3-0.4))",
         [(0.1, 0.2), (0.2, 0.3), (0.3, 0.4)]),
        ("(0.1-0.2 (X 0.2-0.3))", "( ( 0.1-0.2) (X 0.2-0.3))", [(0.1, 0.2), (0.2, 0.3)]),
        ("((0.1-0.2) (X 0.2-0.3))", "( ( 0.1-0.2) (X 0.2-0.3))", [(0.1, 0.2), (0.2, 0.3)]),
        ("(S (X 0.5-0.6) (0.1-0.2 0.2-0.3))", "(S ( ( 0.1-0.2) ( 0.2-0.3)) (X 0.5-0.6))",
         [(0.1, 0.2), (0.2, 0.3), (0.5, 0.6)]),
        ("((0.1-0.2) (0.2-0.3))", "( ( 0.1-0.2) ( 0.2-0.3))", [(0.1, 0.2), (0.2, 0.3)]),
        ("(X 0:1.5)", "(X 0:1.5)", [(0.0, 1.5)]),
        ("(X 1e-3-25e-1)", "(X 1e-3-25e-1)", [(0.001, 2.5)]),
        ("(X .5-1.)", "(X .5-1.)", [(0.5, 1.0)]),
        ("(X 0.1-0.30000000000000000000004)", None, [(0.1, 0.3)]),
        ("(S (A 0.1-0.2000005) (B 0.2-0.3))", None, [(0.1, 0.2000005), (0.2000005, 0.3)]),
        ("(S (E ) (A 0.1-0.2))", "(S (E) (A 0.1-0.2))", [(0.1, 0.2)]),
        ("(S (A 0.3-0.4) (E ) (B 0.1-0.2))", "(S (B 0.1-0.2) (A 0.3-0.4) (E))", [(0.1, 0.2), (0.3, 0.4)]),
    ],
)  # fmt: skip
def test_spans(text: str, written: str | None, times: list[tuple[float, float]]) -> None:
    bank = read(text)
    assert bank[0].times == times
    assert written is None or str(bank[0]) == written
    assert not bank.problems


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("(S 0.1-0.2 dog)", "span", "'dog' is not a span"),
        ("(S 0.1-0.2 nan-0.3)", "span", "'nan-0.3' is not a span"),
        ("(S 0.1-0.2 0.3-1e)", "span", "not a span"),
        ("(S (A 0.2-0.1))", "time", "ends before it starts"),
        ("(S (A 0.2-0.2))", "time", "has no length"),
        ("(S (A -0.2-0.2))", "time", "from 0 to 1e300"),
        ("(S (A 0.2-1e400))", "time", "from 0 to 1e300"),
        ("(S (A 0.2-1e999999999999))", "time", "from 0 to 1e300"),
        ("(S (A 0.1-0.3) (B 0.2-0.4))", "overlap", "'0.2-0.4' overlaps"),
        ("(S (A 0.1-0.2) (B 0.1-0.2))", "overlap", "overlaps"),
        ("(S (A 0.1-0.2 0.3-0.4) (B 0.2-0.3))", "overlap", "'0.2-0.3' overlaps"),
    ],
)
def test_faulty_spans(text: str, code: str, message: str) -> None:
    good = "(S (A 0.5-0.7))\n"
    bank = read(good + text + "\n" + good, on_error="keep")
    assert list(map(str, bank)) == ["(S (A 0.5-0.7))", "()", "(S (A 0.5-0.7))"]
    assert [bank.native.faulty(index) for index in range(3)] == [False, True, False]
    problem, *more = bank.problems
    assert not more
    assert (problem.code, problem.line, problem.unit) == (code, 2, 2)
    assert message in problem.message
    with pytest.raises(TreeSyntaxError, match=r"<text>:2: "):
        read(good + text + "\n" + good)


def test_text_is_never_taken_for_spans() -> None:
    for text in ("(CD 1990-1995)", "(S (CD 1-2) (CD 3:4))", "(S (NN a) (CD 0.1-0.2))", "(S (CD 0.1-0.2)) (S (NN a))"):
        assert read(text)[0].times is None
        assert not read(text).problems
    assert read("(CD 0.5-1.5)", form="brackets")[0].times is None
    assert read("(CD 1990-1995)", form="spans")[0].times == [(1990.0, 1995.0)]
    assert read("(S (NN a))" * 40 + "(X 0.1-0.2)" * 100)[60].times is None  # settled by the first trees
    bank = read(["(X 0.1-0.2)", "()", "(X 1-2)"])
    assert [tree.times for tree in bank] == [[(0.1, 0.2)], None, [(1.0, 2.0)]]
    assert read(["(X 0.1-0.2)", None])[0].times == [(0.1, 0.2)]


def test_other_faults_are_kept_beside_those_of_spans() -> None:
    bank = read("(X 0.1-0.2)\n(X 0.1-0.2\n(X 0.3-0.2)\n(X 0.3-0.4)\n(X 1.5-2.5)\n", on_error="keep")
    assert [(problem.code, problem.unit, problem.line) for problem in bank.problems] == [
        ("unclosed", 2, 2),
        ("time", 3, 3),
    ]
    assert repr(bank) == "<Treebank: 5 trees from <text>, 2 not readable>"


def make_nested(rng: Random) -> Any:
    """A nested list with times on a grid, phrases without labels and words without tags."""
    at = rng.randint(0, 100)
    words = []
    for _ in range(rng.randint(1, 7)):
        end = at + rng.randint(1, 50)
        words.append((at / 64, end / 64))
        at = end + rng.choice((0, 0, 7))

    def build(first: int, last: int) -> Any:
        if last - first == 1:
            leaf: Any = [rng.choice(("DT", "NN", "")), *words[first]]
            return ["NP", [leaf]] if rng.random() < 0.3 else leaf
        cuts = sorted({first, last, *(rng.randint(first, last) for _ in range(rng.randint(1, 3)))})
        if len(cuts) == 2:
            cuts.insert(1, first + 1)
        children = [build(begin, end) for begin, end in pairwise(cuts)]
        return [rng.choice(("S", "VP", "")), children]

    return build(0, len(words))


def written(item: Any, rng: Random) -> str:
    """The same in brackets, siblings in any order."""
    if len(item) == 3:
        joint = rng.choice("-:")
        span = f"{item[1]!r}{joint}{item[2]!r}"
        return span if item[0] is None else f"({item[0]} {span})"
    children = [written(child, rng) for child in item[1]]
    if rng.random() < 0.3:
        rng.shuffle(children)
    return f"({item[0]} {' '.join(children)})"


@given(RANDOMS)
@settings(max_examples=100)
def test_usual_nested_lists_are_read_as_all_others(rng: Random) -> None:
    """There is a fast way for lists in the order of time; tuples go the other one."""
    tree = make_nested(rng)

    def floats(node: Any) -> Any:
        return list(map(floats, node)) if isinstance(node, list) else float(node) if isinstance(node, int) else node

    def tuples(node: Any) -> Any:
        return tuple(map(tuples, node)) if isinstance(node, list) else node

    first, other = (read_nested([given]) for given in (floats(tree), tuples(tree)))
    assert (str(first[0]), first[0].times) == (str(other[0]), other[0].times)


def test_lists_that_contain_themselves() -> None:
    for before in ([], [["B", 0.0, 1.0]], [["B", 0.0, 0.0, "."]]):
        tree: list[Any] = ["A", [*before]]
        tree[1].append(tree)
        with hang_guard(), pytest.raises(TreeSyntaxError, match="contains itself"):
            read([tree])


@given(RANDOMS)
@settings(max_examples=100)
def test_spans_are_nested_lists_in_brackets(rng: Random) -> None:
    trees = [make_nested(rng) for _ in range(3)]
    expected = read_nested(trees)
    bank = read("".join(written(tree, rng) + "\n" for tree in trees), form="spans")
    assert [shape(tree) for tree in bank] == [shape(tree) for tree in expected]
    lines = list(expected.lines(form="spans"))
    assert [shape(tree) for tree in read(lines)] == [shape(tree) for tree in expected]
    assert list(read(lines).lines(form="spans")) == lines


@given(st.lists(st.floats(0, 1e300, exclude_min=True), min_size=2, unique=True).map(sorted))
@settings(max_examples=100)
def test_numbers_survive(numbers: list[float]) -> None:
    pairs = list(zip(numbers[::2], numbers[1::2], strict=False))
    bank = read_nested([["S", [["X", *pair] for pair in pairs]]])
    again = read(list(bank.lines(form="spans")))
    assert again[0].times == pairs
    assert all(len(leaf) <= 50 for leaf in again[0].leaves)


DIGITS = st.text("0123456789", max_size=25)
EXPONENTS = st.just("") | st.builds("{}{}{}".format, st.sampled_from("eE"), st.sampled_from("+- "), st.integers(0, 350))


@given(DIGITS, st.sampled_from(["", ".", "..", "_"]), DIGITS, EXPONENTS)
def test_numbers_are_those_of_python(whole: str, point: str, fraction: str, exponent: str) -> None:
    text = f"{whole}{point}{fraction}{exponent}".replace(" ", "")
    bank = read(f"(X 0.0-{text})", form="spans", on_error="keep")
    try:
        value = float(text.replace("_", "x"))
    except ValueError:
        assert bank.problems[0].code == "span"
        return
    assert bank[0].times == ([(0.0, value)] if 0 < value <= 1e300 else None)


def test_writing_spans() -> None:
    silent = treescore._core.TreeBuilder()
    silent.open(b"S")
    silent.leaf(b"a", b"NN")
    silent.open(b"NP")
    silent.leaf(b"*", b"-NONE-")
    silent.close()
    silent.leaf(b".", b".")
    silent.close()
    silent.set_times([(1.0, 2.0), (2.0, 2.0), (2.0, 2.0)])
    silent.finish(1)
    silent.finish(2)
    bank = treescore.Treebank(silent.trees())
    assert list(bank.lines(form="spans")) == ["(S (NN 1.0-2.0))", "()"]
    with pytest.raises(ValueError, match="tree 2 has no times"):
        list(read(["()", "(NN a)"]).lines(form="spans"))
    with pytest.raises(ValueError, match="times before 0"):
        list(read_nested([["NN", -1.0, 2.0]]).lines(form="spans"))


def test_deep_and_wide_trees() -> None:
    with hang_guard(60):
        depth = 100_000
        deep = read("(X " * depth + "(Y 0.1-0.2) 0.2-0.3" + ")" * depth)
        assert deep[0].times == [(0.1, 0.2), (0.2, 0.3)]
        backwards = read("(S " + " ".join(f"(X {at}.0-{at + 1}.0)" for at in range(100_000, 0, -1)) + ")")
        assert backwards[0].times is not None and backwards[0].times[0] == (1.0, 2.0)
        down = read("".join(f"(X {at}.0-{at + 1}.0 " for at in range(depth, 0, -1)) + "(Y 0.5-0.7)" + ")" * depth)
        assert down[0].times is not None and down[0].times[0] == (0.5, 0.7)
        assert next(iter(down.lines(form="spans"))).startswith("(X (X ")


# ---------------------------------------------------------------------------------------------------------------------
# Names


def test_named_trees() -> None:
    bank = read("u1\t(S (NN a))\r\n\nu 2\t \nu3\t(NP 0.1-0.2)\n")
    assert bank.ids == ("u1", "u 2", "u3")
    assert list(map(str, bank)) == ["(S (NN a))", "()", "(NP 0.1-0.2)"]
    assert [bank.line(index) for index in range(3)] == [1, 3, 4]
    assert read("u1\t(X 0.1-0.2 0.2-0.3)")[0].times == [(0.1, 0.2), (0.2, 0.3)]
    assert read("u1\t(S (VP (WRB 0=why) (VB 2=go)) (PRP 1=he))").is_discontinuous
    assert read("\ufeffu1\t(S (NN a))\n").ids == ("u1",)


def test_faults_of_named_trees() -> None:
    bank = read("u1\t(S (NN a))\nu2\t(S (NN b)\n(S (NN c))\n\t(S (NN d))\nné\t(S (NN e)))\n", on_error="keep")
    assert bank.ids == ("u1", "u2", "<line 3>", "<line 4>", "né")
    assert [(problem.code, problem.line, problem.column, problem.unit) for problem in bank.problems] == [
        ("unclosed", 2, 4, 2),
        ("no-id", 3, 1, 3),
        ("no-id", 4, 1, 4),
        ("surplus", 5, 14, 5),
    ]
    assert [bank.native.faulty(index) for index in range(5)] == [False, True, True, False, True]
    assert "--layout" not in bank.problems[0].message
    with pytest.raises(TreeSyntaxError, match=r"<text>:2:4: "):
        read("u1\t(S (NN a))\nu2\t(S (NN b)\n")


def test_what_is_not_named() -> None:
    assert read("    \t\n" * 1000 + "(S (NN a))").ids is None
    assert read("u1\t\n" * 20 + "u2\t(S (NN a))").ids == ("u1",) * 20 + ("u2",)
    assert read("(S (NN a))\tcomment", on_error="keep").ids is None
    conllu = "1\t(\t(\tPUNCT\t_\t_\t0\troot\t_\t_\n\n"
    with pytest.raises(InputError, match="CoNLL-U"):
        read(conllu)
    for text in ("u1\t(S (NN a))\n\n", '{"tree": "(S (NN a))"}\n\n'):
        assert len(read(text)) == 1
        assert len(read(text, layout="line", on_error="keep")) == 2


def test_named_trees_are_paired_by_name(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("a\t(S (NN x))\nb\t(S (NP (NN y) (NN z)))\n")
    lines = [{"id": "b", "tree": "(S (NP (NN y) (NN z)))"}, {"id": "a", "tree": "(S (NN x))"}]
    (tmp_path / "test").write_text("".join(json.dumps(line) + "\n" for line in lines))
    report = treescore.evaluate(tmp_path / "gold", tmp_path / "test")
    assert report.scores[0].value == 1
    assert [problem.message for problem in report.problems] == [
        "the sentences of gold and test are in different orders"
    ]


def jsonl(*items: Any) -> str:
    return "".join((item if isinstance(item, str) else json.dumps(item)) + "\n" for item in items)


def test_json_lines() -> None:
    bank = read(
        jsonl(
            {"id": "u1", "tree": "(S (NN a))"},
            "",
            {"id": 2, "tree": ["NP", [["DT", 0.15, 0.39], ["NN", 0.39, 0.8, "cat"]]]},
            {"tree": None, "id": "é"},
            {"id": "u4", "tree": "(S\n  (NN then))", "words": [["then", 0.15, 0.39]]},
        )
    )
    assert bank.ids == ("u1", "2", "é", "u4")
    assert list(map(str, bank)) == ["(S (NN a))", "(NP (DT 0.15-0.39) (NN cat))", "()", "(S (NN then))"]
    assert [tree.times for tree in bank] == [None, [(0.15, 0.39), (0.39, 0.8)], None, None]
    assert [bank.line(index) for index in range(4)] == [1, 3, 4, 5]
    assert read(jsonl({"tree": "(NN a)"}, {"tree": "(NN b)"})).ids is None
    assert read(jsonl({"tree": "(NP 0.1-0.2 0.3-0.4)"}))[0].times == [(0.1, 0.2), (0.3, 0.4)]
    parts = read(jsonl({"tree": "(X 0.1-0.2)"}, {"tree": ["X", 0.3, 0.4]}, {"tree": "(X 1-2)"}))
    assert [tree.times for tree in parts] == [[(0.1, 0.2)], [(0.3, 0.4)], [(1.0, 2.0)]]


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ('{"id": "b", "tree"}', "json", 19),
        ("[1]", "json", 1),
        ('{"id": ["b"], "tree": "(S (NN a))"}', "json", 1),
        ('{"id": "b"}', "json", 1),
        ('{"id": "b", "tree": 1}', "json", 1),
        ('{"id": "b", "tree": [1, 2]}', "json", 1),
        ('{"id": "b", "tree": ["S", [["X", 0.5, 0.2]]]}', "nested", None),
        ('{"id": "b", "tree": ["S", [["X", 0.5, NaN]]]}', "nested", None),
        ('{"id": "b", "tree": "(S (NN b)"}', "unclosed", None),
        ('{"id": "b", "tree": "a"}', "loose-text", None),
        ('{"id": "b", "tree": ' + "[" * 200_000, "json", 1),
        ('{"id": "b", "tree": ' + "1" * 10_000 + "}", "json", 1),
        ('{"id": "b", "tree": "\xff', "json", 21),
    ],
)
def test_faults_of_json_lines(line: str, code: str, column: int | None) -> None:
    text = jsonl({"id": "a", "tree": "(S (NN a))"}, line, {"id": "c", "tree": "(S (NN c))"})
    bank = read(text.encode("latin-1"), on_error="keep")
    assert list(map(str, bank)) == ["(S (NN a))", "()", "(S (NN c))"]
    problem, *more = bank.problems
    assert not more
    assert (problem.code, problem.line, problem.unit) == (code, 2, 2)
    assert problem.column == column
    assert bank.native.faulty(1)
    assert bank.ids is not None and bank.ids[1] in ("b", "<line 2>")


def test_a_missing_id_is_a_problem() -> None:
    bank = read(jsonl({"id": "a", "tree": "(S (NN a))"}, {"tree": "(S (NN b))"}), on_error="keep")
    assert bank.ids == ("a", "<line 2>")
    assert str(bank[1]) == "(S (NN b))"
    assert str(bank.problems[0]) == "<text>:2:1: this tree has no id, but others have (named <line 2>)"
    assert repr(bank) == "<Treebank: 2 trees from <text>, 1 problem>"


# ---------------------------------------------------------------------------------------------------------------------
# NXT-Switchboard

ROOT = '<nite:root xmlns:nite="http://nite.sourceforge.net/">'


def nxt(folder: Path, syntax: str, terminals: str, *, beside: bool = True, encoding: str = "latin-1") -> Path:
    """A pair of files with these elements, which declare Latin 1."""
    here = folder / "syntax"
    there = here if beside else folder / "terminals"
    here.mkdir(exist_ok=True)
    there.mkdir(exist_ok=True)
    declared = '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
    syntax = syntax.replace("@", 'nite:child href="sw1.A.terminals.xml#id')
    (here / "sw1.A.syntax.xml").write_text(f"{declared}{ROOT}\n{syntax}\n</nite:root>", encoding)
    (there / "sw1.A.terminals.xml").write_text(f"{declared}{ROOT}\n{terminals}\n</nite:root>", encoding)
    return here / "sw1.A.syntax.xml"


WORDS = """<word nite:id="w1" nite:start="0.5" nite:end="1.0" orth="caf\xe9" pos="NN"/>
<sil nite:id="x"/><punc nite:id="p1">,</punc>
<word nite:id="w2" nite:start="n/a" nite:end="n/a" orth="uh" pos="UH"/><trace nite:id="t1"/>
<word nite:id="w3" nite:start="1.5" nite:end="2.0" orth="go" pos="VB"/><punc nite:id="p2">.</punc>"""


def test_the_golden_files() -> None:
    expected = "(NP (XX your) (XX turn) (S (VP (XX to) (VP (XX speak) (ADVP-TMP (XX now))))))"
    times = [(0.0, 0.18), (0.18, 0.52), (0.52, 0.67), (0.67, 1.04), (1.04, 1.48)]
    bank = read(GOLDEN / "sw0001.A.syntax.xml")
    assert (str(bank[0]), bank[0].times, bank.ids, bank.line(0)) == (expected, times, ("s1",), 3)
    folder = read(GOLDEN)
    assert (str(folder[0]), folder[0].times, folder.ids) == (expected, times, ("sw0001.A.s1",))


def test_nxt(tmp_path: Path) -> None:
    tree = """<parse nite:id="s1"><nt cat="S" subcat="IMP,UNF"><nt cat="VP"><@(w3)"/></nt>
    <nt cat="NP"><@(w1)..id(t1)"/></nt><@(p2)"/></nt></parse>"""
    bank = read(nxt(tmp_path, tree, WORDS, beside=False), on_error="keep")
    assert str(bank[0]) == "(S-IMP-UNF (NP (NN café) (, ,) (UH uh) (-NONE- *)) (VP (VB go)) (. .))"
    assert bank[0].times == [(0.5, 1.0), (1.0, 1.0), (1.0, 1.5), (1.5, 1.5), (1.5, 2.0), (2.0, 2.0)]
    assert [str(problem).partition(": ")[2] for problem in bank.problems] == [
        "1 word without a time, first 'uh' (time taken from the neighbours)"
    ]
    assert read(tmp_path).ids == ("sw1.A.s1",)  # a note is no reason to stop
    assert treescore.evaluate(bank, bank).scores[0].value == 1


@pytest.mark.parametrize(
    ("times", "expected", "codes"),
    [
        ([("0", "1"), ("0.5", "2")], [(0.0, 0.5), (0.5, 2.0)], ["overlap"]),
        ([("0", "1.0000005"), ("1", "2")], [(0.0, 1.0), (1.0, 2.0)], []),
        ([("1", "2"), ("0.5", "3")], [(1.0, 1.5), (1.5, 2.0)], ["order", "untimed"]),
        ([("1", "2"), ("3", "2.5"), ("4", "5")], [(1.0, 2.0), (2.0, 4.0), (4.0, 5.0)], ["time", "untimed"]),
        ([("1", "1"), ("-2", "2"), ("4", "5.5")], [(4.0, 4.5), (4.5, 5.0), (5.0, 5.5)], ["time", "time", "untimed"]),
        ([("non-aligned", ""), ("nan", "inf")], None, ["time", "no-times"]),
    ],
)  # fmt: skip
def test_odd_times(tmp_path: Path, times: list[tuple[str, str]], expected: Any, codes: list[str]) -> None:
    words = "".join(
        f'<word nite:id="w{number}" nite:start="{start}" nite:end="{end}" orth="ab"/>'
        for number, (start, end) in enumerate(times)
    )
    tree = f'<parse nite:id="s"><nt cat="S"><@(w0)..id(w{len(times) - 1})"/></nt></parse>'
    bank = read(nxt(tmp_path, tree, words), on_error="keep")
    assert bank[0].times == (None if expected is None else [pytest.approx(time) for time in expected])
    assert [problem.code for problem in bank.problems] == codes
    assert len(bank[0].leaves) == len(times)
    for problem in bank.problems:  # each where it is
        whole = problem.code in ("untimed", "no-times")
        assert (Path(problem.file or "").name, problem.unit) == (f"sw1.A.{'syntax' if whole else 'terminals'}.xml", 1)
        assert problem.line == 3


def test_ids_of_words_differ(tmp_path: Path) -> None:
    path = nxt(tmp_path, '<parse nite:id="s"><nt cat="S"><@(w1)"/></nt></parse>', f"{WORDS}\n{WORDS}")
    with pytest.raises(InputError, match=r"terminals\.xml:7: there are two terminals 'w1'"):
        read(path)
    bank = read(path, on_error="keep")
    assert (str(bank[0]), {problem.code for problem in bank.problems}) == ("(S (NN café))", {"same-id"})


@pytest.mark.parametrize("name", ["utf-8", "cp1251"])
def test_another_encoding_is_that_of_both_files(tmp_path: Path, name: str) -> None:
    words = '<word nite:id="w" nite:start="0" nite:end="1" orth="да"/>'
    path = nxt(tmp_path, '<parse nite:id="s"><nt cat="СС"><@(w)"/></nt></parse>', words, encoding=name)
    assert str(read(path, encoding=name)[0]) == "(СС да)"
    assert str(read(tmp_path, encoding=name)[0]) == "(СС да)"


@pytest.mark.parametrize(
    ("tree", "code"),
    [
        ('<nt cat="S"><@(w9)"/></nt>', "reference"),
        ('<nt cat="S"><nite:child href="w1"/></nt>', "reference"),
        ('<nt cat="S"><@(w1)"/><@(w1)"/></nt>', "twice"),
        ('<nt cat="S"><nt cat="A"><@(w1)"/><@(w3)"/></nt><@(w2)"/></nt>', "discontinuous"),
    ],
)
def test_faults_of_nxt(tmp_path: Path, tree: str, code: str) -> None:
    good = '<parse nite:id="b"><nt cat="S"><@(w1)"/><nt cat="E"/></nt></parse>'
    path = nxt(tmp_path, f'<parse nite:id="a">{tree}</parse>\n{good}', WORDS)
    bank = read(path, on_error="keep")
    assert list(map(str, bank)) == ["()", "(S (NN café) (E))"]
    assert [(problem.code, problem.line, problem.unit) for problem in bank.problems] == [(code, 3, 1)]
    assert bank.ids == ("a", "b")
    with pytest.raises(TreeSyntaxError):
        read(path)


def test_files_that_nxt_cannot_do_without(tmp_path: Path) -> None:
    path = nxt(tmp_path, '<parse nite:id="a"><nt cat="S"><@(w1)"/></nt></parse>', WORDS)
    with pytest.raises(InputError, match="give the path"):
        read(path.read_text("latin-1"))
    (tmp_path / "syntax" / "sw1.A.terminals.xml").rename(tmp_path / "other.xml")
    with pytest.raises(InputError, match=r"sw1\.A\.syntax\.xml:3: .*'sw1\.A\.terminals\.xml', which is neither"):
        read(path)
    with pytest.raises(InputError, match="no trees of NXT"):
        read(nxt(tmp_path, "", ""))
    with pytest.raises(InputError, match="no files of the format nxt"):
        read(GOLDEN.parent.parent, form="nxt")
    with pytest.raises(OSError):
        read(GOLDEN.parent.parent)


def test_deep_nxt(tmp_path: Path) -> None:
    depth = 20_000
    deep = '<nt cat="X">' * depth + '<@(w1)"/>' + "</nt>" * depth
    with hang_guard(60):
        bank = read(nxt(tmp_path, f'<parse nite:id="a">{deep}</parse>', WORDS))
        assert bank.native.node_count(0) == depth and bank[0].times == [(0.5, 1.0)]


# ---------------------------------------------------------------------------------------------------------------------
# The command


def test_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "gold").write_text("u1\t(S (X 0.5-1.0) (Y 1.0-2.0))\n")
    (tmp_path / "test").write_text("u1\t(S (X 0.5-1.0) (Y 1.0-2.0))\n")
    (tmp_path / "years").write_text("(CD 1990-1995)\n")
    gold, test, years = (str(tmp_path / name) for name in ("gold", "test", "years"))
    assert main([gold, test, "-m", "struct_iou|axis:seconds"]) == 0
    assert "100.00" in capfd.readouterr().out
    assert main([years, years, "-m", "struct_iou|axis:seconds", "--input-format", "spans"]) == 0
    assert main([years, years, "-m", "struct_iou|axis:seconds"]) == 2
    assert main([str(GOLDEN), str(GOLDEN), "-m", "struct_iou|axis:seconds"]) == 0
