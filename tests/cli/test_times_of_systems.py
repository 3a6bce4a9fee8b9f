"""Word times for commands that take several systems: the same options everywhere, and what they change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import treescore_inside

GOLD = "(TOP (S (NP (PRP we)) (VP (VBP turn) (ADVP (RB left)))))\n"
TEST = "(TOP (S (NP (PRP we) (VBP turn)) (VP (RB left))))\n"
GOLD_WORDS = '{"words": [["we", 1.0, 1.2], ["turn", 1.2, 1.52], ["left", 1.6, 2.0]]}\n'
TEST_WORDS = '{"words": [["we", 1.0, 1.22], ["turn", 1.22, 1.6], ["left", 1.6, 2.1]]}\n'
TIMES = ("--gold-times", "gold.jsonl", "--test-times", "test.jsonl")
STRUCT_IOU = "struct_iou|labels:yes|terminals:flexible|threshold:0|axis:seconds"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("gold", GOLD), ("test", TEST), ("gold.jsonl", GOLD_WORDS), ("test.jsonl", TEST_WORDS)):
        (tmp_path / name).write_text(text)
    (tmp_path / "ms.tsv").write_text("start\tend\tword\n1000\t1200\twe\n1200\t1520\tturn\n1600\t2000\tleft\n")
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0) -> tuple[str, str]:
    return treescore_inside(folder, *arguments, code=code)


def test_scores_by_time(folder: Path) -> None:
    """Commands choose STRUCT-IOU over seconds, with the same value, as `treescore GOLD TEST` does."""
    data = json.loads(run(folder, "gold", "test", *TIMES, "-f", "json")[0])
    score = next(score for score in data["scores"] if score["signature"].startswith(STRUCT_IOU))
    value = score["value"]
    shown = json.loads(run(folder, "show", "gold", "test", *TIMES, "-f", "json")[0])
    assert shown["sentences"][0]["systems"]["test"]["score"] == pytest.approx(value)
    compared = run(folder, "compare", "gold", "test", "gold", *TIMES)[0]
    assert f"{100 * value:.2f}" in compared
    assert STRUCT_IOU in compared
    assert "Labelled F1" in run(folder, "compare", "--compat", "sacrebleu", "gold", "test", "gold", *TIMES)[0]
    run(folder, "report", "gold", "test", *TIMES, "-o", "page.html")
    assert "STRUCT-IOU" in (folder / "page.html").read_text()
    assert "Other" in run(folder, "errors", "gold", "test", *TIMES)[0]


def test_times_in_explanations(folder: Path) -> None:
    """Whatever the axis of the metric is."""
    shown = json.loads(run(folder, "show", "gold", "test", *TIMES, "-m", "parseval", "-f", "json")[0])
    items = shown["sentences"][0]["systems"]["test"]["explanation"]["items"]
    times = {item["gold"]["label"]: item["gold"]["time"] for item in items if item["gold"]}
    assert times == {"S": [1.0, 2.0], "NP": [1.0, 1.2], "VP": [1.2, 2.0], "ADVP": [1.6, 2.0]}
    for metric in ("parseval", "struct_iou|axis:seconds"):
        text = run(folder, "gold", "test", *TIMES, "-m", metric, "--explain", "1")[0]
        assert 'ADVP "left" 1.60–2.00 s is missing' in text
    assert 'PRP "we" 1.00–1.20 s, test 1.00–1.22 s, IoU 0.91: minus 0.09' in text
    untimed = run(folder, "gold", "test", "-m", "parseval", "--explain", "1")[0]
    assert 'ADVP over "left" is missing' in untimed


@pytest.mark.parametrize(
    ("tolerance", "crosses"),
    [
        (None, True),
        ("20", True),
        ("20ms", True),
        ("0.079s", True),
        ("0.081s", False),
        ("81000us", False),
        ("90", False),
    ],
)
def test_tolerance(folder: Path, tolerance: str | None, crosses: bool) -> None:
    """NP ends at 1.6 s, VP begins at 1.52 s of gold; the score is the same with every tolerance."""
    (folder / "gold").write_text("(S (NP (PRP we) (VBP turn)) (VP (RB left)))\n")
    (folder / "test").write_text("(S (NP (PRP we) (VBP turn)) (VP (RB left)))\n")
    (folder / "gold.jsonl").write_text(TEST_WORDS.replace("1.6", "1.52"))
    given = () if tolerance is None else ("--tolerance", tolerance)
    metric = ("-m", "struct_iou|axis:seconds")
    plain = json.loads(run(folder, "gold", "test", *TIMES, *metric, "-f", "json")[0])
    explained = json.loads(run(folder, "gold", "test", *TIMES, *metric, *given, "--explain", "1", "-f", "json")[0])
    assert explained["scores"][0]["value"] == plain["scores"][0]["value"]
    shown = run(folder, "show", "gold", "test", *TIMES, *given)[0]
    assert ("×" in shown) == crosses
    run(folder, "show", "gold", "test", *TIMES, *given, "-o", "picture.svg")
    assert ("crosses" in (folder / "picture.svg").read_text()) == crosses
    run(folder, "report", "gold", "test", *TIMES, *given, "-o", "page.html")


def test_wrong_uses_of_tolerance(folder: Path) -> None:
    for wrong in ("-1ms", "nan", "inf", "20 m", "ms", ""):
        error = run(folder, "show", "gold", "test", *TIMES, f"--tolerance={wrong}", code=2)[1]
        assert "is not a time from 0, such as 20ms or 0.02s" in error
    assert "'0.02' is ambiguous" in run(folder, "show", "gold", "test", *TIMES, "--tolerance", "0.02", code=2)[1]
    assert "add --explain" in run(folder, "gold", "test", *TIMES, "--tolerance", "20", code=2)[1]
    assert "needs a TEST file" in run(folder, "show", "gold", "--tolerance", "0", code=2)[1]
    assert "over seconds" in run(folder, "show", "gold", "test", "--tolerance", "20", code=2)[1]
    assert "no option --tolerance" in run(folder, "compare", "gold", "test", "test", "--tolerance", "20", code=2)[1]


def test_options_of_word_times(folder: Path) -> None:
    options = ("--gold-times", "ms.tsv", "--times-format", "tsv", "--times-unit", "ms", "--test-times", "ms.tsv")
    shown = json.loads(run(folder, "show", "gold", "gold", *options, "--id", "1", "-f", "json")[0])
    [(_, system)] = shown["sentences"][0]["systems"].items()
    assert system["nodes"]["gold"][0]["end"] == 2.0


@pytest.mark.parametrize("command", ["show", "errors", "report", "compare"])
def test_wrong_uses(folder: Path, command: str) -> None:
    systems = ("gold", "test", "gold") if command == "compare" else ("gold", "test")
    output = ("-o", "page.html") if command == "report" else ()
    error = run(folder, command, *systems, *output, "--tier", "x", code=2)[1]
    assert error == "treescore: error: --tier needs word times: --gold-times or --test-times\n"
    many = ("--test-times", *["test.jsonl"] * 3)
    error = run(folder, command, *systems, *output, *many, code=2)[1]
    assert f"there are 3 files of --test-times for {len(systems) - 1} files of trees" in error
    if command != "errors":
        error = run(folder, command, *systems, *output, *TIMES, "--reference", "gold", code=2)[1]
        assert "--reference: trees with times of --gold-times or --test-times can be compared with one gold" in error


def test_times_of_conllu_are_refused(folder: Path) -> None:
    (folder / "a.conllu").write_text("1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n")
    error = run(folder, "compare", "a.conllu", "a.conllu", "a.conllu", *TIMES, code=2)[1]
    assert "--gold-times and --test-times are for trees, not for CoNLL-U" in error


def test_options_that_ignore_times_are_refused(folder: Path) -> None:
    for option in (["--word-errors", "3"], ["--word-alignment", "words.align"], ["--lists"]):
        _, err = run(folder, "gold", "test", *TIMES, "-m", "sparseval", *option, code=2)
        assert f"{option[0]} is for scores without word times" in err


def test_utterances_without_times_of_words(folder: Path) -> None:
    """Such as segments of Whisper without --word_timestamps."""
    (folder / "gold").write_text(GOLD * 9)
    (folder / "test").write_text(TEST * 9)
    segments = [{"start": 9.0 * number, "end": 9.0 * number + 2, "text": " We turn left."} for number in range(9)]
    (folder / "whisper.json").write_text(json.dumps({"text": "", "segments": segments}))
    times = ("--gold-times", "whisper.json", "--test-times", "whisper.json")
    _, err = run(folder, "gold", "test", *times, code=2)
    assert "no word has a time" in err and "--word_timestamps True" in err and "--interpolate" in err
    out, _ = run(folder, "gold", "test", *times, "--interpolate", "-m", "struct_iou|axis:seconds")
    assert "9 sentences: 9 scored, 0 failed" in out


def test_names_of_trees_that_are_no_ids_of_utterances(folder: Path) -> None:
    """A tree without times is not said to have no utterance if trees are paired with utterances otherwise."""
    (folder / "test").write_text("u1\t" + TEST)
    (folder / "gold").write_text("u1\t" + GOLD)
    (folder / "test.jsonl").write_text('{"id": "u1-001", "words": [["we", null, null], ["turn", null, null]]}\n')
    out, _ = run(folder, "gold", "test", *TIMES, "-m", "struct_iou|axis:seconds")
    assert "there is no utterance" not in out and "or none of these has a time" in out
