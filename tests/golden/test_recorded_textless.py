"""Trees over time without words: all forms that textless parsers write give the expected trees and segments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import treescore
from treescore import InputError, Tree, read_times
from treescore.place.seconds import place_seconds

FOLDER = Path(__file__).parent / "textless"
CASES = [json.loads(line) for line in (FOLDER / "expected.jsonl").read_text(encoding="utf-8").splitlines()]


def intervals(tree: Tree) -> list[list[float]]:
    """Begin and end of each node, leaves too, in the order in which they open."""
    times = tree.times or []
    spans = [[times[span.start][0], times[span.end - 1][1]] for span in tree.spans()]
    return sorted([*spans, *map(list, times)], key=lambda span: (span[0], -span[1]))


@pytest.mark.parametrize(
    "case", [case for case in CASES if "segments" not in str(case["trees"])], ids=lambda it: it["file"]
)
def test_trees(case: dict[str, Any]) -> None:
    path = FOLDER / case["file"]
    if case["outcome"] == "error":
        with pytest.raises(InputError, match="--times-unit"):
            treescore.read(path, on_error="keep")
        return
    if path.is_dir():
        bank = place_seconds(
            treescore.read(path / "predicted.txt"), read_times(path / "predicted.jsonl"), attach="place"
        )
    else:
        bank = treescore.read(path, on_error="keep", **case["options"])
    assert {*case["problems"]} <= {problem.code for problem in bank.problems}
    assert len(bank) == len(case["trees"])
    for place, (tree, expected) in enumerate(zip(bank, case["trees"], strict=True)):
        assert (bank.ids or [None] * len(bank))[place] == expected["id"]
        if "leaves" in expected:
            assert tree.leaves == (expected["leaves"] or [])
            phrases = [[span.start, span.end] for span in tree.spans() if span.end - span.start > 1]
            assert phrases == expected.get("phrases", [])
        elif expected["nodes"] is None:
            assert tree.leaves == []
        else:
            assert intervals(tree) == expected["nodes"]


@pytest.mark.parametrize(
    "case", [case for case in CASES if "segments" in str(case["trees"])], ids=lambda it: it["file"]
)
def test_segments(case: dict[str, Any]) -> None:
    path = FOLDER / case["file"]
    result = read_times(sorted(path.iterdir()) if path.is_dir() else path, **case["options"])
    assert [utterance.id for utterance in result] == [expected["id"] for expected in case["trees"]]
    for utterance, expected in zip(result, case["trees"], strict=True):
        assert [list(time or ()) for time in utterance.transcript.times or ()] == expected["segments"]
        assert "labels" not in expected or list(utterance.transcript.words) == expected["labels"]
