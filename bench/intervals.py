#!/usr/bin/env python3
"""Measure what intervals cost beside scoring: CPU time, one process, one thread.

    python bench/intervals.py

The pairs are scored; then samples are drawn from the rows, and their sums are made into scores. Times are the least
of several rounds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from evalb_process import make_files
from measure import in_folder, positive
from struct_iou import fastest

import treescore
from treescore.significance import intervals, samples

SIGNATURES = (
    "parseval",
    "struct_iou",
    "aligned_parseval",
    "sparseval",
    "leaf_ancestor",
    "disfluency",
    "dependencies",
    "tree_distance",
    "tedeval",
    "functions",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the input, measure, and print times and ratios."""
    parser = argparse.ArgumentParser(description="CPU time of bootstrap intervals beside scoring.")
    parser.add_argument("-n", "--count", type=positive, default=2416, help="pairs (default: %(default)s)")
    parser.add_argument("-s", "--samples", type=positive, default=10_000, help="samples (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the pairs (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=3, help="rounds (default: %(default)s)")
    options = parser.parse_args(arguments)
    return in_folder(lambda folder: measure(folder, options))


def measure(folder: Path, options: argparse.Namespace) -> None:
    """Measure each metric."""
    banks = [treescore.read(path) for path in make_files(folder, options.count, options.seed)]
    print(f"{options.count:,} pairs, {options.samples:,} samples")
    print(f"{'':<20}{'scoring':>11}{'drawing':>11}{'intervals':>11}{'/ scoring':>11}   (seconds)")
    for signature in SIGNATURES:
        metric = treescore.metric(signature)
        counts = metric.counts(banks[0], banks[1])
        taken = fastest(
            {
                "scoring": partial(metric.counts, *banks),
                "drawing": partial(draw, counts, options.samples),
                "intervals": partial(intervals, metric, counts, n=options.samples, threads=1),
            },
            options.rounds,
        )
        times = "".join(f"{seconds:>11.3f}" for seconds in taken.values())
        print(f"{signature:<20}{times}{taken['intervals'] / taken['scoring']:>11.1f}")


def draw(counts: treescore.Counts, number: int) -> None:
    """Draw so many samples, and do nothing with them."""
    for _ in samples(counts, number, seed=1, threads=1):
        pass


if __name__ == "__main__":
    sys.exit(main())
