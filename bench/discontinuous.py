#!/usr/bin/env python3
"""Measure what scoring discontinuous trees costs beside reading them: CPU time inside one process, one thread.

    python bench/discontinuous.py -n 20000

The trees of the other scripts, and the same trees with some words moved, so that about a third of them has phrases with
gaps, as in German treebanks. Measured in turn: building the trees from brackets with numbered words and from the export
format, and PARSEVAL on them, beside the same for the continuous trees. Medians of several rounds.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from evalb_process import make_files
from measure import positive

import treescore
from treescore.place.pair import Pair


def with_gaps(bank: treescore.Treebank, share: float, seed: int) -> str:
    """The trees with numbered words; in a share of them two words have changed places under their tags."""
    lines = []
    for number, tree in enumerate(bank):
        rng = Random(f"{seed} {number}")  # the same places on both sides
        order = list(range(len(tree.leaves)))
        if rng.random() < share and len(order) > 3:
            a, b = sorted(rng.sample(order, 2))
            order[a], order[b] = order[b], order[a]
        lines.append(_numbered(tree, order))
    return "".join(line + "\n" for line in lines)


def _numbered(tree: treescore.Tree, order: Sequence[int]) -> str:
    text = next(treescore.read([tree]).lines(form="discbracket"))
    words = iter(order)
    return " ".join(
        f"{next(words)}={part.partition('=')[2]}" if part.partition("=")[0].isdecimal() else part
        for part in text.split(" ")
    )


def as_export(bank: treescore.Treebank) -> str:
    """The trees in the export format."""
    lines = []
    for number, tree in enumerate(bank, 1):
        phrases, _ = tree.structure()
        parent = {child: 500 + place for place, (_, below) in enumerate(phrases) for child in below}
        lines.append(f"#BOS {number}")
        lines += [f"{word}\t{tag}\t--\t--\t{parent.get(~at, 0)}" for at, (word, tag) in enumerate(tree.pos())]
        lines += [f"#{500 + at}\t{label}\t--\t--\t{parent.get(at, 0)}" for at, (label, _) in enumerate(phrases)]
        lines.append(f"#EOS {number}")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the input, measure, and print times and ratios."""
    parser = argparse.ArgumentParser(description="CPU time of discontinuous trees, read and scored, one thread.")
    parser.add_argument("-n", "--count", type=positive, default=20000, help="pairs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the pairs (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=7, help="rounds (default: %(default)s)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        plain = [treescore.read(path) for path in make_files(Path(folder), options.count, options.seed)]
    texts = [with_gaps(bank, 0.35, options.seed).encode() for bank in plain]
    gapped = [treescore.read(text, form="discbracket", on_error="keep") for text in texts]
    brackets = ["".join(line + "\n" for line in bank.lines()).encode() for bank in plain]
    exports = [as_export(bank).encode() for bank in gapped]
    metric = treescore.metric("parseval|profile:discodop")
    work: dict[str, Callable[[], object]] = {
        "read brackets": lambda: [treescore.read(text) for text in brackets],
        "read discbracket": lambda: [treescore.read(text, form="discbracket") for text in texts],
        "read export": lambda: [treescore.read(text) for text in exports],
        "score continuous": lambda: metric.counts(Pair(*plain), threads=1),
        "score discontinuous": lambda: metric.counts(Pair(*gapped), threads=1),
    }
    taken: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(options.rounds):
        for name, step in work.items():
            start = time.process_time()
            step()
            taken[name].append(time.process_time() - start)
    share = sum(map(gapped[0].native.discontinuous, range(len(gapped[0])))) / len(gapped[0])
    base = statistics.median(taken["read discbracket"])
    print(f"{options.count} pairs, {100 * share:.0f} % of the gold trees discontinuous")
    print(f"{'':<21}{'CPU ms':>9}{'µs/pair':>9}{'/ read discbracket':>20}")
    for name, times in taken.items():
        middle = statistics.median(times)
        print(f"{name:<21}{1000 * middle:>9.1f}{1e6 * middle / options.count:>9.2f}{middle / base:>20.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
