#!/usr/bin/env python3
"""Compare the CPU time of `tedeval` with that of the package apted, in one process.

    python bench/tedeval.py
    python bench/tedeval.py -n 500 -r 5

Measured in turn on the same pairs of treebank-like trees, some words of the test side cut in two, which are read and
put into each package's own form beforehand: the distance alone, lexemes and fixed roots, insert 1, delete 1, rename 2;
and with rename 1, which is Emms' tree distance. One thread, medians of several rounds. All distances must agree. Ratios
say how many times as long as `tedeval`; the exit code is 1 if one is below the target.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
from collections.abc import Sequence
from importlib import import_module

from make_treebank import pairs
from measure import CommandError, positive
from vs_tree_edit import Node, Work, check, installed, seconds_of

import treescore
from treescore.place.pair import Pair

TARGET = 50
CUT = 0.05  # of the words of the test side
SETTINGS = {"tedeval": "tedeval", "Emms' tree distance": "tedeval|rename-cost:1|roots:counted"}


def resegmented(rng: random.Random, text: str) -> str:
    """Cut some words in two."""

    def cut(found: re.Match[str]) -> str:
        tag, word = found.groups()
        if len(word) < 2 or rng.random() >= CUT:
            return found[0]
        place = rng.randrange(1, len(word))
        return f"({tag} {word[:place]}) ({tag} {word[place:]})"

    return re.sub(r"\(([^\s()]+) ([^\s()]+)\)", cut, text)


def lexeme_tree(tree: treescore.Tree) -> Node:
    """Return the tree as apted takes it: words with their tags are leaves; the outermost bracket is the root."""
    root = Node("TOP")
    waiting: list[tuple[treescore.Tree | str, Node]] = [(child, root) for child in reversed(tree.children)]
    while waiting:
        item, parent = waiting.pop()
        if isinstance(item, str):
            parent.children.append(Node(f"{item}/"))
            continue
        node = Node(f"{item.children[0]}/{item.label}" if item.is_preterminal else item.label)
        parent.children.append(node)
        if not item.is_preterminal:
            waiting.extend((child, node) for child in reversed(item.children))
    return root


def by_apted(trees: Sequence[tuple[Node, Node]], rename: int) -> Work:
    """Let apted do it."""
    apted = import_module("apted")

    class Config(apted.Config):  # type: ignore[misc, name-defined]
        def rename(self, node1: Node, node2: Node) -> int:
            return 0 if node1.label == node2.label else rename

        def children(self, node: Node) -> list[Node]:
            return node.children

    return lambda: [apted.APTED(gold, test, Config()).compute_edit_distance() for gold, test in trees]


def by_treescore(signature: str, gold: treescore.Treebank, test: treescore.Treebank) -> Work:
    """Score all pairs and return the distances."""
    metric = treescore.metric(signature)
    return lambda: [units / 2**40 for units in metric.counts(Pair(gold, test), threads=1)["distance"]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("-n", "--count", type=positive, default=100, help="pairs of trees")
    parser.add_argument("--seed", type=int, default=1, help="seed of the pairs")
    parser.add_argument("-r", "--rounds", type=positive, default=3, help="rounds")
    options = parser.parse_args(arguments)
    if not installed("apted"):
        return 1
    rng = random.Random(options.seed)
    texts = [(gold, resegmented(rng, test)) for gold, test in pairs(options.count, options.seed, failed_parses=False)]
    gold, test = (treescore.read([pair[side] for pair in texts]) for side in (0, 1))
    trees = [(lexeme_tree(gold[index]), lexeme_tree(test[index])) for index in range(len(texts))]
    met = True
    print(f"{'':<22}{'pairs':>7}{'µs per pair':>14}{'apted':>10}")
    for name, signature in SETTINGS.items():
        ours = by_treescore(signature, gold, test)
        theirs = by_apted(trees, 1 if "rename-cost:1" in signature else 2)
        try:
            check(name, "apted", theirs, ours())
        except CommandError as error:
            print(error, file=sys.stderr)
            return 1
        rounds = [(seconds_of(ours), seconds_of(theirs)) for _ in range(options.rounds)]
        own = statistics.median(mine for mine, _ in rounds)
        ratio = statistics.median(other for _, other in rounds) / own
        met &= ratio >= TARGET
        print(f"{name:<22}{len(texts):>7}{1e6 * own / len(texts):>14.1f}{ratio:>10.0f}", flush=True)
    print(f"target: {TARGET}; {'met' if met else 'not met'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
