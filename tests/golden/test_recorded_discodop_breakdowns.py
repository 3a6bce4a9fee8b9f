"""Errors by label, rule, parent and tag against recorded tables of disco-dop.

The original compares every rule, and every wrong label, of test with the innermost one of gold over the same words, and
leaves out rules over one word and those of a label below itself. Where no two phrases stand over the same words, and
none over one word, that is what treescore does, too; the other cases are listed with what treescore gives.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from golden.test_recorded_discodop import CASES, banks, options_of

import treescore
from treescore.analysis.breakdowns import Breakdown
from treescore.metrics.parseval import Parseval

RECORDED = json.loads((Path(__file__).parent / "discodop_breakdowns.json").read_text(encoding="utf-8"))
TABLES = {case["id"]: {**CASES.get(case["id"], {}), **case} for case in RECORDED["cases"]}
ROOT = "ROOT"  # deleted, but still the parent of what stands below it, and with a rule of its own

#: Rules that change, and wrong labels, gold first, where it is not the original's.
RULES = {
    "b01": [("X → A B", "Z → A B"), ("S → X C", "S → Y C")],
    "b02": [("P → Q", "R → T"), ("Q → A B", "T → A B"), ("S → P C", "S → R C")],
    "b03": [("P → Q", "Q → P"), ("Q → A B", "P → A B"), ("S → P C", "S → Q C")],
    "b08": [("S → X C", "S → Y C"), ("X → A", "Y → A")],
    "b12": [("S → NP D", "NP → NP C D")],
    "d19": [],  # S has no gap
}
LABELS = {"b01": [("X", "Y")], "b02": [("P", "R"), ("Q", "T")]}


def found_for(case: dict[str, Any]) -> Breakdown:
    return treescore.breakdown(*banks(case), Parseval("discodop", **options_of(case)))


def rule(text: str) -> str:
    """A rule of the original, such as `01,0<TAB>VP A B`, as treescore writes it: children by their first words."""
    order, _, labels = text.partition("\t")
    label, *children = labels.replace("PRT", "ADVP").split(" ")
    places = list(dict.fromkeys(order.replace(",", "")))
    written = " ".join([label, "→", *(children[int(place)] for place in places)])
    pieces = " ".join("_" if piece == "," else str(places.index(piece) + 1) for piece in order)
    plain = " ".join(str(place + 1) for place in range(len(places)))
    return written if pieces == plain else f"{written} ({pieces})"


def rules_of(lines: list[str]) -> Counter[str]:
    return Counter({rule(text): int(count) for count, text in (line.split(maxsplit=1) for line in lines)})


def categories_of(lines: list[str]) -> tuple[dict[str, list[str]], Counter[tuple[str, str]]]:
    """Share of gold, recall, precision and F1 by label; and wrong labels, gold first."""
    figures, wrong = {}, Counter[tuple[str, str]]()
    for line in lines:
        number = r"(\d+\.\d\d|nan)"
        left = re.match(rf"\s*(\S+)\s+{number}\s+{number}\s+{number}\s+{number}", line)
        if left:
            figures[left[1].replace("PRT", "ADVP")] = list(left.groups()[1:])
        right = re.search(r"(\S+) (\S+)\s+(\d+)$", line[left.end() :] if left else line)
        if right:
            wrong[right[2].replace("PRT", "ADVP"), right[1].replace("PRT", "ADVP")] += int(right[3])
    return figures, wrong


def check_categories(result: list[Any], figures: dict[str, list[str]], shares: bool) -> None:
    ours = {it.label: it for it in result if it.gold or it.label in figures}
    assert set(ours) == set(figures)
    total = sum(it.gold for it in result)
    for label, (share, recall, precision, f1) in figures.items():
        it = ours[label]
        shown = {name: "nan" if part.value is None else part.shown() for name, part in it.figures.items()}
        assert (shown["recall"], shown["precision"]) == (recall, precision)
        if f1 != "nan":  # where one of both is 0, or undefined
            assert shown["f1"] == f1
        if shares:
            assert f"{100 * it.gold / total:.2f}" == share


@pytest.mark.parametrize("name", TABLES)
def test_labels(name: str) -> None:
    case = TABLES[name]
    result = found_for(case)
    figures, wrong = categories_of(case["tables"].get("categories", []))
    check_categories(result.categories, figures, shares=name != "b04")  # which has two equal brackets
    ours = Counter({(it.gold, it.test): it.count for it in result.confusions if not it.right and it.gold and it.test})
    assert ours == (Counter(LABELS[name]) if name in LABELS else wrong)


@pytest.mark.parametrize("name", [name for name, case in TABLES.items() if "tags" in case["tables"]])
def test_tags(name: str) -> None:
    result = found_for(TABLES[name])
    figures, wrong = categories_of(TABLES[name]["tables"]["tags"])
    assert Counter({(it.gold, it.test): it.count for it in result.tag_confusions if not it.right}) == wrong
    check_categories([it for it in result.tags if it.gold], figures, shares=True)


@pytest.mark.parametrize("name", TABLES)
def test_rules(name: str) -> None:
    tables = TABLES[name]["tables"]
    result = found_for(TABLES[name])
    for kind in ("missing", "extra"):
        ours = Counter({it.gold or it.test: it.count for it in result.rules if it.kind == kind})
        assert ours == rules_of(tables.get(kind, []))
    lines = tables.get("mismatches", [])
    recorded: Counter[tuple[str | None, str | None]] = Counter()
    for test, gold in zip(lines[::2], lines[1::2], strict=True):
        count, text = test.split(maxsplit=1)
        if not rule(text).startswith(f"{ROOT} "):
            recorded[rule(gold), rule(text)] += int(count)
    changed = Counter({(it.gold, it.test): it.count for it in result.rules if it.kind == "changed"})
    assert changed == (Counter(RULES[name]) if name in RULES else recorded)


@pytest.mark.parametrize("name", TABLES)
def test_parents(name: str) -> None:
    ours: Counter[tuple[str, str, str]] = Counter()
    for it in found_for(TABLES[name]).attachments:
        if it.gold_parent != it.test_parent:  # the same label over other words is no error there
            ours[it.label, it.test_parent or ROOT, it.gold_parent or ROOT] += it.count
    recorded: Counter[tuple[str, str, str]] = Counter()
    for line in TABLES[name]["tables"].get("attachments", []):
        label, test, gold, count = line.replace("PRT", "ADVP").split()
        recorded[label, test, gold] += int(count)
    assert ours == recorded


def test_the_file_holds_what_it_should() -> None:
    assert len(TABLES) == 84
    assert sum("mismatches" in case["tables"] for case in TABLES.values()) > 40
    assert sum("attachments" in case["tables"] for case in TABLES.values()) >= 10
    assert sum("tags" in case["tables"] for case in TABLES.values()) >= 10
