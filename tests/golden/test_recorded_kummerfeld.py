"""Recorded output of the error analyser of Kummerfeld et al. (2012): the same steps, classes and counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import treescore

_CASES = json.loads((Path(__file__).parent / "kummerfeld.json").read_text())["cases"]
_RAN = [case for case in _CASES if case["exit"] == 0]

#: Where the original is mended: what comes out instead of a class of its own.
_MENDED = {("k15", "UNSET add"): "Co-ordination"}


def as_recorded(record: dict[str, Any]) -> dict[str, Any]:
    """A step as the original writes it."""
    kept = ("type", "label", "change", "span", "subtrees", "parent", "over_word", "old_parent", "new_parent", "movers")
    result = {name: record[name] for name in kept if name in record}
    if record["type"] == "move":
        del result["span"]
        result["mover info"] = record["mover_info"]
        if record["added_label"] is not None:
            result |= {"added and moved": True, "added label": record["added_label"]}
    return result | {"classified_type": record["class"]}


@pytest.mark.parametrize("case", _RAN, ids=lambda case: case["id"])
@pytest.mark.parametrize("compat", [None, "original"])
def test_steps_and_classes(case: dict[str, Any], compat: str | None) -> None:
    errors = treescore.explain_errors([case["gold"]], [case["test"]], compat=compat)
    steps = [as_recorded(step.record()) for step in errors.steps()]
    wanted = case["steps"]
    if compat is None:
        wanted = [
            step | {"classified_type": _MENDED.get((case["id"], step["classified_type"]), step["classified_type"])}
            for step in wanted
        ]
    assert steps == wanted
    if compat:
        counts = sorted(((it.steps, it.brackets, it.name) for it in errors.classes()), reverse=True)
        assert [f"{steps} {brackets} {name}" for steps, brackets, name in counts] == case["error_counts"]
    headline = case["out_headlines"][0]
    if headline.endswith("Initial errors"):
        counts_of = errors.counts
        assert sum(counts_of[name] for name in ("extra", "missing", "crossing")) == int(headline.split()[0])
        assert counts_of["brackets"] == int(headline.split()[0])
    else:
        code = {"Not parsed": "unparsed", "Sentence lengths do not match...": "length"}[headline]
        assert [problem.code for problem in errors.problems] == [code]


@pytest.mark.parametrize("case", [case for case in _CASES if case["exit"]], ids=lambda case: case["id"])
def test_where_the_original_crashes(case: dict[str, Any]) -> None:
    """A bare outer bracket, and outer brackets of other names."""
    errors = treescore.explain_errors([case["gold"]], [case["test"]])
    assert errors.counts["compared"] == 1
    assert errors.counts["brackets"] == 0
    assert not errors.problems
