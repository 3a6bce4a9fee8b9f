#!/usr/bin/env python3
"""Measure what scoring by each profile costs beside the profile collins: CPU time inside one process, one thread.

    python bench/profiles.py -n 20000

All profiles score the same pairs of trees in turn. `counts` is the native part alone, `evaluate` also has
figures and problems. Medians of several rounds, and their ratios to those of collins.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from evalb_process import make_files
from measure import positive

import treescore
from treescore.place.pair import Pair


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the input, measure, and print times and ratios."""
    parser = argparse.ArgumentParser(description="CPU time of each profile beside collins, one thread.")
    parser.add_argument("-n", "--count", type=positive, default=20000, help="pairs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the pairs (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=7, help="rounds (default: %(default)s)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        gold, test = (treescore.read(path) for path in make_files(Path(folder), options.count, options.seed))
    pair = Pair(gold, test)
    metrics = {name: treescore.metric(f"parseval|profile:{name}") for name in treescore.PROFILES}
    counts: dict[str, list[float]] = {name: [] for name in metrics}
    whole: dict[str, list[float]] = {name: [] for name in metrics}
    for _ in range(options.rounds):
        for name, metric in metrics.items():
            start = time.process_time()
            metric.counts(pair, threads=1)
            middle = time.process_time()
            treescore.evaluate(gold, test, metric, threads=1)
            counts[name].append(middle - start)
            whole[name].append(time.process_time() - middle)
    base = [statistics.median(taken["collins"]) for taken in (counts, whole)]
    print(f"{options.count} pairs; ratios to collins")
    print(f"{'':<25}{'counts ms':>10}{'ratio':>7}{'evaluate ms':>13}{'ratio':>7}")
    for name in metrics:
        medians = [statistics.median(taken[name]) for taken in (counts, whole)]
        ratios = [median / collins for median, collins in zip(medians, base, strict=True)]
        print(f"{name:<25}{1000 * medians[0]:>10.1f}{ratios[0]:>7.2f}{1000 * medians[1]:>13.1f}{ratios[1]:>7.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
