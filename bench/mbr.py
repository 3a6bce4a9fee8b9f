#!/usr/bin/env python3
"""Measure minimum Bayes risk over whole n-best lists, read from text: CPU time, one process, one thread.

    python bench/mbr.py
    python bench/mbr.py --nbest lists.tsv

Lists are sentences with different errors of a parser, as in bench/pairwise.py. `nbest.mbr` reads them and chooses from
each; beside it, each pair of the candidates of one list is scored with `evaluate`, which is what it takes without
`pairwise`. A list of 50 has 1,225 pairs; in which order a pair is scored makes no difference. Times are the least of
several rounds.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

from measure import positive
from pairwise import candidates, pairs_of
from struct_iou import fastest

import treescore
from treescore import nbest

FEW = 12
METRICS = ("struct_iou", "parseval")


def choosing(source: str | Path, metric: str) -> Callable[[], object]:
    """The work of choosing from each list."""
    return lambda: [choice.rank for choice in nbest.mbr(source, metric, threads=1)]


def one_by_one(trees: Sequence[str], metric: str) -> Callable[[], object]:
    """The work of scoring each pair by itself."""
    bank = treescore.read(list(trees))
    return lambda: [
        treescore.evaluate(bank[gold : gold + 1], bank[test : test + 1], metric, threads=1).scores[0].value
        for gold, test in combinations(range(len(bank)), 2)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the lists, measure, and print times and ratios."""
    parser = argparse.ArgumentParser(
        description="CPU time of treescore.nbest.mbr for a pair of candidates, one thread."
    )
    parser.add_argument("-n", "--count", type=positive, default=10, help="lists made (default: %(default)s)")
    parser.add_argument("--size", type=positive, default=50, help="candidates of a list (default: %(default)s)")
    parser.add_argument("--words", type=positive, default=30, help="words of a sentence (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the candidates (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=3, help="rounds (default: %(default)s)")
    parser.add_argument("--nbest", type=Path, metavar="FILE", help="measure these n-best lists instead")
    options = parser.parse_args(arguments)
    rng = random.Random(options.seed)
    lists = [candidates(options.words, max(options.size, FEW), 0.05, rng) for _ in range(options.count)]
    made = "\n".join("".join(f"{tree}\n" for tree in trees[: options.size]) for trees in lists)
    source: str | Path = options.nbest or made
    sizes = [len(found) for found in nbest.read(source)]
    few = [str(tree) for tree in next(iter(nbest.read(source))).trees][:FEW] if options.nbest else lists[0][:FEW]
    pairs = {"mbr": sum(map(pairs_of, sizes)), "evaluate": pairs_of(len(few))}
    print(f"{len(sizes)} lists of {sum(sizes) / len(sizes):.0f} candidates, {pairs['mbr']:,} pairs")
    print(f"{'':<12}{'seconds':>9}{'pairs/s':>12}{'µs/pair':>10}{'evaluate /':>12}")
    for metric in METRICS:
        taken = fastest({"mbr": choosing(source, metric), "evaluate": one_by_one(few, metric)}, options.rounds)
        each = {name: seconds / pairs[name] for name, seconds in taken.items()}
        print(
            f"{metric:<12}{taken['mbr']:>9.2f}{1 / each['mbr']:>12,.0f}{1e6 * each['mbr']:>10.2f}"
            f"{each['evaluate'] / each['mbr']:>12.1f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
