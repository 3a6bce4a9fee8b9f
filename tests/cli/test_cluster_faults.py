"""A few schedules of faults; `make test-long` runs 200 of them by tests/cluster_faults.py."""

from __future__ import annotations

import os
from pathlib import Path

import cluster_faults
import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="processes are ended by signals")

#: Quick schedules that together have most kinds of faults.
SEEDS = (1, 2, 4, 37, 72)


@pytest.mark.parametrize("seed", SEEDS)
def test_schedule(tmp_path: Path, seed: int) -> None:
    cluster_faults.check(seed, tmp_path)


def test_all_faults_are_in_the_schedules() -> None:
    schedules = [cluster_faults.schedule(seed) for seed in range(200)]
    attempts = [attempt for schedule in schedules for attempt in schedule.attempts]
    assert {(attempt.mode, name) for attempt in attempts for _, name in attempt.faults} == {
        (mode, name) for name, modes in cluster_faults.FAULTS.items() for mode in modes
    }
