"""`treescore show` and `--explain`: which sentences, in which form, and what cannot be done."""

from __future__ import annotations

import json
import os
import pty
import sys
import wave
from pathlib import Path

import pytest
from command import inside, treescore

from treescore.cli import main

GOLD = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (NP (NNS dogs)) (VP (VBP bark) (ADVP (RB well))))\n"
TEST = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (NP (NNS dogs)) (NP (VBP bark) (ADVP (RB well))))\n"
OTHER = "(S (NX (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (NP (NNS dogs)) (VP (VBP bark) (ADVP (RB well))))\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Gold, two systems, and gold with ids."""
    for name, text in (("gold", GOLD), ("test", TEST), ("other", OTHER)):
        (tmp_path / f"{name}.mrg").write_text(text)
        lines = [json.dumps({"id": f"s{n},x", "tree": line}) for n, line in enumerate(text.splitlines())]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0) -> tuple[str, str]:
    """Standard output and standard error."""
    out, err, ended = inside(folder, lambda: main(arguments))
    assert ended == code, err.decode()
    return out.decode(), err.decode()


def test_the_worst_sentence_is_shown_and_said_to_be(folder: Path) -> None:
    out, _ = run(folder, "show", "gold.mrg", "test.mrg", "-m", "struct_iou", "--width", "120")
    assert out.startswith("the worst of 1 sentence with a loss\n\nsentence 2: 85.71\nstruct_iou|")
    assert "−≠VP" in out and "+≠NP" in out
    assert 'VP over "bark well" is missing; test has NP over the same words: minus 1.00' in out
    assert "\x1b" not in out


def test_ids_and_numbers(folder: Path) -> None:
    assert run(folder, "show", "gold.mrg", "test.mrg", "--id", "1")[0].startswith("sentence 1: 100.00\n")
    out, _ = run(folder, "show", "gold.jsonl", "test.jsonl", "--id", "s1,x", "--id", "s0,x", "-m", "struct_iou")
    assert [line for line in out.splitlines() if line.startswith("sentence")] == [
        "sentence 2 (s1,x): 85.71",
        "sentence 1 (s0,x): 100.00",
    ]
    _, err = run(folder, "show", "gold.mrg", "test.mrg", "--id", "7", code=2)
    assert "7" in err


def test_the_metric_fits_the_trees(folder: Path) -> None:
    (folder / "cut.mrg").write_text(TEST.replace("(DT the) (NN cat)", "(NN thecat)"))
    (folder / "timed.txt").write_text("(NP (DT 0.15-0.39) (NN 0.39-0.8))\n")
    for gold, test, signature in (
        ("gold.mrg", "test.mrg", "parseval|"),
        ("gold.mrg", "cut.mrg", "parseval|"),
        ("timed.txt", "timed.txt", "struct_iou|labels:yes|terminals:flexible|threshold:0|axis:seconds"),
    ):
        out, err = run(folder, "show", gold, test, "--id", "1")
        assert out.splitlines()[1].startswith(signature)
        assert err == ""


def test_profiles(folder: Path) -> None:
    assert "|profile:spmrl|" in run(folder, "show", "gold.mrg", "test.mrg", "--profile", "spmrl")[0]
    (folder / "own.prm").write_text("LABELED 1\nDELETE_LABEL VP\n")
    assert "|prm:" in run(folder, "show", "gold.mrg", "test.mrg", "-p", "own.prm", "--id", "1")[0]
    assert (
        "give -m once" in run(folder, "show", "gold.mrg", "test.mrg", "-m", "parseval", "-m", "struct_iou", code=2)[1]
    )


def test_sentences_without_a_score(folder: Path) -> None:
    (folder / "less.mrg").write_text("(S (NP (DT the) (NN cat)) (VX (VBZ sleeps)))\n(S (NN other))\n")
    out, _ = run(folder, "show", "gold.mrg", "less.mrg", "-m", "parseval")
    assert "with a loss; 1 sentence has no score; first: sentence 2 (--id shows it)\n" in out


def test_where_systems_differ(folder: Path) -> None:
    out, _ = run(folder, "show", "gold.mrg", "test.mrg", "other.mrg", "--width", "150")
    assert out.startswith(
        "the greatest difference among 2 sentences with different scores; A is better on 1, B on 1\n\n"
        "sentence 1: A 100.00, B 66.67\n"
    )
    assert "A: test" in out
    out, _ = run(folder, "show", "gold.mrg", "test.mrg", "other.mrg", "--differ", "2")
    assert out.count("\nsentence ") == 2
    assert run(folder, "show", "gold.mrg", "test.mrg", "other.mrg", "--worst")[0].startswith("the worst of 2 sentences")
    _, err = run(folder, "show", "gold.mrg", "test.mrg", "--differ", code=2)
    assert "several TEST files" in err


def test_nothing_to_choose(folder: Path) -> None:
    message = "no loss in any sentence; select one by --id\n"
    assert run(folder, "show", "gold.mrg", "gold.mrg") == (message, "")
    out, err = run(folder, "show", "gold.mrg", "gold.mrg", "-f", "json")
    assert json.loads(out)["sentences"] == [] and message in err
    assert message in run(folder, "show", "gold.mrg", "gold.mrg", "-o", "none.svg")[1]
    assert not (folder / "none.svg").exists()
    (folder / "same.mrg").write_text(TEST)
    assert "the same score" in run(folder, "show", "gold.mrg", "test.mrg", "same.mrg")[0]
    assert "two systems have the name" in run(folder, "show", "gold.mrg", "test.mrg", "test.mrg", code=2)[1]


def test_json(folder: Path) -> None:
    out, _ = run(folder, "show", "gold.mrg", "test.mrg", "-f", "json", "-m", "parseval")
    [sentence] = json.loads(out)["sentences"]
    assert sentence["sentence"] == 2
    shown = sentence["systems"]["test"]
    assert shown["words"]["gold"] == ["dogs", "bark", "well"]
    assert [node["mark"] for node in shown["nodes"]["gold"] if not node["is_preterminal"]] == [
        "aligned",
        "aligned",
        "missing",
        "aligned",
    ]
    assert shown["explanation"]["items"][0]["kind"] == "twins"


def test_pictures(folder: Path) -> None:
    out, _ = run(folder, "show", "gold.mrg", "test.mrg", "--id", "2", "-o", "out.svg", "--mode", "beside")
    assert out == ""
    assert (folder / "out.svg").read_text().startswith("<svg ")
    run(folder, "show", "gold.mrg", "test.mrg", "other.mrg", "--differ", "2", "-o", "out.tex")
    assert "forest" in (folder / "out.tex").read_text()


def test_pictures_over_time(folder: Path) -> None:
    words = ["the", "cat", "sleeps", "dogs", "bark", "well"]
    (folder / "words.ctm").write_text("".join(f"x 1 {at} 0.9 {word}\n" for at, word in enumerate(words)))
    with wave.open(str(folder / "talk.wav"), "wb") as file:
        file.setparams((1, 1, 8000, 0, "NONE", ""))
        file.writeframes(b"\x80" * 8000 * 9)
    named = ("show", "gold.mrg", "test.mrg", "--id", "2", "--gold-times", "words.ctm")
    out, _ = run(folder, *named)
    assert "axis:seconds" in out
    run(folder, *named, "--duration", "9", "--title", "dogs & cats", "--width", "500", "-o", "out.svg")
    svg = (folder / "out.svg").read_text()
    assert ">dogs &amp; cats<" in svg and ">9<" in svg and 'width="500"' in svg
    pytest.importorskip("soundfile")
    run(folder, *named, "--duration", "talk.wav", "--title", "dogs & cats", "--width", "500", "-o", "again.svg")
    assert (folder / "again.svg").read_text() == svg
    assert "duration is 5 seconds" in run(folder, *named, "--duration", "5", "-o", "out.svg", code=2)[1]


def test_trees_alone(folder: Path) -> None:
    out, _ = run(folder, "show", "gold.mrg")
    assert out == "the first of 2 trees; --id selects others\n\nsentence 1\nS\n├ NP the cat\n└ VP sleeps\n"
    out, _ = run(folder, "show", "gold.jsonl", "--id", "s1,x", "--id", "1")
    assert [line for line in out.splitlines() if "sentence" in line] == [
        "sentence 2 (s1,x)",
        "sentence 1 (s0,x)",
    ]
    run(folder, "show", "gold.mrg", "--id", "2,1", "-o", "out.svg", "--intervals", "--greyscale")
    svg = (folder / "out.svg").read_text()
    assert svg.index(">dogs<") < svg.index(">cat<") and "(0–2)" in svg
    (folder / "words.ctm").write_text("".join(f"x 1 {at} 0.9 word\n" for at in range(6)))
    run(folder, "show", "gold.mrg", "--gold-times", "words.ctm", "--intervals", "-o", "out.tex")
    assert "0.00--2.90" in (folder / "out.tex").read_text().replace("{-}", "-").replace("–", "--")
    for arguments, message in (
        (("--worst",), "--worst needs a TEST file"),
        (("-m", "parseval"), "--metric needs a TEST file"),
        (("-f", "json"), "-f json needs a TEST file"),
        (("--id", "9"), "9"),
    ):
        assert message in run(folder, "show", "gold.mrg", *arguments, code=2)[1]


def test_pictures_for_a_paper(folder: Path) -> None:
    paper = ("--plain", "--width", "2.5in", "--font-size", "20pt", "--no-turn")
    _, err = run(folder, "show", "gold.mrg", "test.mrg", "--id", "2", "-o", "out.svg", *paper)
    assert err.startswith("treescore: out.svg: words have ")
    svg = (folder / "out.svg").read_text()
    assert 'width="240"' in svg and "sentence" not in svg and "parseval" not in svg
    for arguments, message in (
        (("--plain",), "--plain is for pictures"),
        (("--font-size", "8"), "--font-size is for pictures"),
        (("--width", "3.3in"), "'3.3in' is not a whole number"),
        (("--width", "wide", "-o", "a.svg"), "width must be a positive number or a length such as 3.3in"),
    ):
        assert message in run(folder, "show", "gold.mrg", "test.mrg", *arguments, code=2)[1]


def test_options_that_do_not_go_together(folder: Path) -> None:
    for arguments, message in (
        (("-m", "tree_distance"), "tree_distance cannot be explained"),
        (("--mode", "beside"), "--mode is for pictures"),
        (("--duration", "3"), "--duration is for pictures"),
        (("--no-turn", "-f", "json"), "--turn is for pictures"),
        (("-f", "json", "-o", "a.svg"), "is a picture; -f"),
        (("--fold", "right", "-o", "a.svg"), "--fold and --colour are for text"),
        (("--duration", "3", "-o", "a.svg"), "duration needs words with times"),
        (("--duration", "gold.mrg", "-o", "a.svg"), "this cannot be read as audio"),
        (("--ppi", "0", "-o", "a.png"), "ppi must be a positive number"),
        (("--mode", "beside", "-o", "a.tex"), "mode has no effect on a .tex file"),
        (("--test-times", "a", "--test-times", "b"), "2 files of --test-times for 1 files of trees"),
        (("-o", "a.jpg"), "a.jpg: pictures can be .svg, .pdf, .png, .tex, not .jpg"),
        (("--id", "worst:0"), "use worst, or worst:N with N from 1"),
    ):
        assert message in run(folder, "show", "gold.mrg", "test.mrg", *arguments, code=2)[1]
    assert "standard input" in run(folder, "show", "-", "-", code=2)[1]
    assert (
        "standard input"
        in run(folder, "show", "gold.mrg", "test.mrg", *["--gold-times", "-", "--test-times", "-"], code=2)[1]
    )


def test_output_goes_to_a_file_without_colours(folder: Path) -> None:
    out, _ = run(folder, "show", "gold.mrg", "test.mrg", "-o", "out.txt")
    assert out == ""
    assert "≠VP" in (folder / "out.txt").read_text()
    assert "\x1b[" in run(folder, "show", "gold.mrg", "test.mrg", "--colour", "always")[0]


def test_colours_on_a_terminal(folder: Path) -> None:
    arguments = [sys.executable, "-m", "treescore", "show", "gold.mrg", "test.mrg"]
    for variables, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        child, terminal = pty.fork()
        if child == 0:  # pragma: no cover
            os.chdir(folder)
            os.execve(sys.executable, arguments, {**os.environ, "TERM": "xterm-256color", **variables})
        message = b""
        while True:
            try:
                piece = os.read(terminal, 1 << 16)
            except OSError:  # the terminal is closed
                break
            if not piece:
                break
            message += piece
        os.close(terminal)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert (b"\x1b[38;5;" in message) == coloured
        assert "≠VP".encode() in message


def test_explain_below_the_table(folder: Path) -> None:
    out, _ = run(folder, "gold.mrg", "test.mrg", "-m", "struct_iou", "--explain", "2")
    assert "STRUCT-IOU (corpus)" in out
    assert "sentence 2: 85.71 (14.29 points lost)" in out
    assert '  14.29  VP over "bark well" is missing; test has NP over the same words: minus 1.00' in out
    assert "--by label" in out
    assert run(folder, "gold.mrg", "test.mrg", "--explain", "1,2")[0].count("points lost") == 2
    assert "sentence 2:" in run(folder, "gold.mrg", "test.mrg", "--explain", "worst:3")[0]


def test_explain_in_json(folder: Path) -> None:
    arguments = ("gold.mrg", "test.mrg", "-m", "parseval", "-m", "tree_distance", "--explain", "worst")
    first, second = json.loads(run(folder, *arguments, "-f", "json")[0])["scores"]
    assert first["explanations"][0]["items"][0]["text"].startswith('VP over "bark well" is missing')
    assert second["explanations"] is None
    assert "tree_distance cannot be explained node by node" in run(folder, *arguments)[0]


def test_what_cannot_be_explained(folder: Path) -> None:
    _, err = run(folder, "gold.mrg", "test.mrg", "-m", "tedeval", "--explain", "1", code=2)
    assert "tedeval cannot be explained node by node; parseval and struct_iou can" in err
    _, err = run(folder, "gold.mrg", "test.mrg", "-f", "csv", "--explain", "1", code=2)
    assert "in the formats table and json" in err
    (folder / "cut.mrg").write_text(TEST.replace("(DT the) (NN cat)", "(NN thecat)"))
    out, _ = run(folder, "gold.mrg", "cut.mrg", "--explain", "1")
    assert "sentence 1: no score" in out and "aligned_parseval cannot be explained node by node" in out


def test_a_failure_leaves_the_file_that_was_there(folder: Path) -> None:
    (folder / "out.txt").write_text("kept")
    (folder / "cut.mrg").write_text(TEST.replace("(DT the) (NN cat)", "(NN thecat)"))
    for arguments in (
        ("gold.mrg", "test.mrg", "--explain", "9"),
        ("gold.mrg", "test.mrg", "--explain", "worst:x"),
        ("gold.mrg", "test.mrg", "--explain", "1", "-f", "csv"),
        ("gold.mrg", "cut.mrg", "--explain", "1", "-m", "aligned_parseval"),
        ("show", "gold.mrg", "test.mrg", "--id", "9"),
    ):
        run(folder, *arguments, "-o", "out.txt", code=2)
        assert (folder / "out.txt").read_text() == "kept"
    (folder / "out.txt").write_text("long " * 10_000)
    run(folder, "gold.mrg", "test.mrg", "-o", "out.txt")
    assert (folder / "out.txt").read_text() == run(folder, "gold.mrg", "test.mrg")[0]


def test_the_worst_of_nothing(folder: Path) -> None:
    out, _ = run(folder, "gold.mrg", "gold.mrg", "--explain", "worst")
    assert "100.00" in out and "nothing was lost: parseval|" in out


def test_trees_that_are_too_large_for_a_picture(folder: Path) -> None:
    (folder / "deep.mrg").write_text("(X " * 30_000 + "(NN a)" + ")" * 30_000)
    assert "nodes can be drawn" in run(folder, "show", "deep.mrg", "deep.mrg", "--id", "1", "-o", "d.svg", code=2)[1]
    assert not (folder / "d.svg").exists()


def test_in_a_process_of_its_own(folder: Path) -> None:
    assert treescore(folder, "show", "gold.mrg", "test.mrg", "--id", "2")[0].startswith("sentence 2: 75.00")
    treescore(folder, "show", "gold.mrg", "missing.mrg", code=2)
