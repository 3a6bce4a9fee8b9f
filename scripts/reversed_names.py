"""Reverse every list of names in native/, build the module from that, and run tests on it.

Columns, and the values of enumerations, are declared in C++ only. If this passes, no other place relies on their order.
Everything is done in a copy. Usage: scripts/reversed_names.py PYTHON [pytest arguments]
"""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from shutil import copy, copytree

ROOT = Path(__file__).resolve().parent.parent
#: What the build reads.
SOURCES = ("CMakeLists.txt", "LICENSE", "NOTICE.md", "README.md", "native", "pyproject.toml", "share", "src")
#: A list (of nothing but sums, it is a part of others), and what makes something of one.
LIST = re.compile(r"(#define TREESCORE_\w+\((?:NOTE, SUM|SUM|VALUE|COLUMN)\) *\\\n)((?:.*\\\n)*.*\n)")
USE = re.compile(r"^ *TREESCORE_(?:ROW|TYPED_ROW|ENUM|CONSTANTS|NEGATIVES|FLAGS)\(", re.MULTILINE)
#: Enough to see every list at work, in two or three minutes.
TESTS = (
    "tests/golden",
    *(
        f"tests/oracle/test_{name}.py"
        for name in (
            "boundaries",
            "breakdowns",
            "dependencies",
            "discontinuous",
            "disfluency",
            "error_classes",
            "leaf_ancestor",
            "speech",
            "tedeval",
            "tree_distance",
        )
    ),
    "tests/test_conllu.py",
    "tests/test_discontinuous_trees.py",
    "tests/test_options.py",
    "tests/test_repairs.py",
    "tests/test_timed_trees.py",
)


def reversed_list(found: re.Match[str]) -> str:
    """The same list with its last entry first."""
    entries = [line.rstrip("\\ ") for line in found[2].splitlines()]
    for entry in entries:
        if not re.match(r" *[A-Z_]+\(.*\)", entry):
            sys.exit(f"scripts/reversed_names.py: not an entry of one line in a list: {entry.strip()}")
    return found[1] + " \\\n".join(reversed(entries)) + "\n"


def reverse_lists(native: Path) -> int:
    """Reverse the lists in a folder; returns how many there are."""
    count = uses = 0
    for path in sorted(native.glob("*.[ch]pp")):
        text = path.read_text(encoding="utf-8")
        reversed_text = LIST.sub(reversed_list, text)
        count += sum("(SUM)" not in found[1] for found in LIST.finditer(text))
        uses += len(USE.findall(text))
        path.write_text(reversed_text, encoding="utf-8")
    if not count or count != uses:
        sys.exit(f"scripts/reversed_names.py: {count} lists were reversed, but {uses} are used")
    return count


def build(python: str, source: Path, target: Path) -> None:
    """Build and install the package, as fast as possible, without what it depends on."""
    options = {"cmake.define.TREESCORE_DRAFT": "ON", "cmake.define.TREESCORE_WERROR": "ON"}
    settings = [f"--config-settings={name}={value}" for name, value in options.items()]
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*command, "--target", str(target), *settings, str(source)], check=True)


def environment(python: str, folder: Path, package: Path) -> str:
    """A new environment with this package, and everything else from that of `python`; returns its Python."""
    subprocess.run([python, "-m", "venv", "--without-pip", str(folder)], check=True)
    paths = {"base": str(folder), "platbase": str(folder)}
    own = sysconfig.get_path("purelib", "venv" if "venv" in sysconfig.get_scheme_names() else None, vars=paths)
    command = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    others = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # What a folder named here has in files of this kind is not read: an editable treescore stays out.
    (Path(own) / "reversed_names.pth").write_text(f"{package}\n{others}")
    return str(folder / "bin" / "python")


def main() -> None:
    python, *arguments = sys.argv[1:]
    python = str(Path(python).absolute())  # without following links: an environment is known by where its Python is
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        source, package = work / "source", work / "package"
        source.mkdir()
        for name in SOURCES:
            (copytree if (ROOT / name).is_dir() else copy)(ROOT / name, source / name)
        print(f"== {reverse_lists(source / 'native')} lists of names are reversed", flush=True)
        build(python, source, package)
        own = environment(python, work / "venv", package)
        where = [own, "-c", "import treescore; print(treescore.__file__)"]
        found = subprocess.run(where, check=True, capture_output=True, text=True, cwd=work).stdout
        if not found.startswith(str(package)):
            sys.exit(f"scripts/reversed_names.py: the tests would look at {found}")
        command = [own, "-m", "pytest", "-q", "-m", "not long", "-p", "no:cacheprovider", *(arguments or TESTS)]
        sys.exit(subprocess.run(command, cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main()
