#!/usr/bin/env python3
"""Measure what `treescore evalb` costs as a whole process: CPU time and peak memory, start-up included.

    python bench/evalb_process.py
    python bench/evalb_process.py -r 21 --evalb EVALB/evalb

Two inputs are made, of 2,416 pairs (as many as the usual test section of English newspaper text) and of twenty times as
many, all sentences different. Measured in turn on each: an interpreter that does nothing, one that merely reads the two
files, `treescore evalb` with a parameter file like COLLINS.prm, and, if given, the original program.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from measure import Usage, add_treescore_option, alternate, in_folder, positive

PARAMETERS = """\
DEBUG 0
MAX_ERROR 10
CUTOFF_LEN 40
LABELED 1
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL .
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL ADVP PRT
"""
BARE = "python -c pass"
READING = "reading the bytes"
OURS = "treescore evalb"
ORIGINAL = "evalb (C)"


def make_files(folder: Path, count: int, seed: int) -> tuple[Path, Path]:
    """Write a gold and a test file of so many pairs, by a process of its own so that this one stays small."""
    gold, test = folder / f"{count}.gold", folder / f"{count}.test"
    script = Path(__file__).with_name("make_treebank.py")
    arguments = ["-n", str(count), "--seed", str(seed), "--gold", str(gold), "--test", str(test)]
    subprocess.run([sys.executable, str(script), *arguments], check=True)
    return gold, test


def commands(options: argparse.Namespace, parameters: Path, gold: Path, test: Path) -> dict[str, list[str]]:
    """Return the commands to be measured on a pair of files."""
    scoring = ["-p", str(parameters), str(gold), str(test)]
    reading = f"open({str(gold)!r}, 'rb').read(); open({str(test)!r}, 'rb').read()"
    measured = {
        BARE: [sys.executable, "-c", "pass"],
        READING: [sys.executable, "-c", reading],
        OURS: [*options.treescore, *scoring],
    }
    if options.evalb:
        measured[ORIGINAL] = [str(options.evalb.resolve()), *scoring]
    return measured


def print_table(used: dict[str, Usage], count: int, size: int) -> None:
    """Print one line per command: time, ratios, time per pair, memory."""
    bare = used[BARE]
    original = used.get(ORIGINAL)
    print(f"\n{count} pairs, {size / 2**20:.1f} MiB of input")
    versus = f"{'/ evalb':>9}" if original else ""
    print(f"{'':<20}{'CPU ms':>9}{'/ bare':>9}{versus}{'µs/pair':>9}{'peak MiB':>10}{'/ input':>9}{'above bare':>12}")
    for name, usage in used.items():
        versus = f"{usage.cpu / original.cpu:>9.2f}" if original else ""
        print(
            f"{name:<20}{1000 * usage.cpu:>9.1f}{usage.cpu / bare.cpu:>9.2f}{versus}{1e6 * usage.cpu / count:>9.2f}"
            f"{usage.max_rss / 2**20:>10.1f}{usage.max_rss / size:>9.2f}{(usage.max_rss - bare.max_rss) / size:>12.2f}"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the inputs, measure, and print a table for each."""
    parser = argparse.ArgumentParser(
        description="CPU time and peak memory of treescore evalb as a whole process.",
        epilog="Columns: CPU time (user and system) of the whole process; as a multiple of the interpreter that does"
        " nothing, and of the original program; per pair; peak memory, as a multiple of the input's size, and the"
        " same for what exceeds the interpreter that does nothing. Times are medians, peaks the greatest seen.",
    )
    parser.add_argument("-n", "--count", type=positive, default=2416, help="pairs, small input (default: %(default)s)")
    parser.add_argument("--times", type=positive, default=20, help="size of the large input (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the pairs (default: %(default)s)")
    parser.add_argument("-r", "--runs", type=positive, default=11, help="runs of each command (default: %(default)s)")
    parser.add_argument("--evalb", type=Path, metavar="PATH", help="the original program, compiled, to compare with")
    add_treescore_option(parser)
    options = parser.parse_args(arguments)

    def measure(folder: Path) -> None:
        parameters = folder / "COLLINS.prm"
        parameters.write_text(PARAMETERS, encoding="utf-8")
        for count in (options.count, options.count * options.times):
            gold, test = make_files(folder, count, options.seed)
            used = alternate(commands(options, parameters, gold, test), options.runs)
            print_table(used, count, gold.stat().st_size + test.stat().st_size)

    return in_folder(measure)


if __name__ == "__main__":
    sys.exit(main())
