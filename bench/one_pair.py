#!/usr/bin/env python3
"""Measure what one pair of trees costs from Python: microseconds per call in one thread.

    python bench/one_pair.py

First whole calls, with two strings of 25 words each, next to an F1 of labelled brackets that is written with nltk, as
training loops have it. nltk is left out if it is not installed; its F1 must agree with `parseval|profile:none`. Then
the steps of `treescore.evaluate` and `Scorer.update`: reading, counting, finding problems, and then a score with its
value, or adding the sums to those of earlier pairs. What is left of the whole is what connects the steps.

All calls are measured in turn, in several rounds; the times are the CPU time of the fastest round.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from make_treebank import pairs
from measure import CommandError, positive

import treescore
from treescore.place.pair import Pair

WORDS = 25
NLTK = "F1 with nltk"
METRICS = ("parseval", "struct_iou")

Work = dict[str, Callable[[], object]]


def sentence(words: int) -> tuple[str, str]:
    """The first pair of different trees of this length."""
    for gold, test in pairs(1_000, seed=1, failed_parses=False):
        if gold != test and len(treescore.read(gold)[0].leaves) == words:
            return gold, test
    raise CommandError(f"there is no pair of trees with {words} words")


def brackets(tree: Any) -> Counter[tuple[str, int, int]]:
    """The phrases of an nltk tree, with their first word and the word after their last one."""
    found: Counter[tuple[str, int, int]] = Counter()

    def end_of(node: Any, start: int) -> int:
        end = start
        for child in node:
            end = end + 1 if isinstance(child, str) else end_of(child, end)
        if not isinstance(node[0], str):
            found[node.label(), start, end] += 1
        return end

    end_of(tree, 0)
    return found


def f1_with(tree_class: Any, gold: str, test: str) -> float:
    """The F1 of labelled brackets."""
    first, second = (brackets(tree_class.fromstring(text)) for text in (gold, test))
    return float(2 * (first & second).total() / (first.total() + second.total()))


def whole_calls(gold: str, test: str) -> Work:
    """Calls as users write them."""
    scorer = treescore.Scorer()

    def pair_with_nodes() -> object:
        pair = treescore.pair(gold, test)
        return pair.score, pair.nodes

    work: Work = {
        "evaluate": lambda: treescore.evaluate(gold, test).scores[0].value,
        "Scorer.update": lambda: scorer.update(gold, test),
        "struct_iou": lambda: treescore.struct_iou(gold, test).score,
        "struct_iou, with the mapping": lambda: treescore.struct_iou(gold, test).mapping,
        "pair": lambda: treescore.pair(gold, test),
        "pair, with score and nodes": pair_with_nodes,
    }
    try:
        tree_class = import_module("nltk").Tree
    except ImportError:
        print("nltk is not installed and left out", file=sys.stderr)
        return work
    ours = treescore.evaluate(gold, test, "parseval|profile:none").scores[0].value
    if f1_with(tree_class, gold, test) != ours:
        raise CommandError(f"the F1 with nltk is not {ours}")
    return {NLTK: lambda: f1_with(tree_class, gold, test), **work}


def steps(name: str, gold: str, test: str) -> Work:
    """The steps of whole calls with a metric."""
    metric = treescore.metric(name)
    pair = Pair(treescore.read(gold), treescore.read(test))
    counts, fresh = metric.counts(pair), metric.counts(pair)
    scorer = treescore.Scorer(name)
    sums: dict[str, int] = {}
    return {
        "evaluate": lambda: treescore.evaluate(gold, test, name).scores[0].value,
        "Scorer.update": lambda: scorer.update(gold, test),
        "reading": lambda: (treescore.read(gold), treescore.read(test)),
        "counting": lambda: metric.counts(pair).total(),
        "problems": lambda: metric.problems(pair, counts),
        "score": lambda: metric.score(counts).value,
        "adding": lambda: fresh.add_totals_to(sums),
    }


def microseconds(work: Work, calls: int, rounds: int) -> dict[str, float]:
    """The CPU time of each call in its fastest round."""
    fastest = dict.fromkeys(work, float("inf"))
    for _ in range(rounds):
        for name, call in work.items():
            start = time.process_time()
            for _ in range(calls):
                call()
            fastest[name] = min(fastest[name], (time.process_time() - start) / calls * 1e6)
    return fastest


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print times and ratios."""
    parser = argparse.ArgumentParser(description="What one pair costs from Python, in microseconds of CPU time.")
    parser.add_argument("-n", "--calls", type=positive, default=200, help="calls a round (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=40, help="rounds (default: %(default)s)")
    options = parser.parse_args(arguments)
    try:
        gold, test = sentence(WORDS)
        work = whole_calls(gold, test)
    except CommandError as error:
        print(error, file=sys.stderr)
        return 1
    taken = microseconds(work, options.calls, options.rounds)
    print(f"{f'{WORDS} words':<30}{'µs/call':>9}{NLTK + ' / call':>21}")
    for name, best in taken.items():
        print(f"{name:<30}{best:>9.1f}" + (f"{taken[NLTK] / best:>21.1f}" if NLTK in taken else ""))
    for metric in METRICS:
        taken = microseconds(steps(metric, gold, test), options.calls, options.rounds)
        print(f"\n{metric:<30}{'µs/call':>9}{'/ evaluate':>12}{'/ update':>10}")
        for name, best in taken.items():
            shares = [best / taken[whole] for whole in ("evaluate", "Scorer.update")]
            print(f"{name:<30}{best:>9.2f}{shares[0]:>12.2f}{shares[1]:>10.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
