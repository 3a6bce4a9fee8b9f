#!/usr/bin/env python3
"""Measure what `treescore.pairwise` costs for each pair of candidates: CPU time, one process, one thread.

    python bench/pairwise.py
    python bench/pairwise.py --nbest lists.tsv

Candidates are a sentence of 60 words with different errors of a parser, about as unlike each other as the parses in an
n-best list. All pairs of them are scored at once, and, for a few candidates, each pair by itself with `evaluate`. A
file of n-best lists has four columns separated by tabs: identifier of the sentence, rank, score, tree. Times are the
least of several rounds.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean

from make_treebank import grow, spoil, to_text
from measure import positive
from struct_iou import fastest

import treescore
from treescore.trees import Treebank

FEW = 12
SIZES = (50, 200)
TARGET = 4
"""Microseconds for a pair of candidates of 60 words."""
LENGTHS = (15, 30, 45)
"""Lists are told apart by the words of their sentence: up to so many."""


def candidates(words: int, number: int, error_rate: float, rng: random.Random) -> list[str]:
    """So many different parses of one sentence.

    >>> len(set(candidates(20, 5, 0.1, random.Random(1))))
    5
    """
    gold = grow(rng, words, function_tags=False)
    found: dict[str, None] = {}
    while len(found) < number:
        found[to_text(spoil(rng, gold, error_rate))] = None
    return list(found)


def pairs_of(number: int) -> int:
    """How many pairs there are among so many trees."""
    return number * (number - 1) // 2


def all_pairs(banks: Sequence[Treebank | list[str]]) -> Callable[[], object]:
    """The work of scoring all pairs in each list."""
    return lambda: [treescore.pairwise(bank, threads=1) for bank in banks]


def mean_score(banks: Sequence[Treebank]) -> float:
    """How alike the trees of the lists are."""
    scores = [
        float(scores[one][two])
        for bank in banks
        for scores in [treescore.pairwise(bank, threads=1)]
        for one, two in combinations(range(len(bank)), 2)
    ]
    return fmean(score for score in scores if score == score)


def one_by_one(banks: Sequence[Treebank]) -> Callable[[], object]:
    """The same work, a pair at a time."""
    return lambda: [
        treescore.evaluate(bank[one : one + 1], bank[two : two + 1], "struct_iou", threads=1)["struct_iou"].value
        for bank in banks
        for one, two in combinations(range(len(bank)), 2)
    ]


def made_lists(options: argparse.Namespace) -> None:
    """Measure lists that are made, and print the table."""
    rng = random.Random(options.seed)
    texts = [candidates(options.words, max(SIZES), options.error_rate, rng) for _ in range(options.count)]
    banks = {size: [treescore.read(text[:size]) for text in texts] for size in (FEW, *SIZES)}
    alone = f"evaluate, {FEW} candidates"
    work: dict[str, Callable[[], object]] = {alone: one_by_one(banks[FEW])}
    pairs = {alone: pairs_of(FEW)}
    for size, lists in banks.items():
        name = f"pairwise, {size} candidates"
        work[name], pairs[name] = all_pairs(lists), pairs_of(size)
    name = f"  … read from text as well, {SIZES[0]}"
    work[name], pairs[name] = all_pairs([text[: SIZES[0]] for text in texts]), pairs_of(SIZES[0])
    taken = {name: seconds / options.count / pairs[name] for name, seconds in fastest(work, options.rounds).items()}
    print(
        f"{options.count} lists of candidates for {options.words} words, mean score {mean_score(banks[SIZES[0]]):.3f}"
    )
    print(f"{'':<36}{'pairs':>8}{'µs/pair':>10}{'target':>8}{'evaluate /':>12}")
    for name, seconds in taken.items():
        target = TARGET if name.startswith("pairwise") else ""
        print(f"{name:<36}{pairs[name]:>8,}{1e6 * seconds:>10.2f}{target:>8}{taken[alone] / seconds:>12.1f}")


def read_lists(path: Path) -> Iterator[Treebank]:
    """The trees of each list in a file."""
    trees: dict[str, list[str]] = {}
    with path.open(encoding="utf-8") as file:
        for line in file:
            identifier, _, _, tree = line.rstrip("\n").split("\t")
            trees.setdefault(identifier, []).append(tree)
    return (treescore.read(texts, on_error="keep") for texts in trees.values())


def given_lists(path: Path, rounds: int) -> None:
    """Measure lists from a file, and print the table."""
    groups: dict[str, list[Treebank]] = {}
    refused = 0
    for bank in read_lists(path):
        try:
            treescore.pairwise(bank, threads=1)
        except treescore.InputError:
            refused += 1
            continue
        words = max(bank.native.leaf_count(index) for index in range(len(bank)))
        length = next((f"up to {limit} words" for limit in LENGTHS if words <= limit), f"above {LENGTHS[-1]} words")
        groups.setdefault(length, []).append(bank)
    together = "all"
    groups[together] = [bank for lists in groups.values() for bank in lists]
    taken = fastest({name: all_pairs(lists) for name, lists in groups.items()}, rounds)
    print(f"\n{len(groups[together])} lists from a file, {refused} refused for different words")
    print(f"{'':<16}{'lists':>7}{'words':>7}{'nodes':>7}{'mean score':>12}{'pairs':>10}{'ms':>9}{'µs/pair':>9}")
    for name in sorted(groups, key=lambda name: (name == together, name.startswith("above"), name)):
        lists = groups[name]
        trees, pairs = sum(map(len, lists)), sum(pairs_of(len(bank)) for bank in lists)
        words = sum(bank.native.leaf_total() for bank in lists)
        nodes = sum(bank.native.node_count(index) for bank in lists for index in range(len(bank)))
        print(
            f"{name:<16}{len(lists):>7}{words / trees:>7.1f}{(words + nodes) / trees:>7.1f}{mean_score(lists):>12.3f}"
            f"{pairs:>10,}{1000 * taken[name]:>9.1f}{1e6 * taken[name] / max(pairs, 1):>9.2f}"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the lists, measure, and print times and ratios."""
    parser = argparse.ArgumentParser(description="CPU time of treescore.pairwise for a pair of candidates, one thread.")
    parser.add_argument("-n", "--count", type=positive, default=10, help="lists made (default: %(default)s)")
    parser.add_argument("--words", type=positive, default=60, help="words of a sentence (default: %(default)s)")
    parser.add_argument(
        "--error-rate", type=float, default=0.05, metavar="X", help="from 0 to 1 (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the candidates (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=7, help="rounds (default: %(default)s)")
    parser.add_argument("--nbest", type=Path, metavar="FILE", help="measure these n-best lists as well")
    options = parser.parse_args(arguments)
    made_lists(options)
    if options.nbest:
        given_lists(options.nbest, options.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
