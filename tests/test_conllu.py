"""Reading CoNLL-U, good and bad, and what is made of differing texts."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import treescore
from treescore import metrics
from treescore.readers.conllu import is_conllu, read_conllu

GOOD = "1\ta\t_\tX\t_\t_\t2\tdep\t2:dep\t_\n2\tb\t_\tX\t_\t_\t0\troot\t0:root\t_\n\n"
RANGE = "{}\tab\t_\t_\t_\t_\t_\t_\t_\t_\n"


def line(number: int, head: int | str, form: str = "a") -> str:
    return f"{number}\t{form}\t_\tX\t_\t_\t{head}\tdep\t_\t_\n"


@pytest.mark.parametrize(
    ("text", "code", "at", "words"),
    [
        (GOOD.replace("\t2:dep\t_\n", "\t2:dep\n"), "columns", 1, 2),
        (GOOD.replace("\t2:dep\t_\n", "\t2:dep\t_\t_\n"), "columns", 1, 2),
        (GOOD.replace("\n2", "\nno tab\n2"), "columns", 2, 2),
        (GOOD.replace("\n2", "\n# late\n2"), "comment", 2, 2),
        (GOOD.replace("\n2\tb", "\n3\tb"), "id", 2, 2),
        (GOOD.replace("\n2\tb", "\nx\tb"), "id", 2, 2),
        (RANGE.format("2-3") + GOOD, "range", 1, 2),
        (RANGE.format("2-1") + GOOD, "range", 1, 2),
        (RANGE.format("1-x") + GOOD, "range", 1, 2),
        (RANGE.format("1-3") + GOOD, "range", 1, 2),
        (RANGE.format("1-2") * 2 + GOOD, "range", 2, 2),
        (GOOD.replace("\ta\t", "\t\t"), "form", 1, 2),
        (GOOD.replace("\ta\t", "\t\u00a0\u3000\t"), "form", 1, 2),
        (GOOD.replace("\t2\tdep", "\tx\tdep"), "head", 1, 2),
        (GOOD.replace("\t2\tdep", "\t_\tdep"), "head", 1, 2),
        (GOOD.replace("\t2\tdep", "\t-1\tdep"), "head", 1, 2),
        (GOOD.replace("\t2\tdep", "\t3\tdep"), "head", 1, 2),
        (GOOD.replace("\t2\tdep", "\t99999999999999999999\tdep"), "head", 1, 2),
        (GOOD.replace("\t2\tdep", "\t1\tdep"), "cycle", 1, 2),
        (GOOD.replace("\t0\troot", "\t1\troot"), "cycle", 1, 2),
        (GOOD.replace("\t2\tdep", "\t0\tdep"), "roots", 2, 2),
        (GOOD.replace("2:dep", "2"), "deps", 1, 2),
        (GOOD.replace("2:dep", "x:dep"), "deps", 1, 2),
        (GOOD.replace("2:dep", "3:dep|2:dep"), "deps", 1, 2),
        (GOOD + "\n", "blank-line", 4, 2),
        ("\n" + GOOD, "blank-line", 1, 2),
        (GOOD[:-1], "blank-line", 2, 2),
        (GOOD[:-2], "blank-line", 2, 2),
        (GOOD[:-1] + " \n", "blank-line", 3, 2),
    ],
)
def test_faults_are_problems_and_the_rest_is_read(text: str, code: str, at: int, words: int) -> None:
    bank = read_conllu(text + GOOD if text.endswith("\n\n") else GOOD + text, on_error="keep")
    before = 0 if text.endswith("\n\n") else 3
    problem = bank.problems[0]
    assert (problem.code, problem.line) == (code, at + before)
    assert len({item.code for item in bank.problems}) == 1
    assert problem.action
    assert [len(bank.words(index)) for index in range(2)] == ([words, 2] if before == 0 else [2, words])
    with pytest.raises(treescore.InputError, match="<text>"):
        read_conllu(text)
    report = treescore.conllu_eval(text, text)
    assert report.problems
    assert report.scores[0].parts["words"] == 1.0


def test_words_without_a_form_behind_a_multi_word_token() -> None:
    text = RANGE.format("1-1") + line(1, 0, "ab") + line(2, 1, "") + line(3, 1, "c") + "\n"
    report = treescore.conllu_eval(text, text, on_error="keep")
    assert [problem.code for problem in report.problems] == ["form", "form"]
    assert report.scores[0].parts["words"] == report.scores[0].parts["las"] == 1.0


def test_what_is_no_fault() -> None:
    for text in (
        GOOD.replace("\n", "\r\n"),
        "\ufeff" + GOOD,
        "# newdoc\n# text = ab\n" + GOOD + "# the end\n",
        GOOD.replace("\n2", "\n1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n2"),
        "0.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n" + GOOD,
        GOOD.replace("2:dep", "1.1:dep"),
        GOOD.replace("\n2", "\n02").replace("\t2\tdep", "\t02\tdep"),
        RANGE.format("1-1").replace("ab", "a") + GOOD,
    ):
        assert treescore.conllu_eval(GOOD, text, on_error="raise")["conllu_eval"].value == 1.0
    assert read_conllu(GOOD.replace("\t2\tdep", "\t0\tdep"), multiple_roots=True).problems == ()


def test_empty_nodes_can_be_refused() -> None:
    with pytest.raises(treescore.InputError, match="empty node"):
        read_conllu("0.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n" + GOOD, empty_nodes=False)


def test_a_problem_of_each_kind_in_a_sentence_is_enough() -> None:
    many = "".join(line(number, "x") for number in range(1, 1000)) + "\n"
    assert [problem.code for problem in read_conllu(many, on_error="keep").problems] == ["head"]
    assert [problem.code for problem in read_conllu(GOOD + "\n" * 1000, on_error="keep").problems] == ["blank-line"]


def test_what_is_no_conllu() -> None:
    for text in ("(S (NN a))\n\n", "\n\n", "a b c\n"):
        with pytest.raises(treescore.InputError, match="not CoNLL-U"):
            read_conllu(text, on_error="keep")
    with pytest.raises(treescore.InputError, match="UTF-16"):
        read_conllu(GOOD.encode("utf-16"))
    assert len(read_conllu(b"")) == 0
    with pytest.raises(TypeError):
        read_conllu([1, 2])
    with pytest.raises(ValueError, match="on_error"):
        read_conllu(GOOD, on_error="ignore")


def test_bytes_that_are_no_utf8() -> None:
    data = GOOD.replace("\ta\t", "\té\t").encode("latin-1")
    bank = read_conllu(data, on_error="keep")
    assert [(problem.code, problem.line) for problem in bank.problems] == [("encoding", 1)]
    assert treescore.conllu_eval(data, data)["conllu_eval"].value == 1.0


def test_packed_files_and_names(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu.gz"
    path.write_bytes(gzip.compress(GOOD.encode()))
    bank = treescore.DependencyBank.read(path)
    assert (len(bank), bank.source.name, bank.line(0)) == (1, str(path), 1)
    assert bank.words(0)[0] == ("a", "_", "X", "_", "_", 2, "dep")
    assert bank.tokens(0) == [("a", 1), ("b", 1)]
    assert treescore.conllu_eval(path, bank)["conllu_eval"].value == 1.0


def test_texts_that_differ() -> None:
    other = GOOD.replace("\ta\t", "\tA\t")
    with pytest.raises(treescore.InputError, match="from character 1 on") as caught:
        treescore.conllu_eval(GOOD, other)
    assert caught.value.problem.code == "texts"
    assert treescore.conllu_eval(GOOD, other, metric="conllu_eval|text:folded")["conllu_eval"].value == 1.0
    with pytest.raises(treescore.InputError, match=r"character 3 on: <gold> \(at its end\) has ''"):
        treescore.conllu_eval(GOOD, GOOD + GOOD, metric="conllu_eval|text:folded")
    report = treescore.conllu_eval(
        GOOD + GOOD, GOOD.replace("\tb\t", "\tc\t") + GOOD, metric="conllu_eval|text:aligned"
    )
    assert report.problem_counts() == {"texts": 1}
    total = report.scores[0].counts.total()
    assert (total["words"], total["words_gold"], total["words_test"], total["uas"]) == (3, 4, 4, 2)


def test_text_is_told_from_trees() -> None:
    assert is_conllu(GOOD.encode())
    assert is_conllu(b"\xef\xbb\xbf# x\n\n" + GOOD.encode())
    assert not is_conllu(b"(S (NN a))")
    assert not is_conllu(b"")
    assert not is_conllu(b"a\tb\n")


def test_metrics_of_one_kind_do_not_take_the_other() -> None:
    with pytest.raises(treescore.InputError, match="this is not CoNLL-U"):
        treescore.evaluate("(S (NN a))", "(S (NN a))", "conllu_eval")
    with pytest.raises(treescore.UsageError, match="conllu_eval compares CoNLL-U files, not trees"):
        treescore.evaluate(["(S (NN a))"], ["(S (NN a))"], "conllu_eval")
    with pytest.raises(treescore.UsageError, match="use conllu_eval"):
        treescore.conllu_eval(GOOD, GOOD, metric="parseval")
    signature = metrics.get("conllu_eval|text:aligned|enhanced:no").signature
    assert metrics.get(signature).signature == signature


def test_long_chains_and_long_ranges() -> None:
    """No recursion, and nothing quadratic that shows."""
    size = 200_000
    chain = "".join(line(number, number - 1) for number in range(1, size + 1)) + "\n"
    assert treescore.conllu_eval(chain, chain, on_error="raise")["conllu_eval"].value == 1.0
    words = "".join(line(number, number - 1, "ab"[number % 2]) for number in range(1, 2001)) + "\n"
    text = "ba" * 1000
    gold = f"1-2000\t{text}" + "\t_" * 8 + "\n" + words
    other = gold.replace("\tb\t", "\tc\t", 500)
    total = treescore.conllu_eval(gold, other).scores[0].counts.total()
    assert total["words"] == 1500


@given(st.binary(max_size=200) | st.text("12.-#_\t\n |:ab\u00a0", max_size=200).map(str.encode))
def test_any_bytes(data: bytes) -> None:
    """Never anything but a clear error."""
    try:
        bank = read_conllu(data, on_error="keep")
        treescore.conllu_eval(bank, bank)
        treescore.conllu_eval(bank, read_conllu(GOOD), metric="conllu_eval|text:aligned")
    except treescore.InputError as error:
        assert error.problem.code in ("not-conllu", "encoding", "gzip", "binary")


def test_a_multi_word_token_without_characters() -> None:
    """Blanks of any kind do not count as characters, so that the token has none."""
    text = "1-2\t\u00a0\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"
    assert treescore.conllu_eval(text, text)["conllu_eval"].value == 1.0
