#!/usr/bin/env python3
"""Measure what a request to `treescore serve-stdin` costs, beside starting `treescore` for each pair of trees.

    python bench/service.py
    python bench/service.py -n 5000 --metric struct_iou

Three ways to score the same pairs, in turn: a request at a time, each sent when the last one has been answered; all
requests at once; and, for a few of the pairs, a process each. The scores must agree.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from make_treebank import grow, spoil, to_text
from measure import positive

COMMAND = [sys.executable, "-m", "treescore"]
WORDS = 23

Pairs = list[tuple[str, str]]


def make_pairs(count: int, seed: int) -> Pairs:
    """So many gold trees and their parses.

    >>> len(make_pairs(3, 1))
    3
    """
    rng = random.Random(seed)
    gold = [grow(rng, WORDS, function_tags=False) for _ in range(count)]
    return [(to_text(tree), to_text(spoil(rng, tree, 0.1))) for tree in gold]


def request(gold: str, test: str, metric: str) -> bytes:
    """The line that asks for a score."""
    return json.dumps({"gold": gold, "test": test, "metrics": [metric]}).encode() + b"\n"


def value(answer: bytes) -> float | None:
    """The score in an answer."""
    found: float | None = json.loads(answer)["scores"][0]["value"]
    return found


def one_at_a_time(pairs: Pairs, metric: str) -> tuple[list[float | None], float]:
    """Scores, and seconds for a request, from the first one on: starting is not counted."""
    found = []
    with subprocess.Popen([*COMMAND, "serve-stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number, pair in enumerate([pairs[0], *pairs]):
            if number == 1:
                start = perf_counter()
            process.stdin.write(request(*pair, metric))
            process.stdin.flush()
            found.append(value(process.stdout.readline()))
        taken = perf_counter() - start
        process.stdin.close()
    return found[1:], taken / len(pairs)


def all_at_once(pairs: Pairs, metric: str) -> tuple[list[float | None], float]:
    """Scores, and seconds for a request, starting included."""
    sent = b"".join(request(*pair, metric) for pair in pairs)
    start = perf_counter()
    done = subprocess.run([*COMMAND, "serve-stdin", "--flush", "batch"], input=sent, capture_output=True, check=True)
    taken = perf_counter() - start
    return [value(line) for line in done.stdout.splitlines()], taken / len(pairs)


def a_process_each(pairs: Pairs, metric: str, folder: Path) -> tuple[list[float | None], float]:
    """Scores, and seconds for a pair."""
    found = []
    files = [folder / "gold.mrg", folder / "test.mrg"]
    start = perf_counter()
    for pair in pairs:
        for file, tree in zip(files, pair, strict=True):
            file.write_text(tree + "\n", encoding="utf-8")
        command = [*COMMAND, *map(str, files), "-m", metric, "-f", "json"]
        done = subprocess.run(command, capture_output=True, check=True)
        found.append(json.loads(done.stdout)["scores"][0]["value"])
    return found, (perf_counter() - start) / len(pairs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the pairs, measure, and print times and ratios."""
    parser = argparse.ArgumentParser(description="Seconds for a request to serve-stdin, and for a process.")
    parser.add_argument("-n", "--count", type=positive, default=2000, help="requests (default: %(default)s)")
    parser.add_argument("--processes", type=positive, default=20, help="processes a round (default: %(default)s)")
    parser.add_argument("--metric", default="parseval", help="its signature (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the trees (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=5, help="rounds (default: %(default)s)")
    options = parser.parse_args(arguments)
    pairs = make_pairs(options.count, options.seed)
    few = pairs[: options.processes]
    taken: dict[str, list[float]] = {"a process each": [], "one request at a time": [], "all requests at once": []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            results = (
                a_process_each(few, options.metric, Path(folder)),
                one_at_a_time(pairs, options.metric),
                all_at_once(pairs, options.metric),
            )
            for times, (scores, seconds) in zip(taken.values(), results, strict=True):
                times.append(seconds)
                if scores[: len(few)] != results[0][0]:
                    raise SystemExit("the scores differ")
    slowest = median(taken["a process each"])
    print(f"{options.metric}, trees of {WORDS} words, {options.count:,} requests, medians of {options.rounds} rounds")
    print(f"{'':<24}{'ms/pair':>10}{'pairs/s':>10}{'process /':>12}")
    for name, times in taken.items():
        seconds = median(times)
        print(f"{name:<24}{1000 * seconds:>10.3f}{1 / seconds:>10,.0f}{slowest / seconds:>12.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
