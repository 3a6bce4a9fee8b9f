#!/usr/bin/env python3
"""Measure the peak memory of reading and of scoring as a multiple of the input's size.

    python bench/memory.py -n 48320 --times 5

The generated pairs are written several times over, so that the interpreter's own memory does not matter much. Mapped
pages of the input count as memory here, though the system can take them back at any time.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from evalb_process import make_files
from measure import cpu_seconds, in_folder, positive


def repeated(path: Path, times: int) -> Path:
    """The content of a file so many times over, in a new file beside it."""
    longer = path.with_suffix(path.suffix + ".long")
    with longer.open("wb") as out:
        for _ in range(times):
            with path.open("rb") as part:
                shutil.copyfileobj(part, out)
    return longer


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the input, measure, and print the ratios."""
    parser = argparse.ArgumentParser(description="Peak memory of reading and scoring, as a multiple of the input.")
    parser.add_argument("-n", "--count", type=positive, default=48320, help="pairs generated (default: %(default)s)")
    parser.add_argument("--times", type=positive, default=5, help="times they are repeated (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the pairs (default: %(default)s)")
    options = parser.parse_args(arguments)

    def measure(folder: Path) -> None:
        gold, test = (repeated(path, options.times) for path in make_files(folder, options.count, options.seed))
        both = gold.stat().st_size + test.stat().st_size
        read = f"import treescore; treescore.read({str(gold)!r})"
        evaluate = f"import treescore; treescore.evaluate({str(gold)!r}, {str(test)!r})"
        files = [str(gold), str(test)]
        for name, command, size in (
            ("treescore.read of one file", ["-c", read], gold.stat().st_size),
            ("treescore.evaluate", ["-c", evaluate], both),
            ("treescore GOLD TEST, in parts", ["-m", "treescore", *files, "--chunk", "8M"], both),
            ("treescore evalb GOLD TEST", ["-m", "treescore.cli.evalb", *files], both),
        ):
            used = cpu_seconds([sys.executable, *command])
            print(f"{name:<30}{used.max_rss / 2**20:>9.1f} MiB peak{used.max_rss / size:>7.2f} times the input")

    return in_folder(measure)


if __name__ == "__main__":
    sys.exit(main())
