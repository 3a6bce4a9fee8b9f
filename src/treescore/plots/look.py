"""What plots share: colours, marks, small print, and text that is taken as it is."""

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

#: What tells systems apart where colours cannot be seen.
MARKERS = "osD^vP"
LINES = ("-", "--", "-.", ":")
GREY, PALE = "#666666", "#DDDDDD"
#: Inches of a single plot, of an overview, and of metrics against each other.
SIZE, PAGE, LAST_PAGE = (7.0, 4.4), (11.0, 8.2), (11.0, 4.8)


def library() -> Any:
    """matplotlib, or what to do if it is not there."""
    return extras.library("matplotlib", "plot", "plots need")


def new_figure(size: tuple[float, float]) -> Figure:
    """An empty figure that belongs to no window."""
    library()
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained")


def remark(axes: Axes, text: str) -> None:
    """An empty panel that says why it is empty."""
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
    """The score over all counts, with filled marks, and the mean of sentences, dashed with open ones.

    Of `total` such pairs this one has a number. What is drawn later is thinner and smaller: equal lines are all seen.
    """
    colour, marker = PALETTE[number % len(PALETTE)], MARKERS[number % len(MARKERS)]
    lead = f"{label(name)}: " if name else ""
    gap = float("nan")
    more = min(total - 1 - number, 5)
    for values, style, filled, size, said in (
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
            label=lead + said,
        )


def percent_limits(axes: Axes, values: Sequence[float | None]) -> None:
    """An axis that ends at round numbers around the values."""
    defined = [100 * value for value in values if value is not None]
    low, high = min(defined), max(defined)
    margin = max(1.0, 0.05 * (high - low))
    bottom = 10 * ((low - margin) // 10)
    axes.set_ylim(max(0.0, bottom) if low >= 0 else bottom, min(101.0, -5 * (-(high + margin) // 5)))
    axes.yaxis.set_major_locator(round_numbers())
    axes.grid(axis="y", color=PALE, linewidth=0.6)
    axes.set_axisbelow(True)


def bring_forward(axes: Axes, behind: Axes) -> None:
    """Draw what is in the first axes upon what is in the other ones."""
    axes.set_zorder(behind.get_zorder() + 1)
    axes.patch.set_visible(False)


def round_numbers() -> Any:
    """Where marks stand on an axis of whole numbers."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=7, integer=True, steps=[1, 2, 5, 10])


def amounts(axis: Any) -> None:
    """An axis of whole numbers, with commas in large ones."""
    from matplotlib.ticker import StrMethodFormatter

    axis.set_major_locator(round_numbers())
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def legend(axes: Axes, **where: Any) -> None:
    """What the colours and marks mean, if there is anything to be said."""
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=8, framealpha=0.8, **where)


def legend_below(axes: Axes, room: float = 34.0) -> None:
    """The same below the axis and its numbers, which take so many points, where it covers no line."""
    from matplotlib.transforms import ScaledTranslation

    below = axes.transAxes + ScaledTranslation(0, -room / 72, axes.figure.dpi_scale_trans)
    legend(axes, loc="upper center", bbox_to_anchor=(0.5, 0.0), bbox_transform=below, ncols=2, borderaxespad=0.0)


def footer(figure: Figure | SubFigure, lines: Sequence[str]) -> None:
    """Small print, broken between options where it is too long."""
    most = int(16.5 * figure.bbox.width / figure.dpi)  # characters in a line
    shown = [part for line in lines for part in lines_of(pieces(visible(line)), lambda part: len(part) <= most, "  ")]
    figure.supxlabel("\n".join(map(plain, shown)), fontsize=7, color=GREY, x=0.01, ha="left", family="monospace")


def plain(text: str) -> str:
    """Text from input, which matplotlib must not take for a formula, nor stumble over.

    >>> print(plain("NP$x$"))
    NP\\$x\\$
    """
    return visible(text).encode("utf-8", "backslashreplace").decode().replace("$", "\\$")


def label(text: str) -> str:
    """The same for a legend, from which matplotlib leaves out what begins with a line."""
    return f" {plain(text)}" if text.startswith("_") else plain(text)
