"""Word alignment against recorded output of sclite: paths, scores and the lines that show them.

Input is ours. A case names the formats of reference and hypothesis and the options of sclite: -s keeps case, -D has
optional words, -c aligns characters, -T times; -e is the encoding, which is always UTF-8 here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from treescore.pairing.word_alignment import Matching
from treescore.pairing.word_reports import WordReport, align_utterances
from treescore.readers.sclite_pra import read_sclite_pra
from treescore.readers.sclite_sgml import read_sclite_sgml
from treescore.readers.transcripts import read_transcripts
from treescore.render.word_alignments import pra_lines, sgml_path

RECORDED = json.loads((Path(__file__).parent / "sclite.json").read_text(encoding="utf-8"))["cases"]
CASES = [pytest.param(case, id=f"{case['id']}-{case['about']}") for case in RECORDED]


def aligned(case: dict[str, Any]) -> WordReport:
    """The case by treescore."""
    options = case["options"]
    matching = Matching(
        fold_case="-s" not in options, optional="-D" in options, characters="-c" in options, by_time="-T" in options
    )
    ref, hyp = (read_transcripts(case[side] + "\n", format=case["formats"][n]) for n, side in enumerate(("ref", "hyp")))
    return align_utterances(ref, hyp, matching)


@pytest.mark.parametrize("case", CASES)
def test_paths_and_scores(case: dict[str, Any]) -> None:
    report = aligned(case)
    assert not report.problems
    assert [sgml_path(alignment) for alignment in report.alignments] == case["paths"]
    assert [" ".join(map(str, alignment.counts.parts)) for alignment in report.alignments] == case["scores"]
    shown = [line for alignment in report.alignments for line in pra_lines(alignment, in_bytes=True)]
    assert shown == case["pra"]


@pytest.mark.parametrize("case", CASES)
def test_recorded_paths_can_be_read(case: dict[str, Any]) -> None:
    """What sclite wrote gives the same steps as aligning the words again."""
    report = aligned(case)
    paths = "".join(f'<PATH id="(x)">\n{path}\n</PATH>\n' for path in case["paths"]).encode()
    blocks = [case["pra"][place : place + 3] for place in range(0, len(case["pra"]), 3)]
    shown = "".join(
        f"id: (x)\nScores: (#C #S #D #I) {scores}\n" + "\n".join(lines) + "\n\n"
        for scores, lines in zip(case["scores"], blocks, strict=True)
    ).encode()
    for read in (read_sclite_sgml(paths), read_sclite_pra(shown)):
        expected = [[row[0] for row in alignment.rows()] for alignment in report.alignments]
        assert [[row[0] for row in alignment.rows()] for alignment in read.alignments] == expected
        assert [it.counts for it in read.alignments] == [it.counts for it in report.alignments]


def test_the_file_holds_what_it_should() -> None:
    """All formats, and all options but the encoding, are there."""
    assert len(RECORDED) == 27
    assert {tuple(case["formats"]) for case in RECORDED} == {("trn", "trn"), ("ctm", "ctm"), ("stm", "ctm")}
    assert {option for case in RECORDED for option in case["options"]} == {"-s", "-D", "-c", "-T", "-e", "utf-8"}
