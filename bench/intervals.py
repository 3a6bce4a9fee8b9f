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
from typing import Any

from evalb_process import make_files
from measure import in_folder, positive
from struct_iou import fastest

import treescore
from treescore.metrics import names
from treescore.place.pair import Pair
from treescore.readers.conllu import read_conllu
from treescore.significance import intervals, samples
from treescore.trees import Treebank


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
    for signature in names():
        metric = treescore.metric(signature)
        sides = [scored_by(signature, bank, number) for number, bank in enumerate(banks)]
        counts = metric.counts(Pair(*sides))
        taken = fastest(
            {
                "scoring": partial(metric.counts, Pair(*sides)),
                "drawing": partial(draw, counts, options.samples),
                "intervals": partial(intervals, metric, counts, n=options.samples, threads=1),
            },
            options.rounds,
        )
        times = "".join(f"{seconds:>11.3f}" for seconds in taken.values())
        print(f"{signature:<20}{times}{taken['intervals'] / taken['scoring']:>11.1f}")


def scored_by(signature: str, bank: Treebank, side: int) -> Any:
    """What the metric scores: the trees, or for some these with times, or their words as dependencies."""
    if signature == "boundaries":
        return treescore.perturb(bank, "noise", 0.1 * side, axis="words")
    if signature == "conllu_eval":
        lines = []
        for tree in bank:
            words = len(tree.leaves)
            heads = [0, *(max(1, place - side * (place % 9 == 0)) for place in range(1, words))]
            lines += [
                f"{place}\tw{place}\t_\tX\t_\t_\t{head}\t{'dep' if head else 'root'}\t_\t_\n"
                for place, head in enumerate(heads, 1)
            ]
            lines.append("\n")
        return read_conllu("".join(lines))
    return bank


def draw(counts: treescore.Counts, number: int) -> None:
    """Draw so many samples, and do nothing with them."""
    for _ in samples(counts, number, seed=1, threads=1):
        pass


if __name__ == "__main__":
    sys.exit(main())
