"""The panels that plots are made of: each draws one series into the axes that it is given.

What there is nothing to draw for is a panel with a remark, not an error.
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
    MARKERS,
    PALE,
    amounts,
    bring_forward,
    footer,
    label,
    legend,
    legend_below,
    percent_limits,
    plain,
    remark,
    round_numbers,
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
    found = _gathered(axes, named, lambda report: series.histogram(report, metric, bins=bins))
    shown = {name: data for name, data in found.items() if data.n > data.undefined}
    if not shown:
        return remark(axes, "no sentence has a score") if found else None
    single = len(found) == 1
    for place, (name, data) in enumerate(shown.items()):
        edges = [100 * edge for edge in data.edges]
        colour = PALETTE[place % len(PALETTE)]
        if single:
            _draw_bars(axes, data, edges)
        else:
            style = LINES[place % len(LINES)]
            axes.stairs(data.counts, edges, color=colour, linewidth=1.8, linestyle=style, label=label(name))
        if data.mean is not None:
            said = "mean" if single else f"mean of {plain(name)}"
            look: dict[str, Any] = {"linestyle": ":", "linewidth": 1.4, "label": f"{said}: {100 * data.mean:.2f}"}
            axes.axvline(100 * data.mean, color=GREY if single else colour, **look)
    undefined = [(plain(name), data.undefined) for name, data in found.items() if data.undefined]
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
    """A bar for each range; what is exactly 100 is hatched upon the last one."""
    imperfect = [*data.counts[:-1], data.counts[-1] - data.perfect]
    width = edges[1] - edges[0]
    axes.bar(edges[:-1], imperfect, width, align="edge", color=PALETTE[0], edgecolor="white", linewidth=0.6)
    if data.perfect:
        look: dict[str, Any] = {"facecolor": "white", "edgecolor": PALETTE[0], "hatch": "////", "align": "edge"}
        said = f"exactly 100: {data.perfect:,}"
        axes.bar(edges[-2], data.perfect, width, bottom=imperfect[-1], label=said, **look)


def draw_length(axes: Axes, named: Mapping[str, Report], metric: str | None, step: int | None) -> None:
    """Two lines for each system, and how many sentences there are as bars behind them."""
    found = _gathered(axes, named, lambda report: series.by_length(report, metric, step=step))
    shown = {name: data for name, data in found.items() if any(value is not None for value in data.corpus)}
    if not shown:
        return remark(axes, "no sentence has a score") if found else None
    ranges = sorted({bounds for data in shown.values() for bounds in zip(data.first, data.last, strict=True)})
    place_of = {bounds: place for place, bounds in enumerate(ranges)}
    first = next(iter(shown.values()))
    behind = axes.twinx()
    places = [place_of[bounds] for bounds in zip(first.first, first.last, strict=True)]
    behind.bar(places, first.n, 0.9, color=PALE, zorder=0)
    behind.set_ylabel(f"{first.unit}s (bars)", color=GREY)
    behind.tick_params(axis="y", colors=GREY)
    behind.set_ylim(0, 3 * max(first.n))  # so that bars stay below the lines
    amounts(behind.yaxis)
    bring_forward(axes, behind)
    for number, (name, data) in enumerate(shown.items()):
        places = [place_of[bounds] for bounds in zip(data.first, data.last, strict=True)]
        two_lines(axes, places, data.corpus, data.mean, number, len(shown), "" if len(shown) == 1 else name)
    axes.set_xticks(range(len(ranges)), [_range(*bounds) for bounds in ranges])
    if len(ranges) > 8:
        axes.tick_params(axis="x", rotation=60)
    axes.set_xlabel("words")
    axes.set_ylabel(plain(first.title))
    percent_limits(axes, [value for data in shown.values() for value in (*data.corpus, *data.mean)])
    legend_below(axes, 34.0 if len(ranges) <= 8 else 56.0)
    axes.set_title("By length")


def draw_label(axes: Axes, named: Mapping[str, Report], metric: str | None, most: int) -> None:
    """The figures of each label; of several systems, the first figure."""
    found = _gathered(axes, named, lambda report: series.by_label(report, metric, most=most))
    first = next((data for data in found.values() if data.labels), None)
    if first is None:
        return remark(axes, "there are no labels") if found else None
    labels = first.labels
    rows = range(len(labels))
    if len(found) == 1:
        main = {row: 100 * value for row, value in enumerate(first.columns[0]) if value is not None}
        axes.barh([*main], [*main.values()], 0.62, color="#A6CEE3", edgecolor=PALETTE[0], label=plain(first.titles[0]))
        for row in set(rows) - set(main):
            axes.text(1, row, "–", va="center", color=GREY)  # undefined is not 0
        for number, title in enumerate(first.titles[1:], 1):
            _dots(axes, first.columns[number], number, title)
    else:
        axes.hlines(rows, 0, 100, color=PALE, linewidth=0.8, zorder=0)
        for number, (name, data) in enumerate(found.items()):
            values = dict(zip(data.labels, data.columns[0], strict=True)) if data.labels else {}
            _dots(axes, [values.get(name) for name in labels], number, name)
    counted = zip(labels, first.gold, strict=True)
    axes.set_yticks(rows, [f"{plain(name) or '(empty)'} ({count:,})" for name, count in counted])
    axes.tick_params(axis="y", labelsize=8)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlim(0, 102)
    axes.set_xlabel(plain(first.title))
    legend(axes, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    rest = f"; {first.left_out:,} rarer ones are not shown" if first.left_out else ""
    axes.set_title(f"By label (how often in gold{rest})")


def _dots(axes: Axes, values: Sequence[float | None], number: int, name: str) -> None:
    """A mark in the row of each label; amounts, which are no shares, have no place on this axis."""
    places = [(100 * value, row) for row, value in enumerate(values) if value is not None]
    if places and max(places)[0] <= 100:
        across, down = zip(*places, strict=True)
        colour, marker = PALETTE[number % len(PALETTE)], MARKERS[number % len(MARKERS)]
        axes.plot(across, down, marker, color=colour, markersize=5, clip_on=False, label=label(name))


def draw_levels(axes: Axes, named: Mapping[str, Report], metrics: Sequence[str], step: int | None) -> None:
    """Two lines for each metric of each system."""
    makers = {
        (name, metric): partial(series.levels, report, metric, step=step)
        for name, report in named.items()
        for metric in metrics
    }
    found = _made(axes, makers)
    titles = [data.title for data in found.values()]
    values: list[float | None] = []
    for number, ((name, _), data) in enumerate(found.items()):
        title = data.title if titles.count(data.title) <= len(named) else data.signature
        called = [title] * (len(metrics) > 1) + [name] * (len(named) > 1)
        two_lines(axes, data.lengths, data.corpus, data.mean, number, len(found), ", ".join(called))
        values += [*data.corpus, *data.mean]
    if not any(value is not None for value in values):
        return remark(axes, "no sentence has a score") if found else None
    axes.set_xlabel(f"{next(iter(found.values())).unit}s of at most so many words")
    axes.xaxis.set_major_locator(round_numbers())
    if all(len(data.lengths) == 1 for data in found.values()):  # a single point has no scale of its own
        axes.set_xlim(0, 2 * max(data.lengths[0] for data in found.values()))
    axes.set_ylabel(plain(titles[0]) if len(set(titles)) == 1 else "score")
    percent_limits(axes, values)
    legend_below(axes)
    axes.set_title("Corpus level and mean, by maximal length")


def draw_scatter(axes: Axes, points: series.Scatter) -> None:
    """A dot for each pair of scores, larger where several sentences have it."""
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
    axes.set_title(f"{total}; larger where several meet", fontsize=9)
    sides = (("below", points.x_title), ("above", points.y_title))
    higher = [f"{plain(title)} higher" if len(title) < 25 else side for side, title in sides]
    said = [
        (0.03, 0.97, "left", "top", f"{higher[1]}: {points.y_higher:,}\nequal: {points.equal:,}"),
        (0.97, 0.03, "right", "bottom", f"{higher[0]}: {points.x_higher:,}"),
    ]
    for x, y, horizontal, vertical, text in said:
        axes.text(x, y, text, transform=axes.transAxes, ha=horizontal, va=vertical, fontsize=9, color=GREY)


def draw_confusion(axes: Axes, matrix: Pairs, most: int, title: str) -> None:
    """Numbers in cells; shades for what is wrong."""
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
    shade = PowerNorm(0.5, 0, darkest)  # one label that is always wrong must not make all others pale
    image = axes.imshow(shares, cmap="Blues", norm=shade, aspect="auto")
    for down, row in enumerate(cells):
        axes.add_patch(Rectangle((down - 0.5, down - 0.5), 1, 1, facecolor=PALE, edgecolor="none"))
        for across, count in enumerate(row):
            if count:
                colour = "white" if shares[down][across] > 0.4 * darkest else "black"
                axes.text(across, down, f"{count:,}", ha="center", va="center", fontsize=7, color=colour)
    axes.set_xticks(range(len(shown)), shown, rotation=60, ha="right", fontsize=8)
    axes.set_yticks(range(len(shown)), shown, fontsize=8)
    axes.set_xlabel("test")
    axes.set_ylabel("gold")
    axes.figure.colorbar(image, ax=axes, label="% of the label in gold")
    if title:
        axes.set_title(plain(title))


def draw_overview(part: Figure | SubFigure, report: Report, signature: str) -> None:
    """All panels of one metric, with its score, interval and signature."""
    metric, score = report.find(signature)
    named = by_name(report)
    axes = part.subplots(2, 2)
    draw_histogram(axes[0][0], named, signature, 20)
    draw_length(axes[0][1], named, signature, None)
    draw_levels(axes[1][0], named, [signature], None)
    draw_label(axes[1][1], named, signature, 15)
    main = score.figures[score.main]
    names = name_of(report.test, "test"), name_of(report.gold, "gold")
    value = f"{main.title}: {main.shown()}"
    said = [signature, metric.summary(score.counts), *([report.problem_line()] if report.problems else [])]
    if score.counts.has_rows:
        found = report.intervals(signature)[score.main]
        if found.low is not None and found.high is not None and main.percent:
            value += f" ({100 * found.level:g} % interval {100 * found.low:.2f} to {100 * found.high:.2f})"
            said.append(f"interval: bootstrap over {found.unit}s, {number_of(found.n, 'sample')}, seed {found.seed}")
            if found.undefined:
                said[-1] += f", {found.undefined:,} of them undefined and left out"
    part.suptitle(f"{plain(names[0])} against {plain(names[1])}\n{plain(value)}", fontsize=12)
    footer(part, said)


def draw_metrics(part: Figure | SubFigure, report: Report, signatures: Sequence[str]) -> None:
    """The first metric against the next ones, sentence by sentence."""
    others = signatures[1:4]
    for other, panel in zip(others, part.subplots(1, len(others), squeeze=False)[0], strict=True):
        try:
            draw_scatter(panel, series.metrics(report, signatures[0], other))
        except UsageError as problem:
            remark(panel, str(problem))
    part.suptitle("Metrics against each other", fontsize=12)


def _gathered(axes: Axes, named: Mapping[str, Report], make: Callable[[Report], Any]) -> dict[str, Any]:
    """What each report has to show; what it has not is remarked upon."""
    return _made(axes, {name: partial(make, report) for name, report in named.items()})


def _made(axes: Axes, makers: Mapping[Any, Callable[[], Any]]) -> dict[Any, Any]:
    """What can be made; why the rest cannot is said in the legend, or in an empty panel if that is all."""
    found, reasons = {}, []
    for key, make in makers.items():
        try:
            found[key] = make()
        except UsageError as problem:
            reasons.append(str(problem))
    if not found:
        remark(axes, "; ".join(dict.fromkeys(reasons)))
    for reason in reasons if found else ():
        axes.plot([], [], " ", label=label(reason))
    return found


def by_name(reports: Reports) -> Mapping[str, Report]:
    """Reports by the names of their systems."""
    if isinstance(reports, Report):
        return {name_of(reports.test, "test"): reports}
    found = reports if isinstance(reports, Mapping) else reports.reports
    if not found:
        raise UsageError("there is no report to be plotted")
    return found


def signatures(report: Report) -> list[str]:
    """Those of all metrics of a report."""
    return [score.signature for score in report.scores]


def sign(figure: Figure | SubFigure, named: Mapping[str, Report], metrics: Sequence[str | None]) -> None:
    """Signatures and numbers of sentences below a plot."""
    footer(figure, [_signed(named, metric) for metric in metrics])


def _signed(named: Mapping[str, Report], metric: str | None) -> str:
    report = next(iter(named.values()))
    made_by, score = report.find(metric)
    if not score.counts.has_rows:
        return score.signature
    valid = {name: one.find(metric)[1].counts.total().get("valid") for name, one in named.items()}
    total, unit = len(score.counts), report.row_unit(made_by)
    if set(valid.values()) <= {None, total}:
        return f"{score.signature}  n = {total:,}"
    scored = [f"{count:,}" if len(set(valid.values())) == 1 else f"{name} {count:,}" for name, count in valid.items()]
    return f"{score.signature}  {', '.join(dict.fromkeys(scored))} of {number_of(total, unit)} scored"


def name_of(bank: Any, kind: str) -> str:
    """What trees are called in a plot: their file, without its folders."""
    return os.path.basename(bank.source.name or "") or kind


def _range(first: int, last: int) -> str:
    return f"{first}–{last}" if first < last else str(last)
