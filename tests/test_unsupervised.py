"""Unsupervised parsing F1: the profiles against the numbers of compound-pcfg and of the value-based definition.

What the recorded numbers are is said in golden/unsup_f1.json.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import treescore

GOLDEN = json.loads((Path(__file__).parent / "golden" / "unsup_f1.json").read_text(encoding="utf-8"))
CASES = [pytest.param(case, id=f"{case['id']} {case['note']}") for case in GOLDEN["cases"]]


#: The cases have other tags than the Penn Treebank, and were made without sentences of one word.
KEPT = "keep:|delete:-NONE-+,+:+``+''+.+-LRB-+-RRB-+#+$+HYPH+NFP|least-words:2"


def score(case: dict[str, Any], profile: str) -> treescore.Score:
    """The case under a profile, in which words are left out by a list of tags."""
    signature = f"parseval|profile:{profile}|{KEPT}"
    return treescore.evaluate(case["gold"] + "\n", case["test"] + "\n", signature).scores[0]


def percent(value: float | None) -> str:
    """As the tools print it."""
    return "–" if value is None else f"{100 * value:.2f}"


def test_there_are_cases() -> None:
    assert len(CASES) == 17
    assert "compound-pcfg" in GOLDEN["source"]


@pytest.mark.parametrize("case", CASES)
def test_compound_pcfg(case: dict[str, Any]) -> None:
    parts = score(case, "compound-pcfg").parts
    printed = re.fullmatch(r"Corpus F1: ([\d.]+), Sentence F1: ([\d.]+)", case["compound_pcfg"])
    if printed is None:
        assert case["compound_pcfg"].startswith("ZeroDivisionError")
        assert parts["f1"] in (None, 0.0)
    else:
        assert (percent(parts["f1"]), percent(parts["sentence_f1"])) == printed.groups()


@pytest.mark.parametrize("profile", ["prpn", "tn-pcfg"])
@pytest.mark.parametrize("case", CASES)
def test_value_based_profiles(case: dict[str, Any], profile: str) -> None:
    actual = score(case, profile)
    expected = case["restated_value_based"]
    assert percent(actual.parts["sentence_f1"]) == f"{expected['sentence']:.2f}"
    assert actual.value == actual.parts["sentence_f1"]
    if expected["corpus"] == 0:
        assert actual.parts["f1"] in (None, 0.0)
    else:
        assert percent(actual.parts["f1"]) == f"{expected['corpus']:.2f}"


WHOLE_UNARY = ("(S (VP (VB a) (NP (DT b) (NN c))))\n", "(X (VB a) (X (DT b) (NN c)))\n")


def test_a_unary_chain_over_the_whole_sentence_tells_the_profiles_apart() -> None:
    """compound-pcfg drops one bracket over the whole sentence, the others all of them."""
    result = {
        profile: treescore.evaluate(*WHOLE_UNARY, f"parseval|profile:{profile}").scores[0].parts["f1"]
        for profile in ("compound-pcfg", "prpn", "tn-pcfg", "vg-nsl")
    }
    assert {name: percent(value) for name, value in result.items()} == {
        "compound-pcfg": "66.67",
        "prpn": "100.00",
        "tn-pcfg": "100.00",
        "vg-nsl": "100.00",
    }


def test_the_whole_sentence_counts_for_vg_nsl() -> None:
    gold, test = "(S (NP (DT a) (NN b)) (VB c))\n", "(X (DT a) (X (NN b) (VB c)))\n"
    values = {
        name: treescore.evaluate(gold, test, f"parseval|profile:{name}").scores[0].value for name in ("vg-nsl", "prpn")
    }
    assert values == {"vg-nsl": 0.5, "prpn": 0.0}


def test_corpus_and_sentence_figures_differ() -> None:
    """Two sentences of different size: pooled brackets, and the mean of the sentences."""
    gold = "(S (NP (DT a) (NN b)) (VB c))\n(S (P (DT a) (NN b)) (Q (VB c) (R (DT d) (NN e))))\n"
    test = "(S (NP (DT a) (NN b)) (VB c))\n(S (DT a) (P (NN b) (Q (VB c) (R (DT d) (NN e)))))\n"
    for profile, main in (
        ("compound-pcfg", "sentence_f1"),
        ("prpn", "sentence_f1"),
        ("tn-pcfg", "sentence_f1"),
        ("shi2020", "sentence_f1"),
        ("vg-nsl", "f1"),
    ):
        result = treescore.evaluate(gold, test, f"parseval|profile:{profile}").scores[0]
        assert result.value == result.parts[main]
        assert result.parts["f1"] != result.parts["sentence_f1"]


def test_punctuation_and_short_sentences_are_left_out() -> None:
    gold = "(S (NP (DT a) (NN b)) (VP (VB c)) (. .))\n(S (UH oh) (. !))\n"
    test = "(X (X (DT a) (NN b)) (X (VB c) (. .)))\n(X (UH oh) (. !))\n"
    for profile, valid in {"compound-pcfg": 1, "tn-pcfg": 1, "shi2020": 1, "prpn": 2, "fast-r2d2": 2}.items():
        report = treescore.evaluate(gold, test, f"parseval|profile:{profile}")
        total = report.scores[0].counts.total()
        assert report.scores[0].value == 1.0, profile
        assert (total["valid"], total["skipped"]) == (valid, 2 - valid), profile
        assert report.problems == [], profile


def test_words_need_not_be_the_same() -> None:
    """Induced trees are often in lower case, and have tags of their own."""
    gold, test = "(S (NP (DT The) (NN dog)) (VP (VBZ eats)) (. .))\n", "(NT-1 (NT-2 (T-1 the) (T-2 dog)) (T-3 eats))\n"
    for profile in ("prpn", "compound-pcfg", "tn-pcfg", "vc-pcfg", "fast-r2d2"):
        report = treescore.evaluate(gold, test, f"parseval|profile:{profile}")
        assert [score.value for score in report.scores] == [1.0], profile
        assert report.remarks == [], profile
        assert list(report.causes()) == [], profile


def test_an_outer_bracket_without_a_label_is_taken_off() -> None:
    """Raw files of the Penn Treebank: S is the outermost bracket."""
    gold, test = "( (S (NP (DT a) (NN b)) (VP (VB c))))\n", "(X (DT a) (X (NN b) (VB c)))\n"
    assert score({"gold": gold, "test": test}, "compound-pcfg").parts["f1"] == 0.0
