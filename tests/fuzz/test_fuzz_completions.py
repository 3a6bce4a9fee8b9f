"""Completions of any kind: no errors, consistent records, the same trees when they are read again, and linear work."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from strategies import RANDOMS, hang_guard, make_tree, make_words, write

import treescore
from treescore import Completion, InputError, UsageError, read_completions
from treescore.helpers.text import encode
from treescore.readers.brackets import read_rows
from treescore.readers.completions.completion import DIFFERENCES, OUTCOMES, REASONS, REPAIRS
from treescore.readers.completions.json_strings import json_strings
from treescore.trees import Source

WORDS = ["the", "cat", "sat", "on", "the", "mat", "."]
TREE = "(S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .))"

#: Pieces of completions.
PIECES = st.sampled_from(
    [
        *(
            "(",
            ")",
            "()",
            "(S ",
            "(NP the cat)",
            "(NN cat)",
            "(X\n",
            "))",
            "the",
            "cat/NN",
            "mat_NN",
            " ",
            "\n",
            "\n\n",
        ),
        *(
            "```",
            "```json\n",
            "~~~\n",
            "`",
            "**",
            "- (",
            "1. ",
            "* ",
            "> ",
            "|",
            "\\",
            '"',
            '{"tree": "',
            '"}',
            "[",
            "]",
        ),
        *("{", "}", "（", "）", "<think>", "</think>", "<answer>", "(-LRB- ()", "(PUNCT ))", "(( ()", "() ))", "$( "),
        *("\u00a0", "\u200b", "\ufeff", "\u200f", "\u2028", "\x1c", "\x85", "\0", "\x1b[31m", "\ud800", "\udcff"),
        *("a\u0301", "“", "’", "…", "–", "-LRB-", "``", "''", "\r\n", "\t", "\v", "<div>", "&amp;", TREE, TREE[:-1]),
    ]
)
TEXTS = st.text(max_size=100) | st.lists(PIECES, max_size=30).map("".join)
SENTENCES = st.lists(st.sampled_from([*WORDS, "(", ")", "“", "''", "a\u0301", "A", "a b"]), max_size=8)


def read_one(text: str, words: list[str], repair: Any = "all") -> Completion:
    return read_completions([text], sentences=[words], repair=repair)[0]


def check(completion: Completion, words: list[str]) -> None:
    """The fields of a completion are consistent, and its tree can be read by our own reader."""
    assert completion.outcome in OUTCOMES
    assert [name for name in REPAIRS if name in completion.repairs] == completion.repairs
    assert bool(completion.repairs) == (completion.outcome == "repaired")
    if completion.outcome == "rejected":
        assert (completion.tree, completion.faithful, completion.difference) == (None, None, None)
        assert completion.reason in REASONS
        return
    assert completion.reason is None
    assert completion.tree is not None
    assert (completion.difference in DIFFERENCES) == (not completion.faithful)
    bank = read_rows([encode(completion.tree)], Source("x"))
    assert not bank.problems
    assert [encode(line) for line in bank.lines()] == [encode(completion.tree)]
    leaves = list(map(encode, bank[0].leaves))
    expected = list(map(encode, map(treescore.helpers.text.escaped, words)))
    assert completion.faithful == (leaves == expected)


@given(TEXTS, SENTENCES)
@settings(max_examples=400)
def test_any_text(text: str, words: list[str]) -> None:
    with hang_guard():
        completion = read_one(text, words)
        printed = read_one(text, words, "none")
    check(completion, words)
    check(printed, words)
    assert printed.outcome != "repaired"
    if completion.outcome == "valid":
        assert printed == completion
    if completion.tree is not None and "<" not in completion.tree:
        again = read_one(completion.tree, words)
        assert (again.outcome, again.tree, again.faithful) == ("valid", completion.tree, completion.faithful)


@given(TEXTS, SENTENCES, st.sets(st.sampled_from(REPAIRS)))
def test_only_allowed_repairs(text: str, words: list[str], repair: set[str]) -> None:
    completion = read_one(text, words, repair)
    check(completion, words)
    assert set(completion.repairs) <= repair


@given(RANDOMS, st.sampled_from(["{}", "So: {}", "```\n{}\n```", "**{}**", "1. {}", "> {}", "<think>(S x</think>{}"]))
def test_trees_are_found(rng: Any, frame: str) -> None:
    tree = write(make_tree(rng, make_words(rng, 6)))
    bank = treescore.read(tree)
    line = next(iter(bank.lines()))
    completion = read_one(frame.format(line), bank[0].leaves)
    check(completion, bank[0].leaves)
    if read_one(line, bank[0].leaves).outcome == "valid" and "(" in line[1:]:
        assert completion.outcome in ("valid", "extracted")
        assert completion.tree is not None
        assert completion.tree.replace("( (", "((") == line.replace("( (", "((")


@given(
    st.recursive(
        st.text(max_size=5) | st.integers() | st.none() | st.booleans(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
    )
)
def test_strings_of_json(value: Any) -> None:
    strings: list[str] = []

    def add(value: Any) -> None:
        if isinstance(value, str):
            strings.append(value)
        elif isinstance(value, dict | list):
            for part in value.values() if isinstance(value, dict) else value:
                add(part)

    add(value)
    is_found = isinstance(value, str | list | dict)
    for text in (json.dumps(value), json.dumps(value, indent=1, ensure_ascii=False)):
        assert json_strings(text) == (strings if is_found else None)
        assert json_strings(f"{text},") is None


HOSTILE: dict[str, Callable[[int], str]] = {
    "opening brackets": lambda n: "(" * n,
    "closing brackets": lambda n: ")" * n,
    "pairs": lambda n: "()" * n,
    "deep": lambda n: "(S " * n + "the" + ")" * n,
    "deep, unclosed": lambda n: "(S " * n + "the",
    "deep and empty": lambda n: "(" * n + ")" * n,
    "square brackets": lambda n: "[" * n,
    "deep JSON": lambda n: "[" * n + '"a"' + "]" * n,
    "deep JSON objects": lambda n: '{"a":' * n,
    "fences": lambda n: "```\n" * n,
    "fences of JSON": lambda n: '```\n{"a":"(S (A the))"}\n```\n' * n,
    "marks of a fence": lambda n: "~" * n + "(",
    "list": lambda n: "- (S (A the))\n" * n,
    "list, unclosed": lambda n: "- (\n" * n,
    "digits": lambda n: "1" * n + ". (",
    "thoughts": lambda n: "<think></think>" * n + "<think>",
    "blanks": lambda n: "(( " + " " * n + "\n " * n,
    "blank lines": lambda n: "(\n" + "\n" * n,
    "tags of brackets": lambda n: "$( " * n,
    "surplus": lambda n: "(S (A the))" + ") " * n,
    "run": lambda n: "(S (A the)) " * n,
    "candidates": lambda n: "(S (A the) (B cat) (C sat) (D on)), " * n,
    "right-branching": lambda n: ("(X the " * n + ")" * n + ", ") * 2,
    "words that are brackets": lambda n: "(-LRB- () " * n,
    "odd blanks": lambda n: "(S (A the)\u200b\u00a0), " * n,
    "quotations": lambda n: "> " * n + "\n>" * n,
    "NUL": lambda n: "(\0 (\0 \0))" * n,
    "surrogates": lambda n: "(\ud800 (A \udc80))" * n,
    "ANSI": lambda n: "\x1b[31m(S (A the))\x1b[0m" * n,
    "HTML": lambda n: "<div>(S (A the))</div>" * n,
    "slashes": lambda n: "(S (A " + "/" * n + "x))",
    "quotation marks": lambda n: "x (S (A the) (B " + "`" * n + "))",
    "combining marks": lambda n: "x (S (A a" + "\u0301\u0316" * n + ") (B the))",
    "words": lambda n: "(S " + "the/DT " * n + ")",
    "emphasis": lambda n: "- " + "*" * n,
}


def work(text: str) -> int:
    """The number of calls, of Python and of C, while a completion is read."""
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        read_completions([text], sentences=[WORDS])
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_completions_need_linear_work(name: str) -> None:
    make = HOSTILE[name]
    with hang_guard(240):
        small, large = work(make(200)), work(make(800))
        assert large <= 4 * small + 200
        completion = read_one(make(20_000), WORDS)
    check(completion, WORDS)


@pytest.mark.long
@pytest.mark.parametrize("name", HOSTILE)
def test_huge_completions(name: str) -> None:
    with hang_guard(600):
        completions = read_completions([HOSTILE[name](200_000)], sentences=[WORDS])
        assert len(completions.treebank) == len(completions.as_printed()) == 1


@given(st.binary(max_size=100) | TEXTS.map(encode), st.sampled_from(["auto", "line", "block"]))
def test_any_file(data: bytes, layout: str) -> None:
    for options in ({"layout": layout}, {"separator": "=="}, {"field": "text"}):
        try:
            completions = read_completions(data, sentences=[WORDS, WORDS], **options)  # type: ignore[arg-type]
        except (InputError, UsageError) as problem:
            assert str(problem)
            continue
        assert len(completions.treebank) == 2
