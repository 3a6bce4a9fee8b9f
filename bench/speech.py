#!/usr/bin/env python3
"""What it costs to place trees on the axis of seconds and to score them, beside reading the files.

    python bench/speech.py -n 100000

Made-up sentences of the length of spoken ones, with times for their words: gold trees, trees with typical parser errors
over words whose boundaries are moved, and now and then a word cut otherwise. Words with times are read from ctm, tsv
and JSON lines. CPU time inside one process, one thread; times are medians.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

from make_treebank import pairs
from measure import positive

import treescore
from treescore.metrics.boundaries import Boundaries
from treescore.metrics.sparseval import Sparseval
from treescore.metrics.struct_iou import StructIou
from treescore.place.pair import Pair
from treescore.place.seconds import place_seconds
from treescore.readers.times import read_times
from treescore.render import pieces
from treescore.words.transcript import Transcript
from treescore.words.utterance import Utterance

WORD = re.compile(r"\(([^() ]+) ([^() ]+)\)")
SILENT = {",", ".", ":", "``", "''", "-LRB-", "-RRB-", "-NONE-"}


def spoken(tree: str, rng: random.Random) -> list[tuple[str, float, float]]:
    """The words of a tree with times; some stand together that are apart in the tree."""
    words: list[tuple[str, float, float]] = []
    at = rng.random()
    for tag, word in WORD.findall(tree):
        if tag in SILENT:
            at += rng.choice([0.0, 0.3])
            continue
        length = round(0.06 * len(word) + 0.1 * rng.random(), 3)
        if words and rng.random() < 0.02:
            before, start, _ = words[-1]
            words[-1] = (before + word, start, round(at + length, 3))
        else:
            words.append((word, round(at, 3), round(at + length, 3)))
        at = round(at + length, 3)
    return words


def moved(words: list[tuple[str, float, float]], rng: random.Random) -> list[tuple[str, float, float]]:
    """The same words, their boundaries up to 20 ms elsewhere."""
    out: list[tuple[str, float, float]] = []
    for place, (word, start, end) in enumerate(words):
        first = out[-1][2] if place and words[place - 1][2] == start else start
        out.append((word, first, round(end + rng.uniform(-0.02, 0.02), 4)))
    return out


def utterances(sides: list[list[tuple[str, float, float]]]) -> list[Utterance]:
    return [
        Utterance(
            Transcript([word for word, _, _ in words], times=[(start, end) for _, start, end in words]),
            id=f"u{number}",
            file=f"u{number}",
            channel="A",
        )
        for number, words in enumerate(sides)
    ]


def cost(work: Callable[[], object], runs: int) -> float:
    """Median CPU seconds."""
    times = []
    for _ in range(runs):
        start = process_time()
        work()
        times.append(process_time() - start)
    return statistics.median(times)


def main() -> int:
    """Run the measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--number", type=positive, default=100_000, help="utterances (default: 100,000)")
    parser.add_argument("-r", "--runs", type=positive, default=3, help="runs of each step (default: 3)")
    options = parser.parse_args()
    rng = random.Random(1)
    some = list(pairs(min(options.number, 5_000), seed=1))
    chosen = [some[number % len(some)] for number in range(options.number)]
    gold_words = [spoken(gold, rng) for gold, _ in chosen]
    test_words = [moved(words, rng) for words in gold_words]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for side, trees, words in (
            ("gold", [gold for gold, _ in chosen], gold_words),
            ("test", [test for _, test in chosen], test_words),
        ):
            (folder / f"{side}.mrg").write_text("\n".join(trees) + "\n")
            found = utterances(words)
            (folder / f"{side}.jsonl").write_text("".join(pieces("Utterances", found, "jsonl")))
            (folder / f"{side}.ctm").write_text("".join(pieces("Utterances", found, "ctm")))
            (folder / f"{side}.tsv").write_text("".join(pieces("Utterances", found, "tsv")))
        report(folder, options.runs)
    return 0


def report(folder: Path, runs: int) -> None:
    sides = ("gold", "test")
    trees = [treescore.read(folder / f"{side}.mrg") for side in sides]
    times = [read_times(folder / f"{side}.jsonl") for side in sides]
    banks = [place_seconds(bank, words, attach="position") for bank, words in zip(trees, times, strict=True)]
    words = sum(len(utterance.transcript.words) for utterance in times[0])
    print(f"{len(banks[0]):,} utterances, {words:,} words, both sides; seconds of CPU, one thread")
    reading = cost(lambda: [treescore.read(folder / f"{side}.mrg") for side in sides], runs)
    print(f"  reading trees                   {reading:7.2f}")
    of_format = {}
    for form in ("ctm", "tsv", "jsonl"):
        of_format[form] = cost(lambda form=form: [read_times(folder / f"{side}.{form}") for side in sides], 1)  # type: ignore[misc]
        print(f"  reading word times, {form:11} {of_format[form]:7.2f}")
    placing = cost(
        lambda: [place_seconds(bank, own, attach="position") for bank, own in zip(trees, times, strict=True)], runs
    )
    print(f"  placing                         {placing:7.2f}")
    metric = StructIou(axis="seconds")
    scoring = cost(lambda: metric.counts(Pair(*banks)), runs)
    print(
        f"  struct_iou                      {scoring:7.2f}   {metric.score(metric.counts(Pair(*banks))).value or 0:.4f}"
    )
    for other in (Boundaries(), Sparseval()):
        print(f"  {other.name:31} {cost(lambda other=other: other.counts(Pair(*banks)), 1):7.2f}")  # type: ignore[misc]
    least = reading + min(of_format.values())
    print(
        f"placing and struct_iou take {(placing + scoring) / least:.2f} times as long as reading (the fastest format)"
    )


if __name__ == "__main__":
    sys.exit(main())
