#!/usr/bin/env python3
"""Measure `treescore.rewards`: CPU time of a reward, one process, one thread, and how it grows with the batch.

    python bench/rewards.py
    python bench/rewards.py --sizes 1000 10000

Completions are trees over sentences of 25 words, valid as printed, with the errors of a parser. Measured in turn: whole
batches and calls with one completion, by STRUCT-IOU and F1; the same completions in code fences, which need a closer
look; and an F1 reward as it is usually written with nltk, if nltk is installed. Times are the least of several rounds.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from math import log
from time import process_time
from typing import Any

from make_treebank import grow, spoil, to_text
from measure import positive

import treescore

WORDS = 25
DIFFERENT = 1000
"""Different pairs of trees; larger batches repeat them."""
SIZES = (10**3, 10**4, 10**5, 10**6)
TARGETS = {"a batch": 10.0, "one by one": 30.0}
"""Microseconds for a reward by STRUCT-IOU."""
F1 = "parseval|delete-by:gold"


def completions(number: int, seed: int) -> tuple[list[str], list[str]]:
    """Completions and gold trees.

    >>> texts, gold = completions(2, 1)
    >>> len(treescore.read(gold)[0].leaves) == WORDS
    True
    """
    rng = random.Random(seed)
    trees = [grow(rng, WORDS, function_tags=False) for _ in range(number)]
    return [to_text(spoil(rng, tree, 0.1)) for tree in trees], [to_text(tree) for tree in trees]


def nltk_reward() -> Callable[[list[str], list[str]], list[float]] | None:
    """F1 of labelled spans as reward functions with nltk compute it; None without nltk."""
    try:
        from nltk import Tree
    except ImportError:
        return None

    def spans(tree: Any) -> Counter[tuple[str, int, int]]:
        found: Counter[tuple[str, int, int]] = Counter()

        def add(node: Any, start: int) -> int:
            end = start
            for child in node:
                end = add(child, end) if isinstance(child, Tree) else end + 1
            if node.height() > 2:
                found[node.label(), start, end] += 1
            return end

        add(tree, 0)
        return found

    def reward(text: str, gold_text: str) -> float:
        try:
            test, gold = Tree.fromstring(text), Tree.fromstring(gold_text)
        except ValueError:
            return 0.0
        if test.leaves() != gold.leaves():
            return 0.0
        a, b = spans(test), spans(gold)
        return 2 * sum((a & b).values()) / (sum(a.values()) + sum(b.values()))

    return lambda texts, gold: [reward(*pair) for pair in zip(texts, gold, strict=True)]


def work_of(texts: list[str], gold: list[str]) -> dict[str, Callable[[], object]]:
    """What is measured; each part gives a reward to every completion."""
    fenced = [f"Here is the tree:\n```\n{text}\n```" for text in texts]
    singles = [([text], [tree]) for text, tree in zip(texts, gold, strict=True)]
    work: dict[str, Callable[[], object]] = {
        "a batch": lambda: treescore.rewards(texts, gold),
        "a batch, F1": lambda: treescore.rewards(texts, gold, F1),
        "one by one": lambda: [treescore.rewards(*single) for single in singles],
        "one by one, F1": lambda: [treescore.rewards(*single, F1) for single in singles],
        "in code fences": lambda: treescore.rewards(fenced, gold),
    }
    nltk = nltk_reward()
    if nltk is None:
        print("nltk is not installed and not compared")
    else:
        work["nltk, F1"] = lambda: nltk(texts, gold)
    return work


def fastest(work: Callable[[], object], rounds: int) -> float:
    """The least CPU time of several rounds, in seconds."""
    least = float("inf")
    for _ in range(rounds):
        start = process_time()
        work()
        least = min(least, process_time() - start)
    return least


def print_costs(texts: list[str], gold: list[str], rounds: int) -> None:
    """Print what a reward costs, in turn."""
    work = work_of(texts, gold)
    least = dict.fromkeys(work, float("inf"))
    for _ in range(rounds):
        for name, step in work.items():
            least[name] = min(least[name], fastest(step, 1))
    print(f"{'':<16}{'µs a reward':>12}{'rewards/s':>12}{'target':>8}")
    for name, seconds in least.items():
        micros = 1e6 * seconds / len(texts)
        target = f"{TARGETS[name]:.0f}" if name in TARGETS else ""
        print(f"{name:<16}{micros:>12.1f}{1e6 / micros:>12,.0f}{target:>8}")


def print_growth(texts: list[str], gold: list[str], sizes: Sequence[int]) -> None:
    """Print the cost of batches of these sizes, and the exponent of its growth."""
    seconds = []
    for size in sizes:
        repeats = -(-size // len(texts))
        many, trees = (texts * repeats)[:size], (gold * repeats)[:size]
        seconds.append(fastest(lambda many=many, trees=trees: treescore.rewards(many, trees), 3))  # type: ignore[misc]
        print(f"{size:>12,} completions{1e6 * seconds[-1] / size:>8.2f} µs a reward")
    if len(sizes) > 1:
        exponent = log(seconds[-1] / seconds[0]) / log(sizes[-1] / sizes[0])
        print(f"grows with the power {exponent:.2f} of the number of completions")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print the costs."""
    parser = argparse.ArgumentParser(description="CPU time of a reward for a completion of a language model.")
    parser.add_argument("-r", "--rounds", type=positive, default=7, help="rounds (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the trees (default: %(default)s)")
    parser.add_argument("--sizes", type=positive, nargs="+", default=SIZES, help="sizes of batches for the growth")
    options = parser.parse_args(arguments)
    texts, gold = completions(DIFFERENT, options.seed)
    print_costs(texts, gold, options.rounds)
    print_growth(texts, gold, options.sizes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
