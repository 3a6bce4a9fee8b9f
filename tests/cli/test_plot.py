"""`--plot`: files of every kind, and errors before anything is scored."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import treescore

MISSING = "import sys; sys.modules['matplotlib'] = None; from treescore.cli import main; sys.exit(main(sys.argv[1:]))"


def test_plots_beside_the_result(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="NO PLOT IS TESTED: matplotlib is not installed")
    shown, output = treescore(tmp_path, "demo", "--plot", "a.PDF", "--plot", "a.svg", "--plot-kind", "label")
    assert shown.startswith("demo.test.mrg against demo.gold.mrg\n")
    assert output == ""
    assert (tmp_path / "a.PDF").read_bytes().startswith(b"%PDF")
    assert b"<svg" in (tmp_path / "a.svg").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plot", "plot.gif"], "plots are .pdf, .png or .svg files; 'plot.gif' has none of these suffixes"),
        (["--plot-kind", "levels"], "--plot-kind levels needs --plot FILE"),
        (["--plot", "no/such/folder/plot.png"], "no/such/folder/plot.png: No such file or directory"),
    ],
    ids=str,
)
def test_what_cannot_be_written(arguments: list[str], message: str, tmp_path: Path) -> None:
    shown, output = treescore(tmp_path, "demo", *arguments, code=2)
    assert shown == ""
    assert message in output
    assert not list(tmp_path.iterdir())


def test_without_matplotlib(tmp_path: Path) -> None:
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", MISSING, "demo", "--plot", "plot.png"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "plots need matplotlib, which is not installed; pip install 'treescore[plot]'" in done.stderr
    assert not list(tmp_path.iterdir())


def test_plot_of_a_comparison(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="NO PLOT IS TESTED: matplotlib is not installed")
    for name, tree in (("gold", "(S (A a) (B b))"), ("one", "(S (A a) (B b))"), ("two", "(S (X (A a) (B b)))")):
        (tmp_path / f"{name}.mrg").write_text(f"{tree}\n" * 4)
    files = ("compare", "gold.mrg", "one.mrg", "two.mrg")
    look = ("--plain", "--greyscale", "--width", "3.3in", "--font-size", "7pt")
    shown, output = treescore(tmp_path, *files, "--plot", "a.svg", "--plot", "a.pdf", *look)
    assert "one" in shown and output == ""
    assert 'width="237.6pt"' in (tmp_path / "a.svg").read_text() and (tmp_path / "a.pdf").stat().st_size
    for arguments, message in (
        (("--plain",), "--plain needs --plot FILE"),
        (("--font-size", "8"), "--font-size needs --plot FILE"),
        (("--plot", "b.svg", "--width", "0"), "width must be a positive number or a length such as 3.3in"),
        (("--plot", "gold.svg", "-o", "gold.svg"), "file of both the result and the plot"),
    ):
        assert message in treescore(tmp_path, *files, *arguments, code=2)[1]
