#!/usr/bin/env python3
"""Measure what one pair costs from Python, when pairs come one by one: microseconds per call in one thread.

    python bench/one_pair.py

Lists of one string on each side, by the default metric and by STRUCT-IOU: a whole `treescore.evaluate`, a whole
`Scorer.update`, and the steps that both take: reading, counting, finding problems, and then a score with its value, or
adding the sums to those of earlier pairs. What is left of the whole is what holds the steps together. CPU time, medians
of several rounds, in turn.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence

from measure import positive

import treescore
from treescore.place.pair import Pair

GOLD = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps) (ADVP (RB well))))"
TEST = "(S (NP (DT the)) (VP (NN cat) (VBZ sleeps) (ADVP (RB well))))"
METRICS = ("parseval", "struct_iou")


def work_of(name: str) -> dict[str, Callable[[], object]]:
    """What is measured for a metric."""
    metric = treescore.metric(name)
    pair = Pair(treescore.read([GOLD]), treescore.read([TEST]))
    counts, fresh = metric.counts(pair), metric.counts(pair)
    scorer = treescore.Scorer(name)
    sums: dict[str, int] = {}
    return {
        "evaluate": lambda: treescore.evaluate([GOLD], [TEST], name).scores[0].value,
        "Scorer.update": lambda: scorer.update([GOLD], [TEST]),
        "reading": lambda: (treescore.read([GOLD]), treescore.read([TEST])),
        "counting": lambda: metric.counts(pair).total(),
        "problems": lambda: metric.problems(pair, counts),
        "score": lambda: metric.score(counts).value,
        "adding": lambda: fresh.add_totals_to(sums),
    }


def microseconds(step: Callable[[], object], calls: int) -> float:
    """The CPU time of one call."""
    start = time.process_time()
    for _ in range(calls):
        step()
    return (time.process_time() - start) / calls * 1e6


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print times and shares."""
    parser = argparse.ArgumentParser(description="What one pair costs from Python, in microseconds of CPU time.")
    parser.add_argument("-n", "--calls", type=positive, default=2000, help="calls a round (default: %(default)s)")
    parser.add_argument("-r", "--rounds", type=positive, default=9, help="rounds (default: %(default)s)")
    options = parser.parse_args(arguments)
    for name in METRICS:
        work = work_of(name)
        taken: dict[str, list[float]] = {step: [] for step in work}
        for call in work.values():
            microseconds(call, options.calls)
        for _ in range(options.rounds):
            for step, call in work.items():
                taken[step].append(microseconds(call, options.calls))
        medians = {step: statistics.median(times) for step, times in taken.items()}
        print(f"{name:<16}{'µs/call':>9}{'/ evaluate':>12}{'/ update':>10}")
        for step, middle in medians.items():
            shares = [middle / medians[whole] for whole in ("evaluate", "Scorer.update")]
            print(f"{step:<16}{middle:>9.2f}{shares[0]:>12.2f}{shares[1]:>10.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
