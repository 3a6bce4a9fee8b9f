"""Reports as text."""

from __future__ import annotations

from ..values.problem import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scoring.report import Report

#: Formats of other programs, whose tables have no place for anything else.
ORIGINALS = ("evalb", "conll", "conll-rates", "conll-counts")
#: What `treescore -f` and `Report.to` take.
FORMATS = ("table", "json", "jsonl", "csv", "markdown", "latex", "html", *ORIGINALS)


def render(
    report: Report, form: str, *, by: str | None = None, per_sentence: bool = False, explain: Sequence[str] = ()
) -> str:
    """The report in one of the FORMATS."""
    check(form, by=by, per_sentence=per_sentence, explain=explain)
    if form == "json":
        from . import data

        return data.as_json(report, by, per_sentence, explain)
    if form == "jsonl":
        from . import data

        return data.as_json_lines(report, by, per_sentence)
    if form == "evalb":
        from .evalb_report import as_evalb

        return as_evalb(report)
    if form in ORIGINALS:
        from .conllu_text import as_conll

        return as_conll(report, form)
    from . import grids

    tables = grids.render(report, form, by, per_sentence)
    if not explain:
        return tables
    from .explanations import as_text

    return f"{tables}\n{as_text(report, explain, by=by)}"


def check(form: str, *, by: str | None = None, per_sentence: bool = False, explain: Sequence[str] = ()) -> None:
    """An error for a format that there is not, or that does not hold all of this."""
    if form not in FORMATS:
        raise UsageError(f"the format must be one of {', '.join(FORMATS)}, not {form!r}")
    if form == "evalb" and (by or per_sentence):
        raise UsageError("the format evalb always has a row per sentence: --by and --per-sentence do not go with it")
    if form in ORIGINALS and (by or per_sentence):
        raise UsageError(
            f"the format {form} has figures of all sentences only: --by and --per-sentence do not go with it"
        )
    if form in ("csv", "jsonl") and by and per_sentence:
        raise UsageError(f"the format {form} holds one table: --by or --per-sentence, not both")
    if explain and form not in ("table", "json"):
        raise UsageError(f"scores are explained in the formats table and json, not in {form}")
