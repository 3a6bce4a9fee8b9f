"""Number of threads."""

from __future__ import annotations

import os

_SMALL = 2_000  # pairs below which more threads cost more than they save


def count_threads(threads: int | None, pairs: int) -> int:
    """The number of threads: `threads` if given, else one for little work and all cores for much."""
    if threads is None:
        return 1 if pairs < _SMALL else os.cpu_count() or 1
    if not isinstance(threads, int) or threads < 1:
        raise ValueError(f"threads must be a whole number from 1, not {threads!r}")
    return min(threads, 256)  # more would only cost memory
