"""Brackets, exact matches, tags and functions against recorded output of disco-dop.

A case names the parameter file, the format and the options of `discodop eval`. Where disco-dop ends with an error or
prints nan, treescore goes on; what it gives there is tested here, too. Leaf-ancestor, tree-dist and dependency figures
are recorded with the cases.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import treescore
from treescore.metrics.functions import Functions
from treescore.metrics.parseval import Parseval

RECORDED = json.loads((Path(__file__).parent / "discodop.json").read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in RECORDED["cases"]}
SCORED = [case for case in CASES.values() if case["exit"] == 0]


def by_name(case: dict[str, Any]) -> str:
    return f"{case['id']}-{case['note']}"


def options_of(case: dict[str, Any]) -> dict[str, Any]:
    """The options of parseval that say the same as those of disco-dop."""
    changes: dict[str, Any] = {"prm": RECORDED["parameters"][case["param"]].encode()}
    if "--disconly" in case["options"]:
        changes["only"] = "discontinuous"
    if "--functions=leave" in case["options"]:
        changes["cut"] = ""
    return changes


def banks(case: dict[str, Any]) -> tuple[treescore.Treebank, treescore.Treebank]:
    form = {"bracket": "brackets"}.get(case["fmt"], case["fmt"])
    gold, test = (treescore.read(case[side].encode(), form=form) for side in ("gold", "test"))
    assert [gold, test] == [treescore.read(case[side].encode()) for side in ("gold", "test")]  # told by the content
    return gold, test


def summary(case: dict[str, Any], place: int = -1) -> dict[str, str]:
    """The figures by name; of two columns, up to a length and all, the one at this place."""
    result = {}
    for line in case["summary"][1:]:
        name, colon, values = line.partition(":")
        if colon:
            result[name.removesuffix(" (disc.)")] = values.split("(")[0].split()[place]
    return result


def shown(part: treescore.Part) -> str:
    return "nan" if part.shown_value is None else part.shown()


def check(figures: dict[str, treescore.Part], expected: dict[str, str]) -> None:
    assert shown(figures["recall"]) == expected["labeled recall"]
    assert shown(figures["precision"]) == expected["labeled precision"]
    if expected["labeled f-measure"] != "nan":
        assert shown(figures["f1"]) == expected["labeled f-measure"]
    assert str(figures["recall"].below) == expected["gold brackets"]
    assert str(figures["precision"].below) == expected["cand. brackets"]
    assert shown(figures["exact"]) == expected["exact match"]
    assert shown(figures["tag_accuracy"]) == expected["pos accuracy"]


@pytest.mark.parametrize("case", SCORED, ids=by_name)
def test_brackets(case: dict[str, Any]) -> None:
    options, expected = options_of(case), summary(case)
    gold, test = banks(case)
    report = treescore.evaluate(gold, test, Parseval("discodop", **options))
    score = report.scores[0]
    assert score.counts.total()["valid"] == int(expected["number of sentences"])
    check(score.figures, expected)
    if "--cutofflen=4" in case["options"]:
        short = treescore.evaluate(gold, test, Parseval("discodop", longest=4, **options)).scores[0]
        check(short.figures, summary(case, 0))
    if case["id"] != "d26":
        assert not report.problems
    numbers = [line.split() for line in case["verbose"]]
    rows = report.rows()
    for row, (_, length, recall, precision, matched, in_gold, in_test, words, tags, *_) in enumerate(numbers):
        assert rows["length"][row] == int(length)
        assert [rows[name][row] for name in ("matched", "gold", "test", "words", "tags")] == [
            int(number) for number in (matched, in_gold, in_test, words, tags)
        ]
        for name, value in (("recall", recall), ("precision", precision)):
            rate = rows[name][row]
            assert ("nan" if rate is None else f"{100 * rate:.2f}") == value


@pytest.mark.parametrize("case", SCORED, ids=by_name)
def test_profile_has_the_recorded_parameters(case: dict[str, Any]) -> None:
    if case["param"] != "p0":
        return
    options = options_of(case)
    del options["prm"]
    gold, test = banks(case)
    check(treescore.evaluate(gold, test, Parseval("discodop", **options)).scores[0].figures, summary(case))


@pytest.mark.parametrize("case", [case for case in SCORED if "function tags" in summary(case)], ids=by_name)
def test_functions(case: dict[str, Any]) -> None:
    gold, test = banks(case)
    score = treescore.evaluate(gold, test, Functions("discodop")).scores[0]
    expected = summary(case)["function tags"]
    assert score.figures["f1"].shown() == ("0.00" if expected == "nan" else expected)  # d09: one each, and not the same


def test_where_the_original_gives_nan() -> None:
    """d19: no discontinuous bracket in test. Precision is undefined, and F1 is 0, not undefined: one was missed."""
    case = CASES["d19"]
    figures = treescore.evaluate(*banks(case), Parseval("discodop", **options_of(case))).scores[0].figures
    assert [figures[name].shown() for name in ("recall", "precision", "f1")] == ["0.00", "–", "0.00"]


@pytest.mark.parametrize(
    ("name", "code"), [("d13", "length"), ("d30", None), ("d35", "unparsed"), ("d26", "id"), ("d27", "id")]
)
def test_where_the_original_ends_or_is_silent(name: str, code: str | None) -> None:
    case = CASES[name]
    metric = Parseval("discodop", **options_of(case))
    if name == "d27":  # not one sentence in common
        with pytest.raises(treescore.InputError, match="no common ids"):
            treescore.evaluate(*banks(case), metric)
        return
    report = treescore.evaluate(*banks(case), metric)
    if code is None:  # ca = can, and so the trees are the same
        assert (report.scores[0].value, report.problems) == (1.0, [])
        return
    assert code in report.problem_counts()
    assert report.scores[0].counts.total()["sentences"] == len(report.gold)
    assert report.scores[0].value == (1.0 if name == "d26" else None)


def test_the_file_holds_what_it_should() -> None:
    assert len(CASES) == 27
    assert {case["fmt"] for case in CASES.values()} == {"bracket", "discbracket", "export"}
    assert sum(case["exit"] != 0 for case in CASES.values()) == 4
