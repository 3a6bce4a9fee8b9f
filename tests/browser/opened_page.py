"""A report page in the browser, and whatever it does that it should not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

#: Gold trees of a small page, and the trees of its two systems.
GOLD = [
    "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps) (PP (IN on) (NP (DT the) (NN mat)))))",
    "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (DT a) (NN hat))))))",
    "(S (NP (NN time)) (VP (VBZ flies)))",
    "(S (NP (DT a) (NN dog)) (VP (VBZ barks) (ADVP (RB loudly))))",
]
A = [
    "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps) (PP (IN on) (NP (DT the) (NN mat)))))",
    "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (DT a) (NN hat)))))",
    "(S (VP (NN time)) (VP (VBZ flies)))",
    "(S (NP (DT a) (NN dog) (VBZ barks)) (ADVP (RB loudly)))",
]
B = [
    "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (PP (IN on) (NP (DT the) (NN mat))))",
    GOLD[1],
    "(S (NP (NN time)) (VP (VBZ flies)))",
    "(S (NP (DT a) (NN pig)) (VP (VBZ barks) (ADVP (RB loudly))))",
]


class Opened:
    """A page in the browser, with all that it complained about or asked the network for."""

    def __init__(self, page: Any, path: Path) -> None:
        self.page, self.address = page, path.as_uri()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.set_default_timeout(120_000)  # on a machine under load
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", self._dismiss)
        page.route("**/*", self._judge)

    def _dismiss(self, dialog: Any) -> None:
        self.complaints.append("dialog")
        dialog.dismiss()

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
        self.page.wait_for_selector("html[data-ready]")
        return self.page

    def check(self) -> None:
        """Nothing went wrong, and nothing was asked for."""
        assert self.complaints == []
        assert self.requests == []
