"""The pairs of files, written once for all tests of this folder."""

from __future__ import annotations

import pytest
from entry_points.file_pairs import PAIRS, Written, write


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Written]:
    """The pairs by name, each in a folder of its own."""
    folder = tmp_path_factory.mktemp("entry_points")
    return {pair.name: write(pair, folder / f"{place}") for place, pair in enumerate(PAIRS)}
