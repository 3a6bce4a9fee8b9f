"""What belongs to the fuzzers of the native code: each has a corpus, and dictionaries have the names of fuzzers."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "native" / "fuzz"
FUZZERS = sorted(path.stem for path in FOLDER.glob("*.cpp") if "int LLVMFuzzerTestOneInput" in path.read_text())
DICTIONARIES = sorted(FOLDER.glob("*.dict"))
CORPORA = sorted(FOLDER.glob("corpus/*"))


def test_names_are_those_of_fuzzers() -> None:
    assert len(FUZZERS) > 15
    assert {path.stem for path in DICTIONARIES} <= set(FUZZERS)
    assert [path.name for path in CORPORA] == [f"{name}.tar.xz" for name in FUZZERS]


@pytest.mark.parametrize("path", DICTIONARIES, ids=lambda path: path.stem)
def test_a_dictionary_has_entries_that_the_fuzzer_can_read(path: Path) -> None:
    for line in path.read_text("utf-8").splitlines():
        assert re.fullmatch(r'#.*|"([^"\\]|\\[\\"]|\\x[0-9a-fA-F]{2})+"', line)


def test_corpora_are_small() -> None:
    assert sum(path.stat().st_size for path in CORPORA) < 800_000


@pytest.mark.parametrize("path", CORPORA, ids=lambda path: path.name)
def test_a_corpus_has_inputs(path: Path) -> None:
    with tarfile.open(path) as files:
        members = files.getmembers()
    assert members and all(member.isfile() and "/" not in member.name and member.size <= 4000 for member in members)
