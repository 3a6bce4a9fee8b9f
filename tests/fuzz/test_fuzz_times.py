"""Bytes of any kind through the readers of word times: nothing but clear errors, sound times, and nothing hangs."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from strategies import hang_guard

from treescore import InputError, read_times
from treescore.helpers.text import encode
from treescore.readers.input_formats import TIMES_FORMATS
from treescore.render import pieces
from treescore.render.word_times import only_timed, textgrid

FOLDER = Path(__file__).parents[1] / "golden" / "word_times"
RECORDED = FOLDER.with_name("word_times_2026")
SAMPLES = [path.read_bytes() for path in sorted((*FOLDER.iterdir(), *RECORDED.rglob("*.*"))) if path.is_file()]
#: Pieces of which broken files are made.
PIECES = st.sampled_from(
    [
        *(
            b" ",
            b"\n",
            b"\r\n",
            b"\t",
            b'"',
            b'""',
            b"0",
            b"1",
            b"1e9",
            b"-1",
            b"nan",
            b"<exists>",
            b"so",
            b"\xff",
            b"\0",
        ),
        *(b'File type = "ooTextFile"\nObject class = "TextGrid"\n0 1 <exists> 1 ', b'"IntervalTier" "words" 0 1 2 '),
        *(b'"Praat chronological TextGrid text file" 0 1 1 "IntervalTier" "w" 0 1 ', b'0 0.5 "so" ', b'1 0.5 1 "no" '),
        *(b"f A 0.5 1 w\n", b"f A * * <ALT_BEGIN>\n", b"f A * * <ALT>\n", b"f A * * <ALT_END>\n", b"f A s 0 1 a b\n"),
        *(b"sw1A-ms98-a-0001 0 1 so\n", b"word\tstart\tend\tid\n", b"so\t0\t1\tu\n", b"u\tso\t0\t1\n", b"u\tso\t\t\n"),
        *(
            b'{"words": [',
            b'["so", 0, 1], ',
            b'{"word": "so", "start": 1}',
            b'{"segments": [',
            b"]}",
            b"null",
            b"{",
            b"[",
        ),
        *(
            b"<ANNOTATION_DOCUMENT>",
            b'<TIER TIER_ID="words">',
            b'<TIME_SLOT TIME_SLOT_ID="a"/>',
            b"</TIER>",
            b"]",
            b"}",
        ),
        *(
            b'<REF_ANNOTATION ANNOTATION_ID="a" ANNOTATION_REF="a"/>',
            b"</ANNOTATION_DOCUMENT>",
            b"<!DOCTYPE x>",
            b"&a;",
        ),
        *(
            b'<word nite:id="a" nite:start="0" nite:end="x" orth="so"/>',
            b"<r>",
            b"</r>",
            b"<punc>",
            b"</punc>",
            b"<?xml?>",
        ),
        *(
            b"WEBVTT\n\n",
            b"1\n00:00:00,100 --> 00:00:00,400\n",
            b"<00:00:01.300>",
            b"<v Ann>",
            b"#!MLF!#\n",
            b'"*/a.lab"\n',
        ),
        *(
            b"LEXEME m 1 0.5 0.4 we lex ann <NA>\n",
            b"0.5 122 so; s\n",
            b"#\n",
            b'u ",A," "0.1,0.5,0.9"\n',
            b"Class 0\n",
        ),
        *(
            b'{"results": [',
            b'{"alternatives": [',
            b'{"transcription": [',
            b'{"offsets": {"from": 1, "to": 2}, "text": " a"}',
        ),
    ]
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A sample with some of its bytes cut out, doubled, or replaced."""
    data = draw(st.sampled_from(SAMPLES))
    for _ in range(draw(st.integers(1, 3))):
        first, last = sorted((draw(st.integers(0, len(data))), draw(st.integers(0, len(data)))))
        new = draw(st.sampled_from([b"", data[first:last] * 2, b'"', b"\n", b"-", b"nan", b"\xff", b"<", b"1e99"]))
        data = data[:first] + new + data[last:] if draw(st.booleans()) else data[:first] + new + data[first:]
    return data


BYTES = st.binary(max_size=100) | st.lists(PIECES, max_size=20).map(b"".join) | damaged()


def written(utterances: Any, form: str) -> str:
    """The utterances in one of the output formats."""
    return "".join(pieces("Utterances", utterances, form))


def check(data: bytes) -> None:
    """Read the bytes as everything that they might be."""
    lines = data.count(b"\n") + data.count(b"\r") + 1
    with hang_guard():
        for format in (None, *TIMES_FORMATS):
            try:
                utterances = read_times(data, format=format)
            except InputError as error:
                assert error.problem.message
                continue
            for problem in utterances.problems:
                assert problem.message
                assert problem.action
                assert problem.line is None or 1 <= problem.line <= lines
            for item in utterances:
                assert item.transcript.times is not None
                assert item.lines is None or len(item.lines) == len(item.transcript.words)
                known = [time for time in item.transcript.times if time is not None]
                assert all(0 <= start < end for start, end in known)
                assert all(end <= start for (_, end), (start, _) in pairwise(known))
            assert len(read_times(encode(written(list(utterances), "jsonl")), format="jsonl")) == len(utterances)
            for item in only_timed(utterances)[0]:
                if all(len(encode(word).split()) == 1 for word in item.transcript.words):
                    assert read_times(encode(textgrid(item)), format="textgrid", tier="words")
            if not utterances.problems:
                read_times(data, format=format, on_error="raise")


@given(BYTES)
@settings(max_examples=100)
def test_reading(data: bytes) -> None:
    check(data)


@pytest.mark.long
@settings.get_profile("long")
@given(BYTES)
def test_reading_much_more(data: bytes) -> None:
    check(data)


@pytest.mark.parametrize(
    "piece", [b'"', b'""', b"0 ", b"<", b"! ", b"[", b'{"words":', b"a\t", b"f A 0 1 w\n", b"\xff", b"<a>"]
)
def test_long_files(piece: bytes) -> None:
    """What is long takes no longer than it must."""
    head = b'File type = "ooTextFile"\nObject class = "TextGrid"\n0 1 <exists> 1 "IntervalTier" "words" 0 1 2 '
    with hang_guard(60):
        for data in (piece * 5_000, head + piece * 5_000):
            for format in (None, *TIMES_FORMATS):
                try:
                    read_times(data, format=format)
                except InputError as error:
                    assert error.problem.message
