"""What is said of the leaves of trees, how it is looked up, and dictionaries of pronunciations. Needs no audio."""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

import pytest
from command import inside
from hypothesis import given, strategies as st

import treescore
from treescore.cli import main
from treescore.cli.commands import COMMANDS
from treescore.helpers.extras import advice
from treescore.readers.named_words import is_named_words, read_named_words
from treescore.readers.pronunciations import read_pronunciations
from treescore.speech.audio import channel_number, natural
from treescore.speech.numbers import number_words
from treescore.speech.readings import spoken
from treescore.speech.written import written_readings
from treescore.values.problem import InputError

KNOWN = {"don't", "gonna", "wanna", "'em", "'cause", "i'm", "you're", "can", "not"}


def texts(sentence: str) -> list[str]:
    """The words that are said of a sentence of leaves, all without tags."""
    return [word.text for word in spoken([(leaf, None) for leaf in sentence.split()], KNOWN)]


@pytest.mark.parametrize(
    ("leaves", "expected"),
    [
        ("I do n't know .", ["I", "don't", "know"]),
        ("we 're gon na go", ["we", "'re", "gonna", "go"]),  # we're is not among the words that are known here
        ("you 're", ["you're"]),
        ("get 'em 'cause", ["get", "'em", "'cause"]),
        ("can not", ["can", "not"]),
        ("Kowalski 's dog", ["Kowalski's", "dog"]),
        ("`` Rocky '' 's", ["Rocky's"]),
        ("'T is", ["'Tis"]),
        ("$ 5 million", ["5", "million"]),
        ("50 % -- & [laughter] <sil>", ["50", "%", "&"]),
        ("... -LRB- ?", []),
        ("", []),
    ],
)
def test_leaves_that_are_said_together(leaves: str, expected: list[str]) -> None:
    assert texts(leaves) == expected


def test_traces_and_punctuation_are_silent_by_their_tags() -> None:
    leaves = [("what", "WP"), ("*T*-1", "-NONE-"), ("is", "VBZ"), ("x", ":"), ("0", "-NONE-")]
    assert [word.text for word in spoken(leaves, ())] == ["what", "is"]


@pytest.mark.parametrize(
    ("word", "reading"),
    [
        ("1990", ("nineteen", "ninety")),
        ("F-16", ("f", "sixteen")),
        ("50%", ("fifty", "percent")),
        ("$1", ("one", "dollar")),
        ("USA", ("u.", "s.", "a.")),
        ("U.S.A.", ("u.", "s.", "a.")),
        ("café", ("cafe",)),
        ("weeks.", ("weeks",)),
        ("\N{LEFT DOUBLE QUOTATION MARK}yes\N{RIGHT DOUBLE QUOTATION MARK}", ("yes",)),
        ("don\N{RIGHT SINGLE QUOTATION MARK}t", ("don't",)),
        ("and/or", ("and", "or")),
        (".5", ("point", "five")),
    ],
)
def test_readings(word: str, reading: tuple[str, ...]) -> None:
    assert reading in spoken([(word, None), ("small", None)], ())[0].readings


@pytest.mark.parametrize("word", ["٣", "the(2)", "a٣"])
def test_no_reading_is_invented(word: str) -> None:
    """Neither pronunciations of the dictionary by their number, nor half of a word."""
    for reading in spoken([(word, None)], ())[0].readings:
        assert reading in ((word,), ("the", "two"))


def test_words_in_capitals_are_spelt_only_where_capitals_mean_something() -> None:
    letters = ("x.", "k.", "c.", "d.")
    assert letters in spoken([("read", None), ("XKCD", None)], ())[1].readings
    assert letters not in spoken([("READ", None), ("XKCD", None)], ())[1].readings


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("0", "zero"),
        ("19", "nineteen"),
        ("100", "one hundred"),
        ("1,000,001", "one million one"),
        ("1905", "nineteen oh five"),
        ("1900", "nineteen hundred"),
        ("2000", "two thousand"),
        ("2021", "twenty twenty one"),
        ("12th", "twelfth"),
        ("1,000th", "one thousandth"),
        ("'90s", "nineties"),
        ("1900s", "nineteen hundreds"),
        ("9:05", "nine oh five"),
        ("9:00", "nine o'clock"),
        ("0.05", "zero point zero five"),
        ("9" * 20, " ".join(["nine"] * 20)),
    ],
)
def test_numbers(number: str, words: str) -> None:
    assert " ".join(number_words(number) or []) == words


@pytest.mark.parametrize("text", ["", "x", "1,2", "1.2.3", "1st2", "٣", "½", "-1"])
def test_what_is_no_number(text: str) -> None:
    assert number_words(text) is None


def test_every_number_below_a_million_has_a_name_of_its_own() -> None:
    numbers = [*range(1_000), *range(1_000, 10**6, 997)]
    names = {" ".join(number_words(f"{number:,}") or []) for number in numbers}
    assert len(names) == len(numbers)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("1/2", "one half|a half|half|and a half|one two|one slash two|january second"),
        ("3/4", "three quarters|three fourths|three four|three slash four|march fourth"),
        ("½", "one half|a half|half|and a half|one two|one slash two|january second"),
        ("1½", "one and a half|one and one half"),
        ("2-1/2", "two and a half|two and one half"),
        ("9/11", "nine elevenths|nine eleven|nine slash eleven|september eleventh"),
        ("24/7", "twenty four seven|twenty four slash seven|twenty four sevenths"),
        ("1/32", "one thirty second|a thirty second|one thirty two|one slash thirty two"),
        ("1/0", "one zero|one slash zero"),
        ("12/25/2020", "december twenty fifth twenty twenty|twelve twenty five twenty twenty"),
        ("2020-12-25", "december twenty fifth twenty twenty|twelve twenty five twenty twenty"),
        ("$1", "one dollar"),
        ("$0.50", "fifty cents"),
        ("$1.00", "one dollar"),
        ("$1.5m", "one point five million dollars"),
        ("us$20", "twenty dollars"),
        ("20€", "twenty euros"),
        ("£1.01", "one pound one|one pound and one penny|one pound one penny|one one|one point zero one pounds"),
        ("¥500", "five hundred yen"),
        ("3.5%", "three point five percent"),
        ("10-12%", "ten to twelve percent|ten twelve percent|ten through twelve percent|ten minus twelve percent"),
        ("1990-95", "nineteen ninety to ninety five|nineteen ninety ninety five|"
         "nineteen ninety through ninety five|nineteen ninety minus ninety five"),
        ("1-800-555", "one eight zero zero five five five|one eight oh oh five five five"),
        ("5km", "five kilometers|five kilometer|five k. m."),
        ("1km", "one kilometer|one k. m."),
        ("20°c", "twenty degrees celsius|twenty degree celsius"),
        ("-5", "minus five|negative five"),
        ("10am", "ten a.m."),
        ("10:30 p.m.", ""),
        ("10:30p.m.", "ten thirty p.m."),
        ("$3/kg", "three dollars per kilogram"),
        ("5mb/s", "five megabytes per second|five megabyte per second|five m. b. per second"),
        ("#1", "number one|hashtag one|one"),
        ("1990", "nineteen ninety|one thousand nine hundred ninety|"
         "one thousand nine hundred and ninety|one nine nine zero"),
        ("2005", "two thousand five|two thousand and five|twenty oh five|two zero zero five"),
        ("150", "one hundred fifty|one hundred and fifty|one fifty|one five zero"),
        ("007", "zero zero seven|oh oh seven|double oh seven"),
        ("0.5", "zero point five|point five|oh point five"),
        ("100", "one hundred|a hundred"),
        ("1,234,567", "one million two hundred thirty four thousand five hundred sixty seven"),
        ("no.", "number"),
        ("e.g.", "for example"),
        ("km", ""),
        ("x", ""),
    ],
)  # fmt: skip
def test_written_forms(written: str, words: str) -> None:
    assert "|".join(" ".join(reading) for reading in written_readings(written)) == words


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("ChatGPT", "chat g. p. t."),
        ("LLMs", "l. l. m.'s"),
        ("iPhone", "i. phone"),
        ("mRNA", "m. r. n. a."),
        ("SpaceX,", "space x."),
        ("OpenAI", "open a. i."),
        ("PhDs", "ph d.'s"),
        ("McDonald", "mc donald"),
    ],
)
def test_capitals_inside_of_words(word: str, parts: str) -> None:
    assert tuple(parts.split()) in spoken([(word, None), ("small", None)], ())[0].readings


@pytest.mark.parametrize(
    ("leaves", "words"),
    [
        ("$ 5 million", "five|million dollars"),
        ("$5 million", "five|million dollars"),
        ("$ 1 and £ 2.5", "one dollar|and|two point five pounds"),
        ("$ 3.50 or 3.50", "three dollars fifty|or|three point five zero"),
        ("$3 a day", "three dollars|a|day"),
        ("5 km in", "five|kilometers|in"),
        ("St. Paul", "st|paul"),
        ("1,5 v1.2.3", "one five|v one point two point three"),
        ("Lt. Dan", "lieutenant|dan"),
        ("cost ($3.50).", "cost|three dollars fifty"),
    ],
)
def test_first_readings_of_written_forms(leaves: str, words: str) -> None:
    known = set(words.replace("|", " ").split())
    asked = spoken([(leaf, None) for leaf in leaves.split()], ())
    first = [next(reading for reading in word.readings if known.issuperset(reading)) for word in asked]
    assert "|".join(map(" ".join, first)) == words


@given(st.text(max_size=12), st.text("0123456789.,-/:$%£€½kmap'(x", max_size=8))
def test_any_text_has_readings_without_exceptions(any_text: str, numeric: str) -> None:
    for text in (any_text, numeric):
        words = spoken([(text, None), ("5", None), (numeric, None), ("small", None)], ())
        assert all(all(reading) for word in words for reading in (*word.readings[1:], *word.others))
        assert all(word.readings for word in words)


@pytest.mark.parametrize("part", ["1.", "1,", "1/", "5-", "½", "aB", "$", "a'", "x.", "1:", "1s", "/m", "(", "-"])
def test_long_words_take_little_time(part: str) -> None:
    start = process_time()
    spoken([(part * 20_000, None), ("small", None)], ())
    assert process_time() - start < 5


PHONES = {"AH", "K", "T"}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("cat K QQ T\n", "d:1:7: 'QQ' is not a phone"),
        ("cut K AH T\n\n;;; comment\ncat\n", "d:4:1: there is no pronunciation"),
        ("(2) K\n", "d:1:1: there is no pronunciation"),
    ],
)
def test_faults_in_a_dictionary_have_their_place(text: str, place: str) -> None:
    with pytest.raises(InputError) as error:
        read_pronunciations(text.encode(), PHONES, name="d")
    assert str(error.value).startswith(place)


@pytest.mark.parametrize(
    "word", ["Straße", "cafe\N{COMBINING ACUTE ACCENT}", "C#", "f(x)", "don\N{RIGHT SINGLE QUOTATION MARK}t"]
)
def test_words_of_a_dictionary_are_found_as_they_are_written(word: str) -> None:
    own = read_pronunciations(f"# a comment\n{word} K AH # as they say\n{word}(2) K\n".encode(), PHONES)
    assert list(own.values()) == [(("K", "AH"), ("K",))]
    for written in (word, word.upper() if word != "f(x)" else word):
        assert spoken([(written, None)], ())[0].readings[0] == tuple(own)


def test_named_words() -> None:
    data = b"u1\tso we go\r\n\nno name here\nu2\t\n"
    with pytest.raises(InputError, match="w:3:1: there is no name"):
        read_named_words(data, name="w")
    found = read_named_words(data, name="w", on_error="keep")
    assert [(one.id, one.transcript.words, one.line) for one in found] == [("u1", ("so", "we", "go"), 1), ("u2", (), 4)]
    assert [problem.code for problem in found.problems] == ["line"]
    assert is_named_words(b"\xef\xbb\xbf\nu0\t\nu1\tso\n")
    assert not is_named_words(b"") and not is_named_words(b"u1\t(S (NN a))\n") and not is_named_words(b"#BOS\t1\n")


def test_channels_and_the_order_of_files() -> None:
    assert [channel_number(name) for name in ("a", "B", "3", "mix", None)] == [0, 1, 2, None, None]
    for name in ("0", "AB", "-1", "", "٣"):
        with pytest.raises(ValueError, match="is not a channel"):
            channel_number(name)
    assert sorted(["b/2", "b/10", "a9", "1", "a10"], key=natural) == ["1", "a9", "a10", "b/2", "b/10"]


def test_how_many_recordings_at_a_time() -> None:
    with pytest.raises(treescore.UsageError, match="'0' is not a number of recordings from 1 to 9,999"):
        COMMANDS["align audio"].parser("align audio").parse_args(["audio", "words.txt", "--jobs", "0"])


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("numpy", "soundfile", "soxr", "pocketsphinx"):
        monkeypatch.setitem(sys.modules, name, None)
    (tmp_path / "words.txt").write_text("a\tyes\n")
    out, err, code = inside(tmp_path, lambda: main(["align", "audio", ".", "words.txt", "-o", "out"]))
    message = f"treescore: error: this needs numpy, which is not installed; {advice('speech')}\n"
    assert (out, err.decode(), code) == (b"", message, 2)
    assert not (tmp_path / "out").exists()
