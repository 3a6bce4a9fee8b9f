"""Readers for discontinuous trees, their faults, ids of sentences, large trees, and the options of the command."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from command import inside

import treescore
import treescore.heads
import treescore.readers.sources
from treescore import InputError, TreeSyntaxError, read
from treescore.cli import main
from treescore.metrics.functions import Functions
from treescore.metrics.parseval import Parseval
from treescore.place.pair import Pair

HEAD = "#BOS 1\nis\tVB\t--\tHD\t500\nhe\tPR\t--\tSB\t501\nso\tJJ\t--\tPD\t500\n"
GOOD = HEAD + "#500\tVP\t--\tOC\t501\n#501\tS\t--\t--\t0\n#EOS 1\n"
TREE = "(S (VP (VB 0=is) (JJ 2=so)) (PR 1=he))"
OTHER = "#BOS 2\nyes\tUH\t--\t--\t0\n#EOS 2\n"


def tiger(body: str) -> bytes:
    return f"<?xml version='1.0'?>\n<corpus><body>\n{body}\n</body></corpus>".encode()


# ---------------------------------------------------------------------------------------------------------------------
# Export


def test_export() -> None:
    bank = read(GOOD + OTHER)
    assert list(map(str, bank)) == [TREE, "(UH yes)"]
    assert bank.ids == ("1", "2")
    assert [bank.line(0), bank.line(1)] == [1, 8]
    assert [node.function for node in bank[0].nodes()] == [None, "OC", "HD", "PD", "SB"]
    assert bank[1:].ids == ("2",)
    assert pickle.loads(pickle.dumps(bank)).ids == ("1", "2")
    again = pickle.loads(pickle.dumps(bank))[0]
    assert [node.function for node in again.nodes()] == [None, "OC", "HD", "PD", "SB"]
    assert str(read(GOOD, functions="add")[0]) == "(S (VP-OC (VB-HD 0=is) (JJ-PD 2=so)) (PR-SB 1=he))"


def test_the_top_of_an_export_sentence_is_no_phrase() -> None:
    tree = read("#BOS 1\na\tX\t--\t--\t500\nb\t$(\t--\t--\t0\n#500\tS\t--\t--\t0\n#EOS 1\n")[0]
    assert str(tree) == "(S (X a)) ($-LRB- b)"
    assert [span.label for span in tree.spans()] == ["S"]


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        pytest.param(HEAD + "#500\tVP\t--\tOC\t501\n#EOS 1\n", "parent", 3, 13, id="no such phrase"),
        pytest.param(HEAD.replace("\t501", "\tx"), "parent", 3, 13, id="no number"),
        pytest.param(GOOD.replace("\t--\t0", "\t--\t500"), "cycle", 5, 1, id="cycle"),
        pytest.param(GOOD.replace("#EOS", "#502\tNP\t--\t--\t0\n#EOS"), "no-words", 7, 1, id="no words"),
        pytest.param(GOOD.replace("#501", "#500"), "twice", 6, 1, id="twice"),
        pytest.param(GOOD.replace("\tPD\t500", ""), "columns", 4, 7, id="three columns"),
        pytest.param(GOOD.replace("\tPD\t500", "\tPD\t500\tX"), "columns", 4, 13, id="half a secondary edge"),
        pytest.param(GOOD.replace("#EOS 1", "#EOS 7"), "end", 7, 1, id="another end"),
        pytest.param(HEAD, "unclosed", 1, 1, id="no end"),
    ],
)
def test_a_broken_sentence_does_not_harm_the_others(text: str, code: str, line: int, column: int) -> None:
    bank = read(text + OTHER, on_error="keep")
    assert list(map(str, bank)) == ["()", "(UH yes)"]
    (problem,) = bank.problems
    assert (problem.code, problem.line, problem.column, problem.unit) == (code, line, column, 1)
    assert bank.native.faulty(0)
    with pytest.raises(TreeSyntaxError) as caught:
        read(text + OTHER)
    assert caught.value.problem.line == line


def test_text_outside_sentences_is_said_once() -> None:
    bank = read("#FORMAT 3\nhello\nthere\n" + GOOD, on_error="keep")
    assert str(bank[0]) == TREE
    (problem,) = bank.problems
    assert (problem.code, problem.line, problem.unit) == ("loose-text", 2, None)


def test_an_odd_format_is_said() -> None:
    (problem,) = read("#FORMAT 9\n" + GOOD, on_error="keep").problems
    assert problem.code == "format"


def test_columns_must_be_those_of_the_format() -> None:
    assert read("#FORMAT 4\n" + GOOD, on_error="keep").problems[0].code == "columns"


def test_encodings(tmp_path: Path) -> None:
    path = tmp_path / "old.export"
    path.write_bytes(GOOD.replace("so", "schön").encode("latin-1"))
    with pytest.raises(InputError, match="this is not UTF-8 text; say which encoding it is") as caught:
        read(path)
    assert caught.value.problem.line == 4
    assert read(path, encoding="latin-1")[0].leaves == ["is", "he", "schön"]
    assert read("(S (NN schön))".encode("latin-1"), encoding="latin-1")[0].leaves == ["schön"]
    with pytest.raises(InputError, match="this is not utf-8 text; try another"):
        read(path, encoding="utf-8")
    with pytest.raises(ValueError, match="there is no encoding 'klingon'"):
        read(path, encoding="klingon")


# ---------------------------------------------------------------------------------------------------------------------
# Brackets with numbered words


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ("(S (A 0=x) (B 0=y))", "index", 15),
        ("(S (A 0=x) (B 2=y))", "index", 15),
        ("(S (A 0=x) (B 99999999999999999999=y))", "index", 15),
        ("(S (A 0=x) (B y))", "index", 15),
        ("(S (A 0=x) (B 1=y)", "unclosed", 1),
        ("(S (A 0=x)))", "surplus", 12),
        ("(S (A 0=x)) y", "loose-text", 13),
        ("(S (A 0=x) (B ))", "no-words", 1),
    ],
)
def test_faults_of_numbered_words(line: str, code: str, column: int) -> None:
    text = f"{TREE}\n{line}\n{TREE}\n"
    bank = read(text, on_error="keep")
    assert list(map(str, bank)) == [TREE, "()", TREE]
    (problem,) = bank.problems
    assert (problem.code, problem.line, problem.column, problem.unit) == (code, 2, column, 2)
    with pytest.raises(TreeSyntaxError):
        read(text)


def test_details_of_numbered_words() -> None:
    bank = read(f"{TREE}\t(a) comment\n\n(())\n(X (Y #LRB#a) b)\n(X 1=b 0=#RRB#=\n  (Y 2=c=d))\n")
    assert [tree.leaves for tree in bank] == [["is", "he", "so"], [], ["-LRB-a", "b"], ["-RRB-=", "b", "c=d"]]
    assert bank.blank_lines == 1
    assert len(read(f"{TREE}\n\n{TREE}", layout="line")) == 3
    assert str(read("(S (A 1=x)) (B 0=y)", form="discbracket")[0]) == "(B y) (S (A x))"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("(S (A 0=x) (B 1=y))", "discbracket"),
        ("(S (A 1=x))", "brackets"),
        ("(S (A 0=x))", "discbracket"),
        ("(S (A 0=x) (B y))", "brackets"),
        ("(S (PP=2 x) (B 3=))", "brackets"),
        ("(S (A x))\n(S (A 0=x) (B 1=y))", "discbracket"),
    ],
)
def test_how_numbered_words_are_recognised(text: str, form: str) -> None:
    assert treescore.readers.sources.form_of(text.encode()) == form
    assert read(text) == read(text, form=form)


def test_lists_of_strings_may_be_mixed() -> None:
    bank = read(["(S (A x) (B 3=4))", TREE, "(S (A y))"])
    assert [tree.leaves for tree in bank] == [["x", "3=4"], ["is", "he", "so"], ["y"]]
    assert read([*bank, None])[1] == bank[1]


def test_writing_numbers_all_words_if_one_tree_needs_it(tmp_path: Path) -> None:
    bank = read([TREE, "(NN a)"])
    assert list(bank.lines()) == [TREE, "(NN 0=a)"]
    bank.write(tmp_path / "a.dbr", pretty=True)
    assert read(tmp_path / "a.dbr") == bank
    with pytest.raises(ValueError, match="tree 1 is discontinuous"):
        list(bank.lines(form="brackets"))
    with pytest.raises(ValueError, match="form must be one of"):
        list(bank.lines(form="xml"))
    with pytest.raises(ValueError, match="form must be one of"):
        read(TREE, form="xml")
    with pytest.raises(ValueError, match="functions must be one of"):
        read(TREE, functions="drop")


def test_a_broken_line_spoils_no_other_sentence() -> None:
    good = "#BOS {0}\nhe\tPR\t--\tSB\t500\n#500\tS\t--\t--\t0\n#EOS {0}\n"
    broken = "#BOS 1\nhe\tPR\t--\t500\n#EOS 1\n"
    bank = read((broken + good.format(2)).encode(), on_error="keep")
    assert list(map(str, bank)) == ["()", "(S (PR he))"]
    assert [problem.message.partition(";")[0] for problem in bank.problems] == ["this line has 4 columns"]


# ---------------------------------------------------------------------------------------------------------------------
# TigerXML


@pytest.mark.parametrize(
    ("sentence", "code"),
    [
        ("<nt id='n' cat='S'><edge idref='a'/><edge idref='x'/></nt>", "parent"),
        ("<nt id='n' cat='S'><edge idref='a'/></nt><nt id='m' cat='S'><edge idref='a'/></nt>", "parent"),
        ("<nt id='n' cat='S'><edge idref='n'/></nt>", "cycle"),
        ("<nt id='n' cat='S'/>", "no-words"),
        ("<nt id='a' cat='S'/>", "twice"),
        ("<nt id='n'/><nt id='n'/>", "twice"),
        ("<nt cat='S'/>", "columns"),
        ("<nt id='n' cat='S'><edge label='X'/></nt>", "columns"),
    ],
)
def test_faults_of_tiger(sentence: str, code: str) -> None:
    good = "<s id='2'><graph><terminals><t id='a' word='x' pos='NN'/></terminals></graph></s>"
    text = tiger(
        f"<s id='1'><graph><terminals><t id='a' word='x' pos='NN'/></terminals>\n<nonterminals>{sentence}"
        f"</nonterminals></graph></s>\n{good}"
    )
    bank = read(text, on_error="keep")
    assert list(map(str, bank)) == ["()", "(NN x)"]
    (problem,) = bank.problems
    assert (problem.code, problem.unit) == (code, 1)
    assert problem.line in (3, 4)
    with pytest.raises(TreeSyntaxError):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        b"<corpus><body><s id='1'></body></corpus>",
        b"<corpus>",
        b"<html><p>hello</p></html>",
        b"<?xml version='1.0'?><!DOCTYPE c [<!ENTITY a 'b'>]><corpus><body>&a;</body></corpus>",
        b"<?xml version='1.0' encoding='nonsense'?><corpus/>",
    ],
)
def test_xml_that_is_no_treebank(text: bytes) -> None:
    with pytest.raises(InputError):
        read(text, on_error="keep")


def test_tiger_in_other_encodings() -> None:
    sentence = "<s id='1'><graph><terminals><t id='a' word='schön (1)' pos='$('/></terminals></graph></s>"
    text = f"<?xml version='1.0' encoding='iso-8859-1'?><corpus><body>{sentence}</body></corpus>"
    for bank in (read(text.encode("latin-1")), read(text.encode("cp1252"), encoding="cp1252")):
        assert str(bank[0]) == "($-LRB- schön_-LRB-1-RRB-)"
    assert str(read(text.split("?>")[1])[0]) == "($-LRB- schön_-LRB-1-RRB-)"


@pytest.mark.parametrize("encoding", ["gb18030", "shift_jis", "EUC-KR", "cp1252"])
def test_tiger_in_encodings_that_xml_parsers_do_not_know(encoding: str) -> None:
    word = "é" if encoding == "cp1252" else "文"
    sentence = f"<s id='1'><graph><terminals><t id='a' word='{word}' pos='N'/></terminals></graph></s>"
    text = f"<?xml version='1.0' encoding='{encoding}'?><corpus><body>{sentence}</body></corpus>"
    assert str(read(text.encode(encoding))[0]) == f"(N {word})"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"<?xml version='1.0' encoding='klingon'?><corpus/>", "declares the encoding 'klingon'.*--encoding"),
        (b"<?xml version='1.0' encoding='hex'?><corpus/>", "declares the encoding 'hex'"),
        (b"<!DOCTYPE c SYSTEM 'TigerXML.dtd'><corpus/>", "refers to other files.*xmllint"),
        (b"<!DOCTYPE c [<!ENTITY a 'b'>]><corpus>&a;</corpus>", "defines entities.*xmllint"),
        (b"<html><body><s>gone</s></body></html>", "no sentences of TigerXML"),
        ("<corpus/>".encode("utf-16"), "--encoding utf-16"),
    ],
)
def test_what_is_said_about_xml_that_is_refused(text: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(text)


def test_trees_in_utf_16() -> None:
    sentence = "<s id='1'><graph><terminals><t id='a' word='é' pos='N'/></terminals></graph></s>"
    for text, tree in ((f"<corpus><body>{sentence}</body></corpus>", "(N é)"), (TREE, TREE), ("(N é)", "(N é)")):
        assert str(read(text.encode("utf-16"), encoding="utf-16")[0]) == tree
    for encoding in ("hex", "klingon"):
        with pytest.raises(treescore.UsageError, match="there is no encoding"):
            read(b"(N a)", encoding=encoding)


# ---------------------------------------------------------------------------------------------------------------------
# Ids


def sentence(name: str, label: str = "S") -> str:
    return f"#BOS {name}\n{name}\tNN\t--\t--\t500\n#500\t{label}\t--\t--\t0\n#EOS {name}\n"


def test_sentences_are_paired_by_id() -> None:
    gold, test = (read("".join(map(sentence, names)).encode()) for names in (["a", "b", "c"], ["c", "a", "b"]))
    report = treescore.evaluate(gold, test, "parseval|profile:none")
    assert report.scores[0].value == 1.0
    assert [problem.code for problem in report.problems] == ["id"]
    assert "different orders" in report.problems[0].message
    assert treescore.evaluate(gold, gold, "parseval|profile:none").problems == []


def test_sentences_of_one_side_only() -> None:
    gold, test = (read("".join(map(sentence, names)).encode()) for names in (["a", "b", "c"], ["d", "c", "a"]))
    report = treescore.evaluate(gold, test, "parseval|profile:none")
    assert report.scores[0].parts["recall_all"] == report.scores[0].coverage == 2 / 3
    assert report.problem_counts() == {"id": 2}
    assert {problem.unit for problem in report.problems if problem.code == "id"} == {None, 2}
    for names, message in ((["x", "y"], "no common ids"), (["a", "a"], "occurs twice")):
        other = read("".join(map(sentence, names)).encode())
        with pytest.raises(InputError, match=message):
            treescore.evaluate(gold, other)


def test_faults_keep_their_place_when_sentences_are_paired() -> None:
    gold = read((sentence("a") + sentence("b")).encode())
    test = read((sentence("b") + sentence("a").replace("\t500", "\t501")).encode(), on_error="keep")
    report = treescore.evaluate(gold, test, "parseval|profile:none")
    assert {(problem.code, problem.unit) for problem in report.problems} == {("parent", 1), ("id", None)}
    assert report.rows()["status"] == [1, 0]


def test_ids_do_not_matter_where_one_side_has_none() -> None:
    report = treescore.evaluate(read(GOOD), read(TREE), "parseval|profile:none")
    assert (report.scores[0].value, report.problems) == (1.0, [])


# ---------------------------------------------------------------------------------------------------------------------
# Large


@pytest.mark.parametrize("shape", ["comb", "chain", "wide"])
def test_large_discontinuous_trees(shape: str) -> None:
    size = 100_000
    if shape == "comb":  # every other word, one more at each level
        inner = "(N 0=a)"
        opened = "".join(f"(P{n % 7} " for n in range(size // 2 - 1))
        words = "".join(f" (N {2 * n}=a))" for n in range(1, size // 2))
        rest = " ".join(f"(N {2 * n + 1}=a)" for n in range(size // 2))
        text = f"(S {opened}{inner}{words} {rest})"
    elif shape == "chain":
        text = f"(S {'(P ' * size}(A 0=a) (B 2=b){')' * size} (C 1=c))"
    else:
        pairs = " ".join(f"(P (A {n}=a) (B {size - 1 - n}=b))" for n in range(size // 2))
        text = f"(S {pairs})"
    bank = read(text)
    assert bank.is_discontinuous
    total = Parseval("none").counts(Pair(bank, bank)).total()
    assert total["matched"] == total["gold"] == total["test"] == bank.native.node_count(0)
    assert total["crossing"] == 0
    assert read("".join(bank.lines())) == bank
    assert pickle.loads(pickle.dumps(bank)) == bank
    other = read(text.replace("(S ", "(S (X ", 1) + ")")
    assert Parseval("none").counts(Pair(bank, other)).total()["matched"] == total["matched"]


# ---------------------------------------------------------------------------------------------------------------------
# Other parts


def test_heads_of_a_discontinuous_tree() -> None:
    tree = read(TREE.replace("JJ", "VP"))[0]
    table = treescore.heads.HeadTable({}, [("l", [])])
    assert treescore.heads.HeadFinder(table).dependencies(tree)
    from treescore.heads.writing import annotated

    assert annotated(tree, treescore.heads.HeadFinder(table)) == "(S^is (VP^is (VB 0=is) (VP 2=so)) (PR 1=he))"


def test_functions_without_any_are_undefined() -> None:
    score = treescore.evaluate("(S (NN a))", "(S (NN a))", Functions()).scores[0]
    assert (score.value, score.parts["exact"]) == (None, 1.0)


def test_functions_of_the_labels_of_wrong_phrases_do_not_count() -> None:
    gold, test = "(S (NP-SBJ (NN-X a)) (VP-Y (VB b)))", "(S (VP-SBJ (NN-X a)) (VP-Z (NN-X b)))"
    total = treescore.evaluate(gold, test, "functions|profile:none").scores[0].counts.total()
    assert (total["matched"], total["gold"], total["test"]) == (1, 2, 2)


def test_the_original_sparseval_refuses_them() -> None:
    with pytest.raises(InputError, match="discontinuous trees"):
        treescore.evaluate(TREE, TREE, "sparseval|compat:original")


def test_sentences_are_paired_by_ids_before_words_are_compared(tmp_path: Path) -> None:
    """One misspelt word must not undo the order of the ids."""
    sentence = "#BOS {0} 0 0 0\n{1}\tNN\t--\tHD\t500\nx\tVB\t--\tHD\t0\n#500\tNP\t--\tSB\t0\n#EOS {0}\n"
    words = ["alpha", "beta", "gamma", "delta"]
    gold = "".join(sentence.format(number, word) for number, word in enumerate(words, 1))
    other = list(enumerate(["alpha", "betta", "gamma", "delta"], 1))[::-1]
    (tmp_path / "gold.export").write_text(gold)
    (tmp_path / "test.export").write_text("".join(sentence.format(number, word) for number, word in other))
    shown, message, code = inside(tmp_path, lambda: main(("gold.export", "test.export", "-f", "json")))
    assert code == 0
    assert message == b""
    report = json.loads(shown)
    assert report["remarks"] == ["the words of gold and test first differ in sentence 2: aligned_parseval aligns them"]
    assert [score["parts"]["f1"] for score in report["scores"]] == [1.0, 1.0]


def test_command(tmp_path: Path) -> None:
    (tmp_path / "gold.export").write_bytes(GOOD.replace("so", "schön").encode("latin-1"))
    (tmp_path / "test.dbr").write_text(TREE.replace("so", "schön") + "\n", encoding="utf-8")

    def run(*arguments: str) -> tuple[bytes, bytes, int]:
        return inside(tmp_path, lambda: main(arguments))

    _, output, code = run("gold.export", "test.dbr")
    assert code == 2
    assert b"--encoding latin-1" in output
    shown, _, code = run("gold.export", "gold.export", "--encoding", "latin-1", "--disconly", "-f", "json")
    assert code == 0
    assert b"only:discontinuous" in shown
    _, output, code = run("gold.export", "test.dbr", "--encoding", "klingon")
    assert code == 2
    assert b"there is no encoding" in output
    _, output, code = run("gold.export", "test.dbr", "--input-format", "brackets")
    assert code == 2
    assert b"not one tree could be read" in output
    _, output, code = run("test.dbr", "test.dbr", "--disconly", "-m", "struct_iou")
    assert code == 2
    assert b"--disconly is for brackets (parseval), not for struct_iou" in output


def test_a_numbered_word_without_a_tag() -> None:
    """An empty label is one that nothing follows, or a blank and a word with its number."""
    [tree] = treescore.read("(X ( 1=b) (A 0=a))\n")
    assert tree.pos() == [("a", "A"), ("b", "")]
    assert treescore.read("".join(line + "\n" for line in treescore.read("(X ( 1=b) (A 0=a))\n").lines()))[0] == tree


@pytest.mark.parametrize("more", range(1, 40))
def test_words_that_only_one_side_has(more: int) -> None:
    """Words with the same number are the same; phrases with words that the other side does not have match nothing."""
    few = "(S (VP (A 0=a) (B 2=b)) (C 1=c) (X (D 3=d)))\n"
    rest = " ".join(f"(E {number}=e)" for number in range(4, 4 + more))
    many = f"(S (VP (A 0=a) (B 2=b)) (C 1=c) (X (D 3=d) {rest}))\n"
    for gold, test in ((few, many), (many, few)):
        counts = Parseval(lengths="any").counts(Pair(read(gold), read(test))).total()
        assert (counts["matched"], counts["gold"], counts["test"]) == (1, 3, 3)
        assert counts["crossing"] == 1  # S of the fewer words, and X of the more
