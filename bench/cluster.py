#!/usr/bin/env python3
"""Dask's workers beside a pool of processes, on the same tasks: what the scheduler costs.

    python bench/cluster.py
    python bench/cluster.py -n 200000 --rows-per-task 10000 -w 8

Both score the same Parquet file piece by piece, each piece read, scored and written as a part by the same function, in
processes that are running and warm. Time on the clock, since work is spread over processes; what is compared is
measured in turn, and the least of several rounds counts. The time that starting the processes takes is given apart.
Needs the extra `cluster`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from columns import lines
from evalb_process import make_files
from measure import in_folder, positive

from treescore.helpers.steps import Steps
from treescore.scale.cluster import client_of, run_with
from treescore.scale.pairs import check_metrics
from treescore.scale.parts import Folder, Job, Plan, make_part, plan
from treescore.scoring.tally import Tally

METRICS = ("parseval", "struct_iou")
POOL = "pool of processes"


def ways(whole: Plan, pool: ProcessPoolExecutor, client: Any) -> dict[str, Callable[[], Tally]]:
    """The ways to do all tasks."""
    jobs = [whole.job] * len(whole.pieces)
    return {
        "one process, one thread": lambda: Tally.added(list(map(make_part, jobs, whole.pieces))),
        POOL: lambda: Tally.added(list(pool.map(make_part, jobs, whole.pieces))),
        "Dask": lambda: run_with(client, whole, Steps()),
    }


def seconds(whole: Plan, work: Callable[[], Tally]) -> tuple[float, str]:
    """How long it takes on the clock to make all parts, and the total."""
    shutil.rmtree(whole.job.folder, ignore_errors=True)
    with Folder(whole):
        begin = time.perf_counter()
        totals = work()
        return time.perf_counter() - begin, totals.report().to("json")


def compare(whole: Plan, work: Mapping[str, Callable[[], Tally]], rounds: int) -> None:
    """Do the work in every way, in turn, and print the ratios."""
    rows = sum(piece.rows for piece in whole.pieces)
    least = dict.fromkeys(work, float("inf"))
    said = set()
    for round in range(rounds + 1):  # the first one to warm up
        for name, step in work.items():
            took, total = seconds(whole, step)
            said.add(total)
            if round:
                least[name] = min(least[name], took)
    (metric,) = whole.job.metrics
    if len(said) != 1:
        raise SystemExit(f"{metric.name}: not the same totals")
    for name, took in least.items():
        print(
            f"{metric.name:10}  {name:24} {took:6.2f} s for {len(whole.pieces)} tasks, {1e6 * took / rows:6.2f} µs a "
            f"pair; {took / least[POOL]:5.2f} times the pool"
        )


def measure(path: Path, rows: int, workers: int, rounds: int) -> None:
    """Start a pool and a cluster, and compare them."""
    begin = time.perf_counter()
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        list(pool.map(abs, range(workers)))
        pool_start = time.perf_counter() - begin
        begin = time.perf_counter()
        with client_of(None, workers) as client:
            dask_start = time.perf_counter() - begin
            print(f"start of {workers} processes: pool {pool_start:.2f} s, Dask {dask_start:.2f} s")
            for name in METRICS:
                job = Job(check_metrics(name), str(path.with_suffix(f".{name}")), [str(path)])
                whole = plan(job, [str(path)], rows)
                compare(whole, ways(whole, pool, client), rounds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Dask's workers beside a pool of processes.")
    parser.add_argument("-n", "--pairs", type=positive, default=50_000, help="pairs of trees (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=3, help="rounds (default: %(default)s)")
    parser.add_argument(
        "-w", "--workers", type=positive, default=os.cpu_count() or 1, help="processes (default: cores)"
    )
    parser.add_argument("--rows-per-task", type=positive, default=2_000, metavar="N", help="(default: %(default)s)")
    options = parser.parse_args(arguments)

    def work(folder: Path) -> None:
        gold, test = make_files(folder, options.pairs, 1)
        path = folder / "pairs.parquet"
        table = pa.table({"gold": lines(gold), "test": lines(test)})
        pq.write_table(table, path, row_group_size=options.rows_per_task)
        measure(path, options.rows_per_task, options.workers, options.rounds)

    return in_folder(work)


if __name__ == "__main__":
    sys.exit(main())
