"""Head tables and head finding: trees checked by hand, what must hold for any tree, and tables of any bytes."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from strategies import RANDOMS, TREES, Phrase, Word, hang_guard, make_tree, make_words, write

import treescore
from treescore import InputError, Tree, UsageError, _core, heads
from treescore.heads import HeadFinder, HeadTable
from treescore.readers.sparseval_files import HeadLines

#: A phrase, and its head word by collins, collins-1997, charniak, hwa and semantic, the order of heads.NAMES.
CHECKED = [
    # Only Collins lets the possessive mark head its phrase ("if the last word is tagged POS, return it") …
    ("(NP (DT the) (NN dog) (POS 's))", "'s 's dog dog dog"),
    # … but that phrase does not head the larger one: the last noun does.
    ("(NP (NP (DT the) (NN dog) (POS 's)) (NN tail))", "tail tail tail tail tail"),
    # No noun: the leftmost NP.
    ("(NP (NP (NN man)) (PP (IN in) (NP (NN town))))", "man man man man man"),
    # Neither: $ comes before CD, except in charniak, where the amount is the last of both.
    ("(NP ($ $) (CD 20))", "$ $ 20 $ $"),
    # Co-ordinated NPs: the leftmost NP wins before any conjunction is looked at; punctuation is no matter.
    ("(NP (NP (NNS cats)) (, ,) (CC and) (NP (NNS dogs)))", "cats cats cats cats cats"),
    # Co-ordinated nouns: the last noun, unless the step for conjunctions moves the head over the CC.
    ("(NP (NNS cats) (CC and) (NNS dogs))", "cats dogs dogs dogs cats"),
    # … by one child only, and over a comma.
    ("(NP (NN tea) (, ,) (NN milk) (, ,) (CC and) (NN rum))", "milk rum rum rum milk"),
    # A conjunction at the beginning joins nothing.
    ("(NP (CC both) (NNS dogs))", "dogs dogs dogs dogs dogs"),
    ("(S (CC But) (NP (PRP he)) (VP (VBD left)))", "left left left left left"),
    # Two conjunctions in a row: a conjunction is never what the head moves to.
    ("(NP (NN tea) (CC and) (CC or) (NN rum))", "tea rum rum rum tea"),
    # Co-ordinated VPs and verbs: the leftmost anyway.
    ("(VP (VP (VBD came)) (CC and) (VP (VBD left)))", "came came came came came"),
    ("(VP (VBD came) (CC and) (VBD left))", "came came came came came"),
    # Unlike phrases: the rightmost, moved over the CC where there is that step; semantic starts at the left.
    ("(UCP (ADJP (JJ big)) (CC and) (NP (DT a) (NN joke)))", "big joke joke joke big"),
    # CONJP is a conjunction for semantic only, as the thesis speaks of CC.
    ("(NP (NN tea) (CONJP (RB as) (RB well) (IN as)) (NN rum))", "rum rum rum rum tea"),
    # Prepositions head their phrases everywhere.
    ("(PP (ADVP (RB just)) (IN after) (NP (NN noon)))", "after after after after after"),
    ("(WHPP (IN of) (WHNP (WP whom)))", "of of of of of"),
    # What introduces a clause heads it for Collins; a trace never does.
    ("(SBAR (IN that) (S (NP (PRP it)) (VP (VBD rained))))", "that that rained rained rained"),
    ("(SBAR (WHNP (WDT which)) (S (VP (VBD fell))))", "which which fell fell fell"),
    ("(SBAR (WHNP-1 (-NONE- 0)) (S (NP (PRP it)) (VP (VBD rained))))", "rained rained rained rained rained"),
    # WHNP: the question word or the noun it asks about.
    ("(WHNP (WDT which) (NN dog))", "which which dog which dog"),
    ("(WHADVP (WRB how) (RB often))", "how how how how often"),
    ("(WHADJP (WRB how) (JJ old))", "how how old how old"),
    # QP: Collins takes $, then IN before all numbers ("than").
    ("(QP ($ $) (CD 1.5) (CD billion))", "$ $ billion $ $"),
    ("(QP (JJR more) (IN than) (CD 20) (CD million))", "than than million than million"),
    # PRN is headed by its first child for Collins, and a round bracket is one; a comma is not.
    ("(PRN (-LRB- -LRB-) (NP (NNP Ohio)) (-RRB- -RRB-))", "-LRB- -LRB- Ohio Ohio Ohio"),
    ("(PRN (, ,) (S (NP (PRP he)) (VP (VBD said))) (, ,))", "said said said said said"),
    # FRAG: the rightmost, and never the full stop; semantic looks for content.
    ("(FRAG (NP (NN tea)) (RB not) (. .))", "not not not not tea"),
    # X and NX have no rule in the thesis: the leftmost child.
    ("(X (SYM *) (NP (NN tea)))", "* * tea * tea"),
    ("(NX (JJ warm) (NN bread))", "warm warm bread bread bread"),
    # INTJ: the first word.
    ("(INTJ (UH oh) (UH well) (, ,))", "oh oh oh oh oh"),
    # Auxiliaries: the first verb, or the innermost one.
    ("(S (NP (PRP i)) (VP (MD should) (VP (VB have) (VP (VBN gone)))))", "should should should gone gone"),
    ("(S (VP (TO to) (VP (VB go))))", "to to to go go"),
    ("(SQ (VBZ does) (NP (PRP it)) (VP (VB work)))", "does does does work work"),
    # The tag AUX is Charniak's; Collins' lists do not have it and go on to VP.
    ("(VP (AUX is) (VP (VBG going)))", "going going is going going"),
    # A copula that is tagged as a verb cannot be told from other verbs.
    ("(VP (VBZ is) (ADJP (JJ cold)))", "is is is is is"),
    ("(VP (AUX is) (ADJP (JJ cold)))", "cold cold is is cold"),
    ("(SINV (VBD said) (NP (PRP he)))", "said said said said said"),
    ("(SBARQ (WHNP (WP what)) (SQ (VBD fell)) (. ?))", "fell fell fell fell fell"),
    ("(ADJP (NP (CD two) (NNS years)) (JJ old))", "old old old old old"),
    ("(ADVP (RB very) (RB quickly))", "quickly quickly quickly quickly quickly"),
    ("(NAC (NNP New) (NNP York))", "New New York New York"),
    ("(RRC (ADVP (RB now)) (VP (VBG falling)))", "falling falling falling falling falling"),
    ("(LST (LS 1) (: :))", "1 1 1 1 1"),
    ("(PRT (RP down))", "down down down down down"),
    # What was said and taken back is no head, though a VP comes first in S.
    ("(S (EDITED (VP (VBD came))) (NP (PRP he)) (VP (VBD left)))", "left left left left left"),
    # Function tags do not hide a label; a phrase of nothing but punctuation still has a head.
    ("(S-1 (NP-SBJ=2 (PRP he)) (VP-X (VBD left)))", "left left left left left"),
    ("(PRN (: --) (, ,))", "-- -- , -- --"),
]


def one(text: str) -> Tree:
    return treescore.read(text)[0]


@pytest.mark.parametrize(("text", "expected"), CHECKED)
def test_trees_checked_by_hand(text: str, expected: str) -> None:
    tree = one(text)
    actual = []
    for name in heads.NAMES:
        head = heads.find(tree, name)[0]
        assert head is not None
        assert head[1] is not None
        actual.append(tree.leaves[head[1]])
    assert " ".join(actual) == expected


#: Heads of words, from 1, 0 for the root, as disco-dop converts these trees with its rules for the Penn Treebank, which
#: follow Collins and his step for conjunctions.
CONVERTED = [
    ("(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .)))", "2 3 0 3 6 4 3"),
    ("(ROOT (S (NP (PRP she)) (VP (VBD ate) (NP (NN pie)) (PP (IN with) (NP (NNS friends))))))", "2 0 2 2 4"),
    ("(ROOT (S (NP (PRP she)) (VP (VBD ate) (NP (NP (NN pie)) (PP (IN with) (NP (NNS friends)))))))", "2 0 2 3 4"),
    ("(ROOT (NP (NP (NNS cats)) (CC and) (NP (NNS dogs))))", "0 1 1"),
    ("(ROOT (S (NP (PRP i)) (VP (MD ca) (RB n't) (VP (VB go)))))", "2 0 2 2"),
    ("(ROOT (S (NP (PRP he)) (VP (VBD said) (SBAR (IN that) (S (NP (PRP it)) (VP (VBD rained)))))))", "2 0 2 5 3"),
    ("(ROOT (S (ADVP (RB there)) (VP (VBZ is) (NP (NP (DT a) (NN man)) (PP (IN in) (NP (NN town)))))))", "2 0 4 2 4 5"),
    ("(ROOT (NP (NP (DT the) (NN dog) (POS 's)) (NN tail)))", "3 3 4 0"),
    ("(ROOT (S (NP (DT the) (JJ old) (NN car)) (VP (VBD broke) (PRT (RP down)))))", "3 3 4 0 4"),
    ("(ROOT (FRAG (INTJ (UH yes)) (. .)))", "0 1"),
    ("(ROOT (S (VP (VB go) (ADVP (RB home)))))", "0 1"),
    ("(ROOT (S (S (NP (PRP he)) (VP (VBD came))) (CC and) (S (NP (PRP she)) (VP (VBD left)))))", "2 0 2 5 2"),
    ("(ROOT (S (NP (PRP it)) (VP (VBZ is) (ADJP (RB very) (JJ cold)))))", "2 0 4 2"),
    ("(ROOT (S (NP (PRP he)) (VP (TO to) (VP (VB go)))))", "2 0 2"),
    ("(ROOT (S (EDITED (NP (PRP i))) (NP (PRP i)) (VP (VBD left))))", "3 3 0"),
    ("(ROOT (UCP (ADJP (JJ big)) (CC and) (NP (DT a) (NN joke))))", "0 1 4 1"),
]


@pytest.mark.parametrize(("text", "expected"), CONVERTED)
def test_as_another_converter_with_the_same_rules(text: str, expected: str) -> None:
    actual = heads.dependencies(one(text), "collins")
    assert " ".join(str(0 if head is None else head + 1) for _, head, _, _ in actual) == expected


# ---------------------------------------------------------------------------------------------------------------------
# SParseval's reading

EDITED = "(TOP (S (NP (NN a)) (XP (AA m1) (EDITED (NN e)) (BB m2)) (VP (VBZ v))))"


def test_a_group_that_only_an_edit_matches() -> None:
    table = HeadTable.read("*default* (r)\nS (r VP)\nXP (r EDITED) (r)\n")
    assert heads.annotate(one(EDITED), table) == (
        "(TOP (S^v (NP^a (NN a)) (XP^m2 (AA m1) (EDITED^e (NN e)) (BB m2)) (VP^v (VBZ v))))"
    )
    # the original takes the edit child and has no head word then: the phrase and its words depend on nothing
    assert heads.find(one(EDITED), table, compat=True) == [None, (2, 4), (0, 0), (1, None), None, (0, 4)]
    assert heads.dependencies(one(EDITED), table, compat=True) == [(0, 4, "S", "NP"), (4, None, "TOP", "S")]
    # another edit label: EDITED is then a child like others
    assert heads.find(one(EDITED), table, edits=["X"])[3] == (1, 2)


def test_an_edit_preterminal_can_be_a_head_but_not_a_dependent() -> None:
    table = HeadTable.read("*default* (r)\n")
    tree = one("(TOP (S (NP (NN a) (EDITED e)) (EDITED f) (VP (VB v))))")
    assert heads.dependencies(tree, table, compat=True) == [(0, 3, "S", "NP"), (3, None, "TOP", "S")]
    tree = one("(TOP (NP (EDITED e)))")
    assert heads.dependencies(tree, table, compat=True) == [(0, None, "TOP", "NP")]


def test_every_child_of_the_root_depends_on_it() -> None:
    tree = one("(S (NP (NN a)) (VP (VB b)) (. .))")
    assert heads.dependencies(tree, "charniak", compat=True) == [
        (0, None, "TOP", "NP"),
        (1, None, "TOP", "VP"),
        (2, None, "TOP", "."),
    ]
    assert heads.dependencies(tree, "charniak") == [(0, 1, "S", "NP"), (1, None, "TOP", "S"), (2, 1, "S", ".")]


def test_no_head_without_a_default_for_all() -> None:
    table = HeadTable.read("*default* (l NN)\n")
    assert [problem.code for problem in table.problems] == ["open-default"]
    tree = one("(TOP (S (DT a) (VB b)))")
    with pytest.raises(InputError, match=r"no rule finds a head in S; end the default in \(l\) or \(r\)"):
        heads.find(tree, table, compat=True)
    assert heads.find(tree, table) == [(0, 0), (0, 0)]


def test_the_worked_example_of_the_dependencies() -> None:
    tree = one("(TOP (S (NP (DT the) (NN cup)) (VP (VBZ stands) (PP (IN on) (NP (NN wood))))))")
    expected = [
        (0, 1, "NP", "DT"),
        (1, 2, "S", "NP"),
        (2, None, "TOP", "S"),
        (3, 2, "VP", "PP"),
        (4, 3, "PP", "NP"),
    ]
    for compat in (False, True):
        assert heads.dependencies(tree, "collins", compat=compat) == expected


# ---------------------------------------------------------------------------------------------------------------------
# What must hold for any tree

TAGS = ("NN", "VB", "CC", ",", "EDITED", "-NONE-", "POS")
LABELS = ("S", "NP", "VP", "EDITED", "CONJP", "X", "TOP", "NP-SBJ")
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\v\f\r()"), min_size=1, max_size=6)
WORDS = NAMES.filter(lambda name: not name.startswith("#") and name not in ("*default*", "*conjunctions*", "*skip*"))
GROUPS = st.lists(
    st.tuples(st.sampled_from("lr"), st.lists(NAMES | st.sampled_from(TAGS), max_size=4)), min_size=1, max_size=4
)
TABLES = st.builds(
    HeadTable,
    st.dictionaries(WORDS | st.sampled_from(LABELS), GROUPS, max_size=6),
    GROUPS,
    conjunctions=st.lists(NAMES | st.just("CC"), max_size=2),
    skip=st.lists(NAMES | st.just(","), max_size=3),
)


def check(tree: Tree, table: HeadTable) -> None:
    """Each phrase with words has one of its children as head, and the head of that child; dependencies are a tree."""
    finder = HeadFinder(table)
    result = finder.find(tree)
    phrases, _ = tree.structure()
    assert len(result) == len(phrases) == len(tree.spans())
    for (_, below), span, head in zip(phrases, tree.spans(), result, strict=True):
        assert (head is None) == (span.start == span.end)
        if head is not None:
            child = below[head[0]]
            assert head[1] == (~child if child < 0 else (result[child] or (None, None))[1])
            assert span.start <= (head[1] or 0) < span.end
    links = finder.dependencies(tree)
    assert [dependent for dependent, *_ in links] == list(range(tree.start, tree.end))
    assert sum(head is None for _, head, _, _ in links) == (1 if links else 0)
    reached = {dependent for dependent, head, _, _ in links if head is None}
    above = {dependent: head for dependent, head, _, _ in links}
    for dependent in above:
        path = []
        at: int | None = dependent
        while at is not None and at not in reached:
            assert at not in path
            path.append(at)
            at = above[at]
        reached.update(path)
    assert len(reached) == len(links)


@given(TREES, TABLES)
def test_any_tree_by_any_table(tree: Phrase, table: HeadTable) -> None:
    whole = one(write(tree))
    check(whole, table)
    for name in heads.NAMES:
        check(whole, heads.get(name))
    for part in whole.nodes():
        check(part, table)
    HeadFinder(table.replace(default=[("r", [])]), compat=True).dependencies(whole)


@given(RANDOMS)
def test_annotated_trees_are_the_same_trees(rng: Random) -> None:
    tree = one(write(make_tree(rng, make_words(rng, 8, odd=0), odd=0)))
    again = one(heads.annotate(tree))
    assert again.pos() == tree.pos()
    assert [(span.label.split("^")[0], span.start, span.end) for span in again.spans()] == [
        (span.label, span.start, span.end) for span in tree.spans()
    ]


@pytest.mark.parametrize("text", ["()", "(())", "(TOP ())", "(S (NP ) (VP ))"])
def test_trees_without_words(text: str) -> None:
    tree = treescore.read(text, on_error="keep")[0]
    for compat in (False, True):
        assert heads.dependencies(tree, compat=compat) == []
    assert set(heads.find(tree)) <= {None}


def test_several_trees_and_lone_words() -> None:
    table = HeadTable.read("*default* (l)\n*skip* (l UH)\n")
    assert heads.dependencies(one("((UH oh) (NP (NN a)) (NN b))"), table) == [
        (0, 1, "TOP", "UH"),
        (1, None, "TOP", "NP"),
        (2, 1, "TOP", "NN"),
    ]
    assert heads.dependencies(one("(NN a)"), table) == [(0, None, "TOP", "NN")]
    assert heads.dependencies(one("(NN a)"), table, compat=True) == []
    assert heads.dependencies(one("(NP a b)"), table) == [(0, None, "TOP", "NP"), (1, 0, "NP", "")]


@pytest.mark.parametrize("compat", [False, True])
def test_deep_trees(compat: bool) -> None:
    depth = 100_000
    tree = one("(TOP " + "(NP (DT a) " * depth + "(NN b)" + ")" * depth + ")")
    with hang_guard():
        result = heads.find(tree, "charniak", compat=compat)
        assert result[-1] == (1, depth)
        assert result[1] == (1, depth)
        links = heads.dependencies(tree, "charniak", compat=compat)
        assert links[0] == (0, depth, "NP", "DT")
        assert links[-1] == (depth, None, "TOP", "NP")
        assert len(heads.annotate(tree, "charniak", compat=compat)) > 10 * depth


# ---------------------------------------------------------------------------------------------------------------------
# Tables as values and files


@given(TABLES)
@settings(max_examples=200)
def test_tables_are_written_and_read_back(table: HeadTable) -> None:
    again = HeadTable.read(str(table), name="x")
    assert again == table
    assert hash(again) == hash(table)
    assert str(again) == str(table)
    assert {problem.code for problem in again.problems} <= {"open-default"}
    assert pickle.loads(pickle.dumps(again)) == table
    assert HeadTable.read(str(table).replace("\n", "\r\n").encode()) == table


@pytest.mark.parametrize("name", heads.NAMES)
def test_published_tables(name: str) -> None:
    table = heads.get(name)
    assert HeadTable.read(str(table)) == table
    assert not HeadTable.read(str(table)).problems
    assert heads.get(name) is table
    assert table.coordination == (name in ("collins", "semantic"))
    note = heads.CITATIONS[name]
    assert note.source
    assert note.about
    assert note.note
    longest = max(len(label) for _, groups in table.rules for _, labels in groups for label in labels)
    assert longest < 24  # longer ones overflow in the original


def test_unknown_names() -> None:
    with pytest.raises(UsageError, match="no head table 'bikel'; known: collins, "):
        heads.get("bikel")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t:1:1: there is no line for *default*; add one, for instance: *default* (r)"),
        ("NP (r NN)\n", "t:2:1: there is no line for *default*; add one, for instance: *default* (r)"),
        ("*default* (r)\n  NP NN\n", "t:2:6: here should be a group in brackets; a line is CATEGORY (l LABEL …) (r "),
        ("*default* (r)\nNP (r NN\n", "t:2:4: this group is not closed on its line"),
        ("*default* (r)\nNP ( )\n", "t:2:4: a group needs a direction: (l) or (r), then labels"),
        ("*default* (r)\nNP (NN NNS)\n", "t:2:5: a group starts with its direction, l or r, not with NN"),
        ("*default* (r)\nNP (r (l NN))\n", "t:2:7: a bracket inside a group; groups do not nest"),
        ("*default* (r)\n(r NN)\n", "t:2:1: a category is missing; a line is CATEGORY"),
        ("*default* (r)\nNP (r NN))\n", "t:2:10: here should be a group in brackets"),
        ("*default* (r)\n*skip*\n", "t:2:1: *skip* takes one group of labels, for instance: *skip* (l CC)"),
    ],
)
def test_tables_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        HeadTable.read(text.encode(), name="t")
    assert str(caught.value).startswith(message)


def test_what_is_tolerated() -> None:
    table = HeadTable.read(
        "\ufeff# mine\n\n*default* (r)\r\nXP\nNP(rNN JJ) (l\tNP )\r\nVP (left VBZ)\nXP (l)\n*default* (l)\n", name="t"
    )
    assert str(table) == "*default* (r)\nXP (r)\nNP (r NN JJ) (l NP)\nVP (l VBZ)\n"
    assert [str(problem) for problem in table.problems] == [
        "t:6:5: left is read as the direction; SParseval would read l and the label eft (write l)",
        "t:7:1: a second rule for XP; the first counts, as in SParseval (left out)",
        "t:8:1: a second rule for *default*; the first counts, as in SParseval (left out)",
    ]


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "mine.heads"
    heads.get("semantic").write(path)
    assert HeadTable.read(path) == HeadTable.read(str(path)) == heads.get("semantic")
    with pytest.raises(FileNotFoundError):
        HeadTable.read("nothing.heads")


@pytest.mark.parametrize(
    ("rules", "default"),
    [
        ({"NP": []}, [("r", [])]),
        ({"NP": [("x", [])]}, [("r", [])]),
        ({"NP": [("r", ["a b"])]}, [("r", [])]),
        ({"NP": [("r", "NN")]}, [("r", [])]),
        ({"N P": [("r", [])]}, [("r", [])]),
        ({"#": [("r", [])]}, [("r", [])]),
        ({"*default*": [("r", [])]}, [("r", [])]),
        ([("NP", [("r", [])]), ("NP", [("l", [])])], [("r", [])]),
        ({}, []),
    ],
)
def test_values_that_no_file_can_hold(rules: dict[str, list[tuple[str, list[str]]]], default: list[object]) -> None:
    with pytest.raises(ValueError, match=r"must|cannot|has no group"):
        HeadTable(rules, default)  # type: ignore[arg-type]


PIECES = st.sampled_from(
    [b"*default*", b"*skip*", b"NP", b"(r", b"(l", b")", b"(", b" ", b"\t", b"\n", b"\r\n", b"#", b"\0", b"\xff", b"NN"]
)


@given(st.binary(max_size=80) | st.lists(PIECES, max_size=30).map(b"".join))
@settings(max_examples=500)
def test_tables_of_any_bytes(data: bytes) -> None:
    for text in (data, b"*default* (r)\n" + data):
        try:
            table = HeadTable.read(text)
        except InputError as error:
            assert error.problem.line is not None
            assert 1 <= error.problem.line <= text.count(b"\n") + 1
            continue
        assert HeadTable.read(str(table)) == table
        check(one("(S (NP (NN a) (CC and)) (VP (VB b)))"), table)


# ---------------------------------------------------------------------------------------------------------------------
# Two engines, one answer

PLAIN = st.sampled_from(["NN", "VB", "CC", "EDITED", "NP", "VP", "S"])
PLAIN_GROUPS = st.lists(st.tuples(st.sampled_from("lr"), st.lists(PLAIN, max_size=3)), max_size=3)


@given(RANDOMS, st.dictionaries(PLAIN, PLAIN_GROUPS.filter(bool), max_size=4), PLAIN_GROUPS)
@settings(max_examples=200)
def test_compat_as_headtrees(
    rng: Random, rules: dict[str, list[tuple[str, list[str]]]], default: list[tuple[str, list[str]]]
) -> None:
    """`compat` in Python and the native headtrees put the same heads into the same trees."""
    table = HeadTable(rules, [*default, ("r", [])])
    text = write(Phrase("TOP", (relabelled(rng, make_tree(rng, make_words(rng, 8, odd=0), odd=0)),)))
    lines = HeadLines(str(table).encode())
    program = _core.Sparseval(
        deleted=[],
        empty=[],
        edits=[b"EDITED"],
        closed=[],
        rewritten=[],
        equal_words=[],
        pauses=[],
        heads=lines.lines,
        default_head=lines.default,
        bag=False,
        whole_files=False,
        unlabelled=False,
    )
    printed, message = program.annotate(text.encode() + b"\n", b"trees")
    assert message is None
    annotated = one(heads.annotate(one(text), table, compat=True))
    assert printed.decode() == "".join(f"(TOP {child})\n" for child in annotated.children)


def relabelled(rng: Random, node: Phrase) -> Phrase:
    """The same tree with labels that the tables are about."""
    below = tuple(
        relabelled(rng, child)
        if isinstance(child, Phrase)
        else Word(rng.choice(["NN", "VB", "CC", "EDITED"]), child.text)
        for child in node.children
    )
    return Phrase(rng.choice(["NP", "VP", "S", "EDITED"]), below)


# ---------------------------------------------------------------------------------------------------------------------
# The command

TREES_TEXT = "(TOP (S (NP-SBJ (DT the) (NN dog) (POS 's)) (VP (MD can) (VP (VB go)))))\n"


def run(folder: Path, *words: str, text: str = TREES_TEXT, command: str = "heads") -> subprocess.CompletedProcess[str]:
    (folder / "trees").write_text(text)
    line = [sys.executable, "-m", "treescore", command, *words]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert "Traceback" not in done.stderr
    return done


def test_command_brackets(tmp_path: Path) -> None:
    done = run(tmp_path, "trees")
    assert done.stdout == ("(TOP (S^can (NP-SBJ^'s (DT the) (NN dog) (POS 's)) (VP^can (MD can) (VP^go (VB go)))))\n")
    assert (done.returncode, done.stderr) == (0, "")


def test_command_tsv(tmp_path: Path) -> None:
    done = run(tmp_path, "trees", "--table", "semantic", "-f", "tsv", "--output", "out")
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "out").read_text() == (
        "1\tthe\tDT\t2\tNP/DT\n2\tdog\tNN\t5\tS/NP\n3\t's\tPOS\t2\tNP/POS\n"
        "4\tcan\tMD\t5\tVP/MD\n5\tgo\tVB\t0\tTOP/S\n\n"
    )


def test_command_json(tmp_path: Path) -> None:
    done = run(tmp_path, "trees", "-f", "jsonl", "--table", "mine", "--edit", "NP", text="(S (NP a) (NP b))\n()\n")
    assert done.returncode == 2
    assert done.stderr.startswith("treescore: error: there is no head table and no file 'mine'; known: collins, ")
    (tmp_path / "mine").write_text("*default* (right)\nNP\nNP\n")
    done = run(tmp_path, "trees", "-f", "jsonl", "--table", "mine", text="(S (NP a) (NP b))\n()\n")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert rows[0]["dependencies"] == [[0, 1, "S", "NP"], [1, None, "TOP", "S"]]
    assert (rows[1]["tree"], rows[1]["words"], rows[1]["dependencies"]) == (2, [], [])
    assert [phrase["head"] for phrase in rows[1]["phrases"]] == [None]
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == ["mine:1:12", "mine:3:1"]


def test_command_with_unreadable_trees(tmp_path: Path) -> None:
    done = run(tmp_path, "trees", text="(S (NN a)\n(S (NN b))\n")
    assert (done.returncode, done.stdout) == (0, "()\n(S^b (NN b))\n")
    assert "trees:1:1: this bracket is never closed" in done.stderr
    assert run(tmp_path, "trees", "--strict", text="(S (NN a)\n(S (NN b))\n").returncode == 2
    done = run(tmp_path, "trees", text="(S (NN a)\n" * 15)
    assert done.stderr.splitlines()[-1] == "treescore: and 5 more problems"


def test_command_lists_and_shows(tmp_path: Path) -> None:
    listed = run(tmp_path, "--tables").stdout
    assert [line.split(":")[0] for line in listed.splitlines() if line[0] != " "] == list(heads.NAMES)
    assert "Collins (1999)" in listed
    shown = run(tmp_path, "--table", "collins", "--show").stdout
    assert HeadTable.read(shown) == heads.get("collins")
    done = run(tmp_path)
    assert done.returncode == 2
    assert "a file of trees is needed" in done.stderr
    assert "treescore heads --tables" in run(tmp_path, "--help").stdout


def test_headtrees(tmp_path: Path) -> None:
    heads.get("hwa").write(tmp_path / "table")
    done = run(tmp_path, "-h", "table", "trees", command="headtrees")
    assert done.stdout == "(TOP (S^go (NP^dog (DT the) (NN dog) (POS 's)) (VP^go (MD can) (VP^go (VB go)))))\n"
    assert run(tmp_path, "-?", command="headtrees").returncode == 1
    assert run(tmp_path, "--", "trees").stdout == run(tmp_path, "trees").stdout


def test_brackets_as_categories_of_other_programs_are_errors_of_input() -> None:
    with pytest.raises(InputError, match="a category must be a word without blanks and brackets"):
        HeadTable.read(b") 0\n")
