"""The layout of the package: few modules at the top, distinctive file names, and a sentence about each package."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from treescore.readers.input_formats import ALIGNMENT_FORMATS, TIMES_FORMATS, TRANSCRIPT_FORMATS, TREE_FORMATS
from treescore.render import VIEWS, formats_of
from treescore.render.output_formats import OUTPUT_FORMATS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "treescore"
PACKAGES = sorted(file.parent.relative_to(SOURCE.parent) for file in SOURCE.rglob("__init__.py"))


def test_there_are_at_most_twelve_modules_at_the_top() -> None:
    assert len(list(SOURCE.glob("*.py"))) <= 12


def test_no_file_name_occurs_three_times() -> None:
    names = Counter(file.name for file in SOURCE.rglob("*.py"))
    del names["__init__.py"]
    assert {name: count for name, count in names.items() if count > 2} == {}


@pytest.mark.parametrize("package", PACKAGES, ids=str)
def test_every_package_says_in_one_sentence_what_it_contains(package: Path) -> None:
    text = (SOURCE.parent / package / "__init__.py").read_text(encoding="utf-8")
    first = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0]
    assert "\n" not in first
    assert first.endswith(".")
    assert ". " not in first.replace("et al. ", "")


@pytest.mark.parametrize("table", [TREE_FORMATS, TIMES_FORMATS, TRANSCRIPT_FORMATS, ALIGNMENT_FORMATS])
def test_input_formats_are_documented(table: dict[str, object]) -> None:
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    assert [name for name in table if f"`{name}`" not in page] == []


def test_output_formats_are_documented_and_used() -> None:
    page = (ROOT / "docs" / "command.md").read_text(encoding="utf-8")
    assert [name for name in OUTPUT_FORMATS if f"`{name}`" not in page and f"-f {name}" not in page] == []
    assert {form for kind in VIEWS for form in formats_of(kind)} == set(OUTPUT_FORMATS)
