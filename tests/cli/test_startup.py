"""What the commands import, by name: nothing heavy, so that they start fast. No clock is looked at."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import treescore
from treescore import _core

#: Never wanted for scoring.
HEAVY = ("numpy", "rich", "matplotlib", "pyarrow", "nltk", "importlib.metadata", "pandas", "polars", "torch", "spacy",
         "torchmetrics", "evaluate")  # fmt: skip
#: Not wanted for the evalb commands either.
SLOW = (
    "argparse",
    "typing",
    "dataclasses",
    "re",
    "json",
    "contextlib",
    "functools",
    "collections",
    "importlib",
    "enum",
)

SMALL = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n"


def imported(code: str, folder: Path) -> set[str]:
    """The modules that running the code imports, beyond those of a bare interpreter.

    The package is linked into a folder, because an editable installation imports modules of its own.
    """
    package = folder / "installed" / "treescore"
    package.mkdir(parents=True)
    for path in (*Path(treescore.__file__).parent.iterdir(), Path(_core.__file__)):
        (package / path.name).symlink_to(path)
    for name in ("gold", "test"):
        (folder / name).write_text(SMALL)
    lines = [
        "import sys",
        "bare = set(sys.modules)",
        code,
        "print('\\n'.join(set(sys.modules) - bare), file=sys.stderr)",
    ]
    done = subprocess.run(
        [sys.executable, "-S", "-c", "\n".join(lines)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(package.parent), sysconfig.get_path("purelib")])},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "100.00" in done.stdout
    return set(done.stderr.splitlines())


@pytest.mark.parametrize(
    "call", ["evalb.main('evalb', ['gold', 'test'])", "evalb.main('evalb-spmrl', ['-L', 'gold', 'test'])"]
)
def test_evalb_commands(call: str, tmp_path: Path) -> None:
    modules = imported(f"from treescore.cli.originals import evalb; assert {call} == 0", tmp_path)
    assert "treescore._core" in modules
    assert modules.isdisjoint({*HEAVY, *SLOW})


def test_evalb_through_the_main_command(tmp_path: Path) -> None:
    modules = imported("from treescore.cli import main; assert main(['evalb', 'gold', 'test']) == 0", tmp_path)
    assert "treescore.cli.originals.evalb" in modules
    assert modules.isdisjoint({*HEAVY, *SLOW})


@pytest.mark.parametrize(
    "options", ["", ", '--by', 'label', '--per-sentence'", ", '-f', 'json'", ", '-f', 'markdown'"], ids=repr
)
def test_scoring(options: str, tmp_path: Path) -> None:
    code = f"from treescore.cli import main; assert main(['gold', 'test'{options}]) == 0"
    if "json" in options:
        code += "; print('100.00')"
    modules = imported(code, tmp_path)
    assert "treescore.scoring.evaluation" in modules
    assert modules.isdisjoint(HEAVY)


def test_comparing(tmp_path: Path) -> None:
    call = "main(['compare', 'gold', 'test', 'gold', '--ci-samples', '9'])"
    assert imported(f"from treescore.cli import main; assert {call} == 0", tmp_path).isdisjoint(HEAVY)


def test_importing_the_package_imports_almost_nothing(tmp_path: Path) -> None:
    modules = imported("import treescore; treescore.__version__; print('100.00')", tmp_path)
    assert "treescore" in modules
    assert modules.isdisjoint({*HEAVY, *SLOW, "treescore._core", "treescore.scoring.evaluation"})


def test_the_public_names_are_all_there() -> None:
    """They are resolved when they are first used: a wrong home would show only then."""
    for name in treescore.__all__:
        assert getattr(treescore, name) is not None
    assert dir(treescore) == sorted(treescore.__all__)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = treescore.nonsense


def test_a_program_ends_at_once_but_not_when_something_is_left_to_do(tmp_path: Path) -> None:
    """The text of a registered function shows whether the interpreter cleans up."""
    (tmp_path / "tree").write_text(SMALL)
    for module, left in (("json", ""), ("threading", "left"), ("logging", "left")):
        code = (
            f"import atexit, sys, {module}; from treescore.cli import program\n"
            "atexit.register(print, 'left', file=sys.stderr)\n"
            "sys.argv[1:] = ['evalb', 'tree', 'tree']; program()"
        )
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stderr.strip() == left
        assert done.stdout.endswith("100.00\n")


def test_the_exit_code_of_a_program(tmp_path: Path) -> None:
    code = "import sys; from treescore.cli import program; sys.argv[1:] = ['evalb', 'missing', 'missing']; program()"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "Can't open gold file (missing)\n")
