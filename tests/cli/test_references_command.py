"""`--reference FILE`: what the commands say about several gold trees, and input that they cannot use."""

from __future__ import annotations

import json
import re
from pathlib import Path

import command
import pytest

FILES = {
    "gold.mrg": "(S (NP (NN a)) (VP (VB b)))\n(S (NN c) (VB d))\n(S (NN e))\n",
    "other.mrg": "(S (NN a) (VP (VB b)))\n(S (NP (NN c)) (VB d))\n(S (NN f))\n",
    "test.mrg": "(S (NN a) (VP (VB b)))\n(S (NN c) (VB d))\n(S (NN g))\n",
    "second.mrg": "(S (NP (NN a)) (NP (VB b)))\n(S (NN c) (NP (VB d)))\n(S (NN e))\n",
    "short.mrg": "(S (NN a) (VP (VB b)))\n",
    "bad.mrg": "(S (NN a) (VP (VB b)))\n(S (NN c\n(S (NN e))\n",
    "gold.tsv": "x\t(S (NP (NN a)))\ny\t(S (NN b))\n",
    "other.tsv": "y\t(S (NP (NN b)))\nz\t(S (NN c))\n",
    "apart.tsv": "p\t(S (NP (NN b)))\nq\t(S (NN c))\n",
    "test.tsv": "x\t(S (NP (NN a)))\ny\t(S (NP (NN b)))\n",
    "gold.jsonl": '{"trees": ["(S (NP (NN a)) (VP (VB b)))", "(S (NN a) (VP (VB b)))"]}\n'
    '{"tree": "(S (NN c) (VB d))"}\n',
    "test.jsonl": '{"tree": "(S (NN a) (VP (VB b)))"}\n{"tree": "(S (NN c) (VB d))"}\n',
    "wrong.jsonl": '{"trees": []}\n{"trees": "(S (NN a))"}\n{"trees": ["(S (NN c) (VB d))", 7]}\n'
    '{"tree": "(S (NN c) (VB d))"}\n',
    "gold.conllu": "1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n",
}
PLAIN = "parseval|profile:none"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def data(folder: Path, *words: str) -> dict[str, object]:
    out, _ = command.treescore(folder, *words, "-f", "json")
    result: dict[str, object] = json.loads(out)
    return result


def test_the_report_names_all_gold_files_and_the_command_for_their_agreement(folder: Path) -> None:
    out, _ = command.treescore(folder, "gold.mrg", "test.mrg", "--reference", "other.mrg", "-m", PLAIN)
    assert "test.mrg against gold.mrg and other.mrg" in out
    assert f"{PLAIN.replace('|', '|labels:yes|')}|references:2|reference-by:best|v:" in out
    advice = re.search("how well the gold files agree: treescore (agreement .*)", out)
    assert advice is not None
    agreement, _ = command.treescore(folder, *advice[1].split())
    assert "F1" in agreement


def test_json_has_the_hash_of_every_gold_file(folder: Path) -> None:
    document = data(folder, "gold.mrg", "test.mrg", "--reference", "other.mrg", "--reference", "second.mrg")
    assert isinstance(document["references"], list)
    assert [bank["name"] for bank in document["references"]] == ["other.mrg", "second.mrg"]
    assert all(len(bank["sha256"]) == 64 for bank in document["references"])


def test_problems_name_the_file_of_the_gold_tree(folder: Path) -> None:
    document = data(folder, "gold.mrg", "test.mrg", "--reference", "bad.mrg", "-m", PLAIN, "--per-sentence")
    text = json.dumps(document["problems"])
    assert "bad.mrg" in text  # the tree that cannot be read, although another was compared
    assert document["scores"][0]["coverage"]["failed"] == 1  # type: ignore[index]


def test_an_explanation_is_about_the_gold_tree_that_was_chosen(folder: Path) -> None:
    words = ("gold.mrg", "test.mrg", "-m", PLAIN, "--explain", "1")
    first, _ = command.treescore(folder, *words)
    two, _ = command.treescore(folder, *words, "--reference", "other.mrg")
    assert "NP" in first.partition("by node")[2] or "NP" in first
    assert "missing" in first
    assert "missing" not in two


def test_several_trees_in_one_file(folder: Path) -> None:
    document = data(folder, "gold.jsonl", "test.jsonl", "-m", PLAIN)
    score = document["scores"][0]  # type: ignore[index]
    assert (score["value"], score["signature"].count("references:2|reference-by:best")) == (1.0, 1)


def test_sentences_correspond_by_ids(folder: Path) -> None:
    document = data(folder, "gold.tsv", "test.tsv", "--reference", "other.tsv", "-m", PLAIN)
    assert document["scores"][0]["value"] == 1.0  # type: ignore[index]
    text = json.dumps(document["problems"])
    assert "reference 2 has no sentence 'x'" in text
    assert "without this reference" in text
    assert "gold has no sentence 'z'" in text


def test_compare_tests_differences_against_several_gold_trees(folder: Path) -> None:
    files = ("gold.mrg", "test.mrg", "second.mrg", "--reference", "other.mrg")
    document = data(folder, "compare", *files, "-m", PLAIN, "--ci-samples", "50")
    metric = document["metrics"][0]  # type: ignore[index]
    assert "references:2" in metric["signature"]
    assert metric["systems"][0]["own"] == 1.0 > metric["systems"][1]["own"]


def test_the_mean_counts_each_sentence_once(folder: Path) -> None:
    signature = f"{PLAIN}|reference-by:mean"
    document = data(folder, "gold.mrg", "second.mrg", "--reference", "other.mrg", "-m", signature)
    coverage = document["scores"][0]["coverage"]  # type: ignore[index]
    assert (coverage["eligible"], coverage["failed"]) == (3, 1)
    out, _ = command.treescore(folder, "gold.mrg", "second.mrg", "--reference", "other.mrg", "-m", signature)
    assert "3 sentences: 2 scored, 1 failed" in out
    assert "2 sentences" in out  # behind the means of sentences


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("gold.mrg", "test.mrg", "--reference", "short.mrg"),
            "3 trees in gold.mrg but 1 in short.mrg; the words first differ in tree 2: gold (line 2) has “c d”, "
            "reference 2 has no tree",
        ),
        (
            ("gold.tsv", "test.tsv", "--reference", "apart.tsv"),
            "gold and reference 2 have no common ids: 'x' is the first in gold, 'p' in reference 2",
        ),
        (
            ("gold.tsv", "test.tsv", "--reference", "other.tsv", "-m", f"{PLAIN}|reference-by:mean"),
            "this sentence has fewer gold trees than 2: reference-by:mean needs all of them for each sentence",
        ),
        (
            ("gold.mrg", "test.mrg", "--reference", "other.mrg", "-m", "aligned_parseval"),
            "aligned_parseval aligns the sentences of whole files and takes one gold tree for each",
        ),
        (
            ("gold.mrg", "test.mrg", "--reference", "other.mrg", "-m", "sparseval|unit:file"),
            "sparseval aligns the sentences of whole files and takes one gold tree for each",
        ),
        (
            ("gold.mrg", "test.mrg", "-m", "parseval|references:2"),
            "references:2 needs several gold trees for each sentence, and there is one: add --reference FILE",
        ),
        (("gold.mrg", "test.mrg", "-m", "parseval|reference-by:mean"), "reference-by:mean needs several gold trees"),
        (
            ("gold.mrg", "test.mrg", "--reference", "other.mrg", "-m", "parseval|references:3"),
            "references:3 in the metric, but there are 2 gold trees",
        ),
        (
            (
                "gold.mrg",
                "test.mrg",
                "--reference",
                "other.mrg",
                "--reference",
                "bad.mrg",
                "-m",
                "parseval|references:2",
            ),
            "there are 3 gold trees for a sentence, and parseval|",
        ),
        (("gold.mrg", "test.mrg", "-m", "parseval|references:1"), "references must be a whole number from 2 to 999"),
        (
            ("gold.mrg", "gold.jsonl"),
            "sentences have several trees in it, which only the gold file of a score can have",
        ),
        (("errors", "gold.jsonl", "test.jsonl"), "which only the gold file of a score can have"),
        (("gold.mrg", "test.mrg", "--reference", "gold.jsonl"), "which only the gold file of a score can have"),
        (("gold.mrg", "test.mrg", "--reference", "missing.mrg"), "missing.mrg: No such file"),
        (("-", "test.mrg", "--reference", "-"), "only one of the files can be standard input"),
        (("gold.mrg", "test.mrg", "--reference", "other.mrg", "-o", "other.mrg"), "other.mrg is an input file"),
        (
            ("gold.mrg", "test.mrg", "--reference", "other.mrg", "--chunk", "1K"),
            "--chunk: --reference needs whole files",
        ),
        (("gold.conllu", "gold.conllu", "--reference", "gold.conllu"), "--reference: CoNLL-U can be compared with one"),
        (
            ("gold.mrg", "test.mrg", "--reference", "other.mrg", "--gold-times", "t.ctm"),
            "--reference: words with times can be compared with one gold file only",
        ),
        (
            (".", ".", "--reference", "other.mrg"),
            "--reference: several files on each side can be compared with one gold file only",
        ),
        *(
            (("gold.mrg", "second.mrg", "--reference", "other.mrg", "-m", f"{PLAIN}|reference-by:mean", *more), message)
            for more, message in (
                (("--by", "label"), "reference-by:mean has no table by label, which needs a single gold tree"),
                (("--explain", "1"), "reference-by:mean has no explanation node by node"),
                (("-f", "evalb"), "reference-by:mean has no report in the format evalb"),
            )
        ),
        (
            ("show", "gold.mrg", "test.mrg", "--reference", "other.mrg", "-m", f"{PLAIN}|reference-by:mean"),
            "reference-by:mean has no explanation node by node",
        ),
    ],
)
def test_input_that_cannot_be_used(folder: Path, words: tuple[str, ...], message: str) -> None:
    out, err = command.treescore(folder, *words, code=2)
    assert not out
    assert err.count("\n") == 1
    assert message in err


def test_faults_in_lists_of_trees(folder: Path) -> None:
    (folder / "three.jsonl").write_text('{"tree": "(S (NN c) (VB d))"}\n' * 4, encoding="utf-8")
    text = json.dumps(data(folder, "wrong.jsonl", "three.jsonl", "-m", PLAIN)["problems"])
    assert text.count("is not a list of trees") == 2
    assert text.count("the tree is neither in brackets, nor a list [label, children], nor a nested list of words") == 1


def test_rows_with_other_numbers_of_trees(folder: Path) -> None:
    first, two = "(S (NP (NN a)))", "(S (NN a))"
    rows = [{"gold": [first, two], "test": two}, {"gold": first, "test": first}, {"gold": [two], "test": two}]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    document = data(folder, "columns", "rows.jsonl", "-m", PLAIN)
    assert document["scores"][0]["value"] == 1.0  # type: ignore[index]
    mean = data(folder, "columns", "rows.jsonl", "-m", f"{PLAIN}|reference-by:mean")
    assert mean["scores"][0]["coverage"]["gold_faults"] == 2  # type: ignore[index]
    assert json.dumps(mean).count("this row has 1 gold tree, but reference-by:mean needs 2") == 2
    few = data(folder, "columns", "rows.jsonl", "-m", f"{PLAIN}|references:3")
    assert few["scores"][0]["value"] == 1.0  # type: ignore[index]
    rows = [{"gold": two, "test": two}] * 9000 + [{"gold": [first, two], "test": two}]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    late = data(folder, "columns", "rows.jsonl", "-m", PLAIN)
    assert late["scores"][0]["coverage"]["gold_faults"] == 1  # type: ignore[index]
    assert "this row has 2 gold trees, but the metrics take 1" in json.dumps(late)
