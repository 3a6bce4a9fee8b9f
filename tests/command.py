"""Runs the evalb commands inside this process, as a shell would."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from oracle.evalb import Result

from treescore.cli.evalb import main


def evalb(arguments: Sequence[str], folder: Path, *, spmrl: bool = False) -> Result:
    """What the command prints, returns and writes when it is run inside the folder."""
    before = sys.stdout, sys.stderr, Path.cwd()
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    try:
        sys.stdout, sys.stderr = out, err
        os.chdir(folder)
        code = main(arguments, spmrl=spmrl)
    finally:
        sys.stdout, sys.stderr = before[:2]
        os.chdir(before[2])
    out.flush()
    err.flush()
    status = folder / "status"
    written = status.read_bytes() if status.exists() else None
    status.unlink(missing_ok=True)
    return Result(out.buffer.getvalue(), err.buffer.getvalue(), code, written)
