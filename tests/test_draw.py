"""Pictures of trees: well-formed, complete, without anything upon anything else, the same every time."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from itertools import pairwise, takewhile
from pathlib import Path
from random import Random
from typing import Any
from xml.etree.ElementTree import Element

import gapped_trees
import pytest
import strategies
from defusedxml.ElementTree import fromstring
from hypothesis import given, strategies as st

import treescore
from treescore import draw
from treescore.draw import colours, layout, sides, svg_writer
from treescore.draw.widths import text_width

GOLD = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN cat)) (PP (IN with) (NP (DT a) (NN telescope))))))"
TEST = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN cat) (IN with)) (ADJP (DT a) (NN telescope))))"
HEBREW = "(S (NP (DT ה) (NN ילד)) (VP (VB ראה) (NP (NN חתול))) (yyDOT .))"
SPOKEN = ["S", [["NP", [["PRP", 0.31, 0.42, "I"]]], ["VP", [["VBD", 0.42, 0.71, "saw"], ["DT", 0.71, 0.76, "it"]]]]]
HOSTILE = """(S (<script>alert(1)</script> "a'b") (NP&amp; ]]>) (X \x01\x1b[31m) (Y \u202ecba) (Z \ufffe))"""


def parsed(svg: str) -> Element:
    """The picture as XML, as any program would read it."""
    result: Element = fromstring(svg.encode("utf-8"))
    return result


def named(root: Element, name: str) -> list[Element]:
    """All elements of this name."""
    return list(root.iter(f"{{http://www.w3.org/2000/svg}}{name}"))


def nodes_of(svg: str) -> dict[tuple[str, int], Element]:
    """The groups of the nodes by side and number; each must be there once."""
    result: dict[tuple[str, int], Element] = {}
    for group in named(parsed(svg), "g"):
        if (side := group.get("data-side")) is not None:
            key = side, int(group.get("data-node", ""))
            assert key not in result
            result[key] = group
    return result


def label_of(group: Element) -> str:
    """The text of a node; the sign ≠ is drawn."""
    parts = [item for item in group if item.tag.endswith(("text", "path"))]
    return "".join("≠" if item.get("class") == "sign" else "".join(item.itertext()) for item in parts)


def fill(group: Element) -> str | None:
    """The colour of a node's box."""
    return named(group, "rect")[0].get("fill")


Rectangle = tuple[float, float, float, float]


def boxes(picture: layout.Picture) -> list[Rectangle]:
    """The labels and words of a picture as rectangles."""
    items = []
    for item in picture.items:
        if isinstance(item, layout.Box):
            half, height = item.width / 2, item.height
            items.append((item.x - half, item.x + half, item.y - height / 2, item.y + height / 2))
        elif isinstance(item, layout.Text) and item.kind in ("word", "silent", "tick", "caption", "title", "legend"):
            size = {"word": sides.WORD, "silent": sides.WORD, "title": layout.TITLE}.get(item.kind, layout.SMALL)
            width = text_width(item.text, size)
            left = item.x - {"start": 0.0, "middle": width / 2, "end": width}[item.anchor]
            items.append((left, left + width, item.y - size / 2, item.y + size / 2))
    return items


def touching(picture: layout.Picture) -> list[tuple[Rectangle, Rectangle]]:
    """Labels and words that lie upon each other."""
    items = []
    ordered = sorted(boxes(picture))
    for at, a in enumerate(ordered):
        for b in takewhile(lambda b, end=a[1]: b[0] < end - 0.01, ordered[at + 1 :]):  # type: ignore[misc]
            if b[1] > a[0] + 0.01 and a[2] < b[3] - 0.01 and b[2] < a[3] - 0.01:
                items.append((a, b))
    return items


def outside(picture: layout.Picture) -> list[Rectangle]:
    """Labels and words that are cut off."""
    return [
        box for box in boxes(picture) if box[0] < 0 or box[1] > picture.width or box[2] < 0 or box[3] > picture.height
    ]


def struck(picture: layout.Picture) -> int:
    """How many labels are crossed by a branch that neither begins nor ends there."""
    count = 0
    labels = [item for item in picture.items if isinstance(item, layout.Box) and item.side]
    for item in picture.items:
        if not isinstance(item, layout.Lines) or item.kind == "ruler":
            continue
        for (x1, y1), (x2, y2) in (segment for line in item.lines for segment in pairwise(line)):
            for box in labels:
                if min(y1, y2) > box.y + box.height or max(y1, y2) < box.y - box.height:
                    continue
                half, tall = box.width / 2 - 0.1, box.height / 2 - 0.1
                inside = [abs(x - box.x) < half and abs(y - box.y) < tall for x, y in ((x1, y1), (x2, y2))]
                over = min(x1, x2) < box.x + half and max(x1, x2) > box.x - half
                over = over and min(y1, y2) < box.y + tall and max(y1, y2) > box.y - tall
                count += over and not any(inside)
    return count


@st.composite
def pairs(sample: st.DrawFn) -> treescore.TreePair:
    """Any pair: over words, characters or seconds, sound or not, of phrases with gaps."""
    rng = sample(strategies.RANDOMS)
    kind = sample(st.sampled_from(["words", "words", "parseval", "characters", "seconds", "gaps"]))
    if kind == "gaps":
        words = strategies.make_words(rng, 7)
        trees = [gapped_trees.moved(rng, strategies.make_tree(rng, words)) for _ in range(2)]
        gold, test = gapped_trees.bank(trees)
        return treescore.pair(gold, test, "parseval|profile:discodop" if sample(st.booleans()) else "parseval")
    banks = strategies.banks([strategies.make_pair(rng)])
    if kind == "seconds":
        gold, test = (strategies.spoken(bank)[0] for bank in banks)
        return treescore.pair(gold, test, "struct_iou|axis:seconds")
    metric = {"parseval": "parseval|profile:none", "characters": "struct_iou|axis:characters"}.get(kind, "struct_iou")
    return treescore.pair(banks[0][0], banks[1][0], metric)


@given(pairs(), st.booleans(), st.sampled_from(["mirrored", "beside"]), st.sampled_from(["auto", "rtl"]), st.booleans())
def test_any_pair(pair: treescore.TreePair, turn: bool, mode: str, direction: str, plain: bool) -> None:
    [picture] = draw.pictures(pair, mode=mode, turn=turn, direction=direction, plain=plain, intervals=plain)
    groups = nodes_of(svg_writer.write([picture]))
    for side, nodes in zip(("gold", "test"), pair.nodes, strict=True):
        assert [key for key in groups if key[0] == side] == [(side, node.number) for node in nodes]
    for gold, test, _ in pair.links():
        assert fill(groups["gold", gold]) == fill(groups["test", test])
    assert not touching(picture)
    assert not outside(picture)
    if not (pair.gold.is_discontinuous or pair.test.is_discontinuous):
        assert not struck(picture)


@given(strategies.RANDOMS, st.booleans())
def test_several_systems(rng: Random, turn: bool) -> None:
    gold = strategies.make_tree(rng, strategies.make_words(rng, 8))
    tests = [strategies.changed(rng, gold) for _ in range(2)]
    items = [treescore.pair(strategies.write(gold), strategies.write(test)) for test in tests]
    [picture] = draw.pictures(*items, turn=turn)
    assert not touching(picture) and not outside(picture) and not struck(picture)
    drawn = [item for item in picture.items if isinstance(item, layout.Box) and item.side]
    assert len(drawn) == len(items[0].nodes[0]) + sum(len(pair.nodes[1]) for pair in items)


@given(st.lists(strategies.TEXTS, min_size=1, max_size=5))
def test_any_text(words: list[str]) -> None:
    svg = treescore.read([["S", [[word, at, at + 1.0, word] for at, word in enumerate(words)]]])[0].svg()
    assert len(nodes_of(svg)) == len(words) + 1


def test_hostile_text_shows_as_itself() -> None:
    svg = treescore.pair(HOSTILE.replace("(1)", "1"), HOSTILE.replace("(1)", "1")).svg(title='<b onclick="x">')
    root = parsed(svg)
    assert {element.tag.split("}")[1] for element in root.iter()} <= {
        "svg",
        "title",
        "desc",
        "rect",
        "path",
        "g",
        "text",
    }
    texts = [text.text or "" for text in named(root, "text")]
    for shown in ("<script>alert1</script>", '"a\'b"', "NP&amp;", "]]>", "\\x01\\x1b[31m", "\\u202ecba", "\\ufffe"):
        assert any(shown in text for text in texts), shown
    assert "<script" not in svg and "\x1b" not in svg and '<b onclick="x">' in texts
    systems = {"a\x01<b>": treescore.pair(GOLD, TEST), "\udcff": treescore.pair(GOLD, "(S (X \x01) (Y \ufffe))")}
    assert "a\\x01&lt;b&gt;" in draw.svg(systems, title="\x07")
    parsed(draw.svg(systems, title="\x07"))
    bytes_of_another_encoding = treescore.read(b"(NP (NN caf\xe9))")[0]
    assert "caf\\udce9" in bytes_of_another_encoding.svg()
    parsed(bytes_of_another_encoding.svg())


def test_colours_and_marks() -> None:
    pair = treescore.pair(GOLD, TEST, "parseval|profile:none")
    nodes = nodes_of(pair.svg())
    aligned = [(gold, test) for gold, test, _ in pair.links()]
    fills = [fill(nodes["gold", gold]) for gold, _ in aligned]
    assert fills == [colours.tint(colour) for colour in colours.PALETTE[: len(aligned)]]
    labels = {key: label_of(group) for key, group in nodes.items()}
    assert [labels["gold", node.number] for node in pair.nodes[0] if not node.is_preterminal] == (
        ["S", "NP", "VP", "−NP", "−NP", "−×PP", "−≠NP"]
    )
    assert [labels["test", node.number] for node in pair.nodes[1] if not node.is_preterminal] == (
        ["S", "NP", "VP", "+×NP", "+≠ADJP"]
    )
    dashed = {key for key, group in nodes.items() if named(group, "rect")[0].get("stroke-dasharray")}
    assert dashed == {key for key, label in labels.items() if label[0] in "−+"}
    assert "missing" in pair.svg() and 'role="img"' in pair.svg()
    assert "aligned with NP, IoU 1" in (nodes["gold", 1].findtext("{http://www.w3.org/2000/svg}title") or "")


def test_shares_stand_beside_labels() -> None:
    pair = treescore.pair("(S (NP a b c) d)", "(S (NP a b) c d)", "struct_iou")
    assert label_of(nodes_of(pair.svg())["gold", 1]) == "NP0.67"


def test_pairs_of_preterminals_have_no_colour() -> None:
    pair = treescore.pair(GOLD, TEST, "struct_iou")
    nodes = nodes_of(pair.svg())
    tags = [node.number for node in pair.nodes[0] if node.is_preterminal]
    assert {fill(nodes["gold", number]) for number in tags} == {"#ffffff"}


def test_pair_without_score_is_drawn_without_colours() -> None:
    pair = treescore.pair(GOLD, "(S (X other) (Y words))", "parseval")
    svg = pair.svg()
    assert "not scored" in svg and "words in gold" in " ".join(text.text or "" for text in named(parsed(svg), "text"))
    assert not any(colour in svg for colour in colours.PALETTE) and "dasharray" not in svg


@pytest.mark.parametrize(
    "text", ["()", "(S)", "(S (NP) (VP (VB a)))", "(A a) (B b)", "(S a b)", "((S a))", "(S () ())"]
)
@pytest.mark.parametrize("turn", [False, True])
def test_odd_trees(text: str, turn: bool) -> None:
    tree = treescore.read(text, layout="line")[0]
    [picture] = draw.pictures(tree, turn=turn)
    assert len(nodes_of(tree.svg(turn=turn))) == len(tree.nodes())
    assert not touching(picture) and not outside(picture) and not struck(picture)
    parsed(treescore.pair(tree, tree).svg(turn=turn))
    parsed(treescore.pair(tree, "(S (NP a) b)").svg(turn=turn))


def test_part_of_a_tree() -> None:
    tree = treescore.read("(S (VP (WRB 0=why) (VB 3=go)) (MD 1=did) (NP (PRP 2=he)))")[0]
    assert len(nodes_of(tree.nodes()[1].svg())) == 3
    assert len(nodes_of(treescore.read(GOLD)[0].nodes()[3].svg())) == 11


def word_xs(svg: str) -> list[float]:
    """Where the words stand, in the order of the sentence."""
    return [float(text.get("x", "")) for text in named(parsed(svg), "text") if text.get("class") == "word"]


def test_right_to_left() -> None:
    tree = treescore.read(HEBREW)[0]
    xs = word_xs(tree.svg())
    assert xs == sorted(xs, reverse=True)
    assert word_xs(tree.svg(direction="ltr")) == sorted(word_xs(tree.svg(direction="ltr")))
    assert "\u2067ילד\u2069" in tree.svg() and "\u2067" not in tree.svg(direction="ltr")
    english = treescore.read(GOLD)[0]
    assert word_xs(english.svg()) == sorted(word_xs(english.svg()))
    assert word_xs(english.svg(direction="rtl")) == sorted(word_xs(english.svg(direction="rtl")), reverse=True)
    arabic = treescore.read("(S (A قال) (B 25) (C IBM) (D كبير))")[0]
    assert word_xs(arabic.svg()) == sorted(word_xs(arabic.svg()), reverse=True)


def test_the_same_words_stand_once_between_the_trees() -> None:
    texts = [text.text for text in named(parsed(treescore.pair(GOLD, TEST, "struct_iou").svg()), "text")]
    assert texts.count("telescope") == 1
    pair = treescore.pair("(S (A ice) (B cream))", "(S (A icecream))", "struct_iou|axis:characters")
    texts = [text.text for text in named(parsed(pair.svg()), "text")]
    assert {"ice", "cream", "icecream", "5"} <= set(texts)


def test_seconds() -> None:
    tree = treescore.Tree.from_nested(SPOKEN)
    for turn in (False, True):
        [picture] = draw.pictures(treescore.pair(tree, tree), duration=2.0, turn=turn)
        ticks = [item for item in picture.items if isinstance(item, layout.Text) and item.kind == "tick"]
        places = [tick.y if turn else tick.x for tick in ticks]
        assert float(ticks[0].text) == 0 and float(ticks[-1].text) == 2
        steps = [round(b - a, 6) for a, b in pairwise(places)]
        assert len(set(steps)) == 1
        second = (places[-1] - places[0]) / 2
        areas = [item for item in picture.items if isinstance(item, layout.Area)]
        for area, (start, end) in zip(areas, (tree.times or []) * 2, strict=True):
            ruler = sorted(point[1] if turn else point[0] for point in area.points[2:])
            assert ruler == pytest.approx([places[0] + start * second, places[0] + end * second])


def late(begin: float, shift: float = 0.0) -> treescore.Tree:
    """Three words late in a recording."""
    words = [("the", 0.0, 0.2), ("conductor", 0.2 + shift, 0.3), ("sleeps", 0.7, 1.0)]
    return treescore.Tree.from_nested(["S", [["X", begin + low, begin + high, word] for word, low, high in words]])


@pytest.mark.parametrize("mode", ["mirrored", "beside"])
@pytest.mark.parametrize("turn", [False, True])
@pytest.mark.parametrize("duration, ticks", [(None, (3600, 3601)), (5400.0, (0, 5400))])
def test_late_in_a_recording(mode: str, turn: bool, duration: float | None, ticks: tuple[int, int]) -> None:
    pair = treescore.pair(late(3600.0), late(3600.0, 0.05))
    [picture] = draw.pictures(pair, mode=mode, turn=turn, duration=duration)
    assert picture.width < 1000 and picture.height < 500
    assert not touching(picture) and not outside(picture)
    texts = [item for item in picture.items if isinstance(item, layout.Text)]
    shown = [float(item.text) for item in texts if item.kind == "tick"]
    assert (min(shown), max(shown)) == ticks
    words = [item.y if turn else item.x for item in texts if item.kind == "word"]
    if mode == "mirrored" or turn:  # words with the same times stand above each other, or side by side
        assert words[0] == pytest.approx(words[3]) and words[2] == pytest.approx(words[5])
    else:
        assert words[2] - words[0] == pytest.approx(words[5] - words[3])  # one scale


def test_a_longer_recording_moves_no_word() -> None:
    def gaps(duration: float | None) -> list[float]:
        [picture] = draw.pictures(late(0.3), duration=duration)
        xs = [item.x for item in picture.items if isinstance(item, layout.Text) and item.kind == "word"]
        return [b - a for a, b in pairwise(xs)]

    assert gaps(2.0) == pytest.approx(gaps(None)) and gaps(3000.0) == pytest.approx(gaps(None))
    hours = treescore.pair(late(0.3), late(7200.0))
    assert max(picture.width for picture in draw.pictures(hours)) < 2000
    with pytest.raises(treescore.UsageError, match=r"duration is 1 seconds, but the last word ends at 1\.3"):
        draw.svg(late(0.3), duration=1)


def test_words_move_apart_as_little_as_possible() -> None:
    tree = treescore.Tree.from_nested(["S", [["A", at / 100, (at + 1) / 100, f"word{at}"] for at in range(20)]])
    [picture] = draw.pictures(tree, turn=False)
    assert not touching(picture) and not outside(picture)


def test_long_sentences_are_turned() -> None:
    text = "(S " + " ".join(f"(NP (NN word{at}))" for at in range(41)) + ")"
    tree = treescore.read(text)[0]
    assert len(set(word_xs(tree.svg()))) == 1 and len(set(word_xs(tree.svg(turn=False)))) == 41
    flat = treescore.read("(S " + "(NN word) " * 8 + ")")[0]
    assert len(set(word_xs(flat.svg(width=200)))) == 1 and len(set(word_xs(flat.svg(width=350)))) == 8
    assert len(set(word_xs(flat.svg(width=350, font_size=12)))) == 1
    narrow = treescore.read("(S " * 9 + "(A a) (B b) (C c)" + ")" * 9)[0]
    assert len(set(word_xs(narrow.svg(width=50)))) == 3  # turning would not make it narrower
    root = parsed(tree.svg(turn=False, width=500))
    assert root.get("width") == "500" and float(root.get("viewBox", "").split()[2]) > 500


def test_several_pictures_below_each_other() -> None:
    first, other = treescore.read(GOLD)[0], treescore.pair(TEST, TEST)
    root = parsed(draw.svg(first, other))
    heights = [picture.height for picture in draw.pictures(first, other)]
    assert len(heights) == 2 and float(root.get("height", "")) == pytest.approx(sum(heights), abs=0.1)


def test_systems_by_name() -> None:
    report = treescore.compare(GOLD, {"first": TEST, "second": GOLD}, ["struct_iou"])
    svg = draw.svg(report.pairs(0))
    texts = [text.text for name in ("text", "tspan") for text in named(parsed(svg), name)]
    assert {"gold", "first", "second", "−first"} <= set(texts)
    assert "second 100.00" in svg


def test_long_names_have_letters() -> None:
    report = treescore.compare(GOLD, {"parser-large": TEST, "parser-small": GOLD}, ["struct_iou"])
    svg = draw.svg(report.pairs(0))
    texts = [text.text or "" for name in ("text", "tspan") for text in named(parsed(svg), name)]
    assert {"gold", "A: parser-large", "B: parser-small", "−A"} <= set(texts)
    assert "A: parser-large 76.92" in " ".join(texts)


def test_limits() -> None:
    large = treescore.read("(S " + "(X a) " * draw.MOST_NODES + ")")[0]
    with pytest.raises(treescore.UsageError, match="20,000 nodes"):
        large.svg()
    with pytest.raises(treescore.UsageError, match="20,000 nodes"):
        draw.latex(large)
    assert large._repr_svg_() is None
    deep = treescore.read("(S " * 1500 + "(X a)" + ")" * 1500)[0]
    assert len(nodes_of(deep._repr_svg_() or "")) == 1501
    assert draw.latex(deep).count("[") == 1502
    assert treescore.pair(GOLD, TEST)._repr_svg_() == treescore.pair(GOLD, TEST).svg()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"mode": "sideways"}, "mode must be one of auto, mirrored, beside"),
        ({"direction": "up"}, "direction must be one of auto, ltr, rtl"),
        ({"axis": "seconds"}, "have no times"),
        ({"axis": "metres"}, "axis must be one of words, seconds"),
        ({"width": -1.0}, "width must be a positive number"),
        ({"width": "7miles"}, "width must be a positive number or a length such as 3.3in or 240pt, not '7miles'"),
        ({"font_size": True}, "font_size must be a positive number"),
        ({"plain": 1.5}, "plain must be one of True, False"),
        ({"duration": float("nan")}, "duration must be a positive number"),
        ({"duration": 2}, "duration needs words with times"),
        ({"turn": "yes"}, "turn must be one of True, False, not 'yes'"),
        ({"title": 5}, "title must be text, not 5"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(treescore.UsageError, match=message):
        treescore.read(GOLD)[0].svg(**options)


def test_wrong_things() -> None:
    with pytest.raises(treescore.UsageError, match="nothing to draw"):
        draw.svg()
    with pytest.raises(treescore.UsageError, match="nothing to draw"):
        draw.svg({})
    with pytest.raises(treescore.UsageError, match="nothing to draw"):
        draw.latex()
    with pytest.raises(treescore.UsageError, match="only trees and pairs of trees can be drawn, not str"):
        draw.svg("(S a)")  # type: ignore[arg-type]


def test_saving(tmp_path: Path) -> None:
    pair = treescore.pair(GOLD, TEST)
    pair.save(tmp_path / "pair.svg", mode="beside")
    assert (tmp_path / "pair.svg").read_text("utf-8") == pair.svg(mode="beside")
    treescore.read(HEBREW)[0].save(tmp_path / "tree.SVG")
    pair.save(str(tmp_path / "pair.tex"))
    assert (tmp_path / "pair.tex").read_text("utf-8") == draw.latex(pair)
    for name in ("pair.jpeg", "pair"):
        with pytest.raises(treescore.UsageError, match=r"must end with \.svg, \.pdf, \.png, \.tex"):
            pair.save(tmp_path / name)


def test_pdf_and_png(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    pair = treescore.pair(HEBREW, HEBREW)
    for name in ("pair.pdf", "pair.png", "again.pdf", "again.png"):
        pair.save(tmp_path / name, **({"ppi": 96} if name.endswith("png") else {}))
    pdf, png = (tmp_path / "pair.pdf").read_bytes(), (tmp_path / "pair.png").read_bytes()
    assert pdf.startswith(b"%PDF") and b"/ToUnicode" in pdf  # the text is text
    size = [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)]
    root = parsed(pair.svg())
    assert size == pytest.approx([float(root.get(name, "")) for name in ("width", "height")], abs=1.5)
    assert pdf == (tmp_path / "again.pdf").read_bytes() and png == (tmp_path / "again.png").read_bytes()
    with pytest.raises(treescore.UsageError, match="too large"):
        pair.save(tmp_path / "pair.png", ppi=1e5)


def test_lengths() -> None:
    pair = treescore.pair(GOLD, TEST)
    natural = float(parsed(pair.svg()).get("width", ""))
    for width, pixels in (("2in", 192), ("144pt", 192), ("5.08cm", 192), ("50.8mm", 192), ("192px", 192), (192, 192)):
        assert float(parsed(pair.svg(width=width, turn=False)).get("width", "")) == pixels
    small = float(parsed(pair.svg(font_size="7pt")).get("width", ""))
    assert small == pytest.approx(natural * 7 / (sides.WORD * 0.75), abs=0.1)
    with pytest.warns(UserWarning, match=r"words have 2\.\d points, because larger ones exceed the width"):
        pair.svg(font_size=20, width="100px", turn=False)


@pytest.mark.parametrize("turn", [True, False])
def test_plain(turn: bool) -> None:
    gold, test = (treescore.read(text, on_error="keep") for text in (f"(X x)\n{GOLD}", f"(X x)\n{TEST}"))
    pair = treescore.evaluate(gold, test, "struct_iou").pair(1)
    both = {"out/system": pair}
    for picture in (draw.svg(both, turn=turn, plain=True), draw.latex(both, plain=True)):
        for text in ("sentence", f"{100 * (pair.score or 0):.2f}", "struct_iou", "v:", "threshold"):
            assert text not in picture
    for text in ("sentence 2", f"{100 * (pair.score or 0):.2f}", "struct_iou"):
        assert text in draw.svg(both, turn=turn)
    assert ">my title<" in pair.svg(plain=True, title="my title")


def test_greyscale() -> None:
    picture = draw.svg(treescore.pair(GOLD, TEST), greyscale=True)
    shades = set(re.findall(r'"#(\w{6})"', picture))
    assert all(code[:2] == code[2:4] == code[4:] for code in shades)
    assert len(set(colours.GREYS)) == len(colours.PALETTE)  # as many looks as colours
    for paint in colours.GREYS:
        assert contrast(colours.INK, paint.fill) > 7 and contrast(colours.PAPER, paint.line) > 3


def contrast(a: str, b: str) -> float:
    """The ratio of luminances, as WCAG defines it."""
    lights = []
    for colour in (a, b):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05)
    return max(lights) / min(lights)


@pytest.mark.parametrize("turn", [True, False])
def test_a_very_long_word_is_cut(turn: bool) -> None:
    word, label = "Donau" * 80, "NP-" + "SBJ" * 40
    tree = f"(S ({label} (NN {word})) (VP (VB go)))"
    pair = treescore.pair(tree, tree.replace("VP", "ADJP"))
    [picture] = draw.pictures(pair, turn=turn)
    assert picture.width < 1000 and not touching(picture) and not outside(picture)
    assert word not in re.sub(r"<title>.*?</title>", "", pair.svg()) and f"{label}: {word}" in pair.svg()


def test_intervals() -> None:
    pair = treescore.pair(treescore.Tree.from_nested(SPOKEN), treescore.Tree.from_nested(SPOKEN))
    assert label_of(nodes_of(pair.svg(intervals=True))["gold", 0]) == "S(0.31–0.76)"
    words = treescore.pair("(S (NP a b c) d)", "(S (NP a b) c d)", "struct_iou").svg(intervals=True)
    assert label_of(nodes_of(words)["gold", 1]) == "NP(0–3) 0.67"
    assert "(0.31–0.76)" in draw.latex(treescore.Tree.from_nested(SPOKEN), intervals=True).replace("{-}", "-")


def test_a_notebook_may_be_dark() -> None:
    pair = treescore.pair("(S (X a b) c (Y d))", "(S (X a b) (Y c d))")
    for thing in (pair, pair.gold):
        picture = thing._repr_html_() or ""
        assert "currentColor" in picture and "#1a1a1a" not in picture and "#ffffff" not in picture
        assert not [box for box in named(parsed(picture), "rect") if box.get("width") == parsed(picture).get("width")]


def test_fonts_are_embedded(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    program = shutil.which("pdffonts")
    if program is None:
        pytest.skip("pdffonts is not installed")
    treescore.pair(GOLD, TEST).save(tmp_path / "pair.pdf", width="3.3in", font_size="8pt")
    shown = subprocess.run([program, tmp_path / "pair.pdf"], capture_output=True, text=True, check=True).stdout
    fonts = [line.split() for line in shown.splitlines()[2:]]
    assert fonts and all(font[-5:-2] == ["yes", "yes", "yes"] for font in fonts)  # embedded, as a subset, as text


def test_characters_that_no_font_has(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    pytest.importorskip("typst")
    treescore.pair("(S (A a) (B é) (C …))", "(S (X a) (B é) (C …))").save(tmp_path / "pair.png", fonts=str(tmp_path))
    assert not recwarn.list
    with pytest.warns(UserWarning, match=r"no font has '\U00013000'.*empty box"):  # a hieroglyph
        treescore.read("(S (A a) (B \U00013000))")[0].save(tmp_path / "tree.png", ppi=50)


@pytest.mark.parametrize(
    "name, options, message",
    [
        ("x.tex", {"mode": "beside"}, r"mode has no effect on a \.tex file"),
        ("x.tex", {"foo": 1}, r"foo has no effect on a \.tex file"),
        ("x.svg", {"ppi": 100}, r"ppi has no effect on a \.svg file"),
        ("x.pdf", {"ppi": 100}, r"ppi has no effect on a \.pdf file"),
        ("x.svg", {"fonts": "folder"}, r"fonts has no effect on a \.svg file"),
        ("x.png", {"ppi": 0}, "ppi must be a positive number, not 0"),
        ("x.png", {"ppi": -3}, "ppi must be a positive number, not -3"),
        ("x.tex", {"title": 5}, "title must be text, not 5"),
    ],
)
def test_wrong_options_of_files(name: str, options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(treescore.UsageError, match=message):
        treescore.pair(GOLD, TEST).save(tmp_path / name, **options)
    assert not list(tmp_path.iterdir())


def test_without_typst(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(treescore.UsageError, match=r"pip install 'treescore\[draw\]'"):
        treescore.read(GOLD)[0].save(tmp_path / "tree.pdf")
    assert not list(tmp_path.iterdir())


def unescaped(latex: str) -> str:
    """Without escaped characters and comments."""
    return re.sub(r"(?m)^%.*$", "", re.sub(r"\\[{}$&#%_]", "", latex))


def balanced(text: str) -> bool:
    """Are brackets and braces closed in the right order?"""
    waiting: list[str] = []
    for character in text:
        if character in "[{":
            waiting.append({"[": "]", "{": "}"}[character])
        elif character in "]}" and (not waiting or waiting.pop() != character):
            return False
    return not waiting


@given(pairs())
def test_latex_is_balanced(pair: treescore.TreePair) -> None:
    latex = unescaped(draw.latex(pair))
    words = re.compile(r"\{[^{}]*[\[\]][^{}]*\}")  # brackets in words stand in braces
    assert balanced(words.sub("{}", latex))
    assert latex.count(r"\begin{forest}") == latex.count(r"\end{forest}") == 2
    assert not re.search(r"(?<!\\)[&#%~^]", latex.replace("#1", ""))


def test_latex() -> None:
    latex = draw.latex(treescore.pair(GOLD, TEST, "struct_iou"))
    assert r"\definecolor{treescore0}{HTML}{0072B2}" in latex
    assert "[{S}, treescore aligned=0 [{NP}, treescore aligned=1 [{PRP} [{I}]]]" in latex
    assert r"[{$+$$\neq$ADJP}, treescore extra" in latex
    [below] = re.findall(r"\\par\\noindent\{\\small (.*)\}\n", latex)
    assert below == r"sentence 1 $\cdot$ struct\_iou 76.92 (gold, test)"
    assert r"\ttfamily struct\_iou{|}\allowbreak{}labels:yes{|}" in latex
    assert r"{\small 50\% (gold, test)}" in draw.latex(treescore.pair(GOLD, TEST), title="50%")
    assert r"{\small a cat}" in draw.latex(treescore.read("(NP a cat)")[0], title="a cat")
    hebrew = treescore.read("(S (NN ילד) (VB ראה))")[0]
    assert r"\begin{forest} treescore, for tree={reversed}" in draw.latex(hebrew)
    assert "reversed" not in draw.latex(hebrew, direction="ltr")
    gaps = draw.latex(treescore.read("(S (VP (WRB 0=why) (VB 2=go)) (MD 1=did))")[0])
    assert "[{S} [{VP} [{WRB} [{why$_{1}$}]] [{VB} [{go$_{3}$}]]] [{MD} [{did$_{2}$}]]]" in gaps


def test_texts_are_not_wider_than_their_room() -> None:
    """Where there is no Arial, pictures are drawn with DejaVu Sans, which is wider; matplotlib brings it along."""
    font_manager = pytest.importorskip("matplotlib.font_manager")
    fonts = pytest.importorskip("fontTools.ttLib")

    font = fonts.TTFont(font_manager.findfont("DejaVu Sans"))
    names, widths, unit = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
    for text in [*map(chr, range(32, 127)), *"−×≠∅·…–—“”‘’•€£§"]:
        assert text_width(text, 1000) >= round(widths[names[ord(text)]][0] * 1000 / unit) - 1, text


def test_a_node_that_counts_and_has_no_label() -> None:
    pair = treescore.pair("(TOP (S (NP a) (VP b)))", "((S (NP a) (VP b)))", "parseval|profile:none")
    picture = pair.svg()
    assert {"+≠∅", "−≠TOP"} <= set(map(label_of, nodes_of(picture).values())) and "≠" not in picture
    assert r"$+$$\neq$$\emptyset$" in draw.latex(pair)
