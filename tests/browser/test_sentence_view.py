"""The view of a sentence in a real browser: the drawing, the reasons beside it, folding, and the way between them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser.opened_page import GOLD, A, Opened

import treescore
from treescore import compare
from treescore.draw import colours
from treescore.page.build import Page
from treescore.page.recordings import Recordings
from treescore.speech.batch import recordings_of

Open = Callable[..., Opened]

DATA = Path(treescore.__file__).parent / "data"
GOLD_WORDS = [treescore.read(tree)[0].leaves for tree in GOLD]


def nodes(page: Any, side: int) -> list[str]:
    """The texts of the boxes of one tree that are drawn, with their signs."""
    texts: list[str] = page.eval_on_selector_all(
        f".node[data-side='{side}']", "nodes => nodes.map(node => node.dataset.text)"
    )
    return texts


def open_sentence(page: Any, number: int) -> None:
    """Go to a sentence of the page and wait until its trees are shown."""
    page.evaluate("number => { location.hash = location.hash.replace(/^#?(s=\\d+)?/u, `#s=${number}`); }", number)
    page.wait_for_function("number => treescore.app.sentence.shown === number - 1", arg=number)


def test_aligned_trees(small: Opened) -> None:
    page = small.go("#s=2&m=2&v=1")
    assert page.is_visible("#sentence") and not page.is_visible("#overview")
    page.keyboard.press("f")
    gold, test = nodes(page, 0), nodes(page, 1)
    assert [text for text in gold if "PP" in text] == ["PP"]
    assert "− NP" in gold
    assert not any(text.startswith("+") for text in test)
    page.hover(".node[data-side='0'] >> nth=0")
    assert page.locator(".node.lit").count() == 2
    assert "aligned" in page.text_content("#node-note")
    pair = treescore.evaluate(GOLD, A, "struct_iou").pair(1)
    costs = [f"{100 * item.cost:.2f}" for item in pair.explain().losses]
    assert sorted(page.locator(".loss").all_text_contents()) == sorted(costs)
    page.click("#zoom [data-zoom=in]")
    page.click("#view [data-view=text]")
    assert page.locator(".tree-text li").count() == len(pair.nodes[0]) + len(pair.nodes[1])
    small.check()


def test_losses_name_what_is_crossed(small: Opened) -> None:
    page = small.go("#s=4&v=1")
    losses = treescore.evaluate(GOLD, A, "parseval").pair(3).explain().losses
    texts = [text.split(None, 1)[1] for text in page.locator(".losses .single").all_text_contents()]
    assert len(texts) == len(losses)
    assert any(loss.remark == "crosses" for loss in losses)
    for loss in losses:
        node = loss.gold or loss.test
        assert node is not None
        words = " ".join(GOLD_WORDS[3][node.first : node.last])
        [text] = [text for text in texts if text.startswith(f"{node.label} over “{words}”")]
        crossed = loss.other.label if loss.remark == "crosses" and loss.other else None
        assert (f"; it crosses {crossed} over “" in text) == (crossed is not None)
    small.check()


def test_losses_have_times(opened: Open) -> None:
    """By any metric, if the words have times."""
    gold = ["S", [["NP", [["PRP", 1.0, 1.2, "we"]]], ["VP", [["VBP", 1.2, 1.52, "turn"], ["RB", 1.6, 2.0, "left"]]]]]
    test = ["S", [["NP", [["PRP", 1.0, 1.22, "we"], ["VBP", 1.22, 1.6, "turn"]]], ["VP", [["RB", 1.6, 2.1, "left"]]]]]
    page = opened([gold], {"A": [test]}, ("parseval", "struct_iou|axis:seconds"))
    for metric, expected in (
        (1, "VP “turn left” 1.20–2.00 s is missing; it crosses NP “we turn” 1.00–1.60 s of test"),
        (2, "PRP “we” 1.00–1.20 s, test 1.00–1.22 s, IoU 0.91"),
    ):
        page.go(f"#s=1&m={metric}&v=1")
        texts = page.page.locator(".losses .single").all_text_contents()
        assert any(expected in text for text in texts), texts
    page.check()


def points(text: str) -> float:
    """The points in the sentence of a group."""
    match = re.search(r"([0-9.]+) points", text)
    assert match is not None
    return float(match[1])


@pytest.mark.parametrize("metric", ["parseval", "struct_iou"])
def test_groups_add_up_to_the_whole_loss(opened: Open, metric: str) -> None:
    gold, test = (treescore.read(DATA / name) for name in ("demo.gold.mrg", "demo.test.mrg"))
    made = opened(gold, {"A": test}, metric)
    page = made.page
    comparison = treescore.evaluate(gold, test, metric)
    for number in (1, 7, 21, 31, 38):
        open_sentence(page, number)
        explanation = comparison.pair(number - 1).explain()
        groups = [points(text) for text in page.locator(".losses .group").all_text_contents()]
        assert groups == sorted(groups, reverse=True)
        assert sum(groups) == pytest.approx(100 * explanation.lost, abs=0.005 * len(groups) + 1e-9)
        singles = [float(text) for text in page.locator(".losses .loss").all_text_contents()]
        assert len(singles) == len(explanation.losses)
        assert sum(singles) == pytest.approx(100 * explanation.lost, abs=0.005 * len(singles) + 1e-9)
    made.check()


def test_losses_are_grouped_by_errors_in_sentences(opened: Open) -> None:
    gold = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (DT a) (NN hat))))))"
    test = "(S (NP (PRP I)) (VP (VBD saw) (ADJP (DT a) (NN man)) (PP (IN with) (NP (DT a) (NN hat)))))"
    made = opened([gold], {"A": [test]}, "parseval")
    page = made.go("#s=1")
    sentences = [step.in_words() for step in treescore.explain_errors([gold], [test]).steps()]
    groups = page.locator(".losses .group").all_text_contents()
    assert {text.partition(":")[0] for text in groups} == set(sentences)
    assert groups[0].startswith("“a man” labelled ADJP instead of NP: 2 brackets, ")
    classes = page.locator(".classes .class")
    assert classes.all_text_contents() == ["Different label 1", "PP Attachment 1"]
    classes.nth(1).hover()
    assert page.evaluate("[...document.querySelectorAll('.node.lit')].map(node => node.dataset.text)") == ["− NP"]
    made.check()


def test_three_ways(small: Opened) -> None:
    page = small.go("#s=2")
    assert page.locator(".trees .caption").all_text_contents() == ["gold", "A", "B"]
    assert [text for text in nodes(page, 0) if "A" in text] == ["NP − A"]
    assert page.locator("#losses section").count() == 2
    page.uncheck("#systems-shown input >> nth=0")
    assert page.locator(".trees .caption").all_text_contents() == ["gold", "B"]
    assert page.url.endswith("#s=2&v=2")
    page.click("#systems-shown button >> nth=0")
    assert page.locator(".trees .caption").all_text_contents() == ["gold", "A"]
    page.keyboard.press("2")
    assert page.locator(".trees .caption").all_text_contents() == ["gold", "B"]
    page.check("#systems-shown input >> nth=0")
    assert page.locator(".trees .caption").all_text_contents() == ["gold", "A", "B"]
    small.check()


def test_hebrew_goes_from_right_to_left(opened: Open) -> None:
    gold = ["(S (NP (DT ה) (NN חתול)) (VP (VB ישן) (RB טוב)))"]
    made = opened(gold, {"A": ["(S (NP (DT ה) (NN חתול) (VB ישן)) (RB טוב))"]})
    page = made.go("#s=1")
    words = page.eval_on_selector_all(
        ".trees .word", "all => all.map(one => [one.textContent, one.getBoundingClientRect().x])"
    )
    assert page.locator(".node.folded").count() == 0  # nothing but the whole sentence is right on both sides
    assert [word for word, _ in words] == ["ה", "חתול", "ישן", "טוב"]
    assert [x for _, x in words] == sorted((x for _, x in words), reverse=True)
    page.keyboard.press("v")
    assert page.evaluate("getComputedStyle(document.querySelector('#sentence-text')).direction") == "rtl"
    made.check()


def kind(node: Any) -> str:
    """The style of a node in the drawing of one system."""
    if node.twin is not None:
        return "relabelled"
    if node.iou is None or node.iou == 1:
        return str(node.mark)
    return "less" if node.iou > 0.75 else "much"


def test_drawn_signs_and_styles(small: Opened) -> None:
    page = small.go("#s=4&m=2&v=1")
    pair = treescore.evaluate(GOLD, A, "struct_iou").pair(3)
    page.keyboard.press("f")
    for side, own in enumerate(pair.nodes):
        kinds = page.eval_on_selector_all(f".node[data-side='{side}']", "all => all.map(one => one.classList[1])")
        assert kinds == [kind(node) for node in own]
        wanted = [(colours.signs(node), node.label, colours.share(node.iou)) for node in own]
        assert nodes(page, side) == [" ".join(filter(None, parts)) for parts in wanted]
    assert page.locator(".node path.sign").count() > 0  # fonts without ≠ would draw two characters
    small.check()


def test_times_have_a_ruler(opened: Open) -> None:
    gold = [["S", [["NP", [["DT", 0.0, 0.2, "the"], ["NN", 0.2, 0.7, "cat"]]], ["VB", 1.0, 1.5, "sleeps"]]]]
    test = [["S", [["NP", [["DT", 0.0, 0.25, "the"], ["NN", 0.25, 0.7, "cat"]]], ["VB", 0.9, 1.5, "sleeps"]]]]
    made = opened(gold, {"A": test}, "struct_iou|axis:seconds")
    page = made.go("#s=1")
    assert page.locator(".ruler text").count() >= 2
    assert page.locator(".trees .word").count() == 3
    made.check()


FORTY = (
    "(S (PP (IN In) (NP (DT the) (JJ early) (NN morning))) (, ,) (NP (NP (DT the) (JJ old) (NN captain)) (PP (IN of) "
    "(NP (DT the) (JJ small) (NN harbour) (NN ferry)))) (VP (VBD told) (NP (PRP$ his) (JJ young) (NN crew)) (SBAR "
    "(IN that) (S (NP (DT the) (NN storm)) (VP (MD would) (VP (VB reach) (NP (DT the) (JJ northern) (NNS islands)) %s "
    "(, ,) (SBAR (RB so) (IN that) (S (NP (DT no) (NN passenger)) (VP (MD should) (VP (VB leave) (NP (DT the) "
    "(NN cabin)) (SBAR (IN until) (S (NP (PRP they)) (VP (VBP arrive))))))))))))) (. .))"
)
FORTY_GOLD = FORTY % "(PP (IN before) (NP (NP (NN noon)) (PP (IN on) (NP (NNP Monday)))))"
FORTY_TEST = FORTY % "(PP (IN before) (NP (NN noon))) (PP (IN on) (NP (NNP Monday)))"


def inside(page: Any, selector: str) -> bool:
    """Are all these elements in the window?"""
    result: bool = page.eval_on_selector_all(
        selector,
        """all => all.length > 0 && all.map(one => one.getBoundingClientRect()).every(box => box.left >= 0
        && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight)""",
    )
    return result


@pytest.mark.parametrize("metric", [1, 2])
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900)])
def test_a_sentence_of_forty_words_fits_on_the_screen(opened: Open, width: int, height: int, metric: int) -> None:
    assert len(treescore.read(FORTY_GOLD)[0].leaves) >= 40
    made = opened([FORTY_GOLD], {"parser": [FORTY_TEST]}, viewport={"width": width, "height": height})
    page = made.go(f"#s=1&m={metric}")
    assert page.evaluate("document.scrollingElement.scrollHeight") <= height
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    assert inside(page, "#sentence-bar > *, #stage, .node, .word, .foot > *, .reason")
    bar = page.eval_on_selector_all("#sentence-bar > *", "all => all.map(one => one.getBoundingClientRect().top)")
    assert max(bar) - min(bar) < 20  # one line
    stage, reasons = (page.locator(name).bounding_box() for name in ("#stage", "#reasons"))
    assert stage["width"] > 0.6 * width and stage["x"] + stage["width"] <= reasons["x"]
    assert 300 <= reasons["width"] <= 420
    assert page.evaluate("treescore.app.sentence.drawing.zoom") > 0.7
    page.keyboard.press("f")
    assert inside(page, ".node, .word")
    scrolling = page.eval_on_selector_all(
        "#sentence *", "all => all.filter(one => /auto|scroll/u.test(getComputedStyle(one).overflow)).length"
    )
    assert scrolling == 0
    made.check()


def test_long_reasons_scroll_beside_the_drawing(opened: Open) -> None:
    gold, test = (treescore.read(DATA / name) for name in ("demo.gold.mrg", "demo.test.mrg"))
    made = opened(gold, {"A": test}, viewport={"width": 1280, "height": 500})
    page = made.go("#s=1")
    before = page.locator("#stage").bounding_box()
    page.evaluate("scrollTo(0, 10_000)")
    page.wait_for_function("() => scrollY > 100")
    after = page.locator("#stage").bounding_box()
    assert abs(before["y"] - after["y"]) <= 2
    assert inside(page, "#stage, #sentence-bar")
    made.check()


def test_folding(opened: Open) -> None:
    made = opened([FORTY_GOLD, *GOLD], {"parser": [FORTY_TEST, *A]}, "parseval")
    page = made.go("#s=1")
    folded = page.locator(".node.folded")
    count = folded.count()
    assert count > 8 and count % 2 == 0
    assert page.locator(".node.missing, .node.extra").count() > 0
    assert page.locator(".node.folded:is(.missing, .extra, .relabelled)").count() == 0
    words = " ".join(page.locator(".trees .word tspan").all_text_contents())
    assert words == " ".join(treescore.read(FORTY_GOLD)[0].leaves)  # they stay in place
    page.locator(".node.folded[data-side='0'] >> nth=1").click()
    assert folded.count() == count - 2  # on both sides
    page.locator(".node.folded[data-side='1'] >> nth=0").focus()
    page.keyboard.press("Enter")
    assert folded.count() == count - 4
    page.keyboard.press("f")
    assert folded.count() == count
    page.keyboard.press("f")
    assert folded.count() == 0
    page.keyboard.press("j")
    page.wait_for_function("() => treescore.app.sentence.shown !== 0")
    assert folded.count() == 0
    page.keyboard.press("f")
    page.keyboard.press("k")
    page.wait_for_function("() => treescore.app.sentence.shown === 0")
    assert folded.count() == count
    page.keyboard.press("v")
    assert page.locator(".tree-text li.folded").count() == count
    page.locator(".tree-text li.folded >> nth=0").click()
    assert page.locator(".tree-text li.folded").count() == count - 2
    made.check()


def test_only_what_all_systems_have_right_is_folded(opened: Open) -> None:
    made = opened([GOLD[1]], {"A": [A[1]], "B": [GOLD[1]]}, "parseval")
    page = made.go("#s=1&v=2")
    assert "NP" in page.eval_on_selector_all(".node.folded", "all => all.map(node => node.dataset.text)")
    alone = page.locator(".node.folded[data-side='0']").count()
    made.go("#s=1")
    labels = page.eval_on_selector_all(".node.folded[data-side='0']", "all => all.map(node => node.dataset.text)")
    assert labels == ["NP", "NP", "PP"]
    assert alone == 2


def lit(page: Any) -> list[str]:
    """The marked nodes."""
    texts: list[str] = page.eval_on_selector_all(".node.lit", "all => all.map(node => node.dataset.text)")
    return texts


def test_nodes_and_reasons_mark_each_other(opened: Open) -> None:
    made = opened([FORTY_GOLD], {"parser": [FORTY_TEST]}, "parseval")
    page = made.go("#s=1")
    single = page.locator(".losses .single .reason").first
    single.hover()
    assert len(lit(page)) == 1
    page.hover("#sentence-title")
    assert lit(page) == []
    page.hover(".node.missing >> nth=0")
    assert page.locator(".reason.lit").count() == 1
    assert page.text_content(".reason.lit").split(None, 1)[1].startswith("PP over")
    page.hover("#sentence-title")
    page.locator(".node.missing >> nth=0").click()
    page.hover("#sentence-title")
    assert page.locator(".reason.lit").count() == 1  # a click keeps it
    page.keyboard.press("Escape")
    assert page.locator(".reason.lit").count() == 0
    assert page.is_visible("#sentence")
    page.locator(".losses .reason").first.focus()
    assert len(lit(page)) > 1  # of the whole group
    page.keyboard.press("ArrowDown")
    assert len(lit(page)) == 1
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert len(lit(page)) >= 1
    assert page.evaluate("document.querySelectorAll('.losses .reason[tabindex=\"0\"]').length") == 1
    page.keyboard.press("Escape")
    page.hover(".node:not(.missing, .extra, .folded)[data-side='0'] >> nth=0")
    assert page.locator(".node.lit").count() == 2  # a right node and its partner
    made.check()


def test_zooming_and_moving(opened: Open) -> None:
    made = opened([FORTY_GOLD], {"A": [FORTY_TEST], "B": [FORTY_GOLD]}, "parseval")
    page = made.go("#s=1&v=1")

    def view() -> list[float]:
        return [float(number) for number in page.get_attribute(".trees", "viewBox").split()]

    whole = view()
    box = page.locator("#stage").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.wheel(0, -200)
    page.wait_for_function(
        "before => document.querySelector('.trees').viewBox.baseVal.width < before - 1", arg=whole[2]
    )
    near = view()
    assert page.evaluate("scrollY") == 0
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 60, box["y"] + box["height"] / 2 + 10, steps=4)
    page.mouse.up()
    moved = view()
    assert moved[0] < near[0] and moved[2] == near[2]
    assert page.locator(".reason.lit").count() == 0  # dragging is no click
    page.keyboard.press("2")
    assert page.locator(".trees .caption").all_text_contents() == ["gold", "B"]
    assert view() == moved  # a switch keeps zoom and position
    page.keyboard.press("1")
    assert view() == moved
    page.click("#zoom [data-zoom=all]")
    assert view() == pytest.approx(whole, abs=0.1)
    page.click("#zoom [data-zoom=in]")
    assert view()[2] < whole[2]
    page.keyboard.press("0")
    assert view() == pytest.approx(whole, abs=0.1)
    made.check()


def test_deep_trees_open_at_their_errors(opened: Open) -> None:
    def deep(label: str) -> str:
        tree = "(NN end)"
        for level in range(100):
            tree = f"({label if level == 10 else 'VP'} (RB w{level}) {tree})"
        return f"(S {tree})"

    made = opened([deep("VP")], {"A": [deep("XP")]}, "parseval", viewport={"width": 1280, "height": 720})
    page = made.go("#s=1")
    stage = page.locator("#stage").bounding_box()
    for node in page.locator(".node.relabelled").all():
        box = node.bounding_box()
        assert stage["x"] <= box["x"] and box["x"] + box["width"] <= stage["x"] + stage["width"]
        assert stage["y"] <= box["y"] and box["y"] + box["height"] <= stage["y"] + stage["height"]
    assert page.evaluate("treescore.app.sentence.drawing.zoom") >= 0.5
    made.check()


@pytest.mark.parametrize("width", [390, 1280])
def test_long_words_are_shortened(opened: Open, width: int) -> None:
    word, label, name = "w" * 400, "L" * 400, "n" * 400
    gold, test = f"({label} (NP (NN {word})) (VP (VB b) (X c)))", f"({label} (NP (NN {word}) (VB b)) (X c))"
    made = opened([gold], {name: [test]}, viewport={"width": width, "height": 720})
    page = made.page
    for fragment in ("#s=1", "#s=1&m=2"):
        made.go(fragment)
        for view in ("text", "drawing"):
            page.click(f"#view [data-view={view}]")
            assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    assert page.locator(".trees title").first.text_content() == word
    assert page.evaluate("treescore.app.sentence.drawing.layout.bounds.width") < 1_200
    made.check()


def test_long_sentences_are_turned(opened: Open) -> None:
    phrases = [f"(VP (VB do{n}) (PP (IN in) (NP (NN place{n}))))" for n in range(67)]
    flat = [f"(VP (VB do{n}) (IN in) (NP (NN place{n})))" if n % 2 else phrase for n, phrase in enumerate(phrases)]
    made = opened([f"(S {' '.join(phrases)})"], {"A": [f"(S {' '.join(flat)})"]}, "parseval")
    page = made.go("#s=1")
    assert page.locator(".trees.turned").count() == 1
    places = page.eval_on_selector_all(".word", "all => all.map(one => one.getBoundingClientRect().top)")
    assert places == sorted(places)
    gold, test = (page.locator(f".node[data-side='{side}'] >> nth=0").bounding_box() for side in (0, 1))
    assert gold["x"] < test["x"]
    page.locator(".node[data-side='0'] >> nth=1").focus()
    page.keyboard.press("ArrowLeft")  # towards the root of gold
    assert page.evaluate("document.activeElement.dataset.node") == "0"
    made.check()


def test_signs_are_drawn(small: Opened) -> None:
    page = small.go("#s=3&v=1")
    assert page.locator(".node.relabelled path.sign").count() > 0
    texts = page.locator(".node text, #legend, .losses").all_text_contents()
    assert not any("≠" in text for text in texts)
    small.check()


def test_recordings(opened: Open, tmp_path: Path) -> None:
    speech = DATA / "demo_speech"
    times = treescore.read_times(speech / "asr.ctm")
    gold, test = (
        treescore.place_seconds(treescore.read(speech / name), times) for name in ("gold.trees", "parsed.trees")
    )
    paths, _ = recordings_of(gold, str(speech / "audio"))
    Page(compare(gold, {"A": test}, "struct_iou|axis:seconds"), recordings=Recordings(paths)).write(tmp_path / "a.html")
    made = opened(tmp_path / "a.html")
    page = made.go("#s=5")
    page.wait_for_function("() => / [0-9.]+ s$/u.test(document.querySelector('#clock').textContent)")
    own = test[4].times
    assert own is not None
    whole = page.evaluate("treescore.app.sentence.panels[1].tree.span(0)")
    assert whole == [pytest.approx(number, abs=1e-3) for number in (own[0][0], own[-1][1])]
    node = page.locator(".node.preterminal[data-side='1'] >> nth=2")
    node.click()
    page.wait_for_function("() => document.querySelector('.needle line')")
    start, end = page.evaluate(f"treescore.app.sentence.panels[1].tree.span({node.get_attribute('data-node')})")
    assert f"{start:.2f}–{end:.2f} s" in page.text_content("#node-note")
    page.wait_for_function("() => treescore.app.sentence.player.audio.paused")
    at = page.evaluate("treescore.app.sentence.player.audio.currentTime")
    assert start < at < end + 0.5
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    page.wait_for_function("() => document.querySelector('#play').getAttribute('aria-label') === 'pause'")
    page.keyboard.press("p")
    page.wait_for_function("() => document.querySelector('#play').getAttribute('aria-label') === 'play'")
    made.check()


def test_pages_without_recordings_have_no_player(small: Opened) -> None:
    page = small.go("#s=2")
    assert not page.is_visible("#player")
    page.keyboard.press("p")
    page.click(".node.partly")
    small.check()


def test_deleted_words_move_no_others(opened: Open) -> None:
    """The same words stand below each other, whatever the metric deletes before them in one of the trees."""
    gold = "(S (NP (DT the) (NN dog) (, ,)) (VP (VB barks) (ADVP (RB often))) (. .))"
    tests = "(S (NP (DT the) (NN dog)) (VP (VB barks) (, ,) (, ,) (ADVP (RB often))))", gold
    banks = [treescore.read(text) for text in (gold, *tests)]
    page = opened(banks[0], {"A": banks[1], "B": banks[2]}, "parseval").go("#s=1")
    page.keyboard.press("f")
    edges = "treescore.app.sentence.drawing.panels.map(panel => panel.edges)"
    columns = [{word: tuple(edge) for word, edge in zip(bank[0].leaves, page.evaluate(f"{edges}[{side}]"), strict=True)}
               for side, bank in enumerate(banks)]  # fmt: skip
    assert columns[0] == columns[2]
    for word in ("the", "dog", "barks", "often"):
        assert columns[0][word] == columns[1][word]
    assert columns[0][","][1] == columns[0]["barks"][0] < columns[0]["barks"][1] < columns[1][","][0]
    assert page.locator(".ruler").count() == 0


def test_long_times_do_not_make_endless_drawings(opened: Open) -> None:
    def tree(late: float) -> list[Any]:
        return ["S", [["DT", 0.0, 0.2, "the"], ["NN", 0.2, 0.7, "cat"], ["VB", late, late + 0.5, "sleeps"]]]

    late = ["S", [["DT", 9e8, 9e8 + 0.2, "the"], ["NN", 9e8 + 0.2, 9e8 + 0.7, "cat"]]]
    gold = [tree(600), tree(9e9), late]
    made = opened(gold, {"A": gold}, "struct_iou|axis:seconds")
    for number in (1, 2, 3):
        page = made.go(f"#s={number}")
        assert page.evaluate("treescore.app.sentence.drawing.layout.length") < 1_000
        assert 2 <= page.locator(".ruler text").count() <= 201
    made.check()


def test_nodes_with_gaps_hide_nothing(opened: Open) -> None:
    gold = "(S (VP (VB 0=wake) (PRT 3=up)) (NP (DT 1=your) (NN 2=friend)))"
    test = "(S (VP (VB 0=wake) (NP (DT 1=your) (NN 2=friend))) (PRT 3=up))"
    banks = [treescore.read(text, form="discbracket") for text in (gold, test)]
    made = opened(banks[0], {"A": banks[1]}, "parseval")
    page = made.go("#s=1")
    boxes = page.eval_on_selector_all(
        ".node rect:not(.under)",
        "all => all.map(one => one.getBoundingClientRect()).map(one => [one.left, one.right, one.top, one.bottom])",
    )
    for place, (left, right, top, bottom) in enumerate(boxes):
        for other in boxes[:place]:
            assert right <= other[0] or other[1] <= left or bottom <= other[2] or other[3] <= top
    page.keyboard.press("f")
    page.hover(".node[data-side='0']:has-text('VP')")
    assert "VP over “wake … up”" in page.text_content("#node-note")
    assert page.locator(".band").count() >= 2
    made.check()


def test_metrics_that_do_not_judge_nodes(opened: Open) -> None:
    made = opened(GOLD, {"A": A}, ["leaf_ancestor", "parseval"])
    page = made.page
    assert page.locator(".labels button").count() == 0
    made.go("#s=1")
    assert "No losses by node" in page.text_content("#losses")
    assert page.locator("#legend .key").count() == 0
    assert page.locator(".node.plain").count() == page.locator(".node").count() > 0
    page.select_option("#sentence select.metric", "1")
    assert page.locator("#legend .key").count() > 0
    assert "There is no loss" in page.text_content("#losses")
    made.check()


def test_names_and_nodes_without_words_have_room(opened: Open) -> None:
    name = "a parser with a name that is longer than its sentence"
    page = opened(["(S (NN a))", "(S (NN b))"], {name: ["(S (NN a))", "(())"]}).go("#s=2")
    edges = page.locator(".trees").bounding_box()
    drawn = [one.bounding_box() for one in page.locator(".trees .caption, .trees .node").all()]
    assert len(drawn) == 6
    assert all(box["x"] >= edges["x"] and box["x"] + box["width"] <= edges["x"] + edges["width"] for box in drawn)


def test_print_is_light_and_whole(opened: Open) -> None:
    made = opened([FORTY_GOLD], {"A": [FORTY_TEST]}, color_scheme="dark", viewport={"width": 700, "height": 900})
    page = made.go("#s=1")
    page.click("#zoom [data-zoom=in]")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('.node.missing rect')).printColorAdjust") == "exact"
    page.wait_for_function("() => document.querySelector('.trees').getBoundingClientRect().right <= 700")
    edges = page.locator(".trees").bounding_box()
    for node in page.locator(".node").all():
        box = node.bounding_box()
        assert edges["x"] <= box["x"] and box["x"] + box["width"] <= edges["x"] + edges["width"]
    assert page.is_visible("#sentence-title") and not page.is_visible("#next")
    made.check()


def test_the_picture_in_the_docs(opened: Open, tmp_path: Path) -> None:
    """With other fonts it has another size, and cannot be compared."""
    image = pytest.importorskip("matplotlib.image")
    data = Path(treescore.__file__).parent / "data"
    for source, name in (("demo.gold.mrg", "gold.mrg"), ("demo.test.mrg", "parsed.mrg")):
        (tmp_path / name).write_bytes((data / source).read_bytes())
    Page(compare(tmp_path / "gold.mrg", {"parsed": tmp_path / "parsed.mrg"}, ["parseval", "struct_iou"])).write(
        str(tmp_path / "report.html")
    )
    page = opened(tmp_path / "report.html", viewport={"width": 1280, "height": 720}).go("#s=21")
    page.wait_for_selector(".trees")
    page.evaluate("document.activeElement.blur()")
    page.screenshot(path=tmp_path / "report.png")
    kept = Path(__file__).parents[2] / "docs" / "pictures" / "report.png"
    if os.environ.get("TREESCORE_RENEW"):
        kept.write_bytes((tmp_path / "report.png").read_bytes())
    one, other = (image.imread(picture)[..., :3] for picture in (kept, tmp_path / "report.png"))
    if one.shape != other.shape:
        pytest.skip(f"the fonts differ: {one.shape} and {other.shape}")
    assert float(abs(one - other).mean()) < 0.01, "docs/pictures/report.png is old; TREESCORE_RENEW=1 takes it anew"
