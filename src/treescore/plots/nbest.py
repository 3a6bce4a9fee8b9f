"""The curves of n-best lists: scores by number of candidates."""

from __future__ import annotations

from ..draw.colours import PALETTE
from ..nbest.curves import SYSTEMS
from ..render.nbest import title
from .look import GREY, LINES, MARKERS, SIZE, footer, legend_below, new_figure, percent_limits, plain, round_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..nbest.curves import Curves

_FEW = 12  # maximum number of markers per line


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
    axes.set_ylabel(f"{plain(title(curves))} (%)")
    if any(value is not None for value in values):
        percent_limits(axes, values)
    legend_below(axes)
    footer(figure, [curves.metric.signature])
    return figure
