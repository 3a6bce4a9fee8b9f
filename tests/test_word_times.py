"""Word times: all formats give the same words, odd times are put right, faults have a place, and what is written is
read again."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from strategies import hang_guard

import treescore
from treescore import InputError, UsageError, read_times
from treescore.readers.mississippi import without_marks
from treescore.readers.nxt_terminals import read_terminals
from treescore.readers.times import format_of
from treescore.readers.transcripts import read_transcripts
from treescore.render import pieces
from treescore.render.word_times import only_timed, textgrid
from treescore.values.problem import by_code
from treescore.words.timeline import LONGEST, sound
from treescore.words.transcript import Transcript
from treescore.words.utterance import Utterance, Utterances

SAMPLES = Path(__file__).parent / "golden" / "word_times"
WORDS = ("your", "turn", "to", "speak", "now")
TIMES = ((0.0, 0.18), (0.18, 0.52), (0.52, 0.67), (0.67, 1.04), (1.04, 1.48))
NONE = (None,) * 5
#: File, format, id, words, times, and begin and end of the utterance.
EXPECTED = [
    ("utt.long.TextGrid", "textgrid", "utt.long", WORDS, TIMES, (0.0, 1.88)),
    ("utt.short.TextGrid", "textgrid", "utt.short", WORDS, TIMES, (0.0, 1.88)),
    ("utt.long.utf16.TextGrid", "textgrid", "utt.long.utf16", WORDS, TIMES, (0.0, 1.88)),
    ("utt.ctm", "ctm", "utt", WORDS, TIMES, (None, None)),
    ("utt.stm", "stm", "spk1-001", WORDS, NONE, (0.0, 1.88)),
    ("utt.eaf", "eaf", "utt", WORDS, TIMES, (None, None)),
    ("utt.whisperx.json", "whisper", "utt.whisperx-001", (*WORDS[:4], "now."), (*TIMES[:4], None), (0.0, 1.48)),
    ("utt.gentle.json", "gentle", "utt.gentle", WORDS, (*TIMES[:4], None), (None, None)),
    ("utt.mississippi.text", "mississippi", "sw0001A-ms98-a-0001", WORDS, TIMES, (0.0, 1.88)),
    ("sw0001.A.terminals.xml", "nxt", "sw0001.A", (*WORDS, "uh"), (*TIMES, None), (None, None)),
]


def written(utterances: Sequence[Utterance], form: str) -> str:
    """The utterances in one of the output formats."""
    return "".join(pieces("Utterances", utterances, form))


def only(result: Utterances) -> Utterance:
    """The one utterance that was found."""
    assert len(result) == 1
    return result[0]


def pairs(utterance: Utterance) -> list[tuple[str, tuple[float, float] | None]]:
    """Words with their times."""
    assert utterance.transcript.times is not None
    return list(zip(utterance.transcript.words, utterance.transcript.times, strict=True))


# ---- formats


@pytest.mark.parametrize(("file", "format", "id", "words", "times", "limits"), EXPECTED)
def test_all_formats_give_the_same_words(
    file: str, format: str, id: str, words: tuple[str, ...], times: tuple[object, ...], limits: tuple[object, object]
) -> None:
    for source, message in ((SAMPLES / file, None), ((SAMPLES / file).read_bytes(), None), (SAMPLES / file, format)):
        result = read_times(source, format=message)
        assert result.format == format
        assert result.problems == ()
        item = only(result)
        assert item.transcript.words == words
        assert item.transcript.times == times
        assert (item.begin, item.end) == limits
        if isinstance(source, Path):
            assert item.id == id
        if item.lines is not None and "utf16" not in file:
            text = (SAMPLES / file).read_text(encoding="utf-8").split("\n")
            assert all(word in text[line - 1] for word, line in zip(words, item.lines, strict=True))


def test_own_formats() -> None:
    lines = [
        '{"id": "u1", "speaker": "ann", "file": "f", "channel": 1, "begin": 0, "end": 2, "voice": "x",',
        ' "words": [["so", 0.1, 0.4], {"text": "New York", "start": 0.5, "end": 0.9}, "uh", ["", 1, 2]]}\n',
    ]
    item = only(read_times("".join(lines)))
    assert (item.id, item.speaker, item.file, item.channel, item.begin, item.end) == ("u1", "ann", "f", "1", 0.0, 2.0)
    assert pairs(item) == [("so", (0.1, 0.4)), ("New York", (0.5, 0.9)), ("uh", None)]
    table = "speaker\tword\tend\tstart\nann\tso\t0.4\t0.1\nbo\tno\t0.9\t0.5\nann\tuh\tNA\t-\n"
    result = read_times(table)
    assert [(item.speaker, pairs(item)) for item in result] == [
        ("ann", [("so", (0.1, 0.4)), ("uh", None)]),
        ("bo", [("no", (0.5, 0.9))]),
    ]
    assert pairs(only(read_times("u1\tso\t0.1\t0.4\nu1\tuh\t\t\n"))) == [("so", (0.1, 0.4)), ("uh", None)]


def test_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ctm = "f A 0.1 0.3 so\n"
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x.ctm").write_text(ctm)
    (tmp_path / "a.tsv").write_text("u1\tso\t0.1\t0.4\n")
    (tmp_path / "packed.ctm.gz").write_bytes(gzip.compress(ctm.replace("f", "g").encode()))
    (tmp_path / "sound.wav").write_bytes(b"")
    (tmp_path / ".hidden.ctm").write_bytes(b"")
    (tmp_path / "sw1A-ms98-a-trans.text").write_bytes(b"sw1A-ms98-a-0001 0 1 many words\n")
    (tmp_path / "sw1A-ms98-a-word.text").write_bytes(b"sw1A-ms98-a-0001 0 0.4 many\nsw1A-ms98-a-0001 0.4 1 words\n")
    result = read_times(tmp_path)
    assert [item.id for item in result] == ["u1", "f", "g", "sw1A-ms98-a-0001"]
    assert result.format == "tsv+ctm+mississippi"
    assert result.notes == (
        f"1 file of other kinds in {tmp_path} not read",
        f"1 file with tokens, segments or utterances beside words in {tmp_path} not read",
    )
    assert result.name == "<4 files>"
    assert len(read_times(str(tmp_path))) == 4
    assert len(read_times([tmp_path / "a.tsv", str(tmp_path / "b")])) == 2
    assert read_times(result) is result
    with (tmp_path / "b" / "x.ctm").open() as file:
        assert only(read_times(file)).id == "f"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ctm.encode())))
    assert read_times("-", name="typed").name == "typed"
    with pytest.raises(FileNotFoundError):
        read_times("nowhere.ctm")
    with pytest.raises(UsageError, match="are read from paths"):
        read_times(3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="empty list"):
        read_times([])
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "x.wav").touch()
    with pytest.raises(InputError, match=r"no file of word times in this folder \(1 file of other kinds\)"):
        read_times(tmp_path / "c")


def test_a_file_of_several_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.ctm").write_text("f A 0.1 0.3 so\n")
    result = read_times(tmp_path)
    assert len(result) == 1
    assert result.problems[0].action == "file left out"
    with pytest.raises(InputError, match=r"a\.json"):
        read_times(tmp_path, on_error="raise")
    with pytest.raises(InputError, match=r"a\.json"):
        read_times([tmp_path / "a.json"])


def test_options() -> None:
    with pytest.raises(UsageError, match="must be one of textgrid"):
        read_times("a\n", format="mp3")
    with pytest.raises(ValueError, match="on_error"):
        read_times("a\n", on_error="skip")
    with pytest.raises(UsageError, match="only textgrid, eaf, mfa-json, mfa-csv have tiers"):
        read_times("f A 0.1 0.3 so\n", tier="words")
    with pytest.raises(InputError, match="the format of these word times is unknown"):
        read_times("what is this\n")
    assert treescore.read_times is read_times


def test_a_tier_is_asked_only_of_files_that_have_tiers(tmp_path: Path) -> None:
    text = grid(("IntervalTier", "a", '1 0 1 "so"'), ("IntervalTier", "b", '1 0 1 "no"'))
    (tmp_path / "x.TextGrid").write_text(text)
    (tmp_path / "y.ctm").write_text("f A 0.1 0.3 uh\n")
    assert [item.transcript.words for item in read_times(tmp_path, tier="b")] == [("no",), ("uh",)]
    result = read_times(tmp_path, tier="c")
    assert [str(problem) for problem in result.problems] == [
        f"{tmp_path / 'x.TextGrid'}: there is no tier 'c'; the tiers are 'a', 'b' (file left out)"
    ]


def test_two_utterances_with_one_id() -> None:
    text = '{"id": "u", "words": []}\n{"id": "u", "words": []}\n{"words": []}\n{"words": []}\n'
    result = read_times(text, name="a.jsonl")
    assert [str(problem) for problem in result.problems] == [
        "a.jsonl:2: there is another utterance 'u'; ids should differ (both are kept)"
    ]
    assert len(result) == 4


# ---- TextGrid


def grid(*tiers: tuple[str, str, str], end: str = "2") -> str:
    """A short TextGrid of tiers: class, name, content."""
    body = "\n".join(f'"{kind}" "{name}" 0 {end} {content}' for kind, name, content in tiers)
    return f'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n{end}\n<exists>\n{len(tiers)}\n{body}\n'


def test_textgrid_tokens() -> None:
    text = grid(("IntervalTier", "words", '4 0 0.5 "so\n""x""" ! 3 "no" <no>\n 0.5 1 "" 1 1.5 "a" 1.5 2e0 "sil"'))
    item = only(read_times(text))
    assert pairs(item) == [("so", (0.0, 0.2)), ('"x"', (0.2, 0.5)), ("a", (1.0, 1.5))]
    assert item.lines == (8, 8, 10)
    assert read_times(text).notes[1].startswith("some labels have several words")
    assert pairs(only(read_times(text.replace("\n", "\r")))) == pairs(item)
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"):
        assert pairs(only(read_times(text.replace("so", "sö").encode(encoding))))[0][0] == "sö"


@pytest.mark.parametrize(("encoding", "name"), [("latin-1", "Latin-1"), ("mac-roman", "MacRoman")])
def test_textgrid_in_old_encodings(encoding: str, name: str) -> None:
    result = read_times(grid(("IntervalTier", "words", '1 0 2 "sö"')).encode(encoding), name="a.TextGrid")
    assert pairs(only(result)) == [("sö", (0.0, 2.0))]
    [problem] = result.problems
    assert (problem.code, problem.line, problem.action) == ("encoding", 8, f"read as {name}")


def test_textgrid_tiers() -> None:
    words = '1 0 1 "so"'
    many = grid(
        ("TextTier", "words", '1 0.5 "point"'),
        ("IntervalTier", "ann - words", words),
        ("IntervalTier", "ann - phones", '1 0 1 "s"'),
        ("IntervalTier", "Bo - Words", '1 1 2 "no"'),
    )
    result = read_times(many.encode(), name="x/talk.TextGrid")
    assert [(first.id, first.speaker, pairs(first)) for first in result] == [
        ("talk-ann", "ann", [("so", (0.0, 1.0))]),
        ("talk-Bo", "Bo", [("no", (1.0, 2.0))]),
    ]
    assert result.notes == ("the words are those of the tiers 'ann - words' and 'Bo - Words'",)
    assert pairs(only(read_times(many, tier="ann - phones"))) == [("s", (0.0, 1.0))]
    assert read_times(many, tier="ANN - PHONES").notes == ()
    assert [first.speaker for first in read_times(many, tier="words")] == ["ann", "Bo"]
    with pytest.raises(InputError, match="there is no tier 'x'; the tiers are 'ann - words', 'ann - phones', 'Bo - W"):
        read_times(many, tier="x")
    two = grid(("IntervalTier", "a", words), ("IntervalTier", "b", words))
    with pytest.raises(InputError, match=r"which tier has the words; name it \(--tier NAME\); the tiers are 'a', 'b'"):
        read_times(two)
    with pytest.raises(InputError, match="there are 2 tiers 'a'"):
        read_times(two.replace('"b"', '"a"'), tier="a")
    both = grid(("IntervalTier", "word", words), ("IntervalTier", "Words ", words), ("IntervalTier", "words", words))
    assert read_times(both).notes == ("the words are those of the tier 'words'",)
    assert read_times(grid(("IntervalTier", "a", words))).notes == ("the words are those of the tier 'a'",)
    points = ("TextTier", "words", '1 0.5 "point"')
    assert only(read_times(grid(points, ("IntervalTier", "a", words)))).transcript.words == ("so",)
    for phones in ("phones", "Phone ", "ann - phonemes"):
        sounds = grid(points, ("IntervalTier", phones, words))
        with pytest.raises(InputError, match=rf"seems to have sounds.*\(--tier NAME\); the tiers are '{phones}'"):
            read_times(sounds)
        with pytest.raises(InputError, match="the tier 'Words' has points, not intervals, and so no words; the tiers"):
            read_times(sounds, tier="Words")
        assert pairs(only(read_times(sounds, tier=phones))) == [("so", (0.0, 1.0))]
    with pytest.raises(InputError, match="no tiers that could have words"):
        read_times(grid(("TextTier", "a", '1 0.5 "point"')))
    with pytest.raises(InputError, match="no tiers"):
        read_times(grid().replace("<exists>\n0", "<absent>"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ooBinaryFile\x08TextGrid\0\0", "this is not text but a binary TextGrid; save it in Praat as a text file"),
        ('File type = "ooTextFile"\nObject class = "Pitch 1"\n', "this is not a TextGrid.*it is a Pitch 1"),
        ("\n", "this is not a TextGrid"),
    ],
)
def test_textgrid_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_times(text.encode(), format="textgrid")
    with pytest.raises(InputError, match="not valid UTF-16"):
        read_times(b"\xff\xfeF")


@pytest.mark.parametrize(
    ("content", "line", "column", "message"),
    [
        ('2 0 1 "so" 1 2', 9, 1, "the file ends where a text in quotes is expected; was it cut short?"),
        ('2 0 1 "so" 1 x "no"', 8, 43, 'a number is expected here, not a text in quotes, "no"'),
        ('2 0 1 "so" 1 2 "no', 8, 43, "this text in quotes is never closed"),
        ('2 0 1 "so" 1,5 2 "no"', 8, 45, "a number is expected here"),
        ('1.5 0 1 "so"', 8, 28, "1.5 cannot be the number of tiers or labels"),
    ],
)
def test_textgrid_broken(content: str, line: int, column: int, message: str) -> None:
    text = grid(("IntervalTier", "words", content)).encode()
    result = read_times(text, name="a.TextGrid")
    [problem] = result.problems
    assert message in problem.message
    assert (problem.file, problem.line, problem.column) == ("a.TextGrid", line, column)
    assert pairs(only(result)) == ([] if content[1] == "." else [("so", (0.0, 1.0))])
    with pytest.raises(InputError, match=f"a.TextGrid:{line}:{column}"):
        read_times(text, name="a.TextGrid", on_error="raise")


def test_textgrid_with_a_long_run_of_digits() -> None:
    """Each token is looked at once, or this would not come to an end."""
    for digits in ("1" * 1_000_000, "1." + "1" * 1_000_000, "1" * 500_000 + "." + "1" * 500_000):
        result = read_times(grid(("IntervalTier", "words", f'1 0 {digits}x 2 "so"')))
        assert pairs(only(result)) == [("so", (0.0, 2.0))]


CHRONOLOGICAL = """"Praat chronological TextGrid text file"
0 2   ! Time domain.
2   ! Number of tiers.
"IntervalTier" "words" 0 2
"TextTier" "bell" 0 2
! words:
1 0 1
"so"
2 0.5
"ding"
1 1 2
"no"
"""


def test_chronological_textgrid() -> None:
    assert pairs(only(read_times(CHRONOLOGICAL))) == [("so", (0.0, 1.0)), ("no", (1.0, 2.0))]
    for number in ("3", "0", "1.5"):
        result = read_times(CHRONOLOGICAL.replace("2 0.5", f"{number} 0.5"))
        assert f"there is no tier {number}" in result.problems[0].message


# ---- EAF


def eaf(slots: str, *tiers: str, units: str = "milliseconds") -> bytes:
    """An EAF; slots are values or -, tiers are their content."""
    items = [
        f'<TIME_SLOT TIME_SLOT_ID="t{place}"' + ("/>" if value == "-" else f' TIME_VALUE="{value}"/>')
        for place, value in enumerate(slots.split(), 1)
    ]
    head = f'<?xml version="1.0"?>\n<ANNOTATION_DOCUMENT><HEADER TIME_UNITS="{units}"/>\n<TIME_ORDER>{"".join(items)}'
    return f"{head}</TIME_ORDER>\n{''.join(tiers)}</ANNOTATION_DOCUMENT>\n".encode()


def aligned(id: str, first: str, last: str, text: str) -> str:
    """An annotation with times."""
    attributes = f'ANNOTATION_ID="{id}" TIME_SLOT_REF1="{first}" TIME_SLOT_REF2="{last}"'
    value = f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE>"
    return f"<ANNOTATION><ALIGNABLE_ANNOTATION {attributes}>{value}</ALIGNABLE_ANNOTATION></ANNOTATION>\n"


def tied(id: str, parent: str, text: str, previous: str | None = None) -> str:
    """An annotation of an annotation."""
    after = f' PREVIOUS_ANNOTATION="{previous}"' if previous else ""
    value = f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE>"
    opened = f'<REF_ANNOTATION ANNOTATION_ID="{id}" ANNOTATION_REF="{parent}"{after}>'
    return f"<ANNOTATION>{opened}{value}</REF_ANNOTATION></ANNOTATION>\n"


def tier(name: str, *annotations: str, speaker: str = "") -> str:
    """A tier."""
    return f'<TIER TIER_ID="{name}" PARTICIPANT="{speaker}">{"".join(annotations)}</TIER>\n'


def test_eaf_slots_without_a_time_lie_between_their_neighbours() -> None:
    words = tier(
        "x", aligned("a", "t1", "t2", "so"), aligned("b", "t2", "t3", "it &amp;"), aligned("c", "t3", "t4", "is")
    )
    item = only(read_times(eaf("100 - - 700", words, tier("none"))))
    assert pairs(item) == [
        ("so", (0.1, 0.3)),
        ("it", (0.3, 0.433333333)),
        ("&", (0.433333333, 0.5)),
        ("is", (0.5, 0.7)),
    ]
    result = read_times(eaf("- 300 x 700", words), name="a.eaf")
    assert pairs(only(result))[0] == ("so", None)
    assert [(problem.code, problem.line) for problem in result.problems] == [("time", 3), ("time", 4)]
    lost = read_times(eaf("100", tier("words", aligned("a", "t1", "t9", "so"))))
    assert "time slot 't9', which does not exist" in lost.problems[0].message


def test_eaf_annotations_of_annotations() -> None:
    parents = tier("text", aligned("b", "t2", "t3", "is it"), aligned("a", "t1", "t2", "so"))
    children = tier("words", tied("c3", "b", "it", "c2"), tied("c2", "b", "is"), tied("c1", "a", "so"), speaker="ann")
    grandchildren = tier("copy", tied("d1", "c2", "was"))
    item = only(read_times(eaf("0 1000 2000", parents, children, grandchildren), name="a.eaf"))
    assert pairs(item) == [("so", (0.0, 1.0)), ("is", (1.0, 1.5)), ("it", (1.5, 2.0))]
    assert (item.id, item.speaker) == ("a", "ann")
    copied = only(read_times(eaf("0 1000 2000", parents, children, grandchildren), tier="copy"))
    assert pairs(copied) == [("was", (1.0, 1.5))]


def test_eaf_circles_end() -> None:
    circle = tier("words", tied("a", "b", "so"), tied("b", "a", "no"), tied("c", "c", "me"), tied("d", "x", "lost"))
    result = read_times(eaf("0 1000", circle))
    assert [time for _, time in pairs(only(result))] == [None] * 4
    assert by_code(result.problems) == {"parent": 3}
    chain = tier("words", tied("a", "p", "so", "b"), tied("b", "p", "no", "a"), tied("c", "p", "me"))
    result = read_times(eaf("0 3000", tier("text", aligned("p", "t1", "t2", "")), chain), tier="words")
    assert (
        pairs(only(result)) == [("me", (0.0, 1.0)), ("so", (1.0, 2.0)), ("no", (2.0, 3.0))]
        or len(pairs(result[0])) == 3
    )


def test_eaf_depth() -> None:
    chain = [tier("t0", aligned("a0", "t1", "t2", "x"))]
    chain += [tier(f"t{n}", tied(f"a{n}", f"a{n - 1}", "x")) for n in range(1, 3000)]
    with hang_guard():
        assert pairs(only(read_times(eaf("0 1000", *chain), tier="t2999"))) == [("x", (0.0, 1.0))]


BOMB = '<!DOCTYPE x [<!ENTITY a "so"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize("format", ["eaf", "nxt"])
def test_xml_is_refused(format: str) -> None:
    with pytest.raises(InputError, match="defines entities"):
        read_times(f'<?xml version="1.0"?>{BOMB}<ANNOTATION_DOCUMENT>&b;</ANNOTATION_DOCUMENT>', format=format)
    with pytest.raises(InputError, match=r"<text>:1:6: this is not well-formed XML"):
        read_times("<a></b>", format=format)
    with pytest.raises(InputError, match="this is XML, but"):
        read_times("<a/>", format=format)
    with pytest.raises(InputError, match="declares the encoding 'klingon'"):
        read_times('<?xml version="1.0" encoding="klingon"?><a/>', format=format)
    with pytest.raises(InputError, match="times in PAL-frames are not read"):
        read_times(eaf("0", units="PAL-frames"))


# ---- NXT


def test_terminals() -> None:
    terminals, problems = read_terminals((SAMPLES / "sw0001.A.terminals.xml").read_bytes())
    assert [terminal.kind for terminal in terminals] == ["word"] * 5 + ["trace", "punc", "word"]
    first, last = terminals[0], terminals[-2]
    assert (first.id, first.orth, first.pos, first.start, first.end, first.line) == ("s1_1", "your", "XX", 0.0, 0.18, 3)
    assert (last.id, last.orth, last.pos, last.start, last.line) == ("s1_7", ".", None, None, 9)
    assert problems == []
    text = b'<r xmlns:nite="n"><word nite:id="a" orth="so"/>\n<sil nite:id="a"/></r>'
    terminals, problems = read_terminals(text, name="x.xml", on_error="keep")
    assert [terminal.id for terminal in terminals] == ["a", None]
    assert str(problems[0]).startswith("x.xml:2: there are two terminals 'a'")


# ---- Mississippi State


@pytest.mark.parametrize(
    ("written", "word"),
    [
        *(("[laughter-yes]", "yes"), ("[laughter-th[e]-]", "th-"), ("{exer-dance}", "exer-dance"), ("-[an]d", "-d")),
        *(("[splace/space]", "space"), ("[laughter-[splace/space]]", "space"), ("them_1", "them"), ("a_b", "a_b")),
        *(("[vocalized-noise]", ""), ("[LAUGHTER]", ""), ("<b_aside>", ""), ("[silence]", ""), ("i'm", "i'm")),
    ],
)
def test_what_was_meant(written: str, word: str) -> None:
    assert without_marks(written) == word


def test_mississippi() -> None:
    lines = [
        "sw2005A-ms98-a-0001 0.0 0.5 [silence]",
        "sw2005A-ms98-a-0001 0.5 0.9 so",
        "sw2005B-ms98-a-0002 0.9 x no",
        "sw2005B-ms98-a-0002 0.9 1.2 no no",
    ]
    result = read_times("\n".join(lines).encode(), name="a.text")
    assert [(item.file, item.channel, item.begin, item.end) for item in result] == [
        ("sw2005", "A", 0.0, 0.9),
        ("sw2005", "B", None, None),
    ]
    assert pairs(result[1]) == [("no", None)]
    assert [str(problem) for problem in result.problems] == [
        "a.text:3:25: x is not a time in seconds, such as 12.5 (word kept without a time)",
        "a.text:4:32: a line has utterance, begin, end and one word, unless the file is called -trans.text "
        "(line left out)",
    ]


# ---- JSON


def test_whisperx() -> None:
    segment = {"start": 0, "end": 2, "speaker": "S1", "words": [{"word": " So", "start": 0.1, "end": 0.4}]}
    result = read_times(
        json.dumps({"segments": [segment, {"text": "no times", "start": 2, "end": 3}]}).encode(), name="a.json"
    )
    assert [(item.id, item.speaker, item.begin, item.end, pairs(item)) for item in result] == [
        ("a-001", "S1", 0.0, 2.0, [("So", (0.1, 0.4))]),
        ("a-002", None, 2.0, 3.0, [("no", None), ("times", None)]),
    ]
    loose = only(read_times(json.dumps({"word_segments": segment["words"]}, indent=1)))
    assert pairs(loose) == [("So", (0.1, 0.4))]
    assert pairs(only(read_times(json.dumps([segment])))) == pairs(loose)
    assert pairs(only(read_times(json.dumps(segment["words"])))) == pairs(loose)


def test_whisperx_segments_that_could_not_be_aligned() -> None:
    lost = {"start": 2, "end": 3, "text": " 2014 35", "words": []}
    result = read_times(json.dumps({"segments": [lost, {**lost, "text": " "}]}))
    assert [(item.begin, item.end, pairs(item)) for item in result] == [
        (2.0, 3.0, [("2014", None), ("35", None)]),
        (2.0, 3.0, []),
    ]
    assert result.notes == ("some segments could not be aligned; their words have no times",)
    assert result.problems == ()
    odd = read_times(json.dumps({"segments": [{**lost, "start": "2,5"}]}), name="a.json")
    assert (odd[0].begin, odd[0].end) == (None, 3.0)
    assert [str(problem) for problem in odd.problems] == [
        "a.json: the begin of segment 1 should be in seconds, such as 12.5 (left out)"
    ]


def test_gentle() -> None:
    heard = {"alignedWord": "<unk>", "case": "not-found-in-transcript", "start": 0, "end": 1}
    text = json.dumps({"transcript": "so", "words": [heard, {"word": "so", "case": "not-found-in-audio"}]})
    assert pairs(only(read_times(text))) == [("<unk>", (0.0, 1.0)), ("so", None)]


@pytest.mark.parametrize(
    ("format", "text", "message"),
    [
        ("whisper", "{", "1:2: this is not JSON"),
        ("whisper", "[" * 100_000, "nested too deep"),
        ("whisper", "[1]", "no segments or words"),
        ("whisper", '{"segments": {"a": 1}}', "segments should be a list"),
        ("gentle", "{}", "words should be a list"),
        ("gentle", "\0{\0}\0", "not valid utf-16"),
    ],
)
def test_json_refused(format: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_times(text.encode("utf-8", "surrogateescape"), format=format)


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("[1]", "json", "a line is an object with words"),
        ("{", "json", "this is not JSON"),
        ('{"words": [["a", 1]]}', "word", "word 1 should be a list"),
        ('{"words": [[1, 2, 3]]}', "word", "there is no word in word 1"),
        ('{"words": [["a", 1, null]]}', "time", "the end of word 1 should be in seconds"),
        ('{"words": [["a", "x", true]]}', "time", "the start and end of word 1 should be in seconds"),
        ('{"begin": "0,5", "words": []}', "time", "the begin should be in seconds"),
        ('{"begin": 2, "end": 1, "words": []}', "time", "cannot last from 2 to 1 seconds"),
        ('{"words": [["a", 0, NaN]]}', "time", "no number of seconds"),
        ('{"words": [["a", 0, 1e9]]}', "time", "no number of seconds below 1,000,000,000"),
        ('{"words": [["a", 0, 1%s]]}' % ("0" * 400), "time", "no number of seconds"),
        ('{"words": [["a", -1, 0]]}', "time", "begins before the recording"),
    ],
)
def test_json_lines_with_faults(line: str, code: str, message: str) -> None:
    result = read_times(f'{{"id": "u", "words": []}}\n{line}\n', name="a.jsonl", format="jsonl")
    [problem] = result.problems
    assert problem.code == code
    assert message in problem.message
    assert (problem.file, problem.line) == ("a.jsonl", 2)
    assert problem.action
    with pytest.raises(InputError):
        read_times(f"{line}\n", format="jsonl", on_error="raise")


# ---- lines


def test_table_with_faults() -> None:
    text = "id\tword\tstart\tend\nu1\tso\t0.1\nu1\tit\tx\t0.4\nu1\tis\t0.1\t\nu1\tno\t1_0\t2\n"
    result = read_times(text, name="a.tsv")
    assert [str(problem).partition(" (")[0] for problem in result.problems] == [
        "a.tsv:2:1: a line has 4 columns with tabs between",
        "a.tsv:3:7: x is not a time in seconds, such as 12.5",
        "a.tsv:4:11: nothing is not a time in seconds, such as 12.5",
        "a.tsv:5:7: 1_0 is not a time in seconds, such as 12.5",
    ]
    assert pairs(only(result)) == [("it", None), ("is", None), ("no", None)]
    with pytest.raises(InputError, match="two columns have the same name"):
        read_times("word\tword\tstart\tend\n")


def test_ctm() -> None:
    rest = "f A 1.2 x c\nf A 1.3 -1 d\nf A 1.4 .1 [noise]\nf A 1.5 .1 [Noise]x\nf B 0 1 e\n"
    text = f"f A 1.0 0.2 b\nf A 0.0 0.5 a\n{rest}"
    result = read_times(text, name="a.ctm")
    assert [item.id for item in result] == ["f-A", "f-B"]
    words = [("a", (0.0, 0.5)), ("c", None), ("d", None), ("b", (1.0, 1.2)), ("[Noise]x", (1.5, 1.6))]
    assert pairs(result[0]) == words
    assert result[0].lines == (2, 3, 4, 1, 6)
    assert [(problem.code, problem.line) for problem in result.problems] == [("time", 3), ("order", 1), ("time", 4)]
    with pytest.raises(InputError):  # which another command leaves out
        read_transcripts("f A 1.3 -1 d\n", format="ctm")


@pytest.mark.parametrize("time", ["-1 2", "0.1 -0.05", "0.1 0", "nan 1", "1e9 1", "0 nan"])
def test_refused_times_do_not_decide_the_order(time: str) -> None:
    result = read_times(f"f A 0.2 0.2 a\nf A {time} b\nf A 0.5 0.1 c\n")
    assert pairs(only(result)) == [("a", (0.2, 0.4)), ("b", None), ("c", (0.5, 0.6))]
    assert by_code(result.problems) == {"time": 1}
    moved = read_times(f"f A 0.5 0.1 c\nf A {time} b\nf A 0.2 0.2 a\n")
    assert only(moved).transcript.words == ("a", "c", "b")


def test_alternatives() -> None:
    marks = [("* * <ALT_BEGIN>", 0), ("0.5 0.5 um", 1), ("* * <ALT>", 0), ("* * @", 0), ("* * <ALT_END>", 0)]
    text = "f A 0 0.5 so\n" + "".join(f"f A {mark}\n" for mark, _ in marks) + "f A 1 1 it\n"
    result = read_times(text)
    assert pairs(only(result)) == [("so", (0.0, 0.5)), ("um", (0.5, 1.0)), ("it", (1.0, 2.0))]
    assert only(result).lines == (1, 3, 7)
    assert by_code(result.problems) == {"alternatives": 1}
    stm = "f A s 0 1 so { um / @ } (it)\nf A s 1 2 IGNORE_TIME_SEGMENT_IN_SCORING\nf A s 2 3\n"
    assert [item.transcript.words for item in read_times(stm)] == [("so", "um", "(it)"), ()]


# ---- odd times


MOMENTS = st.integers(-1, 12).map(lambda tick: tick / 4) | st.sampled_from([float("nan"), float("inf"), 1e9])


@given(st.lists(st.none() | st.tuples(MOMENTS, MOMENTS), max_size=8))
@settings(max_examples=100)
def test_sound_times(times: list[tuple[float, float] | None]) -> None:
    """The result is in order; and where it differs, a problem says so."""
    result = Utterance(Transcript(["w"] * len(times), times=times), lines=range(1, len(times) + 1))
    fixed, problems = sound(result, file="f")
    assert fixed.transcript.times is not None
    known = [time for time in fixed.transcript.times if time is not None]
    assert all(0 <= start < end < LONGEST for start, end in known)
    assert all(end <= start for (_, end), (start, _) in pairwise(known))
    changes = list(zip(times, fixed.transcript.times, strict=True))
    lost = [place + 1 for place, (old, new) in enumerate(changes) if old and not new]
    assert [problem.line for problem in problems if problem.code != "overlap"] == lost
    cut = [place for place, (old, new) in enumerate(changes) if old and new and old != new]
    assert len(cut) <= sum(problem.code == "overlap" for problem in problems)
    assert sound(fixed) == (fixed, [])


@pytest.mark.parametrize(
    ("given", "kept", "message"),
    [
        ((-1.0, 2.0), (None, 2.0), ["begin at -1"]),
        ((1.0, float("nan")), (1.0, None), ["end at nan"]),
        ((float("inf"), 1e9), (None, None), ["begin at inf", "end at 1e+09"]),
        ((2.0, 1.0), (None, None), ["last from 2 to 1"]),
        ((None, -1.0), (None, None), ["end at -1"]),
        ((1.0, 1.0), (1.0, 1.0), []),
    ],
)
def test_begin_and_end(
    given: tuple[float | None, float], kept: tuple[float | None, float | None], message: list[str]
) -> None:
    fixed, problems = sound(Utterance(Transcript([]), id="u", begin=given[0], end=given[1]))
    assert (fixed.begin, fixed.end) == kept
    assert [problem.message for problem in problems] == [f"the utterance u cannot {what} seconds" for what in message]


def test_tiny_overlaps_are_no_problem() -> None:
    fixed, problems = sound(Utterance(Transcript(["a", "b"], times=[(0.0, 1.0000005), (1.0, 2.0)])))
    assert fixed.transcript.times == ((0.0, 1.0), (1.0, 2.0))
    assert problems == []
    untimed = Utterance(Transcript(["a"]))
    assert sound(untimed) == (untimed, [])


# ---- writing

NAMES = st.text(st.characters(exclude_categories=["Cs", "Z", "C"]), min_size=1, max_size=6).filter(
    lambda text: text[0] not in ";<["
)


@st.composite
def utterances(draw: st.DrawFn, *, timed: bool) -> list[Utterance]:
    """Utterances with sound times in milliseconds."""
    items = []
    for place, id in enumerate(draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))):
        at = 0
        words, times = [], []
        for word in draw(st.lists(NAMES.map(lambda text: f"w{text}"), min_size=1, max_size=6)):
            words.append(word)
            start = at + draw(st.integers(0, 2000))
            at = start + draw(st.integers(1, 2000))
            times.append((start / 1000, at / 1000) if timed or draw(st.booleans()) else None)
        begin, end = draw(st.sampled_from([(None, None), (0.0, at / 1000 + 1)]))
        speaker = draw(st.none() | NAMES)
        transcript = Transcript(words, times=times)
        items.append(Utterance(transcript, id=id, speaker=speaker, file=f"f{place}", channel="B", begin=begin, end=end))
    return items


def compared(result: Sequence[Utterance] | Utterances, *facts: str) -> list[object]:
    """What must be the same."""
    return [(pairs(item), [getattr(item, fact) for fact in facts]) for item in result]


@given(utterances(timed=False))
@settings(max_examples=50)
def test_json_lines_and_tables_come_back(result: list[Utterance]) -> None:
    facts = ("id", "speaker", "file", "channel")
    read = read_times(written(result, "jsonl"), format="jsonl")
    assert compared(read, *facts, "begin", "end") == compared(result, *facts, "begin", "end")
    table = read_times(written(result, "tsv"))
    assert compared(table, *facts) == compared(result, *facts)
    assert read.problems == table.problems == ()


@given(utterances(timed=True))
@settings(max_examples=50)
def test_ctm_and_textgrids_come_back(result: list[Utterance]) -> None:
    ctm = read_times(written(result, "ctm"), format="ctm")
    assert compared(ctm, "file", "channel") == compared(result, "file", "channel")
    for item in result:
        grid = read_times(written([item], "textgrid"))
        assert compared(grid) == compared([item])
        assert grid.problems == ctm.problems == ()
        assert item.end is None or only(grid).end == item.end


def test_writing_what_cannot_be_written() -> None:
    blank = Utterance(Transcript(["a b"], times=[(0.0, 1.0)]), id="u")
    untimed = Utterance(Transcript(["a", "b"], times=[(0.0, 1.0), None]), id="u")
    for format in ("ctm", "textgrid"):
        with pytest.raises(UsageError, match=r"'a b' cannot be written to a (ctm|TextGrid), where blanks"):
            written([blank], format)
    for mark in ("@", "<ALT>", ";;"):
        with pytest.raises(UsageError, match="cannot be written to a ctm"):
            written([Utterance(Transcript([mark], times=[(0.0, 1.0)]), id="u")], "ctm")
    for format in ("ctm", "textgrid"):
        with pytest.raises(UsageError, match="words without a time"):
            written([untimed], format)
        assert written(only_timed([untimed])[0], format)
    assert only_timed([untimed])[1] == 1
    with pytest.raises(UsageError, match="tab"):
        written([Utterance(Transcript(["a\tb"]))], "tsv")
    with pytest.raises(UsageError, match="holds one utterance, not 2"):
        written([blank, blank], "textgrid")
    assert read_times(textgrid(Utterance(Transcript([]))))[0].end == 1.0
    assert written([Utterance(Transcript(["\ud800"]))], "jsonl")


def test_formats_are_told_apart() -> None:
    for file, format, *_ in EXPECTED:
        assert format_of((SAMPLES / file).read_bytes()) == format
        assert file.endswith(".json") or format_of(b"", file) == format


@pytest.mark.parametrize(
    ("file", "name", "format"),
    [
        ("utt.long.TextGrid", "a.ctm", "textgrid"),
        ("utt.long.utf16.TextGrid", "a.tsv", "textgrid"),
        ("utt.whisperx.json", "a.jsonl", "whisper"),
        ("utt.gentle.json", "a.jsonl", "gentle"),
        ("utt.ctm", "a.TextGrid", "ctm"),
        ("utt.eaf", "a.terminals.xml", "eaf"),
    ],
)
def test_a_name_against_the_content(file: str, name: str, format: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes((SAMPLES / file).read_bytes())
    result = read_times(tmp_path / name)
    assert result.format == format
    assert only(result).transcript.words[:4] == WORDS[:4]
    assert result.notes[0].endswith(f"but the content of {format}, and is read as {format}")
    assert result.notes[0].startswith(f"the file has the name of {format_of(b'', name)}, ")


def test_a_content_that_is_no_format(tmp_path: Path) -> None:
    for name in ("a.ctm", "a.jsonl", "a.tsv", "a.text"):
        (tmp_path / name).write_bytes(Random(1).randbytes(500))
        with pytest.raises(InputError, match=rf"{name}: this is not text but binary data"):
            read_times(tmp_path / name)
        (tmp_path / name).write_bytes(b"<?xml version='1.0'?><a/>")
        with pytest.raises(InputError, match="this looks like XML"):
            read_times(tmp_path / name)
        (tmp_path / name).write_bytes("f A 0 1 so\n".encode("utf-16"))
        with pytest.raises(InputError, match="this is UTF-16 text"):
            read_times(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.ctm", "f A 0.1 0.2\n"),  # as in a file of Mississippi State's
        ("a.ctm", "[f] A 0.1 0.2 so\n"),
        ("a.ctm", "f A 0.1 0.2 Praat\n"),
        ("a.ctm", ""),
        ("a.tsv", "u1\tso\t0.1\t0.4\n"),
        ("a.jsonl", '{"id": "u", "transcript": "so", "segments": [], "words": [{"word": "so", "case": "x"}]}'),
        ("a.jsonl", '["so"]\n{"words": ["so"]}\n'),
        ("a.jsonl", '{"words": [\n{"words": ["so"]}\n'),
    ],
)
def test_a_name_is_believed(name: str, text: str) -> None:
    assert format_of(text.encode(), name) == name.partition(".")[2]


# ---- the same as Praat


LETTERS = ['"', "a", "é", "ж", "𝄞", "!", "<", ">", "1", "=", "[2]", "\n", " "]


def test_textgrids_of_praat(tmp_path: Path) -> None:
    """What Praat writes is read as Praat reads it, and Praat reads what is written."""
    parselmouth = pytest.importorskip("parselmouth")
    call = parselmouth.praat.call
    random = Random(5)
    for _ in range(20):
        actual = call("Create TextGrid", 0, 10, "words point other", "point")
        at = 0.0
        for place in range(1, random.randint(2, 12)):
            at = round(at + random.uniform(0.1, 0.7), random.randint(1, 12))
            call(actual, "Insert boundary", 1, at)
            call(actual, "Set interval text", 1, place, "".join(random.choices(LETTERS, k=4)))
        call(actual, "Insert point", 2, 0.5, "9")
        expected = []
        for place in range(1, call(actual, "Get number of intervals", 1) + 1):
            begin, end = (call(actual, f"Get {which} time of interval", 1, place) for which in ("start", "end"))
            expected.append((begin, end, call(actual, "Get label of interval", 1, place).split()))
        for form in ("text", "short text", "chronological text"):
            call(actual, f"Save as {form} file", str(tmp_path / "x.TextGrid"))
            item = only(read_times(tmp_path / "x.TextGrid", tier="words", on_error="raise"))
            assert item.transcript.words == tuple(word for *_, words in expected for word in words)
            ends = {time[0]: time[1] for _, time in pairs(item) if time}
            assert {begin: end for begin, end, words in expected if len(words) == 1}.items() <= ends.items()
        (tmp_path / "y.TextGrid").write_text(textgrid(item), encoding="utf-8")
        again = parselmouth.read(str(tmp_path / "y.TextGrid"))
        numbers = range(1, call(again, "Get number of intervals", 1) + 1)
        labels = [call(again, "Get label of interval", 1, number) for number in numbers]
        assert [label for label in labels if label] == list(item.transcript.words)
