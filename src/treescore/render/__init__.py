"""Reports to text. Nothing here computes a score."""

from __future__ import annotations

from ..problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..report import Report

#: What `treescore -f` and `Report.to` take.
FORMATS = ("table", "json", "jsonl", "csv", "markdown", "latex", "html", "evalb")


def render(report: Report, form: str, *, by: str | None = None, per_sentence: bool = False) -> str:
    """The report in one of the FORMATS."""
    if form not in FORMATS:
        raise UsageError(f"the format must be one of {', '.join(FORMATS)}, not {form!r}")
    if form == "evalb" and (by or per_sentence):
        raise UsageError("the format evalb always has a row per sentence: --by and --per-sentence do not go with it")
    if form in ("csv", "jsonl") and by and per_sentence:
        raise UsageError(f"the format {form} holds one table: --by or --per-sentence, not both")
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
