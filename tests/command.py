"""Runs the evalb commands inside this process, as a shell would; and the parameters that most people give them."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from oracle.evalb import Result

from treescore.cli.evalb import main

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
