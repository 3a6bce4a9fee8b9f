"""The study of correlation: its numbers by their definitions, its settings, its findings."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean, median

import pytest
from command import treescore_inside
from scipy import stats

import treescore
from treescore.helpers.steps import Steps
from treescore.significance.correlations import buckets
from treescore.studies import correlation
from treescore.studies.examples import treebank
from treescore.values.problem import UsageError

GOLD, SYSTEMS = treebank()
GOOD = {"good": SYSTEMS["good"]}
SCIPY = {"spearman": stats.spearmanr, "pearson": stats.pearsonr, "kendall": stats.kendalltau}
SAME = "(S (NP (NN a)) (VP (VB b)))"


def by_definition(size: int, seed: int) -> list[tuple[float, float]]:
    """F1 of all brackets of a bucket, and the mean STRUCT-IOU of its sentences."""
    report = treescore.evaluate(GOLD, SYSTEMS["good"], ["parseval", "struct_iou"])
    brackets, overlap = report.rows("parseval"), report.rows("struct_iou")
    items = []
    for members in buckets(len(GOLD), size, seed):
        matched, gold, test = (sum(brackets[name][place] for place in members) for name in ("matched", "gold", "test"))
        items.append((2 * matched / (gold + test), fmean(overlap["score"][place] for place in members)))
    return items


@pytest.mark.parametrize("kind", SCIPY)
def test_numbers_by_their_definitions(kind: str) -> None:
    study = correlation.study(GOLD, GOOD, size=15, sizes=(40, 300), kind=kind, runs=3, seed=5)
    symbol = correlation.SYMBOLS[kind]
    points = by_definition(15, 5)
    table = study.table("Buckets")
    assert [row[:2] for row in table.rows] == [("good", number) for number in range(1, 27)]
    assert [row[2:] for row in table.rows] == [pytest.approx(point) for point in points]
    [row] = study.table("Correlation").records()
    assert (row["buckets"], row["unscored"], row["left out"], row["without a score"]) == (26, 0, 10, 0)
    expected = SCIPY[kind](*zip(*points, strict=True))
    assert row[symbol] == pytest.approx(expected[0])
    assert row["p"] == pytest.approx(expected[1], rel=1e-6)
    rows = study.table("By size of bucket").records()
    assert [(row["sentences"], row["buckets"]) for row in rows] == [(15, 26), (40, 10)]  # 300 is more than half
    for row in rows:
        seeds = correlation._seeds(5, 3)
        values = [SCIPY[kind](*zip(*by_definition(row["sentences"], seed), strict=True))[0] for seed in seeds]
        actual = [row[f"{name} {symbol}"] for name in ("median", "lowest", "highest")]
        assert actual == pytest.approx([median(values), min(values), max(values)])


def test_findings_agree_with_the_tables() -> None:
    study = correlation.study(size=50, sizes=(1,), runs=2)
    rows = study.table("Correlation").records()
    ordered = sorted(rows, key=lambda row: row["ρ"])
    least = f"agree least on {ordered[0]['system']}, with ρ = {ordered[0]['ρ']:.3f} (p = {ordered[0]['p']:.3g})"
    assert least in study.findings and f"most on {ordered[-1]['system']}, with" in study.findings
    assert "over 2 partitions" in study.findings and "Over single sentences, ρ is" in study.findings
    assert correlation.study(size=50, sizes=(1,), runs=2) == study
    assert correlation.study(size=50, sizes=(1,), runs=2, seed=0) != study


def test_nothing_to_correlate() -> None:
    study = correlation.study([SAME] * 9, [SAME] * 9, size=2, runs=1)
    [row] = study.table("Correlation").records()
    assert list(row.values())[1:] == [4, 0, 1, 0, None, None]
    assert study.findings.startswith("There is no correlation")
    assert study.figure().axes
    too_large = correlation.study([SAME] * 3, [SAME] * 3, size=4, sizes=())
    assert too_large.table("Correlation").column("buckets") == [0]
    assert too_large.figure().axes


def test_unscored_sentences_are_problems() -> None:
    study = correlation.study([SAME] * 4, {"A": [SAME, "()", SAME, SAME]}, size=1, sizes=(), runs=4)
    [row] = study.table("Correlation").records()
    assert row["buckets"] == 3 and row["unscored"] == 1
    assert {problem.code for problem in study.problems} == {"unparsed"}


def test_both_metrics_score_the_same_sentences() -> None:
    """What is not parsed has a STRUCT-IOU of 0 and no F1: it is in no bucket."""
    half = [tree if place % 2 else "()" for place, tree in enumerate(SYSTEMS["good"][:60].lines())]
    study = correlation.study(GOLD[:60], {"A": half, "B": SYSTEMS["good"][:60]}, size=4, sizes=(1,), runs=3)
    first, other = study.table("Correlation").records()
    assert (first["buckets"], first["unscored"], first["left out"]) == (7, 30, 2)
    assert (other["buckets"], other["unscored"]) == (15, 0)
    assert "over 7 buckets" in study.findings and "over 15 buckets" in study.findings
    assert "in no bucket: 30 on A." in study.findings
    scores = [row["STRUCT-IOU (mean of sentences)"] for row in study.table("Buckets").records() if row["system"] == "A"]
    assert min(scores) > 0.8


def test_only_partitions_with_a_correlation_are_counted() -> None:
    """Of two buckets of two, the sentences that are alike may be in both, and then there is none."""
    gold, test = [SAME] * 4, [SAME, SAME, "(S (NN a) (VB b))", "(S (NN a) (VB b))"]
    study = correlation.study(gold, {"A": test}, ["parseval|profile:none", "struct_iou"], size=2, sizes=(), runs=12)
    [row] = study.table("By size of bucket").records()
    assert 1 < row["partitions"] < 12
    assert not study.findings.startswith("Over") or f"over {row['partitions']} partitions" in study.findings


def test_neighbouring_seeds_share_no_partition() -> None:
    seeds = [correlation._seeds(seed, 20) for seed in range(20)]
    assert [item[0] for item in seeds] == list(range(20))
    assert len({seed for item in seeds for seed in item}) == 400
    assert correlation._seeds((1 << 64) - 1, 2)[0] == (1 << 64) - 1


def test_figure_of_many_systems() -> None:
    names = [*map(str, range(11)), "a name of a system that is longer than anybody would like"]
    study = correlation.study(GOLD[:60], dict.fromkeys(names, SYSTEMS["good"][:60]), size=6, sizes=(), runs=1)
    figure = study.figure()
    figure.draw_without_rendering()
    [legend] = figure.legends
    assert len(legend.get_texts()) == 12 and "…" in legend.get_texts()[-1].get_text()
    for part in (legend, *(axes.title for axes in figure.axes)):
        box = part.get_window_extent()
        assert box.x0 >= 0 and box.x1 <= figure.bbox.width and box.y1 <= figure.bbox.height
    left, right = figure.axes
    assert left.get_title() == "Each point is a bucket of 6 sentences" and left.get_xlabel() == "Labelled F1 (%)"
    assert left.get_ylabel() == "STRUCT-IOU (mean of sentences) (%)" and right.get_ylabel() == "Spearman's ρ"


def test_figure_without_full_buckets_names_systems_by_the_other_panel() -> None:
    study = correlation.study(GOLD[:8], {"A": SYSTEMS["good"][:8], "B": SYSTEMS["right"][:8]}, size=9, sizes=1, runs=1)
    figure = study.figure()
    figure.draw_without_rendering()
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["A", "B"]
    assert len(figure.axes[1].containers) == len(legend.legend_handles) == 2


def test_sizes_may_be_one_number_or_any_numbers() -> None:
    expected = correlation.study(GOLD[:40], GOOD["good"][:40], size=5, sizes=(8,), runs=1)
    for sizes in (8, iter([8])):
        assert correlation.study(GOLD[:40], GOOD["good"][:40], size=5, sizes=sizes, runs=1) == expected


def test_steps_are_counted() -> None:
    steps = Steps()
    correlation.study([SAME] * 8, {"A": [SAME] * 8, "B": [SAME] * 8}, size=2, sizes=(1, 4), runs=1, steps=steps)
    assert (steps.position, steps.total) == (6, 6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": "parseval"}, "two metrics"),
        ({"metrics": []}, "no metric"),
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
    assert "needs both gold and test trees" in err
    _, err = treescore_inside(tmp_path, "study", "correlation", "--name", "x", code=2)
    assert "--test" in err
