"""The examples in the docstrings of the package run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import treescore

FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def modules() -> list[str]:
    """All modules written in Python. `__main__` would run the command."""
    found = [module.name for module in pkgutil.walk_packages(treescore.__path__, "treescore.")]
    return ["treescore", *(name for name in found if name not in ("treescore.__main__", "treescore._core"))]


@pytest.mark.parametrize("name", modules())
def test_docstrings(name: str) -> None:
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    for test in doctest.DocTestFinder().find(importlib.import_module(name)):
        runner.run(test, out=said.append)
    assert not said, "".join(said)


def test_examples_are_found() -> None:
    finder = doctest.DocTestFinder()
    count = sum(len(test.examples) for name in modules() for test in finder.find(importlib.import_module(name)))
    assert count > 30
