"""What is known about several systems: their scores, how sure these are, and which differences are more than chance.

>>> import treescore
>>> gold = ["(S (NP (NN a)) (VB b))"] * 6
>>> both = treescore.compare(gold, {"A": gold, "B": ["(S (NN a) (VB b))"] * 6}, "parseval|profile:none")
>>> (found,) = summary(both).metrics
>>> [(system.name, round(system.value, 3), system.letters) for system in found.systems]
[('A', 1.0, 'a'), ('B', 0.667, 'b')]
>>> (pair,) = found.pairs
>>> pair.test.p, pair.wins, pair.losses, pair.ties
(0.03125, 6, 0, 0)
"""

from __future__ import annotations

from contextlib import suppress

from .counts import Counts
from .problem import UsageError, in_one_line
from .significance import LEVEL, SEED, TRIALS, letters, samples
from .significance.effects import effect_size, outcomes
from .significance.intervals import interval_of
from .speech.steps import Steps
from .text import visible
from .values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from .evaluation import Comparison
    from .metrics.base import Metric
    from .problem import Problem
    from .report import Report
    from .score import Part
    from .significance import Interval, PairedTest

#: A p-value that is not greater is called significant, if nothing else is said.
ALPHA = 0.05


class SystemScore(Value):
    """One system by one metric: the main figure and its interval.

    Systems that share one of their `letters` do not differ significantly; letters are given from the best system down.
    Where all are compared with a baseline there are none, and `differs` says whether the system differs from it. Both
    are None where nothing can be said. `summary` says what was scored and what was not.
    """

    name: str
    part: Part
    interval: Interval
    letters: str | None
    differs: bool | None
    summary: str

    __slots__ = ("name", "part", "interval", "letters", "differs", "summary")

    def __init__(
        self,
        name: str,
        part: Part,
        interval: Interval,
        *,
        letters: str | None = None,
        differs: bool | None = None,
        summary: str = "",
    ) -> None:
        self._store(name=name, part=part, interval=interval, letters=letters, differs=differs, summary=summary)

    @property
    def value(self) -> float | None:
        """The score, as a fraction of 1."""
        return self.part.value


class PairScore(Value):
    """Two systems by one metric: `test` has difference (a - b) and p, its `adjusted` p is that after Holm's correction.

    From `low` to `high` is the interval of the difference. `effect` is the mean of the differences of the rows over
    their standard deviation. On `wins` rows a is better, on `losses` b, on `ties` neither; on `unscored` rows one of
    them has no score. In `undefined` samples the difference has no value: they are left out of its interval.
    """

    a: str
    b: str
    test: PairedTest
    low: float | None
    high: float | None
    effect: float | None
    wins: int
    losses: int
    ties: int
    unscored: int
    undefined: int

    __slots__ = ("a", "b", "test", "low", "high", "effect", "wins", "losses", "ties", "unscored", "undefined")

    def __init__(
        self,
        a: str,
        b: str,
        test: PairedTest,
        *,
        low: float | None,
        high: float | None,
        effect: float | None,
        wins: int,
        losses: int,
        ties: int,
        unscored: int,
        undefined: int = 0,
    ) -> None:
        self._store(a=a, b=b, test=test, low=low, high=high, effect=effect)
        self._store(wins=wins, losses=losses, ties=ties, unscored=unscored, undefined=undefined)


class MetricSummary(Value):
    """All systems by one metric. `unit` is what a row is, `level` that of the intervals.

    `scored_for_all` says how many of how many rows every system has a score for, where not all have it for the same
    ones: then their scores are not about the same rows, and differ also by that. It is None where they are.
    """

    name: str
    signature: str
    figure: str
    title: str
    unit: str
    level: float
    systems: tuple[SystemScore, ...]
    pairs: tuple[PairScore, ...]
    scored_for_all: tuple[int, int] | None

    __slots__ = ("name", "signature", "figure", "title", "unit", "level", "systems", "pairs", "scored_for_all")

    def __init__(
        self,
        *,
        name: str,
        signature: str,
        figure: str,
        title: str,
        unit: str,
        level: float,
        systems: Sequence[SystemScore],
        pairs: Sequence[PairScore],
        scored_for_all: tuple[int, int] | None = None,
    ) -> None:
        self._store(name=name, signature=signature, figure=figure, title=title, unit=unit, level=level)
        self._store(systems=tuple(systems), pairs=tuple(pairs), scored_for_all=scored_for_all)

    @property
    def warning(self) -> str | None:
        """What is to be said where systems are not scored on the same rows."""
        if self.scored_for_all is None:
            return None
        both, rows = self.scored_for_all
        return f"the systems are scored on different sentences: {both:,} of {rows:,} are scored for all of them"


class Summary(Value):
    """All systems by all metrics, in the order in which they were given, with the problems of each."""

    gold: str
    metrics: tuple[MetricSummary, ...]
    problems: dict[str, tuple[Problem, ...]]
    alpha: float
    baseline: str | None

    __slots__ = ("gold", "metrics", "problems", "alpha", "baseline")

    def __init__(
        self,
        gold: str,
        metrics: Sequence[MetricSummary],
        problems: Mapping[str, Sequence[Problem]],
        *,
        alpha: float = ALPHA,
        baseline: str | None = None,
    ) -> None:
        kept = {name: tuple(found) for name, found in problems.items()}
        self._store(gold=gold, metrics=tuple(metrics), problems=kept, alpha=alpha, baseline=baseline)

    __hash__ = None  # type: ignore[assignment]

    def problem_lines(self) -> list[str]:
        """For each system that has any, the number of its problems of each kind."""
        return [f"{name}: {in_one_line(found)}" for name, found in self.problems.items() if found]

    def to(self, form: str) -> str:
        """The summary as table, markdown, latex, csv, json or html."""
        from .render.comparisons import render

        return render(self, form)

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
    baseline: str | None = None,
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
    are made by the bootstrap with as many samples.
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
    options: dict[str, Any] = {"n": n, "seed": seed, "unit": unit, "units": units, "threads": threads}
    found = []
    for number in (steps or Steps()).over(len(first.metrics)):
        metric = first.metrics[number]
        tests = comparison.tests(metric.signature, baseline=baseline, kind=kind, level=level, **options)
        sampled = {name: _Sampled(report, metric, level=level, **options) for name, report in reports.items()}
        pairs = []
        for (a, b), test in tests.items():
            if metric.row_unit == "block":  # those of one system need not be those of another
                *rows, _ = comparison.paired_rows(a, b, metric.signature, unit=unit, units=units)
                sides = [
                    _Sampled(reports[name], metric, level=level, counts=counts, **options)
                    for name, counts in zip((a, b), rows, strict=True)
                ]
            else:
                sides = [sampled[a], sampled[b]]
            pairs.append(_pair(a, b, test, *sides, lower_is_better=test.figure in metric.error_rates))
        made = _by_metric(metric, sampled, pairs, alpha=alpha, baseline=baseline)
        found.append(made.replace(scored_for_all=_scored_for_all(metric, reports.values())))
    problems = {name: report.problems for name, report in reports.items()}
    return Summary(first.gold.source.name or "gold", found, problems, alpha=alpha, baseline=baseline)


def _scored_for_all(metric: Metric, reports: Iterable[Report]) -> tuple[int, int] | None:
    """How many rows every system has a score for, and how many there are; None if that is the same rows for each."""
    counts = [report[metric.signature].counts for report in reports]
    places = [metric.gold_sentences(rows) for rows in counts]
    if places[0] is None or any(list(other or ()) != list(places[0]) for other in places):
        return None  # rows are about different things, which pairs are made comparable for
    scored = []
    for rows in counts:
        columns = metric.rows(rows)
        states = columns.get("status") or [int(value is None) for value in columns[metric.row_figure]]
        scored.append({place for place, state in enumerate(states) if state == 0})
    return None if all(rows == scored[0] for rows in scored) else (len(set.intersection(*scored)), len(places[0]))


class _Sampled:
    """One system by one metric: the main figure of each row by itself, and of each sample of the bootstrap.

    Samples of systems with as many rows are samples of the same rows.
    """

    def __init__(
        self,
        report: Report,
        metric: Metric,
        *,
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

        def figure(totals: Mapping[str, int]) -> float | None:
            return metric.figure(totals, self.score.main)

        self.rows = [figure(counts.row(index)) for index in range(len(counts))]
        self.drawn = [figure(totals) for totals in samples(counts, n, seed, threads=threads)]
        self.interval = interval_of(self.drawn, level=level, seed=seed, unit=self.unit, rows=len(counts))


def _by_metric(
    metric: Metric, sampled: Mapping[str, _Sampled], pairs: Sequence[PairScore], *, alpha: float, baseline: str | None
) -> MetricSummary:
    scores = {name: found.score for name, found in sampled.items()}
    figure = next(iter(scores.values())).main
    judged = {(pair.a, pair.b): pair.test.adjusted <= alpha for pair in pairs if pair.test.adjusted is not None}
    marks = {}
    if baseline is None:
        values = {name: score.value for name, score in scores.items() if score.value is not None}
        best_first = sorted(values, key=values.__getitem__, reverse=figure not in metric.error_rates)
        differing = [pair for pair, differ in judged.items() if differ]
        with suppress(UsageError):  # there would be too many
            marks = letters(best_first, differing)
    systems = [
        SystemScore(
            name,
            score.figures[figure],
            sampled[name].interval,
            letters=marks.get(name),
            differs=None if baseline is None else judged.get((name, baseline)),
            summary=sampled[name].summary,
        )
        for name, score in scores.items()
    ]
    return MetricSummary(
        name=metric.name,
        signature=metric.signature,
        figure=figure,
        title=systems[0].part.title,
        unit=systems[0].interval.unit,
        level=systems[0].interval.level,
        systems=systems,
        pairs=pairs,
    )


def _pair(a: str, b: str, test: PairedTest, one: _Sampled, other: _Sampled, *, lower_is_better: bool) -> PairScore:
    """What is said about a pair beside its test."""
    differences = _differences(one.rows, other.rows)
    wins, losses, ties, unscored = outcomes(differences, lower_is_better=lower_is_better)
    interval = interval_of(
        _differences(one.drawn, other.drawn),
        level=one.interval.level,
        seed=one.interval.seed,
        unit=one.unit,
        rows=len(one.rows),
    )
    return PairScore(
        a,
        b,
        test,
        low=None if test.difference is None else interval.low,
        high=None if test.difference is None else interval.high,
        effect=effect_size([difference for difference in differences if difference is not None]),
        wins=wins,
        losses=losses,
        ties=ties,
        unscored=unscored,
        undefined=interval.undefined,
    )


def _differences(one: Sequence[float | None], other: Sequence[float | None]) -> list[float | None]:
    return [None if x is None or y is None else x - y for x, y in zip(one, other, strict=True)]
