"""Outputs are replaced when they are complete: no failure leaves half a file, or none where there was one."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import treescore
from treescore.draw import save
from treescore.heads import get
from treescore.helpers.new_files import is_unfinished, replacing
from treescore.page.build import Page
from treescore.plots import write as plot
from treescore.speech.journal import Journal

GOLD = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n" * 3
TEST = "(S (NP (DT the)) (VP (NN cat) (VBZ sleeps)))\n" * 3


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_a_complete_file_replaces_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for text in (b"old", b"new"):
        with replacing(path) as file:
            file.write(text)
        assert path.read_bytes() == text
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("before", [b"old", None])
def test_a_failure_leaves_the_old_file(before: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "file"
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(KeyboardInterrupt), replacing(path) as file:
        file.write(b"x" * 100_000)
        raise KeyboardInterrupt
    assert (path.read_bytes() if path.exists() else None) == before
    assert names(tmp_path) == ([] if before is None else ["file"])


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("folder/file", "folder/missing"):
        link = tmp_path / f"link-{Path(name).name}"
        link.symlink_to(name)
        with replacing(link) as file:
            file.write(b"new")
        assert link.is_symlink() and (tmp_path / name).read_bytes() == b"new"


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_permissions_are_kept(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    path.chmod(mode)
    with replacing(path) as file:
        file.write(b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    with replacing(tmp_path / "file"):
        pass
    (tmp_path / "usual").touch()
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write all files")
def test_a_file_that_must_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch(0o400)
    with pytest.raises(PermissionError, match=r"file'$"), replacing(tmp_path / "file"):
        pass


@pytest.mark.parametrize("name", ["missing/file", "file/file"])
def test_errors_name_the_file_that_the_user_knows(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError) as error, replacing(tmp_path / name):
        pass
    assert error.value.filename == str(tmp_path / name)


def test_a_long_name_can_be_written(tmp_path: Path) -> None:
    with replacing(tmp_path / ("x" * 255)) as file:
        file.write(b"new")
    assert names(tmp_path) == ["x" * 255]


def test_pipes_are_written_in_place(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with replacing(pipe) as file:
        file.write(b"new")
    assert os.read(reader, 10) == b"new" and stat.S_ISFIFO(pipe.stat().st_mode)
    os.close(reader)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_a_name_of_standard_output_is_written_in_place(name: str, tmp_path: Path) -> None:
    """Also if it is a file: the shell's >> appends to it."""
    (tmp_path / "link").symlink_to("/dev/stdout")
    (tmp_path / "log").write_text("before\n")
    code = (
        "import sys; from treescore.helpers.new_files import replacing\n"
        "with replacing(sys.argv[1]) as f: f.write(b'new')"
    )
    with (tmp_path / "log").open("ab") as log:
        subprocess.run([sys.executable, "-c", code, name], cwd=tmp_path, stdout=log, check=True)
    assert (tmp_path / "log").read_text() == "before\nnew"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_devices_are_written_in_place() -> None:
    with replacing("/dev/null") as file:
        file.write(b"new")
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"), replacing("/dev/full") as file:
        file.write(b"new")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("file systems can be mounted by root only")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_leaves_the_old_file(small_disk: Path) -> None:
    path = small_disk / "file"
    path.write_bytes(b"old")
    with pytest.raises(OSError, match="No space left on device") as error, replacing(path) as file:
        file.write(b"x" * 100_000)
    assert error.value.filename == str(path)
    assert (names(small_disk), path.read_bytes()) == (["file"], b"old")


def test_finished_lines_of_a_journal_are_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []
    monkeypatch.setattr(os, "fsync", lambda _: synced.append((tmp_path / "file.part").read_bytes()))
    with Journal(str(tmp_path / "file")) as journal:
        for line in ("one", "two"):
            journal.add(line)
    assert synced == [b"one\n", b"one\ntwo\n"]


@pytest.mark.parametrize("moment", ["write", "fsync", "replace"])
def test_a_killed_process_leaves_the_old_file(moment: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    code = f"""
import os, signal
from treescore.helpers.new_files import replacing
def kill(*_): os.kill(os.getpid(), signal.SIGKILL)
if {moment!r} != "write": setattr(os, {moment!r}, kill)
with replacing("file") as file:
    file.write(b"x" * 100_000)
    if {moment!r} == "write": kill()
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False)
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / "file").read_bytes() == b"old"
    assert all(name == "file" or is_unfinished(name) for name in names(tmp_path))


@pytest.mark.parametrize(
    "write",
    [
        lambda path: treescore.read(GOLD).write(path),
        lambda path: get("collins").write(path),
        lambda path: save(path, treescore.read(GOLD)[0]),
        lambda path: plot(treescore.evaluate(GOLD, TEST), path),
        lambda path: Page(treescore.compare(GOLD, {"test": TEST}, metrics=["parseval"])).write(path),
    ],
    ids=["trees", "head table", "picture", "plot", "page"],
)
def test_functions_that_write_files(
    write: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file.svg"
    path.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device") as error:
        write(path)
    assert error.value.filename == str(path)
    assert (names(tmp_path), path.read_bytes()) == (["file.svg"], b"old")
    monkeypatch.undo()
    write(path)
    assert path.read_bytes() != b"old"
