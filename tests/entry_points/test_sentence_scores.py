"""The score of each sentence is the same wherever it is shown."""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from array import array
from base64 import b64decode
from collections.abc import Callable
from functools import cache

import pyarrow.parquet as pq
import pytest
from entry_points.every_entry_point import Refused, accepted, asked, columns, judged, rows, table, tree_by_tree, whole
from entry_points.file_pairs import PAIRS, FilePair, Written, can_handle

import treescore
import treescore.scale.arrow
from treescore import Metric
from treescore.metrics import names
from treescore.scale.pairs import check_metrics, score_columns

#: Every registered metric that scores one pair of trees after the other, and one whose rows depend on its options.
METRICS = [
    metric
    for metric in map(treescore.metric, (*names(), "struct_iou|axis:seconds"))
    if metric.pairs_trees and metric.reads == "trees"
]

#: A score for each sentence; None is undefined.
Scores = list[float | None]


@cache
def reference(files: Written, metric: Metric) -> Scores:
    """The rows of the report on two whole files."""
    result: Scores = whole(files, metric.signature).rows()[metric.row_figure]
    return result


def in_json(files: Written, metric: Metric) -> Scores:
    """`-f json --per-sentence`."""
    text = accepted(files.folder, *files.arguments, *asked(metric.signature), "-f", "json", "--per-sentence")
    return [row[metric.row_figure] for row in json.loads(text)["scores"][0]["sentences"]]


def in_json_lines(files: Written, metric: Metric) -> Scores:
    """`-f jsonl --per-sentence`."""
    text = accepted(files.folder, *files.arguments, *asked(metric.signature), "-f", "jsonl", "--per-sentence")
    return [json.loads(line)[metric.row_figure] for line in text.splitlines()]


def in_csv(files: Written, metric: Metric) -> Scores:
    """`-f csv --per-sentence`."""
    text = accepted(files.folder, *files.arguments, *asked(metric.signature), "-f", "csv", "--per-sentence")
    return [
        float(row[metric.row_figure]) if row[metric.row_figure] else None for row in csv.DictReader(io.StringIO(text))
    ]


def in_show(files: Written, metric: Metric) -> Scores:
    """`treescore show` of all sentences."""
    ids = [word for place in range(len(reference(files, metric))) for word in ("--id", _id(files, place))]
    text = accepted(files.folder, "show", *files.arguments, *asked(metric.signature), *ids, "-f", "json")
    shown = json.loads(text)["sentences"]
    assert {sentence["signature"] for sentence in shown} == {metric.signature}
    return [sentence["systems"]["test"]["score"] for sentence in shown]


def _id(files: Written, place: int) -> str:
    names = whole(files, "parseval").gold.ids
    return names[place] if names else str(place + 1)


def in_pictures(files: Written, metric: Metric) -> Scores:
    """What pictures and explanations are made from."""
    report = whole(files, metric.signature)
    return [report.pair(place).score for place in range(len(report.gold))]


def on_the_page(files: Written, metric: Metric) -> Scores:
    """The column of scores on the page, in millionths."""
    more = ("--pack", "none", "-o", "-")
    html = accepted(files.folder, "report", *files.arguments, *asked(metric.signature), *more)
    match = re.search(r'id="data-scores">([A-Za-z0-9+/=]*)</script>', html)
    assert match is not None
    values = array("i", zlib.decompress(b64decode(match[1])))
    return [None if value == -(1 << 31) else value / 1_000_000 for value in values]


def in_columns(files: Written, metric: Metric) -> Scores:
    """The rows that `treescore columns` writes."""
    columns(files, metric.signature)  # which writes the input
    options = ("--input-format", files.pair.form, "-o", "scores.jsonl")
    accepted(files.folder, "columns", "pairs.jsonl", *asked(metric.signature), *options)
    lines = (files.folder / "scores.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["score"] for line in lines]


def in_cluster(files: Written, metric: Metric) -> Scores:
    """The parts that `treescore columns` with workers writes."""
    pq.write_table(table(files), files.folder / "pairs.parquet", row_group_size=2)
    options = ("--workers", "0", "--rows-per-task", "3", "--restart", "-o", "scores")
    form = ("--input-format", files.pair.form)
    accepted(files.folder, "columns", "pairs.parquet", *options, *form, *asked(metric.signature))
    parts = sorted((files.folder / "scores").glob("part-*.parquet"))
    assert len(parts) > 1 or len(files.pair.gold) <= 4
    return [score for part in parts for score in pq.read_table(part)["score"].to_pylist()]


def in_python(files: Written, metric: Metric) -> Scores:
    """`score_columns`."""
    result = score_columns(files.pair.gold, files.pair.test, check_metrics(metric), form=files.pair.form)
    return result.tables[0].figures


def in_arrow(files: Written, metric: Metric) -> Scores:
    """`treescore.arrow.score`."""
    result: Scores = treescore.arrow.score(table(files), metric, form=files.pair.form)["score"].to_pylist()
    return result


def unnamed(files: Written, metric: Metric) -> bool:
    """Trees that are paired by their place."""
    return tree_by_tree(files, metric) and not files.pair.has_names


def one_by_one(files: Written, metric: Metric) -> Scores:
    """Each sentence as two files of its own."""
    report = whole(files, metric.signature)
    scores: Scores = []
    for place in range(len(report.gold)):
        sides = report.gold[place : place + 1], report.test[place : place + 1]
        scores += treescore.evaluate(*sides, metric).rows()[metric.row_figure]
    return scores


PLACES: dict[str, tuple[Callable[[Written, Metric], Scores], Callable[[Written, Metric], bool], int]] = {
    "json": (in_json, tree_by_tree, 10),
    "jsonl": (in_json_lines, tree_by_tree, 10),
    "csv": (in_csv, tree_by_tree, 10),
    "show": (in_show, judged, 10),
    "pictures": (in_pictures, judged, 10),
    "report": (on_the_page, tree_by_tree, 6),
    "columns": (in_columns, rows, 10),
    "cluster": (in_cluster, rows, 10),
    "score_columns": (in_python, rows, 10),
    "arrow": (in_arrow, rows, 10),
    "one by one": (one_by_one, unnamed, 10),
}


def rounded(scores: Scores, digits: int) -> Scores:
    """With so many digits."""
    return [None if score is None else round(score, digits) for score in scores]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.reads == "trees" and len(pair.gold) < 100], ids=str)
def test_sentences_have_the_same_scores(pair: FilePair, place: str, written: dict[str, Written]) -> None:
    files = written[pair.name]
    shown, takes, digits = PLACES[place]
    wrong: dict[str, object] = {}
    for metric in METRICS:
        if not can_handle(metric, pair) or not takes(files, metric):
            continue
        expected = reference(files, metric)
        try:
            actual = shown(files, metric)
        except Refused as refusal:
            wrong[metric.signature] = str(refusal)
            continue
        if rounded(actual, digits) != rounded(expected, digits):
            wrong[metric.signature] = f"{rounded(actual, 4)} instead of {rounded(expected, 4)}"
    assert not wrong


def test_scores_of_sentences_are_of_all_kinds(written: dict[str, Written]) -> None:
    """The law above is not about one value only."""
    parseval = treescore.metric("parseval")
    items = {score for pair in PAIRS if can_handle(parseval, pair) for score in reference(written[pair.name], parseval)}
    assert {None, 1.0} <= items
    assert len(items) > 10
