"""What all studies share: how they are written, and the options that every one of them has."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest
from command import treescore_inside

from treescore.studies.base import Study, Table

STUDY = Study(
    name="length",
    title="One & all",
    question="Is A_1 < B?",
    settings={"data": "a, b", "seed": 1},
    tables=(
        Table("Scores", {"system": "text", "F1": "share", "p": "p"}, [("A", -1e-9, 0.0)]),
        Table("Others", {"system": "text"}, []),
    ),
    findings="It is 5 % of_it.\nA second paragraph.",
)
TREE = "(S (NP (NN a)) (VP (VB b)))\n"


def test_markdown() -> None:
    text = STUDY.to("markdown")
    assert text.startswith("### One &amp; all\n\nIs A\\_1 &lt; B?\n\n**Scores**\n")
    assert "\nOthers: none\n\nIt is 5 % of\\_it.\n\nA second paragraph.\n\n`data: a, b`  \n`seed: 1`  \n" in text


def test_latex() -> None:
    text = STUDY.to("latex")
    assert text.startswith("\\paragraph{One \\& all} Is A\\_1 \\textless{} B?\n\n% Scores; needs")
    assert "\nOthers: none\n\nIt is 5 \\% of\\_it.\n\nA second paragraph.\n\n% data: a, b\n% seed: 1\n" in text


def test_html() -> None:
    text = STUDY.to("html")
    assert text.startswith("<h3>One &amp; all</h3>\n<p>Is A_1 &lt; B?</p>\n\n<table>")
    assert (
        "<p>Others: none</p>\n\n<p>It is 5 % of_it.</p>\n\n<p>A second paragraph.</p>\n\n<div>data: a, b</div>" in text
    )


def test_text() -> None:
    assert str(STUDY).startswith("One & all\nIs A_1 < B?\n\nScores\n\nsystem    F1        p\n")
    assert "A       0.00  <1e-300\n\nOthers: none\n\nIt is 5 % of_it.\n\nA second paragraph.\n\ndata: a, b\n" in str(
        STUDY
    )


def test_csv_has_the_settings() -> None:
    rows = list(csv.reader(STUDY.to("csv").splitlines()))
    assert rows[-4:] == [["Settings"], ["setting", "value"], ["data", "a, b"], ["seed", "1"]]


def test_small_print_tells_settings_apart() -> None:
    from treescore.studies import length

    figure = length.study(TREE, TREE, "parseval").figure()
    assert figure.get_supxlabel().startswith(
        "Labelled F1 of test by maximal length · data: gold (1 sentence); test · metrics:"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "x.png", "--plot", "x.png"], "is the file of both the result and the plot"),
        (["-o", "./x.png", "--plot", "x.png"], "is the file of both the result and the plot"),
        (["--plot", ""], "plot"),
    ],
)
def test_files_that_cannot_be_written(options: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "a.mrg").write_text(TREE)
    _, err = treescore_inside(tmp_path, "study", "length", "--gold", "a.mrg", "--test", "a.mrg", *options, code=2)
    assert message in err, err
    assert not (tmp_path / "x.png").exists()


def test_names_of_packed_files(tmp_path: Path) -> None:
    import gzip

    (tmp_path / "a.mrg").write_text(TREE)
    (tmp_path / "b.mrg.gz").write_bytes(gzip.compress(TREE.encode()))
    files = ["--gold", "a.mrg", "--test", "a.mrg", "b.mrg.gz"]
    out, _ = treescore_inside(tmp_path, "study", "metrics", *files, "-m", "parseval", "-m", "struct_iou")
    assert "data: a.mrg (1 sentence); a, b\n" in out


def test_plots_are_imported_when_they_are_drawn() -> None:
    code = (
        "import sys; from treescore.studies import correlation, length, metrics; "
        "print([name for name in ('treescore.plots', 'statistics', 'matplotlib') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
