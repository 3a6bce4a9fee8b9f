"""The report page: values for the template, data for the script, and the limit of its size."""

from __future__ import annotations

import json
import os
from array import array
from collections import Counter
from itertools import chain

from .._version import __version__
from ..analysis.label_samples import (
    MILLION,
    LabelCounts,
    class_contributions,
    label_contributions,
    label_intervals,
)
from ..analysis.series import short_titles
from ..draw.colours import NO_LABEL
from ..helpers.new_files import replacing
from ..helpers.text import number_of
from ..place.unequal import without_pairs
from ..render.comparisons import differences, meaning_of_letters
from ..render.grids import DAGGER, coverage_lines
from ..render.saved_reports import saved
from ..scoring.evaluation import Comparison
from ..significance import LEVEL, SAMPLES, SEED
from ..values.problem import UsageError
from ..values.score import ALL
from .columns import shown
from .data import BLOCK, PageData, as_json, other_trees, packed
from .file_names import RelativeNames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from ..analysis.errors.explaining import ErrorAnalysis
    from ..analysis.label_samples import Contribution
    from ..metrics.base import Metric
    from ..scoring.causes import Remedied
    from ..scoring.comparisons import MetricSummary
    from ..scoring.report import Report
    from ..significance import Interval
    from ..trees import Treebank
    from ..values.problem import Problem
    from ..values.score import Score
    from .data import Judged
    from .recordings import Recordings

#: The parts of the script in order, files of the folder `script`.
SCRIPTS = (
    *("elements", "data", "query"),
    *("layout", "drawing", "folding", "reasons", "player", "sentence"),
    *("list", "charts", "tables", "main"),
)
#: The parts of the style in order.
STYLES = ("page.css", "sentence.css")
#: Default size limit in bytes, above which trees are left out.
MOST_BYTES = 30_000_000
#: Maximum rows of the plot by label, rows and columns of the matrix, labels in filters, and listed problems.
_LABELS, _MATRIX, _CHOICES, _PROBLEMS = 12, 14, 60, 5_000
#: Overlaps are stored in millionths.
_ROUNDING = 1e-5


class Page:
    """The report page of one or more systems. `html` is the page, `left_out` the number of sentences without trees.

    If the page would exceed `most_bytes`, trees of the best sentences are left out. `pack` is the language pack of
    error classes, or None for no classes; `recordings` are played on the page.

    >>> import treescore
    >>> gold = ["(S (NP (NN a)) (VP (VB b)))"]
    >>> both = treescore.compare(gold, {"A": gold, "B": ["(S (NN a) (VP (VB b)))"]}, ["parseval", "struct_iou"])
    >>> page = Page(both, title="A or B?")
    >>> page.html.count("</script>") == page.html.count("<script") and "A or B?" in page.html
    True
    """

    def __init__(
        self,
        reports: Comparison | Report | Mapping[str, Report],
        *,
        title: str | None = None,
        most_bytes: int = MOST_BYTES,
        pack: str | None = "english",
        threads: int | None = None,
        recordings: Recordings | None = None,
    ) -> None:
        self.reports = _by_name(reports)
        self.pack, self.threads, self._recordings = pack, threads, recordings
        first = next(iter(self.reports.values()))
        self.metrics = first.metrics
        self._titles = dict(zip(self.metrics, map(shown, short_titles(self.metrics, first.scores)), strict=True))
        by_sentence = [metric for metric in self.metrics if metric.pairs_trees and metric.reads == "trees"]
        if not by_sentence:
            raise UsageError(_why_no_page(first, self.metrics[0]))
        _check_alike(self.reports)
        self.summary = Comparison(self.reports).summary(threads=threads) if len(self.reports) > 1 else None
        self._names = RelativeNames(_file_names(self.reports.values()))
        if not title:
            title = f"{' and '.join(self.reports)} against {os.path.basename(first.gold.source.name or 'gold')}"
        self.title = self._shown(title)
        self._labels = [self._by_label(metric) for metric in by_sentence]
        tracked = [[row["label"] for row in rows] for rows in self._labels]
        self.data = PageData(self.reports, by_sentence, tracked, threads)
        self._scores = self.data.scores()
        self._prepare()
        self.left_out = 0
        self._most_bytes, self._size = most_bytes, 0
        self.html = self._fitting()

    def _shown(self, text: str) -> str:
        """Text without folders of this machine, with escapes for control and invisible characters."""
        return shown(self._names.in_text(text))

    def notice(self) -> str | None:
        """A sentence about trees that are left out, or None."""
        notices = []
        if self._size > self._most_bytes:  # known after the page is rendered
            notices.append(f"all trees were left out, but the page still has {self._size / 1e6:.2f} MB")
        elif self.left_out == self.data.count > 0:
            notices.append("all trees were left out to limit the size of the page")
        elif self.left_out:
            best = f"{number_of(self.left_out, 'sentence')} with the best scores"
            notices.append(f"the trees of {best} were left out to limit the size of the page")
        if self.data.too_large:
            notices.append(f"the trees of {number_of(self.data.too_large, 'sentence')} are too large for the page")
        return "; ".join(notices) or None

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""
        with replacing(path) as file:
            file.write(self.html.encode())

    # ---- the size

    def _fitting(self) -> str:
        """The page, without the trees of the best sentences if it would be too large."""
        kept: Sequence[int] = range(self.data.count)
        while True:
            trees = list(self.data.tree_blocks(kept))
            page = self._filled(trees, kept)
            size = len(page.encode())
            if size <= self._most_bytes or not kept:
                self._size = size
                return page
            of_trees = sum(map(len, trees))
            room = self._most_bytes - (size - of_trees)
            share = max(0.0, min(0.97, 0.98 * room / of_trees)) if of_trees else 0.0
            kept = sorted(sorted(kept, key=self._mean_score)[: int(share * len(kept))])
            self.left_out = self.data.count - len(kept)

    def _mean_score(self, index: int) -> float:
        """The mean score of a sentence; sentences without a score precede the worst."""
        scores = (column[index] for system in self._scores for column in system)
        defined = [score for score in scores if score is not None]
        return sum(defined) / len(defined) if defined else -float("inf")

    def _filled(self, trees: Sequence[str], kept: Sequence[int]) -> str:
        blocks = [("main", as_json({**self._main, "treesLeftOut": self.left_out})), *self._blocks]
        if self.left_out:
            bits = bytearray((self.data.count + 7) // 8)
            for index in kept:
                bits[index >> 3] |= 1 << (index & 7)
            blocks.append(("kept", packed(bytes(bits))))
        blocks += [(f"trees-{place}", block) for place, block in enumerate(trees)]
        notice = self.notice()
        return render({**self._facts, "left_out": notice and f"{notice[0].upper()}{notice[1:]}.", "blocks": blocks})

    # ---- the data

    def _prepare(self) -> None:
        """Compute all parts that do not depend on the trees that are kept."""
        analyses = _error_analyses(self.reports.values(), self.data.metrics[0], self.pack, self.threads)
        classes = _error_classes(analyses)
        sets, pairs = self.data.sets(classes["sentences"] if classes else None)
        texts = list(self.data.text_blocks())
        self._blocks = [
            *self.data.column_blocks(),
            ("sets", sets),
            *((f"text-{place}", block) for place, block in enumerate(texts)),
        ]
        completions = list(self.data.completion_blocks())
        self._blocks += [(f"completions-{place}", block) for place, block in enumerate(completions)]
        if classes:
            chosen = [report.trees.of(self.data.metrics[0]).gold for report in self.reports.values()]
            without = set().union(*(other_trees(self.data.gold.bank, bank) for bank in chosen))
            from .repairs import repair_blocks

            blocks = repair_blocks(analyses, self.data.count, without)
            self._blocks += [(f"repairs-{place}", block) for place, block in enumerate(blocks)]
        if self._recordings is not None:
            self._blocks += self._recordings.blocks()
        problems, problem_sentences = self._problems()
        self._main = {
            "title": self.title,
            "sentences": self.data.count,
            "systems": [{"name": self._shown(name)} for name in self.reports],
            "metrics": [self._metric(metric) for metric in self.data.metrics],
            "symbols": [list(symbol) for symbol in self.data.symbols.shown],
            "labels": self.data.labels,
            "frequentLabels": self._frequent_labels(),
            "lengthColumns": self.data.length_columns,
            "blockSize": BLOCK,
            "textBlocks": len(texts),
            "hasIds": self.data.ids is not None,
            "hasCompletions": bool(completions),
            "audio": self._recordings and self._recordings.facts(),
            "plots": [self._plots(place, metric) for place, metric in enumerate(self.data.metrics)],
            "confusions": pairs,
            "confusion": self._confusion(),
            "differences": self._pairs(),
            "explained": self._explained(analyses),
            "classes": classes and {key: classes[key] for key in ("pack", "names", "steps", "brackets", "repairs")},
            "problems": problems,
            "problemSentences": problem_sentences,
        }
        self._facts = self._template_facts()

    def _metric(self, metric: Metric) -> dict[str, Any]:
        return {
            "name": metric.name,
            "title": self._titles[metric],
            "hasTrees": metric.judges_nodes,
            "axis": {
                "unit": metric.axis.unit,
                "hasRuler": metric.axis.has_ruler,
                "tolerance": metric.axis.tolerance,
            },
        }

    def _frequent_labels(self) -> list[str]:
        """Labels of missing or extra nodes, the most frequent first."""
        counts: Counter[int] = Counter()
        for row in self.data.judged:
            for judged in row:
                if judged is not None:
                    for side in judged.sentences:
                        counts.update(dict(enumerate(side)))
        return _by_count({self.data.labels[number]: count for number, count in counts.items() if count})[:_CHOICES]

    def _plots(self, place: int, metric: Metric) -> dict[str, Any]:
        """The data of the plots of one metric for all systems."""
        from ..analysis import series

        reports = list(self.reports.values())
        plots: dict[str, Any] = {"byLabel": self._with_intervals(place)}
        histograms = [series.histogram(report, metric.signature) for report in reports]
        if len({histogram.edges for histogram in histograms}) == 1:
            plots["histogram"] = {
                "edges": [100 * edge for edge in histograms[0].edges],
                "counts": [histogram.counts for histogram in histograms],
            }
        try:
            lengths = [series.by_length(report, metric.signature) for report in reports]
            levels = [series.levels(report, metric.signature) for report in reports]
        except UsageError:  # the metric has no lengths
            return plots
        ranges: dict[tuple[int, int], dict[str, Any]] = {}
        for system, table in enumerate(lengths):
            for first, last, n, value in zip(table.first, table.last, table.n, table.corpus, strict=True):
                empty = {"from": first, "to": last, "sentences": [0] * len(reports), "values": [None] * len(reports)}
                row = ranges.setdefault((first, last), empty)
                row["sentences"][system], row["values"][system] = n, value
        plots["byLength"] = [ranges[ends] for ends in sorted(ranges)]
        plots["levels"] = [
            {
                "corpus": _defined(zip(level.lengths, level.corpus, strict=True)),
                "sentence": _defined(zip(level.lengths, level.mean, strict=True)),
            }
            for level in levels
        ]
        return plots

    def _by_label(self, metric: Metric) -> list[dict[str, Any]]:
        from ..analysis import series

        try:
            tables = [series.by_label(report, metric.signature, most=1_000) for report in self.reports.values()]
        except UsageError:  # the metric has no table by label
            return []
        values = [dict(zip(table.labels, table.columns[0], strict=True)) for table in tables]
        # The gold counts of a system omit sentences that it does not have.
        gold = [dict(zip(table.labels, table.gold, strict=True)) for table in tables]
        most = {label: max(counts.get(label, 0) for counts in gold) for label in chain(*gold)}
        return [
            {
                "label": shown(label) or NO_LABEL,
                "gold": [counts.get(label, 0) for counts in gold],
                "values": [figures.get(label) for figures in values],
            }
            for label in _by_count(most)[:_LABELS]
            if most[label]
        ]

    def _counted(self, place: int) -> list[LabelCounts]:
        """For each system, the nodes of the most frequent labels by one metric; empty if it does not judge nodes."""
        judged = [row[place] for row in self.data.judged]
        return [LabelCounts(it.nodes, it.credits) for it in judged if it is not None]

    def _with_intervals(self, place: int) -> list[dict[str, Any]]:
        """The table by label of one metric with intervals, if it is based on the nodes that the metric judges."""
        rows, systems = self._labels[place], self._counted(place)
        if not rows or not systems:
            return rows
        labels = [row["label"] for row in rows]
        intervals = label_intervals(systems, labels, rows=self.data.count, threads=self.threads)
        for number, row in enumerate(rows):
            row["intervals"] = [
                [ends.low, ends.high] if ends.low is not None and _has_score(system, number, value) else None
                for system, value, ends in zip(
                    systems, row["values"], (columns[row["label"]] for columns in intervals), strict=True
                )
            ]
        return rows

    def _explained(self, analyses: Sequence[ErrorAnalysis]) -> dict[str, Any] | None:
        """For each pair of systems, what labels and classes of errors contribute to their difference."""
        if self.summary is None:
            return None
        labels = []
        for place, metric in enumerate(self.data.metrics):
            names, systems = [row["label"] for row in self._labels[place]], self._counted(place)
            pairs = label_contributions(metric, self._scores_by(metric), systems, names, threads=self.threads)
            labels.append({f"{a}-{b}": [_in_points(row) for row in rows] for (a, b), rows in pairs.items()})
        columns = [analysis.brackets_by_class() for analysis in analyses]
        titles = dict.fromkeys(shown_title for column in columns for shown_title in column)
        zeros = array("q", bytes(8 * self.data.count))
        complete = [{title: column.get(title, zeros) for title in titles} for column in columns]
        classes = class_contributions(complete, threads=self.threads) if titles else {}
        return {
            "labels": labels,
            "classes": {f"{a}-{b}": [row.values() for row in rows] for (a, b), rows in classes.items()},
            "note": f"Intervals: {100 * LEVEL:.0f} %, bootstrap with {SAMPLES:,} samples of sentences, seed {SEED}.",
        }

    def _confusion(self) -> list[list[dict[str, Any] | None]]:
        """For each system and metric, the differing labels of nodes over the same words."""
        labels = self.data.labels
        return [[None if judged is None else _matrix(judged, labels) for judged in row] for row in self.data.judged]

    def _problems(self) -> tuple[list[dict[str, Any]], list[tuple[str, list[int]]]]:
        """The first problems with their texts, and the sentences of all problems by code."""
        several = len(self.reports) > 1
        found: dict[tuple[str | None, Problem], dict[str, Any]] = {}
        sentences: dict[str, set[int]] = {}
        for name, report in self.reports.items():
            of_gold = {problem for bank in (report.gold, *report.gold.references) for problem in bank.problems}
            for problem in report.problems:
                system = name if several and problem not in of_gold else None
                text = f"{system}: {problem}" if system else f"{problem}"
                sentence = problem.unit if problem.unit is not None and problem.unit <= self.data.count else None
                code = shown(problem.code)
                found[system, problem] = {"code": code, "text": self._shown(text), "sentence": sentence}
                if sentence is not None:
                    sentences.setdefault(code, set()).add(sentence)
        listed = list(found.values())
        if len(listed) > _PROBLEMS:
            more = f"and {number_of(len(listed) - _PROBLEMS, 'more problem')}, which treescore -f json lists"
            listed = [*listed[:_PROBLEMS], {"code": "more", "text": more, "sentence": None}]
        return listed, [(code, sorted(numbers)) for code, numbers in sentences.items()]

    # ---- values of the template

    def _template_facts(self) -> dict[str, Any]:
        intervals = {metric: self._intervals(metric) for metric in self.metrics}
        return {
            "title": self.title,
            "version": __version__,
            "media": "" if self._recordings is None else f" media-src {self._recordings.source};",
            "metrics": [
                {
                    "title": self._titles[metric],
                    "signature": shown(max((score.with_policy for score in self._scores_by(metric)), key=len)),
                    **self._all_figures(metric, self._scores_by(metric)),
                }
                for metric in self.metrics
            ],
            "systems": [
                {
                    "name": self._shown(name),
                    "sentences": f"{self.data.count:,}",
                    "problems": f"{report.problem_total:,}",
                    "scores": [self._score(metric, system, intervals[metric][system]) for metric in self.metrics],
                }
                for system, (name, report) in enumerate(self.reports.items())
            ],
            "remarks": self._remarks(),
            "causes": self._causes(),
            "coverage": self._coverage(),
            "differences": self._differences(),
            "interval_note": self._interval_note(intervals),
            "files": self._files(),
            "report": self._report(),
        }

    def _report(self) -> str:
        """The reports as JSON, for other programs and `treescore compare`, without folders of this machine."""
        data = self._without_folders(saved(Comparison(self.reports), self.title, self.summary))
        return json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")

    def _without_folders(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._names.in_text(value)
        if isinstance(value, dict):
            return {self._names.in_text(key): self._without_folders(part) for key, part in value.items()}
        return list(map(self._without_folders, value)) if isinstance(value, list | tuple) else value

    def _scores_by(self, metric: Metric) -> list[Score]:
        """The scores of all systems by a metric."""
        return [report[metric.signature] for report in self.reports.values()]

    def _remarks(self) -> list[str]:
        """Remarks on the choice of metrics, and the rates of language models."""
        lines: dict[str, None] = {}
        for name, report in self.reports.items():
            lines.update(dict.fromkeys(report.remarks))
            if report.completions is not None:
                before = f"{name}: " if len(self.reports) > 1 else ""
                lines[f"{before}{report.completions.rates().in_one_line()}"] = None
        return list(map(self._shown, lines))

    def _causes(self) -> list[dict[str, Any]]:
        """The known causes of each system that has any, with the score under each remedy."""
        remedied = {name: report.causes().remedied() for name, report in self.reports.items()}
        titles = {row.title for rows in remedied.values() for row in rows if row.title}
        return [
            {
                "name": self._shown(name) if len(self.reports) > 1 else None,
                "rows": [self._cause(row, with_title=len(titles) > 1) for row in rows],
            }
            for name, rows in remedied.items()
            if rows
        ]

    def _cause(self, row: Remedied, *, with_title: bool) -> dict[str, Any]:
        before, after = (None if score is None else f"{score:.2f}" for score in (row.before, row.after))
        parts = [row.title] * with_title + ["all sentences"] * row.is_over_all
        texts = {"cause": self._shown(row.cause), "remedy": self._shown(row.remedy or "")}
        return {**texts, "title": row.title, "figure": ", ".join(parts), "before": before, "after": after}

    def _differences(self) -> dict[str, Any] | None:
        """For each metric, the differences of all pairs of systems, as in `treescore compare`."""
        if self.summary is None:
            return None
        tables = []
        for metric, compared in self._compared():
            grid = differences(self.summary, compared)
            rows = [[self._shown(cell) for cell in row] for row in grid.shown()]
            tables.append(
                {
                    "title": self._titles[metric],
                    "header": grid.header,
                    "rows": rows,
                    "notes": list(map(self._shown, grid.notes)),
                }
            )
        return {"meaning": meaning_of_letters(self.summary), "tables": tables}

    def _pairs(self) -> list[list[dict[str, Any]]]:
        """For each metric, the numbers of all pairs of systems, in percent."""
        names = list(self.reports)
        return [
            [
                {
                    "pair": [names.index(pair.a), names.index(pair.b)],
                    **{
                        name: None if value is None else value * (100 if compared.systems[0].part.percent else 1)
                        for name, value in (("value", pair.test.difference), ("low", pair.low), ("high", pair.high))
                    },
                }
                for pair in compared.pairs
            ]
            for _, compared in self._compared()
        ]

    def _compared(self) -> list[tuple[Metric, MetricSummary]]:
        """Each metric with its summary by `treescore compare`."""
        summaries = {} if self.summary is None else {summary.signature: summary for summary in self.summary.metrics}
        return [(metric, summaries[metric.signature]) for metric in self.metrics if metric.signature in summaries]

    def _all_figures(self, metric: Metric, scores: Sequence[Score]) -> dict[str, Any]:
        """Titles and values of all figures of a metric; also over all sentences if any failed."""
        names = list(scores[0].figures)
        titles = [scores[0].figures[name].title for name in names]
        if any(score.is_partial for score in scores):
            everywhere = [name for name in names if name not in metric.without_all]
            titles += [f"{scores[0].figures[name].title}, all {metric.row_unit}s" for name in everywhere]
            names += [name + ALL for name in everywhere]
        rows = [[part.shown() for part in map(score.part, names) if part] for score in scores]
        return {
            "figures": list(map(shown, titles)),
            "rows": [{"name": self._shown(name), "values_": row} for name, row in zip(self.reports, rows, strict=True)],
        }

    def _coverage(self) -> list[str]:
        """Remarks above the scores about failed and lost sentences."""
        lines = []
        for name, report in self.reports.items():
            for metric, score in report.pairs():
                prefix = [name] * (len(self.reports) > 1) + [self._titles[metric]] * (len(report.metrics) > 1)
                lines += [self._shown(": ".join([*prefix, line])) for line in coverage_lines(metric, score)]
        return lines

    def _score(self, metric: Metric, system: int, interval: Interval | None) -> dict[str, Any]:
        scores = self._scores_by(metric)
        score = scores[system]
        part = score.figures[score.main]
        is_partial = any(each.is_partial for each in scores)
        own = f"{part.shown()} {DAGGER}" if score.is_partial else part.shown()
        over_all = score.all_figures[score.main].shown()
        headline, beside = own, f"all {metric.row_unit}s: {over_all}" if is_partial else None
        compared = dict(self._compared()).get(metric)
        if score.policy:  # a language model
            headline, beside = over_all, f"scored: {own}"
        return {
            "shown": headline,
            "beside": beside,
            "interval_first": bool(score.policy) or not is_partial,
            "coverage": None if score.coverage is None else f"{100 * score.coverage:.2f} %",
            "interval": interval and _range(interval, 100 if part.percent else 1),
            "summary": metric.summary(score.counts).partition(": ")[2],
            "best": compared is not None and compared.systems[system].best,
            "letters": compared and compared.systems[system].letters,
        }

    def _intervals(self, metric: Metric) -> list[Interval | None]:
        """The confidence interval of the score of each system, if defined, as in `treescore compare`."""
        from ..significance import interval

        if metric in (compared := dict(self._compared())):
            intervals: list[Interval | None] = [system.interval for system in compared[metric].systems]
        else:
            intervals = [
                interval(metric, score.counts, figure=score.decisive, threads=self.threads)
                if len(score.counts) > 1
                else None
                for score in self._scores_by(metric)
            ]
        return [found if found and found.low is not None and found.high is not None else None for found in intervals]

    def _interval_note(self, intervals: Mapping[Metric, Sequence[Interval | None]]) -> str | None:
        """A note on the intervals after the scores, in one sentence if it is the same for all metrics."""
        notes: dict[str, list[str]] = {}
        for metric, column in intervals.items():
            first = next((interval for interval in column if interval is not None), None)
            if first is not None:
                samples = f"bootstrap with {first.n:,} samples of {first.unit}s, seed {first.seed}"
                notes.setdefault(f"{100 * first.level:.0f} % ({samples})", []).append(self._titles[metric])
        if not notes:
            return None
        if len(notes) == 1 and len(next(iter(notes.values()))) == len(self.metrics):
            return f"Scores in percent, with confidence intervals of {next(iter(notes))}."
        each = "; ".join(f"{' and '.join(titles)}: {note}" for note, titles in notes.items())
        return f"Scores in percent, with confidence intervals. {each}."

    def _files(self) -> list[dict[str, Any]]:
        files: list[dict[str, Any]] = []
        for name, report in self.reports.items():
            provenance = report.provenance
            if not files:
                files.append({"role": "gold", **provenance["gold"]})
            files.append({"role": self._shown(name), **provenance["test"]})
        return [{**file, "name": self._shown(file["name"] or "trees"), "trees": f"{file['trees']:,}"} for file in files]


def _by_name(reports: Comparison | Report | Mapping[str, Report]) -> dict[str, Report]:
    from ..scoring.report import Report

    if isinstance(reports, Comparison):
        reports = reports.reports
    elif isinstance(reports, Report):
        reports = {reports.test.source.name or "test": reports}
    if not reports:
        raise UsageError("a page needs at least one system")
    return dict(reports)


def _file_names(reports: Iterable[Report]) -> Iterator[str]:
    """The names of all input files."""
    for report in reports:
        for bank in (report.gold, *getattr(report.gold, "references", ()), report.test):
            if bank.source.name:
                yield bank.source.name


def _why_no_page(report: Report, metric: Metric) -> str:
    """The reason why the page cannot show this metric, with advice."""
    if metric.reads == "trees" and len(report.gold) != len(report.test):
        return without_pairs(report.gold, report.test, "the page")
    instead = f"use: treescore GOLD TEST -m {metric.name}"
    return f"{metric.name} does not score sentence by sentence, which the page needs; {instead}"


def _check_alike(reports: Mapping[str, Report]) -> None:
    """Refuse systems with different gold trees or different metrics."""
    (name, first), *others = reports.items()
    for other, report in others:
        if [metric.signature for metric in report.metrics] != [metric.signature for metric in first.metrics]:
            raise UsageError(f"{name} and {other} have different metrics; a page needs the same metrics")
        if not _same_trees(first.gold, report.gold):
            raise UsageError(f"{name} and {other} have different gold trees; a page needs the same gold trees")


def _same_trees(first: Treebank, second: Treebank) -> bool:
    if first is second or first.native is second.native:
        return True
    return (
        len(first) == len(second)
        and first.ids == second.ids
        and all(str(a) == str(b) for a, b in zip(first, second, strict=True))
    )


def _defined(points: Iterable[tuple[int, float | None]]) -> list[list[float]]:
    return [[length, value] for length, value in points if value is not None]


def _by_count(counts: Mapping[str, int]) -> list[str]:
    """Names by descending count."""
    return sorted(counts, key=lambda name: (-counts[name], name))


def _matrix(judged: Judged, labels: Sequence[str]) -> dict[str, Any]:
    """The confusion matrix of labels, those that are wrong most often first, without the rarest.

    `missing` and `extra` count nodes of each row and column for which the other side has no differing node.
    """
    cells = Counter(pair for sentence in judged.confused() for pair in sentence)
    named = {(labels[gold], labels[test]): count for (gold, test), count in cells.items()}
    alone = [{labels[number]: count for number, count in enumerate(side) if count} for side in judged.alone]
    sums = Counter(alone[0]), Counter(alone[1])
    for pair, count in named.items():
        for side, label in zip(sums, pair, strict=True):
            side[label] += count
    all_rows, all_columns = (_by_count(side) for side in sums)
    rows, columns = all_rows[:_MATRIX], all_columns[:_MATRIX]
    return {
        "rows": rows,
        "columns": columns,
        "cells": [
            [rows.index(gold), columns.index(test), count]
            for (gold, test), count in sorted(named.items())
            if gold in rows and test in columns
        ],
        "missing": [alone[0].get(label, 0) for label in rows],
        "extra": [alone[1].get(label, 0) for label in columns],
        "leftOut": [len(all_rows) - len(rows), len(all_columns) - len(columns)],
    }


def _range(interval: Interval, factor: int) -> str | None:
    """An interval as text."""
    if interval.low is None or interval.high is None:
        return None
    return f"{factor * interval.low:.2f} – {factor * interval.high:.2f}"


def _has_score(system: LabelCounts, place: int, value: float | None) -> bool:
    """Are the counted nodes of a label those of its score?"""
    nodes, overlap = (sum(columns[place]) for columns in (system.nodes, system.overlaps))
    return bool(nodes) and value is not None and abs(overlap / MILLION / nodes - value) < _ROUNDING


def _in_points(row: Contribution) -> dict[str, Any]:
    """A contribution to the difference of two scores in percent."""
    points = {name: None if value is None else 100 * value for name, value in row.values().items() if name != "label"}
    return {"label": row.label, **points}


def _error_analyses(
    reports: Iterable[Report], metric: Metric, pack: str | None, threads: int | None
) -> list[ErrorAnalysis]:
    """The errors of each system; empty without a pack."""
    if pack is None:
        return []
    from ..analysis.errors.explaining import explain_errors

    return [explain_errors(report.trees.of(metric).gold, report.test, pack, threads=threads) for report in reports]


def _error_classes(analyses: Sequence[ErrorAnalysis]) -> dict[str, Any] | None:
    """The error classes: names, steps and brackets by system, and the class numbers of each sentence."""
    from .repairs import repair_facts

    tables = [{error.name: error for error in analysis.titled_classes()} for analysis in analyses]
    weight: Counter[str] = Counter()
    for table in tables:
        weight.update({name: error.brackets for name, error in table.items()})
    names = _by_count(weight)
    if not names:
        return None
    number = {name: place for place, name in enumerate(names)}
    return {
        "repairs": repair_facts(analyses, number),
        "pack": analyses[0].pack.name,
        "names": [shown(name) for name in names],
        "steps": [[table[name].steps if name in table else 0 for name in names] for table in tables],
        "brackets": [[table[name].brackets if name in table else 0 for name in names] for table in tables],
        "sentences": [
            [sorted({number[analysis.pack.title(name)] for name in row["classes"]}) for row in analysis.sentences()]
            for analysis in analyses
        ],
    }


def render(facts: Mapping[str, Any]) -> str:
    """The page from its values and blocks: all text is escaped except our style and script."""
    import base64
    import hashlib

    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(os.path.dirname(__file__)),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )

    def source(name: str) -> str:
        with open(os.path.join(os.path.dirname(__file__), *name.split("/")), encoding="utf-8") as file:
            return file.read()

    def hashed(text: str) -> str:
        digest = hashlib.sha256(text.encode()).digest()
        return f"sha256-{base64.b64encode(digest).decode('ascii')}"

    parts = "\n".join(source(f"script/{name}.js") for name in SCRIPTS)
    script = f"'use strict';\n{{\n{parts}}}\n"
    style = "".join(map(source, STYLES))
    return environment.get_template("template.html").render(
        **{**facts, "report": Markup(facts["report"])},
        script=Markup(script),
        script_hash=hashed(script),
        style=Markup(style),
        style_hash=hashed(style),
    )
