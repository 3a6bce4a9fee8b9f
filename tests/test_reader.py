"""`treescore.read`: where trees may come from, how they may be written, what is said about broken ones."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import nltk
import pytest
from hypothesis import assume, given, settings, strategies as st
from strategies import (
    RANDOMS,
    TEXTS,
    TREES,
    Phrase,
    Word,
    hang_guard,
    make_tree,
    phrases_of,
    words_of,
    write,
    write_loosely,
)

import treescore
from treescore import InputError, Problem, Treebank, TreeSyntaxError, read
from treescore.helpers.text import encode
from treescore.readers.sources import read_batch

#: What may look like one thing or another.
PIECES = st.sampled_from(
    (
        *("(S (NN a))", "(NN 0=a)", "(S (NN 0=a) (VB 1=b))", "(X (A 0.15-0.39) (B 0.39-0.80))", "(NP=2 (NN =))"),
        *("()", "(", ")", "u1\t(S (NN a))", "\n", "\t", "\0", "\r", "#BOS 1", "%% a", "<corpus>", "DELETE_LABEL TOP"),
        *('{"id": "u", "tree": "(NN a)"}', "=", "1=", " ", "-", "\ufeff", "é", "木", "\udcff", "\ud800"),
    )
)

TREE = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))"
OTHER = "(S (NP (NNS dogs)) (VP (VBP bark)))"
TWO = f"{TREE}\n{OTHER}\n"


def lines(bank: Treebank) -> list[str]:
    """Each tree on one line."""
    return [str(tree) for tree in bank]


def kept(text: str | bytes, layout: str = "auto") -> Treebank:
    """Read with problems kept."""
    return read(text.encode() if isinstance(text, str) else text, layout=layout, on_error="keep")


def places(bank: Treebank) -> list[tuple[str, int | None, int | None, int | None]]:
    """Code, line, column and sentence of each problem."""
    return [(problem.code, problem.line, problem.column, problem.unit) for problem in bank.problems]


# ---------------------------------------------------------------------------------------------------------------------
# Where trees come from


def test_path_as_string_and_as_path(tmp_path: Path) -> None:
    file = tmp_path / "two.mrg"
    file.write_text(TWO)
    for source in (str(file), file):
        bank = read(source)
        assert lines(bank) == [TREE, OTHER]
        assert bank.source.name == str(file)
        assert bank.source.sha256() is not None
        assert [bank.line(index) for index in range(2)] == [1, 2]


def test_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "two.mrg").write_text(TWO)
    monkeypatch.chdir(tmp_path)
    assert len(read("two.mrg")) == 2


def test_hash_of_a_file_that_changed_is_not_given(tmp_path: Path) -> None:
    file = tmp_path / "two.mrg"
    file.write_text(TWO)
    bank = read(file)
    file.write_text(TREE)
    assert bank.source.sha256() is None
    assert lines(bank) == [TREE, OTHER]


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nothing\.mrg"):
        read(tmp_path / "nothing.mrg")
    with pytest.raises(FileNotFoundError, match=r"nothing\.mrg"):
        read(str(tmp_path / "nothing.mrg"))


def test_directory(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        read(tmp_path)


def test_open_files(tmp_path: Path) -> None:
    file = tmp_path / "two.mrg"
    file.write_text(TWO)
    with file.open(encoding="utf-8") as text, file.open("rb") as binary:
        for source in (text, binary):
            bank = read(source)
            assert lines(bank) == [TREE, OTHER]
            assert bank.source.name == str(file)
    assert lines(read(io.StringIO(TWO))) == lines(read(io.BytesIO(TWO.encode()))) == [TREE, OTHER]


def test_strings_and_bytes() -> None:
    for source in (TREE, TREE.encode(), f"  {TREE}", f"\n{TREE}\n", TREE + "\n"):
        assert lines(read(source)) == [TREE]
    assert lines(read(TWO)) == lines(read(TWO.encode())) == [TREE, OTHER]


def test_string_with_a_byte_order_mark_is_text() -> None:
    assert lines(read("\ufeff" + TREE)) == [TREE]


def test_lists_and_generators() -> None:
    def generated() -> Iterator[str]:
        yield TREE
        yield OTHER

    for source in ([TREE, OTHER], (TREE, OTHER), generated(), iter([TREE + "\n", OTHER + "\n"])):
        bank = read(source)
        assert lines(bank) == [TREE, OTHER]
        assert [bank.line(index) for index in range(2)] == [1, 2]


def test_each_item_of_a_list_is_one_sentence() -> None:
    pretty = "(S\n  (NP (NN a))\n  (VP (VB b)))"
    bank = read([pretty, "", "(NN a) (NN b)", "(())", TREE])
    assert len(bank) == 5
    assert [tree.leaves for tree in bank] == [["a", "b"], [], ["a", "b"], [], ["the", "cat", "sleeps"]]
    assert len(read([])) == 0
    assert len(read(["", ""])) == 2


def test_items_keep_their_numbers_beside_other_items() -> None:
    """A failed parse given as None changes nothing about the sentences given as text."""
    bank = read([TREE, None, OTHER])
    assert [tree.leaves for tree in bank] == [["the", "cat", "sleeps"], [], ["dogs", "bark"]]
    assert [bank.line(index) for index in range(3)] == [1, 2, 3]


def test_broken_item_is_named() -> None:
    for items in ([TREE, "(S (NN a)", OTHER], [TREE, "(S (NN a)", None]):
        with pytest.raises(TreeSyntaxError, match="<list>:2:1: "):
            read(items)
        bank = read(items, on_error="keep", name="my trees")
        assert places(bank) == [("unclosed", 2, 1, 2)]
        assert bank.problems[0].file == "my trees"
        assert len(bank) == 3


def test_treebank_and_trees_are_taken_as_they_are() -> None:
    bank = read(TWO)
    assert read(bank) is bank
    assert read(bank[1]) == read(OTHER)
    assert read([bank[1], bank[0]]) == read(f"{OTHER}\n{TREE}")
    assert lines(read(list(bank))) == [TREE, OTHER]


@pytest.mark.parametrize("source", [3, 2.5, object(), [3], [TREE, 3], [object()]], ids=repr)
def test_other_things_are_refused(source: object) -> None:
    with pytest.raises(TypeError, match="type"):
        read(source)  # type: ignore[arg-type]


def test_name_is_used_in_messages(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("(S")
    for source in (file, "(S", b"(S", io.StringIO("(S"), ["(S"]):
        with pytest.raises(TreeSyntaxError, match=r"^dev set:1:1: "):
            read(source, name="dev set")


@pytest.mark.parametrize("option", ["layout", "on_error"])
def test_unknown_options_are_refused(option: str) -> None:
    with pytest.raises(ValueError, match=f"{option} must be one of"):
        read(TREE, **{option: "wrong"})  # type: ignore[arg-type]


def from_stdin(data: bytes, code: str = "print([str(tree) for tree in treescore.read('-')])") -> str:
    """What Python prints that reads its standard input."""
    command = [sys.executable, "-c", f"import treescore; {code}"]
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True, timeout=120).stdout.decode().strip()


def test_standard_input() -> None:
    assert from_stdin(TWO.encode()) == str([TREE, OTHER])
    assert from_stdin(gzip.compress(TWO.encode())) == str([TREE, OTHER])
    assert from_stdin(TWO.encode(), "print(treescore.read('-').source.name)") == "<stdin>"
    assert from_stdin(b"") == "[]"


def test_gzip(tmp_path: Path) -> None:
    packed = gzip.compress(TWO.encode())
    file = tmp_path / "two.mrg.gz"
    file.write_bytes(packed)
    misnamed = tmp_path / "two.mrg"
    misnamed.write_bytes(packed)
    for source in (file, str(file), misnamed, packed, io.BytesIO(packed)):
        assert lines(read(source)) == [TREE, OTHER]
    twice = packed + gzip.compress(TREE.encode())  # gzip files may be put one behind the other
    assert len(read(twice)) == 3


def test_damaged_gzip_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "cut.gz"
    file.write_bytes(gzip.compress(TWO.encode() * 100)[:-20])
    with pytest.raises(InputError, match="damaged") as caught:
        read(file, on_error="keep")
    assert caught.value.problem.file == str(file)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_named_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(TWO,))
    writer.start()
    bank = read(pipe)
    writer.join()
    assert lines(bank) == [TREE, OTHER]


# ---------------------------------------------------------------------------------------------------------------------
# How trees may be written


def test_one_tree_per_line_and_blank_lines() -> None:
    bank = read(f"\n{TREE}\n\n  \n{OTHER}\n\n")
    assert lines(bank) == [TREE, OTHER]
    assert [bank.line(index) for index in range(2)] == [2, 5]


def test_blank_lines_are_sentences_if_every_line_is_one() -> None:
    bank = read(f"{TREE}\n\n{OTHER}\n \n", layout="line")
    assert [len(tree.leaves) for tree in bank] == [3, 0, 2, 0]
    assert [bank.line(index) for index in range(4)] == [1, 2, 3, 4]
    assert bank.problems == ()


def test_last_line_without_an_end() -> None:
    for layout in ("auto", "line", "multiline"):
        assert lines(read(TWO.rstrip("\n"), layout=layout)) == [TREE, OTHER]


PRETTY = """\
(S
    (NP (DT the) (NN cat))
    (VP (VBZ sleeps)))

( (S
    (NP (NNS dogs))
    (VP (VBP bark))
  )
)
"""


def test_pretty_printed() -> None:
    for layout in ("auto", "multiline"):
        bank = read(PRETTY, layout=layout)
        assert lines(bank) == [TREE, f"( {OTHER})"]
        assert [bank.line(index) for index in range(2)] == [1, 5]


def test_pretty_printed_read_line_by_line_says_what_to_do() -> None:
    with pytest.raises(TreeSyntaxError, match=r"<text>:1:1: .*never closed .*--layout auto"):
        read(PRETTY, layout="line")


def test_unindented_trees_over_several_lines() -> None:
    text = "(S\n(NP (DT the) (NN cat))\n(VP (VBZ sleeps)))\n(S\n(NP (NNS dogs))\n(VP (VBP bark)))\n"
    for layout in ("auto", "multiline"):
        bank = read(text, layout=layout)
        assert lines(bank) == [TREE, OTHER]
        assert [bank.line(index) for index in range(2)] == [1, 4]


@pytest.mark.parametrize("root", ["", "TOP", "ROOT", "S1", "VROOT"])
def test_outer_brackets(root: str) -> None:
    for text in (f"({root} {TREE})", f"({root}{TREE})", f"( {root} {TREE} )"):
        tree = read(text)[0]
        assert tree.label == root
        assert [str(child) for child in tree.children] == [TREE]


@pytest.mark.parametrize("text", ["(())", "()", "(TOP ())", "( )", "(TOP)", "( ( ) )", "((()))"])
def test_failed_parses(text: str) -> None:
    for layout in ("auto", "line", "multiline"):
        bank = read(f"{TREE}\n{text}\n{OTHER}\n", layout=layout)
        assert [len(tree.leaves) for tree in bank] == [3, 0, 2]
        assert bank.problems == ()
        assert read(str(bank[1])) == bank[1:2]


def test_line_ends_and_blanks() -> None:
    assert lines(read(f"{TREE}\r\n{OTHER}\r\n")) == [TREE, OTHER]
    assert lines(read(f"{TREE}\r\n\r\n{OTHER}", layout="line")) == [TREE, "()", OTHER]
    assert lines(read(TREE.replace(" ", "\t"))) == [TREE]
    assert lines(read(TREE.replace(" ", " \v\f "))) == [TREE]
    assert lines(read(TREE.replace("(", " ( ").replace(")", " ) "))) == [TREE]


def test_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "bom.mrg"
    file.write_bytes(b"\xef\xbb\xbf" + TWO.encode())
    for layout in ("auto", "line", "multiline"):
        assert lines(read(file, layout=layout)) == [TREE, OTHER]
    with pytest.raises(TreeSyntaxError, match=":1:1: "):
        read(b"\xef\xbb\xbf(S")


@pytest.mark.parametrize("character", ["\u00a0", "\u3000", "\u2028", "\u0085", "\x1c", "\x00", "\ufeff", "\u200b"])
def test_other_blanks_are_ordinary_characters(character: str) -> None:
    tree = read(f"(NP (N{character} a{character}b) (NN {character}))")[0]
    assert tree.leaves == [f"a{character}b", character]
    assert tree.pos() == [(f"a{character}b", f"N{character}"), (character, "NN")]
    assert str(tree) == f"(NP (N{character} a{character}b) (NN {character}))"


def test_words_without_tags() -> None:
    tree = read("(NP the cat)")[0]
    assert tree.leaves == ["the", "cat"]
    assert tree.children == ["the", "cat"]
    assert tree.pos() == [("the", None), ("cat", None)]
    assert str(tree) == "(NP the cat)"
    assert [(span.label, span.start, span.end) for span in tree.spans()] == [("NP", 0, 2)]


@pytest.mark.parametrize("text", ["(NP the (NN cat))", "(NP (DT the) cat)", "(S a (NP b (NN c) d) e (VP (VB f)))"])
def test_words_and_phrases_side_by_side(text: str) -> None:
    tree = read(text)[0]
    assert str(tree) == text
    assert tree.leaves == [word for word in text.replace("(", " ").replace(")", " ").split() if word.islower()]
    assert str(read(tree.pformat())[0]) == text


def test_escaped_brackets_stay_escaped() -> None:
    tree = read("(PRN (-LRB- -LRB-) (NP (NN a)) (-RRB- -RRB-))")[0]
    assert tree.leaves == ["-LRB-", "a", "-RRB-"]
    assert tree.pos()[0] == ("-LRB-", "-LRB-")


def test_several_trees_on_a_line() -> None:
    bank = read(f"{TREE} {OTHER}{TREE}\n{OTHER}\n")
    assert lines(bank) == [TREE, OTHER, TREE, OTHER]
    assert [bank.line(index) for index in range(4)] == [1, 1, 1, 2]


def test_several_trees_on_a_line_are_one_sentence_if_every_line_is_one() -> None:
    bank = read(f"{TREE} {OTHER}\n{OTHER}\n", layout="line")
    assert len(bank) == 2
    forest = bank[0]
    assert forest.label == ""
    assert [str(child) for child in forest.children] == [TREE, OTHER]
    assert forest.leaves == ["the", "cat", "sleeps", "dogs", "bark"]
    assert [(span.label, span.start, span.end) for span in forest.spans()][3:] == [
        ("S", 3, 5),
        ("NP", 3, 4),
        ("VP", 4, 5),
    ]
    assert read(str(forest), layout="line") == bank[:1]


def test_labels_are_kept_as_written() -> None:
    text = "(S-TPC-1 (NP-SBJ=2 (NN-X##f=1## a)) (*T* (-NONE- *T*-1)) (NP|VP+X (CD 1/2)))"
    tree = read(text)[0]
    assert str(tree) == text
    assert [span.label for span in tree.spans()] == ["S-TPC-1", "NP-SBJ=2", "*T*", "NP|VP+X"]


def test_blank_between_bracket_and_label() -> None:
    assert str(read("( NP ( NN a ) ( NN b ) )")[0]) == "(NP (NN a) (NN b))"
    empty_tag = read("(NP ( a) (NN b))")[0]
    assert empty_tag.pos() == [("a", ""), ("b", "NN")]
    assert read(str(empty_tag)) == read("(NP ( a) (NN b))")


# ---------------------------------------------------------------------------------------------------------------------
# What is broken, and where


def test_unclosed_tree_in_a_file_with_a_tree_per_line(tmp_path: Path) -> None:
    """Only that sentence is lost, wherever it stands; the others keep their numbers."""
    for broken in range(3):
        trees = [TREE, OTHER, "(NP (NN c))"]
        trees[broken] = trees[broken][:-1]
        file = tmp_path / "trees.mrg"
        file.write_text("\n".join(trees) + "\n")
        for layout in ("auto", "line"):
            bank = read(file, layout=layout, on_error="keep")
            assert len(bank) == 3
            assert lines(bank) == [tree if number != broken else "()" for number, tree in enumerate(trees)]
            assert [bank.line(index) for index in range(3)] == [1, 2, 3]
            assert places(bank) == [("unclosed", broken + 1, 1, broken + 1)]
            problem = bank.problems[0]
            assert problem.file == str(file)
            assert "1 still open" in problem.message
            assert problem.action is not None
            assert str(problem).startswith(f"{file}:{broken + 1}:1: this bracket is never closed")
            with pytest.raises(TreeSyntaxError) as caught:
                read(file, layout=layout)
            assert str(caught.value).startswith(f"{file}:{broken + 1}:1: this bracket is never closed")
            assert caught.value.problem.unit == broken + 1


def test_several_unclosed_trees() -> None:
    bank = kept("(S (NN a)\n(S (NP (NN b)\n(S (NN c))\n(S (NN d)\n")
    assert lines(bank) == ["()", "()", "(S (NN c))", "()"]
    assert places(bank) == [("unclosed", 1, 1, 1), ("unclosed", 2, 1, 2), ("unclosed", 4, 1, 4)]
    assert "2 still open" in bank.problems[1].message


def test_unclosed_tree_behind_another_on_its_line() -> None:
    bank = kept("(NN a) (S (NN b)\n(NN c)\n")
    assert lines(bank) == ["(NN a)", "()", "(NN c)"]
    assert places(bank) == [("unclosed", 1, 8, 2)]


def test_columns_count_characters() -> None:
    assert places(kept("\t(NN 木木🌲é) (S (NN b)\n")) == [("unclosed", 1, 12, 2)]
    assert places(kept("(NN é) ) \n")) == [("surplus", 1, 8, 1)]


def test_unclosed_indented_tree() -> None:
    """In a pretty-printed file the trees before and behind it are found."""
    text = "(S\n  (NN a))\n(S\n  (NP (NN b))\n(S\n  (NN c))\n"
    bank = kept(text)
    assert lines(bank) == ["(S (NN a))", "()", "(S (NN c))"]
    assert places(bank) == [("unclosed", 3, 1, 2)]


def test_unclosed_tree_where_only_brackets_count() -> None:
    bank = kept("(S (NN a))\n(S (NN b)\n(S (NN c))\n", layout="multiline")
    assert lines(bank) == ["(S (NN a))", "()"]
    assert places(bank) == [("unclosed", 2, 1, 2)]
    assert "--layout multiline" not in bank.problems[0].message


@pytest.mark.parametrize("layout", ["auto", "line"])
def test_surplus_bracket(layout: str) -> None:
    bank = kept(f"{TREE}\n{OTHER})\n{TREE}\n", layout)
    assert lines(bank) == [TREE, "()", TREE]
    assert places(bank) == [("surplus", 2, len(OTHER) + 1, 2)]
    with pytest.raises(TreeSyntaxError, match=f"<text>:2:{len(OTHER) + 1}: this bracket closes nothing"):
        read(f"{TREE}\n{OTHER})\n", layout=layout)


@pytest.mark.parametrize("layout", ["auto", "line"])
def test_bracket_closed_too_early(layout: str) -> None:
    """The rest of the sentence is not taken for a sentence of its own."""
    bank = kept(f"{TREE}\n(S (NP (NN a))) (VP (VB b)))\n{OTHER}\n", layout)
    assert lines(bank) == [TREE, "()", OTHER]
    assert [code for code, *_ in places(bank)] == ["surplus"]
    assert bank.problems[0].line == 2


@pytest.mark.parametrize("layout", ["auto", "line"])
@pytest.mark.parametrize("loose", ["oops", "# a comment", "1\t(NN a)", "oops (NN a)"])
def test_loose_text(loose: str, layout: str) -> None:
    bank = kept(f"{TREE}\n{loose}\n{OTHER}\n", layout)
    assert lines(bank) == [TREE, "()", OTHER]
    assert places(bank) == [("loose-text", 2, 1, 2)]
    with pytest.raises(TreeSyntaxError, match="<text>:2:1: text outside brackets"):
        read(f"{TREE}\n{loose}\n", layout=layout)


def test_loose_text_behind_a_tree() -> None:
    bank = kept(f"{TREE} oops\n{OTHER}\n")
    assert lines(bank) == ["()", OTHER]
    assert places(bank) == [("loose-text", 1, len(TREE) + 2, 1)]


def test_file_that_is_not_trees_at_all() -> None:
    bank = kept("one two\nthree\n")
    assert places(bank) == [("loose-text", 1, 1, 1), ("loose-text", 2, 1, 2)]


def test_problems_of_a_slice_and_of_a_sum_name_their_sentences() -> None:
    bank = kept("(NN a)\n(S (NN b)\n(NN c)\n(S (NN d)\n")
    assert [problem.line for problem in bank[:2].problems] == [2]
    assert [problem.line for problem in bank[2:].problems] == [4]
    assert bank[2:3].problems == ()
    both = kept("(NN x)\n") + bank
    assert [problem.unit for problem in both.problems] == [3, 5]
    assert [problem.line for problem in both[:3].problems] == [2]


def test_repr_says_what_was_not_readable() -> None:
    bank = read("(S (NN a)\n(NN b)\n", on_error="keep", name="dev.mrg")
    assert repr(bank) == "<Treebank: 2 trees from dev.mrg, 1 not readable>"
    assert repr(bank[1:]) == "<Treebank: 1 tree from dev.mrg>"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (TWO.encode("utf-16"), "UTF-16"),
        (b"\xfe\xff" + TWO.encode("utf-16-be"), "UTF-16"),
        (b'<?xml version="1.0"?><corpus/>', "XML"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>", "XML"),
        (b"PK\x03\x04rest", "packed"),
        (bz2.compress(TWO.encode()), "packed"),
        (b"\xfd7zXZ\x00", "packed"),
    ],
    ids=["utf-16", "utf-16-be", "xml", "xml-bom", "zip", "bzip2", "xz"],
)
@pytest.mark.parametrize("on_error", ["raise", "keep"])
def test_other_kinds_of_files(data: bytes, message: str, on_error: str, tmp_path: Path) -> None:
    file = tmp_path / "strange"
    file.write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        read(file, on_error=on_error)
    assert caught.value.problem.file == str(file)
    assert str(file) in str(caught.value)


def test_empty_file(tmp_path: Path) -> None:
    file = tmp_path / "empty"
    file.write_bytes(b"")
    blank = tmp_path / "blank"
    blank.write_bytes(b" \n\n")
    for layout in ("auto", "line", "multiline"):
        assert len(read(file, layout=layout)) == 0
    assert len(read(blank)) == len(read("")) == len(read(b"")) == len(read("\n")) == 0
    assert len(read(blank, layout="line")) == 2


def test_errors_pickle() -> None:
    for error in (TreeSyntaxError, InputError, treescore.UnequalTreebanks):
        again = pickle.loads(pickle.dumps(error(Problem("x", "what", file="f", line=1))))
        assert type(again) is error
        assert str(again) == "f:1: what"
        assert again.problem == Problem("x", "what", file="f", line=1)


def test_invalid_utf_8_survives(tmp_path: Path) -> None:
    data = b"(S (N\xff \xc3) (NN caf\xe9) (NN \xed\xa0\x80))\n"
    file, copy = tmp_path / "latin", tmp_path / "copy"
    file.write_bytes(data)
    bank = read(file)
    bank.write(copy)
    assert copy.read_bytes() == data
    assert read(str(bank[0])) == bank
    assert read([str(bank[0])]) == bank
    assert pickle.loads(pickle.dumps(bank)) == bank
    assert treescore.evaluate(bank, file)["parseval"].value == 1.0


# ---------------------------------------------------------------------------------------------------------------------
# Large


def test_a_million_nodes() -> None:
    text = "(S" + " (NP (NN a))" * 333_333 + " (NN b)" * 333_333 + ")"
    with hang_guard():
        bank = read(text)
        tree = bank[0]
        assert len(tree.children) == len(tree.leaves) == 666_666
        assert len(tree.spans()) == 333_334
        assert str(tree) == text
        assert read(tree.pformat()) == bank
        assert pickle.loads(pickle.dumps(bank)) == bank
        total = treescore.evaluate(bank, bank, "parseval|profile:none").scores[0].counts.total()
        assert (total["matched"], total["words"]) == (333_334, 666_666)


def test_depth_of_a_hundred_thousand(tmp_path: Path) -> None:
    depth = 100_000
    text = "(X " * depth + "(NN a) (NN b)" + ")" * depth
    with hang_guard():
        bank = read(text)
        tree = bank[0]
        assert str(tree) == text
        assert tree.leaves == ["a", "b"]
        assert len(tree.spans()) == depth
        assert tree.height == depth + 2
        assert read(tree.pformat()) == bank
        assert pickle.loads(pickle.dumps(tree)) == tree
        node = tree
        for _ in range(depth - 1):
            (child,) = node.children
            assert isinstance(child, treescore.Tree)
            node = child
        assert [str(child) for child in node.children] == ["(NN a)", "(NN b)"]
        for signature in ("parseval|profile:none", "parseval|profile:tn-pcfg|root:keep"):
            assert treescore.evaluate(bank, bank, signature).scores[0].parts["f1"] == 1.0
        bank.write(tmp_path / "deep")
        assert read(tmp_path / "deep") == bank
        broken = kept(text[:-1])
        assert places(broken) == [("unclosed", 1, 1, 1)]


def test_moderately_deep_tree_to_nltk() -> None:
    depth = 5_000  # nltk itself recurses when it prints or compares
    result = read("(X " * depth + "(NN a)" + ")" * depth)[0].to_nltk()
    levels = 0
    while isinstance(result, nltk.Tree):
        result, levels = result[0], levels + 1
    assert (result, levels) == ("a", depth + 1)


def test_a_word_of_a_megabyte() -> None:
    word, label = "w" * 1_000_000, "L" * 1_000_000
    with hang_guard():
        bank = read(f"({label} (NN {word}))")
        assert bank[0].leaves == [word]
        assert bank[0].label == label
        assert str(bank[0]) == f"({label} (NN {word}))"
        assert treescore.evaluate(bank, bank, "parseval|profile:none").scores[0].value == 1.0
        assert len(repr(bank[0])) < 100


def test_many_labels() -> None:
    text = "(S " + " ".join(f"(L{number} w)" for number in range(20_000)) + ")"
    bank = read(text)
    assert str(bank[0]) == text
    assert pickle.loads(pickle.dumps(bank)) == bank


# ---------------------------------------------------------------------------------------------------------------------
# Trees and treebanks


def test_tree_reads_like_a_small_tree_library() -> None:
    tree = read("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))")[0]
    noun_phrase, verb_phrase = tree.children
    assert isinstance(noun_phrase, treescore.Tree)
    assert isinstance(verb_phrase, treescore.Tree)
    assert (noun_phrase.start, noun_phrase.end, verb_phrase.start, verb_phrase.end) == (0, 2, 2, 3)
    assert (tree.height, noun_phrase.height) == (4, 3)
    assert noun_phrase.leaves == ["the", "cat"]
    assert verb_phrase.spans() == [treescore.Span("VP", 2, 3)]
    assert noun_phrase.spans() == [treescore.Span("NP", 0, 2)]
    preterminal = noun_phrase.children[0]
    assert isinstance(preterminal, treescore.Tree)
    assert preterminal.is_preterminal
    assert (preterminal.label, preterminal.leaves, preterminal.children) == ("DT", ["the"], ["the"])
    assert preterminal.spans() == []
    assert str(verb_phrase) == "(VP (VBZ sleeps))"
    assert pickle.loads(pickle.dumps(verb_phrase)) == verb_phrase
    assert {tree, read(str(tree))[0]} == {tree}
    assert tree.pformat() == "(S\n  (NP (DT the) (NN cat))\n  (VP (VBZ sleeps)))"


def test_treebank_is_a_sequence() -> None:
    bank = read("(A a) (B b) (C c)")
    assert [tree.label for tree in bank] == ["A", "B", "C"]
    assert bank[-1].label == "C"
    assert lines(bank[1:]) == ["(B b)", "(C c)"]
    assert lines(bank[1:][1:]) == ["(C c)"]
    assert len(bank[2:1]) == 0
    assert bank[:2] + bank[2:] == bank
    assert bank != bank[:2]
    with pytest.raises(IndexError):
        bank[3]
    with pytest.raises(IndexError):
        bank[-4]
    with pytest.raises(ValueError, match="without gaps"):
        bank[::2]
    assert bank.nbytes > 0
    small = read("(A a)\n" * 10_000)[5:6]
    assert len(pickle.dumps(small)) < 2_000


def test_pickled_slice_keeps_its_lines_and_problems() -> None:
    bank = kept("(NN a)\n(S (NN b)\n(NN c)\n")
    part = pickle.loads(pickle.dumps(bank[1:]))
    assert part == bank[1:]
    assert part.problems == bank[1:].problems
    assert [part.line(index) for index in range(2)] == [2, 3]


def test_write_and_read_back(tmp_path: Path) -> None:
    bank = read(PRETTY)
    for pretty in (False, True):
        bank.write(tmp_path / "out", pretty=pretty)
        assert read(tmp_path / "out") == bank
    assert list(bank.lines()) == lines(bank)


# ---------------------------------------------------------------------------------------------------------------------
# Properties


@given(st.lists(TREES, max_size=5))
def test_writing_and_reading_back_gives_the_same_treebank(trees: list[Phrase]) -> None:
    text = "".join(write(tree) + "\n" for tree in trees)
    bank = read(text.encode())
    assert len(bank) == len(trees)
    assert [tree.leaves for tree in bank] == [words_of(tree) for tree in trees]
    for pretty in (False, True):
        again = "".join(line + "\n" for line in bank.lines(pretty=pretty)).encode()
        for layout in ("auto", "multiline", *([] if pretty else ["line"])):
            assert read(again, layout=layout) == bank
    assert read([str(tree) for tree in bank]) == bank
    assert read(list(bank)) == bank
    assert pickle.loads(pickle.dumps(bank)) == bank


@given(st.lists(st.tuples(st.none() | TEXTS, TEXTS), min_size=2, max_size=6), TEXTS, RANDOMS)
def test_any_characters_survive(leaves: list[tuple[str | None, str]], label: str, rng: Random) -> None:
    tree = Phrase(label, (make_tree(rng, [Word(tag, word) for tag, word in leaves], odd=0.0),))
    bank = read(write(tree).encode())
    assert bank[0].label == label
    assert bank[0].leaves == words_of(tree)
    assert read(str(bank[0]).encode()) == bank
    assert read(bank[0].pformat().encode()) == bank


@given(st.lists(TREES, min_size=1, max_size=4), RANDOMS)
def test_blanks_and_line_ends_do_not_matter(trees: list[Phrase], rng: Random) -> None:
    loose = "\n".join(write_loosely(rng, tree) for tree in trees)
    compact = read("\n".join(map(write, trees)).encode())
    for layout in ("auto", "multiline"):
        assert read(loose.encode(), layout=layout) == compact


def nltk_words(rng: Random) -> list[Word]:
    """Words that nltk reads as we do: it takes Unicode's blanks for blanks."""
    texts, tags = ("a", "b", "é", "木", "-LRB-", "``", "*T*-1", "$"), ("NN", "DT", "-NONE-", ",", ".")
    return [Word(rng.choice((None, *tags)), rng.choice(texts)) for _ in range(rng.randint(1, 8))]


@given(RANDOMS)
def test_nltk_reads_the_same(rng: Random) -> None:
    tree = make_tree(rng, nltk_words(rng), odd=0.2)
    first = [phrase.children[0] for phrase in phrases_of(tree) if not phrase.label]
    assume(not any(isinstance(child, Word) and child.tag is None for child in first))  # "( a b)": a is the label
    ours = read(write(tree).encode(), form="brackets")[0]
    theirs = nltk.Tree.fromstring(write(tree))
    assert ours.to_nltk() == theirs
    assert ours.leaves == theirs.leaves()
    assert ours.height == theirs.height()
    assert ours.label == theirs.label()
    assert read([theirs])[0] == ours
    assert nltk.Tree.fromstring(str(ours)) == nltk.Tree.fromstring(ours.pformat()) == theirs


@pytest.mark.long
@settings.get_profile("long")
@given(st.lists(TREES, max_size=5), RANDOMS)
def test_many_round_trips(trees: list[Phrase], rng: Random) -> None:
    loose = "\n".join(write_loosely(rng, tree) for tree in trees)
    bank = read(loose.encode(), form="brackets")
    assert read("".join(line + "\n" for line in bank.lines(pretty=True)).encode(), form="brackets") == bank
    assert [tree.leaves for tree in bank] == [words_of(tree) for tree in trees]


def _as_read(items: object, reader: Callable[..., Treebank]) -> object:
    try:
        bank = reader(items)
    except (InputError, ValueError, TypeError) as problem:
        return type(problem), str(problem)
    times = [bank.native.times(index) for index in range(len(bank))]
    return list(bank.lines()), bank.problems, bank.ids, times, bank.blank_lines, bank.source


@settings(max_examples=300)
@given(st.lists(st.lists(PIECES, max_size=4).map("".join), max_size=4))
def test_lists_of_strings_are_read_like_other_sequences(items: list[str]) -> None:
    """There is a shorter way for lists."""
    reader = partial(read, on_error="keep")
    assert _as_read(items, reader) == _as_read(tuple(items), reader)


@settings(max_examples=300)
@given(
    st.sampled_from(("(", "(S ", "(S (NN a))", "( (S (a b) c))")),
    st.lists(PIECES, max_size=5).map("".join),
    st.sampled_from(
        (
            partial(read_batch, form="auto", name="<text>"),
            partial(read, on_error="raise"),
            *(partial(read, on_error="keep", layout=layout) for layout in ("auto", "line", "multiline")),
        )
    ),
)
def test_strings_are_read_like_bytes(start: str, rest: str, reader: Callable[..., Treebank]) -> None:
    """There is a shorter way for strings."""
    assert _as_read(start + rest, reader) == _as_read(encode(start + rest), reader)
