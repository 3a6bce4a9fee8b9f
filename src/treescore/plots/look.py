"""Shared elements of plots: sizes, colours, markers, footers, legends and literal text."""

from __future__ import annotations

from contextvars import ContextVar
from typing import NamedTuple

from ..draw.colours import PALETTE
from ..helpers import extras
from ..helpers.lengths import UNITS, pixels
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
HATCHES = ("", "////", "....", "xxxx", "----", "oo")
GREY, PALE = "#666666", "#DDDDDD"
#: Sizes in inches of a single plot, of an overview, and of the comparison of metrics.
SIZE, PAGE, LAST_PAGE = (7.0, 4.4), (11.0, 8.2), (11.0, 4.8)


#: Minimum width of a panel beside others, and its height relative to its width in a column; in inches.
_LEAST_WIDTH, _RATIO = 2.0, 0.72
#: Shades of grey for the colours of the palette, whose luminances are too similar; other colours keep theirs.
_GREYS = dict(zip(PALETTE, ("#333333", "#999999", "#000000", "#bbbbbb", "#666666", "#808080"), strict=True))
#: Sizes of lines and markers in a column, relative to those of a page.
_THIN, _SMALL_MARKER = 0.75, 0.65
#: Width of the numbers and titles beside a panel, in inches, and of a letter, relative to the font size.
_BESIDE, _LETTER = 0.7, 0.56
#: Height of a line of a legend, relative to the font size.
_LINE = 1.3
#: Maximum length of a name in a legend with two columns, in a column of text.
_SHORT_NAME = 22


class Look(NamedTuple):
    """The appearance of plots in files: width in inches, font size in points."""

    plain: bool = False
    width: float | None = None
    font_size: float = 8.5
    greyscale: bool = False

    @property
    def is_column(self) -> bool:
        """Is there too little room for panels side by side?"""
        return self.width is not None and self.width < 2 * _LEAST_WIDTH + 0.8


_DEFAULT = Look()
#: The appearance of the figures that are drawn now.
LOOK: ContextVar[Look] = ContextVar("LOOK", default=_DEFAULT)


def look_of(
    plain: bool = False,
    width: float | str | None = None,
    font_size: float | str | None = None,
    greyscale: bool = False,
) -> Look:
    """The appearance for these options, which are those of pictures of trees."""
    return Look(
        plain,
        None if width is None else pixels(width, "width") / UNITS["in"],
        Look().font_size if font_size is None else pixels(font_size, "font_size", "pt") / UNITS["pt"],
        greyscale,
    )


def library() -> Any:
    """matplotlib, or an error with advice if it is missing."""
    return extras.library("matplotlib", "plot", "plots need")


def new_figure(size: tuple[float, float], rows: int = 1) -> Figure:
    """An empty figure without a window; in a column, its rows of panels are not too low."""
    library()
    from matplotlib.figure import Figure

    width = LOOK.get().width
    if width is not None:
        size = width, max(size[1] * width / size[0], rows * _RATIO * min(width, 5.0))
    return Figure(figsize=size, layout="constrained")


def enlarge(figure: Figure, across: float, down: float) -> None:
    """Make a figure larger by inches; a column does not get wider."""
    width, height = figure.get_size_inches()
    figure.set_size_inches(width if LOOK.get().width else width + across, height + down)


def side_by_side(figure: Figure | SubFigure, count: int, **settings: Any) -> list[Axes]:
    """Panels side by side, or in a column one below the other."""
    settings["squeeze"] = False
    if not LOOK.get().is_column:
        return list(figure.subplots(1, count, **settings).flat)
    settings.pop("width_ratios", None)
    if figure is figure.figure:  # not a part of a figure
        width, height = figure.figure.get_size_inches()
        enlarge(figure.figure, 0.0, max(0.0, count * _RATIO * width - height))
    return list(figure.subplots(count, 1, **settings).flat)


def label_rows(panels: Sequence[Axes], text: str) -> None:
    """The label of the shared vertical axis: of the first panel, or of all panels in a column."""
    for panel in panels if LOOK.get().is_column else panels[:1]:
        panel.set_ylabel(text)


def heading(figure: Figure | SubFigure, text: str) -> None:
    """The title of a whole figure."""
    if not LOOK.get().plain:
        lines = [part for line in text.splitlines() for part in _wrapped(line, figure.bbox.width / figure.dpi)]
        figure.suptitle("\n".join(lines), fontsize="medium" if LOOK.get().is_column else "large")


def legend_above(figure: Figure, handles: Sequence[Any], names: Sequence[str], most: int = 9, **settings: Any) -> None:
    """A legend above all panels, with at most this number of columns."""
    columns = min(len(names), _columns(names) if LOOK.get().is_column else most)
    settings |= {"fontsize": "small", "title_fontsize": "small", "frameon": False, "ncols": columns}
    figure.legend(handles, names, loc="outside upper center", **settings)


def _columns(names: Sequence[str]) -> int:
    """The number of columns of a legend; long names in a column of text have no others beside them."""
    return 1 if LOOK.get().is_column and max(map(len, names), default=0) > _SHORT_NAME else 2


def finish(figure: Figure) -> None:
    """Adjust a complete figure: thinner lines in a column, greys, and no title of the only panel if it is plain."""
    look = LOOK.get()
    panels = figure.get_axes()
    titled = [axes for axes in panels if axes.get_title()]
    if look.plain and len(titled) == 1:
        titled[0].set_title("")
    if look.is_column:
        _fit_column(figure)
    if look.greyscale:
        _make_grey(figure)


def _fit_column(figure: Figure) -> None:
    """Wrap titles and labels of axes, and make lines and markers smaller."""
    from matplotlib.lines import Line2D

    width = figure.get_figwidth() - _BESIDE
    for axes in figure.get_axes():
        for text, most in ((axes.title, width), (axes.xaxis.label, width), (axes.yaxis.label, _RATIO * width)):
            text.set_text("\n".join(part for line in text.get_text().splitlines() for part in _wrapped(line, most)))
    for line in figure.findobj(Line2D):
        line.set_linewidth(_THIN * line.get_linewidth())
        line.set_markersize(_SMALL_MARKER * line.get_markersize())


def _wrapped(text: str, width: float) -> list[str]:
    """A text in lines of this width in inches, if it is in a column."""
    import textwrap

    if not LOOK.get().is_column:
        return [text]
    return textwrap.wrap(text, max(10, int(72 * width / (_LETTER * library_font_size()))))


def _make_grey(figure: Figure) -> None:
    from matplotlib.colors import ListedColormap
    from matplotlib.image import AxesImage
    from matplotlib.text import Text

    for artist in figure.findobj():
        if isinstance(artist, AxesImage):
            shades = [_grey(shade) for shade in artist.get_cmap()(range(256))]
            artist.set_cmap(ListedColormap(shades))
        elif isinstance(artist, Text):
            artist.set_color(_grey(artist.get_color()))
        else:
            for name in ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor"):
                get, change = getattr(artist, f"get_{name}", None), getattr(artist, f"set_{name}", None)
                if get and change and not (name == "color" and hasattr(artist, "get_facecolor")):
                    change(_grey(get()))


def _grey(colour: Any) -> Any:
    """A colour, or an array of colours, in grey; special names such as "none" stay."""
    from matplotlib.colors import is_color_like, to_hex, to_rgba

    if isinstance(colour, str) and colour in ("none", "auto", "inherit"):
        return colour
    if not is_color_like(colour):
        return [_grey(part) for part in colour]
    red, green, blue, alpha = to_rgba(colour)
    known = _GREYS.get(to_hex(colour).upper())
    light = 0.299 * red + 0.587 * green + 0.114 * blue if known is None else to_rgba(known)[0]
    return (light, light, light, alpha)


def rc_parameters() -> dict[str, Any]:
    """Settings of matplotlib: fonts as text, embedded in PDF, and sizes relative to the font size."""
    return {
        "svg.hashsalt": "treescore",
        "svg.fonttype": "none",
        "pdf.fonttype": 42,
        "font.size": LOOK.get().font_size,
        "axes.titlesize": "medium",
        "hatch.linewidth": 0.7,
    }


def library_font_size() -> float:
    """The font size of matplotlib, in points."""
    size: float = library().rcParams["font.size"]
    return size


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
        axes.legend(fontsize="small", framealpha=0.8, **where)


def legend_below(axes: Axes, room: float = 40.0) -> None:
    """A legend below the axis and its numbers, which need `room` points at a font size of 10."""
    from matplotlib.transforms import ScaledTranslation

    room *= library_font_size() / 10
    below = axes.transAxes + ScaledTranslation(0, -room / 72, axes.figure.dpi_scale_trans)
    names = axes.get_legend_handles_labels()[1]
    columns = _columns(names)
    if LOOK.get().is_column:
        enlarge(axes.figure.figure, 0.0, -(-len(names) // columns) * _LINE * library_font_size() / 72)
    legend(axes, loc="upper center", bbox_to_anchor=(0.5, 0.0), bbox_transform=below, ncols=columns, borderaxespad=0.0)


def footer(figure: Figure | SubFigure, lines: Sequence[str]) -> None:
    """A footer, with long lines broken between options."""
    if LOOK.get().plain:
        return
    most = int(155 / library_font_size() * figure.bbox.width / figure.dpi)  # characters per line
    shown = [part for line in lines for part in lines_of(pieces(visible(line)), lambda part: len(part) <= most, "  ")]
    figure.supxlabel(
        "\n".join(map(plain, shown)), fontsize="x-small", color=GREY, x=0.01, ha="left", family="monospace"
    )


def plain(text: str) -> str:
    """Text from input, escaped so that matplotlib does not parse it as a formula.

    >>> print(plain("NP$x$"))
    NP\\$x\\$
    """
    return visible(text).encode("utf-8", "backslashreplace").decode().replace("$", "\\$")


def label(text: str) -> str:
    """Plain text for a legend; matplotlib omits labels that begin with an underscore."""
    return f" {plain(text)}" if text.startswith("_") else plain(text)
