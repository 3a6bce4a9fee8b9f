"""`--ci` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import treescore_inside

from treescore import evaluate

GOLD = "(S (NP (NN a)) (VB b))\n(S (NP (NN a)))\n(S (NN a) (NN b))\n"
TEST = "(S (NN a) (VB b))\n(S (VP (NN a)))\n(S (NN a) (NN b))\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold").write_text(GOLD)
    (tmp_path / "test").write_text(TEST)
    (tmp_path / "units").write_text("one\ntwo\none\n")
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0) -> tuple[str, str]:
    """Standard output and standard error."""
    return treescore_inside(folder, "gold", "test", "-m", "parseval|profile:none", *arguments, code=code)


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "csv", "html"])
def test_every_format_has_them(form: str, folder: Path) -> None:
    out, _ = run(folder, "--ci", "--ci-samples", "200", "-f", form)
    result = evaluate(GOLD, TEST, "parseval|profile:none").intervals(n=200)["f1"]
    assert result.low is not None and result.high is not None and result.low < result.high
    ends = f"{result.low},{result.high}" if form == "csv" else f"{100 * result.low:.2f} to {100 * result.high:.2f}"
    assert ends in next(line for line in out.splitlines() if "Labelled F1" in line or "parseval,f1" in line)
    assert "|ci:percentile|level:0.95|n:200|seed:1|unit:sentence" in out


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_for_programs(form: str, folder: Path) -> None:
    options = ("--ci-method", "bca", "--ci-level", "90", "--ci-seed", "0", "--ci-samples", "50", "--ci-units", "units")
    out, _ = run(folder, "--ci", *options, "-f", form)
    score = json.loads(out)["scores"][0] if form == "json" else json.loads(out)
    signature = "ci:bca|level:0.9|n:50|seed:0|unit:document@34d4822e"
    assert score["full_signature"] == f"{score['signature']}|{signature}"
    assert score["interval"]["signature"] == signature and score["interval"] == score["intervals"]["f1"]
    assert score["interval"]["low"] <= score["value"] <= score["interval"]["high"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--ci-seed", "0"], "--ci-seed needs --ci"),
        (["--ci", "-f", "evalb"], "the format evalb has no intervals"),
        (["--ci", "-f", "csv", "--by", "label"], "with --by the format csv has no totals"),
        (["--ci", "-f", "jsonl", "--per-sentence"], "with --per-sentence the format jsonl has no totals"),
        (["--ci", "--ci-level", "100"], "'100' is not a percentage between 0 and 100"),
        (["--ci", "--ci-samples", "0"], "'0' is not a whole number from 1 to 10,000,000"),
        (["--ci", "--ci-seed", "-1"], "'-1' is not a seed"),
        (["--ci", "--ci-unit", "side"], "have no ids, so their side is unknown"),
        (["--ci", "--ci-units", "test"], None),
        (["--ci", "--ci-units", "short"], "short must have one line per sentence: it has 2 names for 3 gold sentences"),
        (["--ci", "--ci-units", "gap"], "gap:2: this line is empty"),
        (["--ci", "--ci-units", "nowhere"], "nowhere: No such file"),
    ],
    ids=str,
)
def test_what_cannot_be_done(options: list[str], message: str | None, folder: Path) -> None:
    (folder / "short").write_text("one\ntwo\n")
    (folder / "gap").write_text("one\n\ntwo\n")
    _, err = run(folder, *options, code=2 if message else 0)
    assert message is None or message in err


def test_level_1_may_mean_two_things(folder: Path) -> None:
    _, err = run(folder, "--ci", "--ci-level", "1", code=2)
    assert "'1' is ambiguous: write 0.01 for 1 %" in err


def test_a_level_keeps_its_digits(folder: Path) -> None:
    out, _ = run(folder, "--ci", "--ci-level", "99.99999")
    assert "  99.99999 % interval  " in out and "|level:0.9999999|" in out


@pytest.mark.parametrize(
    "options", [["-o", "units"], ["--plot", "units.svg"], ["-m", "struct_iou", "--node-mappings", "units"]]
)
def test_the_file_of_units_is_kept(options: list[str], folder: Path) -> None:
    (folder / "units.svg").write_text((folder / "units").read_text())
    _, err = run(folder, "--ci", "--ci-units", options[-1], *options, code=2)
    assert "is an input file" in err
    assert (folder / "units").read_text() == (folder / "units.svg").read_text() == "one\ntwo\none\n"


def test_only_one_file_is_standard_input(folder: Path) -> None:
    _, err = treescore_inside(folder, "-", "test", "--ci", "--ci-units", "-", code=2)
    assert "only one of the files can be standard input" in err


def test_lines_of_units_end_where_wc_says(folder: Path) -> None:
    (folder / "odd").write_bytes("a\u2028b\r\nc\fd\r\na\u2028b\r\n".encode())
    out, _ = run(folder, "--ci", "--ci-units", "odd", "--ci-samples", "50")
    assert "50 samples of 2 documents, seed 1\nwith fewer than 20 documents, intervals are too narrow\n" in out


def test_one_sentence_has_no_interval(folder: Path) -> None:
    (folder / "gold").write_text("(S (NP (NN a)) (VB b))\n")
    (folder / "test").write_text("(S (NN a) (VB b))\n")
    out, _ = run(folder, "--ci")
    line = next(line for line in out.splitlines() if line.startswith("Labelled F1"))
    assert line.split()[:4] == ["Labelled", "F1", "66.67", "–"]
    assert "there are no intervals: one sentence does not show any variation\n" in out


def test_samples_without_a_value_are_told_for_every_figure(folder: Path) -> None:
    (folder / "gold").write_text("(S (NP-SBJ (NN a)))\n(S (NN a))\n(S (NN a))\n(S (NN a))\n")
    out, _ = treescore_inside(folder, "gold", "gold", "-m", "functions", "--ci", "--ci-samples", "100")
    assert "samples in which a figure has no value, left out of its interval: " in out


def test_a_signature_with_an_interval_is_explained(folder: Path) -> None:
    signature = "struct_iou|v:0.2.0.dev0|ci:bca|level:0.99|n:50|seed:0|unit:document"
    out, _ = treescore_inside(folder, "info", signature)
    assert "  99 % intervals by the bootstrap (bca): 50 samples of documents, seed 0\n" in out
    for broken, message in (("ci:bca|n:1", "lacks level, seed, unit"), ("ci:x|level:y|n:1|seed:1|unit:z", "not 'y'")):
        _, err = treescore_inside(folder, "info", f"struct_iou|{broken}", code=2)
        assert message in err


def test_one_scored_sentence_among_others_has_no_interval() -> None:
    trees = ["(S (NP (NN a)) (VB b))"] * 30
    for kept in (1, 2, 25):
        report = evaluate(trees, ["(S (NN a) (VB b))"] * kept + ["()"] * (30 - kept), ci=True)
        interval = report["parseval"].interval
        assert interval is not None and (interval.rows, interval.scored) == (30, kept)
        assert (interval.low is None) == (kept == 1)
        assert ("does not show any" in str(report)) == (kept == 1)
        assert ("are too narrow" in str(report)) == (kept == 2)
