"""Figure 1 of Roark et al. (2006), SParseval: words, recognised words, and their alignment row by row.

The alignment is an external one: sclite's costs choose another alignment of the same words. It must be used as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from command import sparseval, treescore_inside
from oracle.sparseval import main as oracle

import treescore
from treescore.readers.transcripts import read_word_alignments

REFERENCE = ("I like Baltimore in August", "I think everyone does", "do n't you")
RECOGNISED = ("I like baldies more in August", "I think very wonton 's", "donut you")
#: Reference word, recognised word, code: 000 match, 001 substitution, 010 insertion, 100 deletion.
ROWS = (
    ("I", "I", "000"),
    ("like", "like", "000"),
    ("Baltimore", "baldies", "001"),
    ("", "more", "010"),
    ("in", "in", "000"),
    ("August", "August", "000"),
    ("I", "I", "000"),
    ("think", "think", "000"),
    ("everyone", "very", "001"),
    ("does", "wonton", "001"),
    ("", "'s", "010"),
    ("do", "donut", "001"),
    ("n't", "", "100"),
    ("you", "you", "000"),
)
FIGURE = "".join("\t".join(row) + "\n" for row in ROWS)


def test_the_rows_have_the_words_of_the_figure() -> None:
    assert [ref for ref, _, _ in ROWS if ref] == " ".join(REFERENCE).split()
    assert [hyp for _, hyp, _ in ROWS if hyp] == " ".join(RECOGNISED).split()


def test_the_alignment_is_read_and_written_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "figure.align").write_text(FIGURE)
    (alignment,) = read_word_alignments(tmp_path / "figure.align").alignments
    kinds = [{"000": "C", "001": "S", "010": "I", "100": "D"}[code] for _, _, code in ROWS]
    assert [kind for kind, _, _ in alignment.ops] == kinds
    assert treescore_inside(tmp_path, "align", "words", "figure.align", "-f", "sparseval")[0] == FIGURE


def test_word_errors_by_segment() -> None:
    """4 substitutions, 2 insertions and 1 deletion: as many errors as in the best alignment by segment."""
    best = [treescore.align_words(ref, hyp) for ref, hyp in zip(REFERENCE, RECOGNISED, strict=True)]
    assert [alignment.counts.errors for alignment in best] == [2, 3, 2]
    assert sum(code != "000" for _, _, code in ROWS) == 7
    # Of the alignments by segment with these costs, the one with the earliest gaps is chosen.
    assert best[0].ops[2][0] == "I"
    # Without segments, five substitutions and one insertion are cheaper.
    whole = treescore.align_words(" ".join(REFERENCE), " ".join(RECOGNISED))
    assert whole.counts.errors == 6


def trees(segments: tuple[str, ...]) -> str:
    return "".join("(TOP (S " + " ".join(f"(X {word})" for word in segment.split()) + "))\n" for segment in segments)


def write_files(folder: Path) -> None:
    for name, text in (("gold", trees(REFERENCE)), ("test", trees(RECOGNISED)), ("figure.align", FIGURE)):
        (folder / name).write_text(text)


@pytest.mark.parametrize("program", [sparseval, oracle])
def test_brackets_of_the_program(program: Callable[..., tuple[bytes, bytes, int]], tmp_path: Path) -> None:
    """By hand, with the rows as positions: gold has TOP 0-14 and S 0-6, 6-10, 10-14; test has TOP 0-14 and S 0-6, 6-11,
    11-14. So TOP and the first S match, and the second S of test crosses the third S of gold.
    """
    write_files(tmp_path)
    stdout, stderr, code = program(["sparseval", "-v", "-a", "figure.align", "gold", "test"], tmp_path)
    row = next(line.split() for line in stdout.decode().splitlines() if line.startswith("Total:"))
    assert (code, row[1:5]) == (0, ["2", "4", "4", "1"])
    assert b"mis-alignment" not in stderr


@pytest.mark.parametrize("unit", ["file", "line"])
def test_words_of_the_metric(unit: str, tmp_path: Path) -> None:
    write_files(tmp_path)
    metric = f"sparseval|unit:{unit}|align:{tmp_path / 'figure.align'}"
    report = treescore.evaluate(tmp_path / "gold", tmp_path / "test", metric)
    counts = report.scores[0].counts.total()
    assert [counts[name] for name in ("substituted", "deleted", "inserted")] == [4, 1, 2]
    assert report.scores[0].figures["wer"].value == pytest.approx(7 / 12)
    assert not report.problems
