"""The native readers of words with times against plain Python, with every message and its place, on hostile input."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings, strategies as st
from oracle import word_readers

from treescore.readers import ctm
from treescore.readers.textgrid import read_textgrid
from treescore.readers.times import read_ctm_words
from treescore.readers.word_lines import read_word_lines
from treescore.readers.word_table import read_word_table
from treescore.values.problem import InputError
from treescore.words.timeline import all_sound, shared
from treescore.words.utterance import Utterance, Utterances

NUMBERS = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True).map(repr),
    st.floats(0, 30).map(lambda value: f"{value:.2f}"),
    st.floats(0, 30).map(lambda value: f"{value:.4f}"),
    st.decimals(0, 100, places=9).map(str),
    st.integers(0, 10**21).map(str),
    st.sampled_from(["0", "0.1", "0.2", "0.3", ".5", "5.", ".", "-", "+", "-1", "+1", "-0", "-0.0", "1e3", "1e-400"]),
    st.sampled_from(["1e400", "-1e400", "1e+5", "1e", "1_0", "nan", "NaN", "+inf", "-Infinity", "infinit", "1,5"]),
    st.sampled_from(
        ["0x1", "NA", "n/a", "None", "null", "*", "999999999", "1e9", "2097152.1", "0.000000001", "1\u00a0"]
    ),
    st.sampled_from(["0.0000000005", "0.0000000015", "٣", "", " 1", "1.5 "]),
)
NAMES = st.sampled_from(["f", "g", "f1", "Ä", "a b", "", "\udce9", "x" * 30])
WORDS = st.one_of(
    st.sampled_from(
        ["so", "uh", "the", "don't", "état", "日本", "\udce9x", "[noise]", "<S>", "sp", "", " ", "a b", "\u00a0", "@"]
    ),
    st.sampled_from(
        ["<ALT_BEGIN>", "<ALT>", "<ALT_END>", "w" * 9, "\x1c", '"', '""', "\\", "IGNORE_TIME_SEGMENT_IN_SCORING"]
    ),
    st.text(max_size=6),
)
BLANKS = st.sampled_from([" ", " ", " ", "\t", "  ", "\v", "\f", " \t"])
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n", "\r\r\n", "\n \t\n", ""])


def as_bytes(text: str) -> bytes:
    """The text, whatever it is."""
    return text.encode("utf-8", "surrogateescape") if _is_encodable(text) else text.encode("utf-8", "surrogatepass")


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """Tables with and without a header."""
    columns = draw(st.permutations(["word", "start", "end"]))
    more = draw(st.lists(st.sampled_from(["id", "speaker", "file", "channel", "note"]), unique=True))
    names = draw(st.sampled_from([["id", "word", "start", "end"], [*columns, *more], [*more, *columns]]))
    text = (
        draw(ENDS) + "\t".join(draw(st.sampled_from([name, name.upper(), f" {name}"])) for name in names) + draw(ENDS)
    )
    if draw(st.booleans()):
        names, text = ["id", "word", "start", "end"], ""
    for _ in range(draw(st.integers(0, 8))):
        kinds = {"word": WORDS, "start": NUMBERS, "end": NUMBERS}
        cells = [draw(kinds.get(name, NAMES)) for name in names]
        cells += ["more"] * draw(st.sampled_from([0, 0, 0, 0, 1]))
        blanks = draw(st.sampled_from(["", "", "", " ", "\f"]))
        text += "\t".join(f"{blanks}{cell}" for cell in cells) + draw(ENDS)
    return as_bytes(text)


@st.composite
def ctms(draw: st.DrawFn) -> bytes:
    """Lines of ctm, with alternatives, comments and lines that are too short."""
    text = ""
    files, channels = st.sampled_from(["f", "f", "g", ";;", "\udce9"]), st.sampled_from(["A", "A", "1", "B"])
    for _ in range(draw(st.integers(0, 10))):
        fields = [draw(files), draw(channels), draw(NUMBERS), draw(NUMBERS), draw(WORDS)]
        if draw(st.integers(0, 5)) == 0:
            fields[2] = fields[3] = "*"
        fields += draw(st.sampled_from([[], [], ["0.9"], ["0.9", "lex"], ["1", "NON-LEX"], ["1", "misc", "s"]]))
        blanks = draw(BLANKS)
        text += draw(st.sampled_from(["", "", " "])) + blanks.join(fields) + draw(ENDS)
    return as_bytes(text)


JSON_NUMBERS = st.one_of(
    st.floats(0, 20),
    st.integers(-5, 20),
    st.none(),
    st.floats(),
    st.booleans(),
    st.integers(10**15, 10**25),
    st.sampled_from(["0.5", "1.2s", "x", [], {}]),
)
JSON_WORDS = st.one_of(WORDS, st.none(), st.integers())
VALUES = st.recursive(st.one_of(st.none(), st.booleans(), st.floats(), st.text(max_size=3)), st.lists, max_leaves=4)
ITEMS = st.one_of(
    st.tuples(WORDS, st.floats(0, 20), st.floats(0, 20)),
    st.tuples(JSON_WORDS, JSON_NUMBERS, JSON_NUMBERS),
    st.dictionaries(st.sampled_from(["word", "text", "start", "end", "score"]), JSON_NUMBERS),
    st.fixed_dictionaries(
        {"word": WORDS, "start": st.floats(0, 9)}, optional={"end": JSON_NUMBERS, "text": WORDS, "more": VALUES}
    ),
    WORDS,
    VALUES,
)
RECORDS = st.fixed_dictionaries(
    {"words": st.lists(ITEMS, max_size=5)},
    optional={
        "id": st.one_of(NAMES, st.integers(-3, 10**20), st.floats(), st.none(), st.booleans()),
        "speaker": NAMES,
        "file": st.one_of(NAMES, st.none()),
        "channel": st.integers(0, 2),
        "begin": JSON_NUMBERS,
        "end": JSON_NUMBERS,
        "tree": VALUES,
    },
)


@st.composite
def json_lines(draw: st.DrawFn) -> bytes:
    """Lines of JSON, some of them damaged."""
    text = b""
    for _ in range(draw(st.integers(0, 4))):
        record = draw(st.one_of(RECORDS, RECORDS, RECORDS, VALUES))
        ascii_only, blanks = draw(st.booleans()), draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", " : ")]))
        line = as_bytes(json.dumps(record, ensure_ascii=ascii_only, separators=blanks))
        if draw(st.integers(0, 4)) == 0 and line:
            at = draw(st.integers(0, len(line) - 1))
            line = (
                line[:at]
                + draw(st.sampled_from([b"", b"\x01", b",", b"]", b"\\", b"\xff", b'"', b"0"]))
                + line[at + 1 :]
            )
        text += line + as_bytes(draw(ENDS))
    return text


@st.composite
def textgrids(draw: st.DrawFn) -> bytes:
    """Long, short and chronological files, some of them damaged."""
    comment = draw(st.sampled_from(["", "", " x = ", " intervals [1]:\n ", " ! 1 2\n", " a!b <x y> \u00a0"]))
    blank = st.sampled_from([" ", "\n", "\n", "\r\n", "\r", "\u00a0", "\t"])
    tokens: list[str] = []
    chronological = draw(st.integers(0, 3)) == 0
    tiers = draw(st.integers(0, 3))
    tokens += ['"Praat chronological TextGrid text file"'] if chronological else ['"ooTextFile"', '"TextGrid"']
    tokens += [draw(NUMBERS), draw(NUMBERS)] if draw(st.integers(0, 6)) == 0 else ["0", "9.5"]
    tokens += ([] if chronological else ["<exists>"]) + [str(tiers)]
    names = st.sampled_from(["words", "phones", "A - words", "words@B", "Mary", 'a ""b""'])
    kinds = st.sampled_from(["IntervalTier", "IntervalTier", "IntervalTier", "TextTier"])

    def item(kind: str) -> list[str]:
        label = draw(WORDS) if draw(st.integers(0, 2)) else " ".join(draw(st.lists(WORDS, max_size=4)))
        number = st.floats(0, 9).map(lambda value: f"{value:.3f}") if draw(st.integers(0, 9)) else NUMBERS
        return [draw(number) for _ in range(2 if kind == "IntervalTier" else 1)] + [
            '"' + label.replace('"', '""') + '"'
        ]

    made = [(draw(kinds), draw(names)) for _ in range(tiers)]
    if chronological:
        tokens += [token for kind, name in made for token in (f'"{kind}"', f'"{name}"', "0", "9.5")]
        for _ in range(draw(st.integers(0, 6))):
            place = draw(st.integers(0, max(tiers, 1)))
            tokens += [str(place), *item(made[place - 1][0] if 0 < place <= tiers else "IntervalTier")]
    else:
        for kind, name in made:
            count = draw(st.integers(0, 4))
            tokens += [f'"{kind}"', f'"{name}"', "0", "9.5", str(count)]
            tokens += [token for _ in range(count) for token in item(kind)]
    if draw(st.integers(0, 2)) == 0 and tokens:
        at = draw(st.integers(0, len(tokens) - 1))
        tokens[at : at + 1] = draw(
            st.sampled_from([[], ["<absent>"], ['"x'], ["1e9"], ["-1"], ["1.5"], ["9", "9"], ["x"]])
        )
    text = "".join(f"{comment}{token}{draw(blank)}" for token in tokens)
    encoding = draw(st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1", "mac-roman"]))
    return text.encode(encoding, "replace")


Native = Callable[..., Utterances]
Plain = Callable[[bytes, str | None, str], word_readers.Read]


def outcome(read: Callable[[], word_readers.Read]) -> object:
    """The utterances, problems and notes, or the error, in a form that can be compared; NaN is equal to NaN."""
    try:
        utterances, problems, notes = read()
    except InputError as error:
        return repr(error.problem)
    return list(map(repr, utterances)), list(map(repr, problems)), notes


def check(native: Native, plain: Plain, data: bytes) -> None:
    """Compare what is read, and then the corrected times."""
    for on_error in ("keep", "raise"):

        def ours(on_error: str = on_error) -> word_readers.Read:
            read = native(data, name="a.x", on_error=on_error)
            return list(read), list(read.problems), list(read.notes)

        assert outcome(ours) == outcome(lambda on_error=on_error: plain(data, "a.x", on_error))  # type: ignore[misc]
    try:
        utterances, _, _ = plain(data, "a.x", "keep")
    except InputError:
        return
    items, problems = all_sound(native(data, name="a.x", on_error="keep"), file="a.x")
    expected = [word_readers.corrected(utterance, "a.x") for utterance in utterances]
    assert list(map(repr, Utterances(items, format="x"))) == [repr(utterance) for utterance, _ in expected]
    assert list(map(repr, problems)) == [repr(problem) for _, faults in expected for problem in faults]
    objects = Utterances(list(native(data, name="a.x", on_error="keep")), format="x")
    items, problems = all_sound(objects, file="a.x")
    assert list(map(repr, Utterances(items, format="x"))) == [repr(utterance) for utterance, _ in expected]
    assert list(map(repr, problems)) == [repr(problem) for _, faults in expected for problem in faults]


def transcripts(data: bytes, name: str | None, on_error: str) -> word_readers.Read:
    """A ctm as transcripts, in which words without a time are left out."""
    return word_readers.read_ctm_streams(data, name, on_error, keep_words=False)


FORMATS = {
    "tsv": (tables(), read_word_table, word_readers.read_word_table),
    "ctm": (ctms(), read_ctm_words, word_readers.read_ctm),
    "transcripts": (ctms(), ctm.read_ctm, transcripts),
    "jsonl": (json_lines(), read_word_lines, word_readers.read_word_lines),
    "textgrid": (textgrids(), read_textgrid, word_readers.read_textgrid),
}


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_reads_the_same(format: str, data: st.DataObject) -> None:
    texts, native, plain = FORMATS[format]
    check(native, plain, data.draw(texts))


@pytest.mark.long
@pytest.mark.parametrize("format", FORMATS)
@settings.get_profile("long")
@given(st.data())
def test_reads_the_same_much_more(format: str, data: st.DataObject) -> None:
    texts, native, plain = FORMATS[format]
    check(native, plain, data.draw(texts))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text(max_size=5)), st.floats(), st.floats())
@example(["to", "speak"], 1.0, 1.7)
@example(["", ""], 0.0, 1.0)
def test_shared_times(words: list[str], start: float, end: float) -> None:
    assert list(map(repr, shared(words, start, end))) == list(map(repr, word_readers.shared(words, start, end)))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.one_of(st.none(), st.tuples(st.floats(-1, 20), st.floats(-1, 20)), st.tuples(st.floats(), st.floats())))
)
def test_corrected_times(times: list[tuple[float, float] | None]) -> None:
    from treescore.words.timeline import sound
    from treescore.words.transcript import Transcript

    utterance = Utterance(Transcript(["w"] * len(times), times=times), id="u", line=3, begin=1.0, end=0.5)
    ours, problems = sound(utterance, file="f")
    expected, faults = word_readers.corrected(utterance, "f")
    assert (repr(ours), list(map(repr, problems))) == (repr(expected), list(map(repr, faults)))


def test_null_words_stay_null_words_when_times_are_corrected() -> None:
    data = b"f A 0 1 a\nf A * * @\nf A 0.5 1 b\n"
    check(ctm.read_ctm, transcripts, data)
    items, problems = all_sound(ctm.read_ctm(data, name="a.x", on_error="keep"), file="a.x")
    [utterance] = Utterances(items, format="ctm")
    assert (utterance.transcript.nulls, utterance.transcript.times) == (frozenset({1}), ((0.0, 0.5), None, (0.5, 1.5)))
    assert [problem.code for problem in problems] == ["overlap"]
