"""Runs commands: those that stand for other programs inside this process, as a shell would; and usual parameters."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from oracle.evalb import Result

from treescore.cli import main as whole
from treescore.cli.originals.evalb import main
from treescore.cli.originals.sparseval import main as programs

#: The usual way to score English: TOP, traces and punctuation do not count, ADVP and PRT are the same.
COLLINS_PRM = """\
MAX_ERROR 10
CUTOFF_LEN 40
LABELED 1
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL .
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL ADVP PRT
"""

#: Runs a command and writes its exit code and peak memory in MB behind its output.
#: (`ru_maxrss` would include the memory of the process that started the command.)
MEASURED = (
    "import re, sys; from treescore.cli import main; code = main(sys.argv[1:]); "
    "status = open('/proc/self/status').read(); "
    "print(); print(code, int(re.search(r'VmHWM:\\s+([0-9]+)', status)[1]) >> 10)"
)


def evalb(arguments: Sequence[str], folder: Path, *, spmrl: bool = False) -> Result:
    """What the command prints, returns and writes when it is run inside the folder."""
    stdout, stderr, code = inside(folder, lambda: main("evalb-spmrl" if spmrl else "evalb", arguments))
    status = folder / "status"
    written = status.read_bytes() if status.exists() else None
    status.unlink(missing_ok=True)
    return Result(stdout, stderr, code, written)


def treescore(
    folder: Path, *arguments: str, code: int = 0, stdin: str = "", env: Mapping[str, str] | None = None
) -> tuple[str, str]:
    """Standard output and standard error of the command in a process of its own, inside the folder."""
    done = subprocess.run(
        [sys.executable, "-m", "treescore", *arguments],
        cwd=folder,
        env=env,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def treescore_inside(folder: Path, *arguments: str, code: int = 0) -> tuple[str, str]:
    """The same in this process, which takes a hundredth of the time."""

    def command() -> int:
        try:
            return whole(arguments)
        except SystemExit as left:  # of argparse
            return left.code if isinstance(left.code, int) else 0

    out, err, found = inside(folder, command)
    stdout, stderr = out.decode("utf-8"), err.decode("utf-8")
    assert found == code, stderr
    return stdout, stderr


def sparseval(argv: Sequence[str], folder: Path) -> tuple[bytes, bytes, int]:
    """What the command prints and returns that stands for the program argv[0], run inside the folder."""
    return inside(folder, lambda: programs(argv[0], argv[1:]))


def inside(folder: Path, command: Callable[[], int]) -> tuple[bytes, bytes, int]:
    """Standard output, standard error and exit code of a call inside a folder."""
    before = sys.stdout, sys.stderr, Path.cwd()
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    try:
        sys.stdout, sys.stderr = out, err
        os.chdir(folder)
        code = command()
    finally:
        sys.stdout, sys.stderr = before[:2]
        os.chdir(before[2])
    out.flush()
    err.flush()
    return out.buffer.getvalue(), err.buffer.getvalue(), code


def interrupted_at_work(process: subprocess.Popen[Any], seconds: float) -> tuple[Any, Any]:
    """Send Ctrl-C to a process when it has used so many more seconds of processor time; returns what it printed."""
    import psutil

    try:
        times = psutil.Process(process.pid).cpu_times
        begin = times().user
        while times().user < begin + seconds:
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=300)
    finally:
        process.kill()
