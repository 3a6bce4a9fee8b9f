"""The pairs of files, written once for all tests of this folder, and a metric that only these tests know."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from entry_points.file_pairs import PAIRS, Written, write

from treescore.metrics import REGISTRY


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Written]:
    """The pairs by name, each in a folder of its own."""
    folder = tmp_path_factory.mktemp("entry_points")
    return {pair.name: write(pair, folder / f"{place}") for place, pair in enumerate(PAIRS)}


@pytest.fixture(scope="session", autouse=True)
def nothing_waits_for_the_disk() -> Iterator[None]:
    """Parts of a cluster are written so that they survive a power cut, which none of these files must."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="module")
def toy_is_registered() -> Iterator[None]:
    """`-m toy` is a metric like any other."""
    REGISTRY["toy"] = ("entry_points.toy_metric", "Toy")
    yield
    del REGISTRY["toy"]
