"""The treebank of the studies: what the script writes is what is there, and parsers make the mistakes they should."""

from __future__ import annotations

import gzip
import runpy
from pathlib import Path

import treescore
from treescore.studies import examples

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "src" / "treescore" / "data" / "studies"


def test_script_writes_the_files() -> None:
    result: dict[str, str] = runpy.run_path(str(ROOT / "scripts" / "make_study_data.py"))["texts"]()
    files = {path.name.partition(".")[0]: path for path in FOLDER.glob("*.gz")}
    assert set(result) == set(files) == {"gold", *examples.SYSTEMS}
    for name, path in files.items():
        assert gzip.decompress(path.read_bytes()).decode() == result[name]
        assert path.read_bytes()[4:8] == bytes(4)  # no date
    assert sum(path.stat().st_size for path in files.values()) < 80_000


def test_treebank() -> None:
    gold, systems = examples.treebank()
    assert not gold.problems and gold.source.name == "gold"
    words = [gold.words(place) for place in range(len(gold))]
    assert {3, 20} < {len(word) for word in words} and max(map(len, words)) <= 45
    scores = {}
    for name, bank in systems.items():
        assert not bank.problems and [bank.words(place) for place in range(len(bank))] == words
        scores[name] = treescore.evaluate(gold, bank).scores[0].value or 0
    assert scores["good"] > 0.92 > scores["middling"] > 0.8 > 0.65 > scores["right"] > 0.5
    assert abs(scores["middling"] - scores["shallow"]) < 0.01


def test_long_sentences_are_harder() -> None:
    gold, systems = examples.treebank()
    for bank in systems.values():
        by_length = treescore.evaluate(gold, bank).breakdown("length")
        scores = [figures["f1"].value or 0 for figures in by_length.values()]
        assert scores[0] > scores[2] + 0.02
