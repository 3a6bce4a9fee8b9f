"""One real browser for all tests of the report page. Where there is none, they are skipped, and say so loudly."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from browser.opened_page import GOLD, A, B, Opened

from treescore import compare
from treescore.page.build import Page

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")  # its event loop must not run on below other tests
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    lacking = "playwright is not installed" if find_spec("playwright") is None else "there is no chromium"
    if path is None or find_spec("playwright") is None:
        message = f"THE REPORT PAGE IS NOT TESTED IN A BROWSER: {lacking}"
        warnings.warn(message, stacklevel=1)
        pytest.skip(message)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield found
        found.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Writes a page from trees, or takes one, and opens it."""
    contexts = []

    def open_page(
        gold: Any, systems: Mapping[str, Any] | None = None, metrics: Any = ("parseval", "struct_iou"), **context: Any
    ) -> Opened:
        path = tmp_path / "page.html"
        if isinstance(gold, Path):
            path = gold
        else:
            assert systems is not None
            Page(compare(gold, systems, metrics)).write(str(path))
        contexts.append(browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **context}))
        made = Opened(contexts[-1].new_page(), path)
        made.go()
        return made

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def small(opened: Callable[..., Opened]) -> Opened:
    """Four sentences of two systems by two metrics."""
    return opened(GOLD, {"A": A, "B": B})
