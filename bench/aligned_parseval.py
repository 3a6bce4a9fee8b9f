#!/usr/bin/env python3
"""Measure what it costs to align texts before brackets are compared.

    python bench/aligned_parseval.py
    python bench/aligned_parseval.py -r 5 --sentences 50000

First the command as a whole process on generated pairs with the same words, beside an interpreter that does nothing and
beside plain PARSEVAL. Then the metric in one process on one thread, on texts in which sentences were split and joined,
and words misspelt and written together, beside reading those texts; texts of several sizes show how it grows.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from evalb_process import make_files
from measure import alternate, in_folder, positive
from struct_iou import fastest, print_sizes, scoring

import treescore

METRICS = ("parseval", "parseval|profile:none", "aligned_parseval", "character_parseval")
BARE = "python -c pass"
SPLIT, JOINED, MISSPELT, TOGETHER = 0.05, 0.05, 0.03, 0.01
"""Shares of sentences and words that are changed."""

ORIGINAL = "4 s and 200 MB"
"""CPU and memory of the published script for 2,416 pairs of newspaper text, on another machine."""

WORD = re.compile(r"\((\S+) ([^\s()]+)\)")
TWO_WORDS = re.compile(r"\((\S+) (\w+)\) \((\S+) (\w+)\)")


def misspelt(tree: str, rng: random.Random) -> str:
    """The tree with some words spelt otherwise, and some written together.

    >>> misspelt("(S (DT the) (NN tea) (VBZ helps))", random.Random(27))
    '(S (DT the) (NN tea) (VBZ helpss))'
    """

    def changed(found: re.Match[str]) -> str:
        word = found[2]
        return f"({found[1]} {word}{word[-1]})" if word.isalpha() and rng.random() < MISSPELT else found[0]

    def joined(found: re.Match[str]) -> str:
        return f"({found[1]} {found[2]}{found[4]})" if rng.random() < TOGETHER else found[0]

    return TWO_WORDS.sub(joined, WORD.sub(changed, tree))


def other_text(trees: Sequence[str], rng: random.Random) -> list[str]:
    """The trees of another program for the same text, with other words and other sentences."""
    out: list[str] = []
    join = False
    for tree in trees:
        changed = misspelt(tree, rng)
        if join and out:
            out[-1] = f"(TOP {out[-1]} {changed})"
            join = False
            continue
        words = [f"({tag} {word})" for tag, word in WORD.findall(changed)]
        if len(words) > 3 and rng.random() < SPLIT:
            cut = rng.randrange(1, len(words))
            out += [f"(S {' '.join(part)})" for part in (words[:cut], words[cut:])]
            continue
        out.append(changed)
        join = rng.random() < JOINED
    return out


def processes(gold: Path, test: Path, runs: int) -> None:
    """The command with each metric on text with the same words."""
    commands = {BARE: [sys.executable, "-c", "pass"]}
    for metric in METRICS:
        commands[metric] = [sys.executable, "-m", "treescore", "-m", metric, "--threads", "1", str(gold), str(test)]
    used = alternate(commands, runs)
    count = len(gold.read_bytes().splitlines())
    plain = used["parseval"].cpu
    print(f"\n{count:,} pairs with the same words, whole process (the published script: {ORIGINAL})")
    print(f"{'':<24}{'CPU, s':>8}{'/ parseval':>12}{'4 s / it':>10}{'peak, MiB':>11}")
    for name, usage in used.items():
        print(
            f"{name:<24}{usage.cpu:>8.3f}{usage.cpu / plain:>12.2f}{4 / usage.cpu:>10.0f}{usage.max_rss / 2**20:>11.0f}"
        )
    banks = treescore.read(gold), treescore.read(test)
    work: dict[str, Callable[[], object]] = {"reading": lambda: [treescore.read(path) for path in (gold, test)]}
    work.update((metric, scoring(metric, *banks)) for metric in METRICS)
    taken = fastest(work, runs)
    print(f"\n{'in one process':<24}{'CPU, ms':>8}{'/ parseval':>12}")
    for name, seconds in taken.items():
        print(f"{name:<24}{1000 * seconds:>8.1f}{seconds / taken['parseval']:>12.2f}")


def texts(gold: Path, sizes: Sequence[int], seed: int, rounds: int) -> None:
    """The metric on texts of several sizes whose words and sentences differ."""
    trees = gold.read_text("utf-8").splitlines()
    work: dict[str, Callable[[], object]] = {}
    for size in sizes:
        rng = random.Random(seed)
        # Each sentence has a word of its own, as no text repeats itself as often as this would.
        side = [trees[number % len(trees)].replace(" (", f" (X n{number}) (", 1) for number in range(size)]
        banks = ["\n".join(side) + "\n", "\n".join(other_text(side, rng)) + "\n"]
        read = [treescore.read(text) for text in banks]
        work[f"reading {size}"] = lambda banks=banks: [treescore.read(text) for text in banks]  # type: ignore[misc]
        work[f"scoring {size}"] = scoring("aligned_parseval", read[0], read[1])
        figures = treescore.evaluate(read[0], read[1], "aligned_parseval").scores[0].parts
    taken = fastest(work, rounds)
    print(f"\naligned_parseval, one thread; in the largest text boundary F1 {figures['boundary_f1']:.1%}", end="")
    print(f", token F1 {figures['token_f1']:.1%}")
    table = {kind: {size: taken[f"{kind} {size}"] for size in sizes} for kind in ("reading", "scoring")}
    print_sizes(table, "sentences")
    ratios = ", ".join(f"{table['scoring'][size] / table['reading'][size]:.1f}" for size in sizes)
    print(f"scoring / reading: {ratios}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the input, measure, and print the tables."""
    parser = argparse.ArgumentParser(description="CPU time of alignment-based PARSEVAL.")
    parser.add_argument("-n", "--count", type=positive, default=2416, help="pairs with the same words")
    parser.add_argument("--sentences", type=positive, default=50_000, help="size of the largest text")
    parser.add_argument("--seed", type=int, default=1, help="seed of all that is drawn (default: %(default)s)")
    parser.add_argument("-r", "--runs", type=positive, default=5, help="runs of each (default: %(default)s)")
    options = parser.parse_args(arguments)

    def measure(folder: Path) -> None:
        gold, test = make_files(folder, options.count, options.seed)
        processes(gold, test, options.runs)
        texts(gold, [options.sentences // part for part in (16, 4, 1)], options.seed, options.runs)

    return in_folder(measure)


if __name__ == "__main__":
    sys.exit(main())
