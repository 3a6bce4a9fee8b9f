"""Claims of SECURITY.md that other tests do not cover."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest
from column_pairs import write_pairs
from every_command import CALLS, FILES

import treescore
from treescore.speech.perturb import CommandParser

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "SECURITY.md").read_text()

#: Prints the audit events that matter and runs a command.
AUDITED = """
import sys
def listen(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "os.system", "pickle.find_class", "exec.input"):
        sys.stderr.write(f"AUDIT {event} {arguments[1:]}\\n")
sys.addaudithook(listen)
from treescore.cli import main
sys.exit(main(sys.argv[1:]))
"""


def audited(folder: Path, *words: str, stdin: str = "/dev/null") -> list[str]:
    """The audit events of a command."""
    with (folder / stdin).open("rb") as file:
        done = subprocess.run(
            [sys.executable, "-c", AUDITED, *words],
            cwd=folder,
            stdin=file,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return [line for line in done.stderr.splitlines() if line.startswith("AUDIT ")]


@pytest.mark.parametrize("name", CALLS)
def test_commands_use_no_network_and_load_no_pickles(name: str, tmp_path: Path) -> None:
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    assert audited(tmp_path, *name.split(), *CALLS[name].words.split(), stdin=CALLS[name].stdin) == []


def test_workers_are_not_reachable_from_outside(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    write_pairs(tmp_path, files=1, rows=3, group=3)
    [name] = [path.name for path in tmp_path.iterdir()]
    events = audited(tmp_path, "columns", name, "--workers", "1", "-o", "scores")
    bound = [line for line in events if line.startswith("AUDIT socket.bind")]
    assert bound and all("127.0.0.1" in line for line in bound), bound


class Attack:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Path.touch, (Path("owned"),)  # type: ignore[return-value]


def test_pickles_are_refused_as_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("trees").write_bytes(pickle.dumps(Attack()))
    with pytest.raises(treescore.InputError, match="a Python pickle"):
        treescore.read(Path("trees"))
    assert not Path("owned").exists()


def test_parsers_are_run_without_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CommandParser("echo $HOME; touch owned && `touch owned`")([["a"]]) == ["$HOME; touch owned && `touch owned`"]
    assert CommandParser("cat")([["$(touch", "owned)", ";touch", "owned"]]) == ["$(touch owned) ;touch owned"]
    assert not Path("owned").exists()


@pytest.mark.parametrize("form", ["html", "latex", "markdown"])
def test_labels_are_escaped(form: str) -> None:
    tree = r"(S (<script>alert`1`</script>\input{x}$|* (A a)) (B b))"
    shown = treescore.evaluate(tree, tree).to(form, by="label")
    assert not re.search({"html": "<script", "latex": r"\\input", "markdown": r"(?<!\\)<script"}[form], shown)


def test_every_dependency_is_explained() -> None:
    project = pytest.importorskip("tomllib").loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"]]
    for name in extras.keys() - {"test", "browser", "dev", "docs"}:
        needed += extras[name]
    table = [line for line in TEXT.splitlines() if line.startswith("| ")]
    for requirement in needed:
        if requirement.startswith("treescore["):
            continue
        match = re.match(r"([\w-]+)>=([\d.]+)", requirement)
        assert match is not None, requirement
        assert any(match[1] in row and match[2] in row for row in table), requirement


def test_named_tests_exist() -> None:
    names = re.findall(r"`(test_\w+\.py|browser/|fuzz/)`", TEXT)
    assert names and all(any((ROOT / "tests").rglob(name.rstrip("/"))) for name in names)
