"""Profiles named after public parsers against the recorded results of their evaluation code.

The file names for each convention its repository and the functions that were run; see oracle/test_conventions.py. The
headline of the authors is the main figure of the profile, and the other recorded figures are figures of the report.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

import treescore
from treescore import _core

RECORDED = json.loads(lzma.decompress((Path(__file__).parent / "conventions/cases.json.xz").read_bytes()))
#: The originals lose all words under ROOT or TOP but those of the first child.
LOSES_WORDS = {"corenlp/whole-twice", "corenlp-4.5.2/whole-twice", "stanza/whole-twice"}
CASES = [pytest.param(case, id=case["id"]) for case in RECORDED["cases"] if case["id"] not in LOSES_WORDS]
HEADLINE = {"supar": "lf", "hanlp": "lf"} | dict.fromkeys(
    ["vg-nsl", "av-nsl", "urnng", "diora", "benepar", "allennlp", "pyevalb", "corenlp", "corenlp-4.5.2", "stanza"], "f1"
)
#: Names of the figures that have other names in the report.
FIGURES = {
    **{"lf": "f1", "lp": "precision", "lr": "recall", "lcm": "exact"},
    **{"uf": "unlabelled_f1", "up": "unlabelled_precision", "ur": "unlabelled_recall", "ucm": "unlabelled_exact"},
}
COLUMNS = {
    **{name: name for name in ("matched", "gold", "test")},
    **{"labelled_matched": "matched", "unlabelled_matched": "unlabelled"},
    **{"scored": "valid", "failed": "errors"},
}
#: The only labels in the original's table.
TRANSFORMER_LABELS = ("SBAR", "NP", "VP", "PP", "ADJP", "ADVP")


def evaluated(case: dict[str, Any], options: str = "", profile: str = "") -> treescore.Report:
    extra = {"alignment": case["alignment"]} if "alignment" in case else {}
    gold, test = ("\n".join(case[side]) + "\n" for side in ("gold", "test"))
    return treescore.evaluate(gold, test, f"parseval|profile:{profile or case['convention']}{options}", **extra)


def found_figure(case: dict[str, Any], report: treescore.Report, name: str) -> Any:
    """The figure of the report that a recorded one is compared with."""
    score = report.scores[0]
    total = score.counts.total()
    name = name.removesuffix("_printed")
    if name in COLUMNS:
        return total[COLUMNS[name]]
    if name in ("only_gold", "only_test"):
        return total[name.removeprefix("only_")] - total["matched"]
    if name == "sentences":
        return total["sentences" if case["convention"] == "pyevalb" else "valid"]
    if name == "skipped":
        # One-word sentences are taken out before the program behind urnng starts.
        is_long = [length > 1 or case["convention"] != "urnng" for length in score.counts["length"]]
        return sum(skipped for skipped, counts in zip(score.counts["skipped"], is_long, strict=True) if counts)
    if name == "unequal":
        return list(score.counts["reason"]).count(_core.ParsevalReason.LENGTHS_DIFFER)
    if name == "sentence_f1_list":
        columns = (score.counts[column] for column in ("valid", "sentence_f1"))
        return [value / 2**40 for valid, value in zip(*columns, strict=True) if valid]
    if name == "label_counts":
        table = report.breakdown("label")
        counts = {label: [figures["recall"].above, figures["recall"].below] for label, figures in table.items()}
        chosen = TRANSFORMER_LABELS if case["convention"] == "trees-from-transformers" else tuple(counts)
        return {label: pair for label, pair in counts.items() if pair[1] and label in chosen}
    if name == "evalb_f1":
        return evaluated(case, "|root:keep|words:same").scores[0].parts["f1"]
    if name.startswith("with_punctuation_"):
        score = evaluated(case, "|keep:|longest:", "compound-pcfg").scores[0]
        return score.parts[name.removeprefix("with_punctuation_")]
    return score.parts[FIGURES.get(name, name)]


@pytest.mark.parametrize("case", CASES)
def test_recorded_figures(case: dict[str, Any]) -> None:
    report = evaluated(case)
    expected = dict(case["figures"])
    if "error" in expected:  # the program stopped: the report says that there is something wrong
        assert report.problems
    headline = HEADLINE.get(case["convention"], "sentence_f1")
    if headline in expected:
        assert report.scores[0].value == report.scores[0].parts[FIGURES.get(headline, headline)]
    for name, value in expected.items():
        if isinstance(value, str):
            continue
        actual = found_figure(case, report, name)
        if name == "f1_printed" and value is None:  # EVALB prints nan where nothing matches
            assert not actual
        elif value is None or isinstance(value, dict):
            assert actual == value, name
        else:
            tolerance = 6e-5 if name.endswith("_printed") else 2e-6
            assert actual == pytest.approx(value, abs=tolerance, rel=0), name


def test_words_that_corenlp_loses() -> None:
    """No word is lost here: two NP and a VP agree, of four brackets in gold and three in test."""
    for case in RECORDED["cases"]:
        if case["id"] in LOSES_WORDS:
            assert evaluated(case).scores[0].value == pytest.approx(2 * 3 / (4 + 3))
