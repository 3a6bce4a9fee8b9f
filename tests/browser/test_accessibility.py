"""axe-core finds no serious problem of accessibility on the report page, light or dark, wide or narrow."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from browser.opened_page import Opened

import treescore

Open = Callable[..., Opened]

DATA = Path(treescore.__file__).parent / "data"


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core."""
    package = find_spec("axe_playwright_python")
    if package is None or not package.submodule_search_locations:
        message = "ACCESSIBILITY OF THE REPORT PAGE IS NOT TESTED: axe-playwright-python is not installed"
        warnings.warn(message, stacklevel=1)
        pytest.skip(message)
    return Path(package.submodule_search_locations[0], "axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_problem(opened: Open, axe: str, scheme: str, width: int) -> None:
    gold, test, second = (treescore.read(DATA / f"demo.{name}.mrg") for name in ("gold", "test", "second"))
    made = opened(gold, {"test": test, "second": second}, color_scheme=scheme, viewport={"width": width, "height": 900})
    serious = []
    for fragment in ("", "#q=lenght%3C5", "#s=20", "#s=20&m=2&v=1"):
        page = made.go(fragment)
        for details in page.query_selector_all("#overview:not([hidden]) details"):
            details.evaluate("details => { details.open = true; }")
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        serious += [
            (fragment, violation["id"], [node["html"] for node in violation["nodes"]])
            for violation in found["violations"]
            if violation["impact"] in ("serious", "critical")
        ]
    assert serious == []
    made.check()
