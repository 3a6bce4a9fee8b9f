"""Which metrics order systems alike, where do they disagree, and on which sentences?

>>> from treescore.studies import metrics
>>> found = metrics.study(metrics=["parseval", "leaf_ancestor"])
>>> [row["system"] for row in found.table("Ranks").records() if row["Labelled F1"] != row["Leaf-ancestor"]]
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
#: How many sentences and pairs of systems are shown, and how much of a sentence.
MOST, COLUMNS = 10, 50
#: If the same order of all systems has a larger p than this, they are few.
_FEW = 0.05
#: Sentences are chosen where at least so many have all scores, if there are so many.
_LEAST = 10
#: How much of the names of systems and metrics a figure shows.
_NAME = 22


class _Case(NamedTuple):
    """Systems a and b, and two metrics; `contrary` if the one has a above b, and the other one b above a."""

    a: int
    b: int
    one: int
    other: int
    contrary: bool


class _Scored:
    """What each metric says about each system: one number for all, and one for each sentence."""

    def __init__(self, metrics: Sequence[Metric], reports: Sequence[Mapping[str, Report]]) -> None:
        self.systems = list(reports[0])
        self.titles = short_titles(metrics, [next(iter(by_system.values())).scores[0] for by_system in reports])
        self.values = [[report.scores[0].all for report in by_system.values()] for by_system in reports]
        #: Empty for a metric that scores no single sentences.
        self.rows: list[list[Numbers]] = [
            [report.rows()[metric.row_figure] for report in by_system.values()] if _by_sentence(by_system) else []
            for metric, by_system in zip(metrics, reports, strict=True)
        ]
        self._preferences: dict[tuple[int, int, int], tuple[float, list[float | None]]] = {}

    def scored(self, metric: int) -> list[int | None]:
        """How many sentences of each system have a score."""
        return [sum(value is not None for value in row) for row in self.rows[metric]] or [None] * len(self.systems)

    def difference(self, metric: int, a: int, b: int) -> float | None:
        """By how much a system is better than another; what is shown as 0.00 is no difference."""
        one, other = self.values[metric][a], self.values[metric][b]
        if one is None or other is None:
            return None
        return one - other if round(100 * abs(one - other), 2) else 0.0

    def preferences(self, metric: int, a: int, b: int) -> list[float | None]:
        """By how much it is better on each sentence, in units of their spread."""
        return self._preferred(metric, a, b)[1]

    def spread(self, metric: int, a: int, b: int) -> float:
        """The root of the mean square of the differences of sentences; without sentences, how far systems part."""
        if self.rows[metric]:
            return self._preferred(metric, a, b)[0]
        known = [value for value in self.values[metric] if value is not None]
        return max(known) - min(known)

    def shared(self, case: _Case) -> int:
        """How many sentences have all scores that the case is about."""
        both = (self.preferences(metric, case.a, case.b) for metric in (case.one, case.other))
        return sum(x is not None and y is not None for x, y in zip(*both, strict=True))

    def _preferred(self, metric: int, a: int, b: int) -> tuple[float, list[float | None]]:
        if (metric, a, b) not in self._preferences:
            first, second = self.rows[metric][a], self.rows[metric][b]
            found = [None if x is None or y is None else x - y for x, y in zip(first, second, strict=True)]
            known = [value for value in found if value is not None]
            scale = sqrt(fsum(value * value for value in known) / len(known)) if known else 0.0
            self._preferences[metric, a, b] = scale, [value / scale if value else value for value in found]
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
    """Compare what metrics say about systems, which are given by name.

    `pair` names two systems whose sentences are shown; without it they are those over which metrics disagree most. At
    most `most` pairs of systems, and as many sentences, are shown. A metric that cannot score these files is left out,
    and that is a problem of the study.
    """
    check_whole(most, "most")
    asked = as_metrics(metrics)
    bank, systems, called = given(gold, test)
    if isinstance(pair, str):
        raise UsageError(f"a pair is the names of two systems, not {pair!r}")
    pair = None if pair is None else tuple(pair)
    if len(systems) < 2:
        raise UsageError("metrics are compared by how they order systems, and two or more of these are needed")
    for name in pair or ():
        if name not in systems:
            raise UsageError(f"there is no system {name!r}; there are {', '.join(systems)}")
    if pair is not None and len(set(pair)) != 2:
        raise UsageError("a pair is two different systems")
    used, reports, problems = _evaluated(bank, systems, asked, threads, steps)
    scored = _Scored(used, reports)
    found = (problem for by_system in reports for report in by_system.values() for problem in report.problems)
    problems += [
        Problem("rows", f"{title} scores no single sentences here", action="left out where sentences are compared")
        for title, rows in zip(scored.titles, scored.rows, strict=True)
        if not rows
    ]
    agreement, contrary = _agreement(scored), _contrary(scored)
    case = _chosen(scored, contrary, pair)
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
            zip(scored.systems, *map(_places, scored.values), strict=True),
        ),
        agreement,
        Table(
            "Systems in different order",
            {"system": "text", "other": "text", "first metric": "text", "first difference": "share"}
            | {"second metric": "text", "second difference": "share"},
            [_differences(scored, one) for one in contrary[:most]],
        ),
        Table("Sentences", *sentences),
    ]
    return Study(
        name="metrics",
        title=f"Agreement of {number_of(len(used), 'metric')} on {number_of(len(systems), 'system')}",
        question="Which metrics order systems alike, where do they disagree, and on which sentences?",
        settings={"data": called, **dict(zip(scored.titles, (metric.signature for metric in used), strict=True))},
        tables=tables,
        says=" ".join(
            [
                *_said_of_systems(scored, contrary),
                *_said_of_scored(scored, len(bank)),
                *_said_of_sentences(scored, agreement, case, tables[-1]),
            ]
        ),
        problems=list(dict.fromkeys((*problems, *found))),
        cites=cited(used),
    )


def _evaluated(
    bank: Treebank, systems: Mapping[str, Treebank], asked: Sequence[Metric], threads: int | None, steps: Steps | None
) -> tuple[list[Metric], list[dict[str, Report]], list[Problem]]:
    """The metrics that can score all systems, their reports, and why the others cannot."""
    used: list[Metric] = []
    reports: list[dict[str, Report]] = []
    problems: list[Problem] = []
    reasons: list[Exception] = []
    for number in range(len(asked)) if steps is None else steps.over(len(asked)):
        metric = asked[number]
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
        raise UsageError(f"two or more metrics are compared, and here there are {len(used)}{why}")
    return used, reports, problems


def _by_sentence(reports: Mapping[str, Report]) -> bool:
    """Has each sentence a row of its own in all of these?"""
    return all(
        report.scores[0].counts.has_rows
        and report.row_unit(report.metrics[0]) == "sentence"
        and len(report.scores[0].counts) == len(report.gold)
        for report in reports.values()
    )


def _places(values: Numbers) -> list[int | None]:
    """1 for the highest, the same for equal ones."""
    known = [value for value in values if value is not None]
    return [None if value is None else 1 + sum(other > value for other in known) for value in values]


def _agreement(scored: _Scored) -> Table:
    """How much each two metrics agree: on the order of systems, of the sentences of a system, and on who is better."""
    rows = []
    for one, other in combinations(range(len(scored.titles)), 2):
        over = [measure(scored.values[one], scored.values[other]).value for measure in (spearman, kendall)]
        found: list[float | None] = [None] * 4
        if scored.rows[one] and scored.rows[other]:
            for place, measure in enumerate((spearman, kendall)):
                values = [measure(*rows).value for rows in zip(scored.rows[one], scored.rows[other], strict=True)]
                known = [value for value in values if value is not None]
                found[place] = fsum(known) / len(known) if known else None
            found[2:] = _winners(scored, one, other)
        rows.append((scored.titles[one], scored.titles[other], *over, *found))
    columns = {"metric": "text", "other": "text", "ρ systems": "number", "τ systems": "number"}
    columns |= {"ρ sentences": "number", "τ sentences": "number", "same winner": "share", "other winner": "share"}
    return Table("Agreement", columns, rows)


def _winners(scored: _Scored, one: int, other: int) -> list[float | None]:
    """Of the sentences on which either metric prefers one of two systems: how often is it the same, how often not?"""
    same = contrary = total = 0
    for a, b in combinations(range(len(scored.systems)), 2):
        for x, y in zip(scored.preferences(one, a, b), scored.preferences(other, a, b), strict=True):
            if x is not None and y is not None and (x or y):
                total += 1
                same += x * y > 0
                contrary += x * y < 0
    return [same / total, contrary / total] if total else [None, None]


def _contrary(scored: _Scored) -> list[_Case]:
    """Systems that two metrics put in different order, those that both are surest of first.

    How sure a metric is, is the difference in units of the spread of those of sentences.
    """
    found: list[tuple[float, _Case]] = []
    for a, b in combinations(range(len(scored.systems)), 2):
        for one, other in combinations(range(len(scored.titles)), 2):
            first, second = scored.difference(one, a, b), scored.difference(other, a, b)
            if first is None or second is None or first * second >= 0:
                continue
            by = ((abs(first), scored.spread(one, a, b)), (abs(second), scored.spread(other, a, b)))
            sure = min(apart / spread if spread else 0.0 for apart, spread in by)
            found.append((-sure, _Case(*((a, b) if first > 0 else (b, a)), one, other, contrary=True)))
    return [case for _, case in sorted(found)]


def _differences(scored: _Scored, case: _Case) -> list[Cell]:
    """The systems, and how far the first one is above the other by each metric."""
    found: list[Cell] = [scored.systems[case.a], scored.systems[case.b]]
    for metric in (case.one, case.other):
        found += [scored.titles[metric], scored.difference(metric, case.a, case.b)]
    return found


def _chosen(scored: _Scored, contrary: Sequence[_Case], pair: Sequence[str] | None) -> _Case | None:
    """Over what metrics disagree most: systems in different order, else those on whose sentences they agree least.

    Unless a pair was asked for, a few sentences that happen to have all scores are not enough.
    """
    wanted = None if pair is None else {scored.systems.index(name) for name in pair}
    sentences = max((len(rows[0]) for rows in scored.rows if rows), default=0)
    least = 1 if pair else min(_LEAST, sentences)
    for case in contrary:
        able = wanted in (None, {case.a, case.b}) and scored.rows[case.one] and scored.rows[case.other]
        if able and scored.shared(case) >= least:
            return case
    by_sentence = [place for place, rows in enumerate(scored.rows) if rows]
    found: list[tuple[float, _Case]] = []
    for a, b in combinations(range(len(scored.systems)), 2):
        for one, other in combinations(by_sentence, 2) if wanted in (None, {a, b}) else ():
            over = spearman(scored.preferences(one, a, b), scored.preferences(other, a, b))
            if over.value is not None and over.n >= least:
                found.append((over.value, _Case(a, b, one, other, contrary=False)))
    return min(found)[1] if found else None


def _sentences(
    scored: _Scored, bank: Treebank, case: _Case | None, most: int
) -> tuple[dict[str, str], list[tuple[Cell, ...]]]:
    """The sentences on which two metrics disagree most about two systems, with what each of them says."""
    columns = {"sentence": "text", "words": "text", "metric": "text"}
    if case is None:
        return columns, []
    both = {metric: scored.preferences(metric, case.a, case.b) for metric in (case.one, case.other)}
    apart: dict[int, float] = {}
    for place, (x, y) in enumerate(zip(*both.values(), strict=True)):
        if x is not None and y is not None:
            apart[place] = x - y if case.contrary else abs(x - y)
    rows: list[tuple[Cell, ...]] = []
    for place in sorted(apart, key=lambda place: -apart[place])[:most]:
        if apart[place] > 0:
            name = str(bank.number(place)) if bank.ids is None else bank.ids[place]
            words = shortened(bank.words(place), COLUMNS)
            for metric, preferences in both.items():
                scores = [scored.rows[metric][system][place] for system in (case.a, case.b)]
                rows.append((name, words, scored.titles[metric], *scores, preferences[place]))
    columns |= {f"score of {scored.systems[system]}": "share" for system in (case.a, case.b)}
    return columns | {"preference": "number"}, rows


def _said_of_systems(scored: _Scored, contrary: Sequence[_Case]) -> list[str]:
    count = len(scored.systems)
    if contrary:
        case = contrary[0]
        differing = len({frozenset((one.a, one.b)) for one in contrary})
        by = [100 * abs(scored.difference(metric, case.a, case.b) or 0.0) for metric in (case.one, case.other)]
        pairs = f"Of {count * (count - 1) // 2:,} pairs of systems, {differing:,} {'is' if differing == 1 else 'are'}"
        said = [
            f"{'The two systems are' if count == 2 else pairs} put in different order by some metrics: "
            f"{scored.titles[case.one]} has {scored.systems[case.a]} {by[0]:.2f} points above "
            f"{scored.systems[case.b]}, {scored.titles[case.other]} has it {by[1]:.2f} points below."
        ]
    else:
        said = [
            f"No two metrics put {'the two' if count == 2 else f'any two of the {count}'} systems in different order."
        ]
    chance = min(1.0, 2 / factorial(count))
    if chance > _FEW:
        said.append(
            f"That is not much to go by: with {count} systems, metrics that have nothing to do with each other order "
            f"them alike, or exactly the other way round, with p = {chance:.3g}."
        )
    return said


def _said_of_scored(scored: _Scored, sentences: int) -> list[str]:
    """Where scores are of different sentences, they say less."""
    found = []
    for metric, title in enumerate(scored.titles):
        for system, number in zip(scored.systems, scored.scored(metric), strict=True):
            if number is not None and number < sentences:
                found.append(
                    (number, f"{title} of {system} is that of {number:,} of {number_of(sentences, 'sentence')}")
                )
    if not found:
        return []
    least = min(found)[1]
    others = len(found) - 1
    more = f"; {number_of(others, 'other')} {'leaves' if others == 1 else 'leave'} some out, too" if others else ""
    return [f"Not all scores are of all sentences: {least}{more}."]


def _said_of_sentences(scored: _Scored, agreement: Table, case: _Case | None, sentences: Table) -> list[str]:
    said = []
    known = sorted((row for row in agreement.records() if row["ρ sentences"] is not None), key=_over_sentences)
    if known:
        least, most = known[0], known[-1]
        value = f"{_over_sentences(least):.3f}"
        if value == f"{_over_sentences(most):.3f}":
            who = f"{least['metric']} and {least['other']}" if len(known) == 1 else "any two metrics"
            said.append(f"Sentence by sentence, {who} have ρ = {value}.")
        else:
            said.append(
                f"Sentence by sentence, {least['metric']} and {least['other']} agree least (ρ = {value}), "
                f"{most['metric']} and {most['other']} most (ρ = {_over_sentences(most):.3f})."
            )
        if least["same winner"] is not None:
            same, other = (f"{100 * least[name]:.1f} %" for name in ("same winner", "other winner"))
            said.append(
                f"Where {least['metric']} or {least['other']} has one of two systems ahead on a sentence, both have "
                f"the same one ahead in {same}, and opposite ones in {other}."
            )
    if case is not None and sentences.rows:
        names = [str(row[0]) for row in sentences.rows[:6:2]]
        a, b = scored.systems[case.a], scored.systems[case.b]
        one, other = scored.titles[case.one], scored.titles[case.other]
        where = f"sentence{'s' * (len(names) > 1)} {', '.join(names)}"
        said.append(f"Between {a} and {b}, the preferences of {one} and {other} part most in {where}.")
    return said


def _over_sentences(row: Mapping[str, float]) -> float:
    return row["ρ sentences"]


def draw(study: Study, figure: Figure) -> None:
    """How much metrics agree, as a matrix, and the rank of each system by each metric."""
    ranks = study.table("Ranks")
    titles = list(ranks.columns)[1:]
    # Room for the numbers of the matrix, and for the systems.
    more = max(0, len(titles) - 4)
    figure.set_size_inches(SIZE[0] + 1.3 * more, SIZE[1] + max(0.6 * more, 0.2 * (len(ranks.rows) - 8), 0.0))
    left, right = figure.subplots(1, 2, width_ratios=(1.0, 1.1))
    _draw_matrix(left, study.table("Agreement"), titles)
    _draw_ranks(right, ranks, titles)


def _draw_matrix(axes: Axes, agreement: Table, titles: Sequence[str]) -> None:
    size = len(titles)
    cells: list[list[float | None]] = [[None] * size for _ in titles]
    for pair in agreement.records():
        one, other = titles.index(pair["metric"]), titles.index(pair["other"])
        cells[other][one], cells[one][other] = pair["ρ sentences"], pair["τ systems"]
    gap = float("nan")
    shades = [[gap if value is None else value for value in row] for row in cells]
    axes.imshow(shades, cmap="RdBu", vmin=-1.6, vmax=1.6)  # never as dark as the map can be: the numbers are black
    for down, row in enumerate(cells):
        for across, value in enumerate(row):
            shown = "" if down == across else "–" if value is None else f"{value:.2f}"
            axes.text(across, down, shown, ha="center", va="center", fontsize=10 if size < 9 else 7)
    _name_metrics(axes, titles)
    axes.set_yticks(range(size), [_in_two_lines(title) for title in titles], fontsize=8)
    axes.set_title("Below: ρ over sentences; above: τ over systems", fontsize=10)


def _draw_ranks(axes: Axes, ranks: Table, titles: Sequence[str]) -> None:
    from ..draw.colours import PALETTE
    from ..plots.look import LINES, MARKERS, label, legend

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
    axes.set_title("Where lines cross, metrics disagree", fontsize=10)
    legend(axes, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _name_metrics(axes: Axes, titles: Sequence[str]) -> None:
    turned: dict[str, Any] = {
        "rotation": 30 if len(titles) <= 4 else 60,
        "ha": "right",
        "rotation_mode": "anchor",
        "fontsize": 8,
    }
    axes.set_xticks(range(len(titles)), [_in_two_lines(title) for title in titles], **turned)


def _in_two_lines(title: str) -> str:
    """What a metric is called, and below it by which options it is told apart."""
    from ..plots.look import plain

    called, _, options = title.partition(" (")
    return plain(clipped(called, _NAME)) + (options and f"\n({plain(clipped(options, _NAME))}")
