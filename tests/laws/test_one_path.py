"""There is one path to a score: metrics count on behalf of `scoring/` alone, and an axis says itself how it differs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import treescore
from treescore.place.axis import AXES

SOURCE = Path(treescore.__file__).parent
MODULES = sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py"))


def outside(*packages: str) -> list[str]:
    """The modules that are in none of these packages."""
    return [module for module in MODULES if module.split("/")[0] not in packages]


def nodes(module: str) -> Iterator[ast.AST]:
    """The syntax of a module."""
    return ast.walk(ast.parse((SOURCE / module).read_text(encoding="utf-8")))


def calls(module: str, *methods: str) -> list[int]:
    """The lines on which one of these methods is called, of whatever object."""
    return [
        node.lineno
        for node in nodes(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in methods
    ]


@pytest.mark.parametrize("module", outside("metrics", "scoring"))
def test_only_scoring_lets_metrics_count(module: str) -> None:
    assert not calls(module, "counts", "remarks")


def test_scoring_lets_metrics_count_in_one_place() -> None:
    result = {module: calls(module, "counts") for module in MODULES if module.startswith("scoring/")}
    assert [(module, len(lines)) for module, lines in result.items() if lines] == [("scoring/batch.py", 1)]


@pytest.mark.parametrize("module", outside("place"))
def test_nobody_asks_for_an_axis_by_its_name(module: str) -> None:
    """What is different from one axis to another is in its attributes."""
    for node in nodes(module):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            of_axis = any("axis" in ast.unparse(side) for side in sides)
            named = any(isinstance(side, ast.Constant) and side.value in AXES for side in sides)
            assert not (of_axis and named), f"{module}:{node.lineno}"


@pytest.mark.parametrize("module", outside("scoring"))
def test_metrics_are_chosen_by_the_input_in_one_place(module: str) -> None:
    """Nobody else looks at the words or the times of whole treebanks to find out which metric to use."""
    allowed = {"first_unequal": ("place/unequal.py",), "all_timed": ("place/pair.py",)}
    for method, modules in allowed.items():
        assert module in modules or not calls(module, method)
