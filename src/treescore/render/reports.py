"""Views of reports: tables, and data with the names of the Python interface."""

from __future__ import annotations

from ..helpers.problem_lines import problem_values
from ..helpers.text import decode, number_of, percent, visible
from ..metrics.base import check_best
from ..metrics.conventions import CONVENTIONS
from ..metrics.parseval import Parseval
from ..values.problem import UsageError
from ..values.score import ALL, CAUSES, Part, group_counts, with_all
from .grids import (
    DAGGER,
    Grid,
    Marked,
    coverage_lines,
    interval_notes,
    interval_text,
    problem_notes,
    remark_lines,
)
from .output_formats import OUTPUT_FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from ..metrics.base import Metric
    from ..readers.completions.rates import Rates
    from ..scoring.report import Report
    from ..significance import Interval
    from ..values.score import Score
    from .grids import Block, Cell

# Columns that follow from others, and the text of trees.
_NOT_SHOWN = {
    *("tree", "valid", "errors", "skipped", "no_crossing", "two_or_less_crossing", "exact", "failed_gold", *CAUSES),
    *(convention.column for convention in CONVENTIONS),
}


class ReportView:
    """The contents of a report, with tables `by` label or length, `per_sentence`, and explanations of sentences."""

    def __init__(
        self,
        report: Report,
        *,
        by: str | None = None,
        per_sentence: bool = False,
        explain: Sequence[str] = (),
        problems: bool = True,
    ) -> None:
        self.report, self.by, self.per_sentence, self.explain = report, by, per_sentence, explain
        self.lists_problems = problems

    @staticmethod
    def check(
        form: str, *, by: str | None = None, per_sentence: bool = False, explain: Sequence[str] = (), **_: Any
    ) -> None:
        """Refuse a format that cannot hold these contents."""
        if OUTPUT_FORMATS[form].original and (by or per_sentence):
            raise UsageError(f"the format {form} has its own rows: --by and --per-sentence do not go with it")
        if OUTPUT_FORMATS[form].one_table and by and per_sentence:
            raise UsageError(f"the format {form} holds one table: --by or --per-sentence, not both")
        if explain and form not in ("table", "json"):
            raise UsageError(f"scores are explained in the formats table and json, not in {form}")

    def tables(self) -> Iterator[Block]:
        """The tables of each score, with remarks above the first; explanations follow all tables."""
        for place, (_, grids) in enumerate(self._grids()):
            if place == 0:  # remarks take further runs over all trees
                grids[0].before += map(visible, remark_lines(self.report))
                if self.report.completions is not None:
                    grids[0].before.append(self.report.completions.rates().in_one_line())
            yield from grids
            if place == 0 and self.report.completions is not None:
                yield _rates(self.report.completions.rates())
        if self.explain:
            from .explanations import as_text

            yield as_text(self.report, self.explain, by=self.by)

    def rows(self) -> list[list[Cell]]:
        """The most detailed table of each score."""
        detailed = [(score.signature, grids[-1]) for score, grids in self._grids() if len(grids) > 1 or not self.by]
        return _rows(self.report, detailed)

    def _grids(self) -> Iterator[tuple[Score, list[Grid]]]:
        report, by = self.report, self.by
        tables = report.breakdowns(by) if by else {}
        for metric, score in report.pairs():
            lists_problems = self.lists_problems and score is report.scores[0]
            grids = [_summary(report, metric, score, problems=lists_problems)]
            if score.signature in tables:
                grids.append(_groups(metric, by or "", tables[score.signature]))
            elif by:
                grids[0].notes.insert(-1, f"{metric.name} has no table by {by}")
            if self.per_sentence:
                grids.append(_sentences(report, metric, score))
            yield score, grids

    def data(self) -> dict[str, Any]:
        """The whole report."""
        report = self.report
        tables = _tables(report, self.by)
        scores = [_score(report, score, self.by, tables, self.per_sentence) for score in report.scores]
        if self.explain:
            from .explanations import values

            for shown, score in zip(scores, report.scores, strict=True):
                shown["explanations"] = values(report, score, self.explain)
        return {
            **report.provenance,
            "remarks": list(report.remarks),
            "causes": [cause.values() for cause in report.causes()],
            **_completions(report),
            "scores": scores,
            "problems": problem_values(report.problems, report.problem_counts()),
        }

    def records(self) -> Iterator[dict[str, Any]]:
        """An object per sentence, per label or length, or per score."""
        report = self.report
        tables = _tables(report, self.by)
        for score in report.scores:
            if self.per_sentence:
                yield from _sentence_records(report, score)
            elif self.by:
                yield from tables[score.signature] or []
            else:
                yield {**_score(report, score, None, {}, False), "problems": report.problem_total}

    def evalb(self) -> list[str]:
        """The header, a row per sentence, the totals and the summary of the first PARSEVAL score, as EVALB has them."""
        from . import evalb_text as text

        for metric, score in self.report.pairs():
            if isinstance(metric, Parseval):
                check_best(metric, "report in the format evalb")
                columns = {**score.counts.columns, **score.counts.notes}
                everything, short = text.Totals(), text.Totals(metric.cutoff)
                size = len(score.counts)
                for totals in (everything, short):
                    totals.add(columns, 0, size)
                out = text.HEADER + text.rows(columns, 0, size, 1) + text.RULE
                return [decode(out + text.totals_line(everything) + text.summary(everything, short))]
        raise UsageError(f"the format evalb needs the metric parseval, not {self.report.scores[0].name}")

    def conll(self) -> list[str]:
        """The output of the evaluation of Universal Dependencies without options."""
        return self._conll("conll")

    def conll_rates(self) -> list[str]:
        """The output with -v."""
        return self._conll("conll-rates")

    def conll_counts(self) -> list[str]:
        """The output with -c."""
        return self._conll("conll-counts")

    def _conll(self, form: str) -> list[str]:
        from .conllu_text import original

        return [original(self.report, form)]


class RowsView(ReportView):
    """The contents of a report on the rows of a table; `first_problems` are texts from a column of the output."""

    def __init__(self, report: Report, first_problems: Sequence[str] = ()) -> None:
        super().__init__(report, problems=False)
        self.first_problems = first_problems

    @staticmethod
    def check(form: str, **_: Any) -> None:
        """Refuse a format with a row for each sentence."""
        if OUTPUT_FORMATS[form].original:
            raise UsageError(f"the format {form} is for files of trees, not for columns of a table")

    def tables(self) -> Iterator[Block]:
        """The scores, what was lost, and the first problems."""
        report = self.report
        *grids, last = super().tables()
        lines = [report.lost_line()] if report.lost_pieces else []
        if report.problem_total:
            lines += [report.problem_line(), *(f"  {visible(text)}" for text in self.first_problems)]
            if more := report.problem_total - len(self.first_problems):
                lines.append(f"  … and {more:,} more (all of them: the column problem of the output)")
        assert isinstance(last, Grid)  # as there are no explanations
        last.notes += map(visible, lines)
        yield from (*grids, last)

    def data(self) -> dict[str, Any]:
        """The scores, what was lost, and the first problems."""
        report = self.report
        lost = {"lost": {"pieces": report.lost_pieces, "rows": report.lost_rows}} if report.lost_pieces else {}
        counts = {"count": report.problem_total, "by_code": report.problem_counts()}
        return {**super().data(), **lost, "problems": {**counts, "first": list(self.first_problems)}}


def _summary(report: Report, metric: Metric, score: Score, *, problems: bool) -> Grid:
    columns = _figure_columns(report, metric, score)
    rows: list[list[Cell]] = []
    for place, part in enumerate(score.figures.values()):
        if part.above is not None:
            behind = f"{part.above:,} of {part.below:,}" if part.percent else f"{part.above:,} in {part.below:,}"
        else:
            behind = number_of(part.below or 0, part.unit)
        rows.append([part.title, *(cells[place] for cells in columns.values()), behind])
    header = [score.name, *columns, "counts"]
    notes = [metric.summary(score.counts)]
    if score.interval is not None:
        notes += interval_notes(score)
    if problems:
        notes += problem_notes(report.problems, report.problem_counts())
    notes.append(score.full_signature)
    gold = [bank.source.name or "gold" for bank in (report.gold, *getattr(report.gold, "references", ()))]
    title = f"{report.test.source.name or 'test'} against {' and '.join(dict.fromkeys(gold))}"
    return Grid(title, header, rows, notes, above=coverage_lines(metric, score))


def _figure_columns(report: Report, metric: Metric, score: Score) -> dict[str, list[Cell]]:
    """The figures, by the headings of their columns; an interval follows the first figure.

    The metric's own figures come first, but for completions of a language model those over all sentences.
    """
    names = list(score.figures)
    own: list[Cell] = list(score.figures.values())
    over_all: list[Cell] = [score.all_figures.get(name) for name in names]
    everywhere = f"all {metric.row_unit}s"
    if score.is_partial:
        own[0] = Marked(score.figures[score.main].shown(), DAGGER)
    columns = {"score": own, **({everywhere: over_all} if score.is_partial else {})}
    if report.as_printed is not None:
        printed = report.as_printed[score.signature].all_figures
        columns = {everywhere: over_all, "as printed": [printed.get(name) for name in names], "scored": own}
        names = [name + ALL if name + ALL in score.intervals else name for name in names]
    if score.interval is None:
        return columns
    bounds: list[Cell] = [
        interval_text(score.intervals[name], part) for name, part in zip(names, score.figures.values(), strict=True)
    ]
    (first, cells), *others = columns.items()
    return {first: cells, f"{percent(score.interval.level)} interval": bounds, **dict(others)}


def _rates(rates: Rates) -> Grid:
    """The rates of completions of a language model."""
    rows: list[list[Cell]] = [
        [title, Part("", above=count, below=of), f"{count:,} of {of:,}"] for title, count, of in rates.rows()
    ]
    return Grid("completions", ["completions", "rate", "counts"], rows, [])


def _completions(report: Report) -> dict[str, Any]:
    """The rates of completions of a language model, and the policy of reading them."""
    if report.completions is None:
        return {}
    return {"completions": {"policy": report.completions.policy, **report.completions.rates().data()}}


def _groups(metric: Metric, by: str, table: Mapping[str, Mapping[str, Part]]) -> Grid:
    rows: list[list[Cell]] = []
    counted: dict[str, int] = {}
    names = list(metric.group_figures)
    for key, figures in table.items():
        counted = group_counts(figures)
        names = [*metric.group_figures, *(name + ALL for name in metric.group_figures if name + ALL in figures)]
        rows.append([key or "(empty)", *(figures[name] for name in names), *counted.values()])
    return Grid(f"by {by}", [by, *names, *counted], rows, [])


def _sentences(report: Report, metric: Metric, score: Score) -> Grid:
    columns = {
        name: column
        for name, column in report.rows(score.signature).items()
        if name not in _NOT_SHOWN and not name.endswith(ALL)
    }
    for name in metric.amounts:
        columns[name] = [None if value is None else Part("", value, percent=False) for value in columns[name]]
    rows: list[list[Cell]] = [list(row) for row in zip(*columns.values(), strict=True)]
    notes = [metric.status_note] if "status" in columns else []
    return Grid("by sentence", list(columns), rows, notes)


def _rows(report: Report, grids: list[tuple[str, Grid]]) -> list[list[Cell]]:
    """The most detailed tables as one; if there are several scores, with the signature in each row."""
    rows: list[list[Cell]] = []
    several = len(report.scores) > 1
    first = grids[0][1]
    if first.header[-1] == "counts":  # the summary
        bounded = any(score.interval is not None for score in report.scores)
        unbounded: list[Cell] = [None] * (2 * bounded)
        rows.append(["metric", "part", "value", *(["low", "high"] if bounded else []), "above", "below", "signature"])
        for score in report.scores:
            for name, part in with_all(score.figures, score.all_figures).items():
                interval = score.intervals.get(name)
                bounds: list[Cell] = list(interval.values().values())[:2] if interval else unbounded
                rows.append([score.name, name, part, *bounds, part.above, part.below, score.full_signature])
            coverage = score.coverage
            if coverage is not None:
                counted = coverage.eligible - coverage.failed, coverage.eligible
                rows.append([score.name, "coverage", float(coverage), *unbounded, *counted, score.full_signature])
        if report.completions is not None:
            rates, signature = report.completions.rates(), report.scores[0].full_signature
            for name, value in rates.shares().items():
                counted = rates.number_of(name), rates.number
                rows.append(["completions", name, value, *unbounded, *counted, signature])
    else:
        columns = list(dict.fromkeys(name for _, grid in grids for name in grid.header))
        rows.append([*(["signature"] if several else []), *columns])
        for signature, grid in grids:
            before: list[Cell] = [signature] if several else []
            if grid.header == columns:
                rows += [[*before, *row] for row in grid.rows]
            else:
                cells = (dict(zip(grid.header, row, strict=True)) for row in grid.rows)
                rows += [[*before, *map(row.get, columns)] for row in cells]
    return rows


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
        **({} if report.as_printed is None else {"as_printed": report.as_printed[score.signature].all}),
        "counts": score.counts.total(),
        "interval": None if score.interval is None else interval_values(score.interval),
        "intervals": {name: interval_values(interval) for name, interval in score.intervals.items()},
    }
    if by:
        out["by"] = {by: tables[score.signature]}
    if per_sentence:
        out["sentences"] = _sentence_records(report, score)
    return out


def interval_values(interval: Interval) -> dict[str, Any]:
    """An interval and its signature."""
    return {**interval.values(), "signature": interval.signature}


def _sentence_records(report: Report, score: Score) -> list[dict[str, Any]]:
    rows = report.rows(score.signature)
    return [
        {"signature": score.signature, **dict(zip(rows, values, strict=True))}
        for values in zip(*rows.values(), strict=True)
    ]


def _tables(report: Report, by: str | None) -> dict[str, list[dict[str, Any]] | None]:
    """The tables by label or length of each metric, by its signature; None for a metric without tables."""
    if by is None:
        return {}
    groups = report.breakdowns(by)
    return {
        name: [_group(name, by, key, figures) for key, figures in groups[name].items()] if name in groups else None
        for name in (score.signature for score in report.scores)
    }


def _group(signature: str, by: str, key: str, figures: Mapping[str, Part]) -> dict[str, Any]:
    values = {name: part.value for name, part in figures.items()}
    return {"signature": signature, by: key, **group_counts(figures), **values}
