"""Plots: what they show, what becomes of odd input, and that files are the same whenever they are made."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import treescore
from treescore import plots
from treescore.analysis import series
from treescore.cli.results import PLOTS
from treescore.plots.look import new_figure
from treescore.plots.systems import comparison_figures

matplotlib: Any = pytest.importorskip("matplotlib", reason="NO PLOT IS TESTED: matplotlib is not installed")

GOLD = ["(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)))", "(S (NN a))", "(S " + "(NN a) " * 23 + ")"]
TEST = ["(S (NP (NN a)) (VP (VB b)))", "(S (VP (NN a)))", "", "(X " + "(NN a) " * 23 + ")"]
SINGLE = (plots.histogram, plots.by_length, plots.by_label, plots.levels)


@pytest.fixture(scope="module")
def report() -> treescore.Report:
    """Four sentences under two metrics."""
    return treescore.evaluate(GOLD, TEST, ["parseval|profile:none", "struct_iou"])


def drawn(figure: Any) -> None:
    """Draw it, as all that could be wrong shows only then."""
    figure.savefig(io.BytesIO(), format="svg")


def texts(figure: Any) -> list[str]:
    """All that is written in it."""
    return [text.get_text() for text in figure.findobj(matplotlib.text.Text)]


def test_what_is_shown(report: treescore.Report) -> None:
    axes: Any
    figure: Any
    [axes] = plots.histogram(report, bins=10).axes
    assert [bar.get_height() for bar in axes.patches] == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]  # the last one is hatched
    assert {"mean: 50.00", "without a score: 1", "exactly 100: 1"} <= set(texts(axes))
    figure = plots.by_length(report)
    assert [list(line.get_ydata()) for line in figure.axes[0].lines] == [[80.0, 0.0], [75.0, 0.0]]
    assert {"1–10", "21–30", "Labelled F1", "words"} <= set(texts(figure))
    figure = plots.by_label(report)
    assert "NP (2)" in texts(figure)
    assert any(
        text.startswith("parseval|labels:yes|profile:none") and text.endswith("3 of 4 sentences scored")
        for text in texts(figure)
    )
    assert {"Labelled F1", "Labelled precision"} <= set(texts(figure))
    assert "STRUCT-IOU" in texts(plots.by_label(report, "struct_iou").axes[0].get_legend())
    figure = plots.levels(report)
    assert {"Labelled F1: corpus level", "STRUCT-IOU: mean of sentences"} <= set(texts(figure))


def test_undefined_is_not_zero(report: treescore.Report, monkeypatch: pytest.MonkeyPatch) -> None:
    shares = {"title": "F1", "signature": "m", "names": ("f1",), "titles": ("F1",), "left_out": 0}
    data = series.ByLabel(labels=("NP", "VP", "X"), gold=(2, 1, 0), columns=((0.0, 1.0, None),), **shares)  # type: ignore[arg-type]
    monkeypatch.setattr(series, "by_label", lambda *_, **__: data)
    axes: Any = plots.by_label(report).axes[0]
    assert [bar.get_width() for bar in axes.patches] == [0, 100]
    assert [text.get_position()[1] for text in axes.texts if text.get_text() == "–"] == [2]


def test_nothing_hides_a_line() -> None:
    both = treescore.compare(GOLD, {"A": TEST, "B": TEST}, "parseval|profile:none")
    for make in (plots.levels, plots.by_length):
        figure: Any = make(both)
        lines = figure.axes[0].lines
        assert list(lines[0].get_ydata()) == list(lines[2].get_ydata())
        sizes = [(line.get_linewidth(), line.get_markersize()) for line in lines]
        assert sizes[0] > sizes[2] and sizes[1] > sizes[3]
        figure.draw_without_rendering()
        legend = figure.axes[0].get_legend().get_window_extent()
        assert legend.y1 < figure.axes[0].get_window_extent().y0 and legend.y0 > 0


def test_several_systems(report: treescore.Report) -> None:
    both = treescore.compare(GOLD, {"_A_$x$": TEST, "B": GOLD}, "parseval|profile:none")
    for make in SINGLE:
        assert any(" _A_\\$x\\$" in text for text in texts(make(both)))
        assert texts(make(both)) == texts(make(both.reports))
    points = series.systems(both.reports, "_A_$x$", "B")
    figure = plots.scatter(points)
    assert "B higher: 3\nequal: 1" in texts(figure)
    drawn(figure)
    with pytest.raises(treescore.UsageError, match="no report"):
        plots.histogram({})


def test_text_from_input_is_never_a_formula() -> None:
    names = ["NP$\\frac$", "$", "\x1b[31m", "a\nb", "\\alpha^2", "名"]
    tree = "(S " + " ".join(f"({name.replace(chr(10), '_')} (NN a))" for name in names) + ")"
    odd = treescore.evaluate([tree], [tree], "parseval|profile:none")
    figure: Any = plots.by_label(odd)
    labels = [label for label in figure.axes[0].get_yticklabels() if "frac" in label.get_text()]
    assert [label._preprocess_math(label.get_text()) for label in labels] == [("NP$\\frac$ (1)", False)]
    assert not any(text._preprocess_math(text.get_text())[1] for text in figure.findobj(matplotlib.text.Text))
    assert any("\\x1b[31m" in text for text in texts(figure))
    remarks = plots.write(odd, io.BytesIO(), "label", form="svg")
    assert remarks == ["the font of the plot has no CJK UNIFIED IDEOGRAPH-540D"]
    undecodable = plots.confusion({("a\udcff", "$b$"): 1, ("", "c"): 2})
    assert {"a\\udcff", "\\$b\\$", "(empty)"} <= set(texts(undecodable))
    drawn(undecodable)


def test_confusion() -> None:
    pairs = {("NP", "NP"): 90, ("NP", "VP"): 10, ("VP", "VP"): 5, ("X", "NP"): 1, ("Y", "X"): 1}
    figure: Any = plots.confusion(pairs, most=2, title="labels")
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["NP", "VP", "(others)"]
    assert figure.axes[0].images[0].get_array().tolist() == [[0, 10, 0], [0, 0, 0], [50, 0, 0]]
    figure = plots.confusion({("NP", None): 1, (None, "NP"): 2, ("NP", "NP"): 1, ("X", "X"): 1}, most=1)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["NP", "(others)", "(nothing)"]
    assert figure.axes[0].images[0].get_array().tolist() == [[0, 0, 50], [0, 0, 0], [100, 0, 0]]
    assert "there are no pairs of labels" in texts(plots.confusion({}))


def test_what_is_not_there_is_said() -> None:
    nothing = treescore.evaluate([], [], "parseval")
    for make in SINGLE:
        assert "no sentence has a score" in texts(make(nothing)) or "there are no labels" in texts(make(nothing))
    undefined = treescore.evaluate(GOLD[:2], ["", ""], ["parseval", "dependencies"])
    assert "dependencies has no table by label" in texts(plots.by_label(undefined, "dependencies"))
    figure = plots.overview(undefined, "parseval")
    assert "no sentence has a score" in texts(figure)
    drawn(figure)
    points = series.metrics(undefined, "parseval", "dependencies")
    assert "no sentence has a score on both sides" in texts(plots.scatter(points))


def test_files_are_the_same_whenever_they_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = treescore.evaluate(GOLD[:1], TEST[:1])
    plots.write(report, tmp_path / "plot.png", "histogram")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG") and b"Software" not in (
        tmp_path / "plot.png"
    ).read_bytes()
    for suffix in ("pdf", "svg"):
        path = tmp_path / f"plot.{suffix}"
        assert plots.write(report, path, "histogram") == []
        first = path.read_bytes()
        monkeypatch.setitem(matplotlib.rcParams, "font.size", 20.0)  # what users like does not matter
        monkeypatch.setitem(matplotlib.rcParams, "text.usetex", True)
        before = dict(matplotlib.rcParams)
        plots.write(report, path, "histogram")
        assert path.read_bytes() == first
        assert dict(matplotlib.rcParams) == before


def test_pages(report: treescore.Report) -> None:
    assert tuple(plots.KINDS) == PLOTS
    assert len(plots.KINDS["histogram"](report, False)) == 1
    assert len(plots.KINDS["overview"](report, True)) == 3
    file = io.BytesIO()
    plots.write(report, file, "histogram", form="pdf")
    assert file.getvalue().count(b"/Type /Page ") == 2


def test_what_cannot_be_plotted(monkeypatch: pytest.MonkeyPatch, report: treescore.Report) -> None:
    for name in ("plot", "plot.gif", "-", "", os.devnull):
        with pytest.raises(treescore.UsageError, match=r"plots are \.pdf, \.png or \.svg files"):
            plots.check(name)
    with pytest.raises(treescore.UsageError, match="no kind of plot 'pie'; known: overview, histogram"):
        plots.write(report, "plot.pdf", "pie")
    with pytest.raises(treescore.UsageError, match=r"too many metrics for one picture; a \.pdf has pages"):
        plots.writing._save(new_figure((7.0, 600.0)), io.BytesIO(), "png")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(treescore.UsageError, match=r"pip install 'treescore\[plot\]'"):
        plots.check("plot.pdf")
    with pytest.raises(treescore.UsageError, match=r"pip install 'treescore\[plot\]'"):
        plots.histogram(report)


@pytest.fixture(scope="module")
def summary() -> Any:
    """Three systems by two metrics."""
    systems = {"first": TEST, "second": GOLD, "third with a long name": [GOLD[0], *TEST[1:]]}
    return treescore.compare(GOLD, systems, ["parseval|profile:none", "struct_iou"]).summary(n=100)


def checked(draw: Any, **look: Any) -> Any:
    """The first page, drawn for a file, after the checks that no text is cut off or over other text."""
    pages: list[Any] = []

    def kept() -> list[Any]:
        pages.extend(draw())
        return pages

    plots.writing.save(kept, io.BytesIO(), "pdf", **look)  # which computes the layout
    for page in pages:
        page.set_dpi(72)  # as in the PDF
        area = page.bbox
        placed = []
        hidden = [label for axes in page.get_axes() for label in _hidden_labels(axes)]
        for text in page.findobj(matplotlib.text.Text):
            box = text.get_window_extent()
            if not text.get_text().strip() or not text.get_visible() or box.width * box.height == 0:
                continue
            if text in hidden:
                continue
            assert box.x0 > area.x0 - 2 and box.x1 < area.x1 + 2, text.get_text()
            assert box.y0 > area.y0 - 2 and box.y1 < area.y1 + 2, text.get_text()
            placed.append((text.get_text(), box))
        for number, (text, box) in enumerate(placed):
            for other, another in placed[:number]:
                assert not _overlap(box, another), (text, other)
    return pages[0]


def _hidden_labels(axes: Any) -> list[Any]:
    """Labels of ticks that are not drawn, because they are outside the limits of their axis."""
    labels = []
    for axis in (axes.xaxis, axes.yaxis):
        drawn = axis._update_ticks() if axes.axison and axis.get_visible() else []
        for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
            labels += [] if tick in drawn else [tick.label1, tick.label2]
    return labels


def _overlap(a: Any, b: Any) -> bool:
    across, down = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
    return bool(across > 1.5 and down > 1.5)


@pytest.mark.parametrize("width", ["3.3in", None])
def test_no_text_is_cut_off(report: treescore.Report, summary: Any, width: str | None) -> None:
    for kind in plots.KINDS:
        checked(lambda kind=kind: plots.KINDS[kind](report, True), width=width)
    for paged in (True, False):
        checked(lambda paged=paged: comparison_figures(summary, paged), width=width)


def test_systems_compared(summary: Any) -> None:
    [figure] = comparison_figures(summary.replace(metrics=summary.metrics[:1]), paged=False)
    scores, differences, outcomes = figure.get_axes()
    shown = summary.metrics[0]
    assert [label.get_text() for label in scores.get_yticklabels()] == [system.name for system in shown.systems]
    lines: list[Any] = list(differences.lines)
    values = [line.get_xdata()[0] for line in lines if line.get_marker() == "o"]
    assert values == [pytest.approx(100 * pair.test.difference) for pair in shown.pairs]
    counts = [[bar.get_width() for bar in bars] for bars in outcomes.containers]
    assert counts == [[getattr(pair, name) for pair in shown.pairs] for name in ("wins", "ties", "losses")]
    assert {bar.get_hatch() for bar in outcomes.containers[2]} == {"////"}
    assert plots.comparison(summary).get_axes()


def test_plain_plots_have_no_notes(report: treescore.Report, summary: Any) -> None:
    for draw in (lambda: plots.KINDS["overview"](report, True), lambda: comparison_figures(summary, True)):
        shown = " ".join(texts(checked(draw, plain=True)))
        assert not any(text in shown for text in ("parseval|", "v:0", "seed", "against", "sentences scored"))
        assert "v:0" in " ".join(texts(checked(draw)))
    assert "Scores of sentences" not in texts(checked(lambda: plots.KINDS["histogram"](report, True), plain=True))


def test_greyscale_plots(report: treescore.Report, summary: Any) -> None:
    for draw in (lambda: plots.KINDS["overview"](report, True), lambda: comparison_figures(summary, True)):
        file = io.BytesIO()
        plots.writing.save(draw, file, "svg", greyscale=True)
        colours = set(re.findall(r"#([0-9a-f]{6})\b", file.getvalue().decode()))
        assert colours and all(colour[:2] == colour[2:4] == colour[4:] for colour in colours)


def test_sizes_and_fonts(report: treescore.Report, tmp_path: Path) -> None:
    plots.write(report, tmp_path / "plot.png", "histogram", width="2in", font_size="6pt")
    assert int.from_bytes((tmp_path / "plot.png").read_bytes()[16:20], "big") == 2 * 192
    plots.write(report, tmp_path / "plot.svg", "histogram", width="90mm")
    svg = (tmp_path / "plot.svg").read_text()
    assert "<text" in svg and ">Scores of sentences<" in svg  # text is text
    for options in ({"width": "wide"}, {"font_size": -1}):
        with pytest.raises(treescore.UsageError, match="must be a positive number or a length"):
            plots.write(report, tmp_path / "none.pdf", **options)
    plots.write(report, tmp_path / "plot.pdf", "histogram")
    program = shutil.which("pdffonts")
    if program is None:
        pytest.skip("pdffonts is not installed")
    fonts = subprocess.run([program, tmp_path / "plot.pdf"], capture_output=True, text=True, check=True).stdout
    assert all(line.split()[-5:-2] == ["yes", "yes", "yes"] for line in fonts.splitlines()[2:])
