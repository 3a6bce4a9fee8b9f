"""Reports that pages contain as JSON: their schema, and comparisons of saved reports without the trees."""

from __future__ import annotations

import base64
import json
import re
import zlib
from array import array
from pathlib import Path
from typing import Any

import pytest
from command import treescore as run

import treescore
from treescore.page.build import Page
from treescore.render.saved_reports import SCHEMA, restored, saved

DATA = Path(treescore.__file__).parent / "data"
RULES = json.loads((DATA / "report.schema.json").read_text(encoding="utf-8"))
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


def violations(value: Any, rule: Any, place: str = "report") -> list[str]:
    """Where a value differs from a JSON Schema, as far as ours uses the language."""
    if "$ref" in rule:
        return violations(value, RULES["$defs"][rule["$ref"].removeprefix("#/$defs/")], place)
    if "anyOf" in rule:
        each = [violations(value, option, place) for option in rule["anyOf"]]
        return [] if [] in each else [line for lines in each for line in lines]
    known = {"$schema", "$id", "title", "$defs", "description", "type", "required", "properties", "items", "const"}
    assert set(rule) <= known | {"additionalProperties"}
    if "const" in rule:
        return [] if value == rule["const"] else [f"{place} is not {rule['const']}"]
    types = [rule["type"]] if isinstance(rule["type"], str) else rule["type"]
    if isinstance(value, bool) or not isinstance(value, tuple(kind for name in types for kind in TYPES[name])):
        return [f"{place} is not {types}"]
    found = []
    if isinstance(value, list):
        for number, item in enumerate(value):
            found += violations(item, rule.get("items", {"type": list(TYPES)}), f"{place}[{number}]")
    if isinstance(value, dict):
        found += [f"{place} has no {name}" for name in rule.get("required", ()) if name not in value]
        others = rule.get("additionalProperties", True)
        for name, item in value.items():
            if name in rule.get("properties", {}):
                found += violations(item, rule["properties"][name], f"{place}.{name}")
            elif others is False:
                found.append(f"{place}.{name} is unknown")
            elif others is not True:
                found += violations(item, others, f"{place}.{name}")
    return found


def in_page(html: str) -> Any:
    """The JSON of a page, as docs/formats.md says."""
    match = re.search(r'<script type="application/json" id="report">(.*?)</script>', html, re.DOTALL)
    assert match is not None
    return json.loads(match[1])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("gold", "test", "second"):
        (tmp_path / f"{name}.mrg").write_bytes((DATA / f"demo.{name}.mrg").read_bytes())
    return tmp_path


def test_pages_follow_the_schema() -> None:
    nasty = "</script><script>alert(1)</script>"
    gold = ["(S (NP (NN a)) (VP (VB b)))", "(S (NN c))"]
    for systems in ({nasty: gold}, {"A": ["(S (NP (NN a)) (VB b))", "(())"], nasty: gold}):
        page = Page(treescore.compare(gold, systems, ["parseval", "struct_iou"]), title=nasty)
        data = in_page(page.html)
        assert violations(data, RULES) == []
        assert data["title"] == nasty and [system["name"] for system in data["systems"]] == list(systems)
    assert violations({**data, "title": 1, "more": 2}, RULES) == [
        "report.title is not ['string']",
        "report.more is unknown",
    ]
    assert RULES["$id"] == RULES["properties"]["schema"]["const"] == SCHEMA


def test_pages_have_what_the_commands_print(folder: Path) -> None:
    run(folder, "report", "gold.mrg", "test.mrg", "second.mrg", "-m", "parseval", "-o", "page.html")
    data = in_page((folder / "page.html").read_text(encoding="utf-8"))
    assert violations(data, RULES) == []
    for system in data["systems"]:
        out, _ = run(folder, "gold.mrg", f"{system['name']}.mrg", "-m", "parseval", "-f", "json")
        assert system["report"] == json.loads(out)
    out, _ = run(folder, "compare", "gold.mrg", "test.mrg", "second.mrg", "-m", "parseval", "-f", "json")
    printed = json.loads(out)
    del printed["problems"]
    assert data["comparison"] == printed


def test_counts_are_those_of_the_report(folder: Path) -> None:
    report = treescore.evaluate(folder / "gold.mrg", folder / "test.mrg", "parseval")
    [system] = saved(treescore.compare(report.gold, {"A": report.test}, "parseval"), "")["systems"]
    [counts] = system["counts"]
    numbers = array("q", zlib.decompress(base64.b64decode(counts["data"])))
    names = [name for name in (*counts["sums"], *counts["notes"]) if name not in counts["zeros"]]
    for place, name in enumerate(names):
        assert numbers[40 * place : 40 * (place + 1)].tolist() == report.scores[0].counts[name].tolist()
    again = restored(saved(treescore.compare(report.gold, {"A": report.test}, "parseval"), ""))["A"]
    assert again.scores[0].counts == report.scores[0].counts
    assert again.problems == report.problems
    assert again.causes() == []


@pytest.mark.parametrize("extra", [[], ["--common"], ["--significance", "bootstrap", "--ci-samples", "200"]])
def test_comparing_pages_gives_the_numbers_of_comparing_trees(folder: Path, extra: list[str]) -> None:
    metrics = ["-m", "parseval", "-m", "struct_iou"]
    for name in ("test", "second"):
        run(folder, "report", "gold.mrg", f"{name}.mrg", *metrics, "-o", f"{name}.html")
    of_trees, _ = run(folder, "compare", "gold.mrg", "test.mrg", "second.mrg", *metrics, "-f", "json", *extra)
    of_pages, _ = run(folder, "compare", "test.html", "second.html", "-f", "json", *extra)
    trees, pages = json.loads(of_trees), json.loads(of_pages)
    assert pages["metrics"] == trees["metrics"]
    assert pages["inputs"] == trees["inputs"]
    json_file = folder / "before.json"
    json_file.write_text(json.dumps(in_page((folder / "test.html").read_text(encoding="utf-8"))))
    out, _ = run(folder, "compare", "before.json", "second.html", "--name", "before", "--name", "after", *extra)
    assert "before" in out and "after" in out


def test_pages_with_several_systems_are_compared_by_page_and_name(folder: Path) -> None:
    run(folder, "report", "gold.mrg", "test.mrg", "second.mrg", "-o", "both.html")
    run(folder, "report", "gold.mrg", "gold.mrg", "--name", "itself", "-o", "one.html")
    out, _ = run(folder, "compare", "both.html", "one.html", "-f", "json")
    names = [system["name"] for system in json.loads(out)["metrics"][0]["systems"]]
    assert names == ["both: test", "both: second", "one"]


def test_reports_that_cannot_be_compared(folder: Path) -> None:
    run(folder, "report", "gold.mrg", "test.mrg", "-o", "a.html")
    run(folder, "report", "gold.mrg", "test.mrg", "-m", "struct_iou", "-o", "b.html")
    run(folder, "report", "test.mrg", "gold.mrg", "-o", "c.html")
    (folder / "web.html").write_text("<!doctype html><title>a</title>")
    text = (folder / "a.html").read_text(encoding="utf-8")
    (folder / "cut.html").write_text(text[: text.index('"systems"') + 20])
    (folder / "next.html").write_text(text.replace(SCHEMA, "treescore-report-99"))
    (folder / "bad.html").write_text(text.replace('"rows":40', '"rows":41'))
    for arguments, message in {
        ("a.html", "b.html"): "different metrics",
        ("a.html", "c.html"): "different gold trees",
        ("a.html", "test.mrg"): "test.mrg is not a report",
        ("a.html", "web.html"): "web.html is not a report",
        ("a.html", "cut.html"): "the report is damaged",
        ("a.html", "next.html"): "treescore-report-99",
        ("a.html", "bad.html"): "damaged",
        ("a.html", "b.html", "-m", "parseval"): "leave out -m",
    }.items():
        _, err = run(folder, "compare", *arguments, code=2)
        assert message in err and err.count("\n") == 1, err
