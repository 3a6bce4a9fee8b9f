"""Confidence of forced alignment: wrong transcripts of the demo's recordings, and the measurements in bench/."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from command import inside
from hypothesis import given, strategies as st

from treescore.cli import main
from treescore.helpers.files import packaged
from treescore.readers.times import read_times
from treescore.speech.audio import check, read_sound
from treescore.speech.batch import align_audio, texts_of_transcripts
from treescore.speech.confidence import (
    LEAST,
    LEFT,
    MEAN,
    OTHER,
    WORD,
    Confidence,
    Listener,
    Phone,
    differences,
    uncovered,
)
from treescore.speech.forced import ForcedAligner
from treescore.speech.journal import Line
from treescore.speech.readings import spoken
from treescore.values.problem import UsageError

ROOT = Path(__file__).parents[1]
AUDIO = packaged("demo_speech") / "audio"
WRONG = {
    "s1": "We should probably ask somebody about this whole strange and terrible business tomorrow.",
    "s2": "She didn't want to leave the house with her neighbors.",
    "s5": "Kids who read at breakfast finish their eggs.",
    "s6": "What did the doctor tell you?",
}
RIGHT = {
    "s2": "She didn't want to leave the dog with her neighbors.",
    "s5": "Kids who read at breakfast rarely finish their eggs.",
}


@pytest.fixture(scope="module", autouse=True)
def _speech() -> None:
    try:
        check()
    except UsageError as missing:
        pytest.skip(f"forced alignment is not tested: {missing}")


def align(arguments: list[str], texts: dict[str, str], folder: Path) -> tuple[str, int]:
    """What the command prints about these texts, and its exit code; the times are in times.jsonl."""
    (folder / "words.txt").write_text("".join(f"{name}\t{text}\n" for name, text in texts.items()))
    command = ["align", "audio", str(AUDIO), "words.txt", "-o", "times.jsonl", *arguments]
    _, err, code = inside(folder, lambda: main(command))
    return err.decode(), code


def lines(folder: Path) -> dict[str, dict[str, Any]]:
    """The lines of the output by their names."""
    records = map(json.loads, (folder / "times.jsonl").read_text("utf-8").splitlines())
    return {record["id"]: record for record in records}


def test_wrong_transcripts_are_reported_and_kept(tmp_path: Path) -> None:
    err, code = align(["--jobs", "1", "--report", "report.jsonl", "--strict"], {**WRONG, "s5": RIGHT["s5"]}, tmp_path)
    reports = [json.loads(line) for line in (tmp_path / "report.jsonl").read_text("utf-8").splitlines()]
    reasons = {report["message"][:2]: (report["code"], report["line"]) for report in reports}
    assert reasons.pop("s1")[0] in ("lost", "other-text")
    assert reasons == {"s2": ("doubtful-word", 2), "s6": ("missing-words", 4)}
    assert "“house” at 1.5" in err and "words are probably missing at " in err and "(aligned all the same)" in err
    assert {"s2", "s5", "s6"} <= set(lines(tmp_path))
    confidences = {name: line["confidence"] for name, line in lines(tmp_path).items()}
    assert [name for name in ("s2", "s5", "s6") if confidences[name]["utterance"] < LEAST] == ["s2", "s6"]
    house = [word for word, _, _ in lines(tmp_path)["s2"]["words"]].index("house")
    assert min(confidences["s2"]["words"]) == confidences["s2"]["words"][house] < LEAST
    assert code == ("lost" in err)  # doubts alone are no failures


def test_a_threshold_changes_no_output(tmp_path: Path) -> None:
    texts = {"s2": WRONG["s2"], "s5": RIGHT["s5"]}
    err, _ = align(["--jobs", "2"], texts, tmp_path)
    assert "treescore: 2 aligned, 0 reused, 0 not aligned, 1 doubtful (1 doubtful-word)\n" in err
    first = (tmp_path / "times.jsonl").read_bytes()
    err, _ = align(["--min-confidence", "1"], texts, tmp_path)
    assert "0 aligned, 2 reused, 0 not aligned, 2 doubtful" in err
    assert (tmp_path / "times.jsonl").read_bytes() == first
    err, _ = align(["--min-confidence", "0.001"], texts, tmp_path)
    assert "0 aligned, 2 reused, 0 not aligned\n" in err
    (tmp_path / "times.jsonl").unlink()
    align(["--jobs", "1"], texts, tmp_path)
    assert (tmp_path / "times.jsonl").read_bytes() == first


def test_confidence_is_optional_and_changes_no_times(tmp_path: Path) -> None:
    align(["--jobs", "1"], RIGHT, tmp_path)
    before, read = lines(tmp_path), read_times(tmp_path / "times.jsonl")
    err, _ = align(["--jobs", "1", "--min-confidence", "0"], RIGHT, tmp_path)
    assert "2 aligned, 0 reused" in err  # the lines have no confidence
    after = lines(tmp_path)
    assert not any("confidence" in line for line in after.values())
    assert {name: line["words"] for name, line in after.items()} == {
        name: line["words"] for name, line in before.items()
    }
    plain = read_times(tmp_path / "times.jsonl")
    assert not read.problems and [each.transcript for each in plain] == [each.transcript for each in read]


def test_corrected_lines_are_not_doubted(tmp_path: Path) -> None:
    """A line of your own may still have the confidence of the line that it was, or what is no confidence."""
    align(["--jobs", "1"], {"s2": WRONG["s2"]}, tmp_path)
    line = lines(tmp_path)["s2"]
    mark = line.pop("made")
    (tmp_path / "times.jsonl").write_text(json.dumps(line) + "\n")
    err, _ = align([], {"s2": WRONG["s2"]}, tmp_path)
    assert err.splitlines()[-1] == "treescore: 0 aligned, 1 reused, 0 not aligned"
    for confidence in (None, 1, {}, {**line["confidence"], "left": "xy"}, {**line["confidence"], "words": [None]}):
        (tmp_path / "times.jsonl").write_text(json.dumps({**line, "made": mark, "confidence": confidence}) + "\n")
        assert not align([], {"s2": WRONG["s2"]}, tmp_path)[0].count("doubtful")


def test_no_utterance_is_lost_if_confidence_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Listener, "phones", lambda *_: [])
    err, code = align(["--jobs", "1"], RIGHT, tmp_path)
    assert code == 0 and "2 aligned, 0 reused, 0 not aligned\n" in err
    assert [line["words"] != [] and "confidence" not in line for line in lines(tmp_path).values()] == [True, True]


def test_earlier_recordings_change_nothing() -> None:
    aligner = ForcedAligner(confidence=True)
    confidences = []
    for name, text in (("s2", RIGHT["s2"]), ("s5", RIGHT["s5"]), ("s5", WRONG["s5"]), ("s2", RIGHT["s2"])):
        aligner.align(read_sound(str(AUDIO / f"{name}.flac")), spoken([(word, None) for word in text.split()], aligner))
        confidences.append(aligner.confidence)
    assert confidences[0] == confidences[3] and None not in confidences


def test_wrong_levels(tmp_path: Path) -> None:
    for level in ("2", "-0.1", "x", "nan"):
        err, code = align([f"--min-confidence={level}"], RIGHT, tmp_path)
        assert code == 2 and f"'{level}' is not a confidence from 0 to 1" in err
    err, code = align(["--min-confidence", "0.3", "--model", "es", "--dict", "es.dict"], RIGHT, tmp_path)
    assert code == 2 and "--min-confidence needs the English model" in err


def test_from_python(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text(f"s2\t{WRONG['s2']}\n")
    from treescore.readers.named_words import read_named_words

    texts = texts_of_transcripts(read_named_words((tmp_path / "words.txt").read_bytes()))
    outcome = align_audio(AUDIO, texts)
    assert [doubt.code for doubt in outcome.doubts] == ["doubtful-word"] and not outcome.problems
    line = Line.read(outcome.lines[0])
    assert line is not None and line.confidence is not None and line.confidence.utterance < LEAST
    assert Confidence.read(json.loads(json.dumps(line.confidence.values()))) == line.confidence
    assert align_audio(AUDIO, texts, min_confidence=0.0).doubts == []


FRAMES = st.lists(st.tuples(st.integers(1, 5), st.sampled_from(["SIL", "+SPN+", "A", "B"])), min_size=1, max_size=12)


@st.composite
def utterances(draw: st.DrawFn) -> tuple[list[tuple[int, int, float]], list[Phone]]:
    """Words, with their first and last frames and scores, and phones of the same length."""
    phones, start = [], 0
    for length, name in draw(FRAMES):
        phones.append(Phone(name, start, start + length - 1, float(draw(st.integers(-99, 0)))))
        start += length
    cuts = [*sorted(draw(st.sets(st.integers(0, start - 1), min_size=1, max_size=6))), start]
    spans = list(pairwise(cuts))
    chosen = [span for span in spans if draw(st.booleans())] or spans[:1]
    return [(first, end - 1, float(draw(st.integers(-99, 0)))) for first, end in chosen], phones


@given(utterances())
def test_measures_are_those_of_single_frames(utterance: tuple[list[tuple[int, int, float]], list[Phone]]) -> None:
    words, phones = utterance
    loop = [
        phone.score / (phone.last - phone.first + 1) for phone in phones for _ in range(phone.first, phone.last + 1)
    ]
    speech = [phone.is_speech for phone in phones for _ in range(phone.first, phone.last + 1)]
    covered = {frame for first, last, _ in words for frame in range(first, last + 1)}
    left = uncovered([[(first, last + 1)] for first, last, _ in words], phones)
    marks = "".join("x" if speech[at] and at not in covered else " " for at in range(len(speech)))
    assert (0 if left is None else round((left[1] - left[0]) * 100)) == max(map(len, marks.split()), default=0)

    by_frame = differences(words, phones)
    sums = {(first, last + 1): score - sum(loop[first : last + 1]) for first, last, score in words}
    confidence = Confidence.of(by_frame, [[span] for span in sums], left, list(sums))
    mean = sum(sums.values()) / len(covered)
    fits = [(sums[span] - min(mean, 0) * (span[1] - span[0])) / (span[1] - span[0]) ** 0.5 for span in sums]
    assert confidence.mean == pytest.approx(mean, abs=0.051)
    assert confidence.worst == pytest.approx(min(fits), abs=0.051) == confidence.other
    assert list(confidence.words) == pytest.approx(list(map(WORD.level, fits)), abs=0.0006)
    assert confidence.utterance <= min(confidence.words) + 0.001


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_levels_are_ordered(first: float, second: float) -> None:
    for measure in (MEAN, WORD, LEFT, OTHER):
        low, high = (measure.level(value) for value in sorted((first, second)))
        assert 0 <= low <= high <= 1
        assert measure.level(measure.threshold) == LEAST and measure.level(measure.usual) == pytest.approx(0.95)


@pytest.fixture(scope="module")
def bench() -> Iterator[ModuleType]:
    """The script with the measurements."""
    path = ROOT / "bench" / "alignment_confidence.py"
    if not path.exists():
        pytest.skip("there is no folder bench")
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(path.parent))


def test_the_documentation_has_the_measured_figures(bench: ModuleType) -> None:
    page = (ROOT / "docs" / "speech-from-audio.md").read_text("utf-8")
    for row in bench.rows():
        assert row in page, row


def test_the_picture_is_drawn_from_the_measurements(bench: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from test_docs import DRAWN_BY, _look_alike

    bench.plot(tmp_path / "curve.png")
    assert DRAWN_BY and _look_alike(tmp_path / "curve.png", ROOT / "docs" / "pictures" / "measured-confidence.png")
