"""What is known about several systems: their scores, how sure these are, and which differences are more than chance.

>>> import treescore
>>> gold = ["(S (NP (NN a)) (VB b))"] * 6
>>> both = treescore.compare(gold, {"A": gold, "B": ["(S (NN a) (VB b))"] * 6}, "parseval|profile:none")
>>> (found,) = both.summary().metrics
>>> [(system.name, round(system.value, 3), system.letters) for system in found.systems]
[('A', 1.0, 'a'), ('B', 0.667, 'b')]
>>> (pair,) = found.pairs
>>> pair.test.p, pair.wins, pair.losses, pair.ties
(0.03125, 6, 0, 0)
"""

from __future__ import annotations

from contextlib import suppress

from ..helpers.problem_lines import codes_in_one_line
from ..helpers.showing import rendered
from ..helpers.steps import Steps
from ..helpers.text import number_of, visible
from ..place.pair import Pair
from ..significance import LEVEL, SEED, TRIALS, letters, samples
from ..significance.effects import effect_size, outcomes
from ..significance.intervals import interval_of, scored_rows
from ..values.counts import Counts
from ..values.problem import UsageError
from ..values.score import ALL
from ..values.value import Value
from .batch import Batch
from .tally import Tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from ..metrics.base import Metric
    from ..significance import Interval, PairedTest
    from ..values.problem import Problem
    from ..values.score import Coverage, Part, Score
    from .causes import Causes
    from .evaluation import Comparison
    from .report import Report

#: A p-value that is not greater is called significant, if nothing else is said.
ALPHA = 0.05


class SystemScore(Value):
    """One system by one metric: a figure and its interval.

    `part` is the figure that systems are compared by, in which failed sentences count; `own` is the metric's own
    figure, which may omit them. Both are the same object if no sentence of any system failed. `coverage` is the share
    of eligible sentences that did not fail.

    Systems that share one of their `letters` do not differ significantly; letters are given from the best system down.
    Where all are compared with a baseline there are none, and `differs` says whether the system differs from it. Both
    are None where nothing can be said. A system is `best` if it is significantly better than every other one. `summary`
    says what was scored and what was not.
    """

    name: str
    part: Part
    own: Part
    coverage: Coverage | None
    interval: Interval
    letters: str | None
    differs: bool | None
    best: bool
    summary: str

    def __init__(
        self,
        name: str,
        part: Part,
        interval: Interval,
        *,
        own: Part | None = None,
        coverage: Coverage | None = None,
        letters: str | None = None,
        differs: bool | None = None,
        best: bool = False,
        summary: str = "",
    ) -> None:
        self._store(name=name, part=part, interval=interval, letters=letters, differs=differs, best=best)
        self._store(own=part if own is None else own, coverage=coverage, summary=summary)

    @property
    def value(self) -> float | None:
        """The figure that systems are compared by, as a fraction of 1."""
        return self.part.value


class PairScore(Value):
    """Two systems by one metric: `test` has difference (a - b) and p, its `adjusted` p is that after Holm's correction.

    `interval` is that of the difference, from `low` to `high`; None if there is none. `effect` is the mean of the
    differences of the rows over their standard deviation. On `wins` rows a is better, on `losses` b, on `ties` neither;
    on `unscored` rows one of them has no score.
    """

    a: str
    b: str
    test: PairedTest
    interval: Interval | None
    effect: float | None
    wins: int
    losses: int
    ties: int
    unscored: int

    @property
    def undefined(self) -> int:
        """In how many samples the difference has no value; they are left out of its interval."""
        return 0 if self.interval is None else self.interval.undefined

    def differs(self, alpha: float) -> bool | None:
        """Is the corrected p at most `alpha`? None if there is no p."""
        return None if self.test.adjusted is None else self.test.adjusted <= alpha

    @property
    def low(self) -> float | None:
        """The lower end of the interval of the difference."""
        return None if self.interval is None else self.interval.low

    @property
    def high(self) -> float | None:
        """The upper end of the interval of the difference."""
        return None if self.interval is None else self.interval.high


class MetricSummary(Value):
    """All systems by one metric. `unit` is what samples are drawn from, `row_unit` what a score is made from; `level`
    is that of the intervals.

    `scored_for_all` says how many of how many rows every system has a score for, if that is not all of them; else it is
    None. With `common` the other rows were left out of all scores. Otherwise systems are compared by figures over all
    rows. `warning` says which rows were left out, or why none were that should have been; else it is None.
    """

    name: str
    signature: str
    figure: str
    title: str
    unit: str
    row_unit: str
    level: float
    systems: tuple[SystemScore, ...]
    pairs: tuple[PairScore, ...]
    scored_for_all: tuple[int, int] | None
    common: bool
    warning: str | None

    def __init__(
        self,
        *,
        name: str,
        signature: str,
        figure: str,
        title: str,
        unit: str,
        row_unit: str,
        level: float,
        systems: Sequence[SystemScore],
        pairs: Sequence[PairScore],
        scored_for_all: tuple[int, int] | None = None,
        common: bool = False,
        warning: str | None = None,
    ) -> None:
        self._store(name=name, signature=signature, figure=figure, title=title, unit=unit, level=level)
        self._store(row_unit=row_unit, warning=warning)
        self._store(systems=tuple(systems), pairs=tuple(pairs), scored_for_all=scored_for_all, common=common)

    @property
    def is_partial(self) -> bool:
        """Did sentences fail, or were some lost? Then systems are compared by figures over all sentences."""
        return self.figure.endswith(ALL)


class Summary(Value):
    """All systems by all metrics, in the order in which they were given, with the problems of each.

    `inputs` are what was read: name, number of trees and hash, of gold as `gold` and of each system by its name.
    Of very many problems only the first are kept; `problem_counts` are the numbers of all of them, by kind. `remarks`
    say how metrics were chosen, and `causes` are known causes that change the scores of a system although the parser is
    not to blame.
    """

    gold: str
    metrics: tuple[MetricSummary, ...]
    problems: dict[str, tuple[Problem, ...]]
    problem_counts: dict[str, dict[str, int]]
    alpha: float
    baseline: str | None
    inputs: dict[str, Any]
    remarks: tuple[str, ...]
    causes: dict[str, Causes]

    __slots__ = (
        *("gold", "metrics", "problems", "problem_counts", "alpha", "baseline", "inputs", "remarks", "causes"),
    )

    def __init__(
        self,
        gold: str,
        metrics: Sequence[MetricSummary],
        problems: Mapping[str, Sequence[Problem]],
        *,
        problem_counts: Mapping[str, Mapping[str, int]],
        alpha: float = ALPHA,
        baseline: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        remarks: Sequence[str] = (),
        causes: Mapping[str, Causes] | None = None,
    ) -> None:
        kept = {name: tuple(found) for name, found in problems.items()}
        self._store(gold=gold, metrics=tuple(metrics), problems=kept, alpha=alpha, baseline=baseline)
        self._store(problem_counts={name: dict(counted) for name, counted in problem_counts.items()})
        self._store(inputs=dict(inputs or {}), remarks=tuple(remarks))
        self._store(causes=dict(causes or {}))

    __hash__ = None  # type: ignore[assignment]

    def remark_lines(self) -> list[str]:
        """How metrics were chosen, and the known causes for each system with their effect."""
        return [*self.remarks, *(f"{name}: {line}" for name in self.causes for line in self._cause_lines(name))]

    def _cause_lines(self, name: str) -> list[str]:
        """The causes for a system; if sentences are left out, without their effect, which is that on all sentences."""
        if any(metric.common for metric in self.metrics):
            return [cause.in_short() for cause in self.causes[name]]
        return self.causes[name].lines()

    def problem_lines(self) -> list[str]:
        """For each system that has any, the number of its problems of each kind."""
        return [f"{name}: {codes_in_one_line(counted)}" for name, counted in self.problem_counts.items() if counted]

    def problem_total(self, name: str) -> int:
        """How many problems a system has."""
        return sum(self.problem_counts[name].values())

    def to(self, form: str) -> str:
        """The summary as table, markdown, latex, csv, json or html."""
        return rendered(self, form)

    def __str__(self) -> str:
        return self.to("table")

    def __repr__(self) -> str:
        return f"<Summary: {', '.join(self.problems)} by {', '.join(metric.name for metric in self.metrics)}>"

    def _repr_html_(self) -> str:
        return self.to("html")


def summary(
    comparison: Comparison,
    *,
    kind: str = "randomization",
    figure: str | None = None,
    baseline: str | None = None,
    common: bool = False,
    alpha: float = ALPHA,
    level: float = LEVEL,
    n: int = TRIALS,
    seed: int = SEED,
    unit: str | None = None,
    units: Sequence[str] | None = None,
    threads: int | None = None,
    steps: Steps | None = None,
) -> Summary:
    """Test all pairs of systems by all metrics, or each system against a baseline.

    `kind`, `n`, `seed`, `unit` and `units` are those of `Comparison.test`. The intervals of scores, and of differences,
    are made by the bootstrap with as many samples. With the name of a `figure`, systems are compared by it instead of
    the main one, and metrics that have no such figure are left out. With `common`, what not every system has a score
    for by a metric is left out of its scores, intervals and tests.
    """
    if not isinstance(alpha, int | float) or not 0 < alpha < 1:
        raise UsageError(f"alpha must be a share between 0 and 1, such as 0.05, not {alpha!r}")
    reports = comparison.reports
    if len(reports) < 2:
        raise UsageError("there is only one system: a comparison needs two")
    if baseline is not None and baseline not in reports:
        known = ", ".join(repr(visible(name)) for name in reports)
        raise UsageError(f"the baseline must be one of the systems, {known}, not {visible(baseline)!r}")
    first = next(iter(reports.values()))
    chosen = _with_figure(first, figure)
    options: dict[str, Any] = {"n": n, "seed": seed, "unit": unit, "units": units, "threads": threads}
    found = []
    for number in (steps or Steps()).over(len(chosen)):
        metric = chosen[number]
        unscored = _unscored(metric, comparison.reports.values())
        compared, warning = comparison, None
        rows = len(first[metric.signature].counts)
        if common and unscored:
            names, _ = first.unit_names(metric.signature, unit=unit, units=units)
            compared = _without(comparison, metric, unscored, emptied=names is not None)
            gone = f"{len(unscored):,} of {number_of(rows, metric.row_unit)}"
            warning = f"left out of all scores: {gone}, which not every system has a score for"
        elif common and unscored is None:
            warning = f"nothing is left out, because the systems have different {metric.row_unit}s"
        reports = compared.reports
        options["figure"] = _deciding(metric, [report[metric.signature] for report in reports.values()], figure)
        tests = compared.tests(metric.signature, baseline=baseline, kind=kind, level=level, **options)
        sampled = {name: _Sampled(report, metric, level=level, **options) for name, report in reports.items()}
        pairs = []
        for (a, b), test in tests.items():
            if metric.row_unit == "block":  # those of one system need not be those of another
                *pair_rows, _ = compared.paired_rows(a, b, metric.signature, unit=unit, units=units)
                sides = [
                    _Sampled(reports[name], metric, level=level, counts=counts, **options)
                    for name, counts in zip((a, b), pair_rows, strict=True)
                ]
            else:
                sides = [sampled[a], sampled[b]]
            pairs.append(_pair(metric, a, b, test, *sides))
        made = _by_metric(metric, sampled, pairs, alpha=alpha, baseline=baseline)
        scored = (rows - len(unscored), rows) if unscored else None
        found.append(made.replace(scored_for_all=scored, common=common and bool(unscored), warning=warning))
    problems = {name: report.problems for name, report in comparison.reports.items()}
    inputs = {"gold": first.provenance["gold"]}
    inputs["systems"] = {name: report.provenance["test"] for name, report in comparison.reports.items()}
    return Summary(
        first.gold.source.name or "gold",
        found,
        problems,
        problem_counts={name: report.problem_counts() for name, report in comparison.reports.items()},
        alpha=alpha,
        baseline=baseline,
        inputs=inputs,
        remarks=first.remarks,
        causes={name: report.causes() for name, report in comparison.reports.items()},
    )


def _deciding(metric: Metric, scores: Sequence[Score], figure: str | None) -> str:
    """The figure by which all systems are compared: the same for all, and over all sentences if any failed."""
    return metric.deciding(figure or scores[0].main, *(score.counts.total() for score in scores))


def _with_figure(report: Report, figure: str | None) -> list[Metric]:
    """The metrics that have this figure; an error if none has."""
    both = list(zip(report.metrics, report.scores, strict=True))
    found = [metric for metric, score in both if figure is None or score.part(figure)]
    if not found:
        known = "; ".join(f"{metric.name} has {', '.join(score.figures)}" for metric, score in both)
        raise UsageError(f"there is no figure {figure!r}: {known}")
    return found


def _unscored(metric: Metric, reports: Iterable[Report]) -> list[int] | None:
    """The rows that some system has no score for; None if the rows of the systems are about different sentences."""
    counts = [report[metric.signature].counts for report in reports]
    places = {place for rows in counts for place, status in enumerate(rows.statuses()) if status}
    begins = [list(metric.gold_sentences(rows) or range(len(rows))) for rows in counts]
    is_comparable = not places or all(begin == begins[0] for begin in begins)
    return sorted(places) if is_comparable else None


def _without(comparison: Comparison, metric: Metric, places: Sequence[int], *, emptied: bool) -> Comparison:
    """The systems by one metric without these rows, or with nothing in them, so that units still fit the rows."""
    from .evaluation import Comparison

    made = {}
    for name, report in comparison.reports.items():
        rows = report[metric.signature].counts.without(places, emptied=emptied)
        tally = Tally([metric], rows=True)
        tally.add(Batch([metric], Pair(report.gold, report.test), [rows], report.problems))
        made[name] = tally.report(report.gold, report.test)
    return Comparison(made)


class _Sampled:
    """One system by one metric: a figure of each row by itself, and of each sample of the bootstrap.

    Samples of systems with as many rows are samples of the same rows.
    """

    def __init__(
        self,
        report: Report,
        metric: Metric,
        *,
        figure: str,
        n: int,
        seed: int,
        level: float,
        unit: str | None,
        units: Sequence[str] | None,
        threads: int | None,
        counts: Counts | None = None,
    ) -> None:
        self.score = report[metric.signature]
        self.summary = metric.summary(self.score.counts)
        sampled, self.unit = report.sampled(metric.signature, unit=unit, units=units)
        counts = sampled if counts is None else counts

        self.figure = figure
        needed = metric.columns_of([figure])
        counts = counts if needed is None else counts.only(needed)
        self.rows = [metric.figure(row, figure) for row in counts.rows()]
        self.drawn = samples(counts, n, seed, threads=threads).figures(metric, figure)
        self.interval = interval_of(
            self.drawn, level=level, seed=seed, unit=self.unit, rows=len(counts), scored=scored_rows(counts)
        )
        if _part(self.score, figure).value is None:  # as where sentences were lost: samples without them say nothing
            self.interval = self.interval.replace(low=None, high=None)


def _by_metric(
    metric: Metric, sampled: Mapping[str, _Sampled], pairs: Sequence[PairScore], *, alpha: float, baseline: str | None
) -> MetricSummary:
    figure = next(iter(sampled.values())).figure
    parts = {name: _part(found.score, figure) for name, found in sampled.items()}
    judged = {(pair.a, pair.b): pair.differs(alpha) for pair in pairs}
    good = {name: metric.goodness(figure, part.value) for name, part in parts.items() if part.value is not None}
    marks = {}
    if baseline is None:
        best_first = sorted(good, key=good.__getitem__, reverse=True)
        differing = [pair for pair, differ in judged.items() if differ]
        with suppress(UsageError):  # there would be too many
            marks = letters(best_first, differing)
    systems = [
        SystemScore(
            name,
            part,
            sampled[name].interval,
            own=_part(sampled[name].score, figure.removesuffix(ALL)),
            coverage=sampled[name].score.coverage,
            letters=marks.get(name),
            differs=None if baseline is None else judged.get((name, baseline)),
            best=_is_winner(name, good, judged),
            summary=sampled[name].summary,
        )
        for name, part in parts.items()
    ]
    return MetricSummary(
        name=metric.name,
        signature=metric.signature,
        figure=figure,
        title=systems[0].part.title,
        unit=systems[0].interval.unit,
        row_unit=metric.row_unit,
        level=systems[0].interval.level,
        systems=systems,
        pairs=pairs,
    )


def _is_winner(name: str, good: Mapping[str, float], judged: Mapping[tuple[str, str], bool | None]) -> bool:
    """Has a system the best score, and does it differ significantly from every other one?"""
    # With a baseline, other systems are not tested against each other.
    tests = [bool(differs) for pair, differs in judged.items() if name in pair]
    others = {other for pair in judged for other in pair} - {name}
    return good.get(name) == max(good.values(), default=None) and len(tests) == len(others) and all(tests)


def _part(score: Score, figure: str) -> Part:
    part = score.part(figure)
    assert part is not None  # the figure was looked up before
    return part


def _pair(metric: Metric, a: str, b: str, test: PairedTest, one: _Sampled, other: _Sampled) -> PairScore:
    """What is said about a pair beside its test."""
    known = [row for row in _differences(one.rows, other.rows) if row is not None]
    better = _differences(*(_good(metric, side) for side in (one, other)))
    wins, losses, ties, unscored = outcomes(better)
    return PairScore(
        a,
        b,
        test,
        interval=_difference_interval(test, one, other),
        effect=None if test.difference is None else effect_size(known),
        wins=wins,
        losses=losses,
        ties=ties,
        unscored=unscored,
    )


def _good(metric: Metric, side: _Sampled) -> list[float | None]:
    return [None if value is None else metric.goodness(side.figure, value) for value in side.rows]


def _difference_interval(test: PairedTest, one: _Sampled, other: _Sampled) -> Interval | None:
    """The interval of the difference: what the bootstrap has found already, else that of the same samples of both."""
    if test.difference is None:
        return None
    if test.kind == "bootstrap":
        return one.interval.replace(low=test.low, high=test.high, undefined=test.undefined)
    drawn = _differences(one.drawn, other.drawn)
    made = one.interval
    scored = min(made.scored or 0, other.interval.scored or 0)
    return interval_of(drawn, level=made.level, seed=made.seed, unit=one.unit, rows=len(one.rows), scored=scored)


def _differences(one: Sequence[float | None], other: Sequence[float | None]) -> list[float | None]:
    return [None if x is None or y is None else x - y for x, y in zip(one, other, strict=True)]
