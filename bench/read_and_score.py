#!/usr/bin/env python3
"""Measure what scoring costs beside merely reading: CPU time inside one process, one thread.

    python bench/read_and_score.py -n 48320

Measured in turn on the same files: building both treebanks, PARSEVAL with its counts and score, and merely reading the
bytes. Medians of several rounds.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from evalb_process import make_files
from measure import positive

import treescore
from treescore.place.pair import Pair


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the input, measure, and print times and ratios."""
    parser = argparse.ArgumentParser(description="CPU time of scoring beside that of reading, one thread.")
    parser.add_argument("-n", "--count", type=positive, default=48320, help="pairs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the pairs (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=7, help="rounds (default: %(default)s)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        gold, test = make_files(Path(folder), options.count, options.seed)
        metric = treescore.metric("parseval")
        banks = treescore.read(gold), treescore.read(test)
        work: dict[str, Callable[[], object]] = {
            "reading the bytes": lambda: (gold.read_bytes(), test.read_bytes()),
            "building the trees": lambda: (treescore.read(gold), treescore.read(test)),
            "scoring": lambda: metric.score(metric.counts(Pair(*banks), threads=1)).value,
        }
        taken: dict[str, list[float]] = {name: [] for name in work}
        for _ in range(options.rounds):
            for name, step in work.items():
                start = time.process_time()
                step()
                taken[name].append(time.process_time() - start)
    reading = statistics.median(taken["building the trees"])
    print(f"{options.count} pairs, {sum(bank.nbytes for bank in banks) / 2**20:.1f} MiB of columns")
    print(f"{'':<20}{'CPU ms':>9}{'µs/pair':>9}{'/ building':>12}")
    for name, times in taken.items():
        middle = statistics.median(times)
        print(f"{name:<20}{1000 * middle:>9.1f}{1e6 * middle / options.count:>9.2f}{middle / reading:>12.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
