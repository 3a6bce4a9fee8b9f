"""Disfluency against recorded figures; what they are is said in edited_f1.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import treescore

GOLDEN = json.loads((Path(__file__).parent / "edited_f1.json").read_text(encoding="utf-8"))
CASES = [pytest.param(case, id=f"{case['id']} {case['note']}") for case in GOLDEN["cases"]]
RATES = ("precision", "recall", "f1")


def test_there_are_cases() -> None:
    assert len(CASES) == 17
    assert sum("error" in case for case in GOLDEN["cases"]) == 1


@pytest.mark.parametrize("compat", ["", "|compat:original"])
@pytest.mark.parametrize("filler", ["UH", "INTJ"])
@pytest.mark.parametrize("case", CASES)
def test_figures(case: dict[str, Any], filler: str, compat: str) -> None:
    signature = f"disfluency|disfluent:EDITED+PRN+{filler}{compat}"
    report = treescore.evaluate(case["gold"] + "\n", case["test"] + "\n", signature)
    if "error" in case:
        assert report.problem_counts() == {"length": 1}
        return
    parts, total = report.scores[0].parts, report.scores[0].counts.total()
    for group, name in (
        ("", "edited_words"),
        ("node_", "edited_nodes"),
        ("disfluent_", f"disfluent_{filler}"),
        ("all_", "all"),
    ):
        for rate, expected in zip(RATES, case[name], strict=True):
            actual = parts[f"{group}{rate}"]
            if actual is None:  # nothing to find: the original has 0
                assert not compat
                assert expected == 0
            else:
                assert actual == pytest.approx(expected, abs=1e-6), (group, rate)
    for kind, side in (("matched", "correct"), ("gold", "gold"), ("test", "parse")):
        counts = case["counts"][side]
        found_counts = (total[kind], total[f"node_{kind}"], total[f"all_{kind}"])
        assert found_counts == (counts["words"], counts["nodes"], counts["all"])
