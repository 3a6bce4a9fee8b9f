"""213 completions of language models and what each must be taken for.

Each recorded case has a `sentence`, a `completion`, and the expected `outcome`, `tree`, `faithful`, `repairs`, `reason`
and `difference`; `unrepaired` is the outcome without repairs. All sentences and trees were written for this set.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from treescore import read_completions

RECORDED = lzma.decompress((Path(__file__).parent / "completions.jsonl.xz").read_bytes()).decode()
CASES = [json.loads(line) for line in RECORDED.splitlines()]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_completion(case: dict[str, Any]) -> None:
    (completion,) = read_completions([case["completion"]], sentences=[case["sentence"]])
    fields = ("outcome", "faithful", "repairs", "reason", "difference")
    assert {field: getattr(completion, field) for field in fields} == {field: case[field] for field in fields}
    assert (completion.tree or "").split() == (case["tree"] or "").split()


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_completion_as_printed(case: dict[str, Any]) -> None:
    completions = read_completions([case["completion"]], gold=case["gold"])
    printed = completions.as_printed()
    assert printed[0].outcome == case["unrepaired"]
    assert list(printed) == list(read_completions([case["completion"]], gold=case["gold"], repair="none"))


def test_all_cases_at_once() -> None:
    completions = read_completions(
        [case["completion"] for case in CASES], sentences=[" ".join(case["sentence"]) for case in CASES]
    )
    rates = completions.rates()
    assert sum(rates.outcomes.values()) == rates.number == len(CASES) == 213
    assert rates.faithful == sum(case["faithful"] is True for case in CASES)
