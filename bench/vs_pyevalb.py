#!/usr/bin/env python3
"""Compare the CPU time of `treescore evalb` with that of PYEVALB, in one run and on the same two files.

    python bench/vs_pyevalb.py
    python bench/vs_pyevalb.py -n 10000 -r 7 --venv pyevalb-env --treescore "treescore evalb"

PYEVALB is installed into a virtual environment of its own, which is removed afterwards unless `--venv` names a place
for it. Both commands score without a parameter file, since PYEVALB knows none; their F1 is printed as a check that they
did the same work. Failed parses are left out, since PYEVALB ends with an exception when it meets one.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from make_treebank import pairs
from measure import CommandError, Usage, add_treescore_option, alternate, environment, in_folder, positive

REQUIREMENT = "PYEVALB==0.1.3"


@dataclass(frozen=True)
class Files:
    """A gold and a test file, and where PYEVALB writes its result."""

    gold: Path
    test: Path
    result: Path

    @classmethod
    def write(cls, folder: Path, name: str, trees: Sequence[tuple[str, str]]) -> Files:
        """Write pairs of trees into a folder."""
        files = cls(folder / f"{name}.gold", folder / f"{name}.test", folder / f"{name}.result")
        files.gold.write_text("".join(f"{gold}\n" for gold, _ in trees), encoding="utf-8")
        files.test.write_text("".join(f"{test}\n" for _, test in trees), encoding="utf-8")
        return files


def pyevalb_python(folder: Path) -> Path:
    """Return the interpreter of a virtual environment with PYEVALB, made if it is not there yet."""
    python = folder / "bin" / "python"
    if not python.exists():
        print(f"installing {REQUIREMENT} …", file=sys.stderr)
        venv.create(folder, with_pip=True)
    installed = subprocess.run([python, "-c", "import PYEVALB.scorer"], capture_output=True, check=False)
    if installed.returncode:
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", REQUIREMENT]
        done = subprocess.run(pip, capture_output=True, text=True, check=False, env=environment())
        if done.returncode:
            raise CommandError(f"{REQUIREMENT} could not be installed:\n{done.stderr.strip()}")
    return python


def commands(treescore: Sequence[str], python: Path, files: Files) -> dict[str, list[str]]:
    """Return both commands for a pair of files."""
    paths = [str(files.gold), str(files.test)]
    return {
        "treescore": [*treescore, *paths],
        "PYEVALB": [str(python), "-m", "PYEVALB", *paths, str(files.result)],
    }


def f_measure(report: str) -> str:
    r"""Find the F1 of all sentences in either program's report.

    >>> f_measure("Bracketing FMeasure       =  90.06"), f_measure("Bracketing FMeasure:\t90.06"), f_measure("")
    ('90.06', '90.06', '?')
    """
    found = re.search(r"Bracketing FMeasure\s*[=:]\s*(\S+)", report)
    return found[1] if found else "?"


def reported(treescore: Sequence[str], files: Files) -> dict[str, str]:
    """Return the F1 that each program reports; PYEVALB's comes from its last run."""
    command = [*treescore, str(files.gold), str(files.test)]
    ours = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    return {"treescore": f_measure(ours.stdout), "PYEVALB": f_measure(files.result.read_text(encoding="utf-8"))}


def ratio(theirs: float, ours: float) -> str:
    """Write how many times as long theirs takes."""
    return f"{theirs / ours:.1f}" if ours > 0 and theirs > 0 else "too little to measure"


def compare(options: argparse.Namespace, folder: Path) -> None:
    """Measure both programs and print the table."""
    python = pyevalb_python(options.venv or folder / "venv")
    treescore: list[str] = options.treescore
    trees = list(pairs(options.count, options.seed, failed_parses=False))
    everything = Files.write(folder, "all", trees)
    first_gold, _ = trees[0]
    single = Files.write(folder, "one", [(first_gold, first_gold)])

    print(f"{options.count} pairs, seed {options.seed}, medians of {options.runs} runs in turn", file=sys.stderr)
    full = alternate(commands(treescore, python, everything), options.runs)
    start = alternate(commands(treescore, python, single), options.runs)
    print_table(full, start, reported(treescore, everything), options.count)


def print_table(full: dict[str, Usage], start: dict[str, Usage], scores: dict[str, str], count: int) -> None:
    """Print CPU times, start-up, time per pair and the ratios of the two programs."""
    per_pair = {name: (full[name].cpu - start[name].cpu) / count for name in full}
    print(f"{'':<12}{'CPU ms':>12}{'start-up ms':>14}{'µs per pair':>14}{'F1':>8}")
    for name, used in full.items():
        micros = 1e6 * per_pair[name]
        print(f"{name:<12}{1000 * used.cpu:>12.1f}{1000 * start[name].cpu:>14.1f}{micros:>14.2f}{scores[name]:>8}")
    print(f"PYEVALB / treescore, whole process:             {ratio(full['PYEVALB'].cpu, full['treescore'].cpu)}")
    print(f"PYEVALB / treescore, per pair without start-up: {ratio(per_pair['PYEVALB'], per_pair['treescore'])}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and run the comparison."""
    parser = argparse.ArgumentParser(description="CPU time of treescore evalb and of PYEVALB on the same files.")
    parser.add_argument("-n", "--count", type=positive, default=2416, help="number of pairs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the pairs (default: %(default)s)")
    parser.add_argument("-r", "--runs", type=positive, default=5, help="runs of each command (default: %(default)s)")
    parser.add_argument("--venv", type=Path, metavar="DIR", help="make the virtual environment here and keep it")
    add_treescore_option(parser)
    options = parser.parse_args(arguments)
    return in_folder(lambda folder: compare(options, folder))


if __name__ == "__main__":
    sys.exit(main())
