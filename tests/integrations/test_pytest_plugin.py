"""The fixture `parse_regression`, in runs of pytest with tests of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

GOLD = """\
(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))
(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN dog)) (PP (IN in) (NP (NN town)))))
(S (NP (NN tea)) (VP (VBZ works)))
"""
TEST = """
def test_parser(parse_regression):
    parse_regression.check("gold.mrg", "parsed.mrg"{options})
"""


class Folder:
    """A folder with files, a test, and the stored score of the gold trees themselves."""

    def __init__(self, path: Path, options: str = "") -> None:
        self.path = path
        (path / "gold.mrg").write_text(GOLD)
        (path / "parsed.mrg").write_text(GOLD)
        (path / "test_it.py").write_text(TEST.format(options=options))
        (path / "conftest.py").write_text('pytest_plugins = ["treescore.integrations.pytest_plugin"]\n')
        self.stored = path / "test_it" / "test_parser.json"

    def run(self, *options: str) -> tuple[int, str]:
        """The exit code and the output of pytest."""
        # The installed entry point would be loaded as well as the plugin of these sources.
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:treescore", "-p", "no:cacheprovider", *options]
        done = subprocess.run(command, cwd=self.path, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def parse(self, old: str, new: str) -> None:
        """Change the parses."""
        assert old in GOLD
        (self.path / "parsed.mrg").write_text(GOLD.replace(old, new))


def test_the_first_run_stores_the_score_and_says_so(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    code, text = folder.run()
    assert code == 1
    assert "there was no score to compare with; f1_all was stored in" in text
    stored = json.loads(folder.stored.read_text())
    assert stored == {
        "version": 1,
        "signature": "parseval|labels:yes|profile:collins",
        "figure": "f1_all",
        "value": 1.0,
        "sentences": [1.0, 1.0, 1.0],
    }
    assert folder.run()[0] == 0


def test_a_worse_parse_fails_with_the_reasons(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.run("--treescore-regen")
    folder.parse("(NP (DT a) (NN dog)) (PP (IN in) (NP (NN town)))", "(NP (DT a) (NN dog) (PP (IN in) (NP (NN town))))")
    code, text = folder.run()
    assert code == 1
    assert "f1_all was 100.00 and is 91.67: worse by 8.33, more than the tolerance of 0.00" in text
    assert "1 of 3 sentences are worse than before, 0 better" in text
    assert "sentence 2 was 100.00 and is 83.33" in text
    assert 'NP over "a dog" is missing' in text
    assert "Traceback" not in text and "pytest --treescore-regen" in text
    assert folder.run("--treescore-regen")[0] == 0
    assert folder.run()[0] == 0


def test_a_parser_that_fails_does_not_gain(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.parse("(DT a)", "(DT an)")
    folder.run("--treescore-regen")
    (tmp_path / "parsed.mrg").write_text(GOLD.replace("(DT a)", "(DT an)").replace("(NN tea)", "(NN coffee)"))
    code, text = folder.run()
    assert code == 1
    assert "sentence 3 was 100.00 and is 0.00" in text
    assert "parsed.mrg:3: gold has the word 'tea' where test has 'coffee' (failed)" in text


@pytest.mark.parametrize(("tolerance", "code"), [(8.3, 1), (8.4, 0)])
def test_a_loss_within_the_tolerance_passes(tolerance: float, code: int, tmp_path: Path) -> None:
    folder = Folder(tmp_path, f", tolerance={tolerance}")
    folder.run("--treescore-regen")
    folder.parse("(NP (DT a) (NN dog)) (PP (IN in) (NP (NN town)))", "(NP (DT a) (NN dog) (PP (IN in) (NP (NN town))))")
    assert folder.run()[0] == code


def test_figures_that_are_best_at_zero_and_metrics_without_explanation(tmp_path: Path) -> None:
    again = '")\n    parse_regression.check("gold.mrg", "parsed.mrg", figure="average_crossing"'
    folder = Folder(tmp_path, f', "tree_distance", name="distance{again}')
    assert folder.run("--treescore-regen")[0] == 0
    assert folder.stored.with_name("test_parser-distance.json").exists()
    folder.parse("(VP (VBD saw) (NP (DT a) (NN dog)) (PP", "(VP (VBD saw) (X (DT a)) (NP (NN dog)) (PP")
    code, text = folder.run()
    assert (code, "sentence 2 was 100.00 and is" in text) == (1, True)
    (tmp_path / "test_it" / "test_parser-distance.json").unlink()
    folder.run("--treescore-regen")
    folder.parse("(NP (PRP I)) (VP (VBD saw) (NP", "(NP (NP (PRP I)) (VBD saw)) (VP (NP")
    (tmp_path / "test_it" / "test_parser-distance.json").unlink()
    folder.run()  # stores the distance and fails
    code, text = folder.run()
    assert code == 1
    assert "average_crossing was 0.00 and is 0.33: worse by 0.33, more than" in text


def test_other_options_and_damaged_files_are_reported(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.run("--treescore-regen")
    (tmp_path / "test_it.py").write_text(TEST.format(options=', "parseval|labels:no"'))
    code, text = folder.run()
    assert code == 1
    assert "the stored score has another signature" in text and "labels:no" in text
    folder.stored.write_text('{"version": 2}')
    code, text = folder.run()
    assert code == 1
    assert "is no stored score (unknown version)" in text


def test_loading_the_plugin_imports_no_more_of_treescore() -> None:
    code = (
        "import sys, treescore.integrations.pytest_plugin\n"
        "print(*sorted(name for name in sys.modules if name.startswith('treescore.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [
        "treescore._version",
        "treescore.integrations",
        "treescore.integrations.pytest_plugin",
    ]
