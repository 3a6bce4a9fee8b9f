"""Reports as JSON with the counts of all sentences, as pages contain them, so that they can be compared without trees.

`data/report.schema.json` describes the JSON, docs/formats.md explains it.

>>> import treescore
>>> gold = ["(S (NP (NN a)) (VB b))"] * 6
>>> both = treescore.compare(gold, {"A": gold, "B": ["(S (NN a) (VB b))"] * 6}, "parseval|profile:none")
>>> again = restored(saved(both, "A or B?"))
>>> [report.scores[0].value for report in again.values()]
[1.0, 0.6666666666666666]
"""

from __future__ import annotations

import json
import sys
from array import array

from .. import _core
from ..helpers.text import number_of
from ..metrics import get
from ..place.pair import Pair
from ..scoring.batch import Batch
from ..scoring.causes import Causes
from ..scoring.tally import Tally
from ..trees import Source, Treebank
from ..values.counts import Counts
from ..values.problem import Problem, UsageError
from .comparisons import SummaryView
from .reports import ReportView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from ..scoring.comparisons import Summary
    from ..scoring.evaluation import Comparison
    from ..scoring.report import Report

#: The value of `schema`; the number changes when a field changes its meaning or disappears.
SCHEMA = "treescore-report-1"
#: The element of a page that contains the JSON.
_BEGIN, _END = '<script type="application/json" id="report">', "</script>"
#: Problems of a system that are listed; all of them are counted.
_PROBLEMS = 5_000


# ---- writing


def saved(comparison: Comparison, title: str, summary: Summary | None = None) -> dict[str, Any]:
    """The reports of one or more systems, and their comparison."""
    reports = comparison.reports
    if summary is None and len(reports) > 1:
        summary = comparison.summary()
    ids = next(iter(reports.values())).gold.ids
    return {
        "schema": SCHEMA,
        "title": title,
        "systems": [
            {"name": name, "report": _short(ReportView(report).data()), "counts": list(map(_packed, report.scores))}
            for name, report in reports.items()
        ],
        "comparison": None if summary is None else _without_problems(SummaryView(summary).data()),
        "ids": None if ids is None else _compressed("\n".join(map(json.dumps, ids)).encode()),
    }


def _without_problems(comparison: dict[str, Any]) -> dict[str, Any]:
    """The comparison without the problems, which the reports of the systems have."""
    return {name: value for name, value in comparison.items() if name != "problems"}


def _short(report: dict[str, Any]) -> dict[str, Any]:
    """The report with the first problems only."""
    problems = report["problems"]
    return {**report, "problems": {**problems, "list": problems["list"][:_PROBLEMS]}}


def _packed(score: Any) -> dict[str, Any]:
    """The counts of all rows: columns of 64-bit integers one after the other, without those that are all 0."""
    counts: Counts = score.counts
    columns = {**counts.columns, **counts.notes}
    zeros = [name for name, column in columns.items() if not any(column)]
    stored = [_little_endian(column) for name, column in columns.items() if name not in zeros]
    return {
        "signature": score.signature,
        "rows": len(counts),
        "sums": list(counts.columns),
        "notes": list(counts.notes),
        "zeros": zeros,
        "data": _compressed(b"".join(stored)),
    }


def _little_endian(column: memoryview) -> bytes:
    if sys.byteorder == "little":
        return column.tobytes()
    numbers = array("q", column)
    numbers.byteswap()
    return numbers.tobytes()


def _compressed(data: bytes) -> str:
    import zlib
    from base64 import b64encode

    return b64encode(zlib.compress(data, 5)).decode("ascii")


# ---- reading


def read_saved(text: str, name: str) -> dict[str, Any] | None:
    """The JSON in a page, or in a file with it; None if the text is neither."""
    start = text.lstrip()[:200]
    if start.startswith("<!doctype html>"):
        _, found, rest = text.partition(_BEGIN)
        if not found:
            return None
        text = rest.partition(_END)[0]
    elif not (start.startswith("{") and f'"{SCHEMA[:-1]}' in start):
        return None
    try:
        data: dict[str, Any] = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{name}: the report is damaged: {error}") from None
    if data.get("schema") != SCHEMA:
        raise UsageError(f"{name}: the report has the schema {data.get('schema')!r}, and this version reads {SCHEMA!r}")
    return data


def restored(data: Mapping[str, Any]) -> dict[str, Report]:
    """The systems of a saved report: their counts, scores and problems, without trees."""
    from zlib import error as compression_error

    try:
        return _restored(data)
    except (KeyError, TypeError, ValueError, compression_error) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"the report is damaged: {type(error).__name__}: {error}") from None


def _restored(data: Mapping[str, Any]) -> dict[str, Report]:
    ids = None
    if data["ids"] is not None:
        ids = [json.loads(line) for line in _inflated(data["ids"]).decode().split("\n")]
    return {system["name"]: _report(system, ids) for system in data["systems"]}


def _report(system: Mapping[str, Any], ids: Sequence[str] | None) -> Report:
    saved_report = system["report"]
    metrics = [get(counts["signature"]) for counts in system["counts"]]
    problems = [Problem(**fields) for fields in saved_report["problems"]["list"]]
    pair = Pair(*(_without_trees(saved_report[side], ids) for side in ("gold", "test")))
    tally = Tally(metrics, rows=True)
    tally.add(Batch(metrics, pair, [_unpacked(counts) for counts in system["counts"]], problems))
    report = tally.report(pair.gold, pair.test)
    report.remarks = [*saved_report["remarks"], *map(_cause, saved_report["causes"])]
    report.__dict__["_causes"] = Causes()  # their effects cannot be computed without trees
    return report


def _cause(cause: Mapping[str, Any]) -> str:
    remedy = f"; try {cause['remedy']}" if cause["remedy"] else ""
    return f"{cause['message']} in {number_of(cause['sentences'], 'sentence')}{remedy}"


class _SavedSource(Source):
    """The source of trees that are not saved, with the hash of their file."""

    hash: str | None

    def __init__(self, name: str | None, hash: str | None) -> None:
        super().__init__(name)
        object.__setattr__(self, "hash", hash)

    def sha256(self) -> str | None:
        return self.hash


def _without_trees(file: Mapping[str, Any], ids: Sequence[str] | None) -> Treebank:
    """As many empty trees as a file had."""
    builder = _core.TreeBuilder()
    for number in range(1, file["trees"] + 1):
        builder.finish(number)
    return Treebank(builder.trees(), source=_SavedSource(file["name"], file["sha256"]), ids=ids)


def _unpacked(counts: Mapping[str, Any]) -> Counts:
    numbers = array("q")
    numbers.frombytes(_inflated(counts["data"]))
    if sys.byteorder != "little":
        numbers.byteswap()
    rows, zeros = counts["rows"], set(counts["zeros"])
    names = [*counts["sums"], *counts["notes"]]
    stored = [name for name in names if name not in zeros]
    if len(stored) * rows != len(numbers):
        raise UsageError(f"the counts of {counts['signature']} are damaged")
    columns = dict.fromkeys(names, array("q", bytes(8 * rows)))
    columns |= {name: numbers[rows * place : rows * (place + 1)] for place, name in enumerate(stored)}
    sums, notes = ({name: columns[name] for name in counts[kind]} for kind in ("sums", "notes"))
    return Counts(sums, notes=notes)


def _inflated(text: str) -> bytes:
    import zlib
    from base64 import b64decode

    return zlib.decompress(b64decode(text))


def same_metrics(reports: Mapping[str, Report]) -> None:
    """Refuse saved systems that were not scored against the same gold trees by the same metrics."""
    (first_name, first), *others = reports.items()
    for name, report in others:
        if [metric.signature for metric in report.metrics] != [metric.signature for metric in first.metrics]:
            raise UsageError(f"{first_name} and {name} have different metrics: {_signatures((first, report))}")
        hashes = [side.gold.source.sha256() for side in (first, report)]
        if hashes[0] != hashes[1] or len(first.gold) != len(report.gold):
            raise UsageError(f"{first_name} and {name} have different gold trees, so that they cannot be compared")


def _signatures(reports: Iterable[Report]) -> str:
    return " and ".join(", ".join(metric.signature for metric in report.metrics) for report in reports)
