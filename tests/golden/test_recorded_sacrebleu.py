"""The paired tests of sacrebleu against its own figures; what they are is said in sacrebleu_paired.json."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from treescore.significance import sacrebleu
from treescore.values.counts import Counts
from treescore.values.problem import UsageError

GOLDEN = json.loads((Path(__file__).parent / "sacrebleu_paired.json").read_text(encoding="utf-8"))
CASES = [pytest.param(case, id=case["name"]) for case in GOLDEN["cases"]]


def counts(rows: list[list[int]]) -> Counts:
    return Counts(dict(zip(("matched", "gold", "test"), zip(*rows, strict=True), strict=True)))


def f1(total: dict[str, int]) -> float | None:
    below = total["gold"] + total["test"]
    return 200 * total["matched"] / below if below else None


def test_there_are_cases() -> None:
    assert len(CASES) == 18


@pytest.mark.parametrize("kind", sacrebleu.KINDS)
@pytest.mark.parametrize("case", CASES)
def test_figures(case: dict[str, Any], kind: str) -> None:
    systems = {"base": counts(case["baseline"]), "sys": counts(case["system"])}
    actual = sacrebleu.paired(systems, f1, kind=kind)
    for name, expected in case[kind].items():
        it = actual[name]
        assert (it.score, it.mean, it.half_width) == (expected["score"], expected["mean"], expected["ci"])
        assert it.p == expected.get("p")
        assert it.undefined == 0


@pytest.mark.parametrize("kind", sacrebleu.KINDS)
def test_drawing_in_parts_changes_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = GOLDEN["cases"][1]
    systems = {"base": counts(case["baseline"]), "sys": counts(case["system"])}
    monkeypatch.setattr(sacrebleu, "_BATCH", 1000)
    assert sacrebleu.paired(systems, f1, kind=kind)["sys"].p == case[kind]["sys"]["p"]


@pytest.mark.parametrize("kind", sacrebleu.KINDS)
def test_sums_that_need_more_than_64_bits(kind: str) -> None:
    case = GOLDEN["cases"][1]
    sides = {"base": case["baseline"], "sys": case["system"]}
    plain, wide = (
        sacrebleu.paired(
            {name: counts([[scale * cell for cell in row] for row in rows]) for name, rows in sides.items()},
            f1,
            kind=kind,
            trials=100,
            samples=50,
        )
        for scale in (1, 1 << 57)
    )
    assert wide == plain


def test_samples_without_a_score_are_counted() -> None:
    rows = [[1, 1, 1], [0, 0, 0]]
    half = sacrebleu.paired({"A": counts(rows), "B": counts(rows)}, f1)
    assert half["A"].mean == half["B"].score == 100
    assert half["B"].undefined == half["A"].undefined
    assert 200 < half["B"].undefined < 300
    assert half["B"].p is not None
    assert half["B"].p > 0.2
    nothing = sacrebleu.paired({"A": counts([[0, 0, 0]]), "B": counts([[0, 0, 0]])}, f1, kind="randomization")
    assert nothing["B"] == sacrebleu.PairedResult(None, None, None, None, 11_000)


@pytest.mark.parametrize(
    ("systems", "options", "message"),
    [
        ([[[1, 1, 1]], [[1, 1, 1], [1, 1, 1]]], {}, "they need the same number of rows"),
        ([[[1, 1, 1]], [[1, 1, 1]]], {"kind": "t"}, "the test must be one of bootstrap, randomization, not 't'"),
        ([[[1, 1, 1]], [[1, 1, 1]]], {"samples": 0}, "the number of samples must be a whole number from 1"),
        ([[[1, 1, 1]], [[1, 1, 1]]], {"seed": -1}, "seed must be"),
    ],
)
def test_what_cannot_be_used(systems: list[list[list[int]]], options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        sacrebleu.paired({str(place): counts(rows) for place, rows in enumerate(systems)}, f1, **options)


def test_counts_that_cannot_be_drawn_from() -> None:
    with pytest.raises(UsageError, match="these have only sums"):
        sacrebleu.paired({"A": counts([[1, 1, 1]]).collapsed()}, f1)
    with pytest.raises(UsageError, match="no sentences"):
        sacrebleu.paired({"A": Counts({"matched": [], "gold": [], "test": []})}, f1)


def test_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(UsageError, match="pip install numpy"):
        sacrebleu.paired({"A": counts([[1, 1, 1]])}, f1)
