"""The overview of the report page in a browser: known causes, differences, search, and the position on the page."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser.opened_page import Opened

import treescore
from treescore import compare
from treescore.page.build import Page
from treescore.render.comparisons import differences, signed as signed_text

Open = Callable[..., Opened]

DATA = Path(treescore.__file__).parent / "data"
#: The width of the title in the picture of the docs, by which other fonts are recognised.
TITLE_WIDTH = 445.6
SENTENCES = [f"(TOP (S (NP (NN n{number})) (VP (VB v))))" for number in range(300)]
WORSE = [
    text.replace("(NP (NN", "(X (NN") if number % 3 else text.replace("TOP", "ROOT")
    for number, text in enumerate(SENTENCES)
]


@pytest.fixture
def demo(opened: Open) -> Opened:
    gold, test, second = (treescore.read(DATA / f"demo.{name}.mrg") for name in ("gold", "test", "second"))
    return opened(gold, {"test": test, "second": second}, viewport={"width": 1440, "height": 900})


def box(page: Any, selector: str) -> Any:
    return page.locator(selector).first.bounding_box()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900), (1920, 1080)])
def test_the_list_is_on_the_first_screen(opened: Open, width: int, height: int) -> None:
    page = opened(SENTENCES, {"A": WORSE}, "parseval", viewport={"width": width, "height": height}).page
    list_box, scores = box(page, "#grid"), box(page, ".summary")
    assert list_box["y"] < height / 2
    assert list_box["y"] + list_box["height"] <= height + scores["y"]
    assert scores["x"] + scores["width"] < list_box["x"]
    page.evaluate("scrollTo(0, 1e6)")
    assert 0 <= box(page, "#grid")["y"] < height / 2


@pytest.mark.parametrize("width", [390, 800])
def test_the_list_precedes_the_plots_on_narrow_screens(opened: Open, width: int) -> None:
    page = opened(SENTENCES, {"A": WORSE, "B": SENTENCES}, viewport={"width": width, "height": 844}).page
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    assert box(page, "#grid")["y"] < box(page, "#differences")["y"] < box(page, "#plots")["y"]
    tables = page.evaluate(
        """[...document.querySelectorAll('#overview table')]
        .filter((table) => table.offsetParent && !table.closest('.wide'))
        .map((table) => table.getBoundingClientRect().right)"""
    )
    assert max(tables) <= width
    for size in page.eval_on_selector_all(
        ".chart text", "all => all.map((text) => text.getBoundingClientRect().height)"
    ):
        assert size == 0 or 10 <= size <= 24


def test_known_causes_have_the_scores_of_the_command(opened: Open) -> None:
    page = opened(SENTENCES, {"A": WORSE}, "parseval|profile:none").page
    causes = treescore.evaluate(SENTENCES, WORSE, "parseval|profile:none").causes().remedied()
    assert len(causes) == 1
    row = page.locator(".causes tbody tr")
    assert row.locator("td").first.text_content() == causes[0].cause
    assert row.locator(".effect").text_content() == f"{causes[0].before:.2f} → {causes[0].after:.2f}"
    assert row.locator("code").text_content() == "outer:ignored"
    assert box(page, ".causes")["y"] < box(page, ".summary")["y"]
    assert opened(SENTENCES, {"A": SENTENCES}).page.locator(".strip").count() == 0


def test_every_score_has_its_coverage(opened: Open) -> None:
    page = opened(SENTENCES[:4], {"A": [*WORSE[:3], "(())"]}, ["parseval", "struct_iou"]).page
    assert page.locator(".summary td:has-text('coverage 75.00 %')").count() == 2
    page = opened(SENTENCES[:4], {"A": SENTENCES[:4]}, ["parseval", "struct_iou"]).page
    assert page.locator(".summary td:has-text('coverage 100.00 %')").count() == 2


def test_differences_are_those_of_compare(demo: Opened) -> None:
    page = demo.page
    gold, test, second = (treescore.read(DATA / f"demo.{name}.mrg") for name in ("gold", "test", "second"))
    summary = compare(gold, {"test": test, "second": second}, ["parseval", "struct_iou"]).summary()
    for number, metric in enumerate(summary.metrics):
        (pair,) = metric.pairs
        (shown,) = differences(summary, metric).shown()
        plot = page.locator("#differences > table.explained").nth(number)
        assert plot.locator("tbody th").text_content() == "test − second"
        difference, interval = plot.locator("tbody .number").all_text_contents()
        assert pair.test.difference is not None
        assert [difference, interval] == shown[1:3] == [signed_text(100 * pair.test.difference), shown[2]]
        whisker, point = (plot.locator(f"tbody .{name}").bounding_box() for name in ("whisker", "point"))
        middle = point["x"] + point["width"] / 2
        assert whisker["x"] < middle < whisker["x"] + whisker["width"]
        rest = page.locator("table.differences").nth(number).locator("tbody td")
        assert rest.all_text_contents() == shown[3:]
    assert "Holm" in page.text_content("#differences")
    letters = page.locator(".summary .letters").all_text_contents()
    assert letters == [metric.systems[system].letters for system in range(2) for metric in summary.metrics]
    demo.check()


def test_unknown_keys_are_reported(opened: Open) -> None:
    made = opened(SENTENCES[:5], {"A": WORSE[:5]})
    page = made.page

    def reported(query: str) -> str:
        page.fill("#search", query)
        page.wait_for_function("query => treescore.app.state.query === query", arg=query)
        return str(page.text_content("#query-problem"))

    message = reported("lenght<5 n1")
    assert "no key “lenght”" in message and "length" in message and '"lenght<5"' in message
    assert page.is_visible("#query-problem")
    assert page.evaluate("treescore.app.list.order.join()") == "1"  # the other part still filters
    assert "needs a number" in reported("score<good")
    assert "no system “C”" in reported("better:C")
    assert "two labels" in reported("label:NP")
    assert "no error class “Nothing”" in reported("class:Nothing")
    for query in ('"lenght<5"', "12:30", "score<50 length>=1 missing:NP", "-problem unscored", "id:3 number:1-3"):
        assert reported(query) == ""
        assert not page.is_visible("#query-problem")
    made.check()


def test_sorting_search_and_position_survive_reload_and_return(opened: Open) -> None:
    made = opened(SENTENCES, {"A": WORSE}, viewport={"width": 1280, "height": 600})
    page = made.page
    page.fill("#search", "v")
    page.wait_for_function("() => treescore.app.state.query === 'v'")
    page.click("#header button:has-text('words')")
    page.evaluate("document.querySelector('#rows').scrollTop = 3600")
    page.evaluate("scrollTo(0, 500)")
    state = "() => history.state?.page === 500 && history.state.list.top === 3600"
    page.wait_for_function(state)

    def is_kept() -> bool:
        page.wait_for_selector("#overview:not([hidden])")
        page.wait_for_selector("html[data-ready]")
        page.wait_for_function("() => scrollY === 500 && document.querySelector('#rows').scrollTop === 3600")
        return bool(page.input_value("#search") == "v" and page.evaluate("treescore.app.state.sort") == "length")

    page.reload()
    assert is_kept()
    page.click("#rows .row >> nth=8")
    page.wait_for_selector("#sentence:not([hidden])")
    page.go_back()
    assert is_kept()
    page.click("#rows .row >> nth=8")
    page.wait_for_selector("#sentence:not([hidden])")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    page.go_back()
    assert is_kept()
    made.check()


def test_long_numbers_of_sentences_are_not_cut_off(opened: Open) -> None:
    count = 10_050
    made = opened(["(S (NN a))"] * count, {"A": ["(S (NN a))"] * count}, "parseval")
    page = made.page
    page.evaluate("document.querySelector('#grid').focus()")
    page.keyboard.press("End")
    page.wait_for_selector(f"#row-{count - 1}")
    cells = page.locator("#rows .cell.number").all()
    assert cells and all(cell.evaluate("cell => cell.scrollWidth <= cell.clientWidth") for cell in cells)


def test_the_matrix_counts_missing_and_extra_nodes(opened: Open) -> None:
    gold, test = ["(TOP (S (NP (DT a) (NN b)) (VB c)))"], ["(TOP (S (DT a) (VP (NN b) (VB c))))"]
    made = opened(gold, {"A": test}, "parseval|profile:none")
    page = made.page
    rows = page.locator(".matrix tr").all()
    assert [row.text_content() for row in rows] == ["VPmissing", "NP1", "extra1"]
    assert "missing and extra count nodes without" in page.text_content("#confusion-note")
    page.click(".matrix tbody tr:first-child button")
    assert page.input_value("#search") == "missing:NP"
    page.click("#clear")
    page.click(".matrix .alone button")
    assert page.input_value("#search") == "extra:VP"
    made.check()


def test_print_keeps_colours_and_the_contents_lead_to_sections(demo: Opened) -> None:
    page = demo.page
    hash_before = page.evaluate("location.hash")
    page.click(".contents a:has-text('Error classes')")
    assert abs(box(page, "#errors")["y"]) < 60
    assert page.evaluate("document.activeElement.id") == "errors-title"
    assert page.evaluate("location.hash") == hash_before
    page.emulate_media(media="print")
    for selector in (".meter", ".series-key", ".matrix button"):
        adjust = page.evaluate(
            "selector => getComputedStyle(document.querySelector(selector)).printColorAdjust", selector
        )
        assert adjust == "exact"
    demo.check()


def test_labels_have_intervals_and_explain_the_difference(demo: Opened) -> None:
    page = demo.page
    rows = page.evaluate("treescore.data.main.plots[0].byLabel")
    shown = page.locator("#labels-table tbody tr")
    assert shown.count() == 2 * len(rows)
    low, high = rows[0]["intervals"][1]
    assert shown.nth(1).locator(".interval").text_content() == f"{100 * low:.1f} – {100 * high:.1f}"
    bar, whisker = (shown.nth(1).locator(part).bounding_box() for part in (".track", ".whisker"))
    assert whisker["x"] == pytest.approx(bar["x"] + low * bar["width"], abs=1.5)
    assert whisker["width"] == pytest.approx((high - low) * bar["width"], abs=3)
    tables = page.locator("#explained table")
    assert tables.count() == 2
    contributions = page.evaluate("treescore.data.main.explained.labels[0]['0-1']")
    points = tables.first.locator("tbody .number:not(.interval)").all_text_contents()
    assert points == [signed_text(row["value"]) for row in contributions]
    page.select_option("#system", "1")  # the other way round
    opposite = page.locator("#explained table").first.locator("tbody .number:not(.interval)").all_text_contents()
    assert opposite == [signed_text(-row["value"]) for row in contributions]
    page.locator("#explained table >> nth=1").locator("button").first.click()
    assert page.input_value("#search").startswith("class:")
    demo.check()


def test_the_picture_in_the_docs(opened: Open, tmp_path: Path) -> None:
    """With other fonts it has another size, and cannot be compared."""
    image = pytest.importorskip("matplotlib.image")
    for source, name in (("gold", "gold.mrg"), ("test", "parsed.mrg"), ("second", "second.mrg")):
        (tmp_path / name).write_bytes((DATA / f"demo.{source}.mrg").read_bytes())
    systems = {name: tmp_path / f"{name}.mrg" for name in ("parsed", "second")}
    Page(compare(tmp_path / "gold.mrg", systems, ["parseval", "struct_iou"])).write(str(tmp_path / "report.html"))
    page = opened(tmp_path / "report.html", viewport={"width": 1440, "height": 900}).page
    page.screenshot(path=tmp_path / "overview.png")
    kept = Path(__file__).parents[2] / "docs" / "pictures" / "report-overview.png"
    if os.environ.get("TREESCORE_RENEW"):
        kept.write_bytes((tmp_path / "overview.png").read_bytes())
    one, other = (image.imread(picture)[..., :3] for picture in (kept, tmp_path / "overview.png"))
    title = page.evaluate(
        """() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('h1'));
        return range.getBoundingClientRect().width; }"""
    )
    if abs(title - TITLE_WIDTH) > 1:
        pytest.skip(f"the fonts differ: the title is {title} pixels wide")
    assert float(abs(one - other).mean()) < 0.01, (
        "docs/pictures/report-overview.png is old; TREESCORE_RENEW=1 takes it anew"
    )
