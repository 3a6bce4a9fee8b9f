"""Alignment-based PARSEVAL against recorded rows, and against what the published script printed.

The recorded file holds, for each case, two files and the further arguments of the script, and

*  `published`: the rows and totals that the script of Jo, Park & Park (2024) printed, commit f82c4fc, or the
   exception it died of;
*  `fault`: in what way that is wrong, or null: a crash, sentences lost, an alignment, brackets, tags, a length …;
*  `right`: the rows and totals to be expected, only the totals where the layout of rows is open. They were found by an
   aligner of their own and each checked by hand; with arguments, by EVALB on the same files.

All input is ours. The argument -evalb means EVALB, which aligns nothing: those cases are for `parseval`. A parameter
file without it, and files with other numbers of trees (e13), mean alignment with that file's deletions.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import COLLINS_PRM
from oracle.aligned_parseval import COLLINS, PLAIN, parameters_of, read, score

import treescore
from treescore.metrics.aligned_parseval import AlignedParseval

RECORDED = json.loads(lzma.decompress((Path(__file__).parent / "aligned_parseval.json.xz").read_bytes()))

#: Status, and what is counted: the columns that are no ratios.
COUNTED = ("length", "status", "matched", "gold", "test", "crossing", "words", "tags")
PLACES = [RECORDED["columns"].index(name) for name in COUNTED]
TOTALS = {"matched": "matched", "gold": "gold", "test": "test", "crossing": "cross", "words": "words", "tags": "tags"}

Row = tuple[int, ...]


def is_evalb(case: dict[str, Any]) -> bool:
    """EVALB takes the trees as they stand, so there must be as many on both sides."""
    return "-evalb" in case["args"] and len(read(case["files"]["gold"])) == len(read(case["files"]["test"]))


def cases(wanted: Callable[[dict[str, Any]], bool]) -> pytest.MarkDecorator:
    """A test for every case that is wanted."""
    chosen = [pytest.param(case, id=case["name"]) for case in RECORDED["cases"] if wanted(case)]
    return pytest.mark.parametrize("case", chosen)


#: Alignment rejects no sentence, so only EVALB gives these rows.
REJECTED = ("e05_evalb_length_error", "e06_evalb_words_differ", "e17_evalb_failed_parse")


def parameter_file(case: dict[str, Any]) -> str | None:
    """The name of the parameter file of the case."""
    return next((name for name in case["args"] if name.endswith(".prm")), None)


def check(rows: list[Row], right: dict[str, Any]) -> None:
    """The counts are those recorded; where rows may be laid out in another way, only their sums."""
    if "rows" in right:
        assert rows == [tuple(row[place] for place in PLACES) for row in right["rows"]]
    sums = dict(zip(COUNTED, map(sum, zip(*rows, strict=True)), strict=True))
    assert {name: sums[name] for name in TOTALS} == {name: right["total"][key] for name, key in TOTALS.items()}


def oracle_rows(case: dict[str, Any]) -> list[Row]:
    """The rows of the model."""
    name = parameter_file(case)
    parameters = parameters_of(case["files"][name]) if name else COLLINS if case["args"] else PLAIN
    scored = score(case["files"]["gold"], case["files"]["test"], parameters)
    if "rows" in case["right"]:
        assert [row[3:5] + row[-1:] for row in scored.rows()] == [row[3:5] + row[-1:] for row in case["right"]["rows"]]
    return [(row.length, 0, *row[1:]) for row in scored.counts]


def production_rows(gold: str, test: str, metric: str | treescore.Metric = "aligned_parseval") -> list[Row]:
    """The rows of treescore, with the original's status: of its own, treescore says which rows failed."""
    report = treescore.evaluate(gold, test, metric)
    columns, counts = report.rows(), report.scores[0].counts
    left_out = zip(counts["errors"], counts["skipped"], strict=True)
    columns["status"] = [error + 2 * skipped for error, skipped in left_out]
    return list(zip(*(columns.get(name, [0] * len(columns["matched"])) for name in COUNTED), strict=True))


@cases(lambda case: case["name"] not in REJECTED)
def test_oracle(case: dict[str, Any]) -> None:
    check(oracle_rows(case), case["right"])


@cases(is_evalb)
def test_parseval(case: dict[str, Any], tmp_path: Path) -> None:
    """With -evalb, and EVALB's parameters, the right rows are those of parseval."""
    parameters = tmp_path / "parameters.prm"
    name = parameter_file(case)
    parameters.write_text(case["files"][name] if name else COLLINS_PRM)
    check(production_rows(case["files"]["gold"], case["files"]["test"], f"parseval|prm:{parameters}"), case["right"])


@cases(lambda case: not case["args"])
def test_metric(case: dict[str, Any]) -> None:
    check(production_rows(case["files"]["gold"], case["files"]["test"]), case["right"])


@cases(lambda case: bool(case["args"]) and case["name"] not in REJECTED)
def test_metric_with_parameters(case: dict[str, Any]) -> None:
    """Where EVALB rejects nothing, deletions and equal labels are those of EVALB, with alignment, too."""
    name = parameter_file(case)
    prm = case["files"][name].encode() if name else None
    metric = AlignedParseval(prm=prm) if prm else AlignedParseval("collins")
    check(production_rows(case["files"]["gold"], case["files"]["test"], metric), case["right"])


def test_where_the_script_is_right() -> None:
    """Whatever has no fault was printed as it should be; a fault in tags leaves the brackets right."""
    for case in RECORDED["cases"]:
        right, published = case["right"], case["published"]
        if case["fault"] in (None, "tags"):
            assert all(
                published["total"][name] == right["total"][name] for name in ("matched", "gold", "test", "cross")
            )
        if case["fault"] is None and "rows" in right:
            assert published["rows"] == right["rows"]
        if case["fault"] == "tags":
            assert [row[:9] for row in published["rows"]] == [row[:9] for row in right["rows"]]


#: The three examples of Jo, Park & Park (2024), trees reconstructed: gold, test; matched, gold and test brackets.
PAPER = [
    pytest.param(
        "(S (NP (DT This)) (VP (MD ca) (RB n't) (VP (VB be) (ADJP (JJ right)))))",
        "(S (NP (DT this)) (VP (MD can) (RB not) (VP (VB be) (ADJP (JJ right)))))",
        (5, 5, 5),
        id="contraction",
    ),
    pytest.param(
        "(PP (IN B) (NP (NP (DEF H) (NP (NN CL) (PP (POSS FL) (PRN HM)))) (ADJP (DEF H) (JJ NEIM))))",
        "(PP (IN B) (NP (NP (NN CL) (PP (POSS FL) (PRN HM))) (JJ HNEIM)))",
        (4, 6, 4),
        id="hebrew",
    ),
    pytest.param(
        "(S (VP (VB Click) (ADVP (RB here)) (S (VP (TO To) (VP (VB view) (NP (PRP it)))))) (. .))",
        "(S (VP (VB Click) (ADVP (RB here)))) (FRAG (S (VP (TO To) (VP (VB view) (NP (PRP it))))) (. .))",
        (5, 7, 8),
        id="two-sentences",
    ),
]


@pytest.mark.parametrize(("gold", "test", "brackets"), PAPER)
def test_oracle_on_the_examples_of_the_paper(gold: str, test: str, brackets: Row) -> None:
    (row,) = score(gold, test).counts
    assert (row.matched, row.gold, row.test) == brackets


@pytest.mark.parametrize(("gold", "test", "brackets"), PAPER)
def test_metric_on_the_examples_of_the_paper(gold: str, test: str, brackets: Row) -> None:
    ((_, _, *counts),) = production_rows(gold, test)
    assert tuple(counts[:3]) == brackets


def test_groups_of_the_paper() -> None:
    """{B} {H CL ~ CL} {FL} {HM} {H NEIM ~ HNEIM}"""
    gold, test, _ = PAPER[1].values
    assert isinstance(gold, str)
    assert isinstance(test, str)
    (groups,) = score(gold, test).groups
    assert groups == [(0, 1, 0, 1), (1, 3, 1, 2), (3, 4, 2, 3), (4, 5, 3, 4), (5, 7, 4, 5)]
