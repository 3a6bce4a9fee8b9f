"""The runner of the long checks: parts that have passed are not repeated, and the others are."""

from __future__ import annotations

import importlib.util
import signal
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "test_long.py"


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script with two parts of its own, each of which adds a line to a file."""
    spec = importlib.util.spec_from_file_location("test_long", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    code = "import sys; open(sys.argv[1], 'a').write('run\\n'); sys.exit(int(sys.argv[2]))"
    parts = {
        name: (sys.executable, "-c", code, str(tmp_path / name), value) for name, value in (("a", "0"), ("b", "3"))
    }
    for name, value in {
        "PARTS": parts,
        "FOLDER": tmp_path / "logs",
        "JOURNAL": tmp_path / "logs" / "parts.json",
    }.items():
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(module, "code", lambda: "sources")
    monkeypatch.setattr(sys, "argv", [str(SCRIPT)])
    return module


def runs(folder: Path) -> list[int]:
    return [(folder / name).read_text().count("run") for name in ("a", "b")]


def test_parts_that_have_passed_are_not_repeated(
    runner: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in (1, 2):
        assert runner.main() == 1
        assert runs(tmp_path) == [1, number]
        assert "1 of 2 parts have passed" in capsys.readouterr().out
    runner.PARTS["b"] = (*runner.PARTS["b"][:-1], "0")
    assert runner.main() == 0
    monkeypatch.setattr(runner, "code", lambda: "other sources")
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), "b"])
    assert runner.main() == 1
    assert "passed, with other sources" in capsys.readouterr().out
    assert runs(tmp_path) == [1, 4]


def test_a_part_that_takes_too_long_is_stopped(runner: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "HOUR", 0.01)
    for name, result in (("a", "FAILED: more than an hour"), ("differential-a", "to be continued")):
        runner.PARTS[name] = (sys.executable, "-c", "import time; time.sleep(600)")
        runner.FOLDER.mkdir(exist_ok=True)
        assert runner.run(name) == result


def test_unknown_parts_are_refused(runner: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), "c"])
    with pytest.raises(SystemExit, match="unknown part c"):
        runner.main()
