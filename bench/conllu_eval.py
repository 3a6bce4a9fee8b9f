#!/usr/bin/env python3
"""CPU time of scoring CoNLL-U beside reading the files, and beside the original evaluation if udtools is installed.

    pip install udtools
    python bench/conllu_eval.py

Sentences are made up, with a seed: about 20 words, 3 % of the tokens have two words, the system gets 8 % of the heads
and 5 % of the tags wrong and ends every fiftieth sentence elsewhere.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from measure import CommandError, alternate, in_folder, positive

READ = """
import sys
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        file.read()
"""
PARSE = "import sys; from treescore.readers.conllu import read_conllu; [read_conllu(path) for path in sys.argv[1:]]"
ORIGINAL = "import sys; from udtools.cli import main_eval; sys.exit(main_eval())"
RELATIONS = ("nsubj", "obj", "obl", "det", "case", "amod", "advmod", "punct", "aux", "conj", "cc", "nmod", "mark")
TAGS = ("NOUN", "VERB", "DET", "ADP", "ADJ", "ADV", "PUNCT", "PRON")


def sentence(rng: random.Random) -> list[list[str]]:
    """The lines of a sentence, in columns."""
    count = max(2, round(rng.gauss(20, 8)))
    lines, joined = [], 0
    for number in range(1, count + 1):
        form = f"w{min(int(rng.expovariate(0.002)), 30_000)}"
        if joined == 0 and number < count and rng.random() < 0.03:
            lines.append([f"{number}-{number + 1}", form + "x", *"________"])
            joined = 2
        joined = max(0, joined - 1)
        head = number - 1 if rng.random() < 0.5 or number == 1 else rng.randint(1, number - 1)
        relation = "root" if head == 0 else rng.choice(RELATIONS)
        lines.append([str(number), form, form, rng.choice(TAGS), "_", "Number=Sing", str(head), relation, "_", "_"])
    return lines


def changed(rng: random.Random, lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """The same words with some errors."""
    out = []
    for line in lines:
        columns = list(line)
        if columns[0].isdigit() and columns[6] != "0":
            if rng.random() < 0.08:
                columns[6] = str(rng.randint(1, int(columns[0]) - 1))
            if rng.random() < 0.05:
                columns[3] = rng.choice(TAGS)
        out.append(columns)
    return out


def written(lines: Sequence[Sequence[str]]) -> str:
    """A sentence as text."""
    return "".join("\t".join(columns) + "\n" for columns in lines) + "\n"


def split(lines: Sequence[Sequence[str]]) -> str:
    """The first word as a sentence of its own, where it is a token of its own."""
    if not lines[0][0].isdigit() or len(lines) < 3:
        return written(lines)
    rest = []
    for columns in lines[1:]:
        number = "-".join(str(int(part) - 1) for part in columns[0].split("-"))
        head = columns[6] if columns[6] == "_" else str(max(0, int(columns[6]) - 1))
        if number == "1":
            head = "0"
        elif head == "0":
            head = "1"
        rest.append([number, *columns[1:6], head, *columns[7:]])
    return written(lines[:1]) + written(rest)


def make_files(folder: Path, count: int, seed: int) -> tuple[Path, Path]:
    """Gold and system in a folder."""
    rng = random.Random(seed)
    gold, system = folder / "gold.conllu", folder / "system.conllu"
    with gold.open("w", encoding="utf-8") as ours, system.open("w", encoding="utf-8") as theirs:
        for number in range(count):
            lines = sentence(rng)
            ours.write(written(lines))
            other = changed(rng, lines)
            theirs.write(split(other) if number % 50 == 0 else written(other))
    return gold, system


def measure(folder: Path, count: int, options: argparse.Namespace) -> None:
    """Compare whole processes on files of this size."""
    gold, system = make_files(folder, count, options.seed)
    files = [str(gold), str(system)]
    python = sys.executable
    base = "only the bytes are read"
    commands: dict[str, list[str]] = {
        base: [python, "-c", READ, *files],
        "treescore reads the files": [python, "-c", PARSE, *files],
        "treescore -f conll-rates": [python, "-m", "treescore", *files, "-f", "conll-rates"],
    }
    if importlib.util.find_spec("udtools"):
        commands["udeval -v (udtools)"] = [python, "-c", ORIGINAL, "-v", *files]
    size = (gold.stat().st_size + system.stat().st_size) / 2**20
    print(f"\n{count:,} sentences, {size:.1f} MiB{'' if len(commands) > 3 else '; udtools is not installed'}")
    print(f"{'':<32}{'s CPU':>10}{'/ ours':>10}{'MiB peak':>12}")
    taken = alternate(commands, options.rounds)
    ours = taken["treescore -f conll-rates"].cpu
    for name, used in taken.items():
        print(f"{name:<32}{used.cpu:>10.3f}{used.cpu / ours:>10.2f}{used.max_rss / 2**20:>12.0f}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the files, measure, and print times and ratios."""
    parser = argparse.ArgumentParser(description="CPU time of scoring CoNLL-U, as whole processes.")
    parser.add_argument(
        "-n", "--count", type=positive, nargs="+", default=[2_000, 50_000], help="sentences (default: 2000 and 50000)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the words (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=3, help="rounds (default: %(default)s)")
    options = parser.parse_args(arguments)

    def work(folder: Path) -> None:
        for count in options.count:
            measure(folder, count, options)

    try:
        return in_folder(work)
    except CommandError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
