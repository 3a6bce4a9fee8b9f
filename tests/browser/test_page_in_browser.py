"""The report page in a real browser: what it shows, what can be done with it, and that no input is obeyed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import gapped_trees
import pytest
import strategies
from browser.opened_page import GOLD, A, B, Opened

import treescore
from treescore import _core, compare
from treescore.helpers.text import encode
from treescore.page.build import Page
from treescore.page.columns import shown
from treescore.trees import Source, Treebank

Open = Callable[..., Opened]


def numbers(page: Any) -> list[str]:
    """The first column of the list as it is shown."""
    found: list[str] = page.eval_on_selector_all("#rows .row .cell.number", "all => all.map(one => one.textContent)")
    return found


def search(page: Any, query: str) -> list[str]:
    """The list after a search."""
    page.fill("#search", query)
    page.wait_for_function("query => treescore.app.state.query === query", arg=query)
    return numbers(page)


def test_scores_and_plots(small: Opened) -> None:
    page = small.page
    report = treescore.evaluate(GOLD, A, ["parseval", "struct_iou"])
    main = page.locator("table.summary tbody tr").first
    assert main.locator(".main").all_text_contents() == [score.figures[score.main].shown() for score in report]
    assert page.locator("#charts .card").count() == 4
    assert page.locator("#labels-table tbody th").count() > 2
    assert page.locator("#charts .bar").count() > 4
    assert page.locator("#problem-list li").count() == page.evaluate("treescore.data.main.problems.length") > 0
    page.click("summary:has-text('Signatures')")
    assert report.scores[0].signature in page.locator("#signature-1").text_content()
    page.click("button[data-copy=signature-1]")
    page.wait_for_selector("button[data-copied]")
    small.check()


def test_worst_first_and_sorting(small: Opened) -> None:
    page = small.page
    assert numbers(page) == ["4", "3", "2", "1"]
    page.click("#header button:has-text('words')")
    assert numbers(page) == ["3", "4", "1", "2"]
    page.click("#header button:has-text('words')")
    assert numbers(page) == ["2", "1", "4", "3"]
    assert page.get_attribute("#header [role=columnheader]:has-text('words')", "aria-sort") == "descending"
    page.click("#header button:has-text('±')")
    assert numbers(page)[0] == "3"  # where A is worst against B
    page.select_option("select.metric >> nth=0", "1")
    assert page.url.endswith("m=2&sort=advantage")
    small.go("#y=2")
    assert numbers(page)[0] == "1"  # the worst of B; sentence 4 has none
    assert numbers(page)[-1] == "4"
    small.check()


def test_searching_and_filtering(small: Opened) -> None:
    page = small.page
    assert search(page, "CAT") == ["1"]
    assert page.text_content("#status") == "1 of 4 sentences"
    assert search(page, '"a man"') == ["2"]
    assert search(page, "-the") == ["4", "3", "2"]
    assert search(page, "length<5") == ["4", "3"]
    assert search(page, "length:6-8") == ["2", "1"]
    assert search(page, "score=100") == ["1"]
    assert search(page, "score<90 score>50") == ["4", "3"]
    assert search(page, "missing:NP") == ["4", "3", "2"]
    assert search(page, "extra:VP") == ["3"]
    assert search(page, "label:NP>VP") == ["3"]
    assert search(page, "better:A") == ["1"]
    assert search(page, "score@B>score@A") == ["3", "2"]
    assert search(page, "unscored") == []
    assert page.is_visible("#nothing")
    assert search(page, "problem") == ["4"]
    assert search(page, "problem:words a") == ["4"]
    assert search(page, "number:2") == ["2"]
    page.click("#parts .part")
    assert len(numbers(page)) == 4
    page.click("summary:has-text('Filters')")
    page.fill("#f-length-from", "5")
    page.press("#f-length-from", "Tab")
    page.select_option("#f-missing", "NP")
    assert page.input_value("#search") == "length>=5 missing:NP"
    assert numbers(page) == ["2"]
    small.go("#q=missing%3AVP&y=2")
    assert page.input_value("#search") == "missing:VP"
    assert numbers(page) == ["1"]
    small.check()


def test_bars_cells_and_classes_filter(small: Opened) -> None:
    page = small.page
    page.locator("#charts .bar[aria-label*='1 to 10 words']").first.click()
    assert page.input_value("#search") == "length:1-10"
    page.locator("#charts .bar[aria-label*='A, score 95 to 100']").click()
    assert numbers(page) == ["1"]
    page.go_back()
    assert page.input_value("#search") == "length:1-10"
    page.locator("#confusion button").first.click()
    assert page.input_value("#search") == "length:1-10 label:NP>VP"
    assert numbers(page) == ["3"]
    page.click("#clear")
    button = page.locator("#errors-table button:has-text('1')").first
    name = button.get_attribute("aria-label").partition(",")[0]
    button.click()
    assert page.input_value("#search").startswith("class:")
    assert name in page.input_value("#search")
    assert len(numbers(page)) == 1
    page.click("#clear")
    page.click(".shares button:has-text('B better')")
    assert page.input_value("#search") == "score@1<score@2"
    assert numbers(page) == ["3", "2"]
    page.fill("#search", "length<20 score score@1>0")
    page.press("#search", "Enter")  # at once
    page.locator("#charts .spot").first.click()
    assert page.input_value("#search").startswith("length<20 score score@1>=")
    assert page.evaluate("document.activeElement.id") == "grid"
    small.check()


def test_links_and_the_way_back(small: Opened) -> None:
    page = small.page
    page.fill("#search", "a")
    page.wait_for_function("() => treescore.app.list.order.length < 4")
    page.click("#rows .row >> nth=1")
    page.wait_for_selector("#sentence-title:has-text('Sentence 2')")
    assert page.text_content("#sentence-place").startswith("2 of ")
    page.click("#next")
    page.wait_for_function("() => location.hash === '#s=1'")
    page.go_back()
    page.wait_for_selector("#sentence-title:has-text('Sentence 2')")
    page.go_back()
    page.wait_for_selector("#overview:not([hidden])")
    assert page.input_value("#search") == "a"
    small.go("#id=3")
    assert "Sentence 3" in page.text_content("#sentence-title")
    small.go("#s=99")
    assert page.is_visible("#unknown")
    small.check()


def test_keys(small: Opened) -> None:
    page = small.page
    page.keyboard.press("/")
    page.wait_for_function("() => document.activeElement.id === 'search'")
    page.keyboard.type("the")
    page.wait_for_function("() => treescore.app.list.order.length === 1")
    page.keyboard.press("Escape")
    assert page.input_value("#search") == "" and len(numbers(page)) == 4
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("k")
    assert page.get_attribute("#grid", "aria-activedescendant") == "row-1"
    page.keyboard.press("Enter")
    page.wait_for_selector("#sentence-title:has-text('Sentence 3')")
    page.keyboard.press("j")
    page.wait_for_selector("#sentence-title:has-text('Sentence 2')")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#sentence-title:has-text('Sentence 3')")
    page.keyboard.press("m")
    assert page.input_value("#sentence select.metric") == "1"
    page.keyboard.press("v")
    assert page.locator(".tree-text").count() == 3
    assert page.locator(".tree-text li[tabindex='0']").count() == 3
    page.keyboard.press("f")
    page.locator(".tree-text li").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "n-0-1"
    assert "Sentence 3" in page.text_content("#sentence-title")
    page.keyboard.press("v")
    page.locator(".node[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.node") == "1"
    assert page.url.endswith("#s=3&m=2")
    page.keyboard.press("?")
    assert page.is_visible("#help")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.wait_for_selector("#overview:not([hidden])")
    small.check()


def test_plots_and_tables_are_one_stop_each(small: Opened) -> None:
    page = small.page
    for part in (".chart", ".labels", "#errors-table", "#confusion-table"):
        for chart in page.locator(part).all():
            buttons = chart.locator("button, [role=button]")
            found = buttons.evaluate_all("all => all.map((one) => one.tabIndex)")
            assert found.count(0) <= 1 and len(found) - found.count(0) == found.count(-1)
    page.locator(".chart .bar").first.focus()
    before = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") != before
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == before
    page.keyboard.press("Enter")
    assert page.input_value("#search").startswith("score>=")
    small.check()


def test_names_for_those_who_cannot_see(small: Opened) -> None:
    page = small.page
    for fragment in ("", "#s=2"):
        small.go(fragment)
        unnamed = page.evaluate(
            """[...document.querySelectorAll('button, input, select, a[href], [role=button], [role=img], [tabindex]')]
            .filter(one => one.offsetParent !== null || one instanceof SVGElement)
            .filter(one => !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length))
            .map(one => one.outerHTML)"""
        )
        assert unnamed == []
    assert page.get_attribute("#status", "aria-live") == "polite"
    small.check()


def test_dark_and_light(small: Opened, opened: Open) -> None:
    def background(page: Any) -> int:
        return sum(map(int, page.evaluate("getComputedStyle(document.body).backgroundColor")[4:-1].split(",")))

    assert background(small.page) > 600
    small.page.click("#theme")
    assert background(small.page) < 150
    dark = opened(Path(small.address.removeprefix("file://")), color_scheme="dark")
    assert background(dark.page) < 150
    dark.page.click("#theme")
    assert background(dark.page) > 600
    dark.check()
    small.check()


def test_narrow_screens(opened: Open) -> None:
    data = Path(treescore.__file__).parent / "data"
    gold, test = (treescore.read(data / name) for name in ("demo.gold.mrg", "demo.test.mrg"))
    narrow = opened(gold, {"A": test, "B": gold}, viewport={"width": 360, "height": 700})
    page = narrow.page
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
    for number in range(1, 6):
        page.evaluate("number => { location.hash = `#s=${number}&m=2`; }", number)
        page.wait_for_selector(f"#sentence-title:has-text('Sentence {number}')")
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
    assert page.locator(".tree-text").count() == 3  # as text, unless somebody wants the drawing
    page.click("#view [data-view=drawing]")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
    narrow.go()
    name = page.locator("#rows .row .cell.number").first.text_content()
    page.click("#rows .row >> nth=0")
    page.wait_for_selector(f"#sentence-title:has-text('{name}')")
    narrow.check()
    page = opened(gold, dict.fromkeys("ABC", test), viewport={"width": 400, "height": 700}).page
    assert page.is_visible(".summary .counts")  # how many sentences were scored is never left out
    cells = page.locator("#rows .cell.number").all()
    assert cells and all(cell.evaluate("cell => cell.scrollWidth <= cell.clientWidth") for cell in cells)


NASTY = (
    "<script>alert(1)</script>",
    "</script><img/src=x:y/onerror=alert(1)>",
    '"onmouseover=alert(1)',
    "{{7*7}}{%raw%}",
    "a\u2028b",
    "x\u202eevil\u202c",
    "-->&lt;&#0;",
    "javascript:alert(1)",
    "nul\x00l",
)


def nasty_trees(labels: Sequence[str], words: Sequence[str]) -> _core.Trees:
    """A flat tree over the same words for each label."""
    builder = _core.TreeBuilder()
    for number, label in enumerate(labels, 1):
        builder.open(encode(label))
        for word in words:
            builder.leaf(encode(word), encode(word))
        builder.close()
        builder.finish(number)
    return builder.trees()


def test_nothing_in_the_input_is_obeyed(opened: Open) -> None:
    words = [*NASTY, "bytes\udc80"]
    gold, test = (nasty_trees([label], words) for label in ("S<b>", "S'\""))
    name = "<img src=x onerror=alert(1)>.mrg"
    banks = [Treebank(trees, source=Source(name), ids=["</script><script>alert(1)</script>"]) for trees in (gold, test)]
    systems = {"</title><script>alert(1)</script>": banks[1], "{{ B }}": banks[0]}
    made = opened(banks[0], systems)
    page = made.page
    script = "%3Cscript%3Ealert(1)%3C/script%3E"
    for fragment in ("", "#s=1&m=2", f"#q={script}", f"#id=%3C/script%3E{script}"):
        made.go(fragment)
        assert page.locator("script:not([id])").count() == 1
        assert page.locator("img, iframe, object, embed").count() == 0
    shown_words = page.eval_on_selector_all(
        ".trees .word:not(.again)", "all => all.map(one => (one.querySelector('title') ?? one).textContent)"
    )
    assert shown_words == [shown(word) for word in words]
    assert "\\u202e" in "".join(shown_words)
    assert "\\udc80" in shown_words[-1]
    assert page.title().startswith("</script><script>alert(1)</script> – </title><script>")
    page.click("#view [data-view=text]")
    page.hover(".tree-text li >> nth=1")
    made.check()


def test_foreign_scripts_do_not_run(small: Opened) -> None:
    small.page.evaluate(
        """() => { const one = document.createElement('script'); one.textContent = 'window.hacked = true';
        document.body.append(one); const two = document.createElement('img'); two.setAttribute('onerror', 'hacked = 1');
        two.src = 'https://example.org/x.png'; document.body.append(two); }"""
    )
    small.page.wait_for_timeout(100)
    assert small.page.evaluate("window.hacked") is None
    assert small.requests == []
    assert all("Content Security Policy" in complaint for complaint in small.complaints)


def verdicts(page: Any) -> Any:
    """What the page has for each sentence, system and metric: labels, spans, marks, partners."""
    return page.evaluate(
        """async () => {
        const { data } = treescore, all = [];
        for (let index = 0; index < data.count; index++) {
          const found = await data.trees(index);
          all.push(found.verdicts.map((row, system) => row.map((one) => [0, 1].map((side) => {
            const tree = side ? found.tests[system] : found.gold;
            return tree.labels.map((label, node) => {
              const parent = tree.parents[node] < 0 ? null : tree.parents[node];
              const shape = [label, parent, tree.firsts[node], tree.lasts[node], tree.isPreterminal[node]];
              if (!one) return [...shape, 'ignored', null, null, false, null];
              const { mark, partner, iou, crossing, twin } = one.sides[side][node];
              return [...shape, mark, partner, iou, crossing, twin];
            });
          }))));
        }
        return all; }"""
    )


@pytest.mark.parametrize("gaps", [False, True], ids=["nested", "gaps"])
def test_marks_are_those_of_the_pair(opened: Open, gaps: bool) -> None:
    rng = Random(4)
    pairs = strategies.make_pairs(rng, 60, sound=True)
    others = strategies.make_pairs(rng, 60, sound=True)
    metrics = ["parseval", "parseval|profile:none|labels:no", "struct_iou|threshold:0.3"]
    gold: Treebank
    if gaps:
        trees = [strategies.make_tree(rng, strategies.make_words(rng, 8, odd=0), odd=0) for _ in range(40)]
        gold, *others_ = (
            treescore.read(
                "\n".join(gapped_trees.discbracket(gapped_trees.moved(rng, tree)) for tree in trees), form="discbracket"
            )
            for _ in range(3)
        )
        assert gold.is_discontinuous
        systems = dict(zip("AB", others_, strict=True))
        metrics = metrics[:2]
    else:
        gold, first = strategies.banks(pairs)
        systems = {"A": first, "B": strategies.banks(others)[1]}
        metrics.append("struct_iou|axis:characters")
    comparison = compare(gold, systems, metrics)
    made = opened(gold, systems, metrics)
    found = verdicts(made.page)
    compared = 0
    for index in range(len(gold)):
        for system, report in enumerate(comparison.reports.values()):
            for number, metric in enumerate(report.metrics):
                pair = report.pair(index, metric.signature)
                wanted = [
                    [
                        [
                            shown(node.label) or "∅",
                            node.parent,
                            node.first,
                            node.last,
                            node.is_preterminal,
                            node.mark,
                            node.partner,
                            None if node.iou is None else pytest.approx(node.iou, abs=1e-6),
                            node.crossing,
                            node.twin,
                        ]
                        for node in side
                    ]
                    for side in pair.nodes
                ]
                assert found[index][system][number] == wanted
                compared += len(wanted[0]) + len(wanted[1])
    assert compared > 1_000
    made.check()


def test_labels_that_are_empty_have_a_sign(opened: Open) -> None:
    made = opened(["(TOP (S (NN a) (NN b)))"], {"A": ["( (S (NN a) (NN b)))"]}, "parseval|profile:none")
    page = made.page
    assert page.locator(".matrix thead th").all_text_contents() == ["∅", "missing"]
    assert "∅: a bracket with an empty label" in page.text_content("#confusion-note")
    page.click(".matrix button")
    assert page.input_value("#search") == "label:TOP>∅" and numbers(page) == ["1"]
    assert page.locator("#f-extra option").all_text_contents() == ["any", "TOP", "∅"]


def test_a_system_without_a_score_hides_no_difference(opened: Open) -> None:
    made = opened(GOLD[:1], {"A": B[:1], "B": GOLD[:1], "C": ["(())"]})
    assert made.page.locator(".spacer .advantage").text_content().startswith("−")


def test_short_lists_take_little_room(opened: Open) -> None:
    page = opened(["(S (NN a))"] * 60, {"A": ["(())"] * 60}).page
    full = page.locator("#rows").bounding_box()["height"]
    search(page, "number:1-3")
    assert page.locator("#rows").bounding_box()["height"] == 3 * 36 < full
    problems = page.locator("#problem-list li")
    assert problems.count() == 20
    page.click("#problems button")
    assert problems.count() == 60


def test_many_systems(opened: Open) -> None:
    made = opened(GOLD[:3], {"B": A[:3], "A": B[:3], "2": A[:3], "parser": GOLD[:3], "x": B[:3], "y": A[:3]})
    page = made.page
    assert page.locator("#header .cell.score").count() == 2
    page.select_option("#compared-1", "3")
    assert page.evaluate("document.activeElement.id") == "compared-1"
    page.click(".shares button:has-text('parser better')")
    assert page.input_value("#search").startswith("score@4>score@")
    assert len(numbers(page)) > 0
    assert search(page, "score@parser>score@B") == ["3", "2"]
    made.go("#s=2&v=1,4,5")
    assert page.locator(".trees .caption").all_text_contents() == ["gold", "B", "parser", "x"]
    texts = page.eval_on_selector_all(".node[data-side='0']", "nodes => nodes.map(node => node.dataset.text)")
    assert [text for text in texts if "−" in text] == ["NP − #1"]
    page.click("#back")
    page.wait_for_selector("#overview:not([hidden])")
    assert page.locator("#header .cell.score").count() == 3
    page.evaluate("location.hash = '#s=2'")
    page.wait_for_function("() => treescore.app.state.shown.join() === '0,1'")
    made.check()


def test_focus_stays(small: Opened) -> None:
    page = small.page
    page.focus("#header button:has-text('words')")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent").startswith("words")
    search(page, "a length>1")
    page.focus("#parts .part >> nth=0")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent").startswith("length>1")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "search"
    search(page, "the")
    page.focus(".skip")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "grid"
    page.evaluate("location.hash = '#sentences'")
    page.wait_for_function("() => location.hash === '#sentences'")
    assert page.input_value("#search") == "the"
    page.locator("#charts .bar").first.focus()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "grid"
    small.check()


def test_odd_labels_and_ids(opened: Open) -> None:
    labels, ids = ['N"P', 'a\\" b', "-X"], ["a+b", "1", "11\u202e"]
    gold, test = (Treebank(nasty_trees(names, ["w"]), ids=ids) for names in (labels, ["S", "S", "S"]))
    made = opened(gold, {"A": test}, "struct_iou")
    page = made.page
    page.click("summary:has-text('Filters')")
    for label, name in zip(labels, ids, strict=True):
        page.select_option("#f-missing", label)
        assert numbers(page) == [shown(name)]
        assert page.input_value("#f-missing") == label
    assert search(page, "id:1") == ["1"]
    assert search(page, "id:11") == ["11\\u202e"]
    for name in ids:
        made.go(f"#id={quote(name, safe='+')}")
        assert page.text_content("#sentence-title").endswith(f" · {shown(name)}")
    made.check()


def test_what_is_folded_up_is_printed(small: Opened) -> None:
    signature = small.page.locator("#signature-1")
    for event, is_seen in (("beforeprint", True), ("afterprint", False)):
        small.page.evaluate("name => dispatchEvent(new Event(name))", event)
        assert signature.is_visible() is is_seen and not small.page.is_visible("#f-missing")


def test_trees_are_left_out_of_files_that_would_be_too_large(opened: Open, tmp_path: Path) -> None:
    pairs = strategies.make_pairs(Random(1), 2_000, sound=True)
    comparison = compare([pair[0] for pair in pairs], {"A": [pair[1] for pair in pairs]})
    whole = Page(comparison)
    page = Page(comparison, most_bytes=len(whole.html) - 40_000)
    assert len(page.html) <= len(whole.html) - 40_000
    assert 0 < page.left_out < 2_000
    page.write(str(tmp_path / "cut.html"))
    made = opened(tmp_path / "cut.html")
    assert f"{page.left_out:,} sentences" in made.page.text_content("#overview")
    found = made.page.evaluate(
        """async () => { const { data, app } = treescore, kept = [];
        for (const index of app.list.order) {
          kept.push([data.score(0, 0, index), (await data.trees(index)) !== null]);
        }
        return kept; }"""
    )
    left_out = [score for score, kept in found if not kept]
    assert len(left_out) == page.left_out
    assert min(left_out) >= max(score for score, kept in found if kept and score is not None)
    made.check()


@pytest.mark.long
def test_fifty_thousand_sentences(opened: Open, tmp_path: Path) -> None:
    rng = Random(1)
    pairs = strategies.make_pairs(rng, 50_000, sound=True)
    comparison = compare([pair[0] for pair in pairs], {"A": [pair[1] for pair in pairs]}, ["parseval", "struct_iou"])
    Page(comparison).write(str(tmp_path / "large.html"))
    assert (tmp_path / "large.html").stat().st_size < 30_000_000
    made = opened(tmp_path / "large.html")
    page = made.page
    assert page.locator("#rows .row").count() < 60
    page.keyboard.press("j")
    page.keyboard.press("End")
    assert page.locator("#row-49999").count() == 1
    page.keyboard.press("Enter")
    page.wait_for_selector(".trees")
    made.check()
