"""Data frames and flat dicts of figures: the same values as the report has, for every metric."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pandas
import polars
import pyarrow
import pytest
from hypothesis import given, settings, strategies as st
from laws.test_laws import ALL
from strategies import PAIRS, Pairs, banks, make_pairs, spoken

import treescore
from treescore.scoring.frames import _type
from treescore.values.score import group_counts

CONLLU = "1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"
KINDS = ("pandas", "polars", "arrow")
#: Names that mlflow accepts; wandb, TensorBoard and Lightning accept more.
LOGGED = re.compile(r"[\w\-./ ]+", re.ASCII)


def scored(metric: treescore.Metric, pairs: Pairs) -> treescore.Report:
    """The report on these pairs, with times if the metric needs them."""
    if metric.reads == "conllu":
        return treescore.evaluate(CONLLU * len(pairs), CONLLU * len(pairs), metric)
    gold, test = banks(pairs)
    if metric.needs_times:
        gold, test = spoken(gold), spoken(test)
    return treescore.evaluate(gold, test, metric)


def several(number: int = 25) -> Pairs:
    """Random pairs, some of which fail."""
    rng = Random(number)
    pairs = make_pairs(rng, number, sound=True)
    return [(gold, rng.choice([test, test, test, "()"])) for gold, test in pairs]


def contents(frame: Any) -> dict[str, list[Any]]:
    """The columns of a frame as lists; missing values are None."""
    if isinstance(frame, pandas.DataFrame):
        return {name: [None if pandas.isna(value) else value for value in frame[name]] for name in frame}
    if isinstance(frame, polars.DataFrame):
        return frame.to_dict(as_series=False)
    return frame.to_pydict()  # type: ignore[no-any-return]


def types(frame: Any) -> dict[str, str]:
    """The types of the columns of a frame."""
    if isinstance(frame, pandas.DataFrame):
        return {name: str(kind) for name, kind in frame.dtypes.items()}
    if isinstance(frame, polars.DataFrame):
        return {name: str(kind) for name, kind in frame.schema.items()}
    return {field.name: str(field.type) for field in frame.schema}


def same(ours: Mapping[str, Sequence[Any]], theirs: Mapping[str, Sequence[Any]]) -> bool:
    return list(ours) == list(theirs) and all(list(ours[name]) == list(theirs[name]) for name in ours)


def label_columns(report: treescore.Report) -> dict[str, list[Any]]:
    """The table by label as columns."""
    table = report.breakdown("label")
    columns: dict[str, list[Any]] = {"label": list(table)}
    for parts in table.values():
        for name, value in {**{name: part.value for name, part in parts.items()}, **group_counts(parts)}.items():
            columns.setdefault(name, []).append(value)
    return columns


def check(report: treescore.Report, nothing: treescore.Report) -> None:
    """Every frame has the values of the report, and the types of a report on nothing."""
    fields = ("file", "unit", "line", "column", "code", "message", "action")
    problems = {name: [getattr(problem, name) for problem in report.problems] for name in fields}
    for kind in KINDS:
        rows = report.frame(kind)
        assert same(contents(rows), report.rows())
        assert types(rows) == {
            **types(nothing.frame(kind)),
            **({"id": types(rows)["id"]} if "id" in types(rows) else {}),
        }
        assert same(contents(report.frame(kind, "problems")), problems)
        assert types(report.frame(kind, "problems")) == types(nothing.frame(kind, "problems"))
        try:
            labels = label_columns(report)
        except treescore.UsageError as refusal:
            with pytest.raises(treescore.UsageError, match=re.escape(str(refusal))):
                report.frame(kind, "labels")
            continue
        frame = report.frame(kind, "labels")
        if report.breakdown("label"):
            assert {*contents(frame)} == {*labels}
            assert all(contents(frame)[name] == labels[name] for name in labels)
        expected = {name: kind for name, kind in types(frame).items() if not name.endswith("_all")}
        assert types(nothing.frame(kind, "labels")) == expected


@pytest.mark.parametrize("metric", ALL, ids=str)
def test_every_metric(metric: treescore.Metric) -> None:
    check(scored(metric, several()), scored(metric, []))


@settings(max_examples=60)
@given(PAIRS, st.sampled_from(ALL))
def test_random_trees(pairs: Pairs, metric: treescore.Metric) -> None:
    readable = ("(S (NN a))", "(S (NN a))")  # `evaluate` refuses files in which no tree can be read
    check(scored(metric, [readable, *pairs]), scored(metric, []))


def test_types() -> None:
    report = treescore.evaluate(["(S (NN a))", "(S (NN b))"], ["(S (NN a))", None], "parseval")
    frames = [report.frame(kind) for kind in KINDS]
    names = ("sentence", "f1", "matched")
    assert [[types(frame)[name] for name in names] for frame in frames] == [
        ["int64", "float64", "int64"],
        ["Int64", "Float64", "Int64"],
        ["int64", "double", "int64"],
    ]
    assert [types(report.frame(kind, "problems"))["line"] for kind in KINDS] == ["Int64", "Int64", "int64"]
    assert isinstance(report.frame("arrow"), pyarrow.Table)


def test_ids_are_text() -> None:
    gold = treescore.Treebank(treescore.read("(S (NN a))\n(S (NN b))").native, ids=["7", "8"])
    report = treescore.evaluate(gold, gold)
    assert [contents(report.frame(kind))["id"] for kind in KINDS] == [["7", "8"]] * 3
    assert [types(report.frame(kind))["id"] for kind in KINDS] == ["string", "String", "string"]


def test_several_metrics() -> None:
    report = treescore.evaluate("(S (NN a))", "(X (NN a))", ["parseval", "struct_iou"])
    assert same(contents(report.frame()), report.rows("parseval"))
    assert same(contents(report.frame(metric="struct_iou")), report.rows("struct_iou"))


def test_further_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns that no metric has, such as the outcomes of completions."""
    further: dict[str, list[Any]] = {
        "outcome": ["valid", "rejected"],
        "repairs": ["", None],
        "reason": [None, None],
        "faithful": [True, None],
        "tokens": [3, None],
        "cost": [0, 0.5],
    }
    rows = treescore.Report.rows
    monkeypatch.setattr(treescore.Report, "rows", lambda self, metric=None: {**rows(self, metric), **further})
    report = treescore.evaluate(["(S (NN a))", "(S (NN b))"], ["(S (NN a))", None])
    for kind in KINDS:
        assert same(contents(report.frame(kind)), report.rows())
    expected = ["string", "string", "string", "boolean", "Int64", "float64"]
    assert [types(report.frame())[name] for name in further] == expected


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_that_are_not_text(kind: str) -> None:
    tree = b"(S (N\xe9 (NN caf\xe9)))".decode("utf-8", "surrogateescape")
    report = treescore.evaluate(tree, tree, "parseval|profile:none")
    assert contents(report.frame(kind, "labels"))["label"] == ["N\\udce9", "S"]


class TestComparisons:
    GOLD = ("(S (NP (NN a)) (VB b))", "(S (NN c))")
    SYSTEMS = {"good": GOLD, "bad": ("(S (NN a) (VB b))", None)}  # noqa: RUF012

    @pytest.mark.parametrize("what", ["rows", "labels", "problems"])
    @pytest.mark.parametrize("kind", KINDS)
    def test_the_frames_of_all_systems(self, kind: str, what: str) -> None:
        comparison = treescore.compare(self.GOLD, self.SYSTEMS, "parseval|profile:none")
        joined = contents(comparison.frame(kind, what))
        for system in self.SYSTEMS:
            places = [place for place, name in enumerate(joined["system"]) if name == system]
            own = contents(comparison[system].frame(kind, what))
            assert all([joined[name][place] for place in places] == column for name, column in own.items())

    def test_figures_over_all_sentences(self) -> None:
        """A table by label has them only if a sentence failed."""
        comparison = treescore.compare(self.GOLD, self.SYSTEMS, "parseval|profile:none")
        assert "f1_all" not in comparison["good"].frame(what="labels")
        labels = comparison.frame("polars", "labels").filter(label="S")
        assert labels.select("system", "f1", "f1_all").rows() == [("good", 1.0, 1.0), ("bad", 1.0, 0.5)]

    @pytest.mark.parametrize("kind", KINDS)
    def test_columns_of_one_system(self, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        comparison = treescore.compare(self.GOLD, self.SYSTEMS)
        further: dict[str, list[Any]] = {"outcome": ["valid", "rejected"], "tokens": [3, 4], "faithful": [True, True]}
        rows = treescore.Report.rows

        def of_bad(self: treescore.Report, metric: str | None = None) -> dict[str, list[Any]]:
            return {**rows(self, metric), **(further if self is comparison["bad"] else {})}

        monkeypatch.setattr(treescore.Report, "rows", of_bad)
        joined = contents(comparison.frame(kind))
        assert {name: joined[name] for name in further} == {name: [None, None, *further[name]] for name in further}


class TestFigures:
    @pytest.mark.parametrize("metric", ALL, ids=str)
    def test_every_metric(self, metric: treescore.Metric) -> None:
        report = scored(metric, several())
        figures = report.figures()
        score = report.scores[0]
        for name, value in score.parts.items():
            logged = figures[f"{metric.name}/{name}"]
            assert type(logged) is float
            assert math.isnan(logged) if value is None else logged == value
        coverage = score.coverage
        assert coverage is not None and figures[f"{metric.name}/coverage"] == coverage
        assert figures[f"{metric.name}/failed"] == coverage.failed
        assert figures["pairs"] == report.size
        assert len(figures) == len(score.parts) + 4
        assert not {"pairs", "problems", "signature"} & score.values().keys()  # which the adapters add
        assert {type(value) for value in figures.values()} == {float, int}
        assert all(map(LOGGED.fullmatch, figures))

    @pytest.mark.parametrize("metric", ALL, ids=str)
    def test_names_and_types_do_not_depend_on_the_input(self, metric: treescore.Metric) -> None:
        figures, nothing = (scored(metric, pairs).figures() for pairs in (several(), []))
        assert [(name, type(value)) for name, value in figures.items()] == [
            (name, type(value)) for name, value in nothing.items()
        ]

    def test_metrics_of_one_name(self) -> None:
        report = treescore.evaluate("(S (NN a))", "(X (NN a))", ["parseval", "parseval|labels:no", "struct_iou"])
        figures = report.figures("val/")
        assert (figures["val/parseval/f1"], figures["val/parseval_2/f1"]) == (0.0, 1.0)
        assert len(figures) == sum(len(score.parts) + 2 for score in report) + 2

    def test_batches_give_the_same(self) -> None:
        pairs = several()
        gold, test = ([pair[side] for pair in pairs] for side in range(2))
        report = treescore.evaluate(gold, test, ["parseval", "struct_iou"])
        scorer = treescore.Scorer(["parseval", "struct_iou"])
        for pair in pairs:
            scorer.update([pair[0]], [pair[1]])
        assert scorer.report().figures() == report.figures()
        assert report.figures()["problems"] == report.figures()["parseval/failed"] > 0


def test_wrong_use(monkeypatch: pytest.MonkeyPatch) -> None:
    report = treescore.evaluate("(S (NN a))", "(S (NN a))")
    with pytest.raises(treescore.UsageError, match="kind must be one of pandas, polars, arrow, not 'panda'; did you"):
        report.frame("panda")
    with pytest.raises(treescore.UsageError, match="what must be one of rows, labels, problems, not 'label'; did you"):
        report.frame("pandas", "label")
    with pytest.raises(KeyError, match="no score 'struct_iou'"):
        report.frame("pandas", "rows", "struct_iou")
    scorer = treescore.Scorer()
    scorer.update("(S (NN a))", "(S (NN a))")
    with pytest.raises(treescore.UsageError, match="there are only sums"):
        scorer.report().frame()
    missing = {"pandas": "pip install pandas", "polars": "pip install polars", "arrow": "pip install 'treescore"}
    for kind, advice in missing.items():
        monkeypatch.setitem(sys.modules, "pyarrow" if kind == "arrow" else kind, None)
        with pytest.raises(
            treescore.UsageError, match=rf'frame\("{kind}"\) needs \w+, which is not installed; {advice}'
        ):
            report.frame(kind)


def test_types_of_values() -> None:
    assert [_type(values) for values in ([], [None], [True], [1], [1, None], [1, 0.5], ["a", None])] == [
        *("", "", "truth", "count", "whole", "figure", "text")
    ]
