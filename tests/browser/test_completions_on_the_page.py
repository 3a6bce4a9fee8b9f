"""Completions of language models on the report page: the raw text of each sentence, which the browser never obeys."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from browser.opened_page import Opened

import treescore
from treescore.helpers.files import packaged
from treescore.page.build import Page
from treescore.page.data import MOST_PRINTED

Open = Callable[..., Opened]

TREE = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))"
HOSTILE = [
    f"<script>alert(1)</script><img src=x onerror=alert(1)><b>bold</b></pre></details> {TREE}",
    f"\x1b[31mred\x1b[0m \x00 {TREE}",
    f"\u202eevil\u202c \u2067\u05e9\u05dc\u05d5\u05dd\u2069 {TREE}",
    "<think>" + "I wonder. " * 100_000 + f"</think>\n{TREE}",
    json.dumps({"tree": TREE, "template": "{{ 7 * 7 }} ${7*7} \u2028 </script>"}),
    None,
    "\ud800 half a pair " + "(" * 50_000,
]


def printed(page: Any) -> list[str]:
    texts: list[str] = page.locator("#completions pre").all_text_contents()
    return texts


def test_hostile_completions_are_text(opened: Open) -> None:
    gold = [TREE] * len(HOSTILE)
    completions = treescore.read_completions(HOSTILE, gold=gold)
    shown = opened(gold, {"<i>model</i>": completions, "parser": gold})
    for number, completion in enumerate(completions, 1):
        page = shown.go(f"#s={number}")
        summary = page.locator("#completions summary").all_text_contents()
        assert summary == [f"Completion of <i>model</i>: {completion.summary}"]
        (text,) = printed(page)
        assert len(text) < 8 * MOST_PRINTED
        assert not set(text) & set("\x00\x1b\u202e\u202c\u2067\u2069\u2028")
        assert page.locator("#completions script, #completions img, #completions b, #completions i").count() == 0
    assert printed(shown.go("#s=1")) == [HOSTILE[0]]
    assert "\\x1b[31mred" in printed(shown.go("#s=2"))[0]
    assert "\\u202eevil" in printed(shown.go("#s=3"))[0]
    (long,) = printed(shown.go("#s=4"))
    assert "characters …]" in long
    assert long.endswith(TREE)
    shown.check()


def demo_page(folder: Path) -> Path:
    gold = str(packaged("demo_llm/sentences.mrg"))
    systems = {name: str(packaged(f"demo_llm/{name}.jsonl")) for name in ("model", "other")}
    path = folder / "demo.html"
    Page(treescore.compare(gold, systems, ["parseval", "struct_iou"])).write(str(path))
    return path


def test_demo_of_language_models(opened: Open, tmp_path: Path) -> None:
    shown = opened(demo_page(tmp_path))
    page = shown.page
    main = page.locator("table.summary tbody tr").first
    assert main.locator(".main").all_text_contents() == ["56.90", "58.50"]
    assert "30 completions: 8 valid as printed, 7 extracted, 7 repaired, 8 rejected; 17 faithful" in page.text_content(
        "body"
    )
    page = shown.go("#id=s12")
    first, second = page.locator("#completions details").all_text_contents()
    assert "Completion of model: rejected (no-tree)" in first
    assert "I'm sorry, but I can't help with that." in first
    assert "Completion of other: valid" in second
    page.locator("#completions summary").first.click()
    assert not page.locator("#completions pre").first.is_visible()
    shown.check()


def test_pages_without_completions_have_none(opened: Open) -> None:
    page = opened([TREE], {"parser": [TREE]}).go("#s=1")
    assert page.locator("#completions *").count() == 0
