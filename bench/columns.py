#!/usr/bin/env python3
"""What scoring columns costs beside `evaluate` on the same trees, and memory as the input grows: one thread.

    python bench/columns.py
    python bench/columns.py -n 100000

CPU time inside one process: `evaluate` on lists of strings and on files, `treescore.arrow.score` on a table of
strings, in one piece and in batches of a thousand rows, and adding its counts up. Then peak memory of
`treescore columns` from Parquet to Parquet, for inputs of growing size. Needs pyarrow.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from evalb_process import make_files
from measure import cpu_seconds, in_folder, positive
from struct_iou import fastest

import treescore

METRICS = ("parseval", "struct_iou")
BATCH = 1_000


def lines(path: Path) -> list[str]:
    """The trees of a file, one a line."""
    return [line for line in path.read_text().splitlines() if line]


def compare(gold: Path, test: Path, rounds: int) -> None:
    """Print the ratios of the ways to score these trees."""
    sides = lines(gold), lines(test)
    table = pa.table({"gold": sides[0], "test": sides[1]})
    batches = table.to_batches(max_chunksize=BATCH)
    for metric in METRICS:
        whole = treescore.evaluate(*sides, metric, threads=1)
        scored = [treescore.arrow.score(batch, metric, threads=1) for batch in batches]
        if treescore.arrow.total(scored)[metric].figures != whole[metric].figures:
            raise SystemExit(f"{metric}: not the same figures")
        least = fastest(
            {
                "evaluate, lists of strings": lambda m=metric: treescore.evaluate(*sides, m, threads=1),  # type: ignore[misc]
                "evaluate, files": lambda m=metric: treescore.evaluate(gold, test, m, threads=1),  # type: ignore[misc]
                "arrow.score, one table": lambda m=metric: treescore.arrow.score(table, m, threads=1),  # type: ignore[misc]
                f"arrow.score, batches of {BATCH:,}": lambda m=metric: [  # type: ignore[misc]
                    treescore.arrow.score(batch, m, threads=1) for batch in batches
                ],
                "arrow.total": lambda found=scored: treescore.arrow.total(found),  # type: ignore[misc]
            },
            rounds,
        )
        first = next(iter(least.values()))
        for name, seconds in least.items():
            pairs = f"{1e6 * seconds / len(sides[0]):6.2f} µs a pair"
            print(f"{metric:10}  {name:34}  {pairs}  {seconds / first:5.2f} times evaluate on strings")


def memory(folder: Path, gold: Path, test: Path, copies: Sequence[int]) -> None:
    """Print the peak memory of the command for so many copies of the trees."""
    table = pa.table({"gold": lines(gold), "test": lines(test)})
    smallest = None
    for number in copies:
        path = folder / f"{number}.parquet"
        with pq.ParquetWriter(path, table.schema) as writer:
            for _ in range(number):
                writer.write_table(table, row_group_size=10_000)
        out = folder / "scores.parquet"
        used = cpu_seconds([sys.executable, "-m", "treescore", "columns", path, "-o", out, "--threads", "1"])
        smallest = smallest or used
        rows = number * table.num_rows
        print(
            f"treescore columns, {rows:>9,} pairs: peak {used.max_rss / 2**20:5.0f} MiB, "
            f"{used.max_rss / smallest.max_rss:4.2f} times the smallest; {1e6 * used.cpu / rows:6.2f} µs CPU a pair"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What scoring columns costs beside evaluate.")
    parser.add_argument("-n", "--pairs", type=positive, default=20_000, help="pairs of trees (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=5, help="rounds (default: %(default)s)")
    parser.add_argument(
        "-c", "--copies", type=positive, nargs="+", default=[1, 4, 16], help="sizes for memory, in copies of the trees"
    )
    options = parser.parse_args(arguments)

    def work(folder: Path) -> None:
        gold, test = make_files(folder, options.pairs, 1)
        compare(gold, test, options.rounds)
        memory(folder, gold, test, options.copies)

    return in_folder(work)


if __name__ == "__main__":
    sys.exit(main())
