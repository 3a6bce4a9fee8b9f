#!/usr/bin/env python3
"""Compare the CPU time of `tree_distance` and `struct_iou` with that of other tree edit distances, in one process.

    python bench/vs_tree_edit.py
    python bench/vs_tree_edit.py -n 500 --leaves 100 -r 5

Measured in turn on the same pairs of trees, which are read and put into each package's own form beforehand: the
distance alone with unit costs, one thread. The others are the packages apted, zss and edist; one that is not installed
is left out. All distances must agree. Medians of several rounds, unless one round takes long; ratios say how many times
as long as `tree_distance`.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NamedTuple

from make_treebank import pairs
from measure import CommandError, positive

import treescore
from treescore.place.pair import Pair

LABELS = "ABCDE"
TAGS = "VWXYZ"
OURS = "tree_distance"
LEAST_SECONDS = 0.05  # for one measurement; what is faster is done several times
ONCE_SECONDS = 5.0  # what takes longer is measured once
LEAST_PAIRS = 200  # ours get few pairs several times over: a call costs as much as several pairs


class Node:
    """A node as apted and zss take them."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.children: list[Node] = []


class Flat(NamedTuple):
    """A tree as edist takes it: labels in the order in which the nodes open, and the children of each."""

    labels: list[str]
    children: list[list[int]]

    @classmethod
    def of(cls, tree: treescore.Tree) -> Flat:
        """Take the phrases and preterminals of a tree."""
        flat = cls([], [])
        waiting: list[tuple[treescore.Tree | str, int]] = [(tree, -1)]
        while waiting:
            item, parent = waiting.pop()
            if isinstance(item, str):
                continue
            number = len(flat.labels)
            flat.labels.append(item.label)
            flat.children.append([])
            if parent >= 0:
                flat.children[parent].append(number)
            if not item.is_preterminal:
                waiting.extend((child, number) for child in reversed(item.children))
        return flat

    def linked(self) -> Node:
        """Return the same tree as objects."""
        nodes = [Node(label) for label in self.labels]
        for node, children in zip(nodes, self.children, strict=True):
            node.children = [nodes[child] for child in children]
        return nodes[0]


Distances = list[float]
Work = Callable[[], Distances]


def by_apted(trees: Sequence[tuple[Flat, Flat]]) -> Work:
    """Let apted do it."""
    apted = import_module("apted")

    class Config(apted.Config):  # type: ignore[misc, name-defined]
        def rename(self, node1: Node, node2: Node) -> int:
            return int(node1.label != node2.label)

        def children(self, node: Node) -> list[Node]:
            return node.children

    linked = [(gold.linked(), test.linked()) for gold, test in trees]
    return lambda: [apted.APTED(gold, test, Config()).compute_edit_distance() for gold, test in linked]


def by_zss(trees: Sequence[tuple[Flat, Flat]]) -> Work:
    """Let zss do it."""
    zss = import_module("zss")

    def children(node: Node) -> list[Node]:
        return node.children

    def label(node: Node) -> str:
        return node.label

    def differ(a: str, b: str) -> int:
        return int(a != b)

    linked = [(gold.linked(), test.linked()) for gold, test in trees]
    return lambda: [zss.simple_distance(gold, test, children, label, differ) for gold, test in linked]


def by_edist(trees: Sequence[tuple[Flat, Flat]]) -> Work:
    """Let edist do it; its `standard_ted` is compiled."""
    ted = import_module("edist.ted")
    return lambda: [ted.standard_ted(*gold, *test) for gold, test in trees]


PEERS = {"apted": by_apted, "zss": by_zss, "edist": by_edist}


def ours(name: str, gold: treescore.Treebank, test: treescore.Treebank) -> Work:
    """Score all pairs with one of our metrics and return the distances or, for STRUCT-IOU, the sums of IoU."""
    metric = treescore.metric(name)

    def work() -> Distances:
        counts = metric.counts(Pair(gold, test), threads=1)
        return [units / 2**40 for units in counts["distance" if name == OURS else "overlap"]]

    return work


def random_binary(rng: random.Random, leaves: int) -> str:
    """Write a tree in which neighbours were joined in random order."""
    parts = [f"({rng.choice(TAGS)} w)" for _ in range(leaves)]
    while len(parts) > 1:
        place = rng.randrange(len(parts) - 1)
        parts[place : place + 2] = [f"({rng.choice(LABELS)} {parts[place]} {parts[place + 1]})"]
    return parts[0]


def left_comb(rng: random.Random, leaves: int) -> str:
    """Write a tree that branches to the left."""
    opened = "".join(f"({rng.choice(LABELS)} " for _ in range(leaves - 1))
    return opened + f"({rng.choice(TAGS)} w)" + "".join(f" ({rng.choice(TAGS)} w))" for _ in range(leaves - 1))


def right_comb(rng: random.Random, leaves: int) -> str:
    """Write a tree that branches to the right."""
    opened = "".join(f"({rng.choice(LABELS)} ({rng.choice(TAGS)} w) " for _ in range(leaves - 1))
    return opened + f"({rng.choice(TAGS)} w)" + ")" * (leaves - 1)


def inputs(options: argparse.Namespace) -> dict[str, list[tuple[str, str]]]:
    """Return the pairs of trees by what they are like."""
    rng = random.Random(options.seed)
    shapes = {
        "random binary": (random_binary, random_binary),
        "left combs": (left_comb, left_comb),
        "left and right comb": (left_comb, right_comb),
    }
    made = {"treebank": list(pairs(options.count, options.seed, failed_parses=False))}
    for name, (first, second) in shapes.items():
        few = range(options.few)
        made[name] = [(first(rng, options.leaves), second(rng, options.leaves)) for _ in few]
    return made


def seconds_of(work: Work) -> float:
    """Return the CPU time of one piece of work, done as often as it takes to measure it."""
    times, start, taken = 0, time.process_time(), 0.0
    while taken < LEAST_SECONDS:
        work()
        times += 1
        taken = time.process_time() - start
    return taken / times


def check(name: str, peer: str, work: Work, expected: Distances) -> float:
    """Compare the distances with ours and return the CPU time it took to find them."""
    start = time.process_time()
    found = work()
    taken = time.process_time() - start
    if found != expected:
        raise CommandError(f"{name}: {peer} and treescore do not agree")
    return taken


def compare(name: str, texts: Sequence[tuple[str, str]], peers: Sequence[str], rounds: int) -> None:
    """Measure all on some pairs of trees, check that the distances agree, and print a row."""
    copies = -(-LEAST_PAIRS // len(texts))
    gold, test = (treescore.read([pair[side] for pair in texts] * copies) for side in (0, 1))
    trees = [(Flat.of(gold[index]), Flat.of(test[index])) for index in range(len(texts))]
    own = {metric: ours(metric, gold, test) for metric in (OURS, "struct_iou")}
    theirs = {peer: PEERS[peer](trees) for peer in peers}
    expected = own[OURS]()[: len(texts)]
    taken: dict[str, list[float]] = {tool: [] for tool in (*own, *theirs)}
    once = {peer: check(name, peer, work, expected) for peer, work in theirs.items()}
    for _ in range(rounds):
        for metric, work in own.items():
            taken[metric].append(seconds_of(work) / copies)
        for peer, work in theirs.items():
            taken[peer].append(seconds_of(work) if once[peer] < ONCE_SECONDS else once[peer])
    middle = {tool: statistics.median(times) / len(texts) for tool, times in taken.items()}
    size = statistics.mean(len(flat.labels) for pair in trees for flat in pair)
    cells = [f"{1e6 * middle[OURS]:>16.1f}"]
    cells += [f"{middle[tool] / middle[OURS]:>12.2f}" if tool in middle else f"{'–':>12}" for tool in columns()]
    print(f"{name:<22}{len(texts):>7}{size:>8.1f}{''.join(cells)}", flush=True)


def columns() -> list[str]:
    """Return what is compared with our distance."""
    return ["struct_iou", *PEERS]


def installed(peer: str) -> bool:
    """Tell whether a package is there, and say so if it is not."""
    try:
        import_module(peer)
    except ImportError:
        print(f"{peer} is not installed and left out", file=sys.stderr)
        return False
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the input, measure, and print times and ratios."""
    parser = argparse.ArgumentParser(description="CPU time of tree edit distances on the same trees, one thread.")
    parser.add_argument("-n", "--count", type=positive, default=100, help="pairs of a treebank (default: %(default)s)")
    parser.add_argument("--few", type=positive, default=3, help="pairs of each other shape (default: %(default)s)")
    parser.add_argument("--leaves", type=positive, default=60, help="leaves of those (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the pairs (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=3, help="rounds (default: %(default)s)")
    options = parser.parse_args(arguments)
    peers = [peer for peer in PEERS if installed(peer)]
    print(f"{'':<22}{'':>7}{'':>8}{OURS:>16}{'CPU time as a multiple of ours':>{12 * len(columns())}}")
    print(f"{'trees':<22}{'pairs':>7}{'nodes':>8}{'µs per pair':>16}{''.join(f'{it:>12}' for it in columns())}")
    try:
        for name, texts in inputs(options).items():
            compare(name, texts, peers, options.rounds)
    except CommandError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
