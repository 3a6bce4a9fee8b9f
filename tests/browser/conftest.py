"""One real browser for all tests of the report page. Where there is none, they are skipped, and say so loudly."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

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


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None
    if path is None or sync_playwright is None:
        lacking = "playwright is not installed" if sync_playwright is None else "there is no chromium"
        message = f"THE REPORT PAGE IS NOT TESTED IN A BROWSER: {lacking}"
        warnings.warn(message, stacklevel=1)
        pytest.skip(message)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield found
        found.close()


class Opened:
    """A page in the browser, with all that it complained about or asked the network for."""

    def __init__(self, page: Any, path: Path) -> None:
        self.page, self.address = page, path.as_uri()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append("dialog"), dialog.dismiss()))
        page.route("**/*", self._judge)

    def _judge(self, route: Any) -> None:
        if route.request.url.partition("#")[0] == self.address:
            route.continue_()
        else:
            self.requests.append(route.request.url)
            route.abort()

    def go(self, fragment: str = "") -> Any:
        """Loads the page anew, and waits until it is ready."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}{fragment}")
        self.page.wait_for_selector("html[data-ready]", timeout=30_000)
        return self.page

    def check(self) -> None:
        """Nothing went wrong, and nothing was asked for."""
        assert self.complaints == []
        assert self.requests == []


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
