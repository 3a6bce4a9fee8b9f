"""Plots as functions that return a `matplotlib.figure.Figure`."""

from __future__ import annotations

from ..analysis import series
from ..draw.colours import PALETTE
from ..helpers.text import number_of
from ..nbest.curves import SYSTEMS
from ..render.nbest import title as curves_title
from .look import (
    GREY,
    LAST_PAGE,
    LINES,
    LOOK,
    MARKERS,
    PAGE,
    SIZE,
    footer,
    legend_below,
    new_figure,
    percent_limits,
    plain,
    round_numbers,
)
from .panels import (
    by_name,
    draw_confusion,
    draw_histogram,
    draw_label,
    draw_length,
    draw_levels,
    draw_metrics,
    draw_overview,
    draw_profiles,
    draw_scatter,
    sign,
    signatures,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..nbest.curves import Curves
    from ..scoring.report import Report
    from .panels import Pairs, Reports

#: Maximum number of markers per line.
_FEW = 12


def histogram(reports: Reports, metric: str | None = None, *, bins: int = 20) -> Figure:
    """The distribution of sentence scores."""
    return _single(reports, metric, lambda axes, named: draw_histogram(axes, named, metric, bins))


def by_length(reports: Reports, metric: str | None = None, *, step: int | None = None) -> Figure:
    """The score by sentence length: corpus level and mean of sentences."""
    return _single(reports, metric, lambda axes, named: draw_length(axes, named, metric, step))


def by_label(reports: Reports, metric: str | None = None, *, most: int = 20) -> Figure:
    """The figures of the most frequent labels."""
    return _single(reports, metric, lambda axes, named: draw_label(axes, named, metric, most))


def levels(reports: Reports, metrics: str | Sequence[str] | None = None, *, step: int | None = None) -> Figure:
    """The score by maximum sentence length: corpus level and mean of sentences.

    Without `metrics`, for all metrics of a report.
    """
    named = by_name(reports)
    selected = [metrics] if isinstance(metrics, str) else metrics or signatures(next(iter(named.values())))
    figure = new_figure(SIZE)
    draw_levels(figure.subplots(), named, selected, step)
    sign(figure, named, selected)
    return figure


def scatter(points: series.Scatter) -> Figure:
    """The sentence scores of two systems or two metrics.

    The numbers are those of `series.systems(reports, a, b)` or `series.metrics(report, a, b)`.
    """
    figure = new_figure((5.6, 5.8))
    draw_scatter(figure.subplots(), points)
    footer(figure, [*points.signatures, number_of(len(points.x), points.unit)])
    return figure


def confusion(matrix: Pairs, *, most: int = 20, title: str = "") -> Figure:
    """A confusion matrix of labels: counts by (gold label, test label), with None for a missing node.

    Rows are gold labels, the most frequent first; shades are shares of a row. Correct cells are grey, since their
    shares would make the others pale. Labels beyond `most` are combined.
    """
    figure = new_figure((8.0, 7.0))
    draw_confusion(figure.subplots(), matrix, most, title)
    return figure


def overview(report: Report, metric: str | None = None) -> Figure:
    """A page of all plots of a metric; by default of all metrics of the report, one below the other."""
    chosen = signatures(report) if metric is None else [report.find(metric)[1].signature]
    several = len(chosen) > 1
    heights = [PAGE[1]] * len(chosen) + [LAST_PAGE[1]] * several
    rows = [5] * len(chosen) + [len(chosen[1:4])] * several
    figure = new_figure((PAGE[0], sum(heights)), sum(rows) if LOOK.get().is_column else 1)
    ratios = rows if LOOK.get().is_column else heights
    parts = figure.subfigures(len(heights), 1, height_ratios=ratios, squeeze=False)[:, 0]
    for part, signature in zip(parts, chosen, strict=False):
        draw_overview(part, report, signature)
    if several:
        draw_metrics(parts[-1], report, chosen)
    return figure


def profiles(report: Report) -> Figure:
    """The main figure of each score, in order: of the same trees by every profile."""
    figure = new_figure((SIZE[0], 1.6 + 0.2 * len(report.scores)))
    draw_profiles(figure.subplots(), report)
    footer(figure, [number_of(report.size, "sentence")])
    return figure


def _single(reports: Reports, metric: str | None, draw: Callable[[Axes, Mapping[str, Report]], None]) -> Figure:
    named = by_name(reports)
    figure = new_figure(SIZE)
    draw(figure.subplots(), named)
    sign(figure, named, [metric])
    return figure


def curves_figure(curves: Curves) -> Figure:
    """A line for each system, and a line of the expected score, by the number of candidates."""
    figure = new_figure((SIZE[0], SIZE[1] + 0.6))
    axes = figure.subplots()
    rows = list(curves.table())
    sizes = [n for n, _ in rows]
    gap = float("nan")
    values: list[float | None] = []
    for number, (key, name) in enumerate({**SYSTEMS, "expected": "MBR, as the lists expect"}.items()):
        column = [row[key] for _, row in rows]
        values += column
        axes.plot(
            sizes,
            [gap if value is None else 100 * value for value in column],
            LINES[number % len(LINES)],
            color=GREY if key == "expected" else PALETTE[number % len(PALETTE)],
            marker=MARKERS[number],
            markevery=max(1, len(sizes) // _FEW),
            markersize=5.0,
            label=name,
        )
    axes.set_xlabel("candidates of each list")
    axes.xaxis.set_major_locator(round_numbers())
    axes.set_ylabel(f"{plain(curves_title(curves))} (%)")
    if any(value is not None for value in values):
        percent_limits(axes, values)
    legend_below(axes)
    footer(figure, [curves.metric.signature])
    return figure
