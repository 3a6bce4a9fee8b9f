"""The study of metrics: its numbers by their definitions, what is chosen to be shown, what is left out."""

from __future__ import annotations

import json
from itertools import combinations
from math import sqrt
from pathlib import Path
from statistics import fmean

import pytest
from command import treescore_inside
from scipy import stats

import treescore
from treescore.helpers.steps import Steps
from treescore.studies import metrics
from treescore.studies.examples import treebank
from treescore.values.problem import InputError, UsageError

GOLD, SYSTEMS = treebank()
PAIR = ["parseval", "leaf_ancestor"]
TITLES = ["Labelled F1", "Leaf-ancestor"]
SAME = "(S (NP (NN a)) (VP (VB b)))"
OTHER = "(S (X (NN a)) (VP (VB b)))"


def scores(system: str, metric: str) -> tuple[float, list[float]]:
    """What a metric gives a system, and each of its sentences."""
    report = treescore.evaluate(GOLD, SYSTEMS[system], metric)
    return report.scores[0].value or 0.0, report.rows()[report.metrics[0].row_figure]


def test_numbers_by_their_definitions() -> None:
    study = metrics.study(metrics=PAIR)
    known = {name: [scores(name, metric) for metric in PAIR] for name in SYSTEMS}
    for row, ranks in zip(study.table("Scores over all sentences").rows, study.table("Ranks").rows, strict=True):
        whole = [value for value, _ in known[str(row[0])]]
        assert list(row[1:]) == whole
        better = [[other[place][0] > value for other in known.values()] for place, value in enumerate(whole)]
        assert list(ranks) == [row[0], *(1 + sum(item) for item in better)]
    [agreement] = study.table("Agreement").records()
    for symbol, measure in (("ρ", stats.spearmanr), ("τ", stats.kendalltau)):
        over = measure(*([known[name][place][0] for name in known] for place in (0, 1)))[0]
        each = [measure(first[1], second[1])[0] for first, second in known.values()]
        assert agreement[f"{symbol} systems"] == pytest.approx(over)
        assert agreement[f"{symbol} sentences"] == pytest.approx(fmean(each))
    winners = {"same": 0, "other": 0, "only one": 0}
    for a, b in combinations(known, 2):
        for rows in zip(known[a][0][1], known[b][0][1], known[a][1][1], known[b][1][1], strict=True):
            first, second = rows[0] - rows[1], rows[2] - rows[3]
            if first or second:
                kind = "only one" if not first or not second else "same" if (first > 0) == (second > 0) else "other"
                winners[kind] += 1
    assert agreement["same winner"] == pytest.approx(winners["same"] / sum(winners.values()))
    assert agreement["other winner"] == pytest.approx(winners["other"] / sum(winners.values()))


def test_systems_in_different_order_and_their_sentences() -> None:
    study = metrics.study(metrics=PAIR, most=3)
    [row] = study.table("Systems in different order").rows
    both = [scores(name, metric)[0] for metric in PAIR for name in ("shallow", "middling")]
    assert row[:3] == ("shallow", "middling", TITLES[0]) and row[4] == TITLES[1]
    assert (row[3], row[5]) == (both[0] - both[1], both[2] - both[3])
    preferences = []
    for metric in PAIR:
        first, other = (scores(name, metric)[1] for name in ("shallow", "middling"))
        items = [x - y for x, y in zip(first, other, strict=True)]
        scale = sqrt(fmean(value * value for value in items))
        preferences.append([value / scale for value in items])
    apart = [x - y for x, y in zip(*preferences, strict=True)]
    worst = sorted(range(len(GOLD)), key=lambda place: -apart[place])[:3]
    table = study.table("Sentences")
    assert list(table.columns)[3:5] == ["score of shallow", "score of middling"]
    assert [row[0] for row in table.rows] == [str(place + 1) for place in worst for _ in PAIR]
    assert [row[2] for row in table.rows] == TITLES * 3
    items = [preferences[number][place] for place in worst for number in (0, 1)]
    assert table.column("preference") == pytest.approx(items)
    assert f"differ most in sentences {', '.join(str(place + 1) for place in worst)}." in study.findings
    assert "1 is ranked differently" in study.findings and "p = 0.0833" in study.findings


def test_a_pair_that_metrics_agree_on() -> None:
    study = metrics.study(metrics=PAIR, pair=("right", "good"), most=1)
    table = study.table("Sentences")
    assert list(table.columns)[3:5] == ["score of good", "score of right"] and len(table.rows) == 2
    message = "Between good and right, the preferences of Labelled F1 and Leaf-ancestor differ most in sentence "
    assert message in study.findings


def test_all_alike() -> None:
    study = metrics.study([SAME] * 3, {"A": [SAME] * 3, "B": [SAME] * 3}, PAIR)
    assert study.table("Ranks").rows == (("A", 1, 1), ("B", 1, 1))
    [agreement] = study.table("Agreement").records()
    assert {name: agreement[name] for name in agreement if name not in ("metric", "other")} == dict.fromkeys(
        ("ρ systems", "τ systems", "ρ sentences", "τ sentences", "same winner", "other winner")
    )
    assert not study.table("Sentences").rows and not study.table("Systems in different order").rows
    assert study.findings.startswith("No two metrics rank the two systems differently. This is weak evidence")
    assert study.figure().axes and "–" in str(study)


def test_what_is_shown_as_nothing_is_no_difference() -> None:
    """Metrics that part by less than is shown do not disagree, and the one that is sure of it counts most."""
    few = object.__new__(metrics._Scored)
    few.systems, few.titles = ["A", "B"], ["one", "two", "three"]
    few.values = [[0.5, 0.50004], [0.7, 0.6], [0.6, 0.62]]
    few.rows, few._preferences = [[], [[0.9, 0.5], [0.3, 0.7]], [[0.6, 0.6], [0.62, 0.62]]], {}
    assert few.difference(0, 0, 1) == 0.0
    assert [(case.one, case.other) for case in metrics._contrary(few)] == [(1, 2)]


def test_scored_sentences_are_counted() -> None:
    half = [tree if place % 2 else "()" for place, tree in enumerate(SYSTEMS["good"][:30].lines())]
    half = [half[1], *["()"] * 20, *half[21:]]
    study = metrics.study(GOLD[:30], {"A": half, "B": SYSTEMS["right"][:30]}, ["parseval", "struct_iou"])
    scored = study.table("Scored sentences").rows
    assert scored == (("A", 5, 30), ("B", 30, 30))
    assert "Labelled F1 of A covers 5 of 30 sentences." in study.findings
    assert not study.table("Sentences").rows  # too few have all scores
    asked = metrics.study(
        GOLD[:30], {"A": half, "B": SYSTEMS["right"][:30]}, ["parseval", "struct_iou"], pair=("A", "B")
    )
    assert asked.table("Sentences").rows


def test_figure_of_many() -> None:
    names = [*map(str, range(11)), "a name of a system that is longer than anybody would like"]
    asked = ["parseval", "parseval|labels:no", *metrics.METRICS[1:], "leaf_ancestor|costs:unit"]
    figure = metrics.study(GOLD[:12], dict.fromkeys(names, SYSTEMS["good"][:12]), asked).figure()
    figure.draw_without_rendering()
    left, right = figure.axes
    for axes in (left, right):
        boxes = [tick.get_window_extent() for tick in axes.get_yticklabels()]
        assert all(first.y0 > other.y1 or other.y0 > first.y1 for first, other in combinations(boxes, 2))
    shown = right.get_legend()
    assert shown is not None
    legend = shown.get_window_extent()
    assert legend.x1 <= figure.bbox.width and legend.width < figure.bbox.width / 5
    numbers = [text.get_window_extent() for text in left.texts if text.get_text()]
    assert not any(first.overlaps(other) for first, other in combinations(numbers, 2))


def test_what_cannot_be_scored_is_left_out() -> None:
    asked = ["boundaries", "parseval", "functions", "aligned_parseval"]
    study = metrics.study([SAME, OTHER], {"A": [SAME, SAME], "B": [OTHER, "()"]}, asked)
    assert list(study.table("Scores over all sentences").columns)[1:] == ["Labelled F1", "Aligned labelled F1"]
    messages = [str(problem) for problem in study.problems]
    assert "boundaries cannot compare" in messages[0] and "times" in messages[0]
    assert messages[1] == "functions cannot compare these systems: it has no value for any system (left out)"
    assert "Aligned labelled F1 scores no single sentences" in messages[2]
    assert any(problem.code == "unparsed" for problem in study.problems)
    assert study.table("Agreement").column("ρ sentences") == [None]


def test_sentences_have_their_ids(tmp_path: Path) -> None:
    lines = [f"s{number}\t{tree}" for number, tree in enumerate([SAME, OTHER, SAME])]
    gold = treescore.read("\n".join(lines))
    assert gold.ids == ("s0", "s1", "s2")
    first, two = ("\n".join(lines).replace("(NP", "(Y"), "\n".join(lines).replace("(NN a)", "(NP (NN a))"))
    study = metrics.study(gold, {"A": first, "B": two}, PAIR)
    assert set(study.table("Sentences").column("sentence")) <= {"s0", "s1", "s2"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": {"A": SAME}}, "at least two systems"),
        ({"metrics": "parseval"}, "at least two metrics"),
        ({"metrics": ["parseval", "boundaries"]}, "boundaries cannot compare"),
        ({"pair": ("A", "C")}, "no system 'C'"),
        ({"pair": ("A", "A")}, "two different systems"),
        ({"pair": "AB"}, "names of two systems, not 'AB'"),
        ({"metrics": []}, "no metric"),
        ({"most": 0}, "most"),
    ],
)
def test_wrong_use(options: dict[str, object], message: str) -> None:
    given: dict[str, object] = {"gold": SAME, "test": {"A": SAME, "B": OTHER}, "metrics": PAIR, **options}
    with pytest.raises(UsageError, match=message):
        metrics.study(**given)  # type: ignore[arg-type]


def test_no_metric_can_score() -> None:
    with pytest.raises(InputError, match="2 trees"):
        metrics.study([SAME, SAME], {"A": [SAME, SAME], "B": [SAME]}, PAIR)


def test_steps_are_counted() -> None:
    steps = Steps()
    metrics.study(SAME, {"A": SAME, "B": OTHER}, PAIR, steps=steps)
    assert (steps.position, steps.total) == (2, 2)


def test_command(tmp_path: Path) -> None:
    for name, tree in (("gold", SAME), ("a", OTHER), ("b", "(S (NN a) (VP (VB b)))")):
        (tmp_path / f"{name}.mrg").write_text(tree, encoding="utf-8")
    files = ["--gold", "gold.mrg", "--test", "a.mrg", "b.mrg"]
    options = ["--systems", "a", "b", "--most", "1", "-f", "json"]
    out, _ = treescore_inside(tmp_path, "study", "metrics", *files, *options)
    study = json.loads(out)
    assert [row["system"] for row in study["tables"]["Ranks"]] == ["a", "b"]
    assert len(study["tables"]["Scores over all sentences"][0]) == 1 + len(metrics.METRICS)
    each = ["--gold", "gold.mrg", "--test", "a.mrg", "--test", "b.mrg"]  # none of them is dropped
    assert treescore_inside(tmp_path, "study", "metrics", *each, *options)[0] == out
    _, err = treescore_inside(tmp_path, "study", "metrics", *files, "--systems", "a", "c", code=2)
    assert "there is no system 'c'" in err


def test_names_are_shown_and_not_obeyed() -> None:
    systems = {"\x1b[31m": SYSTEMS["middling"], "$x$": SYSTEMS["shallow"]}
    study = metrics.study(GOLD, systems, PAIR, most=1)
    for form in ("table", "markdown", "latex", "html"):
        shown = study.to(form)
        assert "\x1b" not in shown and "score of" in shown
    assert r"$\rho$ systems & $\tau$ systems" in study.to("latex")
    assert study.figure().axes
