"""The page itself: facts and figures for the template, data for the script, and the limit of its size."""

from __future__ import annotations

import os
from collections import Counter
from itertools import chain

from .._version import __version__
from ..analysis.series import short_title
from ..draw.colours import NO_LABEL
from ..helpers.text import number_of
from ..place.unequal import without_pairs
from ..render.comparisons import differences
from ..render.grids import coverage_lines
from ..scoring.evaluation import Comparison
from ..values.problem import UsageError
from ..values.score import ALL
from .columns import shown
from .data import BLOCK, PageData, as_json, packed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from ..metrics.base import Metric
    from ..scoring.comparisons import MetricSummary
    from ..scoring.report import Report
    from ..significance import Interval
    from ..trees import Treebank
    from ..values.problem import Problem
    from ..values.score import Score
    from .data import Judged

#: The parts of the script, in their order, in the folder `script`.
SCRIPTS = ("elements", "data", "query", "drawing", "sentence", "list", "charts", "tables", "main")
#: Bytes from which trees are left out.
MOST_BYTES = 30_000_000
#: Rows of the plot by label, rows and columns of the matrix, labels in the fields of the filter, texts of problems.
_LABELS, _MATRIX, _CHOICES, _PROBLEMS = 12, 14, 60, 5_000


class Page:
    """The report page of one or more systems. `html` is the page, `left_out` the number of sentences without trees.

    Trees of the best sentences are left out where the page would have more than `most_bytes`. `pack` is the language
    pack that names classes of errors, or None for no classes.

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
    ) -> None:
        self.reports = _by_name(reports)
        self.pack, self.threads = pack, threads
        first = next(iter(self.reports.values()))
        self.metrics = first.metrics
        by_sentence = [metric for metric in self.metrics if metric.pairs_trees and metric.reads == "trees"]
        if not by_sentence:
            raise UsageError(_why_no_page(first, self.metrics[0]))
        _check_alike(self.reports)
        self.summary = Comparison(self.reports).summary(threads=threads) if len(self.reports) > 1 else None
        if not title:
            title = f"{' and '.join(self.reports)} against {os.path.basename(first.gold.source.name or 'gold')}"
        self.title = shown(title)
        self.data = PageData(self.reports, by_sentence, threads)
        self._scores = self.data.scores()
        self._prepare()
        self.left_out = 0
        self._most_bytes, self._size = most_bytes, 0
        self.html = self._fitting()

    def notice(self) -> str | None:
        """What is not on the page, in words."""
        said = []
        if self._size > self._most_bytes:  # which only the finished page knows
            said.append(f"all trees were left out, and the page still has {self._size / 1e6:.2f} MB")
        elif self.left_out == self.data.count > 0:
            said.append("all trees were left out, so that the file does not become too large")
        elif self.left_out:
            said.append(
                f"the trees of {number_of(self.left_out, 'sentence')} with the best scores were left out, "
                "so that the file does not become too large"
            )
        if self.data.too_large:
            said.append(f"the trees of {number_of(self.data.too_large, 'sentence')} are too large for the page")
        return "; ".join(said) or None

    def write(self, path: str) -> None:
        """Write the page to a file."""
        with open(path, "wb") as file:
            file.write(self.html.encode())

    # ---- the size

    def _fitting(self) -> str:
        """The page, without the trees of the best sentences if it would be too large with them."""
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
        """How good a sentence is; those without a score come before the worst."""
        scores = (column[index] for system in self._scores for column in system)
        found = [score for score in scores if score is not None]
        return sum(found) / len(found) if found else -float("inf")

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

    # ---- what is on it

    def _prepare(self) -> None:
        """All that does not depend on which trees are kept."""
        classes = _error_classes(self.reports.values(), self.pack, self.threads)
        sets, pairs = self.data.sets(classes["sentences"] if classes else None)
        texts = list(self.data.text_blocks())
        self._blocks = [
            *self.data.column_blocks(),
            ("sets", sets),
            *((f"text-{place}", block) for place, block in enumerate(texts)),
        ]
        problems, problem_sentences = self._problems()
        self._main = {
            "title": self.title,
            "sentences": self.data.count,
            "systems": [{"name": shown(name)} for name in self.reports],
            "metrics": [self._metric(metric) for metric in self.data.metrics],
            "symbols": [list(symbol) for symbol in self.data.symbols.found],
            "labels": self.data.labels,
            "frequentLabels": self._frequent_labels(),
            "lengthColumns": self.data.length_columns,
            "blockSize": BLOCK,
            "textBlocks": len(texts),
            "hasIds": self.data.ids is not None,
            "plots": [self._plots(metric) for metric in self.data.metrics],
            "confusions": pairs,
            "confusion": self._confusion(),
            "classes": classes and {key: classes[key] for key in ("pack", "names", "steps", "brackets")},
            "problems": problems,
            "problemSentences": problem_sentences,
        }
        self._facts = self._template_facts()

    def _metric(self, metric: Metric) -> dict[str, Any]:
        return {
            "name": metric.name,
            "title": self._title(metric),
            "hasTrees": metric.judges_nodes,
            "axis": {"unit": metric.axis.unit, "hasRuler": metric.axis.has_ruler},
        }

    def _title(self, metric: Metric) -> str:
        """What a metric is called; with those of its options that differ where two have the same name."""
        first = next(iter(self.reports.values()))
        titles = {other: short_title(other, score) for other, score in first.pairs()}
        alike = [other for other, title in titles.items() if title == titles[metric]]
        differing = _difference(metric, alike)
        return shown(f"{titles[metric]} ({differing})" if differing else titles[metric])

    def _frequent_labels(self) -> list[str]:
        """Labels that are missing or extra anywhere, the most frequent first."""
        found: Counter[int] = Counter()
        for row in self.data.judged:
            for judged in row:
                if judged is not None:
                    for sentence in chain(judged.missing, judged.extra):
                        found.update(sentence)
        return _by_count({self.data.labels[number]: count for number, count in found.items()})[:_CHOICES]

    def _plots(self, metric: Metric) -> dict[str, Any]:
        """The numbers behind the plots of one metric, those of all systems side by side."""
        from ..analysis import series

        reports = list(self.reports.values())
        found: dict[str, Any] = {"byLabel": self._by_label(metric)}
        histograms = [series.histogram(report, metric.signature) for report in reports]
        if len({one.edges for one in histograms}) == 1:
            found["histogram"] = {
                "edges": [100 * edge for edge in histograms[0].edges],
                "counts": [one.counts for one in histograms],
            }
        try:
            lengths = [series.by_length(report, metric.signature) for report in reports]
            levels = [series.levels(report, metric.signature) for report in reports]
        except UsageError:  # it has no lengths
            return found
        ranges: dict[tuple[int, int], dict[str, Any]] = {}
        for system, one in enumerate(lengths):
            for first, last, n, value in zip(one.first, one.last, one.n, one.corpus, strict=True):
                empty = {"from": first, "to": last, "sentences": [0] * len(reports), "values": [None] * len(reports)}
                place = ranges.setdefault((first, last), empty)
                place["sentences"][system], place["values"][system] = n, value
        found["byLength"] = [ranges[place] for place in sorted(ranges)]
        found["levels"] = [
            {
                "corpus": _defined(zip(one.lengths, one.corpus, strict=True)),
                "sentence": _defined(zip(one.lengths, one.mean, strict=True)),
            }
            for one in levels
        ]
        return found

    def _by_label(self, metric: Metric) -> list[dict[str, Any]]:
        from ..analysis import series

        try:
            tables = [series.by_label(report, metric.signature, most=1_000) for report in self.reports.values()]
        except UsageError:  # it has no table by label
            return []
        values = [dict(zip(table.labels, table.columns[0], strict=True)) for table in tables]
        # Gold of one system may lack the sentences that this system has not.
        gold = [dict(zip(table.labels, table.gold, strict=True)) for table in tables]
        most = {label: max(one.get(label, 0) for one in gold) for label in chain(*gold)}
        return [
            {
                "label": shown(label) or NO_LABEL,
                "gold": [one.get(label, 0) for one in gold],
                "values": [one.get(label) for one in values],
            }
            for label in _by_count(most)[:_LABELS]
            if most[label]
        ]

    def _confusion(self) -> list[list[dict[str, Any] | None]]:
        """For each system and metric the labels of nodes over the same words, where they differ."""
        labels = self.data.labels
        return [[None if judged is None else _matrix(judged, labels) for judged in row] for row in self.data.judged]

    def _problems(self) -> tuple[list[dict[str, Any]], list[tuple[str, list[int]]]]:
        """Problems with their texts, as many as there is room for; and the sentences of all of them, by code."""
        several = len(self.reports) > 1
        found: dict[tuple[str | None, Problem], dict[str, Any]] = {}
        sentences: dict[str, set[int]] = {}
        for name, report in self.reports.items():
            of_gold = set(report.gold.problems)
            for problem in report.problems:
                system = name if several and problem not in of_gold else None
                text = f"{system}: {problem}" if system else f"{problem}"
                sentence = problem.unit if problem.unit is not None and problem.unit <= self.data.count else None
                code = shown(problem.code)
                found[system, problem] = {"code": code, "text": shown(text), "sentence": sentence}
                if sentence is not None:
                    sentences.setdefault(code, set()).add(sentence)
        listed = list(found.values())
        if len(listed) > _PROBLEMS:
            more = f"and {number_of(len(listed) - _PROBLEMS, 'more problem')}, which treescore -f json lists"
            listed = [*listed[:_PROBLEMS], {"code": "more", "text": more, "sentence": None}]
        return listed, [(code, sorted(numbers)) for code, numbers in sentences.items()]

    # ---- what the template shows

    def _template_facts(self) -> dict[str, Any]:
        intervals = {metric: self._intervals(metric) for metric in self.metrics}
        return {
            "title": self.title,
            "version": __version__,
            "metrics": [
                {
                    "title": self._title(metric),
                    "signature": shown(metric.signature),
                    **self._all_figures(metric, self._scores_by(metric)),
                }
                for metric in self.metrics
            ],
            "systems": [
                {
                    "name": shown(name),
                    "sentences": f"{self.data.count:,}",
                    "problems": f"{report.problem_total:,}",
                    "scores": [self._score(metric, system, intervals[metric][system]) for metric in self.metrics],
                }
                for system, (name, report) in enumerate(self.reports.items())
            ],
            "remarks": self._remarks(),
            "coverage": self._coverage(),
            "differences": self._differences(),
            "interval_note": self._interval_note(intervals),
            "files": self._files(),
        }

    def _scores_by(self, metric: Metric) -> list[Score]:
        """The scores of all systems by a metric."""
        return [report[metric.signature] for report in self.reports.values()]

    def _remarks(self) -> list[str]:
        """What must be known about the run: how metrics were chosen, and known causes with their effect."""
        lines: dict[str, None] = {}
        for name, report in self.reports.items():
            lines.update(dict.fromkeys(report.remarks))
            before = f"{name}: " if len(self.reports) > 1 else ""
            lines.update(dict.fromkeys(f"{before}{line}" for line in report.causes().lines()))
        return list(map(shown, lines))

    def _differences(self) -> list[dict[str, Any]]:
        """For each metric the differences of all pairs of systems, as `treescore compare` shows them."""
        if self.summary is None:
            return []
        found = []
        for metric, compared in self._compared():
            grid = differences(self.summary, compared)
            found.append({"title": self._title(metric), "header": grid.header, "rows": grid.shown()})
        return found

    def _compared(self) -> list[tuple[Metric, MetricSummary]]:
        """Each metric with what `treescore compare` says about the systems."""
        summaries = {} if self.summary is None else {found.signature: found for found in self.summary.metrics}
        return [(metric, summaries[metric.signature]) for metric in self.metrics if metric.signature in summaries]

    def _all_figures(self, metric: Metric, scores: Sequence[Score]) -> dict[str, Any]:
        """Titles and values of all figures of a metric, over all sentences as well if any failed."""
        names = list(scores[0].figures)
        titles = [scores[0].figures[name].title for name in names]
        if any(score.is_partial for score in scores):
            everywhere = [name for name in names if name not in metric.without_all]
            titles += [f"{scores[0].figures[name].title}, all {metric.row_unit}s" for name in everywhere]
            names += [name + ALL for name in everywhere]
        rows = [[part.shown() for part in map(score.part, names) if part] for score in scores]
        return {
            "figures": list(map(shown, titles)),
            "rows": [{"name": shown(name), "values_": row} for name, row in zip(self.reports, rows, strict=True)],
        }

    def _coverage(self) -> list[str]:
        """What a reader must know before the scores: where sentences failed or were lost."""
        lines = []
        for name, report in self.reports.items():
            for metric, score in report.pairs():
                whose = [name] * (len(self.reports) > 1) + [self._title(metric)] * (len(report.metrics) > 1)
                lines += [shown(": ".join([*whose, line])) for line in coverage_lines(metric, score)]
        return lines

    def _score(self, metric: Metric, system: int, interval: Interval | None) -> dict[str, Any]:
        scores = self._scores_by(metric)
        score = scores[system]
        part = score.figures[score.main]
        is_partial = any(each.is_partial for each in scores)
        return {
            "shown": part.shown(),
            "failed": score.is_partial,
            "all": score.all_figures[score.main].shown() if is_partial else None,
            "unit": metric.row_unit,
            "coverage": f"{100 * score.coverage:.2f} %" if is_partial and score.coverage is not None else None,
            "interval": interval and _range(interval, 100 if part.percent else 1),
            "summary": metric.summary(score.counts).partition(": ")[2],
            "best": any(found.systems[system].best for other, found in self._compared() if other == metric),
        }

    def _intervals(self, metric: Metric) -> list[Interval | None]:
        """The bootstrap interval of the score of each system, if it has one: those of `treescore compare`."""
        from ..significance import interval

        found: list[Interval | None] = []
        compared = dict(self._compared())
        for system, score in enumerate(self._scores_by(metric)):
            made = None
            if metric in compared:
                made = compared[metric].systems[system].interval
            elif len(score.counts) > 1:
                made = interval(metric, score.counts, figure=score.decisive, threads=self.threads)
            found.append(made if made is not None and made.low is not None and made.high is not None else None)
        return found

    def _interval_note(self, intervals: Mapping[Metric, Sequence[Interval | None]]) -> str | None:
        """What stands behind the scores, in one sentence where it is the same for all metrics."""
        found: dict[str, list[str]] = {}
        for metric, column in intervals.items():
            one = next((one for one in column if one is not None), None)
            if one is not None:
                drawn = f"{one.n:,} samples of {one.unit}s, seed {one.seed}"
                said = f"its {100 * one.level:.0f} % interval by the bootstrap, {drawn}"
                found.setdefault(said, []).append(self._title(metric))
        if not found:
            return None
        if len(found) == 1 and len(next(iter(found.values()))) == len(self.metrics):
            return f"In percent. Behind each score: {next(iter(found))}."
        each = "; ".join(f"{' and '.join(titles)}: {said}" for said, titles in found.items())
        return f"In percent. Behind the scores of {each}."

    def _files(self) -> list[dict[str, Any]]:
        files: list[dict[str, Any]] = []
        for name, report in self.reports.items():
            provenance = report.provenance
            if not files:
                files.append({"role": "gold", **provenance["gold"]})
            files.append({"role": shown(name), **provenance["test"]})
        return [{**file, "name": shown(file["name"] or "trees"), "trees": f"{file['trees']:,}"} for file in files]


def _by_name(reports: Comparison | Report | Mapping[str, Report]) -> dict[str, Report]:
    from ..scoring.report import Report

    if isinstance(reports, Comparison):
        reports = reports.reports
    elif isinstance(reports, Report):
        reports = {reports.test.source.name or "test": reports}
    if not reports:
        raise UsageError("a page needs at least one system")
    return dict(reports)


def _why_no_page(report: Report, metric: Metric) -> str:
    """Why the page cannot show the scores of this metric, and what to do instead."""
    if metric.reads == "trees" and len(report.gold) != len(report.test):
        return without_pairs(report.gold, report.test, "the page")
    instead = f"use: treescore GOLD TEST -m {metric.name}"
    return f"{metric.name} does not score sentence by sentence, which the page needs; {instead}"


def _check_alike(reports: Mapping[str, Report]) -> None:
    """Systems stand side by side only with the same gold trees and the same metrics."""
    (name, first), *others = reports.items()
    for other, report in others:
        if [metric.signature for metric in report.metrics] != [metric.signature for metric in first.metrics]:
            raise UsageError(f"{name} and {other} were not scored by the same metrics, which one page needs")
        if not _same_trees(first.gold, report.gold):
            raise UsageError(f"{name} and {other} were not scored against the same gold trees, which one page needs")


def _same_trees(one: Treebank, other: Treebank) -> bool:
    if one is other or one.native is other.native:
        return True
    return (
        len(one) == len(other)
        and one.ids == other.ids
        and all(str(a) == str(b) for a, b in zip(one, other, strict=True))
    )


def _difference(metric: Metric, alike: Sequence[Metric]) -> str:
    """The options that tell a metric from others of the same name.

    >>> from treescore.metrics import get
    >>> both = [get("parseval|labels:yes"), get("parseval|labels:no")]
    >>> _difference(both[0], both)
    'labels:yes'
    """
    shared = set.intersection(*(set(one.signature.split("|")) for one in alike))
    return "|".join(option for option in metric.signature.split("|") if option not in shared)


def _defined(points: Iterable[tuple[int, float | None]]) -> list[list[float]]:
    return [[length, value] for length, value in points if value is not None]


def _by_count(found: Mapping[str, int]) -> list[str]:
    """What there is most of first."""
    return sorted(found, key=lambda name: (-found[name], name))


def _matrix(judged: Judged, labels: Sequence[str]) -> dict[str, Any]:
    """Pairs of labels with how often they occur, the labels with the most confusions first; the rarest are left out."""
    cells = Counter(pair for sentence in judged.confused for pair in sentence)
    sums: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    for pair, count in cells.items():
        for side, label in zip(sums, pair, strict=True):
            side[labels[label]] += count
    all_rows, all_columns = (_by_count(side) for side in sums)
    rows, columns = all_rows[:_MATRIX], all_columns[:_MATRIX]
    named = {(labels[gold], labels[test]): count for (gold, test), count in cells.items()}
    return {
        "rows": rows,
        "columns": columns,
        "cells": [
            [rows.index(gold), columns.index(test), count]
            for (gold, test), count in sorted(named.items())
            if gold in rows and test in columns
        ],
        "leftOut": [len(all_rows) - len(rows), len(all_columns) - len(columns)],
    }


def _range(interval: Interval, factor: int) -> str | None:
    """An interval as the page shows it."""
    if interval.low is None or interval.high is None:
        return None
    return f"{factor * interval.low:.2f} – {factor * interval.high:.2f}"


def _error_classes(reports: Iterable[Report], pack: str | None, threads: int | None) -> dict[str, Any] | None:
    """The classes of errors: their names, steps and brackets by system, and those of each sentence, by number."""
    if pack is None:
        return None
    from ..analysis.errors.explaining import explain_errors

    found = [explain_errors(report.gold, report.test, pack, threads=threads) for report in reports]
    tables = [{it.name: it for it in analysis.titled_classes()} for analysis in found]
    weight: Counter[str] = Counter()
    for table in tables:
        weight.update({name: it.brackets for name, it in table.items()})
    names = _by_count(weight)
    if not names:
        return None
    number = {name: place for place, name in enumerate(names)}
    return {
        "pack": found[0].pack.name,
        "names": [shown(name) for name in names],
        "steps": [[table[name].steps if name in table else 0 for name in names] for table in tables],
        "brackets": [[table[name].brackets if name in table else 0 for name in names] for table in tables],
        "sentences": [
            [sorted({number[analysis.pack.title(name)] for name in row["classes"]}) for row in analysis.sentences()]
            for analysis in found
        ],
    }


def render(facts: Mapping[str, Any]) -> str:
    """The page from its facts and blocks: everything is escaped, except style and script, which are ours."""
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
    style = source("page.css")
    return environment.get_template("template.html").render(
        **facts,
        script=Markup(script),
        script_hash=hashed(script),
        style=Markup(style),
        style_hash=hashed(style),
    )
