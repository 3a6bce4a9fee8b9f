"""Runs of commands that use Dask: processes that end with the test, their workers, and the parts that they write."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil


def environment(folder: Path, startup: str, **more: str) -> dict[str, str]:
    """The environment of processes that run this Python code when they start."""
    (folder / "site").mkdir(exist_ok=True)
    (folder / "site" / "sitecustomize.py").write_text(startup)
    known = os.pathsep.join([str(folder / "site"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": known, **more}


@contextmanager
def started(
    folder: Path, *arguments: str, env: Mapping[str, str] | None = None, output: Path | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A running command, ended in any case with all its processes, which are a group of their own.

    Its output goes to pipes, or to the files `output` with the endings .out and .err: processes that survive the
    command keep pipes open.
    """
    command = [sys.executable, "-m", *arguments]
    with ExitStack() as stack:
        stdout, stderr = (
            subprocess.PIPE if output is None else stack.enter_context(output.with_suffix(ending).open("wb"))
            for ending in (".out", ".err")
        )
        run = stack.enter_context(
            subprocess.Popen(
                command, cwd=folder, env=env, stdout=stdout, stderr=stderr, text=True, start_new_session=True
            )
        )
        try:
            yield run
        finally:
            while members := list(_running(run.pid)):  # until they can no longer write anything
                for process in members:
                    with suppress(psutil.Error):
                        process.kill()
                time.sleep(0.01)


def _running(group: int) -> Iterator[psutil.Process]:
    """The processes of a group that have not ended."""
    for process in psutil.process_iter():
        with suppress(psutil.Error, ProcessLookupError):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                yield process


def workers_of(run: subprocess.Popen[str]) -> list[psutil.Process]:
    """The processes of Dask's workers that a command has started."""
    workers = []
    with suppress(psutil.Error):
        for child in psutil.Process(run.pid).children(recursive=True):
            with suppress(psutil.Error):  # the child has just ended
                if "spawn_main" in " ".join(child.cmdline()):
                    workers.append(child)
    return workers


@contextmanager
def dask(
    folder: Path, program: str, *options: str, env: Mapping[str, str] | None = None, output: Path | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A scheduler or worker, as a user starts it."""
    file = str(folder / "scheduler.json")
    words = (f"distributed.cli.dask_{program}", "--scheduler-file", file, "--no-dashboard", *options)
    with started(folder, *words, env=env, output=output) as run:
        yield run


def parts(folder: Path) -> list[Path]:
    """The finished parts in a folder."""
    return sorted(folder.glob("part-*.parquet"))


def content(folder: Path) -> dict[str, bytes]:
    """The bytes of each file in a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
