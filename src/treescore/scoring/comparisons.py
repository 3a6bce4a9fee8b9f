"""Summaries of several systems: scores, confidence intervals, and significant differences.

>>> import treescore
>>> gold = ["(S (NP (NN a)) (VB b))"] * 6
>>> both = treescore.compare(gold, {"A": gold, "B": ["(S (NN a) (VB b))"] * 6}, "parseval|profile:none")
>>> (metric,) = both.summary().metrics
>>> [(system.name, round(system.value, 3), system.letters) for system in metric.systems]
[('A', 1.0, 'a'), ('B', 0.667, 'b')]
>>> (pair,) = metric.pairs
>>> pair.test.p, pair.wins, pair.losses, pair.ties
(0.03125, 6, 0, 0)
"""

from __future__ import annotations

from contextlib import suppress

from ..helpers.problem_lines import codes_in_one_line
from ..helpers.showing import Shown
from ..helpers.steps import Steps
from ..helpers.text import number_of, visible
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
    from ..readers.completions.rates import Rates
    from ..significance import Interval, PairedTest
    from ..values.problem import Problem
    from ..values.score import Coverage, Part, Score
    from .causes import Causes
    from .evaluation import Comparison
    from .report import Report

#: Default significance level.
ALPHA = 0.05


class SystemScore(Value):
    """One system by one metric: a figure and its confidence interval.

    `part` is the figure by which systems are compared, in which failed sentences count; `own` is the metric's own
    figure, which may omit them. Both are the same if no sentence of any system failed. `coverage` is the share of
    eligible sentences that did not fail.

    Systems that share one of their `letters` do not differ significantly; letters are given from the best system down.
    If all systems are compared with a baseline, there are no letters, and `differs` says whether the system differs
    from it. Both are None if unknown. A system is `best` if it is significantly better than all others. `summary`
    describes what was scored.
    """

    name: str
    part: Part
    own: Part
    coverage: Coverage | None
    interval: Interval
    letters: str | None = None
    differs: bool | None = None
    best: bool = False
    summary: str = ""

    @property
    def value(self) -> float | None:
        """The figure by which systems are compared, as a fraction of 1."""
        return self.part.value


class PairScore(Value):
    """Two systems by one metric: `test` has the difference (a - b) and p, also `adjusted` by Holm's correction.

    `interval` is the confidence interval of the difference, from `low` to `high`, or None. `effect` is the mean of the
    differences of the rows divided by their standard deviation. On `wins` rows a is better, on `losses` b, on `ties`
    neither; on `unscored` rows one of them has no score.
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
        """Number of samples in which the difference is undefined; its interval leaves them out."""
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
    """All systems by one metric. `unit` is the unit of samples, `row_unit` the unit of scores; `level` is the level of
    the confidence intervals.

    `policy` is the part of the full signature that says how completions of language models were read, if there are any.
    `scored_for_all` is the number of rows for which every system has a score, and the number of all rows; None if they
    are equal. With `common`, the other rows were left out of all scores. Otherwise systems are compared by figures over
    all rows. `warning` says which rows were left out, or why they could not be.
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
    scored_for_all: tuple[int, int] | None = None
    common: bool = False
    warning: str | None = None
    policy: str = ""

    @property
    def full_signature(self) -> str:
        """The signature, followed by those of reading completions and of the intervals."""
        return f"{self.with_policy}|{self.systems[0].interval.signature}{self.restriction}"

    @property
    def with_policy(self) -> str:
        """The signature, followed by the policy of reading completions, if any."""
        return f"{self.signature}|{self.policy}" if self.policy else self.signature

    @property
    def restriction(self) -> str:
        """The end of the signature if only rows with scores for all systems were compared."""
        return "|scored:by-all" if self.common else ""

    @property
    def is_partial(self) -> bool:
        """Did sentences fail or get lost? Then systems are compared by figures over all sentences."""
        return self.figure.endswith(ALL)


class Summary(Shown, Value):
    """All systems by all metrics, in the given order, with the problems of each system.

    `inputs` has the names, numbers of trees and hashes of gold and the systems. Only the first of many problems are
    kept; `problem_counts` has the numbers of all, by kind. `remarks` explain the choice of metrics, and `causes` are
    known causes that change the scores of a system although the parser is not to blame. `rates` are those of the
    systems that are language models.
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
    rates: dict[str, Rates]

    __hash__ = None  # type: ignore[assignment]

    def remark_lines(self) -> list[str]:
        """Remarks on the choice of metrics, and the known causes for each system with their effects."""
        return [*self.remarks, *(f"{name}: {line}" for name in self.causes for line in self._cause_lines(name))]

    def _cause_lines(self, name: str) -> list[str]:
        """The causes for a system; without effects if sentences are left out, because effects are on all sentences."""
        if any(metric.common for metric in self.metrics):
            return [cause.in_short() for cause in self.causes[name]]
        return self.causes[name].lines()

    def problem_lines(self) -> list[str]:
        """For each system with problems, the number of problems of each kind."""
        return [f"{name}: {codes_in_one_line(counted)}" for name, counted in self.problem_counts.items() if counted]

    def problem_total(self, name: str) -> int:
        """How many problems a system has."""
        return sum(self.problem_counts[name].values())

    def __repr__(self) -> str:
        return f"<Summary: {', '.join(self.problems)} by {', '.join(metric.name for metric in self.metrics)}>"


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

    `kind`, `n`, `seed`, `unit` and `units` are as in `Comparison.test`. Confidence intervals of scores and differences
    come from the bootstrap with the same number of samples. With the name of a `figure`, systems are compared by it
    instead of the main figure, and metrics without this figure are left out. With `common`, rows for which not every
    system has a score are left out of scores, intervals and tests.
    """
    reports = comparison.reports
    _check_systems(reports, baseline, alpha)
    first = next(iter(reports.values()))
    metrics = _with_figure(first, figure)
    shared: dict[str, Any] = {"figure": figure, "baseline": baseline, "common": common, "alpha": alpha, "kind": kind}
    options: dict[str, Any] = {"level": level, "n": n, "seed": seed, "unit": unit, "units": units, "threads": threads}
    summaries = [
        _by_metric(comparison, metrics[number], **shared, **options) for number in (steps or Steps()).over(len(metrics))
    ]
    return Summary(
        gold=first.gold.source.name or "gold",
        metrics=tuple(summaries),
        problems={name: tuple(report.problems) for name, report in reports.items()},
        problem_counts={name: report.problem_counts() for name, report in reports.items()},
        alpha=alpha,
        baseline=baseline,
        inputs={
            "gold": first.provenance["gold"],
            "systems": {name: report.provenance["test"] for name, report in reports.items()},
        },
        remarks=tuple(dict.fromkeys(line for report in reports.values() for line in report.remarks)),
        causes={name: report.causes() for name, report in reports.items()},
        rates={name: report.completions.rates() for name, report in reports.items() if report.completions is not None},
    )


def _check_systems(reports: Mapping[str, Report], baseline: str | None, alpha: object) -> None:
    if not isinstance(alpha, int | float) or not 0 < alpha < 1:
        raise UsageError(f"alpha must be a share between 0 and 1, such as 0.05, not {alpha!r}")
    if len(reports) < 2:
        raise UsageError("there is only one system: a comparison needs two")
    if baseline is not None and baseline not in reports:
        known = ", ".join(repr(visible(name)) for name in reports)
        raise UsageError(f"the baseline must be one of the systems, {known}, not {visible(baseline)!r}")


def _with_figure(report: Report, figure: str | None) -> list[Metric]:
    """The metrics that have this figure; an error if none has."""
    metrics = [metric for metric, score in report.pairs() if figure is None or score.part(figure)]
    if not metrics:
        known = "; ".join(f"{score.name} has {', '.join(score.figures)}" for score in report.scores)
        raise UsageError(f"there is no figure {figure!r}: {known}")
    return metrics


def _unscored(metric: Metric, reports: Iterable[Report]) -> list[int] | None:
    """The rows for which some system has no score; None if the systems have rows for different sentences."""
    counts = [report[metric.signature].counts for report in reports]
    places = {place for rows in counts for place, status in enumerate(rows.statuses()) if status}
    begins = [list(metric.gold_sentences(rows) or range(len(rows))) for rows in counts]
    is_comparable = not places or all(begin == begins[0] for begin in begins)
    return sorted(places) if is_comparable else None


def _without(comparison: Comparison, metric: Metric, places: Sequence[int], units: Mapping[str, Any]) -> Comparison:
    """The systems by one metric without these rows; their counts become 0 instead if units must still fit the rows."""
    from .evaluation import Comparison

    names, _ = next(iter(comparison.reports.values())).unit_names(metric.signature, **units)
    reports = {}
    for name, report in comparison.reports.items():
        rows = report[metric.signature].counts.without(places, emptied=names is not None)
        tally = Tally([metric], rows=True)
        tally.add(Batch([metric], report.trees, [rows], report.problems))
        reports[name] = tally.report(report.gold, report.test)
    return Comparison(reports)


class _Sampled:
    """One system by one metric: a figure for each row, and for each bootstrap sample.

    For systems with the same number of rows, the samples consist of the same rows.
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
        rows, self.unit = report.sampled(metric.signature, unit=unit, units=units)
        counts = rows if counts is None else counts
        self.figure = figure
        needed = metric.columns_of([figure])
        counts = counts if needed is None else counts.only(needed)
        self.rows = [metric.figure(row, figure) for row in counts.rows()]
        self.drawn = samples(counts, n, seed, threads=threads).figures(metric, figure)
        self.interval = interval_of(
            self.drawn, level=level, seed=seed, unit=self.unit, rows=len(counts), scored=scored_rows(counts)
        )
        if _part(self.score, figure).value is None:  # samples without lost sentences would mislead
            self.interval = self.interval.replace(low=None, high=None)


def _by_metric(
    comparison: Comparison,
    metric: Metric,
    *,
    figure: str | None,
    baseline: str | None,
    common: bool,
    alpha: float,
    kind: str,
    **options: Any,
) -> MetricSummary:
    signature, units = metric.signature, {name: options[name] for name in ("unit", "units")}
    unscored = _unscored(metric, comparison.reports.values())
    rows = len(next(iter(comparison.reports.values()))[signature].counts)
    warning = None
    if common and unscored:
        comparison = _without(comparison, metric, unscored, units)
        left_out = f"{len(unscored):,} of {number_of(rows, metric.row_unit)}"
        warning = f"left out of all scores: {left_out}, for which not every system has a score"
    elif common and unscored is None:
        warning = f"nothing is left out, because the systems have different {metric.row_unit}s"
    reports = comparison.reports
    scores = [report[signature] for report in reports.values()]
    options["figure"] = metric.deciding(figure or scores[0].main, *(score.counts.total() for score in scores))
    tests = comparison.tests(signature, baseline=baseline, kind=kind, **options)
    sampled = {name: _Sampled(report, metric, **options) for name, report in reports.items()}
    pairs = []
    for (a, b), test in tests.items():
        sides = sampled[a], sampled[b]
        if metric.row_unit == "block":  # the blocks of two systems may differ
            first, second, _ = comparison.paired_rows(a, b, signature, **units)
            sides = (
                _Sampled(reports[a], metric, counts=first, **options),
                _Sampled(reports[b], metric, counts=second, **options),
            )
        pairs.append(_pair(metric, a, b, test, *sides))
    systems = _systems(metric, sampled, {(pair.a, pair.b): pair.differs(alpha) for pair in pairs}, baseline)
    return MetricSummary(
        name=metric.name,
        signature=signature,
        figure=options["figure"],
        title=systems[0].part.title,
        unit=systems[0].interval.unit,
        row_unit=metric.row_unit,
        level=systems[0].interval.level,
        systems=systems,
        pairs=tuple(pairs),
        scored_for_all=(rows - len(unscored), rows) if unscored else None,
        common=common and bool(unscored),
        warning=warning,
        policy=next((score.policy for score in scores if score.policy), ""),
    )


def _systems(
    metric: Metric,
    sampled: Mapping[str, _Sampled],
    differing: Mapping[tuple[str, str], bool | None],
    baseline: str | None,
) -> tuple[SystemScore, ...]:
    parts = {name: _part(side.score, side.figure) for name, side in sampled.items()}
    goodness = {
        name: metric.goodness(sampled[name].figure, part.value)
        for name, part in parts.items()
        if part.value is not None
    }
    letters_of = {}
    if baseline is None:
        best_first = sorted(goodness, key=goodness.__getitem__, reverse=True)
        with suppress(UsageError):  # too many letters would be needed
            letters_of = letters(best_first, [pair for pair, differs in differing.items() if differs])
    return tuple(
        SystemScore(
            name=name,
            part=part,
            own=_part(side.score, side.figure.removesuffix(ALL)),
            coverage=side.score.coverage,
            interval=side.interval,
            letters=letters_of.get(name),
            differs=None if baseline is None else differing.get((name, baseline)),
            best=_is_winner(name, goodness, differing),
            summary=side.summary,
        )
        for (name, part), side in zip(parts.items(), sampled.values(), strict=True)
    )


def _is_winner(name: str, goodness: Mapping[str, float], differing: Mapping[tuple[str, str], bool | None]) -> bool:
    """Does a system have the best score, and does it differ significantly from every other system?"""
    # With a baseline, other systems are not tested against each other.
    tests = [bool(differs) for pair, differs in differing.items() if name in pair]
    others = {other for pair in differing for other in pair} - {name}
    return goodness.get(name) == max(goodness.values(), default=None) and len(tests) == len(others) and all(tests)


def _part(score: Score, figure: str) -> Part:
    part = score.part(figure)
    assert part is not None  # `_with_figure` has checked it
    return part


def _pair(metric: Metric, a: str, b: str, test: PairedTest, first: _Sampled, second: _Sampled) -> PairScore:
    known = [row for row in _differences(first.rows, second.rows) if row is not None]
    wins, losses, ties, unscored = outcomes(_differences(_goodness(metric, first), _goodness(metric, second)))
    return PairScore(
        a,
        b,
        test,
        interval=_difference_interval(test, first, second),
        effect=None if test.difference is None else effect_size(known),
        wins=wins,
        losses=losses,
        ties=ties,
        unscored=unscored,
    )


def _goodness(metric: Metric, side: _Sampled) -> list[float | None]:
    return [None if value is None else metric.goodness(side.figure, value) for value in side.rows]


def _difference_interval(test: PairedTest, first: _Sampled, second: _Sampled) -> Interval | None:
    """The interval of the difference: the result of the bootstrap test, or from the same samples of both systems."""
    if test.difference is None:
        return None
    interval = first.interval
    if test.kind == "bootstrap":
        return interval.replace(low=test.low, high=test.high, undefined=test.undefined)
    drawn = _differences(first.drawn, second.drawn)
    scored = min(interval.scored or 0, second.interval.scored or 0)
    return interval_of(
        drawn, level=interval.level, seed=interval.seed, unit=first.unit, rows=len(first.rows), scored=scored
    )


def _differences(first: Sequence[float | None], second: Sequence[float | None]) -> list[float | None]:
    return [None if x is None or y is None else x - y for x, y in zip(first, second, strict=True)]
