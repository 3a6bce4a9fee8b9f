"""The examples in the docstrings of the package run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from types import ModuleType

import pytest

import treescore

#: Modules that import a library of an extra: they are tested by `make test-company`.
ADAPTERS = ("treescore.integrations.torchmetrics", "treescore.integrations.spacy")
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def modules() -> list[str]:
    """All modules written in Python. `__main__` would run the command."""
    items = [module.name for module in pkgutil.walk_packages(treescore.__path__, "treescore.")]
    return ["treescore", *(name for name in items if name not in ("treescore.__main__", "treescore._core"))]


def imported(name: str) -> ModuleType:
    """A module; those that need a library that is not installed are skipped."""
    try:
        return importlib.import_module(name)
    except treescore.UsageError as missing:
        if name not in ADAPTERS:
            raise
        pytest.skip(f"the examples are not run: {missing}")


@pytest.mark.parametrize("name", modules())
def test_docstrings(name: str) -> None:
    messages: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    for test in doctest.DocTestFinder().find(imported(name)):
        runner.run(test, out=messages.append)
    assert not messages, "".join(messages)


def test_examples_are_found() -> None:
    finder = doctest.DocTestFinder()
    items = [importlib.import_module(name) for name in modules() if name not in ADAPTERS]
    count = sum(len(test.examples) for module in items for test in finder.find(module))
    assert count > 30
