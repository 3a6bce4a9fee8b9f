#!/usr/bin/env python3
"""Measure what leaf-ancestor and disfluency cost beside PARSEVAL and building the trees: CPU time, one thread.

    python bench/leaf_ancestor.py -n 48320

On treebank-like pairs, and on chains of phrases over one word whose labels all differ but for every tenth: there the
edit distance of the two paths is nearly all of the work, and the growth is that of a band around the diagonal. Times
are the least of several rounds, in which all is run in turn.
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
from treescore.place.pair import Pair

SIGNATURES = (
    "parseval",
    "leaf_ancestor|variant:spmrl|cut:-=",
    "leaf_ancestor|variant:discodop|cut:-=",
    "leaf_ancestor|variant:plain|cut:-=",
    "disfluency",
)
DEPTHS = (1_000, 2_000, 4_000, 8_000)


def chain(letter: str, depth: int) -> str:
    """Write phrases in phrases over one word; every tenth label is the same whatever the letter.

    >>> chain("A", 2)
    '(X (A (NN a)))'
    """
    return "".join("(X " if level % 10 == 0 else f"({letter} " for level in range(depth)) + "(NN a)" + ")" * depth


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the input, measure, and print times and ratios."""
    parser = argparse.ArgumentParser(
        description="CPU time of leaf-ancestor and disfluency beside reading and PARSEVAL."
    )
    parser.add_argument("-n", "--count", type=positive, default=48320, help="pairs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the pairs (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=7, help="rounds (default: %(default)s)")
    options = parser.parse_args(arguments)
    return in_folder(lambda folder: measure(folder, options))


def measure(folder: Path, options: argparse.Namespace) -> None:
    """Measure both kinds of input."""
    gold, test = make_files(folder, options.count, options.seed)
    banks = treescore.read(gold), treescore.read(test)
    metrics = {signature: treescore.metric(signature) for signature in SIGNATURES}
    taken = fastest(
        {
            "building the trees": lambda: (treescore.read(gold), treescore.read(test)),
            **{name: partial(metric.counts, Pair(*banks)) for name, metric in metrics.items()},
        },
        options.rounds,
    )
    reading, parseval = taken["building the trees"], taken["parseval"]
    print(f"{options.count} pairs")
    print(f"{'':<40}{'µs/pair':>9}{'/ building':>12}{'/ parseval':>12}")
    for name, seconds in taken.items():
        print(f"{name:<40}{1e6 * seconds / options.count:>9.2f}{seconds / reading:>12.2f}{seconds / parseval:>12.2f}")
    print("\nchains of phrases with other labels")
    print(f"{'depth':<40}{'ms':>9}{'/ half of it':>14}")
    before = 0.0
    metric = treescore.metric("leaf_ancestor")
    for depth in DEPTHS:
        chains = [treescore.read(chain(letter, depth)) for letter in "AB"]
        seconds = fastest({"chains": partial(metric.counts, Pair(*chains))}, 3)["chains"]
        ratio = f"{seconds / before:.2f}" if before else "–"
        print(f"{depth:<40,}{1000 * seconds:>9.2f}{ratio:>14}")
        before = seconds


if __name__ == "__main__":
    sys.exit(main())
