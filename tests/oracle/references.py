"""Several gold trees for each sentence, in plain Python, from the results against each of them alone.

A row is what one pair of trees comes to: its counts by name, and its main figure. Counts are those of the metric.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

CAUSES = ("lost", "failed", "excluded", "gold_faults")


@dataclass(frozen=True)
class Row:
    """The counts of a pair of trees and its main figure, which is None if it is undefined; greater is better."""

    counts: Mapping[str, int]
    figure: float | None

    @property
    def cause(self) -> str | None:
        """Why it is not scored, if it is not."""
        return next((cause for cause in CAUSES if self.counts[cause]), None)


def best(rows: Sequence[Row]) -> int:
    """The number of the gold tree against which a sentence is scored.

    A tree against which it is scored comes before one against which it is not. Where nothing is defined, neither side
    has anything to compare, and they agree.
    """
    scored = [number for number, row in enumerate(rows) if row.cause is None]
    if not scored:
        for cause in ("lost", "failed"):
            for number, row in enumerate(rows):
                if row.cause == cause:
                    return number
        return 0
    chosen = scored[0]
    for number in scored[1:]:
        old, new = rows[chosen].figure, rows[number].figure
        if old is not None and (new is None or new > old):
            chosen = number
    return chosen


def mean(rows: Sequence[Row]) -> dict[str, int]:
    """The counts of a sentence whose gold trees all count, each of which compares the sentence once.

    It is scored if it is scored against each of them. What gold decides comes before what test decides.
    """
    causes = {row.cause for row in rows}
    added = {name: sum(row.counts[name] for row in rows) for name in rows[0].counts}
    if len(causes) == 1:
        return added
    cause = next(cause for cause in ("gold_faults", "excluded", "failed", "lost") if cause in causes)
    kept = dict.fromkeys(added, 0)
    for name in ("sentences", "units"):
        if name in added:
            kept[name] = added[name]
    kept[cause] = len(rows)
    if cause == "failed":
        kept |= {name: value for name, value in added.items() if name.endswith("_all")}
        kept["failed_gold"] = kept["gold_all"]
        kept["test_all"] = max(kept["gold_all"], kept["test_all"])
    return kept
