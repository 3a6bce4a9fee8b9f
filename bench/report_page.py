#!/usr/bin/env python3
"""What the report page of many sentences costs, beside scoring them, and how large it is.

    python bench/report_page.py -n 50000 --systems 2
    python bench/report_page.py -n 50000 --browser

Made-up sentences that look like parsed newspaper text. CPU time inside one process, one thread; with --browser also the
time until the page can be used in chromium, and of sorting, searching and opening a sentence there.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter, process_time

from make_treebank import pairs
from measure import positive

import treescore
from treescore.page.build import Page


def main() -> None:
    """Make a page and print its time and size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--sentences", type=positive, default=50_000, help="number of sentences (default: 50000)")
    parser.add_argument("--systems", type=int, choices=(1, 2), default=1, help="number of systems (default: 1)")
    parser.add_argument("--browser", action="store_true", help="also open the page in chromium")
    options = parser.parse_args()
    made = list(pairs(options.sentences, seed=1))
    gold = treescore.read("\n".join(gold for gold, _ in made))
    tests = {"A": treescore.read("\n".join(test for _, test in made))}
    if options.systems == 2:
        tests["B"] = treescore.read("\n".join(test for _, test in pairs(options.sentences, seed=1, error_rate=0.2)))
    words = gold.native.leaf_total() / len(gold)
    print(f"{len(gold):,} sentences of {words:.1f} words, {options.systems} system(s), parseval and struct_iou")
    begin = process_time()
    comparison = treescore.compare(gold, tests, ["parseval", "struct_iou"], threads=1)
    scoring = process_time() - begin
    begin = process_time()
    page = Page(comparison, threads=1)
    building = process_time() - begin
    print(f"scoring {scoring:.1f} s, page {building:.1f} s: {building / scoring:.1f} times as much")
    sizes: Counter[str] = Counter()
    for found in re.finditer(r'id="data-([a-z]+)[-0-9]*">([^<]*)<', page.html):
        sizes[found[1]] += len(found[2])
    parts = ", ".join(f"{name} {size / 1e6:.2f}" for name, size in sizes.most_common())
    print(f"page {len(page.html.encode()) / 1e6:.2f} MB: {parts}; {page.left_out:,} sentences without trees")
    if options.browser:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "page.html")
            page.write(path)
            print(", ".join(f"{what} {seconds:.2f} s" for what, seconds in used(path).items()))


#: What a reader does, as JavaScript.
ACTIONS = {
    "sort": "treescore.app.set({ sort: '-length' })",
    "search": "treescore.app.set({ query: 'a score<80 missing:NP' })",
    "open a sentence": "(async () => { const { app } = treescore; await app._show(app.list.order[0]); })()",
}


def used(path: Path) -> dict[str, float]:
    """The seconds until the page can be used, and those of each action."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        begin = perf_counter()
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]", timeout=120_000)
        seconds = {"load": perf_counter() - begin}
        for what, action in ACTIONS.items():
            begin = perf_counter()
            page.evaluate(action)
            seconds[what] = perf_counter() - begin
        browser.close()
    return seconds


if __name__ == "__main__":
    main()
