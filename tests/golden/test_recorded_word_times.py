"""Words and times of the files that programs write, as expected from their documentation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from treescore import InputError, read_times
from treescore.readers.input_formats import TIMES_FORMATS

FOLDER = Path(__file__).parent / "word_times_2026"
CASES = [json.loads(line) for line in (FOLDER / "expected.jsonl").read_text(encoding="utf-8").splitlines()]


def near(actual: float | None, expected: float | None) -> bool:
    """Are both unknown, or almost equal?"""
    if actual is None or expected is None:
        return actual is expected
    return abs(actual - expected) < 2e-6


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_words_and_times(case: dict[str, Any]) -> None:
    if case["outcome"] == "error":
        with pytest.raises(InputError) as caught:
            read_times(FOLDER / case["file"], **case["options"])
        assert all(code == caught.value.problem.code for code in case["problems"])
        return
    result = read_times(FOLDER / case["file"], **case["options"])
    assert {*case["problems"]} <= {problem.code for problem in result.problems}
    assert case["problems"] or not result.problems
    assert len(result) == len(case["utterances"])
    for utterance, expected in zip(result, case["utterances"], strict=True):
        words = [word for word, _, _ in expected["words"]]
        assert list(utterance.transcript.words) == words
        for time, (_, begin, end) in zip(utterance.transcript.times or (), expected["words"], strict=True):
            assert near(time and time[0], begin)
            assert near(time and time[1], end)
        for fact, value in expected.items():
            if fact in ("begin", "end"):
                assert near(getattr(utterance, fact), value), fact
            elif fact != "words":
                assert getattr(utterance, fact) == value, fact


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_the_content_tells_the_format(case: dict[str, Any], tmp_path: Path) -> None:
    """Without its name, a file is read in the same format, unless only the name can tell."""
    data = (FOLDER / case["file"]).read_bytes()
    if case["outcome"] == "error" or case["options"].get("format") or case["file"] == "timit.wrd":
        return
    assert read_times(data, **case["options"]).format == read_times(FOLDER / case["file"], **case["options"]).format


def test_there_is_a_sample_of_most_formats() -> None:
    samples = {
        read_times(FOLDER / case["file"], **case["options"]).format for case in CASES if case["outcome"] == "read"
    }
    documented_only = {"aws-calls", "azure-fast", "speechmatics", "rev", "elevenlabs", "tsv", "words-csv", "classes"}
    assert samples == set(TIMES_FORMATS) - documented_only
