#!/usr/bin/env python3
"""Measure what SParseval costs: the command as a whole process, and the metric on long recognised texts.

    python bench/sparseval.py
    python bench/sparseval.py -r 5 --times 8

The command is run on generated pairs and on the same pairs several times over, in all of its modes: a tree at a time
and a whole file at a time (`-c`), with places and without (`-b`). Beside it stand an interpreter that does nothing, one
that merely reads the trees of both files, and for scale what the original program took, which was measured on other
text of the same kind and size, on another machine. The metric is run in one process on one thread, on texts in which
words were replaced, left out and put in.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Sequence
from math import log
from pathlib import Path

from evalb_process import make_files
from measure import Usage, alternate, in_folder, positive
from memory import repeated
from struct_iou import fastest, print_sizes, scoring

import treescore
from treescore import heads

MODES = {"text": [], "-b": ["-b"], "-c": ["-c"], "-c -b": ["-c", "-b"]}
BARE = "python -c pass"
READING = "reading the trees"

ORIGINAL = {"text": ("0.13", "1.1"), "-b": ("13", ""), "-c": ("4.0", "403"), "-c -b": ("6.8", "489")}
"""Seconds of CPU of the original (gcc -g) for 2,416 pairs of newspaper text and for eight times as many."""

PARAMETERS = """\
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL .
EDIT_LABEL EDITED
CLOSED_CLASS CC
CLOSED_CLASS DT
CLOSED_CLASS IN
CLOSED_CLASS MD
CLOSED_CLASS PRP
CLOSED_CLASS TO
FILLED_PAUSE1 uh
FILLED_PAUSE1 um
"""

SIDES = (10_000, 100_000)
REPLACED, LEFT_OUT, PUT_IN = 0.08, 0.04, 0.03
"""Shares of the words, 15 % of them together."""

WORD = re.compile(r"\((\S+) ([^\s()]+)\)")
EMPTY = re.compile(r" ?\([^\s()]+ *\)")


def without_failures(gold: Path, test: Path) -> None:
    """Leave out pairs without a parse, at which the original ends."""
    pairs = zip(gold.read_text("utf-8").splitlines(), test.read_text("utf-8").splitlines(), strict=True)
    kept = [pair for pair in pairs if WORD.search(pair[1])]
    for path, side in ((gold, 0), (test, 1)):
        path.write_text("".join(pair[side] + "\n" for pair in kept), "utf-8")


def misheard(tree: str, vocabulary: Sequence[str], rng: random.Random) -> str:
    """The tree as a recogniser with errors may leave it.

    >>> misheard("(S (NN tea) (VBZ helps))", ["sea"], random.Random(8))
    '(S (NN sea) (VBZ helps))'
    """

    def changed(found: re.Match[str]) -> str:
        drawn = rng.random()
        if drawn < REPLACED:
            return f"({found[1]} {rng.choice(vocabulary)})"
        if drawn < REPLACED + LEFT_OUT:
            return ""
        if drawn < REPLACED + LEFT_OUT + PUT_IN:
            return f"{found[0]} ({found[1]} {rng.choice(vocabulary)})"
        return found[0]

    tree, changes = WORD.sub(changed, tree), 1
    while changes:  # phrases that have lost their last word
        tree, changes = EMPTY.subn("", tree)
    return tree


def command(folder: Path, mode: Sequence[str], gold: Path, test: Path) -> list[str]:
    """Our command in a mode."""
    options = ["-p", str(folder / "speech.prm"), "-h", str(folder / "collins.heads")]
    return [sys.executable, "-m", "treescore", "sparseval", *mode, *options, str(gold), str(test)]


def print_modes(small: dict[str, Usage], large: dict[str, Usage], times: int, size: int) -> None:
    """Print one line per mode: times, growth, multiple of reading, memory, and the original."""
    print(
        f"{'':<18}{'1×, s':>8}{f'{times}×, s':>8}{'ratio':>8}{'exponent':>10}{'/ reading':>11}{'peak / input':>14}"
        f"{'above bare':>12}{'original, s':>14}"
    )
    bare = large[BARE].max_rss
    for name in small:
        ratio = large[name].cpu / small[name].cpu
        work = [max(used[name].cpu - used[BARE].cpu, 1e-6) for used in (small, large)]
        exponent = f"{log(work[1] / work[0]) / log(times):.2f}" if name != BARE else ""
        original = " and ".join(part or "–" for part in ORIGINAL.get(name, ("", ""))) if name in ORIGINAL else ""
        print(
            f"{name:<18}{small[name].cpu:>8.3f}{large[name].cpu:>8.3f}{ratio:>8.2f}{exponent:>10}"
            f"{large[name].cpu / large[READING].cpu:>11.2f}{large[name].max_rss / size:>14.2f}"
            f"{(large[name].max_rss - bare) / size:>12.2f}{original:>14}"
        )


def processes(folder: Path, gold: Path, test: Path, times: int, runs: int) -> None:
    """All modes of the command, on the pairs and on several times as many."""
    (folder / "speech.prm").write_text(PARAMETERS, "utf-8")
    (folder / "collins.heads").write_text(str(heads.get("collins")), "utf-8")
    longer = repeated(gold, times), repeated(test, times)
    used = []
    for pair in ((gold, test), longer):
        reading = f"import treescore; [treescore.read(path) for path in {[str(path) for path in pair]!r}]"
        commands = {BARE: [sys.executable, "-c", "pass"], READING: [sys.executable, "-c", reading]}
        commands.update((name, command(folder, mode, *pair)) for name, mode in MODES.items())
        used.append(alternate(commands, runs))
    size = sum(path.stat().st_size for path in longer)
    count = len(gold.read_bytes().splitlines())
    print(f"\ntreescore sparseval, {count:,} pairs and {times} times as many, {size / 2**20:.1f} MiB")
    print_modes(used[0], used[1], times, size)


def long_sides(gold: Path, test: Path, seed: int, rounds: int) -> None:
    """The metric on sides of a conversation with errors of a recogniser, beside reading them."""
    rng = random.Random(seed)
    pairs = list(zip(gold.read_text("utf-8").splitlines(), test.read_text("utf-8").splitlines(), strict=True))
    vocabulary = [found[2] for pair in pairs for found in WORD.finditer(pair[0]) if found[2].isalpha()]
    work: dict[str, Callable[[], object]] = {}
    rates = {}
    for words in SIDES:
        sides: tuple[list[str], list[str]] = ([], [])
        length = 0
        while length < words:
            one, other = pairs[len(sides[0]) % len(pairs)]
            sides[0].append(one)
            sides[1].append(misheard(other, vocabulary, rng))
            length += len(WORD.findall(one))
        texts = ["\n".join(side) + "\n" for side in sides]
        banks = [treescore.read(text) for text in texts]
        work[f"reading {words}"] = lambda texts=texts: [treescore.read(text) for text in texts]  # type: ignore[misc]
        for align in ("words", "bag"):
            work[f"align:{align} {words}"] = scoring(f"sparseval|unit:file|align:{align}", banks[0], banks[1])
        rates[words] = treescore.evaluate(banks[0], banks[1], "sparseval|unit:file")["sparseval"].parts["wer"]
    taken = fastest(work, rounds)
    shown = ", ".join(f"{rate:.1%} of {words:,}" for words, rate in rates.items() if rate is not None)
    print(f"\nsparseval|unit:file, one thread; word error rate {shown} words")
    kinds = ("reading", "align:words", "align:bag")
    print_sizes({kind: {words: taken[f"{kind} {words}"] for words in SIDES} for kind in kinds})
    for kind in kinds[1:]:
        ratios = ", ".join(f"{taken[f'{kind} {words}'] / taken[f'reading {words}']:.1f}" for words in SIDES)
        print(f"{kind} / reading: {ratios}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the input, measure, and print the tables."""
    parser = argparse.ArgumentParser(
        description="CPU time and peak memory of SParseval.",
        epilog="Columns: CPU time (user and system) of the whole process for both inputs, their ratio, and the exponent"
        " of its growth once the interpreter that does nothing is taken off; for the long input, the multiple of a"
        " process that only reads the trees, peak memory per byte of input, and the same for what exceeds the"
        " interpreter that does nothing.",
    )
    parser.add_argument("-n", "--count", type=positive, default=2416, help="pairs (default: %(default)s)")
    parser.add_argument("--times", type=positive, default=8, help="size of the long input (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of all that is drawn (default: %(default)s)")
    parser.add_argument("-r", "--runs", type=positive, default=5, help="runs of each (default: %(default)s)")
    options = parser.parse_args(arguments)
    if options.times < 2:
        parser.error("--times must be at least 2")

    def measure(folder: Path) -> None:
        gold, test = make_files(folder, options.count, options.seed)
        without_failures(gold, test)
        processes(folder, gold, test, options.times, options.runs)
        long_sides(gold, test, options.seed, options.runs)

    return in_folder(measure)


if __name__ == "__main__":
    sys.exit(main())
