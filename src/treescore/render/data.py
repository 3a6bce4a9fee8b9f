"""JSON and JSON lines: the names are those of the Python interface."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..scoring.report import Report
    from ..significance import Interval
    from ..values.score import Part, Score


def as_json(report: Report, by: str | None, per_sentence: bool, explain: Sequence[str] = ()) -> str:
    """The whole report as one object."""
    import json

    tables = _tables(report, by)
    scores = [_score(report, score, by, tables, per_sentence) for score in report.scores]
    if explain:
        from .explanations import values

        for shown, score in zip(scores, report.scores, strict=True):
            shown["explanations"] = values(report, score, explain)
    whole: dict[str, Any] = {
        **report.provenance,
        "remarks": list(report.remarks),
        "causes": [cause.values() for cause in report.causes()],
        "scores": scores,
        "problems": {
            "count": report.problem_total,
            "by_code": report.problem_counts(),
            "list": [problem.values() for problem in report.problems],
        },
    }
    return json.dumps(whole, indent=2) + "\n"


def as_json_lines(report: Report, by: str | None, per_sentence: bool) -> str:
    """One object per sentence, per label or length, or per score."""
    import json

    lines: list[dict[str, Any]] = []
    tables = _tables(report, by)
    for score in report.scores:
        if per_sentence:
            lines += _sentences(report, score)
        elif by:
            lines += tables[score.signature] or []
        else:
            lines.append({**_score(report, score, None, {}, False), "problems": report.problem_total})
    return "".join(json.dumps(line) + "\n" for line in lines)


def _score(
    report: Report, score: Score, by: str | None, tables: Mapping[str, Any], per_sentence: bool
) -> dict[str, Any]:
    out: dict[str, Any] = {
        "name": score.name,
        "signature": score.signature,
        "full_signature": score.full_signature,
        "value": score.value,
        "all": score.all,
        "coverage": None if score.coverage is None else score.coverage.values(),
        "main": score.main,
        "parts": score.parts,
        "counts": score.counts.total(),
        "interval": None if score.interval is None else _interval(score.interval),
        "intervals": {name: _interval(interval) for name, interval in score.intervals.items()},
    }
    if by:
        out["by"] = {by: tables[score.signature]}
    if per_sentence:
        out["sentences"] = _sentences(report, score)
    return out


def _interval(interval: Interval) -> dict[str, Any]:
    return {**interval.values(), "signature": interval.signature}


def _sentences(report: Report, score: Score) -> list[dict[str, Any]]:
    rows = report.rows(score.signature)
    return [
        {"signature": score.signature, **dict(zip(rows, values, strict=True))}
        for values in zip(*rows.values(), strict=True)
    ]


def _tables(report: Report, by: str | None) -> dict[str, list[dict[str, Any]] | None]:
    """The tables by label or length of each metric, by its signature; None for a metric that has none."""
    if by is None:
        return {}
    found = report.breakdowns(by)
    return {
        name: [_group(name, by, key, figures) for key, figures in found[name].items()] if name in found else None
        for name in (score.signature for score in report.scores)
    }


def _group(signature: str, by: str, key: str, figures: Mapping[str, Part]) -> dict[str, Any]:
    values = {name: part.value for name, part in figures.items()}
    return {"signature": signature, by: key, **group_counts(figures), **values}


def group_counts(figures: Mapping[str, Part]) -> dict[str, int]:
    """The counts of brackets or nodes behind the figures of one group."""
    wanted = (("matched", "recall", "above"), ("gold", "recall", "below"), ("test", "precision", "below"))
    counts = {name: getattr(figures.get(figure), side, None) for name, figure, side in wanted}
    return {name: count for name, count in counts.items() if count is not None}
