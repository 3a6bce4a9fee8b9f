"""Reports to text. Nothing here computes a score."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..report import Report

#: What `treescore -f` and `Report.to` take.
FORMATS = ("table", "json", "jsonl", "csv", "markdown", "latex", "html", "evalb")


def render(report: Report, form: str, *, by: str | None = None, per_sentence: bool = False) -> str:
    """The report in one of the FORMATS."""
    if form not in FORMATS:
        raise ValueError(f"the format must be one of {', '.join(FORMATS)}, not {form!r}")
    if form in ("json", "jsonl"):
        from . import data

        return (
            data.as_json(report, by, per_sentence) if form == "json" else data.as_json_lines(report, by, per_sentence)
        )
    if form == "evalb":
        from .evalb_report import as_evalb

        return as_evalb(report)
    from . import grids

    return grids.render(report, form, by, per_sentence)
