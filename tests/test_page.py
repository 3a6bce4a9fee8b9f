"""The report page as a file: its bytes, what is escaped, and the command that writes it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
import zlib
from pathlib import Path
from random import Random
from typing import Any

import pytest
import strategies
from command import treescore as run

import treescore
from treescore.page.build import SCRIPTS, Page
from treescore.page.columns import shown, signed, varints

FOLDER = Path(treescore.__file__).parent / "page"
GOLD = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (NP (NN a)) (VP (VB b)))\n"
TEST = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (X (NN a)) (VP (VB b)))\n"


def block(html: str, name: str) -> bytes:
    """The data in one of the inert elements."""
    found = re.search(f'id="data-{name}">([A-Za-z0-9+/=]*)</script>', html)
    assert found is not None
    return zlib.decompress(base64.b64decode(found[1]))


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
    assert "49" not in before.partition("</title>")[0]


@pytest.mark.parametrize("text", ["a", "a\tb", "\u2028", "x\u202ey", "\ud800", "\x00", "é", "שלום"])
def test_shown_text_can_be_stored_on_one_line(text: str) -> None:
    found = shown(text)
    found.encode()
    assert found.splitlines() == [found]
    assert "\t" not in found
    assert text not in ("a", "é", "שלום") or found == text


def test_numbers() -> None:
    rng = Random(1)
    values = [rng.randrange(1 << rng.randrange(40)) for _ in range(500)]
    found, value, shift = [], 0, 0
    for byte in varints(values):
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append(value)
            value, shift = 0, 0
    assert found == values
    assert sorted(map(signed, range(-50, 50))) == list(range(100))


def test_metrics_that_judge_no_nodes_have_no_trees() -> None:
    page = Page(treescore.evaluate(GOLD, TEST, ["leaf_ancestor", "tree_distance"]), pack=None)
    assert [metric["hasTrees"] for metric in main(page.html)["metrics"]] == [False, False]
    assert main(page.html)["classes"] is None
    with pytest.raises(treescore.UsageError, match="sentence by sentence"):
        Page(treescore.evaluate(GOLD, TEST, "aligned_parseval"))


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


def test_command(tmp_path: Path) -> None:
    (tmp_path / "gold.mrg").write_text(GOLD)
    (tmp_path / "a.mrg").write_text(TEST)
    (tmp_path / "b.mrg").write_text(GOLD)
    out, err = run(tmp_path, "report", "gold.mrg", "a.mrg", "b.mrg", "--name", "first", "-o", "page.html")
    assert (out, err) == ("", "")
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert [system["name"] for system in main(html)["systems"]] == ["first", "b"]
    assert [metric["name"] for metric in main(html)["metrics"]] == ["parseval", "struct_iou"]
    assert "<title>first and b against gold.mrg</title>" in html
    digest = hashlib.sha256((tmp_path / "gold.mrg").read_bytes()).hexdigest()
    assert digest in html
    out, _ = run(tmp_path, "report", "gold.mrg", "a.mrg", "-o", "-", "-m", "parseval|labels:no", "--title", "Why?")
    assert "<title>Why?</title>" in out
    assert "parseval|labels:no" in out


def test_command_says_what_is_left_out_and_what_went_wrong(tmp_path: Path) -> None:
    (tmp_path / "gold.mrg").write_text(GOLD)
    (tmp_path / "test.mrg").write_text("()\n(S (X (NN a)) (VP (VB b)))\n")
    _, err = run(tmp_path, "report", "gold.mrg", "test.mrg", "-o", "page.html", "--max-size", "0.01")
    assert "the trees of 2 sentences with the best scores were left out" in err
    assert "problems: " in err
    run(tmp_path, "report", "gold.mrg", "test.mrg", "-o", "page.html", "--strict", code=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gold.mrg", "gold.mrg", "gold.mrg"], "two systems have the name"),
        (["gold.mrg", "gold.mrg", "--name", "a", "--name", "b"], "2 names"),
        (["-", "-"], "only one of the files can be standard input"),
        (["gold.mrg", "none.mrg"], "none.mrg"),
        (["gold.mrg", "gold.mrg", "--pack", "none.json"], "none.json"),
    ],
)
def test_command_with_wrong_arguments(arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "gold.mrg").write_text(GOLD)
    _, err = run(tmp_path, "report", *arguments, "-o", "page.html", code=2)
    assert message in err
