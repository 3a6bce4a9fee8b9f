"""Shared elements of plots: colours, markers, footers, legends and literal text."""

from __future__ import annotations

from ..draw.colours import PALETTE
from ..helpers import extras
from ..helpers.text import lines_of, pieces, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

#: Markers and line styles that distinguish systems without colours.
MARKERS = "osD^vP"
LINES = ("-", "--", "-.", ":")
GREY, PALE = "#666666", "#DDDDDD"
#: Sizes in inches of a single plot, of an overview, and of the comparison of metrics.
SIZE, PAGE, LAST_PAGE = (7.0, 4.4), (11.0, 8.2), (11.0, 4.8)


def library() -> Any:
    """matplotlib, or an error with advice if it is missing."""
    return extras.library("matplotlib", "plot", "plots need")


def new_figure(size: tuple[float, float]) -> Figure:
    """An empty figure without a window."""
    library()
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained")


def remark(axes: Axes, text: str) -> None:
    """An empty panel with the reason."""
    import textwrap

    axes.set_axis_off()
    shown = "\n".join(textwrap.wrap(plain(text), 45))
    axes.text(0.5, 0.5, shown, transform=axes.transAxes, ha="center", va="center", color=GREY)


def two_lines(
    axes: Axes,
    places: Sequence[int],
    corpus: Sequence[float | None],
    mean: Sequence[float | None],
    number: int,
    total: int,
    name: str,
) -> None:
    """The corpus level, with filled markers, and the mean of sentences, dashed with open markers.

    This is pair `number` of `total` pairs. Later pairs have thinner lines and smaller markers, which keeps
    equal lines visible.
    """
    colour, marker = PALETTE[number % len(PALETTE)], MARKERS[number % len(MARKERS)]
    lead = f"{label(name)}: " if name else ""
    gap = float("nan")
    more = min(total - 1 - number, 5)
    for values, style, filled, size, level in (
        (corpus, "-", colour, 7.0, "corpus level"),
        (mean, "--", "white", 4.0, "mean of sentences"),
    ):
        shown = [gap if value is None else 100 * value for value in values]
        axes.plot(
            places,
            shown,
            style,
            marker=marker,
            color=colour,
            markerfacecolor=filled,
            markersize=size + 2 * more,
            linewidth=1.4 + 1.2 * more,
            label=lead + level,
        )


def percent_limits(axes: Axes, values: Sequence[float | None]) -> None:
    """Set an axis with round limits around the values."""
    defined = [100 * value for value in values if value is not None]
    low, high = min(defined), max(defined)
    margin = max(1.0, 0.05 * (high - low))
    bottom = 10 * ((low - margin) // 10)
    axes.set_ylim(max(0.0, bottom) if low >= 0 else bottom, min(101.0, -5 * (-(high + margin) // 5)))
    axes.yaxis.set_major_locator(round_numbers())
    axes.grid(axis="y", color=PALE, linewidth=0.6)
    axes.set_axisbelow(True)


def bring_forward(axes: Axes, behind: Axes) -> None:
    """Draw the first axes on top of the others."""
    axes.set_zorder(behind.get_zorder() + 1)
    axes.patch.set_visible(False)


def round_numbers() -> Any:
    """Tick positions of an axis of whole numbers."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=7, integer=True, steps=[1, 2, 5, 10])


def amounts(axis: Any) -> None:
    """Set an axis of whole numbers with thousands separators."""
    from matplotlib.ticker import StrMethodFormatter

    axis.set_major_locator(round_numbers())
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def legend(axes: Axes, **where: Any) -> None:
    """A legend, if there are labels."""
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=8, framealpha=0.8, **where)


def legend_below(axes: Axes, room: float = 34.0) -> None:
    """A legend below the axis and its numbers, which need `room` points."""
    from matplotlib.transforms import ScaledTranslation

    below = axes.transAxes + ScaledTranslation(0, -room / 72, axes.figure.dpi_scale_trans)
    legend(axes, loc="upper center", bbox_to_anchor=(0.5, 0.0), bbox_transform=below, ncols=2, borderaxespad=0.0)


def footer(figure: Figure | SubFigure, lines: Sequence[str]) -> None:
    """A footer, with long lines broken between options."""
    most = int(16.5 * figure.bbox.width / figure.dpi)  # characters per line
    shown = [part for line in lines for part in lines_of(pieces(visible(line)), lambda part: len(part) <= most, "  ")]
    figure.supxlabel("\n".join(map(plain, shown)), fontsize=7, color=GREY, x=0.01, ha="left", family="monospace")


def plain(text: str) -> str:
    """Text from input, escaped so that matplotlib does not parse it as a formula.

    >>> print(plain("NP$x$"))
    NP\\$x\\$
    """
    return visible(text).encode("utf-8", "backslashreplace").decode().replace("$", "\\$")


def label(text: str) -> str:
    """Plain text for a legend; matplotlib omits labels that begin with an underscore."""
    return f" {plain(text)}" if text.startswith("_") else plain(text)
