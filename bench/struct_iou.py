#!/usr/bin/env python3
"""Measure what STRUCT-IOU costs beside building the trees, and how that grows: CPU time, one process, one thread.

    python bench/struct_iou.py
    python bench/struct_iou.py --gold gold.mrg --test test.mrg

Sentences, the same on the axis of seconds with noise on the word boundaries of one side, whole conversations (all
sentences under one root), random binary trees, combs and spines, and the memory of the longest conversation. Times are
the least of several rounds, in which all that a table compares is run in turn; targets stand beside the figures.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import log
from pathlib import Path
from time import process_time

from evalb_process import make_files
from measure import CommandError, cpu_seconds, in_folder, positive

import treescore
from treescore import _core
from treescore.place.pair import Pair
from treescore.trees import Treebank

NOISES = (0.1, 0.5, 1.0)
CONVERSATIONS = (10_000, 20_000, 50_000, 100_000)
RANDOM_TREES = (100, 200, 500, 1_000, 2_000, 5_000, 10_000)
COMBS = (100, 1_000, 10_000)
SPINES = (100, 200, 500, 1_000)
WORDS_OF_ONE_SIZE = 5_000
"""Random trees of one size are made until they have so many words together, since their times differ."""

IMPORTING = "import treescore"
READING = "trees = [treescore.read(path) for path in sys.argv[1:]]"
SCORING = "metric = treescore.metric('struct_iou'); metric.counts(treescore.Pair(*trees))"
ALIGNING = "treescore.metric('struct_iou').node_mappings(treescore.Pair(*trees))"

Work = Mapping[str, Callable[[], object]]


def fastest(work: Work, rounds: int) -> dict[str, float]:
    """Do all the work in turn so many times and return the least CPU seconds of each part.

    >>> fastest({"nothing": lambda: None}, 3)["nothing"] < 1
    True
    """
    least = dict.fromkeys(work, float("inf"))
    for _ in range(rounds):
        for name, step in work.items():
            start = process_time()
            step()
            least[name] = min(least[name], process_time() - start)
    return least


def scoring(signature: str, gold: Treebank, test: Treebank) -> Callable[[], object]:
    """The work of scoring two treebanks with a metric."""
    metric = treescore.metric(signature)

    def work() -> None:
        if metric.score(metric.counts(Pair(gold, test), threads=1)).value is None:
            raise CommandError(f"{signature}: no pair could be scored")

    return work


def aligning(signature: str, gold: Treebank, test: Treebank) -> Callable[[], object]:
    """The work of finding the alignments, for which the score is needed as well."""
    metric = treescore.metric(signature)
    return lambda: metric.node_mappings(Pair(gold, test), threads=1)


def growth(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The exponent with which the times grow: the slope of a line through their logarithms.

    >>> round(growth([1, 2, 4], [3.0, 12.0, 48.0]), 6)
    2.0
    """
    across, up = [log(size) for size in sizes], [log(max(time, 1e-9)) for time in times]
    middle, level = sum(across) / len(across), sum(up) / len(up)
    above = sum((x - middle) * (y - level) for x, y in zip(across, up, strict=True))
    return above / sum((x - middle) ** 2 for x in across)


def boundaries(words: int, noise: float, rng: random.Random) -> list[tuple[float, float]]:
    """Words of a second each; every inner boundary then moves towards one of its neighbours, from left to right.

    >>> boundaries(3, 0, random.Random(1))
    [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)]
    """
    places = [float(place) for place in range(words + 1)]
    for index in range(1, words if noise else 0):
        share = rng.uniform(-noise, noise)
        neighbour = places[index + 1] if share >= 0 else places[index - 1]
        places[index] += abs(share) * (neighbour - places[index])
    return list(pairwise(places))


def with_times(bank: Treebank, noise: float, seed: int) -> Treebank:
    """The same trees with times."""
    rng = random.Random(seed)
    builder = _core.TreeBuilder()
    for index in range(len(bank)):
        add_tree(builder, bank.native, index)
        words = bank.native.leaf_count(index)
        if words:
            builder.set_times(boundaries(words, noise, rng))
        builder.finish(index + 1)
    return Treebank(builder.trees())


def add_tree(builder: _core.TreeBuilder, trees: _core.Trees, index: int) -> None:
    """Open and close once more what is in a tree."""
    names, nodes, leaves = trees.names(0), trees.nodes(index), trees.leaves(index)
    opened = [-1]

    def close_to(parent: int) -> None:
        while opened[-1] != parent:
            builder.close()
            opened.pop()

    following = 0
    for place in range(len(leaves) + 1):
        while following < len(nodes) and nodes[following][2] <= place:
            label, parent, _, _ = nodes[following]
            close_to(parent)
            builder.open(names[label])
            opened.append(following)
            following += 1
        if place < len(leaves):
            tag, parent, word = leaves[place]
            close_to(parent)
            builder.leaf(word, None if tag == _core.NO_TAG else names[tag])
    close_to(-1)


def conversations(gold: Treebank, test: Treebank, words: int) -> tuple[str, str]:
    """Two trees of at least so many words: pairs of sentences with the same words, under one root.

    The sentences come again from the first one where there are too few.
    """
    usable = [
        index
        for index in range(len(gold))
        if gold.native.leaf_count(index) and gold.native.same_words(index, test.native, index)
    ]
    if not usable:
        raise CommandError("no pair of trees has the same words on both sides")
    taken: list[int] = []
    length = 0
    while length < words:
        taken.append(usable[len(taken) % len(usable)])
        length += gold.native.leaf_count(taken[-1])
    sides = (b" ".join(bank.native.brackets(index, False) for index in taken) for bank in (gold, test))
    first, second = (f"(CONVERSATION {side.decode('utf-8', 'surrogateescape')})" for side in sides)
    return first, second


def random_tree(words: int, rng: random.Random) -> str:
    """A binary tree with one label, every phrase divided at a place of which all are equally likely.

    >>> random_tree(2, random.Random(1))
    '(X (T w0)(T w1))'
    """
    parts: list[str] = []
    waiting = [(0, words)]
    while waiting:
        first, end = waiting.pop()
        if not end:
            parts.append(")")
        elif end - first == 1:
            parts.append(f"(T w{first})")
        else:
            middle = rng.randrange(first + 1, end)
            parts.append("(X ")
            waiting += [(0, 0), (middle, end), (first, middle)]
    return "".join(parts)


def left_comb(words: int) -> str:
    """A binary tree in which every right child is a word.

    >>> left_comb(3)
    '(X (X (T w0)(T w1))(T w2))'
    """
    return "(X " * (words - 1) + "(T w0)" + "".join(f"(T w{word}))" for word in range(1, words))


def right_comb(words: int) -> str:
    """A binary tree in which every left child is a word.

    >>> right_comb(3)
    '(X (T w0)(X (T w1)(T w2)))'
    """
    return "".join(f"(X (T w{word})" for word in range(words - 1)) + f"(T w{words - 1})" + ")" * (words - 1)


def spine(words: int, rng: random.Random) -> str:
    """A binary tree in which one child is a word, now the left one, now the right one."""
    before: list[str] = []
    after: list[str] = []
    first, end = 0, words
    while end - first > 1:
        if rng.random() < 0.5:
            before.append(f"(X (T w{first})")
            after.append(")")
            first += 1
        else:
            end -= 1
            before.append("(X ")
            after.append(f"(T w{end}))")
    return "".join(before) + f"(T w{first})" + "".join(reversed(after))


def print_ratios(taken: Mapping[str, float], count: int, base: str, targets: Mapping[str, float]) -> None:
    """Print one line for each part: time per pair, and the multiple of the base with what it may be."""
    print(f"{'':<34}{'µs/pair':>9}{'/ ' + base:>22}{'target':>9}")
    for name, seconds in taken.items():
        target = f"{targets[name]:.0f}" if name in targets else ""
        print(f"{name:<34}{1e6 * seconds / count:>9.2f}{seconds / taken[base]:>22.2f}{target:>9}")


def print_sizes(columns: Mapping[str, Mapping[int, float]], unit: str = "words") -> None:
    """Print one line for each size: the milliseconds in each column; then the exponents of their growth."""
    print(f"{unit:<12}" + "".join(f"{name + ', ms':>27}" for name in columns))
    for size in next(iter(columns.values())):
        print(f"{size:<12,}" + "".join(f"{1000 * column[size]:>27.3f}" for column in columns.values()))
    exponents = (growth(list(column), list(column.values())) for column in columns.values())
    print(f"{'exponent':<12}" + "".join(f"{exponent:>27.2f}" for exponent in exponents))


def sentences(gold: Path, test: Path, rounds: int) -> None:
    """Scoring and aligning beside building."""
    banks = treescore.read(gold, on_error="keep"), treescore.read(test, on_error="keep")
    building = "building both trees"
    work: Work = {
        building: lambda: (treescore.read(gold, on_error="keep"), treescore.read(test, on_error="keep")),
        "score": scoring("struct_iou", *banks),
        "score, terminals:strict": scoring("struct_iou|terminals:strict", *banks),
        "score, gold against itself": scoring("struct_iou", banks[0], banks[0]),
        "alignment": aligning("struct_iou", *banks),
        "alignment, terminals:strict": aligning("struct_iou|terminals:strict", *banks),
        "alignment, gold against itself": aligning("struct_iou", banks[0], banks[0]),
    }
    targets = {name: 2.0 if name.startswith("score") else 4.0 for name in work if name != building}
    words = sum(bank.native.leaf_total() for bank in banks) / 2
    print(f"\nSentences: {len(banks[0]):,} pairs of {words / len(banks[0]):.1f} words")
    print_ratios(fastest(work, rounds), len(banks[0]), building, targets)


def noisy_sentences(gold: Treebank, test: Treebank, seed: int, rounds: int) -> None:
    """Scoring with noise on the boundaries of one side beside scoring without."""
    signature = "struct_iou|axis:seconds"
    exact = with_times(gold, 0, seed)
    base = "score without noise"
    noises = {f"noise {noise}": with_times(test, noise, seed) for noise in NOISES}
    work = {base: scoring(signature, exact, with_times(test, 0, seed))}
    work.update((f"score, {name}", scoring(signature, exact, noisy)) for name, noisy in noises.items())
    work.update((f"alignment, {name}", aligning(signature, exact, noisy)) for name, noisy in noises.items())
    print("\nAxis of seconds, noise on the boundaries of one side")
    print_ratios(fastest(work, rounds), len(gold), base, {f"score, {name}": 5.0 for name in noises})


def long_conversations(gold: Treebank, test: Treebank, seed: int, rounds: int) -> None:
    """How the time grows with the length of a conversation."""
    work: dict[str, Callable[[], object]] = {}
    kinds = ("score", "score, noise 0.5", "alignment", "alignment, noise 0.5")
    for words in CONVERSATIONS:
        pair = [treescore.read(side) for side in conversations(gold, test, words)]
        noisy = [with_times(pair[0], 0, seed), with_times(pair[1], 0.5, seed)]
        work[f"score {words}"] = scoring("struct_iou", pair[0], pair[1])
        work[f"score, noise 0.5 {words}"] = scoring("struct_iou|axis:seconds", noisy[0], noisy[1])
        work[f"alignment {words}"] = aligning("struct_iou", pair[0], pair[1])
        work[f"alignment, noise 0.5 {words}"] = aligning("struct_iou|axis:seconds", noisy[0], noisy[1])
    taken = fastest(work, rounds)
    columns = {kind: {words: taken[f"{kind} {words}"] for words in CONVERSATIONS} for kind in kinds}
    print("\nConversations (targets: 5 ms for 10,000 words, exponent 1.1)")
    print_sizes(columns)


def unusual_trees(seed: int, rounds: int) -> None:
    """Trees unlike those of sentences, one label throughout."""
    rng = random.Random(seed)

    def per_pair(pairs: Mapping[int, Sequence[tuple[str, str]]], rounds: int) -> dict[int, float]:
        banks = {
            words: [treescore.read([pair[side] for pair in made]) for side in (0, 1)] for words, made in pairs.items()
        }
        work = {str(words): scoring("struct_iou", *sides) for words, sides in banks.items()}
        return {int(words): least / len(banks[int(words)][0]) for words, least in fastest(work, rounds).items()}

    def random_pairs(words: int) -> list[tuple[str, str]]:
        number = max(3, WORDS_OF_ONE_SIZE // words)
        return [(random_tree(words, rng), random_tree(words, rng)) for _ in range(number)]

    trees = per_pair({words: random_pairs(words) for words in RANDOM_TREES}, rounds)
    print("\nRandom binary trees, one label (target: below 5 ms for 1,000 words)")
    print_sizes({"score": trees})
    few = min(rounds, 3)  # these take seconds
    combs = per_pair({words: [(left_comb(words), right_comb(words))] for words in COMBS}, few)
    print("\nLeft against right comb, one label (for information)")
    print_sizes({"score": combs})
    spines = per_pair({words: [(spine(words, rng), spine(words, rng))] for words in SPINES}, few)
    print("\nSpines, one label (for information)")
    print_sizes({"score": spines})


def memory(gold: Treebank, test: Treebank, folder: Path) -> None:
    """Print the peak memory of child processes that read, score and align the longest conversation."""
    pair = conversations(gold, test, CONVERSATIONS[-1])
    paths = [folder / "conversation.gold", folder / "conversation.test"]
    for path, text in zip(paths, pair, strict=True):
        path.write_text(text + "\n", encoding="utf-8", errors="surrogateescape")
    size = sum(treescore.read(text).nbytes for text in pair)
    print(f"\nMemory for {CONVERSATIONS[-1]:,} words, {size / 2**20:.1f} MiB of columns")
    print(f"{'':<20}{'peak MiB':>10}{'above import, / columns':>26}")
    bare = 0
    for name, steps in {
        "importing": (),
        "reading": (READING,),
        "scoring": (READING, SCORING),
        "aligning": (READING, ALIGNING),
    }.items():
        script = "; ".join(("import sys", IMPORTING, *steps))
        peak = cpu_seconds([sys.executable, "-c", script, *paths]).max_rss
        bare = bare or peak
        print(f"{name:<20}{peak / 2**20:>10.1f}{(peak - bare) / size:>26.2f}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make or read the input, measure, and print the tables."""
    parser = argparse.ArgumentParser(description="CPU time of STRUCT-IOU beside that of building, one thread.")
    parser.add_argument("-n", "--count", type=positive, default=5000, help="pairs made (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of all that is drawn (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=7, help="rounds (default: %(default)s)")
    parser.add_argument("--gold", type=Path, metavar="FILE", help="measure on these gold trees instead")
    parser.add_argument("--test", type=Path, metavar="FILE", help="and these test trees")
    options = parser.parse_args(arguments)
    if (options.gold is None) != (options.test is None):
        parser.error("--gold and --test belong together")

    def measure(folder: Path) -> None:
        gold_file, test_file = options.gold, options.test
        if gold_file is None:
            gold_file, test_file = make_files(folder, options.count, options.seed)
        gold, test = (treescore.read(path, on_error="keep") for path in (gold_file, test_file))
        sentences(gold_file, test_file, options.rounds)
        noisy_sentences(gold, test, options.seed, options.rounds)
        long_conversations(gold, test, options.seed, options.rounds)
        unusual_trees(options.seed, options.rounds)
        memory(gold, test, folder)

    return in_folder(measure)


if __name__ == "__main__":
    sys.exit(main())
