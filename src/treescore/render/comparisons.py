"""Views of comparisons of systems: scores, differences and tests."""

from __future__ import annotations

from .._version import __version__
from ..helpers.problem_lines import problem_values
from ..helpers.text import number_of, percent
from ..significance.intervals import FEW
from ..significance.units import in_words
from ..values.score import Part
from ..values.value import Value
from .grids import DAGGER, Grid, Marked, drawn_note, few_notes, interval_text
from .reports import interval_values
from .studies import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from ..scoring.comparisons import MetricSummary, PairScore, Summary, SystemScore
    from ..significance.sacrebleu import PairedResult
    from .grids import Cell

_CSV = (
    *("metric", "figure", "a", "b", "score_a", "low_a", "high_a", "score_b", "low_b", "high_b"),
    *("own_a", "coverage_a", "own_b", "coverage_b", "letters_a", "letters_b"),
    *("difference", "low", "high", "p", "adjusted", "alpha", "differs", "effect"),
    *("wins", "losses", "ties", "unscored", "test", "interval", "signature"),
)


class SummaryView(Value):
    """The contents of a comparison of systems."""

    summary: Summary

    def tables(self) -> Iterator[Grid]:
        """Tables of systems and of pairs for each metric."""
        for metric in self.summary.metrics:
            yield from (_systems(self.summary, metric), differences(self.summary, metric))
        yield from _rates(self.summary)

    def tables_side_by_side(self) -> Iterator[Grid]:
        """One table of systems for all metrics, and tables of pairs."""
        yield _systems_side_by_side(self.summary)
        yield from (differences(self.summary, metric) for metric in self.summary.metrics)
        yield from _rates(self.summary)

    def rows(self) -> Iterator[Sequence[Cell]]:
        """A row for each pair by each metric."""
        shares = {name: rates.shares() for name, rates in self.summary.rates.items()}
        rates = list(next(iter(shares.values()), ()))
        yield (*_CSV, *(f"{rate}_{side}" for side in "ab" for rate in rates))
        for metric in self.summary.metrics:
            for pair in metric.pairs:
                of_both = (shares.get(name, {}).get(rate) for name in (pair.a, pair.b) for rate in rates)
                yield (*_csv_row(self.summary, metric, pair), *of_both)

    def data(self) -> dict[str, Any]:
        """Everything."""
        summary = self.summary
        return {
            "treescore": __version__,
            "gold": summary.gold,
            "alpha": summary.alpha,
            "correction": "holm",
            "baseline": summary.baseline,
            "inputs": summary.inputs,
            "remarks": list(summary.remarks),
            "causes": {name: [cause.values() for cause in causes] for name, causes in summary.causes.items()},
            **({"completions": {name: rates.data() for name, rates in summary.rates.items()}} if summary.rates else {}),
            "metrics": [_metric_values(summary, metric) for metric in summary.metrics],
            "problems": {name: problem_values(problems) for name, problems in summary.problems.items()},
        }


def _title(summary: Summary) -> str:
    return f"{number_of(len(summary.problems), 'system')} against {summary.gold}"


def _rates(summary: Summary) -> Iterator[Grid]:
    """The rates of language models."""
    if not summary.rates:
        return
    header = ["system", "completions", *next(iter(summary.rates.values())).shares()]
    rows: list[list[Cell]] = [
        [name, rates.number, *(Part("", share) for share in rates.shares().values())]
        for name, rates in summary.rates.items()
    ]
    yield Grid("completions of language models", header, rows, [])


def _interval_title(metric: MetricSummary) -> str:
    return f"{percent(metric.level)} interval"


def _marks(summary: Summary, system: SystemScore) -> str | None:
    if summary.baseline is None:
        return system.letters
    return None if system.differs is None else "*" * system.differs


def _systems(summary: Summary, metric: MetricSummary) -> Grid:
    marks = "letters" if summary.baseline is None else "differs"
    header = ["system", *_score_header(metric, metric.title), marks, "problems"]
    rows: list[list[Cell]] = [
        [
            *(system.name, *_scores(metric, system, system.part)),
            *(_marks(summary, system), len(summary.problems[system.name])),
        ]
        for system in metric.systems
    ]
    notes = [*_meaning(summary), *_scored(metric)]
    if metric is summary.metrics[0]:
        notes += summary.problem_lines()
    header, rows = _without_zeros(header, rows)
    notes.append(metric.full_signature)
    before = summary.remark_lines() if metric is summary.metrics[0] else []
    return Grid(_title(summary), header, rows, notes, texts=[marks], before=before, above=_coverage_lines(metric))


def _score_header(metric: MetricSummary, title: str) -> list[str]:
    """The headings of the figures and of the interval of the figure by which systems are compared.

    If sentences failed, that is the last one, which is over all sentences; for language models the first one.
    """
    interval = f"{percent(metric.level)} interval"
    if not metric.is_partial:
        return [title, interval]
    everywhere = f"all {metric.row_unit}s"
    if metric.policy:
        return [everywhere, interval, "scored", "coverage"]
    return [title, "coverage", everywhere, interval]


def _scores(metric: MetricSummary, system: SystemScore, decisive: Cell) -> list[Cell]:
    compared: list[Cell] = [decisive, interval_text(system.interval, system.part)]
    if not metric.is_partial:
        return compared
    own = system.own.shown()
    is_covered = system.coverage is not None and not system.coverage.failed and not system.coverage.lost
    share = None if system.coverage is None else f"{100 * system.coverage:.2f} %"
    covered: list[Cell] = [own if is_covered else Marked(own, DAGGER), share]
    return [*compared, *covered] if metric.policy else [*covered, *compared]


def _coverage_lines(metric: MetricSummary) -> list[str]:
    """Warnings above the scores: the systems that failed, and the numbers of sentences."""
    lines = []
    for system in metric.systems:
        coverage = system.coverage
        if coverage is not None and coverage.failed:
            failed = f"{coverage.failed:,} of {number_of(coverage.eligible, metric.row_unit)}"
            lines.append(f"{system.name} failed on {failed}: coverage {100 * coverage:.2f} %")
        if coverage is not None and coverage.lost:
            lost = number_of(coverage.lost, metric.row_unit)
            lines.append(f"{system.name}: {lost} lost, so figures over all {metric.row_unit}s are undefined")
    if lines:
        decided = f"intervals, tests and letters are over all {metric.row_unit}s"
        lines.append(f"{metric.title}: {decided}; failed ones count as wrong")
    return lines


def _without_zeros(header: list[str], rows: list[list[Cell]]) -> tuple[list[str], list[list[Cell]]]:
    """The table without its last column, which counts problems, if all counts are 0."""
    return (header, rows) if any(row[-1] for row in rows) else (header[:-1], [row[:-1] for row in rows])


def _systems_side_by_side(summary: Summary) -> Grid:
    header = ["system"]
    rows: list[list[Cell]] = [[system.name] for system in summary.metrics[0].systems]
    notes = []
    groups = [("", 1)]
    above: list[str] = []
    for metric in summary.metrics:
        columns = _score_header(metric, "score")
        header += columns
        groups.append((metric.title, len(columns)))
        above += [line for line in _coverage_lines(metric) if line not in above]
        for row, system in zip(rows, metric.systems, strict=True):
            marked = Marked(system.part.shown(), _marks(summary, system) or "", strong=system.best)
            row += _scores(metric, system, marked)
        notes += [*_scored(metric), metric.full_signature]
    below = [f"{meaning_of_letters(summary)}. In bold: significantly better than every other system."]
    notes += summary.problem_lines()
    before = summary.remark_lines()
    return Grid(_title(summary), header, rows, notes, groups=groups, before=before, above=above, below=below)


def _meaning(summary: Summary) -> list[str]:
    judged = meaning_of_letters(summary)
    notes = [f"systems in the order given; {judged[0].lower()}{judged[1:]}"]
    for metric in summary.metrics if summary.baseline is None else ():
        if any(system.letters is None and system.value is not None for system in metric.systems):
            notes.append(f"{metric.title}: too many letters would be needed, see the differences below")
    return notes


def meaning_of_letters(summary: Summary) -> str:
    """The meaning of letters, or of stars if there is a baseline."""
    by = f"(p after Holm's correction at most {summary.alpha:g})"
    if summary.baseline is not None:
        return f"* differs significantly from {summary.baseline} {by}"
    return f"Systems that share a letter do not differ significantly {by}"


def _scored(metric: MetricSummary) -> list[str]:
    """Notes on what was scored, once if it is the same for all systems."""
    summaries = {system.name: system.summary for system in metric.systems}
    notes = (
        [metric.systems[0].summary]
        if len(set(summaries.values())) == 1
        else [f"{name}: {summary}" for name, summary in summaries.items()]
    )
    if metric.warning:
        notes.append(metric.warning)
    elif metric.scored_for_all is not None and metric.scored_for_all[0]:
        both, rows = metric.scored_for_all
        notes.append(
            f"{both:,} of {rows:,} {metric.row_unit}s are scored for all systems (--common compares these only)"
        )
    notes += [f"intervals: {drawn_note(metric.systems[0].interval)}", *few_notes(metric.systems[0].interval)]
    left_out = {system.name: system.interval.undefined for system in metric.systems if system.interval.undefined}
    return notes + [
        f"{name}: {number_of(number, 'sample')} without a score, left out of the interval"
        for name, number in left_out.items()
    ]


def differences(summary: Summary, metric: MetricSummary) -> Grid:
    """The differences of all pairs of systems by one metric, with intervals, p, and numbers of wins."""
    header = ["pair", "difference", _interval_title(metric), "p", "p (Holm)", "effect"]
    header += ["wins", "losses", "ties", "no score"]
    rows: list[list[Cell]] = [
        [
            f"{pair.a} − {pair.b}",
            _difference(metric, pair.test.difference),
            _difference_interval(metric, pair),
            shown(pair.test.p, "p"),
            shown(pair.test.adjusted, "p"),
            None if pair.effect is None else signed(pair.effect),
            *(pair.wins, pair.losses, pair.ties, pair.unscored),
        ]
        for pair in metric.pairs
    ]
    header, rows = _without_zeros(header, rows)
    unit = in_words(metric.unit)
    undefined = {f"{pair.a} − {pair.b}": pair.test.undefined for pair in metric.pairs if pair.test.undefined}
    left_out = {f"{pair.a} − {pair.b}": pair.undefined for pair in metric.pairs if pair.undefined}
    notes = [
        *(
            f"{pair}: {number_of(n, 'sample')} whose difference is undefined, left out of its interval"
            for pair, n in left_out.items()
        ),
        *(
            f"{pair}: {number_of(n, 'trial')} whose difference is undefined, counted as large"
            for pair, n in undefined.items()
        ),
        *_few_rows(metric),
        f"wins, losses, ties: {unit}s on which the first system is better, worse, neither",
        f"effect: the mean of the differences of {unit}s over their standard deviation",
        *_test_signatures(summary, metric),
    ]
    return Grid(f"differences: {metric.title}", header, rows, notes)


def _few_rows(metric: MetricSummary) -> list[str]:
    """Warnings about the bootstrap with few rows."""
    unit = in_words(metric.unit)
    tests = [pair.test for pair in metric.pairs if pair.test.kind == "bootstrap" and pair.test.rows < FEW]
    if not tests:
        return []
    if min(test.rows for test in tests) < 2:
        return [f"all samples of one {unit} are the same: the bootstrap has no p for it"]
    return [
        f"with fewer than {FEW} {unit}s, the bootstrap reports differences too often; use --significance randomization"
    ]


def _difference(metric: MetricSummary, value: float | None) -> str | None:
    """A difference with its sign, on the scale of the scores."""
    return None if value is None else signed(value * (100 if metric.systems[0].part.percent else 1))


def signed(value: float) -> str:
    """A difference with its sign.

    >>> signed(1.25), signed(-0.5), signed(-0.001)
    ('+1.25', '−0.50', '0.00')
    """
    return f"{value:+.2f}".replace("-", "−") if round(value, 2) else "0.00"


def _difference_interval(metric: MetricSummary, pair: PairScore) -> str | None:
    ends = [_difference(metric, end) for end in (pair.low, pair.high)]
    return None if None in ends else f"{ends[0]} to {ends[1]}"


def _test_signatures(summary: Summary, metric: MetricSummary) -> list[str]:
    """The signatures of tests and intervals; tests differ if only some pairs have few enough rows for an exact test."""
    tests = dict.fromkeys(_test_signature(summary, metric, pair) for pair in metric.pairs)
    interval = f"{metric.systems[0].interval.signature}{metric.restriction}"
    return [f"{metric.with_policy}|{test}|{interval}" for test in tests]


def _test_signature(summary: Summary, metric: MetricSummary, pair: PairScore) -> str:
    against = "all" if summary.baseline is None else "baseline"
    return f"{pair.test.signature}|pairs:{against}|correction:holm|alpha:{summary.alpha:g}{metric.restriction}"


def _csv_row(summary: Summary, metric: MetricSummary, pair: PairScore) -> list[Cell]:
    systems = {system.name: system for system in metric.systems}
    a, b = systems[pair.a], systems[pair.b]
    test = pair.test
    scores = (end for system in (a, b) for end in (system.value, system.interval.low, system.interval.high))
    coverages = (None if system.coverage is None else float(system.coverage) for system in (a, b))
    own = (value for pair in zip((a.own.value, b.own.value), coverages, strict=True) for value in pair)
    return [
        *(metric.name, metric.figure, pair.a, pair.b, *scores),
        *own,
        *(a.letters, b.letters),
        *(test.difference, pair.low, pair.high, test.p, test.adjusted, summary.alpha, pair.differs(summary.alpha)),
        *(pair.effect, pair.wins, pair.losses, pair.ties, pair.unscored),
        *(_test_signature(summary, metric, pair), f"{a.interval.signature}{metric.restriction}", metric.with_policy),
    ]


def _metric_values(summary: Summary, metric: MetricSummary) -> dict[str, Any]:
    return {
        **{name: getattr(metric, name) for name in ("name", "signature", "figure", "title", "unit", "level")},
        "scored_for_all": metric.scored_for_all,
        "common": metric.common,
        "systems": [
            {
                "name": system.name,
                "value": system.value,
                "own": system.own.value,
                "coverage": None if system.coverage is None else system.coverage.values(),
                "interval": interval_values(system.interval),
                "full_signature": f"{metric.with_policy}|{system.interval.signature}{metric.restriction}",
                "best": system.best,
                **({"letters": system.letters} if summary.baseline is None else {"differs": system.differs}),
                "summary": system.summary,
                "problems": len(summary.problems[system.name]),
            }
            for system in metric.systems
        ],
        "pairs": [
            {
                **pair.values(),
                "test": _test_values(summary, metric, pair),
                "interval": None if pair.interval is None else interval_values(pair.interval),
            }
            for pair in metric.pairs
        ],
    }


def _test_values(summary: Summary, metric: MetricSummary, pair: PairScore) -> dict[str, Any]:
    """The test without the ends of the bootstrap's interval, which belongs to the pair."""
    values = {name: value for name, value in pair.test.values().items() if name not in ("low", "high", "level")}
    return {**values, "signature": _test_signature(summary, metric, pair)}


class PairedResultsView(Value):
    """The results of sacrebleu's tests of a `figure` with these `settings`, the baseline first."""

    results: Mapping[str, PairedResult]
    figure: str
    settings: Mapping[str, str | int]

    def tables(self) -> list[Grid]:
        """A row for each system."""
        rows: list[list[Cell]] = [
            [
                name,
                *(Part("", value, percent=False) for value in (it.score, it.mean, it.half_width)),
                shown(it.p, "p"),
            ]
            for name, it in self.results.items()
        ]
        notes = [
            f"{name}: {number_of(it.undefined, 'sample')} without a score"
            for name, it in self.results.items()
            if it.undefined
        ]
        notes += [f"{name}: {value}" for name, value in self.settings.items()]
        title = f"systems against {next(iter(self.results))}, by sacrebleu's test"
        return [Grid(title, ["system", self.figure, "mean", "±", "p"], rows, notes)]

    def rows(self) -> list[list[Cell]]:
        """A row for each system, with unrounded numbers."""
        header = ["system", *next(iter(self.results.values())).values()]
        return [header, *([name, *result.values().values()] for name, result in self.results.items())]

    def data(self) -> dict[str, Any]:
        """The results and the settings."""
        systems = [{"name": name, **result.values()} for name, result in self.results.items()]
        return {"treescore": __version__, **self.settings, "systems": systems}
