"""Words of speech: aligning them, reading and writing transcripts and alignments, and what belongs together."""

from __future__ import annotations

import signal
from array import array
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from strategies import RANDOMS, hang_guard

import treescore
from treescore import InputError, UsageError, _core, align_words, time_align
from treescore.pairing.word_alignment import WordAlignment, WordCounts
from treescore.pairing.word_reports import WordReport, align_utterances
from treescore.readers.alignment_files import read_alignment_file
from treescore.readers.ctm import read_ctm
from treescore.readers.sclite_pra import read_sclite_pra
from treescore.readers.sclite_sgml import read_sclite_sgml
from treescore.readers.stm import read_stm
from treescore.readers.transcripts import read_transcripts, read_word_alignments
from treescore.readers.trn import read_trn
from treescore.render.word_times import ordered, write_ctm
from treescore.words.transcript import Transcript, parse_transcript
from treescore.words.utterance import Utterance, Utterances

# ---- aligning


def kinds(alignment: WordAlignment) -> str:
    """The letters of the steps."""
    return "".join(op[0] for op in alignment.ops)


def test_ties_and_costs() -> None:
    assert kinds(align_words("a b c d", "a x d")) == "CDSC"
    assert kinds(align_words("a b c d", "a x d", tie="late_gap")) == "CSDC"
    assert kinds(align_words("a b c d", "a x d e")) == "CDSCI"
    assert kinds(align_words("a b c d", "a x d e", costs=(1, 1, 1))) == "CSSS"
    assert kinds(align_words("a", "b", costs=(1, 1, 3))) == "DI"
    assert align_words("a b", "b", costs=(1, 0.25, 1)).cost == 0.25


def test_counts() -> None:
    counts = align_words("a b c d", "a x d e").counts
    assert counts == WordCounts(2, 1, 1, 1)
    assert (counts.ref_words, counts.errors, counts.wer) == (4, 3, 0.75)
    assert align_words("", "a").wer is None
    assert align_words([], []).ops == []
    assert repr(align_words("a b", "a")) == "<WordAlignment: 1 0 1 0 (C S D I), WER 50.0%>"


def test_words_are_taken_as_they_are_in_lists() -> None:
    assert kinds(align_words(["{", "a", "/", "b", "}", "@"], ["{", "a", "/", "b", "}", "@"])) == "CCCCCC"
    assert align_words(("a b", "c"), ["a b"]).counts.correct == 1


def test_case() -> None:
    assert align_words("The Élan", "the élan").counts.correct == 2
    assert align_words("The Élan", "the élan", fold_case=False).counts.substitutions == 2


def test_optional_words() -> None:
    assert kinds(align_words("b (c) d", "b d")) == "CDC"
    assert align_words("b (c) d", "b d", optional=True).ops == [("C", 0, 0), ("C", 1, None), ("C", 2, 1)]
    assert kinds(align_words("b (c) d", "b c d", optional=True)) == "CCC"
    assert kinds(align_words("b d", "b Uh d", optional=["uh"])) == "CCC"
    assert kinds(align_words("b (c) d", "b d", optional=True, costs=(1, 1, 1))) == "CCC"


def test_equivalent_words() -> None:
    groups = [("um", "uh"), ("UH", "er"), ("ok", "okay")]
    assert kinds(align_words("um ok er", "er okay um", equivalent=groups)) == "CCC"
    assert kinds(align_words("um ok", "ok um", equivalent=groups)) != "CC"


def test_fragments() -> None:
    assert kinds(align_words("the ca- cat", "the can cat")) == "CSC"
    assert kinds(align_words("the ca- cat", "the can cat", fragments=True)) == "CCC"
    assert kinds(align_words("-tion", "nation", fragments=True)) == "C"
    assert kinds(align_words("ca-", "c", fragments=True)) == "S"
    assert kinds(align_words("- --", "a b", fragments=True)) == "SS"


def test_characters() -> None:
    alignment = align_words("abc de", "abd de", characters=True)
    assert kinds(alignment) == "CCSCC"
    assert kinds(align_words("{ ab / c } d", "abd", characters=True)) == "CCC"
    assert kinds(align_words("{ ab / @ } d", "d", characters=True)) == "C"


def test_alternatives() -> None:
    assert align_words("i { um / uh / @ } see", "i see").ops == [("C", 0, 0), ("C", 4, 1)]
    assert kinds(align_words("{ a { b / c } / d e f }", "d e f")) == "CCC"
    assert kinds(align_words("@", "")) == ""
    for text, message in (
        ("{ a / b", "never closed"),
        ("a }", "closes no alternatives"),
        ("{ a / }", "is empty"),
        ("{ }", "is empty"),
        ("{a / b }", "put blanks around"),
    ):
        with pytest.raises(ValueError, match=message):
            align_words(text, "a")
    depth = 5_000
    deep = "{ " * depth + "a" + " / b } x" * depth
    assert len(parse_transcript(deep)) == 2 * depth + 1


@pytest.mark.parametrize(
    "options",
    [
        {"costs": (0, 3, 4)},
        {"costs": (3, 3, -1)},
        {"costs": (3, 3)},
        {"costs": (1 / 3, 1, 1)},
        {"costs": (float("nan"), 1, 1)},
        {"tie": "early"},
        {"optional": "um"},
        {"equivalent": "um"},
    ],
    ids=repr,
)
def test_options_that_cannot_be_used(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        align_words("a", "b", **options)


def test_times() -> None:
    ref = [("the", 0.0, 0.5), ("cat", 0.5, 1.0)]
    assert kinds(time_align(ref, [("cat", 10.0, 10.5)])) == "DDI"
    assert kinds(time_align(ref, [("cat", 0.0, 0.5), ("the", 0.5, 1.0)])) == "SS"
    for words in ([("a", 1.0, 0.5)], [("a", 0.0, float("inf"))], [("a", float("nan"), 1.0)]):
        with pytest.raises(UsageError):
            time_align(ref, words)
    with pytest.raises(UsageError, match="without times"):
        time_align(Transcript(["a"]), ref)


def test_what_is_absurd_is_refused() -> None:
    ref, hyp = array("I", range(3_000_000)), array("I", range(3_000_000, 6_000_000))
    with pytest.raises(_core.SequencesTooLong, match=r"3000000 with 3000000 words .* cut them into segments"):
        _core.align_words(ref, hyp, None, None, (3, 3, 4), [], False)
    assert _core.align_words(ref, ref, None, None, (3, 3, 4), [], False)[0] == 0


def test_buffers_that_do_not_fit_are_refused() -> None:
    words, costs = array("I", [1, 2]), (3, 3, 4)
    with pytest.raises(ValueError, match="for each word"):
        _core.align_words(words, words, array("q", [1]), None, costs, [], False)
    with pytest.raises(ValueError, match="out of range"):
        _core.align_words(words, words, array("q", [1, 0]), None, costs, [], False)
    gaps, chain = array("q", [3, 3]), (array("I", [0, 1]), array("I", [1, 2]), 3)
    good = (words, gaps, *chain)
    for bad in (
        (words, gaps, array("I", [0, 2]), array("I", [1, 3]), 4),
        (words, gaps, array("I", [1, 1]), array("I", [1, 2]), 3),
        (words, gaps, array("I", [0, 1]), array("I", [1, 9]), 3),
        (words, gaps, array("I", [0]), array("I", [1]), 2),
        (words, gaps, *chain[:2], 0),
    ):
        with pytest.raises(ValueError, match="not a lattice"):
            _core.align_lattices(bad, good, costs, [], False)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers")
def test_long_work_can_be_interrupted() -> None:
    class Enough(Exception):
        pass

    def stop(*_: object) -> None:
        raise Enough

    rng = Random(1)
    ref, hyp = (array("I", [rng.randrange(10**6) for _ in range(200_000)]) for _ in range(2))
    before = signal.signal(signal.SIGALRM, stop)
    try:
        with hang_guard(60):
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(Enough):
                _core.align_words(ref, hyp, None, None, (3, 3, 4), [], False)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# ---- the alignment of the figure in the SParseval paper

#: The errors of figure 1 of Roark and others (2006), as such a file has them, with comments behind the codes.
FIGURE = (
    b"i\ti\t000\t// match\nlike\tlike\t000\nBaltimore\tBaldies\t001\t// substitution\n\tmore\t010\t// insertion\n"
    b"in\tin\t000\neveryone\tvery\t001\ndoes\twonton\t001\n\t's\t010\ndo\tdonut\t001\nn't\t\t100\t// deletion\n"
    b"you\tyou\t000\n"
)


def test_an_alignment_from_elsewhere_is_taken_as_it_is() -> None:
    figure = read_alignment_file(FIGURE).alignments[0]
    assert kinds(figure) == "CCSICSSISDC"
    assert figure.counts == WordCounts(correct=4, substitutions=4, deletions=1, insertions=2)
    assert figure.ref.words[-4:] == ("does", "do", "n't", "you")


def test_our_own_alignment_of_the_figure_is_that_of_sclite() -> None:
    figure = read_alignment_file(FIGURE).alignments[0]
    ours = align_words(figure.ref.words, figure.hyp.words)
    assert kinds(ours) == "CCISCSSSSC"  # the insertion comes first, and four substitutions are cheaper
    pairs = [(ref, hyp) for _, ref, hyp, _, _ in ours.rows()]
    assert pairs[2:4] == [(None, "Baldies"), ("Baltimore", "more")]
    assert pairs[5:9] == [("everyone", "very"), ("does", "wonton"), ("do", "'s"), ("n't", "donut")]
    assert ours.cost == 3 + 4 + 16


# ---- what belongs together


def problems_of(read: Callable[..., Utterances], data: bytes) -> list[str]:
    """The problems that a reader finds; the first of them must be raised if they are not to be kept."""
    result = read(data, name="x", on_error="keep").problems
    if result:
        with pytest.raises(InputError) as caught:
            read(data, name="x")
        assert caught.value.problem == result[0].replace(action=None)
    return [f"{problem.line}:{problem.column} {problem.code}" for problem in result]


def test_trn() -> None:
    data = b"\xef\xbb\xbf;; note\n a  b (s-1) \r\n\n(s_2)\nc\xc2\xa0d (s-3)"
    assert [(item.id, item.speaker, item.line, item.transcript.words) for item in read_trn(data)] == [
        ("s-1", "s", 2, ("a", "b")),
        ("s_2", "s", 4, ()),
        ("s-3", "s", 5, ("c\xa0d",)),
    ]
    bad = b"a\nb (x y)\nc ()\nd (s-1)\ne (s-1)\nf { g (s-2)\nh g} (s-3)\n"
    assert problems_of(read_trn, bad) == [
        "1:1 no-id",
        "2:7 no-id",
        "3:4 no-id",
        "5:3 same-id",
        "6:3 alternatives",
        "7:3 alternatives",
    ]


def test_ctm() -> None:
    data = b";; note\nf A 0.1 0.2 a\nf B 0 1 x NA\nf A * * <ALT_BEGIN>\nf A 0.3 0.1 b\nf A * * <ALT>\nf A * * @\n"
    first, second = read_ctm(data + b"f A * * <ALT_END>\nf A 0.5 0.25 c 0.75\n")
    assert (first.id, first.transcript.words) == ("f-A", ("a", "b", "@", "c"))
    assert first.transcript.times == ((0.1, 0.3), (0.3, 0.4), None, (0.5, 0.75))
    assert first.transcript.ways == ((0, 1), (1, 2), (1, 2), (2, 3))
    assert second.transcript.words == ("x",)
    assert problems_of(read_ctm, b"f A 0 1\nf A x 1 a\nf A 0 -1 a\nf A 0 1 a\nf A * * <ALT>\n") == [
        "1:1 fields",
        "2:5 time",
        "3:7 time",
        "5:9 alternatives",
    ]
    assert problems_of(read_ctm, b"f A 0 1 a\nf A * * <ALT_BEGIN>\n") == ["1:1 alternatives"]
    assert problems_of(read_ctm, b"f A 2 1 b\nf A 0 1 a\n") == ["1:1 order"]
    assert read_ctm(b"f A 2 1 b\nf A 0 1 a\n", on_error="keep")[0].transcript.words == ("a", "b")


def test_stm() -> None:
    first, two = read_stm(b"f A s 0 1.5 <o,f0> a { b / c }\nf A s 2 3 <unk d\n")
    assert (first.labels, first.begin, first.end, first.transcript.words) == ("<o,f0>", 0.0, 1.5, ("a", "b", "c"))
    assert (two.id, two.labels, two.transcript.words) == ("s-002", None, ("<unk", "d"))
    assert problems_of(read_stm, b"f A s 0\nf A s x 1 a\nf A s 0 nan a\nf A s 2 1 a\nf A s 0 1 <o> a { b\n") == [
        "1:1 fields",
        "2:7 time",
        "3:9 time",
        "4:9 time",
        "5:17 alternatives",
    ]


def report_of(ref: str, hyp: str, formats: tuple[str, str]) -> WordReport:
    """Align two texts."""
    return align_utterances(read_transcripts(ref, format=formats[0]), read_transcripts(hyp, format=formats[1]))


def test_utterances_without_a_partner() -> None:
    report = report_of("a (s-1)\nb (s-2)\n", "b (s-2)\nc (s-3)\n", ("trn", "trn"))
    assert [problem.code for problem in report.problems] == ["no-reference", "no-hypothesis"]
    assert report.counts == WordCounts(correct=1)
    report = report_of("f A 0 1 a\nf B 0 1 b\n", "f B 0 1 b\nf C 0 1 c\n", ("ctm", "ctm"))
    assert [problem.code for problem in report.problems] == ["no-hypothesis", "no-reference"]
    with pytest.raises(UsageError, match="trn cannot be aligned with ctm"):
        report_of("a (s-1)\n", "f A 0 1 a\n", ("trn", "ctm"))


def test_common_silence_cuts() -> None:
    """The same word behind a common silence is another word."""
    ref, hyp = "f A 0 1 a\nf A 1 1 b\nf A 5 1 c\n", "f A 0 1 a\nf A 5 1 b\nf A 6 1 c\n"
    assert kinds(report_of(ref, hyp, ("ctm", "ctm")).alignments[0]) == "CDIC"
    noisy = hyp.replace("f A 5 1 b", "f A 1.5 3.5 x\nf A 5 1 b")
    assert kinds(report_of(ref, noisy, ("ctm", "ctm")).alignments[0]) == "CICC"


def test_words_outside_of_segments() -> None:
    ref = "f A s 1 2 a\nf A s 2 3 IGNORE_TIME_SEGMENT_IN_SCORING\nf A s 3 4 b\n"
    hyp = "f A 0 0.5 x\nf A 1.2 0.2 a\nf A 2.5 0.2 y\nf A 3.9 0.2 z\nf B 0 1 q\n"
    report = report_of(ref, hyp, ("stm", "ctm"))
    assert [kinds(alignment) for alignment in report.alignments] == ["C", "D"]
    assert [str(problem) for problem in report.problems] == [
        "<text>:1: 2 words of file f, channel A lie in no segment (left out)",
        "<text>:5: file f, channel B is not in the reference (left out)",
    ]


# ---- which format it is


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("a b (s-1)\n", "trn"),
        ("(s-1)\n", "trn"),
        (";; x\nf A 0.0 0.5 the\n", "ctm"),
        ("f A 0.0 0.5 7 0.9\n", "ctm"),
        ("f A s 0.0 0.5 the cat\n", "stm"),
        ("f A 1 0.0 0.5 <o> the\n", "stm"),
    ],
)
def test_transcripts_are_recognised(text: str, format: str) -> None:
    assert read_transcripts(text).format == format
    assert read_transcripts(text.encode()).format == format


def test_alignments_are_recognised() -> None:
    report = report_of("a b (s-1)\nc (s-2)\n", "a x y (s-1)\n(s-2)\n", ("trn", "trn"))
    for form in ("sgml", "pra", "sparseval"):
        again = read_word_alignments(report.to(form))
        assert again.counts == report.counts
        assert again.problems == []
        with pytest.raises(InputError, match="not a transcript"):
            read_transcripts(report.to(form))
    with pytest.raises(InputError, match="not an alignment"):
        read_word_alignments("a (s-1)\n")
    with pytest.raises(InputError, match="is unknown"):
        read_transcripts("what is this\n")
    with pytest.raises(UsageError, match="must be one of"):
        read_transcripts("a (s-1)\n", format="srt")
    with pytest.raises(InputError, match="UTF-16"):
        read_transcripts("a (s-1)\n".encode("utf-16"), format="trn")


# ---- alignments that other programs made


def test_sparseval_rows() -> None:
    good = b"i\t\ti\t\t000\r\n100\t100\t000\nx\t100\t001\ndoes\t\t\t\t100  // lost\n\t\t's\t\t010\n\n"
    assert kinds(read_alignment_file(good).alignments[0]) == "CCSDI"
    for row, message in (
        (b"a\tb", "no code"),
        (b"a\tb\t0000", "no code"),
        (b"a\tb\t010", "does not fit"),
        (b"\tb\t001", "does not fit"),
        (b"a\tb\t100", "does not fit"),
        (b"\t100", "no code"),
        (b"a\ta\t000 x", "comments begin"),
        (b"", "without words"),
    ):
        read = read_alignment_file(b"a\ta\t000\n" + row + b"\nb\tb\t000\n", on_error="keep")
        assert kinds(read.alignments[0]) == "CC"
        assert [problem.line for problem in read.problems] == [2]
        with pytest.raises(InputError, match=message):
            read_alignment_file(row + b"\na\ta\t000")


def test_sgml_paths() -> None:
    text = (
        b'<SYSTEM title="x">\n<SPEAKER id="s">\n<PATH id="(s-1)" word_cnt="3" sequence="0">\n'
        b'C,"a:b","a:b":C,"(c)","":S,"x,y","z",1.000+1.500,:I,,"say"no",,0.500+0.750\n</PATH>\n</SPEAKER>\n</SYSTEM>\n'
    )
    (alignment,) = read_sclite_sgml(text).alignments
    assert (alignment.id, alignment.speaker) == ("s-1", "s")
    assert [row[:3] for row in alignment.rows()] == [
        ("C", "a:b", "a:b"),
        ("C", "(c)", None),
        ("S", "x,y", "z"),
        ("I", None, 'say"no'),
    ]
    for path in (b"X", b'C,"a"', b'C,"a","b" x', b'D,,"a"', b"C,,", b'C,"a","b":', b'S,"a",', b'C,"a,"b'):
        read = read_sclite_sgml(b"<PATH>\n" + path + b"\n</PATH>", on_error="keep")
        assert (read.alignments, [problem.code for problem in read.problems]) == ([], ["path"]) or path == b'C,"a","b":'
    with pytest.raises(InputError, match="never ended"):
        read_sclite_sgml(b"<PATH>\n")
    with pytest.raises(InputError, match="ends no path"):
        read_sclite_sgml(b"</PATH>\n")


def test_pra() -> None:
    text = (
        b"SPEAKER s\n\nid: (s-1)\nScores: (#C #S #D #I) 1 1 0 0\n"
        b"REF:  CAF\xc3\xa9 ol\xc3\xa9 \nHYP:  CAFE  ol\xc3\xa9 \n"
        b"Eval: S          \n\nid: (s-2)\nScores: (#C #S #D #I) 1 0 0 0\nREF:  The\nHYP:  The\nEval:\n"
    )
    first, two = read_sclite_pra(text).alignments
    assert (first.ref.words, first.hyp.words, first.fold_case) == (("café", "olé"), ("cafe", "olé"), True)
    assert (two.ref.words, two.fold_case, two.speaker) == (("The",), False, "s")
    for lines, code in (
        (b"REF:  a\nHYP:  a\nEval:  S\n", "columns"),
        (b"REF:  a b\nHYP:  a\nEval:\n", "columns"),
        (b"REF:  a\nHYP:  b\nEval: X\n", "columns"),
        (b"REF:  a\nHYP:  b\nEval: D\n", "columns"),
        (b"REF:  a b\nHYP:  a b\nEval:\n", "scores"),
    ):
        text = b"id: (s)\nScores: (#C #S #D #I) 1 0 0 0\n" + lines
        read = read_sclite_pra(text, on_error="keep")
        assert (read.alignments, [problem.code for problem in read.problems]) == ([], [code])


# ---- writing and reading again

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=4)
PLAIN = WORDS.filter(lambda word: not set(word) & set('{}()@/*;"<') and word == word.lower())


@given(st.lists(PLAIN, max_size=6), st.lists(PLAIN, max_size=6), st.booleans())
@settings(max_examples=200)
def test_alignments_survive(ref: list[str], hyp: list[str], timed: bool) -> None:
    alignment = align_words(ref, hyp)
    if timed:
        times = [[(float(place), place + 0.5) for place in range(len(side))] for side in (ref, hyp)]
        timed_sides = [Transcript(side, times=own) for side, own in zip((ref, hyp), times, strict=True)]
        alignment = align_words(*timed_sides)
    alignment.id, alignment.speaker = "s-1", "s"
    report = WordReport([alignment], ref="a", hyp="b")
    rows = list(alignment.rows())
    (from_sgml,) = read_sclite_sgml(report.to("sgml").encode()).alignments
    assert [row[:3] for row in from_sgml.rows()] == [row[:3] for row in rows]
    if ref and hyp:
        assert list(from_sgml.rows()) == rows
    assert (from_sgml.id, from_sgml.speaker) == ("s-1", "s")
    (from_pra,) = read_sclite_pra(report.to("pra").encode()).alignments
    assert [row[0] for row in from_pra.rows()] == [row[0] for row in rows]
    assert from_pra.counts == alignment.counts
    from_rows = read_alignment_file(report.to("sparseval").encode()).alignments[0]
    assert [row[:3] for row in from_rows.rows()] == [row[:3] for row in rows]


def make_text(rng: Random, depth: int) -> list[str]:
    """A transcript with alternatives."""
    out: list[str] = []
    for _ in range(rng.randint(1, 3)):
        if depth and rng.random() < 0.4:
            branches = [make_text(rng, depth - 1) for _ in range(rng.randint(1, 3))]
            out += ["{", *branches[0], *(word for branch in branches[1:] for word in ["/", *branch]), "}"]
        else:
            out.append(rng.choice(["a", "b", "cé", "@", "(d)", "e-"]))
    return out


def tokens(transcript: Transcript) -> str:
    return " ".join(token if isinstance(token, str) else transcript.words[token] for token in ordered(transcript))


def as_trn(utterances: list[Utterance]) -> str:
    return "".join(f"{tokens(it.transcript)} ({it.id})\n" for it in utterances)


def as_stm(utterances: list[Utterance]) -> str:
    names = [f"{it.file} {it.channel} {it.speaker} {it.begin} {it.end} {it.labels or ''}" for it in utterances]
    return "".join(f"{name} {tokens(it.transcript)}\n" for name, it in zip(names, utterances, strict=True))


@given(RANDOMS)
@settings(max_examples=200)
def test_transcripts_survive(rng: Random) -> None:
    items = [parse_transcript(" ".join(make_text(rng, 3))) for _ in range(rng.randint(1, 3))]
    plain = [item if item.ways and item.ways != tuple((n, n + 1) for n in range(len(item))) else None for item in items]
    items = [item or Transcript(old.words, nulls=old.nulls) for item, old in zip(plain, items, strict=True)]
    named = [Utterance(item, id=f"s-{n}", speaker="s", line=n) for n, item in enumerate(items, 1)]
    assert list(read_trn(as_trn(named).encode())) == named
    segments = [
        item.replace(
            id=f"s-{n:03}", file="f", channel="A", begin=n / 10, end=n + 0.25, labels=rng.choice([None, "<o>"])
        )
        for n, item in enumerate(named, 1)
    ]
    assert list(read_stm(as_stm(segments).encode())) == segments
    streams = []
    for n, item in enumerate(items):
        times = [None if place in item.nulls else (place / 10, place / 10 + 0.3) for place in range(len(item))]
        rounded = [None if time is None else (time[0], round(time[1], 9)) for time in times]
        streams.append(item.replace(times=rounded, ways=item.ways))
        written = write_ctm([Utterance(streams[-1], file=f"f{n}", channel="A")])
        (again,) = read_ctm(written.encode(), on_error="keep")
        assert again.transcript == streams[-1]


def test_public_names() -> None:
    assert treescore.align_words is align_words
    assert treescore.WordAlignment is WordAlignment
