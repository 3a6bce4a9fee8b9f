"""Plots of comparisons: scores and differences with intervals, and the sentences on which each system is better."""

from __future__ import annotations

from typing import NamedTuple

from ..draw.colours import INK, PALETTE
from ..helpers.text import clipped, number_of
from .look import GREY, LOOK, PALE, Look, footer, new_figure, plain, remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from ..scoring.comparisons import MetricSummary, PairScore, Summary

#: Width of a figure, height of a row, and height of the rest of a panel, in inches.
_WIDTH, _ROW, _REST = 5.5, 0.2, 0.62
#: Maximum number of columns of system names, alone and in a pair.
_NAME, _IN_PAIR = 24, 14


class _Row(NamedTuple):
    """A value with its interval, filled if it is significant; all in percent if the figure is."""

    value: float | None
    low: float | None
    high: float | None
    filled: bool


def comparison(summary: Summary) -> Figure:
    """The scores of all systems, the differences of pairs, and wins, ties and losses, for each metric.

    The summary is that of `treescore.compare(…).summary()`.
    """
    return comparison_figures(summary, paged=False)[0]


def comparison_figures(summary: Summary, paged: bool) -> list[Figure]:
    """A page for each metric, or one page for all metrics."""
    metrics = list(summary.metrics)
    figures = []
    for group in [[metric] for metric in metrics] if paged else [metrics]:
        heights = [sum(_heights(metric)) + _notes_height() for metric in group]
        width = LOOK.get().width
        figure = new_figure((_WIDTH, sum(heights)))
        figure.set_size_inches(width or _WIDTH, max(1.0, sum(heights)))
        parts = figure.subfigures(max(1, len(group)), 1, height_ratios=heights or [1.0], squeeze=False)[:, 0]
        for part, metric in zip(parts, group, strict=False):
            _draw(part, summary, metric)
        figures.append(figure)
    return figures


def _heights(metric: MetricSummary) -> list[float]:
    scale = LOOK.get().font_size / Look().font_size
    rows = len(metric.systems), len(metric.pairs), len(metric.pairs)
    return [scale * (_REST + _ROW * max(count, 2)) for count in rows]


def _notes_height() -> float:
    return 0.0 if LOOK.get().plain else 0.4


def _draw(part: Figure | SubFigure, summary: Summary, metric: MetricSummary) -> None:
    """The three panels of one metric."""
    scores, differences, outcomes = part.subplots(3, 1, height_ratios=_heights(metric))
    factor = 100.0 if all(system.part.percent for system in metric.systems) else 1.0
    unit = " (%)" if factor == 100.0 else ""
    level = f"{100 * metric.level:g} % intervals"

    def scaled(value: float | None) -> float | None:
        return None if value is None else factor * value

    systems = [
        _Row(scaled(system.value), scaled(system.interval.low), scaled(system.interval.high), filled=True)
        for system in metric.systems
    ]
    _draw_rows(scores, [plain(clipped(system.name, _NAME)) for system in metric.systems], systems)
    scores.set_xlabel(f"{plain(metric.title)}{unit}, {level}", loc="right")
    names = [_pair_name(pair) for pair in metric.pairs]
    pairs = [
        _Row(scaled(pair.test.difference), scaled(pair.low), scaled(pair.high), bool(pair.differs(summary.alpha)))
        for pair in metric.pairs
    ]
    _draw_rows(differences, names, pairs)
    differences.axvline(0, color=GREY, linewidth=0.8, linestyle="--", zorder=0)
    points = " in points" if factor == 100.0 else ""
    differences.set_xlabel(f"difference{points}; filled: p ≤ {summary.alpha:g}", loc="right")
    _draw_outcomes(outcomes, names, metric)
    if not metric.pairs:
        remark(differences, "there are no pairs")
    footer(part, [metric.full_signature, *(f"{pair.test.signature}, p corrected by Holm" for pair in metric.pairs[:1])])


def _pair_name(pair: PairScore) -> str:
    return " − ".join(plain(clipped(name, _IN_PAIR)) for name in (pair.a, pair.b))


def _draw_rows(axes: Axes, names: Sequence[str], rows: Sequence[_Row]) -> None:
    """A marker and a bar for each row, the first row at the top."""
    for place, (value, low, high, filled) in enumerate(rows):
        if value is None:
            axes.text(0.5, place, "–", transform=axes.get_yaxis_transform(), va="center", color=GREY)
            continue
        if low is not None and high is not None:
            axes.plot([low, high], [place, place], "|-", color=PALETTE[0], linewidth=1.4, markersize=6)
        face = PALETTE[0] if filled else "white"
        axes.plot([value], [place], "o", color=PALETTE[0], markerfacecolor=face, markersize=6)
        axes.annotate(
            f"{value:.2f}".replace("-", "−"),
            (value, place),
            (0, 4),
            textcoords="offset points",
            ha="center",
            fontsize="x-small",
        )
    _name_rows(axes, names)
    axes.grid(axis="x", color=PALE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(x=0.08)
    axes.locator_params(axis="x", nbins=5 if LOOK.get().is_column else 9)


def _draw_outcomes(axes: Axes, names: Sequence[str], metric: MetricSummary) -> None:
    """The numbers of sentences on which the first system is better, equal, or worse."""
    looks: Sequence[tuple[str, str, dict[str, Any], str]] = (
        ("first better", "wins", {"color": PALETTE[0]}, "white"),
        ("equal", "ties", {"facecolor": "white", "edgecolor": GREY}, INK),
        ("second better", "losses", {"facecolor": "white", "edgecolor": PALETTE[1], "hatch": "////"}, INK),
    )
    starts = [0] * len(metric.pairs)
    most = max((pair.wins + pair.ties + pair.losses for pair in metric.pairs), default=0) or 1
    for title, name, look, ink in looks:
        counts = [getattr(pair, name) for pair in metric.pairs]
        axes.barh(range(len(counts)), counts, 0.62, left=starts, label=title, linewidth=0.7, **look)
        for place, (start, count) in enumerate(zip(starts, counts, strict=True)):
            if count / most > 0.04 * len(f"{count:,}"):
                box = None if name != "losses" else {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
                middle = start + count / 2
                axes.text(
                    middle, place, f"{count:,}", ha="center", va="center", fontsize="x-small", color=ink, bbox=box
                )
        starts = [start + count for start, count in zip(starts, counts, strict=True)]
    _name_rows(axes, names)
    axes.set_xlim(0, most)
    unscored = max((pair.unscored for pair in metric.pairs), default=0)
    left_out = f"; {number_of(unscored, metric.row_unit)} without a score" if unscored else ""
    axes.set_xlabel(f"{metric.row_unit}s{left_out}", loc="right")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, fontsize="small", frameon=False, borderpad=0.1)


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names, fontsize="small")
    axes.set_ylim(len(names) - 0.4, -0.75)
