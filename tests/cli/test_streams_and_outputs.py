"""Every command with closed, full and broken streams, and on a full disk: results are right or an error is reported."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from every_command import CALLS, FILES

from treescore.cli.commands import with_studies

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


def test_no_command_is_forgotten() -> None:
    assert list(CALLS) == list(with_studies())


@dataclass(frozen=True)
class Outcome:
    code: int
    stdout: bytes
    stderr: str
    files: dict[str, bytes]


def run(
    name: str, folder: Path, more: str = "", *, prepare: Callable[[], object] | None = None, old: bytes = b""
) -> Outcome:
    """Run a command in a folder with its input; `prepare` changes the streams or limits of its process."""
    call = CALLS[name]
    written = [*call.files, *(["out"] if more else [])]
    for file, text in FILES.items():
        (folder / file).write_text(text)
    for file in written:
        (folder / file).write_bytes(old)
    with (folder / call.stdin).open("rb") as stdin:
        done = subprocess.run(
            [sys.executable, "-m", "treescore", *name.split(), *call.words.split(), *more.split()],
            cwd=folder,
            stdin=stdin,
            capture_output=True,
            preexec_fn=prepare,
            timeout=120,
            check=False,
        )
    stderr = done.stderr.decode()
    assert "Traceback" not in stderr and "Exception ignored" not in stderr, stderr
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {*files} == {*FILES, *written}
    return Outcome(done.returncode, done.stdout, stderr, {file: files[file] for file in written})


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Outcome]:
    """The outcome of a command with usual streams."""
    outcomes: dict[str, Outcome] = {}

    def outcome(name: str) -> Outcome:
        if name not in outcomes:
            outcomes[name] = run(name, tmp_path_factory.mktemp("usual"))
            assert outcomes[name].code == 0, outcomes[name].stderr
            assert all(outcomes[name].files.values())
        return outcomes[name]

    return outcome


def _to_full(stream: int) -> None:
    os.dup2(os.open("/dev/full", os.O_WRONLY), stream)


def _to_broken_pipe() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    os.dup2(writer, 1)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", ["closed", "full"])
def test_results_do_not_need_standard_error(
    name: str, kind: str, usual: Callable[[str], Outcome], tmp_path: Path
) -> None:
    outcome = run(name, tmp_path, prepare=partial(os.close if kind == "closed" else _to_full, 2))
    expected = usual(name)
    assert (outcome.code, outcome.stdout, outcome.files) == (expected.code, expected.stdout, expected.files)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", ["closed", "full", "broken"])
def test_failures_of_standard_output_are_reported(
    name: str, kind: str, usual: Callable[[str], Outcome], tmp_path: Path
) -> None:
    """Other outputs are complete; a pipe whose reader has ended is no error that is worth a message."""
    change: dict[str, Callable[[], object]]
    change = {"closed": partial(os.close, 1), "full": partial(_to_full, 1), "broken": _to_broken_pipe}
    outcome = run(name, tmp_path, prepare=change[kind])
    expected = usual(name)
    assert outcome.files == expected.files
    if not expected.stdout:
        assert (outcome.code, outcome.stderr) == (0, expected.stderr)
    elif kind == "broken":
        assert outcome.code == 1 and "error" not in outcome.stderr and "standard output" not in outcome.stderr
    else:
        assert outcome.code == (1 if with_studies()[name].task == "originals" else 2)
        reason = {"closed": "it is closed", "full": "No space left on device"}[kind]
        assert f"standard output: {reason}" in outcome.stderr


@pytest.mark.parametrize("name", [name for name, call in CALLS.items() if call.files or call.output])
def test_a_full_disk_leaves_the_old_files(name: str, tmp_path: Path) -> None:
    """The message names one of the files."""

    def no_space() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    outcome = run(name, tmp_path, CALLS[name].output, prepare=no_space, old=b"old")
    assert outcome.code == (1 if with_studies()[name].task == "originals" else 2)
    assert set(outcome.files.values()) == {b"old"}
    assert any(f"{file}: File too large" in outcome.stderr for file in outcome.files), outcome.stderr
