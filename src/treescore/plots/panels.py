"""The panels of plots: each draws one series into the given axes.

A panel without data has a remark; it is not an error.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial

from ..analysis import series
from ..draw.colours import PALETTE
from ..helpers.text import number_of
from ..scoring.report import Report
from ..values.problem import UsageError, check_whole
from .look import (
    GREY,
    LINES,
    LOOK,
    MARKERS,
    PALE,
    amounts,
    bring_forward,
    footer,
    heading,
    label,
    legend,
    legend_below,
    percent_limits,
    plain,
    remark,
    round_numbers,
    side_by_side,
    two_lines,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from ..scoring.evaluation import Comparison

    Reports = Report | Mapping[str, Report] | Comparison
    Pairs = Mapping[tuple[str, str], int] | Mapping[tuple[str | None, str | None], int]


def draw_histogram(axes: Axes, named: Mapping[str, Report], metric: str | None, bins: int) -> None:
    """Bars for one system, outlines for several."""
    histograms = _gathered(axes, named, lambda report: series.histogram(report, metric, bins=bins))
    shown = {name: data for name, data in histograms.items() if data.n > data.undefined}
    if not shown:
        return remark(axes, "no sentence has a score") if histograms else None
    single = len(histograms) == 1
    for place, (name, data) in enumerate(shown.items()):
        edges = [100 * edge for edge in data.edges]
        colour = PALETTE[place % len(PALETTE)]
        if single:
            _draw_bars(axes, data, edges)
        else:
            style = LINES[place % len(LINES)]
            axes.stairs(data.counts, edges, color=colour, linewidth=1.8, linestyle=style, label=label(name))
        if data.mean is not None:
            title = "mean" if single else f"mean of {plain(name)}"
            look: dict[str, Any] = {"linestyle": ":", "linewidth": 1.4, "label": f"{title}: {100 * data.mean:.2f}"}
            axes.axvline(100 * data.mean, color=GREY if single else colour, **look)
    undefined = [(plain(name), data.undefined) for name, data in histograms.items() if data.undefined]
    if undefined:
        numbers = ", ".join(f"{count:,}" if single else f"{name} {count:,}" for name, count in undefined)
        axes.plot([], [], " ", label=f"without a score: {numbers}")
    data = next(iter(shown.values()))
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"{plain(data.title)} of a {data.unit}")
    axes.set_ylabel(f"{data.unit}s")
    amounts(axes.yaxis)
    legend(axes, loc="upper left")
    axes.set_title(f"Scores of {data.unit}s")


def _draw_bars(axes: Axes, data: series.Histogram, edges: Sequence[float]) -> None:
    """A bar for each range; the share of scores of exactly 100 is hatched on the last bar."""
    imperfect = [*data.counts[:-1], data.counts[-1] - data.perfect]
    width = edges[1] - edges[0]
    axes.bar(edges[:-1], imperfect, width, align="edge", color=PALETTE[0], edgecolor="white", linewidth=0.6)
    if data.perfect:
        look: dict[str, Any] = {"facecolor": "white", "edgecolor": PALETTE[0], "hatch": "////", "align": "edge"}
        name = f"exactly 100: {data.perfect:,}"
        axes.bar(edges[-2], data.perfect, width, bottom=imperfect[-1], label=name, **look)


def draw_length(axes: Axes, named: Mapping[str, Report], metric: str | None, step: int | None) -> None:
    """Two lines for each system, and the number of sentences as bars in the background."""
    series_by_name = _gathered(axes, named, lambda report: series.by_length(report, metric, step=step))
    shown = {name: data for name, data in series_by_name.items() if any(value is not None for value in data.corpus)}
    if not shown:
        return remark(axes, "no sentence has a score") if series_by_name else None
    ranges = sorted({bounds for data in shown.values() for bounds in zip(data.first, data.last, strict=True)})
    place_of = {bounds: place for place, bounds in enumerate(ranges)}
    first = next(iter(shown.values()))
    behind = axes.twinx()
    places = [place_of[bounds] for bounds in zip(first.first, first.last, strict=True)]
    behind.bar(places, first.n, 0.9, color=PALE, zorder=0)
    behind.set_ylabel(f"{first.unit}s (bars)", color=GREY)
    behind.tick_params(axis="y", colors=GREY)
    behind.set_ylim(0, 3 * max(first.n))  # bars stay below the lines
    amounts(behind.yaxis)
    bring_forward(axes, behind)
    for number, (name, data) in enumerate(shown.items()):
        places = [place_of[bounds] for bounds in zip(data.first, data.last, strict=True)]
        two_lines(axes, places, data.corpus, data.mean, number, len(shown), "" if len(shown) == 1 else name)
    axes.set_xticks(range(len(ranges)), [_range(*bounds) for bounds in ranges])
    if len(ranges) > (3 if LOOK.get().is_column else 8):
        axes.tick_params(axis="x", rotation=60)
    axes.set_xlabel("words")
    axes.set_ylabel(plain(first.title))
    percent_limits(axes, [value for data in shown.values() for value in (*data.corpus, *data.mean)])
    legend_below(axes, 40.0 if len(ranges) <= (3 if LOOK.get().is_column else 8) else 62.0)
    axes.set_title("By length")


def draw_label(axes: Axes, named: Mapping[str, Report], metric: str | None, most: int) -> None:
    """The figures of each label; for several systems, the first figure."""
    series_by_name = _gathered(axes, named, lambda report: series.by_label(report, metric, most=most))
    first = next((data for data in series_by_name.values() if data.labels), None)
    if first is None:
        return remark(axes, "there are no labels") if series_by_name else None
    labels = first.labels
    rows = range(len(labels))
    if len(series_by_name) == 1:
        main = {row: 100 * value for row, value in enumerate(first.columns[0]) if value is not None}
        axes.barh([*main], [*main.values()], 0.62, color="#A6CEE3", edgecolor=PALETTE[0], label=plain(first.titles[0]))
        for row in set(rows) - set(main):
            axes.text(1, row, "–", va="center", color=GREY)  # undefined is not 0
        for number, title in enumerate(first.titles[1:], 1):
            _dots(axes, first.columns[number], number, title)
    else:
        axes.hlines(rows, 0, 100, color=PALE, linewidth=0.8, zorder=0)
        for number, (name, data) in enumerate(series_by_name.items()):
            values = dict(zip(data.labels, data.columns[0], strict=True)) if data.labels else {}
            _dots(axes, [values.get(name) for name in labels], number, name)
    counted = zip(labels, first.gold, strict=True)
    axes.set_yticks(rows, [f"{plain(name) or '(empty)'} ({count:,})" for name, count in counted])
    axes.tick_params(axis="y", labelsize="small")
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlim(0, 102)
    axes.set_xlabel(plain(first.title))
    if LOOK.get().is_column:
        legend_below(axes)
    else:
        legend(axes, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    rest = f"; {first.left_out:,} rarer labels not shown" if first.left_out else ""
    axes.set_title(f"By label (frequency in gold{rest})")


def _dots(axes: Axes, values: Sequence[float | None], number: int, name: str, *, fillstyle: Any = "full") -> None:
    """A marker in the row of each label; amounts, which are not shares, do not fit this axis."""
    places = [(100 * value, row) for row, value in enumerate(values) if value is not None]
    if places and max(places)[0] <= 100:
        across, down = zip(*places, strict=True)
        colour, marker = PALETTE[number % len(PALETTE)], MARKERS[number % len(MARKERS)]
        look = {"color": colour, "fillstyle": fillstyle, "markersize": 5, "clip_on": False}
        axes.plot(across, down, marker, label=label(name), **look)


def draw_levels(axes: Axes, named: Mapping[str, Report], metrics: Sequence[str], step: int | None) -> None:
    """Two lines for each metric of each system."""
    makers = {
        (name, metric): partial(series.levels, report, metric, step=step)
        for name, report in named.items()
        for metric in metrics
    }
    series_by_name = _computed(axes, makers)
    titles = [data.title for data in series_by_name.values()]
    values: list[float | None] = []
    for number, ((name, _), data) in enumerate(series_by_name.items()):
        title = data.title if titles.count(data.title) <= len(named) else data.signature
        names = [title] * (len(metrics) > 1) + [name] * (len(named) > 1)
        two_lines(axes, data.lengths, data.corpus, data.mean, number, len(series_by_name), ", ".join(names))
        values += [*data.corpus, *data.mean]
    if not any(value is not None for value in values):
        return remark(axes, "no sentence has a score") if series_by_name else None
    axes.set_xlabel(f"maximum length of {next(iter(series_by_name.values())).unit}s in words")
    axes.xaxis.set_major_locator(round_numbers())
    if all(len(data.lengths) == 1 for data in series_by_name.values()):  # a single point defines no scale
        axes.set_xlim(0, 2 * max(data.lengths[0] for data in series_by_name.values()))
    axes.set_ylabel(plain(titles[0]) if len(set(titles)) == 1 else "score")
    percent_limits(axes, values)
    legend_below(axes)
    axes.set_title("Corpus level and mean, by maximum length")


def draw_scatter(axes: Axes, points: series.Scatter) -> None:
    """A dot for each pair of scores, larger if several sentences have the same pair."""
    from collections import Counter

    both = [(a, b) for a, b in zip(points.x, points.y, strict=True) if a is not None and b is not None]
    if not both:
        return remark(axes, "no sentence has a score on both sides")
    together = Counter((round(100 * a), round(100 * b)) for a, b in both)
    places = sorted(together)
    sizes = [10 + 14 * (together[place] - 1) ** 0.8 for place in places]
    low = min(0, *(value for place in places for value in place))
    axes.plot([low, 100], [low, 100], color=GREY, linewidth=0.8, linestyle="--", zorder=0)
    across, along = zip(*places, strict=True)
    axes.scatter(across, along, s=sizes, color=PALETTE[0], alpha=0.45, linewidths=0.4, edgecolors="black")
    axes.set_xlim(low - 4, 104)
    axes.set_ylim(low - 4, 104)
    axes.set_aspect("equal")
    axes.set_xlabel(plain(points.x_title))
    axes.set_ylabel(plain(points.y_title))
    total = f"{points.unit}s: {len(both):,}" + (f", without a score: {points.undefined:,}" if points.undefined else "")
    axes.set_title(f"{total}; larger dots: several {points.unit}s", fontsize="small")
    sides = (("below", points.x_title), ("above", points.y_title))
    higher = [f"{plain(title)} higher" if len(title) < 25 else side for side, title in sides]
    notes = [
        (0.03, 0.97, "left", "top", f"{higher[1]}: {points.y_higher:,}\nequal: {points.equal:,}"),
        (0.97, 0.03, "right", "bottom", f"{higher[0]}: {points.x_higher:,}"),
    ]
    for x, y, horizontal, vertical, text in notes:
        axes.text(x, y, text, transform=axes.transAxes, ha=horizontal, va=vertical, fontsize="small", color=GREY)


def draw_confusion(axes: Axes, matrix: Pairs, most: int, title: str) -> None:
    """Counts in cells, with shades for errors."""
    from collections import Counter

    from matplotlib.colors import PowerNorm
    from matplotlib.patches import Rectangle

    check_whole(most, "most", least=0)
    often: Counter[str | None] = Counter()
    for (gold, test), count in matrix.items():
        often[gold] += count
        often[test] += count
    if not often:
        return remark(axes, "there are no pairs of labels")
    ordered = sorted(often.items(), key=lambda item: (-item[1], item[0] or ""))
    labels = [name for name, _ in ordered if name is not None]
    kept: list[str | None] = [*labels[:most]]
    shown = [plain(name) or "(empty)" for name in labels[:most]]
    if len(labels) > most:
        shown.append("(others)")
    place = {name: number for number, name in enumerate(kept)}
    if None in often:
        place[None] = len(shown)
        shown.append("(nothing)")
    cells = [[0] * len(shown) for _ in shown]
    for (gold, test), count in matrix.items():
        cells[place.get(gold, len(kept))][place.get(test, len(kept))] += count
    shares = [
        [100 * count / sum(row) if count and across != down else 0.0 for across, count in enumerate(row)]
        for down, row in enumerate(cells)
    ]
    darkest = max(5.0, *(share for row in shares for share in row))
    shade = PowerNorm(0.5, 0, darkest)  # a label that is always wrong must not make the others pale
    image = axes.imshow(shares, cmap="Blues", norm=shade, aspect="auto")
    for down, row in enumerate(cells):
        axes.add_patch(Rectangle((down - 0.5, down - 0.5), 1, 1, facecolor=PALE, edgecolor="none"))
        for across, count in enumerate(row):
            if count:
                colour = "white" if shares[down][across] > 0.4 * darkest else "black"
                axes.text(across, down, f"{count:,}", ha="center", va="center", fontsize="x-small", color=colour)
    axes.set_xticks(range(len(shown)), shown, rotation=60, ha="right", fontsize="small")
    axes.set_yticks(range(len(shown)), shown, fontsize="small")
    axes.set_xlabel("test")
    axes.set_ylabel("gold")
    axes.figure.colorbar(image, ax=axes, label="% of the label in gold")
    if title:
        axes.set_title(plain(title))


def draw_overview(part: Figure | SubFigure, report: Report, signature: str) -> None:
    """All panels of one metric, with its score, interval and signature."""
    metric, score = report.find(signature)
    named = by_name(report)
    if LOOK.get().is_column:
        panels = list(part.subplots(4, 1, height_ratios=(1, 1, 1, 1.8)).flat)
    else:
        panels = list(part.subplots(2, 2).flat)
    draw_histogram(panels[0], named, signature, 20)
    draw_length(panels[1], named, signature, None)
    draw_levels(panels[2], named, [signature], None)
    draw_label(panels[3], named, signature, 15)
    main = score.figures[score.main]
    names = name_of(report.test, "test"), name_of(report.gold, "gold")
    value = f"{main.title}: {main.shown()}"
    if score.policy:  # a language model
        value = f"{main.title}, all {metric.row_unit}s: {score.all_figures[score.main].shown()}; scored: {main.shown()}"
    notes = [score.with_policy, metric.summary(score.counts), *([report.problem_line()] if report.problems else [])]
    if score.counts.has_rows:
        interval = report.intervals(signature)[score.main]
        if interval.low is not None and interval.high is not None and main.percent:
            value += f" ({100 * interval.level:g} % interval {100 * interval.low:.2f} to {100 * interval.high:.2f})"
            notes.append(
                f"interval: bootstrap over {interval.unit}s, {number_of(interval.n, 'sample')}, seed {interval.seed}"
            )
            if interval.undefined:
                notes[-1] += f", {interval.undefined:,} of them undefined and left out"
    heading(part, f"{plain(names[0])} against {plain(names[1])}\n{plain(value)}")
    footer(part, notes)


def draw_metrics(part: Figure | SubFigure, report: Report, signatures: Sequence[str]) -> None:
    """The sentence scores of the first metric against those of the next metrics."""
    others = signatures[1:4]
    for other, panel in zip(others, side_by_side(part, len(others)), strict=True):
        try:
            draw_scatter(panel, series.metrics(report, signatures[0], other))
        except UsageError as problem:
            remark(panel, str(problem))
    heading(part, "Metrics against each other")


def draw_profiles(axes: Axes, report: Report) -> None:
    """The main figure of each metric, from the highest down; an open marker for the figure over all sentences."""
    pairs = sorted(report.pairs(), key=lambda pair: -1.0 if pair[1].value is None else pair[1].value, reverse=True)
    scores = [score for _, score in pairs]
    titles = [score.figures[score.main].title for score in scores]
    for number, title in enumerate(sorted(set(titles))):
        own = [score if other == title else None for score, other in zip(scores, titles, strict=True)]
        _dots(axes, [score.value if score else None for score in own], number, title)
        over_all = [score.all if score and score.is_partial else None for score in own]
        _dots(axes, over_all, number, "", fillstyle="none")
    if any(score.is_partial for score in scores):
        axes.plot([], [], "o", color=GREY, fillstyle="none", label="the same over all sentences")
    for row, score in enumerate(scores):
        shown = score.figures[score.main].shown()
        axes.text(1.01, row, shown, transform=axes.get_yaxis_transform(), va="center", fontsize="small")
    axes.set_yticks(range(len(pairs)), [plain(getattr(metric, "profile", "") or metric.name) for metric, _ in pairs])
    axes.tick_params(axis="y", labelsize="small")
    axes.set_ylim(len(pairs) - 0.4, -0.6)
    axes.grid(color=PALE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("main figure of each profile")
    legend_below(axes)
    axes.set_title("The same trees by every profile")


def _gathered(axes: Axes, named: Mapping[str, Report], make: Callable[[Report], Any]) -> dict[str, Any]:
    """The data of each report, with remarks on missing data."""
    return _computed(axes, {name: partial(make, report) for name, report in named.items()})


def _computed(axes: Axes, makers: Mapping[Any, Callable[[], Any]]) -> dict[Any, Any]:
    """The data that can be computed; reasons for missing data go to the legend, or to an empty panel."""
    data, reasons = {}, []
    for key, make in makers.items():
        try:
            data[key] = make()
        except UsageError as problem:
            reasons.append(str(problem))
    if not data:
        remark(axes, "; ".join(dict.fromkeys(reasons)))
    for reason in reasons if data else ():
        axes.plot([], [], " ", label=label(reason))
    return data


def by_name(reports: Reports) -> Mapping[str, Report]:
    """Reports by system name."""
    if isinstance(reports, Report):
        return {name_of(reports.test, "test"): reports}
    named = reports if isinstance(reports, Mapping) else reports.reports
    if not named:
        raise UsageError("there is no report to plot")
    return named


def signatures(report: Report) -> list[str]:
    """The signatures of all metrics of a report."""
    return [score.signature for score in report.scores]


def sign(figure: Figure | SubFigure, named: Mapping[str, Report], metrics: Sequence[str | None]) -> None:
    """Signatures and numbers of sentences below a plot."""
    footer(figure, [_signed(named, metric) for metric in metrics])


def _signed(named: Mapping[str, Report], metric: str | None) -> str:
    report = next(iter(named.values()))
    metric_found, score = report.find(metric)
    if not score.counts.has_rows:
        return score.signature
    valid = {name: other.find(metric)[1].counts.total().get("valid") for name, other in named.items()}
    total, unit = len(score.counts), report.row_unit(metric_found)
    if set(valid.values()) <= {None, total}:
        return f"{score.signature}  n = {total:,}"
    scored = [f"{count:,}" if len(set(valid.values())) == 1 else f"{name} {count:,}" for name, count in valid.items()]
    return f"{score.signature}  {', '.join(dict.fromkeys(scored))} of {number_of(total, unit)} scored"


def name_of(bank: Any, kind: str) -> str:
    """The name of a treebank in a plot: its file name without folders."""
    return os.path.basename(bank.source.name or "") or kind


def _range(first: int, last: int) -> str:
    return f"{first}–{last}" if first < last else str(last)
