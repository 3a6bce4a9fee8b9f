"""Error classes: what the original gets wrong, what cannot be compared, and language packs."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
import strategies

import treescore
from treescore.analysis.errors.pack import PACKS, Pack, load, read

LEFT = "(ROOT (S (NP (PRP he)) (VP (VBD came) (CC and) (VBD saw))))"
RIGHT = "(ROOT (S (NP (PRP he)) (VP (VP (VBD came)) (CC and) (VBD saw))))"
COMB = 150


def kinds(gold: str, test: str, **options: Any) -> list[str]:
    return [step.kind for step in treescore.explain_errors(gold, test, **options).steps()]


def comb(words: int, *, right: bool) -> str:
    if right:
        return "(X (N a) " * words + "(N b)" + ")" * words
    return "(X " * words + "(N a)" + " (N a))" * words


def test_outer_brackets_do_not_matter() -> None:
    inner = "(S (NP (DT the) (NN cat)) (VP (VBD slept)))", "(SINV (NP (DT the) (NN cat)) (VP (VBD slept)))"
    for gold_outer in ("(ROOT %s)", "( %s)", "(TOP (S1 %s))", "%s"):
        for test_outer in ("(VROOT %s)", "%s", "( %s)"):
            (step,) = treescore.explain_errors(gold_outer % inner[0], test_outer % inner[1]).steps()
            assert (step.type, step.label, step.new_label, step.parent) == ("relabel", "SINV", "S", "ROOT")
            assert treescore.explain_errors(gold_outer % inner[0], test_outer % inner[0]).counts["brackets"] == 0


def test_missing_phrase_before_a_conjunction() -> None:
    gold = "(ROOT (S (NP (PRP he)) (VP (VP (VBD came) (RB in)) (CC and) (VBD saw))))"
    test = "(ROOT (S (NP (PRP he)) (VP (VBD came) (RB in) (CC and) (VBD saw))))"
    assert kinds(gold, test) == ["Co-ordination"]
    assert kinds(gold, test, compat="original") == ["UNSET add"]


def test_punctuation_is_told_by_gold() -> None:
    gold = "(S (NP (NN a)) (`` `) (VP (VB b)))"
    test = "(S (NP (NN a) (POS `)) (VP (VB b)))"
    assert kinds(gold, test) == []
    errors = treescore.explain_errors(gold, test, compat="original")
    assert [str(problem) for problem in errors.problems] == [
        "<test>:1: 2 words in gold but 3 in test, punctuation left out (left out)"
    ]


def test_words_that_do_not_line_up_are_not_taken_for_punctuation() -> None:
    gold = "(ROOT (S (NP (NN a) (, ,) (NN b)) (VP (VB c))))"
    errors = treescore.explain_errors(gold, "(ROOT (S (NP (NN a) (NN b)) (VP (VB c) (, ,))))")
    assert errors.counts["brackets"] == 0
    assert [str(problem) for problem in errors.problems] == [
        "<test>:1: the words differ: ',' in gold is 'b' in test (compared anyway)"
    ]
    errors = treescore.explain_errors(gold, "(ROOT (S (NP (NN a) (NN banana) (NN b)) (VP (VB c))))")
    assert [problem.code for problem in errors.problems] == ["length"]
    errors = treescore.explain_errors("(S (NN a) (, ,))", "(S (NN a) (. .))")
    assert [problem.code for problem in errors.problems] == ["words"]


def test_words_before_which_only_gold_has_punctuation() -> None:
    errors = treescore.explain_errors("(S (-NONE- *) (NN a) (, ,) (VB b))", "(S (NN a) (VB c))")
    assert [str(problem) for problem in errors.problems] == [
        "<test>:1: the words differ: 'b' in gold is 'c' in test (compared anyway)"
    ]


def test_steps_of_one_sentence() -> None:
    errors = treescore.explain_errors([LEFT, LEFT], [LEFT, RIGHT])
    assert list(errors.steps(-1)) == list(errors.steps(1)) == list(errors.steps())
    assert not list(errors.steps(-2))
    for index in (2, -3):
        with pytest.raises(IndexError, match=f"sentence {index} of 2"):
            errors.steps(index)


def test_punctuation_only_gold_has() -> None:
    assert kinds("(S (NP (NN a)) (, ,) (VP (VB b)))", "(S (NP (NN a)) (VP (VB b)))") == []


def test_label_of_what_a_move_adds() -> None:
    gold = "(ROOT (S (NP (NP (NN a)) (CC and) (NP (NP (NN b)) (PP (IN of) (NP (NN c))))) (VP (VB d))))"
    test = "(ROOT (S (NP (NP (NP (NN a)) (CC and) (NP (NN b))) (PP (IN of) (NP (NN c)))) (VP (VB d))))"
    (step,) = treescore.explain_errors(gold, test).steps()
    assert (step.new_label, step.added, step.words) == ("NP", (0, 5), ("a", "and"))
    assert str(step) == "NP CC “a and” attached to NP instead of S, where NP is missing: Co-ordination"


def test_sentences_for_errors() -> None:
    gold = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (DT a) (NN hat))))))"
    test = "(S (NP (PRP I)) (VP (VBD saw) (ADJP (DT a) (NN man)) (PP (IN with) (NP (DT a) (NN hat)))))"
    low = "(S (VP (VP (VBD saw) (NP (NN b))) (PP (IN on) (NP (NN c)))))"
    high = "(S (VP (VP (VBD saw) (NP (NN b)) (PP (IN on) (NP (NN c))))))"
    texts = [step.in_words() for step in treescore.explain_errors([gold, gold, low], [test, gold, high]).steps()]
    assert texts == [
        "“a man” labelled ADJP instead of NP",
        "NP “a man with a hat” is missing",
        "PP “on c” attached to the wrong VP",
    ]


def test_each_wrong_phrase_is_repaired_by_one_step() -> None:
    pairs = strategies.make_pairs(Random(5), 300, sound=True)
    gold, test = strategies.banks(pairs)
    errors = treescore.explain_errors(gold, test)
    repaired = 0
    for index, row in enumerate(errors.sentences()):
        if row["status"]:
            continue
        for side in ("gold_phrases", "test_phrases"):
            phrases = [phrase for step in errors.steps(index) for phrase in getattr(step, side)]
            assert len(phrases) == len(set(phrases))
            repaired += len(phrases)
        assert len([phrase for step in errors.steps(index) for phrase in step.test_phrases]) == row["extra"]
        missing = sum(len(step.gold_phrases) for step in errors.steps(index))
        assert missing == row["missing"] + row["crossing"]
    assert repaired == errors.counts["brackets"] > 300


@pytest.mark.parametrize(
    ("gold", "test", "code"),
    [
        ("(S (NN a))", "", "unparsed"),
        ("", "(S (NN a))", "no-gold"),
        ("", "", "empty"),
        ("(S (NN a) (NN b))", "(S (NN a))", "length"),
        ("(S (NN a) (NN b))", "(S (NN a) (NN c))", "words"),
        ("(S (NP (NN 0=a) (NN 2=c)) (NN 1=b))", "(S (NN 0=a) (NN 1=b) (NN 2=c))", "discontinuous"),
        (comb(COMB, right=True), comb(COMB, right=False), "gave-up"),
    ],
)
def test_problems(gold: str, test: str, code: str) -> None:
    fine = "(S (NN 0=a))" if "=" in gold else "(S (NN a))"
    errors = treescore.explain_errors([gold, fine], [test, fine])
    assert [problem.code for problem in errors.problems] == [code]
    assert errors.counts["compared"] == (2 if code == "words" else 1)
    assert list(errors.steps()) == []
    assert [row["status"] for row in errors.sentences()] == [0 if code == "words" else 1, 0]


def test_unreadable_trees() -> None:
    errors = treescore.explain_errors("(S (NN a))\n(S (NN a)\n", "(S (NN a))\n(S (NN a))\n", layout="line")
    assert errors.counts["left_out"] == 1
    assert [problem.code for problem in errors.problems] == ["unclosed"]


def test_deep_trees() -> None:
    deep = 100_000
    gold, test = ("(NP " * size + "(NN a)" + ")" * size for size in (deep, deep + 2))
    errors = treescore.explain_errors(gold, test)
    assert [(step.kind, step.type) for step in errors.steps()] == [("Single Word Phrase", "remove")] * 2


@pytest.mark.long
def test_trees_that_are_too_different() -> None:
    errors = treescore.explain_errors(comb(3000, right=True), comb(3000, right=False))
    assert [problem.code for problem in errors.problems] == ["too-different"]


def test_threads_change_nothing() -> None:
    golds, tests = [LEFT, RIGHT, comb(9, right=True)] * 20, [RIGHT, LEFT, comb(9, right=False)] * 20
    first, many = (treescore.explain_errors(golds, tests, threads=threads) for threads in (1, 3))
    assert list(first.steps()) == list(many.steps())
    assert {name: list(column) for name, column in first.rows.items()} == {
        name: list(column) for name, column in many.rows.items()
    }


def test_brackets_add_up() -> None:
    errors = treescore.explain_errors([comb(9, right=True)], [comb(9, right=False)])
    counts = errors.counts
    assert counts["extra"] + counts["missing"] + counts["crossing"] == counts["brackets"]
    assert counts["brackets"] == sum(step.brackets for step in errors.steps())
    assert counts["brackets"] == sum(it.brackets for it in errors.classes())


def test_compat_is_checked() -> None:
    with pytest.raises(treescore.UsageError, match="compat must be one of original"):
        treescore.explain_errors(LEFT, RIGHT, compat="old")


def pack(**changes: Any) -> bytes:
    plain = {"name": "small", "outer": ["TOP"], "rules": [{"class": "Phrase", "label": ["N*"], "steps": ["add"]}]}
    return json.dumps(plain | changes).encode()


def test_pack_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    path.write_bytes(pack(other={"remove": "Zu viel"}, titles={"Zu viel": "Rest"}))
    errors = treescore.explain_errors("(TOP (S (NP (N a) (N b)) (N c)))", "(TOP (S (N a) (Q (N b) (N c))))", path)
    assert sorted((it.name, it.steps) for it in errors.classes()) == [("Phrase", 1), ("Zu viel", 1)]
    assert sorted(it.name for it in errors.titled_classes()) == ["Phrase", "Rest"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xff", "this is not UTF-8"),
        (b'{"name": }', "<pack>:1:10: this is not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "a language pack is a JSON object"),
        (b'{"outer": ["TOP"]}', "name must be a string"),
        (pack(outer=[]), "outer needs at least one label"),
        (pack(outer="TOP"), "outer must be a list of strings"),
        (pack(rename=["a"]), "rename must be an object with strings"),
        (pack(other={"move it": "x"}), "other: unknown key 'move it'; did you mean 'move'"),
        (pack(tags=[]), "unknown key 'tags'"),
        (pack(rules={}), "rules must be a list of objects"),
        (pack(rules=[{}]), "rule 1: class must be a string"),
        (pack(rules=[{"class": "A", "steps": ["shift"]}]), "rule 1: unknown step 'shift'"),
        (pack(rules=[{"class": "A", "mover": ["NP"]}]), 'rule 1: mover is only for moves; add "steps": ["move"]'),
        (pack(rules=[{"class": "A", "child": ["NP"]}]), "rule 1: child is not for moves"),
        (pack(rules=[{"class": "A", "label": ["$x"], "steps": ["add"]}]), "rule 1: label: unknown set '$x'"),
        (pack(rules=[{"class": "A", "label": ["N*P"], "steps": ["add"]}]), "* is only allowed at the beginning"),
        (pack(rules=[{"class": "A", "one_word": False, "steps": ["add"]}]), "rule 1: one_word must be true"),
        (pack(sets=[]), "sets must be an object"),
        (pack(rules=[{"class": "A", "one_word": 1, "steps": ["add"]}]), "rule 1: one_word must be true"),
        (pack(rules=[{"class": "A", "original": 0}]), "rule 1: original must be true or false"),
        (pack(rules=[{"class": "A", "steps": ["add", "add"]}]), "rule 1: steps has the same step twice"),
        (pack(rules=[{"class": "A", "steps": ["move"] * 32}]), "rule 1: steps has the same step twice"),
        (pack(rules=[{"class": "A", "steps": []}]), "rule 1: steps is empty"),
        (pack(rules=[{"class": "A", "label": [], "steps": ["add"]}]), "rule 1: label is empty"),
        (
            pack(sets={"x": []}, rules=[{"class": "A", "label": ["$x"], "steps": ["add"]}]),
            "rule 1: label: the set '$x' is empty",
        ),
        (pack(rules=[{"class": "A", "new_label": ["NP"], "steps": ["add"]}]), "new_label is only for wrong labels"),
        (pack(titles={"Phrases": "x"}), "titles: unknown key 'Phrases'; did you mean 'Phrase'"),
        (b'{"name": ' + b"1" * 5_000 + b"}", "a number has too many digits"),
        (pack(rules=[{"class": "A\ud800"}]), "a string contains half a character"),
        (
            pack(rules=[{"class": "A", "label": [f"L{n}"], "steps": ["add"]} for n in range(65)]),
            "more than 64 different lists",
        ),
    ],
)
def test_malformed_packs(text: bytes, message: str) -> None:
    with pytest.raises(treescore.InputError) as caught:
        read(text)
    assert message in str(caught.value)


def test_packs_that_come_with_treescore() -> None:
    assert [load(name).name for name in PACKS] == list(PACKS)
    table = load("english")
    assert isinstance(table, Pack)
    assert load(table) is table
    assert [table.normal(label) for label in ("JJ|RB", "|NP", "=", "-NONE-", "PRT-2", "NP=2-SBJ")] == [
        "JJ",
        "|NP",
        "=",
        "-NONE-",
        "ADVP",
        "NP",
    ]
    with pytest.raises(treescore.InputError, match="known packs: english"):
        load("klingon")
