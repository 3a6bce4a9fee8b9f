"""Forced alignment: recordings of all kinds, the decoder's pitfalls, and long work that is interrupted.

The recordings are those of the demo; when the synthesiser said each word is in golden/demo_speech.json.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import Any

import pytest
from command import inside
from hypothesis import given, settings, strategies as st

import treescore
from treescore.cli import main
from treescore.helpers.files import packaged
from treescore.readers.pronunciations import read_pronunciations
from treescore.speech import batch, forced
from treescore.speech.acoustic import read_acoustic_model
from treescore.speech.audio import ENDINGS, RATE, Sound, audio_files, check, read_sound
from treescore.speech.batch import Task, Text, align_audio, texts_of_trees
from treescore.speech.forced import BEAMS, ForcedAligner, NotAligned
from treescore.speech.journal import Journal
from treescore.speech.readings import Spoken, spoken
from treescore.trees import Treebank
from treescore.values.problem import InputError, UsageError

try:
    check()
except UsageError as missing:
    pytest.skip(f"forced alignment is not tested: {missing}", allow_module_level=True)

import numpy
import soundfile

DEMO = packaged("demo_speech")
AUDIO = DEMO / "audio"
SYNTHESISED = json.loads((Path(__file__).parent / "golden" / "demo_speech.json").read_text("utf-8"))["words"]


GOLD = {said.id: said for said in texts_of_trees(treescore.read(DEMO / "gold.trees"))}


def signal_of(name: str) -> Any:
    """The samples of one of the demo's recordings."""
    return soundfile.read(str(AUDIO / f"{name}.flac"))[0]


@pytest.fixture(scope="module")
def aligner() -> ForcedAligner:
    """One that all tests may use: what it does must not depend on what it did."""
    return ForcedAligner()


def words(aligner: ForcedAligner, name: str) -> list[Spoken]:
    """What one of the recordings says."""
    return spoken(GOLD[name].leaves, aligner)


def errors(placed: list[tuple[str, float, float]], name: str) -> list[float]:
    """How far the beginnings of words are from where the synthesiser put them, in seconds."""
    expected = SYNTHESISED[name]
    if name == "s3":  # nineteen ninety eight is one word of the text
        expected = [expected[0], ["1998", expected[1][1], expected[3][2]], *expected[4:]]
    assert [word.lower() for word, _, _ in placed] == [word.lower() for word, _, _ in expected]
    return [abs(found[1] - true[1]) for found, true in zip(placed, expected, strict=True)]


def test_words_are_found_where_they_were_said(aligner: ForcedAligner) -> None:
    found = []
    for name in ("s2", "s3"):
        sound = read_sound(str(AUDIO / f"{name}.flac"))
        placed = aligner.align(sound, words(aligner, name))
        found += errors(placed, name)
        ends = [time for _, begin, end in placed for time in (begin, end)]
        assert ends == sorted(ends) and ends[-1] <= sound.seconds
        assert all(begin < end for _, begin, end in placed)
    assert median(found) < 0.03 and max(found) < 0.15


def test_what_was_done_before_changes_nothing(aligner: ForcedAligner) -> None:
    sound = read_sound(str(AUDIO / "s2.flac"))
    first = aligner.align(sound, words(aligner, "s2"))
    aligner.align(read_sound(str(AUDIO / "s1.flac")), words(aligner, "s1"))
    with pytest.raises(NotAligned):  # other words, a failure after which decoders are made anew
        aligner.align(Sound(bytes(RATE), 0.5), words(aligner, "s1"))
    assert aligner.align(sound, words(aligner, "s2")) == first


@pytest.mark.parametrize(
    ("form", "subtype", "rate"),
    [("WAV", "PCM_24", 44_100), ("WAV", "FLOAT", 48_000), ("WAV", "PCM_U8", 16_000), ("FLAC", "PCM_24", 22_050),
     ("OGG", "VORBIS", 32_000), ("AIFF", "PCM_16", 96_000), ("AU", "ULAW", 16_000), ("NIST", "PCM_16", 16_000)],
)  # fmt: skip
def test_recordings_of_all_kinds(form: str, subtype: str, rate: int, aligner: ForcedAligner, tmp_path: Path) -> None:
    signal = library_resampled(signal_of("s2"), rate)
    path = str(tmp_path / "recording")
    soundfile.write(path, numpy.stack([signal, signal], axis=1), rate, format=form, subtype=subtype)
    sound = read_sound(path)
    assert sound.seconds == pytest.approx(len(signal) / rate)
    assert len(sound.samples) / 2 / RATE == pytest.approx(sound.seconds, abs=0.001)
    assert median(errors(aligner.align(sound, words(aligner, "s2")), "s2")) < 0.03


def library_resampled(signal: Any, rate: int) -> Any:
    """By straight lines between samples: another way than that of the code under test."""
    at = numpy.arange(int(len(signal) * rate / RATE)) * RATE / rate
    return numpy.interp(at, numpy.arange(len(signal)), signal)


def test_samples_that_fit_are_left_as_they_are() -> None:
    data = soundfile.read(str(AUDIO / "s2.flac"), dtype="int16")[0]
    assert read_sound(str(AUDIO / "s2.flac")).samples == data.tobytes()


def test_one_of_two_speakers(aligner: ForcedAligner, tmp_path: Path) -> None:
    left, right = signal_of("s1"), signal_of("s2")
    both = numpy.zeros((max(len(left), len(right)), 2))
    both[: len(left), 0], both[: len(right), 1] = left, right
    soundfile.write(str(tmp_path / "call.wav"), both, RATE, subtype="PCM_16")
    for channel, name in enumerate(("s1", "s2")):
        sound = read_sound(str(tmp_path / "call.wav"), channel)
        assert median(errors(aligner.align(sound, words(aligner, name)), name)) < 0.03
    with pytest.raises(InputError, match="there is no channel 3: this recording has 2"):
        read_sound(str(tmp_path / "call.wav"), 2)


def test_digital_silence_gets_noise_that_is_always_the_same(aligner: ForcedAligner, tmp_path: Path) -> None:
    signal = signal_of("s2")
    signal[numpy.abs(signal) < 200 / 32768] = 0
    soundfile.write(str(tmp_path / "a.wav"), numpy.concatenate([numpy.zeros(RATE), signal]), RATE)
    sound = read_sound(str(tmp_path / "a.wav"))
    assert sound == read_sound(str(tmp_path / "a.wav"))
    start = numpy.frombuffer(sound.samples, numpy.int16)[:RATE]
    assert start.any() and abs(start.astype(int)).max() <= 16 and abs(start.mean()) < 1
    placed = [(word, begin - 1, end - 1) for word, begin, end in aligner.align(sound, words(aligner, "s2"))]
    assert median(errors(placed, "s2")) < 0.03


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "cannot be read as audio"),
        (b"these are words\n" * 100, "cannot be read as audio"),
        ("nothing", "the recording is empty"),
        ("nan", "not numbers"),
    ],
)
def test_what_is_no_recording(content: bytes | str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        samples = numpy.full(100, numpy.nan) if content == "nan" else numpy.zeros(0)
        soundfile.write(str(path), samples, RATE, subtype="FLOAT")
    with pytest.raises(InputError, match=said):
        read_sound(str(path))


def test_a_recording_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    soundfile.write(str(tmp_path / "a.wav"), signal_of("s2"), RATE, subtype="PCM_16")
    data = (tmp_path / "a.wav").read_bytes()
    (tmp_path / "b.wav").write_bytes(data[: len(data) // 2])
    sound = read_sound(str(tmp_path / "b.wav"))
    assert sound.seconds == pytest.approx(2.95 / 2, abs=0.01) and sound.part == pytest.approx(0.5, abs=0.01)
    assert read_sound(str(tmp_path / "a.wav")).part == 1
    outcome = align_audio(tmp_path / "b.wav", [Text("b", (("she", None), ("didn't", None)))])
    assert outcome.notes == [f"b: {tmp_path / 'b.wav'} is truncated: it has 50% of the length in its header"]


def test_mixed_channels_are_named_where_words_are_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: object) -> None:
        raise NotAligned("lost", "lost")

    monkeypatch.setattr(ForcedAligner, "align", lost)
    soundfile.write(str(tmp_path / "a.wav"), numpy.zeros((8_000, 2)), RATE)
    said = [Text("a", (("yes", None),))]
    found = [align_audio(tmp_path / "a.wav", said, channel=channel).problems[0].message for channel in (None, "A")]
    assert found == ["a: lost (2 channels are mixed, --channel chooses one)", "a: lost"]


@pytest.mark.parametrize("rate", [500, 1_000_000])
def test_rates_that_no_recording_has(rate: int, tmp_path: Path) -> None:
    soundfile.write(str(tmp_path / "a.wav"), numpy.zeros(100), rate)
    with pytest.raises(InputError, match="from 1,000 to 768,000 can be read"):
        read_sound(str(tmp_path / "a.wav"))


def test_a_long_recording_needs_little_more_memory_than_its_samples(tmp_path: Path) -> None:
    """Silence that lies across the ends of blocks, too."""
    import tracemalloc

    seconds = 300
    samples = numpy.ones(seconds * RATE, numpy.int16)
    samples[(1 << 18) - 500 : (1 << 18) + 400] = 0
    soundfile.write(str(tmp_path / "a.wav"), samples, RATE)
    tracemalloc.start()
    sound = read_sound(str(tmp_path / "a.wav"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sound.samples != samples.tobytes()  # noise was added
    assert len(sound.samples) == samples.nbytes and peak < 2.5 * samples.nbytes + (16 << 20)


def test_folders(tmp_path: Path) -> None:
    for name in ("u10.wav", "u9.WAV", "sub/u1.flac", "notes.txt", ".hidden.wav", ".git/x.wav"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [Path(path).name for path in audio_files(str(tmp_path))[0]] == ["u1.flac", "u9.WAV", "u10.wav"]
    assert {".mp3", ".opus", ".caf"} <= set(ENDINGS)
    with pytest.raises(InputError, match="no such file"):
        audio_files(str(tmp_path / "nowhere"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="there are no recordings"):
        audio_files(str(tmp_path / "empty"))


@pytest.mark.skipif(sys.platform == "win32", reason="no such files on Windows")
def test_pipes_and_links(tmp_path: Path) -> None:
    """A pipe would be waited for without end; links to folders are followed, each folder is searched once."""
    audio = tmp_path / "audio"
    for name in ("audio/z/deep/u1.wav", "elsewhere/u2.wav"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    os.mkfifo(audio / "u3.wav")
    (audio / "u4.wav").symlink_to(tmp_path / "nowhere")
    (audio / "a").symlink_to(audio / "z" / "deep")  # comes before z by name
    (audio / "other").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "round").symlink_to(audio)
    found, passed = ([os.path.relpath(path, audio) for path in paths] for paths in audio_files(str(audio)))
    assert (found, passed) == (["other/u2.wav", "z/deep/u1.wav"], ["u3.wav", "u4.wav"])
    with pytest.raises(InputError, match="this is not a file"):
        audio_files(str(audio / "u3.wav"))
    soundfile.write(str(tmp_path / "elsewhere" / "u2.wav"), numpy.zeros(8_000), RATE)
    outcome = align_audio(audio, [Text("u2", ()), Text("u3", ())])
    assert [problem.code for problem in outcome.problems] == ["no-audio", "no-words"]
    assert f"{audio / 'u3.wav'} is not a file" in outcome.problems[0].message


class FakeDecoder:
    """Finds what it is told to find; knows the words a and b."""

    def __init__(self, finds: str | None) -> None:
        self.finds = finds
        self.words = {"a": "AH", "b": "B IY"}
        self.failed = False

    def lookup_word(self, word: str) -> str | None:
        """Phones in one string, as the real one gives them."""
        return self.words.get(word)

    def add_word(self, word: str, phones: str, update: bool) -> None:
        """A word can be added once."""
        if word in self.words or not phones:
            raise RuntimeError
        self.words[word] = phones

    def set_align_text(self, text: str) -> None:
        """All of it must be in the dictionary; and after a failure nothing works."""
        if self.failed or any(word not in self.words for word in text.split()):
            raise RuntimeError
        self.text = text

    def reinit_feat(self) -> None:
        """Nothing to forget."""

    def start_utt(self) -> None:
        """Nothing to do."""

    def process_raw(self, samples: bytes, full_utt: bool) -> None:
        """All at once."""
        assert full_utt

    def end_utt(self) -> None:
        """Nothing to do."""

    def seg(self) -> Iterator[SimpleNamespace] | None:
        """Words, pauses, and marks for the second pronunciation."""
        if self.finds is None:
            self.failed = True
            return None
        found = (self.finds or self.text).split()
        self.failed = found != self.text.split()
        rows = ["<s>", "<sil>", *found, "[NOISE]", "</s>"]
        return (
            SimpleNamespace(word=word, start_frame=10 * at, end_frame=10 * at + 9, ascore=1.0)
            for at, word in enumerate(rows)
        )


def fake(*finds: str | None) -> tuple[ForcedAligner, list[Any]]:
    """An aligner whose decoders find these words in turn, and the beams that they were made with."""
    made: list[Any] = []

    def make(beams: Any) -> FakeDecoder:
        made.append(beams)
        return FakeDecoder(finds[min(len(made), len(finds)) - 1])

    return ForcedAligner({"own": (("AH",), ("B",))}, make=make), made


SECOND = Sound(bytes(2 * RATE), 1.0)


def plain(*texts: str) -> list[Spoken]:
    """Words that are looked up as they are."""
    return [Spoken(text, ((text,),)) for text in texts]


def test_the_end_frame_belongs_to_the_word_and_marks_do_not() -> None:
    aligner, _ = fake("")
    assert aligner.align(SECOND, plain("a", "b")) == [("a", 0.2, 0.3), ("b", 0.3, 0.4)]
    aligner, _ = fake("a(2) b")
    assert [word for word, _, _ in aligner.align(SECOND, plain("a", "b"))] == ["a", "b"]


def test_wider_beams_in_turn_and_words_that_were_lost() -> None:
    aligner, made = fake(None, "a", "b a", "")  # nothing; one word too few; another order; all of it
    assert aligner.align(SECOND, plain("a", "b"))
    assert made == list(BEAMS)
    assert aligner.align(SECOND, plain("b", "a"))  # those that failed are made anew
    assert made == [*BEAMS, None]
    aligner, made = fake(None)
    with pytest.raises(NotAligned, match="could not be found"):
        aligner.align(SECOND, plain("a"))
    assert made == list(BEAMS)


def test_words_of_your_own_and_words_that_nobody_knows() -> None:
    aligner, _ = fake("")
    assert [word for word, _, _ in aligner.align(SECOND, plain("own", "a", "own's", "own"))] == [
        "own",
        "a",
        "own's",
        "own",
    ]
    with pytest.raises(NotAligned, match=r"not in the pronunciation dictionary, .*: 東, §; ") as error:
        aligner.align(SECOND, plain("東", "a", "§", "東", "c"))
    assert error.value.code == "dictionary"
    assert "a" in aligner and "c" not in aligner and "" not in aligner
    assert [aligner.phones(word) for word in ("own", "own's", "b's", "b'", "c's")] == [
        ("AH",), ("AH", "Z"), ("B", "IY", "Z"), ("B", "IY"), None
    ]  # fmt: skip


def test_a_word_that_may_be_spelt() -> None:
    """Both ways are given to the decoder, and it takes what fits; words of your own are said as you say."""
    decoder = FakeDecoder("")
    decoder.words |= {"us": "AH S", "us(2)": "AH Z", "u.": "Y UW", "s.": "EH S", "it": "IH T"}
    aligner = ForcedAligner({"it": (("IH",),), "f(x)": (("EH", "F"),)}, make=lambda _: decoder)
    leaves = [("US", "NNP"), ("us", "PRP"), ("US", "PRP"), ("IT", "NNP"), ("f(x)", "NN")]
    asked = spoken(leaves, aligner)
    assert [word.others for word in asked] == [(("u.", "s."),), (), (), (("i.", "t."),), ()]
    assert [word for word, _, _ in aligner.align(SECOND, asked)] == ["US", "us", "US", "IT", "f(x)"]
    name = "own:either:%20us%20or%20u.%20s."
    assert decoder.text == f"{name} us us own:it own:f%28x%29"
    found = [decoder.words[f"{name}{number}"] for number in ("", "(2)", "(3)")]
    assert found == ["AH S", "AH Z", "Y UW EH S"]


def test_the_recording_tells_whether_a_word_is_spelt(aligner: ForcedAligner) -> None:
    asked = words(aligner, "s2")
    sound = read_sound(str(AUDIO / "s2.flac"))
    expected = aligner.align(sound, asked)
    asked[0] = Spoken("She", (("neighbors",),), others=(("she",),))
    assert aligner.align(sound, asked) == expected


def test_nothing_to_align() -> None:
    aligner, _ = fake("")
    with pytest.raises(NotAligned, match="there are no words to align"):
        aligner.align(SECOND, [])
    with pytest.raises(NotAligned, match="too short"):
        aligner.align(Sound(b"", 0.0), plain("a"))


def test_a_number_is_one_word_of_the_text() -> None:
    aligner, _ = fake("")
    assert aligner.align(SECOND, [Spoken("ab", (("x",), ("a", "b"))), *plain("a")]) == [
        ("ab", 0.2, 0.4),
        ("a", 0.4, 0.5),
    ]


def test_phones_are_those_of_the_model() -> None:
    """A phone that the model does not have must be found before it is given to the decoder."""
    decoder = forced.make_decoder(None)
    for phone in forced.PHONES:
        decoder.add_word(f"test:{phone}", f"{phone} AH", True)


# Many recordings. A worker that does not listen makes these tests fast; the real one is used where it matters.


def pretend(aligner: ForcedAligner, sound: Sound, asked: list[Spoken]) -> list[tuple[str, float, float]]:
    """All words in a row."""
    if not asked:
        raise NotAligned("no-words", "there are no words to align")
    missing = [word.text for word in asked if word.text == "unheard"]
    if missing:
        raise NotAligned("dictionary", missing[0])
    return [(word.text, at / 10, (at + 1) / 10) for at, word in enumerate(asked)]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., batch.Outcome]:
    """Align texts (by name) with recordings that hold nothing, and write to out.jsonl."""
    listened: list[str] = []
    folder = tmp_path / "audio"
    folder.mkdir()

    class Deaf(ForcedAligner):
        def __contains__(self, word: object) -> bool:
            return True

        def align(self, sound: Sound, words: Any) -> list[tuple[str, float, float]]:
            listened.append(" ".join(word.text for word in words))
            return pretend(self, sound, words)

    monkeypatch.setattr(batch, "ForcedAligner", Deaf)

    def run(texts: dict[str, str], **options: Any) -> batch.Outcome:
        listened.clear()
        for name in texts:
            if not (folder / f"{name}.wav").exists():
                soundfile.write(str(folder / f"{name}.wav"), numpy.zeros(8_000), RATE)
        said = [Text(name, tuple((word, None) for word in text.split())) for name, text in texts.items()]
        return align_audio(str(folder), said, str(tmp_path / "out.jsonl"), **options)

    run.listened = listened  # type: ignore[attr-defined]
    return run


def test_finished_work_is_not_done_again(quick: Any, tmp_path: Path) -> None:
    texts = {"u2": "so we go", "u10": "yes", "u1": "unheard"}
    outcome = quick(texts)
    assert str(outcome) == "2 aligned, 0 reused, 1 not aligned (1 dictionary)"
    assert outcome.problems[0].message == "u1: unheard" and quick.listened == ["so we go", "yes", "unheard"]
    written = (tmp_path / "out.jsonl").read_bytes()
    assert [json.loads(line)["id"] for line in written.splitlines()] == ["u2", "u10"]  # in the order of the texts
    assert not (tmp_path / "out.jsonl.part").exists()

    assert str(quick(texts)) == "0 aligned, 2 reused, 1 not aligned (1 dictionary)"
    assert quick.listened == ["unheard"]  # what failed is tried again
    assert (tmp_path / "out.jsonl").read_bytes() == written

    assert str(quick({**texts, "u10": "no"})).startswith("1 aligned, 1 reused")
    assert quick.listened == ["no", "unheard"]
    soundfile.write(str(tmp_path / "audio" / "u2.wav"), numpy.ones(9_000), RATE)
    quick({**texts, "u10": "no"})
    assert quick.listened == ["so we go", "unheard"]
    quick({**texts, "u10": "no"}, channel="A")
    assert quick.listened == ["so we go", "no", "unheard"]


def test_new_pronunciations_concern_only_the_words_that_they_are_of(quick: Any) -> None:
    texts = {"a": "kowalski 's dog", "b": "the cat"}
    quick(texts)
    assert quick(texts, pronunciations={"dogs": (("D",),)}).reused == 2
    quick(texts, pronunciations={"kowalski": (("K",),)})
    assert quick.listened == ["kowalski's dog"]


def test_an_interrupted_run_goes_on(quick: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {f"u{number}": "yes" for number in range(5)}
    quick({"old": "yes"})
    before = (tmp_path / "out.jsonl").read_bytes()
    done = batch.Worker.__call__

    def interrupted(self: batch.Worker, task: Task) -> batch.Result:
        if task.text.id == "u3":
            raise KeyboardInterrupt
        return done(self, task)

    monkeypatch.setattr(batch.Worker, "__call__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        quick(texts)
    monkeypatch.undo()
    assert (tmp_path / "out.jsonl").read_bytes() == before  # whole or not at all
    part = tmp_path / "out.jsonl.part"
    assert part.read_bytes().count(b"\n") == 3
    part.write_bytes(part.read_bytes()[:-20])  # killed in the middle of a line

    monkeypatch.setattr(
        batch,
        "ForcedAligner",
        lambda own, **_: SimpleNamespace(align=lambda *_: [("yes", 0.0, 0.1)], guessed={}, confidence=None),
    )
    outcome = quick(texts)
    assert str(outcome) == "3 aligned, 2 reused, 0 not aligned, 1 other kept"
    assert not part.exists()
    assert ids(tmp_path / "out.jsonl") == [*texts, "old"]
    outcome = quick(texts, prune=True)
    assert outcome.notes[1:] == [f"1 utterance without a text removed from {tmp_path / 'out.jsonl'}"]
    assert str(outcome) == "0 aligned, 5 reused, 0 not aligned"
    assert ids(tmp_path / "out.jsonl") == list(texts)


def ids(path: Path) -> list[str]:
    """The names of the utterances in a file."""
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


def test_a_failure_takes_no_times_away(quick: Any, tmp_path: Path) -> None:
    """A recording that is missing now, one that cannot be read, and one whose words are others by now."""
    out, texts = tmp_path / "out.jsonl", {"a": "yes", "b": "so , we go", "c": "no", "d": "oh"}
    quick(texts)
    before = out.read_text().splitlines()
    (tmp_path / "audio" / "b.wav").write_text("no audio")
    (tmp_path / "audio" / "d.wav").write_text("no audio")
    audio, said = str(tmp_path / "audio"), [Text(name, ((text, None),)) for name, text in texts.items()]
    (tmp_path / "audio" / "c.wav").unlink()
    said[1] = Text("b", (("so", None), ("we", None), ("go", None), (".", None)))
    said[3] = Text("d", (("ah", None),))
    outcome = align_audio(audio, said, out)
    assert str(outcome) == "0 aligned, 1 reused, 3 not aligned (1 no-audio, 2 audio), 2 kept from before"
    assert outcome.notes == ["d: the earlier times are left out: their words differ"]
    assert out.read_text().splitlines() == before[:3]
    (tmp_path / "audio" / "a.wav").write_text("no audio")  # now nothing is left to be done
    (tmp_path / "audio" / "e.wav").write_text("no audio")
    assert str(align_audio(audio, [*said, Text("e", ())], out)).startswith("0 aligned, 0 reused")
    assert out.read_text().splitlines() == before[:3]


def test_the_times_of_a_tree_that_cannot_be_read_now_are_kept(quick: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    quick({"a": "yes", "b": "no", "c": "no doubt"})
    (tmp_path / "gold.trees").write_text("a\t(S (NN yes))\nb\t(S (NN\nc\t(S (NN no))\nc\t(S (NN\n")
    outcome = align_audio(tmp_path / "audio", treescore.read(tmp_path / "gold.trees", on_error="keep"), out)
    assert str(outcome) == "0 aligned, 1 reused, 2 not aligned (2 unclosed), 2 kept from before"
    assert ids(out) == ["a", "b", "c"]


def test_times_of_your_own_are_never_overwritten(quick: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    mine = ['{"id": "b", "words": [["SO", 0.1, 0.2], ["we", 0.2, 0.4]]}', '{"id": "x", "words": [["mine", 0.5, 0.6]]}',
            '{"words": []}']  # fmt: skip
    out.write_text("\r\n".join(mine) + "\n")
    outcome = quick({"a": "yes", "b": "so we"})
    assert str(outcome) == "1 aligned, 1 reused, 0 not aligned, 2 others kept" and quick.listened == ["yes"]
    assert out.read_text().splitlines()[1:] == mine
    outcome = quick({"a": "yes", "b": "so they"})
    assert str(outcome) == "0 aligned, 1 reused, 1 not aligned (1 other-words), 1 kept from before, 2 others kept"
    assert out.read_text().splitlines()[1:] == mine


def test_several_lines_of_one_name(tmp_path: Path) -> None:
    out = tmp_path / "out"
    rows = [("a", "1"), ("a", "2"), ("b", None), ("a", None), ("b", None), ("c", "3"), (None, "4"), ("c", "5")]
    made = [json.dumps({"id": id, "made": mark, "end": at, "words": []}) for at, (id, mark) in enumerate(rows)]
    out.write_text("\n".join(made[:5]) + "\n")
    (tmp_path / "out.part").write_text("\n".join(made[5:]) + "\n")
    with Journal(str(out)) as journal:
        assert {id: json.loads(line.text)["end"] for id, line in journal.lines.items()} == {"a": 3, "b": 4, "c": 7}
        found = [[json.loads(line.text)["end"] for line in journal.others(names)] for names in ("", "a", "bc", "abc")]
    assert found == [[2, 3, 4, 6, 7], [2, 4, 6, 7], [2, 3, 6], [2, 6]]


def test_a_full_disk(quick: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is named, and nothing is lost."""
    out = tmp_path / "out.jsonl"
    quick({"a": "yes"})
    before = out.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match=r"No space left on device; finished work is kept in .*\.part") as error:
        quick({"a": "yes", "b": "no"})
    assert error.value.filename == str(out) and out.read_bytes() == before
    assert not list(tmp_path.glob(".treescore-*"))
    monkeypatch.undo()
    assert ids(tmp_path / "out.jsonl.part") == ["b"]

    class Full:
        write = full

    with Journal(str(tmp_path / "more")) as journal, pytest.raises(OSError, match="No space left") as error:
        journal._write(Full(), b"x")  # type: ignore[arg-type]
    assert error.value.filename == str(tmp_path / "more.part")
    if Path("/dev/full").exists():
        with pytest.raises(OSError, match="No space left") as error:
            Journal("/dev/full").finish(["x"])
        assert error.value.filename == "/dev/full"


def test_half_a_line_in_the_file_itself(quick: Any, tmp_path: Path) -> None:
    quick({"a": "yes", "b": "no"})
    out = tmp_path / "out.jsonl"
    whole = out.read_bytes()
    out.write_bytes(whole[:-7])
    assert str(quick({"a": "yes", "b": "no"})).startswith("1 aligned, 1 reused")
    assert out.read_bytes() == whole


def test_other_files_are_not_overwritten(quick: Any, tmp_path: Path) -> None:
    (tmp_path / "out.jsonl").write_text("(S (NN gold))\n")
    with pytest.raises(InputError, match="another program wrote the file"):
        quick({"a": "yes"})
    assert (tmp_path / "out.jsonl").read_text() == "(S (NN gold))\n"
    times = '{"id": "x", "words": []}\n'
    (tmp_path / "out.jsonl").write_text(f"{times}(S (NN gold))\n{times}")
    with pytest.raises(InputError, match="jsonl:2: "):
        quick({"a": "yes"})
    assert not (tmp_path / "out.jsonl.part").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no such locks on Windows")
def test_two_runs_at_a_time(quick: Any, tmp_path: Path) -> None:
    with Journal(str(tmp_path / "out.jsonl")), pytest.raises(UsageError, match="another run is writing"):
        quick({"a": "yes"})


@pytest.mark.skipif(sys.platform == "win32", reason="no such locks on Windows")
def test_a_lock_on_a_file_that_was_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another run finishes between the moment at which its file is opened and that at which it is locked."""
    import fcntl

    part, lock = tmp_path / "out.part", fcntl.flock
    locked: list[Any] = []

    def late(file: Any, how: int) -> None:
        if not locked:
            part.unlink()
        locked.append(file)
        lock(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with Journal(str(tmp_path / "out")) as journal:
        journal.add("x")
        assert len(locked) == 2 and part.read_text() == "x\n"


def test_which_recording_belongs_to_which_text(quick: Any, tmp_path: Path) -> None:
    (tmp_path / "audio" / "sub").mkdir()
    for name in ("sub/a.wav", "b.flac", "c.wav", "sub/c.wav", "extra.wav", "sub/only.wav"):
        soundfile.write(str(tmp_path / "audio" / name), numpy.zeros(8_000), RATE)
    said = {"sub/a": "yes", "b": "yes", "c": "yes", "d": "yes", "only": "yes"}
    (tmp_path / "audio" / "b.wav").write_bytes((tmp_path / "audio" / "c.wav").read_bytes())
    texts = [Text(name, ((text, None),)) for name, text in said.items()]
    outcome = align_audio(str(tmp_path / "audio"), [*texts, Text(None, (("x", None),))])
    assert [json.loads(line)["id"] for line in outcome.lines] == ["sub/a", "c", "only"]
    assert [problem.code for problem in outcome.problems] == ["audio-twice", "no-audio", "no-audio"]
    assert outcome.notes == [f"2 recordings without a text, first: {tmp_path / 'audio' / 'extra.wav'}"]
    with pytest.raises(UsageError, match="no text has the name of a recording: for example, 'x'"):
        align_audio(str(tmp_path / "audio"), [Text("x", ())])
    with pytest.raises(UsageError, match="1 text without names and 7 recordings"):
        align_audio(str(tmp_path / "audio"), [Text(None, ())])


def test_trees_of_one_name_are_sentences_of_one_recording() -> None:
    bank = treescore.read("(S (NN a)) (S (NN b)) (S (NN c))")
    said = texts_of_trees(Treebank(bank.native, ids=["x", "y", "x"]))
    assert [(one.id, "".join(word for word, _ in one.leaves)) for one in said] == [("x", "ac"), ("y", "b")]


class Killer(Task):
    """Ends the process that it is sent to."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (1,)


def test_a_process_that_dies_takes_nothing_with_it() -> None:
    texts = [GOLD[name] for name in ("s1", "s2", "s6")]
    tasks = [Task(said, str(AUDIO / f"{said.id}.flac")) for said in texts]
    tasks[1] = Killer(texts[1], tasks[1].path)
    done = dict(batch._results(tasks, 2, (None, "test", {}, None, False)))
    assert done[0].line and done[2].line
    assert done[1].problem is not None and done[1].problem.code == "crash"


def run(arguments: list[str], folder: Path) -> tuple[str, str, int]:
    """The command inside a folder."""
    out, err, code = inside(folder, lambda: main(["align", "audio", *arguments]))
    return out.decode(), err.decode(), code


def test_the_command(tmp_path: Path) -> None:
    """In processes, with words of one's own; one recording cannot be read, and one word is not known."""
    (tmp_path / "audio").mkdir()
    for name in ("s2", "s6"):
        (tmp_path / "audio" / f"{name}.flac").symlink_to(AUDIO / f"{name}.flac")
    (tmp_path / "audio" / "bad.wav").write_text("no audio")
    text = "s2\tShe didn't want to leave the 犬 with her neighbors.\ns6\tWhat did the doctor tell you?\nbad\tyes\n"
    (tmp_path / "words.txt").write_text(text, "utf-8")
    arguments = ["audio", "words.txt", "-o", "times.jsonl", "--jobs", "2", "--report", "failed.jsonl"]
    out, err, code = run(arguments, tmp_path)
    assert (out, code) == ("", 0)
    doubtful = "1 doubtful (1 missing-words)"  # the end of s6 is not in the text
    assert f"treescore: 1 aligned, 0 reused, 2 not aligned (1 dictionary, 1 audio), {doubtful}\n" in err
    message = "words.txt:1: s2: not in the pronunciation dictionary, and not in English letters: 犬; add it with --dict"
    assert f"{message} (not aligned)" in err
    failed = [json.loads(line) for line in (tmp_path / "failed.jsonl").read_text().splitlines()]
    codes = [("dictionary", 1), ("audio", 3), ("missing-words", 2)]
    assert [(problem["code"], problem["line"]) for problem in failed] == codes

    (tmp_path / "my.dict").write_text("犬 D AO1 G\n", "utf-8")
    out, err, code = run([*arguments, "--dict", "my.dict", "--strict"], tmp_path)
    assert code == 1 and "1 aligned, 1 reused, 1 not aligned (1 audio)" in err
    lines = [json.loads(line) for line in (tmp_path / "times.jsonl").read_text().splitlines()]
    assert [(line["id"], line["file"], line["begin"], line["end"]) for line in lines] == [
        ("s2", "s2.flac", 0.0, 2.95), ("s6", "s6.flac", 0.0, 2.605)
    ]  # fmt: skip
    placed = [(word.replace("犬", "dog").strip("."), *times) for word, *times in lines[0]["words"]]
    assert median(errors(placed, "s2")) < 0.03

    (tmp_path / "my.dict").write_text("dog D AO1 GG\n")
    out, err, code = run([*arguments, "--dict", "my.dict"], tmp_path)
    assert code == 2 and "my.dict:1:11: 'GG' is not a phone" in err


def test_guessed_pronunciations_can_be_given_back(tmp_path: Path) -> None:
    """Unknown words lose no sentence; they are marked in the output, and what was guessed is a dictionary."""
    text = (
        "s5\tKidz who reed at brekfast rarely finnish their eggs.\ns6\tWhat did the doctor tell you about the coff?\n"
    )
    (tmp_path / "words.txt").write_text(text)
    arguments = [str(AUDIO), "words.txt", "-o", "times.jsonl", "--jobs", "1"]
    _, err, code = run([*arguments, "--guessed", "new.dict"], tmp_path)
    doubtful = "1 doubtful (1 doubtful-word)\n  words.txt:1: s5: “reed” at "  # the voice says red
    assert code == 0 and f"2 aligned, 0 reused, 0 not aligned, {doubtful}" in err
    assert "guessed pronunciations of 3 words: brekfast, coff, kidz (they are in new.dict)\n" in err
    lines = [json.loads(line) for line in (tmp_path / "times.jsonl").read_text().splitlines()]
    assert [sorted(line["guessed"]) for line in lines] == [["brekfast", "kidz"], ["coff"]]
    assert lines[0]["guessed"]["kidz"][0] == "K IH D Z" and len(lines[0]["guessed"]["kidz"]) == 3
    correct = {"Kidz": "Kids", "reed": "read", "brekfast": "breakfast", "finnish": "finish", "coff": "cough"}
    for line in lines:
        placed = [(correct.get(word.strip("?"), word).strip("."), *times) for word, *times in line["words"]]
        placed = [(word.strip("?"), *times) for word, *times in placed]
        assert median(errors(placed, line["id"])) < 0.03 and max(errors(placed, line["id"])) < 0.2

    first = (tmp_path / "times.jsonl").read_bytes()
    _, err, _ = run([*arguments, "--guessed", "again.dict"], tmp_path)  # finished work keeps its marks
    assert "0 aligned, 2 reused" in err and (tmp_path / "times.jsonl").read_bytes() == first
    assert (tmp_path / "again.dict").read_bytes() == (tmp_path / "new.dict").read_bytes()

    assert "\nkidz K IH D Z\nkidz(2) " in (tmp_path / "new.dict").read_text()
    _, err, code = run([*arguments, "--dict", "new.dict", "--guessed", "none.dict"], tmp_path)
    assert code == 0 and "2 aligned, 0 reused" in err and "guessed" not in err
    again = [json.loads(line) for line in (tmp_path / "times.jsonl").read_text().splitlines()]
    assert [line["words"] for line in again] == [line["words"] for line in lines]
    assert not any("guessed" in line for line in again)
    assert (tmp_path / "none.dict").read_text().count("\n") == 1


def test_guesses_and_spelt_words(aligner: ForcedAligner) -> None:
    """Runs of consonants are spelt, capitals may be; a possessive has the pronunciation of its stem."""

    def guessed(*changed: tuple[str, str]) -> dict[str, Any]:
        text = "What did the doctor tell you about the cough"
        for before, after in changed:
            text = text.replace(before, after)
        asked = spoken([(word, None) for word in text.split()], aligner)
        placed = aligner.align(read_sound(str(AUDIO / "s6.flac")), asked)
        assert [word for word, _, _ in placed] == text.split()
        return {word: [" ".join(phones) for phones in all_phones] for word, all_phones in aligner.guessed.items()}

    assert guessed() == {}
    assert guessed(("doctor", "Docktor's"))["docktor"][0] == "D AA K T ER"
    assert guessed(("tell", "TEHL"))["tehl"][0] == "T EH L"
    assert guessed(("tell", "TEHL"))["tehl"][-1] == "T IY IY EY CH EH L"
    letters = {" ".join(phones) for phones in aligner._guess("xkcd")}
    assert "EH K S K EY S IY D IY" in letters and len(letters) == 3
    assert aligner._guess("docktor's")[0] == (*aligner._guess("docktor")[0], "Z")


@pytest.fixture
def other_model(tmp_path: Path) -> Path:
    """The English model as one of another language, in a folder of a distribution."""
    import pocketsphinx

    folder = tmp_path / "model-1.0" / "model_parameters"
    shutil.copytree(pocketsphinx.get_model_path("en-us/en-us"), folder)
    return folder.parent


def test_a_model_of_another_language(other_model: Path, tmp_path: Path, aligner: ForcedAligner) -> None:
    """Only words of its dictionary are known; nothing is guessed or spoken out in English."""
    (tmp_path / "words.txt").write_text("s5\tKids 5 Kowalski\ns6\tWhat did the doctor tell you about the cough?\n")
    spelling = {"cough": "K AO F", "What": "W AH T", "did": "D IH D", "the": "DH AH", "doctor": "D AA K T ER"}
    spelling |= {"tell": "T EH L", "you": "Y UW", "about": "AH B AW T", "kids": "K IH D Z"}
    (tmp_path / "my.dict").write_text("".join(f"{word} {phones}\n" for word, phones in spelling.items()))
    arguments = [str(AUDIO), "words.txt", "-o", "times.jsonl", "--model", str(other_model)]
    _, err, code = run([*arguments, "--dict", "my.dict", "--jobs", "2"], tmp_path)
    assert code == 0 and "1 aligned, 0 reused, 1 not aligned (1 dictionary)" in err
    assert "s5: not in the pronunciation dictionary: 5, Kowalski; add it with --dict (not aligned)" in err
    line = json.loads((tmp_path / "times.jsonl").read_text())
    placed = [(word.strip("?"), *times) for word, *times in line["words"]]
    assert median(errors(placed, "s6")) < 0.03 and "guessed" not in line
    _, err, _ = run([*arguments, "--dict", "my.dict"], tmp_path)
    assert "0 aligned, 1 reused" in err
    with (other_model / "model_parameters" / "feat.params").open("a") as file:
        file.write("\n")
    _, err, _ = run([*arguments, "--dict", "my.dict"], tmp_path)
    assert "1 aligned, 0 reused" in err  # the model has changed

    _, err, code = run(arguments, tmp_path)
    assert code == 2 and "--model needs the dictionary of its language; name it with --dict" in err
    _, err, code = run([*arguments[:-1], str(AUDIO), "--dict", "my.dict"], tmp_path)
    assert code == 2 and "has no files mdef, means; a model of CMU Sphinx is a folder with mdef" in err
    shutil.copytree(other_model / "model_parameters", other_model / "second")
    _, err, code = run([*arguments, "--dict", "my.dict"], tmp_path)
    assert code == 2 and "has several models: " in err
    shutil.rmtree(other_model / "second")
    (other_model / "model_parameters" / "mdef").write_text("nothing")
    _, err, code = run([*arguments, "--dict", "my.dict"], tmp_path)
    assert code == 2 and "cannot be read as the definition of a model" in err


def test_phones_of_a_model(other_model: Path) -> None:
    assert read_acoustic_model(str(other_model)).phones == forced.PHONES
    definition = (
        "0.3\n3 n_base\n#base lft rt p\nSIL - - - filler 0 0 1 2 N\nɐ0 - - - n/a 1 3 4 5 N\naa aa aa b n/a 2 7 8 N\n"
    )
    (other_model / "model_parameters" / "mdef").write_text(definition, "utf-8")
    phones = read_acoustic_model(str(other_model)).phones
    assert phones == {"ɐ0"}
    assert read_pronunciations("да D ɐ0".encode(), {*phones, "D"}) == {"да": (("D", "ɐ0"),)}


@settings(deadline=None, max_examples=150)
@given(
    st.one_of(
        st.text(min_size=1, max_size=12),
        st.text("abcdefghijklmnopqrstuvwxyzABCDXéłß'’-.0123456789$%/", min_size=1, max_size=12),
    )
)
def test_any_word_has_phones_or_is_reported(aligner: ForcedAligner, text: str) -> None:
    """Whatever is written, the decoder takes all pronunciations, and words of plain letters have some."""
    for word in spoken([(text, None), ("and", None)], aligner)[:-1]:
        targets = aligner._targets(word)
        for target in targets or ():
            aligner._name_in(aligner._decoder(None), target)
        if re.fullmatch("[a-zA-Z]+", word.text):
            assert targets


def test_trees_without_names_go_by_position_and_to_standard_output(tmp_path: Path) -> None:
    treescore.read(DEMO / "gold.trees")[4:5].write(tmp_path / "gold.mrg")
    out, err, code = run([str(AUDIO / "s5.flac"), "gold.mrg"], tmp_path)
    assert code == 0 and f"they are paired by position, the first one with {AUDIO / 's5.flac'}" in err
    line = json.loads(out)
    assert line["id"] == "s5" and [word for word, _, _ in line["words"]][:2] == ["Kids", "who"]
    out, err, code = run([str(AUDIO), "gold.mrg"], tmp_path)
    assert code == 2 and "1 text without names and 6 recordings" in err


def test_a_tree_that_cannot_be_read_is_told_once(tmp_path: Path) -> None:
    gold = (DEMO / "gold.trees").read_text("utf-8").splitlines()
    (tmp_path / "gold.trees").write_text(f"{gold[4]}\ns6\t(S (NN\ns1\t(. .)\nnone\t(S (NN\n")
    _, err, code = run([str(AUDIO), "gold.trees", "-o", "times.jsonl", "--jobs", "1", "--strict"], tmp_path)
    assert code == 1 and "treescore: 1 aligned, 0 reused, 3 not aligned (2 unclosed, 1 no-words)\n" in err
    assert "gold.trees:2:" in err and "gold.trees:3: s1: there are no words to align" in err


def test_from_recordings_to_a_score(tmp_path: Path) -> None:
    """What make demo-speech does."""
    _, err, code = run([str(AUDIO), str(DEMO / "gold.trees"), "-o", "times.jsonl", "--jobs", "1"], tmp_path)
    assert code == 0 and err == "treescore: 6 aligned, 0 reused, 0 not aligned\n"
    files = [str(DEMO / name) for name in ("gold.trees", "parsed.trees", "asr.ctm")]
    command = [*files[:2], "--gold-times", "times.jsonl", "--test-times", files[2], "-m", "struct_iou|cut:-="]
    out, _, code = inside(tmp_path, lambda: main(command))
    assert code == 0 and b"6 sentences: 6 scored, 0 failed" in out
    found = [line.split() for line in out.decode().splitlines() if line.startswith("STRUCT-IOU (corpus)")]
    assert 80 < float(found[0][2]) < 95  # the words are where they were recognised, more or less


def test_nothing_could_be_aligned(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("s5\t東京\n", "utf-8")
    _, err, code = run([str(AUDIO), "words.txt", "-o", "out"], tmp_path)
    assert code == 2 and "no utterance could be aligned" in err
    assert not list(tmp_path.glob("out*"))


def test_no_file_is_written_twice_or_over_what_is_read(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("s5\tyes\n")
    (tmp_path / "audio").mkdir()
    (tmp_path / "audio" / "s5.flac").write_bytes((AUDIO / "s5.flac").read_bytes())
    (tmp_path / "link").symlink_to("words.txt")
    for options, said in (
        (["-o", "out", "--report", "./out"], "--report and -o are the same file, ./out"),
        (["-o", "out", "--report", "out.part"], "(FILE.part) and --report are the same file"),
        (["--report", "-"], "the times and --report would both go to standard output"),
        (["-o", "words.txt"], "-o and TREES are the same file"),
        (["-o", "out", "--report", "link"], "--report and TREES are the same file"),
        (["-o", "out", "--dict", "out"], "-o and --dict are the same file"),
        (["-o", "out", "--report", "audio/s5.flac"], "--report would overwrite a recording"),
        (["-o", "out", "--guessed", "audio/s5.flac"], "--guessed would overwrite a recording"),
        (["-o", "out", "--guessed", "out"], "--guessed and -o are the same file"),
        (["-o", "out", "--guessed", "-", "--report", "-"], "--report and --guessed would both go to standard output"),
    ):
        _, err, code = run(["audio", "words.txt", *options], tmp_path)
        assert code == 2 and said in err, err
    assert not (tmp_path / "out").exists() and (tmp_path / "words.txt").read_text() == "s5\tyes\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("how", ["SIGKILL", "SIGTERM"])
def test_killed_in_the_middle(how: str, tmp_path: Path) -> None:
    """Whatever was finished when the process was killed is not done again."""
    (tmp_path / "audio").mkdir()
    for number in range(12):
        (tmp_path / "audio" / f"u{number}.flac").symlink_to(AUDIO / "s6.flac")
    text = "".join(f"u{number}\tWhat did the doctor tell you about the cough?\n" for number in range(12))
    (tmp_path / "words.txt").write_text(text)
    arguments = ["audio", "words.txt", "-o", "times.jsonl", "--jobs", "1"]
    command = [sys.executable, "-m", "treescore", "align", "audio", *arguments]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    part = tmp_path / "times.jsonl.part"
    deadline = time.monotonic() + 60
    while not (part.exists() and part.stat().st_size) and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(getattr(signal, how))
    _, said = process.communicate()
    if how == "SIGTERM":
        assert (said, process.returncode) == (
            "treescore: interrupted; the same command continues from times.jsonl.part\n",
            130,
        )
    finished = part.read_bytes().count(b"\n")
    assert 0 < finished < 12
    _, err, code = run(arguments, tmp_path)
    assert code == 0 and f"{12 - finished} aligned, {finished} reused, 0 not aligned" in err
    assert (tmp_path / "times.jsonl").read_bytes().count(b"\n") == 12
