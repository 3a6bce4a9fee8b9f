"""The report page as a file: its bytes, what is escaped, and the command that writes it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
import zlib
from array import array
from pathlib import Path
from random import Random
from typing import Any

import pytest
import strategies
from command import treescore as run

import treescore
from treescore.draw.colours import NO_LABEL
from treescore.metrics import REGISTRY, get
from treescore.page import build, recordings
from treescore.page.build import SCRIPTS, Page
from treescore.page.columns import shown, signed, varints
from treescore.speech.batch import recordings_of
from treescore.trees import Treebank

FOLDER = Path(treescore.__file__).parent / "page"
GOLD = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (NP (NN a)) (VP (VB b)))\n"
TEST = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (X (NN a)) (VP (VB b)))\n"


def block(html: str, name: str) -> bytes:
    """The data in one of the inert elements."""
    match = re.search(f'id="data-{name}">([A-Za-z0-9+/=]*)</script>', html)
    assert match is not None
    return zlib.decompress(base64.b64decode(match[1]))


def main(html: str) -> Any:
    return json.loads(block(html, "main"))


def test_same_input_same_bytes() -> None:
    gold, test = strategies.banks(strategies.make_pairs(Random(3), 40, sound=True))
    pages = [Page(treescore.compare(gold, {"A": test}, ["parseval", "struct_iou"])).html for _ in range(2)]
    assert pages[0] == pages[1]


def test_only_its_own_script_and_style_are_allowed() -> None:
    html = Page(treescore.evaluate(GOLD, TEST)).html
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; ")
    for kind, pattern in (("script", r"<script>(.*)</script>"), ("style", r"<style>(.*)</style>")):
        [inside] = re.findall(pattern, html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy[1]
    assert not re.search(r"""\s(?:src|href|action)=["'](?!data:,|#)""", html.partition("<script>")[0])


def test_scripts_never_make_elements_from_text() -> None:
    for name in SCRIPTS:
        text = (FOLDER / "script" / f"{name}.js").read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
        assert "</script" not in text
    assert {path.stem for path in (FOLDER / "script").iterdir()} == set(SCRIPTS)


def test_scripts_are_sound(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    html = Page(treescore.evaluate(GOLD, TEST)).html
    [script] = re.findall(r"<script>(.*)</script>", html, re.DOTALL)
    (tmp_path / "page.js").write_text(script, encoding="utf-8")
    subprocess.run([node, "--check", tmp_path / "page.js"], check=True)


def test_texts_are_escaped_in_the_template() -> None:
    nasty = "</title><script>alert(1)</script>{{ 7 * 7 }}\u202e\x00\udc80"
    page = Page({nasty: treescore.evaluate(GOLD, TEST)}, title=nasty)
    before = page.html.partition('<script type="application')[0]
    assert "alert(1)" in before
    assert "<script>alert" not in before
    assert "\\u202e\\x00\\udc80" in before
    title = before.partition("<title>")[2].partition("</title>")[0]
    assert "{{ 7 * 7 }}" in title
    assert "49" not in title


def test_trees_of_the_best_sentences_are_left_out() -> None:
    gold, test = strategies.banks(strategies.make_pairs(Random(2), 300, sound=True))
    report = treescore.evaluate(gold, test, "parseval")
    size = len(Page(report, title="木" * 1_000).html.encode())
    page = Page(report, title="木" * 1_000, most_bytes=size - 1_000)
    assert len(page.html.encode()) < size
    assert 0 < page.left_out < 300
    assert f"the trees of {page.left_out} sentences with the best scores were left out" in (page.notice() or "")


def test_systems_must_be_alike() -> None:
    first = treescore.evaluate(GOLD, TEST)
    assert Page({"A": first, "B": treescore.evaluate(GOLD, GOLD)}, title="").html.count("<title>A and B against") == 1
    with pytest.raises(treescore.UsageError, match="the same metrics"):
        Page({"A": first, "B": treescore.evaluate(GOLD, TEST, "struct_iou")})
    with pytest.raises(treescore.UsageError, match="the same gold trees"):
        Page({"A": first, "B": treescore.evaluate(TEST, TEST)})


def test_metrics_of_one_name_show_what_differs() -> None:
    report = treescore.evaluate(GOLD, TEST, ["struct_iou", "struct_iou|cut:-=", "leaf_ancestor"])
    titles = [metric["title"] for metric in main(Page(report, pack=None).html)["metrics"]]
    assert titles[:2] == ["STRUCT-IOU", "STRUCT-IOU (cut:-%3D)"]
    assert "(" not in titles[2]


@pytest.mark.parametrize("text", ["a", "a\tb", "\u2028", "x\u202ey", "\ud800", "\x00", "é", "שלום"])
def test_shown_text_can_be_stored_on_one_line(text: str) -> None:
    result = shown(text)
    result.encode()
    assert result.splitlines() == [result]
    assert "\t" not in result
    assert text not in ("a", "é", "שלום") or result == text


@pytest.mark.parametrize("code", [0xAD, 0x180E, 0x200B, 0x2060, 0x3164, 0xFEFF, 0xE0041])
def test_what_cannot_be_seen_is_spelt_out(code: int) -> None:
    assert shown(f"a{chr(code)}b") == f"a{chr(code)!a}b".replace("'", "")
    assert shown("می\u200cشود") == "می\u200cشود"


def test_numbers() -> None:
    rng = Random(1)
    values = [rng.randrange(1 << rng.randrange(40)) for _ in range(500)]
    result, value, shift = [], 0, 0
    for byte in varints(values):
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            result.append(value)
            value, shift = 0, 0
    assert result == values
    assert sorted(map(signed, range(-50, 50))) == list(range(100))


def test_metrics_that_judge_no_nodes_have_no_trees() -> None:
    page = Page(treescore.evaluate(GOLD, TEST, ["leaf_ancestor", "tree_distance"]), pack=None)
    assert [metric["hasTrees"] for metric in main(page.html)["metrics"]] == [False, False]
    assert main(page.html)["classes"] is None
    with pytest.raises(treescore.UsageError, match="sentence by sentence"):
        Page(treescore.evaluate(GOLD, TEST, "aligned_parseval"))


def test_scores_of_sentences_are_shares_and_best_at_1() -> None:
    """The page shows them in percent, and the lowest first."""
    for metric in map(get, REGISTRY):
        assert metric.row_figure not in (*metric.amounts, *metric.error_rates)


def test_large_trees_are_left_out() -> None:
    deep = "(X " * 20_000 + "a" + ")" * 20_000
    page = Page(treescore.evaluate([deep, "(S (NN b))"], [deep, "(S (NN b))"], "parseval|profile:none"), pack=None)
    assert page.data.too_large == 1
    assert "too large" in (page.notice() or "")


def test_empty_and_unreadable_trees() -> None:
    gold = treescore.read("(S (NN a))\n()\n(S (NN c))\n", on_error="keep")
    test = treescore.read("()\n()\n(S (NN c)\n", on_error="keep")
    html = Page(treescore.evaluate(gold, test, ["parseval", "struct_iou"])).html
    assert main(html)["sentences"] == 3
    assert {problem["sentence"] for problem in main(html)["problems"]} >= {1, 3}


def test_lengths_are_those_of_the_metric() -> None:
    gold = treescore.read("(S (NP (NN a)) (. .))\n(S (NN b) (, ,) (NN c))\n")
    report = treescore.evaluate(gold, gold, ["parseval|profile:prpn", "struct_iou"])
    html = Page(report, pack=None).html
    columns = array("i", block(html, "lengths"))
    items = [list(columns[2 * place : 2 * place + 2]) for place in main(html)["lengthColumns"][0]]
    assert items == [report.rows(metric.signature)["length"] for metric in report.metrics]
    assert items[0] != items[1]
    same = Page(treescore.compare(gold, {"A": gold, "B": gold}, ["parseval", "leaf_ancestor"]), pack=None).html
    assert all(0 <= place < len(block(same, "lengths")) / 8 for row in main(same)["lengthColumns"] for place in row)


def test_counts_do_not_depend_on_the_order_of_systems() -> None:
    gold = GOLD + "(S (NP (NN a)) (VP (VB b)))\n"
    banks = {"A": treescore.read(gold), "B": treescore.read(TEST + "()\n", on_error="keep")}
    plots = [
        main(Page(treescore.compare(gold, {name: banks[name] for name in order}, "parseval"), pack=None).html)["plots"][
            0
        ]
        for order in ("AB", "BA")
    ]
    assert any(len(set(row["gold"])) > 1 for row in plots[0]["byLabel"])
    for key in ("byLabel", "byLength"):
        turned = [
            {name: value[::-1] if isinstance(value, list) else value for name, value in row.items()}
            for row in plots[1][key]
        ]
        assert plots[0][key] == turned


def test_problems_say_whose_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = treescore.read(GOLD + "(S (NN a)\n", on_error="keep")
    test = treescore.read("()\n()\n(S (NN a))\n", on_error="keep")
    both = treescore.compare(gold, {"A": test, "B": test}, "parseval")
    result = main(Page(both, pack=None).html)
    texts = [problem["text"] for problem in result["problems"]]
    about_gold = [text for text in texts if not text.startswith(("A: ", "B: "))]
    assert len(about_gold) == len(gold.problems)
    assert [text[3:] for text in texts if text[0] == "A"] == [text[3:] for text in texts if text[0] == "B"]
    assert dict(result["problemSentences"])["unparsed"] == [1, 2]
    monkeypatch.setattr(build, "_PROBLEMS", 1)
    cut = main(Page(both, pack=None).html)
    assert len(cut["problems"]) == 2
    assert cut["problemSentences"] == result["problemSentences"]


def test_problems_are_listed_once_whichever_score_they_concern() -> None:
    both = treescore.evaluate(["(S (NN a) (NN b))"], ["(S (NN a) (NN c))"], ["parseval", "struct_iou"])
    texts = [problem["text"] for problem in main(Page(both).html)["problems"]]
    assert [text.partition(":")[0] for text in texts] == ["<test>"]
    report = treescore.evaluate(["(S (NN a) (NN b))"], ["(S (NN a) (NN c))"])
    assert [problem["text"] for problem in main(Page(report).html)["problems"]] == list(map(str, report.problems))


@pytest.mark.parametrize("metric", ["parseval", "parseval|profile:none", "parseval|labels:no"])
def test_confusions_are_those_of_the_breakdown(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "_MATRIX", 1_000)
    data = Path(treescore.__file__).parent / "data"
    banks = [strategies.banks(strategies.make_pairs(Random(5), 150, sound=True))]
    banks += [(treescore.read(data / "demo.gold.mrg"), treescore.read(data / "demo.test.mrg"))]
    for gold, test in banks:
        report = treescore.evaluate(gold, test, metric)
        page = main(Page(report, pack=None).html)
        matrix = page["confusion"][0][0]
        result = {(matrix["rows"][row], matrix["columns"][column]): count for row, column, count in matrix["cells"]}
        confusions = [it for it in report.error_tables().confusions if not it.right and None not in (it.gold, it.test)]
        assert result == {(it.gold or NO_LABEL, it.test or NO_LABEL): it.count for it in confusions}
    assert not any("-" in label for label in page["frequentLabels"]) or metric == "parseval|profile:none"


def test_rare_confusions_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "_MATRIX", 1)
    gold, test = "(S (A a) (A b) (B (C c)))", "(S (X a) (X b) (B (Y c)))"
    page = Page(treescore.evaluate(gold, test, "struct_iou|terminals:strict"), pack=None)
    assert main(page.html)["confusion"][0][0] == {
        "rows": ["A"],
        "columns": ["X"],
        "cells": [[0, 0, 2]],
        "missing": [0],
        "extra": [0],
        "leftOut": [1, 1],
    }


def test_command(tmp_path: Path) -> None:
    (tmp_path / "gold.mrg").write_text(GOLD)
    (tmp_path / "a.mrg").write_text(TEST)
    (tmp_path / "b.mrg").write_text(GOLD)
    out, err = run(tmp_path, "report", "gold.mrg", "a.mrg", "b.mrg", "--name", "first", "-o", "page.html")
    assert (out, err) == ("", "")
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert [system["name"] for system in main(html)["systems"]] == ["first", "b"]
    assert [metric["name"] for metric in main(html)["metrics"]] == ["parseval"]
    assert "<title>first and b against gold.mrg</title>" in html
    digest = hashlib.sha256((tmp_path / "gold.mrg").read_bytes()).hexdigest()
    assert digest in html
    out, _ = run(tmp_path, "report", "gold.mrg", "a.mrg", "-o", "-", "-m", "parseval|labels:no", "--title", "Why?")
    assert "<title>Why?</title>" in out
    assert "parseval|labels:no" in out


def test_folders_of_this_machine_are_not_in_the_page(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "23.sys_berkeley_top").write_text("()\n(S (NN b)\n")
    (tmp_path / "gold.mrg").write_text(GOLD)
    files = [tmp_path / "gold.mrg", *(tmp_path / folder / "23.sys_berkeley_top" for folder in ("one", "two"))]
    run(tmp_path, "report", *map(str, files), "-o", "page.html")
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    names = ["one/23.sys_berkeley_top", "two/23.sys_berkeley_top"]
    assert [system["name"] for system in main(html)["systems"]] == names
    assert all(problem["text"].partition(": ")[2].startswith(tuple(names)) for problem in main(html)["problems"])
    blocks = re.findall(r'id="data-[-a-z0-9]+">([A-Za-z0-9+/=]*)</script>', html)
    texts = [html.encode(), *(zlib.decompress(base64.b64decode(data)) for data in blocks)]
    assert not any(str(tmp_path).encode() in text for text in texts)


def test_command_says_what_is_left_out_and_what_went_wrong(tmp_path: Path) -> None:
    (tmp_path / "gold.mrg").write_text(GOLD)
    (tmp_path / "test.mrg").write_text("()\n(S (X (NN a)) (VP (VB b)))\n")
    _, err = run(tmp_path, "report", "gold.mrg", "test.mrg", "-o", "page.html", "--max-size", "0.01")
    size = (tmp_path / "page.html").stat().st_size
    assert f"all trees were left out, but the page still has {size / 1e6:.2f} MB" in err
    assert "1 problem: 1 unparsed (the page lists them)" in err
    run(tmp_path, "report", "gold.mrg", "test.mrg", "-o", "page.html", "--strict", code=1)


def test_command_keeps_files_where_it_fails(tmp_path: Path) -> None:
    (tmp_path / "gold.mrg").write_text(GOLD)
    (tmp_path / "page.html").write_text("before")
    run(tmp_path, "report", "gold.mrg", "none.mrg", "-o", "page.html", code=2)
    assert (tmp_path / "page.html").read_text() == "before"
    (tmp_path / "link.out").symlink_to("gold.mrg")
    for command in (["report"], ["show"], []):
        _, err = run(tmp_path, *command, "gold.mrg", "gold.mrg", "-o", "link.out", code=2)
        assert "link.out is an input file" in err
        assert (tmp_path / "gold.mrg").read_text() == GOLD


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gold.mrg", "gold.mrg", "gold.mrg"], "two systems have the name"),
        (["gold.mrg", "gold.mrg", "--name", "a", "--name", "b"], "2 names"),
        (["-", "-"], "only one of the files can be standard input"),
        (["gold.mrg", "none.mrg"], "none.mrg"),
        (["gold.mrg", "short.mrg"], "needs a pair of trees for each sentence; use: treescore GOLD TEST"),
        (["gold.mrg", "gold.mrg", "--pack", "none.json"], "none.json"),
    ],
)
def test_command_with_wrong_arguments(arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "gold.mrg").write_text(GOLD)
    (tmp_path / "short.mrg").write_text(GOLD.partition("\n")[0])
    _, err = run(tmp_path, "report", *arguments, "-o", "page.html", code=2)
    assert message in err


def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> str:
    """A page of two sentences, the second of which has a recording in a folder beside the page."""
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "b'1.wav").write_bytes(b"RIFF")
    monkeypatch.setattr(recordings, "MOST_EMBEDDED", most)
    gold = Treebank(treescore.read(GOLD).native, ids=["a", "b'1"])
    paths, notes = recordings_of(gold, str(tmp_path))
    assert paths == [None, str(tmp_path / "a b" / "b'1.wav")] and notes == []
    found = recordings.Recordings(paths, str(tmp_path))
    return Page(treescore.evaluate(gold, gold), recordings=found).html


def test_small_recordings_are_in_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    html = recorded(tmp_path, monkeypatch, 4)
    assert main(html)["audio"] == {"numbers": [None, 0], "links": []}
    assert f'id="data-audio-0">{base64.b64encode(b"RIFF").decode()}</script>' in html
    assert "; media-src blob:; base-uri" in html


def test_large_recordings_are_linked_by_relative_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    html = recorded(tmp_path, monkeypatch, 3)
    assert main(html)["audio"] == {"numbers": [None, 0], "links": ["./a%20b/b%271.wav"]}
    assert "data-audio-0" not in html
    assert "; media-src &#39;self&#39; file:; base-uri" in html


def test_pages_without_recordings_may_load_no_sound() -> None:
    html = Page(treescore.evaluate(GOLD, TEST)).html
    assert main(html)["audio"] is None
    assert "media-src" not in html.partition("<body>")[0]


def test_command_with_recordings(tmp_path: Path) -> None:
    speech = Path(treescore.__file__).parent / "data" / "demo_speech"
    times = ("--gold-times", str(speech / "asr.ctm"), "--test-times", str(speech / "asr.ctm"))
    files = (str(speech / "gold.trees"), str(speech / "parsed.trees"))
    run(tmp_path, "report", *files, *times, "--audio", str(speech / "audio"), "-o", "speech.html")
    html = (tmp_path / "speech.html").read_text("utf-8")
    assert main(html)["audio"]["numbers"] == [0, 1, 2, 3, 4, 5]
    assert main(html)["metrics"][0]["axis"]["unit"] == "s"


@pytest.mark.parametrize("metric", ["parseval", "parseval|profile:none", "struct_iou", "struct_iou|average:corpus"])
def test_labels_have_intervals_and_explain_differences(metric: str) -> None:
    data = Path(treescore.__file__).parent / "data"
    gold, *tests = (treescore.read(data / f"demo.{name}.mrg") for name in ("gold", "test", "second"))
    both = treescore.compare(gold, {"A": tests[0], "B": tests[1], "C": gold}, metric)
    page = main(Page(both, pack="english").html)
    figure = both.reports["A"].metrics[0].group_figures[0]
    rows = page["plots"][0]["byLabel"]
    assert len(rows) > 8
    for system, report in enumerate(both.reports.values()):
        table = report.breakdown("label")
        for row in rows:
            value, interval = row["values"][system], row["intervals"][system]
            assert value == table["" if row["label"] == NO_LABEL else row["label"]][figure].value
            assert interval is not None and interval[0] <= value <= interval[1]
    overall = [report.scores[0].all_figures[figure].value or 0.0 for report in both.reports.values()]
    assert set(page["explained"]["labels"][0]) == {"0-1", "0-2", "1-2"}
    for pair, contributions in page["explained"]["labels"][0].items():
        a, b = map(int, pair.split("-"))
        assert sum(row["value"] for row in contributions) == pytest.approx(100 * (overall[a] - overall[b]))
        sizes = [abs(row["value"]) for row in contributions[:-1]]
        assert sizes == sorted(sizes, reverse=True) and contributions[-1]["label"] is None
    for pair, contributions in page["explained"]["classes"].items():
        a, b = map(int, pair.split("-"))
        totals = [sum(counts) for counts in page["classes"]["brackets"]]
        assert sum(row["value"] for row in contributions) == totals[b] - totals[a]
        assert all(row["low"] <= row["value"] <= row["high"] for row in contributions)
