"""Agreement of metrics on systems and on sentences.

>>> from treescore.studies import metrics
>>> result = metrics.study(metrics=["parseval", "leaf_ancestor"])
>>> [row["system"] for row in result.table("Ranks").records() if row["Labelled F1"] != row["Leaf-ancestor"]]
['middling', 'shallow']
"""

from __future__ import annotations

from itertools import combinations
from math import factorial, fsum, sqrt
from typing import NamedTuple

from ..analysis.series import short_titles
from ..helpers.text import clipped, number_of, shortened
from ..scoring.choosing import as_metrics
from ..scoring.evaluation import evaluate
from ..significance.correlations import kendall, spearman
from ..values.problem import InputError, Problem, UsageError, check_whole
from .base import Study, Table, cited
from .examples import given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..helpers.steps import Steps
    from ..metrics.base import Metric
    from ..readers.sources import Readable
    from ..scoring.choosing import Metrics
    from ..scoring.report import Report
    from ..trees import Treebank
    from .base import Cell

    Numbers = Sequence[float | None]

SIZE = (10.5, 5.2)
CITES = ("black-etal-1991-procedure", "shi-etal-2024-structured", "sampson-babarczy-2003-test", "emms-2008-tree")
METRICS = ("parseval", "struct_iou|cut:-=", "leaf_ancestor|cut:-=", "tree_distance|cut:-=")
#: Defaults: the number of sentences and pairs of systems in tables, and the length of a sentence.
MOST, COLUMNS = 10, 50
#: There are few systems if equal orders by chance have a larger p than this.
_FEW = 0.05
#: The least number of sentences with all scores for a comparison of sentences.
_LEAST = 10
#: The length of the names of systems and metrics in the figure.
_NAME = 22


class _Case(NamedTuple):
    """Systems a and b, and two metrics; `contrary` if the metrics order a and b differently."""

    a: int
    b: int
    one: int
    other: int
    contrary: bool


class _Scored:
    """The scores of each system by each metric, overall and by sentence."""

    def __init__(self, metrics: Sequence[Metric], reports: Sequence[Mapping[str, Report]]) -> None:
        self.systems = list(reports[0])
        self.titles = short_titles(metrics, [next(iter(by_system.values())).scores[0] for by_system in reports])
        self.values = [[report.scores[0].all for report in by_system.values()] for by_system in reports]
        #: Empty for a metric without scores of single sentences.
        self.rows: list[list[Numbers]] = [
            [report.rows()[metric.row_figure] for report in by_system.values()] if _by_sentence(by_system) else []
            for metric, by_system in zip(metrics, reports, strict=True)
        ]
        self._preferences: dict[tuple[int, int, int], tuple[float, list[float | None]]] = {}

    def scored(self, metric: int) -> list[int | None]:
        """The number of scored sentences of each system."""
        return [sum(value is not None for value in row) for row in self.rows[metric]] or [None] * len(self.systems)

    def difference(self, metric: int, a: int, b: int) -> float | None:
        """The difference between two systems; 0 if it is printed as 0.00."""
        x, y = self.values[metric][a], self.values[metric][b]
        if x is None or y is None:
            return None
        return x - y if round(100 * abs(x - y), 2) else 0.0

    def preferences(self, metric: int, a: int, b: int) -> list[float | None]:
        """The differences on each sentence, in units of their spread."""
        return self._preferred(metric, a, b)[1]

    def spread(self, metric: int, a: int, b: int) -> float:
        """The root mean square of the differences of sentences; without sentences, the range of the systems."""
        if self.rows[metric]:
            return self._preferred(metric, a, b)[0]
        known = [value for value in self.values[metric] if value is not None]
        return max(known) - min(known)

    def shared(self, case: _Case) -> int:
        """The number of sentences with all scores of the case."""
        both = (self.preferences(metric, case.a, case.b) for metric in (case.one, case.other))
        return sum(x is not None and y is not None for x, y in zip(*both, strict=True))

    def _preferred(self, metric: int, a: int, b: int) -> tuple[float, list[float | None]]:
        if (metric, a, b) not in self._preferences:
            first, second = self.rows[metric][a], self.rows[metric][b]
            differences = [None if x is None or y is None else x - y for x, y in zip(first, second, strict=True)]
            known = [value for value in differences if value is not None]
            scale = sqrt(fsum(value * value for value in known) / len(known)) if known else 0.0
            self._preferences[metric, a, b] = scale, [value / scale if value else value for value in differences]
        return self._preferences[metric, a, b]


def study(
    gold: Readable | None = None,
    test: Mapping[str, Readable] | None = None,
    metrics: Metrics = METRICS,
    *,
    pair: Sequence[str] | None = None,
    most: int = MOST,
    threads: int | None = None,
    steps: Steps | None = None,
) -> Study:
    """Compare metrics on several systems, given by name.

    `pair` names two systems whose sentences are shown; by default those on which metrics disagree most. At most `most`
    pairs of systems, and as many sentences, are shown. A metric that cannot score these files is left out, which is a
    problem of the study.
    """
    check_whole(most, "most")
    all_metrics = as_metrics(metrics)
    bank, systems, description = given(gold, test)
    if isinstance(pair, str):
        raise UsageError(f"a pair is the names of two systems, not {pair!r}")
    pair = None if pair is None else tuple(pair)
    if len(systems) < 2:
        raise UsageError("this study compares how metrics order systems, and needs at least two systems")
    for name in pair or ():
        if name not in systems:
            raise UsageError(f"there is no system {name!r}; there are {', '.join(systems)}")
    if pair is not None and len(set(pair)) != 2:
        raise UsageError("a pair is two different systems")
    used, reports, problems = _evaluated(bank, systems, all_metrics, threads, steps)
    scored = _Scored(used, reports)
    report_problems = (problem for by_system in reports for report in by_system.values() for problem in report.problems)
    problems += [
        Problem("rows", f"{title} scores no single sentences here", action="left out where sentences are compared")
        for title, rows in zip(scored.titles, scored.rows, strict=True)
        if not rows
    ]
    agreement, contrary = _agreement(scored), _contrary(scored)
    case = _most_disputed(scored, contrary, pair)
    sentences = _sentences(scored, bank, case, most)
    tables = [
        Table(
            "Scores over all sentences",
            {"system": "text", **dict.fromkeys(scored.titles, "share")},
            zip(scored.systems, *scored.values, strict=True),
        ),
        Table(
            "Scored sentences",
            {"system": "text", **dict.fromkeys(scored.titles, "count")},
            zip(scored.systems, *map(scored.scored, range(len(used))), strict=True),
        ),
        Table(
            "Ranks",
            {"system": "text", **dict.fromkeys(scored.titles, "count")},
            zip(scored.systems, *map(_ranks, scored.values), strict=True),
        ),
        agreement,
        Table(
            "Systems in different order",
            {"system": "text", "other": "text", "first metric": "text", "first difference": "share"}
            | {"second metric": "text", "second difference": "share"},
            [_differences(scored, case_shown) for case_shown in contrary[:most]],
        ),
        Table("Sentences", *sentences),
    ]
    return Study(
        name="metrics",
        title=f"Agreement of {number_of(len(used), 'metric')} on {number_of(len(systems), 'system')}",
        question="Which metrics rank systems alike, where do they disagree, and on which sentences?",
        settings={"data": description, **dict(zip(scored.titles, (metric.signature for metric in used), strict=True))},
        tables=tuple(tables),
        findings=" ".join(
            [
                *_findings_on_systems(scored, contrary),
                *_findings_on_scored(scored, len(bank)),
                *_findings_on_sentences(scored, agreement, case, tables[-1]),
            ]
        ),
        problems=tuple(dict.fromkeys((*problems, *report_problems))),
        cites=cited(used),
    )


def _evaluated(
    bank: Treebank, systems: Mapping[str, Treebank], metrics: Sequence[Metric], threads: int | None, steps: Steps | None
) -> tuple[list[Metric], list[dict[str, Report]], list[Problem]]:
    """The metrics that can score all systems, their reports, and the problems of other metrics."""
    used: list[Metric] = []
    reports: list[dict[str, Report]] = []
    problems: list[Problem] = []
    reasons: list[Exception] = []
    for number in range(len(metrics)) if steps is None else steps.over(len(metrics)):
        metric = metrics[number]
        try:
            by_system = {name: evaluate(bank, trees, metric, threads=threads) for name, trees in systems.items()}
            if all(report.scores[0].all is None for report in by_system.values()):
                raise UsageError("it has no value for any system")
        except (InputError, UsageError) as reason:
            reasons.append(reason)
            message = f"{metric.name} cannot compare these systems: {reason}"
            problems.append(Problem("metric", message, action="left out"))
        else:
            used.append(metric)
            reports.append(by_system)
    if len(used) < 2:
        if reasons and not used:
            raise reasons[0]
        why = "".join(f"; {problem.message}" for problem in problems)
        raise UsageError(f"this study needs at least two metrics, not {len(used)}{why}")
    return used, reports, problems


def _by_sentence(reports: Mapping[str, Report]) -> bool:
    """Does each sentence have its own row in all reports?"""
    return all(
        report.scores[0].counts.has_rows
        and report.row_unit(report.metrics[0]) == "sentence"
        and len(report.scores[0].counts) == len(report.gold)
        for report in reports.values()
    )


def _ranks(values: Numbers) -> list[int | None]:
    """Ranks from 1 for the highest value; ties share a rank."""
    known = [value for value in values if value is not None]
    return [None if value is None else 1 + sum(other > value for other in known) for value in values]


def _agreement(scored: _Scored) -> Table:
    """The agreement of pairs of metrics on the order of systems and of sentences, and on the better system."""
    rows = []
    for first, second in combinations(range(len(scored.titles)), 2):
        over_systems = [measure(scored.values[first], scored.values[second]).value for measure in (spearman, kendall)]
        over_sentences: list[float | None] = [None] * 4
        if scored.rows[first] and scored.rows[second]:
            for index, measure in enumerate((spearman, kendall)):
                values = [measure(*rows).value for rows in zip(scored.rows[first], scored.rows[second], strict=True)]
                known = [value for value in values if value is not None]
                over_sentences[index] = fsum(known) / len(known) if known else None
            over_sentences[2:] = _winners(scored, first, second)
        rows.append((scored.titles[first], scored.titles[second], *over_systems, *over_sentences))
    columns = {"metric": "text", "other": "text", "ρ systems": "number", "τ systems": "number"}
    columns |= {"ρ sentences": "number", "τ sentences": "number", "same winner": "share", "other winner": "share"}
    return Table("Agreement", columns, rows)


def _winners(scored: _Scored, first: int, second: int) -> list[float | None]:
    """The shares of equal and of opposite preferences, of the sentences on which either metric has a preference."""
    same = contrary = total = 0
    for a, b in combinations(range(len(scored.systems)), 2):
        for x, y in zip(scored.preferences(first, a, b), scored.preferences(second, a, b), strict=True):
            if x is not None and y is not None and (x or y):
                total += 1
                same += x * y > 0
                contrary += x * y < 0
    return [same / total, contrary / total] if total else [None, None]


def _contrary(scored: _Scored) -> list[_Case]:
    """Pairs of systems that two metrics order differently, sorted by confidence.

    The confidence of a metric is the difference in units of the spread over sentences.
    """
    cases: list[tuple[float, _Case]] = []
    for a, b in combinations(range(len(scored.systems)), 2):
        for first, second in combinations(range(len(scored.titles)), 2):
            x, y = scored.difference(first, a, b), scored.difference(second, a, b)
            if x is None or y is None or x * y >= 0:
                continue
            both = ((abs(x), scored.spread(first, a, b)), (abs(y), scored.spread(second, a, b)))
            confidence = min(difference / spread if spread else 0.0 for difference, spread in both)
            cases.append((-confidence, _Case(*((a, b) if x > 0 else (b, a)), first, second, contrary=True)))
    return [case for _, case in sorted(cases)]


def _differences(scored: _Scored, case: _Case) -> list[Cell]:
    """The systems, and their difference by each metric."""
    row: list[Cell] = [scored.systems[case.a], scored.systems[case.b]]
    for metric in (case.one, case.other):
        row += [scored.titles[metric], scored.difference(metric, case.a, case.b)]
    return row


def _most_disputed(scored: _Scored, contrary: Sequence[_Case], pair: Sequence[str] | None) -> _Case | None:
    """The case with the most disagreement: systems in different order, otherwise the lowest agreement on sentences.

    Without a given pair, a minimum number of sentences with all scores is required.
    """
    systems = None if pair is None else {scored.systems.index(name) for name in pair}
    sentences = max((len(rows[0]) for rows in scored.rows if rows), default=0)
    least = 1 if pair else min(_LEAST, sentences)
    for case in contrary:
        suitable = systems in (None, {case.a, case.b}) and scored.rows[case.one] and scored.rows[case.other]
        if suitable and scored.shared(case) >= least:
            return case
    by_sentence = [metric for metric, rows in enumerate(scored.rows) if rows]
    cases: list[tuple[float, _Case]] = []
    for a, b in combinations(range(len(scored.systems)), 2):
        for first, second in combinations(by_sentence, 2) if systems in (None, {a, b}) else ():
            correlation = spearman(scored.preferences(first, a, b), scored.preferences(second, a, b))
            if correlation.value is not None and correlation.n >= least:
                cases.append((correlation.value, _Case(a, b, first, second, contrary=False)))
    return min(cases)[1] if cases else None


def _sentences(
    scored: _Scored, bank: Treebank, case: _Case | None, most: int
) -> tuple[dict[str, str], list[tuple[Cell, ...]]]:
    """The sentences on which two metrics disagree most about two systems, with their scores."""
    columns = {"sentence": "text", "words": "text", "metric": "text"}
    if case is None:
        return columns, []
    both = {metric: scored.preferences(metric, case.a, case.b) for metric in (case.one, case.other)}
    disagreement: dict[int, float] = {}
    for index, (x, y) in enumerate(zip(*both.values(), strict=True)):
        if x is not None and y is not None:
            disagreement[index] = x - y if case.contrary else abs(x - y)
    rows: list[tuple[Cell, ...]] = []
    for index in sorted(disagreement, key=lambda index: -disagreement[index])[:most]:
        if disagreement[index] > 0:
            name = str(bank.number(index)) if bank.ids is None else bank.ids[index]
            words = shortened(bank.words(index), COLUMNS)
            for metric, preferences in both.items():
                scores = [scored.rows[metric][system][index] for system in (case.a, case.b)]
                rows.append((name, words, scored.titles[metric], *scores, preferences[index]))
    columns |= {f"score of {scored.systems[system]}": "share" for system in (case.a, case.b)}
    return columns | {"preference": "number"}, rows


def _findings_on_systems(scored: _Scored, contrary: Sequence[_Case]) -> list[str]:
    count = len(scored.systems)
    if contrary:
        case = contrary[0]
        differing = len({frozenset((shown.a, shown.b)) for shown in contrary})
        by = [100 * abs(scored.difference(metric, case.a, case.b) or 0.0) for metric in (case.one, case.other)]
        pairs = f"Of {count * (count - 1) // 2:,} pairs of systems, {differing:,} {'is' if differing == 1 else 'are'}"
        sentences = [
            f"{'The two systems are' if count == 2 else pairs} ranked differently by some metrics: "
            f"{scored.titles[case.one]} has {scored.systems[case.a]} {by[0]:.2f} points above "
            f"{scored.systems[case.b]}, {scored.titles[case.other]} {by[1]:.2f} points below."
        ]
    else:
        sentences = [
            f"No two metrics rank {'the two' if count == 2 else f'any two of the {count}'} systems differently."
        ]
    chance = min(1.0, 2 / factorial(count))
    if chance > _FEW:
        sentences.append(
            f"This is weak evidence: with {count} systems, the ranks by unrelated metrics are equal or exactly "
            f"reversed with p = {chance:.3g}."
        )
    return sentences


def _findings_on_scored(scored: _Scored, sentences: int) -> list[str]:
    """A remark on scores that do not cover all sentences."""
    partial = []
    for metric, title in enumerate(scored.titles):
        for system, number in zip(scored.systems, scored.scored(metric), strict=True):
            if number is not None and number < sentences:
                partial.append((number, f"{title} of {system} covers {number:,} of {number_of(sentences, 'sentence')}"))
    if not partial:
        return []
    least = min(partial)[1]
    others = len(partial) - 1
    more = (
        f"; {number_of(others, 'other score')} {'leaves' if others == 1 else 'leave'} some out, too" if others else ""
    )
    return [f"Not all scores cover all sentences: {least}{more}."]


def _findings_on_sentences(scored: _Scored, agreement: Table, case: _Case | None, sentences: Table) -> list[str]:
    findings = []
    known = sorted((row for row in agreement.records() if row["ρ sentences"] is not None), key=_over_sentences)
    if known:
        least, most = known[0], known[-1]
        value = f"{_over_sentences(least):.3f}"
        if value == f"{_over_sentences(most):.3f}":
            who = f"{least['metric']} and {least['other']}" if len(known) == 1 else "any two metrics"
            findings.append(f"Over single sentences, {who} have ρ = {value}.")
        else:
            findings.append(
                f"Over single sentences, {least['metric']} and {least['other']} agree least (ρ = {value}), "
                f"{most['metric']} and {most['other']} most (ρ = {_over_sentences(most):.3f})."
            )
        if least["same winner"] is not None:
            same, second = (f"{100 * least[name]:.1f} %" for name in ("same winner", "other winner"))
            findings.append(
                f"Of the sentences on which {least['metric']} or {least['other']} prefers one of two systems, both "
                f"prefer the same system in {same}, and opposite systems in {second}."
            )
    if case is not None and sentences.rows:
        names = [str(row[0]) for row in sentences.rows[:6:2]]
        a, b = scored.systems[case.a], scored.systems[case.b]
        first, second = scored.titles[case.one], scored.titles[case.other]
        where = f"sentence{'s' * (len(names) > 1)} {', '.join(names)}"
        findings.append(f"Between {a} and {b}, the preferences of {first} and {second} differ most in {where}.")
    return findings


def _over_sentences(row: Mapping[str, float]) -> float:
    return row["ρ sentences"]


def draw(study: Study, figure: Figure) -> None:
    """The agreement of metrics as a matrix, and the rank of each system by each metric."""
    from ..plots.look import enlarge, side_by_side

    ranks = study.table("Ranks")
    titles = list(ranks.columns)[1:]
    # Room for the numbers of the matrix, and for the systems.
    more = max(0, len(titles) - 4)
    enlarge(figure, 1.3 * more, max(0.6 * more, 0.2 * (len(ranks.rows) - 8), 0.0))
    left, right = side_by_side(figure, 2, width_ratios=(1.0, 1.1))
    _draw_matrix(left, study.table("Agreement"), titles)
    _draw_ranks(right, ranks, titles)


def _draw_matrix(axes: Axes, agreement: Table, titles: Sequence[str]) -> None:
    size = len(titles)
    cells: list[list[float | None]] = [[None] * size for _ in titles]
    for pair in agreement.records():
        first, second = titles.index(pair["metric"]), titles.index(pair["other"])
        cells[second][first], cells[first][second] = pair["ρ sentences"], pair["τ systems"]
    gap = float("nan")
    shades = [[gap if value is None else value for value in row] for row in cells]
    axes.imshow(shades, cmap="RdBu", vmin=-2.2, vmax=2.2)  # light colours only: the numbers are black
    for down, row in enumerate(cells):
        for across, value in enumerate(row):
            shown = "" if down == across else "–" if value is None else f"{value:.2f}"
            axes.text(across, down, shown, ha="center", va="center", fontsize="medium" if size < 9 else "x-small")
    _name_metrics(axes, titles)
    axes.set_yticks(range(size), [_in_two_lines(title) for title in titles], fontsize="small")
    axes.set_title("Below: ρ over sentences; above: τ over systems", fontsize="medium")


def _draw_ranks(axes: Axes, ranks: Table, titles: Sequence[str]) -> None:
    from ..draw.colours import PALETTE
    from ..plots.look import LINES, LOOK, MARKERS, label, legend, legend_below

    gap = float("nan")
    for number, (name, *places) in enumerate(ranks.rows):
        axes.plot(
            range(len(titles)),
            [gap if place is None else place for place in places],
            LINES[number % len(LINES)],
            marker=MARKERS[number % len(MARKERS)],
            color=PALETTE[number % len(PALETTE)],
            markersize=7,
            linewidth=1.8,
            label=label(clipped(str(name), _NAME)),
        )
    _name_metrics(axes, titles)
    axes.set_xlim(-0.3, len(titles) - 0.7)
    axes.set_ylim(len(ranks.rows) + 0.4, 0.6)
    axes.set_yticks(range(1, len(ranks.rows) + 1))
    axes.set_ylabel("rank of the system")
    axes.set_title("Where lines cross, metrics disagree", fontsize="medium")
    if LOOK.get().is_column:
        legend_below(axes, 80.0)
    else:
        legend(axes, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _name_metrics(axes: Axes, titles: Sequence[str]) -> None:
    turned: dict[str, Any] = {
        "rotation": 30 if len(titles) <= 4 else 60,
        "ha": "right",
        "rotation_mode": "anchor",
        "fontsize": "small",
    }
    axes.set_xticks(range(len(titles)), [_in_two_lines(title) for title in titles], **turned)


def _in_two_lines(title: str) -> str:
    """The title of a metric, with its distinguishing options on a second line."""
    from ..plots.look import plain

    called, _, options = title.partition(" (")
    return plain(clipped(called, _NAME)) + (options and f"\n({plain(clipped(options, _NAME))}")
