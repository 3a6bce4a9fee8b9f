"""The study of correlation: its numbers by their definitions, its settings, what it says."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean, median

import pytest
from command import treescore_inside
from scipy import stats

import treescore
from treescore.problem import UsageError
from treescore.significance.correlation import buckets
from treescore.steps import Steps
from treescore.studies import correlation
from treescore.studies.data import treebank

GOLD, SYSTEMS = treebank()
GOOD = {"good": SYSTEMS["good"]}
SCIPY = {"spearman": stats.spearmanr, "pearson": stats.pearsonr, "kendall": stats.kendalltau}
SAME = "(S (NP (NN a)) (VP (VB b)))"


def by_definition(size: int, seed: int) -> list[tuple[float, float]]:
    """F1 of all brackets of a bucket, and the mean STRUCT-IOU of its sentences."""
    report = treescore.evaluate(GOLD, SYSTEMS["good"], ["parseval", "struct_iou"])
    brackets, overlap = report.rows("parseval"), report.rows("struct_iou")
    found = []
    for members in buckets(len(GOLD), size, seed):
        matched, gold, test = (sum(brackets[name][place] for place in members) for name in ("matched", "gold", "test"))
        found.append((2 * matched / (gold + test), fmean(overlap["score"][place] for place in members)))
    return found


@pytest.mark.parametrize("kind", SCIPY)
def test_numbers_by_their_definitions(kind: str) -> None:
    study = correlation.study(GOLD, GOOD, size=15, sizes=(40, 300), kind=kind, runs=3, seed=5)
    symbol = correlation.SYMBOLS[kind]
    points = by_definition(15, 5)
    table = study.table("Buckets")
    assert [row[:2] for row in table.rows] == [("good", number) for number in range(1, 27)]
    assert [row[2:] for row in table.rows] == [pytest.approx(point) for point in points]
    [row] = study.table("Correlation").records()
    assert (row["buckets"], row["left out"], row["without a score"]) == (26, 10, 0)
    expected = SCIPY[kind](*zip(*points, strict=True))
    assert row[symbol] == pytest.approx(expected[0])
    assert row["p"] == pytest.approx(expected[1], rel=1e-6)
    rows = study.table("By size of bucket").records()
    assert [(row["sentences"], row["buckets"]) for row in rows] == [(15, 26), (40, 10)]  # 300 is more than half
    for row in rows:
        values = [SCIPY[kind](*zip(*by_definition(row["sentences"], seed), strict=True))[0] for seed in (5, 6, 7)]
        found = [row[f"{name} {symbol}"] for name in ("median", "lowest", "highest")]
        assert found == pytest.approx([median(values), min(values), max(values)])


def test_says_what_the_tables_have() -> None:
    study = correlation.study(size=50, sizes=(1,), runs=2)
    rows = study.table("Correlation").records()
    ordered = sorted(rows, key=lambda row: row["ρ"])
    least = f"agree least on {ordered[0]['system']}, with ρ = {ordered[0]['ρ']:.3f} (p = {ordered[0]['p']:.3g})"
    assert least in study.says and f"most on {ordered[-1]['system']}, with" in study.says
    assert "over 2 partitions" in study.says and "Sentence by sentence ρ is" in study.says
    assert correlation.study(size=50, sizes=(1,), runs=2) == study
    assert correlation.study(size=50, sizes=(1,), runs=2, seed=0) != study


def test_nothing_to_correlate() -> None:
    study = correlation.study([SAME] * 9, [SAME] * 9, size=2, runs=1)
    [row] = study.table("Correlation").records()
    assert list(row.values())[1:] == [4, 1, 0, None, None]
    assert study.says.startswith("There is no correlation")
    assert study.figure().axes
    too_large = correlation.study([SAME] * 3, [SAME] * 3, size=4, sizes=())
    assert too_large.table("Correlation").column("buckets") == [0]
    assert too_large.figure().axes


def test_unscored_sentences_are_problems() -> None:
    study = correlation.study([SAME] * 4, {"A": [SAME, "()", SAME, SAME]}, size=1, sizes=(), runs=4)
    [row] = study.table("Correlation").records()
    assert row["buckets"] == 4 and row["without a score"] == 1
    assert {problem.code for problem in study.problems} == {"unparsed"}


def test_steps_are_counted() -> None:
    steps = Steps()
    correlation.study([SAME] * 8, {"A": [SAME] * 8, "B": [SAME] * 8}, size=2, sizes=(1, 4), runs=1, steps=steps)
    assert (steps.position, steps.total) == (6, 6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": "parseval"}, "two metrics"),
        ({"metrics": ["parseval", "struct_iou", "tedeval"]}, "two metrics"),
        ({"kind": "rank"}, "spearman, pearson, kendall"),
        ({"size": 0}, "size of a bucket"),
        ({"sizes": (2, -1)}, "size of a bucket"),
        ({"runs": 0}, "number of runs"),
        ({"seed": -1}, "seed"),
        ({"gold": SAME}, "both gold and test"),
        ({"gold": SAME, "test": {}}, "no system"),
    ],
)
def test_wrong_use(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        correlation.study(**options)  # type: ignore[arg-type]


def test_command(tmp_path: Path) -> None:
    for name, bank in (("gold", GOLD), ("a", SYSTEMS["good"]), ("b", SYSTEMS["right"])):
        (tmp_path / f"{name}.mrg").write_text("\n".join(bank[:60].lines()), encoding="utf-8")
    files = ["--gold", "gold.mrg", "--test", "a.mrg", "b.mrg", "--name", "first"]
    options = ["-m", "parseval|labels:no", "-m", "struct_iou", "--size", "5", "--sizes", "--runs", "1", "--seed", "0"]
    out, _ = treescore_inside(tmp_path, "study", "correlation", *files, *options, "-f", "json")
    study = json.loads(out)
    assert [row["system"] for row in study["tables"]["Correlation"]] == ["first", "b"]
    assert len(study["tables"]["Buckets"]) == 24
    again = correlation.study(
        tmp_path / "gold.mrg",
        {"first": tmp_path / "a.mrg", "b": tmp_path / "b.mrg"},
        ["parseval|labels:no", "struct_iou"],
        size=5,
        sizes=(),
        runs=1,
        seed=0,
    )
    assert study["tables"]["Buckets"] == again.table("Buckets").records()
    shown, _ = treescore_inside(tmp_path, "study", "correlation", *files, *options)
    assert "Buckets" not in shown and "data: gold.mrg (60 sentences); first, b\n" in shown
    _, err = treescore_inside(tmp_path, "study", "correlation", "--gold", "gold.mrg", code=2)
    assert "there is no --test" in err
    _, err = treescore_inside(tmp_path, "study", "correlation", "--name", "x", code=2)
    assert "--test" in err
