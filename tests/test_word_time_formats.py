"""Formats of word times of which there is no recorded sample, and what programs write seldom."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from treescore import InputError, UsageError, read_times
from treescore.readers.captions import read_srt
from treescore.readers.eaf_slots import filled_slots
from treescore.words.units import seconds_of_unit
from treescore.words.utterance import Utterances

Words = list[tuple[str, tuple[float, float] | None]]


def words_of(result: Utterances) -> list[Words]:
    """Words and times of all utterances."""
    return [list(zip(it.transcript.words, it.transcript.times or (), strict=True)) for it in result]


def item(word: str, start: Any, end: Any, **more: Any) -> dict[str, Any]:
    return {"word": word, "start": start, "end": end, **more}


GO_ON: list[Words] = [[("Go", (0.1, 0.3)), ("on.", (0.3, 0.8))]]
SAID = "pronunciation"
GENERIC = [item("Go", 0.1, 0.3), item("on.", 0.3, 0.8)]
AWS_ITEMS = [
    {"start_time": "0.1", "end_time": "0.3", "type": SAID, "alternatives": [{"content": "Go"}]},
    {"start_time": "0.3", "end_time": "0.8", "type": SAID, "alternatives": [{"content": "on"}]},
    {"type": "punctuation", "alternatives": [{"content": "."}]},
]
CHARACTERS = [
    {"text": text, "timestamp": [begin, end]}
    for text, begin, end in (
        ("G", 0.1, 0.2),
        ("o", 0.2, 0.3),
        (" ", 0.3, 0.3),
        ("o", 0.3, 0.5),
        ("n", 0.5, 0.7),
        (".", 0.7, 0.8),
    )
]
TOKENS = [
    {"offsets": {"from": begin, "to": end}, "text": text}
    for begin, end, text in ((100, 300, " Go"), (300, 750, " on"), (750, 800, "."))
]
AZURE_WORDS = [
    {"Word": "Go", "Offset": 1e6, "Duration": 2e6},
    {"Word": "on.", "Offset": 3e6, "Duration": 5e6},
]
SERVICES: list[tuple[str, Any]] = [
    (
        "aws-calls",
        {
            "Transcript": [
                {
                    "BeginOffsetMillis": 100,
                    "EndOffsetMillis": 800,
                    "ParticipantRole": "AGENT",
                    "Items": [
                        {"Type": "pronunciation", "Content": "Go", "BeginOffsetMillis": 100, "EndOffsetMillis": 300},
                        {"Type": "pronunciation", "Content": "on", "BeginOffsetMillis": 300, "EndOffsetMillis": 800},
                        {"Type": "punctuation", "Content": ".", "BeginOffsetMillis": 800, "EndOffsetMillis": 800},
                    ],
                }
            ]
        },
    ),
    (
        "azure-fast",
        {
            "phrases": [
                {
                    "offsetMilliseconds": 100,
                    "durationMilliseconds": 700,
                    "text": "Go on.",
                    "words": [
                        {"text": "Go", "offsetMilliseconds": 100, "durationMilliseconds": 200},
                        {"text": "on.", "offsetMilliseconds": 300, "durationMilliseconds": 500},
                    ],
                }
            ]
        },
    ),
    (
        "speechmatics",
        {
            "results": [
                {"type": "word", "start_time": 0.1, "end_time": 0.3, "alternatives": [{"content": "Go"}]},
                {"type": "word", "start_time": 0.3, "end_time": 0.8, "alternatives": [{"content": "on"}]},
                {"type": "punctuation", "start_time": 0.8, "end_time": 0.8, "alternatives": [{"content": "."}]},
            ]
        },
    ),
    (
        "rev",
        {
            "monologues": [
                {
                    "speaker": 0,
                    "elements": [
                        {"type": "text", "value": "Go", "ts": 0.1, "end_ts": 0.3},
                        {"type": "punct", "value": " "},
                        {"type": "text", "value": "on", "ts": 0.3, "end_ts": 0.8},
                        {"type": "punct", "value": "."},
                    ],
                }
            ]
        },
    ),
    (
        "elevenlabs",
        {
            "text": "Go on.",
            "words": [
                {"text": "Go", "start": 0.1, "end": 0.3, "type": "word", "speaker_id": "a"},
                {"text": " ", "start": 0.3, "end": 0.3, "type": "spacing", "speaker_id": "a"},
                {"text": "on.", "start": 0.3, "end": 0.8, "type": "word", "speaker_id": "a"},
                {"text": "(laughs)", "start": 0.8, "end": 0.9, "type": "audio_event", "speaker_id": "a"},
            ],
        },
    ),
    (
        "google",
        {
            "results": [
                {
                    "alternatives": [
                        {
                            "words": [
                                {"start_offset": {"nanos": 100_000_000}, "end_offset": "0.3s", "word": "Go"},
                                {"start_offset": "0.300s", "end_offset": {"nanos": 800000000}, "word": "on."},
                            ]
                        }
                    ]
                }
            ]
        },
    ),
    (
        "aws",
        {"results": {"channel_labels": {"channels": [{"channel_label": "ch_0", "items": AWS_ITEMS}]}, "items": []}},
    ),
    ("deepgram", {"results": {"channels": [{"alternatives": [{"words": GENERIC}]}]}}),
    ("vosk", {"alternatives": [{"text": "Go on.", "result": GENERIC}]}),
    ("whisper", {"segments": [{"start": 0, "end": 1, "words": [[0.1, 0.3, " Go", 0.9], [0.3, 0.8, " on.", 0.9]]}]}),
    ("whisper", {"word": GENERIC, "segment": [], "char": []}),
    ("hf", {"chunks": CHARACTERS}),
    ("whisper.cpp", {"transcription": TOKENS}),
    ("azure", [{"RecognitionStatus": "Success", "NBest": [{"Words": AZURE_WORDS}]}, {"RecognitionStatus": "NoMatch"}]),
]


@pytest.mark.parametrize(("format", "content"), SERVICES, ids=[format for format, _ in SERVICES])
def test_services(format: str, content: Any) -> None:
    result = read_times(json.dumps(content))
    assert (result.format, words_of(result), result.problems) == (format, GO_ON, ())
    assert words_of(read_times(json.dumps(content, indent=1).encode(), format=format)) == GO_ON


def test_channels_are_never_in_one_utterance() -> None:
    words = [item("a", 0.1, 0.3, channel=0, text="a"), item("b", 0.2, 0.4, channel=1, text="b")]
    result = read_times(json.dumps({"audio_url": "x", "words": words}), unit="s", name="x.json")
    assert [(it.id, it.channel, it.transcript.words) for it in result] == [
        ("x-001", "0", ("a",)),
        ("x-002", "1", ("b",)),
    ]


def test_unknown_json_is_one_message() -> None:
    for text in (json.dumps({"foo": 1, "bar": [2]}), json.dumps([{"foo": 1, "bar": 2}], indent=2)):
        with pytest.raises(InputError, match="no known kind; its keys are foo, bar"):
            read_times(text)
    with pytest.raises(InputError, match="no known kind"):
        read_times("\n".join(['{"foo": 1}'] * 485), name="a.jsonl")
    with pytest.raises(InputError, match=r"a.json:1:\d+: this is not JSON"):
        read_times(b'{"segments": [', name="a.json")


def test_lhotse_cuts_are_placed_in_their_recordings() -> None:
    supervision = {
        "id": "s",
        "recording_id": "r",
        "start": 0.5,
        "duration": 1,
        "alignment": {"word": [{"symbol": "GO", "start": 0.6, "duration": 0.2}]},
    }
    cut = {"id": "c", "type": "MonoCut", "start": 10, "duration": 3, "supervisions": [supervision]}
    result = read_times(json.dumps(cut))
    assert (result[0].file, result[0].begin, result[0].end, words_of(result)) == (
        "r",
        10.5,
        11.5,
        [[("GO", (10.6, 10.8))]],
    )
    mix = {"id": "m", "type": "MixedCut", "tracks": [{"cut": cut, "offset": 2.0}, {"cut": {"type": "PaddingCut"}}]}
    result = read_times(json.dumps([mix]))
    assert (result[0].file, words_of(result)) == ("m", [[("GO", (2.6, 2.8))]])
    with pytest.raises(InputError, match="recordings, which have no words"):
        read_times('{"id": "r", "sources": [], "sampling_rate": 16000}')


def test_highlighted_words() -> None:
    texts = ["<u>so</u> it goes", "so it goes", "so <u>it</u> goes", "so it <u>goes</u>", "<u>yes</u>"]
    times = ["00:00:00,100 --> 00:00:00,300", "00:00:00,300 --> 00:00:00,400", "00:00:00,400 --> 00:00:00,600"]
    times += ["00:00:00,600 --> 00:00:01,000", "00:00:02,000 --> 00:00:02,500"]
    blocks = [f"{number}\n{time}\n{text}\n" for number, (time, text) in enumerate(zip(times, texts, strict=True), 1)]
    result = read_times("\n".join(blocks).encode(), name="a.srt")
    assert words_of(result) == [
        [("so", (0.1, 0.3)), ("it", (0.4, 0.6)), ("goes", (0.6, 1.0))],
        [("yes", (2.0, 2.5))],
    ]
    assert [(it.begin, it.end) for it in result] == [(0.1, 1.0), (2.0, 2.5)]


def test_rolling_captions() -> None:
    text = (
        "WEBVTT\n\n00:00.000 --> 00:01.000\n \nso<00:00.400><c> it</c>\n\n00:01.000 --> 00:01.010\nso it\n \n\n"
        "00:01.010 --> 00:02.000\nso it\ngoes<00:01.500><c> on</c>\n"
    )
    assert words_of(read_times(text.encode())) == [
        [("so", (0.0, 0.4)), ("it", (0.4, 1.0))],
        [("goes", (1.01, 1.5)), ("on", (1.5, 2.0))],
    ]


def test_captions_in_other_encodings() -> None:
    result = read_times("1\n0:00:01.5 --> 0:00:02,5\ncafé\n".encode("cp1252"), name="a.srt")
    assert words_of(result) == [[("café", (1.5, 2.5))]]
    assert [problem.code for problem in result.problems] == ["encoding"]


def test_tables_of_segments() -> None:
    assert words_of(read_times(b'start,end,text\n0,900,"so ""it"" goes"\n', interpolate=True))[0][2][1] is not None
    result = read_times(b"start,end,speaker,text\n0,900,A,yes\n900,1000,B,no no\n", name="a.csv")
    assert [(it.speaker, it.end) for it in result] == [("A", 0.9), ("B", 1.0)]
    result = read_times(b'"So, it",0.1,0.5\ngoes,0.5,0.9\n', name="a.words.csv")
    assert (result.format, [it.id for it in result]) == ("words-csv", ["a-001", "a-002"])
    assert words_of(read_times(b"0.100000\t0.400000\tso\n\\\t100\t200\n")) == [[("so", (0.1, 0.4))]]


def test_units() -> None:
    assert words_of(read_times(b"0 5 so\n5 9 it\n", unit="frames:0.02")) == [[("so", (0.0, 0.1)), ("it", (0.1, 0.18))]]
    assert words_of(read_times(b"0 8000 so\n", name="a.wrd", unit="samples:8000")) == [[("so", (0.0, 1.0))]]
    with pytest.raises(InputError, match="the unit of these times is unknown"):
        read_times(b"0 5 so\n5 9 it\n")
    with pytest.raises(UsageError, match="times of srt state their unit"):
        read_times(b"1\n00:00:01,000 --> 00:00:02,000\nso\n", unit="ms")
    for unit in ("x", "ms:1", "frames", "frames:0", "frames:nan", "samples:-1", "samples:1_0", ""):
        with pytest.raises(UsageError, match="the unit of times must be"):
            seconds_of_unit(unit)
    whole = "r A 0 30 so\nr A 30 40 we\n"
    with pytest.raises(InputError, match="say --times-unit ms"):
        read_times(whole)
    assert words_of(read_times(whole, unit="s"))[0][0] == ("so", (0.0, 30.0))


def test_whole_utterances_have_no_times_of_words(tmp_path: Path) -> None:
    stm = "f A ann 0.0 2.0 so it goes\n"
    assert words_of(read_times(stm)) == [[("so", None), ("it", None), ("goes", None)]]
    assert words_of(read_times(stm, interpolate=True))[0][2] == ("goes", (1.0, 2.0))
    trans = read_times(b"sw2A-ms98-a-0001 0.5 1.5 so [laughter-it] [noise]\n")
    assert (trans.format, trans[0].begin, words_of(trans)) == ("mississippi", 0.5, [[("so", None), ("it", None)]])


def test_types_of_lines_in_a_ctm() -> None:
    text = "f 1 0.1 0.2 so NA lex NA\nf 1 0.3 0.1 <cough> NA non-lex NA\nf 1 0.5 0.1 uh NA fp NA\n"
    assert words_of(read_times(text)) == [[("so", (0.1, 0.3)), ("uh", (0.5, 0.6))]]


def test_folders_of_nemo(tmp_path: Path) -> None:
    lines = {
        "words": "u 1 0.1 0.2 so NA lex NA\nu 1 0.3 0.2 it NA lex NA\n",
        "tokens": "u 1 0.1 0.2 ▁so NA lex NA\nu 1 0.3 0.1 ▁i NA lex NA\nu 1 0.4 0.1 t NA lex NA\n",
        "segments": "u 1 0.1 0.4 so<space>it NA lex NA\n",
    }
    for kind, text in lines.items():
        (tmp_path / "ctm" / kind).mkdir(parents=True)
        (tmp_path / "ctm" / kind / "u.ctm").write_text(text, encoding="utf-8")
    expected: list[Words] = [[("so", (0.1, 0.3)), ("it", (0.3, 0.5))]]
    result = read_times(tmp_path)
    assert words_of(result) == words_of(read_times(tmp_path / "ctm" / "tokens")) == expected
    assert result.notes == (f"2 files with tokens, segments or utterances beside words in {tmp_path} not read",)
    segments = read_times(tmp_path / "ctm" / "segments")
    assert (segments[0].begin, words_of(segments)) == (0.1, [[("so", None), ("it", None)]])


def test_rttm_without_words_or_turns() -> None:
    with pytest.raises(InputError, match="it is a diarization"):
        read_times("SPEAKER f 1 0.0 0.558 <NA> <NA> a <NA> <NA>\n")
    result = read_times(
        "LEXEME f 1 0.1 0.2 so lex a <NA>\nLEXEME f 1 0.2 0.2 no lex b <NA>\nLEXEME f 1 0.4 x it lex a <NA>\n"
    )
    assert [(it.id, it.speaker) for it in result] == [("f-001", "a"), ("f-002", "b")]
    assert words_of(result)[0] == [("so", (0.1, 0.3)), ("it", None)]


def test_nested_subdivisions_of_slots() -> None:
    slots = {"a": 0.0, "b": None, "x": 0.7, "m": None, "n": None, "c": 2.0}
    tiers = [[("a", "c")], [("a", "b"), ("b", "c")], [("a", "m"), ("m", "b"), ("b", "n"), ("n", "c")]]
    filled = filled_slots(slots, tiers, [None, 0, 1])
    assert filled == {"a": 0.0, "b": 1.0, "x": 0.7, "m": 0.5, "n": 1.5, "c": 2.0}
    assert filled_slots({"a": None, "b": None}, [[("a", "b"), ("b", "a")]], [0]) == {"a": None, "b": None}


TIMES = st.floats(0, 1e6) | st.sampled_from([float("nan"), float("inf"), -1.0, 0.0, 1e300])


@given(st.lists(st.tuples(st.sampled_from(["so", " it", "-x", "Ünd"]), TIMES, TIMES), max_size=8))
def test_odd_times(words: list[tuple[str, float, float]]) -> None:
    """Whatever the times are, those that are kept are sound, and the words are the same with any of them."""
    content = {"segments": [{"start": 0.0, "end": 1.0, "words": [item(*word) for word in words]}]}
    result = read_times(json.dumps(content), unit="s")
    times = [time for time in result[0].transcript.times or () if time is not None]
    assert all(begin < end for begin, end in times)
    assert all(a[1] <= b[0] for a, b in pairwise(times))
    calm = {"segments": [{"words": [{"word": word} for word, _, _ in words]}]} if words else content
    assert read_times(json.dumps(calm))[0].transcript.words == result[0].transcript.words


@given(
    st.lists(
        st.tuples(st.integers(0, 10**8), st.integers(1, 10**5), st.sampled_from(["so", "so it", "<i>x</i>"])),
        min_size=1,
        max_size=6,
    )
)
def test_captions_round_trip(cues: list[tuple[int, int, str]]) -> None:
    def clock(time: int) -> str:
        return f"{time // 3_600_000:02}:{time // 60_000 % 60:02}:{time // 1000 % 60:02},{time % 1000:03}"

    text = "\n".join(
        f"{n}\n{clock(at)} --> {clock(at + size)}\n{words}\n" for n, (at, size, words) in enumerate(cues, 1)
    )
    result = read_srt(text.encode())
    if any(" " in words for _, _, words in cues):
        assert [(it.begin, it.end) for it in result] == [(at / 1000, (at + size) / 1000) for at, size, _ in cues]
    else:
        assert (result[0].transcript.times or ())[0] == (cues[0][0] / 1000, sum(cues[0][:2]) / 1000)


def test_segments_of_one_word_each_are_words() -> None:
    segments = [{"start": 0, "end": 1, "text": " Yes"}, {"start": 1, "end": 1.5, "text": " No", "words": None}]
    result = read_times(json.dumps({"text": " Yes No", "segments": segments}), name="a.json")
    assert [it.id for it in result] == ["a"]
    assert words_of(result) == [[("Yes", (0.0, 1.0)), ("No", (1.0, 1.5))]]


def test_a_lab_without_times(tmp_path: Path) -> None:
    (tmp_path / "a.lab").write_text("so it goes\n")
    with pytest.raises(InputError, match="a text without times"):
        read_times(tmp_path / "a.lab")
