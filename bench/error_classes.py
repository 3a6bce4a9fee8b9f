#!/usr/bin/env python3
"""Measure what classes and tables of errors cost beside building the trees: CPU time, one thread.

    python bench/error_classes.py
    python bench/error_classes.py --gold gold.mrg --test test.mrg --times 12

On treebank-like pairs or on files of your own, repeated; and on pairs of combs that branch to opposite sides, the worst
there is, where the work grows until the pair is refused. Times are the least of several rounds, in which all is run in
turn.
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

WORDS = (50, 100, 200, 400, 800, 1_600, 100_000)


def comb(words: int, *, right: bool) -> str:
    """Write a tree in which every phrase has one word and a phrase.

    >>> comb(2, right=True), comb(2, right=False)
    ('(X (N a) (X (N a) (N a)))', '(X (X (N a) (N a)) (N a))')
    """
    return "(X (N a) " * words + "(N a)" + ")" * words if right else "(X " * words + "(N a)" + " (N a))" * words


def main(arguments: Sequence[str] | None = None) -> int:
    """Make or read the input, measure, and print times and ratios."""
    parser = argparse.ArgumentParser(description="CPU time of error classes beside reading.")
    parser.add_argument("-n", "--count", type=positive, default=2416, help="pairs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the pairs (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=7, help="rounds (default: %(default)s)")
    parser.add_argument("--gold", type=Path, help="gold trees to use instead, one per line")
    parser.add_argument("--test", type=Path, help="and parsed ones")
    parser.add_argument("--times", type=positive, default=1, help="read them so many times over (default: 1)")
    options = parser.parse_args(arguments)
    return in_folder(lambda folder: measure(folder, options))


def measure(folder: Path, options: argparse.Namespace) -> None:
    """Measure both kinds of input."""
    if options.gold and options.test:
        texts = [path.read_bytes() * options.times for path in (options.gold, options.test)]
    else:
        texts = [path.read_bytes() for path in make_files(folder, options.count, options.seed)]
    read = partial(treescore.read, layout="line", on_error="keep")
    gold, test = map(read, texts)
    found = treescore.explain_errors(gold, test)
    taken = fastest(
        {
            "building the trees": lambda: [read(text) for text in texts],
            "parseval": partial(treescore.evaluate, gold, test, threads=1),
            "errors by label, rule, parent": lambda: treescore.breakdown(gold, test, threads=1),
            "error classes": lambda: treescore.explain_errors(gold, test, threads=1).classes(),
            "steps as records": lambda: [step.record() for step in found.steps()],
        },
        options.rounds,
    )
    counts = found.counts
    print(f"{len(gold):,} pairs, {counts['steps']:,} steps for {counts['brackets']:,} brackets")
    print(f"{'':<30}{'ms':>9}{'µs/pair':>10}{'/ building':>12}")
    for name, seconds in taken.items():
        ratio = seconds / taken["building the trees"]
        print(f"{name:<30}{1e3 * seconds:>9.1f}{1e6 * seconds / len(gold):>10.2f}{ratio:>12.2f}")
    print(f"\n{'combs to opposite sides: words':<32}{'ms':>9}  result")
    for words in WORDS:
        left, right = (treescore.read(comb(words, right=right)) for right in (False, True))
        seconds = fastest({"combs": partial(treescore.explain_errors, left, right)}, 1)["combs"]
        problems = treescore.explain_errors(left, right).problems
        print(f"{words:<32,}{1e3 * seconds:>9.1f}  {problems[0].code if problems else 'repaired'}")


if __name__ == "__main__":
    sys.exit(main())
