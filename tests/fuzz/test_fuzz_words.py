"""Bytes of any kind through the readers of transcripts and alignments: nothing but clear errors, and nothing hangs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from strategies import hang_guard

from treescore import InputError, Problem, UsageError
from treescore.pairing.word_alignment import Matching
from treescore.pairing.word_reports import align_utterances
from treescore.readers.alignment_files import read_alignment_file
from treescore.readers.input_formats import ALIGNMENT_FORMATS, TRANSCRIPT_FORMATS
from treescore.readers.sclite_pra import read_sclite_pra
from treescore.readers.sclite_sgml import read_sclite_sgml
from treescore.readers.transcripts import read_transcripts, read_word_alignments
from treescore.render import formats_of

#: Pieces of which broken files are made.
PIECES = st.sampled_from(
    [
        *(b" ", b"\n", b"\r\n", b"\t", b"a", b"b", b"(s-1)", b"(s-2)", b"(", b")", b"{ ", b" / ", b" }", b" @ ", b";;"),
        *(b"f A 0.5 1 w\n", b"f A 2 .5 @ \n", b"f A * * <ALT_BEGIN>\n", b"f A * * <ALT>\n", b"f A * * <ALT_END>\n"),
        *(b"f A s 0 1 a b\n", b"f A s 1 2 <o> c\n", b"f A s 2 3 IGNORE_TIME_SEGMENT_IN_SCORING\n", b"1e9 ", b"nan "),
        *(b"a\ta\t000\n", b"\tb\t010\n", b"a\t\t100\n", b"000", b"// ", b'<SPEAKER id="s">\n', b'<PATH id="(s-1)">\n'),
        *(b'C,"a","b"', b":", b'D,"a",', b'I,,"b"', b",0.5+1.0", b'"', b"</PATH>\n", b"id: (s-1)\n", b"\xff", b"\xc3"),
        *(b"Scores: (#C #S #D #I) 1 1 0 0\n", b"REF:  a B\n", b"HYP:  a C\n", b"Eval:   S\n", b"***", b"\0", b"\xa0"),
    ]
)
BYTES = st.binary(max_size=100) | st.lists(PIECES, max_size=30).map(b"".join)


def check_places(problems: list[Problem] | tuple[Problem, ...], data: bytes) -> None:
    """Every problem has a place in the file."""
    for problem in problems:
        assert problem.message
        assert problem.line is not None
        assert 1 <= problem.line <= data.count(b"\n") + 1
        assert problem.column is None or 1 <= problem.column <= len(data) + 1


def check(data: bytes) -> None:
    """Read the bytes as everything that they might be."""
    with hang_guard():
        for format in (None, *ALIGNMENT_FORMATS, *TRANSCRIPT_FORMATS):
            reader: Callable[..., Any] = read_transcripts if format in TRANSCRIPT_FORMATS else read_word_alignments
            try:
                found = reader(data, format=format, on_error="keep")
            except InputError as error:
                assert error.problem.message
                continue
            if format in TRANSCRIPT_FORMATS:
                check_places(found.problems, data)
                hyp = found if format != "stm" else read_transcripts(b"f A 0.5 1 w\n", format="ctm")
                report = align_utterances(found, hyp)
            else:
                check_places(found.problems, data)
                report = found
            for form in formats_of("WordReport"):
                assert report.to(form).encode("utf-8", "surrogateescape") is not None
            if format in TRANSCRIPT_FORMATS:
                counts = report.counts
                assert format == "stm" or counts.errors == 0
                if format == "ctm":
                    try:
                        align_utterances(found, hyp, Matching(by_time=True))
                    except UsageError as error:
                        assert "alternatives" in str(error)


@given(BYTES)
@settings(max_examples=400)
def test_reading(data: bytes) -> None:
    check(data)


@pytest.mark.long
@settings.get_profile("long")
@given(BYTES)
def test_reading_much_more(data: bytes) -> None:
    check(data)


@pytest.mark.parametrize("piece", [b'C,"', b'"', b'C,"a","b":', b'","', b'":C,', b"<PATH>\n", b"{ ", b"a "])
def test_long_lines(piece: bytes) -> None:
    """What is long takes no longer than it must."""
    data = piece * 100_000
    with hang_guard(60):
        for text in (b"<PATH>\n" + data + b"\n</PATH>", data):
            read_sclite_sgml(text, on_error="keep")
            read_sclite_pra(
                b"Scores: (#C #S #D #I) 0 0 0 0\nREF: " + text + b"\nHYP: " + text + b"\nEval:", on_error="keep"
            )
            read_alignment_file(text, on_error="keep")
            for format in TRANSCRIPT_FORMATS:
                read_transcripts(text + b" (s-1)", format=format, on_error="keep")
