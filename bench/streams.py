#!/usr/bin/env python3
"""What a pair costs, and how much memory is used, as files grow from a thousand to a million pairs; and threads.

    python bench/streams.py
    python bench/streams.py -n 1000 10000 100000 -r 3

`treescore GOLD TEST --chunk 8M` as a process: CPU time for each pair, and peak memory beside that of the input before,
plain and packed with gzip; then the time on the clock with one thread and with all cores.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from evalb_process import make_files
from measure import cpu_seconds, environment, in_folder, median, positive

MADE = 20_000  # pairs that are different


def sized(path: Path, pairs: int, *, packed: bool = False) -> Path:
    """A file with so many of its lines, over and over again."""
    lines = path.read_bytes().splitlines(keepends=True)
    larger = path.with_name(f"{path.name}.{pairs}{'.gz' if packed else ''}")
    with gzip.open(larger, "wb", 1) if packed else larger.open("wb") as file:
        for _ in range(pairs // len(lines)):
            file.writelines(lines)
        file.writelines(lines[: pairs % len(lines)])
    return larger


def command(files: Sequence[Path], *more: str) -> list[str]:
    """The command that scores two files in parts."""
    return [sys.executable, "-m", "treescore", *map(str, files), "--chunk", "8M", *more]


def growth(gold: Path, test: Path, sizes: Sequence[int], rounds: int) -> None:
    """Print cost and memory for files of these sizes."""
    for kind, packed in (("plain", False), ("gzip", True)):
        before = None
        for pairs in sizes:
            files = [sized(path, pairs, packed=packed) for path in (gold, test)]
            used = median([cpu_seconds(command(files)) for _ in range(rounds)])
            for file in files:
                file.unlink()
            beside = f"{used.max_rss / before:5.2f} times that of the input before" if before else ""
            before = used.max_rss
            print(
                f"{kind:6} {pairs:>9,} pairs: {1e6 * used.cpu / pairs:7.2f} µs CPU a pair, peak "
                f"{used.max_rss / 2**20:4.0f} MiB  {beside}"
            )


def scaling(gold: Path, test: Path, pairs: int, rounds: int) -> None:
    """Print how much sooner all cores are done than one thread, for two metrics."""
    files = [sized(path, pairs) for path in (gold, test)]
    cores = os.cpu_count() or 1
    for metric in ("parseval", "struct_iou"):
        least = {1: float("inf"), cores: float("inf")}
        for _ in range(rounds):
            for threads in least:
                before = perf_counter()
                subprocess.run(
                    command(files, "-m", metric, "--threads", str(threads)),
                    env=environment(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    check=True,
                )
                least[threads] = min(least[threads], perf_counter() - before)
        print(f"{metric:10} {pairs:>9,} pairs: {cores} threads are {least[1] / least[cores]:.2f} times as fast as one")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What a pair costs as files grow, in time and memory.")
    parser.add_argument(
        "-n", "--pairs", type=positive, nargs="+", default=[1_000, 10_000, 100_000, 1_000_000], help="pairs in a file"
    )
    parser.add_argument("-r", "--rounds", type=positive, default=1, help="rounds (default: %(default)s)")
    options = parser.parse_args(arguments)

    def work(folder: Path) -> None:
        gold, test = make_files(folder, MADE, 1)
        growth(gold, test, options.pairs, options.rounds)
        scaling(gold, test, max(options.pairs), options.rounds)

    return in_folder(work)


if __name__ == "__main__":
    sys.exit(main())
