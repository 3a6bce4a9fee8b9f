#!/usr/bin/env python3
"""Measure word alignment beside reading, beside other packages, and how it grows: CPU time, one process, one thread.

    python bench/align_words.py
    python bench/align_words.py -n 5000 --error-rate 0.3

Utterances of about 15 words and conversations of 10,000 and 100,000, with words as frequent as in speech (the n-th most
frequent one n times rarer than the first) and errors of a recogniser: of five errors three are substitutions, one is a
deletion, one an insertion. Ours are aligned with sclite's costs and with unit costs; RapidFuzz and jiwer know unit
costs only, and the number of their errors must be ours. What is compared is measured in turn; times are the least of
several rounds. Peers that are not installed are left out.
"""

from __future__ import annotations

import argparse
import random
import sys
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from itertools import accumulate

from measure import CommandError, positive
from struct_iou import fastest

from treescore import _core, align_words
from treescore.pairing.word_alignment import UNIT_COSTS, Matching
from treescore.pairing.word_reports import align_utterances
from treescore.readers.trn import read_trn

VOCABULARY = 20_000
CONVERSATIONS = (10_000, 100_000)
SUBSEQUENCES = ((10_000, 100), (10_000, 10_000), (400_000, 400_000))

Words = list[str]


def spoken(rng: random.Random, count: int) -> Words:
    """So many words."""
    weights = list(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))
    return [f"w{number}" for number in rng.choices(range(VOCABULARY), cum_weights=weights, k=count)]


def recognised(rng: random.Random, words: Words, rate: float) -> Words:
    """The words with errors."""
    errors = iter(spoken(rng, 2 * len(words) + 2))
    out: Words = []
    for word in words:
        chance = rng.random() / rate
        if chance >= 1:
            out.append(word)
        elif chance < 0.6:
            out.append(next(errors))
        elif chance < 0.8:
            out += [word, next(errors)]
    return out


def by_rapidfuzz(pairs: Sequence[tuple[Words, Words]]) -> Callable[[], int]:
    """Let RapidFuzz find the edits."""
    editops = import_module("rapidfuzz.distance.Levenshtein").editops
    return lambda: sum(len(editops(ref, hyp)) for ref, hyp in pairs)


def by_jiwer(pairs: Sequence[tuple[Words, Words]]) -> Callable[[], int]:
    """Let jiwer align sentences."""
    jiwer = import_module("jiwer")
    refs, hyps = ([" ".join(pair[side]) for pair in pairs] for side in (0, 1))

    def work() -> int:
        found = jiwer.process_words(refs, hyps)
        return int(found.substitutions + found.deletions + found.insertions)

    return work


PEERS = {"RapidFuzz, unit costs": by_rapidfuzz, "jiwer, unit costs": by_jiwer}


def ours(pairs: Sequence[tuple[Words, Words]], *, unit: bool) -> Callable[[], int]:
    """Align with treescore."""
    if unit:
        return lambda: sum(align_words(ref, hyp, costs=UNIT_COSTS, fold_case=False).counts.errors for ref, hyp in pairs)
    return lambda: sum(align_words(ref, hyp).counts.errors for ref, hyp in pairs)


def in_one_call(pairs: Sequence[tuple[Words, Words]]) -> Callable[[], int]:
    """Align all pairs with treescore in a single native call."""
    matching = Matching(costs=UNIT_COSTS, fold_case=False)
    return lambda: matching.align_all(pairs).counts.errors


def shown(work: dict[str, Callable[[], int]], rounds: int, base: str, words: int) -> None:
    """Measure and print a table; errors must agree where costs do."""
    errors = {name: one() for name, one in work.items() if "unit" in name}
    if len(set(errors.values())) > 1:
        raise CommandError(f"the numbers of errors differ: {errors}")
    taken = fastest(dict(work), rounds)
    for name, seconds in taken.items():
        ratio = seconds / taken[base]
        print(f"{name:<44}{1000 * seconds:>10.2f}{1e6 * seconds / words:>12.3f}{ratio:>12.2f}")


def measure(title: str, pairs: Sequence[tuple[Words, Words]], options: argparse.Namespace) -> None:
    """Compare reading, ours and the peers on the same pairs."""
    files = ["".join(f"{' '.join(pair[side])} (s-{n})\n" for n, pair in enumerate(pairs)).encode() for side in (0, 1)]
    words = sum(len(ref) for ref, _ in pairs)

    def read() -> int:
        return len(read_trn(files[0])) + len(read_trn(files[1]))

    def whole() -> int:
        return align_utterances(read_trn(files[0]), read_trn(files[1])).counts.errors

    base = "reading both sides (trn)"
    work: dict[str, Callable[[], int]] = {
        base: read,
        "reading, aligning and counting": whole,
        "align_words, sclite's costs": ours(pairs, unit=False),
        "align_words, unit costs": ours(pairs, unit=True),
        "all pairs in one call, unit costs": in_one_call(pairs),
    }
    missing = []
    for name, made in PEERS.items():
        try:
            work[name] = made(pairs)
        except ImportError:
            missing.append(name.partition(",")[0])
    print(f"\n{title}{'; not installed: ' + ', '.join(missing) if missing else ''}")
    print(f"{'':<44}{'ms':>10}{'µs/word':>12}{'/ reading':>12}")
    shown(work, options.rounds, base, words)


def measure_core(rng: random.Random, options: argparse.Namespace) -> None:
    """The native part alone, on numbers instead of words."""
    print(f"\n{'numbers instead of words':<44}{'ms':>10}")
    work: dict[str, Callable[[], object]] = {}
    for count in CONVERSATIONS:
        ref = spoken(rng, count)
        keys: dict[str, int] = {}
        sides = [
            array("I", [keys.setdefault(word, len(keys)) for word in side])
            for side in (ref, recognised(rng, ref, options.error_rate))
        ]
        work[f"aligning {count:,} words"] = partial(
            _core.align_words, sides[0], sides[1], None, None, (3, 3, 4), [], False
        )
    for count, kinds in SUBSEQUENCES:
        sides = [array("I", [rng.randrange(kinds) for _ in range(count)]) for _ in range(2)]
        work[f"common subsequence, {count:,} of {kinds:,} kinds"] = partial(_core.lcs_length, sides[0], sides[1])
    for name, seconds in fastest(work, options.rounds).items():
        print(f"{name:<44}{1000 * seconds:>10.2f}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the words, measure, and print times and ratios."""
    parser = argparse.ArgumentParser(description="CPU time of word alignment beside reading and other packages.")
    parser.add_argument("-n", "--count", type=positive, default=2000, help="utterances (default: %(default)s)")
    parser.add_argument(
        "--error-rate", type=float, default=0.15, metavar="X", help="from 0 to 1 (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the words (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=5, help="rounds (default: %(default)s)")
    options = parser.parse_args(arguments)
    rng = random.Random(options.seed)
    refs = [spoken(rng, max(1, round(rng.gauss(15, 6)))) for _ in range(options.count)]
    try:
        measure(
            f"{options.count:,} utterances of about 15 words",
            [(ref, recognised(rng, ref, options.error_rate)) for ref in refs],
            options,
        )
        for count in CONVERSATIONS[:1]:
            ref = spoken(rng, count)
            measure(f"one conversation of {count:,} words", [(ref, recognised(rng, ref, options.error_rate))], options)
        measure_core(rng, options)
    except CommandError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
