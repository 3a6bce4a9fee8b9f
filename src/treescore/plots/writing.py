"""Plot files: PDF, PNG and SVG, with the same bytes for the same report."""

from __future__ import annotations

import os

from ..helpers.new_files import replacing
from ..values.problem import UsageError
from ..values.suggestions import suggestion
from .figures import levels, overview, profiles
from .look import LAST_PAGE, LOOK, SIZE, finish, library, look_of, new_figure, rc_parameters
from .panels import by_name, draw_histogram, draw_label, draw_length, draw_metrics, sign, signatures

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, BinaryIO

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..scoring.report import Report

SUFFIXES = ("pdf", "png", "svg")
#: Dots per inch without and with a width, and the limit of matplotlib in dots.
_DOTS, _FINE_DOTS, _MOST_DOTS = 120, 192, 1 << 16


def check(path: str, **look: Any) -> None:
    """Refuse unknown suffixes, a missing matplotlib and wrong lengths before long work begins."""
    suffix(path)
    library()
    look_of(**look)


def write(
    report: Report, file: str | os.PathLike[str] | BinaryIO, kind: str = "overview", *, form: str = "", **look: Any
) -> list[str]:
    """Write plots of all metrics of a report as PDF, PNG or SVG, and return remarks on missing parts.

    A PDF has a page for each metric; in PNG and SVG, plots are below each other. The same report gives the same bytes.
    `plain`, `width`, `font_size` and `greyscale` are as for pictures of trees (`treescore.draw.svg`).
    """
    if kind not in KINDS:
        raise UsageError(f"there is no kind of plot {kind!r}; {suggestion(kind, KINDS)}")
    form = form or suffix(file)
    return save(lambda: KINDS[kind](report, form == "pdf"), file, form, **look)


def save(
    draw: Callable[[], list[Figure]], file: str | os.PathLike[str] | BinaryIO, form: str, **look: Any
) -> list[str]:
    """Write figures, and return remarks on missing parts; the same figures give the same bytes."""
    if isinstance(file, str | os.PathLike):
        with replacing(file) as out:
            return save(draw, out, form, **look)
    token = LOOK.set(look_of(**look))
    try:
        return _save_figures(draw, file, form)
    finally:
        LOOK.reset(token)


def _save_figures(draw: Callable[[], list[Figure]], file: BinaryIO, form: str) -> list[str]:
    import warnings

    plotting = library()
    with plotting.rc_context(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        plotting.rcdefaults()  # the output must not depend on user settings
        plotting.rcParams.update(rc_parameters())
        pages = draw()
        for page in pages:
            finish(page)
        if form == "pdf":
            from matplotlib.backends.backend_pdf import PdfPages

            with PdfPages(file, metadata={"CreationDate": None}) as pdf:
                for page in pages:
                    pdf.savefig(page)
        else:
            _save(pages[0], file, form)
    return _remarks([str(warning.message) for warning in caught])


def _save(page: Figure, file: BinaryIO, form: str) -> None:
    dots = _DOTS if LOOK.get().width is None else _FINE_DOTS
    if page.get_figheight() * dots >= _MOST_DOTS:
        raise UsageError("there are too many metrics for one picture; a .pdf has pages for them")
    page.savefig(file, format=form, dpi=dots, metadata={"Date": None} if form == "svg" else {"Software": None})


def _remarks(warnings: list[str]) -> list[str]:
    """The warnings of matplotlib, with missing glyphs combined.

    >>> _remarks(["Glyph 21517 (\\\\N{CJK UNIFIED IDEOGRAPH-540D}) missing from font(s) DejaVu Sans.", "too small"])
    ['too small', 'the font of the plot has no CJK UNIFIED IDEOGRAPH-540D']
    """
    lost = sorted({text.partition("\\N{")[2].partition("}")[0] for text in warnings if text.startswith("Glyph")})
    others = list(dict.fromkeys(text for text in warnings if not text.startswith("Glyph")))
    return [*others, *([f"the font of the plot has no {', '.join(lost)}"] if lost else [])]


def _overviews(report: Report, paged: bool) -> list[Figure]:
    chosen = signatures(report)
    if not paged or len(chosen) == 1:
        return [overview(report)]
    last = new_figure(LAST_PAGE)
    draw_metrics(last, report, chosen)
    return [*(overview(report, signature) for signature in chosen), last]


def _each(draw: Callable[[Axes, Mapping[str, Report], str], None]) -> Callable[[Report, bool], list[Figure]]:
    """A page for each metric, or one page for all metrics."""

    def pages(report: Report, paged: bool) -> list[Figure]:
        named, chosen = by_name(report), signatures(report)
        figures = []
        for group in [[signature] for signature in chosen] if paged else [chosen]:
            figure = new_figure((SIZE[0], SIZE[1] * len(group)), len(group))
            parts = figure.subfigures(len(group), 1, squeeze=False)[:, 0]
            for part, signature in zip(parts, group, strict=True):
                draw(part.subplots(), named, signature)
                sign(part, named, [signature])
            figures.append(figure)
        return figures

    return pages


#: The kinds of plots: functions of a report, and whether it may have several pages, to pages.
KINDS: dict[str, Callable[[Report, bool], list[Figure]]] = {
    "overview": _overviews,
    "histogram": _each(lambda axes, named, metric: draw_histogram(axes, named, metric, 20)),
    "length": _each(lambda axes, named, metric: draw_length(axes, named, metric, None)),
    "label": _each(lambda axes, named, metric: draw_label(axes, named, metric, 20)),
    "levels": lambda report, _: [levels(report)],
    "profiles": lambda report, _: [profiles(report)],
}


def suffix(path: object) -> str:
    """The format of a plot, by the file name."""
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else ""
    form = os.path.splitext(name)[1][1:].lower()
    if form not in SUFFIXES:
        raise UsageError(f"plots are .pdf, .png or .svg files; {name!r} has none of these suffixes")
    return form
